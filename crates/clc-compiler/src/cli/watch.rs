//! `--watch`: compiles again whatever has changed, until it is interrupted.
//!
//! Files are looked at every tenth of a second. Asking the system to be told of changes would need a library
//! for each system, does not work on shared folders of networks and virtual machines, and would have to watch folders
//! anyway, for editors replace files; a look at fifty files takes 50 µs.

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::fs::FileResolver;
use crate::{IncludeRequest, IncludeResolver, Included};

const PAUSE: Duration = Duration::from_millis(100);
/// Files that are being written are left alone until they have been the same for so long.
const SETTLED: Duration = Duration::from_millis(30);

/// What tells one state of a file from the next; `None` if there is no such file.
pub(super) type Stamp = Option<(Option<SystemTime>, u64, u64)>;

fn stamp(path: &Path) -> Stamp {
    let meta = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    let inode = std::os::unix::fs::MetadataExt::ino(&meta);
    #[cfg(not(unix))]
    let inode = 0;
    Some((meta.modified().ok(), meta.len(), inode))
}

/// The files that a compilation depends on, as they were before it read them.
#[derive(Debug, Default)]
pub(super) struct Seen(Vec<(PathBuf, Stamp)>);

impl Seen {
    pub(super) fn look_at(&mut self, path: &Path) -> bool {
        let stamp = stamp(path);
        self.0.push((path.to_owned(), stamp));
        stamp.is_some()
    }
}

/// Finds include files, and notes where it looked: a file that appears in an earlier folder, or where
/// one was missing, is a change too.
pub(super) struct Recorder<'a> {
    pub(super) files: FileResolver,
    pub(super) seen: &'a mut Seen,
}

impl IncludeResolver for Recorder<'_> {
    fn resolve(&mut self, request: &IncludeRequest<'_>) -> Result<Option<Included>, String> {
        for (path, _) in self.files.candidates(request) {
            if self.seen.look_at(&path) && path.is_file() {
                break;
            }
        }
        self.files.resolve(request)
    }

    fn searched(&mut self, request: &IncludeRequest<'_>) -> Option<Vec<String>> {
        self.files.searched(request)
    }
}

/// Calls `compile` with the numbers of the compilations whose files have changed, at first with all `count`;
/// it returns what each depends on. Ends when the process is interrupted.
pub(super) fn run(count: usize, talks: bool, compile: impl Fn(&[usize]) -> Vec<(usize, Seen)>) {
    interrupt::catch();
    let say = |text: String| {
        if talks {
            let _ = writeln!(io::stderr(), "clc: {text}");
        }
    };
    let mut all: Vec<Seen> = (0..count).map(|_| Seen::default()).collect();
    let mut turn: Vec<usize> = (0..count).collect();
    let mut watched = 0;
    loop {
        for (index, seen) in compile(&turn) {
            all[index] = seen;
        }
        let mut paths: Vec<&PathBuf> = all
            .iter()
            .flat_map(|seen| &seen.0)
            .filter(|seen| seen.1.is_some())
            .map(|s| &s.0)
            .collect();
        paths.sort();
        paths.dedup();
        if watched != paths.len() {
            watched = paths.len();
            let files = if watched == 1 { "file" } else { "files" };
            say(format!("watching {watched} {files}; Ctrl-C ends"));
        }
        let (changed, names) = loop {
            if interrupt::has_come() {
                return;
            }
            std::thread::sleep(PAUSE);
            let found = changes(&all);
            if !found.0.is_empty() {
                break found;
            }
        };
        settle(&all);
        let others = match names.len() {
            0..=3 => String::new(),
            n => format!(" and {} more", n - 3),
        };
        let shown: Vec<String> =
            names.iter().take(3).map(|name| format!("`{}`", name.display())).collect();
        say(format!("{}{others} changed", shown.join(", ")));
        turn = changed;
    }
}

/// The compilations whose files are no longer what they were, and these files.
fn changes(all: &[Seen]) -> (Vec<usize>, Vec<&Path>) {
    let mut now: HashMap<&Path, Stamp> = HashMap::new();
    let (mut changed, mut names) = (Vec::new(), Vec::new());
    for (index, seen) in all.iter().enumerate() {
        let mut is_changed = false;
        for (path, before) in &seen.0 {
            if now.entry(path).or_insert_with(|| stamp(path)) != before {
                is_changed = true;
                if !names.contains(&path.as_path()) {
                    names.push(path);
                }
            }
        }
        if is_changed {
            changed.push(index);
        }
    }
    (changed, names)
}

/// Waits until files have stopped changing, but not for ever.
fn settle(all: &[Seen]) {
    let look = || -> Vec<Stamp> {
        all.iter().flat_map(|seen| &seen.0).map(|(path, _)| stamp(path)).collect()
    };
    let mut before = look();
    for _ in 0..30 {
        std::thread::sleep(SETTLED);
        let now = look();
        if now == before {
            return;
        }
        before = now;
    }
}

#[cfg(unix)]
mod interrupt {
    //! The first Ctrl-C ends the command between two compilations, so that no temporary file is left;
    //! the second ends it at once.

    use std::sync::atomic::{AtomicBool, Ordering};

    static CAME: AtomicBool = AtomicBool::new(false);

    extern "C" fn note(_: libc::c_int) {
        CAME.store(true, Ordering::Relaxed);
    }

    pub(super) fn catch() {
        // SAFETY: the action is zeroed but for its handler, which only stores to an atomic, and its
        // flags; all of its fields may be zero.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = note as extern "C" fn(libc::c_int) as libc::sighandler_t;
            action.sa_flags = libc::SA_RESETHAND;
            for signal in [libc::SIGINT, libc::SIGTERM] {
                libc::sigaction(signal, &action, std::ptr::null_mut());
            }
        }
    }

    pub(super) fn has_come() -> bool {
        CAME.load(Ordering::Relaxed)
    }
}

#[cfg(not(unix))]
mod interrupt {
    pub(super) fn catch() {}

    pub(super) fn has_come() -> bool {
        false
    }
}
