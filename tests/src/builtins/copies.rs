//! Asynchronous copies and prefetches (OpenCL C 6.15.11), barriers and fences (6.15.8, 6.15.9).

//@ section 6.15.8 6.15.9 6.15.11 6.15.12.5 in 2.0

use super::groups::{bytes, differences, kernel, read};
use super::inputs::{Random, any_value};
use super::run::{Argument, Family, Kernel};
use super::value::{ALL, Value, vector};
use crate::data::Element::{self, Int};

const COUNT: usize = 24;
const STRIDE: usize = 3;
const ITEMS: usize = 8;

pub fn family() -> Family {
    let mut kernels = Vec::new();
    for element in ALL {
        for width in [1, 2, 3, 4, 8, 16] {
            kernels.push(copies(kernels.len(), element, width));
        }
    }
    for fence in [
        "barrier(CLK_LOCAL_MEM_FENCE)",
        "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)",
        "work_group_barrier(CLK_LOCAL_MEM_FENCE)",
        "work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group)",
        "work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device)",
        "mem_fence(CLK_LOCAL_MEM_FENCE); barrier(CLK_LOCAL_MEM_FENCE)",
        "write_mem_fence(CLK_LOCAL_MEM_FENCE); barrier(CLK_LOCAL_MEM_FENCE); read_mem_fence(CLK_LOCAL_MEM_FENCE)",
        "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group); barrier(CLK_LOCAL_MEM_FENCE)",
    ] {
        kernels.push(rotation(kernels.len(), fence));
    }
    kernels.push(spaces(kernels.len()));
    for (unit, size, convert) in LINES {
        for planes in [false, true] {
            for inwards in [true, false] {
                kernels.push(lines(kernels.len(), (unit, size, convert), planes, inwards));
            }
        }
    }
    kernels.push(fenced(kernels.len()));
    let mut family = Family::new("copies", "CL2.0", kernels);
    // Vulkan has both, when asked for.
    family.options.push(
        "-cl-ext=+cl_khr_extended_async_copies,+cl_khr_async_work_group_copy_fence".to_owned(),
    );
    family
}

/// In by a plain and by a strided copy, out by a plain and by a strided copy.
fn copies(index: usize, element: Element, width: usize) -> Kernel {
    let ty = vector(element, width);
    let text = format!(
        "kernel void NAME(global const {ty} *in, global {ty} *out) {{\n\
         local {ty} plain[{COUNT}], gathered[{COUNT}];\n\
         prefetch(in, {COUNT});\n\
         event_t event = async_work_group_copy(plain, in, {COUNT}, 0);\n\
         event = async_work_group_strided_copy(gathered, in + 1, {COUNT}, {STRIDE}, event);\n\
         wait_group_events(1, &event);\n\
         size_t i = get_local_id(0);\n\
         for (size_t j = i; j < {COUNT} / 2; j += get_local_size(0)) {{\n\
           {ty} swapped = plain[j];\n\
           plain[j] = plain[{COUNT} - 1 - j];\n\
           plain[{COUNT} - 1 - j] = swapped;\n\
         }}\n\
         barrier(CLK_LOCAL_MEM_FENCE);\n\
         event_t events[2];\n\
         events[0] = async_work_group_copy(out, plain, {COUNT}, 0);\n\
         events[1] = async_work_group_strided_copy(out + {COUNT}, gathered, {COUNT}, {STRIDE}, 0);\n\
         wait_group_events(2, events);\n}}\n"
    );
    // Three components take the room of four, and the fourth is copied or not.
    let room = if width == 3 { 4 } else { width };
    let mut random = Random::named("copies");
    let data: Vec<Vec<Value>> = (0..COUNT * STRIDE + 1)
        .map(|_| (0..room).map(|_| any_value(element, &mut random)).collect())
        .collect();
    let filler = vec![Value::from_bits(element, 0xabab_abab_abab_abab); room];
    let mut want = vec![filler; COUNT + COUNT * STRIDE];
    for j in 0..COUNT {
        want[j] = data[COUNT - 1 - j].clone();
        want[COUNT + j * STRIDE] = data[1 + j * STRIDE].clone();
    }
    let size = want.len() * room * element.size();
    let arguments = vec![Argument::Input(bytes(&data.concat())), Argument::Output(size)];
    let check = Box::new(move |outputs: &[Vec<u8>], _: &str| {
        let got = read(element, &outputs[0]);
        let visible = |values: &[Value]| -> Vec<Value> {
            values.chunks(room).flat_map(|vector| vector[..width].to_vec()).collect()
        };
        differences(&visible(&got), &visible(&want.concat()))
    });
    let title = format!("async copies of {ty}");
    kernel(index, &title, &text, arguments, (&[ITEMS], &[ITEMS]), check)
}

