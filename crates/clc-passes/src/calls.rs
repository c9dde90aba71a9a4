//! Which functions call which.

use clc_base::{Arena, Id};
use clc_ir::{FuncId, Function, InstKind};

/// By function: how often it is there once all calls are inlined, once at least.
pub(crate) fn copies(functions: &Arena<FuncId, Function>) -> Vec<u64> {
    let mut copies = vec![0u64; functions.len()];
    for id in callees_first(functions).into_iter().rev() {
        let own = copies[id.index()].max(1);
        copies[id.index()] = own;
        each_call(&functions[id], |callee| {
            copies[callee.index()] = copies[callee.index()].saturating_add(own);
        });
    }
    copies
}

/// Visits the callee of each call.
pub(crate) fn each_call(function: &Function, mut visit: impl FnMut(FuncId)) {
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            if let InstKind::Call { callee, .. } = function.insts[inst].kind {
                visit(callee);
            }
        }
    }
}

/// All functions, each after those it calls, except in cycles.
pub fn callees_first(functions: &Arena<FuncId, Function>) -> Vec<FuncId> {
    let mut seen = vec![false; functions.len()];
    let mut order = Vec::with_capacity(functions.len());
    let callees = |id: FuncId| {
        let mut callees = Vec::new();
        each_call(&functions[id], |callee| callees.push(callee));
        callees.into_iter()
    };
    for root in functions.ids() {
        if std::mem::replace(&mut seen[root.index()], true) {
            continue;
        }
        let mut stack = vec![(root, callees(root))];
        while let Some((id, rest)) = stack.last_mut() {
            match rest.next() {
                Some(callee) => {
                    if !std::mem::replace(&mut seen[callee.index()], true) {
                        stack.push((callee, callees(callee)));
                    }
                }
                None => {
                    order.push(*id);
                    stack.pop();
                }
            }
        }
    }
    order
}
