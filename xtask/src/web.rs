//! `cargo xtask web`: the playground, a page that compiles in the browser, and its test.

mod toolchain;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::setup;
use crate::shell::{self, Result, cargo, create_dir, root, run, target};

/// The sources of the page.
const FILES: &[&str] = &[
    "client.js",
    "compiler.js",
    "editor.js",
    "examples.js",
    "index.html",
    "languages.js",
    "licences.mjs",
    "main.js",
    "package-lock.json",
    "package.json",
    "problems.js",
    "share.js",
    "sizes.mjs",
    "start.js",
    "style.css",
    "test.mjs",
    "worker.js",
];

pub fn command(arguments: &[&str]) -> Result {
    match arguments {
        [] => page().map(drop),
        ["--test"] => test(&page()?),
        _ => Err(format!("`cargo xtask web` has the option `--test` alone, not {arguments:?}")),
    }
}

/// Builds the page; the folder to host.
fn page() -> Result<PathBuf> {
    let module = toolchain::compile("web")?;
    let sources = sources()?;
    npm(&sources, &["run", "--silent", "build"])?;
    let page = target().join("web");
    create_dir(&page)?;
    let files = [
        (module, "clc.wasm"),
        (sources.join("out/main.js"), "main.js"),
        (sources.join("out/start.js"), "start.js"),
        (sources.join("out/worker.js"), "worker.js"),
        (sources.join("out/licences.txt"), "licences.txt"),
        (sources.join("index.html"), "index.html"),
        (sources.join("style.css"), "style.css"),
    ];
    for (from, name) in &files {
        let to = page.join(name);
        std::fs::copy(from, &to).map_err(|error| format!("{}: {error}", from.display()))?;
    }
    let mut sizes = Command::new("node");
    sizes.arg(sources.join("sizes.mjs")).arg(&page).args(files.iter().map(|(_, name)| name));
    run(&mut sizes)?;
    println!("{}", page.display());
    Ok(page)
}

/// A copy of the sources of the page with the packages that its lock file names.
fn sources() -> Result<PathBuf> {
    let folder = absolute(&target().join("web-sources"))?;
    for file in FILES {
        let text = shell::read(&root().join("docs/playground").join(file))?;
        shell::write(&folder.join(file), &text)?;
    }
    let (lock, installed) = (folder.join("package-lock.json"), folder.join(".installed"));
    let wanted = shell::read(&lock)?;
    if shell::read(&installed).ok().as_ref() != Some(&wanted) {
        // No package has to run anything to be installed.
        npm(&folder, &["ci", "--ignore-scripts", "--no-audit", "--no-fund"])?;
        shell::write(&installed, &wanted)?;
    }
    Ok(folder)
}

fn npm(folder: &Path, arguments: &[&str]) -> Result {
    let mut command = Command::new("npm");
    command.current_dir(folder).args(arguments);
    run(&mut command)
}

/// Drives the page in a browser and compares with the command, which is what the other tests run.
fn test(page: &Path) -> Result {
    run(cargo().args(["build", "--quiet", "--package", "clc-compiler", "--bin", "clc"]))?;
    let (program, libraries) = chromium()?;
    let mut node = Command::new("node");
    node.arg(sources()?.join("test.mjs"))
        .arg(absolute(page)?)
        .arg(program)
        .arg(absolute(&target().join("debug/clc"))?)
        .arg(absolute(&page.join("screenshots"))?);
    if let Some(libraries) = libraries {
        node.env("CHROMIUM_LIBRARIES", libraries);
    }
    run(&mut node)
}

/// A browser: `$CHROMIUM`, or Debian's, unpacked; and where its libraries are.
fn chromium() -> Result<(PathBuf, Option<String>)> {
    if let Some(program) = std::env::var_os("CHROMIUM") {
        return Ok((PathBuf::from(program), None));
    }
    let folder = absolute(&target().join("chromium"))?;
    let program = folder.join("usr/lib/chromium/chromium");
    if !program.is_file() {
        println!("setup: Chromium, from Debian to {} (130 MB)", folder.display());
        setup::debian_with_dependencies(&["chromium"], &folder)?;
    }
    Ok((program, Some(toolchain::libraries(&folder))))
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).map_err(|error| format!("{}: {error}", path.display()))
}
