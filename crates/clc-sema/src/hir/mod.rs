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

mod constants;
mod expressions;
mod ids;
mod statements;

use clc_base::lang::FloatOptions;
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
