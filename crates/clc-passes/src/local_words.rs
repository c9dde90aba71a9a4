//! Joins the bytes and shorts that a work-item stores side by side in local memory to words, for shaders, where nothing
//! accesses less than a word of a variable then.
//!
//! ```text
//! local uchar *s = (local uchar *)words + 32 * id;
//! s[0] = a; s[1] = b; s[2] = c; s[3] = d;      ->      words[8 * id] = {a, b, c, d};
//! barrier(..);                                         barrier(..);
//! .. = words[i];                                       .. = words[i];
//! ```
//!
//! A variable in Vulkan has one type: with one byte among the accesses it is an array of bytes, and each word of it four
//! loads. Loops that store parts of words are written out, as drivers would do later. If something smaller than a word is
//! accessed nevertheless, all stays as it is.
//!
//! A word is stored where a work-item stores all of it, with nothing between that could read or write there, or let others
//! do so. Of a word that others store a part of at the same time nothing is joined: they would write over each other.

use clc_ir::{
    BinaryOp, Block, Cfg, Const, ConvertOp, Dominators, Function, Inst, InstKind, Module,
    StorageClass, TypeKind, TypePool, Value,
};
use rustc_hash::FxHashSet;

use crate::alignment::{Low, LowBits, Sum};
use crate::context::{ModuleContext, each_function};
use crate::counted::{self, Known, Loop};
use crate::fold::Folder;
use crate::wide_loads::stores::{self, Candidate, Group};
use crate::written_turns::{self, Turns};
use crate::{copies, mem2reg, simplify, simplify_cfg};

/// Bytes of a word.
const WORD: u64 = 4;

/// Instructions that all loops of a function may become.
const MAX_SIZE: u64 = 1024;

/// Loops in loops in loops.
const MAX_DEPTH: usize = 3;

/// Joins the stores of a module.
pub fn run(module: &mut Module) {
    let mut joined = FxHashSet::default();
    each_function(module, |context, function| joined.extend(of_function(context, function)));
    for variable in joined {
        if let Some(id) = variable.as_const()
            && let &Const::GlobalAddress(_, global) = module.consts.get(id)
        {
            let align = &mut module.globals[global].align;
            *align = (*align).max(WORD as u32);
        }
    }
}

/// Joins the stores of a function, and returns the variables that they are to.
fn of_function(context: &mut ModuleContext<'_>, function: &mut Function) -> FxHashSet<Value> {
    let mut variables = candidates(context, function);
    while !variables.is_empty() {
        let mut written = function.clone();
        match join(context, &mut written, &variables) {
            Ok(()) => {
                *function = written;
                break;
            }
            Err(left) => variables.retain(|variable| !left.contains(variable)),
        }
    }
    variables
}

/// Joins all stores of parts of words to some variables, or returns those with parts that are left.
fn join(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    variables: &FxHashSet<Value>,
) -> Result<(), FxHashSet<Value>> {
    simplify_cfg::remove_unreachable(function);
    let mut size_left = MAX_SIZE;
    let mut depth = 0;
    loop {
        let cfg = Cfg::new(function);
        let low = LowBits::new(context, function, &cfg);
        let mut groups = Vec::new();
        for &block in &function.layout {
            find(context, function, &low, variables, block, &mut groups);
        }
        let joined: FxHashSet<Inst> = groups.iter().flat_map(Group::stores).collect();
        let mut left: FxHashSet<Block> = FxHashSet::default();
        let mut left_of: FxHashSet<Value> = FxHashSet::default();
        each_use(context, function, |block, variable, what| {
            if let Use::StorePart(inst) = what
                && variables.contains(&variable)
                && !joined.contains(&inst)
            {
                left.insert(block);
                left_of.insert(variable);
            }
        });
        if left.is_empty() {
            groups.iter().for_each(|group| combine(context, function, &low, group));
            return Ok(());
        }
        if depth == MAX_DEPTH || !write_out(context, function, &cfg, &left, &mut size_left) {
            return Err(left_of);
        }
        depth += 1;
    }
}

/// Writes out the innermost loops around some blocks. Returns whether there are any.
fn write_out(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    cfg: &Cfg,
    around: &FxHashSet<Block>,
    size_left: &mut u64,
) -> bool {
    let dominators = Dominators::new(cfg);
    let loops = counted::loops_from_anywhere(function, cfg, &dominators);
    let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
    let mut chosen: Vec<(&Loop, Turns)> = Vec::new();
    for found in loops.iter().rev() {
        if found.blocks.iter().any(|block| around.contains(block))
            && !chosen.iter().any(|(inner, _)| found.contains(inner.header))
            && !found.leaves_early
            && !found.has_variables(function)
            && let Some((turns, _)) =
                counted::turns(&mut folder, function, found, &Known::default())
            && let Some(rest) = size_left.checked_sub(found.size(function).saturating_mul(turns))
        {
            *size_left = rest;
            chosen.push((found, Turns::All(turns)));
        }
    }
    if chosen.is_empty() {
        return false;
    }
    written_turns::unroll(context.types, function, &chosen);
    mem2reg::run(context, function);
    simplify_cfg::run(context, function);
    // Indices are constants now.
    simplify::run(context, function);
    simplify_cfg::run(context, function);
    true
}

