//! Clang's own tests of OpenCL C: the lines with errors that clang-22 reports, compared with those
//! that clc reports. Where only one of them reports an error, `differences.md` has the paragraph
//! that decides; anything else is a failure.
//!
//! ```text
//! clang-tests --tests FOLDER --differences FILE [--clang PROGRAM] [--all] [NAME...]
//! ```
//!
//! `FOLDER` holds folders of tests. `--all` also lists differences that are explained; with names,
//! only files whose path contains one of them are compared.

mod differences;
mod runs;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use differences::{Compiler, Difference, Right};
use runs::Run;

/// The share of the error lines that the specification asks for.
const WANTED: f64 = 0.98;

/// Tests of functions and types that only clang, or the compiler of one vendor, has.
const OWN: [(&str, &str); 3] = [
    ("SemaOpenCL/arm-integer-dot-product.cl", "functions of Arm"),
    ("SemaOpenCL/atomic-ops.cl", "functions `__opencl_atomic_*` of clang"),
    ("SemaOpenCL/intel-subgroup-avc-ext-types.cl", "types of Intel"),
];

struct Arguments {
    tests: PathBuf,
    differences: PathBuf,
    clang: String,
    all: bool,
    names: Vec<String>,
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| compare(&arguments)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("clang-tests: {message}");
            ExitCode::FAILURE
        }
    }
}

fn arguments() -> Result<Arguments, String> {
    let mut out = Arguments {
        tests: PathBuf::new(),
        differences: PathBuf::new(),
        clang: "clang-22".to_owned(),
        all: false,
        names: Vec::new(),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--tests" => out.tests = value()?.into(),
            "--differences" => out.differences = value()?.into(),
            "--clang" => out.clang = value()?,
            "--all" => out.all = true,
            _ if word.starts_with('-') => return Err(format!("unknown argument {word}")),
            _ => out.names.push(word),
        }
    }
    Ok(out)
}

/// What one compiler says of a line in the runs of a test.
#[derive(Default)]
struct Line {
    message: String,
    runs: BTreeSet<usize>,
}

#[derive(Default)]
struct Tally {
    files: usize,
    runs: usize,
    skipped: BTreeMap<&'static str, usize>,
    /// Lines with errors, counted once for each run.
    both: usize,
    /// The same, where only clang reports an error and is right.
    missed: usize,
    explained: usize,
    failures: usize,
}

/// Whether every difference is listed, each that is listed is there, and enough errors are found.
fn compare(arguments: &Arguments) -> Result<bool, String> {
    let listed = differences::read(&arguments.differences)?;
    let headers = headers(&arguments.clang)?;
    let mut tally = Tally::default();
    let mut seen = BTreeSet::new();
    let mut compared = BTreeSet::new();
    for folder in ["Parser", "SemaOpenCL"] {
        for path in runs::files(&arguments.tests.join(folder))? {
            let name = format!("{folder}/{}", path.file_name().unwrap_or_default().display());
            let chosen = |wanted: &String| name.contains(wanted.as_str());
            if !arguments.names.is_empty() && !arguments.names.iter().any(chosen) {
                continue;
            }
            let text =
                std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            compared.insert(name.clone());
            tally.files += 1;
            for (difference, message) in
                differences_of(&path, &name, &text, &headers, arguments, &mut tally)?
            {
                let runs = difference.runs.len();
                let mut shown = difference.clone();
                if shown.runs.len() == compared_runs(&text, &path) {
                    shown.runs.clear();
                }
                let right = listed.get(&shown);
                match right {
                    None => tally.failures += 1,
                    Some(right) => {
                        tally.explained += 1;
                        match (right, shown.only) {
                            (Right::Clang, Compiler::Clang) => tally.missed += runs,
                            // An error for something that is legal.
                            (Right::Clang, Compiler::Clc) => tally.failures += 1,
                            (Right::Clc | Right::Both, _) => {}
                        }
                    }
                }
                if right.is_none() || arguments.all {
                    println!("{shown}\n      {message}\n      {}", source(&text, shown.line));
                }
                seen.insert(shown);
            }
        }
    }
    for gone in listed.keys().filter(|listed| compared.contains(&listed.file)) {
        if !seen.contains(gone) {
            println!("no difference any more: {gone}");
            tally.failures += 1;
        }
    }
    Ok(report(&tally))
}

fn source(text: &[u8], line: u32) -> String {
    let text = String::from_utf8_lossy(text);
    text.lines().nth((line as usize).wrapping_sub(1)).unwrap_or_default().trim().to_owned()
}

