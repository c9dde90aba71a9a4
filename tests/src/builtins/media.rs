//! Media operations (cl_amd_media_ops, cl_amd_media_ops2). The host computes them byte by byte, as the
//! extensions' texts do.

use super::elementwise::Parameter::{Fixed, Splat, Vector};
use super::elementwise::{Function, Reference, SCALAR, each};
use super::inputs::{Inputs, Random, combinations, edges};
use super::run::Family;
use super::value::Value;
use super::want::Want;
use crate::data::Element::{self, Float, Int, UInt, ULong};

pub fn family() -> Family {
    let mut functions = Vec::new();
    bytes(&mut functions);
    fields(&mut functions);
    extrema(&mut functions);
    let mut family = Family::of_functions("media", "CL1.2", functions);
    family.options.push("-cl-ext=+cl_amd_media_ops,+cl_amd_media_ops2".to_owned());
    family
}

fn byte(word: u64, index: u32) -> i128 {
    i128::from(word >> (8 * index) & 0xff)
}

/// Sum of absolute differences; without the bytes that are zero in `b` if `masked`.
fn sad(a: u64, b: u64, masked: bool) -> i128 {
    (0..4)
        .map(|index| (byte(a, index), byte(b, index)))
        .filter(|&(_, b)| !masked || b != 0)
        .map(|(a, b)| (a - b).abs())
        .sum()
}

fn shifted(high: u64, low: u64, count: u64) -> i128 {
    i128::from((high << 32 | low) >> count)
}

fn bytes(functions: &mut Vec<Function>) {
    let v = Vector(UInt);
    let three = words("media_bytes", 3);
    let mut add = |name: &str, reference: fn([u64; 3]) -> i128| {
        let reference =
            each(move |a| Want::int(UInt, reference([a[0].bits, a[1].bits, a[2].bits])));
        functions.push(Function::new(name, &[v, v, v], UInt, &three, reference));
    };
    add("amd_bitalign", |[a, b, c]| shifted(a, b, c & 31));
    add("amd_bytealign", |[a, b, c]| shifted(a, b, (c & 3) * 8));
    add("amd_lerp", |[a, b, c]| {
        (0..4).map(|i| (byte(a, i) + byte(b, i) + (byte(c, i) & 1)) >> 1 << (8 * i)).sum()
    });
    add("amd_sad", |[a, b, c]| i128::from(c) + sad(a, b, false));
    add("amd_sadhi", |[a, b, c]| i128::from(c) + (sad(a, b, false) << 16));
    add("amd_msad", |[a, b, c]| i128::from(c) + sad(a, b, true));
    add("amd_sadd", |[a, b, c]| i128::from(c) + i128::from(a.abs_diff(b)));
    add("amd_sadw", |[a, b, c]| {
        let half = |word: u64, index: u32| i128::from(word >> (16 * index) & 0xffff);
        let differences = (0..2).map(|i| (half(a, i) - half(b, i)).abs());
        i128::from(c) + differences.sum::<i128>()
    });
    for number in 0..4 {
        let unpack = each(move |a| Want::float(Float, byte(a[0].bits, number) as f64));
        let name = format!("amd_unpack{number}");
        functions.push(Function::new(&name, &[v], Float, &words("media_word", 1), unpack));
    }
    let sad4: Reference = Box::new(|a| {
        let pairs = a[0].iter().zip(a[1]);
        let sum: i128 = pairs.map(|(a, b)| sad(a.bits, b.bits, false)).sum();
        vec![vec![Want::int(UInt, a[2][0].to_int() + sum)]]
    });
    let parameters = [Fixed(UInt, 4), Fixed(UInt, 4), Splat(UInt)];
    functions.push(Function::new("amd_sad4", &parameters, UInt, &three, sad4).widths(SCALAR));

    let mut random = Random::named("pack");
    let floats = (0..480)
        .map(|index| {
            // What a uint cannot hold is undefined (OpenCL C 6.4.3.3).
            let value = match index {
                0..16 => [0.0, -0.0, 0.5, 1.0, 254.75, 255.0, 255.5, 256.0][index % 8],
                _ => (random.unit() + 1.0) * 2f64.powi(random.below(32) as i32 - 1),
            };
            vec![Value::float(Float, value)]
        })
        .collect();
    let pack: Reference = Box::new(|a| {
        let bytes = a[0].iter().enumerate();
        vec![vec![Want::int(
            UInt,
            bytes.map(|(i, f)| (f.to_float() as i128 & 0xff) << (8 * i)).sum(),
        )]]
    });
    let inputs = Inputs::from_tuples("media_pack".to_owned(), floats);
    functions
        .push(Function::new("amd_pack", &[Fixed(Float, 4)], UInt, &inputs, pack).widths(SCALAR));

    for (name, masked) in [("amd_qsad", false), ("amd_mqsad", true)] {
        let reference = each(move |a| {
            let mut result = 0;
            for index in 0..4 {
                let sum = i128::from(a[2].bits >> (16 * index) & 0xffff);
                let four = a[0].bits >> (8 * index) & 0xffff_ffff;
                result |= ((sum + sad(four, a[1].bits, masked)) & 0xffff) << (16 * index);
            }
            Want::int(ULong, result)
        });
        let parameters = [Vector(ULong), v, Vector(ULong)];
        let mut random = Random::named(name);
        let tuples = (0..480)
            .map(|_| {
                // Zero bytes, which count or not, and sums that overflow.
                let mut word = |ones: u64| random.word() & (random.word() | ones);
                vec![
                    Value::from_bits(ULong, word(0)),
                    Value::from_bits(UInt, word(0x00ff_00ff) & word(0xff00_0000)),
                    Value::from_bits(ULong, word(0xffff_0000_ffff_0000)),
                ]
            })
            .collect();
        let inputs = Inputs::from_tuples(name.to_owned(), tuples);
        functions.push(Function::new(name, &parameters, ULong, &inputs, reference));
    }
}

