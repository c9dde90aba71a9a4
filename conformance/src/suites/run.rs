//! Compiling programs and running them, many in one process: a driver takes longer to start than to run one.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clc::cli::{COMPILED, INTERNAL, Request};
use clc_tests::driver::{self, Driver, Vulkan};
use clc_tests::process;

use crate::program::Program;

/// What a process with many programs may take before it counts as hanging in one of them.
const LIMIT: Duration = Duration::from_secs(240);

/// A way from a source to results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Door {
    pub kind: Kind,
    /// Of clc.
    pub level: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The OpenCL driver's own compiler.
    Source,
    OpenCl,
    Vulkan,
}

pub const DOORS: [Door; 5] = [
    Door { kind: Kind::Source, level: "" },
    Door { kind: Kind::OpenCl, level: "-O0" },
    Door { kind: Kind::OpenCl, level: "-O" },
    Door { kind: Kind::Vulkan, level: "-O0" },
    Door { kind: Kind::Vulkan, level: "-O" },
];

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Source => "source",
            Kind::OpenCl => "opencl",
            Kind::Vulkan => "vulkan",
        }
    }
}

impl fmt::Display for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.kind.name(), self.level)
    }
}

/// What a list says of a program that would harm others, or never end.
pub const NOT_RUN: &str = "not run";

/// What became of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Passes,
    /// Other results, or it compiles and must not.
    Fails(String),
    /// The compiler reports an error, with this code if it is clc.
    Refused(String, String),
    /// An internal error of clc; or the driver does not take or not survive what it is given.
    Broken(String),
    /// As the list says.
    NotRun,
}

impl Verdict {
    /// As lists of what does not pass have it.
    pub fn kind(&self) -> String {
        match self {
            Verdict::Passes => "passes".to_owned(),
            Verdict::Fails(_) => "fails".to_owned(),
            Verdict::Refused(code, _) => format!("refused {code}").trim_end().to_owned(),
            Verdict::Broken(_) => "broken".to_owned(),
            Verdict::NotRun => NOT_RUN.to_owned(),
        }
    }

    pub fn text(&self) -> &str {
        match self {
            Verdict::Passes | Verdict::NotRun => "",
            Verdict::Fails(text) | Verdict::Refused(_, text) | Verdict::Broken(text) => text,
        }
    }
}

pub struct Runner {
    pub opencl: PathBuf,
    pub vulkan: PathBuf,
    /// For modules and results.
    pub folder: PathBuf,
    pub opencl_driver: Option<Driver>,
    pub vulkan_driver: Option<Vulkan>,
}

/// What a process is told of a program, and what its results are for.
struct Job {
    /// Among the programs of the batch, and among the tests of the program; None: it is only built.
    program: usize,
    test: Option<usize>,
    module: String,
    text: String,
}

/// What a runner wrote for a job: results, and what was printed.
type Outcome = (String, String);

impl Runner {
    /// Whether there is a driver.
    pub fn has(&self, kind: Kind) -> bool {
        match kind {
            Kind::Source | Kind::OpenCl => self.opencl_driver.is_some(),
            Kind::Vulkan => self.vulkan_driver.is_some(),
        }
    }

    /// The verdicts on some programs, in order; `name` is that of their files.
    pub fn run(
        &self,
        programs: &[&Program],
        door: Door,
        name: &str,
    ) -> Result<Vec<Verdict>, String> {
        let mut verdicts: Vec<Option<Verdict>> = vec![None; programs.len()];
        let mut jobs = Vec::new();
        for (index, program) in programs.iter().enumerate() {
            let base = self.folder.join(format!("{name}-{index}-{door}"));
            match compiled(program, door, &base)? {
                Ok(_) if program.must_be_refused && door.kind != Kind::Source => {
                    verdicts[index] = Some(Verdict::Fails("it compiles".to_owned()));
                }
                Ok(module) => jobs.extend(jobs_of(program, index, &module)),
                Err(Verdict::Refused(..)) if program.must_be_refused => {
                    verdicts[index] = Some(Verdict::Passes);
                }
                Err(verdict) => verdicts[index] = Some(verdict),
            }
        }
        let outcomes = self.outcomes(&jobs, door, name)?;
        for (job, (results, printed)) in jobs.iter().zip(outcomes) {
            let program = programs[job.program];
            let complaint = match job.test.and_then(|test| program.tests.get(test)) {
                Some(test) => {
                    let complaint = test.judge(&results, &printed);
                    complaint.map(|complaint| (test.name.as_str(), complaint))
                }
                None => results.strip_prefix("error ").map(|error| ("", error.trim().to_owned())),
            };
            let verdict = &mut verdicts[job.program];
            let Some((test, complaint)) = complaint else { continue };
            if verdict.is_none() {
                *verdict = Some(of_complaint(door, test, complaint, &results));
            }
        }
        let settle = |(verdict, program): (Option<Verdict>, &&Program)| match (
            verdict,
            program.must_be_refused && door.kind == Kind::Source,
        ) {
            (None, true) => Verdict::Fails("it compiles".to_owned()),
            (Some(Verdict::Refused(..)), true) => Verdict::Passes,
            (verdict, _) => verdict.unwrap_or(Verdict::Passes),
        };
        Ok(verdicts.into_iter().zip(programs).map(settle).collect())
    }

