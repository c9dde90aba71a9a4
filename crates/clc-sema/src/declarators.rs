//! Declarators (C99 6.7.5): from a base type to the type of a name, with its address space.

use clc_base::{AddressSpace, Diagnostic, Span, Symbol, Version};
use clc_builtins::features;
use clc_syntax::ast::{self, ArrayLength, Attribute, Derived, Qualifier, Specifier, SpecifierKind};
use smallvec::SmallVec;

use crate::context::Sema;
use crate::diagnostics::blocks::E0471;
use crate::diagnostics::{address_spaces, declarations, types};
use crate::layout;
use crate::specifiers::Specifiers;
use crate::types::{FunctionType, QualType, Qualifiers, Scalar, Type, TypeId, TypeTable};

/// What a declarator is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Usage {
    Variable,
    Parameter,
    Member,
    TypeName,
}

/// A declarator put together with its specifiers.
#[derive(Debug)]
pub(crate) struct Declared<'a> {
    pub name: Option<(Symbol, Span)>,
    pub ty: QualType,
    /// The address space that was written for the object itself.
    pub space: Option<(AddressSpace, Span)>,
    /// For pointers: where the address space of the pointee was written; `None` if it is the
    /// default.
    pub pointee_space: Option<Span>,
    /// If the type is a function that this declarator declares: its parameters.
    pub parameters: Option<Vec<ParameterInfo>>,
    /// The function is the one with a variable number of arguments (OpenCL C 6.15.14).
    pub is_printf: bool,
    /// Attributes among the qualifiers of a pointer.
    pub attributes: SmallVec<[&'a Attribute; 2]>,
    pub span: Span,
}

/// A parameter as declared.
#[derive(Debug)]
pub(crate) struct ParameterInfo {
    pub name: Option<(Symbol, Span)>,
    /// After adjustment, with the qualifiers of the parameter itself.
    pub ty: QualType,
    pub pointee_space: Option<Span>,
    pub is_host_sized: bool,
    /// The type as the source spells it, for `clGetKernelArgInfo`; made for kernels.
    pub specifier_name: Option<Symbol>,
    /// Pointers that the declarator adds to the named type.
    pub pointer_depth: u32,
    pub span: Span,
}

impl<'a> Sema<'a> {
    /// The type of a cast, `sizeof` or compound literal. An address space on the object itself
    /// (`(local int){0}`, or `sizeof(global int)`) is checked and dropped.
    pub fn type_name(&mut self, name: &'a ast::TypeName) -> QualType {
        let specs = self.specifiers(&name.specifiers, name.span);
        let declared = self.declarator(&specs, &name.declarator, Usage::TypeName);
        declared.ty
    }

