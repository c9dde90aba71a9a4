//! One subtest: a process with a time limit, and what came of it.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use super::Outcome;
use crate::shell::{self, Result};

/// How a subtest ended.
pub struct Run {
    pub outcome: Outcome,
    /// Whether the program wrote that it passed, however it ended after that.
    pub said_pass: bool,
    /// For a skipped subtest, what it says of the reason.
    pub reason: Option<String>,
    pub time: Duration,
}

impl Run {
    /// The run that left its result in `folder`.
    pub fn earlier(folder: &Path) -> Option<Run> {
        let text = std::fs::read_to_string(outcome_file(folder)).ok()?;
        let mut fields = text.trim_end_matches('\n').splitn(3, '\t');
        let outcome = Outcome::of(fields.next()?)?;
        let time = Duration::try_from_secs_f64(fields.next()?.parse().ok()?).ok()?;
        let reason = fields.next().filter(|reason| !reason.is_empty()).map(str::to_owned);
        Some(Run { outcome, said_pass: outcome == Outcome::Pass, reason, time })
    }

    /// That run, if none of what made it has changed since.
    pub fn of_the_same(folder: &Path, made_by: [&Path; 2]) -> Option<Run> {
        let changed = |path: &Path| -> Option<SystemTime> { path.metadata().ok()?.modified().ok() };
        let ended = changed(&outcome_file(folder))?;
        let is_older = |path: &Path| changed(path).is_some_and(|changed| changed < ended);
        made_by.into_iter().all(is_older).then(|| Run::earlier(folder)).flatten()
    }

    fn keep(&self, folder: &Path) -> Result {
        let reason = self.reason.as_deref().unwrap_or_default();
        let text = format!("{}\t{:.2}\t{reason}\n", self.outcome, self.time.as_secs_f64());
        shell::write(&outcome_file(folder), &text)
    }
}

fn outcome_file(folder: &Path) -> PathBuf {
    folder.join("outcome.txt")
}

