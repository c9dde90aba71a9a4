//! Functions of the library that go by component, as tables.
//!
//! Those of floating-point numbers are computed in `f64` ([`values`]) and rounded once to the type. Where an operand has
//! unknown bits, so has the result.

use clc_builtins::resolve::Rounding;
use clc_builtins::{Intrinsic as I, values};

use crate::floats;
use crate::value::{Scalar, mask, signed};

type Test = fn(f64, f64) -> bool;
/// Operands that were extended to 128 bits, and their width; the result is cut to that of the type.
type Integer = fn(&[i128], u32) -> i128;

/// Of one operand those that do not look at the second.
const TESTS: &[(I, Test)] = &[
    (I::IsFinite, |x, _| x.is_finite()),
    (I::IsInf, |x, _| x.is_infinite()),
    (I::IsLessGreater, |x, y| x.partial_cmp(&y).is_some_and(|order| order.is_ne())),
    (I::IsNan, |x, _| x.is_nan()),
    (I::IsOrdered, |x, y| !x.is_nan() && !y.is_nan()),
    (I::IsUnordered, |x, y| x.is_nan() || y.is_nan()),
];

const SIGNED: &[(I, Integer)] = &[
    (I::SAbs, |o, _| o[0].abs()),
    (I::SAbsDiff, |o, _| (o[0] - o[1]).abs()),
    (I::SAddSat, |o, w| saturate(o[0] + o[1], w)),
    (I::SHadd, |o, _| (o[0] + o[1]) >> 1),
    (I::SRhadd, |o, _| (o[0] + o[1] + 1) >> 1),
    (I::SClamp, |o, _| o[0].max(o[1]).min(o[2])),
    (I::SMadHi, |o, w| ((o[0] * o[1]) >> w) + o[2]),
    (I::SMadSat, |o, w| saturate(o[0] * o[1] + o[2], w)),
    (I::SMax, |o, _| o[0].max(o[1])),
    (I::SMin, |o, _| o[0].min(o[1])),
    (I::SMulHi, |o, w| (o[0] * o[1]) >> w),
    (I::SSubSat, |o, w| saturate(o[0] - o[1], w)),
    (I::SMad24, |o, _| o[0] * o[1] + o[2]),
    (I::SMul24, |o, _| o[0] * o[1]),
];

const UNSIGNED: &[(I, Integer)] = &[
    (I::UAbs, |o, _| o[0]),
    (I::UAbsDiff, |o, _| (o[0] - o[1]).abs()),
    (I::UAddSat, |o, w| (o[0] + o[1]).min(i128::from(mask(w)))),
    (I::UHadd, |o, _| (o[0] + o[1]) >> 1),
    (I::URhadd, |o, _| (o[0] + o[1] + 1) >> 1),
    (I::UClamp, |o, _| o[0].max(o[1]).min(o[2])),
    (I::UMadHi, |o, w| product(o, w) + o[2]),
    (I::UMadSat, |o, w| {
        // The product of two numbers of 64 bits needs all 128.
        let sum = (o[0] as u128 * o[1] as u128).saturating_add(o[2] as u128);
        sum.min(u128::from(mask(w))) as i128
    }),
    (I::UMax, |o, _| o[0].max(o[1])),
    (I::UMin, |o, _| o[0].min(o[1])),
    (I::UMulHi, |o, w| product(o, w)),
    (I::USubSat, |o, _| (o[0] - o[1]).max(0)),
    (I::UMad24, |o, _| o[0] * o[1] + o[2]),
    (I::UMul24, |o, _| o[0] * o[1]),
    (I::SUpsample, |o, w| o[0] << w | o[1]),
    (I::UUpsample, |o, w| o[0] << w | o[1]),
    (I::Clz, |o, w| i128::from((o[0] as u64).leading_zeros() - (64 - w))),
    (I::Ctz, |o, w| i128::from((o[0] as u64).trailing_zeros().min(w))),
    (I::Popcount, |o, _| i128::from(o[0].count_ones())),
    (I::Rotate, |o, w| {
        let count = o[1] as u32 % w;
        o[0] << count | o[0] >> (w - count)
    }),
    (I::BitReverse, |o, w| i128::from((o[0] as u64).reverse_bits() >> (64 - w))),
    (I::BitfieldInsert, |o, _| {
        let field = i128::from(mask(o[3] as u32)) << o[2];
        o[0] & !field | o[1] << o[2] & field
    }),
    (I::BitfieldExtractUnsigned, |o, _| o[0] >> o[1] & i128::from(mask(o[2] as u32))),
    (I::BitfieldExtractSigned, |o, _| match o[2] as u32 {
        0 => 0,
        count => i128::from(signed((o[0] >> o[1]) as u64 & mask(count), count)),
    }),
];

