//! Expressions (C99 6.5).

use clc_base::{Span, Symbol};

use super::declaration::{Designator, InitializerList, Parameter, TypeName};
use super::ids::{ExprId, StmtId};

/// C99 6.5.
#[derive(Debug)]
pub struct Expr {
    /// The form of the expression with its operands.
    pub kind: ExprKind,
    /// Of the whole expression.
    pub span: Span,
}

/// Large programs have many of them (a table of numbers, one long expression), so what is rare or
/// long is in a box of its own.
#[derive(Debug)]
pub enum ExprKind {
    /// A name, declared or not.
    Identifier(Symbol),
    /// An integer constant as spelled.
    Integer(Symbol),
    /// A floating constant as spelled.
    Float(Symbol),
    /// A character constant with its quotes.
    Char(Symbol),
    /// Adjacent literals, each with its quotes.
    String(Box<[Symbol]>),
    /// `( expression )`
    Paren(ExprId),
    /// `base [ index ]`; either operand may be the pointer (C99 6.5.2.1).
    Index {
        /// Before the operator.
        base: ExprId,
        /// In the brackets.
        index: ExprId,
    },
    /// `callee ( arguments )`
    Call {
        /// The function: an expression, which may be in parentheses.
        callee: ExprId,
        /// Assignment expressions, in source order.
        arguments: Box<[ExprId]>,
    },
    /// `base.name`, `base->name`; swizzles too.
    Member {
        /// Before the operator.
        base: ExprId,
        /// After the operator.
        name: Symbol,
        /// Of the name.
        name_span: Span,
        /// `->`, not `.`.
        arrow: bool,
    },
    /// A prefix or postfix operator.
    Unary {
        /// Which operator, and where it stands.
        op: UnaryOp,
        /// What it applies to.
        operand: ExprId,
    },
    /// Every binary operator but assignments and the comma.
    Binary {
        /// Which operator.
        op: BinaryOp,
        /// Of the operator.
        op_span: Span,
        /// Before the operator.
        left: ExprId,
        /// After the operator.
        right: ExprId,
    },
    /// `op` is `None` for plain `=`.
    Assign {
        /// The binary operator of a compound assignment.
        op: Option<BinaryOp>,
        /// Of the operator.
        op_span: Span,
        /// Before the operator.
        target: ExprId,
        /// After the operator.
        value: ExprId,
    },
    /// `then` is `None` for GNU `a ?: b`.
    Conditional {
        /// Before the `?`.
        condition: ExprId,
        /// Between `?` and `:`.
        then: Option<ExprId>,
        /// After the `:`.
        otherwise: ExprId,
    },
    /// Two or more expressions separated by commas.
    Comma(Box<[ExprId]>),
    /// `sizeof expression` and its siblings
    SizeOfExpr(SizeOperator, ExprId),
    /// `sizeof ( type-name )` and its siblings
    SizeOfType(SizeOperator, Box<TypeName>),
    /// `(T)e`, vector literals too: then `operand` is a [`ExprKind::Paren`].
    Cast {
        /// The type in the parentheses.
        ty: Box<TypeName>,
        /// The value to convert.
        operand: ExprId,
    },
    /// `(T){ … }`
    CompoundLiteral {
        /// The type in the parentheses.
        ty: Box<TypeName>,
        /// The braced list.
        initializer: Box<InitializerList>,
    },
    /// GNU `({ … })`; the statement is a [`StmtKind::Compound`](super::StmtKind::Compound).
    Statement(StmtId),
    /// `^ T (parameters) { … }`
    Block(Box<BlockLiteral>),
    /// `__builtin_offsetof ( type-name , member-path )`
    Offsetof(Box<(TypeName, Vec<Designator>)>),
    /// GNU's way to convert a value, for headers that define `as_T` by it.
    GnuConversion(Box<GnuConversion>),
    /// A stretch that did not parse and was reported.
    Error,
}

const _: () = assert!(size_of::<Expr>() <= 32, "ten million of them are a large program");

/// Operators that apply to values and to types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SizeOperator {
    /// C99 6.5.3.4.
    Sizeof,
    /// GNU `__alignof__`.
    Alignof,
    /// OpenCL C 6.15.13.
    VecStep,
}

/// `__builtin_astype ( operand , ty )` or `__builtin_convertvector ( operand , ty )`.
#[derive(Debug)]
pub struct GnuConversion {
    /// The bits are kept, as by `as_T`; otherwise the value, as by `convert_T`.
    pub keeps_bits: bool,
    /// Where the name of the function stands.
    pub name_span: Span,
    /// What is converted.
    pub operand: ExprId,
    /// To which type.
    pub ty: TypeName,
}

/// A block of the Blocks language extension (OpenCL C 6.14).
#[derive(Debug)]
pub struct BlockLiteral {
    /// The type of the result; `None`: that of the `return` statements.
    pub ty: Option<TypeName>,
    /// Empty without parentheses too.
    pub parameters: Vec<Parameter>,
    /// The parameters end in `...`.
    pub variadic: bool,
    /// A [`StmtKind::Compound`](super::StmtKind::Compound).
    pub body: StmtId,
}

/// C99 6.5.2.4 and 6.5.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `++e`
    PreIncrement,
    /// `--e`
    PreDecrement,
    /// `e++`
    PostIncrement,
    /// `e--`
    PostDecrement,
    /// `&e`
    AddressOf,
    /// `*e`
    Dereference,
    /// `+e`
    Plus,
    /// `-e`
    Minus,
    /// `~e`
    BitNot,
    /// `!e`
    LogicalNot,
}

/// C99 6.5.5 to 6.5.14; also the operators of compound assignments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    LessEqual,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `&&`
    LogicalAnd,
    /// `||`
    LogicalOr,
}
