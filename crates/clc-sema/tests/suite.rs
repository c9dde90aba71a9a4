//! Semantic analysis of small programs, one file for each theme in `suite/`.
//!
//! A case starts with `### title`, and may end the title with `[CL2.0 +cl_khr_fp16 -cl_khr_fp64
//! -m32]`: the version (1.2 without), extensions and features to add and remove, the address width.
//! Each diagnostic that is expected stands behind `//~` on its line (`//~^` for the line above) as its
//! code and a part of its message; any other fails. After a line `=== hir` stands the expected text
//! of the typed tree (`BLESS=1` rewrites it).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clc_base::lang::{AddressBits, FloatOptions};
use clc_base::{Severity, SourceMap, Version};
use clc_builtins::{ExtensionSet, features};
use clc_sema::SemaOptions;
use clc_syntax::parse::{ParseOptions, parse};
use clc_syntax::preprocess::{self, FileInput, NoIncludes, preprocess};
use libtest_mimic::{Arguments, Failed, Trial};

struct Case {
    title: String,
    source: String,
    hir: Option<String>,
    version: Version,
    extensions: ExtensionSet,
    address_bits: AddressBits,
}

/// A diagnostic, expected or reported.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    line: u32,
    code: String,
    message: String,
}

fn main() {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the suite's folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cl"))
        .collect();
    files.sort();
    let mut trials = Vec::new();
    for file in files {
        let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).expect("a file of the suite");
        let bless = std::env::var_os("BLESS").is_some();
        if bless {
            let blessed: String = split(&text).iter().map(|case| blessed(case)).collect();
            if blessed != text {
                std::fs::write(&file, &blessed).expect("to write the file back");
            }
        }
        let text = std::fs::read_to_string(&file).expect("a file of the suite");
        for case in split(&text).into_iter().filter_map(read_case) {
            let name = format!("{stem}: {}", case.title);
            trials.push(Trial::test(name, move || check(&case)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// The text before the first case, and each case with its heading.
fn split(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = text
        .match_indices("### ")
        .map(|(at, _)| at)
        .filter(|&at| at == 0 || text.as_bytes()[at - 1] == b'\n')
        .collect();
    starts.insert(0, 0);
    starts.push(text.len());
    starts.windows(2).map(|pair| &text[pair[0]..pair[1]]).filter(|part| !part.is_empty()).collect()
}

fn read_case(text: &str) -> Option<Case> {
    let (heading, body) = text.strip_prefix("### ")?.split_once('\n')?;
    let (title, flags) = match heading.rsplit_once('[') {
        Some((title, flags)) => (title.trim(), flags.trim_end_matches(']')),
        None => (heading, ""),
    };
    let version = flags.split_whitespace().find_map(Version::from_option).unwrap_or(Version::V1_2);
    let mut extensions = features::default_set(version, features::Target::OpenCl);
    let mut address_bits = AddressBits::Bits64;
    for flag in flags.split_whitespace() {
        let named = |name: &str| features::by_name(name).unwrap_or_else(|| panic!("{name}?"));
        if flag == "-m32" {
            address_bits = AddressBits::Bits32;
        } else if let Some(name) = flag.strip_prefix('+') {
            extensions.insert(named(name));
        } else if let Some(name) = flag.strip_prefix('-') {
            extensions.remove(named(name));
        }
    }
    let (source, hir) = match body.split_once("=== hir\n") {
        Some((source, hir)) => (source, Some(hir.trim_end().to_string())),
        None => (body, None),
    };
    Some(Case {
        title: title.to_string(),
        source: source.to_string(),
        hir,
        version,
        extensions,
        address_bits,
    })
}

fn expected(source: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in source.lines().enumerate() {
        for note in line.split("//~").skip(1) {
            let above = note.chars().take_while(|&c| c == '^').count() as u32;
            let note = note.trim_start_matches('^').trim();
            let (code, message) = note.split_once(' ').unwrap_or((note, ""));
            findings.push(Finding {
                line: index as u32 + 1 - above,
                code: code.to_string(),
                message: message.trim().to_string(),
            });
        }
    }
    findings.sort();
    findings
}

/// What is found in the source, and the typed tree if there are no errors.
fn analyse(case: &Case) -> (Vec<Finding>, Option<String>) {
    let mut map = SourceMap::new();
    let mut interner = clc_syntax::token::interner();
    let options = preprocess::Options {
        version: case.version,
        extensions: case.extensions.clone(),
        address_bits: case.address_bits,
        ..Default::default()
    };
    let main = FileInput { name: "case.cl".into(), bytes: case.source.clone().into_bytes() };
    let output = preprocess(main, &options, &mut NoIncludes, &mut map, &mut interner);
    let mut diagnostics = output.diagnostics;
    let parse_options = ParseOptions { version: case.version };
    let (ast, found) = parse(&output.tokens, &mut interner, &parse_options);
    let grammatical = !found.iter().any(|diagnostic| diagnostic.is_error());
    diagnostics.extend(found);
    let mut hir = None;
    if grammatical {
        let options = SemaOptions {
            version: case.version,
            extensions: case.extensions.clone(),
            address_bits: case.address_bits,
            float: FloatOptions::default(),
        };
        let (module, found) = clc_sema::check(&ast, &options, &mut interner);
        if !found.iter().any(|diagnostic| diagnostic.is_error()) {
            hir = Some(clc_sema::dump::module(&module, &interner));
        }
        diagnostics.extend(found);
    }
    let mut findings: Vec<Finding> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity >= Severity::Warning)
        .map(|diagnostic| Finding {
            line: map.location(diagnostic.primary.span.lo).map_or(0, |at| at.line),
            code: diagnostic.code.id.to_string(),
            message: diagnostic.message.clone(),
        })
        .collect();
    findings.sort();
    (findings, hir)
}

fn check(case: &Case) -> Result<(), Failed> {
    let expected = expected(&case.source);
    let (mut found, hir) = analyse(case);
    let mut problems = String::new();
    for wanted in &expected {
        let matching = found.iter().position(|finding| {
            finding.line == wanted.line
                && finding.code == wanted.code
                && finding.message.contains(&wanted.message)
        });
        match matching {
            Some(index) => {
                found.remove(index);
            }
            None => {
                let Finding { line, code, message } = wanted;
                let _ = writeln!(problems, "missing  line {line}: {code} {message}");
            }
        }
    }
    for Finding { line, code, message } in found {
        let _ = writeln!(problems, "surplus  line {line}: {code} {message}");
    }
    if let Some(wanted) = &case.hir {
        let found = hir.unwrap_or_default();
        if found.trim_end() != wanted.trim_end() {
            let _ = writeln!(problems, "the typed tree is\n{found}\ninstead of\n{wanted}");
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(format!("\n{}\n{problems}", case.source).into()) }
}

/// The text of a case with its typed tree as it is now.
fn blessed(text: &str) -> String {
    let Some(case) = read_case(text) else { return text.to_string() };
    if case.hir.is_none() {
        return text.to_string();
    }
    let (before, _) = text.split_once("=== hir\n").unwrap_or((text, ""));
    let (_, hir) = analyse(&case);
    format!("{before}=== hir\n{}\n\n", hir.unwrap_or_default().trim_end())
}
