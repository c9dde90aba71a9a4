//! `cargo xtask fuzz`: random programs through clc and through a driver's own compiler; with
//! `--vulkan`, clc's side of it on a Vulkan driver; with `--bytes`, `--splice` and the like, damaged inputs
//! through clc alone.

use std::process::Command;

use crate::setup;
use crate::shell::{Result, built, root, run, target};

pub fn fuzz(arguments: &[&str]) -> Result {
    let damaged = ["--bytes", "--splice", "--modules", "--objects", "--commands"];
    let is_damaged = damaged.iter().any(|option| arguments.contains(option));
    let driver = if is_damaged { None } else { Some(setup::driver()?) };
    if arguments.contains(&"--vulkan") {
        crate::vulkan::driver()?;
    }
    let built = built()?;
    let mut command = Command::new(built.join("fuzz"));
    command.arg("--clc").arg(built.join("clc-under-test"));
    command.arg("--folder").arg(target().join("fuzz"));
    if let Some(driver) = driver {
        command.arg("--runner").arg(built.join("clc-run"));
        command.arg("--vulkan-runner").arg(built.join("clc-run-vulkan"));
        command.env("CLC_DRIVERS", driver);
    } else {
        for folder in ["tests/suite", "tests/execution", "crates", "conformance/kernels"] {
            command.arg("--sources").arg(root().join(folder));
        }
        // Where there are some, and only for longer runs: what a seed gives depends on what is there.
        let corpora = target().join("corpora");
        if arguments.contains(&"--corpora") && corpora.is_dir() {
            command.arg("--sources").arg(corpora);
        }
    }
    command.args(arguments.iter().filter(|&&argument| argument != "--corpora"));
    run(&mut command).map_err(|_| "programs failed; see above".to_owned())
}

/// What every run of the tests tries; the numbers of longer runs are in docs/fuzzing.md.
pub fn test() -> Result {
    fuzz(&["--bytes", "700", "--seed", "1"])?;
    fuzz(&["--splice", "200", "--seed", "1"])?;
    fuzz(&["--modules", "50", "--seed", "1"])?;
    fuzz(&["--objects", "50", "--seed", "1"])?;
    fuzz(&["--commands", "50", "--seed", "1"])?;
    match setup::driver() {
        Ok(_) => fuzz(&["--programs", "256", "--seed", "1"]),
        Err(_) => {
            println!("no driver: no random programs are run");
            Ok(())
        }
    }
}
