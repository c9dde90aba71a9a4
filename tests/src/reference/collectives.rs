//! Collective functions of work-groups (OpenCL C 6.15.16), whose work-items are in the order of their
//! linear local ids.

use crate::case::Case;
use crate::data::{Data, Element};

/// The elements of argument 0, by work-group.
fn groups(case: &Case) -> Vec<Vec<i128>> {
    let values = case.arguments[0].data().ints();
    values.chunks(case.local.iter().product()).map(<[i128]>::to_vec).collect()
}

/// What precedes each value, combined.
fn exclusive(values: &[i128], identity: i128, combine: impl Fn(i128, i128) -> i128) -> Vec<i128> {
    let mut state = identity;
    let mut out = Vec::new();
    for &value in values {
        out.push(state);
        state = combine(state, value);
    }
    out
}

/// The kernel `rounds` of `work_groups.cl`.
pub fn rounds(case: &Case) -> Data {
    let mut out = Vec::new();
    for mut values in groups(case) {
        for round in 0..6 {
            let source = values[(round * 5) % values.len()];
            let least = values.iter().copied().min().unwrap_or_default();
            let sums = exclusive(&values, 0, |a, b| a + b);
            for (value, sum) in values.iter_mut().zip(sums) {
                *value = (sum + *value - least + round as i128 + source) % 1000;
            }
            if values.iter().any(|&value| value > 900) {
                let before = exclusive(&values, i128::from(i32::MIN), i128::max);
                for (value, before) in values.iter_mut().zip(before) {
                    *value = *value / 2 - before % 7;
                }
            }
            let sums = exclusive(&values, 0, |a, b| a + b);
            for (value, sum) in values.iter_mut().zip(sums) {
                *value += sum;
            }
            let more = if values.iter().all(|&value| value > -500) { 1 } else { 2 };
            values.iter_mut().for_each(|value| *value += more);
        }
        out.extend(values);
    }
    Data::from_int(Element::Int, out)
}

#[derive(Clone, Copy)]
struct Type {
    /// Below any value, and above.
    least: i128,
    greatest: i128,
    /// What integers wrap at; none for floats.
    modulus: Option<i128>,
}

impl Type {
    fn of(element: Element) -> Type {
        let (bits, is_signed) = match element {
            // Infinities are saturated later.
            Element::Half | Element::Float | Element::Double => {
                return Type { least: i128::MIN, greatest: i128::MAX, modulus: None };
            }
            Element::Char | Element::Short | Element::Int | Element::Long => {
                (8 * element.size(), true)
            }
            Element::UChar | Element::UShort | Element::UInt | Element::ULong => {
                (8 * element.size(), false)
            }
        };
        let modulus = 1i128 << bits;
        let least = if is_signed { -modulus / 2 } else { 0 };
        Type { least, greatest: least + modulus - 1, modulus: Some(modulus) }
    }

    fn wrap(self, value: i128) -> i128 {
        match self.modulus {
            Some(modulus) => (value - self.least).rem_euclid(modulus) + self.least,
            None => value,
        }
    }
}

/// The kernel `values_ELEMENT` of `work_groups.cl`: for each work-item the sum, the sums with and
/// without its own value, and the extrema without it, converted to `long` with saturation.
pub fn values(case: &Case, element: Element) -> Data {
    let ty = Type::of(element);
    let mut out = Vec::new();
    for group in groups(case) {
        let values: Vec<i128> = group.iter().map(|&value| ty.wrap(value)).collect();
        let add = |a, b| ty.wrap(a + b);
        let sum = values.iter().copied().fold(0, add);
        let sums = exclusive(&values, 0, add);
        let least = exclusive(&values, ty.greatest, i128::min);
        let greatest = exclusive(&values, ty.least, i128::max);
        for (index, &value) in values.iter().enumerate() {
            let before = sums[index];
            out.extend([sum, add(before, value), before, least[index], greatest[index]]);
        }
    }
    let saturated = |value: i128| value.clamp(i128::from(i64::MIN), i128::from(i64::MAX));
    Data::from_int(Element::Long, out.into_iter().map(saturated))
}
