//! `cargo xtask tidy`: rules of the house that rustc and clippy cannot check.

mod circles;
mod documentation;
mod gallery;
mod grammar;
mod header;
mod lengths;
mod unused;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::shell::{self, Result, cargo, read, root, write};

/// What each crate may depend on, of this workspace. Dependencies point one way only.
const MAY_USE: &[(&str, &[&str])] = &[
    ("clc-base", &[]),
    ("clc-builtins", &["clc-base"]),
    ("clc-syntax", &["clc-base", "clc-builtins"]),
    ("clc-sema", &["clc-base", "clc-builtins", "clc-syntax"]),
    ("clc-ide", &["clc-base", "clc-builtins", "clc-syntax", "clc-sema"]),
    ("clc-ir", &["clc-base", "clc-builtins"]),
    ("clc-lower", &["clc-base", "clc-builtins", "clc-sema", "clc-ir"]),
    ("clc-passes", &["clc-base", "clc-builtins", "clc-ir"]),
    ("clc-legalise", &["clc-base", "clc-builtins", "clc-ir", "clc-passes"]),
    ("clc-validator", &[]),
    ("clc-spirv", &["clc-base", "clc-builtins", "clc-ir", "clc-legalise", "clc-validator"]),
    (
        "clc-compiler",
        &[
            "clc-base",
            "clc-builtins",
            "clc-syntax",
            "clc-sema",
            "clc-ir",
            "clc-lower",
            "clc-passes",
            "clc-legalise",
            "clc-spirv",
        ],
    ),
    ("clc-build", &["clc-compiler"]),
    ("clc-lsp", &["clc-base", "clc-builtins", "clc-ide", "clc-compiler"]),
    ("clc-doctor", &["clc-builtins", "clc-legalise", "clc-compiler"]),
    ("clc-capi", &["clc-compiler"]),
    ("clc-python", &["clc-compiler"]),
    ("clc-web", &["clc-compiler", "clc-legalise", "clc-passes", "clc-spirv"]),
    // For tests: nothing depends on it but they.
    ("clc-golden", &[]),
    ("clc-interpreter", &["clc-base", "clc-builtins", "clc-ir"]),
];

/// Crates that may touch files, the environment and the terminal.
const EDGE: &[&str] = &[
    "clc-compiler",
    "clc-build",
    "clc-lsp",
    "clc-doctor",
    "clc-capi",
    "clc-python",
    "clc-web",
    "clc-golden",
];

/// What the inner crates must not say outside of tests.
const FORBIDDEN: &[&str] = &[
    "std::fs",
    "std::env",
    "std::process",
    "std::net",
    "std::time",
    "println!",
    "print!",
    "eprintln!",
    "eprint!",
    "dbg!",
    "todo!",
    "unimplemented!",
];

pub fn run(write_docs: bool) -> Result {
    let mut problems = Vec::new();
    dependencies(&mut problems)?;
    purity(&mut problems)?;
    lengths::check(&mut problems)?;
    unused::check(&mut problems)?;
    documentation::check(&mut problems)?;
    circles::check(&mut problems)?;
    grammar::check(&mut problems)?;
    let codes = codes(&mut problems)?;
    codes_are_tested(&codes, &mut problems)?;
    diagnostics_pages(&codes, write_docs, &mut problems)?;
    let language = crate::language_support::page(&mut problems)?;
    page("language-support.md", &language, write_docs, &mut problems)?;
    let tried = crate::quality::page(&mut problems)?;
    page("quality.md", &tried, write_docs, &mut problems)?;
    builtins_page(write_docs, &mut problems)?;
    header::check(write_docs, &mut problems)?;
    crate::cts::check_page(write_docs, &mut problems)?;
    for problem in &problems {
        eprintln!("tidy: {problem}");
    }
    match problems.len() {
        0 => {
            println!("tidy: {} diagnostics, no problems", codes.len());
            Ok(())
        }
        n => Err(format!("{n} problems")),
    }
}

fn crates() -> Result<Vec<String>> {
    let folder = root().join("crates");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .map_err(|error| error.to_string())?
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    Ok(names)
}

