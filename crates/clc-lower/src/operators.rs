//! Arithmetic and pointer arithmetic.

use clc_base::Span;
use clc_builtins::Scalar;
use clc_ir::{BinaryOp, Const, ConvertOp, TypeKind, Value};
use clc_sema::hir::{self, ExprId, ExprKind};
use clc_sema::types::TypeId;

use crate::module::FunctionLowering;
use crate::places::Memory;

impl FunctionLowering<'_, '_> {
    /// `left op right` on operands of arithmetic type `ty`; for shifts `right` has type
    /// `right_type`.
    pub fn arithmetic(
        &mut self,
        op: hir::BinaryOp,
        ty: TypeId,
        left: Value,
        right: Value,
        right_type: TypeId,
    ) -> Value {
        if self.is_matrix(ty) {
            return self.matrix_arithmetic(op, left, right);
        }
        let Some((scalar, _)) = self.types().as_arithmetic(ty) else {
            unreachable!("arithmetic is on arithmetic types")
        };
        let float = scalar.is_float();
        let signed = scalar.is_signed();
        let op = match op {
            hir::BinaryOp::Add if float => BinaryOp::FAdd,
            hir::BinaryOp::Sub if float => BinaryOp::FSub,
            hir::BinaryOp::Mul if float => BinaryOp::FMul,
            hir::BinaryOp::Div if float => BinaryOp::FDiv,
            hir::BinaryOp::Rem if float => BinaryOp::FRem,
            hir::BinaryOp::Add => BinaryOp::IAdd,
            hir::BinaryOp::Sub => BinaryOp::ISub,
            hir::BinaryOp::Mul => BinaryOp::IMul,
            hir::BinaryOp::Div if signed => BinaryOp::SDiv,
            hir::BinaryOp::Div => BinaryOp::UDiv,
            hir::BinaryOp::Rem if signed => BinaryOp::SRem,
            hir::BinaryOp::Rem => BinaryOp::URem,
            hir::BinaryOp::And => BinaryOp::And,
            hir::BinaryOp::Or => BinaryOp::Or,
            hir::BinaryOp::Xor => BinaryOp::Xor,
            hir::BinaryOp::Shl => {
                return self.shift(BinaryOp::Shl, scalar, left, right, right_type);
            }
            hir::BinaryOp::Shr => {
                let op = if signed { BinaryOp::AShr } else { BinaryOp::LShr };
                return self.shift(op, scalar, left, right, right_type);
            }
        };
        let may_not_wrap = self.overflow_is_undefined(scalar, left);
        self.build(|b| match op {
            BinaryOp::IAdd | BinaryOp::ISub | BinaryOp::IMul if may_not_wrap => {
                b.binary_without_wrap(op, left, right)
            }
            _ => b.binary(op, left, right),
        })
    }

    /// Whether a sum, difference or product of numbers like `operand` has no meaning where it does not fit (C99
    /// 6.5p5). What is narrower than `int` is computed in `int`, and of vectors OpenCL C does not say it in so many
    /// words.
    fn overflow_is_undefined(&self, scalar: Scalar, operand: Value) -> bool {
        let ty = self.value_type(operand);
        matches!(scalar, Scalar::Int | Scalar::Long)
            && self.cx.module.types.lanes(ty) == 1
            && !self.cx.hir.signed_overflow_wraps
    }

    /// The count is taken modulo the width of the left operand (OpenCL C 6.3.j).
    fn shift(
        &mut self,
        op: BinaryOp,
        scalar: Scalar,
        left: Value,
        right: Value,
        right_type: TypeId,
    ) -> Value {
        let bits = scalar.bits() as u8;
        let signed =
            self.types().as_arithmetic(right_type).is_some_and(|(scalar, _)| scalar.is_signed());
        let count = self.resize(right, signed, bits);
        let ty = self.value_type(left);
        let mask = u64::from(bits - 1);
        self.build(|b| {
            let count = match b.constant_int(count) {
                Some(count) => {
                    let element = b.types.scalar(ty);
                    let count = b.int(element, count & mask);
                    b.splat(ty, count)
                }
                None if is_small_constant(b.consts, count, mask) => count,
                None => {
                    let element = b.types.scalar(ty);
                    let mask = b.int(element, mask);
                    let mask = b.splat(ty, mask);
                    b.binary(BinaryOp::And, count, mask)
                }
            };
            b.binary(op, left, count)
        })
    }

    /// `pointer ± index` in elements; the alignment is that of the address before the index is added.
    pub fn pointer_offset(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        negate: bool,
        span: Span,
    ) -> Memory {
        let data = self.expr_data(pointer);
        // Indexing an array goes straight to the element.
        if let ExprKind::Decay(array) = &data.kind
            && !negate
        {
            let memory = self.memory(*array);
            let is_array = self.pointee(memory.pointer).is_some_and(|pointee| {
                matches!(self.cx.module.types.kind(pointee), TypeKind::Array(..))
            });
            if is_array {
                let index = self.index(index);
                self.span = span;
                let element = self.build(|b| b.access(memory.pointer, &[index]));
                return Memory { pointer: self.as_type(element, data.ty.ty), ..memory };
            }
            let first = self.first_element(memory.pointer, data.ty.ty);
            let index = self.index(index);
            return Memory { pointer: self.build(|b| b.ptr_add(first, index)), ..memory };
        }
        let base = self.pointer(pointer);
        let index = self.index(index);
        self.span = span;
        Memory { pointer: self.offset(base.pointer, index, negate), ..base }
    }

