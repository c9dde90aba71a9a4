//! `cargo xtask cts`: Khronos' conformance suite, OpenCL-CTS, with this compiler.
//!
//! On the OpenCL driver the suite calls the compiler by itself; with clvk, which makes an OpenCL driver
//! of a Vulkan driver, the compiler stands in clspv's place. docs/conformance.md tells how both are
//! built, and has the results.

mod expectations;
mod page;
#[cfg(test)]
mod stand_ins;
mod subtest;
mod suites;

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::setup;
use crate::shell::{self, Result, cargo, target};
use expectations::{Expectations, UNEXPLAINED};
use subtest::Run;
use suites::{SUITES, Subtest, Suite};

pub use page::check as check_page;

/// What came of a subtest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Pass,
    /// The test says that the device lacks what it needs.
    Skip,
    Fail,
    /// Ended by a signal.
    Crash,
    Timeout,
}

impl Outcome {
    const ALL: [Outcome; 5] =
        [Outcome::Pass, Outcome::Skip, Outcome::Fail, Outcome::Crash, Outcome::Timeout];

    const fn name(self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::Skip => "skip",
            Outcome::Fail => "fail",
            Outcome::Crash => "crash",
            Outcome::Timeout => "timeout",
        }
    }

    fn of(name: &str) -> Option<Outcome> {
        Outcome::ALL.into_iter().find(|outcome| outcome.name() == name)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What the command line asks for.
#[derive(Default)]
struct Request {
    cts: PathBuf,
    clvk: Option<PathBuf>,
    /// Take the machine's own Vulkan driver instead of the tests'.
    system: bool,
    /// What the driver is called in `conformance/cts`, if not by its usual name.
    name: Option<String>,
    clc: Option<PathBuf>,
    suites: Vec<&'static Suite>,
    subtests: Vec<String>,
    jobs: usize,
    /// In percent of what the table says.
    patience: u64,
    update: bool,
    /// Take what an earlier run has found with the same compiler.
    resume: bool,
}

fn request(words: &[&str]) -> Result<Request> {
    let mut request = Request { jobs: 1, patience: 100, ..Request::default() };
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let flag = match word {
            "--update" => Some(&mut request.update),
            "--system" => Some(&mut request.system),
            "--resume" => Some(&mut request.resume),
            _ => None,
        };
        if let Some(flag) = flag {
            *flag = true;
            continue;
        }
        let value = *words.next().ok_or_else(|| format!("`{word}` has no value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("`{word} {value}`: not a number"));
        match word {
            "--cts" => request.cts = absolute(value)?,
            "--clvk" => request.clvk = Some(absolute(value)?),
            "--as" => request.name = Some(value.to_owned()),
            "--clc" => request.clc = Some(absolute(value)?),
            "--subtest" => request.subtests.push(value.to_owned()),
            "--jobs" => request.jobs = number()?.max(1) as usize,
            "--patience" => request.patience = number()?,
            "--suite" => request.suites.push(suite_of(value)?),
            _ => return Err(format!("`{word}` is no option of `cargo xtask cts`")),
        }
    }
    if !request.cts.join("test_conformance").is_dir() {
        return Err("`--cts` names the folder that OpenCL-CTS was built in: docs/conformance.md \
                    tells how"
            .to_owned());
    }
    if request.system && (request.clvk.is_none() || request.name.is_none()) {
        return Err("`--system` needs `--clvk`, being about Vulkan, and a name, `--as`".to_owned());
    }
    if request.suites.is_empty() {
        request.suites = SUITES.iter().collect();
    }
    Ok(request)
}

fn suite_of(name: &str) -> Result<&'static Suite> {
    SUITES.iter().find(|suite| suite.name == name).ok_or_else(|| {
        let names: Vec<&str> = SUITES.iter().map(|suite| suite.name).collect();
        format!("`--suite {name}`: the suites are {}", names.join(", "))
    })
}

fn absolute(path: &str) -> Result<PathBuf> {
    std::fs::canonicalize(path).map_err(|error| format!("{path}: {error}"))
}

/// Where programs of the suite run: the driver, and how they reach the compiler.
struct Door {
    /// Names the folder of expectations.
    driver: String,
    environment: Vec<(&'static str, PathBuf)>,
    arguments: Vec<String>,
    /// The folder of the tests' Vulkan driver, if it is used.
    lavapipe: Option<PathBuf>,
    /// A folder of this run alone.
    scratch: Option<PathBuf>,
    clc: PathBuf,
}

impl Drop for Door {
    fn drop(&mut self) {
        if let Some(folder) = &self.scratch {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

impl Door {
    fn new(request: &Request, clc: &Path) -> Result<Door> {
        let mut door = match &request.clvk {
            Some(clvk) => Door::through_clvk(request.system, clvk, clc),
            None => Door::offline(clc),
        }?;
        if let Some(name) = &request.name {
            door.driver.clone_from(name);
        }
        Ok(door)
    }

    /// The OpenCL driver of the tests; the suite itself starts the compiler.
    fn offline(clc: &Path) -> Result<Door> {
        let folder = setup::driver()?;
        Ok(Door {
            driver: "opencl-intel-cpu".to_owned(),
            environment: vec![
                ("OCL_ICD_VENDORS", folder.join("icd")),
                ("OPENCL_VENDOR_PATH", folder.join("icd")),
                ("LD_LIBRARY_PATH", folder.join("lib")),
            ],
            arguments: vec![
                "--compilation-mode".to_owned(),
                "spir-v".to_owned(),
                "--compilation-cache-mode".to_owned(),
                "overwrite".to_owned(),
                "--compilation-program".to_owned(),
                clc.display().to_string(),
                // The compiler has validated the module.
                "--disable-spirv-validation".to_owned(),
            ],
            lavapipe: None,
            scratch: None,
            clc: clc.to_owned(),
        })
    }

    /// The same driver with its own compiler, if it has one.
    fn online(&self) -> Option<Door> {
        (!self.arguments.is_empty()).then(|| Door {
            driver: format!("{}-online", self.driver),
            environment: self.environment.clone(),
            arguments: Vec::new(),
            lavapipe: None,
            scratch: None,
            clc: self.clc.clone(),
        })
    }

    /// A Vulkan driver behind clvk, which starts the compiler under the name of clspv.
    fn through_clvk(system: bool, clvk: &Path, clc: &Path) -> Result<Door> {
        if !clvk.join("libOpenCL.so.1").exists() {
            return Err(format!("{}: clvk was not built there", clvk.display()));
        }
        // A folder of its own for each run, as several may run at once.
        let bin = target().join(format!("cts/bin/{}", std::process::id()));
        shell::create_dir(&bin)?;
        let clspv = bin.join("clspv");
        let _ = std::fs::remove_file(&clspv);
        std::os::unix::fs::symlink(clc, &clspv)
            .map_err(|error| format!("{}: {error}", clspv.display()))?;
        let clspv = std::path::absolute(&clspv).map_err(|error| error.to_string())?;
        let lavapipe = if system { None } else { Some(crate::vulkan::driver()?) };
        let mut libraries = clvk.as_os_str().to_owned();
        if let Some(folder) = &lavapipe {
            libraries.push(":");
            libraries.push(folder.join("lib"));
        }
        let environment = vec![
            ("CLVK_CLSPV_PATH", clspv),
            ("CLVK_SPIRV_ARCH", "spir64".into()),
            ("CLVK_PHYSICAL_ADDRESSING", "1".into()),
            // Its list of capabilities is that of clspv.
            ("CLVK_SKIP_SPIRV_CAPABILITY_CHECK", "1".into()),
            ("LD_LIBRARY_PATH", libraries.into()),
        ];
        let driver = "vulkan-lavapipe".to_owned();
        let clc = clc.to_owned();
        Ok(Door { driver, environment, arguments: Vec::new(), lavapipe, scratch: Some(bin), clc })
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        if let Some(folder) = &self.lavapipe {
            crate::vulkan::configure(&mut command, folder);
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.env("CL_WIMPY_MODE", "1");
        command
    }
}

pub fn run(words: &[&str]) -> Result {
    let request = request(words)?;
    let clc = match &request.clc {
        Some(clc) => clc.clone(),
        None => build()?,
    };
    let door = Door::new(&request, &clc)?;
    let jobs: Vec<Job> = request
        .suites
        .iter()
        .map(|suite| Job::new(&request, &door, suite))
        .collect::<Result<_>>()?;
    for name in &request.subtests {
        if !jobs.iter().any(|job| job.subtests.iter().any(|subtest| subtest.name == *name)) {
            return Err(format!("`--subtest {name}`: none of the suites has it"));
        }
    }
    // One queue for all suites: a long subtest at the end of one does not delay the next suite.
    let queue: Vec<(&Job, &Subtest)> = jobs
        .iter()
        .flat_map(|job| job.subtests.iter().map(move |subtest| (job, subtest)))
        .collect();
    let progress = Mutex::new(Progress::new(&queue, request.jobs));
    let next = AtomicUsize::new(0);
    let problems: Mutex<Vec<String>> = Mutex::default();
    let report = |found: Vec<String>| {
        problems.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
    };
    std::thread::scope(|scope| {
        for _ in 0..request.jobs.min(queue.len()) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some((job, subtest)) = queue.get(at) else { break };
                    let is_last = job.run(&request, &door, subtest, |run| {
                        progress.lock().unwrap_or_else(PoisonError::into_inner).ended(at, run)
                    });
                    let found = is_last.and_then(|is_last| match is_last {
                        true => job.compare(&request, &door),
                        false => Ok(Vec::new()),
                    });
                    report(found.unwrap_or_else(|error| vec![error]));
                }
            });
        }
    });
    let mut problems = problems.into_inner().unwrap_or_else(PoisonError::into_inner);
    if request.update {
        page::check(true, &mut problems)?;
    }
    if problems.is_empty() {
        return Ok(());
    }
    Err(format!("not as expected:\n  {}", problems.join("\n  ")))
}

/// The command as it is shipped, but linked as cargo does it.
fn build() -> Result<PathBuf> {
    let arguments = ["build", "--quiet", "--release", "--package", "clc-compiler", "--bin", "clc"];
    shell::run(cargo().args(arguments))?;
    let clc = target().join("release/clc");
    std::path::absolute(&clc).map_err(|error| format!("{}: {error}", clc.display()))
}

/// How much of the queue has been run.
struct Progress {
    /// For each subtest the time that it took in an earlier run, if there was one; zero when it has ended.
    times: Vec<Option<Duration>>,
    jobs: u32,
    /// How many subtests have ended, and the sum of their times.
    ended: u32,
    spent: Duration,
}

impl Progress {
    fn new(queue: &[(&Job, &Subtest)], jobs: usize) -> Progress {
        let earlier = |(job, subtest): &(&Job, &Subtest)| {
            Some(Run::earlier(&job.folder.join(&subtest.name))?.time)
        };
        let jobs = u32::try_from(jobs).unwrap_or(u32::MAX);
        let times = queue.iter().map(earlier).collect();
        Progress { times, jobs, ended: 0, spent: Duration::ZERO }
    }

    /// The place of the subtest that has ended, and what is left. Subtests that have never been run count
    /// like the mean of those that ended.
    fn ended(&mut self, at: usize, run: &Run) -> String {
        self.times[at] = Some(Duration::ZERO);
        self.ended += 1;
        self.spent += run.time;
        let mean = self.spent / self.ended;
        let left: Duration = self.times.iter().map(|time| time.unwrap_or(mean)).sum();
        let minutes = (left / self.jobs).as_secs().div_ceil(60);
        format!("{}/{}, {minutes} min left", self.ended, self.times.len())
    }
}

/// A suite that is being run.
struct Job {
    suite: &'static Suite,
    program: PathBuf,
    /// Where each subtest has a folder.
    folder: PathBuf,
    limit: Duration,
    expected: Expectations,
    /// How many subtests the suite has; those below are chosen of them.
    count: usize,
    subtests: Vec<Subtest>,
    runs: Mutex<Vec<(String, Run)>>,
}

impl Job {
    fn new(request: &Request, door: &Door, suite: &'static Suite) -> Result<Job> {
        let program = request.cts.join("test_conformance").join(suite.program);
        if !program.is_file() {
            return Err(format!("{}: not built: {}", suite.name, program.display()));
        }
        let mut subtests = suite.subtests(&mut door.command(&program))?;
        let count = subtests.len();
        if !request.subtests.is_empty() {
            subtests.retain(|subtest| request.subtests.contains(&subtest.name));
        }
        Ok(Job {
            suite,
            program,
            folder: target().join("cts").join(&door.driver).join(suite.name),
            limit: Duration::from_secs(suite.limit * request.patience / 100),
            expected: Expectations::read(&expectations::path(&door.driver, suite.name))?,
            count,
            subtests,
            runs: Mutex::default(),
        })
    }

    /// Runs a subtest; whether it was the last.
    fn run(
        &self,
        request: &Request,
        door: &Door,
        subtest: &Subtest,
        progress: impl Fn(&Run) -> String,
    ) -> Result<bool> {
        let folder = self.folder.join(&subtest.name);
        let known = match request.resume {
            true => Run::of_the_same(&folder, [&door.clc, &self.program]),
            false => None,
        };
        let is_known = known.is_some();
        let run = match known {
            Some(run) => run,
            None => self.start(door, subtest, &folder)?,
        };
        let (outcome, seconds) = (run.outcome, run.time.as_secs_f64());
        let how = if is_known { ", as before" } else { "" };
        let progress = progress(&run);
        println!(
            "{outcome:<8}{seconds:>8.1} s  {} {}  ({progress}{how})",
            self.suite.name, subtest.name
        );
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.push((subtest.name.clone(), run));
        Ok(runs.len() == self.subtests.len())
    }

    fn start(&self, door: &Door, subtest: &Subtest, folder: &Path) -> Result<Run> {
        let again = || {
            let mut command = door.command(&self.program);
            command.args(&door.arguments).args(self.suite.arguments).args(&subtest.arguments);
            command.envs(self.suite.settings.iter().copied());
            subtest::run(command, &subtest.result, folder, self.limit)
        };
        let run = again()?;
        // Threads of a driver may outlive what they use when a process ends; that is not the test's.
        if run.outcome == Outcome::Crash && run.said_pass {
            println!("passed, and crashed at the end, so once more: {}", subtest.name);
            return again();
        }
        Ok(run)
    }

    /// What the driver's own compiler makes of a subtest: who is at fault.
    fn online(&self, door: &Door, subtest: &str) -> Result<Option<Outcome>> {
        let subtest = self.subtests.iter().find(|known| known.name == subtest);
        let (Some(online), Some(subtest)) = (door.online(), subtest) else { return Ok(None) };
        let folder = target().join("cts").join(&online.driver).join(self.suite.name);
        let run = self.start(&online, subtest, &folder.join(&subtest.name))?;
        Ok(Some(run.outcome))
    }

    /// What is not as expected, after the last subtest; with `--update` that becomes what is expected.
    fn compare(&self, request: &Request, door: &Door) -> Result<Vec<String>> {
        let name = self.suite.name;
        let expected = &self.expected;
        let mut problems = Vec::new();
        let mut found = Expectations { count: self.count, others: expected.others.clone() };
        found.others.retain(|name, _| !self.subtests.iter().any(|subtest| subtest.name == *name));
        let runs = std::mem::take(&mut *self.runs.lock().unwrap_or_else(PoisonError::into_inner));
        for (subtest, run) in runs {
            let was = expected.of(&subtest);
            if was != run.outcome && run.outcome == Outcome::Pass {
                println!("better than expected: {name} {subtest}");
            } else if was != run.outcome {
                let log = self.folder.join(&subtest).join("log.txt");
                let online = match run.outcome {
                    Outcome::Pass | Outcome::Skip => None,
                    Outcome::Fail | Outcome::Crash | Outcome::Timeout => {
                        self.online(door, &subtest)?
                    }
                };
                let online = match online {
                    Some(outcome) => format!("; with the driver's own compiler: {outcome}"),
                    None => String::new(),
                };
                problems.push(format!(
                    "{name} {subtest}: {}, expected: {was}{online}; see {}",
                    run.outcome,
                    log.display()
                ));
            }
            if run.outcome != Outcome::Pass {
                let reason = match expected.others.get(&subtest) {
                    Some((outcome, reason)) if *outcome == run.outcome => reason.clone(),
                    _ => run.reason.unwrap_or_else(|| UNEXPLAINED.to_owned()),
                };
                found.others.insert(subtest, (run.outcome, reason));
            }
        }
        if expected.count != self.count && expected.count != 0 {
            problems.push(format!("{name}: {} subtests, expected: {}", self.count, expected.count));
        }
        if request.update {
            if expected.count == 0 && self.subtests.len() < self.count {
                return Err(format!("{name} has never been run as a whole"));
            }
            found.write(&expectations::path(&door.driver, name), &door.driver, name)?;
            for problem in problems.drain(..) {
                println!("written down: {problem}");
            }
        }
        Ok(problems)
    }
}
