//! Function prototypes and definitions (C99 6.7.5.3, 6.9.1).

use clc_base::{AddressSpace, Diagnostic, Id, Span, Symbol};
use clc_syntax::ast::{self, StmtKind, StorageSpecifier};

use crate::attributes::FunctionFacts;
use crate::context::{Entity, Sema};
use crate::declarators::{Declared, ParameterInfo, Usage};
use crate::diagnostics::declarations as codes;
use crate::hir::{self, FuncId, Function, Linkage, Local, LocalId};
use crate::index;
use crate::scopes::{Binding, FunctionContext};
use crate::specifiers::Specifiers;
use crate::types::{Type, TypeId, TypeTable};

impl<'a> Sema<'a> {
    pub(super) fn function_prototype(&mut self, specs: &Specifiers<'a>, declared: Declared<'a>) {
        let attributes = specs.attributes.iter().chain(&declared.attributes).copied();
        let facts = self.function_attributes(attributes);
        // Without parameters of its own the type came from a typedef.
        let parameters = match &declared.parameters {
            Some(parameters) => self.parameter_locals(parameters),
            None => self.typedef_parameters(declared.ty.ty, declared.span),
        };
        let id = self.declare_function(specs, &declared, parameters, facts);
        if let Some((name, _)) = declared.name
            && self.declares_builtin(id, name)
        {
            self.declared.builtins.insert(id);
        }
    }

    /// Whether a function is an overload of the language's own: programs may declare those, as C99 7.1.4p2 says
    /// of library functions. One that a program defines is its own, wherever the body stands.
    fn declares_builtin(&mut self, id: FuncId, name: Symbol) -> bool {
        self.builtin_kind(name).is_some()
            && self.module.functions[id].linkage == Linkage::External
            && self.module.functions[id].kernel.is_none()
            && self.is_overload_of_builtin(name, self.function_type(id))
            && !self.defines(name)
    }

    /// Whether the program defines a function of this name, be it further down.
    fn defines(&mut self, name: Symbol) -> bool {
        let items = &self.ast.items;
        let names = self.declared.defined.get_or_insert_with(|| {
            let names = items.iter().filter_map(|item| match item {
                ast::ExternalDeclaration::Function(definition) => definition.declarator.name,
                _ => None,
            });
            names.map(|(name, _)| name).collect()
        });
        names.contains(&name)
    }

    pub(crate) fn parameter_locals(&self, parameters: &[ParameterInfo]) -> Vec<Local> {
        parameters
            .iter()
            .map(|parameter| Local {
                name: parameter.name.map(|(name, _)| name),
                ty: parameter.ty,
                align: self.module.types.align(parameter.ty.ty),
                is_captured: false,
                span: parameter.span,
            })
            .collect()
    }

    fn typedef_parameters(&self, ty: TypeId, span: Span) -> Vec<Local> {
        let Type::Function(function) = self.module.types.get(ty) else { return Vec::new() };
        let local = |&ty: &TypeId| {
            let align = self.module.types.align(ty);
            Local { name: None, ty: ty.into(), align, is_captured: false, span }
        };
        function.params.iter().map(local).collect()
    }

