//! OpCopyMemorySized may not have the constant size zero; such a copy does nothing.

use clc_ir::{Const, ConstPool, Function, InstKind};

pub(crate) fn drop_empty(function: &mut Function, consts: &ConstPool) {
    let Function { layout, blocks, insts, .. } = function;
    for &block in layout.iter() {
        blocks[block].insts.retain(|&inst| match insts[inst].kind {
            InstKind::CopyMemory { size, .. } => {
                !size.as_const().is_some_and(|id| matches!(consts.get(id), Const::Int(_, 0)))
            }
            _ => true,
        });
    }
}
