//! Expressions (C99 6.5; OpenCL C 6.4).

use chumsky::prelude::*;
use clc_base::{Interner, Span, Symbol};

use super::declarator::{Naming, declarator, parameter_type_list};
use super::failure::Expected;
use super::initializer::{initializer_list, member_path};
use super::input::{BRACKETS, Cursor, Input, PARENS, Parsed, Prefix, delimited, list, nested};
use super::names::Meaning;
use super::specifier::{Place, Specifiers, declaration_specifiers, starts_type_name, type_name};
use super::statement::compound_statement;
use crate::ast::{
    BinaryOp, BlockLiteral, Derived, ExprId, ExprKind, SpecifierKind, TypeName, TypeSpecifier,
    UnaryOp,
};
use crate::diagnostics::grammar;
use crate::token::{Keyword, Punctuator, TokenKind};

/// C99 6.5.17: `assignment-expression (, assignment-expression)*`
pub(super) fn expression(input: &mut Input<'_, '_>) -> Parsed<ExprId> {
    let first = assignment_expression(input)?;
    if !input.at(Punctuator::Comma) {
        return Ok(first);
    }
    let start = input.expr_span(first);
    let mut items = vec![first];
    while input.eat(Punctuator::Comma).is_some() {
        items.push(assignment_expression(input)?);
    }
    let span = input.since(start);
    Ok(input.expr(ExprKind::Comma(items.into()), span))
}

/// C99 6.5.16, right-associative. Whether the target can be assigned to is decided later.
pub(super) fn assignment_expression(input: &mut Input<'_, '_>) -> Parsed<ExprId> {
    let mut value = conditional_expression(input)?;
    let Some(mut op) = assignment_operator(input) else { return Ok(value) };
    let mut pending = Vec::new();
    loop {
        input.check_chain(pending.len())?;
        let op_span = input.here();
        input.skip();
        pending.push((value, op, op_span));
        value = conditional_expression(input)?;
        match assignment_operator(input) {
            Some(next) => op = next,
            None => break,
        }
    }
    for (target, op, op_span) in pending.into_iter().rev() {
        let span = input.expr_span(target).to(input.expr_span(value));
        value = input.expr(ExprKind::Assign { op, op_span, target, value }, span);
    }
    Ok(value)
}

/// `=` is `Some(None)`.
#[inline]
fn assignment_operator(input: &mut Input<'_, '_>) -> Option<Option<BinaryOp>> {
    let Some(TokenKind::Punctuator(punctuator)) = input.kind() else { return None };
    Some(match punctuator {
        Punctuator::Equal => None,
        Punctuator::StarEqual => Some(BinaryOp::Mul),
        Punctuator::SlashEqual => Some(BinaryOp::Div),
        Punctuator::PercentEqual => Some(BinaryOp::Rem),
        Punctuator::PlusEqual => Some(BinaryOp::Add),
        Punctuator::MinusEqual => Some(BinaryOp::Sub),
        Punctuator::ShiftLeftEqual => Some(BinaryOp::Shl),
        Punctuator::ShiftRightEqual => Some(BinaryOp::Shr),
        Punctuator::AmpersandEqual => Some(BinaryOp::BitAnd),
        Punctuator::CaretEqual => Some(BinaryOp::BitXor),
        Punctuator::BarEqual => Some(BinaryOp::BitOr),
        _ => return None,
    })
}

/// C99 6.5.15, right-associative; GNU leaves the middle out.
pub(super) fn conditional_expression(input: &mut Input<'_, '_>) -> Parsed<ExprId> {
    let mut otherwise = binary_expression(input)?;
    if !input.at(Punctuator::Question) {
        return Ok(otherwise);
    }
    let mut pending = Vec::new();
    while input.eat(Punctuator::Question).is_some() {
        input.check_chain(pending.len())?;
        let condition = otherwise;
        let then = match input.at(Punctuator::Colon) {
            true => None,
            false => Some(nested(input, expression)?),
        };
        input.expect(Punctuator::Colon, Expected::ColonOfConditional)?;
        pending.push((condition, then));
        otherwise = binary_expression(input)?;
    }
    for (condition, then) in pending.into_iter().rev() {
        let span = input.expr_span(condition).to(input.expr_span(otherwise));
        otherwise = input.expr(ExprKind::Conditional { condition, then, otherwise }, span);
    }
    Ok(otherwise)
}

