//! Extensions (`cl_khr_*` and vendors') and optional features (`__opencl_c_*`) with their
//! versions.

use clc_base::Version;

/// An extension or feature; an index into the table of this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Extension(pub u16);

impl Extension {
    /// `cl_khr_fp16`
    pub fn name(self) -> &'static str {
        NAMES[self.0 as usize]
    }

    /// The first version of OpenCL C that it may exist in.
    pub fn since(self) -> Version {
        self.info().since
    }

    /// The row of the table.
    pub(crate) fn info(self) -> &'static Info {
        &TABLE[self.0 as usize]
    }

    /// Every extension and feature, in index order.
    pub fn all() -> impl Iterator<Item = Extension> {
        (0..TABLE.len() as u16).map(Extension)
    }
}

/// A set of extensions and features.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExtensionSet {
    bits: [u64; 4],
}

impl ExtensionSet {
    /// Whether `extension` is a member.
    pub fn contains(&self, extension: Extension) -> bool {
        self.bits[extension.0 as usize / 64] >> (extension.0 % 64) & 1 != 0
    }

    /// Adds `extension`.
    pub fn insert(&mut self, extension: Extension) {
        self.bits[extension.0 as usize / 64] |= 1 << (extension.0 % 64);
    }

    /// Takes `extension` out, if it is a member.
    pub fn remove(&mut self, extension: Extension) {
        self.bits[extension.0 as usize / 64] &= !(1 << (extension.0 % 64));
    }

    /// The members, in index order.
    pub fn iter(&self) -> impl Iterator<Item = Extension> + '_ {
        Extension::all().filter(|&extension| self.contains(extension))
    }
}

/// Whether the default environment has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Availability {
    /// Supported by the default OpenCL target: its macro is predefined.
    On,
    /// Known, so that `#pragma OPENCL EXTENSION` and `-cl-ext` accept the name; not supported
    /// unless asked for. Most of these only concern the host API.
    Off,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Info {
    /// The first OpenCL C version it may exist in.
    pub since: Version,
    /// Whether the default OpenCL target supports it.
    pub availability: Availability,
}

/// Which back end the program is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// SPIR-V for OpenCL drivers (kernels).
    OpenCl,
    /// SPIR-V for Vulkan drivers (compute shaders).
    Vulkan,
}

