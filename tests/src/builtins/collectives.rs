//! Work-group collective functions (OpenCL C 6.15.16), in groups of one to three dimensions.

//@ section 6.15.16 in 2.0

use super::groups::{bytes, differences, kernel, read};
use super::inputs::Random;
use super::run::{Argument, Family, Kernel};
use super::value::{Value, limits, name};
use crate::data::Element::{self, Double, Float, Half, Int, Long, UInt, ULong};

pub const GROUPS: usize = 2;

pub fn family() -> Family {
    let mut kernels = Vec::new();
    let shapes: [(&[usize], &[usize]); 3] =
        [(&[64], &[32]), (&[8, 4, 4], &[4, 4, 4]), (&[66, 3, 4], &[33, 3, 4])];
    for (global, local) in shapes {
        for element in [Int, UInt, Long, ULong, Half, Float, Double] {
            for operator in ["add", "min", "max"] {
                for kind in ["reduce", "scan_inclusive", "scan_exclusive"] {
                    let data = values(element, global.iter().product());
                    let function = (kind, operator);
                    kernels.push(arithmetic(kernels.len(), function, data, global, local));
                }
            }
            kernels.push(broadcast(kernels.len(), element, global, local));
        }
        for function in ["all", "any"] {
            kernels.push(vote(kernels.len(), function, global, local));
        }
    }
    Family::new("collectives", "CL2.0", kernels)
}

/// Values whose sums are exact in every type.
fn values(element: Element, count: usize) -> Vec<Value> {
    let mut random = Random::named("collectives");
    (0..count)
        .map(|_| {
            let value = match element {
                Half | Float | Double => random.below(31) as i128 - 15,
                _ => Value::from_bits(element, random.word()).to_int(),
            };
            Value::int(element, value)
        })
        .collect()
}

fn number(value: Value) -> i128 {
    if value.element.is_float() { value.to_float() as i128 } else { value.to_int() }
}

pub fn combine(operator: &str, left: Value, right: Value) -> Value {
    let (a, b) = (number(left), number(right));
    let element = left.element;
    match operator {
        "add" => Value::int(element, a + b),
        "mul" => Value::int(element, a.wrapping_mul(b)),
        "min" => {
            if b < a || left.to_float() == f64::INFINITY && element.is_float() {
                right
            } else {
                left
            }
        }
        "max" => {
            if b > a || left.to_float() == f64::NEG_INFINITY && element.is_float() {
                right
            } else {
                left
            }
        }
        "and" => Value::int(element, a & b),
        "or" => Value::int(element, a | b),
        "xor" => Value::int(element, a ^ b),
        "logical_and" => Value::int(element, i128::from(a != 0 && b != 0)),
        "logical_or" => Value::int(element, i128::from(a != 0 || b != 0)),
        _ => Value::int(element, i128::from((a != 0) != (b != 0))),
    }
}

pub fn identity(operator: &str, element: Element) -> Value {
    let (least, greatest) = if element.is_float() { (0, 0) } else { limits(element) };
    match operator {
        "min" if element.is_float() => Value::float(element, f64::INFINITY),
        "max" if element.is_float() => Value::float(element, f64::NEG_INFINITY),
        "min" => Value::int(element, greatest),
        "max" => Value::int(element, least),
        "mul" | "logical_and" => Value::int(element, 1),
        "and" => Value::int(element, -1),
        _ => Value::int(element, 0),
    }
}

/// What each of `values` gets.
pub fn scan(kind: &str, operator: &str, values: &[Value]) -> Vec<Value> {
    let Some(first) = values.first() else { return Vec::new() };
    let mut state = identity(operator, first.element);
    let mut out = Vec::new();
    for &value in values {
        let before = state;
        state = combine(operator, state, value);
        out.push(if kind == "scan_exclusive" { before } else { state });
    }
    if kind == "reduce" { vec![state; values.len()] } else { out }
}

/// Items in the order of groups and, inside a group, of linear local ids: as buffers are indexed.
const PLACE: &str = "size_t i = (get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2))) \
                     * get_local_size(0) * get_local_size(1) * get_local_size(2) + get_local_linear_id();\n";

/// A kernel for a function of `data`, whose elements have one type.
pub fn arithmetic(
    index: usize,
    (kind, operator): (&str, &str),
    data: Vec<Value>,
    global: &[usize],
    local: &[usize],
) -> Kernel {
    let element = data[0].element;
    let ty = name(element);
    let function = format!("work_group_{kind}_{operator}");
    let text = format!(
        "kernel void NAME(global const {ty} *in, global {ty} *out) {{\n{PLACE}out[i] = {function}(in[i]);\n}}\n"
    );
    let want: Vec<Value> =
        data.chunks(data.len() / GROUPS).flat_map(|group| scan(kind, operator, group)).collect();
    let size = data.len() * element.size();
    let arguments = vec![Argument::Input(bytes(&data)), Argument::Output(size)];
    let check = Box::new(move |outputs: &[Vec<u8>], _: &str| {
        differences(&read(element, &outputs[0]), &want)
    });
    kernel(
        index,
        &format!("{function}({ty}) in {local:?}"),
        &text,
        arguments,
        (global, local),
        check,
    )
}

fn broadcast(index: usize, element: Element, global: &[usize], local: &[usize]) -> Kernel {
    let ty = name(element);
    let (arguments, chosen) = match local.len() {
        1 => ("5", 5),
        _ => ("1, 2, 3", (3 * local[1] + 2) * local[0] + 1),
    };
    let text = format!(
        "kernel void NAME(global const {ty} *in, global {ty} *out) {{\n{PLACE}out[i] = work_group_broadcast(in[i], {arguments});\n}}\n"
    );
    let count: usize = global.iter().product();
    let data = values(element, count);
    let each = count / GROUPS;
    let want: Vec<Value> = (0..count).map(|i| data[i / each * each + chosen]).collect();
    let title = format!("work_group_broadcast({ty}, {arguments})");
    let arguments = vec![Argument::Input(bytes(&data)), Argument::Output(count * element.size())];
    let check = Box::new(move |outputs: &[Vec<u8>], _: &str| {
        differences(&read(element, &outputs[0]), &want)
    });
    kernel(index, &title, &text, arguments, (global, local), check)
}

/// The first group has one item that differs, the second has none.
fn vote(index: usize, function: &str, global: &[usize], local: &[usize]) -> Kernel {
    let text = format!(
        "kernel void NAME(global const int *in, global int *out) {{\n{PLACE}out[i] = work_group_{function}(in[i]) != 0;\n}}\n"
    );
    let count: usize = global.iter().product();
    let ordinary = if function == "all" { 4 } else { 0 };
    let mut data = vec![Value::int(Int, ordinary); count];
    data[3] = Value::int(Int, 4 - ordinary);
    let each = count / GROUPS;
    let want: Vec<Value> = (0..count)
        .map(|i| Value::int(Int, i128::from((i < each) == (function == "any"))))
        .collect();
    let arguments = vec![Argument::Input(bytes(&data)), Argument::Output(count * 4)];
    let check =
        Box::new(move |outputs: &[Vec<u8>], _: &str| differences(&read(Int, &outputs[0]), &want));
    kernel(
        index,
        &format!("work_group_{function} in {local:?}"),
        &text,
        arguments,
        (global, local),
        check,
    )
}
