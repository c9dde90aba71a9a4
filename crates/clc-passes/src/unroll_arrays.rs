//! Writes out loops that index private arrays, where that makes values of the arrays' elements and drivers would not
//! find out: loops in loops whose bounds count in the outer one, as those over a half of a matrix.
//!
//! ```text
//! for (r = 0; r < 3; r++)                 x[1] -= a[1][0] * x[0];
//!     for (k = 0; k < r; k++)       ->    x[2] -= a[2][0] * x[0];
//!         x[r] -= a[r][k] * x[k];         x[2] -= a[2][1] * x[1];
//! ```
//!
//! Shaders' drivers write out other loops with a known number of turns, as [`unroll_hints`](crate::unroll_hints) asks them
//! to, and find the elements by themselves; those of OpenCL's make vectors of work-items first, and gather and scatter
//! what an array in memory holds. For these all loops that index arrays are written out.
//!
//! A loop may leave early: one that moves the elements of a short list up until a new one fits does. What then indexes
//! the list behind the loop chooses among its elements:
//!
//! ```text
//! a[k] = x;                        ->     a[0] = k == 0 ? x : a[0]; a[1] = k == 1 ? x : a[1];
//! ```
//!
//! An array that is indexed in more places stays in memory whatever is written out, so that nothing is then.

use clc_ir::debug::Location;
use clc_ir::{
    Block, Cfg, CompareOp, Const, Dominators, Function, Inst, InstKind, MathFlags, MemoryAccess,
    Type, TypeKind, TypePool, Value, ValueDef,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::ModuleContext;
use crate::counted::{self, Known, Loop};
use crate::fold::Folder;
use crate::simplify_cfg::{self, remove_unreachable};
use crate::{common_subexpressions, dead_code, mem2reg, simplify, sroa, unroll_hints};

/// Instructions that all loops of a function may become.
const MAX_SIZE: u64 = 4096;

/// The same, where drivers would not do it otherwise.
const MAX_SIZE_FOR_ALL: u64 = 2048;

/// Elements of an array that may become values.
const MAX_ELEMENTS: u64 = 160;

/// Elements of an array among which is chosen.
const MAX_CHOICES: u64 = 16;

/// Choices for all that still indexes an array.
const MAX_CHOSEN: u64 = 64;

/// The same in a loop, for each access there of an element that is known.
const MAX_CHOICES_FOR_KNOWN: u64 = 2;

/// Loops in loops in loops.
const MAX_DEPTH: usize = 6;

/// Arrays that may turn out to stay in memory, one after the other.
const MAX_TRIES: usize = 3;

/// Which loops are written out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    /// Those that drivers do not write out: whose turns depend on a loop around them or are many, and that may leave
    /// early.
    Hard,
    All,
}

/// Writes out the loops of a function that has such arrays and that drivers would not write out; `sroa` and `mem2reg`
/// are to make values of the elements.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    write_out(context, function, Which::Hard, MAX_SIZE);
}

/// Writes out all loops of a function that index small arrays, and makes values of their elements.
pub fn run_for_all(context: &mut ModuleContext<'_>, function: &mut Function) {
    if write_out(context, function, Which::All, MAX_SIZE_FOR_ALL) {
        sroa::run(context, function);
        mem2reg::run(context, function);
        simplify_cfg::run(context, function);
        simplify::run(context, function);
        common_subexpressions::run(context, function);
        dead_code::run(context, function);
        simplify_cfg::run(context, function);
    }
}

fn write_out(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    which: Which,
    most: u64,
) -> bool {
    if !function.blocks[function.entry()].insts.iter().any(|&inst| {
        matches!(function.insts[inst].kind, InstKind::Variable { ty, .. }
            if elements(context.types, ty).is_some())
    }) {
        return false;
    }
    remove_unreachable(function);
    let mut arrays = arrays(context, function, which);
    for _ in 0..MAX_TRIES {
        if arrays.is_empty() {
            return false;
        }
        let original = function.clone();
        unroll(context, function, &arrays, most);
        let stay = choose(context, function, &arrays);
        if stay.is_empty() {
            return true;
        }
        *function = original;
        arrays.retain(|array| !stay.contains(array));
    }
    false
}

