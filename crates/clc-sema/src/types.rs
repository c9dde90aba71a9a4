//! Source types, interned: equal ids are equal types.
//!
//! Qualifiers are not part of a [`TypeId`] but of a [`QualType`]. The address space of an object is
//! a property of the object, and so of every pointer to it; it is not a qualifier of a value.

use clc_base::{AddressSpace, Arena, Span, Symbol, define_id};
pub use clc_builtins::{Access, ImageKind, Scalar};
use rustc_hash::FxHashMap;

define_id!(
    /// An interned type.
    TypeId,
    "ty"
);
define_id!(RecordId, "record");
define_id!(EnumId, "enum");

/// `const`, `volatile`, `restrict`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Qualifiers {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
}

impl Qualifiers {
    pub const NONE: Qualifiers =
        Qualifiers { is_const: false, is_volatile: false, is_restrict: false };

    pub fn union(self, other: Qualifiers) -> Qualifiers {
        Qualifiers {
            is_const: self.is_const || other.is_const,
            is_volatile: self.is_volatile || other.is_volatile,
            is_restrict: self.is_restrict || other.is_restrict,
        }
    }

    /// Whether every qualifier of `other` is in `self`.
    pub fn includes(self, other: Qualifiers) -> bool {
        self.union(other) == self
    }
}

/// A type with the qualifiers of one object or value. The element type of an array carries the
/// qualifiers that were written on the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QualType {
    pub ty: TypeId,
    pub quals: Qualifiers,
}

impl QualType {
    pub fn unqualified(ty: TypeId) -> QualType {
        QualType { ty, quals: Qualifiers::NONE }
    }
}

impl From<TypeId> for QualType {
    fn from(ty: TypeId) -> QualType {
        QualType::unqualified(ty)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    Scalar(Scalar),
    /// 2, 3, 4, 8 or 16 components of any scalar but `Bool`.
    Vector(Scalar, u8),
    Pointer {
        pointee: QualType,
        space: AddressSpace,
    },
    /// `len` is `None` for an incomplete array.
    Array {
        element: QualType,
        len: Option<u64>,
    },
    Record(RecordId),
    /// Compatible with its underlying integer type.
    Enum(EnumId),
    Function(FunctionType),
    /// A block pointer.
    Block(FunctionType),
    Image(ImageKind, Access),
    Sampler,
    Event,
    Queue,
    ClkEvent,
    NdRange,
    ReserveId,
    Pipe {
        packet: TypeId,
        access: Access,
    },
    /// `atomic_int` and the like.
    Atomic(Scalar),
    AtomicFlag,
    /// The type of something already reported; every operation on it is accepted silently, so
    /// that one mistake gives one error.
    Error,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    pub result: TypeId,
    /// After adjustment: arrays are pointers, top-level qualifiers dropped.
    pub params: Box<[TypeId]>,
    pub variadic: bool,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    pub is_union: bool,
    pub tag: Option<Symbol>,
    /// The first typedef that names a record without a tag.
    pub typedef_name: Option<Symbol>,
    pub span: Span,
    /// `None` until the closing brace.
    pub body: Option<RecordBody>,
}

#[derive(Clone, Debug)]
pub struct RecordBody {
    pub fields: Vec<Field>,
    /// Bytes, tail padding included.
    pub size: u64,
    pub align: u64,
    pub packed: bool,
    /// Member names to (field path through anonymous members); innermost index last.
    pub lookup: FxHashMap<Symbol, Box<[u32]>>,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// `None` for anonymous struct and union members.
    pub name: Option<Symbol>,
    pub ty: QualType,
    pub span: Span,
    /// Bytes from the start of the record; 0 in unions.
    pub offset: u64,
    /// Declared as `size_t` or the like, or an array of them.
    pub is_host_sized: bool,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub tag: Option<Symbol>,
    pub span: Span,
    /// `Int` or `UInt` (or wider where the values ask for it).
    pub underlying: Scalar,
    pub complete: bool,
    pub enumerators: Vec<(Symbol, i64)>,
}

#[derive(Debug)]
pub struct TypeTable {
    types: Arena<TypeId, Type>,
    ids: FxHashMap<Type, TypeId>,
    pub records: Arena<RecordId, Record>,
    pub enums: Arena<EnumId, Enum>,
    /// Size of pointers and of `size_t` in bytes.
    pub pointer_size: u64,
}

macro_rules! fixed_types {
    ($($name:ident = $index:literal $value:expr;)*) => {
        impl TypeTable {
            $(pub const $name: TypeId = TypeId($index);)*
            const FIXED: &[Type] = &[$($value),*];
        }
    };
}

fixed_types! {
    VOID = 0 Type::Void;
    ERROR = 1 Type::Error;
    BOOL = 2 Type::Scalar(Scalar::Bool);
    CHAR = 3 Type::Scalar(Scalar::Char);
    UCHAR = 4 Type::Scalar(Scalar::UChar);
    SHORT = 5 Type::Scalar(Scalar::Short);
    USHORT = 6 Type::Scalar(Scalar::UShort);
    INT = 7 Type::Scalar(Scalar::Int);
    UINT = 8 Type::Scalar(Scalar::UInt);
    LONG = 9 Type::Scalar(Scalar::Long);
    ULONG = 10 Type::Scalar(Scalar::ULong);
    HALF = 11 Type::Scalar(Scalar::Half);
    FLOAT = 12 Type::Scalar(Scalar::Float);
    DOUBLE = 13 Type::Scalar(Scalar::Double);
    SAMPLER = 14 Type::Sampler;
    EVENT = 15 Type::Event;
}

impl TypeTable {
    /// `pointer_size` is 4 or 8 bytes.
    pub fn new(pointer_size: u64) -> TypeTable {
        let mut table = TypeTable {
            types: Arena::new(),
            ids: FxHashMap::default(),
            records: Arena::new(),
            enums: Arena::new(),
            pointer_size,
        };
        for ty in Self::FIXED {
            table.intern(ty.clone());
        }
        table
    }

    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }

