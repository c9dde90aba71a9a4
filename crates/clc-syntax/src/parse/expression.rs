//! Expressions (C99 6.5; OpenCL C 6.4).

use chumsky::error::EmptyErr;
use chumsky::prelude::*;
use chumsky::primitive::select;
use clc_base::{Span, Symbol};

use super::combinators::{
    Build, Parse, Required, behind_parens, brackets, keyword, name, nested, parens, punctuator,
    required_parens, rule, scoped, token,
};
use super::declarator::{Naming, bind_parameters, declarator, parameter_type_list};
use super::errors::failure::Expected;
use super::errors::mistakes::no_expression;
use super::errors::recovery::recovering;
use super::initializer::{initializer_list, member_path};
use super::input::{Extras, Parsed};
use super::names::Meaning;
use super::precedence::{Folding, binary_operator};
use super::specifier::{Place, specifiers_of_type, type_in_parens, type_name};
use super::statement::compound_statement;
use crate::ast::{
    BinaryOp, BlockLiteral, Derived, ExprId, ExprKind, GnuConversion, InitializerList,
    SizeOperator, TypeName, UnaryOp,
};
use crate::token::{Keyword, Punctuator, Token, TokenKind};

/// C99 6.5.17: `assignment-expression (, assignment-expression)*`
pub(super) fn expression<'t>() -> impl Parse<'t, ExprId> {
    rule!({
        let rest = punctuator(Punctuator::Comma).ignore_then(assignment_expression());
        assignment_expression().then(rest.many(punctuator(Punctuator::Comma))).map_with(
            |(first, mut rest), e| match rest.is_empty() {
                true => first,
                false => {
                    rest.insert(0, first);
                    e.expr(ExprKind::Comma(rest.into()))
                }
            },
        )
    })
}

/// C99 6.5.16, right-associative. Whether the target can be assigned to is decided later.
pub(super) fn assignment_expression<'t>() -> impl Parse<'t, ExprId> {
    rule!({
        let rest = assignment_operator().then(conditional_expression());
        conditional_expression().then(rest.many(assignment_operator())).try_map_with(
            |(first, mut rest), e| {
                let Some(((mut op, mut op_span), mut value)) = rest.pop() else { return Ok(first) };
                e.check_chain(rest.len() + 1, op_span)?;
                loop {
                    let before = rest.pop();
                    let target = before.as_ref().map_or(first, |&(_, target)| target);
                    let span = e.expr_span(target).to(e.expr_span(value));
                    value = e.expr_at(ExprKind::Assign { op, op_span, target, value }, span);
                    match before {
                        Some((operator, _)) => (op, op_span) = operator,
                        None => return Ok(value),
                    }
                }
            },
        )
    })
}

/// `=` has no binary operator.
fn assignment_operator<'t>() -> impl Parse<'t, (Option<BinaryOp>, Span)> {
    token(|kind| {
        let TokenKind::Punctuator(punctuator) = kind else { return None };
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
    })
}

/// C99 6.5.15, right-associative; GNU leaves the middle out.
pub(super) fn conditional_expression<'t>() -> impl Parse<'t, ExprId> {
    rule!({
        let colon = punctuator(Punctuator::Colon);
        let branch = punctuator(Punctuator::Question)
            .ignore_then(nested(expression()).unless(colon))
            .then_ignore(colon.required(Expected::ColonOfConditional))
            .then(binary_expression());
        binary_expression().then(branch.many(punctuator(Punctuator::Question))).try_map_with(
            |(first, mut branches), e| {
                let Some((mut then, mut otherwise)) = branches.pop() else { return Ok(first) };
                let last = e.expr_span(otherwise);
                e.check_chain(branches.len() + 1, last)?;
                loop {
                    let before = branches.pop();
                    let condition = before.map_or(first, |(_, condition)| condition);
                    let span = e.expr_span(condition).to(e.expr_span(otherwise));
                    otherwise =
                        e.expr_at(ExprKind::Conditional { condition, then, otherwise }, span);
                    match before {
                        Some((middle, _)) => then = middle,
                        None => return Ok(otherwise),
                    }
                }
            },
        )
    })
}

