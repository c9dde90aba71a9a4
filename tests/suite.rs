//! Runs `suite/<stage>/*.cl` against the expectations in their comments.
//!
//! A file `name.stderr` or `name.stdout` beside `name.cl` holds the exact output of the first run,
//! messages as people see them; `BLESS=1` writes these files anew. Those of `gallery` are shown in
//! `docs/diagnostics.md`.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use clc_tests::expectation::{Expectations, Run};
use clc_tests::{process, sources};
use libtest_mimic::{Arguments, Failed, Trial};

const LIMIT: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite");
    let trials = sources(&folder)
        .into_iter()
        .map(|path| {
            let folder = folder.clone();
            Trial::test(path.display().to_string(), move || run(&folder, &path))
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn run(folder: &Path, path: &Path) -> Result<(), Failed> {
    // Latin-1 and worse are part of what is tested.
    let bytes = std::fs::read(folder.join(path)).map_err(|error| error.to_string())?;
    let source = String::from_utf8_lossy(&bytes);
    let expectations = Expectations::parse(&source)?;
    let mut complaints = String::new();
    for run in &expectations.runs {
        let finished = compile(folder, path, run, "short")?;
        let stdout = String::from_utf8_lossy(&finished.stdout);
        let judged = expectations.judge(run, finished.code, &stdout, &finished.stderr);
        if !judged.is_empty() {
            complaints.push_str(&format!("{}\n{judged}{}", run.options.join(" "), finished.stderr));
        }
    }
    complaints.push_str(&snapshots(folder, path, &expectations.runs[0])?);
    if complaints.is_empty() { Ok(()) } else { Err(complaints.into()) }
}

/// Compares the output with the files beside the source, if there are any.
fn snapshots(folder: &Path, path: &Path, run: &Run) -> Result<String, Failed> {
    let beside = |extension: &str| folder.join(path).with_extension(extension);
    let files: Vec<PathBuf> =
        ["stderr", "stdout"].iter().map(|e| beside(e)).filter(|path| path.exists()).collect();
    if files.is_empty() {
        return Ok(String::new());
    }
    let finished = compile(folder, path, run, "human")?;
    let mut complaints = String::new();
    for file in files {
        let got = if file.extension().is_some_and(|extension| extension == "stderr") {
            finished.stderr.clone()
        } else {
            String::from_utf8_lossy(&finished.stdout).into_owned()
        };
        if let Err(difference) = clc_golden::expect_file(&file, &got) {
            complaints.push_str(&difference);
        }
    }
    Ok(complaints)
}

fn compile(
    folder: &Path,
    path: &Path,
    run: &Run,
    format: &str,
) -> Result<process::Finished, Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clc-under-test"));
    // In the folder of the stage, so that paths in messages are the same everywhere.
    let stage = folder.join(path.parent().unwrap_or(Path::new("")));
    command.current_dir(stage).env_remove("SOURCE_DATE_EPOCH");
    command.arg(format!("--message-format={format}")).arg("--color=never").args(&run.options);
    command.arg(path.file_name().unwrap_or_default());
    let modules = !run.options.iter().any(|option| {
        ["-S", "-E", "-M", "-o"].contains(&option.as_str())
            || option.contains("syntax-only")
            || option.contains("-emit")
    });
    if modules {
        command.args(["-o", "/dev/null"]);
    }
    process::run(&mut command, b"", LIMIT).map_err(|error| error.to_string().into())
}
