//! Expressions of the typed tree.

use clc_base::Span;
use clc_builtins::Intrinsic;
use clc_builtins::resolve::Rounding;

use super::constants::Constant;
use super::ids::{ExprId, FuncId, GlobalId, LocalId, StmtId};
use crate::types::{QualType, TypeId};

/// An expression with its type and the source that it was written as.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The operation and its operands.
    pub kind: ExprKind,
    /// Type of the value, or type and qualifiers of the object.
    pub ty: QualType,
    /// Implicit conversions have the span of their operand.
    pub span: Span,
}

const _: () = assert!(size_of::<Expr>() <= 40, "ten million of them are a large program");

/// Component numbers of a swizzle, at most 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swizzle {
    /// Indices into the vector, or [`Swizzle::UNDEFINED`]; those from `count` on mean nothing.
    pub components: [u8; 16],
    /// Components of the result: 1 to 16.
    pub count: u8,
}

impl Swizzle {
    /// What `hi` and `odd` of a vector of three have as their second component: some value when
    /// read, and nothing is written there (OpenCL C 6.3.7).
    pub const UNDEFINED: u8 = u8::MAX;

    /// The components of the result, in its order.
    pub fn as_slice(&self) -> &[u8] {
        &self.components[..usize::from(self.count)]
    }
}

/// Operators of one operand whose result is no lvalue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-` on integers and floats, after the integer promotions.
    Negate,
    /// `~`, on integers only.
    BitNot,
    /// `!`: the result is `int` for scalars of any kind (pointers too), and an integer vector for
    /// vectors.
    LogicalNot,
}

/// Arithmetic and bitwise operators; both operands have the type of the result, except in shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`; for integers towards zero.
    Div,
    /// `%`, on integers only; the sign is that of the left operand.
    Rem,
    /// `<<`. The right operand is any integer type with the left operand's component count; the
    /// count is taken modulo the left operand's width (OpenCL C 6.3.j).
    Shl,
    /// `>>`, with a right operand as for [`BinaryOp::Shl`]; arithmetic if the left operand is
    /// signed.
    Shr,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
}

/// Relational and equality operators. Floats compare ordered, except that `!=` is true of NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// Operators that take their operands as booleans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogicalOp {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// The operations of expressions: first those that can be lvalues, then those that are values.
#[derive(Clone, Debug)]
pub enum ExprKind {
    // Lvalues.
    /// A parameter or automatic variable.
    Local(LocalId),
    /// A variable with static storage duration, or the array of a string literal.
    Global(GlobalId),
    /// What a pointer value points to.
    Deref(ExprId),
    /// Field of a record; an lvalue if `base` is one, otherwise a value.
    Member {
        /// Of struct or union type.
        base: ExprId,
        /// Index in the fields of the record.
        field: u32,
    },
    /// Components of a vector; an lvalue if `base` is one, otherwise a value. The result of one
    /// component is a scalar.
    Swizzle {
        /// Of vector type.
        base: ExprId,
        /// Which components, in the order of the result.
        swizzle: Swizzle,
    },
    /// One component of a vector by a run-time index (GNU `v[i]`); an lvalue if `base` is one.
    VectorElement {
        /// Of vector type.
        base: ExprId,
        /// Of integer type; undefined behaviour if it is not less than the component count.
        index: ExprId,
    },
    /// A compound literal: a temporary local and the value that it gets each time it is reached.
    CompoundLiteral {
        /// A local without a name.
        local: LocalId,
        /// Of the local's type.
        value: ExprId,
    },

