//! Statements that are indented as if they belonged to the `if` or the loop before them.

use clc_base::{Diagnostic, Span};
use clc_syntax::ast::{StmtId, StmtKind};

use super::context::Lints;
use crate::diagnostics::lints::*;

pub(super) fn check(lints: &mut Lints<'_>) {
    if !lints.is_on(&W0828) {
        return;
    }
    for stmt in lints.ast.stmts.values() {
        let StmtKind::Compound(items) = &stmt.kind else { continue };
        for pair in items.windows(2) {
            after(lints, pair[0], pair[1]);
        }
    }
}

/// A body without braces, and the keyword that it belongs to.
struct Guarded {
    keyword: &'static str,
    at: Span,
    body: StmtId,
}

/// Looks at what a statement ends in: the innermost body is followed by `next` in the text.
fn after(lints: &mut Lints<'_>, stmt: StmtId, next: StmtId) {
    let ast = lints.ast;
    match ast.stmts[next].kind {
        // Labels stand where their block wants them, and a lone `;` says nothing.
        StmtKind::Label { .. }
        | StmtKind::Case { .. }
        | StmtKind::Default { .. }
        | StmtKind::Null
        | StmtKind::Pragma(_)
        | StmtKind::Error => return,
        StmtKind::Compound(_)
        | StmtKind::Declaration(_)
        | StmtKind::StaticAssert(_)
        | StmtKind::Expr(_)
        | StmtKind::If { .. }
        | StmtKind::Switch { .. }
        | StmtKind::While { .. }
        | StmtKind::DoWhile { .. }
        | StmtKind::For { .. }
        | StmtKind::Goto { .. }
        | StmtKind::Continue
        | StmtKind::Break
        | StmtKind::Return(_)
        | StmtKind::Attributed { .. } => {}
    }
    let mut stmt = stmt;
    loop {
        let span = ast.stmts[stmt].span;
        let (keyword, at, body) = match ast.stmts[stmt].kind {
            StmtKind::If { then, otherwise: Some(otherwise), .. } => {
                let Some(at) = else_between(lints, then, otherwise) else { return };
                ("else", at, otherwise)
            }
            StmtKind::If { then, otherwise: None, .. } => ("if", span, then),
            StmtKind::While { body, .. } => ("while", span, body),
            StmtKind::For { body, .. } => ("for", span, body),
            StmtKind::Label { body, .. }
            | StmtKind::Case { body, .. }
            | StmtKind::Default { body }
            | StmtKind::Attributed { body, .. } => {
                stmt = body;
                continue;
            }
            StmtKind::Compound(_)
            | StmtKind::Declaration(_)
            | StmtKind::StaticAssert(_)
            | StmtKind::Expr(_)
            | StmtKind::Null
            | StmtKind::Switch { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::Goto { .. }
            | StmtKind::Continue
            | StmtKind::Break
            | StmtKind::Return(_)
            | StmtKind::Pragma(_)
            | StmtKind::Error => return,
        };
        if guarded(lints, &Guarded { keyword, at, body }, next) {
            return;
        }
        stmt = body;
    }
}

/// The `else` between two statements, behind comments.
fn else_between(lints: &Lints<'_>, then: StmtId, otherwise: StmtId) -> Option<Span> {
    let between = Span::new(lints.ast.stmts[then].span.hi, lints.ast.stmts[otherwise].span.lo);
    let text = lints.sources.text(between)?;
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if rest.starts_with("else") {
            break;
        }
        let end = if rest.starts_with("//") { "\n" } else { "*/" };
        rest = rest.strip_prefix("//").or_else(|| rest.strip_prefix("/*"))?.split_once(end)?.1;
    }
    let at = between.lo + (text.len() - rest.len()) as u32;
    Some(Span::new(at, at + 4))
}

/// Warns if `next` is indented as the body is; whether it did.
fn guarded(lints: &mut Lints<'_>, guarded: &Guarded, next: StmtId) -> bool {
    let ast = lints.ast;
    let (body, next) = (&ast.stmts[guarded.body], ast.stmts[next].span);
    if matches!(body.kind, StmtKind::Compound(_)) {
        return false;
    }
    let whole = Span::new(guarded.at.lo, next.lo);
    let has_macro = [guarded.at.lo, body.span.lo, body.span.hi, next.lo]
        .iter()
        .any(|&position| lints.sources.expansion_at(position).is_some());
    let Some(text) = lints.sources.text(whole).filter(|_| !has_macro) else { return false };
    // What a directive leaves out may be what the indentation is for.
    if text.lines().any(|line| line.trim_start().starts_with('#')) {
        return false;
    }
    let (Some((guard, _)), Some((inner, true)), Some((outer, true))) = (
        indentation(lints, guarded.at.lo),
        indentation(lints, body.span.lo),
        indentation(lints, next.lo),
    ) else {
        return false;
    };
    // Equal in characters, so that the width of a tab does not matter.
    if inner != outer || inner.len() <= guard.len() || !inner.starts_with(guard) {
        return false;
    }
    let keyword = guarded.keyword;
    let at = Span::new(guarded.at.lo, guarded.at.lo + keyword.len() as u32);
    let message = format!("this is not part of the `{keyword}`, as its indentation suggests");
    lints.report(
        Diagnostic::new(&W0828, next, message)
            .at("runs in every case")
            .label(at, format!("only one statement belongs to this `{keyword}`"))
            .help("braces around both, or less indentation, show what is meant"),
    );
    true
}

/// The white space that the line of a position begins with, and whether nothing else stands before
/// the position.
fn indentation<'a>(lints: &Lints<'a>, position: u32) -> Option<(&'a str, bool)> {
    let sources = lints.sources;
    let file = sources.file(sources.file_at(position)?);
    let offset = position - file.lo;
    let (_, start) = file.line_at(offset);
    let line = file.text.get(start as usize..)?;
    let width = line.len() - line.trim_start_matches([' ', '\t']).len();
    Some((line.get(..width)?, start as usize + width == offset as usize))
}
