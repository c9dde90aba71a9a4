//! Asks drivers to unroll short loops that turn a known number of times.
//!
//! Drivers unroll such loops of their own accord, but not all, and they see less than is known here.
//! It matters most where a loop indexes private arrays: unrolled, their elements are in registers, unless something
//! else indexes them, too: that then chooses among the elements, where it is worth it.
//!
//! Where arrays stay in memory, drivers are asked not to unroll the loops that go through these arrays and no others:
//! NVIDIA's is several times slower with their elements at constant indices.

mod accessed;
mod finder;

use clc_base::Id as _;
use clc_ir::{
    Block, Cfg, Function, InstKind, LoopControl, LoopHint, Merge, Module, TypePool, Value,
    structured,
};
use rustc_hash::FxHashSet;

use self::accessed::Accessed;
use self::finder::{Counted, Finder};
pub(crate) use self::finder::{MANY_REGISTERS, MAX_TURNS, registers};
use crate::calls::callees_first;
use crate::choices;
use crate::context::{ModuleContext, each_function};
use crate::fold::Folder;

/// Instructions of an unrolled loop, one for each component of a vector, a call being one, and with those of what it calls,
/// which drivers inline.
const MAX_SIZE: u64 = 512;
const MAX_INLINED_SIZE: u64 = 4096;

/// Instructions of an unrolled loop that turns a few times and calls nothing.
const MAX_SIZE_OF_FEW: u64 = 1792;
const FEW_TURNS: u64 = 16;

/// Instructions of an unrolled loop that indexes a private array.
const MAX_INDEXING_SIZE: u64 = 8192;

/// Instructions for each time that such a loop indexes one: those of a loop that does more are not worth their room, which
/// is that of the processor's instructions.
const MAX_BETWEEN: u64 = 160;

/// Instructions of all unrolled loops of a function that index private arrays: drivers need longer than in proportion.
const MAX_INDEXING_TOTAL: u64 = 2 * MAX_INDEXING_SIZE;

/// How often it is asked anew which arrays are worth choosing among.
const MAX_ROUNDS: usize = 4;

/// Adds hints to the loops of structured functions that have none, and chooses among elements of arrays.
pub fn run(module: &mut Module) {
    let sizes = sizes_with_callees(module);
    each_function(module, |context, function| {
        if structured::is_structured(function) || accessed::has_arrays(context.types, function) {
            hint(context, function, &sizes);
        }
    });
}

/// By function: its instructions with those of what it calls.
fn sizes_with_callees(module: &Module) -> Vec<u64> {
    let mut sizes = vec![0; module.functions.len()];
    for id in callees_first(&module.functions) {
        let function = &module.functions[id];
        let blocks = function.layout.iter();
        let all = blocks.map(|&block| block_size(&module.types, function, block, Some(&sizes)));
        sizes[id.index()] = all.fold(0, u64::saturating_add);
    }
    sizes
}

/// The instructions of a block, one for each component of a vector, and with those of what is called, if that is given.
fn block_size(types: &TypePool, function: &Function, block: Block, callees: Option<&[u64]>) -> u64 {
    let insts = function.blocks[block].insts.iter();
    insts.fold(1, |size: u64, &inst| {
        let data = &function.insts[inst];
        size.saturating_add(match (data.kind, callees) {
            (InstKind::Call { callee, .. }, Some(sizes)) => sizes[callee.index()].max(1),
            _ => match data.result.and_then(Value::as_local) {
                Some(result) => types.lanes(function.values[result].ty).into(),
                None => 1,
            },
        })
    })
}

