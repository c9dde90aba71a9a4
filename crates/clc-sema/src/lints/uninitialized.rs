//! Reads of variables that have no value.

use clc_base::Diagnostic;
use clc_base::dominators::NONE;
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::Lints;
use super::flow::Flow;
use crate::diagnostics::lints::{W0870, W0871, W0872};
use crate::flow::graph::{Block, Event, Terminator, Variable};
use crate::flow::values::{Definition, Value};
use crate::hir::{ExprId, LocalId};

/// Which values stand for the absence of one: for certain, and perhaps.
pub(super) struct Absence {
    pub surely: Vec<bool>,
    pub perhaps: Vec<bool>,
}

impl Absence {
    /// `is_absent` says which of the initial values are none.
    pub fn new(flow: &Flow<'_>, is_absent: impl Fn(Value) -> bool) -> Absence {
        let definitions = &flow.values.definitions;
        let count = definitions.len();
        // Phis that each value flows into.
        let mut starts = vec![0u32; count + 1];
        let arrivals = || {
            definitions.iter().enumerate().filter_map(|(index, definition)| match definition {
                Definition::Phi { values, .. } => Some((index as u32, values)),
                Definition::Initial | Definition::Event { .. } => None,
            })
        };
        for (_, values) in arrivals() {
            for &value in values.iter().filter(|&&value| value != NONE) {
                starts[value as usize + 1] += 1;
            }
        }
        for index in 0..count {
            starts[index + 1] += starts[index];
        }
        let mut fill = starts.clone();
        let mut into = vec![0u32; starts[count] as usize];
        for (phi, values) in arrivals() {
            for &value in values.iter().filter(|&&value| value != NONE) {
                into[fill[value as usize] as usize] = phi;
                fill[value as usize] += 1;
            }
        }
        let spread = |from: &mut dyn Iterator<Item = Value>| {
            let mut reached = vec![false; count];
            let mut pending: Vec<Value> = from.collect();
            while let Some(value) = pending.pop() {
                if !std::mem::replace(&mut reached[value as usize], true) {
                    let range =
                        starts[value as usize] as usize..starts[value as usize + 1] as usize;
                    pending.extend(&into[range]);
                }
            }
            reached
        };
        let absent = |&value: &Value| {
            matches!(definitions[value as usize], Definition::Initial) && is_absent(value)
        };
        let perhaps = spread(&mut (0..count as u32).filter(absent));
        let present = spread(&mut (0..count as u32).filter(|value| {
            !matches!(definitions[*value as usize], Definition::Phi { .. }) && !absent(value)
        }));
        let surely =
            perhaps.iter().zip(&present).map(|(&perhaps, &present)| perhaps && !present).collect();
        Absence { surely, perhaps }
    }
}

pub(super) fn check(lints: &mut Lints<'_>, flow: &Flow<'_>) {
    if !lints.any_on(&[&W0870, &W0871, &W0872]) {
        return;
    }
    let function = &lints.module.functions[flow.function];
    let values = flow.values;
    let is_local = |value: Value| match flow.variables[values.variable_of[value as usize] as usize]
    {
        Variable::Local(local) => {
            local.0 >= function.param_count && !function.locals[local].is_captured
        }
        Variable::Shared(_) => false,
    };
    let absence = Absence::new(flow, is_local);
    if !absence.perhaps.contains(&true) {
        return;
    }
    let mut reported: FxHashSet<LocalId> = FxHashSet::default();
    // Enough for functions written by hand; generated ones may be longer and get no warning.
    let mut budget = 64 * (flow.graph.blocks.len() + 64);
    for &block in &flow.graph.order {
        for index in flow.graph.blocks[block as usize].events.clone() {
            let Event::Read { variable: Variable::Local(local), target, .. } =
                flow.graph.events[index as usize]
            else {
                continue;
            };
            let value = values.read[index as usize];
            if value == NONE || !absence.perhaps[value as usize] || reported.contains(&local) {
                continue;
            }
            if absence.surely[value as usize] {
                reported.insert(local);
                surely(lints, flow, local, target);
            } else if let Some(edge) = certain_edge(flow, &absence, block, value, &mut budget) {
                reported.insert(local);
                sometimes(lints, flow, local, target, edge);
            } else if lints.is_on(&W0872) {
                reported.insert(local);
                let name = lints.local_name(flow.function, local);
                let declared = function.locals[local].span;
                let message = format!("`{name}` may have no value here");
                lints.report(
                    Diagnostic::new(&W0872, lints.span(target), message)
                        .at("some paths lead here without a value")
                        .label(declared, "declared here without a value"),
                );
            }
        }
    }
}

