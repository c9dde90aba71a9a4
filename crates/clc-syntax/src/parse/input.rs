//! What every production works on: the token cursor, the state behind it, and the small
//! vocabulary (`expect`, `delimited`, `list`) the grammar is written in.
//!
//! The grammar is predictive: a production looks at one to three tokens and at what names mean,
//! then commits. chumsky's list combinators do rewind, so the meanings of names roll back with the
//! cursor ([`Inspector`]). Errors carry no data; the furthest failure is kept in the state, so the
//! parse that succeeds pays nothing for the words of the one that fails.

use chumsky::error::EmptyErr;
use chumsky::input::{Checkpoint, Cursor as ChumskyCursor, InputRef};
use chumsky::inspector::Inspector;
use chumsky::prelude::*;

use clc_base::{Arena, Diagnostic, Interner, Span, Symbol, Version};

use super::brackets::Brackets;
use super::failure::{Expected, Failure};
use super::names::{Meaning, Names};
use crate::ast::UnaryOp;
use crate::ast::{Ast, Expr, ExprId, ExprKind, Stmt, StmtId, StmtKind, TypeName};
use crate::diagnostics::grammar;
use crate::token::{Keyword, Punctuator, Token, TokenKind};

/// Brackets, statement bodies and middle operands of `?:` may nest this deep. C99 5.2.4.1 asks for
/// 63 parentheses and 127 blocks.
pub(crate) const MAX_NESTING: u32 = 1_000;

/// Chains that nest in the tree without brackets in the text (`else if`, labels, prefix operators,
/// casts, `a = b = c`, `a ? b : c ? d : e`, `x.y.z`) may be this long.
pub(crate) const MAX_CHAIN: usize = 100_000;

/// After this many errors the rest of the file is left alone.
pub const MAX_ERRORS: usize = 100;

/// What decides which programs are grammatical.
#[derive(Clone, Copy, Debug)]
pub struct ParseOptions {
    /// Before 2.0 `pipe` is an identifier and `generic` an error.
    pub version: Version,
}

pub(super) type Tokens<'t> = &'t [Token];
pub(super) type Extra<'t> = extra::Full<EmptyErr, State<'t>, ()>;
pub(super) type Input<'t, 'p> = InputRef<'t, 'p, Tokens<'t>, Extra<'t>>;
pub(super) type Parsed<T> = Result<T, EmptyErr>;

/// A parser over tokens.
pub(super) trait Parse<'t, O>: Parser<'t, Tokens<'t>, O, Extra<'t>> {}
impl<'t, O, P: Parser<'t, Tokens<'t>, O, Extra<'t>>> Parse<'t, O> for P {}

/// How errors travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    Running,
    /// A closing brace is certainly missing: every open block ends here, without further words.
    Unwinding,
    /// Nothing more is parsed.
    Stopped,
}

/// A prefix operator waiting for its operand.
pub(super) enum Prefix {
    Unary(UnaryOp),
    Cast(Box<TypeName>),
    Sizeof,
    Alignof,
    VecStep,
}

/// What the parse has built and learned so far.
pub(super) struct State<'t> {
    pub tokens: Tokens<'t>,
    pub interner: &'t mut Interner,
    pub options: ParseOptions,
    pub ast: Ast,
    pub names: Names,
    pub diagnostics: Vec<Diagnostic>,
    /// How many of them are errors.
    errors: usize,
    /// The furthest place where a production failed since the last report.
    pub failure: Option<Failure>,
    pub progress: Progress,
    pub depth: u32,
    /// One stack for the prefix operators of all expressions being parsed.
    pub prefixes: Vec<(Prefix, Span)>,
    /// The `{` of the function being parsed.
    pub function_body: Option<usize>,
    /// Where the body of a function in the style before C89 begins, once one was reported.
    pub old_style_body: Option<usize>,
    /// Where the file goes on after [`Progress::Unwinding`]; its end if nothing was said.
    pub resume: Option<usize>,
    /// Bracket pairs, computed at the first error.
    pub brackets: Option<Brackets>,
}

