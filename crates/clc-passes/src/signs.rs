//! Which numbers are not negative.
//!
//! A number is not negative by what it is computed from, by a comparison that control came from, or because it is so in the
//! first turn of a loop and each turn keeps it so.

use clc_ir::{
    BinaryOp, Block, Cfg, CompareOp, ConvertOp, Dominators, Function, Inst, InstKind, MathFlags,
    Terminator, TypePool, UnaryOp, Value, ValueDef,
};

use crate::bounds;
use crate::context::ModuleContext;

/// Values that are looked at for one question.
const MAX_LOOKS: u32 = 64;

/// Decisions that control came from and that are looked at for one value.
const MAX_DECISIONS: usize = 16;

/// The signs of the numbers of a function.
pub(crate) struct Signs {
    cfg: Cfg,
    dominators: Dominators,
}

impl Signs {
    pub fn new(function: &Function) -> Signs {
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        Signs { cfg, dominators }
    }

    /// Whether an integer is not negative, read as a signed number, where control is in `at`. The function is as it was.
    pub fn is_not_negative(
        &self,
        context: &ModuleContext<'_>,
        function: &Function,
        value: Value,
        at: Block,
    ) -> bool {
        let mut search = Search {
            context,
            function,
            cfg: &self.cfg,
            dominators: &self.dominators,
            taken_for_granted: Vec::new(),
            looks: MAX_LOOKS,
        };
        search.is_not_negative(value, at)
    }
}

struct Search<'a, 'm> {
    context: &'a ModuleContext<'m>,
    function: &'a Function,
    cfg: &'a Cfg,
    dominators: &'a Dominators,
    /// Parameters of blocks that are not negative if none of these ever becomes it first.
    taken_for_granted: Vec<Value>,
    looks: u32,
}

impl Search<'_, '_> {
    /// Whether a value is not negative, as a signed number, where control is in `at`.
    fn is_not_negative(&mut self, value: Value, at: Block) -> bool {
        if value.is_const() {
            return self.context.signed(value).is_some_and(|number| number >= 0);
        }
        let Some(looks) = self.looks.checked_sub(1) else { return false };
        self.looks = looks;
        if self.taken_for_granted.contains(&value) || self.follows(value, at) {
            return true;
        }
        let granted = self.taken_for_granted.len();
        let found = match self.function.def(value) {
            Some(ValueDef::Param(block, index)) => self.is_kept(value, block, index as usize),
            Some(ValueDef::Inst(inst)) => self.is_computed_so(inst, at),
            None => false,
        };
        if !found {
            self.taken_for_granted.truncate(granted);
        }
        found
    }

    /// Whether a parameter of a block is not negative by whatever edge control comes.
    fn is_kept(&mut self, value: Value, block: Block, index: usize) -> bool {
        if block == self.function.entry() {
            return false;
        }
        self.taken_for_granted.push(value);
        let (cfg, function) = (self.cfg, self.function);
        cfg.predecessors(block).all(|from| {
            let terminator = &function.blocks[from].terminator;
            terminator.targets().filter(|target| target.block == block).all(|target| {
                let argument = function.value_at(target.arguments, index);
                self.is_not_negative(argument, from)
            })
        })
    }

