//! Runs every built-in function on a driver, in all types and widths, at `-O0` and at `-O`.
//!
//! The kernels are made from tables in `src/builtins`. What has no driver does not run, which is said
//! loudly, and is a failure where `CI` is set.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clc_builtins::worst::Estimates;
use clc_tests::builtins;
use clc_tests::builtins::coverage;
use clc_tests::builtins::driver_errors;
use clc_tests::builtins::run::{self, Device, Family, Tools};
use clc_tests::builtins::vulkan;
use clc_tests::driver::{self, Driver};
use libtest_mimic::{Arguments, Trial};

/// Kernels of a module: few modules, for each costs a start of the driver; not too few, for they
/// run side by side, and one that crashes takes its module with it.
const KERNELS: usize = 100;

/// The same for the machine's own Vulkan device: drivers of GPUs compile on one core for each module, for
/// seconds a kernel.
const KERNELS_ON_GPU: usize = 20;

/// Families with functions that shaders have no instruction for. They also run as what these become
/// for a shader, which is arithmetic that any driver has.
const EXPANDED: &[&str] = &[
    "as",
    "atomics",
    "atomics of C11",
    "common",
    "conversions",
    "copies",
    "geometric",
    "integer",
    "library",
    "library flushed",
    "library fused",
    "library dividing double",
    "library fused double",
    "library fused flushed",
    "library relaxed",
    "library kept",
    "library rounded",
    "library table",
    "math",
    "memory",
    "relational",
    "shuffles",
];

/// Those of them whose expansions have inexact operations. They also run with the largest errors that
/// these may have.
const ESTIMATED: &[&str] = &[
    "common",
    "geometric",
    "library",
    "library flushed",
    "library dividing double",
    "library fused double",
    "library relaxed",
    "library kept",
    "library rounded",
    "library table",
];

/// Families of functions that the OpenCL driver lacks, which `coverage` proves.
const NOT_ON_OPENCL: [&str; 1] = ["uniform collectives"];

/// The levels of optimisation and the expansions that a family runs with on the OpenCL driver.
fn runs(family: &str) -> Vec<(&'static str, Option<Estimates>)> {
    if NOT_ON_OPENCL.contains(&family) {
        return Vec::new();
    }
    // The driver's own functions are nothing to the tests of the library.
    let is_library = family.starts_with("library");
    let mut runs = Vec::new();
    if !is_library {
        runs.extend([("-O0", None), ("-O", None)]);
    }
    if EXPANDED.contains(&family) {
        runs.push(("-O", Some(Estimates::OfDevice)));
    }
    if is_library {
        runs.push(("-O0", Some(Estimates::OfDevice)));
    }
    if ESTIMATED.contains(&family) {
        let worst = [Estimates::Smallest, Estimates::Largest, Estimates::Mixed];
        runs.extend(worst.map(|estimates| ("-O", Some(estimates))));
    }
    runs
}

fn tools(driver: &Driver, expanded: Option<Estimates>) -> Tools<'_> {
    Tools {
        compiler: Path::new(env!("CARGO_BIN_EXE_clc-under-test")),
        runner: Path::new(env!("CARGO_BIN_EXE_clc-run")),
        device: Device::OpenCl(driver),
        folder: Path::new(env!("CARGO_TARGET_TMPDIR")),
        expanded,
    }
}

