//! One question for the rare ways of several calls, for shaders.
//!
//! A function that first computes what is right for nearly all arguments, and then asks whether these are among the
//! others, has a branch. Between branches drivers let each call wait for the one before, though the work of all of
//! them fits side by side:
//!
//! ```text
//! a = f(x); b = f(y); c = a / b    ->    a' = usual f(x); b' = usual f(y); c' = a' / b'
//!                                        rare f(x) or rare f(y) ?
//!                                            a" = f(x); b" = f(y); c" = a" / b"
//! ```
//!
//! What is computed again touches no memory but to load, and nothing is stored in between. Calls that wait for each other
//! gain nothing: at least half of them must not.

use clc_base::Id as _;
use clc_ir::debug::Location;
use clc_ir::{
    BinaryOp, Block, BlockCall, FuncId, Function, Inst, InstKind, Linkage, MathFlags, Module,
    Terminator, TypePool, UnaryOp, Value, ValueList,
};
use rustc_hash::FxHashMap;

use crate::replacements::Replacements;
use crate::{copies, inline};

/// The most instructions that a function computes before it asks.
const USUAL: usize = 96;

/// The most instructions that are there twice, those of other functions too: drivers inline them.
const REPEATED: usize = 256;

/// Asks once wherever a block has several such calls.
pub fn run(module: &mut Module) {
    let constant: Vec<bool> = module.functions.values().map(|function| function.is_const).collect();
    let shapes: Vec<Option<Shape>> =
        module.functions.values().map(|function| shape(&constant, function)).collect();
    if shapes.iter().all(Option::is_none) {
        return;
    }
    let sizes: Vec<usize> = module.functions.values().map(inline::function_size).collect();
    let mut parts = Parts { shapes, made: FxHashMap::default() };
    for id in module.functions.ids() {
        if module.functions[id].is_declaration() {
            continue;
        }
        let placeholder = Function::new(String::new(), TypePool::VOID);
        let mut function = std::mem::replace(&mut module.functions[id], placeholder);
        let mut place = 0;
        while let Some(&block) = function.layout.get(place) {
            place += 1;
            if let Some(run) = find(&constant, &parts.shapes, &sizes, &function, block) {
                ask_once(module, &mut parts, &mut function, block, run, id);
                // What is computed again stays; what comes behind is the next block.
                place += 1;
            }
        }
        module.functions[id] = function;
    }
    // They are in all their callers now; what is known of the others by number stays right.
    inline::run_for(module, |id| id.index() >= constant.len());
    module.functions.truncate(constant.len());
}

/// How a function ends its first block: with a question, and with what it returns if the answer is the usual one.
#[derive(Clone, Copy)]
struct Shape {
    condition: Value,
    is_rare: bool,
    usual: Value,
}

/// Functions of one block each, by that which they are parts of: what it returns usually, and whether its arguments are
/// rare.
struct Parts {
    shapes: Vec<Option<Shape>>,
    made: FxHashMap<FuncId, [FuncId; 2]>,
}

fn shape(constant: &[bool], function: &Function) -> Option<Shape> {
    if !function.is_const || function.no_inline || function.is_declaration() {
        return None;
    }
    let entry = &function.blocks[function.entry()];
    let Terminator::Branch { condition, then, otherwise } = entry.terminator else { return None };
    let is_repeatable = |&inst: &Inst| is_repeatable(constant, &function.insts[inst].kind);
    if entry.insts.len() > USUAL || !entry.insts.iter().all(is_repeatable) {
        return None;
    }
    let returned = |target: BlockCall| {
        let block = &function.blocks[target.block];
        let Terminator::Return(Some(value)) = block.terminator else { return None };
        let place = block.params.iter().position(|&param| param == value);
        let value = place.map_or(value, |place| function.value_at(target.arguments, place));
        // What is no more than an argument is what few arguments give: sines of the smallest numbers.
        (block.insts.is_empty() && function.def_inst(value).is_some()).then_some(value)
    };
    match (returned(then), returned(otherwise)) {
        (None, Some(usual)) => Some(Shape { condition, is_rare: true, usual }),
        (Some(usual), None) => Some(Shape { condition, is_rare: false, usual }),
        _ => None,
    }
}

