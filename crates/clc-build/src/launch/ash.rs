//! Launches with `ash`, in the compiler's own calling convention: `docs/vulkan.md` and `docs/reflection.md`
//! say what the values are.

mod implicit;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use clc::reflection::module::{Scalar, TypeKind};
use clc::reflection::{
    Addressing, ArgumentKind, ImageDescriptor, LiteralSampler, Regions, WorkGroupSize,
};

use super::{File, Launched};
use implicit::Value;

const VK: &str = "::ash::vk";
const DESCRIPTOR: &str = "::ash::vk::DescriptorType";

/// The shader module, and what belongs to all of its kernels.
pub(super) fn file(out: &mut String, file: &File<'_>) {
    out.push_str(
        "\n    /// The shader module of this file.\n    #[derive(Clone, Copy, Debug)]\n    \
         pub struct Module(pub ::ash::vk::ShaderModule);\n\n    #[allow(unsafe_code)]\n    impl Module {\n        \
         /// The module on a device.\n        ///\n        /// # Safety\n        \
         /// The device has what the module asks for.\n        \
         pub unsafe fn new(device: &::ash::Device) -> Result<Self, ::ash::vk::Result> {\n            \
         unsafe { super::shader_module(device, &WORDS) }.map(Self)\n        }\n\n        \
         /// Destroys the module; pipelines that were made of it live on.\n        ///\n        /// # Safety\n        \
         /// It is of this device.\n        \
         pub unsafe fn destroy(self, device: &::ash::Device) {\n            \
         unsafe { device.destroy_shader_module(self.0, None) }\n        }\n    }\n",
    );
    let Some(reflection) = file.reflection else { return };
    if !reflection.printf_formats.is_empty() {
        out.push_str(
            "\n    /// What the records of `printf` are, by ascending ids.\n    \
             pub static PRINTF_FORMATS: &[super::PrintfFormat] = &[\n",
        );
        for format in &reflection.printf_formats {
            let _ = writeln!(
                out,
                "        super::PrintfFormat {{\n            id: {},\n            string: b\"{}\",\n            \
                 arguments: &[",
                format.id,
                format.string.escape_ascii()
            );
            for argument in &format.arguments {
                let _ = writeln!(
                    out,
                    "                super::PrintfArgument {{ kind: super::PrintfArgumentKind::{:?}, size: {}, \
                     components: {} }},",
                    argument.kind, argument.size, argument.components
                );
            }
            out.push_str("            ],\n        },\n");
        }
        out.push_str("    ];\n");
    }
    if !reflection.program_data.is_empty() {
        out.push_str(
            "\n    /// The buffers of program-scope variables.\n    \
             pub static PROGRAM_DATA: &[super::ProgramData] = &[\n",
        );
        for (index, data) in reflection.program_data.iter().enumerate() {
            let relocations: Vec<(u32, u32)> =
                data.relocations.iter().map(|it| (it.offset, it.target)).collect();
            let _ = writeln!(
                out,
                "        super::ProgramData {{\n            align: {},\n            contents: \
                 include_bytes!({:?}),\n            relocations: &{relocations:?},\n        }},",
                data.align,
                data_file(file.stem, index)
            );
        }
        out.push_str("    ];\n");
    }
    if !reflection.samplers.is_empty() {
        samplers(out, &reflection.samplers);
    }
}

/// Where the contents of a buffer of program-scope variables are, beside the module.
fn data_file(stem: &str, index: usize) -> String {
    format!("{stem}.data{index}")
}

