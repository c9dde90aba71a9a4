//! Functions that compilers of the GNU family know without a declaration, and that the language has
//! by another name.

use clc_base::{Diagnostic, Span, Symbol};

use crate::context::{ConversionContext, Sema};
use crate::diagnostics::builtins::W0502;
use crate::hir;
use crate::types::TypeTable;

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

/// A function of the language that a program calls by its GNU name.
pub(crate) struct GnuBuiltin {
    pub name: Symbol,
    of_floats: bool,
}

impl Sema<'_> {
    /// The function that `__builtin_NAME` stands for, after a warning.
    pub(crate) fn gnu_builtin(&mut self, name: Symbol, span: Span) -> Option<GnuBuiltin> {
        let text = self.interner.resolve(name);
        let own = text.strip_prefix("__builtin_")?;
        let (own, of_floats) = match own.strip_suffix('f').filter(|own| OF_FLOATS.contains(own)) {
            Some(own) => (own, true),
            None if GENERIC.contains(&own) => (own, false),
            None => return None,
        };
        let message = format!("`{text}` is a function of other compilers");
        let own = own.to_owned();
        self.report(
            Diagnostic::new(&W0502, span, message).at("not every OpenCL C compiler has this").fix(
                span,
                own.clone(),
                format!("write `{own}`"),
            ),
        );
        Some(GnuBuiltin { name: self.interner.intern(&own), of_floats })
    }

    /// Converts the arguments as the GNU function does, which is not overloaded.
    pub(crate) fn gnu_arguments(&mut self, function: &GnuBuiltin, values: &mut [hir::ExprId]) {
        if !function.of_floats {
            return;
        }
        for (index, value) in values.iter_mut().enumerate() {
            let context =
                ConversionContext::Argument { index, callee: function.name, parameter: Span::NONE };
            *value = self.implicit_convert(*value, TypeTable::FLOAT, context);
        }
    }
}
