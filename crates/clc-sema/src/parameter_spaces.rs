//! Address spaces that are written on a parameter itself (OpenCL C 6.7).

use clc_base::{AddressSpace, Diagnostic, Span};

use crate::context::Sema;
use crate::diagnostics::address_spaces;
use crate::types::{QualType, Type, TypeTable};

impl Sema<'_> {
    /// An address space on a parameter itself (rules 2 and 10): whether its type can be right.
    pub(crate) fn parameter_space(
        &mut self,
        ty: QualType,
        space: AddressSpace,
        at: Span,
        is_kernel: bool,
    ) -> bool {
        let is_opaque = matches!(
            self.module.types.get(ty.ty),
            Type::Image(..) | Type::Sampler | Type::Event | Type::Pipe { .. }
        );
        if is_opaque && space == AddressSpace::Constant && ty.ty == TypeTable::SAMPLER {
            // Variables can be `constant sampler_t`, so it is worth a word.
            self.report(
                Diagnostic::new(
                    &address_spaces::E0324,
                    at,
                    "a sampler that is passed is in `private` memory, not in `constant`",
                )
                .at("this is for variables")
                .help("leave `constant` out"),
            );
            return true;
        }
        if is_opaque {
            let text = self.type_text(ty.ty);
            let is_image =
                matches!(self.module.types.get(ty.ty), Type::Image(..) | Type::Pipe { .. });
            if is_image && space == AddressSpace::Global {
                self.report(
                    Diagnostic::new(
                        &address_spaces::W0322,
                        at,
                        "images are always in `global` memory; the qualifier says nothing",
                    )
                    .at("adds nothing")
                    .fix(at, "", "remove `global`"),
                );
            } else if is_image || !matches!(space, AddressSpace::Private | AddressSpace::Constant) {
                self.report(
                    Diagnostic::new(
                        &address_spaces::E0334,
                        at,
                        format!("`{text}` cannot be in `{space}` memory"),
                    )
                    .at(format!("qualifies a parameter of type `{text}`"))
                    .help(format!("leave `{space}` out")),
                );
            }
            return true;
        }
        if space == AddressSpace::Private || self.module.types.is_error(ty.ty) {
            return true;
        }
        let text = self.type_text(ty.ty);
        let what = if is_kernel { "a kernel's parameter" } else { "a parameter" };
        let diagnostic = Diagnostic::new(
            &address_spaces::E0324,
            at,
            format!("{what} is in `private` memory, not in `{space}`"),
        )
        .at("qualifies the parameter itself");
        let help = if self.module.types.as_pointer(ty.ty).is_some() {
            format!("write `{space}` before the `*` if it belongs to what the pointer points to")
        } else {
            format!("take a pointer: `{space} {text} *`")
        };
        self.report(diagnostic.help(help));
        false
    }
}
