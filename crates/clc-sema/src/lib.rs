//! Semantic analysis: from the syntax tree to the typed tree ([`hir`]).
//!
//! Types, layout, conversions, overload choice, constant evaluation and the address-space rules
//! live here. The result has every implicit conversion made explicit.

#![warn(missing_docs)]

mod attributes;
mod blocks;
mod builtin_calls;
mod calls;
mod consequences;
mod constants;
mod context;
mod conversions;
mod declarations;
mod declarators;
mod device_calls;
mod diagnostics;
pub mod dump;
mod expressions;
mod flow;
mod folding;
mod gnu_builtins;
pub mod hir;
pub mod index;
mod initializers;
mod layout;
mod lints;
mod literals;
mod matrices;
mod missing_return;
mod overloads;
mod parameter_spaces;
mod parameters;
mod pointers;
mod predeclared;
mod printf;
mod requirements;
mod scopes;
mod specialization;
mod specifiers;
mod spelling;
mod statements;
mod swizzles;
mod type_names;
pub mod types;
pub mod verify;

use clc_base::{Diagnostic, Interner};
use clc_syntax::ast::Ast;

pub use context::SemaOptions;
pub use diagnostics::CODES;
pub use lints::LintOptions;
pub use spelling::{declaration_text, type_text};

/// Analyses a translation unit. If a diagnostic is an error, the module must not be lowered.
pub fn check(
    ast: &Ast,
    options: &SemaOptions,
    interner: &mut Interner,
) -> (hir::Module, Vec<Diagnostic>) {
    check_and_lint(ast, options, None, interner)
}

/// [`check`], and then the lints, of which functions with errors are left out.
pub fn check_and_lint(
    ast: &Ast,
    options: &SemaOptions,
    lint_options: Option<&LintOptions<'_>>,
    interner: &mut Interner,
) -> (hir::Module, Vec<Diagnostic>) {
    let (module, diagnostics, _) = analyse(ast, options, lint_options, None, interner);
    (module, diagnostics)
}

/// [`check_and_lint`], which also writes down what names mean.
pub fn check_and_index(
    ast: &Ast,
    options: &SemaOptions,
    lint_options: Option<&LintOptions<'_>>,
    interner: &mut Interner,
) -> (hir::Module, Vec<Diagnostic>, index::Index) {
    let (module, diagnostics, index) =
        analyse(ast, options, lint_options, Some(Box::default()), interner);
    (module, diagnostics, index.map(|index| *index).unwrap_or_default())
}

fn analyse(
    ast: &Ast,
    options: &SemaOptions,
    lint_options: Option<&LintOptions<'_>>,
    index: Option<Box<index::Index>>,
    interner: &mut Interner,
) -> (hir::Module, Vec<Diagnostic>, Option<Box<index::Index>>) {
    let mut sema = context::Sema::new(ast, options, interner);
    sema.index = index;
    sema.translation_unit();
    sema.check_matrices_of_context();
    let has_errors = ast.has_errors || sema.diagnostics.iter().any(Diagnostic::is_error);
    let suspects = &ast.suspects;
    sema.diagnostics.retain(|diagnostic| {
        let span = diagnostic.primary.span;
        // Which block a variable names is known only where everything else is.
        let is_whole = diagnostic.code.id != diagnostics::blocks::E0470.id || !ast.has_errors;
        is_whole && !suspects.iter().any(|suspect| suspect.lo <= span.lo && span.hi <= suspect.hi)
    });
    if cfg!(debug_assertions) && !has_errors {
        verify::module(&sema.module).expect("the typed tree satisfies its invariants");
    }
    if let Some(options) = lint_options {
        let unsound = match has_errors {
            true => Some(lints::Unsound::new(&mut sema)),
            false => None,
        };
        let (owned, unsound) = (&sema.declared.bodies, unsound.as_ref());
        let found =
            lints::run(ast, &sema.module, sema.interner, &sema.notes, owned, unsound, options);
        sema.diagnostics.extend(found);
        if let Some(unsound) = unsound {
            unsound.restore(&mut sema.module);
        }
    }
    (sema.module, sema.diagnostics, sema.index)
}
