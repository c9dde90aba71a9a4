//! A failure of the grammar in words.

use clc_base::Diagnostic;

use super::failure::{Expected, Failure, describe};
use crate::diagnostics::grammar;
use crate::parse::input::State;
use crate::token::{Punctuator, Token, TokenKind};

impl Failure {
    /// Puts the failure into words.
    pub fn diagnose(mut self, state: &mut State<'_>) -> Diagnostic {
        if let Some(special) = self.special.take() {
            return *special;
        }
        let found = state.tokens.get(self.position).copied();
        let found_span = state.token_span(self.position);
        let found_words = describe(found, state.interner);
        let behind = match self.position.checked_sub(1) {
            Some(before) => state.tokens[before].span.end(),
            None => found_span.start(),
        };

        // `(1, 2]`, but not the missing `)` of `a[f(1]`.
        if let Some(opener) = self.opener
            && let Some(closer) = self.wants().find_map(Expected::closer_text)
            && let Some(TokenKind::Punctuator(
                found @ (Punctuator::RightParen | Punctuator::RightBracket),
            )) = found.map(|token| token.kind)
            && state.partner(self.position).is_none_or(|partner| partner == opener)
        {
            return grammar::wrong_closer(state.tokens[opener], closer, found, found_span);
        }

        // A closing bracket that closes nothing is the mistake itself.
        if let Some(TokenKind::Punctuator(closer)) = found.map(|token| token.kind)
            && closer.closes()
            && self.expected >> Expected::closing(closer) as u8 & 1 == 0
            && state.partner(self.position).is_none()
        {
            return grammar::unmatched_closer(closer, found_span);
        }

        if let Some(opener) = self.opener
            && let Some(text) = self.wants().find_map(Expected::closer_text)
            && ends_the_bracket(found)
        {
            // Subscripts have no assignments: `a[i = 1;`.
            let assignment = (opener..self.position)
                .find(|&index| text == "]" && state.tokens[index].kind.is(Punctuator::Equal));
            let found = assignment.unwrap_or(self.position);
            let words = describe(state.tokens.get(found).copied(), state.interner);
            let behind =
                if found == self.position { behind } else { state.tokens[found - 1].span.end() };
            let found = (words.as_str(), state.token_span(found));
            return grammar::unclosed(state.tokens[opener], text, found, behind);
        }

        if let Some(semicolon) = self.wants().find(|expected| expected.is_semicolon()) {
            return grammar::missing_semicolon(semicolon.words(), &found_words, found_span, behind);
        }

        let mut wants: Vec<&str> = self.wants().map(Expected::words).collect();
        // In lists a comma would do as well.
        if let Some(opener) = self.opener
            && wants.len() == 1
            && !state.tokens[opener].kind.is(Punctuator::LeftBracket)
        {
            wants.insert(0, Expected::Comma.words());
        }
        let mut diagnostic = grammar::expected(&join(&wants), &found_words, found_span);
        if let Some(opener) = self.opener {
            let opener = state.tokens[opener];
            if let TokenKind::Punctuator(bracket) = opener.kind {
                diagnostic =
                    diagnostic.label(opener.span, format!("inside this `{}`", bracket.as_str()));
            }
        }
        diagnostic
    }
}

/// Whether a token shows that an open bracket was forgotten, and not that something else is wrong
/// inside it.
fn ends_the_bracket(found: Option<Token>) -> bool {
    match found.map(|token| token.kind) {
        None => true,
        Some(TokenKind::Punctuator(punctuator)) => matches!(
            punctuator,
            Punctuator::Semicolon
                | Punctuator::LeftBrace
                | Punctuator::RightBrace
                | Punctuator::RightBracket
                | Punctuator::RightParen
        ),
        Some(TokenKind::Keyword(_)) => true,
        Some(_) => false,
    }
}

/// `a`, `a or b`, `a, b or c`.
fn join(words: &[&str]) -> String {
    match words {
        [] => "something else".to_owned(),
        [one] => (*one).to_owned(),
        [front @ .., last] => format!("{} or {last}", front.join(", ")),
    }
}
