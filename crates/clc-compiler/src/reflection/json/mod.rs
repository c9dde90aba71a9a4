//! The description of a module as JSON: one object, whose fields `docs/reflection.md` explains and
//! `docs/reflection.schema.json` types.

mod read;
mod vulkan;

use std::fmt::Write as _;

use clc_legalise::reflection::Reflection;
use clc_spirv::reflect::{
    Argument, ArgumentKind, Descriptor, Kernel, Member, ModuleDescription, Place, PrintfString,
    SpecializationConstant, Struct, Symbol, Type, TypeKind, WorkGroupSize,
};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};

use crate::{AddressSpace, TargetEnv};

use read::FORMAT;
pub use read::{Joined, with_json};

/// A description as a JSON object with a line end. `environment` is what the module was compiled for,
/// if that is known; `reflection` what hosts of Vulkan need besides.
pub fn json(
    description: &ModuleDescription,
    environment: Option<TargetEnv>,
    reflection: Option<&Reflection>,
) -> String {
    let mut object = module(description);
    if let Some(environment) = environment {
        object["environment"] = json!(environment.to_string());
    }
    if let Some(reflection) = reflection {
        overlay(&mut object, vulkan::object(reflection));
    }
    format!("{object:#}\n")
}

/// Lets `over` decide what both say; kernels belong together by their names, arguments by number.
fn overlay(base: &mut Value, over: Value) {
    let Value::Object(fields) = over else { return };
    for (key, value) in fields {
        match (key.as_str(), value) {
            ("kernels", Value::Array(kernels)) => {
                let known = base["kernels"].as_array().cloned().unwrap_or_default();
                let name = |kernel: &Value| kernel["name"].as_str().map(str::to_owned);
                let mut known: FxHashMap<Option<String>, Value> =
                    known.into_iter().map(|kernel| (name(&kernel), kernel)).collect();
                let joined = kernels.into_iter().map(|kernel| {
                    let mut whole = known.remove(&name(&kernel)).unwrap_or_else(|| json!({}));
                    overlay(&mut whole, kernel);
                    whole
                });
                base["kernels"] = joined.collect();
            }
            ("arguments", Value::Array(arguments)) => {
                let known = base["arguments"].as_array().cloned().unwrap_or_default();
                let joined = arguments.into_iter().enumerate().map(|(index, argument)| {
                    let mut whole = known.get(index).cloned().unwrap_or_else(|| json!({}));
                    overlay(&mut whole, argument);
                    whole
                });
                base["arguments"] = joined.collect();
            }
            (key, value) => base[key] = value,
        }
    }
}

fn list<T>(items: &[T], value: impl Fn(&T) -> Value) -> Value {
    items.iter().map(value).collect()
}

fn module(description: &ModuleDescription) -> Value {
    let (major, minor) = description.version;
    json!({
        "format": FORMAT,
        "target": description.target.name(),
        "spirv_version": format!("{major}.{minor}"),
        "generator": {
            "id": description.generator.id,
            "version": description.generator.version,
            "name": description.generator.name,
        },
        "addressing_model": description.addressing_model,
        "memory_model": description.memory_model,
        "capabilities": description.capabilities,
        "extensions": description.extensions,
        "instruction_sets": description.instruction_sets,
        "source": description.source.as_ref().map(|source| json!({
            "language": source.language,
            "version": source.version,
            "file": source.file,
        })),
        "kernels": list(&description.kernels, |item| kernel(description, item)),
        "structs": list(&description.structs, |item| record(description, item)),
        "specialization_constants":
            list(&description.specialization_constants, |item| constant(description, item)),
        "printf_formats": list(&description.printf_formats, printf_format),
        "symbols": list(&description.symbols, symbol),
        "notes": description.notes,
    })
}

fn kernel(description: &ModuleDescription, kernel: &Kernel) -> Value {
    json!({
        "name": kernel.name,
        "execution_model": kernel.execution_model,
        "work_group_size": kernel.work_group_size.map(|size| match size {
            WorkGroupSize::Fixed(size) => json!({ "fixed": size }),
            WorkGroupSize::Constants { ids, default } => {
                json!({ "constants": ids, "default": default })
            }
        }),
        "work_group_size_hint": kernel.work_group_size_hint,
        "vec_type_hint": kernel.vec_type_hint,
        "sub_group_size": kernel.sub_group_size,
        "execution_modes": kernel.execution_modes,
        "arguments": kernel.arguments_known.then(|| list(&kernel.arguments, argument)),
        "descriptors": list(&kernel.descriptors, |item| descriptor(description, item)),
        "push_constants":
            kernel.push_constants.as_ref().map(data_type),
        "local_memory": kernel.local_memory,
        "local_memory_specialized": kernel.local_memory_specialized,
        "private_memory": kernel.private_memory,
        "private_registers": kernel.private_registers,
    })
}

