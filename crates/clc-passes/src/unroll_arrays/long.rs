//! Arrays that loops of many turns go through, which drivers of shaders do not write out: whether values of their elements
//! are better than memory.

use clc_ir::{Function, InstKind, TypePool, Value};

use super::indexed;
use crate::counted::Loop;
use crate::unroll_hints::{self, MANY_REGISTERS};

/// Whether a private array fits into registers with what such loops load, or nested loops access it so often that this
/// does not matter.
pub(super) fn fits(types: &TypePool, function: &Function, loops: &[Loop], array: Value) -> bool {
    let registers = match function.def_inst(array).map(|(_, data)| data.kind) {
        Some(InstKind::Variable { ty, .. }) => unroll_hints::registers(types, ty),
        _ => 0,
    };
    registers <= MANY_REGISTERS || is_in_nest(function, loops, array)
}

/// Whether a loop in a loop indexes an array.
fn is_in_nest(function: &Function, loops: &[Loop], array: Value) -> bool {
    let is_inside = |inner: &Loop| {
        loops.iter().any(|outer| outer.header != inner.header && outer.contains(inner.header))
    };
    loops.iter().any(|inner| {
        let mut insts = inner.blocks.iter().flat_map(|&block| &function.blocks[block].insts);
        insts.any(|&inst| indexed(function, inst) == Some(array)) && is_inside(inner)
    })
}
