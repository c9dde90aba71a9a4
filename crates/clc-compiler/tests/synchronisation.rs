//! The scope and the semantics of every atomic, fence and barrier, for each order and scope, on both
//! targets, at both levels. No driver of a CPU can show what is wrong here: its memory is ordered.
//!
//! What is expected is computed here from the specifications (OpenCL C 6.15.12, SPIR-V 3.25 and 3.27,
//! Vulkan "Memory Model"), with their numbers, and nothing of the compiler.

use std::collections::HashMap;

use clc::{Artifact, Emit, Options, TargetEnv, compile};

const ORDERS: [&str; 5] = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"];
const SCOPES: [&str; 5] = ["work_item", "sub_group", "work_group", "device", "all_svm_devices"];

// SPIR-V 3.25, Memory Semantics.
const ACQUIRE: u32 = 0x2;
const RELEASE: u32 = 0x4;
const ACQUIRE_RELEASE: u32 = 0x8;
const SEQUENTIALLY_CONSISTENT: u32 = 0x10;
const UNIFORM_MEMORY: u32 = 0x40;
const WORKGROUP_MEMORY: u32 = 0x100;
const CROSS_WORKGROUP_MEMORY: u32 = 0x200;
const IMAGE_MEMORY: u32 = 0x800;
const MAKE_AVAILABLE: u32 = 0x2000;
const MAKE_VISIBLE: u32 = 0x4000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    OpenCl,
    Vulkan,
}

impl Target {
    /// SPIR-V 3.27, Scope. The scope of the device needs a feature of its own in Vulkan, where a
    /// launch is in one queue family.
    fn scope(self, scope: &str) -> u32 {
        match (scope, self) {
            ("work_item", _) => 4,
            ("sub_group", _) => 3,
            ("work_group", _) => 2,
            ("device", Target::OpenCl) => 1,
            ("all_svm_devices", Target::OpenCl) => 0,
            _ => 5,
        }
    }

    /// The semantics of an atomic on an object in `memory`, of whose order `part` is what it can have: one that is
    /// sequentially consistent orders both memories (OpenCL API 3.3.7).
    fn atomic(self, order: &'static str, part: Part, scope: &str, memory: u32) -> u32 {
        let memory = if order == "seq_cst" { self.global() | WORKGROUP_MEMORY } else { memory };
        self.semantics(part(order, self), scope, memory)
    }

    /// What `order` does for `scope`; in Vulkan nothing for the work-item itself.
    fn semantics(self, order: &str, scope: &str, memory: u32) -> u32 {
        if self == Target::Vulkan && scope == "work_item" {
            return 0;
        }
        match (order, self) {
            ("relaxed", _) => 0,
            ("acquire", Target::OpenCl) => ACQUIRE | memory,
            ("acquire", Target::Vulkan) => ACQUIRE | MAKE_VISIBLE | memory,
            ("release", Target::OpenCl) => RELEASE | memory,
            ("release", Target::Vulkan) => RELEASE | MAKE_AVAILABLE | memory,
            ("acq_rel", Target::OpenCl) => ACQUIRE_RELEASE | memory,
            ("seq_cst", Target::OpenCl) => SEQUENTIALLY_CONSISTENT | memory,
            (_, Target::Vulkan) => ACQUIRE_RELEASE | MAKE_AVAILABLE | MAKE_VISIBLE | memory,
            _ => panic!("{order}"),
        }
    }

    fn global(self) -> u32 {
        match self {
            Target::OpenCl => CROSS_WORKGROUP_MEMORY,
            Target::Vulkan => UNIFORM_MEMORY,
        }
    }
}

