//! The syntax tree: what was written, before anybody asks what it means.
//!
//! Nodes live in arenas and name each other by id, so that dropping a deep tree needs no stack.
//! Parentheses and comma lists are kept: whether `(float4)(a, b, c, d)` is a vector literal or a
//! cast of a comma expression depends on a type and is decided later.

use clc_base::{AddressSpace, Arena, Span, Symbol, define_id};
pub use clc_builtins::Access;

define_id!(ExprId, "e");
define_id!(StmtId, "st");

/// A translation unit.
#[derive(Debug, Default)]
pub struct Ast {
    pub exprs: Arena<ExprId, Expr>,
    pub stmts: Arena<StmtId, Stmt>,
    pub items: Vec<ExternalDeclaration>,
}

/// C99 6.9: external declarations.
#[derive(Debug)]
pub enum ExternalDeclaration {
    Function(FunctionDefinition),
    Declaration(Declaration),
    StaticAssert(StaticAssert),
    Pragma { text: Symbol, span: Span },
}

#[derive(Debug)]
pub struct FunctionDefinition {
    pub specifiers: Vec<Specifier>,
    pub declarator: Declarator,
    /// Attributes between the declarator and the body.
    pub attributes: Vec<Attribute>,
    /// Always a [`StmtKind::Compound`].
    pub body: StmtId,
    pub span: Span,
}

/// `specifiers init-declarator-list? ;`
#[derive(Debug)]
pub struct Declaration {
    pub specifiers: Vec<Specifier>,
    pub declarators: Vec<InitDeclarator>,
    pub span: Span,
}

#[derive(Debug)]
pub struct InitDeclarator {
    pub declarator: Declarator,
    pub attributes: Vec<Attribute>,
    pub initializer: Option<Initializer>,
}

#[derive(Debug)]
pub struct StaticAssert {
    pub condition: ExprId,
    /// Adjacent string literals as they are written; none if there is no message.
    pub message: Box<[Symbol]>,
    pub span: Span,
}