    // Values.
    /// An integer, or the bits of a float in its format; `ty` says which. Scalars only.
    Constant(u64),
    /// A constant of any other type.
    ConstantValue(Box<Constant>),
    /// The null pointer.
    Null,
    /// The value of an lvalue (lvalue conversion, C99 6.3.2.1).
    Load(ExprId),
    /// `&` of an lvalue that is no vector component.
    AddressOf(ExprId),
    /// An lvalue of array type as a pointer to its first element.
    Decay(ExprId),
    /// `-`, `~`, `!`; component by component on vectors.
    Unary {
        /// Which operator.
        op: UnaryOp,
        /// A value.
        operand: ExprId,
    },
    /// Arithmetic on scalars or vectors; signedness by type.
    Binary {
        /// Which operator.
        op: BinaryOp,
        /// A value of the type of the result.
        left: ExprId,
        /// A value of the same type, except in shifts.
        right: ExprId,
    },
    /// Comparison of arithmetic values or pointers; component by component on vectors.
    Compare {
        /// Which operator.
        op: CompareOp,
        /// A value.
        left: ExprId,
        /// A value of the same type.
        right: ExprId,
    },
    /// Scalars: short-circuit, each operand any scalar type. Vectors: both sides are evaluated.
    Logical {
        /// Which operator.
        op: LogicalOp,
        /// Evaluated first.
        left: ExprId,
        /// For scalars evaluated only if `left` does not decide.
        right: ExprId,
    },
    /// `pointer + index` or, negated, `pointer - index`; the index is any integer type and
    /// converts by its own signedness.
    PtrAdd {
        /// To a complete type.
        pointer: ExprId,
        /// In elements.
        index: ExprId,
        /// The index is subtracted.
        negate: bool,
    },
    /// Difference in elements; the type is `ptrdiff_t`.
    PtrDiff {
        /// The pointer that is subtracted from.
        left: ExprId,
        /// The pointer that is subtracted.
        right: ExprId,
    },
    /// Scalar condition; evaluates one side. `void` sides are allowed.
    Conditional {
        /// Of scalar type.
        condition: ExprId,
        /// Evaluated if the condition is not equal to zero.
        then: ExprId,
        /// Evaluated otherwise.
        otherwise: ExprId,
    },
    /// Vector condition: for each component the most significant bit chooses (OpenCL C 6.3.i).
    VectorSelect {
        /// An integer vector with the component count and size of the result's.
        condition: ExprId,
        /// Chosen where the bit is set.
        then: ExprId,
        /// Chosen where it is not.
        otherwise: ExprId,
    },
    /// `lvalue = value`; the result is the value.
    Assign {
        /// The lvalue that is written.
        lvalue: ExprId,
        /// Of the lvalue's type.
        value: ExprId,
    },
    /// `lvalue op= value`: load, convert to `compute`, operate with `value`, convert back, store.
    /// The result is the new value.
    CompoundAssign {
        /// Which operator.
        op: BinaryOp,
        /// The lvalue that is read and written; evaluated once.
        lvalue: ExprId,
        /// Of type `compute`; for shifts as in [`BinaryOp::Shl`].
        value: ExprId,
        /// The type that the usual arithmetic conversions choose for the operation.
        compute: TypeId,
    },
    /// `lvalue += index` or `-=` on a pointer; the result is the new value.
    PtrAssign {
        /// The lvalue of pointer type that is read and written.
        lvalue: ExprId,
        /// In elements; any integer type, as in [`ExprKind::PtrAdd`].
        index: ExprId,
        /// The index is subtracted.
        negate: bool,
    },
    /// `++` and `--` on arithmetic (vectors too) and pointer lvalues.
    IncDec {
        /// The lvalue that is read and written.
        lvalue: ExprId,
        /// `++` rather than `--`.
        increment: bool,
        /// The result is the new value rather than the old one.
        prefix: bool,
    },
    /// Numeric conversion between scalars, or between vectors of equal length: C's rules for
    /// scalars (to `bool`: not equal to zero).
    Convert {
        /// A value of arithmetic type.
        operand: ExprId,
        /// The rounding mode that a `convert_*` function names; without one, C's.
        rounding: Option<Rounding>,
        /// Out-of-range values become the nearest representable ones: `convert_*_sat`.
        saturate: bool,
    },
    /// A scalar to every component of a vector of its own element type.
    Splat(ExprId),
    /// The same bits as another type of the same size: `as_*`, and pointers of one address space
    /// to other pointees. Three- and four-component vectors reinterpret into each other.
    Reinterpret(ExprId),
    /// Pointer to the same pointee in another space: named to generic, or (explicit) back.
    SpaceCast(ExprId),
    /// `to_global` and the like: null if the pointer points elsewhere.
    SpaceQuery(ExprId),
    /// From any integer type; the value is converted to the pointer's size by its own signedness.
    IntToPtr(ExprId),
    /// To any integer type.
    PtrToInt(ExprId),
    /// Pointer, integer or float to `void`.
    ToVoid(ExprId),
    /// A call of a function of the program.
    Call {
        /// Chosen among overloads.
        callee: FuncId,
        /// One value for each parameter, of its type.
        arguments: Box<[ExprId]>,
    },
    /// A block literal: captures variables. The type is a block.
    Block {
        /// The function that was made of the literal's body.
        function: FuncId,
    },
    /// A call of a block that is known to be `function`'s.
    BlockCall {
        /// The function of the block literal.
        function: FuncId,
        /// The block, which holds what was captured, and the arguments.
        operands: Box<BlockOperands>,
    },
    /// An argument of `enqueue_kernel` and the like: a block that is known to be `function`'s.
    EnqueuedBlock {
        /// The function of the block literal.
        function: FuncId,
        /// A value of block type.
        block: ExprId,
    },
    /// A call of a built-in function that later stages know.
    Intrinsic {
        /// The operation, which fixes how many arguments there are.
        intrinsic: Intrinsic,
        /// Values of the built-in function's parameter types.
        arguments: Box<[ExprId]>,
    },
    /// A vector from scalars and vectors of its element type that add up to its length.
    VectorBuild(Box<[ExprId]>),
    /// An array, struct or union value; parts that are not listed are zero. Ascending indices
    /// (fields; for a union the one field), evaluated in order. The type is complete.
    Aggregate(Box<[(u64, ExprId)]>),
    /// Evaluated in order; the result is the last one's value. Values or lvalues before the last.
    Comma(Box<[ExprId]>),
    /// GNU statement expression; `value` is evaluated in the block's scope after `stmts`.
    Statements(Box<StatementExpression>),
    /// Something already reported; never reaches the lowering of an accepted program.
    Error,
}

/// What a block is called with.
#[derive(Clone, Debug)]
pub struct BlockOperands {
    /// A value of block type.
    pub block: ExprId,
    /// One value for each parameter of the block.
    pub arguments: Vec<ExprId>,
}

/// GNU `({ … })`
#[derive(Clone, Debug)]
pub struct StatementExpression {
    /// All statements, but for a last one that is an expression.
    pub stmts: Vec<StmtId>,
    /// Evaluated after `stmts`; none for a `void` expression.
    pub value: Option<ExprId>,
}