/// The binary operators of C99 6.5.5–6.5.14 with their precedence.
#[inline]
fn binary_operator(input: &mut Input<'_, '_>) -> Option<(BinaryOp, u8)> {
    let Some(TokenKind::Punctuator(punctuator)) = input.kind() else { return None };
    Some(match punctuator {
        Punctuator::Star => (BinaryOp::Mul, 10),
        Punctuator::Slash => (BinaryOp::Div, 10),
        Punctuator::Percent => (BinaryOp::Rem, 10),
        Punctuator::Plus => (BinaryOp::Add, 9),
        Punctuator::Minus => (BinaryOp::Sub, 9),
        Punctuator::ShiftLeft => (BinaryOp::Shl, 8),
        Punctuator::ShiftRight => (BinaryOp::Shr, 8),
        Punctuator::Less => (BinaryOp::Less, 7),
        Punctuator::Greater => (BinaryOp::Greater, 7),
        Punctuator::LessEqual => (BinaryOp::LessEqual, 7),
        Punctuator::GreaterEqual => (BinaryOp::GreaterEqual, 7),
        Punctuator::EqualEqual => (BinaryOp::Equal, 6),
        Punctuator::NotEqual => (BinaryOp::NotEqual, 6),
        Punctuator::Ampersand => (BinaryOp::BitAnd, 5),
        Punctuator::Caret => (BinaryOp::BitXor, 4),
        Punctuator::Bar => (BinaryOp::BitOr, 3),
        Punctuator::AndAnd => (BinaryOp::LogicalAnd, 2),
        Punctuator::OrOr => (BinaryOp::LogicalOr, 1),
        _ => return None,
    })
}

/// Number of precedence levels.
const LEVELS: usize = 10;

/// A left operand and its operator, waiting for the right one.
#[derive(Clone, Copy)]
struct Pending {
    left: ExprId,
    op: BinaryOp,
    op_span: Span,
    precedence: u8,
}

/// Operands and operators as a flat list, folded by precedence as it is read. What waits has
/// strictly rising precedence, so there is at most one entry for each level.
fn binary_expression(input: &mut Input<'_, '_>) -> Parsed<ExprId> {
    let mut right = cast_expression(input)?;
    let Some(mut next) = binary_operator(input) else { return Ok(right) };
    let nothing = Pending { left: right, op: BinaryOp::Mul, op_span: Span::NONE, precedence: 0 };
    let mut waiting = [nothing; LEVELS];
    let mut count = 0;
    loop {
        let (op, precedence) = next;
        while count > 0 && waiting[count - 1].precedence >= precedence {
            count -= 1;
            right = binary(input, waiting[count], right);
        }
        let op_span = input.here();
        input.skip();
        waiting[count] = Pending { left: right, op, op_span, precedence };
        count += 1;
        right = cast_expression(input)?;
        match binary_operator(input) {
            Some(operator) => next = operator,
            None => break,
        }
    }
    while count > 0 {
        count -= 1;
        right = binary(input, waiting[count], right);
    }
    Ok(right)
}

fn binary(input: &mut Input<'_, '_>, pending: Pending, right: ExprId) -> ExprId {
    let Pending { left, op, op_span, .. } = pending;
    let span = input.expr_span(left).to(input.expr_span(right));
    input.expr(ExprKind::Binary { op, op_span, left, right }, span)
}

