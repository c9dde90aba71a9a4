//! `cargo xtask first-steps`: sections of the guide, each gone through in a root of its own that holds a minimal
//! Debian and nothing of this machine.
//!
//! | fence | what is done |
//! |---|---|
//! | `LANGUAGE file=PATH` | it is written, from the folder that the lines before are in |
//! | `sh`, `sh clean-root` | its lines run, one after the other, in one shell for all of the section |
//! | `text clean-root` | that is what the line above it writes; `…` stands for anything, and alone for any lines |
//! | `text` below `<!-- output of: COMMAND -->` | that command writes it |
//!
//! What stands above the first section belongs to each.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::book;
use crate::clean_root::root::{Root, STABLE};
use crate::shell::{self, Result, read, root, target, write};
use crate::{dist, editors, python, test, web};

/// The word behind the fence of what is only for this.
pub const IN_ROOT: &str = "clean-root";

/// A section of the guide.
struct Path {
    name: &'static str,
    page: &'static str,
    /// The heading of the section.
    section: &'static str,
    /// The path that comes first: this one begins in what that one left.
    after: Option<&'static str>,
    with: With,
    /// What the section tells in words, as a command. `/mnt/told` is the folder `first_steps`.
    told: Option<&'static str>,
    /// The release of Debian.
    release: &'static str,
}

/// What of the machine is there besides what all have.
#[derive(PartialEq, Eq)]
enum With {
    Nothing,
    /// Its Rust, and what cargo has downloaded and compiled for it.
    Rust,
    /// The archive of the playground, and `/mnt/driver` to drive a browser by.
    Playground,
    /// `/mnt/code`, a VS Code without a window, its extension, and `/mnt/driver`.
    VisualStudioCode,
}

impl With {
    /// Why it cannot be had here, if it cannot.
    fn missing(&self) -> Option<String> {
        match self {
            With::Nothing | With::Rust => None,
            With::Playground | With::VisualStudioCode => web::missing(),
        }
    }
}

/// What is not gone through for want of something, and of what.
pub fn missing() -> Vec<String> {
    let missing = |path: &Path| Some(format!("{}: {}", path.section, path.with.missing()?));
    PATHS.iter().filter_map(missing).collect()
}

const PATH: Path = Path {
    name: "",
    page: "getting-started.md",
    section: "",
    after: None,
    with: With::Nothing,
    told: None,
    release: STABLE,
};

const INSTALLATION: Path = Path {
    page: "installation.md",
    told: Some(
        "echo 'kernel void k(global int *p) { *p = 1; }' > k.cl && clc k.cl && clc inspect k.spv",
    ),
    ..PATH
};

const PATHS: &[Path] = &[
    Path { name: "opencl", section: "A driver of OpenCL", ..PATH },
    Path { name: "vulkan", section: "A driver of Vulkan", ..PATH },
    Path { name: "command", section: "The command", after: Some("opencl"), ..PATH },
    Path {
        name: "rust-opencl3",
        section: "Rust with opencl3",
        after: Some("opencl"),
        with: With::Rust,
        ..PATH
    },
    Path {
        name: "rust-ash",
        section: "Rust with ash",
        after: Some("vulkan"),
        with: With::Rust,
        ..PATH
    },
    Path { name: "cmake", section: "C with CMake", after: Some("opencl"), ..PATH },
    Path { name: "python", section: "Python with pyopencl", after: Some("opencl"), ..PATH },
    Path { name: "editor", section: "An editor", told: Some("sh /mnt/told/neovim.sh"), ..PATH },
    Path {
        name: "browser",
        section: "The browser",
        with: With::Playground,
        told: Some(
            "sh /mnt/told/archive.sh && clc --target-env=opencl3.0 -cl-std=CL2.0 saxpy.cl && cmp saxpy.spv kernel.spv \
             && node /mnt/driver/test.mjs clc-0.1.0-playground /usr/bin/chromium /usr/local/bin/clc",
        ),
        ..PATH
    },
    Path { name: "archive", section: "The archive", ..INSTALLATION },
    Path {
        name: "completions",
        section: "Completions and the manual",
        after: Some("archive"),
        told: Some(
            "bash -n ~/.local/share/bash-completion/completions/clc && grep -q inspect ~/.zfunc/_clc",
        ),
        ..INSTALLATION
    },
    Path { name: "debian", section: "Debian packages", ..INSTALLATION },
    Path { name: "wheel", section: "Python", ..INSTALLATION },
    Path {
        name: "project",
        page: "editors.md",
        section: "Options of a project",
        told: Some("sh /mnt/told/archive.sh && sh /mnt/told/project.sh"),
        ..PATH
    },
    Path {
        name: "vscode",
        page: "editors.md",
        section: "Visual Studio Code",
        after: Some("browser"),
        with: With::VisualStudioCode,
        told: Some("cp /mnt/told/wrong.cl . && node /mnt/told/vscode.mjs"),
        ..PATH
    },
    Path {
        name: "neovim",
        page: "editors.md",
        section: "Neovim",
        told: Some("sh /mnt/told/archive.sh && apt-get install neovim && sh /mnt/told/neovim.sh"),
        // The first with Neovim 0.11 or later.
        release: "forky",
        ..PATH
    },
    Path {
        name: "emacs",
        page: "editors.md",
        section: "Emacs",
        told: Some("sh /mnt/told/archive.sh && sh /mnt/told/emacs.sh"),
        ..PATH
    },
    Path {
        name: "helix",
        page: "editors.md",
        section: "Helix",
        told: Some("sh /mnt/told/archive.sh && sh /mnt/told/helix.sh"),
        ..PATH
    },
];

