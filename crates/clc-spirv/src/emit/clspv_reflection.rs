//! The instructions of NonSemantic.ClspvReflection: what a host of clspv's modules must know.
//!
//! [`rows`] says which there are, by the reflection; the rest writes them behind the functions. All
//! operands are ids of strings and of 32-bit constants.

use clc_base::AddressSpace;
use clc_base::arena::Id as _;
use clc_builtins::Access;
use clc_ir::{EntryPoint, StorageClass, TypePool};
use clc_legalise::Shader;
use clc_legalise::clspv::{Interface, KernelInterface, Pushed};
use clc_legalise::reflection::{
    Addressing, Argument, ArgumentKind, Binding, ImageDescriptor, Implicit, LiteralSampler,
    PrintfArgument,
};
use spirv::Op;

use super::variables::GlobalState;
use super::{Id, ModuleEmitter};
use crate::clspv_numbers as number;

/// The set, in the revision that hosts have known for longest: SPIRV-Tools refuse what is later than
/// theirs. Instructions 41 and 42 came with revisions 6 and 7; whoever does not know them passes them over.
const SET: &str = "NonSemantic.ClspvReflection.5";

/// The flag of a kernel that may print.
const MAY_PRINT: u32 = 1;

/// An instruction of the set.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    number: u32,
    operands: Vec<Operand>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Operand {
    Number(u32),
    Text(String),
    /// The function of a kernel, by its index.
    Function(usize),
    /// The instruction [`number::KERNEL`] for a kernel.
    Kernel(usize),
    /// The instruction before this one.
    Previous,
    /// Something of the module.
    Id(Id),
}

use Operand::{Function, Number, Text};

fn row(number: u32, operands: impl IntoIterator<Item = Operand>) -> Row {
    Row { number, operands: operands.into_iter().collect() }
}

fn numbers(number: u32, operands: &[u32]) -> Row {
    row(number, operands.iter().copied().map(Number))
}

/// The instructions for a module. `entries` are its kernels, in the order of the reflection.
fn rows(
    shader: &Shader,
    interface: &Interface,
    entries: &[&EntryPoint],
    with_argument_types: bool,
) -> Vec<Row> {
    let reflection = &shader.reflection;
    let mut rows = Vec::new();
    let kernels = reflection.kernels.iter().zip(&interface.kernels).zip(entries);
    for (index, ((kernel, own), entry)) in kernels.enumerate() {
        let flags = if own.prints { MAY_PRINT } else { 0 };
        rows.push(row(
            number::KERNEL,
            [
                Function(index),
                Text(kernel.name.clone()),
                Number(kernel.arguments.len() as u32),
                Number(flags),
                Text(attributes(entry, own.required_size)),
            ],
        ));
        for (ordinal, argument) in kernel.arguments.iter().enumerate() {
            rows.push(information(argument, entry, ordinal, with_argument_types));
            let (number, operands) = passing(shader, argument, own);
            let mut all = vec![Operand::Kernel(index), Number(ordinal as u32)];
            all.extend(operands.into_iter().map(Number));
            all.push(Operand::Previous);
            rows.push(Row { number, operands: all });
        }
        for implicit in &kernel.implicit {
            if let Some((number, argument, offset)) = metadata(implicit) {
                let operands = [argument, offset, 4].map(Number);
                rows.push(row(number, std::iter::once(Operand::Kernel(index)).chain(operands)));
            }
        }
        if let Some(size) = own.required_size {
            let size = size.map(Number);
            let operands = std::iter::once(Operand::Kernel(index)).chain(size);
            rows.push(row(number::REQUIRED_WORKGROUP_SIZE, operands));
        }
    }
    let first = interface.first_constant;
    rows.push(numbers(number::SPEC_CONSTANT_WORKGROUP_SIZE, &[first, first + 1, first + 2]));
    if let Some(constant) = interface.work_dim {
        rows.push(numbers(number::SPEC_CONSTANT_WORK_DIM, &[constant]));
    }
    for &(what, offset) in &interface.pushed {
        rows.push(pushed(shader, interface, what, offset));
    }
    rows.extend(reflection.samplers.iter().map(|sampler| literal_sampler(shader, sampler)));
    for format in &reflection.printf_formats {
        let text = String::from_utf8_lossy(&format.string).into_owned();
        let sizes = format.arguments.iter().map(|argument| Number(bytes(argument)));
        rows.push(row(
            number::PRINTF_INFO,
            [Number(format.id), Text(text)].into_iter().chain(sizes),
        ));
    }
    rows
}

