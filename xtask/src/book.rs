//! `cargo xtask book`: the guide in `docs/`. Every link leads somewhere, every kernel compiles or has the
//! error that it shows, every command runs; then mdBook makes pages of it.
//!
//! What is in a block says the word behind its fence, and what is expected of it the words behind that:
//!
//! | fence | expected |
//! |---|---|
//! | `opencl` and options | `clc` compiles it with these options |
//! | `opencl error=E0340` | it has that error; a block `text` right below has the message and is made anew by `--write` |
//! | `text` below `<!-- output of: COMMAND -->` | that command writes it; made anew by `--write` |
//! | `opencl file=k.cl` | the same, and the commands of the page find it under this name |
//! | `sh` | each line succeeds, in a folder with the repository's `examples/kernels` and the files of the page; a row in [`INSTEAD`] says what is run in its place |
//! | `sh in-tests` | `cargo xtask test` runs each line or a part of it: [`test::LINES`] says which step does |
//! | any language `same-as=FILE` | it is that file of the repository; made anew by `--write` |
//! | `clean-root` behind the language | `cargo xtask first-steps` runs or compares it |
//! | other languages | a row in [`ELSEWHERE`] says what tests them |
//!
//! No line is left out: what takes long or needs a device has a small form in [`INSTEAD`] or in the step of the tests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::first_steps::{self, IN_ROOT};
use crate::shell::{self, Result, create_dir, read, root, target, write};
use crate::{packages, setup, test, vulkan};

/// Where readers of the book find what is not in it.
const REPOSITORY: &str = "https://github.com/clc-project/clc/";

/// Pages whose blocks of a language something else tests, and what.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    ("README.md", "rust", "the examples"),
    ("README.md", "text", "a message, shortened"),
    ("README.md", "sh", "they are what `.ci/run` runs"),
    ("architecture.md", "text", "a picture"),
    ("c.md", "c", "crates/clc-capi/tests"),
    ("c.md", "cpp", "crates/clc-capi/tests"),
    ("cmake.md", "c", "cargo xtask packages"),
    ("cmake.md", "cmake", "cargo xtask packages"),
    ("cmake.md", "meson", "cargo xtask packages"),
    ("cmake.md", "opencl", "cargo xtask packages"),
    ("cmake.md", "sh", "cargo xtask packages"),
    ("diagnostics.md", "c", "tests/suite/gallery"),
    ("diagnostics.md", "text", "tests/suite/gallery"),
    ("editors.md", "elisp", "cargo xtask first-steps"),
    ("editors.md", "json", "cargo xtask first-steps; Zed's by `editors.rs`, for Zed cannot be had"),
    ("editors.md", "lua", "cargo xtask first-steps"),
    ("editors.md", "toml", "cargo xtask first-steps"),
    ("fuzzing.md", "text", "output, shortened"),
    ("getting-started.md", "lua", "cargo xtask first-steps"),
    ("getting-started.md", "python", "cargo xtask first-steps"),
    ("getting-started.md", "toml", "cargo xtask first-steps"),
    ("library.md", "rust", "a doctest of clc-compiler"),
    ("porting.md", "cuda", "nothing: it is what is ported"),
    ("python.md", "python", "crates/clc-python/tests"),
    ("python.md", "text", "crates/clc-python/tests"),
    ("rust.md", "c", "crates/clc-build/tests/page.rs"),
    ("rust.md", "rust", "crates/clc-build/tests/page.rs"),
    ("rust.md", "toml", "crates/clc-build/tests/page.rs"),
];

/// What is run in place of a line.
struct Instead {
    /// The first words of the line.
    begin: &'static str,
    /// Run in the folder of the page. `REST` is the rest of the line, `REPOSITORY` and `TARGET` are folders.
    line: &'static str,
    why: &'static str,
}

