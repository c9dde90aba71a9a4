//! Keeps what a loop loads and stores at one address in a value, and stores it once behind the loop.
//!
//! ```text
//!                                     first = 0 < n; if (first) t = *p
//! head(i): i < n ?              ->    head(i): i < n ?
//!   *p = *p + a[i]; head(i + 1)         t = t + a[i]; head(i + 1)
//!                                     if (first) *p = t
//! ```
//!
//! Each turn would wait for the store of the turn before otherwise. Nothing is loaded or stored that the program would not
//! load or store: a store where the program has none could race with those of other work-items. Each turn stores there before
//! it may end or leave the loop, and the test of the head, asked once more in front of the loop, says whether there is a first
//! turn. Nothing else in the loop may touch the same bytes, as `alias` tells, which counts barriers and atomics. So no other
//! work-item may look at what is stored in between.
//!
//! The value is a private variable first, of which [`mem2reg`](crate::mem2reg) makes parameters of blocks.

use clc_base::Id as _;
use clc_ir::debug::Location;
use clc_ir::{
    Align, Block, BlockCall, Cfg, Dominators, Function, Inst, InstKind, MathFlags, MemoryAccess,
    StorageClass, Terminator, Type, TypeKind, TypePool, Value, ValueDef, ValueList, turns_back,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::alias::{Access, Aliases, Recent};
use crate::context::ModuleContext;
use crate::{before_loops, copies, counted, mem2reg, simplify, simplify_cfg};

/// Addresses of one loop.
const MAX_KEPT: usize = 8;

/// The most computations, one on the result of another, between an address and what is known before the loop.
const MAX_STEPS: usize = 8;

/// Loops in loops that a store leaves.
const ROUNDS: usize = 4;

/// Instructions that are looked at because they are in loops, for each of the function.
const LOOKS: usize = 4;

/// Keeps what the loops of a function store.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    for _ in 0..ROUNDS {
        let plans = find(context, function);
        if plans.is_empty() {
            return;
        }
        for plan in plans {
            apply(context, function, plan);
        }
        function.layout = clc_ir::reverse_post_order(function);
        mem2reg::run(context, function);
        // Tests of first turns may be known: then the stores are in each turn of the loop around.
        simplify_cfg::run(context, function);
        simplify::run(context, function);
        simplify_cfg::run(context, function);
    }
}

/// What is kept in one loop.
struct Plan {
    head: Block,
    blocks: Vec<Block>,
    /// Whether the test in the head is true for another turn, if the head is where the loop is left.
    goes_on: Option<bool>,
    /// Computes the addresses of what is known before the loop, in order.
    insts: Vec<Inst>,
    kept: Vec<Kept>,
}

/// An address and its accesses.
struct Kept {
    pointer: Value,
    ty: Type,
    /// Of a load, if there is one, and of a store.
    access: MemoryAccess,
    is_loaded: bool,
    accesses: Vec<Inst>,
}

/// The plans for loops none of which is in another.
fn find(context: &ModuleContext<'_>, function: &mut Function) -> Vec<Plan> {
    simplify_cfg::remove_unreachable(function);
    let function = &*function;
    if !function.has(|kind| matches!(kind, InstKind::Store { .. })) || !turns_back(function) {
        return Vec::new();
    }
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let heads: Vec<Block> = (cfg.reverse_post_order().iter().copied())
        .filter(|&block| dominators.is_loop_head(&cfg, block))
        .collect();
    let mut plans: Vec<Plan> = Vec::new();
    if heads.is_empty() {
        return plans;
    }
    let mut homes = vec![function.entry(); function.insts.len()];
    let mut count = 0;
    for &block in &function.layout {
        count += function.blocks[block].insts.len() + 1;
        for &inst in &function.blocks[block].insts {
            homes[inst.index()] = block;
        }
    }
    let mut budget = LOOKS * count;
    let mut finder =
        Finder { context, function, dominators: &dominators, cfg: &cfg, homes, aliases: None };
    let mut taken: FxHashSet<Block> = FxHashSet::default();
    // Inner loops come first: what they store may then leave the outer ones.
    for &head in heads.iter().rev() {
        let Some(blocks) = counted::blocks(&cfg, &dominators, head) else { continue };
        let size = |&block: &Block| function.blocks[block].insts.len() + 1;
        match budget.checked_sub(blocks.iter().map(size).sum()) {
            Some(left) => budget = left,
            None => break,
        }
        if blocks.iter().any(|block| taken.contains(block)) {
            continue;
        }
        if let Some(plan) = finder.plan(head, &blocks) {
            taken.extend(blocks);
            plans.push(plan);
        }
    }
    plans
}

