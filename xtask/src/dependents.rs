//! `cargo xtask bench build`: what a clean build of `clc-build` and all that it brings costs those who use it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, ExitCode};
use std::time::Duration;

use crate::bench;
use crate::shell::{self, Result, cargo, root, target, write};
use crate::stats::{cpu_time, show};

const HEADING: &str = "## A build with kernels\n";
/// Of processor time.
const LIMIT: Duration = Duration::from_secs(120);
/// Set where this program runs in place of the compiler: the file that the times go to.
const TIMES: &str = "CLC_XTASK_RUSTC_TIMES";

pub fn run() -> Result {
    let folder = target().join("bench/build");
    let _ = std::fs::remove_dir_all(&folder);
    let example = root().join("examples/saxpy-opencl3");
    write(
        &folder.join("Cargo.toml"),
        &format!(
            "[package]\nname = \"bench-build\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
             [build-dependencies]\nclc-build = {{ path = {:?} }}\n",
            root().join("crates/clc-build")
        ),
    )?;
    write(
        &folder.join("build.rs"),
        "fn main() {\n    clc_build::Builder::new().generate([\"kernels/saxpy.cl\"]);\n}\n",
    )?;
    write(&folder.join("src/main.rs"), "fn main() {}\n")?;
    for name in ["kernels/saxpy.cl", "kernels/index.h", "Cargo.lock"] {
        write(&folder.join(name), &shell::read(&example.join(name))?)?;
    }
    shell::run(cargo().arg("fetch").current_dir(&folder))?;
    let times = folder.join("times");
    let wrapper = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut build = cargo();
    build
        .args(["build", "--offline"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env("RUSTC_WRAPPER", wrapper)
        .env(TIMES, &times);
    let total = cpu_time(&mut build)?;
    let mut crates: BTreeMap<String, f64> = BTreeMap::new();
    for line in shell::read(&times)?.lines() {
        if let Some((seconds, name)) = line.split_once(' ') {
            *crates.entry(name.to_owned()).or_default() += seconds.parse().unwrap_or(0.0);
        }
    }
    let mut crates: Vec<(String, f64)> = crates.into_iter().collect();
    crates.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut table = String::from("| crate | processor time |\n|---|---:|\n");
    for (name, seconds) in crates.iter().take(12) {
        println!("{name:<24}{seconds:>8.1} s");
        let _ = writeln!(table, "| {name} | {seconds:.1} s |");
    }
    println!("{:<24}{:>10}", "all", show(total));
    bench::write_section(
        HEADING,
        &format!(
            "A clean build of a package whose build script compiles a kernel with `clc-build`: {} of processor time for \
             it and everything that it brings, with the levels of optimization that cargo chooses for build scripts \
             ({}). `cargo xtask bench build` measures and writes this part of the page, and fails above {}. The \
             crates that take longest:\n\n{table}",
            show(total),
            bench::machine(),
            show(LIMIT)
        ),
    )?;
    if total > LIMIT { Err(format!("a build takes {}", show(total))) } else { Ok(()) }
}

/// Where cargo has called this program in place of the compiler: runs the compiler, and notes how long it took.
pub fn as_compiler() -> Option<ExitCode> {
    let times = std::env::var_os(TIMES)?;
    let mut arguments = std::env::args_os().skip(1);
    let mut compiler = Command::new(arguments.next()?);
    let arguments: Vec<OsString> = arguments.collect();
    let at = arguments.iter().position(|argument| argument == "--crate-name");
    let name = at.and_then(|at| arguments.get(at + 1)).map(|name| name.to_string_lossy());
    let before = crate::stats::children();
    let status = compiler.args(&arguments).status().ok()?;
    let time = crate::stats::children().saturating_sub(before);
    if let Some(name) = name {
        let line = format!("{:.3} {name}\n", time.as_secs_f64());
        let file = std::fs::OpenOptions::new().create(true).append(true).open(times);
        file.and_then(|mut file| file.write_all(line.as_bytes())).ok()?;
    }
    Some(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
