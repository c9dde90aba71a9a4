//! The options of a source: from `clc.toml`, from `compile_commands.json`, or none.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clc_base::diagnostic::did_you_mean;
use toml::de::{DeTable, DeValue};

use clc::fs::FileResolver;
use clc::{Options, WarningOptions, cli};

/// How a source is compiled.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    pub options: Options,
    pub resolver: FileResolver,
}

/// Something that is wrong with a `clc.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    /// The bytes that are wrong.
    pub range: Range<usize>,
    pub message: String,
    /// What was meant there.
    pub replacement: Option<String>,
}

/// The name of the file with options.
pub(super) const FILE: &str = "clc.toml";
const COMMANDS: &str = "compile_commands.json";

const KEYS: &[&str] =
    &["defines", "files", "include-dirs", "options", "std", "target-env", "warnings"];
const FILE_KEYS: &[&str] =
    &["defines", "include-dirs", "match", "options", "std", "target-env", "warnings"];

/// The files with options that were read, by path, with the time of their last change.
#[derive(Default)]
pub(super) struct Cache {
    files: HashMap<PathBuf, (Option<SystemTime>, String)>,
}

impl Cache {
    /// The nearest file of one of these names in the folders around a path, and its text.
    fn nearest(&mut self, path: &Path, names: &[&str]) -> Option<(PathBuf, &str)> {
        let found = path.ancestors().skip(1).find_map(|folder| {
            let files = names.iter().map(|name| folder.join(name));
            files.map(|file| (std::fs::metadata(&file), file)).find_map(|(meta, file)| {
                let meta = meta.ok().filter(std::fs::Metadata::is_file)?;
                Some((file, meta.modified().ok()))
            })
        });
        let (file, changed) = found?;
        let known = self.files.get(&file).is_some_and(|(at, _)| at.is_some() && *at == changed);
        if !known {
            let text = std::fs::read_to_string(&file).ok()?;
            self.files.insert(file.clone(), (changed, text));
        }
        let text = self.files.get(&file).map(|(_, text)| text.as_str())?;
        Some((file, text))
    }

    /// How the source at `path` is compiled, and the `clc.toml` that says so. `open` has the text of
    /// files that are open in the editor.
    pub fn settings(
        &mut self,
        path: &Path,
        open: &dyn Fn(&Path) -> Option<String>,
    ) -> (Settings, Option<(PathBuf, String, Vec<Problem>)>) {
        if let Some((file, text)) = self.nearest(path, &[FILE]) {
            let text = open(&file).unwrap_or_else(|| text.to_owned());
            let (settings, problems) = from_toml(&text, &file, path);
            return (settings, Some((file, text, problems)));
        }
        let commands = [COMMANDS, "build/compile_commands.json"];
        let found = self.nearest(path, &commands);
        let settings = found.and_then(|(_, text)| from_commands(text, path)).unwrap_or_default();
        (settings, None)
    }
}

/// The options that `text`, the `clc.toml` at `file`, has for a source, and what is wrong with it. What
/// is wrong has no effect.
pub(super) fn from_toml(text: &str, file: &Path, source: &Path) -> (Settings, Vec<Problem>) {
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut reader = Reader { folder, problems: Vec::new(), groups: Vec::new() };
    match DeTable::parse(text) {
        Ok(table) => reader.table(table.get_ref(), KEYS, source),
        Err(error) => reader.problem(error.span().unwrap_or(0..0), error.message().to_owned()),
    }
    let Reader { mut problems, groups, .. } = reader;
    // Group by group, to say which is wrong.
    let mut arguments: Vec<String> = Vec::new();
    let mut settings = Settings::default();
    for (range, group) in groups {
        let mut more = arguments.clone();
        more.extend(group);
        match cli::Request::of_options(&more) {
            Ok(request) => {
                settings = Settings { options: request.options, resolver: request.resolver };
                arguments = more;
            }
            Err(error) => {
                let message = first_line(&error);
                problems.push(Problem { range, message, replacement: None });
            }
        }
    }
    (settings, problems)
}

fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or(text);
    line.trim_start_matches("error: ").to_owned()
}

struct Reader<'a> {
    folder: &'a Path,
    problems: Vec<Problem>,
    /// Arguments with the value that they are made of.
    groups: Vec<(Range<usize>, Vec<String>)>,
}

