//! The syntax tree: what was written, before anybody asks what it means.
//!
//! Nodes live in arenas and name each other by id, so that dropping a deep tree needs no stack.
//! Parentheses and comma lists are kept: whether `(float4)(a, b, c, d)` is a vector literal or a
//! cast of a comma expression depends on a type and is decided later.

use clc_base::{AddressSpace, Arena, Span, Symbol, define_id};
pub use clc_builtins::Access;

define_id!(
    /// An expression of [`Ast::exprs`].
    ExprId,
    "e"
);
define_id!(
    /// A statement of [`Ast::stmts`].
    StmtId,
    "st"
);

/// A translation unit.
#[derive(Debug, Default)]
pub struct Ast {
    /// Every expression.
    pub exprs: Arena<ExprId, Expr>,
    /// Every statement.
    pub stmts: Arena<StmtId, Stmt>,
    /// The external declarations in source order.
    pub items: Vec<ExternalDeclaration>,
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

/// C99 6.9.1.
#[derive(Debug)]
pub struct FunctionDefinition {
    /// The declaration specifiers.
    pub specifiers: Vec<Specifier>,
    /// Its first [`Declarator::derived`] is a [`Derived::Function`] with the parameters.
    pub declarator: Declarator,
    /// Attributes between the declarator and the body.
    pub attributes: Vec<Attribute>,
    /// Always a [`StmtKind::Compound`].
    pub body: StmtId,
    /// From the first specifier to the closing brace.
    pub span: Span,
}

/// `specifiers init-declarator-list? ;`
#[derive(Debug)]
pub struct Declaration {
    /// These apply to every declarator.
    pub specifiers: Vec<Specifier>,
    /// Empty in `struct s { … };`.
    pub declarators: Vec<InitDeclarator>,
    /// From the first specifier to the semicolon.
    pub span: Span,
}

/// A declarator of a declaration with what follows it (C99 6.7).
#[derive(Debug)]
pub struct InitDeclarator {
    /// The name with the derived types around it.
    pub declarator: Declarator,
    /// Those before and after the declarator.
    pub attributes: Vec<Attribute>,
    /// What follows `=`.
    pub initializer: Option<Initializer>,
}

/// `_Static_assert ( condition , message? ) ;`
#[derive(Debug)]
pub struct StaticAssert {
    /// An integer constant expression in a valid program.
    pub condition: ExprId,
    /// Adjacent string literals as they are written; none if there is no message.
    pub message: Box<[Symbol]>,
    /// From the keyword to the semicolon.
    pub span: Span,
}

/// Declaration specifiers, qualifiers and attributes in the order written.
#[derive(Debug)]
pub struct Specifier {
    /// The specifier with its parts.
    pub kind: SpecifierKind,
    /// Of the whole specifier, of a struct with its members.
    pub span: Span,
}

/// What can stand among declaration specifiers, in any order (C99 6.7).
#[derive(Debug)]
pub enum SpecifierKind {
    /// A storage class.
    Storage(StorageSpecifier),
    /// A qualifier of the type.
    Qualifier(Qualifier),
    /// `inline`, `kernel` or `_Noreturn`.
    Function(FunctionSpecifier),
    /// A type specifier; several of them make one type (`unsigned long`).
    Type(TypeSpecifier),
    /// One attribute of an `__attribute__((…))`.
    Attribute(Attribute),
}

/// C99 6.7.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageSpecifier {
    /// `typedef`
    Typedef,
    /// `extern`
    Extern,
    /// `static`
    Static,
    /// `auto`
    Auto,
    /// `register`
    Register,
}

/// Type qualifiers (C99 6.7.3), address spaces (OpenCL C 6.7) and access qualifiers (OpenCL C 6.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Qualifier {
    /// `const`
    Const,
    /// `volatile`
    Volatile,
    /// `restrict`
    Restrict,
    /// `global`, `local`, `constant`, `private` or `generic`.
    AddressSpace(AddressSpace),
    /// `read_only`, `write_only` or `read_write`.
    Access(Access),
}

