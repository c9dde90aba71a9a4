//! What is settled about tokens before the grammar sees them: pragmas in places where the grammar
//! has none are dropped, and `pipe` is a plain name before OpenCL C 2.0.

use std::borrow::Cow;

use clc_base::{Interner, Version};

use crate::token::{Keyword, Punctuator, Token, TokenKind};

/// Borrows the tokens if nothing has to change.
pub(super) fn prepare<'t>(
    tokens: &'t [Token],
    interner: &mut Interner,
    version: Version,
) -> Cow<'t, [Token]> {
    let pipe_is_a_name = version < Version::V2_0;
    let changes = tokens.iter().any(|token| match token.kind {
        TokenKind::Pragma(_) => true,
        TokenKind::Keyword(Keyword::Pipe) => pipe_is_a_name,
        _ => false,
    });
    if !changes {
        return Cow::Borrowed(tokens);
    }
    let pipe = interner.intern("pipe");
    let mut kept = Vec::with_capacity(tokens.len());
    // For each open bracket, whether it is a brace.
    let mut open = Vec::new();
    // The token before, pragmas not counted.
    let mut previous = None;
    // Behind a run of pragmas.
    let mut behind = 0;
    for (index, &token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Pragma(_) => {
                behind = behind.max(index);
                while let Some(TokenKind::Pragma(_)) = tokens.get(behind).map(|token| token.kind) {
                    behind += 1;
                }
                let next = tokens.get(behind).map(|token| token.kind);
                if open.last() != Some(&false) && may_stand_between(previous, next) {
                    kept.push(token);
                }
                continue;
            }
            TokenKind::Keyword(Keyword::Pipe) if pipe_is_a_name => {
                kept.push(Token { kind: TokenKind::Identifier(pipe), span: token.span });
            }
            TokenKind::Punctuator(punctuator) => {
                match punctuator {
                    Punctuator::LeftBrace => open.push(true),
                    Punctuator::LeftParen | Punctuator::LeftBracket => open.push(false),
                    Punctuator::RightBrace | Punctuator::RightParen | Punctuator::RightBracket => {
                        open.pop();
                    }
                    _ => {}
                }
                kept.push(token);
            }
            _ => kept.push(token),
        }
        previous = Some(token.kind);
    }
    Cow::Owned(kept)
}

/// Whether a pragma between these tokens stands where a declaration, member or statement begins.
fn may_stand_between(previous: Option<TokenKind>, next: Option<TokenKind>) -> bool {
    match previous {
        None => true,
        Some(TokenKind::Punctuator(Punctuator::Semicolon | Punctuator::LeftBrace)) => true,
        Some(TokenKind::Punctuator(Punctuator::RightBrace)) => !matches!(
            next,
            Some(
                TokenKind::Punctuator(
                    Punctuator::Semicolon | Punctuator::Comma | Punctuator::RightParen
                ) | TokenKind::Keyword(Keyword::Else)
            )
        ),
        // In front of the body of a loop or branch, or behind a label.
        Some(
            TokenKind::Punctuator(Punctuator::RightParen | Punctuator::Colon)
            | TokenKind::Keyword(Keyword::Else | Keyword::Do),
        ) => matches!(
            next,
            Some(TokenKind::Keyword(
                Keyword::For | Keyword::While | Keyword::Do | Keyword::If | Keyword::Switch
            ))
        ),
        Some(_) => false,
    }
}
