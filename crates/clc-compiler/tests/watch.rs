//! `--watch`, with a real process and real changes.
#![cfg(unix)]

mod common;

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, SystemTime};

use common::{BAD, Folder, GOOD};

struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(folder: &Folder, line: &str) -> Watching {
        let mut child = Command::new(env!("CARGO_BIN_EXE_clc"))
            .args(line.split_whitespace())
            .current_dir(folder.root())
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stderr: ChildStderr = child.stderr.take().unwrap();
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines() {
                let _ = sender.send(line.unwrap());
            }
        });
        Watching { child, lines }
    }

    /// Waits for a line that has these words, and returns those before it.
    #[track_caller]
    fn until(&self, words: &str) -> Vec<String> {
        let mut before = Vec::new();
        loop {
            match self.lines.recv_timeout(Duration::from_secs(30)) {
                Ok(line) if line.contains(words) => return before,
                Ok(line) => before.push(line),
                Err(_) => panic!("`{words}` was not said, but {before:?}"),
            }
        }
    }

    /// Ctrl-C; the exit code.
    fn interrupt(mut self) -> Option<i32> {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn what_changes_is_compiled_again() {
    let folder = Folder::new();
    folder.write("k.cl", format!("#include \"a.h\"\n{GOOD}"));
    folder.write("inc/a.h", "");
    folder.write("other.cl", GOOD);
    let clc = Watching::start(&folder, "--watch k.cl other.cl -I inc --message-format=short");
    assert_eq!(clc.until("watching 3 files"), ["clc: wrote `k.spv`", "clc: wrote `other.spv`"]);

    folder.write("inc/a.h", "#error stop\n");
    clc.until("`inc/a.h` changed");
    clc.until("inc/a.h:1:");
    // As editors save: by a file that takes the name.
    folder.write("inc/new", "#define X 1\n");
    std::fs::rename(folder.path("inc/new"), folder.path("inc/a.h")).unwrap();
    clc.until("`inc/a.h` changed");
    assert_eq!(clc.until("wrote `k.spv`"), [] as [&str; 0], "only what depends on it");

    // A file that appears in a folder that is looked into before.
    let before = folder.read("k.spv");
    folder.write("a.h", "#define get_global_id(x) 7\n");
    clc.until("`a.h` changed");
    clc.until("wrote `k.spv`");
    assert_ne!(folder.read("k.spv"), before);

    std::fs::remove_file(folder.path("a.h")).unwrap();
    std::fs::remove_file(folder.path("inc/a.h")).unwrap();
    clc.until("cannot find the file `a.h`");
    folder.write("inc/a.h", "");
    clc.until("wrote `k.spv`");
    folder.write("other.cl", BAD);
    clc.until("other.cl:1:");
    std::fs::remove_file(folder.path("other.cl")).unwrap();
    clc.until("cannot read `other.cl`");
    folder.write("other.cl", GOOD);
    clc.until("wrote `other.spv`");

    // A clock that was set back, or a file out of an archive: older is another time, too.
    folder.write("other.old", BAD);
    let old = std::fs::File::options().append(true).open(folder.path("other.old")).unwrap();
    old.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1)).unwrap();
    std::fs::rename(folder.path("other.old"), folder.path("other.cl")).unwrap();
    clc.until("other.cl:1:");

    assert_eq!(clc.interrupt(), Some(0));
    let left: Vec<_> = std::fs::read_dir(folder.root()).unwrap().flatten().collect();
    assert!(!left.iter().any(|entry| entry.file_name().to_string_lossy().starts_with(".clc")));
}

#[test]
fn data_for_programs_stays_data() {
    let folder = Folder::new();
    folder.write("k.cl", GOOD);
    let clc = Watching::start(&folder, "--watch k.cl --message-format=json");
    while !folder.has("k.spv") {
        std::thread::sleep(Duration::from_millis(10));
    }
    // Later than the look at the file that came before it was read.
    std::thread::sleep(Duration::from_millis(50));
    folder.write("k.cl", BAD);
    let before = clc.until("\"severity\":\"error\"");
    assert_eq!(before, [] as [&str; 0]);
    assert_eq!(clc.interrupt(), Some(0));
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let folder = Folder::new();
    for (line, words) in [
        ("--watch -", "cannot be watched"),
        ("--watch", "no input"),
        ("link --watch a.spv", "`--watch`"),
    ] {
        let ran = folder.clc(line);
        assert_eq!(ran.code, Some(2), "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{line}: {}", ran.stderr);
    }
}
