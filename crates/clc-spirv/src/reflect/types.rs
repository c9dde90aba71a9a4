//! Types: their layout, and their description.

use clc_base::AddressSpace;
use clc_builtins::{Access, Scalar};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{AccessQualifier, Decoration, Dim, Op, StorageClass};

use super::description::{Member, Struct, Type, TypeKind};
use super::scan::{Scan, clipped};

/// Levels of arrays and of pointers that are described; C99 5.2.4.1 asks compilers for 12.
pub(super) const MOST_LEVELS: usize = 16;

/// Size and alignment in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    pub size: Option<u64>,
    pub align: Option<u64>,
}

impl Layout {
    fn of_size(size: u64) -> Layout {
        Layout { size: Some(size), align: Some(size.max(1)) }
    }
}

/// The types of a module.
pub(super) struct Types<'a> {
    scan: &'a Scan<'a>,
    /// The module is of kernels of OpenCL, whose layout is that of C.
    is_kernels: bool,
    /// Bytes of a pointer; `None` for logical addressing.
    pointer_size: Option<u64>,
    layouts: FxHashMap<u32, Layout>,
    /// Arrays whose length the host chooses, and what has them in it.
    specialized: FxHashSet<u32>,
    /// The structs that were described or wait for it, by index.
    ids: Vec<u32>,
    indices: FxHashMap<u32, usize>,
}

