//! `cargo xtask bench batch`: all of hashcat's kernels in one call, on one core and on all.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::bench;
use crate::dist;
use crate::shell::{self, Result, target};
use crate::stats::{median, show, time};

const HEADING: &str = "## Many sources in one call\n";
const ROUNDS: usize = 3;

pub fn run() -> Result {
    let clc = dist::build()?;
    let sources = crate::setup::corpus("hashcat")?.join("usr/share/hashcat/OpenCL");
    let folder = target().join("bench/batch");
    let groups = groups(&sources)?;
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
fn groups(folder: &Path) -> Result<Vec<(Vec<String>, Vec<PathBuf>)>> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names: Vec<String> =
        entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    let is_unit = |name: &&String| {
        let heads = ["m", "amp_", "markov_", "shared"];
        name.ends_with(".cl") && heads.iter().any(|head| name.starts_with(head))
    };
    let mut groups: Vec<(Vec<String>, Vec<PathBuf>)> = Vec::new();
    for name in names.iter().filter(is_unit) {
        let attack = ["0", "1", "3"].into_iter().find(|kind| name.contains(&format!("_a{kind}")));
        let mut options = bench::hashcat_options(folder);
        for option in &mut options {
            match (option.as_str(), attack) {
                ("-DATTACK_EXEC=11", None) => "-DATTACK_EXEC=10".clone_into(option),
                ("-DATTACK_KERN=0", Some(kind)) => *option = format!("-DATTACK_KERN={kind}"),
                ("-DATTACK_MODE=0", Some(kind)) => *option = format!("-DATTACK_MODE={kind}"),
                _ => {}
            }
        }
        let path = folder.join(name);
        match groups.iter_mut().find(|group| group.0 == options) {
            Some(group) => group.1.push(path),
            None => groups.push((options, vec![path])),
        }
    }
    shell::create_dir(&target().join("bench"))?;
    Ok(groups)
}
