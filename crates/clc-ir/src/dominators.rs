//! Dominators, post-dominators and dominance frontiers.
//!
//! petgraph's `simple_fast` intersects by walking up the tree, which is quadratic where a long
//! `else if` chain meets in one block; [`clc_base::dominators`] is O(m log n) on any graph. The
//! tests compare the two.

use std::ops::Range;

use clc_base::Id;
use clc_base::dominators::immediate_dominators;

use crate::cfg::Cfg;
use crate::{Block, Function};

const NONE: u32 = u32::MAX;

/// Steps to find loops, by block: nests that are deeper on average count as no loops.
const MAX_LOOP_STEPS: usize = 32;

/// The dominator tree of the reachable blocks.
#[derive(Debug)]
pub struct Dominators {
    /// Immediate dominator by block; `NONE` for the entry and for unreachable blocks.
    idom: Vec<u32>,
    /// Interval of each block in a preorder walk of the tree; unreachable ones have none.
    enter: Vec<u32>,
    leave: Vec<u32>,
    preorder: Vec<Block>,
}

impl Dominators {
    /// The dominators of the blocks that are reached.
    pub fn new(cfg: &Cfg) -> Dominators {
        let order = cfg.reverse_post_order();
        let count = cfg.graph().node_count();
        let position = |block: Block| cfg.position(block).map(|position| position as u32);
        let idom = immediate_dominators(
            order.len(),
            |index, visit| {
                for next in cfg.successors(order[index]) {
                    visit(position(next).unwrap_or(NONE));
                }
            },
            |index, visit| {
                for previous in cfg.predecessors(order[index]) {
                    if let Some(previous) = position(previous) {
                        visit(previous);
                    }
                }
            },
        );
        let mut by_block = vec![NONE; count];
        for (index, &parent) in idom.iter().enumerate() {
            if parent != NONE {
                by_block[order[index].index()] = order[parent as usize].0;
            }
        }
        Dominators::from_parents(by_block, order)
    }

    fn from_parents(idom: Vec<u32>, order: &[Block]) -> Dominators {
        let mut enter = vec![NONE; idom.len()];
        // First the sizes of subtrees: what a block dominates comes behind it in `order`.
        let mut leave = vec![1; idom.len()];
        for block in order.iter().rev() {
            let parent = idom[block.index()];
            if parent != NONE {
                leave[parent as usize] += leave[block.index()];
            }
        }
        // By block: where the next of its children enters.
        let mut next = vec![0; idom.len()];
        let mut preorder = vec![Block(0); order.len()];
        for &block in order {
            let parent = idom[block.index()];
            let at = if parent == NONE { 0 } else { next[parent as usize] };
            let behind = at + leave[block.index()];
            if parent != NONE {
                next[parent as usize] = behind;
            }
            next[block.index()] = at + 1;
            enter[block.index()] = at;
            leave[block.index()] = behind;
            preorder[at as usize] = block;
        }
        Dominators { idom, enter, leave, preorder }
    }

    /// The closest block that all paths to `block` go through; `None` for the entry and blocks that
    /// are not reached.
    pub fn immediate_dominator(&self, block: Block) -> Option<Block> {
        match self.idom[block.index()] {
            NONE => None,
            parent => Some(Block(parent)),
        }
    }

    /// The blocks whose immediate dominator is `block`, in reverse post-order.
    pub fn children(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        let Range { start, end } = self.interval(block);
        // Each child is behind all that the one before it dominates.
        let mut next = start + 1;
        std::iter::from_fn(move || {
            let child = *self.preorder.get(next as usize).filter(|_| next < end)?;
            next = self.leave[child.index()];
            Some(child)
        })
    }

    /// Whether every path to `block` goes through `dominator`; a block dominates itself.
    /// Unreachable blocks dominate nothing and are dominated by nothing.
    pub fn dominates(&self, dominator: Block, block: Block) -> bool {
        let at = self.enter[block.index()];
        at != NONE && self.enter[dominator.index()] <= at && at < self.leave[dominator.index()]
    }

    /// The blocks in a preorder walk of the tree.
    pub fn preorder(&self) -> &[Block] {
        &self.preorder
    }

