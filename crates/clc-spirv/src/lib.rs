//! The back end proper: SPIR-V emission, validation, linking and disassembly.
//!
//! [`compile`] walks a module that `clc-legalise` has made legal for its target once, in `emit`,
//! writing words.
//!
//! Invariants:
//! * What is written is reached from a kernel or from something exported; types, constants,
//!   variables and capabilities are declared when first asked for.
//! * The words depend on the module and the options alone: no walk follows the order of a hash.
//! * Blocks come in reverse post-order, so that only phis refer to what comes later.
//! * Emission does not stop half-way: what exceeds a limit of SPIR-V becomes a diagnostic (E07xx), an
//!   undefined value takes its place, and no words are returned. What the target has no instruction
//!   for was refused by the legalisation.

#![warn(missing_docs)]

mod clspv_numbers;
mod emit;
mod images;
mod intrinsics;
pub mod link;
mod read;
pub mod reflect;
#[cfg(feature = "text")]
mod text;
#[cfg(feature = "validate")]
mod validate;

use clc_base::{Diagnostic, SourceMap};
use clc_ir::Module;
use clc_legalise::{Legalised, TargetOptions};

#[cfg(feature = "text")]
pub use text::{disassemble, try_disassemble};
#[cfg(feature = "validate")]
pub use validate::{ValidationError, validate, validate_both};

/// Writes the kernels and exported functions of a legal module, and what they reach, as the words of
/// a SPIR-V module. `legalised` is what the legalisation returned.
pub fn compile(
    module: &mut Module,
    source_map: &SourceMap,
    options: &TargetOptions,
    legalised: &Legalised,
) -> Result<Vec<u32>, Vec<Diagnostic>> {
    emit::emit(module, source_map, options, legalised)
}