struct Finder<'a> {
    context: &'a ModuleContext<'a>,
    function: &'a Function,
    cfg: &'a Cfg,
    dominators: &'a Dominators,
    /// By instruction: its block.
    homes: Vec<Block>,
    /// Looked for if it is asked for.
    aliases: Option<Aliases<'a>>,
}

impl<'a> Finder<'a> {
    fn plan(&mut self, head: Block, blocks: &[Block]) -> Option<Plan> {
        let function = self.function;
        let is_inside: FxHashSet<Block> = blocks.iter().copied().collect();
        let exits: Vec<Block> = (blocks.iter().copied())
            .filter(|&block| {
                let mut targets = function.blocks[block].terminator.targets();
                targets.any(|target| !is_inside.contains(&target.block))
            })
            .collect();
        let leaves_at_head = exits.contains(&head);
        let goes_on = match function.blocks[head].terminator {
            Terminator::Branch { then, .. }
                if leaves_at_head && before_loops::can_be_asked(function, head) =>
            {
                Some(is_inside.contains(&then.block))
            }
            _ => None,
        };
        // What is stored before a turn may end or leave the loop, but for the test of a head that does nothing else.
        let is_certain = |block: Block| {
            let is_behind_test = match goes_on {
                Some(_) => block != head,
                None => block == head || !leaves_at_head,
            };
            let mut ends = (exits.iter().copied().filter(|&exit| exit != head))
                .chain(self.dominators.latches(self.cfg, head));
            is_behind_test && ends.all(|end| self.dominators.dominates(block, end))
        };
        let mut kept: Vec<Kept> = Vec::new();
        let mut insts = Vec::new();
        for &block in blocks.iter().filter(|&&block| is_certain(block)) {
            for &inst in &function.blocks[block].insts {
                let InstKind::Store { pointer, access, .. } = function.insts[inst].kind else {
                    continue;
                };
                let (ty, class) =
                    self.context.types.pointer_parts(self.context.type_of(function, pointer))?;
                let mut chain = Vec::new();
                if kept.len() < MAX_KEPT
                    && !access.flags.volatile
                    && is_one_value(self.context.types, ty)
                    && is_shared(class)
                    && !kept.iter().any(|kept| kept.pointer == pointer)
                    && self.leads(pointer, &is_inside, &mut chain, MAX_STEPS)
                {
                    chain.retain(|inst| !insts.contains(inst));
                    insts.extend(chain);
                    let accesses = Vec::new();
                    kept.push(Kept { pointer, ty, access, is_loaded: false, accesses });
                }
            }
        }
        if kept.is_empty()
            || blocks.iter().any(|&block| before_loops::stays_away(self.context, function, block))
        {
            return None;
        }
        self.keep_alone(blocks, head, goes_on.is_some(), &mut kept);
        let blocks = blocks.to_vec();
        (!kept.is_empty()).then_some(Plan { head, blocks, goes_on, insts, kept })
    }