fn argument(argument: &Argument) -> Value {
    let mut object = json!({
        "name": argument.name,
        "type": argument.type_name,
        "qualifiers": argument.type_qualifiers,
        "kind": argument.kind.name(),
        "address_space": argument.address_space.map(|space| space.name()),
        "access": argument.access.map(|access| access.name()),
        "size": argument.ty.size,
        "align": argument.ty.align,
        "data_type": data_type(&argument.ty),
    });
    if argument.kind == ArgumentKind::Buffer {
        object["constant"] =
            json!(argument.address_space.map(|space| space == AddressSpace::Constant));
    }
    match argument.place {
        None => {}
        Some(Place::Descriptor { set, binding }) => {
            object["set"] = json!(set);
            object["binding"] = json!(binding);
        }
        Some(Place::InBuffer { set, binding, offset, size }) => {
            object["set"] = json!(set);
            object["binding"] = json!(binding);
            object["offset"] = json!(offset);
            object["size"] = json!(size);
        }
        Some(Place::PushConstants { offset, size }) => {
            object["offset"] = json!(offset);
            object["size"] = json!(size);
        }
        Some(Place::Elements { constant, element_size }) => {
            object["constant"] = json!(constant);
            object["element_size"] = json!(element_size);
        }
    }
    object
}

fn descriptor(description: &ModuleDescription, descriptor: &Descriptor) -> Value {
    json!({
        "set": descriptor.set,
        "binding": descriptor.binding,
        "name": descriptor.name,
        "kind": descriptor.kind,
        "type": description.type_text(&descriptor.ty),
        "data_type": data_type(&descriptor.ty),
    })
}

fn data_type(ty: &Type) -> Value {
    let mut object = Map::new();
    let mut set = |key: &str, value: Value| {
        object.insert(key.to_owned(), value);
    };
    match &ty.kind {
        TypeKind::Void => set("kind", json!("void")),
        TypeKind::Scalar(scalar) => {
            set("kind", json!("scalar"));
            set("scalar", json!(scalar.name()));
        }
        TypeKind::Vector(scalar, components) => {
            set("kind", json!("vector"));
            set("scalar", json!(scalar.name()));
            set("components", json!(components));
        }
        TypeKind::Struct(index) => {
            set("kind", json!("struct"));
            set("struct", json!(index));
        }
        TypeKind::Pointer { space, pointee } => {
            set("kind", json!("pointer"));
            set("address_space", json!(space.name()));
            set("to", json!(pointee.as_ref().map(|to| data_type(to))));
        }
        TypeKind::Opaque(name) => {
            set("kind", json!("opaque"));
            set("name", json!(name));
        }
    }
    if !ty.dims.is_empty() {
        set("dims", json!(ty.dims));
    }
    set("size", json!(ty.size));
    set("align", json!(ty.align));
    Value::Object(object)
}

fn record(description: &ModuleDescription, record: &Struct) -> Value {
    json!({
        "name": record.name,
        "typedef": record.is_typedef,
        "union": record.is_union,
        "size": record.size,
        "align": record.align,
        "members": list(&record.members, |member: &Member| json!({
            "name": member.name,
            "offset": member.offset,
            "type": description.type_text(&member.ty),
            "data_type": data_type(&member.ty),
        })),
    })
}

fn constant(description: &ModuleDescription, constant: &SpecializationConstant) -> Value {
    json!({
        "id": constant.id,
        "name": constant.name,
        "type": description.type_text(&constant.ty),
        "size": constant.ty.size,
        "default": constant.default_text(),
        "bits": format!("{:#x}", constant.default),
    })
}

fn printf_format(format: &PrintfString) -> Value {
    let mut object = text(&format.string);
    if let Some(id) = format.id {
        object["id"] = json!(id);
    }
    object
}

fn symbol(symbol: &Symbol) -> Value {
    json!({
        "name": symbol.name,
        "kind": if symbol.is_function { "function" } else { "variable" },
        "linkage": if symbol.is_export { "export" } else { "import" },
    })
}

/// An object with a string, and its bytes where it is not UTF-8.
fn text(string: &[u8]) -> Value {
    let mut object = json!({ "string": String::from_utf8_lossy(string) });
    if std::str::from_utf8(string).is_err() {
        object["bytes"] = json!(hex(string));
    }
    object
}

fn hex(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}
