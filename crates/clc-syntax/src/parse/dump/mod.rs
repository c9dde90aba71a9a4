//! The tree as S-expressions, for `--emit=ast` and for tests.
//!
//! An external declaration or a statement has a line of its own; what is inside it is indented.
//! Declarators read inside out, as their `derived` does: `(a [3] *)` is an array of three pointers.

mod declarations;

use std::fmt::Write as _;

use clc_base::{Interner, Symbol};

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
            ExprKind::SizeOfExpr(operator, operand) => {
                self.form(size_operator(*operator), &[*operand])
            }
            ExprKind::SizeOfType(operator, ty) => {
                self.form_type(&format!("{}-type", size_operator(*operator)), ty, None)
            }
            ExprKind::GnuConversion(conversion) => {
                let name = if conversion.keeps_bits { "as-type" } else { "convert" };
                self.form_type(name, &conversion.ty, Some(conversion.operand))
            }
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

fn size_operator(operator: SizeOperator) -> &'static str {
    match operator {
        SizeOperator::Sizeof => "sizeof",
        SizeOperator::Alignof => "alignof",
        SizeOperator::VecStep => "vec_step",
    }
}
