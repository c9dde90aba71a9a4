//! Layout of structs and unions (C99 6.7.2.1, OpenCL C 6.1.5 and 6.10).

use clc_base::Symbol;
use rustc_hash::FxHashMap;

use crate::types::{Field, RecordBody, Type, TypeTable};

/// What attributes ask of a record's layout.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RecordLayout {
    pub is_union: bool,
    pub packed: bool,
    /// `aligned(n)`: at least this.
    pub align: Option<u64>,
}

/// What attributes ask of one field's layout.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FieldLayout {
    pub packed: bool,
    pub align: Option<u64>,
}

/// Computes offsets, size and alignment of a record; each field comes with its attributes. `None`
/// if the size overflows.
pub(crate) fn lay_out(
    types: &TypeTable,
    mut fields: Vec<Field>,
    attributes: &[FieldLayout],
    layout: RecordLayout,
) -> Option<RecordBody> {
    let (mut size, mut align) = (0u64, 1u64);
    for (field, attributes) in fields.iter_mut().zip(attributes) {
        let natural = if layout.packed || attributes.packed { 1 } else { types.align(field.ty.ty) };
        let field_align = natural.max(attributes.align.unwrap_or(1));
        let field_size = types.size(field.ty.ty).unwrap_or(0);
        align = align.max(field_align);
        if layout.is_union {
            field.offset = 0;
            size = size.max(field_size);
        } else {
            field.offset = size.checked_next_multiple_of(field_align)?;
            size = field.offset.checked_add(field_size)?;
        }
    }
    align = align.max(layout.align.unwrap_or(1));
    size = size.checked_next_multiple_of(align)?;
    if size > largest_object(types) {
        return None;
    }
    let lookup = member_paths(types, &fields);
    Some(RecordBody { fields, size, align, packed: layout.packed, lookup })
}

/// The size in bytes of the largest object: 1 TiB, which no device has, and with pointers of 32 bits
/// what these can reach.
pub(crate) fn largest_object(types: &TypeTable) -> u64 {
    if types.pointer_size == 4 { u64::from(u32::MAX) } else { 1 << 40 }
}

/// Every name that denotes a member, through anonymous members too (C11 6.7.2.1 paragraph 13).
fn member_paths(types: &TypeTable, fields: &[Field]) -> FxHashMap<Symbol, Box<[u32]>> {
    let mut lookup = FxHashMap::default();
    for (index, field) in fields.iter().enumerate() {
        match field.name {
            Some(name) => {
                lookup.entry(name).or_insert_with(|| Box::from([index as u32]));
            }
            None => {
                let Type::Record(inner) = types.get(field.ty.ty) else { continue };
                let Some(body) = &types.records[*inner].body else { continue };
                for (&name, path) in &body.lookup {
                    lookup.entry(name).or_insert_with(|| {
                        std::iter::once(index as u32).chain(path.iter().copied()).collect()
                    });
                }
            }
        }
    }
    lookup
}
