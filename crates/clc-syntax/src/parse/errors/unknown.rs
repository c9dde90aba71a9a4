//! Declarations without a type the grammar knows: misspelt names, implicit `int`, and parameters
//! in the style before C89.

use clc_base::Diagnostic;
use clc_base::diagnostic::did_you_mean;

use super::failure::Expected;
use super::salvage::forget_type;
use super::similar_types::{similar_type, standard_integer};
use crate::ast::{
    Declarator, FunctionSpecifier, Parameter, Specifier, SpecifierKind, StorageSpecifier,
    TypeSpecifier,
};
use crate::diagnostics::grammar;
use crate::parse::input::{Cursor, Input, Parsed, State};
use crate::parse::predeclared;
use crate::parse::specifier::{Place, Specifiers, qualifier, specifier};
use crate::token::{KEYWORDS, Keyword, Punctuator, TokenKind};

/// Called where specifiers ended and none of them was a type. Finds out what was meant, reports
/// it, and lets `int` stand in; fails if no declaration can be seen here.
#[cold]
pub(in crate::parse) fn type_for_want_of_one(
    input: &mut Input<'_, '_>,
    specifiers: &mut Specifiers,
    expected: Expected,
) -> Parsed<()> {
    let span = input.here();
    let is_parameter = expected == Expected::Type;
    match input.kind() {
        Some(TokenKind::Identifier(name)) => {
            let names_a_type = match input.kind_at(1) {
                Some(TokenKind::Identifier(_)) => true,
                Some(TokenKind::Keyword(keyword)) => keyword.starts_specifier(),
                Some(TokenKind::Punctuator(punctuator)) => match punctuator {
                    Punctuator::Star | Punctuator::Caret => true,
                    Punctuator::Comma | Punctuator::RightParen => {
                        is_parameter && specifiers.list.is_empty()
                    }
                    _ => false,
                },
                _ => false,
            };
            if names_a_type {
                let position = input.position();
                let is_followed_by_type = input.starts_type(1);
                input.skip();
                let state = input.state();
                let text = state.interner.resolve(name);
                let known = standard_integer(text).or_else(|| {
                    let visible = state.names.visible_types(state.interner);
                    let keywords = KEYWORDS.iter().filter(|_| is_followed_by_type);
                    let keywords = keywords
                        .filter(|(_, keyword)| keyword.starts_specifier())
                        .map(|&(spelling, _)| spelling);
                    did_you_mean(text, visible.chain(keywords))
                });
                let guess = known.map(str::to_owned).or_else(|| similar_type(text));
                let diagnostic = grammar::unknown_type(text, guess.as_deref(), span);
                let keyword = guess.and_then(|guess| {
                    KEYWORDS.iter().find(|(spelling, _)| *spelling == guess).map(|found| found.1)
                });
                // Behind another error, or in `retrun f(x);`; but `(foo_t x, bar_t y)` are two.
                let follows = state.trouble.last_error.is_some_and(|last| position <= last + 2)
                    || state.trouble.said && state.trouble.function_body.is_some();
                if !state.has_lost(name) && !follows {
                    state.emit(diagnostic);
                    // Said once: where it stands again, it is the same mistake.
                    state.lose(name);
                }
                (state.trouble.said, state.trouble.said_inside) = (true, true);
                state.trouble.last_error = Some(position);
                // `conts float x`: the type comes behind.
                let place = match expected {
                    Expected::Type => Place::Parameter,
                    Expected::MemberName => Place::Member,
                    _ => Place::Declaration,
                };
                let meant = keyword.and_then(|keyword| {
                    let qualifier = qualifier(input.state(), keyword, span);
                    qualifier.map(SpecifierKind::Qualifier).or_else(|| meant_specifier(keyword))
                });
                let is_meant = meant.is_some();
                specifiers.list.extend(meant.map(|kind| Specifier { kind, span }));
                while specifier(input, specifiers, place)? {}
                if !is_meant || !specifiers.has_type {
                    // What that word does to the type is not known.
                    forget_type(&mut specifiers.list, span);
                    specifiers.has_type = true;
                }
                return Ok(());
            }
            if specifiers.list.is_empty() && !is_function_definition(input) {
                return input.fail(expected);
            }
            implicit_int(input, specifiers);
            Ok(())
        }
        Some(TokenKind::Punctuator(Punctuator::Star | Punctuator::LeftParen))
            if !specifiers.list.is_empty() =>
        {
            implicit_int(input, specifiers);
            Ok(())
        }
        _ if specifiers.list.is_empty() => input.fail(expected),
        _ => input.fail(Expected::Type),
    }
}

