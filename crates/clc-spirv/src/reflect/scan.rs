//! One walk over the words of a module: where definitions, names and decorations are, and what
//! functions use. The rest asks by id.
//!
//! Nothing is as large as a number in the module says: what is kept is bounded by its words.

use rustc_hash::FxHashMap;
use spirv::{Decoration, Op, StorageClass};

use crate::read::ids::{Facts, Ids, Role};
use crate::read::{self, HEADER_WORDS, Header, string};

/// Unknown instructions that are listed one by one.
const MOST_NOTES: usize = 8;

/// Decorations, groups of them and execution modes of one id that are kept: more than SPIR-V has that
/// can stand together. Many arguments of a damaged module can have one id.
const MOST_OF_AN_ID: usize = 64;

/// Characters of a name that are kept, for the same reason.
const LONGEST_NAME: usize = 512;

/// The beginning of a name that is longer than any compiler's.
pub(super) fn clipped(mut name: String) -> String {
    if name.len() > LONGEST_NAME {
        name.truncate(name.floor_char_boundary(LONGEST_NAME));
    }
    name
}

/// Adds to a list that stays short.
fn push<K: std::hash::Hash + Eq, V>(map: &mut FxHashMap<K, Vec<V>>, key: K, value: V) {
    let list = map.entry(key).or_default();
    if list.len() < MOST_OF_AN_ID {
        list.push(value);
    }
}

/// A function: what it takes, and what is used in it.
#[derive(Debug, Default)]
pub(super) struct Function {
    /// Type and id of its parameters.
    pub params: Vec<(u32, u32)>,
    /// Variables and constants of the module that it uses and functions that it calls, each once.
    pub uses: Vec<u32>,
    /// The types of its variables, which are pointers.
    pub variables: Vec<u32>,
}

/// A module that was walked over.
#[derive(Default)]
pub(super) struct Scan<'a> {
    pub words: &'a [u32],
    /// `0x0001_0400` is 1.4.
    pub version: u32,
    pub capabilities: Vec<u32>,
    pub extensions: Vec<String>,
    pub sets: Vec<(u32, String)>,
    /// Addressing and memory model.
    pub model: Option<[u32; 2]>,
    /// Instructions, by their places.
    pub entry_points: Vec<usize>,
    pub modes: FxHashMap<u32, Vec<usize>>,
    pub source: Option<usize>,
    pub strings: Vec<usize>,
    /// Declarations of types, in order.
    pub types: Vec<usize>,
    /// Module-scope constants that are specialization constants, in order.
    pub specializations: Vec<usize>,
    /// Instructions of extended sets outside of functions, and calls of them inside.
    pub ext_insts: Vec<usize>,
    /// Decorations LinkageAttributes, in order.
    pub linkage: Vec<usize>,
    pub functions: FxHashMap<u32, Function>,
    /// Why instructions were left out.
    pub notes: Vec<String>,
    /// By id: its definition at module scope, and of addresses and conversions in functions.
    defs: FxHashMap<u32, usize>,
    names: FxHashMap<u32, usize>,
    member_names: FxHashMap<(u32, u32), usize>,
    /// By id: decorations, each with the place of its decoration's number.
    decorations: FxHashMap<u32, Vec<(usize, usize)>>,
    member_decorations: FxHashMap<(u32, u32), Vec<(usize, usize)>>,
    /// By id: the groups whose decorations it has.
    groups: FxHashMap<u32, Vec<u32>>,
    member_groups: FxHashMap<(u32, u32), Vec<u32>>,
    /// By id: what a constant or variable is made of, if a variable is in it.
    parts: FxHashMap<u32, Vec<u32>>,
}