/// Lines whose first words are these run otherwise: what they name is not there, or not yet. `REST` is the rest of
/// the line, `PORT` a port that is free.
const INSTEAD: &[(&str, &str, &str)] = &[
    (
        "curl -LO https://github.com/clc-project/clc/releases/download/v0.1.0/",
        "cp /mnt/dist/REST .",
        "nothing is released: the archive that the tests have made",
    ),
    (
        "git clone https://github.com/clc-project/clc",
        "ln -s REPOSITORY clc",
        "the checkout itself, with what has not been committed",
    ),
    (
        "pip install clc-compiler",
        "PIP_FIND_LINKS=/mnt/dist pip install clc-compilerREST",
        "nothing is on PyPI: the wheel that the tests have made",
    ),
    (
        "python3 -m http.server --directory clc-0.1.0-playground 8000",
        "python3 -m http.server --directory clc-0.1.0-playground PORTREST",
        "others may use that port of the machine",
    ),
    (
        "chromium http://localhost:8000/",
        "apt-get install --no-install-recommends nodejs && node /mnt/told/playground.mjs http://localhost:PORT/REST",
        "a program does there what the page asks of the reader",
    ),
    (
        "code ",
        "node /mnt/code/out/server-main.js --accept-server-license-terms --server-data-dir ~/vscode REST",
        "VS Code is in no Debian: that of code-server, from npm",
    ),
    (
        "cargo new saxpy",
        "cargo new saxpy && cp REPOSITORY/examples/saxpy-opencl3/Cargo.lock saxpy/ \
         && install -D /mnt/notes/unpublished.toml saxpy/.cargo/config.toml",
        "clc-build is not on crates.io: that of the checkout, and of others the versions that it was tested with",
    ),
];

/// As long as one may take, with what comes before it.
const LIMIT: Duration = Duration::from_secs(5 * 60);

/// Whether this is gone through here.
pub fn covers(page: &str, section: &str) -> bool {
    PATHS.iter().any(|path| path.page == page && path.section == section)
}

