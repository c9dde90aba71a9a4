//! Tests whose input and expected output are files, for all crates.
//!
//! | function | where the expected output is |
//! |---|---|
//! | [`cases()`] | behind a line `---`, in files of many cases, each with a name and options |
//! | [`after`] | behind a line `;;; after`, in the file of the input |
//! | [`beside`] | in a file of its own beside the input |
//! | [`Comments`] | in comments of the input, which name parts of the output, in order |
//!
//! With `BLESS=1` in the environment the first three write what was found in place of what was
//! expected; the difference is to be read before it is committed.
//!
//! Whatever a test does not look at is an error: an option or a keyword that it does not know, an
//! expected output without an input, two cases of one name, an empty folder. So no test passes
//! because a word is misspelt.

#![warn(missing_docs)]

mod cases;
mod comments;
mod files;

pub use cases::{Case, cases};
pub use comments::{Comments, absent, in_order};
pub use files::{AFTER, after, beside, expect_file, files};

use std::fmt::Write as _;
use std::path::Path;

/// Whether what is found replaces what is expected.
pub fn blesses() -> bool {
    std::env::var_os("BLESS").is_some()
}

/// The failures of a test.
#[derive(Default)]
struct Failures(String);

impl Failures {
    fn add(&mut self, path: &Path, name: &str, message: &str) {
        let _ = writeln!(self.0, "{}: {name}\n{message}\n", path.display());
    }

    #[track_caller]
    fn report(self) {
        assert!(self.0.is_empty(), "{}", self.0);
    }
}

fn difference(expected: &str, found: &str) -> String {
    format!("--- expected\n{expected}\n--- found\n{found}")
}
