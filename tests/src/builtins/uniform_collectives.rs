//! Work-group collective functions of cl_khr_work_group_uniform_arithmetic (OpenCL C 6.15.17), in
//! groups whose sizes are no powers of two.

//@ section 6.2.2.33 6.15.17 in 2.0

use super::collectives::{GROUPS, arithmetic};
use super::inputs::Random;
use super::run::Family;
use super::value::Value;
use crate::data::Element::{self, Double, Float, Half, Int, Long, UInt, ULong};

const INTEGERS: [Element; 4] = [Int, UInt, Long, ULong];

pub fn family() -> Family {
    let mut kernels = Vec::new();
    let mut functions: Vec<(&str, Element)> = Vec::new();
    functions.extend([Half, Float, Double].map(|element| ("mul", element)));
    for operator in ["mul", "and", "or", "xor"] {
        functions.extend(INTEGERS.map(|element| (operator, element)));
    }
    functions.extend(["logical_and", "logical_or", "logical_xor"].map(|operator| (operator, Int)));
    let local: [usize; 3] = [3, 5, 2];
    let global = [3 * GROUPS, 5, 2];
    for (operator, element) in functions {
        for kind in ["reduce", "scan_inclusive", "scan_exclusive"] {
            let data = values(operator, element, global.iter().product());
            kernels.push(arithmetic(kernels.len(), (kind, operator), data, &global, &local));
        }
    }
    let mut family = Family::new("uniform collectives", "CL2.0", kernels);
    family.options.push("-cl-ext=+cl_khr_work_group_uniform_arithmetic".to_owned());
    family
}

/// Values whose results differ from work-item to work-item: products of floats are exact and those of
/// integers odd, bits change one at a time, and one work-item of one group decides the logical
/// functions.
fn values(operator: &str, element: Element, count: usize) -> Vec<Value> {
    let mut random = Random::named("uniform collectives");
    (0..count)
        .map(|index| {
            let bits = random.word();
            let is_odd = bits & 1 == 1;
            let value = match operator {
                "mul" if element.is_float() => {
                    let size = if index % 8 == 3 { 2 } else { 1 };
                    if is_odd { -size } else { size }
                }
                "mul" => i128::from(bits | 1),
                "and" => !(1 << (bits % 64)),
                "or" => 1 << (bits % 64),
                "logical_and" => {
                    if index == 11 {
                        0
                    } else {
                        8
                    }
                }
                "logical_or" => {
                    if index == 41 {
                        -8
                    } else {
                        0
                    }
                }
                "logical_xor" => {
                    if is_odd {
                        4
                    } else {
                        0
                    }
                }
                _ => i128::from(bits),
            };
            Value::int(element, value)
        })
        .collect()
}
