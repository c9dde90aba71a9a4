//! Small `constant` tables become variables of the functions that look things up in them. Drivers know
//! arrays that are filled with constants once, as shaders have them, and put them into the memory for
//! constants, or into instructions; of a buffer they know nothing.
//!
//! Where the host of a convention does not put addresses into program-scope variables, tables of
//! addresses become variables too: a function computes the addresses that it fills them with.

use clc_base::arena::Id as _;
use clc_ir::{
    Builder, Const, ConstId, ConstPool, FuncId, Function, GlobalId, InstKind, MemFlags,
    MemoryAccess, Module, StorageClass, Type, TypeKind, TypePool, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::convention;
use super::memory::roots::{self, Roots, Shape};
use crate::TargetOptions;

/// Bytes of a table. Drivers that do not know better fill it at the head of each work-item.
const MAX_BYTES: u64 = 1024;

/// Bytes of all tables.
const MAX_TOTAL: u64 = 4096;

/// Numbers of a table. Those with one for each byte are looked up by data, differently by each
/// work-item, for which the memory for constants is slow.
const MAX_NUMBERS: u64 = 255;

/// Bytes of a table with addresses that the host does not fill in.
const MAX_BYTES_OF_ADDRESSES: u64 = 1 << 14;

/// Gives functions their own tables, but for those in `unused`. Adds to these what nothing uses afterwards.
pub(crate) fn run(module: &mut Module, options: &TargetOptions, unused: &mut FxHashSet<GlobalId>) {
    if !module.globals.values().any(|global| global.class == StorageClass::UniformConstant) {
        return;
    }
    let roots = roots::find(module, StorageClass::UniformConstant);
    let are_relocated = convention::of(options).data_buffers().are_relocated;
    let tables = choose(module, &roots, are_relocated, unused);
    if tables.is_empty() {
        return;
    }
    let functions: Vec<FuncId> = module.functions.ids().collect();
    for function in functions {
        if !module.functions[function].is_declaration() {
            replace(module, function, &roots, &tables);
        }
    }
    let used = used(module);
    unused.extend(tables.into_iter().filter(|table| !used.contains(table)));
}

fn choose(
    module: &Module,
    roots: &Roots,
    are_relocated: bool,
    unused: &FxHashSet<GlobalId>,
) -> Vec<GlobalId> {
    let odd = oddly_used(module, roots);
    let mut total = 0;
    let mut tables = Vec::new();
    for (id, global) in module.globals.iter() {
        let Some(root) = roots.of_global[id.index()] else { continue };
        let size = module.types.size(global.ty);
        let needs_addresses = !are_relocated && has_addresses(module, global.initializer);
        let fits = match numbers(&module.types, global.ty, needs_addresses) {
            Some(_) if needs_addresses => size <= MAX_BYTES_OF_ADDRESSES,
            Some(numbers) => {
                numbers <= MAX_NUMBERS && size <= MAX_BYTES && total + size <= MAX_TOTAL
            }
            None => false,
        };
        if fits
            && global.is_const
            && global.initializer.is_some()
            && roots.roots[root as usize].shape == Shape::Own
            && !odd.contains(&id)
            && !unused.contains(&id)
        {
            total += if needs_addresses { 0 } else { size };
            tables.push(id);
        }
    }
    tables
}

/// Whether an initialiser has addresses of variables.
fn has_addresses(module: &Module, initializer: Option<Value>) -> bool {
    let mut has_any = false;
    if let Some(value) = initializer {
        each_address(&module.consts, value, &mut |_| has_any = true);
    }
    has_any
}

/// How many numbers a type has, `with_addresses` those too; nothing if it has what variables have in
/// another form.
fn numbers(types: &TypePool, ty: Type, with_addresses: bool) -> Option<u64> {
    match types.kind(ty) {
        TypeKind::Int(_) | TypeKind::Float(_) => Some(1),
        TypeKind::Vector(_, lanes) => (lanes <= 4).then_some(u64::from(lanes)),
        TypeKind::Pointer { .. } => with_addresses.then_some(1),
        TypeKind::Array(element, len) => numbers(types, element, with_addresses)?.checked_mul(len),
        TypeKind::Struct(id) => {
            let fields = types.struct_data(id).fields.iter();
            fields.map(|&field| numbers(types, field, with_addresses)).sum()
        }
        _ => None,
    }
}

/// The globals whose addresses are anywhere but in steps to a part, and in loads.
fn oddly_used(module: &Module, roots: &Roots) -> FxHashSet<GlobalId> {
    let by_root: FxHashMap<u32, GlobalId> =
        module.globals.ids().filter_map(|id| Some((roots.of_global[id.index()]?, id))).collect();
    let mut odd = FxHashSet::default();
    for global in module.globals.values() {
        if let Some(value) = global.initializer {
            each_address(&module.consts, value, &mut |global| {
                odd.insert(global);
            });
        }
    }
    for (id, function) in module.functions.iter() {
        let pointers = &roots.functions[id.index()];
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst];
                let plain = match data.kind {
                    InstKind::Load { pointer: base, .. }
                    | InstKind::PtrAdd { base, .. }
                    | InstKind::Access { base, .. } => Some(base),
                    _ => None,
                };
                function.each_operand(inst, |value| {
                    if plain == Some(value) && is_path(&module.consts, value) {
                        return;
                    }
                    each_address(&module.consts, value, &mut |global| {
                        odd.insert(global);
                    });
                    if plain != Some(value)
                        && let Some(root) = pointers.origin(value)
                        && let Some(&global) = by_root.get(&root)
                    {
                        odd.insert(global);
                    }
                });
            }
            function.each_terminator_operand(block, |value| {
                each_address(&module.consts, value, &mut |global| {
                    odd.insert(global);
                });
            });
        }
    }
    odd
}