fn saturate(value: i128, width: u32) -> i128 {
    value.clamp(-(1 << (width - 1)), (1 << (width - 1)) - 1)
}

fn product(operands: &[i128], width: u32) -> i128 {
    ((operands[0] as u128 * operands[1] as u128) >> width) as i128
}

/// What a function is applied to.
#[derive(Clone, Copy)]
pub struct Shape {
    /// Of a component of the first operand.
    pub width: u32,
    /// Of a component of the result.
    pub result: u32,
    /// The result is a vector.
    pub is_vector: bool,
}

fn find<T: Copy>(table: &[(I, T)], intrinsic: I) -> Option<T> {
    table.iter().find(|(of, _)| *of == intrinsic).map(|(_, function)| *function)
}

/// A component of the result; `None` if the function is not one of these.
pub fn apply(intrinsic: I, operands: &[Scalar], shape: Shape) -> Option<Scalar> {
    let Shape { width, result, is_vector } = shape;
    let number = |index: usize| floats::number(*operands.get(index)?, width);
    // What has no number has unknown bits.
    let rounded = |value: Option<f64>| match value {
        Some(value) => floats::nearest(value, result),
        None => Scalar::unknown(result),
    };
    let truth = if is_vector { mask(result) } else { 1 };
    let boolean = |value: Option<bool>| match value {
        Some(value) => Scalar::known(u64::from(value) * truth),
        None => Scalar::unknown(result),
    };
    if let Some(function) = values::function(intrinsic) {
        let value = match function {
            values::Function::Of1(function) => number(0).map(function),
            values::Function::Of2(function) => {
                number(0).zip(number(1)).map(|(x, y)| function(x, y))
            }
            values::Function::Of3(function) => {
                let operands = number(0).zip(number(1)).zip(number(2));
                operands.map(|((x, y), z)| function(x, y, z))
            }
        };
        return Some(rounded(value));
    }
    if let Some(test) = find(TESTS, intrinsic) {
        let second = if operands.len() > 1 { number(1) } else { Some(0.0) };
        return Some(boolean(number(0).zip(second).map(|(x, y)| test(x, y))));
    }
    let integers = |extend: fn(u64, u32) -> i128| -> Option<Vec<i128>> {
        operands.iter().map(|operand| operand.get().map(|bits| extend(bits, width))).collect()
    };
    let found = find(SIGNED, intrinsic)
        .map(|function| (function, integers(|bits, width| i128::from(signed(bits, width)))))
        .or_else(|| {
            find(UNSIGNED, intrinsic)
                .map(|function| (function, integers(|bits, _| i128::from(bits))))
        });
    if let Some((function, integers)) = found {
        return Some(match integers {
            Some(integers) => Scalar::known(function(&integers, width) as u64 & mask(result)),
            None => Scalar::unknown(result),
        });
    }
    let integer = |index: usize| operands.get(index)?.get().map(|bits| signed(bits, 32));
    Some(match intrinsic {
        I::Fma => match number(0).zip(number(1)).zip(number(2)) {
            Some(((a, b), c)) => floats::fused(a, b, c, width),
            None => Scalar::unknown(width),
        },
        // Rounded twice, as a product and a sum are: either is right.
        I::Mad => match number(0).zip(number(1)).zip(number(2)) {
            Some(((a, b), c)) => {
                let product = floats::number(floats::nearest(a * b, width), width);
                floats::nearest(product.unwrap_or(f64::NAN) + c, width)
            }
            None => Scalar::unknown(width),
        },
        I::Copysign => {
            let sign = 1 << (width - 1);
            let [x, y] = [operands[0], operands[1]];
            Scalar::partly(x.bits & !sign | y.bits & sign, x.unknown & !sign | y.unknown & sign)
        }
        I::Nextafter => floats::next_after(operands[0], operands[1], width),
        I::Nan => floats::nearest(f64::NAN, result),
        I::Signbit => {
            let sign = 1 << (width - 1);
            match operands[0] {
                x if x.unknown & sign != 0 => Scalar::unknown(result),
                x => Scalar::known(u64::from(x.bits & sign != 0) * truth),
            }
        }
        I::IsNormal => {
            let digits = match width {
                16 => 10,
                32 => 23,
                _ => 52,
            };
            let most = mask(width - 1 - digits);
            let is_normal = |bits: u64| !matches!(bits >> digits & most, e if e == 0 || e == most);
            boolean(number(0).map(|x| !x.is_nan() && is_normal(operands[0].bits)))
        }
        I::Ldexp => rounded(
            number(0).zip(integer(1)).map(|(x, n)| libm::ldexp(x, n.clamp(-5000, 5000) as i32)),
        ),
        I::Pown => rounded(number(0).zip(integer(1)).map(|(x, n)| libm::pow(x, n as f64))),
        I::Rootn => rounded(number(0).zip(integer(1)).map(|(x, n)| {
            let is_odd = n % 2 != 0;
            if n == 0 || x < 0.0 && !is_odd {
                return f64::NAN;
            }
            let root = libm::pow(x.abs(), 1.0 / n as f64);
            if is_odd { root.copysign(x) } else { root }
        })),
        I::Ilogb => match number(0) {
            None => Scalar::unknown(result),
            // FP_ILOGB0 and FP_ILOGBNAN (OpenCL C 6.15.2.1).
            Some(0.0) => Scalar::known(1 << 31),
            Some(x) if x.is_nan() || x.is_infinite() => Scalar::known(mask(31)),
            Some(x) => Scalar::known(libm::ilogb(x) as u64 & mask(result)),
        },
        I::Bitselect => {
            let [a, b, c] = [operands[0], operands[1], operands[2]];
            let from = |bits: u64, other: u64| bits & !c.bits | other & c.bits;
            let differ = a.bits ^ b.bits | a.unknown | b.unknown;
            Scalar::partly(from(a.bits, b.bits), from(a.unknown, b.unknown) | c.unknown & differ)
        }
        I::Select => {
            let [a, b, c] = [operands[0], operands[1], operands[2]];
            let tested = if is_vector { 1 << (width - 1) } else { u64::MAX };
            if c.bits & tested != 0 {
                b
            } else if c.unknown & tested != 0 {
                a.or(b)
            } else {
                a
            }
        }
        I::FloatToBFloat16 => match operands[0].get() {
            Some(bits) => {
                let lower = bits & 0xffff;
                let up = lower > 0x8000 || lower == 0x8000 && bits >> 16 & 1 == 1;
                let is_nan = bits & mask(31) > 0x7f80_0000;
                let rounded = (bits >> 16) + u64::from(up);
                Scalar::known(if is_nan { bits >> 16 | 0x40 } else { rounded })
            }
            None => Scalar::unknown(result),
        },
        I::BFloat16ToFloat => Scalar::partly(operands[0].bits << 16, operands[0].unknown << 16),
        _ => return None,
    })
}