const INSTEAD: &[Instead] = &[
    Instead {
        begin: "cargo install --path ",
        line: "cd REPOSITORY && cargo install --quiet --locked --debug --root TARGET/book/installed --target-dir TARGET \
               --path REST",
        why: "as the tests are compiled",
    },
    Instead {
        begin: "cargo run --release --package clc-tests --bin clc-run-vulkan -- ",
        line: "clc-run-vulkan REST --values 4096 --every 65536",
        why: "on the driver for processors, which takes hours for all values",
    },
    Instead {
        begin: "cargo xtask bench",
        line: "cd REPOSITORY && cargo xtask benchREST --small",
        why: "once, with small sources and what the tests have compiled, alone where there is no clang-22",
    },
    Instead {
        begin: "cargo xtask oracle",
        line: "cd REPOSITORY && cargo xtask oracleREST --family pointers/convert",
        why: "the family of variations that convert pointers",
    },
    Instead {
        begin: "cargo xtask clang-tests",
        line: "cd REPOSITORY && cargo xtask clang-testsREST --sample",
        why: "clang's own are a download of 164 MB",
    },
    Instead {
        begin: "cargo xtask release --dry-run",
        line: "cd REPOSITORY && cargo xtask release --dry-runREST --quick",
        why: "compilations for it alone take the most of half an hour",
    },
    Instead {
        begin: "cargo xtask supply",
        line: "cd REPOSITORY && cargo xtask supplyREST",
        why: "of the repository",
    },
];

impl Instead {
    /// What is run instead of a line, and the rest of that.
    fn of(line: &str) -> Option<(&'static Instead, &str)> {
        INSTEAD.iter().find_map(|instead| Some((instead, line.strip_prefix(instead.begin)?)))
    }
}

/// Checks the guide; `write_docs` makes messages anew.
pub fn run(write_docs: bool) -> Result {
    let clc =
        std::path::absolute(shell::built()?.join("clc")).map_err(|error| error.to_string())?;
    let docs = root().join("docs");
    let mut problems = Vec::new();
    let listed = contents(&docs, &mut problems)?;
    let mut counts = Counts::default();
    let mut pages: Vec<PathBuf> = listed.iter().map(|name| docs.join(name)).collect();
    pages.push(root().join("README.md"));
    for path in &pages {
        let page = Page::read(path)?;
        page.links(&docs, &mut problems)?;
        page.blocks(&clc, write_docs, &mut counts, &mut problems)?;
    }
    for Instead { begin, line, why } in INSTEAD {
        println!("book: instead of `{begin}`: `{line}` ({why})");
    }
    for problem in &problems {
        eprintln!("book: {problem}");
    }
    if !problems.is_empty() {
        return Err(format!("{} problems in the guide", problems.len()));
    }
    println!(
        "book: {} pages, {} kernels compiled, {} refused as they say, {} commands run, {} by `cargo xtask first-steps`, \
         {} by other steps of the tests",
        pages.len(),
        counts.kernels,
        counts.refused,
        counts.commands,
        counts.in_roots,
        counts.in_tests,
    );
    pages_of(&docs)
}

/// The tool that makes pages of the guide, with which it was last looked at.
const MDBOOK: &str = "0.5.4";

/// Makes the pages, in `target/book/html`.
fn pages_of(docs: &Path) -> Result {
    let program = setup::program("mdbook", MDBOOK, &["--no-default-features"])?;
    let pages = std::path::absolute(target().join("book/html")).map_err(|e| e.to_string())?;
    let mut make = Command::new(program);
    make.arg("build").arg("--dest-dir").arg(&pages).arg(docs);
    let output = make.output().map_err(|error| format!("mdbook: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || said.contains("WARN") || said.contains("ERROR") {
        return Err(format!("mdbook: {said}"));
    }
    println!("book: {}", pages.join("index.html").display());
    Ok(())
}

#[derive(Default)]
struct Counts {
    kernels: usize,
    refused: usize,
    commands: usize,
    in_roots: usize,
    in_tests: usize,
}

/// The pages that `SUMMARY.md` lists: every page of the folder, each once.
fn contents(docs: &Path, problems: &mut Vec<String>) -> Result<Vec<String>> {
    let summary = read(&docs.join("SUMMARY.md"))?;
    let listed: Vec<String> =
        links(&summary).into_iter().map(|(_, target)| target.to_owned()).collect();
    let once: BTreeSet<&String> = listed.iter().collect();
    if once.len() != listed.len() {
        problems.push("SUMMARY.md lists a page twice".to_owned());
    }
    let entries =
        std::fs::read_dir(docs).map_err(|error| format!("{}: {error}", docs.display()))?;
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".md") && name != "SUMMARY.md" && !once.contains(&name) {
            problems.push(format!("SUMMARY.md does not list {name}"));
        }
    }
    Ok(listed)
}

