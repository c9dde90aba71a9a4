//! Runs `execution/*.cl` on an OpenCL and on a Vulkan driver, each case at `-O0` and at `-O`.
//!
//! `CLC_PEER=clang-22` compiles with another compiler instead, which tells whether a case is
//! right; `BLESS=1` then fills in results that are given as `?`. Without a driver its tests do not
//! run, which is said loudly, and is a failure where `CI` is set.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Duration;

use clc_tests::case::{Case, CaseFile, Wanted};
use clc_tests::driver::{self, Driver, Vulkan};
use clc_tests::{process, sources};
use libtest_mimic::{Arguments, Failed, Trial};

/// Files that are also run with debug information, to see that the OpenCL driver takes it and computes the
/// same. `CLC_DEBUG_INFO=1` runs all files so, on Vulkan too.
const DEBUGGED: [&str; 6] =
    ["aggregates", "control_flow", "functions", "generic_pointers", "loops", "md5"];

const LIMIT: Duration = Duration::from_secs(120);

/// What runs the kernels.
#[derive(Clone, Debug)]
enum Target {
    OpenCl(Driver),
    /// The same, and the parts of a program are linked by it.
    OpenClLinks(Driver),
    /// With an option besides those of the file, if there is one.
    Vulkan(Vulkan, Option<String>),
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("execution");
    let opencl = driver::find().map(Target::OpenCl);
    let linker = driver::find().map(Target::OpenClLinks);
    let vulkan = driver::vulkan().map(|driver| Target::Vulkan(driver, None));
    let mut products = Products::default();
    let everything = std::env::var_os("CLC_DEBUG_INFO").is_some();
    let mut trials = Vec::new();
    for path in sources(&folder) {
        let name = path.display().to_string();
        let file = std::fs::read_to_string(folder.join(&path))
            .map_err(|error| error.to_string())
            .and_then(|source| CaseFile::parse(&source));
        match file {
            Ok(file) => {
                let file = Arc::new(file);
                let path = folder.join(&path);
                let stem = path.file_stem().unwrap_or_default();
                let debugged = everything || DEBUGGED.iter().any(|&name| stem == name);
                let levels = ["-O0", "-O", "-O0 -g3", "-O -g3"];
                for level in &levels[..if debugged { 4 } else { 2 }] {
                    if !file.not_opencl {
                        trials.push(trial(&path, &name, &file, level, &opencl));
                    }
                    if !file.parts.is_empty() {
                        let name = format!("linked by the driver: {name}");
                        trials.push(trial(&path, &name, &file, level, &linker));
                    }
                    if level.ends_with("-g3") && !everything {
                        continue;
                    }
                    let name = format!("vulkan: {name}");
                    trials.push(match &file.not_vulkan {
                        Some(_) => refusal(&path, &name, &file, level),
                        None if products.lacks(&file, &vulkan) => {
                            trial(&path, &name, &file, level, &None)
                        }
                        None => trial(&path, &name, &file, level, &vulkan),
                    });
                    for option in &file.vulkan_also {
                        let target = driver::vulkan()
                            .map(|driver| Target::Vulkan(driver, Some(option.clone())));
                        trials.push(trial(
                            &path,
                            &format!("{name} {option}"),
                            &file,
                            level,
                            &target,
                        ));
                    }
                }
            }
            Err(error) => trials.push(Trial::test(name, move || Err(error.into()))),
        }
    }
    let ran = libtest_mimic::run(&arguments, trials);
    if !everything && !arguments.list {
        eprintln!(
            "\nwith -g3 only {} run, on OpenCL; CLC_DEBUG_INFO=1 runs all, on Vulkan too",
            DEBUGGED.join(", ")
        );
    }
    if products.lacking > 0 && !arguments.list {
        eprintln!(
            "\nNOT EXECUTED: {} tests of cooperative matrices, of which the Vulkan device has [{}].",
            products.lacking,
            products.known.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(", ")
        );
    }
    let absent = [
        (opencl.is_none(), "OpenCL driver that takes SPIR-V"),
        (vulkan.is_none(), "Vulkan driver"),
    ];
    for (_, name) in absent.iter().filter(|(absent, _)| *absent && !arguments.list) {
        eprintln!(
            "\nNOT EXECUTED: there is no {name}.\n\
             {} execution tests did not run. `cargo xtask test` installs the drivers.",
            ran.num_ignored
        );
        if std::env::var_os("CI").is_some() {
            return ExitCode::FAILURE;
        }
    }
    ran.exit_code()
}