/// The samplers that the source spells out.
fn samplers(out: &mut String, samplers: &[LiteralSampler]) {
    let count = samplers.len();
    let _ = writeln!(
        out,
        "\n    const SAMPLER_BINDINGS: &[(u32, {DESCRIPTOR})] = &{};\n\n    \
         /// The samplers that the source spells out, to be made once.\n    \
         pub fn samplers() -> [{VK}::SamplerCreateInfo<'static>; {count}] {{\n        [",
        bindings(samplers.iter().map(|sampler| (sampler.at.binding, "SAMPLER")))
    );
    for sampler in samplers {
        let filter = if sampler.linear { "LINEAR" } else { "NEAREST" };
        let addressing = match sampler.addressing {
            Addressing::ClampToEdge => "CLAMP_TO_EDGE",
            Addressing::Clamp => "CLAMP_TO_BORDER",
            Addressing::Repeat => "REPEAT",
            Addressing::MirroredRepeat => "MIRRORED_REPEAT",
        };
        let _ = writeln!(
            out,
            "            {VK}::SamplerCreateInfo::default()\n                \
             .mag_filter({VK}::Filter::{filter})\n                .min_filter({VK}::Filter::{filter})"
        );
        for axis in ["u", "v", "w"] {
            let _ = writeln!(
                out,
                "                .address_mode_{axis}({VK}::SamplerAddressMode::{addressing})"
            );
        }
        let _ = writeln!(
            out,
            "                .border_color({VK}::BorderColor::FLOAT_TRANSPARENT_BLACK)\n                \
             .unnormalized_coordinates({}),",
            !sampler.normalized
        );
    }
    let _ = writeln!(
        out,
        "        ]\n    }}\n\n    /// Puts these samplers into a set of the second layout.\n    ///\n    \
         /// # Safety\n    /// All are of this device, and nothing uses the set.\n    \
         #[allow(unsafe_code)]\n    \
         pub unsafe fn write_samplers(\n        device: &::ash::Device,\n        set: {VK}::DescriptorSet,\n        \
         samplers: &[{VK}::Sampler; {count}],\n    ) {{\n        \
         for (&sampler, &at) in samplers.iter().zip(SAMPLER_BINDINGS) {{\n            \
         let info = {VK}::DescriptorImageInfo::default().sampler(sampler);\n            \
         unsafe {{ super::bind(device, set, at, Some(info), None) }};\n        }}\n    }}"
    );
}

