//! Reads the JSON that was written for a module, to say of the module what it does not say itself.

mod node;

use clc_base::AddressSpace;
use clc_builtins::{Access, Scalar};
use clc_legalise::Environment;
use clc_legalise::reflection::{
    self as host, Addressing, Binding, DataKind, ImageDescriptor, ImageQuery, Implicit,
    LiteralSampler, PrintfArgument, PrintfArgumentKind, PrintfFormat, ProgramData, Reflection,
    Regions, Relocation, Variable,
};
use clc_spirv::reflect::{
    Argument, ArgumentKind, Member, ModuleDescription, Struct, Type, TypeKind, WorkGroupSize,
};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use crate::reflection::source::{SourceKernel, SourceKernels};
use node::Node;

/// Grows when a field changes its meaning or goes away, not when one is added.
pub(super) const FORMAT: u32 = 1;

/// A module, and what the JSON that was written with it says besides.
#[derive(Clone, Debug)]
pub struct Joined {
    /// The module, with arguments and structs as the source has them.
    pub description: ModuleDescription,
    /// What the module was compiled for, if the JSON says it.
    pub environment: Option<Environment>,
    /// What hosts of Vulkan need besides.
    pub reflection: Option<Reflection>,
}

/// Adds to the description of a module what its JSON ([`json`](super::json)) says of it: names and types
/// of arguments, the signs of integers, hints, and for Vulkan where arguments go. What the module says
/// itself stays.
///
/// # Errors
///
/// The reason, as half of a sentence, if the text is no such JSON, or belongs to another module: the
/// kernels are others, or what both say of work-groups, descriptors, push constants and specialization
/// constants is different.
pub fn with_json(mut description: ModuleDescription, text: &str) -> Result<Joined, String> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| format!("it is no JSON: {error}"))?;
    let root = Node::root(&value);
    match root.field("format")?.number::<u32>()? {
        FORMAT => {}
        format => return Err(format!("its format is {format}, and {FORMAT} is the one known")),
    }
    let environment = match root.optional("environment") {
        None => None,
        Some(name) => Some(name.one_of(Environment::from_name)?),
    };
    let reflection = match (root.optional("program_data"), environment) {
        (None, _) => None,
        (Some(_), None) => return Err("it says not for which environment it is".to_owned()),
        (Some(_), Some(environment)) => Some(reflection(&root, environment)?),
    };
    belongs(&root, &description, reflection.as_ref())?;
    source(&root)?.apply(&mut description);
    Ok(Joined { description, environment, reflection })
}

