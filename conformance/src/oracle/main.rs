//! Legality, compared with a second opinion: thousands of small translation units are checked by
//! clc in this process and by `clang-22 -fsyntax-only`. Where the two disagree, the specification
//! decides, and a section of `disagreements.md` says where and how; anything else is a failure.
//!
//! ```text
//! oracle --explanations FILE --folder FOLDER [--clang PROGRAM] [--family NAME] [--all]
//! ```
//!
//! `--family` checks the families whose name contains the text, `--all` also lists disagreements
//! that are explained.

mod builtins;
mod clang;
mod declarations;
mod explanations;
mod expressions;
mod generate;
mod pointers;
mod statements;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clang::Clang;
use clc::{Emit, NoIncludes, Options, Version};
use explanations::{Disagreement, Explanations};
use generate::{PRELUDE, Variation, variations};

/// A language both compilers know, with all that a target may have or with as little as possible.
pub struct Dialect {
    pub name: &'static str,
    pub version: Version,
    pub standard: &'static str,
    pub extensions: &'static str,
}

const DIALECTS: [Dialect; 7] = [
    Dialect { name: "1.0", version: Version::V1_0, standard: "CL1.0", extensions: "+all" },
    Dialect { name: "1.1", version: Version::V1_1, standard: "CL1.1", extensions: "+all" },
    Dialect { name: "1.2", version: Version::V1_2, standard: "CL1.2", extensions: "+all" },
    Dialect { name: "1.2-", version: Version::V1_2, standard: "CL1.2", extensions: "-all" },
    Dialect { name: "2.0", version: Version::V2_0, standard: "CL2.0", extensions: "+all" },
    Dialect { name: "3.0", version: Version::V3_0, standard: "CL3.0", extensions: "+all" },
    Dialect { name: "3.0-", version: Version::V3_0, standard: "CL3.0", extensions: "-all" },
];

/// Variations of one process of clang, first for all and then for those it seems to disagree on.
const LARGE: usize = 2000;
const SMALL: usize = 50;

struct Arguments {
    explanations: PathBuf,
    folder: PathBuf,
    clang: String,
    family: Option<String>,
    all: bool,
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| run(&arguments)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("oracle: {message}");
            ExitCode::FAILURE
        }
    }
}

fn arguments() -> Result<Arguments, String> {
    let mut out = Arguments {
        explanations: PathBuf::new(),
        folder: PathBuf::new(),
        clang: "clang-22".to_owned(),
        family: None,
        all: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--explanations" => out.explanations = value()?.into(),
            "--folder" => out.folder = value()?.into(),
            "--clang" => out.clang = value()?,
            "--family" => out.family = Some(value()?),
            "--all" => out.all = true,
            _ => return Err(format!("unknown argument {word}")),
        }
    }
    Ok(out)
}

/// What became of one family.
#[derive(Default)]
struct Tally {
    both_accept: usize,
    both_reject: usize,
    explained: usize,
    unexplained: usize,
}

/// Whether every disagreement is explained and every explanation is needed.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let mut explanations = Explanations::read(&arguments.explanations)?;
    let clang = Clang::new(&arguments.clang, &arguments.folder)?;
    let mut variations = variations();
    if let Some(family) = &arguments.family {
        variations.retain(|variation| variation.family.contains(family.as_str()));
    }
    let start = Instant::now();
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut unexplained: BTreeMap<(String, String), Vec<(&str, &Variation)>> = BTreeMap::new();
    for dialect in &DIALECTS {
        let all: Vec<&Variation> = variations.iter().collect();
        let theirs = clang.judge(dialect, &all, LARGE)?;
        let mut open = Vec::new();
        for (&variation, theirs) in all.iter().zip(theirs) {
            let ours = judge(dialect, variation);
            let tally = tallies.entry(variation.family).or_default();
            match (&ours, &theirs) {
                (None, None) => tally.both_accept += 1,
                (Some(_), Some(_)) => tally.both_reject += 1,
                _ => match explanations.find(&disagreement(dialect, variation, &ours, &theirs)) {
                    Some(title) => {
                        tally.explained += 1;
                        if arguments.all {
                            println!("{} {title}: {}", dialect.name, variation.source);
                        }
                    }
                    None => open.push((variation, ours)),
                },
            }
        }
        // Among thousands of other lines an error may come from a neighbour.
        let again: Vec<&Variation> = open.iter().map(|(variation, _)| *variation).collect();
        let theirs = clang.judge(dialect, &again, SMALL)?;
        for ((variation, ours), theirs) in open.into_iter().zip(theirs) {
            let tally = tallies.entry(variation.family).or_default();
            if ours.is_some() == theirs.is_some() {
                *(if ours.is_some() { &mut tally.both_reject } else { &mut tally.both_accept }) +=
                    1;
                continue;
            }
            if explanations.find(&disagreement(dialect, variation, &ours, &theirs)).is_some() {
                tally.explained += 1;
                continue;
            }
            tally.unexplained += 1;
            let key = (
                ours.map_or("accepts".to_owned(), |text| without_names(&text)),
                theirs.map_or("accepts".to_owned(), |text| without_names(&text)),
            );
            unexplained.entry(key).or_default().push((dialect.name, variation));
        }
    }
    show(&unexplained);
    let total = report(&tallies, variations.len(), start.elapsed().as_secs_f64());
    let mut good = total.unexplained == 0;
    if arguments.family.is_none() {
        for title in explanations.unused() {
            println!("oracle: `{title}` explains nothing any more; take it out");
            good = false;
        }
    }
    Ok(good)
}

