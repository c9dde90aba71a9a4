//! Integer functions (OpenCL C 6.15.3), extended bit operations and dot products.

//@ section 6.2.2.7 6.2.2.16 6.15.3 6.15.3.1 in 3.1

use super::elementwise::Parameter::{Fixed, Splat, Vector};
use super::elementwise::{ALL_WIDTHS, Function, SCALAR, VECTOR_WIDTHS, each};
use super::inputs::{Inputs, Random, any_value, combinations, edges};
use super::run::Family;
use super::value::{INTEGERS, Value, is_signed, limits, to_signed, to_unsigned};
use super::want::Want;
use crate::data::Element;

pub fn family() -> Family {
    let mut functions = Vec::new();
    for element in INTEGERS {
        unary(element, &mut functions);
        binary(element, &mut functions);
        ternary(element, &mut functions);
        bit_fields(element, &mut functions);
    }
    mul24(&mut functions);
    dots(&mut functions);
    swaps(&mut functions);
    overflows(&mut functions);
    let mut family = Family::of_functions("integer", "CL3.1", functions);
    let arm = ["int8", "accumulate_int8", "accumulate_int16", "accumulate_saturate_int8"];
    let arm = arm.map(|kind| format!("+cl_arm_integer_dot_product_{kind}"));
    family.options.push(format!("-cl-ext={}", arm.join(",")));
    family
}

fn saturated(element: Element, value: i128) -> Want {
    let (least, greatest) = limits(element);
    Want::int(element, value.clamp(least, greatest))
}

fn unary(e: Element, functions: &mut Vec<Function>) {
    let inputs = Inputs::standard("integer", &[e]);
    let mut add = |name: &str, result: Element, reference: fn(Value) -> i128| {
        let reference = each(move |a| Want::int(result, reference(a[0])));
        functions.push(Function::new(name, &[Vector(e)], result, &inputs, reference));
    };
    let leading = |a: Value| i128::from(a.bits.leading_zeros() + a.width()) - 64;
    let trailing = |a: Value| i128::from(a.bits.trailing_zeros().min(a.width()));
    add("abs", to_unsigned(e), |a| a.to_int().abs());
    add("clz", e, leading);
    add("ctz", e, trailing);
    add("popcount", e, |a| i128::from(a.bits.count_ones()));
    add("bit_reverse", e, |a| i128::from(a.bits.reverse_bits() >> (64 - a.width())));
}

fn binary(e: Element, functions: &mut Vec<Function>) {
    let inputs = Inputs::standard("integer", &[e, e]);
    let mut add = |name: &str,
                   second: super::elementwise::Parameter,
                   result: Element,
                   reference: Box<dyn Fn(i128, i128) -> Want + Send + Sync>| {
        let widths = if matches!(second, Splat(_)) { VECTOR_WIDTHS } else { ALL_WIDTHS };
        let reference = each(move |a| reference(a[0].to_int(), a[1].to_int()));
        let function = Function::new(name, &[Vector(e), second], result, &inputs, reference);
        functions.push(function.widths(widths));
    };
    let v = Vector(e);
    let bits = 8 * e.size() as u32;
    add(
        "abs_diff",
        v,
        to_unsigned(e),
        Box::new(move |a, b| Want::int(to_unsigned(e), (a - b).abs())),
    );
    add("add_sat", v, e, Box::new(move |a, b| saturated(e, a + b)));
    add("sub_sat", v, e, Box::new(move |a, b| saturated(e, a - b)));
    add("hadd", v, e, Box::new(move |a, b| Want::int(e, (a + b) >> 1)));
    add("rhadd", v, e, Box::new(move |a, b| Want::int(e, (a + b + 1) >> 1)));
    add("mul_hi", v, e, Box::new(move |a, b| Want::int(e, mul_hi(e, a, b))));
    for second in [v, Splat(e)] {
        add("max", second, e, Box::new(move |a, b| Want::int(e, a.max(b))));
        add("min", second, e, Box::new(move |a, b| Want::int(e, a.min(b))));
    }
    add(
        "rotate",
        v,
        e,
        Box::new(move |a, b| {
            let by = (b as u32) % bits;
            let a = Value::int(e, a).bits as u128;
            Want::int(e, (a << by | a >> (bits - by)) as i128)
        }),
    );
    if e.size() < 8 {
        let low = to_unsigned(e);
        let wide = match (e.size(), is_signed(e)) {
            (1, true) => Element::Short,
            (1, false) => Element::UShort,
            (2, true) => Element::Int,
            (2, false) => Element::UInt,
            (_, true) => Element::Long,
            (_, false) => Element::ULong,
        };
        let inputs = Inputs::standard("upsample", &[e, low]);
        let reference =
            each(move |a| Want::int(wide, a[0].to_int() << bits | i128::from(a[1].bits)));
        functions.push(Function::new("upsample", &[v, Vector(low)], wide, &inputs, reference));
    }
}

fn mul_hi(e: Element, a: i128, b: i128) -> i128 {
    let bits = 8 * e.size();
    if is_signed(e) { (a * b) >> bits } else { ((a as u128 * b as u128) >> bits) as i128 }
}

