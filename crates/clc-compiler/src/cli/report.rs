//! The messages of compilations, in the order of the command line.

use std::io::{self, Write as _};

use super::{COMPILED, Call};
use crate::render;

/// Shows messages as compilations end. What is said of an input for several targets alike is shown once, so an
/// input's messages are shown when those for all targets are known.
pub(super) struct Report<'a> {
    call: &'a Call,
    /// The numbers and messages of the compilations of one input.
    of_input: Vec<(usize, String)>,
    /// Messages that make one document at the end.
    documents: Vec<String>,
    /// The exit code.
    worst: u8,
}

impl<'a> Report<'a> {
    pub(super) fn new(call: &'a Call) -> Report<'a> {
        Report { call, of_input: Vec::new(), documents: Vec::new(), worst: COMPILED }
    }

    /// The next compilation's exit code and messages.
    pub(super) fn add(&mut self, item: usize, (code, log): (u8, String)) {
        let targets = self.call.jobs.len();
        if self.of_input.first().is_some_and(|(first, _)| first / targets != item / targets) {
            self.show();
        }
        self.worst = self.worst.max(code);
        self.of_input.push((item, log));
        if item % targets == targets - 1 {
            self.show();
        }
    }

    /// Returns the exit code of all.
    pub(super) fn finish(mut self) -> u8 {
        self.show();
        if !self.documents.is_empty() {
            let _ = io::stderr().write_all(render::sarif::merge(&self.documents).as_bytes());
        }
        self.worst
    }

    /// Shows what is said of an input.
    fn show(&mut self) {
        let results = std::mem::take(&mut self.of_input);
        let jobs = &self.call.jobs;
        let mut shown: Vec<&str> = Vec::new();
        for (item, log) in &results {
            if log.is_empty() || shown.contains(&log.as_str()) {
                continue;
            }
            shown.push(log);
            let format = jobs[0].request.style.format;
            if format == render::MessageFormat::Sarif && self.call.outputs.len() > 1 {
                self.documents.push(log.clone());
                continue;
            }
            if jobs.len() > 1
                && self.call.talks()
                && let Some(name) = &jobs[item % jobs.len()].target_name
                && results.iter().any(|(_, other)| other != log)
            {
                let _ = writeln!(io::stderr(), "clc: for {name}:");
            }
            let _ = io::stderr().write_all(log.as_bytes());
        }
    }
}
