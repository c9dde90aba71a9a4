//! Integers, floats and booleans.

use clc_ir::{BinaryOp, InstKind, MathFlags, Type, UnaryOp, Value};

use super::Outcome::{self, Become, Exact, Keep, Same};
use super::Simplifier;
use super::choices::inverted;
use crate::fold;
use crate::negation::without_negation;

impl Simplifier<'_> {
    pub(super) fn binary(&mut self, op: BinaryOp, left: Value, right: Value, ty: Type) -> Outcome {
        if let Some(value) = self.folder.binary(op, left, right) {
            return Same(value);
        }
        if left.is_const() && op.is_commutative() && !right.is_const() {
            return Exact(InstKind::Binary { op, left: right, right: left });
        }
        if self.folder.types.is_float(ty) {
            return self.float_binary(op, left, right, ty);
        }
        let is_bool = self.folder.types.is_bool(ty);
        let width = self.folder.types.scalar_bits(ty).unwrap_or(1);
        let ones = fold::mask(u64::MAX, width);
        let zero = |simplifier: &mut Self| simplifier.folder.splat(ty, 0);
        if left == right {
            match op {
                BinaryOp::And | BinaryOp::Or => return Same(left),
                BinaryOp::Xor | BinaryOp::ISub => return Same(zero(self)),
                _ => {}
            }
        }
        if let Some(constant) = self.splat(right) {
            match (op, constant) {
                (
                    BinaryOp::IAdd
                    | BinaryOp::ISub
                    | BinaryOp::Or
                    | BinaryOp::Xor
                    | BinaryOp::Shl
                    | BinaryOp::LShr
                    | BinaryOp::AShr,
                    0,
                ) => return Same(left),
                (BinaryOp::IMul | BinaryOp::And, 0) => return Same(zero(self)),
                (BinaryOp::IMul | BinaryOp::SDiv | BinaryOp::UDiv, 1) if !is_bool => {
                    return Same(left);
                }
                (BinaryOp::URem | BinaryOp::SRem, 1) => return Same(zero(self)),
                (BinaryOp::And, bits) if bits == ones => return Same(left),
                (BinaryOp::Or, bits) if bits == ones => return Same(right),
                (BinaryOp::Xor, bits) if bits == ones => {
                    return Become(InstKind::Unary { op: UnaryOp::Not, operand: left });
                }
                (BinaryOp::UDiv, bits) if bits.is_power_of_two() => {
                    let right = self.folder.splat(ty, u64::from(bits.trailing_zeros()));
                    return Become(InstKind::Binary { op: BinaryOp::LShr, left, right });
                }
                (BinaryOp::URem, bits) if bits.is_power_of_two() => {
                    let right = self.folder.splat(ty, bits - 1);
                    return Become(InstKind::Binary { op: BinaryOp::And, left, right });
                }
                // One form for both, so that chains of them meet below.
                (BinaryOp::ISub, bits) => {
                    let right = self.folder.splat(ty, fold::mask(bits.wrapping_neg(), width));
                    let sum = InstKind::Binary { op: BinaryOp::IAdd, left, right };
                    // The least number has no opposite.
                    let is_exact = bits != 1 << (width - 1);
                    return if is_exact { Exact(sum) } else { Become(sum) };
                }
                _ => {}
            }
        }
        if op == BinaryOp::ISub && self.splat(left) == Some(0) {
            return Become(InstKind::Unary { op: UnaryOp::INeg, operand: right });
        }
        // (x op c1) op c2 is x op (c1 op c2).
        if right.is_const()
            && matches!(
                op,
                BinaryOp::IAdd | BinaryOp::IMul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor
            )
            && let Some(InstKind::Binary { op: inner, left: first, right: second }) =
                self.kind(left)
            && inner == op
            && let Some(both) = self.folder.binary(op, second, right)
        {
            let is_exact = self.does_not_wrap(left) && self.is_exact(op, second, right, width);
            let joined = InstKind::Binary { op, left: first, right: both };
            return if is_exact { Exact(joined) } else { Become(joined) };
        }
        if let Some(kind) = self.constant_last(op, left, right, ty) {
            return Become(kind);
        }
        self.binary_of_selects(op, left, right, ty)
    }

    /// Whether a value is a sum, difference or product that does not wrap.
    fn does_not_wrap(&self, value: Value) -> bool {
        let inst = self.function.def_inst(value);
        inst.is_some_and(|(_, data)| data.math.has(MathFlags::NO_SIGNED_WRAP))
    }

    /// Whether the sum or product of two constants is a signed number of that width.
    fn is_exact(&self, op: BinaryOp, left: Value, right: Value, width: u8) -> bool {
        let number = |value| self.splat(value).map(|bits| fold::sign_extend(bits, width));
        let (Some(left), Some(right)) = (number(left), number(right)) else { return false };
        let result = match op {
            BinaryOp::IAdd => left.checked_add(right),
            BinaryOp::IMul => left.checked_mul(right),
            _ => None,
        };
        let unused = 64 - u32::from(width);
        result.is_some_and(|result| result << unused >> unused == result)
    }

    /// x + (y + c) is (x + y) + c, and (x + c) * k is x * k + c * k: addresses of neighbours then differ
    /// in a constant alone.
    fn constant_last(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        ty: Type,
    ) -> Option<InstKind> {
        let sum = |simplifier: &Self, value: Value| match simplifier.kind(value) {
            Some(InstKind::Binary { op: BinaryOp::IAdd, left, right })
                if right.is_const() && simplifier.is_used_once(value) =>
            {
                Some((left, right))
            }
            _ => None,
        };
        let (inner, constant) = match op {
            // Not of a sum on the left: that is an address that several things may be at.
            BinaryOp::IAdd if !right.is_const() => {
                // Where neither wraps the whole is a sum of three; x + y alone could wrap.
                if self.math.has(MathFlags::NO_SIGNED_WRAP) && self.does_not_wrap(right) {
                    return None;
                }
                let (y, c) = sum(self, right)?;
                ((left, y), c)
            }
            BinaryOp::IMul | BinaryOp::Shl if right.is_const() => {
                // `spread_products` finds out whether the parts do not wrap either.
                if self.math.has(MathFlags::NO_SIGNED_WRAP) && self.does_not_wrap(left) {
                    return None;
                }
                let (x, c) = sum(self, left)?;
                ((x, right), self.folder.binary(op, c, right)?)
            }
            _ => return None,
        };
        let left = self.make(InstKind::Binary { op, left: inner.0, right: inner.1 }, ty);
        Some(InstKind::Binary { op: BinaryOp::IAdd, left, right: constant })
    }

    /// Arithmetic on one of two constants, which C makes of every boolean.
    pub(super) fn binary_of_selects(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        ty: Type,
    ) -> Outcome {
        let choice = |simplifier: &Self, value: Value| match simplifier.kind(value) {
            Some(InstKind::Select { condition, then, otherwise })
                if then.is_const() && otherwise.is_const() =>
            {
                Some((condition, then, otherwise))
            }
            _ => None,
        };
        if right.is_const()
            && let Some((condition, then, otherwise)) = choice(self, left)
            && let Some(then) = self.folder.binary(op, then, right)
            && let Some(otherwise) = self.folder.binary(op, otherwise, right)
        {
            return Become(InstKind::Select { condition, then, otherwise });
        }
        // (a ? k : 0) & (b ? k : 0) is (a & b) ? k : 0, and so for | and ^.
        if matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
            && let Some((first, then, otherwise)) = choice(self, left)
            && let Some((second, other_then, other_otherwise)) = choice(self, right)
            && then == other_then
            && otherwise == other_otherwise
            && self.splat(otherwise) == Some(0)
            && self.ty(first) == self.ty(second)
        {
            let condition_ty = self.ty(first);
            let kind = InstKind::Binary { op, left: first, right: second };
            let condition = self.make(kind, condition_ty);
            return Become(InstKind::Select { condition, then, otherwise });
        }
        let _ = ty;
        Keep
    }

    pub(super) fn float_binary(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        ty: Type,
    ) -> Outcome {
        let width = self.folder.types.scalar_bits(ty).unwrap_or(32);
        let one = fold::one(width);
        let negative_zero = 1u64 << (width - 1);
        let ignores_zero_sign =
            self.math.has(MathFlags::NO_SIGNED_ZERO) || self.math.has(MathFlags::FAST);
        if let Some(constant) = self.splat(right) {
            match op {
                // x + -0.0 is x for every x; x + 0.0 turns -0.0 into 0.0.
                BinaryOp::FAdd
                    if constant == negative_zero || (constant == 0 && ignores_zero_sign) =>
                {
                    return Same(left);
                }
                BinaryOp::FSub
                    if constant == 0 || (constant == negative_zero && ignores_zero_sign) =>
                {
                    return Same(left);
                }
                BinaryOp::FMul | BinaryOp::FDiv if constant == one => return Same(left),
                BinaryOp::FMul | BinaryOp::FDiv if constant == one | negative_zero => {
                    return Become(InstKind::Unary { op: UnaryOp::FNeg, operand: left });
                }
                // Division by a power of two is a multiplication, to the last bit.
                BinaryOp::FDiv => {
                    if let Some(bits) = fold::exact_reciprocal(width, constant) {
                        let right = self.folder.splat(ty, bits);
                        return Become(InstKind::Binary { op: BinaryOp::FMul, left, right });
                    }
                    if self.math.has(MathFlags::RECIPROCAL) || self.math.has(MathFlags::FAST) {
                        let one = self.folder.splat(ty, one);
                        // None of what is too small or too large for it.
                        if let Some(right) = self.folder.binary(op, one, right)
                            && self.normal_parts(right).is_some()
                        {
                            return Become(InstKind::Binary { op: BinaryOp::FMul, left, right });
                        }
                    }
                }
                _ => {}
            }
        }
        if op == BinaryOp::FSub && self.splat(left) == Some(negative_zero) {
            return Become(InstKind::Unary { op: UnaryOp::FNeg, operand: right });
        }
        // a + -b is a - b, and a - -b is a + b, exactly.
        if matches!(op, BinaryOp::FAdd | BinaryOp::FSub)
            && let Some(InstKind::Unary { op: UnaryOp::FNeg, operand }) = self.kind(right)
        {
            let op = if op == BinaryOp::FAdd { BinaryOp::FSub } else { BinaryOp::FAdd };
            return Become(InstKind::Binary { op, left, right: operand });
        }
        // Two negations of factors are none, and one is that of a constant factor.
        if matches!(op, BinaryOp::FMul | BinaryOp::FDiv)
            && !(left.is_const() && right.is_const())
            && let Some((left, right)) = self.negated(left).zip(self.negated(right))
        {
            return Become(InstKind::Binary { op, left, right });
        }
        if op == BinaryOp::FDiv {
            return self.divided_by_root(left, right, ty);
        }
        Keep
    }

    /// `-value` where it is there already: what `value` is the negation of, or a constant.
    pub(super) fn negated(&mut self, value: Value) -> Option<Value> {
        match self.kind(value) {
            Some(InstKind::Unary { op: UnaryOp::FNeg, operand }) => Some(operand),
            _ => self.folder.unary(UnaryOp::FNeg, value),
        }
    }

    pub(super) fn unary(&mut self, op: UnaryOp, operand: Value, ty: Type) -> Outcome {
        if let Some(value) = self.folder.unary(op, operand) {
            return Same(value);
        }
        match self.kind(operand) {
            Some(InstKind::Unary { op: inner, operand }) if inner == op => return Same(operand),
            Some(InstKind::Compare { op: comparison, left, right }) if op == UnaryOp::Not => {
                if let Some(opposite) = inverted(comparison) {
                    return Become(InstKind::Compare { op: opposite, left, right });
                }
            }
            Some(InstKind::Select { condition, then, otherwise }) => {
                if let (Some(then), Some(otherwise)) =
                    (self.folder.unary(op, then), self.folder.unary(op, otherwise))
                {
                    return Become(InstKind::Select { condition, then, otherwise });
                }
            }
            // -(a - b) is b - a.
            Some(InstKind::Binary { op: BinaryOp::ISub, left, right }) if op == UnaryOp::INeg => {
                return Become(InstKind::Binary { op: BinaryOp::ISub, left: right, right: left });
            }
            _ => {}
        }
        if op == UnaryOp::FNeg {
            let Simplifier { function, folder, uses, out, .. } = self;
            let is_used_once =
                |value: Value| value.as_local().and_then(|index| uses.get(index)) == Some(&1);
            if let Some(kind) = without_negation(function, folder, &is_used_once, operand, out) {
                return Become(kind);
            }
        }
        let _ = ty;
        Keep
    }
}
