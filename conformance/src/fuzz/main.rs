//! Differential testing: random programs without undefined behaviour through clc and through a
//! driver's own compiler; results have to be equal to the bit.
//!
//! ```text
//! fuzz --clc CLC --runner CLC-RUN --vulkan-runner CLC-RUN-VULKAN --folder FOLDER [--programs N] [--first N]
//!      [--seed S] [--batch N] [--jobs N] [--reductions N] [--only NUMBER] [--vulkan] [--keep FOLDER] [--variants]
//!      [--verbose]
//! fuzz --vulkan-runner CLC-RUN-VULKAN --replay FOLDER
//! fuzz --stages|--bisect-pass FILE --clc CLC --folder FOLDER [--programs N] [--first N] [--seed S] [--jobs N]
//!      [--reductions N] [--vulkan]
//! fuzz --bytes|--splice|--modules|--objects|--commands N --clc CLC --folder FOLDER [--seed S]
//!      [--only NUMBER] [--sources FOLDER]...
//! fuzz --guided [TARGET]... --folder FOLDER [--corpus FOLDER] [--seconds N] [--jobs N] [--seed S] [--sources FOLDER]...
//! fuzz --guided TARGET --try|--reduce FILE
//! ```
//!
//! A program that fails is reduced and printed. `--only` writes one program as it is generated,
//! and checks nothing. `--vulkan` compiles for Vulkan and runs that, `--variants` compiles a variant of each
//! program that has to do the same ([`variants`]). `--keep` keeps what runs on Vulkan, and the second form runs that
//! again, on another device ([`replay`]). The third form asks the interpreter which pass changes what a program gives
//! ([`interpreted`]), the fourth tries damaged inputs instead ([`damage::Kind`]). The fifth has libFuzzer try inputs
//! ([`guided`]), and the last tries one of those.

mod bisect;
mod check;
mod damage;
mod generate;
mod guided;
mod instructions;
mod interpreted;
mod random;
mod reduce;
mod replay;
mod tree;
mod types;
mod variants;

use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use check::{Checker, Finding};
use damage::Kind;
use generate::{Generator, Program, Version};
use interpreted::{Stages, Wanted};

struct Arguments {
    clc: PathBuf,
    runner: PathBuf,
    vulkan_runner: PathBuf,
    /// What clc compiles for; the driver's own compiler stays the reference.
    vulkan: bool,
    folder: PathBuf,
    /// Where what runs on Vulkan is kept.
    keep: Option<PathBuf>,
    /// What was kept, to be run instead.
    replay: Option<PathBuf>,
    programs: usize,
    /// The number of the first program.
    first: usize,
    seed: u64,
    batch: usize,
    jobs: usize,
    /// Findings to reduce before the rest is only counted.
    reductions: usize,
    only: Option<u64>,
    /// Damaged inputs to try, instead of programs.
    damaged: Option<(Kind, usize)>,
    /// The number of the first; then this process is the one that tries them.
    from: Option<usize>,
    sources: Vec<PathBuf>,
    /// Of each program a variant runs.
    variants: bool,
    /// Says how far it is.
    verbose: bool,
    guided: Option<Guided>,
    /// What is asked of the interpreter, without a driver.
    interpreted: Wanted,
}

/// What `--guided` is to do.
struct Guided {
    targets: Vec<guided::Target>,
    seconds: u64,
    corpus: Option<PathBuf>,
    /// What to do with one input.
    one: Option<(One, PathBuf)>,
}

enum One {
    Try,
    Reduce,
}

