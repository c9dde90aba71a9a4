//! Declarations: external declarations, typedefs, and what each declaration keeps track of.
//!
//! * [`functions`]: prototypes and definitions;
//! * [`kernels`]: what only kernels have;
//! * [`variables`], [`block_variables`]: objects and where they live;
//! * [`records`]: structs, unions and enums;
//! * [`recursion`]: the call graph has no cycle.

mod block_variables;
mod functions;
mod kernels;
mod pragmas;
mod records;
mod recursion;
mod variables;

use clc_base::{Diagnostic, Span, Symbol};
use clc_syntax::ast::{self, ExternalDeclaration, StorageSpecifier};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::{Entity, Sema};
use crate::declarators::{Declared as Declarator, Usage};
use crate::diagnostics::declarations as codes;
use crate::hir::{self, FuncId, GlobalId, Local, LocalId, LoopHint};
use crate::lints::{Definition, Hiding};
use crate::predeclared::Predeclared;
use crate::scopes::Binding;
use crate::specifiers::Specifiers;
use crate::types::{QualType, RecordId, Type, TypeId, TypeTable};

/// What declarations and statements keep track of.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    /// Predeclared types that were named so far.
    pub(crate) predeclared: FxHashMap<Symbol, Predeclared>,
    /// The type of each function, by id.
    pub(crate) function_types: Vec<TypeId>,
    /// Every function of a name, whatever scope declared it.
    pub(crate) functions: FxHashMap<Symbol, Vec<FuncId>>,
    pub(crate) overloadable: FxHashSet<FuncId>,
    /// Those that declare an overload of a builtin.
    pub(crate) builtins: FxHashSet<FuncId>,
    /// The names of all functions that the program defines, once it is asked.
    pub(crate) defined: Option<FxHashSet<Symbol>>,
    /// Expressions that each body owns: ranges of ids, more than one around blocks.
    pub(crate) bodies: Vec<(FuncId, std::ops::Range<u32>)>,
    /// The function definitions, and which of them are sound.
    pub(crate) definitions: Vec<Definition>,
    /// Records whose braces are open.
    pub(crate) open_records: Vec<RecordId>,
    /// Which block each variable names.
    pub(crate) block_targets: FxHashMap<crate::blocks::BlockVariable, FuncId>,
    strings: FxHashMap<Vec<u8>, GlobalId>,
    /// Arrays at program scope that were defined without a length.
    tentative: Vec<(GlobalId, Span)>,
    /// How often each name of a hoisted variable was used.
    hoisted: FxHashMap<String, u32>,
    /// It was said that `half` is not enabled, of a vector.
    pub(crate) half_is_missed: bool,
    /// `#pragma OPENCL FP_CONTRACT` at file scope.
    pub(crate) fp_contract: Option<bool>,
    /// A loop pragma that waits for its loop.
    pub(crate) pending_hint: Option<(LoopHint, Span)>,
}

impl<'a> Sema<'a> {
    /// Analyses the translation unit.
    pub(crate) fn translation_unit(&mut self) {
        self.predeclare();
        let ast = self.ast;
        for item in &ast.items {
            match item {
                ExternalDeclaration::Function(function) => {
                    let before = Definition::begin(self, function);
                    self.function_definition(function);
                    let definition = before.end(self);
                    self.declared.definitions.push(definition);
                }
                ExternalDeclaration::Declaration(declaration) => {
                    self.declaration(declaration, &mut Vec::new());
                }
                ExternalDeclaration::StaticAssert(assert) => self.static_assert(assert),
                ExternalDeclaration::Pragma { text, span } => {
                    self.pragma(*text, *span);
                }
            }
        }
        self.complete_tentative();
        self.check_recursion();
    }

    /// The type of a function.
    pub(crate) fn function_type(&self, id: FuncId) -> TypeId {
        self.declared.function_types[id.0 as usize]
    }

