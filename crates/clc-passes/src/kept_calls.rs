//! Asks drivers for shaders to keep calls in long straight code.
//!
//! Drivers inline what is called. A kernel that takes exponentials a hundred times, one after the other, is longer then than
//! what a processor has room for beside its units, and whatever is there for the first time comes from memory. Measured on one
//! of NVIDIA's, with 32 KiB of room: kernels of 50 to 90 KiB, most of which is functions of `double`, take 1.2 to 1.5 times as
//! long as with calls with some ten thousand work-items, and 1.05 to 1.15 times as long with half a million. A call costs some
//! eight instructions, which is nothing to a function of fifty, but most of the time of one of ten, and much more where most
//! registers must be saved for it; and what loops repeat is near by in its second turn, however long it is:
//!
//! ```text
//! a = exp(x0); b = exp(x1); ...    calls are kept     where there are many
//! for (...) sum += exp(x[k]);      calls are not
//! ```
//!
//! Only functions of the library, which have no memory: what a driver makes of others depends on their arguments.

use clc_base::Id as _;
use clc_ir::{
    BinaryOp, Block, Cfg, FuncId, Function, Inst, InstData, InstKind, Module, TypeKind, TypePool,
    Value,
};
use rustc_hash::FxHashMap;

use crate::calls::callees_first;
use crate::unroll_hints::registers;

/// The instructions that there is room for, as they are counted here: three quarters of them, of 16 bytes each, are 48 KiB.
const ROOM: u64 = 4096;

/// The size of a function that is called, at least.
const SIZE: u64 = 24;

/// How much shorter code must become by the calls of a function, and by all calls.
const WORTHWHILE: u64 = 192;
const WORTHWHILE_IN_ALL: u64 = ROOM / 4;

/// How many registers hold what is needed behind a call, at most: what drivers save for more takes longer than what is
/// called.
const WORDS: u64 = 32;

/// What a division is made of, if of `double`, and other divisions.
const DIVISION_OF_DOUBLE: u64 = 32;
const DIVISION: u64 = 8;

/// Marks functions that are not to be inlined. Those that are inlined in some places and not in others are there twice.
pub fn run(module: &mut Module) {
    if !module.functions.values().any(|function| function.is_const && !function.is_declaration()) {
        return;
    }
    let order = callees_first(&module.functions);
    let mut sizes = vec![0; module.functions.len()];
    for &id in &order {
        let function = &module.functions[id];
        sizes[id.index()] = (function.layout.iter())
            .map(|&block| block_size(module, &sizes, function, block))
            .fold(0, u64::saturating_add);
    }
    let is_long_entry =
        |id: FuncId| module.functions[id].entry_point.is_some() && sizes[id.index()] > ROOM;
    if !order.iter().any(|&id| is_long_entry(id)) {
        return;
    }
    let mut calls: Vec<Calls> = vec![Calls::default(); module.functions.len()];
    for &id in order.iter().rev() {
        let function = &module.functions[id];
        let of_this = &calls[id.index()];
        let (times, words) = match is_long_entry(id) {
            true => (1, 0),
            // In long straight code wherever it is called.
            false => (if of_this.are_elsewhere { 0 } else { of_this.times }, of_this.words),
        };
        let (in_loops, across) = match times > 0 && !function.is_declaration() {
            true => {
                (Cfg::new(function).blocks_in_loops(), words_across_calls(&module.types, function))
            }
            false => Default::default(),
        };
        for &block in &function.layout {
            let is_straight = in_loops.get(block.index()) == Some(&false);
            for &inst in &function.blocks[block].insts {
                let InstKind::Call { callee, .. } = function.insts[inst].kind else { continue };
                let calls = &mut calls[callee.index()];
                let words = words + across.get(&inst).unwrap_or(&0);
                if is_straight && words <= WORDS {
                    calls.times = calls.times.saturating_add(times);
                    calls.words = calls.words.max(words);
                    calls.places.push((id, inst));
                } else {
                    calls.are_elsewhere = true;
                }
            }
        }
    }
    let saved = |(id, function): (FuncId, &Function)| {
        let size = sizes[id.index()];
        let saved = size.saturating_mul(calls[id.index()].times.saturating_sub(1));
        let is_apt = function.is_const && !function.is_declaration() && size >= SIZE;
        (is_apt && saved >= WORTHWHILE).then_some((id, saved))
    };
    let kept: Vec<(FuncId, u64)> = module.functions.iter().filter_map(saved).collect();
    if kept.iter().map(|&(_, saved)| saved).fold(0, u64::saturating_add) < WORTHWHILE_IN_ALL {
        return;
    }
    for (id, _) in kept {
        let calls = std::mem::take(&mut calls[id.index()]);
        if !calls.are_elsewhere {
            module.functions[id].no_inline = true;
            continue;
        }
        let mut kept = module.functions[id].clone();
        kept.no_inline = true;
        let kept = module.functions.push(kept);
        for (caller, inst) in calls.places {
            if let InstKind::Call { callee, .. } = &mut module.functions[caller].insts[inst].kind {
                *callee = kept;
            }
        }
    }
}

/// How many registers of 32 bits hold what is needed behind each call but the result, once what comes first in a function is
/// done first.
fn words_across_calls(types: &TypePool, function: &Function) -> FxHashMap<Inst, u64> {
    let mut place = 0;
    let mut last_uses = vec![0; function.values.len()];
    let note = |last_uses: &mut Vec<usize>, value: Value, place| {
        if let Some(index) = value.as_local() {
            last_uses[index] = place;
        }
    };
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            place += 1;
            function.each_operand(inst, |value| note(&mut last_uses, value, place));
        }
        place += 1;
        function.each_terminator_operand(block, |value| note(&mut last_uses, value, place));
    }
    let mut ending = vec![0; place + 1];
    let (mut place, mut words) = (0, 0);
    let begin = |ending: &mut Vec<u64>, value: Value, place| {
        let Some(index) = value.as_local().filter(|&index| last_uses[index] > place) else {
            return 0;
        };
        let size = registers(types, function.values[index].ty);
        ending[last_uses[index]] += size;
        size
    };
    let mut across = FxHashMap::default();
    for &block in &function.layout {
        for &param in &function.blocks[block].params {
            words += begin(&mut ending, param, place);
        }
        for &inst in &function.blocks[block].insts {
            place += 1;
            words -= ending[place];
            let data = &function.insts[inst];
            if let InstKind::Call { .. } = data.kind {
                across.insert(inst, words);
            }
            if let Some(result) = data.result {
                words += begin(&mut ending, result, place);
            }
        }
        place += 1;
        words -= ending[place];
    }
    across
}

/// How a function is called.
#[derive(Clone, Default)]
struct Calls {
    /// In long straight code: how often, once all else is inlined, where, and the registers for what is needed behind them.
    times: u64,
    places: Vec<(FuncId, Inst)>,
    words: u64,
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
