//! What Vulkan has for an access of an image.

use clc_base::{Arena, Diagnostic};
use clc_builtins::{Access, Intrinsic, Texel};
use clc_ir::{
    Block, Builder, Const, ConvertOp, FuncId, Global, GlobalId, ImageType, MemoryAccess,
    StorageClass, SwitchCase, Terminator, Type, TypeKind, TypePool, Value,
};

use super::choices::{Choices, Object};
use super::{About, Facts, Images, is_sampled, texel};
use crate::diagnostics::E0703;
use crate::reflection::{ArgumentKind, Binding, ImageQuery};

/// The accesses of one function.
pub(super) struct Accesses<'a, 'b> {
    pub b: &'a mut Builder<'b>,
    pub globals: &'a mut Arena<GlobalId, Global>,
    pub kernel: FuncId,
    /// The host says how large images are that are neither read nor written.
    pub sizes_are_told: bool,
    pub images: &'a mut Images,
    pub choices: &'a Choices,
    pub facts: &'a Facts,
    pub errors: &'a mut Vec<Diagnostic>,
}

/// An image that is accessed: an argument, bound as one type of texels.
#[derive(Clone, Copy)]
pub(super) struct Image {
    pub argument: u32,
    pub ty: ImageType,
    /// The descriptor.
    pub value: Value,
}

/// An image that is asked for what it is.
#[derive(Clone, Copy)]
struct Asked {
    argument: u32,
    ty: ImageType,
    /// The descriptor; `None` if the host answers.
    value: Option<Value>,
}

impl From<Image> for Asked {
    fn from(Image { argument, ty, value }: Image) -> Asked {
        Asked { argument, ty, value: Some(value) }
    }
}

impl Accesses<'_, '_> {
    /// What does the work of a call. `None` if it has no result, or its image no value.
    pub(super) fn expand(
        &mut self,
        intrinsic: Intrinsic,
        arguments: &[Value],
        result: Option<Type>,
    ) -> Option<Value> {
        let value = arguments[0];
        let TypeKind::Image(ty) = self.b.types.kind(self.b.ty(value)) else { return None };
        if let Some(reason) = self.lacks(intrinsic, arguments, ty) {
            let message =
                format!("`{}` cannot be compiled for Vulkan: {reason}", intrinsic.source_name());
            self.errors.push(
                Diagnostic::new(&E0703, self.b.location.span, message)
                    .at("not available for this image"),
            );
            return None;
        }
        let texel = texel(intrinsic);
        self.each_object(value, result, |this, object| {
            let Object::Argument(argument) = object else { return None };
            let known = texel.or_else(|| this.facts.texels.get(&argument).copied());
            if known.is_none() && this.sizes_are_told {
                return this.query(intrinsic, Asked { argument, ty, value: None }, result);
            }
            let known = known.unwrap_or(Texel::Float);
            let image = this.image(argument, ImageType { texel: Some(known), ..ty })?;
            if texel.is_none() {
                return this.query(intrinsic, image.into(), result);
            }
            if !is_sampled(intrinsic) {
                return this.plain(intrinsic, image, arguments, result);
            }
            this.each_object(arguments[1], result, |this, sampler| {
                let texel = this.sampled(intrinsic, image, sampler, &arguments[2..])?;
                Some(this.result(texel, result?))
            })
        })
    }

