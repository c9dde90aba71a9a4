//! Passes structs and arrays from block to block by member.
//!
//! Two returns of a function that gives a struct become one value of that type where they meet, once it is inlined. Members
//! that nothing uses go by themselves afterwards, and the others are simplified like all scalars. Intel's driver crashes
//! on such values of whole structs where it makes vectors of work-items, also where it inlines the function itself, so that
//! a function returns structs and arrays at one place only.

use clc_ir::{Block, Builder, Function, Terminator, Type, TypeKind, TypePool, Value, ValueDef};
use rustc_hash::FxHashMap;

use crate::context::ModuleContext;
use crate::replacements::Replacements;

/// Aggregates of more members, of members of members too, are passed as they are.
const MAX_MEMBERS: usize = 128;

/// What the aggregates among the parameters of a block are made of.
type Members = FxHashMap<Block, Vec<Option<Vec<Member>>>>;

/// Splits the parameters of blocks.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let returns = is_aggregate(context.types, function.result);
    if !returns && !function.values.iter().any(|value| is_aggregate(context.types, value.ty)) {
        return;
    }
    if returns {
        meet_before_return(function);
    }
    let entry = function.entry();
    let mut members = Members::default();
    for &block in function.layout.iter().filter(|&&block| block != entry) {
        let params = function.blocks[block].params.iter();
        let of = |&param: &Value| members_of(context.types, context.type_of(function, param));
        let found: Vec<_> = params.map(of).collect();
        if found.iter().any(Option::is_some) {
            members.insert(block, found);
        }
    }
    if members.is_empty() {
        return;
    }
    let mut replacements = Replacements::default();
    for block in function.layout.clone() {
        if let Some(members) = members.get(&block) {
            split_params(context, function, &mut replacements, block, members);
        }
    }
    for block in function.layout.clone() {
        pass_members(context, function, block, &members);
    }
    replacements.apply(function);
}

/// Has all returns jump to a block that returns, if there are several.
fn meet_before_return(function: &mut Function) {
    let returned = |function: &Function, block: Block| match function.blocks[block].terminator {
        Terminator::Return(Some(value)) => Some(value),
        _ => None,
    };
    let blocks: Vec<(Block, Value)> = (function.layout.iter())
        .filter_map(|&block| Some((block, returned(function, block)?)))
        .collect();
    if blocks.len() < 2 {
        return;
    }
    let end = function.add_block();
    let result = function.add_block_param(end, function.result);
    function.blocks[end].terminator = Terminator::Return(Some(result));
    for (block, value) in blocks {
        function.blocks[end].location = function.blocks[block].location;
        let arguments = function.list(&[value]);
        function.blocks[block].terminator =
            Terminator::Jump(clc_ir::BlockCall { block: end, arguments });
    }
}

/// A member of an aggregate that is none itself.
pub struct Member {
    /// To it from the whole.
    pub path: Vec<u32>,
    pub ty: Type,
    /// A struct around it is, so that its alignment is not that of its type.
    pub is_packed: bool,
}

/// All members of an aggregate, in order. Nothing of what is no aggregate, or has too many.
pub fn members_of(types: &TypePool, ty: Type) -> Option<Vec<Member>> {
    let mut found = Vec::new();
    (is_aggregate(types, ty) && collect(types, ty, (&mut Vec::new(), false), &mut found))
        .then_some(found)
}

fn is_aggregate(types: &TypePool, ty: Type) -> bool {
    matches!(types.kind(ty), TypeKind::Struct(_) | TypeKind::Array(..))
}

/// Whether there were not too many.
fn collect(
    types: &TypePool,
    ty: Type,
    (path, is_packed): (&mut Vec<u32>, bool),
    found: &mut Vec<Member>,
) -> bool {
    let Some(inner) = direct_members(types, ty) else {
        found.push(Member { path: path.clone(), ty, is_packed });
        return found.len() <= MAX_MEMBERS;
    };
    let is_packed =
        is_packed || matches!(types.kind(ty), TypeKind::Struct(id) if types.struct_data(id).packed);
    inner.len() <= MAX_MEMBERS
        && (0..).zip(inner).all(|(index, ty)| {
            path.push(index);
            let fits = collect(types, ty, (path, is_packed), found);
            path.pop();
            fits
        })
}

fn direct_members(types: &TypePool, ty: Type) -> Option<Vec<Type>> {
    match types.kind(ty) {
        TypeKind::Struct(id) => Some(types.struct_data(id).fields.clone()),
        TypeKind::Array(element, length) => {
            let length =
                usize::try_from(length).map_or(MAX_MEMBERS + 1, |n| n.min(MAX_MEMBERS + 1));
            Some(vec![element; length])
        }
        _ => None,
    }
}

/// Replaces the aggregates among the parameters of a block by their members, which come last, and makes them again.
fn split_params(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    replacements: &mut Replacements,
    block: Block,
    members: &[Option<Vec<Member>>],
) {
    let params = std::mem::take(&mut function.blocks[block].params);
    let insts = std::mem::take(&mut function.blocks[block].insts);
    let terminator = std::mem::take(&mut function.blocks[block].terminator);
    let mut rest = Vec::with_capacity(params.len());
    let mut split = Vec::new();
    for (param, members) in params.into_iter().zip(members) {
        match members {
            Some(members) => split.push((param, members)),
            None => {
                function.values[param.as_local().unwrap_or_default()].def =
                    ValueDef::Param(block, rest.len() as u32);
                rest.push(param);
            }
        }
    }
    function.blocks[block].params = rest;
    for (param, members) in split {
        let ty = context.type_of(function, param);
        let mut values: Vec<Value> =
            members.iter().map(|member| function.add_block_param(block, member.ty)).collect();
        values.reverse();
        let mut builder = Builder::new(context.types, context.consts, function, block);
        let whole = construct(&mut builder, ty, &mut values);
        replacements.set(param, whole);
    }
    function.blocks[block].insts.extend(insts);
    function.blocks[block].terminator = terminator;
}

/// Makes a whole of its members, which it takes from the end of `values`.
pub fn construct(builder: &mut Builder<'_>, ty: Type, values: &mut Vec<Value>) -> Value {
    match direct_members(builder.types, ty) {
        Some(members) => {
            let parts: Vec<Value> =
                members.into_iter().map(|member| construct(builder, member, values)).collect();
            builder.construct(ty, &parts)
        }
        None => values.pop().expect("there is one for each member"),
    }
}

/// Passes members where blocks take them.
fn pass_members(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    block: Block,
    members: &Members,
) {
    let mut terminator = std::mem::take(&mut function.blocks[block].terminator);
    for target in terminator.targets_mut() {
        let Some(members) = members.get(&target.block) else { continue };
        let arguments: Vec<Value> = function.values_of(target.arguments).collect();
        let mut builder = Builder::new(context.types, context.consts, function, block);
        let (mut rest, mut parts) = (Vec::new(), Vec::new());
        for (argument, members) in arguments.into_iter().zip(members) {
            match members {
                Some(members) => {
                    let each = members.iter().map(|of| builder.extract(argument, &of.path));
                    parts.extend(each);
                }
                None => rest.push(argument),
            }
        }
        rest.append(&mut parts);
        target.arguments = function.list(&rest);
    }
    function.blocks[block].terminator = terminator;
}