    /// The positions of a block's subtree in [`Dominators::preorder`].
    pub fn interval(&self, block: Block) -> Range<u32> {
        match self.enter[block.index()] {
            NONE => 0..0,
            enter => enter..self.leave[block.index()],
        }
    }

    /// From where control goes back to `block`, the head of a loop: what it dominates and comes before it.
    pub fn latches<'a>(&'a self, cfg: &'a Cfg, block: Block) -> impl Iterator<Item = Block> + 'a {
        cfg.predecessors(block).filter(move |&from| self.dominates(block, from))
    }

    /// Whether a loop begins with `block`.
    pub fn is_loop_head(&self, cfg: &Cfg, block: Block) -> bool {
        self.latches(cfg, block).next().is_some()
    }

    /// By block: how many loops it is in. None is in any where loops nest so deep that the search would take long.
    pub fn loops_around(&self, cfg: &Cfg) -> Vec<u32> {
        let blocks = cfg.graph().node_count();
        let mut around = vec![0; blocks];
        let mut seen_for = vec![None; blocks];
        let mut left = MAX_LOOP_STEPS * cfg.reverse_post_order().len();
        let mut waiting = Vec::new();
        for &head in cfg.reverse_post_order() {
            waiting.extend(self.latches(cfg, head));
            if waiting.is_empty() {
                continue;
            }
            seen_for[head.index()] = Some(head);
            around[head.index()] += 1;
            while let Some(block) = waiting.pop() {
                if seen_for[block.index()].replace(head) == Some(head) {
                    continue;
                }
                around[block.index()] += 1;
                waiting.extend(cfg.predecessors(block).filter(|&from| cfg.is_reachable(from)));
                if left == 0 {
                    return vec![0; blocks];
                }
                left -= 1;
            }
        }
        around
    }

    /// For each block, the joins where its dominance ends, in reverse post-order of the joins.
    pub fn frontiers(&self, cfg: &Cfg) -> Vec<Vec<Block>> {
        let mut frontiers = vec![Vec::new(); self.idom.len()];
        for &join in cfg.reverse_post_order() {
            if cfg.predecessors(join).nth(1).is_none() && self.idom[join.index()] != NONE {
                continue;
            }
            for predecessor in cfg.predecessors(join).filter(|&block| cfg.is_reachable(block)) {
                let mut runner = predecessor.0;
                // Where the join is known already, it is known to all dominators above, too.
                while runner != self.idom[join.index()] {
                    let frontier: &mut Vec<Block> = &mut frontiers[runner as usize];
                    if frontier.last() == Some(&join) {
                        break;
                    }
                    frontier.push(join);
                    runner = self.idom[runner as usize];
                    if runner == NONE {
                        break;
                    }
                }
            }
        }
        frontiers
    }
}

/// The post-dominator tree: dominators of the reversed graph with a virtual exit.
#[derive(Debug)]
pub struct PostDominators {
    /// By block; `NONE` where the virtual exit is next, or where no exit can be reached.
    idom: Vec<u32>,
}

impl PostDominators {
    /// The post-dominators of the blocks that are reached.
    pub fn new(function: &Function, cfg: &Cfg) -> PostDominators {
        let order = cfg.reverse_post_order();
        let count = order.len();
        let exits: Vec<u32> = (0..count as u32)
            .filter(|&index| {
                function.blocks[order[index as usize]].terminator.targets().next().is_none()
            })
            .collect();
        // Node 0 is the virtual exit; node n + 1 is block n of the reverse post-order.
        let position = |block: Block| cfg.position(block).map(|position| position as u32 + 1);
        let idom = immediate_dominators(
            count + 1,
            |index, visit| match index.checked_sub(1) {
                None => exits.iter().for_each(|&exit| visit(exit + 1)),
                Some(index) => cfg.predecessors(order[index]).filter_map(position).for_each(visit),
            },
            |index, visit| {
                let block = order[index - 1];
                if function.blocks[block].terminator.targets().next().is_none() {
                    visit(0);
                }
                cfg.successors(block).filter_map(position).for_each(visit);
            },
        );
        let mut by_block = vec![NONE; cfg.graph().node_count()];
        for (index, &block) in order.iter().enumerate() {
            let parent = idom[index + 1];
            if parent != NONE && parent != 0 {
                by_block[block.index()] = order[parent as usize - 1].0;
            }
        }
        PostDominators { idom: by_block }
    }

