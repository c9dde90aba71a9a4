//! Structs, unions and enums (C99 6.7.2.1 to 6.7.2.3).

use clc_base::{Diagnostic, Span, Symbol};
use clc_syntax::ast::{EnumSpecifier, MemberDeclaration, RecordKind, RecordSpecifier};
use rustc_hash::FxHashMap;

use crate::context::{Entity, Sema};
use crate::declarators::Usage;
use crate::diagnostics::{address_spaces, declarations, types};
use crate::index;
use crate::layout::{self, FieldLayout, RecordLayout};
use crate::scopes::Binding;
use crate::types::{Enum, Field, Record, RecordId, Scalar, Type, TypeId, TypeTable};

impl<'a> Sema<'a> {
    /// `struct s { … }`, `struct s`, `union …`.
    pub(crate) fn record_specifier(
        &mut self,
        specifier: &'a RecordSpecifier,
        span: Span,
    ) -> TypeId {
        let is_union = specifier.kind == RecordKind::Union;
        let (ty, id) = match specifier.tag {
            Some((tag, tag_span)) => match self.find_tag(tag, specifier.members.is_some()) {
                Some((ty, declared)) => match *self.module.types.get(ty) {
                    Type::Record(id) if self.module.types.records[id].is_union == is_union => {
                        (ty, id)
                    }
                    _ => {
                        self.tag_mismatch(ty, tag_span, declared);
                        return TypeTable::ERROR;
                    }
                },
                None => {
                    let (ty, id) = self.new_record(is_union, Some(tag), tag_span);
                    self.scopes.declare_tag(tag, ty, tag_span);
                    (ty, id)
                }
            },
            None => self.new_record(is_union, None, span),
        };
        if let Some((_, tag_span)) = specifier.tag {
            self.index_name(tag_span, index::Entity::Tag(ty), specifier.members.is_some());
        }
        let Some(members) = &specifier.members else { return ty };
        if self.module.types.records[id].body.is_some() || self.declared.open_records.contains(&id)
        {
            let text = self.type_text(ty);
            let first = self.module.types.records[id].span;
            self.report(
                Diagnostic::new(&declarations::E0201, span, format!("`{text}` is defined twice"))
                    .at("the second definition")
                    .label(first, "first defined here"),
            );
            return ty;
        }
        if let Some((_, tag_span)) = specifier.tag {
            self.module.types.records[id].span = tag_span;
        }
        self.declared.open_records.push(id);
        let mut layout = RecordLayout { is_union, ..RecordLayout::default() };
        for attribute in &specifier.attributes {
            if let Some(field) = self.layout_attribute(attribute) {
                layout.packed |= field.packed;
                layout.align = layout.align.max(field.align);
            }
        }
        let (fields, attributes) = self.members(members);
        if fields.is_empty() && !members.iter().any(|member| !member.declarators.is_empty()) {
            self.report(
                Diagnostic::new(
                    &declarations::W0211,
                    span,
                    "a struct or union without members is a GNU extension",
                )
                .at("no members, size 0"),
            );
        }
        let body = layout::lay_out(&self.module.types, fields, &attributes, layout);
        if body.is_none() {
            let text = self.type_text(ty);
            self.report(
                Diagnostic::new(
                    &types::E0307,
                    span,
                    format!("`{text}` is larger than an object can be"),
                )
                .at(format!(
                    "its members take more than {} bytes",
                    layout::largest_object(&self.module.types)
                )),
            );
        }
        self.declared.open_records.pop();
        self.module.types.records[id].body = body;
        self.index_members(id, members);
        ty
    }

    /// The type a tag denotes; when it is being defined, only one of this very scope.
    fn find_tag(&self, tag: Symbol, is_definition: bool) -> Option<(TypeId, Span)> {
        let &(depth, ty, span) = self.scopes.tags.get(&tag)?.last()?;
        (!is_definition || depth == self.scopes.depth()).then_some((ty, span))
    }

