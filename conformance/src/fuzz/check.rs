//! Compiling programs in three ways, running them, and comparing the results.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use clc_tests::driver::{self, Driver, Vulkan};
use clc_tests::{hex, process};

use crate::generate::{GLOBAL, OWN, Program, RAW, WORDS, prelude};
use crate::instructions;
use crate::random::Random;
use crate::replay::Kept;
use crate::variants;

/// What a child may take before it counts as hanging.
const LIMIT: Duration = Duration::from_secs(60);
/// What the driver says when it ends in selecting instructions for a phi that lives across a
/// barrier; docs/fuzzing.md has an example.
const KNOWN_CRASH: &str = "X86 DAG->DAG Instruction Selection";

/// What the command writes before the dump of a pass.
const HEAD: &str = "; after ";

/// A way through clc to results, which are compared with those of the driver's own compiler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    pub level: &'static str,
    pub is_vulkan: bool,
    /// Compiles the [`variants::variant`] of a program instead.
    pub is_variant: bool,
    /// How many passes run, if not all.
    pub limit: Option<usize>,
}

impl Way {
    const fn new(level: &'static str, is_vulkan: bool) -> Way {
        Way { level, is_vulkan, is_variant: false, limit: None }
    }
}

pub const OPENCL: [Way; 2] = [Way::new("-O0", false), Way::new("-O", false)];
pub const VULKAN: [Way; 2] = [Way::new("-O0", true), Way::new("-O", true)];

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let target = if self.is_vulkan { " for Vulkan" } else { "" };
        let variant = if self.is_variant { ", of the variant," } else { "" };
        write!(f, "clc {}{target}{variant}", self.level)
    }
}

pub struct Checker {
    pub clc: PathBuf,
    pub runner: PathBuf,
    pub driver: Driver,
    pub vulkan_runner: PathBuf,
    /// Present if there are [`VULKAN`] ways.
    pub vulkan: Option<Vulkan>,
    pub folder: PathBuf,
    /// Where what runs on Vulkan is kept, if it is.
    pub kept: Option<Kept>,
    /// How often [`KNOWN_CRASH`] was met.
    pub crashes: AtomicUsize,
    /// How often a kernel gave the expected results only without the instructions that the driver
    /// loses across barriers.
    pub lost: AtomicUsize,
    /// How often the driver's compiler gave two results, one of them clc's.
    pub undecided: AtomicUsize,
    /// How often results on Vulkan differed in nothing but what comes of the sign of a zero.
    pub zeros: AtomicUsize,
}

/// What is wrong with a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The driver's own compiler refuses the program, or fails on it: the generator's mistake, or
    /// the driver's.
    Reference(String),
    /// clc refuses it, breaks, or makes an invalid module.
    Compiler(Way, String),
    /// The driver cannot run clc's module.
    Run(Way, String),
    /// The results differ.
    Differs(Way),
}

impl Finding {
    /// Whether the other finding is the same mistake, as far as its text tells.
    pub fn is_like(&self, other: &Finding) -> bool {
        let kind = |text: &str| -> String {
            let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
            let line = line.split("rror").nth(1).unwrap_or(line);
            line.chars().filter(|c| c.is_ascii_alphabetic()).take(24).collect()
        };
        match (self, other) {
            (Finding::Reference(a), Finding::Reference(b)) => kind(a) == kind(b),
            (Finding::Compiler(a, x), Finding::Compiler(b, y))
            | (Finding::Run(a, x), Finding::Run(b, y)) => a == b && kind(x) == kind(y),
            (Finding::Differs(a), Finding::Differs(b)) => a == b,
            _ => false,
        }
    }

    pub fn way(&self) -> Option<Way> {
        match *self {
            Finding::Reference(_) => None,
            Finding::Compiler(way, _) | Finding::Run(way, _) | Finding::Differs(way) => Some(way),
        }
    }