    /// The first block that every path from `block` to an exit shares.
    pub fn immediate_post_dominator(&self, block: Block) -> Option<Block> {
        match self.idom[block.index()] {
            NONE => None,
            parent => Some(Block(parent)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::{block_of, node};
    use crate::{BlockCall, SwitchCase, Terminator, TypePool, Value, ValueList};

    fn random_function(blocks: u32, seed: u64) -> Function {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut random = move |bound: u32| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % u64::from(bound)) as u32
        };
        let mut function = Function::new("f", TypePool::VOID);
        for _ in 0..blocks {
            function.add_block();
        }
        let call = |block| BlockCall { block: Block(block), arguments: ValueList::EMPTY };
        for block in 0..blocks {
            let condition = Value::from_local(0);
            function.blocks[Block(block)].terminator = match random(7) {
                0 => Terminator::Return(None),
                1 | 2 => Terminator::Jump(call(random(blocks))),
                3 => Terminator::Switch {
                    selector: condition,
                    default: call(random(blocks)),
                    cases: (0..3)
                        .map(|value| SwitchCase { value, target: call(random(blocks)) })
                        .collect(),
                },
                _ => Terminator::Branch {
                    condition,
                    then: call(random(blocks)),
                    otherwise: call(random(blocks)),
                },
            };
        }
        function
    }

    #[test]
    fn agrees_with_petgraph() {
        for seed in 1..400 {
            let function = random_function(2 + seed as u32 % 40, seed);
            let cfg = Cfg::new(&function);
            let dominators = Dominators::new(&cfg);
            let oracle =
                petgraph::algo::dominators::simple_fast(cfg.graph(), node(function.entry()));
            for block in function.blocks.ids() {
                assert_eq!(
                    dominators.immediate_dominator(block),
                    oracle.immediate_dominator(node(block)).map(block_of),
                    "block {block} with seed {seed}"
                );
            }
        }
    }

    #[test]
    fn intervals_are_the_tree() {
        for seed in 1..100 {
            let function = random_function(30, seed);
            let cfg = Cfg::new(&function);
            let dominators = Dominators::new(&cfg);
            for &block in cfg.reverse_post_order() {
                let mut above = Some(block);
                let mut ancestors = Vec::new();
                while let Some(next) = above {
                    ancestors.push(next);
                    above = dominators.immediate_dominator(next);
                }
                for other in function.blocks.ids() {
                    assert_eq!(dominators.dominates(other, block), ancestors.contains(&other));
                }
            }
        }
    }

    #[test]
    fn frontiers_are_where_dominance_ends() {
        for seed in 1..100 {
            let function = random_function(24, seed);
            let cfg = Cfg::new(&function);
            let dominators = Dominators::new(&cfg);
            let frontiers = dominators.frontiers(&cfg);
            for &block in cfg.reverse_post_order() {
                for &join in cfg.reverse_post_order() {
                    let expected = cfg.predecessors(join).any(|p| dominators.dominates(block, p))
                        && (block == join || !dominators.dominates(block, join));
                    let found = frontiers[block.index()].contains(&join);
                    assert_eq!(found, expected, "{block} {join} seed {seed}");
                }
            }
        }
    }

    #[test]
    fn post_dominators_of_a_diamond() {
        let mut function = Function::new("f", TypePool::VOID);
        let [a, b, c, d]: [Block; 4] = std::array::from_fn(|_| function.add_block());
        let call = |block| BlockCall { block, arguments: ValueList::EMPTY };
        function.blocks[a].terminator = Terminator::Branch {
            condition: Value::from_local(0),
            then: call(b),
            otherwise: call(c),
        };
        function.blocks[b].terminator = Terminator::Jump(call(d));
        function.blocks[c].terminator = Terminator::Jump(call(d));
        function.blocks[d].terminator = Terminator::Return(None);
        let post = PostDominators::new(&function, &Cfg::new(&function));
        assert_eq!(post.immediate_post_dominator(a), Some(d));
        assert_eq!(post.immediate_post_dominator(b), Some(d));
        assert_eq!(post.immediate_post_dominator(d), None);
    }
}
