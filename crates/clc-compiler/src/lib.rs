//! An OpenCL C (1.0 to 3.1) to SPIR-V compiler, as a library.
//!
//! ```
//! let source = "kernel void twice(global float *x) { x[get_global_id(0)] *= 2.0f; }";
//! let compilation = clc::Compiler::new().compile("twice.cl", source);
//! match compilation.words() {
//!     Some(words) => println!("{} words of SPIR-V", words.len()),
//!     None => eprint!("{}", clc::render::render_all(
//!         &compilation.diagnostics, &compilation.sources, clc::render::Style::default())),
//! }
//! ```
//!
//! Compiling touches nothing but its arguments: include files come from an
//! [`IncludeResolver`], diagnostics are data. [`fs`] is the edge to the file system, [`render`]
//! makes text of diagnostics, [`guard`] turns broken invariants into reports.

#![warn(missing_docs)]

#[cfg(feature = "cli")]
pub mod cli;
pub mod codes;
pub mod compiler;
mod dump;
mod front_end;
pub mod fs;
pub mod guard;
#[doc(hidden)]
pub mod library;
mod object;
pub mod options;
#[cfg(feature = "json")]
pub mod profile;
pub mod reflection;
pub mod render;
mod repetitions;
mod smallest;
mod suggestions;
pub mod warnings;
mod watch;

pub use clc_base::lang::{AddressBits, FloatOptions};
pub use clc_base::{AddressSpace, Diagnostic, Severity, SourceMap, Span, Version};
pub use clc_legalise::{DebugLevel, Environment as TargetEnv, TargetOptions};
pub use clc_syntax::preprocess::{
    IncludeKind, IncludeRequest, IncludeResolver, Included, NoIncludes,
};
pub use compiler::{Artifact, Compilation, Emit, Timing, compile};
pub use options::{CommandLineMacro, OptLevel, Options, SpirvExtensions, Unit};
pub use warnings::WarningOptions;

/// [`Options`] and a place that include files come from.
pub struct Compiler<'a> {
    /// Of every compilation.
    pub options: Options,
    resolver: Box<dyn IncludeResolver + 'a>,
}

impl Default for Compiler<'_> {
    fn default() -> Self {
        Compiler::new()
    }
}

impl<'a> Compiler<'a> {
    /// The default options, and no include files.
    pub fn new() -> Compiler<'a> {
        Compiler { options: Options::default(), resolver: Box::new(NoIncludes) }
    }

    /// Takes these options.
    pub fn with_options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Takes include files from `resolver`.
    pub fn with_resolver(mut self, resolver: impl IncludeResolver + 'a) -> Self {
        self.resolver = Box::new(resolver);
        self
    }

    /// Compiles to a module.
    pub fn compile(&mut self, name: &str, source: impl AsRef<[u8]>) -> Compilation {
        self.emit(name, source, Emit::Spirv)
    }

    /// Compiles as far as `emit` needs.
    pub fn emit(&mut self, name: &str, source: impl AsRef<[u8]>, emit: Emit) -> Compilation {
        compile(name, source.as_ref(), emit, &self.options, self.resolver.as_mut())
    }
}

/// The page of the guide, whose program is compiled and run with the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct Page;
