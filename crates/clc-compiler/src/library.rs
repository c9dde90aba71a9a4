//! Compiles the library's bodies in OpenCL C that a module needs.

use clc_base::Version;
use clc_base::lang::AddressBits;
use clc_ir::{Linkage, Module};
use clc_legalise::Environment as TargetEnv;
use clc_passes::{OptLevel, PassOptions};

use crate::compiler;
use crate::options::{Options, Unit};

/// The module that `text`, a part of the library, makes of the functions `wanted`: what
/// [`clc_legalise::Bodies`] asks for.
///
/// # Panics
/// If the library has an error.
pub fn bodies(text: &str, wanted: &[&str], level: OptLevel) -> Module {
    match compile(text, wanted, level) {
        Ok(bodies) => bodies,
        Err(error) => panic!("the library of math functions: {error}"),
    }
}

/// The functions `wanted` of a library's text, and what they call. The options of the program do not
/// matter: bodies rely on strict arithmetic.
pub fn compile(text: &str, wanted: &[&str], level: OptLevel) -> Result<Module, String> {
    let mut options = Options {
        version: Version::V1_2,
        target: TargetEnv::Vulkan { major: 1, minor: 3 }.into(),
        address_bits: AddressBits::Bits64,
        unit: Unit::Part,
        ..Options::default()
    };
    options.warnings.silent = true;
    let lowered = compiler::lowered("library", text, &options);
    let mut module = lowered.map_err(|diagnostics| {
        let error = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
        error.map_or_else(String::new, |error| format!("{}: {}", error.code.id, error.message))
    })?;
    for function in module.functions.values_mut() {
        if !wanted.contains(&function.name.as_str()) {
            function.linkage = Linkage::Internal;
        }
    }
    let mut unobserved = ();
    let mut passes = PassOptions::new(level, &mut unobserved);
    clc_passes::run(&mut module, &mut passes).map_err(|error| error.to_string())?;
    Ok(module)
}
