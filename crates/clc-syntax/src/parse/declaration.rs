//! Declarations, function definitions and the translation unit (C99 6.7, 6.9).

use chumsky::error::EmptyErr;
use chumsky::prelude::*;
use clc_base::Span;

use super::attribute::{asm, attributes};
use super::combinators::{
    Build, Parse, Required, keyword, pragma, punctuator, required_parens, rule, semicolon,
};
use super::declarator::{Naming, bind_parameters, declarator};
use super::errors::failure::Expected;
use super::errors::mistakes::{nested_function, reserved_word_before, unmatched};
use super::errors::recovery::{broken_declaration, item, lost_brace};
use super::errors::salvage::{forget_type, lacks_end, salvage};
use super::errors::unknown::type_for_want_of_one;
use super::expression::{conditional_expression, string_literals};
use super::initializer::initializer;
use super::input::{Cursor, Input, Parsed, Progress, State};
use super::names::Meaning;
use super::specifier::{Place, Specifiers, declaration_specifiers, is_vector_attribute};
use super::statement::{compound_statement, unopened_compound_statement};
use crate::ast::{
    Attribute, Declaration, Declarator, Derived, Expr, ExprKind, ExternalDeclaration,
    FunctionDefinition, InitDeclarator, Initializer, SpecifierKind, StaticAssert,
};
use crate::token::{Keyword, Punctuator};

/// C99 6.9 `translation-unit`.
pub(super) fn translation_unit<'t>() -> impl Parse<'t, ()> {
    rule!({
        let broken = broken_declaration()
            .map(|declaration| declaration.map(ExternalDeclaration::Declaration));
        let is_item = |item: &Option<ExternalDeclaration>, _: &State<'_>| match item {
            None | Some(ExternalDeclaration::Function(_)) => false,
            Some(
                ExternalDeclaration::Declaration(_)
                | ExternalDeclaration::StaticAssert(_)
                | ExternalDeclaration::Pragma { .. },
            ) => true,
        };
        let declaration = external_declaration().recover_with(via_parser(broken));
        let declaration = item(declaration, is_item);
        let item = rule!(declaration.map_with(|item, e| e.state().ast.items.extend(item)));
        item.repeated().then_ignore(end())
    })
}

