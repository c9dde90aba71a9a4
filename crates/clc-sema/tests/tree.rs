//! Sources and the typed trees they become, in the files of `tests/tree/`.
//!
//! A file holds cases of the form
//!
//! ```text
//! === name of the case [CL2.0]
//! source
//! ---
//! the typed tree
//! ```
//!
//! The version is 1.2 by default. `BLESS=1 cargo test -p clc-sema --test tree` rewrites what is
//! expected.

use clc_base::lang::{AddressBits, FloatOptions};
use clc_base::{Diagnostic, Interner, SourceMap, Version};
use clc_builtins::features;
use clc_golden::Case;
use clc_sema::SemaOptions;
use clc_sema::hir::{ExprKind, Module};
use clc_sema::types::TypeTable;
use clc_syntax::parse::{ParseOptions, parse};
use clc_syntax::preprocess::{FileInput, NoIncludes, Options, preprocess};

fn analyse(source: &str, version: Version) -> (Module, Interner, Vec<Diagnostic>) {
    let extensions = features::default_set(version, features::Target::OpenCl);
    let address_bits = AddressBits::Bits64;
    let float = FloatOptions::default();
    let mut map = SourceMap::new();
    let mut interner = clc_syntax::token::interner();
    let preprocessing = Options {
        version,
        extensions: extensions.clone(),
        address_bits,
        float,
        ..Options::default()
    };
    let main = FileInput { name: "case.cl".to_owned(), bytes: source.as_bytes().to_vec() };
    let output = preprocess(main, &preprocessing, &mut NoIncludes, &mut map, &mut interner);
    let mut diagnostics = output.diagnostics;
    let (ast, found) = parse(&output.tokens, &mut interner, &ParseOptions { version });
    diagnostics.extend(found);
    let options = SemaOptions {
        version,
        extensions,
        address_bits,
        float,
        strict_aliasing: true,
        signed_overflow_wraps: false,
    };
    let (module, found) = clc_sema::check(&ast, &options, &mut interner);
    diagnostics.extend(found);
    (module, interner, diagnostics)
}

/// The typed tree of a source, or the errors that keep it from being one.
fn tree(source: &str, version: Version) -> String {
    let (module, interner, diagnostics) = analyse(source, version);
    let errors: Vec<_> = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).collect();
    if errors.is_empty() {
        return clc_sema::dump::module(&module, &interner);
    }
    errors.iter().map(|error| format!("{} {}\n", error.code.id, error.message)).collect()
}

fn version(case: &Case<'_>) -> Result<Version, String> {
    match case.options[..] {
        [] => Ok(Version::V1_2),
        [name] => Version::from_option(name).ok_or_else(|| format!("unknown option {name}")),
        _ => Err("more than one version".to_owned()),
    }
}

#[test]
fn cases() {
    clc_golden::cases("tests/tree", 5, |case| {
        let source = case.source.trim_end_matches('\n');
        Ok(tree(source, version(case)?))
    });
}

/// What the verifier says of a tree in which one expression got the type `double`.
fn broken(source: &str, is_victim: fn(&ExprKind) -> bool) -> Result<(), String> {
    let mut module = analyse(source, Version::V1_2).0;
    assert_eq!(clc_sema::verify::module(&module), Ok(()));
    let victim = module.exprs.iter().find(|(_, expr)| is_victim(&expr.kind)).expect("a victim").0;
    module.exprs[victim].ty = TypeTable::DOUBLE.into();
    clc_sema::verify::module(&module)
}

#[test]
fn broken_trees_are_noticed() {
    let source = "int f(int a, float4 v) { a = a + 1 < 2; return a ? (int)v.x : -a; }";
    let victims: [fn(&ExprKind) -> bool; 7] = [
        |kind| matches!(kind, ExprKind::Local(_)),
        |kind| matches!(kind, ExprKind::Load(_)),
        |kind| matches!(kind, ExprKind::Binary { .. }),
        |kind| matches!(kind, ExprKind::Compare { .. }),
        |kind| matches!(kind, ExprKind::Swizzle { .. }),
        |kind| matches!(kind, ExprKind::Convert { .. }),
        |kind| matches!(kind, ExprKind::Unary { .. }),
    ];
    for (index, victim) in victims.into_iter().enumerate() {
        assert!(broken(source, victim).is_err(), "victim {index}");
    }
}
