//! Statements (C99 6.8).

use chumsky::error::EmptyErr;
use chumsky::prelude::*;
use clc_base::{Span, Symbol};

use super::attribute::{asm, attributes};
use super::combinators::{
    Build, Parse, Required, braces, identifier, keyword, name, nested, parens, pragma, punctuator,
    rule, scoped, semicolon, token,
};
use super::declaration::{block_declaration, static_assert};
use super::errors::failure::{Expected, Failure};
use super::errors::mistakes::declares_pointer;
use super::errors::recovery::{self, Level, broken_item, recovering, stray};
use super::expression::{conditional_expression, expression};
use super::input::{Cursor, Extras, Input, State};
use super::specifier::type_start;
use crate::ast::{Attribute, ExprId, ExprKind, Specifier, StmtId, StmtKind};
use crate::diagnostics::grammar;
use crate::token::{Keyword, Punctuator, Token, TokenKind};

/// `{ block-item* }`, a scope.
pub(super) fn compound_statement<'t>() -> impl Parse<'t, StmtId> {
    rule!(scoped(braces(block_item_list())).map_with(|items, e| e.stmt(StmtKind::Compound(items))))
}

/// What is left of a body that has lost its `{`.
pub(super) fn unopened_compound_statement<'t>() -> impl Parse<'t, StmtId> {
    let close = punctuator(Punctuator::RightBrace);
    let body = block_item_list().then_ignore(close);
    rule!(
        punctuator(Punctuator::LeftBrace)
            .not()
            .ignore_then(scoped(body))
            .map_with(|items, e| e.stmt(StmtKind::Compound(items)))
    )
}

/// Block items up to the closing brace. A broken one does not spoil its neighbours.
fn block_item_list<'t>() -> impl Parse<'t, Vec<StmtId>> {
    rule!({
        let broken = broken_item(Level::Block).map_with(|broken, e| {
            let declaration = broken.remember(e.state());
            e.stmt(declaration.map_or(StmtKind::Error, StmtKind::Declaration))
        });
        let is_leaf = |&item: &StmtId, state: &State<'_>| !state.ast.stmts[item].kind.has_body();
        let item = recovery::item(block_item().recover_with(via_parser(broken)), is_leaf);
        end_of_block().not().ignore_then(item).repeated().collect()
    })
}

fn end_of_block<'t>() -> impl Parse<'t, ()> {
    choice((punctuator(Punctuator::RightBrace).ignored(), end()))
}

/// A declaration or a statement.
fn block_item<'t>() -> impl Parse<'t, StmtId> {
    rule!(item(|_, _| ()))
}

/// A declaration or a statement with the attributes in front of it; `declared` is told where a
/// declaration was.
fn item<'t>(declared: impl Fn(&mut Extras<'t, '_>, Span) + Copy) -> impl Parse<'t, StmtId> {
    let declaration = declaration_follows().ignore_then(block_declaration());
    extensions()
        .ignore_then(attributes())
        .then(choice((declaration.map(Ok), statement().map(Err))))
        .map_with(move |(leading, item), e| match item {
            Ok(None) => e.stmt(StmtKind::Error),
            Ok(Some(mut declaration)) => {
                declaration.span = e.place();
                let first = e.token_before(0).map_or(Span::NONE, |token| token.span);
                declared(e, first);
                declaration.specifiers.splice(0..0, leading.into_iter().map(Specifier::from));
                e.stmt(StmtKind::Declaration(declaration))
            }
            Err(statement) if leading.is_empty() => statement,
            Err(body) => e.stmt(StmtKind::Attributed { attributes: leading, body }),
        })
}

/// GNU `__extension__` in front of a declaration, and not of an expression.
fn extensions<'t>() -> impl Parse<'t, ()> {
    let some = keyword(Keyword::Extension).repeated().at_least(1);
    some.then_ignore(type_start().rewind()).or_not().ignored()
}

/// Looks whether a declaration comes next. `custom`: that depends on what names mean.
fn declaration_follows<'t>() -> impl Parse<'t, ()> {
    custom(|input: &mut Input<'t, '_>| {
        let follows = match input.kind() {
            Some(TokenKind::Identifier(name)) => match input.kind_at(1) {
                // A label may have the name of a type.
                Some(TokenKind::Punctuator(Punctuator::Colon)) => false,
                // `foo_t x`: an unknown type is worth a word of its own.
                Some(TokenKind::Identifier(_)) => true,
                // `conts int x`
                Some(TokenKind::Keyword(keyword)) if keyword.starts_specifier() => true,
                // `foo_t *x;`
                Some(TokenKind::Punctuator(Punctuator::Star)) => {
                    input.state().meaning(name).is_type() || declares_pointer(input, name)
                }
                _ => input.state().meaning(name).is_type(),
            },
            _ => input.starts_type(0),
        };
        if follows { Ok(()) } else { Err(EmptyErr::default()) }
    })
}

