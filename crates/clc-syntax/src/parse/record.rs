//! Structs, unions and enums (C99 6.7.2.1, 6.7.2.2).

use chumsky::prelude::*;
use clc_base::{Span, Symbol};

use super::attribute::attributes;
use super::combinators::{
    Build, Parse, Required, braces, name, nested, pragma, punctuator, rule, semicolon, token,
};
use super::declarator::{Naming, declarator};
use super::errors::failure::Expected;
use super::errors::recovery::{Broken, Level, broken_item, item, recovering};
use super::expression::conditional_expression;
use super::input::Extras;
use super::names::Meaning;
use super::specifier::{Place, specifiers_with_type};
use crate::ast::{
    Attribute, Declarator, EnumSpecifier, Enumerator, MemberDeclaration, MemberDeclarator,
    RecordKind, RecordSpecifier, Specifier,
};
use crate::token::{Keyword, Punctuator, TokenKind};

/// `attributes? tag? { members }? attributes?`: what follows `struct`, `union` or `enum`.
fn tagged<'t, M>(
    members: impl Parse<'t, M>,
) -> impl Parse<'t, (Option<(Symbol, Span)>, Option<M>, Vec<Attribute>)> {
    let open = punctuator(Punctuator::LeftBrace);
    let tag = name(Expected::TagOrMembers).unless(open);
    let members = members.then(attributes()).or_not();
    attributes().then(tag).then(members).map(|((mut attributes, tag), members)| match members {
        None => (tag, None, attributes),
        Some((members, behind)) => {
            attributes.extend(behind);
            (tag, Some(members), attributes)
        }
    })
}

/// `struct attributes? tag? { members }? attributes?`
pub(super) fn record_specifier<'t>() -> impl Parse<'t, RecordSpecifier> {
    rule!({
        let kind = token(|kind| match kind {
            TokenKind::Keyword(Keyword::Struct) => Some(RecordKind::Struct),
            TokenKind::Keyword(Keyword::Union) => Some(RecordKind::Union),
            _ => None,
        });
        kind.then(tagged(braces(struct_declaration_list()))).map(
            |((kind, _), (tag, members, attributes))| RecordSpecifier {
                kind,
                tag,
                members,
                attributes,
            },
        )
    })
}

/// Members up to the closing brace. A broken one does not spoil its neighbours.
fn struct_declaration_list<'t>() -> impl Parse<'t, Vec<MemberDeclaration>> {
    rule!({
        let close = choice((punctuator(Punctuator::RightBrace).ignored(), end()));
        let nothing = choice((pragma().ignored(), punctuator(Punctuator::Semicolon).ignored()));
        let member = choice((nothing.map(|_| None), struct_declaration().map(Some)))
            .recover_with(via_parser(broken_item(Level::Block).map_with(broken_member)));
        let member = item(member, |_, _| true);
        let members = close.not().ignore_then(member).repeated().collect::<Vec<_>>();
        members.map(|members| members.into_iter().flatten().collect())
    })
}

/// The members that a stretch may have declared, of a type that is not known.
fn broken_member(broken: Broken, e: &mut Extras<'_, '_>) -> Option<MemberDeclaration> {
    let span = e.place();
    let member = |(name, span)| MemberDeclarator {
        declarator: Declarator { name: Some((name, span)), derived: Vec::new(), span },
        bit_width: None,
        attributes: Vec::new(),
    };
    let declarators = broken.names.into_iter().map(member).collect();
    Some(MemberDeclaration { specifiers: vec![Specifier::error(span)], declarators, span })
}

/// `specifiers member-declarator-list? ;`
fn struct_declaration<'t>() -> impl Parse<'t, MemberDeclaration> {
    rule!({
        let declarators = struct_declarator().list().unless(punctuator(Punctuator::Semicolon));
        specifiers_with_type(Place::Member, Expected::MemberName)
            .then(declarators)
            .then_ignore(semicolon(Expected::SemicolonAfterMember))
            .map_with(|(specifiers, declarators), e| MemberDeclaration {
                specifiers: specifiers.list,
                declarators: declarators.unwrap_or_default(),
                span: e.place(),
            })
    })
}

/// `declarator attributes?` or `declarator? : width attributes?`
fn struct_declarator<'t>() -> impl Parse<'t, MemberDeclarator> {
    rule!({
        let colon = punctuator(Punctuator::Colon);
        let unnamed = colon.rewind().map(|span| {
            (Declarator { name: None, derived: Vec::new(), span: span.start() }, Vec::new())
        });
        let width = colon.ignore_then(conditional_expression()).or_not();
        attributes()
            .then(choice((unnamed, declarator(Naming::Member))))
            .then(width)
            .then(attributes())
            .map(|(((mut attributes, (declarator, inside)), bit_width), behind)| {
                attributes.extend(inside);
                attributes.extend(behind);
                MemberDeclarator { declarator, bit_width, attributes }
            })
    })
}

/// `enum attributes? tag? { enumerators }? attributes?`
pub(super) fn enum_specifier<'t>() -> impl Parse<'t, EnumSpecifier> {
    rule!({
        let list =
            pragma().repeated().ignore_then(enumerator().list_before(Punctuator::RightBrace));
        let list = recovering(Punctuator::LeftBrace, braces(list), |_| Vec::new());
        let keyword = super::combinators::keyword(Keyword::Enum);
        keyword.ignore_then(tagged(list)).map(|(tag, enumerators, attributes)| EnumSpecifier {
            tag,
            enumerators,
            attributes,
        })
    })
}

/// `name attributes? (= constant-expression)?`. The name is declared behind its value (C99 6.2.1).
/// An enumerator's attributes (deprecation and the like) mean nothing here.
fn enumerator<'t>() -> impl Parse<'t, Enumerator> {
    rule!({
        let equal = punctuator(Punctuator::Equal);
        let value = equal.ignore_then(nested(conditional_expression())).or_not();
        name(Expected::EnumeratorName).then_ignore(attributes()).then(value).map_with(
            |((name, span), value), e| {
                e.state().names.bind(name, Meaning::Ordinary);
                Enumerator { name, span, value }
            },
        )
    })
}
