//! Which versions, extensions and features a builtin needs.

use clc_base::Version;

use crate::features::{self as f, Extension};
use crate::types::Environment;

/// A builtin exists where any of the alternatives holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard(pub &'static [Alternative]);

/// Versions `since..=until`, with all of `needs` in the environment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alternative {
    pub since: Version,
    pub until: Version,
    pub needs: &'static [Extension],
}

impl Guard {
    pub fn holds(&self, environment: &Environment<'_>) -> bool {
        self.0.iter().any(|alternative| {
            environment.version >= alternative.since
                && environment.version <= alternative.until
                && alternative.needs.iter().all(|&need| environment.extensions.contains(need))
        })
    }
}

/// From `since` on, with all of `needs`.
pub(crate) const fn from(since: Version, needs: &'static [Extension]) -> Alternative {
    Alternative { since, until: V3_1, needs }
}

/// In `version` alone, with all of `needs`.
pub(crate) const fn only(version: Version, needs: &'static [Extension]) -> Alternative {
    Alternative { since: version, until: version, needs }
}

use Version::{V1_0, V1_1, V1_2, V2_0, V3_0, V3_1};

pub(crate) const ALWAYS: Guard = Guard(&[from(V1_0, &[])]);
pub(crate) const SINCE_1_1: Guard = Guard(&[from(V1_1, &[])]);
pub(crate) const SINCE_1_2: Guard = Guard(&[from(V1_2, &[])]);
pub(crate) const SINCE_2_0: Guard = Guard(&[from(V2_0, &[])]);
pub(crate) const PRINTF: Guard =
    Guard(&[from(V1_2, &[]), from(V1_0, &[f::AMD_PRINTF]), from(V1_0, &[f::INTEL_PRINTF])]);

/// Core from 1.1 on, before through the extension.
pub(crate) const GLOBAL_BASE_ATOMICS: Guard =
    Guard(&[from(V1_1, &[]), from(V1_0, &[f::GLOBAL_INT32_BASE_ATOMICS])]);
pub(crate) const INT64_BASE_ATOMICS: Guard = Guard(&[from(V1_0, &[f::INT64_BASE_ATOMICS])]);
pub(crate) const INT64_EXTENDED_ATOMICS: Guard = Guard(&[from(V1_0, &[f::INT64_EXTENDED_ATOMICS])]);

pub(crate) const GENERIC_ADDRESS_SPACE: Guard =
    Guard(&[only(V2_0, &[]), from(V3_0, &[f::FEATURE_GENERIC_ADDRESS_SPACE])]);
pub(crate) const COLLECTIVES: Guard =
    Guard(&[only(V2_0, &[]), from(V3_0, &[f::FEATURE_WORK_GROUP_COLLECTIVE_FUNCTIONS])]);
pub(crate) const COOPERATIVE_MATRIX: Guard = Guard(&[from(V1_0, &[f::COOPERATIVE_MATRIX])]);
pub(crate) const PIPES: Guard = Guard(&[only(V2_0, &[]), from(V3_0, &[f::FEATURE_PIPES])]);
pub(crate) const SUBGROUP_PIPES: Guard =
    Guard(&[only(V2_0, &[f::SUBGROUPS]), from(V3_0, &[f::FEATURE_SUBGROUPS, f::FEATURE_PIPES])]);
pub(crate) const DEVICE_ENQUEUE: Guard =
    Guard(&[only(V2_0, &[]), from(V3_0, &[f::FEATURE_DEVICE_ENQUEUE])]);
pub(crate) const SUBGROUP_ENQUEUE: Guard = Guard(&[
    only(V2_0, &[f::SUBGROUPS]),
    from(V3_0, &[f::FEATURE_SUBGROUPS, f::FEATURE_DEVICE_ENQUEUE]),
]);
pub(crate) const UNIFORM_ARITHMETIC: Guard =
    Guard(&[from(V2_0, &[f::WORK_GROUP_UNIFORM_ARITHMETIC])]);

