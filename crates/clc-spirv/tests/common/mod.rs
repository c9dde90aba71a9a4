//! Legalisation and emission in one call.

mod legalise;

use clc_base::{Diagnostic, SourceMap};
use clc_ir::Module;
use clc_legalise::TargetOptions;

pub use legalise::legalise;

/// The words of `module`, which need no library.
pub fn compile(
    module: &mut Module,
    source_map: &SourceMap,
    options: &TargetOptions,
) -> Result<Vec<u32>, Vec<Diagnostic>> {
    let legalised = legalise(module, options, None)?;
    clc_spirv::compile(module, source_map, options, &legalised)
}