fn bindings(all: impl Iterator<Item = (u32, &'static str)>) -> String {
    let all: Vec<String> =
        all.map(|(binding, kind)| format!("({binding}, {DESCRIPTOR}::{kind})")).collect();
    format!("[{}]", all.join(", "))
}

/// A descriptor of an argument.
struct Descriptor {
    name: String,
    spelled: String,
    binding: u32,
    /// As `VkDescriptorType` calls it.
    kind: &'static str,
    note: &'static str,
}

/// A specialization constant of the calling convention, which a field chooses.
struct Chosen {
    field: String,
    ty: &'static str,
    doc: String,
    /// Numbers, and the values in Rust.
    constants: Vec<(u32, String)>,
}

/// The arguments and the launch of a kernel.
pub(super) fn kernel(out: &mut String, kernel: &Launched<'_>) {
    let (Some(host), Some(reflection)) = (kernel.host, kernel.file.reflection) else { return };
    let mut fields = String::new();
    let (mut values, mut descriptors, mut chosen) = (Vec::new(), Vec::new(), Vec::new());
    let mut group = group_of(kernel.file, host.work_group_size, &mut chosen);
    let launch = Dispatched::of(reflection.regions);
    for ((_, argument, name), passed) in kernel.arguments().zip(&host.arguments) {
        let spelled = kernel.spelled(argument);
        let is_typed = kernel.is_typed(argument);
        let mut field = |ty: String, offset: u32| {
            let _ = writeln!(fields, "            /// `{spelled}`\n            pub {name}: {ty},");
            values.push(Value { from: format!("self.{name}"), offset });
        };
        let (binding, kind, note) = match passed.kind {
            ArgumentKind::Buffer { offset, .. } => {
                let to = if is_typed { format!("argument::{name}") } else { "u8".to_owned() };
                field(format!("super::super::Address<{to}>"), offset);
                continue;
            }
            ArgumentKind::Value { offset, .. } if is_typed => {
                field(format!("argument::{name}"), offset);
                continue;
            }
            ArgumentKind::Value { offset, size } => {
                field(format!("[u8; {size}]"), offset);
                continue;
            }
            ArgumentKind::Local { constant, element_size } => {
                chosen.push(Chosen {
                    field: name.to_owned(),
                    ty: "u32",
                    doc: format!(
                        "`{spelled}`: the number of its elements, {element_size} bytes each."
                    ),
                    constants: vec![(constant, format!("specialization.{name}"))],
                });
                continue;
            }
            ArgumentKind::Image { at, descriptor } => (at.binding, image_kind(descriptor), ""),
            ArgumentKind::Sampler { at, always_normalized: false } => (at.binding, "SAMPLER", ""),
            ArgumentKind::Sampler { at, always_normalized: true } => {
                (at.binding, "SAMPLER", "; with normalized coordinates")
            }
        };
        descriptors.push(Descriptor { name: name.to_owned(), spelled, binding, kind, note });
    }
    implicit::values(kernel, &mut fields, &mut values);
    if host.sub_groups {
        chosen.push(Chosen {
            field: "full_sub_groups".to_owned(),
            ty: "bool",
            doc: "Whether the pipeline is made with full sub-groups: if the device can, and the first \
                  dimension of the\n            /// work-group is a multiple of the largest size of sub-groups."
                .to_owned(),
            constants: Vec::new(),
        });
    }
    if group.is_empty() {
        group = "specialization.work_group_size".to_owned();
    }
    let mut sets = Vec::new();
    if !descriptors.is_empty() || !reflection.samplers.is_empty() {
        sets.push("BINDINGS".to_owned());
    }
    if !reflection.samplers.is_empty() {
        sets.push("super::SAMPLER_BINDINGS".to_owned());
    }
    arguments(out, host.block_size, &fields, &values, launch);
    if !sets.is_empty() {
        write_descriptors(out, &descriptors, reflection.samplers.len());
    }
    specialization(out, kernel, &chosen);
    pipeline(out, kernel, &chosen, &group, &sets, launch);
}

/// What is dispatched.
#[derive(Clone, Copy)]
enum Dispatched {
    Launch,
    Region,
}

impl Dispatched {
    fn of(regions: Option<Regions>) -> Dispatched {
        match regions {
            None => Dispatched::Launch,
            Some(Regions::OneSize | Regions::AnySize) => Dispatched::Region,
        }
    }

    /// The variable that it is in, and its type.
    fn parameter(self) -> (&'static str, &'static str) {
        match self {
            Dispatched::Launch => ("global", "super::super::Global<D>"),
            Dispatched::Region => ("region", "super::super::Region<D>"),
        }
    }
}

/// The size of a work-group in Rust; empty where a field chooses it.
fn group_of(file: &File<'_>, size: WorkGroupSize, chosen: &mut Vec<Chosen>) -> String {
    let are_smaller = match file.reflection.and_then(|reflection| reflection.regions) {
        Some(Regions::AnySize) => true,
        Some(Regions::OneSize) | None => false,
    };
    match size {
        WorkGroupSize::Fixed(size) => format!("{size:?}"),
        WorkGroupSize::Constants { ids, default, of_program: true, required: _ } => {
            file.group("specialization.constants", ids, default, "u32")
        }
        WorkGroupSize::Constants { ids, default: _, of_program: false, required } => {
            // Some regions have smaller work-groups than the source requires.
            let required = required.filter(|_| !are_smaller);
            let value = |axis: usize| match required {
                Some(size) => format!("{}u32", size[axis]),
                None => format!("specialization.work_group_size[{axis}]"),
            };
            let constants = ids
                .into_iter()
                .enumerate()
                .filter_map(|(axis, id)| Some((id?, value(axis))))
                .collect();
            let field = if required.is_some() { "" } else { "work_group_size" };
            chosen.push(Chosen {
                field: field.to_owned(),
                ty: "[u32; 3]",
                doc: "The size of a work-group.".to_owned(),
                constants,
            });
            required.map_or_else(String::new, |size| format!("{size:?}"))
        }
    }
}

fn image_kind(descriptor: ImageDescriptor) -> &'static str {
    match descriptor {
        ImageDescriptor::SampledImage => "SAMPLED_IMAGE",
        ImageDescriptor::StorageImage => "STORAGE_IMAGE",
        ImageDescriptor::UniformTexelBuffer => "UNIFORM_TEXEL_BUFFER",
        ImageDescriptor::StorageTexelBuffer => "STORAGE_TEXEL_BUFFER",
    }
}