/// Whether a value is an instruction's, or a global's address with steps to a part of it.
fn is_path(consts: &ConstPool, value: Value) -> bool {
    match value.as_const().map(|id| consts.get(id)) {
        None | Some(Const::GlobalAddress(..)) => true,
        Some(Const::Access { base, step: 0, .. }) => is_path(consts, *base),
        Some(_) => false,
    }
}

/// Visits the globals whose addresses are in a constant.
fn each_address(consts: &ConstPool, value: Value, visit: &mut dyn FnMut(GlobalId)) {
    match value.as_const().map(|id| consts.get(id)) {
        Some(Const::GlobalAddress(_, global)) => visit(*global),
        Some(Const::Access { base, .. }) => each_address(consts, *base, visit),
        Some(Const::Cast { operand, .. }) => each_address(consts, *operand, visit),
        Some(Const::Composite(_, parts)) => {
            for &part in parts {
                each_address(consts, part, visit);
            }
        }
        _ => {}
    }
}

/// The globals whose addresses a function or an initialiser has.
pub(super) fn used(module: &Module) -> FxHashSet<GlobalId> {
    let mut used = FxHashSet::default();
    let mut seen: FxHashSet<ConstId> = FxHashSet::default();
    let mut note = |value: Value| {
        if value.as_const().is_some_and(|id| seen.insert(id)) {
            each_address(&module.consts, value, &mut |global| {
                used.insert(global);
            });
        }
    };
    module.globals.values().filter_map(|global| global.initializer).for_each(&mut note);
    for function in module.functions.values() {
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                function.each_operand(inst, &mut note);
            }
            function.each_terminator_operand(block, &mut note);
        }
    }
    used
}

/// Makes variables of the tables that a function uses.
fn replace(module: &mut Module, id: FuncId, roots: &Roots, tables: &[GlobalId]) {
    let Module { types, consts, functions, globals, .. } = module;
    let function = &mut functions[id];
    let entry = function.entry();
    let pointers = &roots.functions[id.index()];
    for index in 0..function.values.len() {
        let origin = pointers.origin(Value::from_local(index));
        let is_table = |&table: &GlobalId| roots.of_global[table.index()] == origin;
        if origin.is_some()
            && tables.iter().any(is_table)
            && let Some((pointee, _)) = types.pointer_parts(function.values[index].ty)
        {
            function.values[index].ty = types.pointer(pointee, StorageClass::Function);
        }
    }
    let paths = paths(function, consts, tables);
    if paths.is_empty() {
        return;
    }
    let rest = std::mem::take(&mut function.blocks[entry].insts);
    let terminator = std::mem::take(&mut function.blocks[entry].terminator);
    let mut builder = Builder::new(types, consts, function, entry);
    let mut variables: FxHashMap<GlobalId, Value> = FxHashMap::default();
    let mut new: FxHashMap<Value, Value> = FxHashMap::default();
    for (path, table) in paths {
        let global = &globals[table];
        let variable = *variables.entry(table).or_insert_with(|| {
            let variable = builder.variable(global.ty, global.align);
            builder.function.value_names.insert(variable, global.name.clone());
            if let Some(contents) = global.initializer {
                let access = MemoryAccess { align: global.align, flags: MemFlags::default() };
                builder.store(variable, contents, access);
            }
            variable
        });
        let part = part(&mut builder, path, variable);
        new.insert(path, part);
    }
    builder.function.blocks[entry].insts.extend(rest);
    builder.function.blocks[entry].terminator = terminator;
    builder.finish();
    function.map_all_operands(|value| new.get(&value).copied().unwrap_or(value));
}

/// The constant addresses in tables that a function uses, in the order of their first use.
fn paths(function: &Function, consts: &ConstPool, tables: &[GlobalId]) -> Vec<(Value, GlobalId)> {
    let mut paths = Vec::new();
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            function.each_operand(inst, |value| {
                if value.is_const() && is_path(consts, value) && seen.insert(value) {
                    each_address(consts, value, &mut |global| {
                        if tables.contains(&global) {
                            paths.push((value, global));
                        }
                    });
                }
            });
        }
    }
    paths
}

/// The place in `variable` where `path` leads in its table.
fn part(builder: &mut Builder<'_>, path: Value, variable: Value) -> Value {
    match path.as_const().map(|id| builder.consts.get(id).clone()) {
        Some(Const::Access { base, indices, .. }) => {
            let base = part(builder, base, variable);
            builder.access(base, &indices)
        }
        _ => variable,
    }
}
