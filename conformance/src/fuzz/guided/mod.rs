//! Inputs that libFuzzer damages, guided by the code that they reach: what reaches something new is kept, and damaged
//! further. A program without libFuzzer only tries inputs that there are.
//!
//! libFuzzer runs in processes of this program that [`TARGET`] names a target in. They run until the time is over,
//! whatever ends some of them; then what they left is tried again, one of each kind is reduced, and all are printed.

#[cfg(feature = "libfuzzer")]
mod libfuzzer;
#[cfg_attr(
    not(any(test, feature = "libfuzzer")),
    expect(dead_code, reason = "libFuzzer has inputs damaged")
)]
mod mutate;
mod seeds;
mod targets;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clc_tests::process;

use crate::damage::{self, MOST_BYTES, PATIENCE};
pub use targets::Target;

/// The variable with the target of a process of libFuzzer.
const TARGET: &str = "CLC_GUIDED";

/// The largest input.
const LARGEST: usize = 8 << 10;

/// What is to be done.
pub struct Job {
    pub targets: Vec<Target>,
    /// Of all targets together.
    pub seconds: u64,
    /// How many processes try inputs at a time.
    pub jobs: usize,
    pub seed: u64,
    pub sources: Vec<PathBuf>,
    /// For each target a folder of inputs that reach something, which grows.
    pub corpus: PathBuf,
    /// For each target a folder for all else.
    pub folder: PathBuf,
}

/// If this process is one of libFuzzer's, its exit code.
pub fn child() -> Option<u8> {
    let target = std::env::var(TARGET).ok()?;
    let target = Target::ALL.into_iter().find(|known| known.name() == target)?;
    #[cfg(feature = "libfuzzer")]
    return Some(libfuzzer::run(target));
    #[cfg(not(feature = "libfuzzer"))]
    {
        eprintln!("fuzz: this program has no libFuzzer for {}", target.name());
        Some(2)
    }
}

/// Tries the input in a file.
pub fn try_file(target: Target, file: &Path) -> Result<bool, String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    println!("{}", target.shown(&bytes));
    match target.try_it(&bytes) {
        Ok(()) => println!("fuzz: nothing is wrong"),
        Err(why) => {
            println!("fuzz: {why}");
            return Ok(false);
        }
    }
    Ok(true)
}

/// Writes the reduced form of the input in a file beside it.
pub fn reduce_file(target: Target, file: &Path) -> Result<bool, String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let Err(why) = target.try_it(&bytes) else { return Ok(true) };
    let kind = kind(&why);
    let same = |bytes: &[u8]| target.try_it(bytes).is_err_and(|why| self::kind(&why) == kind);
    let small = target.reduce(bytes, same);
    let reduced = file.with_extension(REDUCED);
    std::fs::write(&reduced, small).map_err(|error| format!("{}: {error}", reduced.display()))?;
    Ok(false)
}

const REDUCED: &str = "reduced";

/// What failures of one cause have in common.
fn kind(why: &str) -> String {
    why.chars().filter(|c| !c.is_ascii_digit()).take(60).collect()
}

/// Whether nothing was found.
pub fn run(job: &Job) -> Result<bool, String> {
    if cfg!(not(feature = "libfuzzer")) {
        return Err("this program has no libFuzzer; `cargo xtask fuzz --guided` builds one".into());
    }
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let absolute = |path: &Path| {
        let made = std::fs::create_dir_all(path).and_then(|()| std::fs::canonicalize(path));
        made.map_err(|error| format!("{}: {error}", path.display()))
    };
    if job.seconds == 0 {
        return Ok(true);
    }
    let mut found = 0;
    for (index, target) in job.targets.iter().enumerate() {
        // What one leaves the others have.
        let seconds = (job.seconds * (index as u64 + 1)) / job.targets.len() as u64
            - (job.seconds * index as u64) / job.targets.len() as u64;
        let corpus = absolute(&job.corpus.join(target.name()))?;
        let folder = absolute(&job.folder.join(target.name()))?;
        let findings = absolute(&folder.join("findings"))?;
        let before = files(&findings)?;
        let start = Instant::now();
        let seeds = seeds::write(*target, job.seed, &job.sources, &folder)?;
        let log = folder.join("log");
        let log_file = || std::fs::File::create(&log).map_err(|error| error.to_string());
        let mut command = Command::new(&own);
        command
            .env(TARGET, target.name())
            .current_dir(&folder)
            .arg(format!("-fork={}", job.jobs))
            .args(["-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1"])
            .arg(format!("-max_total_time={}", seconds.max(1)))
            .arg(format!("-timeout={}", PATIENCE.as_secs()))
            .arg(format!("-rss_limit_mb={}", MOST_BYTES >> 20))
            .arg(format!("-max_len={LARGEST}"))
            .arg(format!("-seed={}", job.seed))
            .arg(format!("-artifact_prefix={}/", findings.display()))
            .arg(&corpus)
            .arg(&seeds)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log_file()?);
        let status = command.status().map_err(|error| error.to_string())?;
        let said = std::fs::read(&log).map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&said);
        // Its own status is that of the last process that failed.
        if !said.contains("INFO: exiting") {
            let last: Vec<&str> = said.lines().rev().take(20).collect();
            let last: Vec<&str> = last.into_iter().rev().collect();
            return Err(format!("libFuzzer: {status}\n{}", last.join("\n")));
        }
        let (tried, reached) = statistics(&said);
        let new: Vec<PathBuf> =
            files(&findings)?.into_iter().filter(|file| !before.contains(file)).collect();
        let kinds = report(&own, *target, &new)?;
        found += kinds;
        println!(
            "fuzz: {}: {tried} inputs in {:.0} s by {} processes, {} kept, {reached} branches reached: {} kinds of \
             failures",
            target.name(),
            start.elapsed().as_secs_f64(),
            job.jobs,
            files(&corpus)?.len(),
            kinds,
        );
    }
    Ok(found == 0)
}

