//! Files and the tokens and diagnostics they give, in the files of `tests/preprocess/`.
//!
//! A file holds cases of the form
//!
//! ```text
//! === name of the case [options]
//! source
//! //// included.h
//! text of an included file
//! ---
//! the text of `-E` without markers and empty lines, then the diagnostics:
//! `line:column-line:column E0001 message`, with labels, notes, helps and fixes indented
//! ```
//!
//! Options, separated by blanks: `CL2.0`, `-DX=1`, `-UX`, `-include=file`, `fp64`, `fp16`,
//! `raw` (with `cl_ext_image_raw10_raw12`), `bits32`,
//! `fast`, `trigraphs`, `markers` (keep line markers and empty lines), `time=seconds`,
//! `noimages`, `system` (included files are system files), `noround` (no round trip).
//!
//! Every case without errors also checks that the text of `-E` preprocesses to the same tokens at
//! the same presumed places. `BLESS=1 cargo test -p clc-syntax --test preprocess` rewrites what is
//! expected.

use std::fmt::Write as _;

use clc_base::lang::AddressBits;
use clc_base::{Diagnostic, SourceMap, Span, Version};
use clc_builtins::features;
use clc_golden::Case;
use clc_syntax::preprocess::{
    CommandLineMacro, FileInput, IncludeRequest, IncludeResolver, Included, Options, Output,
    preprocess, print_preprocessed,
};
use clc_syntax::token::TokenKind;

/// Files in memory, found by their name from everywhere.
struct Files {
    files: Vec<(String, Vec<u8>)>,
    system: bool,
}

impl IncludeResolver for Files {
    fn resolve(&mut self, request: &IncludeRequest<'_>) -> Result<Option<Included>, String> {
        if request.name == "folder" {
            return Err("it is a folder".to_owned());
        }
        let found = self.files.iter().find(|(name, _)| name == request.name);
        Ok(found.map(|(name, contents)| Included {
            name: name.clone(),
            contents: contents.clone(),
            system: self.system,
        }))
    }
}

fn options(words: &[&str]) -> Result<(Options, bool, bool), String> {
    let mut options = Options { keep_layout: true, ..Options::default() };
    let (mut markers, mut system) = (false, false);
    let extension = |options: &mut Options, name: &str| {
        options.extensions.insert(features::by_name(name).expect("a known extension"));
    };
    for &word in words {
        if let Some(version) = Version::from_option(word) {
            options.version = version;
        } else if let Some(definition) = word.strip_prefix("-D") {
            let (name, value) = match definition.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (definition, None),
            };
            options.macros.push(CommandLineMacro::Define(name.to_owned(), value));
        } else if let Some(name) = word.strip_prefix("-U") {
            options.macros.push(CommandLineMacro::Undefine(name.to_owned()));
        } else if let Some(name) = word.strip_prefix("-include=") {
            options.force_includes.push(name.to_owned());
        } else if let Some(seconds) = word.strip_prefix("time=") {
            options.timestamp = Some(seconds.parse().map_err(|_| format!("`{word}`: no seconds"))?);
        } else {
            match word {
                "fp64" => extension(&mut options, "cl_khr_fp64"),
                "fp16" => extension(&mut options, "cl_khr_fp16"),
                "raw" => extension(&mut options, "cl_ext_image_raw10_raw12"),
                "bits32" => options.address_bits = AddressBits::Bits32,
                "fast" => options.float.fast_relaxed_math = true,
                "trigraphs" => options.trigraphs = true,
                "noimages" => options.image_support = false,
                "noround" => {}
                "markers" => markers = true,
                "system" => system = true,
                _ => return Err(format!("unknown option {word}")),
            }
        }
    }
    Ok((options, markers, system))
}

struct Run {
    output: Output,
    map: SourceMap,
    text: String,
    /// Kind, spelling, presumed file and line of each token. Pragmas without their line.
    tokens: Vec<(String, String, u32)>,
}

