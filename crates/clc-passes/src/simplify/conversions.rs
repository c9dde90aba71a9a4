//! Conversions.

use clc_builtins::resolve::Rounding;
use clc_ir::{ConvertOp, InstKind, Type, Value};

use super::Outcome::{self, Become, Keep, Same};
use super::Simplifier;

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
}
