//! Counts the remainders of what loops count, for shaders.
//!
//! ```text
//! head(i):                              head(i, r):
//!   .. i % n ..                  ->       .. r ..
//!                                         s = r + 1
//!   head(i + 1)                           head(i + 1, s == n ? 0 : s)
//! ```
//!
//! GPUs divide by many instructions. `i` begins with zero and grows by one without wrapping, and `n`, which is no constant, is
//! the same in all turns. A remainder has the sign of `i`: of a negative `n` the other sign counts. Where `n` is zero there
//! is no remainder, and what is counted is of no use. A loop that divides as well keeps its divisions, of which remainders
//! are a by-product.
//!
//! The remainders of numbers with signs are differences by then: shaders have no other.

use clc_ir::debug::Location;
use clc_ir::{BinaryOp, Block, CompareOp, Function, Inst, InstKind, MathFlags, TypePool, Value};
use rustc_hash::FxHashMap;

use crate::context::ModuleContext;
use crate::counted;
use crate::entered_once::{Counter, Edges, Loops, pass};
use crate::replacements::{Replacements, use_counts};

/// The most remainders that are counted in one loop: each takes a register, and three instructions in each turn.
const MAX_COUNTED: usize = 2;

/// Counts the remainders of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let uses = use_counts(function);
    let mut remainders = Vec::new();
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            remainders.extend(remainder(context, function, &uses, block, inst));
        }
    }
    if remainders.is_empty() {
        return;
    }
    let loops = Loops::new(function);
    let mut counted: FxHashMap<(Value, Value, bool), Value> = FxHashMap::default();
    let mut counts: FxHashMap<Block, usize> = FxHashMap::default();
    let mut replacements = Replacements::default();
    for remainder in remainders {
        let key = (remainder.counted, remainder.divisor, remainder.is_signed);
        let param = match counted.get(&key) {
            Some(&param) => param,
            None => {
                let Some(counter) = counter(context, function, &loops, &remainder) else {
                    continue;
                };
                let count = counts.entry(counter.edges.head).or_default();
                if *count == MAX_COUNTED {
                    continue;
                }
                *count += 1;
                let param = count_up(context, function, &remainder, counter.edges);
                counted.insert(key, param);
                param
            }
        };
        replacements.set(remainder.result, param);
        function.blocks[remainder.block].insts.retain(|&inst| inst != remainder.inst);
    }
    replacements.apply(function);
}

/// A remainder, or some of the lowest bits.
pub(crate) struct Taken {
    pub op: BinaryOp,
    pub of: Value,
    pub divisor: Value,
    /// The quotient and its multiple, where the remainder is a difference with that.
    pub made_of: Vec<Value>,
}

impl Taken {
    /// What an operation takes; another operation than a remainder is given as it is.
    pub fn of(function: &Function, value: Value) -> Option<Taken> {
        let binary = |value: Value| match function.def_inst(value)?.1.kind {
            InstKind::Binary { op, left, right } => Some((op, left, right)),
            _ => None,
        };
        let (op, of, right) = binary(value)?;
        if op != BinaryOp::ISub {
            return Some(Taken { op, of, divisor: right, made_of: Vec::new() });
        }
        let (BinaryOp::IMul, left, factor) = binary(right)? else { return None };
        [(left, factor), (factor, left)].into_iter().find_map(|(quotient, divisor)| {
            let op = match binary(quotient)? {
                (BinaryOp::SDiv, divided, by) if (divided, by) == (of, divisor) => BinaryOp::SRem,
                (BinaryOp::UDiv, divided, by) if (divided, by) == (of, divisor) => BinaryOp::URem,
                _ => return None,
            };
            Some(Taken { op, of, divisor, made_of: vec![quotient, right] })
        })
    }
}

/// A remainder of a division by what is no constant, which nothing else divides by.
struct Remainder {
    block: Block,
    inst: Inst,
    result: Value,
    counted: Value,
    divisor: Value,
    is_signed: bool,
    location: Location,
}

