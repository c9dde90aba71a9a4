//! Decides once between two ways that several tests choose, in loops of shaders.
//!
//! ```text
//! first: a ? common : second          first: a ? both(true) : second
//! second: b ? common : other    ->    second: both(b)
//!                                     both(p): p ? common : other
//! ```
//!
//! Work-items that take different ways in one turn are to take the next turn together. Where they part at one place
//! and meet at another, compilers of drivers have them wait for each other. Of two tests that lead to the same
//! block the second is where only some of them come, and those who go on from there with the next turn go on alone,
//! be it for all turns that are left.
//!
//! What the tests behind the first compute and the other way uses comes through the new block as parameters, which
//! are undefined where control comes from a test before.

use clc_base::Id as _;
use clc_ir::{
    Block, BlockCall, Cfg, Const, Dominators, Function, Terminator, Type, TypeKind, TypePool, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::ModuleContext;
use crate::convergence::varying_values;

/// Tests of tests: each round joins all whose tests are single blocks.
const MAX_ROUNDS: usize = 4;

/// The most values that come through a new block.
const MAX_VALUES: usize = 8;

/// Joins the tests of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let old = function.blocks.len();
    for _ in 0..MAX_ROUNDS {
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        let around = dominators.loops_around(&cfg);
        let loops = Loops { cfg: &cfg, dominators: &dominators, around: &around };
        let mut chains: Vec<Chain> = Vec::new();
        // What leads to a new block has been joined.
        let is_common = |block: &Block| block.index() < old && around[block.index()] > 0;
        for &common in function.layout.iter().filter(|&block| is_common(block)) {
            loops.find(function, common, &mut chains);
        }
        if chains.is_empty() {
            return;
        }
        let varying = varying_values(context.types, function, &cfg);
        chains.retain(|chain| {
            let mut conditions =
                chain.tests.iter().filter_map(|&test| function.blocks[test].terminator.operand());
            conditions.any(|value| value.as_local().is_some_and(|index| varying[index]))
        });
        let mut taken = FxHashSet::default();
        let mut is_changed = false;
        for chain in chains {
            let mut blocks = chain.tests.iter().chain([&chain.common, &chain.other]);
            if blocks.all(|&block| taken.insert(block)) {
                is_changed |= join(context, function, &chain);
            }
        }
        if !is_changed {
            return;
        }
    }
}

/// Tests of which all lead to one block, and the last to another one; each but the first comes from the one before.
struct Chain {
    tests: Vec<Block>,
    common: Block,
    other: Block,
}

/// Where a test leads instead of to `common`, if that is one of its two ways.
fn other_way(function: &Function, test: Block, common: Block) -> Option<Block> {
    let Terminator::Branch { then, otherwise, .. } = &function.blocks[test].terminator else {
        return None;
    };
    match (then.block == common, otherwise.block == common) {
        (true, false) => Some(otherwise.block),
        (false, true) => Some(then.block),
        _ => None,
    }
}

struct Loops<'a> {
    cfg: &'a Cfg,
    dominators: &'a Dominators,
    /// By block: how many loops it is in.
    around: &'a [u32],
}

impl Loops<'_> {
    /// The tests that lead to `common`, one after the other.
    fn find(&self, function: &Function, common: Block, chains: &mut Vec<Chain>) {
        let leads = |test: Block| other_way(function, test, common).is_some();
        let before = |test: Block| {
            let mut all = self.cfg.predecessors(test);
            all.next().filter(|&before| all.next().is_none() && leads(before))
        };
        for last in self.cfg.predecessors(common) {
            let Some(other) = other_way(function, last, common) else { continue };
            if !self.cfg.is_reachable(last) || (leads(other) && before(other).is_some()) {
                continue;
            }
            let mut tests = vec![last];
            let mut first = last;
            while let Some(test) = before(first) {
                tests.push(test);
                first = test;
            }
            tests.reverse();
            let mut hints = function.loop_hints.values();
            let turns_back = hints.any(|hint| tests.contains(&hint.continue_target));
            let is_possible = tests.len() > 1
                && !turns_back
                && self.stays(last, common)
                && self.enters(last, other);
            let leads_apart = || self.cfg.predecessors(common).all(|from| tests.contains(&from));
            if is_possible && (self.decides_over_loop(&tests) || leads_apart()) {
                chains.push(Chain { tests, common, other });
            }
        }
    }

    fn is_head(&self, block: Block) -> bool {
        self.dominators.is_loop_head(self.cfg, block)
    }

    /// Whether one of the ways behind tests comes to a loop, for which the others would have to wait.
    fn decides_over_loop(&self, tests: &[Block]) -> bool {
        let behind = self.dominators.interval(tests[0]);
        let behind = &self.dominators.preorder()[behind.start as usize..behind.end as usize];
        behind.iter().any(|&block| !tests.contains(&block) && self.is_head(block))
    }

    /// Whether a jump stays in the innermost loop that it is in, or begins its next turn.
    fn stays(&self, from: Block, to: Block) -> bool {
        self.around[to.index()] == self.around[from.index()]
            && (!self.is_head(to) || self.dominators.dominates(to, from))
    }

    /// Whether a jump stays in the innermost loop that it is in, be it to one inside, and does not begin its next turn.
    fn enters(&self, from: Block, to: Block) -> bool {
        let outside = self.around[to.index()].saturating_sub(u32::from(self.is_head(to)));
        outside == self.around[from.index()] && !self.dominators.dominates(to, from)
    }
}

