//! What a host must know to launch the kernels of a Vulkan module; OpenCL drivers read all of it
//! from the module itself.
//!
//! A kernel takes one *argument block*: its arguments and what the compiler adds to them, at the
//! byte offsets given here. The block is the push constants; where it is larger than the limit for
//! these, the push constants are the 64-bit address of a buffer that holds it.
//!
//! `global` and `constant` pointers are buffer-device addresses; images and samplers are descriptors. The sizes of `local` arguments and,
//! without `reqd_work_group_size`, of the work-group are specialization constants.

use crate::Environment;

/// A module's kernels and program-scope data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reflection {
    /// The Vulkan version that the module is for.
    pub environment: Environment,
    /// Whether a host may cut a launch into regions, and which.
    pub regions: Option<Regions>,
    /// The entry points, in the order of the source.
    pub kernels: Vec<Kernel>,
    /// At most one of each kind.
    pub program_data: Vec<ProgramData>,
    /// The formats of `printf`, and the strings that `%s` prints, by ascending ids.
    pub printf_formats: Vec<PrintfFormat>,
    /// The samplers that the source spells out: one descriptor each, the same for all kernels.
    pub samplers: Vec<LiteralSampler>,
}

/// How a host may cut a launch: into *regions*, boxes of whole work-groups, each of them dispatched with a
/// pipeline for the size of its work-groups. What kernels ask for of the launch and of the region is in
/// [`Kernel::implicit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Regions {
    /// All work-groups have the size that was asked for (`-cl-uniform-work-group-size`): a launch is cut
    /// only if it has more work-groups than the device dispatches.
    OneSize,
    /// Work-groups at the end of a dimension whose size is no multiple of theirs are smaller.
    AnySize,
}

/// An entry point, and what its launch takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// The entry point's name, which is that of the kernel in the source.
    pub name: String,
    /// How the size of a work-group is chosen.
    pub work_group_size: WorkGroupSize,
    /// Bytes of the argument block, a multiple of 4.
    pub block_size: u32,
    /// The block is in a buffer, whose address, a multiple of 16, is all that is pushed.
    pub block_in_buffer: bool,
    /// In the order of the source.
    pub arguments: Vec<Argument>,
    /// What the kernel needs besides its arguments.
    pub implicit: Vec<Implicit>,
    /// Bytes of `local` memory, those of `local` arguments left out.
    pub local_memory: u32,
    /// Bytes of `local` memory for each work-item of a work-group, on top of those. Where kernels
    /// with `reqd_work_group_size` share this memory, both together are the most that it takes.
    pub local_memory_per_item: u32,
    /// The kernel uses sub-groups: the host makes the pipeline with full ones where the size of
    /// work-groups allows it.
    pub sub_groups: bool,
    /// `intel_reqd_sub_group_size`: the host makes the pipeline with sub-groups of this size.
    pub sub_group_size: Option<u32>,
}

/// The size of a work-group in three dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkGroupSize {
    /// `reqd_work_group_size`
    Fixed([u32; 3]),
    /// Specialization constants.
    Constants {
        /// Their ids; `None` where the source requires a size that is no constant.
        ids: [Option<u32>; 3],
        /// The sizes if the host does not choose them: 1, or what the source says.
        default: [u32; 3],
        /// They are constants of the program; otherwise the compiler's own.
        of_program: bool,
        /// `reqd_work_group_size`, which the host has to choose: the module cannot say it.
        required: Option<[u32; 3]>,
    },
}

impl WorkGroupSize {
    /// `reqd_work_group_size`
    pub fn required(self) -> Option<[u32; 3]> {
        match self {
            WorkGroupSize::Fixed(size) => Some(size),
            WorkGroupSize::Constants { required, .. } => required,
        }
    }
}

/// An argument of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The name of the parameter; empty if it has none.
    pub name: String,
    /// In the words of the source, without qualifiers: `float*`.
    pub type_name: String,
    /// `const`, `restrict volatile`, …
    pub type_qualifiers: String,
    /// How the host passes it.
    pub kind: ArgumentKind,
}

