//! Places merge blocks in what is acyclic once loops count as steps.
//!
//! The blocks are numbered in a preorder of the dominator tree in which each block's arms come
//! before the joins behind it, so that a subtree is a range of numbers and every edge ascends. An
//! edge leaves a subtree if it goes to a number past its end.

use clc_base::Id;
use clc_ir::{Block, BlockCall, CompareOp, Merge, SwitchCase, Terminator, ValueList};

use super::loops::Loops;
use super::router::{Router, plain};
use super::tree::{NONE, Tree};

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
    // Exits without a jump to them are blocks all the same.
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
        let span = router.function.blocks[block].location;
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
        let span = self.router.function.blocks[node].location;
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
        let span = self.router.function.blocks[block].location;
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
        let span = self.router.function.blocks[block].location;
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
        let span = self.router.function.blocks[block].location;
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
