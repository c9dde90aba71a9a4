//! Blocks (OpenCL C 6.14): literals, what they capture, variables that name them, calls.
//!
//! A block is known at build time wherever it is used: variables that name one are constants, and
//! blocks are neither results nor parameters. So a literal becomes a function, a variable is
//! remembered with the function it names, and each call or enqueuing says which function it means.

use clc_base::diagnostic::miscounted;
use clc_base::{Diagnostic, Span, Symbol};
use clc_builtins::features;
use clc_syntax::ast::{self, InitDeclarator};
use rustc_hash::FxHashMap;

use crate::context::{ConversionContext, Sema};
use crate::declarators::ParameterInfo;
use crate::diagnostics::{
    blocks::*,
    declarations::{self, E0205},
    expressions::*,
};
use crate::hir::{
    self, BlockLiteral, Capture, Constant, ExprKind, FuncId, GlobalId, LocalId, StmtKind,
};
use crate::scopes::FunctionContext;
use crate::types::{FunctionType, QualType, Qualifiers, Type, TypeId, TypeTable};

/// What is known of a block literal while its body is analysed.
#[derive(Debug, Default)]
pub(crate) struct BlockContext {
    /// No result type was written: the `return` statements say it.
    pub infers_result: bool,
    /// The first `return`, which says the type of the others.
    pub first_return: Option<(TypeId, Span)>,
    captures: Vec<Capture>,
    /// Variables of the enclosing function and what stands for them here.
    captured: FxHashMap<LocalId, LocalId>,
}

/// A variable that names a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BlockVariable {
    Local(FuncId, LocalId),
    Global(GlobalId),
}

impl<'a> Sema<'a> {
    /// `^ T (parameters) { … }`
    pub(crate) fn block_literal(
        &mut self,
        block: &'a ast::BlockLiteral,
        span: Span,
    ) -> hir::ExprId {
        let ast::BlockLiteral { ty, parameters, variadic, body } = block;
        let caret = Span::new(span.lo, span.lo + 1);
        self.require_feature(features::FEATURE_DEVICE_ENQUEUE, "blocks", caret);
        if *variadic {
            let message = "a block cannot take a variable number of arguments";
            self.report(
                Diagnostic::new(&declarations::E0211, caret, message)
                    .at("the parameters of this block end in `...`"),
            );
        }
        let result = ty.as_ref().map(|name| {
            let result = self.type_name(name);
            self.block_result(result.ty, name.span)
        });
        let parameters: Vec<ParameterInfo> =
            parameters.iter().map(|parameter| self.parameter(parameter, false)).collect();
        let params: Box<[TypeId]> = parameters.iter().map(|info| info.ty.ty).collect();
        let name = self.block_name();
        let locals = self.parameter_locals(&parameters);
        let declared = result.unwrap_or(TypeTable::VOID);
        let id = self.new_function(name, span, TypeTable::ERROR, declared, locals);
        self.module.functions[id].linkage = hir::Linkage::Internal;

        let is_kernel = self.function.as_ref().is_some_and(|function| function.is_kernel);
        let mut context = FunctionContext::new(id, name, declared.into(), self.scopes.depth());
        context.is_kernel = is_kernel;
        context.block =
            Some(BlockContext { infers_result: result.is_none(), ..BlockContext::default() });
        let first = self.module.exprs.len() as u32;
        context.first_expr = first;
        if let Some(enclosing) = self.function.replace(context) {
            self.declared.bodies.push((enclosing.id, enclosing.first_expr..first));
            self.enclosing.push(enclosing);
        } else {
            self.enclosing.clear();
        }
        let is_nested = !self.enclosing.is_empty();
        let names: Vec<(Option<(Symbol, Span)>, Span)> =
            parameters.iter().map(|parameter| (parameter.name, parameter.span)).collect();
        let hint = self.declared.pending_hint.take();
        let context = self.body(id, &names, *body);
        self.declared.pending_hint = hint;
        self.function = if is_nested { self.enclosing.pop() } else { None };
        if let Some(enclosing) = &mut self.function {
            enclosing.first_expr = self.module.exprs.len() as u32;
        }

        let block = context.and_then(|context| context.block).unwrap_or_default();
        let function = &mut self.module.functions[id];
        function.block = Some(Box::new(BlockLiteral { captures: block.captures }));
        let result = function.result;
        let function_type = FunctionType { result, params: params.clone(), variadic: false };
        let ty = self.module.types.intern(Type::Function(function_type));
        self.declared.function_types[id.0 as usize] = ty;
        if self.module.types.is_error(result)
            || params.iter().any(|&param| self.module.types.is_error(param))
        {
            return self.error_expr(span);
        }
        let function_type = FunctionType { result, params, variadic: false };
        let ty = self.module.types.intern(Type::Block(function_type));
        self.push_expr(ExprKind::Block { function: id }, ty, span)
    }