/// A page of Markdown.
struct Page {
    path: PathBuf,
    name: String,
    text: String,
}

/// A fenced block of a page.
pub struct Block<'a> {
    /// The number of the line of its fence, from 1.
    pub line: usize,
    /// The heading of the second level that it stands below; empty if there is none.
    pub section: &'a str,
    pub language: &'a str,
    /// What stands behind the language.
    pub words: Vec<&'a str>,
    /// The command whose output it is.
    pub output_of: Option<&'a str>,
    pub text: &'a str,
    /// Where the text is in the page, in bytes.
    range: std::ops::Range<usize>,
}

impl Page {
    fn read(path: &Path) -> Result<Page> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Page { path: path.to_owned(), name, text: read(path)? })
    }

    /// Every link leads to a file, and to a heading of it.
    fn links(&self, docs: &Path, problems: &mut Vec<String>) -> Result {
        let folder = self.path.parent().unwrap_or(docs);
        let in_book = self.path.starts_with(docs);
        for (line, link) in links(&self.text) {
            if let Some(rest) = link.strip_prefix(REPOSITORY) {
                let path = rest.split_once("/main/").map_or(rest, |(_, path)| path);
                if !root().join(path).exists() {
                    problems.push(format!("{}:{line}: the repository has no {path}", self.name));
                }
                continue;
            }
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            if in_book && link.starts_with("../") {
                problems.push(format!("{}:{line}: {link} is not in the book", self.name));
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let path = if file.is_empty() { self.path.clone() } else { folder.join(file) };
            if !path.exists() {
                problems.push(format!("{}:{line}: there is no {file}", self.name));
            } else if !anchor.is_empty() && !anchors(&read(&path)?).contains(anchor) {
                problems.push(format!("{}:{line}: {file} has no heading #{anchor}", self.name));
            }
        }
        Ok(())
    }

    /// Compiles, runs and compares what is in the blocks.
    fn blocks(
        &self,
        clc: &Path,
        write_docs: bool,
        counts: &mut Counts,
        problems: &mut Vec<String>,
    ) -> Result {
        let folder = target().join("book/work").join(&self.name);
        let _ = std::fs::remove_dir_all(&folder);
        create_dir(&folder)?;
        packages::copy_folder(&root().join("examples/kernels"), &folder.join("examples/kernels"))?;
        let blocks = blocks(&self.text);
        let mut fresh = self.text.clone();
        let mut shift = 0isize;
        let mut last_message = None;
        for block in &blocks {
            let at = format!("{}:{}", self.name, block.line);
            let mut message: Option<String> = last_message.take();
            if let Some(line) = block.output_of {
                counts.commands += 1;
                match run_line(line, clc, &folder) {
                    Ok(output) => message = Some(output),
                    Err(said) => problems.push(format!("{at}: `{line}`: {said}")),
                }
            }
            let copy_of = block.words.iter().find_map(|word| word.strip_prefix("same-as="));
            if let Some(file) = copy_of {
                message = Some(read(&root().join(file))?);
            } else if block.words.contains(&IN_ROOT) {
                counts.in_roots += block.text.lines().filter(|line| is_command(line)).count();
                if !first_steps::covers(&self.name, block.section) {
                    problems.push(format!("{at}: `cargo xtask first-steps` has no such section"));
                }
                continue;
            }
            match block.language {
                language if message.is_none() && elsewhere(&self.name, language) => {}
                "opencl" => {
                    let kernel = Kernel::of(block);
                    match kernel.compile(clc, &folder, block.text)? {
                        Ok(()) if kernel.error.is_none() => counts.kernels += 1,
                        Ok(()) => problems.push(format!("{at}: it compiles")),
                        Err(said) if kernel.error.is_some_and(|code| said.contains(code)) => {
                            counts.refused += 1;
                            last_message = Some(said);
                        }
                        Err(said) => problems.push(format!("{at}: {said}")),
                    }
                }
                language if message.is_some() && (language == "text" || copy_of.is_some()) => {
                    let message = message.unwrap_or_default();
                    if block.text == message {
                        continue;
                    }
                    if !write_docs {
                        problems.push(format!("{at}: out of date: `cargo xtask book --write`"));
                        continue;
                    }
                    let start = (block.range.start as isize + shift) as usize;
                    let end = (block.range.end as isize + shift) as usize;
                    fresh.replace_range(start..end, &message);
                    shift += message.len() as isize - block.text.len() as isize;
                }
                "sh" if block.words.contains(&"in-tests") => {
                    for line in block.text.lines().filter(|line| is_command(line)) {
                        counts.in_tests += 1;
                        if !test::LINES.iter().any(|(known, _)| *known == without_remark(line)) {
                            problems.push(format!("{at}: `cargo xtask test` runs no `{line}`"));
                        }
                    }
                }
                "sh" => {
                    for line in block.text.lines().filter(|line| is_command(line)) {
                        counts.commands += 1;
                        if let Err(said) = run_line(line, clc, &folder) {
                            problems.push(format!("{at}: `{line}`: {said}"));
                        }
                    }
                }
                language => problems.push(format!("{at}: nothing tests blocks of `{language}`")),
            }
        }
        if fresh != self.text { write(&self.path, &fresh) } else { Ok(()) }
    }
}