/// The body of a selection, iteration or switch: a scope of its own (C99 6.8.4, 6.8.5). Pragmas in
/// front of it make a block with it.
fn substatement<'t>() -> impl Parse<'t, StmtId> {
    rule!({
        let declared = |e: &mut Extras<'t, '_>, span| {
            let range = e.span();
            let state = e.state();
            if state.follows(range.start) {
                state.lose_names(range.start, range.end);
            } else {
                state.emit(grammar::declaration_as_body(span));
            }
        };
        let pragma = pragma().map_with(|(text, _), e| e.stmt(StmtKind::Pragma(text)));
        let with_pragmas =
            pragma.repeated().collect::<Vec<_>>().then(rule!(item(declared))).map_with(
                |(mut pragmas, body), e| match pragmas.is_empty() {
                    true => body,
                    false => {
                        pragmas.push(body);
                        e.stmt(StmtKind::Compound(pragmas))
                    }
                },
            );
        scoped(choice((
            compound_statement(),
            punctuator(Punctuator::LeftBrace).not().ignore_then(nested(with_pragmas)),
        )))
    })
}

/// A label.
enum Label {
    Name { name: Symbol, name_span: Span, attributes: Vec<Attribute> },
    Case { first: ExprId, last: Option<ExprId> },
    Default,
}

/// C99 6.8. All but the last alternative begin with a token of their own.
fn statement<'t>() -> impl Parse<'t, StmtId> {
    rule!({
        let null = punctuator(Punctuator::Semicolon).map(|_| StmtKind::Null);
        let pragma = pragma().map(|(text, _)| StmtKind::Pragma(text));
        let of_one_node = choice((
            null,
            return_statement(),
            for_statement(),
            jump_statement(),
            switch_statement(),
            while_statement(),
            do_statement(),
            goto_statement(),
            pragma,
            static_assert().map(StmtKind::StaticAssert),
            asm().then_ignore(semicolon(Expected::SemicolonAfterJump)).map(|()| StmtKind::Null),
        ))
        .map_with(|kind, e| e.stmt(kind));
        choice((
            choice((
                labeled_statement().at(identifier().then(punctuator(Punctuator::Colon))),
                expression_statement(),
            ))
            .at(identifier()),
            if_statement(),
            compound_statement(),
            of_one_node,
            labeled_statement().at(choice((keyword(Keyword::Case), keyword(Keyword::Default)))),
            else_without_if(),
            identifier().not().ignore_then(expression_statement()),
        ))
    })
}

/// C99 6.8.1: a statement with all its labels.
fn labeled_statement<'t>() -> impl Parse<'t, StmtId> {
    rule!({
        let labels = label().repeated().at_least(1).collect::<Vec<_>>();
        labels.then(labeled_body()).try_map_with(|(labels, body), e| {
            let Some(&(_, last)) = labels.last() else { return Ok(body) };
            e.check_chain(labels.len(), last)?;
            let end = e.place();
            Ok(labels.into_iter().rev().fold(body, |body, (label, start)| {
                let kind = match label {
                    Label::Name { name, name_span, attributes } => {
                        StmtKind::Label { name, name_span, attributes, body }
                    }
                    Label::Case { first, last } => StmtKind::Case { first, last, body },
                    Label::Default => StmtKind::Default { body },
                };
                e.stmt_at(kind, start.to(end.end()))
            }))
        })
    })
}

/// A label and where it stands.
fn label<'t>() -> impl Parse<'t, (Label, Span)> {
    let colon = punctuator(Punctuator::Colon);
    let last = punctuator(Punctuator::Ellipsis).ignore_then(conditional_expression());
    let case = keyword(Keyword::Case)
        .ignore_then(conditional_expression())
        .then(last.or_not())
        .then_ignore(colon.required(Expected::ColonOfCase))
        .map(|(first, last)| Label::Case { first, last });
    let default = keyword(Keyword::Default)
        .then_ignore(colon.required(Expected::ColonOfDefault))
        .map(|_| Label::Default);
    // `L: __attribute__((unused)) int x;` is read as the label's attributes, as GNU C does.
    let name = identifier()
        .then_ignore(colon)
        .then(attributes())
        .map(|((name, name_span), attributes)| Label::Name { name, name_span, attributes });
    choice((name, case, default)).map_with(|label, e| (label, e.place()))
}

