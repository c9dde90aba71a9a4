//! Where the ids are in an instruction, by the grammar of SPIR-V.

use rspirv::grammar::{self, LogicalOperand, OperandKind, OperandQuantifier};
use rspirv::spirv::{MemoryAccess, Op};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{has_zero_byte, string};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    ResultType,
    Result,
    Use,
}

/// What only the rest of the module says of an instruction's operands.
pub(crate) trait Context {
    /// Words of a literal of the type of the value `selector`.
    fn literal_words(&self, selector: u32) -> Option<usize>;
    /// The name of an extended instruction set.
    fn instruction_set(&self, id: u32) -> Option<&str>;
}

/// The instructions of the grammar by opcode.
pub(crate) struct Grammar {
    table: Vec<Option<&'static grammar::Instruction<'static>>>,
}

impl Grammar {
    pub fn new() -> Grammar {
        let mut table = Vec::new();
        for instruction in grammar::INSTRUCTION_TABLE.iter() {
            let opcode = instruction.opcode as usize;
            if opcode >= table.len() {
                table.resize(opcode + 1, None);
            }
            table[opcode] = Some(instruction);
        }
        Grammar { table }
    }

    /// Calls `visit` with the place of each id in `words`, one whole instruction. `None` if it is
    /// unknown or does not follow the grammar.
    pub fn each_id(
        &self,
        words: &[u32],
        context: &dyn Context,
        visit: &mut dyn FnMut(Role, usize),
    ) -> Option<()> {
        let instruction = (*self.table.get((words.first()? & 0xffff) as usize)?)?;
        let mut walk = Walk { grammar: self, words, context, visit };
        let mut at = 1;
        match instruction.opcode {
            // Operands whose kind the enumerant before them decides are ids in these, and
            // literals in their namesakes without `Id`.
            Op::DecorateId | Op::ExecutionModeId => {
                at = walk.one(OperandKind::IdRef, at)?;
                at += 1;
                while at < words.len() {
                    at = walk.one(OperandKind::IdRef, at)?;
                }
            }
            Op::ExtInst => {
                for kind in [OperandKind::IdResultType, OperandKind::IdResult, OperandKind::IdRef] {
                    at = walk.one(kind, at)?;
                }
                let set = context.instruction_set(*words.get(3)?)?;
                let number = *words.get(4)?;
                at += 1;
                // Sets without a grammar here have ids only (SPIR-V 2.2.4).
                let known = grammar::ext_inst_table(set).and_then(|set| set.lookup_opcode(number));
                if let Some(known) = known {
                    at = walk.all(known.operands, at)?;
                }
                while at < words.len() {
                    at = walk.one(OperandKind::IdRef, at)?;
                }
            }
            _ => at = walk.all(instruction.operands, at)?,
        }
        (at == words.len()).then_some(())
    }
}

/// What has been read of a module that says how to read the rest.
#[derive(Default)]
pub(crate) struct Facts {
    /// By id: the type of a value.
    types: FxHashMap<u32, u32>,
    /// By id: bits of an integer or float type.
    widths: FxHashMap<u32, u32>,
    sets: FxHashMap<u32, String>,
}

/// The places of an instruction's ids and what they are.
pub(crate) type Ids = SmallVec<[(Role, usize); 16]>;

impl Facts {
    /// Finds the ids of the next instruction and remembers what it says. Returns the operation; of
    /// what does not follow the grammar, the reason.
    pub fn read(
        &mut self,
        grammar: &Grammar,
        instruction: &[u32],
        ids: &mut Ids,
    ) -> Result<Op, &'static str> {
        let op = super::op(instruction).ok_or("is unknown")?;
        if let (Op::ExtInstImport, [_, id, name @ ..]) = (op, instruction) {
            let (set, _) = string(name).ok_or("has no name")?;
            self.sets.insert(*id, set);
        }
        grammar
            .each_id(instruction, self, &mut |role, place| ids.push((role, place)))
            .ok_or("is malformed")?;
        let find = |wanted| ids.iter().find(|(role, _)| *role == wanted).map(|&(_, at)| at);
        if let (Some(ty), Some(result)) = (find(Role::ResultType), find(Role::Result)) {
            self.types.insert(instruction[result], instruction[ty]);
        }
        match (op, instruction) {
            (Op::TypeInt | Op::TypeFloat, [_, id, width, ..]) => {
                self.widths.insert(*id, *width);
            }
            (Op::Constant | Op::SpecConstant, [_, ty, _, value @ ..]) => {
                let words = self.widths.get(ty).map(|&width| literal_words(width));
                if words != Some(value.len()) {
                    return Err("is a constant of a type with other values");
                }
            }
            _ => {}
        }
        Ok(op)
    }
}

