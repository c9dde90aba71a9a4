//! Suite cases: expectations in the comments of a source file.
//!
//! ```text
//! // RUN: -cl-std=CL2.0 -S          options of a run; several lines are several runs
//! // RUN[12]: -cl-std=CL1.2         a run with a label
//! // error: E0301 5:3 text          an error at line 5, column 3 whose message has this text
//! // warning: W0301 5               position and text may be shorter or missing
//! // error[12]: E0301               only in the run with this label
//! int x = y; //~ E0410 undeclared   the same, for this line
//! //~^ E0410                        for the line above
//! // compiles                       there are no errors (what the rest says about warnings holds)
//! // emits: text                    standard output has this text, behind that of the `emits` before it
//! // emits-not: text
//! // exit: 2                        the exit code
//! // stderr: text                   standard error has this text
//! ```
//!
//! Any other comment that begins with one lower-case word and a colon, and a label that no run has,
//! is an error. A file without `RUN` is checked with `-fsyntax-only`. Every error and warning must be expected,
//! and every expected one must come.

/// One diagnostic that must come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedDiagnostic {
    pub code: String,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub text: String,
}

/// What standard output or error must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    Emits(String),
    EmitsNot(String),
    Stderr(String),
    Exit(i32),
    Compiles,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub label: Option<String>,
    pub options: Vec<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Expectations {
    pub runs: Vec<Run>,
    diagnostics: Vec<(Option<String>, ExpectedDiagnostic)>,
    checks: Vec<(Option<String>, Check)>,
}

impl Expectations {
    pub fn parse(source: &str) -> Result<Expectations, String> {
        let mut out = Expectations::default();
        for (index, line) in source.lines().enumerate() {
            let number = index as u32 + 1;
            out.line(number, line).map_err(|error| format!("line {number}: {error}"))?;
        }
        if out.runs.is_empty() {
            out.runs.push(Run { label: None, options: vec!["-fsyntax-only".to_owned()] });
        }
        if out.diagnostics.is_empty() && out.checks.is_empty() {
            return Err("nothing is expected".to_owned());
        }
        let labels = out.diagnostics.iter().map(|(label, _)| label);
        for label in labels.chain(out.checks.iter().map(|(label, _)| label)).flatten() {
            if !out.runs.iter().any(|run| run.label.as_ref() == Some(label)) {
                return Err(format!("no run is called `{label}`"));
            }
        }
        Ok(out)
    }

    fn line(&mut self, number: u32, line: &str) -> Result<(), String> {
        if let Some(at) = line.find("//~") {
            let mut rest = &line[at + 3..];
            let mut wanted_line = number;
            while let Some(up) = rest.strip_prefix('^') {
                wanted_line -= 1;
                rest = up;
            }
            let (label, rest) = take_label(rest)?;
            let mut expected = diagnostic(rest.trim(), false)?;
            expected.line = Some(wanted_line);
            self.diagnostics.push((label, expected));
            return Ok(());
        }
        let Some(text) = line.strip_prefix("// ") else { return Ok(()) };
        let end = text.find(|c: char| !c.is_ascii_alphabetic() && c != '-').unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        if word == "compiles" {
            let (label, rest) = take_label(rest)?;
            if rest.trim().is_empty() {
                self.checks.push((label, Check::Compiles));
            }
            return Ok(());
        }
        if !matches!(word, "RUN" | "error" | "warning" | "emits" | "emits-not" | "exit" | "stderr")
        {
            return match rest.starts_with([':', '[']) && is_misspelt(word) {
                true => Err(format!("`{word}` is not known")),
                false => Ok(()),
            };
        }
        let (label, rest) = take_label(rest)?;
        let Some(rest) = rest.strip_prefix(':') else { return Ok(()) };
        let rest = rest.trim();
        match word {
            "RUN" => {
                let options = rest.split_whitespace().map(str::to_owned).collect();
                self.runs.push(Run { label, options });
            }
            "error" | "warning" => self.diagnostics.push((label, diagnostic(rest, true)?)),
            "emits" => self.checks.push((label, Check::Emits(rest.to_owned()))),
            "emits-not" => self.checks.push((label, Check::EmitsNot(rest.to_owned()))),
            "stderr" => self.checks.push((label, Check::Stderr(rest.to_owned()))),
            _ => {
                let code = rest.parse().map_err(|_| format!("`{rest}` is not an exit code"))?;
                self.checks.push((label, Check::Exit(code)));
            }
        }
        Ok(())
    }

    /// What is wrong with a run; empty if nothing is. `stderr` is in the short format.
    pub fn judge(&self, run: &Run, code: Option<i32>, stdout: &str, stderr: &str) -> String {
        let applies = |label: &Option<String>| label.is_none() || *label == run.label;
        let mut complaints = String::new();
        let mut complain = |text: String| {
            complaints.push_str(&text);
            complaints.push('\n');
        };
        let mut reported: Vec<Reported<'_>> = stderr.lines().filter_map(Reported::parse).collect();
        for (_, expected) in self.diagnostics.iter().filter(|(label, _)| applies(label)) {
            match reported.iter().position(|reported| reported.is(expected)) {
                Some(index) => drop(reported.remove(index)),
                None => complain(format!("missing: {expected:?}")),
            }
        }
        for unexpected in reported {
            complain(format!("unexpected: {}", unexpected.whole));
        }
        let mut exit = None;
        let checks = self.checks.iter().filter(|(label, _)| applies(label));
        let emitted = checks.filter_map(|(_, check)| match check {
            Check::Emits(text) => Some(text.as_str()),
            Check::EmitsNot(_) | Check::Stderr(_) | Check::Exit(_) | Check::Compiles => None,
        });
        if let Err(error) = clc_golden::in_order(stdout, emitted) {
            complain(format!("the output: {error}"));
        }
        for (_, check) in self.checks.iter().filter(|(label, _)| applies(label)) {
            match check {
                Check::EmitsNot(text) if stdout.contains(text.as_str()) => {
                    complain(format!("the output has: {text}"));
                }
                Check::Stderr(text) if !stderr.contains(text.as_str()) => {
                    complain(format!("standard error lacks: {text}"));
                }
                Check::Exit(code) => exit = Some(*code),
                Check::Compiles => exit = Some(0),
                Check::Emits(_) | Check::EmitsNot(_) | Check::Stderr(_) => {}
            }
        }
        let errors = self
            .diagnostics
            .iter()
            .any(|(label, expected)| applies(label) && expected.code.starts_with('E'));
        let wanted = exit.unwrap_or(i32::from(errors));
        if code != Some(wanted) {
            complain(format!("exit code {code:?}, expected {wanted}"));
        }
        complaints
    }
}