/// The struct of the arguments, and the bytes that the kernel reads.
fn arguments(out: &mut String, size: u32, fields: &str, values: &[Value], dispatched: Dispatched) {
    let (parameter, ty) = dispatched.parameter();
    let (what, told) = match dispatched {
        Dispatched::Launch => {
            ("a launch", "let (global_offset, work_dim) = (global.offsets(), D as u32);")
        }
        Dispatched::Region => (
            "a region",
            "let (global_offset, work_dim) = (region.launch.offsets(), D as u32);\n                \
             let (global_size, num_groups) = (region.launch.sizes(), region.num_groups());\n                \
             let enqueued_local_size = region.enqueued;\n                \
             let (region_offset, region_group_offset) = (region.offset(), region.first_group);",
        ),
    };
    let _ = writeln!(
        out,
        "\n        /// What the kernel takes in its argument block.\n        #[derive(Clone, Copy)]\n        \
         pub struct Arguments {{\n{fields}        }}\n\n        #[allow(unsafe_code, unused_variables)]\n        \
         impl Arguments {{\n            /// Bytes of the argument block.\n            \
         pub const SIZE: usize = {size};\n\n            \
         /// Writes the argument block of {what}.\n            ///\n            \
         /// # Safety\n            /// There is memory for `SIZE` bytes.\n            \
         pub unsafe fn write<const D: usize>(\n                &self,\n                \
         {parameter}: &{ty},\n                to: *mut u8,\n            ) {{\n                \
         {told}"
    );
    if !values.is_empty() {
        out.push_str("                unsafe {\n");
        for Value { from, offset } in values {
            let _ = writeln!(
                out,
                "                    to.add({offset}).copy_from((&raw const {from}).cast(), \
                 core::mem::size_of_val(&{from}));"
            );
        }
        out.push_str("                }\n");
    }
    out.push_str("            }\n        }\n");
}