/// C99 6.5.5–6.5.14: operands and operators as a flat list, folded by precedence.
fn binary_expression<'t>() -> impl Parse<'t, ExprId> {
    rule!({
        let rest = token(binary_operator).then(cast_expression());
        cast_expression()
            .map_with(|first, e| Folding::new(e.state(), first))
            .foldl_with(rest.repeated(), |folding, (operator, operand), e| {
                folding.with(e.state(), operator, operand)
            })
            .map_with(|folding, e| folding.whole(e.state()))
    })
}

/// A prefix operator or cast, waiting for its operand.
enum Prefix {
    Unary(UnaryOp),
    Size(SizeOperator),
    /// `( type-name )`, and whether it certainly is a vector.
    Type(Box<TypeName>, bool),
    /// GNU `__extension__`, which changes nothing.
    Extension,
}

/// What postfix operators apply to.
enum Primary {
    Expr(ExprId),
    /// `( expression )`: of a vector literal, if a vector type in parentheses stands before it.
    Parens(ExprId),
    /// The braces of a compound literal, whose type stands before them.
    Braces(Box<InitializerList>),
}

/// C99 6.5.3, 6.5.4, 6.5.2: prefix operators and casts, a primary expression, postfix operators.
/// They are one list, for what `( type-name )` begins shows behind it: a cast, a compound literal,
/// or a vector literal, which binds as tightly as a primary expression (OpenCL C 6.4.1).
fn cast_expression<'t>() -> impl Parse<'t, ExprId> {
    rule!({
        let operand = choice((
            size_of_type().map(|expr| (Primary::Expr(expr), Vec::new())),
            primary_expression().then(postfix_operator().many(postfix_start())),
        ));
        prefix().many(prefix_start()).then(operand).try_map_with(
            |(mut prefixes, (primary, postfixes)), e| {
                let primary = match (primary, prefixes.pop()) {
                    (Primary::Braces(initializer), Some((Prefix::Type(ty, _), start))) => {
                        let span = start.to(initializer.span);
                        e.expr_at(ExprKind::CompoundLiteral { ty, initializer }, span)
                    }
                    // In `(float4)(a, b, c, d).x` the member is the literal's. With any other type C99
                    // decides: `(float)(v).x` casts `(v).x`.
                    (Primary::Parens(operand), Some((Prefix::Type(ty, true), start))) => {
                        let span = start.to(e.expr_span(operand));
                        e.expr_at(ExprKind::Cast { ty, operand }, span)
                    }
                    (Primary::Expr(expr) | Primary::Parens(expr), last) => {
                        prefixes.extend(last);
                        expr
                    }
                    (Primary::Braces(_), _) => return Err(EmptyErr::default()),
                };
                if let Some(&(_, span)) = prefixes.last() {
                    e.check_chain(prefixes.len(), span)?;
                }
                let operand = postfix(e, primary, postfixes)?;
                Ok(prefixes.into_iter().rev().fold(operand, |operand, (prefix, start)| {
                    let kind = match prefix {
                        Prefix::Unary(op) => ExprKind::Unary { op, operand },
                        Prefix::Size(size) => ExprKind::SizeOfExpr(size, operand),
                        Prefix::Type(ty, _) => ExprKind::Cast { ty, operand },
                        Prefix::Extension => return operand,
                    };
                    let span = start.to(e.expr_span(operand));
                    e.expr_at(kind, span)
                }))
            },
        )
    })
}