/// The variables that parts of words are stored to, words are loaded or stored as well, and nothing else is done with.
fn candidates(context: &ModuleContext<'_>, function: &Function) -> FxHashSet<Value> {
    let mut insts = function.layout.iter().flat_map(|&block| &function.blocks[block].insts);
    if !insts.any(|&inst| stored_part(context, function, inst).is_some()) {
        return FxHashSet::default();
    }
    let mut parts = FxHashSet::default();
    let (mut words, mut others) = (parts.clone(), parts.clone());
    each_use(context, function, |_, variable, what| {
        let variables = match what {
            Use::StorePart(_) => &mut parts,
            Use::Word => &mut words,
            Use::Other => &mut others,
        };
        variables.insert(variable);
    });
    parts.retain(|variable| words.contains(variable) && !others.contains(variable));
    parts
}

/// What is done with an address in a variable.
enum Use {
    /// An integer or float of less than a word is stored.
    StorePart(Inst),
    /// Numbers of words are loaded or stored.
    Word,
    Other,
}

/// Calls `visit` with what is done with variables in local memory but to compute addresses.
fn each_use(
    context: &ModuleContext<'_>,
    function: &Function,
    mut visit: impl FnMut(Block, Value, Use),
) {
    let variable = |value| variable(context, function, Sum::of_address(context, function, value).0);
    for &block in &function.layout {
        let mut visit = |value, what| {
            if let Some(variable) = variable(value) {
                visit(block, variable, what);
            }
        };
        for &inst in &function.blocks[block].insts {
            let of_word = |object, is_volatile: bool| {
                let bits = context.types.scalar_bits(object).unwrap_or_default();
                let is_word = u64::from(bits) >= 8 * WORD && !is_volatile;
                if is_word { Use::Word } else { Use::Other }
            };
            match function.insts[inst].kind {
                InstKind::PtrAdd { .. } | InstKind::Access { .. } => {}
                InstKind::Convert { op: ConvertOp::Bitcast, .. } => {}
                InstKind::Load { pointer, access } => {
                    let ty =
                        function.insts[inst].result.map(|value| context.type_of(function, value));
                    if let Some(ty) = ty {
                        visit(pointer, of_word(ty, access.flags.volatile));
                    }
                }
                InstKind::Store { pointer, value, access } => {
                    let ty = context.type_of(function, value);
                    visit(value, Use::Other);
                    visit(
                        pointer,
                        match stored_part(context, function, inst) {
                            Some(_) => Use::StorePart(inst),
                            None => of_word(ty, access.flags.volatile),
                        },
                    );
                }
                _ => function.each_operand(inst, |value| visit(value, Use::Other)),
            }
        }
        function.each_terminator_operand(block, |value| visit(value, Use::Other));
    }
}

/// An address that nothing computes, if it is that of a variable in local memory: no other such address leads there.
fn variable(context: &ModuleContext<'_>, function: &Function, base: Value) -> Option<Value> {
    let (pointee, class) = context.types.pointer_parts(context.type_of(function, base))?;
    let is_variable = match base.as_const() {
        Some(id) => matches!(context.consts.get(id), Const::GlobalAddress(..)),
        // The host makes memory for the arguments of a kernel, aligned to what they point to.
        None => {
            function.entry_point.is_some()
                && function.blocks[function.entry()].params.contains(&base)
                && context.types.align(pointee) >= WORD
        }
    };
    (is_variable && class == StorageClass::Workgroup).then_some(base)
}

/// The bytes that an instruction stores in local memory, if it stores a part of a word that may be joined.
fn stored_part(context: &ModuleContext<'_>, function: &Function, inst: Inst) -> Option<u64> {
    let InstKind::Store { pointer, value, access } = function.insts[inst].kind else {
        return None;
    };
    let (_, class) = context.types.pointer_parts(context.type_of(function, pointer))?;
    let bits = match context.types.kind(context.type_of(function, value)) {
        TypeKind::Int(bits @ (8 | 16)) | TypeKind::Float(bits @ 16) => u64::from(bits),
        _ => return None,
    };
    let is_plain = !access.flags.volatile && !access.flags.nontemporal;
    (class == StorageClass::Workgroup && is_plain).then_some(bits / 8)
}

/// What was stored in a variable since anything else was that could be done there.
struct Open {
    variable: Value,
    /// The sum that addresses have in common, and what is known of its lowest bits.
    parts: Vec<(Value, i64)>,
    low: Low,
    stores: Vec<Candidate>,
}