fn run(name: &str, source: &str, options: &Options, files: &mut Files) -> Run {
    let mut map = SourceMap::new();
    let mut interner = clc_syntax::token::interner();
    let main = FileInput { name: name.to_owned(), bytes: source.as_bytes().to_vec() };
    let output = preprocess(main, options, files, &mut map, &mut interner);
    let text = print_preprocessed(&output, &map, &interner);
    let tokens = output
        .tokens
        .iter()
        .zip(&output.layout)
        .map(|(token, layout)| {
            let spelling = match token.kind {
                TokenKind::Identifier(s) => format!("identifier {}", interner.resolve(s)),
                TokenKind::Integer(s) => format!("integer {}", interner.resolve(s)),
                TokenKind::Float(s) => format!("float {}", interner.resolve(s)),
                TokenKind::Char(s) => format!("char {}", interner.resolve(s)),
                TokenKind::String(s) => format!("string {}", interner.resolve(s)),
                TokenKind::Pragma(s) => format!("pragma {}", interner.resolve(s)),
                TokenKind::Keyword(keyword) => format!("keyword {}", keyword.as_str()),
                TokenKind::Punctuator(punctuator) => punctuator.as_str().to_owned(),
            };
            let (file, line) = map.presumed(layout.position).unwrap_or(("", 0));
            let line = if matches!(token.kind, TokenKind::Pragma(_)) { 0 } else { line };
            (spelling, file.to_owned(), line)
        })
        .collect();
    Run { output, map, text, tokens }
}

fn place(map: &SourceMap, span: Span) -> String {
    let (Some(lo), Some(hi)) = (map.resolve(span), map.location(span.lo)) else {
        return "-".to_owned();
    };
    let file = map.file(lo.file);
    let name = match file.name.as_str() {
        "main.cl" => "",
        other => &format!("{other}:"),
    };
    let (line, start) = file.line_at(lo.end);
    let column = file.text[start as usize..lo.end as usize].chars().count() + 1;
    format!("{name}{}:{}-{}:{column}", hi.line, hi.column, line + 1)
}

fn describe(diagnostic: &Diagnostic, map: &SourceMap) -> String {
    let mut text = String::new();
    let span = diagnostic.primary.span;
    let _ = write!(text, "{} {} {}", place(map, span), diagnostic.code.id, diagnostic.message);
    if !diagnostic.primary.message.is_empty() {
        let _ = write!(text, " [{}]", diagnostic.primary.message);
    }
    text.push('\n');
    for from in map.resolve(span).map_or(Vec::new(), |place| place.expanded_from) {
        let _ = writeln!(text, "    in {}: {}", place(map, from), map.text(from).unwrap_or("?"));
    }
    for label in &diagnostic.labels {
        let _ = writeln!(text, "    at {}: {}", place(map, label.span), label.message);
    }
    for note in &diagnostic.notes {
        let _ = writeln!(text, "    note: {note}");
    }
    for help in &diagnostic.helps {
        let _ = writeln!(text, "    help: {help}");
    }
    if let Some(fix) = &diagnostic.fix {
        let at = place(map, fix.span);
        let _ = writeln!(text, "    fix at {at}: {:?}: {}", fix.replacement, fix.message);
    }
    text
}

/// The text and the diagnostics of a case; an error if the round trip differs.
fn actual(case: &Case<'_>) -> Result<String, String> {
    let (options, markers, system) = options(&case.options)?;
    let source = case.source.strip_suffix('\n').unwrap_or(case.source);
    let mut parts = source.split("\n//// ");
    let main = parts.next().unwrap_or("").to_owned() + "\n";
    let files = parts
        .map(|part| {
            let (name, text) = part.split_once('\n').unwrap_or((part, ""));
            (name.trim().to_owned(), (text.to_owned() + "\n").into_bytes())
        })
        .collect();
    let mut files = Files { files, system };
    let first = run("main.cl", &main, &options, &mut files);
    let mut text = String::new();
    for line in first.text.lines() {
        if markers || !(line.trim().is_empty() || line.starts_with("# ")) {
            text.push_str(line);
            text.push('\n');
        }
    }
    for diagnostic in &first.output.diagnostics {
        text.push_str(&describe(diagnostic, &first.map));
    }
    // `#` cannot be printed as the first token of a line.
    let skip =
        case.options.contains(&"noround") || first.tokens.iter().any(|(text, ..)| text == "#");
    if !skip && !first.output.diagnostics.iter().any(Diagnostic::is_error) {
        let mut nothing = Files { files: Vec::new(), system: false };
        // Macros of the command line are carried out already.
        let plain = Options { macros: Vec::new(), force_includes: Vec::new(), ..options };
        let second = run("printed", &first.text, &plain, &mut nothing);
        if first.tokens != second.tokens {
            let at = first.tokens.iter().zip(&second.tokens).take_while(|(a, b)| a == b).count();
            return Err(format!(
                "the round trip differs at token {at}: {:?} became {:?} in\n{}",
                first.tokens.get(at),
                second.tokens.get(at),
                first.text
            ));
        }
    }
    Ok(text)
}

#[test]
fn texts_and_diagnostics() {
    clc_golden::cases("tests/preprocess", 80, actual);
}
