//! The state of one analysis, and the seam between its halves.
//!
//! *Declarations* (`declarations/`, `statements/`, `layout`, `initializers`, `attributes`) and
//! *expressions* (`expressions/`, `conversions`, `literals`, `constants`, `calls`) are both
//! `impl Sema` blocks. What one half calls in the other:
//!
//! | provided by declarations | |
//! |---|---|
//! | `lookup(name)` | innermost [`Entity`] a name denotes |
//! | `type_name(&TypeName)` | the type of a cast, `sizeof`, compound literal |
//! | `initializer_list(ty, &list, constant)` | a brace-enclosed list as a value of a type |
//! | `statement_block(stmt)` | the body of a statement expression |
//! | `new_local(name, ty, span)` | a local of the current function |
//! | `string_literal(bytes, span)` | the global that holds a string |
//!
//! | provided by expressions | |
//! |---|---|
//! | `expr(e)` | an lvalue or a value, as written |
//! | `value(e)` | the same after lvalue conversion, array and function decay |
//! | `condition(e)` | a value of scalar type, for `if` and loops |
//! | `implicit_convert(value, ty, context)` | conversion as if by assignment, with diagnostics |
//! | `integer_constant(e, what)` | the value of an integer constant expression |
//! | `evaluate(hir)` | the value of a constant expression, addresses too, for initialisers |

use clc_base::lang::{AddressBits, FloatOptions};
use clc_base::memory_model::MemoryScope;
use clc_base::{Arena, Diagnostic, Interner, Span, Symbol, Version};
use clc_builtins::ExtensionSet;
use clc_builtins::features::FEATURE_ATOMIC_SCOPE_ALL_DEVICES;
use clc_syntax::ast::Ast;

use crate::hir::{self, FuncId, GlobalId, LocalId};
use crate::types::{QualType, TypeId};

/// What the command line and the target say about the meaning of a program.
#[derive(Clone, Debug)]
pub struct SemaOptions {
    /// The language version that the program is written in.
    pub version: Version,
    /// The extensions and optional features that the target has.
    pub extensions: ExtensionSet,
    /// Bits of pointers and of `size_t`.
    pub address_bits: AddressBits,
    /// Allowed floating-point transformations, and the type of literals without a suffix.
    pub float: FloatOptions,
    /// Programs follow the aliasing rules of C99 6.5p7 (`-fno-strict-aliasing` says that they do not).
    pub strict_aliasing: bool,
    /// Sums, differences and products of signed integers wrap (`-fwrapv`).
    pub signed_overflow_wraps: bool,
}

/// What a name denotes.
#[derive(Clone, Debug)]
pub(crate) enum Entity {
    Typedef(QualType),
    Local(LocalId),
    Global(GlobalId),
    /// More than one with `__attribute__((overloadable))`.
    Function(Vec<FuncId>),
    EnumConstant {
        value: i64,
        ty: TypeId,
    },
}

/// Why a conversion takes place; decides wording and leniency.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ConversionContext {
    Assignment,
    Initialization,
    /// Argument `index` (from 0) of a function; `parameter` is where it is declared.
    Argument {
        index: usize,
        callee: Symbol,
        parameter: Span,
    },
    Return,
}

/// The extensions in force before any `#pragma`: those that add functions, as in other compilers,
/// but not those that change what types mean (OpenCL C 6.12.1). Until `double` became optional core
/// in 1.2, it had to be enabled: without, `1.0` is a `float` constant (OpenCL C 1.1 9.3).
fn initial_extensions(options: &SemaOptions) -> ExtensionSet {
    let mut extensions = options.extensions.clone();
    extensions.remove(clc_builtins::features::FP16);
    if options.version < Version::V1_2 {
        extensions.remove(clc_builtins::features::FP64);
    }
    extensions
}

/// The state of one analysis.
pub(crate) struct Sema<'a> {
    pub ast: &'a Ast,
    pub interner: &'a mut Interner,
    pub options: &'a SemaOptions,
    pub module: hir::Module,
    pub diagnostics: Vec<Diagnostic>,
    pub scopes: crate::scopes::Scopes,
    /// Set while a function body is analysed.
    pub function: Option<crate::scopes::FunctionContext>,
    /// The functions around the block that is analysed, outermost first.
    pub enclosing: Vec<crate::scopes::FunctionContext>,
    /// Extensions as `#pragma OPENCL EXTENSION` left them at this point of the program.
    pub extensions: ExtensionSet,
    /// What the expressions half remembers from one expression to the next.
    pub memory: crate::expressions::Memory,
    /// What was reported, and need not be again.
    pub reported: crate::consequences::Reported,
    /// What declarations and statements keep track of.
    pub declared: crate::declarations::Declared,
    /// What the lints want to know.
    pub notes: crate::lints::Notes,
    /// Calls that make matrices of a type that their context says.
    pub matrices_of_context: Vec<hir::ExprId>,
    /// What names mean, if an index was asked for.
    pub index: Option<Box<crate::index::Index>>,
}

impl<'a> Sema<'a> {
    pub(crate) fn new(
        ast: &'a Ast,
        options: &'a SemaOptions,
        interner: &'a mut Interner,
    ) -> Sema<'a> {
        let module = hir::Module {
            types: crate::types::TypeTable::new(options.address_bits.bytes()),
            // What was written, and what conversions add: rarely as much again. Room that is not
            // used costs nothing, to move the largest arena of all does.
            exprs: Arena::with_capacity(2 * ast.exprs.len()),
            stmts: Arena::with_capacity(ast.stmts.len()),
            functions: Default::default(),
            globals: Default::default(),
            version: options.version,
            spec_constants: Vec::new(),
            widest_scope: if options.extensions.contains(FEATURE_ATOMIC_SCOPE_ALL_DEVICES) {
                MemoryScope::AllDevices
            } else {
                MemoryScope::Device
            },
            float_options: options.float,
            strict_aliasing: options.strict_aliasing,
            signed_overflow_wraps: options.signed_overflow_wraps,
        };
        Sema {
            ast,
            interner,
            options,
            module,
            diagnostics: Vec::new(),
            scopes: Default::default(),
            function: None,
            enclosing: Vec::new(),
            extensions: initial_extensions(options),
            memory: Default::default(),
            reported: Default::default(),
            declared: Default::default(),
            notes: Default::default(),
            matrices_of_context: Vec::new(),
            index: None,
        }
    }

    /// What the innermost declaration of `name` in sight declares; predeclared enumerators too.
    pub(crate) fn lookup(&self, name: Symbol) -> Option<&crate::scopes::Binding> {
        self.scopes.lookup(name)
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub(crate) fn push_expr(
        &mut self,
        kind: hir::ExprKind,
        ty: impl Into<QualType>,
        span: Span,
    ) -> hir::ExprId {
        self.module.exprs.push(hir::Expr { kind, ty: ty.into(), span })
    }

    /// The expression that stands for something already reported.
    pub(crate) fn error_expr(&mut self, span: Span) -> hir::ExprId {
        self.push_expr(hir::ExprKind::Error, crate::types::TypeTable::ERROR, span)
    }

    pub(crate) fn push_stmt(&mut self, kind: hir::StmtKind, span: Span) -> hir::StmtId {
        self.module.stmts.push(hir::Stmt { kind, span })
    }
}
