//! Work-item functions (OpenCL C 6.15.1): all dimensions, also those that do not exist, given as
//! constants and at run time; work-groups that do not divide the range; offsets.

//@ section 6.15.1 in 2.0

use super::groups::{bytes, differences, kernel, read};
use super::run::{Argument, Family, Kernel};
use super::value::Value;
use crate::data::Element::{Int, ULong};

const QUERIES: [&str; 8] = [
    "get_global_size",
    "get_global_id",
    "get_local_size",
    "get_enqueued_local_size",
    "get_local_id",
    "get_num_groups",
    "get_group_id",
    "get_global_offset",
];
/// What a dimension that does not exist gives.
const ABSENT: [u64; 8] = [1, 0, 1, 1, 0, 1, 0, 0];
/// Dimensions asked for.
const DIMENSIONS: [u32; 5] = [0, 1, 2, 3, 7];

pub fn family() -> Family {
    let mut kernels = Vec::new();
    let shapes: [(&[usize], &[usize], &[usize]); 5] = [
        (&[12, 6, 4], &[3, 2, 2], &[0, 0, 0]),
        (&[12, 6, 4], &[3, 2, 2], &[5, 100, 7]),
        (&[24], &[8], &[3]),
        (&[8, 6], &[4, 3], &[0, 9]),
        (&[10, 7], &[4, 3], &[0, 0]),
    ];
    for (global, local, offset) in shapes {
        for dynamic in [false, true] {
            kernels.push(queries(kernels.len(), global, local, offset, dynamic));
        }
    }
    Family::new("work-items", "CL2.0", kernels)
}

fn queries(
    index: usize,
    global: &[usize],
    local: &[usize],
    offset: &[usize],
    dynamic: bool,
) -> Kernel {
    let mut text = String::from(
        "kernel void NAME(global const int *dims, global ulong *out) {\n\
         size_t item = get_global_linear_id();\n",
    );
    let per_item = QUERIES.len() * DIMENSIONS.len() + 3;
    text.push_str(&format!("out += item * {per_item};\n"));
    for (d, dimension) in DIMENSIONS.iter().enumerate() {
        for query in QUERIES {
            let dimension = if dynamic { format!("dims[{d}]") } else { dimension.to_string() };
            text.push_str(&format!("*out++ = {query}({dimension});\n"));
        }
    }
    text.push_str("*out++ = get_work_dim();\n*out++ = get_global_linear_id();\n*out++ = get_local_linear_id();\n}\n");

    let size = |of: &[usize], d: usize| of.get(d).copied().unwrap_or(1);
    let items: usize = global.iter().product();
    let mut want = Vec::new();
    for item in 0..items {
        let id = [
            item % size(global, 0),
            item / size(global, 0) % size(global, 1),
            item / size(global, 0) / size(global, 1),
        ];
        let group: Vec<usize> = (0..3).map(|d| id[d] / size(local, d)).collect();
        // The last group may be smaller.
        let actual: Vec<usize> = (0..3)
            .map(|d| size(local, d).min(size(global, d) - group[d] * size(local, d)))
            .collect();
        let within: Vec<usize> = (0..3).map(|d| id[d] % size(local, d)).collect();
        for dimension in DIMENSIONS {
            let d = dimension as usize;
            for (query, absent) in QUERIES.iter().zip(ABSENT) {
                let value = if d >= global.len() {
                    absent
                } else {
                    (match *query {
                        "get_global_size" => global[d],
                        "get_global_id" => id[d] + offset[d],
                        "get_local_size" => actual[d],
                        "get_enqueued_local_size" => local[d],
                        "get_local_id" => within[d],
                        "get_num_groups" => global[d].div_ceil(local[d]),
                        "get_group_id" => group[d],
                        _ => offset[d],
                    }) as u64
                };
                want.push(value);
            }
        }
        let local_linear = (within[2] * actual[1] + within[1]) * actual[0] + within[0];
        want.extend([global.len() as u64, item as u64, local_linear as u64]);
    }
    let want: Vec<Value> = want.into_iter().map(|value| Value::from_bits(ULong, value)).collect();
    let dims: Vec<Value> = DIMENSIONS.iter().map(|&d| Value::int(Int, i128::from(d))).collect();
    let words: Vec<String> = offset.iter().map(ToString::to_string).collect();
    let arguments = vec![
        Argument::Line(format!("offset {}", words.join(" "))),
        Argument::Input(bytes(&dims)),
        Argument::Output(want.len() * 8),
    ];
    let check =
        Box::new(move |outputs: &[Vec<u8>], _: &str| differences(&read(ULong, &outputs[0]), &want));
    let title = format!(
        "range {global:?}, groups {local:?}, offset {offset:?}, {} dimensions",
        if dynamic { "run-time" } else { "constant" }
    );
    kernel(index, &title, &text, arguments, (global, local), check)
}
