//! Walks over the operands of instructions and the destinations of terminators.

use std::iter::{Chain, Map};
use std::{option, slice};

use crate::{Block, BlockCall, Function, Inst, InstKind, SwitchCase, Terminator, Value, ValueList};

/// The destinations of a terminator.
pub type Targets<'a> = Chain<
    Chain<option::IntoIter<BlockCall>, option::IntoIter<BlockCall>>,
    Map<slice::Iter<'a, SwitchCase>, fn(&SwitchCase) -> BlockCall>,
>;

impl Terminator {
    /// The destinations, in source order; a block may appear more than once.
    pub fn targets(&self) -> Targets<'_> {
        let (first, second, cases): (_, _, &[_]) = match self {
            Terminator::None | Terminator::Return(_) | Terminator::Unreachable => (None, None, &[]),
            Terminator::Jump(target) => (Some(*target), None, &[]),
            Terminator::Branch { condition: _, then, otherwise } => {
                (Some(*then), Some(*otherwise), &[])
            }
            Terminator::Switch { selector: _, default, cases } => (Some(*default), None, cases),
        };
        let target: fn(&SwitchCase) -> BlockCall = |case| case.target;
        first.into_iter().chain(second).chain(cases.iter().map(target))
    }

    /// As [`Terminator::targets`], to change them.
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut BlockCall> {
        let (first, second, cases): (_, _, &mut [_]) = match self {
            Terminator::None | Terminator::Return(_) | Terminator::Unreachable => {
                (None, None, &mut [])
            }
            Terminator::Jump(target) => (Some(target), None, &mut []),
            Terminator::Branch { condition: _, then, otherwise } => {
                (Some(then), Some(otherwise), &mut [])
            }
            Terminator::Switch { selector: _, default, cases } => (Some(default), None, cases),
        };
        first.into_iter().chain(second).chain(cases.iter_mut().map(|case| &mut case.target))
    }

    /// The value that decides or leaves: condition, selector or result.
    pub fn operand(&self) -> Option<Value> {
        match self {
            Terminator::None | Terminator::Jump(_) | Terminator::Unreachable => None,
            Terminator::Branch { condition, .. } => Some(*condition),
            Terminator::Switch { selector, .. } => Some(*selector),
            Terminator::Return(value) => *value,
        }
    }

    /// As [`Terminator::operand`], to change it.
    pub fn operand_mut(&mut self) -> Option<&mut Value> {
        match self {
            Terminator::None | Terminator::Jump(_) | Terminator::Unreachable => None,
            Terminator::Branch { condition, .. } => Some(condition),
            Terminator::Switch { selector, .. } => Some(selector),
            Terminator::Return(value) => value.as_mut(),
        }
    }
}

/// The operands of one instruction that are fields, and the list that holds the others.
struct Parts<'a> {
    fields: [Option<&'a mut Value>; 3],
    list: Option<&'a mut ValueList>,
}

impl Parts<'_> {
    /// The values beside the fields; none without a list.
    fn others(&self) -> ValueList {
        self.list.as_deref().copied().unwrap_or(ValueList::EMPTY)
    }
}

