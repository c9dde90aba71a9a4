//! What is written otherwise for Vulkan.

use clc_ir::{
    Const, EntryPoint, GlobalId, MathFlags, MemoryAccess, StorageClass, Type, TypeKind, TypePool,
};
use smallvec::SmallVec;
use spirv::{BuiltIn, Capability, Decoration, ExecutionMode, Op};

use super::{FunctionEmitter, Id, ModuleEmitter};
use clc_legalise::Convention;
use clc_legalise::shader::{Length, PerItem, Spread};

impl ModuleEmitter<'_> {
    pub(super) fn shader_capabilities(&mut self) {
        self.capability(Capability::Shader);
        self.capability(Capability::VulkanMemoryModel);
        self.capability(Capability::PhysicalStorageBufferAddresses);
        if !self.version_at_least(1, 5) {
            self.extension("SPV_KHR_vulkan_memory_model");
            self.extension("SPV_KHR_physical_storage_buffer");
        }
    }

    /// The size of the work-group, and what arithmetic must keep.
    pub(super) fn shader_execution_modes(&mut self, id: Id, entry: &EntryPoint) {
        match entry.reqd_work_group_size {
            Some(size) => self.mode(Op::ExecutionMode, id, ExecutionMode::LocalSize, &size),
            None => {
                let sizes = self.work_group_size();
                if self.version_at_least(1, 6) && self.options.convention == Convention::Own {
                    self.mode(Op::ExecutionModeId, id, ExecutionMode::LocalSizeId, &sizes);
                } else {
                    // The variable of that name overrules the mode. clvk does not enable what
                    // LocalSizeId takes (maintenance4).
                    self.mode(Op::ExecutionMode, id, ExecutionMode::LocalSize, &[1, 1, 1]);
                    self.work_group_size_variable(&sizes);
                }
            }
        }
        self.keep_special_values(id);
    }

    /// NaN, infinities and the sign of zero mean what they say, unless the program gives them up.
    fn keep_special_values(&mut self, id: Id) {
        const EXTENSION: &str = "SPV_KHR_float_controls";
        if self.float_options.finite_math_only || !self.options.extensions.allows(EXTENSION) {
            return;
        }
        for (ty, bits) in [(TypePool::F16, 16), (TypePool::F32, 32), (TypePool::F64, 64)] {
            if self.is_declared(ty) {
                self.capability(Capability::SignedZeroInfNanPreserve);
                let mode = ExecutionMode::SignedZeroInfNanPreserve;
                self.mode(Op::ExecutionMode, id, mode, &[bits]);
                if self.options.keeps_denormals(&self.float_options) {
                    self.capability(Capability::DenormPreserve);
                    self.mode(Op::ExecutionMode, id, ExecutionMode::DenormPreserve, &[bits]);
                }
                if !self.version_at_least(1, 4) {
                    self.extension(EXTENSION);
                }
            }
        }
    }

    fn mode(&mut self, op: Op, id: Id, mode: ExecutionMode, operands: &[u32]) {
        let start = self.execution_modes.begin(op);
        self.execution_modes.push(id);
        self.execution_modes.push(mode as u32);
        self.execution_modes.words.extend_from_slice(operands);
        self.execution_modes.end(start);
    }

    /// The specialization constants 0 to 2.
    fn work_group_size(&mut self) -> [Id; 3] {
        std::array::from_fn(|id| self.specialization(id as u32))
    }

    /// A specialization constant of 32 bits that is 1 by default.
    fn specialization(&mut self, id: u32) -> Id {
        self.constant(Const::Spec { ty: TypePool::I32, id, default: 1 })
    }

    /// Before SPIR-V 1.6 a constant with this decoration is the size of all kernels' work-groups.
    fn work_group_size_variable(&mut self, sizes: &[Id; 3]) {
        let vector = self.types.vector(TypePool::I32, 3);
        let vector = self.type_id(vector);
        let mut key = vec![Op::SpecConstantComposite as u32, vector];
        key.extend_from_slice(sizes);
        if self.raw_types.contains_key(&key) {
            return;
        }
        let id = self.fresh_id();
        self.declarations.op_result(Op::SpecConstantComposite, vector, id, sizes);
        self.decorate(id, Decoration::BuiltIn, &[BuiltIn::WorkgroupSize as u32]);
        self.raw_types.insert(key, id);
    }

    /// A variable of the module: the argument block, memory of the work-group or of a work-item.
    pub(super) fn shader_variable(&mut self, id: GlobalId, initializer: Option<Id>) -> Id {
        let global = &self.globals[id];
        let class = self.storage_class(global.class);
        let pointee = match (global.class, self.types.kind(global.ty)) {
            (StorageClass::PushConstant | StorageClass::Uniform, TypeKind::Struct(_)) => {
                self.block(global.ty)
            }
            (_, TypeKind::Array(element, _)) => match self.chosen_length(id) {
                Some(length) => {
                    let element = self.type_id(element);
                    self.raw_type(Op::TypeArray, &[element, length])
                }
                None => self.type_id(global.ty),
            },
            _ => self.type_id(global.ty),
        };
        let pointer = self.raw_type(Op::TypePointer, &[class, pointee]);
        let variable = self.fresh_id();
        let mut operands: SmallVec<[Id; 2]> = SmallVec::new();
        operands.push(class);
        operands.extend(initializer);
        self.declarations.op_result(Op::Variable, pointer, variable, &operands);
        self.name(variable, &global.name);
        if let Some(shader) = self.shader
            && let Some(&(_, at)) = shader.bindings.iter().find(|(known, _)| *known == id)
        {
            self.bind(variable, at);
        }
        variable
    }

    /// The struct of push constants, whose layout shaders state themselves.
    fn block(&mut self, ty: Type) -> Id {
        let id = self.type_id(ty);
        let TypeKind::Struct(data) = self.types.kind(ty) else { return id };
        self.decorate(id, Decoration::Block, &[]);
        for (index, &offset) in self.types.struct_data(data).offsets.clone().iter().enumerate() {
            self.decorate_member(id, index as u32, Decoration::Offset, &[offset as u32]);
        }
        id
    }

    /// What pointers to [`StorageClass::ReadOnlyBuffer`] point to: a block with one member that nothing writes. Only
    /// members and variables can say so (SPIR-V 3.20, NonWritable).
    pub(super) fn read_only_block(&mut self, ty: Type) -> Id {
        let member = self.type_id(ty);
        let block = self.fresh_id();
        self.declarations.op(Op::TypeStruct, &[block, member]);
        self.decorate(block, Decoration::Block, &[]);
        self.decorate_member(block, 0, Decoration::Offset, &[0]);
        self.decorate_member(block, 0, Decoration::NonWritable, &[]);
        block
    }

    fn decorate_member(&mut self, id: Id, index: u32, decoration: Decoration, operands: &[u32]) {
        let start = self.decorations.begin(Op::MemberDecorate);
        self.decorations.words.extend_from_slice(&[id, index, decoration as u32]);
        self.decorations.words.extend_from_slice(operands);
        self.decorations.end(start);
    }

    /// The length of an array where the host has a say in it.
    fn chosen_length(&mut self, id: GlobalId) -> Option<Id> {
        let shader = self.shader?;
        if let Some((_, length)) = shader.lengths.iter().find(|(global, _)| *global == id) {
            return Some(self.run_time_length(length));
        }
        if let Some(&array) = shader.spread.iter().find(|array| array.global == id) {
            return Some(self.length_where_there_is_room(array));
        }
        let array = shader.per_item.filter(|array| array.global == id)?;
        Some(self.length_per_item(array))
    }

    fn length_where_there_is_room(&mut self, array: Spread) -> Id {
        let items = self.items();
        let [most, per_item, one] =
            [array.most_items, array.per_item, 1].map(|number| self.u32_constant(number));
        let (number, boolean) = (self.type_id(TypePool::I32), self.type_id(TypePool::BOOL));
        let are_few = self.raw_constant(Op::ULessThanEqual, boolean, &[items, most]);
        let elements = self.constant_op(Op::IMul, items, per_item);
        self.raw_constant(Op::Select, number, &[are_few, elements, one])
    }

    /// The work-items of a work-group.
    fn items(&mut self) -> Id {
        let [x, y, z] = self.work_group_size();
        let layer = self.constant_op(Op::IMul, x, y);
        self.constant_op(Op::IMul, layer, z)
    }

    /// The length of an array with elements for each work-item.
    fn length_per_item(&mut self, array: PerItem) -> Id {
        let mut items = self.items();
        if array.least_items > 1 {
            let least = self.u32_constant(array.least_items);
            let (number, boolean) = (self.type_id(TypePool::I32), self.type_id(TypePool::BOOL));
            let is_more = self.raw_constant(Op::UGreaterThan, boolean, &[items, least]);
            items = self.raw_constant(Op::Select, number, &[is_more, items, least]);
        }
        let per_item = self.u32_constant(array.per_item);
        let elements = self.constant_op(Op::IMul, items, per_item);
        let fixed = self.u32_constant(array.fixed);
        self.constant_op(Op::IAdd, elements, fixed)
    }

    /// A sum of specialization constants, rounded as [`Length`] says.
    fn run_time_length(&mut self, length: &Length) -> Id {
        let mut sum = self.u32_constant(length.fixed);
        for part in &length.parts {
            let mut elements = self.specialization(part.constant);
            if part.size != part.element || part.round > part.element {
                let round = part.round.max(1);
                let size = self.u32_constant(part.size);
                elements = self.constant_op(Op::IMul, elements, size);
                let more = self.u32_constant(round - 1);
                elements = self.constant_op(Op::IAdd, elements, more);
                let round_by = self.u32_constant(round);
                elements = self.constant_op(Op::UDiv, elements, round_by);
                let scale = self.u32_constant(round / part.element.max(1));
                elements = self.constant_op(Op::IMul, elements, scale);
            }
            sum = if length.fixed == 0 && part == &length.parts[0] {
                elements
            } else {
                self.constant_op(Op::IAdd, sum, elements)
            };
        }
        sum
    }

    /// OpSpecConstantOp on 32-bit numbers.
    fn constant_op(&mut self, op: Op, left: Id, right: Id) -> Id {
        let ty = self.type_id(TypePool::I32);
        self.raw_constant(op, ty, &[left, right])
    }
}

