//! Initialisation of arrays, structs and unions.

use clc_ir::Value;
use clc_sema::hir::{ExprId, ExprKind};
use clc_sema::types as source;
use clc_sema::types::TypeId;

use crate::module::FunctionLowering;
use crate::places::{Memory, Place, known_align};

impl FunctionLowering<'_, '_> {
    /// Gives the object at `pointer` its first value.
    pub fn initialize(&mut self, pointer: Value, align: u64, volatile: bool, id: ExprId) {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || {
            self.initialize_inner(Memory { pointer, align, volatile, punned: false }, id);
        });
    }

    fn initialize_inner(&mut self, memory: Memory, id: ExprId) {
        let expr = self.expr_data(id);
        let ExprKind::Aggregate(parts) = &expr.kind else {
            self.assign_object(memory, id);
            return;
        };
        let ty = expr.ty.ty;
        let is_union = self.is_union(ty);
        if is_union || (parts.len() as u64) < self.part_count(ty) {
            // What is not named is zero, padding of unions too.
            let zero_type = self.lower_type(ty);
            let zero = self.build(|b| b.zero(zero_type));
            self.store(&Place::Memory(memory), zero);
        }
        for &(index, part) in parts {
            let memory = self.part(memory, ty, index);
            self.initialize(memory.pointer, memory.align, memory.volatile, part);
        }
    }

    /// Stores a value, or copies an object from where it lies.
    pub fn assign_object(&mut self, destination: Memory, value: ExprId) {
        let expr = self.expr_data(value);
        if let ExprKind::Load(place) = &expr.kind
            && matches!(self.types().get(expr.ty.ty), source::Type::Record(_))
        {
            let from = self.memory(*place);
            let size = self.types().size(expr.ty.ty).unwrap_or(0);
            self.copy(destination, from, size);
            return;
        }
        let value = self.value(value);
        self.store(&Place::Memory(destination), value);
    }

    fn is_union(&self, ty: TypeId) -> bool {
        match self.types().get(ty) {
            source::Type::Record(id) => self.types().records[*id].is_union,
            _ => false,
        }
    }

    fn part_count(&self, ty: TypeId) -> u64 {
        match self.types().get(ty) {
            source::Type::Array { len, .. } => len.unwrap_or(0),
            source::Type::Record(id) => {
                self.types().records[*id].body.as_ref().map_or(0, |body| body.fields.len() as u64)
            }
            source::Type::Vector(_, count) => u64::from(*count),
            _ => 0,
        }
    }

    /// Element or field `index` of the aggregate at `memory`.
    fn part(&mut self, memory: Memory, ty: TypeId, index: u64) -> Memory {
        if let source::Type::Record(_) = self.types().get(ty) {
            return self.member(memory, ty, index as u32, false);
        }
        let pointer = self.build(|b| {
            let size = b.types.size_type();
            let index = b.int(size, index);
            b.access(memory.pointer, &[index])
        });
        let stride = match self.types().get(ty) {
            source::Type::Array { element, .. } => self.types().size(element.ty).unwrap_or(1),
            source::Type::Vector(element, _) => element.size(),
            _ => 1,
        };
        Memory { pointer, align: known_align(memory.align, stride * index), ..memory }
    }

    /// An aggregate as a value: built in a temporary, then loaded.
    pub fn aggregate_value(&mut self, id: ExprId) -> Value {
        let ty = self.expr_data(id).ty.ty;
        let align = self.types().align(ty);
        let lowered = self.lower_type(ty);
        let pointer = self.build(|b| b.variable(lowered, align as u32));
        self.initialize(pointer, align, false, id);
        self.load_memory(Memory { pointer, align, volatile: false, punned: false })
    }
}
