//! `-W` options: which diagnostics are shown, and as what.

use clc_base::{Code, Diagnostic, Severity, Span};

use crate::codes;

/// The effect of all `-W…` and `-w` options, in the order given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WarningOptions {
    /// `-w`: no warnings at all; stronger than everything else.
    pub silent: bool,
    settings: Vec<(Group, Setting)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Group {
    /// `-Wall`, `-Wextra`, `-Weverything`: the lints too.
    All,
    /// Every warning that is on: `-Werror`, `-Wno-error`.
    Enabled,
    Named(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Setting {
    On,
    Off,
    AsError,
    NotAsError,
}

/// A `-W` name that names no warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWarning {
    pub name: String,
    pub suggestion: Option<&'static str>,
}

impl WarningOptions {
    /// Adds the option `-W<text>`: `all`, `name`, `no-name`, `error`, `error=name`,
    /// `no-error=name`. Names are those of [`Code::name`]; identifiers (`W0107`) do too.
    pub fn add(&mut self, text: &str) -> Result<(), UnknownWarning> {
        let (text, positive) = match text.strip_prefix("no-") {
            Some(rest) => (rest, false),
            None => (text, true),
        };
        let on = if positive { Setting::On } else { Setting::Off };
        let error = if positive { Setting::AsError } else { Setting::NotAsError };
        let (name, setting) = match text.split_once('=') {
            Some(("error", name)) => (name, error),
            _ if text == "error" => {
                self.settings.push((Group::Enabled, error));
                return Ok(());
            }
            _ => (text, on),
        };
        if matches!(name, "all" | "extra" | "everything" | "pedantic") {
            self.settings.push((Group::All, setting));
            return Ok(());
        }
        let known = || codes::all().filter(|code| code.severity == Severity::Warning);
        if !known().any(|code| code.name == name || code.id == name) {
            let suggestion =
                clc_base::diagnostic::did_you_mean(name, known().map(|code| code.name));
            return Err(UnknownWarning { name: name.to_owned(), suggestion });
        }
        self.settings.push((Group::Named(name.to_owned()), setting));
        Ok(())
    }

    /// What a warning of `code` is shown as; `None` if it is off.
    fn severity(&self, code: &Code) -> Option<Severity> {
        if self.silent {
            return None;
        }
        let mut on = code.on_by_default;
        let mut error = false;
        // A name given by itself decides over a group, wherever it stands.
        let (groups, names): (Vec<_>, Vec<_>) =
            self.settings.iter().partition(|(group, _)| !matches!(group, Group::Named(_)));
        for (group, setting) in groups.into_iter().chain(names) {
            if let Group::Named(name) = group
                && name != code.name
                && name != code.id
            {
                continue;
            }
            match setting {
                Setting::On => on = true,
                Setting::Off => on = false,
                Setting::AsError => {
                    error = true;
                    on |= matches!(group, Group::Named(_));
                }
                Setting::NotAsError => error = false,
            }
        }
        on.then_some(if error { Severity::Error } else { Severity::Warning })
    }

    /// Drops the warnings that are off and raises those that are errors.
    pub fn apply(&self, diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.retain_mut(|diagnostic| {
            if diagnostic.severity != Severity::Warning {
                return true;
            }
            match self.severity(diagnostic.code) {
                Some(severity) => {
                    diagnostic.severity = severity;
                    true
                }
                None => false,
            }
        });
    }
}

/// Cuts the list behind `limit` errors (0: no limit) and says so.
pub fn limit_errors(diagnostics: &mut Vec<Diagnostic>, limit: usize) {
    if limit == 0 {
        return;
    }
    let last = diagnostics
        .iter()
        .enumerate()
        .filter(|(_, diagnostic)| diagnostic.is_error())
        .map(|(index, _)| index)
        .nth(limit - 1);
    let Some(last) = last else { return };
    let left = diagnostics[last + 1..].iter().filter(|diagnostic| diagnostic.is_error()).count();
    if left == 0 {
        return;
    }
    diagnostics.truncate(last + 1);
    diagnostics.push(
        Diagnostic::new(
            &codes::E0901,
            Span::NONE,
            format!("too many errors; {left} more are not shown"),
        )
        .help("`--error-limit=0` shows all of them"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    static ON: Code = Code::warning("W9998", "always", "");
    static LINT: Code = Code::lint("W9999", "sometimes", "");

    fn with(settings: &[(Group, Setting)]) -> WarningOptions {
        WarningOptions { silent: false, settings: settings.to_vec() }
    }

    #[test]
    fn groups_and_names_combine_as_in_other_compilers() {
        use Setting::*;
        let named = |name: &str| Group::Named(name.into());
        let warning = Some(Severity::Warning);
        let error = Some(Severity::Error);
        assert_eq!(with(&[]).severity(&ON), warning);
        assert_eq!(with(&[]).severity(&LINT), None);
        assert_eq!(with(&[(Group::All, On)]).severity(&LINT), warning);
        assert_eq!(with(&[(Group::Enabled, AsError)]).severity(&ON), error);
        assert_eq!(with(&[(Group::Enabled, AsError)]).severity(&LINT), None);
        assert_eq!(with(&[(named("sometimes"), AsError)]).severity(&LINT), error);
        assert_eq!(with(&[(named("always"), Off), (Group::All, On)]).severity(&ON), None);
        let both = with(&[(Group::Enabled, AsError), (named("W9998"), NotAsError)]);
        assert_eq!(both.severity(&ON), warning);
    }

    #[test]
    fn unknown_names_are_reported_with_a_guess() {
        let mut options = WarningOptions::default();
        assert!(options.add("error").is_ok());
        assert!(options.add("no-such-warning-anywhere").is_err());
    }

    #[test]
    fn the_error_limit_counts_what_it_hides() {
        let error = || Diagnostic::new(&codes::E0901, Span::NONE, "x");
        let mut many: Vec<Diagnostic> = (0..7).map(|_| error()).collect();
        limit_errors(&mut many, 7);
        assert_eq!(many.len(), 7);
        limit_errors(&mut many, 5);
        assert_eq!(many.len(), 6);
        assert!(many[5].message.contains("2 more"));
    }
}