macro_rules! extensions {
    ($($(#[$meta:meta])* $constant:ident = $name:literal, $since:ident, $availability:ident;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u16)]
        enum Index { $($constant),* }

        $(
            #[doc = concat!("`", $name, "`")]
            $(#[$meta])*
            pub const $constant: Extension = Extension(Index::$constant as u16);
        )*

        /// Every extension and feature by name, in index order.
        pub const NAMES: &[&str] = &[$($name),*];

        /// Parallel to [`NAMES`].
        static TABLE: &[Info] = &[$(Info {
            since: Version::$since,
            availability: Availability::$availability,
        }),*];
    };
}

extensions! {
    // Data types.
    FP16 = "cl_khr_fp16", V1_0, On;
    FP64 = "cl_khr_fp64", V1_0, On;
    BYTE_ADDRESSABLE_STORE = "cl_khr_byte_addressable_store", V1_0, On;
    SELECT_FPROUNDING_MODE = "cl_khr_select_fprounding_mode", V1_0, Off;

    // Atomics.
    GLOBAL_INT32_BASE_ATOMICS = "cl_khr_global_int32_base_atomics", V1_0, On;
    GLOBAL_INT32_EXTENDED_ATOMICS = "cl_khr_global_int32_extended_atomics", V1_0, On;
    LOCAL_INT32_BASE_ATOMICS = "cl_khr_local_int32_base_atomics", V1_0, On;
    LOCAL_INT32_EXTENDED_ATOMICS = "cl_khr_local_int32_extended_atomics", V1_0, On;
    INT64_BASE_ATOMICS = "cl_khr_int64_base_atomics", V1_0, On;
    INT64_EXTENDED_ATOMICS = "cl_khr_int64_extended_atomics", V1_0, On;
    EXT_FLOAT_ATOMICS = "cl_ext_float_atomics", V2_0, On;

    // Images.
    IMAGES_3D_WRITES = "cl_khr_3d_image_writes", V1_0, On;
    DEPTH_IMAGES = "cl_khr_depth_images", V1_2, On;
    GL_MSAA_SHARING = "cl_khr_gl_msaa_sharing", V1_2, On;
    GL_DEPTH_IMAGES = "cl_khr_gl_depth_images", V1_2, Off;
    MIPMAP_IMAGE = "cl_khr_mipmap_image", V2_0, On;
    MIPMAP_IMAGE_WRITES = "cl_khr_mipmap_image_writes", V2_0, On;
    SRGB_IMAGE_WRITES = "cl_khr_srgb_image_writes", V2_0, On;
    IMAGE2D_FROM_BUFFER = "cl_khr_image2d_from_buffer", V1_2, Off;
    EXT_IMAGE_RAW10_RAW12 = "cl_ext_image_raw10_raw12", V1_2, Off;
    EXT_IMAGE_UNORM_INT_2_101010 = "cl_ext_image_unorm_int_2_101010", V1_2, Off;
    EXT_IMAGE_UNSIGNED_10X6_12X4_14X2 = "cl_ext_image_unsigned_10x6_12x4_14x2", V1_2, Off;

    // Groups.
    SUBGROUPS = "cl_khr_subgroups", V2_0, On;
    SUBGROUP_EXTENDED_TYPES = "cl_khr_subgroup_extended_types", V2_0, On;
    SUBGROUP_NON_UNIFORM_VOTE = "cl_khr_subgroup_non_uniform_vote", V2_0, On;
    SUBGROUP_BALLOT = "cl_khr_subgroup_ballot", V2_0, On;
    SUBGROUP_NON_UNIFORM_ARITHMETIC = "cl_khr_subgroup_non_uniform_arithmetic", V2_0, On;
    SUBGROUP_SHUFFLE = "cl_khr_subgroup_shuffle", V2_0, On;
    SUBGROUP_SHUFFLE_RELATIVE = "cl_khr_subgroup_shuffle_relative", V2_0, On;
    SUBGROUP_CLUSTERED_REDUCE = "cl_khr_subgroup_clustered_reduce", V2_0, On;
    SUBGROUP_ROTATE = "cl_khr_subgroup_rotate", V2_0, On;
    SUBGROUP_NAMED_BARRIER = "cl_khr_subgroup_named_barrier", V2_0, Off;
    WORK_GROUP_UNIFORM_ARITHMETIC = "cl_khr_work_group_uniform_arithmetic", V2_0, On;

    // Arithmetic and hints.
    EXTENDED_BIT_OPS = "cl_khr_extended_bit_ops", V1_0, On;
    INTEGER_DOT_PRODUCT = "cl_khr_integer_dot_product", V1_0, On;
    EXPECT_ASSUME = "cl_khr_expect_assume", V1_0, On;
    KERNEL_CLOCK = "cl_khr_kernel_clock", V1_0, On;

    // A draft: no device has it by default.
    COOPERATIVE_MATRIX = "cl_khr_cooperative_matrix", V1_0, Off;

    // Copies.
    EXTENDED_ASYNC_COPIES = "cl_khr_extended_async_copies", V1_0, On;
    ASYNC_WORK_GROUP_COPY_FENCE = "cl_khr_async_work_group_copy_fence", V1_0, On;
    DEVICE_ENQUEUE_LOCAL_ARG_TYPES = "cl_khr_device_enqueue_local_arg_types", V2_0, Off;

    // Optional features of OpenCL C 3.x. Those that OpenCL C 2.0 requires are defined there too.
    FEATURE_3D_IMAGE_WRITES = "__opencl_c_3d_image_writes", V3_0, On;
    FEATURE_ATOMIC_ORDER_ACQ_REL = "__opencl_c_atomic_order_acq_rel", V2_0, On;
    FEATURE_ATOMIC_ORDER_SEQ_CST = "__opencl_c_atomic_order_seq_cst", V2_0, On;
    FEATURE_ATOMIC_SCOPE_DEVICE = "__opencl_c_atomic_scope_device", V2_0, On;
    FEATURE_ATOMIC_SCOPE_ALL_DEVICES = "__opencl_c_atomic_scope_all_devices", V2_0, On;
    FEATURE_DEVICE_ENQUEUE = "__opencl_c_device_enqueue", V2_0, On;
    FEATURE_FP64 = "__opencl_c_fp64", V3_0, On;
    FEATURE_GENERIC_ADDRESS_SPACE = "__opencl_c_generic_address_space", V2_0, On;
    FEATURE_IMAGES = "__opencl_c_images", V2_0, On;
    FEATURE_INT64 = "__opencl_c_int64", V1_0, On;
    FEATURE_PIPES = "__opencl_c_pipes", V2_0, On;
    FEATURE_PROGRAM_SCOPE_GLOBAL_VARIABLES = "__opencl_c_program_scope_global_variables", V2_0, On;
    FEATURE_READ_WRITE_IMAGES = "__opencl_c_read_write_images", V2_0, On;
    FEATURE_SUBGROUPS = "__opencl_c_subgroups", V3_0, On;
    FEATURE_WORK_GROUP_COLLECTIVE_FUNCTIONS = "__opencl_c_work_group_collective_functions", V2_0, On;
    FEATURE_INTEGER_DOT_PRODUCT_INPUT_4X8BIT =
        "__opencl_c_integer_dot_product_input_4x8bit", V1_0, On;
    FEATURE_INTEGER_DOT_PRODUCT_INPUT_4X8BIT_PACKED =
        "__opencl_c_integer_dot_product_input_4x8bit_packed", V1_0, On;
    FEATURE_KERNEL_CLOCK_SCOPE_DEVICE = "__opencl_c_kernel_clock_scope_device", V2_0, On;
    FEATURE_KERNEL_CLOCK_SCOPE_WORK_GROUP = "__opencl_c_kernel_clock_scope_work_group", V2_0, On;
    FEATURE_KERNEL_CLOCK_SCOPE_SUB_GROUP = "__opencl_c_kernel_clock_scope_sub_group", V2_0, On;
    FEATURE_EXT_FP16_GLOBAL_ATOMIC_LOAD_STORE =
        "__opencl_c_ext_fp16_global_atomic_load_store", V2_0, On;
    FEATURE_EXT_FP16_LOCAL_ATOMIC_LOAD_STORE =
        "__opencl_c_ext_fp16_local_atomic_load_store", V2_0, On;
    FEATURE_EXT_FP16_GLOBAL_ATOMIC_ADD = "__opencl_c_ext_fp16_global_atomic_add", V2_0, On;
    FEATURE_EXT_FP16_LOCAL_ATOMIC_ADD = "__opencl_c_ext_fp16_local_atomic_add", V2_0, On;
    FEATURE_EXT_FP16_GLOBAL_ATOMIC_MIN_MAX = "__opencl_c_ext_fp16_global_atomic_min_max", V2_0, On;
    FEATURE_EXT_FP16_LOCAL_ATOMIC_MIN_MAX = "__opencl_c_ext_fp16_local_atomic_min_max", V2_0, On;
    FEATURE_EXT_FP32_GLOBAL_ATOMIC_ADD = "__opencl_c_ext_fp32_global_atomic_add", V2_0, On;
    FEATURE_EXT_FP32_LOCAL_ATOMIC_ADD = "__opencl_c_ext_fp32_local_atomic_add", V2_0, On;
    FEATURE_EXT_FP32_GLOBAL_ATOMIC_MIN_MAX = "__opencl_c_ext_fp32_global_atomic_min_max", V2_0, On;
    FEATURE_EXT_FP32_LOCAL_ATOMIC_MIN_MAX = "__opencl_c_ext_fp32_local_atomic_min_max", V2_0, On;
    FEATURE_EXT_FP64_GLOBAL_ATOMIC_ADD = "__opencl_c_ext_fp64_global_atomic_add", V2_0, On;
    FEATURE_EXT_FP64_LOCAL_ATOMIC_ADD = "__opencl_c_ext_fp64_local_atomic_add", V2_0, On;
    FEATURE_EXT_FP64_GLOBAL_ATOMIC_MIN_MAX = "__opencl_c_ext_fp64_global_atomic_min_max", V2_0, On;
    FEATURE_EXT_FP64_LOCAL_ATOMIC_MIN_MAX = "__opencl_c_ext_fp64_local_atomic_min_max", V2_0, On;
    FEATURE_EXT_IMAGE_RAW10_RAW12 = "__opencl_c_ext_image_raw10_raw12", V2_0, Off;

    // Vendors', in wide use.
    INTEL_SUBGROUPS = "cl_intel_subgroups", V1_2, On;
    INTEL_SUBGROUPS_CHAR = "cl_intel_subgroups_char", V1_2, On;
    INTEL_SUBGROUPS_SHORT = "cl_intel_subgroups_short", V1_2, On;
    INTEL_SUBGROUPS_LONG = "cl_intel_subgroups_long", V1_2, On;
    INTEL_REQUIRED_SUBGROUP_SIZE = "cl_intel_required_subgroup_size", V1_2, On;
    INTEL_SUBGROUP_LOCAL_BLOCK_IO = "cl_intel_subgroup_local_block_io", V1_2, Off;
    INTEL_SUBGROUP_BUFFER_PREFETCH = "cl_intel_subgroup_buffer_prefetch", V1_2, Off;
    INTEL_SUBGROUP_2D_BLOCK_IO = "cl_intel_subgroup_2d_block_io", V1_2, Off;
    INTEL_SUBGROUP_MATRIX_MULTIPLY_ACCUMULATE =
        "cl_intel_subgroup_matrix_multiply_accumulate", V1_2, Off;
    INTEL_SUBGROUP_SPLIT_MATRIX_MULTIPLY_ACCUMULATE =
        "cl_intel_subgroup_split_matrix_multiply_accumulate", V1_2, Off;
    INTEL_SPLIT_WORK_GROUP_BARRIER = "cl_intel_split_work_group_barrier", V1_2, Off;
    INTEL_BFLOAT16_CONVERSIONS = "cl_intel_bfloat16_conversions", V1_2, Off;
    INTEL_DEVICE_SIDE_AVC_MOTION_ESTIMATION =
        "cl_intel_device_side_avc_motion_estimation", V1_2, Off;
    INTEL_MEDIA_BLOCK_IO = "cl_intel_media_block_io", V1_2, Off;
    INTEL_PACKED_YUV = "cl_intel_packed_yuv", V1_2, Off;
    INTEL_PLANAR_YUV = "cl_intel_planar_yuv", V1_2, Off;
    INTEL_UNIFIED_SHARED_MEMORY = "cl_intel_unified_shared_memory", V1_2, Off;
    INTEL_PRINTF = "cl_intel_printf", V1_0, Off;
    INTEL_SPIRV_SUBGROUPS = "cl_intel_spirv_subgroups", V1_2, Off;
    ARM_PRINTF = "cl_arm_printf", V1_0, Off;
    ARM_CORE_ID = "cl_arm_core_id", V1_2, Off;
    ARM_THREAD_LIMIT_HINT = "cl_arm_thread_limit_hint", V1_2, Off;
    ARM_INTEGER_DOT_PRODUCT_INT8 = "cl_arm_integer_dot_product_int8", V1_2, Off;
    ARM_INTEGER_DOT_PRODUCT_ACCUMULATE_INT8 =
        "cl_arm_integer_dot_product_accumulate_int8", V1_2, Off;
    ARM_INTEGER_DOT_PRODUCT_ACCUMULATE_INT16 =
        "cl_arm_integer_dot_product_accumulate_int16", V1_2, Off;
    ARM_INTEGER_DOT_PRODUCT_ACCUMULATE_SATURATE_INT8 =
        "cl_arm_integer_dot_product_accumulate_saturate_int8", V1_2, Off;
    ARM_CONTROLLED_KERNEL_TERMINATION = "cl_arm_controlled_kernel_termination", V1_2, Off;
    AMD_FP64 = "cl_amd_fp64", V1_0, Off;
    AMD_PRINTF = "cl_amd_printf", V1_0, Off;
    AMD_MEDIA_OPS = "cl_amd_media_ops", V1_0, Off;
    AMD_MEDIA_OPS2 = "cl_amd_media_ops2", V1_0, Off;
    AMD_DEVICE_ATTRIBUTE_QUERY = "cl_amd_device_attribute_query", V1_0, Off;
    AMD_VEC3 = "cl_amd_vec3", V1_0, Off;
    NV_PRAGMA_UNROLL = "cl_nv_pragma_unroll", V1_0, Off;
    NV_COMPILER_OPTIONS = "cl_nv_compiler_options", V1_0, Off;
    NV_DEVICE_ATTRIBUTE_QUERY = "cl_nv_device_attribute_query", V1_0, Off;
    NV_COPY_OPTS = "cl_nv_copy_opts", V1_0, Off;
    QCOM_REQD_SUB_GROUP_SIZE = "cl_qcom_reqd_sub_group_size", V1_2, Off;
    QCOM_SUBGROUP_SHUFFLE = "cl_qcom_subgroup_shuffle", V1_2, Off;
    IMG_BITWISE_OPS = "cl_img_bitwise_ops", V1_2, Off;
    IMG_SWAP_OPS = "cl_img_swap_ops", V1_2, Off;
    IMG_MATRIX_MULTIPLY = "cl_img_matrix_multiply", V1_2, Off;
    EXT_CXX_FOR_OPENCL = "cl_ext_cxx_for_opencl", V1_0, Off;
    EXT_DEVICE_FISSION = "cl_ext_device_fission", V1_0, Off;
    EXT_ATOMIC_COUNTERS_32 = "cl_ext_atomic_counters_32", V1_0, Off;
    EXT_ATOMIC_COUNTERS_64 = "cl_ext_atomic_counters_64", V1_0, Off;
    EXT_BUFFER_DEVICE_ADDRESS = "cl_ext_buffer_device_address", V1_2, Off;
    CLANG_STORAGE_CLASS_SPECIFIERS = "cl_clang_storage_class_specifiers", V1_0, On;
    CLANG_FUNCTION_POINTERS = "__cl_clang_function_pointers", V1_0, Off;
    CLANG_VARIADIC_FUNCTIONS = "__cl_clang_variadic_functions", V1_0, Off;
    CLANG_BITFIELDS = "__cl_clang_bitfields", V1_0, Off;

    // Of the host API: their names appear in `#pragma OPENCL EXTENSION`.
    ICD = "cl_khr_icd", V1_0, Off;
    GL_SHARING = "cl_khr_gl_sharing", V1_0, Off;
    GL_EVENT = "cl_khr_gl_event", V1_0, Off;
    D3D10_SHARING = "cl_khr_d3d10_sharing", V1_0, Off;
    D3D11_SHARING = "cl_khr_d3d11_sharing", V1_0, Off;
    DX9_MEDIA_SHARING = "cl_khr_dx9_media_sharing", V1_0, Off;
    EGL_EVENT = "cl_khr_egl_event", V1_0, Off;
    EGL_IMAGE = "cl_khr_egl_image", V1_0, Off;
    SPIR = "cl_khr_spir", V1_0, Off;
    IL_PROGRAM = "cl_khr_il_program", V1_0, Off;
    CREATE_COMMAND_QUEUE = "cl_khr_create_command_queue", V1_0, Off;
    DEVICE_UUID = "cl_khr_device_uuid", V1_0, Off;
    EXTENDED_VERSIONING = "cl_khr_extended_versioning", V1_0, Off;
    INITIALIZE_MEMORY = "cl_khr_initialize_memory", V1_0, Off;
    TERMINATE_CONTEXT = "cl_khr_terminate_context", V1_0, Off;
    PCI_BUS_INFO = "cl_khr_pci_bus_info", V1_0, Off;
    PRIORITY_HINTS = "cl_khr_priority_hints", V1_0, Off;
    THROTTLE_HINTS = "cl_khr_throttle_hints", V1_0, Off;
    SUGGESTED_LOCAL_WORK_SIZE = "cl_khr_suggested_local_work_size", V1_0, Off;
    COMMAND_BUFFER = "cl_khr_command_buffer", V1_0, Off;
    EXTERNAL_MEMORY = "cl_khr_external_memory", V1_0, Off;
    EXTERNAL_SEMAPHORE = "cl_khr_external_semaphore", V1_0, Off;
    SEMAPHORE = "cl_khr_semaphore", V1_0, Off;
    UNIFIED_SVM = "cl_khr_unified_svm", V1_0, Off;
    SPIRV_NO_INTEGER_WRAP_DECORATION = "cl_khr_spirv_no_integer_wrap_decoration", V1_0, Off;
    SPIRV_EXTENDED_DEBUG_INFO = "cl_khr_spirv_extended_debug_info", V1_0, Off;
    SPIRV_LINKONCE_ODR = "cl_khr_spirv_linkonce_odr", V1_0, Off;
    SPIRV_QUERIES = "cl_khr_spirv_queries", V1_0, Off;
}

const _: () = assert!(NAMES.len() <= 256, "ExtensionSet has 256 bits");

/// An extension and the feature macro that names the same functionality in OpenCL C 3.x. The feature of
/// sub-groups is none of these: `cl_khr_subgroups` promises besides that they make progress
/// independently, and devices with OpenCL 3.0 may have the one without the other.
const PAIRS: &[(Extension, Extension)] =
    &[(FP64, FEATURE_FP64), (IMAGES_3D_WRITES, FEATURE_3D_IMAGE_WRITES)];

/// What a Vulkan device with the usual features offers.
const VULKAN: &[Extension] = &[
    FP16,
    FP64,
    BYTE_ADDRESSABLE_STORE,
    GLOBAL_INT32_BASE_ATOMICS,
    GLOBAL_INT32_EXTENDED_ATOMICS,
    LOCAL_INT32_BASE_ATOMICS,
    LOCAL_INT32_EXTENDED_ATOMICS,
    INT64_BASE_ATOMICS,
    INT64_EXTENDED_ATOMICS,
    IMAGES_3D_WRITES,
    EXTENDED_BIT_OPS,
    INTEGER_DOT_PRODUCT,
    EXPECT_ASSUME,
    SUBGROUPS,
    SUBGROUP_EXTENDED_TYPES,
    SUBGROUP_NON_UNIFORM_VOTE,
    SUBGROUP_BALLOT,
    SUBGROUP_NON_UNIFORM_ARITHMETIC,
    SUBGROUP_SHUFFLE,
    SUBGROUP_SHUFFLE_RELATIVE,
    SUBGROUP_CLUSTERED_REDUCE,
    SUBGROUP_ROTATE,
    WORK_GROUP_UNIFORM_ARITHMETIC,
    FEATURE_3D_IMAGE_WRITES,
    FEATURE_ATOMIC_ORDER_ACQ_REL,
    FEATURE_ATOMIC_SCOPE_DEVICE,
    FEATURE_FP64,
    FEATURE_GENERIC_ADDRESS_SPACE,
    FEATURE_IMAGES,
    FEATURE_INT64,
    FEATURE_READ_WRITE_IMAGES,
    FEATURE_SUBGROUPS,
    FEATURE_WORK_GROUP_COLLECTIVE_FUNCTIONS,
    FEATURE_INTEGER_DOT_PRODUCT_INPUT_4X8BIT,
    FEATURE_INTEGER_DOT_PRODUCT_INPUT_4X8BIT_PACKED,
    CLANG_STORAGE_CLASS_SPECIFIERS,
];

/// Looks an extension or feature up by name.
pub fn by_name(name: &str) -> Option<Extension> {
    NAMES.iter().position(|&known| known == name).map(|index| Extension(index as u16))
}

/// Everything the default environment of a target supports in `version`: for OpenCL a
/// full-profile device with all optional features. What is in the set has its macro predefined.
pub fn default_set(version: Version, target: Target) -> ExtensionSet {
    let mut set = ExtensionSet::default();
    for extension in Extension::all() {
        let info = extension.info();
        let supported = match target {
            Target::OpenCl => info.availability == Availability::On,
            Target::Vulkan => VULKAN.contains(&extension),
        };
        if supported && version >= info.since {
            set.insert(extension);
        }
    }
    set
}

/// Applies the text of a `-cl-ext=` option: a comma-separated list of `+NAME`, `-NAME` and
/// `+all`, `-all`, in order. In OpenCL C 3.x an extension and the feature macro of the same
/// functionality (`cl_khr_fp64`, `__opencl_c_fp64`) change together.
///
/// On failure returns the name that is not known; what came before it has been applied.
pub fn apply_option(set: &mut ExtensionSet, text: &str, version: Version) -> Result<(), String> {
    for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
        let (enable, name) = match item.as_bytes()[0] {
            b'+' => (true, &item[1..]),
            b'-' => (false, &item[1..]),
            _ => (true, item),
        };
        if name == "all" {
            for extension in Extension::all() {
                if !enable {
                    set.remove(extension);
                } else if version >= extension.info().since {
                    set.insert(extension);
                }
            }
            continue;
        }
        let extension = by_name(name).ok_or_else(|| name.to_owned())?;
        change(set, extension, enable);
        if version >= Version::V3_0 {
            for &(left, right) in PAIRS {
                if extension == left {
                    change(set, right, enable);
                } else if extension == right {
                    change(set, left, enable);
                }
            }
        }
    }
    Ok(())
}

fn change(set: &mut ExtensionSet, extension: Extension, enable: bool) {
    if enable {
        set.insert(extension);
    } else {
        set.remove(extension);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names = NAMES.to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), NAMES.len());
    }

    #[test]
    fn defaults_follow_the_version() {
        let old = default_set(Version::V1_0, Target::OpenCl);
        assert!(old.contains(FP64) && old.contains(FP16));
        assert!(!old.contains(SUBGROUPS) && !old.contains(FEATURE_FP64));
        let new = default_set(Version::V3_0, Target::OpenCl);
        assert!(new.contains(SUBGROUPS) && new.contains(FEATURE_FP64));
        assert!(!new.contains(ICD));
    }

    #[test]
    fn options_apply_in_order_and_in_pairs() {
        let mut set = default_set(Version::V3_0, Target::OpenCl);
        apply_option(&mut set, "-all,+cl_khr_fp64", Version::V3_0).unwrap();
        assert_eq!(set.iter().collect::<Vec<_>>(), [FP64, FEATURE_FP64]);
        apply_option(&mut set, "-__opencl_c_fp64", Version::V3_0).unwrap();
        assert_eq!(set, ExtensionSet::default());
        apply_option(&mut set, "+__opencl_c_subgroups,-cl_khr_subgroups", Version::V3_0).unwrap();
        assert_eq!(set.iter().collect::<Vec<_>>(), [FEATURE_SUBGROUPS]);
        assert_eq!(
            apply_option(&mut set, "+cl_khr_fp16,-cl_no_such", Version::V1_2),
            Err("cl_no_such".to_owned())
        );
        assert!(set.contains(FP16));
    }

    #[test]
    fn before_3_the_feature_macro_stays_alone() {
        let mut set = ExtensionSet::default();
        apply_option(&mut set, "+cl_khr_fp64", Version::V1_2).unwrap();
        assert!(set.contains(FP64) && !set.contains(FEATURE_FP64));
    }
}