impl<'t> State<'t> {
    pub fn new(tokens: Tokens<'t>, interner: &'t mut Interner, options: ParseOptions) -> Self {
        let names = Names::new(interner.len());
        // What programs do not exceed: room that is not used costs nothing, to move does.
        let ast = Ast {
            // Most expressions have a token of their own; memory that is not used costs nothing.
            exprs: Arena::with_capacity(tokens.len()),
            stmts: Arena::with_capacity(tokens.len() / 10),
            items: Vec::with_capacity(64),
        };
        State {
            tokens,
            interner,
            options,
            ast,
            names,
            diagnostics: Vec::new(),
            errors: 0,
            failure: None,
            progress: Progress::Running,
            depth: 0,
            prefixes: Vec::new(),
            function_body: None,
            old_style_body: None,
            resume: None,
            brackets: None,
        }
    }

    pub fn meaning(&mut self, symbol: Symbol) -> Meaning {
        self.names.meaning(symbol, self.interner)
    }

    pub fn emit(&mut self, mut diagnostic: Diagnostic) {
        if diagnostic.is_error() {
            self.errors += 1;
            if self.errors >= MAX_ERRORS && self.progress != Progress::Stopped {
                self.progress = Progress::Stopped;
                diagnostic = diagnostic.note("too many errors: the rest of the file was not read");
            }
        }
        self.diagnostics.push(diagnostic);
    }

    /// The partner of the bracket at a token index, if it has one.
    pub fn partner(&mut self, index: usize) -> Option<usize> {
        let tokens = self.tokens;
        self.brackets.get_or_insert_with(|| Brackets::new(tokens)).partner(index)
    }

    /// The span of a token, or the empty one behind the last.
    pub fn token_span(&self, index: usize) -> Span {
        match self.tokens.get(index) {
            Some(token) => token.span,
            None => self.tokens.last().map_or(Span::NONE, |token| token.span.end()),
        }
    }
}

impl<'t> Inspector<'t, Tokens<'t>> for State<'t> {
    /// Length of the undo log of names.
    type Checkpoint = usize;

    #[inline(always)]
    fn on_token(&mut self, _: &Token) {}

    #[inline(always)]
    fn on_save<'p>(&self, _: &ChumskyCursor<'t, 'p, Tokens<'t>>) -> usize {
        self.names.mark()
    }

    #[inline(always)]
    fn on_rewind<'p>(&mut self, marker: &Checkpoint<'t, 'p, Tokens<'t>, usize>) {
        // A function that lost its `}` may have swallowed what the file declares behind it.
        if self.progress == Progress::Running {
            self.names.leave(*marker.inspector());
        }
    }
}

/// Reading tokens, in the grammar's words.
pub(super) trait Cursor<'t> {
    /// Index of the next token.
    fn position(&self) -> usize;
    /// The next token's kind.
    fn kind(&mut self) -> Option<TokenKind>;
    /// The kind of the token `ahead` behind the next.
    fn kind_at(&mut self, ahead: usize) -> Option<TokenKind>;
    /// Whether the next token is this punctuator.
    fn at(&mut self, punctuator: Punctuator) -> bool;
    fn at_ahead(&mut self, ahead: usize, punctuator: Punctuator) -> bool;
    fn at_keyword(&mut self, keyword: Keyword) -> bool;
    /// Where the next token stands.
    fn here(&mut self) -> Span;
    /// Where the token before stands.
    fn previous(&mut self) -> Span;
    /// From `start` to the end of the token before.
    fn since(&mut self, start: Span) -> Span;
    fn eat(&mut self, punctuator: Punctuator) -> Option<Span>;
    fn eat_keyword(&mut self, keyword: Keyword) -> Option<Span>;
    fn expect(&mut self, punctuator: Punctuator, expected: Expected) -> Parsed<Span>;
    fn expect_keyword(&mut self, keyword: Keyword, expected: Expected) -> Parsed<Span>;
    fn expect_name(&mut self, expected: Expected) -> Parsed<(Symbol, Span)>;
    /// Fails here, for want of `expected`.
    fn fail<T>(&mut self, expected: Expected) -> Parsed<T>;
    /// Fails here with a message of its own.
    fn fail_with<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T>;
    /// Fails for good: nothing after this can be parsed.
    fn stop<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T>;
    /// Checks the length of a chain against [`MAX_CHAIN`].
    fn check_chain(&mut self, length: usize) -> Parsed<()>;
    fn expr(&mut self, kind: ExprKind, span: Span) -> ExprId;
    fn stmt(&mut self, kind: StmtKind, start: Span) -> StmtId;
    fn expr_span(&mut self, expr: ExprId) -> Span;
}