    fn tag_mismatch(&mut self, ty: TypeId, span: Span, declared: Span) {
        let text = self.type_text(ty);
        self.report(
            Diagnostic::new(
                &declarations::E0222,
                span,
                format!("this tag is that of `{text}`, another kind of type"),
            )
            .at(format!("declared as `{text}`"))
            .label(declared, "declared here"),
        );
    }

    fn new_record(
        &mut self,
        is_union: bool,
        tag: Option<Symbol>,
        span: Span,
    ) -> (TypeId, RecordId) {
        let id = self.module.types.records.push(Record {
            is_union,
            tag,
            typedef_name: None,
            span,
            body: None,
        });
        (self.module.types.intern(Type::Record(id)), id)
    }

    fn members(&mut self, members: &'a [MemberDeclaration]) -> (Vec<Field>, Vec<FieldLayout>) {
        let mut fields: Vec<Field> = Vec::new();
        let mut layouts = Vec::new();
        let mut names: FxHashMap<Symbol, Span> = FxHashMap::default();
        for member in members {
            let specs = self.specifiers(&member.specifiers, member.span);
            if let Some((_, span)) = specs.storage {
                self.report(
                    Diagnostic::new(&declarations::E0205, span, "members have no storage class")
                        .at("a member cannot have one"),
                );
            }
            let mut common = FieldLayout { packed: false, align: specs.align };
            for attribute in &specs.attributes {
                if let Some(layout) = self.layout_attribute(attribute) {
                    common.packed |= layout.packed;
                    common.align = common.align.max(layout.align);
                }
            }
            if member.declarators.is_empty() {
                self.anonymous_member(member, &specs, &mut names, &mut fields);
                layouts.resize(fields.len(), common);
                continue;
            }
            for declarator in &member.declarators {
                let mut declared = self.declarator(&specs, &declarator.declarator, Usage::Member);
                self.attributes_behind(&mut declared, &declarator.attributes);
                if let Some(width) = declarator.bit_width {
                    let span = self.ast.exprs[width].span;
                    self.report(
                        Diagnostic::new(
                            &declarations::E0208,
                            declared.span.to(span),
                            "OpenCL C has no bit-fields",
                        )
                        .at("the width of a bit-field is declared")
                        .help("use a whole integer, with masks and shifts"),
                    );
                }
                if let Some((space, span)) = declared.space {
                    self.member_space(space, span, declared.ty.ty);
                }
                let Some((name, name_span)) = declared.name else { continue };
                if let Some(&first) = names.get(&name) {
                    self.duplicate_member(name, name_span, first);
                    continue;
                }
                names.insert(name, name_span);
                self.check_reserved(name, name_span);
                let mut layout = common;
                for &attribute in &declared.attributes {
                    if let Some(own) = self.layout_attribute(attribute) {
                        layout.packed |= own.packed;
                        layout.align = layout.align.max(own.align);
                    }
                }
                let mut ty = declared.ty;
                if !self.check_member_type(ty.ty, name_span) {
                    ty = TypeTable::ERROR.into();
                }
                let is_host_sized = specs.is_host_sized && !self.reaches_pointer(ty.ty);
                fields.push(Field {
                    name: Some(name),
                    ty,
                    span: name_span,
                    offset: 0,
                    is_host_sized,
                });
                layouts.push(layout);
            }
        }
        (fields, layouts)
    }

    fn duplicate_member(&mut self, name: Symbol, span: Span, first: Span) {
        let text = format!("two members are named `{}`", self.interner.resolve(name));
        self.report(
            Diagnostic::new(&declarations::E0209, span, text)
                .at("the second one")
                .label(first, "the other one"),
        );
    }

    fn nameless_member(&mut self, span: Span) {
        let message = "this member has no name and is ignored";
        self.report(
            Diagnostic::new(&declarations::W0204, span, message).at("a type without a name"),
        );
    }

