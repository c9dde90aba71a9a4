//! Calls of the functions of the language (OpenCL C 6.15).

use std::borrow::Cow;
use std::rc::Rc;

use clc_base::{AddressSpace, Diagnostic, Span, Symbol, Version};
use clc_builtins::resolve::Meaning;
use clc_builtins::types::{Environment, Scalar};
use clc_builtins::{BuiltinType, Extension, ExtensionSet, Failure, Intrinsic, features};
use clc_syntax::ast;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::context::{ConversionContext, Sema};
use crate::diagnostics::builtins::*;
use crate::folding;
use crate::hir::{self, ExprKind};
use crate::types::{QualType, Qualifiers, Type, TypeId, TypeTable};

type ArgumentTypes = SmallVec<[TypeId; 8]>;

/// Stands for the null pointer constant among the types of arguments.
const NULL: TypeId = TypeId(u32::MAX);

/// What is known about names and calls of builtins. A program names few builtins and calls them
/// often, mostly with the same types.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    names: FxHashMap<Symbol, Option<Builtin>>,
    /// Functions that the version of the language has not are taken, for a moment.
    any_version: bool,
    calls: FxHashMap<(Symbol, ArgumentTypes), Rc<Overload>>,
    /// The extensions that `calls` was filled under.
    extensions: ExtensionSet,
}

/// What kind of builtin a name is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Builtin {
    Plain,
    /// `to_global` and the like.
    ToSpace(AddressSpace),
}

/// A chosen overload, in the types of this analysis.
#[derive(Debug)]
struct Overload {
    meaning: Meaning,
    /// `None` for an argument that is passed as it is.
    parameters: Box<[Option<TypeId>]>,
    result: TypeId,
    is_exact: bool,
}

