//! Specialization constants: values of the module that the host may change before it is compiled for
//! a device (SPIR-V 2.12).
//!
//! A mention is a call, `__spirv_SpecConstant(number, default)`. A variable at program scope with the
//! attribute `spec_constant(number)` is a name for such a call: it is no object, and has no address.

use clc_base::lang::GroupExtent;
use clc_base::{Diagnostic, Span, Symbol};
use clc_builtins::{Intrinsic, Scalar};
use clc_syntax::ast::{self, Attribute, AttributeArgument};

use crate::context::Sema;
use crate::declarators::Declared;
use crate::diagnostics::builtins::E0505;
use crate::folding;
use crate::hir::{self, Constant, ExprKind, GlobalId, SpecConstant};
use crate::specifiers::Specifiers;
use crate::types::TypeTable;

impl<'a> Sema<'a> {
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
        let id = self.constant_number(number_value, number_span)?;
        let ty = self.ty(default);
        let bits =
            self.scalar_constant(default, "the default value of a specialization constant")?;
        let span_of_both = number_span.to(span);
        let constant =
            SpecConstant { number: id, name: None, ty, default: bits, span: span_of_both };
        self.add_spec_constant(constant)?;
        let number_ty = self.ty(number);
        let number = self.push_expr(ExprKind::Constant(u64::from(id)), number_ty, number_span);
        let default = self.push_expr(ExprKind::Constant(bits), ty, span);
        Some(vec![number, default])
    }

    fn constant_number(&mut self, value: i128, span: Span) -> Option<u32> {
        let number = u32::try_from(value).ok();
        if number.is_none() {
            let message = "the number of a specialization constant is from 0 to 4294967295";
            self.report(Diagnostic::new(&E0505, span, message).at(format!("this is {value}")));
        }
        number
    }

    /// Adds a constant to those of the module, unless its number means another.
    fn add_spec_constant(&mut self, constant: SpecConstant) -> Option<()> {
        let SpecConstant { number, ty, default, span, .. } = constant;
        let known = &mut self.module.spec_constants;
        let Some(other) = known.iter_mut().find(|other| other.number == number) else {
            known.push(constant);
            return Some(());
        };
        if other.ty == ty && other.default == default {
            other.name = other.name.or(constant.name);
            return Some(());
        }
        let other = *other;
        let (text, first) = (self.type_text(ty), self.type_text(other.ty));
        let (what, at, at_first) = match other.ty == ty {
            true => ("default value", "another value".to_owned(), "the first one".to_owned()),
            false => ("type", format!("this is `{text}`"), format!("this is `{first}`")),
        };
        let message = format!("specialization constant {number} has another {what} elsewhere");
        self.report(
            Diagnostic::new(&E0505, span, message)
                .at(at)
                .label(other.span, at_first)
                .help("give it a number of its own, or name it once, at program scope"),
        );
        None
    }

    pub(crate) fn is_spec_constant(&self, attribute: &Attribute) -> bool {
        self.interner.resolve(attribute.name) == "spec_constant"
    }

    /// The number that the attribute of a variable at program scope gives it, and where.
    pub(crate) fn spec_constant_attribute(
        &mut self,
        specs: &Specifiers<'a>,
        declared: &Declared<'a>,
    ) -> Option<(u32, Span)> {
        let mut attributes = specs.attributes.iter().chain(&declared.attributes);
        let attribute: &'a Attribute = attributes.find(|it| self.is_spec_constant(it))?;
        let [AttributeArgument::Expr(argument)] = attribute.arguments.as_slice() else {
            let message = "`spec_constant` takes the number of the constant";
            let at = "one integer constant is needed";
            self.report(Diagnostic::new(&E0505, attribute.span, message).at(at));
            return None;
        };
        let what = "the number of a specialization constant";
        let value = self.integer_constant(*argument, what)?.value;
        let number = self.constant_number(value, self.ast.exprs[*argument].span)?;
        Some((number, attribute.span))
    }

    /// What was declared without the attribute may have been used as an object.
    pub(crate) fn specialized_too_late(&mut self, attribute: Span, name: Symbol, first: Span) {
        let message = format!(
            "`{}` is declared before, and not as a specialization constant",
            self.interner.resolve(name)
        );
        self.report(
            Diagnostic::new(&E0505, attribute, message)
                .at("this declaration has the attribute")
                .label(first, "this one does not, or is the same constant")
                .help("declare the constant once"),
        );
    }

    /// Makes the name of a variable at program scope that of a specialization constant.
    pub(crate) fn name_spec_constant(
        &mut self,
        global: GlobalId,
        number: u32,
        name: Symbol,
        attribute: Span,
    ) {
        let hir::Global { ty, space, span, ref initializer, .. } = self.module.globals[global];
        let default = match initializer {
            Some(Constant::Scalar(bits)) => Some(*bits),
            Some(Constant::Zero) => Some(0),
            _ => None,
        };
        let text = self.type_text(ty.ty);
        let is_scalar = self.module.types.as_scalar(ty.ty).is_some();
        let wrong = match default {
            _ if space != clc_base::AddressSpace::Constant => {
                Some(("it is in no `constant` memory".to_owned(), "declare it `constant`"))
            }
            _ if !is_scalar => Some((format!("its type is `{text}`"), "give each part a constant")),
            None => Some(("it has no default value".to_owned(), "initialize it: `= 1`")),
            Some(_) => None,
        };
        if let Some((why, help)) = wrong {
            let message = format!(
                "`{}` cannot be a specialization constant: {why}",
                self.interner.resolve(name)
            );
            self.report(
                Diagnostic::new(&E0505, attribute, message)
                    .at("a scalar in `constant` memory with an initializer takes this")
                    .label(span, "declared here")
                    .help(help),
            );
            return;
        }
        let default = default.unwrap_or_default();
        let constant = SpecConstant { number, name: Some(name), ty: ty.ty, default, span };
        if self.add_spec_constant(constant).is_some() {
            self.module.globals[global].spec_constant = Some(number);
        }
    }

    /// The value of a variable that is a name for a specialization constant.
    pub(crate) fn spec_constant_value(
        &mut self,
        global: GlobalId,
        span: Span,
    ) -> Option<hir::ExprId> {
        let number = self.module.globals[global].spec_constant?;
        let constants = &self.module.spec_constants;
        let constant = *constants.iter().find(|constant| constant.number == number)?;
        let bits = u64::from(number);
        let number = self.push_expr(ExprKind::Constant(bits), TypeTable::INT, span);
        let default = self.push_expr(ExprKind::Constant(constant.default), constant.ty, span);
        let intrinsic = Intrinsic::SpecConstant;
        let arguments = vec![number, default].into();
        let call = ExprKind::Intrinsic { intrinsic, arguments };
        Some(self.push_expr(call, constant.ty, span))
    }

    /// The size of a work-group that a specialization constant is; `None` inside for other expressions,
    /// and outside after an error.
    pub(crate) fn constant_extent(&mut self, e: ast::ExprId) -> Option<Option<GroupExtent>> {
        let value = self.value(e);
        if self.is_error(value) {
            return None;
        }
        let expr = self.module.expr(value);
        let ExprKind::Intrinsic { intrinsic: Intrinsic::SpecConstant, arguments } = &expr.kind
        else {
            return Some(None);
        };
        let operands: Vec<_> = arguments.iter().map(|&id| &self.module.expr(id).kind).collect();
        let &[ExprKind::Constant(number), ExprKind::Constant(default)] = &operands[..] else {
            return Some(None);
        };
        let (number, default, ty, span) = (*number as u32, *default, expr.ty.ty, expr.span);
        let scalar = self.module.types.as_scalar(ty);
        let is_positive = match scalar {
            Some(Scalar::Int) => default as i32 > 0,
            Some(Scalar::UInt) => default as u32 > 0,
            _ => false,
        };
        if !is_positive {
            let text = self.type_text(ty);
            let message = "the size of a work-group is a positive specialization constant of 32 bits \
                           (SPIR-V, LocalSizeId)";
            let at = match scalar {
                Some(Scalar::Int | Scalar::UInt) => "not positive by default".to_owned(),
                _ => format!("this is `{text}`"),
            };
            self.report(Diagnostic::new(&E0505, span, message).at(at));
            return None;
        }
        Some(Some(GroupExtent::Constant { number, default: default as u32 }))
    }

    fn scalar_constant(&mut self, value: hir::ExprId, what: &str) -> Option<u64> {
        match self.evaluate(value, what)? {
            Constant::Scalar(bits) => Some(bits),
            Constant::Zero => Some(0),
            _ => None,
        }
    }
}