    /// A member without a name: its own members count as members of the outer record.
    fn anonymous_member(
        &mut self,
        member: &MemberDeclaration,
        specs: &crate::specifiers::Specifiers<'a>,
        names: &mut FxHashMap<Symbol, Span>,
        fields: &mut Vec<Field>,
    ) {
        let Type::Record(id) = *self.module.types.get(specs.base.ty) else {
            if specs.base.quals.is_restrict {
                self.check_restrict(specs.base, member.span);
            } else if !self.module.types.is_error(specs.base.ty) {
                self.nameless_member(member.span);
            } else {
                // A stretch that did not parse.
                self.reported.partial.extend(self.declared.open_records.last());
            }
            return;
        };
        if self.module.types.records[id].tag.is_some() {
            // `struct inner { … };` inside a struct only declares the type.
            if !specs.declares_tag {
                self.nameless_member(member.span);
            }
            return;
        }
        let Some(body) = &self.module.types.records[id].body else { return };
        let mut inner: Vec<Symbol> = body.lookup.keys().copied().collect();
        inner.sort_unstable();
        for name in inner {
            if let Some(&first) = names.get(&name) {
                self.duplicate_member(name, member.span, first);
            } else {
                names.insert(name, member.span);
            }
        }
        if let Some((space, span)) = specs.space {
            self.member_space(space, span, specs.base.ty);
        }
        let (ty, is_host_sized) = (specs.base, false);
        fields.push(Field { name: None, ty, span: member.span, offset: 0, is_host_sized });
    }

    /// Whether a type is a pointer or an array of pointers.
    fn reaches_pointer(&self, mut ty: TypeId) -> bool {
        while let Type::Array { element, .. } = self.module.types.get(ty) {
            ty = element.ty;
        }
        self.module.types.as_pointer(ty).is_some()
    }

    /// Rule 18.
    fn member_space(&mut self, space: clc_base::AddressSpace, span: Span, ty: TypeId) {
        let help = if self.module.types.as_pointer(ty).is_some() {
            format!("write `{space}` before the `*` if it belongs to what the member points to")
        } else {
            format!("qualify the whole struct where it is declared: `{space} struct …`")
        };
        self.report(
            Diagnostic::new(
                &address_spaces::E0323,
                span,
                format!("a member cannot be in `{space}` memory apart from its struct"),
            )
            .at("qualifies one member")
            .help(help),
        );
    }

    /// Whether objects of this type can be members; reports if not.
    fn check_member_type(&mut self, ty: TypeId, span: Span) -> bool {
        let mut element = ty;
        while let Type::Array { element: inner, .. } = self.module.types.get(element) {
            element = inner.ty;
        }
        match self.module.types.get(element) {
            Type::Error => true,
            Type::Image(..)
            | Type::Sampler
            | Type::Event
            | Type::Pipe { .. }
            | Type::Function(_)
            | Type::Block(_)
            | Type::Matrix(_)
            | Type::ReserveId => {
                let text = self.type_text(element);
                self.report(
                    Diagnostic::new(
                        &declarations::E0210,
                        span,
                        format!("`{text}` cannot be the type of a member"),
                    )
                    .at("the type of this member")
                    .help("pass it as an argument of its own"),
                );
                false
            }
            _ if self.module.types.size(ty).is_none() => {
                if !self.incompleteness_is_news(ty) {
                    return false;
                }
                let text = self.type_text(ty);
                let mut diagnostic = Diagnostic::new(
                    &declarations::E0206,
                    span,
                    format!("member of incomplete type `{text}`"),
                )
                .at("its members are not known");
                if let Type::Record(id) = self.module.types.get(element)
                    && self.declared.open_records.contains(id)
                {
                    diagnostic = diagnostic.help("a struct can contain a pointer to itself");
                }
                self.report(diagnostic);
                false
            }
            _ => true,
        }
    }

