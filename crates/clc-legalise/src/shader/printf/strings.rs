//! Which string literals a pointer may be the address of, and the number of the one that it is.

use clc_ir::{
    Block, BlockCall, Const, ConstPool, ConvertOp, FuncId, GlobalId, Inst, InstKind, MathFlags,
    Module, StorageClass, TypePool, Value, ValueDef, ValueList,
};
use rustc_hash::FxHashMap;

/// A string in `constant` memory, or the null pointer, which prints as `(null)`.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    pub global: Option<GlobalId>,
    /// Without the zero that ends it.
    pub text: Vec<u8>,
}

/// Where a pointer comes from.
pub(super) struct Sources {
    pointer: Value,
    /// Without repetitions, in the order in which they were found.
    pub literals: Vec<Literal>,
    /// The values that are literals, with the index of each.
    leaves: FxHashMap<Value, usize>,
    /// Block parameters and choices between two pointers, in the order in which they were found.
    joins: Vec<Value>,
}

/// Everything that `pointer` may be; `None` if that is more than string literals.
pub(super) fn find(module: &Module, id: FuncId, pointer: Value) -> Option<Sources> {
    let function = &module.functions[id];
    let mut sources =
        Sources { pointer, literals: Vec::new(), leaves: FxHashMap::default(), joins: Vec::new() };
    let mut places = FxHashMap::default();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut work = vec![pointer];
    while let Some(value) = work.pop() {
        if !seen.insert(value) {
            continue;
        }
        if let Some(place) = address(module, id, value) {
            let index = match places.get(&place) {
                Some(&index) => index,
                None => {
                    let text = text(module, place)?;
                    sources.literals.push(Literal { global: place.0, text });
                    places.insert(place, sources.literals.len() - 1);
                    sources.literals.len() - 1
                }
            };
            sources.leaves.insert(value, index);
            continue;
        }
        sources.joins.push(value);
        match function.def(value)? {
            ValueDef::Param(block, position) => {
                if block == function.entry() {
                    return None;
                }
                for &from in &function.layout {
                    for target in function.blocks[from].terminator.targets() {
                        if target.block == block {
                            work.push(function.value_at(target.arguments, position as usize));
                        }
                    }
                }
            }
            ValueDef::Inst(inst) => match function.insts[inst].kind {
                InstKind::Select { then, otherwise, .. } => work.extend([then, otherwise]),
                _ => return None,
            },
        }
    }
    Some(sources)
}

impl Sources {
    /// The number of the literal that the pointer is, as a value of the function; `number` has the
    /// number of each.
    pub fn replace(
        &self,
        module: &mut Module,
        id: FuncId,
        mut number: impl FnMut(&Literal) -> u32,
    ) -> Value {
        let Module { consts, functions, .. } = module;
        let function = &mut functions[id];
        let mut constant =
            |number: u32| consts.intern(Const::Int(TypePool::I32, u64::from(number)));
        let numbers: Vec<Value> =
            self.literals.iter().map(|literal| constant(number(literal))).collect();
        let mut replaced: FxHashMap<Value, Value> =
            self.leaves.iter().map(|(&value, &index)| (value, numbers[index])).collect();
        // First every new value, for loops make them operands of each other.
        let mut params: Vec<(Block, u32)> = Vec::new();
        let mut selects: Vec<(Inst, Inst)> = Vec::new();
        for &join in &self.joins {
            let new = match function.def(join) {
                Some(ValueDef::Param(block, position)) => {
                    params.push((block, position));
                    function.add_block_param(block, TypePool::I32)
                }
                Some(ValueDef::Inst(inst)) => {
                    let data = function.insts[inst];
                    let ty = Some(TypePool::I32);
                    let new = function.create_inst(data.kind, ty, MathFlags::NONE, data.location);
                    selects.push((inst, new));
                    function.insts[new].result.unwrap_or(join)
                }
                None => join,
            };
            replaced.insert(join, new);
        }
        let new = |value: Value| replaced.get(&value).copied().unwrap_or(value);
        for &(old, inst) in &selects {
            if let InstKind::Select { condition, then, otherwise } = function.insts[old].kind {
                let (then, otherwise) = (new(then), new(otherwise));
                function.insts[inst].kind = InstKind::Select { condition, then, otherwise };
            }
        }
        let after: FxHashMap<Inst, Inst> = selects.into_iter().collect();
        for index in 0..function.layout.len() {
            let from = function.layout[index];
            if !after.is_empty() {
                let insts = std::mem::take(&mut function.blocks[from].insts);
                function.blocks[from].insts = insts
                    .into_iter()
                    .flat_map(|inst| std::iter::once(inst).chain(after.get(&inst).copied()))
                    .collect();
            }
            if params.is_empty() {
                continue;
            }
            let mut terminator = std::mem::take(&mut function.blocks[from].terminator);
            for target in terminator.targets_mut() {
                target.arguments = extended(function, target, &params, new);
            }
            function.blocks[from].terminator = terminator;
        }
        new(self.pointer)
    }
}

