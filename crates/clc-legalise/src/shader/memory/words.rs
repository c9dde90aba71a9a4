//! Scalars in the pools of local and private memory, which are arrays of words.
//!
//! What is less than a word of local memory is accessed by atomics on the word: other work-items may
//! access what else is in it at the same time, and accesses of the same memory that are not all atomic
//! must not meet (Vulkan, "Memory Model", data races). What is whole words is accessed as any memory.

use clc_base::arena::Id as _;
use clc_base::memory_model::{AtomicOp, MemoryOrder, MemoryScope, Ordering};
use clc_ir::{
    BinaryOp, Const, ConvertOp, GlobalId, MemFlags, MemoryAccess, Type, TypePool, UnaryOp, Value,
};

use super::arithmetic::{constant, integer, zero_extended};
use super::rewrite::Rewriter;
use super::types::alignment_at;
use super::{Pool, WORD};

/// Only a work-group accesses its local memory, and what an access is ordered with is the
/// program's to say.
const SHARED: Ordering = Ordering { order: MemoryOrder::Relaxed, scope: MemoryScope::WorkGroup };

impl Rewriter<'_, '_> {
    /// What a pool is an array of.
    pub fn word_type(&mut self, pool: Pool) -> Type {
        self.b.types.int((self.plan.word(pool) * 8) as u8)
    }

    /// The pointer to the word at a byte offset, for an access that follows at once; `None` if
    /// there is nothing in the pool, so that no access can happen.
    pub fn word_pointer(&mut self, pool: Pool, offset: Value) -> Option<Value> {
        let global = self.plan.pool(pool)?;
        let base = self.global_pointer(global);
        let shift = self.plan.word(pool).trailing_zeros();
        let index = self.with(BinaryOp::LShr, offset, u64::from(shift));
        Some(self.b.access(base, &[index]))
    }

    /// The address of a variable at module scope.
    pub fn global_pointer(&mut self, global: GlobalId) -> Value {
        let (class, ty) = self.plan.variables[global.index()];
        let pointer = self.b.types.pointer(ty, class);
        self.b.consts.intern(Const::GlobalAddress(pointer, global))
    }

    fn load_word(&mut self, pool: Pool, offset: Value, flags: MemFlags) -> Value {
        let align = self.plan.word(pool) as u32;
        match self.word_pointer(pool, offset) {
            Some(pointer) => self.b.load(pointer, MemoryAccess { align, flags }),
            None => {
                let ty = self.word_type(pool);
                self.b.undef(ty)
            }
        }
    }

    /// The word that something smaller is in.
    fn load_word_around(&mut self, pool: Pool, offset: Value, flags: MemFlags) -> Value {
        if pool == Pool::Local
            && let Some(pointer) = self.word_pointer(pool, offset)
        {
            return self.b.atomic_load(pointer, SHARED);
        }
        self.load_word(pool, offset, flags)
    }

    fn store_word(&mut self, pool: Pool, offset: Value, word: Value, flags: MemFlags) {
        let align = self.plan.word(pool) as u32;
        if let Some(pointer) = self.word_pointer(pool, offset) {
            self.b.store(pointer, word, MemoryAccess { align, flags });
        }
    }

    /// The bytes that a scalar is accessed in at once: its own, or fewer if it is not aligned.
    fn piece(&self, pool: Pool, offset: Value, size: u64, access: MemoryAccess) -> u64 {
        let known = match constant(&self.b, offset) {
            Some(offset) => alignment_at(8, offset as u64),
            None => 1,
        };
        let align = u64::from(access.align.max(known)).min(size);
        match self.plan.word(pool) {
            word if align < word => align,
            word if word < WORD => word.min(size),
            // One or two words.
            _ => size,
        }
    }

    pub fn load_from_pool(
        &mut self,
        pool: Pool,
        offset: Value,
        ty: Type,
        access: MemoryAccess,
    ) -> Value {
        let size = self.b.types.size(ty);
        let piece = self.piece(pool, offset, size, access);
        if piece < size {
            return self.joined(ty, piece, &mut |this, part, distance| {
                let offset = this.with(BinaryOp::IAdd, offset, distance);
                this.load_from_pool(pool, offset, part, access)
            });
        }
        let word = self.plan.word(pool);
        if size < word {
            let word = self.load_word_around(pool, offset, access.flags);
            let bit = self.bit_in_word(pool, offset);
            return self.part_of_word(word, bit, ty);
        }
        let first = self.load_word(pool, offset, access.flags);
        if size == word {
            return self.b.bitcast(first, ty);
        }
        let second = self.with(BinaryOp::IAdd, offset, word);
        let second = self.load_word(pool, second, access.flags);
        let pair = self.b.types.vector(TypePool::I32, 2);
        let pair = self.b.construct(pair, &[first, second]);
        self.b.bitcast(pair, ty)
    }

