//! Functions of floating-point constants, and powers of which the base or the exponent is known.

use clc_builtins::{Intrinsic, values};
use clc_ir::{BinaryOp, Const, ConvertOp, InstKind, MathFlags, Type, TypePool, Value, ValueList};

use super::Outcome::{self, Become, Keep, Same};
use super::Simplifier;
use crate::fold;

/// Numbers that all devices compute with: zero and normal ones, up to the largest of a width.
fn is_normal(number: f64, width: u8) -> bool {
    let (least, greatest) = match width {
        16 => (2f64.powi(-14), 65504.0),
        32 => (f64::from(f32::MIN_POSITIVE), f64::from(f32::MAX)),
        _ => (f64::MIN_POSITIVE, f64::MAX),
    };
    number == 0.0 || (least..=greatest).contains(&number.abs())
}

/// Of numbers of a width the number before the last rounding.
fn evaluate(intrinsic: Intrinsic, numbers: &[f64], width: u8) -> Option<f64> {
    match (intrinsic, numbers, width) {
        (Intrinsic::Fma, &[a, b, c], 64) => Some(libm::fma(a, b, c)),
        (Intrinsic::Fma, &[a, b, c], 32) => {
            Some(f64::from(libm::fmaf(a as f32, b as f32, c as f32)))
        }
        // Rounded twice is as right as once.
        (Intrinsic::Mad, &[a, b, c], _) => Some(a * b + c),
        _ => values::function(intrinsic)?.of(numbers),
    }
}

