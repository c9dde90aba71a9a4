//! How long a source file may be.

use super::{crates, relative, rust_files};
use crate::shell::{Result, read, root};

/// Lines of a file; past them, ask what second thing has moved in.
const LONGEST: usize = 600;

/// Files that are longer, each with the reason.
const LONGER: &[(&str, &str)] =
    &[("crates/clc-builtins/src/intrinsic.rs", "a table: a row for each intrinsic")];

/// The sources of all crates; their tests, and what only tests, may be longer.
pub(super) fn check(problems: &mut Vec<String>) -> Result {
    let mut folders: Vec<_> =
        crates()?.iter().map(|name| root().join("crates").join(name).join("src")).collect();
    folders.extend(["xtask/src", "tests/src", "conformance/src"].map(|folder| root().join(folder)));
    let mut longer = Vec::new();
    for path in folders.iter().flat_map(|folder| rust_files(folder)) {
        let name = relative(&path);
        if name.contains("/tests/") || name.ends_with("/tests.rs") {
            continue;
        }
        let lines = read(&path)?.lines().count();
        if lines > LONGEST {
            longer.push((name, lines));
        }
    }
    complain(&longer, LONGER, problems);
    Ok(())
}

fn complain(longer: &[(String, usize)], exempt: &[(&str, &str)], problems: &mut Vec<String>) {
    for (name, lines) in longer {
        if !exempt.iter().any(|(exempt, _)| exempt == name) {
            problems.push(format!("{name}: {lines} lines; what second thing has moved in?"));
        }
    }
    for (exempt, _) in exempt {
        if !longer.iter().any(|(name, _)| name == exempt) {
            problems.push(format!("{exempt} has at most {LONGEST} lines; its exemption can go"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_and_stale_exemptions_are_reported() {
        let longer = [("a.rs".to_owned(), 700), ("b.rs".to_owned(), 800)];
        let mut problems = Vec::new();
        complain(&longer, &[("b.rs", "a table"), ("c.rs", "a table")], &mut problems);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems[0].starts_with("a.rs: 700 lines"));
        assert!(problems[1].starts_with("c.rs has at most 600 lines"));
    }
}