    pub fn text(&self) -> String {
        match self {
            Finding::Reference(text) => {
                let errors: Vec<&str> =
                    text.lines().filter(|line| line.contains("error")).collect();
                format!("the driver's compiler: {}", errors.join("\n"))
            }
            Finding::Compiler(way, text) => format!("{way}: {text}"),
            Finding::Run(way, text) => format!("running what {way} made: {text}"),
            Finding::Differs(way) => format!("{way} gives other results"),
        }
    }
}

/// The text of a module of these programs.
pub fn source(programs: &[&Program]) -> String {
    let texts: Vec<String> = programs.iter().map(|program| program.tree.render() + "\n").collect();
    let text = texts.concat();
    prelude(&text, programs.iter().any(|program| program.ignores_sign_of_zero)) + &text
}

/// The launches of these programs: the first arguments are the same for all. `module` is what a launch
/// begins with, for one that has a module of its own.
fn job(programs: &[&Program], is_variant: bool, module: &dyn Fn(usize) -> String) -> String {
    let mut random = Random::new(1);
    let mut bytes = |n: usize| -> String {
        let bytes: Vec<u8> = (0..n).map(|_| random.next() as u8).collect();
        hex::encode(&bytes)
    };
    let input = bytes(WORDS * 4);
    let constant = bytes(WORDS * 4);
    let own = bytes(GLOBAL * OWN * 128);
    let raw = "00".repeat(GLOBAL * RAW);
    let (scalar, vector) = (bytes(4), bytes(16));
    let out = "00".repeat(GLOBAL * 8);
    let one = |(index, program): (usize, &&Program)| {
        let local = if is_variant { variants::local_size(program) } else { program.local };
        format!(
            "{}kernel {}\nglobal {}\nlocal {}\nbuffer {input}\nbuffer {constant}\n\
             buffer {own}\nbuffer {raw}\nscalar {scalar}\nscalar {vector}\nbuffer {out}\n{}----\n",
            module(index),
            program.kernel,
            program.grid.global(),
            program.grid.local(local),
            program.more_arguments(),
        )
    };
    programs.iter().enumerate().map(one).collect()
}

/// What a program is run with in a process for all programs of one module.
pub fn plain_job(programs: &[&Program], is_variant: bool) -> String {
    job(programs, is_variant, &|_| String::new())
}

/// What clc is told of the target, and of launches whose last groups are smaller.
pub fn vulkan_options(in_regions: bool) -> Vec<String> {
    let mut options = vec!["--target-env=vulkan1.3".to_owned()];
    options.extend(driver::vulkan_options());
    options.extend(in_regions.then(|| "--work-group-regions".to_owned()));
    options
}

/// What clc made of some programs.
enum Made {
    /// One module of all.
    Module(PathBuf),
    /// For Vulkan one of each: a driver takes as long for each kernel as its module is large.
    Modules(Vec<PathBuf>),
}