fn main() -> ExitCode {
    if let Some(code) = guided::child() {
        return ExitCode::from(code);
    }
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
        keep: None,
        replay: None,
        programs: 200,
        first: 0,
        seed: 1,
        batch: 0,
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        reductions: 8,
        only: None,
        damaged: None,
        from: None,
        sources: Vec::new(),
        variants: false,
        verbose: false,
        guided: None,
        interpreted: Wanted::default(),
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
            "--guided" => {
                out.guided =
                    Some(Guided { targets: Vec::new(), seconds: 60, corpus: None, one: None });
                continue;
            }
            "--variants" => {
                out.variants = true;
                continue;
            }
            "--stages" => {
                out.interpreted.programs = true;
                continue;
            }
            _ => {}
        }
        if let Some(guided) = &mut out.guided
            && !word.starts_with('-')
        {
            let known = guided::Target::ALL.into_iter().find(|target| target.name() == word);
            guided.targets.push(known.ok_or(format!("unknown target {word}"))?);
            continue;
        }
        let value = words.next().ok_or(format!("{word} needs a value"))?;
        if let Some(guided) = &mut out.guided {
            match word.as_str() {
                "--seconds" => {
                    guided.seconds = value.parse().map_err(|_| format!("not a number: {value}"))?;
                    continue;
                }
                "--corpus" => {
                    guided.corpus = Some(value.into());
                    continue;
                }
                "--try" => {
                    guided.one = Some((One::Try, value.into()));
                    continue;
                }
                "--reduce" => {
                    guided.one = Some((One::Reduce, value.into()));
                    continue;
                }
                _ => {}
            }
        }
        let number = || value.parse::<u64>().map_err(|_| format!("{word}: not a number: {value}"));
        match word.as_str() {
            "--clc" => out.clc = value.into(),
            "--runner" => out.runner = value.into(),
            "--vulkan-runner" => out.vulkan_runner = value.into(),
            "--bisect-pass" => out.interpreted.file = Some(value.into()),
            "--folder" => out.folder = value.into(),
            "--keep" => out.keep = Some(value.into()),
            "--replay" => out.replay = Some(value.into()),
            "--programs" => out.programs = number()? as usize,
            "--first" => out.first = number()? as usize,
            "--seed" => out.seed = number()?,
            "--batch" => out.batch = batch_size(number()? as usize),
            "--jobs" => out.jobs = (number()? as usize).max(1),
            "--reductions" => out.reductions = number()? as usize,
            "--from" => out.from = Some(number()? as usize),
            "--sources" => out.sources.push(value.into()),
            "--only" => out.only = Some(number()?),
            _ => match Kind::ALL.into_iter().find(|kind| kind.option() == word) {
                Some(kind) => out.damaged = Some((kind, number()? as usize)),
                None => return Err(format!("unknown argument {word}")),
            },
        }
    }
    if out.batch == 0 {
        // Drivers take a while to start, and a batch that fails is tried again in halves.
        out.batch = if out.vulkan { 16 } else { 64 };
    }
    Ok(out)
}

/// What is tried together.
fn batch_size(wanted: usize) -> usize {
    wanted.clamp(1, SAME_VERSION).next_power_of_two()
}

/// The program of a number; the same for the same seed.
fn program(arguments: &Arguments, number: usize) -> Program {
    let Arguments { seed, vulkan, .. } = *arguments;
    let mixed = seed.wrapping_mul(0x1_0000_0001).wrapping_add(number as u64);
    Generator::new(mixed, format!("p{number}_"), version(number), vulkan).program()
}

/// How many programs in a row are of one version of the language.
const SAME_VERSION: usize = 64;

fn version(number: usize) -> Version {
    match number / SAME_VERSION % 2 {
        0 => Version::V12,
        _ => Version::V20,
    }
}

/// The parts of a range that are of one version each.
fn same_version(range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut first = range.start;
    std::iter::from_fn(move || {
        let end = (first / SAME_VERSION + 1) * SAME_VERSION;
        let part = first..end.min(range.end);
        first = part.end;
        (!part.is_empty()).then_some(part)
    })
}