    fn lacks(
        &self,
        intrinsic: Intrinsic,
        arguments: &[Value],
        image: ImageType,
    ) -> Option<&'static str> {
        match intrinsic {
            Intrinsic::WriteImageLod(_) if self.b.constant_int(arguments[2]) != Some(0) => {
                Some("shaders write the first level of an image only")
            }
            Intrinsic::GetImageNumMipLevels if image.access != Access::ReadOnly => {
                Some("shaders know the levels of images that are only read")
            }
            _ => None,
        }
    }

    /// Does something with what `value` may be; the program branches where it is one of several.
    fn each_object(
        &mut self,
        value: Value,
        result: Option<Type>,
        mut work: impl FnMut(&mut Self, Object) -> Option<Value>,
    ) -> Option<Value> {
        let objects = self.choices.objects_of(self.b.consts, value);
        let (&last, others) = objects.split_last()?;
        if others.is_empty() {
            return work(self, last);
        }
        let from = self.b.block();
        let after = self.b.new_block();
        let merged = result.map(|ty| self.b.function.add_block_param(after, ty));
        let mut blocks: Vec<Block> = Vec::with_capacity(objects.len());
        for &object in &objects {
            let block = self.b.new_block();
            blocks.push(block);
            self.b.switch_to(block);
            let value = work(self, object);
            let value = result.map(|ty| value.unwrap_or_else(|| self.b.undef(ty)));
            self.b.jump(after, value.as_slice());
        }
        self.b.switch_to(from);
        let default = blocks.pop()?;
        let default = self.b.call_block(default, &[]);
        let cases = others
            .iter()
            .zip(blocks)
            .map(|(object, block)| SwitchCase {
                value: u64::from(object.number()),
                target: self.b.call_block(block, &[]),
            })
            .collect();
        self.b.terminate(Terminator::Switch { selector: value, default, cases });
        self.b.switch_to(after);
        merged
    }

    fn image(&mut self, argument: u32, ty: ImageType) -> Option<Image> {
        let ArgumentKind::Image { at, .. } =
            *self.images.arguments.get(&(self.kernel, argument))?
        else {
            return None;
        };
        let value = self.descriptor(TypeKind::Image(ty), at);
        Some(Image { argument, ty, value })
    }

    pub(super) fn descriptor(
        &mut self,
        kind: TypeKind,
        Binding { set, binding }: Binding,
    ) -> Value {
        let ty = self.b.types.intern(kind);
        self.b.consts.intern(Const::Descriptor { ty, set, binding })
    }

    /// The type of the texels that Vulkan reads and writes.
    fn texel_type(&mut self, image: Image) -> Type {
        let component = match image.ty.texel {
            Some(Texel::Signed | Texel::Unsigned) => TypePool::I32,
            Some(Texel::Float | Texel::Half) | None => TypePool::F32,
        };
        self.b.types.vector(component, 4)
    }

    /// A texel as a call returns it: one component of depth images, and perhaps as `half`.
    fn result(&mut self, texel: Value, ty: Type) -> Value {
        let texel = match self.b.types.lanes(ty) {
            1 => self.b.extract(texel, &[0]),
            _ => texel,
        };
        if self.b.ty(texel) == ty { texel } else { self.b.convert(ConvertOp::FToF, texel, ty) }
    }

    /// A read without a sampler, or a write.
    fn plain(
        &mut self,
        intrinsic: Intrinsic,
        image: Image,
        arguments: &[Value],
        result: Option<Type>,
    ) -> Option<Value> {
        match intrinsic {
            Intrinsic::ReadImage(_) => {
                let coordinate = self.coordinate(image, arguments[1]);
                let texel = self.fetch(image, coordinate)?;
                Some(self.result(texel, result?))
            }
            Intrinsic::ReadImageMsaa(_) => {
                let coordinate = self.coordinate(image, arguments[1]);
                let ty = self.texel_type(image);
                let operands = [image.value, coordinate, arguments[2]];
                let read = Intrinsic::ReadImageMsaa(image.ty.texel?);
                let texel = self.b.intrinsic(read, &operands, ty)?;
                Some(self.result(texel, result?))
            }
            Intrinsic::WriteImage(_) | Intrinsic::WriteImageLod(_) => {
                let coordinate = self.coordinate(image, arguments[1]);
                let ty = self.texel_type(image);
                let mut colour = *arguments.last()?;
                if self.b.types.lanes(self.b.ty(colour)) == 1 {
                    let vector = self.b.types.vector(self.b.ty(colour), 4);
                    colour = self.b.splat(vector, colour);
                }
                if self.b.ty(colour) != ty {
                    colour = self.b.convert(ConvertOp::FToF, colour, ty);
                }
                let write = Intrinsic::WriteImage(image.ty.texel?);
                self.b.intrinsic(write, &[image.value, coordinate, colour], TypePool::VOID)
            }
            _ => None,
        }
    }

    /// What an image is.
    fn query(&mut self, intrinsic: Intrinsic, image: Asked, result: Option<Type>) -> Option<Value> {
        match intrinsic {
            Intrinsic::GetImageWidth => self.number(ImageQuery::Width, image),
            Intrinsic::GetImageHeight => self.number(ImageQuery::Height, image),
            Intrinsic::GetImageDepth => self.number(ImageQuery::Depth, image),
            Intrinsic::GetImageDim => {
                let result = result?;
                let mut sizes = self.dimensions(image)?;
                sizes.resize(usize::from(self.b.types.lanes(result)), self.b.i32(0));
                Some(self.b.construct(result, &sizes))
            }
            Intrinsic::GetImageArraySize => {
                let layers = self.number(ImageQuery::ArraySize, image)?;
                let wide = result.is_some_and(|ty| ty != TypePool::I32);
                Some(if wide {
                    self.b.convert(ConvertOp::ZeroExtend, layers, result?)
                } else {
                    layers
                })
            }
            Intrinsic::GetImageNumMipLevels => self.number(ImageQuery::NumMipLevels, image),
            Intrinsic::GetImageNumSamples => self.number(ImageQuery::NumSamples, image),
            Intrinsic::GetImageChannelDataType => {
                Some(self.question(image.argument, About::ChannelDataType))
            }
            Intrinsic::GetImageChannelOrder => {
                Some(self.question(image.argument, About::ChannelOrder))
            }
            _ => None,
        }
    }

    /// What the host says about an argument.
    pub(super) fn question(&mut self, argument: u32, about: About) -> Value {
        let variable = self.images.question(self.globals, self.kernel, argument, about);
        let pointer = self.b.types.pointer(TypePool::I32, StorageClass::Private);
        let pointer = self.b.consts.intern(Const::GlobalAddress(pointer, variable));
        self.b.load(pointer, MemoryAccess::aligned(4))
    }

    /// Integer coordinates without the components that no image of the kind has.
    fn coordinate(&mut self, image: Image, coordinate: Value) -> Value {
        let kind = image.ty.kind;
        let wanted = kind.dimensions() + u8::from(kind.is_array());
        if self.b.types.lanes(self.b.ty(coordinate)) == wanted {
            return coordinate;
        }
        let mask: Vec<u32> = (0..u32::from(wanted)).collect();
        self.b.shuffle(coordinate, coordinate, &mask)
    }

    /// The texel at integer coordinates.
    pub(super) fn fetch(&mut self, image: Image, coordinate: Value) -> Option<Value> {
        let ty = self.texel_type(image);
        let read = Intrinsic::ReadImage(image.ty.texel?);
        self.b.intrinsic(read, &[image.value, coordinate], ty)
    }

    /// The texel that a sampler has at normalized coordinates, or unnormalized ones if it is such a
    /// sampler. `more` is the level of detail or the gradients.
    pub(super) fn sample(
        &mut self,
        intrinsic: Intrinsic,
        image: Image,
        sampler: Value,
        coordinate: Value,
        more: &[Value],
    ) -> Option<Value> {
        let ty = self.texel_type(image);
        let texel = image.ty.texel?;
        let intrinsic = match intrinsic {
            Intrinsic::ReadImageSampledLod(_) => Intrinsic::ReadImageSampledLod(texel),
            Intrinsic::ReadImageSampledGrad(_) => Intrinsic::ReadImageSampledGrad(texel),
            _ => Intrinsic::ReadImageSampled(texel),
        };
        let mut operands = vec![image.value, sampler, coordinate];
        operands.extend_from_slice(more);
        self.b.intrinsic(intrinsic, &operands, ty)
    }

    /// A number that an image has, as `int`.
    fn number(&mut self, query: ImageQuery, image: Asked) -> Option<Value> {
        let Some(descriptor) = image.value else {
            return Some(self.question(image.argument, About::Query(query)));
        };
        let intrinsic = match query {
            ImageQuery::Width => Intrinsic::GetImageWidth,
            ImageQuery::Height => Intrinsic::GetImageHeight,
            ImageQuery::Depth => Intrinsic::GetImageDepth,
            ImageQuery::ArraySize => Intrinsic::GetImageArraySize,
            ImageQuery::NumMipLevels => Intrinsic::GetImageNumMipLevels,
            ImageQuery::NumSamples => Intrinsic::GetImageNumSamples,
        };
        self.b.intrinsic(intrinsic, &[descriptor], TypePool::I32)
    }

    fn dimensions(&mut self, image: Asked) -> Option<Vec<Value>> {
        [ImageQuery::Width, ImageQuery::Height, ImageQuery::Depth]
            .into_iter()
            .take(usize::from(image.ty.kind.dimensions()))
            .map(|size| self.number(size, image))
            .collect()
    }

    /// The dimensions of an image, as `int`.
    pub(super) fn sizes(&mut self, image: Image) -> Option<Vec<Value>> {
        self.dimensions(image.into())
    }

    /// The layers of an array, as `int`.
    pub(super) fn layers(&mut self, image: Image) -> Option<Value> {
        self.number(ImageQuery::ArraySize, image.into())
    }
}
