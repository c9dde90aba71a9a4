//! Errors and warnings as data. Nothing here prints; the outermost crate renders.

use std::borrow::Cow;

use crate::Span;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A remark attached to nothing else; never changes the exit code.
    Note,
    /// The program is compiled.
    Warning,
    /// There is no output.
    Error,
    /// An error after which no later stage may run (`#error`, nesting limits).
    Fatal,
}

/// The widest question that a warning answers: each level includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// On without any option.
    Default,
    /// `-Wall`: what is worth a look in every program.
    All,
    /// `-Wextra`: what some programs do on purpose.
    Extra,
    /// `-Weverything`: matters of taste too.
    Everything,
}

/// One row of the diagnostics index: what a stable code means.
///
/// Codes live in one module per family of diagnostics, beside the tests of that family, and are
/// collected by each crate's `CODES` slice for `clc --explain` and for the documentation.
#[derive(Debug)]
pub struct Code {
    /// `E0312` for errors, `W0107` for warnings; unique over all crates.
    pub id: &'static str,
    /// For warnings, the name that `-W<name>` and `-Wno-<name>` take; for errors a short title
    /// in the same form (`address-space-mismatch`).
    pub name: &'static str,
    /// The severity before `-W` options are applied.
    pub severity: Severity,
    /// Which group turns a warning on.
    pub level: Level,
    /// Markdown for `--explain`: the rule with its section of the specification, a wrong example
    /// and a right one.
    pub explain: &'static str,
}

impl Code {
    /// A code of severity [`Severity::Error`].
    pub const fn error(id: &'static str, name: &'static str, explain: &'static str) -> Code {
        Code { id, name, severity: Severity::Error, level: Level::Default, explain }
    }

    /// A code of severity [`Severity::Fatal`].
    pub const fn fatal(id: &'static str, name: &'static str, explain: &'static str) -> Code {
        Code { id, name, severity: Severity::Fatal, level: Level::Default, explain }
    }

    /// A warning that is on by default.
    pub const fn warning(id: &'static str, name: &'static str, explain: &'static str) -> Code {
        Code { id, name, severity: Severity::Warning, level: Level::Default, explain }
    }

    /// A warning that `-Wall` turns on.
    pub const fn lint(id: &'static str, name: &'static str, explain: &'static str) -> Code {
        Code { id, name, severity: Severity::Warning, level: Level::All, explain }
    }

    /// A warning that `-Wextra` turns on.
    pub const fn extra(id: &'static str, name: &'static str, explain: &'static str) -> Code {
        Code { id, name, severity: Severity::Warning, level: Level::Extra, explain }
    }

    /// A warning that only `-Weverything` and its own name turn on.
    pub const fn pedantic(id: &'static str, name: &'static str, explain: &'static str) -> Code {
        Code { id, name, severity: Severity::Warning, level: Level::Everything, explain }
    }
}

/// A place in the source and what to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is wrong with this very part, or what it has to do with it; empty only at the primary
    /// label of a diagnostic without a place.
    pub message: Cow<'static, str>,
}

/// An edit that makes the error go away and keeps the meaning that was certainly meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What is replaced; empty to insert.
    pub span: Span,
    /// The new text.
    pub replacement: String,
    /// The way out in words: "insert `global`". It is shown with the edit and is no
    /// [help](Diagnostic::helps) of its own.
    pub message: Cow<'static, str>,
}

/// One problem, told once.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// What kind of problem it is.
    pub code: &'static Code,
    /// Starts as `code.severity`; `-W` options change it.
    pub severity: Severity,
    /// One sentence without a full stop, with the names of the source.
    pub message: String,
    /// The place that is wrong, and in few words why: its type, its value, what it lacks. It adds
    /// to the message and does not repeat it.
    pub primary: Label,
    /// Places that explain why.
    pub labels: Vec<Label>,
    /// Facts without a place.
    pub notes: Vec<Cow<'static, str>>,
    /// The ways out that are no edit.
    pub helps: Vec<Cow<'static, str>>,
    /// The edit that helps, where it is certain.
    pub fix: Option<Fix>,
}

/// A problem at a place, of which is still to be said what is wrong there: [`at`](Unlabelled::at)
/// makes it a [`Diagnostic`], so that there is none that marks a place without words.
#[derive(Debug)]
#[must_use = "say what is wrong at the place: `.at(…)`"]
pub struct Unlabelled(Diagnostic);

impl Unlabelled {
    /// What is wrong with the marked part.
    pub fn at(mut self, message: impl Into<Cow<'static, str>>) -> Diagnostic {
        let message = message.into();
        debug_assert!(!message.is_empty(), "{}: a label says something", self.0.code.id);
        self.0.primary.message = message;
        self.0
    }
}

impl Diagnostic {
    /// A problem at a place.
    #[expect(clippy::new_ret_no_self, reason = "the label of the place comes next")]
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Unlabelled {
        let mut diagnostic = Diagnostic::without_place(code, message);
        diagnostic.primary.span = span;
        Unlabelled(diagnostic)
    }