/// What lines are made of: the type that pointers point to, bytes of an element, how the pointers are
/// passed.
const LINES: [(&str, usize, &str); 7] = [
    ("char", 1, ""),
    ("int", 4, ""),
    ("float4", 16, ""),
    ("float3", 16, ""),
    ("int", 4, "(void *)"),
    // Elements of other sizes than the pointee.
    ("short", 6, ""),
    ("uchar", 12, ""),
];

/// `async_work_group_copy_2D2D`, with `planes` `async_work_group_copy_3D3D`, to local memory if
/// `inwards`, else from it. Two copies share an event; the second has no lines.
fn lines(
    index: usize,
    (unit, size, convert): (&str, usize, &str),
    planes: bool,
    inwards: bool,
) -> Kernel {
    // In elements; lines and planes have room between them, other in source and destination.
    const FROM: [usize; 4] = [2, 7, 40, 120];
    const TO: [usize; 4] = [1, 6, 30, 90];
    const COUNT: usize = 5;
    const LINE_COUNT: usize = 4;
    let plane_count = if planes { 3 } else { 1 };
    let (total_from, total_to) = (FROM[3] * size, TO[3] * size);
    let spaces = |local: bool| if local { "local" } else { "global" };
    let cast = |local: bool, is_const: &str| match convert {
        "" => String::new(),
        _ => format!("({is_const}{} void *)", spaces(local)),
    };
    let call = |lines: &str| {
        let (name, planes, from_plane, to_plane) = if planes {
            ("3D3D", format!("{plane_count}, "), format!("{}, ", FROM[2]), format!("{}, ", TO[2]))
        } else {
            ("2D2D", String::new(), String::new(), String::new())
        };
        format!(
            "async_work_group_copy_{name}({}to, {}, {}from, {}, {size}, {COUNT}, {lines}, {planes}{}, {from_plane}{}, {to_plane}event)",
            cast(inwards, ""),
            TO[0],
            cast(!inwards, "const "),
            FROM[0],
            FROM[1],
            TO[1],
        )
    };
    let room = total_from.max(total_to);
    let (before, after, from, to) = if inwards {
        ("cells[i] = 0xab", "out[i] = cells[i]", "in", "cells")
    } else {
        ("cells[i] = in[i]", "", "cells", "out")
    };
    let text = format!(
        "kernel void NAME(global uchar *in, global uchar *out, int none) {{\n\
         local uchar cells[{room}] __attribute__((aligned(16)));\n\
         for (size_t i = get_local_id(0); i < {room}; i += get_local_size(0)) {before};\n\
         barrier(CLK_LOCAL_MEM_FENCE);\n\
         {} {unit} *to = ({} {unit} *){to};\n\
         {} {unit} *from = ({} {unit} *){from};\n\
         event_t event = 0;\n\
         event = {};\n\
         event = {};\n\
         wait_group_events(1, &event);\n\
         for (size_t i = get_local_id(0); i < {total_to}; i += get_local_size(0)) {{ {after}; }}\n}}\n",
        spaces(inwards),
        spaces(inwards),
        spaces(!inwards),
        spaces(!inwards),
        call(&LINE_COUNT.to_string()),
        call("none"),
    );
    let mut random = Random::named("lines");
    let data: Vec<u8> = (0..room).map(|_| random.word() as u8).collect();
    let mut want = vec![0xab; total_to];
    for plane in 0..plane_count {
        for line in 0..LINE_COUNT {
            for element in 0..COUNT {
                let place =
                    |at: [usize; 4]| (at[0] + plane * at[2] + line * at[1] + element) * size;
                let (from, to) = (place(FROM), place(TO));
                want[to..to + size].copy_from_slice(&data[from..from + size]);
            }
        }
    }
    let visible = if unit == "float3" { 12 } else { size };
    let arguments = vec![
        Argument::Input(data),
        Argument::Buffer(vec![0xab; room]),
        Argument::Scalar(vec![0; 4]),
    ];
    let check = Box::new(move |outputs: &[Vec<u8>], _: &str| {
        let of = |bytes: &[u8]| -> Vec<Value> {
            let elements = bytes[..total_to].chunks(size).flat_map(|element| &element[..visible]);
            elements.map(|&byte| Value::int(Element::UChar, i128::from(byte))).collect()
        };
        differences(&of(&outputs[0]), &of(&want))
    });
    let title = format!(
        "{} of {size} bytes as {convert}{unit}, {}",
        if planes { "planes" } else { "lines" },
        if inwards { "in" } else { "out" }
    );
    kernel(index, &title, &text, arguments, (&[ITEMS], &[ITEMS]), check)
}

