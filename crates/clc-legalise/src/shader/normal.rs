//! What is sure of the size of numbers, in all components.
//!
//! * Of type `float`: which are positive normal numbers, infinity or NaN: sums of squares and something more, mostly, which
//!   programs add so that they may take a root or divide.
//! * Of type `float`: which are no larger than 2^126, up to which OpFDiv has precise quotients.
//! * Of type `double`: which are one or its negative.

use clc_builtins::Intrinsic;
use clc_ir::{
    BinaryOp, Const, ConstId, ConvertOp, Function, InstKind, Module, TypeKind, TypePool, UnaryOp,
    Value,
};

/// How many instructions above a value are looked at.
const DEPTH: u32 = 6;

/// Whether no component of `value` is less than the least normal number. It may be NaN.
pub(super) fn is_normal(module: &Module, function: &Function, value: Value) -> bool {
    Search { module, function }.is_normal(value, DEPTH)
}

/// Whether no component of `value` is above 2^126, or below its negative. It may be NaN.
pub(super) fn is_moderate(module: &Module, function: &Function, value: Value) -> bool {
    Search { module, function }.is_moderate(value, DEPTH)
}

/// Whether all components of a `double` are constants that are one or its negative.
pub(super) fn is_one(module: &Module, value: Value) -> bool {
    let is_one = |id: ConstId| match module.consts.get(id) {
        &Const::Float(TypePool::F64, bits) => f64::from_bits(bits).abs() == 1.0,
        _ => false,
    };
    value.as_const().is_some_and(|id| match module.consts.get(id) {
        Const::Composite(_, parts) => parts.iter().all(|part| part.as_const().is_some_and(is_one)),
        _ => is_one(id),
    })
}

struct Search<'a> {
    module: &'a Module,
    function: &'a Function,
}

impl Search<'_> {
    fn is_normal(&self, value: Value, depth: u32) -> bool {
        if value.is_const() {
            return self.all(value, |number| number >= f32::MIN_POSITIVE);
        }
        let Some(kind) = self.kind(value, depth) else { return false };
        let below = depth - 1;
        // Rounding keeps order, so that a sum is not less than the larger summand.
        let sum = |left, right| {
            self.is_normal(left, below) && self.is_not_negative(right, below)
                || self.is_normal(right, below) && self.is_not_negative(left, below)
        };
        match kind {
            InstKind::Binary { op: BinaryOp::FAdd, left, right } => sum(left, right),
            InstKind::Intrinsic { intrinsic, arguments } => {
                let argument = |index| self.function.value_at(arguments, index);
                match intrinsic {
                    Intrinsic::Mad | Intrinsic::Fma => {
                        self.is_square(argument(0), argument(1), below)
                            && self.is_normal(argument(2), below)
                    }
                    // Of a number and NaN the number.
                    Intrinsic::Fmax => {
                        let is_bound = |index| {
                            argument(index).is_const() && self.is_normal(argument(index), below)
                        };
                        is_bound(0) || is_bound(1)
                    }
                    Intrinsic::Fabs => self.is_normal(argument(0), below),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn is_moderate(&self, value: Value, depth: u32) -> bool {
        if value.is_const() {
            return self.all(value, |number| number.abs() <= 2f32.powi(126));
        }
        let Some(kind) = self.kind(value, depth) else { return false };
        let below = depth - 1;
        match kind {
            InstKind::Convert { op: ConvertOp::UToF | ConvertOp::SToF, .. } => true,
            InstKind::Unary { op: UnaryOp::FNeg, operand } => self.is_moderate(operand, below),
            InstKind::Extract { aggregate, .. } => self.is_moderate(aggregate, below),
            InstKind::Construct { parts } => {
                self.function.values_of(parts).all(|part| self.is_moderate(part, below))
            }
            InstKind::Intrinsic { intrinsic, arguments } => match intrinsic {
                // A root of the largest number is 2^64.
                Intrinsic::Sqrt | Intrinsic::NativeSqrt | Intrinsic::Cos | Intrinsic::Sin => true,
                Intrinsic::Fabs => self.is_moderate(self.function.value_at(arguments, 0), below),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether no component is less than zero. It may be NaN, and a zero of either sign.
    fn is_not_negative(&self, value: Value, depth: u32) -> bool {
        if value.is_const() {
            return self.all(value, |number| number >= 0.0);
        }
        let Some(kind) = self.kind(value, depth) else { return false };
        let below = depth - 1;
        match kind {
            InstKind::Binary { op: BinaryOp::FMul, left, right } => {
                self.is_square(left, right, below)
            }
            InstKind::Binary { op: BinaryOp::FAdd, left, right } => {
                self.is_not_negative(left, below) && self.is_not_negative(right, below)
            }
            InstKind::Convert { op: ConvertOp::UToF, .. } => true,
            InstKind::Extract { aggregate, .. } => self.is_not_negative(aggregate, below),
            InstKind::Intrinsic { intrinsic, arguments } => {
                let argument = |index| self.function.value_at(arguments, index);
                match intrinsic {
                    Intrinsic::Dot => argument(0) == argument(1),
                    Intrinsic::Fabs => true,
                    Intrinsic::Mad | Intrinsic::Fma => {
                        self.is_square(argument(0), argument(1), below)
                            && self.is_not_negative(argument(2), below)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Whether a product is surely not negative.
    fn is_square(&self, left: Value, right: Value, depth: u32) -> bool {
        left == right || self.is_not_negative(left, depth) && self.is_not_negative(right, depth)
    }

    fn kind(&self, value: Value, depth: u32) -> Option<InstKind> {
        if depth == 0 {
            return None;
        }
        self.function.def_inst(value).map(|(_, data)| data.kind)
    }

    fn all(&self, value: Value, is_right: fn(f32) -> bool) -> bool {
        let consts = &self.module.consts;
        let scalar = |value: Value| match value.as_const().map(|id| consts.get(id)) {
            Some(&Const::Float(_, bits)) => is_right(f32::from_bits(bits as u32)),
            _ => false,
        };
        match value.as_const().map(|id| consts.get(id)) {
            Some(Const::Float(..)) => scalar(value),
            Some(Const::Null(_)) => is_right(0.0),
            Some(Const::Composite(ty, parts)) => {
                matches!(self.module.types.kind(*ty), TypeKind::Vector(..))
                    && parts.iter().all(|&part| scalar(part))
            }
            _ => false,
        }
    }
}
