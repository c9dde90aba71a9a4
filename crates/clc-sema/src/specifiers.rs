//! Declaration specifiers (C99 6.7.1 to 6.7.4): from keywords and names to a type.

use clc_base::{AddressSpace, Diagnostic, Span, Symbol, Version};
use clc_builtins::features;
use clc_syntax::ast::{
    Attribute, FunctionSpecifier, Qualifier, Specifier, SpecifierKind, StorageSpecifier,
    TypeSpecifier,
};
use smallvec::SmallVec;

use crate::context::{Entity, Sema};
use crate::diagnostics::{address_spaces, declarations, types};
use crate::spelling::access_name;
use crate::types::{Access, ImageKind, QualType, Qualifiers, Type, TypeId, TypeTable};

/// What declaration specifiers say, apart from declarators.
#[derive(Debug)]
pub(crate) struct Specifiers<'a> {
    pub base: QualType,
    pub storage: Option<(StorageSpecifier, Span)>,
    /// Address space of the declared object, or of what the innermost pointer points to.
    pub space: Option<(AddressSpace, Span)>,
    pub access: Option<(Access, Span)>,
    pub kernel: Option<Span>,
    pub inline: Option<Span>,
    pub attributes: SmallVec<[&'a Attribute; 2]>,
    /// The type was named by this typedef or predeclared name.
    pub name: Option<Symbol>,
    /// The type is `size_t` or a type like it, whose size is the device's.
    pub is_host_sized: bool,
    /// Alignment that a typedef adds.
    pub align: Option<u64>,
    /// A struct, union or enum was declared.
    pub declares_tag: bool,
    pub restrict: Option<Span>,
    pub span: Span,
}

/// How often each keyword of a type was written.
#[derive(Default)]
struct TypeKeywords {
    void: u8,
    bool: u8,
    char: u8,
    short: u8,
    int: u8,
    long: u8,
    half: u8,
    float: u8,
    double: u8,
    signed: u8,
    unsigned: u8,
}

impl TypeKeywords {
    /// C99 6.7.2 paragraph 2, as OpenCL C restricts it.
    fn ty(&self) -> Option<TypeId> {
        let TypeKeywords {
            void,
            bool,
            char,
            short,
            int,
            long,
            half,
            float,
            double,
            signed,
            unsigned,
        } = *self;
        let sign = signed + unsigned;
        let is_unsigned = unsigned == 1;
        let all = [void, bool, char, short, half, float, double];
        let named: u8 = all.iter().sum();
        if sign > 1 || named > 1 || int > 1 || long > 2 {
            return None;
        }
        Some(if void + bool + half + float + double == 1 {
            if sign + int + long + short != 0 {
                return None;
            }
            match (void, bool, half, float) {
                (1, ..) => TypeTable::VOID,
                (_, 1, ..) => TypeTable::BOOL,
                (_, _, 1, _) => TypeTable::HALF,
                (_, _, _, 1) => TypeTable::FLOAT,
                _ => TypeTable::DOUBLE,
            }
        } else if char == 1 {
            if int + long != 0 {
                return None;
            }
            if is_unsigned { TypeTable::UCHAR } else { TypeTable::CHAR }
        } else if short == 1 {
            if long != 0 {
                return None;
            }
            if is_unsigned { TypeTable::USHORT } else { TypeTable::SHORT }
        } else if long > 0 {
            if is_unsigned { TypeTable::ULONG } else { TypeTable::LONG }
        } else if int + sign > 0 {
            if is_unsigned { TypeTable::UINT } else { TypeTable::INT }
        } else {
            return None;
        })
    }
}

