//! Declarations (C99 6.7, 6.9): specifiers, declarators, type names, initializers and attributes.

use clc_base::{AddressSpace, Span, Symbol};
use clc_builtins::Access;

use super::ids::{ExprId, StmtId};

/// C99 6.9.1.
#[derive(Debug)]
pub struct FunctionDefinition {
    /// The declaration specifiers.
    pub specifiers: Vec<Specifier>,
    /// Its first [`Declarator::derived`] is a [`Derived::Function`] with the parameters.
    pub declarator: Declarator,
    /// Attributes between the declarator and the body.
    pub attributes: Vec<Attribute>,
    /// Always a [`StmtKind::Compound`](super::StmtKind::Compound).
    pub body: StmtId,
    /// From the first specifier to the closing brace.
    pub span: Span,
    /// There are syntax errors in it, or where it begins was guessed.
    pub has_errors: bool,
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
    /// A name that names no type, which was reported.
    Error,
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
    /// Of the name as it is written.
    pub name_span: Span,
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

impl Specifier {
    /// Stands for the type of what did not parse.
    pub(crate) fn error(span: Span) -> Specifier {
        Specifier { kind: SpecifierKind::Type(TypeSpecifier::Error), span }
    }
}

impl From<Attribute> for Specifier {
    fn from(attribute: Attribute) -> Specifier {
        let span = attribute.span;
        Specifier { kind: SpecifierKind::Attribute(attribute), span }
    }
}
