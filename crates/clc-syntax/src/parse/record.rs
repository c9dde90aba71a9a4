//! Structs, unions and enums (C99 6.7.2.1, 6.7.2.2).

use super::attribute::attributes;
use super::declarator::{Naming, declarator};
use super::expression::conditional_expression;
use super::failure::Expected;
use super::input::{BRACES, Cursor, Input, Parsed, delimited, nested};
use super::names::Meaning;
use super::recovery::{Level, bracketed_or, may_recover, recover};
use super::specifier::{Place, Specifiers, declaration_specifiers};
use super::unknown::type_for_want_of_one;
use crate::ast::{
    Declarator, EnumSpecifier, Enumerator, MemberDeclaration, MemberDeclarator, RecordKind,
    RecordSpecifier,
};
use crate::token::{Punctuator, TokenKind};

/// `struct attributes? tag? { members }? attributes?`
pub(super) fn record_specifier(
    input: &mut Input<'_, '_>,
    kind: RecordKind,
) -> Parsed<RecordSpecifier> {
    input.skip();
    let mut specifier = RecordSpecifier { kind, tag: None, members: None, attributes: Vec::new() };
    attributes(input, &mut specifier.attributes)?;
    if let Some(TokenKind::Identifier(_)) = input.kind() {
        specifier.tag = Some(input.expect_name(Expected::TagOrMembers)?);
    } else if !input.at(Punctuator::LeftBrace) {
        return match input.kind() {
            Some(TokenKind::Keyword(_)) => {
                input.expect_name(Expected::TagOrMembers).map(|_| specifier)
            }
            _ => input.fail(Expected::TagOrMembers),
        };
    }
    if input.at(Punctuator::LeftBrace) {
        specifier.members =
            Some(delimited(input, BRACES, Expected::Brace, struct_declaration_list)?);
        attributes(input, &mut specifier.attributes)?;
    }
    Ok(specifier)
}

/// Members up to the closing brace. A broken one does not spoil its neighbours.
fn struct_declaration_list(input: &mut Input<'_, '_>) -> Parsed<Vec<MemberDeclaration>> {
    let mut members = Vec::new();
    loop {
        match input.kind() {
            None | Some(TokenKind::Punctuator(Punctuator::RightBrace)) => return Ok(members),
            Some(TokenKind::Pragma(_) | TokenKind::Punctuator(Punctuator::Semicolon)) => {
                input.skip();
                continue;
            }
            _ => {}
        }
        let place = input.save();
        match struct_declaration(input) {
            Ok(member) => members.push(member),
            Err(error) => {
                if !may_recover(input) {
                    return Err(error);
                }
                recover(input, place, Level::Block);
            }
        }
    }
}

/// `specifiers member-declarator-list? ;`
fn struct_declaration(input: &mut Input<'_, '_>) -> Parsed<MemberDeclaration> {
    let start = input.here();
    let mut specifiers = Specifiers::new();
    declaration_specifiers(input, &mut specifiers, Place::Member)?;
    if !specifiers.has_type {
        type_for_want_of_one(input, &mut specifiers, Expected::MemberName)?;
    }
    let mut declarators = Vec::new();
    if !input.at(Punctuator::Semicolon) {
        loop {
            declarators.push(struct_declarator(input)?);
            if input.eat(Punctuator::Comma).is_none() {
                break;
            }
        }
    }
    input.expect(Punctuator::Semicolon, Expected::SemicolonAfterMember)?;
    let span = input.since(start);
    Ok(MemberDeclaration { specifiers: specifiers.list, declarators, span })
}

/// `declarator attributes?` or `declarator? : width attributes?`
fn struct_declarator(input: &mut Input<'_, '_>) -> Parsed<MemberDeclarator> {
    let mut attributes_of = Vec::new();
    attributes(input, &mut attributes_of)?;
    let declarator = if input.at(Punctuator::Colon) {
        let span = input.here().start();
        Declarator { name: None, derived: Vec::new(), span }
    } else {
        declarator(input, Naming::Member, &mut attributes_of)?
    };
    let bit_width = match input.eat(Punctuator::Colon) {
        Some(_) => Some(conditional_expression(input)?),
        None => None,
    };
    attributes(input, &mut attributes_of)?;
    Ok(MemberDeclarator { declarator, bit_width, attributes: attributes_of })
}

/// `enum attributes? tag? { enumerators }? attributes?`
pub(super) fn enum_specifier(input: &mut Input<'_, '_>) -> Parsed<EnumSpecifier> {
    input.skip();
    let mut specifier = EnumSpecifier { tag: None, enumerators: None, attributes: Vec::new() };
    attributes(input, &mut specifier.attributes)?;
    if let Some(TokenKind::Identifier(_) | TokenKind::Keyword(_)) = input.kind() {
        specifier.tag = Some(input.expect_name(Expected::TagOrMembers)?);
    } else if !input.at(Punctuator::LeftBrace) {
        return input.fail(Expected::TagOrMembers);
    }
    if input.at(Punctuator::LeftBrace) {
        let enumerators = bracketed_or(
            input,
            |input| delimited(input, BRACES, Expected::Brace, enumerator_list),
            |_| Vec::new(),
        )?;
        specifier.enumerators = Some(enumerators);
        attributes(input, &mut specifier.attributes)?;
    }
    Ok(specifier)
}

/// Enumerators, with an optional comma at the end.
fn enumerator_list(input: &mut Input<'_, '_>) -> Parsed<Vec<Enumerator>> {
    let mut enumerators = Vec::new();
    while let Some(TokenKind::Pragma(_)) = input.kind() {
        input.skip();
    }
    loop {
        enumerators.push(enumerator(input)?);
        if input.eat(Punctuator::Comma).is_none() || input.at(Punctuator::RightBrace) {
            return Ok(enumerators);
        }
    }
}

/// `name attributes? (= constant-expression)?`. The name is declared behind its value (C99 6.2.1).
fn enumerator(input: &mut Input<'_, '_>) -> Parsed<Enumerator> {
    let (name, span) = input.expect_name(Expected::EnumeratorName)?;
    // An enumerator's attributes (deprecation and the like) mean nothing here.
    attributes(input, &mut Vec::new())?;
    let value = match input.eat(Punctuator::Equal) {
        Some(_) => Some(nested(input, conditional_expression)?),
        None => None,
    };
    input.state().names.bind(name, Meaning::Ordinary);
    Ok(Enumerator { name, span, value })
}