/// The products of cooperative matrices that the Vulkan device has.
#[derive(Default)]
struct Products {
    /// Asked for when a file needs one.
    known: Option<Vec<String>>,
    /// Tests that cannot run for want of them.
    lacking: usize,
}

impl Products {
    /// Whether the device lacks what a file needs.
    fn lacks(&mut self, file: &CaseFile, target: &Option<Target>) -> bool {
        let Some(Target::Vulkan(driver, _)) = target else { return false };
        if file.products.is_empty() {
            return false;
        }
        let known = self.known.get_or_insert_with(|| {
            let runner = Path::new(env!("CARGO_BIN_EXE_clc-run-vulkan"));
            driver.products(runner).unwrap_or_else(|error| {
                eprintln!("{error}");
                Vec::new()
            })
        });
        let lacks = !file.products.iter().all(|product| known.contains(product));
        self.lacking += usize::from(lacks);
        lacks
    }
}

fn trial(
    path: &Path,
    name: &str,
    file: &Arc<CaseFile>,
    level: &'static str,
    target: &Option<Target>,
) -> Trial {
    let (path, file, target) = (path.to_owned(), Arc::clone(file), target.clone());
    let absent = target.is_none();
    Trial::test(format!("{name} {level}"), move || match &target {
        Some(target) => run(&path, &file, level, target),
        None => Ok(()),
    })
    .with_ignored_flag(absent)
}

/// A file that is not for Vulkan: there is a diagnostic that says so.
fn refusal(path: &Path, name: &str, file: &Arc<CaseFile>, level: &'static str) -> Trial {
    let (path, file) = (path.to_owned(), Arc::clone(file));
    Trial::test(format!("{name} {level}"), move || {
        let mut options = options(&file, level, true)?;
        if !file.parts.is_empty() {
            options.push("-c".to_owned());
        }
        let module = Path::new(env!("CARGO_TARGET_TMPDIR")).join("refused.spv");
        let mut command = compiler(&options, true);
        command.arg("--message-format=short").arg(&path).arg("-o").arg(module);
        let finished =
            process::run(&mut command, b"", LIMIT).map_err(|error| format!("compiler: {error}"))?;
        // What the target cannot express, a feature that it lacks, or an option it does not take.
        let refused = match finished.code {
            Some(1) => {
                [" error[E07", " error[E05"].iter().any(|code| finished.stderr.contains(code))
            }
            Some(2) => finished.stderr.contains("for Vulkan"),
            _ => false,
        };
        if refused {
            return Ok(());
        }
        let reason = file.not_vulkan.as_deref().unwrap_or_default();
        let message = format!("`vulkan no {reason}`: {}\n{}", finished.how(), finished.stderr);
        Err(message.into())
    })
}

/// The options that the file asks for, and what the target needs.
fn options(file: &CaseFile, level: &str, vulkan: bool) -> Result<Vec<String>, Failed> {
    let mut options: Vec<String> = level.split(' ').map(str::to_owned).collect();
    if vulkan {
        options.push("--target-env=vulkan1.3".to_owned());
        options.extend(driver::vulkan_options());
        options.extend(file.vulkan_with.iter().cloned());
    }
    for option in &file.options {
        let mut option = option.clone();
        for need in &file.needs {
            let corpus = corpus(need)?;
            option = option.replace(&format!("{{{need}}}"), &corpus.display().to_string());
        }
        options.push(option);
    }
    Ok(options)
}

