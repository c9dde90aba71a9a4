//! Sub-group functions (OpenCL C 6.15.18, 6.15.19), in uniform and in divergent code.
//!
//! Each kernel says where its work-items are (sub-group and place in it), from which the host works
//! out what every sub-group must compute.

//@ section 6.2.2.24 6.2.2.25 6.2.2.26 6.2.2.27 6.2.2.28 6.2.2.29 6.2.2.30 6.2.2.31 6.2.2.32 6.15.20 6.15.20.1 6.15.20.2.1 6.15.20.2.2 6.15.20.2.3 6.15.20.3.1 6.15.20.3.2 6.15.20.3.3 6.15.20.4 6.15.20.5 6.15.20.6 6.15.20.7 6.15.20.8 in 3.0

use super::collectives::{combine, identity, scan};
use super::groups::{bytes, differences, kernel, read};
use super::inputs::{Random, any_value};
use super::run::{Argument, Family, Kernel};
use super::value::{ALL, INTEGERS, Value, name, vector};
use crate::data::Element::{
    self, Char, Double, Float, Half, Int, Long, Short, UChar, UInt, ULong, UShort,
};

const ITEMS: usize = 96;
const GROUP: usize = 48;
const SIZE: usize = 16;

/// For the values of a sub-group's items and their activity, what each active item gets.
type Reference = Box<dyn Fn(&[Vec<Value>], &[bool]) -> Vec<Vec<Value>> + Send + Sync>;

struct Test {
    /// `x` is the item's value, `l` its place in the sub-group.
    call: String,
    input: Element,
    width: usize,
    output: Element,
    out_width: usize,
    /// The call stores to `out` by itself.
    stores: bool,
    /// Only items with `i % 3 != 1` make the call.
    divergent: bool,
    data: Vec<Value>,
    reference: Reference,
}

pub fn family() -> Family {
    let mut tests = Vec::new();
    votes(&mut tests);
    ballots(&mut tests);
    for element in ALL {
        moves(element, &mut tests);
        arithmetic(element, &mut tests);
    }
    for element in ALL {
        for width in [2, 3, 4, 8, 16] {
            moves_of_vectors(element, width, &mut tests);
        }
    }
    intel(&mut tests);
    let mut kernels: Vec<Kernel> = Vec::new();
    for test in tests {
        kernels.push(test.kernel(kernels.len()));
    }
    kernels.push(geometry(kernels.len()));
    let mut family = Family::new("subgroups", "CL3.0", kernels);
    family.vectorised = true;
    family.options.push(
        "-cl-ext=+cl_khr_subgroups,+cl_khr_subgroup_extended_types,+cl_khr_subgroup_non_uniform_vote,\
         +cl_khr_subgroup_ballot,+cl_khr_subgroup_non_uniform_arithmetic,+cl_khr_subgroup_shuffle,\
         +cl_khr_subgroup_shuffle_relative,+cl_khr_subgroup_clustered_reduce,+cl_khr_subgroup_rotate,\
         +cl_intel_subgroups,+cl_intel_subgroups_short,+cl_intel_subgroups_char,+cl_intel_subgroups_long,\
         +cl_intel_required_subgroup_size"
            .to_owned(),
    );
    family
}

/// Small numbers, so that sums are exact in every type.
fn small(element: Element) -> Vec<Value> {
    let mut random = Random::named("subgroups");
    (0..ITEMS).map(|_| Value::int(element, random.below(15) as i128 - 7)).collect()
}

impl Test {
    fn new(call: &str, input: Element, output: Element, reference: Reference) -> Test {
        let mut random = Random::named("sub-group values");
        Test {
            call: call.to_owned(),
            input,
            width: 1,
            output,
            out_width: 1,
            stores: false,
            divergent: false,
            data: (0..ITEMS).map(|_| any_value(input, &mut random)).collect(),
            reference,
        }
    }

    fn of_vectors(self, width: usize) -> Test {
        let mut random = Random::named("sub-group vectors");
        let data = (0..ITEMS * width).map(|_| any_value(self.input, &mut random)).collect();
        Test { width, out_width: width, data, ..self }
    }

    fn divergent(self) -> Test {
        Test { divergent: true, ..self }
    }

    fn with(self, data: Vec<Value>) -> Test {
        Test { data, ..self }
    }

