//! Functions, blocks and instructions.

use std::fmt::Write;

use clc_base::lang::GroupExtent;
use clc_base::memory_model::{Fence, Ordering};

use super::Printer;
use crate::names::{FENCE_MEMORY, MATH_FLAGS, Named};
use crate::{
    Block, BlockCall, EntryPoint, FuncId, Function, Inst, InstKind, LoopControl, MemoryAccess,
    Merge, ParamAttributes, Terminator, ValueList,
};

impl Printer<'_> {
    fn numbers(&mut self, function: &Function, list: ValueList) {
        put!(self, " [");
        for (index, &number) in function.numbers_of(list).iter().enumerate() {
            if index > 0 {
                put!(self, ", ");
            }
            match number {
                u32::MAX => {
                    put!(self, "undef");
                }
                number => {
                    put!(self, "{number}");
                }
            }
        }
        put!(self, "]");
    }

    pub(super) fn function(&mut self, id: FuncId, function: &Function) {
        put!(self, "function {id} {:?}(", function.name);
        for (index, &ty) in function.params.iter().enumerate() {
            if index > 0 {
                put!(self, ", ");
            }
            self.ty(ty);
            if let Some(name) = function.param_names.get(index)
                && !name.is_empty()
            {
                put!(self, " {name:?}");
            }
            if let Some(attributes) = function.param_attributes.get(index) {
                self.param_attributes(attributes);
            }
        }
        put!(self, ") ");
        self.ty(function.result);
        self.linkage(function.linkage);
        for (flag, word) in [
            (function.always_inline, " always_inline"),
            (function.no_inline, " no_inline"),
            (function.is_const, " const"),
            (function.is_pure, " pure"),
        ] {
            if flag {
                self.out.push_str(word);
            }
        }
        if let Some(entry_point) = &function.entry_point {
            self.entry_point(entry_point);
        }
        if function.is_declaration() {
            put!(self, "\n");
            return;
        }
        put!(self, " {{\n");
        self.debug_head(function);
        for &block in &function.layout {
            self.block(function, block);
        }
        put!(self, "}}\n");
    }

    fn param_attributes(&mut self, attributes: &ParamAttributes) {
        let ParamAttributes {
            no_write,
            no_alias,
            volatile,
            by_value,
            sign_extend,
            zero_extend,
            align,
        } = *attributes;
        for (flag, word) in [
            (no_write, " no_write"),
            (no_alias, " no_alias"),
            (volatile, " volatile"),
            (by_value, " by_value"),
            (sign_extend, " sign_extend"),
            (zero_extend, " zero_extend"),
        ] {
            if flag {
                self.out.push_str(word);
            }
        }
        if align != 0 {
            put!(self, " align {align}");
        }
    }

    fn entry_point(&mut self, entry_point: &EntryPoint) {
        let EntryPoint {
            name,
            reqd_work_group_size,
            work_group_constants,
            work_group_size_hint,
            vec_type_hint,
            vec_type_unsigned,
            sub_group_size,
            contraction_off,
            arguments,
        } = entry_point;
        put!(self, " kernel {name:?}");
        if let Some([x, y, z]) = reqd_work_group_size {
            put!(self, " reqd {x} {y} {z}");
        }
        if let Some(extents) = work_group_constants {
            put!(self, " reqd_spec");
            for extent in extents {
                match extent {
                    GroupExtent::Fixed(size) => {
                        put!(self, " {size}");
                    }
                    GroupExtent::Constant { number, default } => {
                        put!(self, " constant {number} {default}");
                    }
                }
            }
        }
        if let Some([x, y, z]) = work_group_size_hint {
            put!(self, " hint {x} {y} {z}");
        }
        if let Some(hint) = vec_type_hint {
            put!(self, " vec_type {hint}");
        }
        if *vec_type_unsigned {
            put!(self, " unsigned");
        }
        if let Some(size) = sub_group_size {
            put!(self, " sub_group {size}");
        }
        if *contraction_off {
            put!(self, " contraction_off");
        }
        for argument in arguments {
            put!(
                self,
                " arg {:?} {:?} {:?} {} {}",
                argument.name,
                argument.type_name,
                argument.type_qualifiers,
                argument.access.map_or("none", Named::word),
                argument.address_space.word()
            );
        }
    }

    fn block(&mut self, function: &Function, block: Block) {
        let data = &function.blocks[block];
        put!(self, "{block}");
        if !data.params.is_empty() {
            put!(self, "(");
            for (index, &param) in data.params.iter().enumerate() {
                if index > 0 {
                    put!(self, ", ");
                }
                put!(self, "{param}: ");
                self.ty(self.module.value_type(function, param));
            }
            put!(self, ")");
        }
        if let Some(hint) = function.loop_hints.get(&block) {
            match hint.control {
                LoopControl::Unroll => {
                    put!(self, " unroll");
                }
                LoopControl::DontUnroll => {
                    put!(self, " dont_unroll");
                }
                LoopControl::UnrollCount(count) => {
                    put!(self, " unroll_count {count}");
                }
            }
            put!(self, " merge {} continue {}", hint.merge, hint.continue_target);
        }
        match data.merge {
            None => {}
            Some(Merge::Selection { merge }) => {
                put!(self, " selection {merge}");
            }
            Some(Merge::Loop { merge, continue_target }) => {
                put!(self, " loop {merge} continue {continue_target}");
            }
        }
        put!(self, ":\n");
        for &inst in &data.insts {
            self.debug_values(function, block, Some(inst));
            put!(self, "  ");
            self.inst(function, inst);
            self.debug_location(function.insts[inst].location);
            put!(self, "\n");
        }
        self.debug_values(function, block, None);
        put!(self, "  ");
        self.terminator(function, &data.terminator);
        self.debug_location(data.location);
        put!(self, "\n");
    }

    fn memory_access(&mut self, access: MemoryAccess) {
        put!(self, " align {}", access.align);
        if access.flags.volatile {
            put!(self, " volatile");
        }
        if access.flags.nontemporal {
            put!(self, " nontemporal");
        }
        if access.flags.typed {
            put!(self, " typed");
        }
        if access.flags.unwritten {
            put!(self, " unwritten");
        }
    }

    fn ordering(&mut self, ordering: Ordering) {
        put!(self, " {} {}", ordering.order.word(), ordering.scope.word());
    }

    fn fence(&mut self, fence: Fence) {
        for (memory, word) in FENCE_MEMORY {
            if fence.memory.has(memory) {
                put!(self, " {word}");
            }
        }
        self.ordering(Ordering { order: fence.order, scope: fence.scope });
    }

    pub(super) fn inst(&mut self, function: &Function, inst: Inst) {
        let data = &function.insts[inst];
        if let Some(result) = data.result {
            put!(self, "{result}: ");
            self.ty(self.module.value_type(function, result));
            put!(self, " = ");
        }
        match data.kind {
            InstKind::Binary { op, left, right } => {
                put!(self, "{} ", op.word());
                self.values([left, right].into_iter());
            }
            InstKind::Compare { op, left, right } => {
                put!(self, "{} ", op.word());
                self.values([left, right].into_iter());
            }
            InstKind::Unary { op, operand } => {
                put!(self, "{} ", op.word());
                self.value(operand);
            }
            InstKind::Select { condition, then, otherwise } => {
                put!(self, "select ");
                self.values([condition, then, otherwise].into_iter());
            }
            InstKind::Convert { op, operand, rounding, saturate } => {
                put!(self, "{} ", op.word());
                self.value(operand);
                if let Some(rounding) = rounding {
                    put!(self, " {}", rounding.word());
                }
                if saturate {
                    put!(self, " sat");
                }
            }
            InstKind::Load { pointer, access } => {
                put!(self, "load ");
                self.value(pointer);
                self.memory_access(access);
            }
            InstKind::Store { pointer, value, access } => {
                put!(self, "store ");
                self.values([pointer, value].into_iter());
                self.memory_access(access);
            }
            InstKind::CopyMemory { destination, source, size, access } => {
                put!(self, "copy_memory ");
                self.values([destination, source, size].into_iter());
                self.memory_access(access);
            }
            InstKind::Variable { ty, align } => {
                put!(self, "variable ");
                self.ty(ty);
                put!(self, " align {align}");
            }
            InstKind::PtrAdd { base, index } => {
                put!(self, "ptr_add ");
                self.values([base, index].into_iter());
            }
            InstKind::Access { base, indices } => {
                put!(self, "access ");
                self.value(base);
                put!(self, " [");
                self.values(function.values_of(indices));
                put!(self, "]");
            }
            InstKind::Extract { aggregate, path } => {
                put!(self, "extract ");
                self.value(aggregate);
                self.numbers(function, path);
            }
            InstKind::Insert { aggregate, element, path } => {
                put!(self, "insert ");
                self.values([aggregate, element].into_iter());
                self.numbers(function, path);
            }
            InstKind::ExtractDynamic { vector, index } => {
                put!(self, "extract_dynamic ");
                self.values([vector, index].into_iter());
            }
            InstKind::InsertDynamic { vector, element, index } => {
                put!(self, "insert_dynamic ");
                self.values([vector, element, index].into_iter());
            }
            InstKind::Shuffle { left, right, mask } => {
                put!(self, "shuffle ");
                self.values([left, right].into_iter());
                self.numbers(function, mask);
            }
            InstKind::Construct { parts } => {
                put!(self, "construct {{");
                self.values(function.values_of(parts));
                put!(self, "}}");
            }
            InstKind::Call { callee, arguments } => {
                put!(self, "call {callee}(");
                self.values(function.values_of(arguments));
                put!(self, ")");
            }
            InstKind::Intrinsic { intrinsic, arguments } => {
                put!(self, "intrinsic {intrinsic}(");
                self.values(function.values_of(arguments));
                put!(self, ")");
            }
            InstKind::AtomicLoad { pointer, ordering } => {
                put!(self, "atomic_load ");
                self.value(pointer);
                self.ordering(ordering);
            }
            InstKind::AtomicStore { pointer, value, ordering } => {
                put!(self, "atomic_store ");
                self.values([pointer, value].into_iter());
                self.ordering(ordering);
            }
            InstKind::AtomicModify { op, pointer, value, ordering } => {
                put!(self, "{} ", op.word());
                self.values([pointer, value].into_iter());
                self.ordering(ordering);
            }
            InstKind::AtomicCompareExchange { pointer, comparand, desired, ordering, failure } => {
                put!(self, "atomic_compare_exchange ");
                self.values([pointer, comparand, desired].into_iter());
                self.ordering(ordering);
                put!(self, " {}", failure.word());
            }
            InstKind::Fence(fence) => {
                put!(self, "fence");
                self.fence(fence);
            }
            InstKind::Barrier { execution, part, fence } => {
                put!(self, "{} {}", part.word(), execution.word());
                self.fence(fence);
            }
            InstKind::GenericTo { pointer, space } => {
                put!(self, "generic_to ");
                self.value(pointer);
                put!(self, " {}", space.word());
            }
        }
        for &(bit, word) in MATH_FLAGS {
            if data.math.has(bit) {
                put!(self, " {word}");
            }
        }
    }

    fn call(&mut self, function: &Function, call: BlockCall) {
        put!(self, "{}", call.block);
        if !call.arguments.is_empty() {
            put!(self, "(");
            self.values(function.values_of(call.arguments));
            put!(self, ")");
        }
    }

    fn terminator(&mut self, function: &Function, terminator: &Terminator) {
        match terminator {
            Terminator::None => {
                put!(self, "missing");
            }
            Terminator::Jump(target) => {
                put!(self, "jump ");
                self.call(function, *target);
            }
            Terminator::Branch { condition, then, otherwise } => {
                put!(self, "branch ");
                self.value(*condition);
                put!(self, ", ");
                self.call(function, *then);
                put!(self, ", ");
                self.call(function, *otherwise);
            }
            Terminator::Switch { selector, default, cases } => {
                put!(self, "switch ");
                self.value(*selector);
                put!(self, ", ");
                self.call(function, *default);
                put!(self, " [");
                for (index, case) in cases.iter().enumerate() {
                    if index > 0 {
                        put!(self, ", ");
                    }
                    put!(self, "{}: ", case.value);
                    self.call(function, case.target);
                }
                put!(self, "]");
            }
            Terminator::Return(value) => {
                put!(self, "return");
                if let Some(value) = value {
                    put!(self, " ");
                    self.value(*value);
                }
            }
            Terminator::Unreachable => {
                put!(self, "unreachable");
            }
        }
    }
}