    /// A declaration at file scope or in a block; what it does at run time goes to `stmts`.
    pub(crate) fn declaration(
        &mut self,
        declaration: &'a ast::Declaration,
        stmts: &mut Vec<hir::StmtId>,
    ) {
        let specs = self.specifiers(&declaration.specifiers, declaration.span);
        if declaration.declarators.is_empty() {
            if let Type::Record(id) = self.module.types.get(specs.base.ty) {
                self.reported.forward.insert(*id);
            }
            if let Some(span) = specs.inline {
                let message = "only functions can be `inline`";
                self.report(
                    Diagnostic::new(&codes::E0203, span, message).at("no function is declared"),
                );
            } else if specs.base.quals.is_restrict {
                self.check_restrict(specs.base, declaration.span);
            } else if !specs.declares_tag && !self.module.types.is_error(specs.base.ty) {
                self.report(
                    Diagnostic::new(
                        &codes::W0204,
                        declaration.span,
                        "this declaration declares nothing",
                    )
                    .at("no name follows the type"),
                );
            }
            return;
        }
        for item in &declaration.declarators {
            let mut declarator = self.declarator(&specs, &item.declarator, Usage::Variable);
            self.attributes_behind(&mut declarator, &item.attributes);
            // The grammar gives every declaration a name.
            let Some((name, name_span)) = declarator.name else { continue };
            self.note_unused(&specs, &declarator, name_span);
            let is_typedef = matches!(specs.storage, Some((StorageSpecifier::Typedef, _)));
            let is_function =
                !is_typedef && matches!(self.module.types.get(declarator.ty.ty), Type::Function(_));
            if let (Some(span), false) = (specs.kernel, is_function) {
                let message = "only functions can be kernels";
                self.report(
                    Diagnostic::new(&codes::E0203, span, message)
                        .at(format!("`{}` is not a function", self.interner.resolve(name))),
                );
                declarator.ty = TypeTable::ERROR.into();
            }
            if let (Some(span), false) = (specs.inline, is_function) {
                let message = "only functions can be `inline`";
                self.report(
                    Diagnostic::new(&codes::E0203, span, message)
                        .at(format!("`{}` is not a function", self.interner.resolve(name))),
                );
            }
            if is_typedef {
                self.typedef(&specs, declarator, item, name, name_span);
            } else if is_function {
                if let Some((StorageSpecifier::Static, span)) = specs.storage
                    && self.function.is_some()
                {
                    let message = "a function declared in a block cannot be `static`";
                    self.report(
                        Diagnostic::new(&codes::E0203, span, message)
                            .at("in the body of a function")
                            .note("`extern` is the only storage class there (C99 6.7.1)")
                            .help("declare it before the function"),
                    );
                }
                if item.initializer.is_some() {
                    self.report(
                        Diagnostic::new(
                            &codes::E0216,
                            name_span,
                            "a function cannot have an initializer",
                        )
                        .at("this is a function"),
                    );
                }
                if declarator.is_printf {
                    // What the language has declared stays.
                    continue;
                }
                self.function_prototype(&specs, declarator);
            } else {
                if self.function.is_some() {
                    let before = self.scopes.lookup_here(name).filter(|b| !b.span.is_none());
                    if before.is_some() && specs.storage.is_none() {
                        // That is reported; what it should be is not known.
                        declarator.ty = TypeTable::ERROR.into();
                    }
                    self.block_variable(&specs, declarator, item, name, name_span, stmts);
                } else {
                    self.file_variable(&specs, declarator, item, name, name_span);
                }
            }
        }
    }

    /// Remembers names that are marked as unused on purpose.
    pub(crate) fn note_unused(
        &mut self,
        specs: &Specifiers<'a>,
        declarator: &Declarator<'a>,
        name: Span,
    ) {
        let attributes = specs.attributes.iter().chain(&declarator.attributes);
        for attribute in attributes {
            if self.interner.resolve(attribute.name) == "unused" {
                self.notes.marked_unused.insert(name);
            }
        }
    }