    /// The type a block is said to return, if it can.
    fn block_result(&mut self, ty: TypeId, span: Span) -> TypeId {
        let refused = match self.module.types.get(ty) {
            Type::Block(_) => "a block",
            Type::Array { .. } => "an array",
            Type::Function(_) => "a function",
            Type::Image(..) => "an image",
            Type::Sampler => "a sampler",
            Type::Pipe { .. } => "a pipe",
            _ => return ty,
        };
        let message = format!("a block cannot return {refused}");
        self.report(
            Diagnostic::new(&declarations::E0219, span, message)
                .at(format!("returns `{}`", self.type_text(ty))),
        );
        TypeTable::ERROR
    }

    /// `k.block`: the name of the function that a literal becomes.
    fn block_name(&mut self) -> Symbol {
        let text = match &self.function {
            Some(function) => {
                let name = self.interner.resolve(function.name);
                format!("{}.block", name.strip_suffix(".block").unwrap_or(name))
            }
            None => "global.block".to_owned(),
        };
        self.interner.intern(&text)
    }

    /// `return` in a block whose result type is inferred; `false` if it does not agree with those
    /// before.
    pub(crate) fn infer_result(&mut self, ty: TypeId, span: Span) -> bool {
        let Some(function) = &mut self.function else { return true };
        let (id, Some(block)) = (function.id, &mut function.block) else { return true };
        match block.first_return {
            None => {
                block.first_return = Some((ty, span));
                let result = self.block_result(ty, span);
                if let Some(function) = &mut self.function {
                    function.result = result.into();
                }
                self.module.functions[id].result = result;
                true
            }
            Some((first, first_span)) => {
                let types = &self.module.types;
                if first == ty || types.is_error(first) || types.is_error(ty) {
                    return true;
                }
                let (text, first_text) = (self.type_text(ty), self.type_text(first));
                let diagnostic = Diagnostic::new(
                    &E0473,
                    span,
                    format!("this block returns `{text}` here and `{first_text}` before"),
                )
                .at(format!("this `return` says `{text}`"))
                .label(first_span, format!("this `return` says `{first_text}`"))
                .help(format!("write the result type: `^{first_text}(…)`"));
                self.report(diagnostic);
                false
            }
        }
    }

    // Captures.

    /// The use of a variable that a function around this block declared at `depth`.
    pub(crate) fn captured_variable(
        &mut self,
        local: LocalId,
        name: Symbol,
        depth: u32,
        span: Span,
    ) -> hir::ExprId {
        let owner = self.enclosing.iter().rposition(|function| function.scope_base < depth);
        let Some(owner) = owner else { return self.error_expr(span) };
        let owner_id = self.enclosing[owner].id;
        let variable = &self.module.functions[owner_id].locals[local];
        let (ty, declared) = (variable.ty, variable.span);
        if let Type::Block(_) = self.module.types.get(ty.ty) {
            let message = format!(
                "a block cannot use the block `{}` of the function around it",
                self.interner.resolve(name)
            );
            let diagnostic = Diagnostic::new(&E0472, span, message)
                .at("used inside another block")
                .label(declared, "declared here, outside of the block")
                .help("declare it at program scope, or inside the block that uses it");
            self.report(diagnostic);
            return self.error_expr(span);
        }
        if self.module.types.is_error(ty.ty) || self.refuse_matrix(ty.ty, "use by a block", span) {
            return self.error_expr(span);
        }
        let mut outer = local;
        let mut outer_function = owner_id;
        for level in owner + 1..=self.enclosing.len() {
            outer = self.capture(level, outer_function, outer, span);
            outer_function = self.context_at(level).id;
        }
        let ty = self.module.functions[outer_function].locals[outer].ty;
        self.push_expr(ExprKind::Local(outer), ty, span)
    }

    /// The function at a level of nesting: the enclosing ones, then the current one.
    fn context_at(&mut self, level: usize) -> &mut FunctionContext {
        match self.enclosing.get_mut(level) {
            Some(context) => context,
            None => self.function.as_mut().expect("captures happen inside of blocks"),
        }
    }

