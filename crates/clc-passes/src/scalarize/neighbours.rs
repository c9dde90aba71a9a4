//! Addresses that step from work-item to work-item by what they point to.

use clc_builtins::Intrinsic;
use clc_ir::{
    BinaryOp, Block, Cfg, Const, ConstPool, ConvertOp, Function, Inst, InstKind, TypePool, Value,
    ValueDef,
};
use rustc_hash::FxHashMap;

use crate::convergence::varying_values;

/// Operations between a value and what it is computed from that are looked at.
const MAX_DEPTH: u32 = 32;

/// How a value differs between neighbours along the first dimension.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Not at all, as far as is found.
    None,
    /// By one, or an address by what it points to.
    One,
    /// Otherwise, or in no way that is known.
    Other,
}

/// The steps of a function's values, as they are asked for: a guess about speed, and never about meaning.
pub(crate) struct Steps<'a> {
    consts: &'a ConstPool,
    function: &'a Function,
    cfg: &'a Cfg,
    varies: Vec<bool>,
    found: FxHashMap<Value, Step>,
}

impl<'a> Steps<'a> {
    pub(crate) fn new(
        types: &TypePool,
        consts: &'a ConstPool,
        function: &'a Function,
        cfg: &'a Cfg,
    ) -> Steps<'a> {
        let varies = varying_values(types, function, cfg);
        Steps { consts, function, cfg, varies, found: FxHashMap::default() }
    }

    pub(crate) fn of(&mut self, value: Value) -> Step {
        self.within(value, MAX_DEPTH)
    }

    fn within(&mut self, value: Value, depth: u32) -> Step {
        let Some(index) = value.as_local().filter(|&index| self.varies[index]) else {
            return Step::None;
        };
        if let Some(&known) = self.found.get(&value) {
            return known;
        }
        let Some(depth) = depth.checked_sub(1) else { return Step::Other };
        let step = match self.function.values[index].def {
            ValueDef::Inst(inst) => self.of_result(inst, depth),
            ValueDef::Param(block, position) => self.of_param(block, position as usize, depth),
        };
        self.found.insert(value, step);
        step
    }

    /// Loops are taken to step all values by the same from turn to turn.
    fn of_param(&mut self, block: Block, position: usize, depth: u32) -> Step {
        let (function, cfg) = (self.function, self.cfg);
        let mut all = Step::None;
        for from in cfg.predecessors(block) {
            if cfg.position(from) >= cfg.position(block) {
                continue;
            }
            let calls = function.blocks[from].terminator.targets();
            for call in calls.filter(|call| call.block == block) {
                let step = self.within(function.value_at(call.arguments, position), depth);
                all = match (all, step) {
                    (known, Step::None) | (Step::None, known) => known,
                    (Step::One, Step::One) => Step::One,
                    _ => Step::Other,
                };
            }
        }
        all
    }

    fn of_result(&mut self, inst: Inst, depth: u32) -> Step {
        let function = self.function;
        let mut sum = |a, b| match (self.within(a, depth), self.within(b, depth)) {
            (step, Step::None) | (Step::None, step) => step,
            _ => Step::Other,
        };
        match function.insts[inst].kind {
            InstKind::Binary { op: BinaryOp::IAdd, left, right } => sum(left, right),
            InstKind::PtrAdd { base, index } => sum(base, index),
            InstKind::Binary { op: BinaryOp::ISub, left, right } => {
                match self.within(right, depth) {
                    Step::None => self.within(left, depth),
                    _ => Step::Other,
                }
            }
            InstKind::Convert {
                op: ConvertOp::Truncate | ConvertOp::SignExtend | ConvertOp::ZeroExtend,
                operand,
                ..
            } => self.within(operand, depth),
            InstKind::Intrinsic {
                intrinsic: Intrinsic::GetGlobalId | Intrinsic::GetLocalId,
                arguments,
            } => {
                let dimension = function.value_at(arguments, 0).as_const();
                match dimension.map(|id| self.consts.get(id)) {
                    Some(Const::Int(_, 0)) => Step::One,
                    Some(_) => Step::None,
                    None => Step::Other,
                }
            }
            InstKind::Intrinsic { intrinsic: Intrinsic::GetLocalLinearId, .. } => Step::One,
            InstKind::Load { .. } | InstKind::Call { .. } => Step::Other,
            _ => {
                let mut is_same = true;
                function.each_operand(inst, |operand| {
                    is_same = is_same && self.within(operand, depth) == Step::None;
                });
                if is_same { Step::None } else { Step::Other }
            }
        }
    }
}