impl Simplifier<'_> {
    /// A function of constants, where these and the results are normal numbers or zero: of others devices differ.
    pub(super) fn fold_function(
        &mut self,
        intrinsic: Intrinsic,
        arguments: ValueList,
        ty: Type,
    ) -> Option<Value> {
        let of_constants = self.function.values_of(arguments).all(|argument| argument.is_const());
        let scalar = self.folder.types.scalar(ty);
        if !of_constants || arguments.is_empty() || !self.folder.types.is_float(scalar) {
            return None;
        }
        let arguments: Vec<Value> = self.function.values_of(arguments).collect();
        if arguments.iter().any(|&argument| self.ty(argument) != ty) {
            return None;
        }
        let width = self.folder.types.scalar_bits(ty)?;
        let lanes = u32::from(self.folder.types.lanes(ty));
        let mut parts = Vec::new();
        for lane in 0..lanes {
            let mut numbers = Vec::new();
            for &argument in &arguments {
                let part =
                    if lanes == 1 { argument } else { self.folder.component(argument, lane)? };
                numbers.push(self.number(part).filter(|&number| is_normal(number, width))?);
            }
            let value = evaluate(intrinsic, &numbers, width)?;
            let double = Const::Float(TypePool::F64, value.to_bits());
            let double = self.folder.consts.intern(double);
            let part = match width {
                64 => double,
                _ => self.folder.convert(ConvertOp::FToF, double, scalar, None, false)?,
            };
            self.number(part).filter(|&number| is_normal(number, width))?;
            parts.push(part);
        }
        match parts[..] {
            [only] if lanes == 1 => Some(only),
            _ => Some(self.folder.composite(ty, parts)),
        }
    }

    /// A scalar constant of any floating-point type.
    fn number(&mut self, value: Value) -> Option<f64> {
        let double = match self.ty(value) {
            TypePool::F64 => value,
            _ => self.folder.convert(ConvertOp::FToF, value, TypePool::F64, None, false)?,
        };
        self.folder.scalar_bits(double).map(f64::from_bits)
    }

    /// The number that every component of a constant is.
    fn splat_number(&mut self, value: Value) -> Option<f64> {
        let bits = self.splat(value)?;
        let scalar = self.folder.types.scalar(self.ty(value));
        let part = self.folder.scalar(scalar, bits);
        self.number(part)
    }

    /// Powers as products, reciprocals and exponentials. All of them are the same for what is special, and nearer to the
    /// true value than the 16 units that OpenCL C 7.4 gives to `pow` and `pown`.
    pub(super) fn power(
        &mut self,
        intrinsic: Intrinsic,
        arguments: ValueList,
        ty: Type,
    ) -> Option<Outcome> {
        use Intrinsic as I;
        if !matches!(intrinsic, I::Pow | I::Pown | I::Powr | I::HalfPowr | I::NativePowr) {
            return None;
        }
        let arguments: Vec<Value> = self.function.values_of(arguments).collect();
        let &[base, exponent] = &arguments[..] else { return None };
        if intrinsic == I::Pown {
            let width = self.folder.types.scalar_bits(self.ty(exponent))?;
            let exponent = fold::sign_extend(self.splat(exponent)?, width);
            return self.product(base, exponent, ty);
        }
        if let Some(base) = self.splat_number(base) {
            let function = match (base, intrinsic) {
                (2.0, I::Pow | I::Powr) => I::Exp2,
                (2.0, I::HalfPowr) => I::HalfExp2,
                (2.0, I::NativePowr) => I::NativeExp2,
                (10.0, I::Pow | I::Powr) => I::Exp10,
                (10.0, I::HalfPowr) => I::HalfExp10,
                (10.0, I::NativePowr) => I::NativeExp10,
                _ => return None,
            };
            let arguments = self.function.list(&[exponent]);
            return Some(Become(InstKind::Intrinsic { intrinsic: function, arguments }));
        }
        let exponent = self.splat_number(exponent)?;
        // Of numbers below zero, and of zero, the root differs; so do all powers by `powr`.
        let has_no_special = [MathFlags::NOT_NAN, MathFlags::NOT_INF, MathFlags::NO_SIGNED_ZERO]
            .iter()
            .all(|&flag| self.math.has(flag))
            || self.math.has(MathFlags::FAST);
        let root = match intrinsic {
            I::NativePowr => Some(I::NativeSqrt),
            _ => has_no_special.then_some(I::Sqrt),
        };
        if let Some(intrinsic) = root.filter(|_| exponent == 0.5) {
            let arguments = self.function.list(&[base]);
            return Some(Become(InstKind::Intrinsic { intrinsic, arguments }));
        }
        let is_no_product = match intrinsic {
            I::Pow => false,
            I::Powr => !has_no_special,
            // Zero to the power of zero is not one.
            _ => exponent == 0.0,
        };
        if exponent.fract() != 0.0 || is_no_product {
            return None;
        }
        self.product(base, exponent as i64, ty)
    }

    /// A power with a small whole exponent: each product adds a unit or less, of which four are few enough for `half`.
    fn product(&mut self, base: Value, exponent: i64, ty: Type) -> Option<Outcome> {
        let width = self.folder.types.scalar_bits(ty)?;
        let one = self.folder.splat(ty, fold::one(width));
        let inverse = InstKind::Binary { op: BinaryOp::FDiv, left: one, right: base };
        let most = if width == 16 { 4 } else { 8 };
        Some(match exponent {
            0 => Same(one),
            1 => Same(base),
            _ if (2..=most).contains(&exponent) => Become(self.raised(base, exponent, ty)),
            -1 => Become(inverse),
            // Not of the square, which may be infinite where the power is not zero.
            -2 => {
                let inverse = self.make(inverse, ty);
                Become(self.raised(inverse, 2, ty))
            }
            _ => return None,
        })
    }

    /// The last of the products that are a power from the second on. Where a lower power is too small to be normal, or too
    /// large, so is this.
    fn raised(&mut self, base: Value, exponent: i64, ty: Type) -> InstKind {
        let [left, right] = match exponent {
            2 => [base; 2],
            _ if exponent % 2 == 0 => {
                let root = self.raised(base, exponent / 2, ty);
                [self.make(root, ty); 2]
            }
            _ => {
                let even = self.raised(base, exponent - 1, ty);
                [self.make(even, ty), base]
            }
        };
        InstKind::Binary { op: BinaryOp::FMul, left, right }
    }

    /// A `float` divided by a root as a product with the reciprocal of the root, of which there is an instruction. It is within
    /// two units; roots are within three and quotients within two and a half, unless they are asked to be rounded right.
    pub(super) fn divided_by_root(&mut self, left: Value, right: Value, ty: Type) -> Outcome {
        let Some(InstKind::Intrinsic { intrinsic: Intrinsic::Sqrt, arguments }) = self.kind(right)
        else {
            return Keep;
        };
        let width = self.folder.types.scalar_bits(ty);
        if width != Some(32) || self.is_rounded_right || !self.is_used_once(right) {
            return Keep;
        }
        let root = InstKind::Intrinsic { intrinsic: Intrinsic::Rsqrt, arguments };
        if self.splat(left) == Some(fold::one(32)) {
            return Become(root);
        }
        let right = self.make(root, ty);
        Become(InstKind::Binary { op: BinaryOp::FMul, left, right })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fma_is_rounded_once() {
        let a = 1.0 + f64::from(f32::EPSILON);
        let exact = a * a - 1.0;
        assert_eq!(evaluate(Intrinsic::Fma, &[a, a, -1.0], 32), Some(f64::from(exact as f32)));
        assert_eq!(evaluate(Intrinsic::Fma, &[1.0, 1.0, 1.0], 16), None);
        assert!(is_normal(65504.0, 16) && !is_normal(65505.0, 16) && !is_normal(1e-5, 16));
        assert!(is_normal(0.0, 32) && !is_normal(1e-39, 32) && !is_normal(f64::INFINITY, 64));
    }
}
