//! Whether a kernel loads vectors of the program rather than computes, in its loops or outside of them.
//!
//! Compilers of processors can compute for several work-items side by side, or with the vectors that a program has. For
//! the former what neighbours load as vectors, number behind number, is gathered or put in another order: that takes as
//! long as some two dozen operations, and with the program's vectors it is one load. What is loaded for all
//! work-items alike costs neither of them anything, and what each of them looks up waits for memory in both, but is
//! gathered number by number for the former.
//! Atomic operations are done one after the other, each with its number out of a vector and back, and so are bytes and shorts
//! that are not side by side.

use clc_base::Id as _;
use clc_base::lang::FloatOptions;
use clc_builtins::Intrinsic;
use clc_builtins::library::{self, Way};
use clc_ir::{
    BinaryOp, Block, Cfg, ConvertOp, Dominators, Function, InstKind, StorageClass, Type, TypePool,
    Value,
};
use rustc_hash::FxHashSet;

use crate::context::ModuleContext;
use crate::counted;
use crate::neighbours::{Step, Steps};
use crate::short_vectors::{is_short_vector, of_one_integer};

/// What work-items side by side lose by a vector that each of them loads, in operations.
const LOST: u64 = 24;

/// The same for two numbers that are not behind those of the work-item before.
const LOST_BY_PAIR: u64 = 4;

/// The same for a vector in local memory, which is near.
const LOST_BY_LOCAL: u64 = 8;

/// The same for a vector that each looks up.
const LOST_BY_ANYWHERE: u64 = 16;

/// The same for an atomic operation.
const LOST_BY_ATOMIC: u64 = 14;

/// The same for a number of 8 or 16 bits that is not next to that of the work-item before: processors gather none of these.
const LOST_BY_NARROW: u64 = 3;

/// What functions count for that are computed in many operations, and those of the program.
const LONG: u64 = 16;
const CALL: u64 = 8;

/// How often a loop turns, as a guess.
pub const TURNS: u64 = 8;

/// How deep loops count.
pub const MAX_DEPTH: u32 = 4;

/// Whether work-items one by one, with the program's vectors, would be faster in the loops of a kernel.
pub(crate) fn outweigh(context: &ModuleContext<'_>, function: &Function, cfg: &Cfg) -> bool {
    let (lost, computed) = weigh(context, function, cfg, &mut None, |depth| depth > 0);
    lost > 0 && lost >= computed
}

/// The same of what a kernel does outside of its loops. What it learns of neighbours stays in `steps`.
pub(crate) fn outweigh_once<'a>(
    context: &'a ModuleContext<'_>,
    function: &'a Function,
    cfg: &'a Cfg,
    steps: &mut Option<Steps<'a>>,
) -> bool {
    let (lost, computed) = weigh(context, function, cfg, steps, |depth| depth == 0);
    lost >= computed
}

/// What is lost by vectors of work-items, and what is computed, in the blocks that are in so many loops as `counts` takes.
fn weigh<'a>(
    context: &'a ModuleContext<'_>,
    function: &'a Function,
    cfg: &'a Cfg,
    steps: &mut Option<Steps<'a>>,
    counts: impl Fn(u32) -> bool,
) -> (u64, u64) {
    let types = &*context.types;
    let dominators = Dominators::new(cfg);
    let depths = dominators.loops_around(cfg);
    let mut strided = None;
    let (mut lost, mut computed) = (0u64, 0u64);
    for &block in &function.layout {
        let depth = depths[block.index()].min(MAX_DEPTH);
        if !counts(depth) {
            continue;
        }
        let turns = TURNS.pow(depth);
        for &inst in &function.blocks[block].insts {
            let result = function.insts[inst].result;
            let operand = |list, index| function.value_at(list, index);
            let (pointer, offset, value) = match function.insts[inst].kind {
                InstKind::Load { pointer, .. } => (pointer, None, result),
                InstKind::Store { pointer, value, .. } => (pointer, None, Some(value)),
                InstKind::Intrinsic { intrinsic: Intrinsic::Vload, arguments } => {
                    (operand(arguments, 1), Some(operand(arguments, 0)), result)
                }
                InstKind::Intrinsic { intrinsic: Intrinsic::Vstore, arguments } => (
                    operand(arguments, 2),
                    Some(operand(arguments, 1)),
                    Some(operand(arguments, 0)),
                ),
                InstKind::AtomicModify { .. } | InstKind::AtomicCompareExchange { .. } => {
                    let strided =
                        strided.get_or_insert_with(|| strided_blocks(function, cfg, &dominators));
                    if !strided.contains(&block) {
                        lost += turns * LOST_BY_ATOMIC;
                    }
                    continue;
                }
                ref kind => {
                    computed += turns * operations(kind);
                    continue;
                }
            };
            let Some(ty) = value.map(|value| context.type_of(function, value)) else { continue };
            let class = types.pointer_parts(context.type_of(function, pointer));
            let class = class.map(|(_, class)| class);
            let is_narrow = matches!(ty, TypePool::I8 | TypePool::I16);
            let is_vector = is_short_vector(types, ty) && of_one_integer(types, ty).is_none();
            // `vload3` is two loads with the program's vectors, too.
            let is_vector = is_vector && (offset.is_none() || types.lanes(ty) == 4);
            if !(is_narrow || is_vector)
                || class.is_none_or(|class| class == StorageClass::Function)
            {
                continue;
            }
            let is_local = class == Some(StorageClass::Workgroup);
            let steps =
                steps.get_or_insert_with(|| Steps::new(types, context.consts, function, cfg));
            let step = match (steps.of(pointer), offset.map(|offset| steps.of(offset))) {
                (step, None | Some(Step::None)) | (Step::None, Some(step)) => step,
                _ => Step::Other,
            };
            lost += turns
                * match (step, types.lanes(ty)) {
                    (step, _) if is_narrow => LOST_BY_NARROW * u64::from(step.is_gathered()),
                    (Step::Other, lanes) if !is_local && is_of_narrow(types, ty) => {
                        LOST_BY_NARROW * u64::from(lanes)
                    }
                    (Step::None, _) | (Step::One | Step::Anywhere, 2) => 0,
                    // Of what a function is given nothing is known.
                    (Step::Anywhere, _) if is_local || function.entry_point.is_none() => 0,
                    (Step::Anywhere, _) => LOST_BY_ANYWHERE,
                    (Step::Other, 2) => LOST_BY_PAIR * u64::from(!is_local),
                    _ if is_local => LOST_BY_LOCAL,
                    _ => LOST,
                };
        }
    }
    (lost, computed)
}