/// The results of a function with a second one that goes through a pointer: its own, and the other. `None` if
/// the function is not one of these.
pub fn apply_with_second(
    intrinsic: I,
    operands: &[Scalar],
    width: u32,
) -> Option<(Scalar, Scalar)> {
    let number = |index: usize| floats::number(*operands.get(index)?, width);
    let round = |value: f64| floats::nearest(value, width);
    let int = |value: i32| Scalar::known(u64::from(value as u32));
    let (unknown, x) = ((Scalar::unknown(width), Scalar::unknown(width)), number(0));
    let with_int = (Scalar::unknown(width), Scalar::unknown(32));
    Some(match intrinsic {
        I::Fract => x.map_or(unknown, |x| {
            let below_one = floats::rounded(1.0 - 1e-16, width, Rounding::TowardZero);
            let fraction = match x {
                x if x.is_nan() => x,
                x if x.is_infinite() => 0f64.copysign(x),
                x => x - x.floor(),
            };
            let fraction = round(fraction);
            let is_one = floats::number(fraction, width) == Some(1.0);
            (if is_one { below_one } else { fraction }, round(x.floor()))
        }),
        I::Modf => x.map_or(unknown, |x| {
            let whole = x.trunc();
            let fraction = if x.is_infinite() { 0.0 } else { x - whole };
            (round(fraction.copysign(x)), round(whole))
        }),
        I::Sincos => x.map_or(unknown, |x| (round(libm::sin(x)), round(libm::cos(x)))),
        I::Frexp => x.map_or(with_int, |x| {
            let (fraction, exponent) = libm::frexp(x);
            let exponent = if x.is_finite() { exponent } else { 0 };
            (round(if x.is_finite() { fraction } else { x }), int(exponent))
        }),
        I::LgammaR => x.map_or(with_int, |x| {
            let (value, sign) = libm::lgamma_r(x);
            (round(value), int(sign))
        }),
        I::Remquo => x.zip(number(1)).map_or(with_int, |(x, y)| {
            let (remainder, quotient) = libm::remquo(x, y);
            let low = quotient.abs() & 0x7f;
            (round(remainder), int(if quotient < 0 { -low } else { low }))
        }),
        _ => return None,
    })
}

