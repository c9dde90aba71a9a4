//! Turns private variables into values.

use clc_base::Id;
use clc_ir::debug::{Holds, Position};
use clc_ir::{
    Block, Cfg, Const, ConstPool, Dominators, Function, InstKind, Terminator, Type, Value,
};

use crate::context::ModuleContext;
use crate::replacements::Replacements;
use crate::simplify_cfg::remove_unreachable;

const NONE: u32 = u32::MAX;

/// Replaces variables that are only loaded and stored as a whole by SSA values.
///
/// Joins that might need a block parameter are found through iterated dominance frontiers, but a
/// parameter is made only when a load, or a parameter that is needed itself, asks for the value
/// there. A value at a point is found by binary search among the variable's definitions in the
/// preorder of the dominator tree, so that neither variables times blocks nor variables times
/// edges is ever the cost.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    if !function.has_variables() {
        return;
    }
    remove_unreachable(function);
    promote(context.consts, function);
}

/// A place where a variable gets a value: a block that stores to it, a join, or both.
struct Site {
    /// Number of `block` in the preorder of the dominator tree.
    enter: u32,
    /// End of the subtree of `block` in that preorder.
    leave: u32,
    block: Block,
    /// The closest site of the same variable that dominates this one.
    parent: u32,
    is_join: bool,
    /// The block parameter, once something needs it.
    param: Option<Value>,
    /// What the variable holds when control leaves the block, if the block stores to it.
    stored: Option<Value>,
}

struct Variable {
    value: Value,
    ty: Type,
    /// In preorder of the dominator tree.
    sites: Vec<Site>,
}

fn promote(consts: &mut ConstPool, function: &mut Function) {
    let (mut variables, slots) = candidates(function);
    if variables.is_empty() {
        return;
    }
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    place_sites(function, &cfg, &dominators, &slots, &mut variables);

    let mut promoter = Promoter {
        consts,
        function,
        dominators: &dominators,
        variables,
        slots,
        replacements: Replacements::default(),
        wanted: Vec::new(),
        joins: vec![Vec::new(); cfg.graph().node_count()],
        held: Vec::new(),
        counts: Vec::new(),
    };
    promoter.rename(&cfg);
    promoter.close(&cfg);
    promoter.add_arguments();
    promoter.note_params();
    let Promoter { function, mut replacements, held, .. } = promoter;
    if let Some(debug) = &mut function.debug {
        debug.values.extend(held);
    }
    replacements.apply(function);
}

/// The variables whose address is only loaded from and stored to, and their numbers by value.
fn candidates(function: &Function) -> (Vec<Variable>, Vec<u32>) {
    const ESCAPED: u32 = u32::MAX - 1;
    let mut slots = vec![NONE; function.values.len()];
    let mut variables = Vec::new();
    for &inst in &function.blocks[function.entry()].insts {
        let data = &function.insts[inst];
        if let (InstKind::Variable { ty, align: _ }, Some(value)) = (data.kind, data.result) {
            slots[value.as_local().unwrap_or_default()] = variables.len() as u32;
            variables.push(Variable { value, ty, sites: Vec::new() });
        }
    }
    if variables.is_empty() {
        return (variables, slots);
    }
    let mut escape = |value: Value| {
        if let Some(index) = value.as_local()
            && slots[index] != NONE
        {
            slots[index] = ESCAPED;
        }
    };
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            match function.insts[inst].kind {
                InstKind::Load { pointer, access } => {
                    if access.flags.volatile {
                        escape(pointer);
                    }
                }
                InstKind::Store { pointer, value, access } => {
                    if access.flags.volatile {
                        escape(pointer);
                    }
                    escape(value);
                }
                _ => function.each_operand(inst, &mut escape),
            }
        }
        function.each_terminator_operand(block, &mut escape);
    }
    // Number those that are left anew.
    let mut kept = Vec::new();
    for variable in variables {
        let slot = &mut slots[variable.value.as_local().unwrap_or_default()];
        if *slot == ESCAPED {
            *slot = NONE;
        } else {
            *slot = kept.len() as u32;
            kept.push(variable);
        }
    }
    (kept, slots)
}

/// The number of the candidate that `pointer` is.
fn slot_of(slots: &[u32], pointer: Value) -> Option<usize> {
    match slots.get(pointer.as_local()?) {
        Some(&NONE) | None => None,
        Some(&slot) => Some(slot as usize),
    }
}

