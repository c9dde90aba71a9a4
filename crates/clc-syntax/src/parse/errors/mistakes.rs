//! What single mistakes are called where the grammar alone would say less.

use chumsky::error::EmptyErr;
use clc_base::{Diagnostic, Span, Symbol};

use super::failure::{Expected, describe};
use crate::ast::Declarator;
use crate::diagnostics::grammar;
use crate::parse::input::{Cursor, Input, Parsed, Progress};
use crate::token::{Keyword, Punctuator, TokenKind};

/// `int local = 3`: the qualifier was meant as a name.
#[cold]
pub(in crate::parse) fn reserved_word_before(
    input: &mut Input<'_, '_>,
    expected: Expected,
) -> Option<Diagnostic> {
    let before = input.position().checked_sub(1)?;
    let token = input.state().tokens[before];
    match (token.kind, input.kind()?) {
        (
            TokenKind::Keyword(
                keyword @ (Keyword::Global
                | Keyword::Local
                | Keyword::Constant
                | Keyword::Private
                | Keyword::Generic
                | Keyword::Kernel
                | Keyword::ReadOnly
                | Keyword::WriteOnly
                | Keyword::ReadWrite
                | Keyword::Half),
            ),
            TokenKind::Punctuator(
                Punctuator::Equal
                | Punctuator::Semicolon
                | Punctuator::Comma
                | Punctuator::LeftBracket,
            ),
        ) => Some(grammar::reserved_word(keyword, token.span, expected.words())),
        _ => None,
    }
}

/// `int case` in a parameter list. `custom`: the message names the keyword.
pub(in crate::parse) fn no_reserved_name(input: &mut Input<'_, '_>) -> Parsed<()> {
    match input.kind() {
        Some(TokenKind::Keyword(keyword)) if !keyword.starts_specifier() => {
            input.expect_name(Expected::DeclaratorName).map(drop)
        }
        _ => Ok(()),
    }
}

/// Says that a value must stand here. `custom`: the message depends on what a name means.
#[cold]
pub(in crate::parse) fn no_expression<T>(input: &mut Input<'_, '_>) -> Parsed<T> {
    let Some(token) = input.peek() else { return input.fail(Expected::Expression) };
    if !input.starts_type(0) {
        return input.fail(Expected::Expression);
    }
    let words = describe(Some(token), input.state().interner);
    let is_call = input.at_ahead(1, Punctuator::LeftParen);
    let position = input.position();
    let state = input.state();
    // `UNKNOWN_MACRO(int)` is one mistake, however often it stands there.
    if let [.., callee, open] = state.tokens[..position]
        && open.kind.is(Punctuator::LeftParen)
        && let TokenKind::Identifier(name) = callee.kind
        && !state.names.is_declared(name)
    {
        match state.has_lost(name) {
            true => state.trouble.said = true,
            false => state.lose(name),
        }
    }
    input.fail_with(grammar::type_in_expression(&words, is_call, token.span))
}

/// A function inside a function: either that is meant, which OpenCL C has not, or the `}` of the
/// function around it is missing.
#[cold]
pub(in crate::parse) fn nested_function(
    input: &mut Input<'_, '_>,
    declarator: &Declarator,
    start: Span,
) -> Parsed<()> {
    let span = declarator.name.map_or(declarator.span, |(_, span)| span);
    let state = input.state();
    let Some(opener) = state.trouble.function_body else {
        state.emit(grammar::nested_function(span, Span::NONE));
        return Ok(());
    };
    let opener_span = state.token_span(opener);
    if state.partner(opener).is_none() {
        if !state.trouble.brace_error {
            state.emit(grammar::missing_brace_before_function(start, opener_span));
        }
        if state.progress == Progress::Running {
            state.progress = Progress::Unwinding;
        }
        return input.fail(Expected::CloseBrace);
    }
    state.emit(grammar::nested_function(span, opener_span));
    Ok(())
}

#[cold]
pub(in crate::parse) fn missing_semicolon(input: &mut Input<'_, '_>) {
    let behind = input.previous().end();
    let found = input.here();
    let words =
        input.peek().map_or(String::new(), |token| describe(Some(token), input.state().interner));
    let expected = Expected::SemicolonAfterRecord.words();
    input.state().emit(grammar::missing_semicolon(expected, &words, found, behind));
}

#[cold]
pub(in crate::parse) fn misplaced(input: &mut Input<'_, '_>, what: &str, place: &str) {
    let span = input.here();
    if let Some(TokenKind::Keyword(keyword)) = input.kind() {
        input.state().emit(grammar::misplaced_specifier(keyword, what, place, span));
    }
}

/// Whether the name that comes, with a `*` behind it, is an unknown type of a pointer: neither it nor
/// what stands behind it is declared.
pub(in crate::parse) fn declares_pointer(input: &mut Input<'_, '_>, name: Symbol) -> bool {
    let Some(TokenKind::Identifier(pointer)) = input.kind_at(2) else { return false };
    let ends = matches!(
        input.kind_at(3),
        Some(TokenKind::Punctuator(Punctuator::Equal | Punctuator::Semicolon | Punctuator::Comma))
    );
    let is_known = |name| {
        let state = input.state();
        state.names.is_declared(name) || clc_builtins::is_builtin(state.interner.resolve(name))
    };
    ends && ![name, pointer].into_iter().any(is_known)
}

/// A closing bracket where a declaration may begin.
pub(in crate::parse) fn unmatched<T>(input: &mut Input<'_, '_>) -> Parsed<T> {
    match input.kind() {
        Some(TokenKind::Punctuator(closer)) if closer.closes() => {
            let here = input.here();
            input.fail_with(grammar::unmatched_closer(closer, here))
        }
        _ => Err(EmptyErr::default()),
    }
}
