//! Initialisers (C99 6.7.8).
//!
//! A list is first sorted into a tree ([`Init`]) that has one leaf for each converted expression;
//! brace elision, designators and overriding happen there. The tree then becomes either a
//! constant or an [`ExprKind::Aggregate`] ([`values`]).

mod designators;
mod samplers;
mod tree;
mod values;

use clc_base::diagnostic::counted;
use clc_base::{Diagnostic, Span};
use clc_syntax::ast::{self, ExprKind as AstExpr, Initializer, InitializerItem};

use self::designators::designator_span;
use self::tree::{Init, Items, Shape};
use crate::context::{ConversionContext, Sema};
use crate::diagnostics::declarations as codes;
use crate::hir::{Constant, ExprId, ExprKind};
use crate::types::{QualType, Scalar, Type, TypeId, TypeTable};

impl<'a> Sema<'a> {
    /// A brace-enclosed list as a value of type `ty`. The type of the returned expression is `ty`
    /// unqualified, with the length filled in if `ty` is an array of unknown length. With
    /// `constant`, elements must be constant expressions and the result is a constant.
    pub fn initializer_list(
        &mut self,
        ty: QualType,
        list: &'a ast::InitializerList,
        constant: bool,
    ) -> ExprId {
        let mut init = Init::Empty;
        let len = self.braced(ty.ty, list, &mut init);
        let ty = self.completed(ty.ty, len);
        if constant {
            return match self.constant_of(init, ty, Some("an initializer")) {
                Some(constant) => self.constant_expr(constant, ty, list.span),
                None => self.error_expr(list.span),
            };
        }
        self.value_of(init, ty, list.span)
    }

    /// The initialiser of an automatic variable, as a value of its type (completed, if an array
    /// of unknown length).
    pub(crate) fn initializer(&mut self, ty: QualType, initializer: &'a Initializer) -> ExprId {
        match initializer {
            Initializer::List(list) => self.initializer_list(ty, list, false),
            Initializer::Expr(e) => {
                let span = self.ast.exprs[*e].span;
                if let Some((element, len)) = self.as_array(ty.ty) {
                    let mut init = Init::Empty;
                    return match self.array_from_expr(element, len, *e, &mut init) {
                        Some(len) => {
                            let ty = self.completed(ty.ty, len);
                            self.value_of(init, ty, span)
                        }
                        None => self.error_expr(span),
                    };
                }
                self.scalar_initializer(*e, ty.ty)
            }
        }
    }

    /// The initialiser of a variable of static storage duration: the completed type, and the
    /// constant unless there was an error.
    pub(crate) fn static_initializer(
        &mut self,
        ty: QualType,
        initializer: &'a Initializer,
        what: &str,
    ) -> (TypeId, Option<Constant>) {
        let mut init = Init::Empty;
        let len = match initializer {
            Initializer::List(list) => self.braced(ty.ty, list, &mut init),
            Initializer::Expr(e) => match self.as_array(ty.ty) {
                Some((element, len)) => match self.array_from_expr(element, len, *e, &mut init) {
                    Some(len) => len,
                    None => return (TypeTable::ERROR, None),
                },
                None => {
                    init = Init::Value(self.scalar_initializer(*e, ty.ty));
                    0
                }
            },
        };
        let ty = self.completed(ty.ty, len);
        (ty, self.constant_of(init, ty, Some(what)))
    }

    fn as_array(&self, ty: TypeId) -> Option<(TypeId, Option<u64>)> {
        match self.module.types.get(ty) {
            Type::Array { element, len } => Some((element.ty, *len)),
            _ => None,
        }
    }

    /// An array of unknown length gets its length from the initialiser.
    fn completed(&mut self, ty: TypeId, len: u64) -> TypeId {
        match *self.module.types.get(ty) {
            Type::Array { element, len: None } => {
                self.module.types.intern(Type::Array { element, len: Some(len) })
            }
            _ => ty,
        }
    }

