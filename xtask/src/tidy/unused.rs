//! Dependencies that nothing uses.

use std::collections::BTreeSet;
use std::path::Path;

use super::{crates, relative, rust_files};
use crate::shell::{Result, read, root};

/// Packages whose library has a name of its own.
const LIBRARIES: &[(&str, &str)] = &[("clc-compiler", "clc"), ("md-5", "md5")];

/// Every dependency is named in the sources of the package that has it (a development dependency in
/// its sources or tests), and every dependency of the workspace is one of some package.
pub(super) fn check(problems: &mut Vec<String>) -> Result {
    let mut folders: Vec<_> =
        crates()?.iter().map(|name| root().join("crates").join(name)).collect();
    folders.extend(["tests", "conformance", "xtask"].map(|folder| root().join(folder)));
    let mut all = BTreeSet::new();
    for folder in folders {
        let manifest = read(&folder.join("Cargo.toml"))?;
        let sources = names(&rust_sources(&folder, false)?);
        let tests = names(&rust_sources(&folder, true)?);
        for (section, name) in dependencies(&manifest) {
            all.insert(name.to_owned());
            let named = if section == "dependencies" { &sources } else { &tests };
            if !named.contains(&library(name)) {
                problems.push(format!("{} does not use {name}", relative(&folder)));
            }
        }
    }
    for (section, name) in dependencies(&read(&root().join("Cargo.toml"))?) {
        if section == "workspace.dependencies" && !all.contains(name) {
            problems.push(format!("no package depends on {name}"));
        }
    }
    Ok(())
}

/// The sections of a manifest that list dependencies, and the packages in them.
fn dependencies(manifest: &str) -> Vec<(&str, &str)> {
    let mut section = "";
    let mut found = Vec::new();
    for line in manifest.lines() {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
        } else if section.ends_with("dependencies")
            && let Some(end) = line.find([' ', '.', '='])
            && !line.starts_with(['#', ' '])
        {
            found.push((section, &line[..end]));
        }
    }
    found
}

fn library(package: &str) -> String {
    let known = LIBRARIES.iter().find(|(name, _)| *name == package);
    known.map_or_else(|| package.replace('-', "_"), |(_, library)| (*library).to_owned())
}

/// The text of a package's sources; with `tests`, of its tests too.
fn rust_sources(package: &Path, tests: bool) -> Result<String> {
    let mut text = String::new();
    for path in rust_files(package) {
        let below = path.strip_prefix(package).unwrap_or(&path);
        // The package of the tests has its test programs beside its library.
        if tests || below.starts_with("src") || package.ends_with("tests") {
            text.push_str(&read(&path)?);
        }
    }
    Ok(text)
}

/// The identifiers in the code of a text.
fn names(text: &str) -> BTreeSet<String> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or(""));
    code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_and_sources_are_read() {
        let manifest = "[package]\nname = \"x\"\n\n[dependencies]\n# why\nclc-ir.workspace = true\n\
                        md-5 = \"1\"\n\n[dev-dependencies]\ntempfile.workspace = true\n";
        let expected = [
            ("dependencies", "clc-ir"),
            ("dependencies", "md-5"),
            ("dev-dependencies", "tempfile"),
        ];
        assert_eq!(dependencies(manifest), expected);
        assert_eq!(library("md-5"), "md5");
        assert_eq!(library("clc-ir"), "clc_ir");
        let names = names("use clc_ir::Module; // not md5\n");
        assert!(names.contains("clc_ir") && !names.contains("md5"));
    }
}
