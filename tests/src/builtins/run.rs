//! Compiles a family's kernels and runs them on the driver.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clc_builtins::worst::Estimates;

use crate::builtins::driver_errors;
use crate::builtins::elementwise::Function;
use crate::builtins::inputs::Inputs;
use crate::builtins::vulkan;
use crate::driver::{Driver, Vulkan};
use crate::{hex, process};

const LIMIT: Duration = Duration::from_secs(300);

pub enum Argument {
    /// A buffer of one column of arguments, shared between kernels.
    Column(Arc<Inputs>, usize),
    /// A buffer that the kernel reads.
    Input(Vec<u8>),
    /// A buffer that the kernel reads and writes; among the results.
    Buffer(Vec<u8>),
    /// A buffer of so many bytes for the kernel to write; among the results.
    Output(usize),
    Scalar(Vec<u8>),
    Local(usize),
    /// A line of `clc-run` as it is; with its results if it is an image that is read back.
    Line(String),
}

/// What is wrong with the results: the outputs in order, and what was printed.
pub type Check = Box<dyn Fn(&[Vec<u8>], &str) -> Vec<String> + Send + Sync>;

pub struct Kernel {
    pub name: String,
    pub title: String,
    pub source: String,
    pub arguments: Vec<Argument>,
    pub global: Vec<usize>,
    pub local: Vec<usize>,
    pub check: Check,
    /// Instead of `check`, where Vulkan promises something else.
    pub check_on_vulkan: Option<Check>,
}

impl Kernel {
    /// A kernel that runs as one work-item.
    pub fn new(
        name: &str,
        title: &str,
        source: String,
        arguments: Vec<Argument>,
        check: Check,
    ) -> Kernel {
        Kernel {
            name: name.to_owned(),
            title: title.to_owned(),
            source,
            arguments,
            global: vec![1],
            local: vec![1],
            check,
            check_on_vulkan: None,
        }
    }

    pub fn sizes(self, global: &[usize], local: &[usize]) -> Kernel {
        Kernel { global: global.to_vec(), local: local.to_vec(), ..self }
    }

    pub fn checked_on_vulkan(self, check: Check) -> Kernel {
        Kernel { check_on_vulkan: Some(check), ..self }
    }

    /// What is wrong with an outcome.
    fn complaints(&self, outcome: &Outcome, device: Device<'_>) -> Vec<String> {
        let check = match (device, &self.check_on_vulkan) {
            (Device::Vulkan(_), Some(check)) => check,
            (Device::Vulkan(_), None) | (Device::OpenCl(_), _) => &self.check,
        };
        match outcome {
            Ok((outputs, printed)) => check(outputs, printed),
            Err(error) => vec![error.clone()],
        }
    }

    /// The job for `clc-run`; `known` are the columns that came with earlier kernels.
    pub fn job(&self, known: &mut HashSet<String>) -> String {
        let sizes =
            |sizes: &[usize]| sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let mut job = format!("kernel {}\nglobal {}\n", self.name, sizes(&self.global));
        if !self.local.is_empty() {
            let _ = writeln!(job, "local {}", sizes(&self.local));
        }
        for (index, argument) in self.arguments.iter().enumerate() {
            let _ = match argument {
                Argument::Column(inputs, column) => {
                    let name = format!("{}.{column}", inputs.name);
                    if known.insert(name.clone()) {
                        let mut bytes = Vec::new();
                        for value in &inputs.columns[*column] {
                            value.push(&mut bytes);
                        }
                        let _ = writeln!(job, "data {name} {}", hex::encode(&bytes));
                    }
                    writeln!(job, "input {name}")
                }
                Argument::Input(bytes) => {
                    let name = format!("{}.{index}", self.name);
                    writeln!(job, "data {name} {}\ninput {name}", hex::encode(bytes))
                }
                Argument::Buffer(bytes) => writeln!(job, "buffer {}", hex::encode(bytes)),
                Argument::Output(size) => writeln!(job, "output {size}"),
                Argument::Scalar(bytes) => writeln!(job, "scalar {}", hex::encode(bytes)),
                Argument::Local(size) => writeln!(job, "localmem {size}"),
                Argument::Line(line) => writeln!(job, "{line}"),
            };
        }
        job.push_str("----\n");
        job
    }
}