impl Reader<'_> {
    fn problem(&mut self, range: Range<usize>, message: String) {
        self.problems.push(Problem { range, message, replacement: None });
    }

    fn table(&mut self, table: &DeTable<'_>, keys: &[&str], source: &Path) {
        // What is said of some files is stronger than what is said of all.
        let (sections, plain): (Vec<_>, Vec<_>) =
            table.iter().partition(|(key, _)| key.get_ref().as_ref() == "files");
        for (key, value) in plain.into_iter().chain(sections) {
            let name: &str = key.get_ref();
            if !keys.contains(&name) {
                let replacement = did_you_mean(name, keys.iter().copied()).map(str::to_owned);
                let message = match &replacement {
                    Some(known) => format!("there is no key `{name}`; did you mean `{known}`?"),
                    None => format!("there is no key `{name}`; known are {}", keys.join(", ")),
                };
                self.problems.push(Problem { range: key.span(), message, replacement });
                continue;
            }
            let span = value.span();
            match (name, value.get_ref()) {
                ("match", DeValue::String(_)) => {}
                ("std", DeValue::String(text)) => {
                    self.groups.push((span, vec![format!("-cl-std={text}")]));
                }
                ("target-env", DeValue::String(text)) => {
                    self.groups.push((span, vec![format!("--target-env={text}")]));
                }
                ("std" | "target-env" | "match", _) => {
                    self.problem(span, format!("`{name}` is a text"));
                }
                ("files", DeValue::Array(sections)) => {
                    for section in sections.iter() {
                        match section.get_ref() {
                            DeValue::Table(table) => self.section(table, section.span(), source),
                            _ => self.problem(section.span(), "a table is needed here".to_owned()),
                        }
                    }
                }
                (_, DeValue::Array(items)) if name != "files" => {
                    for item in items.iter() {
                        match item.get_ref() {
                            DeValue::String(text) => {
                                if name == "warnings" {
                                    self.check_warning(text, item.span());
                                }
                                let arguments = self.arguments(name, text);
                                self.groups.push((item.span(), arguments));
                            }
                            _ => self.problem(item.span(), "a text is needed here".to_owned()),
                        }
                    }
                }
                _ => self.problem(span, format!("`{name}` is a list")),
            }
        }
    }

    /// `[[files]]`: options of the sources that `match` names.
    fn section(&mut self, table: &DeTable<'_>, span: Range<usize>, source: &Path) {
        let pattern = table.get("match").map(|value| value.get_ref());
        let Some(DeValue::String(pattern)) = pattern else {
            return self.problem(span, "`match` says which files are meant".to_owned());
        };
        let path = source.strip_prefix(self.folder).unwrap_or(source);
        let path = path.to_string_lossy().replace('\\', "/");
        let is_meant = matches(pattern, &path);
        let groups = self.groups.len();
        self.table(table, FILE_KEYS, source);
        if !is_meant {
            self.groups.truncate(groups);
        }
    }

    fn check_warning(&mut self, text: &str, span: Range<usize>) {
        let Err(unknown) = WarningOptions::default().add(text) else { return };
        let message = format!("`{}` names no warning", unknown.name);
        let guess = unknown.suggestion.map(|guess| {
            let prefix = &text[..text.len().saturating_sub(unknown.name.len())];
            format!("\"{prefix}{guess}\"")
        });
        self.problems.push(Problem { range: span, message, replacement: guess });
    }

    fn arguments(&self, key: &str, text: &str) -> Vec<String> {
        match key {
            "defines" => vec![format!("-D{text}")],
            "warnings" => vec![format!("-W{text}")],
            "include-dirs" => vec![format!("-I{}", self.folder.join(text).display())],
            // Folders are those beside the file.
            _ => match text.strip_prefix("-I") {
                Some(folder) if !folder.is_empty() => {
                    vec![format!("-I{}", self.folder.join(folder).display())]
                }
                _ => vec![text.to_owned()],
            },
        }
    }
}

/// Whether a path is one that a pattern means: `*` is any part of a name, `**` any folders, `?` one
/// character. A pattern without a folder means files of that name anywhere.
fn matches(pattern: &str, path: &str) -> bool {
    if !pattern.contains('/') {
        let name = path.rsplit('/').next().unwrap_or(path);
        return matches_from(pattern.as_bytes(), name.as_bytes(), &mut 0);
    }
    matches_from(pattern.as_bytes(), path.as_bytes(), &mut 0)
}

/// Steps of the comparison before a pattern counts as one that does not match.
const MOST_STEPS: u32 = 100_000;

fn matches_from(pattern: &[u8], path: &[u8], steps: &mut u32) -> bool {
    *steps += 1;
    if *steps > MOST_STEPS {
        return false;
    }
    match pattern {
        [] => path.is_empty(),
        [b'*', b'*', b'/', rest @ ..] => {
            let behind = |at: usize| at == 0 || path[at - 1] == b'/';
            (0..=path.len()).any(|at| behind(at) && matches_from(rest, &path[at..], steps))
        }
        [b'*', b'*', rest @ ..] => {
            (0..=path.len()).any(|at| matches_from(rest, &path[at..], steps))
        }
        [b'*', rest @ ..] => {
            let end = path.iter().position(|&byte| byte == b'/').unwrap_or(path.len());
            (0..=end).any(|at| matches_from(rest, &path[at..], steps))
        }
        [b'?', rest @ ..] => {
            path.first().is_some_and(|&byte| byte != b'/') && matches_from(rest, &path[1..], steps)
        }
        [first, rest @ ..] => path.first() == Some(first) && matches_from(rest, &path[1..], steps),
    }
}

