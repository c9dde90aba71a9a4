//! Files of what subtests are expected to do: `conformance/cts/DRIVER/SUITE.txt`.
//!
//! A subtest that a file does not list passes. The others have a line each: name, result and reason,
//! with tabs between. The first line says how many subtests there are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Outcome;
use crate::shell::{self, Result, root};

/// Stands where a reason is still to be written; `cargo xtask tidy` refuses it.
pub const UNEXPLAINED: &str = "unexplained";

/// What is expected of a suite.
#[derive(Default)]
pub struct Expectations {
    /// How many subtests there are; 0 if the suite has never been run.
    pub count: usize,
    /// Those that do not pass, and why.
    pub others: BTreeMap<String, (Outcome, String)>,
}

pub fn folder() -> PathBuf {
    root().join("conformance/cts")
}

pub fn path(driver: &str, suite: &str) -> PathBuf {
    folder().join(driver).join(format!("{suite}.txt"))
}

impl Expectations {
    /// Empty if there is no such file.
    pub fn read(path: &Path) -> Result<Expectations> {
        let mut found = Expectations::default();
        if !path.is_file() {
            return Ok(found);
        }
        for line in shell::read(path)?.lines() {
            let wrong = || format!("{}: not understood: {line}", path.display());
            if let Some(comment) = line.strip_prefix('#') {
                if let Some(count) = comment.split(": ").nth(1).filter(|_| found.count == 0) {
                    let number = count.split(' ').next().and_then(|word| word.parse().ok());
                    found.count = number.ok_or_else(wrong)?;
                }
                continue;
            }
            let fields: Vec<&str> = line.split('\t').collect();
            let &[name, outcome, reason] = &fields[..] else { return Err(wrong()) };
            let outcome = Outcome::of(outcome).ok_or_else(wrong)?;
            found.others.insert(name.to_owned(), (outcome, reason.to_owned()));
        }
        Ok(found)
    }

    pub fn write(&self, path: &Path, driver: &str, suite: &str) -> Result {
        let mut text = format!(
            "# {suite} on {driver}: {} subtests, {} pass.\n\
             # Written by `cargo xtask cts --update`; a subtest that is not listed must pass.\n",
            self.count,
            self.count - self.others.len(),
        );
        for (name, (outcome, reason)) in &self.others {
            text.push_str(&format!("{name}\t{outcome}\t{reason}\n"));
        }
        shell::write(path, &text)
    }

    pub fn of(&self, subtest: &str) -> Outcome {
        self.others.get(subtest).map_or(Outcome::Pass, |(outcome, _)| *outcome)
    }

    /// How many subtests have an outcome.
    pub fn number(&self, outcome: Outcome) -> usize {
        match outcome {
            Outcome::Pass => self.count - self.others.len(),
            _ => self.others.values().filter(|(other, _)| *other == outcome).count(),
        }
    }
}
