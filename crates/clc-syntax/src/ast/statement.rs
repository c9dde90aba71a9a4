//! Statements (C99 6.8).

use clc_base::{Span, Symbol};

use super::declaration::{Attribute, Declaration, StaticAssert};
use super::ids::{ExprId, StmtId};

/// C99 6.8, and declarations, which stand among statements in a block.
#[derive(Debug)]
pub struct Stmt {
    /// The form of the statement with its parts.
    pub kind: StmtKind,
    /// Of the whole statement.
    pub span: Span,
}

/// C99 6.8 and the extensions that OpenCL compilers have.
#[derive(Debug)]
pub enum StmtKind {
    /// `{ … }`
    Compound(Vec<StmtId>),
    /// A declaration in a block.
    Declaration(Declaration),
    /// `_Static_assert ( … ) ;`
    StaticAssert(StaticAssert),
    /// `expression ;`
    Expr(ExprId),
    /// `;`
    Null,
    /// `if ( condition ) then else otherwise`
    If {
        /// The controlling expression.
        condition: ExprId,
        /// Executed if the condition is not zero.
        then: StmtId,
        /// Executed if the condition is zero.
        otherwise: Option<StmtId>,
    },
    /// `switch ( condition ) body`
    Switch {
        /// The controlling expression.
        condition: ExprId,
        /// The substatement.
        body: StmtId,
    },
    /// `while ( condition ) body`
    While {
        /// The controlling expression.
        condition: ExprId,
        /// The substatement.
        body: StmtId,
    },
    /// `do body while ( condition ) ;`
    DoWhile {
        /// The substatement.
        body: StmtId,
        /// The controlling expression.
        condition: ExprId,
    },
    /// `initial` is a declaration, expression or null statement.
    For {
        /// Before the first semicolon.
        initial: StmtId,
        /// The controlling expression.
        condition: Option<ExprId>,
        /// Evaluated after each iteration.
        step: Option<ExprId>,
        /// The substatement.
        body: StmtId,
    },
    /// `goto label ;`
    Goto {
        /// A label of the same function, before or after.
        label: Symbol,
        /// Of the name.
        label_span: Span,
    },
    /// `continue ;`
    Continue,
    /// `break ;`
    Break,
    /// `return expression? ;`
    Return(Option<ExprId>),
    /// Attributes may follow the colon.
    Label {
        /// Visible in the whole function.
        name: Symbol,
        /// Of the name.
        name_span: Span,
        /// In source order.
        attributes: Vec<Attribute>,
        /// The substatement.
        body: StmtId,
    },
    /// `last` is set for GNU `case first ... last:`.
    Case {
        /// An integer constant expression in a valid program.
        first: ExprId,
        /// The end of the range, included in it.
        last: Option<ExprId>,
        /// The substatement.
        body: StmtId,
    },
    /// `default : body`
    Default {
        /// The substatement.
        body: StmtId,
    },
    /// `__attribute__((opencl_unroll_hint(4))) for (…) …`
    Attributed {
        /// In source order.
        attributes: Vec<Attribute>,
        /// The substatement.
        body: StmtId,
    },
    /// A pragma among statements: what follows `#pragma`, with white space folded.
    Pragma(Symbol),
    /// A stretch that did not parse and was reported.
    Error,
}

impl StmtKind {
    /// Whether other statements are parts of this one; not those in expressions.
    pub fn has_body(&self) -> bool {
        match self {
            StmtKind::Declaration(_)
            | StmtKind::StaticAssert(_)
            | StmtKind::Expr(_)
            | StmtKind::Null
            | StmtKind::Goto { .. }
            | StmtKind::Continue
            | StmtKind::Break
            | StmtKind::Return(_)
            | StmtKind::Pragma(_)
            | StmtKind::Error => false,
            StmtKind::Compound(_)
            | StmtKind::If { .. }
            | StmtKind::Switch { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::For { .. }
            | StmtKind::Label { .. }
            | StmtKind::Case { .. }
            | StmtKind::Default { .. }
            | StmtKind::Attributed { .. } => true,
        }
    }
}
