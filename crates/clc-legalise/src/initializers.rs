//! Arrays and structs are initialised by copying from constant memory.
//!
//! Storing a whole constant array is valid SPIR-V, but Intel's runtime fills the elements that
//! are OpConstantNull with garbage, and others spend one instruction an element. Every driver is
//! used to the form C compilers give: a constant variable and a copy.

use clc_base::Span;
use clc_ir::{Const, GlobalId, InstKind, Linkage, Module, StorageClass, Type, TypeKind, Value};
use rustc_hash::FxHashMap;

/// Replaces stores of constant arrays and structs by copies.
pub(crate) fn copy_from_constants(module: &mut Module) {
    let Module { types, consts, globals, functions, .. } = module;
    let mut sources: FxHashMap<Value, Value> = FxHashMap::default();
    for function in functions.values_mut() {
        for block in function.layout.clone() {
            for index in 0..function.blocks[block].insts.len() {
                let inst = function.blocks[block].insts[index];
                let InstKind::Store { pointer, value, access } = function.insts[inst].kind else {
                    continue;
                };
                let Some(id) = value.as_const() else { continue };
                let ty = consts.ty(id);
                let is_aggregate =
                    matches!(types.kind(ty), TypeKind::Array(..) | TypeKind::Struct(_));
                let has_contents = matches!(consts.get(id), Const::Composite(..) | Const::Null(_));
                let size = types.size(ty);
                // Matrices are never in constant memory.
                if !is_aggregate || !has_contents || size == 0 || types.has_matrix(ty) {
                    continue;
                }
                let span = function.insts[inst].location.span;
                let source = *sources.entry(value).or_insert_with(|| {
                    let align = types.align(ty).max(u64::from(access.align)) as u32;
                    let global =
                        globals.push(constant_variable(globals.len(), ty, value, align, span));
                    let pointer = types.pointer(ty, StorageClass::UniformConstant);
                    consts.intern(Const::GlobalAddress(pointer, global))
                });
                let size = consts.intern(Const::Int(types.size_type(), size));
                function.insts[inst].kind =
                    InstKind::CopyMemory { destination: pointer, source, size, access };
            }
        }
    }
}

fn constant_variable(
    number: usize,
    ty: Type,
    value: Value,
    align: u32,
    span: Span,
) -> clc_ir::Global {
    clc_ir::Global {
        name: format!(".init.{}", GlobalId(number as u32)),
        ty,
        class: StorageClass::UniformConstant,
        initializer: Some(value),
        align,
        is_const: true,
        linkage: Linkage::Internal,
        span,
    }
}
