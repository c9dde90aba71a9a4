//! GNU attributes (OpenCL C 6.13), and the GNU keywords that are not part of OpenCL C.

use std::rc::Rc;

use chumsky::prelude::*;
use clc_base::Symbol;

use super::expression::assignment_expression;
use super::failure::Expected;
use super::input::{Cursor, Input, PARENS, Parsed, close, delimited, list};
use super::specifier::{starts_type_name, type_name};
use crate::ast::{Attribute, AttributeArgument};
use crate::diagnostics::grammar;
use crate::token::{Keyword, Punctuator, TokenKind};

/// `attribute-specifier*`, appended to `attributes`.
#[inline]
pub(super) fn attributes(input: &mut Input<'_, '_>, attributes: &mut Vec<Attribute>) -> Parsed<()> {
    while input.at_keyword(Keyword::Attribute) {
        attribute_specifier(input, attributes)?;
    }
    Ok(())
}

/// `__attribute__ ( ( attribute-list ) )`; items may be missing between commas.
pub(super) fn attribute_specifier(
    input: &mut Input<'_, '_>,
    attributes: &mut Vec<Attribute>,
) -> Parsed<()> {
    input.skip();
    delimited(input, PARENS, Expected::AttributeParens, |input| {
        delimited(input, PARENS, Expected::AttributeParens, |input| {
            loop {
                match input.kind() {
                    Some(TokenKind::Identifier(_) | TokenKind::Keyword(_)) => {
                        attributes.push(attribute(input)?);
                    }
                    Some(TokenKind::Punctuator(Punctuator::Comma | Punctuator::RightParen)) => {}
                    _ => return input.fail(Expected::AttributeName),
                }
                if input.eat(Punctuator::Comma).is_none() {
                    return Ok(());
                }
            }
        })
    })
}

/// `name` or `name ( arguments )`
fn attribute(input: &mut Input<'_, '_>) -> Parsed<Attribute> {
    let start = input.here();
    let name = match input.next().map(|token| token.kind) {
        Some(TokenKind::Identifier(name)) => without_underscores(input, name),
        Some(TokenKind::Keyword(keyword)) => input.state().interner.intern(keyword.as_str()),
        _ => return input.fail(Expected::AttributeName),
    };
    let opener = input.position();
    let mut arguments = Vec::new();
    if input.eat(Punctuator::LeftParen).is_some() {
        if !input.at(Punctuator::RightParen) {
            arguments = input.parse(list(custom(attribute_argument)))?;
        }
        close(input, Punctuator::RightParen, opener)?;
    }
    Ok(Attribute { name, arguments, span: input.since(start) })
}

fn attribute_argument(input: &mut Input<'_, '_>) -> Parsed<AttributeArgument> {
    if starts_type_name(input, 0) {
        let (ty, _) = type_name(input)?;
        Ok(AttributeArgument::Type(Rc::new(ty)))
    } else {
        assignment_expression(input).map(AttributeArgument::Expr)
    }
}

/// `__aligned__` is `aligned`.
fn without_underscores(input: &mut Input<'_, '_>, name: Symbol) -> Symbol {
    let interner = &mut input.state().interner;
    let stripped = interner
        .resolve(name)
        .strip_prefix("__")
        .and_then(|rest| rest.strip_suffix("__"))
        .filter(|rest| !rest.is_empty())
        .map(str::to_owned);
    match stripped {
        Some(text) => interner.intern(&text),
        None => name,
    }
}

/// Reports `asm …` and moves behind its parentheses (OpenCL C has no inline assembly).
pub(super) fn reject_asm(input: &mut Input<'_, '_>) -> Parsed<()> {
    let start = input.here();
    input.skip();
    while matches!(
        input.kind(),
        Some(TokenKind::Keyword(
            Keyword::Volatile | Keyword::Goto | Keyword::Inline | Keyword::Const
        ))
    ) {
        input.skip();
    }
    let opener = input.position();
    let span = input.since(start);
    input.state().emit(grammar::inline_assembly(span));
    if input.at(Punctuator::LeftParen) {
        match input.state().partner(opener) {
            Some(partner) => while input.position() <= partner && input.next().is_some() {},
            None => {
                input.skip();
                return close(input, Punctuator::RightParen, opener).map(drop);
            }
        }
    }
    Ok(())
}
