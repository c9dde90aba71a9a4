//! Runs every built-in function on a driver, in all types and widths, at `-O0` and at `-O`.
//!
//! The kernels are made from tables in `src/builtins`. What has no driver does not run, which is said
//! loudly, and is a failure where `CI` is set.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clc_tests::builtins;
use clc_tests::builtins::coverage;
use clc_tests::builtins::run::{self, Device, Tools};
use clc_tests::builtins::vulkan;
use clc_tests::driver::{self, Driver};
use libtest_mimic::{Arguments, Trial};

/// Kernels of a module: few modules, for each costs a start of the driver; not too few, for they
/// run side by side, and one that crashes takes its module with it.
const KERNELS: usize = 100;

/// Families with functions that shaders have no instruction for. They also run as what these become
/// for a shader, which is arithmetic that any driver has.
const EXPANDED: [&str; 18] = [
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
    "library relaxed",
    "library roots",
    "library rounded",
    "library table",
    "math",
    "memory",
    "relational",
    "shuffles",
];

fn tools(driver: &Driver, expanded: bool) -> Tools<'_> {
    Tools {
        compiler: Path::new(env!("CARGO_BIN_EXE_clc-under-test")),
        runner: Path::new(env!("CARGO_BIN_EXE_clc-run")),
        device: Device::OpenCl(driver),
        folder: Path::new(env!("CARGO_TARGET_TMPDIR")),
        expanded,
    }
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
    let untested = coverage::untested(&families, &cases);
    trials.push(Trial::test("every function is called", move || match untested {
        complaints if complaints.is_empty() => Ok(()),
        complaints => Err(complaints.into()),
    }));
    let device = driver.clone();
    let proof = Trial::test("what is not run cannot be", move || {
        device
            .as_ref()
            .map_or(Ok(()), |driver| coverage::unproven(&tools(driver, false)).map_err(Into::into))
    });
    trials.push(proof.with_ignored_flag(absent));
    for (absent, _) in vulkan::ABSENT {
        assert!(
            families.iter().any(|family| family.name == absent),
            "no family is called {absent}"
        );
    }
    // Without optimisation lavapipe takes minutes.
    let levels_on_vulkan: &[&str] = match std::env::var_os("CLC_VULKAN") {
        Some(_) => &["-O0", "-O"],
        None => &["-O"],
    };
    for family in families {
        for (index, part) in family.parts(KERNELS).into_iter().enumerate() {
            let part = Arc::new(part);
            for (level, expanded) in [("-O0", false), ("-O", false), ("-O0", true), ("-O", true)] {
                let only_expanded = part.name.starts_with("library");
                let runs = match (level, expanded) {
                    ("-O0", true) => only_expanded,
                    (_, true) => EXPANDED.contains(&part.name),
                    (_, false) => !only_expanded,
                };
                if !runs {
                    continue;
                }
                let (part, driver) = (Arc::clone(&part), driver.clone());
                let how = if expanded { " expanded" } else { "" };
                let label = format!("{}-{index}{level}{}", part.name, how.trim());
                let trial = Trial::test(format!("{} {index} {level}{how}", part.name), move || {
                    let Some(driver) = &driver else { return Ok(()) };
                    run::run(&part, &label, level, &tools(driver, expanded)).map_err(Into::into)
                });
                trials.push(trial.with_ignored_flag(absent));
            }
            if let Some(vulkan) = driver::vulkan()
                && vulkan::has_family(part.name)
            {
                for &level in levels_on_vulkan {
                    let part = Arc::clone(&part);
                    let vulkan = vulkan.clone();
                    let label = format!("vulkan-{}-{index}{level}", part.name);
                    let name = format!("{} {index} {level} vulkan", part.name);
                    trials.push(Trial::test(name, move || {
                        let tools = Tools {
                            compiler: Path::new(env!("CARGO_BIN_EXE_clc-under-test")),
                            runner: Path::new(env!("CARGO_BIN_EXE_clc-run-vulkan")),
                            device: Device::Vulkan(&vulkan),
                            folder: Path::new(env!("CARGO_TARGET_TMPDIR")),
                            expanded: false,
                        };
                        run::run(&part, &label, level, &tools).map_err(Into::into)
                    }));
                }
            }
        }
    }
    let ran = libtest_mimic::run(&arguments, trials);
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
