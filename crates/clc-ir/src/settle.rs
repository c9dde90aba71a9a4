//! Keeps what is known of variables right where a pass has changed a function.

use clc_base::arena::Id as _;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::debug::{Holds, Position, Snapshot};
use crate::{Block, Cfg, Dominators, Function, Inst, Module, PostDominators, Value, ValueDef};

impl Snapshot {
    /// `None` if nothing depends on positions in the function.
    fn new(function: &Function) -> Option<Snapshot> {
        if function.is_declaration() || function.debug.as_ref()?.values.is_empty() {
            return None;
        }
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        let post_dominators = PostDominators::new(function, &cfg);
        let layout = function.layout.iter();
        let insts = layout.map(|&block| (block, function.blocks[block].insts.clone())).collect();
        Some(Snapshot { cfg, dominators, post_dominators, insts })
    }
}

/// Runs something that changes functions. What the functions say of variables of the source follows, if
/// there is debug information.
pub fn tracked<R>(module: &mut Module, work: impl FnOnce(&mut Module) -> R) -> R {
    if module.debug.is_none() {
        return work(module);
    }
    for function in module.functions.values_mut() {
        let before = Snapshot::new(function);
        if let Some(debug) = &mut function.debug {
            debug.before = before.map(Box::new);
        }
    }
    let result = work(module);
    for function in module.functions.values_mut() {
        settle(function);
    }
    result
}

/// Moves what `function` says of variables to where it is true after a pass, and forgets what is
/// nowhere true.
///
/// An entry stays before the instruction that it was before, or before the next that is left. The
/// instructions of a block that has gone are in another where they ran whenever those of the other
/// did, or else its entries go: then the variables are not known where control went on.
fn settle(function: &mut Function) {
    let Some(mut debug) = function.debug.take() else { return };
    let before = debug.before.take();
    if !function.is_declaration() {
        if let Some(before) = before {
            let settler = Settler::new(&before, function, std::mem::take(&mut debug.replaced));
            debug.values = settler.values(&debug.values);
        }
        forget(function, &mut debug.values);
        let homes = homes(function);
        debug.memory.retain(|entry| match function.def(entry.address) {
            Some(ValueDef::Inst(inst)) => homes[inst.index()].is_some(),
            Some(ValueDef::Param(block, _)) => block == function.entry(),
            None => false,
        });
    }
    function.debug = Some(debug);
}

/// By instruction: the block it is in.
fn homes(function: &Function) -> Vec<Option<Block>> {
    let mut homes = vec![None; function.insts.len()];
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            homes[inst.index()] = Some(block);
        }
    }
    homes
}

/// Says of entries whose values are not there where they stand that the variables are not known.
fn forget(function: &Function, values: &mut Vec<Holds>) {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let mut places = vec![(None, 0); function.insts.len()];
    for &block in &function.layout {
        for (index, &inst) in function.blocks[block].insts.iter().enumerate() {
            places[inst.index()] = (Some(block), index);
        }
    }
    let is_available = |value: Value, at: Position| {
        let Some(index) = value.as_local() else { return true };
        if index >= function.values.len() {
            return false;
        }
        match function.values[index].def {
            ValueDef::Param(block, index) => {
                function.blocks[block].params.get(index as usize) == Some(&value)
                    && dominators.dominates(block, at.block)
            }
            ValueDef::Inst(inst) => {
                if function.insts[inst].result != Some(value) {
                    return false;
                }
                match places[inst.index()] {
                    (Some(block), index) if block == at.block => {
                        at.before.is_none_or(|next| index < places[next.index()].1)
                    }
                    (Some(block), _) => dominators.dominates(block, at.block),
                    (None, _) => false,
                }
            }
        }
    };
    values.retain(|entry| cfg.is_reachable(entry.at.block));
    for entry in values.iter_mut() {
        // A copy of a function that was changed after it was made.
        if entry.at.before.is_some_and(|next| places[next.index()].0 != Some(entry.at.block)) {
            entry.at.before = None;
            entry.value = None;
        }
        entry.value = entry.value.filter(|&value| is_available(value, entry.at));
    }
    // Nothing has to be forgotten of what was never known.
    let known: FxHashSet<_> = values
        .iter()
        .filter(|entry| entry.value.is_some())
        .map(|entry| (entry.subject.variable, entry.subject.place))
        .collect();
    values.retain(|entry| known.contains(&(entry.subject.variable, entry.subject.place)));
    // An entry that another of the same variable follows at the same position has no effect.
    let mut last = FxHashMap::default();
    for (index, entry) in values.iter().enumerate() {
        last.insert((entry.subject, entry.at), index);
    }
    let mut index = 0;
    values.retain(|entry| {
        index += 1;
        last[&(entry.subject, entry.at)] == index - 1
    });
}

