//! The tables of debug information: types of the source.

use clc_base::Interner;
use clc_builtins::Scalar;
use clc_ir::debug::{DebugInfo, DebugType, Encoding, Member, Qualifier, TypeInfo};
use clc_sema::types as source;
use clc_sema::types::{QualType, TypeId, TypeTable};
use rustc_hash::FxHashMap;

use crate::types::storage_class;

/// The tables as far as they are made, and what is in them already.
#[derive(Default)]
pub(crate) struct Debug {
    pub info: DebugInfo,
    types: FxHashMap<QualType, DebugType>,
}

impl Debug {
    /// `pointer_size` is in bytes.
    pub fn new(pointer_size: u64) -> Debug {
        let mut debug = Debug::default();
        debug.info.pointer_size = pointer_size;
        debug
    }

    /// The number of a type.
    pub fn ty(&mut self, table: &TypeTable, names: &Interner, ty: QualType) -> DebugType {
        if let Some(&known) = self.types.get(&ty) {
            return known;
        }
        let source::Qualifiers { is_const, is_volatile, is_restrict } = ty.quals;
        let mut inner = ty.quals;
        let qualifier = if is_const {
            inner.is_const = false;
            Qualifier::Const
        } else if is_volatile {
            inner.is_volatile = false;
            Qualifier::Volatile
        } else if is_restrict {
            inner.is_restrict = false;
            Qualifier::Restrict
        } else {
            return self.unqualified(table, names, ty.ty);
        };
        let inner = self.ty(table, names, QualType { ty: ty.ty, quals: inner });
        let id = self.info.types.push(TypeInfo::Qualified { ty: inner, qualifier });
        self.types.insert(ty, id);
        id
    }

    fn unqualified(&mut self, table: &TypeTable, names: &Interner, id: TypeId) -> DebugType {
        let name = || source_name(table, names, id);
        let opaque = |name: String| TypeInfo::Basic {
            name,
            size: table.size(id).unwrap_or(0),
            encoding: Encoding::Unspecified,
        };
        let info = match table.get(id) {
            source::Type::Scalar(scalar) => basic(*scalar),
            source::Type::Atomic(scalar) => {
                let ty = self.ty(table, names, table.scalar(*scalar).into());
                TypeInfo::Qualified { ty, qualifier: Qualifier::Atomic }
            }
            source::Type::Vector(element, count) => TypeInfo::Vector {
                element: self.ty(table, names, table.scalar(*element).into()),
                count: u32::from(*count),
            },
            source::Type::Pointer { pointee, space } => {
                // What a pointer to a record points to may contain the pointer, so it is not known
                // before the record is; no other type is part of itself.
                let pointee = self.ty(table, names, *pointee);
                TypeInfo::Pointer { pointee, class: storage_class(*space) }
            }
            source::Type::Array { element, len } => {
                TypeInfo::Array { element: self.ty(table, names, *element), len: len.unwrap_or(0) }
            }
            source::Type::Record(record) => return self.record(table, names, id, *record),
            source::Type::Enum(id) => {
                let data = &table.enums[*id];
                let values = data.enumerators.iter();
                TypeInfo::Enum {
                    name: data.tag.map_or("", |tag| names.resolve(tag)).to_owned(),
                    underlying: self.ty(table, names, table.scalar(data.underlying).into()),
                    values: values
                        .map(|&(name, value)| (names.resolve(name).to_owned(), value))
                        .collect(),
                    span: data.span,
                }
            }
            source::Type::Void
            | source::Type::Function(_)
            | source::Type::Block(_)
            | source::Type::Image(..)
            | source::Type::Sampler
            | source::Type::Event
            | source::Type::Queue
            | source::Type::ClkEvent
            | source::Type::NdRange
            | source::Type::ReserveId
            | source::Type::Pipe { .. }
            | source::Type::AtomicFlag
            | source::Type::Matrix(_)
            | source::Type::MatrixOfContext
            | source::Type::Error => opaque(name()),
        };
        // A member of the type may have asked for it meanwhile.
        let known = self.types.get(&id.into()).copied();
        let id_of = known.unwrap_or_else(|| self.info.types.push(info));
        self.types.insert(id.into(), id_of);
        id_of
    }

    fn record(
        &mut self,
        table: &TypeTable,
        names: &Interner,
        id: TypeId,
        record: source::RecordId,
    ) -> DebugType {
        let data = &table.records[record];
        let text = |name: Option<clc_base::Symbol>| name.map_or("", |name| names.resolve(name));
        let new = self.info.types.push(TypeInfo::Record {
            name: text(data.tag.or(data.typedef_name)).to_owned(),
            is_union: data.is_union,
            size: data.body.as_ref().map_or(0, |body| body.size),
            members: Vec::new(),
            span: data.span,
        });
        // Before its members, which may point to it.
        self.types.insert(id.into(), new);
        let fields = data.body.as_ref().map_or(&[][..], |body| &body.fields);
        let found: Vec<Member> = fields
            .iter()
            .map(|field| Member {
                name: text(field.name).to_owned(),
                ty: self.ty(table, names, field.ty),
                offset: field.offset,
                size: table.size(field.ty.ty).unwrap_or(0),
                span: field.span,
            })
            .collect();
        if let TypeInfo::Record { members, .. } = &mut self.info.types[new] {
            *members = found;
        }
        new
    }
}

fn basic(scalar: Scalar) -> TypeInfo {
    let (name, encoding) = match scalar {
        Scalar::Bool => ("bool", Encoding::Boolean),
        Scalar::Char => ("char", Encoding::SignedChar),
        Scalar::UChar => ("uchar", Encoding::UnsignedChar),
        Scalar::Short => ("short", Encoding::Signed),
        Scalar::UShort => ("ushort", Encoding::Unsigned),
        Scalar::Int => ("int", Encoding::Signed),
        Scalar::UInt => ("uint", Encoding::Unsigned),
        Scalar::Long => ("long", Encoding::Signed),
        Scalar::ULong => ("ulong", Encoding::Unsigned),
        Scalar::Half => ("half", Encoding::Float),
        Scalar::Float => ("float", Encoding::Float),
        Scalar::Double => ("double", Encoding::Float),
    };
    TypeInfo::Basic { name: name.to_owned(), size: scalar.size(), encoding }
}

fn source_name(table: &TypeTable, names: &Interner, id: TypeId) -> String {
    clc_sema::type_text(table, names, id.into())
}