/// Writes out the loops that index some arrays, those in loops after those around them.
fn unroll(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    arrays: &FxHashSet<Value>,
    mut left: u64,
) {
    for _ in 0..MAX_DEPTH {
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        let loops = counted::loops(function, &cfg, &dominators);
        let needed = needed(function, &loops, arrays);
        let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
        let mut chosen: Vec<(Loop, u64)> = Vec::new();
        let mut taken = FxHashSet::default();
        for found in loops {
            if taken.contains(&found.header)
                || !needed.contains(&found.header)
                || has_variables(function, &found)
                || !counted::can_unroll(folder.types, function, &found)
            {
                continue;
            }
            let turns = counted::turns(&mut folder, function, &found, &Known::default());
            let Some((turns, _)) = turns else { continue };
            let grown = found.size(function).saturating_mul(turns);
            if let Some(rest) = left.checked_sub(grown) {
                left = rest;
                taken.extend(found.blocks.iter().copied());
                chosen.push((found, turns));
            }
        }
        if chosen.is_empty() {
            break;
        }
        for (found, turns) in &chosen {
            counted::unroll(context.types, function, found, *turns);
        }
        // The counted variables become the constants that they are, those of loops that left early, too.
        mem2reg::run(context, function);
        simplify_cfg::run(context, function);
        simplify::run(context, function);
    }
}

/// Chooses among the elements of arrays that a few places still index. Returns the arrays that are indexed in more, or
/// otherwise used: they stay in memory.
fn choose(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    arrays: &FxHashSet<Value>,
) -> FxHashSet<Value> {
    // By address: the array and the index, and the array that it is in.
    let mut addresses: FxHashMap<Value, (Value, Value)> = FxHashMap::default();
    let mut within: FxHashMap<Value, Value> = arrays.iter().map(|&array| (array, array)).collect();
    let mut stay = FxHashSet::default();
    for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
        let data = &function.insts[inst];
        let InstKind::Access { base, indices } = data.kind else { continue };
        let (Some(&array), Some(address)) = (within.get(&base), data.result) else { continue };
        within.insert(address, array);
        if function.values_of(indices).all(Value::is_const) {
            continue;
        }
        match base == array && indices.len() == 1 && choices(context, function, array).is_some() {
            true => drop(addresses.insert(address, (array, function.value_at(indices, 0)))),
            false => drop(stay.insert(array)),
        }
    }
    let around = innermost_loops(function);
    let mut chosen: FxHashMap<Value, u64> = FxHashMap::default();
    // In a loop: choices, and accesses of elements that are known.
    let mut in_loop: FxHashMap<(Value, Block), [u64; 2]> = FxHashMap::default();
    let mut count = |address: Value, is_accessed: bool, header: Option<Block>| {
        if let Some(&(array, _)) = addresses.get(&address) {
            let here = choices(context, function, array).unwrap_or(0);
            let count = chosen.entry(array).or_default();
            *count += here;
            if !is_accessed || *count > MAX_CHOSEN {
                stay.insert(array);
            }
            if let Some(header) = header {
                in_loop.entry((array, header)).or_default()[0] += here;
            }
        } else if let Some(&array) = within.get(&address) {
            match (is_accessed, header) {
                (true, Some(header)) => in_loop.entry((array, header)).or_default()[1] += 1,
                (true, None) => {}
                (false, _) => drop(stay.insert(array)),
            }
        }
    };
    for &block in &function.layout {
        let header = around.get(&block).copied();
        let mut count = |address, is_accessed| count(address, is_accessed, header);
        for &inst in &function.blocks[block].insts {
            match function.insts[inst].kind {
                InstKind::Load { pointer, access } => count(pointer, !access.flags.volatile),
                InstKind::Store { pointer, value, access } => {
                    count(pointer, !access.flags.volatile);
                    count(value, false);
                }
                InstKind::CopyMemory { destination, source, .. } => {
                    for whole in [destination, source] {
                        count(whole, !addresses.contains_key(&whole));
                    }
                }
                // What comes of it is looked at itself.
                InstKind::Access { .. } => {}
                _ => function.each_operand(inst, |value| count(value, false)),
            }
        }
        function.each_terminator_operand(block, |value| count(value, false));
    }
    // Memory is better where a loop does little else with an array than to index it, as those that count in bins.
    let is_worse =
        |&(_, &[choices, known]): &(_, &[u64; 2])| choices > MAX_CHOICES_FOR_KNOWN * known;
    stay.extend(in_loop.iter().filter(is_worse).map(|(&(array, _), _)| array));
    if stay.is_empty() {
        write_choices(context, function, &addresses);
    }
    stay
}

