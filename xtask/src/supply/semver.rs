//! `cargo xtask supply semver`: whether what the Rust library and `clc-build` offer has changed as their version says.
//!
//! cargo-semver-checks compares the public API with that of the last release, which is the last tag `vVERSION`
//! before this commit. Before the first release there is nothing to compare with unless a revision is named.

use std::process::Command;

use crate::setup;
use crate::shell::{self, Result, root};

/// The tool, with which the API was last compared.
const TOOL: &str = "0.51.0";

/// What Rust programs depend on, with the features that its documentation on docs.rs has: the rest of the
/// workspace is made for these and has no promise.
const PUBLIC: [(&str, &[&str]); 2] = [("clc-compiler", &["asm", "json"]), ("clc-build", &[])];

/// Compares with a revision, or with the last release; says so if there is none.
pub fn run(baseline: Option<&str>) -> Result {
    let tags = git(&["tag", "--list", "v[0-9]*", "--merged", "HEAD", "--sort=-version:refname"])?;
    let revision = match (baseline, last_release(&tags)) {
        (Some(revision), _) => revision.to_owned(),
        (None, Some(tag)) => tag.to_owned(),
        (None, None) => {
            println!(
                "supply: there is no release yet whose API could be compared; `cargo xtask supply semver \
                 --baseline REVISION` compares with a revision"
            );
            return Ok(());
        }
    };
    let name = format!("{revision}^{{commit}}");
    git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &name])
        .map_err(|_| format!("`{revision}` is no revision of this repository"))?;
    let program = setup::program("cargo-semver-checks", TOOL, &[])?;
    for (package, features) in PUBLIC {
        println!("supply: the API of {package} against {revision}");
        let mut check = Command::new(&program);
        check.current_dir(root());
        check.args(["semver-checks", "--package", package, "--baseline-rev", &revision]);
        check.arg("--only-explicit-features");
        check.args(features.iter().flat_map(|feature| ["--features", feature]));
        shell::run(&mut check)?;
    }
    Ok(())
}

/// The first of these tags that is a version, `v1.2.3`: a tag of a candidate, `v1.2.3-rc.1`, promises nothing.
fn last_release(tags: &str) -> Option<&str> {
    tags.lines().find(|tag| {
        let numbers: Vec<&str> = tag.strip_prefix('v').unwrap_or("").split('.').collect();
        let is_number = |text: &&str| text.parse::<u32>().is_ok();
        numbers.len() == 3 && numbers.iter().all(is_number)
    })
}

fn git(arguments: &[&str]) -> Result<String> {
    let mut command = Command::new("git");
    shell::output(command.args(arguments).current_dir(root()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_release_is_the_first_tag_of_a_version() {
        assert_eq!(last_release(""), None);
        assert_eq!(last_release("v1.10.0-rc.1\nv1.9.2\nv1.9.10\n"), Some("v1.9.2"));
        assert_eq!(last_release("v2\nv1.2\nvolumes\nv0.1.0\n"), Some("v0.1.0"));
    }

    #[test]
    fn a_revision_that_is_none_is_refused() {
        let refused = run(Some("no-such-revision")).unwrap_err();
        assert!(refused.contains("`no-such-revision` is no revision"), "{refused}");
        assert!(run(Some("--all")).unwrap_err().contains("is no revision"));
    }
}
