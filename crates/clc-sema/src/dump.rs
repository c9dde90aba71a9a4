//! The typed tree as text, for `--emit=hir` and for tests.
//!
//! Close to C where it can be: `[p]` loads the place `p`, `&p` is its address, `decay p` the pointer
//! to an array's first element, `(*v)` what a pointer points to; conversions are written as calls of
//! the type; names of locals carry their number.

use std::fmt::Write;

use clc_base::{Interner, Symbol};
use clc_builtins::Scalar;

use crate::folding;
use crate::hir::*;
use crate::spelling;
use crate::types::{QualType, Type, TypeId};

/// The whole module: globals first, then the functions with their bodies.
pub fn module(module: &Module, interner: &Interner) -> String {
    let mut dump = Dump { module, interner, function: None, out: String::new() };
    for global in module.globals.values() {
        dump.global(global);
    }
    for function in module.functions.values() {
        dump.function(function);
    }
    dump.out
}

struct Dump<'a> {
    module: &'a Module,
    interner: &'a Interner,
    function: Option<&'a Function>,
    out: String,
}

impl<'a> Dump<'a> {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn name(&self, symbol: Symbol) -> &'a str {
        self.interner.resolve(symbol)
    }

    fn qualified(&self, ty: QualType) -> String {
        spelling::type_text(&self.module.types, self.interner, ty)
    }

    fn ty(&mut self, ty: TypeId) {
        let text = self.qualified(ty.into());
        self.text(&text);
    }

    fn global(&mut self, global: &Global) {
        let external = match global.linkage {
            Linkage::External => "",
            Linkage::Internal => "static ",
        };
        let declaration = if global.is_declaration { "extern " } else { "" };
        let ty = self.qualified(global.ty);
        let _ = write!(self.out, "{declaration}{external}{} {}: {ty}", global.space, global.name);
        if let Some(initializer) = &global.initializer {
            self.text(" = ");
            self.constant(initializer, global.ty.ty);
        }
        self.text("\n");
    }

    fn function(&mut self, function: &'a Function) {
        if matches!(function.linkage, Linkage::Internal) {
            self.text("static ");
        }
        self.text(if function.kernel.is_some() { "kernel " } else { "function " });
        self.text(self.name(function.name));
        self.text("(");
        self.function = Some(function);
        for index in 0..function.param_count {
            if index > 0 {
                self.text(", ");
            }
            self.declared(LocalId(index));
        }
        self.text(") -> ");
        self.ty(function.result);
        match function.body {
            Some(body) => {
                self.text("\n");
                self.statement(body, 1);
            }
            None => self.text(";\n"),
        }
        self.function = None;
    }

    fn declared(&mut self, local: LocalId) {
        self.local(local);
        if let Some(local) = self.function.and_then(|function| function.locals.get(local)) {
            let ty = self.qualified(local.ty);
            let _ = write!(self.out, ": {ty}");
        }
    }

    fn local(&mut self, id: LocalId) {
        let local = self.function.and_then(|function| function.locals.get(id));
        if let Some(name) = local.and_then(|local| local.name) {
            self.text(self.interner.resolve(name));
        }
        let _ = write!(self.out, "#{}", id.0);
    }

    fn label(&mut self, id: LabelId) {
        match self.function.and_then(|function| function.labels.get(id)) {
            Some(label) => self.text(self.interner.resolve(label.name)),
            None => {
                let _ = write!(self.out, "{id}");
            }
        }
    }

    fn indent(&mut self, depth: usize) {
        // Beyond that nobody counts columns, and the text would be quadratic in the depth.
        for _ in 0..depth.min(40) {
            self.text("  ");
        }
    }

    fn statement(&mut self, id: StmtId, depth: usize) {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.statement_kind(id, depth));
    }

    fn hint(&mut self, hint: Option<LoopHint>) {
        match hint {
            None => {}
            Some(LoopHint::Unroll) => self.text(" unroll"),
            Some(LoopHint::NoUnroll) => self.text(" nounroll"),
            Some(LoopHint::UnrollCount(count)) => {
                let _ = write!(self.out, " unroll({count})");
            }
        }
    }

    fn statement_kind(&mut self, id: StmtId, depth: usize) {
        if let StmtKind::Block(stmts) = &self.module.stmts[id].kind {
            for &stmt in stmts {
                match &self.module.stmts[stmt].kind {
                    StmtKind::Block(_) => {
                        self.indent(depth);
                        self.text("block\n");
                        self.statement(stmt, depth + 1);
                    }
                    _ => self.statement(stmt, depth),
                }
            }
            return;
        }
        self.indent(depth);
        match &self.module.stmts[id].kind {
            StmtKind::Null => self.text(";\n"),
            StmtKind::Block(_) => {}
            StmtKind::Expr(expr) => {
                self.expr(*expr);
                self.text("\n");
            }
            StmtKind::Declare { local, initializer } => {
                self.text("let ");
                self.declared(*local);
                if let Some(initializer) = initializer {
                    self.text(" = ");
                    self.expr(*initializer);
                }
                self.text("\n");
            }
            StmtKind::If { condition, then, otherwise } => {
                self.text("if ");
                self.expr(*condition);
                self.text("\n");
                self.statement(*then, depth + 1);
                if let Some(otherwise) = otherwise {
                    self.indent(depth);
                    self.text("else\n");
                    self.statement(*otherwise, depth + 1);
                }
            }
            StmtKind::While { condition, body, hint } => {
                self.text("while ");
                self.expr(*condition);
                self.hint(*hint);
                self.text("\n");
                self.statement(*body, depth + 1);
            }
            StmtKind::DoWhile { body, condition, hint } => {
                self.text("do");
                self.hint(*hint);
                self.text("\n");
                self.statement(*body, depth + 1);
                self.indent(depth);
                self.text("while ");
                self.expr(*condition);
                self.text("\n");
            }
            StmtKind::For { initial, condition, step, body, hint } => {
                self.text("for");
                self.hint(*hint);
                self.text("\n");
                if let Some(initial) = initial {
                    self.statement(*initial, depth + 2);
                }
                for (word, expr) in [("while", condition), ("step", step)] {
                    if let Some(expr) = expr {
                        self.indent(depth + 2);
                        self.text(word);
                        self.text(" ");
                        self.expr(*expr);
                        self.text("\n");
                    }
                }
                self.statement(*body, depth + 1);
            }
            StmtKind::Switch { selector, body, cases, default } => {
                self.text("switch ");
                self.expr(*selector);
                for case in cases {
                    let _ = write!(self.out, " {}", case.first);
                    if case.last != case.first {
                        let _ = write!(self.out, "..{}", case.last);
                    }
                    let _ = write!(self.out, ":{}", case.id);
                }
                if let Some(default) = default {
                    let _ = write!(self.out, " default:{default}");
                }
                self.text("\n");
                self.statement(*body, depth + 1);
            }
            StmtKind::Case { id, body } => {
                let _ = writeln!(self.out, "{id}:");
                self.statement(*body, depth);
            }
            StmtKind::Label { label, body } => {
                self.label(*label);
                self.text(":\n");
                self.statement(*body, depth);
            }
            StmtKind::Goto(label) => {
                self.text("goto ");
                self.label(*label);
                self.text("\n");
            }
            StmtKind::Break => self.text("break\n"),
            StmtKind::Continue => self.text("continue\n"),
            StmtKind::Return(value) => {
                self.text("return");
                if let Some(value) = value {
                    self.text(" ");
                    self.expr(*value);
                }
                self.text("\n");
            }
            StmtKind::FpContract(on) => {
                self.text(if *on { "contract on\n" } else { "contract off\n" });
            }
        }
    }

    fn list(&mut self, exprs: &[ExprId]) {
        for (index, &expr) in exprs.iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            self.expr(expr);
        }
    }

    fn wrapped(&mut self, word: &str, ty: TypeId, operand: ExprId) {
        self.text(word);
        self.ty(ty);
        self.text("(");
        self.expr(operand);
        self.text(")");
    }

    fn infix(&mut self, left: ExprId, op: &str, right: ExprId) {
        self.text("(");
        self.expr(left);
        let _ = write!(self.out, " {op} ");
        self.expr(right);
        self.text(")");
    }

    fn expr(&mut self, id: ExprId) {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.expr_kind(id));
    }

    fn expr_kind(&mut self, id: ExprId) {
        let module = self.module;
        let expr = &module.exprs[id];
        let ty = expr.ty.ty;
        match &expr.kind {
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Global(global) => self.text(&module.globals[*global].name),
            ExprKind::Deref(pointer) => {
                self.text("(*");
                self.expr(*pointer);
                self.text(")");
            }
            ExprKind::Member { base, field } => {
                self.expr(*base);
                self.text(".");
                let name = match module.types.get(module.exprs[*base].ty.ty) {
                    Type::Record(record) => module.types.records[*record]
                        .body
                        .as_ref()
                        .and_then(|body| body.fields.get(*field as usize)?.name),
                    _ => None,
                };
                match name {
                    Some(name) => self.text(self.interner.resolve(name)),
                    None => {
                        let _ = write!(self.out, "{field}");
                    }
                }
            }
            ExprKind::Swizzle { base, swizzle } => {
                self.expr(*base);
                self.text(".s");
                for &component in swizzle.as_slice() {
                    let _ = match component {
                        Swizzle::UNDEFINED => write!(self.out, "_"),
                        component => write!(self.out, "{component:x}"),
                    };
                }
            }
            ExprKind::VectorElement { base, index } => {
                self.expr(*base);
                self.text("[");
                self.expr(*index);
                self.text("]");
            }
            ExprKind::CompoundLiteral { local, value } => {
                self.text("(");
                self.local(*local);
                self.text(" := ");
                self.expr(*value);
                self.text(")");
            }
            ExprKind::Constant(bits) => self.scalar(*bits, ty),
            ExprKind::ConstantValue(constant) => {
                self.constant(constant, ty);
                self.text(":");
                self.ty(ty);
            }
            ExprKind::Null => self.text("null"),
            ExprKind::Load(place) => {
                self.text("[");
                self.expr(*place);
                self.text("]");
            }
            ExprKind::AddressOf(place) => {
                self.text("&");
                self.expr(*place);
            }
            ExprKind::Decay(place) => {
                self.text("decay ");
                self.expr(*place);
            }
            ExprKind::Unary { op, operand } => {
                self.text(match op {
                    UnaryOp::Negate => "-",
                    UnaryOp::BitNot => "~",
                    UnaryOp::LogicalNot => "!",
                });
                self.expr(*operand);
            }
            ExprKind::Binary { op, left, right } => {
                self.infix(*left, binary_text(*op), *right);
            }
            ExprKind::Compare { op, left, right } => {
                let op = match op {
                    CompareOp::Equal => "==",
                    CompareOp::NotEqual => "!=",
                    CompareOp::Less => "<",
                    CompareOp::LessEqual => "<=",
                    CompareOp::Greater => ">",
                    CompareOp::GreaterEqual => ">=",
                };
                self.infix(*left, op, *right);
            }
            ExprKind::Logical { op, left, right } => {
                let op = match op {
                    LogicalOp::And => "&&",
                    LogicalOp::Or => "||",
                };
                self.infix(*left, op, *right);
            }
            ExprKind::PtrAdd { pointer, index, negate } => {
                self.infix(*pointer, if *negate { "-" } else { "+" }, *index);
            }
            ExprKind::PtrDiff { left, right } => self.infix(*left, "-", *right),
            ExprKind::Conditional { condition, then, otherwise }
            | ExprKind::VectorSelect { condition, then, otherwise } => {
                self.text("(");
                self.expr(*condition);
                self.text(" ? ");
                self.expr(*then);
                self.text(" : ");
                self.expr(*otherwise);
                self.text(")");
            }
            ExprKind::Assign { place, value } => self.infix(*place, "=", *value),
            ExprKind::CompoundAssign { op, place, value, compute } => {
                let mut op = format!("{}=", binary_text(*op));
                if *compute != ty {
                    let compute = self.qualified((*compute).into());
                    let _ = write!(op, "<{compute}>");
                }
                self.infix(*place, &op, *value);
            }
            ExprKind::PtrAssign { place, index, negate } => {
                self.infix(*place, if *negate { "-=" } else { "+=" }, *index);
            }
            ExprKind::IncDec { place, increment, prefix } => {
                let op = if *increment { "++" } else { "--" };
                if *prefix {
                    self.text(op);
                }
                self.expr(*place);
                if !*prefix {
                    self.text(op);
                }
            }
            ExprKind::Convert { operand, rounding, saturate } => {
                let mut word = String::new();
                if *saturate {
                    word.push_str("sat ");
                }
                if let Some(rounding) = rounding {
                    let _ = write!(word, "{rounding:?} ");
                }
                self.wrapped(&word, ty, *operand);
            }
            ExprKind::Splat(operand) => self.wrapped("splat ", ty, *operand),
            ExprKind::Reinterpret(operand) => self.wrapped("as ", ty, *operand),
            ExprKind::SpaceCast(operand) => self.wrapped("space ", ty, *operand),
            ExprKind::SpaceQuery(operand) => self.wrapped("query ", ty, *operand),
            ExprKind::IntToPtr(operand) | ExprKind::PtrToInt(operand) => {
                self.wrapped("", ty, *operand);
            }
            ExprKind::ToVoid(operand) => self.wrapped("", ty, *operand),
            ExprKind::Call { callee, arguments } => {
                self.text(self.name(module.functions[*callee].name));
                self.text("(");
                self.list(arguments);
                self.text(")");
            }
            ExprKind::Block { function } => {
                self.text("^");
                self.text(self.name(module.functions[*function].name));
                self.text("[");
                let captures = module.functions[*function].block.as_ref();
                let values: Vec<_> = captures
                    .iter()
                    .flat_map(|block| block.captures.iter().map(|capture| capture.value))
                    .collect();
                self.list(&values);
                self.text("]");
            }
            ExprKind::BlockCall { function, operands } => {
                let BlockOperands { block, arguments } = &**operands;
                self.text("^");
                self.text(self.name(module.functions[*function].name));
                self.text("(");
                let all: Vec<_> =
                    std::iter::once(*block).chain(arguments.iter().copied()).collect();
                self.list(&all);
                self.text(")");
            }
            ExprKind::EnqueuedBlock { function, block } => {
                self.text("^");
                self.text(self.name(module.functions[*function].name));
                self.text(" ");
                self.expr(*block);
            }
            ExprKind::Intrinsic { intrinsic, arguments } => {
                let _ = write!(self.out, "@{intrinsic}(");
                self.list(arguments);
                self.text(")");
            }
            ExprKind::VectorBuild(parts) => {
                self.ty(ty);
                self.text("(");
                self.list(parts);
                self.text(")");
            }
            ExprKind::Aggregate(parts) => {
                self.text("{");
                for (index, (at, value)) in parts.iter().enumerate() {
                    let comma = if index > 0 { ", " } else { "" };
                    let _ = write!(self.out, "{comma}{at}: ");
                    self.expr(*value);
                }
                self.text("}:");
                self.ty(ty);
            }
            ExprKind::Comma(parts) => {
                self.text("(");
                self.list(parts);
                self.text(")");
            }
            ExprKind::Statements(body) => {
                let StatementExpression { stmts, value } = &**body;
                self.text("({\n");
                for &stmt in stmts {
                    self.statement(stmt, 2);
                }
                self.indent(2);
                if let Some(value) = value {
                    self.expr(*value);
                }
                self.text("})");
            }
            ExprKind::Error => self.text("<error>"),
        }
    }

    fn scalar(&mut self, bits: u64, ty: TypeId) {
        match self.module.types.as_scalar(ty) {
            Some(scalar @ (Scalar::Half | Scalar::Float | Scalar::Double)) => {
                let value = f64::from_bits(folding::convert(bits, scalar, Scalar::Double));
                let _ = write!(self.out, "{value:?}:{}", scalar.name());
            }
            Some(Scalar::Int) => {
                let _ = write!(self.out, "{}", bits as i32);
            }
            Some(scalar) => {
                let value = folding::integer_value(scalar, bits);
                let _ = write!(self.out, "{value}:{}", scalar.name());
            }
            None => {
                let _ = write!(self.out, "{bits:#x}");
            }
        }
    }

    fn constant(&mut self, constant: &Constant, ty: TypeId) {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.constant_kind(constant, ty));
    }

    fn constant_kind(&mut self, constant: &Constant, ty: TypeId) {
        match constant {
            Constant::Zero => self.text("zero"),
            Constant::Scalar(bits) => self.scalar(*bits, ty),
            Constant::Composite(parts) => {
                self.text("{");
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        self.text(", ");
                    }
                    let part_ty = self.part_type(ty, index);
                    self.constant(part, part_ty);
                }
                self.text("}");
            }
            Constant::Scalars(scalars) => {
                let element = self.part_type(ty, 0);
                self.text("{");
                for (index, &bits) in scalars.iter().enumerate() {
                    if index > 0 {
                        self.text(", ");
                    }
                    self.scalar(bits, element);
                }
                self.text("}");
            }
            Constant::Union { field, value } => {
                let _ = write!(self.out, "{{.{field} = ");
                let part_ty = self.part_type(ty, *field as usize);
                self.constant(value, part_ty);
                self.text("}");
            }
            Constant::Address { global, offset } => {
                let name = &self.module.globals[*global].name;
                let _ = write!(self.out, "&{name} + {offset}");
            }
            Constant::Sampler(sampler) => {
                let _ = write!(self.out, "sampler {:#x}", sampler.bits);
            }
        }
    }

    /// The type of part `index` of a composite.
    fn part_type(&self, ty: TypeId, index: usize) -> TypeId {
        let types = &self.module.types;
        match types.get(ty) {
            Type::Vector(element, _) => types.scalar(*element),
            Type::Array { element, .. } => element.ty,
            Type::Record(record) => types.records[*record]
                .body
                .as_ref()
                .and_then(|body| body.fields.get(index))
                .map_or(ty, |field| field.ty.ty),
            _ => ty,
        }
    }
}

fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
    }
}
