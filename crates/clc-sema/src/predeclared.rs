//! The names that the language declares before the program begins.

use clc_base::{Span, Version};

use crate::context::{Entity, Sema};
use crate::scopes::Binding;
use crate::types::{Access, ImageKind, Scalar, Type, TypeId, TypeTable};

/// A predeclared type and what it takes to be there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Predeclared {
    pub ty: TypeId,
    /// The first version that has it.
    pub since: Version,
    /// `size_t` and the like: their size is the device's, so hosts cannot pass them.
    pub is_host_sized: bool,
}

/// `memory_scope_sub_group`
pub(crate) const SUB_GROUP_SCOPE: i64 = 4;

/// Enumerators of `memory_order` and `memory_scope` with the values used in every later stage.
const ENUMERATORS: &[(&str, i64)] = &[
    ("memory_order_relaxed", 0),
    ("memory_order_acquire", 2),
    ("memory_order_release", 3),
    ("memory_order_acq_rel", 4),
    ("memory_order_seq_cst", 5),
    ("memory_scope_work_item", 0),
    ("memory_scope_work_group", 1),
    ("memory_scope_device", 2),
    ("memory_scope_all_svm_devices", 3),
    ("memory_scope_all_devices", 3),
    ("memory_scope_sub_group", SUB_GROUP_SCOPE),
];

impl Sema<'_> {
    /// Binds the predeclared enumerators that the program mentions.
    pub(crate) fn predeclare(&mut self) {
        if self.options.version < Version::V2_0 {
            return;
        }
        for &(name, value) in ENUMERATORS {
            // A name that was never interned is in no token.
            if let Some(symbol) = self.interner.get(name) {
                let entity = Entity::EnumConstant { value, ty: TypeTable::INT };
                let binding = Binding::new(entity, Span::NONE);
                self.scopes.names.entry(symbol).or_default().push((0, binding));
            }
        }
    }

    /// The type that the language predeclares under `name`, in any version.
    pub(crate) fn predeclared_type(&mut self, name: &str) -> Option<Predeclared> {
        let types = &mut self.module.types;
        let (mut since, mut is_host_sized) = (Version::V1_0, false);
        let ty = match name {
            "size_t" | "uintptr_t" => {
                is_host_sized = true;
                types.size_type()
            }
            "ptrdiff_t" | "intptr_t" => {
                is_host_sized = true;
                types.difference_type()
            }
            "sampler_t" => TypeTable::SAMPLER,
            "event_t" => TypeTable::EVENT,
            "cl_mem_fence_flags" => TypeTable::UINT,
            "memory_order" | "memory_scope" | "kernel_enqueue_flags_t" | "clk_profiling_info" => {
                since = Version::V2_0;
                TypeTable::INT
            }
            "queue_t" | "clk_event_t" | "ndrange_t" | "reserve_id_t" => {
                since = Version::V2_0;
                types.intern(match name {
                    "queue_t" => Type::Queue,
                    "clk_event_t" => Type::ClkEvent,
                    "ndrange_t" => Type::NdRange,
                    _ => Type::ReserveId,
                })
            }
            _ => {
                if let Some(rest) = name.strip_prefix("atomic_") {
                    since = Version::V2_0;
                    let scalar = match rest {
                        "int" => Scalar::Int,
                        "uint" => Scalar::UInt,
                        "long" => Scalar::Long,
                        "ulong" => Scalar::ULong,
                        "float" => Scalar::Float,
                        "double" => Scalar::Double,
                        "half" => Scalar::Half,
                        "size_t" | "uintptr_t" if types.pointer_size == 4 => Scalar::UInt,
                        "size_t" | "uintptr_t" => Scalar::ULong,
                        "ptrdiff_t" | "intptr_t" if types.pointer_size == 4 => Scalar::Int,
                        "ptrdiff_t" | "intptr_t" => Scalar::Long,
                        "flag" => {
                            let ty = types.intern(Type::AtomicFlag);
                            return Some(Predeclared { ty, since, is_host_sized });
                        }
                        _ => return None,
                    };
                    types.intern(Type::Atomic(scalar))
                } else if let Some((kind, first)) = image_kind(name) {
                    since = first;
                    types.intern(Type::Image(kind, Access::ReadOnly))
                } else {
                    let (scalar, count) = scalar_or_vector(name)?;
                    if count == 3 {
                        since = Version::V1_1;
                    }
                    types.vector_or_scalar(scalar, count)
                }
            }
        };
        Some(Predeclared { ty, since, is_host_sized })
    }
}

/// `float4` is (Float, 4), `uint` is (UInt, 1).
fn scalar_or_vector(name: &str) -> Option<(Scalar, u8)> {
    let digits = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
    let (element, count) = name.split_at(digits);
    let count = match count {
        "" => 1,
        "2" => 2,
        "3" => 3,
        "4" => 4,
        "8" => 8,
        "16" => 16,
        _ => return None,
    };
    let scalar = match element {
        "char" => Scalar::Char,
        "uchar" => Scalar::UChar,
        "short" => Scalar::Short,
        "ushort" => Scalar::UShort,
        "int" => Scalar::Int,
        "uint" => Scalar::UInt,
        "long" => Scalar::Long,
        "ulong" => Scalar::ULong,
        "half" => Scalar::Half,
        "float" => Scalar::Float,
        "double" => Scalar::Double,
        _ => return None,
    };
    Some((scalar, count))
}

/// An image type by name, and the first version that has it.
fn image_kind(name: &str) -> Option<(ImageKind, Version)> {
    Some(match name {
        "image2d_t" => (ImageKind::Image2d, Version::V1_0),
        "image3d_t" => (ImageKind::Image3d, Version::V1_0),
        "image1d_t" => (ImageKind::Image1d, Version::V1_2),
        "image1d_buffer_t" => (ImageKind::Image1dBuffer, Version::V1_2),
        "image1d_array_t" => (ImageKind::Image1dArray, Version::V1_2),
        "image2d_array_t" => (ImageKind::Image2dArray, Version::V1_2),
        "image2d_depth_t" => (ImageKind::Image2dDepth, Version::V1_2),
        "image2d_array_depth_t" => (ImageKind::Image2dArrayDepth, Version::V1_2),
        "image2d_msaa_t" => (ImageKind::Image2dMsaa, Version::V1_2),
        "image2d_array_msaa_t" => (ImageKind::Image2dArrayMsaa, Version::V1_2),
        "image2d_msaa_depth_t" => (ImageKind::Image2dMsaaDepth, Version::V1_2),
        "image2d_array_msaa_depth_t" => (ImageKind::Image2dArrayMsaaDepth, Version::V1_2),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vector_names_have_the_five_lengths() {
        assert_eq!(scalar_or_vector("float16"), Some((Scalar::Float, 16)));
        assert_eq!(scalar_or_vector("ulong"), Some((Scalar::ULong, 1)));
        assert_eq!(scalar_or_vector("int5"), None);
        assert_eq!(scalar_or_vector("bool2"), None);
        assert_eq!(scalar_or_vector("4"), None);
    }
}
