//! What the calling convention of Vulkan modules adds to the JSON of a description.

use serde_json::{Value, json};

use clc_legalise::reflection::{
    Addressing, Argument, ArgumentKind, Binding, DataKind, ImageDescriptor, Implicit, Kernel,
    LiteralSampler, PrintfArgumentKind, PrintfFormat, ProgramData, Reflection, Regions,
    WorkGroupSize,
};

use super::{hex, text};

/// The reflection as a JSON object.
pub(super) fn object(reflection: &Reflection) -> Value {
    let mut object = json!({
        "environment": reflection.environment.to_string(),
        "kernels": reflection.kernels.iter().map(kernel).collect::<Vec<Value>>(),
        "program_data": reflection.program_data.iter().map(data).collect::<Vec<Value>>(),
        "printf_formats": reflection.printf_formats.iter().map(format).collect::<Vec<Value>>(),
        "samplers": reflection.samplers.iter().map(sampler).collect::<Vec<Value>>(),
    });
    if let Some(regions) = reflection.regions {
        object["regions"] = json!(match regions {
            Regions::OneSize => "one_size",
            Regions::AnySize => "any_size",
        });
    }
    object
}

fn kernel(kernel: &Kernel) -> Value {
    json!({
        "name": kernel.name,
        "work_group_size": match kernel.work_group_size {
            WorkGroupSize::Fixed(sizes) => json!({ "fixed": sizes }),
            WorkGroupSize::Constants { ids, default, of_program, required } => {
                let mut object = json!({ "constants": ids });
                if of_program {
                    object["default"] = json!(default);
                }
                if let Some(size) = required {
                    object["required"] = json!(size);
                }
                object
            }
        },
        "block_size": kernel.block_size,
        "block_in_buffer": kernel.block_in_buffer,
        "arguments": kernel.arguments.iter().map(argument).collect::<Vec<Value>>(),
        "implicit": kernel.implicit.iter().map(implicit).collect::<Vec<Value>>(),
        "local_memory": kernel.local_memory,
        // `local` arguments are not in it.
        "local_memory_specialized": false,
        "local_memory_per_item": kernel.local_memory_per_item,
        "sub_groups": kernel.sub_groups,
        "sub_group_size": kernel.sub_group_size,
    })
}

fn argument(argument: &Argument) -> Value {
    let mut object = match argument.kind {
        ArgumentKind::Buffer { constant, offset } => {
            json!({ "kind": "buffer", "constant": constant, "offset": offset })
        }
        ArgumentKind::Value { offset, size } => {
            json!({ "kind": "value", "offset": offset, "size": size })
        }
        ArgumentKind::Local { constant, element_size } => {
            json!({ "kind": "local", "constant": constant, "element_size": element_size })
        }
        ArgumentKind::Image { at: Binding { set, binding }, descriptor } => json!({
            "kind": "image",
            "set": set,
            "binding": binding,
            "descriptor": match descriptor {
                ImageDescriptor::SampledImage => "sampled_image",
                ImageDescriptor::StorageImage => "storage_image",
                ImageDescriptor::UniformTexelBuffer => "uniform_texel_buffer",
                ImageDescriptor::StorageTexelBuffer => "storage_texel_buffer",
            },
        }),
        ArgumentKind::Sampler { at: Binding { set, binding }, always_normalized } => json!({
            "kind": "sampler",
            "set": set,
            "binding": binding,
            "always_normalized": always_normalized,
        }),
    };
    object["name"] = json!(argument.name);
    object["type"] = json!(argument.type_name);
    object["qualifiers"] = json!(argument.type_qualifiers);
    object
}

fn sampler(sampler: &LiteralSampler) -> Value {
    json!({
        "set": sampler.at.set,
        "binding": sampler.at.binding,
        "normalized": sampler.normalized,
        "addressing": match sampler.addressing {
            Addressing::ClampToEdge => "clamp_to_edge",
            Addressing::Clamp => "clamp",
            Addressing::Repeat => "repeat",
            Addressing::MirroredRepeat => "mirrored_repeat",
        },
        "filter": if sampler.linear { "linear" } else { "nearest" },
    })
}