/// Kernels of one chapter of the specification.
pub struct Family {
    pub name: &'static str,
    pub options: Vec<String>,
    /// Comes before the kernels in each module.
    pub prelude: String,
    /// Whether the driver may vectorise: only then are there sub-groups of several items.
    pub vectorised: bool,
    pub kernels: Vec<Kernel>,
}

impl Family {
    /// Kernels with nothing before them, for OpenCL C of version `std`.
    pub fn new(name: &'static str, std: &str, kernels: Vec<Kernel>) -> Family {
        let extensions = "-cl-ext=+cl_khr_fp16,+cl_khr_fp64".to_owned();
        Family {
            name,
            options: vec![format!("-cl-std={std}"), extensions],
            prelude: String::new(),
            vectorised: false,
            kernels,
        }
    }

    /// A kernel for each function.
    pub fn of_functions(name: &'static str, std: &str, functions: Vec<Function>) -> Family {
        let kernels = functions
            .into_iter()
            .enumerate()
            .map(|(index, function)| function.kernel(&format!("k{index}")))
            .collect();
        Family::new(name, std, kernels)
    }

    /// Cuts it into families of at most `size` kernels: modules that are compiled and run apart.
    pub fn parts(self, size: usize) -> Vec<Family> {
        let part = |kernel| Family {
            name: self.name,
            options: self.options.clone(),
            prelude: self.prelude.clone(),
            vectorised: self.vectorised,
            kernels: vec![kernel],
        };
        let mut apart = Vec::new();
        let mut parts: Vec<Family> = Vec::new();
        for kernel in self.kernels {
            if driver_errors::is_apart(&kernel.title) {
                apart.push(kernel);
                continue;
            }
            match parts.last_mut() {
                Some(part) if part.kernels.len() < size => part.kernels.push(kernel),
                _ => parts.push(part(kernel)),
            }
        }
        parts.extend(apart.into_iter().map(part));
        parts
    }
}

/// Where things are.
#[derive(Clone, Copy)]
pub struct Tools<'a> {
    pub compiler: &'a Path,
    /// What runs jobs on the device.
    pub runner: &'a Path,
    pub device: Device<'a>,
    pub folder: &'a Path,
    /// Compile as for a target that lacks most instructions: the expansions are tested, not the
    /// driver's functions, with these results of inexact operations.
    pub expanded: Option<Estimates>,
}

/// Where kernels run.
#[derive(Clone, Copy)]
pub enum Device<'a> {
    OpenCl(&'a Driver),
    Vulkan(&'a Vulkan),
}

impl Tools<'_> {
    fn is_vulkan(&self) -> bool {
        matches!(self.device, Device::Vulkan(_))
    }
}

/// Complaints shown for one kernel.
const SHOWN: usize = 3;

