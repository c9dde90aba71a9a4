//! Entry points: what they take, what they ask of a launch and what memory they need.

use std::collections::VecDeque;

use clc_base::AddressSpace;
use clc_builtins::Scalar;
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{
    BuiltIn, Decoration, ExecutionMode, ExecutionModel, FunctionParameterAttribute, Op,
    StorageClass,
};

use super::description::{
    Argument, ArgumentKind, Descriptor, Kernel, Type, TypeKind, WorkGroupSize,
};
use super::scan::{Function, Scan};
use super::strings::ArgumentStrings;
use super::types::{MOST_LEVELS, Types, access_of, space_of};
use crate::read::string;

/// Functions and variables that are looked at for all entry points together: what each of them
/// reaches is found anew, and may be the whole module.
const MOST_VISITS: usize = 1 << 21;

/// Operands of an execution mode that are shown.
const MOST_OPERANDS: usize = 16;

/// What all entry points share.
pub(super) struct Kernels<'a, 't> {
    pub scan: &'a Scan<'a>,
    pub types: &'t mut Types<'a>,
    pub strings: ArgumentStrings,
    visits_left: usize,
    descriptors_left: usize,
    /// The work-group's size of all entry points (the built-in constant WorkgroupSize).
    size_constant: Option<u32>,
}

impl<'a, 't> Kernels<'a, 't> {
    pub fn new(scan: &'a Scan<'a>, types: &'t mut Types<'a>) -> Kernels<'a, 't> {
        let size_constant = scan.specializations.iter().copied().find_map(|place| {
            let id = *scan.at(place).get(2)?;
            let built_in = scan.decoration(id, Decoration::BuiltIn)?;
            (built_in == BuiltIn::WorkgroupSize as u32).then_some(id)
        });
        let strings = ArgumentStrings::of(scan);
        Kernels {
            scan,
            types,
            strings,
            visits_left: MOST_VISITS,
            descriptors_left: scan.words.len() + 1,
            size_constant,
        }
    }

    /// The entry points, and notes of what is left out. An error if they have more arguments together than the module has words,
    /// which takes one function to be several of them.
    pub fn all(&mut self) -> Result<(Vec<Kernel>, Option<String>), String> {
        let mut arguments_left = self.scan.words.len();
        let mut kernels = Vec::new();
        for &place in &self.scan.entry_points {
            let inst = self.scan.at(place);
            let [_, model, function, name @ ..] = inst else { continue };
            let name = string(name).map_or_else(String::new, |(name, _)| name);
            let params = self.scan.functions.get(function).map_or(0, |found| found.params.len());
            arguments_left = arguments_left
                .checked_sub(params)
                .ok_or("its entry points have too many arguments")?;
            kernels.push(self.kernel(*model, *function, name));
        }
        let is_cut = self.visits_left == 0 || self.descriptors_left == 0;
        let note =
            "the calls are too many to say of all kernels what memory and resources they use";
        Ok((kernels, is_cut.then(|| note.to_owned())))
    }

    fn kernel(&mut self, model: u32, id: u32, name: String) -> Kernel {
        let mut kernel = Kernel {
            name,
            execution_model: ExecutionModel::from_u32(model)
                .map_or_else(|| model.to_string(), |model| format!("{model:?}")),
            work_group_size: None,
            work_group_size_hint: None,
            vec_type_hint: None,
            sub_group_size: None,
            execution_modes: Vec::new(),
            arguments: Vec::new(),
            arguments_known: model == ExecutionModel::Kernel as u32,
            descriptors: Vec::new(),
            push_constants: None,
            local_memory: None,
            local_memory_specialized: false,
            private_memory: None,
            private_registers: None,
        };
        self.modes(id, &mut kernel);
        if let Some(constant) = self.size_constant
            && let Some((_, inst)) = self.scan.def(constant)
            && kernel.execution_model == "GLCompute"
        {
            kernel.work_group_size = inst.get(3..).and_then(|ids| self.sizes(ids));
        }
        let scan = self.scan;
        if let Some(function) = scan.functions.get(&id) {
            self.arguments(function, &mut kernel);
        }
        self.memory(id, &mut kernel);
        kernel
    }

