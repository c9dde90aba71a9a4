//! Makes the IR legal for SPIR-V: one short pass for each thing that SPIR-V has otherwise.

mod arguments;
mod blocks;
mod copies;
mod edges;
mod initializers;
pub(crate) mod kernels;
mod recursion;
pub mod shader;
mod switches;

pub(crate) use blocks::is_block_name;
use clc_base::Diagnostic;
use clc_ir::Module;

pub(crate) fn module(module: &mut Module) -> Result<(), Vec<Diagnostic>> {
    recursion::check(module)?;
    // Makes kernels of functions, which may be called too.
    blocks::prepare_enqueued(module);
    // Before the calls of kernels are redirected, so that the body keeps its own arguments.
    arguments::pass_aggregates_through_memory(module);
    kernels::separate_called_kernels(module);
    initializers::copy_from_constants(module);
    let Module { functions, consts, .. } = module;
    for function in functions.values_mut().filter(|function| !function.is_declaration()) {
        copies::drop_empty(function, consts);
        // Makes edges, so it comes before edges are split.
        switches::split_large(function);
        edges::split(function);
    }
    Ok(())
}
