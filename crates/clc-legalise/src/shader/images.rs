//! Images and samplers become descriptors.
//!
//! In OpenCL an image is a value: functions take it, and `?:` chooses one. A shader names a descriptor
//! where it accesses it. So functions with such parameters are inlined first. Then each access is of an
//! argument, of a sampler that the source spells out, or of one of several (`choices`); of these the
//! program branches to the one that it is. `access` says what Vulkan has for an access, `sampling`
//! what becomes of coordinates, and `filter` filters where Vulkan cannot.
//!
//! The parameters of kernels stay until arguments are laid out, but nothing uses them any more.

mod access;
mod choices;
mod filter;
mod memory;
mod sampling;

use clc_base::Diagnostic;
use clc_builtins::{Access, ImageKind, Intrinsic, Texel};
use clc_ir::rewrite::{self, Expansion};
use clc_ir::{
    FuncId, Function, Global, GlobalId, InstKind, Linkage, Module, TypeKind, TypePool, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::private;
use crate::options::Convention;
use crate::reflection::{
    Addressing, ArgumentKind, Binding, ImageDescriptor, ImageQuery, LiteralSampler,
};
use access::Accesses;
use choices::{Choices, Object};

/// The set of the arguments of a kernel.
const ARGUMENTS: u32 = 0;
/// The set of the samplers that the source spells out.
const LITERALS: u32 = 1;

/// What the host must know of images and samplers.
#[derive(Debug, Default)]
pub(crate) struct Images {
    /// Those that the source spells out.
    pub(super) samplers: Vec<LiteralSampler>,
    /// Arguments, by kernel and number.
    pub(super) arguments: FxHashMap<(FuncId, u32), ArgumentKind>,
    /// What kernels ask of the host.
    pub(super) questions: Vec<Question>,
}

/// A 32-bit number about an argument, which the kernel reads from a Private variable of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub kernel: FuncId,
    pub argument: u32,
    pub about: About,
    pub variable: GlobalId,
}

/// What the host is asked of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    ChannelOrder,
    ChannelDataType,
    /// Of an image that the kernel neither reads nor writes.
    Query(ImageQuery),
    SamplerBits,
}

pub(crate) fn run(module: &mut Module, convention: Convention) -> Result<Images, Vec<Diagnostic>> {
    let mut images = Images::default();
    let is_used = module.types.iter().any(|(_, kind)| is_opaque(kind));
    if !is_used {
        return Ok(images);
    }
    memory::make_values(module);
    clc_passes::inline::run_for_params(module, is_opaque);
    // What is inlined everywhere.
    for function in module.functions.values_mut() {
        let takes = function.params.iter().any(|&ty| is_opaque(module.types.kind(ty)));
        if takes && function.entry_point.is_none() {
            function.linkage = Linkage::Internal;
        }
    }
    clc_passes::dead_code::dead_functions(module);
    let mut errors = Vec::new();
    let functions: Vec<FuncId> = module.functions.ids().collect();
    for id in functions {
        let placeholder = Function::new(String::new(), TypePool::VOID);
        let mut function = std::mem::replace(&mut module.functions[id], placeholder);
        if !function.is_declaration() {
            rewrite(module, id, &mut function, convention, &mut images, &mut errors);
        }
        module.functions[id] = function;
    }
    if errors.is_empty() { Ok(images) } else { Err(errors) }
}

fn is_opaque(kind: TypeKind) -> bool {
    matches!(kind, TypeKind::Image(_) | TypeKind::Sampler)
}

/// Replaces the images and samplers of a function, which are parameters if it is a kernel.
fn rewrite(
    module: &mut Module,
    id: FuncId,
    function: &mut Function,
    convention: Convention,
    images: &mut Images,
    errors: &mut Vec<Diagnostic>,
) {
    let sizes_are_told = match convention {
        Convention::Own => true,
        Convention::Clspv(_) => false,
    };
    let choices = Choices::of(module, function);
    let facts = Facts::of(module, function, &choices);
    if function.entry_point.is_some() {
        arguments(module, id, function, &facts, images);
    }
    let Module { types, consts, globals, .. } = module;
    let is_candidate = |kind: &InstKind| matches!(kind, InstKind::Intrinsic { intrinsic, .. } if is_access(*intrinsic));
    rewrite::expand(types, consts, function, is_candidate, |b, inst| {
        let InstKind::Intrinsic { intrinsic, arguments } = b.function.insts[inst].kind else {
            return Expansion::Keep;
        };
        let arguments: Vec<Value> = b.function.values_of(arguments).collect();
        let result = b.function.insts[inst].result.map(|result| b.ty(result));
        let (choices, facts) = (&choices, &facts);
        let mut accesses =
            Accesses { b, globals, kernel: id, sizes_are_told, images, choices, facts, errors };
        let value = accesses.expand(intrinsic, &arguments, result);
        match (value, result) {
            (Some(value), Some(_)) => Expansion::Value(value),
            (_, None) => Expansion::Done,
            (None, Some(ty)) => Expansion::Value(b.undef(ty)),
        }
    });
    choices.number(module, function);
}

/// Gives each image and sampler among the arguments a binding.
fn arguments(module: &Module, id: FuncId, function: &Function, facts: &Facts, images: &mut Images) {
    let bindings = bindings(&module.types, function);
    for (index, (&ty, binding)) in function.params.iter().zip(bindings).enumerate() {
        let Some(at) = binding else { continue };
        let index = index as u32;
        let kind = match module.types.kind(ty) {
            TypeKind::Image(image) => ArgumentKind::Image {
                at,
                descriptor: match (image.kind == ImageKind::Image1dBuffer, image.access) {
                    (false, Access::ReadOnly) => ImageDescriptor::SampledImage,
                    (false, Access::WriteOnly | Access::ReadWrite) => ImageDescriptor::StorageImage,
                    (true, Access::ReadOnly) => ImageDescriptor::UniformTexelBuffer,
                    (true, Access::WriteOnly | Access::ReadWrite) => {
                        ImageDescriptor::StorageTexelBuffer
                    }
                },
            },
            _ => ArgumentKind::Sampler {
                at,
                always_normalized: facts.always_normalized.contains(&index),
            },
        };
        images.arguments.insert((id, index), kind);
    }
}

