//! Files of cases.

use std::collections::BTreeSet;
use std::path::Path;

use crate::{Failures, blesses, difference, files};

/// One case of a file:
///
/// ```text
/// === name of the case [options, separated by blanks]
/// the input
/// ---
/// the expected output; nothing where none is expected
/// ```
#[derive(Debug)]
pub struct Case<'a> {
    /// Without the options. No other case of the file has the same name and options.
    pub name: &'a str,
    /// The words between the brackets. The test must refuse those that it does not know.
    pub options: Vec<&'a str>,
    /// The input, with the end of its last line.
    pub source: &'a str,
    head: &'a str,
    expected: &'a str,
}

/// Runs each case of the files `*.txt` of a folder, and compares what `run` returns with what the case
/// expects; blanks at the ends do not count. An error of `run` is a failure, and blesses nothing.
///
/// # Panics
/// If a case fails, a file has another form, or there are fewer cases than `least`.
#[track_caller]
pub fn cases(
    folder: impl AsRef<Path>,
    least: usize,
    mut run: impl FnMut(&Case<'_>) -> Result<String, String>,
) {
    let mut failures = Failures::default();
    let mut count = 0;
    for path in files(folder.as_ref(), "txt") {
        let text = std::fs::read_to_string(&path).expect("a file that can be read");
        let cases = match parse(&text) {
            Ok(cases) => cases,
            Err(error) => {
                failures.add(&path, "", &error);
                continue;
            }
        };
        count += cases.len();
        let mut blessed = Vec::new();
        for case in &cases {
            let found = run(case);
            let text = match &found {
                Ok(found) => found.trim(),
                Err(_) => case.expected,
            };
            match &found {
                Ok(_) if text == case.expected || blesses() => {}
                Ok(_) => failures.add(&path, case.head, &difference(case.expected, text)),
                Err(error) => failures.add(&path, case.head, error),
            }
            blessed.push(written(case, text));
        }
        if blesses() {
            std::fs::write(&path, blessed.join("\n")).expect("a file that can be written");
        }
    }
    failures.report();
    assert!(count >= least, "only {count} cases were found");
}

fn written(case: &Case<'_>, expected: &str) -> String {
    let end = if expected.is_empty() { "" } else { "\n" };
    format!("=== {}\n{}---\n{expected}{end}", case.head, case.source)
}

fn parse(text: &str) -> Result<Vec<Case<'_>>, String> {
    let text = text.strip_prefix("=== ").ok_or("the first line begins with `=== `")?;
    let mut heads = BTreeSet::new();
    text.split("\n=== ")
        .map(|case| {
            let case = parse_case(case)?;
            match heads.insert(case.head) {
                true => Ok(case),
                false => Err(format!("two cases are called `{}`", case.head)),
            }
        })
        .collect()
}

fn parse_case(text: &str) -> Result<Case<'_>, String> {
    let (head, body) = text.split_once('\n').ok_or_else(|| format!("`{text}` has no input"))?;
    let (source, expected) = match body.strip_prefix("---\n") {
        Some(expected) => ("", expected),
        None => {
            let at =
                body.find("\n---\n").or_else(|| body.ends_with("\n---").then(|| body.len() - 4));
            let at = at.ok_or_else(|| format!("`{head}` has no line `---`"))?;
            (&body[..=at], body[at + 4..].trim_start_matches('\n'))
        }
    };
    let (name, options) = match head.split_once('[') {
        None => (head, ""),
        Some((name, rest)) => {
            let options = rest.strip_suffix(']');
            (name, options.ok_or_else(|| format!("`{head}` does not end with `]`"))?)
        }
    };
    let options = options.split_whitespace().collect();
    Ok(Case { name: name.trim(), options, source, head, expected: expected.trim() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_written_read_back() {
        let text = "=== one [a b]\nx\n\n--- y\n---\nz\n\n=== two\ny\n---\n\n=== three\n---\nz\n";
        let cases = parse(text).unwrap();
        let [one, two, three] = &cases[..] else { panic!("{cases:?}") };
        assert_eq!((one.name, &one.options[..]), ("one", &["a", "b"][..]));
        assert_eq!((one.source, one.expected), ("x\n\n--- y\n", "z"));
        assert_eq!((two.name, two.source, two.expected), ("two", "y\n", ""));
        assert_eq!((three.name, three.source, three.expected), ("three", "", "z"));
        let again: Vec<String> = cases.iter().map(|case| written(case, case.expected)).collect();
        assert_eq!(again.join("\n"), text);
    }

    #[test]
    fn other_files_are_refused() {
        for (text, message) in [
            ("x\n=== one\nx\n---\n", "the first line"),
            ("=== one\nx\n\n=== two\ny\n---\n", "`one` has no line `---`"),
            ("=== one", "`one` has no input"),
            ("=== one [a\nx\n---\n", "does not end with `]`"),
            ("=== one [a]\nx\n---\n\n=== one [a]\nx\n---\n", "two cases are called `one [a]`"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }
}
