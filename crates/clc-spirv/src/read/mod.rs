//! The words of a SPIR-V module as instructions: the one reader that linking, disassembly and
//! validation share. Where instructions begin and end is found here; which of their words are ids, in
//! [`ids`], by [`grammar`].
//!
//! Any words can be read. `Instructions` ends where the words are no instruction any more, and says
//! by `Instructions::rest` what is left.

mod grammar;
pub(crate) mod ids;
#[cfg(any(test, feature = "text", feature = "validate"))]
mod instructions;

use std::ops::Range;

use spirv::Op;

#[cfg(any(test, feature = "text", feature = "validate"))]
pub(crate) use instructions::Instructions;

/// Words before the first instruction.
pub(crate) const HEADER_WORDS: usize = 5;

/// What a module says of itself before its first instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// `0x0001_0400` is 1.4.
    pub version: u32,
    /// All ids are less.
    pub bound: u32,
    /// The bytes of all words are in the other order.
    pub is_swapped: bool,
}

impl Header {
    /// The header of a module; of what is none, the reason.
    pub fn read(words: &[u32]) -> Result<Header, &'static str> {
        let Some(&[magic, version, _, bound, _]) = words.first_chunk::<HEADER_WORDS>() else {
            return Err("it is too short");
        };
        if magic == spirv::MAGIC_NUMBER {
            return Ok(Header { version, bound, is_swapped: false });
        }
        if magic == spirv::MAGIC_NUMBER.swap_bytes() {
            let (version, bound) = (version.swap_bytes(), bound.swap_bytes());
            return Ok(Header { version, bound, is_swapped: true });
        }
        Err("it does not begin as a SPIR-V module does")
    }
}

/// The place of the instruction that begins at `at`; `None` at the end, and where the length is zero
/// or more than there is.
pub(crate) fn place(words: &[u32], at: usize) -> Option<Range<usize>> {
    let length = (words.get(at)? >> 16) as usize;
    let end = at + length;
    (length > 0 && end <= words.len()).then_some(at..end)
}

/// The opcode of an instruction, known or not; what has no words is none.
pub(crate) fn opcode(instruction: &[u32]) -> u32 {
    instruction.first().map_or(Op::Nop as u32, |first| first & 0xffff)
}

/// The operation of an instruction, if it is known.
pub(crate) fn op(instruction: &[u32]) -> Option<Op> {
    Op::from_u32(opcode(instruction))
}

/// Whether an instruction is of an operation: less work than [`op`].
#[cfg(feature = "validate")]
pub(crate) fn is(instruction: &[u32], op: Op) -> bool {
    opcode(instruction) == op as u32
}

/// Whether a literal string ends in this word.
pub(crate) fn has_zero_byte(word: u32) -> bool {
    word.to_le_bytes().contains(&0)
}

/// The literal string at the start of `words`, and how many words it takes. `None` if it has no end.
pub(crate) fn string(words: &[u32]) -> Option<(String, usize)> {
    let length = words.iter().position(|&word| has_zero_byte(word))? + 1;
    let bytes: Vec<u8> = words[..length].iter().flat_map(|word| word.to_le_bytes()).collect();
    let end = bytes.iter().position(|&byte| byte == 0)?;
    Some((String::from_utf8_lossy(&bytes[..end]).into_owned(), length))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: [u32; 12] = [
        spirv::MAGIC_NUMBER,
        0x0001_0000,
        0,
        3,
        0,
        2 << 16 | Op::Capability as u32,
        6,
        3 << 16 | Op::MemoryModel as u32,
        2,
        2,
        2 << 16 | Op::TypeVoid as u32,
        1,
    ];

    #[test]
    fn instructions_have_all_their_words() {
        let mut instructions = Instructions::of(&MODULE);
        let ops: Vec<Option<Op>> = instructions.by_ref().map(op).collect();
        assert_eq!(ops, [Some(Op::Capability), Some(Op::MemoryModel), Some(Op::TypeVoid)]);
        assert!(instructions.rest().is_empty());
        let header = Header { version: 0x0001_0000, bound: 3, is_swapped: false };
        assert_eq!(Header::read(&MODULE), Ok(header));
        let swapped: Vec<u32> = MODULE.iter().map(|word| word.swap_bytes()).collect();
        assert_eq!(Header::read(&swapped), Ok(Header { is_swapped: true, ..header }));
    }

    #[test]
    fn words_that_are_no_instruction_end_the_module() {
        for length in 0..MODULE.len() {
            let mut instructions = Instructions::of(&MODULE[..length]);
            let read: usize = instructions.by_ref().map(<[u32]>::len).sum();
            assert_eq!(read + instructions.rest().len(), length.saturating_sub(HEADER_WORDS));
            assert_eq!(Header::read(&MODULE[..length]).is_ok(), length >= HEADER_WORDS);
        }
        for wrong in [Op::MemoryModel as u32, 9 << 16, u32::MAX, 0] {
            let mut words = MODULE;
            words[7] = wrong;
            let mut instructions = Instructions::of(&words);
            assert_eq!(instructions.by_ref().count(), 1);
            assert_eq!(instructions.rest(), &words[7..]);
        }
    }

    #[test]
    fn strings_without_an_end_are_none() {
        assert_eq!(string(&[0x0064_6263, 7]), Some(("cbd".to_owned(), 1)));
        assert_eq!(string(&[0x6464_6263, 0]), Some(("cbdd".to_owned(), 2)));
        assert_eq!(string(&[0x6464_6263]), None);
        assert_eq!(string(&[]), None);
    }
}
