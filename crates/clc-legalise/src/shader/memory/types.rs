//! Types without pointers: an address is an `i64`.

use clc_base::arena::Id as _;
use clc_ir::{StructData, Type, TypeKind, TypePool};
use rustc_hash::FxHashMap;

/// Types with `i64` in place of pointers, which changes no layout.
#[derive(Default)]
pub(super) struct AddressTypes {
    /// By type.
    mapped: Vec<Option<Type>>,
}

impl AddressTypes {
    /// `ty` without pointers.
    pub fn map(&mut self, types: &mut TypePool, ty: Type) -> Type {
        if let Some(&Some(mapped)) = self.mapped.get(ty.index()) {
            return mapped;
        }
        let mapped = match types.kind(ty) {
            TypeKind::Pointer { .. } => TypePool::I64,
            TypeKind::Array(element, len) => {
                let element = self.map(types, element);
                types.array(element, len)
            }
            TypeKind::Struct(id) => {
                let StructData { fields, .. } = types.struct_data(id);
                let old = fields.clone();
                let fields: Vec<Type> = old.iter().map(|&field| self.map(types, field)).collect();
                if fields == old {
                    ty
                } else {
                    let data = StructData { fields, ..types.struct_data(id).clone() };
                    let (id, ty) = types.declare_struct();
                    types.set_struct(id, data);
                    ty
                }
            }
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::Vector(..)
            | TypeKind::Image(_)
            | TypeKind::Sampler
            | TypeKind::Event
            | TypeKind::DeviceEvent
            | TypeKind::Queue
            | TypeKind::ReserveId
            | TypeKind::NdRange
            | TypeKind::Matrix(_)
            | TypeKind::Pipe(_) => ty,
        };
        if self.mapped.len() <= ty.index() {
            self.mapped.resize(ty.index() + 1, None);
        }
        self.mapped[ty.index()] = Some(mapped);
        mapped
    }
}

/// Types of variables: instructions access vectors of at most four components, so larger ones are arrays of these.
#[derive(Default)]
pub(super) struct MemoryTypes {
    /// By struct with such vectors: one for all variables, which calls pass by address.
    structs: FxHashMap<Type, Type>,
}

impl MemoryTypes {
    /// The type of a variable that holds a `ty` (without pointers).
    pub fn map(&mut self, types: &mut TypePool, ty: Type) -> Type {
        match types.kind(ty) {
            TypeKind::Vector(element, lanes @ (8 | 16)) => {
                let part = types.vector(element, 4);
                types.array(part, u64::from(lanes / 4))
            }
            TypeKind::Array(element, len) => {
                let element = self.map(types, element);
                types.array(element, len)
            }
            TypeKind::Struct(id) if has_wide_vectors(types, ty) => {
                if let Some(&known) = self.structs.get(&ty) {
                    return known;
                }
                let mut data = types.struct_data(id).clone();
                for field in &mut data.fields {
                    *field = self.map(types, *field);
                }
                let (id, new) = types.declare_struct();
                types.set_struct(id, data);
                self.structs.insert(ty, new);
                new
            }
            _ => ty,
        }
    }
}

/// Whether a value of this type is or contains a vector of more than four components.
pub(super) fn has_wide_vectors(types: &TypePool, ty: Type) -> bool {
    match types.kind(ty) {
        TypeKind::Vector(_, lanes) => lanes > 4,
        TypeKind::Array(element, _) => has_wide_vectors(types, element),
        TypeKind::Struct(id) => {
            types.struct_data(id).fields.iter().any(|&field| has_wide_vectors(types, field))
        }
        _ => false,
    }
}

/// The largest power of two that divides `offset`, at most `limit`.
pub(super) fn alignment_at(limit: u32, offset: u64) -> u32 {
    match offset {
        0 => limit,
        offset => limit.min(1 << offset.trailing_zeros().min(31)),
    }
}
