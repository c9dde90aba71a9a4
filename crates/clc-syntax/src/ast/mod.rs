//! The syntax tree: what was written, before its meaning is analysed.
//!
//! Nodes live in arenas and name each other by id, so that dropping a deep tree needs no stack.
//! Parentheses and comma lists are kept: whether `(float4)(a, b, c, d)` is a vector literal or a
//! cast of a comma expression depends on a type and is decided later.

mod declaration;
mod expression;
mod ids;
mod statement;

use clc_base::{Arena, Span, Symbol};
pub use clc_builtins::Access;

pub use declaration::*;
pub use expression::*;
pub use ids::{ExprId, StmtId};
pub use statement::{Stmt, StmtKind};

/// A translation unit.
#[derive(Debug, Default)]
pub struct Ast {
    /// Every expression.
    pub exprs: Arena<ExprId, Expr>,
    /// Every statement.
    pub stmts: Arena<StmtId, Stmt>,
    /// The external declarations in source order.
    pub items: Vec<ExternalDeclaration>,
    /// The program has syntax errors, and the tree nodes that stand for what did not parse.
    pub has_errors: bool,
    /// Stretches next to a syntax error: what seems wrong there most likely follows from it.
    pub suspects: Vec<Span>,
    /// Where declarations have lost their names.
    pub unnamed: Vec<Span>,
    /// Names that stretches which did not parse may have declared: of them it is not known that
    /// nothing declares them.
    pub lost: Vec<Lost>,
}

/// A name that may have been declared in a stretch which did not parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The name.
    pub name: Symbol,
    /// Where the body of the function begins that the stretch is in; `None` if it is in none.
    pub within: Option<u32>,
}

/// C99 6.9: external declarations.
#[derive(Debug)]
pub enum ExternalDeclaration {
    /// A function with its body.
    Function(FunctionDefinition),
    /// A declaration; of functions without a body too.
    Declaration(Declaration),
    /// `_Static_assert ( … ) ;` (C11 6.7.10).
    StaticAssert(StaticAssert),
    /// A pragma between declarations.
    Pragma {
        /// What follows `#pragma`, with white space folded.
        text: Symbol,
        /// Of the directive.
        span: Span,
    },
}
