//! Rejects recursion: the call graph of an entry point has no cycles (SPIR-V 2.16.1).

use clc_base::arena::Id as _;
use clc_base::{Diagnostic, Span};
use clc_ir::{FuncId, Function, InstKind, Module};

use crate::diagnostics;

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

pub(crate) fn check(module: &Module) -> Result<(), Vec<Diagnostic>> {
    let calls: Vec<Vec<(FuncId, Span)>> = module.functions.values().map(calls).collect();
    let mut states = vec![State::New; calls.len()];
    let mut errors = Vec::new();
    for root in module.functions.ids() {
        if module.functions[root].entry_point.is_none() || states[root.index()] != State::New {
            continue;
        }
        states[root.index()] = State::Open;
        let mut stack = vec![(root, 0)];
        while let Some((function, next)) = stack.last_mut() {
            let Some(&(callee, span)) = calls[function.index()].get(*next) else {
                states[function.index()] = State::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            match states[callee.index()] {
                State::New => {
                    states[callee.index()] = State::Open;
                    stack.push((callee, 0));
                }
                State::Open => {
                    let name = &module.functions[callee].name;
                    errors.push(
                        Diagnostic::new(
                            &diagnostics::E0701,
                            span,
                            format!("`{name}` calls itself, directly or through others"),
                        )
                        .at("this call closes the circle")
                        .label(module.functions[callee].span, format!("`{name}` is defined here"))
                        .note("recursion is not supported in OpenCL C"),
                    );
                }
                State::Done => {}
            }
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn calls(function: &Function) -> Vec<(FuncId, Span)> {
    let insts = function.layout.iter().flat_map(|&block| &function.blocks[block].insts);
    insts
        .filter_map(|&inst| match function.insts[inst].kind {
            InstKind::Call { callee, .. } => Some((callee, function.insts[inst].location.span)),
            _ => None,
        })
        .collect()
}