    fn kernel(self, index: usize) -> Kernel {
        let (input, output) = (vector(self.input, self.width), vector(self.output, self.out_width));
        let load = if self.width == 1 {
            "in[i]".to_owned()
        } else {
            format!("vload{}(i, in)", self.width)
        };
        let store = |value: &str| {
            if self.out_width == 1 {
                format!("out[i] = {value};")
            } else {
                format!("vstore{}({value}, i, out);", self.out_width)
            }
        };
        let condition = if self.divergent { "if (i % 3 != 1) " } else { "" };
        let source = format!(
            "__attribute__((intel_reqd_sub_group_size({SIZE})))\n\
             kernel void NAME(global const {} *in, global {} *out, global uint *where) {{\n\
             size_t i = get_global_id(0);\n\
             where[2 * i] = get_sub_group_id();\n\
             uint l = get_sub_group_local_id();\n\
             where[2 * i + 1] = l;\n\
             {input} x = {load};\n\
             {condition}{{ {} }}\n}}\n",
            name(self.input),
            name(self.output),
            if self.stores {
                format!("{};", self.call)
            } else {
                format!("{output} y = {}; {}", self.call, store("y"))
            },
        );
        let title =
            format!("{} of {input}{}", self.call, if self.divergent { ", divergent" } else { "" });
        let arguments = vec![
            Argument::Input(bytes(&self.data)),
            Argument::Output(ITEMS * self.out_width * self.output.size()),
            Argument::Output(ITEMS * 8),
        ];
        let check = Box::new(move |outputs: &[Vec<u8>], _: &str| self.check(outputs));
        kernel(index, &title, &source, arguments, (&[ITEMS], &[GROUP]), check)
    }

    fn check(&self, outputs: &[Vec<u8>]) -> Vec<String> {
        let got = read(self.output, &outputs[0]);
        let places = read(UInt, &outputs[1]);
        let mut complaints = Vec::new();
        for group in 0..ITEMS / GROUP {
            for sub_group in 0..GROUP / SIZE {
                let mut members: Vec<(u64, usize)> = (group * GROUP..(group + 1) * GROUP)
                    .filter(|&i| places[2 * i].bits == sub_group as u64)
                    .map(|i| (places[2 * i + 1].bits, i))
                    .collect();
                members.sort_unstable();
                let right = members.iter().map(|member| member.0).eq(0..SIZE as u64);
                if !right {
                    complaints.push(format!("sub-group {sub_group} of {group} has {members:?}"));
                    continue;
                }
                let values: Vec<Vec<Value>> = members
                    .iter()
                    .map(|&(_, i)| self.data[i * self.width..(i + 1) * self.width].to_vec())
                    .collect();
                let active: Vec<bool> =
                    members.iter().map(|&(_, i)| !self.divergent || i % 3 != 1).collect();
                let wants = (self.reference)(&values, &active);
                for (place, &(_, i)) in members.iter().enumerate() {
                    let got = &got[i * self.out_width..(i + 1) * self.out_width];
                    let nan = |a: &Value, b: &Value| a == b || (a.is_nan() && b.is_nan());
                    if active[place] && !got.iter().zip(&wants[place]).all(|(a, b)| nan(a, b)) {
                        complaints.push(format!(
                            "group {group}, sub-group {sub_group}, place {place}: got {got:?}, want {:?}, \
                             of {values:?}",
                            wants[place]
                        ));
                    }
                }
            }
        }
        complaints
    }
}

/// A reference over the first components of all items, active or not.
fn all_items(reference: impl Fn(&[Value], usize) -> Value + Send + Sync + 'static) -> Reference {
    Box::new(move |values, _| {
        let first: Vec<Value> = values.iter().map(|value| value[0]).collect();
        (0..values.len()).map(|place| vec![reference(&first, place)]).collect()
    })
}

/// A reference over the values of the active items, in their order.
fn active_items(reference: impl Fn(&[Value]) -> Vec<Value> + Send + Sync + 'static) -> Reference {
    Box::new(move |values, active| {
        let present: Vec<Value> = values
            .iter()
            .zip(active)
            .filter(|(_, active)| **active)
            .map(|(value, _)| value[0])
            .collect();
        let mut results = reference(&present).into_iter();
        active
            .iter()
            .map(|&active| if active { results.next().into_iter().collect() } else { Vec::new() })
            .collect()
    })
}

fn broadcast(from: usize) -> Reference {
    Box::new(move |values, _| vec![values[from].clone(); values.len()])
}

