//! Scalars in the pools of local and private memory, which are arrays of words.

use clc_base::arena::Id as _;
use clc_base::memory_model::{AtomicOp, Ordering};
use clc_ir::{
    BinaryOp, Const, ConvertOp, GlobalId, MemFlags, MemoryAccess, Type, TypePool, UnaryOp, Value,
};

use super::arithmetic::{constant, integer, zero_extended};
use super::rewrite::Rewriter;
use super::types::alignment_at;
use super::{Pool, WORD};

impl Rewriter<'_, '_> {
    /// The pointer to the word at a byte offset, for an access that follows at once; `None` if
    /// there is nothing in the pool, so that no access can happen.
    pub fn word_pointer(&mut self, pool: Pool, offset: Value) -> Option<Value> {
        let global = self.plan.pool(pool)?;
        let base = self.global_pointer(global);
        let index = self.with(BinaryOp::LShr, offset, 2);
        Some(self.b.access(base, &[index]))
    }

    /// The address of a variable at module scope.
    pub fn global_pointer(&mut self, global: GlobalId) -> Value {
        let (class, ty) = self.plan.variables[global.index()];
        let pointer = self.b.types.pointer(ty, class);
        self.b.consts.intern(Const::GlobalAddress(pointer, global))
    }

    pub fn load_word(&mut self, pool: Pool, offset: Value, flags: MemFlags) -> Value {
        match self.word_pointer(pool, offset) {
            Some(pointer) => self.b.load(pointer, MemoryAccess { align: WORD as u32, flags }),
            None => self.b.undef(TypePool::I32),
        }
    }

    pub fn store_word(&mut self, pool: Pool, offset: Value, word: Value, flags: MemFlags) {
        if let Some(pointer) = self.word_pointer(pool, offset) {
            self.b.store(pointer, word, MemoryAccess { align: WORD as u32, flags });
        }
    }

    /// The bytes that a scalar is accessed in at once: its own, or fewer if it is not aligned.
    fn piece(&self, offset: Value, size: u64, access: MemoryAccess) -> u64 {
        let known = match constant(&self.b, offset) {
            Some(offset) => alignment_at(8, offset as u64),
            None => 1,
        };
        // Words are enough for what is larger.
        let align = u64::from(access.align.max(known)).min(size);
        if align >= WORD { size } else { align }
    }

    pub fn load_from_pool(
        &mut self,
        pool: Pool,
        offset: Value,
        ty: Type,
        access: MemoryAccess,
    ) -> Value {
        let size = self.b.types.size(ty);
        let piece = self.piece(offset, size, access);
        if piece < size {
            return self.joined(ty, piece, &mut |this, part, distance| {
                let offset = this.with(BinaryOp::IAdd, offset, distance);
                this.load_from_pool(pool, offset, part, access)
            });
        }
        let word = self.load_word(pool, offset, access.flags);
        match size {
            WORD => self.b.bitcast(word, ty),
            8 => {
                let second = self.with(BinaryOp::IAdd, offset, WORD);
                let second = self.load_word(pool, second, access.flags);
                let pair = self.b.types.vector(TypePool::I32, 2);
                let pair = self.b.construct(pair, &[word, second]);
                self.b.bitcast(pair, ty)
            }
            _ => {
                let shift = self.bit_in_word(offset);
                let word = self.binary(BinaryOp::LShr, word, shift);
                let int = integer(self.b.types, ty);
                let value = self.b.convert(ConvertOp::Truncate, word, int);
                self.b.bitcast(value, ty)
            }
        }
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
        let piece = self.piece(offset, size, access);
        if piece < size {
            self.split(ty, value, piece, &mut |this, part, distance| {
                let offset = this.with(BinaryOp::IAdd, offset, distance);
                let ty = this.b.ty(part);
                this.store_to_pool(pool, offset, ty, part, access);
            });
            return;
        }
        match size {
            WORD => {
                let word = self.b.bitcast(value, TypePool::I32);
                self.store_word(pool, offset, word, access.flags);
            }
            8 => {
                let pair = self.b.types.vector(TypePool::I32, 2);
                let pair = self.b.bitcast(value, pair);
                let (first, second) = (self.b.extract(pair, &[0]), self.b.extract(pair, &[1]));
                self.store_word(pool, offset, first, access.flags);
                let offset = self.with(BinaryOp::IAdd, offset, WORD);
                self.store_word(pool, offset, second, access.flags);
            }
            _ => self.store_in_word(pool, offset, ty, value, access),
        }
    }

    /// A store of one or two bytes must leave the other bytes of the word alone. In local memory
    /// these belong to others, who may store at the same time.
    fn store_in_word(
        &mut self,
        pool: Pool,
        offset: Value,
        ty: Type,
        value: Value,
        access: MemoryAccess,
    ) {
        let size = self.b.types.size(ty);
        let int = integer(self.b.types, ty);
        let value = self.b.bitcast(value, int);
        let value = zero_extended(&mut self.b, value, TypePool::I32);
        let shift = self.bit_in_word(offset);
        let value = self.binary(BinaryOp::Shl, value, shift);
        let mask = self.b.int(TypePool::I32, (1 << (size * 8)) - 1);
        let mask = self.binary(BinaryOp::Shl, mask, shift);
        let others = match constant(&self.b, mask) {
            Some(mask) => self.b.i32(!mask as i32),
            None => self.b.unary(UnaryOp::Not, mask),
        };
        match pool {
            Pool::Local => {
                for (op, operand) in [(AtomicOp::And, others), (AtomicOp::Or, value)] {
                    if let Some(pointer) = self.word_pointer(pool, offset) {
                        self.b.atomic_modify(op, pointer, operand, Ordering::RELAXED);
                    }
                }
            }
            Pool::Private => {
                let word = self.load_word(pool, offset, access.flags);
                let word = self.binary(BinaryOp::And, word, others);
                let word = self.binary(BinaryOp::Or, word, value);
                self.store_word(pool, offset, word, access.flags);
            }
        }
    }

    /// The lowest bit of the byte at an offset, in its word.
    fn bit_in_word(&mut self, offset: Value) -> Value {
        let byte = self.with(BinaryOp::And, offset, 3);
        self.with(BinaryOp::Shl, byte, 3)
    }
}
