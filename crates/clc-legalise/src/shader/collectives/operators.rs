//! The operators of reductions and scans.

use clc_builtins::{GroupOp, Intrinsic};
use clc_ir::{BinaryOp, CompareOp, Const, Value};

use super::Body;

impl Body<'_, '_> {
    /// A value as [`Body::combine`] takes it: booleans are 0 or 1.
    pub(super) fn operand(&mut self, op: GroupOp, value: Value) -> Value {
        match op {
            GroupOp::LogicalAnd | GroupOp::LogicalOr | GroupOp::LogicalXor => {
                let (zero, one) = (self.builder.int(self.ty, 0), self.builder.int(self.ty, 1));
                let is_true = self.builder.compare(CompareOp::NotEqual, value, zero);
                self.builder.select(is_true, one, zero)
            }
            GroupOp::IAdd
            | GroupOp::FAdd
            | GroupOp::IMul
            | GroupOp::FMul
            | GroupOp::SMin
            | GroupOp::UMin
            | GroupOp::FMin
            | GroupOp::SMax
            | GroupOp::UMax
            | GroupOp::FMax
            | GroupOp::And
            | GroupOp::Or
            | GroupOp::Xor => value,
        }
    }

    pub(super) fn combine(&mut self, op: GroupOp, left: Value, right: Value) -> Value {
        enum How {
            Binary(BinaryOp),
            Intrinsic(Intrinsic),
        }
        let how = match op {
            GroupOp::IAdd => How::Binary(BinaryOp::IAdd),
            GroupOp::FAdd => How::Binary(BinaryOp::FAdd),
            GroupOp::IMul => How::Binary(BinaryOp::IMul),
            GroupOp::FMul => How::Binary(BinaryOp::FMul),
            GroupOp::SMin => How::Intrinsic(Intrinsic::SMin),
            GroupOp::UMin => How::Intrinsic(Intrinsic::UMin),
            GroupOp::FMin => How::Intrinsic(Intrinsic::Fmin),
            GroupOp::SMax => How::Intrinsic(Intrinsic::SMax),
            GroupOp::UMax => How::Intrinsic(Intrinsic::UMax),
            GroupOp::FMax => How::Intrinsic(Intrinsic::Fmax),
            GroupOp::And | GroupOp::LogicalAnd => How::Binary(BinaryOp::And),
            GroupOp::Or | GroupOp::LogicalOr => How::Binary(BinaryOp::Or),
            GroupOp::Xor | GroupOp::LogicalXor => How::Binary(BinaryOp::Xor),
        };
        match how {
            How::Binary(op) => self.builder.binary(op, left, right),
            How::Intrinsic(intrinsic) => {
                let result = self.builder.intrinsic(intrinsic, &[left, right], self.ty);
                result.unwrap_or(left)
            }
        }
    }

    /// What an exclusive scan returns to the first work-item (OpenCL C 6.15.16.2 and 6.15.17).
    pub(super) fn identity(&mut self, op: GroupOp) -> Value {
        match op {
            GroupOp::FAdd => self.builder.zero(self.ty),
            GroupOp::IAdd
            | GroupOp::IMul
            | GroupOp::FMul
            | GroupOp::SMin
            | GroupOp::UMin
            | GroupOp::FMin
            | GroupOp::SMax
            | GroupOp::UMax
            | GroupOp::FMax
            | GroupOp::And
            | GroupOp::Or
            | GroupOp::Xor
            | GroupOp::LogicalAnd
            | GroupOp::LogicalOr
            | GroupOp::LogicalXor => self.neutral(op),
        }
    }

    /// What changes no value that it is combined with, zeros of either sign included.
    pub(super) fn neutral(&mut self, op: GroupOp) -> Value {
        let bits = u32::from(self.builder.types.scalar_bits(self.ty).unwrap_or(32));
        let sign = 1 << (bits - 1);
        let (one, infinity): (u64, u64) = match bits {
            16 => (0x3c00, 0x7c00),
            32 => (0x3f80_0000, 0x7f80_0000),
            _ => (0x3ff0_0000_0000_0000, 0x7ff0_0000_0000_0000),
        };
        let (value, is_float) = match op {
            GroupOp::IAdd
            | GroupOp::UMax
            | GroupOp::Or
            | GroupOp::Xor
            | GroupOp::LogicalOr
            | GroupOp::LogicalXor => (0, false),
            GroupOp::IMul | GroupOp::LogicalAnd => (1, false),
            GroupOp::UMin | GroupOp::And => (u64::MAX, false),
            GroupOp::SMin => (sign - 1, false),
            GroupOp::SMax => (sign, false),
            GroupOp::FAdd => (sign, true),
            GroupOp::FMul => (one, true),
            GroupOp::FMin => (infinity, true),
            GroupOp::FMax => (sign | infinity, true),
        };
        if is_float {
            self.builder.consts.intern(Const::Float(self.ty, value))
        } else {
            self.builder.int(self.ty, value)
        }
    }
}