    fn is_computed_so(&mut self, inst: Inst, at: Block) -> bool {
        let data = &self.function.insts[inst];
        let does_not_wrap = data.math.has(MathFlags::NO_SIGNED_WRAP);
        match data.kind {
            InstKind::Binary { op, left, right } => match op {
                BinaryOp::IAdd | BinaryOp::IMul if does_not_wrap => {
                    self.is_not_negative(left, at) && self.is_not_negative(right, at)
                }
                BinaryOp::SDiv | BinaryOp::Or | BinaryOp::Xor => {
                    self.is_not_negative(left, at) && self.is_not_negative(right, at)
                }
                BinaryOp::And => self.is_not_negative(left, at) || self.is_not_negative(right, at),
                BinaryOp::LShr if self.context.signed(right).is_some_and(|by| by > 0) => true,
                BinaryOp::SRem | BinaryOp::LShr | BinaryOp::AShr | BinaryOp::UDiv => {
                    self.is_not_negative(left, at)
                }
                BinaryOp::URem => self.is_not_negative(right, at),
                _ => false,
            },
            InstKind::Select { then, otherwise, .. } => {
                self.is_not_negative(then, at) && self.is_not_negative(otherwise, at)
            }
            InstKind::Convert { op: ConvertOp::ZeroExtend, .. } => true,
            InstKind::Convert { op: ConvertOp::SignExtend, operand, .. } => {
                self.is_not_negative(operand, at)
            }
            // Work-groups have fewer work-items than `int` counts.
            InstKind::Convert { op: ConvertOp::Truncate, operand, .. } => {
                let ty = data.result.map(|result| self.context.type_of(self.function, result));
                let operand = self.function.def_inst(operand).map(|(_, data)| data.kind);
                ty == Some(TypePool::I32) && operand.is_some_and(|kind| counts_in_group(&kind))
            }
            ref kind => counts_in_group(kind),
        }
    }

    /// Whether a decision that control came from says that a value is not negative.
    fn follows(&mut self, value: Value, at: Block) -> bool {
        let (mut block, function) = (at, self.function);
        for _ in 0..MAX_DECISIONS {
            let Some(before) = self.dominators.immediate_dominator(block) else { break };
            let mut entering = self.cfg.predecessors(block);
            if let Terminator::Branch { condition, then, otherwise } =
                &function.blocks[before].terminator
                && then.block != otherwise.block
                && (entering.next(), entering.next()) == (Some(before), None)
                && self.says(*condition, then.block == block, value, before)
            {
                return true;
            }
            block = before;
        }
        false
    }

    /// Whether a condition that is as `holds` says that a value is not negative.
    fn says(&mut self, condition: Value, holds: bool, value: Value, at: Block) -> bool {
        let Some(looks) = self.looks.checked_sub(1) else { return false };
        self.looks = looks;
        let Some((_, data)) = self.function.def_inst(condition) else { return false };
        let (op, left, right) = match data.kind {
            InstKind::Compare { op, left, right } => (op, left, right),
            InstKind::Binary { op: BinaryOp::And, left, right } if holds => {
                return self.says(left, holds, value, at) || self.says(right, holds, value, at);
            }
            InstKind::Binary { op: BinaryOp::Or, left, right } if !holds => {
                return self.says(left, holds, value, at) || self.says(right, holds, value, at);
            }
            InstKind::Unary { op: UnaryOp::Not, operand } => {
                return self.says(operand, !holds, value, at);
            }
            _ => return false,
        };
        // What is known to be less, or not more.
        let (lower, is_less) = match (op, holds) {
            (CompareOp::SGreater, true) | (CompareOp::SLessEqual, false) if left == value => {
                (right, true)
            }
            (CompareOp::SGreaterEqual, true) | (CompareOp::SLess, false) if left == value => {
                (right, false)
            }
            (CompareOp::SLess, true) | (CompareOp::SGreaterEqual, false) if right == value => {
                (left, true)
            }
            (CompareOp::SLessEqual, true) | (CompareOp::SGreater, false) if right == value => {
                (left, false)
            }
            // Less than such a number, without signs, is one, too.
            (CompareOp::ULess | CompareOp::ULessEqual, true)
            | (CompareOp::UGreater | CompareOp::UGreaterEqual, false)
                if left == value =>
            {
                return right != value && self.is_not_negative(right, at);
            }
            (CompareOp::UGreater | CompareOp::UGreaterEqual, true)
            | (CompareOp::ULess | CompareOp::ULessEqual, false)
                if right == value =>
            {
                return left != value && self.is_not_negative(left, at);
            }
            _ => return false,
        };
        match self.context.signed(lower) {
            Some(number) => number >= -i64::from(is_less),
            None => lower != value && self.is_not_negative(lower, at),
        }
    }
}

/// Whether a value numbers the work-items of a work-group, or counts them.
fn counts_in_group(kind: &InstKind) -> bool {
    matches!(*kind, InstKind::Intrinsic { intrinsic, .. } if bounds::counts_in_group(intrinsic))
}
