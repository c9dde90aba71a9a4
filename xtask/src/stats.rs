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

/// The processor time of one run, user and system, which must succeed; what the neighbours do to the
/// clock on the wall does not count.
pub fn cpu_time(command: &mut Command) -> Result<Duration> {
    let before = children();
    time(command)?;
    Ok(children().saturating_sub(before))
}

/// The processor time of all children that have ended.
pub fn children() -> Duration {
    #[repr(C)]
    struct Usage {
        user: [i64; 2],
        system: [i64; 2],
        rest: [i64; 14],
    }
    unsafe extern "C" {
        fn getrusage(who: i32, usage: *mut Usage) -> i32;
    }
    const CHILDREN: i32 = -1;
    let mut usage = Usage { user: [0; 2], system: [0; 2], rest: [0; 14] };
    // SAFETY: the struct is that of 64-bit Unix: two timevals and fourteen longs.
    unsafe { getrusage(CHILDREN, &mut usage) };
    let duration = |[seconds, micros]: [i64; 2]| {
        Duration::from_micros((seconds * 1_000_000 + micros).unsigned_abs())
    };
    duration(usage.user) + duration(usage.system)
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