/// The options that a compilation database has for a source: those that decide what it means.
pub(super) fn from_commands(text: &str, source: &Path) -> Option<Settings> {
    let entries: serde_json::Value = serde_json::from_str(text).ok()?;
    let entry = entries.as_array()?.iter().find(|entry| {
        let file = entry.get("file").and_then(|file| file.as_str());
        let folder = entry.get("directory").and_then(|folder| folder.as_str()).unwrap_or("");
        file.is_some_and(|file| tidy(&Path::new(folder).join(file)) == tidy(source))
    })?;
    let folder = Path::new(entry.get("directory").and_then(|folder| folder.as_str()).unwrap_or(""));
    let words: Vec<String> = match (entry.get("arguments"), entry.get("command")) {
        (Some(arguments), _) => {
            let words = arguments.as_array()?.iter().filter_map(|word| word.as_str());
            words.map(str::to_owned).collect()
        }
        (None, Some(command)) => split(command.as_str()?),
        (None, None) => return None,
    };
    let (all, few) = meaningful(&words, folder);
    // What this compiler does not know must not take the rest with it.
    let request =
        cli::Request::of_options(&all).or_else(|_| cli::Request::of_options(&few)).ok()?;
    Some(Settings { options: request.options, resolver: request.resolver })
}

/// Of the arguments of a compiler those that decide what a source means; and those of them that every
/// compiler knows.
fn meaningful(words: &[String], folder: &Path) -> (Vec<String>, Vec<String>) {
    let (mut all, mut few) = (Vec::new(), Vec::new());
    let mut words = words.iter().skip(1).map(String::as_str);
    while let Some(word) = words.next() {
        let taken = ["-isystem", "-include", "-I", "-D", "-U"].into_iter().find_map(|option| {
            let value = word.strip_prefix(option)?;
            // `-includes` is no `-include`, but `-Ifolder` is `-I`.
            (value.is_empty() || option.len() == 2).then_some((option, value))
        });
        if let Some((option, value)) = taken {
            let value = match value {
                "" => words.next().unwrap_or(""),
                value => value,
            };
            let value = match option {
                "-I" | "-isystem" => folder.join(value).display().to_string(),
                _ => value.to_owned(),
            };
            few.extend([option.to_owned(), value.clone()]);
            all.extend([option.to_owned(), value]);
        } else if let Some(version) = word.strip_prefix("-std=cl").or(word.strip_prefix("-std=CL"))
        {
            all.push(format!("-cl-std=CL{version}"));
            few.push(format!("-cl-std=CL{version}"));
        } else if word.starts_with("-cl-std=") {
            all.push(word.to_owned());
            few.push(word.to_owned());
        } else if word.starts_with("-cl-")
            || word.starts_with("-W") && !word.contains(',')
            || word.starts_with("--target-env=")
            || word.starts_with("--address-bits=")
            || matches!(word, "-w" | "-m32" | "-m64" | "-trigraphs")
        {
            all.push(word.to_owned());
        } else if matches!(word, "-o" | "-MF" | "-MT" | "-MQ" | "-x" | "-target" | "-Xclang") {
            words.next();
        }
    }
    (all, few)
}

/// A command line as a shell cuts it.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                word.get_or_insert_default().extend(characters.next());
            }
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// Without `.` and `..`, as far as the text of the path says.
fn tidy(path: &Path) -> PathBuf {
    let mut tidied = PathBuf::new();
    for component in path.components() {
        match component {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                tidied.pop();
            }
            other => tidied.push(other),
        }
    }
    tidied
}

#[cfg(test)]
mod tests {
    use super::*;
    use clc::{CommandLineMacro, Version};

    fn read(text: &str, source: &str) -> (Settings, Vec<Problem>) {
        from_toml(text, Path::new("/p/clc.toml"), Path::new(source))
    }

    #[test]
    fn options_come_from_the_file() {
        let text = "std = \"CL2.0\"\ntarget-env = \"opencl2.0\"\ndefines = [\"N=4\"]\n\
                    include-dirs = [\"inc\"]\n\
                    options = [\"-cl-fast-relaxed-math\", \"-Iown\"]\n\
                    warnings = [\"all\"]\n\
                    [[files]]\nmatch = \"old/*.cl\"\nstd = \"CL1.1\"\n";
        let (settings, problems) = read(text, "/p/a.cl");
        assert_eq!(problems, []);
        assert_eq!(settings.options.version, Version::V2_0);
        assert!(settings.options.float.fast_relaxed_math);
        let folders = ["/p/inc", "/p/own"].map(Path::new);
        assert_eq!(settings.resolver.include_dirs, folders);
        let define = CommandLineMacro::Define("N".to_owned(), Some("4".to_owned()));
        assert_eq!(settings.options.macros, [define]);
        let (settings, _) = read(text, "/p/old/a.cl");
        assert_eq!(settings.options.version, Version::V1_1);
    }

