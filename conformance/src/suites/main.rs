//! Other people's programs with the results that they expect, on drivers.
//!
//! ```text
//! suites --runner CLC-RUN --vulkan-runner CLC-RUN-VULKAN --folder FOLDER --lists FOLDER --suite NAME FOLDER
//!        [--doors source,opencl-O0,…] [--sample N] [--jobs N] [--update] [--verbose] [PART-OF-NAME...]
//! ```
//!
//! `--folder` is for modules and results. Each program whose verdict is not that of the list fails, and a list
//! whose counts are not those of a whole run. `--update` writes the counts, and adds lines without reasons.

mod listed;
mod number;
mod oclgrind;
mod piglit;
mod pocl;
mod program;
mod run;
mod signature;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use clc_tests::driver;
use listed::{COUNTS, Listed};
use program::Program;
use run::{DOORS, Door, NOT_RUN, Runner, Verdict};

/// Programs of a process.
const BATCH: usize = 24;

struct Arguments {
    runner: PathBuf,
    vulkan_runner: PathBuf,
    folder: PathBuf,
    lists: PathBuf,
    suite: String,
    /// Where the suite is.
    at: PathBuf,
    doors: Vec<Door>,
    sample: usize,
    jobs: usize,
    update: bool,
    verbose: bool,
    /// Only programs whose names contain one of these; empty: all.
    names: Vec<String>,
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| run(&arguments)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("suites: {message}");
            ExitCode::FAILURE
        }
    }
}

fn arguments() -> Result<Arguments, String> {
    let mut out = Arguments {
        runner: PathBuf::new(),
        vulkan_runner: PathBuf::new(),
        folder: PathBuf::new(),
        lists: PathBuf::new(),
        suite: String::new(),
        at: PathBuf::new(),
        doors: DOORS.to_vec(),
        sample: 1,
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        update: false,
        verbose: false,
        names: Vec::new(),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        let number = |text: String| {
            text.parse()
                .ok()
                .filter(|&n| n > 0)
                .ok_or(format!("{text}: a number from 1 on is wanted"))
        };
        match word.as_str() {
            "--runner" => out.runner = value()?.into(),
            "--vulkan-runner" => out.vulkan_runner = value()?.into(),
            "--folder" => out.folder = value()?.into(),
            "--lists" => out.lists = value()?.into(),
            "--suite" => (out.suite, out.at) = (value()?, value()?.into()),
            "--doors" => {
                let text = value()?;
                let named = |door: &Door| {
                    text.split(',').any(|name| name == door.to_string() || name == door.kind.name())
                };
                out.doors = DOORS.into_iter().filter(named).collect();
            }
            "--sample" => out.sample = number(value()?)?,
            "--jobs" => out.jobs = number(value()?)?,
            "--update" => out.update = true,
            "--verbose" => out.verbose = true,
            option if option.starts_with('-') => return Err(format!("unknown argument {word}")),
            _ => out.names.push(word),
        }
    }
    Ok(out)
}

/// The files with these extensions in a folder and those inside, sorted.
fn files(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>, String> {
    let mut out = Vec::new();
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            out.extend(files(&path, extensions)?);
        } else if extensions.iter().any(|&wanted| path.extension().is_some_and(|is| is == wanted)) {
            out.push(path);
        }
    }
    out.sort();
    Ok(out)
}

