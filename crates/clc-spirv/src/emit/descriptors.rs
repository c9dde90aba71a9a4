//! Images and samplers that a Vulkan host binds.

use clc_builtins::{Access, Texel};
use clc_ir::{ImageType, StorageClass, Type, TypeKind};
use clc_legalise::reflection::Binding;
use spirv::{Capability, Decoration, Dim, ImageFormat, Op};

use super::constants::Declared;
use super::{Id, ModuleEmitter};
use crate::images;

impl ModuleEmitter<'_> {
    /// The variable of a descriptor, whose address is the only thing that the constant stands for in
    /// a module.
    pub(super) fn declare_descriptor(&mut self, ty: Type, set: u32, binding: u32) -> Declared {
        let class = self.storage_class(StorageClass::UniformConstant);
        let image = self.type_id(ty);
        let pointer = self.raw_type(Op::TypePointer, &[class, image]);
        let id = self.fresh_id();
        self.declarations.op_result(Op::Variable, pointer, id, &[class]);
        self.bind(id, Binding { set, binding });
        if let TypeKind::Image(image) = self.types.kind(ty) {
            match image.access {
                Access::ReadOnly => {}
                Access::WriteOnly => self.decorate(id, Decoration::NonReadable, &[]),
                // The same texels may be read as floats and written as integers.
                Access::ReadWrite => self.decorate(id, Decoration::Aliased, &[]),
            }
        }
        Declared { id, variables: self.variable_set(vec![id]) }
    }

    /// States where the host binds a variable.
    pub(super) fn bind(&mut self, variable: Id, at: Binding) {
        let at = self.shader.map_or(at, |shader| shader.binding(at));
        self.decorate(variable, Decoration::DescriptorSet, &[at.set]);
        self.decorate(variable, Decoration::Binding, &[at.binding]);
    }

    /// The type of an image for shaders, which says what its texels are read as, and whether it is
    /// sampled or written.
    pub(super) fn declare_shader_image(&mut self, ty: Type, image: ImageType, texel: Texel) -> Id {
        let (dim, _, arrayed, multisampled) = images::dimensions(image.kind);
        let is_sampled = image.access == Access::ReadOnly;
        match (dim, is_sampled) {
            (Dim::Dim1D, true) => self.capability(Capability::Sampled1D),
            (Dim::Dim1D, false) => self.capability(Capability::Image1D),
            (Dim::DimBuffer, true) => self.capability(Capability::SampledBuffer),
            (Dim::DimBuffer, false) => self.capability(Capability::ImageBuffer),
            _ => {}
        }
        let texel = self.texel_type(texel);
        let sampled = if is_sampled { 1 } else { 2 };
        let format = ImageFormat::Unknown as u32;
        // Depth images are read as others are: only comparisons with a reference ask for the depth.
        let [arrayed, multisampled] = [arrayed, multisampled].map(u32::from);
        let operands = [texel, dim as u32, 0, arrayed, multisampled, sampled, format];
        // Types of OpenCL that differ in their access, or as depth images do from others, are one here.
        let id = self.raw_type(Op::TypeImage, &operands);
        self.set_type(ty, id);
        id
    }

    /// A component of a texel. Integers say whether they are signed: Vulkan compares that with the
    /// format of the image ("Interpretation of Numeric Format").
    pub fn texel_type(&mut self, texel: Texel) -> Id {
        match texel {
            Texel::Float | Texel::Half => self.type_id(clc_ir::TypePool::F32),
            Texel::Signed => self.raw_type(Op::TypeInt, &[32, 1]),
            Texel::Unsigned => self.type_id(clc_ir::TypePool::I32),
        }
    }
}
