//! Choices among the elements of arrays, where loops are written out and an index is left.

use clc_ir::debug::Location;
use clc_ir::{
    Block, Cfg, CompareOp, Const, Dominators, Function, Inst, InstKind, MathFlags, MemoryAccess,
    Type, TypeKind, TypePool, Value, ValueDef,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::ModuleContext;
use crate::counted;

/// Elements of an array among which is chosen.
const MAX_CHOICES: u64 = 16;

/// Choices for all that still indexes an array.
const MAX_CHOSEN: u64 = 64;

/// The same in a loop, for each access there of an element that is known, and in none, for each anywhere.
const MAX_CHOICES_FOR_KNOWN: u64 = 2;
const MAX_CHOICES_ONCE: u64 = 8;

/// Chooses among the elements of arrays that a few places still index. Returns the arrays that are indexed in more, or
/// otherwise used: they stay in memory.
pub(super) fn choose(
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
    // In a loop: choices, and accesses of elements that are known. In none: choices there, and all these accesses.
    let mut in_loop: FxHashMap<(Value, Option<Block>), [u64; 2]> = FxHashMap::default();
    let mut count = |address: Value, is_accessed: bool, header: Option<Block>| {
        if let Some(&(array, _)) = addresses.get(&address) {
            let here = choices(context, function, array).unwrap_or(0);
            let count = chosen.entry(array).or_default();
            *count += here;
            if !is_accessed || *count > MAX_CHOSEN {
                stay.insert(array);
            }
            in_loop.entry((array, header)).or_default()[0] += here;
        } else if let Some(&array) = within.get(&address) {
            if is_accessed {
                for place in header.map(Some).into_iter().chain([None]) {
                    in_loop.entry((array, place)).or_default()[1] += 1;
                }
            } else {
                stay.insert(array);
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
    // Memory is better where little else is done with an array than to index it, as in loops that count in bins.
    let is_worse = |&(&(_, header), &[choices, known]): &(&(Value, Option<Block>), &[u64; 2])| {
        let most = if header.is_some() { MAX_CHOICES_FOR_KNOWN } else { MAX_CHOICES_ONCE };
        choices > most * known
    };
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
