//! Machine types, interned: equal ids are equal types.
//!
//! Integers are signless. Pointers carry pointee and storage class. Structs are nominal: two
//! structs with equal fields are two types, so that a struct may contain a pointer to itself.

use clc_base::{Arena, define_id};
use clc_builtins::{Access, ImageKind, MatrixUse, Texel};
use rustc_hash::FxHashMap;

define_id!(
    /// An interned type.
    Type,
    "t"
);
define_id!(
    /// A struct; `Type`s refer to structs by this id.
    StructId,
    "struct"
);

/// Where a pointer points to. The first five are the address spaces of OpenCL C; the others are
/// for Vulkan and for the interface of entry points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StorageClass {
    /// `private`: SPIR-V Function
    Function,
    /// `global`
    CrossWorkgroup,
    /// `local`
    Workgroup,
    /// `constant`
    UniformConstant,
    /// Any of `global`, `local` and `private`.
    Generic,
    /// Built-in variables.
    Input,
    /// Variables of the module, one for each work-item.
    Private,
    /// What a Vulkan host pushes with a dispatch.
    PushConstant,
    /// A small buffer of Vulkan that a descriptor names and kernels only read.
    Uniform,
    /// Memory of Vulkan at a 64-bit address.
    PhysicalStorageBuffer,
    /// The same, that nothing writes while the kernel runs.
    ReadOnlyBuffer,
    /// A buffer of Vulkan that a descriptor names.
    StorageBuffer,
}

impl StorageClass {
    /// The word used in the text format.
    pub fn name(self) -> &'static str {
        match self {
            StorageClass::Function => "function",
            StorageClass::CrossWorkgroup => "crossworkgroup",
            StorageClass::Workgroup => "workgroup",
            StorageClass::UniformConstant => "uniformconstant",
            StorageClass::Generic => "generic",
            StorageClass::Input => "input",
            StorageClass::Private => "private",
            StorageClass::PushConstant => "pushconstant",
            StorageClass::Uniform => "uniform",
            StorageClass::PhysicalStorageBuffer => "physicalstoragebuffer",
            StorageClass::ReadOnlyBuffer => "readonlybuffer",
            StorageClass::StorageBuffer => "storagebuffer",
        }
    }
}

/// The type of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageType {
    /// Its dimensions, and whether it is an array, of depth or multisampled.
    pub kind: ImageKind,
    /// Its access qualifier (OpenCL C 6.8).
    pub access: Access,
    /// What its texels are read or written as: `Float`, `Signed` or `Unsigned`. Images of shaders say
    /// it, those of OpenCL do not (SPIR-V, OpTypeImage).
    pub texel: Option<Texel>,
}

/// The type of a cooperative matrix, which the work-items of a sub-group have together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixType {
    /// A scalar.
    pub element: Type,
    /// Whether the elements are signed integers.
    pub is_signed: bool,
    /// At least one.
    pub rows: u32,
    /// At least one.
    pub columns: u32,
    /// What it is in a product.
    pub role: MatrixUse,
}

/// What a type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// Of functions without a result.
    Void,
    /// One boolean; lives in registers only, never in memory.
    Bool,
    /// Width 8, 16, 32 or 64.
    Int(u8),
    /// Width 16, 32 or 64.
    Float(u8),
    /// Element is `Bool`, `Int` or `Float`; 2, 3, 4, 8 or 16 components.
    Vector(Type, u8),
    /// Length is never zero.
    Array(Type, u64),
    /// A struct or union; [`TypePool::struct_data`] has its fields.
    Struct(StructId),
    /// An address.
    Pointer {
        /// What is there.
        pointee: Type,
        /// The memory that it is in.
        class: StorageClass,
    },
    /// `image2d_t` and its family.
    Image(ImageType),
    /// `sampler_t`
    Sampler,
    /// `event_t`
    Event,
    /// `clk_event_t`
    DeviceEvent,
    /// `queue_t`
    Queue,
    /// `reserve_id_t`
    ReserveId,
    /// What `ndrange_t` is: opaque here, a struct in SPIR-V (OpBuildNDRange).
    NdRange,
    /// Packet size and alignment are operands of the pipe builtins.
    Pipe(Access),
    /// Lives in registers and in private variables. [`clc_builtins::MatrixOp`] works on it as a whole; a
    /// work-item reaches its own elements by [`crate::InstKind::Access`].
    Matrix(MatrixType),
}

