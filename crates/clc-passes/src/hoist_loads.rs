//! Loads in front of a loop what is the same in all its turns.
//!
//! ```text
//!                                     s = b[k]
//!                                     0 < s ? t = a[k]
//! head(i): i < b[k] ?         ->    head(i): i < s ?
//!   .. a[k] .. ; head(i + 1)          .. t .. ; head(i + 1)
//! ```
//!
//! Nothing is loaded that the program would not load: what the head of a loop loads is loaded whenever control comes to
//! the loop, and what comes behind the test in the head is loaded if that test, asked once more in front of the loop, says
//! that there is a first turn. Nothing in the loop may write what is loaded, as `alias` tells, which
//! counts barriers and atomics. An address is computed in front of the loop with what it is loaded from.
//!
//! A short loop in a loop is written out where that makes its loads ones that stay the same in the outer loop:
//!
//! ```text
//! for (p = 0; p < n; p++)                 t0 = a[0], t1 = a[1]
//!     for (d = 0; d < 2; d++)       ->    for (p = 0; p < n; p++)
//!         x += a[d] * b[p * 2 + d];           x += t0 * b[p * 2] + t1 * b[p * 2 + 1];
//! ```
//!
//! Drivers that do all this by themselves cannot where they do not know what the compiler knows: types and `restrict`.

use clc_base::Id as _;
use clc_ir::{
    Block, BlockCall, Cfg, Dominators, Function, Inst, InstKind, MemoryAccess, StorageClass,
    Terminator, Value, ValueDef, ValueList, turns_back,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::alias::{Aliases, Recent};
use crate::context::ModuleContext;
use crate::counted::{self, Known, Loop};
use crate::fold::Folder;
use crate::written_turns::{self, Turns};
use crate::{before_loops, common_subexpressions, copies, simplify, simplify_cfg};

/// The most registers of 32 bits that one loop may hold loaded values in.
const MAX_WORDS: u64 = 32;

/// The most computations, one on the result of another, between a loaded value and what is known before the loop.
const MAX_STEPS: usize = 8;

/// Turns of a loop that is written out.
const MAX_TURNS: u64 = 16;

/// Instructions of all turns of such a loop.
const MAX_WRITTEN_OUT: u64 = 512;

/// Loops in loops that a load leaves.
const ROUNDS: usize = 4;

/// Instructions that are looked at because they are in loops, for each of the function.
const LOOKS: usize = 4;

/// Hoists the loads of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    simplify_cfg::remove_unreachable(function);
    for _ in 0..ROUNDS {
        if !turns_back(function) {
            break;
        }
        let (plans, short) = look(context, function);
        if write_out(context, function, short) {
            simplify_cfg::run(context, function);
            simplify::run(context, function);
            common_subexpressions::run(context, function);
            continue;
        }
        if plans.is_empty() {
            break;
        }
        for plan in plans {
            apply(context, function, plan);
        }
        // Tests of first turns may be known.
        simplify_cfg::run(context, function);
        simplify::run(context, function);
        simplify_cfg::run(context, function);
    }
}

/// What leaves a loop.
struct Plan {
    head: Block,
    /// Its blocks, the head first.
    blocks: Vec<Block>,
    /// Whether the test in the head is true for another turn.
    goes_on: bool,
    /// What is computed and loaded whenever control comes to the loop, in order.
    always: Vec<Inst>,
    /// What is loaded, and computed of that, if there is a first turn, in order.
    tested: Vec<Inst>,
}

/// A loop in a loop, with loads that would leave the outer one if the inner one were written out.
struct Short {
    outer: Option<Loop>,
    inner: Loop,
    /// The registers that a load fills, and the parameters of the inner loop's head that its address depends on.
    loads: Vec<(u64, Vec<Value>)>,
}

