//! Semantic analysis: from the syntax tree to the typed tree ([`hir`]).
//!
//! Types, layout, conversions, overload choice, constant evaluation and the address-space rules
//! live here. The result has every implicit conversion made explicit.

mod attributes;
mod builtin_calls;
mod calls;
mod constants;
pub mod context;
mod conversions;
mod declarations;
mod declarators;
pub mod diagnostics;
pub mod dump;
mod expressions;
mod folding;
pub mod hir;
mod initializers;
mod layout;
mod literals;
mod missing_return;
mod overloads;
mod pointers;
mod predeclared;
mod printf;
pub mod scopes;
mod specifiers;
mod spelling;
mod statements;
mod swizzles;
pub mod types;
pub mod verify;

use clc_base::{Diagnostic, Interner};
use clc_syntax::ast::Ast;

pub use context::SemaOptions;
pub use diagnostics::CODES;

/// Analyses a translation unit. If a diagnostic is an error, the module must not be lowered.
pub fn check(
    ast: &Ast,
    options: &SemaOptions,
    interner: &mut Interner,
) -> (hir::Module, Vec<Diagnostic>) {
    let mut sema = context::Sema::new(ast, options, interner);
    sema.translation_unit();
    if cfg!(debug_assertions) && !sema.diagnostics.iter().any(Diagnostic::is_error) {
        verify::module(&sema.module).expect("the typed tree keeps its promises");
    }
    (sema.module, sema.diagnostics)
}