fn dependencies(problems: &mut Vec<String>) -> Result {
    let rules: BTreeMap<&str, &[&str]> = MAY_USE.iter().copied().collect();
    for name in crates()? {
        let Some(allowed) = rules.get(name.as_str()) else {
            problems.push(format!("crate {name} has no row in xtask's table of dependencies"));
            continue;
        };
        let manifest = read(&root().join("crates").join(&name).join("Cargo.toml"))?;
        let mut in_dependencies = false;
        for line in manifest.lines() {
            if line.starts_with('[') {
                // Tests may look further up.
                in_dependencies = line.ends_with("dependencies]") && !line.contains("dev-");
            } else if in_dependencies && line.starts_with("clc-") {
                let used = line.split(['.', ' ', '=']).next().unwrap_or("");
                if !allowed.contains(&used) {
                    problems.push(format!("{name} must not depend on {used}"));
                }
            }
        }
    }
    Ok(())
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                out.push(path);
            }
        }
    }
    out.sort();
    out
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

fn purity(problems: &mut Vec<String>) -> Result {
    for name in crates()? {
        if EDGE.contains(&name.as_str()) {
            continue;
        }
        for path in rust_files(&root().join("crates").join(&name).join("src")) {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            if file == "tests.rs" || path.iter().any(|part| part == "tests") {
                continue;
            }
            let text = read(&path)?;
            for (index, line) in text.lines().enumerate() {
                if line.trim_start().starts_with("#[cfg(test)]") {
                    // Test modules come last in a file.
                    break;
                }
                let code = line.split("//").next().unwrap_or("");
                for word in FORBIDDEN {
                    let found = code.match_indices(word).any(|(at, _)| {
                        !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
                    });
                    if found {
                        problems.push(format!(
                            "{}:{}: `{word}` below the facade",
                            relative(&path),
                            index + 1
                        ));
                    }
                }
            }
        }
    }
    Ok(())
}

struct Code {
    name: String,
    file: String,
}

/// Every `Code::error("E0301", "name", …)` and the like.
fn codes(problems: &mut Vec<String>) -> Result<BTreeMap<String, Code>> {
    let mut codes: BTreeMap<String, Code> = BTreeMap::new();
    for name in crates()? {
        for path in rust_files(&root().join("crates").join(&name).join("src")) {
            let text = read(&path)?;
            let text = text.split("#[cfg(test)]").next().unwrap_or("");
            let place = relative(&path);
            for (id, title) in definitions(text) {
                if let Some(other) = codes.get(id) {
                    problems.push(format!("{id} is in {} and in {place}", other.file));
                }
                let shape = id.len() == 5
                    && id.starts_with(['E', 'W'])
                    && id[1..].bytes().all(|byte| byte.is_ascii_digit());
                if !shape {
                    problems.push(format!("{place}: `{id}` is not a diagnostic code"));
                    continue;
                }
                codes.insert(id.to_owned(), Code { name: title.to_owned(), file: place.clone() });
            }
        }
    }
    Ok(codes)
}

/// Diagnostics that no test can bring about, with the reason.
const UNTESTABLE: &[(&str, &str)] = &[
    ("E0021", "takes 4 GiB of source"),
    ("E0204", "the grammar asks for a type first (E0107)"),
    ("W0207", "the preprocessor warns of pragmas first"),
    ("E0702", "the front end refuses function addresses first; other front ends may not"),
    ("E0707", "the lowering refuses undefined functions first (E0751)"),
    ("E0750", "a net below the front end for what it may let through"),
];

/// Codes and their names, in the two ways they are written: `Code::error("E0301", "name", …)`, and
/// rows of a table, `E0301 = error "name" …`.
fn definitions(text: &str) -> Vec<(&str, &str)> {
    const MAKERS: [&str; 6] = ["error", "fatal", "warning", "lint", "extra", "pedantic"];
    let mut found = Vec::new();
    for maker in MAKERS {
        for (at, call) in text.match_indices(&format!("Code::{maker}(")) {
            let mut strings = text[at + call.len()..].split('"').skip(1).step_by(2);
            if let (Some(id), Some(title)) = (strings.next(), strings.next()) {
                found.push((id, title));
            }
        }
    }
    for line in text.lines() {
        let Some((id, rest)) = line.trim().split_once(" = ") else { continue };
        let is_row =
            id.len() == 5 && MAKERS.iter().any(|maker| rest.starts_with(&format!("{maker} \"")));
        if let Some(title) = rest.split('"').nth(1)
            && is_row
        {
            found.push((id, title));
        }
    }
    found
}

