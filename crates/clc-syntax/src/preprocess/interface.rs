//! What preprocessing takes and returns.

use clc_base::lang::{AddressBits, FloatOptions};
use clc_base::{Diagnostic, FileId, Interner, Version};
use clc_builtins::ExtensionSet;

use crate::token::Token;

/// `#include "name"` or `#include <name>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IncludeKind {
    /// Looked for beside the including file first.
    Quote,
    /// `<name>`: looked for in the folders of `-I` and `-isystem` only.
    Angle,
    /// `#include_next`: in the folders behind the one that the including file is in.
    Next,
}

/// What an `#include`, a forced include or `__has_include` asks for.
#[derive(Clone, Copy, Debug)]
pub struct IncludeRequest<'a> {
    /// As written between the quotes or angle brackets.
    pub name: &'a str,
    /// Decides where the search begins.
    pub kind: IncludeKind,
    /// The name of the including file: that of the main file as given, or [`Included::name`].
    /// [`COMMAND_LINE`] for forced includes.
    pub from: &'a str,
}

/// A file that was found.
#[derive(Clone, Debug)]
pub struct Included {
    /// The identity of the file for `#pragma once` and include guards; also what diagnostics,
    /// `__FILE__` and dependency lists show.
    pub name: String,
    /// The bytes of the file; they need not be UTF-8.
    pub contents: Vec<u8>,
    /// Found in a system folder (`-isystem`): warnings about it are not shown.
    pub system: bool,
}

/// Brings in files. The library facade implements it on the file system, tests in memory.
pub trait IncludeResolver {
    /// `Ok(None)` if there is no such file; an error text if there is one that cannot be read.
    fn resolve(&mut self, request: &IncludeRequest<'_>) -> Result<Option<Included>, String>;

    /// The folders where it looked for a file that it did not find, in order, for a message; `None` if
    /// it has no such thing.
    fn searched(&mut self, _request: &IncludeRequest<'_>) -> Option<Vec<String>> {
        None
    }
}

/// A resolver that finds nothing.
pub struct NoIncludes;

impl IncludeResolver for NoIncludes {
    fn resolve(&mut self, _request: &IncludeRequest<'_>) -> Result<Option<Included>, String> {
        Ok(None)
    }
}

/// The name of the text that the options `-D` and `-U` make up.
pub const COMMAND_LINE: &str = "<command line>";

/// The name of the texts that define predefined macros.
pub(crate) const PREDEFINED: &str = "<predefined>";

/// `-D` and `-U`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandLineMacro {
    /// `NAME` or `NAME(parameters)`; without a value the macro is `1`.
    Define(String, Option<String>),
    /// The name; no macro needs to have it.
    Undefine(String),
}

/// What the meaning of a source text depends on before it is parsed.
#[derive(Clone, Debug)]
pub struct Options {
    /// `-cl-std`: the value of `__OPENCL_C_VERSION__`.
    pub version: Version,
    /// Each of these is a predefined macro with the value 1.
    pub extensions: ExtensionSet,
    /// Defines `__SPIRV32__` or `__SPIRV64__`, `__POINTER_WIDTH__` and the like.
    pub address_bits: AddressBits,
    /// Defines `__FAST_RELAXED_MATH__` and `__FINITE_MATH_ONLY__`.
    pub float: FloatOptions,
    /// Defines `__IMAGE_SUPPORT__`.
    pub image_support: bool,
    /// Defines `__OPTIMIZE__`.
    pub optimize: bool,
    /// In the order of the command line.
    pub macros: Vec<CommandLineMacro>,
    /// `-include`: read in this order before the main file.
    pub force_includes: Vec<String>,
    /// Seconds since 1970 for `__DATE__` and `__TIME__` (SOURCE_DATE_EPOCH); 0 without one, so
    /// that output is reproducible.
    pub timestamp: Option<u64>,
    /// Replace the trigraphs of C99 5.2.1.1.
    pub trigraphs: bool,
    /// Record what [`print_preprocessed`](super::print_preprocessed) needs.
    pub keep_layout: bool,
    /// Record [`Output::trace`].
    pub trace: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            version: Version::V1_2,
            extensions: ExtensionSet::default(),
            address_bits: AddressBits::Bits64,
            float: FloatOptions::default(),
            image_support: true,
            optimize: false,
            macros: Vec::new(),
            force_includes: Vec::new(),
            timestamp: None,
            trigraphs: false,
            keep_layout: false,
            trace: false,
        }
    }
}

/// The main file.
#[derive(Clone, Debug)]
pub struct FileInput {
    /// As diagnostics, `__FILE__` and `__BASE_FILE__` show it.
    pub name: String,
    /// The bytes of the file; they need not be UTF-8.
    pub bytes: Vec<u8>,
}

/// Where a token goes in printed output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Position in a file: of the token, or of the macro name it comes from.
    pub position: u32,
    /// White space stands before it.
    pub space: bool,
}

/// The result of preprocessing.
#[derive(Debug, Default)]
pub struct Output {
    /// The tokens of the translation unit; none after a fatal error.
    pub tokens: Vec<Token>,
    /// In the order in which they were found.
    pub diagnostics: Vec<Diagnostic>,
    /// Every file read by `#include` or as a forced include, each once, in order of first use.
    pub dependencies: Vec<String>,
    /// The main file; none if there was no room for it.
    pub main: Option<FileId>,
    /// Files found in system folders.
    pub system_files: Vec<FileId>,
    /// Parallel to `tokens` if [`Options::keep_layout`] is set, else empty.
    pub layout: Vec<Layout>,
    /// The macros that are defined at the end.
    pub macros: MacroNames,
    /// Empty unless [`Options::trace`] is set.
    pub trace: super::trace::Trace,
}

/// Which names are macros, for guesses at what a name that is unknown was meant to be.
#[derive(Debug, Default)]
pub struct MacroNames {
    /// By symbol, as the preprocessor has it.
    pub(super) by_symbol: Vec<u32>,
}

impl MacroNames {
    /// The macros of the program, and those that the language may define.
    pub fn names<'a>(&'a self, interner: &'a Interner) -> impl Iterator<Item = &'a str> {
        super::macros::defined(&self.by_symbol)
            .map(|symbol| interner.resolve(symbol))
            .chain(super::predefined::names())
    }
}