    #[test]
    fn what_is_wrong_is_said_and_the_rest_holds() {
        let text = "sdt = \"CL2.0\"\ndefines = [\"N\", 3]\ntarget-env = \"vulkan9\"\n\
                    warnings = [\"no-unused-variabel\"]\n";
        let (settings, problems) = read(text, "/p/a.cl");
        assert_eq!(settings.options.macros.len(), 1);
        let said: Vec<(&str, Option<&str>)> = problems
            .iter()
            .map(|problem| (&text[problem.range.clone()], problem.replacement.as_deref()))
            .collect();
        assert_eq!(said.len(), 4, "{problems:?}");
        let warning = "\"no-unused-variabel\"";
        assert!(said.contains(&(warning, Some("\"no-unused-variable\""))), "{said:?}");
        assert!(said.contains(&("sdt", Some("std"))), "{said:?}");
        assert!(said.contains(&("3", None)) && said.contains(&("\"vulkan9\"", None)), "{said:?}");
        assert_eq!(read("std = ", "/p/a.cl").1.len(), 1);
        assert_eq!(read("[[files]]\nstd = \"CL2.0\"", "/p/a.cl").1.len(), 1);
        assert_eq!(read("std = 3\noptions = \"-w\"\nfiles = [1]", "/p/a.cl").1.len(), 3);
    }

    #[test]
    fn patterns_mean_files() {
        for (pattern, path, is_meant) in [
            ("*.cl", "a/b.cl", true),
            ("a/*.cl", "a/b.cl", true),
            ("a/*.cl", "a/c/b.cl", false),
            ("a/**/*.cl", "a/c/d/b.cl", true),
            ("a/**/*.cl", "a/b.cl", true),
            ("**/x?.cl", "x1.cl", true),
            ("x?.cl", "x.cl", false),
            ("b.cl", "b.clh", false),
            ("a/**", "a/c/b.cl", true),
            ("a/**", "b/c/a.cl", false),
            ("a/**b.cl", "a/c/sub.cl", true),
        ] {
            assert_eq!(matches(pattern, path), is_meant, "{pattern} {path}");
        }
        assert!(!matches(&("*a".repeat(40) + "b"), &"a".repeat(4000)));
    }

    #[test]
    fn compilation_databases_are_understood() {
        let text = r#"[{ "directory": "/b", "file": "../p/./a.cl",
            "command": "clang-22 -x cl -std=CL2.0 -D\"N=1 2\" -I inc -O3 -march=native -include x.h -c ../p/a.cl -o a.spv" }]"#;
        let settings = from_commands(text, Path::new("/p/a.cl")).unwrap();
        assert_eq!(settings.options.version, Version::V2_0);
        let define = CommandLineMacro::Define("N".to_owned(), Some("1 2".to_owned()));
        assert_eq!(settings.options.macros, [define]);
        assert_eq!(settings.resolver.include_dirs, [Path::new("/b/inc")]);
        assert_eq!(settings.options.force_includes, ["x.h"]);
        assert!(from_commands(text, Path::new("/p/b.cl")).is_none());
        assert!(from_commands("[{", Path::new("/p/b.cl")).is_none());
        let text = r#"[{ "directory": "/b", "file": "a.cl", "arguments": ["clc", "-cl-no-such", "-DX", "a.cl"] }]"#;
        assert_eq!(from_commands(text, Path::new("/b/a.cl")).unwrap().options.macros.len(), 1);
        let text = r#"[{ "directory": "/b", "file": "a.cl" }]"#;
        assert!(from_commands(text, Path::new("/b/a.cl")).is_none());
    }

    #[test]
    fn paths_are_compared_without_their_detours() {
        for (path, tidied) in [("./a/./b", "a/b"), ("/a/b/../c", "/a/c"), ("/../a", "/a")] {
            assert_eq!(tidy(Path::new(path)), Path::new(tidied));
        }
    }

    #[test]
    fn command_lines_are_cut_as_a_shell_cuts_them() {
        for (line, words) in [
            (r"clc  -DA=1\ 2 a.cl ", vec!["clc", "-DA=1 2", "a.cl"]),
            (r#"clc "-DA=\"x y\"" '' b\\c"#, vec!["clc", "-DA=\"x y\"", "", r"b\c"]),
            (r#"clc '-DA="\n"'"#, vec!["clc", r#"-DA="\n""#]),
            ("", vec![]),
        ] {
            assert_eq!(split(line), words, "{line}");
        }
    }
}
