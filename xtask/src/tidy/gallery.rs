//! The gallery of `docs/diagnostics.md`: programs with several mistakes each, and what two
//! compilers say of them.
//!
//! `tests/suite/gallery` has the programs (`name.cl`, with the suite's expectations behind them),
//! what clc says (`name.stderr`, which `cargo test --test suite` checks) and what clang-22 says
//! (`name.clang`, its version in the first line, written anew where clang-22 is found).

use std::path::Path;
use std::process::Command;

use crate::shell::{self, Result, read, root, write};

/// The section, in Markdown.
pub fn section(write_docs: bool) -> Result<String> {
    let folder = root().join("tests/suite/gallery");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{folder:?}: {error}"))?;
    let mut sources: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "cl"))
        .collect();
    sources.sort();
    let clang = version().filter(|_| write_docs);
    let mut text = String::from(
        "\n## Gallery\n\nPrograms with several mistakes each, and what two compilers say of them. clc's output \
         is what its tests expect; clang's was recorded with the version that is named.\n",
    );
    for path in sources {
        let source = read(&path)?;
        let recorded = path.with_extension("clang");
        if let Some(version) = &clang {
            write(&recorded, &format!("{version}\n{}", clang_says(&folder, &path)?))?;
        }
        let other = read(&recorded)?;
        let (version, other) = other.split_once('\n').unwrap_or((&other, ""));
        let name = path.file_stem().unwrap_or_default().to_string_lossy().replace('_', " ");
        text.push_str(&format!("\n### {}{}\n", name[..1].to_uppercase(), &name[1..]));
        block(&mut text, "c", program(&source));
        text.push_str("\nclc:\n");
        block(&mut text, "text", &read(&path.with_extension("stderr"))?);
        text.push_str(&format!("\nclang {version}:\n"));
        block(&mut text, "text", other);
    }
    Ok(text)
}

fn block(out: &mut String, language: &str, text: &str) {
    out.push_str(&format!("\n```{language}\n{}\n```\n", text.trim_end()));
}

/// A source without the expectations behind it.
fn program(source: &str) -> &str {
    let start = ["\n// error: ", "\n// warning: ", "\n// RUN"]
        .iter()
        .filter_map(|word| source.find(word))
        .min();
    &source[..start.unwrap_or(source.len())]
}

fn version() -> Option<String> {
    let text = shell::output(Command::new("clang-22").arg("--version")).ok()?;
    Some(text.split("version ").nth(1)?.split_whitespace().next()?.to_owned())
}

fn clang_says(folder: &Path, path: &Path) -> Result<String> {
    let output = Command::new("clang-22")
        .current_dir(folder)
        .args(["--target=spirv64", "-cl-std=CL1.2", "-fsyntax-only", "-fno-color-diagnostics"])
        .args(path.file_name())
        .output()
        .map_err(|error| format!("clang-22: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    // Where its header lies differs from machine to machine.
    let lines = text.lines().map(|line| match (line.find("/opencl-c"), line.starts_with('/')) {
        (Some(end), true) => &line[end + 1..],
        _ => line,
    });
    Ok(lines.map(|line| format!("{line}\n")).collect())
}