/// By block: the head of the innermost loop that it is in.
fn innermost_loops(function: &Function) -> FxHashMap<Block, Block> {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let mut innermost = FxHashMap::default();
    // Those around come first.
    for &header in cfg.reverse_post_order() {
        let back = cfg.predecessors(header).filter(|&from| dominators.dominates(header, from));
        let back: Vec<Block> = back.collect();
        if !back.is_empty() {
            let blocks = counted::blocks(&cfg, header, back);
            innermost.extend(blocks.into_iter().map(|block| (block, header)));
        }
    }
    innermost
}

/// Writes what loads and stores of addresses do that are an array and an index.
fn write_choices(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    addresses: &FxHashMap<Value, (Value, Value)>,
) {
    for block in function.layout.clone() {
        for inst in std::mem::take(&mut function.blocks[block].insts) {
            let data = function.insts[inst];
            // The address itself has no other use.
            if data.result.is_some_and(|result| addresses.contains_key(&result)) {
                continue;
            }
            let (pointer, stored, access) = match data.kind {
                InstKind::Load { pointer, access } => (pointer, None, access),
                InstKind::Store { pointer, value, access } => (pointer, Some(value), access),
                _ => {
                    function.blocks[block].insts.push(inst);
                    continue;
                }
            };
            match addresses.get(&pointer) {
                Some(&(array, index)) => {
                    let mut choice =
                        Choice { context, function, block, array, index, access, pointer };
                    choice.write(inst, stored);
                }
                None => function.blocks[block].insts.push(inst),
            }
        }
    }
}

/// The number of elements of an array, if it is worth choosing among them.
fn choices(context: &ModuleContext<'_>, function: &Function, array: Value) -> Option<u64> {
    let (_, data) = function.def_inst(array)?;
    let InstKind::Variable { ty, .. } = data.kind else { return None };
    let TypeKind::Array(element, count) = context.types.kind(ty) else { return None };
    let is_scalar = matches!(context.types.kind(element), TypeKind::Int(_) | TypeKind::Float(_));
    (is_scalar && count <= MAX_CHOICES).then_some(count)
}

/// An access of the element of an array that an index says.
struct Choice<'a, 'm> {
    context: &'a mut ModuleContext<'m>,
    function: &'a mut Function,
    block: Block,
    array: Value,
    index: Value,
    access: MemoryAccess,
    /// What `access` of the array and the index gives.
    pointer: Value,
}

impl Choice<'_, '_> {
    /// Writes at the end of the block what a load or a store does.
    fn write(&mut self, inst: Inst, stored: Option<Value>) {
        let count = choices(self.context, self.function, self.array).unwrap_or(0);
        let pointer = self.context.type_of(self.function, self.pointer);
        let Some((element, _)) = self.context.types.pointer_parts(pointer) else { return };
        let index_type = self.context.type_of(self.function, self.index);
        let access = self.access;
        let mut result = None;
        for number in 0..count {
            let constant = self.context.consts.intern(Const::Int(index_type, number));
            let indices = self.function.list(&[constant]);
            let kind = InstKind::Access { base: self.array, indices };
            let Some(address) = self.add(kind, Some(pointer)) else { return };
            let kind = InstKind::Load { pointer: address, access };
            let Some(old) = self.add(kind, Some(element)) else { return };
            let kind =
                InstKind::Compare { op: CompareOp::Equal, left: self.index, right: constant };
            let Some(condition) = self.add(kind, Some(TypePool::BOOL)) else { return };
            let select = |then, otherwise| InstKind::Select { condition, then, otherwise };
            match (stored, result) {
                (Some(value), _) => {
                    let value = self.add(select(value, old), Some(element)).unwrap_or(value);
                    self.add(InstKind::Store { pointer: address, value, access }, None);
                }
                (None, None) => result = Some(old),
                (None, Some(others)) => result = self.add(select(old, others), Some(element)),
            }
        }
        // The last of the choices is what the load gave.
        if let (Some(last), Some(loaded)) = (result, self.function.insts[inst].result)
            && let Some((chosen, _)) = self.function.def_inst(last)
        {
            self.function.insts[chosen].result = Some(loaded);
            self.function.values[loaded.as_local().unwrap_or_default()].def =
                ValueDef::Inst(chosen);
        }
    }

    fn add(&mut self, kind: InstKind, ty: Option<Type>) -> Option<Value> {
        let inst = self.function.append(self.block, kind, ty, MathFlags::NONE, Location::default());
        self.function.insts[inst].result
    }
}

/// The number of elements of an array of arrays, if it may become values.
fn elements(types: &TypePool, ty: Type) -> Option<u64> {
    let TypeKind::Array(mut element, mut count) = types.kind(ty) else { return None };
    while let TypeKind::Array(inner, inner_count) = types.kind(element) {
        count = count.saturating_mul(inner_count);
        element = inner;
    }
    (count <= MAX_ELEMENTS).then_some(count)
}

