//! Numeric conversions and reinterpretation of bits.

use clc_builtins::resolve::Rounding;
use clc_builtins::{MatrixOp, Scalar};
use clc_ir::{ConvertOp, TypeKind, TypePool, Value};
use clc_sema::types::TypeId;

use crate::module::FunctionLowering;

impl FunctionLowering<'_, '_> {
    /// A number, or each component of a vector, as another arithmetic type.
    pub fn convert(
        &mut self,
        value: Value,
        from: TypeId,
        to: TypeId,
        rounding: Option<Rounding>,
        saturate: bool,
    ) -> Value {
        if self.is_matrix(to) {
            let ty = self.lower_type(to);
            let same = from == to;
            return if same { value } else { self.matrix(MatrixOp::Convert, &[value], ty) };
        }
        let (Some((source, _)), Some((target, lanes))) =
            (self.types().as_arithmetic(from), self.types().as_arithmetic(to))
        else {
            unreachable!("numeric conversions are between arithmetic types")
        };
        if source == target {
            return value;
        }
        let ty = self.lower_type(to);
        if target == Scalar::Bool {
            debug_assert_eq!(lanes, 1, "there are no vectors of bool");
            let truth = self.nonzero(value);
            return self.integer_truth(truth, TypePool::I8);
        }
        let op = match (source.is_float(), target.is_float()) {
            (true, true) => ConvertOp::FToF,
            (true, false) if target.is_signed() => ConvertOp::FToS,
            (true, false) => ConvertOp::FToU,
            (false, true) if source.is_signed() => ConvertOp::SToF,
            (false, true) => ConvertOp::UToF,
            (false, false) if saturate => match (source.is_signed(), target.is_signed()) {
                (true, true) if source.bits() <= target.bits() => ConvertOp::SignExtend,
                (false, false) if source.bits() <= target.bits() => ConvertOp::ZeroExtend,
                (false, true) if source.bits() < target.bits() => ConvertOp::ZeroExtend,
                (true, true) => ConvertOp::SaturateSToS,
                (true, false) => ConvertOp::SaturateSToU,
                (false, true) => ConvertOp::SaturateUToS,
                (false, false) => ConvertOp::SaturateUToU,
            },
            (false, false) if source.bits() > target.bits() => ConvertOp::Truncate,
            (false, false) if source.is_signed() => ConvertOp::SignExtend,
            (false, false) => ConvertOp::ZeroExtend,
        };
        // Integers of one width differ in name only.
        let extends = matches!(op, ConvertOp::SignExtend | ConvertOp::ZeroExtend);
        if extends && source.bits() == target.bits() {
            return value;
        }
        if source.is_float() || target.is_float() {
            return self.build(|b| b.convert_with(op, value, ty, rounding, saturate));
        }
        self.build(|b| b.convert(op, value, ty))
    }

    /// An integer as a machine integer of another width.
    pub fn resize(&mut self, value: Value, signed: bool, bits: u8) -> Value {
        let ty = self.value_type(value);
        let from = self.cx.module.types.scalar_bits(ty).unwrap_or(bits);
        if from == bits {
            return value;
        }
        let op = match (from > bits, signed) {
            (true, _) => ConvertOp::Truncate,
            (false, true) => ConvertOp::SignExtend,
            (false, false) => ConvertOp::ZeroExtend,
        };
        self.build(|b| {
            if let Some(constant) = b.constant_int(value) {
                let target = b.types.int(bits);
                let value = match op {
                    ConvertOp::SignExtend => {
                        let shift = 64 - u32::from(from);
                        (constant << shift).cast_signed().wrapping_shr(shift).cast_unsigned()
                    }
                    _ => constant,
                };
                return b.int(target, value);
            }
            let element = b.types.int(bits);
            let target = b.types.with_scalar(ty, element);
            b.convert(op, value, target)
        })
    }

    /// The same bits as another type. A vector of three takes the room of four, so it
    /// reinterprets as four with the last undefined (OpenCL C 6.4.4.2).
    pub fn reinterpret(&mut self, value: Value, to: TypeId) -> Value {
        let target = self.lower_type(to);
        self.build(|b| {
            let mut value = value;
            if b.ty(value) == target {
                return value;
            }
            let source = b.ty(value);
            let is_three = |lanes| lanes == 3;
            let same_element = match (b.types.kind(source), b.types.kind(target)) {
                (TypeKind::Vector(from, a), TypeKind::Vector(to, c)) => {
                    a == c && b.types.size(from) == b.types.size(to)
                }
                _ => false,
            };
            if same_element || b.types.is_pointer(source) {
                return b.bitcast(value, target);
            }
            if is_three(b.types.lanes(source)) {
                value = b.shuffle(value, value, &[0, 1, 2, u32::MAX]);
            }
            if is_three(b.types.lanes(target)) {
                let element = b.types.scalar(target);
                let four = b.types.vector(element, 4);
                let wide = b.bitcast(value, four);
                return b.shuffle(wide, wide, &[0, 1, 2]);
            }
            b.bitcast(value, target)
        })
    }
}
