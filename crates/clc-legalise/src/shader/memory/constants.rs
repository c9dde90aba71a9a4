//! Constants without pointers. The address of a program-scope variable is known when the kernel
//! runs, so what was a constant may become an instruction where it is used.

use clc_base::arena::Id as _;
use clc_ir::{
    BinaryOp, Const, GlobalId, InstKind, MathFlags, MemFlags, MemoryAccess, StorageClass, TypePool,
    Value,
};

use super::arithmetic::{resized, zero_extended};
use super::facts::pointee;
use super::places::{Place, Variable};
use super::rewrite::Rewriter;

impl Rewriter<'_, '_> {
    /// The value of a constant; pointers are numbers.
    pub fn constant(&mut self, value: Value) -> Value {
        let Some(id) = value.as_const() else { return value };
        if let Some(&known) = self.constants.get(&id) {
            return known;
        }
        let ty = self.b.consts.ty(id);
        let new = match self.b.consts.get(id) {
            Const::Bool(_)
            | Const::Int(..)
            | Const::Float(..)
            | Const::Sampler(..)
            | Const::Descriptor { .. }
            | Const::Spec { .. } => return value,
            Const::Undef(_) => {
                let ty = self.addresses.map(self.b.types, ty);
                self.b.undef(ty)
            }
            Const::Null(_) => {
                let ty = self.addresses.map(self.b.types, ty);
                self.b.zero(ty)
            }
            Const::Composite(_, parts) => {
                let parts = parts.clone();
                let new: Vec<Value> = parts.iter().map(|&part| self.constant(part)).collect();
                let ty = self.addresses.map(self.b.types, ty);
                if *new == *parts { value } else { self.b.construct(ty, &new) }
            }
            Const::GlobalAddress(..) | Const::Access { .. } => {
                let place = self.constant_place(value);
                self.address(place)
            }
            // Reported when the function's address is used.
            Const::FunctionAddress(..) => value,
            Const::Cast { operand, .. } => {
                let operand = *operand;
                if self.b.types.is_pointer(ty) {
                    let place = self.constant_place(value);
                    self.address(place)
                } else {
                    let number = self.constant(operand);
                    resized(&mut self.b, number, ty)
                }
            }
        };
        if new.is_const() {
            self.constants.insert(id, new);
        }
        new
    }

    /// What a constant pointer points to.
    pub fn constant_place(&mut self, pointer: Value) -> Place {
        let class = self.class(pointer);
        let Some(id) = pointer.as_const() else { return self.place(pointer) };
        match self.b.consts.get(id).clone() {
            Const::GlobalAddress(_, global) => self.global_place(global),
            Const::Access { base, step, indices, .. } => {
                let base_type = self.old_type(base);
                let mut ty = pointee(self.b.types, base_type);
                let mut place = self.constant_place(base);
                let step = self.b.int(TypePool::I64, step as u64);
                place = self.pointer_add(place, step, ty);
                for &index in &indices {
                    (place, ty) = self.component(place, ty, index);
                }
                place
            }
            Const::Cast { operand, .. } => {
                let operand_type = self.old_type(operand);
                if self.b.types.is_pointer(operand_type) {
                    let place = self.constant_place(operand);
                    return match place {
                        Place::Generic(address) => self.at_address(address, class),
                        place => place,
                    };
                }
                let number = self.constant(operand);
                let address = zero_extended(&mut self.b, number, TypePool::I64);
                self.at_address(address, class)
            }
            Const::Undef(_) => {
                let address = self.b.undef(TypePool::I64);
                self.at_address(address, class)
            }
            Const::Null(_)
            | Const::Bool(_)
            | Const::Int(..)
            | Const::Float(..)
            | Const::Composite(..)
            | Const::FunctionAddress(..)
            | Const::Sampler(..)
            | Const::Descriptor { .. }
            | Const::Spec { .. } => {
                let null = self.b.int(TypePool::I64, 0);
                self.at_address(null, class)
            }
        }
    }

    fn global_place(&mut self, global: GlobalId) -> Place {
        if let Some(root) = self.plan.roots.of_global.get(global.index()).copied().flatten() {
            return self.root(root);
        }
        if let Some(index) = self.plan.program_data.get(global.index()).copied().flatten() {
            let placed = self.plan.places.program_data[index];
            let base = self.buffer_base(placed.base);
            return Place::Global(self.with(BinaryOp::IAdd, base, placed.offset));
        }
        match self.plan.variables[global.index()].0 {
            // A variable that the program does not place has no address.
            StorageClass::CrossWorkgroup | StorageClass::UniformConstant => {
                Place::Global(self.b.int(TypePool::I64, 0))
            }
            _ => Place::Part(Variable::Global(global), self.path(&[])),
        }
    }

    /// The address of a buffer with program-scope variables.
    fn buffer_base(&mut self, holder: GlobalId) -> Value {
        if let Some(&base) = self.bases.get(&holder) {
            return base;
        }
        let pointer = self.global_pointer(holder);
        let access = MemoryAccess { align: 8, flags: MemFlags::default() };
        if self.is_entry_point {
            return self.b.load(pointer, access);
        }
        let location = self.b.location;
        let kind = InstKind::Load { pointer, access };
        let load =
            self.b.function.create_inst(kind, Some(TypePool::I64), MathFlags::NONE, location);
        self.prologue.push(load);
        let base = self.b.function.insts[load].result.expect("a load has a result");
        self.bases.insert(holder, base);
        base
    }

    /// The entry point stores the addresses of buffers at its head and need not read them back.
    pub fn note_base(&mut self, place: Place, value: Value) {
        let Place::Part(Variable::Global(global), path) = place else { return };
        let is_base = |index: usize| self.plan.places.program_data[index].base == global;
        if self.is_entry_point
            && self.b.block() == self.b.function.entry()
            && self.indices(path).is_empty()
            && (0..self.plan.places.program_data.len()).any(is_base)
        {
            self.bases.insert(global, value);
        }
    }
}