    /// An array initialised by one expression: a string literal, or a mistake. Returns the length.
    fn array_from_expr(
        &mut self,
        element: TypeId,
        len: Option<u64>,
        e: ast::ExprId,
        init: &mut Init,
    ) -> Option<u64> {
        if let Some(len) = self.string_initializer(element, len, e, init) {
            return Some(len);
        }
        // GNU: an array may be initialised by a compound literal of its type.
        if let AstExpr::CompoundLiteral { initializer, .. } = &self.ast.exprs[self.unparen(e)].kind
        {
            let element = QualType::unqualified(element);
            let ty = self.module.types.intern(Type::Array { element, len });
            return Some(self.braced(ty, initializer, init));
        }
        let value = self.value(e);
        if !self.module.types.is_error(self.module.exprs[value].ty.ty) {
            let text = self.type_text(self.module.exprs[value].ty.ty);
            let span = self.ast.exprs[e].span;
            self.report(
                Diagnostic::new(
                    &codes::E0216,
                    span,
                    format!("an array cannot be initialized with a value of type `{text}`"),
                )
                .at("a list or a string is needed")
                .help("write a list in braces"),
            );
        }
        None
    }

    fn unparen(&self, mut e: ast::ExprId) -> ast::ExprId {
        while let AstExpr::Paren(inner) = self.ast.exprs[e].kind {
            e = inner;
        }
        e
    }

    /// A string literal that initialises an array of characters (C99 6.7.8 paragraph 14); returns
    /// the length of the array.
    fn string_initializer(
        &mut self,
        element: TypeId,
        len: Option<u64>,
        e: ast::ExprId,
        init: &mut Init,
    ) -> Option<u64> {
        if !matches!(element, TypeTable::CHAR | TypeTable::UCHAR) {
            return None;
        }
        let ast = self.ast;
        let literal = &ast.exprs[self.unparen(e)];
        let AstExpr::String(pieces) = &literal.kind else { return None };
        let mut bytes = self.string_bytes(pieces, literal.span);
        let len = len.unwrap_or(bytes.len() as u64 + 1);
        if bytes.len() as u64 > len {
            let message = format!("this string has {} characters, the array {len}", bytes.len());
            self.report(
                Diagnostic::new(&codes::W0205, literal.span, message)
                    .at(counted(bytes.len(), "character")),
            );
            bytes.truncate(len as usize);
        }
        *init = Init::Bytes(bytes);
        Some(len)
    }

    fn shape(&self, ty: TypeId) -> Shape {
        match self.module.types.get(ty) {
            Type::Array { len, .. } => Shape::Aggregate(len.unwrap_or(u64::MAX)),
            Type::Record(id) => match &self.module.types.records[*id].body {
                Some(_) if self.module.types.records[*id].is_union => Shape::Aggregate(1),
                Some(body) => Shape::Aggregate(body.fields.len() as u64),
                None => Shape::Single,
            },
            Type::Vector(element, count) => Shape::Vector(*element, *count),
            _ => Shape::Single,
        }
    }

    /// The type of part `index` of an aggregate.
    fn part_type(&self, ty: TypeId, index: u64) -> TypeId {
        match self.module.types.get(ty) {
            Type::Array { element, .. } => element.ty,
            Type::Record(id) => self.module.types.records[*id]
                .body
                .as_ref()
                .and_then(|body| body.fields.get(usize::try_from(index).ok()?))
                .map_or(TypeTable::ERROR, |field| field.ty.ty),
            _ => TypeTable::ERROR,
        }
    }

    /// A list in braces for an object of type `ty`; returns the number of parts that it reaches.
    fn braced(&mut self, ty: TypeId, list: &'a ast::InitializerList, init: &mut Init) -> u64 {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.braced_inner(ty, list, init))
    }

