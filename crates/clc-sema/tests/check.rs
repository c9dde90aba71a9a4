//! Sources and their expected diagnostics, in the files of `tests/check/`.
//!
//! A file holds cases of the form
//!
//! ```text
//! === name of the case [options]
//! source
//! ---
//! the diagnostics: `line:column E0301 message`, with labels, notes and helps indented
//! ```
//!
//! Options, separated by blanks: `CL1.2` (the default is 1.2), `nofp64`, `nofp16`, `bits32`, `nogeneric`,
//! `noglobals` (3.x without that feature), `every` (all versions, 3.0 also without generic pointers
//! and program-scope variables), `oldest` (1.0 and 1.1), `middle` (1.2 and 3.0 without the
//! features), `old` (1.0 to 1.2), `named` (those and 3.0 without the features),
//! `generic` (2.0, 3.0 and 3.1), `-name` (without an extension or feature), `hir` (the typed tree and what is known of kernels follow).
//! `Wdefault`, `Wall`, `Wextra` and `Weverything` run the lints of that level, `uniform` promises
//! that work-groups have one size.
//! A case that is accepted has nothing else after `---`.
//!
//! `BLESS=1 cargo test -p clc-sema --test check` rewrites what is expected.

use std::fmt::Write as _;

use clc_base::lang::{AddressBits, FloatOptions};
use clc_base::{Level, SourceMap, Version};
use clc_builtins::{Extension, ExtensionSet, features};
use clc_sema::{LintOptions, SemaOptions};
use clc_syntax::parse::{ParseOptions, parse};
use clc_syntax::preprocess::{FileInput, NoIncludes, Options, preprocess};

fn options(words: &[&str]) -> Result<SemaOptions, String> {
    let mut version = Version::V1_2;
    let mut address_bits = AddressBits::Bits64;
    let mut missing = Vec::new();
    for &word in words {
        match word {
            "hir" | "uniform" | "Wdefault" | "Wall" | "Wextra" | "Weverything" => {}
            "nofp64" => missing.extend([features::FP64, features::FEATURE_FP64]),
            "nofp16" => missing.push(features::FP16),
            "nogeneric" => missing.push(features::FEATURE_GENERIC_ADDRESS_SPACE),
            "noglobals" => missing.push(features::FEATURE_PROGRAM_SCOPE_GLOBAL_VARIABLES),
            "bits32" => address_bits = AddressBits::Bits32,
            _ if word.starts_with('-') => {
                let extension = features::by_name(&word[1..]);
                missing.push(extension.ok_or_else(|| format!("unknown extension {word}"))?);
            }
            _ => {
                let known = Version::from_option(word);
                version = known.ok_or_else(|| format!("unknown option {word}"))?;
            }
        }
    }
    let mut extensions = ExtensionSet::default();
    for (index, name) in features::NAMES.iter().enumerate() {
        if version >= Version::V3_0 || !name.starts_with("__opencl_c") {
            extensions.insert(Extension(index as u16));
        }
    }
    for extension in missing {
        extensions.remove(extension);
    }
    let float = FloatOptions::default();
    Ok(SemaOptions {
        version,
        extensions,
        address_bits,
        float,
        strict_aliasing: true,
        signed_overflow_wraps: false,
    })
}

