//! Declarators (C99 6.7.5), with block pointers.

use chumsky::error::EmptyErr;
use chumsky::prelude::*;
use chumsky::primitive::select;
use clc_base::Span;

use super::attribute::{attribute_specifier, attributes};
use super::combinators::{
    Build, Parse, Required, brackets, identifier, keyword, parens, punctuator, rule, scoped, token,
};
use super::errors::failure::Expected;
use super::errors::mistakes::{no_reserved_name, reserved_word_before};
use super::errors::recovery::recovering;
use super::errors::salvage::lost_parameters;
use super::errors::unknown::old_style_parameters;
use super::expression::assignment_expression;
use super::input::{Cursor, Extras, Input, MAX_NESTING, Parsed, State};
use super::names::Meaning;
use super::specifier::{Place, qualifier, specifiers_with_type, type_start};
use crate::ast::{
    ArrayLength, Attribute, Declarator, Derived, Parameter, Specifier, SpecifierKind,
};
use crate::diagnostics::grammar;
use crate::token::{Keyword, Punctuator, Token, TokenKind};

/// Whether a declarator has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// Must have one.
    Named,
    /// A member's; must have one.
    Member,
    /// Has none: type names.
    Abstract,
    /// May have one: parameters.
    Optional,
}

impl Naming {
    fn must(self) -> bool {
        matches!(self, Naming::Named | Naming::Member)
    }
}

/// `pointer? direct-declarator`, and the attributes in front of and behind parenthesised declarators.
pub(super) fn declarator<'t>(naming: Naming) -> impl Parse<'t, (Declarator, Vec<Attribute>)> {
    rule!(pointer().repeated().collect::<Vec<_>>().then(direct_declarator(naming)).try_map_with(
        |(pointers, (mut declarator, attributes)), e| {
            declarator.derived.extend(pointers.into_iter().rev());
            declarator.span = e.place();
            if declarator.derived.len() > MAX_NESTING as usize {
                return e.state().stop(grammar::nesting_too_deep(declarator.span));
            }
            Ok((declarator, attributes))
        }
    ))
}

/// `* type-qualifier-list?`, and `^` of blocks.
fn pointer<'t>() -> impl Parse<'t, Derived> {
    let sign = token(|kind| match kind {
        TokenKind::Punctuator(Punctuator::Star) => Some(true),
        TokenKind::Punctuator(Punctuator::Caret) => Some(false),
        _ => None,
    });
    sign.then(type_qualifier_list()).map(|((is_pointer, span), qualifiers)| match is_pointer {
        true => Derived::Pointer { qualifiers, span },
        false => Derived::Block { qualifiers, span },
    })
}

/// Qualifiers and attributes behind a `*` or inside `[ ]`.
fn type_qualifier_list<'t>() -> impl Parse<'t, Vec<Specifier>> {
    let qualifier = select(|token: Token, e: &mut Extras<'t, '_>| {
        let TokenKind::Keyword(keyword) = token.kind else { return None };
        let kind = SpecifierKind::Qualifier(qualifier(e.state(), keyword, token.span)?);
        Some(Specifier { kind, span: token.span })
    });
    let attributes = attribute_specifier()
        .map(|attributes| attributes.into_iter().map(Specifier::from).collect::<Vec<_>>());
    let items = choice((qualifier.map(|qualifier| vec![qualifier]), attributes));
    items.repeated().collect::<Vec<_>>().map(|items| items.into_iter().flatten().collect())
}

/// A name or a parenthesised declarator, then array and function suffixes.
fn direct_declarator<'t>(naming: Naming) -> impl Parse<'t, (Declarator, Vec<Attribute>)> {
    rule!({
        let suffix = choice((array_declarator(), function_declarator(naming)));
        innermost(naming).then(suffix.repeated().collect::<Vec<_>>()).map(
            |((mut declarator, attributes), suffixes)| {
                declarator.derived.extend(suffixes);
                (declarator, attributes)
            },
        )
    })
}

/// A name, a parenthesised declarator, or nothing.
fn innermost<'t>(naming: Naming) -> impl Parse<'t, (Declarator, Vec<Attribute>)> {
    let plain = |name| (Declarator { name, derived: Vec::new(), span: Span::NONE }, Vec::new());
    let name =
        identifier().filter(move |_| naming != Naming::Abstract).map(move |name| plain(Some(name)));
    let inner = attributes().then(declarator(naming)).then(attributes()).map(
        |((mut before, (declarator, inside)), behind)| {
            before.extend(inside);
            before.extend(behind);
            (declarator, before)
        },
    );
    // `custom`, here and below: what comes must be told by what names mean.
    let group = custom(move |input: &mut Input<'t, '_>| is_group(input, naming))
        .ignore_then(rule!(parens(inner)));
    let nothing = custom(move |input: &mut Input<'t, '_>| {
        let expected = match naming {
            // A group that failed is not an empty declarator with parameters.
            Naming::Optional | Naming::Abstract if is_group(input, naming).is_ok() => {
                return Err(EmptyErr::default());
            }
            Naming::Optional | Naming::Abstract => return Ok(plain(None)),
            Naming::Named => Expected::DeclaratorName,
            Naming::Member => Expected::MemberName,
        };
        if let Some(diagnostic) = reserved_word_before(input, expected) {
            return input.fail_with(diagnostic);
        }
        input.expect_name(expected).map(|name| plain(Some(name)))
    });
    choice((name, group, nothing))
}

