//! Names of the source as names of Rust.

use std::collections::HashSet;

/// Reserved words of all editions, and names that mean types in every scope.
const RESERVED: [&str; 70] = [
    "Self", "abstract", "as", "async", "await", "become", "bool", "box", "break", "char", "const",
    "continue", "crate", "do", "dyn", "else", "enum", "extern", "f16", "f32", "f64", "f128",
    "false", "final", "fn", "for", "gen", "i8", "i16", "i32", "i64", "i128", "if", "impl", "in",
    "isize", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "static", "str", "struct", "super", "trait", "true", "try", "type",
    "typeof", "u8", "u16", "u32", "u64", "u128", "unsafe", "unsized", "use", "usize", "virtual",
    "where", "while",
];

/// A name with nothing in it but letters, digits and underscores; what Rust reserves gets a line under
/// its end: `type_`.
pub(crate) fn identifier(name: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out: String = name.chars().map(|c| if is_word(c) { c } else { '_' }).collect();
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert(0, '_');
    }
    if RESERVED.contains(&out.as_str()) || out.chars().all(|c| c == '_') {
        out.push('_');
    }
    out
}

/// Names of one scope.
#[derive(Default)]
pub(crate) struct Names {
    taken: HashSet<String>,
}

impl Names {
    pub fn reserving(names: &[&str]) -> Names {
        Names { taken: names.iter().map(|&name| name.to_owned()).collect() }
    }

    /// The name, or with lines under its end the first that is free.
    pub fn unique(&mut self, name: &str) -> String {
        let mut name = name.to_owned();
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_names_of_rust() {
        for (name, wanted) in [
            ("saxpy", "saxpy"),
            ("type", "type_"),
            ("self", "self_"),
            ("u32", "u32_"),
            ("a-b.c", "a_b_c"),
            ("3d", "_3d"),
            ("_", "__"),
            ("", "__"),
        ] {
            assert_eq!(identifier(name), wanted);
        }
        let mut names = Names::reserving(&["types"]);
        assert_eq!(names.unique("types"), "types_");
        assert_eq!(names.unique("types"), "types__");
    }
}
