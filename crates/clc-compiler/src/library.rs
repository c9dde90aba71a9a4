//! Compiles the library's bodies in OpenCL C that a module needs.

use clc_base::lang::{AddressBits, FloatOptions};
use clc_base::{Diagnostic, SourceMap, Version};
use clc_builtins::{features, library};
use clc_ir::{Linkage, Module};
use clc_passes::{OptLevel, PassOptions};
use clc_sema::SemaOptions;
use clc_spirv::TargetOptions;
use clc_spirv::shader::library as pass;
use clc_syntax::parse::ParseOptions;
use clc_syntax::preprocess::{self, FileInput, NoIncludes};

use crate::options::Unit;

/// Replaces the math functions of `module` that shaders have no good instruction for by calls of
/// bodies, and adds these. Without a target, for tests: see
/// [`clc_spirv::shader::expand_operations`].
///
/// # Panics
/// If the library has an error.
pub fn link(module: &mut Module, level: OptLevel, target: Option<&TargetOptions>) {
    let wanted = pass::wanted(module, target);
    let text = library::text(&wanted.files);
    let bodies = match &wanted.functions[..] {
        [] => Ok(Module::new(8, Version::V1_2)),
        functions => compile(&text, functions, level),
    };
    match bodies {
        Ok(bodies) => pass::link(module, bodies, &wanted, target),
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
    let mut passes = PassOptions { level, stop_after: None, verify_each: false, observer: &mut () };
    clc_passes::run(&mut module, &mut passes).map_err(|error| error.to_string())?;
    Ok(module)
}

fn check(diagnostics: &[Diagnostic]) -> Result<(), String> {
    match diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        Some(error) => Err(format!("{}: {}", error.code.id, error.message)),
        None => Ok(()),
    }
}
