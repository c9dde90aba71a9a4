//! Calls (C99 6.5.2.2): what is called, and calls of functions of the program.

use clc_base::diagnostic::miscounted;
use clc_base::{Diagnostic, Span, Symbol};
use clc_syntax::ast::{self, ExprKind as Ast};
use smallvec::SmallVec;

use crate::context::{ConversionContext, Entity, Sema};
use crate::diagnostics::expressions::*;
use crate::hir::{self, ExprKind, FuncId};
use crate::index;
use crate::types::{Type, TypeTable};

type Arguments = SmallVec<[hir::ExprId; 8]>;

impl<'a> Sema<'a> {
    pub(crate) fn call(
        &mut self,
        callee: ast::ExprId,
        arguments: &'a [ast::ExprId],
        span: Span,
    ) -> hir::ExprId {
        let tree = self.ast;
        let mut callee = callee;
        while let Ast::Paren(inner) = &tree.exprs[callee].kind {
            callee = *inner;
        }
        let callee_span = tree.exprs[callee].span;
        let &Ast::Identifier(name) = &tree.exprs[callee].kind else {
            return self.call_of_value(callee, arguments, span);
        };
        enum Callee {
            One(FuncId),
            Overloaded(Vec<FuncId>),
            Undeclared,
            Value,
        }
        let target = match self.lookup(name).map(|binding| &binding.entity) {
            Some(Entity::Function(functions)) => match functions[..] {
                [function] => Callee::One(function),
                _ => Callee::Overloaded(functions.clone()),
            },
            Some(_) => Callee::Value,
            None => Callee::Undeclared,
        };
        match target {
            Callee::Value => self.call_of_value(callee, arguments, span),
            Callee::Undeclared => {
                if self.builtin_kind(name).is_none() {
                    let guess = self.builtin_constant(name, arguments, span);
                    if let Some(value) = guess {
                        return value;
                    }
                    if let Some(known) = self.gnu_builtin(name, callee_span) {
                        return match self.arguments(arguments) {
                            Some(values) => self.gnu_call(&known, callee_span, values, span),
                            None => self.error_expr(span),
                        };
                    }
                    for &argument in arguments {
                        self.value(argument);
                    }
                    self.undeclared(name, callee_span, true);
                    return self.error_expr(span);
                }
                self.index_name(callee_span, index::Entity::Builtin(name), false);
                match self.arguments(arguments) {
                    Some(values) => self.builtin_call(name, callee_span, &values, span),
                    None => self.error_expr(span),
                }
            }
            Callee::One(function) => {
                self.index_name(callee_span, index::Entity::Function(function), false);
                match self.arguments(arguments) {
                    Some(values) => {
                        // A user's overload of a builtin leaves the builtin's own ones in sight.
                        if self.builtin_kind(name).is_some()
                            && self.overload_costs(function, &values).is_none()
                        {
                            return self.builtin_call(name, callee_span, &values, span);
                        }
                        self.user_call(function, name, &values, span)
                    }
                    None => self.error_expr(span),
                }
            }
            Callee::Overloaded(functions) => match self.arguments(arguments) {
                Some(values) => {
                    match self.choose_overload(name, &functions, &values, callee_span) {
                        Some(function) => {
                            self.index_name(callee_span, index::Entity::Function(function), false);
                            self.user_call(function, name, &values, span)
                        }
                        None if self.builtin_kind(name).is_some() => {
                            self.builtin_call(name, callee_span, &values, span)
                        }
                        None => {
                            self.no_overload(name, &functions, &values, callee_span);
                            self.error_expr(span)
                        }
                    }
                }
                None => self.error_expr(span),
            },
        }
    }

    /// The values of the arguments; `None` if one was reported.
    pub(crate) fn arguments(&mut self, arguments: &[ast::ExprId]) -> Option<Arguments> {
        let values: Arguments = arguments.iter().map(|&argument| self.value(argument)).collect();
        for &value in &values {
            if self.ty(value) == TypeTable::VOID {
                let message = "an argument has type `void`, which is not a value";
                let span = self.span(value);
                self.report(
                    Diagnostic::new(&crate::diagnostics::conversions::E0342, span, message)
                        .at("this is `void`"),
                );
                return None;
            }
        }
        (!values.iter().any(|&value| self.is_error(value))).then_some(values)
    }

    /// A call of something that isn't a function.
    fn call_of_value(
        &mut self,
        callee: ast::ExprId,
        arguments: &'a [ast::ExprId],
        span: Span,
    ) -> hir::ExprId {
        let value = self.expr(callee);
        if let Type::Block(_) = self.module.types.get(self.ty(value)) {
            let block = self.rvalue(value);
            return self.block_call(block, arguments, span);
        }
        for &argument in arguments {
            self.value(argument);
        }
        if self.is_error(value) {
            return self.error_expr(span);
        }
        let text = self.type_text(self.ty(value));
        let diagnostic = Diagnostic::new(
            &E0441,
            self.span(value),
            format!("`{text}` is not a function and cannot be called"),
        )
        .at("called like a function");
        let diagnostic = match self.declaration_of(value) {
            Some((declaration, name)) => {
                diagnostic.label(declaration, format!("{name} is declared here"))
            }
            None => diagnostic,
        };
        self.report(diagnostic);
        self.error_expr(span)
    }

    /// A call of a function of the program: arguments convert as if by assignment.
    fn user_call(
        &mut self,
        function: FuncId,
        name: Symbol,
        values: &[hir::ExprId],
        span: Span,
    ) -> hir::ExprId {
        let declaration = &self.module.functions[function];
        let (count, result) = (declaration.param_count as usize, declaration.result);
        if values.len() != count && self.has_lost_parameters(function) {
            // How many parameters there are is not known for certain.
            return self.error_expr(span);
        }
        if values.len() != count {
            let plural = |count| if count == 1 { "argument" } else { "arguments" };
            let message = format!(
                "`{}` takes {count} {}, {} {} given",
                self.interner.resolve(name),
                plural(count),
                values.len(),
                if values.len() == 1 { "is" } else { "are" },
            );
            let mut diagnostic = Diagnostic::new(&E0442, span, message)
                .at(miscounted(values.len(), count, "argument"))
                .label(declaration.span, "declared here");
            if let Some(missing) = declaration.locals.values().nth(values.len())
                && values.len() < count
                && let Some(name) = missing.name
            {
                let text = format!(
                    "the first one missing is `{} {}`",
                    self.type_text(missing.ty.ty),
                    self.interner.resolve(name)
                );
                diagnostic = diagnostic.note(text);
            } else if let Some(&extra) = values.get(count) {
                diagnostic = diagnostic.label(self.span(extra), "the first one too many");
            }
            self.report(diagnostic);
            return self.error_expr(span);
        }
        let mut arguments = Vec::with_capacity(count);
        let mut failed = result == TypeTable::ERROR;
        for (index, &value) in values.iter().enumerate() {
            let parameter = &self.module.functions[function].locals[hir::LocalId(index as u32)];
            let (ty, parameter) = (parameter.ty.ty, parameter.span);
            let context = ConversionContext::Argument { index, callee: name, parameter };
            let value = self.implicit_convert(value, ty, context);
            failed |= self.is_error(value);
            arguments.push(value);
        }
        if failed {
            return self.error_expr(span);
        }
        if self.declared.builtins.contains(&function) {
            return self.builtin_call(name, span, &arguments, span);
        }
        self.push_expr(
            ExprKind::Call { callee: function, arguments: arguments.into() },
            result,
            span,
        )
    }
}