/// The tests of a family on a Vulkan device.
fn on_vulkan(
    family: Family,
    levels: &[&'static str],
    device: &driver::Vulkan,
    runner: &'static Path,
) -> Vec<Trial> {
    let mut trials = Vec::new();
    let kernels = if matches!(device, driver::Vulkan::System) { KERNELS_ON_GPU } else { KERNELS };
    for (index, part) in family.parts(kernels).into_iter().enumerate() {
        let part = Arc::new(part);
        for &level in levels {
            let (part, device) = (Arc::clone(&part), device.clone());
            let label = format!("vulkan-{}-{index}{level}", part.name);
            let name = format!("{} {index} {level} vulkan", part.name);
            trials.push(Trial::test(name, move || {
                let tools = Tools {
                    compiler: Path::new(env!("CARGO_BIN_EXE_clc-under-test")),
                    runner,
                    device: Device::Vulkan(&device),
                    folder: Path::new(env!("CARGO_TARGET_TMPDIR")),
                    expanded: None,
                };
                run::run(&part, &label, level, &tools).map_err(Into::into)
            }));
        }
    }
    trials
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let driver = driver::find().map(Arc::new);
    let absent = driver.is_none();
    let mut trials = Vec::new();
    let families = builtins::families();
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("execution");
    let cases: Vec<String> = clc_tests::sources(&suite)
        .into_iter()
        .filter_map(|path| std::fs::read_to_string(suite.join(path)).ok())
        .collect();
    let on_opencl = families.iter().filter(|family| !NOT_ON_OPENCL.contains(&family.name));
    let untested = coverage::untested(on_opencl, &cases);
    trials.push(Trial::test("every function is called", move || match untested {
        complaints if complaints.is_empty() => Ok(()),
        complaints => Err(complaints.into()),
    }));
    let device = driver.clone();
    let proof = Trial::test("what is not run cannot be", move || {
        device
            .as_ref()
            .map_or(Ok(()), |driver| coverage::unproven(&tools(driver, None)).map_err(Into::into))
    });
    trials.push(proof.with_ignored_flag(absent));
    for (absent, _) in vulkan::ABSENT {
        assert!(
            families.iter().any(|family| family.name == absent),
            "no family is called {absent}"
        );
    }
    // Without optimisation lavapipe takes minutes.
    let is_gpu = matches!(driver::vulkan(), Some(driver::Vulkan::System));
    let levels_on_vulkan = |family: &str| -> &[&'static str] {
        if is_gpu || NOT_ON_OPENCL.contains(&family) { &["-O0", "-O"] } else { &["-O"] }
    };
    for family in families {
        for (index, part) in family.parts(KERNELS).into_iter().enumerate() {
            let part = Arc::new(part);
            for (level, expanded) in runs(part.name) {
                let (part, driver) = (Arc::clone(&part), driver.clone());
                let how = match expanded {
                    None => String::new(),
                    Some(Estimates::OfDevice) => " expanded".to_owned(),
                    Some(estimates) => format!(" expanded {estimates:?}").to_lowercase(),
                };
                let label = format!("{}-{index}{level}{}", part.name, how.replace(' ', "-"));
                let trial = Trial::test(format!("{} {index} {level}{how}", part.name), move || {
                    let Some(driver) = &driver else { return Ok(()) };
                    run::run(&part, &label, level, &tools(driver, expanded)).map_err(Into::into)
                });
                trials.push(trial.with_ignored_flag(absent));
            }
        }
    }
    if let Some(vulkan) = driver::vulkan() {
        let runner = Path::new(env!("CARGO_BIN_EXE_clc-run-vulkan"));
        match vulkan.sub_groups(runner) {
            Ok(sub_groups) => {
                for family in builtins::families_on_vulkan(sub_groups) {
                    if vulkan::has_family(family.name) {
                        let levels = levels_on_vulkan(family.name);
                        trials.extend(on_vulkan(family, levels, &vulkan, runner));
                    }
                }
            }
            Err(error) => {
                trials.push(Trial::test("the Vulkan device", move || Err(error.into())));
            }
        }
    }
    let ran = libtest_mimic::run(&arguments, trials);
    if let Some(report) = driver_errors::report() {
        eprintln!("\n{report}");
    }
    if let Some(report) = vulkan::report() {
        eprintln!("\n{report}");
    }
    if absent && !arguments.list {
        eprintln!(
            "\nNOT EXECUTED: there is no OpenCL driver that takes SPIR-V.\n\
             {} tests of built-in functions did not run. `cargo xtask test` installs a driver.",
            ran.num_ignored
        );
        if std::env::var_os("CI").is_some() {
            return ExitCode::FAILURE;
        }
    }
    ran.exit_code()
}