pub(crate) const IMAGES_3D_WRITES: Guard = Guard(&[
    only(V2_0, &[]),
    from(V1_0, &[f::IMAGES_3D_WRITES]),
    from(V3_0, &[f::FEATURE_3D_IMAGE_WRITES]),
]);
pub(crate) const READ_WRITE_IMAGES: Guard =
    Guard(&[only(V2_0, &[]), from(V3_0, &[f::FEATURE_READ_WRITE_IMAGES])]);
pub(crate) const DEPTH_IMAGES: Guard = Guard(&[from(V2_0, &[]), from(V1_2, &[f::DEPTH_IMAGES])]);
pub(crate) const MSAA_IMAGES: Guard = Guard(&[from(V1_2, &[f::GL_MSAA_SHARING])]);
pub(crate) const MIPMAPS: Guard = Guard(&[from(V2_0, &[f::MIPMAP_IMAGE])]);
pub(crate) const MIPMAP_WRITES: Guard = Guard(&[from(V2_0, &[f::MIPMAP_IMAGE_WRITES])]);
pub(crate) const HALF_IMAGES: Guard = Guard(&[from(V1_0, &[f::FP16])]);
pub(crate) const HALF_IMAGES_1_2: Guard = Guard(&[from(V1_2, &[f::FP16])]);

pub(crate) const SUBGROUPS: Guard = Guard(&[
    from(V1_2, &[f::SUBGROUPS]),
    from(V3_0, &[f::FEATURE_SUBGROUPS]),
    from(V1_2, &[f::INTEL_SUBGROUPS]),
]);
/// Not part of cl_intel_subgroups.
pub(crate) const KHR_SUBGROUPS: Guard =
    Guard(&[from(V2_0, &[f::SUBGROUPS]), from(V3_0, &[f::FEATURE_SUBGROUPS])]);
pub(crate) const SUBGROUP_EXTENDED_TYPES: Guard =
    Guard(&[from(V2_0, &[f::SUBGROUP_EXTENDED_TYPES]), from(V3_1, &[f::FEATURE_SUBGROUPS])]);
pub(crate) const SUBGROUP_VOTE: Guard = Guard(&[from(V2_0, &[f::SUBGROUP_NON_UNIFORM_VOTE])]);
/// `sub_group_elect` belongs to two extensions.
pub(crate) const SUBGROUP_ELECT: Guard =
    Guard(&[from(V2_0, &[f::SUBGROUP_NON_UNIFORM_VOTE]), from(V2_0, &[f::SUBGROUP_BALLOT])]);
pub(crate) const SUBGROUP_BALLOT: Guard = Guard(&[from(V2_0, &[f::SUBGROUP_BALLOT])]);
pub(crate) const SUBGROUP_ARITHMETIC: Guard =
    Guard(&[from(V2_0, &[f::SUBGROUP_NON_UNIFORM_ARITHMETIC])]);
pub(crate) const SUBGROUP_CLUSTERED: Guard = Guard(&[from(V2_0, &[f::SUBGROUP_CLUSTERED_REDUCE])]);
pub(crate) const SUBGROUP_SHUFFLE: Guard =
    Guard(&[from(V2_0, &[f::SUBGROUP_SHUFFLE]), from(V3_1, &[f::FEATURE_SUBGROUPS])]);
pub(crate) const SUBGROUP_SHUFFLE_RELATIVE: Guard =
    Guard(&[from(V2_0, &[f::SUBGROUP_SHUFFLE_RELATIVE]), from(V3_1, &[f::FEATURE_SUBGROUPS])]);
pub(crate) const SUBGROUP_ROTATE: Guard =
    Guard(&[from(V2_0, &[f::SUBGROUP_ROTATE]), from(V3_1, &[f::FEATURE_SUBGROUPS])]);