    /// What stands for `outer`, a variable of `function`, in the block at `level`.
    fn capture(&mut self, level: usize, function: FuncId, outer: LocalId, span: Span) -> LocalId {
        let context = self.context_at(level);
        let id = context.id;
        if let Some(block) = &context.block
            && let Some(&known) = block.captured.get(&outer)
        {
            return known;
        }
        let variable = &self.module.functions[function].locals[outer];
        let (name, ty, declared) = (variable.name, variable.ty, variable.span);
        let lvalue = self.push_expr(ExprKind::Local(outer), ty, span);
        let value = match *self.module.types.get(ty.ty) {
            // An array is captured as the pointer to its first element.
            Type::Array { .. } => self.rvalue(lvalue),
            _ => self.push_expr(ExprKind::Load(lvalue), ty.ty, span),
        };
        let ty = self.ty(value);
        let quals = Qualifiers { is_const: true, ..Qualifiers::NONE };
        let align = self.module.types.align(ty);
        let local = hir::Local {
            name,
            ty: QualType { ty, quals },
            align,
            is_captured: true,
            span: declared,
        };
        let local = self.module.functions[id].locals.push(local);
        if let Some(block) = &mut self.context_at(level).block {
            block.captures.push(Capture { value, local });
            block.captured.insert(outer, local);
        }
        local
    }

    // Variables.

    /// The function of the block that an expression evaluates to.
    pub(crate) fn block_target(&self, value: hir::ExprId) -> Option<FuncId> {
        match &self.module.exprs[value].kind {
            ExprKind::Block { function } => Some(*function),
            ExprKind::Load(lvalue) => {
                let variable = match self.module.exprs[*lvalue].kind {
                    ExprKind::Local(local) => {
                        BlockVariable::Local(self.function.as_ref()?.id, local)
                    }
                    ExprKind::Global(global) => BlockVariable::Global(global),
                    _ => return None,
                };
                self.declared.block_targets.get(&variable).copied()
            }
            ExprKind::Comma(parts) => self.block_target(*parts.last()?),
            _ => None,
        }
    }

    /// The block that is called or enqueued; reports if it is not known which one that is.
    pub(crate) fn known_block(&mut self, value: hir::ExprId) -> Option<FuncId> {
        let target = self.block_target(value);
        if target.is_none() {
            let diagnostic = Diagnostic::new(
                &E0470,
                self.span(value),
                "it is not known when the program is built which block this is",
            )
            .at("neither a block literal nor the name of one");
            let diagnostic = match self.declaration_of(value) {
                Some((declaration, name)) => diagnostic
                    .label(declaration, format!("{name} is declared here, and has no value yet")),
                None => diagnostic.help("name the literal with a variable, or write it here"),
            };
            self.report(diagnostic);
        }
        target
    }

    /// An automatic variable that names a block.
    pub(crate) fn define_block_local(
        &mut self,
        local: LocalId,
        initializer: Option<hir::ExprId>,
        name: Symbol,
        span: Span,
    ) {
        let Some(value) = initializer else { return self.uninitialized_block(name, span) };
        let Some(function) = self.function.as_ref().map(|function| function.id) else { return };
        if !self.is_error(value)
            && let Some(target) = self.known_block(value)
        {
            self.declared.block_targets.insert(BlockVariable::Local(function, local), target);
        } else {
            // What is wrong with its block was reported; of its uses nothing is said.
            self.module.functions[function].locals[local].ty = TypeTable::ERROR.into();
        }
    }

    /// A variable of static storage duration that names a block.
    pub(crate) fn define_block_global(
        &mut self,
        global: GlobalId,
        item: &'a InitDeclarator,
        name: Symbol,
        span: Span,
    ) {
        let variable = &mut self.module.globals[global];
        variable.initializer = Some(Constant::Zero);
        // It is no object in memory that another module could refer to.
        variable.linkage = hir::Linkage::Internal;
        let ty = variable.ty;
        let Some(initializer) = &item.initializer else {
            return self.uninitialized_block(name, span);
        };
        let value = self.initializer(ty, initializer);
        let target = if self.is_error(value) { None } else { self.known_block(value) };
        let Some(target) = target else {
            self.module.globals[global].ty = TypeTable::ERROR.into();
            return;
        };
        let captures = self.module.functions[target].block.as_ref();
        if let Some(capture) = captures.and_then(|block| block.captures.first()) {
            let outer = self.span(capture.value);
            let text = self.interner.resolve(name);
            let message = format!("the block of `{text}` lives longer than what it captures");
            let diagnostic = Diagnostic::new(&E0470, span, message)
                .at("lives as long as the program")
                .label(outer, "this is a variable of the function")
                .help("leave `static` out");
            self.report(diagnostic);
            return;
        }
        self.declared.block_targets.insert(BlockVariable::Global(global), target);
    }

