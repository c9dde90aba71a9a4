//! Directives other than `#include`, `#define` and `#pragma` (C99 6.10).

use clc_base::diagnostic::did_you_mean;
use clc_base::source_map::LineDirective;
use clc_base::{Diagnostic, Span, Symbol};

use super::engine::{Conditional, Guard, Preprocessor};
use super::loaded::IncludeForm;
use crate::diagnostics::preprocessor as codes;
use crate::lex::{PpKind, PpToken};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Directive {
    Define,
    Undef,
    Include,
    /// The next file of that name in the folders: a header that wraps another (GCC).
    IncludeNext,
    /// `#include`, once (Objective-C, GCC).
    Import,
    If,
    Ifdef,
    Ifndef,
    Elif,
    Elifdef,
    Elifndef,
    Else,
    Endif,
    Line,
    Error,
    Warning,
    Pragma,
    /// Text for object files, which GCC began.
    Ident,
}

const DIRECTIVES: &[(&str, Directive)] = &[
    ("define", Directive::Define),
    ("undef", Directive::Undef),
    ("include", Directive::Include),
    ("include_next", Directive::IncludeNext),
    ("import", Directive::Import),
    ("if", Directive::If),
    ("ifdef", Directive::Ifdef),
    ("ifndef", Directive::Ifndef),
    ("elif", Directive::Elif),
    ("elifdef", Directive::Elifdef),
    ("elifndef", Directive::Elifndef),
    ("else", Directive::Else),
    ("endif", Directive::Endif),
    ("line", Directive::Line),
    ("error", Directive::Error),
    ("warning", Directive::Warning),
    ("pragma", Directive::Pragma),
    ("ident", Directive::Ident),
];

fn directive_named(name: &str) -> Option<Directive> {
    DIRECTIVES.iter().find(|(known, _)| *known == name).map(|&(_, directive)| directive)
}

