//! Samplers, which integers initialize (OpenCL C 6.15.15.1).

use clc_base::Diagnostic;

use crate::context::{ConversionContext, Sema};
use crate::diagnostics::conversions;
use crate::folding;
use crate::hir::{Constant, ExprId, ExprKind, SamplerInit};
use crate::types::{Scalar, TypeTable};

impl Sema<'_> {
    /// A sampler from the integer that the `CLK_*` macros make (OpenCL C 6.13.14.1).
    pub(super) fn sampler_value(&mut self, value: ExprId) -> ExprId {
        let (ty, span) = (self.module.exprs[value].ty.ty, self.module.exprs[value].span);
        if ty == TypeTable::SAMPLER {
            let diagnostic = Diagnostic::new(
                &conversions::E0347,
                span,
                "a sampler is initialized with an integer constant, not with another sampler",
            )
            .at("this is a sampler")
            .help("use this sampler itself, or initialize both with the same `CLK_*` constants");
            self.report(diagnostic);
            return self.error_expr(span);
        }
        if !self.module.types.as_scalar(ty).is_some_and(Scalar::is_integer) {
            return self.implicit_convert(
                value,
                TypeTable::SAMPLER,
                ConversionContext::Initialization,
            );
        }
        let what = "the initializer of a sampler";
        let bits = match self.evaluate(value, what) {
            Some(Constant::Scalar(bits)) => bits,
            Some(_) => 0,
            None => return self.error_expr(span),
        };
        let Some(bits) = self.sampler_bits(bits, value) else { return self.error_expr(span) };
        let constant = Constant::Sampler(SamplerInit { bits });
        self.push_expr(ExprKind::ConstantValue(Box::new(constant)), TypeTable::SAMPLER, span)
    }

    /// The fields of a sampler, which are an integer of 32 bits; reports one that does not fit.
    pub(crate) fn sampler_bits(&mut self, bits: u64, value: ExprId) -> Option<u32> {
        let (ty, span) = (self.module.exprs[value].ty.ty, self.module.exprs[value].span);
        let scalar = self.module.types.as_scalar(ty).unwrap_or(Scalar::UInt);
        let number = folding::integer_value(scalar, bits);
        if let Ok(bits) = u32::try_from(number) {
            return Some(bits);
        }
        if let Ok(bits) = i32::try_from(number) {
            return Some(bits as u32);
        }
        self.report(
            Diagnostic::new(
                &conversions::E0347,
                span,
                format!("the fields of a sampler have 32 bits; {number} does not fit"),
            )
            .at("this needs more than 32 bits")
            .help("combine `CLK_*` constants: one for addressing, one for filtering, one for normalized coordinates"),
        );
        None
    }
}