/// C99 6.5.3, 6.5.4: prefix operators and casts, then what they apply to.
fn cast_expression(input: &mut Input<'_, '_>) -> Parsed<ExprId> {
    match input.kind() {
        Some(TokenKind::Identifier(_) | TokenKind::Integer(_) | TokenKind::Float(_)) => {
            postfix_expression(input)
        }
        Some(TokenKind::Punctuator(Punctuator::LeftParen)) if !starts_type_name(input, 1) => {
            postfix_expression(input)
        }
        _ => prefixed_expression(input),
    }
}

fn prefixed_expression(input: &mut Input<'_, '_>) -> Parsed<ExprId> {
    let base = input.state().prefixes.len();
    let result = operand_of_prefixes(input, base);
    let mut operand = match result {
        Ok(operand) => operand,
        Err(error) => {
            input.state().prefixes.truncate(base);
            return Err(error);
        }
    };
    while input.state().prefixes.len() > base {
        let Some((prefix, start)) = input.state().prefixes.pop() else { break };
        let span = start.to(input.expr_span(operand));
        let kind = match prefix {
            Prefix::Unary(op) => ExprKind::Unary { op, operand },
            Prefix::Cast(ty) => ExprKind::Cast { ty, operand },
            Prefix::Sizeof => ExprKind::SizeofExpr(operand),
            Prefix::Alignof => ExprKind::AlignofExpr(operand),
            Prefix::VecStep => ExprKind::VecStepExpr(operand),
        };
        operand = input.expr(kind, span);
    }
    Ok(operand)
}

/// Pushes prefix operators as long as they come; returns the operand of the last.
fn operand_of_prefixes(input: &mut Input<'_, '_>, base: usize) -> Parsed<ExprId> {
    loop {
        let start = input.here();
        let count = input.state().prefixes.len() - base;
        input.check_chain(count)?;
        let prefix = match input.kind() {
            Some(TokenKind::Punctuator(punctuator)) => match punctuator {
                Punctuator::PlusPlus => Prefix::Unary(UnaryOp::PreIncrement),
                Punctuator::MinusMinus => Prefix::Unary(UnaryOp::PreDecrement),
                Punctuator::Ampersand => Prefix::Unary(UnaryOp::AddressOf),
                Punctuator::Star => Prefix::Unary(UnaryOp::Dereference),
                Punctuator::Plus => Prefix::Unary(UnaryOp::Plus),
                Punctuator::Minus => Prefix::Unary(UnaryOp::Minus),
                Punctuator::Tilde => Prefix::Unary(UnaryOp::BitNot),
                Punctuator::Exclamation => Prefix::Unary(UnaryOp::LogicalNot),
                Punctuator::LeftParen if starts_type_name(input, 1) => {
                    match cast_or_literal(input, start)? {
                        Ok(prefix) => {
                            input.state().prefixes.push((prefix, start));
                            continue;
                        }
                        Err(literal) => return postfix_operators(input, literal),
                    }
                }
                _ => return postfix_expression(input),
            },
            Some(TokenKind::Keyword(keyword)) => match keyword {
                Keyword::Sizeof => Prefix::Sizeof,
                Keyword::Alignof => Prefix::Alignof,
                Keyword::VecStep => Prefix::VecStep,
                Keyword::Extension => {
                    input.skip();
                    continue;
                }
                _ => return postfix_expression(input),
            },
            _ => return postfix_expression(input),
        };
        input.skip();
        if !matches!(prefix, Prefix::Unary(_) | Prefix::Cast(_))
            && input.at(Punctuator::LeftParen)
            && starts_type_name(input, 1)
        {
            let (ty, _) = delimited(input, PARENS, Expected::Paren, type_name)?;
            if !input.at(Punctuator::LeftBrace) {
                let ty = Box::new(ty);
                let kind = match prefix {
                    Prefix::Alignof => ExprKind::AlignofType(ty),
                    Prefix::VecStep => ExprKind::VecStepType(ty),
                    Prefix::Sizeof | Prefix::Unary(_) | Prefix::Cast(_) => ExprKind::SizeofType(ty),
                };
                let span = input.since(start);
                return Ok(input.expr(kind, span));
            }
            input.state().prefixes.push((prefix, start));
            let literal = compound_literal(input, ty, start)?;
            return postfix_operators(input, literal);
        }
        input.state().prefixes.push((prefix, start));
    }
}