/// Whether an instruction may run twice: it computes, or loads.
fn is_repeatable(constant: &[bool], kind: &InstKind) -> bool {
    match *kind {
        InstKind::Load { access, .. } => !access.flags.volatile,
        InstKind::Call { callee, .. } => constant[callee.index()],
        ref kind => copies::is_computation(kind),
    }
}

/// The instructions of a block, by place, from the first to the last call of a run that has several.
fn find(
    constant: &[bool],
    shapes: &[Option<Shape>],
    sizes: &[usize],
    function: &Function,
    block: Block,
) -> Option<std::ops::Range<usize>> {
    if function.loop_hints.values().any(|hint| hint.continue_target == block) {
        return None;
    }
    let (mut first, mut last, mut calls, mut repeated) = (0, 0, 0, 0);
    for (place, &inst) in function.blocks[block].insts.iter().enumerate() {
        let kind = &function.insts[inst].kind;
        if !is_repeatable(constant, kind) {
            if calls > 1 {
                break;
            }
            calls = 0;
        }
        repeated += 1;
        if shape_of_callee(shapes, kind).is_some() {
            if repeated > REPEATED {
                if calls > 1 {
                    break;
                }
                calls = 0;
            }
            if calls == 0 {
                (first, repeated) = (place, 0);
            }
            (last, calls) = (place, calls + 1);
        } else if let InstKind::Call { callee, .. } = *kind {
            // Those that were made meanwhile are small.
            repeated += sizes.get(callee.index()).copied().unwrap_or_default();
        }
    }
    let run = first..last + 1;
    (calls > 1 && calls >= 2 * longest_chain(shapes, function, block, run.clone())).then_some(run)
}

/// How many of the calls wait for each other at most: those that do gain nothing.
fn longest_chain(
    shapes: &[Option<Shape>],
    function: &Function,
    block: Block,
    run: std::ops::Range<usize>,
) -> usize {
    let mut depths: FxHashMap<Value, usize> = FxHashMap::default();
    let mut longest = 0;
    for &inst in &function.blocks[block].insts[run] {
        let mut depth = 0;
        function.each_operand(inst, |value| {
            depth = depth.max(*depths.get(&value).unwrap_or(&0));
        });
        let data = &function.insts[inst];
        depth += usize::from(shape_of_callee(shapes, &data.kind).is_some());
        depths.extend(data.result.map(|result| (result, depth)));
        longest = longest.max(depth);
    }
    longest
}

fn shape_of_callee(shapes: &[Option<Shape>], kind: &InstKind) -> Option<(FuncId, ValueList)> {
    match *kind {
        // Functions that were made meanwhile have none.
        InstKind::Call { callee, arguments } => {
            shapes.get(callee.index()).copied().flatten().map(|_| (callee, arguments))
        }
        _ => None,
    }
}

/// Makes the functions that are parts of `callee`.
fn parts_of(module: &mut Module, parts: &mut Parts, callee: FuncId) -> Option<[FuncId; 2]> {
    if let Some(&made) = parts.made.get(&callee) {
        return Some(made);
    }
    let Shape { condition, is_rare, usual } = parts.shapes[callee.index()]?;
    let mut function = module.functions[callee].clone();
    let entry = function.entry();
    function.layout.truncate(1);
    function.loop_hints.clear();
    function.linkage = Linkage::Internal;
    let mut question = function.clone();
    let condition = if is_rare {
        condition
    } else {
        let not = InstKind::Unary { op: UnaryOp::Not, operand: condition };
        let location = Location::default();
        let inst =
            question.append(entry, not, Some(TypePool::BOOL), MathFlags::default(), location);
        question.insts[inst].result?
    };
    question.result = TypePool::BOOL;
    question.name.push_str(".is_rare");
    question.blocks[entry].terminator = Terminator::Return(Some(condition));
    function.name.push_str(".usual");
    function.blocks[entry].terminator = Terminator::Return(Some(usual));
    let made = [module.functions.push(function), module.functions.push(question)];
    parts.made.insert(callee, made);
    Some(made)
}

