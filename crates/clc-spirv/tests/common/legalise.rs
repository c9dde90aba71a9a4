//! Legalisation of modules that need no library.

use clc_base::Diagnostic;
use clc_ir::Module;
use clc_legalise::{Error, Legalised, TargetOptions};
use clc_passes::{OptLevel, PassOptions};

/// Makes `module` legal, up to the step `stop_after`.
pub fn legalise(
    module: &mut Module,
    options: &TargetOptions,
    stop_after: Option<&str>,
) -> Result<Legalised, Vec<Diagnostic>> {
    let mut unobserved = ();
    let mut passes = PassOptions::new(OptLevel::O0, &mut unobserved);
    passes.stop_after = stop_after;
    let mut bodies = |_: &str, functions: &[&'static str]| panic!("no library for {functions:?}");
    match clc_legalise::run(module, options, &mut bodies, &mut passes) {
        Ok(legalised) => Ok(legalised),
        Err(Error::Source(errors)) => Err(errors),
        Err(Error::Broken(error)) => panic!("{error}"),
    }
}
