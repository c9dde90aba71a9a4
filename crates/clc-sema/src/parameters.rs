//! Parameters of functions (C99 6.7.5.3, OpenCL C 6.11).

use clc_base::Diagnostic;
use clc_syntax::ast::{self, Derived};

use crate::context::Sema;
use crate::declarators::{ParameterInfo, Usage};
use crate::diagnostics::blocks::E0471;
use crate::diagnostics::{declarations, types};
use crate::types::{Scalar, Type, TypeTable};

impl<'a> Sema<'a> {
    pub(crate) fn parameter(
        &mut self,
        parameter: &'a ast::Parameter,
        is_kernel: bool,
    ) -> ParameterInfo {
        let specs = self.specifiers(&parameter.specifiers, parameter.span);
        let mut declared = self.declarator(&specs, &parameter.declarator, Usage::Parameter);
        self.attributes_behind(&mut declared, &parameter.attributes);
        if let Some((_, span)) = specs.storage {
            self.report(
                Diagnostic::new(&declarations::E0205, span, "parameters have no storage class")
                    .at("a parameter cannot have one"),
            );
        }
        let mut ty = declared.ty;
        let mut space = declared.space;
        let mut pointee_space = declared.pointee_space;
        let mut pointer_depth = parameter
            .declarator
            .derived
            .iter()
            .filter(|derived| matches!(derived, Derived::Pointer { .. }))
            .count() as u32;
        if matches!(parameter.declarator.derived.first(), Some(Derived::Array { .. })) {
            pointer_depth += 1;
        }
        let span = declared.span;
        match *self.module.types.get(ty.ty) {
            // By a typedef; what the declarator itself says is adjusted already.
            Type::Array { element, .. } => {
                let target = self.pointee_space(space);
                pointee_space = space.map(|(_, span)| span);
                space = None;
                pointer_depth += 1;
                ty = if self.refuse_matrix(element.ty, "a parameter that is an array", span) {
                    TypeTable::ERROR.into()
                } else {
                    self.module.types.pointer(element, target).into()
                };
            }
            Type::Function(_) => {
                self.report(
                    Diagnostic::new(
                        &declarations::E0214,
                        span,
                        "a parameter cannot be a function: OpenCL C has no pointers to functions",
                    )
                    .at("declared as a function")
                    .help("choose between functions with `switch` or `if`"),
                );
                ty = TypeTable::ERROR.into();
            }
            Type::Block(_) => {
                let message = "a parameter cannot be a block";
                self.report(
                    Diagnostic::new(&E0471, span, message)
                        .at("declared as a block")
                        .note("each use of a block says which one it is (OpenCL C 6.14.5)"),
                );
                ty = TypeTable::ERROR.into();
            }
            Type::Void => {
                self.report(
                    Diagnostic::new(
                        &declarations::E0223,
                        span,
                        "a parameter cannot have type `void`",
                    )
                    .at("declared as `void`"),
                );
                ty = TypeTable::ERROR.into();
            }
            Type::Scalar(Scalar::Half) if !self.has_half() => {
                self.report(
                    Diagnostic::new(
                        &types::E0302,
                        span,
                        "a parameter of type `half` needs the extension `cl_khr_fp16`",
                    )
                    .at("`half` is only a storage format here")
                    .help(self.help_with_half("pass a pointer to `half`, or a `float`")),
                );
                ty = TypeTable::ERROR.into();
            }
            _ => {}
        }
        if let Some((space, at)) = space
            && !self.parameter_space(ty, space, at, is_kernel)
        {
            // Most likely a pointer is meant: what the parameter is is not known.
            ty = TypeTable::ERROR.into();
        }
        for attribute in specs.attributes.iter().copied().chain(declared.attributes.iter().copied())
        {
            if self.interner.resolve(attribute.name) == "unused" {
                self.notes.marked_unused.insert(span);
            }
            self.unused_attribute(attribute);
        }
        ParameterInfo {
            name: declared.name,
            ty,
            pointee_space,
            is_host_sized: specs.is_host_sized && pointer_depth == 0,
            specifier_name: specs.name,
            pointer_depth,
            span,
        }
    }
}
