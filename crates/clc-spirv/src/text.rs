//! Modules as text.

use rspirv::binary::Disassemble;
use rspirv::spirv::Op;

const HEADER_WORDS: usize = 5;

/// The text form of a module; of one that cannot be read, the reason.
pub fn disassemble(words: &[u32]) -> String {
    // rspirv's loader does not know that OpExecutionModeId stands outside of functions.
    let (words, modes) = without_mode_ids(words);
    match rspirv::dr::load_words(&words) {
        Ok(module) => {
            let mut text = module.disassemble();
            let after = |line: &str| text.rfind(line).map(|start| start + 1);
            let place = after("\nOpExecutionMode ").or_else(|| after("\nOpEntryPoint "));
            if let Some(start) = place {
                let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
                text.insert_str(end, &modes);
            }
            text.push('\n');
            text
        }
        Err(error) => format!("; {error}\n"),
    }
}

/// The module without OpExecutionModeId, and the lines of these.
fn without_mode_ids(words: &[u32]) -> (Vec<u32>, String) {
    let mut kept = words.get(..HEADER_WORDS).unwrap_or(words).to_vec();
    let mut lines = String::new();
    let mut rest = words.get(HEADER_WORDS..).unwrap_or_default();
    while let Some(&first) = rest.first() {
        let length = (first >> 16) as usize;
        let Some((instruction, after)) =
            rest.split_at_checked(length).filter(|(instruction, _)| !instruction.is_empty())
        else {
            // For the loader to complain about.
            kept.extend_from_slice(rest);
            break;
        };
        rest = after;
        match instruction {
            [_, entry, mode, operands @ ..] if first & 0xffff == Op::ExecutionModeId as u32 => {
                let mode = rspirv::spirv::ExecutionMode::from_u32(*mode)
                    .map_or_else(|| mode.to_string(), |mode| format!("{mode:?}"));
                lines.push_str(&format!("\nOpExecutionModeId %{entry} {mode}"));
                operands.iter().for_each(|operand| lines.push_str(&format!(" %{operand}")));
            }
            _ => kept.extend_from_slice(instruction),
        }
    }
    (kept, lines)
}
