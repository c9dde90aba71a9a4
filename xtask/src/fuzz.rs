//! `cargo xtask fuzz`: random programs through clc and through a driver's own compiler; with
//! `--vulkan`, clc's side of it on a Vulkan driver; with `--bytes`, `--splice` and the like, damaged inputs
//! through clc alone.

use std::process::Command;

use crate::shell::{Result, built, root, run, target};
use crate::{quality, setup};

/// What is damaged, by option, as the list of runs calls it.
const DAMAGED: [(&str, &str); 5] = [
    ("--bytes", "damaged sources"),
    ("--splice", "spliced sources"),
    ("--modules", "modules"),
    ("--objects", "objects"),
    ("--commands", "command lines"),
];

/// Notes a run that found nothing in the list of docs/quality.md.
const RECORD: &str = "--record";

pub fn fuzz(arguments: &[&str]) -> Result {
    let is_damaged = DAMAGED.iter().any(|(option, _)| arguments.contains(option));
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
    command
        .args(arguments.iter().filter(|&&argument| argument != "--corpora" && argument != RECORD));
    run(&mut command).map_err(|_| "programs failed; see above".to_owned())?;
    if arguments.contains(&RECORD) { record(arguments) } else { Ok(()) }
}

fn record(arguments: &[&str]) -> Result {
    let value = |option: &str| {
        let place = arguments.iter().position(|&argument| argument == option)?;
        arguments.get(place + 1).copied()
    };
    let damaged = DAMAGED.iter().find_map(|(option, kind)| Some((*kind, value(option)?)));
    let seed = value("--seed").unwrap_or("1");
    if let Some((kind, count)) = damaged {
        return quality::record(kind, seed, count);
    }
    let kind = if arguments.contains(&"--variants") { "variants" } else { "programs" };
    let target = if arguments.contains(&"--vulkan") { "Vulkan" } else { "OpenCL" };
    let count = value("--programs").unwrap_or("200");
    quality::record(&format!("{kind}, {target}"), seed, count)
}

/// What every run of the tests tries; longer runs are in docs/quality.md.
pub fn test() -> Result {
    fuzz(&["--bytes", "700", "--seed", "1"])?;
    fuzz(&["--splice", "200", "--seed", "1"])?;
    fuzz(&["--modules", "50", "--seed", "1"])?;
    fuzz(&["--objects", "50", "--seed", "1"])?;
    fuzz(&["--commands", "50", "--seed", "1"])?;
    if setup::driver().is_err() {
        println!("no driver: no random programs are run");
        return Ok(());
    }
    fuzz(&["--programs", "192", "--seed", "1"])?;
    if crate::vulkan::driver().is_err() {
        println!("no Vulkan driver: random programs run on OpenCL only");
        return Ok(());
    }
    // Half of them of each version of the language.
    fuzz(&["--vulkan", "--first", "48", "--programs", "32", "--seed", "1"])
}
