//! Variables, and the address space each lives in (OpenCL C 6.7, rules 2 and 11 to 15).

use clc_base::{AddressSpace, Diagnostic, Span, Symbol};
use clc_syntax::ast::{InitDeclarator, Initializer, StorageSpecifier};

use crate::context::{Entity, Sema};
use crate::declarators::Declared;
use crate::diagnostics::{address_spaces, declarations as codes, types};
use crate::hir::{Constant, Global, GlobalId, Linkage};
use crate::index;
use crate::scopes::Binding;
use crate::specifiers::Specifiers;
use crate::types::{QualType, Qualifiers, Scalar, Type, TypeId, TypeTable};

/// Where a variable is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    File,
    Block,
}

impl<'a> Sema<'a> {
    /// A variable at program scope.
    pub(super) fn file_variable(
        &mut self,
        specs: &Specifiers<'a>,
        declared: Declared<'a>,
        item: &'a InitDeclarator,
        name: Symbol,
        span: Span,
    ) {
        let is_extern = matches!(specs.storage, Some((StorageSpecifier::Extern, _)));
        let is_only_declared = is_extern && item.initializer.is_none();
        let ty = self.object_type(declared.ty, span, Scope::File, is_only_declared);
        if is_extern && matches!(self.module.types.get(ty.ty), Type::Block(_)) {
            self.extern_block(span);
        }
        let errors = self.diagnostics.len();
        let space = self.program_scope_space(declared.space, ty, name, span);
        let is_misplaced = self.diagnostics.len() != errors;
        let align = self.variable_alignment(specs, &declared, ty.ty, true);
        let linkage = match specs.storage {
            Some((StorageSpecifier::Static, _)) => Linkage::Internal,
            _ => Linkage::External,
        };
        let text = self.interner.resolve(name).to_owned();
        let number = self.spec_constant_attribute(specs, &declared);
        let global = match self.earlier_global(name) {
            Some((global, first)) => {
                if let Some((_, attribute)) = number {
                    self.specialized_too_late(attribute, name, first);
                }
                self.merge_global(global, first, ty, space, name, span, item);
                let known = &mut self.module.globals[global];
                known.align = known.align.max(align);
                if linkage == Linkage::Internal && known.linkage == Linkage::External {
                    self.static_after_extern(name, span, first);
                }
                global
            }
            None => {
                let global = self.module.globals.push(Global {
                    name: text,
                    ty,
                    space,
                    initializer: None,
                    align,
                    linkage,
                    is_declaration: true,
                    spec_constant: None,
                    span,
                });
                self.declare(name, Binding::new(Entity::Global(global), span));
                global
            }
        };
        if !(is_extern && item.initializer.is_none()) {
            self.define_global(global, item, name, span, is_misplaced);
        }
        if let Some((number, attribute)) = number.filter(|_| self.diagnostics.len() == errors) {
            self.name_spec_constant(global, number, name, attribute);
        }
    }

    /// The global that the name denotes at file scope already.
    fn earlier_global(&mut self, name: Symbol) -> Option<(GlobalId, Span)> {
        let binding = self.scopes.lookup_here(name)?;
        match binding.entity {
            Entity::Global(global) => Some((global, binding.span)),
            _ => None,
        }
    }

    /// Declares a known global once more (C99 6.9.2).
    fn merge_global(
        &mut self,
        global: GlobalId,
        first: Span,
        ty: QualType,
        space: AddressSpace,
        name: Symbol,
        span: Span,
        item: &InitDeclarator,
    ) {
        self.index_name(span, index::Entity::Global(global), true);
        let known = &self.module.globals[global];
        let (old, old_space) = (known.ty, known.space);
        let is_defined_twice = known.initializer.is_some() && item.initializer.is_some();
        let completed = self.composite_type(old, ty);
        let text = self.interner.resolve(name);
        if is_defined_twice {
            let message = format!("`{text}` is initialized twice");
            self.report(
                Diagnostic::new(&codes::E0201, span, message)
                    .at("initialized again")
                    .label(first, "first defined here"),
            );
        } else if old_space != space {
            let message = format!("`{text}` cannot be in `{space}` and in `{old_space}` memory");
            self.report(
                Diagnostic::new(&codes::E0202, span, message)
                    .at(format!("`{space}` here"))
                    .label(first, format!("`{old_space}` here")),
            );
        } else if let Some(ty) = completed {
            self.module.globals[global].ty = ty;
        } else {
            let message = format!("`{text}` is declared again with another type");
            let (new_text, old_text) = (self.qualified_text(ty), self.qualified_text(old));
            self.report(
                Diagnostic::new(&codes::E0202, span, message)
                    .at(format!("`{new_text}` here"))
                    .label(first, format!("`{old_text}` here")),
            );
        }
    }

