//! Declarations, function definitions and the translation unit (C99 6.7, 6.9).

use clc_base::{Span, Symbol};

use super::attribute::{attributes, reject_asm};
use super::declarator::{Naming, declarator, reserved_word_before};
use super::expression::{conditional_expression, string_literals};
use super::failure::Expected;
use super::initializer::initializer;
use super::input::{Cursor, Input, PARENS, Parsed, Progress, delimited};
use super::names::Meaning;
use super::recovery::{Level, recover, resume_at};
use super::specifier::{
    Place, Specifiers, declaration_specifiers, is_vector_attribute, starts_type_name,
};
use super::statement::compound_statement;
use super::unknown::type_for_want_of_one;
use crate::ast::{
    Attribute, Declaration, Declarator, Derived, ExternalDeclaration, FunctionDefinition,
    InitDeclarator, Specifier, SpecifierKind, StaticAssert,
};
use crate::diagnostics::grammar;
use crate::token::{Keyword, Punctuator, TokenKind};

/// C99 6.9 `translation-unit`.
pub(super) fn translation_unit(input: &mut Input<'_, '_>) -> Parsed<()> {
    loop {
        let place = input.save();
        match external_declaration(input) {
            Ok(true) => {
                if input.state().progress == Progress::Stopped {
                    return finish(input);
                }
            }
            Ok(false) => return Ok(()),
            Err(_) => match input.state().progress {
                Progress::Running => {
                    recover(input, place, Level::File);
                    if input.state().progress != Progress::Running {
                        return finish(input);
                    }
                }
                Progress::Unwinding => {
                    let state = input.state();
                    let target = state.resume.take().unwrap_or(state.tokens.len());
                    state.failure = None;
                    let target = target.max(*place.cursor().inner() + 1);
                    resume_at(input, place, target);
                    input.state().progress = Progress::Running;
                }
                Progress::Stopped => return finish(input),
            },
        }
    }
}

/// Leaves the rest of the file unread.
fn finish(input: &mut Input<'_, '_>) -> Parsed<()> {
    while input.next().is_some() {}
    Ok(())
}

/// One external declaration; `false` at the end of the file.
fn external_declaration(input: &mut Input<'_, '_>) -> Parsed<bool> {
    let start = input.here();
    let item = match input.kind() {
        None => return Ok(false),
        Some(TokenKind::Pragma(text)) => {
            input.skip();
            ExternalDeclaration::Pragma { text, span: start }
        }
        // An empty declaration (not in C99, but accepted by every compiler).
        Some(TokenKind::Punctuator(Punctuator::Semicolon)) => {
            input.skip();
            return Ok(true);
        }
        Some(TokenKind::Keyword(Keyword::StaticAssert)) => {
            ExternalDeclaration::StaticAssert(static_assert(input)?)
        }
        Some(TokenKind::Keyword(Keyword::Asm)) => {
            reject_asm(input)?;
            input.eat(Punctuator::Semicolon);
            return Ok(true);
        }
        Some(TokenKind::Punctuator(
            closer @ (Punctuator::RightBrace | Punctuator::RightParen | Punctuator::RightBracket),
        )) => {
            let diagnostic = grammar::unmatched_closer(closer, start);
            return input.fail_with(diagnostic);
        }
        Some(_) => {
            let mut specifiers = Specifiers::new();
            declaration_specifiers(input, &mut specifiers, Place::Declaration)?;
            match declaration_or_function(input, specifiers, start, Context::File)? {
                Item::Declaration(declaration) => ExternalDeclaration::Declaration(declaration),
                Item::Function(function) => ExternalDeclaration::Function(function),
            }
        }
    };
    input.state().ast.items.push(item);
    Ok(true)
}

/// Where a declaration stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    File,
    Block,
}

pub(super) enum Item {
    Declaration(Declaration),
    Function(FunctionDefinition),
}