/// Why the JSON is that of another module.
fn belongs(
    root: &Node<'_>,
    description: &ModuleDescription,
    reflection: Option<&Reflection>,
) -> Result<(), String> {
    let target = root.field("target")?.text()?;
    if target != description.target.name() {
        return Err(format!("it is for {target}, the module for {}", description.target.name()));
    }
    let named = root.all("kernels", |kernel| {
        Ok((kernel.field("name")?.text()?.to_owned(), kernel.value.clone()))
    })?;
    let mut unseen: FxHashMap<String, Value> = named.into_iter().collect();
    let of_host: FxHashMap<&str, &host::Kernel> = reflection
        .into_iter()
        .flat_map(|reflection| &reflection.kernels)
        .map(|kernel| (kernel.name.as_str(), kernel))
        .collect();
    for kernel in &description.kernels {
        let name = &kernel.name;
        let Some(value) = unseen.remove(name) else {
            return Err(format!("it has no kernel `{name}`, which the module has"));
        };
        let described = Node::root(&value);
        let differs = |what: &str| Err(format!("the module says other {what} of kernel `{name}`"));
        let arguments = described.field("arguments")?;
        let count = arguments.value.as_array().map(Vec::len);
        if kernel.arguments_known && count != Some(kernel.arguments.len()) {
            return differs("arguments");
        }
        let known = described.all("descriptors", |descriptor| {
            let number = |field| descriptor.field(field)?.number::<u32>();
            let kind = descriptor.field("kind")?.text()?.to_owned();
            Ok((number("set")?, number("binding")?, kind))
        })?;
        let known: FxHashSet<(u32, u32, String)> = known.into_iter().collect();
        let mut found = kernel.descriptors.iter();
        if !found.all(|found| known.contains(&(found.set, found.binding, found.kind.to_owned()))) {
            return differs("descriptors");
        }
        if let (Some(size), Some(block)) =
            (kernel.push_constants.as_ref().and_then(|ty| ty.size), of_host.get(name.as_str()))
        {
            let pushed = if block.block_in_buffer { 8 } else { u64::from(block.block_size) };
            // Their end may be padding for what needs more alignment.
            if size.next_multiple_of(16) != pushed.next_multiple_of(16) {
                return differs("push constants");
            }
        }
        let size = described.optional("work_group_size");
        let agrees = match (kernel.work_group_size, size) {
            (None, None) => true,
            (Some(WorkGroupSize::Fixed(size)), Some(value)) => match value.optional("fixed") {
                Some(fixed) => fixed.three()? == size,
                None => false,
            },
            (Some(WorkGroupSize::Constants { ids, .. }), Some(value)) => {
                match value.optional("constants") {
                    Some(constants) => constants.constants()? == ids,
                    None => false,
                }
            }
            (None, Some(_)) | (Some(_), None) => false,
        };
        if !agrees {
            return differs("sizes of work-groups");
        }
    }
    if let Some(name) = unseen.keys().min() {
        return Err(format!("the module has no kernel `{name}`"));
    }
    let sizes = root.all("specialization_constants", |constant| {
        Ok((constant.field("id")?.number::<u32>()?, constant.count("size")?))
    })?;
    let sizes: FxHashMap<u32, Option<u64>> = sizes.into_iter().collect();
    for constant in &description.specialization_constants {
        if sizes.get(&constant.id) != Some(&constant.ty.size) {
            return Err(format!(
                "it has no specialization constant {} like the module's",
                constant.id
            ));
        }
    }
    Ok(())
}

/// What was said of the source.
fn source(root: &Node<'_>) -> Result<SourceKernels, String> {
    let structs = root.all("structs", structure)?;
    let mut types = Types { structs, order: Vec::new(), indices: FxHashMap::default() };
    let kernels = root.all("kernels", |kernel| {
        let name = kernel.field("name")?.text()?.to_owned();
        let Some(arguments) = kernel.optional("arguments") else { return Ok(None) };
        let arguments = arguments.list(|described| {
            let mut argument = argument(described)?;
            types.keep(&mut argument.ty, described)?;
            Ok(argument)
        })?;
        let hint = kernel.optional("work_group_size_hint").map(|hint| hint.three()).transpose()?;
        let vec_type_hint = kernel.optional("vec_type_hint").map(|hint| hint.text()).transpose()?;
        let sub_group_size = kernel.optional("sub_group_size");
        let found = SourceKernel {
            arguments,
            work_group_size_hint: hint,
            vec_type_hint: vec_type_hint.map(str::to_owned),
            sub_group_size: sub_group_size.map(|size| size.number()).transpose()?,
        };
        Ok(Some((name, found)))
    })?;
    let constants = root.all("specialization_constants", |constant| {
        let scalar = constant.field("type")?.one_of(scalar_named)?;
        let ty = Type { kind: TypeKind::Scalar(scalar), dims: Vec::new(), size: None, align: None };
        let name = constant.field("name")?.text()?.to_owned();
        Ok((constant.field("id")?.number()?, (name, ty)))
    })?;
    Ok(SourceKernels {
        kernels: kernels.into_iter().flatten().collect(),
        structs: types.kept(root)?,
        constants: constants.into_iter().collect(),
    })
}

/// The structs of the JSON. Those that arguments name are the source's; the others are the module's own.
struct Types {
    structs: Vec<Struct>,
    /// The kept ones, by their new index.
    order: Vec<usize>,
    indices: FxHashMap<usize, usize>,
}