    /// The composite type of two declarations of one object; `None` if they disagree.
    fn composite_type(&self, a: QualType, b: QualType) -> Option<QualType> {
        if a == b || self.module.types.is_error(b.ty) {
            return Some(a);
        }
        if self.module.types.is_error(a.ty) {
            return Some(b);
        }
        match (self.module.types.get(a.ty), self.module.types.get(b.ty)) {
            (
                Type::Array { element: first, len: None },
                Type::Array { element: second, len: Some(_) },
            ) if first == second => Some(b),
            (
                Type::Array { element: first, len: Some(_) },
                Type::Array { element: second, len: None },
            ) if first == second => Some(a),
            _ => None,
        }
    }

    /// Turns a declared global into a defined one, with its initializer. If the declaration is
    /// reported as misplaced, a missing initializer is not reported, too.
    pub(super) fn define_global(
        &mut self,
        global: GlobalId,
        item: &'a InitDeclarator,
        name: Symbol,
        span: Span,
        is_misplaced: bool,
    ) {
        let (ty, space) = (self.module.globals[global].ty, self.module.globals[global].space);
        self.module.globals[global].is_declaration = false;
        self.check_atomic_initializer(item, ty, space);
        if let Type::Block(_) = self.module.types.get(ty.ty) {
            return self.define_block_global(global, item, name, span);
        }
        match &item.initializer {
            Some(initializer) => {
                let what = match space {
                    AddressSpace::Constant => "the initializer of a `constant` variable",
                    _ => "the initializer of a variable at program scope",
                };
                let (complete, constant) = self.static_initializer(ty, initializer, what);
                let known = &mut self.module.globals[global];
                known.ty = QualType { ty: complete, quals: ty.quals };
                known.initializer = Some(constant.unwrap_or(Constant::Zero));
            }
            None => {
                if self.module.types.is_error(ty.ty) || is_misplaced {
                    return;
                }
                if space == AddressSpace::Constant {
                    let message = format!(
                        "`{}` is in `constant` memory and needs an initializer",
                        self.interner.resolve(name)
                    );
                    self.report(
                        Diagnostic::new(&address_spaces::E0327, span, message)
                            .at("declared without a value")
                            .help("nothing can write to `constant` memory later"),
                    );
                } else if matches!(self.module.types.get(ty.ty), Type::Array { len: None, .. }) {
                    // A later declaration may say the length; not of what no other file sees
                    // (C99 6.9.2).
                    match self.module.globals[global].linkage {
                        Linkage::External => self.declared.tentative.push((global, span)),
                        Linkage::Internal => self.incomplete_object(ty, span),
                    }
                }
                if self.module.globals[global].initializer.is_none()
                    && space == AddressSpace::Global
                {
                    self.module.globals[global].initializer = Some(Constant::Zero);
                }
            }
        }
    }

    /// Arrays that nothing has said the length of by the end have one element (C99 6.9.2).
    pub(super) fn complete_tentative(&mut self) {
        for (global, span) in std::mem::take(&mut self.declared.tentative) {
            let ty = self.module.globals[global].ty;
            let &Type::Array { element, len: None } = self.module.types.get(ty.ty) else {
                continue;
            };
            let one = self.module.types.intern(Type::Array { element, len: Some(1) });
            self.module.globals[global].ty = QualType { ty: one, quals: ty.quals };
            let message = "an array without length or initializer has one element";
            self.report(
                Diagnostic::new(&codes::W0210, span, message)
                    .at("neither a length nor a value")
                    .help("give it a length"),
            );
        }
    }

