//! Specialization constants: values of the module that the host may change before it is compiled for
//! a device (SPIR-V 2.12).

use clc_base::{Diagnostic, Span};

use crate::context::Sema;
use crate::diagnostics::builtins::E0505;
use crate::folding;
use crate::hir::{self, Constant, ExprKind};
use crate::types::TypeId;

/// A constant that the program has named.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named {
    number: u32,
    ty: TypeId,
    default: u64,
    span: Span,
}

impl Sema<'_> {
    /// The number and the default value as constants. A number means one constant in the whole program.
    pub(crate) fn spec_constant(
        &mut self,
        arguments: Vec<hir::ExprId>,
    ) -> Option<Vec<hir::ExprId>> {
        let &[number, default] = &arguments[..] else { return None };
        let (number_span, span) = (self.span(number), self.span(default));
        let number_value =
            self.scalar_constant(number, "the number of a specialization constant")?;
        let scalar = self.module.types.as_scalar(self.ty(number))?;
        let number_value = folding::integer_value(scalar, number_value);
        let Ok(id) = u32::try_from(number_value) else {
            let message = "the number of a specialization constant is not negative";
            self.report(
                Diagnostic::new(&E0505, number_span, message).at(format!("this is {number_value}")),
            );
            return None;
        };
        let ty = self.ty(default);
        let bits =
            self.scalar_constant(default, "the default value of a specialization constant")?;
        let named = Named { number: id, ty, default: bits, span: number_span.to(span) };
        match self.declared.spec_constants.iter().find(|other| other.number == id).copied() {
            Some(other) if other.ty != ty || other.default != bits => {
                let (text, first) = (self.type_text(ty), self.type_text(other.ty));
                let (what, at, at_first) = match other.ty == ty {
                    true => {
                        ("default value", "another value".to_owned(), "the first one".to_owned())
                    }
                    false => ("type", format!("this is `{text}`"), format!("this is `{first}`")),
                };
                let message = format!("specialization constant {id} has another {what} elsewhere");
                self.report(
                    Diagnostic::new(&E0505, named.span, message)
                        .at(at)
                        .label(other.span, at_first)
                        .help("give it a number of its own, or write it once, in a function"),
                );
                return None;
            }
            Some(_) => {}
            None => self.declared.spec_constants.push(named),
        }
        let number_ty = self.ty(number);
        let number = self.push_expr(ExprKind::Constant(u64::from(id)), number_ty, number_span);
        let default = self.push_expr(ExprKind::Constant(bits), ty, span);
        Some(vec![number, default])
    }

    fn scalar_constant(&mut self, value: hir::ExprId, what: &str) -> Option<u64> {
        match self.evaluate(value, what)? {
            Constant::Scalar(bits) => Some(bits),
            Constant::Zero => Some(0),
            _ => None,
        }
    }
}