fn elsewhere(page: &str, language: &str) -> bool {
    ELSEWHERE.iter().any(|(name, known, _)| *name == page && *known == language)
}

pub fn is_command(line: &str) -> bool {
    !line.trim().is_empty() && !line.starts_with('#')
}

/// A line without what it says to people.
fn without_remark(line: &str) -> &str {
    line.split_once(" # ").map_or(line, |(command, _)| command).trim_end()
}

/// How a block of OpenCL C is compiled.
struct Kernel<'a> {
    file: &'a str,
    error: Option<&'a str>,
    options: Vec<&'a str>,
}

impl<'a> Kernel<'a> {
    fn of(block: &Block<'a>) -> Kernel<'a> {
        let mut kernel = Kernel { file: "k.cl", error: None, options: Vec::new() };
        for word in &block.words {
            match word.split_once('=') {
                Some(("file", name)) => kernel.file = name,
                Some(("error", code)) => kernel.error = Some(code),
                _ => kernel.options.push(word),
            }
        }
        kernel
    }

    /// What the compiler says, if it refuses.
    fn compile(
        &self,
        clc: &Path,
        folder: &Path,
        text: &str,
    ) -> Result<std::result::Result<(), String>> {
        write(&folder.join(self.file), text)?;
        let mut command = Command::new(clc);
        command.current_dir(folder).args(&self.options).args([self.file, "-o", "block.spv"]);
        let output = command.output().map_err(|error| format!("{}: {error}", clc.display()))?;
        match output.status.success() {
            true => Ok(Ok(())),
            false => Ok(Err(String::from_utf8_lossy(&output.stderr).into_owned())),
        }
    }
}

/// Runs a line by the shell: its output, or what it says if it fails.
fn run_line(line: &str, clc: &Path, folder: &Path) -> std::result::Result<String, String> {
    let line = instead(line)?;
    let programs = clc.parent().unwrap_or(folder);
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("sh");
    command.args(["-c", &line]).current_dir(folder);
    if let Ok(driver) = vulkan::driver() {
        vulkan::configure(&mut command, &driver);
    }
    // Help is as wide as the terminal.
    command.env("PATH", format!("{}:{path}", programs.display())).env("COLUMNS", "100");
    let output = command.output().map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// The line, or what is run instead of it.
fn instead(line: &str) -> Result<String> {
    let Some((instead, rest)) = Instead::of(line) else { return Ok(line.to_owned()) };
    let target = std::path::absolute(target()).map_err(|error| error.to_string())?;
    Ok(instead
        .line
        .replace("REST", rest)
        .replace("REPOSITORY", &root().display().to_string())
        .replace("TARGET", &target.display().to_string()))
}

/// The fenced blocks of a page, also of those in lists.
pub fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let mut open: Option<(usize, &str, usize)> = None;
    let mut offset = 0;
    let mut output_of = None;
    let mut section = "";
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let start = offset;
        offset += line.len();
        let Some(info) = line.trim().strip_prefix("```") else {
            let comment = line.trim().strip_prefix("<!-- output of: ");
            if open.is_none()
                && let Some(heading) = line.strip_prefix("## ")
            {
                section = heading.trim_end();
            }
            if open.is_none() && !line.trim().is_empty() {
                output_of = comment.and_then(|rest| rest.strip_suffix(" -->"));
            }
            continue;
        };
        match open.take() {
            None => open = Some((number + 1, info, offset)),
            Some((line, info, begin)) => {
                let mut words = info.split_whitespace();
                found.push(Block {
                    line,
                    section,
                    language: words.next().unwrap_or(""),
                    words: words.collect(),
                    output_of: output_of.take(),
                    text: &text[begin..start],
                    range: begin..start,
                });
            }
        }
    }
    found
}

