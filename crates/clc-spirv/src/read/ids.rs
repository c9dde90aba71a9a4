//! Where the ids are in an instruction, by the grammar of SPIR-V.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spirv::{MemoryAccess, Op};

use super::{grammar, has_zero_byte, string};

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

/// Opcodes of most of the instructions that there are in modules are below.
const COMMON: usize = 512;

/// By opcode: one more than its row in the grammar, zero where it has none. Looked up for each instruction that is read.
static ROWS: [u16; COMMON] = {
    let (mut rows, mut row) = ([0; COMMON], 0);
    while row < grammar::INSTRUCTIONS.len() {
        let opcode = grammar::INSTRUCTIONS[row].0 as usize;
        row += 1;
        if opcode < COMMON {
            rows[opcode] = row as u16;
        }
    }
    rows
};

/// What the grammar says of the operands of an instruction; `None` if it does not know it.
fn operands(opcode: u32) -> Option<&'static str> {
    match ROWS.get(opcode as usize) {
        Some(&row) => Some(grammar::INSTRUCTIONS[usize::from(row).checked_sub(1)?].1),
        None => lookup(grammar::INSTRUCTIONS, opcode),
    }
}

fn lookup(rows: &'static [(u16, &'static str)], opcode: u32) -> Option<&'static str> {
    let row = rows.binary_search_by_key(&opcode, |&(opcode, _)| u32::from(opcode)).ok()?;
    Some(rows[row].1)
}

/// The word of an instruction that is its result id, if it has one.
#[cfg(feature = "validate")]
pub(crate) fn result_position(opcode: u32) -> Option<usize> {
    match operands(opcode)?.as_bytes() {
        [b'R', ..] => Some(1),
        [b'T', b'R', ..] => Some(2),
        _ => None,
    }
}

/// Calls `visit` with the place of each id in `words`, one whole instruction. `None` if it is
/// unknown or does not follow the grammar.
pub(crate) fn each_id(
    words: &[u32],
    context: &dyn Context,
    visit: &mut dyn FnMut(Role, usize),
) -> Option<()> {
    let opcode = words.first()? & 0xffff;
    let operands = operands(opcode)?;
    let mut walk = Walk { words, context, visit };
    let mut at = 1;
    const EXT_INST: u32 = Op::ExtInst as u32;
    const DECORATE_ID: u32 = Op::DecorateId as u32;
    const EXECUTION_MODE_ID: u32 = Op::ExecutionModeId as u32;
    match opcode {
        // Operands whose kind the enumerant before them decides are ids in these, and
        // literals in their namesakes without `Id`.
        DECORATE_ID | EXECUTION_MODE_ID => at = walk.all("IWI*", at)?,
        EXT_INST => {
            at = walk.all("TRIW", at)?;
            let (set, number) = (context.instruction_set(words[3])?, words[4]);
            let known = grammar::SETS.iter().find(|(name, _)| *name == set);
            if let Some(operands) = known.and_then(|(_, rows)| lookup(rows, number)) {
                at = walk.all(operands, at)?;
            }
            // Sets without a grammar here have ids only (SPIR-V 2.2.4).
            at = walk.all("I*", at)?;
        }
        _ => at = walk.all(operands, at)?,
    }
    (at == words.len()).then_some(())
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
    pub fn read(&mut self, instruction: &[u32], ids: &mut Ids) -> Result<Op, &'static str> {
        let op = super::op(instruction).ok_or("is unknown")?;
        if let (Op::ExtInstImport, [_, id, name @ ..]) = (op, instruction) {
            let (set, _) = string(name).ok_or("has no name")?;
            self.sets.insert(*id, set);
        }
        each_id(instruction, self, &mut |role, place| ids.push((role, place)))
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
    words: &'a [u32],
    context: &'a dyn Context,
    visit: &'a mut dyn FnMut(Role, usize),
}

impl Walk<'_> {
    /// The operands that these letters of the grammar stand for; gives the place after them.
    fn all(&mut self, operands: &str, mut at: usize) -> Option<usize> {
        let letters = operands.as_bytes();
        for (index, &letter) in letters.iter().enumerate() {
            match letters.get(index + 1) {
                _ if matches!(letter, b'?' | b'*') => {}
                // Most operands.
                None | Some(b'T' | b'R' | b'I') if letter == b'I' => at = self.id(Role::Use, at)?,
                Some(b'?') if at >= self.words.len() => {}
                Some(b'*') => {
                    while at < self.words.len() {
                        at = self.one(letter, at)?;
                    }
                }
                _ => at = self.one(letter, at)?,
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
    fn one(&mut self, letter: u8, at: usize) -> Option<usize> {
        let word = *self.words.get(at)?;
        match letter {
            b'T' => self.id(Role::ResultType, at),
            b'R' => self.id(Role::Result, at),
            b'I' => self.id(Role::Use, at),
            b'S' => {
                let length = self.words[at..].iter().position(|&word| has_zero_byte(word))? + 1;
                Some(at + length)
            }
            b'.' => Some(self.words.len()),
            b'P' => {
                let at = self.id(Role::Use, at)?;
                self.id(Role::Use, at)
            }
            b'L' => {
                let at = self.id(Role::Use, at)?;
                self.words.get(at)?;
                Some(at + 1)
            }
            b'K' => {
                let literal = self.context.literal_words(*self.words.get(1)?)?;
                self.id(Role::Use, at + literal)
            }
            b'G' => {
                let mut at = at + 1;
                while at < self.words.len() {
                    at = self.id(Role::Use, at)?;
                }
                Some(at)
            }
            b'M' => {
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
            b'O' => {
                // What computes a constant has ids and words only, and is no constant itself (SPIR-V,
                // OpSpecConstantOp).
                let inner = operands(word)?.strip_prefix("TR")?;
                let allowed =
                    inner.bytes().all(|letter| matches!(letter, b'I' | b'W' | b'?' | b'*'));
                if !allowed {
                    return None;
                }
                self.all(inner, at + 1)
            }
            _ => Some(at + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// OpSpecConstantOp of an operation with some operands.
    fn read(inner: Op, operands: &[u32]) -> Result<Op, &'static str> {
        let mut words = vec![0, 1, 2, inner as u32];
        words.extend(operands);
        words[0] = (words.len() as u32) << 16 | Op::SpecConstantOp as u32;
        Facts::default().read(&words, &mut Ids::new())
    }

    #[test]
    fn operations_of_constants_have_ids_and_words() {
        assert_eq!(read(Op::IAdd, &[3, 4]), Ok(Op::SpecConstantOp));
        assert_eq!(read(Op::CompositeExtract, &[3, 0, 1]), Ok(Op::SpecConstantOp));
        assert_eq!(read(Op::IAdd, &[3]), Err("is malformed"));
        // One in another, a constant, what reads memory, and what has no result.
        assert_eq!(read(Op::SpecConstantOp, &[Op::IAdd as u32, 3, 4]), Err("is malformed"));
        assert_eq!(read(Op::SpecConstant, &[7]), Err("is malformed"));
        assert_eq!(read(Op::Load, &[3]), Err("is malformed"));
        assert_eq!(read(Op::Switch, &[3, 4, 0, 5]), Err("is malformed"));
    }
}