/// Goes these ways, or all.
pub fn run(names: &[&str]) -> Result {
    if let Some(name) = names.iter().find(|name| !PATHS.iter().any(|path| path.name == **name)) {
        let known: Vec<&str> = PATHS.iter().map(|path| path.name).collect();
        return Err(format!("no path is called `{name}`; there are {}", known.join(", ")));
    }
    for (line, instead, reason) in INSTEAD {
        println!("instead of `{line}`: `{instead}` ({reason})");
    }
    let work = Work::new()?;
    let mut gone: Vec<Gone> = Vec::new();
    let mut failures = Vec::new();
    for (index, path) in PATHS.iter().enumerate() {
        gone = remove_all_but_those_for(&PATHS[index..], gone)?;
        if !names.is_empty() && !names.iter().any(|name| *name == path.name || needs(name, path)) {
            continue;
        }
        if let Some(reason) = path.with.missing() {
            println!("{}: NOT TESTED: {reason}", path.name);
            continue;
        }
        let before = path.after.map(|name| gone.iter().find(|(path, ..)| path.name == name));
        let before = match before {
            Some(None) => {
                println!("{}: what comes before it failed", path.name);
                continue;
            }
            Some(Some((_, root, took))) => Some((root, *took)),
            None => None,
        };
        match work.go(path, before.map(|(root, _)| root)) {
            Ok((root, lines)) => {
                let took = lines + before.map_or(Duration::ZERO, |(_, took)| took);
                println!("{}: {} s", path.name, took.as_secs());
                if took > LIMIT {
                    failures.push(format!("{} takes longer than five minutes", path.name));
                }
                gone.push((path, root, took));
            }
            Err(error) => {
                eprintln!("first-steps: {}: {error}", path.name);
                failures.push(path.name.to_owned());
            }
        }
    }
    remove_all_but_those_for(&[], gone)?;
    if failures.is_empty() { Ok(()) } else { Err(failures.join(", ")) }
}

/// A path, its root, and how long its lines took with those before it.
type Gone = (&'static Path, Root, Duration);

/// The roots that these paths begin in; the others go.
fn remove_all_but_those_for(paths: &[Path], gone: Vec<Gone>) -> Result<Vec<Gone>> {
    let (kept, done): (Vec<Gone>, Vec<Gone>) =
        gone.into_iter().partition(|(path, ..)| paths.iter().any(|later| later.goes_on(path.name)));
    done.into_iter().try_for_each(|(_, root, _)| root.remove())?;
    Ok(kept)
}

impl Path {
    /// Whether it begins where the path of this name ends, or where one ends that does.
    fn goes_on(&self, name: &str) -> bool {
        self.after.is_some_and(|before| {
            before == name || PATHS.iter().any(|path| path.name == before && path.goes_on(name))
        })
    }
}

/// Whether the path of this name begins where `path` ends.
fn needs(name: &str, path: &Path) -> bool {
    PATHS.iter().any(|other| other.name == name && other.after == Some(path.name))
}

/// What is brought to the roots.
struct Work {
    /// Where the archive, the Debian packages and the wheel are.
    dist: PathBuf,
}

impl Work {
    fn new() -> Result<Work> {
        let made = dist::archives_for_tests()?;
        let dist = made.archive.parent().ok_or("the archive has no folder")?.to_owned();
        python::wheel_for_tests(&dist)?;
        Ok(Work { dist })
    }

    /// The root as the path leaves it, and how long its lines took.
    fn go(&self, path: &Path, before: Option<&Root>) -> Result<(Root, Duration)> {
        let mut inside = match before {
            Some(root) => root.another(path.name, path.release)?,
            None => Root::new(path.name, path.release)?,
        };
        let notes = inside.notes()?;
        inside.mount(&self.dist, "mnt/dist", false)?;
        inside.mount(&notes, "mnt/notes", true)?;
        inside.mount(&root().join("xtask/src/first_steps"), "mnt/told", false)?;
        inside.mount_in_place(&root(), false)?;
        match path.with {
            With::Nothing => {}
            With::Rust => rust(&mut inside, &notes)?,
            With::Playground => {
                dist::playground_for_tests(&self.dist)?;
                inside.mount(&web::sources()?, "mnt/driver", false)?;
            }
            With::VisualStudioCode => {
                dist::extension_for_tests(&self.dist)?;
                inside.mount(&web::sources()?, "mnt/driver", false)?;
                inside.mount(&editors::visual_studio_code()?, "mnt/code", false)?;
            }
        }
        let page = read(&root().join("docs").join(path.page))?;
        let steps = steps(&page, path.section)?;
        write(&notes.join("script"), &script(&steps, path.told, &notes)?)?;
        let limit = LIMIT.as_secs().to_string();
        let mut bash = inside.command(&["timeout", &limit, "/bin/bash", "-e", "/mnt/notes/script"]);
        let start = Instant::now();
        let is_done = shell::succeeds(&mut bash);
        let took = start.elapsed();
        if !is_done {
            let log = notes.join("log");
            let said = read(&log)?;
            let lines: Vec<&str> = said.lines().collect();
            let end = lines[lines.len().saturating_sub(40)..].join("\n");
            return Err(format!("{}\n{end}", log.display()));
        }
        for (number, step) in steps.iter().enumerate() {
            if let Some((line, text)) = step.shown() {
                let shown = read(&notes.join(format!("{number}.out")))?;
                if !fits(text, &shown) {
                    return Err(format!("`{line}` writes\n{shown}and the guide says\n{text}"));
                }
            }
        }
        Ok((inside, took))
    }
}

/// The machine's Rust in place of one from rustup, with the crates that were downloaded, and what was compiled of
/// them: all in the same places as outside, for cargo knows what it has compiled by its path.
fn rust(inside: &mut Root, notes: &std::path::Path) -> Result {
    let sysroot = shell::output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let sysroot = sysroot.trim();
    inside.mount_in_place(std::path::Path::new(sysroot), false)?;
    inside.set("PATH", &format!("{sysroot}/bin:$PATH"));
    let home =
        std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| home + "/.cargo"));
    let registry = PathBuf::from(home.map_err(|error| error.to_string())?).join("registry");
    shell::create_dir(&registry)?;
    inside.mount(&registry, "root/.cargo/registry", true)?;
    let compiled =
        std::path::absolute(target().join("examples")).map_err(|error| error.to_string())?;
    shell::create_dir(&compiled)?;
    inside.mount_in_place(&compiled, true)?;
    inside.set("CARGO_TARGET_DIR", &compiled.display().to_string());
    for (name, value) in test::EXAMPLES {
        inside.set(name, value);
    }
    let crates = root().join("crates/clc-build");
    let patch = format!("[patch.crates-io]\nclc-build = {{ path = \"{}\" }}\n", crates.display());
    write(&notes.join("unpublished.toml"), &patch)
}

