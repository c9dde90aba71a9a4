//! The reflection as a host reads it: from the JSON text alone.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::hex;

/// The fields are those that `docs/command.md` explains.
#[derive(Clone, Debug, Deserialize)]
pub struct Reflection {
    pub format: u32,
    pub environment: String,
    #[serde(default)]
    pub regions: Option<Regions>,
    pub kernels: Vec<Kernel>,
    pub program_data: Vec<ProgramData>,
    #[serde(default)]
    pub printf_formats: Vec<PrintfFormat>,
    #[serde(default)]
    pub samplers: Vec<LiteralSampler>,
    #[serde(default, rename = "specialization_constants")]
    pub constants: Vec<SpecConstant>,
}

/// A specialization constant that the program names.
#[derive(Clone, Debug, Deserialize)]
pub struct SpecConstant {
    pub id: u32,
    /// Bytes.
    pub size: u32,
}

/// How a launch may be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Regions {
    OneSize,
    AnySize,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Kernel {
    pub name: String,
    pub work_group_size: WorkGroupSize,
    pub block_size: u32,
    pub block_in_buffer: bool,
    pub arguments: Vec<Argument>,
    pub implicit: Vec<Implicit>,
    pub local_memory: u32,
    pub local_memory_per_item: u32,
    #[serde(default)]
    pub sub_groups: bool,
    pub sub_group_size: Option<u32>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub enum WorkGroupSize {
    Fixed { fixed: [u32; 3] },
    Constants { constants: [Option<u32>; 3], default: Option<[u32; 3]>, required: Option<[u32; 3]> },
}

impl WorkGroupSize {
    /// What the source requires.
    pub fn required(self) -> Option<[u32; 3]> {
        match self {
            WorkGroupSize::Fixed { fixed } => Some(fixed),
            WorkGroupSize::Constants { required, .. } => required,
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct Argument {
    pub name: String,
    #[serde(rename = "type")]
    pub type_name: String,
    #[serde(flatten)]
    pub kind: ArgumentKind,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ArgumentKind {
    Buffer { offset: u32 },
    Value { offset: u32, size: u32 },
    Local { constant: u32, element_size: u32 },
    Image { set: u32, binding: u32, descriptor: ImageDescriptor },
    Sampler { set: u32, binding: u32, always_normalized: bool },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImageDescriptor {
    SampledImage,
    StorageImage,
    UniformTexelBuffer,
    StorageTexelBuffer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct LiteralSampler {
    pub set: u32,
    pub binding: u32,
    pub normalized: bool,
    pub addressing: Addressing,
    pub filter: Filter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Addressing {
    ClampToEdge,
    Clamp,
    Repeat,
    MirroredRepeat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    Nearest,
    Linear,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Implicit {
    GlobalOffset { offset: u32 },
    GlobalSize { offset: u32 },
    EnqueuedLocalSize { offset: u32 },
    NumGroups { offset: u32 },
    RegionOffset { offset: u32 },
    RegionGroupOffset { offset: u32 },
    WorkDim { offset: u32 },
    ProgramData { index: u32, offset: u32 },
    PrintfBuffer { offset: u32 },
    ImageChannelOrder { argument: u32, offset: u32 },
    ImageChannelDataType { argument: u32, offset: u32 },
    ImageWidth { argument: u32, offset: u32 },
    ImageHeight { argument: u32, offset: u32 },
    ImageDepth { argument: u32, offset: u32 },
    ImageArraySize { argument: u32, offset: u32 },
    ImageNumMipLevels { argument: u32, offset: u32 },
    ImageNumSamples { argument: u32, offset: u32 },
    SamplerBits { argument: u32, offset: u32 },
}

#[derive(Clone, Debug, Deserialize)]
pub struct PrintfFormat {
    pub id: u32,
    pub string: String,
    /// What `string` cannot say.
    #[serde(default, deserialize_with = "bytes")]
    bytes: Option<Vec<u8>>,
    pub arguments: Vec<PrintfArgument>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct PrintfArgument {
    pub kind: PrintfArgumentKind,
    pub size: u32,
    pub components: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PrintfArgumentKind {
    Integer,
    Float,
    Pointer,
    String,
}

impl PrintfFormat {
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_deref().unwrap_or(self.string.as_bytes())
    }
}

impl PrintfArgument {
    /// Words in a record.
    pub fn words(&self) -> usize {
        (self.size as usize * self.components as usize).div_ceil(4)
    }
}

fn bytes<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Option<Vec<u8>>, D::Error> {
    let digits = String::deserialize(deserializer)?;
    let bytes = hex::decode(&digits).ok_or_else(|| D::Error::custom("bytes: no digits"))?;
    Ok(Some(bytes))
}

#[derive(Clone, Debug, Deserialize)]
pub struct ProgramData {
    pub kind: DataKind,
    pub align: u32,
    /// Hexadecimal digits.
    pub contents: String,
    pub relocations: Vec<Relocation>,
    #[serde(default)]
    pub variables: Vec<Variable>,
}

/// The address space of a buffer's variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DataKind {
    Constant,
    Global,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Variable {
    pub name: String,
    pub offset: u32,
    pub size: u32,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Relocation {
    pub offset: u32,
    pub target: u32,
}

impl Reflection {
    pub fn parse(text: &str) -> Result<Reflection, String> {
        let reflection: Reflection =
            serde_json::from_str(text).map_err(|error| format!("reflection: {error}"))?;
        match reflection.format {
            1 => Ok(reflection),
            format => Err(format!("reflection: format {format} is not known")),
        }
    }

    pub fn kernel(&self, name: &str) -> Result<&Kernel, String> {
        self.kernels
            .iter()
            .find(|kernel| kernel.name == name)
            .ok_or_else(|| format!("the module has no kernel `{name}`"))
    }
}

#[cfg(test)]
mod tests {
    use clc::reflection as written;

    use super::*;

    /// What the compiler writes is what is read here.
    #[test]
    fn the_compilers_text_is_read() {
        let argument = |kind| written::Argument {
            name: "a".to_owned(),
            type_name: "float*".to_owned(),
            type_qualifiers: String::new(),
            kind,
        };
        let kernel = written::Kernel {
            name: "k".to_owned(),
            work_group_size: written::WorkGroupSize::Constants {
                ids: [0, 1, 2].map(Some),
                default: [1; 3],
                of_program: false,
                required: None,
            },
            block_size: 56,
            block_in_buffer: false,
            arguments: vec![
                argument(written::ArgumentKind::Buffer { constant: false, offset: 8 }),
                argument(written::ArgumentKind::Value { offset: 16, size: 4 }),
                argument(written::ArgumentKind::Local { constant: 3, element_size: 4 }),
                argument(written::ArgumentKind::Image {
                    at: written::Binding { set: 0, binding: 0 },
                    descriptor: written::ImageDescriptor::StorageTexelBuffer,
                }),
                argument(written::ArgumentKind::Sampler {
                    at: written::Binding { set: 0, binding: 1 },
                    always_normalized: false,
                }),
            ],
            implicit: vec![
                written::Implicit::GlobalOffset { offset: 24 },
                written::Implicit::WorkDim { offset: 48 },
                written::Implicit::ProgramData { index: 0, offset: 0 },
                written::Implicit::PrintfBuffer { offset: 8 },
                written::Implicit::ImageChannelOrder { argument: 3, offset: 32 },
                written::Implicit::ImageChannelDataType { argument: 3, offset: 36 },
                written::Implicit::SamplerBits { argument: 4, offset: 40 },
                written::Implicit::GlobalSize { offset: 64 },
                written::Implicit::EnqueuedLocalSize { offset: 88 },
                written::Implicit::NumGroups { offset: 100 },
                written::Implicit::RegionOffset { offset: 112 },
                written::Implicit::RegionGroupOffset { offset: 136 },
                written::Implicit::ImageQuery {
                    query: written::ImageQuery::ArraySize,
                    argument: 3,
                    offset: 148,
                },
            ],
            local_memory: 0,
            local_memory_per_item: 0,
            sub_groups: true,
            sub_group_size: None,
        };
        let fixed = written::Kernel {
            name: "l".to_owned(),
            work_group_size: written::WorkGroupSize::Fixed([4, 2, 1]),
            ..kernel.clone()
        };
        let required = written::Kernel {
            name: "m".to_owned(),
            work_group_size: written::WorkGroupSize::Constants {
                ids: [0, 1, 2].map(Some),
                default: [1; 3],
                of_program: false,
                required: Some([8, 1, 1]),
            },
            ..kernel.clone()
        };
        let reflection = written::Reflection {
            environment: clc::TargetEnv::Vulkan { major: 1, minor: 3 },
            regions: Some(written::Regions::AnySize),
            kernels: vec![kernel, fixed, required],
            program_data: vec![written::ProgramData {
                kind: written::DataKind::Constant,
                align: 8,
                contents: vec![1, 2, 0xff],
                relocations: vec![written::Relocation { offset: 8, target: 0 }],
                variables: Vec::new(),
            }],
            printf_formats: vec![written::PrintfFormat {
                id: 1,
                string: b"%s\xff".to_vec(),
                arguments: vec![
                    written::PrintfArgument::STRING,
                    written::PrintfArgument::POINTER,
                    written::PrintfArgument {
                        kind: written::PrintfArgumentKind::Float,
                        size: 2,
                        components: 3,
                    },
                    written::PrintfArgument {
                        kind: written::PrintfArgumentKind::Integer,
                        size: 4,
                        components: 1,
                    },
                ],
            }],
            samplers: vec![written::LiteralSampler {
                at: written::Binding { set: 1, binding: 0 },
                normalized: false,
                addressing: written::Addressing::Clamp,
                linear: false,
            }],
        };
        let description = written::ModuleDescription::default();
        let text = written::json(&description, None, Some(&reflection));
        let read = Reflection::parse(&text).unwrap();
        let sampler = LiteralSampler {
            set: 1,
            binding: 0,
            normalized: false,
            addressing: Addressing::Clamp,
            filter: Filter::Nearest,
        };
        assert_eq!(read.samplers, [sampler]);
        assert_eq!(read.regions, Some(Regions::AnySize));
        let kernel = read.kernel("k").unwrap();
        assert!(matches!(
            kernel.work_group_size,
            WorkGroupSize::Constants {
                constants: [Some(0), Some(1), Some(2)],
                default: None,
                required: None
            }
        ));
        assert!(matches!(
            read.kernel("l").unwrap().work_group_size,
            WorkGroupSize::Fixed { fixed: [4, 2, 1] }
        ));
        assert!(matches!(
            read.kernel("m").unwrap().work_group_size,
            WorkGroupSize::Constants {
                constants: [Some(0), Some(1), Some(2)],
                default: None,
                required: Some([8, 1, 1])
            }
        ));
        let kinds: Vec<_> = kernel.arguments.iter().map(|argument| argument.kind).collect();
        assert!(matches!(
            kinds[..],
            [
                ArgumentKind::Buffer { offset: 8 },
                ArgumentKind::Value { offset: 16, size: 4 },
                ArgumentKind::Local { constant: 3, element_size: 4 },
                ArgumentKind::Image {
                    set: 0,
                    binding: 0,
                    descriptor: ImageDescriptor::StorageTexelBuffer
                },
                ArgumentKind::Sampler { set: 0, binding: 1, always_normalized: false },
            ]
        ));
        assert!(matches!(
            kernel.implicit[..],
            [
                Implicit::GlobalOffset { offset: 24 },
                Implicit::WorkDim { offset: 48 },
                Implicit::ProgramData { index: 0, offset: 0 },
                Implicit::PrintfBuffer { offset: 8 },
                Implicit::ImageChannelOrder { argument: 3, offset: 32 },
                Implicit::ImageChannelDataType { argument: 3, offset: 36 },
                Implicit::SamplerBits { argument: 4, offset: 40 },
                Implicit::GlobalSize { offset: 64 },
                Implicit::EnqueuedLocalSize { offset: 88 },
                Implicit::NumGroups { offset: 100 },
                Implicit::RegionOffset { offset: 112 },
                Implicit::RegionGroupOffset { offset: 136 },
                Implicit::ImageArraySize { argument: 3, offset: 148 },
            ]
        ));
        let format = &read.printf_formats[0];
        assert_eq!((format.id, format.bytes()), (1, &b"%s\xff"[..]));
        let arguments: Vec<_> =
            format.arguments.iter().map(|argument| (argument.kind, argument.words())).collect();
        assert_eq!(
            arguments,
            [
                (PrintfArgumentKind::String, 1),
                (PrintfArgumentKind::Pointer, 2),
                (PrintfArgumentKind::Float, 2),
                (PrintfArgumentKind::Integer, 1),
            ]
        );
        assert_eq!(read.program_data[0].contents, "0102ff");
        assert!(read.kernel("missing").unwrap_err().contains("no kernel `missing`"));
        let newer = text.replace("\"format\": 1", "\"format\": 2");
        assert!(Reflection::parse(&newer).unwrap_err().contains("format 2"));
    }
}
