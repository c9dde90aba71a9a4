//! Timing of whole processes.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::shell::Result;

/// The wall-clock time of one run, which must succeed. Output is thrown away.
pub fn time(command: &mut Command) -> Result<Duration> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let status = command
        .status()
        .map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    let time = start.elapsed();
    if status.success() { Ok(time) } else { Err(format!("{command:?}: {status}")) }
}

pub fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// `1.23 ms`, with three digits that mean something.
pub fn show(time: Duration) -> String {
    let millis = time.as_secs_f64() * 1e3;
    match millis {
        m if m < 10.0 => format!("{m:.2} ms"),
        m if m < 100.0 => format!("{m:.1} ms"),
        m if m < 10_000.0 => format!("{m:.0} ms"),
        m => format!("{:.1} s", m / 1e3),
    }
}