/// How an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A `global` or `constant` pointer: an address of 8 bytes at `offset`. 0 is the null pointer.
    Buffer {
        /// The pointer is to `constant` memory.
        constant: bool,
        /// Bytes from the start of the argument block.
        offset: u32,
    },
    /// Bytes of the argument itself.
    Value {
        /// Bytes from the start of the argument block.
        offset: u32,
        /// Bytes of the value.
        size: u32,
    },
    /// A `local` pointer: the specialization constant `constant` is the number of elements of
    /// `element_size` bytes that it points to; 1 by default.
    Local {
        /// The id of the specialization constant.
        constant: u32,
        /// Bytes of an element.
        element_size: u32,
    },
    /// An image: a descriptor.
    Image {
        /// Where it is bound.
        at: Binding,
        /// What the host binds there.
        descriptor: ImageDescriptor,
    },
    /// A sampler: a descriptor.
    Sampler {
        /// Where it is bound.
        at: Binding,
        /// The coordinates of the sampler that is bound are normalized, whether or not those of the
        /// OpenCL sampler are: it is used with images for which Vulkan has no others. The kernel then
        /// has [`Implicit::SamplerBits`] for it.
        always_normalized: bool,
    },
}

/// Where a descriptor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Binding {
    /// The number of the descriptor set.
    pub set: u32,
    /// The number in the set.
    pub binding: u32,
}

/// The type of an image's descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageDescriptor {
    /// A `read_only` image.
    SampledImage,
    /// An image that is written.
    StorageImage,
    /// A `read_only image1d_buffer_t`.
    UniformTexelBuffer,
    /// An `image1d_buffer_t` that is written.
    StorageTexelBuffer,
}

/// A sampler that the source spells out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiteralSampler {
    /// Where it is bound.
    pub at: Binding,
    /// The coordinates are from 0 to 1.
    pub normalized: bool,
    /// What is read outside of the image.
    pub addressing: Addressing,
    /// Between four or eight texels, or the nearest.
    pub linear: bool,
}

/// What a sampler reads outside of an image (OpenCL C 6.15.15.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Addressing {
    /// `CLK_ADDRESS_NONE`, where nothing is read outside, and `CLK_ADDRESS_CLAMP_TO_EDGE`.
    ClampToEdge,
    /// `CLK_ADDRESS_CLAMP`: the border colour, transparent black.
    Clamp,
    /// `CLK_ADDRESS_REPEAT`
    Repeat,
    /// `CLK_ADDRESS_MIRRORED_REPEAT`
    MirroredRepeat,
}

/// A value that the host adds to the argument block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Implicit {
    /// The offset of the global ids, for `get_global_id` and `get_global_offset`: three 64-bit numbers.
    /// A kernel that does not have it does the same whatever the offset.
    GlobalOffset {
        /// Bytes from the start of the argument block.
        offset: u32,
    },
    /// The global size of the launch, in a module with [`Regions`]: three 64-bit numbers, 1 for a
    /// dimension that it has not.
    GlobalSize {
        /// Bytes from the start of the argument block.
        offset: u32,
    },
    /// The size of work-groups that was asked for, which those of a region may not have: three 32-bit
    /// numbers.
    EnqueuedLocalSize {
        /// Bytes from the start of the argument block.
        offset: u32,
    },
    /// The number of work-groups of the launch, in a module with [`Regions`]: three 32-bit numbers.
    NumGroups {
        /// Bytes from the start of the argument block.
        offset: u32,
    },
    /// The global id of a region's first work-item, with the offset of the global ids: three 64-bit
    /// numbers.
    RegionOffset {
        /// Bytes from the start of the argument block.
        offset: u32,
    },
    /// The id of a region's first work-group: three 32-bit numbers.
    RegionGroupOffset {
        /// Bytes from the start of the argument block.
        offset: u32,
    },
    /// `get_work_dim`: a 32-bit number.
    WorkDim {
        /// Bytes from the start of the argument block.
        offset: u32,
    },
    /// The address, a multiple of 8, of the buffer for what the kernel prints; 0 for none. Kernels
    /// that never print do not have it. `docs/vulkan.md` says what is in the buffer.
    PrintfBuffer {
        /// Bytes from the start of the argument block.
        offset: u32,
    },
    /// What `get_image_channel_order` returns for an argument: a 32-bit number, `CL_RGBA` and the like.
    ImageChannelOrder {
        /// The number of the argument.
        argument: u32,
        /// Bytes from the start of the argument block.
        offset: u32,
    },
    /// What `get_image_channel_data_type` returns for an argument: a 32-bit number, `CL_FLOAT` and the
    /// like.
    ImageChannelDataType {
        /// The number of the argument.
        argument: u32,
        /// Bytes from the start of the argument block.
        offset: u32,
    },
    /// How large the image of an argument is, which the kernel is told where it neither reads nor writes the
    /// image: a 32-bit number.
    ImageQuery {
        /// What is asked.
        query: ImageQuery,
        /// The number of the argument.
        argument: u32,
        /// Bytes from the start of the argument block.
        offset: u32,
    },
    /// What OpenCL's sampler of an argument is: the 32-bit number that the source would write for it,
    /// `CLK_NORMALIZED_COORDS_*` with addressing and filter.
    SamplerBits {
        /// The number of the argument.
        argument: u32,
        /// Bytes from the start of the argument block.
        offset: u32,
    },
    /// The address of a buffer that holds `program_data[index]`.
    ProgramData {
        /// Which of [`Reflection::program_data`].
        index: u32,
        /// Bytes from the start of the argument block.
        offset: u32,
    },
}

