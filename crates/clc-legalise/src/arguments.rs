//! Structs and arrays reach a kernel through memory: the argument becomes a pointer to a private
//! copy with the attribute ByVal, as OpenCL drivers expect; the kernel loads the value from it.
//! Intel's driver for processors has one copy for all work-items, so that a kernel that writes it makes its own.

use clc_ir::{
    Const, ConstPool, Function, Inst, InstKind, MathFlags, MemFlags, MemoryAccess, Module,
    StorageClass, Type, TypeKind, TypePool, Value,
};
use rustc_hash::FxHashSet;

pub(crate) fn pass_aggregates_through_memory(module: &mut Module) {
    let Module { functions, types, .. } = module;
    for function in functions.values_mut() {
        if function.entry_point.is_none() || function.is_declaration() {
            continue;
        }
        for index in 0..function.params.len() {
            let ty = function.params[index];
            if !matches!(types.kind(ty), TypeKind::Struct(_) | TypeKind::Array(..)) {
                continue;
            }
            let align = types.align(ty) as u32;
            let pointer = types.pointer(ty, StorageClass::Function);
            let entry = function.entry();
            let param = function.blocks[entry].params[index];
            let access = MemoryAccess { align, flags: MemFlags::default() };
            let load = function.create_inst(
                InstKind::Load { pointer: param, access },
                Some(ty),
                MathFlags::NONE,
                function.span.into(),
            );
            let Some(loaded) = function.insts[load].result else { continue };
            // The load itself is in no block yet and keeps its operand.
            function.map_all_operands(|value| if value == param { loaded } else { value });
            function.blocks[entry].insts.insert(0, load);
            function.params[index] = pointer;
            set_type(function, param, pointer);
            if function.param_attributes.len() <= index {
                function.param_attributes.resize(index + 1, Default::default());
            }
            function.param_attributes[index].by_value = true;
            function.param_attributes[index].align = align;
        }
    }
}

/// Gives kernels a copy of each argument that they do more with than read it.
pub(crate) fn copy_written_arguments(module: &mut Module) {
    let Module { functions, types, consts, .. } = module;
    for function in functions.values_mut() {
        if function.entry_point.is_none() || function.is_declaration() {
            continue;
        }
        for index in 0..function.params.len() {
            let is_by_value =
                function.param_attributes.get(index).is_some_and(|attributes| attributes.by_value);
            let param = function.blocks[function.entry()].params[index];
            if is_by_value && !is_only_read(function, param) {
                copy(function, types, consts, param, function.params[index]);
            }
        }
    }
}

/// Whether all that is done through a pointer is to load, and to copy from there.
fn is_only_read(function: &Function, pointer: Value) -> bool {
    let mut derived = FxHashSet::from_iter([pointer]);
    loop {
        let known = derived.len();
        for &block in &function.layout {
            let mut is_read = true;
            function.each_terminator_operand(block, |value| is_read &= !derived.contains(&value));
            for &inst in &function.blocks[block].insts {
                let mut is_used = false;
                function.each_operand(inst, |value| is_used |= derived.contains(&value));
                let data = &function.insts[inst];
                match data.kind {
                    _ if !is_used => {}
                    InstKind::Load { .. } => {}
                    InstKind::CopyMemory { destination, .. } => {
                        is_read &= !derived.contains(&destination);
                    }
                    InstKind::PtrAdd { .. } | InstKind::Access { .. } => {
                        derived.extend(data.result);
                    }
                    _ => is_read = false,
                }
            }
            if !is_read {
                return false;
            }
        }
        // A block may come before one that has its addresses.
        if derived.len() == known {
            return true;
        }
    }
}

/// Copies an argument into a variable, which takes its part.
fn copy(
    function: &mut Function,
    types: &mut TypePool,
    consts: &mut ConstPool,
    param: Value,
    pointer: Type,
) {
    let Some((ty, _)) = types.pointer_parts(pointer) else { return };
    let align = types.align(ty) as u32;
    let location = function.span.into();
    let create = |function: &mut Function, kind, ty| {
        function.create_inst(kind, ty, MathFlags::NONE, location)
    };
    let variable = create(function, InstKind::Variable { ty, align }, Some(pointer));
    let Some(destination) = function.insts[variable].result else { return };
    function.map_all_operands(|value| if value == param { destination } else { value });
    let size = types.size(ty);
    let size = consts.intern(Const::Int(types.size_type(), size));
    let access = MemoryAccess::aligned(align);
    let kind = InstKind::CopyMemory { destination, source: param, size, access };
    let copied = create(function, kind, None);
    let entry = function.entry();
    let insts = &mut function.blocks[entry].insts;
    insts.insert(0, variable);
    let is_variable = |inst: &Inst| matches!(function.insts[*inst].kind, InstKind::Variable { .. });
    let after = insts.iter().position(|inst| !is_variable(inst)).unwrap_or(insts.len());
    insts.insert(after, copied);
}

fn set_type(function: &mut Function, value: Value, ty: Type) {
    if let Some(index) = value.as_local() {
        function.values[index].ty = ty;
    }
}
