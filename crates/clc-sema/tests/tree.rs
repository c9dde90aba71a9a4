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
//! The version is 1.2 if none is given. `BLESS=1 cargo test -p clc-sema --test tree` rewrites what is
//! expected.

use std::fmt::Write as _;
use std::path::Path;

use clc_base::lang::{AddressBits, FloatOptions};
use clc_base::{Diagnostic, Interner, SourceMap, Version};
use clc_builtins::features;
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
    let options = SemaOptions { version, extensions, address_bits, float };
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

#[test]
fn cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tree");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder of cases")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no cases in {}", folder.display());
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = String::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a file of cases");
        let mut blessed = String::new();
        for case in text.split("\n=== ").map(|case| case.strip_prefix("=== ").unwrap_or(case)) {
            let (head, body) = case.split_once('\n').expect("a case has a body");
            let (source, expected) = body.split_once("\n---").expect("a case has a `---`");
            let version = head
                .split_once('[')
                .and_then(|(_, version)| Version::from_option(version.trim_end_matches(']')))
                .unwrap_or(Version::V1_2);
            let found = tree(source, version);
            let (found, expected) = (found.trim(), expected.trim());
            if found != expected {
                let _ = writeln!(
                    wrong,
                    "{}: {head}\nexpected:\n{expected}\nfound:\n{found}\n",
                    path.display()
                );
            }
            let _ = write!(blessed, "=== {head}\n{source}\n---\n{found}\n\n");
        }
        if bless {
            std::fs::write(&path, blessed.trim_end().to_owned() + "\n").expect("cases to write");
        }
    }
    assert!(bless || wrong.is_empty(), "{wrong}");
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
