//! Assignments to parameters that nothing reads afterwards.

use clc_base::Diagnostic;
use clc_base::dominators::NONE;

use super::context::Lints;
use super::flow::Flow;
use super::walker::Body;
use crate::diagnostics::lints::W0809;
use crate::flow::graph::{Event, Variable};
use crate::flow::values::Definition;
use crate::types::Type;

pub(super) fn check(lints: &mut Lints<'_>, flow: &Flow<'_>, body: &Body) {
    if !lints.is_on(&W0809) {
        return;
    }
    // A value is needed if something reads it, or if it flows into one that is needed.
    let values = flow.values;
    let mut is_needed = vec![false; values.definitions.len()];
    let mut pending: Vec<u32> = values.read.iter().copied().filter(|&read| read != NONE).collect();
    while let Some(value) = pending.pop() {
        if std::mem::replace(&mut is_needed[value as usize], true) {
            continue;
        }
        match &values.definitions[value as usize] {
            Definition::Initial => {}
            Definition::Event { before, .. } => {
                if *before != NONE {
                    pending.push(*before);
                }
            }
            Definition::Phi { values, .. } => {
                pending.extend(values.iter().copied().filter(|&value| value != NONE));
            }
        }
    }
    let function = &lints.module.functions[flow.function];
    for (index, event) in flow.graph.events.iter().enumerate() {
        let Event::Write { variable: Variable::Local(local), expr, .. } = *event else { continue };
        let defined = values.defined[index];
        // Increments are part of how a pointer or counter is used; a last one costs nothing.
        // Nor does an assignment whose value is used at once.
        let is_assignment = body.assignments.contains(&expr);
        if local.0 >= function.param_count
            || defined == NONE
            || is_needed[defined as usize]
            || !is_assignment
            || !body.locals[local].is_read
            || function.locals[local].ty.quals.is_volatile
            || lints.in_macro(lints.span(expr))
        {
            continue;
        }
        // Pointers are stepped and reset as counters are.
        if matches!(lints.module.types.get(function.locals[local].ty.ty), Type::Pointer { .. }) {
            continue;
        }
        let name = lints.local_name(flow.function, local);
        let is_kernel = function.kernel.is_some();
        let mut diagnostic = Diagnostic::new(
            &W0809,
            lints.span(expr),
            format!("nothing reads `{name}` after this assignment"),
        )
        .at("the value stored here is lost")
        .label(function.locals[local].span, "a private copy of what was passed");
        if is_kernel {
            diagnostic = diagnostic
                .note("the host does not see it: only memory outlives the kernel")
                .help("store results through a `global` pointer");
        }
        lints.report(diagnostic);
    }
}