fn votes(tests: &mut Vec<Test>) {
    let truth = |holds: bool| Value::int(Int, i128::from(holds));
    // The first sub-groups differ, the last agree.
    let mut data: Vec<Value> =
        (0..ITEMS as i128).map(|i| Value::int(Int, i128::from(i >= 60 || i % 5 == 1))).collect();
    data[3] = Value::int(Int, 8);
    for (prefix, divergent) in
        [("sub_group_", false), ("sub_group_non_uniform_", false), ("sub_group_non_uniform_", true)]
    {
        for all in [true, false] {
            let call = format!("{prefix}{}(x) != 0", if all { "all" } else { "any" });
            let reference = active_items(move |values| {
                let mut truths = values.iter().map(|value| value.bits != 0);
                let holds = if all { truths.all(|t| t) } else { truths.any(|t| t) };
                vec![truth(holds); values.len()]
            });
            let test = Test::new(&call, Int, Int, reference).with(data.clone());
            tests.push(if divergent { test.divergent() } else { test });
        }
    }
    for element in ALL {
        let values: Vec<Value> =
            data.iter().map(|value| Value::int(element, value.to_int())).collect();
        let reference = active_items(move |values| {
            vec![truth(values.iter().all(|value| *value == values[0])); values.len()]
        });
        let call = "sub_group_non_uniform_all_equal(x) != 0";
        tests.push(Test::new(call, element, Int, reference).with(values).divergent());
    }
    let elect =
        active_items(move |values| (0..values.len()).map(|place| truth(place == 0)).collect());
    tests.push(Test::new("sub_group_elect() != 0", Int, Int, elect).divergent());
}

/// The ballot of a condition, as the first word.
fn ballot(values: &[Vec<Value>], active: &[bool]) -> u64 {
    values
        .iter()
        .zip(active)
        .enumerate()
        .filter(|(_, (value, active))| **active && value[0].bits & 1 != 0)
        .fold(0, |mask, (place, _)| mask | 1 << place)
}

fn ballots(tests: &mut Vec<Test>) {
    let word = |bits: u64| Value::from_bits(UInt, bits);
    let of = |reference: fn(u64, usize) -> u64| -> Reference {
        Box::new(move |values, active| {
            let mask = ballot(values, active);
            (0..values.len()).map(|place| vec![word(reference(mask, place))]).collect()
        })
    };
    for divergent in [false, true] {
        let mut add = |call: &str, reference: fn(u64, usize) -> u64| {
            let test = Test::new(call, UInt, UInt, of(reference));
            tests.push(if divergent { test.divergent() } else { test });
        };
        add("sub_group_ballot(x & 1).x", |mask, _| mask);
        add("sub_group_ballot(x & 1).y", |_, _| 0);
        let b = "sub_group_ballot(x & 1)";
        add(&format!("sub_group_inverse_ballot({b}) != 0"), |mask, place| mask >> place & 1);
        add(&format!("sub_group_ballot_bit_extract({b}, 4) != 0"), |mask, _| mask >> 4 & 1);
        add(&format!("sub_group_ballot_bit_count({b})"), |mask, _| u64::from(mask.count_ones()));
        add(&format!("sub_group_ballot_inclusive_scan({b})"), |mask, place| {
            u64::from((mask & ((2 << place) - 1)).count_ones())
        });
        add(&format!("sub_group_ballot_exclusive_scan({b})"), |mask, place| {
            u64::from((mask & ((1 << place) - 1)).count_ones())
        });
        // At least one item votes in each sub-group: the sixteenth bit is set by hand.
        let b = "sub_group_ballot(x & 1) | (uint4)(1 << 15, 0, 0, 0)";
        add(&format!("sub_group_ballot_find_lsb({b})"), |mask, _| {
            u64::from((mask | 1 << 15).trailing_zeros())
        });
        let b = "sub_group_ballot(x & 1) & (uint4)(0x3ff, 0, 0, 0) | (uint4)(1, 0, 0, 0)";
        add(&format!("sub_group_ballot_find_msb({b})"), |mask, _| {
            63 - u64::from((mask & 0x3ff | 1).leading_zeros())
        });
    }
    let all = (1u64 << SIZE) - 1;
    for (mask, reference) in [
        ("eq", (|place| 1 << place) as fn(usize) -> u64),
        ("ge", |place| !((1 << place) - 1)),
        ("gt", |place| !((2 << place) - 1)),
        ("le", |place| (2 << place) - 1),
        ("lt", |place| (1 << place) - 1),
    ] {
        let reference: Reference = Box::new(move |values, _| {
            (0..values.len()).map(|place| vec![word(reference(place) & all)]).collect()
        });
        tests.push(Test::new(&format!("get_sub_group_{mask}_mask().x"), UInt, UInt, reference));
    }
}