/// C99 6.7.4 and OpenCL C 6.9.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionSpecifier {
    /// `inline`
    Inline,
    /// `kernel`
    Kernel,
    /// `_Noreturn`
    Noreturn,
}

/// C99 6.7.2 and OpenCL C 6.3. Whether a combination names a type is not judged here.
#[derive(Debug)]
pub enum TypeSpecifier {
    /// `void`
    Void,
    /// `bool` or `_Bool`
    Bool,
    /// `char`
    Char,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `half`
    Half,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `signed`
    Signed,
    /// `unsigned`
    Unsigned,
    /// `_Complex`, which OpenCL C does not have.
    Complex,
    /// `_Imaginary`, which OpenCL C does not have.
    Imaginary,
    /// A typedef name, or a name the language predeclares: `uint`, `float4`, `size_t`,
    /// `image2d_t`, `sampler_t`, `event_t`, ….
    Name(Symbol),
    /// `struct` or `union`.
    Record(RecordSpecifier),
    /// `enum`
    Enum(EnumSpecifier),
    /// GNU `typeof ( expression )`
    TypeofExpr(ExprId),
    /// GNU `typeof ( type-name )`
    TypeofType(Box<TypeName>),
    /// `pipe T` (the access qualifier is among the specifiers).
    Pipe(Box<TypeName>),
}

/// Which keyword declares a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// `struct`
    Struct,
    /// `union`
    Union,
}

/// C99 6.7.2.1.
#[derive(Debug)]
pub struct RecordSpecifier {
    /// Struct or union.
    pub kind: RecordKind,
    /// `None` for an anonymous one.
    pub tag: Option<(Symbol, Span)>,
    /// `None` for `struct s` without braces.
    pub members: Option<Vec<MemberDeclaration>>,
    /// Those after the keyword, then those after the closing brace.
    pub attributes: Vec<Attribute>,
}

/// `specifiers member-declarators? ;`
#[derive(Debug)]
pub struct MemberDeclaration {
    /// These apply to every declarator.
    pub specifiers: Vec<Specifier>,
    /// Empty for an anonymous struct or union (C11 6.7.2.1p13).
    pub declarators: Vec<MemberDeclarator>,
    /// From the first specifier to the semicolon.
    pub span: Span,
}

/// A member of a struct or union.
#[derive(Debug)]
pub struct MemberDeclarator {
    /// Has no name in an unnamed bit-field.
    pub declarator: Declarator,
    /// A bit-field's width; OpenCL C forbids bit-fields (6.11).
    pub bit_width: Option<ExprId>,
    /// Those before and after the declarator.
    pub attributes: Vec<Attribute>,
}

/// C99 6.7.2.2.
#[derive(Debug)]
pub struct EnumSpecifier {
    /// `None` for an anonymous one.
    pub tag: Option<(Symbol, Span)>,
    /// `None` for `enum e` without braces.
    pub enumerators: Option<Vec<Enumerator>>,
    /// Those after the keyword, then those after the closing brace.
    pub attributes: Vec<Attribute>,
}

/// `name` or `name = value`.
#[derive(Debug)]
pub struct Enumerator {
    /// Declared in the scope around the enum.
    pub name: Symbol,
    /// Of the name.
    pub span: Span,
    /// `None`: one more than the enumerator before, or 0.
    pub value: Option<ExprId>,
}

/// `__attribute__((name(arguments)))`
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Without surrounding underscores: `__aligned__` is `aligned`.
    pub name: Symbol,
    /// Empty without parentheses.
    pub arguments: Vec<AttributeArgument>,
    /// Of the name with its arguments.
    pub span: Span,
}

/// What an attribute has in its parentheses.
#[derive(Clone, Debug)]
pub enum AttributeArgument {
    /// `reqd_work_group_size(8, 8, 1)`; also names that are not declared, as in `mode(byte)`.
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
    /// From the name outwards.
    pub derived: Vec<Derived>,
    /// Of the declarator, or where an empty one would stand.
    pub span: Span,
}

