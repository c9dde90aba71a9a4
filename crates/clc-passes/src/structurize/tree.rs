//! The dominator tree and the reach of edges, for [`super::regions`].

use clc_base::Id;
use clc_ir::{Block, Cfg, Dominators, Terminator};

use super::loops::Loops;
use super::router::Router;

/// No number.
pub(super) const NONE: u32 = u32::MAX;

/// The dominator tree and where edges lead, by number.
pub(super) struct Tree {
    /// By block; `NONE` for blocks made later.
    pub numbers: Vec<u32>,
    pub blocks: Vec<Block>,
    /// One past the last number of the subtree.
    pub ends: Vec<u32>,
    pub arms: Vec<Vec<Block>>,
    /// Whether the block is an arm of the one that immediately dominates it.
    pub is_arm: Vec<bool>,
    pub joins: Vec<Vec<Block>>,
    /// The destinations of each block's edges; ends of loops aside.
    pub targets: Vec<Vec<u32>>,
    /// The greatest number that an edge from the subtree goes to; 0 for none.
    pub farthest: Vec<u32>,
    /// The least number past the subtree that an edge from it goes to; `NONE` for none.
    pub nearest: Vec<u32>,
    /// How deep constructs nest in a block's arms, if nothing is done about it.
    pub nesting: Vec<u32>,
}

