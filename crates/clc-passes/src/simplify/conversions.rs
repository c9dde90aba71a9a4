//! Conversions.

use clc_builtins::Intrinsic;
use clc_builtins::resolve::Rounding;
use clc_ir::{BinaryOp, ConvertOp, InstKind, Type, Value};

use super::Outcome::{self, Become, Keep, Same};
use super::Simplifier;
use crate::fold::mask;

/// Operations below a truncation that are made narrower.
const DEPTH: u32 = 4;

impl Simplifier<'_> {
    pub(super) fn folder_convert(
        &mut self,
        op: ConvertOp,
        operand: Value,
        ty: Type,
        rounding: Option<Rounding>,
        saturate: bool,
    ) -> Option<Value> {
        if operand.is_const() {
            return self.folder.convert(op, operand, ty, rounding, saturate);
        }
        // A conversion of one of two constants is one of two constants.
        if let Some(InstKind::Select { condition, then, otherwise }) = self.kind(operand)
            && then.is_const()
            && otherwise.is_const()
            && self.folder.types.lanes(ty) == self.folder.types.lanes(self.ty(operand))
        {
            let then = self.folder.convert(op, then, ty, rounding, saturate)?;
            let otherwise = self.folder.convert(op, otherwise, ty, rounding, saturate)?;
            return Some(self.make(InstKind::Select { condition, then, otherwise }, ty));
        }
        None
    }

    pub(super) fn convert(&mut self, op: ConvertOp, operand: Value, ty: Type) -> Outcome {
        let from = self.ty(operand);
        if from == ty && matches!(op, ConvertOp::Bitcast | ConvertOp::FToF) {
            return Same(operand);
        }
        if op == ConvertOp::Truncate
            && let Some(kind) = self.narrow(operand, ty)
        {
            return Become(kind);
        }
        let Some(InstKind::Convert { op: inner, operand: source, rounding, saturate }) =
            self.kind(operand)
        else {
            return Keep;
        };
        if rounding.is_some() || saturate {
            return Keep;
        }
        let source_ty = self.ty(source);
        let plain = |op, operand| {
            Become(InstKind::Convert { op, operand, rounding: None, saturate: false })
        };
        let width = |simplifier: &Self, ty: Type| simplifier.folder.types.scalar_bits(ty);
        match (op, inner) {
            (ConvertOp::Bitcast, ConvertOp::Bitcast) => plain(ConvertOp::Bitcast, source),
            (ConvertOp::Truncate, ConvertOp::Truncate)
            | (ConvertOp::ZeroExtend, ConvertOp::ZeroExtend)
            | (ConvertOp::SignExtend, ConvertOp::SignExtend) => plain(op, source),
            // The sign bit is zero.
            (ConvertOp::SignExtend, ConvertOp::ZeroExtend) => plain(ConvertOp::ZeroExtend, source),
            (ConvertOp::Truncate, ConvertOp::ZeroExtend | ConvertOp::SignExtend) => {
                match width(self, source_ty).cmp(&width(self, ty)) {
                    std::cmp::Ordering::Equal => Same(source),
                    std::cmp::Ordering::Less => plain(inner, source),
                    std::cmp::Ordering::Greater => plain(ConvertOp::Truncate, source),
                }
            }
            // What was cut off was zero.
            (ConvertOp::ZeroExtend, ConvertOp::Truncate)
                if source_ty == ty
                    && width(self, from).is_some_and(|bits| self.fits(source, bits, DEPTH)) =>
            {
                Same(source)
            }
            // Widening a float and coming back loses nothing.
            (ConvertOp::FToF, ConvertOp::FToF)
                if source_ty == ty && width(self, from) > width(self, ty) =>
            {
                Same(source)
            }
            (ConvertOp::FromGeneric, ConvertOp::ToGeneric) if source_ty == ty => Same(source),
            (ConvertOp::IntToPtr, ConvertOp::PtrToInt) if source_ty == ty => Same(source),
            _ => Keep,
        }
    }

    /// Whether a number is below `2^bits`.
    fn fits(&self, value: Value, bits: u8, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        if let Some(number) = self.splat(value) {
            return number >> bits == 0;
        }
        let width = |value: Value| self.folder.types.scalar_bits(self.ty(value));
        match self.kind(value) {
            Some(InstKind::Convert { op: ConvertOp::ZeroExtend, operand, .. }) => {
                width(operand).is_some_and(|width| width <= bits)
            }
            Some(InstKind::Binary { op: BinaryOp::And, left, right }) => {
                self.fits(left, bits, depth) || self.fits(right, bits, depth)
            }
            Some(InstKind::Intrinsic { intrinsic, arguments }) => {
                let mut arguments = self.function.values_of(arguments);
                match intrinsic {
                    Intrinsic::UMin => arguments.any(|value| self.fits(value, bits, depth)),
                    Intrinsic::UMax => arguments.all(|value| self.fits(value, bits, depth)),
                    // The distance of two such numbers.
                    Intrinsic::SAbs => arguments.next().is_some_and(|value| {
                        let Some(InstKind::Binary { op: BinaryOp::ISub, left, right }) =
                            self.kind(value)
                        else {
                            return false;
                        };
                        width(value).is_some_and(|width| bits < width)
                            && self.fits(left, bits, depth)
                            && self.fits(right, bits, depth)
                    }),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// The low bits of sums and products are those of the operands' low bits: what `ty` has of a wider
    /// operation, which has no other use. `size_t` makes many a number wider for a while. Not in fewer than 32 bits, in which
    /// GPUs do not compute.
    fn narrow(&mut self, value: Value, ty: Type) -> Option<InstKind> {
        if self.folder.types.scalar_bits(ty).is_none_or(|bits| bits < 32) {
            return None;
        }
        let mut truncations = 0;
        let (op, left, right) = self.narrowable(value)?;
        let is_narrow = [left, right]
            .into_iter()
            .all(|operand| self.is_narrow(operand, ty, DEPTH, &mut truncations));
        // One in place of the one that goes.
        if !is_narrow || truncations > 1 {
            return None;
        }
        let (left, right) = (self.narrowed(left, ty, DEPTH), self.narrowed(right, ty, DEPTH));
        Some(InstKind::Binary { op, left, right })
    }

    /// An operation whose low bits depend on low bits alone.
    fn narrowable(&self, value: Value) -> Option<(BinaryOp, Value, Value)> {
        match self.kind(value) {
            Some(InstKind::Binary {
                op:
                    op @ (BinaryOp::IAdd
                    | BinaryOp::ISub
                    | BinaryOp::IMul
                    | BinaryOp::And
                    | BinaryOp::Or
                    | BinaryOp::Xor),
                left,
                right,
            }) if self.is_used_once(value) => Some((op, left, right)),
            _ => None,
        }
    }

    /// Whether the low bits of a value can be had, and with how many truncations.
    fn is_narrow(&self, value: Value, ty: Type, depth: u32, truncations: &mut u32) -> bool {
        if value.is_const() {
            return self.splat(value).is_some();
        }
        if self.extended(value, ty).is_some() {
            return true;
        }
        match self.narrowable(value) {
            Some((_, left, right)) if depth > 0 => [left, right]
                .into_iter()
                .all(|operand| self.is_narrow(operand, ty, depth - 1, truncations)),
            _ => {
                *truncations += 1;
                *truncations <= 1
            }
        }
    }

    /// What a value was before it became wider, if that has no more bits than `ty`.
    fn extended(&self, value: Value, ty: Type) -> Option<(ConvertOp, Value)> {
        match self.kind(value) {
            Some(InstKind::Convert {
                op: op @ (ConvertOp::ZeroExtend | ConvertOp::SignExtend),
                operand,
                rounding: _,
                saturate: _,
            }) => {
                let width = |ty: Type| self.folder.types.scalar_bits(ty);
                (width(self.ty(operand)) <= width(ty)).then_some((op, operand))
            }
            _ => None,
        }
    }

    /// The low bits of what [`Simplifier::is_narrow`] accepts.
    fn narrowed(&mut self, value: Value, ty: Type, depth: u32) -> Value {
        if let Some(bits) = self.splat(value) {
            let width = self.folder.types.scalar_bits(ty).unwrap_or(64);
            return self.folder.splat(ty, mask(bits, width));
        }
        let convert =
            |op, operand| InstKind::Convert { op, operand, rounding: None, saturate: false };
        if let Some((op, operand)) = self.extended(value, ty) {
            if self.ty(operand) == ty {
                return operand;
            }
            return self.make(convert(op, operand), ty);
        }
        match self.narrowable(value) {
            Some((op, left, right)) if depth > 0 => {
                let left = self.narrowed(left, ty, depth - 1);
                let right = self.narrowed(right, ty, depth - 1);
                self.make(InstKind::Binary { op, left, right }, ty)
            }
            _ => self.make(convert(ConvertOp::Truncate, value), ty),
        }
    }
}
