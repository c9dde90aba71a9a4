//! Walks over the operands of instructions and the destinations of terminators.

use std::slice;

use crate::{Block, BlockCall, Function, Inst, InstKind, SwitchCase, Terminator, Value, ValueList};

/// The destinations of a terminator.
#[derive(Clone)]
pub struct Targets<'a> {
    first: Option<BlockCall>,
    second: Option<BlockCall>,
    cases: slice::Iter<'a, SwitchCase>,
}

impl Iterator for Targets<'_> {
    type Item = BlockCall;

    #[inline]
    fn next(&mut self) -> Option<BlockCall> {
        if let Some(target) = self.first.take() {
            return Some(target);
        }
        if let Some(target) = self.second.take() {
            return Some(target);
        }
        self.cases.next().map(|case| case.target)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let before = usize::from(self.first.is_some()) + usize::from(self.second.is_some());
        (before + self.cases.len(), Some(before + self.cases.len()))
    }
}

impl Terminator {
    /// The destinations, in source order; a block may appear more than once.
    #[inline]
    pub fn targets(&self) -> Targets<'_> {
        let (first, second, cases): (_, _, &[_]) = match self {
            Terminator::None | Terminator::Return(_) | Terminator::Unreachable => (None, None, &[]),
            Terminator::Jump(target) => (Some(*target), None, &[]),
            Terminator::Branch { condition: _, then, otherwise } => {
                (Some(*then), Some(*otherwise), &[])
            }
            Terminator::Switch { selector: _, default, cases } => (Some(*default), None, cases),
        };
        Targets { first, second, cases: cases.iter() }
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

/// The one table of what an instruction's operands are: `$with!([FIELDS] LIST)` for the variant that `$kind` is, a
/// reference, with the fields that are operands, in order, and the list that holds the others, if there is one.
macro_rules! operands {
    ($kind:expr, $with:ident) => {
        match $kind {
            InstKind::Binary { op: _, left, right } | InstKind::Compare { op: _, left, right } => {
                $with!([left, right])
            }
            InstKind::Unary { op: _, operand }
            | InstKind::Convert { op: _, operand, rounding: _, saturate: _ } => $with!([operand]),
            InstKind::Select { condition, then, otherwise } => {
                $with!([condition, then, otherwise])
            }
            InstKind::Load { pointer, access: _ }
            | InstKind::GenericTo { pointer, space: _ }
            | InstKind::AtomicLoad { pointer, ordering: _ } => $with!([pointer]),
            InstKind::Store { pointer, value, access: _ }
            | InstKind::AtomicStore { pointer, value, ordering: _ }
            | InstKind::AtomicModify { op: _, pointer, value, ordering: _ } => {
                $with!([pointer, value])
            }
            InstKind::CopyMemory { destination, source, size, access: _ } => {
                $with!([destination, source, size])
            }
            InstKind::AtomicCompareExchange {
                pointer,
                comparand,
                desired,
                ordering: _,
                failure: _,
            } => $with!([pointer, comparand, desired]),
            InstKind::Fence(_)
            | InstKind::Barrier { execution: _, part: _, fence: _ }
            | InstKind::Variable { ty: _, align: _ } => $with!([]),
            InstKind::PtrAdd { base, index } => $with!([base, index]),
            InstKind::Access { base, indices } => $with!([base] indices),
            InstKind::Extract { aggregate, path: _ } => $with!([aggregate]),
            InstKind::Insert { aggregate, element, path: _ } => $with!([aggregate, element]),
            InstKind::ExtractDynamic { vector, index } => $with!([vector, index]),
            InstKind::InsertDynamic { vector, element, index } => {
                $with!([vector, element, index])
            }
            InstKind::Shuffle { left, right, mask: _ } => $with!([left, right]),
            InstKind::Construct { parts } => $with!([] parts),
            InstKind::Call { callee: _, arguments }
            | InstKind::Intrinsic { intrinsic: _, arguments } => $with!([] arguments),
        }
    };
}

/// The operands of one instruction: `fields[..count]`, then those of the list.
struct Operands {
    fields: [Value; 3],
    count: usize,
    list: ValueList,
}

#[inline]
fn operands_of(kind: &InstKind) -> Operands {
    let nothing = Value::from_local(0);
    let mut operands = Operands { fields: [nothing; 3], count: 0, list: ValueList::EMPTY };
    macro_rules! read {
        ([$($field:ident),*] $($list:ident)?) => {{
            $(operands.fields[operands.count] = *$field;
            operands.count += 1;)*
            $(operands.list = *$list;)?
        }};
    }
    operands!(kind, read);
    operands
}

fn set_fields(kind: &mut InstKind, fields: [Value; 3]) {
    let mut fields = fields.into_iter();
    macro_rules! write {
        ([$($field:ident),*] $($list:ident)?) => {{
            $(*$field = fields.next().unwrap_or(*$field);)*
            $(let _ = $list;)?
        }};
    }
    operands!(kind, write);
}

fn list_mut(kind: &mut InstKind) -> Option<&mut ValueList> {
    macro_rules! list {
        ([$($field:ident),*]) => {{
            $(let _ = $field;)*
            None
        }};
        ([$($field:ident),*] $list:ident) => {{
            $(let _ = $field;)*
            Some($list)
        }};
    }
    operands!(kind, list)
}

impl Function {
    /// The same operation with lists of its own, so that its operands can be replaced: for a copy in the same
    /// function.
    pub fn with_own_lists(&mut self, mut kind: InstKind) -> InstKind {
        if let Some(list) = list_mut(&mut kind) {
            let values: Vec<Value> = self.values_of(*list).collect();
            *list = self.list(&values);
        }
        kind
    }

    /// Calls `visit` with every operand of an instruction, in order.
    pub fn each_operand(&self, inst: Inst, mut visit: impl FnMut(Value)) {
        let operands = operands_of(&self.insts[inst].kind);
        for &value in &operands.fields[..operands.count] {
            visit(value);
        }
        for value in self.values_of(operands.list) {
            visit(value);
        }
    }

    /// Replaces every operand of an instruction by what `map` makes of it.
    pub fn map_operands(&mut self, inst: Inst, mut map: impl FnMut(Value) -> Value) {
        let operands = operands_of(&self.insts[inst].kind);
        let mut fields = operands.fields;
        for value in &mut fields[..operands.count] {
            *value = map(*value);
        }
        if fields != operands.fields {
            set_fields(&mut self.insts[inst].kind, fields);
        }
        self.map_list(operands.list, map);
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
