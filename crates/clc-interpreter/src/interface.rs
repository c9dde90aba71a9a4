//! What a host has to know to launch a kernel of a module for Vulkan, as the compiler describes it: nothing here
//! knows why something is where it is.

use std::collections::HashMap;

use crate::stop::Stop;

/// What a host has to know to launch a kernel of a module for Vulkan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// The kernel reads the block; before the step that makes it do so, it has parameters.
    pub is_read: bool,
    /// Bytes of the argument block.
    pub block_size: usize,
    /// What is pushed is the address of a buffer that holds the block.
    pub block_in_buffer: bool,
    /// By argument.
    pub places: Vec<Place>,
    /// What else is in the block, and its offset.
    pub told: Vec<(Told, usize)>,
    /// How a launch may be cut into dispatches.
    pub regions: Option<Regions>,
    /// Bytes of local memory for each work-item of a work-group, besides what the module's types say.
    pub local_memory_per_item: u64,
    /// Buffers of the program's variables.
    pub data: Vec<ProgramData>,
    /// Samplers that the source spells out: where they are bound, and the bits of their `CLK_*` constants.
    pub samplers: Vec<(Binding, u32)>,
}

/// The numbers of a descriptor set, and of what is bound in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Binding {
    /// Of the set.
    pub set: u32,
    /// In the set.
    pub binding: u32,
}

/// How an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// An address in the block.
    Address {
        /// In bytes.
        offset: usize,
    },
    /// The value itself in the block.
    Value {
        /// In bytes.
        offset: usize,
        /// In bytes.
        size: usize,
    },
    /// A number of elements, which is a specialization constant.
    Local {
        /// The constant, as the intermediate representation numbers those of the compiler.
        constant: u32,
        /// Bytes of an element.
        element_size: usize,
    },
    /// An image that is bound.
    Image(Binding),
    /// A sampler that is bound.
    Sampler {
        /// Where.
        at: Binding,
        /// With normalized coordinates, whether or not OpenCL's sampler has such.
        always_normalized: bool,
    },
}

/// How a launch may be cut into dispatches, each with work-groups of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regions {
    /// All work-groups have the size that was asked for.
    OneSize,
    /// Those at the end of a dimension may be smaller.
    AnySize,
}

/// A value that the host puts into the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Three numbers of 64 bits.
    GlobalOffset,
    /// Three numbers of 64 bits.
    GlobalSize,
    /// Three numbers of 32 bits.
    EnqueuedLocalSize,
    /// Three numbers of 32 bits.
    NumGroups,
    /// Three numbers of 64 bits: the global id of the dispatch's first work-item.
    RegionOffset,
    /// Three numbers of 32 bits: the id of the dispatch's first work-group.
    RegionGroupOffset,
    /// 32 bits.
    WorkDim,
    /// The address of the buffer for what is printed.
    PrintfBuffer,
    /// The address of a buffer of the program's variables.
    ProgramData(usize),
    /// A number of 32 bits that the image has that an argument is.
    Image(ImageNumber, usize),
    /// The bits of the sampler that an argument is.
    SamplerBits(usize),
}

/// A number that an image has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageNumber {
    /// `CL_R` and the like.
    ChannelOrder,
    /// `CL_FLOAT` and the like.
    ChannelDataType,
    /// In texels.
    Width,
    /// In texels.
    Height,
    /// In texels.
    Depth,
    /// Layers.
    ArraySize,
    /// One.
    NumMipLevels,
    /// One.
    NumSamples,
}

/// A buffer of the program's variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramData {
    /// Kernels do not write it.
    pub is_constant: bool,
    /// Of its address, in bytes.
    pub align: u64,
    /// What it holds before the first launch.
    pub contents: Vec<u8>,
    /// Offsets at which the address of a buffer is added, and the buffer's number.
    pub relocations: Vec<(usize, usize)>,
    /// In ascending order of their offsets.
    pub variables: Vec<Variable>,
}

/// A variable in such a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// In the source.
    pub name: String,
    /// In bytes.
    pub offset: usize,
    /// In bytes.
    pub size: usize,
}

/// A part of a launch. Of a kernel with parameters there is one, which may have smaller work-groups at its ends;
/// of a shader each has work-groups of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dispatch {
    /// The id of its first work-group in the launch.
    pub(crate) first_group: [u64; 3],
    pub(crate) groups: [u64; 3],
    pub(crate) local: [u64; 3],
}

