//! Bodies of statements that are not what the layout suggests.

use clc_base::{Diagnostic, Span};
use clc_syntax::ast::{StmtId, StmtKind};

use super::context::Lints;
use crate::diagnostics::lints::*;

pub(super) fn check(lints: &mut Lints<'_>) {
    let ast = lints.ast;
    if lints.any_on(&[&W0824, &W0825]) {
        for stmt in ast.stmts.values() {
            match &stmt.kind {
                StmtKind::If { condition, then, otherwise } => {
                    if otherwise.is_none() {
                        dangling_else(lints, *then);
                    }
                    let head = ast.exprs[*condition].span;
                    empty_body(lints, "if", head, *then, None);
                }
                StmtKind::Switch { condition, body } => {
                    empty_body(lints, "switch", ast.exprs[*condition].span, *body, None);
                }
                StmtKind::Compound(items) => {
                    for pair in items.windows(2) {
                        loop_body(lints, pair[0], pair[1]);
                    }
                }
                _ => {}
            }
        }
    }
    if lints.is_on(&W0827) {
        for stmt in ast.stmts.values() {
            if let StmtKind::Switch { body, .. } = stmt.kind
                && let StmtKind::Compound(items) = &ast.stmts[body].kind
            {
                for pair in items.windows(2) {
                    fallthrough(lints, pair[0], pair[1]);
                }
            }
        }
    }
}

/// An `if` without `else` around one with.
fn dangling_else(lints: &mut Lints<'_>, then: StmtId) {
    let ast = lints.ast;
    let mut stmt = then;
    let inner = loop {
        match ast.stmts[stmt].kind {
            StmtKind::If { condition, otherwise: Some(otherwise), .. } => {
                break (condition, otherwise);
            }
            StmtKind::While { body, .. }
            | StmtKind::For { body, .. }
            | StmtKind::Label { body, .. } => stmt = body,
            _ => return,
        }
    };
    let (condition, otherwise) = inner;
    let span = ast.stmts[otherwise].span;
    if lints.in_macro(span) || lints.in_macro(ast.stmts[then].span) {
        return;
    }
    let message = "this `else` belongs to the inner `if`";
    lints.report(
        Diagnostic::new(&W0824, span, message)
            .at("the nearest `if` without an `else` is meant")
            .label(ast.exprs[condition].span, "to this condition")
            .help("braces around the inner `if` show what is meant"),
    );
}

/// `if (x);`
fn empty_body(lints: &mut Lints<'_>, keyword: &str, head: Span, body: StmtId, next: Option<Span>) {
    let stmt = &lints.ast.stmts[body];
    if !matches!(stmt.kind, StmtKind::Null) || !lints.is_on(&W0825) {
        return;
    }
    // Macros may expand to nothing.
    let semicolon = stmt.span;
    if lints.in_macro(semicolon) || lints.in_macro(Span::new(head.hi.saturating_sub(1), head.hi)) {
        return;
    }
    let between = Span::new(head.hi, semicolon.lo);
    // On a line of its own it is meant; and what a macro leaves of a body is not written here.
    match lints.sources.text(between) {
        Some(text) if text.trim_start().trim_start_matches(')').trim().is_empty() => {
            if text.contains('\n') {
                return;
            }
        }
        _ => return,
    }
    let message = format!("the body of this `{keyword}` is empty");
    let mut diagnostic = Diagnostic::new(&W0825, semicolon, message)
        .at("this `;` is the whole body")
        .help("remove the `;`, or put it on a line of its own if that is meant");
    if let Some(next) = next {
        diagnostic = diagnostic.label(next, "this looks like the body");
    }
    lints.report(diagnostic);
}

/// `for (…); { … }`
fn loop_body(lints: &mut Lints<'_>, stmt: StmtId, next: StmtId) {
    let ast = lints.ast;
    let (keyword, head, body) = match ast.stmts[stmt].kind {
        StmtKind::While { condition, body } => ("while", ast.exprs[condition].span, body),
        StmtKind::For { step: Some(step), body, .. } => ("for", ast.exprs[step].span, body),
        _ => return,
    };
    if !matches!(ast.stmts[next].kind, StmtKind::Compound(_)) {
        return;
    }
    let span = ast.stmts[next].span;
    empty_body(lints, keyword, head, body, Some(Span::new(span.lo, span.lo + 1)));
}

/// Statements of one `case` that run into the next.
fn fallthrough(lints: &mut Lints<'_>, before: StmtId, label: StmtId) {
    let ast = lints.ast;
    if !matches!(ast.stmts[label].kind, StmtKind::Case { .. } | StmtKind::Default { .. }) {
        return;
    }
    let mut last = before;
    loop {
        match &ast.stmts[last].kind {
            StmtKind::Case { body, .. }
            | StmtKind::Default { body }
            | StmtKind::Label { body, .. } => last = *body,
            StmtKind::Compound(items) => match items.last() {
                Some(&item) => last = item,
                None => return,
            },
            StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Goto { .. }
            | StmtKind::Null => return,
            StmtKind::If { then, otherwise: Some(_), .. } => last = *then,
            _ => break,
        }
    }
    let span = ast.stmts[label].span;
    lints.report(
        Diagnostic::new(&W0827, span.start(), "control falls through into this label")
            .at("no `break` before this")
            .label(ast.stmts[last].span, "from here")
            .help("add `break;`"),
    );
}
