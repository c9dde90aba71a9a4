//! From tokens to the syntax tree: the grammar of OpenCL C.
//!
//! The functions are named after the productions of C99 and OpenCL C; each returns the chumsky
//! parser of one. See `combinators` for the vocabulary, `input` for the state behind it and for how
//! errors travel, `names` for how identifiers become types, `recovery` for what happens after an
//! error.

use chumsky::prelude::*;
use clc_base::{Diagnostic, Interner};

use crate::ast::Ast;
use crate::token::Token;

mod attribute;
mod combinators;
mod declaration;
mod declarator;
mod dump;
mod errors;
mod expression;
mod initializer;
mod input;
mod names;
mod precedence;
pub mod predeclared;
mod pretokens;
mod record;
mod specifier;
mod statement;

pub use dump::dump;
pub use errors::similar_type;
pub(crate) use input::{MAX_CHAIN, MAX_NESTING};
pub use input::{MAX_ERRORS, ParseOptions};

/// Parses a translation unit. The tree is complete if no diagnostic is an error; after errors it has
/// nodes that stand for what did not parse, of which later stages say nothing.
pub fn parse(
    tokens: &[Token],
    interner: &mut Interner,
    options: &ParseOptions,
) -> (Ast, Vec<Diagnostic>) {
    let tokens = pretokens::prepare(tokens, interner, options.version);
    let mut state = input::State::new(&tokens, interner, *options);
    let _ = declaration::translation_unit().parse_with_state(&tokens[..], &mut state);
    (state.ast, state.diagnostics)
}
