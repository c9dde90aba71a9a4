//! What the host adds to the arguments of a kernel.

use std::fmt::Write as _;

use clc::reflection::{DataKind, Implicit};

use super::super::Launched;
use crate::names::Names;

/// A value in the argument block.
pub(super) struct Value {
    /// Its bytes come from this field of the arguments, or from this local variable of `write`.
    pub from: String,
    pub offset: u32,
}

/// Adds the values, and fields for those that only the caller knows.
pub(super) fn values(kernel: &Launched<'_>, fields: &mut String, values: &mut Vec<Value>) {
    let (Some(host), Some(reflection)) = (kernel.host, kernel.file.reflection) else { return };
    let mut names = Names::default();
    for name in kernel.names {
        names.unique(name);
    }
    for implicit in &host.implicit {
        // What a launch, or a region of it, says is in variables of `write`.
        let mut told = |variable: &str, offset| {
            values.push(Value { from: variable.to_owned(), offset });
        };
        let of = |argument: u32| kernel.names.get(argument as usize).map_or("", String::as_str);
        let (name, ty, doc, offset) = match *implicit {
            Implicit::GlobalOffset { offset } => {
                told("global_offset", offset);
                continue;
            }
            Implicit::GlobalSize { offset } => {
                told("global_size", offset);
                continue;
            }
            Implicit::EnqueuedLocalSize { offset } => {
                told("enqueued_local_size", offset);
                continue;
            }
            Implicit::NumGroups { offset } => {
                told("num_groups", offset);
                continue;
            }
            Implicit::RegionOffset { offset } => {
                told("region_offset", offset);
                continue;
            }
            Implicit::RegionGroupOffset { offset } => {
                told("region_group_offset", offset);
                continue;
            }
            Implicit::WorkDim { offset } => {
                told("work_dim", offset);
                continue;
            }
            Implicit::PrintfBuffer { offset } => (
                "printf_buffer".to_owned(),
                "super::super::Address<u32>",
                "The buffer for what the kernel prints; null drops it.".to_owned(),
                offset,
            ),
            Implicit::ProgramData { index, offset } => {
                let kind = reflection.program_data.get(index as usize).map(|data| data.kind);
                let name = match kind {
                    Some(DataKind::Global) => "global_data",
                    Some(DataKind::Constant) | None => "constant_data",
                };
                let doc = format!("The buffer that holds `PROGRAM_DATA[{index}]`.");
                (name.to_owned(), "super::super::Address<u8>", doc, offset)
            }
            Implicit::ImageChannelOrder { argument, offset } => {
                let image = of(argument);
                let doc = format!("What `get_image_channel_order({image})` returns.");
                (format!("{image}_channel_order"), "u32", doc, offset)
            }
            Implicit::ImageChannelDataType { argument, offset } => {
                let image = of(argument);
                let doc = format!("What `get_image_channel_data_type({image})` returns.");
                (format!("{image}_channel_data_type"), "u32", doc, offset)
            }
            Implicit::ImageQuery { query, argument, offset } => {
                let (image, what) = (of(argument), query.name());
                let doc = format!("What `get_{what}({image})` returns.");
                (format!("{image}_{}", what.trim_start_matches("image_")), "u32", doc, offset)
            }
            Implicit::SamplerBits { argument, offset } => {
                let sampler = of(argument);
                let doc = format!(
                    "`{sampler}` as OpenCL C writes it: `CLK_NORMALIZED_COORDS_TRUE` is 1, …."
                );
                (format!("{sampler}_bits"), "u32", doc, offset)
            }
        };
        let name = names.unique(&name);
        let _ = writeln!(fields, "            /// {doc}\n            pub {name}: {ty},");
        values.push(Value { from: format!("self.{name}"), offset });
    }
}
