//! Which functions of the compiler's table no kernel calls, and that those could not be run.

use std::collections::HashSet;

use super::run::{self, Family, Tools};

/// Why functions cannot be run.
enum Why {
    /// The device does not report any of these.
    Lacks(&'static [&'static str]),
    /// The driver's own compiler does not build this kernel `q` either.
    OwnCompilerFails(&'static str),
    /// The driver does not come back from them, whoever compiled them.
    DoesNotReturn,
    /// The process ends with the call.
    EndsProcess,
}

/// Beginnings and later parts of names that cannot be run.
const NOT_RUN: &[(&str, &str, Why)] = &[
    ("work_group_", "_mul", UNIFORM_ARITHMETIC),
    ("work_group_", "_and", UNIFORM_ARITHMETIC),
    ("work_group_", "_or", UNIFORM_ARITHMETIC),
    ("work_group_", "_xor", UNIFORM_ARITHMETIC),
    ("get_image_num_mip_levels", "", Why::Lacks(&["cl_khr_mipmap_image"])),
    ("get_image_num_samples", "", Why::Lacks(&["cl_khr_gl_msaa_sharing"])),
    ("intel_work_group_barrier_", "", Why::Lacks(&["cl_intel_split_work_group_barrier"])),
    (
        "intel_sub_group_block_",
        "_us16",
        Why::OwnCompilerFails(
            "kernel void q(global ushort *p) { ushort16 x = intel_sub_group_block_read_us16(p); p[0] = x.s0; }",
        ),
    ),
    (
        "intel_sub_group_block_",
        "_ul16",
        Why::OwnCompilerFails(
            "kernel void q(global ulong *p) { ulong16 x = intel_sub_group_block_read_ul16(p); p[0] = x.s0; }",
        ),
    ),
    (
        "sub_group_",
        "_pipe",
        Why::OwnCompilerFails(
            "kernel void q(read_only pipe int p, global int *o) {\n\
             reserve_id_t r = sub_group_reserve_read_pipe(p, 1);\n\
             o[0] = is_valid_reserve_id(r);\n\
             sub_group_commit_read_pipe(p, r);\n}",
        ),
    ),
    ("get_kernel_", "_for_ndrange", Why::DoesNotReturn),
    ("__builtin_trap", "", Why::EndsProcess),
];

const UNIFORM_ARITHMETIC: Why = Why::Lacks(&["cl_khr_work_group_uniform_arithmetic"]);

/// What of [`NOT_RUN`] the driver could run after all; nothing if it is as listed.
pub fn unproven(tools: &Tools) -> Result<(), String> {
    let extensions = run::extensions(tools)?;
    let mut complaints = String::new();
    for (index, (start, part, why)) in NOT_RUN.iter().enumerate() {
        match why {
            Why::Lacks(names) => {
                for name in extensions.split_whitespace().filter(|name| names.contains(name)) {
                    complaints.push_str(&format!("{start}…{part}: the driver has {name}\n"));
                }
            }
            Why::OwnCompilerFails(source) => {
                if run::own_compiler_builds(tools, &format!("not-run-{index}"), source)? {
                    complaints.push_str(&format!("{start}…{part}: the driver builds it\n"));
                }
            }
            Why::DoesNotReturn | Why::EndsProcess => {}
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints) }
}

/// What is wrong with the coverage; nothing if it is complete.
///
/// Functions may also be called by `cases`, sources of the execution suite.
pub fn untested<'a>(families: impl Iterator<Item = &'a Family>, cases: &'a [String]) -> String {
    let mut called: HashSet<&str> = HashSet::new();
    let kernels = families.flat_map(|family| &family.kernels);
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
