//! `cargo xtask bench batch`: all of hashcat's kernels in one call, on one core and on all.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::shell::{self, Result, target};
use crate::stats::{median, show, time};
use crate::{bench, corpus, dist};

const HEADING: &str = "## Many sources in one call\n";
const ROUNDS: usize = 3;

pub fn run() -> Result {
    let clc = dist::build()?;
    shell::create_dir(&target().join("bench"))?;
    let folder = target().join("bench/batch");
    let groups = groups()?;
    let units: usize = groups.iter().map(|group| group.1.len()).sum();
    let cores = std::thread::available_parallelism().map_or(1, |count| count.get());
    let all = |jobs: usize| -> Result<Duration> {
        let _ = std::fs::remove_dir_all(&folder);
        let mut sum = Duration::ZERO;
        for (options, sources) in &groups {
            let mut call = Command::new(&clc);
            call.args(options).arg(format!("-j{jobs}")).arg("-o").arg(folder.join(""));
            sum += time(call.args(sources))?;
        }
        let made = std::fs::read_dir(&folder).map_or(0, Iterator::count);
        if made == units { Ok(sum) } else { Err(format!("{made} modules of {units}")) }
    };
    let (mut one, mut many) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        one.push(all(1)?);
        many.push(all(cores)?);
    }
    let (one, many) = (median(&mut one), median(&mut many));
    let ratio = one.as_secs_f64() / many.as_secs_f64().max(1e-9);
    let mut table = String::from("| units | `-j1` | all cores | ratio |\n|---:|---:|---:|---:|\n");
    let _ = writeln!(table, "| {units} | {} | {} | {ratio:.2}× |", show(one), show(many));
    print!("{table}");
    bench::write_section(
        HEADING,
        &format!(
            "All of hashcat's kernels as modules in one folder, by one call of `clc` for each set of options, with \
             validation; medians of {ROUNDS} turns ({}). `cargo xtask bench batch` measures and writes this part of \
             the page.\n\n{table}",
            bench::machine()
        ),
    )
}

/// The sources that are compiled with the same options, as their host does it.
fn groups() -> Result<Vec<(Vec<String>, Vec<PathBuf>)>> {
    let mut groups: Vec<(Vec<String>, Vec<PathBuf>)> = Vec::new();
    for (path, options) in corpus::units("hashcat")? {
        match groups.iter_mut().find(|group| group.0 == options) {
            Some(group) => group.1.push(path),
            None => groups.push((options, vec![path])),
        }
    }
    Ok(groups)
}
