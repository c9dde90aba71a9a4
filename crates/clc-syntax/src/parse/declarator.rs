//! Declarators (C99 6.7.5), with block pointers.

use clc_base::{Diagnostic, Span};

use super::attribute::{attribute_specifier, attributes};
use super::expression::assignment_expression;
use super::failure::Expected;
use super::input::{BRACKETS, Cursor, Input, MAX_NESTING, PARENS, Parsed, delimited};
use super::names::Meaning;
use super::recovery::bracketed_or;
use super::specifier::{
    Place, Specifiers, declaration_specifiers, qualifier, starts_specifier, starts_type_name,
};
use super::unknown::{old_style_parameters, type_for_want_of_one};
use crate::ast::{
    ArrayLength, Attribute, Declarator, Derived, Parameter, Specifier, SpecifierKind,
};
use crate::diagnostics::grammar;
use crate::token::{Keyword, Punctuator, TokenKind};

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

/// `pointer? direct-declarator`. Attributes that stand in front of a parenthesised declarator go
/// to `attributes_of`.
pub(super) fn declarator(
    input: &mut Input<'_, '_>,
    naming: Naming,
    attributes_of: &mut Vec<Attribute>,
) -> Parsed<Declarator> {
    let start = input.here();
    let mut pointers = Vec::new();
    loop {
        let span = input.here();
        match input.kind() {
            Some(TokenKind::Punctuator(Punctuator::Star)) => {
                input.skip();
                let qualifiers = type_qualifier_list(input)?;
                pointers.push(Derived::Pointer { qualifiers, span });
            }
            Some(TokenKind::Punctuator(Punctuator::Caret)) => {
                input.skip();
                let qualifiers = type_qualifier_list(input)?;
                pointers.push(Derived::Block { qualifiers, span });
            }
            _ => break,
        }
    }
    let mut declarator = direct_declarator(input, naming, start, attributes_of)?;
    declarator.derived.extend(pointers.into_iter().rev());
    if declarator.derived.len() > MAX_NESTING as usize {
        return input.stop(grammar::nesting_too_deep(start));
    }
    declarator.span = if input.position() > 0 && input.here() == start {
        start.start()
    } else {
        input.since(start)
    };
    Ok(declarator)
}

/// Qualifiers and attributes behind a `*` or inside `[ ]`.
fn type_qualifier_list(input: &mut Input<'_, '_>) -> Parsed<Vec<Specifier>> {
    let mut qualifiers = Vec::new();
    loop {
        let Some(TokenKind::Keyword(keyword)) = input.kind() else { return Ok(qualifiers) };
        let span = input.here();
        if keyword == Keyword::Attribute {
            let mut found = Vec::new();
            attribute_specifier(input, &mut found)?;
            qualifiers.extend(found.into_iter().map(|attribute| {
                let span = attribute.span;
                Specifier { kind: SpecifierKind::Attribute(attribute), span }
            }));
            continue;
        }
        match qualifier(input, keyword, span) {
            Some(qualifier) => {
                input.skip();
                qualifiers.push(Specifier { kind: SpecifierKind::Qualifier(qualifier), span });
            }
            None => return Ok(qualifiers),
        }
    }
}

/// A name or a parenthesised declarator, then array and function suffixes.
fn direct_declarator(
    input: &mut Input<'_, '_>,
    naming: Naming,
    start: Span,
    attributes_of: &mut Vec<Attribute>,
) -> Parsed<Declarator> {
    let mut declarator = Declarator { name: None, derived: Vec::new(), span: start };
    match input.kind() {
        Some(TokenKind::Identifier(name)) if naming != Naming::Abstract => {
            declarator.name = Some((name, input.here()));
            input.skip();
        }
        Some(TokenKind::Punctuator(Punctuator::LeftParen)) if is_group(input, naming) => {
            declarator = delimited(input, PARENS, Expected::Paren, |input| {
                attributes(input, attributes_of)?;
                let inner = self::declarator(input, naming, attributes_of)?;
                attributes(input, attributes_of)?;
                Ok(inner)
            })?;
        }
        _ if naming.must() => {
            let expected = match naming {
                Naming::Member => Expected::MemberName,
                _ => Expected::DeclaratorName,
            };
            if let Some(diagnostic) = reserved_word_before(input, expected) {
                return input.fail_with(diagnostic);
            }
            return input.expect_name(expected).map(|_| declarator);
        }
        _ => {}
    }
    loop {
        match input.kind() {
            Some(TokenKind::Punctuator(Punctuator::LeftBracket)) => {
                let array = array_declarator(input)?;
                declarator.derived.push(array);
            }
            Some(TokenKind::Punctuator(Punctuator::LeftParen)) => {
                let function = function_declarator(input, naming)?;
                declarator.derived.push(function);
            }
            _ => return Ok(declarator),
        }
    }
}

