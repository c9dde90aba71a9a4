//! What the interpreter is told of a kernel for Vulkan, from the description that hosts read.

use clc_interpreter::{Binding, ImageNumber, Interface, Place, Told, Variable};

use crate::hex;
use crate::vulkan::reflection::{
    Addressing, ArgumentKind, DataKind, Filter, Implicit, Kernel, LiteralSampler, ProgramData,
    Reflection, Regions,
};

/// The number of the first `local` argument's constant in the intermediate representation, where the sizes of
/// work-groups come before. The description counts those of the program before all.
const FIRST_LOCAL: u32 = 3;

/// The interface of a kernel; `is_read` says whether the stage's entries have it already.
pub fn of(reflection: &Reflection, kernel: &str, is_read: bool) -> Result<Interface, String> {
    let described = reflection.kernel(kernel)?;
    let constants = reflection.kernels.iter().flat_map(local_constants);
    let before = constants.min().map_or(0, |first| first.saturating_sub(FIRST_LOCAL));
    let binding = |set, binding| Binding { set, binding };
    let places = described.arguments.iter().map(|argument| match argument.kind {
        ArgumentKind::Buffer { offset } => Place::Address { offset: offset as usize },
        ArgumentKind::Value { offset, size } => {
            Place::Value { offset: offset as usize, size: size as usize }
        }
        ArgumentKind::Local { constant, element_size } => {
            Place::Local { constant: constant - before, element_size: element_size as usize }
        }
        ArgumentKind::Image { set, binding: number, .. } => Place::Image(binding(set, number)),
        ArgumentKind::Sampler { set, binding: number, always_normalized } => {
            Place::Sampler { at: binding(set, number), always_normalized }
        }
    });
    let samplers = reflection.samplers.iter();
    Ok(Interface {
        is_read,
        block_size: described.block_size as usize,
        block_in_buffer: described.block_in_buffer,
        places: places.collect(),
        told: described.implicit.iter().map(told).collect(),
        regions: reflection.regions.map(|regions| match regions {
            Regions::OneSize => clc_interpreter::Regions::OneSize,
            Regions::AnySize => clc_interpreter::Regions::AnySize,
        }),
        local_memory_per_item: u64::from(described.local_memory_per_item),
        data: reflection.program_data.iter().map(data).collect::<Result<_, _>>()?,
        samplers: samplers.map(|it| (binding(it.set, it.binding), bits(it))).collect(),
    })
}

fn local_constants(kernel: &Kernel) -> impl Iterator<Item = u32> {
    kernel.arguments.iter().filter_map(|argument| match argument.kind {
        ArgumentKind::Local { constant, .. } => Some(constant),
        ArgumentKind::Buffer { .. }
        | ArgumentKind::Value { .. }
        | ArgumentKind::Image { .. }
        | ArgumentKind::Sampler { .. } => None,
    })
}

fn told(implicit: &Implicit) -> (Told, usize) {
    let image = |number, argument: u32| Told::Image(number, argument as usize);
    let (told, offset) = match *implicit {
        Implicit::GlobalOffset { offset } => (Told::GlobalOffset, offset),
        Implicit::GlobalSize { offset } => (Told::GlobalSize, offset),
        Implicit::EnqueuedLocalSize { offset } => (Told::EnqueuedLocalSize, offset),
        Implicit::NumGroups { offset } => (Told::NumGroups, offset),
        Implicit::RegionOffset { offset } => (Told::RegionOffset, offset),
        Implicit::RegionGroupOffset { offset } => (Told::RegionGroupOffset, offset),
        Implicit::WorkDim { offset } => (Told::WorkDim, offset),
        Implicit::ProgramData { index, offset } => (Told::ProgramData(index as usize), offset),
        Implicit::PrintfBuffer { offset } => (Told::PrintfBuffer, offset),
        Implicit::ImageChannelOrder { argument, offset } => {
            (image(ImageNumber::ChannelOrder, argument), offset)
        }
        Implicit::ImageChannelDataType { argument, offset } => {
            (image(ImageNumber::ChannelDataType, argument), offset)
        }
        Implicit::ImageWidth { argument, offset } => (image(ImageNumber::Width, argument), offset),
        Implicit::ImageHeight { argument, offset } => {
            (image(ImageNumber::Height, argument), offset)
        }
        Implicit::ImageDepth { argument, offset } => (image(ImageNumber::Depth, argument), offset),
        Implicit::ImageArraySize { argument, offset } => {
            (image(ImageNumber::ArraySize, argument), offset)
        }
        Implicit::ImageNumMipLevels { argument, offset } => {
            (image(ImageNumber::NumMipLevels, argument), offset)
        }
        Implicit::ImageNumSamples { argument, offset } => {
            (image(ImageNumber::NumSamples, argument), offset)
        }
        Implicit::SamplerBits { argument, offset } => {
            (Told::SamplerBits(argument as usize), offset)
        }
    };
    (told, offset as usize)
}

fn data(data: &ProgramData) -> Result<clc_interpreter::ProgramData, String> {
    let contents = hex::decode(&data.contents).ok_or("contents: no digits")?;
    let relocations = data.relocations.iter();
    let variables = data.variables.iter().map(|variable| Variable {
        name: variable.name.clone(),
        offset: variable.offset as usize,
        size: variable.size as usize,
    });
    Ok(clc_interpreter::ProgramData {
        is_constant: data.kind == DataKind::Constant,
        align: u64::from(data.align),
        contents,
        relocations: relocations.map(|it| (it.offset as usize, it.target as usize)).collect(),
        variables: variables.collect(),
    })
}

/// The `CLK_*` bits of a sampler.
fn bits(sampler: &LiteralSampler) -> u32 {
    let addressing = match sampler.addressing {
        Addressing::ClampToEdge => 2,
        Addressing::Clamp => 4,
        Addressing::Repeat => 6,
        Addressing::MirroredRepeat => 8,
    };
    let filter = match sampler.filter {
        Filter::Nearest => 0x10,
        Filter::Linear => 0x20,
    };
    u32::from(sampler.normalized) | addressing | filter
}
