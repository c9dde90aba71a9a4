//! Divides in front of loops where quotients and remainders of integers are the same in all their turns, for shaders.
//!
//! ```text
//! for (..; m < n; m++)                    d = s == 0 ? 1 : s; q = (j + pad) / d;
//!     .. (j + pad) / s + m ..     ->      for (..; m < n; m++) .. q + m ..
//! ```
//!
//! A division of integers is some thirty instructions, and compilers of drivers leave it in a loop that may not turn
//! at all. In OpenCL C a quotient by zero, or one that is too large, is an unspecified value (6.4); in SPIR-V the behaviour is
//! undefined. A loop without a turn would not have divided, so in these cases the divisor is one. Only what each turn
//! computes is moved.

use clc_base::Id as _;
use clc_ir::{
    BinaryOp, Block, CompareOp, Const, Function, Inst, InstKind, TypeKind, TypePool, Value,
};
use rustc_hash::FxHashMap;

use crate::context::ModuleContext;
use crate::entered_once::Loops;
use crate::invariants;

/// The most operations, one on the result of another, that are moved with a division.
const MAX_STEPS: u32 = 6;

/// The most divisions that are moved in a function: each is a register more.
const MAX_MOVED: usize = 8;

/// Hoists the divisions of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let mut divisions: Vec<(Block, Inst)> = Vec::new();
    for &block in &function.layout {
        let insts = function.blocks[block].insts.iter();
        let divides = insts.filter(|&&inst| is_division(context.types, function, inst));
        divisions.extend(divides.map(|&inst| (block, inst)));
    }
    if divisions.is_empty() {
        return;
    }
    let loops = Loops::new(function);
    let around = invariants::around(function, &loops);
    let mut moved: FxHashMap<(Value, Block), Value> = FxHashMap::default();
    let mut count = 0;
    for (block, inst) in divisions {
        let Some(&innermost) = around[block.index()].last() else { continue };
        let InstKind::Binary { op, left, right } = function.insts[inst].kind else { continue };
        if !loops.dominators.dominates(block, innermost.latch) {
            continue;
        }
        let place = around[block.index()].iter().find(|&&edges| {
            [left, right].into_iter().all(|operand| {
                invariants::is_invariant(function, &loops, operand, edges, MAX_STEPS)
            })
        });
        let Some(&edges) = place.filter(|_| count < MAX_MOVED) else { continue };
        count += 1;
        let [left, right] = [left, right]
            .map(|operand| invariants::move_to(function, &loops, operand, edges, &mut moved));
        let is_signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
        let right = defined(context, function, edges.entry, is_signed, [left, right]);
        let (ty, location) = (context.type_of(function, left), function.insts[inst].location);
        let divided = InstKind::Binary { op, left, right };
        let quotient = function.compute(edges.entry, divided, ty, location);
        let zero = context.consts.intern(Const::Int(ty, 0));
        function.insts[inst].kind =
            InstKind::Binary { op: BinaryOp::IAdd, left: quotient, right: zero };
    }
}

/// A division of numbers by something that is no constant, which takes more than a product and a shift.
fn is_division(types: &TypePool, function: &Function, inst: Inst) -> bool {
    let data = &function.insts[inst];
    let InstKind::Binary { op, right, .. } = data.kind else { return false };
    let ty = data.result.and_then(Value::as_local).map(|result| function.values[result].ty);
    matches!(op, BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem)
        && !right.is_const()
        && ty.is_some_and(|ty| matches!(types.kind(ty), TypeKind::Int(_)))
}

/// The divisor at the end of a block, or one where the quotient is not defined: by zero, and of the least number by -1.
fn defined(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    block: Block,
    is_signed: bool,
    [left, right]: [Value; 2],
) -> Value {
    let ty = context.type_of(function, right);
    let location = function.blocks[block].location;
    let bits = context.types.scalar_bits(ty).unwrap_or(32);
    let least = 1u64 << (bits - 1);
    let numbers = [0, 1, least, least | (least - 1)];
    let [zero, one, least, minus_one] =
        numbers.map(|number| context.consts.intern(Const::Int(ty, number)));
    let mut is_equal = |left, right| {
        let equal = InstKind::Compare { op: CompareOp::Equal, left, right };
        function.compute(block, equal, TypePool::BOOL, location)
    };
    let mut undefined = is_equal(right, zero);
    if is_signed {
        let both = [is_equal(left, least), is_equal(right, minus_one)];
        let overflows = InstKind::Binary { op: BinaryOp::And, left: both[0], right: both[1] };
        let overflows = function.compute(block, overflows, TypePool::BOOL, location);
        let either = InstKind::Binary { op: BinaryOp::Or, left: undefined, right: overflows };
        undefined = function.compute(block, either, TypePool::BOOL, location);
    }
    let chosen = InstKind::Select { condition: undefined, then: one, otherwise: right };
    function.compute(block, chosen, ty, location)
}
