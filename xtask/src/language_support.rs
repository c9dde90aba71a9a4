//! `docs/language-support.md`: every section of the specification in every version, from the heads
//! of the tests.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::shell::{Result, read, root};

const VERSIONS: [&str; 6] = ["1.0", "1.1", "1.2", "2.0", "3.0", "3.1"];

/// What the tests say about one section.
#[derive(Default)]
struct Row {
    accepted: [bool; 6],
    rejected: [bool; 6],
    executed: [bool; 6],
    /// Cases that compile it.
    tests: Vec<String>,
    /// Files whose kernels use it.
    runs: Vec<String>,
}

/// The page, and what is wrong with the tests it is made of.
pub fn page(problems: &mut Vec<String>) -> Result<String> {
    let folder = root().join("tests/sections");
    let sections = read(&folder.join("sections.txt"))?;
    let sections: Vec<(&str, &str)> =
        sections.lines().filter_map(|line| line.split_once(' ')).collect();
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for path in files(&folder, "txt")? {
        if path.ends_with("sections.txt") || path.ends_with("not_executed.txt") {
            continue;
        }
        compiled(&path, &mut rows)?;
    }
    for (folder, extension) in [("tests/execution", "cl"), ("tests/src/builtins", "rs")] {
        for path in files(&root().join(folder), extension)? {
            executed(&path, &mut rows)?;
        }
    }
    let reasons = read(&folder.join("not_executed.txt"))?;
    let reasons = reasons_not_to_run(&reasons, problems);
    for number in rows.keys().map(String::as_str).chain(reasons.keys().copied()) {
        if !sections.iter().any(|(known, _)| *known == number) {
            problems.push(format!("a test is for section {number}, which does not exist"));
        }
    }

    let mut untested = 0;
    let mut run = 0;
    let mut cannot = 0;
    let mut table = String::new();
    for (index, (number, title)) in sections.iter().enumerate() {
        let _ = write!(table, "| {number} | {title} |");
        let has_parts = sections
            .get(index + 1)
            .is_some_and(|(next, _)| next.starts_with(&format!("{number}.")));
        match rows.get(*number) {
            Some(row) => {
                for version in 0..VERSIONS.len() {
                    let _ = write!(table, " {} |", cell(row, version));
                }
                let _ = write!(table, " {} |", row.tests.join(", "));
                match (row.runs.is_empty(), reasons.get(number)) {
                    (false, None) => {
                        run += 1;
                        let _ = writeln!(table, " {} |", row.runs.join(", "));
                    }
                    (true, Some(reason)) => {
                        cannot += usize::from(reason.starts_with('!'));
                        let reason = reason.trim_start_matches(['-', '!', ' ']);
                        let _ = writeln!(table, " – ({reason}) |");
                    }
                    (true, None) => problems.push(format!(
                        "section {number} ({title}) is not executed: it needs a kernel in \
                         tests/execution, or a reason in tests/sections/not_executed.txt"
                    )),
                    (false, Some(_)) => problems.push(format!(
                        "section {number} is executed, and tests/sections/not_executed.txt says why not"
                    )),
                }
            }
            None if has_parts => table.push_str(" by its parts | | | | | | | |\n"),
            None => {
                untested += 1;
                table.push_str(" not tested | | | | | | | |\n");
            }
        }
    }
    Ok(format!(
        "# Language support\n\n\
         Every section of the unified OpenCL C specification, in every version of the language, \
         as the tests have it. **works**: a program that uses what the section describes compiles \
         to a valid module. **rejected**: the version does not have it, and a diagnostic says so. \
         **works, misuse rejected**: also what the section forbids is tested and refused. **runs**: \
         kernels that use it are executed on a driver and their results compared with values known \
         beforehand. A section that only has parts is shown by them.\n\n\
         **compiled** names cases of `tests/sections/`. **executed** names the kernels, `*.cl` in \
         `tests/execution/` and `*.rs`, which makes kernels for all types and widths, in \
         `tests/src/builtins/`; all run at `-O0` and at `-O`, on Vulkan where the OpenCL driver has no such \
         functions (`uniform_collectives.rs`). In place of a name stands in brackets why \
         there are none, from `tests/sections/not_executed.txt`. The address spaces have further tests in `crates/clc-sema/tests/check/address_spaces.txt`, which \
         check the text and the places of each diagnostic.\n\n\
         This page is written by `cargo xtask tidy --write`; {untested} sections are not tested, \
         {run} are executed, {cannot} cannot be on the driver of the tests.\n\n\
         | section | | 1.0 | 1.1 | 1.2 | 2.0 | 3.0 | 3.1 | compiled | executed |\n\
         |---|---|---|---|---|---|---|---|---|---|\n\
         {table}{}{}",
        vulkan()?,
        address_spaces()?
    ))
}

