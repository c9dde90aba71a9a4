//! What only kernels have: rules for parameters and results, and argument information.

use clc_base::{AddressSpace, Diagnostic, Span, Version};

use crate::attributes::FunctionFacts;
use crate::context::Sema;
use crate::declarators::{Declared, ParameterInfo};
use crate::diagnostics::{address_spaces, declarations as codes};
use crate::hir::{FuncId, KernelArgument};
use crate::types::{Scalar, Type, TypeId};

impl<'a> Sema<'a> {
    /// Checks the signature of a kernel and attaches what hosts ask about it.
    pub(super) fn check_kernel(
        &mut self,
        id: FuncId,
        declared: &Declared<'a>,
        facts: &FunctionFacts,
    ) {
        let result = self.module.functions[id].result;
        if result != crate::types::TypeTable::VOID && !self.module.types.is_error(result) {
            let text = self.type_text(result);
            self.report(
                Diagnostic::new(
                    &codes::E0212,
                    declared.span,
                    format!("a kernel returns `void`, not `{text}`"),
                )
                .at(format!("returns `{text}`"))
                .help("write the result through a pointer to `global` memory"),
            );
        }
        let mut kernel = facts.kernel.clone();
        kernel.arguments.clear();
        for parameter in declared.parameters.iter().flatten() {
            self.kernel_parameter(parameter);
            kernel.arguments.push(self.kernel_argument(parameter));
        }
        self.module.functions[id].kernel = Some(Box::new(kernel));
    }

    fn kernel_parameter(&mut self, parameter: &ParameterInfo) {
        let span = parameter.span;
        let ty = parameter.ty.ty;
        if parameter.is_host_sized {
            let text = match parameter.specifier_name {
                Some(name) => self.interner.resolve(name).to_owned(),
                None => self.type_text(ty),
            };
            let fixed = if self.module.types.as_scalar(ty).is_some_and(Scalar::is_signed) {
                "long"
            } else {
                "ulong"
            };
            self.report(
                Diagnostic::new(
                    &codes::E0213,
                    span,
                    format!("the host does not know the size of `{text}` on the device"),
                )
                .at(format!("this is `{text}`"))
                .help(format!("use a type of fixed size: `{fixed}`")),
            );
            return;
        }
        match self.module.types.get(ty) {
            Type::Pointer { pointee, space } => {
                let (pointee, space) = (*pointee, *space);
                if matches!(space, AddressSpace::Private | AddressSpace::Generic) {
                    self.kernel_pointer_space(parameter, space);
                    return;
                }
                let mut inner = pointee.ty;
                let mut inner_space = None;
                while let Type::Array { element: next, .. } | Type::Pointer { pointee: next, .. } =
                    self.module.types.get(inner)
                {
                    if let Type::Pointer { space, .. } = self.module.types.get(inner) {
                        inner_space = Some(*space);
                        if matches!(space, AddressSpace::Private | AddressSpace::Generic) {
                            break;
                        }
                    }
                    inner = next.ty;
                }
                if self.options.version >= Version::V2_0 {
                    if let Some(space @ (AddressSpace::Private | AddressSpace::Generic)) =
                        inner_space
                    {
                        let text = self.type_text(ty);
                        let message = format!(
                            "the pointers behind a kernel's argument point to `global`, `local` or \
                             `constant` memory, not to `{space}`"
                        );
                        self.report(
                            Diagnostic::new(&address_spaces::E0325, span, message)
                                .at(format!("this is `{text}`"))
                                .help("write an address space for each `*`"),
                        );
                    }
                } else if inner_space.is_some() {
                    let text = self.type_text(ty);
                    self.report(
                        Diagnostic::new(
                            &codes::E0213,
                            span,
                            format!("a kernel cannot take a pointer to pointers (`{text}`) before OpenCL C 2.0"),
                        ).at("points to pointers")
                        .help("pass one buffer, and offsets into it"),
                    );
                }
            }
            Type::Record(_) => self.kernel_record(ty, span),
            Type::Scalar(Scalar::Bool)
            | Type::Event
            | Type::ClkEvent
            | Type::NdRange
            | Type::ReserveId
            | Type::Block(_)
            | Type::Atomic(_)
            | Type::Matrix(_)
            | Type::MatrixOfContext
            | Type::AtomicFlag => {
                let text = self.type_text(ty);
                let diagnostic = Diagnostic::new(
                    &codes::E0213,
                    span,
                    format!("a kernel cannot take `{text}` as an argument"),
                )
                .at("hosts cannot pass this");
                let diagnostic = if text == "bool" {
                    diagnostic.help("use `int` or `uchar`")
                } else {
                    diagnostic
                };
                self.report(diagnostic);
            }
            Type::Void
            | Type::Scalar(_)
            | Type::Vector(..)
            | Type::Array { .. }
            | Type::Enum(_)
            | Type::Function(_)
            | Type::Image(..)
            | Type::Sampler
            | Type::Queue
            | Type::Pipe { .. }
            | Type::Error => {}
        }
    }

