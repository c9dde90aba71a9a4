//! Types, constants and module-scope variables of the linked module.
//!
//! Each is written when it is first asked for, after what it refers to, so that nothing unused is
//! written and a variable may come from a module behind the one that uses it. Types and constants
//! that are alike become one (SPIR-V 2.8 forbids two of the same); of struct types that contain
//! pointers to themselves, [`same_as_earlier`](Globals::same_as_earlier) says whether they are.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{Op, StorageClass};

use super::unit::{Place, Unit};
use super::{Failure, Ids};
use crate::read::ids::{Context, Role, each_id};
use crate::read::{opcode, string};

/// Earlier structs of one name that a struct is compared with, and types that are looked at for it.
const CANDIDATES: usize = 8;
const COMPARED: usize = 10_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Unseen,
    /// What it refers to is being written.
    Open,
    /// A pointer that is announced by OpTypeForwardPointer.
    Announced,
    Written,
}

/// Where a global id is defined.
#[derive(Clone, Debug)]
struct Definition {
    unit: u32,
    place: Place,
}

pub(super) struct Globals<'u> {
    units: &'u [Unit],
    /// By id: what it means; itself, if it is not an import that another module defines.
    pub alias: Vec<u32>,
    definitions: FxHashMap<u32, Definition>,
    states: Vec<State>,
    /// What is written, by what it says.
    known: FxHashMap<Vec<u32>, u32>,
    /// Structs that are written, by name.
    structs: FxHashMap<String, Vec<u32>>,
    /// Names of structs, for messages and to find candidates.
    pub struct_names: FxHashMap<u32, String>,
    /// By final id: where it was defined first.
    origins: FxHashMap<u32, u32>,
    announced: Vec<u32>,
    /// By final id: the variables that a constant or an initializer is made of, itself included.
    pub variables: FxHashMap<u32, Rc<[u32]>>,
    /// Final ids of variables in Input storage.
    pub inputs: FxHashSet<u32>,
    /// The ids whose instruction was written, in order.
    pub written: Vec<u32>,
    pub out: Vec<u32>,
}

impl<'u> Globals<'u> {
    pub fn new(units: &'u [Unit], alias: Vec<u32>) -> Globals<'u> {
        let bound = alias.len();
        let mut globals = Globals {
            units,
            alias,
            definitions: FxHashMap::default(),
            states: vec![State::Unseen; bound],
            known: FxHashMap::default(),
            structs: FxHashMap::default(),
            struct_names: FxHashMap::default(),
            origins: FxHashMap::default(),
            announced: Vec::new(),
            variables: FxHashMap::default(),
            inputs: Default::default(),
            written: Vec::new(),
            out: Vec::new(),
        };
        for (number, unit) in units.iter().enumerate() {
            for place in &unit.globals {
                let inst = unit.inst(place);
                let result = result_of(inst);
                let definition = Definition { unit: number as u32, place: place.clone() };
                globals.definitions.insert(result, definition);
            }
            for place in &unit.names {
                let inst = unit.inst(place);
                if opcode(inst) == Op::Name as u32
                    && globals
                        .own_definition(inst[1])
                        .is_some_and(|inst| opcode(inst) == Op::TypeStruct as u32)
                    && let Some((name, _)) = string(&inst[2..])
                {
                    globals.struct_names.insert(inst[1], name);
                }
            }
        }
        globals
    }

    pub fn is_global(&self, id: u32) -> bool {
        self.definitions.contains_key(&self.alias[id as usize])
    }

    /// The instruction that defines a global.
    pub fn definition(&self, id: u32) -> Option<&'u [u32]> {
        let definition = self.definitions.get(&self.alias[id as usize])?;
        Some(self.units[definition.unit as usize].inst(&definition.place))
    }