/// The targets of inline links and pictures, with the numbers of their lines; none in code.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut in_block = false;
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        }
        if in_block {
            continue;
        }
        // What is between single backquotes is code.
        for (part, piece) in line.split('`').enumerate() {
            // A link's text may be code: `[`k`](target)` ends behind it.
            let starts = piece.match_indices("](").filter(|_| part % 2 == 0);
            for (at, _) in starts {
                if let Some((target, _)) = piece[at + 2..].split_once(')') {
                    found.push((number + 1, target));
                }
            }
        }
    }
    found
}

/// The anchors of the headings of a page, as mdBook and GitHub make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut in_block = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        }
        let title = line.trim_start_matches('#');
        if in_block || title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let anchor: String = title
            .trim()
            .chars()
            .filter_map(|c| match c {
                ' ' | '-' => Some('-'),
                '_' => Some('_'),
                c if c.is_alphanumeric() => Some(c.to_ascii_lowercase()),
                _ => None,
            })
            .collect();
        found.insert(anchor);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_outside_of_code_only() {
        let text = "[a](x.md) and `[b](y.md)`, [`c`](z.md#d)\n```\n[e](no.md)\n```\n![f](g.svg)\n";
        assert_eq!(links(text), [(1, "x.md"), (1, "z.md#d"), (5, "g.svg")]);
    }

    #[test]
    fn headings_have_the_anchors_of_mdbook() {
        let text = "# One, two\n## `clc` and_so-on\n```\n# no\n```\n#no\n";
        let expected = ["clc-and_so-on", "one-two"].map(str::to_owned);
        assert_eq!(anchors(text), expected.into());
    }

    #[test]
    fn blocks_have_a_language_and_words() {
        let text = "a\n\n  ```opencl error=E0001 -DX\nkernel\n  ```\n";
        let found = blocks(text);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].line, found[0].language, found[0].text), (3, "opencl", "kernel\n"));
        assert_eq!(found[0].words, ["error=E0001", "-DX"]);
    }

    #[test]
    fn blocks_know_their_section() {
        let text = "```sh\na\n```\n## One two\n```sh\n## no heading\n```\n```sh\nb\n```\n";
        let found = blocks(text);
        let known: Vec<_> = found.iter().map(|block| block.section).collect();
        assert_eq!(known, ["", "One two", "One two"]);
    }
}