/// One prefix operator, or a type in parentheses, and where it begins.
fn prefix<'t>() -> impl Parse<'t, (Prefix, Span)> {
    let unary = token(|kind| {
        Some(match kind {
            TokenKind::Punctuator(Punctuator::PlusPlus) => Prefix::Unary(UnaryOp::PreIncrement),
            TokenKind::Punctuator(Punctuator::MinusMinus) => Prefix::Unary(UnaryOp::PreDecrement),
            TokenKind::Punctuator(Punctuator::Ampersand) => Prefix::Unary(UnaryOp::AddressOf),
            TokenKind::Punctuator(Punctuator::Star) => Prefix::Unary(UnaryOp::Dereference),
            TokenKind::Punctuator(Punctuator::Plus) => Prefix::Unary(UnaryOp::Plus),
            TokenKind::Punctuator(Punctuator::Minus) => Prefix::Unary(UnaryOp::Minus),
            TokenKind::Punctuator(Punctuator::Tilde) => Prefix::Unary(UnaryOp::BitNot),
            TokenKind::Punctuator(Punctuator::Exclamation) => Prefix::Unary(UnaryOp::LogicalNot),
            TokenKind::Keyword(Keyword::Extension) => Prefix::Extension,
            _ => return None,
        })
    });
    let size = size_operator()
        .then_ignore(type_in_parens().not())
        .map(|(size, span)| (Prefix::Size(size), span));
    let ty = type_in_parens()
        .ignore_then(parens(type_name()))
        .map_with(|(ty, is_vector), e| (Prefix::Type(Box::new(ty), is_vector), e.place()));
    choice((unary, size, ty))
}

/// What names and constants are not: a prefix operator, or what may be one.
fn prefix_start<'t>() -> impl Parse<'t, ()> {
    token(|kind| match kind {
        TokenKind::Punctuator(_) | TokenKind::Keyword(_) => Some(()),
        TokenKind::Identifier(_)
        | TokenKind::Integer(_)
        | TokenKind::Float(_)
        | TokenKind::Char(_)
        | TokenKind::String(_)
        | TokenKind::Pragma(_) => None,
    })
    .ignored()
}

fn size_operator<'t>() -> impl Parse<'t, (SizeOperator, Span)> {
    token(|kind| match kind {
        TokenKind::Keyword(Keyword::Sizeof) => Some(SizeOperator::Sizeof),
        TokenKind::Keyword(Keyword::Alignof) => Some(SizeOperator::Alignof),
        TokenKind::Keyword(Keyword::VecStep) => Some(SizeOperator::VecStep),
        _ => None,
    })
}

/// `sizeof ( type-name )` and its siblings, unless the type begins a compound literal.
fn size_of_type<'t>() -> impl Parse<'t, ExprId> {
    let literal = initializer_list().then(postfix_operator().many(postfix_start()));
    let ty = parens(type_name()).map_with(|(ty, _), e| (ty, e.place()));
    size_operator().then(ty).then(literal.or_not()).try_map_with(
        |(((size, start), (ty, ty_span)), literal), e| {
            let kind = match literal {
                None => ExprKind::SizeOfType(size, Box::new(ty)),
                Some((initializer, postfixes)) => {
                    let span = ty_span.to(initializer.span);
                    let (ty, initializer) = (Box::new(ty), Box::new(initializer));
                    let literal = e.expr_at(ExprKind::CompoundLiteral { ty, initializer }, span);
                    ExprKind::SizeOfExpr(size, postfix(e, literal, postfixes)?)
                }
            };
            let span = start.to(e.place());
            Ok(e.expr_at(kind, span))
        },
    )
}

enum Postfix {
    Index(ExprId),
    Call(Vec<ExprId>),
    Member {
        name: Symbol,
        name_span: Span,
        arrow: bool,
    },
    Unary(UnaryOp),
    /// Arguments or a subscript that did not parse.
    Broken,
}

