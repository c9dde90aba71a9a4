//! A module as the linker sees it: its instructions by section, with ids that no other module has.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use spirv::{Decoration, LinkageType, Op};

use crate::read::ids::{Context as _, Facts, Role};
use crate::read::{self, HEADER_WORDS, Header, string};

/// SPIR-V 2.17: the largest id bound.
const MAX_BOUND: u32 = 0x3f_ffff;

/// The place of an instruction in a unit's words.
pub(super) type Place = Range<usize>;

/// A function's instructions.
#[derive(Debug, Default)]
pub(super) struct Function {
    pub id: u32,
    /// OpFunction, the parameters, …, OpFunctionEnd.
    pub instructions: Vec<Place>,
    pub has_body: bool,
}

/// A name that a module gives to others or takes from them.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub name: String,
    pub id: u32,
    pub kind: LinkageType,
}

#[derive(Debug, Default)]
pub(super) struct Unit {
    pub name: String,
    pub version: u32,
    /// How many ids the module may have.
    pub bound: u32,
    pub words: Vec<u32>,
    pub capabilities: Vec<u32>,
    pub extensions: Vec<String>,
    /// Id and name of extended instruction sets.
    pub sets: Vec<(u32, String)>,
    /// Addressing and memory model.
    pub memory_model: [u32; 2],
    pub entry_points: Vec<Place>,
    pub execution_modes: Vec<Place>,
    pub strings: Vec<Place>,
    pub names: Vec<Place>,
    pub processed: Vec<Place>,
    /// Decorations of single ids, without linkage; groups are taken apart.
    pub decorations: FxHashMap<u32, Vec<Vec<u32>>>,
    /// The decorated ids in the order of their first decoration.
    pub decorated: Vec<u32>,
    pub globals: Vec<Place>,
    pub functions: Vec<Function>,
    pub symbols: Vec<Symbol>,
    /// Values of more than 32 bits that an OpSwitch looks at.
    pub wide_selectors: FxHashSet<u32>,
}

impl Unit {
    /// Reads a module and adds `base` to its ids. Gives the unit and the bound of its ids; of
    /// what is no SPIR-V module, the reason.
    pub fn read(name: &str, words: &[u32], base: u32) -> Result<(Unit, u32), String> {
        let Header { version, bound, is_swapped } = Header::read(words)?;
        let mut words = words.to_vec();
        if is_swapped {
            words.iter_mut().for_each(|word| *word = word.swap_bytes());
        }
        if !(0x0001_0000..=0x0001_0600).contains(&version) {
            let (major, minor) = (version >> 16, version >> 8 & 0xff);
            return Err(format!("its version, {major}.{minor}, is unknown"));
        }
        if bound > MAX_BOUND {
            return Err(format!("its id bound, {bound}, is above the limit of {MAX_BOUND}"));
        }
        let mut unit = Unit { name: name.to_owned(), version, bound, words, ..Unit::default() };
        unit.instructions(base, bound)?;
        Ok((unit, base + bound))
    }

    pub fn inst(&self, place: &Place) -> &[u32] {
        &self.words[place.clone()]
    }

    fn instructions(&mut self, base: u32, bound: u32) -> Result<(), String> {
        let mut facts = Facts::default();
        let mut groups = Groups::default();
        let mut function: Option<Function> = None;
        let mut defined = vec![false; bound as usize];
        let mut at = HEADER_WORDS;
        let mut number = 0;
        while at < self.words.len() {
            number += 1;
            let bad = |why: &str| format!("its instruction {number} {why}");
            let place =
                read::place(&self.words, at).ok_or_else(|| bad("has a length that cannot be"))?;
            at = place.end;
            let inst = &mut self.words[place.clone()];
            // Ids are numbered anew after all of them are known, so that facts stay in the
            // module's own numbers.
            let mut ids = SmallVec::new();
            let op = facts.read(inst, &mut ids).map_err(bad)?;
            for &(role, place) in &ids {
                let id = inst[place];
                if id == 0 || id >= bound {
                    return Err(bad(&format!("uses the id {id}, which is out of bounds")));
                }
                if role == Role::Result && std::mem::replace(&mut defined[id as usize], true) {
                    return Err(bad(&format!("defines the id {id} a second time")));
                }
            }
            if op == Op::Switch && facts.literal_words(inst[1]) == Some(2) {
                self.wide_selectors.insert(inst[1] + base);
            }
            for (_, place) in ids {
                inst[place] += base;
            }
            self.sort_in(op, place, &mut function, &mut groups)
                .ok_or_else(|| bad("is misplaced"))?;
        }
        if function.is_some() {
            return Err("it ends inside a function".to_owned());
        }
        if self.memory_model == [0, 0] {
            // Logical and Simple, which no OpenCL module has.
            return Err("it has no memory model of OpenCL".to_owned());
        }
        self.apply(groups);
        Ok(())
    }