/// Finds what can leave its loop, and loops in loops that would have such loads if they were written out.
fn look(context: &ModuleContext<'_>, function: &Function) -> (Vec<Plan>, Vec<Short>) {
    let mut finder = Finder::new(context, function);
    let (mut plans, mut short) = (Vec::new(), Vec::new());
    for place in 0..finder.cfg.reverse_post_order().len() {
        let head = finder.cfg.reverse_post_order()[place];
        if !finder.is_head(head) {
            continue;
        }
        let Some(blocks) = finder.enter(head) else { break };
        let (certain, inner) = finder.first_turn(&blocks);
        let inner = inner.and_then(|inner| finder.innermost(inner));
        let loads = finder.loads(&certain);
        let of_inner = inner.as_ref().map_or(Vec::new(), |inner| finder.loads(&inner.blocks));
        if loads.is_empty() && of_inner.is_empty() {
            continue;
        }
        finder.remember(&blocks, &loads, &of_inner);
        if let Some(inner) = inner {
            let loads = finder.kept_by(&inner, &of_inner);
            if !loads.is_empty() {
                let outer = counted::loop_at(function, &finder.cfg, &finder.dominators, head);
                short.push(Short { outer, inner, loads });
            }
        }
        plans.extend(finder.plan(blocks, &loads));
    }
    (plans, short)
}

/// A load that may leave its loop.
#[derive(Clone, Copy)]
struct Candidate {
    inst: Inst,
    pointer: Value,
    access: MemoryAccess,
    is_constant: bool,
    /// Registers that it fills.
    words: u64,
}

struct Finder<'a> {
    context: &'a ModuleContext<'a>,
    function: &'a Function,
    cfg: Cfg,
    dominators: Dominators,
    /// By instruction: its block.
    homes: Vec<Block>,
    aliases: Aliases<'a>,
    /// Behind all turns of the loop that is looked at: what is as it was before.
    memory: Recent<()>,
    /// The head of the loop that is looked at.
    head: Block,
    /// By block: the head of the last loop that was looked at and has it.
    inside: Vec<Option<Block>>,
    /// How many instructions may still be looked at.
    budget: usize,
}