/// One pointer, array, function or block that a declarator adds to a type (C99 6.7.5).
#[derive(Debug)]
pub enum Derived {
    /// Qualifiers (address spaces too) and attributes written after the `*`.
    Pointer {
        /// In source order.
        qualifiers: Vec<Specifier>,
        /// Of the `*`.
        span: Span,
    },
    /// A block pointer, `^`.
    Block {
        /// In source order.
        qualifiers: Vec<Specifier>,
        /// Of the `^`.
        span: Span,
    },
    /// `[ static? qualifiers? length? ]`
    Array {
        /// The number of elements, as far as it is written.
        length: ArrayLength,
        /// Of the pointer that the parameter becomes (C99 6.7.5.3p7).
        qualifiers: Vec<Specifier>,
        /// `static` stands in the brackets.
        is_static: bool,
        /// With the brackets.
        span: Span,
    },
    /// `( parameters )`
    Function {
        /// Empty for `( )` and `( void )`.
        parameters: Vec<Parameter>,
        /// They end in `...`.
        variadic: bool,
        /// With the parentheses.
        span: Span,
    },
}

/// What stands in the brackets of an array declarator (C99 6.7.5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayLength {
    /// `[]`
    Unknown,
    /// `[*]`
    Star,
    /// `[expression]`
    Expr(ExprId),
}

/// `f(void)` and `f()` have no parameters.
#[derive(Debug)]
pub struct Parameter {
    /// The declaration specifiers.
    pub specifiers: Vec<Specifier>,
    /// May be abstract.
    pub declarator: Declarator,
    /// Those before and after the declarator.
    pub attributes: Vec<Attribute>,
    /// From the first specifier to the end of the declarator.
    pub span: Span,
}

/// C99 6.7.6: the name of a type, as in casts and `sizeof`.
#[derive(Debug)]
pub struct TypeName {
    /// The specifier-qualifier list.
    pub specifiers: Vec<Specifier>,
    /// An abstract declarator.
    pub declarator: Declarator,
    /// Of the whole type name.
    pub span: Span,
}

/// C99 6.7.8.
#[derive(Debug)]
pub enum Initializer {
    /// An assignment expression.
    Expr(ExprId),
    /// `{ … }`
    List(InitializerList),
}

/// A braced list (C99 6.7.8).
#[derive(Debug)]
pub struct InitializerList {
    /// In source order; a trailing comma adds none.
    pub items: Vec<InitializerItem>,
    /// With the braces.
    pub span: Span,
}

/// `designation? initializer`
#[derive(Debug)]
pub struct InitializerItem {
    /// Empty when the item just comes next.
    pub designators: Vec<Designator>,
    /// What initializes the subobject.
    pub value: Initializer,
}

/// A step to a subobject (C99 6.7.8, `offsetof` of C99 7.17).
#[derive(Debug)]
pub enum Designator {
    /// `[index]`
    Index(ExprId, Span),
    /// GNU `[first ... last]`
    Range(ExprId, ExprId, Span),
    /// `.name`
    Member(Symbol, Span),
}

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
    /// `sizeof expression`
    SizeofExpr(ExprId),
    /// `sizeof ( type-name )`
    SizeofType(Box<TypeName>),
    /// GNU `__alignof__ expression`
    AlignofExpr(ExprId),
    /// `__alignof__ ( type-name )`
    AlignofType(Box<TypeName>),
    /// `vec_step ( expression )` (OpenCL C 6.15.13)
    VecStepExpr(ExprId),
    /// `vec_step ( type-name )`
    VecStepType(Box<TypeName>),
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

/// A block of the Blocks language extension (OpenCL C 6.14).
#[derive(Debug)]
pub struct BlockLiteral {
    /// The type of the result; `None`: that of the `return` statements.
    pub ty: Option<TypeName>,
    /// Empty without parentheses too.
    pub parameters: Vec<Parameter>,
    /// The parameters end in `...`.
    pub variadic: bool,
    /// A [`StmtKind::Compound`].
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
