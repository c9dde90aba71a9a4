//! Negations of floating-point numbers, which the driver loses across barriers, written otherwise.

use std::collections::HashMap;

const TYPE_FLOAT: u32 = 22;
const TYPE_VECTOR: u32 = 23;
const CONSTANT: u32 = 43;
const CONSTANT_COMPOSITE: u32 = 44;
const FUNCTION: u32 = 54;
const F_NEGATE: u32 = 127;
const F_MUL: u32 = 133;
const CONTROL_BARRIER: u32 = 224;
const PHI: u32 = 245;

/// Where the instructions begin.
const HEADER: usize = 5;

/// The words of a module in a file.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    let words = bytes.chunks_exact(4);
    words.map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])).collect()
}

pub fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
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

/// A module with barriers and negations, with each of these as a product with -1: the same number.
/// `None` if it does not have both.
pub fn as_products(module: &[u32]) -> Option<Vec<u32>> {
    if !has(module, CONTROL_BARRIER) || !has(module, F_NEGATE) {
        return None;
    }
    let mut bound = *module.get(3)?;
    let mut fresh = || {
        bound += 1;
        bound - 1
    };
    // -1 of each type that has one.
    let mut constants = Vec::new();
    let mut minus_one: HashMap<u32, u32> = HashMap::new();
    for (opcode, instruction) in instructions(module) {
        match (opcode, instruction) {
            (TYPE_FLOAT, &[_, ty, width, ..]) => {
                let value: &[u32] = match width {
                    16 => &[0xbc00],
                    32 => &[0xbf80_0000],
                    64 => &[0, 0xbff0_0000],
                    _ => continue,
                };
                let id = fresh();
                constants.extend([(3 + value.len() as u32) << 16 | CONSTANT, ty, id]);
                constants.extend(value);
                minus_one.insert(ty, id);
            }
            (TYPE_VECTOR, &[_, ty, component, count, ..]) => {
                let Some(&of) = minus_one.get(&component) else { continue };
                let id = fresh();
                constants.extend([(3 + count) << 16 | CONSTANT_COMPOSITE, ty, id]);
                constants.extend(std::iter::repeat_n(of, count as usize));
                minus_one.insert(ty, id);
            }
            _ => {}
        }
    }
    let mut out = module[..HEADER].to_vec();
    let mut constants = Some(constants);
    for (opcode, instruction) in instructions(module) {
        if opcode == FUNCTION {
            out.extend(constants.take().unwrap_or_default());
        }
        match (opcode, instruction) {
            (F_NEGATE, &[_, ty, result, operand]) => {
                out.extend([5 << 16 | F_MUL, ty, result, operand, *minus_one.get(&ty)?]);
            }
            _ => out.extend(instruction),
        }
    }
    out[3] = bound;
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negations_become_products_with_minus_one() {
        let header = [0x0723_0203, 0x1_0000, 0, 20, 0];
        let float = [3 << 16 | TYPE_FLOAT, 1, 32];
        let vector = [4 << 16 | TYPE_VECTOR, 2, 1, 2];
        let function = [2 << 16 | FUNCTION, 9];
        let barrier = [4 << 16 | CONTROL_BARRIER, 3, 3, 4];
        let negate = [4 << 16 | F_NEGATE, 2, 11, 10];
        let parts: [&[u32]; 5] = [&float, &vector, &function, &barrier, &negate];
        let module = [&header[..], &parts.concat()].concat();
        let header = [0x0723_0203, 0x1_0000, 0, 22, 0];
        let one = [4 << 16 | CONSTANT, 1, 20, 0xbf80_0000];
        let both = [5 << 16 | CONSTANT_COMPOSITE, 2, 21, 20, 20];
        let product = [5 << 16 | F_MUL, 2, 11, 10, 21];
        let parts: [&[u32]; 8] =
            [&header, &float, &vector, &one, &both, &function, &barrier, &product];
        assert_eq!(as_products(&module), Some(parts.concat()));
        assert_eq!(words(&bytes(&module)), module);
        assert!(!has_phi_and_barrier(&module));
        // Without a barrier nothing is lost.
        let parts: [&[u32]; 4] = [&header, &float, &function, &negate];
        assert_eq!(as_products(&parts.concat()), None);
    }
}
