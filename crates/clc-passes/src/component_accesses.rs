//! Accesses only the components of vectors in private memory that are needed.
//!
//! ```text
//! v = *p; x = v.y + 1; *p = (v with x as y)    ->    x = p->y + 1; p->y = x
//! ```
//!
//! C has a component as a part of a vector, and variables that become values are best taken as a whole. In an array that
//! stays in memory each such access would wait for the one before, of another component, and move four times as much.
//!
//! It runs once loads and stores are as few as they get: those of whole vectors are forwarded and covered as such.

use clc_ir::{
    Align, Const, Function, Inst, InstKind, MathFlags, MemoryAccess, StorageClass, Type, TypePool,
    Value,
};
use rustc_hash::FxHashMap;

use crate::alias::{Aliases, Recent};
use crate::context::ModuleContext;
use crate::dead_code;
use crate::replacements::Replacements;

/// Rewrites the accesses of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let has_any = function.layout.iter().any(|&block| {
        let mut insts = function.blocks[block].insts.iter();
        insts.any(|&inst| match function.insts[inst].kind {
            InstKind::Load { pointer, .. } => private_vector(context, function, pointer).is_some(),
            _ => false,
        })
    });
    if has_any {
        let changes = changes(context, function);
        if !changes.is_empty() {
            store(context, function, changes);
            // The vectors that were stored use what was loaded.
            dead_code::run(context, function);
        }
        load(context, function);
    }
}

/// The type of what a pointer points to, if it is a vector in private memory.
fn private_vector(
    context: &ModuleContext<'_>,
    function: &Function,
    pointer: Value,
) -> Option<Type> {
    let (ty, class) = context.types.pointer_parts(context.type_of(function, pointer))?;
    (class == StorageClass::Function && context.types.lanes(ty) > 1).then_some(ty)
}

/// The most components that are accessed one by one.
fn most(types: &TypePool, ty: Type) -> usize {
    usize::from(types.lanes(ty) / 2)
}

/// A store of a vector that is in memory but for some components: these, with what they become.
type Changed = Vec<(u32, Value)>;

/// The stores that change a few components of what was loaded from the same place.
fn changes(context: &ModuleContext<'_>, function: &Function) -> FxHashMap<Inst, Changed> {
    let aliases = Aliases::new(context.types, context.consts, function);
    // What is loaded, and is in memory still.
    let mut memory: Recent<Value> = Recent::new(function);
    let mut found = FxHashMap::default();
    for &block in &function.layout {
        memory.forget();
        for &inst in &function.blocks[block].insts {
            if let InstKind::Store { pointer, value, access } = function.insts[inst].kind
                && !access.flags.volatile
                && let Some(ty) = private_vector(context, function, pointer)
                && let Some(&loaded) = memory.at(&aliases.access(function, pointer, access))
                && let Some(changed) = changed(function, value, loaded, most(context.types, ty))
            {
                found.insert(inst, changed);
            }
            memory.happens(&aliases, function, inst, context.constant);
            if let InstKind::Load { pointer, access } = function.insts[inst].kind
                && !access.flags.volatile
                && private_vector(context, function, pointer).is_some()
                && let Some(result) = function.insts[inst].result
            {
                memory.note(aliases.access(function, pointer, access), result);
            }
        }
    }
    found
}

/// The components in which a vector differs from another that it is made of.
fn changed(function: &Function, value: Value, of: Value, most: usize) -> Option<Changed> {
    let (mut value, mut changed) = (value, Changed::new());
    while value != of {
        let (_, data) = function.def_inst(value)?;
        let InstKind::Insert { aggregate, element, path } = data.kind else { return None };
        let &[component] = function.numbers_of(path) else { return None };
        if !changed.iter().any(|&(other, _)| other == component) {
            changed.push((component, element));
        }
        if changed.len() > most {
            return None;
        }
        value = aggregate;
    }
    Some(changed)
}

fn store(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    mut all: FxHashMap<Inst, Changed>,
) {
    for index in 0..function.layout.len() {
        let block = function.layout[index];
        let mut out = Vec::new();
        for inst in std::mem::take(&mut function.blocks[block].insts) {
            let InstKind::Store { pointer, access, .. } = function.insts[inst].kind else {
                out.push(inst);
                continue;
            };
            let Some(changed) = all.remove(&inst) else {
                out.push(inst);
                continue;
            };
            for (component, value) in changed {
                let (pointer, access) =
                    component_of(context, function, inst, pointer, access, component, &mut out);
                let kind = InstKind::Store { pointer, value, access };
                let location = function.insts[inst].location;
                out.push(function.create_inst(kind, None, MathFlags::NONE, location));
            }
        }
        function.blocks[block].insts = out;
    }
}

