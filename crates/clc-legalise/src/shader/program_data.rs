//! Program-scope variables: their bytes, for the host to put into buffers.

use clc_base::arena::Id as _;
use clc_base::{Diagnostic, Span};
use clc_ir::{Const, GlobalId, Module, StorageClass, TypeKind, TypePool, Value};

use rustc_hash::FxHashSet;

use crate::diagnostics::{E0704, E0708};
use crate::reflection::{DataKind, ProgramData, Relocation, Variable};

/// How the host takes program-scope variables.
pub(super) struct DataBuffers {
    /// The storage classes whose variables share a buffer, and what that buffer is called.
    pub kinds: &'static [(&'static [StorageClass], DataKind)],
    /// The most bytes of a buffer.
    pub most: u64,
    /// The host puts addresses where contents need them.
    pub are_relocated: bool,
}

/// Where a variable is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Index into the buffers.
    pub buffer: u32,
    pub offset: u64,
}

/// The buffers as the `host` takes them, and by global its place. The globals `unused` have none.
pub(super) fn lay_out(
    module: &Module,
    host: &DataBuffers,
    unused: &FxHashSet<GlobalId>,
) -> Result<(Vec<ProgramData>, Vec<Option<Place>>), Vec<Diagnostic>> {
    let mut places = vec![None; module.globals.len()];
    let mut buffers = Vec::new();
    for &(classes, kind) in host.kinds {
        let mut size = 0u64;
        let mut align = 16;
        let mut variables = Vec::new();
        for (id, global) in
            module.globals.iter().filter(|(_, global)| classes.contains(&global.class))
        {
            if matches!(module.types.kind(global.ty), TypeKind::Sampler) || unused.contains(&id) {
                continue;
            }
            let bytes = module.types.size(global.ty);
            let wanted = u64::from(global.align).max(module.types.align(global.ty));
            let offset = size.next_multiple_of(wanted);
            size = offset.saturating_add(bytes);
            if size > host.most {
                return Err(vec![
                    Diagnostic::new(
                        &E0704,
                        global.span,
                        format!("program-scope variables take more than {} bytes", host.most),
                    )
                    .at("the first that does not fit")
                    .help("pass large tables as kernel arguments"),
                ]);
            }
            align = align.max(wanted as u32);
            places[id.index()] = Some(Place { buffer: buffers.len() as u32, offset });
            variables.push(Variable {
                name: global.name.clone(),
                offset: offset as u32,
                size: bytes as u32,
            });
        }
        if !variables.is_empty() {
            buffers.push(ProgramData {
                kind,
                align,
                contents: vec![0; size as usize],
                relocations: Vec::new(),
                variables,
            });
        }
    }
    for (id, global) in module.globals.iter() {
        let (Some(place), Some(value)) = (places[id.index()], global.initializer) else { continue };
        let mut writer =
            Writer { module, places: &places, buffer: &mut buffers[place.buffer as usize] };
        writer.write(value, place.offset, global.span).map_err(|error| vec![*error])?;
        if !host.are_relocated && !buffers[place.buffer as usize].relocations.is_empty() {
            let message = format!(
                "`{}` begins with an address, which a host of clspv's modules does not put there",
                global.name
            );
            return Err(vec![
                Diagnostic::new(&E0708, global.span, message)
                    .at("its first bytes are an address")
                    .help("keep an index instead, or set the pointer in a kernel"),
            ]);
        }
    }
    Ok((buffers, places))
}

struct Writer<'a> {
    module: &'a Module,
    places: &'a [Option<Place>],
    buffer: &'a mut ProgramData,
}

