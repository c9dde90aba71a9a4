//! Refuses what the device has not, as `--limit` says: images, and numbers of 8 and 16 bits.

use clc_base::{Diagnostic, Span};
use clc_ir::{Function, Inst, InstKind, Module, StorageClass, Type, TypeKind};

use crate::diagnostics::E0708;
use crate::options::{Missing, TargetOptions};

/// Reports each kind of thing once, where it is first needed.
pub(crate) fn run(module: &Module, options: &TargetOptions) -> Result<(), Vec<Diagnostic>> {
    let missing = options.missing;
    if missing == Missing::default() {
        return Ok(());
    }
    let mut found: Vec<(Need, Span)> = Vec::new();
    let reached = options.written(module);
    for &id in &reached.functions {
        let function = &module.functions[id];
        let opaque = |ty: &Type| is_opaque(module, *ty);
        if function.params.iter().any(opaque) {
            found.push((Need::Image, function.span));
        }
        for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
            needs(module, function, inst, &mut found);
        }
    }
    let errors: Vec<Diagnostic> = ALL
        .iter()
        .filter(|need| need.is_missing(missing))
        .filter_map(|need| {
            let &(_, span) = found.iter().find(|(known, _)| known == need)?;
            let (what, limit, clspv) = need.names();
            let message = format!("this kernel needs {what}, which the device has not");
            Some(
                Diagnostic::new(&E0708, span, message)
                    .at("the feature is used in this kernel")
                    .note(format!(
                        "`--limit={limit}=0` says so (`{clspv}` in the options of clspv)"
                    )),
            )
        })
        .collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// What devices may lack.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Image,
    Int8,
    Storage8,
    Storage16,
}

const ALL: [Need; 4] = [Need::Image, Need::Int8, Need::Storage8, Need::Storage16];

impl Need {
    fn is_missing(self, missing: Missing) -> bool {
        match self {
            Need::Image => missing.images,
            Need::Int8 => missing.int8,
            Need::Storage8 => missing.storage8,
            Need::Storage16 => missing.storage16,
        }
    }

    /// What it is, and the options that say that it is missing.
    fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Need::Image => ("images or samplers", "images", "-images=0"),
            Need::Int8 => ("integers of 8 bits", "int8", "-int8=0"),
            Need::Storage8 => ("numbers of 8 bits in buffers", "storage8", "-no-8bit-storage=ssbo"),
            Need::Storage16 => {
                ("numbers of 16 bits in buffers", "storage16", "-no-16bit-storage=ssbo")
            }
        }
    }
}

fn is_opaque(module: &Module, ty: Type) -> bool {
    matches!(module.types.kind(ty), TypeKind::Image(_) | TypeKind::Sampler)
}

/// What one instruction needs.
fn needs(module: &Module, function: &Function, inst: Inst, found: &mut Vec<(Need, Span)>) {
    let data = &function.insts[inst];
    let types = &module.types;
    if let Some(result) = data.result {
        let ty = module.value_type(function, result);
        if types.scalar_bits(ty) == Some(8) {
            found.push((Need::Int8, data.location.span));
        }
        if is_opaque(module, ty) {
            found.push((Need::Image, data.location.span));
        }
    }
    let (InstKind::Load { pointer, .. } | InstKind::Store { pointer, .. }) = data.kind else {
        return;
    };
    let Some((accessed, class)) = types.pointer_parts(module.value_type(function, pointer)) else {
        return;
    };
    let in_buffer = match class {
        StorageClass::CrossWorkgroup
        | StorageClass::UniformConstant
        | StorageClass::PhysicalStorageBuffer
        | StorageClass::ReadOnlyBuffer
        | StorageClass::StorageBuffer
        | StorageClass::Generic => true,
        StorageClass::Function
        | StorageClass::Workgroup
        | StorageClass::Input
        | StorageClass::Private
        | StorageClass::PushConstant
        | StorageClass::Uniform => false,
    };
    for bits in scalars(module, accessed) {
        match bits {
            8 => {
                found.push((Need::Int8, data.location.span));
                if in_buffer {
                    found.push((Need::Storage8, data.location.span));
                }
            }
            16 if in_buffer => found.push((Need::Storage16, data.location.span)),
            _ => {}
        }
    }
}

/// The widths of the numbers in a type.
fn scalars(module: &Module, ty: Type) -> Vec<u16> {
    let types = &module.types;
    match types.kind(ty) {
        TypeKind::Array(element, _) => scalars(module, element),
        TypeKind::Struct(id) => {
            types.struct_data(id).fields.iter().flat_map(|&field| scalars(module, field)).collect()
        }
        _ => types.scalar_bits(ty).map(u16::from).into_iter().collect(),
    }
}
