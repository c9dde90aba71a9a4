//! Which images and samplers a value may be.

use clc_ir::{Const, ConstPool, Function, InstKind, Module, TypePool, Value};
use rustc_hash::FxHashMap;

use super::is_opaque;

/// What an access is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Object {
    /// An argument of the kernel.
    Argument(u32),
    /// A sampler that the source spells out.
    Literal(u32),
}

impl Object {
    /// Stands for it where the program chooses: a 32-bit number that no other has. The bits of a
    /// sampler are few.
    pub(super) fn number(self) -> u32 {
        match self {
            Object::Argument(index) => index,
            Object::Literal(bits) => 1 << 31 | bits,
        }
    }
}

/// The values of a function that are one image or sampler of several.
pub(super) struct Choices {
    /// By local value: an argument, or what it may be, in ascending order.
    values: FxHashMap<usize, Vec<Object>>,
    /// The local values that parameters are.
    arguments: FxHashMap<usize, u32>,
}

impl Choices {
    pub(super) fn of(module: &Module, function: &Function) -> Choices {
        let mut choices = Choices { values: FxHashMap::default(), arguments: FxHashMap::default() };
        if function.entry_point.is_some() {
            let params = &function.blocks[function.entry()].params;
            for (index, param) in params.iter().enumerate() {
                if let Some(local) = param.as_local()
                    && is_opaque(module.types.kind(function.values[local].ty))
                {
                    choices.arguments.insert(local, index as u32);
                }
            }
        }
        let is_choice =
            |value: Value| is_opaque(module.types.kind(module.value_type(function, value)));
        // What flows into what.
        let mut flows: Vec<(usize, Value)> = Vec::new();
        for &block in &function.layout {
            let data = &function.blocks[block];
            for &inst in &data.insts {
                let inst = &function.insts[inst];
                if let (InstKind::Select { then, otherwise, .. }, Some(result)) =
                    (inst.kind, inst.result)
                    && let Some(local) = result.as_local()
                    && is_choice(result)
                {
                    flows.extend([(local, then), (local, otherwise)]);
                }
            }
            for call in data.terminator.targets() {
                let params = &function.blocks[call.block].params;
                for (&param, value) in params.iter().zip(function.values_of(call.arguments)) {
                    if let Some(local) = param.as_local()
                        && is_choice(param)
                    {
                        flows.push((local, value));
                    }
                }
            }
        }
        let mut changed = !flows.is_empty();
        while changed {
            changed = false;
            for &(to, from) in &flows {
                let from = choices.objects(module, from);
                let known = choices.values.entry(to).or_default();
                for object in from {
                    if let Err(place) = known.binary_search(&object) {
                        known.insert(place, object);
                        changed = true;
                    }
                }
            }
        }
        choices
    }

    /// What an image or sampler may be; nothing where it has no value.
    pub(super) fn objects(&self, module: &Module, value: Value) -> Vec<Object> {
        self.objects_of(&module.consts, value)
    }

    pub(super) fn objects_of(&self, consts: &ConstPool, value: Value) -> Vec<Object> {
        if let Some(id) = value.as_const() {
            return match consts.get(id) {
                &Const::Sampler(_, bits) => vec![Object::Literal(bits)],
                _ => Vec::new(),
            };
        }
        let Some(local) = value.as_local() else { return Vec::new() };
        match self.arguments.get(&local) {
            Some(&index) => vec![Object::Argument(index)],
            None => self.values.get(&local).cloned().unwrap_or_default(),
        }
    }

    /// Makes numbers of the values that are left: those that choose.
    pub(super) fn number(&self, module: &mut Module, function: &mut Function) {
        if self.values.is_empty() {
            return;
        }
        for &local in self.values.keys() {
            function.values[local].ty = TypePool::I32;
        }
        let Module { types, consts, .. } = module;
        let number = |consts: &mut ConstPool, object: Object| {
            consts.intern(Const::Int(TypePool::I32, u64::from(object.number())))
        };
        function.map_all_operands(|value| {
            if let Some(id) = value.as_const() {
                return match *consts.get(id) {
                    Const::Sampler(_, bits) => number(consts, Object::Literal(bits)),
                    Const::Undef(ty) if is_opaque(types.kind(ty)) => {
                        consts.intern(Const::Undef(TypePool::I32))
                    }
                    _ => value,
                };
            }
            match value.as_local().and_then(|local| self.arguments.get(&local)) {
                Some(&index) => number(consts, Object::Argument(index)),
                None => value,
            }
        });
    }
}
