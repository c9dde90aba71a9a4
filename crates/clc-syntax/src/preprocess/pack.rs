//! `#pragma pack(1)`, which OpenCL C does not have but programs use.
//!
//! It means what the attribute `packed` on every structure and union defined under it means, so
//! that is what becomes of it: the tokens `__attribute__((packed))` behind `struct` and `union`.

use clc_base::Span;

use super::interface::{Layout, Output};
use crate::token::{Keyword, Punctuator, Token, TokenKind};

/// The state that results from the pragmas so far.
#[derive(Debug, Default)]
pub(super) struct Pack {
    pub(super) current: Option<Span>,
    pub(super) pushed: Vec<Option<Span>>,
    /// From the token with this index on, the pragma with this span packs structures.
    pub(super) changes: Vec<(usize, Option<Span>)>,
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
