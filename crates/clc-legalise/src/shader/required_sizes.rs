//! The size of work-groups that kernels require, and who says it: the module or the host.
//!
//! Before SPIR-V 1.6 a built-in constant is the size of *all* kernels of a module as soon as the host
//! chooses that of one: it overrules what another kernel says (SPIR-V 3.21, WorkgroupSize). The host
//! then has to choose what a kernel requires, which its code may rely on all the same. Where launches may be
//! cut into regions, moreover, work-groups at the edge may be smaller than required: from here on such a
//! kernel requires nothing.

use clc_base::Diagnostic;
use clc_base::lang::GroupExtent;
use clc_ir::Module;

use crate::diagnostics::E0703;
use crate::options::{Convention, TargetOptions};
use crate::reflection::{Regions, WorkGroupSize};

/// What is known of all kernels of a module.
#[derive(Debug, Default)]
pub(crate) struct RequiredSizes {
    by_name: Vec<(String, [u32; 3])>,
    /// The module says no sizes.
    host_chooses: bool,
    /// What the program says instead of constants of the compiler's own, for all kernels that do not have
    /// a fixed size.
    pub constants: Option<[GroupExtent; 3]>,
}

pub(crate) fn run(
    module: &mut Module,
    options: &TargetOptions,
) -> Result<RequiredSizes, Vec<Diagnostic>> {
    let constants = common_constants(module, options)?;
    let mut by_name = Vec::new();
    let mut has_free = false;
    for function in module.functions.values() {
        let Some(entry) = function.entry_point.as_deref() else { continue };
        match entry.reqd_work_group_size {
            Some(size) => by_name.push((entry.name.clone(), size)),
            None => has_free = true,
        }
    }
    let host_chooses = match options.convention {
        Convention::Own => has_free && options.spirv_version < (1, 6),
        Convention::Clspv(_) => has_free,
    };
    let are_smaller = match options.regions() {
        Some(Regions::AnySize) => true,
        Some(Regions::OneSize) | None => false,
    };
    if are_smaller {
        for function in module.functions.values_mut() {
            if let Some(entry) = function.entry_point.as_deref_mut() {
                entry.reqd_work_group_size = None;
            }
        }
    }
    Ok(RequiredSizes { by_name, host_chooses: host_chooses || are_smaller, constants })
}

/// The specialization constants that are the sizes of work-groups. Memory and functions that kernels share
/// go by one set of them, so all kernels without a fixed size have the same.
fn common_constants(
    module: &Module,
    options: &TargetOptions,
) -> Result<Option<[GroupExtent; 3]>, Vec<Diagnostic>> {
    let kernels = module.functions.values().filter_map(|function| {
        let entry = function.entry_point.as_deref()?;
        entry.reqd_work_group_size.is_none().then_some((function, entry))
    });
    let kernels: Vec<_> = kernels.collect();
    let mut sized = kernels.iter().filter_map(|(_, entry)| entry.work_group_constants);
    let Some(constants) = sized.next() else { return Ok(None) };
    let mut errors = Vec::new();
    for (function, entry) in kernels {
        let (message, at, help) = match options.convention {
            Convention::Own
                if entry.work_group_constants.is_some()
                    && options.regions() == Some(Regions::AnySize) =>
            {
                (
                    format!(
                        "the size of work-groups of the kernel `{}` cannot be a specialization constant of \
                         the program with `--work-group-regions`",
                        entry.name
                    ),
                    "work-groups at the edge of a launch may be smaller than the program's constants say",
                    "leave `reqd_work_group_size` out, or promise `-cl-uniform-work-group-size`",
                )
            }
            Convention::Clspv(_) if entry.work_group_constants.is_some() => (
                format!(
                    "the size of work-groups of the kernel `{}` cannot be a specialization constant of the \
                     program for clvk",
                    entry.name
                ),
                "clvk chooses it by constants of its own",
                "leave `reqd_work_group_size` out",
            ),
            Convention::Own if entry.work_group_constants != Some(constants) => (
                format!(
                    "the kernel `{}` has work-groups of another size than other kernels of the module",
                    entry.name
                ),
                "differs from that of a kernel before or after it",
                "on Vulkan, kernels of one module whose size depends on the host have the same one: give all of \
                 them the same `reqd_work_group_size`, or compile them separately",
            ),
            Convention::Own | Convention::Clspv(_) => continue,
        };
        errors.push(Diagnostic::new(&E0703, function.span, message).at(at).help(help));
    }
    if errors.is_empty() { Ok(Some(constants)) } else { Err(errors) }
}

impl RequiredSizes {
    /// How the kernel of this name comes to its size.
    pub fn of(&self, name: &str) -> WorkGroupSize {
        let required =
            self.by_name.iter().find(|(kernel, _)| kernel == name).map(|&(_, size)| size);
        match required {
            Some(size) if !self.host_chooses => WorkGroupSize::Fixed(size),
            _ => WorkGroupSize::Constants {
                ids: [0, 1, 2].map(Some),
                default: [1; 3],
                of_program: false,
                required,
            },
        }
    }
}