/// How many inputs were tried, and how many branches the corpus reaches, in what libFuzzer says:
/// `#1234: cov: 567 ft: 8 corp: 9 …`.
fn statistics(said: &str) -> (u64, u64) {
    let numbers = |line: &str| {
        let (tried, rest) = line.strip_prefix('#')?.split_once(": cov: ")?;
        Some((tried.parse().ok()?, rest.split(' ').next()?.parse().ok()?))
    };
    said.lines().rev().find_map(numbers).unwrap_or_default()
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?
        .flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_none_or(|extension| extension != REDUCED))
        .collect();
    files.sort();
    Ok(files)
}

/// Prints one failure of each kind, and how many kinds there are. What does not fail again counts as none.
fn report(own: &Path, target: Target, files: &[PathBuf]) -> Result<usize, String> {
    let mut seen: Vec<String> = Vec::new();
    for file in files {
        let Some(why) = again(own, target, file)? else {
            println!("fuzz: {} does not fail again", file.display());
            continue;
        };
        if seen.contains(&kind(&why)) {
            continue;
        }
        seen.push(kind(&why));
        println!("fuzz: {}: {why}", target.name());
        let mut reduce = one(own, target, "--reduce", file);
        let _ = process::run(&mut reduce, b"", Duration::from_secs(120));
        let reduced = file.with_extension(REDUCED);
        let shown = if reduced.is_file() { &reduced } else { file };
        let bytes = std::fs::read(shown).map_err(|error| error.to_string())?;
        println!("{}", target.shown(&bytes));
        println!("again: cargo xtask fuzz --guided {} --try {}", target.name(), shown.display());
    }
    Ok(seen.len())
}

/// Why an input fails, in a process of its own.
fn again(own: &Path, target: Target, file: &Path) -> Result<Option<String>, String> {
    let mut command = one(own, target, "--try", file);
    let finished =
        process::run(&mut command, b"", PATIENCE * 3).map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&finished.stdout);
    let why = said.lines().rev().find_map(|line| line.strip_prefix("fuzz: "));
    Ok(match (finished.code, why) {
        (Some(0), _) => None,
        (_, Some(why)) => Some(why.to_owned()),
        (_, None) => Some(format!("{} {}", finished.how(), finished.stderr.trim())),
    })
}

fn one(own: &Path, target: Target, option: &str, file: &Path) -> Command {
    let mut command = Command::new(own);
    command.args(["--guided", target.name(), option]).arg(file);
    // What command lines name is looked for where nothing is.
    command.current_dir(file.parent().unwrap_or(file));
    command
}

/// Ends the process, with a word about it, where an input takes too long or too much.
pub fn limit() {
    std::thread::spawn(|| {
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let (time, memory) = damage::usage().unwrap_or_default();
            let why = match (time > PATIENCE, memory > MOST_BYTES) {
                (true, _) => "takes too long",
                (_, true) => "takes too much memory",
                _ => continue,
            };
            println!("fuzz: {why}");
            std::process::exit(1);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_libfuzzer_are_read() {
        let said = "INFO: x\n#12: cov: 5 ft: 6 corp: 7 exec/s 3 oom/timeout/crash: 0/0/0 time: 1s\n\
                    #4711: cov: 815 ft: 9 corp: 7 exec/s 3\nINFO: fuzzed\n";
        assert_eq!(statistics(said), (4711, 815));
        assert_eq!(statistics(""), (0, 0));
    }

    /// Nothing is wrong with what libFuzzer begins with, nor with what the mutators make of it.
    #[test]
    fn seeds_are_survived() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let sources = ["tests/suite/sema", "conformance/kernels"].map(|folder| root.join(folder));
        for target in Target::ALL {
            let seeds = seeds::of(target, 1, &sources).unwrap();
            assert!(seeds.len() > 8, "{}", target.name());
            for (index, seed) in seeds.iter().enumerate().step_by(seeds.len().div_ceil(16)) {
                let other = &seeds[index / 2];
                let mutants = [
                    mutate::mutate(target, seed, index as u32),
                    mutate::cross(target, seed, other, 7),
                ];
                for input in mutants.iter().chain([seed]) {
                    if let Err(why) = target.try_it(input) {
                        panic!("{}: {why}\n{}", target.name(), target.shown(input));
                    }
                }
            }
        }
    }
}