    /// Atomics are initialised where they are declared only in `global` memory (OpenCL C 6.13.11.1).
    pub(super) fn check_atomic_initializer(
        &mut self,
        item: &InitDeclarator,
        ty: QualType,
        space: AddressSpace,
    ) {
        let is_atomic = matches!(self.module.types.get(ty.ty), Type::Atomic(_) | Type::AtomicFlag);
        if !is_atomic || space == AddressSpace::Global {
            return;
        }
        let span = match &item.initializer {
            Some(Initializer::Expr(e)) => self.ast.exprs[*e].span,
            Some(Initializer::List(list)) => list.span,
            None => return,
        };
        self.report(
            Diagnostic::new(
                &codes::E0216,
                span,
                format!("an atomic in `{space}` memory cannot be initialized where it is declared"),
            )
            .at(format!("a value for `{}`", self.type_text(ty.ty)))
            .help("use `atomic_init`"),
        );
    }

    /// Rules 2, 11 and 12.
    pub(super) fn program_scope_space(
        &mut self,
        written: Option<(AddressSpace, Span)>,
        ty: QualType,
        name: Symbol,
        span: Span,
    ) -> AddressSpace {
        let is_sampler = ty.ty == TypeTable::SAMPLER;
        let has_globals = self.has_program_scope_globals();
        let text = self.interner.resolve(name);
        match written {
            Some((AddressSpace::Constant, _)) => AddressSpace::Constant,
            Some((space, at)) if is_sampler => {
                let message = format!("a sampler cannot be in `{space}` memory");
                self.report(
                    Diagnostic::new(&address_spaces::E0334, at, message)
                        .at("qualifies a sampler")
                        .help("write `constant sampler_t` or `const sampler_t`"),
                );
                AddressSpace::Constant
            }
            Some((AddressSpace::Global, _)) if has_globals => AddressSpace::Global,
            Some((space, at)) => {
                let message =
                    format!("`{text}` cannot be in `{space}` memory: it is at program scope");
                let diagnostic = Diagnostic::new(&address_spaces::E0326, at, message)
                    .at("qualifies the variable itself");
                let diagnostic = match space {
                    AddressSpace::Global => diagnostic
                        .note(format!(
                            "`global` variables need OpenCL C 2.0, or 3.0 with \
                             `__opencl_c_program_scope_global_variables`; this is OpenCL C {}",
                            self.options.version
                        ))
                        .help("use `constant` if it never changes, otherwise a kernel argument"),
                    AddressSpace::Local => diagnostic
                        .help("declare it in the outermost scope of the kernel that uses it"),
                    AddressSpace::Private | AddressSpace::Generic | AddressSpace::Constant => {
                        let keyword = if has_globals { "global" } else { "constant" };
                        diagnostic.help(format!("write `{keyword}` instead"))
                    }
                };
                self.report(diagnostic);
                // What is initialized with its address is right where `global` is written.
                if has_globals || space == AddressSpace::Global {
                    AddressSpace::Global
                } else {
                    AddressSpace::Constant
                }
            }
            None if is_sampler => {
                if !ty.quals.is_const {
                    let message = format!("sampler `{text}` at program scope must be `const`");
                    self.report(
                        Diagnostic::new(&address_spaces::E0326, span, message)
                            .at("not declared `const`")
                            .help("write `constant sampler_t` or `const sampler_t`"),
                    );
                }
                AddressSpace::Constant
            }
            None if has_globals => AddressSpace::Global,
            None => {
                if !self.module.types.is_error(ty.ty) {
                    let message = format!(
                        "`{text}` is at program scope and must be in `constant` memory in OpenCL C {}",
                        self.options.version
                    );
                    self.report(
                        Diagnostic::new(&address_spaces::E0326, span, message)
                            .at("no address space is written, which means `private`")
                            .help("write `constant` before its type"),
                    );
                }
                AddressSpace::Constant
            }
        }
    }

