//! Lengths, products and directions of vectors that are constants, as of a light or an axis.

use clc_builtins::Intrinsic;
use clc_ir::{Type, Value, ValueList};

use super::Simplifier;

/// What a function makes of vectors before the last rounding, one number or one for each component: in `double`, whose range
/// squares of `float`s and their sums do not leave.
fn evaluate(intrinsic: Intrinsic, vectors: &[Vec<f64>]) -> Option<Vec<f64>> {
    let dot = |left: &[f64], right: &[f64]| left.iter().zip(right).map(|(a, b)| a * b).sum::<f64>();
    let length = |vector: &[f64]| libm::sqrt(dot(vector, vector));
    Some(match (intrinsic, vectors) {
        (Intrinsic::Dot, [left, right]) => vec![dot(left, right)],
        (Intrinsic::Length | Intrinsic::FastLength, [vector]) => vec![length(vector)],
        (Intrinsic::Distance | Intrinsic::FastDistance, [from, to]) => {
            let way: Vec<f64> = from.iter().zip(to).map(|(from, to)| to - from).collect();
            vec![length(&way)]
        }
        (Intrinsic::Normalize | Intrinsic::FastNormalize, [vector]) => {
            let length = length(vector);
            // No direction is that of zero.
            if length == 0.0 {
                return None;
            }
            vector.iter().map(|number| number / length).collect()
        }
        // The fourth component, where there is one, is zero (OpenCL C 6.15.5).
        (Intrinsic::Cross, [left, right]) if left.len() >= 3 => {
            let part = |a: usize, b: usize| left[a] * right[b] - left[b] * right[a];
            let parts = [part(1, 2), part(2, 0), part(0, 1), 0.0];
            parts[..left.len()].to_vec()
        }
        _ => return None,
    })
}

impl Simplifier<'_> {
    /// Of `double`s the squares may leave the range: those are left to the device.
    pub(super) fn fold_geometry(
        &mut self,
        intrinsic: Intrinsic,
        arguments: ValueList,
        ty: Type,
    ) -> Option<Value> {
        let scalar = self.folder.types.scalar(ty);
        let width = self.folder.types.scalar_bits(ty)?;
        let of_constants = self.function.values_of(arguments).all(|argument| argument.is_const());
        if !of_constants || width == 64 || !self.folder.types.is_float(scalar) {
            return None;
        }
        let arguments: Vec<Value> = self.function.values_of(arguments).collect();
        let vectors = arguments.iter().map(|&argument| self.normal_parts(argument));
        let vectors = vectors.collect::<Option<Vec<_>>>()?;
        let numbers = evaluate(intrinsic, &vectors)?;
        if numbers.len() != usize::from(self.folder.types.lanes(ty)) {
            return None;
        }
        let parts =
            numbers.iter().map(|&number| self.normal(number, scalar)).collect::<Option<_>>()?;
        Some(self.of_parts(ty, parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_of_known_lengths() {
        let of = |intrinsic, vectors: &[&[f64]]| {
            evaluate(intrinsic, &vectors.iter().map(|vector| vector.to_vec()).collect::<Vec<_>>())
        };
        assert_eq!(of(Intrinsic::Length, &[&[3.0, 4.0]]), Some(vec![5.0]));
        assert_eq!(of(Intrinsic::Distance, &[&[1.0, 2.0], &[4.0, 6.0]]), Some(vec![5.0]));
        assert_eq!(of(Intrinsic::Normalize, &[&[0.0, -2.0]]), Some(vec![0.0, -1.0]));
        assert_eq!(of(Intrinsic::Normalize, &[&[0.0, 0.0]]), None);
        assert_eq!(of(Intrinsic::Dot, &[&[1.0, 2.0, 3.0], &[4.0, -5.0, 6.0]]), Some(vec![12.0]));
        let cross = of(Intrinsic::Cross, &[&[1.0, 0.0, 0.0, 7.0], &[0.0, 1.0, 0.0, 9.0]]);
        assert_eq!(cross, Some(vec![0.0, 0.0, 1.0, 0.0]));
    }
}