/// `int local = 3`: the qualifier was meant as a name.
#[cold]
pub(super) fn reserved_word_before(
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

/// Whether the `(` that comes next groups a declarator, and does not begin parameters.
fn is_group(input: &mut Input<'_, '_>, naming: Naming) -> bool {
    if naming.must() {
        return true;
    }
    match input.kind_at(1) {
        Some(TokenKind::Punctuator(punctuator)) => matches!(
            punctuator,
            Punctuator::Star | Punctuator::Caret | Punctuator::LeftParen | Punctuator::LeftBracket
        ),
        // C99 6.7.5.3: a typedef name in parentheses is a parameter's type.
        Some(TokenKind::Identifier(name)) => {
            naming == Naming::Optional && !input.state().meaning(name).is_type()
        }
        _ => false,
    }
}

/// `[ static? qualifiers? length? ]`
fn array_declarator(input: &mut Input<'_, '_>) -> Parsed<Derived> {
    let start = input.here();
    let (length, qualifiers, is_static) = delimited(input, BRACKETS, Expected::Brace, |input| {
        let mut is_static = input.eat_keyword(Keyword::Static).is_some();
        let qualifiers = type_qualifier_list(input)?;
        is_static |= input.eat_keyword(Keyword::Static).is_some();
        let length = if input.at(Punctuator::RightBracket) {
            ArrayLength::Unknown
        } else if input.at(Punctuator::Star) && input.at_ahead(1, Punctuator::RightBracket) {
            input.skip();
            ArrayLength::Star
        } else {
            ArrayLength::Expr(assignment_expression(input)?)
        };
        Ok((length, qualifiers, is_static))
    })?;
    Ok(Derived::Array { length, qualifiers, is_static, span: input.since(start) })
}

/// `( parameter-type-list? )`. The names of parameters are visible to its end (C99 6.2.1).
fn function_declarator(input: &mut Input<'_, '_>, naming: Naming) -> Parsed<Derived> {
    let start = input.here();
    let scope = input.state().names.mark();
    let (parameters, variadic) = bracketed_or(
        input,
        |input| {
            delimited(input, PARENS, Expected::Paren, |input| parameter_type_list(input, naming))
        },
        |_| (Vec::new(), false),
    )?;
    input.state().names.leave(scope);
    Ok(Derived::Function { parameters, variadic, span: input.since(start) })
}

/// Parameters between parentheses; none for `()` and `(void)`.
pub(super) fn parameter_type_list(
    input: &mut Input<'_, '_>,
    naming: Naming,
) -> Parsed<(Vec<Parameter>, bool)> {
    let mut parameters = Vec::new();
    match input.kind() {
        Some(TokenKind::Punctuator(Punctuator::RightParen)) => return Ok((parameters, false)),
        Some(TokenKind::Keyword(Keyword::Void)) if input.at_ahead(1, Punctuator::RightParen) => {
            input.skip();
            return Ok((parameters, false));
        }
        Some(TokenKind::Identifier(name))
            if naming == Naming::Named && !input.state().meaning(name).is_type() =>
        {
            if let Some(parameters) = old_style_parameters(input) {
                return Ok((parameters, false));
            }
        }
        _ => {}
    }
    loop {
        if input.eat(Punctuator::Ellipsis).is_some() {
            return Ok((parameters, true));
        }
        parameters.push(parameter_declaration(input)?);
        if input.eat(Punctuator::Comma).is_none() {
            return Ok((parameters, false));
        }
    }
}

/// `specifiers declarator? attributes?`
fn parameter_declaration(input: &mut Input<'_, '_>) -> Parsed<Parameter> {
    let start = input.here();
    if !starts_type_name(input, 0) && !matches!(input.kind(), Some(TokenKind::Identifier(_))) {
        return input.fail(Expected::Parameter);
    }
    let mut specifiers = Specifiers::new();
    declaration_specifiers(input, &mut specifiers, Place::Parameter)?;
    if !specifiers.has_type {
        type_for_want_of_one(input, &mut specifiers, Expected::Type)?;
    }
    let mut attributes_of = Vec::new();
    attributes(input, &mut attributes_of)?;
    let declarator = declarator(input, Naming::Optional, &mut attributes_of)?;
    attributes(input, &mut attributes_of)?;
    if let Some((name, _)) = declarator.name {
        input.state().names.bind(name, Meaning::Ordinary);
    } else if let Some(TokenKind::Keyword(keyword)) = input.kind()
        && !starts_specifier(keyword)
    {
        // `int case` in a parameter list.
        input.expect_name(Expected::DeclaratorName)?;
    }
    let span = input.since(start);
    Ok(Parameter { specifiers: specifiers.list, declarator, attributes: attributes_of, span })
}