impl<'a> Finder<'a> {
    fn new(context: &'a ModuleContext<'a>, function: &'a Function) -> Finder<'a> {
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        let mut homes = vec![function.entry(); function.insts.len()];
        let mut count = 0;
        for &block in &function.layout {
            count += function.blocks[block].insts.len() + 1;
            for &inst in &function.blocks[block].insts {
                homes[inst.index()] = block;
            }
        }
        Finder {
            context,
            function,
            cfg,
            dominators,
            homes,
            aliases: Aliases::new(context.types, context.consts, function),
            memory: Recent::new(function),
            head: function.entry(),
            inside: vec![None; function.blocks.len()],
            budget: LOOKS * count,
        }
    }

    fn is_head(&self, block: Block) -> bool {
        self.dominators.is_loop_head(&self.cfg, block)
    }

    /// Whether control that has come to the head of a loop comes through a block before it comes back.
    fn is_in_each_turn(&self, head: Block, block: Block) -> bool {
        self.dominators
            .latches(&self.cfg, head)
            .all(|latch| self.dominators.dominates(block, latch))
    }

    /// Looks at a loop from here on. Returns its blocks, the head first, if there is time for it.
    fn enter(&mut self, head: Block) -> Option<Vec<Block>> {
        let blocks = counted::blocks(&self.cfg, &self.dominators, head)?;
        let size = |&block: &Block| self.function.blocks[block].insts.len() + 1;
        self.budget = self.budget.checked_sub(blocks.iter().map(size).sum())?;
        self.head = head;
        for &block in &blocks {
            self.inside[block.index()] = Some(head);
        }
        Some(blocks)
    }

    fn is_inside(&self, block: Block) -> bool {
        self.inside[block.index()] == Some(self.head)
    }

    fn leaves(&self, block: Block) -> bool {
        let mut targets = self.function.blocks[block].terminator.targets();
        targets.any(|target| !self.is_inside(target.block))
    }

    /// The blocks that control goes through in the first turn for certain, if the head sends it there, and the head of
    /// the loop that comes after them.
    fn first_turn(&self, blocks: &[Block]) -> (Vec<Block>, Option<Block>) {
        let head = self.head;
        let mut certain = vec![head];
        let can_test = !self.leaves(head) || before_loops::can_be_asked(self.function, head);
        if !can_test || self.stays_away(head) {
            return (certain, None);
        }
        for &block in &blocks[1..] {
            let is_in_each_turn = self.is_in_each_turn(head, block);
            if self.is_head(block) {
                return (certain, is_in_each_turn.then_some(block));
            }
            if is_in_each_turn {
                certain.push(block);
            }
            if self.stays_away(block) || self.leaves(block) {
                break;
            }
        }
        (certain, None)
    }

    fn stays_away(&self, block: Block) -> bool {
        before_loops::stays_away(self.context, self.function, block)
    }

    /// A loop with no other in it that may be written out.
    fn innermost(&self, head: Block) -> Option<Loop> {
        let found = counted::loop_at(self.function, &self.cfg, &self.dominators, head)?;
        let is_variable =
            |&inst: &Inst| matches!(self.function.insts[inst].kind, InstKind::Variable { .. });
        let has_variables =
            |&block: &Block| self.function.blocks[block].insts.iter().any(is_variable);
        let can_be = !found.leaves_early
            && found.size(self.function) <= MAX_WRITTEN_OUT
            && !found.blocks[1..].iter().any(|&block| self.is_head(block))
            && !found.blocks.iter().any(has_variables);
        can_be.then_some(found)
    }

    fn loads(&self, blocks: &[Block]) -> Vec<Candidate> {
        let insts = blocks.iter().flat_map(|&block| &self.function.blocks[block].insts);
        let candidate = |&inst: &Inst| {
            let InstKind::Load { pointer, access } = self.function.insts[inst].kind else {
                return None;
            };
            let ty = self.context.type_of(self.function, pointer);
            let (pointee, class) = self.context.types.pointer_parts(ty)?;
            let is_constant = class == StorageClass::UniformConstant;
            let words = self.context.types.size(pointee).div_ceil(4);
            let candidate = Candidate { inst, pointer, access, is_constant, words };
            (is_shared(class) && !access.flags.volatile && words <= MAX_WORDS).then_some(candidate)
        };
        insts.filter_map(candidate).collect()
    }

    /// Finds out which of some loads would load the same behind all turns of a loop.
    fn remember(&mut self, blocks: &[Block], loads: &[Candidate], of_inner: &[Candidate]) {
        self.memory.forget();
        for load in loads {
            self.memory.note(self.aliases.access(self.function, load.pointer, load.access), ());
        }
        for load in of_inner {
            let access = self.aliases.access(self.function, load.pointer, load.access);
            self.memory.note(access.anywhere(), ());
        }
        for &inst in blocks.iter().flat_map(|&block| &self.function.blocks[block].insts) {
            self.memory.happens(&self.aliases, self.function, inst, self.context.constant);
        }
    }

    fn is_kept(&self, load: &Candidate) -> bool {
        let access = || self.aliases.access(self.function, load.pointer, load.access);
        load.is_constant || self.memory.at(&access()).is_some()
    }

    /// The loads of an inner loop that load the same in all turns of the loop that is looked at, but for parameters of
    /// the inner one's head.
    fn kept_by(&self, inner: &Loop, loads: &[Candidate]) -> Vec<(u64, Vec<Value>)> {
        let params = &self.function.blocks[inner.header].params;
        let kept = |load: &Candidate| {
            let is_certain = self.is_in_each_turn(inner.header, self.homes[load.inst.index()]);
            let mut chain =
                Chain { moved: &FxHashMap::default(), params, used: Vec::new(), insts: Vec::new() };
            let can_move =
                is_certain && self.is_kept(load) && self.leads(load.pointer, &mut chain, MAX_STEPS);
            can_move.then_some((load.words, chain.used))
        };
        loads.iter().filter_map(kept).collect()
    }

    /// What leaves the loop that is looked at.
    fn plan(&self, blocks: Vec<Block>, loads: &[Candidate]) -> Option<Plan> {
        let head = self.head;
        let (mut always, mut tested) = (Vec::new(), Vec::new());
        // What leaves, and whether that takes a test.
        let mut moved: FxHashMap<Value, bool> = FxHashMap::default();
        let mut left = MAX_WORDS;
        let has_test = self.leaves(head);
        for load in loads {
            let mut chain =
                Chain { moved: &moved, params: &[], used: Vec::new(), insts: Vec::new() };
            if load.words > left
                || !self.is_kept(load)
                || !self.leads(load.pointer, &mut chain, MAX_STEPS)
            {
                continue;
            }
            left -= load.words;
            let is_tested = has_test && self.homes[load.inst.index()] != head;
            for inst in chain.insts.into_iter().chain([load.inst]) {
                let mut after_test = is_tested && inst == load.inst;
                self.function
                    .each_operand(inst, |value| after_test |= moved.get(&value) == Some(&true));
                match after_test {
                    true => tested.push(inst),
                    false => always.push(inst),
                }
                moved.extend(self.function.insts[inst].result.map(|result| (result, after_test)));
            }
        }
        let goes_on = match self.function.blocks[head].terminator {
            Terminator::Branch { then, .. } => self.is_inside(then.block),
            _ => false,
        };
        (!moved.is_empty()).then_some(Plan { head, blocks, goes_on, always, tested })
    }

    /// Whether a value is there before the loop that is looked at, or can be computed there: of what, if so.
    fn leads(&self, value: Value, chain: &mut Chain<'_>, steps: usize) -> bool {
        let home = match self.function.def(value) {
            None => return true,
            Some(ValueDef::Param(block, _)) => block,
            Some(ValueDef::Inst(inst)) => self.homes[inst.index()],
        };
        if !self.is_inside(home) || chain.moved.contains_key(&value) {
            return true;
        }
        if chain.params.contains(&value) {
            chain.used.push(value);
            return true;
        }
        let Some((inst, data)) = self.function.def_inst(value) else { return false };
        if chain.insts.contains(&inst) {
            return true;
        }
        let can_move = copies::can_be_in_vain(&data.kind);
        let mut leads = can_move && steps > 0;
        self.function.each_operand(inst, |operand| {
            leads = leads && self.leads(operand, chain, steps - 1);
        });
        if leads {
            chain.insts.push(inst);
        }
        leads
    }
}

/// What an address is computed of.
struct Chain<'a> {
    /// What leaves the loop already.
    moved: &'a FxHashMap<Value, bool>,
    /// What counts as known before the loop, and what of that is used.
    params: &'a [Value],
    used: Vec<Value>,
    /// The computations, in order.
    insts: Vec<Inst>,
}

