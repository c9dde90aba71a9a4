//! Memory in constant expressions: the values of objects that never change, parts of values, and
//! addresses.

use std::borrow::Cow;

use clc_base::AddressSpace;

use super::{Evaluated, NotConstant};
use crate::context::Sema;
use crate::folding;
use crate::hir::{self, Constant, ExprKind, GlobalId, Swizzle};
use crate::types::{Type, TypeId};

impl Sema<'_> {
    /// The value of an object that never changes.
    pub(super) fn object(&self, lvalue: hir::ExprId) -> Evaluated<Cow<'_, Constant>> {
        let stuck = Err(NotConstant::At(lvalue));
        match &self.module.exprs[lvalue].kind {
            ExprKind::Local(local) => match self.constant_local(*local) {
                Some(constant) => Ok(Cow::Borrowed(constant)),
                None => stuck,
            },
            ExprKind::Global(global) => match self.fixed_value(*global) {
                Some(constant) => Ok(Cow::Borrowed(constant)),
                None => stuck,
            },
            ExprKind::Member { base, .. }
            | ExprKind::Swizzle { base, .. }
            | ExprKind::VectorElement { base, .. } => {
                let whole = self.object(*base)?;
                self.selected(lvalue, whole)
            }
            ExprKind::CompoundLiteral { value, .. } => self.try_evaluate(*value).map(Cow::Owned),
            ExprKind::Deref(pointer) => match self.try_evaluate(*pointer)? {
                Constant::Address { global, offset } => {
                    let Some(constant) = self.fixed_value(global) else { return stuck };
                    let whole = self.module.globals[global].ty.ty;
                    let ty = self.ty(lvalue);
                    match (u64::try_from(offset), constant) {
                        (Ok(offset), constant) => self
                            .at_offset(constant, whole, offset, ty)
                            .map(Cow::Owned)
                            .ok_or(NotConstant::At(lvalue)),
                        _ => stuck,
                    }
                }
                _ => stuck,
            },
            ExprKind::Error => Err(NotConstant::Reported),
            _ => stuck,
        }
    }

    /// The initial value of a global that cannot change.
    fn fixed_value(&self, global: GlobalId) -> Option<&Constant> {
        let global = &self.module.globals[global];
        let mut element = global.ty;
        while let Type::Array { element: inner, .. } = self.module.types.get(element.ty) {
            element = *inner;
        }
        let fixed = global.space == AddressSpace::Constant
            || global.ty.quals.is_const
            || element.quals.is_const;
        if fixed && !global.ty.quals.is_volatile && !element.quals.is_volatile {
            global.initializer.as_ref()
        } else {
            None
        }
    }

    /// The part of `constant`, of type `whole`, that lies at a byte offset and has type `ty`.
    fn at_offset(
        &self,
        constant: &Constant,
        whole: TypeId,
        offset: u64,
        ty: TypeId,
    ) -> Option<Constant> {
        let (mut constant, mut whole, mut offset) = (Cow::Borrowed(constant), whole, offset);
        while whole != ty {
            let (index, inner, rest) = match self.module.types.get(whole) {
                Type::Array { element, .. } => {
                    let size = self.module.types.size(element.ty).filter(|&size| size > 0)?;
                    (usize::try_from(offset / size).ok()?, element.ty, offset % size)
                }
                Type::Vector(element, count) => {
                    let index = offset / element.size();
                    if index >= u64::from(*count) {
                        return None;
                    }
                    let inner = self.module.types.scalar(*element);
                    (index as usize, inner, offset % element.size())
                }
                Type::Record(id) if !self.module.types.records[*id].is_union => {
                    let body = self.module.types.records[*id].body.as_ref()?;
                    let index = body.fields.iter().rposition(|field| field.offset <= offset)?;
                    let field = &body.fields[index];
                    (index, field.ty.ty, offset - field.offset)
                }
                _ => return None,
            };
            if let Type::Array { len: Some(len), .. } = self.module.types.get(whole)
                && index as u64 >= *len
            {
                return None;
            }
            constant = Cow::Owned(component(&constant, index));
            whole = inner;
            offset = rest;
        }
        (offset == 0).then(|| constant.into_owned())
    }

    /// What a member, swizzle or element expression selects from the value of its base.
    pub(super) fn selected<'s>(
        &'s self,
        selection: hir::ExprId,
        whole: Cow<'s, Constant>,
    ) -> Evaluated<Cow<'s, Constant>> {
        match &self.module.exprs[selection].kind {
            ExprKind::Member { base, field } => {
                let Type::Record(record) = self.module.types.get(self.ty(*base)) else {
                    return Err(NotConstant::At(selection));
                };
                if self.module.types.records[*record].is_union {
                    return match whole.into_owned() {
                        Constant::Zero => Ok(Cow::Owned(Constant::Zero)),
                        Constant::Union { field: stored, value } if stored == *field => {
                            Ok(Cow::Owned(*value))
                        }
                        _ => Err(NotConstant::At(selection)),
                    };
                }
                Ok(Cow::Owned(component(&whole, *field as usize)))
            }
            ExprKind::Swizzle { base, swizzle } => {
                // An undefined component is as good as the first.
                let select = |index| {
                    let index = if index == Swizzle::UNDEFINED { 0 } else { index };
                    self.component_bits(&whole, index, *base)
                };
                match swizzle.as_slice() {
                    [index] => Ok(Cow::Owned(Constant::Scalar(select(*index)?))),
                    many => {
                        let components: Evaluated<Vec<_>> =
                            many.iter().map(|&index| select(index).map(Constant::Scalar)).collect();
                        Ok(Cow::Owned(Constant::Composite(components?)))
                    }
                }
            }
            ExprKind::VectorElement { base, index } => {
                let scalar = self.scalar_of(*index)?;
                let index = folding::integer_value(scalar, self.bits(*index)?);
                let bits = self.component_bits(&whole, index.clamp(0, 255) as u8, *base)?;
                Ok(Cow::Owned(Constant::Scalar(bits)))
            }
            _ => Err(NotConstant::At(selection)),
        }
    }

    /// The address of an lvalue.
    pub(super) fn address(&self, lvalue: hir::ExprId) -> Evaluated {
        let stuck = Err(NotConstant::At(lvalue));
        match &self.module.exprs[lvalue].kind {
            // Each work-group has its own (C99 6.6p9 asks for static storage duration).
            ExprKind::Global(global)
                if self.module.globals[*global].space == AddressSpace::Local =>
            {
                stuck
            }
            ExprKind::Global(global) => Ok(Constant::Address { global: *global, offset: 0 }),
            ExprKind::Deref(pointer) => self.try_evaluate(*pointer),
            ExprKind::Member { base, field } => {
                let Type::Record(record) = self.module.types.get(self.ty(*base)) else {
                    return stuck;
                };
                let body = self.module.types.records[*record].body.as_ref();
                let Some(field) = body.and_then(|body| body.fields.get(*field as usize)) else {
                    return stuck;
                };
                match self.address(*base)? {
                    Constant::Address { global, offset } => Ok(Constant::Address {
                        global,
                        offset: offset.wrapping_add(field.offset as i64),
                    }),
                    _ => stuck,
                }
            }
            ExprKind::Error => Err(NotConstant::Reported),
            _ => stuck,
        }
    }

    /// Component `index` of a constant scalar or vector; `at` is blamed if it has none.
    pub(super) fn component_bits(
        &self,
        constant: &Constant,
        index: u8,
        at: hir::ExprId,
    ) -> Evaluated<u64> {
        match constant {
            Constant::Scalar(bits) if index == 0 => Ok(*bits),
            _ => match component(constant, usize::from(index)) {
                Constant::Scalar(bits) => Ok(bits),
                Constant::Zero => Ok(0),
                _ => Err(NotConstant::At(at)),
            },
        }
    }
}

/// Component, element or field number `index` of a composite.
fn component(constant: &Constant, index: usize) -> Constant {
    match constant {
        Constant::Composite(components) => components.get(index).cloned().unwrap_or(Constant::Zero),
        Constant::Scalars(scalars) => {
            scalars.get(index).map_or(Constant::Zero, |&bits| Constant::Scalar(bits))
        }
        Constant::Zero
        | Constant::Scalar(_)
        | Constant::Union { .. }
        | Constant::Address { .. }
        | Constant::Sampler(_) => Constant::Zero,
    }
}