/// What a block of a section asks for.
enum Step<'a> {
    File {
        path: &'a str,
        text: &'a str,
    },
    /// Lines, and what the last of them writes, if the page says it.
    Run {
        lines: Vec<String>,
        shown: Option<&'a str>,
    },
    Output {
        command: &'a str,
        shown: &'a str,
    },
}

impl Step<'_> {
    /// A command and what it writes.
    fn shown(&self) -> Option<(&str, &str)> {
        match self {
            Step::File { .. } => None,
            Step::Run { lines, shown } => Some((lines.last()?, (*shown)?)),
            Step::Output { command, shown } => Some((command, shown)),
        }
    }
}

/// The steps of a section, after the files that stand above all sections.
fn steps<'a>(page: &'a str, section: &str) -> Result<Vec<Step<'a>>> {
    let mut steps = Vec::new();
    let mut found = false;
    for block in book::blocks(page) {
        let own = block.section == section;
        found |= own;
        let file = block.words.iter().find_map(|word| word.strip_prefix("file="));
        let in_root = block.words.contains(&IN_ROOT);
        match (block.language, file) {
            (_, Some(path)) if own || block.section.is_empty() => {
                steps.push(Step::File { path, text: block.text });
            }
            _ if !own => {}
            ("sh", _) if in_root || block.words.is_empty() => {
                steps.push(Step::Run { lines: lines(block.text), shown: None });
            }
            ("text", _) if in_root => match steps.last_mut() {
                Some(Step::Run { shown, .. }) => *shown = Some(block.text),
                _ => return Err(format!("line {}: no command above writes this", block.line)),
            },
            ("text", _) => {
                if let Some(command) = block.output_of {
                    steps.push(Step::Output { command, shown: block.text });
                }
            }
            _ => {}
        }
    }
    match found {
        true => Ok(steps),
        false => Err(format!("the page has no section `{section}` with blocks")),
    }
}

/// The commands of a block: a line that ends in a backslash goes on.
fn lines(text: &str) -> Vec<String> {
    text.replace("\\\n", "\\\0")
        .lines()
        .filter(|line| book::is_command(line))
        .map(|line| line.replace('\0', "\n"))
        .collect()
}