/// One external declaration; nothing for what declares nothing.
fn external_declaration<'t>() -> impl Parse<'t, Option<ExternalDeclaration>> {
    rule!({
        let pragma = pragma().map(|(text, span)| ExternalDeclaration::Pragma { text, span });
        // An empty declaration (not in C99, but accepted by every compiler).
        let empty = punctuator(Punctuator::Semicolon).ignored();
        let asm = asm().then_ignore(punctuator(Punctuator::Semicolon).or_not());
        let declaration = declaration_or_function(Context::File).map(|item| match item {
            Item::Declaration(declaration) => ExternalDeclaration::Declaration(declaration),
            Item::Function(function) => ExternalDeclaration::Function(function),
        });
        choice((
            pragma.map(Some),
            empty.map(|_| None),
            static_assert().map(ExternalDeclaration::StaticAssert).map(Some),
            asm.map(|_| None),
            custom(unmatched),
            end().not().ignore_then(declaration).map(Some),
        ))
    })
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

/// Specifiers, then declarators and `;`, or one declarator and a body. `custom`: what the specifiers
/// say decides what each name is, which is declared before its initialiser and the next declarator
/// (C99 6.2.1), and whether a body may follow.
fn declaration_or_function<'t>(context: Context) -> impl Parse<'t, Item> {
    custom(move |input: &mut Input<'t, '_>| {
        let start = input.here();
        let errors = input.state().errors;
        let mut specifiers = input.parse(declaration_specifiers(Place::Declaration))?;
        let mut declarators = Vec::new();
        if specifiers.ended {
            let span = input.since(start);
            let specifiers = specifiers.list;
            return Ok(Item::Declaration(Declaration { specifiers, declarators, span }));
        }
        // Attributes alone, `__attribute__((…));`, declare nothing and are accepted.
        let only_attributes = !specifiers.list.is_empty()
            && specifiers
                .list
                .iter()
                .all(|specifier| matches!(specifier.kind, SpecifierKind::Attribute(_)));
        let declares_nothing = only_attributes && input.at(Punctuator::Semicolon);
        if !specifiers.has_type && !declares_nothing {
            type_for_want_of_one(input, &mut specifiers, Expected::Declaration)?;
        }
        let listed = init_declarator_list(input, &specifiers, &mut declarators);
        let function = match listed {
            Ok(function) => function,
            Err(error) => {
                salvage(input, specifiers.list, declarators, start);
                return Err(error);
            }
        };
        if let Some((declarator, attributes)) = function {
            let head = (specifiers, declarator, attributes);
            let mut function = function_definition(input, head, start, context)?;
            let state = input.state();
            function.has_errors =
                state.errors > errors || state.trouble.is_guess || state.trouble.said_inside;
            return Ok(Item::Function(function));
        }
        let position = input.position();
        if let Err(error) = input.parse(semicolon(Expected::SemicolonAfterDeclaration)) {
            salvage(input, specifiers.list, declarators, start);
            return Err(error);
        }
        let span = input.since(start);
        if input.position() == position && lacks_end(&declarators) {
            forget_type(&mut specifiers.list, span.end());
        }
        if declarators.is_empty() && input.state().trouble.is_guess {
            // `event_t; e = …`: the name was cut off.
            input.state().ast.unnamed.push(span);
        }
        Ok(Item::Declaration(Declaration { specifiers: specifiers.list, declarators, span }))
    })
}

/// The declarators of a declaration; or that of a function, with its attributes, if its body comes.
fn init_declarator_list(
    input: &mut Input<'_, '_>,
    specifiers: &Specifiers,
    declarators: &mut Vec<InitDeclarator>,
) -> Parsed<Option<(Declarator, Vec<Attribute>)>> {
    if input.at(Punctuator::Semicolon) {
        if specifiers.list.len() > 1
            && let Some(diagnostic) = reserved_word_before(input, Expected::DeclaratorName)
        {
            return input.fail_with(diagnostic);
        }
        return Ok(None);
    }
    loop {
        let declared = attributes().then(declarator(Naming::Named));
        let (mut attributes_of, (declarator, inside)) = input.parse(declared)?;
        attributes_of.extend(inside);
        // An array or function declarator that failed.
        if input.at(Punctuator::LeftParen) || input.at(Punctuator::LeftBracket) {
            return Err(EmptyErr::default());
        }
        if declarators.is_empty()
            && let Some(Derived::Function { .. }) = declarator.derived.first()
        {
            skip_old_style_declarations(input);
            attributes_of.extend(input.parse(attributes())?);
            if input.at(Punctuator::LeftBrace) || lost_brace(input) {
                return Ok(Some((declarator, attributes_of)));
            }
        }
        init_declarator(input, specifiers, declarator, attributes_of, declarators)?;
        if input.eat(Punctuator::Comma).is_none() {
            return Ok(None);
        }
    }
}

/// The rest of `declarator asm? attributes? (= initializer)?`. The name is declared before its
/// initialiser (C99 6.2.1), and stays declared if that fails.
fn init_declarator(
    input: &mut Input<'_, '_>,
    specifiers: &Specifiers,
    declarator: Declarator,
    mut attributes_of: Vec<Attribute>,
    declarators: &mut Vec<InitDeclarator>,
) -> Parsed<()> {
    attributes_of.extend(input.parse(asm().or_not().ignore_then(attributes()))?);
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
    let start = input.here();
    let value = match input.eat(Punctuator::Equal) {
        Some(_) => input.parse(initializer()).map(Some),
        None => Ok(None),
    };
    let (initializer, parsed) = match value {
        Ok(initializer) => (initializer, Ok(())),
        Err(error) => {
            let expr = Expr { kind: ExprKind::Error, span: start };
            let expr = input.state().ast.exprs.push(expr);
            (Some(Initializer::Expr(expr)), Err(error))
        }
    };
    declarators.push(InitDeclarator { declarator, attributes: attributes_of, initializer });
    parsed
}

/// The declarations of parameters in the style before C89, which was reported.
fn skip_old_style_declarations(input: &mut Input<'_, '_>) {
    if let Some(body) = input.state().trouble.old_style_body.take() {
        while input.position() < body && input.next().is_some() {}
    }
}

/// A body behind its declarator.
fn function_definition(
    input: &mut Input<'_, '_>,
    (specifiers, declarator, attributes): (Specifiers, Declarator, Vec<Attribute>),
    start: Span,
    context: Context,
) -> Parsed<FunctionDefinition> {
    if context == Context::Block {
        nested_function(input, &declarator, start)?;
    }
    if let Some((name, _)) = declarator.name {
        input.state().names.bind(name, Meaning::Ordinary);
    }
    let opener = input.position();
    let outer = input.state().trouble.function_body.replace(opener);
    input.state().trouble.last_body = opener;
    let scope = input.state().names.mark();
    if let Some(Derived::Function { parameters, .. }) = declarator.derived.first() {
        bind_parameters(input.state(), parameters);
    }
    let had_brace_error = std::mem::take(&mut input.state().trouble.brace_error);
    let body = input.parse(choice((compound_statement(), unopened_compound_statement())));
    input.state().trouble.function_body = outer;
    if input.state().trouble.brace_error {
        // What belongs to which block is a guess then.
        let stretch = input.since(start);
        input.state().ast.suspects.push(stretch);
    }
    input.state().trouble.brace_error |= had_brace_error;
    match body {
        Ok(body) => {
            input.state().names.leave(scope);
            let (specifiers, span) = (specifiers.list, input.since(start));
            let has_errors = false;
            Ok(FunctionDefinition { specifiers, declarator, attributes, body, span, has_errors })
        }
        Err(error) => {
            let function = InitDeclarator { declarator, attributes, initializer: None };
            salvage(input, specifiers.list, vec![function], start);
            Err(error)
        }
    }
}

/// `_Static_assert ( constant-expression (, string-literal)? ) ;`
pub(super) fn static_assert<'t>() -> impl Parse<'t, StaticAssert> {
    rule!({
        let message = punctuator(Punctuator::Comma)
            .ignore_then(string_literals().required(Expected::StringLiteral))
            .or_not();
        let operands = conditional_expression().then(message);
        keyword(Keyword::StaticAssert)
            .ignore_then(required_parens(Expected::Paren, operands))
            .then_ignore(semicolon(Expected::SemicolonAfterDeclaration))
            .map_with(|(condition, message), e| StaticAssert {
                condition,
                message: message.unwrap_or_default(),
                span: e.place(),
            })
    })
}

/// A declaration inside a block; none for a function that does not belong there. `custom`: one that
/// shows that a `}` is missing tells where the file goes on.
pub(super) fn block_declaration<'t>() -> impl Parse<'t, Option<Declaration>> {
    custom(|input: &mut Input<'t, '_>| {
        let position = input.position();
        match input.parse(declaration_or_function(Context::Block)) {
            Ok(Item::Declaration(declaration)) => Ok(Some(declaration)),
            Ok(Item::Function(_)) => Ok(None),
            Err(error) => {
                // The declaration belongs to the file; it is read again there.
                let state = input.state();
                if state.progress == Progress::Unwinding && state.trouble.resume.is_none() {
                    state.trouble.resume = Some(position);
                }
                Err(error)
            }
        }
    })
}
