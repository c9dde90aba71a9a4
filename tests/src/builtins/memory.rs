//! Vector loads and stores (OpenCL C 6.15.7), in all address spaces, at addresses that are aligned
//! to an element only; half-precision memory in all rounding modes.

//@ section 6.15.7 in 2.0

use std::fmt::Write as _;

use super::inputs::{Inputs, Random, any_value};
use super::rounding::{self, Mode, SUFFIXES};
use super::run::{Argument, Family, Kernel};
use super::value::{ALL, Value, name, suffix, vector};
use super::want::Want;
use crate::data::Element;

const WIDTHS: [usize; 5] = [2, 3, 4, 8, 16];
const HALF_WIDTHS: [usize; 6] = [1, 2, 3, 4, 8, 16];
/// Vectors that are loaded or stored in each width.
const COUNT: usize = 4;
const LENGTH: usize = COUNT * 16 + 2;

pub fn family() -> Family {
    let mut kernels = Vec::new();
    for space in ["global", "local", "private", "constant", "generic"] {
        for element in ALL {
            kernels.push(loads(element, space, kernels.len()));
            if space != "constant" {
                kernels.push(stores(element, space, kernels.len()));
            }
        }
        kernels.push(half_loads(space, kernels.len()));
        if space != "constant" {
            for element in [Element::Float, Element::Double] {
                for (suffix, mode) in SUFFIXES {
                    kernels.push(half_stores(element, space, suffix, mode, kernels.len()));
                }
            }
        }
    }
    Family::new("memory", "CL2.0", kernels)
}

fn values(element: Element, count: usize) -> Vec<Value> {
    let mut random = Random::named("memory");
    (0..count).map(|_| any_value(element, &mut random)).collect()
}

fn bytes(values: &[Value]) -> Vec<u8> {
    let mut bytes = Vec::new();
    values.iter().for_each(|value| value.push(&mut bytes));
    bytes
}

/// Declares `p`, a pointer in `space` to a copy of `length` elements at `from`.
fn copy(element: Element, space: &str, from: &str, length: usize) -> String {
    let ty = name(element);
    let array = match space {
        "global" => return format!("global {ty} *p = (global {ty} *){from};\n"),
        "constant" => return format!("constant {ty} *p = {from};\n"),
        "local" => format!("local {ty} array[{length}];\nlocal {ty} *p = array;\n"),
        "private" => format!("{ty} array[{length}];\nprivate {ty} *p = array;\n"),
        _ => format!("{ty} array[{length}];\n{ty} *p = array;\n"),
    };
    format!("{array}for (int i = 0; i < {length}; i++) array[i] = {from}[i];\n")
}

/// The same of `half`, where vectors of them are aligned, as `vloada_half` and `vstorea_half` ask.
fn aligned_copy(space: &str, from: &str, length: usize) -> String {
    copy(Element::Half, space, from, length).replacen(
        &format!("array[{length}];"),
        &format!("array[{length}] __attribute__((aligned(32)));"),
        1,
    )
}

fn kernel_with(
    index: usize,
    title: &str,
    text: &str,
    arguments: Vec<Argument>,
    check: super::run::Check,
) -> Kernel {
    let name = format!("k{index}");
    let source = text.replacen("kernel void", &format!("kernel void {name}"), 1);
    Kernel::new(&name, title, source, arguments, check)
}

