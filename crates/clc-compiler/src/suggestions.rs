//! What a stage cannot know of a mistake, and another does.

use clc_base::{Diagnostic, Interner, SourceMap};
use clc_syntax::preprocess;

/// Adds to names that are not declared the macros that they may be meant to be, which the
/// preprocessor alone knows.
pub(crate) fn suggest_macros(
    diagnostics: &mut [Diagnostic],
    macros: &preprocess::MacroNames,
    sources: &SourceMap,
    interner: &Interner,
) {
    const MOST_GUESSES: usize = 16;
    let undeclared = |diagnostic: &&mut Diagnostic| {
        diagnostic.code.name == "undeclared-identifier" && diagnostic.fix.is_none()
    };
    for diagnostic in diagnostics.iter_mut().filter(undeclared).take(MOST_GUESSES) {
        let span = diagnostic.primary.span;
        let Some(text) = sources.text(span) else { continue };
        // With other options the name exists, and no other one is meant.
        if macros.names(interner).any(|name| name == text) {
            continue;
        }
        let guess = clc_base::diagnostic::did_you_mean(text, macros.names(interner));
        if let Some(guess) = guess.map(str::to_owned) {
            *diagnostic = diagnostic.clone().suggest(span, Some(guess));
        }
    }
}