    pub fn store_to_pool(
        &mut self,
        pool: Pool,
        offset: Value,
        ty: Type,
        value: Value,
        access: MemoryAccess,
    ) {
        let size = self.b.types.size(ty);
        let piece = self.piece(pool, offset, size, access);
        if piece < size {
            self.split(ty, value, piece, &mut |this, part, distance| {
                let offset = this.with(BinaryOp::IAdd, offset, distance);
                let ty = this.b.ty(part);
                this.store_to_pool(pool, offset, ty, part, access);
            });
            return;
        }
        let word = self.plan.word(pool);
        if size < word {
            return self.store_in_word(pool, offset, ty, value, access);
        }
        if size == word {
            let ty = self.word_type(pool);
            let value = self.b.bitcast(value, ty);
            return self.store_word(pool, offset, value, access.flags);
        }
        let pair = self.b.types.vector(TypePool::I32, 2);
        let pair = self.b.bitcast(value, pair);
        let (first, second) = (self.b.extract(pair, &[0]), self.b.extract(pair, &[1]));
        self.store_word(pool, offset, first, access.flags);
        let offset = self.with(BinaryOp::IAdd, offset, word);
        self.store_word(pool, offset, second, access.flags);
    }

    /// A store of a part must leave the other parts of the word alone. In local memory these belong to
    /// others, who may store at the same time.
    fn store_in_word(
        &mut self,
        pool: Pool,
        offset: Value,
        ty: Type,
        value: Value,
        access: MemoryAccess,
    ) {
        debug_assert!(self.plan.word(pool) >= WORD, "atomics on less are none of Vulkan's");
        let bit = self.bit_in_word(pool, offset);
        match pool {
            Pool::Local => {
                let value = self.placed_in_word(bit, value);
                let others = self.others_in_word(bit, ty);
                for (op, operand) in [(AtomicOp::And, others), (AtomicOp::Or, value)] {
                    if let Some(pointer) = self.word_pointer(pool, offset) {
                        self.b.atomic_modify(op, pointer, operand, SHARED);
                    }
                }
            }
            Pool::Private => {
                let word = self.load_word(pool, offset, access.flags);
                let word = self.with_part(word, bit, value);
                self.store_word(pool, offset, word, access.flags);
            }
        }
    }

    /// The lowest bit of the byte at an offset, in its word and of the type of a word.
    pub fn bit_in_word(&mut self, pool: Pool, offset: Value) -> Value {
        let byte = self.with(BinaryOp::And, offset, self.plan.word(pool) - 1);
        let bit = self.with(BinaryOp::Shl, byte, 3);
        let ty = self.word_type(pool);
        zero_extended(&mut self.b, bit, ty)
    }

    /// The `ty` that begins at a bit of a word.
    pub fn part_of_word(&mut self, word: Value, bit: Value, ty: Type) -> Value {
        let word = self.binary(BinaryOp::LShr, word, bit);
        let int = integer(self.b.types, ty);
        let value = self.b.convert(ConvertOp::Truncate, word, int);
        self.b.bitcast(value, ty)
    }

    /// A word with another value at a bit.
    pub fn with_part(&mut self, word: Value, bit: Value, value: Value) -> Value {
        let ty = self.b.ty(value);
        let value = self.placed_in_word(bit, value);
        let others = self.others_in_word(bit, ty);
        let word = self.binary(BinaryOp::And, word, others);
        self.binary(BinaryOp::Or, word, value)
    }

    /// A word of zeros but for a value at a bit.
    pub fn placed_in_word(&mut self, bit: Value, value: Value) -> Value {
        let ty = self.b.ty(value);
        let int = integer(self.b.types, ty);
        let value = self.b.bitcast(value, int);
        let word = self.b.ty(bit);
        let value = zero_extended(&mut self.b, value, word);
        self.binary(BinaryOp::Shl, value, bit)
    }

    /// The bits of a word that do not belong to the `ty` that begins at one.
    pub fn others_in_word(&mut self, bit: Value, ty: Type) -> Value {
        let (word, bits) = (self.b.ty(bit), self.b.types.size(ty) * 8);
        let mask = self.b.int(word, (1 << bits) - 1);
        let mask = self.binary(BinaryOp::Shl, mask, bit);
        match constant(&self.b, mask) {
            Some(mask) => self.b.int(word, !mask as u64),
            None => self.b.unary(UnaryOp::Not, mask),
        }
    }
}
