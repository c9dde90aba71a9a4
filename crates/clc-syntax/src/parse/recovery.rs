//! How the parse goes on after an error: where the broken stretch ends.

use chumsky::error::EmptyErr;
use chumsky::prelude::*;

use super::combinators::{Parse, Required, punctuator};
use super::input::{Cursor, Extras, Input, Progress, State};
use crate::token::{Keyword, Punctuator, Token, TokenKind};

impl State<'_> {
    /// Reports the furthest failure; returns where it was.
    pub fn report(&mut self) -> usize {
        let Some(failure) = self.failure.take() else { return self.tokens.len() };
        let position = failure.position;
        let diagnostic = failure.diagnose(self);
        self.emit(diagnostic);
        if position >= self.tokens.len() && self.progress == Progress::Running {
            // The file ended too early; every open construct would say so again.
            self.progress = Progress::Unwinding;
        }
        position
    }
}

/// Moves forward to token `target`.
fn skip_to(input: &mut Input<'_, '_>, target: usize) {
    while input.position() < target && input.next().is_some() {}
}

/// A group that, if it fails between its brackets, counts as read: with `value` instead.
pub(super) fn recovering<'t, O>(
    open: Punctuator,
    group: impl Parse<'t, O>,
    value: impl Fn(&mut Extras<'t, '_>) -> O + Copy,
) -> impl Parse<'t, O> {
    let broken = broken_brackets().map_with(move |(), e| value(e));
    group.recover_with(via_parser(broken)).at(punctuator(open))
}

/// A group in brackets that failed between them: reports that, and goes on behind the closing one.
/// `custom`, as all of recovery: where it goes on depends on where the failure was.
fn broken_brackets<'t>() -> impl Parse<'t, ()> {
    custom(|input: &mut Input<'t, '_>| {
        let opener = input.position();
        let state = input.state();
        let failed_at = state.failure.as_ref().map_or(usize::MAX, |failure| failure.position);
        match state.partner(opener) {
            Some(partner)
                if state.progress == Progress::Running
                    && failed_at <= partner
                    && failed_at > opener =>
            {
                state.report();
                skip_to(input, partner + 1);
                Ok(())
            }
            _ => Err(EmptyErr::default()),
        }
    })
}

/// A statement, declaration or member that failed: reports that, and moves behind it.
pub(super) fn broken_item<'t>(level: Level) -> impl Parse<'t, ()> {
    custom(move |input: &mut Input<'t, '_>| {
        if input.state().progress != Progress::Running {
            return Err(EmptyErr::default());
        }
        let start = input.position();
        let state = input.state();
        let lacks_semicolon =
            state.failure.as_ref().is_some_and(|failure| failure.wants_semicolon());
        let failed_at = state.report().min(state.tokens.len());
        let target =
            if lacks_semicolon && failed_at > start && begins_something(state, failed_at, level) {
                failed_at
            } else {
                end_of_stretch(state, start, failed_at, level)
            };
        skip_to(input, target);
        match input.state().progress {
            Progress::Running => Ok(()),
            Progress::Unwinding | Progress::Stopped => Err(EmptyErr::default()),
        }
    })
}

/// An external declaration that failed. Behind one that lost its `}` the file goes on where the next
/// declaration begins.
pub(super) fn broken_declaration<'t>() -> impl Parse<'t, ()> {
    custom(|input: &mut Input<'t, '_>| {
        let start = input.position();
        let end = input.state().tokens.len();
        if start >= end {
            return Err(EmptyErr::default());
        }
        let was_running = input.state().progress == Progress::Running;
        if was_running && input.parse(broken_item(Level::File)).is_ok() {
            return Ok(());
        }
        let state = input.state();
        let target = match state.progress {
            Progress::Unwinding if !was_running => {
                let target = state.resume.take().unwrap_or(end);
                state.failure = None;
                state.progress = Progress::Running;
                target.max(start + 1)
            }
            Progress::Running | Progress::Unwinding | Progress::Stopped => end,
        };
        skip_to(input, target);
        Ok(())
    })
}

/// What a skip looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// The end of a statement, declaration or member inside braces.
    Block,
    /// The end of an external declaration.
    File,
}