/// Whether the first word of a comment, before a colon or a label, is meant for the test.
fn is_misspelt(word: &str) -> bool {
    !word.is_empty()
        && (word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
            || word.bytes().all(|byte| byte.is_ascii_uppercase()))
}

/// `[label]` at the head of `text`.
fn take_label(text: &str) -> Result<(Option<String>, &str), String> {
    match text.strip_prefix('[') {
        None => Ok((None, text)),
        Some(rest) => {
            let (label, rest) = rest.split_once(']').ok_or("a label without `]`")?;
            Ok((Some(label.to_owned()), rest))
        }
    }
}

/// `E0301 [5[:3]] text`
fn diagnostic(text: &str, with_position: bool) -> Result<ExpectedDiagnostic, String> {
    let (code, rest) = text.split_once(' ').unwrap_or((text, ""));
    let valid = code.len() == 5
        && code.starts_with(['E', 'W'])
        && code[1..].chars().all(|c| c.is_ascii_digit());
    if !valid {
        return Err(format!("`{code}` is not a diagnostic code"));
    }
    let mut expected = ExpectedDiagnostic {
        code: code.to_owned(),
        line: None,
        column: None,
        text: rest.trim().to_owned(),
    };
    if with_position {
        let (place, text) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
        let (line, column) = match place.split_once(':') {
            Some((line, column)) => (line.parse().ok(), column.parse().ok()),
            None => (place.parse().ok(), None),
        };
        if line.is_some() {
            expected.line = line;
            expected.column = column;
            expected.text = text.trim().to_owned();
        }
    }
    Ok(expected)
}

/// A line of the short format.
struct Reported<'a> {
    whole: &'a str,
    code: &'a str,
    line: Option<u32>,
    column: Option<u32>,
    message: &'a str,
}

impl Reported<'_> {
    fn parse(whole: &str) -> Option<Reported<'_>> {
        // path:line:column: error[E0312]: text
        let (place, rest) = ["fatal error[", "error[", "warning["]
            .iter()
            .find_map(|word| whole.split_once(&format!(": {word}")))?;
        let (code, message) = rest.split_once("]: ")?;
        let mut parts = place.rsplitn(3, ':');
        let column = parts.next().and_then(|part| part.parse().ok());
        let line = parts.next().and_then(|part| part.parse().ok());
        Some(Reported { whole, code, line, column, message })
    }

    fn is(&self, expected: &ExpectedDiagnostic) -> bool {
        self.code == expected.code
            && (expected.line.is_none() || expected.line == self.line)
            && (expected.column.is_none() || expected.column == self.column)
            && self.message.contains(&expected.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
// RUN[a]: -cl-std=CL1.2
// RUN[b]: -cl-std=CL2.0
// error[a]: E0301 5:3 space
int x; //~[b] E0302
// emits: OpLabel
";

    #[test]
    fn what_no_run_looks_at_is_refused() {
        for (source, message) in [
            ("// emit: x\n// compiles\n", "`emit` is not known"),
            ("// RUNS: -S\n// compiles\n", "`RUNS` is not known"),
            ("// RUN[a]: -S\n// emits[b]: x\n", "no run is called `b`"),
            ("// RUN[a]: -S\nint x; //~[b] E0302\n", "no run is called `b`"),
            ("// Notes: all is well\n", "nothing is expected"),
        ] {
            let error = Expectations::parse(source).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn output_comes_in_order() {
        let expectations = Expectations::parse("// RUN: -S\n// emits: a\n// emits: b\n").unwrap();
        let run = &expectations.runs[0];
        assert_eq!(expectations.judge(run, Some(0), "a\nb\n", ""), "");
        assert!(expectations.judge(run, Some(0), "b\na\n", "").contains("not behind"));
        assert!(expectations.judge(run, Some(0), "a\n", "").contains("`b` is missing"));
    }

    #[test]
    fn expectations_hold_or_say_what_is_wrong() {
        let expectations = Expectations::parse(SOURCE).unwrap();
        let [a, b] = &expectations.runs[..] else { panic!("two runs") };
        let good = "x.cl:5:3: error[E0301]: an address space\n";
        assert_eq!(expectations.judge(a, Some(1), "OpLabel", good), "");
        let judged = expectations.judge(a, Some(0), "", "x.cl:5:4: error[E0301]: space\n");
        assert_eq!(judged.lines().count(), 4, "{judged}");
        let good = "x.cl:4:1: warning[E0302]: anything\n";
        assert_eq!(expectations.judge(b, Some(1), "OpLabel", good), "");
    }
}