/// C99 6.5.2, and where it ends.
fn postfix_operator<'t>() -> impl Parse<'t, (Postfix, Span)> {
    let member = token(|kind| match kind {
        TokenKind::Punctuator(Punctuator::Dot) => Some(false),
        TokenKind::Punctuator(Punctuator::Arrow) => Some(true),
        _ => None,
    });
    let unary = token(|kind| match kind {
        TokenKind::Punctuator(Punctuator::PlusPlus) => Some(UnaryOp::PostIncrement),
        TokenKind::Punctuator(Punctuator::MinusMinus) => Some(UnaryOp::PostDecrement),
        _ => None,
    });
    let subscript = brackets(expression()).map(Postfix::Index);
    let call = parens(argument_expression_list()).map(Postfix::Call);
    choice((
        recovering(Punctuator::LeftBracket, subscript, |_| Postfix::Broken),
        recovering(Punctuator::LeftParen, call, |_| Postfix::Broken),
        member
            .then(name(Expected::MemberName))
            .map(|((arrow, _), (name, name_span))| Postfix::Member { name, name_span, arrow }),
        unary.map(|(op, _)| Postfix::Unary(op)),
    ))
    .map_with(|operator, e| (operator, e.place()))
}

fn postfix_start<'t>() -> impl Parse<'t, ()> {
    token(|kind| match kind {
        TokenKind::Punctuator(
            Punctuator::LeftBracket
            | Punctuator::LeftParen
            | Punctuator::Dot
            | Punctuator::Arrow
            | Punctuator::PlusPlus
            | Punctuator::MinusMinus,
        ) => Some(()),
        _ => None,
    })
    .ignored()
}

fn postfix<'t>(
    e: &mut Extras<'t, '_>,
    primary: ExprId,
    operators: Vec<(Postfix, Span)>,
) -> Parsed<ExprId> {
    let Some(&(_, last)) = operators.last() else { return Ok(primary) };
    e.check_chain(operators.len(), last)?;
    let start = e.expr_span(primary);
    Ok(operators.into_iter().fold(primary, |base, (operator, end)| {
        let kind = match operator {
            Postfix::Index(index) => ExprKind::Index { base, index },
            Postfix::Call(arguments) => {
                ExprKind::Call { callee: base, arguments: arguments.into() }
            }
            Postfix::Member { name, name_span, arrow } => {
                ExprKind::Member { base, name, name_span, arrow }
            }
            Postfix::Unary(op) => ExprKind::Unary { op, operand: base },
            Postfix::Broken => ExprKind::Error,
        };
        e.expr_at(kind, start.to(end))
    }))
}

fn argument_expression_list<'t>() -> impl Parse<'t, Vec<ExprId>> {
    rule!({
        let end = punctuator(Punctuator::RightParen);
        assignment_expression().list().unless(end).map(Option::unwrap_or_default)
    })
}

/// C99 6.5.1, the braces of compound literals (6.5.2.5), statement expressions and blocks.
fn primary_expression<'t>() -> impl Parse<'t, Primary> {
    let name_or_constant = select(|token: Token, e: &mut Extras<'t, '_>| {
        let kind = match token.kind {
            TokenKind::Identifier(name) => match e.state().meaning(name) {
                Meaning::Ordinary | Meaning::Unresolved => ExprKind::Identifier(name),
                Meaning::Type | Meaning::Vector => return None,
            },
            TokenKind::Integer(symbol) => ExprKind::Integer(symbol),
            TokenKind::Float(symbol) => ExprKind::Float(symbol),
            TokenKind::Char(symbol) => ExprKind::Char(symbol),
            _ => return None,
        };
        Some(e.expr_at(kind, token.span))
    });
    let inner = parens(expression());
    let parenthesized = recovering(Punctuator::LeftParen, inner, |e| e.expr(ExprKind::Error))
        .map_with(|inner, e| Primary::Parens(e.expr(ExprKind::Paren(inner))));
    choice((
        name_or_constant.map(Primary::Expr),
        statement_expression().map(Primary::Expr),
        parenthesized,
        behind_parens()
            .ignore_then(nested(initializer_list()))
            .map(|list| Primary::Braces(Box::new(list))),
        string_literal().map(Primary::Expr),
        block_literal().map(Primary::Expr),
        offsetof().map(Primary::Expr),
        gnu_conversion().map(Primary::Expr),
        custom(no_expression),
    ))
}

