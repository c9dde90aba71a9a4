//! Vectors that are computed with become scalars, one for each component.
//!
//! Drivers of processors make vectors of work-items. Those that the program has are in their way: they put
//! whole vectors side by side, and take them apart and together again for each `dot`, shuffle and component.
//! GPUs' compilers have no vectors left at that time anyway.
//!
//! What is computed by component is computed with the scalars; parameters of blocks become several. A vector
//! is made again where something needs it whole, as memory does that it is stored to. Loads of which nothing needs the
//! whole load the components: from one integer where they are parts of one, and each alone where neighbours load
//! neighbours, from which compilers make loads of many work-items. Values that are connected by operands are
//! either all left as they are or all taken apart, because each seam between the two costs instructions:
//! taken apart is what a loop has a part in, where the time is spent, what floats are computed with where a kernel without
//! loops computes more than it loads, and what nothing needs whole, so that
//! drivers make vectors of work-items; these not where vectors from anywhere in memory are computed with as they are.
//! Nothing is taken apart where vectors of work-items would cost more than they save ([`vector_loads`]).

mod calls;
mod plan;
mod rewriter;

use clc_ir::{Block, Builder, Cfg, Function, TypePool, Value, ValueDef};
use rustc_hash::FxHashMap;

use crate::context::ModuleContext;
use crate::replacements::Replacements;
use crate::short_vectors::is_short_vector;
use crate::vector_loads;
use plan::Plan;
pub use plan::Worth;
use rewriter::Rewriter;

/// Takes the vectors of a function apart.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let types = &*context.types;
    if !function.values.iter().any(|value| is_short_vector(types, value.ty)) {
        return;
    }
    let cfg = Cfg::new(function);
    if function.layout.iter().any(|&block| !cfg.is_reachable(block)) {
        return;
    }
    if vector_loads::outweigh(context, function, &cfg) {
        return;
    }
    let plan = Plan::new(context, function, &cfg);
    if plan.is_empty() {
        return;
    }
    let mut components = vec![None; function.values.len()];
    let mut replacements = Replacements::default();
    for block in function.layout.clone() {
        take_parameters_apart(context.types, function, &plan, &mut components, block);
    }
    let mut rewriter = |function: &mut Function, block, work: &mut dyn FnMut(&mut Rewriter<'_>)| {
        work(&mut Rewriter {
            builder: Builder::new(context.types, context.consts, function, block),
            plan: &plan,
            components: &mut components,
            replacements: &mut replacements,
            whole: FxHashMap::default(),
        });
    };
    // Definitions come before their uses in this order.
    for &block in cfg.reverse_post_order() {
        rewriter(function, block, &mut |rewriter| rewriter.instructions(block));
    }
    // What edges back pass on is known now.
    for &block in cfg.reverse_post_order() {
        rewriter(function, block, &mut |rewriter| rewriter.pass_components(block));
    }
    replacements.apply(function);
}

/// Replaces the parameters that are taken apart by their components, which come last.
fn take_parameters_apart(
    types: &TypePool,
    function: &mut Function,
    plan: &Plan,
    components: &mut [Option<Box<[Value]>>],
    block: Block,
) {
    let params = std::mem::take(&mut function.blocks[block].params);
    let (vectors, rest): (Vec<Value>, Vec<Value>) =
        params.into_iter().partition(|&param| plan.is_apart(param));
    for (position, param) in rest.iter().enumerate() {
        function.values[param.as_local().unwrap_or_default()].def =
            ValueDef::Param(block, position as u32);
    }
    function.blocks[block].params = rest;
    for param in vectors {
        let index = param.as_local().unwrap_or_default();
        let ty = function.values[index].ty;
        let scalars = (0..types.lanes(ty))
            .map(|_| function.add_block_param(block, types.scalar(ty)))
            .collect();
        components[index] = Some(scalars);
    }
}
