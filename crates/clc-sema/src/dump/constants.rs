//! Constants of the typed tree as text.

use std::fmt::Write;

use clc_builtins::Scalar;

use super::Dump;
use crate::folding;
use crate::hir::*;
use crate::types::{Type, TypeId};

impl Dump<'_> {
    pub(super) fn scalar(&mut self, bits: u64, ty: TypeId) {
        match self.module.types.as_scalar(ty) {
            Some(scalar @ (Scalar::Half | Scalar::Float | Scalar::Double)) => {
                let value = f64::from_bits(folding::convert(bits, scalar, Scalar::Double));
                let _ = write!(self.out, "{value:?}:{}", scalar.name());
            }
            Some(Scalar::Int) => {
                let _ = write!(self.out, "{}", bits as i32);
            }
            Some(scalar) => {
                let value = folding::integer_value(scalar, bits);
                let _ = write!(self.out, "{value}:{}", scalar.name());
            }
            None => {
                let _ = write!(self.out, "{bits:#x}");
            }
        }
    }

    pub(super) fn constant(&mut self, constant: &Constant, ty: TypeId) {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.constant_kind(constant, ty));
    }

    fn constant_kind(&mut self, constant: &Constant, ty: TypeId) {
        match constant {
            Constant::Zero => self.text("zero"),
            Constant::Scalar(bits) => self.scalar(*bits, ty),
            Constant::Composite(parts) => {
                self.text("{");
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        self.text(", ");
                    }
                    let part_ty = self.part_type(ty, index);
                    self.constant(part, part_ty);
                }
                self.text("}");
            }
            Constant::Scalars(scalars) => {
                let element = self.part_type(ty, 0);
                self.text("{");
                for (index, &bits) in scalars.iter().enumerate() {
                    if index > 0 {
                        self.text(", ");
                    }
                    self.scalar(bits, element);
                }
                self.text("}");
            }
            Constant::Union { field, value } => {
                let _ = write!(self.out, "{{.{field} = ");
                let part_ty = self.part_type(ty, *field as usize);
                self.constant(value, part_ty);
                self.text("}");
            }
            Constant::Address { global, offset } => {
                let name = &self.module.globals[*global].name;
                let _ = write!(self.out, "&{name} + {offset}");
            }
            Constant::Sampler(sampler) => {
                let _ = write!(self.out, "sampler {:#x}", sampler.bits);
            }
        }
    }

    /// The type of part `index` of a composite.
    fn part_type(&self, ty: TypeId, index: usize) -> TypeId {
        let types = &self.module.types;
        match types.get(ty) {
            Type::Vector(element, _) => types.scalar(*element),
            Type::Array { element, .. } => element.ty,
            Type::Record(record) => types.records[*record]
                .body
                .as_ref()
                .and_then(|body| body.fields.get(index))
                .map_or(ty, |field| field.ty.ty),
            _ => ty,
        }
    }
}