/// Columns of words, among them zeros in single bytes.
fn words(name: &str, columns: usize) -> std::sync::Arc<Inputs> {
    let mut random = Random::named(name);
    let mut tuples = combinations(&vec![edges(UInt); columns], 240, &mut random);
    tuples.extend((0..240).map(|index| {
        let word = |random: &mut Random| {
            let hidden = if index % 2 == 0 { 0xff << (8 * random.below(4)) } else { 0 };
            Value::from_bits(UInt, random.word() & !hidden)
        };
        (0..columns).map(|_| word(&mut random)).collect()
    }));
    Inputs::from_tuples(name.to_owned(), tuples)
}

fn fields(functions: &mut Vec<Function>) {
    let v = Vector(UInt);
    let mask = |width: u64| (1i128 << width) - 1;
    let bfm = each(move |a| Want::int(UInt, mask(a[0].bits & 31) << (a[1].bits & 31)));
    functions.push(Function::new("amd_bfm", &[v, v], UInt, &words("media_masks", 2), bfm));
    for element in [UInt, Int] {
        let reference = each(move |a| {
            let (offset, width) = (a[1].bits & 31, a[2].bits & 31);
            // The field ends where the value does.
            let width = width.min(32 - offset);
            let field = i128::from(a[0].bits >> offset) & mask(width);
            let negative = element == Int && width > 0 && field >> (width - 1) & 1 != 0;
            Want::int(element, if negative { field - (1 << width) } else { field })
        });
        let mut random = Random::named("bfe");
        let tuples = (0..1024 + 128)
            .map(|index: usize| {
                let (offset, width) = (index % 32, index / 32);
                vec![
                    Value::from_bits(element, random.word()),
                    // Bits above the low five do not count.
                    Value::int(UInt, (offset + 32 * random.below(3)) as i128),
                    Value::int(UInt, (width + 64 * random.below(3)) as i128),
                ]
            })
            .collect();
        let inputs = Inputs::from_tuples(format!("bfe_{element:?}"), tuples);
        functions.push(Function::new(
            "amd_bfe",
            &[Vector(element), v, v],
            element,
            &inputs,
            reference,
        ));
    }
}

fn extrema(functions: &mut Vec<Function>) {
    for element in [Int, UInt, Float] {
        let inputs = match element {
            // NaN is not ordered, and the texts say nothing of it; the zeros are equal.
            Float => {
                let mut random = Random::named("media floats");
                let pool = |value: &Value| !value.is_nan() && value.to_float() != 0.0;
                let pool: Vec<Value> = edges(Float).into_iter().filter(pool).collect();
                let normal = |value: &Value| value.to_float().abs() > 1e-30;
                let pool: Vec<Value> = pool.into_iter().filter(normal).collect();
                let tuples = combinations(&[pool.clone(), pool.clone(), pool], 960, &mut random);
                Inputs::from_tuples("media_floats".to_owned(), tuples)
            }
            _ => Inputs::standard("media_extrema", &[element; 3]),
        };
        let mut add = |name: &str, place: usize| {
            let reference = each(move |a| {
                let mut sorted = a.to_vec();
                sorted.sort_by(|a, b| order(element, a, b));
                Want::Exactly(sorted[place])
            });
            let v = Vector(element);
            functions.push(Function::new(name, &[v, v, v], element, &inputs, reference));
        };
        add("amd_min3", 0);
        add("amd_median3", 1);
        add("amd_max3", 2);
    }
}

fn order(element: Element, a: &Value, b: &Value) -> std::cmp::Ordering {
    match element {
        Float => a.to_float().total_cmp(&b.to_float()),
        _ => a.to_int().cmp(&b.to_int()),
    }
}
