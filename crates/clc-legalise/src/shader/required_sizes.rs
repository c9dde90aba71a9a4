//! The size of work-groups that kernels require, and who says it: the module or the host.
//!
//! Before SPIR-V 1.6 a built-in constant is the size of *all* kernels of a module as soon as the host
//! chooses that of one: it overrules what another kernel says (SPIR-V 3.21, WorkgroupSize). The host
//! then has to choose what a kernel requires, which its code may rely on all the same. Hosts of clspv's
//! modules, moreover, cut launches into regions, at whose edge work-groups may be smaller than
//! required: from here on such a kernel requires nothing.

use clc_ir::Module;

use crate::options::{Convention, TargetOptions};
use crate::reflection::WorkGroupSize;

/// What is known of all kernels of a module.
#[derive(Debug, Default)]
pub(crate) struct RequiredSizes {
    by_name: Vec<(String, [u32; 3])>,
    /// The module says no sizes.
    host_chooses: bool,
}

pub(crate) fn run(module: &mut Module, options: &TargetOptions) -> RequiredSizes {
    let mut by_name = Vec::new();
    let mut has_free = false;
    for function in module.functions.values() {
        let Some(entry) = function.entry_point.as_deref() else { continue };
        match entry.reqd_work_group_size {
            Some(size) => by_name.push((entry.name.clone(), size)),
            None => has_free = true,
        }
    }
    let (host_chooses, has_regions) = match options.convention {
        Convention::Own => (has_free && options.spirv_version < (1, 6), false),
        Convention::Clspv(_) => (has_free, !options.uniform_work_groups),
    };
    if has_regions {
        for function in module.functions.values_mut() {
            if let Some(entry) = function.entry_point.as_deref_mut() {
                entry.reqd_work_group_size = None;
            }
        }
    }
    RequiredSizes { by_name, host_chooses: host_chooses || has_regions }
}

impl RequiredSizes {
    /// How the kernel of this name comes to its size.
    pub fn of(&self, name: &str) -> WorkGroupSize {
        let required =
            self.by_name.iter().find(|(kernel, _)| kernel == name).map(|&(_, size)| size);
        match required {
            Some(size) if !self.host_chooses => WorkGroupSize::Fixed(size),
            _ => WorkGroupSize::Constants { ids: [0, 1, 2], required },
        }
    }
}
