//! The tables of docs/conformance.md, which are made of the expectation files.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::Outcome;
use super::expectations::{self, Expectations, UNEXPLAINED};
use super::suites::SUITES;
use crate::shell::{self, Result, root};

const BEGIN: &str = "<!-- results: written by `cargo xtask tidy --write` -->\n";
const END: &str = "<!-- end of results -->\n";

/// The drivers in the order of the page, with what it calls them. Others are shown by their folder.
const TITLES: [(&str, &str); 4] = [
    ("opencl-intel-cpu", "Intel's OpenCL driver for processors, `clc` as the offline compiler"),
    ("vulkan-lavapipe", "Vulkan on lavapipe, through clvk"),
    (
        "vulkan-lavapipe-widened",
        "Vulkan on lavapipe, through clvk with the eight changed lines above",
    ),
    ("vulkan-nvidia-h100", "Vulkan on an NVIDIA H100, through clvk"),
];

/// Compares the page with the expectation files, or writes it anew.
pub fn check(write: bool, problems: &mut Vec<String>) -> Result {
    let path = root().join("docs/conformance.md");
    let page = shell::read(&path)?;
    let parts = page.split_once(BEGIN).and_then(|(before, rest)| {
        rest.split_once(END).map(|(results, after)| (before, results, after))
    });
    let Some((before, results, after)) = parts else {
        return Err(format!("{}: no place for results", path.display()));
    };
    let made = results_of_all(problems)?;
    if write {
        shell::write(&path, &format!("{before}{BEGIN}{made}{END}{after}"))
    } else {
        if made != results {
            problems
                .push("docs/conformance.md is not up to date: `cargo xtask tidy --write`".into());
        }
        Ok(())
    }
}

fn drivers() -> Result<Vec<String>> {
    let folder = expectations::folder();
    let told = |error: std::io::Error| format!("{}: {error}", folder.display());
    let entries: Vec<PathBuf> = std::fs::read_dir(&folder)
        .map_err(told)?
        .map(|entry| entry.map(|entry| entry.path()).map_err(told))
        .collect::<Result<_>>()?;
    let names = entries.iter().filter(|path| path.is_dir()).filter_map(|path| path.file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    let place = |name: &str| TITLES.iter().position(|(driver, _)| *driver == name);
    names.sort_by_key(|name| (place(name).unwrap_or(TITLES.len()), name.clone()));
    Ok(names)
}

fn results_of_all(problems: &mut Vec<String>) -> Result<String> {
    let mut text = String::new();
    for driver in drivers()? {
        let title = TITLES.iter().find(|(name, _)| *name == driver);
        let title = title.map_or(driver.as_str(), |(_, title)| *title);
        let _ = write!(
            text,
            "\n### {title}\n\n| suite | subtests | pass | skipped | other |\n|---|---:|---:|---:|---:|\n"
        );
        let mut listed = String::new();
        let mut not_run: Vec<&str> = Vec::new();
        for suite in SUITES {
            let path = expectations::path(&driver, suite.name);
            let found = Expectations::read(&path)?;
            if found.count == 0 {
                not_run.push(suite.name);
                continue;
            }
            let [pass, skip] = [Outcome::Pass, Outcome::Skip].map(|outcome| found.number(outcome));
            let other = found.count - pass - skip;
            let _ =
                writeln!(text, "| {} | {} | {pass} | {skip} | {other} |", suite.name, found.count);
            // One line for all that have one reason.
            let mut by_reason: Vec<((Outcome, &str), Vec<&str>)> = Vec::new();
            for (name, (outcome, reason)) in &found.others {
                if *outcome == Outcome::Skip {
                    continue;
                }
                if reason == UNEXPLAINED {
                    let path = path.display();
                    problems.push(format!("{path}: nothing explains the {outcome} of {name}"));
                }
                let key = (*outcome, reason.as_str());
                match by_reason.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, names)) => names.push(name),
                    None => by_reason.push((key, vec![name])),
                }
            }
            for ((outcome, reason), names) in by_reason {
                let names = names.join("`, `");
                let _ = writeln!(listed, "* {}: `{names}`, {outcome}: {reason}", suite.name);
            }
        }
        if !not_run.is_empty() {
            let _ = write!(text, "\nNot run: {}.\n", not_run.join(", "));
        }
        if !listed.is_empty() {
            let _ = write!(text, "\nNeither passed nor skipped:\n\n{listed}");
        }
    }
    text.push('\n');
    Ok(text)
}
