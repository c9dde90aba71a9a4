//! The vocabulary of the grammar: tokens, groups, limits and nodes as chumsky parsers.
//!
//! Alternatives and optional parts fail without a word where something else stands; what must come
//! is [`required`](Required::required), and that failure is kept for the message. Alternatives begin
//! with different tokens, so that nothing is read, or said, twice.

use chumsky::error::EmptyErr;
use chumsky::prelude::*;
use chumsky::primitive::select;

use clc_base::{Diagnostic, Span, Symbol};

use super::errors::failure::{Expected, Failure};
use super::errors::recovery::forgotten_semicolon;
use super::input::{Cursor, Extra, Extras, Input, MAX_CHAIN, MAX_NESTING, Parsed, State, Tokens};
use crate::ast::{Expr, ExprId, ExprKind, Stmt, StmtId, StmtKind};
use crate::diagnostics::grammar;
use crate::token::{Keyword, Punctuator, Token, TokenKind};

/// A parser over tokens.
pub(super) trait Parse<'t, O>: Parser<'t, Tokens<'t>, O, Extra<'t>> + Copy {}
impl<'t, O, P: Parser<'t, Tokens<'t>, O, Extra<'t>> + Copy> Parse<'t, O> for P {}

/// A production. Its parser has a type without a name and without contents, so that productions
/// may be recursive, none has to be built before a parse, and each is compiled once. Inside it maps
/// are run even where chumsky has no use for what they return.
macro_rules! rule {
    ($parser:expr) => {
        $crate::parse::combinators::production(move |input| input.parse($parser))
    };
}
pub(super) use rule;

/// See [`rule`].
#[inline(always)]
pub(super) fn production<'t, O>(
    production: impl Fn(&mut Input<'t, '_>) -> Parsed<O> + Copy,
) -> impl Parse<'t, O> {
    custom(production)
}

/// A token of which `what` makes something, and where it stands.
#[inline(always)]
pub(super) fn token<'t, O>(
    what: impl Fn(TokenKind) -> Option<O> + Copy,
) -> impl Parse<'t, (O, Span)> {
    select(move |token: Token, _| Some((what(token.kind)?, token.span)))
}

#[inline(always)]
pub(super) fn punctuator<'t>(punctuator: Punctuator) -> impl Parse<'t, Span> {
    select(move |token: Token, _| token.kind.is(punctuator).then_some(token.span))
}

#[inline(always)]
pub(super) fn keyword<'t>(keyword: Keyword) -> impl Parse<'t, Span> {
    select(move |token: Token, _| (token.kind == TokenKind::Keyword(keyword)).then_some(token.span))
}

pub(super) fn identifier<'t>() -> impl Parse<'t, (Symbol, Span)> {
    token(|kind| match kind {
        TokenKind::Identifier(name) => Some(name),
        _ => None,
    })
}

pub(super) fn pragma<'t>() -> impl Parse<'t, (Symbol, Span)> {
    token(|kind| match kind {
        TokenKind::Pragma(text) => Some(text),
        _ => None,
    })
}

/// A name that must come; a keyword there is worth a message of its own.
pub(super) fn name<'t>(expected: Expected) -> impl Parse<'t, (Symbol, Span)> {
    choice((identifier(), custom(move |input: &mut Input<'t, '_>| input.expect_name(expected))))
}

/// The `;` that ends something. Where it plausibly was just forgotten, it is taken as read.
pub(super) fn semicolon<'t>(after: Expected) -> impl Parse<'t, Span> {
    choice((punctuator(Punctuator::Semicolon), forgotten_semicolon(after)))
}

/// What a grammar says about a part of it.
pub(super) trait Required<'t, O>: Parse<'t, O> {
    /// The failure is told as the want of `expected`.
    #[inline(always)]
    fn required(self, expected: Expected) -> impl Parse<'t, O> {
        choice((self, custom(move |input: &mut Input<'t, '_>| input.fail(expected))))
    }

    /// Nothing if `end` comes next, and is then left to be read.
    #[inline(always)]
    fn unless<E>(self, end: impl Parse<'t, E>) -> impl Parse<'t, Option<O>> {
        choice((end.rewind().map(|_| None), self.map(Some)))
    }

    /// Only where `first` begins: one look at the next token rules out everything else.
    #[inline(always)]
    fn at<F>(self, first: impl Parse<'t, F>) -> impl Parse<'t, O> {
        first.rewind().ignore_then(self)
    }

    /// As many as come, none where something else than `first` begins. Mostly there are none, which
    /// costs one look then.
    #[inline(always)]
    fn many<F>(self, first: impl Parse<'t, F>) -> impl Parse<'t, Vec<O>> {
        let some = self.repeated().at_least(1).collect::<Vec<_>>();
        some.at(first).or_not().map(Option::unwrap_or_default)
    }

    /// One or more, with commas between.
    #[inline(always)]
    fn list(self) -> impl Parse<'t, Vec<O>> {
        self.separated_by(punctuator(Punctuator::Comma)).at_least(1).collect()
    }

    /// One or more with commas between, and perhaps one behind the last, before `end`.
    fn list_before(self, end: Punctuator) -> impl Parse<'t, Vec<O>> {
        let last = punctuator(Punctuator::Comma).then_ignore(punctuator(end).rewind());
        self.list().then_ignore(last.or_not())
    }
}

impl<'t, O, P: Parse<'t, O>> Required<'t, O> for P {}

