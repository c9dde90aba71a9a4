//! Damaged inputs: each has to end in an output or in errors, never in a panic, an invalid module, a
//! crash, a hang or all of the memory.
//!
//! Each few hundred run in a process of their own, which says what it is about to try: what ends the
//! process or stops it is known.

mod commands;
pub mod modules;
pub mod objects;
pub mod sources;
pub mod splice;
pub mod text;

use std::fmt;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clc::render::{MessageFormat, Style};
use clc::{AddressBits, Emit, NoIncludes, OptLevel, Options, TargetEnv, TargetOptions};
use clc_tests::process;

use crate::random::Random;
use sources::Sources;
use text::tokens;

/// Inputs that one process tries.
const PART: usize = 250;
/// The time of the processor that one input may take: a hang on a machine without other work.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// What it may take by the clock: something waits.
const PATIENCE_BY_THE_CLOCK: Duration = Duration::from_secs(120);
/// The memory that it may take.
pub const MOST_BYTES: u64 = 2 << 30;

/// What is damaged, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Bytes, tokens and lines of sources.
    Bytes,
    /// Sources with pieces of others.
    Splice,
    /// Modules of SPIR-V.
    Modules,
    /// Objects for Vulkan.
    Objects,
    /// Command lines.
    Commands,
}

impl Kind {
    pub const ALL: [Kind; 5] =
        [Kind::Bytes, Kind::Splice, Kind::Modules, Kind::Objects, Kind::Commands];

    /// The option that asks for it.
    pub fn option(self) -> &'static str {
        match self {
            Kind::Bytes => "--bytes",
            Kind::Splice => "--splice",
            Kind::Modules => "--modules",
            Kind::Objects => "--objects",
            Kind::Commands => "--commands",
        }
    }

    fn what(self) -> &'static str {
        match self {
            Kind::Bytes => "damaged sources",
            Kind::Splice => "spliced sources",
            Kind::Modules => "damaged modules",
            Kind::Objects => "damaged objects",
            Kind::Commands => "command lines",
        }
    }
}

/// What is to be tried.
pub struct Job<'a> {
    pub kind: Kind,
    pub seed: u64,
    pub count: usize,
    pub sources: &'a [PathBuf],
    /// Where files may be written.
    pub folder: &'a Path,
    /// The command, which is asked for its options.
    pub clc: &'a Path,
}

/// Something to try.
struct Input {
    /// What was damaged.
    bytes: Vec<u8>,
    how: How,
}

enum How {
    Compile(Box<Options>),
    /// Also, where that gives a module, without and with optimization for OpenCL and Vulkan.
    CompileInAllWays(Box<Options>, Style),
    /// These command lines, with the bytes in [`FILE`] and others in [`OTHER`]. They may report an internal
    /// error if they may break.
    Commands {
        other: Vec<u8>,
        lines: Vec<Vec<String>>,
        may_break: bool,
    },
    /// The bytes are the words of a command line, one a line.
    Line,
}

/// The file of a damaged input, and of one that is right, in the folder of a process.
const FILE: &str = "input";
const OTHER: &str = "other";

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.how {
            How::Compile(options) => writeln!(f, "{options:?}")?,
            How::CompileInAllWays(options, style) => writeln!(f, "{style:?} {options:?}")?,
            How::Commands { lines, .. } => {
                for line in lines {
                    writeln!(f, "clc {}", line.join(" "))?;
                }
            }
            How::Line => {}
        }
        write!(f, "----\n{}\n----", String::from_utf8_lossy(&self.bytes))
    }
}

/// What inputs are made of.
struct Material {
    sources: Sources,
    /// Modules or objects.
    samples: Vec<Vec<u8>>,
    words: Vec<String>,
}

impl Material {
    fn of(job: &Job) -> Result<Material, String> {
        let sources = Sources::of(job.sources)?;
        let samples = match job.kind {
            Kind::Modules => modules::samples(job.seed, &sources),
            Kind::Objects => objects::samples(job.seed, &sources),
            Kind::Bytes | Kind::Splice | Kind::Commands => Vec::new(),
        };
        let words = match job.kind {
            Kind::Commands => commands::vocabulary(job.clc),
            _ => Vec::new(),
        };
        Ok(Material { sources, samples, words })
    }

    /// The input of a number: the same for the same seed.
    fn input(&self, job: &Job, number: usize) -> Input {
        let mut random =
            Random::new(job.seed.wrapping_mul(0x1_0000_0003).wrapping_add(number as u64));
        match job.kind {
            Kind::Bytes => text::input(&mut random, &self.sources),
            Kind::Splice => splice::input(&mut random, &self.sources),
            Kind::Modules => modules::input(&mut random, &self.samples),
            Kind::Objects => objects::input(&mut random, &self.samples),
            Kind::Commands => commands::input(&mut random, &self.words),
        }
    }
}