    /// `base ± index`.
    pub fn offset(&mut self, base: Value, index: Value, negate: bool) -> Value {
        self.build(|b| {
            let index = match (negate, b.constant_int(index)) {
                (false, _) => index,
                (true, Some(constant)) => {
                    let ty = b.ty(index);
                    b.int(ty, constant.wrapping_neg())
                }
                (true, None) => b.unary(clc_ir::UnaryOp::INeg, index),
            };
            b.ptr_add(base, index)
        })
    }

    /// An index as a signed machine integer: unsigned indices are widened so that their top bit is
    /// no sign; wider than a pointer they wrap.
    pub fn index(&mut self, id: ExprId) -> Value {
        let ty = self.expr_data(id).ty.ty;
        let value = self.value(id);
        let Some(scalar) = self.types().as_scalar(ty) else { unreachable!("indices are integers") };
        let pointer_bits = (self.cx.hir.types.pointer_size * 8) as u8;
        let bits = scalar.bits() as u8;
        let wanted = if bits >= pointer_bits {
            pointer_bits
        } else if scalar.is_signed() {
            bits.max(32)
        } else {
            // The next width that holds all values as signed numbers.
            if bits < 32 { 32 } else { pointer_bits }
        };
        self.resize(value, scalar.is_signed(), wanted)
    }

    /// The difference of two pointers in elements (C99 6.5.6).
    pub fn pointer_difference(&mut self, left: ExprId, right: ExprId) -> Value {
        let stride = self
            .types()
            .as_pointer(self.expr_data(left).ty.ty)
            .and_then(|(pointee, _)| self.types().size(pointee.ty))
            .unwrap_or(1)
            .max(1);
        let left = self.value(left);
        let right = self.value(right);
        self.build(|b| {
            let ty = b.types.size_type();
            let left = b.convert(ConvertOp::PtrToInt, left, ty);
            let right = b.convert(ConvertOp::PtrToInt, right, ty);
            let bytes = b.binary(BinaryOp::ISub, left, right);
            if stride == 1 {
                return bytes;
            }
            let stride = b.int(ty, stride);
            b.binary(BinaryOp::SDiv, bytes, stride)
        })
    }

    /// The value after `++` or `--`.
    pub fn step(&mut self, ty: TypeId, old: Value, increment: bool) -> Value {
        if self.types().as_pointer(ty).is_some() {
            return self.build(|b| {
                let step = b.i32(if increment { 1 } else { -1 });
                b.ptr_add(old, step)
            });
        }
        let Some((scalar, _)) = self.types().as_arithmetic(ty) else {
            unreachable!("only numbers and pointers are stepped")
        };
        let lowered = self.value_type(old);
        let element = self.cx.module.types.scalar(lowered);
        if scalar == Scalar::Bool {
            // Any number plus one is true; a boolean minus one is its opposite.
            return self.build(|b| {
                let one = b.int(element, 1);
                if increment { one } else { b.binary(BinaryOp::Xor, old, one) }
            });
        }
        let (op, one) = match (scalar, increment) {
            (Scalar::Half, true) => (BinaryOp::FAdd, 0x3c00),
            (Scalar::Half, false) => (BinaryOp::FSub, 0x3c00),
            (Scalar::Float, true) => (BinaryOp::FAdd, u64::from(1f32.to_bits())),
            (Scalar::Float, false) => (BinaryOp::FSub, u64::from(1f32.to_bits())),
            (Scalar::Double, true) => (BinaryOp::FAdd, 1f64.to_bits()),
            (Scalar::Double, false) => (BinaryOp::FSub, 1f64.to_bits()),
            (_, true) => (BinaryOp::IAdd, 1),
            (_, false) => (BinaryOp::ISub, 1),
        };
        let may_not_wrap = self.overflow_is_undefined(scalar, old);
        let one = self.cx.scalar_constant(element, one);
        self.build(|b| {
            let one = b.splat(lowered, one);
            if may_not_wrap { b.binary_without_wrap(op, old, one) } else { b.binary(op, old, one) }
        })
    }
}

/// Whether every component of a constant vector of shift counts is below the width.
fn is_small_constant(consts: &clc_ir::ConstPool, value: Value, mask: u64) -> bool {
    let Some(id) = value.as_const() else { return false };
    match consts.get(id) {
        Const::Null(_) => true,
        Const::Int(_, bits) => *bits <= mask,
        Const::Composite(_, parts) => {
            parts.iter().all(|&part| is_small_constant(consts, part, mask))
        }
        _ => false,
    }
}