impl<'a> Scan<'a> {
    /// Reads the words of a module in the order of this machine. Of what is none, the reason.
    pub fn of(words: &'a [u32]) -> Result<Scan<'a>, String> {
        let header = Header::read(words)?;
        if header.is_swapped {
            return Err("its bytes are in the other order".to_owned());
        }
        let mut scan = Scan { words, version: header.version, ..Scan::default() };
        let (mut facts, mut ids) = (Facts::default(), Ids::new());
        let mut open: Option<(u32, Function)> = None;
        let (mut at, mut number, mut unknown) = (HEADER_WORDS, 0usize, 0usize);
        while at < words.len() {
            number += 1;
            let place = read::place(words, at)
                .ok_or_else(|| format!("its instruction {number} has a length that cannot be"))?;
            let inst = &words[place.clone()];
            ids.clear();
            if read::op(inst).is_none() {
                unknown += 1;
                if unknown <= MOST_NOTES {
                    let opcode = read::opcode(inst);
                    scan.notes.push(format!("instruction {number} (opcode {opcode}) is unknown"));
                }
                at = place.end;
                continue;
            }
            let op = facts
                .read(inst, &mut ids)
                .map_err(|reason| format!("its instruction {number} {reason}"))?;
            scan.instruction(op, at, inst, &ids, &mut open);
            at = place.end;
        }
        if unknown > MOST_NOTES {
            scan.notes.push(format!("{unknown} instructions are unknown"));
        }
        match open {
            Some(_) => Err("it ends inside a function".to_owned()),
            None => Ok(scan),
        }
    }

    fn instruction(
        &mut self,
        op: Op,
        at: usize,
        inst: &[u32],
        ids: &Ids,
        open: &mut Option<(u32, Function)>,
    ) {
        let word = |index: usize| inst.get(index).copied().unwrap_or_default();
        match op {
            Op::Function => {
                if let Some((id, function)) = open.take() {
                    self.functions.insert(id, function);
                }
                self.defs.insert(word(2), at);
                *open = Some((word(2), Function::default()));
                return;
            }
            Op::FunctionEnd => {
                if let Some((id, mut function)) = open.take() {
                    function.uses.sort_unstable();
                    function.uses.dedup();
                    self.functions.insert(id, function);
                }
                return;
            }
            // Calls of printf inside of functions, and a reflection behind them.
            Op::ExtInst => self.ext_insts.push(at),
            _ => {}
        }
        if let Some((_, function)) = open {
            match op {
                Op::FunctionParameter => function.params.push((word(1), word(2))),
                Op::Variable => function.variables.push(word(1)),
                Op::FunctionCall => function.uses.push(word(3)),
                // What leads from a format to its string.
                Op::AccessChain
                | Op::InBoundsAccessChain
                | Op::PtrAccessChain
                | Op::InBoundsPtrAccessChain
                | Op::Bitcast
                | Op::PtrCastToGeneric
                | Op::GenericCastToPtr
                | Op::CopyObject => {
                    self.defs.insert(word(2), at);
                }
                _ => {}
            }
            let uses = ids.iter().filter(|(role, _)| *role == Role::Use).map(|&(_, at)| inst[at]);
            let uses = uses.filter(|id| self.parts.contains_key(id));
            function.uses.extend(uses);
            return;
        }
        self.outside(op, at, inst, ids);
    }

    /// An instruction outside of functions.
    fn outside(&mut self, op: Op, at: usize, inst: &[u32], ids: &Ids) {
        let word = |index: usize| inst.get(index).copied().unwrap_or_default();
        let text = |index: usize| string(inst.get(index..).unwrap_or_default());
        match op {
            Op::Capability => self.capabilities.push(word(1)),
            Op::Extension => self.extensions.extend(text(1).map(|(text, _)| text)),
            Op::ExtInstImport => self.sets.extend(text(2).map(|(text, _)| (word(1), text))),
            Op::MemoryModel => self.model = Some([word(1), word(2)]),
            Op::EntryPoint => self.entry_points.push(at),
            Op::ExecutionMode | Op::ExecutionModeId => {
                push(&mut self.modes, word(1), at);
            }
            Op::Source => self.source = self.source.or(Some(at)),
            Op::String => {
                self.strings.push(at);
                self.defs.insert(word(1), at);
            }
            Op::Name => {
                self.names.insert(word(1), at);
            }
            Op::MemberName => {
                self.member_names.insert((word(1), word(2)), at);
            }
            Op::Decorate | Op::DecorateId => {
                if word(2) == Decoration::LinkageAttributes as u32 {
                    self.linkage.push(at);
                }
                push(&mut self.decorations, word(1), (at, at + 2));
            }
            Op::MemberDecorate => {
                let key = (word(1), word(2));
                push(&mut self.member_decorations, key, (at, at + 3));
            }
            Op::GroupDecorate => {
                for &target in inst.get(2..).unwrap_or_default() {
                    push(&mut self.groups, target, word(1));
                }
            }
            Op::GroupMemberDecorate => {
                for pair in inst.get(2..).unwrap_or_default().chunks_exact(2) {
                    push(&mut self.member_groups, (pair[0], pair[1]), word(1));
                }
            }
            Op::TypeForwardPointer => self.types.push(at),
            _ => self.declaration(op, at, inst, ids),
        }
    }

    /// A type, a constant or a variable.
    fn declaration(&mut self, op: Op, at: usize, inst: &[u32], ids: &Ids) {
        let result = |role: Role| ids.iter().find(|(found, _)| *found == role);
        let Some(&(_, place)) = result(Role::Result) else { return };
        let id = inst[place];
        self.defs.insert(id, at);
        if result(Role::ResultType).is_none() {
            self.types.push(at);
            return;
        }
        let parts = ids.iter().filter(|(role, _)| *role == Role::Use).map(|&(_, at)| inst[at]);
        let parts: Vec<u32> = parts.filter(|id| self.parts.contains_key(id)).collect();
        if op == Op::Variable || !parts.is_empty() {
            self.parts.insert(id, parts);
        }
        if matches!(
            op,
            Op::SpecConstant
                | Op::SpecConstantTrue
                | Op::SpecConstantFalse
                | Op::SpecConstantComposite
        ) {
            self.specializations.push(at);
        }
    }

    /// What a constant or variable is made of that may be, or hold, a variable.
    pub fn parts(&self, id: u32) -> &[u32] {
        self.parts.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The instruction that begins at a place.
    pub fn at(&self, place: usize) -> &'a [u32] {
        read::place(self.words, place).map_or(&[], |place| &self.words[place])
    }

    /// The instruction that defines an id, and its operation.
    pub fn def(&self, id: u32) -> Option<(Op, &'a [u32])> {
        let inst = self.at(*self.defs.get(&id)?);
        Some((read::op(inst)?, inst))
    }

    /// OpName
    pub fn name(&self, id: u32) -> String {
        let text = |&place: &usize| Some(clipped(string(self.at(place).get(2..)?)?.0));
        self.names.get(&id).and_then(text).unwrap_or_default()
    }

    /// OpMemberName
    pub fn member_name(&self, id: u32, member: u32) -> String {
        let text = |&place: &usize| Some(clipped(string(self.at(place).get(3..)?)?.0));
        self.member_names.get(&(id, member)).and_then(text).unwrap_or_default()
    }

    /// The text of an OpString.
    pub fn string(&self, id: u32) -> Option<String> {
        match self.def(id)? {
            (Op::String, inst) => Some(string(inst.get(2..)?)?.0),
            _ => None,
        }
    }

    /// The operands of the decorations of one kind that an id has.
    pub fn decorations(&self, id: u32, wanted: Decoration) -> impl Iterator<Item = &'a [u32]> {
        let groups = self.groups.get(&id).map_or(&[][..], Vec::as_slice);
        let ids = std::iter::once(id).chain(groups.iter().copied());
        let all = ids.filter_map(|id| self.decorations.get(&id)).flatten();
        all.filter_map(move |place| self.operands(place, wanted))
    }