impl Input {
    /// What became of it: whether there is an output, or what is wrong.
    fn try_it(&self) -> Result<bool, String> {
        match &self.how {
            How::Compile(options) => compile(&self.bytes, options, Style::default()),
            How::CompileInAllWays(options, style) => {
                if !compile(&self.bytes, options, *style)? {
                    return Ok(false);
                }
                for level in [OptLevel::O0, OptLevel::O] {
                    for environment in [
                        TargetEnv::OpenCl { major: 3, minor: 0 },
                        TargetEnv::Vulkan { major: 1, minor: 3 },
                    ] {
                        let target = TargetOptions {
                            debug: options.target.debug,
                            kernel_arg_info: options.target.kernel_arg_info,
                            ..environment.into()
                        };
                        let address_bits = match environment {
                            TargetEnv::OpenCl { .. } => options.address_bits,
                            TargetEnv::Vulkan { .. } => AddressBits::Bits64,
                        };
                        let options = Options {
                            address_bits,
                            opt_level: level,
                            target,
                            ..Options::clone(options)
                        };
                        compile(&self.bytes, &options, *style)
                            .map_err(|why| format!("{why} ({level:?}, {environment:?})"))?;
                    }
                }
                Ok(true)
            }
            How::Commands { other, lines, may_break } => {
                let mut outputs = 0;
                for line in lines {
                    write(FILE, &self.bytes)?;
                    write(OTHER, other)?;
                    let words: Vec<&str> = line.iter().map(String::as_str).collect();
                    outputs += usize::from(succeeds(&words, *may_break)?);
                }
                Ok(outputs > 0)
            }
            How::Line => {
                files_of_command_lines()?;
                let text = String::from_utf8_lossy(&self.bytes).into_owned();
                succeeds(&text.split('\n').collect::<Vec<_>>(), false)
            }
        }
    }
}

fn write(name: &str, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(name, bytes).map_err(|error| format!("{name}: {error}"))
}

/// Runs the command in this process.
fn command(words: &[&str]) -> u8 {
    clc::cli::run(std::iter::once("clc").chain(words.iter().copied()).map(Into::into).collect())
}

/// Whether the command succeeds; another exit code than documented is wrong.
fn succeeds(words: &[&str], may_break: bool) -> Result<bool, String> {
    match command(words) {
        0 => Ok(true),
        1 | 2 => Ok(false),
        70 if may_break => Ok(false),
        code => Err(format!("exit code {code} of clc {}", words.join(" "))),
    }
}

/// Anew for each command line, which may have written any of them.
fn files_of_command_lines() -> Result<(), String> {
    const GOOD: &[u8] = b"kernel void k(global int *p) { p[get_global_id(0)] += 1; }\n";
    let _ = std::fs::remove_dir_all("folder");
    let _ = std::fs::create_dir("folder");
    for name in commands::FILES {
        let bytes: &[u8] = match name {
            "bad.cl" => b"kernel void k(global int *p) { p = 1.0f; q }\n",
            "words.rsp" => b"-O0 'good.cl' -DX=\"1 2\" @words.rsp",
            "profile.json" => b"{\"device\": 1}",
            "folder" => continue,
            _ => GOOD,
        };
        write(name, bytes)?;
    }
    command(&["good.cl", "-o", "module.spv"]);
    command(&["-c", "good.cl", "-o", "part.spv"]);
    command(&["-c", "--target-env=vulkan1.3", "good.cl", "-o", "object.o"]);
    Ok(())
}

/// Whether a source gives a module, or what is wrong.
fn compile(text: &[u8], options: &Options, style: Style) -> Result<bool, String> {
    emit(text, Emit::Spirv, options, style)
}

