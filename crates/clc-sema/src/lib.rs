//! Semantic analysis: from the syntax tree to the typed tree ([`hir`]).
//!
//! Types, layout, conversions, overload choice, constant evaluation and the address-space rules
//! live here. The result has every implicit conversion made explicit.

mod constants;
pub mod context;
mod conversions;
mod declarations;
pub mod diagnostics;
mod expressions;
pub mod hir;
mod initializers;
mod literals;
pub mod scopes;
mod spelling;
mod statements;
pub mod types;

use clc_base::{Diagnostic, Interner};
use clc_syntax::ast::Ast;

pub use context::SemaOptions;

/// Analyses a translation unit. If a diagnostic is an error, the module must not be lowered.
pub fn check(
    ast: &Ast,
    options: &SemaOptions,
    interner: &mut Interner,
) -> (hir::Module, Vec<Diagnostic>) {
    let sema = context::Sema::new(ast, options, interner);
    (sema.module, sema.diagnostics)
}
