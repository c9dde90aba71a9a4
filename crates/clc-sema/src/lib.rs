//! Semantic analysis: from the syntax tree to the typed tree ([`hir`]).
//!
//! Types, layout, conversions, overload choice, constant evaluation and the address-space rules
//! live here. The result has every implicit conversion made explicit.

mod constants;
pub mod context;
mod conversions;
pub mod diagnostics;
mod expressions;
pub mod hir;
mod literals;
pub mod scopes;
mod spelling;
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
    let _ = (ast, interner);
    let pointer_size = options.address_bits.bytes();
    let module = hir::Module {
        types: types::TypeTable::new(pointer_size),
        exprs: Default::default(),
        stmts: Default::default(),
        functions: Default::default(),
        globals: Default::default(),
        version: options.version,
        float_options: options.float,
    };
    (module, Vec::new())
}
