//! Litmus tests: small programs of a few threads whose outcomes tell which orders of memory hold.
//!
//! ```text
//! litmus --clc CLC --runner CLC-RUN | --vulkan-runner CLC-RUN-VULKAN [--door opencl|vulkan] [--folder FOLDER]
//!        [--rounds N] [--instances N] [--level -O0] [--sample N] [--all] [--show] [PART...]
//! ```
//!
//! With parts only what has one of them in its line, as `SB, relaxed` or `groups`.
//!
//! Each test runs in all orders and places ([`program`]), thousands of times in a launch ([`kernel`]), and each outcome
//! is looked up in what the memory model allows ([`model`]). One that it forbids is a failure. The outcomes that no
//! interleaving of the threads gives, and that the model allows, are counted, and show that the device reorders at all.
//!
//! Vulkan has no sequential consistency, and clc compiles it to acquire and release with a fence before each load; what
//! only that forbids is counted there by itself, and is no failure.

mod kernel;
mod model;
mod program;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use clc_tests::{driver, process};
use kernel::{GROUP, Kernel, Round};
use model::{Allowed, Outcome};
use program::{FLAVOURS, PLACEMENTS, Placement, Program, TESTS, Test};

/// What the launches of a test may take before they count as hanging.
const LIMIT: Duration = Duration::from_secs(600);

/// Bytes of launches after which another process begins; all of them would not fit into memory in long runs.
const TEXT: usize = 64 << 20;

struct Arguments {
    clc: PathBuf,
    runner: PathBuf,
    is_vulkan: bool,
    folder: PathBuf,
    rounds: usize,
    instances: usize,
    level: String,
    /// Only every N-th combination.
    sample: usize,
    /// Only lines that contain one of these; empty: all.
    parts: Vec<String>,
    /// Shows all outcomes, and lines without weak ones.
    all: bool,
    /// Only writes the kernels.
    show: bool,
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| run(&arguments)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("litmus: {message}");
            ExitCode::FAILURE
        }
    }
}

fn arguments() -> Result<Arguments, String> {
    let mut out = Arguments {
        clc: PathBuf::new(),
        runner: PathBuf::new(),
        is_vulkan: false,
        folder: std::env::temp_dir().join("clc-litmus"),
        rounds: 8,
        instances: 2048,
        level: "-O".to_owned(),
        sample: 1,
        parts: Vec::new(),
        all: false,
        show: false,
    };
    let (mut opencl, mut vulkan, mut door) = (None, None, None);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        let number = |text: String| {
            let number = text.parse::<usize>().ok().filter(|&number| number > 0);
            number.ok_or(format!("{text}: a number from 1 on is wanted"))
        };
        match word.as_str() {
            "--clc" => out.clc = value()?.into(),
            "--runner" => opencl = Some(PathBuf::from(value()?)),
            "--vulkan-runner" => vulkan = Some(PathBuf::from(value()?)),
            "--door" => door = Some(value()?),
            "--folder" => out.folder = value()?.into(),
            "--rounds" => out.rounds = number(value()?)?,
            // Whole groups.
            "--instances" => out.instances = number(value()?)?.next_multiple_of(GROUP),
            "--level" => out.level = value()?,
            "--sample" => out.sample = number(value()?)?,
            "--all" => out.all = true,
            "--show" => out.show = true,
            option if option.starts_with('-') => return Err(format!("unknown argument {word}")),
            _ => out.parts.push(word),
        }
    }
    (out.is_vulkan, out.runner) = match (door.as_deref(), opencl, vulkan) {
        (Some("opencl") | None, Some(runner), _) => (false, runner),
        (Some("vulkan") | None, _, Some(runner)) => (true, runner),
        (Some(door @ ("opencl" | "vulkan")), ..) => return Err(format!("no runner for {door}")),
        (Some(door), ..) => return Err(format!("no door is called {door}")),
        (None, None, None) if out.show => (false, PathBuf::new()),
        (None, None, None) => return Err("--runner or --vulkan-runner is wanted".to_owned()),
    };
    Ok(out)
}

/// A test in some orders and in a place.
struct Case {
    /// `SB, relaxed, local, work_group`
    name: String,
    placement: &'static Placement,
    program: Program,
    /// By the model of OpenCL.
    allowed: Allowed,
    /// Without the total order, which Vulkan does not have.
    without_order: BTreeSet<Outcome>,
    /// What interleaving the threads gives.
    strong: BTreeSet<Outcome>,
}

