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

use clc_base::{Diagnostic, Span, Version};
use clc_syntax::parse::{ParseOptions, dump, parse};

#[test]
fn trees_and_diagnostics() {
    clc_golden::cases("tests/parse", 80, |case| {
        let version = match case.options[..] {
            [] => Version::V1_2,
            [name] => Version::from_option(name).ok_or_else(|| format!("unknown option {name}"))?,
            _ => return Err("more than one version".to_owned()),
        };
        Ok(run(case.source.trim_end_matches('\n'), version))
    });
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
        let _ = writeln!(out, "    fix {} {:?}: {}", place(fix.span), fix.replacement, fix.message);
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
