//! Steps from one element of an array to another.

use clc_ir::{Function, InstKind, TypeKind, Value};

use crate::fold::Folder;

/// The length of the array that `indices` lead to.
pub(crate) fn indexed_array(
    folder: &Folder<'_>,
    function: &Function,
    base: Value,
    indices: &[Value],
) -> Option<u64> {
    let base_ty = match base.as_const() {
        Some(id) => folder.consts.ty(id),
        None => function.values[base.as_local()?].ty,
    };
    let (mut ty, _) = folder.types.pointer_parts(base_ty)?;
    for &index in indices {
        ty = match folder.types.kind(ty) {
            TypeKind::Array(element, _) | TypeKind::Vector(element, _) => element,
            TypeKind::Struct(id) => {
                let field = folder.scalar_bits(index)?;
                *folder.types.struct_data(id).fields.get(field as usize)?
            }
            _ => return None,
        };
    }
    match folder.types.kind(ty) {
        TypeKind::Array(_, len) => Some(len),
        _ => None,
    }
}

/// What has the address `step` elements behind `address`, if both are elements at constant indices of one array.
pub(crate) fn other_element(
    folder: &mut Folder<'_>,
    function: &mut Function,
    address: Value,
    step: i64,
) -> Option<InstKind> {
    let (_, data) = function.def_inst(address)?;
    let InstKind::Access { base, indices } = data.kind else { return None };
    let mut indices: Vec<Value> = function.values_of(indices).collect();
    let last = indices.pop()?;
    let start = folder.consts.signed(folder.types, last)?;
    let index = u64::try_from(start.checked_add(step)?).ok()?;
    if index >= indexed_array(folder, function, base, &indices)? {
        return None;
    }
    let ty = folder.consts.ty(last.as_const()?);
    indices.push(folder.int(ty, index));
    let indices = function.list(&indices);
    Some(InstKind::Access { base, indices })
}