/// A number that an image has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageQuery {
    /// `get_image_width`
    Width,
    /// `get_image_height`
    Height,
    /// `get_image_depth`
    Depth,
    /// `get_image_array_size`
    ArraySize,
    /// `get_image_num_mip_levels`
    NumMipLevels,
    /// `get_image_num_samples`
    NumSamples,
}

impl ImageQuery {
    /// Every query.
    pub const ALL: [ImageQuery; 6] = [
        ImageQuery::Width,
        ImageQuery::Height,
        ImageQuery::Depth,
        ImageQuery::ArraySize,
        ImageQuery::NumMipLevels,
        ImageQuery::NumSamples,
    ];

    /// The function that asks, without its `get_`.
    pub fn name(self) -> &'static str {
        match self {
            ImageQuery::Width => "image_width",
            ImageQuery::Height => "image_height",
            ImageQuery::Depth => "image_depth",
            ImageQuery::ArraySize => "image_array_size",
            ImageQuery::NumMipLevels => "image_num_mip_levels",
            ImageQuery::NumSamples => "image_num_samples",
        }
    }
}

/// A string that records of `printf` name by its id. As a format it prints records that hold these
/// arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintfFormat {
    /// At least 1.
    pub id: u32,
    /// Its bytes, without the zero that ends it.
    pub string: Vec<u8>,
    /// What follows the id in a record, each padded to whole words of 32 bits.
    pub arguments: Vec<PrintfArgument>,
}

/// An argument in a record: `components` parts of `size` bytes each, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PrintfArgument {
    /// What the parts are.
    pub kind: PrintfArgumentKind,
    /// Bytes of a part.
    pub size: u32,
    /// 1, or that of a vector.
    pub components: u32,
}

impl PrintfArgument {
    /// For `%s`.
    pub const STRING: PrintfArgument =
        PrintfArgument { kind: PrintfArgumentKind::String, size: 4, components: 1 };
    /// For `%p`.
    pub const POINTER: PrintfArgument =
        PrintfArgument { kind: PrintfArgumentKind::Pointer, size: 8, components: 1 };
}

/// What an argument of `printf` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PrintfArgumentKind {
    /// Signed or not, which the conversion says.
    Integer,
    /// In the format of IEEE 754 with as many bytes.
    Float,
    /// The bits of a pointer.
    Pointer,
    /// The id of a string.
    String,
}

/// What program-scope variables are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DataKind {
    /// `constant` variables: the same for each launch.
    Constant,
    /// `global` variables: what a launch leaves, the next one finds.
    Global,
}

/// The program-scope variables of one kind, as the bytes of one buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramData {
    /// The address space of the variables.
    pub kind: DataKind,
    /// Of the buffer's address, in bytes.
    pub align: u32,
    /// The bytes that the buffer begins with, little-endian.
    pub contents: Vec<u8>,
    /// Where the contents need the addresses of buffers.
    pub relocations: Vec<Relocation>,
    /// In ascending order of their offsets.
    pub variables: Vec<Variable>,
}

/// At `offset`, the 64-bit address of `program_data[target]` is to be added to what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// Bytes from the start of the contents.
    pub offset: u32,
    /// Which of [`Reflection::program_data`].
    pub target: u32,
}

/// A variable in a buffer of program-scope data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name in the source.
    pub name: String,
    /// Bytes from the start of the contents.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
}
