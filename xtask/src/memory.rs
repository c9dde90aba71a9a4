//! `cargo xtask bench memory`: the most memory that clc and clang-22 take for the largest units of each corpus.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crate::bench;
use crate::corpus::{self, NAMES};
use crate::parser::peak_memory_and_success;
use crate::shell::{self, Result, target};
use crate::{dist, setup};

const HEADING: &str = "## Memory\n";
/// Units of each corpus.
const UNITS: usize = 10;
/// Of clang's.
const LIMIT: f64 = 0.25;

pub fn run(names: &[&str]) -> Result {
    let names = if names.is_empty() { &NAMES } else { names };
    for name in names {
        setup::corpus(name)?;
    }
    let clc = dist::build()?;
    let peer = setup::clang()?;
    let folder = target().join("bench/memory");
    let _ = std::fs::remove_dir_all(&folder);
    shell::create_dir(&folder)?;
    let mut list = corpus::optimised();
    list.arg("--largest").arg(UNITS.to_string());
    shell::run(list.arg("--into").arg(&folder).args(names))?;
    let mut table = String::from(
        "| corpus | clc, of the unit with the greatest ratio | clang-22 | ratio | least ratio |\n\
         |---|---:|---:|---:|---:|\n",
    );
    let mut above = Vec::new();
    for name in names {
        let mut ratios: Vec<(f64, f64, f64)> = Vec::new();
        for index in 0..UNITS {
            let source = folder.join(format!("{name}-{index}.cl"));
            if !source.exists() {
                break;
            }
            let options = |whose: &str| -> Result<Vec<String>> {
                let text = shell::read(&source.with_extension(whose))?;
                Ok(text.lines().map(str::to_owned).collect())
            };
            let own = compilation(&clc, &["-O"], &options("clc")?, &source);
            let (own, is_compiled) = peak_memory_and_success(own)?;
            let clang = ["--target=spirv64v1.4", "-O2", "-w", "-c", "-x", "cl"];
            let other = compilation(&peer, &clang, &options("clang")?, &source);
            let (other, is_compiled_there) = peak_memory_and_success(other)?;
            // What is refused takes little memory.
            if !is_compiled || !is_compiled_there {
                let whose = if is_compiled { "clang-22" } else { "clc" };
                println!("{name}-{index}: refused by {whose}");
                continue;
            }
            println!("{name}-{index}: {own:.1} MB, {other:.1} MB, {:.3}", own / other);
            ratios.push((own / other, own, other));
        }
        ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (Some(least), Some((ratio, own, other))) = (ratios.first(), ratios.last()) else {
            println!("{name}: no unit that both compile");
            continue;
        };
        let _ = writeln!(
            table,
            "| {name} | {own:.1} MB | {other:.1} MB | {ratio:.2} | {:.2} |",
            least.0
        );
        if *ratio > LIMIT {
            above.push(format!("{name} {ratio:.2}"));
        }
    }
    bench::write_section(
        HEADING,
        &format!(
            "The most memory that the process ever had, by GNU `time`, for the {UNITS} largest units of each corpus by \
             their preprocessed text, of those that both compile; `clc -O` with validation, `clang-22 -O2`. `cargo xtask bench memory` measures and \
             writes this part of the page, and fails above {LIMIT} of clang's.\n\n{table}"
        ),
    )?;
    if above.is_empty() { Ok(()) } else { Err(format!("too much memory: {}", above.join(", "))) }
}

fn compilation(compiler: &Path, head: &[&str], options: &[String], source: &Path) -> Command {
    let mut command = Command::new(compiler);
    command.args(head).args(options).arg(source).arg("-o").arg("/dev/null");
    command
}
