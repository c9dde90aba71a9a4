//! `#pragma` and `_Pragma` (C99 6.10.6, 6.10.9; OpenCL C 6.10).
//!
//! What later stages need becomes a token whose text has one of these forms:
//!
//! * `OPENCL EXTENSION name : enable` (or `disable`, `require`, `warn`)
//! * `OPENCL FP_CONTRACT ON` (or `OFF`, `DEFAULT`)
//! * `unroll`, `unroll 4`, `nounroll`
//!
//! The other spellings that mean the same (`STDC FP_CONTRACT`, `GCC unroll`, `clang loop`) are
//! brought into them; whether the target has an extension is not asked here. Everything else is
//! done here or ignored with a word about it.

use std::borrow::Cow;

use clc_base::diagnostic::did_you_mean;
use clc_base::{Diagnostic, Span};

use super::engine::Preprocessor;
use super::macros::Lookup;
use crate::diagnostics::preprocessor as codes;
use crate::lex::{LexContext, Lexer, PpKind, PpToken, SPACE};
use crate::token::Punctuator;

/// The first words of pragmas that mean something.
const PRAGMAS: &[&str] =
    &["once", "OPENCL", "STDC", "unroll", "nounroll", "pack", "message", "push_macro", "pop_macro"];

impl Preprocessor<'_> {
    pub(super) fn pragma_directive(&mut self, directive: Span) -> Option<PpToken> {
        let tokens = self.rest_of_directive();
        let span = directive.to(tokens.last().map_or(Span::NONE, |token| token.span()));
        self.pragma(tokens, span)
    }

    /// `_Pragma("text")`, met among expanded tokens.
    pub(super) fn pragma_operator(&mut self, operator: PpToken) {
        self.collecting += 1;
        let mut end = self.next_expanded();
        let mut literal = None;
        if end.is(Punctuator::LeftParen) {
            end = self.next_expanded();
            if end.kind == PpKind::String {
                literal = Some(end);
                end = self.next_expanded();
            }
        }
        self.collecting -= 1;
        let (Some(literal), true) = (literal, end.is(Punctuator::RightParen)) else {
            let span = operator.span().to(if end.is_end() { Span::NONE } else { end.span() });
            let message = "`_Pragma` takes one string literal in parentheses";
            return self.error(&codes::PRAGMA_OPERATOR, span, message, "not of this form");
        };
        let spelling = literal.spelling(self.interner);
        let text = spelling[1..spelling.len() - 1].replace("\\\"", "\"").replace("\\\\", "\\");
        let span = operator.span().to(end.span());
        let mut lexer = Lexer::new(0, Vec::new());
        lexer.in_directive = true;
        let mut unheard = Vec::new();
        let mut cx = LexContext { interner: &mut *self.interner, diagnostics: &mut unheard };
        let mut tokens = Vec::new();
        loop {
            let token = lexer.next(&text, &mut cx);
            if token.is_end() {
                break;
            }
            tokens.push(PpToken { lo: span.lo, hi: span.hi, ..token });
        }
        if let Some(token) = self.pragma(tokens, span) {
            self.emit(token);
        }
    }

    /// The spellings of `tokens` with white space folded.
    fn text_of(&self, tokens: &[PpToken]) -> String {
        let mut text = String::new();
        for token in tokens {
            if token.has(SPACE) && !text.is_empty() {
                text.push(' ');
            }
            text.push_str(token.spelling(self.interner));
        }
        text
    }

    fn pragma(&mut self, tokens: Vec<PpToken>, span: Span) -> Option<PpToken> {
        let word = |index: usize| {
            tokens
                .get(index)
                .filter(|token| token.kind == PpKind::Identifier)
                .map_or("", |token| token.spelling(self.interner))
        };
        let normalised = match (word(0), word(1)) {
            _ if tokens.is_empty() => None,
            ("once", _) => {
                self.pragma_once(span);
                None
            }
            ("OPENCL", "EXTENSION") => self.extension_pragma(&tokens, span),
            ("OPENCL" | "STDC", "FP_CONTRACT") => match (word(2), tokens.len()) {
                (switch @ ("ON" | "OFF" | "DEFAULT"), 3) => {
                    Some(format!("OPENCL FP_CONTRACT {switch}"))
                }
                _ => {
                    let message = "expected `ON`, `OFF` or `DEFAULT` behind `FP_CONTRACT`";
                    let settings = ["ON", "OFF", "DEFAULT"];
                    self.misspelt(span, tokens.get(2), &settings, message);
                    None
                }
            },
            ("unroll", _) => self.unroll(&tokens[1..], span),
            ("GCC", "unroll") => self.unroll(&tokens[2..], span),
            ("nounroll", _) if tokens.len() == 1 => Some("nounroll".to_owned()),
            ("clang", "loop") => match (word(2), word(4), tokens.len()) {
                ("unroll", "disable", 6) => Some("nounroll".to_owned()),
                ("unroll", "enable" | "full", 6) => Some("unroll".to_owned()),
                ("unroll_count", _, _) => self.unroll(&tokens[3..], span),
                _ => None,
            },
            ("pack", _) => {
                self.pack_pragma(&tokens[1..], span);
                None
            }
            ("message", _) => {
                let list = self.expand_list(tokens[1..].to_vec());
                let text = match list[..] {
                    [text] | [_, text, _] if text.kind == PpKind::String => {
                        let spelling = text.spelling(self.interner);
                        spelling[1..spelling.len() - 1].to_owned()
                    }
                    _ => self.text_of(&list),
                };
                self.error(&codes::PRAGMA_MESSAGE, span, text, "`#pragma message` was reached");
                None
            }
            ("push_macro", _) => {
                self.push_macro(&tokens, span, true);
                None
            }
            ("pop_macro", _) => {
                self.push_macro(&tokens, span, false);
                None
            }
            // Switches for the warnings of other compilers.
            ("GCC" | "clang", "diagnostic" | "system_header") => None,
            ("OPENCL", other) => {
                let message = if other.is_empty() {
                    "expected `EXTENSION` or `FP_CONTRACT` behind `OPENCL`".to_owned()
                } else {
                    format!("unknown pragma `OPENCL {other}`")
                };
                self.misspelt(span, tokens.get(1), &["EXTENSION", "FP_CONTRACT"], message);
                None
            }
            _ => {
                let text = self.text_of(&tokens);
                let message = format!("unknown pragma `{text}` is ignored");
                let mut diagnostic = Diagnostic::new(&codes::UNKNOWN_PRAGMA, span, message)
                    .at("not a pragma of OpenCL C");
                if let Some(first) = tokens.first() {
                    let guess = did_you_mean(word(0), PRAGMAS.iter().copied());
                    diagnostic = diagnostic.suggest(first.span(), guess);
                }
                self.report(diagnostic);
                None
            }
        };
        self.recycle(tokens);
        let symbol = self.interner.intern(&normalised?);
        Some(PpToken { lo: span.lo, hi: span.hi, symbol, kind: PpKind::Pragma, flags: SPACE })
    }

    fn ignored(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<Cow<'static, str>>,
    ) {
        let diagnostic = Diagnostic::new(&codes::IGNORED_PRAGMA, span, message).at(label);
        self.report(diagnostic.note("the pragma is ignored"));
    }

    /// Reports that a pragma is ignored because `token`, its name or a setting, is none of `known`.
    fn misspelt(
        &mut self,
        span: Span,
        token: Option<&PpToken>,
        known: &[&'static str],
        message: impl Into<String>,
    ) {
        let Some(token) = token else { return self.ignored(span, message, "nothing follows") };
        let text = token.spelling(self.interner);
        let guess = did_you_mean(text, known.iter().copied());
        let label = format!("`{text}` is not known here");
        let diagnostic = Diagnostic::new(&codes::IGNORED_PRAGMA, token.span(), message)
            .at(label)
            .note("the pragma is ignored")
            .suggest(token.span(), guess);
        self.report(diagnostic);
    }

    fn pragma_once(&mut self, span: Span) {
        let Some(file) = self.files.last() else { return };
        match self.loaded.get_mut(&file.name) {
            Some(loaded) => loaded.once = true,
            None => {
                let message = "`#pragma once` in the main file";
                self.error(
                    &codes::PRAGMA_ONCE_IN_MAIN,
                    span,
                    message,
                    "nothing includes this file",
                );
            }
        }
    }

    /// `OPENCL EXTENSION name : behaviour` (OpenCL C 6.10.1).
    fn extension_pragma(&mut self, tokens: &[PpToken], span: Span) -> Option<String> {
        let [_, _, name, colon, behaviour] = *tokens else {
            let message = "expected `#pragma OPENCL EXTENSION name : behaviour`";
            self.ignored(span, message, "not of this form");
            return None;
        };
        let name_text = name.spelling(self.interner).to_owned();
        let behaviour_text = behaviour.spelling(self.interner).to_owned();
        if name.kind != PpKind::Identifier || !colon.is(Punctuator::Colon) {
            let message = "expected `#pragma OPENCL EXTENSION name : behaviour`";
            self.ignored(span, message, "not of this form");
            return None;
        }
        match behaviour_text.as_str() {
            "enable" | "require" | "warn" if name_text == "all" => {
                let message = format!(
                    "`all` can only be disabled; `{behaviour_text}` needs the name of an extension"
                );
                self.ignored(behaviour.span(), message, "`all` takes `disable`");
                return None;
            }
            "enable" | "disable" | "require" | "warn" => {}
            _ => {
                let message = format!("`{behaviour_text}` is none of `enable` and `disable`");
                self.misspelt(span, Some(&behaviour), &["enable", "disable"], message);
                return None;
            }
        }
        Some(format!("OPENCL EXTENSION {name_text} : {behaviour_text}"))
    }

    /// `unroll`, `unroll N`, `unroll(N)`; the count is macro-expanded.
    fn unroll(&mut self, operand: &[PpToken], span: Span) -> Option<String> {
        if operand.is_empty() {
            return Some("unroll".to_owned());
        }
        let tokens = self.expand_list(operand.to_vec());
        let count = self.constant(&tokens);
        match count {
            // 0 and 1 ask for the loop as it is.
            Some(0 | 1) => Some("nounroll".to_owned()),
            Some(count @ 2..=0x7fff_ffff) => Some(format!("unroll {count}")),
            Some(count) => {
                self.ignored(
                    span,
                    format!("{count} is no count to unroll a loop by"),
                    "not a number of turns",
                );
                None
            }
            None => {
                let text = self.text_of(&tokens);
                self.ignored(
                    span,
                    format!("`{text}` is not an integer constant expression"),
                    "the count is not constant",
                );
                None
            }
        }
    }

    /// `push_macro("NAME")` and `pop_macro("NAME")`.
    fn push_macro(&mut self, tokens: &[PpToken], span: Span, push: bool) {
        let [_, _, name, _] = *tokens else {
            return self.ignored(
                span,
                "expected the name of a macro as (\"NAME\")",
                "not of this form",
            );
        };
        if name.kind != PpKind::String {
            return self.ignored(
                span,
                "expected the name of a macro as (\"NAME\")",
                "not of this form",
            );
        }
        let text = name.spelling(self.interner);
        let text = text[1..text.len() - 1].to_owned();
        let name = self.interner.intern(&text);
        if push {
            let id = self.macro_of(name);
            self.pushed_macros.entry(name).or_default().push(id);
        } else if let Some(id) = self.pushed_macros.get_mut(&name).and_then(Vec::pop) {
            debug_assert!(!matches!(self.macros.lookup(name), Lookup::Unknown));
            self.macros.restore(name, id);
        } else {
            self.ignored(
                span,
                format!("no `push_macro` of `{text}` went before"),
                "nothing to restore",
            );
        }
    }
}