    /// What comes of each job. One in which the process ends has another of its own, since it may be one
    /// before that broke the driver, and the others begin a new one.
    fn outcomes(&self, jobs: &[Job], door: Door, name: &str) -> Result<Vec<Outcome>, String> {
        let mut out: Vec<Outcome> = Vec::new();
        let mut alone = false;
        while let Some(mut rest) = jobs.get(out.len()..).filter(|rest| !rest.is_empty()) {
            if alone {
                rest = &rest[..1];
            }
            let file = self.folder.join(format!("{name}-{door}.results"));
            let _ = std::fs::remove_file(&file);
            let mut command = match (door.kind, &self.opencl_driver, &self.vulkan_driver) {
                (Kind::Vulkan, _, Some(driver)) => {
                    let mut command = Command::new(&self.vulkan);
                    command.arg("-").arg("-").arg(&file);
                    driver.configure(&mut command);
                    command
                }
                (Kind::Source | Kind::OpenCl, Some(driver), _) => {
                    let mut command = Command::new(&self.opencl);
                    command.arg("-").arg(&file);
                    driver.configure(&mut command);
                    command
                }
                _ => return Err(format!("{door}: no driver")),
            };
            let mut text = String::new();
            let mut module = "";
            for job in rest {
                if job.module != module {
                    module = &job.module;
                    text.push_str(&format!("module {module}\n"));
                }
                text.push_str(&job.text);
            }
            let finished = process::run(&mut command, text.as_bytes(), LIMIT)
                .map_err(|error| format!("{:?}: {error}", command.get_program()))?;
            let results = std::fs::read_to_string(&file).unwrap_or_default();
            let printed = String::from_utf8_lossy(&finished.stdout);
            let whole =
                results.split_inclusive("----\n").filter_map(|text| text.strip_suffix("----\n"));
            let mut printed = printed.split("----\n");
            let before = out.len();
            for results in whole {
                out.push((results.to_owned(), printed.next().unwrap_or_default().to_owned()));
            }
            if out.len() == before && finished.code == Some(3) {
                return Err(finished.stderr);
            }
            let is_broken = out.len() < before + rest.len();
            if is_broken && (alone || rest.len() == 1) {
                let said = finished.stderr.lines().next().unwrap_or_default();
                let how = finished.how();
                out.push((format!("error the process broke: {how}: {said}\n"), String::new()));
            }
            alone = is_broken && !alone;
        }
        Ok(out)
    }
}

/// The jobs of a compiled program.
fn jobs_of(program: &Program, index: usize, module: &str) -> Vec<Job> {
    let job = |test, text| Job { program: index, test, module: module.to_owned(), text };
    match &program.tests[..] {
        [] => vec![job(None, "----\n".to_owned())],
        tests => {
            let jobs = tests.iter().enumerate();
            jobs.map(|(number, test)| job(Some(number), test.case.job())).collect()
        }
    }
}

/// What a complaint about a job makes of its program.
fn of_complaint(door: Door, test: &str, complaint: String, results: &str) -> Verdict {
    let text = match test {
        "" => complaint.clone(),
        test => format!("{test}: {complaint}"),
    };
    let is_error = results.starts_with("error ");
    if is_error && door.kind == Kind::Source && complaint.contains("clBuildProgram") {
        Verdict::Refused(String::new(), complaint)
    } else if is_error {
        Verdict::Broken(text)
    } else {
        Verdict::Fails(text)
    }
}

/// What the runner is told to run: a source with options, or a module. An error is the program's.
fn compiled(program: &Program, door: Door, base: &Path) -> Result<Result<String, Verdict>, String> {
    let source = std::fs::read(&program.source)
        .map_err(|error| format!("{}: {error}", program.source.display()))?;
    let write = |extension: &str, bytes: &[u8]| {
        let path = base.with_extension(extension);
        let written = std::fs::write(&path, bytes);
        written
            .map(|()| path.display().to_string())
            .map_err(|error| format!("{}: {error}", path.display()))
    };
    if door.kind == Kind::Source {
        return Ok(Ok(format!("{} {}", write("cl", &source)?, program.options.join(" "))));
    }
    let mut options: Vec<String> = vec![door.level.to_owned()];
    if door.kind == Kind::Vulkan {
        options.push("--target-env=vulkan1.3".to_owned());
        options.extend(driver::vulkan_options());
        if program.tests.iter().any(|test| test.case.needs_regions()) {
            options.push("--work-group-regions".to_owned());
        }
    }
    options.extend(program.options.iter().cloned());
    let refused = |text: String| {
        let code = text.split(['[', ']']).nth(1).unwrap_or_default().to_owned();
        Ok(Err(Verdict::Refused(code, text)))
    };
    options.push("--message-format=short".to_owned());
    let request = match Request::of_options(&options) {
        Ok(request) => request,
        Err(error) => return refused(error),
    };
    let mut resolver = request.resolver.clone();
    let outcome = request.compile(&program.source.display().to_string(), &source, &mut resolver);
    match (outcome.status, &outcome.compilation) {
        (COMPILED, Some(compilation)) => {
            let words = compilation.words().ok_or("no module")?;
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let module = write("spv", &bytes)?;
            let more = match door.kind {
                Kind::Vulkan => {
                    let reflection = request.reflection(compilation).ok_or("no reflection")?;
                    write("json", reflection.as_bytes())?
                }
                // What a module does not say, and the host says when it has it built.
                Kind::OpenCl | Kind::Source => {
                    let is_host = |option: &&String| *option == "-cl-denorms-are-zero";
                    program.options.iter().find(is_host).cloned().unwrap_or_default()
                }
            };
            Ok(Ok(format!("{module} {more}").trim_end().to_owned()))
        }
        (INTERNAL, _) => {
            let error = outcome.internal_error.map(|error| error.message).unwrap_or_default();
            Ok(Err(Verdict::Broken(format!("internal error: {error}"))))
        }
        _ => {
            let is_error = |line: &&str| line.contains("error[");
            let line = outcome.log.lines().find(is_error).unwrap_or(&outcome.log);
            // Without the path of the file.
            let line = line.find("error[").map_or(line, |at| &line[at..]);
            refused(line.trim().to_owned())
        }
    }
}
