//! Differential testing: random programs without undefined behaviour through clc and through a
//! driver's own compiler; results have to be equal to the bit.
//!
//! ```text
//! fuzz --clc CLC --runner CLC-RUN --folder FOLDER [--programs N] [--seed S] [--batch N] [--jobs N]
//!      [--only SEED] [--keep]
//! ```
//!
//! A program that fails is reduced and printed. `--only` writes one program as it is generated.

mod check;
mod generate;
mod random;
mod reduce;
mod tree;
mod types;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use check::{Checker, Finding, LEVELS};
use generate::{Generator, Program};

struct Arguments {
    clc: PathBuf,
    runner: PathBuf,
    folder: PathBuf,
    programs: usize,
    seed: u64,
    batch: usize,
    jobs: usize,
    /// Findings to reduce before the rest is only counted.
    reductions: usize,
    only: Option<u64>,
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
        folder: PathBuf::new(),
        programs: 200,
        seed: 1,
        batch: 8,
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        reductions: 8,
        only: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or(format!("{word} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{word}: not a number: {value}"));
        match word.as_str() {
            "--clc" => out.clc = value.into(),
            "--runner" => out.runner = value.into(),
            "--folder" => out.folder = value.into(),
            "--programs" => out.programs = number()? as usize,
            "--seed" => out.seed = number()?,
            "--batch" => out.batch = (number()? as usize).max(1),
            "--jobs" => out.jobs = (number()? as usize).max(1),
            "--reductions" => out.reductions = number()? as usize,
            "--only" => out.only = Some(number()?),
            _ => return Err(format!("unknown argument {word}")),
        }
    }
    Ok(out)
}

/// The program of a number; the same for the same seed.
fn program(seed: u64, number: usize) -> Program {
    let mixed = seed.wrapping_mul(0x1_0000_0001).wrapping_add(number as u64);
    Generator::new(mixed, format!("p{number}_")).program()
}

/// Whether nothing was found.
fn run(arguments: &Arguments) -> Result<bool, String> {
    if let Some(number) = arguments.only {
        print!("{}", check::source(&[&program(arguments.seed, number as usize)]));
        return Ok(true);
    }
    let driver = clc_tests::driver::find().ok_or("no driver; `cargo xtask setup` installs one")?;
    std::fs::create_dir_all(&arguments.folder)
        .map_err(|error| format!("{}: {error}", arguments.folder.display()))?;
    let checker = Checker {
        clc: arguments.clc.clone(),
        runner: arguments.runner.clone(),
        driver,
        folder: arguments.folder.clone(),
        options: vec!["-cl-std=CL1.2".to_owned()],
    };
    let start = Instant::now();
    let next = AtomicUsize::new(0);
    let reduced = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, Finding)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for job in 0..arguments.jobs {
            let (checker, next, reduced, found) = (&checker, &next, &reduced, &found);
            scope.spawn(move || {
                loop {
                    let first = next.fetch_add(arguments.batch, Ordering::Relaxed);
                    if first >= arguments.programs {
                        return;
                    }
                    let last = (first + arguments.batch).min(arguments.programs);
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
         not run, {} differ",
        arguments.seed,
        arguments.programs,
        start.elapsed().as_secs_f64(),
        count(|finding| matches!(finding, Finding::Reference(_))),
        count(|finding| matches!(finding, Finding::Compiler(..))),
        count(|finding| matches!(finding, Finding::Run(..))),
        count(|finding| matches!(finding, Finding::Differs(_))),
    );
    Ok(count(|finding| !matches!(finding, Finding::Reference(_))) == 0)
}

/// Checks some programs as one module, or one by one if the module fails as a whole.
fn batch(
    checker: &Checker,
    seed: u64,
    numbers: std::ops::Range<usize>,
    job: usize,
) -> Vec<(usize, Finding)> {
    let programs: Vec<Program> = numbers.clone().map(|number| program(seed, number)).collect();
    let all: Vec<&Program> = programs.iter().collect();
    let name = format!("job{job}");
    if let Some(findings) = checker.check(&all, &name, &LEVELS) {
        return findings
            .into_iter()
            .map(|(index, finding)| (numbers.start + index, finding))
            .collect();
    }
    let mut out = Vec::new();
    for (number, program) in numbers.zip(&programs) {
        if let Some(finding) =
            checker.check(&[program], &name, &LEVELS).and_then(|mut findings| findings.remove(&0))
        {
            out.push((number, finding));
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
    let levels: Vec<&'static str> = finding.level().into_iter().collect();
    let fails = |program: &Program| {
        checker
            .check(&[program], &name, &levels)
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
