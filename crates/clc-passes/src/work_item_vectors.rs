//! Says of kernels that vectors of work-items would not pay.
//!
//! Compilers of processors compute for several work-items side by side. Where these take different numbers of turns of a loop
//! all take as many as the slowest, with masks; and what they load from places that are not next to each other is
//! gathered, number by number. A loop that is both and computes little, as over a row of a sparse matrix or the
//! neighbours of a node, takes two to four times as long so, and a compiler that does not know how long rows are cannot tell.
//!
//! A module can: Intel's driver makes no vectors of a kernel with a `vec_type_hint`. `int` is the one that a kernel has
//! if it has none (OpenCL C 6.9.2), so that nothing else is said by it.

use clc_base::Id as _;
use clc_ir::{Block, Cfg, Dominators, Function, InstKind, StorageClass, Value};

use crate::context::ModuleContext;
use crate::convergence::varying_values;
use crate::counted;
use crate::scalarize::neighbours::{Step, Steps};

/// What is done for each number that is gathered: a kernel that does no more has no vectors.
const MAX_COMPUTED: u64 = 2;

/// How often a loop turns, as a guess, and how deep it counts.
const TURNS: u64 = 8;
const MAX_DEPTH: u32 = 4;

/// Blocks of loops that are looked at, one loop after the other.
const MAX_BLOCKS: usize = 1 << 14;

/// One component of `int`, as `vec_type_hint` has it.
const INT: u32 = 1 << 16 | 2;

/// Gives a kernel without a hint one, if it mostly gathers in loops that work-items leave one by one.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    if function.entry_point.as_ref().is_some_and(|entry| entry.vec_type_hint.is_none())
        && mostly_gathers(context, function)
        && let Some(entry) = &mut function.entry_point
    {
        entry.vec_type_hint = Some(INT);
    }
}

fn mostly_gathers(context: &ModuleContext<'_>, function: &Function) -> bool {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    if !function.layout.iter().any(|&block| dominators.is_loop_head(&cfg, block)) {
        return false;
    }
    let varies = varying_values(context.types, function, &cfg);
    let is_uneven = in_uneven_loops(function, &cfg, &dominators, &varies);
    let depths = dominators.loops_around(&cfg);
    let mut steps = Steps::new(context.types, context.consts, function, &cfg);
    let (mut gathered, mut computed) = (0u64, 0u64);
    for &block in function.layout.iter().filter(|block| is_uneven[block.index()]) {
        let turns = TURNS.pow(depths[block.index()].min(MAX_DEPTH));
        for &inst in &function.blocks[block].insts {
            match function.insts[inst].kind {
                InstKind::Load { pointer, .. } | InstKind::Store { pointer, .. } => {
                    let pointee = context.types.pointer_parts(context.type_of(function, pointer));
                    let is_shared = pointee.is_some_and(|(_, class)| {
                        !matches!(class, StorageClass::Function | StorageClass::Workgroup)
                    });
                    if is_shared && steps.of(pointer) == Step::Other {
                        gathered += turns;
                    }
                }
                InstKind::Binary { .. } | InstKind::Intrinsic { .. } => computed += turns,
                // Functions are what they do.
                InstKind::Call { .. } => computed += TURNS * turns,
                _ => {}
            }
        }
    }
    gathered > 0 && computed <= gathered * MAX_COMPUTED
}

/// By block: whether it is in a loop that work-items may leave after different numbers of turns.
fn in_uneven_loops(
    function: &Function,
    cfg: &Cfg,
    dominators: &Dominators,
    varies: &[bool],
) -> Vec<bool> {
    let mut is_uneven = vec![false; function.blocks.len()];
    let differs = |value: Value| value.as_local().is_some_and(|index| varies[index]);
    let mut left = MAX_BLOCKS;
    for &header in cfg.reverse_post_order() {
        let back: Vec<Block> =
            cfg.predecessors(header).filter(|&from| dominators.dominates(header, from)).collect();
        if back.is_empty() {
            continue;
        }
        let blocks = counted::blocks(cfg, header, back);
        let Some(rest) = left.checked_sub(blocks.len()) else { break };
        left = rest;
        let leaves_unevenly = blocks.iter().any(|&block| {
            let terminator = &function.blocks[block].terminator;
            terminator.operand().is_some_and(differs)
                && terminator.targets().any(|target| {
                    blocks
                        .binary_search_by_key(&cfg.position(target.block), |&of| cfg.position(of))
                        .is_err()
                })
        });
        if leaves_unevenly {
            for block in blocks {
                is_uneven[block.index()] = true;
            }
        }
    }
    is_uneven
}