fn implicit(implicit: &Implicit) -> Value {
    let of_argument = |kind: &str, argument: u32, offset: u32| json!({ "kind": kind, "argument": argument, "offset": offset });
    match *implicit {
        Implicit::ImageChannelOrder { argument, offset } => {
            of_argument("image_channel_order", argument, offset)
        }
        Implicit::ImageChannelDataType { argument, offset } => {
            of_argument("image_channel_data_type", argument, offset)
        }
        Implicit::ImageQuery { query, argument, offset } => {
            of_argument(query.name(), argument, offset)
        }
        Implicit::SamplerBits { argument, offset } => of_argument("sampler_bits", argument, offset),
        Implicit::GlobalOffset { offset } => {
            json!({ "kind": "global_offset", "offset": offset })
        }
        Implicit::GlobalSize { offset } => json!({ "kind": "global_size", "offset": offset }),
        Implicit::EnqueuedLocalSize { offset } => {
            json!({ "kind": "enqueued_local_size", "offset": offset })
        }
        Implicit::NumGroups { offset } => json!({ "kind": "num_groups", "offset": offset }),
        Implicit::RegionOffset { offset } => json!({ "kind": "region_offset", "offset": offset }),
        Implicit::RegionGroupOffset { offset } => {
            json!({ "kind": "region_group_offset", "offset": offset })
        }
        Implicit::WorkDim { offset } => json!({ "kind": "work_dim", "offset": offset }),
        Implicit::PrintfBuffer { offset } => {
            json!({ "kind": "printf_buffer", "offset": offset })
        }
        Implicit::ProgramData { index, offset } => {
            json!({ "kind": "program_data", "index": index, "offset": offset })
        }
    }
}

fn format(format: &PrintfFormat) -> Value {
    let arguments: Vec<Value> = format
        .arguments
        .iter()
        .map(|argument| {
            let kind = match argument.kind {
                PrintfArgumentKind::Integer => "integer",
                PrintfArgumentKind::Float => "float",
                PrintfArgumentKind::Pointer => "pointer",
                PrintfArgumentKind::String => "string",
            };
            json!({ "kind": kind, "size": argument.size, "components": argument.components })
        })
        .collect();
    let mut object = text(&format.string);
    object["id"] = json!(format.id);
    object["arguments"] = json!(arguments);
    object
}

fn data(data: &ProgramData) -> Value {
    let contents = hex(&data.contents);
    let relocations: Vec<Value> = data
        .relocations
        .iter()
        .map(|place| json!({ "offset": place.offset, "target": place.target }))
        .collect();
    let variables: Vec<Value> = data
        .variables
        .iter()
        .map(|var| json!({ "name": var.name, "offset": var.offset, "size": var.size }))
        .collect();
    json!({
        "kind": match data.kind {
            DataKind::Constant => "constant",
            DataKind::Global => "global",
        },
        "align": data.align,
        "contents": contents,
        "relocations": relocations,
        "variables": variables,
    })
}

#[cfg(test)]
mod tests {
    use clc_legalise::Environment;
    use clc_legalise::reflection::{ImageQuery, PrintfArgument, Relocation, Variable};

    use super::*;

