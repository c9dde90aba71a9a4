//! What functions do, how exact they are and what computes them, for the page.

use std::fmt::Write as _;

use clc_base::lang::FloatOptions;

use crate::library::{Way, way};
use crate::precision::ulps;
use crate::prose;
use crate::table::Row;

/// Where the specification is.
const SPECIFICATION: &str =
    "https://registry.khronos.org/OpenCL/specs/3.0-unified/html/OpenCL_C.html";

/// Parts of sections' names, and where the parts are on the page of the specification.
const ANCHORS: &[(&str, &str)] = &[
    ("6.15.12.7", "atomic-legacy"),
    ("6.15.12", "atomic-functions"),
    ("6.15.13", "miscellaneous-vector-functions"),
    ("6.15.15", "image-read-and-write-functions"),
    ("6.15.16", "work-group-functions"),
    ("6.15.17", "pipe-functions"),
    ("6.15.18", "enqueuing-kernels"),
    ("6.15.19", "sub-group-functions"),
    ("6.15.1", "work-item-functions"),
    ("6.15.2", "math-functions"),
    ("6.15.3", "integer-functions"),
    ("6.15.4", "common-functions"),
    ("6.15.5", "geometric-functions"),
    ("6.15.6", "relational-functions"),
    ("6.15.8", "synchronization-functions"),
    ("cl_khr_subgroup_non_uniform_arithmetic", "cl_khr_subgroup_non_uniform_arithmetic"),
    ("cl_khr_subgroup_clustered_reduce", "cl_khr_subgroup_clustered_reduce"),
];

/// A section as a link, if it is one of the specification of the language.
pub(super) fn link(section: &str) -> String {
    match ANCHORS.iter().find(|(part, _)| section.contains(part)) {
        Some((_, anchor)) => format!("[{section}]({SPECIFICATION}#{anchor})"),
        None => section.to_owned(),
    }
}

/// The functions of a chapter that do the same, to the same error.
struct Entry {
    names: Vec<&'static str>,
    text: String,
    error: String,
    on_vulkan: String,
}

/// A table of what the functions of a chapter do; empty if their names say it all.
pub(super) fn table(rows: &[Row]) -> String {
    let mut entries: Vec<Entry> = Vec::new();
    for row in rows {
        if entries.iter().any(|entry| entry.names.contains(&row.name)) {
            continue;
        }
        let Some(text) = prose::summary(row.name) else { continue };
        let (text, error) = (text.to_owned(), error(row));
        let on_vulkan = on_vulkan(row);
        let same = |entry: &&mut Entry| {
            entry.text == text && entry.error == error && entry.on_vulkan == on_vulkan
        };
        match entries.iter_mut().find(same) {
            Some(entry) => entry.names.push(row.name),
            None => entries.push(Entry { names: vec![row.name], text, error, on_vulkan }),
        }
    }
    let measured = entries.iter().any(|entry| !entry.error.is_empty());
    let mut table = String::new();
    if entries.is_empty() {
        return table;
    }
    table.push_str(match measured {
        true => "\n| functions | what they do | error | on Vulkan |\n|---|---|---|---|\n",
        false => "\n| functions | what they do |\n|---|---|\n",
    });
    for entry in &entries {
        let names: Vec<String> = entry.names.iter().map(|name| format!("`{name}`")).collect();
        let text = entry.text.replace('|', "\\|");
        let _ = write!(table, "| {} | {text} |", names.join(" "));
        if measured {
            let _ = write!(table, " {} | {} |", entry.error, entry.on_vulkan);
        }
        table.push('\n');
    }
    table
}

/// The bound of the error of `half`, `float` and `double`.
fn error(row: &Row) -> String {
    let number = |value: f64| match value {
        0.5 => "½".to_owned(),
        _ => value.to_string(),
    };
    match ulps(row.name) {
        Some(ulps) => [ulps.half, ulps.float, ulps.double].map(number).join(", "),
        None if row.name.starts_with("native_") => "the driver's".to_owned(),
        None if row.name.starts_with("half_") => "8192 for `float`".to_owned(),
        None => String::new(),
    }
}

/// What computes a function of `float` in a shader.
fn on_vulkan(row: &Row) -> String {
    match way(row.intrinsic, 32, &FloatOptions::default()) {
        Some(Way::Instruction { name, .. }) => format!("`{name}`"),
        Some(Way::As(_)) => "another function".to_owned(),
        Some(Way::Body(body)) => format!("`{}`", body.file.name),
        None => String::new(),
    }
}
