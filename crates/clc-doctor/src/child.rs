//! Child processes that load a driver each.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Api;
use crate::drivers::Driver;

/// Begins the line of an answer; what drivers print has other beginnings.
const MARK: &str = "@clc-doctor ";

/// What a child process is asked.
pub struct Setting<'a> {
    pub api: Api,
    pub driver: &'a Driver,
    /// The vector add on this one; otherwise what there is.
    pub device: Option<usize>,
    pub limit: Duration,
}

/// In a child process: says what it has found out.
pub fn answer(value: &Value) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "\n{MARK}{value}");
    let _ = out.flush();
    #[cfg(clc_coverage)]
    write_counts();
    // What drivers do at the end of a process, threads that are still running above all, is theirs.
    // SAFETY: nothing of this process is to be done any more.
    #[cfg(unix)]
    unsafe {
        libc::_exit(0)
    }
}

/// What counts lines writes its counts at the usual end of a process, which this one has not.
#[cfg(clc_coverage)]
fn write_counts() {
    // SAFETY: of compiler-rt's `InstrProfiling.h`; every program that is compiled so has it.
    unsafe extern "C" {
        safe fn __llvm_profile_write_file() -> std::ffi::c_int;
    }
    __llvm_profile_write_file();
}

/// What a child process says of the driver, or how it ended.
pub fn ask(setting: &Setting<'_>) -> Result<Value, String> {
    let program =
        std::env::current_exe().map_err(|error| format!("cannot find clc-doctor: {error}"))?;
    let mut command = Command::new(program);
    command.args(["--probe", setting.api.name()]);
    if let Some(device) = setting.device {
        command.args(["--device", &device.to_string()]);
    }
    // Lives as long as the child.
    let _folder = setting.driver.configure(setting.api, &mut command)?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot start a process: {error}"))?;
    let mut pipe = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = &mut pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let Some(status) = wait(&mut child, setting.limit) else {
        return Err(format!("the driver was still busy after {} s", setting.limit.as_secs()));
    };
    let text = reader.join().unwrap_or_default();
    let answer = text.lines().find_map(|line| line.strip_prefix(MARK));
    match answer.and_then(|answer| serde_json::from_str::<Value>(answer).ok()) {
        Some(mut value) => match value["error"].as_str() {
            Some(message) => Err(message.to_owned()),
            None => Ok(value["ok"].take()),
        },
        None => Err(format!("the driver ended the process ({})", how(status))),
    }
}

/// `None` if the time ran out; the child is ended then.
fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if start.elapsed() < limit => std::thread::sleep(Duration::from_millis(5)),
            Ok(None) | Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    }
}

fn how(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        let name = match signal {
            libc::SIGSEGV => ", segmentation fault",
            libc::SIGABRT => ", abort",
            libc::SIGILL => ", illegal instruction",
            libc::SIGBUS => ", bus error",
            libc::SIGFPE => ", arithmetic error",
            libc::SIGKILL => ", killed",
            _ => "",
        };
        return format!("signal {signal}{name}");
    }
    status.to_string()
}