/// What follows declaration specifiers: declarators and `;`, or one declarator and a body.
pub(super) fn declaration_or_function(
    input: &mut Input<'_, '_>,
    mut specifiers: Specifiers,
    start: Span,
    context: Context,
) -> Parsed<Item> {
    if specifiers.ended {
        let span = input.since(start);
        let declarators = Vec::new();
        return Ok(Item::Declaration(Declaration {
            specifiers: specifiers.list,
            declarators,
            span,
        }));
    }
    if !specifiers.has_type {
        // Attributes alone, `__attribute__((…));`, declare nothing and are accepted.
        let only_attributes = !specifiers.list.is_empty()
            && specifiers
                .list
                .iter()
                .all(|specifier| matches!(specifier.kind, SpecifierKind::Attribute(_)));
        if !(only_attributes && input.at(Punctuator::Semicolon)) {
            type_for_want_of_one(input, &mut specifiers, Expected::Declaration)?;
        }
    }
    let mut declarators = Vec::new();
    if !input.at(Punctuator::Semicolon) {
        loop {
            let mut attributes_of = Vec::new();
            attributes(input, &mut attributes_of)?;
            let declarator = declarator(input, Naming::Named, &mut attributes_of)?;
            if declarators.is_empty()
                && let Some(Derived::Function { .. }) = declarator.derived.first()
            {
                skip_old_style_declarations(input);
                attributes(input, &mut attributes_of)?;
                if input.at(Punctuator::LeftBrace) {
                    return function_definition(
                        input,
                        specifiers,
                        declarator,
                        attributes_of,
                        start,
                        context,
                    )
                    .map(Item::Function);
                }
            }
            declarators.push(init_declarator(input, &specifiers, declarator, attributes_of)?);
            if input.eat(Punctuator::Comma).is_none() {
                break;
            }
        }
    } else if specifiers.list.len() > 1
        && let Some(diagnostic) = reserved_word_before(input, Expected::DeclaratorName)
    {
        return input.fail_with(diagnostic);
    }
    input.expect(Punctuator::Semicolon, Expected::SemicolonAfterDeclaration)?;
    let span = input.since(start);
    Ok(Item::Declaration(Declaration { specifiers: specifiers.list, declarators, span }))
}

/// The rest of `declarator asm? attributes? (= initializer)?`. The name is declared before its
/// initialiser (C99 6.2.1).
fn init_declarator(
    input: &mut Input<'_, '_>,
    specifiers: &Specifiers,
    declarator: Declarator,
    mut attributes_of: Vec<Attribute>,
) -> Parsed<InitDeclarator> {
    if input.at_keyword(Keyword::Asm) {
        reject_asm(input)?;
    }
    attributes(input, &mut attributes_of)?;
    if let Some((name, _)) = declarator.name {
        let is_vector = declarator.derived.is_empty()
            && (specifiers.is_vector
                || attributes_of
                    .iter()
                    .any(|attribute| is_vector_attribute(input, attribute.name)));
        let meaning = match (specifiers.is_typedef, is_vector) {
            (false, _) => Meaning::Ordinary,
            (true, false) => Meaning::Type,
            (true, true) => Meaning::Vector,
        };
        input.state().names.bind(name, meaning);
    }
    let initializer = match input.eat(Punctuator::Equal) {
        Some(_) => Some(initializer(input)?),
        None => None,
    };
    Ok(InitDeclarator { declarator, attributes: attributes_of, initializer })
}

/// The declarations of parameters in the style before C89, which was reported.
fn skip_old_style_declarations(input: &mut Input<'_, '_>) {
    if let Some(body) = input.state().old_style_body.take() {
        while input.position() < body && input.next().is_some() {}
    }
}

