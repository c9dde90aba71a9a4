//! What a loop's head tests, and what is the same in all turns.

use clc_ir::{
    BinaryOp, Block, CompareOp, Const, ConvertOp, Function, Inst, InstKind, TypeKind, Value,
    ValueDef,
};

use crate::context::ModuleContext;
use crate::copies;

/// Steps from what is known before a loop to its bound, in its head.
const MAX_STEPS: usize = 3;

/// What the head of a loop compares.
pub(super) struct Test {
    /// The place of the counted variable among the parameters of the head.
    pub(super) place: usize,
    pub(super) variable: Value,
    /// Of the variable.
    pub(super) bits: u8,
    pub(super) bound: Value,
    /// Whether the variable is below the bound, or above it, in turns; otherwise it is anything but the bound.
    pub(super) order: Option<Direction>,
    pub(super) takes_bound: bool,
    pub(super) extension: Option<ConvertOp>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Up,
    Down,
}

impl Test {
    pub(super) fn of(
        context: &ModuleContext<'_>,
        function: &Function,
        head: Block,
        body: Block,
        condition: Value,
    ) -> Option<Test> {
        let (_, compare) = function.def_inst(condition)?;
        let InstKind::Compare { op, left, right } = compare.kind else { return None };
        let place_of = |value: Value| match function.def(value) {
            Some(ValueDef::Param(block, place)) if block == head => Some(place as usize),
            _ => None,
        };
        let (place, op, variable, bound) = match (place_of(left), place_of(right)) {
            (Some(place), None) => (place, op, left, right),
            (None, Some(place)) => (place, op.swapped(), right, left),
            _ => return None,
        };
        use CompareOp::{
            NotEqual, SGreater, SGreaterEqual, SLess, SLessEqual, UGreater, UGreaterEqual, ULess,
            ULessEqual,
        };
        use ConvertOp::{SignExtend, ZeroExtend};
        use Direction::{Down, Up};
        let (order, extension, takes_bound) = match op {
            ULess => (Some(Up), Some(ZeroExtend), false),
            ULessEqual => (Some(Up), Some(ZeroExtend), true),
            SLess => (Some(Up), Some(SignExtend), false),
            SLessEqual => (Some(Up), Some(SignExtend), true),
            UGreater => (Some(Down), Some(ZeroExtend), false),
            UGreaterEqual => (Some(Down), Some(ZeroExtend), true),
            SGreater => (Some(Down), Some(SignExtend), false),
            SGreaterEqual => (Some(Down), Some(SignExtend), true),
            NotEqual => (None, None, false),
            _ => return None,
        };
        let bits = match context.types.kind(context.type_of(function, variable)) {
            TypeKind::Int(bits @ (32 | 64)) => bits,
            _ => return None,
        };
        is_invariant(function, head, body, bound, MAX_STEPS).then_some(Test {
            place,
            variable,
            bits,
            bound,
            order,
            takes_bound,
            extension,
        })
    }

    /// What is added to the variable for the next turn, and whether that is below zero, if it brings the variable nearer to
    /// the bound.
    pub(super) fn step(
        &self,
        context: &ModuleContext<'_>,
        function: &Function,
        next: Value,
    ) -> Option<(Value, bool)> {
        let (_, sum) = function.def_inst(next)?;
        let step = match sum.kind {
            InstKind::Binary { op: BinaryOp::IAdd, left, right } if left == self.variable => right,
            InstKind::Binary { op: BinaryOp::IAdd, left, right } if right == self.variable => left,
            _ => return None,
        };
        let number = match step.as_const().map(|id| context.consts.get(id)) {
            Some(&Const::Int(_, number)) => Some(number),
            _ => None,
        };
        let down = number.is_some_and(|number| number >> (self.bits - 1) == 1);
        let fits = self.order.is_none_or(|order| (order == Direction::Down) == down);
        fits.then_some((step, down))
    }
}

/// The instructions of the body that compute a value, if they compute it of what is known before the loop.
pub(super) fn computed_before(
    function: &Function,
    head: Block,
    body: Block,
    value: Value,
) -> Option<Vec<Inst>> {
    let mut needed = vec![value];
    let mut insts = Vec::new();
    for &inst in function.blocks[body].insts.iter().rev() {
        let data = &function.insts[inst];
        if data.result.is_none_or(|result| !needed.contains(&result)) {
            continue;
        }
        if !copies::is_computation(&data.kind) {
            return None;
        }
        needed.retain(|value| data.result != Some(*value));
        function.each_operand(inst, |operand| needed.push(operand));
        insts.push(inst);
    }
    let is_before = |value: &Value| is_invariant(function, head, body, *value, 0);
    insts.reverse();
    needed.iter().all(is_before).then_some(insts)
}

/// A constant and something else, if there is something else.
pub(super) struct Sum {
    pub(super) base: Option<Value>,
    pub(super) offset: u64,
}

impl Sum {
    pub(super) fn of(context: &ModuleContext<'_>, function: &Function, value: Value) -> Sum {
        let constant = |value: Value| match value.as_const().map(|id| context.consts.get(id)) {
            Some(&Const::Int(_, bits)) => Some(bits),
            Some(Const::Null(_)) => Some(0),
            _ => None,
        };
        if let Some(offset) = constant(value) {
            return Sum { base: None, offset };
        }
        let sum = function.def_inst(value).and_then(|(_, inst)| match inst.kind {
            InstKind::Binary { op: BinaryOp::IAdd, left, right } => {
                Some(Sum { base: Some(left), offset: constant(right)? })
            }
            _ => None,
        });
        sum.unwrap_or(Sum { base: Some(value), offset: 0 })
    }

    /// Whether two sums have the same base: the same value, or one that is computed in the same way.
    pub(super) fn share_base(&self, other: &Sum, function: &Function) -> bool {
        let computed = |base: Option<Value>| match function.def_inst(base?)?.1.kind {
            InstKind::Binary { op, left, right } => Some((op, left, right)),
            _ => None,
        };
        let own = computed(self.base);
        self.base == other.base || own.is_some() && own == computed(other.base)
    }
}

/// Whether a value is the same in every turn: from outside, or computed in the head of what is, in so many steps.
pub(super) fn is_invariant(
    function: &Function,
    head: Block,
    body: Block,
    value: Value,
    steps: usize,
) -> bool {
    match function.def(value) {
        None => true,
        Some(ValueDef::Param(block, _)) => block != head && block != body,
        Some(ValueDef::Inst(inst)) if function.blocks[body].insts.contains(&inst) => false,
        Some(ValueDef::Inst(inst)) if function.blocks[head].insts.contains(&inst) => {
            let mut is_same = steps > 0;
            function.each_operand(inst, |operand| {
                is_same = is_same && is_invariant(function, head, body, operand, steps - 1);
            });
            is_same
        }
        Some(ValueDef::Inst(_)) => true,
    }
}
