//! Control flow.

use clc_ir::{Block, BlockCall, CompareOp, LoopControl, SwitchCase, Terminator, TypePool, Value};
use clc_sema::hir::{self, Case, CaseId, LoopHint, StmtId, StmtKind};

use crate::module::{FunctionLowering, Jumps, Slot};

/// Ranges of cases up to this long become single cases; longer ones become comparisons.
const EXPANDED_RANGE: u64 = 64;

impl FunctionLowering<'_, '_> {
    /// Lowers a statement. Statements nest as deep as the source does.
    pub fn stmt(&mut self, id: StmtId) {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.stmt_inner(id));
    }

    fn stmt_inner(&mut self, id: StmtId) {
        let hir = self.cx.hir;
        let stmt = &hir.stmts[id];
        self.span = stmt.span;
        match &stmt.kind {
            StmtKind::Null => {}
            StmtKind::Expr(expr) => self.effect(*expr),
            StmtKind::Declare { local, initializer } => self.declare(*local, *initializer),
            StmtKind::Block(stmts) => {
                let contract = self.contract;
                let outer = self.enter_compound(stmts, stmt.span);
                for &stmt in stmts {
                    self.stmt(stmt);
                }
                self.leave_scope(outer);
                self.contract = contract;
            }
            StmtKind::If { condition, then, otherwise } => {
                self.if_stmt(*condition, *then, *otherwise);
            }
            StmtKind::While { condition, body, hint } => {
                let header = self.new_block();
                let body_block = self.new_block();
                let exit = self.new_block();
                self.fall_into(header);
                self.condition(*condition, body_block, exit);
                self.switch_to(body_block);
                self.loop_body(*body, exit, header);
                self.build(|b| b.jump(header, &[]));
                self.loop_hint(*hint, header, exit, header);
                self.switch_to(exit);
            }
            StmtKind::DoWhile { body, condition, hint } => {
                let body_block = self.new_block();
                let test = self.new_block();
                let exit = self.new_block();
                self.fall_into(body_block);
                self.loop_body(*body, exit, test);
                self.fall_into(test);
                self.condition(*condition, body_block, exit);
                self.loop_hint(*hint, body_block, exit, test);
                self.switch_to(exit);
            }
            StmtKind::For { initial, condition, step, body, hint } => {
                // The statement is a block itself (C99 6.8.5).
                let outer = self.enter_scope(stmt.span);
                if let Some(initial) = initial {
                    self.stmt(*initial);
                }
                let header = self.new_block();
                let body_block = self.new_block();
                let step_block = self.new_block();
                let exit = self.new_block();
                self.fall_into(header);
                match condition {
                    Some(condition) => self.condition(*condition, body_block, exit),
                    None => self.build(|b| b.jump(body_block, &[])),
                }
                self.switch_to(body_block);
                self.loop_body(*body, exit, step_block);
                self.fall_into(step_block);
                if let Some(step) = step {
                    self.effect(*step);
                }
                self.build(|b| b.jump(header, &[]));
                self.loop_hint(*hint, header, exit, step_block);
                self.switch_to(exit);
                self.leave_scope(outer);
            }
            StmtKind::Switch { selector, body, cases, default } => {
                self.switch(*selector, *body, cases, *default);
            }
            StmtKind::Case { id, body } => {
                let block = self.case_block(*id);
                self.fall_into(block);
                self.stmt(*body);
            }
            StmtKind::Label { label, body } => {
                let block = self.labels[*label];
                self.fall_into(block);
                self.stmt(*body);
            }
            StmtKind::Goto(label) => {
                let block = self.labels[*label];
                self.build(|b| b.jump(block, &[]));
            }
            StmtKind::Break => {
                if let Some(jumps) = self.jumps.last() {
                    let target = jumps.break_to;
                    self.build(|b| b.jump(target, &[]));
                }
            }
            StmtKind::Continue => {
                if let Some(target) = self.jumps.iter().rev().find_map(|jumps| jumps.continue_to) {
                    self.build(|b| b.jump(target, &[]));
                }
            }
            StmtKind::Return(value) => {
                let value = value.and_then(|value| self.value_or_void(value));
                self.span = stmt.span;
                let result = self.function.result;
                self.build(|b| {
                    let value = match value {
                        _ if result == TypePool::VOID => None,
                        Some(value) => Some(value),
                        None => Some(b.undef(result)),
                    };
                    b.ret(value);
                });
            }
            StmtKind::FpContract(allowed) => {
                self.contract = *allowed;
                self.cx.contraction_off |= !*allowed;
            }
        }
    }

    fn declare(&mut self, local: hir::LocalId, initializer: Option<hir::ExprId>) {
        let data = &self.source.locals[local];
        if self.is_opaque_value(data.ty.ty)
            && let Some(initializer) = initializer
        {
            let value = self.value(initializer);
            self.locals[local.0 as usize] = Some(Slot::Value(value));
            self.debug_value(local, value);
            return;
        }
        let Slot::Memory(address) = self.slot(local) else { return };
        if let Some(initializer) = initializer {
            let volatile = data.ty.quals.is_volatile;
            let align = data.align;
            self.initialize(address, align, volatile, initializer);
        }
    }

    fn if_stmt(&mut self, condition: hir::ExprId, then: StmtId, otherwise: Option<StmtId>) {
        let then_block = self.new_block();
        let join = self.new_block();
        let else_block = match otherwise {
            Some(_) => self.new_block(),
            None => join,
        };
        self.condition(condition, then_block, else_block);
        self.switch_to(then_block);
        self.stmt(then);
        self.build(|b| b.jump(join, &[]));
        if let Some(otherwise) = otherwise {
            self.switch_to(else_block);
            self.stmt(otherwise);
            self.build(|b| b.jump(join, &[]));
        }
        self.switch_to(join);
    }

    fn loop_body(&mut self, body: StmtId, break_to: Block, continue_to: Block) {
        self.jumps.push(Jumps { break_to, continue_to: Some(continue_to) });
        self.stmt(body);
        self.jumps.pop();
    }

    fn loop_hint(
        &mut self,
        hint: Option<LoopHint>,
        header: Block,
        merge: Block,
        continue_target: Block,
    ) {
        let control = match hint {
            None => return,
            Some(LoopHint::Unroll) => LoopControl::Unroll,
            Some(LoopHint::UnrollCount(count)) => LoopControl::UnrollCount(count),
            Some(LoopHint::NoUnroll) => LoopControl::DontUnroll,
        };
        let hint = clc_ir::LoopHint { control, merge, continue_target };
        self.function.loop_hints.insert(header, hint);
    }

    fn case_block(&mut self, id: CaseId) -> Block {
        match self.cases[id.0 as usize] {
            Some(block) => block,
            None => {
                let block = self.new_block();
                self.cases[id.0 as usize] = Some(block);
                block
            }
        }
    }

    fn switch(
        &mut self,
        selector: hir::ExprId,
        body: StmtId,
        cases: &[Case],
        default: Option<CaseId>,
    ) {
        let exit = self.new_block();
        let value = self.value(selector);
        let signed = self
            .types()
            .as_scalar(self.expr_data(selector).ty.ty)
            .is_some_and(clc_builtins::Scalar::is_signed);
        let default = match default {
            Some(id) => self.case_block(id),
            None => exit,
        };
        let mut singles: Vec<SwitchCase> = Vec::with_capacity(cases.len());
        for case in cases {
            let block = self.case_block(case.id);
            // GNU ranges wrap nowhere: `first <= last` in the selector's type.
            let length = case.last.wrapping_sub(case.first);
            if length < EXPANDED_RANGE {
                let target = self.build(|b| b.call_block(block, &[]));
                singles.extend((0..=length).map(|step| SwitchCase {
                    value: self.truncated(value, case.first.wrapping_add(step)),
                    target,
                }));
            } else {
                self.long_range(value, case, signed, block);
            }
        }
        let target: BlockCall = self.build(|b| b.call_block(default, &[]));
        self.build(|b| {
            b.terminate(Terminator::Switch { selector: value, default: target, cases: singles });
        });
        let body_block = self.new_block();
        self.switch_to(body_block);
        self.jumps.push(Jumps { break_to: exit, continue_to: None });
        self.stmt(body);
        self.jumps.pop();
        self.fall_into(exit);
    }

    fn truncated(&self, like: Value, bits: u64) -> u64 {
        match self.cx.module.types.scalar_bits(self.value_type(like)) {
            Some(width) if width < 64 => bits & ((1 << width) - 1),
            _ => bits,
        }
    }

    /// Tests a long range before the switch.
    fn long_range(&mut self, value: Value, case: &Case, signed: bool, block: Block) {
        let ty = self.value_type(value);
        let (at_least, at_most) = if signed {
            (CompareOp::SGreaterEqual, CompareOp::SLessEqual)
        } else {
            (CompareOp::UGreaterEqual, CompareOp::ULessEqual)
        };
        let next = self.new_block();
        self.build(|b| {
            let first = b.int(ty, case.first);
            let last = b.int(ty, case.last);
            let low = b.compare(at_least, value, first);
            let high = b.compare(at_most, value, last);
            let inside = b.binary(clc_ir::BinaryOp::And, low, high);
            b.branch(inside, block, next);
        });
        self.switch_to(next);
    }
}
