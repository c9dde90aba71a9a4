//! `differences.md`: the lines on which only one of the compilers reports an error, under the
//! paragraph that decides.
//!
//! ```text
//! ## Title
//!
//! Decided by OpenCL C 6.5: …
//! Right: clc
//!
//! - SemaOpenCL/a.cl:12 only clang
//! - SemaOpenCL/a.cl:15 only clc (runs 2 3)
//! ```
//!
//! `Right` names the compiler that the paragraph agrees with, or `both` where the two report one
//! mistake on different lines. Numbers of runs stand there if not every compared run of the test
//! differs so.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Compiler {
    Clang,
    Clc,
}

/// Whom a paragraph agrees with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    Clang,
    Clc,
    Both,
}

/// A line of a test on which only one compiler reports an error.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    pub file: String,
    pub line: u32,
    /// Who reports one.
    pub only: Compiler,
    /// The runs in which it does; empty if these are all that are compared.
    pub runs: Vec<usize>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let only = match self.only {
            Compiler::Clang => "clang",
            Compiler::Clc => "clc",
        };
        write!(f, "- {}:{} only {only}", self.file, self.line)?;
        if !self.runs.is_empty() {
            let runs: Vec<String> = self.runs.iter().map(usize::to_string).collect();
            write!(f, " (runs {})", runs.join(" "))?;
        }
        Ok(())
    }
}

impl Difference {
    fn parse(line: &str) -> Option<Difference> {
        let (place, rest) = line.strip_prefix("- ")?.split_once(" only ")?;
        let (file, line) = place.rsplit_once(':')?;
        let (only, runs) = match rest.split_once(" (runs ") {
            Some((only, runs)) => (only, runs.strip_suffix(')')?),
            None => (rest, ""),
        };
        let only = match only {
            "clang" => Compiler::Clang,
            "clc" => Compiler::Clc,
            _ => return None,
        };
        let runs = runs.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
        Some(Difference { file: file.to_owned(), line: line.parse().ok()?, only, runs })
    }
}

/// Every listed difference, with the compiler that is right.
pub fn read(path: &Path) -> Result<BTreeMap<Difference, Right>, String> {
    let place = |error: String| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| place(error.to_string()))?;
    parse(&text).map_err(place)
}

fn parse(text: &str) -> Result<BTreeMap<Difference, Right>, String> {
    let mut out = BTreeMap::new();
    let mut title = "";
    let mut decided = false;
    let mut right = None;
    for line in text.lines() {
        if let Some(text) = line.strip_prefix("## ") {
            (title, decided, right) = (text, false, None);
        }
        decided |= line.starts_with("Decided by ");
        match line {
            "Right: clang" => right = Some(Right::Clang),
            "Right: clc" => right = Some(Right::Clc),
            "Right: both" => right = Some(Right::Both),
            _ => {}
        }
        if !line.starts_with("- ") || title.is_empty() {
            continue;
        }
        let difference = Difference::parse(line).ok_or(format!("what is `{line}`?"))?;
        let right = right.filter(|_| decided).ok_or(format!(
            "`{title}` must have a line that begins with `Decided by` and one that says who is \
             `Right:`, clc, clang or both, before its list"
        ))?;
        if out.insert(difference, right).is_some() {
            return Err(format!("`{line}` is listed twice"));
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listed_difference_reads_back() {
        for line in ["- A/b.cl:12 only clang", "- A/b.cl:3 only clc (runs 2 13)"] {
            let difference = Difference::parse(line).expect(line);
            assert_eq!(difference.to_string(), line);
        }
        assert_eq!(Difference::parse("- A/b.cl:12 only gcc"), None);
    }

    #[test]
    fn a_list_needs_its_paragraph() {
        let list = "- A/b.cl:12 only clang\n";
        assert!(parse(&format!("## One\n\n{list}")).is_err());
        let text = format!("## One\n\nDecided by 6.5: so it is.\n\nRight: clc\n\n{list}");
        assert_eq!(parse(&text).expect("a page").into_values().collect::<Vec<_>>(), [Right::Clc]);
    }
}