impl Types {
    /// Numbers the structs of a type anew.
    fn keep(&mut self, ty: &mut Type, at: &Node<'_>) -> Result<(), String> {
        match &mut ty.kind {
            TypeKind::Struct(index) => {
                if *index >= self.structs.len() {
                    return Err(format!("`{at}` names struct {index}, which is not there"));
                }
                let order = &mut self.order;
                *index = *self.indices.entry(*index).or_insert_with_key(|&old| {
                    order.push(old);
                    order.len() - 1
                });
                Ok(())
            }
            TypeKind::Pointer { pointee: Some(pointee), .. } => self.keep(pointee, at),
            TypeKind::Pointer { pointee: None, .. }
            | TypeKind::Void
            | TypeKind::Scalar(_)
            | TypeKind::Vector(..)
            | TypeKind::Opaque(_) => Ok(()),
        }
    }

    fn kept(mut self, root: &Node<'_>) -> Result<Vec<Struct>, String> {
        let mut kept = Vec::new();
        while let Some(&old) = self.order.get(kept.len()) {
            let mut record = self.structs[old].clone();
            for member in &mut record.members {
                self.keep(&mut member.ty, root)?;
            }
            kept.push(record);
        }
        Ok(kept)
    }
}

fn structure(record: &Node<'_>) -> Result<Struct, String> {
    let members = record.all("members", |member| {
        Ok(Member {
            name: member.field("name")?.text()?.to_owned(),
            offset: member.count("offset")?,
            ty: data_type(&member.field("data_type")?)?,
        })
    })?;
    Ok(Struct {
        name: record.field("name")?.text()?.to_owned(),
        is_typedef: record
            .optional("typedef")
            .is_some_and(|value| value.value == &Value::Bool(true)),
        is_union: record.field("union")?.boolean()?,
        size: record.count("size")?,
        align: record.count("align")?,
        members,
    })
}

fn argument(value: &Node<'_>) -> Result<Argument, String> {
    let kind = value
        .field("kind")?
        .one_of(|name| ArgumentKind::ALL.iter().copied().find(|kind| kind.name() == name))?;
    let space = value.optional("address_space").map(|space| space.one_of(space_named));
    let access = value.optional("access").map(|access| access.one_of(access_named));
    Ok(Argument {
        name: value.field("name")?.text()?.to_owned(),
        type_name: value.field("type")?.text()?.to_owned(),
        type_qualifiers: value.field("qualifiers")?.text()?.to_owned(),
        kind,
        address_space: space.transpose()?,
        access: access.transpose()?,
        ty: data_type(&value.field("data_type")?)?,
        place: None,
    })
}

fn data_type(value: &Node<'_>) -> Result<Type, String> {
    let kind = value.field("kind")?;
    let scalar = || value.field("scalar")?.one_of(scalar_named);
    let kind = match kind.text()? {
        "void" => TypeKind::Void,
        "scalar" => TypeKind::Scalar(scalar()?),
        "vector" => TypeKind::Vector(scalar()?, value.field("components")?.number()?),
        "struct" => TypeKind::Struct(value.field("struct")?.number()?),
        "pointer" => {
            // As deep as serde_json lets objects nest.
            let pointee = value.optional("to").map(|to| data_type(&to)).transpose()?;
            let space = value.field("address_space")?.one_of(space_named)?;
            TypeKind::Pointer { space, pointee: pointee.map(Box::new) }
        }
        "opaque" => TypeKind::Opaque(value.field("name")?.text()?.to_owned()),
        _ => return Err(format!("`{kind}` is none that is known")),
    };
    let dims = value.optional("dims").map(|dims| dims.list(|length| length.number()));
    let dims = dims.transpose()?.unwrap_or_default();
    Ok(Type { kind, dims, size: value.count("size")?, align: value.count("align")? })
}

fn scalar_named(name: &str) -> Option<Scalar> {
    Scalar::ALL.into_iter().find(|scalar| scalar.name() == name)
}