/// What came of a case.
#[derive(Default)]
struct Counts {
    of: BTreeMap<Outcome, usize>,
}

/// Those whose orders keep the program free of races; others have no meaning.
fn cases(test: &'static Test) -> Vec<Case> {
    let mut out = Vec::new();
    let total = FLAVOURS.iter().find(|flavour| flavour.name == "seq_cst");
    for flavour in FLAVOURS {
        let Some(program) = test.program(flavour) else { continue };
        for placement in PLACEMENTS {
            if placement.memory == program::Memory::Both && program.locations.len() < 2 {
                continue;
            }
            let allowed = model::allowed(&program, placement.memory, true);
            if allowed.is_racy {
                continue;
            }
            let strong =
                total.and_then(|total| test.program(total)).map_or_else(BTreeSet::new, |program| {
                    model::allowed(&program, placement.memory, true).outcomes
                });
            let without_order = model::allowed(&program, placement.memory, false).outcomes;
            let program = program.clone();
            let name = format!("{}, {}, {}", test.name, flavour.name, placement.name);
            out.push(Case { name, placement, program, allowed, without_order, strong });
        }
    }
    out
}

/// Whether nothing forbidden was seen.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let start = Instant::now();
    std::fs::create_dir_all(&arguments.folder)
        .map_err(|error| format!("{}: {error}", arguments.folder.display()))?;
    let mut number = 0;
    let (mut instances, mut weak, mut without_order, mut forbidden, mut combinations) =
        (0, 0, 0, 0, 0);
    for test in TESTS {
        let mut cases = cases(test);
        cases.retain(|case| {
            let is_wanted = |part: &String| case.name.contains(part.as_str());
            if !arguments.parts.is_empty() && !arguments.parts.iter().any(is_wanted) {
                return false;
            }
            number += 1;
            number % arguments.sample == 0
        });
        if cases.is_empty() {
            continue;
        }
        let kernels: Vec<Kernel> = cases
            .iter()
            .enumerate()
            .map(|(index, case)| Kernel {
                name: format!("k{index}"),
                program: &case.program,
                placement: case.placement,
            })
            .collect();
        if arguments.show {
            for (case, kernel) in cases.iter().zip(&kernels) {
                println!("// {}", case.name);
                println!("{}", kernel.source());
            }
            continue;
        }
        combinations += cases.len();
        let all = outcomes(arguments, test, &kernels)?;
        for ((case, kernel), counts) in cases.iter().zip(&kernels).zip(&all) {
            let heading = &case.name;
            let mut line = Vec::new();
            let total: usize = counts.of.values().sum();
            instances += total;
            for (outcome, &count) in &counts.of {
                let text = describe(&case.program, outcome);
                if case.strong.contains(outcome) {
                    if arguments.all {
                        line.push(format!("{count} ({text})"));
                    }
                    continue;
                }
                if case.allowed.outcomes.contains(outcome) {
                    weak += count;
                    line.push(format!("{count} weak ({text})"));
                } else if arguments.is_vulkan && case.without_order.contains(outcome) {
                    without_order += count;
                    line.push(format!("{count} that only sequential consistency forbids ({text})"));
                } else {
                    forbidden += count;
                    line.push(format!("{count} FORBIDDEN ({text})"));
                    println!("{heading}: {count} of {total} forbidden: {text}");
                    let histogram = counts.of.iter();
                    for (outcome, count) in histogram {
                        println!("    {count:8}  {}", describe(&case.program, outcome));
                    }
                    println!("{}", kernel.source());
                }
            }
            if !line.is_empty() || arguments.all {
                println!("{heading}: of {total} {}", line.join(", "));
            }
        }
    }
    let not_ordered = match arguments.is_vulkan {
        true => format!(
            ", {without_order} that only sequential consistency forbids, which Vulkan has not"
        ),
        false => String::new(),
    };
    println!(
        "litmus: {} at {}, {combinations} tests in orders and places, {instances} instances in {:.0} s: {weak} \
         weak outcomes that are allowed{not_ordered}, {forbidden} forbidden",
        if arguments.is_vulkan { "Vulkan" } else { "OpenCL" },
        arguments.level,
        start.elapsed().as_secs_f64(),
    );
    Ok(forbidden == 0)
}

