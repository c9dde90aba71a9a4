//! What is wrong in the text of a macro is said once, however often the macro is used.

use std::collections::HashMap;

use clc_base::diagnostic::counted;
use clc_base::{Diagnostic, SourceMap};

/// Leaves of diagnostics that say the same of one place of a macro's text the first, which says how
/// many there were. What a macro got as arguments stands at the places of its uses, and what is wrong
/// with it is another mistake each time.
pub(crate) fn say_once(diagnostics: &mut Vec<Diagnostic>, sources: &SourceMap) {
    let in_macro =
        |diagnostic: &Diagnostic| sources.expansion_at(diagnostic.primary.span.lo).is_some();
    if diagnostics.iter().filter(|diagnostic| in_macro(diagnostic)).count() < 2 {
        return;
    }
    let mut first: HashMap<(&str, u32, String), usize> = HashMap::new();
    let mut more: HashMap<usize, usize> = HashMap::new();
    let mut kept: Vec<Diagnostic> = Vec::with_capacity(diagnostics.len());
    for diagnostic in diagnostics.drain(..) {
        if in_macro(&diagnostic) {
            let place = sources.spelling(diagnostic.primary.span.lo);
            let key = (diagnostic.code.id, place, diagnostic.message.clone());
            let index = *first.entry(key).or_insert(kept.len());
            if index < kept.len() {
                *more.entry(index).or_default() += 1;
                continue;
            }
        }
        kept.push(diagnostic);
    }
    *diagnostics = kept;
    for (index, count) in more {
        let diagnostic = &mut diagnostics[index];
        let uses = counted(count, "other use");
        diagnostic.notes.push(format!("the same at {uses} of the macro").into());
    }
}
