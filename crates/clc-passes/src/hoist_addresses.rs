//! Computes addresses in front of loops that are the same in all their turns but not needed in each, for shaders:
//! in loops that drivers write out.
//!
//! ```text
//! if (bits >> i & 1) s ^= *(p + 31 * y + i)    ->    q = p + 31 * y; .. s ^= *(q + i)
//! ```
//!
//! Compilers of drivers move in front of loops what each turn computes. What stands behind a branch they leave there, and
//! once a loop is written out it stands there as often as the loop turns. In other loops it is one addition, which is not
//! worth a register. This runs behind
//! [`split_indices`](crate::split_indices), which adds first what is the same in all turns.

use clc_base::Id as _;
use clc_ir::{
    BinaryOp, Block, Const, ConvertOp, Function, Inst, InstKind, TypePool, Value, ValueDef,
};
use rustc_hash::FxHashMap;

use crate::context::ModuleContext;
use crate::copies;
use crate::counted::{self, Counters};
use crate::entered_once::{Edges, Loops};
use crate::split_indices::is_in_buffer;

/// The most operations, one on the result of another, that are moved with an address.
const MAX_STEPS: u32 = 6;

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
    let around = loops_around(function, &loops);
    let zero = context.consts.intern(Const::Int(TypePool::I64, 0));
    // What is moved: where to, and what it has become there.
    let mut moved: FxHashMap<(Value, Block), Value> = FxHashMap::default();
    let mut count = 0;
    for (block, inst) in additions {
        let Some(&innermost) = around[block.index()].last() else { continue };
        let Some(address) = function.insts[inst].result else { continue };
        let mut counted = function.blocks[innermost.head].params.iter();
        if !counted.any(|&param| counters.contains(param)) {
            continue;
        }
        let is_needed_in_each = loops.dominators.dominates(block, innermost.latch);
        let place = around[block.index()]
            .iter()
            .find(|&&edges| is_invariant(function, &loops, address, edges, MAX_STEPS));
        let Some(&edges) = place.filter(|_| !is_needed_in_each && count < MAX_MOVED) else {
            continue;
        };
        count += 1;
        let base = move_to(function, &loops, address, edges, &mut moved);
        function.insts[inst].kind = InstKind::PtrAdd { base, index: zero };
    }
}

/// By block: the loops that it is in, the outermost first, if each is entered from one block and turns back from one.
fn loops_around(function: &Function, loops: &Loops) -> Vec<Vec<Edges>> {
    let mut around = vec![Vec::new(); function.blocks.len()];
    for &head in loops.cfg.reverse_post_order() {
        if loops.dominators.is_loop_head(&loops.cfg, head)
            && let Some(edges) = loops.edges(head)
        {
            let blocks = counted::blocks(&loops.cfg, &loops.dominators, head);
            for block in blocks.into_iter().flatten() {
                around[block.index()].push(edges);
            }
        }
    }
    around
}

/// Whether a value is the same in all turns of a loop, and there is nothing in computing it that may not be done in vain.
fn is_invariant(
    function: &Function,
    loops: &Loops,
    value: Value,
    edges: Edges,
    steps: u32,
) -> bool {
    if loops.is_before(function, value, edges) {
        return true;
    }
    let Some((inst, data)) = function.def_inst(value).filter(|_| steps > 0) else { return false };
    let can_move = match data.kind {
        InstKind::PtrAdd { .. } => true,
        InstKind::Convert { op, .. } => {
            matches!(op, ConvertOp::SignExtend | ConvertOp::ZeroExtend | ConvertOp::Truncate)
        }
        InstKind::Binary { op, .. } => matches!(
            op,
            BinaryOp::IAdd | BinaryOp::ISub | BinaryOp::IMul | BinaryOp::Shl | BinaryOp::And
        ),
        _ => false,
    };
    let mut are_invariant = can_move;
    function.each_operand(inst, |operand| {
        are_invariant = are_invariant && is_invariant(function, loops, operand, edges, steps - 1);
    });
    are_invariant
}

/// A value of which [`is_invariant`] is true, in front of the loop.
fn move_to(
    function: &mut Function,
    loops: &Loops,
    value: Value,
    edges: Edges,
    moved: &mut FxHashMap<(Value, Block), Value>,
) -> Value {
    if loops.is_before(function, value, edges) {
        return value;
    }
    if let Some(&there) = moved.get(&(value, edges.entry)) {
        return there;
    }
    let Some(ValueDef::Inst(inst)) = function.def(value) else { return value };
    let mut operands = Vec::new();
    function.each_operand(inst, |operand| operands.push(operand));
    let mut map = FxHashMap::default();
    for operand in operands {
        map.insert(operand, move_to(function, loops, operand, edges, moved));
    }
    copies::append(function, inst, edges.entry, &mut map, function.insts[inst].kind);
    let there = map[&value];
    moved.insert((value, edges.entry), there);
    there
}
