//! Copies of private arrays among which control chooses, for shaders: what is read of a choice then is one array, which may
//! become values, and stays one when functions are inlined that read it.
//!
//! ```text
//! c = k & 1 ? a : b;               for (i = 0; i < 6; i++)
//! .. c[i] .. c[i] ..       ->          c[i] = k & 1 ? a[i] : b[i];
//!                                  .. c[i] .. c[i] ..
//! ```
//!
//! Drivers would compare each index with those of all elements of all arrays. Nothing may write to the arrays as long as
//! their choice is read, and what is read of it leads nowhere else.

use clc_ir::debug::Location;
use clc_ir::{
    Align, Block, Cfg, Function, InstKind, MathFlags, MemoryAccess, Module, StorageClass,
    Terminator, Type, TypeKind, TypePool, Value,
};
use rustc_hash::FxHashSet;

use crate::context::{ModuleContext, each_function};
use crate::dead_code;
use crate::fold::Folder;

/// Elements of an array that is copied.
const MAX_ELEMENTS: u64 = 16;

/// Choices of a function that are looked at, and ways that lead to one: for each the function is read, and each copies.
const MAX_CHOICES: usize = 16;
const MAX_WAYS: usize = 8;

/// How deep calls are followed that read an array.
const MAX_CALLS: u32 = 3;

/// Copies the arrays of a module among which blocks choose.
pub fn run(module: &mut Module) {
    let bodies = module.functions.values().filter(|function| !function.is_declaration());
    let chosen: Vec<Vec<Chosen>> = bodies.map(|function| chosen(module, function)).collect();
    if chosen.iter().all(Vec::is_empty) {
        return;
    }
    let mut chosen = chosen.into_iter();
    each_function(module, |context, function| {
        let chosen = chosen.next().unwrap_or_default();
        for choice in &chosen {
            copy(context, function, choice);
        }
        if !chosen.is_empty() {
            // The parameters have no use.
            dead_code::run(context, function);
        }
    });
}

/// A parameter of a block that is the address of one of some arrays.
struct Chosen {
    block: Block,
    param: Value,
    /// By block that goes there.
    arrays: Vec<(Block, Value)>,
    /// Of each array.
    ty: Type,
    element: Type,
    count: u64,
}

fn chosen(module: &Module, function: &Function) -> Vec<Chosen> {
    let is_private = |param: Value| {
        let ty = function.values[param.as_local().unwrap_or_default()].ty;
        matches!(module.types.pointer_parts(ty), Some((_, StorageClass::Function)))
    };
    let mut params = Vec::new();
    for &block in &function.layout[1..] {
        let of_block = function.blocks[block].params.iter().enumerate();
        params.extend(of_block.filter(|(_, param)| is_private(**param)).map(|(at, _)| (block, at)));
    }
    if params.is_empty() {
        return Vec::new();
    }
    let cfg = Cfg::new(function);
    params
        .into_iter()
        .take(MAX_CHOICES)
        .filter_map(|place| choice(module, function, &cfg, place))
        .collect()
}

fn choice(
    module: &Module,
    function: &Function,
    cfg: &Cfg,
    place: (Block, usize),
) -> Option<Chosen> {
    let (block, position) = place;
    let param = function.blocks[block].params[position];
    let mut arrays = Vec::new();
    for from in cfg.predecessors(block) {
        // It goes nowhere else, where the choice before might still be read.
        let Terminator::Jump(call) = &function.blocks[from].terminator else { return None };
        arrays.push((from, array(module, function, function.value_at(call.arguments, position))?));
    }
    let &(_, first) = arrays.first()?;
    let ty = variable_type(function, first)?;
    let TypeKind::Array(element, count) = module.types.kind(ty) else { return None };
    let is_scalar = matches!(module.types.kind(element), TypeKind::Int(_) | TypeKind::Float(_));
    let is_choice = arrays.len() <= MAX_WAYS
        && arrays.iter().any(|&(_, array)| array != first)
        && arrays.iter().all(|&(_, array)| variable_type(function, array) == Some(ty));
    if !is_choice || !is_scalar || count > MAX_ELEMENTS {
        return None;
    }
    let written = Written { place, reached: reached(cfg, block) };
    let is_right = is_read(module, function, param, None, MAX_CALLS)
        && arrays
            .iter()
            .all(|&(_, array)| is_read(module, function, array, Some(&written), MAX_CALLS));
    is_right.then_some(Chosen { block, param, arrays, ty, element, count })
}

/// The private variable that an address is, or whose first element is there.
fn array(module: &Module, function: &Function, address: Value) -> Option<Value> {
    let (_, data) = function.def_inst(address)?;
    match data.kind {
        InstKind::Variable { .. } => Some(address),
        InstKind::Access { base, indices } if indices.len() == 1 => {
            let index = function.value_at(indices, 0);
            let is_first = module.consts.signed(&module.types, index) == Some(0);
            (is_first && variable_type(function, base).is_some()).then_some(base)
        }
        _ => None,
    }
}