impl Checker {
    /// What is wrong with each of these programs, compiled as one module; `None` if the module as
    /// a whole fails, and `programs` are several.
    pub fn check(
        &self,
        programs: &[&Program],
        name: &str,
        ways: &[Way],
    ) -> Option<BTreeMap<usize, Finding>> {
        let mut findings = BTreeMap::new();
        let whole =
            |finding: Finding| (programs.len() == 1).then(|| BTreeMap::from([(0, finding)]));
        let path = self.folder.join(format!("{name}.cl"));
        if let Err(error) = std::fs::write(&path, source(programs)) {
            return whole(Finding::Reference(error.to_string()));
        }
        let option = programs.first().map_or("", |program| program.version.option());
        let expected_job = plain_job(programs, false);
        let variants: Vec<Program> = match ways.iter().any(|way| way.is_variant) {
            true => programs.iter().map(|program| variants::variant(program)).collect(),
            false => Vec::new(),
        };
        let variants: Vec<&Program> = variants.iter().collect();
        // What clc refuses costs least to see.
        let mut modules = Vec::new();
        let mut refused = None;
        for &way in ways {
            let programs = if way.is_variant { &variants } else { programs };
            match self.make(programs, way, name) {
                Ok(made) => modules.push((way, made)),
                Err(text) if refused.is_none() => refused = Some(Finding::Compiler(way, text)),
                Err(_) => {}
            }
        }
        if refused.is_some() && programs.len() > 1 {
            return None;
        }
        let expected = match self.run(&path, &expected_job, name, option) {
            Ok(results) => results,
            // Ended without its optimizer, alone: with it, it may not.
            Err(text) if programs.len() == 1 => {
                match self.run_with(&path, &expected_job, name, option) {
                    Ok(results) => results,
                    Err(_) => return whole(Finding::Reference(text)),
                }
            }
            Err(_) => return None,
        };
        if expected.len() != programs.len() {
            return whole(Finding::Reference("not all kernels ran".to_owned()));
        }
        if let Some(refused) = refused {
            return whole(refused);
        }
        // What the driver's compiler gives with its optimizer, where that was asked.
        let mut optimized = None;
        for (way, made) in modules {
            let (ran, module, job) = match &made {
                Made::Module(module) => {
                    let job = plain_job(programs, way.is_variant);
                    (self.run(module, &job, name, option), module.as_path(), job)
                }
                Made::Modules(modules) => {
                    let line = |index: usize| {
                        let module: &Path = &modules[index];
                        format!("module {} {}\n", module.display(), reflection(module).display())
                    };
                    let job = job(programs, way.is_variant, &line);
                    (self.run_on_vulkan(&job, name), Path::new(""), job)
                }
            };
            let mut results = match ran {
                Ok(results) if results.len() == programs.len() => results,
                Ok(_) => return whole(Finding::Run(way, "not all kernels ran".to_owned())),
                Err(text) if way.is_vulkan || !has_phi_and_barrier(module) => {
                    return whole(Finding::Run(way, text));
                }
                Err(text) => match self.run_with(module, &job, name, option) {
                    Ok(results) if results.len() == programs.len() => results,
                    Err(other) if other.contains(KNOWN_CRASH) && programs.len() == 1 => {
                        self.crashes.fetch_add(1, Ordering::Relaxed);
                        continue;
                    }
                    Ok(_) | Err(_) => return whole(Finding::Run(way, text)),
                },
            };
            if results != expected && !way.is_vulkan {
                let others = self.other_results(module, &job, name, option);
                settle(&mut results, &expected, &others, &self.lost);
            }
            if results != expected && optimized.is_none() {
                let ran = self.run_with(&path, &expected_job, name, option);
                optimized = Some(ran.unwrap_or_default());
            }
            for (index, (result, expected)) in results.iter().zip(&expected).enumerate() {
                if expected.starts_with("error") {
                    findings.entry(index).or_insert(Finding::Reference(expected.clone()));
                } else if result.starts_with("error") {
                    findings.entry(index).or_insert(Finding::Run(way, result.clone()));
                } else if result != expected {
                    let other = optimized.as_ref().and_then(|results| results.get(index));
                    if other == Some(result) {
                        self.undecided.fetch_add(1, Ordering::Relaxed);
                    } else if way.is_vulkan && self.is_sign_of_zero(programs[index], way, name) {
                        self.zeros.fetch_add(1, Ordering::Relaxed);
                    } else {
                        findings.entry(index).or_insert(Finding::Differs(way));
                    }
                }
            }
        }
        Some(findings)
    }

    /// What a module gives without the instructions that the driver loses across barriers:
    /// docs/fuzzing.md has examples.
    fn other_results(
        &self,
        module: &Path,
        job: &str,
        name: &str,
        option: &str,
    ) -> Vec<Vec<String>> {
        let words = instructions::words(&std::fs::read(module).unwrap_or_default());
        if !instructions::has_phi_and_barrier(&words) {
            return Vec::new();
        }
        self.run_with(module, job, name, option).into_iter().collect()
    }