/// Runs `command`, a program of the suite that has been told of one subtest, in `folder`, where its
/// output stays as `log.txt`.
pub fn run(mut command: Command, subtest: &str, folder: &Path, limit: Duration) -> Result<Run> {
    // Caches of compiled programs may be left from another compiler.
    let _ = std::fs::remove_dir_all(folder);
    shell::create_dir(folder)?;
    let told = |error: std::io::Error| format!("{}: {error}", folder.display());
    link_data(Path::new(command.get_program()), folder).map_err(told)?;
    let log = folder.join("log.txt");
    let results = folder.join("results.json");
    let file = std::fs::File::create(&log).map_err(told)?;
    command
        .current_dir(folder)
        .env("CL_CONFORMANCE_RESULTS_FILENAME", &results)
        .stdin(Stdio::null())
        .stdout(file.try_clone().map_err(told)?)
        .stderr(file)
        // Programs start compilers, which must end with them.
        .process_group(0);
    let start = Instant::now();
    let mut child = command.spawn().map_err(told)?;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(told)? {
            break Some(status);
        }
        if start.elapsed() > limit {
            let group = format!("-{}", child.id());
            let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let time = start.elapsed();
    let text = String::from_utf8_lossy(&std::fs::read(&log).unwrap_or_default()).into_owned();
    let said = std::fs::read_to_string(&results).unwrap_or_default();
    let outcome = match status {
        None => Outcome::Timeout,
        Some(status) if status.code().is_none() => Outcome::Crash,
        Some(status) => match result_of(&said, subtest) {
            Some("pass") if status.success() && only_skips(&text, subtest) => Outcome::Skip,
            Some("pass") if status.success() => Outcome::Pass,
            Some("skip") if status.success() => Outcome::Skip,
            _ => Outcome::Fail,
        },
    };
    let reason = (outcome == Outcome::Skip).then(|| skip_reason(&text));
    let said_pass = result_of(&said, subtest) == Some("pass");
    let run = Run { outcome, said_pass, reason, time };
    run.keep(folder)?;
    Ok(run)
}

/// Programs find folders with their data, such as files to include, beside themselves, where they are
/// meant to be started.
fn link_data(program: &Path, folder: &Path) -> std::io::Result<()> {
    let Some(beside) = program.parent().filter(|beside| beside.is_absolute()) else {
        return Ok(());
    };
    for entry in std::fs::read_dir(beside)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() && entry.file_name() != "CMakeFiles" {
            std::os::unix::fs::symlink(entry.path(), folder.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// What a file of results says of a subtest.
fn result_of<'a>(json: &'a str, subtest: &str) -> Option<&'a str> {
    let (_, rest) = json.split_once(&format!("\"{subtest}\": \""))?;
    rest.split('"').next()
}

/// Whether a test says nothing but that it was skipped. Some then count themselves among those that passed.
fn only_skips(log: &str, subtest: &str) -> bool {
    let [begin, end] = ["...", " passed"].map(|end| format!("{subtest}{end}"));
    let own = log.lines().map(str::trim).skip_while(|line| *line != begin).skip(1);
    let mut own = own.take_while(|line| *line != end).filter(|line| !line.is_empty()).peekable();
    own.peek().is_some()
        && own.all(|line| {
            let line = line.to_lowercase();
            line.contains("skipping") && !is_of_part(&line, subtest)
        })
}

/// Whether a line, in small letters, says that a part of a test is skipped: the numbers of `double`, of which the test is not,
/// or something with a name (`skipping image2d_depth_t: ...`).
fn is_of_part(line: &str, subtest: &str) -> bool {
    let named = line.split("skipping ").nth(1).and_then(|rest| rest.split_whitespace().next());
    line.contains("double") && !subtest.contains("double")
        || named.is_some_and(|word| word.ends_with(':') && word.trim_end_matches(':') != subtest)
}

/// The line of a log that says why a subtest was skipped.
fn skip_reason(log: &str) -> String {
    let says = |line: &&str| {
        let line = line.to_lowercase();
        ["skip", "support", "not available", "requires"].iter().any(|word| line.contains(word))
    };
    let lines = || log.lines().map(str::trim).filter(|line| !line.is_empty());
    // After the line that names what begins come the test's own.
    let own = lines().skip_while(|line| !line.ends_with("...")).skip(1);
    let found = own.clone().find(says).or_else(|| lines().rev().find(says));
    let line = found.unwrap_or("the test does not say why").replace('\t', " ");
    line.chars().take(120).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read() {
        let json =
            "{\n\t\"cmd\": \"x\",\n\t\"results\": {\n\t\t\"a\": \"pass\",\n\t\t\"ab\": \"skip\"\n";
        assert_eq!(result_of(json, "a"), Some("pass"));
        assert_eq!(result_of(json, "ab"), Some("skip"));
        assert_eq!(result_of(json, "b"), None);
    }

    #[test]
    fn what_a_process_does_is_told_apart() {
        let folder = std::env::temp_dir().join(format!("xtask-cts-{}", std::process::id()));
        let outcome = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            run(command, "t", &folder, Duration::from_secs(2)).unwrap()
        };
        let says = |result: &str| {
            format!("echo '\"t\": \"{result}\"' > $CL_CONFORMANCE_RESULTS_FILENAME; echo t...; ")
        };
        assert_eq!(outcome(&says("pass")).outcome, Outcome::Pass);
        assert_eq!(outcome(&(says("pass") + "exit 1")).outcome, Outcome::Fail);
        assert_eq!(outcome("exit 0").outcome, Outcome::Fail);
        assert_eq!(outcome("kill -SEGV $$").outcome, Outcome::Crash);
        assert_eq!(outcome("sleep 100 & sleep 100").outcome, Outcome::Timeout);
        let skipped = outcome(&(says("skip") + "echo no images are supported"));
        assert_eq!(skipped.outcome, Outcome::Skip);
        assert_eq!(skipped.reason.as_deref(), Some("no images are supported"));
        let skips = says("pass") + "echo no images, skipping test; ";
        assert_eq!(outcome(&(skips.clone() + "echo t passed")).outcome, Outcome::Skip);
        assert_eq!(outcome(&(skips + "echo buffers; echo t passed")).outcome, Outcome::Pass);
        for part in ["no cl_khr_fp64, skipping double tests", "Skipping image2d_depth_t: no"] {
            let part = says("pass") + &format!("echo '{part}'; echo t passed");
            assert_eq!(outcome(&part).outcome, Outcome::Pass);
        }
        let _ = std::fs::remove_dir_all(folder);
    }
}
