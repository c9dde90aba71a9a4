//! Programs and the trees or diagnostics they give, in the files of `tests/parse/`.
//!
//! A file holds cases of the form
//!
//! ```text
//! === name of the case [CL2.0]
//! source
//! ---
//! the tree, then the diagnostics: `line:column-line:column E0101 message`, with labels indented
//! ```
//!
//! `BLESS=1 cargo test -p clc-syntax --test parse` rewrites what is expected.

mod support;

use std::fmt::Write as _;
use std::path::Path;

use clc_base::{Diagnostic, Span, Version};
use clc_syntax::parse::{ParseOptions, dump, parse};

#[test]
fn trees_and_diagnostics() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/parse");
    let bless = std::env::var_os("BLESS").is_some();
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder of cases")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    paths.sort();
    let mut count = 0;
    let mut wrong = String::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a file of cases");
        let mut blessed = String::new();
        for case in text.split("\n=== ").map(|case| case.trim_start_matches("=== ")) {
            count += 1;
            let (head, body) = case.split_once('\n').expect("a name and a source");
            let (source, expected) = body.split_once("\n---").unwrap_or((body, ""));
            let version = head
                .split_once('[')
                .and_then(|(_, rest)| Version::from_option(rest.trim_end_matches(']')))
                .unwrap_or(Version::V1_2);
            let actual = run(source, version);
            if actual.trim() != expected.trim() {
                let file = path.file_name().unwrap_or_default().to_string_lossy();
                let _ = writeln!(
                    wrong,
                    "{file}: {head}\n--- expected\n{}\n--- actual\n{}\n",
                    expected.trim(),
                    actual.trim()
                );
            }
            let _ = writeln!(blessed, "=== {head}\n{}\n---\n{}", source.trim_end(), actual.trim());
            blessed.push('\n');
        }
        if bless {
            std::fs::write(&path, blessed.trim_end().to_owned() + "\n").expect("write the cases");
        }
    }
    assert!(count > 80, "only {count} cases found");
    assert!(bless || wrong.is_empty(), "{wrong}");
}

fn run(source: &str, version: Version) -> String {
    let mut interner = clc_syntax::token::interner();
    let (tokens, start) = support::tokenize(source, version, &mut interner);
    let (ast, diagnostics) = parse(&tokens, &mut interner, &ParseOptions { version });
    let mut out = String::new();
    if !diagnostics.iter().any(Diagnostic::is_error) {
        out = dump(&ast, &interner);
    }
    for diagnostic in &diagnostics {
        describe(&mut out, source, start, diagnostic);
    }
    out
}

fn describe(out: &mut String, source: &str, start: u32, diagnostic: &Diagnostic) {
    let place = |span: Span| range(source, start, span);
    let Diagnostic { code, message, primary, .. } = diagnostic;
    let _ = writeln!(out, "{} {} {message}", place(primary.span), code.id);
    if !primary.message.is_empty() {
        let _ = writeln!(out, "    at {}", primary.message);
    }
    for label in &diagnostic.labels {
        let _ = writeln!(out, "    {} {}", place(label.span), label.message);
    }
    for help in &diagnostic.helps {
        let _ = writeln!(out, "    help: {help}");
    }
    if let Some(fix) = &diagnostic.fix {
        let _ = writeln!(out, "    fix {} {:?}", place(fix.span), fix.replacement);
    }
}

fn range(source: &str, start: u32, span: Span) -> String {
    let place = |position: u32| {
        let before = &source[..(position.saturating_sub(start) as usize).min(source.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |newline| newline + 1) + 1;
        (line, column)
    };
    let ((line, column), (_, end)) = (place(span.lo), place(span.hi));
    format!("{line}:{column}-{end}")
}
