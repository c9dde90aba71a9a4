//! Comparisons and selects.

use clc_ir::{BinaryOp, CompareOp, ConvertOp, InstKind, Type, UnaryOp, Value, ValueList};

use super::Outcome::{self, Become, Keep, Same};
use super::Simplifier;
use crate::fold::{mask, sign_extend};

impl Simplifier<'_> {
    pub(super) fn compare(
        &mut self,
        op: CompareOp,
        left: Value,
        right: Value,
        ty: Type,
    ) -> Outcome {
        if let Some(value) = self.folder.compare(op, left, right) {
            return Same(value);
        }
        if left.is_const() && !right.is_const() {
            return Become(InstKind::Compare { op: op.swapped(), left: right, right: left });
        }
        if left == right {
            match op {
                CompareOp::Equal
                | CompareOp::SLessEqual
                | CompareOp::SGreaterEqual
                | CompareOp::ULessEqual
                | CompareOp::UGreaterEqual => return Same(self.folder.splat(ty, 1)),
                CompareOp::NotEqual
                | CompareOp::SLess
                | CompareOp::SGreater
                | CompareOp::ULess
                | CompareOp::UGreater => return Same(self.folder.splat(ty, 0)),
                // Not so for NaN.
                CompareOp::FEqual
                | CompareOp::FNotEqual
                | CompareOp::FLess
                | CompareOp::FLessEqual
                | CompareOp::FGreater
                | CompareOp::FGreaterEqual => {}
            }
        }
        let operand_ty = self.ty(left);
        if let Some(constant) = self.splat(right) {
            if self.folder.types.is_bool(operand_ty) {
                let truth = constant != 0;
                match op {
                    CompareOp::Equal if truth => return Same(left),
                    CompareOp::NotEqual if !truth => return Same(left),
                    CompareOp::Equal | CompareOp::NotEqual => {
                        return Become(InstKind::Unary { op: UnaryOp::Not, operand: left });
                    }
                    _ => {}
                }
            }
            match (op, constant) {
                (CompareOp::ULess, 0) => return Same(self.folder.splat(ty, 0)),
                (CompareOp::UGreaterEqual, 0) => return Same(self.folder.splat(ty, 1)),
                (CompareOp::UGreater, 0) => {
                    return Become(InstKind::Compare { op: CompareOp::NotEqual, left, right });
                }
                (CompareOp::ULessEqual, 0) => {
                    return Become(InstKind::Compare { op: CompareOp::Equal, left, right });
                }
                // Widening keeps zero and nothing else zero.
                (CompareOp::Equal | CompareOp::NotEqual, 0) => {
                    if let Some(InstKind::Convert {
                        op: ConvertOp::ZeroExtend | ConvertOp::SignExtend,
                        operand,
                        ..
                    }) = self.kind(left)
                    {
                        let zero = self.folder.zero(self.ty(operand));
                        return Become(InstKind::Compare { op, left: operand, right: zero });
                    }
                }
                _ => {}
            }
        }
        if let Some((op, left, right)) = self.compare_before_widening(op, left, right) {
            return Become(InstKind::Compare { op, left, right });
        }
        // A comparison of one of two constants decides between two constants.
        if right.is_const()
            && let Some(InstKind::Select { condition, then, otherwise }) = self.kind(left)
            && let Some(then) = self.folder.compare(op, then, right)
            && let Some(otherwise) = self.folder.compare(op, otherwise, right)
            && self.ty(condition) == ty
        {
            return match (self.splat(then), self.splat(otherwise)) {
                (Some(0), Some(0)) | (Some(1), Some(1)) => Same(then),
                (Some(1), Some(0)) => Same(condition),
                (Some(0), Some(1)) => {
                    Become(InstKind::Unary { op: UnaryOp::Not, operand: condition })
                }
                _ => Become(InstKind::Select { condition, then, otherwise }),
            };
        }
        // C makes numbers of booleans and then compares those.
        if let (Some(InstKind::Select { condition: first, then, otherwise }), CompareOp::Equal)
        | (Some(InstKind::Select { condition: first, then, otherwise }), CompareOp::NotEqual) =
            (self.kind(left), op)
            && let Some(InstKind::Select { condition: second, then: a, otherwise: b }) =
                self.kind(right)
            && (then, otherwise) == (a, b)
            && let (Some(one), Some(other)) = (self.splat(then), self.splat(otherwise))
            && one != other
            && [self.ty(first), self.ty(second)] == [ty, ty]
        {
            return Become(InstKind::Compare { op, left: first, right: second });
        }
        Keep
    }

    /// `select`: by what a scalar is, and by the signs of a vector's components (OpenCL C 6.15.6).
    pub(super) fn choice_by_number(&mut self, arguments: ValueList) -> Outcome {
        let arguments: Vec<Value> = self.function.values_of(arguments).collect();
        let &[otherwise, then, number] = &arguments[..] else { return Keep };
        let of = self.ty(number);
        let op = match self.folder.types.lanes(of) {
            1 => CompareOp::NotEqual,
            _ => CompareOp::SLess,
        };
        let ty = self.truth_of(of);
        let zero = self.folder.zero(of);
        let condition = match self.compare(op, number, zero, ty) {
            Same(value) => value,
            Become(kind) | Outcome::Exact(kind) => self.make(kind, ty),
            Keep => self.make(InstKind::Compare { op, left: number, right: zero }, ty),
        };
        Become(InstKind::Select { condition, then, otherwise })
    }

    /// A comparison of two numbers that were widened alike, or of one with a constant that the
    /// narrower type has: `i < n` on `size_t` of what are 32 bits. Widening keeps the order, that of
    /// the sign the unsigned one too. Not of narrower types, which devices have to emulate.
    fn compare_before_widening(
        &mut self,
        op: CompareOp,
        left: Value,
        right: Value,
    ) -> Option<(CompareOp, Value, Value)> {
        let widened = |simplifier: &Self, value: Value| match simplifier.kind(value) {
            Some(InstKind::Convert {
                op: op @ (ConvertOp::ZeroExtend | ConvertOp::SignExtend),
                operand,
                rounding: _,
                saturate: _,
            }) => Some((op, operand)),
            _ => None,
        };
        let (convert, first) = widened(self, left)?;
        let ty = self.ty(first);
        let width = self.folder.types.scalar_bits(ty).filter(|&width| width >= 32)?;
        let second = match self.splat(right) {
            Some(bits) => {
                let whole = self.folder.types.scalar_bits(self.ty(right))?;
                let narrow = mask(bits, width);
                let widened = match convert {
                    ConvertOp::SignExtend => mask(sign_extend(narrow, width) as u64, whole),
                    _ => narrow,
                };
                (widened == bits).then(|| self.folder.splat(ty, narrow))?
            }
            None => {
                let (other, second) = widened(self, right)?;
                (other == convert && self.ty(second) == ty).then_some(second)?
            }
        };
        // A number with zeros above is not negative.
        let op = match (convert, op) {
            (ConvertOp::ZeroExtend, CompareOp::SLess) => CompareOp::ULess,
            (ConvertOp::ZeroExtend, CompareOp::SLessEqual) => CompareOp::ULessEqual,
            (ConvertOp::ZeroExtend, CompareOp::SGreater) => CompareOp::UGreater,
            (ConvertOp::ZeroExtend, CompareOp::SGreaterEqual) => CompareOp::UGreaterEqual,
            (_, op) => op,
        };
        Some((op, first, second))
    }

    pub(super) fn select(
        &mut self,
        condition: Value,
        then: Value,
        otherwise: Value,
        ty: Type,
    ) -> Outcome {
        if then == otherwise {
            return Same(then);
        }
        if let Some(value) = self.folder.select(condition, then, otherwise) {
            return Same(value);
        }
        match self.splat(condition) {
            Some(0) => return Same(otherwise),
            Some(_) => return Same(then),
            None => {}
        }
        if let Some(InstKind::Unary { op: UnaryOp::Not, operand }) = self.kind(condition) {
            return Become(InstKind::Select {
                condition: operand,
                then: otherwise,
                otherwise: then,
            });
        }
        if self.folder.types.is_bool(ty) && self.ty(condition) == ty {
            let op = match (self.splat(then), self.splat(otherwise)) {
                (Some(1), Some(0)) => return Same(condition),
                (Some(0), Some(1)) => {
                    return Become(InstKind::Unary { op: UnaryOp::Not, operand: condition });
                }
                (_, Some(0)) => Some((BinaryOp::And, then)),
                (Some(1), _) => Some((BinaryOp::Or, otherwise)),
                _ => None,
            };
            if let Some((op, right)) = op {
                return Become(InstKind::Binary { op, left: condition, right });
            }
        }
        // The same question again has the same answer.
        if let Some(InstKind::Select { condition: inner, then: first, .. }) = self.kind(then)
            && inner == condition
        {
            return Become(InstKind::Select { condition, then: first, otherwise });
        }
        if let Some(InstKind::Select { condition: inner, otherwise: second, .. }) =
            self.kind(otherwise)
            && inner == condition
        {
            return Become(InstKind::Select { condition, then, otherwise: second });
        }
        Keep
    }
}

/// The comparison that holds exactly when this one does not. Ordered comparisons of floats have
/// none, because NaN makes both false.
pub(super) fn inverted(op: CompareOp) -> Option<CompareOp> {
    Some(match op {
        CompareOp::Equal => CompareOp::NotEqual,
        CompareOp::NotEqual => CompareOp::Equal,
        CompareOp::SLess => CompareOp::SGreaterEqual,
        CompareOp::SLessEqual => CompareOp::SGreater,
        CompareOp::SGreater => CompareOp::SLessEqual,
        CompareOp::SGreaterEqual => CompareOp::SLess,
        CompareOp::ULess => CompareOp::UGreaterEqual,
        CompareOp::ULessEqual => CompareOp::UGreater,
        CompareOp::UGreater => CompareOp::ULessEqual,
        CompareOp::UGreaterEqual => CompareOp::ULess,
        CompareOp::FEqual => CompareOp::FNotEqual,
        CompareOp::FNotEqual => CompareOp::FEqual,
        CompareOp::FLess
        | CompareOp::FLessEqual
        | CompareOp::FGreater
        | CompareOp::FGreaterEqual => return None,
    })
}