/// Whether a source gives what is asked for, or what is wrong.
pub fn emit(text: &[u8], what: Emit, options: &Options, style: Style) -> Result<bool, String> {
    let outcome = clc::guard::run(|| {
        let compilation = clc::compile("input.cl", text, what, options, &mut NoIncludes);
        if compilation.internal_error.is_none() {
            // What is said about it has to be sayable.
            let said =
                clc::render::render_all(&compilation.diagnostics, &compilation.sources, style);
            let is_json = style.format == MessageFormat::Json;
            if let Some(line) = said.lines().find(|line| is_json && !line.starts_with('{')) {
                panic!("a message is no JSON: {line}");
            }
        }
        let module = compilation.artifact.is_some();
        let silent = !module && !compilation.has_errors();
        (compilation.internal_error, silent, module)
    });
    let error = match outcome {
        Ok((Some(error), ..)) => error,
        Ok((None, true, _)) => return Err("neither a module nor an error".to_owned()),
        Ok((None, false, module)) => return Ok(module),
        Err(error) => error,
    };
    let why = format!("{} {}", error.location.unwrap_or_default(), error.message);
    Err(why.replace('\n', " "))
}

/// One input, as text.
pub fn show(job: &Job, number: usize) -> Result<(), String> {
    enter(job)?;
    let input = Material::of(job)?.input(job, number);
    println!("{input}");
    println!("{:?}", input.try_it());
    println!("files are in {}", job.folder.display());
    Ok(())
}

/// Goes to the folder where files may be written.
fn enter(job: &Job) -> Result<(), String> {
    enter_folder(job.folder)
}

pub fn enter_folder(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder)
        .and_then(|()| std::env::set_current_dir(folder))
        .map_err(|error| format!("{}: {error}", folder.display()))
}

/// Where a child says what it does: its standard output is the command's.
const LOG: &str = "log";

/// The child: tries a range of inputs, and says so.
pub fn part(job: &Job, first: usize) -> Result<(), String> {
    static BEGAN: AtomicU64 = AtomicU64::new(0);
    static USED: AtomicU64 = AtomicU64::new(0);
    enter(job)?;
    let start = Instant::now();
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let began = Duration::from_millis(BEGAN.load(Ordering::Relaxed));
            let used = Duration::from_millis(USED.load(Ordering::Relaxed));
            let by_the_clock = start.elapsed().saturating_sub(began) > PATIENCE_BY_THE_CLOCK;
            let (time, memory) = usage().unwrap_or((start.elapsed(), 0));
            if by_the_clock || time.saturating_sub(used) > PATIENCE {
                std::process::exit(TOO_LONG);
            }
            if memory > MOST_BYTES {
                std::process::exit(TOO_LARGE);
            }
        }
    });
    let mut log = File::create(LOG).map_err(|error| format!("{LOG}: {error}"))?;
    let mut say = |what: String| writeln!(log, "{what}").map_err(|error| format!("{LOG}: {error}"));
    let material = Material::of(job)?;
    for number in first..first + job.count {
        BEGAN.store(start.elapsed().as_millis() as u64, Ordering::Relaxed);
        let used = usage().map_or_else(|| start.elapsed(), |(time, _)| time);
        USED.store(used.as_millis() as u64, Ordering::Relaxed);
        say(format!("at {number}"))?;
        match material.input(job, number).try_it() {
            Ok(true) => say("output".to_owned())?,
            Ok(false) => {}
            Err(why) => say(format!("failed {why}"))?,
        }
    }
    say("done".to_owned())
}

/// Exit codes of a child that stopped itself.
const TOO_LONG: i32 = 9;
const TOO_LARGE: i32 = 10;

/// The time of processors and the memory that this process has taken, where the system says so.
pub fn usage() -> Option<(Duration, u64)> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name, in parentheses, may be anything; user and system time are the 14th and 15th field.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11).map(|field| field.parse::<u64>().ok());
    let ticks = fields.next()?? + fields.next()??;
    let pages: u64 =
        std::fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()?;
    // A hundred ticks a second, pages of 4 KiB: those of Linux on the machines that tests run on.
    Some((Duration::from_millis(ticks * 10), pages * 4096))
}

/// A child that tries inputs from a number on.
fn child(job: &Job, first: usize, count: usize) -> Result<process::Finished, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(own);
    command.args([job.kind.option(), &count.to_string(), "--seed", &job.seed.to_string()]);
    command.args(["--from", &first.to_string()]);
    // The folder of the kind is below it.
    command
        .arg("--folder")
        .arg(job.folder.parent().unwrap_or(job.folder))
        .arg("--clc")
        .arg(job.clc);
    for folder in job.sources {
        command.arg("--sources").arg(folder);
    }
    process::run(&mut command, b"", Duration::from_secs(3600)).map_err(|error| error.to_string())
}

struct Failure {
    number: usize,
    why: String,
    /// Whether it ended the process.
    ended: bool,
}