impl<'a> Types<'a> {
    /// Computes the layout of each type, in the order of the module: what a type is made of comes
    /// before it (SPIR-V 2.4), and what does not has no size.
    pub fn new(scan: &'a Scan<'a>, is_kernels: bool) -> Types<'a> {
        let pointer_size = match scan.model.unwrap_or_default()[0] {
            model if model == spirv::AddressingModel::Physical32 as u32 => Some(4),
            model if model == spirv::AddressingModel::Logical as u32 => None,
            _ => Some(8),
        };
        let mut types = Types {
            scan,
            is_kernels,
            pointer_size,
            layouts: FxHashMap::default(),
            specialized: FxHashSet::default(),
            ids: Vec::new(),
            indices: FxHashMap::default(),
        };
        for &place in &scan.types {
            let inst = scan.at(place);
            if let (Some(op), Some(&id)) = (crate::read::op(inst), inst.get(1)) {
                let layout = types.lay_out(op, id, inst).unwrap_or_default();
                types.layouts.insert(id, layout);
                if types.has_chosen_length(op, inst) {
                    types.specialized.insert(id);
                }
            }
        }
        types
    }

    pub fn layout(&self, id: u32) -> Layout {
        self.layouts.get(&id).copied().unwrap_or_default()
    }

    /// Whether specialization constants decide the size of a type.
    pub fn is_specialized(&self, id: u32) -> bool {
        self.specialized.contains(&id)
    }

    fn has_chosen_length(&self, op: Op, inst: &[u32]) -> bool {
        let parts = match op {
            Op::TypeArray => inst.get(2..3),
            Op::TypeStruct => inst.get(2..),
            _ => None,
        };
        let length = inst.get(3).filter(|_| op == Op::TypeArray);
        let length = length.and_then(|&length| self.scan.def(length));
        matches!(length, Some((Op::SpecConstant | Op::SpecConstantOp, _)))
            || parts.unwrap_or_default().iter().any(|&part| self.is_specialized(part))
    }

    fn lay_out(&self, op: Op, id: u32, inst: &[u32]) -> Option<Layout> {
        let element = || Some(self.layout(*inst.get(2)?));
        Some(match op {
            Op::TypeBool => Layout::of_size(1),
            Op::TypeInt | Op::TypeFloat => {
                Layout::of_size(u64::from(inst.get(2)?.div_ceil(8)).next_power_of_two())
            }
            Op::TypeVector => {
                let (size, count) = (element()?.size?, u64::from(*inst.get(3)?));
                // A vector of three components is aligned and, in C, as large as one of four (OpenCL C
                // 6.3.5).
                let padded = size.checked_mul(count.next_power_of_two())?;
                let size = if self.is_kernels { padded } else { size.checked_mul(count)? };
                Layout { size: Some(size), align: Some(padded.max(1)) }
            }
            Op::TypeMatrix => {
                let column = element()?;
                let size = column.align?.checked_mul(u64::from(*inst.get(3)?));
                Layout { size, align: column.align }
            }
            Op::TypeArray => {
                let element = element()?;
                let stride = self.scan.decoration(id, Decoration::ArrayStride).map(u64::from);
                let stride = stride
                    .or_else(|| element.size?.checked_next_multiple_of(element.align?.max(1)));
                let length = self.scan.constant(*inst.get(3)?)?;
                let size = stride.and_then(|stride| stride.checked_mul(length));
                Layout { size, align: element.align }
            }
            Op::TypeRuntimeArray => Layout { size: None, align: element()?.align },
            Op::TypePointer | Op::TypeForwardPointer => {
                let physical = StorageClass::PhysicalStorageBuffer as u32;
                let size = if *inst.get(2)? == physical { Some(8) } else { self.pointer_size };
                Layout::of_size(size?)
            }
            Op::TypeStruct => self.struct_layout(id, inst, &mut |_, _| {}),
            _ => Layout::default(),
        })
    }

    /// The layout of a struct. Calls `member` with the index and the offset of each.
    fn struct_layout(
        &self,
        id: u32,
        inst: &[u32],
        member: &mut dyn FnMut(usize, Option<u64>),
    ) -> Layout {
        let is_packed = self.scan.decorations(id, Decoration::CPacked).next().is_some();
        let (mut size, mut align) = (Some(0u64), Some(1u64));
        for (index, &ty) in inst.get(2..).unwrap_or_default().iter().enumerate() {
            let layout = self.layout(ty);
            let own = if is_packed { Some(1) } else { layout.align };
            let stated = self.scan.member_decoration(id, index as u32, Decoration::Offset);
            let offset = match stated {
                Some(offset) => Some(u64::from(offset)),
                None => (|| size?.checked_next_multiple_of(own?.max(1)))(),
            };
            member(index, offset);
            let end = (|| offset?.checked_add(layout.size?))();
            // Members may be in any order where their offsets are stated.
            size =
                if stated.is_some() { end.zip(size).map(|(end, size)| end.max(size)) } else { end };
            align = align.zip(own).map(|(align, own)| align.max(own));
        }
        let size = (|| size?.checked_next_multiple_of(align?))();
        Layout { size, align }
    }

    /// A type in parts.
    pub fn describe(&mut self, id: u32) -> Type {
        self.describe_level(id, 0)
    }

    fn describe_level(&mut self, id: u32, level: usize) -> Type {
        let Layout { size, align } = self.layout(id);
        let (mut dims, mut base) = (Vec::new(), id);
        while let Some((op @ (Op::TypeArray | Op::TypeRuntimeArray), inst)) = self.scan.def(base) {
            if dims.len() == MOST_LEVELS {
                break;
            }
            let length = inst.get(3).filter(|_| op == Op::TypeArray);
            dims.push(length.and_then(|&length| self.scan.constant(length)).unwrap_or_default());
            base = inst.get(2).copied().unwrap_or_default();
        }
        Type { kind: self.kind(base, level), dims, size, align }
    }

    fn kind(&mut self, id: u32, level: usize) -> TypeKind {
        let Some((op, inst)) = self.scan.def(id) else { return TypeKind::Opaque("?".to_owned()) };
        let word = |index: usize| inst.get(index).copied().unwrap_or_default();
        match op {
            Op::TypeVoid => TypeKind::Void,
            Op::TypeBool | Op::TypeInt | Op::TypeFloat => match self.scalar(id) {
                Some(scalar) => TypeKind::Scalar(scalar),
                None if op == Op::TypeInt => TypeKind::Opaque(format!("int{}", word(2))),
                None => TypeKind::Opaque(format!("float{}", word(2))),
            },
            Op::TypeVector => match self.scalar(word(2)) {
                Some(scalar) => TypeKind::Vector(scalar, word(3)),
                None => TypeKind::Opaque("vector".to_owned()),
            },
            Op::TypeMatrix => TypeKind::Opaque(self.matrix(inst)),
            Op::TypeStruct => TypeKind::Struct(self.index(id)),
            Op::TypePointer => {
                let pointee = (level < MOST_LEVELS)
                    .then(|| Box::new(self.describe_level(word(3), level + 1)));
                TypeKind::Pointer { space: space_of(word(2)), pointee }
            }
            Op::TypeImage => TypeKind::Opaque(image_name(inst)),
            Op::TypeSampledImage => match self.scan.def(word(2)) {
                Some((Op::TypeImage, image)) => {
                    TypeKind::Opaque(format!("sampled {}", image_name(image)))
                }
                _ => TypeKind::Opaque("sampled image".to_owned()),
            },
            Op::TypeSampler => TypeKind::Opaque("sampler_t".to_owned()),
            Op::TypePipe => TypeKind::Opaque("pipe".to_owned()),
            Op::TypeQueue => TypeKind::Opaque("queue_t".to_owned()),
            Op::TypeEvent => TypeKind::Opaque("event_t".to_owned()),
            Op::TypeDeviceEvent => TypeKind::Opaque("clk_event_t".to_owned()),
            Op::TypeReserveId => TypeKind::Opaque("reserve_id_t".to_owned()),
            Op::TypeOpaque => {
                let name = inst.get(2..).and_then(crate::read::string);
                TypeKind::Opaque(name.map_or_else(String::new, |(name, _)| clipped(name)))
            }
            op => TypeKind::Opaque(format!("{op:?}").trim_start_matches("Type").to_owned()),
        }
    }

    /// The scalar type that a type is.
    pub fn scalar(&self, id: u32) -> Option<Scalar> {
        Some(match self.scan.def(id)? {
            (Op::TypeBool, _) => Scalar::Bool,
            (Op::TypeInt, &[_, _, width, signed, ..]) => {
                let scalar = match width {
                    8 => Scalar::UChar,
                    16 => Scalar::UShort,
                    32 => Scalar::UInt,
                    64 => Scalar::ULong,
                    _ => return None,
                };
                if signed == 1 { scalar.to_signed() } else { scalar }
            }
            // With more operands it has another format than that of IEEE 754.
            (Op::TypeFloat, &[_, _, width]) => match width {
                16 => Scalar::Half,
                32 => Scalar::Float,
                64 => Scalar::Double,
                _ => return None,
            },
            _ => return None,
        })
    }

    fn matrix(&self, inst: &[u32]) -> String {
        let columns = inst.get(3).copied().unwrap_or_default();
        match inst.get(2).and_then(|&column| self.scan.def(column)) {
            Some((Op::TypeVector, &[_, _, _, rows, ..])) => format!("matrix{columns}x{rows}"),
            _ => "matrix".to_owned(),
        }
    }

    /// The index of a struct, which is described later.
    fn index(&mut self, id: u32) -> usize {
        *self.indices.entry(id).or_insert_with(|| {
            self.ids.push(id);
            self.ids.len() - 1
        })
    }

    /// The structs that types were described by, and those in them.
    pub fn structs(&mut self) -> Vec<Struct> {
        let mut structs = Vec::new();
        while let Some(&id) = self.ids.get(structs.len()) {
            structs.push(self.describe_struct(id));
        }
        structs
    }

    fn describe_struct(&mut self, id: u32) -> Struct {
        let Some((_, inst)) = self.scan.def(id) else { return Struct::default() };
        let mut offsets = Vec::new();
        let Layout { size, align } =
            self.struct_layout(id, inst, &mut |_, offset| offsets.push(offset));
        let types = inst.get(2..).unwrap_or_default();
        let members = types.iter().zip(offsets).enumerate().map(|(index, (&ty, offset))| Member {
            name: self.scan.member_name(id, index as u32),
            offset,
            ty: self.describe(ty),
        });
        let members = members.collect();
        let name = self.scan.name(id);
        // As LLVM and this compiler name the types of C.
        let is_union = name.starts_with("union.");
        let name = ["struct.", "union.", "class."]
            .iter()
            .find_map(|prefix| name.strip_prefix(prefix))
            .unwrap_or(&name);
        let name = if name == "anon" { "" } else { name };
        Struct { name: name.to_owned(), is_typedef: false, is_union, size, align, members }
    }
}

