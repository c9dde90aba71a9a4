//! Leaves loops of shaders where a flag says that there is no other turn.
//!
//! ```text
//! for (i = 0; i < n && !done; i++) {        for (i = 0; i < n; i++) {
//!     ..                                        ..
//!     if (a) {                        ->        if (a) {
//!         x = 1; done = true;                       x = 1; done = true; break;
//!     } else ..                                 } else ..
//! }                                         }
//! ```
//!
//! A flag that goes round needs a register and a test in each turn, and hides from what looks at loops how they end.
//! From a jump that passes a constant the way is followed as long as nothing but computations is on it and the
//! constant decides; those that are needed where it ends are repeated.
//!
//! Only innermost loops that do not write are left: where others are, on an H100, work-items wait longer for each other than
//! the flag takes.

use clc_base::Id as _;
use clc_ir::{
    BinaryOp, Block, BlockCall, Cfg, Dominators, Function, Inst, InstKind, Terminator, TypePool,
    Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::ModuleContext;
use crate::fold::Folder;
use crate::in_variables::{self, Definition};
use crate::{copies, counted, mem2reg, simplify_cfg};

/// Flags that end one loop.
const MAX_ROUNDS: usize = 2;

/// Ways of a function that are taken in a round.
const MAX_WAYS: usize = 32;

/// Blocks on a way.
const MAX_BLOCKS: usize = 12;

/// Instructions that a way repeats.
const MAX_COPIES: usize = 8;

/// Sends jumps that pass a flag where it sends control.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    for _ in 0..MAX_ROUNDS {
        let cfg = Cfg::new(function);
        if !cfg.blocks_in_loops().contains(&true) {
            return;
        }
        let dominators = Dominators::new(&cfg);
        let folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
        let mut finder = Finder {
            folder,
            function,
            cfg: &cfg,
            dominators: &dominators,
            constant: context.constant,
            loops: FxHashMap::default(),
        };
        let ways = finder.ways();
        if ways.is_empty() {
            return;
        }
        take(context, function, ways);
        mem2reg::run(context, function);
        simplify_cfg::run(context, function);
    }
}

/// A way that control takes from a jump, and that is known before.
struct Way {
    from: Block,
    /// Which of the jump's targets.
    index: usize,
    /// The blocks on the way, of which the last is the loop's head.
    blocks: Vec<Block>,
}

struct Finder<'a> {
    folder: Folder<'a>,
    function: &'a Function,
    cfg: &'a Cfg,
    dominators: &'a Dominators,
    /// By function: whether calls with equal arguments are equal.
    constant: &'a [bool],
    /// The blocks of loops, by their heads, and whether they may be left.
    loops: FxHashMap<Block, (FxHashSet<Block>, bool)>,
}

impl Finder<'_> {
    fn ways(&mut self) -> Vec<Way> {
        let function = self.function;
        let mut ways = Vec::new();
        for &from in self.cfg.reverse_post_order() {
            for (index, target) in function.blocks[from].terminator.targets().enumerate() {
                let passes_flag = function.values_of(target.arguments).any(Value::is_const);
                if passes_flag && ways.len() < MAX_WAYS {
                    ways.extend(self.way(from, index, target));
                }
            }
        }
        ways
    }

    /// The way from a jump out of the loop that it is in, which ends behind the loop's head.
    fn way(&mut self, from: Block, index: usize, mut call: BlockCall) -> Option<Way> {
        let function = self.function;
        let mut known = Known::default();
        let mut blocks = Vec::new();
        let mut copies = 0;
        while blocks.len() < MAX_BLOCKS && call.block != from && !blocks.contains(&call.block) {
            bind(function, call, &mut known);
            blocks.push(call.block);
            for &inst in &function.blocks[call.block].insts {
                let data = &function.insts[inst];
                let Some(result) = data.result.filter(|_| copies::is_computation(&data.kind))
                else {
                    copies = MAX_COPIES + 1;
                    break;
                };
                match fold(&mut self.folder, function, inst, &known) {
                    Some(value) => {
                        known.insert(result, value);
                    }
                    None => copies += 1,
                }
            }
            let Some((to, decides)) = next(&self.folder, function, call.block, &known) else {
                break;
            };
            if copies > MAX_COPIES {
                break;
            }
            if self.dominators.is_loop_head(self.cfg, call.block) {
                let leaves = decides && self.leaves(call.block, from, to.block);
                return leaves.then_some(Way { from, index, blocks });
            }
            call = to;
        }
        None
    }

    /// Whether control leaves the loop that begins with `head` from a block in it, and the loop has no other in it and
    /// does not write.
    fn leaves(&mut self, head: Block, from: Block, to: Block) -> bool {
        let (function, cfg, dominators) = (self.function, self.cfg, self.dominators);
        let (members, may_be_left) = self.loops.entry(head).or_insert_with(|| {
            let blocks = counted::blocks(cfg, dominators, head).unwrap_or_default();
            let members: FxHashSet<Block> = blocks.into_iter().collect();
            let writes = |&inst: &Inst| match function.insts[inst].kind {
                InstKind::Load { .. } => false,
                InstKind::Call { callee, .. } => !self.constant[callee.index()],
                ref kind => !copies::is_computation(kind),
            };
            let may_be_left = members.iter().all(|&block| {
                (block == head || !dominators.is_loop_head(cfg, block))
                    && !function.blocks[block].insts.iter().any(writes)
            });
            (members, may_be_left)
        });
        *may_be_left && members.contains(&from) && !members.contains(&to)
    }
}

