//! Variables of functions: automatic ones, and those that live at module level (rules 2 and 12
//! to 15).

use clc_base::{AddressSpace, Diagnostic, Span, Symbol};
use clc_syntax::ast::{InitDeclarator, StorageSpecifier};

use super::variables::Scope;
use crate::context::{Entity, Sema};
use crate::declarators::Declared;
use crate::diagnostics::{address_spaces, declarations as codes};
use crate::hir::{self, Global, Linkage, StmtKind};
use crate::scopes::Binding;
use crate::specifiers::Specifiers;
use crate::types::{QualType, Type, TypeTable};

impl<'a> Sema<'a> {
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
        let storage = specs.storage.map(|(storage, _)| storage);
        let scope = match storage {
            Some(StorageSpecifier::Static | StorageSpecifier::Extern) => Scope::File,
            _ => Scope::Block,
        };
        let is_only_declared =
            storage == Some(StorageSpecifier::Extern) && item.initializer.is_none();
        let ty = self.object_type(declared.ty, span, scope, is_only_declared);
        let align = self.variable_alignment(specs, &declared, ty.ty, false);
        if storage == Some(StorageSpecifier::Extern) {
            if let Type::Block(_) = self.module.types.get(ty.ty) {
                self.extern_block(span);
            }
            self.extern_in_block(&declared, item, ty, align, name, span);
            return;
        }
        let is_static = storage == Some(StorageSpecifier::Static);
        let errors = self.diagnostics.len();
        let space = self.block_space(&declared, item, ty, is_static, name, span);
        let fits = self.check_matrix_object(ty.ty, space, span);
        let ty = if fits { ty } else { TypeTable::ERROR.into() };
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
            Some((space, at))
                if opaque.is_some()
                    && (matches!(
                        space,
                        AddressSpace::Global | AddressSpace::Local | AddressSpace::Generic
                    ) || space == AddressSpace::Constant && ty.ty == TypeTable::EVENT) =>
            {
                let what = opaque.unwrap_or_default();
                let message = format!("{what} cannot be in `{space}` memory");
                self.report(
                    Diagnostic::new(&address_spaces::E0334, at, message)
                        .at(format!("`{text}` is `{}`", self.type_text(ty.ty)))
                        .help(format!("leave `{space}` out")),
                );
                AddressSpace::Private
            }
            // Literal samplers are constants wherever they are written.
            None | Some((AddressSpace::Private, _)) if ty.ty == TypeTable::SAMPLER => {
                match item.initializer {
                    Some(_) => AddressSpace::Constant,
                    None => AddressSpace::Private,
                }
            }
            Some((AddressSpace::Constant, at)) => {
                if !(is_static || is_kernel && is_outermost) {
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
                        Diagnostic::new(&address_spaces::E0331, at, message).at(wrong).help(
                            "move it to program scope, or make it a `const` private variable",
                        ),
                    );
                }
                AddressSpace::Constant
            }
            Some((AddressSpace::Local, at)) => {
                if is_static {
                    let message = format!("`{text}` cannot be `static` in `local` memory");
                    self.report(Diagnostic::new(&address_spaces::E0332, at, message).at("the variable is `static`, too").help(
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
                            .at("not in a kernel")
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
                let diagnostic = Diagnostic::new(&address_spaces::E0330, at, message)
                    .at("qualifies the variable itself");
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
                        .at("qualifies the variable itself")
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
                                .at("ends with the work-item; `static` variables do not")
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
        self.check_atomic_initializer(item, ty, AddressSpace::Private);
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
        if let Type::Block(_) = self.module.types.get(ty.ty) {
            self.define_block_local(local, initializer, name, span);
        }
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
            spec_constant: None,
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
                    .at("declared with a value")
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
            self.report(
                Diagnostic::new(
                    &codes::E0216,
                    span,
                    "an `extern` variable of a function cannot have an initializer",
                )
                .at("declared `extern`, with a value"),
            );
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
                spec_constant: None,
                span,
            })
        });
        self.declare(name, Binding::new(Entity::Global(global), span));
    }
}