    /// A problem that lies nowhere in a source: in an option, in a linked module, in the whole.
    pub fn without_place(code: &'static Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: code.severity,
            message: message.into(),
            primary: Label { span: Span::NONE, message: Cow::Borrowed("") },
            labels: Vec::new(),
            notes: Vec::new(),
            helps: Vec::new(),
            fix: None,
        }
    }

    /// Adds a place that explains; ignored for [`Span::NONE`].
    pub fn label(mut self, span: Span, message: impl Into<Cow<'static, str>>) -> Self {
        if !span.is_none() {
            self.labels.push(Label { span, message: message.into() });
        }
        self
    }

    /// Adds a fact.
    pub fn note(mut self, note: impl Into<Cow<'static, str>>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds a way out.
    pub fn help(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.helps.push(help.into());
        self
    }

    /// Adds the way out that is an edit: where, by what, and what it does.
    pub fn fix(
        mut self,
        span: Span,
        replacement: impl Into<String>,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.fix = Some(Fix { span, replacement: replacement.into(), message: message.into() });
        self
    }

    /// Adds the edit of a misspelt name, if there is a guess what was meant.
    pub fn suggest(self, span: Span, guess: Option<impl Into<String>>) -> Self {
        let Some(guess) = guess.map(Into::into) else { return self };
        let message = format!("did you mean `{guess}`?");
        self.fix(span, guess, message)
    }

    /// Whether it keeps a module from being made.
    pub fn is_error(&self) -> bool {
        self.severity >= Severity::Error
    }
}

/// A number of things: "1 argument", "2 arguments".
pub fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// What a list of another length lacks: "1 argument too many", "2 components missing".
pub fn miscounted(given: usize, wanted: usize, thing: &str) -> String {
    match given.checked_sub(wanted) {
        Some(surplus) => format!("{} too many", counted(surplus, thing)),
        None => format!("{} missing", counted(wanted - given, thing)),
    }
}

/// The closest of `candidates` to `name`, if close enough that a slip of the keyboard explains it:
/// an edit distance of at most a third of the length, where two neighbours that changed places are
/// one edit, and so are letters in the wrong case, however many.
pub fn did_you_mean<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Underscores around a name do not make it easier to misspell.
    let limit = (name.trim_matches('_').chars().count() / 3).max(1);
    // Any letter is one slip away from any other: that explains nothing.
    name.chars().nth(1)?;
    candidates
        .filter(|candidate| candidate.len() > 1)
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= limit && *candidate != name)
        .map(|candidate| match candidate.eq_ignore_ascii_case(name) {
            true => (1, candidate),
            false => (edit_distance(name, candidate, limit), candidate),
        })
        .filter(|&(distance, _)| distance <= limit)
        // Of equally close names the one of the same letters: they changed places.
        .min_by_key(|&(distance, candidate)| {
            (distance, letters(candidate) != letters(name), candidate)
        })
        .map(|(_, candidate)| candidate)
}

fn letters(name: &str) -> Vec<u8> {
    let mut letters = name.as_bytes().to_vec();
    letters.sort_unstable();
    letters
}

/// Optimal string alignment distance; stops early once it must exceed `limit`.
fn edit_distance(a: &str, b: &str, limit: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before = vec![0; b.len() + 1];
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    let mut current = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        current[0] = i;
        for j in 1..=b.len() {
            let substitution = previous[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            current[j] = substitution.min(previous[j] + 1).min(current[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                current[j] = current[j].min(before[j - 2] + 1);
            }
        }
        if current.iter().min().is_some_and(|&least| least > limit) {
            return limit + 1;
        }
        std::mem::swap(&mut before, &mut previous);
        std::mem::swap(&mut previous, &mut current);
    }
    previous[b.len()]
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn slips_of_the_keyboard_are_found() {
        let names = ["get_global_id", "get_local_id", "clamp", "barrier"];
        let guess = |name| did_you_mean(name, names.iter().copied());
        assert_eq!(guess("get_globl_id"), Some("get_global_id"));
        assert_eq!(guess("calmp"), Some("clamp"));
        assert_eq!(guess("CLAMP"), Some("clamp"));
        assert_eq!(did_you_mean("fp46", ["fp16", "fp64"].into_iter()), Some("fp64"));
        assert_eq!(guess("frobnicate"), None);
        let keyword = |name| did_you_mean(name, ["__signed__", "__kernel"].into_iter());
        assert_eq!(keyword("__shared__"), None);
        assert_eq!(keyword("__kernle"), Some("__kernel"));
        let letters = |name| did_you_mean(name, ["a", "n", "xy"].into_iter());
        assert_eq!(letters("m"), None);
        assert_eq!(letters("an"), None);
        assert_eq!(letters("xz"), Some("xy"));
    }
}