fn variable_type(function: &Function, variable: Value) -> Option<Type> {
    match function.def_inst(variable)?.1.kind {
        InstKind::Variable { ty, .. } => Some(ty),
        _ => None,
    }
}

/// The blocks from a block on, itself among them.
fn reached(cfg: &Cfg, from: Block) -> FxHashSet<Block> {
    let mut reached = FxHashSet::default();
    let mut left = vec![from];
    while let Some(block) = left.pop() {
        if reached.insert(block) {
            left.extend(cfg.successors(block));
        }
    }
    reached
}

/// Where arrays that are chosen may be written.
struct Written {
    /// The parameter that may be one of them.
    place: (Block, usize),
    /// The blocks from that on, which may not write.
    reached: FxHashSet<Block>,
}

/// Whether all that is done with an address, and with those that are computed of it, is to load from there, but for what may
/// be `written`.
fn is_read(
    module: &Module,
    function: &Function,
    address: Value,
    written: Option<&Written>,
    calls: u32,
) -> bool {
    let mut addresses: FxHashSet<Value> = FxHashSet::default();
    addresses.insert(address);
    for block in clc_ir::reverse_post_order(function) {
        let may_write = written.is_some_and(|written| !written.reached.contains(&block));
        for &inst in &function.blocks[block].insts {
            let data = &function.insts[inst];
            let is_fine = match data.kind {
                InstKind::Access { base, .. } | InstKind::PtrAdd { base, .. } => {
                    addresses.extend(data.result.filter(|_| addresses.contains(&base)));
                    true
                }
                InstKind::Load { pointer, access } => {
                    !addresses.contains(&pointer) || !access.flags.volatile
                }
                InstKind::Store { pointer, value, access } => {
                    let is_there = addresses.contains(&pointer);
                    !addresses.contains(&value)
                        && (!is_there || may_write && !access.flags.volatile)
                }
                InstKind::CopyMemory { destination, access, .. } => {
                    !addresses.contains(&destination) || may_write && !access.flags.volatile
                }
                InstKind::Call { callee, arguments } => {
                    let callee = &module.functions[callee];
                    let arguments = function.values_of(arguments).enumerate();
                    let mut given = arguments.filter(|(_, value)| addresses.contains(value));
                    given.all(|(position, _)| {
                        calls > 0
                            && !callee.is_declaration()
                            && callee.blocks[callee.entry()].params.get(position).is_some_and(
                                |&param| is_read(module, callee, param, None, calls - 1),
                            )
                    })
                }
                _ => {
                    let mut any = false;
                    function.each_operand(inst, |value| any |= addresses.contains(&value));
                    !any
                }
            };
            if !is_fine {
                return false;
            }
        }
        let chosen = written.and_then(|written| {
            let (to, position) = written.place;
            let mut calls = function.blocks[block].terminator.targets();
            let call = calls.find(|call| call.block == to)?;
            Some(function.value_at(call.arguments, position))
        });
        let mut leads = 0;
        function.each_terminator_operand(block, |value| {
            leads += u32::from(addresses.contains(&value));
        });
        if leads > u32::from(chosen.is_some_and(|chosen| addresses.contains(&chosen))) {
            return false;
        }
    }
    true
}

/// Has the blocks before a choice copy the array that they choose.
fn copy(context: &mut ModuleContext<'_>, function: &mut Function, choice: &Chosen) {
    let &Chosen { block, param, ref arrays, ty, element, count } = choice;
    let align = context.types.align(element) as Align;
    let access = MemoryAccess::aligned(align);
    let to_array = context.types.pointer(ty, StorageClass::Function);
    let to_element = context.types.pointer(element, StorageClass::Function);
    let create = |function: &mut Function, kind, ty| {
        let inst = function.create_inst(kind, Some(ty), MathFlags::NONE, Location::default());
        (inst, function.insts[inst].result.expect("an address has a type"))
    };
    let (inst, copied) = create(function, InstKind::Variable { ty, align }, to_array);
    let entry = function.entry();
    function.blocks[entry].insts.insert(0, inst);
    let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
    let mut indices = |function: &mut Function, index: u64| {
        let index = folder.int(TypePool::I32, index);
        function.list(&[index])
    };
    for &(from, array) in arrays {
        for index in 0..count {
            let [old, new] = [array, copied].map(|base| {
                let kind = InstKind::Access { base, indices: indices(function, index) };
                function.compute(from, kind, to_element, Location::default())
            });
            let kind = InstKind::Load { pointer: old, access };
            let value = function.compute(from, kind, element, Location::default());
            let kind = InstKind::Store { pointer: new, value, access };
            function.append(from, kind, None, MathFlags::NONE, Location::default());
        }
    }
    let is_whole = function.values[param.as_local().unwrap_or_default()].ty == to_array;
    let address = if is_whole {
        copied
    } else {
        let kind = InstKind::Access { base: copied, indices: indices(function, 0) };
        let (inst, address) = create(function, kind, to_element);
        function.blocks[block].insts.insert(0, inst);
        address
    };
    for block in function.layout.clone() {
        for inst in function.blocks[block].insts.clone() {
            function.map_operands(inst, |value| if value == param { address } else { value });
        }
    }
}
