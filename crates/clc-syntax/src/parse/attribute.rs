//! GNU attributes (OpenCL C 6.13), and the GNU keywords that are not part of OpenCL C.

use std::rc::Rc;

use chumsky::error::EmptyErr;
use chumsky::prelude::*;
use clc_base::Symbol;

use super::combinators::{
    Build, Parse, Required, keyword, parens, punctuator, required_parens, rule, token,
};
use super::errors::failure::Expected;
use super::expression::assignment_expression;
use super::input::{Cursor, Input, Parsed, State};
use super::specifier::{type_name, type_start};
use crate::ast::{Attribute, AttributeArgument};
use crate::diagnostics::grammar;
use crate::token::{Keyword, Punctuator, TokenKind};

/// `attribute-specifier*`
pub(super) fn attributes<'t>() -> impl Parse<'t, Vec<Attribute>> {
    let lists = attribute_specifier().repeated().at_least(1).collect::<Vec<_>>();
    lists
        .map(|lists| lists.into_iter().flatten().collect())
        .at(keyword(Keyword::Attribute))
        .or_not()
        .map(Option::unwrap_or_default)
}

/// `__attribute__ ( ( attribute-list ) )`; items may be missing between commas.
pub(super) fn attribute_specifier<'t>() -> impl Parse<'t, Vec<Attribute>> {
    rule!({
        let missing = token(|kind| match kind {
            TokenKind::Punctuator(Punctuator::Comma | Punctuator::RightParen) => Some(()),
            _ => None,
        });
        let item = attribute().required(Expected::AttributeName).unless(missing);
        let items = item.list();
        let inner = required_parens(Expected::AttributeParens, items);
        keyword(Keyword::Attribute)
            .ignore_then(required_parens(Expected::AttributeParens, inner))
            .map(|items| items.into_iter().flatten().collect())
    })
}

/// `name` or `name ( arguments )`
fn attribute<'t>() -> impl Parse<'t, Attribute> {
    rule!({
        let name = token(Some).try_map_with(|(kind, _), e| match kind {
            TokenKind::Identifier(name) => Ok(without_underscores(e.state(), name)),
            TokenKind::Keyword(keyword) => Ok(e.state().interner.intern(keyword.as_str())),
            _ => Err(EmptyErr::default()),
        });
        let name = name.map_with(|name, e| (name, e.place()));
        let end = punctuator(Punctuator::RightParen);
        let arguments = parens(attribute_argument().list().unless(end));
        name.then(arguments.or_not()).map_with(|((name, name_span), arguments), e| Attribute {
            name,
            name_span,
            arguments: arguments.flatten().unwrap_or_default(),
            span: e.place(),
        })
    })
}

fn attribute_argument<'t>() -> impl Parse<'t, AttributeArgument> {
    rule!({
        let ty = type_start().rewind().ignore_then(type_name());
        choice((
            ty.map(|(ty, _)| AttributeArgument::Type(Rc::new(ty))),
            assignment_expression().map(AttributeArgument::Expr),
        ))
    })
}

/// `__aligned__` is `aligned`.
fn without_underscores(state: &mut State<'_>, name: Symbol) -> Symbol {
    let stripped = state
        .interner
        .resolve(name)
        .strip_prefix("__")
        .and_then(|rest| rest.strip_suffix("__"))
        .filter(|rest| !rest.is_empty())
        .map(str::to_owned);
    match stripped {
        Some(text) => state.interner.intern(&text),
        None => name,
    }
}

/// `asm …` with its parentheses, which is reported (OpenCL C has no inline assembly). `custom`: what
/// stands in the parentheses is not part of the language.
pub(super) fn asm<'t>() -> impl Parse<'t, ()> {
    rule!({
        let qualifier = token(|kind| match kind {
            TokenKind::Keyword(
                Keyword::Volatile | Keyword::Goto | Keyword::Inline | Keyword::Const,
            ) => Some(()),
            _ => None,
        });
        let head = keyword(Keyword::Asm).then(qualifier.repeated()).map_with(|_, e| {
            let span = e.place();
            e.report(grammar::inline_assembly(span));
        });
        head.then(custom(skip_parens)).map(|_| ())
    })
}

fn skip_parens(input: &mut Input<'_, '_>) -> Parsed<()> {
    let opener = input.position();
    if !input.at(Punctuator::LeftParen) {
        return Ok(());
    }
    match input.state().partner(opener) {
        Some(partner) => {
            while input.position() <= partner && input.next().is_some() {}
            Ok(())
        }
        None => {
            input.skip();
            input.fail(Expected::CloseParen)
        }
    }
}
