//! Initialisers (C99 6.7.8).

use chumsky::prelude::*;

use super::expression::{assignment_expression, conditional_expression};
use super::failure::Expected;
use super::input::{BRACES, BRACKETS, Cursor, Input, Parse, Parsed, delimited, punctuator};
use super::recovery::bracketed_or;
use crate::ast::{Designator, Initializer, InitializerItem, InitializerList};
use crate::token::{Punctuator, TokenKind};

/// `assignment-expression` or `{ initializer-list }`
pub(super) fn initializer(input: &mut Input<'_, '_>) -> Parsed<Initializer> {
    if input.at(Punctuator::LeftBrace) {
        initializer_list(input).map(Initializer::List)
    } else {
        assignment_expression(input).map(Initializer::Expr)
    }
}

/// `{ item, … }`, empty too (GNU), with an optional comma at the end.
pub(super) fn initializer_list(input: &mut Input<'_, '_>) -> Parsed<InitializerList> {
    let start = input.here();
    let items = bracketed_or(
        input,
        |input| {
            delimited(input, BRACES, Expected::Brace, |input| {
                while let Some(TokenKind::Pragma(_)) = input.kind() {
                    input.skip();
                }
                let mut items = Vec::new();
                while !input.at(Punctuator::RightBrace) {
                    items.push(initializer_item(input)?);
                    if input.eat(Punctuator::Comma).is_none() {
                        break;
                    }
                }
                Ok(items)
            })
        },
        |_| Vec::new(),
    )?;
    Ok(InitializerList { items, span: input.since(start) })
}

fn initializer_item(input: &mut Input<'_, '_>) -> Parsed<InitializerItem> {
    let designators = match input.kind() {
        Some(TokenKind::Punctuator(Punctuator::Dot | Punctuator::LeftBracket)) => {
            input.parse(designation())?
        }
        // The old GNU form `field: value`.
        Some(TokenKind::Identifier(name)) if input.at_ahead(1, Punctuator::Colon) => {
            let span = input.here();
            input.skip();
            input.skip();
            vec![Designator::Member(name, span)]
        }
        _ => Vec::new(),
    };
    let value = initializer(input)?;
    Ok(InitializerItem { designators, value })
}

/// `designator+ =`
fn designation<'t>() -> impl Parse<'t, Vec<Designator>> + Copy {
    custom(designators).then_ignore(punctuator(Punctuator::Equal, Expected::Equal))
}

fn designators(input: &mut Input<'_, '_>) -> Parsed<Vec<Designator>> {
    let mut designators = Vec::new();
    while let Some(designator) = designator(input)? {
        designators.push(designator);
    }
    Ok(designators)
}

/// `. name`, `[ index ]` or GNU `[ first ... last ]`, if one comes next.
fn designator(input: &mut Input<'_, '_>) -> Parsed<Option<Designator>> {
    let start = input.here();
    match input.kind() {
        Some(TokenKind::Punctuator(Punctuator::Dot)) => {
            input.skip();
            let (name, _) = input.expect_name(Expected::MemberName)?;
            Ok(Some(Designator::Member(name, input.since(start))))
        }
        Some(TokenKind::Punctuator(Punctuator::LeftBracket)) => {
            let (first, last) = delimited(input, BRACKETS, Expected::Designator, |input| {
                let first = conditional_expression(input)?;
                let last = match input.eat(Punctuator::Ellipsis) {
                    Some(_) => Some(conditional_expression(input)?),
                    None => None,
                };
                Ok((first, last))
            })?;
            let span = input.since(start);
            Ok(Some(match last {
                Some(last) => Designator::Range(first, last, span),
                None => Designator::Index(first, span),
            }))
        }
        _ => Ok(None),
    }
}

/// The second operand of `offsetof`: `name`, then `.name` and `[index]`.
pub(super) fn member_path(input: &mut Input<'_, '_>) -> Parsed<Vec<Designator>> {
    let (name, span) = input.expect_name(Expected::MemberName)?;
    let mut path = vec![Designator::Member(name, span)];
    path.append(&mut designators(input)?);
    Ok(path)
}