fn disagreement<'a>(
    dialect: &'a Dialect,
    variation: &'a Variation,
    ours: &'a Option<String>,
    theirs: &'a Option<String>,
) -> Disagreement<'a> {
    Disagreement {
        family: variation.family,
        source: &variation.source,
        dialect: dialect.name,
        ours: ours.as_deref(),
        theirs: theirs.as_deref(),
    }
}

/// The first error that clc finds; `None` if it accepts the variation.
fn judge(dialect: &Dialect, variation: &Variation) -> Option<String> {
    let options = Options {
        version: dialect.version,
        extensions: vec![dialect.extensions.to_owned()],
        ..Options::default()
    };
    let source = format!("{PRELUDE}\n{}\n", variation.source);
    let outcome = clc::guard::catch(|| {
        clc::compile("variation.cl", source.as_bytes(), Emit::Nothing, &options, &mut NoIncludes)
    });
    let compilation = match outcome {
        Ok(compilation) => compilation,
        Err(error) => return Some(format!("INTERNAL {}", error.message)),
    };
    let error = compilation.diagnostics.iter().find(|diagnostic| diagnostic.is_error())?;
    Some(format!("{} {}", error.code.id, error.message))
}

/// Messages differ by the names and types they quote; what is left is the kind of error.
fn without_names(message: &str) -> String {
    let mut out = String::new();
    let mut quoted = false;
    for c in message.chars() {
        match c {
            '`' | '\'' => {
                if !quoted {
                    out.push_str("`…`");
                }
                quoted = !quoted;
            }
            _ if !quoted => out.push(c),
            _ => {}
        }
    }
    out
}

fn show(unexplained: &BTreeMap<(String, String), Vec<(&str, &Variation)>>) {
    const EXAMPLES: usize = 6;
    let mut groups: Vec<_> = unexplained.iter().collect();
    groups.sort_by_key(|(_, members)| std::cmp::Reverse(members.len()));
    for ((ours, theirs), members) in groups {
        println!("\n{} × clc: {ours}\n    clang: {theirs}", members.len());
        // Examples from all over the group say more than its first lines.
        for (dialect, variation) in members.iter().step_by(members.len().div_ceil(EXAMPLES)) {
            println!("    {dialect} {}: {}", variation.family, variation.source);
        }
    }
}

fn report(tallies: &BTreeMap<&str, Tally>, variations: usize, seconds: f64) -> Tally {
    println!(
        "\n{:<24}{:>12}{:>12}{:>12}{:>13}",
        "family", "both accept", "both reject", "explained", "unexplained"
    );
    let mut total = Tally::default();
    let line = |name: &str, tally: &Tally| {
        println!(
            "{name:<24}{:>12}{:>12}{:>12}{:>13}",
            tally.both_accept, tally.both_reject, tally.explained, tally.unexplained
        );
    };
    for (name, tally) in tallies {
        line(name, tally);
        total.both_accept += tally.both_accept;
        total.both_reject += tally.both_reject;
        total.explained += tally.explained;
        total.unexplained += tally.unexplained;
    }
    line("all", &total);
    println!("{variations} variations in {} dialects, {seconds:.0} s", DIALECTS.len());
    total
}