/// What bash runs: each line is shown before it, and what the guide shows of it goes to a file.
fn script(steps: &[Step], told: Option<&str>, notes: &std::path::Path) -> Result<String> {
    // What the page leaves in the background ends with the script.
    let mut script = String::from(
        "exec > /mnt/notes/log 2>&1\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n",
    );
    let mut run = |line: &str, shown_in: Option<usize>| {
        script.push_str(&format!("printf '$ %s\\n' {}\n", quoted(line)));
        let line = instead(line);
        match shown_in {
            Some(number) => script.push_str(&format!(
                "{{ {line}\n}} > /mnt/notes/{number}.out\ncat /mnt/notes/{number}.out\n"
            )),
            None => script.push_str(&format!("{line}\n")),
        }
    };
    for (number, step) in steps.iter().enumerate() {
        match step {
            Step::File { path, text } => {
                write(&notes.join(number.to_string()), text)?;
                run(&format!("install -D -m 644 /mnt/notes/{number} {path}"), None);
            }
            Step::Run { lines, shown } => {
                for (at, line) in lines.iter().enumerate() {
                    let is_last = at + 1 == lines.len();
                    run(line, (shown.is_some() && is_last).then_some(number));
                }
            }
            Step::Output { command, .. } => run(command, Some(number)),
        }
    }
    if let Some(command) = told {
        run(command, None);
    }
    Ok(script)
}

/// The line, or what is run instead of it.
fn instead(line: &str) -> String {
    let found =
        INSTEAD.iter().find_map(|(begin, instead, _)| Some((line.strip_prefix(begin)?, instead)));
    match found {
        Some((rest, instead)) => instead
            .replace("REST", rest)
            .replace("REPOSITORY", &root().display().to_string())
            .replace("PORT", &free_port().to_string()),
        None => line.to_owned(),
    }
}

/// A port that nothing on the machine listened to when this was first asked.
fn free_port() -> u16 {
    static PORT: OnceLock<u16> = OnceLock::new();
    *PORT.get_or_init(|| {
        let socket = TcpListener::bind(("127.0.0.1", 0));
        socket.and_then(|socket| socket.local_addr()).map_or(8000, |address| address.port())
    })
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Whether a command has written what the guide shows.
fn fits(guide: &str, shown: &str) -> bool {
    let guide: Vec<&str> = guide.lines().map(str::trim_end).collect();
    let shown: Vec<&str> = shown.lines().map(str::trim_end).collect();
    parts_fit(
        &guide,
        &shown,
        |&line| line == "…",
        |guide, shown| {
            let [guide, shown] = [guide, shown].map(|line| line.chars().collect::<Vec<char>>());
            parts_fit(&guide, &shown, |&part| part == '…', |a, b| a == b)
        },
    )
}

/// Whether `shown` is `pattern`, in which some parts stand for any number of parts.
fn parts_fit<T>(
    pattern: &[T],
    shown: &[T],
    is_any: impl Fn(&T) -> bool,
    same: impl Fn(&T, &T) -> bool,
) -> bool {
    // Which beginnings of the pattern fit the parts of `shown` so far.
    let mut fit = vec![false; pattern.len() + 1];
    fit[0] = true;
    let skip = |fit: &mut Vec<bool>| {
        for (at, part) in pattern.iter().enumerate() {
            fit[at + 1] |= fit[at] && is_any(part);
        }
    };
    skip(&mut fit);
    for part in shown {
        let mut next = vec![false; pattern.len() + 1];
        for (at, wanted) in pattern.iter().enumerate() {
            next[at + 1] = if is_any(wanted) { fit[at + 1] } else { fit[at] && same(wanted, part) };
        }
        fit = next;
        skip(&mut fit);
    }
    fit[pattern.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_stand_for_what_differs() {
        assert!(fits("a … c\n", "a b c\n"));
        assert!(fits("…: … bytes\nend\n", "AMD: 7 bytes\nend\n"));
        assert!(fits("begin\n…\nend\n", "begin\nx\ny\nend\n"));
        assert!(fits("begin\n…\nend\n", "begin\nend\n"));
        assert!(!fits("begin\n…\nend\n", "begin\nx\n"));
        assert!(!fits("a … c\n", "a b d\n"));
        assert!(!fits("a\n", "a\nb\n"));
    }

    #[test]
    fn a_line_goes_on_behind_a_backslash() {
        assert_eq!(lines("# no\na \\\n  b\nc\n"), ["a \\\n  b", "c"]);
    }

    #[test]
    fn every_path_has_its_section() {
        for path in PATHS {
            let page = read(&root().join("docs").join(path.page)).unwrap();
            assert!(steps(&page, path.section).is_ok(), "{}", path.name);
        }
    }
}
