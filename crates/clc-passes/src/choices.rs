//! Chooses among the elements of private arrays, where an index is not known.
//!
//! ```text
//! a[k] = x;        ->     a[0] = k == 0 ? x : a[0]; a[1] = k == 1 ? x : a[1];
//! y = a[k];               y = k == 1 ? a[1] : a[0];
//! ```
//!
//! What is left of the array are elements that are known, which are in registers.

use clc_ir::debug::Location;
use clc_ir::{
    Block, CompareOp, Const, Function, Inst, InstKind, MathFlags, MemoryAccess, Type, TypePool,
    Value, ValueDef, ValueList,
};
use rustc_hash::FxHashMap;

use crate::context::ModuleContext;

/// The address of an element that an index says.
#[derive(Clone, Copy)]
pub(crate) struct Chosen {
    pub array: Value,
    pub indices: ValueList,
    /// Which of the indices is not known.
    pub position: usize,
    /// How many elements it chooses among.
    pub count: u64,
}

/// Writes what loads and stores of such addresses do, which have no other use.
pub(crate) fn write(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    addresses: &FxHashMap<Value, Chosen>,
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
                Some(&chosen) => {
                    let mut choice = Choice { context, function, block, chosen, access, pointer };
                    choice.write(inst, stored);
                }
                None => function.blocks[block].insts.push(inst),
            }
        }
    }
}

/// An access of the element of an array that an index says.
struct Choice<'a, 'm> {
    context: &'a mut ModuleContext<'m>,
    function: &'a mut Function,
    block: Block,
    chosen: Chosen,
    access: MemoryAccess,
    /// What has that address.
    pointer: Value,
}

impl Choice<'_, '_> {
    /// Writes at the end of the block what a load or a store does.
    fn write(&mut self, inst: Inst, stored: Option<Value>) {
        let Chosen { array, indices, position, count } = self.chosen;
        let mut indices: Vec<Value> = self.function.values_of(indices).collect();
        let index = indices[position];
        let pointer = self.context.type_of(self.function, self.pointer);
        let Some((element, _)) = self.context.types.pointer_parts(pointer) else { return };
        let index_type = self.context.type_of(self.function, index);
        let access = self.access;
        let mut result = None;
        for number in 0..count {
            let constant = self.context.consts.intern(Const::Int(index_type, number));
            indices[position] = constant;
            let kind = InstKind::Access { base: array, indices: self.function.list(&indices) };
            let Some(address) = self.add(kind, Some(pointer)) else { return };
            let kind = InstKind::Load { pointer: address, access };
            let Some(old) = self.add(kind, Some(element)) else { return };
            let (then, otherwise) = match (stored, result) {
                (Some(value), _) => (value, old),
                (None, Some(others)) => (old, others),
                (None, None) => {
                    result = Some(old);
                    continue;
                }
            };
            let kind = InstKind::Compare { op: CompareOp::Equal, left: index, right: constant };
            let Some(condition) = self.add(kind, Some(TypePool::BOOL)) else { return };
            let chosen = self.add(InstKind::Select { condition, then, otherwise }, Some(element));
            match (stored, chosen) {
                (Some(_), Some(value)) => {
                    self.add(InstKind::Store { pointer: address, value, access }, None);
                }
                _ => result = chosen,
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