    fn braced_inner(&mut self, ty: TypeId, list: &'a ast::InitializerList, init: &mut Init) -> u64 {
        *init = Init::Empty;
        let mut items = Items { list: &list.items, next: 0, pending: None };
        if let [InitializerItem { designators, value: Initializer::Expr(e) }] = items.list
            && designators.is_empty()
            && let Some((element, len)) = self.as_array(ty)
            && let Some(len) = self.string_initializer(element, len, *e, init)
        {
            return len;
        }
        match self.shape(ty) {
            Shape::Single => {
                self.braced_scalar(ty, list, init);
                return 1;
            }
            Shape::Vector(element, count) => {
                self.vector(ty, element, count, &mut items, init);
                if let Some(item) = items.peek() {
                    let text = self.type_text(ty);
                    let span = self.item_span(item);
                    self.report(
                        Diagnostic::new(
                            &codes::E0216,
                            span,
                            format!("the list has more values than `{text}` has components"),
                        )
                        .at("the first value too many"),
                    );
                }
                return 1;
            }
            Shape::Aggregate(_) => {}
        }
        let Shape::Aggregate(count) = self.shape(ty) else { return 1 };
        let (mut index, mut reached) = (0u64, 0u64);
        while let Some(item) = items.peek() {
            if let Some((first, rest)) = item.designators.split_first() {
                match self.designated(ty, first, rest, &mut items, init) {
                    Some(last) => index = last + 1,
                    None => items.advance(),
                }
            } else {
                if index >= count {
                    self.excess(&items, list.span);
                    break;
                }
                let part = self.part_type(ty, index);
                let slot = self.slot(init, ty, index);
                self.part(part, &mut items, slot);
                index += 1;
            }
            reached = reached.max(index);
        }
        reached
    }

    fn braced_scalar(&mut self, ty: TypeId, list: &'a ast::InitializerList, init: &mut Init) {
        let Some((first, rest)) = list.items.split_first() else {
            // `{}`: zero (GNU, C23).
            return;
        };
        if let Some(designator) = first.designators.first() {
            let span = designator_span(designator);
            if !self.module.types.is_error(ty) {
                let text = self.type_text(ty);
                self.report(
                    Diagnostic::new(
                        &codes::E0216,
                        span,
                        format!("a designator needs an array, struct or union; this is `{text}`"),
                    )
                    .at("names a part of one value"),
                );
            }
            return;
        }
        match &first.value {
            Initializer::List(inner) => {
                self.braced(ty, inner, init);
            }
            Initializer::Expr(e) => *init = Init::Value(self.scalar_initializer(*e, ty)),
        }
        if let Some(item) = rest.first() {
            let span = self.item_span(item);
            self.report(
                Diagnostic::new(
                    &codes::W0205,
                    span,
                    "more than one value for one object; the rest is ignored",
                )
                .at("the first value too many"),
            );
        }
    }

    fn item_span(&self, item: &InitializerItem) -> Span {
        match &item.value {
            Initializer::Expr(e) => self.ast.exprs[*e].span,
            Initializer::List(list) => list.span,
        }
    }

    fn excess(&mut self, items: &Items<'a>, list: Span) {
        let Some(item) = items.peek() else { return };
        let span = self.item_span(item);
        self.report(
            Diagnostic::new(
                &codes::W0205,
                span,
                "the list has more values than the object has room for",
            )
            .at("the first value too many")
            .label(list, "the rest of this list is ignored"),
        );
    }