impl FunctionEmitter<'_, '_> {
    /// The memory operands of a load or store through a pointer to `class`.
    pub fn memory_operands<const N: usize>(
        &mut self,
        class: Option<StorageClass>,
        access: MemoryAccess,
        operands: &mut SmallVec<[u32; N]>,
    ) where
        [u32; N]: smallvec::Array<Item = u32>,
    {
        if self.module.shader.is_none() {
            return super::instruction::memory_operands(access, operands);
        }
        // Only what goes through addresses has an alignment of its own. What several work-items
        // see and some of them write takes part in synchronisation (NonPrivatePointer).
        let mut mask = spirv::MemoryAccess::NONE;
        let shared =
            matches!(class, Some(StorageClass::PhysicalStorageBuffer | StorageClass::Workgroup));
        let addressed = matches!(
            class,
            Some(StorageClass::PhysicalStorageBuffer | StorageClass::ReadOnlyBuffer)
        );
        if access.flags.volatile {
            mask |= spirv::MemoryAccess::VOLATILE;
        }
        if addressed {
            mask |= spirv::MemoryAccess::ALIGNED;
        }
        if access.flags.nontemporal {
            mask |= spirv::MemoryAccess::NONTEMPORAL;
        }
        if shared {
            mask |= spirv::MemoryAccess::NON_PRIVATE_POINTER;
        }
        if mask.is_empty() {
            return;
        }
        operands.push(mask.bits());
        if addressed {
            operands.push(access.align.max(1));
        }
    }

