//! Runs `execution/*.cl` on a driver, each case at `-O0` and at `-O`.
//!
//! `CLC_PEER=clang-22` compiles with another compiler instead, which tells whether a case is
//! right; `BLESS=1` then fills in results that are given as `?`. Without a driver nothing runs, which is said loudly, and is a failure where `CI` is set.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Duration;

use clc_tests::case::{Case, CaseFile, Wanted};
use clc_tests::driver::{self, Driver};
use clc_tests::{process, sources};
use libtest_mimic::{Arguments, Failed, Trial};

const LIMIT: Duration = Duration::from_secs(120);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("execution");
    let driver = driver::find().map(Arc::new);
    let mut trials = Vec::new();
    for path in sources(&folder) {
        let name = path.display().to_string();
        let file = std::fs::read_to_string(folder.join(&path))
            .map_err(|error| error.to_string())
            .and_then(|source| CaseFile::parse(&source));
        match file {
            Ok(file) => {
                let file = Arc::new(file);
                for level in ["-O0", "-O"] {
                    trials.push(trial(&folder.join(&path), &name, &file, level, &driver));
                }
            }
            Err(error) => trials.push(Trial::test(name, move || Err(error.into()))),
        }
    }
    let ran = libtest_mimic::run(&arguments, trials);
    if driver.is_none() && !arguments.list {
        eprintln!(
            "\nNOTHING WAS EXECUTED: there is no OpenCL driver that takes SPIR-V.\n\
             {} execution tests did not run. `cargo xtask test` installs a driver.",
            ran.num_ignored
        );
        if std::env::var_os("CI").is_some() {
            return ExitCode::FAILURE;
        }
    }
    ran.exit_code()
}

fn trial(
    path: &Path,
    name: &str,
    file: &Arc<CaseFile>,
    level: &'static str,
    driver: &Option<Arc<Driver>>,
) -> Trial {
    let (path, file, driver) = (path.to_owned(), Arc::clone(file), driver.clone());
    let absent = driver.is_none();
    Trial::test(format!("{name} {level}"), move || match &driver {
        Some(driver) => run(&path, &file, level, driver),
        None => Ok(()),
    })
    .with_ignored_flag(absent)
}

