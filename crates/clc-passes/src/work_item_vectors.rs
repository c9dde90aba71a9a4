//! Says of kernels that vectors of work-items would not pay.
//!
//! Compilers of processors compute for several work-items side by side. Where these take different numbers of turns of a loop
//! all take as many as the slowest, with masks, and all ways through it; and what they load from places that are not next to
//! each other is gathered, number by number. A loop that is much of this and computes little, as over a row of a sparse
//! matrix or the neighbours of a node, or down a tree with a stack, takes two to four times as long so, and a compiler that
//! does not know how long rows are cannot tell. Nor do vectors of work-items pay where the program's own do.
//!
//! A module can: Intel's driver makes no vectors of a kernel with a `vec_type_hint`. `int` is the one that a kernel has
//! if it has none (OpenCL C 6.9.2), so that nothing else is said by it.

use clc_base::Id as _;
use clc_builtins::Intrinsic;
use clc_ir::{BinaryOp, Block, Cfg, Dominators, Function, InstKind, StorageClass, Value};

use crate::context::ModuleContext;
use crate::counted;
use crate::neighbours::{Step, Steps};
use crate::vector_loads::{self, MAX_DEPTH, TURNS};

/// What is done for each number that is gathered, in a kernel that has no vectors. A binary search does more, and gains by
/// them.
const FOR_EACH: u64 = 2;

/// The same for each number of a stack or a table that each work-item has of its own.
const FOR_EACH_OWN: u64 = 96;

/// The same where nothing is gathered.
const FOR_EACH_OWN_ALONE: u64 = 8;

/// Of what work-items have of their own is taken at the same index: with more, it is not the stack or table that counts.
const AT_SAME_INDEX: u64 = 3;

/// The same for each branch, and each number that is gathered, where a third of it all is behind a branch.
const FOR_EACH_BRANCH: u64 = 6;
const FOR_EACH_BETWEEN: u64 = 40;
const BEHIND_BRANCHES: u64 = 3;

/// What is done elsewhere for each operation of such loops gains more by vectors than these lose.
const ELSEWHERE: u64 = 2;

/// The same for so many operations of loops with branches, which lose less.
const ELSEWHERE_OF_BRANCHES: (u64, u64) = (7, 16);

/// Blocks of loops that are looked at, one loop after the other.
const MAX_BLOCKS: usize = 1 << 14;

/// Conditions of conditions.
const MAX_CONDITIONS: u32 = 4;

/// One component of `int`, as `vec_type_hint` has it.
const INT: u32 = 1 << 16 | 2;

/// Gives a kernel without a hint one, if vectors of work-items would not pay.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    if function.entry_point.as_ref().is_some_and(|entry| entry.vec_type_hint.is_none()) {
        let cfg = Cfg::new(function);
        let is_better_without = vector_loads::outweigh(context, function, &cfg)
            || uneven_loops(context, function, &cfg).is_some_and(|all| all.are_better_without());
        if is_better_without && let Some(entry) = &mut function.entry_point {
            entry.vec_type_hint = Some(INT);
        }
    }
}

/// What is done in the loops that work-items leave after different numbers of turns.
#[derive(Default)]
struct Uneven {
    /// Operations.
    computed: u64,
    /// Those of them that not every turn comes to.
    behind_branches: u64,
    /// Branches that differ.
    branches: u64,
    /// Loads and stores of what others see that is not next to that of the work-items beside.
    gathered: u64,
    /// Loads and stores of a work-item's own memory, where work-items are at different indices, and at the same.
    own: u64,
    own_alike: u64,
    /// Whether there are such stores at different indices: what is only read is a table that is there before the loop.
    stores_own: bool,
    /// Operations elsewhere.
    elsewhere: u64,
}

impl Uneven {
    fn are_better_without(&self) -> bool {
        let in_loops = self.computed + self.gathered + self.own + self.own_alike;
        let gathers = self.gathered > 0 && self.computed <= FOR_EACH * self.gathered;
        let for_each_own = match self.gathered {
            0 => FOR_EACH_OWN_ALONE,
            _ => FOR_EACH_OWN,
        };
        let keeps_own = self.stores_own
            && self.computed <= for_each_own * self.own
            && self.own_alike <= AT_SAME_INDEX * self.own;
        let branches = self.branches > 0
            && self.computed <= FOR_EACH_BRANCH * self.branches
            && self.computed <= FOR_EACH_BETWEEN * self.gathered
            && self.computed <= BEHIND_BRANCHES * self.behind_branches
            && self.elsewhere * ELSEWHERE_OF_BRANCHES.1 <= in_loops * ELSEWHERE_OF_BRANCHES.0;
        self.elsewhere <= ELSEWHERE * in_loops && (gathers || keeps_own || branches)
    }
}