/// Finds each variable's storing blocks and the joins they reach.
fn place_sites(
    function: &Function,
    cfg: &Cfg,
    dominators: &Dominators,
    slots: &[u32],
    variables: &mut [Variable],
) {
    let mut stores: Vec<Vec<Block>> = vec![Vec::new(); variables.len()];
    for &block in cfg.reverse_post_order() {
        for &inst in &function.blocks[block].insts {
            if let InstKind::Store { pointer, .. } = function.insts[inst].kind
                && let Some(slot) = slot_of(slots, pointer)
                && stores[slot].last() != Some(&block)
            {
                stores[slot].push(block);
            }
        }
    }
    let frontiers = dominators.frontiers(cfg);
    // By block: the last variable for which the block was seen to store, or to join.
    let mut stores_seen = vec![NONE; function.blocks.len()];
    let mut join_seen = vec![NONE; function.blocks.len()];
    let mut work: Vec<Block> = Vec::new();
    let mut open: Vec<u32> = Vec::new();
    for (slot, variable) in variables.iter_mut().enumerate() {
        let slot_mark = slot as u32;
        let mut places: Vec<Block> = std::mem::take(&mut stores[slot]);
        for &block in &places {
            stores_seen[block.index()] = slot_mark;
        }
        work.extend_from_slice(&places);
        while let Some(block) = work.pop() {
            for &join in &frontiers[block.index()] {
                if std::mem::replace(&mut join_seen[join.index()], slot_mark) != slot_mark
                    && stores_seen[join.index()] != slot_mark
                {
                    places.push(join);
                    work.push(join);
                }
            }
        }
        places.sort_unstable_by_key(|&block| dominators.interval(block).start);
        open.clear();
        for block in places {
            let interval = dominators.interval(block);
            while let Some(&top) = open.last()
                && variable.sites[top as usize].leave <= interval.start
            {
                open.pop();
            }
            let index = variable.sites.len() as u32;
            variable.sites.push(Site {
                enter: interval.start,
                leave: interval.end,
                block,
                parent: open.last().copied().unwrap_or(NONE),
                is_join: join_seen[block.index()] == slot_mark,
                param: None,
                stored: None,
            });
            open.push(index);
        }
    }
}

struct Promoter<'a> {
    consts: &'a mut ConstPool,
    function: &'a mut Function,
    dominators: &'a Dominators,
    variables: Vec<Variable>,
    slots: Vec<u32>,
    replacements: Replacements,
    /// Parameters made so far, as variable and block; those behind a cursor are complete.
    wanted: Vec<(usize, Block)>,
    /// The variables of the new parameters of each block, in order.
    joins: Vec<Vec<usize>>,
    /// What variables of the source hold, where there is debug information.
    held: Vec<Holds>,
    /// For each that was found in the block at hand: how many instructions the block had.
    counts: Vec<usize>,
}

