//! What is the same in all turns of a loop, moved in front of it.

use clc_base::Id as _;
use clc_ir::{BinaryOp, Block, ConvertOp, Function, InstKind, Value, ValueDef};
use rustc_hash::FxHashMap;

use crate::copies;
use crate::counted;
use crate::entered_once::{Edges, Loops};

/// By block: the loops that it is in, the outermost first, if each is entered from one block and turns back from one.
pub(crate) fn around(function: &Function, loops: &Loops) -> Vec<Vec<Edges>> {
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
pub(crate) fn is_invariant(
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
            BinaryOp::IAdd
                | BinaryOp::ISub
                | BinaryOp::IMul
                | BinaryOp::Shl
                | BinaryOp::AShr
                | BinaryOp::LShr
                | BinaryOp::And
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
pub(crate) fn move_to(
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
