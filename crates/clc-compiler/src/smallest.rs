//! Which level makes the smaller module.

use clc_base::SourceMap;
use clc_legalise::Environment as TargetEnv;
use clc_passes::PassOptions;

use crate::options::{OptLevel, Options};

/// The level at which `module` is compiled: that of the options, but for `-Os`, where it is the one that comes to
/// fewer words. What makes modules larger may let so much be computed beforehand that they are smaller in the end, and
/// nothing tells before that.
pub(crate) fn level(module: &clc_ir::Module, sources: &SourceMap, options: &Options) -> OptLevel {
    if options.opt_level != OptLevel::Os {
        return options.opt_level;
    }
    let size = |level| words(module.clone(), level, sources, options).unwrap_or(usize::MAX);
    match size(OptLevel::O) < size(OptLevel::Os) {
        true => OptLevel::O,
        false => OptLevel::Os,
    }
}

/// The number of words that a module comes to at a level, if there is nothing wrong with it.
fn words(
    mut module: clc_ir::Module,
    level: OptLevel,
    sources: &SourceMap,
    options: &Options,
) -> Option<usize> {
    let target = &options.target;
    let mut bodies =
        |text: &str, wanted: &[&'static str]| crate::library::bodies(text, wanted, level);
    let mut unobserved = ();
    let mut passes = PassOptions::new(level, &mut unobserved);
    passes.is_for_vectors = !matches!(target.environment, TargetEnv::Vulkan { .. });
    clc_passes::run(&mut module, &mut passes).ok()?;
    let legalised = clc_legalise::run(&mut module, target, &mut bodies, &mut passes).ok()?;
    let words = clc_spirv::compile(&mut module, sources, target, &legalised).ok()?;
    Some(words.len())
}
