//! Addresses, and loads from constant tables.

use clc_ir::{Const, InstKind, Value};

use super::Outcome::{self, Become, Keep, Same};
use super::Simplifier;
use crate::{element_steps, fold};

impl Simplifier<'_> {
    /// The value of a load from a constant global.
    pub(super) fn load_constant(&mut self, pointer: Value) -> Option<Value> {
        let (base, indices) = match self.kind(pointer) {
            Some(InstKind::Access { base, indices }) => {
                (base, self.function.values_of(indices).collect::<Vec<_>>())
            }
            Some(_) => return None,
            None => match self.folder.consts.get(pointer.as_const()?) {
                Const::Access { ty: _, base, step: 0, indices } => (*base, indices.to_vec()),
                _ => (pointer, Vec::new()),
            },
        };
        // Whole aggregates are better loaded.
        self.folder.table_element(self.globals, base, &indices)
    }

    pub(super) fn ptr_add(&mut self, base: Value, index: Value) -> Outcome {
        let step = self.folder.scalar_bits(index).map(|bits| {
            fold::sign_extend(bits, self.folder.types.scalar_bits(self.ty(index)).unwrap_or(64))
        });
        if step == Some(0) {
            return Same(base);
        }
        match self.kind(base) {
            Some(InstKind::PtrAdd { base: inner, index: first }) => {
                let first_ty = self.ty(first);
                let (Some(step), Some(bits)) = (step, self.folder.scalar_bits(first)) else {
                    return Keep;
                };
                let width = self.folder.types.scalar_bits(first_ty).unwrap_or(64);
                let Some(total) = fold::sign_extend(bits, width).checked_add(step) else {
                    return Keep;
                };
                let ty = self.folder.types.size_type();
                let index = self.folder.int(ty, total as u64);
                Become(InstKind::PtrAdd { base: inner, index })
            }
            // Stepping from one element of an array to another indexes the array.
            Some(InstKind::Access { base: inner, indices }) => {
                if let Some(step) = step {
                    return element_steps::other_element(
                        &mut self.folder,
                        self.function,
                        base,
                        step,
                    )
                    .map_or(Keep, Become);
                }
                let mut indices: Vec<Value> = self.function.values_of(indices).collect();
                let Some(last) = indices.pop() else { return Keep };
                if element_steps::indexed_array(&self.folder, self.function, inner, &indices)
                    .is_none()
                    || self.folder.scalar_bits(last) != Some(0)
                {
                    return Keep;
                }
                indices.push(index);
                let indices = self.function.list(&indices);
                Become(InstKind::Access { base: inner, indices })
            }
            _ => Keep,
        }
    }
}