/// A struct's body. `fields` follow each other with natural alignment unless `packed`; whoever
/// makes the struct inserts padding fields where the source asks for another layout, and states
/// the result in `offsets`, which the verifier compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructData {
    /// For readers; may be empty, and several structs may have one name.
    pub name: String,
    /// The types of the fields, in order.
    pub fields: Vec<Type>,
    /// Field names for debugging, parallel to `fields`; padding has an empty name.
    pub field_names: Vec<String>,
    /// Byte offsets, parallel to `fields`.
    pub offsets: Vec<u64>,
    /// Size in bytes, tail padding included.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Fields are not aligned.
    pub packed: bool,
}

/// The types of a module, each once.
#[derive(Clone, Debug)]
pub struct TypePool {
    kinds: Arena<Type, TypeKind>,
    ids: FxHashMap<TypeKind, Type>,
    /// With their natural alignment.
    structs: Arena<StructId, Option<(StructData, u64)>>,
    /// Size of a pointer in bytes.
    pub pointer_size: u64,
}

impl TypePool {
    /// No value.
    pub const VOID: Type = Type(0);
    /// True or false; has no form in memory.
    pub const BOOL: Type = Type(1);
    /// An integer of 8 bits.
    pub const I8: Type = Type(2);
    /// An integer of 16 bits.
    pub const I16: Type = Type(3);
    /// An integer of 32 bits.
    pub const I32: Type = Type(4);
    /// An integer of 64 bits.
    pub const I64: Type = Type(5);
    /// IEEE 754 binary16.
    pub const F16: Type = Type(6);
    /// IEEE 754 binary32.
    pub const F32: Type = Type(7);
    /// IEEE 754 binary64.
    pub const F64: Type = Type(8);

    /// `pointer_size` is 4 or 8 bytes.
    pub fn new(pointer_size: u64) -> TypePool {
        let mut pool = TypePool {
            kinds: Arena::new(),
            ids: FxHashMap::default(),
            structs: Arena::new(),
            pointer_size,
        };
        for kind in [
            TypeKind::Void,
            TypeKind::Bool,
            TypeKind::Int(8),
            TypeKind::Int(16),
            TypeKind::Int(32),
            TypeKind::Int(64),
            TypeKind::Float(16),
            TypeKind::Float(32),
            TypeKind::Float(64),
        ] {
            pool.intern(kind);
        }
        pool
    }

    /// The type of this kind.
    pub fn intern(&mut self, kind: TypeKind) -> Type {
        if let Some(&ty) = self.ids.get(&kind) {
            return ty;
        }
        let ty = self.kinds.push(kind);
        self.ids.insert(kind, ty);
        ty
    }

    /// What a type is.
    pub fn kind(&self, ty: Type) -> TypeKind {
        self.kinds[ty]
    }

