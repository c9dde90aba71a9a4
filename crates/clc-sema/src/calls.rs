//! Calls of user functions and of builtins (C99 6.5.2.2, OpenCL C 6.15).

use std::borrow::Cow;
use std::rc::Rc;

use clc_base::{AddressSpace, Diagnostic, Span, Symbol, Version};
use clc_builtins::resolve::Meaning;
use clc_builtins::types::Environment;
use clc_builtins::{BuiltinType, ExtensionSet, Failure, Scalar, features};
use clc_syntax::ast::{self, ExprKind as Ast};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::context::{ConversionContext, Entity, Sema};
use crate::diagnostics::builtins::*;
use crate::diagnostics::expressions::*;
use crate::folding;
use crate::hir::{self, ExprKind, FuncId};
use crate::pointers::Pointees;
use crate::types::{QualType, Qualifiers, Type, TypeId, TypeTable};

type Arguments = SmallVec<[hir::ExprId; 8]>;
type ArgumentTypes = SmallVec<[TypeId; 8]>;

/// Stands for the null pointer constant among the types of arguments.
const NULL: TypeId = TypeId(u32::MAX);

/// What is known about names and calls of builtins. A program names few builtins and calls them
/// often, mostly with the same types.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    names: FxHashMap<Symbol, Option<Builtin>>,
    calls: FxHashMap<(Symbol, ArgumentTypes), Rc<Overload>>,
    /// The extensions that `calls` was filled under.
    extensions: ExtensionSet,
}

/// What kind of builtin a name is.
#[derive(Clone, Copy, Debug)]
enum Builtin {
    Plain,
    /// `to_global` and its kin.
    ToSpace(AddressSpace),
}