impl Promoter<'_> {
    /// Replaces loads and removes stores, dominators first.
    fn rename(&mut self, cfg: &Cfg) {
        // The value of each variable in the block at hand, if that block has loaded or stored it.
        let mut current: Vec<(Block, Value)> =
            vec![(Block(NONE), Value::from_local(0)); self.variables.len()];
        let mut stored: Vec<usize> = Vec::new();
        for &block in cfg.reverse_post_order() {
            let insts = std::mem::take(&mut self.function.blocks[block].insts);
            let mut kept = Vec::with_capacity(insts.len());
            let first = self.held.len();
            for inst in insts {
                let data = &self.function.insts[inst];
                match data.kind {
                    InstKind::Load { pointer, .. } => {
                        if let (Some(slot), Some(result)) =
                            (slot_of(&self.slots, pointer), data.result)
                        {
                            let value = match current[slot] {
                                (at, value) if at == block => value,
                                _ => self.value_at_entry(slot, block),
                            };
                            current[slot] = (block, value);
                            self.replacements.set(result, value);
                            continue;
                        }
                    }
                    InstKind::Store { pointer, value, .. } => {
                        if let Some(slot) = slot_of(&self.slots, pointer) {
                            let value = self.replacements.resolve(value);
                            current[slot] = (block, value);
                            stored.push(slot);
                            self.note(slot, value, block, kept.len());
                            continue;
                        }
                    }
                    InstKind::Variable { .. }
                        if data
                            .result
                            .is_some_and(|value| slot_of(&self.slots, value).is_some()) =>
                    {
                        continue;
                    }
                    _ => {}
                }
                kept.push(inst);
            }
            for (entry, count) in self.held[first..].iter_mut().zip(self.counts.drain(..)) {
                entry.at.before = kept.get(count).copied();
            }
            self.function.blocks[block].insts = kept;
            for slot in stored.drain(..) {
                let site = self.site_at(slot, block).expect("a store makes a site");
                self.variables[slot].sites[site].stored = Some(current[slot].1);
            }
        }
    }

    /// Says that the variables in the memory of `slot` hold a value from the end of `block` on, as it
    /// is with `count` instructions.
    fn note(&mut self, slot: usize, value: Value, block: Block, count: usize) {
        let Some(debug) = &self.function.debug else { return };
        for subject in debug.in_memory_at(self.variables[slot].value) {
            let at = Position { block, before: None };
            self.held.push(Holds { subject, value: Some(value), at });
            self.counts.push(count);
        }
    }

    /// Says where variables hold block parameters.
    fn note_params(&mut self) {
        if self.function.debug.is_none() {
            return;
        }
        let mut held = std::mem::take(&mut self.held);
        for (slot, block) in std::mem::take(&mut self.wanted) {
            let site = self.site_at(slot, block).expect("a parameter has a site");
            let value = self.param(slot, site);
            self.note(slot, value, block, 0);
            let before = self.function.blocks[block].insts.first().copied();
            for entry in &mut self.held {
                entry.at.before = before;
            }
            // Before what is stored there.
            held.splice(0..0, self.held.drain(..));
        }
        self.counts.clear();
        self.held = held;
    }

    /// The site of `slot` in exactly this block.
    fn site_at(&self, slot: usize, block: Block) -> Option<usize> {
        let enter = self.dominators.interval(block).start;
        self.variables[slot].sites.binary_search_by_key(&enter, |site| site.enter).ok()
    }

    /// What the variable holds when control enters `block`.
    fn value_at_entry(&mut self, slot: usize, block: Block) -> Value {
        let enter = self.dominators.interval(block).start;
        let variable = &self.variables[slot];
        let behind = variable.sites.partition_point(|site| site.enter <= enter);
        let mut index = behind.checked_sub(1).map_or(NONE, |index| index as u32);
        if index != NONE && variable.sites[index as usize].block == block {
            if variable.sites[index as usize].is_join {
                return self.param(slot, index as usize);
            }
            index = variable.sites[index as usize].parent;
        }
        while index != NONE && variable.sites[index as usize].leave <= enter {
            index = variable.sites[index as usize].parent;
        }
        match index {
            NONE => self.consts.intern(Const::Undef(variable.ty)),
            index => self.value_leaving(slot, index as usize),
        }
    }

    fn value_leaving(&mut self, slot: usize, site: usize) -> Value {
        match self.variables[slot].sites[site].stored {
            Some(value) => value,
            None => self.param(slot, site),
        }
    }

    fn value_at_exit(&mut self, slot: usize, block: Block) -> Value {
        match self.site_at(slot, block) {
            Some(site) => self.value_leaving(slot, site),
            None => self.value_at_entry(slot, block),
        }
    }

    /// The block parameter of a join, made on first demand.
    fn param(&mut self, slot: usize, site: usize) -> Value {
        let Variable { value, ty, sites } = &mut self.variables[slot];
        if let Some(param) = sites[site].param {
            return param;
        }
        let block = sites[site].block;
        let param = self.function.add_block_param(block, *ty);
        sites[site].param = Some(param);
        if let Some(name) = self.function.value_names.get(value) {
            let name = name.clone();
            self.function.value_names.insert(param, name);
        }
        self.wanted.push((slot, block));
        self.joins[block.index()].push(slot);
        param
    }

    /// Makes the parameters that the arguments of parameters need in turn.
    fn close(&mut self, cfg: &Cfg) {
        let mut done = 0;
        while let Some(&(slot, block)) = self.wanted.get(done) {
            done += 1;
            for predecessor in cfg.predecessors(block) {
                self.value_at_exit(slot, predecessor);
            }
        }
    }

    /// Gives every edge the arguments for the new parameters of its destination.
    fn add_arguments(&mut self) {
        for index in 0..self.function.layout.len() {
            let block = self.function.layout[index];
            if self.function.blocks[block]
                .terminator
                .targets()
                .all(|target| self.joins[target.block.index()].is_empty())
            {
                continue;
            }
            let mut terminator: Terminator =
                std::mem::take(&mut self.function.blocks[block].terminator);
            for target in terminator.targets_mut() {
                let joins = std::mem::take(&mut self.joins[target.block.index()]);
                if !joins.is_empty() {
                    let mut arguments: Vec<Value> =
                        self.function.values_of(target.arguments).collect();
                    for &slot in &joins {
                        arguments.push(self.value_at_exit(slot, block));
                    }
                    target.arguments = self.function.list(&arguments);
                }
                self.joins[target.block.index()] = joins;
            }
            self.function.blocks[block].terminator = terminator;
        }
    }
}