/// The diagnostics of a source, one to a line.
fn check(source: &str, words: &[&str]) -> Result<String, String> {
    let options = options(words)?;
    let mut map = SourceMap::new();
    let mut interner = clc_syntax::token::interner();
    let preprocessing = Options {
        version: options.version,
        extensions: options.extensions.clone(),
        address_bits: options.address_bits,
        image_support: true,
        ..Options::default()
    };
    let main = FileInput { name: "case.cl".to_owned(), bytes: source.as_bytes().to_vec() };
    let output = preprocess(main, &preprocessing, &mut NoIncludes, &mut map, &mut interner);
    let mut diagnostics = output.diagnostics;
    let parsing = ParseOptions { version: options.version };
    let (ast, found) = parse(&output.tokens, &mut interner, &parsing);
    let mut tree = String::new();
    let stopped = found.iter().any(|found| found.severity == clc_base::Severity::Fatal);
    diagnostics.extend(found);
    if !stopped {
        let level = words.iter().find_map(|&word| match word {
            "Wdefault" => Some(Level::Default),
            "Wall" => Some(Level::All),
            "Wextra" => Some(Level::Extra),
            "Weverything" => Some(Level::Everything),
            _ => None,
        });
        let is_on = |code: &clc_base::Code| Some(code.level) <= level;
        let lints = level.map(|_| LintOptions {
            sources: &map,
            is_on: &is_on,
            uniform_work_groups: words.contains(&"uniform"),
        });
        let (module, found) =
            clc_sema::check_and_lint(&ast, &options, lints.as_ref(), &mut interner);
        if words.contains(&"hir") {
            tree = clc_sema::dump::module(&module, &interner);
            for function in module.functions.values() {
                if let Some(kernel) = &function.kernel {
                    let _ = writeln!(tree, "{} {kernel:?}", interner.resolve(function.name));
                }
            }
        }
        diagnostics.extend(found);
    }
    let location = |position: u32| match map.location(position) {
        Some(location) => format!("{}:{}", location.line, location.column),
        None => "nowhere".to_owned(),
    };
    let mut text = String::new();
    for diagnostic in &diagnostics {
        let at = location(diagnostic.primary.span.lo);
        let _ = write!(text, "{at} {} {}", diagnostic.code.id, diagnostic.message);
        if !diagnostic.primary.message.is_empty() {
            let _ = write!(text, " [{}]", diagnostic.primary.message);
        }
        text.push('\n');
        for label in &diagnostic.labels {
            let _ = writeln!(text, "  {} {}", location(label.span.lo), label.message);
        }
        for note in &diagnostic.notes {
            let _ = writeln!(text, "  note: {note}");
        }
        for help in &diagnostic.helps {
            let _ = writeln!(text, "  help: {help}");
        }
        if let Some(fix) = &diagnostic.fix {
            let at = location(fix.span.lo);
            let _ = writeln!(text, "  fix: {at} {:?}: {}", fix.replacement, fix.message);
        }
    }
    Ok(text + &tree)
}

/// The dialects that a word of the head stands for.
fn dialects(word: &str) -> &'static [&'static str] {
    match word {
        "every" => {
            &["CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0", "CL3.0 nogeneric noglobals", "CL3.1"]
        }
        "named" => &["CL1.0", "CL1.1", "CL1.2", "CL3.0 nogeneric noglobals"],
        "oldest" => &["CL1.0", "CL1.1"],
        "middle" => &["CL1.2", "CL3.0 nogeneric noglobals"],
        "old" => &["CL1.0", "CL1.1", "CL1.2"],
        "generic" => &["CL2.0", "CL3.0", "CL3.1"],
        _ => &[],
    }
}

/// What [`check`] says in every dialect that is asked for, which has to be the same but for the
/// version that is named.
fn check_in_all(source: &str, words: &[&str]) -> Result<String, String> {
    let Some(all) = words.iter().map(|word| dialects(word)).find(|all| !all.is_empty()) else {
        return check(source, words);
    };
    let mut first: Option<String> = None;
    for dialect in all {
        let rest = words.iter().copied().filter(|word| dialects(word).is_empty());
        let words: Vec<&str> = dialect.split_whitespace().chain(rest).collect();
        let found = check(source, &words)?;
        let version = format!("OpenCL C {}", &dialect[2..5]);
        // Sections of the specification have a third part or a letter.
        let mut found = found.replace(&format!("{version}\n"), "OpenCL C VERSION\n");
        found = found.replace(&format!("this is {} [", &dialect[2..5]), "this is VERSION [");
        for end in [" ", ",", "]", ";"] {
            found = found.replace(&format!("{version}{end}"), &format!("OpenCL C VERSION{end}"));
        }
        match &first {
            None => first = Some(found),
            Some(expected) if *expected == found => {}
            Some(_) => return Err(format!("{dialect} differs:\n{found}")),
        }
    }
    Ok(first.unwrap_or_default())
}

#[test]
fn cases() {
    clc_golden::cases("tests/check", 100, |case| check_in_all(case.source, &case.options));
}
