//! What a host of clspv's modules must know besides the [`Reflection`](crate::Reflection): the
//! instructions of NonSemantic.ClspvReflection say both.

use crate::reflection::Binding;

/// What a module for a host of clspv's modules has besides its reflection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// What kernels are told, and where in the push constants.
    pub pushed: Vec<(Pushed, u32)>,
    /// The specialization constant that is the number of dimensions, if a kernel asks for it.
    pub work_dim: Option<u32>,
    /// The numbers of the constants that are the size of a work-group begin here.
    pub first_constant: u32,
    /// Bytes of the buffer for `printf`.
    pub printf_buffer_size: u32,
    /// The descriptor sets in the place of those that [`Binding`] has: hosts put literal samplers
    /// before arguments.
    pub sets: [u32; 2],
    /// By kernel.
    pub kernels: Vec<KernelInterface>,
}

/// What all kernels find at the same place in the push constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pushed {
    /// The offset of the global ids: three 32-bit numbers, as all sizes and offsets.
    GlobalOffset,
    /// The size of work-groups that was asked for.
    EnqueuedLocalSize,
    /// The number of work-items of the whole launch.
    GlobalSize,
    /// What is added to Vulkan's global ids, the offset of the launch included.
    RegionOffset,
    /// The number of work-groups of the whole launch.
    NumGroups,
    /// What is added to Vulkan's ids of work-groups.
    RegionGroupOffset,
    /// The address of the buffer for program-scope variables.
    ProgramData,
    /// The address of the buffer for `printf`.
    PrintfBuffer,
}

/// What a kernel has besides [`Kernel`](crate::reflection::Kernel).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelInterface {
    /// `reqd_work_group_size`, whether or not the module relies on it.
    pub required_size: Option<[u32; 3]>,
    /// The uniform buffer that the arguments are in, at their offsets; otherwise they are pushed.
    pub uniform: Option<Binding>,
    /// The kernel may print.
    pub prints: bool,
}
