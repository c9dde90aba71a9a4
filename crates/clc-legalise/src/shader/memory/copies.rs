//! Copies of memory, where the operations have left some.

use clc_ir::{CompareOp, MemoryAccess, Type, TypePool, Value};

use super::arithmetic::{constant, zero_extended};
use super::facts::copied_type;
use super::places::Place;
use super::rewrite::Rewriter;

impl Rewriter<'_, '_> {
    pub fn copy_memory(
        &mut self,
        destination: Value,
        source: Value,
        size: Value,
        access: MemoryAccess,
    ) {
        let (to_type, from_type) = (self.old_type(destination), self.old_type(source));
        let to = self.place(destination);
        let from = self.place(source);
        let size = self.operand(size);
        let Some(bytes) = constant(&self.b, size) else {
            let count = zero_extended(&mut self.b, size, TypePool::I64);
            return self.copy_bytes(destination, source, count, access);
        };
        if bytes <= 0 {
            return;
        }
        // A variable of its own type is copied part by part, other memory without regard to types.
        let has_type = |place| matches!(place, Place::Part(..) | Place::Element(..));
        let typed = has_type(to) || has_type(from);
        let ty = match copied_type(self.b.types, to_type, from_type, bytes as u64) {
            Some(ty) if typed => self.addresses.map(self.b.types, ty),
            _ => self.units(bytes as u64, access),
        };
        self.copy(to, from, ty, access);
    }

    /// An array of `bytes` bytes, in the largest units that size and alignment allow.
    pub fn units(&mut self, bytes: u64, access: MemoryAccess) -> Type {
        let unit = match access.align {
            1 => TypePool::I8,
            2 if bytes.is_multiple_of(2) => TypePool::I16,
            2 => TypePool::I8,
            _ if bytes.is_multiple_of(16) => self.b.types.vector(TypePool::I32, 4),
            _ if bytes.is_multiple_of(4) => TypePool::I32,
            _ => TypePool::I8,
        };
        let size = self.b.types.size(unit);
        self.b.types.array(unit, bytes / size)
    }

    /// Copies as many bytes as a value says.
    fn copy_bytes(&mut self, to: Value, from: Value, count: Value, access: MemoryAccess) {
        let access = MemoryAccess { align: 1, ..access };
        let (to, from) = (self.place(to), self.place(from));
        let header = self.b.new_block();
        let index = self.b.function.add_block_param(header, TypePool::I64);
        let (inside, done) = (self.b.new_block(), self.b.new_block());
        let zero = self.b.int(TypePool::I64, 0);
        self.b.jump(header, &[zero]);
        self.b.switch_to(header);
        let more = self.b.compare(CompareOp::ULess, index, count);
        self.b.branch(more, inside, done);
        self.b.switch_to(inside);
        let from = self.pointer_add(from, index, TypePool::I8);
        let value = self.load(from, TypePool::I8, access);
        let to = self.pointer_add(to, index, TypePool::I8);
        self.store(to, value, access);
        let next = self.with(clc_ir::BinaryOp::IAdd, index, 1);
        self.b.jump(header, &[next]);
        self.b.switch_to(done);
    }
}
