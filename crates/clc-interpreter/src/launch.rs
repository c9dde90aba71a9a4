//! What a kernel is run with, and what is there afterwards.

use std::collections::HashMap;

use crate::interface::Interface;
use crate::memory::Bytes;

/// What a kernel's argument is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A buffer of its own that holds these bytes, of which the kernel gets the address.
    Buffer(Vec<u8>),
    /// The bytes of a number, a vector or a struct.
    Value(Vec<u8>),
    /// So many bytes of local memory.
    Local(usize),
    /// A null pointer.
    Null,
    /// An image, which comes back among the buffers.
    Image(Image),
    /// A sampler, by the bits of its `CLK_*` constants.
    Sampler(u32),
}

/// An image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Width, height, and depth or layers; those that it has not are 1.
    pub sizes: [u64; 3],
    /// 1 (`r`), 2 (`rg`) or 4 (`rgba`).
    pub channels: usize,
    /// Of each channel.
    pub channel: Channel,
    /// The texels, row by row.
    pub bytes: Vec<u8>,
}

/// The format of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// 32 bits.
    Float,
    /// 16 bits.
    Half,
    /// So many bytes.
    Signed(usize),
    /// So many bytes.
    Unsigned(usize),
    /// So many bytes for numbers from -1 to 1.
    SignedNormalized(usize),
    /// So many bytes for numbers from 0 to 1.
    UnsignedNormalized(usize),
}

impl Channel {
    /// In bytes.
    pub fn size(self) -> usize {
        match self {
            Channel::Float => 4,
            Channel::Half => 2,
            Channel::Signed(size)
            | Channel::Unsigned(size)
            | Channel::SignedNormalized(size)
            | Channel::UnsignedNormalized(size) => size,
        }
    }
}

/// What a kernel is run with.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Work-items in each dimension; as many dimensions as there are numbers.
    pub global: Vec<u64>,
    /// Those of a work-group; what is left over makes smaller ones at the ends.
    pub local: Vec<u64>,
    /// Of the global ids; empty for zero.
    pub offset: Vec<u64>,
    /// In the order of the parameters.
    pub arguments: Vec<Argument>,
    /// Specialization constants by number; others have their defaults.
    pub constants: HashMap<u32, u64>,
    /// What variables at program scope hold, by name, that an earlier launch of the program left.
    pub variables: HashMap<String, Bytes>,
    /// Of a module for Vulkan: what its host has to know.
    pub interface: Option<Interface>,
    /// Bytes from a multiple of 128 to where a buffer begins. The address that a host passes has to be aligned to what it
    /// points to, no more (OpenCL C 6.3.5).
    pub buffer_place: u64,
    /// Words of 32 bits for what a shader prints.
    pub printf_words: u32,
    /// Work-items of a sub-group, where the group has as many.
    pub sub_group_size: u64,
    /// Data races end the launch. Where the program orders accesses by other means than barriers of the
    /// work-group, none are looked for from there on.
    pub races: bool,
    /// The sign and the digits of a NaN that an operation gives are bits of this number. Without it they are
    /// unknown, as no operation promises them.
    pub nan: Option<u64>,
    /// Instructions of all work-items.
    pub steps: u64,
    /// Bytes of all objects at a time.
    pub memory: u64,
}

impl Default for Launch {
    fn default() -> Launch {
        Launch {
            global: vec![1],
            local: vec![1],
            offset: Vec::new(),
            arguments: Vec::new(),
            constants: HashMap::new(),
            variables: HashMap::new(),
            interface: None,
            buffer_place: 0,
            printf_words: 1 << 14,
            sub_group_size: 8,
            races: false,
            nan: None,
            steps: 50_000_000,
            memory: 1 << 28,
        }
    }
}

/// What is there after a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// By argument: what its buffer or image holds.
    pub buffers: Vec<Option<Bytes>>,
    /// What variables at program scope hold, by name.
    pub variables: HashMap<String, Bytes>,
    /// What was printed, in the order in which work-items took turns.
    pub printed: String,
    /// The buffer for what a shader prints, for its host to read.
    pub records: Option<Bytes>,
    /// The instructions that were left of [`Launch::steps`].
    pub steps_left: u64,
}