fn ask_once(
    module: &mut Module,
    parts: &mut Parts,
    function: &mut Function,
    block: Block,
    run: std::ops::Range<usize>,
    caller: FuncId,
) {
    let end = run.end;
    let mut insts = std::mem::take(&mut function.blocks[block].insts);
    let behind = insts.split_off(end);
    let repeated = insts.split_off(run.start);
    function.blocks[block].insts = insts;

    let place = function.layout.iter().position(|&other| other == block).unwrap_or_default();
    let (again, join) = (function.add_block(), function.add_block());
    function.layout.truncate(function.layout.len() - 2);
    function.layout.splice(place + 1..=place, [again, join]);
    function.blocks[join].insts = behind;
    function.blocks[join].terminator = std::mem::take(&mut function.blocks[block].terminator);
    function.blocks[join].location = function.blocks[block].location;
    if let Some(debug) = &mut function.debug {
        debug.move_end(block, join);
    }

    // The usual values, and the others.
    let (mut usual, mut others) = (FxHashMap::default(), FxHashMap::default());
    let mut rare: Option<Value> = None;
    for &inst in &repeated {
        let data = function.insts[inst];
        copies::append(function, inst, again, &mut others, data.kind);
        let Some((callee, arguments)) = shape_of_callee(&parts.shapes, &data.kind) else {
            copies::append(function, inst, block, &mut usual, data.kind);
            continue;
        };
        let Some([value, question]) =
            (callee != caller).then(|| parts_of(module, parts, callee)).flatten()
        else {
            copies::append(function, inst, block, &mut usual, data.kind);
            continue;
        };
        let call = |callee| InstKind::Call { callee, arguments };
        copies::append(function, inst, block, &mut usual, call(value));
        let kind = function.with_own_lists(call(question));
        let asked = append(function, block, kind);
        let InstKind::Call { arguments, .. } = kind else { continue };
        function.map_list(arguments, |value| *usual.get(&value).unwrap_or(&value));
        rare = match (rare, asked) {
            (Some(left), Some(right)) => {
                append(function, block, InstKind::Binary { op: BinaryOp::Or, left, right })
            }
            (None, asked) => asked,
            (rare, None) => rare,
        };
    }

    // What is used behind has two values.
    let results: Vec<Value> =
        repeated.iter().filter_map(|&inst| function.insts[inst].result).collect();
    let uses = crate::replacements::use_counts(function);
    let mut replacements = Replacements::default();
    let (mut from_usual, mut from_others) = (Vec::new(), Vec::new());
    for old in results {
        let index = old.as_local().unwrap_or_default();
        if uses[index] > 0 {
            let ty = function.values[index].ty;
            replacements.set(old, function.add_block_param(join, ty));
            from_usual.push(*usual.get(&old).unwrap_or(&old));
            from_others.push(*others.get(&old).unwrap_or(&old));
        }
    }
    let (to_usual, to_others) = (function.list(&from_usual), function.list(&from_others));
    let nothing = function.list(&[]);
    let to_join = BlockCall { block: join, arguments: to_usual };
    function.blocks[again].terminator =
        Terminator::Jump(BlockCall { block: join, arguments: to_others });
    function.blocks[block].terminator = match rare {
        Some(condition) => Terminator::Branch {
            condition,
            then: BlockCall { block: again, arguments: nothing },
            otherwise: to_join,
        },
        None => Terminator::Jump(to_join),
    };
    replacements.apply(function);
}

fn append(function: &mut Function, block: Block, kind: InstKind) -> Option<Value> {
    let location = Location::default();
    let inst = function.append(block, kind, Some(TypePool::BOOL), MathFlags::default(), location);
    function.insts[inst].result
}