/// `r0=1 r1=0 x=1 y=1`
fn describe(program: &Program, outcome: &Outcome) -> String {
    let (registers, locations) = outcome.split_at(program.registers);
    let registers = registers.iter().enumerate().map(|(at, value)| format!("r{at}={value}"));
    let locations =
        program.locations.iter().zip(locations).map(|(name, value)| format!("{name}={value}"));
    registers.chain(locations).collect::<Vec<_>>().join(" ")
}

/// What came of each kernel of a test: a module for each, since a driver takes as long for a kernel as its module is
/// large.
fn outcomes(arguments: &Arguments, test: &Test, kernels: &[Kernel]) -> Result<Vec<Counts>, String> {
    let door = if arguments.is_vulkan { "vulkan" } else { "opencl" };
    // A plus separates the parts of a program for the runner.
    let folder = arguments.folder.join(format!("{}-{door}", test.name.replace('+', "-")));
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    compile(arguments, kernels, &folder)?;
    let mut out: Vec<Counts> = kernels.iter().map(|_| Counts::default()).collect();
    let mut text = String::new();
    // The launches in the text, as kernels and rounds.
    let mut launches = Vec::new();
    for (index, kernel) in kernels.iter().enumerate() {
        let path = |extension: &str| folder.join(format!("{}.{extension}", kernel.name));
        let module = match arguments.is_vulkan {
            true => format!("module {} {}\n", path("spv").display(), path("json").display()),
            false => format!("module {}\n", path("spv").display()),
        };
        let mut is_loaded = false;
        for number in 0..arguments.rounds {
            let round = Round::new(number);
            if !is_loaded {
                text.push_str(&module);
            }
            text.push_str(&kernel.job(&round, arguments.instances));
            launches.push((index, round));
            is_loaded = true;
            let is_last = index + 1 == kernels.len() && number + 1 == arguments.rounds;
            if !is_last && text.len() < TEXT {
                continue;
            }
            let results = results(arguments, test, &text, &folder)?;
            let mut results = results.split_terminator("----\n");
            for (index, round) in launches.drain(..) {
                let results = results.next().ok_or(format!("{}: too few results", test.name))?;
                let outcomes = kernels[index].outcomes(results, &round, arguments.instances);
                for outcome in outcomes.map_err(|error| format!("{}: {error}", test.name))? {
                    *out[index].of.entry(outcome).or_default() += 1;
                }
            }
            text.clear();
            is_loaded = false;
        }
    }
    Ok(out)
}

/// What a process gives for some launches.
fn results(
    arguments: &Arguments,
    test: &Test,
    text: &str,
    folder: &Path,
) -> Result<String, String> {
    let file = folder.join("results");
    let _ = std::fs::remove_file(&file);
    let mut command = Command::new(&arguments.runner);
    // A machine that has no drivers of the tests has its own.
    if arguments.is_vulkan {
        command.args(["-", "-"]).arg(&file);
        if let Some(driver) = driver::vulkan() {
            driver.configure(&mut command);
        }
    } else {
        command.arg("-").arg(&file);
        if let Some(driver) = driver::find() {
            driver.configure(&mut command);
        }
    }
    let finished = process::run(&mut command, text.as_bytes(), LIMIT)
        .map_err(|error| format!("{}: {error}", arguments.runner.display()))?;
    if finished.code != Some(0) {
        return Err(format!("{}: {}: {}", test.name, finished.how(), finished.stderr.trim()));
    }
    std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))
}

fn compile(arguments: &Arguments, kernels: &[Kernel], folder: &Path) -> Result<(), String> {
    let mut command = Command::new(&arguments.clc);
    command.args([&arguments.level, "-cl-std=CL2.0", "-w", "--message-format", "short"]);
    if arguments.is_vulkan {
        command.arg("--target-env=vulkan1.3").arg("--reflection").arg(folder);
        command.args(driver::vulkan_options());
    }
    for kernel in kernels {
        let path = folder.join(format!("{}.cl", kernel.name));
        std::fs::write(&path, kernel.source())
            .map_err(|error| format!("{}: {error}", path.display()))?;
        command.arg(path);
    }
    command.arg("-o").arg(folder);
    let finished = process::run(&mut command, b"", LIMIT)
        .map_err(|error| format!("{}: {error}", arguments.clc.display()))?;
    match finished.code {
        Some(0) => Ok(()),
        _ => Err(format!("{}\n{}", finished.stderr.trim(), finished.how())),
    }
}
