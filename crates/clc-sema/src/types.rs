//! Source types, interned: equal ids are equal types.
//!
//! Qualifiers are not part of a [`TypeId`] but of a [`QualType`]. The address space of an object is
//! a property of the object, and so of every pointer to it; it is not a qualifier of a value.

use clc_base::{AddressSpace, Arena, Span, Symbol, define_id};
pub use clc_builtins::{Access, ImageKind, MatrixUse, Scalar};
use rustc_hash::FxHashMap;

define_id!(
    /// An interned type.
    TypeId,
    "ty"
);
define_id!(
    /// A struct or union; types with equal tags from different scopes have different ids.
    RecordId,
    "record"
);
define_id!(
    /// An enumeration.
    EnumId,
    "enum"
);

/// Type qualifiers (C99 6.7.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Qualifiers {
    /// `const`
    pub is_const: bool,
    /// `volatile`
    pub is_volatile: bool,
    /// `restrict`, on pointers only.
    pub is_restrict: bool,
}

impl Qualifiers {
    /// No qualifier.
    pub const NONE: Qualifiers =
        Qualifiers { is_const: false, is_volatile: false, is_restrict: false };

    /// The qualifiers that are in either.
    pub(crate) fn union(self, other: Qualifiers) -> Qualifiers {
        Qualifiers {
            is_const: self.is_const || other.is_const,
            is_volatile: self.is_volatile || other.is_volatile,
            is_restrict: self.is_restrict || other.is_restrict,
        }
    }

    /// Whether every qualifier of `other` is in `self`.
    pub(crate) fn includes(self, other: Qualifiers) -> bool {
        self.union(other) == self
    }
}

/// A type with the qualifiers of one object or value. The element type of an array carries the
/// qualifiers that were written on the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QualType {
    /// The type without its top-level qualifiers.
    pub ty: TypeId,
    /// Its top-level qualifiers.
    pub quals: Qualifiers,
}

impl QualType {
    /// The type without any top-level qualifier.
    pub fn unqualified(ty: TypeId) -> QualType {
        QualType { ty, quals: Qualifiers::NONE }
    }
}

impl From<TypeId> for QualType {
    fn from(ty: TypeId) -> QualType {
        QualType::unqualified(ty)
    }
}

/// The types of OpenCL C 6.3 without top-level qualifiers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`
    Void,
    /// `bool`, integers and floats.
    Scalar(Scalar),
    /// 2, 3, 4, 8 or 16 components of any scalar but `Bool`.
    Vector(Scalar, u8),
    /// A pointer to an object or to `void`.
    Pointer {
        /// Type and qualifiers of the object.
        pointee: QualType,
        /// Where the object is.
        space: AddressSpace,
    },
    /// An array; those of unknown length are incomplete.
    Array {
        /// Type and qualifiers of the elements.
        element: QualType,
        /// Number of elements; `None` for an incomplete array.
        len: Option<u64>,
    },
    /// A struct or union.
    Record(RecordId),
    /// Compatible with its underlying integer type.
    Enum(EnumId),
    /// The type of a function designator; no object has it.
    Function(FunctionType),
    /// A block pointer.
    Block(FunctionType),
    /// `image2d_t` and the like, with the access qualifier or its default.
    Image(ImageKind, Access),
    /// `sampler_t`
    Sampler,
    /// `event_t`, of asynchronous copies.
    Event,
    /// `queue_t`
    Queue,
    /// `clk_event_t`, of enqueued kernels.
    ClkEvent,
    /// `ndrange_t`
    NdRange,
    /// `reserve_id_t`, of pipe reservations.
    ReserveId,
    /// A pipe (OpenCL C 6.15.16).
    Pipe {
        /// The type of what is read and written at once.
        packet: TypeId,
        /// `ReadOnly` or `WriteOnly`.
        access: Access,
    },
    /// `atomic_int` and the like.
    Atomic(Scalar),
    /// A cooperative matrix (cl_khr_cooperative_matrix).
    Matrix(MatrixType),
    /// The result of a call that makes a matrix, until what it becomes says which matrix that is.
    MatrixOfContext,
    /// `atomic_flag`
    AtomicFlag,
    /// The type of something already reported; every operation on it is accepted silently, so
    /// that one mistake is one error.
    Error,
}

/// A matrix that the work-items of a sub-group have together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixType {
    /// Any but `Bool`.
    pub element: Scalar,
    /// At least one.
    pub rows: u32,
    /// At least one.
    pub columns: u32,
    /// What it is in a product.
    pub role: MatrixUse,
}

/// The type of a function or block, always with a prototype.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    /// `void` for functions that return nothing.
    pub result: TypeId,
    /// After adjustment: arrays are pointers, top-level qualifiers dropped.
    pub params: Box<[TypeId]>,
    /// The parameter list ends in `...`.
    pub variadic: bool,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// A union rather than a struct.
    pub is_union: bool,
    /// The name after `struct` or `union`.
    pub tag: Option<Symbol>,
    /// The first typedef that names a record without a tag.
    pub typedef_name: Option<Symbol>,
    /// The tag, or the specifier of a record without one.
    pub span: Span,
    /// `None` until the closing brace.
    pub body: Option<RecordBody>,
}