    fn uninitialized_block(&mut self, name: Symbol, span: Span) {
        let message = format!("the block `{}` has no initializer", self.interner.resolve(name));
        let diagnostic = Diagnostic::new(&E0470, span, message)
            .at("declared without `= ^{ … }`")
            .note("variables that name blocks are constants (OpenCL C 6.14.5)")
            .help("initialize it where it is declared: `= ^{ … }`");
        self.report(diagnostic);
    }

    pub(crate) fn extern_block(&mut self, span: Span) {
        let diagnostic =
            Diagnostic::new(&E0205, span, "a variable that names a block cannot be `extern`")
                .at("declared `extern`")
                .note("which block it names is known where it is used (OpenCL C 6.14.5)");
        self.report(diagnostic);
    }

    /// Refuses an operator on a block; `true` if `ty` is that of one.
    pub(crate) fn refuse_block(&mut self, ty: TypeId, what: &str, span: Span) -> bool {
        let is_block = matches!(self.module.types.get(ty), Type::Block(_));
        if is_block {
            let message = format!("{what} cannot be used with a block");
            self.report(
                Diagnostic::new(&E0471, span, message)
                    .at("this is a block")
                    .note("blocks are named, called and enqueued (OpenCL C 6.14.5)"),
            );
        }
        is_block
    }

    // Calls.

    /// A call of a block.
    pub(crate) fn block_call(
        &mut self,
        block: hir::ExprId,
        arguments: &'a [ast::ExprId],
        span: Span,
    ) -> hir::ExprId {
        let Type::Block(ty) = self.module.types.get(self.ty(block)) else {
            return self.error_expr(span);
        };
        let ty = ty.clone();
        let Some(values) = self.arguments(arguments) else { return self.error_expr(span) };
        let Some(function) = self.known_block(block) else { return self.error_expr(span) };
        let callee = self.module.functions[function].name;
        let declared = self.module.functions[function].span;
        if values.len() != ty.params.len() && ty.params.contains(&TypeTable::ERROR) {
            return self.error_expr(span);
        }
        if values.len() != ty.params.len() {
            let count = ty.params.len();
            let message = format!(
                "this block takes {count} {}, {} {} given",
                if count == 1 { "argument" } else { "arguments" },
                values.len(),
                if values.len() == 1 { "is" } else { "are" },
            );
            self.report(
                Diagnostic::new(&E0442, span, message)
                    .at(miscounted(values.len(), count, "argument"))
                    .label(Span::new(declared.lo, declared.lo + 1), "the block is here"),
            );
            return self.error_expr(span);
        }
        let mut converted = Vec::with_capacity(values.len());
        for (index, (&value, &param)) in values.iter().zip(&ty.params).enumerate() {
            let parameter = self.module.functions[function].locals[LocalId(index as u32)].span;
            let context = ConversionContext::Argument { index, callee, parameter };
            let value = self.implicit_convert(value, param, context);
            if self.is_error(value) {
                return self.error_expr(span);
            }
            converted.push(value);
        }
        let operands = Box::new(hir::BlockOperands { block, arguments: converted });
        let kind = ExprKind::BlockCall { function, operands };
        self.push_expr(kind, ty.result, span)
    }

    /// A `return` in a block that says its result type.
    pub(crate) fn inferred_return(
        &mut self,
        value: Option<ast::ExprId>,
        span: Span,
    ) -> hir::StmtId {
        let Some(e) = value else {
            self.infer_result(TypeTable::VOID, span);
            return self.push_stmt(StmtKind::Return(None), span);
        };
        let value = self.value(e);
        let ty = self.ty(value);
        if !self.infer_result(ty, self.span(value)) {
            return self.push_stmt(StmtKind::Null, span);
        }
        if ty != TypeTable::VOID {
            return self.push_stmt(StmtKind::Return(Some(value)), span);
        }
        let evaluate = self.push_stmt(StmtKind::Expr(value), span);
        let leave = self.push_stmt(StmtKind::Return(None), span);
        self.push_stmt(StmtKind::Block(vec![evaluate, leave]), span)
    }
}