/// What stands behind labels. C23 allows a declaration or nothing there, and so do drivers.
fn labeled_body<'t>() -> impl Parse<'t, StmtId> {
    rule!({
        let nothing = punctuator(Punctuator::RightBrace).rewind().map_with(|_, e| {
            let behind = e.token_before(1).map_or(Span::NONE, |token| token.span);
            e.report(grammar::label_without_statement(behind));
            e.stmt_at(StmtKind::Null, behind.end())
        });
        let declared =
            |e: &mut Extras<'t, '_>, span| e.report(grammar::label_before_declaration(span));
        let pragma = pragma().map_with(|(text, _), e| e.stmt(StmtKind::Pragma(text)));
        let pragmas = pragma
            .repeated()
            .at_least(1)
            .collect::<Vec<_>>()
            .then(nested(block_item()).unless(end_of_block()))
            .map_with(|(mut items, body), e| {
                items.extend(body);
                e.stmt(StmtKind::Compound(items))
            });
        choice((nothing, pragmas, nested(item(declared))))
    })
}

/// `else` where no `if` ended; its body is kept.
fn else_without_if<'t>() -> impl Parse<'t, StmtId> {
    let head = keyword(Keyword::Else).map_with(|span, e| {
        let is_brace = |token: Token| token.kind.is(Punctuator::RightBrace);
        let behind_brace = e.token_before(2).is_some_and(is_brace);
        let semicolon = e
            .token_before(1)
            .filter(|token| behind_brace && token.kind.is(Punctuator::Semicolon))
            .map(|token| token.span);
        // The `if` may be among what did not parse just before.
        let position = e.span().start;
        if e.state().trouble.broken_end != Some(position) {
            e.report(grammar::else_without_if(span, semicolon));
        }
    });
    head.then(substatement()).map(|((), body)| body)
}

/// C99 6.8.3: `expression ;`. Where not even its first token comes, that is the want of a statement.
/// `custom`: it changes what was noted.
fn expression_statement<'t>() -> impl Parse<'t, StmtId> {
    let nothing = custom(|input: &mut Input<'t, '_>| {
        let position = input.position();
        Failure::rename(&mut input.state().failure, position, Expected::Statement);
        Err(EmptyErr::default())
    });
    choice((expression(), nothing))
        .then_ignore(semicolon(Expected::SemicolonAfterExpression))
        .map_with(|expr, e| e.stmt(StmtKind::Expr(expr)))
}

/// `( expression )`; an error inside does not spoil what follows.
fn condition<'t>() -> impl Parse<'t, ExprId> {
    rule!({
        let group = parens(expression());
        let group = recovering(Punctuator::LeftParen, group, |e| e.expr(ExprKind::Error));
        choice((group, stray(Expected::ConditionParen).ignore_then(group)))
    })
}

/// C99 6.8.4.1: `if ( expression ) statement (else statement)?`, a whole chain of `else if` at once.
fn if_statement<'t>() -> impl Parse<'t, StmtId> {
    rule!({
        let branch = keyword(Keyword::If).then(condition()).then(substatement());
        let otherwise = keyword(Keyword::Else)
            .then_ignore(keyword(Keyword::If).not())
            .ignore_then(substatement());
        let chain = branch.separated_by(keyword(Keyword::Else)).at_least(1).collect::<Vec<_>>();
        // An `else` that is left belongs to a branch that failed.
        let all = chain.then(otherwise.or_not()).then_ignore(keyword(Keyword::Else).not());
        all.try_map_with(|(chain, last), e| {
            let Some(&((start, _), _)) = chain.last() else { return Err(EmptyErr::default()) };
            e.check_chain(chain.len(), start)?;
            let end = e.place().end();
            let chain = chain.into_iter().rev();
            let all = chain.fold(last, |otherwise, ((start, condition), then)| {
                Some(e.stmt_at(StmtKind::If { condition, then, otherwise }, start.to(end)))
            });
            all.ok_or_else(EmptyErr::default)
        })
    })
}