/// Runs a family's kernels, compiled at `level`. `label` is a name for its files.
pub fn run(family: &Family, label: &str, level: &str, tools: &Tools) -> Result<(), String> {
    let runs = |kernel: &&Kernel| !tools.is_vulkan() || vulkan::has_kernel(kernel);
    let kernels: Vec<&Kernel> = family.kernels.iter().filter(runs).collect();
    let outcomes = outcomes(tools, family, label, level, &kernels)?;
    let is_excused = |kernel: &Kernel, outcome: &Outcome| match outcome {
        Err(error) => tools.is_vulkan() && vulkan::excuse(kernel, error),
        Ok(_) => false,
    };
    let suspects: Vec<Suspect> = kernels
        .into_iter()
        .zip(outcomes)
        .filter(|(kernel, outcome)| !is_excused(kernel, outcome))
        .map(|(kernel, outcome)| {
            let wrong = kernel.complaints(&outcome, tools.device);
            Suspect { wrong, kernel, outcome }
        })
        .filter(|suspect| !suspect.wrong.is_empty())
        .collect();
    if suspects.is_empty() {
        return Ok(());
    }
    let kernels: Vec<&Kernel> = suspects.iter().map(|suspect| suspect.kernel).collect();
    let opinions = match tools.device {
        Device::Vulkan(_) => Vec::new(),
        Device::OpenCl(_) => second_opinion(tools, family, label, &kernels),
    };
    let mut complaints = String::new();
    for (index, Suspect { kernel, outcome, wrong }) in suspects.iter().enumerate() {
        let opinion = match (opinions.get(index), outcome) {
            (Some(Ok(theirs)), Ok(ours)) if theirs == ours => {
                "the driver's own compiler gives the same".to_owned()
            }
            (Some(Ok(_)), _) => "the driver's own compiler gives something else".to_owned(),
            (Some(Err(_)), Err(_)) => "the driver's own compiler fails too".to_owned(),
            (Some(Err(error)), Ok(_)) => format!("no second opinion: {error}"),
            (None, _) => "no second opinion".to_owned(),
        };
        let agrees = match (opinions.get(index), outcome) {
            (Some(Ok(theirs)), Ok(ours)) => theirs == ours,
            (Some(Err(_)), Err(_)) => true,
            _ => false,
        };
        let is_known = driver_errors::known(&kernel.title).is_some();
        // It may be wrong in another way: what it makes of no number differs between vectors and scalars.
        let fails_alike = is_known
            && opinions.get(index).is_some_and(|theirs| {
                let theirs = kernel.complaints(theirs, tools.device);
                let places: HashSet<&str> = theirs.iter().map(|text| place(text)).collect();
                wrong.iter().all(|complaint| places.contains(place(complaint)))
            });
        if fails_alike || agrees && is_drivers_error(tools, family, label, level, kernel) {
            driver_errors::excuse(&kernel.title, label);
            continue;
        }
        if vulkan::rounds_doubles(&kernel.title) && rounds_wrongly(tools, level) {
            vulkan::excuse_rounding(&kernel.title);
            continue;
        }
        let _ = writeln!(complaints, "{}: {} wrong; {opinion}", kernel.title, wrong.len());
        for complaint in wrong.iter().take(SHOWN) {
            let _ = writeln!(complaints, "    {complaint}");
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints) }
}

/// Which result a complaint is about.
fn place(complaint: &str) -> &str {
    complaint.split(", got ").next().unwrap_or(complaint)
}

/// Whether a Vulkan device rounds a double to a whole number that is not the nearest, by its own instruction alone.
fn rounds_wrongly(tools: &Tools, level: &str) -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    const NUMBERS: [f64; 4] = [1.5, 2.5, -3.5, 2_147_483_647.5];
    *FOUND.get_or_init(|| {
        let check = |outputs: &[Vec<u8>], _: &str| {
            let rounded = NUMBERS.iter().flat_map(|number| number.round_ties_even().to_le_bytes());
            let is_right = outputs.first().is_some_and(|got| rounded.eq(got.iter().copied()));
            if is_right { Vec::new() } else { vec!["rounded wrongly".to_owned()] }
        };
        let source = format!(
            "kernel void rounding(global const double *in, global double *out)\n{{\n    \
             for (int i = 0; i < {0}; i++)\n        out[i] = rint(in[i]);\n}}\n",
            NUMBERS.len()
        );
        let input = NUMBERS.iter().flat_map(|number| number.to_le_bytes()).collect();
        let arguments = vec![Argument::Input(input), Argument::Output(8 * NUMBERS.len())];
        let kernel = Kernel::new("rounding", "rint", source, arguments, Box::new(check));
        let family = Family::new("rounding", "CL2.0", Vec::new());
        match outcomes(tools, &family, "vulkan-rounding", level, &[&kernel]).as_deref() {
            Ok([outcome]) => !kernel.complaints(outcome, tools.device).is_empty(),
            _ => false,
        }
    })
}

/// A kernel with results that are not right.
struct Suspect<'a> {
    kernel: &'a Kernel,
    outcome: Outcome,
    wrong: Vec<String>,
}