/// What is bound and passed, the same for all dispatches.
#[derive(Debug, Default)]
pub(crate) struct Bound {
    /// By descriptor: the number of an image, or the bits of a sampler.
    pub(crate) descriptors: HashMap<Binding, u64>,
    /// Specialization constants of the compiler's own.
    pub(crate) constants: HashMap<u32, u64>,
    /// By buffer of the program's variables: its address.
    pub(crate) data: Vec<u64>,
    /// The buffer for what is printed, if the kernel prints.
    pub(crate) printf: Option<u64>,
}

/// The dispatches of a launch.
pub(crate) fn dispatches(
    interface: Option<&Interface>,
    global: [u64; 3],
    local: [u64; 3],
) -> Result<Vec<Dispatch>, Stop> {
    let groups = [0, 1, 2].map(|d| global[d].div_ceil(local[d]));
    let whole = Dispatch { first_group: [0; 3], groups, local };
    let are_equal = (0..3).all(|d| global[d].is_multiple_of(local[d]));
    match interface.filter(|it| it.is_read).map(|it| it.regions) {
        None => return Ok(vec![whole]),
        Some(_) if are_equal => return Ok(vec![whole]),
        Some(Some(Regions::AnySize)) => {}
        Some(None | Some(Regions::OneSize)) => {
            return Err(Stop::unknown("work-groups of several sizes in one dispatch"));
        }
    }
    // Whole work-groups, and a smaller one for what is left.
    let parts = [0, 1, 2].map(|d| {
        let (count, rest) = (global[d] / local[d], global[d] % local[d]);
        [(0, count, local[d]), (count, 1, rest)]
            .into_iter()
            .filter(|&(_, count, size)| count * size > 0)
    });
    let [x, y, z] = parts.map(|parts| parts.collect::<Vec<_>>());
    let mut all = Vec::new();
    for &(z, depth, back) in &z {
        for &(y, height, side) in &y {
            for &(x, width, front) in &x {
                all.push(Dispatch {
                    first_group: [x, y, z],
                    groups: [width, height, depth],
                    local: [front, side, back],
                });
            }
        }
    }
    Ok(all)
}

impl Told {
    /// The name of the variable for it that is there before the block is.
    pub(crate) fn variable(self) -> Option<String> {
        match self {
            Told::PrintfBuffer => Some("printf buffer".to_owned()),
            Told::Image(number, argument) => {
                let about = match number {
                    ImageNumber::ChannelOrder => "ChannelOrder",
                    ImageNumber::ChannelDataType => "ChannelDataType",
                    ImageNumber::Width => "Query(Width)",
                    ImageNumber::Height => "Query(Height)",
                    ImageNumber::Depth => "Query(Depth)",
                    ImageNumber::ArraySize => "Query(ArraySize)",
                    ImageNumber::NumMipLevels => "Query(NumMipLevels)",
                    ImageNumber::NumSamples => "Query(NumSamples)",
                };
                Some(format!("{about} of argument {argument}"))
            }
            Told::SamplerBits(argument) => Some(format!("SamplerBits of argument {argument}")),
            Told::GlobalOffset
            | Told::GlobalSize
            | Told::EnqueuedLocalSize
            | Told::NumGroups
            | Told::RegionOffset
            | Told::RegionGroupOffset
            | Told::WorkDim
            | Told::ProgramData(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_are_cut_where_work_groups_are_smaller() {
        let any =
            Interface { is_read: true, regions: Some(Regions::AnySize), ..Interface::default() };
        let sizes = |interface: Option<&Interface>, global| {
            let all = dispatches(interface, global, [4, 2, 1])?;
            Ok::<_, Stop>(
                all.iter().map(|it| (it.first_group, it.groups, it.local)).collect::<Vec<_>>(),
            )
        };
        let whole = ([0; 3], [2, 2, 1], [4, 2, 1]);
        assert_eq!(sizes(Some(&any), [8, 4, 1]).unwrap(), [whole]);
        assert_eq!(
            sizes(Some(&any), [7, 4, 1]).unwrap(),
            [([0; 3], [1, 2, 1], [4, 2, 1]), ([1, 0, 0], [1, 2, 1], [3, 2, 1])]
        );
        assert_eq!(sizes(Some(&any), [3, 1, 1]).unwrap(), [([0; 3], [1; 3], [3, 1, 1])]);
        // A kernel with parameters has them in one.
        assert_eq!(sizes(None, [7, 4, 1]).unwrap(), [whole]);
        let one = Interface { regions: None, ..any };
        assert!(sizes(Some(&one), [7, 4, 1]).is_err());
    }
}
