//! Library functions of constants or of trivial operands, and powers with exponents that are known.

use clc_builtins::Intrinsic;
use clc_ir::{InstKind, Type, UnaryOp, Value, ValueList};

use super::Outcome::{self, Become, Keep, Same};
use super::Simplifier;
use crate::fold::{mask, sign_extend};

/// `None` for functions that are not folded.
fn evaluate(intrinsic: Intrinsic, bits: &[u64], width: u8) -> Option<u64> {
    let signed = |index: usize| sign_extend(bits[index], width);
    Some(match (intrinsic, bits) {
        (Intrinsic::SMax, &[_, _]) => signed(0).max(signed(1)) as u64,
        (Intrinsic::SMin, &[_, _]) => signed(0).min(signed(1)) as u64,
        (Intrinsic::UMax, &[left, right]) => left.max(right),
        (Intrinsic::UMin, &[left, right]) => left.min(right),
        // An empty range gives an undefined result.
        (Intrinsic::SClamp, &[_, _, _]) if signed(1) <= signed(2) => {
            signed(0).clamp(signed(1), signed(2)) as u64
        }
        (Intrinsic::UClamp, &[value, low, high]) if low <= high => value.clamp(low, high),
        (Intrinsic::SAbs, &[_]) => signed(0).unsigned_abs(),
        (Intrinsic::UAbs, &[value]) => value,
        (Intrinsic::Popcount, &[value]) => u64::from(value.count_ones()),
        (Intrinsic::Clz, &[value]) => u64::from(value.leading_zeros()) - (64 - u64::from(width)),
        (Intrinsic::Rotate, &[value, count]) => {
            let width = u64::from(width);
            match count % width {
                0 => value,
                count => value << count | value >> (width - count),
            }
        }
        _ => return None,
    })
}

impl Simplifier<'_> {
    /// Two negations of factors are none, and one is that of a constant factor.
    fn multiply_add(&mut self, intrinsic: Intrinsic, arguments: ValueList) -> Outcome {
        let arguments: Vec<Value> = self.function.values_of(arguments).collect();
        let &[left, right, sum] = &arguments[..] else { return Keep };
        if left.is_const() && right.is_const() {
            return Keep;
        }
        let Some((left, right)) = self.negated(left).zip(self.negated(right)) else { return Keep };
        let arguments = self.function.list(&[left, right, sum]);
        Become(InstKind::Intrinsic { intrinsic, arguments })
    }

    pub(super) fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        arguments: ValueList,
        ty: Type,
    ) -> Outcome {
        let foldable = matches!(
            intrinsic,
            Intrinsic::SMax
                | Intrinsic::SMin
                | Intrinsic::UMax
                | Intrinsic::UMin
                | Intrinsic::SClamp
                | Intrinsic::UClamp
                | Intrinsic::SAbs
                | Intrinsic::UAbs
                | Intrinsic::Popcount
                | Intrinsic::Clz
                | Intrinsic::Rotate
        );
        if let Some(value) = self.fold_function(intrinsic, arguments, ty) {
            return Same(value);
        }
        if let Some(value) = self.fold_geometry(intrinsic, arguments, ty) {
            return Same(value);
        }
        if is_even(intrinsic)
            && let Some(InstKind::Unary { op: UnaryOp::FNeg, operand }) =
                self.kind(self.function.value_at(arguments, 0))
        {
            let arguments = self.function.list(&[operand]);
            return Become(InstKind::Intrinsic { intrinsic, arguments });
        }
        if matches!(intrinsic, Intrinsic::Fma | Intrinsic::Mad) {
            return self.multiply_add(intrinsic, arguments);
        }
        let outcome = match intrinsic {
            Intrinsic::Select => return self.choice_by_number(arguments),
            Intrinsic::Fmod => self.remainder(arguments, ty),
            _ => self.power(intrinsic, arguments, ty),
        };
        if let Some(outcome) = outcome {
            return outcome;
        }
        if !foldable || arguments.is_empty() {
            return Keep;
        }
        let arguments: Vec<Value> = self.function.values_of(arguments).collect();
        if let Some(value) = self.fold_intrinsic(intrinsic, &arguments, ty) {
            return Same(value);
        }
        match (intrinsic, arguments[..].as_ref()) {
            (
                Intrinsic::SMax | Intrinsic::SMin | Intrinsic::UMax | Intrinsic::UMin,
                &[left, right],
            ) if left == right => Same(left),
            (Intrinsic::UAbs, &[value]) => Same(value),
            (Intrinsic::Rotate, &[value, count]) if self.splat(count) == Some(0) => Same(value),
            (
                Intrinsic::SMax | Intrinsic::SMin | Intrinsic::UMax | Intrinsic::UMin,
                &[left, right],
            ) if left.is_const() && !right.is_const() => {
                let arguments = self.function.list(&[right, left]);
                Become(InstKind::Intrinsic { intrinsic, arguments })
            }
            _ => Keep,
        }
    }

    fn fold_intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        arguments: &[Value],
        ty: Type,
    ) -> Option<Value> {
        if arguments.iter().any(|&argument| !argument.is_const() || self.ty(argument) != ty) {
            return None;
        }
        let width = self.folder.types.scalar_bits(ty)?;
        let scalar = self.folder.types.scalar(ty);
        self.in_each_component(arguments, ty, |this, parts| {
            let bits = parts.iter().map(|&part| this.folder.scalar_bits(part));
            let result = evaluate(intrinsic, &bits.collect::<Option<Vec<_>>>()?, width)?;
            Some(this.folder.int(scalar, mask(result, width)))
        })
    }
}

/// Whether a function gives the same for a number and its negation.
fn is_even(intrinsic: Intrinsic) -> bool {
    use Intrinsic as I;
    matches!(intrinsic, I::Fabs | I::Cos | I::Cosh | I::Cospi | I::HalfCos | I::NativeCos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_integers_keep_their_width() {
        let evaluate = |intrinsic, bits: &[u64]| evaluate(intrinsic, bits, 8).map(|b| mask(b, 8));
        assert_eq!(evaluate(Intrinsic::SMax, &[0xff, 1]), Some(1));
        assert_eq!(evaluate(Intrinsic::UMax, &[0xff, 1]), Some(0xff));
        assert_eq!(evaluate(Intrinsic::SAbs, &[0x80]), Some(0x80));
        assert_eq!(evaluate(Intrinsic::Clz, &[1]), Some(7));
        assert_eq!(evaluate(Intrinsic::Clz, &[0]), Some(8));
        assert_eq!(evaluate(Intrinsic::Rotate, &[0x81, 9]), Some(3));
        assert_eq!(evaluate(Intrinsic::SClamp, &[5, 3, 1]), None);
    }
}