/// Whether an error in which the driver's own compiler agrees is the driver's, and not that of the
/// expectation: it is known, or the function made of arithmetic returns what is expected.
fn is_drivers_error(
    tools: &Tools,
    family: &Family,
    label: &str,
    level: &str,
    kernel: &Kernel,
) -> bool {
    if driver_errors::known(&kernel.title).is_some() {
        return true;
    }
    if tools.expanded.is_some() {
        return false;
    }
    let tools = Tools { expanded: Some(Estimates::OfDevice), ..*tools };
    let label = format!("{label}-expanded");
    match outcomes(&tools, family, &label, level, &[kernel]).as_deref() {
        Ok([outcome]) => kernel.complaints(outcome, tools.device).is_empty(),
        _ => false,
    }
}

/// Compiles and runs `kernels`. Where they end the driver's process, parts of them do, down to single
/// kernels, whose outcome that is then.
fn outcomes(
    tools: &Tools,
    family: &Family,
    label: &str,
    level: &str,
    kernels: &[&Kernel],
) -> Result<Vec<Outcome>, String> {
    if kernels.is_empty() {
        return Ok(Vec::new());
    }
    let source = write_source(family, kernels, &tools.folder.join(format!("{label}.cl")))?;
    let module = tools.folder.join(format!("{label}.spv"));
    compile(tools, family, level, &source, &module)?;
    let Ran { results, crash, timed_out } =
        execute(tools, &module, kernels, family.vectorised, "")?;
    match (crash, kernels) {
        (None, _) if results.len() == kernels.len() => Ok(results),
        (None, _) => Err(format!("{} results for {} kernels", results.len(), kernels.len())),
        (Some(crash), [_]) => Ok(vec![Err(crash)]),
        (Some(crash), _) => {
            let (first, second) = kernels.split_at(kernels.len() / 2);
            let mut all = outcomes(tools, family, &format!("{label}-a"), level, first)?;
            all.extend(outcomes(tools, family, &format!("{label}-b"), level, second)?);
            // It is not one of the kernels then, but that they are in one module; or the machine is
            // too slow for all of them at once.
            if !timed_out && all.iter().all(Result::is_ok) {
                let titles = [first, second].map(|half| half[0].title.as_str());
                return Err(format!(
                    "modules of {} and {} run, one of both does not: {crash}",
                    titles[0], titles[1]
                ));
            }
            Ok(all)
        }
    }
}

/// Writes the source of some kernels of a family.
pub fn write_source(family: &Family, kernels: &[&Kernel], path: &Path) -> Result<PathBuf, String> {
    let mut source = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n".to_owned();
    source.push_str(&family.prelude);
    for kernel in kernels {
        source.push_str(&kernel.source);
    }
    std::fs::write(path, source).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path.to_owned())
}

fn compile(
    tools: &Tools,
    family: &Family,
    level: &str,
    source: &Path,
    module: &Path,
) -> Result<(), String> {
    let mut command = Command::new(tools.compiler);
    command.args(["--verify-each", "--color=never", level]).args(&family.options);
    if let Some(estimates) = tools.expanded {
        let name = Estimates::NAMES.iter().find(|row| row.1 == estimates).map_or("", |row| row.0);
        command.arg(format!("--expand-operations={name}"));
    }
    if tools.is_vulkan() {
        command.arg("--target-env=vulkan1.3");
        command.args(crate::driver::vulkan_options());
        command.arg(format!("--reflection={}", module.with_extension("json").display()));
    }
    command.arg(source).arg("-o").arg(module);
    let finished =
        process::run(&mut command, b"", LIMIT).map_err(|error| format!("compiler: {error}"))?;
    if finished.code != Some(0) {
        return Err(format!("compiler: {}\n{}", finished.how(), finished.stderr));
    }
    Ok(())
}

/// A kernel's outputs and what it printed, or why it did not run.
type Outcome = Result<(Vec<Vec<u8>>, String), String>;

struct Ran {
    /// Of the kernels that ran, in order.
    results: Vec<Outcome>,
    crash: Option<String>,
    timed_out: bool,
}

