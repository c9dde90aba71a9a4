//! How the parse goes on after an error: where the broken stretch ends.

use chumsky::error::EmptyErr;
use chumsky::prelude::*;
use clc_base::{Span, Symbol};

use super::combinators::{Parse, Required, punctuator};
use super::failure::Expected;
use super::input::{Cursor, Extras, Input, Parsed, Progress, State};
use super::names::Meaning;
use crate::ast::{Declaration, ExternalDeclaration, Lost};
use crate::token::{Keyword, Punctuator, Token, TokenKind};

impl State<'_> {
    /// Reports the furthest failure, unless it follows from another; returns where it was.
    pub fn report(&mut self) -> usize {
        let Some(position) = self.failure.as_ref().map(|failure| failure.position) else {
            return self.tokens.len();
        };
        let follows_other = self.follows(position);
        let Some(failure) = self.failure.take() else { return position };
        let at_end = position >= self.tokens.len();
        let kind = self.tokens.get(position).map(|token| token.kind);
        let closes_block = kind.is_none_or(|kind| kind.is(Punctuator::RightBrace));
        let follows = follows_other || self.brace_error && closes_block;
        let wants = |wanted| failure.wants().any(|expected| expected == wanted);
        let wants_declarator = wants(Expected::DeclaratorName);
        let next = self.tokens.get(position + 1).map(|token| token.kind);
        if let (Some(found), Some(TokenKind::Identifier(name))) = (kind, next)
            && found.is(Punctuator::Semicolon)
            && (wants_declarator || wants(Expected::MemberName))
        {
            // The `;` most likely is what is too much.
            self.lose(name);
        } else if wants_declarator
            || wants(Expected::Statement) && kind.is_some_and(|kind| kind.is(Punctuator::Colon))
        {
            // A declarator or a label.
            self.ast.unnamed.push(self.token_span(position));
        }
        let wants_paren = failure.wants().any(|expected| {
            matches!(expected, Expected::Paren | Expected::ForParen | Expected::ConditionParen)
        });
        let mut wanted_semicolon = false;
        if !follows {
            let diagnostic = match self.misspelt_keyword(position) {
                Some(diagnostic) => diagnostic,
                None => failure.diagnose(self),
            };
            // A bracket that closes nothing, behind a failure at another bracket.
            let is_unmatched = diagnostic.code.id == "E0104";
            wanted_semicolon = diagnostic.code.id == "E0103";
            if diagnostic.code.id == "E0113" {
                self.ast.unnamed.push(diagnostic.primary.span);
            }
            let is_left_over = is_unmatched && (self.bracket_error > 0 || self.is_guess)
                || self.is_guess && diagnostic.code.id == "E0103";
            if !is_left_over {
                self.emit(diagnostic);
            }
            (self.said, self.said_inside) = (true, true);
            if let Some(TokenKind::Punctuator(punctuator)) = kind
                && !is_unmatched
            {
                if wants_paren || punctuator.opens() || punctuator.closes() {
                    self.bracket_error = BRACKETS_MATTER;
                }
                self.brace_error |=
                    matches!(punctuator, Punctuator::LeftBrace | Punctuator::RightBrace)
                        && self.lacks_brace(position);
            } else if wants_paren {
                self.bracket_error = BRACKETS_MATTER;
            }
        }
        self.last_error = Some(position);
        self.wanted_semicolon = wanted_semicolon;
        if at_end && self.progress == Progress::Running {
            // The file ended too early; every open construct would say so again.
            self.progress = Progress::Unwinding;
        }
        position
    }

    /// What may have been declared between two tokens is not in the tree: in a declaration every name
    /// that nothing has declared.
    pub fn lose_names(&mut self, start: usize, end: usize) {
        let tokens = self.tokens;
        let is_declaration = self.may_begin_declaration(start);
        for (index, token) in tokens.iter().enumerate().take(end).skip(start) {
            if let TokenKind::Identifier(name) = token.kind
                && (is_declaration && !self.names.is_declared(name) || declares(tokens, index))
            {
                self.lose(name);
            }
        }
    }

    /// The names that may be declared between two tokens.
    fn names_in(&self, start: usize, end: usize) -> Vec<(Symbol, Span)> {
        let declared = (start..end).filter(|&index| index == start || declares(self.tokens, index));
        let name = |index: usize| match self.tokens[index].kind {
            TokenKind::Identifier(name) => Some((name, self.tokens[index].span)),
            _ => None,
        };
        declared.filter_map(name).collect()
    }

    /// It is not known that nothing declares a name.
    pub fn lose(&mut self, name: Symbol) {
        // Where braces do not match it is not known either which function declares it.
        let body = self.function_body.filter(|&opener| self.partner(opener).is_some());
        let within = body.map(|opener| self.tokens[opener].span.lo);
        self.ast.lost.push(Lost { name, within });
    }

    /// Whether a name is among those that are lost.
    pub fn has_lost(&self, name: Symbol) -> bool {
        self.ast.lost.iter().any(|lost| lost.name == name)
    }

    /// Whether the failure at a token is the want of a `;`.
    fn wants_semicolon(&self, position: usize) -> bool {
        self.failure.as_ref().is_some_and(|failure| {
            failure.position == position && failure.wants().any(Expected::is_semicolon)
        })
    }

    /// Whether an error was reported just before a token.
    fn is_near_error(&self, position: usize) -> bool {
        let Some(last) = self.last_error else { return false };
        let between = self.tokens.get(last..position).unwrap_or_default();
        // A `;` ends more than a statement: what is behind it is most likely something else.
        let ended = between.iter().any(|token| token.kind.is(Punctuator::Semicolon));
        let distance = match ended && !self.wanted_semicolon {
            false => NEAR,
            true if self.wants_semicolon(position) => NEAR - 1,
            true => 1,
        };
        position <= last + distance
    }

    /// Whether an error at a token most likely follows from one that was reported.
    pub fn follows(&self, position: usize) -> bool {
        self.said || self.is_near_error(position)
    }

    /// Whether the braces around and behind a token do not match.
    fn lacks_brace(&mut self, position: usize) -> bool {
        let function = self.function_body;
        function.is_some_and(|opener| self.partner(opener).is_none())
            || self.unmatched_brace(position).is_some()
            || function.is_none() && self.partner(position).is_none()
    }

    /// Whether what comes belongs to the function before, in which there was an error that has made
    /// it end too early.
    fn is_behind_broken_function(&mut self, start: usize) -> bool {
        let Some(ExternalDeclaration::Function(function)) = self.ast.items.last() else {
            return false;
        };
        let (span, body) = (function.span, self.last_body);
        let is_broken = self.last_error.is_some_and(|last| last >= body)
            && self.unmatched_brace(start).is_some_and(|brace| brace > start);
        if is_broken {
            self.ast.suspects.push(span);
        }
        is_broken
    }

    /// The next `}` that closes nothing.
    pub fn unmatched_brace(&mut self, from: usize) -> Option<usize> {
        let tokens = self.tokens;
        (from..tokens.len()).find(|&index| {
            tokens[index].kind.is(Punctuator::RightBrace) && self.partner(index).is_none()
        })
    }
}

