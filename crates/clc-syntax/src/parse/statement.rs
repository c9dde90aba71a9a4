//! Statements (C99 6.8).

use chumsky::prelude::*;
use clc_base::{Span, Symbol};

use super::attribute::{attributes, reject_asm};
use super::declaration::{at_declaration, block_declaration, static_assert};
use super::expression::{conditional_expression, expression};
use super::failure::{Expected, Failure};
use super::input::{
    Cursor, Input, PARENS, Parse, Parsed, Progress, close, delimited, keyword, nested, semicolon,
};
use super::recovery::{Level, bracketed_or, may_recover, recover};
use crate::ast::{Attribute, ExprId, ExprKind, StmtId, StmtKind};
use crate::diagnostics::grammar;
use crate::token::{Keyword, Punctuator, TokenKind};

/// `{ block-item* }`, a scope.
pub(super) fn compound_statement(input: &mut Input<'_, '_>) -> Parsed<StmtId> {
    let start = input.here();
    let opener = input.position();
    input.expect(Punctuator::LeftBrace, Expected::Brace)?;
    let scope = input.state().names.mark();
    let items = nested(input, block_item_list)?;
    input.state().names.leave(scope);
    close(input, Punctuator::RightBrace, opener)?;
    Ok(input.stmt(StmtKind::Compound(items), start))
}

/// Block items up to the closing brace. A broken one does not spoil its neighbours.
fn block_item_list(input: &mut Input<'_, '_>) -> Parsed<Vec<StmtId>> {
    let mut items = Vec::new();
    loop {
        match input.kind() {
            None | Some(TokenKind::Punctuator(Punctuator::RightBrace)) => return Ok(items),
            _ => {}
        }
        let place = input.save();
        let start = input.here();
        match block_item(input) {
            Ok(Some(item)) => items.push(item),
            Ok(None) => {}
            Err(error) => {
                if !may_recover(input) {
                    return Err(error);
                }
                recover(input, place, Level::Block);
                if input.state().progress != Progress::Running {
                    return Err(error);
                }
                items.push(input.stmt(StmtKind::Error, start));
            }
        }
    }
}

/// A declaration or a statement; nothing for a function that does not belong here.
fn block_item(input: &mut Input<'_, '_>) -> Parsed<Option<StmtId>> {
    let start = input.here();
    match begin(input)? {
        Begin::Declaration(leading) => {
            let Some(declaration) = block_declaration(input, leading, start)? else {
                return Ok(None);
            };
            Ok(Some(input.stmt(StmtKind::Declaration(declaration), start)))
        }
        Begin::Statement(leading) => {
            let statement = statement_here(input)?;
            Ok(Some(attributed(input, leading, statement, start)))
        }
    }
}

/// What begins here, and the attributes in front of it.
enum Begin {
    Declaration(Vec<Attribute>),
    Statement(Vec<Attribute>),
}

fn begin(input: &mut Input<'_, '_>) -> Parsed<Begin> {
    let mut leading = Vec::new();
    while input.at_keyword(Keyword::Extension) && extends_a_declaration(input) {
        input.skip();
    }
    attributes(input, &mut leading)?;
    let is_declaration = match input.kind() {
        Some(TokenKind::Identifier(name)) => match input.kind_at(1) {
            // A label may have the name of a type.
            Some(TokenKind::Punctuator(Punctuator::Colon)) => false,
            // `foo_t x`: an unknown type is worth a word of its own.
            Some(TokenKind::Identifier(_)) => true,
            _ => input.state().meaning(name).is_type(),
        },
        _ => at_declaration(input),
    };
    Ok(if is_declaration { Begin::Declaration(leading) } else { Begin::Statement(leading) })
}

/// Whether `__extension__` stands in front of a declaration and not of an expression.
fn extends_a_declaration(input: &mut Input<'_, '_>) -> bool {
    let mut ahead = 1;
    while input.kind_at(ahead) == Some(TokenKind::Keyword(Keyword::Extension)) {
        ahead += 1;
    }
    super::specifier::starts_type_name(input, ahead)
}

fn attributed(
    input: &mut Input<'_, '_>,
    attributes: Vec<Attribute>,
    body: StmtId,
    start: Span,
) -> StmtId {
    match attributes.is_empty() {
        true => body,
        false => input.stmt(StmtKind::Attributed { attributes, body }, start),
    }
}

/// A label and where it begins.
enum Label {
    Name { name: Symbol, name_span: Span, attributes: Vec<Attribute> },
    Case { first: ExprId, last: Option<ExprId> },
    Default,
}

