//! `clc man`: the manual page, in the language of man(7).

use std::fmt::Write as _;

use super::vocabulary::{Entry, Opt, Takes, entries};

/// The page of `clc` with all of its commands.
pub(super) fn page() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut out = format!(
        ".TH CLC 1 \"\" \"clc {version}\" \"User Commands\"\n.SH NAME\nclc \\- compiles OpenCL C to SPIR\\-V\n\
         .SH SYNOPSIS\n"
    );
    for usage in [
        "[OPTIONS] KERNEL.cl... [-o FILE]",
        "link [OPTIONS] MODULE.spv... -o FILE",
        "inspect [OPTIONS] MODULE.spv",
        "doctor [--format=json]",
        "lsp",
        "completions SHELL",
        "man",
    ] {
        let _ = writeln!(out, ".B clc\n{}\n.br", text(usage));
    }
    out.push_str(".SH DESCRIPTION\n");
    paragraph(
        "clc compiles OpenCL C (1.0 to 3.1) to validated SPIR-V modules for OpenCL and Vulkan. Long options take one \
         dash as well as two: -cl-std=CL2.0 and --cl-std=CL2.0 are the same. @FILE stands for the arguments in a file.",
        &mut out,
    );
    for entry in entries() {
        section(&entry, &mut out);
    }
    out.push_str(".SH EXIT STATUS\n");
    for (code, meaning) in [
        ("0", "compiled, linked, inspected; clc doctor: every device ran the vector add"),
        ("1", "errors in the source, or modules that do not fit together"),
        ("2", "wrong usage, or a file that cannot be read or written"),
        ("70", "an internal error"),
    ] {
        let _ = writeln!(out, ".TP\n.B {code}\n{}", text(meaning));
    }
    out.push_str(".SH ENVIRONMENT\n");
    for (name, meaning) in [
        ("NO_COLOR", "messages have no colours, unless --color=always"),
        ("SOURCE_DATE_EPOCH", "the time that __DATE__ and __TIME__ say"),
    ] {
        let _ = writeln!(out, ".TP\n.B {name}\n{}", text(meaning));
    }
    out
}

fn section(entry: &Entry, out: &mut String) {
    if entry.name.is_empty() {
        let mut headings: Vec<&Option<String>> = Vec::new();
        for option in &entry.options {
            if !headings.contains(&&option.heading) {
                headings.push(&option.heading);
            }
        }
        for heading in headings {
            let title = heading.as_deref().unwrap_or("Options").to_uppercase();
            let _ = writeln!(out, ".SH {}", text(&title));
            entry
                .options
                .iter()
                .filter(|option| option.heading == *heading)
                .for_each(|o| item(o, out));
        }
        return;
    }
    let _ = writeln!(out, ".SH CLC {}", text(&entry.name.to_uppercase()));
    paragraph(&entry.about, out);
    entry.options.iter().for_each(|option| item(option, out));
}

fn item(option: &Opt, out: &mut String) {
    let value = &option.value_name;
    let mut spelled = Vec::new();
    if let Some(letter) = option.short {
        spelled.push(match &option.takes {
            Takes::Nothing => format!("\\fB\\-{letter}\\fR"),
            _ => format!("\\fB\\-{letter}\\fR \\fI{}\\fR", text(value)),
        });
    }
    if let Some(name) = &option.long {
        let name = text(&format!("-{name}"));
        spelled.push(match &option.takes {
            Takes::Nothing => format!("\\fB{name}\\fR"),
            Takes::Folder => format!("\\fB{name}\\fR \\fI{}\\fR", text(value)),
            _ => format!("\\fB{name}\\fR=\\fI{}\\fR", text(value)),
        });
    }
    let _ = writeln!(out, ".TP\n{}", spelled.join(", "));
    paragraph_text(&option.help, out);
}

fn paragraph(words: &str, out: &mut String) {
    out.push_str(".PP\n");
    paragraph_text(words, out);
}

fn paragraph_text(words: &str, out: &mut String) {
    let _ = writeln!(out, "{}", text(words));
}

/// Text that roff takes for nothing else.
fn text(words: &str) -> String {
    let escaped = words.replace('\\', "\\e").replace('-', "\\-");
    match escaped.starts_with(['.', '\'']) {
        true => format!("\\&{escaped}"),
        false => escaped,
    }
}
