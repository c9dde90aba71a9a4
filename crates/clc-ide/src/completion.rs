//! What can be written at an offset.

use std::ops::Range;

use clc_builtins::{ExtensionSet, features, prose};
use clc_sema::index::Entity;
use clc_sema::types::{RecordId, Type};

use crate::analysis::Analysis;
use crate::hover::signature_text;
use crate::scan::{self, Lexeme, LexemeKind};
use crate::typing::Sight;

/// Something that can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What is written.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// Its type or signature; empty if it has none.
    pub detail: String,
}

/// What kind of thing is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CompletionKind {
    /// A parameter or variable.
    Variable,
    /// A member of a struct or union.
    Member,
    /// Components of a vector.
    Components,
    /// A function of the program.
    Function,
    /// An enumerator, or a constant of the language.
    Constant,
    /// A keyword, a directive, or a word of a pragma.
    Keyword,
    /// A typedef name, a tag, or a type of the language.
    Type,
    /// A macro.
    Macro,
    /// A built-in function.
    Builtin,
    /// An attribute.
    Attribute,
    /// The name of an extension.
    Extension,
}

/// More than these do not help; the next letter brings others.
const MAX_ITEMS: usize = 200;

const DIRECTIVES: &[&str] = &[
    "define", "elif", "elifdef", "elifndef", "else", "endif", "error", "if", "ifdef", "ifndef",
    "include", "line", "pragma", "undef", "warning",
];

const ATTRIBUTES: &[(&str, &str)] = &[
    ("aligned", "(bytes)"),
    ("always_inline", ""),
    ("const", ""),
    ("intel_reqd_sub_group_size", "(n)"),
    ("noinline", ""),
    ("nounroll", ""),
    ("opencl_unroll_hint", "(n)"),
    ("overloadable", ""),
    ("packed", ""),
    ("pure", ""),
    ("reqd_work_group_size", "(x, y, z)"),
    ("spec_constant", "(number)"),
    ("unused", ""),
    ("vec_type_hint", "(type)"),
    ("work_group_size_hint", "(x, y, z)"),
];

impl Analysis {
    /// What can be written at an offset, and the bytes that it replaces. The best come first; what
    /// does not begin with the letters that stand there, in any case, is left out.
    pub fn completions(&self, offset: u32) -> (Range<u32>, Vec<Completion>) {
        let text = self.text();
        let offset = offset.min(text.len() as u32);
        let word = scan::word_at(text, offset).filter(|word| word.start < offset);
        let start = word.as_ref().map_or(offset, |word| word.start);
        let end = word.map_or(offset, |word| word.end);
        let prefix = text.get(start as usize..offset as usize).unwrap_or("");
        let lexemes = scan::scan(text);
        let mut list = List { prefix, items: Vec::new() };
        let before = lexemes.partition_point(|lexeme| lexeme.start < start);
        if !is_quiet(&lexemes[..before], text, start) {
            self.complete(&lexemes, before, start, &mut list);
        }
        list.items.sort_by(|a, b| {
            let exact = |item: &Completion| !item.label.starts_with(prefix);
            (exact(a), a.kind, a.label.len(), &a.label).cmp(&(
                exact(b),
                b.kind,
                b.label.len(),
                &b.label,
            ))
        });
        list.items.dedup_by(|a, b| a.label == b.label);
        list.items.truncate(MAX_ITEMS);
        (start..end, list.items)
    }

    fn complete(&self, lexemes: &[Lexeme], before: usize, start: u32, list: &mut List<'_>) {
        let text = self.text();
        let directive: Vec<&str> = match lexemes[..before].last() {
            // A directive ends with its line.
            Some(last) if last.in_directive && !ends_line(text, last.end, start) => {
                let first = lexemes[..before].iter().rposition(|lexeme| lexeme.is(b'#'));
                lexemes[first.unwrap_or(before)..before].iter().map(|l| l.text(text)).collect()
            }
            _ => Vec::new(),
        };
        match directive[..] {
            ["#"] => list.keywords(DIRECTIVES),
            ["#", "pragma", ref rest @ ..] => pragma(rest, &self.language.extensions, list),
            ["#", "ifdef" | "ifndef" | "undef" | "elifdef" | "elifndef" | "if" | "elif", ..] => {
                self.macro_names(list);
                if matches!(directive[1], "if" | "elif") {
                    list.keywords(&["defined"]);
                }
            }
            ["#", "include" | "error" | "line" | "warning" | "else" | "endif", ..] => {}
            _ => {
                let names = self.visible(start);
                let sight = Sight { analysis: self, lexemes: &lexemes[..before], names: &names };
                if let Some((base, arrow)) = sight.member_operator(before) {
                    if let Some(ty) = sight.chain(base, 0) {
                        self.members(ty, arrow, list);
                    }
                    return;
                }
                if is_attribute(&lexemes[..before], text) {
                    for (name, detail) in ATTRIBUTES {
                        list.add(name, CompletionKind::Attribute, || (*detail).to_owned());
                    }
                    return;
                }
                for (name, &entity) in &names {
                    self.entity(name, entity, list);
                }
                self.words(list);
            }
        }
    }

