//! The tree as S-expressions, for `--emit=ast` and for tests.
//!
//! An external declaration or a statement has a line of its own; what is inside it is indented.
//! Declarators read inside out, as their `derived` does: `(a [3] *)` is an array of three pointers.

use std::fmt::Write as _;

use clc_base::{Interner, Span, Symbol};

use crate::ast::*;

/// Writes the whole tree.
pub fn dump(ast: &Ast, interner: &Interner) -> String {
    let mut dumper = Dumper { ast, interner, out: String::new(), indent: 0 };
    for item in &ast.items {
        dumper.external_declaration(item);
        dumper.out.push('\n');
    }
    dumper.out
}

struct Dumper<'a> {
    ast: &'a Ast,
    interner: &'a Interner,
    out: String,
    indent: usize,
}

impl Dumper<'_> {
    fn name(&mut self, symbol: Symbol) {
        self.out.push_str(self.interner.resolve(symbol));
    }

    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.indent.min(40) {
            self.out.push_str("  ");
        }
    }

    fn external_declaration(&mut self, item: &ExternalDeclaration) {
        match item {
            ExternalDeclaration::Function(function) => {
                self.out.push_str("(function ");
                self.specifiers(&function.specifiers);
                self.out.push(' ');
                self.declarator(&function.declarator);
                self.attributes(&function.attributes);
                self.nested_stmt(function.body);
                self.out.push(')');
            }
            ExternalDeclaration::Declaration(declaration) => self.declaration(declaration),
            ExternalDeclaration::StaticAssert(assert) => self.static_assert(assert),
            ExternalDeclaration::Pragma { text, .. } => self.pragma(*text),
        }
    }

    fn pragma(&mut self, text: Symbol) {
        let _ = write!(self.out, "(pragma {:?})", self.interner.resolve(text));
    }

    fn static_assert(&mut self, assert: &StaticAssert) {
        self.out.push_str("(static-assert ");
        self.expr(assert.condition);
        for &part in &assert.message {
            self.out.push(' ');
            self.name(part);
        }
        self.out.push(')');
    }

    fn declaration(&mut self, declaration: &Declaration) {
        self.out.push_str("(declare ");
        self.specifiers(&declaration.specifiers);
        for item in &declaration.declarators {
            self.out.push(' ');
            self.declarator(&item.declarator);
            self.attributes(&item.attributes);
            if let Some(initializer) = &item.initializer {
                self.out.push_str(" = ");
                self.initializer(initializer);
            }
        }
        self.out.push(')');
    }

    fn specifiers(&mut self, specifiers: &[Specifier]) {
        self.out.push('(');
        self.specifier_list(specifiers);
        self.out.push(')');
    }

    fn specifier_list(&mut self, specifiers: &[Specifier]) {
        for (index, specifier) in specifiers.iter().enumerate() {
            if index > 0 {
                self.out.push(' ');
            }
            self.specifier(specifier);
        }
    }

    fn specifier(&mut self, specifier: &Specifier) {
        match &specifier.kind {
            SpecifierKind::Storage(storage) => self.out.push_str(match storage {
                StorageSpecifier::Typedef => "typedef",
                StorageSpecifier::Extern => "extern",
                StorageSpecifier::Static => "static",
                StorageSpecifier::Auto => "auto",
                StorageSpecifier::Register => "register",
            }),
            SpecifierKind::Qualifier(qualifier) => self.out.push_str(match qualifier {
                Qualifier::Const => "const",
                Qualifier::Volatile => "volatile",
                Qualifier::Restrict => "restrict",
                Qualifier::AddressSpace(space) => space.name(),
                Qualifier::Access(Access::ReadOnly) => "read_only",
                Qualifier::Access(Access::WriteOnly) => "write_only",
                Qualifier::Access(Access::ReadWrite) => "read_write",
            }),
            SpecifierKind::Function(function) => self.out.push_str(match function {
                FunctionSpecifier::Inline => "inline",
                FunctionSpecifier::Kernel => "kernel",
                FunctionSpecifier::Noreturn => "noreturn",
            }),
            SpecifierKind::Type(ty) => self.type_specifier(ty),
            SpecifierKind::Attribute(attribute) => self.attribute(attribute),
        }
    }

    fn type_specifier(&mut self, ty: &TypeSpecifier) {
        let word = match ty {
            TypeSpecifier::Void => "void",
            TypeSpecifier::Bool => "bool",
            TypeSpecifier::Char => "char",
            TypeSpecifier::Short => "short",
            TypeSpecifier::Int => "int",
            TypeSpecifier::Long => "long",
            TypeSpecifier::Half => "half",
            TypeSpecifier::Float => "float",
            TypeSpecifier::Double => "double",
            TypeSpecifier::Signed => "signed",
            TypeSpecifier::Unsigned => "unsigned",
            TypeSpecifier::Complex => "_Complex",
            TypeSpecifier::Imaginary => "_Imaginary",
            TypeSpecifier::Name(name) => return self.name(*name),
            TypeSpecifier::Record(record) => return self.record(record),
            TypeSpecifier::Enum(specifier) => return self.enumeration(specifier),
            TypeSpecifier::TypeofExpr(expr) => {
                self.out.push_str("(typeof ");
                self.expr(*expr);
                self.out.push(')');
                return;
            }
            TypeSpecifier::TypeofType(ty) => {
                self.out.push_str("(typeof-type ");
                self.type_name(ty);
                self.out.push(')');
                return;
            }
            TypeSpecifier::Pipe(ty) => {
                self.out.push_str("(pipe ");
                self.type_name(ty);
                self.out.push(')');
                return;
            }
        };
        self.out.push_str(word);
    }

    fn tag(&mut self, tag: Option<(Symbol, Span)>) {
        match tag {
            Some((name, _)) => self.name(name),
            None => self.out.push('_'),
        }
    }

    fn record(&mut self, record: &RecordSpecifier) {
        self.out.push_str(match record.kind {
            RecordKind::Struct => "(struct ",
            RecordKind::Union => "(union ",
        });
        self.tag(record.tag);
        if let Some(members) = &record.members {
            self.out.push_str(" {");
            stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || {
                for (index, member) in members.iter().enumerate() {
                    self.out.push_str(if index > 0 { "; " } else { "" });
                    self.specifiers(&member.specifiers);
                    for declarator in &member.declarators {
                        self.out.push(' ');
                        self.declarator(&declarator.declarator);
                        if let Some(width) = declarator.bit_width {
                            self.out.push_str(" : ");
                            self.expr(width);
                        }
                        self.attributes(&declarator.attributes);
                    }
                }
            });
            self.out.push('}');
        }
        self.attributes(&record.attributes);
        self.out.push(')');
    }

    fn enumeration(&mut self, specifier: &EnumSpecifier) {
        self.out.push_str("(enum ");
        self.tag(specifier.tag);
        if let Some(enumerators) = &specifier.enumerators {
            self.out.push_str(" {");
            for (index, enumerator) in enumerators.iter().enumerate() {
                self.out.push_str(if index > 0 { ", " } else { "" });
                self.name(enumerator.name);
                if let Some(value) = enumerator.value {
                    self.out.push_str(" = ");
                    self.expr(value);
                }
            }
            self.out.push('}');
        }
        self.attributes(&specifier.attributes);
        self.out.push(')');
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            self.out.push(' ');
            self.attribute(attribute);
        }
    }

    fn attribute(&mut self, attribute: &Attribute) {
        self.out.push_str("[[");
        self.name(attribute.name);
        for argument in &attribute.arguments {
            self.out.push(' ');
            match argument {
                AttributeArgument::Expr(expr) => self.expr(*expr),
                AttributeArgument::Type(ty) => self.type_name(ty),
            }
        }
        self.out.push_str("]]");
    }

    fn declarator(&mut self, declarator: &Declarator) {
        self.out.push('(');
        self.tag(declarator.name);
        self.derived(&declarator.derived);
        self.out.push(')');
    }

    fn derived(&mut self, derived: &[Derived]) {
        for derived in derived {
            self.out.push(' ');
            match derived {
                Derived::Pointer { qualifiers, .. } | Derived::Block { qualifiers, .. } => {
                    self.out.push(match derived {
                        Derived::Block { .. } => '^',
                        _ => '*',
                    });
                    for qualifier in qualifiers {
                        self.out.push(' ');
                        self.specifier(qualifier);
                    }
                }
                Derived::Array { length, qualifiers, is_static, .. } => {
                    self.out.push('[');
                    if *is_static {
                        self.out.push_str("static ");
                    }
                    for qualifier in qualifiers {
                        self.specifier(qualifier);
                        self.out.push(' ');
                    }
                    match length {
                        ArrayLength::Unknown => {}
                        ArrayLength::Star => self.out.push('*'),
                        ArrayLength::Expr(expr) => self.expr(*expr),
                    }
                    self.out.push(']');
                }
                Derived::Function { parameters, variadic, .. } => {
                    self.out.push_str("(fn");
                    self.parameters(parameters);
                    self.out.push_str(if *variadic { " ...)" } else { ")" });
                }
            }
        }
    }

    fn parameters(&mut self, parameters: &[Parameter]) {
        for parameter in parameters {
            self.out.push_str(" (");
            self.specifier_list(&parameter.specifiers);
            self.out.push(' ');
            self.tag(parameter.declarator.name);
            self.derived(&parameter.declarator.derived);
            self.attributes(&parameter.attributes);
            self.out.push(')');
        }
    }

    fn type_name(&mut self, ty: &TypeName) {
        self.out.push('(');
        self.specifier_list(&ty.specifiers);
        self.derived(&ty.declarator.derived);
        self.out.push(')');
    }

    fn initializer(&mut self, initializer: &Initializer) {
        match initializer {
            Initializer::Expr(expr) => self.expr(*expr),
            Initializer::List(list) => self.initializer_list(list),
        }
    }

    fn initializer_list(&mut self, list: &InitializerList) {
        self.out.push('{');
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || {
            for (index, item) in list.items.iter().enumerate() {
                self.out.push_str(if index > 0 { ", " } else { "" });
                self.designators(&item.designators);
                if !item.designators.is_empty() {
                    self.out.push_str(" = ");
                }
                self.initializer(&item.value);
            }
        });
        self.out.push('}');
    }

    fn designators(&mut self, designators: &[Designator]) {
        for designator in designators {
            match designator {
                Designator::Index(index, _) => {
                    self.out.push('[');
                    self.expr(*index);
                    self.out.push(']');
                }
                Designator::Range(first, last, _) => {
                    self.out.push('[');
                    self.expr(*first);
                    self.out.push_str(" ... ");
                    self.expr(*last);
                    self.out.push(']');
                }
                Designator::Member(name, _) => {
                    self.out.push('.');
                    self.name(*name);
                }
            }
        }
    }

    /// `(head a b)`
    fn form(&mut self, head: &str, operands: &[ExprId]) {
        self.out.push('(');
        self.out.push_str(head);
        for &operand in operands {
            self.out.push(' ');
            self.expr(operand);
        }
        self.out.push(')');
    }

    fn form_type(&mut self, head: &str, ty: &TypeName, operand: Option<ExprId>) {
        self.out.push('(');
        self.out.push_str(head);
        self.out.push(' ');
        self.type_name(ty);
        if let Some(operand) = operand {
            self.out.push(' ');
            self.expr(operand);
        }
        self.out.push(')');
    }

    fn expr(&mut self, expr: ExprId) {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.expr_here(expr));
    }

    fn expr_here(&mut self, expr: ExprId) {
        match &self.ast.exprs[expr].kind {
            ExprKind::Identifier(symbol)
            | ExprKind::Integer(symbol)
            | ExprKind::Float(symbol)
            | ExprKind::Char(symbol) => self.name(*symbol),
            ExprKind::String(parts) => {
                for (index, &part) in parts.iter().enumerate() {
                    self.out.push_str(if index > 0 { " " } else { "" });
                    self.name(part);
                }
            }
            ExprKind::Paren(inner) => self.form("paren", &[*inner]),
            ExprKind::Index { base, index } => self.form("[]", &[*base, *index]),
            ExprKind::Call { callee, arguments } => {
                self.out.push_str("(call ");
                self.expr(*callee);
                for &argument in arguments {
                    self.out.push(' ');
                    self.expr(argument);
                }
                self.out.push(')');
            }
            ExprKind::Member { base, name, arrow, .. } => {
                self.out.push_str(if *arrow { "(-> " } else { "(. " });
                self.expr(*base);
                self.out.push(' ');
                self.name(*name);
                self.out.push(')');
            }
            ExprKind::Unary { op, operand } => self.form(unary_name(*op), &[*operand]),
            ExprKind::Binary { op, left, right, .. } => {
                self.form(binary_name(*op), &[*left, *right]);
            }
            ExprKind::Assign { op, target, value, .. } => {
                let head = format!("{}=", op.map_or("", binary_name));
                self.form(&head, &[*target, *value]);
            }
            ExprKind::Conditional { condition, then, otherwise } => match then {
                Some(then) => self.form("?:", &[*condition, *then, *otherwise]),
                None => self.form("?:", &[*condition, *otherwise]),
            },
            ExprKind::Comma(items) => self.form(",", items),
            ExprKind::SizeofExpr(operand) => self.form("sizeof", &[*operand]),
            ExprKind::SizeofType(ty) => self.form_type("sizeof-type", ty, None),
            ExprKind::AlignofExpr(operand) => self.form("alignof", &[*operand]),
            ExprKind::AlignofType(ty) => self.form_type("alignof-type", ty, None),
            ExprKind::VecStepExpr(operand) => self.form("vec_step", &[*operand]),
            ExprKind::VecStepType(ty) => self.form_type("vec_step-type", ty, None),
            ExprKind::Cast { ty, operand } => self.form_type("cast", ty, Some(*operand)),
            ExprKind::CompoundLiteral { ty, initializer } => {
                self.out.push_str("(literal ");
                self.type_name(ty);
                self.out.push(' ');
                self.initializer_list(initializer);
                self.out.push(')');
            }
            ExprKind::Statement(body) => {
                self.out.push_str("(statement");
                self.nested_stmt(*body);
                self.out.push(')');
            }
            ExprKind::Block(block) => {
                self.out.push_str("(^");
                if let Some(ty) = &block.ty {
                    self.out.push(' ');
                    self.type_name(ty);
                }
                self.parameters(&block.parameters);
                self.nested_stmt(block.body);
                self.out.push(')');
            }
            ExprKind::Offsetof(operands) => {
                let (ty, path) = &**operands;
                self.out.push_str("(offsetof ");
                self.type_name(ty);
                self.out.push(' ');
                self.designators(path);
                self.out.push(')');
            }
            ExprKind::Error => self.out.push_str("(error)"),
        }
    }

    /// On a line of its own, one level in.
    fn nested_stmt(&mut self, stmt: StmtId) {
        self.indent += 1;
        self.line();
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.stmt(stmt));
        self.indent -= 1;
    }

    fn stmt(&mut self, stmt: StmtId) {
        match &self.ast.stmts[stmt].kind {
            StmtKind::Compound(items) => {
                self.out.push_str("(block");
                for &item in items {
                    self.nested_stmt(item);
                }
                self.out.push(')');
            }
            StmtKind::Declaration(declaration) => self.declaration(declaration),
            StmtKind::StaticAssert(assert) => self.static_assert(assert),
            StmtKind::Expr(expr) => self.expr(*expr),
            StmtKind::Null => self.out.push_str("(null)"),
            StmtKind::If { condition, then, otherwise } => {
                self.out.push_str("(if ");
                self.expr(*condition);
                self.nested_stmt(*then);
                if let Some(otherwise) = otherwise {
                    self.nested_stmt(*otherwise);
                }
                self.out.push(')');
            }
            StmtKind::Switch { condition, body } => {
                self.out.push_str("(switch ");
                self.expr(*condition);
                self.nested_stmt(*body);
                self.out.push(')');
            }
            StmtKind::While { condition, body } => {
                self.out.push_str("(while ");
                self.expr(*condition);
                self.nested_stmt(*body);
                self.out.push(')');
            }
            StmtKind::DoWhile { body, condition } => {
                self.out.push_str("(do");
                self.nested_stmt(*body);
                self.indent += 1;
                self.line();
                self.indent -= 1;
                self.expr(*condition);
                self.out.push(')');
            }
            StmtKind::For { initial, condition, step, body } => {
                self.out.push_str("(for ");
                self.stmt(*initial);
                for part in [condition, step] {
                    self.out.push(' ');
                    match part {
                        Some(expr) => self.expr(*expr),
                        None => self.out.push('_'),
                    }
                }
                self.nested_stmt(*body);
                self.out.push(')');
            }
            StmtKind::Goto { label, .. } => {
                self.out.push_str("(goto ");
                self.name(*label);
                self.out.push(')');
            }
            StmtKind::Continue => self.out.push_str("(continue)"),
            StmtKind::Break => self.out.push_str("(break)"),
            StmtKind::Return(value) => match value {
                Some(value) => self.form("return", &[*value]),
                None => self.out.push_str("(return)"),
            },
            StmtKind::Label { name, attributes, body, .. } => {
                self.out.push_str("(label ");
                self.name(*name);
                self.attributes(attributes);
                self.nested_stmt(*body);
                self.out.push(')');
            }
            StmtKind::Case { first, last, body } => {
                self.out.push_str("(case ");
                self.expr(*first);
                if let Some(last) = last {
                    self.out.push_str(" ... ");
                    self.expr(*last);
                }
                self.nested_stmt(*body);
                self.out.push(')');
            }
            StmtKind::Default { body } => {
                self.out.push_str("(default");
                self.nested_stmt(*body);
                self.out.push(')');
            }
            StmtKind::Attributed { attributes, body } => {
                self.out.push_str("(attributed");
                self.attributes(attributes);
                self.nested_stmt(*body);
                self.out.push(')');
            }
            StmtKind::Pragma(text) => self.pragma(*text),
            StmtKind::Error => self.out.push_str("(error)"),
        }
    }
}

fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::PreIncrement => "++_",
        UnaryOp::PreDecrement => "--_",
        UnaryOp::PostIncrement => "_++",
        UnaryOp::PostDecrement => "_--",
        UnaryOp::AddressOf => "&",
        UnaryOp::Dereference => "*",
        UnaryOp::Plus => "+",
        UnaryOp::Minus => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::LogicalNot => "!",
    }
}

fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Less => "<",
        BinaryOp::Greater => ">",
        BinaryOp::LessEqual => "<=",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::LogicalAnd => "&&",
        BinaryOp::LogicalOr => "||",
    }
}