fn moves(e: Element, tests: &mut Vec<Test>) {
    if !matches!(e, Char | UChar | Short | UShort) {
        tests.push(Test::new("sub_group_broadcast(x, 3)", e, e, broadcast(3)));
    }
    tests.push(Test::new("sub_group_non_uniform_broadcast(x, 2)", e, e, broadcast(2)));
    let first = active_items(|values| vec![values[0]; values.len()]);
    tests.push(Test::new("sub_group_broadcast_first(x)", e, e, first).divergent());
    let shuffle = all_items(|values, place| values[(place * 7 + 3) % SIZE]);
    tests.push(Test::new("sub_group_shuffle(x, (l * 7 + 3) % 16)", e, e, shuffle));
    let xor = all_items(|values, place| values[place ^ 5]);
    tests.push(Test::new("sub_group_shuffle_xor(x, 5)", e, e, xor));
    // Items that would read outside of the sub-group read themselves instead.
    let up = all_items(|values, place| if place >= 3 { values[place - 3] } else { values[place] });
    tests.push(Test::new(
        "(l >= 3 ? sub_group_shuffle_up(x, 3) : (sub_group_shuffle_up(x, 3), x))",
        e,
        e,
        up,
    ));
    let down =
        all_items(|values, place| if place + 2 < SIZE { values[place + 2] } else { values[place] });
    tests.push(Test::new(
        "(l < 14 ? sub_group_shuffle_down(x, 2) : (sub_group_shuffle_down(x, 2), x))",
        e,
        e,
        down,
    ));
    let rotate = all_items(|values, place| values[(place + 5) % SIZE]);
    tests.push(Test::new("sub_group_rotate(x, 5)", e, e, rotate));
    let back = all_items(|values, place| values[(place + SIZE - 1) % SIZE]);
    tests.push(Test::new("sub_group_rotate(x, -1)", e, e, back));
    let clustered = all_items(|values, place| values[place / 4 * 4 + (place + 3) % 4]);
    tests.push(Test::new("sub_group_clustered_rotate(x, 3, 4)", e, e, clustered));
}

/// What takes vectors: broadcasts, from places that are constants and that are not, and the shuffles
/// of cl_intel_subgroups.
fn moves_of_vectors(e: Element, width: usize, tests: &mut Vec<Test>) {
    let mut add = |call: &str, reference: Reference| {
        tests.push(Test::new(call, e, e, reference).of_vectors(width));
    };
    for function in ["sub_group_broadcast", "sub_group_non_uniform_broadcast"] {
        add(&format!("{function}(x, 5)"), broadcast(5));
        // The same for all items, which only the driver finds out.
        add(&format!("{function}(x, get_num_sub_groups() + 6)"), broadcast(GROUP / SIZE + 6));
    }
    let whole = |from: fn(usize) -> usize| -> Reference {
        Box::new(move |values, _| (0..SIZE).map(|place| values[from(place)].clone()).collect())
    };
    add("intel_sub_group_shuffle(x, (l * 3 + 1) % 16)", whole(|place| (place * 3 + 1) % SIZE));
    add("intel_sub_group_shuffle_xor(x, 9)", whole(|place| place ^ 9));
    add("intel_sub_group_shuffle_down(x, x, 3)", whole(|place| (place + 3) % SIZE));
    add("intel_sub_group_shuffle_up(x, x, 2)", whole(|place| (place + SIZE - 2) % SIZE));
}

fn arithmetic(e: Element, tests: &mut Vec<Test>) {
    let mut products = vec![Value::int(e, 1); ITEMS];
    for (i, value) in products.iter_mut().enumerate() {
        *value = Value::int(
            e,
            if i % 4 == 1 {
                2
            } else if i % 3 == 0 {
                -1
            } else {
                1
            },
        );
    }
    let truths: Vec<Value> = (0..ITEMS).map(|i| Value::int(e, i128::from(i % 5 != 0))).collect();
    let mut operators = vec!["add", "mul", "min", "max"];
    if INTEGERS.contains(&e) {
        operators.extend(["and", "or", "xor"]);
    }
    if e == Int {
        operators.extend(["logical_and", "logical_or", "logical_xor"]);
    }
    for operator in operators {
        let data = match operator {
            "mul" => products.clone(),
            _ if operator.starts_with("logical") => truths.clone(),
            _ => small(e),
        };
        let uniform = matches!(operator, "add" | "min" | "max");
        for kind in ["reduce", "scan_inclusive", "scan_exclusive"] {
            let reference = || active_items(move |values| scan(kind, operator, values));
            if uniform {
                let call = format!("sub_group_{kind}_{operator}(x)");
                tests.push(Test::new(&call, e, e, reference()).with(data.clone()));
            }
            let call = format!("sub_group_non_uniform_{kind}_{operator}(x)");
            tests.push(Test::new(&call, e, e, reference()).with(data.clone()).divergent());
        }
        let clustered = all_items(move |values, place| {
            let cluster = &values[place / 4 * 4..place / 4 * 4 + 4];
            cluster.iter().fold(identity(operator, e), |sum, &value| combine(operator, sum, value))
        });
        let call = format!("sub_group_clustered_reduce_{operator}(x, 4)");
        tests.push(Test::new(&call, e, e, clustered).with(data));
    }
}