    /// The entry of part `index` in `init`, which becomes a list of parts if it isn't one.
    fn slot<'i>(&mut self, init: &'i mut Init, ty: TypeId, index: u64) -> &'i mut Init {
        if !matches!(init, Init::Parts(_)) {
            *init = match std::mem::replace(init, Init::Empty) {
                // A designator changes one character of a string.
                Init::Bytes(bytes) => {
                    let element = self.part_type(ty, 0);
                    let parts = bytes.iter().enumerate().map(|(index, &byte)| {
                        let value = self.push_expr(
                            ExprKind::Constant(u64::from(byte)),
                            element,
                            Span::NONE,
                        );
                        (index as u64, Init::Value(value))
                    });
                    Init::Parts(parts.collect())
                }
                // A designator overrides part of a whole value: what was there is gone, which
                // C99 6.7.8 paragraph 19 leaves to later initialisers.
                Init::Empty | Init::Value(_) | Init::Components(_) | Init::Parts(_) => {
                    Init::Parts(Vec::new())
                }
            };
        }
        let is_union = matches!(self.module.types.get(ty),
            Type::Record(id) if self.module.types.records[*id].is_union);
        let Init::Parts(parts) = init else { unreachable!("made a list of parts above") };
        if is_union {
            // The last field that is initialised is the one that counts.
            parts.retain(|&(at, _)| at == index);
        }
        let at = match parts.last() {
            Some(&(last, _)) if last < index => Err(parts.len()),
            None => Err(0),
            Some(_) => parts.binary_search_by_key(&index, |&(at, _)| at),
        };
        let at = at.unwrap_or_else(|at| {
            parts.insert(at, (index, Init::Empty));
            at
        });
        &mut parts[at].1
    }

    /// Takes the items that initialise one object of type `ty`: at least one.
    fn part(&mut self, ty: TypeId, items: &mut Items<'a>, slot: &mut Init) {
        // Brace elision recurses as deep as types nest.
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.part_inner(ty, items, slot));
    }

    fn part_inner(&mut self, ty: TypeId, items: &mut Items<'a>, slot: &mut Init) {
        let Some(item) = items.peek() else { return };
        let e = match &item.value {
            Initializer::List(list) => {
                self.braced(ty, list, slot);
                items.advance();
                return;
            }
            Initializer::Expr(e) => *e,
        };
        let shape = self.shape(ty);
        // A vector is no aggregate (C99 6.2.5 paragraph 21): without braces it takes one value, as an assignment
        // does (6.7.8 paragraph 11), which widens scalars.
        if let Shape::Single | Shape::Vector(..) = shape {
            *slot = match items.pending {
                Some(value) => Init::Value(self.converted(value, ty)),
                None => Init::Value(self.scalar_initializer(e, ty)),
            };
            items.advance();
            return;
        }
        if items.pending.is_none()
            && let Some((element, len)) = self.as_array(ty)
            && self.string_initializer(element, len, e, slot).is_some()
        {
            items.advance();
            return;
        }
        let value = match items.pending {
            Some(value) => value,
            None => self.value(e),
        };
        let value_ty = self.module.exprs[value].ty.ty;
        if value_ty == ty || self.module.types.is_error(value_ty) {
            *slot = Init::Value(value);
            items.advance();
            return;
        }
        items.pending = Some(value);
        if let Shape::Aggregate(count) = shape {
            self.elided(ty, 0, count, items, slot);
        }
    }

    /// An aggregate without braces takes items from the list around it (C99 6.7.8 paragraph 20).
    fn elided(
        &mut self,
        ty: TypeId,
        start: u64,
        count: u64,
        items: &mut Items<'a>,
        init: &mut Init,
    ) {
        if count == 0 {
            // Nothing to take: what is there is one too many.
            items.advance();
            return;
        }
        let mut index = start;
        while index < count && items.peek().is_some() && items.continues() {
            let part = self.part_type(ty, index);
            let slot = self.slot(init, ty, index);
            self.part(part, items, slot);
            index += 1;
        }
    }

    /// The components of a vector in braces: scalars and shorter vectors until it is full.
    fn vector(
        &mut self,
        ty: TypeId,
        element: Scalar,
        count: u8,
        items: &mut Items<'a>,
        init: &mut Init,
    ) {
        let element_ty = self.module.types.scalar(element);
        let mut parts = Vec::new();
        let mut filled = 0u8;
        while filled < count
            && let Some(item) = items.peek()
            && items.continues()
        {
            let (value, span) = match &item.value {
                Initializer::Expr(e) => (self.value(*e), self.ast.exprs[*e].span),
                Initializer::List(list) => {
                    let mut inner = Init::Empty;
                    self.braced(element_ty, list, &mut inner);
                    (self.value_of(inner, element_ty, list.span), list.span)
                }
            };
            items.advance();
            let value_ty = self.module.exprs[value].ty.ty;
            match *self.module.types.get(value_ty) {
                Type::Vector(from, n) if n == count && parts.is_empty() && from == element => {
                    *init = Init::Value(value);
                    return;
                }
                Type::Vector(from, n) => {
                    if from != element || filled + n > count {
                        let (text, inner) = (self.type_text(ty), self.type_text(value_ty));
                        self.report(
                            Diagnostic::new(
                                &codes::E0216,
                                span,
                                format!("`{inner}` does not fit into the rest of `{text}`"),
                            )
                            .at(if from != element {
                                format!("its components are `{}`", from.name())
                            } else {
                                format!("{n} components where {} are left", count - filled)
                            }),
                        );
                        *init = Init::Value(self.error_expr(span));
                        return;
                    }
                    filled += n;
                    parts.push(value);
                }
                _ => {
                    let value = self.converted(value, element_ty);
                    filled += 1;
                    parts.push(value);
                }
            }
        }
        if filled == 0 && items.peek().is_some_and(|item| !item.designators.is_empty()) {
            if let Some(designator) = items.peek().and_then(|item| item.designators.first()) {
                self.report(
                    Diagnostic::new(
                        &codes::E0216,
                        designator_span(designator),
                        "the components of a vector have no designators",
                    )
                    .at("names a component")
                    .help("list the components in order"),
                );
            }
            items.next = items.list.len();
        }
        if 0 < filled && filled < count {
            let text = self.type_text(ty);
            let span = parts.first().map_or(Span::NONE, |&part| self.module.exprs[part].span);
            self.report(
                Diagnostic::new(
                    &codes::W0209,
                    span,
                    format!("`{text}` has {count} components; the list has {filled}"),
                )
                .at(format!("only {}", counted(filled.into(), "component")))
                .note("the others are zero; other compilers refuse this"),
            );
        }
        while filled < count && filled > 0 {
            parts.push(self.push_expr(ExprKind::Constant(0), element_ty, Span::NONE));
            filled += 1;
        }
        *init = if parts.is_empty() { Init::Empty } else { Init::Components(parts) };
    }

    /// The value of an expression that initialises one object that has no parts.
    fn scalar_initializer(&mut self, e: ast::ExprId, ty: TypeId) -> ExprId {
        let value = self.value(e);
        self.converted(value, ty)
    }

    /// Conversion as if by assignment, with the special cases of initialisation.
    fn converted(&mut self, value: ExprId, ty: TypeId) -> ExprId {
        match *self.module.types.get(ty) {
            Type::Sampler => self.sampler_value(value),
            // `ATOMIC_VAR_INIT(x)`: initialisation is not an atomic operation.
            Type::Atomic(scalar) if self.module.exprs[value].ty.ty != ty => {
                let scalar = self.module.types.scalar(scalar);
                let value = self.implicit_convert(value, scalar, ConversionContext::Initialization);
                let span = self.module.exprs[value].span;
                self.push_expr(ExprKind::Reinterpret(value), ty, span)
            }
            // `ATOMIC_FLAG_INIT`.
            Type::AtomicFlag if self.module.exprs[value].ty.ty != ty => {
                let value =
                    self.implicit_convert(value, TypeTable::INT, ConversionContext::Initialization);
                let span = self.module.exprs[value].span;
                self.push_expr(ExprKind::Reinterpret(value), ty, span)
            }
            _ => self.implicit_convert(value, ty, ConversionContext::Initialization),
        }
    }
}