/// The private variable that an instruction indexes by what is no constant.
fn indexed(function: &Function, inst: Inst) -> Option<Value> {
    let InstKind::Access { base, indices } = function.insts[inst].kind else { return None };
    let (_, variable) = function.def_inst(base)?;
    let is_dynamic = function.values_of(indices).any(|index| !index.is_const());
    (is_dynamic && matches!(variable.kind, InstKind::Variable { .. })).then_some(base)
}

/// The heads of the loops that have to be written out for the indices of some arrays to be constants: those that count
/// what the indices are computed from, and what decides how often such loops turn.
fn needed(function: &Function, loops: &[Loop], arrays: &FxHashSet<Value>) -> FxHashSet<Block> {
    let by_header: FxHashMap<Block, &Loop> =
        loops.iter().map(|found| (found.header, found)).collect();
    let mut incoming: FxHashMap<Block, Vec<Value>> = FxHashMap::default();
    for &from in &function.layout {
        for target in function.blocks[from].terminator.targets() {
            let arguments = function.values_of(target.arguments);
            incoming.entry(target.block).or_default().extend(arguments);
        }
    }
    let mut needed = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut left = Vec::new();
    for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
        if indexed(function, inst).is_some_and(|array| arrays.contains(&array))
            && let InstKind::Access { indices, .. } = function.insts[inst].kind
        {
            left.extend(function.values_of(indices));
        }
    }
    while let Some(value) = left.pop() {
        let Some(local) = value.as_local().filter(|_| seen.insert(value)) else { continue };
        match function.values[local].def {
            ValueDef::Inst(inst) => match function.insts[inst].kind {
                InstKind::Binary { .. }
                | InstKind::Unary { .. }
                | InstKind::Compare { .. }
                | InstKind::Select { .. }
                | InstKind::Convert { .. }
                // Of a table, perhaps.
                | InstKind::Load { .. }
                | InstKind::Access { .. }
                | InstKind::PtrAdd { .. } => function.each_operand(inst, |value| left.push(value)),
                _ => {}
            },
            ValueDef::Param(block, position) => {
                if let Some(found) = by_header.get(&block) {
                    needed.insert(block);
                    left.push(found.condition);
                }
                let count = function.blocks[block].params.len();
                let all = incoming.get(&block).into_iter().flatten();
                left.extend(all.skip(position as usize).step_by(count));
            }
        }
    }
    needed
}

fn has_variables(function: &Function, found: &Loop) -> bool {
    let mut insts = found.blocks.iter().flat_map(|&block| &function.blocks[block].insts);
    insts.any(|&inst| matches!(function.insts[inst].kind, InstKind::Variable { .. }))
}

/// The arrays that loops index whose turns are known: one by one, or in each turn of a loop around them.
fn arrays(context: &mut ModuleContext<'_>, function: &Function, which: Which) -> FxHashSet<Value> {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
    let loops = counted::loops(function, &cfg, &dominators);
    let mut arrays = FxHashSet::default();
    for (index, around) in loops.iter().enumerate() {
        let known = Known::default();
        let Some((count, turns)) = counted::turns(&mut folder, function, around, &known) else {
            continue;
        };
        if which == Which::All || around.leaves_early || count > unroll_hints::MAX_TURNS {
            arrays.extend(arrays_in(folder.types, function, around));
        }
        let last = around.blocks.last().and_then(|&block| cfg.position(block));
        let behind = loops[index + 1..].iter();
        for inner in behind.take_while(|inner| cfg.position(inner.header) <= last) {
            if around.contains(inner.header)
                && counted::turns(&mut folder, function, inner, &known).is_none()
                && turns
                    .iter()
                    .all(|known| counted::turns(&mut folder, function, inner, known).is_some())
            {
                arrays.extend(arrays_in(folder.types, function, inner));
            }
        }
    }
    arrays
}

fn arrays_in(types: &TypePool, function: &Function, found: &Loop) -> Vec<Value> {
    let insts = found.blocks.iter().flat_map(|&block| &function.blocks[block].insts);
    let arrays = insts.filter_map(|&inst| indexed(function, inst));
    let is_small = |array: &Value| match function.def_inst(*array).map(|(_, data)| data.kind) {
        Some(InstKind::Variable { ty, .. }) => elements(types, ty).is_some(),
        _ => false,
    };
    arrays.filter(is_small).collect()
}
