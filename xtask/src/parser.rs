//! `cargo xtask bench parser`: how fast the grammar reads tokens.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::bench::{self, Subject};
use crate::shell::{self, Result, target};
use crate::stats::{median, show};
use crate::{dist, setup};

const HEADING: &str = "## The parser\n";
const ROUNDS: usize = 41;
/// Depth of the parentheses that must give a diagnostic.
const NESTED: usize = 1_000_000;

pub fn run() -> Result {
    let clc = dist::build()?;
    let work = target().join("bench");
    shell::create_dir(&work)?;
    let mut table = String::from(
        "| source | tokens | preprocessor | parser | tokens a second | memory of a check | clang-22's |\n\
         |---|---:|---:|---:|---:|---:|---:|\n",
    );
    let peer = setup::clang()?;
    for subject in bench::subjects(&work)? {
        let tokens = tokens(&clc, &subject)?;
        let (mut before, mut times) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let [preprocess, parse] = passes(&clc, &subject)?;
            before.push(preprocess);
            times.push(parse);
        }
        let (before, parse) = (median(&mut before), median(&mut times));
        let rate = tokens as f64 / parse.as_secs_f64().max(1e-9) / 1e6;
        let [own, other] =
            [clc_check(&clc, &subject), clang_check(&peer, &subject)].map(peak_memory);
        let (own, other) = (own?, other?);
        println!(
            "{:<40}{tokens:>10}{:>12}{rate:>8.1} million{own:>8.1} MB{other:>8.1} MB",
            subject.name,
            show(parse)
        );
        let _ = writeln!(
            table,
            "| {} | {tokens} | {} | {} | {rate:.1} million | {own:.1} MB | {other:.1} MB |",
            subject.name,
            show(before),
            show(parse)
        );
    }
    let nested = nested(&clc, &work)?;
    bench::write_section(
        HEADING,
        &format!(
            "What `clc --time-passes` says of the first two passes, medians of {ROUNDS} runs ({}). Tokens \
             are those behind the preprocessor. A million open parentheses end after {} with \
             \"{}\" and {:.1} MB. Memory is the most that `-fsyntax-only` ever had, by GNU `time`. `cargo xtask bench parser` measures and writes this part of the page.\n\n{table}",
            bench::machine(),
            show(nested.0),
            nested.1,
            nested.2
        ),
    )
}

/// How many tokens the grammar sees.
fn tokens(clc: &Path, subject: &Subject) -> Result<usize> {
    let mut command = Command::new(clc);
    command.arg("--emit=tokens").args(&subject.options).arg(&subject.source).args(["-o", "-"]);
    Ok(shell::output(&mut command)?.lines().count())
}

/// The times of the preprocessor and the parser.
fn passes(clc: &Path, subject: &Subject) -> Result<[Duration; 2]> {
    let mut command = Command::new(clc);
    command.args(["--time-passes", "-fsyntax-only", "-w"]);
    command.args(&subject.options).arg(&subject.source);
    let output = command.output().map_err(|error| format!("{}: {error}", clc.display()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let of = |pass: &str| -> Result<Duration> {
        let line = said.lines().find(|line| line.trim_end().ends_with(&format!(" ms  {pass}")));
        let millis = line.and_then(|line| line.trim().split(' ').next()?.parse::<f64>().ok());
        let millis = millis.ok_or_else(|| format!("no time of `{pass}`:\n{said}"))?;
        Ok(Duration::from_secs_f64(millis / 1e3))
    };
    Ok([of("preprocess")?, of("parse")?])
}

/// How long a deep nest takes to be refused, the message, and the memory in MB.
fn nested(clc: &Path, work: &Path) -> Result<(Duration, String, f64)> {
    let path = work.join("nested.cl");
    shell::write(&path, &format!("int x = {}1;\n", "(".repeat(NESTED)))?;
    let start = std::time::Instant::now();
    let mut command = Command::new(clc);
    command.args(["-fsyntax-only", "--message-format=short"]).arg(&path);
    let output = command.output().map_err(|error| format!("{}: {error}", clc.display()))?;
    let time = start.elapsed();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let message = said.lines().next().and_then(|line| line.split_once("]: "));
    match (output.status.code(), message) {
        (Some(1), Some((_, message))) => Ok((time, message.to_owned(), peak_memory(command)?)),
        _ => Err(format!("{NESTED} parentheses: {}\n{said}", output.status)),
    }
}

fn clc_check(clc: &Path, subject: &Subject) -> Command {
    let mut command = Command::new(clc);
    command.args(["-fsyntax-only", "-w"]).args(&subject.options).arg(&subject.source);
    command
}

/// The same work: with the declarations of all functions, but without code for them.
fn clang_check(clang: &Path, subject: &Subject) -> Command {
    let mut command = Command::new(clang);
    command.args(["--target=spirv64", "-x", "cl", "-fsyntax-only", "-w"]);
    command.args(&subject.options).arg(&subject.source);
    command
}

/// The most memory that a command ever had, in MB.
fn peak_memory(command: Command) -> Result<f64> {
    Ok(peak_memory_and_success(command)?.0)
}

/// The most memory that a command ever had, in MB, and whether it succeeded.
pub fn peak_memory_and_success(command: Command) -> Result<(f64, bool)> {
    let mut timed = Command::new("time");
    timed.args(["-f", "%M"]).arg(command.get_program()).args(command.get_args());
    let output =
        timed.output().map_err(|error| format!("time (Debian's package `time`): {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let kilobytes = said.lines().last().and_then(|line| line.trim().parse::<f64>().ok());
    let kilobytes = kilobytes.ok_or_else(|| format!("no figure of memory:\n{said}"))?;
    Ok((kilobytes / 1e3, output.status.success()))
}
