//! What is different between two modules.
//!
//! Their tables are compared line by line, and their functions by name, instruction by instruction.
//! Numbers of ids mean nothing: two instructions are the same if operation and literals are, and if
//! that is so for the instructions that make their operands, two levels deep. One more instruction in
//! a function is therefore one more line, and not a change of everything that follows.

use std::collections::hash_map::DefaultHasher;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use similar::{Algorithm, DiffTag, capture_diff_slices_deadline, group_diff_ops};

use super::table::clean;

/// Lines around a difference.
const CONTEXT: usize = 3;

/// After this a difference is shown that may be larger than needed.
const PATIENCE: Duration = Duration::from_secs(5);

/// Levels of operands that make an instruction what it is.
const LEVELS: usize = 2;

/// A module to compare.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// What to call it.
    pub name: &'a str,
    /// Its table without a name and colours ([`table`](super::table)).
    pub table: &'a str,
    /// The module as text, or why there is none ([`clc_spirv::try_disassemble`]).
    pub text: Result<&'a str, &'a String>,
}

/// The differences between two modules as text, or `None` if there are none.
pub fn diff(a: Compared<'_>, b: Compared<'_>, color: bool) -> Option<String> {
    let deadline = Instant::now() + PATIENCE;
    let mut out = Out { text: String::new(), color, deadline };
    out.compare("description", &plain(a.table), &plain(b.table));
    match (a.text, b.text) {
        (Ok(a_text), Ok(b_text)) => out.functions((a.name, a_text), (b.name, b_text)),
        (Err(reason), _) | (_, Err(reason)) => {
            out.line("36", "@@ ", &format!("functions are not compared: of one module, {reason}"));
        }
    }
    if out.text.is_empty() {
        return None;
    }
    Some(format!("--- {}\n+++ {}\n{}", clean(a.name), clean(b.name), out.text))
}

/// A line, and what makes it the same as another.
struct Line<'a> {
    text: &'a str,
    key: u64,
}

struct Function<'a> {
    name: String,
    lines: Vec<Line<'a>>,
}

struct Out {
    text: String,
    color: bool,
    deadline: Instant,
}

impl Out {
    fn line(&mut self, color: &str, prefix: &str, text: &str) {
        let text = clean(text);
        let _ = match self.color && !color.is_empty() {
            true => writeln!(self.text, "\x1b[{color}m{prefix}{text}\x1b[0m"),
            false => writeln!(self.text, "{prefix}{text}"),
        };
    }

    fn functions(&mut self, a: (&str, &str), b: (&str, &str)) {
        let (a_name, b_name) = (a.0, b.0);
        let (a, b) = (functions(a.1), functions(b.1));
        let mut left: FxHashMap<&str, &Function<'_>> =
            b.iter().map(|function| (&*function.name, function)).collect();
        for function in &a {
            let heading = format!("function {}", function.name);
            match left.remove(&*function.name) {
                Some(other) => self.compare(&heading, &function.lines, &other.lines),
                None => self.only(&heading, a_name),
            }
        }
        for function in b.iter().filter(|function| left.contains_key(&*function.name)) {
            self.only(&format!("function {}", function.name), b_name);
        }
    }

    fn only(&mut self, what: &str, module: &str) {
        self.line("36", "@@ ", &format!("{what}: only in {module}"));
    }

    fn compare(&mut self, what: &str, a: &[Line<'_>], b: &[Line<'_>]) {
        let keys = |lines: &[Line<'_>]| lines.iter().map(|line| line.key).collect::<Vec<u64>>();
        let ops =
            capture_diff_slices_deadline(Algorithm::Myers, &keys(a), &keys(b), Some(self.deadline));
        for group in group_diff_ops(ops, CONTEXT) {
            self.line("36", "@@ ", what);
            for op in group {
                let (tag, old, new) = op.as_tag_tuple();
                if tag == DiffTag::Equal {
                    a[old].iter().for_each(|line| self.line("", "  ", line.text));
                    continue;
                }
                a[old].iter().for_each(|line| self.line("31", "- ", line.text));
                b[new].iter().for_each(|line| self.line("32", "+ ", line.text));
            }
        }
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn plain(text: &str) -> Vec<Line<'_>> {
    text.lines().map(|line| Line { text: line, key: hash(line) }).collect()
}

/// A word of a line of assembly.
#[derive(Clone, Copy)]
enum Word<'a> {
    Id(u32),
    Other(&'a str),
}

/// The words of a line; a string is one.
fn words(line: &str) -> impl Iterator<Item = Word<'_>> {
    let mut rest = line.trim_start();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let length = match rest.strip_prefix('"') {
            Some(string) => {
                let mut escaped = false;
                let end = string.find(|c| {
                    let ends = c == '"' && !escaped;
                    escaped = c == '\\' && !escaped;
                    ends
                });
                end.map_or(rest.len(), |end| end + 2)
            }
            None => rest.find(' ').unwrap_or(rest.len()),
        };
        let (word, behind) = rest.split_at(length);
        rest = behind.trim_start();
        let id = word.strip_prefix('%').and_then(|id| id.parse().ok());
        Some(id.map_or(Word::Other(word), Word::Id))
    })
}

