//! What an index is as a sum.

use clc_builtins::Intrinsic;
use clc_ir::{
    BinaryOp, Cfg, ConstPool, ConvertOp, Function, InstKind, MathFlags, TypeKind, TypePool, Value,
    ValueDef,
};

use super::places::Place;
use super::sum::{MAX_FACTOR, Number, Part, Sum};
use crate::context::ModuleContext;
use crate::neighbours::{Step, Steps};

/// Operations between an index and what it is computed from that are looked at.
const MAX_DEPTH: u32 = 10;

/// The same, to find out whether something counts.
const MAX_COUNT_DEPTH: u32 = 6;

pub(super) struct Finder<'a> {
    types: &'a TypePool,
    consts: &'a ConstPool,
    function: &'a Function,
    steps: Steps<'a>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(
        context: &'a ModuleContext<'_>,
        function: &'a Function,
        cfg: &'a Cfg,
    ) -> Finder<'a> {
        let steps = Steps::new(context.types, context.consts, function, cfg);
        Finder { types: context.types, consts: context.consts, function, steps }
    }

    fn bits(&self, value: Value) -> Option<u8> {
        let ty = match value.as_const() {
            Some(id) => self.consts.ty(id),
            None => self.function.values[value.as_local()?].ty,
        };
        match self.types.kind(ty) {
            TypeKind::Int(bits) => Some(bits),
            _ => None,
        }
    }

    pub(super) fn index(&mut self, index: Value, place: Place) -> Option<Sum> {
        // What is added to the number is "negative" or small, then.
        if place.is_bounded
            && let Some((_, data)) = self.function.def_inst(index)
            && let InstKind::Convert { op: ConvertOp::ZeroExtend, operand, .. } = data.kind
            && self.bits(operand)? == 32
        {
            return self.extended(ConvertOp::SignExtend, operand, MAX_DEPTH);
        }
        match self.bits(index)? {
            64 => self.sum(index, 64, MAX_DEPTH),
            // An index has a sign.
            32 => self.extended(ConvertOp::SignExtend, index, MAX_DEPTH),
            _ => None,
        }
    }

    /// Something that all work-items of a group have in common.
    fn common(&self, value: Value) -> Sum {
        Sum::of(Part::Value(value, self.is_count(value, MAX_COUNT_DEPTH)))
    }

    /// Whether a number counts something, and is not "negative": numbers of work-items and groups, and of turns from zero or more,
    /// products of what is no difference, and sums of such.
    fn is_count(&self, value: Value, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        if let Some(constant) = self.consts.signed(self.types, value) {
            return constant >= 0;
        }
        let Some((_, data)) = self.function.def_inst(value) else {
            let Some((begin, then)) = self.steps.turns(value) else { return false };
            let is_more =
                |&next: &Value| match self.function.def_inst(next).map(|(_, data)| data.kind) {
                    Some(InstKind::Binary { op: BinaryOp::IAdd, left, right }) if left == value => {
                        self.is_count(right, depth)
                    }
                    Some(InstKind::Binary { op: BinaryOp::IAdd, left, right })
                        if right == value =>
                    {
                        self.is_count(left, depth)
                    }
                    _ => false,
                };
            return self.is_count(begin, depth) && then.iter().all(is_more);
        };
        match data.kind {
            InstKind::Convert {
                op: ConvertOp::Truncate | ConvertOp::SignExtend | ConvertOp::ZeroExtend,
                operand,
                ..
            } => self.is_count(operand, depth),
            InstKind::Binary { op: BinaryOp::IMul | BinaryOp::Shl, left, right } => {
                let is_factor = |value| self.is_argument(value) || self.is_count(value, depth);
                is_factor(left) && is_factor(right)
            }
            InstKind::Binary { op: BinaryOp::IAdd, left, right } => {
                self.is_count(left, depth) && self.is_count(right, depth)
            }
            InstKind::Intrinsic { intrinsic, .. } => matches!(
                intrinsic,
                Intrinsic::GetGlobalId
                    | Intrinsic::GetGlobalSize
                    | Intrinsic::GetLocalId
                    | Intrinsic::GetLocalSize
                    | Intrinsic::GetGroupId
                    | Intrinsic::GetNumGroups
            ),
            _ => false,
        }
    }

    /// Whether it is an argument of the kernel, converted or not: a width, say, where it is a factor.
    fn is_argument(&self, value: Value) -> bool {
        match self.function.def(value) {
            Some(ValueDef::Param(block, _)) => block == self.function.entry(),
            Some(ValueDef::Inst(inst)) => match self.function.insts[inst].kind {
                InstKind::Convert { operand, .. } => self.is_argument(operand),
                _ => false,
            },
            None => false,
        }
    }

    /// A number of 64 bits, or the lower half of one.
    fn sum(&mut self, value: Value, bits: u8, depth: u32) -> Option<Sum> {
        let depth = depth.checked_sub(1)?;
        if let Some(constant) = self.consts.signed(self.types, value) {
            return Some(Sum::new(0, constant));
        }
        if self.steps.of(value) == Step::None {
            return Some(self.common(value));
        }
        let (_, data) = self.function.def_inst(value)?;
        match data.kind {
            InstKind::Intrinsic { intrinsic: Intrinsic::GetGlobalId, .. } => {
                self.number(value, Number::Global)
            }
            InstKind::Intrinsic { intrinsic: Intrinsic::GetLocalId, .. } => {
                self.number(value, Number::Local)
            }
            InstKind::Binary { op, left, right } => {
                self.combined(op, left, right, |finder, operand| finder.sum(operand, bits, depth))
            }
            InstKind::Convert { op: ConvertOp::Truncate, operand, .. }
                if bits == 32 && self.bits(value)? == 32 && self.bits(operand)? == 64 =>
            {
                self.sum(operand, 32, depth)
            }
            InstKind::Convert {
                op: op @ (ConvertOp::SignExtend | ConvertOp::ZeroExtend),
                operand,
                ..
            } if self.bits(operand)? == 32 => match bits {
                32 => self.sum(operand, 32, depth),
                _ => self.extended(op, operand, depth),
            },
            _ => None,
        }
    }

    /// The number of a work-item, if it has 64 bits.
    fn number(&self, value: Value, number: Number) -> Option<Sum> {
        (self.bits(value)? == 64).then(|| Sum { number, ..Sum::new(1, 0) })
    }

    /// A number of 32 bits, extended.
    fn extended(&mut self, op: ConvertOp, value: Value, depth: u32) -> Option<Sum> {
        let depth = depth.checked_sub(1)?;
        if let Some(constant) = self.consts.signed(self.types, value) {
            let is_signed = op == ConvertOp::SignExtend;
            let constant = if is_signed { constant } else { i64::from(constant as u32) };
            return Some(Sum::new(0, constant));
        }
        if self.steps.of(value) == Step::None {
            return Some(Sum::of(Part::Extended(op, self.common(value))));
        }
        if op == ConvertOp::SignExtend
            && let Some((_, data)) = self.function.def_inst(value)
            && let InstKind::Binary { op: operation, left, right } = data.kind
            && data.math.has(MathFlags::NO_SIGNED_WRAP)
        {
            return self.combined(operation, left, right, |finder, operand| {
                finder.extended(op, operand, depth)
            });
        }
        let mut sum = self.sum(value, 32, depth)?;
        if sum.offset.abs() > MAX_FACTOR {
            sum.parts.push((Part::Unit, sum.offset));
            sum.offset = 0;
        }
        if sum.multiple.abs() > MAX_FACTOR {
            return None;
        }
        let mut whole = Sum { number: sum.number, ..Sum::new(sum.multiple, sum.offset) };
        whole.is_narrow = sum.multiple != 0;
        if !sum.parts.is_empty() {
            whole.parts.push((Part::Extended(op, sum), 1));
        }
        Some(whole)
    }

    /// A sum, a difference, or a product with a constant.
    fn combined(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        mut operand: impl FnMut(&mut Self, Value) -> Option<Sum>,
    ) -> Option<Sum> {
        let constant = |finder: &Self, value| finder.consts.signed(finder.types, value);
        match op {
            BinaryOp::IAdd => operand(self, left)?.plus(operand(self, right)?, 1),
            BinaryOp::ISub => operand(self, left)?.plus(operand(self, right)?, -1),
            BinaryOp::IMul => match (constant(self, left), constant(self, right)) {
                (_, Some(factor)) => Sum::new(0, 0).plus(operand(self, left)?, factor),
                (Some(factor), _) => Sum::new(0, 0).plus(operand(self, right)?, factor),
                _ => None,
            },
            BinaryOp::Shl => {
                let count = constant(self, right).filter(|count| (0..=16).contains(count))?;
                Sum::new(0, 0).plus(operand(self, left)?, 1 << count)
            }
            _ => None,
        }
    }
}
