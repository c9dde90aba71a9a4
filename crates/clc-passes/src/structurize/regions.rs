//! Places merge blocks in what is acyclic once loops count as steps.
//!
//! The blocks are numbered in a preorder of the dominator tree in which each block's arms come
//! before the joins behind it, so that a subtree is a range of numbers and every edge ascends. An
//! edge leaves a subtree if it goes to a number past its end.

use clc_base::Id;
use clc_ir::{
    Block, BlockCall, Cfg, CompareOp, Dominators, Merge, SwitchCase, Terminator, ValueList,
};

use super::loops::Loops;
use super::router::{Router, plain};

const NONE: u32 = u32::MAX;

/// Constructs that nest deeper than this in the arms of a branch are left by breaking out of a
/// switch around the branch, so that a long row of `goto`s to one label nests once.
const DEEP: u32 = 64;

/// Where jumps go that leave a construct.
#[derive(Clone, Copy)]
struct Exit {
    block: Block,
    /// The only destination, whose arguments `block` takes; otherwise the note decides.
    only: Option<Block>,
}

/// A switch that jumps to numbers from `end` on may break out of.
#[derive(Clone, Copy)]
struct Scope {
    exit: Exit,
    end: u32,
}

/// What is around a block.
#[derive(Clone, Copy, Default)]
struct Context {
    /// Where the construct around merges; none at the top of a function or loop, and in arms that
    /// leave in other ways.
    fall: Option<Exit>,
    scope: Option<Scope>,
}

impl Context {
    fn end(self) -> u32 {
        self.scope.map_or(NONE, |scope| scope.end)
    }
}

pub(super) fn run(router: &mut Router<'_>, loops: &Loops) {
    separate_branches(router);
    crate::simplify_cfg::remove_unreachable(router.function);
    // Exits that nobody jumps to are blocks all the same.
    let mut in_layout = vec![false; router.function.blocks.len()];
    for block in &router.function.layout {
        in_layout[block.index()] = true;
    }
    for &(exit, _) in loops.headers.iter().flatten() {
        if !in_layout[exit.index()] {
            router.function.layout.push(exit);
        }
    }
    let tree = Tree::new(router, loops);
    let mut scoped = tree.farthest.clone();
    let mut work = vec![(router.function.entry(), Context::default())];
    let mut regions = Regions { router, loops, tree: &tree, scoped: &mut scoped, work: &mut work };
    while let Some((block, context)) = regions.work.pop() {
        regions.block(block, context);
    }
}

/// A branch has two destinations.
fn separate_branches(router: &mut Router<'_>) {
    for index in 0..router.function.layout.len() {
        let block = router.function.layout[index];
        let span = router.function.blocks[block].span;
        if let Terminator::Branch { then, otherwise, .. } = router.function.blocks[block].terminator
            && then.block == otherwise.block
        {
            let edge = router.block_with(span, Terminator::Jump(then));
            if let Terminator::Branch { then, .. } = &mut router.function.blocks[block].terminator {
                *then = plain(edge);
            }
        }
    }
}

/// The dominator tree and where edges lead, by number.
struct Tree {
    /// By block; `NONE` for blocks made later.
    numbers: Vec<u32>,
    blocks: Vec<Block>,
    /// One past the last number of the subtree.
    ends: Vec<u32>,
    arms: Vec<Vec<Block>>,
    /// Whether the block is an arm of the one that immediately dominates it.
    is_arm: Vec<bool>,
    joins: Vec<Vec<Block>>,
    /// The destinations of each block's edges; ends of loops aside.
    targets: Vec<Vec<u32>>,
    /// The greatest number that an edge from the subtree goes to; 0 for none.
    farthest: Vec<u32>,
    /// The least number past the subtree that an edge from it goes to; `NONE` for none.
    nearest: Vec<u32>,
    /// How deep constructs nest in a block's arms, if nothing is done about it.
    nesting: Vec<u32>,
}

