//! Circles among the files of a crate: no file imports, directly or through others, one that
//! imports it.
//!
//! What counts are the `use` items of a file outside of its tests that begin with `crate`, `super`,
//! `self` or a module of its own, each taken for the file that it leads to. The root of a crate,
//! which only re-exports, is no part of a circle, and neither is `mod`. Methods need no import:
//! files that call each other through methods of one type share the file that defines it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{crates, rust_files};
use crate::shell::{Result, read, root};

/// Crates that still have circles, with the number of files in the largest. The numbers only fall:
/// a crate with less must be written here with less, and one without any leaves.
const ALLOWED: &[(&str, usize)] = &[
    ("clc-legalise", 6),
    ("clc-spirv", 4),
    // The grammar, whose productions need each other: declarators have expressions, which have
    // type names, and blocks of statements.
    ("clc-syntax", 9),
];

/// A file, by the path of its module: `["parse", "lexer"]`.
type Module = Vec<String>;

pub(super) fn check(problems: &mut Vec<String>) -> Result {
    for name in crates()? {
        let folder = root().join("crates").join(&name).join("src");
        one(&name, &folder, &rust_files(&folder), problems)?;
    }
    Ok(())
}

/// Reports the circles of the crate `name`, whose files are in `folder`.
fn one(name: &str, folder: &Path, files: &[PathBuf], problems: &mut Vec<String>) -> Result {
    let mut modules = BTreeMap::new();
    for path in files {
        let module = module_of(path.strip_prefix(folder).unwrap_or(path));
        if !module.iter().any(|part| part == "tests") && !module.is_empty() {
            modules.insert(module, read(path)?);
        }
    }
    let circles = circles(&graph(&modules));
    let largest = circles.iter().map(Vec::len).max().unwrap_or(0);
    let allowed = ALLOWED.iter().find(|(known, _)| *known == name).map_or(0, |&(_, files)| files);
    if largest < allowed {
        problems
            .push(format!("{name}: the largest circle has {largest} files; note it in circles.rs"));
    }
    for circle in circles.iter().filter(|circle| circle.len() > allowed) {
        let names: Vec<String> = circle.iter().map(|module| module.join("::")).collect();
        problems.push(format!("{name}: files import each other in a circle: {}", names.join(", ")));
    }
    Ok(())
}

fn module_of(path: &Path) -> Module {
    let path = path.with_extension("");
    let mut parts: Module = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if parts.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        parts.pop();
    }
    parts
}

/// Which files each file imports.
fn graph(modules: &BTreeMap<Module, String>) -> BTreeMap<Module, BTreeSet<Module>> {
    let mut graph = BTreeMap::new();
    for (module, text) in modules {
        let text = text.split("#[cfg(test)]").next().unwrap_or("");
        let mut targets = BTreeSet::new();
        for path in imports(text) {
            if let Some(target) = target(module, &path, modules)
                && target != *module
            {
                targets.insert(target);
            }
        }
        graph.insert(module.clone(), targets);
    }
    graph
}

/// Every path of the `use` items at the beginning of a line, without braces.
fn imports(text: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("use ") {
        let before = rest[..at].rsplit('\n').next().unwrap_or("");
        let is_item = before.is_empty() || before.starts_with("pub") && before.ends_with(' ');
        rest = &rest[at + 4..];
        if !is_item {
            continue;
        }
        let Some((item, after)) = rest.split_once(';') else { break };
        let item: String = item.chars().filter(|c| *c != '\n').collect();
        expand("", &item, &mut paths);
        rest = after;
    }
    paths
}