/// Compiles a file and runs its cases, all in one process of their own.
fn run(path: &Path, file: &CaseFile, level: &str, driver: &Driver) -> Result<(), Failed> {
    let mut options = vec![level.to_owned()];
    for option in &file.options {
        let mut option = option.clone();
        for need in &file.needs {
            let corpus = corpus(need)?;
            option = option.replace(&format!("{{{need}}}"), &corpus.display().to_string());
        }
        options.push(option);
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let unique = format!("{}{level}", path.file_stem().unwrap_or_default().display());
    let module = folder.join(format!("{unique}.spv"));
    if file.parts.is_empty() {
        compile(path, &module, &options)?;
    } else {
        link(path, file, &unique, &module, options)?;
    }

    let results = folder.join(format!("{unique}.out"));
    let _ = std::fs::remove_file(&results);
    let mut command = Command::new(env!("CARGO_BIN_EXE_clc-run"));
    command.arg(&module).arg(&results);
    driver.configure(&mut command);
    if file.scalar {
        command.env("CL_CONFIG_CPU_VECTORIZER_MODE", "1");
    }
    let job: String = file.cases.iter().map(Case::job).collect();
    let finished = process::run(&mut command, job.as_bytes(), LIMIT)
        .map_err(|error| format!("clc-run: {error}"))?;
    let stdout = String::from_utf8_lossy(&finished.stdout);
    let results = std::fs::read_to_string(&results).unwrap_or_default();
    let mut results = results.split_inclusive("----\n").map(|text| text.trim_end_matches("----\n"));
    let mut outputs = stdout.split_inclusive("----\n").map(|text| text.trim_end_matches("----\n"));
    let mut complaints = String::new();
    if finished.code != Some(0) {
        complaints.push_str(&format!("{}: {}\n", finished.how(), finished.stderr));
    }
    if level == "-O0" && std::env::var_os("BLESS").is_some() {
        bless(path, file, results.clone())?;
    }
    for case in &file.cases {
        let complaint = match results.next() {
            Some(results) => case.judge(results, outputs.next().unwrap_or("")),
            None => Some("did not run".to_owned()),
        };
        if let Some(complaint) = complaint {
            complaints.push_str(&format!("{} {}: {complaint}\n", case.kernel, case.label));
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.into()) }
}

/// Compiles the parts of a program and links them.
fn link(
    path: &Path,
    file: &CaseFile,
    unique: &str,
    module: &Path,
    mut options: Vec<String>,
) -> Result<(), Failed> {
    options.push("-c".to_owned());
    let beside = path.parent().unwrap_or(Path::new(""));
    let sources = std::iter::once(path.to_owned())
        .chain(file.parts.iter().map(|part| beside.join(part)))
        .enumerate();
    let mut command = Command::new(env!("CARGO_BIN_EXE_clc-under-test"));
    command.args(["link", "--color=never"]);
    for (number, source) in sources {
        let part = module.with_file_name(format!("{unique}.{number}.spv"));
        compile(&source, &part, &options)?;
        command.arg(part);
    }
    command.arg("-o").arg(module);
    let finished =
        process::run(&mut command, b"", LIMIT).map_err(|error| format!("linker: {error}"))?;
    if finished.code != Some(0) {
        return Err(format!("linker: {}\n{}", finished.how(), finished.stderr).into());
    }
    Ok(())
}

/// Writes the results into the file where it has `?` for them.
fn bless<'a>(
    path: &Path,
    file: &CaseFile,
    results: impl Iterator<Item = &'a str>,
) -> Result<(), Failed> {
    let mut source = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    for (case, results) in file.cases.iter().zip(results) {
        let after = case.after(results);
        for expected in &case.expected {
            let hole = format!("//@ result {} = ?\n", expected.argument);
            if let (Wanted::Unknown, Some(Some(data))) =
                (&expected.wanted, after.get(expected.argument))
            {
                let filled = format!("//@ result {} = {}\n", expected.argument, data.text());
                source = source.replacen(&hole, &filled, 1);
            }
        }
    }
    std::fs::write(path, source).map_err(|error| error.to_string().into())
}

/// Where a corpus lies that `cargo xtask` downloaded.
fn corpus(name: &str) -> Result<PathBuf, Failed> {
    let root = match std::env::var_os("CLC_CORPORA") {
        Some(folder) => PathBuf::from(folder),
        None => driver::target_folder().join("corpora"),
    };
    let folder = match name {
        "hashcat" => root.join("hashcat/usr/share/hashcat/OpenCL"),
        _ => return Err(format!("no corpus is called {name}").into()),
    };
    if !folder.is_dir() {
        return Err(
            format!("{} is missing; `cargo xtask test` downloads it", folder.display()).into()
        );
    }
    Ok(folder)
}

fn compile(source: &Path, module: &Path, options: &[String]) -> Result<(), Failed> {
    let mut command = match std::env::var_os("CLC_PEER") {
        Some(peer) => {
            let mut command = Command::new(peer);
            command.args(["--target=spirv64v1.4", "-c", "-x", "cl", "-Wno-everything"]);
            if !options.iter().any(|option| option.starts_with("-cl-std")) {
                command.arg("-cl-std=CL1.2");
            }
            command
        }
        None => {
            let mut command = Command::new(env!("CARGO_BIN_EXE_clc-under-test"));
            command.args(["--verify-each", "--color=never"]);
            command
        }
    };
    command.args(options).arg(source).arg("-o").arg(module);
    let finished =
        process::run(&mut command, b"", LIMIT).map_err(|error| format!("compiler: {error}"))?;
    if finished.code != Some(0) {
        return Err(format!("compiler: {}\n{}", finished.how(), finished.stderr).into());
    }
    Ok(())
}
