//! `-W` options: which diagnostics are shown, and as what.

use clc_base::{Code, Diagnostic, Level, Severity};

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
    /// `-Wall`, `-Wextra`, `-Weverything`: all up to this level.
    Level(Level),
    /// Warnings about one thing, under the name that other compilers give to the group.
    Family(&'static [&'static str]),
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

/// Groups of warnings by the names that other compilers have for them. `unused` leaves parameters
/// out, as it does there.
const FAMILIES: &[(&str, &[&str])] = &[
    (
        "unused",
        &[
            "unused-variable",
            "unused-but-set-variable",
            "unused-function",
            "unused-label",
            "unused-local-typedef",
            "unused-value",
        ],
    ),
    (
        "parentheses",
        &[
            "parentheses",
            "logical-op-parentheses",
            "shift-op-parentheses",
            "bitwise-op-parentheses",
            "dangling-else",
        ],
    ),
    ("uninitialized", &["uninitialized", "sometimes-uninitialized"]),
    (
        "conversion",
        &[
            "constant-conversion",
            "double-literal",
            "implicit-float-conversion",
            "float-conversion",
            "implicit-int-conversion",
            "implicit-int-float-conversion",
            "shorten-64-to-32",
            "sign-conversion",
        ],
    ),
    (
        "tautological-compare",
        &[
            "tautological-compare",
            "tautological-constant-out-of-range-compare",
            "tautological-pointer-compare",
            "tautological-unsigned-zero-compare",
        ],
    ),
    (
        "type-limits",
        &["tautological-unsigned-zero-compare", "tautological-constant-out-of-range-compare"],
    ),
    ("barrier", &["divergent-barrier", "missing-barrier"]),
    // What programs do that the standard has not, and that compilers take without a word. What else it does not
    // allow is an error here, or a warning that is on.
    ("pedantic", &["gnu-empty-struct", "return-void-expression"]),
];

/// A `-W` name that names no warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWarning {
    /// Without `-W` and `no-`.
    pub name: String,
    /// The known name that is most alike, if one is.
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
        let level = match name {
            "all" | "most" => Some(Level::All),
            "extra" => Some(Level::Extra),
            "everything" => Some(Level::Everything),
            _ => None,
        };
        if let Some(level) = level {
            self.settings.push((Group::Level(level), setting));
            return Ok(());
        }
        if let Some((_, members)) = FAMILIES.iter().find(|(family, _)| *family == name) {
            self.settings.push((Group::Family(members), setting));
            return Ok(());
        }
        let known = || codes::all().filter(|code| code.severity == Severity::Warning);
        if !known().any(|code| code.name == name || code.id == name) {
            let groups = ["all", "extra", "everything", "error"];
            let families = FAMILIES.iter().map(|&(family, _)| family);
            let names = known().map(|code| code.name).chain(groups).chain(families);
            let suggestion = clc_base::diagnostic::did_you_mean(name, names);
            return Err(UnknownWarning { name: name.to_owned(), suggestion });
        }
        self.settings.push((Group::Named(name.to_owned()), setting));
        Ok(())
    }

    /// What a warning of `code` is shown as; `None` if it is off.
    pub fn severity(&self, code: &Code) -> Option<Severity> {
        if self.silent {
            return None;
        }
        let mut on = code.level == Level::Default;
        let mut error = false;
        // The narrower name decides over the wider one, wherever it stands.
        for precision in 0..3 {
            for (group, setting) in &self.settings {
                let (level, matches) = match group {
                    Group::Enabled => (0, true),
                    Group::Level(level) => (0, code.level <= *level),
                    Group::Family(members) => (1, members.contains(&code.name)),
                    Group::Named(name) => (2, *name == code.name || *name == code.id),
                };
                if level != precision || !matches {
                    continue;
                }
                match setting {
                    Setting::On => on = true,
                    Setting::Off => on = false,
                    Setting::AsError => {
                        error = true;
                        on |= *group != Group::Enabled;
                    }
                    Setting::NotAsError => error = false,
                }
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
        Diagnostic::without_place(
            &codes::E0901,
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

    static EXTRA: Code = Code::extra("W9997", "often", "");
    static TASTE: Code = Code::pedantic("W9996", "never", "");

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
        assert_eq!(with(&[(Group::Level(Level::All), On)]).severity(&LINT), warning);
        assert_eq!(with(&[(Group::Level(Level::All), On)]).severity(&EXTRA), None);
        assert_eq!(with(&[(Group::Level(Level::Extra), On)]).severity(&EXTRA), warning);
        assert_eq!(with(&[(Group::Level(Level::Extra), On)]).severity(&TASTE), None);
        assert_eq!(with(&[(Group::Level(Level::Everything), On)]).severity(&TASTE), warning);
        assert_eq!(with(&[(Group::Level(Level::All), AsError)]).severity(&LINT), error);
        let family = [(Group::Family(&["sometimes"]), Off), (Group::Level(Level::All), On)];
        assert_eq!(with(&family).severity(&LINT), None);
        assert_eq!(with(&[(Group::Enabled, AsError)]).severity(&ON), error);
        assert_eq!(with(&[(Group::Enabled, AsError)]).severity(&LINT), None);
        assert_eq!(with(&[(named("sometimes"), AsError)]).severity(&LINT), error);
        assert_eq!(
            with(&[(named("always"), Off), (Group::Level(Level::All), On)]).severity(&ON),
            None
        );
        let both = with(&[(Group::Enabled, AsError), (named("W9998"), NotAsError)]);
        assert_eq!(both.severity(&ON), warning);
    }

    #[test]
    fn groups_name_warnings_that_exist() {
        for (family, members) in FAMILIES {
            assert!(WarningOptions::default().add(family).is_ok());
            for member in *members {
                assert!(codes::all().any(|code| code.name == *member), "{family}: {member}");
            }
        }
    }

    #[test]
    fn what_the_standard_has_not_is_quiet_until_it_is_asked_for() {
        let severity = |options: &[&str], code| {
            let mut all = WarningOptions::default();
            options.iter().for_each(|option| all.add(option).expect("known"));
            all.severity(codes::all().find(|known| known.id == code).expect("a code"))
        };
        for code in ["W0211", "W0451"] {
            assert_eq!(severity(&[], code), None);
            assert_eq!(severity(&["all", "extra", "error"], code), None);
            assert_eq!(severity(&["pedantic"], code), Some(Severity::Warning));
            assert_eq!(severity(&["everything"], code), Some(Severity::Warning));
            assert_eq!(severity(&["everything", "no-pedantic"], code), None);
        }
        assert_eq!(severity(&["return-void-expression"], "W0451"), Some(Severity::Warning));
        assert_eq!(severity(&["pedantic"], "W0827"), None);
    }

    #[test]
    fn unknown_names_are_reported_with_a_guess() {
        let mut options = WarningOptions::default();
        assert!(options.add("error").is_ok());
        assert!(options.add("no-such-warning-anywhere").is_err());
        let unknown = options.add("no-unused-varable").expect_err("no such warning");
        assert_eq!(unknown.suggestion, Some("unused-variable"));
        assert_eq!(options.add("al").expect_err("none").suggestion, Some("all"));
    }

    #[test]
    fn the_error_limit_counts_what_it_hides() {
        let error = || Diagnostic::without_place(&codes::E0901, "x");
        let mut many: Vec<Diagnostic> = (0..7).map(|_| error()).collect();
        limit_errors(&mut many, 7);
        assert_eq!(many.len(), 7);
        limit_errors(&mut many, 5);
        assert_eq!(many.len(), 6);
        assert!(many[5].message.contains("2 more"));
    }
}