    /// Shaders contract, and take in any order, what is not forbidden to be. OpenCL C allows the
    /// former only, which is why the products and sums that may be contracted are already, but for pairs that have no
    /// other order.
    pub(super) fn contraction(&mut self, id: Id, math: MathFlags) {
        if !math.has(MathFlags::FAST) && !math.has(MathFlags::PAIR) {
            self.decorate(id, Decoration::NoContraction);
        }
    }

    /// The pointer to the `ty` in a block that nothing writes, from that to the block.
    pub fn member_of_block(&mut self, block: Id, ty: Type) -> Id {
        let pointer = self.module.types.pointer(ty, StorageClass::PhysicalStorageBuffer);
        let pointer = self.module.type_id(pointer);
        let first = self.module.int_constant(TypePool::I32, 0);
        self.op_raw(Op::InBoundsAccessChain, pointer, &[block, first])
    }

    /// The capability for small types behind addresses.
    pub fn small_storage(&mut self, pointee: Type) {
        match self.module.types.scalar_bits(pointee) {
            Some(8) => {
                self.module.capability(Capability::StorageBuffer8BitAccess);
                if !self.module.version_at_least(1, 5) {
                    self.module.extension("SPV_KHR_8bit_storage");
                }
            }
            Some(16) => self.module.capability(Capability::StorageBuffer16BitAccess),
            _ => {}
        }
    }
}
