//! Expressions (C99 6.5, OpenCL C 6.3 to 6.5).
//!
//! Here: the dispatch over kinds, names, `sizeof` and the like, and what the other half of the
//! analysis calls. Operators, assignments, members and casts have files of their own.

mod assignments;
mod casts;
mod conditionals;
mod members;
mod operators;
mod pointer_arithmetic;
mod sizes;

use clc_base::diagnostic::did_you_mean;
use clc_base::{Diagnostic, Span, Symbol};
use clc_builtins::Scalar;
use clc_syntax::ast::{self, ExprKind as Ast};
use clc_syntax::parse::similar_type;
use rustc_hash::FxHashMap;

use crate::context::{Entity, Sema};
use crate::diagnostics::expressions::*;
use crate::folding;
use crate::hir::{self, Constant, ExprKind, FuncId, LocalId};
use crate::types::{QualType, Type, TypeTable};

/// What is remembered from one expression to the next.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub(crate) calls: crate::builtin_calls::Cache,
    /// `const` locals of arithmetic type whose initialiser is constant.
    constant_locals: FxHashMap<(FuncId, LocalId), Constant>,
}

/// Guessing what an undeclared name was meant to be looks at every name in sight; after so many
/// guesses there is something else wrong with the program.
const MOST_GUESSES: usize = 20;

/// The statements that are one word, which is a name when it is misspelt.
const JUMPS: &[&str] = &["return", "break", "continue"];