/// Whether nothing was found among so many inputs.
pub fn run(job: &Job) -> Result<bool, String> {
    let start = Instant::now();
    let mut found: Vec<Failure> = Vec::new();
    let mut outputs = 0;
    let mut next = 0;
    while next < job.count {
        let some = PART.min(job.count - next);
        let _ = std::fs::remove_file(job.folder.join(LOG));
        let finished = child(job, next, some)?;
        let log = std::fs::read_to_string(job.folder.join(LOG)).unwrap_or_default();
        let mut last = next;
        for line in log.lines() {
            if let Some(number) = line.strip_prefix("at ") {
                last = number.parse().unwrap_or(last);
            } else if line == "output" {
                outputs += 1;
            } else if let Some(why) = line.strip_prefix("failed ") {
                found.push(Failure { number: last, why: why.to_owned(), ended: false });
            }
        }
        if log.ends_with("done\n") {
            next += some;
            continue;
        }
        if !log.starts_with("at ") {
            return Err(format!("{}\n{}", finished.stderr, finished.how()));
        }
        let how = match finished.code {
            Some(TOO_LONG) => "takes too long".to_owned(),
            Some(TOO_LARGE) => "takes too much memory".to_owned(),
            _ => finished.how(),
        };
        let said = finished.stderr.trim();
        let said = said.char_indices().rev().nth(500).map_or(said, |(at, _)| &said[at..]);
        found.push(Failure { number: last, why: format!("{how} {said}"), ended: true });
        next = last + 1;
    }
    report(job, &found)?;
    println!(
        "fuzz: seed {}, {} {} in {:.0} s: {outputs} give an output, {} fail",
        job.seed,
        job.count,
        job.kind.what(),
        start.elapsed().as_secs_f64(),
        found.len()
    );
    Ok(found.is_empty())
}

/// Prints each kind of failure once, its input reduced where that is a source and the failure can be
/// caught.
fn report(job: &Job, found: &[Failure]) -> Result<(), String> {
    if found.is_empty() {
        return Ok(());
    }
    let kind =
        |why: &str| -> String { why.chars().filter(|c| !c.is_ascii_digit()).take(60).collect() };
    let of_source = matches!(job.kind, Kind::Bytes | Kind::Splice);
    let mut seen: Vec<String> = Vec::new();
    for Failure { number, why, ended } in found {
        println!("fuzz: {}, seed {}, input {number}: {why}", job.kind.what(), job.seed);
        let kind_of_this = if of_source { kind(why) } else { internal_error(job, *number)? };
        if seen.contains(&kind_of_this) {
            continue;
        }
        if of_source {
            let mut input = Material::of(job)?.input(job, *number);
            if !ended {
                let Input { bytes, how } = input;
                let mut attempt = Input { bytes: Vec::new(), how };
                let bytes = reduce(bytes, &mut |text| {
                    attempt.bytes = text.to_vec();
                    attempt.try_it().is_err_and(|why| kind(&why) == kind_of_this)
                });
                input = Input { bytes, how: attempt.how };
            }
            println!("{input}");
        } else {
            println!("{kind_of_this}\n`--only {number}` writes its files");
        }
        seen.push(kind_of_this);
    }
    Ok(())
}

/// What the command says of an input that it fails on.
fn internal_error(job: &Job, number: usize) -> Result<String, String> {
    let finished = child(job, number, 1)?;
    let line = finished.stderr.lines().find(|line| line.contains("internal error"));
    Ok(line.unwrap_or(finished.stderr.lines().next().unwrap_or_default()).to_owned())
}

/// Takes lines away, then tokens, many at once first.
pub fn reduce(mut text: Vec<u8>, same: &mut dyn FnMut(&[u8]) -> bool) -> Vec<u8> {
    let start = Instant::now();
    let lines = |text: &[u8]| -> Vec<usize> {
        let mut out = vec![0];
        out.extend((0..text.len()).filter(|&at| text[at] == b'\n').map(|at| at + 1));
        out.push(text.len());
        out
    };
    for cut in [&lines as &dyn Fn(&[u8]) -> Vec<usize>, &tokens, &tokens] {
        let mut chunk = cut(&text).len().div_ceil(2).max(1);
        loop {
            let mut end = cut(&text).len() - 1;
            while end > 0 && start.elapsed() < Duration::from_secs(60) {
                let starts = cut(&text);
                end = end.min(starts.len() - 1);
                let from = end.saturating_sub(chunk);
                let mut smaller = text.clone();
                smaller.drain(starts[from]..starts[end]);
                if smaller.len() < text.len() && same(&smaller) {
                    text = smaller;
                }
                end = from;
            }
            if chunk == 1 {
                break;
            }
            chunk = chunk.div_ceil(2);
        }
    }
    text
}