/// `a::{b, c::{d, e}}` is `a::b`, `a::c::d` and `a::c::e`.
fn expand(prefix: &str, item: &str, paths: &mut Vec<Vec<String>>) {
    let item = item.trim();
    let Some((head, list)) = item.split_once('{') else {
        if !item.is_empty() {
            let path = format!("{prefix}{}", item.split(" as ").next().unwrap_or(item));
            paths.push(path.split("::").map(|part| part.trim().to_owned()).collect());
        }
        return;
    };
    let list = list.trim_end().strip_suffix('}').unwrap_or(list);
    let prefix = format!("{prefix}{}", head.trim());
    let (mut depth, mut start) = (0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expand(&prefix, &list[start..at], paths);
                start = at + 1;
            }
            _ => {}
        }
    }
    expand(&prefix, &list[start..], paths);
}

/// The file that a path of `module` leads to.
fn target(module: &Module, path: &[String], modules: &BTreeMap<Module, String>) -> Option<Module> {
    let mut base = module.clone();
    let mut rest = path;
    match rest.first()?.as_str() {
        "crate" => {
            base.clear();
            rest = &rest[1..];
        }
        "self" => rest = &rest[1..],
        "super" => {
            while rest.first().is_some_and(|part| part == "super") {
                base.pop();
                rest = &rest[1..];
            }
        }
        child => {
            let mut own = base.clone();
            own.push(child.to_owned());
            if !modules.contains_key(&own) {
                return None;
            }
        }
    }
    base.extend(rest.iter().cloned());
    while !base.is_empty() {
        if modules.contains_key(&base) {
            return Some(base);
        }
        base.pop();
    }
    None
}

/// The files that can be reached from each other, where there is more than one: by what each
/// reaches, which is fast enough for a hundred files.
fn circles(graph: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<Vec<Module>> {
    let reached: BTreeMap<&Module, BTreeSet<&Module>> =
        graph.keys().map(|module| (module, reach(graph, module))).collect();
    let mut seen = BTreeSet::new();
    let mut circles = Vec::new();
    for (&module, from) in &reached {
        if !from.contains(module) || !seen.insert(module) {
            continue;
        }
        let circle: Vec<Module> = from
            .iter()
            .filter(|other| reached.get(*other).is_some_and(|back| back.contains(module)))
            .map(|other| (*other).clone())
            .collect();
        seen.extend(from.iter().filter(|other| circle.contains(other)));
        circles.push(circle);
    }
    circles
}

fn reach<'g>(graph: &'g BTreeMap<Module, BTreeSet<Module>>, from: &Module) -> BTreeSet<&'g Module> {
    let mut reached = BTreeSet::new();
    let mut pending: Vec<&Module> = graph.get(from).into_iter().flatten().collect();
    while let Some(next) = pending.pop() {
        if reached.insert(next) {
            pending.extend(graph.get(next).into_iter().flatten());
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let modules = files
            .iter()
            .map(|(path, text)| (module_of(Path::new(path)), (*text).to_owned()))
            .collect();
        circles(&graph(&modules))
            .iter()
            .map(|circle| circle.iter().map(|m| m.join("::")).collect::<Vec<_>>().join(" "))
            .collect()
    }

    #[test]
    fn a_circle_is_found_through_every_form_of_import() {
        assert_eq!(
            found(&[
                ("a.rs", "use crate::b::{\n    self,\n    inner::{One, Two},\n};"),
                ("b/mod.rs", "mod inner;\npub(crate) use inner::One;"),
                ("b/inner.rs", "use super::super::c::Three as Four;"),
                ("c.rs", "use crate::a;"),
                ("d.rs", "use crate::{a, b};\nuse std::fmt;"),
            ]),
            ["a b b::inner c"]
        );
    }

    #[test]
    fn ladders_tests_and_other_crates_are_no_circles() {
        assert!(
            found(&[
                ("a.rs", "use crate::b::B;\nuse clc_base::c;"),
                ("b.rs", "use std::c;\n/// Let us use crate::a.\n#[cfg(test)]\nuse crate::a;"),
                ("c.rs", "use crate::a::A;"),
            ])
            .is_empty()
        );
        assert_eq!(found(&[("a.rs", "use crate::b;"), ("b.rs", "use super::a::A;")]), ["a b"]);
    }
}
