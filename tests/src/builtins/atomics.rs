//! Atomic functions under contention: those of OpenCL C 1.x and those of C11, in global and local
//! memory, in all orders and scopes.
//!
//! Every work-item does one operation on the same object and keeps the old value. The final value
//! must be that of all operations in any order, and the old values must be those of some order.

//@ section 6.2.2.11 6.2.2.12 6.2.2.14 6.2.2.15 6.2.2.18 6.2.2.19 6.15.12.8 6.15.12.9 in 1.2
//@ section 6.15.12.3 6.15.12.4 6.15.12.6 6.15.12.7 6.15.12.7.1 6.15.12.7.2 6.15.12.7.3 6.15.12.7.4 6.15.12.7.5 6.15.12.7.6 6.15.12.7.7 6.15.12.7.8 in 2.0

use std::collections::{HashMap, HashSet};

use super::groups::{bytes, kernel, read};
use super::inputs::Random;
use super::run::{Argument, Family, Kernel};
use super::value::{Value, is_signed, name};
use crate::data::Element::{self, Double, Float, Int, Long, UInt, ULong};

const ITEMS: usize = 256;
const GROUP: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Add,
    Sub,
    Inc,
    Dec,
    Exchange,
    Min,
    Max,
    And,
    Or,
    Xor,
    CompareExchange,
}
use Operation::{Add, And, CompareExchange, Dec, Exchange, Inc, Max, Min, Or, Sub, Xor};

/// Operands, one for each work-item, and where the object begins.
fn operands(operation: Operation, element: Element) -> (i128, Vec<i128>) {
    let mut random = Random::named("atomics");
    let bits = 8 * element.size();
    let wide = element.size() == 8 && !element.is_float();
    let count = ITEMS as i128;
    let mut some: Vec<i128> = match operation {
        // Positive, so that no two old values are equal.
        Add | Sub => (0..count).map(|i| if wide { i << 33 | 1 } else { i + 1 }).collect(),
        Inc | Dec => vec![1; ITEMS],
        Exchange | CompareExchange => {
            (0..count).map(|i| if wide { i << 34 | 5 } else { i * 3 + 5 }).collect()
        }
        Min | Max => (0..ITEMS)
            .map(|_| Value::from_bits(element_of_bits(element), random.word()).to_int())
            .collect(),
        // Each clears, sets or flips one bit.
        And => (0..ITEMS).map(|i| !(1i128 << (i % (bits - 3)))).collect(),
        Or | Xor => (0..ITEMS).map(|i| 1i128 << (i % (bits - 3))).collect(),
    };
    if matches!(operation, Min | Max) && element.is_float() {
        some = (0..count).map(|i| (i * 37) % 251 - 100).collect();
    }
    if matches!(operation, Min | Max) && element == UInt {
        // Signed and unsigned comparison differ.
        some[17] = 0xffff_fff0;
        some[80] = 3;
    }
    let start = match operation {
        And => -1,
        Min if element.is_float() => 1000,
        Max if element.is_float() => -1000,
        Min | Max => some[0],
        Sub | Dec if is_signed(element) => 1000,
        Sub | Dec => 1 << 20,
        _ => 7,
    };
    (start, some)
}

fn element_of_bits(element: Element) -> Element {
    if element.is_float() { Int } else { element }
}

fn apply(operation: Operation, element: Element, old: Value, operand: i128) -> Value {
    let number =
        |value: Value| if element.is_float() { value.to_float() as i128 } else { value.to_int() };
    let old = number(old);
    let operand = number(Value::int(element, operand));
    let new = match operation {
        Add | Inc => old + operand,
        Sub | Dec => old - operand,
        Exchange | CompareExchange => operand,
        Min => old.min(operand),
        Max => old.max(operand),
        And => old & operand,
        Or => old | operand,
        Xor => old ^ operand,
    };
    Value::int(element, new)
}

