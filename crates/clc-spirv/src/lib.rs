//! The OpenCL back end: legalisation, SPIR-V emission and validation.
//!
//! [`compile`] makes the IR legal for the target — everything target-specific is a short pass in
//! `legalise` — and then walks it once, in `emit`, writing words.
//!
//! Invariants:
//! * What is written is reached from a kernel or from something exported; types, constants,
//!   variables and capabilities are declared when first asked for.
//! * The words depend on the module and the options alone: no walk follows the order of a hash.
//! * Blocks come in reverse post-order, so that only phis refer to what comes later.
//! * Emission cannot fail half-way: what SPIR-V cannot say becomes a diagnostic (E07xx), an
//!   undefined value takes its place, and no words are returned.
//! * A kernel is never called or exported; where the source calls one, the entry is a function of
//!   its own.

mod emit;
mod intrinsics;
mod legalise;
pub mod link;
mod options;
pub mod reflection;
mod text;
#[cfg(feature = "validate")]
mod validate;

pub mod diagnostics;

use clc_base::{Diagnostic, SourceMap, Span};
use clc_ir::Module;

pub use diagnostics::CODES;
pub use legalise::shader::{self, Shader};
pub use options::{Environment, MIN_MAX_PUSH_CONSTANT_SIZE, SpirvExtensions, TargetOptions};
pub use reflection::Reflection;
pub use text::disassemble;
#[cfg(feature = "validate")]
pub use validate::{ValidationError, validate};

/// What the back end makes of a module.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub words: Vec<u32>,
    /// For Vulkan only.
    pub reflection: Option<Reflection>,
}

/// Legalises `module` for an OpenCL environment and writes its kernels, exported functions and what
/// they reach as the words of a SPIR-V module.
pub fn compile(
    module: &mut Module,
    source_map: &SourceMap,
    options: &TargetOptions,
) -> Result<Compiled, Vec<Diagnostic>> {
    check_version(options, 0)?;
    legalise::module(module)?;
    let words = emit::emit(module, source_map, options, None)?;
    Ok(Compiled { words, reflection: None })
}

/// Writes a module that has been legalised for Vulkan by the two halves of [`shader`] and structured.
pub fn compile_shader(
    module: &mut Module,
    source_map: &SourceMap,
    options: &TargetOptions,
    shader: Shader,
) -> Result<Compiled, Vec<Diagnostic>> {
    // Vulkan 1.1 takes SPIR-V 1.3, and nobody offers the memory model with less.
    check_version(options, 3)?;
    shader::check_structure(module)?;
    let words = emit::emit(module, source_map, options, Some(&shader))?;
    Ok(Compiled { words, reflection: Some(shader.reflection) })
}

/// Reports a SPIR-V version that is not between 1.`least` and 1.6.
fn check_version(options: &TargetOptions, least: u8) -> Result<(), Vec<Diagnostic>> {
    let (major, minor) = options.spirv_version;
    if major == 1 && (least..=6).contains(&minor) {
        return Ok(());
    }
    let message = format!(
        "there is no support for SPIR-V {major}.{minor} in the environment {}",
        options.environment
    );
    Err(vec![
        Diagnostic::new(&diagnostics::E0700, Span::NONE, message)
            .help(format!("choose a version from 1.{least} to 1.6")),
    ])
}
