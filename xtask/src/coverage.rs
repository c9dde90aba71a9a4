//! `cargo xtask coverage`: which lines of each crate the tests run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::setup;
use crate::shell::{
    Result, TESTED, absolute, cargo, create_dir, output, read, root, run, target, write,
};
use crate::test;

/// The LLVM of the compiler, whose tools read what it writes.
const LLVM: &str = "22";

/// What the page takes over.
pub const LISTED: &str = "conformance/coverage.txt";

/// Runs the tests, unless there are names: then shows the lines without a run, of the last time, in files whose
/// paths contain one of them.
pub fn coverage(names: &[&str]) -> Result {
    let folder = absolute(&target().join("coverage"))?;
    let lines = folder.join("lines.lcov");
    if !names.is_empty() {
        return show(&files(&read(&lines)?), names);
    }
    let version = output(Command::new("rustc").arg("-vV"))?;
    if !version.contains(&format!("LLVM version: {LLVM}.")) {
        return Err(format!("rustc's LLVM is not {LLVM}, whose tools are Debian's:\n{version}"));
    }
    let merge = setup::llvm("llvm-22", "llvm-profdata-22")?;
    let export = setup::llvm("llvm-22", "llvm-cov-22")?;
    let profiles = folder.join("profiles");
    let _ = std::fs::remove_dir_all(&profiles);
    create_dir(&profiles)?;
    // Processes of one program add to one file; eight at once wait for each other seldom.
    let tests = |arguments: &[&str]| {
        let mut command = cargo();
        command.arg("test").args(TESTED).args(arguments);
        command.env("CARGO_TARGET_DIR", folder.join("build"));
        command.env("RUSTFLAGS", "-Cinstrument-coverage --cfg clc_coverage");
        command.env("LLVM_PROFILE_FILE", profiles.join("%8m.profraw"));
        test::environment(&mut command);
        command
    };
    // Not the examples, which no test runs.
    const KINDS: [&str; 3] = ["--lib", "--bins", "--tests"];
    let programs = output(tests(&["--no-run", "--message-format=json"]).args(KINDS))?;
    let programs: Vec<&str> = programs.lines().filter_map(executable).collect();
    // What fails is said, and has run nevertheless.
    let failed = run(tests(&["--no-fail-fast"]).args(KINDS)).err();

    let merged = folder.join("all.profdata");
    let mut profiles: Vec<PathBuf> = std::fs::read_dir(&profiles)
        .map_err(|error| error.to_string())?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    profiles.sort();
    // Its many arguments are not shown.
    output(Command::new(merge).args(["merge", "-sparse", "-o"]).arg(&merged).args(&profiles))?;
    let mut command = Command::new(export);
    command.args(["export", "-format=lcov", "-instr-profile"]).arg(&merged);
    for (index, program) in programs.iter().enumerate() {
        if index > 0 {
            command.arg("-object");
        }
        command.arg(program);
    }
    command.args(["-ignore-filename-regex", "/registry/|/rustc/|/tests/|/conformance/|/target/"]);
    write(&lines, &output(&mut command)?)?;
    let listed = listed(&files(&read(&lines)?));
    write(&root().join(LISTED), &listed)?;
    print!("{listed}");
    match failed {
        Some(failed) => Err(failed),
        None => Ok(()),
    }
}

/// The program that a message of cargo names.
fn executable(message: &str) -> Option<&str> {
    message.split_once("\"executable\":\"")?.1.split('"').next()
}

/// A source of a crate.
struct File<'a> {
    /// Under the repository's root.
    path: &'a str,
    lines: usize,
    /// Lines without a run.
    unused: Vec<usize>,
}

impl File<'_> {
    fn name_of_crate(&self) -> &str {
        self.path.split('/').nth(1).unwrap_or_default()
    }
}

/// The sources of the crates in what llvm-cov writes.
fn files(text: &str) -> Vec<File<'_>> {
    let mut files: Vec<File<'_>> = Vec::new();
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            let path = path.split_once("/crates/").map_or("", |_| within(path));
            files.push(File { path, lines: 0, unused: Vec::new() });
        } else if let (Some(file), Some(data)) = (files.last_mut(), line.strip_prefix("DA:"))
            && let Some((number, count)) = data.split_once(',')
        {
            file.lines += 1;
            if count == "0" {
                file.unused.extend(number.parse::<usize>());
            }
        }
    }
    files.retain(|file| !file.path.is_empty());
    files
}

/// A path from `crates` on.
fn within(path: &str) -> &str {
    path.find("/crates/").map_or(path, |start| &path[start + 1..])
}

/// What programs in other languages test, by libraries that are built apart.
const FOR_OTHER_LANGUAGES: [&str; 2] = ["clc-capi", "clc-python"];

/// The counts by crate, as the page takes them over.
fn listed(files: &[File<'_>]) -> String {
    let mut crates: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let counted = |file: &&File<'_>| !FOR_OTHER_LANGUAGES.contains(&file.name_of_crate());
    for file in files.iter().filter(counted) {
        let (lines, unused) = crates.entry(file.name_of_crate()).or_default();
        *lines += file.lines;
        *unused += file.unused.len();
    }
    let mut text = String::from(
        "# Lines of code that `cargo xtask coverage` has counted, and how many of them the tests run.\n",
    );
    for (name, (lines, unused)) in crates {
        let _ = writeln!(text, "{name} {lines} {}", lines - unused);
    }
    text
}

fn show(files: &[File<'_>], names: &[&str]) -> Result {
    for file in files.iter().filter(|file| names.iter().any(|name| file.path.contains(name))) {
        let text = read(&root().join(Path::new(file.path)))?;
        let lines: Vec<&str> = text.lines().collect();
        for &number in &file.unused {
            let line = number.checked_sub(1).and_then(|index| lines.get(index));
            println!("{}:{number}: {}", file.path, line.unwrap_or(&""));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_by_crate() {
        let text = "SF:/x/crates/a/src/lib.rs\nDA:1,5\nDA:2,0\nend_of_record\n\
                    SF:/x/crates/a/src/b.rs\nDA:7,0\nend_of_record\n\
                    SF:/x/crates/clc-capi/src/lib.rs\nDA:1,0\nend_of_record\n\
                    SF:/x/xtask/src/main.rs\nDA:1,1\nend_of_record\n";
        let files = files(text);
        assert_eq!(files[0].unused, [2]);
        assert!(listed(&files).ends_with("\na 3 1\n"));
    }

    #[test]
    fn programs_are_named_by_messages() {
        let message =
            r#"{"reason":"compiler-artifact","executable":"/t/debug/deps/a-1","fresh":false}"#;
        assert_eq!(executable(message), Some("/t/debug/deps/a-1"));
        assert_eq!(executable(r#"{"executable":null}"#), None);
    }
}
