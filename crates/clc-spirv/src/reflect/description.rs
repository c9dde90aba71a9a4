//! What a module says of itself, as plain data.

pub use clc_base::AddressSpace;
pub use clc_builtins::{Access, Scalar};

/// What a module is, what its entry points take and what they need.
///
/// Lists are in the order of the module. Sizes, alignments and offsets are bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModuleDescription {
    /// The API whose kernels these are.
    pub target: Target,
    /// The version of SPIR-V, major and minor.
    pub version: (u8, u8),
    /// What wrote the module.
    pub generator: Generator,
    /// `Physical64`, `Logical`, …
    pub addressing_model: String,
    /// `OpenCL`, `Vulkan`, `GLSL450`, …
    pub memory_model: String,
    /// As SPIR-V calls them.
    pub capabilities: Vec<String>,
    /// `SPV_…`
    pub extensions: Vec<String>,
    /// Extended instruction sets: `OpenCL.std`, …
    pub instruction_sets: Vec<String>,
    /// The language of the source, if the module says it.
    pub source: Option<SourceLanguage>,
    /// The entry points.
    pub kernels: Vec<Kernel>,
    /// The structs that arguments and resources are made of; types name them by their index here.
    pub structs: Vec<Struct>,
    /// Constants that the host can choose.
    pub specialization_constants: Vec<SpecializationConstant>,
    /// The formats of `printf` that are constant, each once.
    pub printf_formats: Vec<PrintfString>,
    /// What the module exports to others and imports from them.
    pub symbols: Vec<Symbol>,
    /// What was not understood and is left out, in words.
    pub notes: Vec<String>,
}

/// An API that runs modules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// The memory model of OpenCL, or the capability `Kernel`.
    #[default]
    OpenCl,
    /// A module of shaders.
    Vulkan,
}

impl Target {
    /// `opencl`, `vulkan`
    pub fn name(self) -> &'static str {
        match self {
            Target::OpenCl => "opencl",
            Target::Vulkan => "vulkan",
        }
    }
}

/// What wrote a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generator {
    /// Its number in the registry of Khronos; 0 without one.
    pub id: u16,
    /// Its own version.
    pub version: u16,
    /// Its name in the registry, if it is one of the usual ones.
    pub name: Option<&'static str>,
}

/// OpSource
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLanguage {
    /// `OpenCL_C`, `GLSL`, …
    pub language: String,
    /// As the module writes it: 1.2 of OpenCL C is 102000.
    pub version: u32,
    /// The name of the file.
    pub file: Option<String>,
}

/// An entry point.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// The name that the host uses.
    pub name: String,
    /// `Kernel`, `GLCompute`, `Fragment`, …
    pub execution_model: String,
    /// The size of work-groups that the module asks for; `None` leaves it to the launch.
    pub work_group_size: Option<WorkGroupSize>,
    /// `work_group_size_hint`
    pub work_group_size_hint: Option<[u32; 3]>,
    /// `vec_type_hint`: `float4`. Integers are signed, for modules do not say more.
    pub vec_type_hint: Option<String>,
    /// The size of sub-groups that the kernel requires.
    pub sub_group_size: Option<u32>,
    /// Every execution mode with its operands, as SPIR-V calls it: `LocalSize 8 8 1`.
    pub execution_modes: Vec<String>,
    /// In the order of the source; empty if they are not known.
    pub arguments: Vec<Argument>,
    /// Whether the arguments are known. A module of shaders says them only where it holds a reflection
    /// (NonSemantic.ClspvReflection).
    pub arguments_known: bool,
    /// Shaders: the resources that are bound to descriptors.
    pub descriptors: Vec<Descriptor>,
    /// Shaders: the struct of push constants.
    pub push_constants: Option<Type>,
    /// Bytes of `local` variables of the kernel and of what it calls, `local` arguments left out.
    /// `None` if the module does not say their size.
    pub local_memory: Option<u64>,
    /// There are variables among them whose size specialization constants decide; they are counted with
    /// the defaults. In shaders of OpenCL C these are the `local` arguments.
    pub local_memory_specialized: bool,
    /// Bytes of private variables of the kernel and of what it calls, each function once. Values that are
    /// in no variable are not counted: how long each one lives only a driver knows.
    pub private_memory: Option<u64>,
    /// Registers of 32 bits that hold these variables, each variable in whole registers.
    pub private_registers: Option<u64>,
}

