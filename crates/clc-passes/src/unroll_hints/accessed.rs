//! Private arrays that are nearly always accessed at known indices once loops are unrolled: what is left chooses among
//! their elements.
//!
//! Drivers keep an array in memory for one index that they do not know.

use clc_ir::{Block, Function, InstKind, Merge, TypeKind, TypePool, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::finder::{Counted, Finder, Knowledge, registers};
use crate::choices::Chosen;
use crate::element_steps::indexed_array;

/// Registers of all arrays of a function that are taken out of memory this way.
const MAX_REGISTERS: u64 = 128;

/// Elements of all choices of a function.
const MAX_CHOICES: u64 = 512;

/// What an access of an unknown element takes as long as, in choices between two elements: measured on NVIDIA's GPUs.
const UNKNOWN: u64 = 3;

/// The same of a known element, which is no instruction once it is in a register; and of one that is only loaded, which
/// drivers do with its neighbours.
const KNOWN: u64 = 4;
const KNOWN_LOADED: u64 = 1;

/// Instructions of a choice between two elements.
const CHOICE: u64 = 3;

/// Turns of a loop of which the number is not known: of the one that does the work, and of one in another loop.
const TURNS: u64 = 16;
const TURNS_INSIDE: u64 = 4;

/// How private arrays of scalars are accessed that are loaded from and stored to element by element.
#[derive(Default)]
pub(super) struct Accessed {
    arrays: FxHashMap<Value, Vec<Access>>,
}

/// A load or a store.
struct Access {
    /// Its place in the layout.
    position: usize,
    address: Value,
    is_load: bool,
}

impl Accessed {
    pub fn new(finder: &Finder<'_>) -> Accessed {
        let function = finder.function;
        let types = &*finder.folder.types;
        let mut arrays: FxHashMap<Value, Vec<Access>> = FxHashMap::default();
        arrays.extend(small_arrays(types, function).map(|array| (array, Vec::new())));
        if arrays.is_empty() {
            return Accessed { arrays };
        }
        // By address: the array that it is in.
        let mut addresses: FxHashMap<Value, Value> = FxHashMap::default();
        let mut others: FxHashSet<Value> = FxHashSet::default();
        for (position, &block) in function.layout.iter().enumerate() {
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst];
                let accessed = match data.kind {
                    InstKind::Access { base, .. } if arrays.contains_key(&base) => {
                        addresses.extend(data.result.map(|address| (address, base)));
                        continue;
                    }
                    InstKind::Load { pointer, access } if !access.flags.volatile => {
                        Some((pointer, None))
                    }
                    InstKind::Store { pointer, value, access } if !access.flags.volatile => {
                        Some((pointer, Some(value)))
                    }
                    _ => None,
                };
                if let Some((address, value)) = accessed
                    && let Some(array) = addresses.get(&address)
                    && is_scalar(types, function, address)
                {
                    if let Some(accesses) = arrays.get_mut(array) {
                        accesses.push(Access { position, address, is_load: value.is_none() });
                    }
                    others.extend(value);
                } else {
                    function.each_operand(inst, |operand| others.extend([operand]));
                }
            }
            function.each_terminator_operand(block, |operand| others.extend([operand]));
        }
        for other in others {
            arrays.remove(&other);
            if let Some(array) = addresses.get(&other) {
                arrays.remove(array);
            }
        }
        Accessed { arrays }
    }

    pub fn contains(&self, array: Value) -> bool {
        self.arrays.contains_key(&array)
    }

    /// How many instructions choose in each block, by its place in the layout, whatever is unrolled.
    pub fn sizes(&self, finder: &Finder<'_>, loops: &[Counted]) -> Vec<u64> {
        let layout = &finder.function.layout;
        let headers = loops.iter().map(|found| layout[found.position]).collect();
        let mut sizes = vec![0; layout.len()];
        for &Access { position, address, .. } in self.arrays.values().flatten() {
            if let Some(Place { chosen: Some(chosen), words, .. }) =
                place(finder, address, &headers)
            {
                sizes[position] += CHOICE * words * chosen.count;
            }
        }
        sizes
    }

    /// What chooses among elements, by its address, if the loops with these headers are unrolled; nothing where it is not
    /// worth it for all arrays, which leaves those for which it is.
    pub fn choose(
        &mut self,
        finder: &Finder<'_>,
        loops: &[Counted],
        hinted: &FxHashSet<Block>,
    ) -> Option<FxHashMap<Value, Chosen>> {
        let count = self.arrays.len();
        let mut all = FxHashMap::default();
        if count == 0 {
            return Some(all);
        }
        let turns = turns(finder, loops);
        let (mut registers_left, mut choices_left) = (MAX_REGISTERS, MAX_CHOICES);
        // In the order of the function, whatever order a map has.
        let variables = finder.function.blocks[finder.function.entry()].insts.iter();
        for array in variables.filter_map(|&inst| finder.function.insts[inst].result) {
            let Some(accesses) = self.arrays.get(&array) else { continue };
            let used = finder.private_type(array).map(|ty| registers(finder.folder.types, ty));
            let chosen = chosen(finder, accesses, &turns, hinted).and_then(|chosen| {
                let choices = chosen.values().map(|chosen| chosen.count).sum();
                registers_left = registers_left.checked_sub(used?)?;
                choices_left = choices_left.checked_sub(choices)?;
                Some(chosen)
            });
            match chosen {
                Some(chosen) => all.extend(chosen),
                None => drop(self.arrays.remove(&array)),
            }
        }
        (self.arrays.len() == count).then_some(all)
    }
}

