//! Which functions of the compiler's table no kernel calls.

use std::collections::HashSet;

use super::run::Family;

/// Beginnings and later parts of names that cannot be run, and why.
const NOT_RUN: &[(&str, &str, &str)] = &[
    ("work_group_", "_mul", UNIFORM_ARITHMETIC),
    ("work_group_", "_and", UNIFORM_ARITHMETIC),
    ("work_group_", "_or", UNIFORM_ARITHMETIC),
    ("work_group_", "_xor", UNIFORM_ARITHMETIC),
    ("get_image_num_", "", "the driver has neither mipmaps nor multi-sampled images"),
    ("intel_work_group_barrier_", "", "the driver lacks cl_intel_split_work_group_barrier"),
    ("intel_sub_group_block_", "_us16", "the driver has no blocks of sixteen ushorts"),
    ("intel_sub_group_block_", "_ul16", "the driver has no blocks of sixteen ulongs"),
    ("sub_group_", "_pipe", COMPILED_ONLY),
    ("get_kernel_", "_for_ndrange", COMPILED_ONLY),
    ("capture_event_profiling_info", "", COMPILED_ONLY),
    ("retain_event", "", COMPILED_ONLY),
    ("ndrange_3D", "", COMPILED_ONLY),
    ("__builtin_trap", "", "it ends the process"),
];

const COMPILED_ONLY: &str = "only compiled so far: no case of the execution suite calls it";
const UNIFORM_ARITHMETIC: &str = "the driver lacks cl_khr_work_group_uniform_arithmetic";

/// What is wrong with the coverage; nothing if it is complete.
///
/// Functions may also be called by `cases`, sources of the execution suite.
pub fn untested(families: &[Family], cases: &[String]) -> String {
    let mut called: HashSet<&str> = HashSet::new();
    let kernels = families.iter().flat_map(|family| &family.kernels);
    for source in kernels.map(|kernel| &kernel.source).chain(cases) {
        called.extend(source.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    }
    let mut missing: Vec<&str> = Vec::new();
    let mut used = HashSet::new();
    for name in clc_builtins::names() {
        if called.contains(name) {
            continue;
        }
        let listed = NOT_RUN
            .iter()
            .position(|(start, part, _)| name.starts_with(start) && name.contains(part));
        match listed {
            Some(index) => {
                used.insert(index);
            }
            None => missing.push(name),
        }
    }
    missing.sort_unstable();
    let mut complaints = String::new();
    if !missing.is_empty() {
        complaints.push_str(&format!("no kernel calls {}\n", missing.join(", ")));
    }
    for (index, (start, part, _)) in NOT_RUN.iter().enumerate() {
        if !used.contains(&index) {
            complaints.push_str(&format!("all of {start}…{part} are called after all\n"));
        }
    }
    complaints
}
