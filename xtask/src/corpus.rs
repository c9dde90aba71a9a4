//! `cargo xtask corpus`: real kernels through the compiler.

use std::path::PathBuf;
use std::process::Command;

use crate::setup;
use crate::shell::{self, Result, cargo, root};

/// Every corpus, in the order of the tables.
pub const NAMES: [&str; 13] = [
    "hashcat",
    "darktable",
    "sasmodels",
    "silx",
    "pyfai",
    "gputools",
    "bempp",
    "pyclesperanto",
    "llama",
    "bullet",
    "pyopencl",
    "pocl",
    "mandelbulber",
];

pub fn run(arguments: &[&str]) -> Result {
    check(arguments, true)
}

/// Downloads what the arguments name (nothing named: all), then lets the compiler loose on it.
pub fn check(arguments: &[&str], release: bool) -> Result {
    let (mut names, options): (Vec<&str>, Vec<&str>) =
        arguments.iter().partition(|argument| NAMES.contains(argument));
    if names.is_empty() {
        names = NAMES.to_vec();
    }
    for name in &names {
        setup::corpus(name)?;
    }
    let mut command = if release {
        optimised()
    } else {
        let mut command = Command::new(shell::built()?.join("corpus"));
        command.arg("--corpora").arg(setup::corpora());
        command
    };
    command.arg("--tables").arg(root().join("conformance/corpus"));
    command.args(options).args(names);
    run_quietly(&mut command)
}

/// The program that knows the units, optimised.
pub fn optimised() -> Command {
    let mut command = cargo();
    command.args(["run", "--quiet", "--release", "--package", "clc-conformance"]);
    command.args(["--bin", "corpus", "--", "--corpora"]).arg(setup::corpora());
    command
}

/// The units of a corpus that are one file each, with the options that their host compiles them with.
pub fn units(name: &str) -> Result<Vec<(PathBuf, Vec<String>)>> {
    setup::corpus(name)?;
    let list = shell::output(optimised().arg("--list").arg(name))?;
    let unit = |line: &str| {
        let mut words = line.split('\t').map(str::to_owned);
        (words.next().unwrap_or_default().into(), words.collect())
    };
    Ok(list.lines().map(unit).collect())
}

fn run_quietly(command: &mut Command) -> Result {
    shell::run(command)
        .map_err(|_| "the corpus does not compile as it should; see above".to_owned())
}
