//! What is kept of declarations that did not parse.

use clc_base::Span;

use crate::ast::{Declaration, Declarator, InitDeclarator, Parameter, Specifier, SpecifierKind};
use crate::parse::combinators::Build;
use crate::parse::input::{Cursor, Extras, Input};
use crate::token::{Punctuator, Token, TokenKind};

/// As many parameters as a list that did not parse seems to have, with the names that they seem to
/// have and types that are not known.
pub(in crate::parse) fn lost_parameters(e: &mut Extras<'_, '_>) -> Vec<Parameter> {
    let range = e.span();
    let state = e.state();
    for token in &state.tokens[range.start..range.end] {
        if let TokenKind::Identifier(name) = token.kind {
            state.lose(name);
        }
    }
    let parameter = |name, span| Parameter {
        specifiers: vec![Specifier::error(span)],
        declarator: Declarator { name, derived: Vec::new(), span },
        attributes: Vec::new(),
        span,
    };
    let mut parameters = Vec::new();
    let mut name = None;
    let mut depth = 0_u32;
    for &Token { kind, span } in &state.tokens[range.start + 1..range.end] {
        match kind {
            TokenKind::Identifier(symbol) if depth == 0 => name = Some((symbol, span)),
            TokenKind::Punctuator(punctuator) if punctuator.opens() => depth += 1,
            TokenKind::Punctuator(Punctuator::Comma | Punctuator::RightParen) if depth == 0 => {
                parameters.push(parameter(name.take(), span));
            }
            TokenKind::Punctuator(punctuator) if punctuator.closes() => {
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
    }
    if parameters.is_empty() {
        parameters.push(parameter(None, e.place()));
    }
    parameters
}

/// Keeps what was read of a declaration that failed.
pub(in crate::parse) fn salvage(
    input: &mut Input<'_, '_>,
    mut specifiers: Vec<Specifier>,
    declarators: Vec<InitDeclarator>,
    start: Span,
) {
    if !declarators.is_empty() {
        let span = input.since(start);
        if lacks_end(&declarators) {
            forget_type(&mut specifiers, span.end());
        }
        let declaration = Declaration { specifiers, declarators, span };
        input.state().trouble.salvage = Some(declaration);
    }
}

/// Whether a part may be missing behind the last declarator, without which its type is not known.
pub(in crate::parse) fn lacks_end(declarators: &[InitDeclarator]) -> bool {
    declarators.last().is_some_and(|last| last.initializer.is_none())
}

/// The type in a list of specifiers is not known.
pub(in crate::parse) fn forget_type(list: &mut Vec<Specifier>, span: Span) {
    list.retain(|specifier| !matches!(specifier.kind, SpecifierKind::Type(_)));
    list.push(Specifier::error(span));
}