#[inline(always)]
fn group<'t, O>(
    open: impl Parse<'t, Span>,
    inner: impl Parse<'t, O>,
    close: Punctuator,
) -> impl Parse<'t, O> {
    let unclosed = custom(move |input: &mut Input<'t, '_>| {
        let position = input.position();
        let State { failure, trouble, .. } = input.state();
        Failure::record(failure, position, Expected::closing(close), trouble.opener);
        Err(EmptyErr::default())
    });
    nested(inner).delimited_by(open, choice((punctuator(close), unclosed)))
}

/// `( inner )`
#[inline(always)]
pub(super) fn parens<'t, O>(inner: impl Parse<'t, O>) -> impl Parse<'t, O> {
    group(punctuator(Punctuator::LeftParen), inner, Punctuator::RightParen)
}

/// `( inner )`, which must come.
#[inline(always)]
pub(super) fn required_parens<'t, O>(
    expected: Expected,
    inner: impl Parse<'t, O>,
) -> impl Parse<'t, O> {
    let open = punctuator(Punctuator::LeftParen).required(expected);
    group(open, inner, Punctuator::RightParen)
}

/// `[ inner ]`
#[inline(always)]
pub(super) fn brackets<'t, O>(inner: impl Parse<'t, O>) -> impl Parse<'t, O> {
    group(punctuator(Punctuator::LeftBracket), inner, Punctuator::RightBracket)
}

/// `{ inner }`
#[inline(always)]
pub(super) fn braces<'t, O>(inner: impl Parse<'t, O>) -> impl Parse<'t, O> {
    group(punctuator(Punctuator::LeftBrace), inner, Punctuator::RightBrace)
}

/// Looks whether a `)` comes before. `custom`: chumsky looks forward only.
pub(super) fn behind_parens<'t>() -> impl Parse<'t, ()> {
    custom(|input: &mut Input<'t, '_>| {
        let before = input.position().checked_sub(1);
        match before.map(|before| input.state().tokens[before].kind) {
            Some(TokenKind::Punctuator(Punctuator::RightParen)) => Ok(()),
            _ => Err(EmptyErr::default()),
        }
    })
}

/// What recurs, one level down. `custom`: chumsky's own recursion knows no limit.
#[inline(always)]
pub(super) fn nested<'t, O>(inner: impl Parse<'t, O>) -> impl Parse<'t, O> {
    custom(move |input: &mut Input<'t, '_>| {
        if input.state().depth >= MAX_NESTING {
            let here = input.here();
            return input.stop(grammar::nesting_too_deep(here));
        }
        let opener = input.position().checked_sub(1);
        input.state().depth += 1;
        let result = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || input.parse(inner));
        input.state().depth -= 1;
        input.state().trouble.opener = opener;
        result
    })
}

/// What it declares ends with it. `custom`: chumsky has no scopes.
pub(super) fn scoped<'t, O>(inner: impl Parse<'t, O>) -> impl Parse<'t, O> {
    custom(move |input: &mut Input<'t, '_>| {
        let scope = input.state().names.mark();
        let value = input.parse(inner)?;
        input.state().names.leave(scope);
        Ok(value)
    })
}

/// What maps of parsers make nodes of the tree with.
pub(super) trait Build {
    /// Of all the tokens that were read; an empty span before the next one if there are none.
    fn place(&mut self) -> Span;
    fn expr(&mut self, kind: ExprKind) -> ExprId;
    /// A node that does not begin or end with what was read here.
    fn expr_at(&mut self, kind: ExprKind, span: Span) -> ExprId;
    fn expr_span(&mut self, expr: ExprId) -> Span;
    fn stmt(&mut self, kind: StmtKind) -> StmtId;
    fn stmt_at(&mut self, kind: StmtKind, span: Span) -> StmtId;
    fn report(&mut self, diagnostic: Diagnostic);
    /// The token so many in front of what was read.
    fn token_before(&mut self, distance: usize) -> Option<Token>;
    /// Checks the length of a chain, the link of which that is at `place` in it, against
    /// [`MAX_CHAIN`].
    fn check_chain(&mut self, length: usize, last: Span) -> Parsed<()>;
}

impl<'t> Build for Extras<'t, '_> {
    #[inline]
    fn place(&mut self) -> Span {
        let range = self.span();
        let state: &mut State<'t> = self.state();
        match range.end > range.start {
            true => state.tokens[range.start].span.to(state.tokens[range.end - 1].span),
            false => state.token_span(range.start).start(),
        }
    }

    #[inline]
    fn expr(&mut self, kind: ExprKind) -> ExprId {
        let span = self.place();
        self.expr_at(kind, span)
    }

    #[inline]
    fn expr_at(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.state().ast.exprs.push(Expr { kind, span })
    }

    #[inline]
    fn expr_span(&mut self, expr: ExprId) -> Span {
        self.state().ast.exprs[expr].span
    }

    #[inline]
    fn stmt(&mut self, kind: StmtKind) -> StmtId {
        let span = self.place();
        self.stmt_at(kind, span)
    }

    #[inline]
    fn stmt_at(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.state().ast.stmts.push(Stmt { kind, span })
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.state().emit(diagnostic);
    }

    fn token_before(&mut self, distance: usize) -> Option<Token> {
        let index = self.span().start.checked_sub(distance)?;
        self.state().tokens.get(index).copied()
    }

    #[inline]
    fn check_chain(&mut self, length: usize, last: Span) -> Parsed<()> {
        match length <= MAX_CHAIN {
            true => Ok(()),
            false => self.state().stop(grammar::chain_too_long(last)),
        }
    }
}
