//! `cargo xtask supply`: what comes from others. `deny.toml` says what it may be, and the bill of materials what it is.

mod graph;
mod licence;
mod materials;
mod policy;
pub mod semver;

use std::path::{Path, PathBuf};

use crate::shell::{self, Result, create_dir, root, target, write};

pub use graph::Graph;

/// What is given away; what it is made of is in the bill of materials.
pub const SHIPPED: [&str; 7] =
    ["clc-build", "clc-capi", "clc-compiler", "clc-doctor", "clc-lsp", "clc-python", "clc-web"];

/// Checks licences, sources and versions, and writes the bill of materials.
pub fn run() -> Result {
    check()?;
    let folder = target().join("dist");
    create_dir(&folder)?;
    println!("{}", bill(&folder)?.display());
    Ok(())
}

/// Every crate in `Cargo.lock`, those of tests and chores, too.
pub fn check() -> Result {
    let graph = Graph::of_all()?;
    let problems = policy::Policy::read(&root().join("deny.toml"))?.problems(&graph);
    for problem in &problems {
        eprintln!("supply: {problem}");
    }
    if !problems.is_empty() {
        return Err(format!("{} problems with what comes from others", problems.len()));
    }
    println!("supply: {} crates from others are as deny.toml says", graph.foreign().count());
    Ok(())
}

/// Writes the bill of materials in `folder`.
pub fn bill(folder: &Path) -> Result<PathBuf> {
    let file = folder.join(format!("clc-{}.cdx.json", env!("CARGO_PKG_VERSION")));
    let text = materials::bill(&Graph::of_host()?)?;
    write(&file, &text)?;
    Ok(file)
}

/// The oldest Rust that crates are compiled with.
pub fn oldest_rust() -> Result<String> {
    let manifest = shell::read(&root().join("Cargo.toml"))?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("rust-version = "));
    let version = line.map(|version| version.trim_matches('"').to_owned());
    version.ok_or_else(|| "Cargo.toml says no `rust-version`".to_owned())
}
