//! Addresses that step from work-item to work-item by what they point to.

use clc_builtins::Intrinsic;
use clc_ir::{
    BinaryOp, Block, Cfg, Const, ConstPool, ConvertOp, Dominators, Function, Inst, InstKind,
    TypePool, Value, ValueDef,
};
use rustc_hash::FxHashMap;

use crate::convergence::{is_private, varying_values};
use crate::stored_before::{base, stored_before};

/// Operations between a value and what it is computed from that are looked at.
const MAX_DEPTH: u32 = 32;

/// How a value differs between neighbours along a dimension.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Not at all, as far as is found.
    None,
    /// By one, or an address by what it points to.
    One,
    /// Otherwise, or in no way that is known.
    Other,
    /// It is looked up, or found from a number that is no integer: neighbours have unrelated ones.
    Anywhere,
}

impl Step {
    /// Whether what is loaded from addresses that differ so is not in one piece for all work-items.
    pub(crate) fn is_gathered(self) -> bool {
        matches!(self, Step::Other | Step::Anywhere)
    }
}

/// The steps of a function's values, as they are asked for: a guess about speed, and never about meaning.
pub(crate) struct Steps<'a> {
    types: &'a TypePool,
    consts: &'a ConstPool,
    function: &'a Function,
    cfg: &'a Cfg,
    varies: Vec<bool>,
    dimension: u64,
    found: FxHashMap<Value, Step>,
    /// By variable of a work-item: the stores that come before each load. Nothing until it is asked for.
    stores: Option<FxHashMap<Value, Vec<Inst>>>,
    /// By such a variable: whether the same is stored for all.
    alike: FxHashMap<Value, bool>,
}

