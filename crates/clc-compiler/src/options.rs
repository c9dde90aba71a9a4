//! Everything that decides what a compilation means and gives.

use clc_base::Version;
use clc_base::lang::{AddressBits, FloatOptions};
use clc_builtins::worst::Estimates;
use clc_legalise::Environment as TargetEnv;
pub use clc_legalise::{SpirvExtensions, TargetOptions};
pub use clc_lower::Unit;
pub use clc_passes::OptLevel;
pub use clc_syntax::preprocess::CommandLineMacro;

use crate::warnings::WarningOptions;

/// What a compilation is to give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Emit {
    /// Tokens after preprocessing, one a line.
    Tokens,
    /// Preprocessed text with line markers (`-E`).
    Preprocessed,
    /// The syntax tree, as text.
    Ast,
    /// The typed tree, as text.
    Hir,
    /// The IR after the passes, as text.
    Ir,
    /// The module, as words.
    #[default]
    Spirv,
    /// The module, disassembled (`-S`).
    #[cfg(feature = "asm")]
    Asm,
    /// What a host must know of a module ([`Compilation::description`](crate::Compilation::description)), without the module.
    Reflection,
    /// Only what the source includes.
    Deps,
    /// Nothing: check the source (`-fsyntax-only`).
    Nothing,
}

/// The options of a compilation. [`Options::default`] is what `clc kernel.cl` uses: OpenCL C 1.2,
/// 64-bit pointers, `-O`, for OpenCL 3.0 drivers.
#[derive(Clone, Debug)]
pub struct Options {
    /// `-cl-std=`
    pub version: Version,
    /// `-cl-ext=`: lists like `-all,+cl_khr_fp64` that change the target's defaults, in order.
    pub extensions: Vec<String>,
    /// `-D` and `-U`, in order.
    pub macros: Vec<CommandLineMacro>,
    /// `-include`, in order.
    pub force_includes: Vec<String>,
    /// The floating-point options of `clBuildProgram`.
    pub float: FloatOptions,
    /// Accesses of different types are to different objects, by the rules of C99 6.5p7;
    /// `-fno-strict-aliasing` turns it off.
    pub strict_aliasing: bool,
    /// Sums, differences and products of signed integers that do not fit wrap, and are not undefined (C99 6.5p5):
    /// `-fwrapv`.
    pub signed_overflow_wraps: bool,
    /// `-m32`, `-m64`
    pub address_bits: AddressBits,
    /// `--target-env` and what else decides how the module is written; an environment alone, by
    /// `into`, has the usual options.
    pub target: TargetOptions,
    /// `-O`, `-Os`, `-O0`
    pub opt_level: OptLevel,
    /// `-c`: a part of a program, to be linked with others.
    pub unit: Unit,
    /// Computes what shaders have no instruction for as for a shader, with these results of inexact
    /// operations in the library's functions; for tests.
    #[doc(hidden)]
    pub expand_operations: Option<Estimates>,
    /// `-W`, `-w`
    pub warnings: WarningOptions,
    /// Errors to show before the rest is only counted; 0 for all.
    pub error_limit: usize,
    /// Validate the module (needs the cargo feature `validate`).
    pub validate: bool,
    /// Describe the module too ([`Compilation::description`](crate::Compilation)).
    pub describe: bool,
    /// Run the IR verifier after every pass.
    pub verify_each: bool,
    /// End the pass pipeline after the first run of this pass.
    pub stop_after: Option<String>,
    /// How many passes run as the level says, before those that have to run alone.
    pub passes_limit: Option<u32>,
    /// Keep the IR after every run of these passes (`all` for each pass).
    pub print_after: Vec<String>,
    /// Measure stages and passes.
    pub time_passes: bool,
    /// Seconds since 1970 for `__DATE__` and `__TIME__`.
    pub timestamp: Option<u64>,
    /// `-trigraphs`
    pub trigraphs: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            version: Version::V1_2,
            extensions: Vec::new(),
            macros: Vec::new(),
            force_includes: Vec::new(),
            float: FloatOptions::default(),
            strict_aliasing: true,
            signed_overflow_wraps: false,
            address_bits: AddressBits::Bits64,
            target: TargetEnv::OpenCl { major: 3, minor: 0 }.into(),
            opt_level: OptLevel::O,
            unit: Unit::Program,
            expand_operations: None,
            warnings: WarningOptions::default(),
            error_limit: 100,
            validate: true,
            describe: false,
            verify_each: false,
            stop_after: None,
            passes_limit: None,
            print_after: Vec::new(),
            time_passes: false,
            timestamp: None,
            trigraphs: false,
        }
    }
}

impl Options {
    /// `-D NAME` or `-D NAME=VALUE`, as one text.
    pub fn define(&mut self, definition: &str) -> &mut Self {
        let (name, value) = match definition.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (definition, None),
        };
        self.macros.push(CommandLineMacro::Define(name.to_owned(), value));
        self
    }

    /// `-U NAME`
    pub fn undefine(&mut self, name: &str) -> &mut Self {
        self.macros.push(CommandLineMacro::Undefine(name.to_owned()));
        self
    }
}
