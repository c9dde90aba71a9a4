//! Refuses what SPIR-V has no form or no room for (2.17, universal limits), as far as types, constants,
//! variables and functions tell. Emission finds one more limit, the length of an instruction, for only it
//! knows how many words each has.

use clc_base::Diagnostic;
use clc_base::arena::Id as _;
use clc_ir::{
    Const, ConstId, FuncId, GlobalId, InstKind, Linkage, Module, Reached, STRUCT_MEMBERS, TypeKind,
    Value,
};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::TargetOptions;
use crate::diagnostics::{E0702, E0704, E0705, E0706, E0707};

const STRUCT_DEPTH: usize = 255;
const FUNCTION_PARAMETERS: usize = 255;
const GLOBAL_VARIABLES: usize = 65_535;
/// Variables for built-in values, which emission adds: at least as many as there are.
const BUILTIN_VARIABLES: usize = 64;

/// Returns everything that cannot be written.
pub(crate) fn check(module: &Module, options: &TargetOptions) -> Result<(), Vec<Diagnostic>> {
    let reached = options.written(module);
    let mut errors = Vec::new();
    functions(module, &reached, &mut errors);
    structs(module, &reached, &mut errors);
    samplers(module, &reached, &mut errors);
    initializers(module, &reached, &mut errors);
    if reached.globals.len() > GLOBAL_VARIABLES - BUILTIN_VARIABLES {
        let message = format!(
            "{} program-scope variables are used; SPIR-V allows {GLOBAL_VARIABLES}, and up to \
             {BUILTIN_VARIABLES} of them are for work-item functions",
            reached.globals.len()
        );
        errors.push(Diagnostic::without_place(&E0704, message));
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn functions(module: &Module, reached: &Reached<'_>, errors: &mut Vec<Diagnostic>) {
    for &id in &reached.functions {
        let function = &module.functions[id];
        if function.params.len() > FUNCTION_PARAMETERS {
            let message = format!(
                "`{}` has {} parameters, more than the {FUNCTION_PARAMETERS} that SPIR-V allows",
                function.name,
                function.params.len()
            );
            errors.push(
                Diagnostic::new(&E0704, function.span, message)
                    .at(format!("{} parameters", function.params.len())),
            );
        }
        if function.is_declaration() && function.linkage != Linkage::Import {
            let message = format!("`{}` is called but never defined", function.name);
            errors.push(
                Diagnostic::new(&E0707, function.span, message).at("declared without a body"),
            );
        }
        let mut addresses = Vec::new();
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                // Kernels that are enqueued are operands of a function of the library.
                if !matches!(function.insts[inst].kind, InstKind::Intrinsic { .. }) {
                    function.each_operand(inst, |value| addresses.extend(named(module, value)));
                }
            }
            function.each_terminator_operand(block, |value| addresses.extend(named(module, value)));
        }
        function_addresses(module, &addresses, errors);
    }
    for &id in &reached.consts {
        let mut addresses = Vec::new();
        module.consts.get(id).each_operand(|part| addresses.extend(named(module, part)));
        function_addresses(module, &addresses, errors);
    }
}

/// The function that a value is the address of.
fn named(module: &Module, value: Value) -> Option<FuncId> {
    match module.consts.get(value.as_const()?) {
        Const::FunctionAddress(_, function) => Some(*function),
        _ => None,
    }
}

fn function_addresses(module: &Module, addresses: &[FuncId], errors: &mut Vec<Diagnostic>) {
    for &id in addresses {
        let function = &module.functions[id];
        let message = format!("the address of `{}` is taken", function.name);
        errors.push(
            Diagnostic::new(&E0702, function.span, message)
                .at("used as a value")
                .note("SPIR-V for OpenCL has no function pointers"),
        );
    }
}

