//! From files to tokens: translation phases 1 to 4 of C99 5.1.1.2 and the directives of OpenCL C.
//!
//! [`preprocess`] reads the command line's macros, the forced includes and the main file, and
//! returns the tokens that the grammar sees. Files come from an [`IncludeResolver`]; nothing here
//! touches the file system, the environment or the clock.
//!
//! The parts: `crate::lex` cuts text into preprocessing tokens; `engine` stacks files and macro
//! expansions and hands out tokens; `expand` and `substitute` replace macros; `directive`,
//! `define`, `condition`, `include` and `pragma` carry out directives; `query` computes `__LINE__`
//! and the `__has_*` family; `predefined` is the table of the macros that exist without a
//! `#define`; `print` writes tokens back as text.
//!
//! Positions: a token from a file lies where it is written, and so do the arguments of a macro.
//! A token of a replacement list lies in the range that its expansion has in the
//! [`SourceMap`]. What `#` and `##` make lies where the operator and its operands stand in the
//! replacement list; the spelling of a token is always its symbol, not the text at its span.

use clc_base::{Interner, SourceMap};

mod condition;
mod define;
mod directive;
mod emit;
mod engine;
mod expand;
mod include;
mod interface;
mod loaded;
mod macros;
mod pack;
mod pragma;
mod predefined;
mod print;
mod query;
mod substitute;
mod trace;

pub use interface::{
    COMMAND_LINE, CommandLineMacro, FileInput, IncludeKind, IncludeRequest, IncludeResolver,
    Included, Layout, MacroNames, NoIncludes, Options, Output,
};
pub use print::print_preprocessed;
pub use trace::{MacroDefinition, MacroUse, Trace};

/// Preprocesses one translation unit. `interner` must begin as [`crate::token::interner`]
/// returns it.
pub fn preprocess(
    main: FileInput,
    options: &Options,
    resolver: &mut dyn IncludeResolver,
    map: &mut SourceMap,
    interner: &mut Interner,
) -> Output {
    engine::Preprocessor::new(options, resolver, map, interner).run(main)
}
