//! The typed tree: what the program means, with every implicit conversion made explicit.
//!
//! # Places and values
//! An expression is either a *place* (an lvalue: it denotes an object in an address space) or a
//! *value*. [`Module::is_place`] tells which. Places become values only through
//! [`ExprKind::Load`], [`ExprKind::AddressOf`] and [`ExprKind::Decay`]; whoever consumes an operand
//! states which of the two it must be.
//!
//! # Types of operands
//! * Arithmetic, comparison and bitwise operands have equal types; conversions are explicit
//!   [`ExprKind::Convert`]s and [`ExprKind::Splat`]s.
//! * Enums never appear as operand types of arithmetic: they are converted to integers.
//! * Conditions (`if`, loops, `!`, `&&`, `||`, `?:` on scalars) have any scalar type: arithmetic or
//!   pointer; true means not equal to zero.
//! * Comparisons, `!`, `&&` and `||` give `int` for scalars (0 or 1) and the signed integer vector of the
//!   same element size for vectors (0 or -1) (OpenCL C 6.3).

use clc_base::lang::FloatOptions;
use clc_base::memory_model::MemoryScope;
use clc_base::{AddressSpace, Arena, Span, Symbol, Version, define_id};
use clc_builtins::Intrinsic;
use clc_builtins::resolve::Rounding;

use crate::types::{Access, QualType, TypeId, TypeTable};

define_id!(ExprId, "h");
define_id!(StmtId, "hs");
define_id!(FuncId, "fn");
define_id!(
    /// A variable with static storage duration: program scope, `static`, `constant` and `local`
    /// variables of functions, string literals.
    GlobalId,
    "global"
);
define_id!(
    /// A parameter or automatic variable of one function.
    LocalId,
    "local"
);
define_id!(
    /// A named label of one function.
    LabelId,
    "label"
);
define_id!(
    /// A `case` or `default` label of one function.
    CaseId,
    "case"
);

#[derive(Debug)]
pub struct Module {
    pub types: TypeTable,
    pub exprs: Arena<ExprId, Expr>,
    pub stmts: Arena<StmtId, Stmt>,
    pub functions: Arena<FuncId, Function>,
    pub globals: Arena<GlobalId, Global>,
    pub version: Version,
    /// The widest scope that the program can name.
    pub widest_scope: MemoryScope,
    pub float_options: FloatOptions,
}

#[derive(Debug)]
pub struct Function {
    pub name: Symbol,
    pub span: Span,
    pub result: TypeId,
    /// Parameters come first among the locals: parameter `i` is `LocalId(i)`.
    pub param_count: u32,
    pub locals: Arena<LocalId, Local>,
    pub labels: Arena<LabelId, Label>,
    /// Number of [`CaseId`]s in use.
    pub case_count: u32,
    /// `None` for a function that is only declared.
    pub body: Option<StmtId>,
    /// `None` if not a kernel.
    pub kernel: Option<Box<Kernel>>,
    pub linkage: Linkage,
    pub attributes: FunctionAttributes,
    /// `None` if not the function of a block literal.
    pub block: Option<Box<BlockLiteral>>,
}

/// What the function of a block literal is beyond a function.
#[derive(Clone, Debug, Default)]
pub struct BlockLiteral {
    /// In the order of their first use.
    pub captures: Vec<Capture>,
}