/// The members and layout of a complete record (C99 6.7.2.1, OpenCL C 6.1.5).
#[derive(Clone, Debug)]
pub struct RecordBody {
    /// In the order of the source.
    pub fields: Vec<Field>,
    /// Bytes, tail padding included.
    pub size: u64,
    /// Alignment in bytes, that of attributes included.
    pub align: u64,
    /// `__attribute__((packed))` on the record: no padding between fields.
    pub packed: bool,
    /// Member names to (field path through anonymous members); innermost index last.
    pub lookup: FxHashMap<Symbol, Box<[u32]>>,
}

/// A member of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// `None` for anonymous struct and union members.
    pub name: Option<Symbol>,
    /// Type and qualifiers as declared.
    pub ty: QualType,
    /// The declarator.
    pub span: Span,
    /// Bytes from the start of the record; 0 in unions.
    pub offset: u64,
    /// Declared as `size_t` or the like, or an array of them.
    pub is_host_sized: bool,
}

/// An enumeration (C99 6.7.2.2).
#[derive(Clone, Debug)]
pub struct Enum {
    /// The name after `enum`.
    pub tag: Option<Symbol>,
    /// The tag, or the specifier of an enumeration without one.
    pub span: Span,
    /// The compatible integer type: `Int` or `UInt`, wider where the values need it, narrower if
    /// packed.
    pub underlying: Scalar,
    /// The closing brace was reached.
    pub complete: bool,
    /// Names and values in the order of the source.
    pub enumerators: Vec<(Symbol, i64)>,
}

/// The types of one module.
#[derive(Debug)]
pub struct TypeTable {
    types: Arena<TypeId, Type>,
    ids: FxHashMap<Type, TypeId>,
    /// Structs and unions, incomplete ones too.
    pub records: Arena<RecordId, Record>,
    /// Enumerations, incomplete ones too.
    pub enums: Arena<EnumId, Enum>,
    /// Size of pointers and of `size_t` in bytes.
    pub pointer_size: u64,
}

macro_rules! fixed_types {
    ($($name:ident = $index:literal $value:expr;)*) => {
        impl TypeTable {
            $(#[doc = concat!("The id of `", stringify!($value), "` in every table.")]
            pub const $name: TypeId = TypeId($index);)*
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
    /// A table of the fixed types alone. `pointer_size` is 4 or 8 bytes.
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

    /// The id of a type, which is added if it is new.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// The type of an id of this table.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }

    /// The id of a scalar type.
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

    /// The id of a vector type; `count` is 2, 3, 4, 8 or 16.
    pub fn vector(&mut self, element: Scalar, count: u8) -> TypeId {
        self.intern(Type::Vector(element, count))
    }

    /// As [`TypeTable::vector`]; the scalar type if `count` is 1.
    pub(crate) fn vector_or_scalar(&mut self, element: Scalar, count: u8) -> TypeId {
        if count == 1 { self.scalar(element) } else { self.vector(element, count) }
    }

    /// The id of the type of pointers to `pointee` in `space`.
    pub fn pointer(&mut self, pointee: QualType, space: AddressSpace) -> TypeId {
        self.intern(Type::Pointer { pointee, space })
    }

    /// `size_t` / `uintptr_t`.
    pub fn size_type(&self) -> TypeId {
        if self.pointer_size == 4 { Self::UINT } else { Self::ULONG }
    }

    /// `ptrdiff_t` / `intptr_t`.
    pub(crate) fn difference_type(&self) -> TypeId {
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

    /// Pointee and address space of a pointer type; blocks are none.
    pub fn as_pointer(&self, ty: TypeId) -> Option<(QualType, AddressSpace)> {
        match self.get(ty) {
            Type::Pointer { pointee, space } => Some((*pointee, *space)),
            _ => None,
        }
    }

    /// Whether the type is [`Type::Error`].
    pub fn is_error(&self, ty: TypeId) -> bool {
        ty == Self::ERROR
    }

    /// Whether the type is a [`Type::Vector`].
    pub fn is_vector(&self, ty: TypeId) -> bool {
        matches!(self.get(ty), Type::Vector(..))
    }

    /// Size in bytes; `None` for incomplete types, functions and `void`.
    pub fn size(&self, ty: TypeId) -> Option<u64> {
        Some(match self.get(ty) {
            Type::Void | Type::Function(_) | Type::MatrixOfContext | Type::Error => return None,
            // `sizeof` is refused: what a work-item has of it is the device's secret.
            Type::Matrix(matrix) => {
                matrix.element.size() * u64::from(matrix.rows) * u64::from(matrix.columns)
            }
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
            Type::Matrix(matrix) => matrix.element.size(),
            _ => self.size(ty).unwrap_or(1).max(1),
        }
    }
}
