//! Sub-group functions (OpenCL C 6.15.20), in uniform and in divergent code.
//!
//! Each kernel says where its work-items are (sub-group and place in it), from which the host works
//! out what every sub-group must compute. How many are in a sub-group, the OpenCL driver is told; on
//! Vulkan it is what the device has.

//@ section 6.2.2.24 6.2.2.25 6.2.2.26 6.2.2.27 6.2.2.28 6.2.2.29 6.2.2.30 6.2.2.31 6.2.2.32 6.15.20 6.15.20.1 6.15.20.2.1 6.15.20.2.2 6.15.20.2.3 6.15.20.3.1 6.15.20.3.2 6.15.20.3.3 6.15.20.4 6.15.20.5 6.15.20.6 6.15.20.7 6.15.20.8 in 3.0

use super::collectives::{combine, identity, scan};
use super::groups::{bytes, kernel, read};
use super::inputs::{Random, any_value};
use super::run::{Argument, Family, Kernel};
use super::subgroup_sizes;
use super::value::{ALL, INTEGERS, Value, name, vector};
use crate::data::Element::{
    self, Char, Double, Float, Half, Int, Long, Short, UChar, UInt, ULong, UShort,
};

/// The work-items of a sub-group, which are those of a launch on the OpenCL driver.
const SIZE: usize = 16;

/// How kernels are launched.
#[derive(Clone, Copy)]
pub struct Launch {
    /// The work-items of a sub-group, a power of two from 4 to 64.
    pub size: usize,
    /// Kernels say that they require it.
    pub is_required: bool,
}

impl Launch {
    /// The work-items of a work-group.
    pub fn group(self) -> usize {
        3 * self.size
    }

    pub fn items(self) -> usize {
        2 * self.group()
    }

    pub fn attribute(self) -> String {
        match self.is_required {
            true => format!("__attribute__((intel_reqd_sub_group_size({})))\n", self.size),
            false => String::new(),
        }
    }
}

/// For the values of a sub-group's items and their activity, what each active item gets.
type Reference = Box<dyn Fn(&[Vec<Value>], &[bool]) -> Vec<Vec<Value>> + Send + Sync>;

struct Test {
    launch: Launch,
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

/// For the OpenCL driver.
pub fn family() -> Family {
    on(Launch { size: SIZE, is_required: true })
}

/// For a Vulkan device with sub-groups of `size` work-items, which kernels can require or not.
pub fn on_vulkan(size: usize, is_required: bool) -> Family {
    on(Launch { size, is_required })
}

fn on(launch: Launch) -> Family {
    let mut tests = Vec::new();
    votes(launch, &mut tests);
    ballots(launch, &mut tests);
    for element in ALL {
        moves(launch, element, &mut tests);
        arithmetic(launch, element, &mut tests);
    }
    for element in ALL {
        for width in [2, 3, 4, 8, 16] {
            moves_of_vectors(launch, element, width, &mut tests);
        }
    }
    let mut kernels: Vec<Kernel> = Vec::new();
    for test in tests {
        kernels.push(test.kernel(kernels.len()));
    }
    kernels.push(subgroup_sizes::full(launch, kernels.len()));
    // In the second of them no sub-group is full, in the others some are.
    let size = launch.size;
    for local in [&[3 * size - 1][..], &[size - 1], &[size + 3, 2], &[3, 5, 2], &[size, 3, 2]] {
        kernels.push(subgroup_sizes::partial(kernels.len(), local));
    }
    let mut family = Family::new("subgroups", "CL3.0", kernels);
    family.vectorised = true;
    family.options.push(EXTENSIONS.to_owned());
    family
}

const EXTENSIONS: &str = "-cl-ext=+cl_khr_subgroups,+cl_khr_subgroup_extended_types,+cl_khr_subgroup_non_uniform_vote,\
     +cl_khr_subgroup_ballot,+cl_khr_subgroup_non_uniform_arithmetic,+cl_khr_subgroup_shuffle,\
     +cl_khr_subgroup_shuffle_relative,+cl_khr_subgroup_clustered_reduce,+cl_khr_subgroup_rotate,\
     +cl_intel_required_subgroup_size";

/// The functions of cl_intel_subgroups.
pub fn intel() -> Family {
    let launch = Launch { size: SIZE, is_required: true };
    let mut tests = Vec::new();
    intel_functions(launch, &mut tests);
    for element in ALL {
        for width in [2, 3, 4, 8, 16] {
            intel_shuffles(launch, element, width, &mut tests);
        }
    }
    let kernels = tests.into_iter().enumerate().map(|(index, test)| test.kernel(index)).collect();
    let mut family = Family::new("intel subgroups", "CL3.0", kernels);
    family.vectorised = true;
    let intel = "+cl_intel_subgroups,+cl_intel_subgroups_short,+cl_intel_subgroups_char,\
                 +cl_intel_subgroups_long";
    family.options.push(format!("{EXTENSIONS},{intel}"));
    family
}

/// Small numbers, so that sums are exact in every type.
fn small(launch: Launch, element: Element) -> Vec<Value> {
    let mut random = Random::named("subgroups");
    (0..launch.items()).map(|_| Value::int(element, random.below(15) as i128 - 7)).collect()
}

impl Test {
    fn new(
        launch: Launch,
        call: &str,
        input: Element,
        output: Element,
        reference: Reference,
    ) -> Test {
        let mut random = Random::named("sub-group values");
        Test {
            launch,
            call: call.to_owned(),
            input,
            width: 1,
            output,
            out_width: 1,
            stores: false,
            divergent: false,
            data: (0..launch.items()).map(|_| any_value(input, &mut random)).collect(),
            reference,
        }
    }

