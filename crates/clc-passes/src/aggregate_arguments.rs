//! Passes structs and arrays to functions by member, where these only take them apart, and has functions store the ones
//! that they give where the caller says.
//!
//! ```text
//! f(s: {i32, i32}) {i32, i32}:            f(a: i32, b: i32, r: ptr {i32, i32}):
//!   x = extract s [0]             ->        x = a
//!   return {x, x}                           store r.0, x; store r.1, x
//! u = call f(t)                           call f(extract t [0], extract t [1], v); u = {load v.0, load v.1}
//! ```
//!
//! Compilers that make vectors of work-items have none of structs: a call with one is made for one work-item after the
//! other. What is indexed or stored as a whole stays whole.

use clc_ir::rewrite::{self, Expansion};
use clc_ir::{
    Builder, Const, ConstPool, FuncId, Function, InstKind, Linkage, MemFlags, MemoryAccess, Module,
    StorageClass, Terminator, Type, TypePool, Value, ValueDef,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::aggregate_parameters::{Member, construct, members_of};
use crate::calls::callees_first;
use crate::replacements::Replacements;

/// Parameters of a function with more members together stay as they are.
const MAX_MEMBERS: usize = 64;

/// How a function takes and gives what it does.
struct Plan {
    /// By parameter: the members of those that are passed so.
    params: Vec<Option<Vec<Member>>>,
    /// The type of the result and its members, if it is stored.
    result: Option<(Type, Vec<Member>)>,
}

/// Changes functions and the calls of them; what functions only pass on is known by then.
pub fn run(module: &mut Module) {
    let order = callees_first(&module.functions);
    let Module { types, consts, functions, .. } = module;
    let constants = consts.iter().map(|(_, constant)| constant);
    let addressed: FxHashSet<FuncId> = constants
        .filter_map(|constant| match constant {
            Const::FunctionAddress(_, id) => Some(*id),
            _ => None,
        })
        .collect();
    let mut plans: FxHashMap<FuncId, Plan> = FxHashMap::default();
    for id in order {
        let function = &mut functions[id];
        if function.is_declaration() {
            continue;
        }
        if !plans.is_empty() {
            pass_members(types, consts, function, &plans);
        }
        if is_own(function)
            && !addressed.contains(&id)
            && let Some(plan) = plan(types, function)
        {
            split(types, consts, function, &plan);
            plans.insert(id, plan);
        }
        if !plans.is_empty() {
            // Variables come first.
            let entry = function.entry();
            Builder::new(types, consts, function, entry).finish();
        }
    }
}

/// Passes members where functions take them.
fn pass_members(
    types: &mut TypePool,
    consts: &mut ConstPool,
    function: &mut Function,
    plans: &FxHashMap<FuncId, Plan>,
) {
    let called = |kind: &InstKind| match *kind {
        InstKind::Call { callee, arguments } => Some((callee, arguments, plans.get(&callee)?)),
        _ => None,
    };
    let is_candidate = |kind: &InstKind| called(kind).is_some();
    rewrite::expand(types, consts, function, is_candidate, |builder, inst| {
        let Some((callee, arguments, plan)) = called(&builder.function.insts[inst].kind) else {
            return Expansion::Keep;
        };
        let whole: Vec<Value> = builder.function.values_of(arguments).collect();
        let mut parts = Vec::new();
        for (argument, members) in whole.into_iter().zip(&plan.params) {
            match members {
                Some(members) => {
                    parts.extend(members.iter().map(|of| builder.extract(argument, &of.path)));
                }
                None => parts.push(argument),
            }
        }
        let Some((ty, members)) = &plan.result else {
            let arguments = builder.function.list(&parts);
            builder.function.insts[inst].kind = InstKind::Call { callee, arguments };
            return Expansion::Keep;
        };
        let align = builder.types.align(*ty) as u32;
        let variable = builder.variable(*ty, align);
        parts.push(variable);
        builder.call(callee, &parts, TypePool::VOID);
        let mut values = Vec::with_capacity(members.len());
        for member in members {
            let (address, access) = place(builder, variable, member);
            values.push(builder.load(address, access));
        }
        values.reverse();
        Expansion::Value(construct(builder, *ty, &mut values))
    });
}

/// Where a member of a variable is.
fn place(builder: &mut Builder<'_>, variable: Value, member: &Member) -> (Value, MemoryAccess) {
    let path: Vec<Value> = member.path.iter().map(|&index| builder.i32(index as i32)).collect();
    let align = if member.is_packed { 1 } else { builder.types.align(member.ty) as u32 };
    (builder.access(variable, &path), MemoryAccess { align, flags: MemFlags::default() })
}

/// Whether all calls of a function are in the module.
fn is_own(function: &Function) -> bool {
    !function.is_declaration()
        && function.entry_point.is_none()
        && function.linkage == Linkage::Internal
}

/// Nothing where a function stays as it is.
fn plan(types: &TypePool, function: &Function) -> Option<Plan> {
    let result = members_of(types, function.result)
        .filter(|members| members.len() <= MAX_MEMBERS)
        .map(|members| (function.result, members));
    let values = &function.blocks[function.entry()].params;
    let of = |value: &Value| members_of(types, function.values[value.as_local()?].ty);
    let mut params: Vec<_> = values.iter().map(of).collect();
    if params.iter().any(Option::is_some) {
        let whole = used_whole(function);
        let mut count = 0;
        for (value, members) in values.iter().zip(&mut params) {
            members.take_if(|_| whole.contains(value));
            count += members.as_ref().map_or(0, Vec::len);
        }
        if count > MAX_MEMBERS {
            params.fill_with(|| None);
        }
    }
    (result.is_some() || params.iter().any(Option::is_some)).then_some(Plan { params, result })
}

/// What is used otherwise than by one member.
fn used_whole(function: &Function) -> FxHashSet<Value> {
    let mut whole = FxHashSet::default();
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            if !matches!(function.insts[inst].kind, InstKind::Extract { .. }) {
                function.each_operand(inst, |operand| _ = whole.insert(operand));
            }
        }
        function.each_terminator_operand(block, |operand| _ = whole.insert(operand));
    }
    whole
}

