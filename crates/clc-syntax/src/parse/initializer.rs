//! Initialisers (C99 6.7.8).

use chumsky::prelude::*;

use super::combinators::{
    Build, Parse, Required, braces, brackets, identifier, name, pragma, punctuator, rule,
};
use super::errors::failure::Expected;
use super::errors::recovery::recovering;
use super::expression::{assignment_expression, conditional_expression};
use crate::ast::{Designator, Initializer, InitializerItem, InitializerList};
use crate::token::Punctuator;

/// `assignment-expression` or `{ initializer-list }`
pub(super) fn initializer<'t>() -> impl Parse<'t, Initializer> {
    rule!(choice((
        initializer_list().map(Initializer::List),
        assignment_expression().map(Initializer::Expr),
    )))
}

/// `{ item, … }`, empty too (GNU), with an optional comma at the end.
pub(super) fn initializer_list<'t>() -> impl Parse<'t, InitializerList> {
    rule!({
        let item = designation().or_not().then(initializer()).map(|(designators, value)| {
            InitializerItem { designators: designators.unwrap_or_default(), value }
        });
        let end = punctuator(Punctuator::RightBrace);
        let items =
            item.list_before(Punctuator::RightBrace).unless(end).map(Option::unwrap_or_default);
        let items = pragma().repeated().ignore_then(items);
        recovering(Punctuator::LeftBrace, braces(items), |_| Vec::new())
            .map_with(|items, e| InitializerList { items, span: e.place() })
    })
}

/// `designator+ =`, or the old GNU form `field :`
fn designation<'t>() -> impl Parse<'t, Vec<Designator>> {
    rule!({
        let equal = punctuator(Punctuator::Equal).required(Expected::Equal);
        let field = identifier().then_ignore(punctuator(Punctuator::Colon));
        choice((
            designator().repeated().at_least(1).collect().then_ignore(equal),
            field.map(|(name, span)| vec![Designator::Member(name, span)]),
        ))
    })
}

/// `. name`, `[ index ]` or GNU `[ first ... last ]`
fn designator<'t>() -> impl Parse<'t, Designator> {
    rule!({
        let member = punctuator(Punctuator::Dot).ignore_then(name(Expected::MemberName));
        let last = punctuator(Punctuator::Ellipsis).ignore_then(conditional_expression());
        choice((
            member.map_with(|(name, _), e| Designator::Member(name, e.place())),
            brackets(conditional_expression().then(last.or_not())).map_with(|(first, last), e| {
                match last {
                    Some(last) => Designator::Range(first, last, e.place()),
                    None => Designator::Index(first, e.place()),
                }
            }),
        ))
    })
}

/// The second operand of `offsetof`: `name`, then `.name` and `[index]`.
pub(super) fn member_path<'t>() -> impl Parse<'t, Vec<Designator>> {
    rule!({
        let first = name(Expected::MemberName).map(|(name, span)| Designator::Member(name, span));
        first.then(designator().repeated().collect::<Vec<_>>()).map(|(first, mut path)| {
            path.insert(0, first);
            path
        })
    })
}
