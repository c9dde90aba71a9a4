//! The typed tree: what the program means, with every implicit conversion made explicit.
//!
//! # Lvalues and values
//! An expression is either an *lvalue* (it denotes an object in an address space) or a *value*.
//! [`Module::is_lvalue`] tells which. Lvalues become values only through [`ExprKind::Load`],
//! [`ExprKind::AddressOf`] and [`ExprKind::Decay`]; the operation that an operand belongs to decides
//! which of the two it must be, and [`verify`](crate::verify) checks it.
//!
//! # Types of operands
//! * Arithmetic, comparison and bitwise operands have equal types; conversions are explicit
//!   [`ExprKind::Convert`]s and [`ExprKind::Splat`]s.
//! * Enums never appear as operand types of arithmetic: they are converted to integers.
//! * Conditions (`if`, loops, `!`, `&&`, `||`, `?:` on scalars) have any scalar type: arithmetic or
//!   pointer; true means not equal to zero.
//! * The result of comparisons, `!`, `&&` and `||` is `int` for scalars (0 or 1) and the signed
//!   integer vector of the same element size for vectors (0 or -1) (OpenCL C 6.3).

mod constants;
mod expressions;
mod ids;
mod statements;

use clc_base::lang::{FloatOptions, GroupExtent};
use clc_base::memory_model::MemoryScope;
use clc_base::{AddressSpace, Arena, Span, Symbol, Version};

pub use self::constants::{Constant, SamplerInit};
pub use self::expressions::{
    BinaryOp, BlockOperands, CompareOp, Expr, ExprKind, LogicalOp, StatementExpression, Swizzle,
    UnaryOp,
};
pub use self::ids::{CaseId, ExprId, FuncId, GlobalId, LabelId, LocalId, StmtId};
pub use self::statements::{Case, LoopHint, Stmt, StmtKind};
use crate::types::{Access, QualType, TypeId, TypeTable};

/// An analysed translation unit.
#[derive(Debug)]
pub struct Module {
    /// The types that the program mentions.
    pub types: TypeTable,
    /// The expressions of all functions; also some that no statement refers to, such as operands
    /// of `sizeof`.
    pub exprs: Arena<ExprId, Expr>,
    /// The statements of all functions.
    pub stmts: Arena<StmtId, Stmt>,
    /// Declared and defined functions and those of block literals, in the order of the source.
    pub functions: Arena<FuncId, Function>,
    /// Objects with static storage duration, in the order of the source.
    pub globals: Arena<GlobalId, Global>,
    /// The specialization constants that the program names, each once.
    pub spec_constants: Vec<SpecConstant>,
    /// The language version that the program was compiled as.
    pub version: Version,
    /// The widest scope that the program can name.
    pub widest_scope: MemoryScope,
    /// What the command line allows of floating-point transformations.
    pub float_options: FloatOptions,
    /// Accesses follow C99 6.5p7, as OpenCL C 6.3.8 asks, and no attribute `may_alias` exempts any.
    pub strict_aliasing: bool,
    /// Sums, differences and products of signed integers that do not fit wrap.
    pub signed_overflow_wraps: bool,
}

/// A function; declarations of one function are one entity.
#[derive(Debug)]
pub struct Function {
    /// As in the source; overloads share it.
    pub name: Symbol,
    /// The name in the definition, or in the first declaration if there is none.
    pub span: Span,
    /// `void` for functions that return nothing.
    pub result: TypeId,
    /// Parameters come first among the locals: parameter `i` is `LocalId(i)`.
    pub param_count: u32,
    /// Parameters, automatic variables and temporaries.
    pub locals: Arena<LocalId, Local>,
    /// Labels that `goto` can name, in the order of their first use.
    pub labels: Arena<LabelId, Label>,
    /// Number of [`CaseId`]s in use.
    pub case_count: u32,
    /// `None` for a function that is only declared.
    pub body: Option<StmtId>,
    /// `None` if not a kernel.
    pub kernel: Option<Box<Kernel>>,
    /// Whether other modules see the function.
    pub linkage: Linkage,
    /// What all declarations of the function say together.
    pub attributes: FunctionAttributes,
    /// `None` if not the function of a block literal.
    pub block: Option<Box<BlockLiteral>>,
}

/// The part of a block literal's function that other functions do not have.
#[derive(Clone, Debug, Default)]
pub struct BlockLiteral {
    /// The captured variables in the order of their first use.
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

/// Linkage of functions and objects (C99 6.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// Other modules see the name.
    External,
    /// `static`, and `inline` without `extern`.
    Internal,
}

/// Attributes and specifiers that any function can have; those of kernels only are in [`Kernel`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FunctionAttributes {
    /// `__attribute__((always_inline))`
    pub always_inline: bool,
    /// `__attribute__((noinline))`
    pub no_inline: bool,
    /// `__attribute__((const))`: the result depends on the arguments only.
    pub is_const: bool,
    /// `__attribute__((pure))`: reads memory, but has no side effects.
    pub is_pure: bool,
    /// `inline` was written.
    pub inline_hint: bool,
    /// `static` was written.
    pub is_static: bool,
    /// `__attribute__((overloadable))`
    pub overloadable: bool,
}

