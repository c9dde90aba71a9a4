//! Runs `tests/lower/*.cl`: each case is a source whose comments say what the IR contains.
//!
//! * `// ir: TEXT` — the IR contains TEXT, behind that of the `ir` before it.
//! * `// not: TEXT` — no line contains TEXT.
//! * `// std: CL2.0` — the version (CL1.2 otherwise).
//! * `// part` — the file is a part of a program (`-c`).
//! * `// error: TEXT` — lowering reports an error that contains TEXT.
//!
//! Errors, too, come in the order of their comments. The module of every case without an error passes the verifier.

use clc_base::lang::{AddressBits, FloatOptions};
use clc_base::{SourceMap, Version};
use clc_builtins::features;
use clc_golden::{Comments, absent, in_order};
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
        strict_aliasing: true,
        signed_overflow_wraps: false,
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
    let (module, diagnostics) = clc_lower::lower(&hir, &interner, unit, false);
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

const KEYWORDS: [&str; 5] = ["std", "part", "ir", "not", "error"];

fn check(name: &str, text: &str) -> Result<(), String> {
    let comments = Comments::parse(text, &KEYWORDS)?;
    let version = match comments.all("std")[..] {
        [] => Version::V1_2,
        [std] => Version::from_option(std).ok_or("unknown version")?,
        _ => return Err("more than one version".to_owned()),
    };
    let unit = if comments.has("part") { Unit::Part } else { Unit::Program };
    let (wanted, unwanted) = (comments.all("ir"), comments.all("not"));
    let wanted_errors = comments.all("error");
    match lower(name, text, version, unit) {
        Err(errors) if wanted_errors.is_empty() => Err(errors.join("\n")),
        Err(_) if !wanted.is_empty() || !unwanted.is_empty() => {
            Err("errors and IR are expected".to_owned())
        }
        Err(errors) => in_order(&errors.join("\n"), wanted_errors),
        Ok(_) if !wanted_errors.is_empty() => Err("it is accepted".to_owned()),
        Ok(_) if wanted.is_empty() => Err("the case expects nothing".to_owned()),
        Ok(ir) => in_order(&ir, wanted)
            .and_then(|()| absent(&ir, unwanted))
            .map_err(|error| format!("{error} in\n{ir}")),
    }
}

#[test]
fn cases() {
    let paths = clc_golden::files("tests/lower".as_ref(), "cl");
    assert!(paths.len() >= 10, "the cases are gone");
    let failures: Vec<String> = paths
        .iter()
        .filter_map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let text = std::fs::read_to_string(path).expect("a file that can be read");
            Some(format!("{}: {}", path.display(), check(&name, &text).err()?))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