/// `( type-name )` and what it begins: a cast, still without its operand, or a whole literal.
fn cast_or_literal(input: &mut Input<'_, '_>, start: Span) -> Parsed<Result<Prefix, ExprId>> {
    let (ty, is_vector) = delimited(input, PARENS, Expected::Paren, type_name)?;
    if input.at(Punctuator::LeftBrace) {
        return compound_literal(input, ty, start).map(Err);
    }
    // A vector literal is a primary expression: in `(float4)(a, b, c, d).x` the member is the
    // literal's. With any other type C99 decides: `(float)(v).x` casts `(v).x`.
    if is_vector
        && input.at(Punctuator::LeftParen)
        && !input.at_ahead(1, Punctuator::LeftBrace)
        && !starts_type_name(input, 1)
    {
        let operand = parenthesized(input)?;
        let span = input.since(start);
        return Ok(Err(input.expr(ExprKind::Cast { ty: Box::new(ty), operand }, span)));
    }
    Ok(Ok(Prefix::Cast(Box::new(ty))))
}

/// C99 6.5.2.5, behind the type.
fn compound_literal(input: &mut Input<'_, '_>, ty: TypeName, start: Span) -> Parsed<ExprId> {
    let initializer = Box::new(nested(input, initializer_list)?);
    let span = input.since(start);
    Ok(input.expr(ExprKind::CompoundLiteral { ty: Box::new(ty), initializer }, span))
}

/// `( expression )`
fn parenthesized(input: &mut Input<'_, '_>) -> Parsed<ExprId> {
    let start = input.here();
    let inner = delimited(input, PARENS, Expected::Paren, expression)?;
    let span = input.since(start);
    Ok(input.expr(ExprKind::Paren(inner), span))
}

/// C99 6.5.2.
fn postfix_expression(input: &mut Input<'_, '_>) -> Parsed<ExprId> {
    let primary = primary_expression(input)?;
    postfix_operators(input, primary)
}

fn postfix_operators(input: &mut Input<'_, '_>, mut base: ExprId) -> Parsed<ExprId> {
    let mut length = 0;
    loop {
        let Some(TokenKind::Punctuator(punctuator)) = input.kind() else { return Ok(base) };
        let kind = match punctuator {
            Punctuator::LeftBracket => {
                let index = delimited(input, BRACKETS, Expected::Brace, expression)?;
                ExprKind::Index { base, index }
            }
            Punctuator::LeftParen => {
                let arguments = delimited(input, PARENS, Expected::Paren, argument_list)?;
                ExprKind::Call { callee: base, arguments: arguments.into() }
            }
            Punctuator::Dot | Punctuator::Arrow => {
                input.skip();
                let (name, name_span) = input.expect_name(Expected::MemberName)?;
                ExprKind::Member { base, name, name_span, arrow: punctuator == Punctuator::Arrow }
            }
            Punctuator::PlusPlus => {
                input.skip();
                ExprKind::Unary { op: UnaryOp::PostIncrement, operand: base }
            }
            Punctuator::MinusMinus => {
                input.skip();
                ExprKind::Unary { op: UnaryOp::PostDecrement, operand: base }
            }
            _ => return Ok(base),
        };
        length += 1;
        input.check_chain(length)?;
        let start = input.expr_span(base);
        let span = input.since(start);
        base = input.expr(kind, span);
    }
}

fn argument_list(input: &mut Input<'_, '_>) -> Parsed<Vec<ExprId>> {
    match input.at(Punctuator::RightParen) {
        true => Ok(Vec::new()),
        false => input.parse(list(custom(assignment_expression))),
    }
}

