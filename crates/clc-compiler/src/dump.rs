//! Text forms of the stages, for `--emit=tokens|ast|hir|ir|deps`.

use std::fmt::Write as _;

use clc_base::{Interner, SourceMap};
use clc_syntax::token::{Token, TokenKind};

/// One line a token: `file:line:column kind spelling`.
pub fn tokens(tokens: &[Token], map: &SourceMap, interner: &Interner) -> String {
    let mut out = String::new();
    for token in tokens {
        match map.location(token.span.lo) {
            Some(at) => {
                let _ = write!(out, "{}:{}:{} ", map.file(at.file).name, at.line, at.column);
            }
            None => out.push_str("? "),
        }
        let (kind, spelling) = match token.kind {
            TokenKind::Identifier(name) => ("identifier", interner.resolve(name)),
            TokenKind::Keyword(keyword) => ("keyword", keyword.as_str()),
            TokenKind::Integer(text) => ("integer", interner.resolve(text)),
            TokenKind::Float(text) => ("float", interner.resolve(text)),
            TokenKind::Char(text) => ("char", interner.resolve(text)),
            TokenKind::String(text) => ("string", interner.resolve(text)),
            TokenKind::Punctuator(punctuator) => ("punctuator", punctuator.as_str()),
            TokenKind::Pragma(text) => ("pragma", interner.resolve(text)),
        };
        let _ = writeln!(out, "{kind} {spelling}");
    }
    out
}

/// A rule for make: `target: source includes…`, and with `phony` an empty rule for each include,
/// so that a deleted header does not stop the build.
#[cfg(feature = "cli")]
pub fn make_rule(target: &str, main: &str, dependencies: &[String], phony: bool) -> String {
    let mut out = format!("{}:", escape_for_make(target));
    for name in std::iter::once(main).chain(dependencies.iter().map(String::as_str)) {
        let _ = write!(out, " \\\n  {}", escape_for_make(name));
    }
    out.push('\n');
    if phony {
        for name in dependencies {
            let _ = write!(out, "\n{}:\n", escape_for_make(name));
        }
    }
    out
}

#[cfg(feature = "cli")]
fn escape_for_make(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        match c {
            ' ' | '#' | '\\' => out.extend(['\\', c]),
            '$' => out.push_str("$$"),
            c => out.push(c),
        }
    }
    out
}

/// The text form of the intermediate representation.
pub fn ir(module: &clc_ir::Module) -> String {
    let mut text = String::new();
    clc_ir::print::module(module, &mut text);
    text
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    #[test]
    fn names_are_escaped_for_make() {
        let rule = super::make_rule("k.spv", "my kernel.cl", &["$a.h".into()], true);
        assert_eq!(rule, "k.spv: \\\n  my\\ kernel.cl \\\n  $$a.h\n\n$$a.h:\n");
    }
}
