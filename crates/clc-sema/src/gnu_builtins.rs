//! Functions that compilers of the GNU family know without a declaration, and that the language has
//! by another name.

use clc_base::{Diagnostic, Span, Symbol, Version};
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

/// `__builtin_NAME` counts in integers of a type that its last letters say, and gives an `int`. In which version the
/// language has it as well.
const OF_INTEGERS: &[(&str, Version)] =
    &[("clz", Version::V1_0), ("ctz", Version::V2_0), ("popcount", Version::V1_2)];

/// `__builtin_NAME32` and the like take and give integers of so many bits.
const OF_BITS: &[(&str, &str)] = &[("rotateleft", "rotate"), ("bitreverse", "bit_reverse")];

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
    if let "abs" | "labs" | "llabs" = rest {
        let ty = if rest == "abs" { TypeTable::INT } else { TypeTable::LONG };
        return Some(("abs", Some(ty), Some(ty)));
    }
    let name = rest.trim_end_matches(|it: char| it.is_ascii_digit());
    if let Some((_, own)) = OF_BITS.iter().find(|(known, _)| *known == name) {
        let ty = match &rest[name.len()..] {
            "8" => TypeTable::UCHAR,
            "16" => TypeTable::USHORT,
            "32" => TypeTable::UINT,
            "64" => TypeTable::ULONG,
            _ => return None,
        };
        return Some((own, Some(ty), None));
    }
    let own = rest.trim_end_matches('l');
    let parameter = match rest.len() - own.len() {
        0 => TypeTable::UINT,
        1 | 2 => TypeTable::ULONG,
        _ => return None,
    };
    let is_known = OF_INTEGERS.iter().any(|(known, _)| *known == own);
    is_known.then_some((own, Some(parameter), Some(TypeTable::INT)))
}

impl Sema<'_> {
    /// The function that `__builtin_NAME` stands for, after a warning.
    pub(crate) fn gnu_builtin(&mut self, name: Symbol, span: Span) -> Option<GnuBuiltin> {
        let text = self.interner.resolve(name);
        let (own, parameter, result) = known(text.strip_prefix("__builtin_")?)?;
        let message = format!("`{text}` is a function of other compilers");
        let own = own.to_owned();
        let since = OF_INTEGERS.iter().find(|(known, _)| *known == own).map(|&(_, since)| since);
        let diagnostic =
            Diagnostic::new(&W0502, span, message).at("not every OpenCL C compiler has this");
        self.report(match since.filter(|&since| since > self.options.version) {
            Some(since) => diagnostic.help(format!("OpenCL C {since} has it as `{own}`")),
            None => diagnostic.fix(span, own.clone(), format!("write `{own}`")),
        });
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
        let call = self.builtin_call_of_any_version(function.name, callee_span, &values, span);
        match function.result {
            Some(ty) if !self.is_error(call) => self.explicit_convert(call, ty, span),
            _ => call,
        }
    }
}