/// The body of a selection, iteration or switch: a scope of its own (C99 6.8.4, 6.8.5). Pragmas in
/// front of it make a block with it.
fn substatement(input: &mut Input<'_, '_>) -> Parsed<StmtId> {
    let scope = input.state().names.mark();
    let body = match input.at(Punctuator::LeftBrace) {
        true => compound_statement(input)?,
        false => nested(input, body_without_braces)?,
    };
    input.state().names.leave(scope);
    Ok(body)
}

fn body_without_braces(input: &mut Input<'_, '_>) -> Parsed<StmtId> {
    let start = input.here();
    let mut pragmas = Vec::new();
    while let Some(TokenKind::Pragma(_)) = input.kind() {
        pragmas.push(statement_here(input)?);
    }
    let body_start = input.here();
    let body = match begin(input)? {
        Begin::Statement(leading) => {
            let body = statement_here(input)?;
            attributed(input, leading, body, body_start)
        }
        Begin::Declaration(leading) => {
            input.state().emit(grammar::declaration_as_body(body_start));
            match block_declaration(input, leading, body_start)? {
                Some(declaration) => input.stmt(StmtKind::Declaration(declaration), body_start),
                None => input.stmt(StmtKind::Error, body_start),
            }
        }
    };
    if pragmas.is_empty() {
        return Ok(body);
    }
    pragmas.push(body);
    Ok(input.stmt(StmtKind::Compound(pragmas), start))
}

/// A statement with its labels.
fn statement_here(input: &mut Input<'_, '_>) -> Parsed<StmtId> {
    if !at_label(input) {
        return unlabeled_statement(input);
    }
    let mut labels = Vec::new();
    while at_label(input) {
        input.check_chain(labels.len())?;
        let start = input.here();
        labels.push((label(input)?, start));
    }
    let mut body = labeled_body(input)?;
    for (label, start) in labels.into_iter().rev() {
        let kind = match label {
            Label::Name { name, name_span, attributes } => {
                StmtKind::Label { name, name_span, attributes, body }
            }
            Label::Case { first, last } => StmtKind::Case { first, last, body },
            Label::Default => StmtKind::Default { body },
        };
        body = input.stmt(kind, start);
    }
    Ok(body)
}

fn at_label(input: &mut Input<'_, '_>) -> bool {
    match input.kind() {
        Some(TokenKind::Keyword(Keyword::Case | Keyword::Default)) => true,
        Some(TokenKind::Identifier(_)) => input.at_ahead(1, Punctuator::Colon),
        _ => false,
    }
}

fn label(input: &mut Input<'_, '_>) -> Parsed<Label> {
    if input.eat_keyword(Keyword::Case).is_some() {
        let first = conditional_expression(input)?;
        let last = match input.eat(Punctuator::Ellipsis) {
            Some(_) => Some(conditional_expression(input)?),
            None => None,
        };
        input.expect(Punctuator::Colon, Expected::ColonOfCase)?;
        return Ok(Label::Case { first, last });
    }
    if input.eat_keyword(Keyword::Default).is_some() {
        input.expect(Punctuator::Colon, Expected::ColonOfDefault)?;
        return Ok(Label::Default);
    }
    let (name, name_span) = input.expect_name(Expected::LabelName)?;
    input.expect(Punctuator::Colon, Expected::Colon)?;
    let mut attributes_of = Vec::new();
    // `L: __attribute__((unused)) int x;` is read as the label's attributes, as GNU C does.
    attributes(input, &mut attributes_of)?;
    Ok(Label::Name { name, name_span, attributes: attributes_of })
}

/// What stands behind labels. C23 allows a declaration or nothing there, and so do drivers.
fn labeled_body(input: &mut Input<'_, '_>) -> Parsed<StmtId> {
    let start = input.here();
    if input.at(Punctuator::RightBrace) {
        let behind = input.previous();
        input.state().emit(grammar::label_without_statement(behind));
        let span = behind.end();
        return Ok(input.state().ast.stmts.push(crate::ast::Stmt { kind: StmtKind::Null, span }));
    }
    if let Some(TokenKind::Pragma(_)) = input.kind() {
        let mut items = Vec::new();
        while let Some(TokenKind::Pragma(_)) = input.kind() {
            items.push(statement_here(input)?);
        }
        if !input.at(Punctuator::RightBrace) {
            match nested(input, block_item)? {
                Some(item) => items.push(item),
                None => items.push(input.stmt(StmtKind::Null, start)),
            }
        }
        return Ok(input.stmt(StmtKind::Compound(items), start));
    }
    match begin(input)? {
        Begin::Declaration(leading) => {
            input.state().emit(grammar::label_before_declaration(start));
            match block_declaration(input, leading, start)? {
                Some(declaration) => Ok(input.stmt(StmtKind::Declaration(declaration), start)),
                None => Ok(input.stmt(StmtKind::Null, start)),
            }
        }
        Begin::Statement(leading) if leading.is_empty() => unlabeled_statement(input),
        Begin::Statement(leading) => {
            let body = nested(input, statement_here)?;
            Ok(attributed(input, leading, body, start))
        }
    }
}