/// Copies that read what others wrote, with nothing but the fence in between.
fn fenced(index: usize) -> Kernel {
    let text = format!(
        "kernel void NAME(global const int *in, global int *out) {{\n\
         local int row[{COUNT}];\n\
         event_t event = async_work_group_copy(row, in, {COUNT}, 0);\n\
         async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);\n\
         event_t other = async_work_group_strided_copy(out, row, {COUNT}, 2, event);\n\
         other = async_work_group_copy(out + 2 * {COUNT}, row, {COUNT}, other);\n\
         async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n\
         other = async_work_group_copy_2D2D(row, 0, out, 0, 4, 1, {COUNT}, 2, 1, other);\n\
         async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);\n\
         other = async_work_group_copy(out + 3 * {COUNT}, row, {COUNT}, other);\n\
         wait_group_events(1, &other);\n}}\n"
    );
    let mut random = Random::named("fenced");
    let data: Vec<Value> = (0..COUNT).map(|_| any_value(Int, &mut random)).collect();
    let filler = Value::from_bits(Int, 0xabab_abab);
    let mut want: Vec<Value> = data.iter().flat_map(|&value| [value, filler]).collect();
    want.extend(data.iter().chain(&data));
    let arguments = vec![Argument::Input(bytes(&data)), Argument::Output(want.len() * 4)];
    let check =
        Box::new(move |outputs: &[Vec<u8>], _: &str| differences(&read(Int, &outputs[0]), &want));
    kernel(index, "copies after a fence", &text, arguments, (&[ITEMS], &[ITEMS]), check)
}

/// Each item hands a value to its neighbour, several times.
fn rotation(index: usize, fence: &str) -> Kernel {
    const ROUNDS: usize = 5;
    let text = format!(
        "kernel void NAME(global const int *in, global int *out) {{\n\
         local int row[{ITEMS} * 4];\n\
         size_t i = get_local_id(0), n = get_local_size(0);\n\
         row[i] = in[get_global_id(0)];\n\
         for (int round = 0; round < {ROUNDS}; round++) {{\n\
           {fence};\n\
           int value = row[(i + 1) % n];\n\
           {fence};\n\
           row[i] = value + round;\n\
         }}\n\
         out[get_global_id(0)] = row[i];\n}}\n"
    );
    let items = ITEMS * 4;
    let data: Vec<Value> = (0..2 * items).map(|i| Value::int(Int, 100 * i as i128)).collect();
    let added: i128 = (0..ROUNDS as i128).sum();
    let want: Vec<Value> = (0..2 * items)
        .map(|i| {
            let from = i / items * items + (i % items + ROUNDS) % items;
            Value::int(Int, data[from].to_int() + added)
        })
        .collect();
    let arguments = vec![Argument::Input(bytes(&data)), Argument::Output(want.len() * 4)];
    let check =
        Box::new(move |outputs: &[Vec<u8>], _: &str| differences(&read(Int, &outputs[0]), &want));
    kernel(index, fence, &text, arguments, (&[2 * items], &[items]), check)
}

/// `to_global` and the like give null for other address spaces; `get_fence` says which it is.
fn spaces(index: usize) -> Kernel {
    let text = "kernel void NAME(global int *out) {\n\
         local int in_local; int in_private = 3;\n\
         int *pointers[3] = { out, &in_local, &in_private };\n\
         for (int i = 0; i < 3; i++) {\n\
           out[i] = (to_global(pointers[i]) != 0) + 2 * (to_local(pointers[i]) != 0) + 4 * (to_private(pointers[i]) != 0);\n\
           uint fence = get_fence(pointers[i]);\n\
           out[3 + i] = ((fence & CLK_GLOBAL_MEM_FENCE) != 0) + 2 * ((fence & CLK_LOCAL_MEM_FENCE) != 0);\n\
         }\n}\n";
    let want: Vec<Value> = [1, 2, 4, 1, 2, 0].map(|value| Value::int(Int, value)).to_vec();
    let arguments = vec![Argument::Output(want.len() * 4)];
    let check =
        Box::new(move |outputs: &[Vec<u8>], _: &str| differences(&read(Int, &outputs[0]), &want));
    kernel(
        index,
        "to_global, to_local, to_private, get_fence",
        text,
        arguments,
        (&[1], &[1]),
        check,
    )
}
