//! Constants, declared when first used.

use clc_base::arena::Id as _;
use clc_base::lang::GroupExtent;
use clc_ir::{Const, ConstId, FULL_ARRAY, StorageClass, Type, TypeKind, TypePool, Value};
use spirv::{Capability, Decoration, Op, SamplerAddressingMode, SamplerFilterMode};

use super::{Id, ModuleEmitter};

/// A constant's id, and the module-scope variables it is made of: an entry point lists them
/// (from SPIR-V 1.4 on), however deep in a constant their addresses are taken.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Declared {
    pub id: Id,
    /// Index into [`ModuleEmitter::variable_sets`]; 0 is the empty set.
    pub variables: u32,
}

impl ModuleEmitter<'_> {
    /// The id of an integer constant; bits beyond the width of `ty` are dropped.
    pub fn int_constant(&mut self, ty: Type, value: u64) -> Id {
        let value = self.int_value(ty, value);
        self.constant_id(value)
    }

    /// The id of a 32-bit integer constant (scopes, semantics and the like).
    pub fn u32_constant(&mut self, value: u32) -> Id {
        self.int_constant(TypePool::I32, u64::from(value))
    }

    /// An integer constant as a value of the IR.
    pub fn int_value(&mut self, ty: Type, value: u64) -> Value {
        let bits = self.types.scalar_bits(ty).unwrap_or(64);
        let value = if bits == 64 { value } else { value & ((1 << bits) - 1) };
        self.consts.intern(Const::Int(ty, value))
    }

    /// An integer in every component of `ty`, as a value of the IR.
    pub fn splat_int_value(&mut self, ty: Type, value: u64) -> Value {
        let lanes = self.types.lanes(ty);
        if lanes > 1 && value == 0 {
            return self.consts.intern(Const::Null(ty));
        }
        let scalar = self.types.scalar(ty);
        let scalar = self.int_value(scalar, value);
        match lanes {
            1 => scalar,
            lanes => {
                let parts = vec![scalar; usize::from(lanes)].into();
                self.consts.intern(Const::Composite(ty, parts))
            }
        }
    }

    /// The id of a constant that contains no address.
    pub fn constant(&mut self, constant: Const) -> Id {
        let value = self.consts.intern(constant);
        self.constant_id(value)
    }

    fn constant_id(&mut self, value: Value) -> Id {
        value.as_const().map_or(0, |id| self.declared(id).id)
    }

    /// The id of a constant; adds the variables it is made of to `variables`.
    pub fn use_const(&mut self, id: ConstId, variables: &mut Vec<Id>) -> Id {
        let declared = self.declared(id);
        if declared.variables != 0 {
            variables.extend_from_slice(&self.variable_sets[declared.variables as usize]);
        }
        declared.id
    }

    fn declared(&mut self, id: ConstId) -> Declared {
        let index = id.index();
        match self.const_ids.get(index) {
            Some(&declared) if declared.id != 0 => return declared,
            Some(_) => {}
            None => self.const_ids.resize(self.consts.len().max(index + 1), Declared::default()),
        }
        let declared =
            stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.declare_constant(id));
        if index >= self.const_ids.len() {
            self.const_ids.resize(self.consts.len().max(index + 1), Declared::default());
        }
        self.const_ids[index] = declared;
        declared
    }

    /// Makes a set of variables; duplicates go.
    pub(super) fn variable_set(&mut self, mut variables: Vec<Id>) -> u32 {
        variables.sort_unstable();
        variables.dedup();
        if variables.is_empty() {
            return 0;
        }
        self.variable_sets.push(variables.into());
        (self.variable_sets.len() - 1) as u32
    }

    fn declare_constant(&mut self, id: ConstId) -> Declared {
        let ty = self.consts.ty(id);
        match self.consts.get(id).clone() {
            Const::Undef(_) => self.plain(Op::Undef, ty, &[]),
            Const::Null(_) => match self.types.kind(ty) {
                // Scalar zeros are OpConstant: some consumers stumble over scalar nulls.
                TypeKind::Int(_) => Declared { id: self.int_constant(ty, 0), variables: 0 },
                TypeKind::Float(_) => {
                    Declared { id: self.constant(Const::Float(ty, 0)), variables: 0 }
                }
                _ => self.plain(Op::ConstantNull, ty, &[]),
            },
            Const::Bool(true) => self.plain(Op::ConstantTrue, ty, &[]),
            Const::Bool(false) => self.plain(Op::ConstantFalse, ty, &[]),
            Const::Int(_, bits) | Const::Float(_, bits) => match self.types.scalar_bits(ty) {
                Some(64) => self.plain(Op::Constant, ty, &[bits as u32, (bits >> 32) as u32]),
                _ => self.plain(Op::Constant, ty, &[bits as u32]),
            },
            Const::Composite(..) if self.is_long_array(ty) => {
                // Not every element is listed, and no instruction has room for all of them.
                self.declarations.too_long.get_or_insert(Op::ConstantComposite);
                self.plain(Op::ConstantNull, ty, &[])
            }
            Const::Composite(_, parts) if parts.is_empty() => self.plain(Op::ConstantNull, ty, &[]),
            Const::Composite(_, parts) => {
                let mut variables = Vec::new();
                let parts: Vec<Id> =
                    parts.iter().map(|&part| self.constituent(part, &mut variables)).collect();
                let op = match self.is_specialized(id) {
                    true => Op::SpecConstantComposite,
                    false => Op::ConstantComposite,
                };
                let Declared { id, .. } = self.plain(op, ty, &parts);
                Declared { id, variables: self.variable_set(variables) }
            }
            Const::GlobalAddress(_, global) => self.global_id(global),
            Const::FunctionAddress(..) => unreachable!("only what enqueues kernels names them"),
            Const::Sampler(_, bits) => self.declare_sampler(ty, bits),
            Const::Descriptor { ty, set, binding } => self.declare_descriptor(ty, set, binding),
            Const::Spec { ty: _, id, default } => {
                if let Some(&extent) = self.group_extents().and_then(|all| all.get(id as usize)) {
                    return Declared { id: self.group_extent(extent), variables: 0 };
                }
                // Behind those that the program names.
                let id = id + self.shader.map_or(0, |shader| shader.own_constants);
                let declared = self.plain(Op::SpecConstant, ty, &[default]);
                self.decorate(declared.id, Decoration::SpecId, &[id]);
                declared
            }
            Const::Access { base, step, indices, .. } => {
                let mut variables = Vec::new();
                let base = self.part(base, &mut variables);
                if step == 0 && indices.is_empty() {
                    return Declared { id: base, variables: self.variable_set(variables) };
                }
                let mut operands = Vec::with_capacity(indices.len() + 3);
                if step == 0 {
                    operands.extend_from_slice(&[Op::InBoundsAccessChain as u32, base]);
                } else {
                    let size_t = self.types.size_type();
                    let step = self.int_constant(size_t, step as u64);
                    operands.extend_from_slice(&[Op::InBoundsPtrAccessChain as u32, base, step]);
                }
                for &index in &indices {
                    let index = self.part(index, &mut variables);
                    operands.push(index);
                }
                let Declared { id, .. } = self.plain(Op::SpecConstantOp, ty, &operands);
                Declared { id, variables: self.variable_set(variables) }
            }
            Const::Cast { operand, .. } => {
                let mut variables = Vec::new();
                let id = self.cast(ty, operand, &mut variables);
                Declared { id, variables: self.variable_set(variables) }
            }
        }
    }

    fn is_long_array(&self, ty: Type) -> bool {
        matches!(self.types.kind(ty), TypeKind::Array(_, len) if len > FULL_ARRAY)
    }

    /// Whether a specialization constant is part of a composite.
    fn is_specialized(&self, id: ConstId) -> bool {
        // Only what legalisation makes has one, which is flat.
        self.shader.is_some()
            && matches!(self.consts.get(id), Const::Composite(_, parts) if parts.iter().any(|part| {
                matches!(part.as_const().map(|id| self.consts.get(id)), Some(Const::Spec { .. }))
            }))
    }

    /// `op type result operands` among the declarations.
    fn plain(&mut self, op: Op, ty: Type, operands: &[u32]) -> Declared {
        let ty = self.value_type_id(ty);
        let id = self.fresh_id();
        self.declarations.op_result(op, ty, id, operands);
        Declared { id, variables: 0 }
    }

    /// A constant that another is made of.
    fn part(&mut self, value: Value, variables: &mut Vec<Id>) -> Id {
        value.as_const().map_or(0, |id| self.use_const(id, variables))
    }

    /// A component of a composite. A variable is no constant instruction, so its address takes
    /// an access chain of no effect.
    fn constituent(&mut self, value: Value, variables: &mut Vec<Id>) -> Id {
        let id = self.part(value, variables);
        let Some(constant) = value.as_const() else { return id };
        if !matches!(self.consts.get(constant), Const::GlobalAddress(..)) {
            return id;
        }
        let zero = self.u32_constant(0);
        let ty = self.type_id(self.consts.ty(constant));
        self.raw_constant(Op::InBoundsPtrAccessChain, ty, &[id, zero])
    }

    /// OpSpecConstantOp, declared once.
    pub(super) fn raw_constant(&mut self, op: Op, ty: Id, operands: &[u32]) -> Id {
        let mut key = vec![Op::SpecConstantOp as u32, op as u32, ty];
        key.extend_from_slice(operands);
        if let Some(&id) = self.raw_types.get(&key) {
            return id;
        }
        let id = self.fresh_id();
        let start = self.declarations.begin(Op::SpecConstantOp);
        self.declarations.words.extend_from_slice(&[ty, id, op as u32]);
        self.declarations.words.extend_from_slice(operands);
        self.declarations.end(start);
        self.raw_types.insert(key, id);
        id
    }

    /// The specialization constant that a program names by a number, of which all mentions have the same
    /// type and default value. What its number and default value are is checked before.
    pub fn specialized(&mut self, ty: Type, operands: &[Value]) -> Id {
        let number = match operands[0].as_const().map(|id| self.consts.get(id)) {
            Some(&Const::Int(_, number)) => number as u32,
            _ => 0,
        };
        let (bits, op) = match operands[1].as_const().map(|id| self.consts.get(id)) {
            Some(&(Const::Int(_, bits) | Const::Float(_, bits))) => (bits, Op::SpecConstant),
            Some(Const::Bool(true)) => (1, Op::SpecConstantTrue),
            _ if ty == TypePool::BOOL => (0, Op::SpecConstantFalse),
            _ => (0, Op::SpecConstant),
        };
        let words = [bits as u32, (bits >> 32) as u32];
        let words = match self.types.scalar_bits(ty) {
            _ if ty == TypePool::BOOL => &words[..0],
            Some(64) => &words[..],
            _ => &words[..1],
        };
        self.specialization_constant(op, ty, number, words)
    }

    /// Declared once, whoever mentions it.
    fn specialization_constant(&mut self, op: Op, ty: Type, number: u32, words: &[u32]) -> Id {
        let type_id = self.value_type_id(ty);
        let mut key = vec![Op::SpecConstant as u32, type_id, number, op as u32];
        key.extend_from_slice(words);
        if let Some(&id) = self.raw_types.get(&key) {
            return id;
        }
        let id = self.fresh_id();
        self.declarations.op_result(op, type_id, id, words);
        self.decorate(id, Decoration::SpecId, &[number]);
        self.raw_types.insert(key, id);
        id
    }

    /// What the program says of the size of work-groups, instead of the constants 0 to 2.
    fn group_extents(&self) -> Option<&[GroupExtent; 3]> {
        self.shader?.group.as_ref()
    }

    /// The size of a work-group in one dimension.
    pub(super) fn group_extent(&mut self, extent: GroupExtent) -> Id {
        match extent {
            GroupExtent::Fixed(size) => self.int_constant(TypePool::I32, u64::from(size)),
            GroupExtent::Constant { number, default } => {
                let words = [default];
                self.specialization_constant(Op::SpecConstant, TypePool::I32, number, &words)
            }
        }
    }

    /// Pointer and integer casts; where the pointee and the class change it takes two.
    fn cast(&mut self, ty: Type, operand: Value, variables: &mut Vec<Id>) -> Id {
        let Some(constant) = operand.as_const() else { return 0 };
        let from = self.consts.ty(constant);
        let operand = self.part(operand, variables);
        if from == ty {
            return operand;
        }
        let op = match (self.types.pointer_parts(from), self.types.pointer_parts(ty)) {
            (Some((pointee, from_class)), Some((_, class))) if from_class != class => {
                let between = self.types.pointer(pointee, class);
                let between_id = self.type_id(between);
                let op = match class {
                    StorageClass::Generic => Op::PtrCastToGeneric,
                    _ => Op::GenericCastToPtr,
                };
                let id = self.raw_constant(op, between_id, &[operand]);
                if between == ty {
                    return id;
                }
                let ty = self.type_id(ty);
                return self.raw_constant(Op::Bitcast, ty, &[id]);
            }
            (Some(_), None) => Op::ConvertPtrToU,
            (None, Some(_)) => Op::ConvertUToPtr,
            (Some(_), Some(_)) | (None, None) => Op::Bitcast,
        };
        let ty = self.value_type_id(ty);
        self.raw_constant(op, ty, &[operand])
    }

    /// The `CLK_*` bits of the source: 1 is normalized coordinates, the next three are the
    /// addressing mode, then nearest and linear filter.
    fn declare_sampler(&mut self, ty: Type, bits: u32) -> Declared {
        self.capability(Capability::LiteralSampler);
        // The environment allows literal samplers to devices with images, and a module says so
        // even when it passes the sampler to a function that has no image.
        self.capability(Capability::ImageBasic);
        let addressing = match bits >> 1 & 7 {
            0 => SamplerAddressingMode::None,
            1 => SamplerAddressingMode::ClampToEdge,
            2 => SamplerAddressingMode::Clamp,
            3 => SamplerAddressingMode::Repeat,
            4 => SamplerAddressingMode::RepeatMirrored,
            mode => unreachable!("legalisation refuses the addressing mode {mode}"),
        };
        let filter = match bits & 0x20 {
            0 => SamplerFilterMode::Nearest,
            _ => SamplerFilterMode::Linear,
        };
        self.plain(Op::ConstantSampler, ty, &[addressing as u32, bits & 1, filter as u32])
    }
}