/// Whether a function has an array that may be taken out of memory.
pub(super) fn has_arrays(types: &TypePool, function: &Function) -> bool {
    !function.is_declaration() && small_arrays(types, function).next().is_some()
}

fn small_arrays(types: &TypePool, function: &Function) -> impl Iterator<Item = Value> {
    function.blocks[function.entry()].insts.iter().filter_map(|&inst| {
        let InstKind::Variable { ty, .. } = function.insts[inst].kind else { return None };
        let is_small =
            matches!(types.kind(ty), TypeKind::Array(..)) && registers(types, ty) <= MAX_REGISTERS;
        function.insts[inst].result.filter(|_| is_small)
    })
}

fn is_scalar(types: &TypePool, function: &Function, address: Value) -> bool {
    let ty = address.as_local().map(|index| function.values[index].ty);
    let pointee = ty.and_then(|ty| types.pointer_parts(ty));
    pointee.is_some_and(|(of, _)| matches!(types.kind(of), TypeKind::Int(_) | TypeKind::Float(_)))
}

/// What chooses among the elements of an array whose other accesses are at known indices, if there is some and it is
/// worth it.
fn chosen(
    finder: &Finder<'_>,
    accesses: &[Access],
    turns: &[u64],
    hinted: &FxHashSet<Block>,
) -> Option<FxHashMap<Value, Chosen>> {
    let mut chosen: FxHashMap<Value, Chosen> = FxHashMap::default();
    // In choices between two elements: what they take, and what accesses of memory take.
    let (mut choices, mut memory) = (0u64, 0u64);
    // Drivers keep it there, if nothing is done about it.
    let mut in_memory = false;
    let mut compared = FxHashSet::default();
    let stored: FxHashSet<Value> =
        accesses.iter().filter(|access| !access.is_load).map(|access| access.address).collect();
    for &Access { position, address, .. } in accesses {
        let times = turns[position];
        let Place { chosen: found, is_dynamic, words, is_narrow } = place(finder, address, hinted)?;
        in_memory |= is_dynamic;
        let Some(found) = found else {
            let is_single = is_narrow || stored.contains(&address);
            let each = if is_single { KNOWN } else { KNOWN_LOADED };
            memory = memory.saturating_add(times.saturating_mul(each * words));
            continue;
        };
        chosen.insert(address, found);
        memory = memory.saturating_add(times.saturating_mul(UNKNOWN));
        // What is both loaded and stored is compared once.
        if compared.insert((address, position)) {
            let each = found.count.saturating_mul(words + 1).div_ceil(2);
            choices = choices.saturating_add(times.saturating_mul(each));
        }
    }
    (in_memory && choices < memory).then_some(chosen)
}

/// What is accessed at an address.
struct Place {
    /// What chooses the element, if its index is not known for certain.
    chosen: Option<Chosen>,
    /// Whether it is certainly none that a driver finds out.
    is_dynamic: bool,
    /// Registers of the element.
    words: u64,
    /// Whether it is part of one.
    is_narrow: bool,
}

/// Nothing if several indices are not known.
fn place(finder: &Finder<'_>, address: Value, headers: &FxHashSet<Block>) -> Option<Place> {
    let function = finder.function;
    let types = &*finder.folder.types;
    let (_, data) = function.def_inst(address)?;
    let InstKind::Access { base: array, indices } = data.kind else { return None };
    let (element, _) = types.pointer_parts(function.values[address.as_local()?].ty)?;
    let (words, is_narrow) = (registers(types, element), types.size(element) < 4);
    let mut place = Place { chosen: None, is_dynamic: false, words, is_narrow };
    let values: Vec<Value> = function.values_of(indices).collect();
    for (position, &index) in values.iter().enumerate() {
        let knowledge = finder.knowledge(index, headers);
        if knowledge == Knowledge::Constant {
            continue;
        }
        if place.chosen.is_some() {
            return None;
        }
        let count = indexed_array(&finder.folder, function, array, &values[..position])?;
        place.chosen = Some(Chosen { array, indices, position, count });
        place.is_dynamic = knowledge == Knowledge::Dynamic;
    }
    Some(place)
}

/// By place in the layout: how often a block is passed, about.
fn turns(finder: &Finder<'_>, loops: &[Counted]) -> Vec<u64> {
    let layout = &finder.function.layout;
    let mut turns = vec![1u64; layout.len()];
    let counted: FxHashMap<usize, u64> =
        loops.iter().map(|found| (found.position, found.turns)).collect();
    for (position, &header) in layout.iter().enumerate() {
        if let Some(Merge::Loop { merge, .. }) = finder.function.blocks[header].merge {
            let unknown = if turns[position] == 1 { TURNS } else { TURNS_INSIDE };
            let count = counted.get(&position).copied().unwrap_or(unknown).max(1);
            let inside = layout[position..].iter().position(|&block| block == merge);
            for turns in turns[position..].iter_mut().take(inside.unwrap_or(0)) {
                *turns = turns.saturating_mul(count);
            }
        }
    }
    turns
}