/// What is pushed for all kernels.
fn pushed(shader: &Shader, interface: &Interface, what: Pushed, offset: u32) -> Row {
    let vector = |number| numbers(number, &[offset, 12]);
    match what {
        Pushed::GlobalOffset => vector(number::GLOBAL_OFFSET),
        Pushed::EnqueuedLocalSize => vector(number::ENQUEUED_LOCAL_SIZE),
        Pushed::GlobalSize => vector(number::GLOBAL_SIZE),
        Pushed::RegionOffset => vector(number::REGION_OFFSET),
        Pushed::NumGroups => vector(number::NUM_WORKGROUPS),
        Pushed::RegionGroupOffset => vector(number::REGION_GROUP_OFFSET),
        Pushed::PrintfBuffer => {
            numbers(number::PRINTF_BUFFER_POINTER, &[offset, 8, interface.printf_buffer_size])
        }
        Pushed::ProgramData => {
            let data = shader.reflection.program_data.iter().flat_map(|data| &data.contents);
            let text: String = data.map(|byte| format!("{byte:02x}")).collect();
            row(number::CONSTANT_DATA_POINTER, [Number(offset), Number(8), Text(text)])
        }
    }
}

/// How an argument is passed: the instruction, and its operands after the ordinal.
fn passing(shader: &Shader, argument: &Argument, kernel: &KernelInterface) -> (u32, Vec<u32>) {
    let in_block =
        |push_constant: u32, in_uniform: u32, offset: u32, size: u32| match kernel.uniform {
            None => (push_constant, vec![offset, size]),
            Some(at) => {
                let Binding { set, binding } = shader.binding(at);
                (in_uniform, vec![set, binding, offset, size])
            }
        };
    let at = |number: u32, at: Binding| {
        let Binding { set, binding } = shader.binding(at);
        (number, vec![set, binding])
    };
    match argument.kind {
        ArgumentKind::Buffer { offset, .. } => {
            in_block(number::POINTER_PUSH_CONSTANT, number::POINTER_UNIFORM, offset, 8)
        }
        ArgumentKind::Value { offset, size } => {
            in_block(number::POD_PUSH_CONSTANT, number::POD_UNIFORM, offset, size)
        }
        ArgumentKind::Local { constant, element_size } => {
            (number::WORKGROUP, vec![constant, element_size])
        }
        ArgumentKind::Image { at: place, descriptor } => {
            let number = match descriptor {
                ImageDescriptor::SampledImage => number::SAMPLED_IMAGE,
                ImageDescriptor::StorageImage => number::STORAGE_IMAGE,
                ImageDescriptor::UniformTexelBuffer => number::UNIFORM_TEXEL_BUFFER,
                ImageDescriptor::StorageTexelBuffer => number::STORAGE_TEXEL_BUFFER,
            };
            at(number, place)
        }
        ArgumentKind::Sampler { at: place, .. } => at(number::SAMPLER, place),
    }
}

/// What the host tells of an argument: the instruction, the argument and the offset.
fn metadata(implicit: &Implicit) -> Option<(u32, u32, u32)> {
    match *implicit {
        Implicit::ImageChannelOrder { argument, offset } => {
            Some((number::IMAGE_CHANNEL_ORDER, argument, offset))
        }
        Implicit::ImageChannelDataType { argument, offset } => {
            Some((number::IMAGE_CHANNEL_DATA_TYPE, argument, offset))
        }
        Implicit::SamplerBits { argument, offset } => {
            Some((number::NORMALIZED_SAMPLER_MASK, argument, offset))
        }
        Implicit::GlobalOffset { .. }
        | Implicit::GlobalSize { .. }
        | Implicit::EnqueuedLocalSize { .. }
        | Implicit::NumGroups { .. }
        | Implicit::RegionOffset { .. }
        | Implicit::RegionGroupOffset { .. }
        | Implicit::WorkDim { .. }
        | Implicit::ImageQuery { .. }
        | Implicit::PrintfBuffer { .. }
        | Implicit::ProgramData { .. } => None,
    }
}

/// The answers of `clGetKernelArgInfo`, with the values of OpenCL's headers.
fn information(argument: &Argument, entry: &EntryPoint, ordinal: usize, with_types: bool) -> Row {
    let mut operands = vec![Text(argument.name.clone())];
    if with_types {
        let known = entry.arguments.get(ordinal);
        let address = match known.map(|argument| argument.address_space) {
            Some(AddressSpace::Global) => 0x119b,
            Some(AddressSpace::Local) => 0x119c,
            Some(AddressSpace::Constant) => 0x119d,
            Some(AddressSpace::Private | AddressSpace::Generic) | None => 0x119e,
        };
        let access = match known.and_then(|argument| argument.access) {
            Some(Access::ReadOnly) => 0x11a0,
            Some(Access::WriteOnly) => 0x11a1,
            Some(Access::ReadWrite) => 0x11a2,
            None => 0x11a3,
        };
        let qualifiers = [("const", 1), ("restrict", 2), ("volatile", 4), ("pipe", 8)];
        let words = || argument.type_qualifiers.split_whitespace();
        let qualifiers = qualifiers.iter().filter(|(name, _)| words().any(|word| word == *name));
        let qualifiers = qualifiers.map(|&(_, bit)| bit).sum();
        operands.push(Text(argument.type_name.clone()));
        operands.extend([address, access, qualifiers].map(Number));
    }
    Row { number: number::ARGUMENT_INFO, operands }
}

