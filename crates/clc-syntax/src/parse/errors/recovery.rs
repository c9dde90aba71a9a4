//! How the parse goes on after an error: where the broken stretch ends.

use chumsky::error::EmptyErr;
use chumsky::prelude::*;
use clc_base::{Span, Symbol};

use super::failure::Expected;
use crate::ast::Declaration;
use crate::parse::combinators::{Parse, Required, punctuator};
use crate::parse::input::{Cursor, Extras, Input, Parsed, Progress, State};
use crate::parse::names::Meaning;
use crate::token::{Keyword, Punctuator, Token, TokenKind};

/// A statement, member or declaration, in which one error is reported; `custom`, for what it is
/// about is what is read meanwhile. `is_item` says whether the whole of it is one stretch.
pub(in crate::parse) fn item<'t, O>(
    inner: impl Parse<'t, O>,
    is_item: impl Fn(&O, &State<'_>) -> bool + Copy,
) -> impl Parse<'t, O> {
    custom(move |input: &mut Input<'t, '_>| {
        let position = input.position();
        let state = input.state();
        let outer = (state.trouble.said, state.trouble.is_guess, state.trouble.item_start);
        let outside = std::mem::take(&mut state.trouble.said_inside);
        state.trouble.is_guess = std::mem::take(&mut state.trouble.after_guess);
        state.trouble.bracket_error = state.trouble.bracket_error.saturating_sub(1);
        // Outside of functions a guess is seldom right twice.
        (state.trouble.said, state.trouble.item_start) =
            (state.trouble.is_guess && state.trouble.function_body.is_none(), position);
        let result = input.parse(inner);
        let end = input.position();
        let state = input.state();
        if state.trouble.is_guess {
            state.lose_names(position, end);
        }
        let is_suspect = state.trouble.said || state.trouble.is_guess || state.trouble.said_inside;
        (state.trouble.said, state.trouble.is_guess, state.trouble.item_start) = outer;
        state.trouble.said_inside |= outside;
        if let Ok(value) = &result
            && is_suspect
            && is_item(value, state)
        {
            let start = input.state().token_span(position);
            let stretch = input.since(start);
            input.state().ast.suspects.push(stretch);
        }
        result
    })
}

/// Moves forward to token `target`.
fn skip_to(input: &mut Input<'_, '_>, target: usize) {
    while input.position() < target && input.next().is_some() {}
}

/// A group that, if it fails between its brackets, counts as read: with `value` instead.
pub(in crate::parse) fn recovering<'t, O>(
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
                state.lose_names(opener, partner);
                skip_to(input, partner + 1);
                Ok(())
            }
            _ => Err(EmptyErr::default()),
        }
    })
}

/// A token that slipped in between a keyword and its `(`.
pub(in crate::parse) fn stray<'t>(expected: Expected) -> impl Parse<'t, ()> {
    custom(move |input: &mut Input<'t, '_>| {
        let failed = input.fail(expected);
        if input.at_ahead(1, Punctuator::LeftParen)
            && input.state().progress == Progress::Running
            && matches!(input.kind(), Some(TokenKind::Punctuator(_)))
        {
            input.state().report();
            input.skip();
            return Ok(());
        }
        failed
    })
}

/// Whether a function has lost the `{` of its body; reports that.
#[inline]
pub(in crate::parse) fn lost_brace(input: &mut Input<'_, '_>) -> bool {
    use Punctuator as P;
    if let None | Some(TokenKind::Punctuator(P::Semicolon | P::Comma | P::Equal)) = input.kind() {
        return false;
    }
    let position = input.position();
    let state = input.state();
    let is_lost = state.trouble.function_body.is_none()
        && state.progress == Progress::Running
        && begins_something(state, position, Level::Block)
        && state.unmatched_brace(position).is_some();
    if is_lost {
        let _: Parsed<()> = input.fail(Expected::FunctionBody);
        input.state().report();
    }
    is_lost
}

/// A `;` that is missed in front of what can only begin something new: reports that.
pub(in crate::parse) fn forgotten_semicolon<'t>(after: Expected) -> impl Parse<'t, Span> {
    custom(move |input: &mut Input<'t, '_>| {
        let failed = input.fail(after);
        let position = input.position();
        let state = input.state();
        let is_furthest =
            state.failure.as_ref().is_some_and(|failure| failure.position == position);
        let level = if state.trouble.function_body.is_some() { Level::Block } else { Level::File };
        if state.progress != Progress::Running
            || position >= state.tokens.len()
            || !is_furthest
            || !begins_something(state, position, level)
            || level == Level::File && is_part_of_list(state, position)
        {
            return failed;
        }
        state.report();
        let is_cut_short =
            state.tokens.get(position + 1).is_some_and(|t| t.kind.is(Punctuator::Semicolon));
        state.trouble.after_guess =
            is_cut_short || !matches!(state.tokens[position].kind, TokenKind::Keyword(_));
        let item =
            state.token_span(state.trouble.item_start).to(state.token_span(position).start());
        state.ast.suspects.push(item);
        match state.progress {
            Progress::Running => Ok(state.token_span(position).start()),
            Progress::Unwinding | Progress::Stopped => failed,
        }
    })
}