/// The images and samplers of a kernel, which may have none if its program has samplers.
fn write_descriptors(out: &mut String, descriptors: &[Descriptor], samplers: usize) {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for descriptor in descriptors {
        *sizes.entry(descriptor.kind).or_default() += 1;
    }
    if samplers > 0 {
        *sizes.entry("SAMPLER").or_default() += samplers;
    }
    let list = bindings(descriptors.iter().map(|it| (it.binding, it.kind)));
    let count = sizes.len();
    let _ = writeln!(
        out,
        "\n        const BINDINGS: &[(u32, {DESCRIPTOR})] = &{list};\n\n        \
         /// What a descriptor pool needs for one launch.\n        \
         pub const POOL_SIZES: [{VK}::DescriptorPoolSize; {count}] = ["
    );
    for (kind, count) in sizes {
        let _ = writeln!(
            out,
            "            {VK}::DescriptorPoolSize {{ ty: {DESCRIPTOR}::{kind}, descriptor_count: {count} }},"
        );
    }
    out.push_str("        ];\n");
    if descriptors.is_empty() {
        return;
    }
    out.push_str(
        "\n        /// Images and samplers of a launch; images are in the layout `GENERAL`.\n        \
         #[derive(Clone, Copy)]\n        pub struct Descriptors {\n",
    );
    for Descriptor { name, spelled, kind, note, .. } in descriptors {
        let ty = match *kind {
            "SAMPLER" => "Sampler",
            "UNIFORM_TEXEL_BUFFER" | "STORAGE_TEXEL_BUFFER" => "BufferView",
            _ => "ImageView",
        };
        let _ =
            writeln!(out, "            /// `{spelled}`{note}\n            pub {name}: {VK}::{ty},");
    }
    let _ = writeln!(
        out,
        "        }}\n\n        #[allow(unsafe_code)]\n        impl Descriptors {{\n            \
         /// Puts them into a set of the first layout.\n            ///\n            /// # Safety\n            \
         /// All are of this device, and nothing uses the set.\n            \
         pub unsafe fn write(&self, device: &::ash::Device, set: {VK}::DescriptorSet) {{\n                unsafe {{"
    );
    for (index, Descriptor { name, kind, .. }) in descriptors.iter().enumerate() {
        let info = format!("{VK}::DescriptorImageInfo::default()");
        let (image, texels) = match *kind {
            "SAMPLER" => (format!("Some({info}.sampler(self.{name}))"), "None".to_owned()),
            "UNIFORM_TEXEL_BUFFER" | "STORAGE_TEXEL_BUFFER" => {
                ("None".to_owned(), format!("Some(self.{name})"))
            }
            _ => (
                format!(
                    "Some({info}.image_view(self.{name}).image_layout({VK}::ImageLayout::GENERAL))"
                ),
                "None".to_owned(),
            ),
        };
        let _ = writeln!(
            out,
            "                    super::super::bind(device, set, BINDINGS[{index}], {image}, {texels});"
        );
    }
    out.push_str("                }\n            }\n        }\n");
}

/// What is chosen when a pipeline is made.
fn specialization(out: &mut String, kernel: &Launched<'_>, chosen: &[Chosen]) {
    out.push_str(
        "\n        /// What is chosen when the pipeline is made.\n        #[derive(Clone, Copy)]\n        \
         pub struct Specialization {\n",
    );
    for Chosen { field, ty, doc, .. } in chosen.iter().filter(|it| !it.field.is_empty()) {
        let _ = writeln!(out, "            /// {doc}\n            pub {field}: {ty},");
    }
    if !kernel.file.constants.is_empty() {
        out.push_str(
            "            /// The constants of the program.\n            pub constants: super::Constants,\n",
        );
    }
    out.push_str("        }\n");
}

