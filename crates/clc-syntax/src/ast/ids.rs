//! How nodes name each other.

use clc_base::define_id;

define_id!(
    /// An expression of [`Ast::exprs`](super::Ast::exprs).
    ExprId,
    "e"
);
define_id!(
    /// A statement of [`Ast::stmts`](super::Ast::stmts).
    StmtId,
    "st"
);