/// Loads the components of which alone something is used.
fn load(context: &mut ModuleContext<'_>, function: &mut Function) {
    // By value: the components that are extracted; nothing where it is used otherwise.
    let mut used: FxHashMap<Value, Option<Vec<u32>>> = FxHashMap::default();
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            if let InstKind::Load { pointer, access } = function.insts[inst].kind
                && !access.flags.volatile
                && private_vector(context, function, pointer).is_some()
                && let Some(result) = function.insts[inst].result
            {
                used.insert(result, Some(Vec::new()));
            }
        }
    }
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            let extracted = match function.insts[inst].kind {
                InstKind::Extract { aggregate, path } => match function.numbers_of(path) {
                    &[component] => Some((aggregate, component)),
                    _ => None,
                },
                _ => None,
            };
            match extracted {
                Some((vector, component)) => {
                    if let Some(Some(components)) = used.get_mut(&vector)
                        && !components.contains(&component)
                    {
                        components.push(component);
                    }
                }
                None => function.each_operand(inst, |operand| {
                    used.entry(operand).and_modify(|used| *used = None);
                }),
            }
        }
        function.each_terminator_operand(block, |operand| {
            used.entry(operand).and_modify(|used| *used = None);
        });
    }
    let mut loaded: FxHashMap<(Value, u32), Value> = FxHashMap::default();
    for index in 0..function.layout.len() {
        let block = function.layout[index];
        let mut out = Vec::new();
        for inst in std::mem::take(&mut function.blocks[block].insts) {
            out.push(inst);
            let (InstKind::Load { pointer, access }, Some(result)) =
                (function.insts[inst].kind, function.insts[inst].result)
            else {
                continue;
            };
            let Some(Some(components)) = used.get(&result) else { continue };
            let ty = context.type_of(function, result);
            if components.is_empty() || components.len() > most(context.types, ty) {
                continue;
            }
            out.pop();
            for &component in components {
                let (pointer, access) =
                    component_of(context, function, inst, pointer, access, component, &mut out);
                let kind = InstKind::Load { pointer, access };
                let scalar = context.types.scalar(ty);
                let location = function.insts[inst].location;
                let load = function.create_inst(kind, Some(scalar), MathFlags::NONE, location);
                out.push(load);
                loaded
                    .extend(function.insts[load].result.map(|value| ((result, component), value)));
            }
        }
        function.blocks[block].insts = out;
    }
    if loaded.is_empty() {
        return;
    }
    let mut replacements = Replacements::default();
    for index in 0..function.layout.len() {
        let block = function.layout[index];
        let mut insts = std::mem::take(&mut function.blocks[block].insts);
        insts.retain(|&inst| {
            let InstKind::Extract { aggregate, path } = function.insts[inst].kind else {
                return true;
            };
            let &[component] = function.numbers_of(path) else { return true };
            let Some(&value) = loaded.get(&(aggregate, component)) else { return true };
            if let Some(result) = function.insts[inst].result {
                replacements.set(result, value);
            }
            false
        });
        function.blocks[block].insts = insts;
    }
    replacements.apply(function);
}

/// The address of a component of a vector, and how it is accessed.
fn component_of(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    inst: Inst,
    base: Value,
    access: MemoryAccess,
    component: u32,
    out: &mut Vec<Inst>,
) -> (Value, MemoryAccess) {
    let (ty, class) = context
        .types
        .pointer_parts(context.type_of(function, base))
        .expect("a vector is accessed by its address");
    let scalar = context.types.scalar(ty);
    let pointer = context.types.pointer(scalar, class);
    let index = context.consts.intern(Const::Int(TypePool::I32, component.into()));
    let indices = function.list(&[index]);
    let location = function.insts[inst].location;
    let kind = InstKind::Access { base, indices };
    let inst = function.create_inst(kind, Some(pointer), MathFlags::NONE, location);
    out.push(inst);
    let align = access.align.min(context.types.align(scalar) as Align);
    let address = function.insts[inst].result.expect("an address is a value");
    (address, MemoryAccess { align, ..access.untyped() })
}