impl Writer<'_> {
    /// Writes the constant `value` at `offset`.
    fn write(&mut self, value: Value, offset: u64, span: Span) -> Result<(), Box<Diagnostic>> {
        let Some(id) = value.as_const() else { return Ok(()) };
        let types = &self.module.types;
        let ty = self.module.consts.ty(id);
        match self.module.consts.get(id) {
            // Zero, which is there already.
            Const::Undef(_) | Const::Null(_) => {}
            Const::Bool(truth) => self.bytes(offset, u64::from(*truth), 1),
            Const::Int(_, bits) | Const::Float(_, bits) => {
                self.bytes(offset, *bits, types.size(ty));
            }
            Const::Composite(_, parts) => {
                let place = |index: usize| match types.kind(ty) {
                    TypeKind::Struct(id) => types.struct_data(id).offsets[index],
                    _ => types.component(ty, 0).map_or(0, |part| types.size(part)) * index as u64,
                };
                for (index, &part) in parts.iter().enumerate() {
                    self.write(part, offset + place(index), span)?;
                }
            }
            Const::GlobalAddress(..) | Const::Access { .. } | Const::Cast { .. } => {
                let (target, addend) = self.address(value, span)?;
                self.bytes(offset, addend as u64, types.size(ty));
                if let Some(target) = target {
                    self.buffer.relocations.push(Relocation { offset: offset as u32, target });
                }
            }
            Const::FunctionAddress(..)
            | Const::Sampler(..)
            | Const::Descriptor { .. }
            | Const::Spec { .. } => {
                return Err(lacking(span, "this initialiser"));
            }
        }
        Ok(())
    }

    fn bytes(&mut self, offset: u64, bits: u64, size: u64) {
        let (offset, size) = (offset as usize, size as usize);
        if let Some(place) = self.buffer.contents.get_mut(offset..offset + size) {
            place.copy_from_slice(&bits.to_le_bytes()[..size]);
        }
    }

    /// A constant address or number: the buffer it is in, and what is to be added to its address.
    fn address(&self, value: Value, span: Span) -> Result<(Option<u32>, i64), Box<Diagnostic>> {
        let Module { types, consts, .. } = self.module;
        let Some(id) = value.as_const() else { return Ok((None, 0)) };
        match consts.get(id) {
            Const::Undef(_) | Const::Null(_) => Ok((None, 0)),
            Const::Int(_, bits) => Ok((None, *bits as i64)),
            Const::GlobalAddress(_, global) => match self.places[global.index()] {
                Some(place) => Ok((Some(place.buffer), place.offset as i64)),
                None => Err(lacking(span, "this address in an initialiser")),
            },
            Const::Cast { operand, .. } => self.address(*operand, span),
            Const::Access { base, step, indices, .. } => {
                let (target, addend) = self.address(*base, span)?;
                let pointee = base.as_const().and_then(|id| types.pointer_parts(consts.ty(id)));
                let Some((mut ty, _)) = pointee else { return Ok((target, addend)) };
                let mut offset = types.size(ty) as i64 * step;
                for &index in indices {
                    let index = number(consts, index);
                    offset += component_offset(types, ty, index);
                    ty = types.component(ty, component_number(types, ty, index)).unwrap_or(ty);
                }
                Ok((target, addend + offset))
            }
            _ => Err(lacking(span, "this initialiser")),
        }
    }
}

fn lacking(span: Span, what: &str) -> Box<Diagnostic> {
    Box::new(super::arguments::lacking(span, what))
}

/// A constant index, sign-extended.
fn number(consts: &clc_ir::ConstPool, value: Value) -> i64 {
    match value.as_const().map(|id| consts.get(id)) {
        Some(&Const::Int(TypePool::I32, bits)) => i64::from(bits as u32 as i32),
        Some(&Const::Int(_, bits)) => bits as i64,
        _ => 0,
    }
}

fn component_number(types: &TypePool, ty: clc_ir::Type, index: i64) -> u32 {
    match types.kind(ty) {
        TypeKind::Struct(_) => index as u32,
        // Each has the type of the first; an address past the end is one too.
        _ => 0,
    }
}

/// Bytes from the start of `ty` to its component `index`.
fn component_offset(types: &TypePool, ty: clc_ir::Type, index: i64) -> i64 {
    match types.kind(ty) {
        TypeKind::Struct(id) => {
            types.struct_data(id).offsets.get(index as usize).map_or(0, |&offset| offset as i64)
        }
        _ => types.component(ty, 0).map_or(0, |part| types.size(part) as i64) * index,
    }
}

/// By global: the Private variable that holds the address of its buffer.
pub(super) fn bases(places: &[Option<Place>], bases: &[GlobalId]) -> Vec<super::Placed> {
    places
        .iter()
        .enumerate()
        .filter_map(|(index, place)| {
            let place = (*place)?;
            Some(super::Placed {
                global: GlobalId(index as u32),
                base: bases[place.buffer as usize],
                offset: place.offset,
            })
        })
        .collect()
}
