//! Expressions that bind otherwise than they read. Each is a pattern of two neighbours in the
//! syntax tree, so nothing has to be walked: one look at every node.

use clc_base::Diagnostic;
use clc_syntax::ast::{BinaryOp, Expr, ExprId, ExprKind, StmtKind, UnaryOp};

use super::context::Lints;
use crate::diagnostics::lints::*;

pub(super) fn check(lints: &mut Lints<'_>) {
    let ast = lints.ast;
    if lints.is_on(&W0820) {
        for stmt in ast.stmts.values() {
            match stmt.kind {
                StmtKind::If { condition, .. }
                | StmtKind::While { condition, .. }
                | StmtKind::DoWhile { condition, .. }
                | StmtKind::For { condition: Some(condition), .. } => assignment(lints, condition),
                _ => {}
            }
        }
    }
    if !lints.any_on(&[&W0808, &W0820, &W0821, &W0822, &W0823, &W0826]) {
        return;
    }
    // Operands of casts: `(float4)(1, 2, 3, 4)` is no comma expression.
    for expr in ast.exprs.values() {
        match expr.kind {
            ExprKind::Binary { op, left, right, .. } => {
                operator(lints, expr, op, left);
                operator(lints, expr, op, right);
                negation(lints, expr, op, left);
            }
            ExprKind::Conditional { condition, .. } => assignment(lints, condition),
            // `x = (1, 2, 3, 4)`
            ExprKind::Assign { value, .. } => comma(lints, value),
            _ => {}
        }
    }
    for stmt in ast.stmts.values() {
        if let StmtKind::Declaration(declaration) = &stmt.kind {
            for item in &declaration.declarators {
                if let Some(clc_syntax::ast::Initializer::Expr(value)) = item.initializer {
                    comma(lints, value);
                }
            }
        }
    }
}

fn assignment(lints: &mut Lints<'_>, condition: ExprId) {
    let Expr { kind: ExprKind::Assign { op: None, op_span, .. }, span } =
        &lints.ast.exprs[condition]
    else {
        return;
    };
    let diagnostic =
        Diagnostic::new(&W0820, *op_span, "this assigns, and the assigned value is the condition")
            .at("`=`, not `==`")
            .label(*span, "the condition")
            .help("`==` compares; a second pair of parentheses says that `=` is meant");
    lints.report(diagnostic);
}

/// An operator whose operand is another one without parentheses.
fn operator(lints: &mut Lints<'_>, outer: &Expr, op: BinaryOp, operand: ExprId) {
    let inner = &lints.ast.exprs[operand];
    let ExprKind::Binary { op: inner_op, op_span: inner_span, .. } = inner.kind else { return };
    let ExprKind::Binary { op_span, left, right, .. } = outer.kind else { return };
    let bitwise = |op| matches!(op, BinaryOp::BitAnd | BinaryOp::BitXor | BinaryOp::BitOr);
    let comparison = |op| {
        matches!(
            op,
            BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
                | BinaryOp::Equal
                | BinaryOp::NotEqual
        )
    };
    let code = match (op, inner_op) {
        (BinaryOp::LogicalOr, BinaryOp::LogicalAnd) => {
            // `a && "text" || b`, `1 && a || b`: switches.
            &W0821
        }
        (BinaryOp::Shl | BinaryOp::Shr, BinaryOp::Add | BinaryOp::Sub) => &W0822,
        (BinaryOp::BitOr, BinaryOp::BitAnd | BinaryOp::BitXor)
        | (BinaryOp::BitXor, BinaryOp::BitAnd) => &W0823,
        _ if bitwise(op) && comparison(inner_op) => {
            // `a == b & c == d` is meant as it reads.
            let other = if operand == left { right } else { left };
            if matches!(lints.ast.exprs[other].kind, ExprKind::Binary { op, .. } if comparison(op))
            {
                return;
            }
            &W0823
        }
        _ => return,
    };
    if !lints.is_on(code) || lints.in_macro(op_span) || lints.in_macro(inner_span) {
        return;
    }
    let (inner_text, outer_text) = (
        lints.sources.text(inner_span).unwrap_or_default(),
        lints.sources.text(op_span).unwrap_or_default(),
    );
    let message = format!("`{inner_text}` binds tighter than `{outer_text}`");
    let diagnostic = Diagnostic::new(code, inner.span, message)
        .at("this is the operand")
        .label(op_span, format!("of this `{outer_text}`"))
        .help("parentheses show what is meant");
    lints.report(diagnostic);
}

/// `!a == b`, `!a & b`
fn negation(lints: &mut Lints<'_>, outer: &Expr, op: BinaryOp, left: ExprId) {
    let inner = &lints.ast.exprs[left];
    let ExprKind::Unary { op: UnaryOp::LogicalNot, operand } = inner.kind else { return };
    let ExprKind::Binary { op_span, right, .. } = outer.kind else { return };
    let is_boolean = |expr: ExprId| {
        let mut expr = expr;
        while let ExprKind::Paren(within) = lints.ast.exprs[expr].kind {
            expr = within;
        }
        match lints.ast.exprs[expr].kind {
            ExprKind::Unary { op: UnaryOp::LogicalNot, .. } => true,
            ExprKind::Binary { op, .. } => !matches!(
                op,
                BinaryOp::Mul
                    | BinaryOp::Div
                    | BinaryOp::Rem
                    | BinaryOp::Add
                    | BinaryOp::Sub
                    | BinaryOp::Shl
                    | BinaryOp::Shr
                    | BinaryOp::BitAnd
                    | BinaryOp::BitXor
                    | BinaryOp::BitOr
            ),
            _ => false,
        }
    };
    let is_asked = matches!(
        op,
        BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
            | BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::BitAnd
    );
    // `!a == !b` compares booleans, and `!!a` makes one.
    if !is_asked
        || is_boolean(right)
        || is_boolean(operand)
        || !lints.is_on(&W0826)
        || lints.in_macro(op_span)
        || lints.in_macro(inner.span)
    {
        return;
    }
    let text = lints.sources.text(op_span).unwrap_or_default();
    let message = format!("`!` only applies to the left side of `{text}`");
    lints.report(
        Diagnostic::new(&W0826, inner.span, message)
            .at("negated before the comparison")
            .label(op_span, "not to this")
            .help(format!(
                "`!(… {text} …)` negates the whole; `(!…) {text} …` says that it is meant"
            )),
    );
}

/// `(1, 2, 3, 4)` without a type in front.
fn comma(lints: &mut Lints<'_>, value: ExprId) {
    let ExprKind::Paren(inner) = lints.ast.exprs[value].kind else { return };
    let ExprKind::Comma(parts) = &lints.ast.exprs[inner].kind else { return };
    let is_idle = |part: &ExprId| {
        let mut part = *part;
        loop {
            match lints.ast.exprs[part].kind {
                ExprKind::Paren(within) => part = within,
                ExprKind::Unary { op: UnaryOp::Minus | UnaryOp::Plus, operand } => part = operand,
                ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::Char(_) => return true,
                _ => return false,
            }
        }
    };
    if !parts.iter().all(is_idle) || !lints.is_on(&W0808) {
        return;
    }
    let span = lints.ast.exprs[value].span;
    let message = "only the last of these values is used: `,` is the comma operator here";
    lints.report(
        Diagnostic::new(&W0808, span, message)
            .at("the values before the last are dropped")
            .help("a vector literal begins with its type: `(float4)(…)`"),
    );
}
