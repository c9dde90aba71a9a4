//! Modules as text.

use rspirv::binary::Disassemble;
use spirv::Op;

use crate::read::ids::{Facts, Ids};
use crate::read::{HEADER_WORDS, Header, Instructions, op, string};

/// The text form of a module; of one that cannot be read, the reason as a comment.
pub fn disassemble(words: &[u32]) -> String {
    try_disassemble(words).unwrap_or_else(|reason| format!("; {reason}\n"))
}

/// As [`disassemble`]; of a module that cannot be read, the reason.
pub fn try_disassemble(words: &[u32]) -> Result<String, String> {
    check(words)?;
    // rspirv's loader does not know that OpExecutionModeId stands outside of functions, nor that
    // instructions of a reflection stand behind them, nor the set of these.
    let (words, reflection) = without_reflection(words);
    let (words, set, modes, tables) = without_strange_lines(words);
    match rspirv::dr::load_words(&words) {
        Ok(module) => {
            let mut text = module.disassemble();
            let after = |line: &str| text.rfind(line).map(|start| start + 1);
            let place = after("\nOpExecutionMode ").or_else(|| after("\nOpEntryPoint "));
            if let Some(start) = place {
                let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
                text.insert_str(end, &modes);
            }
            // Debug information that is in no function may name any type or constant.
            let functions = text.find(" = OpFunction ").and_then(|at| text[..at].rfind('\n'));
            match functions {
                Some(start) => text.insert_str(start, &tables),
                None => text.push_str(&tables),
            }
            if let Some(start) = text.find("OpMemoryModel") {
                text.insert_str(start, &set);
            }
            text.push('\n');
            text.push_str(&reflection);
            Ok(text)
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Whether the words follow the grammar; rspirv's loader reads past the end of some that do not.
fn check(words: &[u32]) -> Result<(), String> {
    if Header::read(words)?.is_swapped {
        return Err("its bytes are in the other order".to_owned());
    }
    let mut facts = Facts::default();
    let mut instructions = Instructions::of(words);
    let mut number = 0;
    for instruction in instructions.by_ref() {
        number += 1;
        facts
            .read(instruction, &mut Ids::new())
            .map_err(|reason| format!("its instruction {number} {reason}"))?;
    }
    if instructions.rest().is_empty() {
        return Ok(());
    }
    Err(format!("its instruction {} has a length that cannot be", number + 1))
}

/// The module without the instructions of sets behind its functions, and the lines of these.
fn without_reflection(words: &[u32]) -> (&[u32], String) {
    let mut at = HEADER_WORDS.min(words.len());
    let (mut end, mut lines) = (words.len(), String::new());
    for instruction in Instructions::of(words) {
        at += instruction.len();
        match instruction {
            [_, ty, id, set, number, operands @ ..]
                if op(instruction) == Some(Op::ExtInst) && end < words.len() =>
            {
                lines.push_str(&format!("%{id} = OpExtInst %{ty} %{set} {number}"));
                operands.iter().for_each(|operand| lines.push_str(&format!(" %{operand}")));
                lines.push('\n');
            }
            _ if op(instruction) == Some(Op::FunctionEnd) => {
                end = at;
                lines.clear();
            }
            _ if op(instruction) == Some(Op::Function) && lines.is_empty() => end = words.len(),
            // Something else than a reflection, for the loader to say.
            _ if end < words.len() => return (words, String::new()),
            _ => {}
        }
    }
    (&words[..end], lines)
}

/// The module without the set of a reflection, without OpExecutionModeId and without instructions of
/// sets before the functions, and the lines of these.
fn without_strange_lines(words: &[u32]) -> (Vec<u32>, String, String, String) {
    let mut kept = words.get(..HEADER_WORDS).unwrap_or(words).to_vec();
    let (mut sets, mut modes, mut tables) = (String::new(), String::new(), String::new());
    let mut is_in_function = false;
    let mut instructions = Instructions::of(words);
    for instruction in instructions.by_ref() {
        match instruction {
            [_, entry, mode, operands @ ..] if op(instruction) == Some(Op::ExecutionModeId) => {
                let mode = spirv::ExecutionMode::from_u32(*mode)
                    .map_or_else(|| mode.to_string(), |mode| format!("{mode:?}"));
                modes.push_str(&format!("\nOpExecutionModeId %{entry} {mode}"));
                operands.iter().for_each(|operand| modes.push_str(&format!(" %{operand}")));
            }
            [_, id, name @ ..] if op(instruction) == Some(Op::ExtInstImport) => {
                match string(name).filter(|(name, _)| name.starts_with("NonSemantic.")) {
                    Some((name, _)) => {
                        sets.push_str(&format!("%{id} = OpExtInstImport {name:?}\n"));
                    }
                    None => kept.extend_from_slice(instruction),
                }
            }
            [_, ty, id, set, number, operands @ ..]
                if op(instruction) == Some(Op::ExtInst) && !is_in_function =>
            {
                tables.push_str(&format!("\n%{id} = OpExtInst %{ty} %{set} {number}"));
                operands.iter().for_each(|operand| tables.push_str(&format!(" %{operand}")));
            }
            _ => {
                is_in_function |= op(instruction) == Some(Op::Function);
                kept.extend_from_slice(instruction);
            }
        }
    }
    // For the loader to complain about.
    kept.extend_from_slice(instructions.rest());
    (kept, sets, modes, tables)
}
