//! What `--print-after`, `--time-passes` and `--verify-each` show of passes.

use std::time::{Duration, Instant};

use clc_passes::PassOptions;

use crate::dump;
use crate::options::{OptLevel, Options};

/// The time a stage or a pass took.
#[derive(Clone, Debug)]
pub struct Timing {
    /// Of the stage, pass or step.
    pub name: &'static str,
    /// Wall-clock time.
    pub time: Duration,
    /// A pass of the middle end, whose time is part of the stage `passes`.
    pub is_pass: bool,
}

/// Takes the times and dumps of passes.
pub(crate) struct Watch<'a> {
    options: &'a Options,
    level: OptLevel,
    print_after: &'a [String],
    clock: Option<Instant>,
    /// How many passes and steps have run.
    count: u32,
    /// Of the passes that ran.
    pub timings: Vec<Timing>,
    /// Of the passes that are asked for.
    pub dumps: Vec<(&'static str, String)>,
}

impl<'a> Watch<'a> {
    pub fn new(options: &'a Options, level: OptLevel) -> Watch<'a> {
        Watch {
            options,
            level,
            print_after: &options.print_after,
            clock: options.time_passes.then(Instant::now),
            count: 0,
            timings: Vec::new(),
            dumps: Vec::new(),
        }
    }

    pub fn pass_options(&mut self) -> PassOptions<'_> {
        PassOptions {
            level: self.level,
            stop_after: self.options.stop_after.as_deref(),
            limit: self.options.passes_limit,
            count: self.count,
            verify_each: self.options.verify_each,
            is_for_vectors: !matches!(
                self.options.target.environment,
                clc_legalise::Environment::Vulkan { .. }
            ),
            observer: self,
        }
    }
}

impl clc_passes::Observer for Watch<'_> {
    fn looks(&self) -> bool {
        self.clock.is_some() || !self.print_after.is_empty()
    }

    fn before(&mut self, _: &'static str) {
        if let Some(start) = &mut self.clock {
            *start = Instant::now();
        }
    }

    fn after(&mut self, pass: &'static str, module: &clc_ir::Module) {
        self.count += 1;
        if let Some(start) = &self.clock {
            self.timings.push(Timing { name: pass, time: start.elapsed(), is_pass: true });
        }
        if self.print_after.iter().any(|name| name == pass || name == "all") {
            self.dumps.push((pass, dump::ir(module)));
        }
    }
}