/// Whether nothing was found.
fn run(arguments: &Arguments) -> Result<bool, String> {
    if let Some(guided) = &arguments.guided {
        return run_guided(guided, arguments);
    }
    if let Some((kind, count)) = arguments.damaged {
        let Arguments { seed, clc, folder, sources, .. } = arguments;
        let folder = folder.join(kind.option().trim_start_matches('-'));
        let job = damage::Job { kind, seed: *seed, count, sources, folder: &folder, clc };
        return match (arguments.only, arguments.from) {
            (Some(number), _) => damage::show(&job, number as usize).map(|()| true),
            (None, Some(first)) => damage::part(&job, first).map(|()| true),
            (None, None) => damage::run(&job),
        };
    }
    if let Some(kept) = &arguments.replay {
        let vulkan = clc_tests::driver::vulkan().ok_or("no Vulkan driver")?;
        return replay::run(kept, &arguments.vulkan_runner, &vulkan);
    }
    if let Some(number) = arguments.only {
        print!("{}", check::source(&[&program(arguments, number as usize)]));
        return Ok(true);
    }
    let ways = if arguments.vulkan { check::VULKAN } else { check::OPENCL };
    let stages = Stages { clc: &arguments.clc, folder: &arguments.folder, ways };
    if let Some(file) = &arguments.interpreted.file {
        return stages.file(file);
    }
    std::fs::create_dir_all(&arguments.folder)
        .map_err(|error| format!("{}: {error}", arguments.folder.display()))?;
    if arguments.interpreted.programs {
        let numbers = arguments.first..arguments.first + arguments.programs;
        let program = |number| program(arguments, number);
        return Ok(stages.programs(numbers, arguments.jobs, &program, arguments.reductions));
    }
    let driver = clc_tests::driver::find().ok_or("no driver; `cargo xtask setup` installs one")?;
    let vulkan = match (arguments.vulkan, clc_tests::driver::vulkan()) {
        (true, None) => {
            return Err("no Vulkan driver; `cargo xtask setup vulkan` installs one".into());
        }
        (true, found) => found,
        (false, _) => None,
    };
    let checker = Checker {
        clc: arguments.clc.clone(),
        runner: arguments.runner.clone(),
        driver,
        vulkan_runner: arguments.vulkan_runner.clone(),
        vulkan,
        folder: arguments.folder.clone(),
        kept: arguments.keep.as_deref().map(replay::Kept::new).transpose()?,
        crashes: AtomicUsize::new(0),
        lost: AtomicUsize::new(0),
        undecided: AtomicUsize::new(0),
        zeros: AtomicUsize::new(0),
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
                    let parts = same_version(first..last);
                    let findings = parts.map(|part| batch(checker, arguments, part, job));
                    for (number, finding) in findings.flatten() {
                        let allowed =
                            reduced.fetch_add(1, Ordering::Relaxed) < arguments.reductions;
                        report(checker, arguments, number, &finding, allowed, job);
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
         instructions {} times, its own compiler gave two results {} times, and Vulkan's lost the \
         sign of zero {} times",
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
        checker.zeros.load(Ordering::Relaxed),
    );
    Ok(count(|finding| !matches!(finding, Finding::Reference(_))) == 0)
}

fn run_guided(what: &Guided, arguments: &Arguments) -> Result<bool, String> {
    let mut targets = what.targets.clone();
    if let Some((one, file)) = &what.one {
        let [target] = targets[..] else { return Err("name one target".to_owned()) };
        return match one {
            One::Try => {
                guided::limit();
                guided::try_file(target, file)
            }
            One::Reduce => guided::reduce_file(target, file),
        };
    }
    if targets.is_empty() {
        targets = guided::Target::ALL.to_vec();
    }
    let folder = arguments.folder.join("guided");
    guided::run(&guided::Job {
        targets,
        seconds: what.seconds,
        jobs: arguments.jobs,
        seed: arguments.seed,
        sources: arguments.sources.clone(),
        corpus: what.corpus.clone().unwrap_or_else(|| folder.join("corpus")),
        folder,
    })
}

/// Checks some programs as one module, or its halves if the module fails as a whole.
fn batch(
    checker: &Checker,
    arguments: &Arguments,
    numbers: Range<usize>,
    job: usize,
) -> Vec<(usize, Finding)> {
    let programs: Vec<Program> = numbers.clone().map(|number| program(arguments, number)).collect();
    let ways = if checker.vulkan.is_some() { check::VULKAN } else { check::OPENCL };
    let ways = ways.map(|way| check::Way { is_variant: arguments.variants, ..way });
    let mut out = Vec::new();
    let whole = 0..programs.len();
    let mut parts = Vec::from([whole]);
    while let Some(part) = parts.pop() {
        let some: Vec<&Program> = programs[part.clone()].iter().collect();
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
    arguments: &Arguments,
    number: usize,
    finding: &Finding,
    reduce: bool,
    job: usize,
) {
    let seed = arguments.seed;
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
    let whole = program(arguments, number);
    if !fails(&whole) {
        println!("{heading}\nfuzz: alone it does not fail");
        return;
    }
    let small = reduce::reduce(&whole, &fails);
    let text = check::source(&[&small]);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    println!("{heading}\n----\n{}\n----", lines.join("\n"));
    if finding.way().is_some_and(|way| way.is_variant) {
        println!("the variant is\n{}\n----", variants::variant(&small).tree.render());
    }
    match bisect::first_bad_pass(checker, &small, finding, &name) {
        Ok(text) => println!("{text}"),
        Err(error) => println!("the pass is not found: {error}"),
    }
    if let Some(way) = finding.way() {
        let stages = Stages { clc: &checker.clc, folder: &checker.folder, ways: [way; 2] };
        println!(
            "the interpreter: {}",
            match stages.first_change(&small, &name, way) {
                Ok(Some(change)) => interpreted::text(way, &change),
                Ok(None) => "the launch gives the same behind all passes".to_owned(),
                Err(reason) => reason,
            }
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_of_one_version() {
        let parts: Vec<_> = same_version(40..150).collect();
        assert_eq!(parts, [40..64, 64..128, 128..150]);
        assert_eq!(same_version(64..64).count(), 0);
    }
}