fn remainder(
    context: &ModuleContext<'_>,
    function: &Function,
    uses: &[u32],
    block: Block,
    inst: Inst,
) -> Option<Remainder> {
    let data = &function.insts[inst];
    let result = data.result?;
    if !matches!(context.type_of(function, result), TypePool::I32 | TypePool::I64) {
        return None;
    }
    let taken = Taken::of(function, result)?;
    let is_only = |value: &Value| value.as_local().is_some_and(|index| uses[index] == 1);
    if !matches!(taken.op, BinaryOp::URem | BinaryOp::SRem) || !taken.made_of.iter().all(is_only) {
        return None;
    }
    let Taken { op, of: counted, divisor, .. } = taken;
    let location = data.location;
    (!divisor.is_const()).then_some(Remainder {
        block,
        inst,
        result,
        counted,
        divisor,
        is_signed: op == BinaryOp::SRem,
        location,
    })
}

/// What counts from zero by one without wrapping, in a loop that a remainder of it is in.
fn counter(
    context: &ModuleContext<'_>,
    function: &Function,
    loops: &Loops,
    remainder: &Remainder,
) -> Option<Counter> {
    let &Remainder { block, counted, divisor, is_signed, .. } = remainder;
    let counter = loops.counter(context, function, counted)?;
    let wraps_with_sign = function
        .def_inst(counter.next)
        .is_none_or(|(_, data)| !data.math.has(MathFlags::NO_SIGNED_WRAP));
    let stays_in_range =
        !wraps_with_sign || (!is_signed && loops.is_below_bound(function, counted, &counter));
    let is_divided = |&block: &Block| {
        function.blocks[block].insts.iter().any(|&inst| {
            matches!(function.insts[inst].kind, InstKind::Binary { op: BinaryOp::UDiv, left, right }
                if left == counted && right == divisor)
        })
    };
    let is_right = counter.step == 1
        && context.signed(counter.start) == Some(0)
        && stays_in_range
        && loops.is_before(function, divisor, counter.edges)
        && counted::blocks(&loops.cfg, &loops.dominators, counter.edges.head)?.contains(&block)
        && !function.layout.iter().any(is_divided);
    is_right.then_some(counter)
}

/// Gives the head of a loop a parameter that is the remainder of what it counts.
fn count_up(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    remainder: &Remainder,
    edges: Edges,
) -> Value {
    let &Remainder { divisor, is_signed, location, .. } = remainder;
    let Edges { head, entry, latch } = edges;
    let ty = context.type_of(function, divisor);
    let mut number = |number| context.consts.intern(clc_ir::Const::Int(ty, number));
    let (zero, one) = (number(0), number(1));
    let mut compute = |block, kind, ty| function.compute(block, kind, ty, location);
    let bound = match is_signed {
        true => {
            let kind = InstKind::Binary { op: BinaryOp::ISub, left: zero, right: divisor };
            let negative = compute(entry, kind, ty);
            let kind = InstKind::Compare { op: CompareOp::SLess, left: divisor, right: zero };
            let condition = compute(entry, kind, TypePool::BOOL);
            let kind = InstKind::Select { condition, then: negative, otherwise: divisor };
            compute(entry, kind, ty)
        }
        false => divisor,
    };
    let param = function.add_block_param(head, ty);
    let mut compute = |kind, ty| function.compute(latch, kind, ty, location);
    let next = compute(InstKind::Binary { op: BinaryOp::IAdd, left: param, right: one }, ty);
    let kind = InstKind::Compare { op: CompareOp::Equal, left: next, right: bound };
    let condition = compute(kind, TypePool::BOOL);
    let next = compute(InstKind::Select { condition, then: zero, otherwise: next }, ty);
    for (from, value) in [(entry, zero), (latch, next)] {
        pass(function, from, head, value);
    }
    param
}
