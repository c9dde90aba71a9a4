//! What every lint has: the program, what is on, and what was found.

use clc_base::{Code, Diagnostic, Interner, SourceMap, Span};
use clc_builtins::Scalar;
use clc_syntax::ast::Ast;

use super::notes::Notes;
use crate::hir::{self, ExprId, ExprKind, FuncId, LocalId};
use crate::types::{Type, TypeId};

/// The lints at work.
pub(super) struct Lints<'a> {
    pub(super) ast: &'a Ast,
    pub(super) module: &'a hir::Module,
    pub(super) interner: &'a Interner,
    pub(super) notes: &'a Notes,
    /// Expressions that each body owns: a contiguous range of ids.
    pub(super) owned: &'a [(FuncId, std::ops::Range<u32>)],
    pub(super) sources: &'a SourceMap,
    pub(super) uniform_work_groups: bool,
    /// Bit `n` is set if `W08nn` is shown.
    pub(super) on: u128,
    /// Something in the program is wrong: not every node of the trees has a meaning.
    pub(super) has_errors: bool,
    pub(super) found: Vec<Diagnostic>,
}

/// `nn` of `W08nn`.
pub(super) fn number(code: &Code) -> u32 {
    code.id.get(3..).and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

impl<'a> Lints<'a> {
    pub(super) fn is_on(&self, code: &Code) -> bool {
        self.on >> number(code) & 1 != 0
    }

    pub(super) fn any_on(&self, codes: &[&Code]) -> bool {
        codes.iter().any(|code| self.is_on(code))
    }

    /// Takes a warning, if it is on.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if self.is_on(diagnostic.code) {
            self.found.push(diagnostic);
        }
    }

    pub(super) fn kind(&self, expr: ExprId) -> &'a ExprKind {
        &self.module.exprs[expr].kind
    }

    pub(super) fn span(&self, expr: ExprId) -> Span {
        self.module.exprs[expr].span
    }

    pub(super) fn ty(&self, expr: ExprId) -> TypeId {
        self.module.exprs[expr].ty.ty
    }

    pub(super) fn scalar(&self, expr: ExprId) -> Option<Scalar> {
        self.module.types.as_scalar(self.ty(expr))
    }

    pub(super) fn type_text(&self, ty: TypeId) -> String {
        crate::spelling::type_text(&self.module.types, self.interner, ty.into())
    }

    /// Whether two operands stand where one of some operators is written between them: what macros make equal may differ
    /// elsewhere, and where a macro puts its arguments side by side none is.
    pub(super) fn is_written(&self, left: ExprId, right: ExprId, operators: &[char]) -> bool {
        let (left, right) = (self.span(left), self.span(right));
        if left.is_none() || right.is_none() {
            return false;
        }
        let ends = [left.lo, left.hi - 1, right.lo, right.hi - 1];
        let between = self.sources.text(Span::new(left.hi, right.lo));
        ends.iter().all(|&end| self.sources.expansion_at(end).is_none())
            && between.is_some_and(|text| text.contains(operators))
    }

    /// Whether a span lies in what a macro expanded to.
    pub(super) fn in_macro(&self, span: Span) -> bool {
        self.sources.expansion_at(span.lo).is_some()
    }

    /// Whether a span lies in an included file.
    pub(super) fn in_include(&self, span: Span) -> bool {
        let location = self.sources.resolve(span);
        location.is_none_or(|location| self.sources.file(location.file).included_from.is_some())
    }

    /// The name of a variable of a function; empty for temporaries.
    pub(super) fn local_name(&self, function: FuncId, local: LocalId) -> &'a str {
        let name = self.module.functions[function].locals[local].name;
        name.map_or("", |name| self.interner.resolve(name))
    }

    /// The expression below implicit conversions: those have the span of their operand.
    pub(super) fn below_implicit(&self, mut expr: ExprId) -> ExprId {
        while let Some(operand) = self.implicit_operand(expr) {
            expr = operand;
        }
        expr
    }

    /// What an implicit conversion converts; `None` if the expression is none. A cast covers more
    /// text than its operand.
    pub(super) fn implicit_operand(&self, expr: ExprId) -> Option<ExprId> {
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
    pub(super) fn integer(&self, expr: ExprId) -> Option<i128> {
        let ExprKind::Constant(bits) = *self.kind(expr) else { return None };
        let scalar = self.scalar(expr).filter(|scalar| scalar.is_integer())?;
        Some(crate::folding::integer_value(scalar, bits))
    }

    /// Whether two expressions without effects are written alike and so have one value, if
    /// nothing happens in between.
    pub(super) fn same(&self, left: ExprId, right: ExprId) -> bool {
        let mut budget = 64;
        self.same_within(left, right, &mut budget)
    }

    pub(super) fn same_within(&self, left: ExprId, right: ExprId, budget: &mut u32) -> bool {
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
    pub(super) fn is_float(&self, ty: TypeId) -> bool {
        match self.module.types.get(ty) {
            Type::Scalar(scalar) | Type::Vector(scalar, _) => scalar.is_float(),
            _ => false,
        }
    }
}