/// cl_intel_subgroups.
fn intel(tests: &mut Vec<Test>) {
    for e in [Half, Float, Int, UInt, Long, ULong, Double, UShort, UChar] {
        let shuffle = all_items(|values, place| values[(place * 3 + 1) % SIZE]);
        tests.push(Test::new("intel_sub_group_shuffle(x, (l * 3 + 1) % 16)", e, e, shuffle));
        let xor = all_items(|values, place| values[place ^ 9]);
        tests.push(Test::new("intel_sub_group_shuffle_xor(x, 9)", e, e, xor));
        // Two values in a row: the current one and the next, the previous one and the current.
        let down = all_items(|values, place| match values.get(place + 3) {
            Some(value) => *value,
            None => values[(place + 3) % SIZE],
        });
        tests.push(Test::new("intel_sub_group_shuffle_down(x, x, 3)", e, e, down));
        let up = all_items(|values, place| values[(place + SIZE - 2) % SIZE]);
        tests.push(Test::new("intel_sub_group_shuffle_up(x, x, 2)", e, e, up));
    }
    for (suffix, e, most) in
        [("", UInt, 8), ("_ui", UInt, 8), ("_us", UShort, 8), ("_uc", UChar, 16), ("_ul", ULong, 8)]
    {
        for width in [1, 2, 4, 8, 16].into_iter().filter(|&width| width <= most) {
            let n = super::value::suffix(width);
            // A block has the first component of all items, then the second, and so on.
            let reading: Reference = Box::new(move |values, _| {
                let all: Vec<Value> = values.concat();
                (0..SIZE)
                    .map(|place| (0..width).map(|row| all[row * SIZE + place]).collect())
                    .collect()
            });
            let call = format!("intel_sub_group_block_read{suffix}{n}(in + (i - l) * {width})");
            tests.push(Test::new(&call, e, e, reading).of_vectors(width));
            let writing: Reference = Box::new(move |values, _| {
                let all: Vec<Value> =
                    (0..width).flat_map(|row| values.iter().map(move |value| value[row])).collect();
                all.chunks(width).map(<[Value]>::to_vec).collect()
            });
            let call =
                format!("intel_sub_group_block_write{suffix}{n}(out + (i - l) * {width}, x)");
            let test = Test::new(&call, e, e, writing).of_vectors(width);
            tests.push(Test { stores: true, ..test });
        }
    }
}

/// Sizes and numbers of sub-groups.
fn geometry(index: usize) -> Kernel {
    let source = format!(
        "__attribute__((intel_reqd_sub_group_size({SIZE})))\n\
         kernel void NAME(global uint *out) {{\n\
         size_t i = get_global_id(0);\n\
         out += 5 * i;\n\
         out[0] = get_sub_group_size(); out[1] = get_max_sub_group_size();\n\
         out[2] = get_num_sub_groups(); out[3] = get_enqueued_num_sub_groups();\n\
         sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n\
         sub_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);\n\
         out[4] = get_sub_group_id() < get_num_sub_groups() && get_sub_group_local_id() < get_sub_group_size();\n}}\n"
    );
    let size = SIZE as i128;
    let count = (GROUP / SIZE) as i128;
    let want: Vec<Value> = (0..ITEMS)
        .flat_map(|_| [size, size, count, count, 1])
        .map(|v| Value::int(UInt, v))
        .collect();
    let check =
        Box::new(move |outputs: &[Vec<u8>], _: &str| differences(&read(UInt, &outputs[0]), &want));
    let arguments = vec![Argument::Output(ITEMS * 20)];
    kernel(index, "sizes of sub-groups", &source, arguments, (&[ITEMS], &[GROUP]), check)
}