fn hint(context: &mut ModuleContext<'_>, function: &mut Function, callees: &[u64]) {
    let folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
    let cfg = Cfg::new(function);
    let mut finder = Finder { folder, function, cfg: &cfg, unknown: FxHashSet::default() };
    let (loops, long): (Vec<Counted>, Vec<Counted>) =
        finder.loops().into_iter().partition(|found| found.turns <= MAX_TURNS);
    finder.find_unknown(&loops);
    let sizes = Sizes::new(&finder, callees);
    let in_memory = finder.in_memory(&loops);
    let mut accessed = Accessed::new(&finder);
    let mut rounds = 0;
    // Whether it is worth choosing depends on what is unrolled, and the other way round.
    let (hinted, chosen, stay) = loop {
        let stay = in_memory.iter().filter(|array| !accessed.contains(**array)).copied().collect();
        let sizes = sizes.with(&accessed.sizes(&finder, &loops));
        let hinted = hinted(&finder, &loops, sizes, &stay);
        if let Some(chosen) = accessed.choose(&finder, &loops, &hinted) {
            break (hinted, chosen, stay);
        }
        rounds += 1;
        if rounds == MAX_ROUNDS {
            accessed = Accessed::default();
        }
    };
    let through_memory = (loops.iter().chain(&long))
        .filter(|found| finder.goes_through(found, &stay))
        .map(|found| (function.layout[found.position], LoopControl::DontUnroll));
    let hints = hinted.into_iter().map(|header| (header, LoopControl::Unroll));
    let hints = hints.chain(through_memory).filter_map(|(header, control)| {
        match function.blocks[header].merge {
            Some(Merge::Loop { merge, continue_target }) => {
                Some((header, LoopHint { control, merge, continue_target }))
            }
            _ => None,
        }
    });
    let hints: Vec<_> =
        hints.filter(|(header, _)| !function.loop_hints.contains_key(header)).collect();
    function.loop_hints.extend(hints);
    choices::write(context, function, &chosen);
}

/// What blocks have, in their order.
#[derive(Clone)]
struct Sizes {
    /// Instructions, with those of what they call and without.
    all: Vec<u64>,
    own: Vec<u64>,
    /// Turns of the loops around that are unrolled.
    turns: Vec<u64>,
}

impl Sizes {
    fn new(finder: &Finder<'_>, callees: &[u64]) -> Sizes {
        let function = finder.function;
        let layout = &function.layout;
        let sizes = |callees| {
            let blocks = layout.iter();
            blocks.map(|&block| block_size(finder.folder.types, function, block, callees)).collect()
        };
        Sizes { all: sizes(Some(callees)), own: sizes(None), turns: vec![1; layout.len()] }
    }

    /// With so many instructions more.
    fn with(&self, more: &[u64]) -> Sizes {
        let mut sizes = self.clone();
        for of in [&mut sizes.all, &mut sizes.own] {
            of.iter_mut().zip(more).for_each(|(size, more)| *size += more);
        }
        sizes
    }
}

/// The headers of the loops that are unrolled, those with the source's hint among them, if arrays stay in memory but
/// where unrolling takes them out.
fn hinted(
    finder: &Finder<'_>,
    loops: &[Counted],
    mut sizes: Sizes,
    in_memory: &FxHashSet<Value>,
) -> FxHashSet<Block> {
    let function = finder.function;
    // Counted variables that unrolling makes constants.
    let mut known = FxHashSet::default();
    let mut hinted = FxHashSet::default();
    let mut left = MAX_INDEXING_TOTAL;
    for found in loops {
        let &Counted { position, end, variable, turns } = found;
        let header = function.layout[position];
        if let Some(hint) = function.loop_hints.get(&header) {
            if hint.control == LoopControl::Unroll {
                known.insert(variable);
                hinted.insert(header);
            }
            continue;
        }
        if finder.goes_through(found, in_memory) {
            continue;
        }
        let size = sizes.all[position..end].iter().copied().fold(0, u64::saturating_add);
        let own_size: u64 = sizes.own[position..end].iter().sum();
        if size > MAX_INDEXING_SIZE {
            continue;
        }
        let (unrolled, own) = (size * turns.max(1), own_size * turns.max(1));
        let blocks = &function.layout[position..end];
        let calls = size > own_size;
        let is_short = own <= MAX_SIZE && unrolled <= MAX_INLINED_SIZE
            || !calls && turns <= FEW_TURNS && own <= MAX_SIZE_OF_FEW;
        if !is_short {
            // An array whose elements are known once the loops inside are unrolled asks for no more.
            let accesses = blocks.iter().zip(&sizes.turns[position..end]).map(|(&block, turns)| {
                let arrays = finder.indexed(block, &known);
                turns * arrays.filter(|array| !in_memory.contains(array)).count() as u64
            });
            let accesses: u64 = accesses.sum();
            if unrolled > MAX_INDEXING_SIZE.min(left) || size > MAX_BETWEEN * accesses {
                continue;
            }
            left -= unrolled;
        }
        known.insert(variable);
        hinted.insert(header);
        // What is around unrolls this, too.
        sizes.all[position] += unrolled - size;
        sizes.own[position] += own - own_size;
        sizes.turns[position..end]
            .iter_mut()
            .for_each(|all| *all = all.saturating_mul(turns.max(1)));
    }
    hinted
}