/// GNU `( { … } )`
fn statement_expression<'t>() -> impl Parse<'t, ExprId> {
    punctuator(Punctuator::LeftParen)
        .then(punctuator(Punctuator::LeftBrace))
        .rewind()
        .ignore_then(rule!(parens(compound_statement())))
        .map_with(|body, e| e.expr(ExprKind::Statement(body)))
}

/// Adjacent string literals, which are one after their escape sequences have been replaced (C99
/// 5.1.1.2, phases 5 and 6).
pub(super) fn string_literals<'t>() -> impl Parse<'t, Box<[Symbol]>> {
    token(|kind| match kind {
        TokenKind::String(symbol) => Some(symbol),
        _ => None,
    })
    .map(|(symbol, _)| symbol)
    .repeated()
    .at_least(1)
    .collect::<Vec<_>>()
    .map(Vec::into_boxed_slice)
}

fn string_literal<'t>() -> impl Parse<'t, ExprId> {
    string_literals().map_with(|parts, e| e.expr(ExprKind::String(parts)))
}

/// `__builtin_astype ( e , T )` or `__builtin_convertvector ( e , T )`
fn gnu_conversion<'t>() -> impl Parse<'t, ExprId> {
    let name = choice((
        keyword(Keyword::BuiltinAstype).map(|span| (true, span)),
        keyword(Keyword::BuiltinConvertvector).map(|span| (false, span)),
    ));
    let comma = punctuator(Punctuator::Comma).required(Expected::Comma);
    let operands = assignment_expression().then_ignore(comma).then(type_name());
    name.then(rule!(required_parens(Expected::Paren, operands))).map_with(
        |((keeps_bits, name_span), (operand, (ty, _))), e| {
            let conversion = GnuConversion { keeps_bits, name_span, operand, ty };
            e.expr(ExprKind::GnuConversion(Box::new(conversion)))
        },
    )
}

/// `^ ( parameters )? { … }` or `^ type { … }` (OpenCL C 6.14): the declarator's own parameters, if
/// it has some, are the block's.
fn block_literal<'t>() -> impl Parse<'t, ExprId> {
    rule!({
        let only_parameters = parens(parameter_type_list(Naming::Optional))
            .map(|(parameters, variadic)| (None, parameters, variadic));
        let with_type = specifiers_of_type(Place::TypeName)
            .then(declarator(Naming::Abstract))
            .map_with(|(specifiers, (mut declarator, _)), e| {
                let (mut parameters, mut variadic) = (Vec::new(), false);
                if let Some(Derived::Function { .. }) = declarator.derived.first()
                    && let Derived::Function { parameters: of_block, variadic: is_variadic, .. } =
                        declarator.derived.remove(0)
                {
                    (parameters, variadic) = (of_block, is_variadic);
                }
                let ty = TypeName { specifiers: specifiers.list, declarator, span: e.place() };
                (Some(ty), parameters, variadic)
            });
        let head = choice((
            only_parameters,
            punctuator(Punctuator::LeftBrace).rewind().map(|_| (None, Vec::new(), false)),
            with_type,
        ))
        .map_with(|(ty, parameters, variadic), e| {
            bind_parameters(e.state(), &parameters);
            (ty, parameters, variadic)
        });
        let body = nested(compound_statement()).required(Expected::Brace);
        punctuator(Punctuator::Caret).ignore_then(scoped(head.then(body))).map_with(
            |((ty, parameters, variadic), body), e| {
                let block = BlockLiteral { ty, parameters, variadic, body };
                e.expr(ExprKind::Block(Box::new(block)))
            },
        )
    })
}

/// `__builtin_offsetof ( type-name , member-path )`
fn offsetof<'t>() -> impl Parse<'t, ExprId> {
    let comma = punctuator(Punctuator::Comma).required(Expected::Comma);
    let operands = type_name().map(|(ty, _)| ty).then_ignore(comma).then(member_path());
    keyword(Keyword::BuiltinOffsetof)
        .ignore_then(rule!(required_parens(Expected::Paren, operands)))
        .map_with(|operands, e| e.expr(ExprKind::Offsetof(Box::new(operands))))
}