/// Whether memory is shared with other work-items: private memory is left to drivers.
fn is_shared(class: StorageClass) -> bool {
    use StorageClass::{CrossWorkgroup, Generic, UniformConstant, Workgroup};
    matches!(class, CrossWorkgroup | Generic | UniformConstant | Workgroup)
}

/// Writes out loops that turn a few times, where the outer one turns who knows how often: drivers write out the others
/// with all that is around them.
fn write_out(context: &mut ModuleContext<'_>, function: &mut Function, short: Vec<Short>) -> bool {
    let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
    let mut chosen = Vec::new();
    for Short { outer, inner, loads } in short {
        let nothing = Known::default();
        let mut count = |found: &Loop| counted::turns(&mut folder, function, found, &nothing);
        let Some((turns, [first, last])) = count(&inner) else { continue };
        if outer.is_some_and(|outer| count(&outer).is_some()) {
            continue;
        }
        let is_counted = |param: &Value| first.contains_key(param) && last.contains_key(param);
        let leaving = loads.iter().filter(|(_, used)| used.iter().all(is_counted));
        let words = leaving.map(|(words, _)| words * turns).sum();
        if (1..=MAX_TURNS).contains(&turns)
            && (1..=MAX_WORDS).contains(&words)
            && inner.size(function) * turns <= MAX_WRITTEN_OUT
        {
            chosen.push((inner, turns));
        }
    }
    let loops: Vec<(&Loop, Turns)> =
        chosen.iter().map(|(inner, turns)| (inner, Turns::All(*turns))).collect();
    written_turns::unroll(context.types, function, &loops);
    !chosen.is_empty()
}

