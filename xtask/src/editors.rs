//! `cargo xtask editors`: the extension of VS Code, and a VS Code to try it in. `cargo xtask bench lsp`: how fast the server answers.

use std::path::PathBuf;
use std::process::Command;

use crate::shell::{self, Result, cargo, create_dir, root, run, target};
use crate::{bench, web};

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

/// The name of the extension as a file.
pub const EXTENSION: &str = "clc-opencl.vsix";

/// Builds it in `target/editors` with what its lock file names.
pub fn build() -> Result<PathBuf> {
    let folder = target().join("editors/vscode");
    create_dir(&folder.join("syntaxes"))?;
    for file in FILES {
        let text = shell::read(&root().join("docs/editors/vscode").join(file))?;
        shell::write(&folder.join(file), &text)?;
    }
    web::npm_packages(&folder)?;
    web::npm(&folder, &["run", "--silent", "package"])?;
    let (made, file) = (folder.join(EXTENSION), target().join("editors").join(EXTENSION));
    std::fs::copy(&made, &file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(file)
}

/// The version of code-server that takes the Node.js of Debian 13.
const CODE_SERVER: &str = "code-server@4.100.3";

/// VS Code without its window, which is in no Debian: the part of code-server that is VS Code's own server, from
/// npm. A browser is the window.
pub fn visual_studio_code() -> Result<PathBuf> {
    let folder = target().join("code-server");
    let (code, installed) = (folder.join("package/lib/vscode"), folder.join(".installed"));
    if shell::read(&installed).ok().as_deref() != Some(CODE_SERVER) {
        println!("setup: {CODE_SERVER}, from npm to {} (250 MB)", folder.display());
        let _ = std::fs::remove_dir_all(&folder);
        create_dir(&folder)?;
        web::npm(&folder, &["pack", "--silent", CODE_SERVER])?;
        run(Command::new("sh").args(["-c", "tar -xzf *.tgz && rm *.tgz"]).current_dir(&folder))?;
        // What would be compiled is for terminals and logs. Its lock file does not name all that it needs.
        web::npm(&code, &["install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"])?;
        shell::write(&installed, CODE_SERVER)?;
    }
    Ok(code)
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::book;

    /// The only block of JSON of a section of the page.
    fn settings(page: &str, section: &str) -> Value {
        let blocks = book::blocks(page);
        let mut found = blocks.iter().filter(|it| it.language == "json" && it.section == section);
        let block = found.next().unwrap();
        assert!(found.next().is_none());
        serde_json::from_str(block.text).unwrap()
    }

    /// Zed itself cannot be had; what can be asked is whether its settings name what there is.
    #[test]
    fn the_settings_of_zed_start_the_server() {
        let page = shell::read(&root().join("docs/editors.md")).unwrap();
        let zed = settings(&page, "Zed");
        let manifest = shell::read(&root().join("docs/editors/vscode/package.json")).unwrap();
        let manifest: Value = serde_json::from_str(&manifest).unwrap();
        let known = manifest["contributes"]["languages"][0]["extensions"].as_array().unwrap();
        let files = zed["file_types"]["C"].as_array().unwrap();
        assert!(!files.is_empty());
        for file in files {
            let extension = format!(".{}", file.as_str().unwrap());
            assert!(known.contains(&json!(extension)), "{extension}");
        }
        let server = zed["languages"]["C"]["language_servers"][0].as_str().unwrap();
        assert_eq!(zed["lsp"][server]["binary"], json!({ "path": "clc", "arguments": ["lsp"] }));
    }
}
