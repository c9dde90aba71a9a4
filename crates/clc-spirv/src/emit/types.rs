//! Types, declared when first used.

use clc_base::arena::Id as _;
use clc_builtins::Access;
use clc_ir::{ImageType, StorageClass, StructId, Type, TypeKind, TypePool};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{AccessQualifier, Capability, Decoration, Dim, ImageFormat, Op};

use super::{Id, ModuleEmitter};
use crate::images;

/// Function storage as an operand.
pub(super) const FUNCTION_CLASS: u32 = spirv::StorageClass::Function as u32;

/// Structs whose members are being declared, and the pointers to them met meanwhile: such a
/// pointer gets its id at once (OpTypeForwardPointer) and its declaration after the struct.
#[derive(Debug, Default)]
pub(super) struct OpenTypes {
    open: FxHashSet<StructId>,
    waiting: FxHashMap<StructId, Vec<Type>>,
}

impl ModuleEmitter<'_> {
    /// The id of a type of the IR.
    pub fn type_id(&mut self, ty: Type) -> Id {
        match self.type_ids.get(ty.index()) {
            Some(&id) if id != 0 => id,
            _ => stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.declare_type(ty)),
        }
    }

    /// Whether the module has this type so far.
    pub(super) fn is_declared(&self, ty: Type) -> bool {
        self.type_ids.get(ty.index()).is_some_and(|&id| id != 0)
    }

    /// As [`ModuleEmitter::type_id`], for the type of a value in a register: a half there needs
    /// more than a half that is only pointed to.
    pub fn value_type_id(&mut self, ty: Type) -> Id {
        let id = self.type_id(ty);
        if self.type_ids.get(TypePool::F16.index()).is_some_and(|&half| half != 0)
            && self.types.scalar(ty) == TypePool::F16
        {
            self.capability(Capability::Float16);
        }
        id
    }

    /// A type that the IR does not have, declared once: `op` and its operands.
    pub fn raw_type(&mut self, op: Op, operands: &[u32]) -> Id {
        let mut key = Vec::with_capacity(operands.len() + 1);
        key.push(op as u32);
        key.extend_from_slice(operands);
        if let Some(&id) = self.raw_types.get(&key) {
            return id;
        }
        let id = self.fresh_id();
        let start = self.declarations.begin(op);
        self.declarations.push(id);
        self.declarations.words.extend_from_slice(operands);
        self.declarations.end(start);
        self.raw_types.insert(key, id);
        id
    }

    pub fn function_type(&mut self, result: Type, params: &[Type]) -> Id {
        let mut operands = Vec::with_capacity(params.len() + 1);
        operands.push(self.value_type_id(result));
        for &param in params {
            operands.push(self.value_type_id(param));
        }
        self.raw_type(Op::TypeFunction, &operands)
    }

    pub(super) fn set_type(&mut self, ty: Type, id: Id) {
        let index = ty.index();
        if index >= self.type_ids.len() {
            // Types may be interned during emission.
            self.type_ids.resize(index + 64, 0);
        }
        self.type_ids[index] = id;
    }

    /// Writes a declaration with a fresh id.
    pub(super) fn declare(&mut self, ty: Type, op: Op, operands: &[u32]) -> Id {
        let id = self.fresh_id();
        let start = self.declarations.begin(op);
        self.declarations.push(id);
        self.declarations.words.extend_from_slice(operands);
        self.declarations.end(start);
        self.set_type(ty, id);
        id
    }

    fn declare_type(&mut self, ty: Type) -> Id {
        match self.types.kind(ty) {
            TypeKind::Void => self.declare(ty, Op::TypeVoid, &[]),
            TypeKind::Bool => self.declare(ty, Op::TypeBool, &[]),
            TypeKind::Int(bits) => {
                match bits {
                    8 => self.capability(Capability::Int8),
                    16 => self.capability(Capability::Int16),
                    64 => self.capability(Capability::Int64),
                    _ => {}
                }
                self.declare(ty, Op::TypeInt, &[u32::from(bits), 0])
            }
            TypeKind::Float(bits) => {
                match bits {
                    // Without it there is no 16-bit float in shaders at all.
                    16 if self.shader.is_some() => self.capability(Capability::Float16),
                    16 => self.capability(Capability::Float16Buffer),
                    64 => self.capability(Capability::Float64),
                    _ => {}
                }
                self.declare(ty, Op::TypeFloat, &[u32::from(bits)])
            }
            TypeKind::Vector(element, count) => {
                if count > 4 {
                    self.capability(Capability::Vector16);
                }
                let element = self.value_type_id(element);
                self.declare(ty, Op::TypeVector, &[element, u32::from(count)])
            }
            TypeKind::Array(element, len) => {
                let element = self.type_id(element);
                let length_type =
                    if len > u64::from(u32::MAX) { TypePool::I64 } else { TypePool::I32 };
                let length = self.int_constant(length_type, len);
                self.declare(ty, Op::TypeArray, &[element, length])
            }
            TypeKind::Struct(id) => self.declare_struct(ty, id),
            TypeKind::Pointer { pointee, class } => self.declare_pointer(ty, pointee, class),
            TypeKind::Image(image) => self.declare_image(ty, image),
            TypeKind::Sampler => self.declare(ty, Op::TypeSampler, &[]),
            TypeKind::Event => self.declare(ty, Op::TypeEvent, &[]),
            TypeKind::DeviceEvent => {
                self.capability(Capability::DeviceEnqueue);
                self.declare(ty, Op::TypeDeviceEvent, &[])
            }
            TypeKind::Queue => {
                self.capability(Capability::DeviceEnqueue);
                self.declare(ty, Op::TypeQueue, &[])
            }
            TypeKind::ReserveId => {
                self.capability(Capability::Pipes);
                self.declare(ty, Op::TypeReserveId, &[])
            }
            TypeKind::NdRange => {
                // The members that OpBuildNDRange asks for: dimensions, offset, global, local.
                let size_t = self.types.size_type();
                let sizes = self.types.array(size_t, 3);
                let dimensions = self.type_id(TypePool::I32);
                let sizes = self.type_id(sizes);
                let id = self.declare(ty, Op::TypeStruct, &[dimensions, sizes, sizes, sizes]);
                self.name(id, "ndrange_t");
                id
            }
            TypeKind::Matrix(matrix) => {
                let id = self.matrix_type(matrix);
                self.set_type(ty, id);
                id
            }
            TypeKind::Pipe(access) => {
                self.capability(Capability::Pipes);
                self.declare(ty, Op::TypePipe, &[access_qualifier(access) as u32])
            }
        }
    }

    fn declare_struct(&mut self, ty: Type, id: StructId) -> Id {
        let data = self.types.struct_data(id);
        let fields = data.fields.clone();
        let packed = data.packed;
        self.open_structs.open.insert(id);
        let mut members: Vec<Id> = fields.iter().map(|&field| self.type_id(field)).collect();
        if members.is_empty() && self.shader.is_some() {
            // Drivers do not expect variables of size 0. Where offsets matter, shaders have no structs.
            members.push(self.type_id(TypePool::I32));
        }
        self.open_structs.open.remove(&id);
        let struct_id = self.declare(ty, Op::TypeStruct, &members);
        if packed && self.shader.is_none() {
            self.decorate(struct_id, Decoration::CPacked, &[]);
        }
        if self.options.names {
            let data = self.types.struct_data(id);
            let (name, members) = (data.name.clone(), data.field_names.clone());
            self.name(struct_id, &name);
            for (index, member) in members.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
                let start = self.names.begin(Op::MemberName);
                self.names.words.extend_from_slice(&[struct_id, index as u32]);
                self.names.string(member);
                self.names.end(start);
            }
        }
        for pointer in self.open_structs.waiting.remove(&id).unwrap_or_default() {
            let Some((pointee, class)) = self.types.pointer_parts(pointer) else { continue };
            if let Some(open) = self.open_struct_in(pointee) {
                self.open_structs.waiting.entry(open).or_default().push(pointer);
                continue;
            }
            let pointee = self.type_id(pointee);
            let pointer = self.type_id(pointer);
            let class = self.storage_class(class);
            self.declarations.op(Op::TypePointer, &[pointer, class, pointee]);
        }
        struct_id
    }

    fn declare_pointer(&mut self, ty: Type, pointee: Type, class: StorageClass) -> Id {
        let operand = self.storage_class(class);
        if let TypeKind::Struct(_) = self.types.kind(pointee)
            && let Some(id) = self.open_struct_in(pointee)
        {
            let pointer = self.fresh_id();
            self.set_type(ty, pointer);
            self.declarations.op(Op::TypeForwardPointer, &[pointer, operand]);
            self.open_structs.waiting.entry(id).or_default().push(ty);
            return pointer;
        }
        let pointee_id = match class {
            StorageClass::ReadOnlyBuffer => self.read_only_block(pointee),
            _ => self.type_id(pointee),
        };
        match self.type_ids.get(ty.index()) {
            // The pointee contains such a pointer.
            Some(&id) if id != 0 => id,
            _ => self.declare(ty, Op::TypePointer, &[operand, pointee_id]),
        }
    }

    /// A struct that is being declared and has to be before `ty`, which has no id yet.
    fn open_struct_in(&self, ty: Type) -> Option<StructId> {
        if self.open_structs.open.is_empty() {
            return None;
        }
        let mut work = vec![ty];
        let mut seen = FxHashSet::default();
        while let Some(ty) = work.pop() {
            match self.types.kind(ty) {
                TypeKind::Struct(id) if self.open_structs.open.contains(&id) => return Some(id),
                // What has been declared has no open part.
                _ if self.type_ids.get(ty.index()).is_some_and(|&id| id != 0) => {}
                TypeKind::Struct(id) if seen.insert(id) => {
                    work.extend_from_slice(&self.types.struct_data(id).fields);
                }
                TypeKind::Array(element, _) => work.push(element),
                // Only pointers to structs can be declared before what they point to. C has no arrays of
                // incomplete types (C99 6.7.5.2p1), so that no struct has to be before itself.
                TypeKind::Pointer { pointee, .. }
                    if matches!(self.types.kind(pointee), TypeKind::Array(..)) =>
                {
                    work.push(pointee);
                }
                _ => {}
            }
        }
        None
    }

    pub(super) fn storage_class(&mut self, class: StorageClass) -> u32 {
        (match class {
            StorageClass::Function => spirv::StorageClass::Function,
            StorageClass::CrossWorkgroup => spirv::StorageClass::CrossWorkgroup,
            StorageClass::Workgroup => spirv::StorageClass::Workgroup,
            StorageClass::UniformConstant => spirv::StorageClass::UniformConstant,
            StorageClass::Generic => {
                self.capability(Capability::GenericPointer);
                spirv::StorageClass::Generic
            }
            StorageClass::Input => spirv::StorageClass::Input,
            StorageClass::Private => spirv::StorageClass::Private,
            StorageClass::PushConstant => spirv::StorageClass::PushConstant,
            StorageClass::Uniform => spirv::StorageClass::Uniform,
            StorageClass::PhysicalStorageBuffer | StorageClass::ReadOnlyBuffer => {
                spirv::StorageClass::PhysicalStorageBuffer
            }
            StorageClass::StorageBuffer => spirv::StorageClass::StorageBuffer,
        }) as u32
    }

    fn declare_image(&mut self, ty: Type, image: ImageType) -> Id {
        if let Some(texel) = image.texel {
            return self.declare_shader_image(ty, image, texel);
        }
        self.capability(Capability::ImageBasic);
        let (dim, depth, arrayed, multisampled) = images::dimensions(image.kind);
        match dim {
            Dim::Dim1D => self.capability(Capability::Sampled1D),
            Dim::DimBuffer => self.capability(Capability::SampledBuffer),
            _ => {}
        }
        if image.access == Access::ReadWrite {
            self.capability(Capability::ImageReadWrite);
        }
        let void = self.type_id(TypePool::VOID);
        self.declare(
            ty,
            Op::TypeImage,
            &[
                void,
                dim as u32,
                u32::from(depth),
                u32::from(arrayed),
                u32::from(multisampled),
                0,
                ImageFormat::Unknown as u32,
                access_qualifier(image.access) as u32,
            ],
        )
    }
}

pub(super) fn access_qualifier(access: Access) -> AccessQualifier {
    match access {
        Access::ReadOnly => AccessQualifier::ReadOnly,
        Access::WriteOnly => AccessQualifier::WriteOnly,
        Access::ReadWrite => AccessQualifier::ReadWrite,
    }
}