/// C99 6.5.1, statement expressions and blocks.
fn primary_expression(input: &mut Input<'_, '_>) -> Parsed<ExprId> {
    let Some(token) = input.peek() else { return input.fail(Expected::Expression) };
    let span = token.span;
    let kind = match token.kind {
        TokenKind::Identifier(name) => match input.state().meaning(name) {
            Meaning::Ordinary | Meaning::Unresolved => ExprKind::Identifier(name),
            Meaning::Type | Meaning::Vector => return type_in_expression(input),
            Meaning::Conversion => return builtin_conversion(input),
        },
        TokenKind::Integer(symbol) => ExprKind::Integer(symbol),
        TokenKind::Float(symbol) => ExprKind::Float(symbol),
        TokenKind::Char(symbol) => ExprKind::Char(symbol),
        TokenKind::String(_) => return string_literal(input),
        TokenKind::Punctuator(Punctuator::LeftParen) => {
            if input.at_ahead(1, Punctuator::LeftBrace) {
                let body = delimited(input, PARENS, Expected::Paren, compound_statement)?;
                let span = input.since(span);
                return Ok(input.expr(ExprKind::Statement(body), span));
            }
            return parenthesized(input);
        }
        TokenKind::Punctuator(Punctuator::Caret) => return block_literal(input),
        TokenKind::Keyword(Keyword::BuiltinOffsetof) => return offsetof(input),
        TokenKind::Keyword(_) if starts_type_name(input, 0) => return type_in_expression(input),
        TokenKind::Keyword(_) | TokenKind::Punctuator(_) | TokenKind::Pragma(_) => {
            return input.fail(Expected::Expression);
        }
    };
    input.skip();
    Ok(input.expr(kind, span))
}

fn string_literal(input: &mut Input<'_, '_>) -> Parsed<ExprId> {
    let start = input.here();
    let parts = string_literals(input);
    let span = input.since(start);
    Ok(input.expr(ExprKind::String(parts), span))
}

/// Adjacent string literals, which are one after their escape sequences have been replaced (C99
/// 5.1.1.2, phases 5 and 6).
pub(super) fn string_literals(input: &mut Input<'_, '_>) -> Box<[Symbol]> {
    let mut parts = Vec::new();
    while let Some(TokenKind::String(symbol)) = input.kind() {
        input.skip();
        parts.push(symbol);
    }
    parts.into_boxed_slice()
}

/// `float4(…)` as in C++, or a type where a value must stand.
#[cold]
fn type_in_expression(input: &mut Input<'_, '_>) -> Parsed<ExprId> {
    let Some(token) = input.peek() else { return input.fail(Expected::Expression) };
    let words = super::failure::describe(Some(token), input.state().interner);
    let is_call = input.at_ahead(1, Punctuator::LeftParen);
    input.fail_with(grammar::type_in_expression(&words, is_call, token.span))
}

/// `__builtin_astype ( e , T )`, which headers make of `as_T`, is `as_T(e)`;
/// `__builtin_convertvector ( e , T )` is `convert_T(e)`.
#[cold]
fn builtin_conversion(input: &mut Input<'_, '_>) -> Parsed<ExprId> {
    let start = input.here();
    let (name, _) = input.expect_name(Expected::Expression)?;
    let (operand, ty) = delimited(input, PARENS, Expected::Paren, |input| {
        let operand = assignment_expression(input)?;
        input.expect(Punctuator::Comma, Expected::Comma)?;
        Ok((operand, type_name(input)?.0))
    })?;
    let span = input.since(start);
    let interner = &mut input.state().interner;
    let prefix = match interner.resolve(name) {
        "__builtin_astype" => "as_",
        _ => "convert_",
    };
    let function = ty.plain_name(interner).map(|ty| interner.intern(&format!("{prefix}{ty}")));
    let Some(function) = function else {
        input.state().emit(grammar::expected(
            "the name of a scalar or vector type",
            "another",
            ty.span,
        ));
        return Ok(input.expr(ExprKind::Error, span));
    };
    let callee = input.expr(ExprKind::Identifier(function), start);
    Ok(input.expr(ExprKind::Call { callee, arguments: Box::new([operand]) }, span))
}

