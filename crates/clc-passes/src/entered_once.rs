//! Loops that are entered from one block and turn back from one, for passes that give their heads parameters.

use clc_base::Id as _;
use clc_ir::{
    BinaryOp, Block, Cfg, CompareOp, Dominators, Function, InstKind, Terminator, Value, ValueDef,
};

use crate::context::ModuleContext;
use crate::counted;

/// Where control goes in a function, and where its values are defined.
pub(crate) struct Loops {
    pub cfg: Cfg,
    pub dominators: Dominators,
    /// By block: how many loops it is in.
    pub around: Vec<u32>,
    /// By instruction: its block.
    homes: Vec<Block>,
}

/// The blocks that a loop is entered from and that it turns back from.
#[derive(Clone, Copy)]
pub(crate) struct Edges {
    pub head: Block,
    pub entry: Block,
    pub latch: Block,
}

impl Loops {
    pub fn new(function: &Function) -> Loops {
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        let around = dominators.loops_around(&cfg);
        let mut homes = vec![function.entry(); function.insts.len()];
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                homes[inst.index()] = block;
            }
        }
        Loops { cfg, dominators, around, homes }
    }

    /// From where a loop is entered, and from where it turns back.
    pub fn edges(&self, head: Block) -> Option<Edges> {
        let mut from = self.cfg.predecessors(head);
        let (first, second) = (from.next()?, from.next()?);
        let turns_back = |from| self.dominators.dominates(head, from);
        match (turns_back(first), turns_back(second), from.next()) {
            (true, false, None) => Some(Edges { head, entry: second, latch: first }),
            (false, true, None) => Some(Edges { head, entry: first, latch: second }),
            _ => None,
        }
    }

    /// Whether a value is defined before a loop. It is used in it, so that no other way leads there.
    pub fn is_before(&self, function: &Function, value: Value, edges: Edges) -> bool {
        let home = match function.def(value) {
            None => return true,
            Some(ValueDef::Param(block, _)) => block,
            Some(ValueDef::Inst(inst)) => match self.homes.get(inst.index()) {
                Some(&block) => block,
                // Made since.
                None => return false,
            },
        };
        home != edges.head && self.dominators.dominates(home, edges.entry)
    }
}

/// A parameter of a loop's head that grows by a constant in each turn.
pub(crate) struct Counter {
    pub edges: Edges,
    /// What it begins with.
    pub start: Value,
    pub step: i64,
    /// The addition.
    pub next: Value,
}

impl Loops {
    /// What a value counts, unless drivers write the loop out, because it turns a few times as they see.
    pub fn counter(
        &self,
        context: &ModuleContext<'_>,
        function: &Function,
        value: Value,
    ) -> Option<Counter> {
        let Some(ValueDef::Param(head, index)) = function.def(value) else { return None };
        let edges = self.edges(head)?;
        let start = argument(function, edges.entry, head, index as usize)?;
        let next = argument(function, edges.latch, head, index as usize)?;
        let (_, data) = function.def_inst(next)?;
        let InstKind::Binary { op: BinaryOp::IAdd, left, right } = data.kind else {
            return None;
        };
        let step = context.signed(right)?;
        let is_written_out = context.signed(start).is_some_and(|start| {
            let end = ends(context, function, [head, edges.latch], [value, next]);
            end.is_some_and(|end| {
                end.abs_diff(start) / step.unsigned_abs().max(1) <= counted::WRITTEN_OUT
            })
        });
        (left == value && !is_written_out).then_some(Counter { edges, start, step, next })
    }
}

impl Loops {
    /// Whether only numbers without a sign that are below a bound are counted up, by one: none wraps.
    pub fn is_below_bound(&self, function: &Function, counted: Value, counter: &Counter) -> bool {
        let Edges { head, latch, .. } = counter.edges;
        let Terminator::Branch { condition, then, .. } = function.blocks[head].terminator else {
            return false;
        };
        let is_below = function.def_inst(condition).is_some_and(|(_, data)| {
            matches!(data.kind, InstKind::Compare { op: CompareOp::ULess, left, .. } if left == counted)
        });
        // Where the test is false control leaves the loop: no other way leads back.
        let is_only_way = then.block != head
            && self.cfg.predecessors(then.block).count() == 1
            && self.dominators.dominates(then.block, latch);
        counter.step == 1 && is_below && is_only_way
    }
}

/// The constant that a loop compares its counter with.
fn ends(
    context: &ModuleContext<'_>,
    function: &Function,
    blocks: [Block; 2],
    compared: [Value; 2],
) -> Option<i64> {
    let mut insts = blocks.iter().flat_map(|&block| &function.blocks[block].insts);
    insts.find_map(|&inst| match function.insts[inst].kind {
        InstKind::Compare { op: _, left, right } if compared.contains(&left) => {
            context.signed(right)
        }
        _ => None,
    })
}

/// What edges pass for a parameter, if it is the same on all edges between two blocks.
fn argument(function: &Function, from: Block, to: Block, index: usize) -> Option<Value> {
    let mut targets =
        function.blocks[from].terminator.targets().filter(|target| target.block == to);
    let value = function.value_at(targets.next()?.arguments, index);
    targets.all(|target| function.value_at(target.arguments, index) == value).then_some(value)
}

/// Adds an argument to all edges between two blocks.
pub(crate) fn pass(function: &mut Function, from: Block, to: Block, value: Value) {
    let mut terminator = std::mem::take(&mut function.blocks[from].terminator);
    for target in terminator.targets_mut().filter(|target| target.block == to) {
        let arguments: Vec<Value> = function.values_of(target.arguments).chain([value]).collect();
        target.arguments = function.list(&arguments);
    }
    function.blocks[from].terminator = terminator;
}
