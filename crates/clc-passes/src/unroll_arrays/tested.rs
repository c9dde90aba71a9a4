//! Loops whose turns are written out with a test before each: those that have one of two numbers of turns, and those that
//! turn as often as an argument says, or what was loaded, but at most as often as an array has elements.
//!
//! ```text
//! float p[3];                              if (0 < n) p[0] = ..;
//! for (c = 0; c < n; c++)           ->     if (1 < n) p[1] = ..;
//!     p[c] = ..;                           if (2 < n) p[2] = ..;
//! ```
//!
//! A turn that accessed what is behind the array would have no defined behaviour, so that there is none.

use clc_ir::{
    BinaryOp, Block, CompareOp, Dominators, Function, Inst, InstKind, TypeKind, TypePool, Value,
};
use rustc_hash::FxHashSet;

use crate::counted::{self, Known, Loop, evaluate};
use crate::fold::Folder;
use crate::written_turns::{self, Uses};

/// Turns of a loop that has one of two numbers of them.
const MAX_OF_EITHER: u64 = 8;

/// Turns of a loop that an array bounds.
const MAX_BY_ARRAY: u64 = 16;

/// What such a loop counts, and behind its last turn.
pub(super) fn turns(
    folder: &mut Folder<'_>,
    function: &Function,
    found: &Loop,
    dominators: &Dominators,
    uses: &Uses,
) -> Option<Vec<Known>> {
    either(folder, function, found, uses)
        .or_else(|| by_array(folder, function, found, dominators, uses))
}

/// Of a loop whose bound is one of two constants.
fn either(
    folder: &mut Folder<'_>,
    function: &Function,
    found: &Loop,
    uses: &Uses,
) -> Option<Vec<Known>> {
    let (_, cases) = counted::choice(function, found)?;
    let mut most = 0;
    for known in &cases {
        let (turns, _) = counted::turns(folder, function, found, known)?;
        most = most.max(turns);
    }
    (most <= MAX_OF_EITHER)
        .then(|| written_turns::tested(folder, function, found, &cases, most, uses))
        .flatten()
}

/// Of a loop that accesses an element of a private array in each turn, by what it counts.
fn by_array(
    folder: &mut Folder<'_>,
    function: &Function,
    found: &Loop,
    dominators: &Dominators,
    uses: &Uses,
) -> Option<Vec<Known>> {
    let mut turns = written_turns::counted(folder, function, found, MAX_BY_ARRAY, uses)?;
    let most = in_every_turn(function, found, dominators)
        .into_iter()
        .filter_map(|inst| {
            let (index, length) = accessed(folder.types, function, inst)?;
            turns.iter().position(|known| {
                let index = evaluate(folder, function, index, known, counted::MAX_STEPS);
                let index = index.and_then(|index| folder.scalar_bits(index));
                // A negative one is large.
                index.is_some_and(|index| index >= length)
            })
        })
        .min()?;
    turns.truncate(most + 1);
    let varying = &function.blocks[found.header].params;
    let varying = written_turns::computed_in_head(function, found, varying);
    let test = Test { function, turns: &turns, varying, goes_on: found.goes_on };
    (most > 0 && test.refuses_all_behind(folder, found.condition)).then_some(turns)
}

/// The instructions that each turn of a loop with one way back executes.
fn in_every_turn(function: &Function, found: &Loop, dominators: &Dominators) -> Vec<Inst> {
    let is_latch = |&&block: &&Block| {
        function.blocks[block].terminator.targets().any(|target| target.block == found.header)
    };
    let mut insts = Vec::new();
    let mut block = found.blocks.iter().find(is_latch).copied();
    while let Some(here) = block.filter(|&here| here != found.header) {
        insts.extend(function.blocks[here].insts.iter().copied());
        block = dominators.immediate_dominator(here);
    }
    insts
}

/// The first index and the length of the array of a private variable that an instruction loads or stores an element of.
fn accessed(types: &TypePool, function: &Function, inst: Inst) -> Option<(Value, u64)> {
    let (InstKind::Load { pointer, .. } | InstKind::Store { pointer, .. }) =
        function.insts[inst].kind
    else {
        return None;
    };
    let InstKind::Access { base, indices } = function.def_inst(pointer)?.1.kind else {
        return None;
    };
    let InstKind::Variable { ty, .. } = function.def_inst(base)?.1.kind else { return None };
    let TypeKind::Array(_, length) = types.kind(ty) else { return None };
    Some((function.values_of(indices).next()?, length))
}

/// What asks in the head of a loop for another turn.
struct Test<'a> {
    function: &'a Function,
    /// What the loop counts.
    turns: &'a [Known],
    /// What may be another in each turn.
    varying: FxHashSet<Value>,
    /// What the test says for another turn.
    goes_on: bool,
}

impl Test<'_> {
    /// Whether a condition refuses all turns behind one that it refuses.
    fn refuses_all_behind(&self, folder: &mut Folder<'_>, condition: Value) -> bool {
        if !self.varying.contains(&condition) {
            return true;
        }
        let Some((_, data)) = self.function.def_inst(condition) else { return false };
        match data.kind {
            InstKind::Compare { op, left, right } if !self.varying.contains(&right) => {
                self.is_further(folder, op, left)
            }
            InstKind::Compare { op, left, right } if !self.varying.contains(&left) => {
                self.is_further(folder, op.swapped(), right)
            }
            InstKind::Binary { op, left, right }
                if op == if self.goes_on { BinaryOp::And } else { BinaryOp::Or } =>
            {
                [left, right].into_iter().all(|part| self.refuses_all_behind(folder, part))
            }
            _ => false,
        }
    }

    /// Whether a value, once past what it is compared with, is so in all turns behind.
    fn is_further(&self, folder: &mut Folder<'_>, op: CompareOp, value: Value) -> bool {
        let Some(order) = order(op) else { return false };
        let order = if self.goes_on { order } else { order.swapped() };
        self.turns.windows(2).all(|turns| {
            let mut at = |known| evaluate(folder, self.function, value, known, counted::MAX_STEPS);
            let (Some(here), Some(next)) = (at(&turns[0]), at(&turns[1])) else { return false };
            let in_order = folder.compare(order, here, next);
            in_order.and_then(|in_order| folder.scalar_bits(in_order)).is_some_and(|bits| bits != 0)
        })
    }
}

/// How values are ordered of which a comparison with the same one only ever stops to hold.
fn order(op: CompareOp) -> Option<CompareOp> {
    match op {
        CompareOp::SLess | CompareOp::SLessEqual => Some(CompareOp::SLessEqual),
        CompareOp::SGreater | CompareOp::SGreaterEqual => Some(CompareOp::SGreaterEqual),
        CompareOp::ULess | CompareOp::ULessEqual => Some(CompareOp::ULessEqual),
        CompareOp::UGreater | CompareOp::UGreaterEqual => Some(CompareOp::UGreaterEqual),
        CompareOp::Equal
        | CompareOp::NotEqual
        | CompareOp::FEqual
        | CompareOp::FNotEqual
        | CompareOp::FLess
        | CompareOp::FLessEqual
        | CompareOp::FGreater
        | CompareOp::FGreaterEqual => None,
    }
}
