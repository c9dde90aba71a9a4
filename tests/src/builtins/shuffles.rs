//! `shuffle` and `shuffle2` (OpenCL C 6.15.13), with masks that vary and masks that are constant.

//@ section 6.15.13 in 3.0

use super::elementwise::Parameter::Fixed;
use super::elementwise::{Function, Reference, SCALAR, Width};
use super::inputs::{Inputs, Random};
use super::run::Family;
use super::value::{ALL, Value, name, to_unsigned};
use super::want::Want;
use crate::data::Element;

const WIDTHS: [usize; 4] = [2, 4, 8, 16];

pub fn family() -> Family {
    let mut functions = Vec::new();
    for element in ALL {
        let mask = to_unsigned(element);
        let one = Inputs::standard("shuffle", &[element, mask]);
        let two = Inputs::standard("shuffle", &[element, element, mask]);
        for from in WIDTHS {
            for to in WIDTHS {
                let (a, m) = (Fixed(element, from), Fixed(mask, to));
                functions.push(vectors("shuffle", &[a, m], element, to, &one, varying(from, 1)));
                functions.push(vectors(
                    "shuffle2",
                    &[a, a, m],
                    element,
                    to,
                    &two,
                    varying(from, 2),
                ));
            }
        }
    }
    let mut random = Random::named("constant masks");
    for element in [Element::Int, Element::Double, Element::UChar] {
        let one = Inputs::standard("shuffle", &[element, element]);
        for from in WIDTHS {
            for to in WIDTHS {
                for count in [1, 2] {
                    let mask: Vec<usize> =
                        (0..to).map(|_| random.below(2 * count * from)).collect();
                    let numbers: Vec<String> = mask.iter().map(ToString::to_string).collect();
                    let literal =
                        format!("({}{to})({})", name(to_unsigned(element)), numbers.join(", "));
                    let arguments = if count == 1 { "{0}" } else { "{0}, {1}" };
                    let function = if count == 1 { "shuffle" } else { "shuffle2" };
                    let call = format!("{function}({arguments}, {literal})");
                    let a = Fixed(element, from);
                    let reference: Reference = Box::new(move |arguments| {
                        let all: Vec<Value> = arguments.concat();
                        vec![
                            mask.iter()
                                .map(|&index| Want::Bits(all[index % (count * from)]))
                                .collect(),
                        ]
                    });
                    functions.push(vectors(&call, &[a, a][..count], element, to, &one, reference));
                }
            }
        }
    }
    Family::of_functions("shuffles", "CL3.0", functions)
}

fn vectors(
    name: &str,
    parameters: &[super::elementwise::Parameter],
    element: Element,
    to: usize,
    inputs: &std::sync::Arc<Inputs>,
    reference: Reference,
) -> Function {
    Function::new(name, parameters, element, inputs, reference)
        .widths(SCALAR)
        .result_width(Width::Fixed(to))
}

/// Only as many bits of the mask count as are needed.
fn varying(from: usize, count: usize) -> Reference {
    Box::new(move |arguments| {
        let all: Vec<Value> = arguments[..count].concat();
        let mask = arguments[count];
        vec![
            mask.iter()
                .map(|index| Want::Bits(all[index.bits as usize % (count * from)]))
                .collect(),
        ]
    })
}