/// Puts what leaves a loop in front of it.
fn apply(context: &mut ModuleContext<'_>, function: &mut Function, plan: Plan) {
    let Plan { head, blocks, goes_on, always, tested } = plan;
    let is_inside: FxHashSet<Block> = blocks.iter().copied().collect();
    let (before, params) = before_loops::add(context, function, head, &is_inside);
    let moved: FxHashSet<Inst> = always.iter().chain(&tested).copied().collect();
    for &block in &blocks {
        function.blocks[block].insts.retain(|inst| !moved.contains(inst));
    }
    let mut new = vec![before];
    function.blocks[before].insts.extend(always);
    let last = match tested.is_empty() {
        true => before,
        false => {
            let (first_turn, after) = (function.add_block(), function.add_block());
            new.extend([first_turn, after]);
            test(function, (head, goes_on), &params, [before, first_turn, after]);
            load(context, function, tested, [before, first_turn, after]);
            after
        }
    };
    let arguments = function.list(&params);
    function.blocks[last].terminator = Terminator::Jump(BlockCall { block: head, arguments });
    function.layout.retain(|block| !new.contains(block));
    let at = function.layout.iter().position(|&block| block == head).unwrap_or_default();
    function.layout.splice(at..at, new);
}

/// Asks in front of a loop, where its parameters are as given, whether there is a first turn.
fn test(
    function: &mut Function,
    (head, goes_on): (Block, bool),
    params: &[Value],
    [before, first_turn, after]: [Block; 3],
) {
    let mut map: FxHashMap<Value, Value> = FxHashMap::default();
    map.extend(function.blocks[head].params.iter().copied().zip(params.iter().copied()));
    let Some(condition) = before_loops::ask(function, head, before, &mut map) else { return };
    let [turn, none] =
        [first_turn, after].map(|block| BlockCall { block, arguments: ValueList::default() });
    function.blocks[before].terminator = before_loops::branch(condition, goes_on, turn, none);
}

/// Moves loads to where there is a first turn. Behind that their values are parameters, of which nothing is used if
/// there is none.
fn load(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    insts: Vec<Inst>,
    [before, first_turn, after]: [Block; 3],
) {
    let (mut loaded, mut nothing) = (Vec::new(), Vec::new());
    let mut map: FxHashMap<Value, Value> = FxHashMap::default();
    for inst in insts {
        function.map_operands(inst, |value| *map.get(&value).unwrap_or(&value));
        function.blocks[first_turn].insts.push(inst);
        let Some(value) = function.insts[inst].result else { continue };
        // Who uses the value uses the parameter.
        let ty = context.type_of(function, value);
        let result = function.add_value(ty, ValueDef::Inst(inst));
        function.insts[inst].result = Some(result);
        let place = function.blocks[after].params.len() as u32;
        function.values[value.as_local().unwrap_or_default()].def = ValueDef::Param(after, place);
        function.blocks[after].params.push(value);
        map.insert(value, result);
        loaded.push(result);
        nothing.push(clc_ir::builder::zero(context.types, context.consts, ty));
    }
    let arguments = function.list(&loaded);
    function.blocks[first_turn].terminator =
        Terminator::Jump(BlockCall { block: after, arguments });
    let arguments = function.list(&nothing);
    let mut terminator = std::mem::take(&mut function.blocks[before].terminator);
    for target in terminator.targets_mut().filter(|target| target.block == after) {
        target.arguments = arguments;
    }
    function.blocks[before].terminator = terminator;
}