    /// Rule 3.
    fn kernel_pointer_space(&mut self, parameter: &ParameterInfo, space: AddressSpace) {
        let message = format!(
            "a kernel's pointer argument points to `global`, `local` or `constant` memory, not to \
             `{space}`"
        );
        let mut diagnostic = Diagnostic::new(&address_spaces::E0325, parameter.span, message)
            .at(format!("points to `{space}`"));
        match parameter.pointee_space {
            Some(span) => diagnostic = diagnostic.label(span, format!("`{space}` is written here")),
            None => {
                diagnostic = diagnostic.note(format!(
                    "a pointer without an address space points to `{space}` in OpenCL C {}",
                    self.options.version
                ));
            }
        }
        self.report(diagnostic.help("for a buffer of the host, write `global` before the type"));
    }

    /// Whether a member has a type that was reported, whose size is not known then.
    fn has_unknown_member(&self, ty: TypeId) -> bool {
        match self.module.types.get(ty) {
            Type::Record(id) => {
                let body = self.module.types.records[*id].body.as_ref();
                body.is_some_and(|body| {
                    body.fields.iter().any(|field| self.has_unknown_member(field.ty.ty))
                })
            }
            Type::Array { element, .. } => self.has_unknown_member(element.ty),
            ty => matches!(ty, Type::Error),
        }
    }

    /// A struct or union by value: nothing in it may depend on the device.
    fn kernel_record(&mut self, ty: TypeId, span: Span) {
        if self.module.types.size(ty) == Some(0) && !self.has_unknown_member(ty) {
            let message =
                format!("the host cannot pass `{}`, which has no members", self.type_text(ty));
            self.report(
                Diagnostic::new(&codes::E0213, span, message)
                    .at("a value of 0 bytes")
                    .help("leave the parameter out"),
            );
            return;
        }
        let mut pending = vec![ty];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(current) = pending.pop() {
            if !seen.insert(current) {
                continue;
            }
            let Type::Record(id) = self.module.types.get(current) else { continue };
            let Some(body) = &self.module.types.records[*id].body else { continue };
            let mut refused = None;
            for field in &body.fields {
                let mut element = field.ty.ty;
                while let Type::Array { element: inner, .. } = self.module.types.get(element) {
                    element = inner.ty;
                }
                match self.module.types.get(element) {
                    Type::Record(_) => pending.push(element),
                    // Shared virtual memory came with 2.0.
                    Type::Pointer { space, .. }
                        if self.options.version >= Version::V2_0
                            && !matches!(space, AddressSpace::Private | AddressSpace::Generic) => {}
                    _ if field.is_host_sized => {
                        refused = Some((field.span, element, true));
                        break;
                    }
                    Type::Scalar(Scalar::Half) if !self.has_half() => {
                        refused = Some((field.span, element, false));
                        break;
                    }
                    Type::Pointer { .. }
                    | Type::Scalar(Scalar::Bool)
                    | Type::Event
                    | Type::ClkEvent
                    | Type::NdRange
                    | Type::Queue => {
                        refused = Some((field.span, element, false));
                        break;
                    }
                    _ => {}
                }
            }
            if let Some((field, element, is_host_sized)) = refused {
                let text = self.type_text(ty);
                let inner = self.type_text(element);
                self.report(
                    Diagnostic::new(
                        &codes::E0213,
                        span,
                        format!("a kernel cannot take `{text}` by value: it contains `{inner}`"),
                    )
                    .at("passed by value")
                    .label(
                        field,
                        if is_host_sized {
                            "the host does not know the size of this member on the device"
                        } else {
                            "this member"
                        },
                    ),
                );
                return;
            }
        }
    }

    fn kernel_argument(&self, parameter: &ParameterInfo) -> KernelArgument {
        let types = &self.module.types;
        let mut base = parameter.ty.ty;
        for _ in 0..parameter.pointer_depth {
            if let Type::Pointer { pointee, .. } = types.get(base) {
                base = pointee.ty;
            }
        }
        let mut type_name = match (parameter.specifier_name, types.get(base)) {
            (_, Type::Pipe { packet, .. }) => self.type_text(*packet),
            (Some(name), _) => self.interner.resolve(name).to_owned(),
            (None, _) => self.type_text(base),
        };
        type_name.extend(std::iter::repeat_n('*', parameter.pointer_depth as usize));
        let mut qualifiers: Vec<&str> = Vec::new();
        let (mut access, mut address_space) = (None, AddressSpace::Private);
        match types.get(parameter.ty.ty) {
            Type::Pointer { pointee, space } => {
                address_space = *space;
                if pointee.quals.is_const || *space == AddressSpace::Constant {
                    qualifiers.push("const");
                }
                if parameter.ty.quals.is_restrict {
                    qualifiers.push("restrict");
                }
                if pointee.quals.is_volatile {
                    qualifiers.push("volatile");
                }
            }
            Type::Image(_, image) => {
                address_space = AddressSpace::Global;
                access = Some(*image);
            }
            Type::Pipe { access: pipe, .. } => {
                address_space = AddressSpace::Global;
                access = Some(*pipe);
                qualifiers.push("pipe");
            }
            _ => {}
        }
        KernelArgument { type_name, type_qualifiers: qualifiers.join(" "), access, address_space }
    }
}
