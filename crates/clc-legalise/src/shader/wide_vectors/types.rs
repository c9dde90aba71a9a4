//! Types without large vectors.

use clc_base::arena::Id as _;
use clc_ir::{StructData, Type, TypeKind, TypePool};

use super::PART;

/// The types that take the place of those with large vectors. They are of values, not of memory, so
/// the offsets of fields say nothing.
#[derive(Default)]
pub(super) struct Types {
    /// By type.
    mapped: Vec<Option<Type>>,
}

impl Types {
    pub fn map(&mut self, types: &mut TypePool, ty: Type) -> Type {
        if let Some(&Some(mapped)) = self.mapped.get(ty.index()) {
            return mapped;
        }
        let mapped = match types.kind(ty) {
            TypeKind::Vector(element, lanes @ (8 | 16)) => {
                let part = types.vector(element, PART as u8);
                types.array(part, u64::from(lanes) / u64::from(PART))
            }
            TypeKind::Array(element, len) => {
                let element = self.map(types, element);
                types.array(element, len)
            }
            TypeKind::Pointer { pointee, class } => {
                let pointee = self.map(types, pointee);
                types.pointer(pointee, class)
            }
            TypeKind::Struct(id) => {
                let old = types.struct_data(id).fields.clone();
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

    /// A path through a value of type `ty` as one through the type that takes its place; `None` if
    /// that is the same path.
    pub fn path(&self, types: &TypePool, ty: Type, path: &[u32]) -> Option<Vec<u32>> {
        let (&last, outer) = path.split_last()?;
        let inner = outer.iter().try_fold(ty, |ty, &index| types.component(ty, index))?;
        if u32::from(types.lanes(inner)) <= PART {
            return None;
        }
        let mut path = outer.to_vec();
        path.extend_from_slice(&[last / PART, last % PART]);
        Some(path)
    }
}