fn ternary(e: Element, functions: &mut Vec<Function>) {
    let inputs = Inputs::standard("integer", &[e, e, e]);
    let v = Vector(e);
    let clamp = move |a: &[Value]| {
        let [x, least, greatest] = [a[0].to_int(), a[1].to_int(), a[2].to_int()];
        if least > greatest {
            return Want::Anything;
        }
        Want::int(e, x.clamp(least, greatest))
    };
    functions.push(Function::new("clamp", &[v, v, v], e, &inputs, each(clamp)));
    let splat = Function::new("clamp", &[v, Splat(e), Splat(e)], e, &inputs, each(clamp));
    functions.push(splat.widths(VECTOR_WIDTHS));
    let mad_hi =
        each(move |a| Want::int(e, mul_hi(e, a[0].to_int(), a[1].to_int()) + a[2].to_int()));
    functions.push(Function::new("mad_hi", &[v, v, v], e, &inputs, mad_hi));
    let mad_sat = each(move |a| {
        let (x, y, z) = (a[0].to_int(), a[1].to_int(), a[2].to_int());
        // Products of two ulongs fill a u128.
        let sum = x.checked_mul(y).and_then(|product| product.checked_add(z));
        saturated(e, sum.unwrap_or(i128::MAX))
    });
    functions.push(Function::new("mad_sat", &[v, v, v], e, &inputs, mad_sat));
}

/// `mul24` and `mad24` are defined for 24-bit values only.
fn mul24(functions: &mut Vec<Function>) {
    for e in [Element::Int, Element::UInt] {
        let (least, greatest) =
            if is_signed(e) { (-(1 << 23), (1 << 23) - 1) } else { (0, (1 << 24) - 1) };
        let mut factors: Vec<Value> =
            [0, 1, -1, 2, 3, least, greatest, least + 1, greatest - 1, 4097]
                .map(|value: i128| Value::int(e, value.clamp(least, greatest)))
                .to_vec();
        let mut random = Random::named("mul24");
        for _ in 0..10 {
            factors.push(Value::int(e, i128::from(random.word() as u32 & 0xff_ffff) + least));
        }
        let mut addends = edges(e);
        addends.truncate(30);
        let tuples = combinations(&[factors.clone(), factors, addends], 480, &mut random);
        let inputs = Inputs::from_tuples(format!("mul24_{e:?}"), tuples);
        let v = Vector(e);
        let mul = each(move |a| Want::int(e, a[0].to_int() * a[1].to_int()));
        functions.push(Function::new("mul24", &[v, v], e, &inputs, mul));
        let mad = each(move |a| Want::int(e, a[0].to_int() * a[1].to_int() + a[2].to_int()));
        functions.push(Function::new("mad24", &[v, v, v], e, &inputs, mad));
    }
}

/// Offsets and counts that stay inside the value.
fn bit_fields(e: Element, functions: &mut Vec<Function>) {
    let bits = 8 * e.size();
    let mut random = Random::named("bit fields");
    let tuples: Vec<Vec<Value>> = (0..480)
        .map(|index| {
            let offset = match index % 4 {
                0 => 0,
                1 => bits - 1,
                _ => random.below(bits),
            };
            let count = match random.below(4) {
                0 => bits - offset,
                1 => 0,
                _ => random.below(bits - offset + 1),
            };
            vec![
                any_value(e, &mut random),
                Value::from_bits(e, random.word()),
                Value::int(Element::UInt, offset as i128),
                Value::int(Element::UInt, count as i128),
            ]
        })
        .collect();
    let four = Inputs::from_tuples(format!("insert_{e:?}"), tuples.clone());
    let extract = tuples.into_iter().map(|tuple| tuple[1..].to_vec()).collect();
    let three = Inputs::from_tuples(format!("extract_{e:?}"), extract);
    let (v, uint) = (Vector(e), Splat(Element::UInt));
    let mask = |count: Value| (1u128 << count.bits) as i128 - 1;
    let insert = each(move |a| {
        let mask = mask(a[3]) << a[2].bits;
        let inserted = i128::from(a[1].bits) << a[2].bits & mask;
        Want::int(e, i128::from(a[0].bits) & !mask | inserted)
    });
    functions.push(Function::new("bitfield_insert", &[v, v, uint, uint], e, &four, insert));
    let unsigned = to_unsigned(e);
    let extract =
        each(move |a| Want::int(unsigned, i128::from(a[0].bits >> a[1].bits) & mask(a[2])));
    let name = "bitfield_extract_unsigned";
    functions.push(Function::new(name, &[v, uint, uint], unsigned, &three, extract));
    let signed = to_signed(e);
    let extract = each(move |a| {
        let field = i128::from(a[0].bits >> a[1].bits) & mask(a[2]);
        let negative = a[2].bits > 0 && field >> (a[2].bits - 1) & 1 != 0;
        Want::int(signed, if negative { field - (1 << a[2].bits) } else { field })
    });
    functions.push(Function::new(
        "bitfield_extract_signed",
        &[v, uint, uint],
        signed,
        &three,
        extract,
    ));
}

