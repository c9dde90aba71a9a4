//! Variables, and the address space each lives in (OpenCL C 6.7, rules 2 and 11 to 15).

use clc_base::{AddressSpace, Diagnostic, Span, Symbol};
use clc_syntax::ast::{InitDeclarator, StorageSpecifier};

use crate::context::{Entity, Sema};
use crate::declarators::Declared;
use crate::diagnostics::{address_spaces, declarations as codes, types};
use crate::hir::{self, Constant, Global, GlobalId, Linkage, StmtKind};
use crate::scopes::Binding;
use crate::specifiers::Specifiers;
use crate::types::{QualType, Scalar, Type, TypeId, TypeTable};

/// Where a variable is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
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
        let ty = self.object_type(declared.ty, span, Scope::File);
        let errors = self.diagnostics.len();
        let space = self.program_scope_space(declared.space, ty, name, span);
        let is_misplaced = self.diagnostics.len() != errors;
        let align = self.variable_alignment(specs, &declared, ty.ty);
        let linkage = match specs.storage {
            Some((StorageSpecifier::Static, _)) => Linkage::Internal,
            _ => Linkage::External,
        };
        let text = self.interner.resolve(name).to_owned();
        let global = match self.earlier_global(name) {
            Some((global, first)) => {
                self.merge_global(global, first, ty, space, name, span, item);
                let known = &mut self.module.globals[global];
                known.align = known.align.max(align);
                if linkage == Linkage::Internal {
                    known.linkage = linkage;
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
                    span,
                });
                self.declare(name, Binding::new(Entity::Global(global), span));
                global
            }
        };
        if is_extern && item.initializer.is_none() {
            return;
        }
        self.define_global(global, item, name, span, is_misplaced);
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
        let known = &self.module.globals[global];
        let (old, old_space) = (known.ty, known.space);
        let is_defined_twice = known.initializer.is_some() && item.initializer.is_some();
        let completed = self.composite_type(old, ty);
        let text = self.interner.resolve(name);
        if is_defined_twice {
            let message = format!("`{text}` is initialized twice");
            self.report(
                Diagnostic::new(&codes::E0201, span, message).label(first, "first defined here"),
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

    /// The type that two declarations of one object give it together; `None` if they disagree.
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

    /// Turns a declared global into a defined one, with its initializer. What is said to be in the
    /// wrong place is not also said to lack an initializer.
    fn define_global(
        &mut self,
        global: GlobalId,
        item: &'a InitDeclarator,
        name: Symbol,
        span: Span,
        is_misplaced: bool,
    ) {
        let (ty, space) = (self.module.globals[global].ty, self.module.globals[global].space);
        self.module.globals[global].is_declaration = false;
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
                            .help("nothing can write to `constant` memory later"),
                    );
                } else if matches!(self.module.types.get(ty.ty), Type::Array { len: None, .. }) {
                    self.incomplete_object(ty, span);
                }
                if self.module.globals[global].initializer.is_none()
                    && space == AddressSpace::Global
                {
                    self.module.globals[global].initializer = Some(Constant::Zero);
                }
            }
        }
    }

    /// Rules 2, 11 and 12.
    fn program_scope_space(
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
                        .help("write `constant sampler_t` or `const sampler_t`"),
                );
                AddressSpace::Constant
            }
            Some((AddressSpace::Global, _)) if has_globals => AddressSpace::Global,
            Some((space, at)) => {
                let message =
                    format!("`{text}` cannot be in `{space}` memory: it is at program scope");
                let diagnostic = Diagnostic::new(&address_spaces::E0326, at, message);
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
                        let word = if has_globals { "global" } else { "constant" };
                        diagnostic.help(format!("write `{word}` instead"))
                    }
                };
                self.report(diagnostic);
                if has_globals { AddressSpace::Global } else { AddressSpace::Constant }
            }
            None if is_sampler => AddressSpace::Constant,
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

    /// A variable declared in a block.
    pub(super) fn block_variable(
        &mut self,
        specs: &Specifiers<'a>,
        declared: Declared<'a>,
        item: &'a InitDeclarator,
        name: Symbol,
        span: Span,
        stmts: &mut Vec<hir::StmtId>,
    ) {
        let ty = self.object_type(declared.ty, span, Scope::Block);
        let align = self.variable_alignment(specs, &declared, ty.ty);
        let storage = specs.storage.map(|(storage, _)| storage);
        if storage == Some(StorageSpecifier::Extern) {
            self.extern_in_block(&declared, item, ty, align, name, span);
            return;
        }
        let is_static = storage == Some(StorageSpecifier::Static);
        let errors = self.diagnostics.len();
        let space = self.block_space(&declared, item, ty, is_static, name, span);
        let is_misplaced = self.diagnostics.len() != errors;
        if space == AddressSpace::Private {
            self.automatic_variable(item, ty, align, name, span, stmts);
        } else {
            self.hoisted_variable(item, ty, space, align, name, span, is_misplaced);
        }
    }

    /// The address space of a variable of a function (rules 2, 12 to 15).
    fn block_space(
        &mut self,
        declared: &Declared<'a>,
        item: &'a InitDeclarator,
        ty: QualType,
        is_static: bool,
        name: Symbol,
        span: Span,
    ) -> AddressSpace {
        let has_globals = self.has_program_scope_globals();
        let (is_kernel, is_outermost) = match &self.function {
            Some(function) => (function.is_kernel, function.block_depth <= 1),
            None => (false, false),
        };
        let text = self.interner.resolve(name);
        let opaque = match self.module.types.get(ty.ty) {
            Type::Sampler => Some("a sampler"),
            Type::Event => Some("an event"),
            _ => None,
        };
        match declared.space {
            Some((
                space @ (AddressSpace::Global | AddressSpace::Local | AddressSpace::Generic),
                at,
            )) if opaque.is_some() => {
                let what = opaque.unwrap_or_default();
                let message = format!("{what} cannot be in `{space}` memory");
                self.report(
                    Diagnostic::new(&address_spaces::E0334, at, message)
                        .help(format!("leave `{space}` out")),
                );
                AddressSpace::Private
            }
            // Literal samplers are constants wherever they are written.
            None | Some((AddressSpace::Constant | AddressSpace::Private, _))
                if ty.ty == TypeTable::SAMPLER =>
            {
                match item.initializer {
                    Some(_) => AddressSpace::Constant,
                    None => AddressSpace::Private,
                }
            }
            Some((AddressSpace::Constant, at)) => {
                if !is_static && !(is_kernel && is_outermost) {
                    let message = format!(
                        "`{text}` is in `constant` memory and must be at program scope or in the \
                         outermost scope of a kernel"
                    );
                    let wrong = if is_kernel {
                        "this is an inner block"
                    } else {
                        "this function is not a kernel"
                    };
                    self.report(
                        Diagnostic::new(&address_spaces::E0331, at, message).note(wrong).help(
                            "move it to program scope, or make it a `const` private variable",
                        ),
                    );
                }
                AddressSpace::Constant
            }
            Some((AddressSpace::Local, at)) => {
                if is_static {
                    let message = format!("`{text}` cannot be `static` in `local` memory");
                    self.report(Diagnostic::new(&address_spaces::E0332, at, message).help(
                        "leave `static` out: `local` variables live as long as their work-group",
                    ));
                } else if !is_kernel {
                    let function = self.function.as_ref().map(|function| function.name);
                    let function = function.map_or("", |name| self.interner.resolve(name));
                    let message = format!(
                        "`{text}` is in `local` memory, which only kernels can declare; `{function}` is not a kernel"
                    );
                    self.report(
                        Diagnostic::new(&address_spaces::E0328, at, message)
                            .help("declare it in the kernel and pass a `local` pointer"),
                    );
                } else if !is_outermost {
                    let message = format!(
                        "`{text}` is in `local` memory and must be in the outermost scope of the kernel"
                    );
                    self.report(
                        Diagnostic::new(&address_spaces::E0328, at, message)
                            .at("this is an inner block")
                            .help("move the declaration to the start of the kernel"),
                    );
                }
                AddressSpace::Local
            }
            Some((AddressSpace::Global, at)) => {
                if is_static && has_globals {
                    return AddressSpace::Global;
                }
                let message =
                    format!("`{text}` is a variable of a function and not in `global` memory");
                let diagnostic = Diagnostic::new(&address_spaces::E0330, at, message);
                let diagnostic = if self.module.types.as_pointer(ty.ty).is_some() {
                    diagnostic.help("`global` before the `*` says what it points to")
                } else if has_globals {
                    diagnostic.help("write `static global` for one variable of the whole program")
                } else {
                    diagnostic.help("leave `global` out, or pass a buffer to the kernel")
                };
                self.report(diagnostic);
                AddressSpace::Private
            }
            Some((AddressSpace::Generic, at)) => {
                let message = format!("`{text}` cannot be in the generic address space");
                self.report(
                    Diagnostic::new(&address_spaces::E0333, at, message)
                        .note("pointers can point to it, but no object lies in it")
                        .help("leave `generic` out"),
                );
                AddressSpace::Private
            }
            written @ (None | Some((AddressSpace::Private, _))) if is_static => {
                match written {
                    None if has_globals => return AddressSpace::Global,
                    None => {
                        let message = format!(
                            "`{text}` is `static` and must be in `constant` memory in OpenCL C {}",
                            self.options.version
                        );
                        self.report(
                            Diagnostic::new(&address_spaces::E0332, span, message)
                                .at("no address space is written, which means `private`")
                                .help("write `static constant`"),
                        );
                    }
                    Some((_, at)) => {
                        let message =
                            format!("`{text}` is `static` and cannot be in `private` memory");
                        self.report(
                            Diagnostic::new(&address_spaces::E0332, at, message)
                                .help("leave `private` out"),
                        );
                    }
                }
                if has_globals { AddressSpace::Global } else { AddressSpace::Constant }
            }
            None | Some((AddressSpace::Private, _)) => AddressSpace::Private,
        }
    }

    fn automatic_variable(
        &mut self,
        item: &'a InitDeclarator,
        ty: QualType,
        align: u64,
        name: Symbol,
        span: Span,
        stmts: &mut Vec<hir::StmtId>,
    ) {
        let local = self.new_local(Some(name), ty, span);
        // In scope from here on, in its own initializer too (C99 6.2.1 paragraph 7).
        self.declare(name, Binding::new(Entity::Local(local), span));
        let initializer = item.initializer.as_ref().map(|initializer| {
            let value = self.initializer(ty, initializer);
            (value, self.module.exprs[value].ty.ty)
        });
        let mut complete = ty;
        match initializer {
            Some((_, value_ty))
                if matches!(self.module.types.get(ty.ty), Type::Array { len: None, .. }) =>
            {
                complete.ty = value_ty;
            }
            Some(_) => {}
            None if matches!(self.module.types.get(ty.ty), Type::Array { len: None, .. }) => {
                self.incomplete_object(ty, span);
                complete.ty = TypeTable::ERROR;
            }
            None => {}
        }
        if let Some(function) = &self.function {
            let local = &mut self.module.functions[function.id].locals[local];
            local.ty = complete;
            local.align = align;
        }
        let initializer = initializer.map(|(value, _)| value);
        if ty.quals.is_const
            && let Some(value) = initializer
        {
            self.remember_constant(local, value);
        }
        let stmt = self.push_stmt(StmtKind::Declare { local, initializer }, span);
        stmts.push(stmt);
    }

    /// A variable of a function that lives at module level: `local`, `constant` or `static`.
    fn hoisted_variable(
        &mut self,
        item: &'a InitDeclarator,
        ty: QualType,
        space: AddressSpace,
        align: u64,
        name: Symbol,
        span: Span,
        is_misplaced: bool,
    ) {
        let unique = self.hoisted_name(name);
        let global = self.module.globals.push(Global {
            name: unique,
            ty,
            space,
            initializer: None,
            align,
            linkage: Linkage::Internal,
            is_declaration: false,
            span,
        });
        self.declare(name, Binding::new(Entity::Global(global), span));
        if space != AddressSpace::Local {
            self.define_global(global, item, name, span, is_misplaced);
            return;
        }
        if item.initializer.is_some() {
            let text = self.interner.resolve(name);
            let message = format!("`{text}` is in `local` memory and cannot be initialized here");
            self.report(
                Diagnostic::new(&address_spaces::E0329, span, message)
                    .help("assign to it in one work-item, then wait at a barrier"),
            );
        } else if matches!(self.module.types.get(ty.ty), Type::Array { len: None, .. }) {
            self.incomplete_object(ty, span);
        }
    }

    /// `extern` in a block names an object of program scope.
    fn extern_in_block(
        &mut self,
        declared: &Declared<'a>,
        item: &'a InitDeclarator,
        ty: QualType,
        align: u64,
        name: Symbol,
        span: Span,
    ) {
        if item.initializer.is_some() {
            self.report(Diagnostic::new(
                &codes::E0216,
                span,
                "an `extern` variable of a function cannot have an initializer",
            ));
        }
        let space = self.program_scope_space(declared.space, ty, name, span);
        let outer = self.scopes.names.get(&name).and_then(|bindings| bindings.first());
        let known = match outer {
            Some((0, Binding { entity: Entity::Global(global), .. })) => Some(*global),
            _ => None,
        };
        let global = known.unwrap_or_else(|| {
            let text = self.interner.resolve(name).to_owned();
            self.module.globals.push(Global {
                name: text,
                ty,
                space,
                initializer: None,
                align,
                linkage: Linkage::External,
                is_declaration: true,
                span,
            })
        });
        self.declare(name, Binding::new(Entity::Global(global), span));
    }

    /// The type of a variable, or the error type after saying why there cannot be one.
    fn object_type(&mut self, ty: QualType, span: Span, scope: Scope) -> QualType {
        let mut element = ty.ty;
        while let Type::Array { element: inner, .. } = self.module.types.get(element) {
            element = inner.ty;
        }
        let diagnostic = match self.module.types.get(element) {
            Type::Error => return ty,
            Type::Void => {
                Diagnostic::new(&codes::E0223, span, "a variable cannot have type `void`")
            }
            Type::Scalar(Scalar::Half) if !self.has_half() => Diagnostic::new(
                &types::E0302,
                span,
                "a variable of type `half` needs the extension `cl_khr_fp16`",
            )
            .help("use `float`, with `vload_half` and `vstore_half` for memory"),
            Type::Image(..) | Type::Pipe { .. } => {
                let text = self.type_text(element);
                Diagnostic::new(
                    &types::E0305,
                    span,
                    format!("`{text}` can only be the type of a parameter"),
                )
            }
            Type::Event | Type::ClkEvent | Type::ReserveId | Type::Queue
                if scope == Scope::File =>
            {
                let text = self.type_text(element);
                Diagnostic::new(
                    &types::E0305,
                    span,
                    format!("a variable at program scope cannot have type `{text}`"),
                )
            }
            Type::Record(_) | Type::Enum(_) if self.module.types.size(element).is_none() => {
                self.incomplete_object(QualType::unqualified(element), span);
                return TypeTable::ERROR.into();
            }
            _ => return ty,
        };
        self.report(diagnostic);
        TypeTable::ERROR.into()
    }

    fn incomplete_object(&mut self, ty: QualType, span: Span) {
        let text = self.qualified_text(ty);
        let diagnostic = Diagnostic::new(
            &codes::E0206,
            span,
            format!("a variable cannot have the incomplete type `{text}`"),
        );
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
    fn variable_alignment(
        &mut self,
        specs: &Specifiers<'a>,
        declared: &Declared<'a>,
        ty: TypeId,
    ) -> u64 {
        let mut align = self.module.types.align(ty).max(specs.align.unwrap_or(1));
        for attribute in specs.attributes.iter().chain(&declared.attributes) {
            if let Some(layout) = self.layout_attribute(attribute) {
                align = align.max(layout.align.unwrap_or(1));
            }
        }
        align
    }
}
