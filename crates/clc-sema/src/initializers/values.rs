//! From the tree of an initialiser to a constant or a value for run time.

use clc_base::{Diagnostic, Span};

use super::tree::{Init, MAX_ELEMENTS};
use crate::context::Sema;
use crate::diagnostics::declarations as codes;
use crate::hir::{Constant, ExprId, ExprKind};
use crate::types::{Type, TypeId};

impl Sema<'_> {
    pub(super) fn constant_expr(&mut self, constant: Constant, ty: TypeId, span: Span) -> ExprId {
        let is_scalar = self.module.types.as_scalar(ty).is_some();
        let kind = match constant {
            Constant::Scalar(bits) if is_scalar => ExprKind::Constant(bits),
            Constant::Zero if is_scalar => ExprKind::Constant(0),
            Constant::Zero if self.module.types.as_pointer(ty).is_some() => ExprKind::Null,
            constant => ExprKind::ConstantValue(Box::new(constant)),
        };
        self.push_expr(kind, ty, span)
    }

    /// A value for run time: a constant if it can be one.
    pub(super) fn value_of(&mut self, init: Init, ty: TypeId, span: Span) -> ExprId {
        if self.module.types.is_error(ty) {
            return self.error_expr(span);
        }
        if let Init::Value(value) = init {
            return value;
        }
        if self.is_constant(&init, ty)
            && let Some(constant) = self.constant_of(init.clone(), ty, None)
        {
            return self.constant_expr(constant, ty, span);
        }
        self.run_time_value(init, ty, span)
    }

    fn run_time_value(&mut self, init: Init, ty: TypeId, span: Span) -> ExprId {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || match init {
            Init::Empty => self.constant_expr(Constant::Zero, ty, span),
            Init::Value(value) => value,
            Init::Bytes(bytes) => {
                let bytes = bytes.into_iter().map(u64::from).collect();
                self.constant_expr(Constant::Scalars(bytes), ty, span)
            }
            Init::Components(parts) => {
                if parts.iter().any(|&part| matches!(self.module.exprs[part].kind, ExprKind::Error))
                {
                    return self.error_expr(span);
                }
                self.push_expr(ExprKind::VectorBuild(parts.into()), ty, span)
            }
            Init::Parts(parts) => {
                let mut values = Vec::with_capacity(parts.len());
                for (index, part) in parts {
                    if matches!(part, Init::Empty) {
                        continue;
                    }
                    let part_ty = self.part_type(ty, index);
                    values.push((index, self.run_time_value(part, part_ty, span)));
                }
                self.push_expr(ExprKind::Aggregate(values.into()), ty, span)
            }
        })
    }

    /// Whether the whole tree is constant; stops at the first leaf that isn't.
    pub(super) fn is_constant(&mut self, init: &Init, ty: TypeId) -> bool {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || match init {
            Init::Empty | Init::Bytes(_) => true,
            Init::Value(value) => self.is_constant_leaf(*value),
            Init::Components(parts) => parts.iter().all(|&part| self.is_constant_leaf(part)),
            Init::Parts(parts) => parts.iter().all(|(index, part)| {
                let part_ty = self.part_type(ty, *index);
                self.is_constant(part, part_ty)
            }),
        })
    }

    fn is_constant_leaf(&mut self, value: ExprId) -> bool {
        match self.module.exprs[value].kind {
            ExprKind::Constant(_) => true,
            ExprKind::Error => false,
            _ => self.try_evaluate(value).is_ok(),
        }
    }

    fn constant_leaf(&mut self, value: ExprId, what: Option<&str>) -> Option<Constant> {
        // What atomics are initialised with keeps its bits.
        let mut value = value;
        while let ExprKind::Reinterpret(inner) = self.module.exprs[value].kind
            && matches!(
                self.module.types.get(self.module.exprs[value].ty.ty),
                Type::Atomic(_) | Type::AtomicFlag
            )
        {
            value = inner;
        }
        match (&self.module.exprs[value].kind, what) {
            (ExprKind::Constant(bits), _) => Some(Constant::Scalar(*bits)),
            (_, Some(what)) => self.evaluate(value, what),
            (_, None) => self.try_evaluate(value).ok(),
        }
    }

    /// The tree as a constant of type `ty`. With `what`, leaves that aren't constant are reported.
    pub(super) fn constant_of(
        &mut self,
        init: Init,
        ty: TypeId,
        what: Option<&str>,
    ) -> Option<Constant> {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.constant_of_inner(init, ty, what))
    }

    fn constant_of_inner(
        &mut self,
        init: Init,
        ty: TypeId,
        what: Option<&str>,
    ) -> Option<Constant> {
        if self.module.types.is_error(ty) {
            return None;
        }
        match init {
            Init::Empty => Some(Constant::Zero),
            Init::Value(value) => self.constant_leaf(value, what),
            Init::Bytes(bytes) => {
                Some(Constant::Scalars(bytes.into_iter().map(u64::from).collect()))
            }
            Init::Components(parts) => self.constant_vector(parts, what),
            Init::Parts(parts) => {
                if let Type::Record(id) = *self.module.types.get(ty)
                    && self.module.types.records[id].is_union
                {
                    let (index, part) = parts.into_iter().next()?;
                    let part_ty = self.part_type(ty, index);
                    let value = Box::new(self.constant_of(part, part_ty, what)?);
                    return Some(Constant::Union { field: u32::try_from(index).ok()?, value });
                }
                self.constant_parts(parts, ty, what)
            }
        }
    }

    fn constant_vector(&mut self, parts: Vec<ExprId>, what: Option<&str>) -> Option<Constant> {
        let mut components = Vec::new();
        for part in parts {
            let count = match self.module.types.get(self.module.exprs[part].ty.ty) {
                Type::Vector(_, count) => usize::from(*count),
                _ => 1,
            };
            match self.constant_leaf(part, what)? {
                Constant::Zero => components.extend(std::iter::repeat_n(0, count)),
                Constant::Scalar(bits) => components.push(bits),
                Constant::Scalars(bits) => {
                    let missing = count.saturating_sub(bits.len());
                    components.extend(bits);
                    components.extend(std::iter::repeat_n(0, missing));
                }
                Constant::Composite(items) => {
                    let missing = count.saturating_sub(items.len());
                    for item in items {
                        components.push(match item {
                            Constant::Scalar(bits) => bits,
                            _ => 0,
                        });
                    }
                    components.extend(std::iter::repeat_n(0, missing));
                }
                Constant::Union { .. } | Constant::Address { .. } | Constant::Sampler(_) => {
                    return None;
                }
            }
        }
        Some(Constant::Scalars(components))
    }

    /// Elements of an array or fields of a struct. Scalars stay compact as long as there is
    /// nothing else.
    fn constant_parts(
        &mut self,
        parts: Vec<(u64, Init)>,
        ty: TypeId,
        what: Option<&str>,
    ) -> Option<Constant> {
        let total = parts.last().map_or(0, |&(index, _)| index + 1);
        if total > MAX_ELEMENTS && total > 16 * parts.len() as u64 {
            if what.is_some() {
                self.report(Diagnostic::without_place(
                    &codes::E0216,
                    format!("an initializer with a gap of more than {MAX_ELEMENTS} elements"),
                ));
            }
            return None;
        }
        let is_array = matches!(self.module.types.get(ty), Type::Array { .. });
        let mut scalars: Vec<u64> = Vec::with_capacity(if is_array { parts.len() } else { 0 });
        let mut composite: Vec<Constant> = Vec::new();
        let mut is_compact = is_array;
        let mut failed = false;
        for (index, part) in parts {
            let part_ty = self.part_type(ty, index);
            let Some(constant) = self.constant_of(part, part_ty, what) else {
                what?;
                failed = true;
                continue;
            };
            let index = usize::try_from(index).ok()?;
            if is_compact {
                match constant {
                    Constant::Scalar(bits) => {
                        scalars.resize(index, 0);
                        scalars.push(bits);
                        continue;
                    }
                    Constant::Zero if self.module.types.as_scalar(part_ty).is_some() => {
                        scalars.resize(index + 1, 0);
                        continue;
                    }
                    constant => {
                        is_compact = false;
                        composite = scalars.drain(..).map(Constant::Scalar).collect();
                        composite.resize(index, Constant::Zero);
                        composite.push(constant);
                        continue;
                    }
                }
            }
            composite.resize(index, Constant::Zero);
            composite.push(constant);
        }
        if failed {
            return None;
        }
        Some(if is_compact { Constant::Scalars(scalars) } else { Constant::Composite(composite) })
    }
}