/// Declaration specifiers, qualifiers and attributes in the order written.
#[derive(Debug)]
pub struct Specifier {
    pub kind: SpecifierKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum SpecifierKind {
    Storage(StorageSpecifier),
    Qualifier(Qualifier),
    Function(FunctionSpecifier),
    Type(TypeSpecifier),
    Attribute(Attribute),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageSpecifier {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Qualifier {
    Const,
    Volatile,
    Restrict,
    AddressSpace(AddressSpace),
    Access(Access),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionSpecifier {
    Inline,
    Kernel,
    Noreturn,
}

#[derive(Debug)]
pub enum TypeSpecifier {
    Void,
    Bool,
    Char,
    Short,
    Int,
    Long,
    Half,
    Float,
    Double,
    Signed,
    Unsigned,
    Complex,
    Imaginary,
    /// A typedef name, or a name the language predeclares: `uint`, `float4`, `size_t`,
    /// `image2d_t`, `sampler_t`, `event_t`, ….
    Name(Symbol),
    Record(RecordSpecifier),
    Enum(EnumSpecifier),
    TypeofExpr(ExprId),
    TypeofType(Box<TypeName>),
    /// `pipe T` (the access qualifier is among the specifiers).
    Pipe(Box<TypeName>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    Struct,
    Union,
}

#[derive(Debug)]
pub struct RecordSpecifier {
    pub kind: RecordKind,
    pub tag: Option<(Symbol, Span)>,
    /// `None` for `struct s` without braces.
    pub members: Option<Vec<MemberDeclaration>>,
    pub attributes: Vec<Attribute>,
}

#[derive(Debug)]
pub struct MemberDeclaration {
    pub specifiers: Vec<Specifier>,
    pub declarators: Vec<MemberDeclarator>,
    pub span: Span,
}

#[derive(Debug)]
pub struct MemberDeclarator {
    pub declarator: Declarator,
    /// A bit-field's width; OpenCL C forbids bit-fields (6.11).
    pub bit_width: Option<ExprId>,
    pub attributes: Vec<Attribute>,
}

#[derive(Debug)]
pub struct EnumSpecifier {
    pub tag: Option<(Symbol, Span)>,
    pub enumerators: Option<Vec<Enumerator>>,
    pub attributes: Vec<Attribute>,
}

#[derive(Debug)]
pub struct Enumerator {
    pub name: Symbol,
    pub span: Span,
    pub value: Option<ExprId>,
}

/// `__attribute__((name(arguments)))`
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Without surrounding underscores: `__aligned__` is `aligned`.
    pub name: Symbol,
    pub arguments: Vec<AttributeArgument>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum AttributeArgument {
    Expr(ExprId),
    /// `vec_type_hint(float4)`
    Type(std::rc::Rc<TypeName>),
}

/// A declarator turned inside out: `derived[0]` applies to the name first. `int *a[3]` is
/// `[Array(3), Pointer]`: an array of three pointers to int.
#[derive(Debug)]
pub struct Declarator {
    /// `None` in abstract declarators.
    pub name: Option<(Symbol, Span)>,
    pub derived: Vec<Derived>,
    pub span: Span,
}

#[derive(Debug)]
pub enum Derived {
    /// Qualifiers (address spaces too) and attributes written after the `*`.
    Pointer {
        qualifiers: Vec<Specifier>,
        span: Span,
    },
    /// A block pointer, `^`.
    Block {
        qualifiers: Vec<Specifier>,
        span: Span,
    },
    Array {
        length: ArrayLength,
        qualifiers: Vec<Specifier>,
        is_static: bool,
        span: Span,
    },
    Function {
        parameters: Vec<Parameter>,
        variadic: bool,
        span: Span,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayLength {
    Unknown,
    /// `[*]`
    Star,
    Expr(ExprId),
}

/// `f(void)` and `f()` have no parameters.
#[derive(Debug)]
pub struct Parameter {
    pub specifiers: Vec<Specifier>,
    pub declarator: Declarator,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

/// C99 6.7.6: the name of a type, as in casts and `sizeof`.
#[derive(Debug)]
pub struct TypeName {
    pub specifiers: Vec<Specifier>,
    pub declarator: Declarator,
    pub span: Span,
}

/// C99 6.7.8.
#[derive(Debug)]
pub enum Initializer {
    Expr(ExprId),
    List(InitializerList),
}

#[derive(Debug)]
pub struct InitializerList {
    pub items: Vec<InitializerItem>,
    pub span: Span,
}

#[derive(Debug)]
pub struct InitializerItem {
    /// Empty when the item just comes next.
    pub designators: Vec<Designator>,
    pub value: Initializer,
}

#[derive(Debug)]
pub enum Designator {
    Index(ExprId, Span),
    /// GNU `[first ... last]`
    Range(ExprId, ExprId, Span),
    Member(Symbol, Span),
}

#[derive(Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// Large programs have many of them (a table of numbers, one long expression), so what is rare or
/// long is in a box of its own.
#[derive(Debug)]
pub enum ExprKind {
    Identifier(Symbol),
    Integer(Symbol),
    Float(Symbol),
    Char(Symbol),
    /// Adjacent literals, each with its quotes.
    String(Box<[Symbol]>),
    Paren(ExprId),
    Index {
        base: ExprId,
        index: ExprId,
    },
    Call {
        callee: ExprId,
        arguments: Box<[ExprId]>,
    },
    /// `base.name`, `base->name`; swizzles too.
    Member {
        base: ExprId,
        name: Symbol,
        name_span: Span,
        arrow: bool,
    },
    Unary {
        op: UnaryOp,
        operand: ExprId,
    },
    Binary {
        op: BinaryOp,
        op_span: Span,
        left: ExprId,
        right: ExprId,
    },
    /// `op` is `None` for plain `=`.
    Assign {
        op: Option<BinaryOp>,
        op_span: Span,
        target: ExprId,
        value: ExprId,
    },
    /// `then` is `None` for GNU `a ?: b`.
    Conditional {
        condition: ExprId,
        then: Option<ExprId>,
        otherwise: ExprId,
    },
    /// Two or more expressions separated by commas.
    Comma(Box<[ExprId]>),
    SizeofExpr(ExprId),
    SizeofType(Box<TypeName>),
    AlignofExpr(ExprId),
    AlignofType(Box<TypeName>),
    VecStepExpr(ExprId),
    VecStepType(Box<TypeName>),
    /// `(T)e`, vector literals too: then `operand` is a [`ExprKind::Paren`].
    Cast {
        ty: Box<TypeName>,
        operand: ExprId,
    },
    /// `(T){ … }`
    CompoundLiteral {
        ty: Box<TypeName>,
        initializer: Box<InitializerList>,
    },
    /// GNU `({ … })`; the statement is a [`StmtKind::Compound`].
    Statement(StmtId),
    /// `^ T (parameters) { … }`
    Block(Box<BlockLiteral>),
    /// `__builtin_offsetof ( type-name , member-path )`
    Offsetof(Box<(TypeName, Vec<Designator>)>),
    /// A stretch that did not parse and was reported.
    Error,
}

const _: () = assert!(size_of::<Expr>() <= 32, "ten million of them are a large program");

#[derive(Debug)]
pub struct BlockLiteral {
    pub ty: Option<TypeName>,
    pub parameters: Vec<Parameter>,
    pub variadic: bool,
    /// A [`StmtKind::Compound`].
    pub body: StmtId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
    AddressOf,
    Dereference,
    Plus,
    Minus,
    BitNot,
    LogicalNot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    LogicalAnd,
    LogicalOr,
}

#[derive(Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum StmtKind {
    Compound(Vec<StmtId>),
    Declaration(Declaration),
    StaticAssert(StaticAssert),
    Expr(ExprId),
    Null,
    If {
        condition: ExprId,
        then: StmtId,
        otherwise: Option<StmtId>,
    },
    Switch {
        condition: ExprId,
        body: StmtId,
    },
    While {
        condition: ExprId,
        body: StmtId,
    },
    DoWhile {
        body: StmtId,
        condition: ExprId,
    },
    /// `initial` is a declaration, expression or null statement.
    For {
        initial: StmtId,
        condition: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    },
    Goto {
        label: Symbol,
        label_span: Span,
    },
    Continue,
    Break,
    Return(Option<ExprId>),
    /// Attributes may follow the colon.
    Label {
        name: Symbol,
        name_span: Span,
        attributes: Vec<Attribute>,
        body: StmtId,
    },
    /// `last` is set for GNU `case first ... last:`.
    Case {
        first: ExprId,
        last: Option<ExprId>,
        body: StmtId,
    },
    Default {
        body: StmtId,
    },
    /// `__attribute__((opencl_unroll_hint(4))) for (…) …`
    Attributed {
        attributes: Vec<Attribute>,
        body: StmtId,
    },
    Pragma(Symbol),
    /// A stretch that did not parse and was reported.
    Error,
}
