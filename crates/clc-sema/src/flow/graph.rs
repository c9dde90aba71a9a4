//! The control flow graph of a body.
//!
//! A block is a list of [`Event`]s: what happens to variables and memory, and the calls, in the order
//! of C's abstract machine. `&&`, `||` and `?:` make blocks as statements do. Constant conditions
//! have one successor, so that `while (1)` only ends by `break`.

use clc_base::Symbol;
use clc_base::dominators::{NONE, immediate_dominators};
use rustc_hash::FxHashSet;

use crate::folding;
use crate::hir::{Case, ExprId, ExprKind, GlobalId, LocalId, Module, StmtId};
use crate::types::Type;

/// A block, by its number.
pub(crate) type Block = u32;

/// A variable whose values are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Variable {
    Local(LocalId),
    /// A variable in `local` memory.
    Shared(GlobalId),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// A variable comes into being, without a value.
    Declare(LocalId),
    Read {
        variable: Variable,
        /// The expression that reads: a load, an update, a call.
        expr: ExprId,
        /// The lvalue that is read, or the pointer that a built-in function reads through.
        target: ExprId,
    },
    Write {
        variable: Variable,
        /// The assignment, update, declaration's initialiser or call.
        expr: ExprId,
        /// The lvalue that is written, or the pointer that a built-in function writes through; for a
        /// declaration its initialiser.
        target: ExprId,
        /// The new value, where one expression has it.
        value: Option<ExprId>,
        /// Part of the old value remains in the new one.
        keeps: bool,
    },
    /// The address becomes known to others: anything may happen from here on.
    Expose { variable: Variable },
    /// A call of a function or of a builtin that is more than a calculation.
    Call(ExprId),
}

#[derive(Clone, Debug)]
pub(crate) enum Terminator {
    /// Nothing follows: the end of the body.
    End,
    /// `return`.
    Return,
    Jump(Block),
    Branch {
        condition: ExprId,
        when_true: Block,
        when_false: Block,
    },
    Switch {
        selector: ExprId,
        targets: Vec<Block>,
    },
}

impl Terminator {
    pub fn targets(&self) -> impl Iterator<Item = Block> + '_ {
        let (few, many): ([Option<Block>; 2], &[Block]) = match self {
            Terminator::End | Terminator::Return => ([None, None], &[]),
            Terminator::Jump(to) => ([Some(*to), None], &[]),
            Terminator::Branch { when_true, when_false, .. } => {
                ([Some(*when_true), Some(*when_false)], &[])
            }
            Terminator::Switch { targets, .. } => ([None, None], targets),
        };
        few.into_iter().flatten().chain(many.iter().copied())
    }
}

#[derive(Debug)]
pub(crate) struct BlockData {
    /// Range in [`Graph::events`].
    pub events: std::ops::Range<u32>,
    pub terminator: Terminator,
    /// The statement that begins the block after a jump, if no label does.
    pub orphan: Option<StmtId>,
}

#[derive(Debug)]
pub(crate) struct Graph {
    pub blocks: Vec<BlockData>,
    pub events: Vec<Event>,
    /// Reachable blocks in reverse post-order; the entry is first.
    pub order: Vec<Block>,
    /// Index of each block in `order`; `NONE` for unreachable ones.
    pub position: Vec<u32>,
    /// Reachable predecessors of block `b`: `sources[starts[b]..starts[b + 1]]`, one for each edge.
    starts: Vec<u32>,
    sources: Vec<Block>,
    /// Where the edges of block `b` begin in `arrivals`.
    edges: Vec<u32>,
    /// For each successor of block `b`, from `edges[b]` on: the index of `b` among the predecessors
    /// of the successor.
    arrivals: Vec<u32>,
}