/// A statement, declaration or member that failed: reports that, moves behind it, and returns the
/// names that it may have declared and what was read of a declaration.
pub(in crate::parse) fn broken_item<'t>(level: Level) -> impl Parse<'t, Broken> {
    custom(move |input: &mut Input<'t, '_>| {
        if input.state().progress != Progress::Running {
            return Err(EmptyErr::default());
        }
        let start = input.position();
        let state = input.state();
        let fails_at_once = state.failure.as_ref().is_some_and(|failure| failure.position == start);
        if level == Level::File && fails_at_once {
            state.trouble.said |=
                state.trouble.brace_error || state.is_behind_broken_function(start);
        }
        let failed_at = state.report().min(state.tokens.len());
        let target = match level {
            // What stands behind a `}` too many belongs to the function that it ended.
            Level::File if failed_at == start && !is_closing(state, start) => {
                state.unmatched_brace(start).map(|brace| brace + 1)
            }
            Level::File | Level::Block => None,
        };
        let target = target.unwrap_or_else(|| end_of_stretch(state, start, failed_at, level));
        skip_to(input, target);
        let state = input.state();
        state.trouble.broken_end = Some(target);
        // Where a keyword stopped this, what it begins may be a part of the mistake.
        state.trouble.after_guess = failed_at == target
            && state.tokens.get(target).is_some_and(|t| matches!(t.kind, TokenKind::Keyword(_)));
        let target = target.max(start);
        let names = state.names_in(start, target);
        state.lose_names(start, target);
        let declaration = state.trouble.salvage.take();
        let is_typedef = state.tokens[start..target]
            .first()
            .is_some_and(|token| token.kind == TokenKind::Keyword(Keyword::Typedef));
        match state.progress {
            Progress::Running => Ok(Broken { names, declaration, is_typedef }),
            Progress::Unwinding | Progress::Stopped => Err(EmptyErr::default()),
        }
    })
}

/// What is left of a statement, declaration or member.
pub(in crate::parse) struct Broken {
    pub names: Vec<(Symbol, Span)>,
    pub declaration: Option<Declaration>,
    is_typedef: bool,
}

impl Broken {
    /// Makes the names known as lost, and returns the declaration that was read in part.
    pub fn remember(self, state: &mut State<'_>) -> Option<Declaration> {
        let meaning = if self.is_typedef { Meaning::Type } else { Meaning::Ordinary };
        let declared = self.declaration.iter().flat_map(|declaration| &declaration.declarators);
        let names: Vec<Symbol> =
            declared.filter_map(|declarator| Some(declarator.declarator.name?.0)).collect();
        match (&names[..], self.names.last()) {
            ([], Some(&(last, _))) if self.is_typedef => state.names.bind(last, meaning),
            (names, _) => names.iter().for_each(|&name| state.names.bind(name, meaning)),
        }
        self.declaration
    }
}

/// An external declaration that failed. Behind one that lost its `}` the file goes on where the next
/// declaration begins.
pub(in crate::parse) fn broken_declaration<'t>() -> impl Parse<'t, Option<Declaration>> {
    custom(|input: &mut Input<'t, '_>| {
        let start = input.position();
        let end = input.state().tokens.len();
        if start >= end {
            return Err(EmptyErr::default());
        }
        let was_running = input.state().progress == Progress::Running;
        if was_running && let Ok(broken) = input.parse(broken_item(Level::File)) {
            return Ok(broken.remember(input.state()));
        }
        let state = input.state();
        let target = match state.progress {
            Progress::Unwinding if !was_running => {
                let target = state.trouble.resume.take().unwrap_or(end);
                state.failure = None;
                state.progress = Progress::Running;
                target.max(start + 1)
            }
            Progress::Running | Progress::Unwinding | Progress::Stopped => end,
        };
        skip_to(input, target);
        Ok(input.state().trouble.salvage.take())
    })
}

/// What a skip looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::parse) enum Level {
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

/// Whether what comes is the rest of a parameter list that has lost its `(`, or has it misplaced.
fn is_part_of_list(state: &mut State<'_>, position: usize) -> bool {
    let ends = |token: &Token| {
        [Punctuator::Semicolon, Punctuator::LeftBrace].iter().any(|&end| token.kind.is(end))
    };
    let tokens = &state.tokens[position..];
    let length = tokens.iter().position(ends).unwrap_or(tokens.len());
    tokens.get(1).is_some_and(|token| token.kind.is(Punctuator::LeftParen))
        || (position..position + length)
            .any(|index| is_closing(state, index) && state.partner(index).is_none())
}

fn begins_statement(keyword: Keyword) -> bool {
    !matches!(
        keyword,
        Keyword::Sizeof
            | Keyword::Alignof
            | Keyword::VecStep
            | Keyword::Else
            | Keyword::BuiltinOffsetof
            | Keyword::BuiltinAstype
            | Keyword::BuiltinConvertvector
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

fn is_closing(state: &State<'_>, index: usize) -> bool {
    matches!(
        state.tokens.get(index).map(|token| token.kind),
        Some(TokenKind::Punctuator(punctuator)) if punctuator.closes()
    )
}

fn is_opening(token: Token) -> bool {
    matches!(token.kind, TokenKind::Punctuator(punctuator) if punctuator.opens())
}