    fn modes(&self, id: u32, kernel: &mut Kernel) {
        for &place in self.scan.modes.get(&id).into_iter().flatten() {
            let inst = self.scan.at(place);
            let [_, _, number, operands @ ..] = inst else { continue };
            let mode = ExecutionMode::from_u32(*number);
            let mut text = mode.map_or_else(|| number.to_string(), |mode| format!("{mode:?}"));
            let operands = &operands[..operands.len().min(MOST_OPERANDS)];
            let are_ids = crate::read::op(inst) == Some(Op::ExecutionModeId);
            let values: Vec<u32> = match are_ids {
                true => operands.iter().map(|&id| self.value(id)).collect(),
                false => operands.to_vec(),
            };
            values.iter().for_each(|value| text.push_str(&format!(" {value}")));
            kernel.execution_modes.push(text);
            let three = values.first_chunk::<3>().copied();
            match mode {
                Some(ExecutionMode::LocalSize) => {
                    kernel.work_group_size = three.map(WorkGroupSize::Fixed);
                }
                Some(ExecutionMode::LocalSizeId) => kernel.work_group_size = self.sizes(operands),
                Some(ExecutionMode::LocalSizeHint | ExecutionMode::LocalSizeHintId) => {
                    kernel.work_group_size_hint = three;
                }
                Some(ExecutionMode::SubgroupSize) => {
                    kernel.sub_group_size = values.first().copied();
                }
                Some(ExecutionMode::VecTypeHint) => {
                    kernel.vec_type_hint = values.first().and_then(|&hint| hinted(hint));
                }
                _ => {}
            }
        }
    }

    fn value(&self, id: u32) -> u32 {
        self.scan.constant(id).and_then(|value| u32::try_from(value).ok()).unwrap_or_default()
    }

    /// Three constants, specialization constants or not, as the size of a work-group.
    fn sizes(&self, ids: &[u32]) -> Option<WorkGroupSize> {
        let ids = *ids.first_chunk::<3>()?;
        let default = ids.map(|id| self.value(id));
        let ids = ids.map(|id| self.scan.decoration(id, Decoration::SpecId));
        Some(match ids {
            [None, None, None] => WorkGroupSize::Fixed(default),
            _ => WorkGroupSize::Constants { ids, default },
        })
    }

    fn arguments(&mut self, function: &Function, kernel: &mut Kernel) {
        let types = self.strings.types_of(&kernel.name, function.params.len());
        let qualifiers = self.strings.qualifiers_of(&kernel.name, function.params.len());
        for (index, &(ty, id)) in function.params.iter().enumerate() {
            let mut argument = self.argument(ty, id);
            if let Some(name) = types.as_ref().and_then(|types| types.get(index)) {
                argument.type_name.clone_from(name);
                apply_sign(name, &mut argument.ty);
            }
            if let Some(text) = qualifiers.as_ref().and_then(|texts| texts.get(index)) {
                argument.type_qualifiers.clone_from(text);
            }
            kernel.arguments.push(argument);
        }
    }

