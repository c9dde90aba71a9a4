//! `cargo xtask architectures`: what the OpenCL driver executes, with the code that it has for each kind of
//! processor.
//!
//! The driver's functions differ by processor, in their precision and in their errors, and so may its
//! vector widths. Whether the tests pass must not depend on whose machine it is, so that they run with the
//! code for other machines too.

use crate::shell::{self, Result, cargo};
use crate::{setup, test};

/// The values of `CL_CONFIG_CPU_TARGET_ARCH`, and a feature that the processor needs for the code to run.
const ARCHITECTURES: [(&str, &str); 4] =
    [("corei7", "sse4_2"), ("corei7-avx", "avx"), ("core-avx2", "avx2"), ("skx", "avx512dq")];

/// The architecture of [`second`]: every machine has it, and it has the fewest instructions.
const SECOND: &str = "corei7";

/// Parts of the names of tests with the largest errors that a device may have: these are computed by us, whatever the
/// processor.
const ESTIMATES: [&str; 3] = ["largest", "smallest", "mixed"];

/// Parts of the names of the tests that depend most on how the driver computes floats.
const FLOATS: [&str; 4] = ["library", "math", "geometric", "common"];

/// The tests of built-in functions and the execution suite for the architectures named, or for all.
pub fn run(names: &[&str]) -> Result {
    for name in names {
        if ARCHITECTURES.iter().all(|(known, _)| known != name) {
            let known = ARCHITECTURES.map(|(known, _)| known).join(", ");
            return Err(format!("`{name}` is no architecture of the driver: {known}"));
        }
    }
    setup::driver()?;
    let features = features();
    let mut failures = Vec::new();
    let mut missing = Vec::new();
    for (name, feature) in ARCHITECTURES {
        if !names.is_empty() && !names.contains(&name) {
            continue;
        }
        if features.as_ref().is_some_and(|all| !all.split(' ').any(|word| word == feature)) {
            missing.push(format!("{name}: this processor has no {feature}"));
            continue;
        }
        for suite in ["builtins", "execution"] {
            if let Err(error) = suite_on(suite, name, None) {
                eprintln!("xtask: {error}");
                failures.push(format!("{suite} on {name}"));
            }
        }
    }
    for line in &missing {
        eprintln!("NOT TESTED: {line}");
    }
    if failures.is_empty() { Ok(()) } else { Err(format!("failed: {}", failures.join(", "))) }
}

/// Some of it, for `cargo xtask test`: functions of floats on an architecture that is most likely not
/// this machine's.
pub fn second() -> Result {
    if let Err(reason) = setup::driver() {
        println!("no driver: {reason}");
        return Ok(());
    }
    FLOATS.iter().try_for_each(|part| suite_on("builtins", SECOND, Some(part)))
}

/// All tests of a suite, or those of a part that the processor makes a difference to.
fn suite_on(suite: &str, architecture: &str, part: Option<&str>) -> Result {
    println!("\n-- {suite} on {architecture}");
    let mut command = cargo();
    command.arg("test").args(shell::TESTED).args(["--test", suite, "--", "--skip", "vulkan"]);
    if part.is_some() {
        command.args(ESTIMATES.iter().flat_map(|name| ["--skip", name]));
    }
    command.args(part);
    command.env("CL_CONFIG_CPU_TARGET_ARCH", architecture);
    test::environment(&mut command);
    shell::run(&mut command)
}

/// What the processor can do, where the system says so.
fn features() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    text.lines().find_map(|line| Some(line.strip_prefix("flags")?.split_once(':')?.1.to_owned()))
}