    /// Whether results differ in the sign of zeros alone, which Vulkan's driver loses: docs/fuzzing.md has
    /// examples.
    fn is_sign_of_zero(&self, program: &Program, way: Way, name: &str) -> bool {
        if program.ignores_sign_of_zero {
            return false;
        }
        let mut program = program.with(program.tree.clone());
        program.ignores_sign_of_zero = true;
        let findings = self.check(&[&program], &format!("{name}.zeros"), &[way]);
        findings.is_some_and(|findings| findings.is_empty())
    }

    /// Compiles programs.
    fn make(&self, programs: &[&Program], way: Way, name: &str) -> Result<Made, String> {
        let target = if way.is_vulkan { "-vulkan" } else { "" };
        let variant = if way.is_variant { "-variant" } else { "" };
        let stem = format!("{name}{target}{variant}{}", way.level);
        let option = programs.first().map_or("", |program| program.version.option());
        let write = |path: &Path, programs: &[&Program]| {
            std::fs::write(path, source(programs))
                .map_err(|error| format!("{}: {error}", path.display()))
        };
        let compiler = || {
            let mut command = Command::new(&self.clc);
            command.arg(way.level).arg(option).args(["--message-format", "short", "-w", "-j", "1"]);
            if let Some(limit) = way.limit {
                command.arg(format!("--passes-limit={limit}"));
            }
            command
        };
        let mut commands = Vec::new();
        let made = if way.is_vulkan {
            let folder = self.folder.join(&stem);
            std::fs::create_dir_all(&folder)
                .map_err(|error| format!("{}: {error}", folder.display()))?;
            let path = |index: usize, end: &str| folder.join(format!("{index}.{end}"));
            for (index, &program) in programs.iter().enumerate() {
                write(&path(index, "cl"), &[program])?;
            }
            for in_regions in [false, true] {
                let numbered = programs.iter().enumerate();
                let these = numbered.filter(|(_, it)| it.has_smaller_groups() == in_regions);
                let these: Vec<usize> = these.map(|(index, _)| index).collect();
                let Some(&first) = these.first() else { continue };
                let mut command = compiler();
                command.args(these.iter().map(|&index| path(index, "cl")));
                command.args(vulkan_options(in_regions));
                for option in ["-o", "--reflection"] {
                    // The folder, or the file where there is only one.
                    let whole = path(first, if option == "-o" { "spv" } else { "json" });
                    command.arg(option);
                    command.arg(if these.len() == 1 { &whole } else { &folder });
                }
                commands.push(command);
            }
            Made::Modules((0..programs.len()).map(|index| path(index, "spv")).collect())
        } else {
            let path = self.folder.join(format!("{name}{variant}.cl"));
            write(&path, programs)?;
            let module = self.folder.join(format!("{stem}.spv"));
            let mut command = compiler();
            command.arg(path).arg("-o").arg(&module);
            commands.push(command);
            Made::Module(module)
        };
        for mut command in commands {
            let finished =
                process::run(&mut command, b"", LIMIT).map_err(|error| error.to_string())?;
            if finished.code != Some(0) {
                return Err(format!("{}\n{}", finished.stderr.trim(), finished.how()));
            }
        }
        Ok(made)
    }

    /// The passes and steps that run on a way, in order.
    pub fn passes(&self, program: &Program, name: &str, way: Way) -> Result<Vec<String>, String> {
        let path = self.folder.join(format!("{name}.cl"));
        let error = |error: std::io::Error| format!("{}: {error}", path.display());
        let variant = way.is_variant.then(|| variants::variant(program));
        let text = source(&[variant.as_ref().unwrap_or(program)]);
        std::fs::write(&path, text).map_err(error)?;
        let mut command = Command::new(&self.clc);
        if way.is_vulkan {
            command.args(vulkan_options(program.has_smaller_groups()));
        }
        command.arg(way.level).arg(&path).arg(program.version.option());
        command.args(["--print-after=all", "-w", "-o", "-"]);
        let finished = process::run(&mut command, b"", LIMIT).map_err(error)?;
        let heads = finished.stderr.lines().filter_map(|line| line.strip_prefix(HEAD));
        Ok(heads.map(|name| name.trim().to_owned()).collect())
    }

