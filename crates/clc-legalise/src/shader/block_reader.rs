//! Reads of the argument block, at the head of a kernel.

use clc_ir::{
    BinaryOp, Builder, Const, ConvertOp, GlobalId, Inst, InstKind, MathFlags, MemoryAccess,
    StorageClass, Type, TypeKind, TypePool, Value,
};

use super::push_constants::Member;

/// The address of a buffer that holds the block is a multiple of these many bytes.
const BLOCK_ALIGN: u32 = 16;

/// Appends reads of the block.
pub(super) struct Reader<'r, 'b> {
    pub builder: &'r mut Builder<'b>,
    pub block: Option<(GlobalId, Type)>,
    pub members: &'r [Member],
    /// The first members, which are pushed wherever the others are.
    pub always_pushed: usize,
    pub home: Home,
}

/// Where the members are that need not be pushed.
#[derive(Clone, Copy)]
pub(super) enum Home {
    Pushed,
    /// In a buffer at this address.
    Address(Value),
    /// In this variable, whose members they are.
    Uniform((GlobalId, Type)),
}

impl Reader<'_, '_> {
    /// Member `index` of what is pushed.
    pub fn pushed(&mut self, index: usize, ty: Type, align: u32) -> Value {
        let Some(block) = self.block else { return self.builder.undef(ty) };
        self.read(StorageClass::PushConstant, block, index, align)
    }

    /// Member `index` of a variable.
    fn read(
        &mut self,
        class: StorageClass,
        (global, block): (GlobalId, Type),
        index: usize,
        align: u32,
    ) -> Value {
        let base = self.builder.types.pointer(block, class);
        let base = self.builder.consts.intern(Const::GlobalAddress(base, global));
        let index = self.builder.i32(index as i32);
        let pointer = self.builder.access(base, &[index]);
        self.builder.load(pointer, MemoryAccess::aligned(align))
    }

    /// The value of a member.
    pub fn member(&mut self, index: usize) -> Value {
        let Member { offset, ty } = self.members[index];
        let natural = (self.builder.types.align(ty) as u32).min(BLOCK_ALIGN);
        let align = if offset == 0 { natural } else { natural.min(1 << offset.trailing_zeros()) };
        let address = match self.home {
            _ if index < self.always_pushed => return self.pushed(index, ty, align),
            Home::Pushed => return self.pushed(index, ty, align),
            Home::Uniform(variable) => {
                let index = index - self.always_pushed;
                return self.read(StorageClass::Uniform, variable, index, align);
            }
            Home::Address(address) => address,
        };
        let offset = self.builder.int(TypePool::I64, u64::from(offset));
        let address = self.builder.binary(BinaryOp::IAdd, address, offset);
        let pointer = self.builder.types.pointer(ty, StorageClass::CrossWorkgroup);
        let pointer = self.builder.convert(ConvertOp::IntToPtr, address, pointer);
        self.builder.load(pointer, MemoryAccess::aligned(align))
    }

    /// A vector of the members from `first` on.
    pub fn components(&mut self, first: usize, ty: Type) -> Value {
        let count = usize::from(self.builder.types.lanes(ty));
        let parts: Vec<Value> = (first..first + count).map(|index| self.member(index)).collect();
        self.builder.construct(ty, &parts)
    }

    /// A value of type `ty`, `offset` bytes into the words that begin at member `first`.
    pub fn words(&mut self, first: usize, offset: u64, ty: Type) -> Value {
        match self.builder.types.kind(ty) {
            TypeKind::Int(32) => self.bits(first, offset, 32),
            TypeKind::Float(32) => {
                let bits = self.bits(first, offset, 32);
                self.builder.bitcast(bits, ty)
            }
            TypeKind::Int(64) | TypeKind::Float(64) => {
                let low = self.bits(first, offset, 32);
                let high = self.bits(first, offset + 4, 32);
                let pair = self.builder.types.vector(TypePool::I32, 2);
                let pair = self.builder.construct(pair, &[low, high]);
                self.builder.bitcast(pair, ty)
            }
            TypeKind::Int(bits) | TypeKind::Float(bits) => {
                let value = self.bits(first, offset, bits);
                let int = self.builder.types.int(bits);
                let value = self.builder.convert(ConvertOp::Truncate, value, int);
                self.builder.bitcast(value, ty)
            }
            TypeKind::Pointer { .. } => {
                let address = self.words(first, offset, TypePool::I64);
                self.builder.convert(ConvertOp::IntToPtr, address, ty)
            }
            TypeKind::Vector(element, lanes) => {
                let size = self.builder.types.size(element);
                let parts = (0..u64::from(lanes)).map(|lane| (element, lane * size));
                self.composite(first, offset, ty, parts.collect())
            }
            TypeKind::Array(element, len) => {
                let size = self.builder.types.size(element);
                let parts = (0..len).map(|index| (element, index * size));
                self.composite(first, offset, ty, parts.collect())
            }
            TypeKind::Struct(id) => {
                let data = self.builder.types.struct_data(id);
                let parts = data.fields.iter().copied().zip(data.offsets.iter().copied()).collect();
                self.composite(first, offset, ty, parts)
            }
            _ => self.builder.undef(ty),
        }
    }

    /// A word whose lower `bits` are what is `offset` bytes into the words that begin at member `first`. Members
    /// of packed structs lie in two words.
    fn bits(&mut self, first: usize, offset: u64, bits: u8) -> Value {
        let word = first + (offset / 4) as usize;
        let value = self.member(word);
        let shift = (offset % 4 * 8) as i32;
        if shift == 0 {
            return value;
        }
        let amount = self.builder.i32(shift);
        let value = self.builder.binary(BinaryOp::LShr, value, amount);
        if shift + i32::from(bits) <= 32 {
            return value;
        }
        let next = self.member(word + 1);
        let amount = self.builder.i32(32 - shift);
        let next = self.builder.binary(BinaryOp::Shl, next, amount);
        self.builder.binary(BinaryOp::Or, value, next)
    }

    fn composite(&mut self, first: usize, offset: u64, ty: Type, parts: Vec<(Type, u64)>) -> Value {
        let parts: Vec<Value> =
            parts.into_iter().map(|(part, at)| self.words(first, offset + at, part)).collect();
        self.builder.construct(ty, &parts)
    }

    /// The address of a private variable that holds `value`.
    pub fn copy(&mut self, ty: Type, value: Value, variables: &mut Vec<Inst>) -> Value {
        let align = self.builder.types.align(ty) as u32;
        let pointer = self.builder.types.pointer(ty, StorageClass::Function);
        let location = self.builder.location;
        let inst = self.builder.function.create_inst(
            InstKind::Variable { ty, align },
            Some(pointer),
            MathFlags::NONE,
            location,
        );
        variables.push(inst);
        let Some(address) = self.builder.function.insts[inst].result else { return value };
        self.builder.store(address, value, MemoryAccess::aligned(align));
        address
    }
}