/// Which of the files of kernels run on Vulkan, and why others do not.
fn vulkan() -> Result<String> {
    let mut cases = [0, 0];
    let mut with_matrices = 0;
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in files(&root().join("tests/execution"), "cl")? {
        let text = read(&path)?;
        let kernels = text.lines().filter(|line| line.starts_with("//@ kernel ")).count();
        // They run where the device has the products that they make.
        if text.lines().any(|line| line.starts_with("//@ product ")) {
            with_matrices += kernels;
            continue;
        }
        let reason = text.lines().find_map(|line| line.strip_prefix("//@ vulkan no "));
        let name = format!("`{}`", path.file_name().unwrap_or_default().to_string_lossy());
        cases[usize::from(reason.is_none())] += kernels;
        if let Some(reason) = reason {
            reasons.entry(reason.to_owned()).or_default().push(name);
        }
    }
    let [without, with] = cases;
    let mut page = format!(
        "\n## Vulkan\n\n\
         Of the {} cases of `tests/execution/`, {with} ({} %) run on Vulkan too, at `-O0` and at \
         `-O` and without a message from the validation layer. {with_matrices} more, of cooperative \
         matrices, run where a device has these. The others are refused with a \
         diagnostic, which is checked:\n\n| what | files |\n|---|---|\n",
        with + without,
        100 * with / (with + without).max(1),
    );
    for (reason, files) in reasons {
        let _ = writeln!(page, "| {reason} | {} |", files.join(", "));
    }
    Ok(page)
}

/// The rules of address spaces with the numbers that their tests begin with.
const RULES: [(&str, &str); 22] = [
    ("1", "Four disjoint spaces; the forms with underscores mean the same"),
    ("2", "Parameters, local variables and results are private"),
    ("3", "Pointer arguments of kernels point to global, local or constant memory"),
    ("4", "A pointer converts to a pointer into the same space only"),
    ("5", "An unqualified pointer is generic; global, local and private pointers convert to it"),
    ("6", "Constant is no part of generic"),
    ("7", "From generic to a named space by a cast, `to_global`, `to_local` or `to_private` only"),
    (
        "8",
        "Functions take and give generic pointers; disjoint operands of `?:` have no common space",
    ),
    ("9", "The spaces of inner pointers match exactly"),
    ("10", "Images are in global memory; access qualifiers decide what is done with them"),
    ("11", "Program-scope variables are constant"),
    ("12", "Program-scope and `static` variables are global or constant"),
    ("13", "Constant variables have constant initialisers and are not written"),
    ("14", "Local variables: outermost scope of a kernel, no initialiser"),
    ("15", "Variables of functions are not global"),
    ("16", "String literals are constant"),
    ("17", "Results of functions have no space"),
    ("18", "Members have no space; an object has one space"),
    ("19", "`generic` is reserved"),
    ("20", "Sizes of pointers follow the target"),
    ("21", "Pointees change by a cast within a space"),
    ("22", "`const`, `volatile` and `restrict` go with spaces; const buffers are read-only"),
];

/// The cases of `address_spaces.txt`, by rule and dialect.
fn address_spaces() -> Result<String> {
    const DIALECTS: [&str; 7] =
        ["CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0", "CL3.0 nogeneric noglobals", "CL3.1"];
    // The words of `crates/clc-sema/tests/check.rs`.
    let dialects = |words: &str| -> &[usize] {
        match words.split_whitespace().next().unwrap_or("") {
            "every" => &[0, 1, 2, 3, 4, 5, 6],
            "named" => &[0, 1, 2, 5],
            "generic" => &[3, 4, 6],
            "oldest" => &[0, 1],
            "middle" => &[2, 5],
            "old" => &[0, 1, 2],
            "CL1.2" => &[2],
            "CL2.0" => &[3],
            "CL3.0" if words.contains("nog") => &[5],
            "CL3.0" => &[4],
            "CL3.1" => &[6],
            _ => &[],
        }
    };
    let path = root().join("crates/clc-sema/tests/check/address_spaces.txt");
    let text = format!("\n{}", read(&path)?);
    let mut marks: BTreeMap<&str, [(bool, bool); DIALECTS.len()]> = BTreeMap::new();
    for case in text.split("\n=== ").skip(1) {
        let (head, body) = case.split_once('\n').unwrap_or((case, ""));
        let Some((rule, rest)) = head.split_once(": ") else { continue };
        let words = rest.split_once('[').map_or("", |(_, words)| words.trim_end_matches(']'));
        let expected = body.split_once("---").map_or("", |(_, expected)| expected);
        let rejects = expected.lines().any(|line| line.split(' ').nth(1).is_some_and(is_error));
        for &dialect in dialects(words) {
            let mark = &mut marks.entry(rule).or_default()[dialect];
            if rejects { mark.1 = true } else { mark.0 = true }
        }
    }
    let mut page = String::from(
        "\n## Address spaces\n\n\
         The rules behind 6.7, with what their cases in \
         `crates/clc-sema/tests/check/address_spaces.txt` are: accepted programs, or rejected \
         ones whose diagnostics are checked with code, places and words. *3.0–* is 3.0 without \
         generic pointers and program-scope variables.\n\n\
         | | rule | 1.0 | 1.1 | 1.2 | 2.0 | 3.0 | 3.0– | 3.1 |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for (rule, title) in RULES {
        let _ = write!(page, "| {rule} | {title} |");
        for (accepts, rejects) in marks.get(rule).copied().unwrap_or_default() {
            page.push_str(match (accepts, rejects) {
                (true, true) => " accepted, rejected |",
                (true, false) => " accepted |",
                (false, true) => " rejected |",
                (false, false) => " – |",
            });
        }
        page.push('\n');
    }
    Ok(page)
}