/// Whether a value can be a parameter of a block in a shader.
fn can_be_passed(types: &TypePool, ty: Type) -> bool {
    let scalar = match types.kind(ty) {
        TypeKind::Vector(element, _) => element,
        _ => ty,
    };
    matches!(types.kind(scalar), TypeKind::Bool | TypeKind::Int(_) | TypeKind::Float(_))
}

/// Joins the tests of a chain, unless too much would have to come through the new block.
fn join(context: &mut ModuleContext<'_>, function: &mut Function, chain: &Chain) -> bool {
    let Chain { tests, common, other } = chain;
    let Some((last, before)) = tests.split_last() else { return false };
    let Terminator::Branch { condition, then, otherwise } = function.blocks[*last].terminator
    else {
        return false;
    };
    let means_common = then.block == *common;
    let (to_common, to_other) = if means_common { (then, otherwise) } else { (otherwise, then) };

    // By value of a test behind the first that is used elsewhere: the test.
    let mut homes: FxHashMap<Value, usize> = FxHashMap::default();
    for (index, &test) in tests.iter().enumerate().skip(1) {
        let block = &function.blocks[test];
        let results = block.insts.iter().filter_map(|&inst| function.insts[inst].result);
        homes.extend(block.params.iter().copied().chain(results).map(|value| (value, index)));
    }
    let mut used = Vec::new();
    let mut use_value = |value: Value| {
        if homes.contains_key(&value) && !used.contains(&value) {
            used.push(value);
        }
    };
    for &block in function.layout.iter().filter(|block| !tests.contains(block)) {
        for &inst in &function.blocks[block].insts {
            function.each_operand(inst, &mut use_value);
        }
        function.each_terminator_operand(block, &mut use_value);
    }
    let other_arguments: Vec<Value> = function.values_of(to_other.arguments).collect();
    other_arguments.iter().copied().for_each(&mut use_value);
    let types = |values: &[Value]| -> Vec<Type> {
        values.iter().map(|&value| context.type_of(function, value)).collect()
    };
    let common_types = types(&function.blocks[*common].params);
    let used_types = types(&used);
    let mut all = common_types.iter().chain(&used_types);
    if used.len() > MAX_VALUES || !all.all(|&ty| can_be_passed(context.types, ty)) {
        return false;
    }

    let both = function.add_block();
    let decides = function.add_block_param(both, TypePool::BOOL);
    let mut params = |types: &[Type]| -> Vec<Value> {
        types.iter().map(|&ty| function.add_block_param(both, ty)).collect()
    };
    let (common_params, used_params) = (params(&common_types), params(&used_types));
    let undefined = |context: &mut ModuleContext<'_>, ty| context.consts.intern(Const::Undef(ty));
    for (index, &test) in before.iter().enumerate() {
        let mut terminator = std::mem::take(&mut function.blocks[test].terminator);
        for target in terminator.targets_mut().filter(|target| target.block == *common) {
            let known = context.consts.intern(Const::Bool(means_common));
            let mut arguments = vec![known];
            arguments.extend(function.values_of(target.arguments));
            arguments.extend(used.iter().zip(&used_types).map(|(value, &ty)| {
                if homes[value] <= index { *value } else { undefined(context, ty) }
            }));
            *target = BlockCall { block: both, arguments: function.list(&arguments) };
        }
        function.blocks[test].terminator = terminator;
    }
    let mut arguments = vec![condition];
    arguments.extend(function.values_of(to_common.arguments));
    arguments.extend(&used);
    let arguments = function.list(&arguments);
    function.blocks[*last].terminator = Terminator::Jump(BlockCall { block: both, arguments });

    let params: FxHashMap<Value, Value> = used.iter().copied().zip(used_params).collect();
    let map = |value: Value| *params.get(&value).unwrap_or(&value);
    for block in function.layout.clone().into_iter().filter(|block| !tests.contains(block)) {
        for inst in function.blocks[block].insts.clone() {
            function.map_operands(inst, map);
        }
        function.map_terminator_operands(block, map);
    }
    let other_arguments: Vec<Value> = other_arguments.into_iter().map(map).collect();
    let to_common = BlockCall { block: *common, arguments: function.list(&common_params) };
    let to_other = BlockCall { block: *other, arguments: function.list(&other_arguments) };
    let (then, otherwise) =
        if means_common { (to_common, to_other) } else { (to_other, to_common) };
    function.blocks[both].terminator = Terminator::Branch { condition: decides, then, otherwise };
    function.layout.pop();
    let place = function.layout.iter().position(|block| block == last);
    function.layout.insert(place.map_or(function.layout.len(), |place| place + 1), both);
    true
}