/// Puts the members of parameters in their places, and makes the whole of them for those who take it apart.
fn split(types: &mut TypePool, consts: &mut ConstPool, function: &mut Function, plan: &Plan) {
    let entry = function.entry();
    let params = std::mem::take(&mut function.blocks[entry].params);
    let insts = std::mem::take(&mut function.blocks[entry].insts);
    let terminator = std::mem::take(&mut function.blocks[entry].terminator);
    let names = std::mem::take(&mut function.param_names);
    let attributes = std::mem::take(&mut function.param_attributes);
    let has = (!names.is_empty(), !attributes.is_empty());
    function.params.clear();
    let mut replacements = Replacements::default();
    for (index, (param, members)) in params.into_iter().zip(&plan.params).enumerate() {
        let ty = function.values[param.as_local().unwrap_or_default()].ty;
        let name = names.get(index).cloned().unwrap_or_default();
        match members {
            None => {
                let number = function.blocks[entry].params.len() as u32;
                function.values[param.as_local().unwrap_or_default()].def =
                    ValueDef::Param(entry, number);
                function.blocks[entry].params.push(param);
                function.params.push(ty);
                if has.0 {
                    function.param_names.push(name);
                }
                if has.1 {
                    function
                        .param_attributes
                        .push(attributes.get(index).cloned().unwrap_or_default());
                }
            }
            Some(members) => {
                let mut values = Vec::with_capacity(members.len());
                for member in members {
                    values.push(function.add_block_param(entry, member.ty));
                    function.params.push(member.ty);
                    if has.0 {
                        function.param_names.push(name.clone());
                    }
                    if has.1 {
                        function.param_attributes.push(Default::default());
                    }
                }
                values.reverse();
                let mut builder = Builder::new(types, consts, function, entry);
                let whole = construct(&mut builder, ty, &mut values);
                replacements.set(param, whole);
            }
        }
    }
    function.blocks[entry].insts.extend(insts);
    function.blocks[entry].terminator = terminator;
    replacements.apply(function);
    if let Some((ty, members)) = &plan.result {
        let pointer = types.pointer(*ty, StorageClass::Function);
        let place = function.add_block_param(entry, pointer);
        function.params.push(pointer);
        if has.0 {
            function.param_names.push(String::new());
        }
        function.result = TypePool::VOID;
        // It writes now.
        (function.is_const, function.is_pure) = (false, false);
        store_result(types, consts, function, place, members);
    }
}

/// Stores at `place` what was returned.
fn store_result(
    types: &mut TypePool,
    consts: &mut ConstPool,
    function: &mut Function,
    variable: Value,
    members: &[Member],
) {
    for block in function.layout.clone() {
        let Terminator::Return(Some(value)) = function.blocks[block].terminator else { continue };
        function.blocks[block].terminator = Terminator::default();
        let mut builder = Builder::new(types, consts, function, block);
        for member in members {
            let part = builder.extract(value, &member.path);
            let (address, access) = place(&mut builder, variable, member);
            builder.store(address, part, access);
        }
        function.blocks[block].terminator = Terminator::Return(None);
    }
}