    /// Keeps the addresses whose bytes nothing else in the loop touches, and notes who does.
    fn keep_alone(&mut self, blocks: &[Block], head: Block, is_tested: bool, kept: &mut Vec<Kept>) {
        let (context, function) = (self.context, self.function);
        let aliases = self
            .aliases
            .get_or_insert_with(|| Aliases::new(context.types, context.consts, function));
        let mut memory = Recent::new(function);
        let noted: Vec<Access> =
            (kept.iter()).map(|kept| aliases.access(function, kept.pointer, kept.access)).collect();
        for access in &noted {
            memory.note(*access, ());
        }
        for &block in blocks {
            for &inst in &function.blocks[block].insts {
                let of = match function.insts[inst].kind {
                    InstKind::Load { pointer, access } => Some((pointer, access, true)),
                    InstKind::Store { pointer, access, .. } => Some((pointer, access, false)),
                    InstKind::CopyMemory { source, access, .. } => {
                        memory.touch(&aliases.access(function, source, access).unbounded());
                        None
                    }
                    _ => None,
                };
                let Some((pointer, access, is_load)) = of else {
                    memory.happens(aliases, function, inst, context.constant);
                    continue;
                };
                let place = kept.iter().position(|kept| {
                    // What the head loads is loaded before the first turn is certain.
                    kept.pointer == pointer
                        && !access.flags.volatile
                        && !(is_tested && block == head)
                });
                let own = place.filter(|&place| memory.at(&noted[place]).is_some());
                memory.touch(&aliases.access(function, pointer, access));
                if let Some(place) = own {
                    memory.note(noted[place], ());
                    kept[place].accesses.push(inst);
                    kept[place].is_loaded |= is_load;
                    kept[place].access.align = kept[place].access.align.min(access.align);
                    if !access.flags.typed {
                        kept[place].access = kept[place].access.untyped();
                    }
                }
            }
        }
        let mut place = 0;
        kept.retain(|_| {
            place += 1;
            memory.at(&noted[place - 1]).is_some()
        });
    }

    /// Whether a value is there before a loop, or can be computed there: by what, in order.
    fn leads(
        &self,
        value: Value,
        is_inside: &FxHashSet<Block>,
        insts: &mut Vec<Inst>,
        steps: usize,
    ) -> bool {
        let home = match self.function.def(value) {
            None => return true,
            Some(ValueDef::Param(block, _)) => block,
            Some(ValueDef::Inst(inst)) => self.homes[inst.index()],
        };
        if !is_inside.contains(&home) {
            return true;
        }
        let Some((inst, data)) = self.function.def_inst(value) else { return false };
        if insts.contains(&inst) {
            return true;
        }
        let can_move = copies::can_be_in_vain(&data.kind);
        let mut leads = steps > 0 && can_move;
        self.function.each_operand(inst, |operand| {
            leads = leads && self.leads(operand, is_inside, insts, steps - 1);
        });
        if leads {
            insts.push(inst);
        }
        leads
    }
}

/// Whether a value of a type can be a parameter of a block on all targets.
fn is_one_value(types: &TypePool, ty: Type) -> bool {
    let scalar = match types.kind(ty) {
        TypeKind::Vector(element, _) => element,
        _ => ty,
    };
    matches!(types.kind(scalar), TypeKind::Int(_) | TypeKind::Float(_))
}

/// Whether memory is shared with other work-items: private memory is left to drivers.
fn is_shared(class: StorageClass) -> bool {
    use StorageClass::{CrossWorkgroup, Generic, Workgroup};
    matches!(class, CrossWorkgroup | Generic | Workgroup)
}

