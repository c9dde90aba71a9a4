//! Statements of the typed tree as text.

use std::fmt::Write;

use super::Dump;
use crate::hir::*;

impl Dump<'_> {
    pub(super) fn statement(&mut self, id: StmtId, depth: usize) {
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
                for (label, expr) in [("while", condition), ("step", step)] {
                    if let Some(expr) = expr {
                        self.indent(depth + 2);
                        self.text(label);
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
}