impl Sema<'_> {
    pub(crate) fn builtin_kind(&mut self, name: Symbol) -> Option<Builtin> {
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

    /// [`Sema::builtin_call`] of a function that exists by another name where the version of the language does not
    /// have it.
    pub(crate) fn builtin_call_of_any_version(
        &mut self,
        name: Symbol,
        callee_span: Span,
        values: &[hir::ExprId],
        span: Span,
    ) -> hir::ExprId {
        self.memory.calls.any_version = true;
        let call = self.builtin_call(name, callee_span, values, span);
        self.memory.calls.any_version = false;
        call
    }

    pub(crate) fn builtin_call(
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
        // Where arguments are missing, they are shown to be.
        let is_behind = callee_span.lo >= span.lo && callee_span.hi < span.hi;
        let missing = match values {
            [] if is_behind => Span::new(callee_span.hi, span.hi),
            _ => callee_span,
        };
        let Some(overload) = self.builtin_overload(name, callee_span, missing, values) else {
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
        if let Meaning::Intrinsic(Intrinsic::Matrix(op)) = overload.meaning {
            let call = self.matrix_call(op, name, arguments, span);
            return call.unwrap_or_else(|| self.error_expr(span));
        }
        let result = overload.result;
        if let Type::Vector(Scalar::Half, _) = self.module.types.get(result)
            && !self.has_half()
        {
            // The program may come without naming the type.
            self.miss_half(&self.type_text(result), callee_span);
        }
        if result == TypeTable::ERROR {
            // Only the argument's type could say what comes out, and a null pointer has none.
            let text = self.interner.resolve(name);
            let message = format!("`{text}` needs a pointer to something, not null");
            self.report(
                Diagnostic::new(&E0501, callee_span, message).at("what null points to has no type"),
            );
            return self.error_expr(span);
        }
        match (overload.meaning, &arguments[..]) {
            (Meaning::Convert { rounding, saturate }, &[operand]) => {
                self.explicit_numeric(operand, result, rounding, saturate, span)
            }
            (Meaning::Reinterpret, &[operand]) => self.reinterpret(operand, result, span),
            (Meaning::Intrinsic(intrinsic), _) => {
                if intrinsic == Intrinsic::Printf {
                    self.check_printf(values, span);
                }
                let Some(arguments) = self.completed_arguments(intrinsic, name, values, arguments)
                else {
                    return self.error_expr(span);
                };
                self.push_expr(
                    ExprKind::Intrinsic { intrinsic, arguments: arguments.into() },
                    result,
                    span,
                )
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
        missing: Span,
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
        let any_version = self.memory.calls.any_version;
        if let Some(overload) = self.memory.calls.calls.get(&key) {
            return Some(overload.clone());
        }
        match self.resolve_builtin(name, &key.1) {
            Ok(overload) => {
                let overload = Rc::new(overload);
                // The function's own name may not exist.
                if !any_version {
                    self.memory.calls.calls.insert(key, overload.clone());
                }
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
                if let Some(overload) = self.overload_without_const(name, &types) {
                    return Some(Rc::new(overload));
                }
                let is_mismatch = matches!(failure, Failure::NoMatch { .. });
                let span = if is_mismatch { missing } else { callee_span };
                self.report_builtin(name, span, values, failure);
                None
            }
        }
    }

    /// What fits once pointers to `const` objects point to others. C compilers take such arguments with
    /// a warning, which their conversion gives (C99 6.5.16.1 forbids them), and programs rely on that.
    /// But for functions of any type, atomic objects and pipes, whose arguments nothing converts.
    fn overload_without_const(&mut self, name: Symbol, types: &[TypeId]) -> Option<Overload> {
        let is_pipe = |&ty: &TypeId| matches!(self.module.types.get(ty), Type::Pipe { .. });
        if types.iter().filter(|&&ty| ty != NULL).any(is_pipe) {
            return None;
        }
        let mut others = ArgumentTypes::from_slice(types);
        for ty in &mut others {
            if *ty != NULL
                && let Some((mut pointee, space)) = self.module.types.as_pointer(*ty)
                && space != AddressSpace::Constant
                && self.module.types.as_arithmetic(pointee.ty).is_some()
            {
                pointee.quals.is_const = false;
                *ty = self.module.types.pointer(pointee, space);
            }
        }
        if others[..] == *types {
            return None;
        }
        let mut overload = self.resolve_builtin(name, &others).ok()?;
        // Only what has to change does.
        for index in 0..others.len() {
            let changed = std::mem::replace(&mut others[index], types[index]);
            match self.resolve_builtin(name, &others) {
                Ok(same) => overload = same,
                Err(_) => others[index] = changed,
            }
        }
        for (parameter, (&other, &ty)) in
            overload.parameters.iter_mut().zip(others.iter().zip(types))
        {
            if other != ty {
                parameter.get_or_insert(other);
            }
        }
        Some(overload)
    }

    /// Whether a function takes vectors of `half`, loads or stores them, or makes them of others.
    fn is_about_half_vectors(&self, name: Symbol, arguments: &[BuiltinType]) -> bool {
        let text = self.interner.resolve(name);
        let is_half = |ty: &BuiltinType| matches!(ty, BuiltinType::Vector(Scalar::Half, _));
        let has_half = |argument: &BuiltinType| match argument {
            BuiltinType::Pointer { pointee, .. } => {
                is_half(pointee)
                    || text.starts_with("vload") && **pointee == BuiltinType::Scalar(Scalar::Half)
            }
            argument => is_half(argument),
        };
        let made = text.strip_prefix("convert_half").or_else(|| text.strip_prefix("as_half"));
        made.is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_digit()))
            || text == "read_imageh"
            || arguments.iter().any(has_half)
    }

    fn resolve_builtin(&mut self, name: Symbol, types: &[TypeId]) -> Result<Overload, Failure> {
        let arguments: Vec<BuiltinType> =
            types.iter().map(|&ty| self.builtin_type(ty, 0)).collect();
        // From 1.2 on `double` is no extension that a pragma could take away.
        let mut extensions = Cow::Borrowed(&self.extensions);
        if self.options.version >= Version::V1_2 && self.has_double() {
            extensions.to_mut().insert(features::FP64);
        }
        // Vectors of `half` are taken where nothing enables them, and are computed with by the same functions.
        if !self.has_half()
            && self.options.extensions.contains(features::FP16)
            && self.is_about_half_vectors(name, &arguments)
        {
            extensions.to_mut().insert(features::FP16);
        }
        let environment = Environment {
            version: match self.memory.calls.any_version {
                true => self.options.version.max(Version::V2_0),
                false => self.options.version,
            },
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
        Ok(Overload { meaning: resolved.meaning, parameters, result, is_exact: resolved.is_exact })
    }

    /// Whether a builtin has an overload of exactly this type.
    pub(crate) fn is_overload_of_builtin(&mut self, name: Symbol, ty: TypeId) -> bool {
        let Type::Function(function) = self.module.types.get(ty).clone() else { return false };
        self.resolve_builtin(name, &function.params)
            .is_ok_and(|overload| overload.is_exact && overload.result == function.result)
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
            Type::Array { .. } | Type::Record(_) | Type::Function(_) | Type::Error => {
                BuiltinType::Other
            }
            Type::Matrix(_) | Type::MatrixOfContext => BuiltinType::Matrix,
            Type::Block(_) => BuiltinType::Block,
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
            BuiltinType::Pipe(_)
            | BuiltinType::Matrix
            | BuiltinType::Block
            | BuiltinType::NullPointer
            | BuiltinType::Other => return None,
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
            Failure::Missing { form, since, missing, needs, ways } => {
                let text = form.as_deref().unwrap_or(text);
                let diagnostic = self.missing_builtin(text, callee_span, since, &missing, needs);
                match ways.len() {
                    0 | 1 => diagnostic,
                    _ => diagnostic.note(format!("{} brings it", ways.join(" or "))),
                }
            }
            Failure::Ambiguous { candidates } => {
                let types: Vec<String> =
                    values.iter().map(|&value| self.type_text(self.ty(value))).collect();
                let types = types.join(", ");
                let message = format!("the call of `{text}` is ambiguous");
                let mut diagnostic = Diagnostic::new(&E0503, callee_span, message)
                    .at(format!("called with ({types})"))
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
                let mut diagnostic =
                    Diagnostic::new(&E0501, callee_span, message).at(match candidates.len() {
                        1 => "its one form does not fit".to_owned(),
                        count => format!("none of its {count} forms fits"),
                    });
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

    /// The error of a builtin, by name or declaration, that a later version or extensions would bring: of those it
    /// needs, some are missing.
    fn missing_builtin(
        &self,
        text: &str,
        callee_span: Span,
        since: Option<Version>,
        missing: &[Extension],
        needs: &[Extension],
    ) -> Diagnostic {
        let version = self.options.version;
        let since = since.filter(|&since| since > version);
        let names: Vec<String> = missing.iter().map(|it| format!("`{}`", it.name())).collect();
        let names = names.join(" and ");
        let (message, label) = match since {
            Some(since) if missing.iter().any(|extension| extension.since() > version) => {
                let come = if missing.len() == 1 { "comes" } else { "come" };
                (
                    format!(
                        "`{text}` needs {names}, which {come} with OpenCL C {since}; this is OpenCL C {version}"
                    ),
                    format!("not in OpenCL C {version}"),
                )
            }
            Some(since) => (
                format!(
                    "`{text}` exists only from OpenCL C {since} on; this is OpenCL C {version}"
                ),
                format!("unknown to OpenCL C {version}"),
            ),
            None if missing.is_empty() => (
                format!("`{text}` does not exist in OpenCL C {version}"),
                "gone from this version".to_owned(),
            ),
            None => (format!("`{text}` needs {names}"), "not enabled here".to_owned()),
        };
        let mut diagnostic = Diagnostic::new(&E0502, callee_span, message).at(label);
        if let Some(since) = since {
            diagnostic = diagnostic.help(format!("compile with `-cl-std=CL{since}`"));
        }
        let (disabled, absent): (Vec<Extension>, Vec<Extension>) =
            missing.iter().partition(|&&extension| self.options.extensions.contains(extension));
        for extension in disabled {
            let name = extension.name();
            diagnostic =
                diagnostic.help(format!("write `#pragma OPENCL EXTENSION {name} : enable`"));
        }
        if !absent.is_empty() && since.is_none() {
            // All of them, so that the option may take the place of one that named some.
            let all: Vec<String> = needs.iter().map(|it| format!("+{}", it.name())).collect();
            let them = if absent.len() == 1 { "it" } else { "them" };
            diagnostic = diagnostic.help(format!(
                "the target does not have {them}; `-cl-ext={}` says that a device does",
                all.join(",")
            ));
        }
        diagnostic
    }

    /// Compiler builtins that are constants: `__builtin_inff()` and the like.
    pub(crate) fn builtin_constant(
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
