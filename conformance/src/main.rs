//! Compiles and validates every translation unit of the corpora, prints a table, and compares each
//! unit with the expected table.
//!
//! ```text
//! corpus --corpora FOLDER --tables FOLDER [NAME...] [--update] [--sample N] [--oracle] [--option OPTION...]
//!        [--largest N --into FOLDER] [--list]
//! ```

mod largest;
mod oracle;
mod units;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clc::Emit;
use clc::cli::Request;
use units::Unit;

/// Room for what is not recursion over user nesting.
const STACK: usize = 256 << 20;

struct Arguments {
    corpora: PathBuf,
    tables: PathBuf,
    /// Folders of `corpora`, tables of `tables`.
    names: Vec<String>,
    update: bool,
    sample: usize,
    /// Ask clang about the units that are refused.
    oracle: bool,
    /// Options for every unit after its own; the tables say nothing about such a run.
    options: Vec<String>,
    /// Write so many of the largest units to the folder, and compile nothing.
    largest: Option<usize>,
    into: PathBuf,
    /// Only say how each unit that is one file is compiled: its path and the options, with tabs.
    list: bool,
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| run(&arguments)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("corpus: {message}");
            ExitCode::FAILURE
        }
    }
}

fn arguments() -> Result<Arguments, String> {
    let mut out = Arguments {
        corpora: PathBuf::new(),
        tables: PathBuf::new(),
        names: Vec::new(),
        update: false,
        sample: 1,
        oracle: false,
        options: Vec::new(),
        largest: None,
        into: PathBuf::new(),
        list: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--corpora" => out.corpora = value()?.into(),
            "--tables" => out.tables = value()?.into(),
            "--update" => out.update = true,
            "--list" => out.list = true,
            "--oracle" => out.oracle = true,
            "--option" => out.options.push(value()?),
            "--into" => out.into = value()?.into(),
            "--largest" => out.largest = Some(value()?.parse().map_err(|_| "--largest takes 1…")?),
            "--sample" => {
                out.sample = value()?.parse().ok().filter(|&n| n > 0).ok_or("--sample takes 1…")?;
            }
            option if option.starts_with('-') => return Err(format!("unknown argument {word}")),
            _ => out.names.push(word),
        }
    }
    if out.update && (out.sample > 1 || !out.options.is_empty()) {
        return Err("a sample or a run with other options cannot update the tables".to_owned());
    }
    if out.names.is_empty() {
        return Err("no corpus is named".to_owned());
    }
    Ok(out)
}

/// What became of a unit.
#[derive(Clone, PartialEq, Eq)]
enum Status {
    /// Compiled, and the module is valid.
    Valid,
    /// Refused with an error; the first one's code and text.
    Refused(String),
    /// An internal error, an invalid module among them.
    Broken(String),
}

impl Status {
    /// One line of a table, without the unit's name.
    fn text(&self) -> String {
        match self {
            Status::Valid => "ok".to_owned(),
            Status::Refused(why) => format!("error {why}"),
            Status::Broken(why) => format!("internal {why}"),
        }
    }
}

struct Outcome {
    status: Status,
    time: Duration,
    /// Of the module.
    instructions: usize,
}

/// Whether every corpus is as expected.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let mut good = true;
    let mut summary = String::new();
    for name in &arguments.names {
        let mut units = units::units(name, &arguments.corpora.join(name))?;
        if arguments.list {
            list(&units);
            continue;
        }
        if let Some(count) = arguments.largest {
            largest::write(name, &units, count, &arguments.into)?;
            continue;
        }
        if arguments.sample > 1 {
            let mut index = 0;
            units.retain(|_| {
                index += 1;
                (index - 1) % arguments.sample == 0
            });
        }
        for unit in &mut units {
            unit.options.extend(arguments.options.iter().cloned());
        }
        let start = Instant::now();
        let outcomes = compile_all(&units);
        let wall = start.elapsed();
        let count =
            |status: fn(&Status) -> bool| outcomes.iter().filter(|o| status(&o.status)).count();
        let valid = count(|status| matches!(status, Status::Valid));
        let refused = count(|status| matches!(status, Status::Refused(_)));
        let broken = count(|status| matches!(status, Status::Broken(_)));
        let cpu: Duration = outcomes.iter().map(|outcome| outcome.time).sum();
        let instructions: usize = outcomes.iter().map(|outcome| outcome.instructions).sum();
        let _ = writeln!(
            summary,
            "{name:<12}{:>7}{valid:>8}{refused:>9}{broken:>10}{:>9.1}%{:>9.1} s{:>9.1} s{:>9} k",
            units.len(),
            100.0 * valid as f64 / units.len() as f64,
            wall.as_secs_f64(),
            cpu.as_secs_f64(),
            instructions / 1000,
        );
        show_reasons(name, &outcomes);
        let table = arguments.tables.join(format!("{name}.txt"));
        if arguments.oracle {
            ask_oracle(name, &units, &outcomes)?;
        }
        if arguments.update {
            write_table(&table, name, &units, &outcomes)?;
        } else if arguments.options.is_empty() {
            good &= compare(&table, name, &units, &outcomes)?;
        } else {
            good &= broken == 0;
        }
    }
    if arguments.list || arguments.largest.is_some() {
        return Ok(true);
    }
    println!(
        "\n{:<12}{:>7}{:>8}{:>9}{:>10}{:>10}{:>11}{:>11}{:>12}",
        "corpus", "units", "valid", "refused", "internal", "valid", "wall", "sum", "instrs."
    );
    print!("{summary}");
    Ok(good)
}

fn list(units: &[Unit]) {
    for unit in units {
        if let ([path], None) = (unit.parts.as_slice(), unit.without_lines) {
            println!("{}\t{}", path.display(), unit.options.join("\t"));
        }
    }
}

