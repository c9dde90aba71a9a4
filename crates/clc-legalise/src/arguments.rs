//! Structs and arrays reach a kernel through memory: the argument becomes a pointer to a private
//! copy with the attribute ByVal, as OpenCL drivers expect; the kernel loads the value from it.

use clc_ir::{FloatFlags, InstKind, MemFlags, MemoryAccess, Module, StorageClass, TypeKind, Value};

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
                FloatFlags::NONE,
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

fn set_type(function: &mut clc_ir::Function, value: Value, ty: clc_ir::Type) {
    if let Some(index) = value.as_local() {
        function.values[index].ty = ty;
    }
}