    /// The same for an import, whatever takes its place.
    pub fn own_definition(&self, id: u32) -> Option<&'u [u32]> {
        let definition = self.definitions.get(&id)?;
        Some(self.units[definition.unit as usize].inst(&definition.place))
    }

    /// The instruction behind a final id.
    pub fn final_definition(&self, id: u32) -> Option<&'u [u32]> {
        self.definition(*self.origins.get(&id)?)
    }

    /// Writes `id` and what it refers to, if that has not been done; gives its final id.
    pub fn require(&mut self, ids: &mut Ids, id: u32) -> Result<u32, Failure> {
        let mut stack = vec![self.alias[id as usize]];
        while let Some(&top) = stack.last() {
            if self.states[top as usize] == State::Written {
                stack.pop();
                continue;
            }
            if self.states[top as usize] == State::Unseen
                && self.is_struct(top)
                && self.same_as_earlier(ids, top)
            {
                stack.pop();
                continue;
            }
            if self.states[top as usize] == State::Unseen {
                self.states[top as usize] = State::Open;
            }
            let before = stack.len();
            for operand in self.operands(top)? {
                match self.states[operand as usize] {
                    State::Written => {}
                    State::Unseen | State::Announced | State::Open
                        if self.points_to_open(operand) =>
                    {
                        self.announce(ids, operand);
                    }
                    State::Unseen | State::Announced => stack.push(operand),
                    State::Open => return Err(Failure::Circle(operand)),
                }
            }
            if stack.len() == before {
                self.write(ids, top);
                stack.pop();
            }
        }
        Ok(ids.of(self.alias[id as usize]))
    }

    /// Writes the pointers that are announced only.
    pub fn finish(&mut self, ids: &mut Ids) -> Result<(), Failure> {
        while let Some(pointer) = self.announced.pop() {
            self.require(ids, pointer)?;
        }
        Ok(())
    }

    /// The ids that the definition of `id` refers to, the result aside.
    fn operands(&self, id: u32) -> Result<Vec<u32>, Failure> {
        let Some(definition) = self.definitions.get(&id) else { return Err(Failure::Missing(id)) };
        let unit = &self.units[definition.unit as usize];
        let mut operands = Vec::new();
        self.each_id(unit.inst(&definition.place), &mut |role, id| {
            if role != Role::Result {
                operands.push(self.alias[id as usize]);
            }
        });
        Ok(operands)
    }

    fn each_id(&self, inst: &[u32], visit: &mut dyn FnMut(Role, u32)) {
        // Globals are neither OpSwitch nor OpExtInst, which alone need context; and the reader has
        // seen that they follow the grammar.
        let _ = each_id(inst, &NoContext, &mut |role, at| visit(role, inst[at]));
    }

    fn is_struct(&self, id: u32) -> bool {
        self.definition(id).is_some_and(|inst| opcode(inst) == Op::TypeStruct as u32)
    }

    /// A pointer to a type that contains it. Which pointer of a circle of types is announced
    /// depends on where one enters it, so it need not be the one of the module itself.
    fn points_to_open(&self, pointer: u32) -> bool {
        self.definition(pointer).is_some_and(|inst| {
            opcode(inst) == Op::TypePointer as u32
                && self.states[self.alias[inst[3] as usize] as usize] == State::Open
        })
    }

    fn announce(&mut self, ids: &mut Ids, pointer: u32) {
        if self.states[pointer as usize] == State::Announced || ids.has(pointer) {
            return;
        }
        if self.states[pointer as usize] == State::Unseen {
            self.states[pointer as usize] = State::Announced;
        }
        self.announced.push(pointer);
        let id = ids.of(pointer);
        if let Some(inst) = self.definition(pointer) {
            self.out.extend_from_slice(&[3 << 16 | Op::TypeForwardPointer as u32, id, inst[2]]);
        }
    }

    /// Writes one instruction whose operands are written, or finds that it has been.
    fn write(&mut self, ids: &mut Ids, id: u32) {
        let Some(definition) = self.definitions.get(&id).cloned() else { return };
        let units = self.units;
        let unit = &units[definition.unit as usize];
        let original = unit.inst(&definition.place);
        let mut inst = original.to_vec();
        let mut result_at = 0;
        let mut variables: Vec<u32> = Vec::new();
        let _ = each_id(original, &NoContext, &mut |role, at| {
            if role == Role::Result {
                result_at = at;
            } else {
                inst[at] = ids.of(self.alias[original[at] as usize]);
                variables.extend(self.variables.get(&inst[at]).iter().flat_map(|set| set.iter()));
            }
        });
        self.states[id as usize] = State::Written;
        let is_variable = opcode(original) == Op::Variable as u32;
        let is_input = is_variable && original.get(3) == Some(&(StorageClass::Input as u32));
        if !is_variable || is_input {
            let mut key = inst.clone();
            key[result_at] = 0;
            for decoration in unit.decorations_of(id) {
                key.push(decoration[0]);
                key.extend_from_slice(&decoration[2..]);
            }
            match self.known.get(&key) {
                // An announced pointer has its number already.
                Some(&earlier) if !ids.has(id) => {
                    ids.set(id, earlier);
                    return;
                }
                Some(_) => {}
                None => {
                    self.known.insert(key, ids.of(id));
                }
            }
        }
        let result = ids.of(id);
        inst[result_at] = result;
        self.out.extend_from_slice(&inst);
        self.origins.insert(result, id);
        self.written.push(id);
        if is_variable {
            variables.push(result);
        }
        if is_input {
            self.inputs.insert(result);
        }
        if !variables.is_empty() {
            variables.sort_unstable();
            variables.dedup();
            self.variables.insert(result, variables.into());
        }
        if opcode(original) == Op::TypeStruct as u32 {
            let name = self.struct_names.get(&id).cloned().unwrap_or_default();
            self.structs.entry(name).or_default().push(id);
        }
    }

    /// Whether a struct, which may contain pointers to itself, is one that is written; if so, it
    /// and what belongs to it get the ids of that. Two such types are the same if nothing that can
    /// be reached from them differs.
    fn same_as_earlier(&mut self, ids: &mut Ids, id: u32) -> bool {
        let name = self.struct_names.get(&id).map_or("", String::as_str);
        let candidates: Vec<u32> = self
            .structs
            .get(name)
            .map(|list| list.iter().copied().take(CANDIDATES).collect())
            .unwrap_or_default();
        for candidate in candidates {
            if let Some(pairs) = self.unify(ids, id, candidate) {
                for (new, old) in pairs {
                    self.states[new as usize] = State::Written;
                    let old = ids.of(old);
                    ids.set(new, old);
                }
                return true;
            }
        }
        false
    }

    /// The types that are the same if `new` and `old` are; `None` if something differs.
    fn unify(&self, ids: &Ids, new: u32, old: u32) -> Option<Vec<(u32, u32)>> {
        let mut assumed: FxHashMap<u32, u32> = FxHashMap::default();
        let mut pairs = Vec::new();
        let mut work = vec![(new, old)];
        while let Some((new, old)) = work.pop() {
            if self.states[new as usize] == State::Written {
                if ids.get(new) != ids.get(old) {
                    return None;
                }
                continue;
            }
            match assumed.get(&new) {
                Some(&known) if known == old => continue,
                Some(_) => return None,
                None => {}
            }
            if self.states[old as usize] != State::Written || ids.has(new) {
                return None;
            }
            assumed.insert(new, old);
            pairs.push((new, old));
            if pairs.len() > COMPARED {
                return None;
            }
            let (a, b) = (self.definitions.get(&new)?, self.definitions.get(&old)?);
            let (units_a, units_b) = (&self.units[a.unit as usize], &self.units[b.unit as usize]);
            let (a, b) = (units_a.inst(&a.place), units_b.inst(&b.place));
            if a.len() != b.len() || a[0] != b[0] {
                return None;
            }
            let mut is_id = vec![false; a.len()];
            let _ = each_id(a, &NoContext, &mut |role, at| {
                is_id[at] = true;
                if role != Role::Result {
                    work.push((self.alias[a[at] as usize], self.alias[b[at] as usize]));
                }
            });
            if (1..a.len()).any(|at| !is_id[at] && a[at] != b[at]) {
                return None;
            }
            let (a, b) = (units_a.decorations_of(new), units_b.decorations_of(old));
            let same = |a: &[u32], b: &[u32]| a[0] == b[0] && a[2..] == b[2..];
            if a.len() != b.len() || a.iter().zip(b).any(|(a, b)| !same(a, b)) {
                return None;
            }
        }
        Some(pairs)
    }
}

struct NoContext;

impl Context for NoContext {
    fn literal_words(&self, _: u32) -> Option<usize> {
        None
    }

    fn instruction_set(&self, _: u32) -> Option<&str> {
        None
    }
}

/// The result of a global instruction: types have no result type.
fn result_of(inst: &[u32]) -> u32 {
    let op = Op::from_u32(opcode(inst)).unwrap_or(Op::Nop);
    let at = if op.is_type() { 1 } else { 2 };
    inst.get(at).copied().unwrap_or(0)
}
