//! Expressions of the typed tree.

use clc_base::Span;
use clc_builtins::Intrinsic;
use clc_builtins::resolve::Rounding;

use super::constants::Constant;
use super::ids::{ExprId, FuncId, GlobalId, LocalId, StmtId};
use crate::types::{QualType, TypeId};

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    /// Type of the value, or type and qualifiers of the object.
    pub ty: QualType,
    pub span: Span,
}

const _: () = assert!(size_of::<Expr>() <= 40, "ten million of them are a large program");

/// Component numbers of a swizzle, at most 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swizzle {
    pub components: [u8; 16],
    pub count: u8,
}

impl Swizzle {
    /// What `hi` and `odd` of a vector of three have as their second component: some value when
    /// read, and nothing is written there (OpenCL C 6.3.7).
    pub const UNDEFINED: u8 = u8::MAX;

    pub fn as_slice(&self) -> &[u8] {
        &self.components[..usize::from(self.count)]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Negate,
    BitNot,
    /// Scalars of any kind (pointers too) give `int`; vectors give an integer vector.
    LogicalNot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    /// The right operand is any integer type with the left operand's component count; the count
    /// is taken modulo the left operand's width (OpenCL C 6.3.j).
    Shl,
    Shr,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogicalOp {
    And,
    Or,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    // Places.
    Local(LocalId),
    Global(GlobalId),
    /// What a pointer value points to.
    Deref(ExprId),
    /// Field of a record; a place if `base` is one, otherwise a value.
    Member {
        base: ExprId,
        field: u32,
    },
    /// Components of a vector; a place if `base` is one, otherwise a value. One component gives
    /// the scalar.
    Swizzle {
        base: ExprId,
        swizzle: Swizzle,
    },
    /// One component of a vector by a run-time index (GNU `v[i]`); a place if `base` is one.
    VectorElement {
        base: ExprId,
        index: ExprId,
    },
    /// A compound literal: a temporary local and the value that it gets each time it is reached.
    CompoundLiteral {
        local: LocalId,
        value: ExprId,
    },

    // Values.
    /// An integer, or the bits of a float in its format; `ty` says which. Scalars only.
    Constant(u64),
    /// A constant of any other type.
    ConstantValue(Box<Constant>),
    /// The null pointer.
    Null,
    /// The value of a place (lvalue conversion, C99 6.3.2.1).
    Load(ExprId),
    AddressOf(ExprId),
    /// Array place to pointer to its first element.
    Decay(ExprId),
    Unary {
        op: UnaryOp,
        operand: ExprId,
    },
    /// Arithmetic on scalars or vectors; signedness by type.
    Binary {
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
    },
    Compare {
        op: CompareOp,
        left: ExprId,
        right: ExprId,
    },
    /// Scalars: short-circuit, each operand any scalar type. Vectors: both sides are evaluated.
    Logical {
        op: LogicalOp,
        left: ExprId,
        right: ExprId,
    },
    /// `pointer + index` or, negated, `pointer - index`; the index is any integer type and
    /// converts by its own signedness.
    PtrAdd {
        pointer: ExprId,
        index: ExprId,
        negate: bool,
    },
    /// Difference in elements; the type is `ptrdiff_t`.
    PtrDiff {
        left: ExprId,
        right: ExprId,
    },
    /// Scalar condition; evaluates one side. `void` sides are allowed.
    Conditional {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    /// Vector condition: for each component the most significant bit chooses (OpenCL C 6.3.i).
    VectorSelect {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    /// `place = value`; the value has the place's type; the result is the value.
    Assign {
        place: ExprId,
        value: ExprId,
    },
    /// `place op= value`: load, convert to `compute`, operate with `value` (already of type
    /// `compute`; for shifts as in [`BinaryOp::Shl`]), convert back, store. The place is evaluated
    /// once. The result is the new value.
    CompoundAssign {
        op: BinaryOp,
        place: ExprId,
        value: ExprId,
        compute: TypeId,
    },
    /// `pointer place += index` or `-=`.
    PtrAssign {
        place: ExprId,
        index: ExprId,
        negate: bool,
    },
    /// `++` and `--` on arithmetic (vectors too) and pointer places.
    IncDec {
        place: ExprId,
        increment: bool,
        prefix: bool,
    },
    /// Numeric conversion between scalars, or between vectors of equal length: C's rules for
    /// scalars (to `bool`: not equal to zero). `rounding` and `saturate` come from `convert_*`.
    Convert {
        operand: ExprId,
        rounding: Option<Rounding>,
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
    IntToPtr(ExprId),
    /// To any integer type.
    PtrToInt(ExprId),
    /// Pointer, integer or float to `void`.
    ToVoid(ExprId),
    Call {
        callee: FuncId,
        arguments: Box<[ExprId]>,
    },
    /// A block literal: captures variables. The type is a block.
    Block {
        function: FuncId,
    },
    /// A call of a block that is known to be `function`'s; `block` gives what was captured.
    BlockCall {
        function: FuncId,
        operands: Box<BlockOperands>,
    },
    /// An argument of `enqueue_kernel` and the like: a block that is known to be `function`'s.
    EnqueuedBlock {
        function: FuncId,
        block: ExprId,
    },
    Intrinsic {
        intrinsic: Intrinsic,
        arguments: Box<[ExprId]>,
    },
    /// A vector from scalars and vectors of its element type that add up to its length.
    VectorBuild(Box<[ExprId]>),
    /// An array, struct or union value; parts that are not listed are zero. Ascending indices
    /// (fields; for a union the one field), evaluated in order. The type is complete.
    Aggregate(Box<[(u64, ExprId)]>),
    /// Evaluated in order; the last gives the value. Values or places before the last.
    Comma(Box<[ExprId]>),
    /// GNU statement expression; `value` is evaluated in the block's scope after `stmts`.
    Statements(Box<StatementExpression>),
    /// Something already reported; never reaches the lowering of an accepted program.
    Error,
}

/// What a block is called with.
#[derive(Clone, Debug)]
pub struct BlockOperands {
    pub block: ExprId,
    pub arguments: Vec<ExprId>,
}

/// GNU `({ … })`
#[derive(Clone, Debug)]
pub struct StatementExpression {
    pub stmts: Vec<StmtId>,
    /// Evaluated after `stmts`; none for a `void` expression.
    pub value: Option<ExprId>,
}