impl Open {
    fn close(mut self, block: Block, groups: &mut Vec<Group>) {
        self.stores.sort_by_key(|store| store.offset);
        stores::side_by_side(block, self.low, &self.stores, &[WORD], groups);
    }
}

/// Finds the words whose parts a block stores.
fn find(
    context: &ModuleContext<'_>,
    function: &Function,
    low: &LowBits,
    variables: &FxHashSet<Value>,
    block: Block,
    groups: &mut Vec<Group>,
) {
    let mut open: Vec<Open> = Vec::new();
    let mut found = Vec::new();
    for (place, &inst) in function.blocks[block].insts.iter().enumerate() {
        let (pointer, access) = match function.insts[inst].kind {
            InstKind::Load { pointer, access } | InstKind::Store { pointer, access, .. } => {
                (pointer, access)
            }
            InstKind::Variable { .. } => continue,
            ref kind if copies::is_computation(kind) => continue,
            _ => {
                open.drain(..).for_each(|open| open.close(block, &mut found));
                continue;
            }
        };
        let class = context.types.pointer_parts(context.type_of(function, pointer));
        if !matches!(class, Some((_, StorageClass::Workgroup | StorageClass::Generic))) {
            continue;
        }
        let (base, sum) = Sum::of_address(context, function, pointer);
        let Some(variable) = variable(context, function, base) else {
            open.drain(..).for_each(|open| open.close(block, &mut found));
            continue;
        };
        let here = open.iter().position(|open| open.variable == variable);
        let (Some(size), Some(sum)) = (stored_part(context, function, inst), sum) else {
            if let Some(here) = here {
                open.remove(here).close(block, &mut found);
            }
            continue;
        };
        if !variables.contains(&variable) {
            continue;
        }
        let store = Candidate { inst, place, size, align: access.align, offset: sum.constant };
        match here {
            Some(here)
                if open[here].parts == sum.parts
                    && !open[here].stores.iter().any(|other| other.overlaps(&store)) =>
            {
                open[here].stores.push(store);
                continue;
            }
            Some(here) => open.remove(here).close(block, &mut found),
            None => {}
        }
        let low = low.of_parts(context, &sum, |_| false);
        open.push(Open { variable, parts: sum.parts, low, stores: vec![store] });
    }
    open.into_iter().for_each(|open| open.close(block, &mut found));
    // What has to be given of arguments is not known.
    groups.extend(found.into_iter().filter(|group| group.given == 0));
}

/// Stores a word at once.
fn combine(context: &mut ModuleContext<'_>, function: &mut Function, low: &LowBits, group: &Group) {
    let Some(InstKind::Store { pointer, .. }) =
        group.stores().next().map(|first| function.insts[first].kind)
    else {
        return;
    };
    let (base, sum) = Sum::of_address(context, function, pointer);
    let steps = sum.as_ref().and_then(|sum| in_words(context, low, sum));
    stores::replace(context, function, group, |builder, ty| {
        let ty = builder.types.pointer(ty, StorageClass::Workgroup);
        let Some((steps, constant)) = steps else { return builder.bitcast(pointer, ty) };
        let mut word = builder.bitcast(base, ty);
        for Step { mut index, is_in_bytes, factor } in steps {
            if builder.ty(index) != TypePool::I64 {
                index = builder.convert(ConvertOp::SignExtend, index, TypePool::I64);
            }
            if is_in_bytes {
                let bits = builder.int(TypePool::I64, WORD.trailing_zeros().into());
                index = builder.binary(BinaryOp::AShr, index, bits);
            }
            if factor != 1 {
                let factor = builder.int(TypePool::I64, factor as u64);
                index = builder.binary(BinaryOp::IMul, index, factor);
            }
            word = builder.ptr_add(word, index);
        }
        if constant != 0 {
            let constant = builder.int(TypePool::I64, constant as u64);
            word = builder.ptr_add(word, constant);
        }
        word
    });
}

/// What leads from one address to another.
struct Step {
    index: Value,
    /// The index is a multiple of a word, and counts bytes.
    is_in_bytes: bool,
    factor: i64,
}

/// The steps that lead to a word, each of whole words, and how many are left; nothing where only the sum of some is whole
/// words. Whoever looks at the variable then sees that it is an array of words.
fn in_words(context: &ModuleContext<'_>, low: &LowBits, sum: &Sum) -> Option<(Vec<Step>, i64)> {
    let word = WORD as i64;
    let step = |&(index, factor): &(Value, i64)| {
        if factor % word == 0 {
            return Some(Step { index, is_in_bytes: false, factor: factor / word });
        }
        let Low { known, bits, given } = low.of(context, index)?;
        let is_whole = known >= 2 && u64::from(bits) % WORD == 0 && given == 0;
        is_whole.then_some(Step { index, is_in_bytes: true, factor })
    };
    let steps = sum.parts.iter().map(step).collect::<Option<_>>()?;
    (sum.constant % word == 0).then_some((steps, sum.constant / word))
}