/// The id that a line defines.
fn result(line: &str) -> Option<u32> {
    let mut words = words(line);
    match (words.next()?, words.next()?) {
        (Word::Id(id), Word::Other("=")) => Some(id),
        _ => None,
    }
}

/// The functions of a module: by the name that the host, the linker or a reader calls them, those
/// without one by their turn.
fn functions(text: &str) -> Vec<Function<'_>> {
    let names = names(text);
    let keys = keys(text, &names);
    let (mut functions, mut open) = (Vec::new(), None);
    let mut taken: FxHashMap<String, usize> = FxHashMap::default();
    for line in text.lines() {
        let is_function =
            |op: &str| words(line).any(|word| matches!(word, Word::Other(w) if w == op));
        if open.is_none() && is_function("OpFunction") {
            let name = result(line).and_then(|id| names.get(&id));
            let name = name.map_or_else(|| "without a name".to_owned(), |&name| unquoted(name));
            let turn = taken.entry(name.clone()).or_default();
            *turn += 1;
            let name = if *turn == 1 { name } else { format!("{name} ({turn})") };
            open = Some(Function { name, lines: Vec::new() });
        }
        let Some(function) = &mut open else { continue };
        function.lines.push(Line { text: line, key: key_of(line, &keys[LEVELS]) });
        if line.trim() == "OpFunctionEnd" {
            functions.extend(open.take());
        }
    }
    functions
}

fn unquoted(name: &str) -> String {
    name.trim_matches('"').to_owned()
}

/// The names of ids: of entry points, in LinkageAttributes, then OpName.
fn names(text: &str) -> FxHashMap<u32, &str> {
    let mut names = FxHashMap::default();
    for line in text.lines() {
        let mut words = words(line);
        let name = match words.next() {
            Some(Word::Other("OpEntryPoint")) => match (words.next(), words.next(), words.next()) {
                (_, Some(Word::Id(id)), Some(Word::Other(name))) => Some((id, name)),
                _ => None,
            },
            Some(Word::Other("OpName")) => match (words.next(), words.next()) {
                (Some(Word::Id(id)), Some(Word::Other(name))) => {
                    names.entry(id).or_insert(name);
                    None
                }
                _ => None,
            },
            Some(Word::Other("OpDecorate")) => match (words.next(), words.next(), words.next()) {
                (
                    Some(Word::Id(id)),
                    Some(Word::Other("LinkageAttributes")),
                    Some(Word::Other(name)),
                ) => Some((id, name)),
                _ => None,
            },
            // Names come before the first type.
            Some(Word::Id(_)) if line.contains("= OpType") => break,
            _ => None,
        };
        names.extend(name);
    }
    names
}

/// By level and id, what an id stands for: its name if it has one, or the instruction that makes it
/// and, on each higher level, those that make the operands of that.
fn keys(text: &str, names: &FxHashMap<u32, &str>) -> Vec<FxHashMap<u32, u64>> {
    let mut levels = vec![FxHashMap::default(); LEVELS + 1];
    for level in 0..=LEVELS {
        let mut parameters = 0u32;
        let mut found = FxHashMap::default();
        for line in text.lines() {
            if line.trim() == "OpFunctionEnd" {
                parameters = 0;
            }
            let Some(id) = result(line) else { continue };
            let is_global_name = names.get(&id).filter(|_| line.contains("= OpVariable"));
            let key = if let Some(name) = is_global_name {
                hash(name)
            } else if line.contains("= OpFunctionParameter") {
                parameters += 1;
                hash(parameters)
            } else if line.contains("= OpFunction ") {
                hash(names.get(&id))
            } else {
                // Types and constants are what they are made of, however deep: they come in order.
                let is_declaration = line.contains("= OpType") || line.contains("= OpConstant");
                match level.checked_sub(1) {
                    _ if is_declaration => key_of(line, &found),
                    Some(below) => key_of(line, &levels[below]),
                    None => key_of(line, &FxHashMap::default()),
                }
            };
            found.insert(id, key);
        }
        levels[level] = found;
    }
    levels
}

/// What a line says, with keys for the ids of its operands.
fn key_of(line: &str, keys: &FxHashMap<u32, u64>) -> u64 {
    let mut hasher = DefaultHasher::new();
    let skipped = if result(line).is_some() { 2 } else { 0 };
    for word in words(line).skip(skipped) {
        match word {
            Word::Id(id) => keys.get(&id).copied().unwrap_or_default().hash(&mut hasher),
            Word::Other(word) => word.hash(&mut hasher),
        }
    }
    hasher.finish()
}