fn parts(kind: &mut InstKind) -> Parts<'_> {
    let (fields, list) = match kind {
        InstKind::Binary { op: _, left, right } | InstKind::Compare { op: _, left, right } => {
            ([Some(left), Some(right), None], None)
        }
        InstKind::Unary { op: _, operand }
        | InstKind::Convert { op: _, operand, rounding: _, saturate: _ } => {
            ([Some(operand), None, None], None)
        }
        InstKind::Select { condition, then, otherwise } => {
            ([Some(condition), Some(then), Some(otherwise)], None)
        }
        InstKind::Load { pointer, access: _ } | InstKind::GenericTo { pointer, space: _ } => {
            ([Some(pointer), None, None], None)
        }
        InstKind::Store { pointer, value, access: _ } => ([Some(pointer), Some(value), None], None),
        InstKind::CopyMemory { destination, source, size, access: _ } => {
            ([Some(destination), Some(source), Some(size)], None)
        }
        InstKind::AtomicLoad { pointer, ordering: _ } => ([Some(pointer), None, None], None),
        InstKind::AtomicStore { pointer, value, ordering: _ }
        | InstKind::AtomicModify { op: _, pointer, value, ordering: _ } => {
            ([Some(pointer), Some(value), None], None)
        }
        InstKind::AtomicCompareExchange {
            pointer,
            comparand,
            desired,
            ordering: _,
            failure: _,
        } => ([Some(pointer), Some(comparand), Some(desired)], None),
        InstKind::Fence(_) | InstKind::Barrier { execution: _, part: _, fence: _ } => {
            ([None, None, None], None)
        }
        InstKind::Variable { ty: _, align: _ } => ([None, None, None], None),
        InstKind::PtrAdd { base, index } => ([Some(base), Some(index), None], None),
        InstKind::Access { base, indices } => ([Some(base), None, None], Some(indices)),
        InstKind::Extract { aggregate, path: _ } => ([Some(aggregate), None, None], None),
        InstKind::Insert { aggregate, element, path: _ } => {
            ([Some(aggregate), Some(element), None], None)
        }
        InstKind::ExtractDynamic { vector, index } => ([Some(vector), Some(index), None], None),
        InstKind::InsertDynamic { vector, element, index } => {
            ([Some(vector), Some(element), Some(index)], None)
        }
        InstKind::Shuffle { left, right, mask: _ } => ([Some(left), Some(right), None], None),
        InstKind::Construct { parts } => ([None, None, None], Some(parts)),
        InstKind::Call { callee: _, arguments }
        | InstKind::Intrinsic { intrinsic: _, arguments } => ([None, None, None], Some(arguments)),
    };
    Parts { fields, list }
}

impl Function {
    /// The same operation with lists of its own, so that its operands can be replaced: for a copy in the same
    /// function.
    pub fn with_own_lists(&mut self, mut kind: InstKind) -> InstKind {
        if let Some(list) = parts(&mut kind).list {
            let values: Vec<Value> = self.values_of(*list).collect();
            *list = self.list(&values);
        }
        kind
    }

    /// Calls `visit` with every operand of an instruction, in order.
    pub fn each_operand(&self, inst: Inst, mut visit: impl FnMut(Value)) {
        let mut kind = self.insts[inst].kind;
        let parts = parts(&mut kind);
        let (list, fields) = (parts.others(), parts.fields);
        for value in fields.into_iter().flatten() {
            visit(*value);
        }
        for value in self.values_of(list) {
            visit(value);
        }
    }

    /// Replaces every operand of an instruction by what `map` makes of it.
    pub fn map_operands(&mut self, inst: Inst, mut map: impl FnMut(Value) -> Value) {
        let mut kind = self.insts[inst].kind;
        let parts = parts(&mut kind);
        let (list, fields) = (parts.others(), parts.fields);
        for value in fields.into_iter().flatten() {
            *value = map(*value);
        }
        self.insts[inst].kind = kind;
        self.map_list(list, map);
    }

    /// Replaces every value of a list by what `map` makes of it.
    pub fn map_list(&mut self, list: ValueList, mut map: impl FnMut(Value) -> Value) {
        for index in 0..list.len() {
            let old = self.value_at(list, index);
            let new = map(old);
            if new != old {
                self.set_value_at(list, index, new);
            }
        }
    }

    /// Calls `visit` with the operand of a block's terminator and the arguments of its targets.
    pub fn each_terminator_operand(&self, block: Block, mut visit: impl FnMut(Value)) {
        let terminator = &self.blocks[block].terminator;
        if let Some(value) = terminator.operand() {
            visit(value);
        }
        for target in terminator.targets() {
            for value in self.values_of(target.arguments) {
                visit(value);
            }
        }
    }

    /// Replaces the operand of a block's terminator and the arguments of its targets.
    pub fn map_terminator_operands(&mut self, block: Block, mut map: impl FnMut(Value) -> Value) {
        let mut terminator = std::mem::take(&mut self.blocks[block].terminator);
        if let Some(value) = terminator.operand_mut() {
            *value = map(*value);
        }
        for target in terminator.targets() {
            self.map_list(target.arguments, &mut map);
        }
        self.blocks[block].terminator = terminator;
    }

    /// Replaces operands in all blocks of the layout, and what variables of the source hold.
    pub fn map_all_operands(&mut self, mut map: impl FnMut(Value) -> Value) {
        for index in 0..self.layout.len() {
            let block = self.layout[index];
            for position in 0..self.blocks[block].insts.len() {
                let inst = self.blocks[block].insts[position];
                self.map_operands(inst, &mut map);
            }
            self.map_terminator_operands(block, &mut map);
        }
        if let Some(debug) = &mut self.debug {
            debug.map_values(&mut map);
        }
    }
}