impl<'t> Cursor<'t> for Input<'t, '_> {
    #[inline(always)]
    fn position(&self) -> usize {
        *self.cursor().inner()
    }

    #[inline(always)]
    fn kind(&mut self) -> Option<TokenKind> {
        self.peek_ref().map(|token| token.kind)
    }

    #[inline]
    fn kind_at(&mut self, ahead: usize) -> Option<TokenKind> {
        let position = self.position();
        self.state().tokens.get(position + ahead).map(|token| token.kind)
    }

    #[inline(always)]
    fn at(&mut self, punctuator: Punctuator) -> bool {
        self.kind() == Some(TokenKind::Punctuator(punctuator))
    }

    fn at_ahead(&mut self, ahead: usize, punctuator: Punctuator) -> bool {
        self.kind_at(ahead) == Some(TokenKind::Punctuator(punctuator))
    }

    #[inline(always)]
    fn at_keyword(&mut self, keyword: Keyword) -> bool {
        self.kind() == Some(TokenKind::Keyword(keyword))
    }

    fn here(&mut self) -> Span {
        let position = self.position();
        self.state().token_span(position)
    }

    #[inline]
    fn previous(&mut self) -> Span {
        let position = self.position();
        match position.checked_sub(1) {
            Some(before) => self.state().tokens[before].span,
            None => Span::NONE,
        }
    }

    #[inline]
    fn since(&mut self, start: Span) -> Span {
        let end = self.previous();
        start.to(end)
    }

    #[inline]
    fn eat(&mut self, punctuator: Punctuator) -> Option<Span> {
        match self.peek_ref() {
            Some(token) if token.kind == TokenKind::Punctuator(punctuator) => {
                self.skip();
                Some(token.span)
            }
            _ => None,
        }
    }

    #[inline]
    fn eat_keyword(&mut self, keyword: Keyword) -> Option<Span> {
        match self.peek_ref() {
            Some(token) if token.kind == TokenKind::Keyword(keyword) => {
                self.skip();
                Some(token.span)
            }
            _ => None,
        }
    }

    #[inline]
    fn expect(&mut self, punctuator: Punctuator, expected: Expected) -> Parsed<Span> {
        match self.eat(punctuator) {
            Some(span) => Ok(span),
            None => self.fail(expected),
        }
    }

    fn expect_keyword(&mut self, keyword: Keyword, expected: Expected) -> Parsed<Span> {
        match self.eat_keyword(keyword) {
            Some(span) => Ok(span),
            None => self.fail(expected),
        }
    }

    fn expect_name(&mut self, expected: Expected) -> Parsed<(Symbol, Span)> {
        match self.peek_ref() {
            Some(&Token { kind: TokenKind::Identifier(name), span }) => {
                self.skip();
                Ok((name, span))
            }
            Some(&Token { kind: TokenKind::Keyword(keyword), span }) => {
                let diagnostic = grammar::reserved_word(keyword, span, expected.words());
                self.fail_with(diagnostic)
            }
            _ => self.fail(expected),
        }
    }

    #[cold]
    #[inline(never)]
    fn fail<T>(&mut self, expected: Expected) -> Parsed<T> {
        let position = self.position();
        Failure::record(&mut self.state().failure, position, expected, None);
        Err(EmptyErr::default())
    }