    #[test]
    fn every_field_is_in_the_text() {
        let argument = |name: &str, kind| Argument {
            name: name.to_owned(),
            type_name: "float*".to_owned(),
            type_qualifiers: "const".to_owned(),
            kind,
        };
        let reflection = Reflection {
            environment: Environment::Vulkan { major: 1, minor: 3 },
            regions: Some(Regions::AnySize),
            kernels: vec![Kernel {
                name: "k".to_owned(),
                work_group_size: WorkGroupSize::Constants {
                    ids: [0, 1, 2].map(Some),
                    default: [1; 3],
                    of_program: false,
                    required: None,
                },
                block_size: 48,
                block_in_buffer: true,
                arguments: vec![
                    argument("a", ArgumentKind::Buffer { constant: true, offset: 8 }),
                    argument("b", ArgumentKind::Value { offset: 16, size: 3 }),
                    argument("c", ArgumentKind::Local { constant: 3, element_size: 4 }),
                    argument(
                        "d",
                        ArgumentKind::Image {
                            at: Binding { set: 0, binding: 0 },
                            descriptor: ImageDescriptor::SampledImage,
                        },
                    ),
                    argument(
                        "e",
                        ArgumentKind::Sampler {
                            at: Binding { set: 0, binding: 1 },
                            always_normalized: true,
                        },
                    ),
                ],
                implicit: vec![
                    Implicit::GlobalOffset { offset: 24 },
                    Implicit::WorkDim { offset: 20 },
                    Implicit::ProgramData { index: 0, offset: 0 },
                    Implicit::PrintfBuffer { offset: 40 },
                    Implicit::ImageChannelOrder { argument: 3, offset: 48 },
                    Implicit::ImageChannelDataType { argument: 3, offset: 52 },
                    Implicit::SamplerBits { argument: 4, offset: 56 },
                    Implicit::GlobalSize { offset: 64 },
                    Implicit::EnqueuedLocalSize { offset: 88 },
                    Implicit::NumGroups { offset: 100 },
                    Implicit::RegionOffset { offset: 112 },
                    Implicit::RegionGroupOffset { offset: 136 },
                    Implicit::ImageQuery { query: ImageQuery::Width, argument: 3, offset: 148 },
                ],
                local_memory: 12,
                local_memory_per_item: 8,
                sub_groups: true,
                sub_group_size: Some(16),
            }],
            program_data: vec![ProgramData {
                kind: DataKind::Global,
                align: 16,
                contents: vec![0x0a, 0xff],
                relocations: vec![Relocation { offset: 0, target: 0 }],
                variables: vec![Variable { name: "v".to_owned(), offset: 0, size: 2 }],
            }],
            printf_formats: vec![
                PrintfFormat {
                    id: 1,
                    string: b"%v3hhd %p %s%f\n".to_vec(),
                    arguments: vec![
                        PrintfArgument {
                            kind: PrintfArgumentKind::Integer,
                            size: 1,
                            components: 3,
                        },
                        PrintfArgument::POINTER,
                        PrintfArgument::STRING,
                        PrintfArgument { kind: PrintfArgumentKind::Float, size: 4, components: 1 },
                    ],
                },
                PrintfFormat { id: 2, string: vec![b'a', 0xff], arguments: Vec::new() },
            ],
            samplers: vec![LiteralSampler {
                at: Binding { set: 1, binding: 2 },
                normalized: true,
                addressing: Addressing::MirroredRepeat,
                linear: true,
            }],
        };
        let value = object(&reflection);
        let wanted = json!({
            "environment": "vulkan1.3",
            "regions": "any_size",
            "kernels": [{
                "name": "k",
                "work_group_size": { "constants": [0, 1, 2] },
                "block_size": 48,
                "block_in_buffer": true,
                "arguments": [
                    { "kind": "buffer", "constant": true, "offset": 8,
                      "name": "a", "type": "float*", "qualifiers": "const" },
                    { "kind": "value", "offset": 16, "size": 3,
                      "name": "b", "type": "float*", "qualifiers": "const" },
                    { "kind": "local", "constant": 3, "element_size": 4,
                      "name": "c", "type": "float*", "qualifiers": "const" },
                    { "kind": "image", "set": 0, "binding": 0, "descriptor": "sampled_image",
                      "name": "d", "type": "float*", "qualifiers": "const" },
                    { "kind": "sampler", "set": 0, "binding": 1, "always_normalized": true,
                      "name": "e", "type": "float*", "qualifiers": "const" },
                ],
                "implicit": [
                    { "kind": "global_offset", "offset": 24 },
                    { "kind": "work_dim", "offset": 20 },
                    { "kind": "program_data", "index": 0, "offset": 0 },
                    { "kind": "printf_buffer", "offset": 40 },
                    { "kind": "image_channel_order", "argument": 3, "offset": 48 },
                    { "kind": "image_channel_data_type", "argument": 3, "offset": 52 },
                    { "kind": "sampler_bits", "argument": 4, "offset": 56 },
                    { "kind": "global_size", "offset": 64 },
                    { "kind": "enqueued_local_size", "offset": 88 },
                    { "kind": "num_groups", "offset": 100 },
                    { "kind": "region_offset", "offset": 112 },
                    { "kind": "region_group_offset", "offset": 136 },
                    { "kind": "image_width", "argument": 3, "offset": 148 },
                ],
                "local_memory": 12,
                "local_memory_specialized": false,
                "local_memory_per_item": 8,
                "sub_groups": true,
                "sub_group_size": 16,
            }],
            "program_data": [{
                "kind": "global",
                "align": 16,
                "contents": "0aff",
                "relocations": [{ "offset": 0, "target": 0 }],
                "variables": [{ "name": "v", "offset": 0, "size": 2 }],
            }],
            "samplers": [{
                "set": 1, "binding": 2, "normalized": true,
                "addressing": "mirrored_repeat", "filter": "linear",
            }],
            "printf_formats": [
                {
                    "id": 1,
                    "string": "%v3hhd %p %s%f\n",
                    "arguments": [
                        { "kind": "integer", "size": 1, "components": 3 },
                        { "kind": "pointer", "size": 8, "components": 1 },
                        { "kind": "string", "size": 4, "components": 1 },
                        { "kind": "float", "size": 4, "components": 1 },
                    ],
                },
                { "id": 2, "string": "a\u{fffd}", "bytes": "61ff", "arguments": [] },
            ],
        });
        assert_eq!(value, wanted);
    }

    #[test]
    fn fixed_sizes_are_told_from_constants() {
        let kernel = Kernel {
            name: "k".to_owned(),
            work_group_size: WorkGroupSize::Fixed([8, 4, 1]),
            block_size: 0,
            block_in_buffer: false,
            arguments: Vec::new(),
            implicit: Vec::new(),
            local_memory: 0,
            local_memory_per_item: 0,
            sub_groups: false,
            sub_group_size: None,
        };
        let value = super::kernel(&kernel);
        assert_eq!(value["work_group_size"], json!({ "fixed": [8, 4, 1] }));
        assert_eq!(value["sub_group_size"], Value::Null);
    }
}
