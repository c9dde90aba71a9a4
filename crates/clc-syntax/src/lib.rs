//! From text to syntax tree: preprocessor, lexer and grammar of OpenCL C.
//!
//! * [`preprocess`] turns files into [`Token`](token::Token)s (C99 6.10 and the OpenCL directives);
//! * [`parse`] turns tokens into an [`Ast`](ast::Ast) with a chumsky grammar whose functions are
//!   named after the productions of C99 and OpenCL C.
//!
//! Nothing here knows types; the only thing the grammar asks of names is whether they name a type.

#![warn(missing_docs)]

pub mod ast;
pub mod diagnostics;
mod lex;
pub mod parse;
pub mod preprocess;
pub mod token;