/// A failure so few tokens behind another follows from it.
const NEAR: usize = 3;

/// In so many statements behind a failure at a bracket it is likely that another bracket seems to
/// close nothing: the head of a `for` may have become statements.
const BRACKETS_MATTER: u8 = 3;

/// A statement, member or declaration, in which one error is reported; `custom`, for what it is
/// about is what is read meanwhile. `is_item` says whether the whole of it is one stretch.
pub(super) fn item<'t, O>(
    inner: impl Parse<'t, O>,
    is_item: impl Fn(&O, &State<'_>) -> bool + Copy,
) -> impl Parse<'t, O> {
    custom(move |input: &mut Input<'t, '_>| {
        let position = input.position();
        let state = input.state();
        let outer = (state.said, state.is_guess, state.item_start);
        let outside = std::mem::take(&mut state.said_inside);
        state.is_guess = std::mem::take(&mut state.after_guess);
        state.bracket_error = state.bracket_error.saturating_sub(1);
        // Outside of functions a guess is seldom right twice.
        (state.said, state.item_start) =
            (state.is_guess && state.function_body.is_none(), position);
        let result = input.parse(inner);
        let end = input.position();
        let state = input.state();
        if state.is_guess {
            state.lose_names(position, end);
        }
        let is_suspect = state.said || state.is_guess || state.said_inside;
        (state.said, state.is_guess, state.item_start) = outer;
        state.said_inside |= outside;
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
                state.lose_names(opener, partner);
                skip_to(input, partner + 1);
                Ok(())
            }
            _ => Err(EmptyErr::default()),
        }
    })
}

