//! Where the ids are in an instruction, by the grammar of SPIR-V.

use rspirv::grammar::{self, LogicalOperand, OperandKind, OperandQuantifier};
use rspirv::spirv::{MemoryAccess, Op};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    ResultType,
    Result,
    Use,
}

/// What only the rest of the module says of an instruction's operands.
pub(super) trait Context {
    /// Words of a literal of the type of the value `selector`.
    fn literal_words(&self, selector: u32) -> Option<usize>;
    /// The name of an extended instruction set.
    fn instruction_set(&self, id: u32) -> Option<&str>;
}

/// The instructions of the grammar by opcode.
pub(super) struct Grammar {
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

/// Whether a literal string ends in this word.
pub(super) fn has_zero_byte(word: u32) -> bool {
    word.to_le_bytes().contains(&0)
}

/// The literal string at the start of `words`, and how many words it takes.
pub(super) fn string(words: &[u32]) -> Option<(String, usize)> {
    let length = words.iter().position(|&word| has_zero_byte(word))? + 1;
    let bytes: Vec<u8> = words[..length].iter().flat_map(|word| word.to_le_bytes()).collect();
    let end = bytes.iter().position(|&byte| byte == 0)?;
    Some((String::from_utf8_lossy(&bytes[..end]).into_owned(), length))
}
