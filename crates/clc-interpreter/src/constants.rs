//! What constants are: numbers, and addresses of globals, some of which differ between work-items.

use clc_base::Id;
use clc_ir::{Const, ConstId, GlobalId, StorageClass, Type, TypeKind, Value};

use crate::interface::Binding;
use crate::machine::Machine;
use crate::stop::Stop;
use crate::value::{Datum, Scalar, mask, signed};

/// Constants in constants, where they are computed on the way.
const NESTING: u32 = 200;
/// Values of a type: parts of an array, and what they have in turn.
const PARTS: u64 = 1 << 20;

impl Machine<'_> {
    /// A value of which nothing is known, or that is all zero.
    fn filled(&self, ty: Type, unknown: bool, left: &mut u64) -> Result<Datum, Stop> {
        *left = left.checked_sub(1).ok_or(Stop::Limit("parts of a value"))?;
        let types = self.types();
        let mut repeat = |element: Type, count: u64| {
            if count > *left {
                return Err(Stop::Limit("parts of a value"));
            }
            (0..count).map(|_| self.filled(element, unknown, left)).collect::<Result<_, _>>()
        };
        Ok(match types.kind(ty) {
            TypeKind::Vector(element, count) => Datum::Parts(repeat(element, u64::from(count))?),
            TypeKind::Array(element, len) => Datum::Parts(repeat(element, len)?),
            TypeKind::Struct(id) => {
                let fields = &types.struct_data(id).fields;
                let parts = fields.iter().map(|&field| self.filled(field, unknown, left));
                Datum::Parts(parts.collect::<Result<_, _>>()?)
            }
            TypeKind::Matrix(_) => return Err(Stop::unknown("matrices")),
            _ if unknown => Datum::Scalar(Scalar::unknown(self.width(ty))),
            _ => Datum::known(0),
        })
    }

    /// A constant, where the addresses of a work-item's own globals come from `own`.
    pub(crate) fn constant(
        &self,
        id: ConstId,
        own: &dyn Fn(GlobalId) -> Option<u64>,
        depth: u32,
    ) -> Result<Datum, Stop> {
        if depth > NESTING {
            return Err(Stop::Limit("constants in constants"));
        }
        if let Some(datum) = &self.constants[id.index()] {
            return Ok(datum.clone());
        }
        let inner = |value: Value| match value.as_const() {
            Some(id) => self.constant(id, own, depth + 1),
            None => Err(Stop::unknown("a constant of a value")),
        };
        let types = self.types();
        Ok(match self.module.consts.get(id) {
            Const::Undef(ty) => self.filled(*ty, true, &mut { PARTS })?,
            Const::Null(ty) => self.filled(*ty, false, &mut { PARTS })?,
            Const::Bool(value) => Datum::known(u64::from(*value)),
            Const::Int(_, bits) | Const::Float(_, bits) => Datum::known(*bits),
            Const::Composite(ty, parts) => {
                let mut all =
                    parts.iter().map(|&part| inner(part)).collect::<Result<Vec<_>, _>>()?;
                if let TypeKind::Array(element, len) = types.kind(*ty) {
                    let mut left = PARTS;
                    while (all.len() as u64) < len {
                        all.push(self.filled(element, false, &mut left)?);
                    }
                }
                Datum::Parts(all)
            }
            Const::GlobalAddress(_, global) => {
                let shared = Some(self.globals[global.index()]).filter(|&address| address != 0);
                let class = self.module.globals[*global].class;
                let address = match class {
                    StorageClass::Private => own(*global),
                    // Every work-group has its own, at another address.
                    StorageClass::Workgroup => own(*global).and(shared),
                    _ => shared,
                };
                let known = address.filter(|&address| address != 0);
                Datum::known(known.ok_or_else(|| Stop::unknown("the address of a global"))?)
            }
            Const::Cast { ty, operand } => match inner(*operand)? {
                Datum::Scalar(scalar) => {
                    let keep = mask(self.width(*ty));
                    Datum::Scalar(Scalar::partly(scalar.bits & keep, scalar.unknown & keep))
                }
                Datum::Parts(_) => return Err(Stop::unknown("a cast of a constant vector")),
            },
            Const::Access { base, step, indices, .. } => {
                let Datum::Scalar(address) = inner(*base)? else {
                    return Err(Stop::unknown("an address in parts"));
                };
                let Some(base_id) = base.as_const() else {
                    return Err(Stop::unknown("a constant of a value"));
                };
                let (ty, _) = types
                    .pointer_parts(self.module.consts.ty(base_id))
                    .ok_or_else(|| Stop::unknown("an access through no pointer"))?;
                let mut path = Vec::new();
                for &index in indices {
                    let Datum::Scalar(scalar) = inner(index)? else {
                        return Err(Stop::unknown("an index in parts"));
                    };
                    let ty = index.as_const().map(|id| self.module.consts.ty(id));
                    let width = ty.map_or(64, |ty| self.width(ty));
                    path.push(Scalar::partly(signed(scalar.bits, width) as u64, scalar.unknown));
                }
                let start =
                    address.bits.wrapping_add_signed(step.wrapping_mul(types.size(ty) as i64));
                Datum::Scalar(self.offset(ty, Scalar::partly(start, address.unknown), &path)?)
            }
            // The compiler's own; the program's are functions that ask.
            Const::Spec { id, default, .. } => {
                let chosen = self.bound.constants.get(id).copied();
                Datum::known(chosen.unwrap_or(u64::from(*default)))
            }
            Const::Sampler(_, bits) => Datum::known(u64::from(*bits)),
            Const::FunctionAddress(..) => return Err(Stop::unknown("functions as values")),
            Const::Descriptor { set, binding, .. } => {
                let at = Binding { set: *set, binding: *binding };
                let bound = self.bound.descriptors.get(&at);
                let bound = bound.ok_or_else(|| Stop::unknown("a descriptor that is not bound"))?;
                Datum::known(*bound)
            }
        })
    }

    /// The address of a part of what `address` points to.
    pub(crate) fn offset(
        &self,
        mut ty: Type,
        address: Scalar,
        path: &[Scalar],
    ) -> Result<Scalar, Stop> {
        let types = self.types();
        let Scalar { mut bits, mut unknown } = address;
        for index in path {
            if index.unknown != 0 {
                unknown = mask(8 * types.pointer_size as u32);
            }
            let number = index.bits as i64;
            let step = match types.kind(ty) {
                TypeKind::Struct(id) => {
                    let data = types.struct_data(id);
                    let index = usize::try_from(number).unwrap_or(usize::MAX);
                    let (Some(&offset), Some(&field)) =
                        (data.offsets.get(index), data.fields.get(index))
                    else {
                        return Err(Stop::unknown("a field that there is not"));
                    };
                    ty = field;
                    offset as i64
                }
                TypeKind::Array(element, _) | TypeKind::Vector(element, _) => {
                    ty = element;
                    number.wrapping_mul(types.size(element) as i64)
                }
                _ => return Err(Stop::unknown("a part of what has none")),
            };
            bits = bits.wrapping_add_signed(step);
        }
        let keep = mask(8 * types.pointer_size as u32);
        Ok(Scalar::partly(bits & keep, unknown & keep))
    }
}
