//! What a module says of itself: its kernels and their arguments, the memory they need, what the host
//! can choose, what the module asks of a device.
//!
//! [`describe`] takes any words. It reads modules of this and of other compilers, for OpenCL and for
//! Vulkan, valid or not; of what is no module it says why. It takes time and memory in proportion to the
//! words, whatever numbers stand in them: `scan` walks over them once, `types` computes layouts in the
//! order of the declarations, `kernels` follows calls within a limit for all kernels together.

mod clspv;
mod description;
mod kernels;
mod scan;
mod strings;
mod types;

pub use description::*;

use spirv::{
    AddressingModel, Capability, Decoration, LinkageType, MemoryModel, Op,
    SourceLanguage as Language,
};

use kernels::Kernels;
use scan::Scan;
use types::Types;

/// Describes the module of these words, which are in the byte order of this machine
/// ([`in_native_order`]). Of what is no module, or does not follow the grammar of SPIR-V, the reason,
/// as half of a sentence: `it is too short`.
pub fn describe(words: &[u32]) -> Result<ModuleDescription, String> {
    let scan = Scan::of(words)?;
    let version = scan.version;
    let [addressing, memory] = scan.model.unwrap_or_default();
    let is_kernels = scan.capabilities.contains(&(Capability::Kernel as u32))
        || memory == MemoryModel::OpenCL as u32;
    let mut types = Types::new(&scan, is_kernels);
    let (mut kernels, more_notes) = Kernels::new(&scan, &mut types).all()?;
    let mut printf_formats = strings::printf_formats(&scan);
    clspv::apply(&scan, &mut kernels, &mut printf_formats);
    let specialization_constants = specializations(&scan, &mut types, !is_kernels);
    let structs = types.structs();
    let generator = words.get(2).copied().unwrap_or_default();
    let mut description = ModuleDescription {
        target: if is_kernels { Target::OpenCl } else { Target::Vulkan },
        version: ((version >> 16) as u8, (version >> 8) as u8),
        generator: generator_of(generator),
        addressing_model: known(addressing, AddressingModel::from_u32),
        memory_model: known(memory, MemoryModel::from_u32),
        capabilities: scan.capabilities.iter().map(|&n| known(n, Capability::from_u32)).collect(),
        extensions: scan.extensions.clone(),
        instruction_sets: scan.sets.iter().map(|(_, name)| name.clone()).collect(),
        source: source_of(&scan),
        kernels,
        structs,
        specialization_constants,
        printf_formats,
        symbols: symbols(&scan),
        notes: scan.notes.iter().cloned().chain(more_notes).collect(),
    };
    name_types(&mut description);
    Ok(description)
}

/// The words of a module from its bytes, in the byte order of this machine; and whether they were in the
/// other. Of what cannot be a module, the reason.
pub fn in_native_order(bytes: &[u8]) -> Result<(Vec<u32>, bool), &'static str> {
    let (chunks, []) = bytes.as_chunks::<4>() else {
        return Err("its length is no multiple of four bytes");
    };
    let mut words: Vec<u32> = chunks.iter().map(|&chunk| u32::from_le_bytes(chunk)).collect();
    let header = crate::read::Header::read(&words)?;
    if header.is_swapped {
        words.iter_mut().for_each(|word| *word = word.swap_bytes());
    }
    Ok((words, header.is_swapped))
}

/// The name of an enumerant, or its number.
fn known<T: std::fmt::Debug>(number: u32, from: fn(u32) -> Option<T>) -> String {
    from(number).map_or_else(|| number.to_string(), |known| format!("{known:?}"))
}

/// Gives arguments the names of their types where no string of the module has them.
fn name_types(description: &mut ModuleDescription) {
    let mut kernels = std::mem::take(&mut description.kernels);
    for argument in kernels.iter_mut().flat_map(|kernel| &mut kernel.arguments) {
        if argument.type_name.is_empty() {
            argument.type_name = description.argument_type_name(&argument.ty);
        }
    }
    description.kernels = kernels;
}

fn specializations(
    scan: &Scan<'_>,
    types: &mut Types<'_>,
    is_vulkan: bool,
) -> Vec<SpecializationConstant> {
    let constants = scan.specializations.iter().filter_map(|&place| {
        let &[_, ty, id, ..] = scan.at(place) else { return None };
        let mut described = types.describe(ty);
        if is_vulkan && matches!(scan.def(ty), Some((Op::TypeBool, _))) {
            // VkBool32.
            (described.size, described.align) = (Some(4), Some(4));
        }
        Some(SpecializationConstant {
            id: scan.decoration(id, Decoration::SpecId)?,
            name: scan.name(id),
            ty: described,
            default: scan.constant(id)?,
        })
    });
    constants.collect()
}

fn symbols(scan: &Scan<'_>) -> Vec<Symbol> {
    let symbols = scan.linkage.iter().filter_map(|&place| {
        let [_, id, _, operands @ ..] = scan.at(place) else { return None };
        let (name, length) = crate::read::string(operands)?;
        let kind = LinkageType::from_u32(*operands.get(length)?)?;
        let is_function = matches!(scan.def(*id), Some((Op::Function, _)));
        Some(Symbol { name, is_function, is_export: kind != LinkageType::Import })
    });
    symbols.collect()
}

fn source_of(scan: &Scan<'_>) -> Option<SourceLanguage> {
    let [_, language, version, rest @ ..] = scan.at(scan.source?) else { return None };
    Some(SourceLanguage {
        language: known(*language, Language::from_u32),
        version: *version,
        file: rest.first().and_then(|&file| scan.string(file)),
    })
}

/// By the registry of Khronos (`spir-v.xml`).
fn generator_of(word: u32) -> Generator {
    let id = (word >> 16) as u16;
    let name = match id {
        6 => Some("Khronos LLVM/SPIR-V Translator"),
        7 => Some("Khronos SPIR-V Tools Assembler"),
        8 => Some("Khronos Glslang"),
        13 => Some("Google Shaderc over Glslang"),
        14 => Some("Google spiregg"),
        15 => Some("Google rspirv"),
        17 => Some("Khronos SPIR-V Tools Linker"),
        21 => Some("Google Clspv"),
        22 => Some("MLIR SPIR-V Serializer"),
        23 => Some("Google Tint"),
        27 => Some("Rust GPU"),
        28 => Some("Naga"),
        32 => Some("TornadoVM Beehive SPIRV Toolkit"),
        40 => Some("Khronos Slang"),
        41 => Some("Zig"),
        43 => Some("LLVM SPIR-V Backend"),
        _ => None,
    };
    Generator { id, version: word as u16, name }
}