    fn typedef(
        &mut self,
        specs: &Specifiers<'a>,
        declarator: Declarator<'a>,
        item: &'a ast::InitDeclarator,
        name: Symbol,
        span: Span,
    ) {
        if item.initializer.is_some() {
            self.report(
                Diagnostic::new(
                    &codes::E0216,
                    span,
                    "a typedef names a type and cannot have an initializer",
                )
                .at("this is a type"),
            );
        }
        let ty = declarator.ty;
        let is_plain = item.declarator.derived.is_empty();
        let mut binding = Binding::new(Entity::Typedef(ty), span);
        binding.space = declarator.space;
        binding.is_host_sized =
            is_plain && (specs.is_host_sized || self.is_host_sized_name(name, ty));
        binding.align = if is_plain { specs.align } else { None };
        for attribute in specs.attributes.iter().chain(&declarator.attributes) {
            if let Some(layout) = self.layout_attribute(attribute) {
                binding.align = binding.align.max(layout.align);
            }
        }
        if is_plain
            && let Type::Record(id) = *self.module.types.get(ty.ty)
            && self.module.types.records[id].tag.is_none()
        {
            self.module.types.records[id].typedef_name.get_or_insert(name);
        }
        // The same typedef again is harmless (C11 6.7 paragraph 3).
        if let Some(before) = self.scopes.lookup_here(name)
            && let Entity::Typedef(first) = before.entity
        {
            let first_span = before.span;
            if first != ty && !self.module.types.is_error(first.ty) {
                let (text, other) = (self.qualified_text(ty), self.qualified_text(first));
                let name = self.interner.resolve(name);
                let message = format!("`{name}` already names another type");
                self.report(
                    Diagnostic::new(&codes::E0201, span, message)
                        .at(format!("`{text}` here"))
                        .label(first_span, format!("`{other}` here")),
                );
            }
            return;
        }
        if self.check_reserved(name, span) {
            // Uses mean the type that the language has.
            return;
        }
        self.declare(name, binding);
        if self.function.is_some() {
            self.notes.local_typedefs.push(span);
        }
    }

    /// Whether the language predeclares this name, of this type, as one whose size is the device's:
    /// `typedef __SIZE_TYPE__ size_t;` declares nothing new.
    fn is_host_sized_name(&mut self, name: Symbol, ty: QualType) -> bool {
        let text = self.interner.resolve(name);
        if !text.ends_with("_t") {
            return false;
        }
        let text = text.to_owned();
        self.predeclared_type(&text).is_some_and(|known| known.is_host_sized && known.ty == ty.ty)
    }

    /// The names of opaque types are keywords (OpenCL C 6.3.9): nothing else can be called so. The
    /// names of scalars and vectors are, too, but programs for several languages define those that
    /// other languages lack.
    ///
    /// `true` if the name is such a keyword, which is reported.
    pub(crate) fn check_reserved(&mut self, name: Symbol, span: Span) -> bool {
        let text = self.interner.resolve(name);
        if !text.ends_with("_t") || span.is_none() {
            return false;
        }
        let text = text.to_owned();
        let Some(known) = self.predeclared_type(&text) else { return false };
        match self.module.types.get(known.ty) {
            // An extension that the target does not have reserves nothing.
            &Type::Image(kind, _) => {
                if let Some(extension) = crate::requirements::sharing_extension(kind)
                    && !self.options.extensions.contains(extension)
                {
                    return false;
                }
            }
            Type::Sampler
            | Type::Event
            | Type::Queue
            | Type::ClkEvent
            | Type::NdRange
            | Type::ReserveId => {}
            _ => return false,
        }
        self.report(
            Diagnostic::new(&codes::E0201, span, format!("`{text}` is the name of a type"))
                .at("declared as something else")
                .note("the names of built-in types are keywords (OpenCL C 6.3.9)")
                .help("choose another name"),
        );
        true
    }

    /// Binds a name in the innermost scope; reports if it is taken there.
    pub(crate) fn declare(&mut self, name: Symbol, binding: Binding) {
        self.check_reserved(name, binding.span);
        if let Some(before) = self.scopes.lookup_here(name) {
            let first = before.span;
            let what = match before.entity {
                Entity::Typedef(_) => "a type",
                Entity::Local(_) | Entity::Global(_) => "a variable",
                Entity::Function(_) => "a function",
                Entity::EnumConstant { .. } => "an enumerator",
            };
            let span = binding.span;
            let text = self.interner.resolve(name);
            let message = format!("`{text}` is already declared in this scope");
            // A predeclared name may be declared again.
            if !first.is_none() {
                self.report(
                    Diagnostic::new(&codes::E0201, span, message)
                        .at("declared again")
                        .label(first, format!("declared here as {what}")),
                );
            }
        }
        self.note_hidden(name, &binding);
        self.index_declaration(&binding);
        self.scopes.declare(name, binding);
    }

