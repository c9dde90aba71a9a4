//! Makes the IR legal for Vulkan, where pointers are addresses, kernels take no parameters and the
//! Shader capability lacks much of what Kernel has.
//!
//! In two halves, because the general passes have work to do after each: [`arguments_and_operations`]
//! leaves pointers as they are, so that private copies can become values; [`memory`] leaves none.
//! Then comes structured control flow, and only then are words written.

mod arguments;
pub mod library;
mod limits;
mod memory;
mod normal;
mod operations;
mod program_data;
mod tables;
mod wide_vectors;
mod work_items;

use clc_base::Diagnostic;
use clc_ir::{GlobalId, Module, Type, structured};

use super::{copies, edges, kernels, recursion, switches};
use crate::TargetOptions;
use crate::diagnostics::E0704;
use crate::reflection::Reflection;

/// What emission and the host need to know besides the module.
#[derive(Debug)]
pub struct Shader {
    pub reflection: Reflection,
    pub(crate) places: Places,
    /// Arrays in `local` memory whose lengths the host chooses.
    pub(crate) lengths: Vec<(GlobalId, Length)>,
}

/// Where memory is that only the host knows.
#[derive(Debug, Default)]
pub(crate) struct Places {
    pub program_data: Vec<Placed>,
    pub local_arguments: Vec<LocalArgument>,
}

/// A program-scope variable: it is at the address in `base`, a Private variable of type `i64`, plus
/// `offset`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub global: GlobalId,
    pub base: GlobalId,
    pub offset: u64,
}

/// A `local` argument of a kernel: a Workgroup variable of type `[1]element`, whose real length is
/// the specialization constant `constant`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalArgument {
    pub global: GlobalId,
    pub element: Type,
    pub constant: u32,
}

/// The length of an array: `fixed` elements, and for each part as many as specialization constants
/// say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Length {
    pub fixed: u32,
    pub parts: Vec<LengthPart>,
}

/// The specialization constant `constant` counts pieces of `size` bytes; their sum is rounded up to
/// a multiple of `round` bytes and divided by `element`, the bytes of an element of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LengthPart {
    pub constant: u32,
    pub size: u32,
    pub round: u32,
    pub element: u32,
}

/// The first half: afterwards kernels have no parameters, and what shaders have no instruction for
/// is made of what they have.
pub fn arguments_and_operations(
    module: &mut Module,
    options: &TargetOptions,
) -> Result<Shader, Vec<Diagnostic>> {
    recursion::check(module)?;
    kernels::separate_called_kernels(module);
    // Before work-item functions are computed: shared copies ask for places in the group.
    operations::run(module, options)?;
    let unused = tables::run(module);
    let (reflection, places) = arguments::run(module, options, &unused)?;
    Ok(Shader { reflection, places, lengths: Vec::new() })
}

/// The second half: afterwards there are no pointers but the operands of memory accesses.
pub fn memory(
    module: &mut Module,
    options: &TargetOptions,
    shader: &mut Shader,
) -> Result<(), Vec<Diagnostic>> {
    shader.lengths = memory::run(module, &shader.places, shader.reflection.environment)?;
    // Memory is accessed by at most four components now.
    wide_vectors::run(module);
    limits::run(module, shader, options.max_shared_memory)?;
    let Module { functions, consts, .. } = module;
    for function in functions.values_mut().filter(|function| !function.is_declaration()) {
        copies::drop_empty(function, consts);
        // Both make edges and blocks, which must be there when control flow is structured.
        switches::split_large(function);
        edges::split(function);
    }
    Ok(())
}

/// After the general passes have tidied what [`memory`] made: keeps narrow numbers from being computed
/// in 32 bits, which changes no control flow.
pub fn narrow_numbers(module: &mut Module) {
    operations::narrow::run(module);
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
                .help("move some of the nested statements to functions")
        })
        .collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Expands what shaders have no instruction for, for whichever target: tests compare the result with
/// instructions that do the same on drivers that have them.
#[doc(hidden)]
pub fn expand_operations(module: &mut Module) {
    operations::expand_all(module);
}
