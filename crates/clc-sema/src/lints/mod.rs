//! Lints: warnings about what is legal and most likely not meant.
//!
//! They look at a finished analysis without errors, and change nothing: the syntax tree for what
//! parentheses and layout say ([`parentheses`], [`bodies`], [`indentation`]), the typed tree for the rest. [`walk`] goes over
//! each body once and asks the lints of single expressions and statements; [`unused`] draws
//! conclusions from what it saw of names; the lints of control flow work on the graph of
//! [`flow`](crate::flow). Nothing is done for warnings that are off.

mod arrays;
mod bodies;
mod comparisons;
mod conversions;
mod data_flow;
mod dead_stores;
mod divergence;
mod indentation;
mod local_memory;
mod parentheses;
mod ranges;
mod shadowing;
mod shifts;
mod statements;
mod uninitialized;
mod unreachable;
mod unsequenced;
mod unused;
mod walk;
mod work_groups;

use clc_base::{Code, Diagnostic, Interner, SourceMap, Span};
use clc_builtins::Scalar;
use clc_syntax::ast::Ast;
pub(crate) use conversions::inexact_constant;
use rustc_hash::FxHashSet;
pub(crate) use shifts::diagnostic as shift_diagnostic;

use crate::diagnostics::lints as codes;
use crate::hir::{self, ExprId, ExprKind, FuncId, LocalId};
use crate::types::{Type, TypeId};

/// What decides which lints speak.
pub struct LintOptions<'a> {
    pub sources: &'a SourceMap,
    /// Whether a warning is shown.
    pub is_on: &'a dyn Fn(&Code) -> bool,
    /// All work-groups of a kernel have one size: `-cl-uniform-work-group-size`.
    pub uniform_work_groups: bool,
}

/// What the analysis noted for the lints, because the typed tree does not tell.
#[derive(Debug, Default)]
pub struct Notes {
    /// Names of things that were declared with `__attribute__((unused))`.
    pub(crate) marked_unused: FxHashSet<Span>,
    /// Types that blocks declare, where the name stands.
    pub(crate) local_typedefs: Vec<Span>,
    /// Those that were used.
    pub(crate) used_typedefs: FxHashSet<Span>,
    /// Variables of functions that hide others.
    pub(crate) hiding: Vec<Hiding>,
}

/// A variable whose name is that of another one in sight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hiding {
    pub name: Span,
    pub hidden: Span,
    /// The hidden one is of program scope.
    pub is_global: bool,
}

/// The lints at work.
struct Lints<'a> {
    ast: &'a Ast,
    module: &'a hir::Module,
    interner: &'a Interner,
    notes: &'a Notes,
    /// Expressions that each body owns: a contiguous range of ids.
    owned: &'a [(FuncId, std::ops::Range<u32>)],
    sources: &'a SourceMap,
    uniform_work_groups: bool,
    /// Bit `n` is set if `W08nn` is shown.
    on: u128,
    found: Vec<Diagnostic>,
}

/// The warnings about a translation unit without errors, in the order of the source.
pub(crate) fn run(
    ast: &Ast,
    module: &hir::Module,
    interner: &Interner,
    notes: &Notes,
    owned: &[(FuncId, std::ops::Range<u32>)],
    options: &LintOptions<'_>,
) -> Vec<Diagnostic> {
    let on = codes::LIST
        .iter()
        .filter(|code| (options.is_on)(code))
        .fold(0, |on, code| on | 1u128 << number(code));
    if on == 0 {
        return Vec::new();
    }
    let mut lints = Lints {
        ast,
        module,
        interner,
        notes,
        owned,
        sources: options.sources,
        uniform_work_groups: options.uniform_work_groups,
        on,
        found: Vec::new(),
    };
    parentheses::check(&mut lints);
    bodies::check(&mut lints);
    indentation::check(&mut lints);
    shadowing::check(&mut lints);
    let uses = walk::module(&mut lints);
    unused::check(&mut lints, &uses);
    data_flow::check(&mut lints, &uses);
    let sources = lints.sources;
    let mut found = lints.found;
    found.sort_by_cached_key(|diagnostic| {
        let place = sources.resolve(diagnostic.primary.span);
        place.map(|place| (place.file, place.start, diagnostic.primary.span.lo))
    });
    found
}

