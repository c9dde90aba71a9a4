//! Differential testing: random programs without undefined behaviour through clc and through a
//! driver's own compiler; results have to be equal to the bit.
//!
//! ```text
//! fuzz --clc CLC --runner CLC-RUN --vulkan-runner CLC-RUN-VULKAN --folder FOLDER [--programs N] [--first N]
//!      [--seed S] [--batch N] [--jobs N] [--reductions N] [--only NUMBER] [--vulkan] [--verbose]
//! fuzz --bytes N [--seed S] [--sources FOLDER]...
//! ```
//!
//! A program that fails is reduced and printed. `--only` writes one program as it is generated,
//! and checks nothing. `--vulkan` compiles for Vulkan and runs that. `--bytes` tries damaged sources instead.

mod bytes;
mod check;
mod generate;
mod negations;
mod random;
mod reduce;
mod tree;
mod types;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use check::{Checker, Finding};
use generate::{Generator, Program, Version};

struct Arguments {
    clc: PathBuf,
    runner: PathBuf,
    vulkan_runner: PathBuf,
    /// What clc compiles for; the driver's own compiler stays the reference.
    vulkan: bool,
    folder: PathBuf,
    programs: usize,
    /// The number of the first program.
    first: usize,
    seed: u64,
    batch: usize,
    jobs: usize,
    /// Findings to reduce before the rest is only counted.
    reductions: usize,
    only: Option<u64>,
    /// Damaged sources to try, instead of programs.
    bytes: usize,
    /// The number of the first; then this process is the one that tries them.
    from: Option<usize>,
    sources: Vec<PathBuf>,
    /// Says how far it is.
    verbose: bool,
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| run(&arguments)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("fuzz: {message}");
            ExitCode::FAILURE
        }
    }
}

fn arguments() -> Result<Arguments, String> {
    let mut out = Arguments {
        clc: PathBuf::new(),
        runner: PathBuf::new(),
        vulkan_runner: PathBuf::new(),
        vulkan: false,
        folder: PathBuf::new(),
        programs: 200,
        first: 0,
        seed: 1,
        batch: 32,
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        reductions: 8,
        only: None,
        bytes: 0,
        from: None,
        sources: Vec::new(),
        verbose: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--verbose" => {
                out.verbose = true;
                continue;
            }
            "--vulkan" => {
                out.vulkan = true;
                continue;
            }
            _ => {}
        }
        let value = words.next().ok_or(format!("{word} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{word}: not a number: {value}"));
        match word.as_str() {
            "--clc" => out.clc = value.into(),
            "--runner" => out.runner = value.into(),
            "--vulkan-runner" => out.vulkan_runner = value.into(),
            "--folder" => out.folder = value.into(),
            "--programs" => out.programs = number()? as usize,
            "--first" => out.first = number()? as usize,
            "--seed" => out.seed = number()?,
            "--batch" => out.batch = batch_size(number()? as usize),
            "--jobs" => out.jobs = (number()? as usize).max(1),
            "--reductions" => out.reductions = number()? as usize,
            "--bytes" => out.bytes = number()? as usize,
            "--from" => out.from = Some(number()? as usize),
            "--sources" => out.sources.push(value.into()),
            "--only" => out.only = Some(number()?),
            _ => return Err(format!("unknown argument {word}")),
        }
    }
    Ok(out)
}

/// A batch is of one version.
fn batch_size(wanted: usize) -> usize {
    wanted.clamp(1, SAME_VERSION).next_power_of_two()
}

/// The program of a number; the same for the same seed.
fn program(seed: u64, number: usize) -> Program {
    let mixed = seed.wrapping_mul(0x1_0000_0001).wrapping_add(number as u64);
    Generator::new(mixed, format!("p{number}_"), version(number)).program()
}

/// How many programs in a row are of one version of the language.
const SAME_VERSION: usize = 64;

fn version(number: usize) -> Version {
    match number / SAME_VERSION % 2 {
        0 => Version::V12,
        _ => Version::V20,
    }
}

