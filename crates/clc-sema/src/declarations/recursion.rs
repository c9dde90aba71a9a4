//! Recursion is not supported (OpenCL C 6.11).

use clc_base::{Diagnostic, Span};

use crate::context::Sema;
use crate::diagnostics::declarations as codes;
use crate::hir::{ExprKind, FuncId};

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Unseen,
    /// On the path that is being followed.
    Open,
    Done,
}

impl Sema<'_> {
    /// Reports each cycle of the call graph that a depth-first walk meets.
    pub(crate) fn check_recursion(&mut self) {
        let calls = self.calls();
        let mut states = vec![State::Unseen; calls.len()];
        for start in 0..calls.len() {
            if states[start] != State::Unseen {
                continue;
            }
            // Function and the next of its calls to follow.
            let mut path: Vec<(usize, usize)> = vec![(start, 0)];
            states[start] = State::Open;
            while let Some((function, next)) = path.last_mut() {
                let Some(&(callee, span)) = calls[*function].get(*next) else {
                    states[*function] = State::Done;
                    path.pop();
                    continue;
                };
                *next += 1;
                match states[callee] {
                    State::Unseen => {
                        states[callee] = State::Open;
                        path.push((callee, 0));
                    }
                    State::Open => {
                        let cycle: Vec<usize> = path
                            .iter()
                            .map(|&(function, _)| function)
                            .skip_while(|&function| function != callee)
                            .collect();
                        self.report_recursion(&cycle, span);
                    }
                    State::Done => {}
                }
            }
        }
    }

    /// The calls of each function body, by function: a callee once.
    fn calls(&self) -> Vec<Vec<(usize, Span)>> {
        let mut calls: Vec<Vec<(usize, Span)>> = vec![Vec::new(); self.module.functions.len()];
        // The caller that saw each callee last.
        let mut last_caller = vec![usize::MAX; calls.len()];
        for (caller, range) in &self.declared.bodies {
            let caller = caller.0 as usize;
            for index in range.clone() {
                let expr = &self.module.exprs[crate::hir::ExprId(index)];
                if let ExprKind::Call { callee, .. }
                | ExprKind::BlockCall { function: callee, .. } = expr.kind
                {
                    let callee = callee.0 as usize;
                    if last_caller[callee] != caller {
                        last_caller[callee] = caller;
                        calls[caller].push((callee, expr.span));
                    }
                }
            }
        }
        calls
    }

    fn report_recursion(&mut self, cycle: &[usize], span: Span) {
        let name =
            |index: usize| self.interner.resolve(self.module.functions[FuncId(index as u32)].name);
        let message = match cycle {
            [only] => format!("`{}` calls itself", name(*only)),
            [first, last] => format!("`{}` calls itself through `{}`", name(*first), name(*last)),
            [first, .., last] => format!(
                "`{}` calls itself through `{}` and {} more",
                name(*first),
                name(*last),
                cycle.len() - 2
            ),
            [] => return,
        };
        let mut diagnostic = Diagnostic::new(&codes::E0215, span, message)
            .at("this call closes the cycle")
            .help("write the recursion as a loop");
        for &function in cycle.iter().take(4) {
            let declared = self.module.functions[FuncId(function as u32)].span;
            diagnostic = diagnostic.label(declared, "part of the cycle");
        }
        self.report(diagnostic);
    }
}
