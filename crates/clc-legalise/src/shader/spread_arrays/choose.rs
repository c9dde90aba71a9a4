//! The arrays that gain.

use clc_base::arena::Id as _;
use clc_ir::{
    Cfg, Dominators, Function, InstKind, StorageClass, Type, TypeKind, TypePool, Value, ValueList,
};
use clc_passes::lockstep::Lockstep;
use rustc_hash::FxHashMap;

use super::Shape;

/// Bytes of all arrays for each work-item: with more, fewer work-groups are on the device side by side.
const BYTES: u64 = 192;

/// Of accesses, those at indices that differ are at least one to so many others.
const OTHERS: u64 = 2;

/// Those at indices that differ, for each load of global memory in their kernel: many work-groups side by side are what
/// such loads need.
const FOR_EACH_LOAD: u64 = 2;

/// Arrays of so many elements that nothing is stored to at indices that differ are a choice among values.
const VALUES: u64 = 4;

/// How often a loop turns, and how many are counted one in the other: less than `vector_loads` guesses, and deeper, since
/// loops over small arrays are short ones in others.
const TURNS: u64 = 4;
const MAX_DEPTH: u32 = 6;

/// An array that moves.
pub struct Choice {
    pub variable: Value,
    pub ty: Type,
}

/// How an array is accessed.
struct Array {
    variable: Value,
    ty: Type,
    /// Whether all that is done with it is to load and store parts of it.
    is_plain: bool,
    /// Accesses at indices that differ between work-items, as often as loops do them.
    differing: u64,
    stores_differing: bool,
    others: u64,
}

/// The arrays of a kernel that are better off in local memory, those first that gain most.
pub fn run(types: &TypePool, function: &Function) -> Vec<Choice> {
    let mut arrays = arrays(types, function);
    if arrays.iter().all(|array| !array.is_plain) {
        return Vec::new();
    }
    let cfg = Cfg::new(function);
    let Some(lockstep) = Lockstep::new(types, function, &cfg) else { return Vec::new() };
    let depths = Dominators::new(&cfg).loops_around(&cfg);
    let mut loads = 0;
    for &block in &function.layout {
        let turns = TURNS.pow(depths[block.index()].min(MAX_DEPTH));
        for &inst in &function.blocks[block].insts {
            let (pointer, is_store) = match function.insts[inst].kind {
                InstKind::Load { pointer, .. } => (pointer, false),
                InstKind::Store { pointer, .. } => (pointer, true),
                _ => continue,
            };
            if !is_store && is_global(types, function, pointer) {
                loads += turns;
            }
            let Some((variable, indices)) = part(function, pointer) else { continue };
            let Some(array) = arrays.iter_mut().find(|array| array.variable == variable) else {
                continue;
            };
            if function.values_of(indices).any(|index| lockstep.differs(index, block)) {
                array.differing += turns;
                array.stores_differing |= is_store;
            } else {
                array.others += turns;
            }
        }
    }
    arrays.retain(|array| {
        let is_choice = Shape::new(types, array.ty).count() <= VALUES && !array.stores_differing;
        array.is_plain
            && array.differing > 0
            && !is_choice
            && OTHERS * array.differing >= array.others
    });
    // Most accesses for each byte first.
    arrays.sort_by_key(|array| std::cmp::Reverse(array.differing * BYTES / types.size(array.ty)));
    let mut left = BYTES;
    let mut differing = 0;
    let mut chosen = Vec::new();
    for array in arrays {
        if let Some(rest) = left.checked_sub(types.size(array.ty)) {
            left = rest;
            differing += array.differing;
            chosen.push(Choice { variable: array.variable, ty: array.ty });
        }
    }
    match differing >= FOR_EACH_LOAD * loads {
        true => chosen,
        false => Vec::new(),
    }
}

/// The arrays of a kernel, and what is done with them.
fn arrays(types: &TypePool, function: &Function) -> Vec<Array> {
    let mut arrays = Vec::new();
    // By variable, and by address of a part: the array.
    let mut places = FxHashMap::default();
    for &inst in &function.blocks[function.entry()].insts {
        if let InstKind::Variable { ty, .. } = function.insts[inst].kind
            && let TypeKind::Array(..) = types.kind(ty)
            && (1..=BYTES).contains(&types.size(ty))
            && let Some(variable) = function.insts[inst].result
        {
            places.insert(variable, arrays.len());
            let none = Array {
                variable,
                ty,
                is_plain: true,
                differing: 0,
                stores_differing: false,
                others: 0,
            };
            arrays.push(none);
        }
    }
    if arrays.is_empty() {
        return arrays;
    }
    for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
        let data = &function.insts[inst];
        if let InstKind::Access { base, indices } = data.kind
            && let Some(&array) = places.get(&base)
            && let Some(result) = data.result
        {
            // Down to an element at least.
            let depth = Shape::new(types, arrays[array].ty).lengths.len();
            arrays[array].is_plain &= base == arrays[array].variable && indices.len() >= depth;
            places.insert(result, array);
        }
    }
    let mut escapes = |value: Value| {
        if let Some(&array) = places.get(&value) {
            arrays[array].is_plain = false;
        }
    };
    for &block in &function.layout {
        let data = &function.blocks[block];
        for &inst in &data.insts {
            match function.insts[inst].kind {
                InstKind::Load { pointer, access } | InstKind::Store { pointer, access, .. }
                    if !access.flags.volatile && is_number(types, function, pointer) =>
                {
                    if let InstKind::Store { value, .. } = function.insts[inst].kind {
                        escapes(value);
                    }
                }
                InstKind::Access { .. } => {}
                _ => function.each_operand(inst, &mut escapes),
            }
        }
        data.terminator.operand().into_iter().for_each(&mut escapes);
        for target in data.terminator.targets() {
            function.values_of(target.arguments).for_each(&mut escapes);
        }
    }
    arrays
}

/// The variable that an address is a part of, and the indices.
fn part(function: &Function, pointer: Value) -> Option<(Value, ValueList)> {
    let (_, data) = function.def_inst(pointer)?;
    match data.kind {
        InstKind::Access { base, indices } => Some((base, indices)),
        _ => None,
    }
}

/// Whether an address is a part of something, and what it points to is a number or a vector of numbers.
fn is_number(types: &TypePool, function: &Function, pointer: Value) -> bool {
    function.def_inst(pointer).is_some_and(|(_, data)| {
        matches!(data.kind, InstKind::Access { .. })
            && pointer_parts(types, function, pointer)
                .is_some_and(|(ty, _)| types.scalar_bits(ty).is_some())
    })
}

fn is_global(types: &TypePool, function: &Function, pointer: Value) -> bool {
    let parts = pointer_parts(types, function, pointer);
    parts.is_some_and(|(_, class)| class == StorageClass::CrossWorkgroup)
}

fn pointer_parts(
    types: &TypePool,
    function: &Function,
    pointer: Value,
) -> Option<(Type, StorageClass)> {
    types.pointer_parts(function.values[pointer.as_local()?].ty)
}
