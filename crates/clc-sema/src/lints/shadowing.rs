//! Variables that hide others.

use clc_base::{Diagnostic, Span};
use rustc_hash::FxHashSet;

use super::context::Lints;
use crate::diagnostics::lints::*;

pub(super) fn check(lints: &mut Lints<'_>) {
    if !lints.is_on(&W0811) || lints.notes.hiding.is_empty() {
        return;
    }
    let mut parameters: FxHashSet<Span> = FxHashSet::default();
    for function in lints.module.functions.values() {
        let count = function.param_count as usize;
        parameters.extend(function.locals.values().take(count).map(|local| local.span));
    }
    for hiding in &lints.notes.hiding {
        // The names that a macro chooses are not the choice of the program that uses it.
        if lints.in_macro(hiding.name) {
            continue;
        }
        let name = lints.sources.text(hiding.name).unwrap_or_default();
        let what = match (hiding.is_global, parameters.contains(&hiding.hidden)) {
            (true, _) => "variable at program scope",
            (false, true) => "parameter",
            (false, false) => "variable of an outer scope",
        };
        let message = format!("`{name}` hides a {what}");
        lints.report(
            Diagnostic::new(&W0811, hiding.name, message)
                .at(format!("another `{name}`"))
                .label(hiding.hidden, "declared here")
                .help("another name keeps both in sight"),
        );
    }
}
