//! Asks drivers for shaders to keep calls in long straight code.
//!
//! Drivers inline what is called. A kernel that takes exponentials a hundred times, one after the other, is longer then than
//! what a processor has room for beside its units, and whatever is there for the first time comes from memory. Measured on one
//! of NVIDIA's, with 32 KiB of room: kernels of 70 to 90 KiB, most of which is functions of `double`, take 1.3 to 1.5 times as
//! long as with calls, and with millions of work-items still as long. A call costs some eight instructions, which is nothing
//! to a function of fifty, but most of the time of one of ten; and what loops repeat is near by in its second turn,
//! however long it is:
//!
//! ```text
//! a = exp(x0); b = exp(x1); ...    calls are kept     where there are many
//! for (...) sum += exp(x[k]);      calls are not
//! ```
//!
//! Only functions of the library, which have no memory: what a driver makes of others depends on their arguments.

use clc_base::Id as _;
use clc_ir::{BinaryOp, Block, Cfg, FuncId, Function, Inst, InstData, InstKind, Module, TypeKind};

use crate::inline;

/// The instructions that there is room for: 32 KiB of 16 bytes each, with a quarter left for what drivers make more of.
const ROOM: u64 = 1536;

/// The size of a function that is called, at least.
const SIZE: u64 = 24;

/// How much shorter the code must become by the calls of a function.
const WORTHWHILE: u64 = 192;

/// What a division is made of, if of `double`, and other divisions.
const DIVISION_OF_DOUBLE: u64 = 32;
const DIVISION: u64 = 8;

/// Marks functions that are not to be inlined. Those that are inlined in some places and not in others are there twice.
pub fn run(module: &mut Module) {
    if !module.functions.values().any(|function| function.is_const && !function.is_declaration()) {
        return;
    }
    let order = inline::callees_first(&module.functions);
    let mut sizes = vec![0; module.functions.len()];
    for &id in &order {
        let function = &module.functions[id];
        sizes[id.index()] = (function.layout.iter())
            .map(|&block| block_size(module, &sizes, function, block))
            .fold(0, u64::saturating_add);
    }
    if sizes.iter().all(|&size| size <= ROOM) {
        return;
    }
    let mut is_long: Vec<bool> = sizes.iter().map(|&size| size > ROOM).collect();
    let mut calls: Vec<Calls> = vec![Calls::default(); module.functions.len()];
    for &id in order.iter().rev() {
        let function = &module.functions[id];
        let times = if function.entry_point.is_some() { 1 } else { calls[id.index()].times };
        let in_loops = match is_long[id.index()] && !function.is_declaration() {
            true => Cfg::new(function).blocks_in_loops(),
            false => Vec::new(),
        };
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                let InstKind::Call { callee, .. } = function.insts[inst].kind else { continue };
                let callee = callee.index();
                if in_loops.get(block.index()) == Some(&false) {
                    is_long[callee] = true;
                    calls[callee].times = times.saturating_add(calls[callee].times);
                    calls[callee].places.push((id, inst));
                } else {
                    calls[callee].are_elsewhere = true;
                }
            }
        }
    }
    for (index, calls) in calls.into_iter().enumerate() {
        let (id, size) = (FuncId::from_index(index), sizes[index]);
        let function = &module.functions[id];
        let saved = size.saturating_mul(calls.times.saturating_sub(1));
        let is_apt = function.is_const && !function.is_declaration() && size >= SIZE;
        if !is_apt || saved < WORTHWHILE {
            continue;
        }
        if !calls.are_elsewhere {
            module.functions[id].no_inline = true;
            continue;
        }
        let mut kept = function.clone();
        kept.no_inline = true;
        let kept = module.functions.push(kept);
        for (caller, inst) in calls.places {
            if let InstKind::Call { callee, .. } = &mut module.functions[caller].insts[inst].kind {
                *callee = kept;
            }
        }
    }
}

/// How a function is called.
#[derive(Clone, Default)]
struct Calls {
    /// In long straight code: how often, once all else is inlined, and where.
    times: u64,
    places: Vec<(FuncId, Inst)>,
    /// And in other code.
    are_elsewhere: bool,
}

fn block_size(module: &Module, sizes: &[u64], function: &Function, block: Block) -> u64 {
    let insts = function.blocks[block].insts.iter();
    insts
        .map(|&inst| size(module, sizes, function, &function.insts[inst]))
        .fold(1, u64::saturating_add)
}

/// How many instructions one is, with those of a callee.
fn size(module: &Module, sizes: &[u64], function: &Function, data: &InstData) -> u64 {
    match data.kind {
        InstKind::Call { callee, .. } => sizes[callee.index()],
        InstKind::Binary { op: BinaryOp::FDiv, left, .. } => {
            let ty = module.types.scalar(module.value_type(function, left));
            match module.types.kind(ty) {
                TypeKind::Float(64) => DIVISION_OF_DOUBLE,
                _ => DIVISION,
            }
        }
        _ => 1,
    }
}