/// A place in the function of before.
type Order = (usize, usize);

struct Settler<'a> {
    before: &'a Snapshot,
    function: &'a Function,
    is_live: FxHashSet<Block>,
    old: FxHashMap<Block, Old>,
    /// By instruction: where it was before, if it was anywhere.
    places: Vec<Option<(Block, usize)>>,
}

/// A block of before.
struct Old {
    /// [`Settler::home`].
    home: Option<Block>,
    /// By index in the block and behind its end: the first instruction from there on that is left at home or in a block that
    /// is new, with what it is now.
    left: Vec<Option<(Block, Inst)>>,
}

impl<'a> Settler<'a> {
    fn new(
        before: &'a Snapshot,
        function: &'a Function,
        replaced: FxHashMap<Inst, Inst>,
    ) -> Settler<'a> {
        let is_live = function.layout.iter().copied().collect();
        let mut settler = Settler {
            before,
            function,
            is_live,
            old: FxHashMap::default(),
            places: vec![None; function.insts.len()],
        };
        let homes = homes(function);
        for (&block, insts) in &before.insts {
            let home = settler.find_home(block);
            let mut left = vec![None; insts.len() + 1];
            for (index, inst) in insts.iter().enumerate().rev() {
                settler.places[inst.index()] = Some((block, index));
                let inst = replaced.get(inst).copied().unwrap_or(*inst);
                let now = homes[inst.index()];
                let is_left = |&now: &Block| Some(now) == home || !before.insts.contains_key(&now);
                left[index] = now.filter(is_left).map(|now| (now, inst)).or(left[index + 1]);
            }
            settler.old.insert(block, Old { home, left });
        }
        settler
    }

    /// The place of a position of before in its block.
    fn index(&self, at: Position) -> Option<usize> {
        match at.before {
            Some(next) => {
                let (block, index) = self.places[next.index()]?;
                (block == at.block).then_some(index)
            }
            None => Some(self.before.insts.get(&at.block)?.len()),
        }
    }

    fn values(&self, old: &[Holds]) -> Vec<Holds> {
        let mut new = Vec::new();
        let mut by_block: FxHashMap<Block, Vec<Holds>> = FxHashMap::default();
        // What is left of the old entries, by where it was in the function of before: several positions
        // may be one now.
        let mut moved: Vec<(Order, Holds)> = Vec::new();
        for &entry in old {
            let block = entry.at.block;
            let Some(index) = self.index(entry.at) else {
                // The pass has put it there.
                new.push(entry);
                continue;
            };
            by_block.entry(block).or_default().push(entry);
            match self.moved(entry.at) {
                Some(at) => moved.push((self.order(block, index + 1), Holds { at, ..entry })),
                None => self.lose(entry, &mut moved),
            }
        }
        self.skipped(&by_block, &mut moved);
        moved.sort_by_key(|&(order, _)| order);
        moved.into_iter().map(|(_, entry)| entry).chain(new).collect()
    }

    /// Before everything that a block of before says, or by the number of an instruction and one.
    fn order(&self, block: Block, index: usize) -> Order {
        (self.before.cfg.position(block).unwrap_or(usize::MAX), index)
    }

    /// The block that has what a block of before had, which ran whenever that one did.
    fn home(&self, block: Block) -> Option<Block> {
        self.old.get(&block)?.home
    }

    fn find_home(&self, block: Block) -> Option<Block> {
        let before = self.before;
        let mut home = block;
        while !self.is_live.contains(&home) {
            home = before.dominators.immediate_dominator(home)?;
        }
        let mut after = home;
        while after != block {
            after = before.post_dominators.immediate_post_dominator(after)?;
        }
        Some(home)
    }

    /// Where a position is now.
    fn moved(&self, at: Position) -> Option<Position> {
        let home = self.home(at.block)?;
        let mut block = at.block;
        let mut index = self.index(at)?;
        let mut seen = FxHashSet::default();
        loop {
            if let Some((now, inst)) = self.old[&block].left[index] {
                return Some(Position { block: now, before: Some(inst) });
            }
            // On to the block that ran after it, if that is part of the same block now.
            let next = self.before.post_dominators.immediate_post_dominator(block);
            let next = next.filter(|&next| !self.is_live.contains(&next) && seen.insert(next));
            let Some(next) = next.filter(|&next| self.home(next) == Some(home)) else {
                return Some(Position { block: home, before: None });
            };
            block = next;
            index = 0;
        }
    }

    /// The first position of a block of before.
    fn start(&self, block: Block) -> Option<Position> {
        let before = self.before.insts[&block].first().copied();
        self.moved(Position { block, before })
    }

    /// The block of `entry` runs no more as a whole: where control went on from it, the variable is
    /// not known.
    fn lose(&self, entry: Holds, lost: &mut Vec<(Order, Holds)>) {
        let mut seen = FxHashSet::default();
        let mut work = vec![entry.at.block];
        while let Some(block) = work.pop() {
            for next in self.before.cfg.successors(block) {
                if !seen.insert(next) {
                    continue;
                }
                match self.start(next) {
                    Some(at) => {
                        lost.push((self.order(next, 0), Holds { at, value: None, ..entry }));
                    }
                    None => work.push(next),
                }
            }
        }
    }

    /// Where control goes past blocks that it went through before, what they said does not hold.
    fn skipped(&self, entries: &FxHashMap<Block, Vec<Holds>>, lost: &mut Vec<(Order, Holds)>) {
        for &block in &self.function.layout {
            if !self.before.insts.contains_key(&block) {
                continue;
            }
            for next in self.next_old(block) {
                // Blocks whose instructions `block` has now were not skipped.
                let mut from: FxHashSet<Block> = FxHashSet::default();
                let mut last = block;
                while let Some(after) = self.before.post_dominators.immediate_post_dominator(last)
                    && !self.is_live.contains(&after)
                    && self.home(after) == Some(block)
                {
                    from.insert(after);
                    last = after;
                }
                if self.before.cfg.successors(last).any(|old| old == next) {
                    continue;
                }
                let mut seen = from;
                let mut work = vec![block];
                work.extend(seen.iter().copied());
                let Some(at) = self.start(next) else { continue };
                while let Some(block) = work.pop() {
                    for old in self.before.cfg.successors(block) {
                        if old == next || !seen.insert(old) {
                            continue;
                        }
                        work.push(old);
                        let entries = entries.get(&old).into_iter().flatten();
                        let order = self.order(next, 0);
                        lost.extend(
                            entries.map(|entry| (order, Holds { at, value: None, ..*entry })),
                        );
                    }
                }
            }
        }
    }

    /// The blocks of before where control goes next, directly or through new blocks.
    fn next_old(&self, block: Block) -> Vec<Block> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut work = vec![block];
        while let Some(block) = work.pop() {
            for target in self.function.blocks[block].terminator.targets() {
                if !seen.insert(target.block) {
                    continue;
                }
                match self.before.insts.contains_key(&target.block) {
                    true => found.push(target.block),
                    false => work.push(target.block),
                }
            }
        }
        found
    }
}