impl Tree {
    pub fn new(router: &Router<'_>, loops: &Loops) -> Tree {
        let function = &*router.function;
        let is_end = |block: Block| loops.is_end.get(block.index()).is_some_and(|&end| end);
        let header = |block: Block| loops.headers.get(block.index()).copied().flatten();
        let is_latch =
            |block: Block, target: Block| header(target).is_some_and(|(_, latch)| latch == block);
        let cfg = Cfg::with_successors(function, |block, visit| {
            function.blocks[block]
                .terminator
                .targets()
                .map(|target| target.block)
                .filter(|&target| !is_end(target) && !is_latch(block, target))
                .for_each(&mut *visit);
            if let Some((exit, _)) = header(block) {
                visit(exit);
            }
        });
        let dominators = Dominators::new(&cfg);
        let count = dominators.preorder().len();
        let mut tree = Tree {
            numbers: vec![NONE; function.blocks.len()],
            blocks: Vec::with_capacity(count),
            ends: vec![0; count],
            arms: Vec::with_capacity(count),
            is_arm: vec![false; count],
            joins: Vec::with_capacity(count),
            targets: Vec::with_capacity(count),
            farthest: vec![0; count],
            nearest: vec![NONE; count],
            nesting: vec![0; count],
        };
        let mut parents: Vec<u32> = Vec::with_capacity(count);
        // A block to enter, or the number of one to leave.
        enum Step {
            Enter(Block, u32, bool),
            Leave(u32),
        }
        let mut steps = vec![Step::Enter(function.entry(), NONE, false)];
        while let Some(step) = steps.pop() {
            let (block, parent, is_arm) = match step {
                Step::Enter(block, parent, is_arm) => (block, parent, is_arm),
                Step::Leave(number) => {
                    tree.ends[number as usize] = tree.blocks.len() as u32;
                    continue;
                }
            };
            let number = tree.blocks.len() as u32;
            tree.numbers[block.index()] = number;
            tree.blocks.push(block);
            tree.is_arm[number as usize] = is_arm;
            parents.push(parent);
            let is_switch = matches!(function.blocks[block].terminator, Terminator::Switch { .. });
            let (arms, joins): (Vec<Block>, Vec<Block>) =
                dominators.children(block).partition(|&child| {
                    let mut predecessors =
                        cfg.predecessors(child).filter(|&from| cfg.is_reachable(from));
                    if is_switch {
                        predecessors.all(|from| from == block)
                    } else {
                        predecessors.next() == Some(block) && predecessors.next().is_none()
                    }
                });
            steps.push(Step::Leave(number));
            steps.extend(joins.iter().rev().map(|&child| Step::Enter(child, number, false)));
            steps.extend(arms.iter().rev().map(|&child| Step::Enter(child, number, true)));
            tree.arms.push(arms);
            tree.joins.push(joins);
        }
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); count];
        for number in 0..count {
            let targets: Vec<u32> = cfg
                .successors(tree.blocks[number])
                .map(|target| tree.numbers[target.index()])
                .collect();
            for &target in &targets {
                sources[target as usize].push(number as u32);
            }
            tree.targets.push(targets);
        }
        for number in (0..count).rev() {
            let own = tree.targets[number].iter().copied().max().unwrap_or(0);
            tree.farthest[number] = tree.farthest[number].max(own);
            if parents[number] != NONE {
                let parent = parents[number] as usize;
                tree.farthest[parent] = tree.farthest[parent].max(tree.farthest[number]);
            }
        }
        // Destinations in ascending order paint the subtrees that they are outside of; what has
        // its colour is skipped.
        let mut unpainted: Vec<u32> = (0..count as u32 + 1).collect();
        for (target, sources) in sources.iter().enumerate().skip(1) {
            let dominator = parents[target];
            for &source in sources {
                let mut at = find(&mut unpainted, source);
                while at != NONE && at as usize != count && at > dominator {
                    tree.nearest[at as usize] = target as u32;
                    unpainted[at as usize] = parents[at as usize];
                    at = find(&mut unpainted, at);
                }
            }
        }
        for number in (0..count).rev() {
            tree.nesting[number] = tree.nests(router, loops, number);
        }
        tree
    }

    pub fn number(&self, block: Block) -> u32 {
        self.numbers.get(block.index()).copied().unwrap_or(NONE)
    }

    pub fn leaves(&self, number: u32) -> bool {
        self.farthest[number as usize] >= self.ends[number as usize]
    }

    /// How deep constructs nest in what a block dominates; its arms alone are kept in `nesting`
    /// of the decisions that have joins, which ask.
    fn nests(&self, router: &Router<'_>, loops: &Loops, number: usize) -> u32 {
        let block = self.blocks[number];
        let of = |child: &Block| self.nesting[self.number(*child) as usize];
        let arms = self.arms[number].iter().map(of).max().unwrap_or(0);
        match router.function.blocks[block].terminator {
            Terminator::None | Terminator::Return(_) | Terminator::Unreachable => 0,
            Terminator::Jump(_)
                if loops.headers.get(block.index()).is_some_and(Option::is_some) =>
            {
                arms + 1
            }
            Terminator::Jump(_) => arms,
            Terminator::Branch { .. } | Terminator::Switch { .. } => {
                let mut depth = self.arms_nesting(number);
                let mut farthest = self.targets[number].iter().copied().max().unwrap_or(0).max(
                    self.arms[number]
                        .iter()
                        .map(|&arm| self.farthest[self.number(arm) as usize])
                        .max()
                        .unwrap_or(0),
                );
                for &join in &self.joins[number] {
                    let join = self.number(join);
                    let guarded = u32::from(farthest > join);
                    depth = depth.max(self.nesting[join as usize] + guarded);
                    farthest = farthest.max(self.farthest[join as usize]);
                }
                depth
            }
        }
    }

    /// The nesting of a decision's arms.
    pub fn arms_nesting(&self, number: usize) -> u32 {
        let depths: Vec<u32> =
            self.arms[number].iter().map(|&arm| self.nesting[self.number(arm) as usize]).collect();
        let most = depths.iter().copied().max().unwrap_or(0);
        let stays = |arm: &&Block| !self.leaves(self.number(**arm));
        if self.joins[number].is_empty()
            && self.arms[number].len() == 2
            && self.arms[number].iter().any(|arm| stays(&arm))
        {
            return most.max(depths.iter().copied().min().unwrap_or(0) + 1);
        }
        most + 1
    }
}

fn find(above: &mut [u32], mut at: u32) -> u32 {
    while at != NONE && above[at as usize] != at {
        let next = above[at as usize];
        if next != NONE {
            above[at as usize] = above[next as usize];
        }
        at = next;
    }
    at
}