/// A function of whole vectors of floating-point numbers; `None` if it is not one of these. The result has one
/// component, but of `cross` and `normalize`.
pub fn geometric(intrinsic: I, operands: &[Vec<f64>]) -> Option<Vec<f64>> {
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let length = |x: &[f64]| dot(x, x).sqrt();
    let first = operands.first()?;
    Some(match intrinsic {
        I::Dot => vec![dot(first, operands.get(1)?)],
        I::Length | I::FastLength => vec![length(first)],
        I::Distance | I::FastDistance => {
            let between: Vec<f64> =
                first.iter().zip(operands.get(1)?).map(|(x, y)| x - y).collect();
            vec![length(&between)]
        }
        // Of a vector with infinite components these alone count (OpenCL C 7.5.1).
        I::Normalize if first.iter().any(|x| x.is_infinite()) => {
            let ways: Vec<f64> = (first.iter())
                .map(|&x| if x.is_infinite() { x.signum() } else { 0.0 * x })
                .collect();
            let length = length(&ways);
            ways.into_iter().map(|x| x / length).collect()
        }
        I::Normalize | I::FastNormalize => {
            let length = length(first);
            first.iter().map(|x| if length == 0.0 { *x } else { x / length }).collect()
        }
        I::Cross => {
            let second = operands.get(1)?;
            let part = |i: usize, j: usize| first[i] * second[j] - first[j] * second[i];
            let mut parts = vec![part(1, 2), part(2, 0), part(0, 1)];
            parts.resize(first.len(), 0.0);
            parts
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(intrinsic: I, operands: &[u64], width: u32) -> u64 {
        let operands: Vec<Scalar> = operands.iter().map(|&bits| Scalar::known(bits)).collect();
        let shape = Shape { width, result: width, is_vector: false };
        apply(intrinsic, &operands, shape).unwrap().get().unwrap()
    }

    fn float(intrinsic: I, operands: &[f32]) -> f32 {
        let operands: Vec<Scalar> =
            operands.iter().map(|x| Scalar::known(u64::from(x.to_bits()))).collect();
        let shape = Shape { width: 32, result: 32, is_vector: false };
        f32::from_bits(apply(intrinsic, &operands, shape).unwrap().bits as u32)
    }

    #[test]
    fn integers_saturate_and_keep_their_upper_halves() {
        assert_eq!(integer(I::SAddSat, &[0x7f, 1], 8), 0x7f);
        assert_eq!(integer(I::SSubSat, &[0x80, 1], 8), 0x80);
        assert_eq!(integer(I::USubSat, &[3, 5], 16), 0);
        assert_eq!(integer(I::UMulHi, &[u64::MAX, u64::MAX], 64), u64::MAX - 1);
        assert_eq!(integer(I::SMulHi, &[u64::MAX, 5], 64), u64::MAX);
        assert_eq!(integer(I::UMadSat, &[u64::MAX, u64::MAX, 1], 64), u64::MAX);
        assert_eq!(integer(I::SMadSat, &[0x80, 0x80, 0], 8), 0x7f);
        assert_eq!(integer(I::SHadd, &[0xff, 0xfe], 8), 0xfe);
        assert_eq!(integer(I::SRhadd, &[0xff, 0xfe], 8), 0xff);
    }

    #[test]
    fn bits_are_counted_and_moved_within_the_width() {
        assert_eq!(integer(I::Clz, &[1], 8), 7);
        assert_eq!(integer(I::Clz, &[0], 16), 16);
        assert_eq!(integer(I::Ctz, &[0], 32), 32);
        assert_eq!(integer(I::Rotate, &[0x81, 9], 8), 0x03);
        assert_eq!(integer(I::BitReverse, &[1], 16), 0x8000);
        assert_eq!(integer(I::BitfieldInsert, &[0xffff, 0, 4, 8], 16), 0xf00f);
        assert_eq!(integer(I::BitfieldExtractSigned, &[0xf0, 4, 4], 32), 0xffff_ffff);
    }

    #[test]
    fn floats_follow_the_specification_at_the_edges() {
        assert_eq!(float(I::Fmax, &[f32::NAN, 2.0]), 2.0);
        assert_eq!(float(I::Round, &[2.5]), 3.0);
        assert_eq!(float(I::Rint, &[2.5]), 2.0);
        assert!(float(I::Powr, &[-1.0, 2.0]).is_nan());
        assert_eq!(float(I::Sign, &[-0.0]).to_bits(), (-0.0f32).to_bits());
        assert_eq!(float(I::Nextafter, &[0.0, -1.0]).to_bits(), 0x8000_0001);
        assert_eq!(
            float(I::Fma, &[1.0 + f32::EPSILON, 1.0 - f32::EPSILON, -1.0]),
            -f32::EPSILON * f32::EPSILON
        );
    }

    #[test]
    fn unknown_operands_give_unknown_results() {
        let shape = Shape { width: 32, result: 32, is_vector: false };
        assert_eq!(apply(I::Sqrt, &[Scalar::unknown(32)], shape), Some(Scalar::unknown(32)));
        let chosen =
            apply(I::Select, &[Scalar::known(6), Scalar::known(4), Scalar::unknown(32)], shape);
        assert_eq!(chosen, Some(Scalar::partly(4, 2)));
        assert_eq!(apply(I::Vload, &[], shape), None);
    }
}
