//! `cargo xtask release --dry-run`: whether everything is there that a release needs. Nothing is published.

use std::process::Command;

use crate::shell::{self, Result, read, root, run, target};
use crate::{dist, supply, tidy};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Checks all; `quick` leaves out what is compiled for it alone. What only people can do is listed and no error.
pub fn rehearse(quick: bool) -> Result {
    let mut missing = Vec::new();
    let mut failures = Vec::new();
    let mut check = |name: &str, result: Result| match result {
        Ok(()) => println!("release: {name}: as it should be"),
        Err(error) => {
            eprintln!("release: {name}: {error}");
            failures.push(name.to_owned());
        }
    };
    check("structure and documents", tidy::run(false));
    check("crates of others", supply::run());
    check("crates for crates.io", dist::list_crates());
    if quick {
        missing.push(
            "compilations with the oldest Rust, and twice in different folders, and the API against the last release's \
                 (without `--quick`)"
                .to_owned(),
        );
    } else {
        match oldest_rust() {
            Ok(Some(reason)) => missing.push(reason),
            Ok(None) => check("the oldest Rust", Ok(())),
            Err(error) => check("the oldest Rust", Err(error)),
        }
        check("the same bytes twice", dist::check_reproducible());
        check("the API against the last release", supply::semver::run(None));
    }
    missing.extend(changelog(&read(&root().join("CHANGELOG.md"))?));
    missing.extend(repository());
    for line in &missing {
        println!("release: MISSING {line}");
    }
    match failures.is_empty() {
        true => Ok(()),
        false => Err(format!("not as it should be: {}", failures.join(", "))),
    }
}

/// Compiles what is given away with the Rust that `rust-version` names; says where that cannot be had.
fn oldest_rust() -> Result<Option<String>> {
    let version = supply::oldest_rust()?;
    // cargo of rustup would bring it in unasked.
    let installed = shell::output(Command::new("rustup").args(["toolchain", "list"]));
    if !installed
        .is_ok_and(|list| list.lines().any(|line| line.starts_with(&format!("{version}-"))))
    {
        return Ok(Some(format!(
            "Rust {version}, the oldest that is promised: rustup toolchain install {version} --profile minimal"
        )));
    }
    let mut command = Command::new("cargo");
    // Not of the cargo that runs this.
    command.env_remove("CARGO").env_remove("RUSTC").env("RUSTUP_TOOLCHAIN", &version);
    command.current_dir(root());
    command
        .args(["check", "--quiet", "--locked", "--target-dir"])
        .arg(target().join("oldest-rust"));
    for name in supply::SHIPPED {
        command.args(["--package", name]);
    }
    run(&mut command).map(|()| None)
}

/// What the changelog lacks.
fn changelog(text: &str) -> Vec<String> {
    let section = |name: &str| {
        let (_, rest) = text.split_once(&format!("\n## [{name}]"))?;
        let (_, rest) = rest.split_once('\n')?;
        Some(rest.split("\n## ").next().unwrap_or(rest))
    };
    let mut missing = Vec::new();
    if section(VERSION).is_none() {
        missing.push(format!("CHANGELOG.md has no section [{VERSION}]"));
    }
    if section("Unreleased").is_some_and(|rest| rest.lines().any(|line| line.starts_with('-'))) {
        missing
            .push(format!("CHANGELOG.md has lines under [Unreleased] that belong to [{VERSION}]"));
    }
    missing
}

/// What git lacks.
fn repository() -> Vec<String> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        shell::output(command.args(arguments).current_dir(root())).unwrap_or_default()
    };
    let mut missing = Vec::new();
    if !git(&["status", "--porcelain"]).is_empty() {
        missing.push("the tree has changes that are not committed".to_owned());
    }
    let tag = format!("v{VERSION}");
    if git(&["tag", "--list", &tag]).is_empty() {
        missing.push(format!("the tag {tag}"));
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changelog_has_the_version_and_nothing_unreleased() {
        let done = format!("# C\n\n## [Unreleased]\n\n## [{VERSION}] - 2026-01-01\n\n- a\n");
        assert_eq!(changelog(&done), [] as [&str; 0]);
        let open = "# C\n\n## [Unreleased]\n\n### Added\n\n- a\n";
        assert_eq!(changelog(open).len(), 2);
        assert_eq!(changelog(&open.replace("Unreleased", VERSION)), [] as [&str; 0]);
    }
}
