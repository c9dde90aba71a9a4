//! Expressions of the typed tree as text.

use std::fmt::Write;

use super::Dump;
use crate::hir::*;
use crate::types::{Type, TypeId};

impl Dump<'_> {
    fn list(&mut self, exprs: &[ExprId]) {
        for (index, &expr) in exprs.iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            self.expr(expr);
        }
    }

    fn wrapped(&mut self, prefix: &str, ty: TypeId, operand: ExprId) {
        self.text(prefix);
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

    pub(super) fn expr(&mut self, id: ExprId) {
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
            ExprKind::Load(lvalue) => {
                self.text("[");
                self.expr(*lvalue);
                self.text("]");
            }
            ExprKind::AddressOf(lvalue) => {
                self.text("&");
                self.expr(*lvalue);
            }
            ExprKind::Decay(lvalue) => {
                self.text("decay ");
                self.expr(*lvalue);
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
            ExprKind::Assign { lvalue, value } => self.infix(*lvalue, "=", *value),
            ExprKind::CompoundAssign { op, lvalue, value, compute } => {
                let mut op = format!("{}=", binary_text(*op));
                if *compute != ty {
                    let compute = self.qualified((*compute).into());
                    let _ = write!(op, "<{compute}>");
                }
                self.infix(*lvalue, &op, *value);
            }
            ExprKind::PtrAssign { lvalue, index, negate } => {
                self.infix(*lvalue, if *negate { "-=" } else { "+=" }, *index);
            }
            ExprKind::IncDec { lvalue, increment, prefix } => {
                let op = if *increment { "++" } else { "--" };
                if *prefix {
                    self.text(op);
                }
                self.expr(*lvalue);
                if !*prefix {
                    self.text(op);
                }
            }
            ExprKind::Convert { operand, rounding, saturate } => {
                let mut prefix = String::new();
                if *saturate {
                    prefix.push_str("sat ");
                }
                if let Some(rounding) = rounding {
                    let _ = write!(prefix, "{rounding:?} ");
                }
                self.wrapped(&prefix, ty, *operand);
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
