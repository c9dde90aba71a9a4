//! `cargo xtask litmus`: which orders of memory hold on the drivers, and whether one that has to does not.

use std::process::Command;

use crate::shell::{Result, built, run, target};

const DOOR: &str = "--door";

pub fn litmus(arguments: &[&str]) -> Result {
    let named = arguments.iter().position(|&argument| argument == DOOR);
    let (doors, rest) = match named.map(|at| (arguments.get(at + 1), at)) {
        Some((Some(&door), at)) => (vec![door], [&arguments[..at], &arguments[at + 2..]].concat()),
        Some((None, _)) => return Err(format!("{DOOR} needs a value")),
        None => (vec!["opencl", "vulkan"], arguments.to_vec()),
    };
    let drivers = crate::setup::driver()?;
    if doors.contains(&"vulkan") {
        crate::vulkan::driver()?;
    }
    let built = built()?;
    let mut failed = Vec::new();
    for door in doors {
        let mut command = Command::new(built.join("litmus"));
        command.arg("--clc").arg(built.join("clc-under-test"));
        command.arg("--runner").arg(built.join("clc-run"));
        command.arg("--vulkan-runner").arg(built.join("clc-run-vulkan"));
        command.arg("--folder").arg(target().join("litmus")).arg(DOOR).arg(door).args(&rest);
        if run(command.env("CLC_DRIVERS", &drivers)).is_err() {
            failed.push(door);
        }
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(format!("failed, see above: {}", failed.join(", "))),
    }
}

/// What every run of the tests tries: each test in some of its orders and places.
pub fn test() -> Result {
    if crate::setup::driver().is_err() {
        println!("no driver: no litmus tests are run");
        return Ok(());
    }
    let briefly = ["--rounds", "2", "--instances", "256", "--sample", "11"];
    litmus(&[&[DOOR, "opencl"], &briefly[..]].concat())?;
    if crate::vulkan::driver().is_err() {
        println!("no Vulkan driver: litmus tests run on OpenCL only");
        return Ok(());
    }
    litmus(&[&[DOOR, "vulkan"], &briefly[..]].concat())
}