    /// The first operand of a decoration of an id.
    pub fn decoration(&self, id: u32, wanted: Decoration) -> Option<u32> {
        self.decorations(id, wanted).find_map(|operands| operands.first().copied())
    }

    /// The first operand of a decoration of a member.
    pub fn member_decoration(&self, id: u32, member: u32, wanted: Decoration) -> Option<u32> {
        let own = self.member_decorations.get(&(id, member));
        let groups = self.member_groups.get(&(id, member));
        let groups = groups.into_iter().flatten().filter_map(|id| self.decorations.get(id));
        let mut all = own.into_iter().chain(groups).flatten();
        all.find_map(|place| self.operands(place, wanted)?.first().copied())
    }

    fn operands(&self, &(at, number): &(usize, usize), wanted: Decoration) -> Option<&'a [u32]> {
        let (number, operands) = self.at(at).get(number - at..)?.split_first()?;
        (*number == wanted as u32).then_some(operands)
    }

    /// The value of a constant of at most 64 bits; of a specialization constant the default.
    pub fn constant(&self, id: u32) -> Option<u64> {
        match self.def(id)? {
            (Op::Constant | Op::SpecConstant, inst) => {
                let low = u64::from(*inst.get(3)?);
                Some(low | inst.get(4).map_or(0, |&high| u64::from(high) << 32))
            }
            (Op::ConstantTrue | Op::SpecConstantTrue, _) => Some(1),
            (Op::ConstantFalse | Op::SpecConstantFalse | Op::ConstantNull, _) => Some(0),
            _ => None,
        }
    }

    /// The storage class of a variable of the module, and the type of what it holds.
    pub fn variable(&self, id: u32) -> Option<(Option<StorageClass>, u32)> {
        let (Op::Variable, inst) = self.def(id)? else { return None };
        let (_, pointee) = self.pointer(*inst.get(1)?)?;
        Some((StorageClass::from_u32(*inst.get(3)?), pointee))
    }

    /// The storage class of a pointer type and what it points to.
    pub fn pointer(&self, id: u32) -> Option<(Option<StorageClass>, u32)> {
        let (Op::TypePointer, inst) = self.def(id)? else { return None };
        Some((StorageClass::from_u32(*inst.get(2)?), *inst.get(3)?))
    }
}
