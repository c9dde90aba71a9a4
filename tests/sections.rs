//! Runs the cases of `sections/*.txt`: what each section of the specification allows and forbids,
//! in each version of the language.
//!
//! ```text
//! === 6.5.13 the pointee of void is no object
//! accepts 1.0-1.2 3.0
//! rejects 2.0-3.1 E0428
//! options -cl-ext=-all
//! ---
//! source
//! ```
//!
//! Accepted sources are compiled to a module that is valid; rejected ones have that error first.
//! Several lines of a kind, and versions apart from each other, are allowed. `cargo xtask tidy`
//! makes `docs/language-support.md` of the heads of these cases.

use std::path::Path;
use std::process::ExitCode;

use clc::Emit;
use clc::cli::Request;
use libtest_mimic::{Arguments, Failed, Trial};

const VERSIONS: [&str; 6] = ["1.0", "1.1", "1.2", "2.0", "3.0", "3.1"];

struct Case {
    /// A version, and the code of the error in it if there must be one.
    outcomes: Vec<(&'static str, Option<String>)>,
    options: Vec<String>,
    source: String,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sections");
    let mut trials = Vec::new();
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder of cases")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.file_name()
                .is_some_and(|name| name != "sections.txt" && name != "not_executed.txt")
        })
        .collect();
    files.sort();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a file of cases");
        let text = format!("\n{text}");
        for case in text.split("\n=== ").skip(1) {
            let (title, rest) = case.split_once('\n').unwrap_or((case, ""));
            let rest = rest.to_owned();
            trials.push(Trial::test(title.to_owned(), move || run(&parse(&rest)?)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn parse(text: &str) -> Result<Case, String> {
    let (head, source) = text.split_once("\n---\n").ok_or("no `---`")?;
    let mut case = Case { outcomes: Vec::new(), options: Vec::new(), source: source.to_owned() };
    for line in head.lines() {
        let (word, rest) = line.split_once(' ').ok_or("a line of one word")?;
        let mut words: Vec<&str> = rest.split_whitespace().collect();
        let code = match word {
            "accepts" => None,
            "rejects" => Some(words.pop().ok_or("no code")?.to_owned()),
            "options" => {
                case.options.extend(words.iter().map(|&word| word.to_owned()));
                continue;
            }
            _ => return Err(format!("`{word}` is not known")),
        };
        for range in words {
            for version in versions(range)? {
                case.outcomes.push((version, code.clone()));
            }
        }
    }
    if case.outcomes.is_empty() { Err("nothing is expected".to_owned()) } else { Ok(case) }
}

/// `1.2-3.0`, or one version, or `all`.
fn versions(range: &str) -> Result<&'static [&'static str], String> {
    if range == "all" {
        return Ok(&VERSIONS);
    }
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let index = |wanted: &str| {
        VERSIONS
            .iter()
            .position(|&version| version == wanted)
            .ok_or_else(|| format!("`{wanted}` is not a version"))
    };
    Ok(&VERSIONS[index(first)?..=index(last)?])
}

fn run(case: &Case) -> Result<(), Failed> {
    let mut complaints = String::new();
    for (version, code) in &case.outcomes {
        let mut words = vec![format!("-cl-std=CL{version}")];
        words.extend(case.options.iter().cloned());
        let Request { options, mut resolver, .. } = Request::of_options(&words)?;
        let compilation =
            clc::compile("case.cl", case.source.as_bytes(), Emit::Spirv, &options, &mut resolver);
        if let Some(error) = &compilation.internal_error {
            complaints.push_str(&format!("{version}: internal error: {}\n", error.message));
            continue;
        }
        let error = compilation.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
        let found = error.map(|error| error.code.id);
        if found != code.as_deref() {
            let text = error.map_or("no error".to_owned(), |error| {
                format!("{} {}", error.code.id, error.message)
            });
            let wanted = code.as_deref().unwrap_or("no error");
            complaints.push_str(&format!("{version}: {text}, expected {wanted}\n"));
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.into()) }
}