impl Preprocessor<'_> {
    /// `pack(…)`, from `(` on.
    pub(super) fn pack_pragma(&mut self, operand: &[PpToken], span: Span) {
        let tokens = self.expand_list(operand.to_vec());
        let words: Vec<&str> = tokens
            .iter()
            .filter(|token| matches!(token.kind, PpKind::Identifier | PpKind::Integer))
            .map(|token| token.spelling(self.interner))
            .collect();
        let closed = tokens.first().is_some_and(|token| token.is(Punctuator::LeftParen))
            && tokens.last().is_some_and(|token| token.is(Punctuator::RightParen));
        let number = words.last().and_then(|word| word.parse::<u32>().ok());
        let push = words.first() == Some(&"push");
        if words.first() == Some(&"pop") && closed {
            self.pack.current = self.pack.pushed.pop().flatten();
        } else if closed && (push || words.len() <= 1) {
            if number.is_some_and(|number| number != 1) {
                self.report(
                    Diagnostic::new(
                        &codes::PRAGMA_PACK,
                        span,
                        "`#pragma pack` is supported only with the alignment 1",
                    )
                    .at(format!("an alignment of {}", number.unwrap_or(0)))
                    .help(
                        "write `__attribute__((packed))` at the structure, or `aligned` at members",
                    ),
                );
            }
            let before = self.pack.current;
            if push {
                self.pack.pushed.push(before);
            }
            self.pack.current = match (number, push) {
                (Some(_), _) => Some(span),
                (None, true) => before,
                (None, false) => None,
            };
        } else {
            let message = "expected `(1)`, `(push, 1)`, `(pop)` or `()` behind `pack`";
            return self.ignored(span, message, "not of this form");
        }
        self.pack.changes.push((self.output.tokens.len(), self.pack.current));
    }
}
