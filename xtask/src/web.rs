//! `cargo xtask web`: the playground, a page that compiles in the browser, and its test.

mod toolchain;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::setup;
use crate::shell::{self, Result, absolute, cargo, create_dir, root, run, target};

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

/// The profile of the workspace for tests.
const QUICK: &str = "web-quick";

/// The compiler.
const MODULE: &str = "clc.wasm";

/// What the page is made of besides: where it lies in the sources, and its name in the page.
const BUILT: &[(&str, &str)] = &[
    ("out/main.js", "main.js"),
    ("out/start.js", "start.js"),
    ("out/worker.js", "worker.js"),
    ("out/licences.txt", "licences.txt"),
    ("index.html", "index.html"),
    ("style.css", "style.css"),
];

pub fn command(arguments: &[&str]) -> Result {
    match arguments {
        [] => page().map(drop),
        ["--test"] => test(&page()?),
        _ => Err(format!("`cargo xtask web` has the option `--test` alone, not {arguments:?}")),
    }
}

/// Builds the page, and says how large it is; the folder to host.
pub fn page() -> Result<PathBuf> {
    let page = build(&toolchain::compile("web")?, &target().join("web"))?;
    let mut sizes = Command::new("node");
    sizes.arg(sources()?.join("sizes.mjs")).arg(&page).arg(MODULE);
    sizes.args(BUILT.iter().map(|(_, name)| name));
    run(&mut sizes)?;
    println!("{}", page.display());
    Ok(page)
}

/// The same with a compiler that is large and slow, and was made quickly.
pub fn page_for_tests() -> Result<PathBuf> {
    build(&toolchain::compile(QUICK)?, &target().join("web-of-tests"))
}

/// Begins to compile that one. What may go wrong is said when [`page_for_tests`] asks for it.
pub fn begin_page_for_tests() -> Result<Child> {
    let mut command = toolchain::command(QUICK)?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map_err(|error| format!("cargo: {error}"))
}

/// Why nothing can be made for browsers here, if it cannot.
pub fn missing() -> Option<String> {
    let has_npm = shell::succeeds(Command::new("npm").arg("--version"));
    (!has_npm).then(|| "npm is not installed".to_owned())
}

fn build(module: &Path, page: &Path) -> Result<PathBuf> {
    let sources = sources()?;
    npm(&sources, &["run", "--silent", "build"])?;
    let _ = std::fs::remove_dir_all(page);
    create_dir(page)?;
    let built = BUILT.iter().map(|(file, name)| (sources.join(file), *name));
    for (from, name) in built.chain([(module.to_owned(), MODULE)]) {
        let to = page.join(name);
        std::fs::copy(&from, &to).map_err(|error| format!("{}: {error}", from.display()))?;
    }
    Ok(page.to_owned())
}

/// A copy of the sources of the page with the packages that its lock file names. Playwright is one of them,
/// by which programs drive a browser.
pub fn sources() -> Result<PathBuf> {
    let folder = absolute(&target().join("web-sources"))?;
    for file in FILES {
        let text = shell::read(&root().join("docs/playground").join(file))?;
        shell::write(&folder.join(file), &text)?;
    }
    npm_packages(&folder)?;
    Ok(folder)
}

/// Installs in `folder` the packages that its lock file names.
pub fn npm_packages(folder: &Path) -> Result {
    let (lock, installed) =
        (folder.join("package-lock.json"), folder.join("node_modules/.installed"));
    let wanted = shell::read(&lock)?;
    if shell::read(&installed).ok().as_ref() != Some(&wanted) {
        // No package has to run anything to be installed.
        npm(folder, &["ci", "--ignore-scripts", "--no-audit", "--no-fund"])?;
        shell::write(&installed, &wanted)?;
    }
    Ok(())
}

pub fn npm(folder: &Path, arguments: &[&str]) -> Result {
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
        .arg(absolute(&target().join("web-screenshots"))?);
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
