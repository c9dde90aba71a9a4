//! Functions of floating-point constants, and powers of which the base or the exponent is known.

use clc_builtins::{Intrinsic, values};
use clc_ir::{
    BinaryOp, CompareOp, Const, ConvertOp, InstKind, MathFlags, Type, TypePool, Value, ValueList,
};

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

/// The bits of infinity.
fn infinity(width: u8) -> u64 {
    match width {
        16 => 0x7c00,
        32 => 0x7f80_0000,
        _ => 0x7ff0_0000_0000_0000,
    }
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
        self.in_each_component(&arguments, ty, |this, parts| {
            let numbers = parts.iter().map(|&part| this.normal_number(part, width));
            let value = evaluate(intrinsic, &numbers.collect::<Option<Vec<_>>>()?, width)?;
            this.normal(value, scalar)
        })
    }

    /// What a function makes of the components of constants that have the type of the result.
    pub(super) fn in_each_component(
        &mut self,
        arguments: &[Value],
        ty: Type,
        mut function: impl FnMut(&mut Self, &[Value]) -> Option<Value>,
    ) -> Option<Value> {
        let mut parts = Vec::new();
        for lane in 0..u32::from(self.folder.types.lanes(ty)) {
            let of_lane = arguments.iter().map(|&argument| self.part(argument, lane));
            let of_lane = of_lane.collect::<Option<Vec<_>>>()?;
            parts.push(function(self, &of_lane)?);
        }
        Some(self.of_parts(ty, parts))
    }

    /// A component of a constant, which a scalar is itself.
    fn part(&mut self, value: Value, lane: u32) -> Option<Value> {
        match self.folder.types.lanes(self.ty(value)) {
            1 => Some(value),
            _ => self.folder.component(value, lane),
        }
    }

    /// A constant of its components.
    pub(super) fn of_parts(&mut self, ty: Type, parts: Vec<Value>) -> Value {
        match parts[..] {
            [only] if self.folder.types.lanes(ty) == 1 => only,
            _ => self.folder.composite(ty, parts),
        }
    }

    /// The scalar that a number is rounded to, if all devices compute with it.
    pub(super) fn normal(&mut self, number: f64, scalar: Type) -> Option<Value> {
        let width = self.folder.types.scalar_bits(scalar)?;
        let double = self.folder.consts.intern(Const::Float(TypePool::F64, number.to_bits()));
        let rounded = match width {
            64 => double,
            _ => self.folder.convert(ConvertOp::FToF, double, scalar, None, false)?,
        };
        self.normal_number(rounded, width)?;
        Some(rounded)
    }

    fn normal_number(&mut self, value: Value, width: u8) -> Option<f64> {
        self.number(value).filter(|&number| is_normal(number, width))
    }

    /// The components of a constant, if all devices compute with them.
    pub(super) fn normal_parts(&mut self, value: Value) -> Option<Vec<f64>> {
        let ty = self.ty(value);
        let width = self.folder.types.scalar_bits(ty)?;
        let lanes = u32::from(self.folder.types.lanes(ty));
        (0..lanes)
            .map(|lane| {
                let part = self.part(value, lane)?;
                self.normal_number(part, width)
            })
            .collect()
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

    /// Powers and roots as products, reciprocals, square roots and exponentials. All of them are the same for what is
    /// special, and nearer to the true value than the 16 units that OpenCL C 7.4 gives to `pow`, `pown` and `rootn`, and
    /// the 4 of `half`.
    pub(super) fn power(
        &mut self,
        intrinsic: Intrinsic,
        arguments: ValueList,
        ty: Type,
    ) -> Option<Outcome> {
        use Intrinsic as I;
        let [base, exponent] = self.two(arguments)?;
        match intrinsic {
            I::Pown | I::Rootn => {
                let width = self.folder.types.scalar_bits(self.ty(exponent))?;
                let exponent = fold::sign_extend(self.splat(exponent)?, width);
                if intrinsic == I::Rootn {
                    return self.root(base, exponent, ty);
                }
                self.product(base, exponent, ty)
            }
            I::Pow | I::Powr | I::HalfPowr | I::NativePowr => {
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
                    return Some(Become(self.call(function, exponent)));
                }
                let exponent = self.splat_number(exponent)?;
                if exponent.fract() != 0.0 {
                    return self.half_power(intrinsic, base, exponent, ty);
                }
                let is_product = match intrinsic {
                    I::Pow => true,
                    // Of numbers below zero it is none.
                    I::Powr => self.has_nothing_special(),
                    // Zero to the power of zero is not one.
                    _ => exponent != 0.0,
                };
                if is_product { self.product(base, exponent as i64, ty) } else { None }
            }
            _ => None,
        }
    }

    /// Whether there are neither infinities nor what is no number, and zeros have no sign.
    fn has_nothing_special(&self) -> bool {
        let all = [MathFlags::NOT_NAN, MathFlags::NOT_INF, MathFlags::NO_SIGNED_ZERO];
        self.math.has(MathFlags::FAST) || all.iter().all(|&flag| self.math.has(flag))
    }

    fn two(&self, arguments: ValueList) -> Option<[Value; 2]> {
        let mut arguments = self.function.values_of(arguments);
        Some([arguments.next()?, arguments.next()?])
    }

    fn call(&mut self, intrinsic: Intrinsic, argument: Value) -> InstKind {
        let arguments = self.function.list(&[argument]);
        InstKind::Intrinsic { intrinsic, arguments }
    }

    /// A root without the sign that it has of zero. By its bits: devices that do not keep signs of zeros take a root to
    /// have none.
    fn without_sign(&mut self, root: InstKind, ty: Type) -> InstKind {
        if self.has_nothing_special() {
            return root;
        }
        let Some(width) = self.folder.types.scalar_bits(ty) else { return root };
        let integer = match width {
            16 => TypePool::I16,
            32 => TypePool::I32,
            _ => TypePool::I64,
        };
        let integers = match self.folder.types.lanes(ty) {
            1 => integer,
            lanes => self.folder.types.vector(integer, lanes),
        };
        let bitcast = |operand| {
            let op = ConvertOp::Bitcast;
            InstKind::Convert { op, operand, rounding: None, saturate: false }
        };
        let root = self.make(root, ty);
        let bits = self.make(bitcast(root), integers);
        let mask = self.folder.splat(integers, fold::mask(u64::MAX, width - 1));
        let bits =
            self.make(InstKind::Binary { op: BinaryOp::And, left: bits, right: mask }, integers);
        bitcast(bits)
    }

    /// A power whose exponent is a half, negative or not, one and a half or two and a half.
    fn half_power(
        &mut self,
        intrinsic: Intrinsic,
        base: Value,
        exponent: f64,
        ty: Type,
    ) -> Option<Outcome> {
        let width = self.folder.types.scalar_bits(ty)?;
        let exponents = if width == 16 { &[-0.5, 0.5, 1.5][..] } else { &[-0.5, 0.5, 1.5, 2.5] };
        if !exponents.contains(&exponent) {
            return None;
        }
        let is_native = intrinsic == Intrinsic::NativePowr;
        let root = match (exponent < 0.0, is_native) {
            (false, false) => Intrinsic::Sqrt,
            (true, false) => Intrinsic::Rsqrt,
            (false, true) => Intrinsic::NativeSqrt,
            (true, true) => Intrinsic::NativeRsqrt,
        };
        let mut power = self.call(root, base);
        // The product of a zero and its root has none.
        if !is_native && exponent != 1.5 {
            power = self.without_sign(power, ty);
        }
        for _ in 1..=exponent as i64 {
            let right = self.make(power, ty);
            power = InstKind::Binary { op: BinaryOp::FMul, left: base, right };
        }
        if intrinsic != Intrinsic::Pow || self.has_nothing_special() {
            return Some(Become(power));
        }
        // Of minus infinity the power is a number, though the root is none.
        let infinity = infinity(width);
        let minus = self.folder.splat(ty, infinity | 1 << (width - 1));
        let of_minus = self.folder.splat(ty, if exponent < 0.0 { 0 } else { infinity });
        let otherwise = self.make(power, ty);
        let is_minus = InstKind::Compare { op: CompareOp::FEqual, left: base, right: minus };
        let truth = self.truth_of(ty);
        let condition = self.make(is_minus, truth);
        Some(Become(InstKind::Select { condition, then: of_minus, otherwise }))
    }

    /// A root of a small degree.
    fn root(&mut self, base: Value, degree: i64, ty: Type) -> Option<Outcome> {
        let is_half = self.folder.types.scalar_bits(ty)? == 16;
        Some(match degree {
            1 => Same(base),
            4 if is_half => return None,
            2 | 4 | -2 => {
                let mut number = base;
                if degree == 4 {
                    let root = self.call(Intrinsic::Sqrt, number);
                    number = self.make(root, ty);
                }
                let root = if degree < 0 { Intrinsic::Rsqrt } else { Intrinsic::Sqrt };
                let root = self.call(root, number);
                Become(self.without_sign(root, ty))
            }
            3 => Become(self.call(Intrinsic::Cbrt, base)),
            _ => return None,
        })
    }

    /// What a division by a power of two from one on leaves: exact, since the quotient is, and its whole part.
    pub(super) fn remainder(&mut self, arguments: ValueList, ty: Type) -> Option<Outcome> {
        let [number, divisor] = self.two(arguments)?;
        let width = self.folder.types.scalar_bits(ty)?;
        let bits = self.splat(divisor)?;
        let reciprocal = fold::exact_reciprocal(width, bits)?;
        if self.splat_number(divisor)? < 1.0 {
            return None;
        }
        let binary = |op, left, right| InstKind::Binary { op, left, right };
        let reciprocal = self.folder.splat(ty, reciprocal);
        let quotient = self.make(binary(BinaryOp::FMul, number, reciprocal), ty);
        let whole = self.call(Intrinsic::Trunc, quotient);
        let whole = self.make(whole, ty);
        let product = self.make(binary(BinaryOp::FMul, whole, divisor), ty);
        let rest = self.make(binary(BinaryOp::FSub, number, product), ty);
        // Zero, too, has the sign of the number.
        let arguments = self.function.list(&[rest, number]);
        Some(Become(InstKind::Intrinsic { intrinsic: Intrinsic::Copysign, arguments }))
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
            -2 if width != 16 => {
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
