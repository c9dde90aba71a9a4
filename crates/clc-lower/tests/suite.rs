//! Runs `tests/lower/*.cl`: each case is a source whose comments say what the IR contains.
//!
//! * `// ir: TEXT` — some line of the function's IR contains TEXT; successive ones match in order.
//! * `// not: TEXT` — no line contains TEXT.
//! * `// std: CL2.0` — the version (CL1.2 otherwise).
//! * `// part` — the file is a part of a program (`-c`).
//! * `// error: TEXT` — lowering reports an error that contains TEXT.
//!
//! The module of every case without an error passes the verifier.

use std::path::Path;

use clc_base::lang::{AddressBits, FloatOptions};
use clc_base::{SourceMap, Version};
use clc_builtins::features;
use clc_lower::Unit;
use clc_sema::SemaOptions;
use clc_syntax::parse::ParseOptions;
use clc_syntax::preprocess;

/// The IR's text, or the texts of the errors.
fn lower(name: &str, text: &str, version: Version, unit: Unit) -> Result<String, Vec<String>> {
    let extensions = features::default_set(version, features::Target::OpenCl);
    let mut interner = clc_syntax::token::interner();
    let mut map = SourceMap::new();
    let options = preprocess::Options {
        version,
        extensions: extensions.clone(),
        ..preprocess::Options::default()
    };
    let main = preprocess::FileInput { name: name.to_owned(), bytes: text.as_bytes().to_vec() };
    let output = preprocess::preprocess(
        main,
        &options,
        &mut preprocess::NoIncludes,
        &mut map,
        &mut interner,
    );
    let mut diagnostics = output.diagnostics;
    let (ast, more) =
        clc_syntax::parse::parse(&output.tokens, &mut interner, &ParseOptions { version });
    diagnostics.extend(more);
    let options = SemaOptions {
        version,
        extensions,
        address_bits: AddressBits::Bits64,
        float: FloatOptions::default(),
    };
    let (hir, more) = clc_sema::check(&ast, &options, &mut interner);
    diagnostics.extend(more);
    let mut errors: Vec<String> = Vec::new();
    let mut collect = |diagnostics: &[clc_base::Diagnostic]| {
        errors.extend(
            diagnostics
                .iter()
                .filter(|diagnostic| diagnostic.is_error())
                .map(|diagnostic| format!("{}: {}", diagnostic.code.id, diagnostic.message)),
        );
        errors.clone()
    };
    let found = collect(&diagnostics);
    if !found.is_empty() {
        return Err(found);
    }
    let (module, diagnostics) = clc_lower::lower(&hir, &interner, unit);
    let found = collect(&diagnostics);
    if !found.is_empty() {
        return Err(found);
    }
    let mut out = String::new();
    clc_ir::print::module(&module, &mut out);
    if let Err(error) = clc_ir::verify::module(&module) {
        return Err(vec![format!("the verifier rejects it: {error:?}\n{out}")]);
    }
    Ok(out)
}

fn check(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let directives = |key: &str| -> Vec<String> {
        let prefix = format!("// {key}: ");
        text.lines()
            .filter_map(|line| line.trim().strip_prefix(&prefix).map(str::to_owned))
            .collect()
    };
    let version = match directives("std").first() {
        Some(std) => Version::from_option(std).ok_or("unknown version")?,
        None => Version::V1_2,
    };
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("case.cl");
    let expected_errors = directives("error");
    let is_part = text.lines().any(|line| line.trim() == "// part");
    let unit = if is_part { Unit::Part } else { Unit::Program };
    match lower(name, &text, version, unit) {
        Err(errors) => {
            if expected_errors.is_empty() {
                return Err(errors.join("\n"));
            }
            for expected in &expected_errors {
                if !errors.iter().any(|error| error.contains(expected.as_str())) {
                    return Err(format!("no error contains `{expected}`: {errors:?}"));
                }
            }
        }
        Ok(_) if !expected_errors.is_empty() => return Err("it is accepted".to_owned()),
        Ok(ir) => {
            let expected = directives("ir");
            if expected.is_empty() {
                return Err("the case expects nothing".to_owned());
            }
            let mut lines = ir.lines();
            for wanted in &expected {
                if !lines.any(|line| line.contains(wanted.as_str())) {
                    return Err(format!("no (later) line contains `{wanted}` in\n{ir}"));
                }
            }
            for unwanted in directives("not") {
                if ir.contains(&unwanted) {
                    return Err(format!("`{unwanted}` occurs in\n{ir}"));
                }
            }
        }
    }
    Ok(())
}

#[test]
fn cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lower");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of cases exists")
        .map(|entry| entry.expect("its entries can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cl"))
        .collect();
    paths.sort();
    assert!(paths.len() >= 10, "the cases are gone");
    let failures: Vec<String> = paths
        .iter()
        .filter_map(|path| check(path).err().map(|error| format!("{}: {error}", path.display())))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