fn loads(element: Element, space: &str, index: usize) -> Kernel {
    let ty = name(element);
    let from = if space == "constant" { "constant" } else { "global const" };
    let mut text = format!("kernel void({from} {ty} *in, global {ty} *out) {{\n");
    text.push_str(&copy(element, space, "in", LENGTH));
    for width in WIDTHS {
        // Backwards, so that offsets matter.
        let _ = writeln!(
            text,
            "for (size_t i = 0; i < {COUNT}; i++) {{ {v} v = vload{width}({last} - i, p + 1); \
             {components} out += {width}; }}",
            v = vector(element, width),
            last = COUNT - 1,
            components =
                (0..width).map(|c| format!("out[{c}] = v.s{c:x};")).collect::<Vec<_>>().join(" "),
        );
    }
    text.push_str("}\n");
    let data = values(element, LENGTH);
    let wants: Vec<Value> = WIDTHS
        .iter()
        .flat_map(|&width| {
            (0..COUNT).rev().flat_map(move |i| (0..width).map(move |c| 1 + i * width + c))
        })
        .map(|at| data[at])
        .collect();
    let arguments = vec![Argument::Input(bytes(&data)), Argument::Output(bytes(&wants).len())];
    let check = Box::new(move |outputs: &[Vec<u8>], _: &str| compare(element, &outputs[0], &wants));
    kernel_with(index, &format!("vload of {space} {ty}"), &text, arguments, check)
}

fn stores(element: Element, space: &str, index: usize) -> Kernel {
    let ty = name(element);
    let mut text = format!("kernel void(global const {ty} *in, global {ty} *out) {{\n");
    // The array begins as the output is: full of bytes AB.
    text.push_str(&copy(element, space, "out", LENGTH));
    let data = values(element, LENGTH);
    let filler = Value::from_bits(element, 0xabab_abab_abab_abab);
    let mut wants = Vec::new();
    for width in WIDTHS {
        let components: Vec<String> =
            (0..width).map(|c| format!("in[{c} + i * {width}]")).collect();
        let _ = writeln!(
            text,
            "for (size_t i = 0; i < {COUNT}; i++) vstore{width}(({v})({components}), {last} - i, p + 1);\n\
             {copy} out += {LENGTH}; {next}",
            v = vector(element, width),
            components = components.join(", "),
            last = COUNT - 1,
            copy = if space == "global" {
                String::new()
            } else {
                format!(
                    "for (int i = 0; i < {LENGTH}; i++) {{ out[i] = array[i]; array[i] = out[{LENGTH} + i]; }}"
                )
            },
            next = if space == "global" { "p = out;" } else { "" },
        );
        let mut array = vec![filler; LENGTH];
        for i in 0..COUNT {
            for c in 0..width {
                array[1 + (COUNT - 1 - i) * width + c] = data[i * width + c];
            }
        }
        wants.extend(array);
    }
    text.push_str("}\n");
    let room = bytes(&wants).len() + LENGTH * element.size();
    let arguments = vec![Argument::Input(bytes(&data)), Argument::Output(room)];
    let check = Box::new(move |outputs: &[Vec<u8>], _: &str| compare(element, &outputs[0], &wants));
    kernel_with(index, &format!("vstore to {space} {ty}"), &text, arguments, check)
}

fn compare(element: Element, output: &[u8], wants: &[Value]) -> Vec<String> {
    wants
        .iter()
        .enumerate()
        .filter_map(|(index, want)| {
            let got = Value::read(element, output, index);
            (got != Some(*want)).then(|| format!("element {index}: got {got:?}, want {want:?}"))
        })
        .collect()
}

/// Half-precision values to load: edges, and enough of them for the widest vectors.
fn halves() -> Vec<Value> {
    let mut values = Inputs::standard("halves", &[Element::Half]).columns[0].clone();
    values.truncate(values.len() / 48 * 48);
    values
}