    /// A parameter. The name of its type is empty, to be made of the type.
    fn argument(&mut self, ty: u32, id: u32) -> Argument {
        let scan = self.scan;
        let has = |attribute: FunctionParameterAttribute| {
            let mut all = scan.decorations(id, Decoration::FuncParamAttr);
            all.any(|operands| operands.first() == Some(&(attribute as u32)))
        };
        let (mut address_space, mut access) = (AddressSpace::Private, None);
        let mut described = ty;
        let mut qualifiers = Vec::new();
        let kind = match scan.def(ty) {
            Some((Op::TypePointer, &[_, _, class, pointee, ..])) => {
                address_space = space_of(class);
                match address_space {
                    AddressSpace::Global | AddressSpace::Constant | AddressSpace::Generic => {
                        ArgumentKind::Buffer
                    }
                    AddressSpace::Local => ArgumentKind::Local,
                    // A struct by value: the pointer is to the kernel's own copy.
                    AddressSpace::Private => {
                        described = pointee;
                        ArgumentKind::Value
                    }
                }
            }
            Some((Op::TypeImage, image)) => {
                address_space = AddressSpace::Global;
                access = image.get(9).and_then(|&access| access_of(access));
                ArgumentKind::Image
            }
            Some((Op::TypePipe, pipe)) => {
                address_space = AddressSpace::Global;
                access = pipe.get(2).and_then(|&access| access_of(access));
                ArgumentKind::Pipe
            }
            Some((Op::TypeSampler, _)) => ArgumentKind::Sampler,
            Some((Op::TypeQueue, _)) => ArgumentKind::Queue,
            Some((
                Op::TypeBool
                | Op::TypeInt
                | Op::TypeFloat
                | Op::TypeVector
                | Op::TypeArray
                | Op::TypeStruct,
                _,
            )) => ArgumentKind::Value,
            _ => ArgumentKind::Opaque,
        };
        if matches!(kind, ArgumentKind::Buffer | ArgumentKind::Local) {
            let never_written = has(FunctionParameterAttribute::NoWrite)
                || has(FunctionParameterAttribute::NoReadWrite)
                || address_space == AddressSpace::Constant;
            let is_restrict = has(FunctionParameterAttribute::NoAlias)
                || scan.decorations(id, Decoration::Restrict).next().is_some();
            let is_volatile = scan.decorations(id, Decoration::Volatile).next().is_some();
            qualifiers.extend(never_written.then_some("const"));
            qualifiers.extend(is_restrict.then_some("restrict"));
            qualifiers.extend(is_volatile.then_some("volatile"));
        }
        if kind == ArgumentKind::Pipe {
            qualifiers.push("pipe");
        }
        Argument {
            name: scan.name(id),
            type_name: String::new(),
            type_qualifiers: qualifiers.join(" "),
            kind,
            address_space: Some(address_space),
            access,
            ty: self.types.describe(described),
            place: None,
        }
    }

    /// The variables that a function and what it calls use.
    fn memory(&mut self, root: u32, kernel: &mut Kernel) {
        let scan = self.scan;
        let mut seen = FxHashSet::default();
        let mut queue = VecDeque::from([root]);
        seen.insert(root);
        let (mut local, mut private, mut registers) = (Some(0u64), Some(0u64), Some(0u64));
        while let Some(id) = queue.pop_front() {
            let function = scan.functions.get(&id);
            let uses = function.map_or_else(|| scan.parts(id), |function| &function.uses);
            let variables = function.map_or(&[][..], |function| &function.variables);
            let cost = 1 + uses.len() + variables.len();
            self.visits_left = self.visits_left.saturating_sub(cost);
            if self.visits_left == 0 || self.descriptors_left == 0 {
                return;
            }
            for &pointer in variables {
                let size =
                    scan.pointer(pointer).and_then(|(_, pointee)| self.types.layout(pointee).size);
                add_private(&mut private, &mut registers, size);
            }
            if let Some((class, pointee)) = scan.variable(id) {
                let size = self.types.layout(pointee).size;
                match class {
                    Some(StorageClass::Workgroup) => {
                        local = local.zip(size).and_then(|(sum, size)| sum.checked_add(size));
                        kernel.local_memory_specialized |= self.types.is_specialized(pointee);
                    }
                    Some(StorageClass::Private | StorageClass::Function) => {
                        add_private(&mut private, &mut registers, size);
                    }
                    Some(StorageClass::PushConstant) => {
                        kernel.push_constants = Some(self.types.describe(pointee));
                    }
                    Some(class) => {
                        if let Some(descriptor) = self.descriptor(id, class, pointee) {
                            self.descriptors_left -= 1;
                            kernel.descriptors.push(descriptor);
                        }
                    }
                    None => {}
                }
            }
            queue.extend(uses.iter().copied().filter(|&id| seen.insert(id)));
        }
        kernel.descriptors.sort_by_key(|descriptor| (descriptor.set, descriptor.binding));
        (kernel.local_memory, kernel.private_memory) = (local, private);
        kernel.private_registers = registers;
    }