fn dots(functions: &mut Vec<Function>) {
    use Element::{Char, Int, Short, UChar, UInt, UShort};
    for (left, right, name) in [
        (UChar, UChar, "uu_uint"),
        (Char, Char, "ss_int"),
        (UChar, Char, "us_int"),
        (Char, UChar, "su_int"),
        (UShort, UShort, "ushorts"),
        (Short, Short, "shorts"),
    ] {
        let result = if is_signed(left) || is_signed(right) { Int } else { UInt };
        let count = if matches!(left, UShort | Short) { 2 } else { 4 };
        let mut random = Random::named(name);
        let tuples: Vec<Vec<Value>> = (0..960)
            .map(|_| {
                let mut byte = |element| match random.below(3) {
                    0 => {
                        let (least, greatest) = limits(element);
                        Value::int(element, random.pick(&[least, greatest]))
                    }
                    _ => Value::from_bits(element, random.word()),
                };
                vec![byte(left), byte(right), any_value(result, &mut random)]
            })
            .collect();
        let inputs = Inputs::from_tuples(format!("dot_{name}"), tuples);
        let sum = |a: &[Value], b: &[Value]| -> i128 {
            a.iter().zip(b).map(|(a, b)| a.to_int() * b.to_int()).sum()
        };
        let dot = move |sums: Sums| -> super::elementwise::Reference {
            Box::new(move |a: &[&[Value]]| {
                let sum = sum(a[0], a[1]);
                vec![vec![match sums {
                    Sums::None => Want::int(result, sum),
                    Sums::Saturated => saturated(result, sum + a[2][0].to_int()),
                    Sums::Modulo => Want::int(result, sum + a[2][0].to_int()),
                }]]
            })
        };
        let (a, b, c) = (Fixed(left, count), Fixed(right, count), Splat(result));
        let mut add = |name: &str, parameters: &[_], sums: Sums| {
            let function = Function::new(name, parameters, result, &inputs, dot(sums));
            functions.push(function.widths(SCALAR));
        };
        if left == right {
            add("arm_dot_acc", &[a, b, c], Sums::Modulo);
        }
        if count == 2 {
            continue;
        }
        if left == right {
            add("arm_dot", &[a, b], Sums::None);
            add("arm_dot_acc_sat", &[a, b, c], Sums::Saturated);
        }
        add("dot", &[a, b], Sums::None);
        add("dot_acc_sat", &[a, b, c], Sums::Saturated);
        let packed = |accumulate: &str| {
            format!("dot{accumulate}_4x8packed_{name}(as_uint({{0}}), as_uint({{1}})")
        };
        add(&format!("{})", packed("")), &[a, b], Sums::None);
        add(&format!("{}, {{2}})", packed("_acc_sat")), &[a, b, c], Sums::Saturated);
    }
}

/// How a dot product is added to an accumulator.
#[derive(Clone, Copy)]
enum Sums {
    None,
    Saturated,
    Modulo,
}

/// Of GNU C.
fn swaps(functions: &mut Vec<Function>) {
    for e in [Element::UShort, Element::UInt, Element::ULong] {
        let bytes = Value::from_bits(e, 0).width() / 8;
        let inputs = Inputs::standard("integer", &[e]);
        let swapped =
            move |a: Value| Want::int(e, i128::from(a.bits.swap_bytes() >> (64 - 8 * bytes)));
        let name = format!("__builtin_bswap{}", 8 * bytes);
        let function = Function::new(&name, &[Vector(e)], e, &inputs, each(move |a| swapped(a[0])));
        functions.push(function.widths(SCALAR));
    }
}

/// Of GNU C: where the result is another, its bits are inverted.
fn overflows(functions: &mut Vec<Function>) {
    use Element::{Int, Long, UInt, ULong};
    type Operation = fn(i128, i128) -> i128;
    let operations: [(&str, Operation); 3] =
        [("add", |a, b| a + b), ("sub", |a, b| a - b), ("mul", |a, b| a.wrapping_mul(b))];
    for (operation, compute) in operations {
        for (e, start, end) in [
            (Int, "s", ""),
            (Long, "s", "l"),
            (Long, "s", "ll"),
            (UInt, "u", ""),
            (ULong, "u", "l"),
            (ULong, "u", "ll"),
        ] {
            let inputs = Inputs::standard("integer", &[e, e]);
            let reference = each(move |a| {
                let exact = compute(a[0].to_int(), a[1].to_int());
                let (least, greatest) = limits(e);
                // The product of the largest numbers is none of those of 128 bits, and negative then.
                let fits = least <= exact && exact <= greatest;
                Want::int(e, if fits { exact } else { !exact })
            });
            let (ty, name) =
                (super::value::name(e), format!("__builtin_{start}{operation}{end}_overflow"));
            let text = format!("({{ {ty} r; bool o = {name}({{0}}, {{1}}, &r); o ? ~r : r; }})");
            let parameters = [Vector(e), Vector(e)];
            functions.push(Function::new(&text, &parameters, e, &inputs, reference).widths(SCALAR));
        }
    }
}
