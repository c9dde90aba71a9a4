//! `cargo xtask bench table`: what rows of the library's table cost programs that call none of it.
//!
//! The command is built twice, the second time with every row once more under another name. Both
//! compile sources without a call of a built-in function, without validation, which never sees the
//! table. Valgrind counts the instructions inside `compile`: outside of it the C library reads the map
//! of the process, which depends on the size of the file. Times are of whole processes, taken turn by
//! turn.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::bench::{machine, write_section};
use crate::shell::{self, Result, cargo, run as run_command, target, write};
use crate::stats::{cpu_time, median, show};

/// What the page calls it.
const HEADING: &str = "## The size of the library\n";

/// Instructions of a compilation may differ by this part: the two commands are two builds, laid out in
/// different ways.
const TOLERANCE: f64 = 5e-3;
const ROUNDS: usize = 201;

pub fn run() -> Result {
    let folder = target().join("bench/table");
    shell::create_dir(&folder)?;
    let written = build(&folder, "written", "cli")?;
    let doubled = build(&folder, "doubled", "cli,clc-builtins/doubled-table")?;
    let mut table = String::from(
        "| source | instructions | with the table doubled | difference | time | with the table doubled \
         | difference |\n|---|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut dear = Vec::new();
    for (name, source) in sources() {
        let path = folder.join(format!("{}.cl", name.replace(' ', "_")));
        write(&path, &source)?;
        let [before, after] =
            [instructions(&written, &path)?, instructions(&doubled, &path)?].map(|n| n as f64);
        let difference = after / before - 1.0;
        let [mut ours, mut theirs] = [Vec::new(), Vec::new()];
        let mut differences = Vec::new();
        for _ in 0..ROUNDS {
            let ours_now = cpu_time(&mut compile(&written, &path))?;
            let theirs_now = cpu_time(&mut compile(&doubled, &path))?;
            ours.push(ours_now);
            theirs.push(theirs_now);
            differences.push(theirs_now.as_secs_f64() - ours_now.as_secs_f64());
        }
        differences.sort_by(f64::total_cmp);
        // The quarter below and above the middle.
        let quartile = |part: usize| differences[part * differences.len() / 4] * 1e6;
        let _ = writeln!(
            table,
            "| {name} | {before} | {after} | {:+.4} % | {} | {} | {:+.0} µs ({:+.0} to {:+.0}) |",
            difference * 100.0,
            show(median(&mut ours)),
            show(median(&mut theirs)),
            quartile(2),
            quartile(1),
            quartile(3),
        );
        if difference.abs() > TOLERANCE {
            dear.push(name);
        }
    }
    print!("{table}");
    let section = format!(
        "What a program pays for built-in functions that it does not call: compilations of \
         sources without any, by the command as it is and by one whose table has every row twice, \
         under other names. Instructions are valgrind's count for `compile`, from the text to the module; \
         times are processor times of whole processes, medians of {ROUNDS} pairs taken turn by turn, \
         with the median and the quartiles of the differences in a pair ({}). Neither validates. `cargo xtask bench table` measures, writes \
         this part of the page, and fails where instructions differ by more than {} %, \
         which is what two builds of nearly the same source may differ by in either direction.\n\n{table}",
        machine(),
        TOLERANCE * 100.0
    );
    write_section(HEADING, &section)?;
    if dear.is_empty() { Ok(()) } else { Err(format!("rows cost something: {}", dear.join(", "))) }
}

/// The command with `features`.
fn build(folder: &Path, name: &str, features: &str) -> Result<PathBuf> {
    let mut command = cargo();
    command.args(["build", "--quiet", "--release", "--package", "clc-compiler", "--bin", "clc"]);
    command.args(["--no-default-features", "--features", features]);
    run_command(&mut command)?;
    let file = folder.join(name);
    std::fs::copy(target().join("release/clc"), &file)
        .map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(file)
}

fn compile(clc: &Path, source: &Path) -> Command {
    let mut command = Command::new(clc);
    command.arg("-O").arg(source).arg("-o").arg(source.with_extension("spv"));
    command
}

fn instructions(clc: &Path, source: &Path) -> Result<u64> {
    let compilation = compile(clc, source);
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    command.arg("--toggle-collect=clc::compiler::compile");
    command.arg(compilation.get_program()).args(compilation.get_args());
    let output = command.output().map_err(|error| format!("valgrind: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    text.lines()
        .find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok())
        .filter(|&count| count > 0)
        .ok_or_else(|| format!("valgrind: {text}"))
}

/// Sources that call no built-in function.
fn sources() -> [(&'static str, String); 3] {
    let functions = |count: usize| {
        let mut text = String::new();
        for f in 0..count {
            let _ = write!(
                text,
                "int step{f}(int a, int b)\n{{\n    int t = a * {} + b;\n    \
                 for (int i = 0; i < {}; ++i) {{\n        if (t & {})\n            t += b << {};\n        \
                 else\n            t ^= a;\n    }}\n    return t;\n}}\n\n",
                f + 3,
                f % 7 + 2,
                1 << (f % 16),
                f % 5
            );
        }
        text.push_str("kernel void k(global int *p)\n{\n    int x = p[0];\n");
        for f in 0..count {
            let _ = writeln!(text, "    x = step{f}(x, p[{}]);", f + 1);
        }
        text.push_str("    p[0] = x;\n}\n");
        text
    };
    [
        ("one assignment", "kernel void k(global int *p) { p[0] = 1; }\n".to_owned()),
        ("20 functions", functions(20)),
        ("400 functions", functions(400)),
    ]
}