    #[cold]
    #[inline(never)]
    fn fail_with<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        let position = self.position();
        Failure::record_special(&mut self.state().failure, position, diagnostic);
        Err(EmptyErr::default())
    }

    #[cold]
    #[inline(never)]
    fn stop<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        let state = self.state();
        if state.progress != Progress::Stopped {
            state.diagnostics.push(diagnostic);
            state.progress = Progress::Stopped;
        }
        Err(EmptyErr::default())
    }

    #[inline]
    fn check_chain(&mut self, length: usize) -> Parsed<()> {
        if length < MAX_CHAIN {
            return Ok(());
        }
        let here = self.here();
        self.stop(grammar::chain_too_long(here))
    }

    #[inline]
    fn expr(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.state().ast.exprs.push(Expr { kind, span })
    }

    #[inline]
    fn stmt(&mut self, kind: StmtKind, start: Span) -> StmtId {
        let span = self.since(start);
        self.state().ast.stmts.push(Stmt { kind, span })
    }

    #[inline]
    fn expr_span(&mut self, expr: ExprId) -> Span {
        self.state().ast.exprs[expr].span
    }
}

/// A punctuator.
pub(super) fn punctuator<'t>(
    punctuator: Punctuator,
    expected: Expected,
) -> impl Parse<'t, Span> + Copy {
    custom(move |input: &mut Input<'t, '_>| input.expect(punctuator, expected))
}

/// A keyword that was looked at before.
pub(super) fn keyword<'t>(keyword: Keyword) -> impl Parse<'t, Span> + Copy {
    custom(move |input: &mut Input<'t, '_>| match input.eat_keyword(keyword) {
        Some(span) => Ok(span),
        None => input.fail(Expected::Statement),
    })
}

/// The `;` that ends something.
pub(super) fn semicolon<'t>(after: Expected) -> impl Parse<'t, Span> + Copy {
    punctuator(Punctuator::Semicolon, after)
}

/// One or more items with commas between.
pub(super) fn list<'t, O>(item: impl Parse<'t, O> + Copy) -> impl Parse<'t, Vec<O>> + Copy {
    item.separated_by(punctuator(Punctuator::Comma, Expected::Comma)).at_least(1).collect()
}

/// Parses what recurs, one level down.
pub(super) fn nested<'t, 'p, T>(
    input: &mut Input<'t, 'p>,
    inner: impl FnOnce(&mut Input<'t, 'p>) -> Parsed<T>,
) -> Parsed<T> {
    if input.state().depth >= MAX_NESTING {
        let here = input.here();
        return input.stop(grammar::nesting_too_deep(here));
    }
    input.state().depth += 1;
    let result = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || inner(input));
    input.state().depth -= 1;
    result
}

/// A pair of brackets around `inner`. The opening one is mentioned if the closing one is missing.
pub(super) fn delimited<'t, 'p, T>(
    input: &mut Input<'t, 'p>,
    brackets: (Punctuator, Punctuator),
    expected: Expected,
    inner: impl FnOnce(&mut Input<'t, 'p>) -> Parsed<T>,
) -> Parsed<T> {
    let opener = input.position();
    input.expect(brackets.0, expected)?;
    let value = nested(input, inner)?;
    close(input, brackets.1, opener)?;
    Ok(value)
}

/// The closing bracket that belongs to the token `opener`.
#[inline]
pub(super) fn close(
    input: &mut Input<'_, '_>,
    punctuator: Punctuator,
    opener: usize,
) -> Parsed<Span> {
    match input.eat(punctuator) {
        Some(span) => Ok(span),
        None => {
            let position = input.position();
            let expected = Expected::closing(punctuator);
            Failure::record(&mut input.state().failure, position, expected, Some(opener));
            Err(EmptyErr::default())
        }
    }
}

pub(super) const PARENS: (Punctuator, Punctuator) = (Punctuator::LeftParen, Punctuator::RightParen);
pub(super) const BRACKETS: (Punctuator, Punctuator) =
    (Punctuator::LeftBracket, Punctuator::RightBracket);
pub(super) const BRACES: (Punctuator, Punctuator) = (Punctuator::LeftBrace, Punctuator::RightBrace);
