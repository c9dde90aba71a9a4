//! What instructions a module has.

const CONTROL_BARRIER: u32 = 224;
const PHI: u32 = 245;

/// Where the instructions begin.
const HEADER: usize = 5;

/// The words of a module in a file.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    let words = bytes.chunks_exact(4);
    words.map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])).collect()
}

/// Each instruction with its opcode.
fn instructions(words: &[u32]) -> impl Iterator<Item = (u32, &[u32])> {
    let mut rest = words.get(HEADER..).unwrap_or_default();
    std::iter::from_fn(move || {
        let first = *rest.first()?;
        let length = ((first >> 16) as usize).clamp(1, rest.len());
        let (instruction, behind) = rest.split_at(length);
        rest = behind;
        Some((first & 0xffff, instruction))
    })
}

/// Whether a module has an instruction.
pub fn has(words: &[u32], opcode: u32) -> bool {
    instructions(words).any(|(of, _)| of == opcode)
}

/// Whether a module has barriers and phis.
pub fn has_phi_and_barrier(words: &[u32]) -> bool {
    has(words, CONTROL_BARRIER) && has(words, PHI)
}
