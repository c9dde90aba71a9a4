//! Whether control can reach the end of a function that returns a value (C99 6.9.1 paragraph 12).

use clc_base::{Diagnostic, Span};

use crate::context::Sema;
use crate::diagnostics::statements as codes;
use crate::hir::{ExprId, ExprKind, StmtId, StmtKind};
use crate::types::TypeTable;

/// What a statement does to control; errs towards not reaching what follows.
#[derive(Clone, Copy, Debug, Default)]
struct Flow {
    /// Control can go on behind the statement.
    completes: bool,
    /// A `break` in it leaves the loop or `switch` around it.
    breaks: bool,
}

impl Sema<'_> {
    /// Warns if the end of `body` can be reached. `end` is the closing brace.
    pub(crate) fn check_missing_return(&mut self, body: StmtId, end: Span) {
        let Some(function) = &self.function else { return };
        let result = function.result.ty;
        if result == TypeTable::VOID || self.module.types.is_error(result) {
            return;
        }
        if !self.flow(body).completes {
            return;
        }
        let name = match function.block {
            Some(_) => "this block".to_owned(),
            None => format!("`{}`", self.interner.resolve(function.name)),
        };
        let message = format!("the end of {name} can be reached without a `return`");
        let text = self.type_text(result);
        self.report(
            Diagnostic::new(&codes::W0453, end, message)
                .at("reached without a value")
                .note(format!("it must return `{text}`; without, the result is undefined")),
        );
    }

    fn is_true(&self, condition: ExprId) -> bool {
        matches!(self.module.exprs[condition].kind, ExprKind::Constant(bits) if bits != 0)
    }

    fn flow(&self, stmt: StmtId) -> Flow {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.flow_inner(stmt))
    }

    fn flow_inner(&self, stmt: StmtId) -> Flow {
        let completes = Flow { completes: true, breaks: false };
        match &self.module.stmts[stmt].kind {
            StmtKind::Null
            | StmtKind::Expr(_)
            | StmtKind::Declare { .. }
            | StmtKind::FpContract(_) => completes,
            StmtKind::Block(stmts) => {
                let mut flow = completes;
                for &stmt in stmts {
                    let next = self.flow(stmt);
                    // Labels make what follows a jump reachable again.
                    let entered = matches!(
                        self.module.stmts[stmt].kind,
                        StmtKind::Label { .. } | StmtKind::Case { .. }
                    );
                    flow.completes = next.completes && (flow.completes || entered);
                    flow.breaks |= next.breaks;
                }
                flow
            }
            StmtKind::If { then, otherwise, .. } => {
                let then = self.flow(*then);
                let otherwise = otherwise.map_or(completes, |stmt| self.flow(stmt));
                Flow {
                    completes: then.completes || otherwise.completes,
                    breaks: then.breaks || otherwise.breaks,
                }
            }
            StmtKind::While { condition, body, .. } => {
                let body = self.flow(*body);
                Flow { completes: !self.is_true(*condition) || body.breaks, breaks: false }
            }
            StmtKind::DoWhile { body, condition, .. } => {
                let body = self.flow(*body);
                // `continue` reaches the condition too; only a body that must leave does not.
                let reached = body.completes && !self.is_true(*condition);
                Flow { completes: reached || body.breaks, breaks: false }
            }
            StmtKind::For { condition, body, .. } => {
                let body = self.flow(*body);
                let ends = condition.is_some_and(|condition| !self.is_true(condition));
                Flow { completes: ends || body.breaks, breaks: false }
            }
            StmtKind::Switch { body, default, .. } => {
                let body = self.flow(*body);
                Flow {
                    completes: body.completes || body.breaks || default.is_none(),
                    breaks: false,
                }
            }
            StmtKind::Case { body, .. } | StmtKind::Label { body, .. } => self.flow(*body),
            StmtKind::Goto(_) | StmtKind::Continue | StmtKind::Return(_) => Flow::default(),
            StmtKind::Break => Flow { completes: false, breaks: true },
        }
    }
}