impl Context for Facts {
    fn literal_words(&self, selector: u32) -> Option<usize> {
        let width = self.widths.get(self.types.get(&selector)?)?;
        Some(literal_words(*width))
    }

    fn instruction_set(&self, id: u32) -> Option<&str> {
        self.sets.get(&id).map(String::as_str)
    }
}

/// The words of a literal number (SPIR-V 2.2.1).
fn literal_words(width: u32) -> usize {
    if width > 32 { 2 } else { 1 }
}

struct Walk<'a> {
    grammar: &'a Grammar,
    words: &'a [u32],
    context: &'a dyn Context,
    visit: &'a mut dyn FnMut(Role, usize),
}

impl Walk<'_> {
    fn all(&mut self, operands: &[LogicalOperand], mut at: usize) -> Option<usize> {
        for operand in operands {
            match operand.quantifier {
                OperandQuantifier::One => at = self.one(operand.kind, at)?,
                OperandQuantifier::ZeroOrOne if at < self.words.len() => {
                    at = self.one(operand.kind, at)?;
                }
                OperandQuantifier::ZeroOrOne => {}
                OperandQuantifier::ZeroOrMore => {
                    while at < self.words.len() {
                        at = self.one(operand.kind, at)?;
                    }
                }
            }
        }
        Some(at)
    }

    fn id(&mut self, role: Role, at: usize) -> Option<usize> {
        self.words.get(at)?;
        (self.visit)(role, at);
        Some(at + 1)
    }

    /// One operand, with the parameters that its value brings; gives the place after it.
    fn one(&mut self, kind: OperandKind, at: usize) -> Option<usize> {
        let word = *self.words.get(at)?;
        match kind {
            OperandKind::IdResultType => self.id(Role::ResultType, at),
            OperandKind::IdResult => self.id(Role::Result, at),
            OperandKind::IdRef | OperandKind::IdScope | OperandKind::IdMemorySemantics => {
                self.id(Role::Use, at)
            }
            OperandKind::LiteralString => {
                let length = self.words[at..].iter().position(|&word| has_zero_byte(word))? + 1;
                Some(at + length)
            }
            // What is left are the literal's words, or the enumerant's literal parameters.
            OperandKind::LiteralContextDependentNumber
            | OperandKind::Decoration
            | OperandKind::ExecutionMode
            | OperandKind::LoopControl => Some(self.words.len()),
            OperandKind::PairIdRefIdRef => {
                let at = self.id(Role::Use, at)?;
                self.id(Role::Use, at)
            }
            OperandKind::PairIdRefLiteralInteger => {
                let at = self.id(Role::Use, at)?;
                self.words.get(at)?;
                Some(at + 1)
            }
            OperandKind::PairLiteralIntegerIdRef => {
                let literal = self.context.literal_words(*self.words.get(1)?)?;
                self.id(Role::Use, at + literal)
            }
            OperandKind::ImageOperands => {
                let mut at = at + 1;
                while at < self.words.len() {
                    at = self.id(Role::Use, at)?;
                }
                Some(at)
            }
            OperandKind::MemoryAccess => {
                let mask = MemoryAccess::from_bits_truncate(word);
                let mut at = at + 1;
                if mask.contains(MemoryAccess::ALIGNED) {
                    self.words.get(at)?;
                    at += 1;
                }
                for with_id in [
                    MemoryAccess::MAKE_POINTER_AVAILABLE,
                    MemoryAccess::MAKE_POINTER_VISIBLE,
                    MemoryAccess::ALIAS_SCOPE_INTEL_MASK,
                    MemoryAccess::NO_ALIAS_INTEL_MASK,
                ] {
                    if mask.contains(with_id) {
                        at = self.id(Role::Use, at)?;
                    }
                }
                Some(at)
            }
            OperandKind::LiteralSpecConstantOpInteger => {
                let inner = (*self.grammar.table.get(word as usize)?)?;
                let is_result = |operand: &&LogicalOperand| {
                    matches!(operand.kind, OperandKind::IdResultType | OperandKind::IdResult)
                };
                let skipped = inner.operands.iter().take_while(is_result).count();
                self.all(&inner.operands[skipped..], at + 1)
            }
            _ => Some(at + 1),
        }
    }
}
