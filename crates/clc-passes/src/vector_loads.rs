//! Whether the loops of a kernel load vectors of the program rather than compute.
//!
//! Compilers of processors can compute for several work-items side by side, or with the vectors that a program has. For
//! the former what neighbours load as vectors, number behind number, is gathered or put in another order: that takes as
//! long as some two dozen operations, and with the program's vectors it is one load. What is loaded for all
//! work-items alike costs neither of them anything, and what each of them looks up waits for memory in both.
//! Atomic operations are done one after the other, each with its number out of a vector and back, and so are bytes and shorts
//! that are not side by side.

use clc_base::Id as _;
use clc_base::lang::FloatOptions;
use clc_builtins::Intrinsic;
use clc_builtins::library::{self, Way};
use clc_ir::{BinaryOp, Block, Cfg, Dominators, Function, InstKind, StorageClass, TypePool, Value};
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
    let types = &*context.types;
    let dominators = Dominators::new(cfg);
    let depths = dominators.loops_around(cfg);
    let mut strided = None;
    let mut steps = None;
    let (mut lost, mut computed) = (0u64, 0u64);
    for &block in &function.layout {
        let depth = depths[block.index()].min(MAX_DEPTH);
        if depth == 0 {
            continue;
        }
        let turns = TURNS.pow(depth);
        for &inst in &function.blocks[block].insts {
            let (pointer, value) = match function.insts[inst].kind {
                InstKind::Load { pointer, .. } => (pointer, function.insts[inst].result),
                InstKind::Store { pointer, value, .. } => (pointer, Some(value)),
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
            if !(is_narrow || is_vector)
                || class.is_none_or(|class| class == StorageClass::Function)
            {
                continue;
            }
            let is_local = class == Some(StorageClass::Workgroup);
            let steps =
                steps.get_or_insert_with(|| Steps::new(types, context.consts, function, cfg));
            lost += turns
                * match (steps.of(pointer), types.lanes(ty)) {
                    (step, _) if is_narrow => LOST_BY_NARROW * u64::from(step.is_gathered()),
                    (Step::None | Step::Anywhere, _) | (Step::One, 2) => 0,
                    (Step::Other, 2) => LOST_BY_PAIR * u64::from(!is_local),
                    _ if is_local => LOST_BY_LOCAL,
                    _ => LOST,
                };
        }
    }
    lost > 0 && lost >= computed
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

/// Whether what a loop counts is the number of all work-items more in the next turn.
fn is_strided(function: &Function, param: Value, next: Value) -> bool {
    let kind = |value: Value| function.def_inst(value).map(|(_, data)| data.kind);
    // As another type, too.
    let converted = |mut value: Value| {
        while let Some(InstKind::Convert { operand, .. }) = kind(value) {
            value = operand;
        }
        value
    };
    let is_size = |value: Value| {
        let size = Intrinsic::GetGlobalSize;
        matches!(kind(value), Some(InstKind::Intrinsic { intrinsic, .. }) if intrinsic == size)
    };
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
        _ => 0,
    }
}

/// Whether it takes a function to compute one.
fn is_long(intrinsic: Intrinsic) -> bool {
    intrinsic != Intrinsic::Fma
        && matches!(library::way(intrinsic, 32, &FloatOptions::default()), Some(Way::Body(_)))
}