/// By parameter of a kernel: where it is bound, if it is an image or a sampler. They are counted.
fn bindings(types: &TypePool, function: &Function) -> Vec<Option<Binding>> {
    let mut next = 0..;
    let binding = |&ty| {
        let is_bound = is_opaque(types.kind(ty));
        is_bound.then(|| Binding { set: ARGUMENTS, binding: next.next().unwrap_or_default() })
    };
    function.params.iter().map(binding).collect()
}

impl Images {
    /// Where a sampler is bound that the source spells out with these bits; with normalized coordinates
    /// if `normalized`.
    fn literal(&mut self, bits: u32, normalized: bool) -> Binding {
        // With CLK_ADDRESS_NONE coordinates outside of the image are undefined (OpenCL C 6.15.15.1).
        let addressing = match bits >> 1 & 7 {
            2 => Addressing::Clamp,
            3 => Addressing::Repeat,
            4 => Addressing::MirroredRepeat,
            _ => Addressing::ClampToEdge,
        };
        let linear = bits & LINEAR != 0;
        let found = self.samplers.iter().find(|it| {
            it.normalized == normalized && it.addressing == addressing && it.linear == linear
        });
        if let Some(found) = found {
            return found.at;
        }
        let at = Binding { set: LITERALS, binding: self.samplers.len() as u32 };
        self.samplers.push(LiteralSampler { at, normalized, addressing, linear });
        at
    }

    /// The variable that holds what the host says about an argument.
    fn question(
        &mut self,
        globals: &mut clc_base::Arena<GlobalId, Global>,
        kernel: FuncId,
        argument: u32,
        about: About,
    ) -> GlobalId {
        let found = self
            .questions
            .iter()
            .find(|it| it.kernel == kernel && it.argument == argument && it.about == about);
        if let Some(found) = found {
            return found.variable;
        }
        let name = format!("{about:?} of argument {argument}");
        let variable = globals.push(private::variable(name, TypePool::I32, 4));
        self.questions.push(Question { kernel, argument, about, variable });
        variable
    }
}

/// `CLK_NORMALIZED_COORDS_TRUE`
const NORMALIZED: u32 = 1;
/// `CLK_FILTER_LINEAR`
const LINEAR: u32 = 0x20;

/// What all accesses together say of the arguments of a kernel.
struct Facts {
    /// Sampler arguments for images for which Vulkan has normalized coordinates only.
    always_normalized: FxHashSet<u32>,
    /// What an image is read or written as. Queries say nothing of it: an image that is only asked for its
    /// size has no type that goes with whatever the host has.
    texels: FxHashMap<u32, Texel>,
}

impl Facts {
    fn of(module: &Module, function: &Function, choices: &Choices) -> Facts {
        let mut facts =
            Facts { always_normalized: FxHashSet::default(), texels: FxHashMap::default() };
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                let InstKind::Intrinsic { intrinsic, arguments } = function.insts[inst].kind else {
                    continue;
                };
                let Some(texel) = texel(intrinsic) else { continue };
                let image = function.value_at(arguments, 0);
                for object in choices.objects(module, image) {
                    if let Object::Argument(index) = object {
                        facts.texels.entry(index).or_insert(texel);
                    }
                }
                let ty = module.types.kind(module.value_type(function, image));
                if let TypeKind::Image(ty) = ty
                    && is_sampled(intrinsic)
                    && sampling::is_scaled(ty.kind)
                {
                    let sampler = function.value_at(arguments, 1);
                    for object in choices.objects(module, sampler) {
                        if let Object::Argument(index) = object {
                            facts.always_normalized.insert(index);
                        }
                    }
                }
            }
        }
        facts
    }
}

/// What the image of an access is read or written as in Vulkan, which has no halves.
fn texel(intrinsic: Intrinsic) -> Option<Texel> {
    match intrinsic {
        Intrinsic::ReadImage(texel)
        | Intrinsic::ReadImageMsaa(texel)
        | Intrinsic::ReadImageSampled(texel)
        | Intrinsic::ReadImageSampledLod(texel)
        | Intrinsic::ReadImageSampledGrad(texel)
        | Intrinsic::WriteImage(texel)
        | Intrinsic::WriteImageLod(texel) => Some(match texel {
            Texel::Float | Texel::Half => Texel::Float,
            Texel::Signed => Texel::Signed,
            Texel::Unsigned => Texel::Unsigned,
        }),
        _ => None,
    }
}

fn is_sampled(intrinsic: Intrinsic) -> bool {
    matches!(
        intrinsic,
        Intrinsic::ReadImageSampled(_)
            | Intrinsic::ReadImageSampledLod(_)
            | Intrinsic::ReadImageSampledGrad(_)
    )
}

fn is_access(intrinsic: Intrinsic) -> bool {
    texel(intrinsic).is_some()
        || matches!(
            intrinsic,
            Intrinsic::GetImageWidth
                | Intrinsic::GetImageHeight
                | Intrinsic::GetImageDepth
                | Intrinsic::GetImageDim
                | Intrinsic::GetImageArraySize
                | Intrinsic::GetImageNumMipLevels
                | Intrinsic::GetImageNumSamples
                | Intrinsic::GetImageChannelDataType
                | Intrinsic::GetImageChannelOrder
        )
}
