//! Which failures are reported, and which follow from others; and the names that what did not parse
//! may have declared.

use clc_base::{Span, Symbol};

use super::failure::Expected;
use crate::ast::{ExternalDeclaration, Lost};
use crate::parse::input::{Progress, State};
use crate::token::{Punctuator, Token, TokenKind};

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
        let follows = follows_other || self.trouble.brace_error && closes_block;
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
            let is_left_over = is_unmatched
                && (self.trouble.bracket_error > 0 || self.trouble.is_guess)
                || self.trouble.is_guess && diagnostic.code.id == "E0103";
            if !is_left_over {
                self.emit(diagnostic);
            }
            (self.trouble.said, self.trouble.said_inside) = (true, true);
            if let Some(TokenKind::Punctuator(punctuator)) = kind
                && !is_unmatched
            {
                if wants_paren || punctuator.opens() || punctuator.closes() {
                    self.trouble.bracket_error = BRACKETS_MATTER;
                }
                self.trouble.brace_error |=
                    matches!(punctuator, Punctuator::LeftBrace | Punctuator::RightBrace)
                        && self.lacks_brace(position);
            } else if wants_paren {
                self.trouble.bracket_error = BRACKETS_MATTER;
            }
        }
        self.trouble.last_error = Some(position);
        self.trouble.wanted_semicolon = wanted_semicolon;
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
    pub fn names_in(&self, start: usize, end: usize) -> Vec<(Symbol, Span)> {
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
        let body = self.trouble.function_body.filter(|&opener| self.partner(opener).is_some());
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
        let Some(last) = self.trouble.last_error else { return false };
        let between = self.tokens.get(last..position).unwrap_or_default();
        // A `;` ends more than a statement: what is behind it is most likely something else.
        let ended = between.iter().any(|token| token.kind.is(Punctuator::Semicolon));
        let distance = match ended && !self.trouble.wanted_semicolon {
            false => NEAR,
            true if self.wants_semicolon(position) => NEAR - 1,
            true => 1,
        };
        position <= last + distance
    }

    /// Whether an error at a token most likely follows from one that was reported.
    pub fn follows(&self, position: usize) -> bool {
        self.trouble.said || self.is_near_error(position)
    }

    /// Whether the braces around and behind a token do not match.
    fn lacks_brace(&mut self, position: usize) -> bool {
        let function = self.trouble.function_body;
        function.is_some_and(|opener| self.partner(opener).is_none())
            || self.unmatched_brace(position).is_some()
            || function.is_none() && self.partner(position).is_none()
    }

    /// Whether what comes belongs to the function before, in which there was an error that has made
    /// it end too early.
    pub fn is_behind_broken_function(&mut self, start: usize) -> bool {
        let Some(ExternalDeclaration::Function(function)) = self.ast.items.last() else {
            return false;
        };
        let (span, body) = (function.span, self.trouble.last_body);
        let is_broken = self.trouble.last_error.is_some_and(|last| last >= body)
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