    fn of_vectors(self, width: usize) -> Test {
        let mut random = Random::named("sub-group vectors");
        let data =
            (0..self.launch.items() * width).map(|_| any_value(self.input, &mut random)).collect();
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
        let other = if self.call.contains("other") { ", other" } else { "" };
        let source = format!(
            "{}kernel void NAME(global const {} *in, global {} *out, global uint *where) {{\n\
             size_t i = get_global_id(0);\n\
             where[2 * i] = get_sub_group_id();\n\
             uint l = get_sub_group_local_id();\n\
             where[2 * i + 1] = l;\n\
             {input} x = {load}{other};\n\
             {condition}{{ {} }}\n}}\n",
            self.launch.attribute(),
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
            Argument::Output(self.launch.items() * self.out_width * self.output.size()),
            Argument::Output(self.launch.items() * 8),
        ];
        let (items, group) = (self.launch.items(), self.launch.group());
        let check = Box::new(move |outputs: &[Vec<u8>], _: &str| self.check(outputs));
        kernel(index, &title, &source, arguments, (&[items], &[group]), check)
    }

    fn check(&self, outputs: &[Vec<u8>]) -> Vec<String> {
        let got = read(self.output, &outputs[0]);
        let places = read(UInt, &outputs[1]);
        let mut complaints = Vec::new();
        let (size, in_group) = (self.launch.size, self.launch.group());
        for group in 0..self.launch.items() / in_group {
            for sub_group in 0..in_group / size {
                let mut members: Vec<(u64, usize)> = (group * in_group..(group + 1) * in_group)
                    .filter(|&i| places[2 * i].bits == sub_group as u64)
                    .map(|i| (places[2 * i + 1].bits, i))
                    .collect();
                members.sort_unstable();
                let right = members.iter().map(|member| member.0).eq(0..size as u64);
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

fn votes(launch: Launch, tests: &mut Vec<Test>) {
    let items = launch.items() as i128;
    let truth = |holds: bool| Value::int(Int, i128::from(holds));
    // The first sub-groups differ, the last agree.
    let mut data: Vec<Value> =
        (0..items).map(|i| Value::int(Int, i128::from(8 * i >= 5 * items || i % 5 == 1))).collect();
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
            let test = Test::new(launch, &call, Int, Int, reference).with(data.clone());
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
        tests.push(Test::new(launch, call, element, Int, reference).with(values).divergent());
    }
    let elect =
        active_items(move |values| (0..values.len()).map(|place| truth(place == 0)).collect());
    tests.push(Test::new(launch, "sub_group_elect() != 0", Int, Int, elect).divergent());
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

fn ballots(launch: Launch, tests: &mut Vec<Test>) {
    let size = launch.size;
    let word = |bits: u64| Value::from_bits(UInt, bits);
    // Bits of the sub-group.
    let all = u64::MAX >> (64 - size);
    let last = 1u64 << (size - 1);
    let of = |reference: Box<dyn Fn(u64, usize) -> u64 + Send + Sync>| -> Reference {
        Box::new(move |values, active| {
            let mask = ballot(values, active);
            (0..values.len()).map(|place| vec![word(reference(mask, place))]).collect()
        })
    };
    for divergent in [false, true] {
        let mut add = |call: &str, reference: Box<dyn Fn(u64, usize) -> u64 + Send + Sync>| {
            let test = Test::new(launch, call, UInt, UInt, of(reference));
            tests.push(if divergent { test.divergent() } else { test });
        };
        add("sub_group_ballot(x & 1).x", Box::new(|mask, _| mask & 0xffff_ffff));
        add("sub_group_ballot(x & 1).y", Box::new(|mask, _| mask >> 32));
        add("sub_group_ballot(x & 1).w", Box::new(|_, _| 0));
        let b = "sub_group_ballot(x & 1)";
        let inverse = |mask: u64, place: usize| mask >> place & 1;
        add(&format!("sub_group_inverse_ballot({b}) != 0"), Box::new(inverse));
        let place = size / 4;
        let extract = move |mask: u64, _| mask >> place & 1;
        add(&format!("sub_group_ballot_bit_extract({b}, {place}) != 0"), Box::new(extract));
        let count = |mask: u64, _| u64::from(mask.count_ones());
        add(&format!("sub_group_ballot_bit_count({b})"), Box::new(count));
        let inclusive = |mask: u64, place: usize| u64::from((mask << (63 - place)).count_ones());
        add(&format!("sub_group_ballot_inclusive_scan({b})"), Box::new(inclusive));
        let exclusive =
            |mask: u64, place: usize| u64::from((mask & ((1 << place) - 1)).count_ones());
        add(&format!("sub_group_ballot_exclusive_scan({b})"), Box::new(exclusive));
        // At least one item votes in each sub-group: the last bit is set by hand.
        let set =
            |mask: u64| format!("(uint4)({:#x}, {:#x}, 0, 0)", mask & 0xffff_ffff, mask >> 32);
        let b = format!("sub_group_ballot(x & 1) | {}", set(last));
        let lsb = move |mask: u64, _| u64::from((mask | last).trailing_zeros());
        add(&format!("sub_group_ballot_find_lsb({b})"), Box::new(lsb));
        let lower = all >> (size / 3);
        let b = format!("sub_group_ballot(x & 1) & {} | (uint4)(1, 0, 0, 0)", set(lower));
        let msb = move |mask: u64, _| 63 - u64::from((mask & lower | 1).leading_zeros());
        add(&format!("sub_group_ballot_find_msb({b})"), Box::new(msb));
    }
    for (mask, reference) in [
        ("eq", (|place| 1 << place) as fn(usize) -> u64),
        ("ge", |place| !((1 << place) - 1)),
        ("gt", |place| !((1 << place) - 1) << 1),
        ("le", |place| u64::MAX >> (63 - place)),
        ("lt", |place| (1 << place) - 1),
    ] {
        let reference: Reference = Box::new(move |values, _| {
            let mask = |place| reference(place) & all & 0xffff_ffff;
            (0..values.len()).map(|place| vec![word(mask(place))]).collect()
        });
        tests.push(Test::new(
            launch,
            &format!("get_sub_group_{mask}_mask().x"),
            UInt,
            UInt,
            reference,
        ));
    }
}

fn moves(launch: Launch, e: Element, tests: &mut Vec<Test>) {
    let size = launch.size;
    if !matches!(e, Char | UChar | Short | UShort) {
        tests.push(Test::new(launch, "sub_group_broadcast(x, 3)", e, e, broadcast(3)));
    }
    tests.push(Test::new(launch, "sub_group_non_uniform_broadcast(x, 2)", e, e, broadcast(2)));
    let first = active_items(|values| vec![values[0]; values.len()]);
    tests.push(Test::new(launch, "sub_group_broadcast_first(x)", e, e, first).divergent());
    let shuffle = all_items(move |values, place| values[(place * 7 + 3) % size]);
    let call = format!("sub_group_shuffle(x, (l * 7 + 3) % {size})");
    tests.push(Test::new(launch, &call, e, e, shuffle));
    let xor = all_items(|values, place| values[place ^ 3]);
    tests.push(Test::new(launch, "sub_group_shuffle_xor(x, 3)", e, e, xor));
    // Items that would read outside of the sub-group have their own value instead. All call, for what is
    // read of an item that does not is undefined (OpenCL C 6.15.20).
    let up = all_items(|values, place| if place >= 3 { values[place - 3] } else { values[place] });
    tests.push(Test::new(
        launch,
        "(other = sub_group_shuffle_up(x, 3), l >= 3 ? other : x)",
        e,
        e,
        up,
    ));
    let down = all_items(|values, place| *values.get(place + 2).unwrap_or(&values[place]));
    tests.push(Test::new(
        launch,
        &format!("(other = sub_group_shuffle_down(x, 2), l < {} ? other : x)", size - 2),
        e,
        e,
        down,
    ));
    let rotate = all_items(move |values, place| values[(place + 5) % size]);
    tests.push(Test::new(launch, "sub_group_rotate(x, 5)", e, e, rotate));
    let back = all_items(move |values, place| values[(place + size - 1) % size]);
    tests.push(Test::new(launch, "sub_group_rotate(x, -1)", e, e, back));
    let clustered = all_items(|values, place| values[place / 4 * 4 + (place + 3) % 4]);
    tests.push(Test::new(launch, "sub_group_clustered_rotate(x, 3, 4)", e, e, clustered));
}

/// What takes vectors: broadcasts, from places that are constants and that are not.
fn moves_of_vectors(launch: Launch, e: Element, width: usize, tests: &mut Vec<Test>) {
    let mut add = |call: &str, reference: Reference| {
        tests.push(Test::new(launch, call, e, e, reference).of_vectors(width));
    };
    for function in ["sub_group_broadcast", "sub_group_non_uniform_broadcast"] {
        add(&format!("{function}(x, 1)"), broadcast(1));
        // The same for all items, which only the driver finds out.
        add(&format!("{function}(x, get_num_sub_groups() - 1)"), broadcast(2));
    }
}

/// The shuffles of cl_intel_subgroups of vectors.
fn intel_shuffles(launch: Launch, e: Element, width: usize, tests: &mut Vec<Test>) {
    let mut add = |call: &str, reference: Reference| {
        tests.push(Test::new(launch, call, e, e, reference).of_vectors(width));
    };
    let whole = |from: fn(usize) -> usize| -> Reference {
        Box::new(move |values, _| (0..SIZE).map(|place| values[from(place)].clone()).collect())
    };
    add("intel_sub_group_shuffle(x, (l * 3 + 1) % 16)", whole(|place| (place * 3 + 1) % SIZE));
    add("intel_sub_group_shuffle_xor(x, 9)", whole(|place| place ^ 9));
    add("intel_sub_group_shuffle_down(x, x, 3)", whole(|place| (place + 3) % SIZE));
    add("intel_sub_group_shuffle_up(x, x, 2)", whole(|place| (place + SIZE - 2) % SIZE));
}

fn arithmetic(launch: Launch, e: Element, tests: &mut Vec<Test>) {
    let items = launch.items();
    let mut products = vec![Value::int(e, 1); items];
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
    let truths: Vec<Value> = (0..items).map(|i| Value::int(e, i128::from(i % 5 != 0))).collect();
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
            _ => small(launch, e),
        };
        let uniform = matches!(operator, "add" | "min" | "max");
        for kind in ["reduce", "scan_inclusive", "scan_exclusive"] {
            let reference = || active_items(move |values| scan(kind, operator, values));
            if uniform {
                let call = format!("sub_group_{kind}_{operator}(x)");
                tests.push(Test::new(launch, &call, e, e, reference()).with(data.clone()));
            }
            let call = format!("sub_group_non_uniform_{kind}_{operator}(x)");
            tests.push(Test::new(launch, &call, e, e, reference()).with(data.clone()).divergent());
        }
        let clustered = all_items(move |values, place| {
            let cluster = &values[place / 4 * 4..place / 4 * 4 + 4];
            cluster.iter().fold(identity(operator, e), |sum, &value| combine(operator, sum, value))
        });
        let call = format!("sub_group_clustered_reduce_{operator}(x, 4)");
        tests.push(Test::new(launch, &call, e, e, clustered).with(data));
    }
}

/// cl_intel_subgroups.
fn intel_functions(launch: Launch, tests: &mut Vec<Test>) {
    for e in [Half, Float, Int, UInt, Long, ULong, Double, UShort, UChar] {
        let shuffle = all_items(|values, place| values[(place * 3 + 1) % SIZE]);
        tests.push(Test::new(
            launch,
            "intel_sub_group_shuffle(x, (l * 3 + 1) % 16)",
            e,
            e,
            shuffle,
        ));
        let xor = all_items(|values, place| values[place ^ 9]);
        tests.push(Test::new(launch, "intel_sub_group_shuffle_xor(x, 9)", e, e, xor));
        // Two values in a row: the current one and the next, the previous one and the current.
        let down = all_items(|values, place| match values.get(place + 3) {
            Some(value) => *value,
            None => values[(place + 3) % SIZE],
        });
        tests.push(Test::new(launch, "intel_sub_group_shuffle_down(x, x, 3)", e, e, down));
        let up = all_items(|values, place| values[(place + SIZE - 2) % SIZE]);
        tests.push(Test::new(launch, "intel_sub_group_shuffle_up(x, x, 2)", e, e, up));
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
            tests.push(Test::new(launch, &call, e, e, reading).of_vectors(width));
            let writing: Reference = Box::new(move |values, _| {
                let all: Vec<Value> =
                    (0..width).flat_map(|row| values.iter().map(move |value| value[row])).collect();
                all.chunks(width).map(<[Value]>::to_vec).collect()
            });
            let call =
                format!("intel_sub_group_block_write{suffix}{n}(out + (i - l) * {width}, x)");
            let test = Test::new(launch, &call, e, e, writing).of_vectors(width);
            tests.push(Test { stores: true, ..test });
        }
    }
}