fn half_loads(space: &str, index: usize) -> Kernel {
    let data = halves();
    let length = data.len();
    let from = if space == "constant" { "constant" } else { "global const" };
    let mut text = format!("kernel void({from} half *in, global float *out) {{\n");
    text.push_str(&aligned_copy(space, "in", length));
    let mut wants = Vec::new();
    for aligned in [false, true] {
        for width in HALF_WIDTHS {
            let stride = if aligned && width == 3 { 4 } else { width };
            let calls = length / stride;
            let load = if aligned { "vloada_half" } else { "vload_half" };
            let n = suffix(width);
            let store = if width == 1 {
                "out[i] = v;".to_owned()
            } else {
                format!("vstore{width}(v, i, out);")
            };
            let _ = writeln!(
                text,
                "for (uint i = 0; i < {calls}; i++) {{ float{n} v = {load}{n}(i, p); {store} }}\n\
                 out += {};",
                calls * width
            );
            for call in 0..calls {
                for c in 0..width {
                    let half = data[call * stride + c];
                    wants.push(rounding::to_float(half, Element::Float, Mode::NearestEven));
                }
            }
        }
    }
    text.push_str("}\n");
    let arguments = vec![Argument::Input(bytes(&data)), Argument::Output(wants.len() * 4)];
    let check = Box::new(move |outputs: &[Vec<u8>], _: &str| {
        let wants: Vec<Want> = wants.iter().map(|want| Want::Exactly(*want)).collect();
        compare_wants(Element::Float, &outputs[0], &wants)
    });
    kernel_with(index, &format!("vload_half of {space}"), &text, arguments, check)
}

fn compare_wants(element: Element, output: &[u8], wants: &[Want]) -> Vec<String> {
    let mut complaints = Vec::new();
    for (index, want) in wants.iter().enumerate() {
        let got = Value::read(element, output, index);
        if !got.is_some_and(|got| want.allows(got)) {
            complaints.push(format!("element {index}: got {got:?}, want {want:?}"));
        }
    }
    complaints
}

fn half_stores(
    element: Element,
    space: &str,
    mode_suffix: &str,
    mode: Option<Mode>,
    index: usize,
) -> Kernel {
    let inputs = Inputs::standard("half stores", &[element]);
    let mut data = inputs.columns[0].clone();
    data.truncate(96);
    // Between two halves, on both sides of the middle, and around the limits.
    for x in [
        1.00048828125,
        1.00146484375,
        1.0005,
        1.0004,
        2049.0,
        2051.0,
        65519.0,
        65520.0,
        65536.0,
        1e6,
        2.980232238769531e-8,
        2.980_232_238_769_532e-8,
        8.940696716308594e-8,
        1e-9,
        6.1e-5,
        0.1,
        3.0518e-5,
        6.0975e-5,
        1e-40,
        3.3,
        4.7,
        1e30,
        65505.0,
        65503.0,
    ] {
        data.extend([Value::float(element, x), Value::float(element, -x)]);
    }
    let length = data.len();
    assert_eq!(length % 48, 0);
    let mode = mode.unwrap_or(Mode::NearestEven);
    let ty = name(element);
    let room = length / 3 * 4;
    let mut text = format!("kernel void(global const {ty} *in, global half *out) {{\n");
    text.push_str(&aligned_copy(space, "out", room));
    let mut wants = Vec::new();
    for aligned in [false, true] {
        for width in HALF_WIDTHS {
            let stride = if aligned && width == 3 { 4 } else { width };
            let calls = length / width;
            let store = if aligned { "vstorea_half" } else { "vstore_half" };
            let n = suffix(width);
            let load = if width == 1 { "in[i]".to_owned() } else { format!("vload{width}(i, in)") };
            let _ = writeln!(
                text,
                "for (uint i = 0; i < {calls}; i++) {store}{n}{mode_suffix}({load}, i, p);\n{}",
                if space == "global" {
                    format!("p += {room};")
                } else {
                    format!("for (int i = 0; i < {room}; i++) out[i] = array[i];\nout += {room};")
                }
            );
            let mut array = vec![Want::Anything; room];
            for call in 0..calls {
                for c in 0..width {
                    let half = rounding::to_float(data[call * width + c], Element::Half, mode);
                    array[call * stride + c] = Want::Exactly(half);
                }
            }
            wants.extend(array);
        }
    }
    text.push_str("}\n");
    let arguments = vec![Argument::Input(bytes(&data)), Argument::Output(wants.len() * 2)];
    let title = format!("vstore_half{mode_suffix} of {ty} to {space}");
    let check = Box::new(move |outputs: &[Vec<u8>], _: &str| {
        compare_wants(Element::Half, &outputs[0], &wants)
    });
    kernel_with(index, &title, &text, arguments, check)
}