    /// The number of different types.
    #[allow(clippy::len_without_is_empty, reason = "a pool has the scalar types from the start")]
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Types in the order they were interned: a type comes after the types it is made of, except
    /// through structs.
    pub fn iter(&self) -> impl Iterator<Item = (Type, TypeKind)> + '_ {
        self.kinds.iter().map(|(ty, &kind)| (ty, kind))
    }

    /// Declares a struct whose body is set later with [`TypePool::set_struct`].
    pub fn declare_struct(&mut self) -> (StructId, Type) {
        let id = self.structs.push(None);
        (id, self.intern(TypeKind::Struct(id)))
    }

    /// Completes a struct that was declared.
    pub fn set_struct(&mut self, id: StructId, data: StructData) {
        debug_assert_eq!(data.fields.len(), data.offsets.len());
        debug_assert_eq!(data.fields.len(), data.field_names.len());
        let natural = if data.packed {
            1
        } else {
            data.fields.iter().map(|&field| self.natural_align(field)).max().unwrap_or(1)
        };
        self.structs[id] = Some((data, natural));
    }

    /// # Panics
    /// If the body was not set.
    pub fn struct_data(&self, id: StructId) -> &StructData {
        let (data, _) = self.structs[id].as_ref().expect("the struct has a body");
        data
    }

    /// All structs in the order of their declaration; `None` for one that is not complete.
    pub fn structs(&self) -> impl Iterator<Item = (StructId, Option<&StructData>)> {
        self.structs.iter().map(|(id, data)| (id, data.as_ref().map(|(data, _)| data)))
    }

    /// The integer of 8, 16, 32 or 64 bits.
    pub fn int(&mut self, bits: u8) -> Type {
        match bits {
            8 => TypePool::I8,
            16 => TypePool::I16,
            32 => TypePool::I32,
            64 => TypePool::I64,
            _ => unreachable!("integers have 8, 16, 32 or 64 bits"),
        }
    }

    /// The integer as wide as a pointer.
    pub fn size_type(&self) -> Type {
        if self.pointer_size == 4 { TypePool::I32 } else { TypePool::I64 }
    }

    /// A vector of 2, 3, 4, 8 or 16 scalars.
    pub fn vector(&mut self, element: Type, count: u8) -> Type {
        self.intern(TypeKind::Vector(element, count))
    }

    /// An array of `len` elements.
    pub fn array(&mut self, element: Type, len: u64) -> Type {
        debug_assert!(len > 0);
        self.intern(TypeKind::Array(element, len))
    }

    /// A pointer to `pointee` in memory of a class.
    pub fn pointer(&mut self, pointee: Type, class: StorageClass) -> Type {
        self.intern(TypeKind::Pointer { pointee, class })
    }

    /// The matrix that a type is.
    pub fn matrix(&self, ty: Type) -> Option<MatrixType> {
        match self.kind(ty) {
            TypeKind::Matrix(matrix) => Some(matrix),
            _ => None,
        }
    }

    /// Whether a type is a cooperative matrix or an array of them.
    pub fn has_matrix(&self, mut ty: Type) -> bool {
        while let TypeKind::Array(element, _) = self.kind(ty) {
            ty = element;
        }
        self.matrix(ty).is_some()
    }

    /// Pointee and storage class of a pointer type.
    pub fn pointer_parts(&self, ty: Type) -> Option<(Type, StorageClass)> {
        match self.kind(ty) {
            TypeKind::Pointer { pointee, class } => Some((pointee, class)),
            _ => None,
        }
    }

    /// Whether a type is a pointer.
    pub fn is_pointer(&self, ty: Type) -> bool {
        matches!(self.kind(ty), TypeKind::Pointer { .. })
    }

    /// The element of a vector; any other type is its own scalar.
    pub fn scalar(&self, ty: Type) -> Type {
        match self.kind(ty) {
            TypeKind::Vector(element, _) => element,
            _ => ty,
        }
    }

    /// Components of a vector; 1 for any other type.
    pub fn lanes(&self, ty: Type) -> u8 {
        match self.kind(ty) {
            TypeKind::Vector(_, count) => count,
            _ => 1,
        }
    }

    /// `ty` with its scalar replaced: the same number of lanes of `scalar`.
    pub fn with_scalar(&mut self, ty: Type, scalar: Type) -> Type {
        match self.lanes(ty) {
            1 => scalar,
            lanes => self.vector(scalar, lanes),
        }
    }

    /// Whether a type is a float or a vector of floats.
    pub fn is_float(&self, ty: Type) -> bool {
        matches!(self.kind(self.scalar(ty)), TypeKind::Float(_))
    }

    /// Whether a type is an integer or a vector of integers.
    pub fn is_int(&self, ty: Type) -> bool {
        matches!(self.kind(self.scalar(ty)), TypeKind::Int(_))
    }

    /// Whether a type is a boolean or a vector of booleans.
    pub fn is_bool(&self, ty: Type) -> bool {
        self.scalar(ty) == TypePool::BOOL
    }

    /// Width in bits of the scalar of an integer or float type (vectors: of one component).
    pub fn scalar_bits(&self, ty: Type) -> Option<u8> {
        match self.kind(self.scalar(ty)) {
            TypeKind::Int(bits) | TypeKind::Float(bits) => Some(bits),
            _ => None,
        }
    }

    /// Calls `visit` with the types that a type is made of: elements, members, what a pointer points to.
    pub fn each_part(&self, ty: Type, mut visit: impl FnMut(Type)) {
        match self.kind(ty) {
            TypeKind::Vector(element, _) | TypeKind::Array(element, _) => visit(element),
            TypeKind::Pointer { pointee, class: _ } => visit(pointee),
            TypeKind::Struct(id) => self.struct_data(id).fields.iter().copied().for_each(visit),
            TypeKind::Matrix(matrix) => visit(matrix.element),
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::Image(_)
            | TypeKind::Sampler
            | TypeKind::Event
            | TypeKind::DeviceEvent
            | TypeKind::Queue
            | TypeKind::ReserveId
            | TypeKind::NdRange
            | TypeKind::Pipe(_) => {}
        }
    }

    /// Type of component `index` of an aggregate or vector.
    pub fn component(&self, ty: Type, index: u32) -> Option<Type> {
        match self.kind(ty) {
            TypeKind::Vector(element, count) => (index < u32::from(count)).then_some(element),
            TypeKind::Array(element, len) => (u64::from(index) < len).then_some(element),
            TypeKind::Struct(id) => self.struct_data(id).fields.get(index as usize).copied(),
            _ => None,
        }
    }

    /// Offset in bytes of component `index` of a struct or array.
    pub fn component_offset(&self, ty: Type, index: u32) -> u64 {
        match self.kind(ty) {
            TypeKind::Struct(id) => self.struct_data(id).offsets[index as usize],
            TypeKind::Array(element, _) => self.size(element) * u64::from(index),
            _ => 0,
        }
    }

    /// Size in bytes in memory, as `sizeof` says: three components take the room of four. Zero
    /// for types that cannot be in memory.
    pub fn size(&self, ty: Type) -> u64 {
        match self.kind(ty) {
            TypeKind::Void => 0,
            TypeKind::Bool => 1,
            TypeKind::Int(bits) | TypeKind::Float(bits) => u64::from(bits / 8),
            TypeKind::Vector(element, count) => {
                self.size(element) * u64::from(count).next_power_of_two()
            }
            TypeKind::Array(element, len) => self.size(element).saturating_mul(len),
            TypeKind::Struct(id) => self.struct_data(id).size,
            TypeKind::Pointer { .. }
            | TypeKind::Image(_)
            | TypeKind::Sampler
            | TypeKind::Event
            | TypeKind::DeviceEvent
            | TypeKind::Queue
            | TypeKind::ReserveId
            | TypeKind::Pipe(_) => self.pointer_size,
            // A number of dimensions; offset, global and local size in three dimensions.
            TypeKind::NdRange => self.pointer_size * 10,
            // No work-item has all of it, and none sees where: that it has a size has to do.
            TypeKind::Matrix(matrix) => {
                self.size(matrix.element) * u64::from(matrix.rows) * u64::from(matrix.columns)
            }
        }
    }

    /// Natural alignment in bytes; at least 1.
    pub fn align(&self, ty: Type) -> u64 {
        match self.kind(ty) {
            TypeKind::Array(element, _) => self.align(element),
            TypeKind::Struct(id) => self.struct_data(id).align,
            TypeKind::NdRange => self.pointer_size,
            TypeKind::Matrix(matrix) => self.size(matrix.element),
            _ => self.size(ty).max(1),
        }
    }

    /// The alignment that follows from the fields alone, which is all that a consumer of SPIR-V
    /// sees: attributes of the source may ask for more.
    pub fn natural_align(&self, ty: Type) -> u64 {
        match self.kind(ty) {
            TypeKind::Array(element, _) => self.natural_align(element),
            TypeKind::Struct(id) => self.structs[id].as_ref().map_or(1, |&(_, natural)| natural),
            TypeKind::NdRange => self.pointer_size,
            TypeKind::Matrix(matrix) => self.size(matrix.element),
            _ => self.size(ty).max(1),
        }
    }
}