    /// Files an instruction under its section.
    fn sort_in(
        &mut self,
        op: Op,
        place: Place,
        function: &mut Option<Function>,
        groups: &mut Groups,
    ) -> Option<()> {
        let inst = &self.words[place.clone()];
        if let Some(open) = function {
            open.instructions.push(place);
            match op {
                Op::Label => open.has_body = true,
                Op::FunctionEnd => self.functions.extend(function.take()),
                Op::Function => return None,
                _ => {}
            }
            return Some(());
        }
        match op {
            // Announcements of pointers are made anew.
            Op::Nop | Op::Line | Op::NoLine | Op::TypeForwardPointer => {}
            Op::Capability => self.capabilities.push(*inst.get(1)?),
            Op::Extension => self.extensions.push(string(inst.get(1..)?)?.0),
            Op::ExtInstImport => self.sets.push((inst[1], string(inst.get(2..)?)?.0)),
            Op::MemoryModel => self.memory_model = [*inst.get(1)?, *inst.get(2)?],
            Op::EntryPoint => self.entry_points.push(place),
            Op::ExecutionMode | Op::ExecutionModeId => self.execution_modes.push(place),
            Op::String | Op::Source | Op::SourceContinued | Op::SourceExtension => {
                self.strings.push(place);
            }
            Op::Name | Op::MemberName => self.names.push(place),
            Op::ModuleProcessed => self.processed.push(place),
            Op::DecorationGroup => {}
            Op::GroupDecorate => {
                let targets = inst[2..].iter().map(|&target| (target, None));
                groups.targets.push((inst[1], targets.collect()));
            }
            Op::GroupMemberDecorate => {
                let targets = inst[2..].chunks_exact(2).map(|pair| (pair[0], Some(pair[1])));
                groups.targets.push((inst[1], targets.collect()));
            }
            Op::Decorate if inst.get(2).copied() == Some(Decoration::LinkageAttributes as u32) => {
                let (name, length) = string(inst.get(3..)?)?;
                let kind = LinkageType::from_u32(*inst.get(3 + length)?)?;
                self.symbols.push(Symbol { name, id: inst[1], kind });
            }
            Op::Decorate
            | Op::DecorateId
            | Op::DecorateString
            | Op::MemberDecorate
            | Op::MemberDecorateString => {
                let (target, words) = (inst[1], inst.to_vec());
                self.decorate(target, words);
            }
            Op::Function => {
                let id = inst[2];
                *function = Some(Function { id, instructions: vec![place], has_body: false });
            }
            _ => self.globals.push(place),
        }
        Some(())
    }

    fn decorate(&mut self, target: u32, words: Vec<u32>) {
        let list = self.decorations.entry(target).or_default();
        if list.is_empty() {
            self.decorated.push(target);
        }
        list.push(words);
    }

    /// Gives the decorations of groups to their members.
    fn apply(&mut self, groups: Groups) {
        for (group, targets) in groups.targets {
            let decorations = self.decorations.get(&group).cloned().unwrap_or_default();
            for (target, member) in targets {
                for decoration in &decorations {
                    let mut words = decoration.clone();
                    words[1] = target;
                    if let Some(member) = member {
                        words.insert(2, member);
                        words[0] = (words.len() as u32) << 16 | Op::MemberDecorate as u32;
                    }
                    self.decorate(target, words);
                }
            }
        }
    }

    /// The OpName of an id.
    pub fn name_of(&self, id: u32) -> Option<String> {
        let is_its = |inst: &&[u32]| inst[0] & 0xffff == Op::Name as u32 && inst[1] == id;
        let inst = self.names.iter().map(|place| self.inst(place)).find(is_its)?;
        Some(string(&inst[2..])?.0)
    }

    /// The decorations of an id, each a whole instruction.
    pub fn decorations_of(&self, id: u32) -> &[Vec<u32>] {
        self.decorations.get(&id).map_or(&[], Vec::as_slice)
    }
}

/// Decoration groups and what they decorate.
#[derive(Default)]
struct Groups {
    targets: Vec<(u32, Vec<(u32, Option<u32>)>)>,
}
