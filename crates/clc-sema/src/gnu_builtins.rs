//! Functions that compilers of the GNU family know without a declaration, and that the language has
//! by another name.

use clc_base::{Diagnostic, Span, Symbol};
use smallvec::SmallVec;

use crate::context::{ConversionContext, Sema};
use crate::diagnostics::builtins::W0502;
use crate::hir;
use crate::types::{TypeId, TypeTable};

/// `__builtin_NAME` takes numbers of any floating type, and gives an `int`.
const GENERIC: &[&str] = &[
    "isfinite",
    "isgreater",
    "isgreaterequal",
    "isinf",
    "isless",
    "islessequal",
    "islessgreater",
    "isnan",
    "isnormal",
    "isunordered",
    "signbit",
];

/// `__builtin_NAMEf` takes and gives numbers of type `float`.
const OF_FLOATS: &[&str] = &[
    "ceil", "copysign", "cos", "exp", "exp2", "fabs", "floor", "fma", "fmax", "fmin", "fmod",
    "log", "log10", "log2", "pow", "rint", "round", "sin", "sqrt", "tan", "trunc",
];

/// `__builtin_NAME` counts in integers of a type that its last letters say, and gives an `int`.
const OF_INTEGERS: &[&str] = &["clz", "ctz", "popcount"];

/// A function of the language that a program calls by its GNU name, which is not overloaded there.
pub(crate) struct GnuBuiltin {
    pub name: Symbol,
    /// The type of the arguments; `None` for any.
    parameter: Option<TypeId>,
    /// The type of the result, where it is not that of the function of the language.
    result: Option<TypeId>,
}

/// The function and the types that the rest of `__builtin_…` stands for. `long long` has the 64 bits of
/// `long` here.
fn known(rest: &str) -> Option<(&str, Option<TypeId>, Option<TypeId>)> {
    if GENERIC.contains(&rest) {
        return Some((rest, None, None));
    }
    if let Some(own) = rest.strip_suffix('f').filter(|own| OF_FLOATS.contains(own)) {
        return Some((own, Some(TypeTable::FLOAT), None));
    }
    if rest == "abs" {
        return Some((rest, Some(TypeTable::INT), Some(TypeTable::INT)));
    }
    let own = rest.trim_end_matches('l');
    let parameter = match rest.len() - own.len() {
        0 => TypeTable::UINT,
        1 | 2 => TypeTable::ULONG,
        _ => return None,
    };
    OF_INTEGERS.contains(&own).then_some((own, Some(parameter), Some(TypeTable::INT)))
}

impl Sema<'_> {
    /// The function that `__builtin_NAME` stands for, after a warning.
    pub(crate) fn gnu_builtin(&mut self, name: Symbol, span: Span) -> Option<GnuBuiltin> {
        let text = self.interner.resolve(name);
        let (own, parameter, result) = known(text.strip_prefix("__builtin_")?)?;
        let message = format!("`{text}` is a function of other compilers");
        let own = own.to_owned();
        self.report(
            Diagnostic::new(&W0502, span, message).at("not every OpenCL C compiler has this").fix(
                span,
                own.clone(),
                format!("write `{own}`"),
            ),
        );
        Some(GnuBuiltin { name: self.interner.intern(&own), parameter, result })
    }

    /// Calls the function with the arguments and the result of the GNU one.
    pub(crate) fn gnu_call(
        &mut self,
        function: &GnuBuiltin,
        callee_span: Span,
        mut values: SmallVec<[hir::ExprId; 8]>,
        span: Span,
    ) -> hir::ExprId {
        if let Some(ty) = function.parameter {
            for (index, value) in values.iter_mut().enumerate() {
                let callee = function.name;
                let context = ConversionContext::Argument { index, callee, parameter: Span::NONE };
                *value = self.implicit_convert(*value, ty, context);
            }
        }
        if values.iter().any(|&value| self.is_error(value)) {
            return self.error_expr(span);
        }
        let call = self.builtin_call(function.name, callee_span, &values, span);
        match function.result {
            Some(ty) if !self.is_error(call) => self.explicit_convert(call, ty, span),
            _ => call,
        }
    }
}
