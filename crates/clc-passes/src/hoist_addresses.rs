//! Computes addresses in front of loops that are the same in all their turns but not needed in each, for shaders.
//!
//! ```text
//! if (bits >> i & 1) s ^= *(p + 31 * y + i)    ->    q = p + 31 * y; .. s ^= *(q + i)
//! ```
//!
//! Compilers of drivers move in front of loops what each turn computes. What stands behind a branch they leave there, and
//! once a loop is written out it stands there as often as the loop turns. In other loops one addition is not worth a
//! register, but several are. This runs behind
//! [`split_indices`](crate::split_indices), which adds first what is the same in all turns.

use clc_base::Id as _;
use clc_ir::{Block, Const, Function, Inst, InstKind, TypePool, Value};
use rustc_hash::FxHashMap;

use crate::context::ModuleContext;
use crate::counted::{self, Counters};
use crate::entered_once::{Edges, Loops};
use crate::invariants;
use crate::split_indices::is_in_buffer;

/// The most operations, one on the result of another, that are moved with an address.
const MAX_STEPS: u32 = 6;

/// Additions and products that are worth a register where a loop is not written out.
const MIN_ADDITIONS: u32 = 2;

/// The most addresses that are moved in a function: each is a register more, or two.
const MAX_MOVED: usize = 8;

/// Hoists the addresses of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let in_blocks = |&block: &Block| {
        let insts = function.blocks[block].insts.iter();
        insts.map(|&inst| (block, inst)).collect::<Vec<_>>()
    };
    let additions: Vec<(Block, Inst)> = (function.layout.iter().flat_map(in_blocks))
        .filter(|&(_, inst)| match function.insts[inst].kind {
            InstKind::PtrAdd { base, index } => {
                !index.is_const() && is_in_buffer(context.types, function, base)
            }
            _ => false,
        })
        .collect();
    if additions.is_empty() {
        return;
    }
    let counters = Counters::new(context, function, counted::WRITTEN_OUT);
    let loops = Loops::new(function);
    let around = invariants::around(function, &loops);
    let zero = context.consts.intern(Const::Int(TypePool::I64, 0));
    // What is moved: where to, and what it has become there.
    let mut moved: FxHashMap<(Value, Block), Value> = FxHashMap::default();
    let mut count = 0;
    let mut left = Vec::new();
    for (block, inst) in additions {
        let Some(&innermost) = around[block.index()].last() else { continue };
        let Some(address) = function.insts[inst].result else { continue };
        if loops.dominators.dominates(block, innermost.latch) {
            continue;
        }
        let mut places = around[block.index()].iter();
        let place = places
            .find(|&&edges| invariants::is_invariant(function, &loops, address, edges, MAX_STEPS));
        let Some(&edges) = place else { continue };
        let mut counted = function.blocks[innermost.head].params.iter();
        let is_worth_it = counted.any(|&param| counters.contains(param))
            || additions_in(function, &loops, address, edges) >= MIN_ADDITIONS;
        if !is_worth_it || count == MAX_MOVED {
            left.push((inst, address, edges.entry));
            continue;
        }
        count += 1;
        let base = invariants::move_to(function, &loops, address, edges, &mut moved);
        function.insts[inst].kind = InstKind::PtrAdd { base, index: zero };
    }
    // What others are computed of in front of the loop is there, too.
    for (inst, address, entry) in left {
        if let Some(&base) = moved.get(&(address, entry)) {
            function.insts[inst].kind = InstKind::PtrAdd { base, index: zero };
        }
    }
}

/// The additions in a loop that an address takes which is the same in all its turns.
fn additions_in(function: &Function, loops: &Loops, value: Value, edges: Edges) -> u32 {
    if loops.is_before(function, value, edges) {
        return 0;
    }
    let Some((inst, data)) = function.def_inst(value) else { return 0 };
    let mut additions = u32::from(!matches!(data.kind, InstKind::Convert { .. }));
    function.each_operand(inst, |operand| {
        additions += additions_in(function, loops, operand, edges);
    });
    additions
}
