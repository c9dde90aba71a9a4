//! Extensions (`cl_khr_*`) and optional features (`__opencl_c_*`) with their versions.

/// An extension or feature; an index into the table of this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Extension(pub u16);

/// A set of extensions and features.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExtensionSet {
    bits: [u64; 4],
}

impl ExtensionSet {
    pub fn contains(&self, extension: Extension) -> bool {
        self.bits[extension.0 as usize / 64] >> (extension.0 % 64) & 1 != 0
    }

    pub fn insert(&mut self, extension: Extension) {
        self.bits[extension.0 as usize / 64] |= 1 << (extension.0 % 64);
    }

    pub fn remove(&mut self, extension: Extension) {
        self.bits[extension.0 as usize / 64] &= !(1 << (extension.0 % 64));
    }
}

macro_rules! extensions {
    ($($(#[$meta:meta])* $constant:ident = $name:literal;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u16)]
        enum Index { $($constant),* }

        $($(#[$meta])* pub const $constant: Extension = Extension(Index::$constant as u16);)*

        /// Every extension and feature by name, in index order.
        pub const NAMES: &[&str] = &[$($name),*];
    };
}

extensions! {
    FP16 = "cl_khr_fp16";
    FP64 = "cl_khr_fp64";
    IMAGES_3D_WRITES = "cl_khr_3d_image_writes";
    GLOBAL_INT32_BASE_ATOMICS = "cl_khr_global_int32_base_atomics";
    GLOBAL_INT32_EXTENDED_ATOMICS = "cl_khr_global_int32_extended_atomics";
    LOCAL_INT32_BASE_ATOMICS = "cl_khr_local_int32_base_atomics";
    LOCAL_INT32_EXTENDED_ATOMICS = "cl_khr_local_int32_extended_atomics";
    INT64_BASE_ATOMICS = "cl_khr_int64_base_atomics";
    INT64_EXTENDED_ATOMICS = "cl_khr_int64_extended_atomics";
    BYTE_ADDRESSABLE_STORE = "cl_khr_byte_addressable_store";
    SUBGROUPS = "cl_khr_subgroups";
    FEATURE_FP64 = "__opencl_c_fp64";
    FEATURE_IMAGES = "__opencl_c_images";
    FEATURE_GENERIC_ADDRESS_SPACE = "__opencl_c_generic_address_space";
    FEATURE_PROGRAM_SCOPE_GLOBAL_VARIABLES = "__opencl_c_program_scope_global_variables";
    FEATURE_PIPES = "__opencl_c_pipes";
    FEATURE_DEVICE_ENQUEUE = "__opencl_c_device_enqueue";
}

/// Looks an extension or feature up by name.
pub fn by_name(name: &str) -> Option<Extension> {
    NAMES.iter().position(|&known| known == name).map(|index| Extension(index as u16))
}