/// Nothing, if there are no such loops.
fn uneven_loops(context: &ModuleContext<'_>, function: &Function, cfg: &Cfg) -> Option<Uneven> {
    let dominators = Dominators::new(cfg);
    if !function.layout.iter().any(|&block| dominators.is_loop_head(cfg, block)) {
        return None;
    }
    let mut steps = Steps::new(context.types, context.consts, function, cfg);
    let places = places(function, cfg, &dominators, |value| steps.varies(value));
    let depths = dominators.loops_around(cfg);
    let mut all = Uneven::default();
    for &block in &function.layout {
        let place = places[block.index()];
        let turns = TURNS.pow(depths[block.index()].min(MAX_DEPTH));
        if place == Place::Elsewhere {
            let insts = function.blocks[block].insts.iter();
            let computed = insts.map(|&inst| vector_loads::operations(&function.insts[inst].kind));
            all.elsewhere += turns * computed.sum::<u64>();
            continue;
        }
        for &inst in &function.blocks[block].insts {
            let kind = &function.insts[inst].kind;
            let computed = turns * vector_loads::operations(kind);
            all.computed += computed;
            if place == Place::BehindBranch {
                all.behind_branches += computed;
            }
            let (InstKind::Load { pointer, .. } | InstKind::Store { pointer, .. }) = *kind else {
                continue;
            };
            let class = context.types.pointer_parts(context.type_of(function, pointer));
            match (class.map(|(_, class)| class), steps.of(pointer)) {
                (None | Some(StorageClass::Workgroup), _) => {}
                (Some(StorageClass::Function), Step::None) => all.own_alike += turns,
                (Some(StorageClass::Function), _) => {
                    all.own += turns;
                    all.stores_own |= matches!(kind, InstKind::Store { .. });
                }
                (Some(_), Step::Other | Step::Anywhere) if steps.is_in_column(pointer) => {}
                (Some(_), Step::Other | Step::Anywhere) => all.gathered += turns,
                (Some(_), Step::None | Step::One) => {}
            }
        }
        if let Some(condition) = function.blocks[block].terminator.operand()
            && steps.varies(condition)
        {
            all.branches += turns * conditions(function, condition, MAX_CONDITIONS);
        }
    }
    Some(all)
}

/// Whether work-items share the turns of a loop, as far as its head tests: what it counts steps by how many there are, up to
/// what is the same for all, so that their numbers of turns differ by one at most.
fn shares_turns(
    function: &Function,
    cfg: &Cfg,
    dominators: &Dominators,
    header: Block,
    differs: impl Fn(Value) -> bool,
) -> bool {
    let compared = function.blocks[header].terminator.operand();
    let Some(InstKind::Compare { left, right, .. }) =
        compared.and_then(|value| function.def_inst(value)).map(|(_, data)| data.kind)
    else {
        return false;
    };
    let params = &function.blocks[header].params;
    [(left, right), (right, left)].into_iter().any(|(counted, bound)| {
        let Some(place) = params.iter().position(|&param| param == counted) else { return false };
        let mut next = dominators
            .latches(cfg, header)
            .flat_map(|from| function.blocks[from].terminator.targets())
            .filter(|target| target.block == header)
            .map(|target| function.value_at(target.arguments, place));
        !differs(bound)
            && next.all(|next| {
                vector_loads::steps_by(function, counted, next, |intrinsic| {
                    matches!(intrinsic, Intrinsic::GetGlobalSize | Intrinsic::GetLocalSize)
                })
            })
    })
}

/// How many conditions one is made of, each of which was a branch of the program.
fn conditions(function: &Function, condition: Value, depth: u32) -> u64 {
    match function.def_inst(condition).map(|(_, data)| data.kind) {
        Some(InstKind::Binary { op: BinaryOp::And | BinaryOp::Or, left, right }) if depth > 0 => {
            [left, right].map(|of| conditions(function, of, depth - 1)).iter().sum()
        }
        _ => 1,
    }
}

/// Where a block is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In no loop that work-items may leave after different numbers of turns.
    Elsewhere,
    /// In each turn of the innermost of those that it is in.
    EachTurn,
    /// In some.
    BehindBranch,
}

fn places(
    function: &Function,
    cfg: &Cfg,
    dominators: &Dominators,
    differs: impl Fn(Value) -> bool,
) -> Vec<Place> {
    let mut places = vec![Place::Elsewhere; function.blocks.len()];
    let mut left = MAX_BLOCKS;
    // Outer loops come before inner ones.
    for &header in cfg.reverse_post_order() {
        let Some(blocks) = counted::blocks(cfg, dominators, header) else { continue };
        let Some(rest) = left.checked_sub(blocks.len()) else { break };
        left = rest;
        let leaves_unevenly = blocks.iter().any(|&block| {
            let terminator = &function.blocks[block].terminator;
            terminator.operand().is_some_and(&differs)
                && !(block == header && shares_turns(function, cfg, dominators, header, &differs))
                && terminator.targets().any(|target| {
                    blocks
                        .binary_search_by_key(&cfg.position(target.block), |&of| cfg.position(of))
                        .is_err()
                })
        });
        if leaves_unevenly {
            for block in blocks {
                let mut latches = dominators.latches(cfg, header);
                let is_in_each = latches.all(|latch| dominators.dominates(block, latch));
                places[block.index()] =
                    if is_in_each { Place::EachTurn } else { Place::BehindBranch };
            }
        }
    }
    places
}