    /// Applies a declarator to its specifiers.
    pub(crate) fn declarator(
        &mut self,
        specs: &Specifiers<'a>,
        declarator: &'a ast::Declarator,
        usage: Usage,
    ) -> Declared<'a> {
        let mut declared = Declared {
            name: declarator.name,
            ty: specs.base,
            space: specs.space,
            pointee_space: None,
            parameters: None,
            is_printf: false,
            attributes: SmallVec::new(),
            span: declarator.name.map_or(declarator.span, |(_, span)| span),
        };
        if declared.span.is_none() {
            declared.span = specs.span;
        }
        if let Some(span) = specs.restrict {
            self.check_restrict(specs.base, span);
        }
        for (index, derived) in declarator.derived.iter().enumerate().rev() {
            match derived {
                Derived::Pointer { qualifiers, span } => {
                    self.derive_pointer(&mut declared, qualifiers, *span);
                }
                Derived::Block { qualifiers, span } => {
                    self.derive_block(&mut declared, qualifiers, *span);
                }
                Derived::Array { length, qualifiers, is_static: _, span } => {
                    let adjusted = usage == Usage::Parameter && index == 0;
                    self.derive_array(&mut declared, *length, qualifiers, adjusted, usage, *span);
                }
                Derived::Function { parameters, variadic, span } => {
                    let kernel = specs.kernel.is_some() && index == 0;
                    self.derive_function(
                        &mut declared,
                        parameters,
                        *variadic,
                        index == 0,
                        kernel,
                        *span,
                    );
                }
            }
        }
        declared
    }

    pub(crate) fn check_restrict(&mut self, ty: QualType, span: Span) {
        match self.module.types.get(ty.ty) {
            Type::Pointer { .. } | Type::Error => {}
            _ => {
                let text = self.qualified_text(ty.ty.into());
                self.report(
                    Diagnostic::new(
                        &types::E0303,
                        span,
                        format!("`restrict` qualifies pointers, not `{text}`"),
                    )
                    .at("not a pointer")
                    .help("`restrict` is written after the `*`"),
                );
            }
        }
    }

    /// Qualifiers, address space and attributes written after a `*`.
    fn pointer_qualifiers(
        &mut self,
        declared: &mut Declared<'a>,
        list: &'a [Specifier],
    ) -> (Qualifiers, Option<(AddressSpace, Span)>) {
        let mut quals = Qualifiers::NONE;
        let mut space = None;
        for specifier in list {
            match &specifier.kind {
                SpecifierKind::Qualifier(Qualifier::Const) => quals.is_const = true,
                SpecifierKind::Qualifier(Qualifier::Volatile) => quals.is_volatile = true,
                SpecifierKind::Qualifier(Qualifier::Restrict) => quals.is_restrict = true,
                SpecifierKind::Qualifier(Qualifier::AddressSpace(named)) => {
                    self.merge_space(&mut space, *named, specifier.span);
                }
                SpecifierKind::Qualifier(Qualifier::Access(_)) => {
                    self.report(
                        Diagnostic::new(
                            &types::E0304,
                            specifier.span,
                            "access qualifiers are for images and pipes, not for pointers",
                        )
                        .at("written behind a `*`"),
                    );
                }
                SpecifierKind::Attribute(attribute) => match self.space_attribute(attribute) {
                    Some(named) => self.merge_space(&mut space, named, attribute.span),
                    None => declared.attributes.push(attribute),
                },
                SpecifierKind::Storage(_) | SpecifierKind::Function(_) | SpecifierKind::Type(_) => {
                    self.report(
                        Diagnostic::new(
                            &declarations::E0203,
                            specifier.span,
                            "only qualifiers can follow the `*` of a pointer",
                        )
                        .at("not a qualifier"),
                    )
                }
            }
        }
        (quals, space)
    }

    fn derive_pointer(&mut self, declared: &mut Declared<'a>, list: &'a [Specifier], span: Span) {
        let (quals, space) = self.pointer_qualifiers(declared, list);
        let pointee = declared.ty;
        let target = declared.space;
        declared.parameters = None;
        declared.space = space;
        declared.pointee_space = target.map(|(_, span)| span);
        let refused = match self.module.types.get(pointee.ty) {
            Type::Error => {
                declared.ty = QualType { ty: TypeTable::ERROR, quals };
                return;
            }
            Type::Function(_) => {
                self.report(
                    Diagnostic::new(
                        &declarations::E0214,
                        span,
                        "OpenCL C has no pointers to functions",
                    )
                    .at("a pointer to a function")
                    .help("choose between functions with `switch` or `if`"),
                );
                true
            }
            Type::Block(_) => {
                let message = "there are no pointers to blocks";
                self.report(
                    Diagnostic::new(&E0471, span, message)
                        .at("a pointer to a block")
                        .help("use the block itself"),
                );
                true
            }
            _ if self.has_matrix(pointee.ty) => {
                self.refuse_matrix(pointee.ty, "a pointer", span);
                true
            }
            Type::Image(..) | Type::Sampler | Type::Pipe { .. } => {
                let text = self.type_text(pointee.ty);
                self.report(
                    Diagnostic::new(
                        &types::E0305,
                        span,
                        format!("there are no pointers to `{text}`"),
                    )
                    .at(format!("points to `{text}`"))
                    .help(format!("pass the `{text}` itself")),
                );
                true
            }
            _ => false,
        };
        declared.ty = if refused {
            TypeTable::ERROR.into()
        } else {
            let target = self.pointee_space(target);
            QualType { ty: self.module.types.pointer(pointee, target), quals }
        };
    }

    /// The address space that a pointer points to (rule 5).
    pub(crate) fn pointee_space(&self, written: Option<(AddressSpace, Span)>) -> AddressSpace {
        match written {
            Some((space, _)) => space,
            None if self.has_generic_space() => AddressSpace::Generic,
            None => AddressSpace::Private,
        }
    }

    fn derive_block(&mut self, declared: &mut Declared<'a>, list: &'a [Specifier], span: Span) {
        let (quals, space) = self.pointer_qualifiers(declared, list);
        declared.space = space;
        declared.pointee_space = None;
        declared.parameters = None;
        self.require_feature(features::FEATURE_DEVICE_ENQUEUE, "blocks", span);
        let ty = match self.module.types.get(declared.ty.ty) {
            Type::Function(function) => {
                let function = function.clone();
                self.module.types.intern(Type::Block(function))
            }
            Type::Error => TypeTable::ERROR,
            _ => {
                self.report(
                    Diagnostic::new(
                        &declarations::E0203,
                        span,
                        "`^` declares a block and needs a parameter list: `int (^block)(int)`",
                    )
                    .at("no parameters follow"),
                );
                TypeTable::ERROR
            }
        };
        declared.ty = QualType { ty, quals };
    }

    fn derive_array(
        &mut self,
        declared: &mut Declared<'a>,
        length: ArrayLength,
        qualifiers: &'a [Specifier],
        adjusted: bool,
        usage: Usage,
        span: Span,
    ) {
        declared.parameters = None;
        let element = declared.ty;
        let refused = match self.module.types.get(element.ty) {
            Type::Error => {
                declared.ty = TypeTable::ERROR.into();
                return;
            }
            Type::Block(_) => {
                self.report(
                    Diagnostic::new(&E0471, span, "there are no arrays of blocks")
                        .at("its elements are blocks"),
                );
                declared.ty = TypeTable::ERROR.into();
                return;
            }
            Type::Void
            | Type::Function(_)
            | Type::Image(..)
            | Type::Sampler
            | Type::Pipe { .. } => true,
            _ => self.module.types.size(element.ty).is_none(),
        };
        if refused {
            let text = self.qualified_text(element);
            let code = match self.module.types.get(element.ty) {
                Type::Image(..) | Type::Sampler | Type::Pipe { .. } => &types::E0305,
                _ => &types::E0306,
            };
            if self.incompleteness_is_news(element.ty) {
                let message = format!("there are no arrays of `{text}`");
                self.report(
                    Diagnostic::new(code, span, message).at(format!("its elements are `{text}`")),
                );
            }
            declared.ty = TypeTable::ERROR.into();
            return;
        }
        if adjusted {
            // C99 6.7.5.3 paragraph 7: a pointer to the element; the length only documents.
            let (quals, space) = self.pointer_qualifiers(declared, qualifiers);
            match length {
                ArrayLength::Expr(e) => drop(self.expr(e)),
                ArrayLength::Star => self.report(
                    Diagnostic::new(
                        &declarations::E0207,
                        span,
                        "`[*]` declares a variable length array; OpenCL C has none",
                    )
                    .at("the length is `*`"),
                ),
                ArrayLength::Unknown => {}
            }
            declared.pointee_space = declared.space.map(|(_, span)| span);
            let target = self.pointee_space(declared.space);
            declared.space = space;
            declared.ty = if self.refuse_matrix(element.ty, "a parameter that is an array", span) {
                TypeTable::ERROR.into()
            } else {
                QualType { ty: self.module.types.pointer(element, target), quals }
            };
            return;
        }
        let len = match length {
            ArrayLength::Unknown => {
                if usage == Usage::Member {
                    self.report(
                        Diagnostic::new(
                            &declarations::E0207,
                            span,
                            "OpenCL C has no flexible array members",
                        )
                        .at("no length is given")
                        .help("give the array a length"),
                    );
                    declared.ty = TypeTable::ERROR.into();
                    return;
                }
                None
            }
            ArrayLength::Star => {
                self.report(
                    Diagnostic::new(
                        &declarations::E0207,
                        span,
                        "`[*]` declares a variable length array; OpenCL C has none",
                    )
                    .at("the length is `*`"),
                );
                declared.ty = TypeTable::ERROR.into();
                return;
            }
            ArrayLength::Expr(e) => match self.array_length(e, element.ty) {
                Some(len) => Some(len),
                None => {
                    declared.ty = TypeTable::ERROR.into();
                    return;
                }
            },
        };
        declared.ty = self.module.types.intern(Type::Array { element, len }).into();
    }

    fn array_length(&mut self, e: ast::ExprId, element: TypeId) -> Option<u64> {
        let span = self.ast.exprs[e].span;
        let len = self.integer_constant(e, "the length of an array")?.value;
        if len < 1 {
            let message = if len == 0 {
                "the length of an array cannot be zero".to_owned()
            } else {
                format!("the length of an array cannot be negative; this is {len}")
            };
            self.report(
                Diagnostic::new(&declarations::E0207, span, message).at("at least 1 is needed"),
            );
            return None;
        }
        let limit = i128::from(layout::largest_object(&self.module.types));
        let size = i128::from(self.module.types.size(element).unwrap_or(1));
        // Both factors are below 2^64.
        if len > limit || len * size > limit {
            self.report(Diagnostic::new(
                &types::E0307,
                span,
                format!(
                    "an array of {len} elements of {size} bytes is too large: the limit is {limit} bytes"
                ),
            ).at(format!("{len} elements")));
            return None;
        }
        u64::try_from(len).ok()
    }

    fn derive_function(
        &mut self,
        declared: &mut Declared<'a>,
        parameters: &'a [ast::Parameter],
        variadic: bool,
        is_declared: bool,
        is_kernel: bool,
        span: Span,
    ) {
        let result = declared.ty;
        self.check_result(result, declared);
        let mut infos = Vec::with_capacity(parameters.len());
        for parameter in parameters {
            infos.push(self.parameter(parameter, is_kernel));
        }
        declared.is_printf = variadic
            && is_declared
            && self.options.version >= Version::V1_2
            && self.is_printf(declared, &infos);
        if variadic && !declared.is_printf {
            self.report(
                Diagnostic::new(
                    &declarations::E0211,
                    span,
                    "functions of a program cannot take a variable number of arguments",
                )
                .at("the parameters end in `...`")
                .note("only `printf` does"),
            );
        }
        let params = infos.iter().map(|info| info.ty.ty).collect();
        let result = match self.module.types.get(result.ty) {
            Type::Array { .. } | Type::Function(_) | Type::Block(_) => TypeTable::ERROR,
            _ => result.ty,
        };
        declared.ty = self
            .module
            .types
            .intern(Type::Function(FunctionType { result, params, variadic: false }))
            .into();
        declared.space = None;
        declared.pointee_space = None;
        declared.parameters = is_declared.then_some(infos);
    }

    /// `int printf(constant char *, ...)`, which the language has declared.
    fn is_printf(&self, declared: &Declared<'a>, parameters: &[ParameterInfo]) -> bool {
        let is_name =
            declared.name.is_some_and(|(name, _)| self.interner.resolve(name) == "printf");
        let [format] = parameters else { return false };
        let is_format = matches!(
            self.module.types.as_pointer(format.ty.ty),
            Some((pointee, AddressSpace::Constant)) if pointee.ty == TypeTable::CHAR
        );
        is_name && is_format && declared.ty.ty == TypeTable::INT
    }

    /// What a function may return (rule 17, OpenCL C 6.11).
    fn check_result(&mut self, result: QualType, declared: &Declared<'a>) {
        if let Some((space, span)) = declared.space {
            let diagnostic = Diagnostic::new(
                &address_spaces::E0322,
                span,
                format!("the result of a function is not an object in `{space}` memory"),
            )
            .at("qualifies the result");
            let help = if self.module.types.as_pointer(result.ty).is_some() {
                format!("leave `{space}` out; the pointee's address space stands before the `*`")
            } else {
                format!("leave `{space}` out")
            };
            self.report(diagnostic.help(help));
        }
        let refused = match self.module.types.get(result.ty) {
            Type::Array { .. } => "an array",
            Type::Function(_) => "a function",
            Type::Block(_) => "a block",
            Type::Image(..) => "an image",
            Type::Sampler => "a sampler",
            Type::Pipe { .. } => "a pipe",
            Type::Scalar(Scalar::Half) if !self.has_half() => {
                self.report(
                    Diagnostic::new(
                        &types::E0302,
                        declared.span,
                        "returning a `half` needs the extension `cl_khr_fp16`",
                    )
                    .at("the result is `half`")
                    .help(self.help_with_half("return a `float`")),
                );
                return;
            }
            _ => return,
        };
        self.report(
            Diagnostic::new(
                &declarations::E0219,
                declared.span,
                format!("a function cannot return {refused}"),
            )
            .at(format!("returns `{}`", self.type_text(result.ty))),
        );
    }
}
