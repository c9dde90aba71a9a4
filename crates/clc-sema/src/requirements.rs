//! What depends on the version of the language and on the target's extensions and features: which
//! types and address spaces there are, and the errors about those that are missing.

use clc_base::{Diagnostic, Span, Version};
use clc_builtins::{Extension, features};

use crate::context::Sema;
use crate::diagnostics::types;
use crate::types::ImageKind;

/// The extension that brings an image of multiple samples.
pub(crate) fn sharing_extension(kind: ImageKind) -> Option<Extension> {
    match kind {
        ImageKind::Image2dMsaa
        | ImageKind::Image2dArrayMsaa
        | ImageKind::Image2dMsaaDepth
        | ImageKind::Image2dArrayMsaaDepth => Some(features::GL_MSAA_SHARING),
        ImageKind::Image1d
        | ImageKind::Image1dArray
        | ImageKind::Image1dBuffer
        | ImageKind::Image2d
        | ImageKind::Image2dArray
        | ImageKind::Image2dDepth
        | ImageKind::Image2dArrayDepth
        | ImageKind::Image3d => None,
    }
}

impl Sema<'_> {
    /// Whether objects of type `double` exist.
    pub(crate) fn has_double(&self) -> bool {
        self.options.extensions.contains(features::FP64)
            || self.options.extensions.contains(features::FEATURE_FP64)
    }

    /// Whether objects of type `half` exist: from where the extension "is supported and has been
    /// enabled" on, in every version (OpenCL C 6.3.1, footnotes).
    pub(crate) fn has_half(&self) -> bool {
        self.extensions.contains(features::FP16)
    }

    /// What to do where `half` is missing: `otherwise`, if the target does not have it at all.
    pub(crate) fn help_with_half(&self, otherwise: &'static str) -> &'static str {
        if self.options.extensions.contains(features::FP16) {
            "enable it: `#pragma OPENCL EXTENSION cl_khr_fp16 : enable`"
        } else {
            otherwise
        }
    }

    /// Warns of a vector of `half` where the target has it and nothing enables it. clang takes those, so that programs
    /// leave the pragma out; once is enough to say that it is missing.
    pub(crate) fn miss_half(&mut self, text: &str, span: Span) {
        if std::mem::replace(&mut self.declared.half_is_missed, true) {
            return;
        }
        let message = format!("`{text}` is named where `cl_khr_fp16` is not enabled");
        self.report(
            Diagnostic::new(&types::W0302, span, message)
                .at("the first that is")
                .help(self.help_with_half("")),
        );
    }

    /// Whether an unqualified pointer points to the generic address space.
    pub(crate) fn has_generic_space(&self) -> bool {
        match self.options.version {
            Version::V1_0 | Version::V1_1 | Version::V1_2 => false,
            Version::V2_0 => true,
            Version::V3_0 | Version::V3_1 => {
                self.options.extensions.contains(features::FEATURE_GENERIC_ADDRESS_SPACE)
            }
        }
    }

    /// Whether variables of static storage duration can lie in `global` memory.
    pub(crate) fn has_program_scope_globals(&self) -> bool {
        match self.options.version {
            Version::V1_0 | Version::V1_1 | Version::V1_2 => false,
            Version::V2_0 => true,
            Version::V3_0 | Version::V3_1 => {
                self.options.extensions.contains(features::FEATURE_PROGRAM_SCOPE_GLOBAL_VARIABLES)
            }
        }
    }

    /// Reports a use of something that came with 2.0 and became optional in 3.0, on a target
    /// without it; `false` then.
    pub(crate) fn require_feature(&mut self, feature: Extension, what: &str, span: Span) -> bool {
        let (version, name) = (self.options.version, feature.name());
        // What is named is one thing, what is described is several.
        let need = if what.starts_with('`') && what.ends_with('`') { "needs" } else { "need" };
        let (message, label) = match version {
            Version::V1_0 | Version::V1_1 | Version::V1_2 => (
                format!("{what} {need} OpenCL C 2.0; this is {version}"),
                format!("unknown to OpenCL C {version}"),
            ),
            Version::V2_0 => return true,
            Version::V3_0 | Version::V3_1 if self.options.extensions.contains(feature) => {
                return true;
            }
            Version::V3_0 | Version::V3_1 => (
                format!("{what} {need} the feature `{name}`, which the target does not have"),
                "not on this target".to_owned(),
            ),
        };
        self.report(Diagnostic::new(&types::E0302, span, message).at(label));
        false
    }

    /// Reports a use of an image type on a target without it (OpenCL C 6.3.3); `false` then.
    pub(crate) fn require_image(&mut self, kind: ImageKind, text: &str, span: Span) -> bool {
        let extension = match kind {
            _ if sharing_extension(kind).is_some() => sharing_extension(kind),
            ImageKind::Image2dDepth | ImageKind::Image2dArrayDepth
                if self.options.version < Version::V2_0 =>
            {
                Some(features::DEPTH_IMAGES)
            }
            _ => None,
        };
        if let Some(extension) = extension
            && !self.options.extensions.contains(extension)
        {
            self.require_extension(extension, text, span);
            return false;
        }
        self.options.version < Version::V3_0
            || self.require_feature(features::FEATURE_IMAGES, &format!("`{text}`"), span)
    }

    /// Atomics of 64 bits come with two extensions (OpenCL C 6.15.12.6).
    pub(crate) fn require_wide_atomics(&mut self, text: &str, span: Span) -> bool {
        let needed = [features::INT64_BASE_ATOMICS, features::INT64_EXTENDED_ATOMICS];
        for extension in needed {
            if !self.options.extensions.contains(extension) {
                self.require_extension(extension, text, span);
                return false;
            }
        }
        true
    }

    pub(crate) fn require_extension(&mut self, extension: Extension, text: &str, span: Span) {
        let message = format!("`{text}` needs the extension `{}`", extension.name());
        self.report(
            Diagnostic::new(&types::E0302, span, message)
                .at("the extension is not enabled")
                .help(format!("if the target has it: `-cl-ext=+{}`", extension.name())),
        );
    }

    /// Reports a value of type `half` on a target that only stores it; `false` then.
    pub(crate) fn require_half(&mut self, span: Span) -> bool {
        let has = self.has_half();
        if !has {
            self.report(
                Diagnostic::new(
                    &types::E0302,
                    span,
                    "a value of type `half` needs the extension `cl_khr_fp16`",
                )
                .at("`half` is only a storage format here")
                .help(
                    self.help_with_half(
                        "use `float`, with `vload_half` and `vstore_half` for memory",
                    ),
                ),
            );
        }
        has
    }

    /// Reports a use of `double` on a target without it; `false` then.
    pub(crate) fn require_double(&mut self, span: Span) -> bool {
        let has = self.has_double();
        if !has {
            self.report(
                Diagnostic::new(
                    &types::E0302,
                    span,
                    "`double` needs `cl_khr_fp64` or `__opencl_c_fp64`, which the target does not have",
                ).at("the target has no `double`")
                .help("use `float`"),
            );
        }
        has
    }
}
