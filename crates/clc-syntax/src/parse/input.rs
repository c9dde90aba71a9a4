//! What every production works on: the token cursor, the state behind it, and the small
//! vocabulary (`expect`, `delimited`, `list`) the grammar is written in.
//!
//! The grammar is predictive: a production looks at one to three tokens and at what names mean,
//! then commits. chumsky's list combinators do rewind, so the meanings of names roll back with the
//! cursor ([`Inspector`]). Errors carry no data; the furthest failure is kept in the state, so the
//! parse that succeeds pays nothing for the words of the one that fails.

use chumsky::error::EmptyErr;
use chumsky::input::{Checkpoint, Cursor as ChumskyCursor, InputRef, MapExtra};
use chumsky::inspector::Inspector;
use chumsky::prelude::*;

use clc_base::{Arena, Diagnostic, Interner, Span, Symbol, Version};

use super::errors::brackets::Brackets;
use super::errors::failure::{Expected, Failure};
use super::errors::state::Trouble;
use super::names::{Meaning, Names};
use super::precedence::Pending;
use crate::ast::Ast;
use crate::diagnostics::grammar;
use crate::token::{Punctuator, Token, TokenKind};

/// Brackets, statement bodies and middle operands of `?:` may nest this deep. C99 5.2.4.1 asks for
/// 63 parentheses and 127 blocks.
pub(crate) const MAX_NESTING: u32 = if IN_A_BROWSER { 200 } else { 1_000 };

/// Chains that nest in the tree without brackets in the text (`else if`, labels, prefix operators,
/// casts, `a = b = c`, `a ? b : c ? d : e`, `x.y.z`) may be this long.
pub(crate) const MAX_CHAIN: usize = if IN_A_BROWSER { 500 } else { 100_000 };

/// There the stack of calls has about a megabyte and cannot be made to grow.
const IN_A_BROWSER: bool = cfg!(target_family = "wasm");

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
pub(super) type Extras<'t, 'b> = MapExtra<'t, 'b, Tokens<'t>, Extra<'t>>;
pub(super) type Parsed<T> = Result<T, EmptyErr>;

/// How errors travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    Running,
    /// A closing brace is certainly missing: every open block ends here, without further words.
    Unwinding,
    /// Nothing more is parsed.
    Stopped,
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
    pub errors: usize,
    /// The furthest place where a production failed since the last report.
    pub failure: Option<Failure>,
    pub progress: Progress,
    pub depth: u32,
    /// Operands of binary operators that wait for others.
    pub pending: Vec<Pending>,
    /// What is remembered of errors.
    pub trouble: Trouble,
}

impl<'t> State<'t> {
    pub fn new(tokens: Tokens<'t>, interner: &'t mut Interner, options: ParseOptions) -> Self {
        let names = Names::new(interner.len());
        let ast = Ast {
            // Most expressions have a token of their own; memory that is not used costs nothing, to move does.
            exprs: Arena::with_capacity(tokens.len()),
            stmts: Arena::with_capacity(tokens.len() / 10),
            items: Vec::with_capacity(8),
            has_errors: false,
            suspects: Vec::new(),
            unnamed: Vec::new(),
            lost: Vec::new(),
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
            pending: Vec::new(),
            trouble: Trouble::default(),
        }
    }

    pub fn meaning(&mut self, symbol: Symbol) -> Meaning {
        self.names.meaning(symbol, self.interner)
    }

    pub fn emit(&mut self, mut diagnostic: Diagnostic) {
        if diagnostic.is_error() {
            self.errors += 1;
            self.ast.has_errors = true;
            if self.errors >= MAX_ERRORS && self.progress != Progress::Stopped {
                self.progress = Progress::Stopped;
                diagnostic = diagnostic.note("too many errors: the rest of the file was not read");
            }
        }
        self.diagnostics.push(diagnostic);
    }

    /// Fails for good: nothing after this can be parsed.
    #[cold]
    pub fn stop<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        if self.progress != Progress::Stopped {
            self.diagnostics.push(diagnostic);
            self.ast.has_errors = true;
            self.progress = Progress::Stopped;
        }
        Err(EmptyErr::default())
    }

    /// The partner of the bracket at a token index, if it has one.
    pub fn partner(&mut self, index: usize) -> Option<usize> {
        let tokens = self.tokens;
        self.trouble.brackets.get_or_insert_with(|| Brackets::new(tokens)).partner(index)
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
    /// Where the next token stands.
    fn here(&mut self) -> Span;
    /// Where the token before stands.
    fn previous(&mut self) -> Span;
    /// From `start` to the end of the token before.
    fn since(&mut self, start: Span) -> Span;
    /// Whether the token `ahead` behind the next begins declaration specifiers, or in a type name
    /// specifiers and qualifiers.
    fn starts_type(&mut self, ahead: usize) -> bool;
    fn eat(&mut self, punctuator: Punctuator) -> Option<Span>;
    fn expect_name(&mut self, expected: Expected) -> Parsed<(Symbol, Span)>;
    /// Fails here, for want of `expected`.
    fn fail<T>(&mut self, expected: Expected) -> Parsed<T>;
    /// Fails here with a message of its own.
    fn fail_with<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T>;
    /// Fails for good: nothing after this can be parsed.
    fn stop<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T>;
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
    fn starts_type(&mut self, ahead: usize) -> bool {
        match self.kind_at(ahead) {
            Some(TokenKind::Identifier(name)) => self.state().meaning(name).is_type(),
            Some(TokenKind::Keyword(keyword)) => keyword.starts_specifier(),
            _ => false,
        }
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
}