impl<'a> Steps<'a> {
    pub(crate) fn new(
        types: &'a TypePool,
        consts: &'a ConstPool,
        function: &'a Function,
        cfg: &'a Cfg,
    ) -> Steps<'a> {
        Steps::along(0, types, consts, function, cfg)
    }

    /// [`Steps::new`] along another dimension than the first.
    pub(crate) fn along(
        dimension: u64,
        types: &'a TypePool,
        consts: &'a ConstPool,
        function: &'a Function,
        cfg: &'a Cfg,
    ) -> Steps<'a> {
        let varies = varying_values(types, function, cfg);
        Steps {
            types,
            consts,
            function,
            cfg,
            varies,
            dimension,
            found: FxHashMap::default(),
            stores: None,
            alike: FxHashMap::default(),
        }
    }

    /// Whether a value may differ between work-items.
    pub(crate) fn varies(&self, value: Value) -> bool {
        value.as_local().is_some_and(|index| self.varies[index])
    }

    pub(crate) fn of(&mut self, value: Value) -> Step {
        self.within(value, MAX_DEPTH)
    }

    /// Whether an address is a sum of what steps by one and of what loops count: neighbours that are at different rows of
    /// columns next to each other access the same memory a few turns before or after each other.
    pub(crate) fn is_in_column(&mut self, address: Value) -> bool {
        let mut steps_by_one = false;
        let mut parts = vec![address];
        // What is added is looked at once.
        for _ in 0..MAX_DEPTH {
            let Some(part) = parts.pop() else { return steps_by_one };
            let kind = self.function.def_inst(part).map(|(_, data)| data.kind);
            match (self.of(part), kind) {
                (Step::None, _) => {}
                (Step::One, _) => steps_by_one = true,
                (_, Some(InstKind::PtrAdd { base: left, index: right }))
                | (_, Some(InstKind::Binary { op: BinaryOp::IAdd, left, right })) => {
                    parts.extend([left, right]);
                }
                _ if self.is_counted(part, MAX_DEPTH) => {}
                _ => return false,
            }
        }
        false
    }

    /// Whether all of a value that differs is what loops count, or begin with.
    fn is_counted(&self, value: Value, depth: u32) -> bool {
        let Some(index) = value.as_local().filter(|&index| self.varies[index]) else { return true };
        let ValueDef::Inst(inst) = self.function.values[index].def else { return true };
        let is_computed = matches!(
            self.function.insts[inst].kind,
            InstKind::Binary { .. } | InstKind::Convert { .. }
        );
        let mut all = is_computed && depth > 0;
        self.function.each_operand(inst, |operand| {
            all = all && self.is_counted(operand, depth - 1);
        });
        all
    }

    fn within(&mut self, value: Value, depth: u32) -> Step {
        let Some(index) = value.as_local().filter(|&index| self.varies[index]) else {
            return Step::None;
        };
        if let Some(&known) = self.found.get(&value) {
            return known;
        }
        let Some(depth) = depth.checked_sub(1) else { return Step::Other };
        let step = match self.function.values[index].def {
            ValueDef::Inst(inst) => self.of_result(inst, depth),
            ValueDef::Param(block, position) => {
                self.of_param(value, block, position as usize, depth)
            }
        };
        self.found.insert(value, step);
        step
    }

    /// Loops are taken to step all values by the same from turn to turn, unless there is a branch in one whose ways
    /// step a value otherwise.
    fn of_param(&mut self, value: Value, block: Block, position: usize, depth: u32) -> Step {
        let cfg = self.cfg;
        let is_back = |from: Block| cfg.position(from) >= cfg.position(block);
        let mut all = Step::None;
        for argument in self.arguments(block, position, |from| !is_back(from)) {
            let step = self.within(argument, depth);
            all = match (all, step) {
                (Step::Anywhere, _) | (_, Step::Anywhere) => Step::Anywhere,
                (known, Step::None) | (Step::None, known) => known,
                (Step::One, Step::One) => Step::One,
                _ => Step::Other,
            };
        }
        if all == Step::None {
            self.found.insert(value, Step::None);
            let around = self.arguments(block, position, is_back);
            // What begins alike and differs does so by the ways that work-items came.
            if around.is_empty()
                || around.iter().any(|&argument| {
                    argument != around[0] || self.within(argument, depth) == Step::Anywhere
                })
            {
                all = Step::Anywhere;
            }
        }
        all
    }

    /// What a parameter of a loop is at first, and then.
    pub(crate) fn turns(&self, value: Value) -> Option<(Value, Vec<Value>)> {
        let ValueDef::Param(block, position) = self.function.values[value.as_local()?].def else {
            return None;
        };
        let is_before = |from: Block| self.cfg.position(from) < self.cfg.position(block);
        match self.arguments(block, position as usize, is_before)[..] {
            [begin] => {
                Some((begin, self.arguments(block, position as usize, |from| !is_before(from))))
            }
            _ => None,
        }
    }

    /// What a parameter is given by the blocks that `is_from` holds for.
    fn arguments(
        &self,
        block: Block,
        position: usize,
        is_from: impl Fn(Block) -> bool,
    ) -> Vec<Value> {
        let (function, cfg) = (self.function, self.cfg);
        let from = cfg.predecessors(block).filter(|&from| is_from(from));
        from.flat_map(|from| function.blocks[from].terminator.targets())
            .filter(|call| call.block == block)
            .map(|call| function.value_at(call.arguments, position))
            .collect()
    }

    fn of_result(&mut self, inst: Inst, depth: u32) -> Step {
        let function = self.function;
        let mut sum = |a, b| match (self.within(a, depth), self.within(b, depth)) {
            (step, Step::None) | (Step::None, step) => step,
            (Step::Anywhere, _) | (_, Step::Anywhere) => Step::Anywhere,
            _ => Step::Other,
        };
        match function.insts[inst].kind {
            InstKind::Binary { op: BinaryOp::IAdd, left, right } => sum(left, right),
            InstKind::PtrAdd { base, index } => sum(base, index),
            // Elements of one row of an array.
            InstKind::Access { base, indices } => {
                let mut around = function.values_of(indices);
                let last = around.next_back();
                let mut is_one_row = self.within(base, depth) == Step::None;
                for index in around {
                    is_one_row &= self.within(index, depth) == Step::None;
                }
                match last.filter(|_| is_one_row) {
                    Some(last) => self.within(last, depth),
                    None => self.of_any(inst, depth),
                }
            }
            InstKind::Binary { op: BinaryOp::ISub, left, right } => {
                match self.within(right, depth) {
                    Step::None => self.within(left, depth),
                    Step::Anywhere => Step::Anywhere,
                    _ => Step::Other,
                }
            }
            InstKind::Convert {
                op: ConvertOp::Truncate | ConvertOp::SignExtend | ConvertOp::ZeroExtend,
                operand,
                ..
            } => self.within(operand, depth),
            InstKind::Intrinsic {
                intrinsic: Intrinsic::GetGlobalId | Intrinsic::GetLocalId,
                arguments,
            } => {
                let dimension = function.value_at(arguments, 0).as_const();
                match dimension.map(|id| self.consts.get(id)) {
                    Some(&Const::Int(_, of)) if of == self.dimension => Step::One,
                    Some(_) => Step::None,
                    None => Step::Other,
                }
            }
            InstKind::Intrinsic { intrinsic: Intrinsic::GetLocalLinearId, .. } => {
                if self.dimension == 0 { Step::One } else { Step::Other }
            }
            // What work-items beside each other look up at one place is the same, unless each has a place of its own.
            InstKind::Load { pointer: from, .. }
            | InstKind::Convert { op: ConvertOp::FToS | ConvertOp::FToU, operand: from, .. } => {
                let is_same = self.within(from, depth) == Step::None;
                if is_same
                    && (!is_private(self.types, function, from) || self.is_alike(from, depth))
                {
                    Step::None
                } else {
                    Step::Anywhere
                }
            }
            InstKind::Call { .. } => Step::Anywhere,
            _ => self.of_any(inst, depth),
        }
    }

    /// Whether a variable of each work-item holds the same for all of them.
    fn is_alike(&mut self, address: Value, depth: u32) -> bool {
        let (function, cfg) = (self.function, self.cfg);
        let variable = base(function, address);
        if let Some(&known) = self.alike.get(&variable) {
            return known;
        }
        let find = || stored_before(function, cfg, &Dominators::new(cfg));
        let Some(stores) = self.stores.get_or_insert_with(find).remove(&variable) else {
            return false;
        };
        // What is stored may come from the variable.
        self.alike.insert(variable, true);
        let mut are_alike = true;
        for store in stores {
            function.each_operand(store, |operand| {
                are_alike = are_alike && self.within(operand, depth) == Step::None;
            });
        }
        self.alike.insert(variable, are_alike);
        are_alike
    }

    /// What is computed otherwise.
    fn of_any(&mut self, inst: Inst, depth: u32) -> Step {
        let mut all = Step::None;
        self.function.each_operand(inst, |operand| {
            if all != Step::Anywhere {
                all = match self.within(operand, depth) {
                    Step::None => all,
                    Step::Anywhere => Step::Anywhere,
                    Step::One | Step::Other => Step::Other,
                };
            }
        });
        all
    }
}