    /// The results of each kernel, without the driver's optimizer: it takes most of the time, and
    /// is not what is looked for.
    fn run(
        &self,
        module: &Path,
        job: &str,
        name: &str,
        option: &str,
    ) -> Result<Vec<String>, String> {
        self.run_with(module, job, name, &format!("{option} -cl-opt-disable"))
    }

    fn run_with(
        &self,
        module: &Path,
        job: &str,
        name: &str,
        options: &str,
    ) -> Result<Vec<String>, String> {
        let mut command = Command::new(&self.runner);
        let results = self.results(name);
        command.arg(module).arg(&results).arg(options);
        self.driver.configure(&mut command);
        Self::results_of(command, &results, job)
    }

    /// The results of kernels that have modules of their own.
    fn run_on_vulkan(&self, job: &str, name: &str) -> Result<Vec<String>, String> {
        let vulkan = self.vulkan.as_ref().ok_or("no Vulkan driver")?;
        let mut command = Command::new(&self.vulkan_runner);
        let results = self.results(name);
        command.args(["-", "-"]).arg(&results);
        vulkan.configure(&mut command);
        // lavapipe without the optimizer and with short vectors takes a tenth of the time.
        command.env("GALLIVM_PERF", "nopt").env("LP_NATIVE_VECTOR_WIDTH", "128");
        // No program comes twice.
        command.env("MESA_SHADER_CACHE_DISABLE", "true");
        let found = Self::results_of(command, &results, job)?;
        if let Some(kept) = &self.kept {
            kept.add(job, &found)?;
        }
        Ok(found)
    }

    /// The file for results, which does not exist yet.
    fn results(&self, name: &str) -> PathBuf {
        let results = self.folder.join(format!("{name}.results"));
        let _ = std::fs::remove_file(&results);
        results
    }

    /// What a runner says of the kernels of a job.
    pub fn results_of(
        mut command: Command,
        results: &Path,
        job: &str,
    ) -> Result<Vec<String>, String> {
        let finished =
            process::run(&mut command, job.as_bytes(), LIMIT).map_err(|error| error.to_string())?;
        if finished.code != Some(0) {
            return Err(format!("{}\n{}", finished.stderr.trim(), finished.how()));
        }
        let text = std::fs::read_to_string(results).map_err(|error| error.to_string())?;
        let printed = String::from_utf8_lossy(&finished.stdout);
        let mut printed = printed.split("----\n");
        let one = |results| without_padding(results) + &sorted(printed.next().unwrap_or_default());
        Ok(text.split_terminator("----\n").map(one).collect())
    }
}

/// The file that tells the host how to launch the kernels of a module.
fn reflection(module: &Path) -> PathBuf {
    module.with_extension("json")
}

/// The results of a kernel without the buffer of structs, whose padding is anything.
fn without_padding(results: &str) -> String {
    if results.starts_with("error") {
        return results.to_owned();
    }
    let lines: Vec<&str> = results.lines().collect();
    lines.iter().enumerate().filter(|(index, _)| *index != 3).map(|(_, line)| *line).collect()
}

/// The lines that kernels printed: work-items print in any order.
fn sorted(printed: &str) -> String {
    let mut lines: Vec<&str> = printed.lines().collect();
    lines.sort_unstable();
    lines.join("\n")
}

/// Takes for each kernel the first of the other results that is as expected.
fn settle(
    results: &mut [String],
    expected: &[String],
    others: &[Vec<String>],
    count: &AtomicUsize,
) {
    for (index, (result, expected)) in results.iter_mut().zip(expected).enumerate() {
        if result != expected && others.iter().any(|other| other.get(index) == Some(expected)) {
            result.clone_from(expected);
            count.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn has_phi_and_barrier(module: &Path) -> bool {
    let bytes = std::fs::read(module).unwrap_or_default();
    instructions::has_phi_and_barrier(&instructions::words(&bytes))
}