    fn entity(&self, name: &str, entity: Entity, list: &mut List<'_>) {
        let typed = || self.type_of(entity).map(|ty| self.type_text(ty)).unwrap_or_default();
        match entity {
            Entity::Local(_) => list.add(name, CompletionKind::Variable, typed),
            Entity::Global(_) => list.add(name, CompletionKind::Variable, || {
                let space = self.space_of(entity).map_or("", |space| space.name());
                format!("{space} {}", typed())
            }),
            Entity::Function(function) => {
                list.add(name, CompletionKind::Function, || self.function_text(function));
            }
            Entity::Typedef(_) => list.add(name, CompletionKind::Type, typed),
            Entity::Enumerator(span) => list.add(name, CompletionKind::Constant, || {
                self.index.enumerators.get(&span).map(i64::to_string).unwrap_or_default()
            }),
            Entity::Tag(_)
            | Entity::Member(..)
            | Entity::Label(..)
            | Entity::Builtin(_)
            | Entity::Predeclared(_) => {}
        }
    }

    /// What the language has everywhere, and the macros.
    fn words(&self, list: &mut List<'_>) {
        for (spelling, _) in clc_syntax::token::keywords() {
            if !spelling.starts_with("__") || list.prefix.starts_with("__") {
                list.add(spelling, CompletionKind::Keyword, String::new);
            }
        }
        for name in clc_syntax::parse::predeclared::names() {
            list.add(name, CompletionKind::Type, String::new);
        }
        for name in clc_syntax::parse::predeclared::vectors() {
            list.add(&name, CompletionKind::Type, String::new);
        }
        // What the version or the target lacks would be an error (hover says what brings it).
        let offered: Vec<&str> = list.items.iter().map(|item| item.label.as_str()).collect();
        let lacking = self.lacking_words(&offered);
        let mut lacks = lacking.iter().map(Option::is_some);
        list.items.retain(|item| {
            let lacks = lacks.next() == Some(true);
            !(lacks && matches!(item.kind, CompletionKind::Keyword | CompletionKind::Type))
        });
        self.macro_names(list);
        // Without a letter there would be too many.
        if list.prefix.is_empty() {
            return;
        }
        let environment = self.environment();
        for name in clc_builtins::names() {
            if !list.begins(name) || clc_builtins::lacking(name, &environment).is_some() {
                continue;
            }
            list.add(name, CompletionKind::Builtin, || {
                match prose::describe_in(name, &environment) {
                    Some(known) => known
                        .forms
                        .first()
                        .map(|form| signature_text(name, form))
                        .unwrap_or_default(),
                    None => String::new(),
                }
            });
        }
    }

    fn macro_names(&self, list: &mut List<'_>) {
        if list.prefix.is_empty() {
            // Those of the language are many.
            for definition in &self.trace.definitions {
                list.add(self.name(definition.name), CompletionKind::Macro, String::new);
            }
            return;
        }
        for name in self.macros.names(&self.interner) {
            list.add(name, CompletionKind::Macro, String::new);
        }
    }

    fn members(&self, base: clc_sema::types::QualType, arrow: bool, list: &mut List<'_>) {
        let types = &self.module.types;
        let ty = match (arrow, types.get(base.ty)) {
            (true, Type::Pointer { pointee, .. }) => pointee.ty,
            (true, _) => return,
            (false, _) => base.ty,
        };
        match *types.get(ty) {
            Type::Record(record) => self.fields(record, 0, list),
            Type::Vector(element, count) => components(element.name(), count, list),
            _ => {}
        }
    }

    /// The members of a record, and those of its unnamed members.
    fn fields(&self, record: RecordId, depth: u32, list: &mut List<'_>) {
        let Some(body) = &self.module.types.records[record].body else { return };
        for field in &body.fields {
            match (field.name, self.module.types.get(field.ty.ty)) {
                (Some(name), _) => {
                    list.add(self.name(name), CompletionKind::Member, || self.type_text(field.ty));
                }
                (None, Type::Record(inner)) if depth < 16 => self.fields(*inner, depth + 1, list),
                (None, _) => {}
            }
        }
    }
}