/// Whether `olds` are what the operations find in some order that ends in `last`.
fn judge(
    operation: Operation,
    element: Element,
    olds: &[Value],
    last: Value,
    group: usize,
) -> Vec<String> {
    let (start, operands) = operands(operation, element);
    let operands = &operands[group..group + olds.len()];
    let start = Value::int(element, start);
    if operation == CompareExchange {
        // Each adds one, in a loop: the old values are a row of numbers.
        let mut numbers: Vec<i128> = olds.iter().map(|old| old.to_int()).collect();
        numbers.sort_unstable();
        let row: Vec<i128> = (0..olds.len() as i128).map(|i| start.to_int() + i).collect();
        let right = numbers == row && last.to_int() == start.to_int() + olds.len() as i128;
        return if right { vec![] } else { vec![format!("{numbers:?}, then {last:?}")] };
    }
    // Values are nodes and operations edges: a path along all edges leaves each node as often as it
    // enters it, except where it begins and ends, and comes to every node from somewhere.
    let mut balance: HashMap<u64, i64> = HashMap::new();
    let mut entered = HashSet::from([start.bits]);
    for (&old, &operand) in olds.iter().zip(operands) {
        let new = apply(operation, element, old, operand);
        *balance.entry(old.bits).or_default() += 1;
        *balance.entry(new.bits).or_default() -= 1;
        if new != old {
            entered.insert(new.bits);
        }
    }
    *balance.entry(start.bits).or_default() -= 1;
    *balance.entry(last.bits).or_default() += 1;
    let torn = balance.values().any(|&count| count != 0);
    if torn || olds.iter().any(|old| !entered.contains(&old.bits)) {
        return vec![format!("from {start:?} to {last:?}, and found were {olds:?}")];
    }
    vec![]
}

fn operand_bytes(operation: Operation, element: Element) -> Vec<u8> {
    let values: Vec<Value> =
        operands(operation, element).1.iter().map(|&value| Value::int(element, value)).collect();
    bytes(&values)
}

/// A kernel that calls `call` once, in which `P` is the pointer, `V` the operand, and the result the
/// old value. `setup` initialises an object `P` with `S`.
fn contended(
    index: usize,
    title: &str,
    operation: Operation,
    element: Element,
    object: &str,
    local: bool,
    setup: &str,
    call: &str,
) -> Kernel {
    let ty = name(element);
    let start = Value::int(element, operands(operation, element).0);
    let literal = if element.is_float() {
        format!("{}.0f", start.to_float())
    } else {
        format!("({ty}){}", start.to_int())
    };
    let space = if local { "local" } else { "global" };
    let place =
        |text: &str| text.replace('P', "object").replace('V', "in[i]").replace('S', &literal);
    let source = if local {
        format!(
            "kernel void NAME(global const {ty} *in, global {ty} *last, global {ty} *olds) {{\n\
             size_t i = get_global_id(0);\n\
             local {object} place;\nlocal {object} *object = &place;\n\
             if (get_local_id(0) == 0) {{ {}; }}\n\
             barrier(CLK_LOCAL_MEM_FENCE);\n\
             {}\n\
             barrier(CLK_LOCAL_MEM_FENCE);\n\
             if (get_local_id(0) == 0) last[get_group_id(0)] = *({space} {ty} *)object;\n}}\n",
            place(setup),
            place(call),
        )
    } else {
        format!(
            "kernel void NAME(global const {ty} *in, global {object} *object, global {ty} *olds) {{\n\
             size_t i = get_global_id(0);\n{}\n}}\n",
            place(call)
        )
    };
    let groups = if local { ITEMS / GROUP } else { 1 };
    let begin = vec![start; groups];
    let arguments = vec![
        Argument::Input(operand_bytes(operation, element)),
        Argument::Buffer(bytes(&begin)),
        Argument::Output(ITEMS * element.size()),
    ];
    let check = Box::new(move |outputs: &[Vec<u8>], _: &str| {
        let (last, olds) = (read(element, &outputs[0]), read(element, &outputs[1]));
        let each = ITEMS / groups;
        last.iter()
            .zip(olds.chunks(each))
            .enumerate()
            .flat_map(|(group, (&last, olds))| judge(operation, element, olds, last, group * each))
            .collect()
    });
    let title = format!("{title} in {space} {ty}");
    kernel(index, &title, &source, arguments, (&[ITEMS], &[GROUP]), check)
}

/// OpenCL C 1.x: `atomic_add` and the older `atom_add`.
pub fn family_1x() -> Family {
    let operations = [
        ("add", Add, "P, V"),
        ("sub", Sub, "P, V"),
        ("inc", Inc, "P"),
        ("dec", Dec, "P"),
        ("xchg", Exchange, "P, V"),
        ("min", Min, "P, V"),
        ("max", Max, "P, V"),
        ("and", And, "P, V"),
        ("or", Or, "P, V"),
        ("xor", Xor, "P, V"),
    ];
    let mut kernels: Vec<Kernel> = Vec::new();
    for (prefix, elements) in [("atomic", &[Int, UInt][..]), ("atom", &[Int, UInt, Long, ULong])] {
        for &element in elements {
            for local in [false, true] {
                let ty = format!("volatile {}", name(element));
                for (function, operation, arguments) in operations {
                    let function = format!("{prefix}_{function}");
                    let call = format!("olds[i] = {function}({arguments});");
                    kernels.push(contended(
                        kernels.len(),
                        &function,
                        operation,
                        element,
                        &ty,
                        local,
                        "*P = S",
                        &call,
                    ));
                }
                let function = format!("{prefix}_cmpxchg");
                let call = format!(
                    "{ty} found = *P, expected; do {{ expected = found; \
                     found = {function}(P, expected, expected + 1); }} while (found != expected); \
                     olds[i] = found;"
                );
                kernels.push(contended(
                    kernels.len(),
                    &function,
                    CompareExchange,
                    element,
                    &ty,
                    local,
                    "*P = S",
                    &call,
                ));
            }
        }
    }
    for prefix in ["atomic", "atom"] {
        for local in [false, true] {
            let call = format!("olds[i] = {prefix}_xchg(P, V);");
            let function = format!("{prefix}_xchg");
            kernels.push(contended(
                kernels.len(),
                &function,
                Exchange,
                Float,
                "volatile float",
                local,
                "*P = S",
                &call,
            ));
        }
    }
    let mut family = Family::new("atomics", "CL1.2", kernels);
    family
        .options
        .push("-cl-ext=+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics".to_owned());
    family
}