/// Whether a statement or declaration plausibly begins at a token, so that the `;` before it was
/// just forgotten.
fn begins_something(state: &mut State<'_>, index: usize, level: Level) -> bool {
    let next = state.tokens.get(index + 1).map(|token| token.kind);
    match state.tokens.get(index).map(|token| token.kind) {
        None => true,
        Some(TokenKind::Keyword(keyword)) => begins_statement(keyword),
        Some(TokenKind::Identifier(name)) => {
            let is_expression = level == Level::Block
                && matches!(
                    next,
                    Some(TokenKind::Punctuator(
                        Punctuator::Equal
                            | Punctuator::LeftParen
                            | Punctuator::LeftBracket
                            | Punctuator::Dot
                            | Punctuator::Arrow
                            | Punctuator::PlusPlus
                            | Punctuator::MinusMinus
                            | Punctuator::PlusEqual
                            | Punctuator::MinusEqual
                            | Punctuator::StarEqual
                            | Punctuator::SlashEqual
                            | Punctuator::PercentEqual
                            | Punctuator::AmpersandEqual
                            | Punctuator::BarEqual
                            | Punctuator::CaretEqual
                            | Punctuator::ShiftLeftEqual
                            | Punctuator::ShiftRightEqual
                    ))
                );
            is_expression || state.meaning(name).is_type()
        }
        Some(TokenKind::Punctuator(Punctuator::RightBrace)) => true,
        Some(TokenKind::Pragma(_)) => true,
        Some(_) => false,
    }
}

fn begins_statement(keyword: Keyword) -> bool {
    !matches!(
        keyword,
        Keyword::Sizeof
            | Keyword::Alignof
            | Keyword::VecStep
            | Keyword::Else
            | Keyword::BuiltinOffsetof
    )
}

/// The index of the token behind the broken stretch that began at `start` and failed at `failed`.
/// Always advances, except over a `}` that ends the block around it.
fn end_of_stretch(state: &mut State<'_>, start: usize, failed: usize, level: Level) -> usize {
    // Brackets that opened before the failure and close behind it belong to the stretch.
    let mut index = start;
    while index < failed {
        index = match (is_opening(state.tokens[index]), state.partner(index)) {
            (true, Some(partner)) => partner + 1,
            _ => index + 1,
        };
    }
    let must_pass = start;
    while let Some(token) = state.tokens.get(index).copied() {
        match token.kind {
            TokenKind::Punctuator(Punctuator::Semicolon) => return index + 1,
            TokenKind::Punctuator(Punctuator::RightBrace) => match level {
                Level::Block => return index,
                Level::File => return index + 1,
            },
            TokenKind::Punctuator(Punctuator::LeftBrace) => match state.partner(index) {
                Some(partner) => {
                    index = partner + 1;
                    match state.tokens.get(index).map(|token| token.kind) {
                        Some(TokenKind::Punctuator(Punctuator::Semicolon)) => return index + 1,
                        // `} else {`, `} name;`, `}, …` go on.
                        Some(TokenKind::Keyword(Keyword::Else)) => index += 1,
                        Some(TokenKind::Punctuator(Punctuator::Comma)) => index += 1,
                        _ => return index,
                    }
                    continue;
                }
                // A brace that nothing closes swallows the file up to the next kernel.
                None if level == Level::File => {
                    let rest = &state.tokens[index..];
                    return rest
                        .iter()
                        .position(|token| token.kind == TokenKind::Keyword(Keyword::Kernel))
                        .map_or(state.tokens.len(), |found| index + found);
                }
                None => index += 1,
            },
            TokenKind::Punctuator(Punctuator::LeftParen | Punctuator::LeftBracket) => {
                index = state.partner(index).unwrap_or(index) + 1;
            }
            TokenKind::Keyword(keyword) if index > must_pass && ends_stretch(keyword, level) => {
                return index;
            }
            _ => index += 1,
        }
    }
    index
}

/// Keywords that hardly stand anywhere but at the start of something new.
fn ends_stretch(keyword: Keyword, level: Level) -> bool {
    match keyword {
        Keyword::Kernel | Keyword::Typedef => true,
        Keyword::Static | Keyword::Extern | Keyword::Inline => level == Level::File,
        Keyword::If
        | Keyword::For
        | Keyword::While
        | Keyword::Do
        | Keyword::Switch
        | Keyword::Case
        | Keyword::Default
        | Keyword::Return
        | Keyword::Break
        | Keyword::Continue
        | Keyword::Goto => level == Level::Block,
        _ => false,
    }
}

fn is_opening(token: Token) -> bool {
    matches!(token.kind, TokenKind::Punctuator(punctuator) if punctuator.opens())
}