    /// The resource that a variable is bound to, if it is one.
    fn descriptor(&mut self, id: u32, class: StorageClass, pointee: u32) -> Option<Descriptor> {
        let scan = self.scan;
        let set = scan.decoration(id, Decoration::DescriptorSet)?;
        let binding = scan.decoration(id, Decoration::Binding)?;
        let mut base = pointee;
        // As many levels as types are described with: a damaged module has arrays of themselves.
        for _ in 0..MOST_LEVELS {
            if let Some((Op::TypeArray | Op::TypeRuntimeArray, inst)) = scan.def(base) {
                base = inst.get(2).copied().unwrap_or_default();
            }
        }
        let kind = match (class, scan.def(base)) {
            (StorageClass::StorageBuffer, _) => "storage_buffer",
            (StorageClass::Uniform, _) => {
                match scan.decorations(base, Decoration::BufferBlock).next() {
                    Some(_) => "storage_buffer",
                    None => "uniform_buffer",
                }
            }
            (_, Some((Op::TypeImage, image))) => {
                let dim = image.get(3).and_then(|&dim| spirv::Dim::from_u32(dim));
                match (dim, image.get(7)) {
                    (Some(spirv::Dim::DimSubpassData), _) => "input_attachment",
                    (Some(spirv::Dim::DimBuffer), Some(2)) => "storage_texel_buffer",
                    (Some(spirv::Dim::DimBuffer), _) => "uniform_texel_buffer",
                    (_, Some(2)) => "storage_image",
                    _ => "sampled_image",
                }
            }
            (_, Some((Op::TypeSampler, _))) => "sampler",
            (_, Some((Op::TypeSampledImage, _))) => "combined_image_sampler",
            _ => "other",
        };
        let name = match scan.name(id) {
            name if name.is_empty() => scan.name(base),
            name => name,
        };
        Some(Descriptor { set, binding, name, kind, ty: self.types.describe(pointee) })
    }
}

fn add_private(bytes: &mut Option<u64>, registers: &mut Option<u64>, size: Option<u64>) {
    *bytes = bytes.zip(size).and_then(|(sum, size)| sum.checked_add(size));
    *registers = registers.zip(size).and_then(|(sum, size)| sum.checked_add(size.div_ceil(4)));
}

/// The type that an operand of VecTypeHint stands for (SPIR-V 3.6).
fn hinted(hint: u32) -> Option<String> {
    let scalar = match hint & 0xffff {
        0 => Scalar::Char,
        1 => Scalar::Short,
        2 => Scalar::Int,
        3 => Scalar::Long,
        4 => Scalar::Half,
        5 => Scalar::Float,
        6 => Scalar::Double,
        _ => return None,
    };
    Some(match hint >> 16 {
        0 | 1 => scalar.name().to_owned(),
        count => format!("{}{count}", scalar.name()),
    })
}

/// Gives integers the sign that the name of their type has: modules of kernels do not say it.
fn apply_sign(name: &str, ty: &mut Type) {
    let mut base = name.trim_end();
    let mut kind = &mut ty.kind;
    while let Some(pointee_name) = base.strip_suffix('*') {
        let TypeKind::Pointer { pointee: Some(pointee), .. } = kind else { return };
        base = pointee_name.trim_end();
        kind = &mut pointee.kind;
    }
    let (TypeKind::Scalar(scalar) | TypeKind::Vector(scalar, _)) = kind else { return };
    let word = base.trim_end_matches(|c: char| c.is_ascii_digit());
    let signed = scalar.to_signed();
    if scalar.is_integer() && signed.name() == word {
        *scalar = signed;
    }
}

/// The kernels by name: of two with one name the first.
pub(super) fn by_name(kernels: &[Kernel]) -> FxHashMap<String, usize> {
    let mut names = FxHashMap::default();
    for (index, kernel) in kernels.iter().enumerate() {
        names.entry(kernel.name.clone()).or_insert(index);
    }
    names
}