fn compared_runs(text: &[u8], path: &Path) -> usize {
    let folder = path.parent().unwrap_or(Path::new(""));
    runs::runs(&String::from_utf8_lossy(text), folder).iter().filter(|run| run.is_ok()).count()
}

/// The differences of one test, each with the runs it is in and the message of the one compiler.
fn differences_of(
    path: &Path,
    name: &str,
    text: &[u8],
    headers: &str,
    arguments: &Arguments,
    tally: &mut Tally,
) -> Result<Vec<(Difference, String)>, String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut lines: BTreeMap<(u32, Compiler), Line> = BTreeMap::new();
    let own = OWN.iter().find(|(test, _)| *test == name);
    for run in runs::runs(&String::from_utf8_lossy(text), folder) {
        let run = match own.map_or(run, |(_, reason)| Err(*reason)) {
            Ok(run) => run,
            Err(reason) => {
                *tally.skipped.entry(reason).or_default() += 1;
                continue;
            }
        };
        tally.runs += 1;
        let ours = by_line(runs::errors(&run, path, text)?);
        let theirs = by_line(clang_errors(&arguments.clang, headers, &run, path)?);
        tally.both += theirs.keys().filter(|line| ours.contains_key(line)).count();
        let sides = [(Compiler::Clc, &ours, &theirs), (Compiler::Clang, &theirs, &ours)];
        for (compiler, errors, others) in sides {
            for (&line, message) in errors.iter().filter(|(line, _)| !others.contains_key(line)) {
                let entry = lines.entry((line, compiler)).or_default();
                entry.message.clone_from(message);
                entry.runs.insert(run.number);
            }
        }
    }
    let difference = |((line, only), entry): ((u32, Compiler), Line)| {
        let runs = entry.runs.into_iter().collect();
        (Difference { file: name.to_owned(), line, only, runs }, entry.message)
    };
    Ok(lines.into_iter().map(difference).collect())
}

/// The first error of each line.
fn by_line(errors: Vec<(u32, String)>) -> BTreeMap<u32, String> {
    let mut out = BTreeMap::new();
    for (line, message) in errors {
        out.entry(line).or_insert(message);
    }
    out
}

/// The folder of clang's own headers.
fn headers(clang: &str) -> Result<String, String> {
    let output = Command::new(clang).arg("-print-resource-dir").output();
    let output = output.map_err(|error| {
        format!(
            "NOTHING WAS COMPARED: `{clang}`: {error}. It is in Debian's package of that name; \
             `--clang` names another."
        )
    })?;
    Ok(format!("{}/include", String::from_utf8_lossy(&output.stdout).trim()))
}

/// The lines of the test with errors, and what clang says there.
fn clang_errors(
    clang: &str,
    headers: &str,
    run: &Run,
    path: &Path,
) -> Result<Vec<(u32, String)>, String> {
    let output = Command::new(clang)
        .args(["-cc1", "-internal-isystem", headers, "-nostdsysteminc"])
        .args(&run.arguments)
        .args(["-fsyntax-only", "-w", "-ferror-limit", "0", "-fno-caret-diagnostics"])
        .arg(path)
        .output()
        .map_err(|error| format!("{clang}: {error}"))?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let begin = format!("{}:", path.display());
    let mut errors = Vec::new();
    for line in stderr.lines() {
        let Some((place, message)) = line.split_once("error: ") else { continue };
        let number = place.strip_prefix(&begin).and_then(|rest| rest.split(':').next());
        let number = number.and_then(|number| number.parse().ok()).unwrap_or(0);
        errors.push((number, message.to_owned()));
    }
    if !output.status.success() && errors.is_empty() {
        return Err(format!("{clang} {}: {}\n{stderr}", path.display(), output.status));
    }
    Ok(errors)
}

fn report(tally: &Tally) -> bool {
    println!("\n{} tests, {} runs compared", tally.files, tally.runs);
    for (reason, count) in &tally.skipped {
        println!("{count} commands not compared: {reason}");
    }
    let forbidden = tally.both + tally.missed;
    let share = tally.both as f64 / forbidden.max(1) as f64;
    println!(
        "{forbidden} error lines that the specification asks for, {} of them reported ({:.2} %)",
        tally.both,
        100.0 * share
    );
    println!("{} differences are listed, {} failures", tally.explained, tally.failures);
    tally.failures == 0 && share >= WANTED
}
