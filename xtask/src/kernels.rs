//! `cargo xtask bench opencl`, `bench vulkan` and `bench matrices`: how long kernels run that `clc` has compiled, and
//! how long those of other compilers, by `clc-bench`, which measures.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::shell::{self, Result, create_dir, target};
use crate::{bench, setup, test, vulkan};

const HEADING: &str = "## Kernels on processors\n";

/// What the numbers come from.
const NOTES: &str = "\
The driver makes vectors of work-items. Where a loop computes with vectors of the program (`nbody`, `nbody64`, `lorenz`, \
`attention`) it keeps these side by side and takes them apart in each turn, whoever compiled it but `clc`, which computes \
with components there. The price is build time: a module that the driver does not make vectors of, as \
clang's of `nbody` and `attention`, is built sooner. Where all work-items come together, `clc` makes one operation of a \
product and a sum, since the driver does not contract modules; in `mandelbrot`, which each work-item leaves when it likes, the \
driver does so in what it compiles itself, by an operation that modules do not have, and is ahead. Beside other \
programs, kernels that are bound by memory or atomics differ by a fifth and more between runs of one module.\n";

/// Runs the kernels with the OpenCL driver, and writes a section of docs/benchmarks.md if it was all of them.
pub fn on_opencl(words: &[&str]) -> Result {
    let program = shell::built()?.join("clc-bench");
    let mut command = Command::new(program);
    command.arg("opencl").arg("--folder").arg(target().join("bench/kernels"));
    match setup::clang() {
        Ok(clang) => drop(command.arg("--clang").arg(clang)),
        Err(missing) => println!("{missing}; goes on without it"),
    }
    if !words.contains(&"--system") {
        test::on_driver(&mut command, &setup::driver()?);
    }
    let words: Vec<&str> = words.iter().copied().filter(|&word| word != "--system").collect();
    command.args(&words).stderr(Stdio::inherit());
    let is_busy = words == ["--busy"];
    if is_busy {
        // Processor time counts what idle threads of the driver do, too.
        command.env("CL_CONFIG_CPU_TBB_NUM_WORKERS", "1");
    }
    let text = shell::output(&mut command)?;
    print!("{text}");
    if !words.is_empty() && !is_busy {
        return Ok(());
    }
    let (times, ratio, option) = match is_busy {
        false => ("Medians of turns", "the median over the turns", ""),
        true => (
            "The best processor times of turns, on one core, beside other programs",
            "of these",
            " --busy",
        ),
    };
    bench::write_section(
        HEADING,
        &format!(
            "\nThe sources in `conformance/kernels`, one or several launches each, compiled by `clc -O`, by \
             `clang-22 -O2` for `spirv64v1.4`, and from source by the driver, with the options that each has \
             by default, in one process ({}). {times}; a ratio is what `clc` takes in parts of what \
             the other takes, {ratio}; results are compared with the host's. Build is what \
             the driver needs for the module or the source until it has the kernels, of 15 in turns. `cargo xtask \
             bench opencl{option}` measures and writes this part of the page.\n\n{text}\n{NOTES}",
            bench::machine()
        ),
    )
}

/// Builds `target/dist/clc-bench`, which needs nothing but the drivers of the machine it runs on, and runs it.
pub fn on_vulkan(words: &[&str]) -> Result {
    let file = distributed()?;
    println!("built {}", file.display());
    let mut command = Command::new(file);
    if words.contains(&"--on-lavapipe") {
        vulkan::configure(&mut command, &vulkan::driver()?);
    }
    shell::run(command.arg("vulkan").args(words.iter().filter(|&&word| word != "--on-lavapipe")))
}

/// The same for products of large matrices, by the units that GPUs have for them.
pub fn of_matrices(words: &[&str]) -> Result {
    let file = distributed()?;
    println!("built {}", file.display());
    shell::run(Command::new(file).arg("matrices").args(words))
}

fn distributed() -> Result<PathBuf> {
    // Without the validator, which would have to be compiled for it alone.
    shell::run(shell::cargo().args([
        "build",
        "--quiet",
        "--release",
        "--package",
        "clc-tests",
        "--no-default-features",
        "--bin",
        "clc-bench",
    ]))?;
    let folder = target().join("dist");
    create_dir(&folder)?;
    let (built, file) = (target().join("release/clc-bench"), folder.join("clc-bench"));
    std::fs::copy(&built, &file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(file)
}