/// The size of a work-group in three dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkGroupSize {
    /// The only size.
    Fixed([u32; 3]),
    /// Specialization constants.
    Constants {
        /// Their ids; `None` where the dimension is fixed.
        ids: [Option<u32>; 3],
        /// The sizes if the host does not choose them.
        default: [u32; 3],
    },
}

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// The name of the parameter; empty if the module does not know it.
    pub name: String,
    /// In the words of the source, without qualifiers and address space: `float*`.
    pub type_name: String,
    /// `const`, `restrict`, `volatile`, `pipe`, separated by spaces in this order.
    pub type_qualifiers: String,
    /// What the host passes.
    pub kind: ArgumentKind,
    /// Of what a pointer points to; `Global` for images and pipes, `Private` for other types. `None` if
    /// the module does not say it.
    pub address_space: Option<AddressSpace>,
    /// Of images and pipes; `None` for other types, and if the module does not say it.
    pub access: Option<Access>,
    /// The type in parts. Integers are unsigned where the module does not know better.
    pub ty: Type,
    /// Shaders: where the host puts it.
    pub place: Option<Place>,
}

/// The one list of what hosts pass: what is generated from descriptions has the same names and meanings.
macro_rules! argument_kinds {
    ($($kind:ident, $name:literal, $meaning:literal;)*) => {
        /// What the host passes for an argument.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ArgumentKind {
            $(#[doc = $meaning] $kind,)*
        }

        impl ArgumentKind {
            /// All of them.
            pub const ALL: &[ArgumentKind] = &[$(ArgumentKind::$kind),*];

            /// `buffer`, `value`, …
            pub fn name(self) -> &'static str {
                match self {
                    $(ArgumentKind::$kind => $name,)*
                }
            }

            /// A sentence.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(ArgumentKind::$kind => $meaning,)*
                }
            }
        }
    };
}

argument_kinds! {
    Buffer, "buffer", "A `global` or `constant` buffer.";
    Value, "value", "The bytes of a value.";
    Local, "local", "A number of bytes of `local` memory.";
    Image, "image", "An image.";
    Sampler, "sampler", "A sampler.";
    Pipe, "pipe", "A pipe.";
    Queue, "queue", "A queue of the device.";
    Opaque, "opaque", "Something else that has no bytes.";
}

/// Where a shader finds an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A descriptor.
    Descriptor {
        /// The number of the descriptor set.
        set: u32,
        /// The number in the set.
        binding: u32,
    },
    /// Bytes of a buffer that is bound to a descriptor.
    InBuffer {
        /// The number of the descriptor set.
        set: u32,
        /// The number in the set.
        binding: u32,
        /// Where its bytes begin.
        offset: u32,
        /// How many bytes there are.
        size: u32,
    },
    /// Bytes of the push constants.
    PushConstants {
        /// Where its bytes begin.
        offset: u32,
        /// How many bytes there are.
        size: u32,
    },
    /// A specialization constant is the number of elements of `local` memory.
    Elements {
        /// The id of the specialization constant.
        constant: u32,
        /// Bytes of an element.
        element_size: u32,
    },
}

/// A type in parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// Of an array: the type of its elements.
    pub kind: TypeKind,
    /// The lengths of an array, the outermost first; empty for what is none. 0 is an unknown length.
    pub dims: Vec<u64>,
    /// Bytes of the whole; `None` for what has no size that the host could know.
    pub size: Option<u64>,
    /// Alignment in bytes.
    pub align: Option<u64>,
}

/// What a type is, arrays aside.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `void`, of what a pointer points to.
    Void,
    /// A number.
    Scalar(Scalar),
    /// Numbers, 2 to 16.
    Vector(Scalar, u32),
    /// A struct or union, by its index in [`ModuleDescription::structs`].
    Struct(usize),
    /// A pointer.
    Pointer {
        /// Where it points to.
        space: AddressSpace,
        /// What it points to; `None` where the module does not say it, and where pointers to
        /// pointers are many.
        pointee: Option<Box<Type>>,
    },
    /// Something with a name only: an image, a sampler, a matrix, …
    Opaque(String),
}

/// A struct or union.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Struct {
    /// Its name in the source; may be made up, or empty.
    pub name: String,
    /// The name is one that `typedef` gave, without `struct` or `union` before it.
    pub is_typedef: bool,
    /// A union: all members begin at 0.
    pub is_union: bool,
    /// Bytes, tail padding included; `None` if a member has no size.
    pub size: Option<u64>,
    /// Alignment in bytes.
    pub align: Option<u64>,
    /// In their order in memory.
    pub members: Vec<Member>,
}