/// C99 6.8.4.2: `switch ( expression ) statement`
fn switch_statement<'t>() -> impl Parse<'t, StmtKind> {
    keyword(Keyword::Switch)
        .ignore_then(condition())
        .then(substatement())
        .map(|(condition, body)| StmtKind::Switch { condition, body })
}

/// C99 6.8.5.1: `while ( expression ) statement`
fn while_statement<'t>() -> impl Parse<'t, StmtKind> {
    keyword(Keyword::While)
        .ignore_then(condition())
        .then(substatement())
        .map(|(condition, body)| StmtKind::While { condition, body })
}

/// C99 6.8.5.2: `do statement while ( expression ) ;`
fn do_statement<'t>() -> impl Parse<'t, StmtKind> {
    keyword(Keyword::Do)
        .ignore_then(substatement())
        .then_ignore(keyword(Keyword::While).required(Expected::While))
        .then(condition())
        .then_ignore(semicolon(Expected::SemicolonAfterDo))
        .map(|(body, condition)| StmtKind::DoWhile { body, condition })
}

/// C99 6.8.5.3: `for ( init expression? ; expression? ) statement`. What `init` declares is visible
/// to the end.
fn for_statement<'t>() -> impl Parse<'t, StmtKind> {
    let semicolon = punctuator(Punctuator::Semicolon);
    let condition = expression().unless(semicolon);
    let step = expression().unless(punctuator(Punctuator::RightParen));
    let clauses = for_init()
        .then(condition)
        .then_ignore(semicolon.required(Expected::SemicolonInFor))
        .then(step)
        .map(|((initial, condition), step)| (initial, condition, step));
    let broken = |e: &mut Extras<'t, '_>| (e.stmt(StmtKind::Error), None, None);
    let head = recovering(Punctuator::LeftParen, parens(clauses), broken);
    let head = rule!(choice((head, stray(Expected::ForParen).ignore_then(head))));
    keyword(Keyword::For)
        .ignore_then(scoped(head.then(substatement())))
        .map(|((initial, condition, step), body)| StmtKind::For { initial, condition, step, body })
}

/// The first clause of `for`, with its `;`.
fn for_init<'t>() -> impl Parse<'t, StmtId> {
    rule!({
        let semicolon = punctuator(Punctuator::Semicolon);
        let declaration = extensions()
            .ignore_then(declaration_follows())
            .ignore_then(block_declaration())
            .map(|declaration| declaration.map_or(StmtKind::Error, StmtKind::Declaration));
        let value = expression()
            .then_ignore(semicolon.required(Expected::SemicolonInFor))
            .map(StmtKind::Expr);
        choice((semicolon.map(|_| StmtKind::Null), declaration, value))
            .map_with(|kind, e| e.stmt(kind))
    })
}

/// C99 6.8.6.1: `goto label ;`
fn goto_statement<'t>() -> impl Parse<'t, StmtKind> {
    keyword(Keyword::Goto)
        .ignore_then(name(Expected::LabelName))
        .then_ignore(semicolon(Expected::SemicolonAfterJump))
        .map(|(label, label_span)| StmtKind::Goto { label, label_span })
}

/// C99 6.8.6.2, 6.8.6.3: `continue ;`, `break ;`
fn jump_statement<'t>() -> impl Parse<'t, StmtKind> {
    choice((
        keyword(Keyword::Break).map(|_| StmtKind::Break),
        keyword(Keyword::Continue).map(|_| StmtKind::Continue),
    ))
    .then_ignore(semicolon(Expected::SemicolonAfterJump))
}

/// C99 6.8.6.4: `return expression? ;`
fn return_statement<'t>() -> impl Parse<'t, StmtKind> {
    // `return` and a statement on the next line is one with a forgotten `;`.
    let no_value = choice((token(ends_return).ignored(), end())).rewind();
    keyword(Keyword::Return)
        .ignore_then(expression().unless(no_value))
        .then_ignore(semicolon(Expected::SemicolonAfterReturn))
        .map(StmtKind::Return)
}

fn ends_return(kind: TokenKind) -> Option<()> {
    use Keyword as K;
    let ends = matches!(
        kind,
        TokenKind::Punctuator(Punctuator::Semicolon | Punctuator::RightBrace)
            | TokenKind::Keyword(
                K::If | K::Else | K::For | K::While | K::Do | K::Switch | K::Case | K::Default
            )
            | TokenKind::Keyword(K::Return | K::Break | K::Continue | K::Goto)
    );
    ends.then_some(())
}
