//! `cargo xtask editors`: the extension of VS Code. `cargo xtask bench lsp`: how fast the server answers.

use std::process::Command;

use crate::bench;
use crate::shell::{self, Result, cargo, create_dir, root, run, target};

/// The files of the extension that are not generated.
const FILES: &[&str] = &[
    ".vscodeignore",
    "README.md",
    "extension.js",
    "language-configuration.json",
    "package-lock.json",
    "package.json",
    "syntaxes/opencl.tmLanguage.json",
];

/// Builds `target/editors/clc-opencl.vsix` with what its lock file names.
pub fn build() -> Result {
    let folder = target().join("editors/vscode");
    create_dir(&folder.join("syntaxes"))?;
    for file in FILES {
        let text = shell::read(&root().join("docs/editors/vscode").join(file))?;
        shell::write(&folder.join(file), &text)?;
    }
    let npm = |arguments: &[&str]| {
        let mut command = Command::new("npm");
        command.current_dir(&folder).args(arguments);
        run(&mut command)
    };
    // No package has to run anything to be installed.
    npm(&["ci", "--ignore-scripts", "--no-audit", "--no-fund"])?;
    npm(&["run", "--silent", "package"])?;
    let (made, file) = (folder.join("clc-opencl.vsix"), target().join("editors/clc-opencl.vsix"));
    std::fs::copy(&made, &file).map_err(|error| format!("{}: {error}", file.display()))?;
    println!("{}", file.display());
    Ok(())
}

/// Measures the server in an optimised build, and writes the part of the page.
pub fn bench() -> Result {
    let mut command = cargo();
    command.args(["run", "--quiet", "--release", "--package", "clc-lsp", "--example", "latency"]);
    let table = shell::output(&mut command)?;
    print!("{table}");
    bench::write_section(
        "## The language server\n",
        &format!(
            "From a request to its answer, as texts, on a file of 5,000 lines, medians of 21 ({}). After an edit \
             the answer includes an analysis of the whole file; again is the same request on the same text. \
             `cargo xtask bench lsp` measures and writes this part of the page.\n\n{table}",
            bench::machine(),
        ),
    )
}