struct List<'a> {
    prefix: &'a str,
    items: Vec<Completion>,
}

impl List<'_> {
    fn begins(&self, label: &str) -> bool {
        let begin = label.as_bytes().get(..self.prefix.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(self.prefix.as_bytes()))
    }

    fn add(&mut self, label: &str, kind: CompletionKind, detail: impl FnOnce() -> String) {
        if self.begins(label) {
            self.items.push(Completion { label: label.to_owned(), kind, detail: detail() });
        }
    }

    fn keywords(&mut self, words: &[&str]) {
        for word in words {
            self.add(word, CompletionKind::Keyword, String::new);
        }
    }
}

/// What stands behind `#pragma`.
fn pragma(before: &[&str], available: &ExtensionSet, list: &mut List<'_>) {
    match before {
        [] => list.keywords(&["OPENCL", "once", "unroll", "nounroll", "pack", "message"]),
        ["OPENCL"] => list.keywords(&["EXTENSION", "FP_CONTRACT"]),
        ["OPENCL", "FP_CONTRACT"] => list.keywords(&["ON", "OFF", "DEFAULT"]),
        ["OPENCL", "EXTENSION"] => {
            list.keywords(&["all"]);
            let names = available.iter().map(features::Extension::name);
            for name in names.filter(|name| name.starts_with("cl_")) {
                list.add(name, CompletionKind::Extension, String::new);
            }
        }
        ["OPENCL", "EXTENSION", _, ":"] => list.keywords(&["enable", "disable"]),
        _ => {}
    }
}

/// The components of a vector, with what is already written of them.
fn components(element: &str, count: u8, list: &mut List<'_>) {
    let width = |length: usize| match length {
        1 => element.to_owned(),
        length => format!("{element}{length}"),
    };
    let add = |list: &mut List<'_>, name: &str, length: usize| {
        list.add(name, CompletionKind::Components, || width(length));
    };
    let half = usize::from(count.next_power_of_two() / 2);
    for name in ["lo", "hi", "even", "odd"] {
        add(list, name, half);
    }
    let digits = "0123456789abcdef";
    if count <= 4 {
        let letters = &"xyzw"[..usize::from(count)];
        add(list, letters, letters.len());
        // One more behind what is written.
        let written = list.prefix;
        let is_written = !written.is_empty() && written.chars().all(|c| letters.contains(c));
        let length = if is_written { written.len() + 1 } else { 1 };
        if matches!(length, 1..=4) {
            for letter in letters.chars() {
                let name = match is_written {
                    true => format!("{written}{letter}"),
                    false => letter.to_string(),
                };
                add(list, &name, length);
            }
        }
    }
    for digit in digits[..usize::from(count)].chars() {
        add(list, &format!("s{digit}"), 1);
    }
}

/// Whether nothing is to be offered: in a comment, a text or a number.
fn is_quiet(before: &[Lexeme], text: &str, start: u32) -> bool {
    let Some(last) = before.last() else { return false };
    match last.kind {
        LexemeKind::Comment => {
            let line = last.text(text).starts_with("//");
            let is_open = !last.text(text).ends_with("*/") || last.end - last.start < 4;
            start < last.end || line && start == last.end || !line && is_open
        }
        LexemeKind::Text => start < last.end,
        LexemeKind::Number => start <= last.end,
        LexemeKind::Word | LexemeKind::Sign(_) => false,
    }
}

/// Whether a line ends between two bytes, and does not go on in the next.
fn ends_line(text: &str, from: u32, to: u32) -> bool {
    let between = text.get(from as usize..to as usize).unwrap_or("");
    between.replace("\\\n", "").replace("\\\r\n", "").contains('\n')
}

/// Whether `__attribute__((` is open.
fn is_attribute(before: &[Lexeme], text: &str) -> bool {
    let mut depth = 0i32;
    for (index, lexeme) in before.iter().enumerate().rev().take(200) {
        match lexeme.kind {
            LexemeKind::Sign(b')') => depth += 1,
            LexemeKind::Sign(b'(') => {
                depth -= 1;
                let name = index.checked_sub(1).map(|at| before[at].text(text));
                if depth == -2 {
                    return matches!(name, Some("__attribute__" | "__attribute"));
                }
            }
            LexemeKind::Sign(b';' | b'{' | b'}') => return false,
            _ => {}
        }
    }
    false
}