/// Whether the `(` that comes next groups a declarator, and does not begin parameters. `custom`: that
/// depends on what the name in it means.
fn is_group(input: &mut Input<'_, '_>, naming: Naming) -> Parsed<()> {
    let is_group = match input.kind_at(1) {
        _ if !input.at(Punctuator::LeftParen) => false,
        // `void (int x)` has lost its name.
        Some(TokenKind::Keyword(keyword)) if keyword.starts_specifier() => {
            keyword == Keyword::Attribute
        }
        _ if naming.must() => true,
        Some(TokenKind::Punctuator(punctuator)) => matches!(
            punctuator,
            Punctuator::Star | Punctuator::Caret | Punctuator::LeftParen | Punctuator::LeftBracket
        ),
        // C99 6.7.5.3: a typedef name in parentheses is a parameter's type.
        Some(TokenKind::Identifier(name)) => {
            naming == Naming::Optional && !input.state().meaning(name).is_type()
        }
        _ => false,
    };
    if is_group { Ok(()) } else { Err(EmptyErr::default()) }
}

/// `[ static? qualifiers? length? ]`
fn array_declarator<'t>() -> impl Parse<'t, Derived> {
    rule!({
        let is_static = keyword(Keyword::Static).or_not().map(|found| found.is_some());
        let close = punctuator(Punctuator::RightBracket);
        let length = choice((
            close.rewind().to(ArrayLength::Unknown),
            punctuator(Punctuator::Star).then(close.rewind()).to(ArrayLength::Star),
            assignment_expression().map(ArrayLength::Expr),
        ));
        let inner = is_static.then(type_qualifier_list()).then(is_static).then(length);
        brackets(inner).map_with(|(((before, qualifiers), behind), length), e| Derived::Array {
            length,
            qualifiers,
            is_static: before || behind,
            span: e.place(),
        })
    })
}

/// `( parameter-type-list? )`. The names of parameters are visible to its end (C99 6.2.1).
fn function_declarator<'t>(naming: Naming) -> impl Parse<'t, Derived> {
    rule!({
        let parameters = parens(parameter_type_list(naming));
        let broken = |e: &mut Extras<'t, '_>| (lost_parameters(e), false);
        let list = recovering(Punctuator::LeftParen, parameters, broken);
        scoped(list).map_with(|(parameters, variadic), e| Derived::Function {
            parameters,
            variadic,
            span: e.place(),
        })
    })
}

/// Parameters between parentheses, and whether `...` ends them; none for `()` and `(void)`.
pub(super) fn parameter_type_list<'t>(naming: Naming) -> impl Parse<'t, (Vec<Parameter>, bool)> {
    rule!({
        let end = punctuator(Punctuator::RightParen);
        // `custom`: whether names are parameters of the old style is seen at the body behind them.
        let old_style = custom(move |input: &mut Input<'t, '_>| match input.kind() {
            Some(TokenKind::Identifier(name))
                if naming == Naming::Named && !input.state().meaning(name).is_type() =>
            {
                old_style_parameters(input).ok_or_else(EmptyErr::default)
            }
            _ => Err(EmptyErr::default()),
        });
        let ellipsis = punctuator(Punctuator::Ellipsis);
        let more = punctuator(Punctuator::Comma).then(ellipsis).or_not();
        choice((
            keyword(Keyword::Void).or_not().then(end.rewind()).map(|_| (Vec::new(), false)),
            old_style.map(|parameters| (parameters, false)),
            ellipsis.map(|_| (Vec::new(), true)),
            parameter_declaration().list().then(more).map(|(list, more)| (list, more.is_some())),
        ))
    })
}

/// `specifiers declarator? attributes?`
fn parameter_declaration<'t>() -> impl Parse<'t, Parameter> {
    rule!({
        let start = choice((type_start(), identifier().ignored())).rewind();
        let declared = attributes().then(declarator(Naming::Optional)).then(attributes()).map_with(
            |((mut attributes, (declarator, inside)), behind), e| {
                attributes.extend(inside);
                attributes.extend(behind);
                if let Some((name, _)) = declarator.name {
                    e.state().names.bind(name, Meaning::Ordinary);
                }
                (declarator, attributes)
            },
        );
        start
            .required(Expected::Parameter)
            .ignore_then(specifiers_with_type(Place::Parameter, Expected::Type))
            .then(declared)
            .then_ignore(custom(no_reserved_name))
            .map_with(|(specifiers, (declarator, attributes)), e| Parameter {
                specifiers: specifiers.list,
                declarator,
                attributes,
                span: e.place(),
            })
    })
}

/// Declares the parameters of a function or block where its body begins.
pub(super) fn bind_parameters(state: &mut State<'_>, parameters: &[Parameter]) {
    for parameter in parameters {
        if let Some((name, _)) = parameter.declarator.name {
            state.names.bind(name, Meaning::Ordinary);
        }
    }
}
