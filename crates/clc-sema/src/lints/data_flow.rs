//! The lints of control and data flow: which bodies they have to look at, and what they share.

use clc_base::{Arena, Id};
use rustc_hash::FxHashSet;

use super::context::Lints;
use super::flow::Flow;
use super::walker::{Body, LocalUse, Uses};
use super::{dead_stores, divergence, local_memory, uninitialized, unreachable};
use crate::diagnostics::lints::*;
use crate::flow::graph::{Event, Graph, Variable};
use crate::flow::values::Values;
use crate::hir::{FuncId, LocalId};
use crate::types::Type;

pub(super) fn check(lints: &mut Lints<'_>, uses: &Uses) {
    let data = [&W0809, &W0870, &W0871, &W0872, &W0880, &W0881, &W0882];
    let wants_data = lints.any_on(&data);
    if !wants_data && !lints.is_on(&W0873) {
        return;
    }
    let returns: Vec<_> = uses
        .bodies
        .iter()
        .flat_map(|body| body.returns.iter().map(|&value| (body.function, value)))
        .collect();
    let collective = divergence::Functions::new(lints, &returns);
    for body in &uses.bodies {
        one(lints, body, &collective, wants_data);
    }
}

fn one(lints: &mut Lints<'_>, body: &Body, functions: &divergence::Functions, wants_data: bool) {
    let module = lints.module;
    let function = &module.functions[body.function];
    let Some(root) = function.body else { return };
    // What may be asked at all: variables that begin without a value, parameters that are
    // written, barriers, variables in local memory.
    let has_collective = functions.is_collective(body.function);
    let has_plain_local = lints.any_on(&[&W0870, &W0871, &W0872]) && body.has_unset_local;
    let has_written_parameter = lints.is_on(&W0809)
        && (0..function.param_count).any(|index| body.locals[LocalId(index)].is_written);
    let asks_data = wants_data
        && (has_plain_local
            || has_written_parameter
            || body.has_shared && lints.any_on(&[&W0881, &W0882])
            || has_collective && lints.is_on(&W0880));
    let asks_reach = lints.is_on(&W0873) && body.has_jump;
    if !asks_data && !asks_reach {
        return;
    }
    let graph = Graph::new(module, root);
    unreachable::check(lints, &graph);
    if !asks_data {
        return;
    }
    let variables = followed(lints, body.function, &body.locals, &graph);
    let idom = graph.dominators();
    let values = Values::new(&graph, &idom, &variables);
    let flow =
        Flow { function: body.function, graph: &graph, variables: &variables, values: &values };
    uninitialized::check(lints, &flow);
    dead_stores::check(lints, &flow, body);
    let divergence =
        if has_collective { Some(divergence::check(lints, &flow, functions)) } else { None };
    if body.has_shared {
        local_memory::check(lints, &flow, functions, divergence);
    }
}

/// Variables whose values can be followed: those of one piece whose address is not taken, and those
/// in `local` memory, of which it only matters whether they were written.
fn followed(
    lints: &Lints<'_>,
    function: FuncId,
    uses: &Arena<LocalId, LocalUse>,
    graph: &Graph,
) -> Vec<Variable> {
    let module = lints.module;
    let mut variables = Vec::new();
    for (index, local) in module.functions[function].locals.values().enumerate() {
        let id = LocalId::from_index(index);
        let is_one_piece = matches!(
            module.types.get(local.ty.ty),
            Type::Scalar(_) | Type::Vector(..) | Type::Pointer { .. } | Type::Enum(_)
        );
        if is_one_piece && !uses[id].is_exposed {
            variables.push(Variable::Local(id));
        }
    }
    let mut shared = FxHashSet::default();
    for event in &graph.events {
        if let Event::Read { variable, .. }
        | Event::Write { variable, .. }
        | Event::Expose { variable } = *event
            && matches!(variable, Variable::Shared(_))
            && shared.insert(variable)
        {
            variables.push(variable);
        }
    }
    variables
}