fn compile_all(units: &[Unit]) -> Vec<Outcome> {
    let results: Vec<OnceLock<Outcome>> = units.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(unit) = units.get(index) else { break };
            let _ = results[index].set(compile(unit));
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let started = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            if started.is_err() {
                eprintln!("corpus: a worker could not be started");
            }
        }
    });
    results
        .into_iter()
        .map(|result| {
            result.into_inner().unwrap_or(Outcome {
                status: Status::Broken("was not compiled".to_owned()),
                time: Duration::ZERO,
                instructions: 0,
            })
        })
        .collect()
}

fn compile(unit: &Unit) -> Outcome {
    let start = Instant::now();
    let outcome = clc::guard::catch(|| try_compile(unit));
    let time = start.elapsed();
    let (status, instructions) = match outcome {
        Ok(Ok(instructions)) => (Status::Valid, instructions),
        Ok(Err(status)) => (status, 0),
        Err(error) => {
            (Status::Broken(format!("{} {}", error.message, error.location.unwrap_or_default())), 0)
        }
    };
    Outcome { status, time, instructions }
}

/// The text that the host program gives to the driver.
fn text_of(unit: &Unit) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    for part in &unit.parts {
        let bytes = std::fs::read(part).map_err(|error| format!("{}: {error}", part.display()))?;
        match unit.without_lines {
            None => text.extend(bytes),
            Some(head) => text.extend(
                bytes
                    .split_inclusive(|&byte| byte == b'\n')
                    .filter(|line| !line.starts_with(head.as_bytes()))
                    .flatten(),
            ),
        }
        text.push(b'\n');
    }
    Ok(text)
}

/// The number of instructions of the module.
fn try_compile(unit: &Unit) -> Result<usize, Status> {
    let refuse = |why: String| Status::Refused(why);
    let text = text_of(unit).map_err(refuse)?;
    let Request { options, mut resolver, .. } =
        Request::of_options(&unit.options).map_err(refuse)?;
    let name = unit.parts.last().map(|part| part.display().to_string()).unwrap_or_default();
    let compilation = clc::compile(&name, &text, Emit::Spirv, &options, &mut resolver);
    if let Some(error) = &compilation.internal_error {
        return Err(Status::Broken(error.message.clone()));
    }
    if let Some(error) = compilation.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        return Err(refuse(format!("{} {}", error.code.id, error.message)));
    }
    compilation.words().map(instructions).ok_or_else(|| refuse("no module".to_owned()))
}

/// After the header of five words each instruction begins with its length (SPIR-V 2.3).
fn instructions(module: &[u32]) -> usize {
    let mut rest = module.get(5..).unwrap_or_default();
    let mut count = 0;
    while let Some(&first) = rest.first() {
        rest = rest.get((first >> 16).max(1) as usize..).unwrap_or_default();
        count += 1;
    }
    count
}

/// Which of the units that are not valid clang accepts.
fn ask_oracle(name: &str, units: &[Unit], outcomes: &[Outcome]) -> Result<(), String> {
    let failed = units.iter().zip(outcomes).filter(|(_, o)| o.status != Status::Valid);
    let (mut accepted, mut refused) = (0, 0);
    for (unit, outcome) in failed {
        match oracle::first_error(unit, &text_of(unit)?)? {
            Some(_) => refused += 1,
            None => {
                accepted += 1;
                println!("{name}: clang accepts {}: {}", unit.name, outcome.status.text());
            }
        }
    }
    println!("{name}: of the units that are not valid clang accepts {accepted}, refuses {refused}");
    Ok(())
}

/// The reasons with the number of units each keeps back, most first.
fn show_reasons(name: &str, outcomes: &[Outcome]) {
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for outcome in outcomes {
        if outcome.status != Status::Valid {
            let text: String = outcome.status.text().chars().take(160).collect();
            *reasons.entry(text.replace('\n', " ")).or_default() += 1;
        }
    }
    let mut reasons: Vec<(String, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    for (reason, count) in reasons.iter().take(40) {
        println!("{name}: {count:>5} × {reason}");
    }
    if reasons.len() > 40 {
        println!("{name}: and {} more reasons", reasons.len() - 40);
    }
}

fn write_table(
    path: &Path,
    name: &str,
    units: &[Unit],
    outcomes: &[Outcome],
) -> Result<(), String> {
    let valid = outcomes.iter().filter(|outcome| outcome.status == Status::Valid).count();
    let mut text = format!(
        "# {name}: {valid} of {} units compile and are valid.\n\
         # Written by `cargo xtask corpus {name} --update`; a unit that is `ok` here must stay so.\n",
        units.len()
    );
    for (unit, outcome) in units.iter().zip(outcomes) {
        let status: String = outcome.status.text().replace('\n', " ").chars().take(200).collect();
        let _ = writeln!(text, "{}\t{}", unit.name, status.trim_end());
    }
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Compares with the expected table; a unit that was `ok` and is not any more is a loss.
fn compare(path: &Path, name: &str, units: &[Unit], outcomes: &[Outcome]) -> Result<bool, String> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let expected: BTreeMap<&str, &str> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .collect();
    let (mut lost, mut gained) = (0, 0);
    for (unit, outcome) in units.iter().zip(outcomes) {
        let was_ok = expected.get(unit.name.as_str()) == Some(&"ok");
        let is_ok = outcome.status == Status::Valid;
        if was_ok && !is_ok {
            lost += 1;
            println!("{name}: LOST {}: {}", unit.name, outcome.status.text());
        }
        gained += usize::from(is_ok && !was_ok);
    }
    if gained > 0 {
        println!("{name}: {gained} units more than expected; --update takes them into the table");
    }
    Ok(lost == 0)
}