fn unlabeled_statement(input: &mut Input<'_, '_>) -> Parsed<StmtId> {
    let start = input.here();
    let keyword = match input.kind() {
        Some(TokenKind::Keyword(keyword)) => keyword,
        Some(TokenKind::Punctuator(Punctuator::LeftBrace)) => return compound_statement(input),
        Some(TokenKind::Punctuator(Punctuator::Semicolon)) => {
            input.skip();
            return Ok(input.stmt(StmtKind::Null, start));
        }
        Some(TokenKind::Pragma(text)) => {
            input.skip();
            return Ok(input.stmt(StmtKind::Pragma(text), start));
        }
        _ => return expression_statement(input),
    };
    let kind = match keyword {
        Keyword::If => return if_statement(input),
        Keyword::Switch => input.parse(switch_statement())?,
        Keyword::While => input.parse(while_statement())?,
        Keyword::Do => input.parse(do_statement())?,
        Keyword::For => for_statement(input)?,
        Keyword::Goto => input.parse(goto_statement())?,
        Keyword::Continue => input.parse(jump(Keyword::Continue))?,
        Keyword::Break => input.parse(jump(Keyword::Break))?,
        Keyword::Return => input.parse(return_statement())?,
        Keyword::StaticAssert => StmtKind::StaticAssert(static_assert(input)?),
        Keyword::Asm => {
            reject_asm(input)?;
            input.expect(Punctuator::Semicolon, Expected::SemicolonAfterJump)?;
            StmtKind::Null
        }
        Keyword::Else => {
            let behind_semicolon = match input.position().checked_sub(2) {
                Some(before) => {
                    let tokens = input.state().tokens;
                    tokens[before].kind.is(Punctuator::RightBrace)
                        && tokens[before + 1].kind.is(Punctuator::Semicolon)
                }
                None => false,
            };
            let semicolon = behind_semicolon.then(|| input.previous());
            input.state().emit(grammar::else_without_if(start, semicolon));
            input.skip();
            return substatement(input);
        }
        _ => return expression_statement(input),
    };
    Ok(input.stmt(kind, start))
}

/// `expression ;`
fn expression_statement(input: &mut Input<'_, '_>) -> Parsed<StmtId> {
    let start = input.here();
    let position = input.position();
    let expr = expression(input).inspect_err(|_| {
        Failure::rename(&mut input.state().failure, position, Expected::Statement);
    })?;
    input.expect(Punctuator::Semicolon, Expected::SemicolonAfterExpression)?;
    Ok(input.stmt(StmtKind::Expr(expr), start))
}

/// `( expression )`; an error inside does not spoil what follows.
fn condition(input: &mut Input<'_, '_>) -> Parsed<ExprId> {
    let start = input.here();
    bracketed_or(
        input,
        |input| delimited(input, PARENS, Expected::ConditionParen, expression),
        |input| {
            let span = input.since(start);
            input.expr(ExprKind::Error, span)
        },
    )
}

/// `if ( expression ) statement (else statement)?`, a whole chain of `else if` at once.
fn if_statement(input: &mut Input<'_, '_>) -> Parsed<StmtId> {
    let mut chain = Vec::new();
    let mut last = None;
    loop {
        input.check_chain(chain.len())?;
        let start = input.here();
        input.skip();
        let condition = condition(input)?;
        let then = substatement(input)?;
        chain.push((start, condition, then));
        if input.eat_keyword(Keyword::Else).is_none() {
            break;
        }
        if !input.at_keyword(Keyword::If) {
            last = Some(substatement(input)?);
            break;
        }
    }
    for (start, condition, then) in chain.into_iter().rev() {
        last = Some(input.stmt(StmtKind::If { condition, then, otherwise: last }, start));
    }
    match last {
        Some(statement) => Ok(statement),
        None => input.fail(Expected::Statement),
    }
}

/// `switch ( expression ) statement`
fn switch_statement<'t>() -> impl Parse<'t, StmtKind> {
    keyword(Keyword::Switch)
        .ignore_then(custom(condition))
        .then(custom(substatement))
        .map(|(condition, body)| StmtKind::Switch { condition, body })
}