fn is_error(word: &str) -> bool {
    word.len() == 5 && word.starts_with('E') && word[1..].bytes().all(|byte| byte.is_ascii_digit())
}

fn cell(row: &Row, version: usize) -> String {
    let mut words = Vec::new();
    match (row.accepted[version], row.rejected[version]) {
        (true, true) => words.push("works, misuse rejected"),
        (true, false) => words.push("works"),
        (false, true) => words.push("rejected"),
        (false, false) => {}
    }
    if row.executed[version] {
        words.push("runs");
    }
    if words.is_empty() { "–".to_owned() } else { words.join("; ") }
}

fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    found.sort();
    Ok(found)
}

/// The heads of the cases of `tests/sections`.
fn compiled(path: &Path, rows: &mut BTreeMap<String, Row>) -> Result {
    let text = format!("\n{}", read(path)?);
    for case in text.split("\n=== ").skip(1) {
        let title = case.lines().next().unwrap_or("");
        let (number, name) = title.split_once(' ').unwrap_or((title, ""));
        let row = rows.entry(number.to_owned()).or_default();
        row.tests.push(name.to_owned());
        for line in case.lines().skip(1).take_while(|line| *line != "---") {
            let mut words = line.split_whitespace();
            let set = match words.next() {
                Some("accepts") => &mut row.accepted,
                Some("rejects") => &mut row.rejected,
                _ => continue,
            };
            for word in words {
                mark(set, word);
            }
        }
    }
    Ok(())
}

/// Sets what `1.2-3.0`, `2.0` or `all` name; other words, such as codes, name nothing.
fn mark(set: &mut [bool; 6], range: &str) {
    let (first, last) = match range.split_once('-') {
        _ if range == "all" => ("1.0", "3.1"),
        Some(ends) => ends,
        None => (range, range),
    };
    let index = |version: &str| VERSIONS.iter().position(|&known| known == version);
    if let (Some(first), Some(last)) = (index(first), index(last)) {
        set[first..=last].fill(true);
    }
}

/// `//@ section 6.5.1 6.5.3 [in VERSION]` of a file of kernels, which otherwise says in its options
/// which version they are compiled in.
fn executed(path: &Path, rows: &mut BTreeMap<String, Row>) -> Result {
    let text = read(path)?;
    let default = text
        .lines()
        .filter(|line| line.starts_with("//@ options"))
        .find_map(|line| line.split("-cl-std=CL").nth(1)?.split_whitespace().next())
        .unwrap_or("1.2");
    let name = format!("`{}`", path.file_name().unwrap_or_default().to_string_lossy());
    for line in text.lines().filter_map(|line| line.strip_prefix("//@ section ")) {
        let (numbers, version) = line.split_once(" in ").unwrap_or((line, default));
        for number in numbers.split_whitespace() {
            let row = rows.entry(number.to_owned()).or_default();
            if !row.runs.contains(&name) {
                row.runs.push(name.clone());
            }
            mark(&mut row.executed, version.trim());
        }
    }
    Ok(())
}

/// The lines of `not_executed.txt`: a section, and `- REASON` or `! REASON`.
fn reasons_not_to_run<'a>(text: &'a str, problems: &mut Vec<String>) -> BTreeMap<&'a str, &'a str> {
    let mut reasons = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        match line.split_once(' ') {
            Some((number, reason)) if reason.starts_with("- ") || reason.starts_with("! ") => {
                reasons.insert(number, reason);
            }
            _ => problems.push(format!("tests/sections/not_executed.txt: `{line}`?")),
        }
    }
    reasons
}