fn space_named(name: &str) -> Option<AddressSpace> {
    use AddressSpace::{Constant, Generic, Global, Local, Private};
    [Private, Global, Local, Constant, Generic].into_iter().find(|space| space.name() == name)
}

fn access_named(name: &str) -> Option<Access> {
    use Access::{ReadOnly, ReadWrite, WriteOnly};
    [ReadOnly, WriteOnly, ReadWrite].into_iter().find(|access| access.name() == name)
}

/// What hosts of Vulkan need besides.
fn reflection(root: &Node<'_>, environment: Environment) -> Result<Reflection, String> {
    let regions = root.optional("regions").map(|regions| {
        regions.one_of(|name| match name {
            "one_size" => Some(Regions::OneSize),
            "any_size" => Some(Regions::AnySize),
            _ => None,
        })
    });
    Ok(Reflection {
        environment,
        regions: regions.transpose()?,
        kernels: root.all("kernels", kernel)?,
        program_data: root.all("program_data", data)?,
        printf_formats: root.all("printf_formats", format_of)?,
        samplers: root.all("samplers", sampler)?,
    })
}

fn kernel(value: &Node<'_>) -> Result<host::Kernel, String> {
    let size = value.field("work_group_size")?;
    let work_group_size = match size.optional("fixed") {
        Some(fixed) => host::WorkGroupSize::Fixed(fixed.three()?),
        None => {
            let default = size.optional("default");
            // A dimension that is fixed has its size, and the others 1, if the constants are the compiler's.
            host::WorkGroupSize::Constants {
                ids: size.field("constants")?.constants()?,
                of_program: default.is_some(),
                default: default.map_or(Ok([1; 3]), |default| default.three())?,
                required: size.optional("required").map(|size| size.three()).transpose()?,
            }
        }
    };
    let arguments = value.all("arguments", |argument| {
        Ok(host::Argument {
            name: argument.field("name")?.text()?.to_owned(),
            type_name: argument.field("type")?.text()?.to_owned(),
            type_qualifiers: argument.field("qualifiers")?.text()?.to_owned(),
            kind: passing(argument)?,
        })
    })?;
    let sub_group_size = value.optional("sub_group_size");
    Ok(host::Kernel {
        name: value.field("name")?.text()?.to_owned(),
        work_group_size,
        block_size: value.field("block_size")?.number()?,
        block_in_buffer: value.field("block_in_buffer")?.boolean()?,
        arguments,
        implicit: value.all("implicit", implicit)?,
        local_memory: value.field("local_memory")?.number()?,
        local_memory_per_item: value.field("local_memory_per_item")?.number()?,
        sub_groups: value.field("sub_groups")?.boolean()?,
        sub_group_size: sub_group_size.map(|size| size.number()).transpose()?,
    })
}

fn binding(value: &Node<'_>) -> Result<Binding, String> {
    Ok(Binding { set: value.field("set")?.number()?, binding: value.field("binding")?.number()? })
}

fn passing(value: &Node<'_>) -> Result<host::ArgumentKind, String> {
    let offset = || value.field("offset")?.number();
    let kind = value.field("kind")?;
    Ok(match kind.text()? {
        "buffer" => host::ArgumentKind::Buffer {
            constant: value.field("constant")?.boolean()?,
            offset: offset()?,
        },
        "value" => {
            host::ArgumentKind::Value { offset: offset()?, size: value.field("size")?.number()? }
        }
        "local" => host::ArgumentKind::Local {
            constant: value.field("constant")?.number()?,
            element_size: value.field("element_size")?.number()?,
        },
        "image" => host::ArgumentKind::Image {
            at: binding(value)?,
            descriptor: value.field("descriptor")?.one_of(|name| {
                Some(match name {
                    "sampled_image" => ImageDescriptor::SampledImage,
                    "storage_image" => ImageDescriptor::StorageImage,
                    "uniform_texel_buffer" => ImageDescriptor::UniformTexelBuffer,
                    "storage_texel_buffer" => ImageDescriptor::StorageTexelBuffer,
                    _ => return None,
                })
            })?,
        },
        "sampler" => host::ArgumentKind::Sampler {
            at: binding(value)?,
            always_normalized: value.field("always_normalized")?.boolean()?,
        },
        _ => return Err(format!("`{kind}` is none that arguments of shaders have")),
    })
}