impl<'a> Sema<'a> {
    /// An lvalue or a value, as written. Never fails: after an error it is an
    /// [`hir::ExprKind::Error`] of type `ERROR`.
    pub(crate) fn expr(&mut self, e: ast::ExprId) -> hir::ExprId {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || {
            let expr = self.expr_kind(e);
            self.index_expr(e, expr);
            expr
        })
    }

    fn expr_kind(&mut self, e: ast::ExprId) -> hir::ExprId {
        let tree = self.ast;
        let ast::Expr { kind, span } = &tree.exprs[e];
        let span = *span;
        match kind {
            Ast::Identifier(name) => self.identifier(*name, span),
            Ast::Integer(spelling) => self.integer_literal(*spelling, span),
            Ast::Float(spelling) => self.float_literal(*spelling, span),
            Ast::Char(spelling) => self.char_literal(*spelling, span),
            Ast::String(pieces) => {
                let bytes = self.string_bytes(pieces, span);
                let global = self.string_literal(bytes, span);
                self.global_lvalue(global, span)
            }
            Ast::Paren(inner) => self.expr(*inner),
            Ast::Index { base, index } => self.index(*base, *index, span),
            Ast::Call { callee, arguments } => self.call(*callee, arguments, span),
            Ast::Member { base, name, name_span, arrow } => {
                self.member(*base, *name, *name_span, *arrow, span)
            }
            Ast::Unary { op, operand } => self.unary(*op, *operand, span),
            Ast::Binary { .. } => self.binary(e),
            Ast::Assign { op: None, op_span, target, value } => {
                self.assign(*target, *value, *op_span, span)
            }
            Ast::Assign { op: Some(op), op_span, target, value } => {
                self.compound_assign(*op, *target, *value, *op_span, span)
            }
            Ast::Conditional { condition, then, otherwise } => {
                self.conditional(*condition, *then, *otherwise, span)
            }
            Ast::Comma(parts) => self.comma(parts, span),
            Ast::SizeOfExpr(operator, operand) => {
                let ty = self.type_of(*operand);
                self.size_operator(*operator, ty.ty, span)
            }
            Ast::SizeOfType(operator, name) => {
                let ty = self.type_name(name);
                self.size_operator(*operator, ty.ty, span)
            }
            Ast::GnuConversion(conversion) => self.gnu_conversion(conversion, span),
            Ast::Cast { ty, operand } => self.cast(ty, *operand, span),
            Ast::CompoundLiteral { ty, initializer } => {
                self.compound_literal(ty, initializer, span)
            }
            Ast::Statement(body) => self.statement_expression(*body, span),
            Ast::Block(block) => self.block_literal(block, span),
            Ast::Offsetof(operands) => self.offset_of(&operands.0, &operands.1, span),
            Ast::Error => self.error_expr(span),
        }
    }

    /// The expression after lvalue conversion, array and function decay (C99 6.3.2.1). May be
    /// `void`.
    pub(crate) fn value(&mut self, e: ast::ExprId) -> hir::ExprId {
        let expr = self.expr(e);
        self.rvalue(expr)
    }

    /// The type of an expression that is not evaluated: of `sizeof`, of `typeof`.
    pub(crate) fn type_of(&mut self, e: ast::ExprId) -> QualType {
        let expr = self.expr(e);
        self.module.exprs[expr].ty
    }

    /// A value of scalar type (arithmetic or pointer), for `if` and loops.
    pub(crate) fn condition(&mut self, e: ast::ExprId) -> hir::ExprId {
        let value = self.value(e);
        self.boolean_operand(value, "a condition")
    }

    /// Checks that a value may be tested against zero; enums become integers.
    pub(crate) fn boolean_operand(&mut self, value: hir::ExprId, what: &str) -> hir::ExprId {
        let ty = self.ty(value);
        match self.module.types.get(ty) {
            Type::Scalar(_) | Type::Pointer { .. } | Type::Error => value,
            Type::Enum(_) => self.promote(value),
            other => {
                let is_vector = matches!(other, Type::Vector(..));
                let message = format!("{what} must be a scalar, not `{}`", self.type_text(ty));
                let mut diagnostic = Diagnostic::new(&E0420, self.span(value), message)
                    .at(if is_vector { "a vector has several values" } else { "not a scalar" });
                if is_vector {
                    diagnostic = diagnostic
                        .help("`any(…)` and `all(…)` make one boolean of an integer vector's");
                }
                self.report(diagnostic);
                self.error_expr(self.span(value))
            }
        }
    }

    /// An integer value after the integer promotions: the selector of a `switch`.
    pub(crate) fn promoted_integer(&mut self, e: ast::ExprId, what: &str) -> hir::ExprId {
        let value = self.value(e);
        if self.is_error(value) {
            return value;
        }
        let ty = self.ty(value);
        match self.module.types.as_scalar(ty) {
            Some(scalar) if scalar.is_integer() => self.promote(value),
            _ => {
                let message = format!("{what} must be an integer, not `{}`", self.type_text(ty));
                self.report(
                    Diagnostic::new(&E0420, self.span(value), message).at("not an integer"),
                );
                self.error_expr(self.span(value))
            }
        }
    }

    /// To be called for each `const` local with its initialiser: constant expressions may name
    /// such variables, as other compilers allow.
    pub(crate) fn remember_constant(&mut self, local: LocalId, initializer: hir::ExprId) {
        let Some(function) = &self.function else { return };
        let id = function.id;
        if let Some((bits, _)) = self.as_constant(initializer) {
            self.memory.constant_locals.insert((id, local), Constant::Scalar(bits));
        }
    }

    pub(crate) fn constant_local(&self, local: LocalId) -> Option<&Constant> {
        let function = self.function.as_ref()?;
        self.memory.constant_locals.get(&(function.id, local))
    }

    pub(crate) fn global_lvalue(&mut self, global: hir::GlobalId, span: Span) -> hir::ExprId {
        let ty = self.module.globals[global].ty;
        self.push_expr(ExprKind::Global(global), ty, span)
    }

    fn identifier(&mut self, name: Symbol, span: Span) -> hir::ExprId {
        self.index_use(name, span);
        let Some((depth, binding)) = self.scopes.lookup_with_depth(name) else {
            if matches!(self.interner.resolve(name), "__func__" | "__FUNCTION__")
                && let Some(function) = &self.function
            {
                let text = self.interner.resolve(function.name).as_bytes().to_vec();
                let global = self.string_literal(text, span);
                return self.global_lvalue(global, span);
            }
            self.undeclared(name, span, false);
            return self.error_expr(span);
        };
        match binding.entity {
            Entity::Local(local) => {
                let Some(function) = &self.function else { return self.error_expr(span) };
                if depth <= function.scope_base {
                    return self.captured_variable(local, name, depth, span);
                }
                let ty = self.module.functions[function.id].locals[local].ty;
                self.push_expr(ExprKind::Local(local), ty, span)
            }
            Entity::Global(global) => self
                .spec_constant_value(global, span)
                .unwrap_or_else(|| self.global_lvalue(global, span)),
            Entity::EnumConstant { value, ty } => {
                let scalar = self.module.types.as_scalar(ty).unwrap_or(Scalar::Int);
                let bits = folding::wrap(scalar, i128::from(value));
                self.push_expr(ExprKind::Constant(bits), ty, span)
            }
            // Perhaps no function: its parameters did not parse.
            Entity::Function(ref ids) if ids.iter().any(|&id| self.has_lost_parameters(id)) => {
                self.error_expr(span)
            }
            Entity::Function(_) => {
                let declared = binding.span;
                // The variable that was meant may be among what did not parse.
                if self.is_lost(name) || self.finds_lost_name(span.lo) {
                    return self.error_expr(span);
                }
                let message =
                    format!("function `{}` is used as a value", self.interner.resolve(name));
                let diagnostic = Diagnostic::new(&E0402, span, message)
                    .at("named without a call")
                    .label(declared, "declared here")
                    .note("OpenCL C has no pointers to functions (OpenCL C 6.11)")
                    .help("call it: `(…)`");
                self.report(diagnostic);
                self.error_expr(span)
            }
            Entity::Typedef(_) => {
                let declared = binding.span;
                let message = format!("`{}` is a type, not a value", self.interner.resolve(name));
                let diagnostic = Diagnostic::new(&E0402, span, message)
                    .at("a value is needed here")
                    .label(declared, "declared here");
                self.report(diagnostic);
                self.error_expr(span)
            }
        }
    }

    /// Reports a name that nothing declares, once for each function it is used in; once in all if
    /// it is called, or if a name of the whole file seems to be misspelt.
    pub(crate) fn undeclared(&mut self, name: Symbol, span: Span, called: bool) {
        let function = self.function.as_ref().map(|function| function.id);
        let is_known = self.reported.undeclared.contains(&(None, name))
            || !self.reported.undeclared.insert((function, name));
        // What is called was not declared in this function.
        let before = if called { span.lo.min(self.reported.body) } else { span.lo };
        if is_known || self.is_lost(name) || self.finds_lost_name(before) {
            return;
        }
        let mut is_of_file = called;
        let interner = &*self.interner;
        let text = interner.resolve(name);
        let message = if called {
            format!("function `{text}` is not declared")
        } else {
            format!("`{text}` is not declared")
        };
        let mut diagnostic = Diagnostic::new(&E0401, span, message).at(if called {
            "no function of this name is known here"
        } else {
            "not known in this scope"
        });
        if self.reported.undeclared.len() <= MOST_GUESSES {
            let visible = self
                .scopes
                .names
                .iter()
                .filter(|(_, bindings)| !bindings.is_empty())
                .map(|(&name, _)| interner.resolve(name));
            // A name of the program is likelier than one of the many of the language.
            let guess = did_you_mean(text, visible).map(str::to_owned).or_else(|| {
                let builtin = did_you_mean(text, clc_builtins::names()).filter(|_| called);
                // `(flaot4)(x)` looks like a call.
                builtin.map(str::to_owned).or_else(|| similar_type(text))
            });
            if let Some(guess) = guess {
                let binding =
                    interner.get(&guess).and_then(|name| self.scopes.lookup_with_depth(name));
                is_of_file |= binding.is_some_and(|(depth, _)| depth == 0);
                diagnostic = diagnostic.suggest(span, Some(guess));
            } else if let Some(guess) =
                did_you_mean(text, JUMPS.iter().copied()).filter(|_| !called)
            {
                diagnostic = diagnostic.suggest(span, Some(guess));
            } else if !called && clc_builtins::is_builtin(text) {
                diagnostic = diagnostic.help(format!("call the function: `{text}(…)`"));
            }
        }
        if let Some(vendor) = vendor_of(text) {
            diagnostic = diagnostic.note(format!(
                "names of this form belong to extensions of {vendor}; this one has no translation \
                 to SPIR-V"
            ));
        }
        if is_of_file {
            self.reported.undeclared.insert((None, name));
        }
        self.report(diagnostic);
    }

    fn comma(&mut self, parts: &[ast::ExprId], span: Span) -> hir::ExprId {
        let mut values = Vec::with_capacity(parts.len());
        for (index, &part) in parts.iter().enumerate() {
            if index > 0 && values.first().is_some_and(|&first| self.is_error(first)) {
                self.follows_lost_type(parts[0], part);
            }
            let last = index + 1 == parts.len();
            values.push(if last { self.value(part) } else { self.expr(part) });
        }
        if values.iter().any(|&value| self.is_error(value)) {
            return self.error_expr(span);
        }
        match values[..] {
            [] => self.error_expr(span),
            [value] => value,
            [.., last] => {
                let ty = self.ty(last);
                // `(1, 2)` is as constant as `2`.
                if let Some((bits, _)) = self.as_constant(last)
                    && values.iter().all(|&value| self.as_constant(value).is_some())
                {
                    return self.push_expr(ExprKind::Constant(bits), ty, span);
                }
                self.push_expr(ExprKind::Comma(values.into()), ty, span)
            }
        }
    }

    fn statement_expression(&mut self, body: ast::StmtId, span: Span) -> hir::ExprId {
        if self.function.is_none() {
            let message = "a statement expression can only stand in a function";
            self.report(Diagnostic::new(&E0404, span, message).at("outside of every function"));
            return self.error_expr(span);
        }
        let (stmts, value) = self.statement_block(body);
        let ty = value.map_or(TypeTable::VOID, |value| self.ty(value));
        if ty == TypeTable::ERROR {
            return self.error_expr(span);
        }
        self.push_expr(
            ExprKind::Statements(Box::new(hir::StatementExpression { stmts, value })),
            ty,
            span,
        )
    }
}

/// Whose extension a name comes from, by the conventions of vendors for functions and constants.
fn vendor_of(name: &str) -> Option<&'static str> {
    const VENDORS: [(&str, &str, &str); 5] = [
        ("qcom_", "_QCOM", "Qualcomm"),
        ("intel_", "_INTEL", "Intel"),
        ("amd_", "_AMD", "AMD"),
        ("arm_", "_ARM", "Arm"),
        ("img_", "_IMG", "Imagination"),
    ];
    let of = |&(start, end, _): &(&str, &str, &str)| name.starts_with(start) || name.ends_with(end);
    VENDORS.iter().find(|vendor| of(vendor)).map(|&(_, _, vendor)| vendor)
}