    /// The type of a variable, or the error type after saying why there cannot be one. What is only
    /// declared may have an incomplete type (C99 6.7 paragraph 7).
    pub(super) fn object_type(
        &mut self,
        ty: QualType,
        span: Span,
        scope: Scope,
        is_only_declared: bool,
    ) -> QualType {
        let mut element = ty.ty;
        while let Type::Array { element: inner, .. } = self.module.types.get(element) {
            element = inner.ty;
        }
        let diagnostic = match self.module.types.get(element) {
            Type::Error => return ty,
            Type::Void => {
                Diagnostic::new(&codes::E0223, span, "a variable cannot have type `void`")
                    .at("declared as `void`")
            }
            Type::Scalar(Scalar::Half) if !self.has_half() => Diagnostic::new(
                &types::E0302,
                span,
                "a variable of type `half` needs the extension `cl_khr_fp16`",
            )
            .at("`half` is only a storage format here")
            .help(
                self.help_with_half("use `float`, with `vload_half` and `vstore_half` for memory"),
            ),
            Type::Image(..) | Type::Pipe { .. } => {
                let text = self.type_text(element);
                Diagnostic::new(
                    &types::E0305,
                    span,
                    format!("`{text}` can only be the type of a parameter"),
                )
                .at("not a parameter")
            }
            // Variables that name blocks are constants.
            Type::Block(_) if element == ty.ty => {
                return QualType { quals: Qualifiers { is_const: true, ..ty.quals }, ..ty };
            }
            Type::Event | Type::ClkEvent | Type::ReserveId | Type::Queue | Type::NdRange
                if scope == Scope::File =>
            {
                let text = self.type_text(element);
                Diagnostic::new(
                    &types::E0305,
                    span,
                    format!("a variable at program scope cannot have type `{text}`"),
                )
                .at("at program scope")
            }
            Type::Matrix(_) if scope == Scope::File => {
                let text = self.type_text(element);
                let message = format!("a variable at program scope cannot have type `{text}`");
                Diagnostic::new(&types::E0309, span, message)
                    .at("lives as long as the program")
                    .help("declare the matrix in a function, without `static`")
            }
            Type::Record(_) | Type::Enum(_)
                if self.module.types.size(element).is_none() && !is_only_declared =>
            {
                self.incomplete_object(QualType::unqualified(element), span);
                return TypeTable::ERROR.into();
            }
            _ => return ty,
        };
        self.report(diagnostic);
        TypeTable::ERROR.into()
    }

    pub(super) fn incomplete_object(&mut self, ty: QualType, span: Span) {
        if !self.incompleteness_is_news(ty.ty) {
            return;
        }
        let text = self.qualified_text(ty);
        let diagnostic = Diagnostic::new(
            &codes::E0206,
            span,
            format!("a variable cannot have the incomplete type `{text}`"),
        )
        .at("its size is not known");
        let diagnostic = match self.module.types.get(ty.ty) {
            Type::Array { .. } => diagnostic.help("give the array a length or an initializer"),
            Type::Record(id) => {
                let declared = self.module.types.records[*id].span;
                diagnostic.label(declared, "declared here, without members")
            }
            _ => diagnostic,
        };
        self.report(diagnostic);
    }

    /// The alignment of a variable: its type's, raised by attributes (OpenCL C 6.10.3).
    pub(super) fn variable_alignment(
        &mut self,
        specs: &Specifiers<'a>,
        declared: &Declared<'a>,
        ty: TypeId,
        is_program_scope: bool,
    ) -> u64 {
        let mut align = self.module.types.align(ty).max(specs.align.unwrap_or(1));
        for attribute in specs.attributes.iter().chain(&declared.attributes) {
            if is_program_scope && self.is_spec_constant(attribute) {
                continue;
            }
            if let Some(layout) = self.layout_attribute(attribute) {
                align = align.max(layout.align.unwrap_or(1));
            }
        }
        align
    }
}