/// `nn` of `W08nn`.
fn number(code: &Code) -> u32 {
    code.id.get(3..).and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

impl<'a> Lints<'a> {
    fn is_on(&self, code: &Code) -> bool {
        self.on >> number(code) & 1 != 0
    }

    fn any_on(&self, codes: &[&Code]) -> bool {
        codes.iter().any(|code| self.is_on(code))
    }

    /// Takes a warning, if it is on.
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.is_on(diagnostic.code) {
            self.found.push(diagnostic);
        }
    }

    fn kind(&self, expr: ExprId) -> &'a ExprKind {
        &self.module.exprs[expr].kind
    }

    fn span(&self, expr: ExprId) -> Span {
        self.module.exprs[expr].span
    }

    fn ty(&self, expr: ExprId) -> TypeId {
        self.module.exprs[expr].ty.ty
    }

    fn scalar(&self, expr: ExprId) -> Option<Scalar> {
        self.module.types.as_scalar(self.ty(expr))
    }

    fn type_text(&self, ty: TypeId) -> String {
        crate::spelling::type_text(&self.module.types, self.interner, ty.into())
    }

    /// Whether a place lies in what a macro expanded to.
    fn in_macro(&self, span: Span) -> bool {
        self.sources.expansion_at(span.lo).is_some()
    }

    /// Whether a place lies in an included file.
    fn in_include(&self, span: Span) -> bool {
        let place = self.sources.resolve(span);
        place.is_none_or(|place| self.sources.file(place.file).included_from.is_some())
    }

    /// The name of a variable of a function; empty for temporaries.
    fn local_name(&self, function: FuncId, local: LocalId) -> &'a str {
        let name = self.module.functions[function].locals[local].name;
        name.map_or("", |name| self.interner.resolve(name))
    }

    /// The expression below implicit conversions: those have the place of their operand.
    fn below_implicit(&self, mut expr: ExprId) -> ExprId {
        while let Some(operand) = self.implicit_operand(expr) {
            expr = operand;
        }
        expr
    }

    /// What an implicit conversion converts; `None` if the expression is none. A cast covers more
    /// text than its operand.
    fn implicit_operand(&self, expr: ExprId) -> Option<ExprId> {
        match *self.kind(expr) {
            ExprKind::Convert { operand, rounding: None, saturate: false }
            | ExprKind::Splat(operand)
                if self.span(operand) == self.span(expr) =>
            {
                Some(operand)
            }
            _ => None,
        }
    }

    /// The value of an integer constant.
    fn integer(&self, expr: ExprId) -> Option<i128> {
        let ExprKind::Constant(bits) = *self.kind(expr) else { return None };
        let scalar = self.scalar(expr).filter(|scalar| scalar.is_integer())?;
        Some(crate::folding::integer_value(scalar, bits))
    }

    /// Whether two expressions without effects are written alike and so have one value, if
    /// nothing happens in between.
    fn same(&self, left: ExprId, right: ExprId) -> bool {
        let mut budget = 64;
        self.same_within(left, right, &mut budget)
    }

    fn same_within(&self, left: ExprId, right: ExprId, budget: &mut u32) -> bool {
        if *budget == 0 || self.ty(left) != self.ty(right) {
            return false;
        }
        *budget -= 1;
        match (self.kind(left), self.kind(right)) {
            (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
            (ExprKind::Global(a), ExprKind::Global(b)) => a == b,
            (ExprKind::Constant(a), ExprKind::Constant(b)) => a == b,
            (ExprKind::Load(a), ExprKind::Load(b)) => {
                !self.module.exprs[*a].ty.quals.is_volatile && self.same_within(*a, *b, budget)
            }
            (ExprKind::Deref(a), ExprKind::Deref(b))
            | (ExprKind::AddressOf(a), ExprKind::AddressOf(b))
            | (ExprKind::Decay(a), ExprKind::Decay(b))
            | (ExprKind::Splat(a), ExprKind::Splat(b)) => self.same_within(*a, *b, budget),
            (
                ExprKind::Convert { operand: a, rounding: x, saturate: s },
                ExprKind::Convert { operand: b, rounding: y, saturate: t },
            ) => x == y && s == t && self.same_within(*a, *b, budget),
            (ExprKind::Member { base: a, field: x }, ExprKind::Member { base: b, field: y }) => {
                x == y && self.same_within(*a, *b, budget)
            }
            (
                ExprKind::Swizzle { base: a, swizzle: x },
                ExprKind::Swizzle { base: b, swizzle: y },
            ) => x == y && self.same_within(*a, *b, budget),
            (
                ExprKind::VectorElement { base: a, index: x },
                ExprKind::VectorElement { base: b, index: y },
            ) => self.same_within(*a, *b, budget) && self.same_within(*x, *y, budget),
            (
                ExprKind::PtrAdd { pointer: a, index: x, negate: n },
                ExprKind::PtrAdd { pointer: b, index: y, negate: m },
            ) => n == m && self.same_within(*a, *b, budget) && self.same_within(*x, *y, budget),
            (
                ExprKind::Binary { op, left: a, right: x },
                ExprKind::Binary { op: other, left: b, right: y },
            ) => {
                op == other && self.same_within(*a, *b, budget) && self.same_within(*x, *y, budget)
            }
            (
                ExprKind::Intrinsic { intrinsic, arguments },
                ExprKind::Intrinsic { intrinsic: other, arguments: others },
            ) => {
                intrinsic == other
                    && intrinsic.effects().is_pure()
                    && arguments.len() == others.len()
                    && arguments.iter().zip(others).all(|(a, b)| self.same_within(*a, *b, budget))
            }
            _ => false,
        }
    }

    /// Whether a value is a vector's or a scalar's of floating-point type.
    fn is_float(&self, ty: TypeId) -> bool {
        match self.module.types.get(ty) {
            Type::Scalar(scalar) | Type::Vector(scalar, _) => scalar.is_float(),
            _ => false,
        }
    }
}