impl TypeName {
    /// `uint4` or `float`: one word that names a type, and nothing else but qualifiers.
    fn plain_name(&self, interner: &Interner) -> Option<String> {
        if !self.declarator.derived.is_empty() {
            return None;
        }
        let mut name = None;
        for specifier in &self.specifiers {
            let word = match &specifier.kind {
                SpecifierKind::Qualifier(_) => continue,
                SpecifierKind::Type(TypeSpecifier::Name(symbol)) => interner.resolve(*symbol),
                SpecifierKind::Type(TypeSpecifier::Char) => "char",
                SpecifierKind::Type(TypeSpecifier::Short) => "short",
                SpecifierKind::Type(TypeSpecifier::Int) => "int",
                SpecifierKind::Type(TypeSpecifier::Long) => "long",
                SpecifierKind::Type(TypeSpecifier::Half) => "half",
                SpecifierKind::Type(TypeSpecifier::Float) => "float",
                SpecifierKind::Type(TypeSpecifier::Double) => "double",
                _ => return None,
            };
            if name.replace(word.to_owned()).is_some() {
                return None;
            }
        }
        name
    }
}

/// `^ ( parameters )? { … }` or `^ type { … }` (OpenCL C 6.14): the declarator's own parameters, if
/// it has some, are the block's.
fn block_literal(input: &mut Input<'_, '_>) -> Parsed<ExprId> {
    let start = input.here();
    input.skip();
    let scope = input.state().names.mark();
    let mut ty = None;
    let mut parameters = Vec::new();
    let mut variadic = false;
    if input.at(Punctuator::LeftParen) {
        (parameters, variadic) = delimited(input, PARENS, Expected::Paren, |input| {
            parameter_type_list(input, Naming::Optional)
        })?;
    } else if !input.at(Punctuator::LeftBrace) {
        let type_start = input.here();
        let mut specifiers = Specifiers::new();
        declaration_specifiers(input, &mut specifiers, Place::TypeName)?;
        if !specifiers.has_type {
            return input.fail(Expected::Type);
        }
        let mut declarator = declarator(input, Naming::Abstract, &mut Vec::new())?;
        if let Some(Derived::Function { .. }) = declarator.derived.first()
            && let Derived::Function { parameters: of_block, variadic: is_variadic, .. } =
                declarator.derived.remove(0)
        {
            parameters = of_block;
            variadic = is_variadic;
        }
        let span = input.since(type_start);
        ty = Some(TypeName { specifiers: specifiers.list, declarator, span });
    }
    for parameter in &parameters {
        if let Some((name, _)) = parameter.declarator.name {
            input.state().names.bind(name, Meaning::Ordinary);
        }
    }
    let body = nested(input, compound_statement)?;
    input.state().names.leave(scope);
    let span = input.since(start);
    let block = BlockLiteral { ty, parameters, variadic, body };
    Ok(input.expr(ExprKind::Block(Box::new(block)), span))
}

/// `__builtin_offsetof ( type-name , member-path )`
fn offsetof(input: &mut Input<'_, '_>) -> Parsed<ExprId> {
    let start = input.here();
    input.skip();
    let operands = delimited(input, PARENS, Expected::Paren, |input| {
        let (ty, _) = type_name(input)?;
        input.expect(Punctuator::Comma, Expected::Comma)?;
        Ok((ty, member_path(input)?))
    })?;
    let span = input.since(start);
    Ok(input.expr(ExprKind::Offsetof(Box::new(operands)), span))
}