/// What the host can ask of a kernel (OpenCL C 6.9.2 and `clGetKernelArgInfo`).
#[derive(Clone, Debug, Default)]
pub struct Kernel {
    /// Work-items of a work-group in each dimension: `__attribute__((reqd_work_group_size(x, y, z)))`.
    pub reqd_work_group_size: Option<[u32; 3]>,
    /// The same where the host chooses at least one of them by a specialization constant; there is then
    /// no [`Kernel::reqd_work_group_size`].
    pub work_group_constants: Option<[GroupExtent; 3]>,
    /// As [`Kernel::reqd_work_group_size`], but only the likely size.
    pub work_group_size_hint: Option<[u32; 3]>,
    /// The type that the kernel mostly computes with: `__attribute__((vec_type_hint(type)))`.
    pub vec_type_hint: Option<TypeId>,
    /// Work-items of a sub-group: `__attribute__((intel_reqd_sub_group_size(n)))`.
    pub sub_group_size: Option<u32>,
    /// One for each parameter, as the source spells it.
    pub arguments: Vec<KernelArgument>,
}

/// A parameter of a kernel as `clGetKernelArgInfo` describes it.
#[derive(Clone, Debug)]
pub struct KernelArgument {
    /// As `clGetKernelArgInfo` spells it: `float*`, `image2d_t`.
    pub type_name: String,
    /// `const`, `restrict`, `volatile`, `pipe`, separated by spaces in this order.
    pub type_qualifiers: String,
    /// Of images and pipes; `None` for other types.
    pub access: Option<Access>,
    /// Of what a pointer points to; `Global` for images and pipes, `Private` for other types.
    pub address_space: AddressSpace,
}

/// A parameter, automatic variable or temporary of a function.
#[derive(Debug)]
pub struct Local {
    /// `None` for temporaries (compound literals) and unnamed parameters.
    pub name: Option<Symbol>,
    /// Type and qualifiers of the object.
    pub ty: QualType,
    /// Alignment in bytes, at least the type's.
    pub align: u64,
    /// Holds what a block captured.
    pub is_captured: bool,
    /// The name, or the expression that a temporary was made for.
    pub span: Span,
}

/// A label that `goto` can name (C99 6.8.1).
#[derive(Debug)]
pub struct Label {
    /// Unique in the function.
    pub name: Symbol,
    /// The name where the label stands.
    pub span: Span,
}

/// An object with static storage duration (C99 6.2.4).
#[derive(Debug)]
pub struct Global {
    /// Unique in the module; variables of functions are named `function.variable`, string
    /// literals `.str`, `.str.1`, ….
    pub name: String,
    /// Type and qualifiers of the object.
    pub ty: QualType,
    /// `Global`, `Constant` or `Local`.
    pub space: AddressSpace,
    /// A value of the object's type; without it, the object is zero, or undefined in `Local`.
    pub initializer: Option<Constant>,
    /// Alignment in bytes, at least the type's.
    pub align: u64,
    /// Whether other modules see the object.
    pub linkage: Linkage,
    /// Declared `extern` and never defined here.
    pub is_declaration: bool,
    /// `__attribute__((spec_constant(number)))`: a name for a value, and no object. Nothing refers to it.
    pub spec_constant: Option<u32>,
    /// The name, or the string literal.
    pub span: Span,
}

/// A value that the host may change before the module is compiled for a device (SPIR-V 2.12).
#[derive(Clone, Copy, Debug)]
pub struct SpecConstant {
    /// By which the host names it.
    pub number: u32,
    /// Its name in the source, where it has one.
    pub name: Option<Symbol>,
    /// A scalar type.
    pub ty: TypeId,
    /// The bits of the value that it has otherwise.
    pub default: u64,
    /// Where it was first named.
    pub span: Span,
}

impl Module {
    /// The expression of an id of this module.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id]
    }

    /// Whether an expression denotes an object.
    pub fn is_lvalue(&self, id: ExprId) -> bool {
        match &self.exprs[id].kind {
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Deref(_)
            | ExprKind::CompoundLiteral { .. } => true,
            ExprKind::Member { base, .. }
            | ExprKind::Swizzle { base, .. }
            | ExprKind::VectorElement { base, .. } => self.is_lvalue(*base),
            _ => false,
        }
    }

    /// The address space of an lvalue; `Private` for anything else.
    pub(crate) fn lvalue_space(&self, id: ExprId) -> AddressSpace {
        match &self.exprs[id].kind {
            ExprKind::Global(global) => self.globals[*global].space,
            ExprKind::Deref(pointer) => self
                .types
                .as_pointer(self.exprs[*pointer].ty.ty)
                .map_or(AddressSpace::Private, |(_, space)| space),
            ExprKind::Member { base, .. }
            | ExprKind::Swizzle { base, .. }
            | ExprKind::VectorElement { base, .. } => self.lvalue_space(*base),
            _ => AddressSpace::Private,
        }
    }
}
