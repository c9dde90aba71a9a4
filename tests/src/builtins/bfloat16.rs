//! Conversions of cl_intel_bfloat16_conversions: a bfloat16 is the upper half of a float, rounded to
//! nearest even.

use super::elementwise::{Function, Parameter::Vector, each};
use super::inputs::{Inputs, Random, edges};
use super::run::Family;
use super::value::Value;
use super::want::Want;
use crate::data::Element::{Float, UShort};

pub fn family() -> Family {
    let mut random = Random::named("bfloat16");
    let mut floats = edges(Float);
    // On both sides of the middle between two values, and in it.
    for _ in 0..200 {
        let upper = random.word() & 0xffff_0000;
        floats.extend(
            [0x7fff, 0x8000, 0x8001, 0, 1].map(|lower| Value::from_bits(Float, upper | lower)),
        );
    }
    let floats = floats.into_iter().map(|value| vec![value]).collect();
    let to = Function::new(
        "intel_convert_bfloat16{n}_as_ushort{n}",
        &[Vector(Float)],
        UShort,
        &Inputs::from_tuples("bfloat16_of_float".to_owned(), floats),
        each(|a| rounded(a[0])),
    );
    let bits = (0..1920).map(|_| vec![Value::from_bits(UShort, random.word())]).collect();
    let from = Function::new(
        "intel_convert_as_bfloat16{n}_float{n}",
        &[Vector(UShort)],
        Float,
        &Inputs::from_tuples("float_of_bfloat16".to_owned(), bits),
        each(|a| Want::Exactly(Value::from_bits(Float, a[0].bits << 16))),
    );
    let mut family = Family::of_functions("bfloat16", "CL2.0", vec![to, from]);
    family.options.push("-cl-ext=+cl_intel_bfloat16_conversions".to_owned());
    family
}

fn rounded(value: Value) -> Want {
    let bits = value.bits;
    let upper = bits >> 16;
    if value.is_nan() {
        // Any NaN will do, of either sign.
        let nans = (0x7f81..=0x7fff)
            .chain(0xff81..=0xffff)
            .map(|bits| Want::Exactly(Value::from_bits(UShort, bits)));
        return Want::OneOf(nans.collect());
    }
    let half = bits & 0xffff;
    let up = half > 0x8000 || half == 0x8000 && upper & 1 != 0;
    Want::Exactly(Value::from_bits(UShort, upper + u64::from(up)))
}
