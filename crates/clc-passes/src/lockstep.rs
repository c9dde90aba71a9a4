//! Which values are the same for all work-items that are at the same place at the same time.
//!
//! Devices take the work-items of a wave through a loop together, turn by turn. What counts the turns is the same for
//! all that are still in the loop, though some leave it before others; behind it, it differs. `convergence` looks at
//! what is the same whenever it is asked for, and says of such a counter that it is not. Like there, what is found is
//! a guess about speed and never about meaning.

use clc_base::Id;
use clc_ir::{Block, Cfg, Dominators, Function, InstKind, TypePool, Value, ValueDef};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::convergence::{is_private, is_source, varying_values};
use crate::counted;
use crate::stored_before::{base, stored_before};

/// Rounds of looking at the whole function, each of which finds values that depend on what the one before has found.
const ROUNDS: usize = 8;

/// For each block of a function, steps of finding the loops that it is in.
const LOOP_STEPS: usize = 16;

/// What differs between work-items at one place.
pub struct Lockstep<'a> {
    function: &'a Function,
    /// By local value: whether it differs where it is computed.
    differs: Vec<bool>,
    /// By local value: whether it may differ at all.
    varies: Vec<bool>,
    /// By local value: the block that it is computed in.
    homes: Vec<Block>,
    loops: Loops,
    /// Variables that hold the same for all where it is loaded, as far as is found.
    alike: FxHashSet<Value>,
}

impl<'a> Lockstep<'a> {
    /// Of a function that all work-items call together; nothing where that would take long.
    pub fn new(types: &TypePool, function: &'a Function, cfg: &Cfg) -> Option<Lockstep<'a>> {
        let varies = varying_values(types, function, cfg);
        let dominators = Dominators::new(cfg);
        let loops = Loops::new(function, cfg, &dominators, &varies)?;
        let alike = stored_before(function, cfg, &dominators).into_keys().collect();
        let mut found = Lockstep {
            function,
            differs: vec![false; function.values.len()],
            varies,
            homes: homes(function),
            loops,
            alike,
        };
        for _ in 0..ROUNDS {
            let mut has_changed = false;
            for &block in cfg.reverse_post_order() {
                has_changed |= found.block(types, cfg, block);
            }
            if !has_changed {
                return Some(found);
            }
        }
        None
    }

    /// Whether a value differs between work-items that are in `block` together.
    pub fn differs(&self, value: Value, block: Block) -> bool {
        value.as_local().is_some_and(|index| {
            self.differs[index]
                || self.varies[index] && self.loops.are_left_apart(self.homes[index], block)
        })
    }

    fn block(&mut self, types: &TypePool, cfg: &Cfg, block: Block) -> bool {
        let function = self.function;
        let mut has_changed = false;
        for &param in &function.blocks[block].params {
            let differs = self.param(cfg, block, param);
            has_changed |= self.note(param, differs);
        }
        for &inst in &function.blocks[block].insts {
            let data = &function.insts[inst];
            let mut differs = match data.kind {
                InstKind::Load { pointer, .. } => {
                    is_private(types, function, pointer) && !self.is_alike(pointer)
                }
                ref kind => is_source(types, function, kind),
            };
            function.each_operand(inst, |operand| differs |= self.differs(operand, block));
            has_changed |= match (data.result, &data.kind) {
                (Some(result), _) => self.note(result, differs),
                (None, &InstKind::Store { pointer, .. }) if differs => {
                    self.alike.remove(&base(function, pointer))
                }
                (None, _) => false,
            };
        }
        has_changed
    }

    fn note(&mut self, value: Value, differs: bool) -> bool {
        let Some(index) = value.as_local().filter(|_| differs) else { return false };
        !std::mem::replace(&mut self.differs[index], true)
    }

    /// Whether what a block is given differs: it does where work-items come to it by different ways with different
    /// values. To a loop they come together, and from turn to turn.
    fn param(&self, cfg: &Cfg, block: Block, param: Value) -> bool {
        let Some(index) = param.as_local().filter(|&index| self.varies[index]) else {
            return false;
        };
        let ValueDef::Param(_, place) = self.function.values[index].def else { return true };
        if cfg.predecessors(block).next().is_none() {
            return true;
        }
        let mut on_entry = None;
        let mut on_return = None;
        for from in cfg.predecessors(block) {
            let known = match self.loops.is_inside(from, block) {
                true => &mut on_return,
                false => &mut on_entry,
            };
            for target in self.function.blocks[from].terminator.targets() {
                if target.block != block {
                    continue;
                }
                let argument = self.function.value_at(target.arguments, place as usize);
                if self.differs(argument, from)
                    || known.replace(argument).is_some_and(|other| other != argument)
                {
                    return true;
                }
            }
        }
        false
    }

    fn is_alike(&self, pointer: Value) -> bool {
        let base = base(self.function, pointer);
        base.is_const() || self.alike.contains(&base)
    }
}

/// By local value.
fn homes(function: &Function) -> Vec<Block> {
    let mut homes = vec![function.entry(); function.values.len()];
    let mut note = |value: Value, block: Block| {
        if let Some(index) = value.as_local() {
            homes[index] = block;
        }
    };
    for &block in &function.layout {
        let data = &function.blocks[block];
        data.params.iter().for_each(|&param| note(param, block));
        let results = data.insts.iter().filter_map(|&inst| function.insts[inst].result);
        results.for_each(|result| note(result, block));
    }
    homes
}

/// The loops of a function, each by its head.
struct Loops {
    /// By block: the head of the innermost loop that it is in.
    innermost: Vec<Option<Block>>,
    /// By head: that of the loop around.
    around: FxHashMap<Block, Option<Block>>,
    /// Those that work-items leave after different numbers of turns.
    uneven: FxHashSet<Block>,
}

impl Loops {
    fn new(
        function: &Function,
        cfg: &Cfg,
        dominators: &Dominators,
        varies: &[bool],
    ) -> Option<Loops> {
        let mut innermost = vec![None; function.blocks.len()];
        let mut around = FxHashMap::default();
        let mut uneven = FxHashSet::default();
        let mut left = LOOP_STEPS * function.layout.len();
        for &head in cfg.reverse_post_order() {
            let Some(blocks) = counted::blocks(cfg, dominators, head) else { continue };
            left = left.checked_sub(blocks.len())?;
            // Loops around come first.
            around.insert(head, innermost[head.index()]);
            let members: FxHashSet<Block> = blocks.iter().copied().collect();
            for &block in &blocks {
                innermost[block.index()] = Some(head);
                let terminator = &function.blocks[block].terminator;
                let condition = terminator.operand().and_then(Value::as_local);
                if condition.is_some_and(|index| varies[index])
                    && terminator.targets().any(|target| !members.contains(&target.block))
                {
                    uneven.insert(head);
                }
            }
        }
        Some(Loops { innermost, around, uneven })
    }

    /// The heads of the loops that a block is in, the innermost first.
    fn of(&self, block: Block) -> impl Iterator<Item = Block> {
        std::iter::successors(self.innermost[block.index()], |head| {
            self.around.get(head).copied().flatten()
        })
    }

    fn is_inside(&self, block: Block, head: Block) -> bool {
        self.of(block).any(|around| around == head)
    }

    /// Whether there is a loop between two blocks that some work-items leave before others.
    fn are_left_apart(&self, home: Block, block: Block) -> bool {
        self.of(home)
            .take_while(|&head| !self.is_inside(block, head))
            .any(|head| self.uneven.contains(&head))
    }
}
