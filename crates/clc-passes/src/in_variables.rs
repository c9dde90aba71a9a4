//! Private variables for values whose definitions are about to be several; [`mem2reg`](crate::mem2reg) makes values of
//! them again.

use clc_ir::debug::Location;
use clc_ir::{
    Align, Block, Function, Inst, InstKind, MathFlags, MemoryAccess, StorageClass, TypePool, Value,
};
use rustc_hash::FxHashMap;

/// Another place where a value is defined: at the end of `block`, as `value`.
pub(crate) struct Definition {
    pub block: Block,
    /// What is defined.
    pub of: Value,
    pub value: Value,
}

/// Stores each of `values` to a variable of its own where it is defined, also where `more` says, and loads it where it
/// is used, unless it `stays` what it is in a block.
pub(crate) fn keep(
    types: &mut TypePool,
    function: &mut Function,
    values: &[Value],
    more: &[Definition],
    stays: impl Fn(Value, Block) -> bool,
) {
    let mut variables = FxHashMap::default();
    for &value in values {
        let ty = function.values[value.as_local().unwrap_or_default()].ty;
        let align = types.align(ty) as Align;
        let pointer = types.pointer(ty, StorageClass::Function);
        let kind = InstKind::Variable { ty, align };
        let inst = function.create_inst(kind, Some(pointer), MathFlags::NONE, Location::default());
        let entry = function.entry();
        function.blocks[entry].insts.insert(0, inst);
        let variable = function.insts[inst].result.expect("a variable has an address");
        variables.insert(value, (variable, ty, MemoryAccess::aligned(align)));
    }
    let store = |function: &mut Function, of: Value, value: Value| {
        let (pointer, _, access) = *variables.get(&of)?;
        let kind = InstKind::Store { pointer, value, access };
        Some(function.create_inst(kind, None, MathFlags::NONE, Location::default()))
    };
    for definition in more {
        if let Some(inst) = store(function, definition.of, definition.value) {
            function.blocks[definition.block].insts.push(inst);
        }
    }
    for block in function.layout.clone() {
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut used = Vec::new();
        for &inst in &insts {
            function.each_operand(inst, |value| used.push(value));
        }
        function.each_terminator_operand(block, |value| used.push(value));
        let mut new = Vec::with_capacity(insts.len());
        let mut map: FxHashMap<Value, Value> = FxHashMap::default();
        for value in used {
            if let Some(&(pointer, ty, access)) = variables.get(&value)
                && !map.contains_key(&value)
                && !stays(value, block)
            {
                let kind = InstKind::Load { pointer, access };
                let load =
                    function.create_inst(kind, Some(ty), MathFlags::NONE, Location::default());
                new.push(load);
                map.extend(function.insts[load].result.map(|result| (value, result)));
            }
        }
        for param in function.blocks[block].params.clone() {
            new.extend(store(function, param, param));
        }
        // Those of the entry come first.
        let is_variable =
            |inst: &Inst| matches!(function.insts[*inst].kind, InstKind::Variable { .. });
        let first = insts.iter().take_while(|inst| is_variable(inst)).count();
        new.splice(0..0, insts[..first].iter().copied());
        for &inst in &insts[first..] {
            function.map_operands(inst, |value| *map.get(&value).unwrap_or(&value));
            new.push(inst);
            if let Some(result) = function.insts[inst].result {
                new.extend(store(function, result, result));
            }
        }
        function.map_terminator_operands(block, |value| *map.get(&value).unwrap_or(&value));
        function.blocks[block].insts = new;
    }
}
