//! Choice among several declarations of one function (`__attribute__((overloadable))`).

use clc_base::{Diagnostic, Span, Symbol};
use clc_builtins::Scalar;
use smallvec::SmallVec;

use crate::context::Sema;
use crate::diagnostics::expressions::*;
use crate::hir::{self, FuncId};
use crate::pointers::Pointees;
use crate::types::{Type, TypeId};

/// The cost of a conversion between pointers that C does not have (C99 6.5.16.1), only compilers: it
/// counts where nothing else fits.
const LAST_RESORT: u8 = 5;

impl Sema<'_> {
    /// The cost of each argument's conversion; `None` if the function cannot be called so.
    pub(crate) fn overload_costs(
        &self,
        function: FuncId,
        values: &[hir::ExprId],
    ) -> Option<SmallVec<[u8; 8]>> {
        let declaration = &self.module.functions[function];
        if declaration.param_count as usize != values.len() {
            return None;
        }
        values
            .iter()
            .zip(declaration.locals.values())
            .map(|(&value, parameter)| self.argument_cost(value, parameter.ty.ty))
            .collect()
    }

    /// How far an argument is from a parameter's type: 0 exact, 1 qualifiers added, 2 promotion,
    /// 3 conversion, 4 a scalar becomes a vector, [`LAST_RESORT`].
    pub(crate) fn argument_cost(&self, value: hir::ExprId, to: TypeId) -> Option<u8> {
        let from = self.ty(value);
        if from == to {
            return Some(0);
        }
        let types = &self.module.types;
        if types.is_error(to) {
            return Some(4);
        }
        match (types.get(from), types.get(to)) {
            (Type::Scalar(_) | Type::Enum(_), Type::Scalar(to)) => {
                let from = types.as_scalar(from)?;
                let promotion =
                    Self::promoted(from) == *to || (from, *to) == (Scalar::Float, Scalar::Double);
                Some(if promotion { 2 } else { 3 })
            }
            (Type::Scalar(_) | Type::Enum(_), Type::Enum(_)) => Some(3),
            (Type::Scalar(_) | Type::Enum(_), Type::Vector(..)) => Some(4),
            (
                &Type::Pointer { pointee: from, space: from_space },
                &Type::Pointer { pointee: to, space: to_space },
            ) => {
                if self.is_null_constant(value) {
                    return Some(3);
                }
                if !Self::space_encloses(to_space, from_space) {
                    return None;
                }
                match self.compare_pointees(from.ty, to.ty) {
                    Pointees::Compatible => Some(1),
                    Pointees::Void => Some(3),
                    Pointees::Signedness | Pointees::InnerQualifiers => Some(LAST_RESORT),
                    Pointees::InnerSpace(..) | Pointees::Incompatible => None,
                }
            }
            (Type::Scalar(_), Type::Pointer { .. } | Type::Event) => {
                self.is_null_constant(value).then_some(3)
            }
            (Type::Scalar(_), Type::Sampler) => self.as_constant(value).map(|_| 3),
            (Type::Pointer { .. }, Type::Scalar(Scalar::Bool)) => Some(4),
            _ => None,
        }
    }

    /// The best of several declarations of a function: no worse than any other in every argument
    /// and better in one.
    pub(crate) fn choose_overload(
        &mut self,
        name: Symbol,
        functions: &[FuncId],
        values: &[hir::ExprId],
        callee_span: Span,
    ) -> Option<FuncId> {
        let mut viable: Vec<(FuncId, SmallVec<[u8; 8]>)> = functions
            .iter()
            .filter_map(|&function| {
                self.overload_costs(function, values).map(|costs| (function, costs))
            })
            .collect();
        if viable.iter().any(|(_, costs)| !costs.contains(&LAST_RESORT)) {
            viable.retain(|(_, costs)| !costs.contains(&LAST_RESORT));
        }
        let no_worse =
            |left: &[u8], right: &[u8]| left.iter().zip(right).all(|(left, right)| left <= right);
        // A candidate that survives a pass over all others is the only one that can be best.
        let mut best = viable.first()?;
        for candidate in &viable[1..] {
            if !no_worse(&best.1, &candidate.1) {
                best = candidate;
            }
        }
        let ties: Vec<FuncId> = viable
            .iter()
            .filter(|(function, costs)| {
                *function != best.0 && (!no_worse(&best.1, costs) || *costs == best.1)
            })
            .map(|(function, _)| *function)
            .collect();
        if ties.is_empty() || functions.iter().any(|&id| self.has_lost_parameters(id)) {
            return Some(best.0);
        }
        let types: Vec<String> =
            values.iter().map(|&value| self.type_text(self.ty(value))).collect();
        let types = types.join(", ");
        let message = format!(
            "the call of `{}` is ambiguous: several declarations fit equally well",
            self.interner.resolve(name)
        );
        let mut diagnostic =
            Diagnostic::new(&E0443, callee_span, message).at(format!("called with ({types})"));
        for function in std::iter::once(best.0).chain(ties).take(4) {
            diagnostic = diagnostic.label(
                self.module.functions[function].span,
                "this declaration takes the arguments",
            );
        }
        self.report(diagnostic);
        Some(best.0)
    }

    pub(crate) fn no_overload(
        &mut self,
        name: Symbol,
        functions: &[FuncId],
        values: &[hir::ExprId],
        callee_span: Span,
    ) {
        let types: Vec<String> =
            values.iter().map(|&value| self.type_text(self.ty(value))).collect();
        let message = format!(
            "no declaration of `{}` takes ({})",
            self.interner.resolve(name),
            types.join(", ")
        );
        let mut diagnostic =
            Diagnostic::new(&E0443, callee_span, message).at(match functions.len() {
                1 => "its one declaration does not fit".to_owned(),
                count => format!("none of its {count} declarations fits"),
            });
        for &function in functions.iter().take(4) {
            let declaration = &self.module.functions[function];
            let reason = if declaration.param_count as usize != values.len() {
                let count = declaration.param_count;
                format!("takes {count} argument{}", if count == 1 { "" } else { "s" })
            } else {
                let parameters = declaration.locals.values();
                let wrong = values.iter().zip(parameters).position(|(&value, parameter)| {
                    self.argument_cost(value, parameter.ty.ty).is_none()
                });
                format!("argument {} does not convert", wrong.unwrap_or(0) + 1)
            };
            diagnostic = diagnostic.label(declaration.span, reason);
        }
        self.report(diagnostic);
    }
}