    /// Finds or makes the function that a declarator declares.
    fn declare_function(
        &mut self,
        specs: &Specifiers<'a>,
        declared: &Declared<'a>,
        parameters: Vec<Local>,
        facts: FunctionFacts,
    ) -> FuncId {
        let (name, span) = declared.name.unwrap_or((Symbol(0), declared.span));
        let ty = declared.ty.ty;
        if self.interner.resolve(name) == "main" {
            self.report(
                Diagnostic::new(
                    &codes::E0224,
                    span,
                    "a function of an OpenCL program cannot be called `main`",
                )
                .at("this name is reserved"),
            );
        }
        let is_kernel = specs.kernel.is_some();
        if let Some(at) = facts.kernel_only
            && !is_kernel
        {
            self.report(
                Diagnostic::new(&codes::W0202, at, "this attribute has an effect on kernels only")
                    .at(format!("`{}` is not a kernel", self.interner.resolve(name))),
            );
        }
        let is_static = matches!(specs.storage, Some((StorageSpecifier::Static, _)));
        let is_extern = matches!(specs.storage, Some((StorageSpecifier::Extern, _)));
        if is_static && let Some(kernel) = specs.kernel {
            self.report(
                Diagnostic::new(&codes::E0205, kernel, "a kernel cannot be `static`")
                    .at("combined with `static`")
                    .help("hosts find kernels by name; leave `static` out"),
            );
        }
        let known = self.declared.functions.get(&name).cloned().unwrap_or_default();
        let is_unknown = |local: &Local| local.ty.ty == TypeTable::ERROR;
        let has_lost = facts.overloadable && parameters.iter().any(is_unknown);
        let same = known.iter().copied().find(|&id| {
            // Of an overload that did not parse it is not known which one it is.
            let is_unclear = facts.overloadable && (has_lost || self.has_lost_parameters(id));
            self.compatible_functions(id, ty) && !is_unclear
        });
        if let Some(id) = same {
            if is_kernel && self.module.functions[id].kernel.is_none() {
                self.check_kernel(id, declared, &facts);
            }
            if is_static && !self.module.functions[id].attributes.is_static {
                self.static_after_extern(name, span, self.module.functions[id].span);
            }
            let function = &mut self.module.functions[id];
            let merged = &mut function.attributes;
            let new = facts.attributes;
            merged.always_inline |= new.always_inline;
            merged.no_inline |= new.no_inline;
            merged.is_const |= new.is_const;
            merged.is_pure |= new.is_pure;
            merged.inline_hint |= specs.inline.is_some();
            merged.overloadable |= facts.overloadable;
            if !merged.is_static && (is_extern || specs.inline.is_none()) {
                // One declaration without `inline`, or with `extern`, makes the definition an
                // external one (C99 6.7.4p6). What was once `static` stays so (6.2.2p4).
                function.linkage = Linkage::External;
            }
            if let Some(kernel) = &mut function.kernel {
                merge_kernel(kernel, &facts);
            }
            if facts.overloadable {
                self.declared.overloadable.insert(id);
            }
            self.bind_function(name, id, span);
            return id;
        }
        if let Some(&first) = known.first() {
            let overloaded = facts.overloadable
                || known.iter().all(|id| self.declared.overloadable.contains(id));
            let same_parameters = self.with_same_parameters(&known, ty);
            let is_unclear = has_lost || known.iter().any(|&id| self.has_lost_parameters(id));
            if !is_unclear && (!overloaded || same_parameters.is_some()) {
                self.conflicting_function(name, span, ty, same_parameters.unwrap_or(first));
            }
        }
        let result = match self.module.types.get(ty) {
            Type::Function(function) => function.result,
            _ => TypeTable::ERROR,
        };
        let mut attributes = facts.attributes;
        attributes.inline_hint = specs.inline.is_some();
        attributes.is_static = is_static;
        attributes.overloadable = facts.overloadable;
        let is_internal = is_static || (specs.inline.is_some() && !is_extern);
        let id = self.new_function(name, span, ty, result, parameters);
        let function = &mut self.module.functions[id];
        function.attributes = attributes;
        function.linkage = if is_internal { Linkage::Internal } else { Linkage::External };
        if facts.overloadable {
            self.declared.overloadable.insert(id);
        }
        self.declared.functions.entry(name).or_default().push(id);
        if is_kernel {
            self.check_kernel(id, declared, &facts);
        }
        self.bind_function(name, id, span);
        id
    }

    pub(crate) fn new_function(
        &mut self,
        name: Symbol,
        span: Span,
        ty: TypeId,
        result: TypeId,
        parameters: Vec<Local>,
    ) -> FuncId {
        let param_count = parameters.len() as u32;
        let mut locals = clc_base::Arena::new();
        for local in parameters {
            locals.push(local);
        }
        let id = self.module.functions.push(Function {
            name,
            span,
            result,
            param_count,
            locals,
            labels: clc_base::Arena::new(),
            case_count: 0,
            body: None,
            kernel: None,
            linkage: Linkage::External,
            attributes: hir::FunctionAttributes::default(),
            block: None,
        });
        self.declared.function_types.push(ty);
        id
    }

    /// Makes `name` denote `id` too, in the innermost scope.
    fn bind_function(&mut self, name: Symbol, id: FuncId, span: Span) {
        self.index_name(span, index::Entity::Function(id), true);
        if let Some(binding) = self.scopes.lookup_here(name)
            && let Entity::Function(ids) = &mut binding.entity
        {
            if !ids.contains(&id) {
                ids.push(id);
            }
            return;
        }
        let ids = self.declared.functions.get(&name).cloned().unwrap_or_else(|| vec![id]);
        self.declare(name, Binding::new(Entity::Function(ids), span));
    }

    /// Compatible function types (C99 6.7.5.3 paragraph 15); types with errors fit anything.
    fn compatible_functions(&self, id: FuncId, ty: TypeId) -> bool {
        let first = self.function_type(id);
        if first == ty {
            return true;
        }
        let types = &self.module.types;
        let (Type::Function(a), Type::Function(b)) = (types.get(first), types.get(ty)) else {
            return false;
        };
        a.params.len() == b.params.len()
            && self.compatible(a.result, b.result)
            && a.params.iter().zip(&b.params).all(|(&a, &b)| self.compatible(a, b))
    }