impl Graph {
    /// The graph of these blocks; the first one is the entry.
    pub(super) fn of_blocks(blocks: Vec<BlockData>, events: Vec<Event>) -> Graph {
        let count = blocks.len();
        let mut order = Vec::with_capacity(count);
        let mut is_seen = vec![false; count];
        let mut stack: Vec<(Block, Vec<Block>)> = Vec::new();
        let targets =
            |block: Block| blocks[block as usize].terminator.targets().collect::<Vec<Block>>();
        if count > 0 {
            is_seen[0] = true;
            stack.push((0, targets(0)));
        }
        while let Some((block, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(next) if !is_seen[next as usize] => {
                    is_seen[next as usize] = true;
                    stack.push((next, targets(next)));
                }
                Some(_) => {}
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
        order.reverse();
        let mut position = vec![NONE; count];
        for (index, &block) in order.iter().enumerate() {
            position[block as usize] = index as u32;
        }
        let mut starts = vec![0u32; count + 1];
        for &block in &order {
            for next in blocks[block as usize].terminator.targets() {
                starts[next as usize + 1] += 1;
            }
        }
        for index in 0..count {
            starts[index + 1] += starts[index];
        }
        let mut fill = starts.clone();
        let mut sources = vec![0; starts[count] as usize];
        let mut edges = vec![0; count];
        let mut arrivals = Vec::with_capacity(sources.len());
        for &block in &order {
            edges[block as usize] = arrivals.len() as u32;
            for next in blocks[block as usize].terminator.targets() {
                sources[fill[next as usize] as usize] = block;
                arrivals.push(fill[next as usize] - starts[next as usize]);
                fill[next as usize] += 1;
            }
        }
        Graph { blocks, events, order, position, starts, sources, edges, arrivals }
    }

    pub fn events_of(&self, block: Block) -> &[Event] {
        let range = &self.blocks[block as usize].events;
        &self.events[range.start as usize..range.end as usize]
    }

    pub fn predecessors(&self, block: Block) -> &[Block] {
        let block = block as usize;
        &self.sources[self.starts[block] as usize..self.starts[block + 1] as usize]
    }

    pub fn successors(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        self.blocks[block as usize].terminator.targets()
    }

    /// The successors of a block, each with the index of this edge among its predecessors.
    pub fn edges(&self, block: Block) -> impl Iterator<Item = (Block, u32)> + '_ {
        let first = self.edges[block as usize] as usize;
        self.successors(block).enumerate().map(move |(index, next)| {
            (next, self.arrivals.get(first + index).copied().unwrap_or(NONE))
        })
    }

    pub fn is_reachable(&self, block: Block) -> bool {
        self.position[block as usize] != NONE
    }

    /// Immediate dominator of each block; `NONE` for the entry and unreachable blocks.
    pub fn dominators(&self) -> Vec<u32> {
        let idom = immediate_dominators(
            self.order.len(),
            |index, visit| {
                self.successors(self.order[index])
                    .for_each(|next| visit(self.position[next as usize]));
            },
            |index, visit| {
                self.predecessors(self.order[index])
                    .iter()
                    .for_each(|&previous| visit(self.position[previous as usize]));
            },
        );
        let mut by_block = vec![NONE; self.blocks.len()];
        for (index, &parent) in idom.iter().enumerate() {
            if parent != NONE {
                by_block[self.order[index] as usize] = self.order[parent as usize];
            }
        }
        by_block
    }

    /// Immediate post-dominator of each block: the first that all paths from it to the end share;
    /// `NONE` if there is none.
    pub fn post_dominators(&self) -> Vec<u32> {
        // Node 0 is behind all ends; node n + 1 is the n-th block of the order.
        let is_end = |block: Block| self.successors(block).next().is_none();
        let idom = immediate_dominators(
            self.order.len() + 1,
            |index, visit| match index.checked_sub(1) {
                None => {
                    for (index, &block) in self.order.iter().enumerate() {
                        if is_end(block) {
                            visit(index as u32 + 1);
                        }
                    }
                }
                Some(index) => self
                    .predecessors(self.order[index])
                    .iter()
                    .for_each(|&previous| visit(self.position[previous as usize] + 1)),
            },
            |index, visit| {
                let block = self.order[index - 1];
                if is_end(block) {
                    visit(0);
                }
                self.successors(block).for_each(|next| visit(self.position[next as usize] + 1));
            },
        );
        let mut by_block = vec![NONE; self.blocks.len()];
        for (index, &block) in self.order.iter().enumerate() {
            let parent = idom[index + 1];
            if parent != NONE && parent != 0 {
                by_block[block as usize] = self.order[parent as usize - 1];
            }
        }
        by_block
    }
}

/// The enumerators that no `case` names, if the selector is an enumeration.
pub(crate) fn missing_enumerators(
    module: &Module,
    selector: ExprId,
    cases: &[Case],
) -> Option<Vec<Symbol>> {
    let mut operand = selector;
    while let ExprKind::Convert { operand: inner, .. } = module.exprs[operand].kind {
        operand = inner;
    }
    let Type::Enum(id) = *module.types.get(module.exprs[operand].ty.ty) else { return None };
    let scalar = module.types.as_scalar(module.exprs[selector].ty.ty)?;
    let value = |bits| folding::integer_value(scalar, bits);
    let (mut single, mut ranges) = (FxHashSet::default(), Vec::new());
    for case in cases {
        if case.first == case.last {
            single.insert(value(case.first));
        } else {
            ranges.push((value(case.first), value(case.last)));
        }
    }
    let is_missing = |number: i64| {
        let number = i128::from(number);
        !single.contains(&number)
            && !ranges.iter().any(|&(low, high)| low <= number && number <= high)
    };
    let enumerators = &module.types.enums[id].enumerators;
    let missing = enumerators.iter().filter(|(_, number)| is_missing(*number));
    Some(missing.map(|(name, _)| *name).collect())
}
