//! Compiles the library's bodies in OpenCL C that a module needs.

use clc_base::lang::{AddressBits, FloatOptions};
use clc_base::{Diagnostic, SourceMap, Version};
use clc_builtins::features;
use clc_ir::{Linkage, Module};
use clc_passes::{OptLevel, PassOptions};
use clc_sema::SemaOptions;
use clc_syntax::parse::ParseOptions;
use clc_syntax::preprocess::{self, FileInput, NoIncludes};

use crate::options::Unit;

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
    let version = Version::V1_2;
    let extensions = features::default_set(version, features::Target::Vulkan);
    let mut sources = SourceMap::new();
    let mut interner = clc_syntax::token::interner();
    let float = FloatOptions::default();
    let preprocess_options = preprocess::Options {
        version,
        extensions: extensions.clone(),
        address_bits: AddressBits::Bits64,
        float,
        image_support: true,
        optimize: true,
        macros: Vec::new(),
        force_includes: Vec::new(),
        timestamp: None,
        trigraphs: false,
        keep_layout: false,
    };
    let main = FileInput { name: "library".to_owned(), bytes: text.as_bytes().to_vec() };
    let preprocessed = preprocess::preprocess(
        main,
        &preprocess_options,
        &mut NoIncludes,
        &mut sources,
        &mut interner,
    );
    check(&preprocessed.diagnostics)?;
    let (ast, diagnostics) =
        clc_syntax::parse::parse(&preprocessed.tokens, &mut interner, &ParseOptions { version });
    check(&diagnostics)?;
    let options = SemaOptions { version, extensions, address_bits: AddressBits::Bits64, float };
    let (hir, diagnostics) = clc_sema::check_and_lint(&ast, &options, None, &mut interner);
    check(&diagnostics)?;
    let (mut module, diagnostics) = clc_lower::lower(&hir, &interner, Unit::Part);
    check(&diagnostics)?;
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

fn check(diagnostics: &[Diagnostic]) -> Result<(), String> {
    match diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        Some(error) => Err(format!("{}: {}", error.code.id, error.message)),
        None => Ok(()),
    }
}