/// A chosen overload, in the types of this analysis.
#[derive(Debug)]
struct Overload {
    meaning: Meaning,
    /// `None` for an argument that is passed as it is.
    parameters: Box<[Option<TypeId>]>,
    result: TypeId,
}

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
                    for &argument in arguments {
                        self.value(argument);
                    }
                    self.undeclared(name, callee_span, true);
                    return self.error_expr(span);
                }
                match self.arguments(arguments) {
                    Some(values) => self.builtin_call(name, callee_span, &values, span),
                    None => self.error_expr(span),
                }
            }
            Callee::One(function) => match self.arguments(arguments) {
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
            },
            Callee::Overloaded(functions) => match self.arguments(arguments) {
                Some(values) => {
                    match self.choose_overload(name, &functions, &values, callee_span) {
                        Some(function) => self.user_call(function, name, &values, span),
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
    fn arguments(&mut self, arguments: &[ast::ExprId]) -> Option<Arguments> {
        let values: Arguments = arguments.iter().map(|&argument| self.value(argument)).collect();
        for &value in &values {
            if self.ty(value) == TypeTable::VOID {
                let message = "an argument has type `void`, which is not a value";
                let span = self.span(value);
                self.report(Diagnostic::new(
                    &crate::diagnostics::conversions::E0342,
                    span,
                    message,
                ));
                return None;
            }
        }
        (!values.iter().any(|&value| self.is_error(value))).then_some(values)
    }

    /// A call of something that isn't a function.
    fn call_of_value(
        &mut self,
        callee: ast::ExprId,
        arguments: &[ast::ExprId],
        span: Span,
    ) -> hir::ExprId {
        let value = self.expr(callee);
        for &argument in arguments {
            self.value(argument);
        }
        if self.is_error(value) {
            return self.error_expr(span);
        }
        let text = self.type_text(self.ty(value));
        let diagnostic = if matches!(self.module.types.get(self.ty(value)), Type::Block(_)) {
            Diagnostic::new(&E0403, span, "calls of blocks are not supported yet")
        } else {
            let diagnostic = Diagnostic::new(
                &E0441,
                self.span(value),
                format!("`{text}` is not a function and cannot be called"),
            );
            match self.origin(value) {
                Some((origin, name)) => {
                    diagnostic.label(origin, format!("{name} is declared here"))
                }
                None => diagnostic,
            }
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
        if values.len() != count {
            let plural = |count| if count == 1 { "argument" } else { "arguments" };
            let message = format!(
                "`{}` takes {count} {}, {} {} given",
                self.interner.resolve(name),
                plural(count),
                values.len(),
                if values.len() == 1 { "is" } else { "are" },
            );
            let mut diagnostic =
                Diagnostic::new(&E0442, span, message).label(declaration.span, "declared here");
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
        self.push_expr(ExprKind::Call { callee: function, arguments }, result, span)
    }

    /// The cost of each argument's conversion; `None` if the function cannot be called so.
    fn overload_costs(
        &self,
        function: FuncId,
        values: &[hir::ExprId],
    ) -> Option<SmallVec<[u8; 8]>> {
        let declaration = &self.module.functions[function];
        if declaration.param_count as usize != values.len() {
            return None;
        }
        values
            .iter()
            .zip(declaration.locals.values())
            .map(|(&value, parameter)| self.argument_cost(value, parameter.ty.ty))
            .collect()
    }

    /// How far an argument is from a parameter's type: 0 exact, 1 qualifiers added, 2 promotion,
    /// 3 conversion, 4 a scalar becomes a vector.
    fn argument_cost(&self, value: hir::ExprId, to: TypeId) -> Option<u8> {
        let from = self.ty(value);
        if from == to {
            return Some(0);
        }
        let types = &self.module.types;
        match (types.get(from), types.get(to)) {
            (Type::Scalar(_) | Type::Enum(_), Type::Scalar(to)) => {
                let from = types.as_scalar(from)?;
                let promotion =
                    Self::promoted(from) == *to || (from, *to) == (Scalar::Float, Scalar::Double);
                Some(if promotion { 2 } else { 3 })
            }
            (Type::Scalar(_) | Type::Enum(_), Type::Enum(_)) => Some(3),
            (Type::Scalar(_) | Type::Enum(_), Type::Vector(..)) => Some(4),
            (
                &Type::Pointer { pointee: from, space: from_space },
                &Type::Pointer { pointee: to, space: to_space },
            ) => {
                if self.is_null_constant(value) {
                    return Some(3);
                }
                if !Self::space_encloses(to_space, from_space) {
                    return None;
                }
                match self.compare_pointees(from.ty, to.ty) {
                    Pointees::Compatible => Some(1),
                    Pointees::Void | Pointees::Signedness | Pointees::InnerQualifiers => Some(3),
                    Pointees::InnerSpace(..) | Pointees::Incompatible => None,
                }
            }
            (Type::Scalar(_), Type::Pointer { .. } | Type::Event) => {
                self.is_null_constant(value).then_some(3)
            }
            (Type::Scalar(_), Type::Sampler) => self.as_constant(value).map(|_| 3),
            (Type::Pointer { .. }, Type::Scalar(Scalar::Bool)) => Some(4),
            _ => None,
        }
    }

    /// The best of several declarations of a function: no worse than any other in every argument
    /// and better in one.
    fn choose_overload(
        &mut self,
        name: Symbol,
        functions: &[FuncId],
        values: &[hir::ExprId],
        callee_span: Span,
    ) -> Option<FuncId> {
        let viable: Vec<(FuncId, SmallVec<[u8; 8]>)> = functions
            .iter()
            .filter_map(|&function| {
                self.overload_costs(function, values).map(|costs| (function, costs))
            })
            .collect();
        let no_worse =
            |left: &[u8], right: &[u8]| left.iter().zip(right).all(|(left, right)| left <= right);
        // A candidate that survives a pass over all others is the only one that can be best.
        let mut best = viable.first()?;
        for candidate in &viable[1..] {
            if !no_worse(&best.1, &candidate.1) {
                best = candidate;
            }
        }
        let ties: Vec<FuncId> = viable
            .iter()
            .filter(|(function, costs)| {
                *function != best.0 && (!no_worse(&best.1, costs) || *costs == best.1)
            })
            .map(|(function, _)| *function)
            .collect();
        if ties.is_empty() {
            return Some(best.0);
        }
        let message = format!(
            "the call of `{}` is ambiguous: several declarations fit equally well",
            self.interner.resolve(name)
        );
        let mut diagnostic = Diagnostic::new(&E0443, callee_span, message);
        for function in std::iter::once(best.0).chain(ties).take(4) {
            diagnostic = diagnostic.label(
                self.module.functions[function].span,
                "this declaration takes the arguments",
            );
        }
        self.report(diagnostic);
        Some(best.0)
    }

    fn no_overload(
        &mut self,
        name: Symbol,
        functions: &[FuncId],
        values: &[hir::ExprId],
        callee_span: Span,
    ) {
        let types: Vec<String> =
            values.iter().map(|&value| self.type_text(self.ty(value))).collect();
        let message = format!(
            "no declaration of `{}` takes ({})",
            self.interner.resolve(name),
            types.join(", ")
        );
        let mut diagnostic = Diagnostic::new(&E0443, callee_span, message);
        for &function in functions.iter().take(4) {
            let declaration = &self.module.functions[function];
            let reason = if declaration.param_count as usize != values.len() {
                let count = declaration.param_count;
                format!("takes {count} argument{}", if count == 1 { "" } else { "s" })
            } else {
                let parameters = declaration.locals.values();
                let wrong = values.iter().zip(parameters).position(|(&value, parameter)| {
                    self.argument_cost(value, parameter.ty.ty).is_none()
                });
                format!("argument {} does not convert", wrong.unwrap_or(0) + 1)
            };
            diagnostic = diagnostic.label(declaration.span, reason);
        }
        self.report(diagnostic);
    }

    fn builtin_kind(&mut self, name: Symbol) -> Option<Builtin> {
        if let Some(kind) = self.memory.calls.names.get(&name) {
            return *kind;
        }
        let text = self.interner.resolve(name);
        let kind = match text {
            _ if !clc_builtins::is_builtin(text) => None,
            "to_global" => Some(Builtin::ToSpace(AddressSpace::Global)),
            "to_local" => Some(Builtin::ToSpace(AddressSpace::Local)),
            "to_private" => Some(Builtin::ToSpace(AddressSpace::Private)),
            _ => Some(Builtin::Plain),
        };
        self.memory.calls.names.insert(name, kind);
        kind
    }

    fn builtin_call(
        &mut self,
        name: Symbol,
        callee_span: Span,
        values: &[hir::ExprId],
        span: Span,
    ) -> hir::ExprId {
        if let Some(Builtin::ToSpace(space)) = self.builtin_kind(name)
            && let [pointer] = values[..]
            && let Some((pointee, from)) = self.module.types.as_pointer(self.ty(pointer))
            && from != AddressSpace::Constant
            && self.has_generic_space()
        {
            let generic = self.module.types.pointer(pointee, AddressSpace::Generic);
            let pointer = self.cast_pointer(pointer, generic);
            let ty = self.module.types.pointer(pointee, space);
            return self.push_expr(ExprKind::SpaceQuery(pointer), ty, span);
        }
        let Some(overload) = self.builtin_overload(name, callee_span, values) else {
            return self.error_expr(span);
        };
        let mut arguments = Vec::with_capacity(values.len());
        for (index, &value) in values.iter().enumerate() {
            let converted = match overload.parameters.get(index) {
                Some(None) => value,
                Some(&Some(ty)) if ty == self.ty(value) => value,
                Some(&Some(ty)) => {
                    let context =
                        ConversionContext::Argument { index, callee: name, parameter: Span::NONE };
                    self.implicit_convert(value, ty, context)
                }
                None => self.promote_argument(value),
            };
            if self.is_error(converted) {
                return self.error_expr(span);
            }
            arguments.push(converted);
        }
        let result = overload.result;
        if result == TypeTable::ERROR {
            // Only the argument's type could say what comes out, and a null pointer has none.
            let text = self.interner.resolve(name);
            let message = format!("`{text}` needs a pointer to something, not null");
            self.report(Diagnostic::new(&E0501, callee_span, message));
            return self.error_expr(span);
        }
        match (overload.meaning, &arguments[..]) {
            (Meaning::Convert { rounding, saturate }, &[operand]) => {
                self.explicit_numeric(operand, result, rounding, saturate, span)
            }
            (Meaning::Reinterpret, &[operand]) => self.reinterpret(operand, result, span),
            (Meaning::Intrinsic(intrinsic), _) => {
                self.push_expr(ExprKind::Intrinsic { intrinsic, arguments }, result, span)
            }
            (Meaning::Convert { .. } | Meaning::Reinterpret, _) => self.error_expr(span),
        }
    }

    /// `convert_T`: its default rounding is that of C's conversions (OpenCL C 6.4.3.2).
    fn explicit_numeric(
        &mut self,
        operand: hir::ExprId,
        ty: TypeId,
        rounding: Option<clc_builtins::resolve::Rounding>,
        saturate: bool,
        span: Span,
    ) -> hir::ExprId {
        let from = self.ty(operand);
        if from == ty {
            return operand;
        }
        if rounding.is_none()
            && !saturate
            && let (Some((bits, from)), Some(to)) =
                (self.as_constant(operand), self.module.types.as_scalar(ty))
        {
            let bits = folding::convert(bits, from, to);
            return self.push_expr(ExprKind::Constant(bits), ty, span);
        }
        let operand = if matches!(self.module.types.get(from), Type::Enum(_)) {
            self.promote(operand)
        } else {
            operand
        };
        self.push_expr(ExprKind::Convert { operand, rounding, saturate }, ty, span)
    }

    fn reinterpret(&mut self, operand: hir::ExprId, ty: TypeId, span: Span) -> hir::ExprId {
        if self.ty(operand) == ty {
            return operand;
        }
        if let Some((bits, from)) = self.as_constant(operand)
            && let Some(to) = self.module.types.as_scalar(ty)
            && from.size() == to.size()
        {
            return self.push_expr(ExprKind::Constant(bits), ty, span);
        }
        self.push_expr(ExprKind::Reinterpret(operand), ty, span)
    }

    /// The overload of a builtin for these arguments; reports if there is none.
    fn builtin_overload(
        &mut self,
        name: Symbol,
        callee_span: Span,
        values: &[hir::ExprId],
    ) -> Option<Rc<Overload>> {
        if self.memory.calls.extensions != self.extensions {
            self.memory.calls.calls.clear();
            self.memory.calls.extensions = self.extensions.clone();
        }
        let types: ArgumentTypes = values
            .iter()
            .map(|&value| {
                let ty = self.ty(value);
                let null =
                    self.module.types.as_pointer(ty).is_some() && self.is_null_constant(value);
                if null { NULL } else { ty }
            })
            .collect();
        let key = (name, types);
        if let Some(overload) = self.memory.calls.calls.get(&key) {
            return Some(overload.clone());
        }
        match self.resolve_builtin(name, &key.1) {
            Ok(overload) => {
                let overload = Rc::new(overload);
                self.memory.calls.calls.insert(key, overload.clone());
                Some(overload)
            }
            Err(failure) => {
                // The constant 0 is a null pointer, or the event that is none, where no integer
                // fits; this depends on values, so it is not remembered.
                let mut types = key.1;
                for (ty, &value) in types.iter_mut().zip(values) {
                    if *ty != NULL && self.is_null_constant(value) {
                        *ty = NULL;
                    }
                }
                if let Ok(overload) = self.resolve_builtin(name, &types) {
                    return Some(Rc::new(overload));
                }
                self.report_builtin(name, callee_span, values, failure);
                None
            }
        }
    }

    fn resolve_builtin(&mut self, name: Symbol, types: &[TypeId]) -> Result<Overload, Failure> {
        let arguments: Vec<BuiltinType> =
            types.iter().map(|&ty| self.builtin_type(ty, 0)).collect();
        // From 1.2 on `double` is no extension that a pragma could take away.
        let mut extensions = Cow::Borrowed(&self.extensions);
        if self.options.version >= Version::V1_2 && self.has_double() {
            extensions.to_mut().insert(features::FP64);
        }
        let environment = Environment {
            version: self.options.version,
            extensions: &extensions,
            address_bits: self.options.address_bits,
        };
        let resolved =
            clc_builtins::resolve(self.interner.resolve(name), &arguments, &environment)?;
        let parameters = resolved
            .parameters
            .iter()
            .enumerate()
            .map(|(index, parameter)| {
                if arguments.get(index) == Some(parameter) {
                    return None;
                }
                // A pointer to something without a name there keeps its pointee.
                if let BuiltinType::Pointer { space, .. } = parameter
                    && let Some(&ty) = types.get(index)
                    && ty != NULL
                    && let Some((pointee, _)) = self.module.types.as_pointer(ty)
                {
                    return Some(self.module.types.pointer(pointee, *space));
                }
                self.source_type(parameter)
            })
            .collect();
        let result = self.source_type(&resolved.result).unwrap_or(TypeTable::ERROR);
        Ok(Overload { meaning: resolved.meaning, parameters, result })
    }

    /// A type as the overload engine sees it.
    fn builtin_type(&self, ty: TypeId, depth: u32) -> BuiltinType {
        if ty == NULL {
            return BuiltinType::NullPointer;
        }
        match self.module.types.get(ty) {
            Type::Void => BuiltinType::Void,
            Type::Scalar(scalar) => BuiltinType::Scalar(*scalar),
            Type::Enum(id) => BuiltinType::Scalar(self.module.types.enums[*id].underlying),
            Type::Vector(element, count) => BuiltinType::Vector(*element, *count),
            Type::Pointer { pointee, space } => BuiltinType::Pointer {
                pointee: Box::new(if depth < 4 {
                    self.builtin_type(pointee.ty, depth + 1)
                } else {
                    BuiltinType::Other
                }),
                space: *space,
                is_const: pointee.quals.is_const,
                is_volatile: pointee.quals.is_volatile,
            },
            Type::Image(kind, access) => BuiltinType::Image(*kind, *access),
            Type::Sampler => BuiltinType::Sampler,
            Type::Event => BuiltinType::Event,
            Type::Queue => BuiltinType::Queue,
            Type::ClkEvent => BuiltinType::ClkEvent,
            Type::NdRange => BuiltinType::NdRange,
            Type::ReserveId => BuiltinType::ReserveId,
            Type::Pipe { access, .. } => BuiltinType::Pipe(*access),
            Type::Atomic(scalar) => BuiltinType::Atomic(*scalar),
            Type::AtomicFlag => BuiltinType::AtomicFlag,
            Type::Array { .. }
            | Type::Record(_)
            | Type::Function(_)
            | Type::Block(_)
            | Type::Error => BuiltinType::Other,
        }
    }

    /// A type of the overload engine here; `None` for what only the argument's own type says.
    fn source_type(&mut self, ty: &BuiltinType) -> Option<TypeId> {
        Some(match ty {
            BuiltinType::Void => TypeTable::VOID,
            BuiltinType::Scalar(scalar) => self.module.types.scalar(*scalar),
            BuiltinType::Vector(element, count) => self.module.types.vector(*element, *count),
            BuiltinType::Pointer { pointee, space, is_const, is_volatile } => {
                let pointee = self.source_type(pointee)?;
                let quals = Qualifiers {
                    is_const: *is_const,
                    is_volatile: *is_volatile,
                    is_restrict: false,
                };
                self.module.types.pointer(QualType { ty: pointee, quals }, *space)
            }
            BuiltinType::Atomic(scalar) => self.module.types.intern(Type::Atomic(*scalar)),
            BuiltinType::AtomicFlag => self.module.types.intern(Type::AtomicFlag),
            BuiltinType::Image(kind, access) => {
                self.module.types.intern(Type::Image(*kind, *access))
            }
            BuiltinType::Sampler => TypeTable::SAMPLER,
            BuiltinType::Event => TypeTable::EVENT,
            BuiltinType::Queue => self.module.types.intern(Type::Queue),
            BuiltinType::ClkEvent => self.module.types.intern(Type::ClkEvent),
            BuiltinType::NdRange => self.module.types.intern(Type::NdRange),
            BuiltinType::ReserveId => self.module.types.intern(Type::ReserveId),
            BuiltinType::Pipe(_) | BuiltinType::NullPointer | BuiltinType::Other => return None,
        })
    }

    fn report_builtin(
        &mut self,
        name: Symbol,
        callee_span: Span,
        values: &[hir::ExprId],
        failure: Failure,
    ) {
        let text = self.interner.resolve(name);
        let diagnostic = match failure {
            Failure::Missing { since, extension } => {
                let version = self.options.version;
                let message = match (since, extension) {
                    (Some(since), _) if since > version => format!(
                        "`{text}` exists only from OpenCL C {since} on; this is OpenCL C {version}"
                    ),
                    (_, Some(extension)) => format!("`{text}` needs `{}`", extension.name()),
                    _ => format!("`{text}` does not exist in OpenCL C {version}"),
                };
                let mut diagnostic = Diagnostic::new(&E0502, callee_span, message);
                if let Some(since) = since
                    && since > version
                {
                    diagnostic = diagnostic.help(format!("compile with `-cl-std=CL{since}`"));
                }
                if let Some(extension) = extension {
                    let extension = extension.name();
                    diagnostic = diagnostic.help(if extension.starts_with("cl_") {
                        format!("write `#pragma OPENCL EXTENSION {extension} : enable`")
                    } else {
                        format!("the feature `{extension}` is not available for this target")
                    });
                }
                diagnostic
            }
            Failure::Ambiguous { candidates } => {
                let message = format!("the call of `{text}` is ambiguous");
                let mut diagnostic = Diagnostic::new(&E0503, callee_span, message)
                    .note("several overloads fit equally well");
                for candidate in candidates.into_iter().take(4) {
                    diagnostic = diagnostic.note(format!("candidate: `{candidate}`"));
                }
                diagnostic.help("cast an argument to the type that is meant")
            }
            Failure::NoMatch { candidates } => {
                let types: Vec<String> =
                    values.iter().map(|&value| self.type_text(self.ty(value))).collect();
                let message = format!("no overload of `{text}` takes ({})", types.join(", "));
                let mut diagnostic = Diagnostic::new(&E0501, callee_span, message);
                for (&value, ty) in values.iter().zip(types) {
                    diagnostic = diagnostic.label(self.span(value), format!("this is `{ty}`"));
                }
                for (candidate, reason) in candidates.into_iter().take(4) {
                    diagnostic = diagnostic.note(format!("candidate `{candidate}`: {reason}"));
                }
                diagnostic
            }
        };
        self.report(diagnostic);
    }

    /// Compiler builtins that are constants: `__builtin_inff()` and its kin.
    fn builtin_constant(
        &mut self,
        name: Symbol,
        arguments: &[ast::ExprId],
        span: Span,
    ) -> Option<hir::ExprId> {
        let (ty, bits) = match (self.interner.resolve(name), arguments.len()) {
            ("__builtin_inff" | "__builtin_huge_valf", 0) => {
                (TypeTable::FLOAT, u64::from(f32::INFINITY.to_bits()))
            }
            ("__builtin_inf" | "__builtin_huge_val", 0) => {
                (TypeTable::DOUBLE, f64::INFINITY.to_bits())
            }
            ("__builtin_nanf", 1) => (TypeTable::FLOAT, 0x7fc0_0000),
            ("__builtin_nan", 1) => (TypeTable::DOUBLE, 0x7ff8_0000_0000_0000),
            ("__builtin_constant_p", 1) => {
                let value = self.value(arguments[0]);
                (TypeTable::INT, u64::from(self.as_constant(value).is_some()))
            }
            _ => return None,
        };
        Some(self.push_expr(ExprKind::Constant(bits), ty, span))
    }
}