/// Whether everything is as listed.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let mut programs = match arguments.suite.as_str() {
        "piglit" => piglit::programs(&arguments.at)?,
        "oclgrind" => oclgrind::programs(&arguments.at)?,
        "pocl" => pocl::programs(&arguments.at)?,
        other => return Err(format!("no suite is called {other}")),
    };
    if programs.is_empty() {
        return Err(format!("{}: no programs", arguments.at.display()));
    }
    let all = programs.len();
    if !arguments.names.is_empty() {
        let names = &arguments.names;
        programs.retain(|program| names.iter().any(|name| program.name.contains(name.as_str())));
    }
    programs = programs.into_iter().step_by(arguments.sample).collect();
    let runner = Runner {
        opencl: arguments.runner.clone(),
        vulkan: arguments.vulkan_runner.clone(),
        folder: arguments.folder.clone(),
        opencl_driver: driver::find(),
        vulkan_driver: driver::vulkan(),
    };
    std::fs::create_dir_all(&runner.folder)
        .map_err(|error| format!("{}: {error}", runner.folder.display()))?;
    let mut doors = arguments.doors.clone();
    for door in arguments.doors.iter().filter(|door| !runner.has(door.kind)) {
        println!("{}: NOT RUN on {door}: there is no driver", arguments.suite);
        doors.retain(|other| other != door);
    }
    let start = Instant::now();
    let path = arguments.lists.join(format!("{}.txt", arguments.suite));
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let listed = Listed::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let verdicts = verdicts(arguments, &runner, &programs, &doors, &listed)?;
    let counts = counts(&programs, &verdicts, &doors);
    println!("{}: {counts}; {:.0} s", arguments.suite, start.elapsed().as_secs_f64());
    let mut good = true;
    let mut unlisted: BTreeMap<(String, String), (Vec<Door>, String)> = BTreeMap::new();
    for (program, verdicts) in programs.iter().zip(&verdicts) {
        for (&door, verdict) in doors.iter().zip(verdicts) {
            let (kind, wanted) = (verdict.kind(), listed.kind(&program.name, door));
            if arguments.verbose && kind != "passes" {
                println!("{}: {door}: {kind}: {}", program.name, verdict.text());
            }
            if kind == wanted {
                continue;
            }
            good = false;
            println!("{}: {door}: {kind}, listed: {wanted}: {}", program.name, verdict.text());
            if kind != "passes" {
                let entry = unlisted.entry((program.name.clone(), kind)).or_default();
                entry.0.push(door);
                verdict.text().clone_into(&mut entry.1);
            }
        }
    }
    let whole = programs.len() == all && doors.len() == DOORS.len();
    if whole && !arguments.update {
        let is_known = |(name, _): &&(String, Door)| programs.iter().all(|p| p.name != *name);
        for (name, _) in listed.entries.keys().filter(is_known) {
            good = false;
            println!("{name}: is listed, and no program");
        }
        if listed.counts != counts {
            good = false;
            println!("{}: {COUNTS}{} is listed", arguments.suite, listed.counts);
        }
    }
    if arguments.update && whole {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.retain(|line| !line.starts_with(COUNTS));
        lines.insert(0, format!("{COUNTS}{counts}"));
        for ((name, kind), (doors, text)) in &unlisted {
            let text: String = text.replace(['\n', '|'], " ").chars().take(160).collect();
            lines.push(format!("{name} | {} | {kind} | ? {text}", listed::doors(doors)));
        }
        std::fs::write(&path, lines.join("\n") + "\n")
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(good)
}

/// What became of each program through each door.
fn verdicts(
    arguments: &Arguments,
    runner: &Runner,
    programs: &[Program],
    doors: &[Door],
    listed: &Listed,
) -> Result<Vec<Vec<Verdict>>, String> {
    let batches: Vec<(usize, Door, usize, &[Program])> = programs
        .chunks(BATCH)
        .enumerate()
        .flat_map(|(batch, part)| {
            doors.iter().enumerate().map(move |(index, &door)| (index, door, batch, part))
        })
        .collect();
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, usize, Vec<Verdict>)>> = Mutex::new(Vec::new());
    let failed: Mutex<Option<String>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs {
            scope.spawn(|| {
                while let Some(&(index, door, batch, part)) =
                    batches.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let name = format!("{}-{batch}", arguments.suite);
                    let is_run = |program: &&Program| listed.kind(&program.name, door) != NOT_RUN;
                    let run: Vec<&Program> = part.iter().filter(is_run).collect();
                    match runner.run(&run, door, &name) {
                        Ok(verdicts) => {
                            let mut verdicts = verdicts.into_iter();
                            let all = part.iter().map(|program| match is_run(&program) {
                                true => verdicts.next().unwrap_or(Verdict::NotRun),
                                false => Verdict::NotRun,
                            });
                            if let Ok(mut done) = done.lock() {
                                done.push((index, batch * BATCH, all.collect()));
                            }
                        }
                        Err(error) => {
                            if let Ok(mut failed) = failed.lock() {
                                *failed = Some(error);
                            }
                        }
                    }
                }
            });
        }
    });
    if let Some(error) = failed.into_inner().map_err(|error| error.to_string())? {
        return Err(error);
    }
    let mut out = vec![vec![Verdict::Passes; doors.len()]; programs.len()];
    for (door, first, verdicts) in done.into_inner().map_err(|error| error.to_string())? {
        for (index, verdict) in verdicts.into_iter().enumerate() {
            out[first + index][door] = verdict;
        }
    }
    Ok(out)
}

/// `12 programs, 40 launches; passed: source 12, …`
fn counts(programs: &[Program], verdicts: &[Vec<Verdict>], doors: &[Door]) -> String {
    let launches: usize = programs.iter().map(|program| program.tests.len()).sum();
    let built = programs.iter().filter(|program| program.tests.is_empty()).count();
    let mut out =
        format!("{} programs ({built} only built), {launches} launches; passed:", programs.len());
    for (index, door) in doors.iter().enumerate() {
        let passed = verdicts.iter().filter(|all| all[index] == Verdict::Passes).count();
        let comma = if index > 0 { "," } else { "" };
        let _ = write!(out, "{comma} {door} {passed}");
    }
    out
}