fn surely(lints: &mut Lints<'_>, flow: &Flow<'_>, local: LocalId, target: ExprId) {
    let name = lints.local_name(flow.function, local);
    let declared = lints.module.functions[flow.function].locals[local].span;
    let message = format!("`{name}` is used and has no value");
    lints.report(
        Diagnostic::new(&W0870, lints.span(target), message)
            .at("read before it is set")
            .label(declared, "declared here without a value")
            .help("give it a value where it is declared"),
    );
}

fn sometimes(
    lints: &mut Lints<'_>,
    flow: &Flow<'_>,
    local: LocalId,
    target: ExprId,
    edge: (Block, Block),
) {
    let name = lints.local_name(flow.function, local);
    let declared = lints.module.functions[flow.function].locals[local].span;
    let message = format!("`{name}` is used here and has no value on one path that leads here");
    let mut diagnostic = Diagnostic::new(&W0871, lints.span(target), message).at("read here");
    if let Some((span, label)) = decision(lints, flow, edge) {
        diagnostic = diagnostic.label(span, label);
    }
    lints.report(
        diagnostic
            .label(declared, "declared here without a value")
            .help("give it a value where it is declared"),
    );
}

/// What decides that control takes an edge: the last choice before it.
fn decision(
    lints: &Lints<'_>,
    flow: &Flow<'_>,
    (mut from, mut to): (Block, Block),
) -> Option<(clc_base::Span, &'static str)> {
    for _ in 0..64 {
        match &flow.graph.blocks[from as usize].terminator {
            Terminator::Branch { condition, when_true, .. } => {
                let label = if *when_true == to { "if this is true" } else { "if this is false" };
                return Some((lints.span(*condition), label));
            }
            Terminator::Switch { selector, .. } => {
                return Some((lints.span(*selector), "if this has no case of its own"));
            }
            Terminator::Jump(_) | Terminator::End | Terminator::Return => {}
        }
        let [previous] = flow.graph.predecessors(from) else { return None };
        (from, to) = (*previous, from);
    }
    None
}

/// An edge on which the variable surely has no value and which cannot but lead to the read, other
/// than through a loop, whose end may depend on the same condition as the value.
fn certain_edge(
    flow: &Flow<'_>,
    absence: &Absence,
    block: Block,
    value: Value,
    budget: &mut usize,
) -> Option<(Block, Block)> {
    let graph = flow.graph;
    let mut visited: FxHashMap<Block, usize> = FxHashMap::default();
    visited.insert(block, usize::MAX / 2);
    let mut pending = vec![(block, value)];
    while let Some((block, value)) = pending.pop() {
        let phi = match &flow.values.definitions[value as usize] {
            Definition::Phi { block: at, values } if *at == block => Some(values),
            _ => None,
        };
        for (arrival, &source) in graph.predecessors(block).iter().enumerate() {
            *budget = budget.checked_sub(1)?;
            let before = phi.map_or(value, |values| values[arrival]);
            if before == NONE || !absence.perhaps[before as usize] {
                continue;
            }
            let seen = visited.entry(source).or_insert(0);
            *seen += 1;
            if phi.is_some() && absence.surely[before as usize] {
                // Around a loop the variable has no value because its declaration comes again.
                let is_back = graph.position[source as usize] >= graph.position[block as usize];
                if !is_back {
                    return Some((source, block));
                }
                continue;
            }
            if *seen == graph.successors(source).count() {
                pending.push((source, before));
            }
        }
    }
    None
}