/// A variable of the enclosing function that a block uses.
#[derive(Clone, Copy, Debug)]
pub struct Capture {
    /// Its value where the literal is evaluated: an expression of the enclosing function.
    pub value: ExprId,
    /// The `const` variable that holds the value in the block, and is no parameter of it.
    pub local: LocalId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    External,
    /// `static`, and `inline` without `extern`.
    Internal,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FunctionAttributes {
    pub always_inline: bool,
    pub no_inline: bool,
    pub is_const: bool,
    pub is_pure: bool,
    /// `inline` was written.
    pub inline_hint: bool,
    /// `static` was written.
    pub is_static: bool,
    /// `__attribute__((overloadable))`
    pub overloadable: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Kernel {
    pub reqd_work_group_size: Option<[u32; 3]>,
    pub work_group_size_hint: Option<[u32; 3]>,
    pub vec_type_hint: Option<TypeId>,
    pub sub_group_size: Option<u32>,
    /// One for each parameter, in the source's words.
    pub arguments: Vec<KernelArgument>,
}

#[derive(Clone, Debug)]
pub struct KernelArgument {
    /// As `clGetKernelArgInfo` spells it: `float*`, `image2d_t`.
    pub type_name: String,
    /// `const`, `restrict`, `volatile`, `pipe`, separated by spaces in this order.
    pub type_qualifiers: String,
    pub access: Option<Access>,
    pub address_space: AddressSpace,
}

#[derive(Debug)]
pub struct Local {
    /// `None` for temporaries (compound literals) and unnamed parameters.
    pub name: Option<Symbol>,
    pub ty: QualType,
    /// Alignment in bytes, at least the type's.
    pub align: u64,
    /// Holds what a block captured.
    pub is_captured: bool,
    pub span: Span,
}

#[derive(Debug)]
pub struct Label {
    pub name: Symbol,
    pub span: Span,
}

#[derive(Debug)]
pub struct Global {
    /// Unique in the module; variables of functions are named `function.variable`, string
    /// literals `.str`, `.str.1`, ….
    pub name: String,
    pub ty: QualType,
    /// `Global`, `Constant` or `Local`.
    pub space: AddressSpace,
    pub initializer: Option<Constant>,
    pub align: u64,
    pub linkage: Linkage,
    /// Declared `extern` and never defined here.
    pub is_declaration: bool,
    pub span: Span,
}

/// The value of a constant expression; its type stands beside it.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// All bits zero: any type, null pointers too.
    Zero,
    /// An integer (bits above the type's width are zero), or the bits of a float in its format.
    Scalar(u64),
    /// One constant for each component of a vector or array, each field of a struct; shorter
    /// lists are filled with zero.
    Composite(Vec<Constant>),
    /// A long run of equal-sized scalars (tables): as `Composite` of `Scalar`.
    Scalars(Vec<u64>),
    /// A union by the field that was initialised.
    Union { field: u32, value: Box<Constant> },
    /// `&global + byte offset`, converted to whatever pointer (or integer) type stands beside it.
    Address { global: GlobalId, offset: i64 },
    /// Sampler bits as in SPIR-V's literal sampler: see [`SamplerInit`].
    Sampler(SamplerInit),
}

/// A `sampler_t` initialiser, decoded from the `CLK_*` bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SamplerInit {
    /// The integer given in the source.
    pub bits: u32,
}

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

#[derive(Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// `#pragma unroll`, `__attribute__((opencl_unroll_hint))`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopHint {
    Unroll,
    UnrollCount(u32),
    NoUnroll,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    pub id: CaseId,
    /// Inclusive bounds as bits of the promoted selector type; equal unless a GNU range.
    pub first: u64,
    pub last: u64,
}

#[derive(Debug)]
pub enum StmtKind {
    Null,
    Expr(ExprId),
    /// A variable comes into being; without an initialiser its contents are undefined. The
    /// initialiser is a value of the variable's type.
    Declare {
        local: LocalId,
        initializer: Option<ExprId>,
    },
    Block(Vec<StmtId>),
    If {
        condition: ExprId,
        then: StmtId,
        otherwise: Option<StmtId>,
    },
    While {
        condition: ExprId,
        body: StmtId,
        hint: Option<LoopHint>,
    },
    DoWhile {
        body: StmtId,
        condition: ExprId,
        hint: Option<LoopHint>,
    },
    For {
        initial: Option<StmtId>,
        condition: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
        hint: Option<LoopHint>,
    },
    /// The selector is promoted; cases lie anywhere inside the body (Duff's device).
    Switch {
        selector: ExprId,
        body: StmtId,
        cases: Vec<Case>,
        default: Option<CaseId>,
    },
    /// The place of a `case` or `default` label, and the statement it labels.
    Case {
        id: CaseId,
        body: StmtId,
    },
    Label {
        label: LabelId,
        body: StmtId,
    },
    Goto(LabelId),
    Break,
    Continue,
    Return(Option<ExprId>),
    /// `#pragma OPENCL FP_CONTRACT`: whether contraction is allowed from here to the end of the
    /// enclosing block.
    FpContract(bool),
}

impl Module {
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id]
    }

    /// Whether an expression denotes an object.
    pub fn is_place(&self, id: ExprId) -> bool {
        match &self.exprs[id].kind {
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Deref(_)
            | ExprKind::CompoundLiteral { .. } => true,
            ExprKind::Member { base, .. }
            | ExprKind::Swizzle { base, .. }
            | ExprKind::VectorElement { base, .. } => self.is_place(*base),
            _ => false,
        }
    }

    /// The address space of a place; `Private` for anything else.
    pub fn place_space(&self, id: ExprId) -> AddressSpace {
        match &self.exprs[id].kind {
            ExprKind::Global(global) => self.globals[*global].space,
            ExprKind::Deref(pointer) => self
                .types
                .as_pointer(self.exprs[*pointer].ty.ty)
                .map_or(AddressSpace::Private, |(_, space)| space),
            ExprKind::Member { base, .. }
            | ExprKind::Swizzle { base, .. }
            | ExprKind::VectorElement { base, .. } => self.place_space(*base),
            _ => AddressSpace::Private,
        }
    }
}
