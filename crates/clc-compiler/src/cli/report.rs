//! The messages of compilations, in the order of the command line.

use std::io::{self, Write as _};

use super::request::COMPILED;
use crate::render::{self, MessageFormat};

/// Shows messages as compilations end. What is said of an input for several targets alike is shown once, so an
/// input's messages are shown when those for all targets are known.
pub(super) struct Report<'a> {
    format: MessageFormat,
    /// The names of the targets, where there are several; otherwise one without a name.
    targets: Vec<Option<&'a str>>,
    /// Whether messages are of several compilations.
    are_several: bool,
    /// The numbers and messages of the compilations of one input.
    of_input: Vec<(usize, String)>,
    /// Messages that make one document at the end.
    documents: Vec<String>,
    /// The exit code.
    worst: u8,
}

impl<'a> Report<'a> {
    pub(super) fn new(
        format: MessageFormat,
        targets: Vec<Option<&'a str>>,
        are_several: bool,
    ) -> Report<'a> {
        Report {
            format,
            targets,
            are_several,
            of_input: Vec::new(),
            documents: Vec::new(),
            worst: COMPILED,
        }
    }

    /// The next compilation's exit code and messages.
    pub(super) fn add(&mut self, item: usize, (code, log): (u8, String)) {
        let targets = self.targets.len();
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
        let mut shown: Vec<&str> = Vec::new();
        for (item, log) in &results {
            if log.is_empty() || shown.contains(&log.as_str()) {
                continue;
            }
            shown.push(log);
            if self.format == MessageFormat::Sarif && self.are_several {
                self.documents.push(log.clone());
                continue;
            }
            if talks(self.format)
                && let Some(name) = self.targets[item % self.targets.len()]
                && results.iter().any(|(_, other)| other != log)
            {
                let _ = writeln!(io::stderr(), "clc: for {name}:");
            }
            let _ = io::stderr().write_all(log.as_bytes());
        }
    }
}

/// Whether messages are for people, not programs.
pub(super) fn talks(format: MessageFormat) -> bool {
    matches!(format, MessageFormat::Human | MessageFormat::Short)
}