    fn has_unknown_parameter(&self, function: TypeId) -> bool {
        match self.module.types.get(function) {
            Type::Function(function) => {
                function.params.iter().any(|&param| self.module.types.is_error(param))
            }
            _ => false,
        }
    }

    fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        let types = &self.module.types;
        a == b
            || types.is_error(a)
            || types.is_error(b)
            // An enum and its underlying integer (C99 6.7.2.2 paragraph 4).
            || match (types.get(a), types.get(b)) {
                (Type::Enum(id), Type::Scalar(scalar)) | (Type::Scalar(scalar), Type::Enum(id)) => {
                    types.enums[*id].underlying == *scalar
                }
                _ => false,
            }
    }

    fn with_same_parameters(&self, known: &[FuncId], ty: TypeId) -> Option<FuncId> {
        let Type::Function(new) = self.module.types.get(ty) else { return None };
        known.iter().copied().find(|&id| {
            matches!(self.module.types.get(self.function_type(id)),
                Type::Function(old) if old.params == new.params)
        })
    }

    /// C99 6.2.2p7: one identifier with both linkages.
    pub(super) fn static_after_extern(&mut self, name: Symbol, span: Span, first: Span) {
        let message = format!(
            "`{}` is declared `static` after a declaration that is not",
            self.interner.resolve(name)
        );
        self.report(
            Diagnostic::new(&codes::E0202, span, message)
                .at("only this file can see it, here")
                .label(first, "other files can see it, here")
                .help("write `static` at the first declaration"),
        );
    }

    fn conflicting_function(&mut self, name: Symbol, span: Span, ty: TypeId, first: FuncId) {
        let first_span = self.module.functions[first].span;
        let first_text = self.type_text(self.function_type(first));
        let text = self.type_text(ty);
        let message =
            format!("`{}` is declared again with another type", self.interner.resolve(name));
        self.report(
            Diagnostic::new(&codes::E0202, span, message)
                .at(format!("`{text}` here"))
                .label(first_span, format!("`{first_text}` here"))
                .help("overloads need `__attribute__((overloadable))` and different parameters"),
        );
    }

    pub(crate) fn function_definition(&mut self, definition: &'a ast::FunctionDefinition) {
        let specs = self.specifiers(&definition.specifiers, definition.span);
        let mut declared = self.declarator(&specs, &definition.declarator, Usage::Variable);
        self.attributes_behind(&mut declared, &definition.attributes);
        if matches!(specs.storage, Some((StorageSpecifier::Typedef, _))) {
            self.report(
                Diagnostic::new(&codes::E0205, declared.span, "a typedef cannot have a body")
                    .at("declared with `typedef`"),
            );
        }
        if declared.is_printf {
            self.report(
                Diagnostic::new(
                    &codes::E0211,
                    declared.span,
                    "`printf` cannot be defined: only the language has functions with a variable \
                     number of arguments",
                )
                .at("this name is the language's own")
                .help("choose another name and a fixed number of arguments"),
            );
        }
        let (Some(parameters), Some((name, span))) = (&declared.parameters, declared.name) else {
            self.report(
                Diagnostic::new(
                    &codes::E0219,
                    declared.span,
                    "a function definition needs a parameter list",
                )
                .at("no parameters are listed"),
            );
            return;
        };
        self.note_unused(&specs, &declared, span);
        let locals = self.parameter_locals(parameters);
        let names: Vec<(Option<(Symbol, Span)>, Span)> =
            parameters.iter().map(|parameter| (parameter.name, parameter.span)).collect();
        let attributes = specs.attributes.iter().chain(&declared.attributes).copied();
        let facts = self.function_attributes(attributes);
        let mut id = self.declare_function(&specs, &declared, locals, facts);
        if self.module.functions[id].body.is_some() {
            // With a parameter of an unknown type it may be another function.
            let first = self.function_type(id);
            if ![first, declared.ty.ty].iter().any(|&ty| self.has_unknown_parameter(ty)) {
                let first = self.module.functions[id].span;
                let message = format!("`{}` has two bodies", self.interner.resolve(name));
                self.report(
                    Diagnostic::new(&codes::E0201, span, message)
                        .at("the second body")
                        .label(first, "the first is here"),
                );
            }
            let result = self.module.functions[id].result;
            id = self.new_function(name, span, declared.ty.ty, result, Vec::new());
        }
        for parameter in parameters {
            let ty = parameter.ty.ty;
            if matches!(self.module.types.get(ty), Type::Record(_))
                && self.module.types.size(ty).is_none()
                && self.incompleteness_is_news(ty)
            {
                let text = self.type_text(ty);
                self.report(
                    Diagnostic::new(
                        &codes::E0206,
                        parameter.span,
                        format!("parameter of incomplete type `{text}`"),
                    )
                    .at("its members are not known"),
                );
            }
        }
        // The definition's names, types and spans win over those of a prototype.
        let Some(parameters) = &declared.parameters else { return };
        let mut locals = clc_base::Arena::new();
        for local in self.parameter_locals(parameters) {
            locals.push(local);
        }
        let function = &mut self.module.functions[id];
        if function.kernel.is_some() {
            for local in locals.values_mut() {
                let space = self.module.types.as_pointer(local.ty.ty).map(|(_, space)| space);
                if let Some(AddressSpace::Private | AddressSpace::Generic) = space {
                    // Which memory is meant is not known; that was reported.
                    local.ty = TypeTable::ERROR.into();
                }
            }
        }
        function.param_count = locals.len() as u32;
        function.locals = locals;
        function.span = span;
        if let Some(kernel) = &self.module.functions[id].kernel
            && specs.kernel.is_none()
        {
            // The prototype made it a kernel; its argument names and qualifiers come from here.
            let facts = FunctionFacts { kernel: (**kernel).clone(), ..FunctionFacts::default() };
            self.check_kernel(id, &declared, &facts);
        }
        self.reported.body = self.ast.stmts[definition.body].span.lo;
        self.function_body(id, name, &names, definition.body);
        self.reported.body = 0;
    }

    fn function_body(
        &mut self,
        id: FuncId,
        name: Symbol,
        parameters: &[(Option<(Symbol, Span)>, Span)],
        body: ast::StmtId,
    ) {
        let function = &self.module.functions[id];
        let mut context =
            FunctionContext::new(id, name, function.result.into(), self.scopes.depth());
        context.is_kernel = function.kernel.is_some();
        context.first_expr = self.module.exprs.len() as u32;
        self.function = Some(context);
        self.body(id, parameters, body);
        self.declared.pending_hint = None;
    }

    /// The body of a function or block whose context is set; takes the context away.
    pub(crate) fn body(
        &mut self,
        id: FuncId,
        parameters: &[(Option<(Symbol, Span)>, Span)],
        body: ast::StmtId,
    ) -> Option<FunctionContext> {
        // Parameters and the outermost block share one scope (C99 6.2.1 paragraph 4).
        self.scopes.open();
        for (index, &(parameter, _)) in parameters.iter().enumerate() {
            let Some((parameter, span)) = parameter else { continue };
            if let Some(before) = self.scopes.lookup_here(parameter) {
                let first = before.span;
                let message =
                    format!("two parameters are named `{}`", self.interner.resolve(parameter));
                self.report(
                    Diagnostic::new(&codes::E0209, span, message)
                        .at("the second one")
                        .label(first, "the other one"),
                );
                continue;
            }
            let entity = Entity::Local(LocalId::from_index(index));
            self.check_reserved(parameter, span);
            let binding = Binding::new(entity, span);
            self.note_hidden(parameter, &binding);
            self.index_declaration(&binding);
            self.scopes.declare(parameter, binding);
        }
        let ast = self.ast;
        let span = ast.stmts[body].span;
        let mut stmts = Vec::new();
        if let Some(on) = self.declared.fp_contract {
            stmts.push(self.push_stmt(hir::StmtKind::FpContract(on), span));
        }
        if let StmtKind::Compound(items) = &ast.stmts[body].kind {
            self.block_items(items, &mut stmts);
        }
        self.scopes.close();
        self.check_labels();
        let block = self.push_stmt(hir::StmtKind::Block(stmts), span);
        self.check_missing_return(block, Span::new(span.hi.saturating_sub(1), span.hi));
        let context = self.function.take();
        if let Some(context) = &context {
            let last_expr = self.module.exprs.len() as u32;
            self.declared.bodies.push((id, context.first_expr..last_expr));
        }
        let function = &mut self.module.functions[id];
        function.case_count = context.as_ref().map_or(0, |context| context.case_count);
        function.body = Some(block);
        context
    }
}

/// Adds what a later declaration of a kernel says.
fn merge_kernel(kernel: &mut hir::Kernel, facts: &FunctionFacts) {
    let new = &facts.kernel;
    if new.reqd_work_group_size.is_some() || new.work_group_constants.is_some() {
        kernel.reqd_work_group_size = new.reqd_work_group_size;
        kernel.work_group_constants = new.work_group_constants;
    }
    kernel.work_group_size_hint = new.work_group_size_hint.or(kernel.work_group_size_hint);
    kernel.vec_type_hint = new.vec_type_hint.or(kernel.vec_type_hint);
    kernel.sub_group_size = new.sub_group_size.or(kernel.sub_group_size);
}
