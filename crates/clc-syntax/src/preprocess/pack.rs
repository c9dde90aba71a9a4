//! `#pragma pack(1)`, which OpenCL C does not have but programs use.
//!
//! It means what the attribute `packed` on every structure and union defined under it means, so
//! that is what becomes of it: the tokens `__attribute__((packed))` behind `struct` and `union`.

use clc_base::{Diagnostic, Span};

use super::engine::Preprocessor;
use super::{Layout, Output};
use crate::diagnostics::preprocessor as codes;
use crate::lex::{PpKind, PpToken};
use crate::token::{Keyword, Punctuator, Token, TokenKind};

/// The state that the pragmas so far give.
#[derive(Debug, Default)]
pub(super) struct Pack {
    current: Option<Span>,
    pushed: Vec<Option<Span>>,
    /// From the token with this index on, the pragma with this span packs structures.
    changes: Vec<(usize, Option<Span>)>,
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
            return self.ignored(span, message);
        }
        self.pack.changes.push((self.output.tokens.len(), self.pack.current));
    }
}

/// Puts the attributes in.
pub(super) fn apply(pack: &Pack, output: &mut Output, packed: TokenKind) {
    if pack.changes.is_empty() {
        return;
    }
    let tokens = std::mem::take(&mut output.tokens);
    let layout = std::mem::take(&mut output.layout);
    output.tokens.reserve(tokens.len());
    let mut changes = pack.changes.iter().peekable();
    let mut current = None;
    for (index, token) in tokens.iter().enumerate() {
        while let Some(&&(_, state)) = changes.peek().filter(|change| change.0 <= index) {
            current = state;
            changes.next();
        }
        output.tokens.push(*token);
        let place = layout.get(index).copied();
        output.layout.extend(place);
        let Some(span) = current.filter(|_| begins_definition(&tokens[index..])) else { continue };
        let punctuator = TokenKind::Punctuator;
        for kind in [
            TokenKind::Keyword(Keyword::Attribute),
            punctuator(Punctuator::LeftParen),
            punctuator(Punctuator::LeftParen),
            packed,
            punctuator(Punctuator::RightParen),
            punctuator(Punctuator::RightParen),
        ] {
            output.tokens.push(Token { kind, span });
            output.layout.extend(place.map(|place| Layout { space: true, ..place }));
        }
    }
}

/// Whether `struct` or `union` begins the definition of a type here.
fn begins_definition(tokens: &[Token]) -> bool {
    let is = |at: usize, kind| tokens.get(at).is_some_and(|token| token.kind == kind);
    if !is(0, TokenKind::Keyword(Keyword::Struct)) && !is(0, TokenKind::Keyword(Keyword::Union)) {
        return false;
    }
    let mut at = 1;
    while is(at, TokenKind::Keyword(Keyword::Attribute)) {
        at += 1;
        let mut depth = 0;
        loop {
            match tokens.get(at).map(|token| token.kind) {
                Some(TokenKind::Punctuator(Punctuator::LeftParen)) => depth += 1,
                Some(TokenKind::Punctuator(Punctuator::RightParen)) => depth -= 1,
                None => return false,
                Some(_) => {}
            }
            at += 1;
            if depth <= 0 {
                break;
            }
        }
    }
    if matches!(tokens.get(at).map(|token| token.kind), Some(TokenKind::Identifier(_))) {
        at += 1;
    }
    is(at, TokenKind::Punctuator(Punctuator::LeftBrace))
}
