//! `cargo xtask fuzz`: random programs through clc and through a driver's own compiler; with
//! `--vulkan`, clc's side of it on a Vulkan driver; with `--bytes`, damaged sources through clc alone.

use std::process::Command;

use crate::setup;
use crate::shell::{Result, built, root, run, target};

pub fn fuzz(arguments: &[&str]) -> Result {
    let bytes = arguments.contains(&"--bytes");
    let driver = if bytes { None } else { Some(setup::driver()?) };
    if arguments.contains(&"--vulkan") {
        crate::vulkan::driver()?;
    }
    let built = built()?;
    let mut command = Command::new(built.join("fuzz"));
    if let Some(driver) = driver {
        command.arg("--clc").arg(built.join("clc-under-test"));
        command.arg("--runner").arg(built.join("clc-run"));
        command.arg("--vulkan-runner").arg(built.join("clc-run-vulkan"));
        command.arg("--folder").arg(target().join("fuzz"));
        command.env("CLC_DRIVERS", driver);
    } else {
        for folder in ["tests/suite", "tests/execution", "crates"] {
            command.arg("--sources").arg(root().join(folder));
        }
    }
    command.args(arguments);
    run(&mut command).map_err(|_| "programs failed; see above".to_owned())
}

/// What every run of the tests tries; the numbers of longer runs are in docs/fuzzing.md.
pub fn test() -> Result {
    fuzz(&["--bytes", "2000", "--seed", "1"])?;
    match setup::driver() {
        Ok(_) => fuzz(&["--programs", "256", "--seed", "1"]),
        Err(_) => {
            println!("no driver: no random programs are run");
            Ok(())
        }
    }
}