    /// Notes that a variable of a function hides one of an outer scope.
    pub(crate) fn note_hidden(&mut self, name: Symbol, binding: &Binding) {
        let Some((depth, hidden)) = self.scopes.lookup_with_depth(name) else { return };
        if depth == self.scopes.depth() || hidden.span.is_none() {
            return;
        }
        let is_variable = match (&binding.entity, &hidden.entity) {
            // `extern` names the same variable once more.
            (Entity::Global(a), Entity::Global(b)) => a != b,
            (Entity::Local(_) | Entity::Global(_), Entity::Local(_) | Entity::Global(_)) => true,
            (
                Entity::Local(_)
                | Entity::Global(_)
                | Entity::Typedef(_)
                | Entity::Function(_)
                | Entity::EnumConstant { .. },
                _,
            ) => false,
        };
        if is_variable {
            let (hidden, is_global) = (hidden.span, depth == 0);
            self.notes.hiding.push(Hiding { name: binding.span, hidden, is_global });
        }
    }

    pub(crate) fn static_assert(&mut self, assert: &'a ast::StaticAssert) {
        let Some(condition) =
            self.integer_constant(assert.condition, "the condition of `_Static_assert`")
        else {
            return;
        };
        if condition.value != 0 {
            return;
        }
        let span = self.ast.exprs[assert.condition].span;
        let mut message = "static assertion failed".to_owned();
        if !assert.message.is_empty() {
            let text = self.string_bytes(&assert.message, span);
            message.push_str(if text.is_empty() { "" } else { ": " });
            for c in String::from_utf8_lossy(&text).chars() {
                // The message stays one line.
                if c.is_control() {
                    message.extend(c.escape_default());
                } else {
                    message.push(c);
                }
            }
        }
        self.report(Diagnostic::new(&codes::E0221, span, message).at("this is false"));
    }

    /// A local of the function that is being analysed; `None` names a temporary.
    pub fn new_local(&mut self, name: Option<Symbol>, ty: QualType, span: Span) -> LocalId {
        let align = self.module.types.align(ty.ty);
        match &self.function {
            Some(function) => {
                let local = Local { name, ty, align, is_captured: false, span };
                self.module.functions[function.id].locals.push(local)
            }
            // At file scope nothing can be evaluated at run time; the caller reports that.
            None => LocalId(0),
        }
    }

    /// The constant array that holds a string literal; the terminating NUL is added here.
    pub fn string_literal(&mut self, mut bytes: Vec<u8>, span: Span) -> GlobalId {
        bytes.push(0);
        if let Some(&global) = self.declared.strings.get(&bytes) {
            return global;
        }
        // Not `const` (C99 6.4.5): that nothing can write to it follows from its address space.
        let element = QualType::unqualified(TypeTable::CHAR);
        let len = Some(bytes.len() as u64);
        let ty = self.module.types.intern(Type::Array { element, len });
        let values = bytes.iter().map(|&byte| u64::from(byte)).collect();
        let name = match self.declared.strings.len() {
            0 => ".str".to_owned(),
            count => format!(".str.{count}"),
        };
        let global = self.module.globals.push(hir::Global {
            name,
            ty: ty.into(),
            space: clc_base::AddressSpace::Constant,
            initializer: Some(hir::Constant::Scalars(values)),
            align: 1,
            linkage: hir::Linkage::Internal,
            is_declaration: false,
            spec_constant: None,
            span,
        });
        self.declared.strings.insert(bytes, global);
        global
    }

    /// A unique name for a variable of the current function that lives at module level.
    fn hoisted_name(&mut self, name: Symbol) -> String {
        let function = match &self.function {
            Some(function) => self.interner.resolve(function.name),
            None => "",
        };
        let base = format!("{function}.{}", self.interner.resolve(name));
        match self.declared.hoisted.get_mut(&base) {
            Some(count) => {
                *count += 1;
                format!("{base}.{count}")
            }
            None => {
                self.declared.hoisted.insert(base.clone(), 0);
                base
            }
        }
    }
}