fn implicit(value: &Node<'_>) -> Result<Implicit, String> {
    let offset = value.field("offset")?.number()?;
    let argument = || value.field("argument")?.number();
    let kind = value.field("kind")?;
    Ok(match kind.text()? {
        "global_offset" => Implicit::GlobalOffset { offset },
        "global_size" => Implicit::GlobalSize { offset },
        "enqueued_local_size" => Implicit::EnqueuedLocalSize { offset },
        "num_groups" => Implicit::NumGroups { offset },
        "region_offset" => Implicit::RegionOffset { offset },
        "region_group_offset" => Implicit::RegionGroupOffset { offset },
        "work_dim" => Implicit::WorkDim { offset },
        "printf_buffer" => Implicit::PrintfBuffer { offset },
        "program_data" => Implicit::ProgramData { index: value.field("index")?.number()?, offset },
        "image_channel_order" => Implicit::ImageChannelOrder { argument: argument()?, offset },
        "image_channel_data_type" => {
            Implicit::ImageChannelDataType { argument: argument()?, offset }
        }
        "sampler_bits" => Implicit::SamplerBits { argument: argument()?, offset },
        name => match ImageQuery::ALL.into_iter().find(|query| query.name() == name) {
            Some(query) => Implicit::ImageQuery { query, argument: argument()?, offset },
            None => return Err(format!("`{kind}` is none that is known")),
        },
    })
}

fn data(value: &Node<'_>) -> Result<ProgramData, String> {
    let relocations = value.all("relocations", |place| {
        let number = |field| place.field(field)?.number();
        Ok(Relocation { offset: number("offset")?, target: number("target")? })
    })?;
    let variables = value.all("variables", |variable| {
        let number = |field| variable.field(field)?.number();
        let name = variable.field("name")?.text()?.to_owned();
        Ok(Variable { name, offset: number("offset")?, size: number("size")? })
    })?;
    Ok(ProgramData {
        kind: value.field("kind")?.one_of(|name| match name {
            "constant" => Some(DataKind::Constant),
            "global" => Some(DataKind::Global),
            _ => None,
        })?,
        align: value.field("align")?.number()?,
        contents: value.field("contents")?.bytes()?,
        relocations,
        variables,
    })
}

fn format_of(value: &Node<'_>) -> Result<PrintfFormat, String> {
    let arguments = value.all("arguments", |argument| {
        Ok(PrintfArgument {
            kind: argument.field("kind")?.one_of(|name| match name {
                "integer" => Some(PrintfArgumentKind::Integer),
                "float" => Some(PrintfArgumentKind::Float),
                "pointer" => Some(PrintfArgumentKind::Pointer),
                "string" => Some(PrintfArgumentKind::String),
                _ => None,
            })?,
            size: argument.field("size")?.number()?,
            components: argument.field("components")?.number()?,
        })
    })?;
    let string = match value.optional("bytes") {
        Some(bytes) => bytes.bytes()?,
        None => value.field("string")?.text()?.as_bytes().to_vec(),
    };
    Ok(PrintfFormat { id: value.field("id")?.number()?, string, arguments })
}

fn sampler(value: &Node<'_>) -> Result<LiteralSampler, String> {
    Ok(LiteralSampler {
        at: binding(value)?,
        normalized: value.field("normalized")?.boolean()?,
        addressing: value.field("addressing")?.one_of(|name| match name {
            "clamp_to_edge" => Some(Addressing::ClampToEdge),
            "clamp" => Some(Addressing::Clamp),
            "repeat" => Some(Addressing::Repeat),
            "mirrored_repeat" => Some(Addressing::MirroredRepeat),
            _ => None,
        })?,
        linear: value.field("filter")?.one_of(|name| match name {
            "linear" => Some(true),
            "nearest" => Some(false),
            _ => None,
        })?,
    })
}