/// CL_KERNEL_ATTRIBUTES
fn attributes(entry: &EntryPoint, required: Option<[u32; 3]>) -> String {
    let size = |name: &str, [x, y, z]: [u32; 3]| format!("{name}({x},{y},{z})");
    let mut all = Vec::new();
    all.extend(
        entry
            .vec_type_hint
            .map(|hint| format!("vec_type_hint({})", hinted(hint, entry.vec_type_unsigned))),
    );
    all.extend(entry.work_group_size_hint.map(|hint| size("work_group_size_hint", hint)));
    all.extend(required.map(|required| size("reqd_work_group_size", required)));
    all.extend(entry.sub_group_size.map(|size| format!("intel_reqd_sub_group_size({size})")));
    all.join(" ")
}

/// The type that a number of VecTypeHint stands for (SPIR-V 3.6).
fn hinted(hint: u32, is_unsigned: bool) -> String {
    let name = match hint & 0xffff {
        0 => "char",
        1 => "short",
        2 => "int",
        3 => "long",
        4 => "half",
        5 => "float",
        _ => "double",
    };
    let sign = if is_unsigned { "u" } else { "" };
    match hint >> 16 {
        0 | 1 => format!("{sign}{name}"),
        lanes => format!("{sign}{name}{lanes}"),
    }
}

fn literal_sampler(shader: &Shader, sampler: &LiteralSampler) -> Row {
    let addressing = match sampler.addressing {
        Addressing::ClampToEdge => 2,
        Addressing::Clamp => 4,
        Addressing::Repeat => 6,
        Addressing::MirroredRepeat => 8,
    };
    let filter = if sampler.linear { 0x20 } else { 0x10 };
    let mask = u32::from(sampler.normalized) | addressing | filter;
    let Binding { set, binding } = shader.binding(sampler.at);
    numbers(number::LITERAL_SAMPLER, &[set, binding, mask])
}

/// Bytes of an argument in a record, which is made of whole words.
fn bytes(argument: &PrintfArgument) -> u32 {
    (argument.size * argument.components).next_multiple_of(4)
}

impl ModuleEmitter<'_> {
    /// The variables in `local` memory, with their bytes: those that the host chooses left out.
    fn local_variables(&self) -> Vec<Row> {
        let lengths = self.shader.map_or(&[][..], |shader| &shader.lengths);
        let per_item = self.shader.and_then(|shader| shader.per_item);
        let globals = self.globals;
        let locals = globals.iter().filter(|(_, global)| global.class == StorageClass::Workgroup);
        let sized = locals.filter_map(|(id, global)| {
            let GlobalState::Declared { variable, .. } = self.global_ids[id.index()] else {
                return None;
            };
            let element = || self.types.component(global.ty, 0).map_or(0, |ty| self.types.size(ty));
            let elements = lengths.iter().find(|(known, _)| *known == id);
            let elements = elements.map(|(_, length)| length.fixed);
            let per_item = per_item.filter(|array| array.global == id).map(|array| array.fixed);
            let bytes = match elements.or(per_item) {
                Some(count) => u64::from(count) * element(),
                None => self.types.size(global.ty),
            };
            let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
            let row =
                || row(number::WORKGROUP_VARIABLE_SIZE, [Operand::Id(variable), Number(bytes)]);
            (bytes > 0).then(row)
        });
        sized.collect()
    }

    /// Appends the instructions for a module of which these are the kernels.
    pub(super) fn clspv_reflection(&mut self, kernels: &[clc_ir::FuncId]) {
        let Some(shader) = self.shader else { return };
        let Some(interface) = &shader.clspv else { return };
        let functions = self.functions;
        let entries: Vec<&EntryPoint> =
            kernels.iter().filter_map(|&id| functions[id].entry_point.as_deref()).collect();
        let mut rows = rows(shader, interface, &entries, self.options.kernel_arg_info);
        rows.extend(self.local_variables());
        if !self.version_at_least(1, 6) {
            self.extension("SPV_KHR_non_semantic_info");
        }
        let set = self.import(SET);
        let void = self.type_id(TypePool::VOID);
        let mut described: Vec<Id> = Vec::new();
        let mut previous = 0;
        for row in rows {
            let operands: Vec<Id> = row
                .operands
                .iter()
                .map(|operand| match operand {
                    Number(value) => self.u32_constant(*value),
                    Text(text) => self.string(text),
                    Function(index) => self.function_id(kernels[*index]),
                    Operand::Kernel(index) => described[*index],
                    Operand::Previous => previous,
                    Operand::Id(id) => *id,
                })
                .collect();
            previous = self.fresh_id();
            if row.number == number::KERNEL {
                described.push(previous);
            }
            let start = self.code.begin(Op::ExtInst);
            self.code.words.extend_from_slice(&[void, previous, set, row.number]);
            self.code.words.extend_from_slice(&operands);
            self.code.end(start);
        }
    }
}
