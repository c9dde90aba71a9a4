//! `cargo xtask corpus`: real kernels through the compiler.

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
        let mut command = cargo();
        command.args(["run", "--quiet", "--release", "--package", "clc-conformance"]);
        command.args(["--bin", "corpus", "--"]);
        command
    } else {
        Command::new(shell::built()?.join("corpus"))
    };
    command.arg("--corpora").arg(setup::corpora());
    command.arg("--tables").arg(root().join("conformance/corpus"));
    command.args(options).args(names);
    run_quietly(&mut command)
}

fn run_quietly(command: &mut Command) -> Result {
    shell::run(command)
        .map_err(|_| "the corpus does not compile as it should; see above".to_owned())
}