/// Compiles a file and runs its cases, all in one process of their own.
fn run(path: &Path, file: &CaseFile, level: &str, target: &Target) -> Result<(), Failed> {
    let vulkan = matches!(target, Target::Vulkan(..));
    let mut options = options(file, level, vulkan)?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let prefix = match target {
        Target::OpenCl(_) => String::new(),
        Target::OpenClLinks(_) => "parts-".to_owned(),
        Target::Vulkan(_, None) => "vulkan-".to_owned(),
        Target::Vulkan(_, Some(option)) => {
            options.push(option.clone());
            format!("vulkan{option}-")
        }
    };
    let unique = format!("{prefix}{}{level}", path.file_stem().unwrap_or_default().display());
    let module = folder.join(format!("{unique}.spv"));
    let results = folder.join(format!("{unique}.out"));
    let _ = std::fs::remove_file(&results);
    let mut command;
    // What makes the module, which is not its parts.
    let mut whole = Vec::new();
    match target {
        Target::OpenCl(driver) | Target::OpenClLinks(driver) => {
            command = Command::new(env!("CARGO_BIN_EXE_clc-run"));
            command.arg(match target {
                Target::OpenClLinks(_) => joined(&parts(file, &unique, &module)),
                Target::OpenCl(_) | Target::Vulkan(..) => module.clone(),
            });
            driver.configure(&mut command);
            if file.scalar {
                command.env("CL_CONFIG_CPU_VECTORIZER_MODE", "1");
            }
        }
        Target::Vulkan(driver, _) => {
            let reflection = module.with_extension("json");
            command = Command::new(env!("CARGO_BIN_EXE_clc-run-vulkan"));
            command.arg(&module).arg(&reflection);
            driver.configure(&mut command);
            whole.push(format!("--reflection={}", reflection.display()));
        }
    }
    command.arg(&results);
    if file.parts.is_empty() {
        options.extend(whole);
        compile(path, &module, &options, vulkan)?;
    } else {
        let parts = parts(file, &unique, &module);
        if vulkan {
            // Objects are linked by the compiler, with its options.
            whole.extend(options.iter().cloned());
        }
        compile_parts(path, file, &parts, options, vulkan)?;
        match target {
            Target::OpenCl(_) | Target::Vulkan(..) => link(&parts, &module, &whole)?,
            Target::OpenClLinks(_) => {}
        }
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
    if level == "-O0" && !vulkan && std::env::var_os("BLESS").is_some() {
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

/// The modules of the parts of a program.
fn parts(file: &CaseFile, unique: &str, module: &Path) -> Vec<PathBuf> {
    (0..=file.parts.len())
        .map(|number| module.with_file_name(format!("{unique}.{number}.spv")))
        .collect()
}

/// How `clc-run` is told that the driver links them.
fn joined(parts: &[PathBuf]) -> PathBuf {
    let parts: Vec<String> = parts.iter().map(|part| part.display().to_string()).collect();
    PathBuf::from(parts.join("+"))
}

fn compile_parts(
    path: &Path,
    file: &CaseFile,
    parts: &[PathBuf],
    mut options: Vec<String>,
    vulkan: bool,
) -> Result<(), Failed> {
    options.push("-c".to_owned());
    let beside = path.parent().unwrap_or(Path::new(""));
    let sources =
        std::iter::once(path.to_owned()).chain(file.parts.iter().map(|part| beside.join(part)));
    for (source, part) in sources.zip(parts) {
        compile(&source, part, &options, vulkan)?;
    }
    Ok(())
}

/// Links them with our own linker.
fn link(parts: &[PathBuf], module: &Path, options: &[String]) -> Result<(), Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clc-under-test"));
    command.args(["link", "--color=never"]).args(options).args(parts).arg("-o").arg(module);
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

/// The compiler that is tested. Vulkan modules are no business of its peer's.
fn compiler(options: &[String], vulkan: bool) -> Command {
    let mut command = match std::env::var_os("CLC_PEER") {
        Some(peer) if !vulkan => {
            let mut command = Command::new(peer);
            command.args(["--target=spirv64v1.4", "-c", "-x", "cl", "-Wno-everything"]);
            if !options.iter().any(|option| option.starts_with("-cl-std")) {
                command.arg("-cl-std=CL1.2");
            }
            command
        }
        _ => {
            let mut command = Command::new(env!("CARGO_BIN_EXE_clc-under-test"));
            command.args(["--verify-each", "--color=never"]);
            command
        }
    };
    command.args(options);
    command
}

fn compile(source: &Path, module: &Path, options: &[String], vulkan: bool) -> Result<(), Failed> {
    let mut command = compiler(options, vulkan);
    command.arg(source).arg("-o").arg(module);
    let finished =
        process::run(&mut command, b"", LIMIT).map_err(|error| format!("compiler: {error}"))?;
    if finished.code != Some(0) {
        return Err(format!("compiler: {}\n{}", finished.how(), finished.stderr).into());
    }
    Ok(())
}