const ORDERS: [&str; 5] = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"];

/// C11's functions, of OpenCL C 2.0.
pub fn family_c11() -> Family {
    let operations = [
        ("atomic_fetch_add", Add),
        ("atomic_fetch_sub", Sub),
        ("atomic_fetch_min", Min),
        ("atomic_fetch_max", Max),
        ("atomic_fetch_and", And),
        ("atomic_fetch_or", Or),
        ("atomic_fetch_xor", Xor),
        ("atomic_exchange", Exchange),
    ];
    let mut kernels: Vec<Kernel> = Vec::new();
    for element in [Int, UInt, Long, ULong, Float, Double] {
        let object = format!("atomic_{}", name(element));
        for local in [false, true] {
            let scopes: &[&str] = if local {
                &["work_group", "device", "all_svm_devices"]
            } else {
                &["device", "all_svm_devices"]
            };
            for (function, operation) in operations {
                let floats = matches!(operation, Add | Sub | Min | Max | Exchange);
                if element.is_float() && !floats {
                    continue;
                }
                let mut calls = vec![format!("{function}(P, V)")];
                for (index, order) in ORDERS.iter().enumerate() {
                    if element != Int && index % 2 == 0 {
                        continue;
                    }
                    calls.push(format!("{function}_explicit(P, V, memory_order_{order})"));
                    let scope = scopes[index % scopes.len()];
                    calls.push(format!(
                        "{function}_explicit(P, V, memory_order_{order}, memory_scope_{scope})"
                    ));
                }
                for call in calls {
                    let statement = format!("olds[i] = {call};");
                    kernels.push(contended(
                        kernels.len(),
                        &call,
                        operation,
                        element,
                        &object,
                        local,
                        "atomic_init(P, S)",
                        &statement,
                    ));
                }
            }
            if element.is_float() {
                continue;
            }
            for weak in ["strong", "weak"] {
                let ty = name(element);
                let function = format!("atomic_compare_exchange_{weak}");
                let scope = scopes[0];
                for call in [
                    format!("{function}(P, &expected, expected + 1)"),
                    format!(
                        "{function}_explicit(P, &expected, expected + 1, memory_order_acq_rel, memory_order_acquire)"
                    ),
                    format!(
                        "{function}_explicit(P, &expected, expected + 1, memory_order_seq_cst, memory_order_relaxed, memory_scope_{scope})"
                    ),
                ] {
                    let statement =
                        format!("{ty} expected = 0; while (!{call}) {{}} olds[i] = expected;");
                    kernels.push(contended(
                        kernels.len(),
                        &call,
                        CompareExchange,
                        element,
                        &object,
                        local,
                        "atomic_init(P, S)",
                        &statement,
                    ));
                }
            }
        }
    }
    for element in [Int, ULong, Float, Double] {
        for local in [false, true] {
            kernels.push(loads_and_stores(kernels.len(), element, local));
        }
    }
    for local in [false, true] {
        kernels.push(flags(kernels.len(), local));
    }
    let mut family = Family::new("atomics of C11", "CL2.0", kernels);
    family.options.push(
        "-cl-ext=+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,+cl_ext_float_atomics,\
         +__opencl_c_ext_fp32_global_atomic_add,+__opencl_c_ext_fp32_local_atomic_add,\
         +__opencl_c_ext_fp32_global_atomic_min_max,+__opencl_c_ext_fp32_local_atomic_min_max,\
         +__opencl_c_ext_fp64_global_atomic_add,+__opencl_c_ext_fp64_local_atomic_add,\
         +__opencl_c_ext_fp64_global_atomic_min_max,+__opencl_c_ext_fp64_local_atomic_min_max"
            .to_owned(),
    );
    family
}