/// The address space that a storage class stands for.
pub(super) fn space_of(class: u32) -> AddressSpace {
    match StorageClass::from_u32(class) {
        Some(
            StorageClass::CrossWorkgroup
            | StorageClass::StorageBuffer
            | StorageClass::PhysicalStorageBuffer,
        ) => AddressSpace::Global,
        Some(
            StorageClass::UniformConstant | StorageClass::Uniform | StorageClass::PushConstant,
        ) => AddressSpace::Constant,
        Some(StorageClass::Workgroup) => AddressSpace::Local,
        Some(StorageClass::Generic) => AddressSpace::Generic,
        _ => AddressSpace::Private,
    }
}

/// The access qualifier with a number.
pub(super) fn access_of(qualifier: u32) -> Option<Access> {
    Some(match AccessQualifier::from_u32(qualifier)? {
        AccessQualifier::ReadOnly => Access::ReadOnly,
        AccessQualifier::WriteOnly => Access::WriteOnly,
        AccessQualifier::ReadWrite => Access::ReadWrite,
    })
}

/// `image2d_array_depth_t`, by the operands of OpTypeImage.
fn image_name(inst: &[u32]) -> String {
    let word = |index: usize| inst.get(index).copied().unwrap_or_default();
    let dimensions = match Dim::from_u32(word(3)) {
        Some(Dim::Dim1D) => "1d",
        Some(Dim::Dim2D) => "2d",
        Some(Dim::Dim3D) => "3d",
        Some(Dim::DimCube) => "_cube",
        Some(Dim::DimRect) => "_rect",
        Some(Dim::DimBuffer) => "1d_buffer",
        Some(Dim::DimSubpassData) => "_subpass",
        _ => "_other",
    };
    let mut name = format!("image{dimensions}");
    for (index, suffix) in [(5, "_array"), (6, "_msaa"), (4, "_depth")] {
        if word(index) == 1 {
            name.push_str(suffix);
        }
    }
    name + "_t"
}