impl Tree {
    fn new(router: &Router<'_>, loops: &Loops) -> Tree {
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
                dominators.children(block).iter().partition(|&&child| {
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

    fn number(&self, block: Block) -> u32 {
        self.numbers.get(block.index()).copied().unwrap_or(NONE)
    }

    fn leaves(&self, number: u32) -> bool {
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
    fn arms_nesting(&self, number: usize) -> u32 {
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

struct Regions<'r, 'a, 't> {
    router: &'r mut Router<'a>,
    loops: &'t Loops,
    tree: &'t Tree,
    /// As [`Tree::farthest`], of the edges alone that do not break out of the switch around.
    scoped: &'t mut Vec<u32>,
    work: &'t mut Vec<(Block, Context)>,
}

impl Regions<'_, '_, '_> {
    fn is_end(&self, block: Block) -> bool {
        self.loops.is_end.get(block.index()).is_some_and(|&end| end)
    }

    /// Whether `child`, a destination of the block with this number, is its arm.
    fn is_arm(&self, number: u32, child: Block) -> bool {
        let child = self.tree.number(child);
        child < self.tree.ends[number as usize] && self.tree.is_arm[child as usize]
    }

    fn block(&mut self, block: Block, context: Context) {
        let number = self.tree.number(block);
        if let Some((exit, latch)) = self.loops.headers.get(block.index()).copied().flatten() {
            self.router.function.blocks[block].merge =
                Some(Merge::Loop { merge: exit, continue_target: latch });
            self.work.push((exit, context));
            if let Terminator::Jump(target) = self.router.function.blocks[block].terminator
                && !self.is_end(target.block)
            {
                self.work.push((target.block, Context::default()));
            }
            return;
        }
        match self.router.function.blocks[block].terminator {
            Terminator::None | Terminator::Return(_) | Terminator::Unreachable => {}
            Terminator::Jump(target) => {
                if self.is_end(target.block) {
                    return;
                }
                let child = self.tree.number(target.block);
                if child < self.tree.ends[number as usize] {
                    self.work.push((target.block, context));
                } else {
                    self.leave(block, target, context);
                }
            }
            Terminator::Branch { .. } | Terminator::Switch { .. } => {
                self.decide(block, number, context);
            }
        }
    }

    /// Which way a jump out takes; none if there is no construct to leave.
    fn exit(&self, target: Block, context: Context) -> Option<Exit> {
        match context.scope {
            Some(scope) if self.tree.number(target) >= scope.end => Some(scope.exit),
            _ => context.fall,
        }
    }

    /// Ends `from` with a jump to something outside of its construct.
    fn leave(&mut self, from: Block, call: BlockCall, context: Context) {
        let Some(exit) = self.exit(call.block, context) else {
            debug_assert!(false, "a jump out of nothing");
            return;
        };
        let call = if exit.only.is_some() {
            BlockCall { block: exit.block, arguments: call.arguments }
        } else {
            self.router.store_arguments(from, call.block, call.arguments);
            self.router.write_note(from, self.tree.number(call.block));
            plain(exit.block)
        };
        self.router.function.blocks[from].terminator = Terminator::Jump(call);
    }

    /// Ends `from`, where the note is written already, with a jump to `exit`.
    fn pass_on(&mut self, from: Block, exit: Exit) {
        let arguments = match exit.only {
            Some(target) => self.router.load_arguments(from, target),
            None => ValueList::EMPTY,
        };
        self.router.function.blocks[from].terminator =
            Terminator::Jump(BlockCall { block: exit.block, arguments });
    }

    /// A merge block behind which nothing of the construct comes, with `fewest` and `most` the
    /// numbers that jumps through it go to.
    fn pass(&mut self, node: Block, nearest: u32, farthest: u32, context: Context) -> Exit {
        let span = self.router.function.blocks[node].span;
        if nearest == NONE || nearest > farthest {
            let block = self.router.block_with(span, Terminator::Unreachable);
            return Exit { block, only: None };
        }
        if nearest == farthest {
            let target = self.tree.blocks[nearest as usize];
            let block = self.router.block_like(target);
            let arguments = self.router.own_params(block);
            self.leave(block, BlockCall { block: target, arguments }, context);
            return Exit { block, only: Some(target) };
        }
        let block = self.router.new_block(span);
        match (context.scope, context.fall) {
            (Some(scope), None) => self.pass_on(block, scope.exit),
            (Some(scope), Some(_)) if nearest >= scope.end => self.pass_on(block, scope.exit),
            (Some(scope), Some(fall))
                if farthest >= scope.end && fall.block != scope.exit.block =>
            {
                // Some break out, some do not.
                let (near, far) = (self.router.new_block(span), self.router.new_block(span));
                self.pass_on(near, fall);
                self.pass_on(far, scope.exit);
                let note = self.router.read_note(block);
                let condition = self.router.compare(block, CompareOp::ULess, note, scope.end);
                let data = &mut self.router.function.blocks[block];
                data.terminator =
                    Terminator::Branch { condition, then: plain(near), otherwise: plain(far) };
                data.merge = Some(Merge::Selection { merge: near });
            }
            (_, Some(fall)) => self.pass_on(block, fall),
            (None, None) => debug_assert!(false, "a jump out of nothing"),
        }
        Exit { block, only: None }
    }

    /// The greatest number below the scope's end that an edge of the block itself goes to.
    fn own_farthest(&self, number: u32, end: u32) -> u32 {
        let targets = self.tree.targets[number as usize].iter();
        targets.copied().filter(|&target| target < end).max().unwrap_or(0)
    }

    fn decide(&mut self, block: Block, number: u32, context: Context) {
        let tree = self.tree;
        let index = number as usize;
        let is_switch =
            matches!(self.router.function.blocks[block].terminator, Terminator::Switch { .. });
        let joins = &tree.joins[index];
        let opens = !is_switch && !joins.is_empty() && tree.arms_nesting(index) > DEEP;
        if !is_switch && joins.is_empty() {
            self.branch(block, number, context);
            return;
        }
        // All ways out of the arms lead through the merge block, if that hides what is around.
        let hides = is_switch || opens;
        let mut farthest = if hides {
            let arms = tree.arms[index].iter().map(|&arm| tree.farthest[tree.number(arm) as usize]);
            arms.max().unwrap_or(0).max(self.own_farthest(number, NONE))
        } else {
            let arms = tree.arms[index].iter().map(|&arm| self.scoped[tree.number(arm) as usize]);
            arms.max().unwrap_or(0).max(self.own_farthest(number, context.end()))
        };
        // The merge blocks, last first: what follows a join is known when the join is placed.
        let mut guarded = Vec::with_capacity(joins.len());
        for &join in joins {
            let join = tree.number(join);
            guarded.push(farthest > join);
            farthest = farthest.max(self.scoped[join as usize]);
        }
        let span = self.router.function.blocks[block].span;
        let mut next: Option<Exit> = None;
        let last_is_guarded = guarded.last().is_none_or(|&last| last);
        if last_is_guarded {
            let (nearest, most) = if hides {
                (tree.nearest[index], tree.farthest[index])
            } else {
                (tree.nearest[index], self.scoped[index])
            };
            let none = most < tree.ends[index];
            next = Some(self.pass(block, if none { NONE } else { nearest }, most, context));
        }
        for (&join, &guarded) in joins.iter().zip(&guarded).rev() {
            let Some(after) = next else {
                self.work.push((join, context));
                next = Some(Exit { block: join, only: Some(join) });
                continue;
            };
            if !guarded {
                // Cannot be: what comes later is reached from before this join.
                debug_assert!(false, "a join in the middle is not guarded");
            }
            let guard = self.router.new_block(span);
            let note = self.router.read_note(guard);
            let join_number = tree.number(join);
            let then = plain(self.router.landing(join));
            let otherwise = match after.only {
                Some(target) if !self.router.function.blocks[target].params.is_empty() => {
                    let landing = self.router.new_block(span);
                    self.pass_on(landing, after);
                    plain(landing)
                }
                _ => plain(after.block),
            };
            let mut inner = Context { fall: Some(after), scope: context.scope };
            let terminator = if tree.nesting[join_number as usize] > DEEP {
                // A switch, so that what is deep inside can break out of it.
                let end = tree.ends[join_number as usize];
                self.rescope(join_number, end);
                inner.scope = Some(Scope { exit: after, end });
                let cases = vec![SwitchCase { value: u64::from(join_number), target: then }];
                Terminator::Switch { selector: note, default: otherwise, cases }
            } else {
                let condition = self.router.compare(guard, CompareOp::Equal, note, join_number);
                Terminator::Branch { condition, then, otherwise }
            };
            let data = &mut self.router.function.blocks[guard];
            data.terminator = terminator;
            data.merge = Some(Merge::Selection { merge: after.block });
            self.work.push((join, inner));
            next = Some(Exit { block: guard, only: None });
        }
        let Some(merge) = next else { return };
        if !hides {
            let inner = Context { fall: Some(merge), scope: context.scope };
            self.head(block, number, merge.block, inner);
            return;
        }
        let end = joins.first().map_or(tree.ends[index], |&join| tree.number(join));
        self.rescope(number + 1, end);
        let scope = Some(Scope { exit: merge, end });
        let inner = Context { fall: Some(merge), scope };
        if is_switch {
            self.head(block, number, merge.block, inner);
            return;
        }
        let terminator = std::mem::take(&mut self.router.function.blocks[block].terminator);
        let body = self.router.block_with(span, terminator);
        let selector = self.router.number(0);
        let data = &mut self.router.function.blocks[block];
        data.terminator = Terminator::Switch { selector, default: plain(body), cases: Vec::new() };
        data.merge = Some(Merge::Selection { merge: merge.block });
        self.branch(body, number, inner);
    }

    /// Forgets edges from the numbers `from..end` to `end` and beyond, which break out now.
    fn rescope(&mut self, from: u32, end: u32) {
        for number in (from..end).rev() {
            let mut farthest = self.own_farthest(number, end);
            let children = self.tree.arms[number as usize].iter();
            for &child in children.chain(&self.tree.joins[number as usize]) {
                farthest = farthest.max(self.scoped[self.tree.number(child) as usize]);
            }
            self.scoped[number as usize] = farthest;
        }
    }

    /// Writes the selection of `block`, whose arms are those of `number`.
    fn head(&mut self, block: Block, number: u32, merge: Block, inner: Context) {
        let span = self.router.function.blocks[block].span;
        let mut terminator = std::mem::take(&mut self.router.function.blocks[block].terminator);
        let is_switch = matches!(terminator, Terminator::Switch { .. });
        let mut made: rustc_hash::FxHashMap<Block, Block> = Default::default();
        for target in terminator.targets_mut() {
            if self.is_end(target.block) {
                if is_switch {
                    let jump = Terminator::Jump(*target);
                    let edge = *made
                        .entry(target.block)
                        .or_insert_with(|| self.router.block_with(span, jump));
                    *target = plain(edge);
                }
                continue;
            }
            if self.is_arm(number, target.block) {
                if made.insert(target.block, target.block).is_none() {
                    self.work.push((target.block, inner));
                }
                continue;
            }
            let exit = self.exit(target.block, inner);
            match exit {
                Some(exit) if exit.only.is_some() && (!is_switch || exit.block == merge) => {
                    target.block = exit.block;
                }
                _ => {
                    let edge = match made.get(&target.block) {
                        Some(&edge) if is_switch => edge,
                        _ => {
                            let edge = self.router.new_block(span);
                            self.leave(edge, *target, inner);
                            made.insert(target.block, edge);
                            edge
                        }
                    };
                    *target = plain(edge);
                }
            }
        }
        if let Terminator::Branch { then, otherwise, .. } = &mut terminator
            && then.block == otherwise.block
        {
            *then = plain(self.router.block_with(span, Terminator::Jump(*then)));
        }
        let data = &mut self.router.function.blocks[block];
        data.terminator = terminator;
        data.merge = Some(Merge::Selection { merge });
    }

    /// A branch without joins behind it: where one side goes its own way, the other is what
    /// follows.
    fn branch(&mut self, block: Block, number: u32, context: Context) {
        let tree = self.tree;
        let Terminator::Branch { then, otherwise, .. } =
            self.router.function.blocks[block].terminator
        else {
            return;
        };
        let sides = [then, otherwise];
        let arm = sides.map(|side| !self.is_end(side.block) && self.is_arm(number, side.block));
        let direct = [0, 1].map(|side| {
            let target = sides[side].block;
            if self.is_end(target) {
                true
            } else if arm[side] {
                let target = tree.number(target);
                self.scoped[target as usize] < tree.ends[target as usize]
            } else {
                tree.number(target) >= context.end()
            }
        });
        let size = |side: usize| match arm[side] {
            true => {
                let target = tree.number(sides[side].block);
                tree.ends[target as usize] - target
            }
            false => 0,
        };
        let last = match direct {
            [true, false] => 1,
            [false, true] => 0,
            [true, true] => usize::from(size(1) >= size(0)),
            [false, false] => {
                let (nearest, farthest) = (tree.nearest[number as usize], self.own_reach(number));
                let merge = self.pass(block, nearest, farthest, context);
                let inner = Context { fall: Some(merge), scope: context.scope };
                self.head(block, number, merge.block, inner);
                return;
            }
        };
        let first = 1 - last;
        let span = self.router.function.blocks[block].span;
        let aside = Context { fall: None, scope: context.scope };
        let mut ways = sides;
        // The side that is left for good.
        if arm[first] {
            self.work.push((sides[first].block, aside));
        } else if !self.is_end(sides[first].block) {
            let edge = self.router.new_block(span);
            self.leave(edge, sides[first], aside);
            ways[first] = plain(edge);
        }
        // The side that follows.
        if arm[last] {
            self.work.push((sides[last].block, context));
        } else {
            let edge = self.router.new_block(span);
            if self.is_end(sides[last].block) {
                self.router.function.blocks[edge].terminator = Terminator::Jump(sides[last]);
            } else {
                self.leave(edge, sides[last], context);
            }
            ways[last] = plain(edge);
        }
        let merge = ways[last].block;
        let data = &mut self.router.function.blocks[block];
        data.merge = Some(Merge::Selection { merge });
        if let Terminator::Branch { then, otherwise, .. } = &mut data.terminator {
            [*then, *otherwise] = ways;
        }
    }

    /// The farthest that a branch without joins goes without breaking out.
    fn own_reach(&self, number: u32) -> u32 {
        self.scoped[number as usize]
    }
}