fn structs(module: &Module, reached: &Reached<'_>, errors: &mut Vec<Diagnostic>) {
    // By type: how many structs are in each other there; 0 is not known yet.
    let mut depths: Vec<usize> = vec![0; module.types.len()];
    for &ty in &reached.types {
        let TypeKind::Struct(id) = module.types.kind(ty) else { continue };
        let data = module.types.struct_data(id);
        if data.fields.len() > STRUCT_MEMBERS {
            let message = format!("struct `{}` has more than {STRUCT_MEMBERS} members", data.name);
            errors.push(Diagnostic::without_place(&E0704, message));
        }
        // Members that are structs first; no struct contains itself.
        let mut open = vec![ty];
        while let Some(&ty) = open.last() {
            let mut depth = usize::from(matches!(module.types.kind(ty), TypeKind::Struct(_)));
            let before = open.len();
            if !module.types.is_pointer(ty) {
                let mut inner = 0;
                module.types.each_part(ty, |part| match depths[part.index()] {
                    0 => open.push(part),
                    known => inner = inner.max(known - 1),
                });
                depth += inner;
            }
            if open.len() == before {
                // One more, so that 0 is free.
                depths[ty.index()] = depth + 1;
                open.pop();
            }
        }
        // The innermost that is too deep says it.
        if depths[ty.index()] == STRUCT_DEPTH + 2 {
            let message = format!("structs are nested more than {STRUCT_DEPTH} deep");
            errors.push(Diagnostic::without_place(&E0704, message));
        }
    }
}

fn empty_graph(nodes: usize) -> DiGraph<(), ()> {
    let mut graph = DiGraph::with_capacity(nodes, 0);
    for _ in 0..nodes {
        graph.add_node(());
    }
    graph
}

/// The addressing modes have the numbers 0 to 4 (OpenCL C 6.15.15.1).
fn samplers(module: &Module, reached: &Reached<'_>, errors: &mut Vec<Diagnostic>) {
    for &id in &reached.consts {
        if let &Const::Sampler(_, bits) = module.consts.get(id)
            && bits >> 1 & 7 > 4
        {
            let message = format!("{bits:#x} is not a valid sampler value");
            errors.push(Diagnostic::without_place(&E0706, message));
        }
    }
}

/// An initializer comes before the variable it initializes, so no circle of them can be written.
fn initializers(module: &Module, reached: &Reached<'_>, errors: &mut Vec<Diagnostic>) {
    // By constant: whether it contains an address. Constants come after those that they are made of.
    let mut has_address = vec![false; module.consts.len()];
    for (id, constant) in module.consts.iter() {
        let mut has = matches!(constant, Const::GlobalAddress(..));
        constant.each_operand(|part| {
            has |= part.as_const().is_some_and(|part| has_address[part.index()]);
        });
        has_address[id.index()] = has;
    }
    let initializer = |id: GlobalId| {
        let constant = module.globals[id].initializer?.as_const()?;
        has_address[constant.index()].then_some(constant)
    };
    if !reached.globals.iter().any(|&id| initializer(id).is_some()) {
        return;
    }
    // Nodes are variables and then constants; edges go from what needs to what it needs.
    let variable = |id: GlobalId| NodeIndex::new(id.index());
    let node = |id: ConstId| NodeIndex::new(module.globals.len() + id.index());
    let mut graph = empty_graph(module.globals.len() + module.consts.len());
    for &id in &reached.globals {
        if let Some(constant) = initializer(id) {
            graph.add_edge(variable(id), node(constant), ());
        }
    }
    for &id in reached.consts.iter().filter(|id| has_address[id.index()]) {
        match module.consts.get(id) {
            Const::GlobalAddress(_, global) => {
                graph.add_edge(node(id), variable(*global), ());
            }
            constant => constant.each_operand(|part| {
                if let Some(part) = part.as_const().filter(|part| has_address[part.index()]) {
                    graph.add_edge(node(id), node(part), ());
                }
            }),
        }
    }
    for circle in kosaraju_scc(&graph) {
        // From a variable the way goes through constants, so that a circle has two nodes at least.
        let first = circle.iter().map(|node| node.index()).min();
        let Some(first) = first.filter(|_| circle.len() > 1) else { continue };
        let global = &module.globals[GlobalId::from_index(first)];
        let message = format!("the initializer of `{}` depends on its own address", global.name);
        errors.push(
            Diagnostic::new(&E0705, global.span, message)
                .at("its value contains its address")
                .note("in SPIR-V an initializer comes before the variable it initializes")
                .help("store the address in a kernel that runs first"),
        );
    }
}