/// Makes variables of what is kept in a loop.
fn apply(context: &mut ModuleContext<'_>, function: &mut Function, plan: Plan) {
    let Plan { head, blocks, goes_on, insts, kept } = plan;
    let is_inside: FxHashSet<Block> = blocks.iter().copied().collect();
    let (before, params) = before_loops::add(context, function, head, &is_inside);
    let first_turn = function.add_block();
    function.blocks[first_turn].location = function.blocks[head].location;

    // Asks in front of the loop whether there is a first turn, and loads if so.
    let mut map: FxHashMap<Value, Value> = FxHashMap::default();
    map.extend(function.blocks[head].params.iter().copied().zip(params.iter().copied()));
    let asked = goes_on
        .and_then(|goes_on| Some((before_loops::ask(function, head, before, &mut map)?, goes_on)));
    for inst in insts {
        if function.insts[inst].result.is_none_or(|result| !map.contains_key(&result)) {
            copies::append(function, inst, before, &mut map, function.insts[inst].kind);
        }
    }
    let variables: Vec<Variable> = (kept.into_iter())
        .map(|kept| {
            let pointer = *map.get(&kept.pointer).unwrap_or(&kept.pointer);
            let variable = Variable::new(context.types, function, &kept, pointer);
            for &inst in &kept.accesses {
                variable.take(function, inst);
            }
            if kept.is_loaded {
                variable.load(function, first_turn);
            }
            variable
        })
        .collect();
    let to_head = BlockCall { block: head, arguments: function.list(&params) };
    let to_first = BlockCall { block: first_turn, arguments: ValueList::default() };
    function.blocks[first_turn].terminator = Terminator::Jump(to_head);
    function.blocks[before].terminator = choose(asked, to_first, to_head);
    function.layout.extend([before, first_turn]);

    // Stores where the loop is left.
    let mut behind: Vec<(Block, Block)> = Vec::new();
    for &block in &blocks {
        let mut terminator = std::mem::take(&mut function.blocks[block].terminator);
        for target in terminator.targets_mut() {
            if is_inside.contains(&target.block) {
                continue;
            }
            let asked = asked.filter(|_| block == head);
            let stores = function.add_block();
            let entered = match asked {
                None => stores,
                Some(_) => {
                    let tests = function.add_block();
                    let [store, pass] = [stores, target.block]
                        .map(|block| BlockCall { block, arguments: ValueList::default() });
                    let pass = BlockCall { arguments: target.arguments, ..pass };
                    function.blocks[tests].terminator = choose(asked, store, pass);
                    function.layout.push(tests);
                    tests
                }
            };
            for variable in &variables {
                variable.store(function, stores);
            }
            function.blocks[stores].terminator = Terminator::Jump(*target);
            function.layout.push(stores);
            behind.push((target.block, entered));
            *target = BlockCall { block: entered, arguments: ValueList::default() };
        }
        function.blocks[block].terminator = terminator;
    }
    if let Some(hint) = function.loop_hints.get_mut(&head)
        && let [(target, entered)] = behind[..]
        && hint.merge == target
    {
        hint.merge = entered;
    }
}

/// Goes one way if the answer is that there is a first turn, or if there always is.
fn choose(asked: Option<(Value, bool)>, turn: BlockCall, none: BlockCall) -> Terminator {
    match asked {
        None => Terminator::Jump(turn),
        Some((condition, goes_on)) => before_loops::branch(condition, goes_on, turn, none),
    }
}

/// A private variable in place of what is at an address.
struct Variable {
    address: Value,
    access: MemoryAccess,
    ty: Type,
    pointer: Value,
    /// How what is at `pointer` is accessed outside the loop.
    outside: MemoryAccess,
}

impl Variable {
    fn new(types: &mut TypePool, function: &mut Function, kept: &Kept, pointer: Value) -> Variable {
        let ty = kept.ty;
        let align = types.align(ty) as Align;
        let class = types.pointer(ty, StorageClass::Function);
        let kind = InstKind::Variable { ty, align };
        let inst = function.create_inst(kind, Some(class), MathFlags::NONE, Location::NONE);
        let entry = function.entry();
        function.blocks[entry].insts.insert(0, inst);
        let address = function.insts[inst].result.expect("a variable has an address");
        let access = MemoryAccess::aligned(align);
        Variable { address, access, ty, pointer, outside: kept.access }
    }

    /// Lets an access in the loop be one of the variable.
    fn take(&self, function: &mut Function, inst: Inst) {
        let (pointer, access) = (self.address, self.access);
        function.insts[inst].kind = match function.insts[inst].kind {
            InstKind::Store { value, .. } => InstKind::Store { pointer, value, access },
            _ => InstKind::Load { pointer, access },
        };
    }

    fn load(&self, function: &mut Function, block: Block) {
        let kind = InstKind::Load { pointer: self.pointer, access: self.outside };
        let value = function.compute(block, kind, self.ty, Location::NONE);
        let kind = InstKind::Store { pointer: self.address, value, access: self.access };
        let inst = function.create_inst(kind, None, MathFlags::NONE, Location::NONE);
        function.blocks[block].insts.push(inst);
    }

    fn store(&self, function: &mut Function, block: Block) {
        let kind = InstKind::Load { pointer: self.address, access: self.access };
        let value = function.compute(block, kind, self.ty, Location::NONE);
        let kind = InstKind::Store { pointer: self.pointer, value, access: self.outside };
        let inst = function.create_inst(kind, None, MathFlags::NONE, Location::NONE);
        function.blocks[block].insts.push(inst);
    }
}