pub(crate) const INTEL_SUBGROUPS: Guard = Guard(&[from(V1_2, &[f::INTEL_SUBGROUPS])]);
pub(crate) const INTEL_SUBGROUPS_CHAR: Guard = Guard(&[from(V1_2, &[f::INTEL_SUBGROUPS_CHAR])]);
pub(crate) const INTEL_SUBGROUPS_SHORT: Guard = Guard(&[from(V1_2, &[f::INTEL_SUBGROUPS_SHORT])]);
pub(crate) const INTEL_SUBGROUPS_LONG: Guard = Guard(&[from(V1_2, &[f::INTEL_SUBGROUPS_LONG])]);
pub(crate) const BFLOAT16_CONVERSIONS: Guard =
    Guard(&[from(V1_2, &[f::INTEL_BFLOAT16_CONVERSIONS])]);
pub(crate) const SPLIT_BARRIER: Guard = Guard(&[from(V1_2, &[f::INTEL_SPLIT_WORK_GROUP_BARRIER])]);

pub(crate) const EXTENDED_BIT_OPS: Guard =
    Guard(&[from(V3_1, &[]), from(V1_0, &[f::EXTENDED_BIT_OPS])]);
pub(crate) const DOT_PRODUCT: Guard = Guard(&[
    from(V3_1, &[]),
    from(V1_0, &[f::INTEGER_DOT_PRODUCT, f::FEATURE_INTEGER_DOT_PRODUCT_INPUT_4X8BIT]),
]);
pub(crate) const DOT_PRODUCT_PACKED: Guard = Guard(&[
    from(V3_1, &[]),
    from(V1_0, &[f::INTEGER_DOT_PRODUCT, f::FEATURE_INTEGER_DOT_PRODUCT_INPUT_4X8BIT_PACKED]),
]);
pub(crate) const ARM_DOT: Guard = Guard(&[from(V1_2, &[f::ARM_INTEGER_DOT_PRODUCT_INT8])]);
pub(crate) const ARM_DOT_ACC: Guard =
    Guard(&[from(V1_2, &[f::ARM_INTEGER_DOT_PRODUCT_ACCUMULATE_INT8])]);
pub(crate) const ARM_DOT_ACC_16: Guard =
    Guard(&[from(V1_2, &[f::ARM_INTEGER_DOT_PRODUCT_ACCUMULATE_INT16])]);
pub(crate) const ARM_DOT_ACC_SAT: Guard =
    Guard(&[from(V1_2, &[f::ARM_INTEGER_DOT_PRODUCT_ACCUMULATE_SATURATE_INT8])]);
pub(crate) const EXTENDED_ASYNC_COPIES: Guard = Guard(&[from(V1_0, &[f::EXTENDED_ASYNC_COPIES])]);
pub(crate) const ASYNC_COPY_FENCE: Guard = Guard(&[from(V1_0, &[f::ASYNC_WORK_GROUP_COPY_FENCE])]);
pub(crate) const AMD_MEDIA_OPS: Guard = Guard(&[from(V1_0, &[f::AMD_MEDIA_OPS])]);
pub(crate) const AMD_MEDIA_OPS2: Guard = Guard(&[from(V1_0, &[f::AMD_MEDIA_OPS2])]);
pub(crate) const CLOCK_DEVICE: Guard =
    Guard(&[from(V1_0, &[f::KERNEL_CLOCK, f::FEATURE_KERNEL_CLOCK_SCOPE_DEVICE])]);
pub(crate) const CLOCK_WORK_GROUP: Guard =
    Guard(&[from(V1_0, &[f::KERNEL_CLOCK, f::FEATURE_KERNEL_CLOCK_SCOPE_WORK_GROUP])]);
pub(crate) const CLOCK_SUB_GROUP: Guard =
    Guard(&[from(V1_0, &[f::KERNEL_CLOCK, f::FEATURE_KERNEL_CLOCK_SCOPE_SUB_GROUP])]);
