//! Constant expressions (C99 6.6).
//!
//! Scalars fold while expressions are typed; what is left for here are vectors, aggregates,
//! and, in [`objects`], addresses and the values of objects that are constant themselves. Like other
//! compilers, and as C99 6.6p10 permits, this accepts more than the standard demands.

mod objects;

use std::borrow::Cow;

use clc_base::{AddressSpace, Diagnostic};
use clc_builtins::{Intrinsic, Scalar};
use clc_syntax::ast;

use crate::context::Sema;
use crate::diagnostics::constants::*;
use crate::folding;
use crate::hir::{self, Constant, ExprKind, LogicalOp, UnaryOp};
use crate::types::{Type, TypeId, TypeTable};

/// The value of an integer constant expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IntegerConstant {
    /// The mathematical value.
    pub value: i128,
    /// An integer type (the underlying one for enums).
    pub ty: TypeId,
}

/// Where the evaluation of a constant expression got stuck.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NotConstant {
    /// Something already reported.
    Reported,
    /// This operand is not constant.
    At(hir::ExprId),
}

type Evaluated<T = Constant> = Result<T, NotConstant>;

/// Arrays longer than this are not built as constants.
const LONGEST_ARRAY: u64 = 1 << 27;

impl Sema<'_> {
    /// The value of an integer constant expression; reports and returns `None` if `e` isn't one.
    /// `what` completes "… must be an integer constant expression": "the size of an array".
    pub(crate) fn integer_constant(
        &mut self,
        e: ast::ExprId,
        what: &str,
    ) -> Option<IntegerConstant> {
        let value = self.value(e);
        if self.is_error(value) {
            return None;
        }
        let span = self.span(value);
        let Some(scalar) =
            self.module.types.as_scalar(self.ty(value)).filter(|scalar| scalar.is_integer())
        else {
            let message = format!("{what} must be an integer");
            let text = self.type_text(self.ty(value));
            self.report(Diagnostic::new(&E0602, span, message).at(format!("this is `{text}`")));
            return None;
        };
        if let Some(address) = self.address_in(value) {
            self.report_not_constant(NotConstant::At(address), what, "an integer constant");
            return None;
        }
        let bits = match self.try_evaluate(value) {
            Ok(Constant::Scalar(bits)) => bits,
            Ok(Constant::Zero) => 0,
            Ok(_) => {
                self.report_not_constant(NotConstant::At(value), what, "an integer constant");
                return None;
            }
            Err(stuck) => {
                self.report_not_constant(stuck, what, "an integer constant");
                return None;
            }
        };
        let value = folding::integer_value(scalar, bits);
        Some(IntegerConstant { value, ty: self.module.types.scalar(scalar) })
    }

    /// A part of an expression that computes with addresses, which an integer constant expression
    /// does not (C99 6.6p6), even where the result is known.
    fn address_in(&self, value: hir::ExprId) -> Option<hir::ExprId> {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || match self.module.exprs[value].kind {
            ExprKind::PtrDiff { .. } => Some(value),
            ExprKind::Compare { left, .. }
                if self.module.types.as_pointer(self.ty(left)).is_some() =>
            {
                Some(value)
            }
            ExprKind::Convert { operand, .. } | ExprKind::Unary { operand, .. } => {
                self.address_in(operand)
            }
            ExprKind::Binary { left, right, .. }
            | ExprKind::Compare { left, right, .. }
            | ExprKind::Logical { left, right, .. } => {
                self.address_in(left).or_else(|| self.address_in(right))
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let parts = [condition, then, otherwise];
                parts.into_iter().find_map(|part| self.address_in(part))
            }
            _ => None,
        })
    }

    /// The value of a constant expression of any type (an initialiser with static storage
    /// duration); addresses of globals too. Reports nothing.
    pub(crate) fn try_evaluate(&self, value: hir::ExprId) -> Evaluated {
        match &self.module.exprs[value].kind {
            ExprKind::Constant(bits) => Ok(Constant::Scalar(*bits)),
            ExprKind::ConstantValue(constant) => Ok((**constant).clone()),
            _ => stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.evaluate_kind(value)),
        }
    }

    /// As [`Sema::try_evaluate`]; reports the operand that isn't constant. `what` names the thing
    /// initialised: "an initializer of a `constant` variable".
    pub(crate) fn evaluate(&mut self, value: hir::ExprId, what: &str) -> Option<Constant> {
        match self.try_evaluate(value) {
            Ok(constant) => Some(constant),
            Err(stuck) => {
                self.report_not_constant(stuck, what, "a constant");
                None
            }
        }
    }

    fn report_not_constant(&mut self, stuck: NotConstant, what: &str, needed: &str) {
        let NotConstant::At(operand) = stuck else { return };
        let message = format!("{what} must be {needed} expression");
        let (at, help) = match &self.module.exprs[operand].kind {
            ExprKind::Local(_) => {
                ("the value of a variable is known only when the program runs", true)
            }
            ExprKind::Global(global)
                if self.module.globals[*global].space == AddressSpace::Local =>
            {
                ("each work-group has its own `local` memory", false)
            }
            ExprKind::Global(_) => ("this object has no value that is known here", true),
            ExprKind::Intrinsic { intrinsic: Intrinsic::SpecConstant, .. } => {
                ("the host may choose another value for this specialization constant", false)
            }
            ExprKind::Call { .. } | ExprKind::BlockCall { .. } | ExprKind::Intrinsic { .. } => {
                ("a call is not a constant expression", false)
            }
            ExprKind::Binary { .. } => ("this has no value", false),
            ExprKind::PtrDiff { .. } => ("this is computed from addresses", false),
            ExprKind::Compare { left, .. }
                if self.module.types.as_pointer(self.ty(*left)).is_some() =>
            {
                ("this compares addresses", false)
            }
            _ => ("this is not constant", false),
        };
        let mut diagnostic = Diagnostic::new(&E0601, self.span(operand), message).at(at);
        if help {
            if let Some((declaration, name)) = self.declaration_of(operand) {
                diagnostic = diagnostic.label(declaration, format!("{name} is declared here"));
            }
            diagnostic = diagnostic.help("name the constant with `#define` or `enum`");
        }
        self.report(diagnostic);
    }

    fn evaluate_kind(&self, value: hir::ExprId) -> Evaluated {
        let stuck = Err(NotConstant::At(value));
        let expr = &self.module.exprs[value];
        let ty = expr.ty.ty;
        match &expr.kind {
            ExprKind::Constant(bits) => Ok(Constant::Scalar(*bits)),
            ExprKind::ConstantValue(constant) => Ok((**constant).clone()),
            ExprKind::Null => Ok(Constant::Zero),
            ExprKind::Error => Err(NotConstant::Reported),
            &ExprKind::Load(lvalue) => self.object(lvalue).map(Cow::into_owned),
            &ExprKind::AddressOf(lvalue) | &ExprKind::Decay(lvalue) => self.address(lvalue),
            &ExprKind::PtrAdd { pointer, index, negate } => {
                let base = self.try_evaluate(pointer)?;
                let index_scalar = self.scalar_of(index)?;
                let index = folding::integer_value(index_scalar, self.bits(index)?);
                let Some((pointee, _)) = self.module.types.as_pointer(ty) else { return stuck };
                let Some(size) = self.module.types.size(pointee.ty) else { return stuck };
                let step = index.wrapping_mul(i128::from(size)) as i64;
                match base {
                    Constant::Address { global, offset } => {
                        let offset = if negate {
                            offset.wrapping_sub(step)
                        } else {
                            offset.wrapping_add(step)
                        };
                        Ok(Constant::Address { global, offset })
                    }
                    Constant::Zero if step == 0 => Ok(Constant::Zero),
                    _ => stuck,
                }
            }
            &ExprKind::PtrDiff { left, right } => {
                let pointee = self.module.types.as_pointer(self.ty(left));
                let size = pointee.and_then(|(pointee, _)| self.module.types.size(pointee.ty));
                match (self.try_evaluate(left)?, self.try_evaluate(right)?, size) {
                    (
                        Constant::Address { global: left, offset: left_offset },
                        Constant::Address { global: right, offset: right_offset },
                        Some(size @ 1..),
                    ) if left == right => {
                        let difference = i128::from(left_offset) - i128::from(right_offset);
                        let scalar = self.module.types.as_scalar(ty).unwrap_or(Scalar::Long);
                        Ok(Constant::Scalar(folding::wrap(scalar, difference / i128::from(size))))
                    }
                    _ => stuck,
                }
            }
            &ExprKind::Reinterpret(operand) => {
                let constant = self.try_evaluate(operand)?;
                let from = self.ty(operand);
                let types = &self.module.types;
                match (types.as_arithmetic(from), types.as_arithmetic(ty)) {
                    (Some(from), Some(to)) => self.reinterpret_bits(&constant, from, to, value),
                    _ => Ok(constant),
                }
            }
            &ExprKind::SpaceCast(operand) => self.try_evaluate(operand),
            &ExprKind::IntToPtr(operand) => match self.try_evaluate(operand)? {
                Constant::Scalar(0) | Constant::Zero => Ok(Constant::Zero),
                address @ Constant::Address { .. } => Ok(address),
                _ => stuck,
            },
            &ExprKind::PtrToInt(operand) => match self.try_evaluate(operand)? {
                Constant::Zero => Ok(Constant::Scalar(0)),
                address @ Constant::Address { .. }
                    if self.module.types.size(ty) == Some(self.module.types.pointer_size) =>
                {
                    Ok(address)
                }
                _ => stuck,
            },
            &ExprKind::Convert { operand, rounding: None, saturate: false } => {
                let constant = self.try_evaluate(operand)?;
                let types = &self.module.types;
                let (Some((from, _)), Some((to, count))) =
                    (types.as_arithmetic(self.ty(operand)), types.as_arithmetic(ty))
                else {
                    return stuck;
                };
                if matches!(constant, Constant::Address { .. }) {
                    // An address as an integer of another type of the same size.
                    return if from.size() == to.size() && to.is_integer() {
                        Ok(constant)
                    } else {
                        stuck
                    };
                }
                self.each(count, |index| {
                    Ok(folding::convert(self.component_bits(&constant, index, operand)?, from, to))
                })
            }
            &ExprKind::Splat(operand) => {
                let bits = self.bits(operand)?;
                match self.module.types.get(ty) {
                    Type::Vector(_, count) => self.each(*count, |_| Ok(bits)),
                    _ => stuck,
                }
            }
            &ExprKind::Unary { op, operand } => {
                let from = self.ty(operand);
                let constant = self.try_evaluate(operand)?;
                let Some((scalar, count)) = self.module.types.as_arithmetic(from) else {
                    // `!pointer`
                    return match (op, constant) {
                        (UnaryOp::LogicalNot, Constant::Zero) => Ok(Constant::Scalar(1)),
                        (UnaryOp::LogicalNot, Constant::Address { .. }) => Ok(Constant::Scalar(0)),
                        _ => stuck,
                    };
                };
                self.each(count, |index| {
                    let bits = self.component_bits(&constant, index, operand)?;
                    Ok(match op {
                        UnaryOp::Negate => folding::negate(scalar, bits),
                        UnaryOp::BitNot => folding::bit_not(scalar, bits),
                        UnaryOp::LogicalNot => {
                            self.boolean_bits(!folding::is_true(scalar, bits), ty)
                        }
                    })
                })
            }
            &ExprKind::Binary { op, left, right } => {
                let Some((scalar, count)) = self.module.types.as_arithmetic(ty) else {
                    return stuck;
                };
                let (left_value, right_value) =
                    (self.try_evaluate(left)?, self.try_evaluate(right)?);
                self.each(count, |index| {
                    let left = self.component_bits(&left_value, index, left)?;
                    let right = self.component_bits(&right_value, index, right)?;
                    folding::binary(op, scalar, left, right).ok_or(NotConstant::At(value))
                })
            }
            &ExprKind::Compare { op, left, right } => {
                let (left_value, right_value) =
                    (self.try_evaluate(left)?, self.try_evaluate(right)?);
                let Some((scalar, count)) = self.module.types.as_arithmetic(self.ty(left)) else {
                    return self
                        .compare_addresses(op, &left_value, &right_value)
                        .ok_or(NotConstant::At(value));
                };
                self.each(count, |index| {
                    let left = self.component_bits(&left_value, index, left)?;
                    let right = self.component_bits(&right_value, index, right)?;
                    Ok(self.boolean_bits(folding::compare(op, scalar, left, right), ty))
                })
            }
            &ExprKind::Logical { op, left, right } => match self.module.types.get(ty) {
                &Type::Vector(_, count) => {
                    let scalar = self.scalar_of_vector(left)?;
                    let (left_value, right_value) =
                        (self.try_evaluate(left)?, self.try_evaluate(right)?);
                    self.each(count, |index| {
                        let left = self.component_bits(&left_value, index, left)?;
                        let right = self.component_bits(&right_value, index, right)?;
                        let left = folding::is_true(scalar, left);
                        let right = folding::is_true(scalar, right);
                        let boolean = match op {
                            LogicalOp::And => left && right,
                            LogicalOp::Or => left || right,
                        };
                        Ok(self.boolean_bits(boolean, ty))
                    })
                }
                _ => {
                    let left = self.boolean(left)?;
                    let boolean = match op {
                        LogicalOp::And => left && self.boolean(right)?,
                        LogicalOp::Or => left || self.boolean(right)?,
                    };
                    Ok(Constant::Scalar(boolean.into()))
                }
            },
            &ExprKind::Conditional { condition, then, otherwise } => {
                let chosen = if self.boolean(condition)? { then } else { otherwise };
                self.try_evaluate(chosen)
            }
            &ExprKind::VectorSelect { condition, then, otherwise } => {
                let Type::Vector(_, count) = *self.module.types.get(ty) else { return stuck };
                let scalar = self.scalar_of_vector(condition)?;
                let condition_value = self.try_evaluate(condition)?;
                let then_value = self.try_evaluate(then)?;
                let otherwise_value = self.try_evaluate(otherwise)?;
                self.each(count, |index| {
                    let bits = self.component_bits(&condition_value, index, condition)?;
                    if bits >> (scalar.bits() - 1) & 1 != 0 {
                        self.component_bits(&then_value, index, then)
                    } else {
                        self.component_bits(&otherwise_value, index, otherwise)
                    }
                })
            }
            ExprKind::VectorBuild(parts) => {
                let mut components = Vec::with_capacity(16);
                for &part in parts {
                    let constant = self.try_evaluate(part)?;
                    let Some((_, count)) = self.module.types.as_arithmetic(self.ty(part)) else {
                        return stuck;
                    };
                    for index in 0..count {
                        let bits = self.component_bits(&constant, index, part)?;
                        components.push(Constant::Scalar(bits));
                    }
                }
                Ok(Constant::Composite(components))
            }
            ExprKind::Aggregate(parts) => self.aggregate(value, ty, parts),
            ExprKind::Swizzle { base, .. }
            | ExprKind::Member { base, .. }
            | ExprKind::VectorElement { base, .. } => {
                let whole = self.try_evaluate(*base)?;
                self.selected(value, Cow::Owned(whole)).map(Cow::into_owned)
            }
            ExprKind::Comma(parts) => {
                let mut result = stuck;
                for &part in parts {
                    result = Ok(self.try_evaluate(part)?);
                }
                result
            }
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Deref(_)
            | ExprKind::CompoundLiteral { .. }
            | ExprKind::Assign { .. }
            | ExprKind::CompoundAssign { .. }
            | ExprKind::PtrAssign { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::Convert { .. }
            | ExprKind::SpaceQuery(_)
            | ExprKind::ToVoid(_)
            | ExprKind::Call { .. }
            | ExprKind::Block { .. }
            | ExprKind::BlockCall { .. }
            | ExprKind::EnqueuedBlock { .. }
            | ExprKind::Intrinsic { .. }
            | ExprKind::Statements(_) => stuck,
        }
    }

    /// A constant array, struct or union from its listed parts.
    fn aggregate(&self, value: hir::ExprId, ty: TypeId, parts: &[(u64, hir::ExprId)]) -> Evaluated {
        match self.module.types.get(ty) {
            Type::Array { element, .. } => {
                let length = parts.last().map_or(0, |&(index, _)| index + 1);
                if length > LONGEST_ARRAY {
                    return Err(NotConstant::At(value));
                }
                if self.module.types.as_scalar(element.ty).is_some() {
                    let mut scalars = vec![0; length as usize];
                    let mut plain = true;
                    for &(index, part) in parts {
                        match self.try_evaluate(part)? {
                            Constant::Scalar(bits) => scalars[index as usize] = bits,
                            Constant::Zero => {}
                            _ => {
                                plain = false;
                                break;
                            }
                        }
                    }
                    if plain {
                        return Ok(Constant::Scalars(scalars));
                    }
                }
                let mut components = vec![Constant::Zero; length as usize];
                for &(index, part) in parts {
                    components[index as usize] = self.try_evaluate(part)?;
                }
                Ok(Constant::Composite(components))
            }
            Type::Record(record) if self.module.types.records[*record].is_union => match parts {
                [] => Ok(Constant::Zero),
                [.., (field, part)] => Ok(Constant::Union {
                    field: *field as u32,
                    value: Box::new(self.try_evaluate(*part)?),
                }),
            },
            Type::Record(_) => {
                let length = parts.last().map_or(0, |&(index, _)| index as usize + 1);
                let mut components = vec![Constant::Zero; length];
                for &(index, part) in parts {
                    components[index as usize] = self.try_evaluate(part)?;
                }
                Ok(Constant::Composite(components))
            }
            _ => Err(NotConstant::At(value)),
        }
    }

    fn reinterpret_bits(
        &self,
        constant: &Constant,
        (from, from_count): (Scalar, u8),
        (to, count): (Scalar, u8),
        at: hir::ExprId,
    ) -> Evaluated {
        // At most 16 components of 8 bytes, least significant first.
        let mut bytes = [0u8; 128];
        for index in 0..from_count {
            let bits = self.component_bits(constant, index, at)?;
            let (size, start) = (from.size() as usize, usize::from(index) * from.size() as usize);
            bytes[start..start + size].copy_from_slice(&bits.to_le_bytes()[..size]);
        }
        self.each(count, |index| {
            let (size, start) = (to.size() as usize, usize::from(index) * to.size() as usize);
            let mut bits = [0u8; 8];
            bits[..size].copy_from_slice(&bytes[start..start + size]);
            Ok(u64::from_le_bytes(bits))
        })
    }

    fn compare_addresses(
        &self,
        op: hir::CompareOp,
        left: &Constant,
        right: &Constant,
    ) -> Option<Constant> {
        let address = |constant: &Constant| match constant {
            Constant::Zero => Some((None, 0)),
            Constant::Address { global, offset } => Some((Some(*global), *offset)),
            _ => None,
        };
        let ((left, left_offset), (right, right_offset)) = (address(left)?, address(right)?);
        let boolean = if left == right {
            let bits = |offset| folding::wrap(Scalar::Long, i128::from(offset));
            folding::compare(op, Scalar::Long, bits(left_offset), bits(right_offset))
        } else {
            match op {
                hir::CompareOp::Equal => false,
                hir::CompareOp::NotEqual => true,
                _ => return None,
            }
        };
        Some(Constant::Scalar(boolean.into()))
    }

    /// A scalar for `count` 1, otherwise a vector, component by component.
    fn each(&self, count: u8, component: impl Fn(u8) -> Evaluated<u64>) -> Evaluated {
        if count == 1 {
            return component(0).map(Constant::Scalar);
        }
        let components: Evaluated<Vec<_>> =
            (0..count).map(|index| component(index).map(Constant::Scalar)).collect();
        Ok(Constant::Composite(components?))
    }

    /// The bits of a scalar expression.
    fn bits(&self, value: hir::ExprId) -> Evaluated<u64> {
        match self.try_evaluate(value)? {
            Constant::Scalar(bits) => Ok(bits),
            Constant::Zero => Ok(0),
            _ => Err(NotConstant::At(value)),
        }
    }

    fn scalar_of(&self, value: hir::ExprId) -> Evaluated<Scalar> {
        self.module.types.as_scalar(self.ty(value)).ok_or(NotConstant::At(value))
    }

    fn scalar_of_vector(&self, value: hir::ExprId) -> Evaluated<Scalar> {
        self.module
            .types
            .as_arithmetic(self.ty(value))
            .map(|(scalar, _)| scalar)
            .ok_or(NotConstant::At(value))
    }

    /// Whether a scalar or pointer is not zero.
    fn boolean(&self, value: hir::ExprId) -> Evaluated<bool> {
        let scalar = self.module.types.as_scalar(self.ty(value));
        match (self.try_evaluate(value)?, scalar) {
            (Constant::Scalar(bits), Some(scalar)) => Ok(folding::is_true(scalar, bits)),
            (Constant::Zero, _) => Ok(false),
            (Constant::Address { .. }, _) => Ok(true),
            _ => Err(NotConstant::At(value)),
        }
    }

    /// A boolean in a type of booleans: 1, or all bits of a vector's component.
    fn boolean_bits(&self, boolean: bool, ty: TypeId) -> u64 {
        match (boolean, self.module.types.get(ty)) {
            (false, _) => 0,
            (true, Type::Vector(element, _)) => folding::wrap(*element, -1),
            (true, _) => {
                debug_assert_eq!(ty, TypeTable::INT);
                1
            }
        }
    }
}
