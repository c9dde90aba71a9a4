//! Leaves the size of work-groups that kernels require to the host where the module cannot say it.
//!
//! Hosts of clspv's modules cut launches into regions, at whose edge work-groups may be smaller than
//! required. And before SPIR-V 1.6 a built-in constant is the size of *all* kernels of a module as soon
//! as one kernel's size is chosen by the host: it overrules what another kernel says (SPIR-V 3.21,
//! WorkgroupSize). From here on such a kernel is one whose size is chosen; the reflection says which
//! size the host has to choose.

use clc_ir::Module;

use crate::options::{Convention, TargetOptions};

/// By kernel, the size that it requires, if it requires one.
pub(crate) type RequiredSizes = Vec<(String, [u32; 3])>;

pub(crate) fn run(module: &mut Module, options: &TargetOptions) -> RequiredSizes {
    let mut required = Vec::new();
    let mut has_free = false;
    for function in module.functions.values() {
        let Some(entry) = function.entry_point.as_deref() else { continue };
        match entry.reqd_work_group_size {
            Some(size) => required.push((entry.name.clone(), size)),
            None => has_free = true,
        }
    }
    let is_free = match options.convention {
        Convention::Own => has_free && options.spirv_version < (1, 6),
        Convention::Clspv(_) => has_free || !options.uniform_work_groups,
    };
    if is_free {
        for function in module.functions.values_mut() {
            if let Some(entry) = function.entry_point.as_deref_mut() {
                entry.reqd_work_group_size = None;
            }
        }
    }
    required
}

/// The size that the kernel of this name requires.
pub(crate) fn of(sizes: &[(String, [u32; 3])], name: &str) -> Option<[u32; 3]> {
    sizes.iter().find(|(kernel, _)| kernel == name).map(|&(_, size)| size)
}