/// The blocks of loops that step by how many work-items there are: one by one, these read what is far apart, each a part of
/// what is next to each other.
fn strided_blocks(function: &Function, cfg: &Cfg, dominators: &Dominators) -> FxHashSet<Block> {
    let mut blocks = FxHashSet::default();
    for &head in cfg.reverse_post_order() {
        let params = &function.blocks[head].params;
        let mut next = dominators
            .latches(cfg, head)
            .flat_map(|from| function.blocks[from].terminator.targets())
            .filter(|target| target.block == head)
            .flat_map(|target| params.iter().zip(function.values_of(target.arguments)));
        if next.any(|(&param, next)| is_strided(function, param, next)) {
            blocks.extend(counted::blocks(cfg, dominators, head).unwrap_or_default());
        }
    }
    blocks
}

fn is_of_narrow(types: &TypePool, ty: Type) -> bool {
    matches!(types.scalar(ty), TypePool::I8 | TypePool::I16)
}

/// Whether what a loop counts is the number of all work-items more in the next turn.
fn is_strided(function: &Function, param: Value, next: Value) -> bool {
    steps_by(function, param, next, |intrinsic| intrinsic == Intrinsic::GetGlobalSize)
}

/// Whether what a loop counts is as many more in the next turn as there are work-items, as `counts` takes them.
pub(crate) fn steps_by(
    function: &Function,
    param: Value,
    next: Value,
    counts: impl Fn(Intrinsic) -> bool,
) -> bool {
    let kind = |value: Value| function.def_inst(value).map(|(_, data)| data.kind);
    // As another type, too.
    let converted = |mut value: Value| {
        while let Some(InstKind::Convert { operand, .. }) = kind(value) {
            value = operand;
        }
        value
    };
    let is_size = |value: Value| matches!(kind(value), Some(InstKind::Intrinsic { intrinsic, .. }) if counts(intrinsic));
    let Some(InstKind::Binary { op: BinaryOp::IAdd, left, right }) = kind(converted(next)) else {
        return false;
    };
    let [left, right] = [left, right].map(converted);
    left == param && is_size(right) || right == param && is_size(left)
}

/// What an instruction counts for.
pub(crate) fn operations(kind: &InstKind) -> u64 {
    match *kind {
        InstKind::Binary { .. } => 1,
        InstKind::Intrinsic { intrinsic, .. } if is_long(intrinsic) => LONG,
        InstKind::Intrinsic { .. } => 1,
        InstKind::Call { .. } => CALL,
        InstKind::Convert { op, .. } => u64::from(matches!(
            op,
            ConvertOp::SToF | ConvertOp::UToF | ConvertOp::FToS | ConvertOp::FToU
        )),
        _ => 0,
    }
}

/// Whether it takes a function to compute one.
fn is_long(intrinsic: Intrinsic) -> bool {
    intrinsic != Intrinsic::Fma
        && matches!(library::way(intrinsic, 32, &FloatOptions::default()), Some(Way::Body(_)))
}