impl<'a> Sema<'a> {
    /// Reads declaration specifiers. `fallback` is where to point if there are none.
    pub(crate) fn specifiers(&mut self, list: &'a [Specifier], fallback: Span) -> Specifiers<'a> {
        let mut specs = Specifiers {
            base: TypeTable::ERROR.into(),
            storage: None,
            space: None,
            access: None,
            kernel: None,
            inline: None,
            attributes: SmallVec::new(),
            name: None,
            is_host_sized: false,
            align: None,
            declares_tag: false,
            restrict: None,
            span: Span::NONE,
        };
        let mut type_attributes = SmallVec::<[&'a Attribute; 1]>::new();
        let mut quals = Qualifiers::NONE;
        let mut keywords = TypeKeywords::default();
        let mut keywords_span = Span::NONE;
        let mut other: Option<(QualType, Span)> = None;
        for specifier in list {
            let span = specifier.span;
            specs.span = specs.span.to(span);
            match &specifier.kind {
                SpecifierKind::Storage(storage) => self.storage(&mut specs, *storage, span),
                SpecifierKind::Qualifier(qualifier) => match qualifier {
                    Qualifier::Const => quals.is_const = true,
                    Qualifier::Volatile => quals.is_volatile = true,
                    Qualifier::Restrict => {
                        quals.is_restrict = true;
                        specs.restrict = Some(span);
                    }
                    Qualifier::AddressSpace(space) => {
                        self.merge_space(&mut specs.space, *space, span);
                    }
                    Qualifier::Access(access) => {
                        self.merge_access(&mut specs.access, *access, span)
                    }
                },
                SpecifierKind::Function(function) => match function {
                    FunctionSpecifier::Inline => specs.inline = Some(span),
                    FunctionSpecifier::Kernel => specs.kernel = Some(span),
                    FunctionSpecifier::Noreturn => {}
                },
                SpecifierKind::Attribute(attribute) => match self.space_attribute(attribute) {
                    Some(space) => self.merge_space(&mut specs.space, space, attribute.span),
                    None if self.is_type_attribute(attribute) => {
                        type_attributes.push(attribute);
                    }
                    None => specs.attributes.push(attribute),
                },
                SpecifierKind::Type(ty) => {
                    let count = match ty {
                        TypeSpecifier::Void => &mut keywords.void,
                        TypeSpecifier::Bool => &mut keywords.bool,
                        TypeSpecifier::Char => &mut keywords.char,
                        TypeSpecifier::Short => &mut keywords.short,
                        TypeSpecifier::Int => &mut keywords.int,
                        TypeSpecifier::Long => &mut keywords.long,
                        TypeSpecifier::Half => &mut keywords.half,
                        TypeSpecifier::Float => &mut keywords.float,
                        TypeSpecifier::Double => &mut keywords.double,
                        TypeSpecifier::Signed => &mut keywords.signed,
                        TypeSpecifier::Unsigned => &mut keywords.unsigned,
                        _ => {
                            let named = self.type_specifier(ty, span, &mut specs);
                            if other.is_some() {
                                self.report(
                                    Diagnostic::new(
                                        &declarations::E0203,
                                        span,
                                        "two types in one declaration",
                                    )
                                    .at("the second type")
                                    .help("is a `;` or `,` missing before this?"),
                                );
                            } else {
                                other = Some((named, span));
                            }
                            continue;
                        }
                    };
                    *count = count.saturating_add(1);
                    keywords_span = keywords_span.to(span);
                }
            }
        }
        let base = match (other, keywords_span.is_none()) {
            (Some((ty, _)), true) => ty,
            (Some((ty, span)), false) => {
                self.report(
                    Diagnostic::new(
                        &declarations::E0203,
                        keywords_span,
                        "this does not combine with another type name",
                    )
                    .at("a type of its own")
                    .label(span, "the other type"),
                );
                ty
            }
            (None, true) => {
                let span = if specs.span.is_none() { fallback } else { specs.span };
                self.report(
                    Diagnostic::new(&declarations::E0204, span, "a type is missing here")
                        .at("no type is named")
                        .help("OpenCL C has no implicit `int`"),
                );
                TypeTable::ERROR.into()
            }
            (None, false) => match keywords.ty() {
                Some(ty) => {
                    if keywords.long == 2 {
                        self.report(
                            Diagnostic::new(
                                &declarations::W0208,
                                keywords_span,
                                "`long long` is reserved; it is taken as `long`",
                            )
                            .at("`long` is written twice"),
                        );
                    }
                    if ty == TypeTable::DOUBLE {
                        self.require_double(keywords_span);
                    }
                    ty.into()
                }
                None => {
                    self.report(
                        Diagnostic::new(
                            &declarations::E0203,
                            keywords_span,
                            "these keywords do not make a type together",
                        )
                        .at("no type has these keywords"),
                    );
                    TypeTable::ERROR.into()
                }
            },
        };
        if specs.span.is_none() {
            specs.span = fallback;
        }
        specs.base = self.qualified(base, quals);
        for attribute in type_attributes {
            specs.base = self.type_attribute(attribute, specs.base);
            (specs.name, specs.is_host_sized) = (None, false);
        }
        self.apply_access(&mut specs);
        specs
    }

    fn storage(&mut self, specs: &mut Specifiers<'a>, storage: StorageSpecifier, span: Span) {
        match storage {
            StorageSpecifier::Auto | StorageSpecifier::Register => {
                let keyword = if storage == StorageSpecifier::Auto { "auto" } else { "register" };
                self.report(
                    Diagnostic::new(
                        &declarations::E0205,
                        span,
                        format!("OpenCL C has no storage class `{keyword}`"),
                    )
                    .at("a storage class of C")
                    .help("leave it out"),
                );
                return;
            }
            StorageSpecifier::Extern | StorageSpecifier::Static
                if self.options.version < Version::V1_2 =>
            {
                let keyword = if storage == StorageSpecifier::Extern { "extern" } else { "static" };
                self.report(
                    Diagnostic::new(
                        &declarations::E0205,
                        span,
                        format!("`{keyword}` needs OpenCL C 1.2; this is {}", self.options.version),
                    )
                    .at("a storage class")
                    .help("leave it out, or compile with `-cl-std=CL1.2`"),
                );
            }
            StorageSpecifier::Extern | StorageSpecifier::Static | StorageSpecifier::Typedef => {}
        }
        match specs.storage {
            None => specs.storage = Some((storage, span)),
            Some((before, first)) if before == storage => self.report(
                Diagnostic::new(&declarations::W0203, span, "this storage class is written twice")
                    .at("written again")
                    .label(first, "first here"),
            ),
            Some((_, first)) => self.report(
                Diagnostic::new(
                    &declarations::E0205,
                    span,
                    "a declaration has at most one storage class",
                )
                .at("the second one")
                .label(first, "the other one"),
            ),
        }
    }

    /// Adds an address-space qualifier to those seen so far (rules 18 and 19).
    pub(crate) fn merge_space(
        &mut self,
        current: &mut Option<(AddressSpace, Span)>,
        space: AddressSpace,
        span: Span,
    ) {
        // Before 2.0 the grammar has said so; what is wrong otherwise is said, too.
        let is_reserved = self.options.version < Version::V2_0;
        if space == AddressSpace::Generic && !self.has_generic_space() && !is_reserved {
            self.report(
                Diagnostic::new(
                    &address_spaces::E0333,
                    span,
                    format!(
                        "the generic address space needs OpenCL C 2.0, or 3.0 with \
                         `__opencl_c_generic_address_space`; this is OpenCL C {}",
                        self.options.version
                    ),
                )
                .at("no such address space here")
                .help("name the address space: `global`, `local`, `constant` or `private`"),
            );
            return;
        }
        match *current {
            None => *current = Some((space, span)),
            Some((before, first)) if before == space => self.report(
                Diagnostic::new(
                    &address_spaces::W0321,
                    span,
                    format!("`{space}` is written twice"),
                )
                .at("written again")
                .label(first, "first here"),
            ),
            Some((before, first)) => self.report(
                Diagnostic::new(
                    &address_spaces::E0321,
                    span,
                    format!("an object cannot be in both `{before}` and `{space}`"),
                )
                .at(format!("`{space}` here"))
                .label(first, format!("`{before}` here"))
                .help("the address space of a pointer itself is written after the `*`"),
            ),
        }
    }

    fn merge_access(&mut self, current: &mut Option<(Access, Span)>, access: Access, span: Span) {
        match *current {
            None => *current = Some((access, span)),
            Some((before, first)) if before == access => self.report(
                Diagnostic::new(
                    &declarations::W0203,
                    span,
                    "this access qualifier is written twice",
                )
                .at("written again")
                .label(first, "first here"),
            ),
            Some((_, first)) => self.report(
                Diagnostic::new(&types::E0304, span, "an image has one access qualifier")
                    .at("the second one")
                    .label(first, "the other one"),
            ),
        }
    }

    /// A typedef of an image or a pipe says what it is for, `read_only` if nothing is written
    /// (OpenCL C 6.8): only the same can be written again.
    fn check_typedef_access(&mut self, specs: &Specifiers<'a>, access: Access, span: Span) {
        let Some(binding) = specs.name.and_then(|name| self.scopes.lookup(name)) else { return };
        let before = match self.module.types.get(specs.base.ty) {
            Type::Image(_, before) => *before,
            Type::Pipe { access: before, .. } => *before,
            _ => return,
        };
        // The name in `pipe name` is that of the packets.
        let is_whole = matches!(binding.entity, Entity::Typedef(ty) if ty.ty == specs.base.ty);
        if !is_whole || before == access {
            return;
        }
        let (written, before) = (access_name(access), access_name(before));
        let declared = binding.span;
        self.report(
            Diagnostic::new(
                &types::E0304,
                span,
                format!("a `{before}` type cannot be `{written}`, too"),
            )
            .at(format!("`{written}` here"))
            .label(declared, format!("the typedef is `{before}`")),
        );
    }

    /// Applies the access qualifier to an image or pipe type.
    fn apply_access(&mut self, specs: &mut Specifiers<'a>) {
        let Some((access, span)) = specs.access else { return };
        self.check_typedef_access(specs, access, span);
        let ty = match self.module.types.get(specs.base.ty) {
            Type::Image(kind, _) => Type::Image(*kind, access),
            Type::Pipe { packet, .. } => Type::Pipe { packet: *packet, access },
            Type::Error => return,
            _ => {
                let text = self.qualified_text(specs.base);
                self.report(
                    Diagnostic::new(
                        &types::E0304,
                        span,
                        format!(
                            "`{}` qualifies images and pipes, not `{text}`",
                            access_name(access)
                        ),
                    )
                    .at("neither an image nor a pipe"),
                );
                return;
            }
        };
        if access == Access::ReadWrite && matches!(ty, Type::Pipe { .. }) {
            let message = "a kernel cannot both read and write a pipe";
            self.report(
                Diagnostic::new(&types::E0304, span, message)
                    .at("both at once")
                    .help("write `read_only` or `write_only`"),
            );
        }
        if matches!(ty, Type::Image(ImageKind::Image3d, Access::WriteOnly | Access::ReadWrite)) {
            let extensions = &self.options.extensions;
            let has = match self.options.version {
                Version::V1_0 | Version::V1_1 | Version::V1_2 => {
                    extensions.contains(features::IMAGES_3D_WRITES)
                }
                Version::V2_0 => true,
                Version::V3_0 | Version::V3_1 => {
                    extensions.contains(features::FEATURE_3D_IMAGE_WRITES)
                        || extensions.contains(features::IMAGES_3D_WRITES)
                }
            };
            if !has {
                self.require_extension(features::IMAGES_3D_WRITES, "write_only image3d_t", span);
            }
        }
        if access == Access::ReadWrite && !matches!(ty, Type::Pipe { .. }) {
            self.require_feature(features::FEATURE_READ_WRITE_IMAGES, "`read_write` images", span);
        }
        specs.base.ty = self.module.types.intern(ty);
    }

    /// `ty` with more qualifiers; those of an array belong to its elements (C99 6.7.3).
    pub(crate) fn qualified(&mut self, ty: QualType, quals: Qualifiers) -> QualType {
        if quals == Qualifiers::NONE {
            return ty;
        }
        if let Type::Array { element, len } = *self.module.types.get(ty.ty) {
            let element = self.qualified(element, quals);
            return self.module.types.intern(Type::Array { element, len }).into();
        }
        QualType { ty: ty.ty, quals: ty.quals.union(quals) }
    }

    fn type_specifier(
        &mut self,
        specifier: &'a TypeSpecifier,
        span: Span,
        specs: &mut Specifiers<'a>,
    ) -> QualType {
        match specifier {
            TypeSpecifier::Name(name) => self.named_type(*name, span, specs),
            TypeSpecifier::Record(record) => {
                specs.declares_tag = true;
                self.record_specifier(record, span).into()
            }
            TypeSpecifier::Enum(specifier) => {
                specs.declares_tag = true;
                self.enum_specifier(specifier, span).into()
            }
            TypeSpecifier::TypeofExpr(e) => {
                let expr = self.expr(*e);
                self.module.exprs[expr].ty
            }
            TypeSpecifier::TypeofType(name) => self.type_name(name),
            TypeSpecifier::Pipe(name) => {
                let packet = self.type_name(name);
                self.require_feature(features::FEATURE_PIPES, "pipes", span);
                if self.module.types.size(packet.ty).is_none()
                    && !self.module.types.is_error(packet.ty)
                {
                    let text = self.qualified_text(packet);
                    self.report(
                        Diagnostic::new(
                            &declarations::E0206,
                            name.span,
                            format!("the packets of a pipe cannot be of incomplete type `{text}`"),
                        )
                        .at("its size is not known"),
                    );
                    return TypeTable::ERROR.into();
                }
                let packet = packet.ty;
                if let Some(part) = self.opaque_part(packet) {
                    let (text, part_text) = (self.type_text(packet), self.type_text(part));
                    let message = if part == packet {
                        format!("the packets of a pipe cannot be `{text}`")
                    } else {
                        format!(
                            "the packets of a pipe cannot be `{text}`, which contains `{part_text}`"
                        )
                    };
                    self.report(
                        Diagnostic::new(&types::E0319, name.span, message)
                            .at("not a type of packets"),
                    );
                    return TypeTable::ERROR.into();
                }
                self.module.types.intern(Type::Pipe { packet, access: Access::ReadOnly }).into()
            }
            TypeSpecifier::Error => TypeTable::ERROR.into(),
            TypeSpecifier::Complex | TypeSpecifier::Imaginary => {
                self.report(
                    Diagnostic::new(
                        &types::E0302,
                        span,
                        "complex types are reserved and not supported in OpenCL C",
                    )
                    .at("not a type of OpenCL C"),
                );
                TypeTable::ERROR.into()
            }
            TypeSpecifier::Void
            | TypeSpecifier::Bool
            | TypeSpecifier::Char
            | TypeSpecifier::Short
            | TypeSpecifier::Int
            | TypeSpecifier::Long
            | TypeSpecifier::Half
            | TypeSpecifier::Float
            | TypeSpecifier::Double
            | TypeSpecifier::Signed
            | TypeSpecifier::Unsigned => TypeTable::ERROR.into(),
        }
    }

    /// A part of a type that is no number and not made of numbers.
    fn opaque_part(&self, ty: TypeId) -> Option<TypeId> {
        let types = &self.module.types;
        let mut pending = vec![ty];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(part) = pending.pop() {
            if !seen.insert(part) {
                continue;
            }
            match types.get(part) {
                Type::Scalar(_) | Type::Vector(..) | Type::Enum(_) | Type::Error => {}
                Type::Record(id) => {
                    let body = types.records[*id].body.as_ref();
                    pending
                        .extend(body.iter().flat_map(|body| &body.fields).map(|field| field.ty.ty));
                }
                Type::Array { element, .. } if part != ty => pending.push(element.ty),
                Type::Void
                | Type::Pointer { .. }
                | Type::Array { .. }
                | Type::Function(_)
                | Type::Block(_)
                | Type::Image(..)
                | Type::Sampler
                | Type::Event
                | Type::Queue
                | Type::ClkEvent
                | Type::NdRange
                | Type::ReserveId
                | Type::Pipe { .. }
                | Type::Atomic(_)
                | Type::AtomicFlag
                | Type::Matrix(_)
                | Type::MatrixOfContext => return Some(part),
            }
        }
        None
    }
}