/// Each code occurs in some test: a unit test or a case of the suite.
fn codes_are_tested(codes: &BTreeMap<String, Code>, problems: &mut Vec<String>) -> Result {
    let mut mentioned = BTreeSet::new();
    let mut note = |text: &str| {
        for (at, _) in text.match_indices(['E', 'W']) {
            if let Some(id) = text.get(at..at + 5) {
                mentioned.insert(id.to_owned());
            }
        }
    };
    let mut folders = vec![root().join("tests/suite")];
    for name in crates()? {
        let folder = root().join("crates").join(&name);
        for path in rust_files(&folder.join("src")) {
            let text = read(&path)?;
            if path.file_name().is_some_and(|name| name == "tests.rs") {
                note(&text);
            } else if let Some((_, tests)) = text.split_once("#[cfg(test)]") {
                note(tests);
            }
        }
        folders.push(folder.join("tests"));
    }
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                note(&text);
            }
        }
    }
    let untested: Vec<&str> = codes
        .keys()
        .map(String::as_str)
        .filter(|id| !mentioned.contains(*id))
        .filter(|id| !UNTESTABLE.iter().any(|(untestable, _)| untestable == id))
        .collect();
    if !untested.is_empty() {
        problems.push(format!("diagnostics without a test: {}", untested.join(" ")));
    }
    Ok(())
}

/// Writes a page that is made of other files, or says that it is not what they make.
fn page(name: &str, made: &str, write_docs: bool, problems: &mut Vec<String>) -> Result {
    let path = root().join("docs").join(name);
    if write_docs {
        return write(&path, made);
    }
    if !std::fs::read_to_string(&path).is_ok_and(|old| old == made) {
        problems.push(format!("docs/{name} is out of date: `cargo xtask tidy --write`"));
    }
    Ok(())
}

/// `docs/src/diagnostics` has an index of all codes. The explanations themselves are in the binary
/// (`clc --explain`), from which the pages are written.
fn diagnostics_pages(
    codes: &BTreeMap<String, Code>,
    write_docs: bool,
    problems: &mut Vec<String>,
) -> Result {
    let path = root().join("docs/diagnostics.md");
    let mut page = String::from(
        "# Diagnostics\n\n\
         Every diagnostic has a code that does not change. `clc --explain E0301` shows its rule \
         with the section of the specification, a wrong example and a right one. Warnings are \
         switched by name: `-Wname`, `-Wno-name`, `-Werror=name`.\n\n\
         This page is written by `cargo xtask tidy --write`.\n",
    );
    const FAMILIES: &[(&str, &str)] = &[
        ("00", "Preprocessor and tokens"),
        ("01", "Grammar"),
        ("02", "Declarations"),
        ("03", "Types and address spaces"),
        ("04", "Expressions and statements"),
        ("05", "Built-in functions"),
        ("06", "Constants"),
        ("07", "Target"),
        ("08", "Lints"),
        ("09", "The command"),
    ];
    for (family, title) in FAMILIES {
        let members: Vec<_> = codes.iter().filter(|(id, _)| &id[1..3] == *family).collect();
        if members.is_empty() {
            continue;
        }
        page.push_str(&format!("\n## {title}\n\n| code | name |\n|---|---|\n"));
        for (id, code) in members {
            page.push_str(&format!("| {id} | {} |\n", code.name));
        }
    }
    page.push_str(&gallery::section(write_docs)?);
    let known = |id: &str| FAMILIES.iter().any(|(family, _)| &id[1..3] == *family);
    for id in codes.keys().filter(|id| !known(id)) {
        problems.push(format!("{id} belongs to no family"));
    }
    if write_docs {
        return write(&path, &page);
    }
    if std::fs::read_to_string(&path).is_ok_and(|old| old == page) {
        return Ok(());
    }
    problems.push("docs/diagnostics.md is out of date: `cargo xtask tidy --write`".to_owned());
    Ok(())
}

/// `docs/builtins.md` is the table of built-in functions, which writes itself.
fn builtins_page(write_docs: bool, problems: &mut Vec<String>) -> Result {
    let mut command = cargo();
    command.args(["run", "--quiet", "--package", "clc-builtins", "--example", "catalogue"]);
    let page = shell::output(&mut command)?;
    let path = root().join("docs/builtins.md");
    if write_docs {
        return write(&path, &page);
    }
    if std::fs::read_to_string(&path).is_ok_and(|old| old == page) {
        return Ok(());
    }
    problems.push("docs/builtins.md is out of date: `cargo xtask tidy --write`".to_owned());
    Ok(())
}