/// What parameters and results are on a way.
type Known = FxHashMap<Value, Value>;

/// What the parameters of a block are when control comes there by a jump.
fn bind(function: &Function, call: BlockCall, known: &mut Known) {
    let arguments = function.values_of(call.arguments);
    let arguments: Vec<Value> =
        arguments.map(|value| *known.get(&value).unwrap_or(&value)).collect();
    known.extend(function.blocks[call.block].params.iter().copied().zip(arguments));
}

/// Where control goes from a block, if that is known, and whether something had to be for that.
fn next(
    folder: &Folder<'_>,
    function: &Function,
    block: Block,
    known: &Known,
) -> Option<(BlockCall, bool)> {
    match function.blocks[block].terminator {
        Terminator::Jump(to) => Some((to, false)),
        Terminator::Branch { condition, then, otherwise } => {
            let bits = folder.scalar_bits(*known.get(&condition).unwrap_or(&condition))?;
            Some((if bits != 0 { then } else { otherwise }, true))
        }
        _ => None,
    }
}

/// What an instruction computes on a way, if that is known or one of its operands.
fn fold(folder: &mut Folder<'_>, function: &Function, inst: Inst, known: &Known) -> Option<Value> {
    let at = |value: Value| *known.get(&value).unwrap_or(&value);
    let data = &function.insts[inst];
    let ty = function.values[data.result?.as_local()?].ty;
    match data.kind {
        InstKind::Binary { op, left, right } => {
            let (left, right) = (at(left), at(right));
            if ty == TypePool::BOOL && matches!(op, BinaryOp::And | BinaryOp::Or) {
                // One operand may decide.
                for (one, other) in [(left, right), (right, left)] {
                    if let Some(bits) = folder.scalar_bits(one) {
                        let decides = (bits != 0) == (op == BinaryOp::Or);
                        return Some(if decides { one } else { other });
                    }
                }
            }
            folder.binary(op, left, right)
        }
        InstKind::Unary { op, operand } => folder.unary(op, at(operand)),
        InstKind::Compare { op, left, right } => folder.compare(op, at(left), at(right)),
        InstKind::Select { condition, then, otherwise } => {
            let bits = folder.scalar_bits(at(condition))?;
            Some(at(if bits != 0 { then } else { otherwise }))
        }
        InstKind::Convert { op, operand, rounding, saturate } => {
            folder.convert(op, at(operand), ty, rounding, saturate)
        }
        _ => None,
    }
}

/// Makes a block of each way, and sends the jump there.
fn take(context: &mut ModuleContext<'_>, function: &mut Function, ways: Vec<Way>) {
    // What blocks on the ways define and others use, which do not come through them only any more.
    let mut homes: FxHashMap<Value, Block> = FxHashMap::default();
    for &block in ways.iter().flat_map(|way| &way.blocks) {
        let insts = function.blocks[block].insts.iter();
        let results = insts.filter_map(|&inst| function.insts[inst].result);
        let all = function.blocks[block].params.iter().copied().chain(results);
        homes.extend(all.map(|value| (value, block)));
    }
    let mut used = FxHashSet::default();
    let mut values = Vec::new();
    for &block in &function.layout {
        let mut note = |value: Value| {
            if homes.get(&value).is_some_and(|&home| home != block) && used.insert(value) {
                values.push(value);
            }
        };
        for &inst in &function.blocks[block].insts {
            function.each_operand(inst, &mut note);
        }
        function.each_terminator_operand(block, &mut note);
    }

    let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
    let mut more = Vec::new();
    let mut jumps = Vec::with_capacity(ways.len());
    for Way { from, index, blocks } in ways {
        let Some(mut call) = function.blocks[from].terminator.targets().nth(index) else {
            continue;
        };
        let block = function.add_block();
        function.blocks[block].location = function.blocks[from].location;
        let mut known = Known::default();
        for &on_way in &blocks {
            bind(function, call, &mut known);
            for inst in function.blocks[on_way].insts.clone() {
                let folded = fold(&mut folder, function, inst, &known);
                match (folded, function.insts[inst].result) {
                    (Some(value), Some(result)) => {
                        known.insert(result, value);
                    }
                    _ => {
                        copies::append(function, inst, block, &mut known, function.insts[inst].kind)
                    }
                }
            }
            if let Some((to, _)) = next(&folder, function, on_way, &known) {
                call = to;
            }
        }
        let here = |value: Value| *known.get(&value).unwrap_or(&value);
        let arguments: Vec<Value> = function.values_of(call.arguments).map(here).collect();
        let arguments = function.list(&arguments);
        function.blocks[block].terminator =
            Terminator::Jump(BlockCall { block: call.block, arguments });
        let defined = values.iter().filter(|value| blocks.contains(&homes[value]));
        more.extend(defined.map(|&of| Definition { block, of, value: here(of) }));
        jumps.push((from, index, block));
    }
    in_variables::keep(context.types, function, &values, &more, |value, block| {
        homes.get(&value) == Some(&block)
    });
    let none = function.list(&[]);
    for (from, index, block) in jumps {
        if let Some(target) = function.blocks[from].terminator.targets_mut().nth(index) {
            *target = BlockCall { block, arguments: none };
        }
    }
}