type Part = fn(&'static str, Target) -> &'static str;

fn whole(order: &'static str, _: Target) -> &'static str {
    order
}

/// The order that a load can have of one that was asked for; sequential consistency is acquiring,
/// where there is no other (Vulkan).
fn of_load(order: &'static str, target: Target) -> &'static str {
    match (order, target) {
        ("release", _) => "relaxed",
        ("acq_rel", _) | ("seq_cst", Target::Vulkan) => "acquire",
        _ => order,
    }
}

fn of_store(order: &'static str, target: Target) -> &'static str {
    match (order, target) {
        ("acquire", _) => "relaxed",
        ("acq_rel", _) | ("seq_cst", Target::Vulkan) => "release",
        _ => order,
    }
}

/// An instruction with the values of its scope and semantics.
type Found = (String, Vec<u32>);

/// The synchronising instructions of the only kernel of `source`, in order.
fn instructions(
    source: &str,
    version: clc::Version,
    target: Target,
    level: clc::OptLevel,
) -> Vec<Found> {
    instructions_with("", source, version, target, level)
}

/// As [`instructions`], with `--spirv-ext=EXTENSIONS`.
fn instructions_with(
    extensions: &str,
    source: &str,
    version: clc::Version,
    target: Target,
    level: clc::OptLevel,
) -> Vec<Found> {
    let mut target = clc::TargetOptions::from(match target {
        Target::OpenCl => TargetEnv::OpenCl { major: 3, minor: 0 },
        Target::Vulkan => TargetEnv::Vulkan { major: 1, minor: 3 },
    });
    target.extensions.add(extensions).unwrap();
    let options = Options {
        version,
        extensions: vec!["+cl_ext_float_atomics,+__opencl_c_ext_fp32_global_atomic_add".to_owned()],
        opt_level: level,
        verify_each: true,
        target,
        ..Options::default()
    };
    let compilation = compile("k.cl", source.as_bytes(), Emit::Asm, &options, &mut clc::NoIncludes);
    let Some(Artifact::Text(text)) = compilation.artifact else {
        panic!("{source}: {:?} {:?}", compilation.diagnostics, compilation.internal_error)
    };
    let mut constants: HashMap<&str, u32> = HashMap::new();
    let mut found = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (result, rest) = match words[..] {
            [result, "=", ref rest @ ..] => (Some(result), rest),
            ref rest => (None, rest),
        };
        let Some(&op) = rest.first() else { continue };
        if op == "OpConstant"
            && let (Some(result), Some(Ok(value))) = (result, rest.get(2).map(|n| n.parse()))
        {
            constants.insert(result, value);
        }
        // Positions of scope and semantics among the operands, result type included.
        let positions: &[usize] = match op {
            "OpAtomicStore" => &[2, 3],
            "OpAtomicCompareExchange" => &[3, 4, 5],
            "OpMemoryBarrier" => &[1, 2],
            "OpControlBarrier" | "OpControlBarrierArriveINTEL" | "OpControlBarrierWaitINTEL" => {
                &[1, 2, 3]
            }
            _ if op.starts_with("OpAtomic") => &[3, 4],
            _ => continue,
        };
        let numbers = positions.iter().map(|&position| constants[rest[position]]).collect();
        found.push((op.to_owned(), numbers));
    }
    found
}

fn expect(body: &str, target: Target, expected: &[(&str, Vec<u32>)]) {
    expect_in(clc::Version::V3_0, body, target, expected);
}

/// Vulkan has no sequential consistency, so that the functions without an order exist in 2.0 only, where
/// they are what there is.
fn expect_default(body: &str, target: Target, expected: &[(&str, Vec<u32>)]) {
    expect_in(clc::Version::V2_0, body, target, expected);
}

fn expect_in(version: clc::Version, body: &str, target: Target, expected: &[(&str, Vec<u32>)]) {
    let source = format!(
        "kernel void k(global atomic_int *g, global atomic_uint *u, global atomic_float *f,\n\
         global volatile atomic_flag *flag, global int *out, global int *old) {{\n\
         local atomic_int l; int e = 1; float x = 1; {body} }}\n"
    );
    for level in [clc::OptLevel::O0, clc::OptLevel::O] {
        let found = instructions(&source, version, target, level);
        let found: Vec<(&str, Vec<u32>)> =
            found.iter().map(|(op, numbers)| (op.as_str(), numbers.clone())).collect();
        assert_eq!(found, expected, "{target:?} {level:?}: {body}");
    }
}

const TARGETS: [Target; 2] = [Target::OpenCl, Target::Vulkan];

#[test]
fn loads_and_stores() {
    for target in TARGETS {
        for order in ORDERS {
            for scope in SCOPES {
                let last = format!("memory_order_{order}, memory_scope_{scope}");
                for (object, memory) in [("g", target.global()), ("&l", WORKGROUP_MEMORY)] {
                    let load = target.atomic(order, of_load, scope, memory);
                    let load = ("OpAtomicLoad", vec![target.scope(scope), load]);
                    // Vulkan's acquire does not wait for earlier stores.
                    let both =
                        target.semantics("seq_cst", scope, target.global() | WORKGROUP_MEMORY);
                    let fence = ("OpMemoryBarrier", vec![target.scope(scope), both]);
                    let is_fenced =
                        target == Target::Vulkan && order == "seq_cst" && scope != "work_item";
                    let expected = if is_fenced { vec![fence, load] } else { vec![load] };
                    expect(
                        &format!("*out = atomic_load_explicit({object}, {last});"),
                        target,
                        &expected,
                    );
                    let store = target.atomic(order, of_store, scope, memory);
                    expect(
                        &format!("atomic_store_explicit({object}, 1, {last});"),
                        target,
                        &[("OpAtomicStore", vec![target.scope(scope), store])],
                    );
                }
                let memory = target.global();
                let clear = target.atomic(order, of_store, scope, memory);
                expect(
                    &format!("atomic_flag_clear_explicit(flag, {last});"),
                    target,
                    &[("OpAtomicStore", vec![target.scope(scope), clear])],
                );
                expect(
                    &format!("*out = atomic_flag_test_and_set_explicit(flag, {last});"),
                    target,
                    &[(
                        "OpAtomicExchange",
                        vec![target.scope(scope), target.atomic(order, whole, scope, memory)],
                    )],
                );
            }
        }
    }
}

#[test]
fn modifications() {
    const FUNCTIONS: [(&str, &str, &str); 10] = [
        ("atomic_fetch_add", "g", "OpAtomicIAdd"),
        ("atomic_fetch_sub", "g", "OpAtomicISub"),
        ("atomic_fetch_or", "g", "OpAtomicOr"),
        ("atomic_fetch_xor", "g", "OpAtomicXor"),
        ("atomic_fetch_and", "g", "OpAtomicAnd"),
        ("atomic_fetch_min", "g", "OpAtomicSMin"),
        ("atomic_fetch_min", "u", "OpAtomicUMin"),
        ("atomic_fetch_max", "g", "OpAtomicSMax"),
        ("atomic_fetch_max", "u", "OpAtomicUMax"),
        ("atomic_exchange", "g", "OpAtomicExchange"),
    ];
    for target in TARGETS {
        for (function, object, instruction) in FUNCTIONS {
            let memory = target.global();
            expect_default(
                &format!("*out = {function}({object}, 3);"),
                target,
                &[(
                    instruction,
                    vec![target.scope("device"), target.atomic("seq_cst", whole, "device", memory)],
                )],
            );
            for order in ORDERS {
                for scope in SCOPES {
                    let last = format!("memory_order_{order}, memory_scope_{scope}");
                    expect(
                        &format!("*out = {function}_explicit({object}, 3, {last});"),
                        target,
                        &[(
                            instruction,
                            vec![target.scope(scope), target.atomic(order, whole, scope, memory)],
                        )],
                    );
                }
            }
        }
        // The atomics of 1.x order nothing.
        for (call, instruction) in [
            ("atomic_add(old, 3)", "OpAtomicIAdd"),
            ("atomic_inc(old)", "OpAtomicIIncrement"),
            ("atomic_dec(old)", "OpAtomicIDecrement"),
            ("atomic_xchg(old, 3)", "OpAtomicExchange"),
        ] {
            expect(
                &format!("*out = {call};"),
                target,
                &[(instruction, vec![target.scope("device"), 0])],
            );
        }
        expect(
            "*out = atomic_cmpxchg(old, 1, 2);",
            target,
            &[("OpAtomicCompareExchange", vec![target.scope("device"), 0, 0])],
        );
    }
}

/// The order of success where it may be no weaker than that of failure.
fn at_least(success: &'static str, failure: &'static str) -> &'static str {
    match (success, failure) {
        (_, "seq_cst") => "seq_cst",
        ("relaxed", "acquire") => "acquire",
        ("release", "acquire") => "acq_rel",
        _ => success,
    }
}

#[test]
fn comparing_exchanges() {
    for target in TARGETS {
        let memory = target.global();
        for strength in ["strong", "weak"] {
            let function = format!("atomic_compare_exchange_{strength}");
            let sequential = target.atomic("seq_cst", whole, "device", memory);
            let failure = target.atomic("seq_cst", of_load, "device", memory);
            expect_default(
                &format!("*out = {function}(g, &e, 2);"),
                target,
                &[("OpAtomicCompareExchange", vec![target.scope("device"), sequential, failure])],
            );
            for success in ORDERS {
                for failure in ["relaxed", "acquire", "seq_cst"] {
                    for scope in SCOPES {
                        let last = format!(
                            "memory_order_{success}, memory_order_{failure}, memory_scope_{scope}"
                        );
                        let equal = target.atomic(at_least(success, failure), whole, scope, memory);
                        let unequal = target.atomic(failure, of_load, scope, memory);
                        expect(
                            &format!("*out = {function}_explicit(g, &e, 2, {last});"),
                            target,
                            &[(
                                "OpAtomicCompareExchange",
                                vec![target.scope(scope), equal, unequal],
                            )],
                        );
                    }
                }
            }
        }
    }
}

/// A lock that is taken by a comparing exchange acquires, on every target.
#[test]
fn atomics_of_floats_keep_their_order_in_loops() {
    let target = Target::Vulkan;
    for order in ORDERS {
        let memory = target.global();
        let scope = target.scope("work_group");
        let source = format!(
            "kernel void k(global atomic_float *f, global float *out) {{ *out = \
             atomic_fetch_add_explicit(f, 1.0f, memory_order_{order}, memory_scope_work_group); }}"
        );
        let found = instructions(&source, clc::Version::V3_0, target, clc::OptLevel::O);
        let expected = [
            ("OpAtomicLoad".to_owned(), vec![scope, 0]),
            (
                "OpAtomicCompareExchange".to_owned(),
                vec![scope, target.atomic(order, whole, "work_group", memory), 0],
            ),
        ];
        assert_eq!(found, expected, "{order}");

        // Devices that are known to have the instruction get it.
        let extension = "+SPV_EXT_shader_atomic_float_add";
        let expected = vec![scope, target.atomic(order, whole, "work_group", memory)];
        let (version, level) = (clc::Version::V3_0, clc::OptLevel::O);
        let found = instructions_with(extension, &source, version, target, level);
        assert_eq!(found, [("OpAtomicFAddEXT".to_owned(), expected)], "{order}");
    }
}

#[test]
fn fences() {
    const FLAGS: [(&str, [bool; 3]); 5] = [
        ("CLK_LOCAL_MEM_FENCE", [true, false, false]),
        ("CLK_GLOBAL_MEM_FENCE", [false, true, false]),
        ("CLK_IMAGE_MEM_FENCE", [false, false, true]),
        ("CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE", [true, true, false]),
        // Flags that are no constant name every kind of memory.
        ("(cl_mem_fence_flags)*old", [true, true, true]),
    ];
    for target in TARGETS {
        for (flags, kinds) in FLAGS {
            let bits = [WORKGROUP_MEMORY, target.global(), IMAGE_MEMORY];
            let memory = kinds.iter().zip(bits).map(|(&has, bit)| if has { bit } else { 0 }).sum();
            for order in ORDERS {
                for scope in SCOPES {
                    let nothing =
                        order == "relaxed" || (target == Target::Vulkan && scope == "work_item");
                    let semantics = match order {
                        "seq_cst" => {
                            let both = memory | target.global() | WORKGROUP_MEMORY;
                            target.semantics(order, scope, both)
                        }
                        _ => target.semantics(order, scope, memory),
                    };
                    let expected = [("OpMemoryBarrier", vec![target.scope(scope), semantics])];
                    expect(
                        &format!(
                            "atomic_work_item_fence({flags}, memory_order_{order}, \
                             memory_scope_{scope});"
                        ),
                        target,
                        if nothing { &[] } else { &expected },
                    );
                }
            }
            for (function, order) in [
                ("mem_fence", "acq_rel"),
                ("read_mem_fence", "acquire"),
                ("write_mem_fence", "release"),
            ] {
                let numbers =
                    vec![target.scope("work_group"), target.semantics(order, "work_group", memory)];
                expect(&format!("{function}({flags});"), target, &[("OpMemoryBarrier", numbers)]);
            }
            let semantics = target.semantics("seq_cst", "work_group", memory);
            for (call, execution, scope) in [
                (format!("barrier({flags});"), "work_group", "work_group"),
                (format!("work_group_barrier({flags});"), "work_group", "work_group"),
                (
                    format!("work_group_barrier({flags}, memory_scope_device);"),
                    "work_group",
                    "device",
                ),
                (format!("sub_group_barrier({flags});"), "sub_group", "sub_group"),
            ] {
                let numbers = vec![target.scope(execution), target.scope(scope), semantics];
                expect(&call, target, &[("OpControlBarrier", numbers)]);
            }
        }
    }
}

/// What is not known until the program runs is taken for the strongest that it can be.
#[test]
fn orders_and_scopes_that_are_not_constant() {
    let memory = Target::OpenCl.global() | WORKGROUP_MEMORY;
    let numbers = vec![0, SEQUENTIALLY_CONSISTENT | memory];
    expect(
        "atomic_store_explicit(g, 1, (memory_order)*old, (memory_scope)*old);",
        Target::OpenCl,
        &[("OpAtomicStore", numbers)],
    );
}