/// A member of a struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its name; empty for padding, for what is anonymous and where the module does not know it.
    pub name: String,
    /// Bytes from the start of the struct; `None` behind a member without a size.
    pub offset: Option<u64>,
    /// Its type.
    pub ty: Type,
}

/// A resource that is bound to a descriptor.
#[derive(Clone, Debug, PartialEq)]
pub struct Descriptor {
    /// The number of the descriptor set.
    pub set: u32,
    /// The number in the set.
    pub binding: u32,
    /// The name of the variable, or of its struct; may be empty.
    pub name: String,
    /// `storage_buffer`, `uniform_buffer`, `sampled_image`, `storage_image`, `uniform_texel_buffer`,
    /// `storage_texel_buffer`, `sampler`, `combined_image_sampler`,
    /// `input_attachment`, or `other`.
    pub kind: &'static str,
    /// What is bound.
    pub ty: Type,
}

/// A constant that the host can choose.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecializationConstant {
    /// The number by which the host names it.
    pub id: u32,
    /// Its name; may be empty.
    pub name: String,
    /// A scalar.
    pub ty: Type,
    /// The bits of the value that it has if the host does not choose.
    pub default: u64,
}

/// The format of a `printf`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintfString {
    /// The number that records name it by; `None` for OpenCL, whose drivers print.
    pub id: Option<u32>,
    /// Its bytes, without the zero that ends it.
    pub string: Vec<u8>,
}

/// A name that the linker knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// A function, or a variable.
    pub is_function: bool,
    /// Defined here, or elsewhere.
    pub is_export: bool,
}

impl ModuleDescription {
    /// A type as OpenCL C writes it: `global float4 *`, `struct particle[4]`.
    pub fn type_text(&self, ty: &Type) -> String {
        let mut text = match &ty.kind {
            TypeKind::Void => "void".to_owned(),
            TypeKind::Scalar(scalar) => scalar.name().to_owned(),
            TypeKind::Vector(scalar, count) => format!("{}{count}", scalar.name()),
            TypeKind::Struct(index) => self.struct_text(*index),
            TypeKind::Opaque(name) => name.clone(),
            TypeKind::Pointer { space, pointee } => match pointee {
                Some(pointee) => format!("{space} {}*", self.type_text(pointee)),
                None => format!("{space} void*"),
            },
        };
        for &length in &ty.dims {
            match length {
                0 => text.push_str("[]"),
                length => text.push_str(&format!("[{length}]")),
            }
        }
        text
    }

    /// As `clGetKernelArgInfo` spells the type of an argument: `float4*`.
    pub fn argument_type_name(&self, ty: &Type) -> String {
        match &ty.kind {
            TypeKind::Pointer { pointee: Some(pointee), .. } if ty.dims.is_empty() => {
                format!("{}*", self.argument_type_name(pointee))
            }
            TypeKind::Pointer { pointee: None, .. } if ty.dims.is_empty() => "void*".to_owned(),
            _ => self.type_text(ty),
        }
    }

    fn struct_text(&self, index: usize) -> String {
        let Some(found) = self.structs.get(index) else { return "struct".to_owned() };
        let word = if found.is_union { "union" } else { "struct" };
        match found.name.as_str() {
            "" => format!("{word} #{index}"),
            name if found.is_typedef => name.to_owned(),
            name => format!("{word} {name}"),
        }
    }
}

impl SpecializationConstant {
    /// The default as its type writes it.
    pub fn default_text(&self) -> String {
        let bits = self.default;
        match self.ty.kind {
            TypeKind::Scalar(Scalar::Bool) => (bits != 0).to_string(),
            TypeKind::Scalar(Scalar::Float) => f32::from_bits(bits as u32).to_string(),
            TypeKind::Scalar(Scalar::Double) => f64::from_bits(bits).to_string(),
            TypeKind::Scalar(Scalar::Half) => format!("{bits:#06x}"),
            TypeKind::Scalar(scalar) if scalar.is_signed() => {
                let unused = 64 - scalar.bits();
                ((bits << unused) as i64 >> unused).to_string()
            }
            _ => bits.to_string(),
        }
    }
}