    pub fn scalar(&self, scalar: Scalar) -> TypeId {
        match scalar {
            Scalar::Bool => Self::BOOL,
            Scalar::Char => Self::CHAR,
            Scalar::UChar => Self::UCHAR,
            Scalar::Short => Self::SHORT,
            Scalar::UShort => Self::USHORT,
            Scalar::Int => Self::INT,
            Scalar::UInt => Self::UINT,
            Scalar::Long => Self::LONG,
            Scalar::ULong => Self::ULONG,
            Scalar::Half => Self::HALF,
            Scalar::Float => Self::FLOAT,
            Scalar::Double => Self::DOUBLE,
        }
    }

    pub fn vector(&mut self, element: Scalar, count: u8) -> TypeId {
        self.intern(Type::Vector(element, count))
    }

    /// `count` 1 gives the scalar.
    pub fn vector_or_scalar(&mut self, element: Scalar, count: u8) -> TypeId {
        if count == 1 { self.scalar(element) } else { self.vector(element, count) }
    }

    pub fn pointer(&mut self, pointee: QualType, space: AddressSpace) -> TypeId {
        self.intern(Type::Pointer { pointee, space })
    }

    /// `size_t` / `uintptr_t`.
    pub fn size_type(&self) -> TypeId {
        if self.pointer_size == 4 { Self::UINT } else { Self::ULONG }
    }

    /// `ptrdiff_t` / `intptr_t`.
    pub fn difference_type(&self) -> TypeId {
        if self.pointer_size == 4 { Self::INT } else { Self::LONG }
    }

    /// The scalar of an arithmetic scalar or enum type.
    pub fn as_scalar(&self, ty: TypeId) -> Option<Scalar> {
        match self.get(ty) {
            Type::Scalar(scalar) => Some(*scalar),
            Type::Enum(id) => Some(self.enums[*id].underlying),
            _ => None,
        }
    }

    /// Element and count of an arithmetic type: scalars and enums count 1.
    pub fn as_arithmetic(&self, ty: TypeId) -> Option<(Scalar, u8)> {
        match self.get(ty) {
            Type::Vector(element, count) => Some((*element, *count)),
            _ => self.as_scalar(ty).map(|scalar| (scalar, 1)),
        }
    }

    pub fn as_pointer(&self, ty: TypeId) -> Option<(QualType, AddressSpace)> {
        match self.get(ty) {
            Type::Pointer { pointee, space } => Some((*pointee, *space)),
            _ => None,
        }
    }

    pub fn is_error(&self, ty: TypeId) -> bool {
        ty == Self::ERROR
    }

    pub fn is_vector(&self, ty: TypeId) -> bool {
        matches!(self.get(ty), Type::Vector(..))
    }

    /// Size in bytes; `None` for incomplete types, functions and `void`.
    pub fn size(&self, ty: TypeId) -> Option<u64> {
        Some(match self.get(ty) {
            Type::Void | Type::Function(_) | Type::Error => return None,
            Type::Scalar(scalar) | Type::Atomic(scalar) => scalar.size(),
            Type::Vector(element, count) => element.size() * u64::from(*count).next_power_of_two(),
            Type::Array { element, len } => self.size(element.ty)?.checked_mul((*len)?)?,
            Type::Record(id) => self.records[*id].body.as_ref()?.size,
            Type::Enum(id) => self.enums[*id].underlying.size(),
            Type::AtomicFlag => 4,
            // A number of dimensions; offset, global and local size in three dimensions.
            Type::NdRange => 10 * self.pointer_size,
            Type::Sampler
            | Type::Pointer { .. }
            | Type::Block(_)
            | Type::Image(..)
            | Type::Event
            | Type::Queue
            | Type::ClkEvent
            | Type::ReserveId
            | Type::Pipe { .. } => self.pointer_size,
        })
    }

    /// Alignment in bytes; at least 1.
    pub fn align(&self, ty: TypeId) -> u64 {
        match self.get(ty) {
            Type::Array { element, .. } => self.align(element.ty),
            Type::Record(id) => self.records[*id].body.as_ref().map_or(1, |body| body.align),
            Type::NdRange => self.pointer_size,
            _ => self.size(ty).unwrap_or(1).max(1),
        }
    }
}
