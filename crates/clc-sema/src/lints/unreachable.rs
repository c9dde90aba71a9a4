//! Statements behind jumps.

use clc_base::Diagnostic;

use super::context::Lints;
use crate::diagnostics::lints::W0873;
use crate::flow::graph::Graph;
use crate::hir::StmtKind;

pub(super) fn check(lints: &mut Lints<'_>, graph: &Graph) {
    if !lints.is_on(&W0873) {
        return;
    }
    for (index, block) in graph.blocks.iter().enumerate() {
        let Some(stmt) = block.orphan else { continue };
        let stmt = &lints.module.stmts[stmt];
        // A `break` behind a `return` is a habit; a declaration alone does nothing.
        let is_idle = matches!(
            stmt.kind,
            StmtKind::Null
                | StmtKind::Break
                | StmtKind::Return(None)
                | StmtKind::Continue
                | StmtKind::FpContract(_)
                | StmtKind::Declare { initializer: None, .. }
        );
        if is_idle || graph.is_reachable(index as u32) || lints.in_macro(stmt.span) {
            continue;
        }
        lints.report(
            Diagnostic::new(&W0873, stmt.span, "nothing leads to this statement").at("never runs"),
        );
    }
}