fn execute(
    tools: &Tools,
    module: &Path,
    kernels: &[&Kernel],
    vectorised: bool,
    options: &str,
) -> Result<Ran, String> {
    let file = module.with_extension("out");
    let _ = std::fs::remove_file(&file);
    let mut known = HashSet::new();
    let job: String = kernels.iter().map(|kernel| kernel.job(&mut known)).collect();
    let mut command = Command::new(tools.runner);
    match tools.device {
        Device::Vulkan(vulkan) => {
            command.arg(module).arg(module.with_extension("json")).arg(&file);
            vulkan.configure(&mut command);
            // The validation layer looks through a whole module for each of its kernels, and adds up
            // the `local` memory of all; the execution cases have it on.
            command.env_remove("VK_LAYER_PATH");
        }
        Device::OpenCl(driver) => {
            command.arg(module).arg(&file).arg(options);
            driver.configure(&mut command);
        }
    }
    if !vectorised {
        // The functions are tested, not the driver's vectoriser.
        command.env("CL_CONFIG_CPU_VECTORIZER_MODE", "1");
    }
    let finished = process::run(&mut command, job.as_bytes(), LIMIT)
        .map_err(|error| format!("clc-run: {error}"))?;
    let crash = (finished.code != Some(0))
        .then(|| format!("clc-run: {}: {}", finished.how(), finished.stderr));
    let stdout = String::from_utf8_lossy(&finished.stdout);
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let _ = std::fs::remove_file(&file);
    let mut printed = stdout.split_inclusive("----\n").map(|text| text.trim_end_matches("----\n"));
    let results = text
        .split_inclusive("----\n")
        .map(|text| {
            let text = text.trim_end_matches("----\n");
            let printed = printed.next().unwrap_or("").to_owned();
            match text.strip_prefix("error ") {
                Some(error) => Err(error.trim().to_owned()),
                None => {
                    let outputs: Option<Vec<_>> = text.lines().map(hex::decode).collect();
                    outputs.map(|outputs| (outputs, printed)).ok_or_else(|| "no bytes".to_owned())
                }
            }
        })
        .collect();
    Ok(Ran { results, crash, timed_out: finished.timed_out })
}

/// What the driver's own compiler makes of the same source.
fn second_opinion(
    tools: &Tools,
    family: &Family,
    label: &str,
    kernels: &[&Kernel],
) -> Vec<Outcome> {
    let path = tools.folder.join(format!("{label}-opinion.cl"));
    let ran = write_source(family, kernels, &path)
        .and_then(|source| execute(tools, &source, kernels, family.vectorised, "-cl-std=CL3.0"));
    match ran {
        Ok(ran) if ran.crash.is_none() => ran.results,
        // One that does not build takes the others with it.
        _ if kernels.len() > 1 => kernels
            .iter()
            .flat_map(|kernel| second_opinion(tools, family, label, &[kernel]))
            .collect(),
        Ok(Ran { crash: Some(crash), .. }) => {
            let lines: Vec<&str> = crash.lines().collect();
            vec![Err(lines[lines.len().saturating_sub(6)..].join(" "))]
        }
        Ok(ran) => ran.results,
        Err(error) => vec![Err(error)],
    }
}

/// The extensions that the device reports.
pub fn extensions(tools: &Tools) -> Result<String, String> {
    let mut command = Command::new(tools.runner);
    command.arg("--extensions");
    if let Device::OpenCl(driver) = tools.device {
        driver.configure(&mut command);
    }
    let finished =
        process::run(&mut command, b"", LIMIT).map_err(|error| format!("clc-run: {error}"))?;
    if finished.code == Some(0) {
        Ok(String::from_utf8_lossy(&finished.stdout).into_owned())
    } else {
        Err(format!("clc-run: {}: {}", finished.how(), finished.stderr))
    }
}

/// Whether the driver's own compiler makes something of a source that it can link.
pub fn own_compiler_builds(tools: &Tools, label: &str, source: &str) -> Result<bool, String> {
    let path = tools.folder.join(format!("{label}.cl"));
    std::fs::write(&path, source).map_err(|error| format!("{}: {error}", path.display()))?;
    let ran = execute(tools, &path, &[], false, "-cl-std=CL3.0")?;
    Ok(ran.crash.is_none())
}
