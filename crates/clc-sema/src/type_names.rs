//! Names of types: typedefs, and the names that the language declares before the program begins.

use clc_base::{Diagnostic, Span, Symbol, Version};
use clc_builtins::features;

use crate::context::{Entity, Sema};
use crate::diagnostics::types;
use crate::specifiers::Specifiers;
use crate::types::{QualType, Scalar, Type, TypeTable};
use clc_syntax::parse::similar_type;

impl<'a> Sema<'a> {
    /// The type that a typedef or a predeclared name denotes; reports if there is none, or if the
    /// program may not use it.
    pub(crate) fn named_type(
        &mut self,
        name: Symbol,
        span: Span,
        specs: &mut Specifiers<'a>,
    ) -> QualType {
        specs.name = Some(name);
        if let Some(binding) = self.scopes.lookup(name) {
            if let Entity::Typedef(ty) = binding.entity {
                specs.is_host_sized = binding.is_host_sized;
                specs.align = binding.align;
                if !self.notes.local_typedefs.is_empty() {
                    self.notes.used_typedefs.insert(binding.span);
                }
                if let Some((space, _)) = binding.space {
                    self.merge_space(&mut specs.space, space, span);
                }
                self.index_use(name, span);
                return ty;
            }
            let declared = binding.span;
            let text = self.interner.resolve(name);
            let message = format!("`{text}` is not a type here");
            self.report(
                Diagnostic::new(&types::E0301, span, message)
                    .at("a type is needed here")
                    .label(declared, "declared here"),
            );
            return TypeTable::ERROR.into();
        }
        if let Some(&known) = self.declared.predeclared.get(&name) {
            specs.is_host_sized = known.is_host_sized;
            return known.ty.into();
        }
        let text = self.interner.resolve(name).to_owned();
        let Some(known) = self.predeclared_type(&text) else {
            if !self.is_lost(name) {
                self.unknown_type(&text, span);
            }
            return TypeTable::ERROR.into();
        };
        let mut complete = true;
        if known.since > self.options.version {
            complete = false;
            let (since, version) = (known.since, self.options.version);
            self.report(
                Diagnostic::new(
                    &types::E0302,
                    span,
                    format!("`{text}` needs OpenCL C {since}; this is {version}"),
                )
                .at(format!("unknown to OpenCL C {version}"))
                .help(format!("compile with `-cl-std=CL{since}`")),
            );
        }
        match self.module.types.get(known.ty) {
            Type::ReserveId if complete => {
                let what = format!("values of type `{text}`");
                complete &= self.require_feature(features::FEATURE_PIPES, &what, span);
            }
            Type::Queue | Type::ClkEvent | Type::NdRange if complete => {
                let what = format!("values of type `{text}`");
                complete &= self.require_feature(features::FEATURE_DEVICE_ENQUEUE, &what, span);
            }
            &Type::Image(kind, _) if complete => complete &= self.require_image(kind, &text, span),
            Type::Sampler if self.options.version >= Version::V3_0 => {
                complete &= self.require_feature(features::FEATURE_IMAGES, "`sampler_t`", span);
            }
            &Type::Atomic(scalar @ (Scalar::Long | Scalar::ULong | Scalar::Double)) if complete => {
                complete &= self.require_wide_atomics(&text, span);
                if scalar == Scalar::Double {
                    complete &= self.require_double(span);
                }
            }
            Type::Scalar(Scalar::Double) | Type::Vector(Scalar::Double, _) => {
                complete &= self.require_double(span);
            }
            Type::Vector(Scalar::Half, _)
                if !self.has_half() && self.options.extensions.contains(features::FP16) =>
            {
                self.miss_half(&text, span);
            }
            Type::Vector(Scalar::Half, _) | Type::Atomic(Scalar::Half) if !self.has_half() => {
                self.report(
                    Diagnostic::new(
                        &types::E0302,
                        span,
                        format!("`{text}` needs the extension `cl_khr_fp16`"),
                    )
                    .at("`half` is only a storage format here")
                    .help(self.help_with_half("use `float` and its vectors")),
                );
                return TypeTable::ERROR.into();
            }
            _ => {}
        }
        // Kept only when there is nothing to say: each use of a missing type is reported, and a
        // pragma can take what it enables away again.
        let follows_a_pragma = matches!(
            self.module.types.get(known.ty),
            Type::Vector(Scalar::Half, _) | Type::Atomic(Scalar::Half)
        );
        if complete && !follows_a_pragma {
            self.declared.predeclared.insert(name, known);
        }
        specs.is_host_sized = known.is_host_sized;
        known.ty.into()
    }

    fn unknown_type(&mut self, text: &str, span: Span) {
        let mut diagnostic =
            Diagnostic::new(&types::E0301, span, format!("there is no type `{text}`"))
                .at("names no type");
        let c99 = match text {
            "uint8_t" => Some("uchar"),
            "int8_t" => Some("char"),
            "uint16_t" => Some("ushort"),
            "int16_t" => Some("short"),
            "uint32_t" => Some("uint"),
            "int32_t" => Some("int"),
            "uint64_t" => Some("ulong"),
            "int64_t" => Some("long"),
            _ => None,
        };
        if let Some(name) = c99 {
            diagnostic = diagnostic.fix(span, name, format!("OpenCL C calls it `{name}`"));
        } else {
            diagnostic = diagnostic.suggest(span, similar_type(text));
        }
        self.report(diagnostic);
    }
}