/// A token that slipped in between a keyword and its `(`.
pub(super) fn stray<'t>(expected: Expected) -> impl Parse<'t, ()> {
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
pub(super) fn lost_brace(input: &mut Input<'_, '_>) -> bool {
    use Punctuator as P;
    if let None | Some(TokenKind::Punctuator(P::Semicolon | P::Comma | P::Equal)) = input.kind() {
        return false;
    }
    let position = input.position();
    let state = input.state();
    let is_lost = state.function_body.is_none()
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
pub(super) fn forgotten_semicolon<'t>(after: Expected) -> impl Parse<'t, Span> {
    custom(move |input: &mut Input<'t, '_>| {
        let failed = input.fail(after);
        let position = input.position();
        let state = input.state();
        let is_furthest =
            state.failure.as_ref().is_some_and(|failure| failure.position == position);
        let level = if state.function_body.is_some() { Level::Block } else { Level::File };
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
        state.after_guess =
            is_cut_short || !matches!(state.tokens[position].kind, TokenKind::Keyword(_));
        let item = state.token_span(state.item_start).to(state.token_span(position).start());
        state.ast.suspects.push(item);
        match state.progress {
            Progress::Running => Ok(state.token_span(position).start()),
            Progress::Unwinding | Progress::Stopped => failed,
        }
    })
}

/// A statement, declaration or member that failed: reports that, moves behind it, and returns the
/// names that it may have declared and what was read of a declaration.
pub(super) fn broken_item<'t>(level: Level) -> impl Parse<'t, Broken> {
    custom(move |input: &mut Input<'t, '_>| {
        if input.state().progress != Progress::Running {
            return Err(EmptyErr::default());
        }
        let start = input.position();
        let state = input.state();
        let fails_at_once = state.failure.as_ref().is_some_and(|failure| failure.position == start);
        if level == Level::File && fails_at_once {
            state.said |= state.brace_error || state.is_behind_broken_function(start);
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
        state.broken_end = Some(target);
        // Where a keyword stopped this, what it begins may be a part of the mistake.
        state.after_guess = failed_at == target
            && state.tokens.get(target).is_some_and(|t| matches!(t.kind, TokenKind::Keyword(_)));
        let target = target.max(start);
        let names = state.names_in(start, target);
        state.lose_names(start, target);
        let declaration = state.salvage.take();
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
pub(super) struct Broken {
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

/// Whether the name at a token may be declared there: behind another name, a keyword, a `*` or a
/// comma, or as a label.
fn declares(tokens: &[Token], index: usize) -> bool {
    let is_label = tokens.get(index + 1).is_some_and(|behind| behind.kind.is(Punctuator::Colon));
    let before = index.checked_sub(1).map(|before| tokens[before].kind);
    is_label
        || before.is_some_and(|before| match before {
            TokenKind::Identifier(_) | TokenKind::Keyword(_) => true,
            TokenKind::Punctuator(punctuator) => matches!(
                punctuator,
                Punctuator::Star | Punctuator::Caret | Punctuator::Comma | Punctuator::RightBrace
            ),
            _ => false,
        })
}

/// An external declaration that failed. Behind one that lost its `}` the file goes on where the next
/// declaration begins.
pub(super) fn broken_declaration<'t>() -> impl Parse<'t, Option<Declaration>> {
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
                let target = state.resume.take().unwrap_or(end);
                state.failure = None;
                state.progress = Progress::Running;
                target.max(start + 1)
            }
            Progress::Running | Progress::Unwinding | Progress::Stopped => end,
        };
        skip_to(input, target);
        Ok(input.state().salvage.take())
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