/// Whether nothing was found.
fn run(arguments: &Arguments) -> Result<bool, String> {
    if let Some(number) = arguments.only.filter(|_| arguments.bytes == 0) {
        print!("{}", check::source(&[&program(arguments.seed, number as usize)]));
        return Ok(true);
    }
    if let Some(first) = arguments.from {
        bytes::part(arguments.seed, first, arguments.bytes, &arguments.sources)?;
        return Ok(true);
    }
    if let (Some(number), 1..) = (arguments.only, arguments.bytes) {
        bytes::show(arguments.seed, number as usize, &arguments.sources)?;
        return Ok(true);
    }
    if arguments.bytes > 0 {
        return bytes::run(arguments.seed, arguments.bytes, &arguments.sources);
    }
    let driver = clc_tests::driver::find().ok_or("no driver; `cargo xtask setup` installs one")?;
    let vulkan = match (arguments.vulkan, clc_tests::driver::vulkan()) {
        (true, None) => {
            return Err("no Vulkan driver; `cargo xtask setup vulkan` installs one".into());
        }
        (true, found) => found,
        (false, _) => None,
    };
    std::fs::create_dir_all(&arguments.folder)
        .map_err(|error| format!("{}: {error}", arguments.folder.display()))?;
    let checker = Checker {
        clc: arguments.clc.clone(),
        runner: arguments.runner.clone(),
        driver,
        vulkan_runner: arguments.vulkan_runner.clone(),
        vulkan,
        folder: arguments.folder.clone(),
        crashes: AtomicUsize::new(0),
        lost: AtomicUsize::new(0),
        undecided: AtomicUsize::new(0),
    };
    let start = Instant::now();
    let next = AtomicUsize::new(arguments.first);
    let end = arguments.first + arguments.programs;
    let reduced = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, Finding)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for job in 0..arguments.jobs {
            let (checker, next, reduced, found) = (&checker, &next, &reduced, &found);
            scope.spawn(move || {
                loop {
                    let first = next.fetch_add(arguments.batch, Ordering::Relaxed);
                    if arguments.verbose {
                        eprintln!("{:6.0} s: {first}", start.elapsed().as_secs_f64());
                    }
                    if first >= end {
                        return;
                    }
                    let last = (first + arguments.batch).min(end);
                    for (number, finding) in batch(checker, arguments.seed, first..last, job) {
                        let allowed =
                            reduced.fetch_add(1, Ordering::Relaxed) < arguments.reductions;
                        report(checker, arguments.seed, number, &finding, allowed, job);
                        if let Ok(mut found) = found.lock() {
                            found.push((number, finding));
                        }
                    }
                }
            });
        }
    });
    let found = found.into_inner().map_err(|error| error.to_string())?;
    let count = |of: fn(&Finding) -> bool| found.iter().filter(|(_, finding)| of(finding)).count();
    println!(
        "fuzz: seed {}, {} programs in {:.0} s: {} refused by the driver's compiler, {} by clc, {} do \
         not run, {} differ; the driver lost values across barriers {} times, ended in selecting \
         instructions {} times, and its own compiler gave two results {} times",
        arguments.seed,
        arguments.programs,
        start.elapsed().as_secs_f64(),
        count(|finding| matches!(finding, Finding::Reference(_))),
        count(|finding| matches!(finding, Finding::Compiler(..))),
        count(|finding| matches!(finding, Finding::Run(..))),
        count(|finding| matches!(finding, Finding::Differs(_))),
        checker.lost.load(Ordering::Relaxed),
        checker.crashes.load(Ordering::Relaxed),
        checker.undecided.load(Ordering::Relaxed),
    );
    Ok(count(|finding| !matches!(finding, Finding::Reference(_))) == 0)
}

/// Checks some programs as one module, or its halves if the module fails as a whole.
fn batch(
    checker: &Checker,
    seed: u64,
    numbers: std::ops::Range<usize>,
    job: usize,
) -> Vec<(usize, Finding)> {
    let programs: Vec<Program> = numbers.clone().map(|number| program(seed, number)).collect();
    let mut out = Vec::new();
    let whole = 0..programs.len();
    let mut parts = Vec::from([whole]);
    while let Some(part) = parts.pop() {
        let some: Vec<&Program> = programs[part.clone()].iter().collect();
        let ways = if checker.vulkan.is_some() { check::VULKAN } else { check::OPENCL };
        match checker.check(&some, &format!("job{job}"), &ways) {
            Some(findings) => {
                let first = numbers.start + part.start;
                out.extend(findings.into_iter().map(|(index, finding)| (first + index, finding)));
            }
            None => {
                let middle = part.start + part.len() / 2;
                parts.push(middle..part.end);
                parts.push(part.start..middle);
            }
        }
    }
    out
}

/// Prints a finding, reduced.
fn report(
    checker: &Checker,
    seed: u64,
    number: usize,
    finding: &Finding,
    reduce: bool,
    job: usize,
) {
    let heading = format!("fuzz: seed {seed}, program {number}: {}", finding.text());
    if !reduce || matches!(finding, Finding::Reference(_)) {
        println!("{heading}");
        return;
    }
    let name = format!("reduce{job}");
    let ways: Vec<check::Way> = finding.way().into_iter().collect();
    let fails = |program: &Program| {
        checker
            .check(&[program], &name, &ways)
            .and_then(|mut findings| findings.remove(&0))
            .is_some_and(|other| other.is_like(finding))
    };
    let whole = program(seed, number);
    if !fails(&whole) {
        println!("{heading}\nfuzz: alone it does not fail");
        return;
    }
    let small = reduce::reduce(&whole, &fails);
    let text = check::source(&[&small]);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    println!("{heading}\n----\n{}\n----", lines.join("\n"));
}