/// One item's values go through an atomic object: stored and loaded in all forms.
fn loads_and_stores(index: usize, element: Element, local: bool) -> Kernel {
    let ty = name(element);
    let mut body = String::new();
    let mut forms = 0;
    let mut step = |store: String, load: String| {
        body.push_str(&format!("{store}; olds[{forms}] = {load};\n"));
        forms += 1;
    };
    let value = |i: usize| format!("in[{i}]");
    step(format!("atomic_store(object, {})", value(0)), "atomic_load(object)".to_owned());
    for (i, (store, load)) in
        [("relaxed", "relaxed"), ("release", "acquire"), ("seq_cst", "seq_cst")].iter().enumerate()
    {
        step(
            format!("atomic_store_explicit(object, {}, memory_order_{store})", value(i + 1)),
            format!("atomic_load_explicit(object, memory_order_{load})"),
        );
        step(
            format!(
                "atomic_store_explicit(object, {}, memory_order_{store}, memory_scope_device)",
                value(i + 4)
            ),
            format!("atomic_load_explicit(object, memory_order_{load}, memory_scope_work_group)"),
        );
    }
    step(format!("atomic_init(object, {})", value(7)), "atomic_load(object)".to_owned());
    let space = if local { "local" } else { "global" };
    let source = format!(
        "kernel void NAME(global const {ty} *in, global atomic_{ty} *place, global {ty} *olds) {{\n{}\n{body}}}\n",
        if local {
            format!("local atomic_{ty} place_l; local atomic_{ty} *object = &place_l;")
        } else {
            format!("global atomic_{ty} *object = place;")
        }
    );
    let data: Vec<Value> = (0..8).map(|i| Value::int(element, 11 * i + 3)).collect();
    // In the order of the steps.
    let want: Vec<Value> = [0, 1, 4, 2, 5, 3, 6, 7].iter().map(|&i| data[i]).collect();
    let arguments = vec![
        Argument::Input(bytes(&data)),
        Argument::Input(vec![0; 8]),
        Argument::Output(forms * element.size()),
    ];
    let check = Box::new(move |outputs: &[Vec<u8>], _: &str| {
        super::groups::differences(&read(element, &outputs[0]), &want)
    });
    let title = format!("atomic_load, atomic_store in {space} {ty}");
    kernel(index, &title, &source, arguments, (&[1], &[1]), check)
}

/// A flag as a lock around an addition that is not atomic, and as a test.
fn flags(index: usize, local: bool) -> Kernel {
    let object = if local {
        "local atomic_flag flag; local atomic_flag *f = &flag; if (get_local_id(0) == 0) atomic_flag_clear(f); barrier(CLK_LOCAL_MEM_FENCE);"
    } else {
        "global atomic_flag *f = flags + get_group_id(0);"
    };
    let source = format!(
        "kernel void NAME(global atomic_flag *flags, global int *out) {{\n{object}\n\
         int first = !atomic_flag_test_and_set_explicit(f, memory_order_acq_rel, memory_scope_work_group);\n\
         out[get_global_id(0)] = first;\n\
         barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n\
         if (get_local_id(0) == 0) {{\n\
           int held = atomic_flag_test_and_set(f);\n\
           atomic_flag_clear_explicit(f, memory_order_release);\n\
           int free = !atomic_flag_test_and_set_explicit(f, memory_order_acquire);\n\
           atomic_flag_clear_explicit(f, memory_order_seq_cst, memory_scope_device);\n\
           int free2 = !atomic_flag_test_and_set(f);\n\
           atomic_flag_clear(f);\n\
           out[get_global_size(0) + get_group_id(0)] = held + 2 * free + 4 * free2;\n\
         }}\n}}\n"
    );
    let groups = ITEMS / GROUP;
    let arguments =
        vec![Argument::Buffer(vec![0; 4 * groups]), Argument::Output(4 * (ITEMS + groups))];
    let check = Box::new(move |outputs: &[Vec<u8>], _: &str| {
        let out = read(Int, &outputs[1]);
        let mut complaints = Vec::new();
        for (group, firsts) in out[..ITEMS].chunks(GROUP).enumerate() {
            let first: i128 = firsts.iter().map(|value| value.to_int()).sum();
            if first != 1 || out[ITEMS + group].to_int() != 7 {
                complaints
                    .push(format!("group {group}: {first} were first, {:?}", out[ITEMS + group]));
            }
        }
        complaints
    });
    let title = format!("atomic_flag in {}", if local { "local" } else { "global" });
    kernel(index, &title, &source, arguments, (&[ITEMS], &[GROUP]), check)
}
