//! Constant initialisers.

use clc_ir::{Const, FULL_ARRAY, StorageClass, Type, TypeKind, TypePool, Value, builder};
use clc_sema::hir::Constant;
use clc_sema::types as source;
use clc_sema::types::TypeId;

use crate::module::Lowering;

impl Lowering<'_> {
    /// A constant of a source type. `None` if it has no form in the target (reported by the
    /// caller).
    pub(crate) fn constant(&mut self, constant: &Constant, id: TypeId) -> Option<Value> {
        let ty = self.lower_type(id);
        let table = &self.hir.types;
        match constant {
            Constant::Zero => Some(builder::zero(&self.module.types, &mut self.module.consts, ty)),
            Constant::Scalar(bits) => Some(self.scalar_constant(ty, *bits)),
            Constant::Sampler(sampler) => {
                Some(self.module.consts.intern(Const::Sampler(ty, sampler.bits)))
            }
            Constant::Scalars(values) => {
                let element = self.module.types.component(ty, 0)?;
                let len = self.written_parts(ty, values.len())?;
                let mut parts = Vec::with_capacity(len);
                for &bits in values.iter().take(len) {
                    parts.push(self.scalar_constant(element, bits));
                }
                parts.resize(len, self.scalar_constant(element, 0));
                Some(self.composite(ty, parts))
            }
            Constant::Composite(elements) => match table.get(id) {
                source::Type::Record(record) => {
                    let body = table.records[*record].body.as_ref()?;
                    let field_types: Vec<TypeId> =
                        body.fields.iter().map(|field| field.ty.ty).collect();
                    let layout = self
                        .types
                        .record(&mut self.module.types, table, self.names, *record)
                        .clone();
                    let mut parts = self.zero_parts(ty, elements.len())?;
                    for ((element, &field), &index) in
                        elements.iter().zip(&field_types).zip(&layout.fields)
                    {
                        parts[index as usize] = self.constant(element, field)?;
                    }
                    Some(self.composite(ty, parts))
                }
                source::Type::Array { element, .. } => {
                    let element = element.ty;
                    let mut parts = self.zero_parts(ty, elements.len())?;
                    for (part, value) in parts.iter_mut().zip(elements) {
                        *part = self.constant(value, element)?;
                    }
                    Some(self.composite(ty, parts))
                }
                source::Type::Vector(element, _) => {
                    let element = table.scalar(*element);
                    let mut parts = self.zero_parts(ty, elements.len())?;
                    for (part, value) in parts.iter_mut().zip(elements) {
                        *part = self.constant(value, element)?;
                    }
                    Some(self.composite(ty, parts))
                }
                _ => None,
            },
            Constant::Union { field, value } => {
                let source::Type::Record(record) = table.get(id) else { return None };
                let body = table.records[*record].body.as_ref()?;
                let field_type = body.fields.get(*field as usize)?.ty.ty;
                let size = usize::try_from(body.size).ok()?;
                let value = self.constant(value, field_type)?;
                let mut bytes = vec![0; size];
                self.write_bytes(value, &mut bytes)?;
                self.read_bytes(ty, &bytes)
            }
            Constant::Address { global, offset } => {
                let base = self.globals[*global];
                self.constant_address(base, *offset, ty)
            }
        }
    }

    pub(crate) fn scalar_constant(&mut self, ty: Type, bits: u64) -> Value {
        let width = self.module.types.scalar_bits(ty).unwrap_or(64);
        let bits = if width == 64 { bits } else { bits & ((1 << width) - 1) };
        let constant = match self.module.types.kind(ty) {
            TypeKind::Float(_) => Const::Float(ty, bits),
            TypeKind::Pointer { .. } if bits == 0 => Const::Null(ty),
            TypeKind::Pointer { .. } => {
                let size = self.module.types.size_type();
                let operand = self.module.consts.intern(Const::Int(size, bits));
                Const::Cast { ty, operand }
            }
            TypeKind::Vector(element, lanes) => {
                let part = self.scalar_constant(element, bits);
                Const::Composite(ty, vec![part; usize::from(lanes)].into())
            }
            _ => Const::Int(ty, bits),
        };
        self.module.consts.intern(constant)
    }

    /// A composite; all zero becomes the null constant, so that big empty tables stay small.
    fn composite(&mut self, ty: Type, parts: Vec<Value>) -> Value {
        let consts = &mut self.module.consts;
        let all_zero = parts.iter().all(|part| {
            part.as_const().is_some_and(|id| {
                matches!(consts.get(id), Const::Null(_) | Const::Int(_, 0) | Const::Float(_, 0))
            })
        });
        if all_zero {
            consts.intern(Const::Null(ty))
        } else {
            consts.intern(Const::Composite(ty, parts.into()))
        }
    }

    fn component_count(&self, ty: Type) -> Option<usize> {
        match self.module.types.kind(ty) {
            TypeKind::Vector(_, count) => Some(usize::from(count)),
            TypeKind::Array(_, len) => usize::try_from(len).ok(),
            TypeKind::Struct(id) => Some(self.module.types.struct_data(id).fields.len()),
            _ => None,
        }
    }

    /// How many parts the constant of a type lists: of a long array only those that the source
    /// lists, so that a table costs what is written of it.
    fn written_parts(&self, ty: Type, given: usize) -> Option<usize> {
        match self.module.types.kind(ty) {
            TypeKind::Array(_, len) if len > FULL_ARRAY => {
                Some(given.min(usize::try_from(len).ok()?))
            }
            _ => self.component_count(ty),
        }
    }

    /// A zero for each part that the constant of a type lists, when the source lists `given`.
    fn zero_parts(&mut self, ty: Type, given: usize) -> Option<Vec<Value>> {
        let count = self.written_parts(ty, given)?;
        let types = &self.module.types;
        let consts = &mut self.module.consts;
        if let TypeKind::Struct(id) = types.kind(ty) {
            let fields = &types.struct_data(id).fields;
            return Some(fields.iter().map(|&field| builder::zero(types, consts, field)).collect());
        }
        let element = types.component(ty, 0)?;
        Some(vec![builder::zero(types, consts, element); count])
    }

    /// Writes the bytes of a constant, little-endian, to the front of `out`. `None` for addresses.
    fn write_bytes(&self, value: Value, out: &mut [u8]) -> Option<()> {
        let types = &self.module.types;
        match self.module.consts.get(value.as_const()?) {
            Const::Int(ty, bits) | Const::Float(ty, bits) => {
                let size = types.size(*ty) as usize;
                out.get_mut(..size)?.copy_from_slice(&bits.to_le_bytes()[..size]);
            }
            Const::Null(_) | Const::Undef(_) => {}
            Const::Composite(ty, parts) => match types.kind(*ty) {
                TypeKind::Struct(id) => {
                    for (&part, &offset) in parts.iter().zip(&types.struct_data(id).offsets) {
                        self.write_bytes(part, out.get_mut(offset as usize..)?)?;
                    }
                }
                _ => {
                    let stride = types.size(types.component(*ty, 0)?) as usize;
                    for (index, &part) in parts.iter().enumerate() {
                        self.write_bytes(part, out.get_mut(index * stride..)?)?;
                    }
                }
            },
            Const::Bool(_)
            | Const::GlobalAddress(..)
            | Const::FunctionAddress(..)
            | Const::Sampler(..)
            | Const::Descriptor { .. }
            | Const::Spec { .. }
            | Const::Access { .. }
            | Const::Cast { .. } => return None,
        }
        Some(())
    }

    /// The constant of type `ty` whose bytes these are.
    fn read_bytes(&mut self, ty: Type, bytes: &[u8]) -> Option<Value> {
        let size = self.module.types.size(ty) as usize;
        let bytes = bytes.get(..size)?;
        Some(match self.module.types.kind(ty) {
            TypeKind::Int(_) | TypeKind::Float(_) => {
                let mut buffer = [0; 8];
                buffer[..size].copy_from_slice(bytes);
                self.scalar_constant(ty, u64::from_le_bytes(buffer))
            }
            TypeKind::Pointer { .. } => {
                let mut buffer = [0; 8];
                buffer[..size].copy_from_slice(bytes);
                self.scalar_constant(ty, u64::from_le_bytes(buffer))
            }
            TypeKind::Struct(id) => {
                let data = self.module.types.struct_data(id);
                let fields: Vec<(Type, u64)> =
                    data.fields.iter().copied().zip(data.offsets.iter().copied()).collect();
                let mut parts = Vec::with_capacity(fields.len());
                for (field, offset) in fields {
                    parts.push(self.read_bytes(field, &bytes[offset as usize..])?);
                }
                self.composite(ty, parts)
            }
            TypeKind::Array(element, _) | TypeKind::Vector(element, _) => {
                let stride = self.module.types.size(element) as usize;
                let count = self.component_count(ty)?;
                let mut parts = Vec::with_capacity(count);
                for index in 0..count {
                    parts.push(self.read_bytes(element, &bytes[index * stride..])?);
                }
                self.composite(ty, parts)
            }
            _ => return None,
        })
    }

    /// The address `offset` bytes into what `base` points to, as a pointer (or integer) of type
    /// `ty`.
    fn constant_address(&mut self, base: Value, offset: i64, ty: Type) -> Option<Value> {
        let base_type = self.module.consts.ty(base.as_const()?);
        let (pointee, class) = self.module.types.pointer_parts(base_type)?;
        let wanted = self.module.types.pointer_parts(ty).map(|(pointee, _)| pointee);
        let mut pointer = base;
        match wanted.and_then(|wanted| self.path_to(pointee, u64::try_from(offset).ok()?, wanted)) {
            Some(path) if path.is_empty() => {}
            Some(path) => {
                let indices =
                    path.iter().map(|&index| self.scalar_constant(TypePool::I32, index)).collect();
                let ty = self.module.types.pointer(wanted.unwrap_or(pointee), class);
                pointer = self.module.consts.intern(Const::Access { ty, base, step: 0, indices });
            }
            None if offset == 0 => {}
            None => {
                let bytes = self.module.types.pointer(TypePool::I8, class);
                let base = self.constant_cast(pointer, bytes);
                pointer = self.module.consts.intern(Const::Access {
                    ty: bytes,
                    base,
                    step: offset,
                    indices: Box::new([]),
                });
            }
        }
        // Another pointee first, then (to generic) another storage class, then an integer.
        if let Some((pointee, target)) = self.module.types.pointer_parts(ty) {
            let same_class = self.module.types.pointer(pointee, class);
            pointer = self.constant_cast(pointer, same_class);
            if target != class && target != StorageClass::Generic {
                return None;
            }
        }
        Some(self.constant_cast(pointer, ty))
    }

    fn constant_cast(&mut self, operand: Value, ty: Type) -> Value {
        match operand.as_const() {
            Some(id) if self.module.consts.ty(id) == ty => operand,
            _ => self.module.consts.intern(Const::Cast { ty, operand }),
        }
    }

    /// Indices from `ty` to the part of type `wanted` at byte `offset`; `None` if there is none.
    fn path_to(&self, mut ty: Type, mut offset: u64, wanted: Type) -> Option<Vec<u64>> {
        let types = &self.module.types;
        let mut path = Vec::new();
        while ty != wanted || offset != 0 {
            match types.kind(ty) {
                TypeKind::Array(element, len) => {
                    let index = offset.checked_div(types.size(element))?;
                    if index >= len {
                        return None;
                    }
                    offset -= index * types.size(element);
                    path.push(index);
                    ty = element;
                }
                TypeKind::Struct(id) => {
                    let data = types.struct_data(id);
                    let index = data.offsets.iter().rposition(|&start| start <= offset)?;
                    offset -= data.offsets[index];
                    path.push(index as u64);
                    ty = data.fields[index];
                }
                _ => return None,
            }
        }
        Some(path)
    }
}