/// A body behind its declarator.
fn function_definition(
    input: &mut Input<'_, '_>,
    specifiers: Specifiers,
    declarator: Declarator,
    attributes: Vec<Attribute>,
    start: Span,
    context: Context,
) -> Parsed<FunctionDefinition> {
    if context == Context::Block {
        nested_function(input, &declarator)?;
    }
    let names = &mut input.state().names;
    if let Some((name, _)) = declarator.name {
        names.bind(name, Meaning::Ordinary);
    }
    let scope = names.mark();
    for name in parameter_names(&declarator) {
        names.bind(name, Meaning::Ordinary);
    }
    let opener = input.position();
    let outer = input.state().function_body.replace(opener);
    let body = compound_statement(input);
    input.state().function_body = outer;
    let body = body?;
    input.state().names.leave(scope);
    let span = input.since(start);
    Ok(FunctionDefinition { specifiers: specifiers.list, declarator, attributes, body, span })
}

fn parameter_names(declarator: &Declarator) -> impl Iterator<Item = Symbol> {
    let parameters = match declarator.derived.first() {
        Some(Derived::Function { parameters, .. }) => parameters.as_slice(),
        _ => &[],
    };
    parameters.iter().filter_map(|parameter| Some(parameter.declarator.name?.0))
}

/// A function inside a function: either that is meant, which OpenCL C has not, or the `}` of the
/// function around it is missing.
#[cold]
fn nested_function(input: &mut Input<'_, '_>, declarator: &Declarator) -> Parsed<()> {
    let span = declarator.name.map_or(declarator.span, |(_, span)| span);
    let state = input.state();
    let Some(opener) = state.function_body else {
        state.emit(grammar::nested_function(span, Span::NONE));
        return Ok(());
    };
    let opener_span = state.token_span(opener);
    if state.partner(opener).is_none() {
        let diagnostic = grammar::missing_brace_before_function(span, opener_span);
        state.emit(diagnostic);
        if state.progress == Progress::Running {
            state.progress = Progress::Unwinding;
        }
        return input.fail(Expected::CloseBrace);
    }
    state.emit(grammar::nested_function(span, opener_span));
    Ok(())
}

/// `_Static_assert ( constant-expression (, string-literal)? ) ;`
pub(super) fn static_assert(input: &mut Input<'_, '_>) -> Parsed<StaticAssert> {
    let start = input.here();
    input.skip();
    let (condition, message) = delimited(input, PARENS, Expected::Paren, |input| {
        let condition = conditional_expression(input)?;
        let message = match input.eat(Punctuator::Comma) {
            Some(_) => match string_literals(input) {
                parts if parts.is_empty() => return input.fail(Expected::StringLiteral),
                parts => parts,
            },
            None => Box::default(),
        };
        Ok((condition, message))
    })?;
    input.expect(Punctuator::Semicolon, Expected::SemicolonAfterDeclaration)?;
    Ok(StaticAssert { condition, message, span: input.since(start) })
}

/// A declaration inside a block; its specifiers may begin with attributes read before.
pub(super) fn block_declaration(
    input: &mut Input<'_, '_>,
    leading: Vec<Attribute>,
    start: Span,
) -> Parsed<Option<Declaration>> {
    let position = input.position();
    let mut specifiers = Specifiers::new();
    specifiers.list.extend(leading.into_iter().map(|attribute| {
        let span = attribute.span;
        Specifier { kind: SpecifierKind::Attribute(attribute), span }
    }));
    declaration_specifiers(input, &mut specifiers, Place::Declaration)?;
    match declaration_or_function(input, specifiers, start, Context::Block) {
        Ok(Item::Declaration(declaration)) => Ok(Some(declaration)),
        Ok(Item::Function(_)) => Ok(None),
        Err(error) => {
            // The declaration belongs to the file; it is read again there.
            let state = input.state();
            if state.progress == Progress::Unwinding && state.resume.is_none() {
                state.resume = Some(position);
            }
            Err(error)
        }
    }
}

/// Whether a declaration begins here.
pub(super) fn at_declaration(input: &mut Input<'_, '_>) -> bool {
    starts_type_name(input, 0)
}