impl Preprocessor<'_> {
    fn set_in_directive(&mut self) {
        if let Some(file) = self.files.last_mut() {
            file.lexer.in_directive = true;
        }
    }

    /// Carries out the directive behind `hash`. A pragma for later stages is returned.
    pub(super) fn directive(&mut self, hash: PpToken) -> Option<PpToken> {
        self.set_in_directive();
        let name = self.lex();
        let before = self.files.last().map_or(Guard::Unguarded, |file| file.guard);
        if let Some(file) = self.files.last_mut()
            && matches!(file.guard, Guard::Start | Guard::Behind(_))
            && name.kind != PpKind::EndOfLine
        {
            file.guard = Guard::Unguarded;
        }
        let span = hash.span().to(name.span());
        match name.kind {
            PpKind::EndOfLine => return None,
            PpKind::Integer => {
                self.line_marker(name);
                return None;
            }
            PpKind::Identifier => {}
            _ => {
                self.error(
                    &codes::UNKNOWN_DIRECTIVE,
                    span,
                    "`#` without the name of a directive",
                    "no name follows",
                );
                self.skip_rest();
                return None;
            }
        }
        let text = self.interner.resolve(name.symbol);
        let mut known = directive_named(text);
        if known.is_none() {
            let mut diagnostic = Diagnostic::new(
                &codes::UNKNOWN_DIRECTIVE,
                span,
                format!("unknown directive `#{text}`"),
            )
            .at("not a directive");
            if let Some(meant) = did_you_mean(text, DIRECTIVES.iter().map(|&(name, _)| name)) {
                diagnostic =
                    diagnostic.fix(name.span(), meant, format!("did you mean `#{meant}`?"));
                // What is missing otherwise, a macro or an `#endif`, is not worth another error.
                known = directive_named(meant);
            }
            self.report(diagnostic);
        }
        let Some(directive) = known else {
            self.skip_rest();
            return None;
        };
        match directive {
            Directive::Define => self.define(),
            Directive::Undef => self.undef(),
            Directive::Include | Directive::IncludeNext | Directive::Import | Directive::Line
                if self.collecting > 0 =>
            {
                let text = self.interner.resolve(name.symbol);
                let message = format!("`#{text}` among the arguments of a macro call");
                self.error(&codes::DIRECTIVE_IN_CALL, span, message, "the call is not closed yet");
                self.skip_rest();
            }
            Directive::Include => self.include_directive(span, IncludeForm::Plain),
            Directive::IncludeNext => self.include_directive(span, IncludeForm::Next),
            Directive::Import => self.include_directive(span, IncludeForm::Once),
            Directive::If => {
                let (taken, guard) = self.condition(span);
                self.open_conditional(span, taken, guard.filter(|_| before == Guard::Start));
            }
            Directive::Ifdef => {
                let taken = self.tested_macro("ifdef").is_some_and(|name| self.is_defined(name));
                self.open_conditional(span, taken, None);
            }
            Directive::Ifndef => {
                let tested = self.tested_macro("ifndef");
                let taken = tested.is_some_and(|name| !self.is_defined(name));
                let guard = tested.filter(|_| before == Guard::Start);
                self.open_conditional(span, taken, guard);
            }
            // These end a group that was not skipped, so the rest is.
            Directive::Elif | Directive::Elifdef | Directive::Elifndef => {
                self.skip_rest();
                if self.alternative(span, false) {
                    self.skip_groups();
                }
            }
            Directive::Else => {
                self.check_end("else");
                if self.alternative(span, true) {
                    self.skip_groups();
                }
            }
            Directive::Endif => {
                self.check_end("endif");
                self.close_conditional(span);
            }
            Directive::Line => self.line(span),
            Directive::Error => {
                let (text, place) = self.message();
                let text = if text.is_empty() { "#error".to_owned() } else { text };
                self.error(&codes::ERROR_DIRECTIVE, span.to(place), text, "`#error` was reached");
            }
            Directive::Warning => {
                let (text, place) = self.message();
                let text = if text.is_empty() { "#warning".to_owned() } else { text };
                self.error(
                    &codes::WARNING_DIRECTIVE,
                    span.to(place),
                    text,
                    "`#warning` was reached",
                );
            }
            Directive::Pragma => return self.pragma_directive(span),
            Directive::Ident => self.skip_rest(),
        }
        None
    }

    fn message(&mut self) -> (String, Span) {
        let message = self.with_lexer(|lexer, text, cx| lexer.rest_of_line(text, cx));
        self.skip_rest();
        match message {
            Some((text, span)) if !text.is_empty() => (text, span),
            _ => (String::new(), Span::NONE),
        }
    }

    // ---- the rest of a directive's line ----------------------------------------------------

    pub(super) fn skip_rest(&mut self) {
        self.with_lexer(|lexer, text, cx| {
            if lexer.in_directive {
                lexer.finish_line(text, cx);
            }
        });
    }

    /// The tokens to the end of the line, not expanded.
    pub(super) fn rest_of_directive(&mut self) -> Vec<PpToken> {
        let mut tokens = self.list();
        loop {
            let token = self.lex();
            if token.is_end() {
                return tokens;
            }
            tokens.push(token);
        }
    }

    /// Expects the end of the line, without a word about what it ends.
    pub(super) fn end_of_directive(&mut self) {
        self.check_end("include");
    }

    pub(super) fn check_end(&mut self, name: &str) {
        let in_directive = self.files.last().is_some_and(|file| file.lexer.in_directive);
        if !in_directive {
            return;
        }
        let token = self.lex();
        if !token.is_end() {
            self.extra_tokens(token, name);
            self.skip_rest();
        }
    }

    pub(super) fn extra_tokens(&mut self, token: PpToken, name: &str) {
        let diagnostic = Diagnostic::new(
            &codes::EXTRA_TOKENS,
            token.span(),
            format!("text behind `#{name}` is ignored"),
        )
        .at("not part of the directive");
        self.report(diagnostic.fix(token.span().start(), "// ", "make it a comment"));
    }

    // ---- conditional inclusion (C99 6.10.1) ------------------------------------------------

    fn open_conditional(&mut self, span: Span, taken: bool, guard: Option<Symbol>) {
        if let (Some(guard), Some(file)) = (guard, self.files.last_mut()) {
            file.guard = Guard::Inside(guard, self.conditionals.len());
        }
        self.conditionals.push(Conditional { span, taken, seen_else: None });
        if !taken {
            self.skip_groups();
        }
    }

    /// The innermost conditional of the file being read.
    fn conditional(&mut self) -> Option<&mut Conditional> {
        let outside = self.files.last().map_or(0, |file| file.conditionals);
        self.conditionals.get_mut(outside..)?.last_mut()
    }

    /// Checks that an `#elif` or `#else` may stand here, and notes it.
    fn alternative(&mut self, span: Span, is_else: bool) -> bool {
        let index = self.conditionals.len().wrapping_sub(1);
        if let Some(file) = self.files.last_mut()
            && matches!(file.guard, Guard::Inside(_, guard) if guard == index)
        {
            file.guard = Guard::Unguarded;
        }
        let name = if is_else { "#else" } else { "#elif" };
        let Some(conditional) = self.conditional() else {
            let message = format!("`{name}` without `#if`");
            self.error(&codes::UNBALANCED_CONDITIONAL, span, message, "no conditional is open");
            return false;
        };
        let opened = conditional.span;
        if let Some(earlier) = conditional.seen_else {
            self.report(
                Diagnostic::new(
                    &codes::UNBALANCED_CONDITIONAL,
                    span,
                    format!("`{name}` after `#else`"),
                )
                .at("the alternatives have ended")
                .label(opened, "the conditional begins here")
                .label(earlier, "`#else` is here"),
            );
        } else if is_else {
            conditional.seen_else = Some(span);
        }
        true
    }

    fn close_conditional(&mut self, span: Span) {
        if self.conditional().is_none() {
            return self.error(
                &codes::UNBALANCED_CONDITIONAL,
                span,
                "`#endif` without `#if`",
                "no conditional is open",
            );
        }
        self.conditionals.pop();
        let index = self.conditionals.len();
        if let Some(file) = self.files.last_mut()
            && let Guard::Inside(symbol, guard) = file.guard
            && guard == index
        {
            file.guard = Guard::Behind(symbol);
        }
    }

    /// Skips groups of the innermost conditional until one is to be read or the conditional ends.
    fn skip_groups(&mut self) {
        let depth = self.conditionals.len();
        let mut begun = None;
        loop {
            let found = self.with_lexer(|lexer, text, cx| {
                let from = lexer.here();
                let found = lexer.skip_to_directive(text, cx);
                (from, found, lexer.here())
            });
            let Some((from, found, at)) = found else { return };
            let from = *begun.get_or_insert(from);
            if self.conditionals.len() == depth {
                self.trace_skipped(from, at.saturating_sub(1));
                begun = None;
            }
            if !found {
                return;
            }
            self.set_in_directive();
            let name = self.lex();
            let directive = (name.kind == PpKind::Identifier)
                .then(|| directive_named(self.interner.resolve(name.symbol)))
                .flatten();
            let span = Span::new(at.saturating_sub(1), name.hi);
            let nested = self.conditionals.len() > depth;
            match directive {
                Some(Directive::If | Directive::Ifdef | Directive::Ifndef) => {
                    self.conditionals.push(Conditional { span, taken: true, seen_else: None });
                    self.skip_rest();
                }
                Some(Directive::Endif) if nested => {
                    self.skip_rest();
                    self.conditionals.pop();
                }
                Some(Directive::Endif) => {
                    self.check_end("endif");
                    return self.close_conditional(span);
                }
                Some(Directive::Else) if nested => {
                    self.skip_rest();
                    self.alternative(span, true);
                }
                Some(Directive::Else) => {
                    self.check_end("else");
                    if self.alternative(span, true) && self.take() {
                        return;
                    }
                }
                Some(Directive::Elif | Directive::Elifdef | Directive::Elifndef) if nested => {
                    self.skip_rest();
                }
                Some(directive @ (Directive::Elif | Directive::Elifdef | Directive::Elifndef)) => {
                    let after_else = self.conditional().is_some_and(|c| c.seen_else.is_some());
                    let taken = self.conditional().is_none_or(|c| c.taken);
                    self.alternative(span, false);
                    if taken || after_else {
                        self.skip_rest();
                        continue;
                    }
                    let holds = match directive {
                        Directive::Elifdef => {
                            self.tested_macro("elifdef").is_some_and(|name| self.is_defined(name))
                        }
                        Directive::Elifndef => {
                            self.tested_macro("elifndef").is_some_and(|name| !self.is_defined(name))
                        }
                        _ => self.condition(span).0,
                    };
                    if holds && self.take() {
                        return;
                    }
                }
                _ => self.skip_rest(),
            }
        }
    }

    /// Takes a group of the innermost conditional unless one was taken already.
    fn take(&mut self) -> bool {
        self.conditional()
            .is_some_and(|conditional| !std::mem::replace(&mut conditional.taken, true))
    }

    /// The macro name behind `#ifdef` and its like.
    fn tested_macro(&mut self, directive: &str) -> Option<Symbol> {
        let token = self.lex();
        if token.kind != PpKind::Identifier {
            let message = format!("`#{directive}` needs the name of a macro");
            self.error(
                &codes::MACRO_SYNTAX,
                token.span(),
                message,
                if token.is_end() { "nothing follows" } else { "not a name" },
            );
            if !token.is_end() {
                self.skip_rest();
            }
            return None;
        }
        self.check_end(directive);
        self.trace_use(token.symbol, token.span());
        Some(token.symbol)
    }

    // ---- #line (C99 6.10.4) ----------------------------------------------------------------

    fn line(&mut self, span: Span) {
        let tokens = self.rest_of_directive();
        let tokens = self.expand_list(tokens);
        let end = tokens.last().map_or(span, |token| token.span());
        let (problem, label) = match tokens.first() {
            Some(first) if first.kind == PpKind::Integer => {
                let digits = first.spelling(self.interner);
                let number = digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse());
                match number {
                    Some(Ok(line @ 1..=0x7fff_ffff)) => {
                        return self.renumber(line, &tokens[1..], true);
                    }
                    _ => (
                        "the line number must be a decimal number from 1 to 2147483647",
                        "not in this range",
                    ),
                }
            }
            _ => ("`#line` needs a line number", "no number follows"),
        };
        self.error(&codes::LINE_SYNTAX, span.to(end), problem, label);
    }

    /// `# 12 "file" 1`, as `-E` writes it.
    fn line_marker(&mut self, number: PpToken) {
        let tokens = self.rest_of_directive();
        let digits = number.spelling(self.interner);
        match digits.parse() {
            // Line 0 occurs in the output of other preprocessors.
            Ok(line @ 0..=0x7fff_ffff) => self.renumber(line, &tokens, false),
            _ => {
                let message = "the line number of a line marker is out of range";
                self.error(&codes::LINE_SYNTAX, number.span(), message, "larger than 2147483647");
            }
        }
    }

    fn renumber(&mut self, line: u32, rest: &[PpToken], is_directive: bool) {
        let name = match rest.first() {
            None => None,
            Some(token) if token.kind == PpKind::String => {
                Some(unescape(token.spelling(self.interner)))
            }
            Some(token) => {
                let message = "the file name must be a string literal";
                return self.error(
                    &codes::LINE_SYNTAX,
                    token.span(),
                    message,
                    "not a string literal",
                );
            }
        };
        if let Some(&extra) = rest.get(1).filter(|_| is_directive) {
            self.extra_tokens(extra, "line");
        }
        // The directive's line end has not been stepped over.
        let after = self.files.last().map(|file| {
            let at = (file.lexer.here() - self.map.file(file.id).lo) as usize;
            let bytes = file.text.as_bytes();
            let length = match bytes.get(at..) {
                Some([b'\r', b'\n', ..]) => 2,
                Some([_, ..]) => 1,
                _ => 0,
            };
            file.lexer.here() + length
        });
        if let Some(from) = after {
            self.map.add_line_directive(LineDirective { from, line, name });
        }
    }
}

/// The text of a file name in a directive.
fn unescape(literal: &str) -> String {
    let inner = literal.get(1..literal.len().saturating_sub(1)).unwrap_or("");
    let mut text = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(char) = chars.next() {
        text.push(if char == '\\' { chars.next().unwrap_or('\\') } else { char });
    }
    text
}