/// The arguments of an edge, and those for the parameters that stand beside `params`.
fn extended(
    function: &mut clc_ir::Function,
    target: &BlockCall,
    params: &[(Block, u32)],
    new: impl Fn(Value) -> Value,
) -> ValueList {
    let mut arguments: Vec<Value> = function.values_of(target.arguments).collect();
    let before = arguments.len();
    for &(block, position) in params {
        if block == target.block {
            arguments.push(new(arguments[position as usize]));
        }
    }
    if arguments.len() == before { target.arguments } else { function.list(&arguments) }
}

/// A variable in `constant` memory, or none for the null pointer, and bytes from its start.
type Place = (Option<GlobalId>, u64);

/// The place that a value is the address of, if it is that of characters and always the same.
fn address(module: &Module, id: FuncId, value: Value) -> Option<Place> {
    let function = &module.functions[id];
    let index = |value: Value| match module.consts.get(value.as_const()?) {
        &Const::Int(_, bits) => u64::try_from(bits as i64).ok(),
        _ => None,
    };
    let mut value = value;
    let mut offset = 0u64;
    loop {
        if value.is_const() {
            let (global, start) = constant_address(module, value)?;
            return Some((global, start.checked_add(offset)?));
        }
        let (base, step) = match function.def_inst(value)?.1.kind {
            InstKind::Convert { op: ConvertOp::Bitcast, operand, .. } => (operand, 0),
            InstKind::Access { base, indices, .. } if indices.len() == 1 => {
                (base, index(function.value_at(indices, 0))?)
            }
            InstKind::PtrAdd { base, index: by, .. } => {
                let ty = module.value_type(function, base);
                let (pointee, _) = module.types.pointer_parts(ty)?;
                (base, index(by)?.checked_mul(module.types.size(pointee))?)
            }
            _ => return None,
        };
        offset = offset.checked_add(step)?;
        value = base;
    }
}

fn constant_address(module: &Module, value: Value) -> Option<Place> {
    let consts: &ConstPool = &module.consts;
    match consts.get(value.as_const()?) {
        Const::GlobalAddress(_, global) => Some((Some(*global), 0)),
        Const::Null(_) => Some((None, 0)),
        Const::Cast { operand, .. } => constant_address(module, *operand),
        Const::Access { base, step, indices, .. } => {
            let (global, start) = constant_address(module, *base)?;
            let (pointee, _) = module.types.pointer_parts(consts.ty(base.as_const()?))?;
            let step = u64::try_from(*step).ok()?.checked_mul(module.types.size(pointee))?;
            let index = match indices[..] {
                [] => 0,
                [index] => match consts.get(index.as_const()?) {
                    &Const::Int(_, bits) => bits,
                    _ => return None,
                },
                _ => return None,
            };
            start.checked_add(step)?.checked_add(index).map(|start| (global, start))
        }
        _ => None,
    }
}

/// The characters from a place to the first zero, if that is a string.
fn text(module: &Module, (global, offset): Place) -> Option<Vec<u8>> {
    let Some(global) = global else { return (offset == 0).then(|| b"(null)".to_vec()) };
    let data = &module.globals[global];
    if data.class != StorageClass::UniformConstant || !data.is_const {
        return None;
    }
    let ty = module.types.component(data.ty, 0)?;
    if ty != TypePool::I8 || offset >= module.types.size(data.ty) {
        return None;
    }
    let mut text = Vec::new();
    match module.consts.get(data.initializer?.as_const()?) {
        Const::Null(_) => {}
        Const::Composite(_, characters) => {
            for &character in characters.get(offset as usize..).unwrap_or_default() {
                match module.consts.get(character.as_const()?) {
                    Const::Int(_, 0) => break,
                    Const::Int(_, bits) => text.push(*bits as u8),
                    _ => return None,
                }
            }
        }
        _ => return None,
    }
    Some(text)
}