fn pipeline(
    out: &mut String,
    kernel: &Launched<'_>,
    chosen: &[Chosen],
    group: &str,
    sets: &[String],
    dispatched: Dispatched,
) {
    let Some(host) = kernel.host else { return };
    let mut constants: Vec<(u32, String)> = Vec::new();
    for (id, value) in chosen.iter().flat_map(|chosen| &chosen.constants) {
        constants.push((*id, format!("{value}.to_ne_bytes()")));
    }
    for (name, constant) in &kernel.file.constants {
        let value = match constant.ty.kind {
            // VkBool32
            TypeKind::Scalar(Scalar::Bool) => {
                format!("u32::from(specialization.constants.{name}).to_ne_bytes()")
            }
            _ => format!("specialization.constants.{name}.to_ne_bytes()"),
        };
        constants.push((constant.id, value));
    }
    let pushed = if host.block_in_buffer { 8 } else { host.block_size };
    let (parameter, _) = dispatched.parameter();
    let what = match dispatched {
        Dispatched::Launch => "a launch",
        Dispatched::Region => "a region of a launch",
    };
    let full = if host.sub_groups { "specialization.full_sub_groups" } else { "false" };
    let count = sets.len();
    let _ = writeln!(
        out,
        "\n        /// The pipeline of the kernel.\n        #[derive(Clone, Copy, Debug)]\n        \
         pub struct Pipeline {{\n            /// What Vulkan has of it.\n            \
         pub parts: super::super::Parts<{count}>,\n            group: [u32; 3],\n        }}\n\n        \
         #[allow(unsafe_code, unused_variables)]\n        impl Pipeline {{\n            \
         /// Makes the pipeline; the cache may be null.\n            ///\n            /// # Safety\n            \
         /// Module and cache are of this device.\n            \
         pub unsafe fn new(\n                device: &::ash::Device,\n                \
         module: &super::Module,\n                cache: {VK}::PipelineCache,\n                \
         specialization: &Specialization,\n            ) -> Result<Self, {VK}::Result> {{\n                \
         let stage = super::super::Stage {{\n                    name: c\"{}\",\n                    \
         sub_group_size: {:?},\n                    full_sub_groups: {full},\n                    \
         constants: &[",
        kernel.kernel.name, host.sub_group_size
    );
    for (id, value) in &constants {
        let _ = writeln!(out, "                        ({id}, &{value}),");
    }
    let _ = writeln!(
        out,
        "                    ],\n                    sets: [{}],\n                    pushed: {pushed},\n                \
         }};\n                \
         let parts = unsafe {{ super::super::Parts::new(device, module.0, cache, &stage)? }};\n                \
         Ok(Self {{ parts, group: {group} }})\n            }}\n\n            \
         /// Records {what}.\n            ///\n            /// # Safety\n            \
         /// The command buffer is being recorded, and everything is of this device. The kernel accesses \
         nothing outside\n            /// of the memory that it is given, which lives until it has finished.",
        sets.join(", ")
    );
    let (argument, passed) = match host.block_in_buffer {
        true => (
            "block: super::super::Address<Arguments>".to_owned(),
            "let pushed = ((&raw const block).cast(), 8);".to_owned(),
        ),
        false => (
            "arguments: &Arguments".to_owned(),
            "let mut block = core::mem::MaybeUninit::<[u8; Arguments::SIZE]>::zeroed();\n                \
             unsafe { arguments.write(&GLOBAL, block.as_mut_ptr().cast()) };\n                \
             let pushed = (block.as_ptr().cast(), Arguments::SIZE as u32);"
                .replace("GLOBAL", parameter),
        ),
    };
    if host.block_in_buffer {
        out.push_str(
            "            ///\n            /// The block is in a buffer, at a multiple of 16, where \
             `Arguments::write` wrote it for the same work-items.\n",
        );
    }
    let (of, made, groups) = match dispatched {
        Dispatched::Launch => (
            "global: impl Into<super::super::Global<D>>",
            "let global = global.into();",
            "let groups = global.groups(self.group);",
        ),
        Dispatched::Region => (
            "region: super::super::Region<D>",
            "assert_eq!(self.group, region.local_size, \"the pipeline has other work-groups than the region\");",
            "let groups = region.groups;",
        ),
    };
    let (descriptors, given) = match count {
        0 => (String::new(), "&[]"),
        count => (format!("\n                sets: &[{VK}::DescriptorSet; {count}],"), "sets"),
    };
    let _ = writeln!(
        out,
        "            pub unsafe fn dispatch<const D: usize>(\n                &self,\n                \
         device: &::ash::Device,\n                commands: {VK}::CommandBuffer,\n                \
         {of},\n                {argument},{descriptors}\n            ) {{\n                \
         {made}\n                {passed}\n                \
         {groups}\n                \
         unsafe {{ self.parts.dispatch(device, commands, {given}, pushed, groups) }};\n            }}\n\n            \
         /// Destroys the pipeline and its layouts.\n            ///\n            /// # Safety\n            \
         /// It is of this device, and no longer in use.\n            \
         pub unsafe fn destroy(&self, device: &::ash::Device) {{\n                \
         unsafe {{ self.parts.destroy(device) }}\n            }}\n        }}"
    );
}
