//! Initializers of more elements than an instruction has room for (SPIR-V 2.3): arrays become structs of shorter
//! arrays, in which each element is at the place that it has in the array.
//!
//! Only the type of the variable says it; what uses the variable sees the address cast to the type of the
//! source. What other modules see keeps its type, for linkers compare types.

use clc_ir::{Const, ConstId, FULL_ARRAY, STRUCT_MEMBERS, StructData, Type, TypeKind, Value};

use super::ModuleEmitter;

impl ModuleEmitter<'_> {
    /// The same bytes as a constant that has room; `None` where `constant` has room as it is, or has none
    /// in any form.
    pub(super) fn in_pieces(&mut self, constant: ConstId) -> Option<ConstId> {
        let ty = self.consts.ty(constant);
        if !self.has_long_array(ty) {
            return None;
        }
        let Const::Composite(_, parts) = self.consts.get(constant).clone() else { return None };
        match self.types.kind(ty) {
            TypeKind::Struct(id) => {
                let mut data = self.types.struct_data(id).clone();
                let parts = self.parts_in_pieces(&parts)?;
                for (field, &part) in data.fields.iter_mut().zip(&parts) {
                    *field = self.type_of(part);
                }
                Some(self.structure(data, parts))
            }
            TypeKind::Array(element, len) => {
                let whole = self.parts_in_pieces(&parts);
                if whole.is_none() && len <= FULL_ARRAY {
                    return None;
                }
                let mut pieces = match whole {
                    Some(parts) => parts,
                    None => parts
                        .chunks(FULL_ARRAY as usize)
                        .map(|part| self.array(element, part))
                        .collect(),
                };
                if (parts.len() as u64) < len {
                    let rest = self.types.array(element, len - parts.len() as u64);
                    pieces.push(self.consts.intern(Const::Null(rest)));
                }
                if pieces.len() > STRUCT_MEMBERS {
                    return None;
                }
                let mut data = StructData {
                    name: String::new(),
                    fields: pieces.iter().map(|&piece| self.type_of(piece)).collect(),
                    field_names: vec![String::new(); pieces.len()],
                    offsets: Vec::with_capacity(pieces.len()),
                    size: 0,
                    align: self.types.align(ty),
                    packed: false,
                };
                for &field in &data.fields {
                    data.offsets.push(data.size);
                    data.size += self.types.size(field);
                }
                debug_assert_eq!(data.size, self.types.size(ty));
                Some(self.structure(data, pieces))
            }
            _ => None,
        }
    }

    /// The parts of a composite, if one of them has to be in pieces.
    fn parts_in_pieces(&mut self, parts: &[Value]) -> Option<Vec<Value>> {
        let mut any = false;
        let parts = parts
            .iter()
            .map(|&part| {
                let pieces = part.as_const().and_then(|part| self.in_pieces(part));
                any |= pieces.is_some();
                pieces.map_or(part, Value::from_const)
            })
            .collect();
        any.then_some(parts)
    }

    /// The type of a part of a constant.
    fn type_of(&self, part: Value) -> Type {
        self.consts.ty(part.as_const().expect("parts of constants are constants"))
    }

    fn array(&mut self, element: Type, parts: &[Value]) -> Value {
        let ty = self.types.array(element, parts.len() as u64);
        self.consts.intern(Const::Composite(ty, parts.into()))
    }

    fn structure(&mut self, data: StructData, parts: Vec<Value>) -> ConstId {
        let (id, ty) = self.types.declare_struct();
        self.types.set_struct(id, data);
        let value = self.consts.intern(Const::Composite(ty, parts.into()));
        value.as_const().expect("it was made as one")
    }

    /// Whether a type contains, other than behind pointers, an array that no instruction lists.
    fn has_long_array(&self, ty: Type) -> bool {
        match self.types.kind(ty) {
            TypeKind::Array(element, len) => len > FULL_ARRAY || self.has_long_array(element),
            TypeKind::Struct(id) => {
                self.types.struct_data(id).fields.iter().any(|&field| self.has_long_array(field))
            }
            _ => false,
        }
    }
}
