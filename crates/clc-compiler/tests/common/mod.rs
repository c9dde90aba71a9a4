//! Running the command in a folder of its own.

#![allow(dead_code, reason = "each test program uses a part")]

pub mod schema;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub const GOOD: &str = "kernel void k(global int *p) { p[get_global_id(0)] = 1; }\n";
pub const BAD: &str = "kernel void k(global int *p) { p[0] = q; }\n";

pub struct Folder(tempfile::TempDir);

pub struct Ran {
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
    pub time: Duration,
}

impl Ran {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Exit code 1, a diagnostic, and nothing that smells of a crash.
    #[track_caller]
    pub fn is_refused(&self) {
        assert_eq!(self.code, Some(1), "{}", self.shown());
        assert!(self.stderr.contains("error["), "{}", self.shown());
        assert!(!self.stderr.contains("panicked"), "{}", self.shown());
    }

    /// Accepted or refused, but not broken, and not for ever.
    #[track_caller]
    pub fn is_civil(&self) {
        assert!(matches!(self.code, Some(0 | 1)), "{}", self.shown());
        assert!(self.stderr.len() < 1 << 20, "{} bytes of messages", self.stderr.len());
        assert!(self.time < Duration::from_secs(60), "took {:?}", self.time);
    }

    fn shown(&self) -> String {
        let stderr: String = self.stderr.chars().take(2000).collect();
        format!("exit code {:?}\n{stderr}", self.code)
    }
}

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn root(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    pub fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// `clc` with the words of `line` as arguments.
    pub fn clc(&self, line: &str) -> Ran {
        self.clc_with_input(line, b"")
    }

    pub fn clc_with_input(&self, line: &str, input: &[u8]) -> Ran {
        let start = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_clc"))
            .args(line.split_whitespace())
            .current_dir(self.0.path())
            .env_remove("SOURCE_DATE_EPOCH")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let writer = std::thread::spawn(move || {
            // The command may end without reading.
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Ran {
            code: output.status.code(),
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            time: start.elapsed(),
        }
    }

    /// Compiles `source` and gives what happened.
    pub fn compile(&self, source: impl AsRef<[u8]>) -> Ran {
        self.write("input.cl", source);
        self.clc("input.cl -o output.spv")
    }
}
