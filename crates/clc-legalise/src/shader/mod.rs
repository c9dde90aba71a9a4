//! Makes the IR legal for Vulkan, where pointers are addresses, kernels take no parameters and the
//! Shader capability lacks much of what Kernel has.
//!
//! The order of the steps is that of `pipeline`.

mod arguments;
mod block_reader;
pub(crate) mod collectives;
pub(crate) mod convention;
pub(crate) mod entries;
mod fma_question;
mod host_values;
pub(crate) mod images;
pub(crate) mod intel_sub_groups;
#[cfg(test)]
#[path = "../../../clc-passes/tests/common/interpreter.rs"]
#[allow(dead_code)]
mod interpreter;
pub mod library;
pub(crate) mod limits;
pub(crate) mod local_vectors;
pub(crate) mod memory;
pub(crate) mod memory_model;
pub(crate) mod missing;
pub(crate) mod negated_bounds;
mod normal;
pub(crate) mod operations;
pub(crate) mod padded_arrays;
pub(crate) mod printf;
mod private;
mod program_data;
mod push_constants;
#[cfg(test)]
mod random;
pub(crate) mod required_sizes;
pub(crate) mod specialization;
pub(crate) mod spread_arrays;
pub(crate) mod stored_halves;
pub(crate) mod sub_groups;
pub(crate) mod swapped_bytes;
pub(crate) mod tables;
pub(crate) mod wide_vectors;
mod work_items;

use clc_base::Diagnostic;
use clc_base::lang::GroupExtent;
use clc_ir::{GlobalId, Module, Type, structured};

use crate::clspv;
use crate::diagnostics::E0704;
use crate::reflection::{Binding, Reflection};

/// What emission and the host need to know besides the module.
#[derive(Debug)]
pub struct Shader {
    /// What the host must know.
    pub reflection: Reflection,
    /// What a host of clspv's modules must know besides.
    pub clspv: Option<clspv::Interface>,
    /// The uniform buffers that kernels read arguments from.
    pub bindings: Vec<(GlobalId, Binding)>,
    /// What the address of a variable is computed from.
    pub places: Places,
    /// Arrays in `local` memory whose lengths the host chooses.
    pub lengths: Vec<(GlobalId, Length)>,
    /// An array in `local` memory that is as long as there are work-items in a work-group, which the
    /// host chooses.
    pub per_item: Option<PerItem>,
    /// Arrays in `local` memory that are there where the host chooses work-groups that are small enough.
    pub spread: Vec<Spread>,
    /// The number of the specialization constant 0 of the compiler's own. The program's come before.
    pub own_constants: u32,
    /// What the program has instead of the compiler's own constants 0, 1 and 2, the size of work-groups.
    pub group: Option<[GroupExtent; 3]>,
}

impl Shader {
    /// Where the host binds what is bound here in the reflection.
    pub fn binding(&self, at: Binding) -> Binding {
        let set = self.clspv.as_ref().and_then(|clspv| clspv.sets.get(at.set as usize));
        Binding { set: set.copied().unwrap_or(at.set), ..at }
    }
}

/// Where memory is that only the host knows.
#[derive(Debug, Default)]
pub struct Places {
    /// The variables in buffers of the host.
    pub program_data: Vec<Placed>,
    /// The variables that stand for `local` arguments of all kernels.
    pub local_arguments: Vec<LocalArgument>,
}

/// A program-scope variable: it is at the address in `base`, a Private variable of type `i64`, plus
/// `offset`.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// The program-scope variable.
    pub global: GlobalId,
    /// The Private variable that holds the address of the buffer.
    pub base: GlobalId,
    /// Bytes.
    pub offset: u64,
}

/// A `local` argument of a kernel: a Workgroup variable of type `[1]element`, whose real length is
/// the specialization constant `constant`.
#[derive(Clone, Copy, Debug)]
pub struct LocalArgument {
    /// The Workgroup variable.
    pub global: GlobalId,
    /// What the argument points to.
    pub element: Type,
    /// The id of the specialization constant: a number of elements.
    pub constant: u32,
}

/// The length of an array: `fixed` elements, and for each part as many as specialization constants
/// say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Length {
    /// Elements that are there whatever the host chooses.
    pub fixed: u32,
    /// What the host chooses.
    pub parts: Vec<LengthPart>,
}

/// The specialization constant `constant` counts pieces of `size` bytes; their sum is rounded up to
/// a multiple of `round` bytes and divided by `element`, the bytes of an element of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LengthPart {
    /// The id of the specialization constant.
    pub constant: u32,
    /// Bytes of a piece.
    pub size: u32,
    /// Bytes; a multiple of `element`.
    pub round: u32,
    /// Bytes of an element of the array.
    pub element: u32,
}

/// The array `global`: `per_item` elements for each work-item of a work-group, if there are at most `most_items`, which the
/// host chooses by the specialization constants 0, 1 and 2. In larger ones nothing is done with it, and it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The Workgroup variable. Its type is as long as it ever is.
    pub global: GlobalId,
    /// Elements.
    pub per_item: u32,
    /// Work-items.
    pub most_items: u32,
}

/// The array `global`: `fixed` elements, and `per_item` for each work-item of the work-group, which are
/// at least `least_items`. The host chooses the size of the work-group by the specialization constants
/// 0, 1 and 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerItem {
    /// The Workgroup variable.
    pub global: GlobalId,
    /// Elements that are there whatever the host chooses.
    pub fixed: u32,
    /// Elements for each work-item.
    pub per_item: u32,
    /// The largest size that a kernel has by `reqd_work_group_size`.
    pub least_items: u32,
}

/// How deep constructs of control flow may nest (SPIR-V 2.17).
const NESTING: usize = 1023;

/// Reports what structuring made too deep.
pub(crate) fn check_structure(module: &Module) -> Result<(), Vec<Diagnostic>> {
    let too_deep = |function: &&clc_ir::Function| structured::nesting_depth(function) > NESTING;
    let errors: Vec<Diagnostic> = module
        .functions
        .values()
        .filter(too_deep)
        .map(|function| {
            let message = format!(
                "the control flow of `{}` is nested more than {NESTING} deep",
                function.name
            );
            Diagnostic::new(&E0704, function.span, message)
                .at("nested too deep")
                .help("move some of the nested statements to functions")
        })
        .collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}
