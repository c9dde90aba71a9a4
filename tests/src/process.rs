//! Child processes with a time limit.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// What a process left.
#[derive(Clone, Debug)]
pub struct Finished {
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
    pub timed_out: bool,
}

impl Finished {
    /// `exit code 1`, `a signal`, `timed out`
    pub fn how(&self) -> String {
        match (self.timed_out, self.code) {
            (true, _) => "timed out".to_owned(),
            (false, Some(code)) => format!("exit code {code}"),
            (false, None) => "ended by a signal".to_owned(),
        }
    }
}

/// Runs `command` with `input` on standard input, and kills it after `limit`.
pub fn run(command: &mut Command, input: &[u8], limit: Duration) -> std::io::Result<Finished> {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let stdin = child.stdin.take();
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let timed_out = std::thread::scope(|scope| {
        scope.spawn(move || {
            if let Some(mut stdin) = stdin {
                // The process may end without reading its input.
                let _ = stdin.write_all(input);
            }
        });
        wait(&mut child, limit)
    });
    let status = child.wait()?;
    let collect = |receiver: mpsc::Receiver<Vec<u8>>| {
        receiver.recv_timeout(Duration::from_secs(5)).unwrap_or_default()
    };
    Ok(Finished {
        code: status.code().filter(|_| !timed_out),
        stdout: collect(stdout),
        stderr: String::from_utf8_lossy(&collect(stderr)).into_owned(),
        timed_out,
    })
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        let _ = sender.send(bytes);
    });
    receiver
}

/// Whether the time ran out.
fn wait(child: &mut Child, limit: Duration) -> bool {
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        match child.try_wait() {
            Ok(Some(_)) | Err(_) => return false,
            Ok(None) if start.elapsed() > limit => {
                let _ = child.kill();
                return true;
            }
            Ok(None) => std::thread::sleep(pause),
        }
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