impl State<'_> {
    /// Whether a declaration may begin at a token, rather than an expression.
    pub fn may_begin_declaration(&mut self, index: usize) -> bool {
        match self.tokens.get(index).map(|token| token.kind) {
            Some(TokenKind::Keyword(keyword)) => keyword.starts_specifier(),
            Some(TokenKind::Identifier(name)) => {
                self.trouble.function_body.is_none() || self.meaning(name).is_type()
            }
            _ => false,
        }
    }

    /// The misspelt keyword or type to which a failure at a token comes down: the first word of the
    /// statement, or the one in or in front of the parentheses before.
    pub fn misspelt_keyword(&mut self, position: usize) -> Option<Diagnostic> {
        let is_behind_paren = position.checked_sub(1).is_some_and(|before| {
            let kind = self.tokens[before].kind;
            kind.is(Punctuator::LeftParen) || kind.is(Punctuator::RightParen)
        });
        let word =
            [Some(self.trouble.item_start), position.checked_sub(2).filter(|_| is_behind_paren)]
                .into_iter()
                .flatten()
                .filter(|&index| index < position)
                .find_map(|index| {
                    let token = self.tokens[index];
                    let TokenKind::Identifier(name) = token.kind else { return None };
                    let text = self.interner.resolve(name);
                    let is_declared = self.names.is_declared(name)
                        || predeclared::meaning(text).is_type()
                        || clc_builtins::is_builtin(text);
                    let candidates = KEYWORDS.iter().map(|&(spelling, _)| spelling);
                    let guess = did_you_mean(text, candidates.filter(|word| word.len() > 2))?;
                    (!is_declared && text.len() > 2).then_some((text, guess, token.span))
                });
        let (text, guess, span) = word?;
        Some(grammar::misspelt_keyword(text, guess, span))
    }
}

/// What a misspelt keyword in front of a type says.
fn meant_specifier(keyword: Keyword) -> Option<SpecifierKind> {
    Some(match keyword {
        Keyword::Kernel => SpecifierKind::Function(FunctionSpecifier::Kernel),
        Keyword::Inline => SpecifierKind::Function(FunctionSpecifier::Inline),
        Keyword::Static => SpecifierKind::Storage(StorageSpecifier::Static),
        Keyword::Extern => SpecifierKind::Storage(StorageSpecifier::Extern),
        _ => return None,
    })
}

/// Whether a name with parentheses and a body comes next.
fn is_function_definition(input: &mut Input<'_, '_>) -> bool {
    let position = input.position();
    let state = input.state();
    let tokens = state.tokens;
    let is =
        |index: usize, punctuator| tokens.get(index).is_some_and(|token| token.kind.is(punctuator));
    is(position + 1, Punctuator::LeftParen)
        && state.partner(position + 1).is_some_and(|partner| is(partner + 1, Punctuator::LeftBrace))
}

fn implicit_int(input: &mut Input<'_, '_>, specifiers: &mut Specifiers) {
    let span = input.here();
    let is_kernel = specifiers.list.iter().any(|specifier| {
        matches!(specifier.kind, SpecifierKind::Function(FunctionSpecifier::Kernel))
    });
    let name = match input.kind() {
        Some(TokenKind::Identifier(name)) => Some(input.state().interner.resolve(name).to_owned()),
        _ => None,
    };
    let position = input.position();
    let state = input.state();
    if !state.follows(position) {
        state.emit(grammar::implicit_int(name.as_deref(), is_kernel, span));
        state.trouble.said = true;
    }
    // Kernels return `void`; of everything else the type is not known.
    let kind = SpecifierKind::Type(match is_kernel {
        true => TypeSpecifier::Void,
        false => TypeSpecifier::Error,
    });
    specifiers.list.push(Specifier { kind, span: span.start() });
    specifiers.has_type = true;
}

/// `f(a, b) int a; int b; { … }`: reports it, and makes parameters of the names. `None` if the
/// names rather are unknown types of a prototype.
#[cold]
pub(in crate::parse) fn old_style_parameters(input: &mut Input<'_, '_>) -> Option<Vec<Parameter>> {
    let first = input.position();
    let tokens = input.state().tokens;
    let mut names = Vec::new();
    let mut index = first;
    loop {
        let token = tokens.get(index)?;
        let TokenKind::Identifier(name) = token.kind else { return None };
        names.push((name, token.span));
        match tokens.get(index + 1)?.kind {
            TokenKind::Punctuator(Punctuator::Comma) => index += 2,
            TokenKind::Punctuator(Punctuator::RightParen) => break,
            _ => return None,
        }
    }
    // The declarations of the parameters, if any, end at the body.
    let behind = index + 2;
    let body = match tokens.get(behind)?.kind {
        TokenKind::Punctuator(Punctuator::LeftBrace) => behind,
        TokenKind::Keyword(keyword) if keyword.starts_specifier() => {
            behind + tokens[behind..].iter().position(|t| t.kind.is(Punctuator::LeftBrace))?
        }
        TokenKind::Identifier(name) if input.state().meaning(name).is_type() => {
            behind + tokens[behind..].iter().position(|t| t.kind.is(Punctuator::LeftBrace))?
        }
        _ => return None,
    };
    let span = tokens[first].span.to(tokens[index].span);
    input.state().emit(grammar::old_style_function(span));
    input.state().trouble.old_style_body = Some(body);
    while input.position() <= index && input.next().is_some() {}
    Some(
        names
            .into_iter()
            .map(|(name, span)| Parameter {
                specifiers: vec![Specifier { kind: SpecifierKind::Type(TypeSpecifier::Int), span }],
                declarator: Declarator { name: Some((name, span)), derived: Vec::new(), span },
                attributes: Vec::new(),
                span,
            })
            .collect(),
    )
}