    /// `enum e { … }`, `enum e`.
    pub(crate) fn enum_specifier(&mut self, specifier: &'a EnumSpecifier, span: Span) -> TypeId {
        let (ty, id) = match specifier.tag {
            Some((tag, tag_span)) => match self.find_tag(tag, specifier.enumerators.is_some()) {
                Some((ty, declared)) => match *self.module.types.get(ty) {
                    Type::Enum(id) => (ty, id),
                    _ => {
                        self.tag_mismatch(ty, tag_span, declared);
                        return TypeTable::ERROR;
                    }
                },
                None => {
                    let (ty, id) = self.new_enum(Some(tag), tag_span);
                    self.scopes.declare_tag(tag, ty, tag_span);
                    if specifier.enumerators.is_none() {
                        let text = self.type_text(ty);
                        self.report(
                            Diagnostic::new(
                                &declarations::E0206,
                                tag_span,
                                format!("`{text}` is not defined"),
                            )
                            .at("declared without enumerators"),
                        );
                    }
                    (ty, id)
                }
            },
            None => self.new_enum(None, span),
        };
        if let Some((_, tag_span)) = specifier.tag {
            self.index_name(tag_span, index::Entity::Tag(ty), specifier.enumerators.is_some());
        }
        let Some(enumerators) = &specifier.enumerators else { return ty };
        if self.module.types.enums[id].complete {
            let text = self.type_text(ty);
            let first = self.module.types.enums[id].span;
            self.report(
                Diagnostic::new(&declarations::E0201, span, format!("`{text}` is defined twice"))
                    .at("the second definition")
                    .label(first, "first defined here"),
            );
            return ty;
        }
        let mut packed = false;
        for attribute in &specifier.attributes {
            packed |= self.layout_attribute(attribute).is_some_and(|layout| layout.packed);
        }
        let mut next: i128 = 0;
        let (mut least, mut greatest) = (0i128, 0i128);
        for enumerator in enumerators {
            if let Some(e) = enumerator.value
                && let Some(constant) = self.integer_constant(e, "the value of an enumerator")
            {
                next = constant.value;
            }
            let constant_ty = if i128::from(i32::MIN) <= next && next <= i128::from(i32::MAX) {
                TypeTable::INT
            } else if 0 <= next && next <= i128::from(u32::MAX) {
                TypeTable::UINT
            } else if i128::from(i64::MIN) <= next && next <= i128::from(i64::MAX) {
                TypeTable::LONG
            } else {
                TypeTable::ULONG
            };
            if next > i128::from(u64::MAX) || next < i128::from(i64::MIN) {
                self.report(
                    Diagnostic::new(
                        &declarations::E0217,
                        enumerator.span,
                        "the value of this enumerator does not fit any integer type",
                    )
                    .at(format!("its value is {next}")),
                );
                next = 0;
            }
            least = least.min(next);
            greatest = greatest.max(next);
            let entity = Entity::EnumConstant { value: next as i64, ty: constant_ty };
            self.declare(enumerator.name, Binding::new(entity, enumerator.span));
            self.module.types.enums[id].enumerators.push((enumerator.name, next as i64));
            next += 1;
        }
        let fits = |scalar: Scalar| {
            let bits = scalar.bits();
            let (low, high) = if scalar.is_signed() {
                (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
            } else {
                (0, (1i128 << bits) - 1)
            };
            low <= least && greatest <= high
        };
        let small = [Scalar::UChar, Scalar::Char, Scalar::UShort, Scalar::Short];
        let underlying = if packed && let Some(scalar) = small.into_iter().find(|&s| fits(s)) {
            scalar
        } else if least < 0 {
            if least >= i128::from(i32::MIN) && greatest <= i128::from(i32::MAX) {
                Scalar::Int
            } else {
                Scalar::Long
            }
        } else if greatest <= i128::from(u32::MAX) {
            Scalar::UInt
        } else {
            Scalar::ULong
        };
        let item = &mut self.module.types.enums[id];
        item.underlying = underlying;
        item.complete = true;
        ty
    }

    fn new_enum(&mut self, tag: Option<Symbol>, span: Span) -> (TypeId, crate::types::EnumId) {
        let id = self.module.types.enums.push(Enum {
            tag,
            span,
            underlying: Scalar::UInt,
            complete: false,
            enumerators: Vec::new(),
        });
        (self.module.types.intern(Type::Enum(id)), id)
    }
}
