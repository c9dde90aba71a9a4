//! Instructions as words.

use spirv::Op;

/// A result id of the module; 0 is none.
pub(crate) type Id = u32;

/// The most words an instruction may have (SPIR-V 2.3: the length is 16 bits wide).
const MAX_WORDS: usize = 0xffff;

/// A run of instructions: one section of a module.
#[derive(Debug, Default)]
pub(crate) struct Words {
    pub words: Vec<u32>,
    /// The first instruction that did not fit the length field.
    pub too_long: Option<Op>,
}

impl Words {
    pub fn with_capacity(words: usize) -> Words {
        Words { words: Vec::with_capacity(words), too_long: None }
    }

    /// Appends a whole instruction.
    pub fn op(&mut self, op: Op, operands: &[u32]) {
        let start = self.begin(op);
        self.words.extend_from_slice(operands);
        self.end(start);
    }

    /// Appends `op result_type result operands`.
    pub fn op_result(&mut self, op: Op, ty: Id, result: Id, operands: &[u32]) {
        let start = self.begin(op);
        self.words.extend_from_slice(&[ty, result]);
        self.words.extend_from_slice(operands);
        self.end(start);
    }

    /// Begins an instruction whose operands are pushed one by one; [`Words::end`] takes what this
    /// returns.
    pub fn begin(&mut self, op: Op) -> usize {
        let start = self.words.len();
        self.words.push(op as u32);
        start
    }

    pub fn push(&mut self, word: u32) {
        self.words.push(word);
    }

    /// Appends a literal string: UTF-8, terminated and padded by NUL.
    pub fn string(&mut self, text: &str) {
        let mut chunks = text.as_bytes().chunks_exact(4);
        for chunk in &mut chunks {
            self.words.push(u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]));
        }
        let mut last = [0; 4];
        last[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
        self.words.push(u32::from_le_bytes(last));
    }

    pub fn end(&mut self, start: usize) {
        let length = self.words.len() - start;
        if length > MAX_WORDS {
            self.too_long.get_or_insert(Op::from_u32(self.words[start]).unwrap_or(Op::Nop));
            self.words.truncate(start);
            return;
        }
        self.words[start] |= (length as u32) << 16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_end_in_a_nul() {
        for (text, words) in [("", 1), ("abc", 1), ("abcd", 2), ("abcde", 2)] {
            let mut section = Words::default();
            section.string(text);
            assert_eq!(section.words.len(), words, "{text}");
            let bytes: Vec<u8> = section.words.iter().flat_map(|word| word.to_le_bytes()).collect();
            assert_eq!(&bytes[..text.len()], text.as_bytes());
            assert!(bytes[text.len()..].iter().all(|&byte| byte == 0));
        }
    }

    #[test]
    fn an_instruction_that_is_too_long_is_left_out_and_reported() {
        let mut section = Words::default();
        section.op(Op::ConstantComposite, &vec![1; 70_000]);
        assert_eq!(section.too_long, Some(Op::ConstantComposite));
        assert!(section.words.is_empty());
    }
}