/// `while ( expression ) statement`
fn while_statement<'t>() -> impl Parse<'t, StmtKind> {
    keyword(Keyword::While)
        .ignore_then(custom(condition))
        .then(custom(substatement))
        .map(|(condition, body)| StmtKind::While { condition, body })
}

/// `do statement while ( expression ) ;`
fn do_statement<'t>() -> impl Parse<'t, StmtKind> {
    let while_ =
        custom(|input: &mut Input<'t, '_>| input.expect_keyword(Keyword::While, Expected::While));
    keyword(Keyword::Do)
        .ignore_then(custom(substatement))
        .then_ignore(while_)
        .then(custom(condition))
        .then_ignore(semicolon(Expected::SemicolonAfterDo))
        .map(|(body, condition)| StmtKind::DoWhile { body, condition })
}

/// `for ( init expression? ; expression? ) statement`. What `init` declares is visible to the end.
fn for_statement(input: &mut Input<'_, '_>) -> Parsed<StmtKind> {
    input.skip();
    let scope = input.state().names.mark();
    let (initial, condition, step) = bracketed_or(
        input,
        |input| {
            delimited(input, PARENS, Expected::ForParen, |input| {
                let initial = for_init(input)?;
                let condition = match input.at(Punctuator::Semicolon) {
                    true => None,
                    false => Some(expression(input)?),
                };
                input.expect(Punctuator::Semicolon, Expected::SemicolonInFor)?;
                let step = match input.at(Punctuator::RightParen) {
                    true => None,
                    false => Some(expression(input)?),
                };
                Ok((initial, condition, step))
            })
        },
        |input| {
            let here = input.here();
            (input.stmt(StmtKind::Error, here), None, None)
        },
    )?;
    let body = substatement(input)?;
    input.state().names.leave(scope);
    Ok(StmtKind::For { initial, condition, step, body })
}

/// The first clause of `for`, with its `;`.
fn for_init(input: &mut Input<'_, '_>) -> Parsed<StmtId> {
    let start = input.here();
    if input.eat(Punctuator::Semicolon).is_some() {
        return Ok(input.stmt(StmtKind::Null, start));
    }
    match begin(input)? {
        Begin::Declaration(leading) => match block_declaration(input, leading, start)? {
            Some(declaration) => Ok(input.stmt(StmtKind::Declaration(declaration), start)),
            None => input.fail(Expected::SemicolonInFor),
        },
        Begin::Statement(_) => {
            let expr = expression(input)?;
            input.expect(Punctuator::Semicolon, Expected::SemicolonInFor)?;
            Ok(input.stmt(StmtKind::Expr(expr), start))
        }
    }
}

/// `goto label ;`
fn goto_statement<'t>() -> impl Parse<'t, StmtKind> {
    keyword(Keyword::Goto)
        .ignore_then(custom(|input: &mut Input<'t, '_>| input.expect_name(Expected::LabelName)))
        .then_ignore(semicolon(Expected::SemicolonAfterJump))
        .map(|(label, label_span)| StmtKind::Goto { label, label_span })
}

/// `continue ;`, `break ;`
fn jump<'t>(word: Keyword) -> impl Parse<'t, StmtKind> {
    keyword(word).then_ignore(semicolon(Expected::SemicolonAfterJump)).map(move |_| match word {
        Keyword::Continue => StmtKind::Continue,
        _ => StmtKind::Break,
    })
}

/// `return expression? ;`
fn return_statement<'t>() -> impl Parse<'t, StmtKind> {
    let value = custom(|input: &mut Input<'t, '_>| match input.kind() {
        Some(TokenKind::Punctuator(Punctuator::Semicolon | Punctuator::RightBrace)) | None => {
            Ok(None)
        }
        // `return` and a statement on the next line.
        Some(TokenKind::Keyword(keyword)) if is_statement_keyword(keyword) => Ok(None),
        _ => expression(input).map(Some),
    });
    keyword(Keyword::Return)
        .ignore_then(value)
        .then_ignore(semicolon(Expected::SemicolonAfterReturn))
        .map(StmtKind::Return)
}

fn is_statement_keyword(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::If
            | Keyword::Else
            | Keyword::For
            | Keyword::While
            | Keyword::Do
            | Keyword::Switch
            | Keyword::Case
            | Keyword::Default
            | Keyword::Return
            | Keyword::Break
            | Keyword::Continue
            | Keyword::Goto
    )
}
