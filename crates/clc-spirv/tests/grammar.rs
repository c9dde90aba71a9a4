//! `src/read/grammar.rs` says what rspirv's grammar, which is generated from Khronos', says; `BLESS=1` writes it anew.

use std::fmt::Write as _;
use std::path::Path;

use rspirv::grammar::{
    INSTRUCTION_TABLE, LogicalOperand, OperandKind, OperandQuantifier, ext_inst_table,
};

/// The sets that rspirv knows.
const SETS: [&str; 15] = [
    "Arm.MotionEngine.100",
    "DebugInfo",
    "GLSL.std.450",
    "NonSemantic.ClspvReflection",
    "NonSemantic.DebugBreak",
    "NonSemantic.DebugPrintf",
    "NonSemantic.Shader.DebugInfo.100",
    "NonSemantic.VkspReflection",
    "OpenCL.DebugInfo.100",
    "OpenCL.std",
    "SPV_AMD_gcn_shader",
    "SPV_AMD_shader_ballot",
    "SPV_AMD_shader_explicit_vertex_parameter",
    "SPV_AMD_shader_trinary_minmax",
    "TOSA.001000.1",
];

const HEAD: &str = "\
//! The operands of each instruction, from Khronos' grammar; `tests/grammar.rs` writes this file.
//!
//! A letter is an operand, `?` behind it one that may be missing, `*` any number of them.
//!
//! | letter | operand |
//! |---|---|
//! | `T`, `R`, `I` | the id of the result's type, of the result, another one |
//! | `W` | one word that is no id, or an enumerant without parameters |
//! | `S` | a literal string |
//! | `.` | the words that are left, of which none is an id |
//! | `P`, `L`, `K` | two ids; an id and a literal; a literal of the first operand's type and an id |
//! | `G`, `M` | image operands; memory operands |
//! | `O` | an operation and its operands |

";

#[test]
fn the_grammar_is_that_of_khronos() {
    let mut text = String::from(HEAD);
    text.push_str("/// By opcode, in order.\n#[rustfmt::skip]\npub(super) static INSTRUCTIONS: &[(u16, &str)] = &[\n");
    let mut rows: Vec<(u32, String)> = INSTRUCTION_TABLE
        .iter()
        .map(|instruction| (instruction.opcode as u32, letters(instruction.operands)))
        .collect();
    in_order(&mut rows);
    write_rows(&mut text, "    ", &rows);
    text.push_str("];\n\n/// By set, and in that by number, in order.\n#[rustfmt::skip]\npub(super) static SETS: &[(&str, &[(u16, &str)])] = &[\n");
    for set in SETS {
        let table = ext_inst_table(set).unwrap_or_else(|| panic!("rspirv does not know {set}"));
        let mut rows: Vec<(u32, String)> = table
            .iter()
            .map(|instruction| (instruction.opcode.into(), letters(instruction.operands)))
            .collect();
        in_order(&mut rows);
        let _ = writeln!(text, "    ({set:?}, &[");
        write_rows(&mut text, "        ", &rows);
        text.push_str("    ]),\n");
    }
    text.push_str("];\n");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/read/grammar.rs");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(written == text, "BLESS=1 writes {} anew", path.display());
}

/// Some have two names, and one meaning.
fn in_order(rows: &mut Vec<(u32, String)>) {
    rows.sort();
    rows.dedup();
    assert!(rows.is_sorted_by(|a, b| a.0 < b.0), "two instructions of one number");
}

/// Several rows to a line.
fn write_rows(text: &mut String, indent: &str, rows: &[(u32, String)]) {
    let mut line = String::from(indent);
    for (opcode, letters) in rows {
        let row = format!("({opcode}, {letters:?}),");
        if line.len() + row.len() > 98 {
            let _ = writeln!(text, "{}", line.trim_end());
            line = String::from(indent);
        }
        line.push_str(&row);
        line.push(' ');
    }
    let _ = writeln!(text, "{}", line.trim_end());
}

fn letters(operands: &[LogicalOperand]) -> String {
    let mut text = String::new();
    for operand in operands {
        text.push(match operand.kind {
            OperandKind::IdResultType => 'T',
            OperandKind::IdResult => 'R',
            OperandKind::IdRef | OperandKind::IdScope | OperandKind::IdMemorySemantics => 'I',
            OperandKind::LiteralString => 'S',
            // What is left are the literal's words, or the enumerant's literal parameters.
            OperandKind::LiteralContextDependentNumber
            | OperandKind::Decoration
            | OperandKind::ExecutionMode
            | OperandKind::LoopControl => '.',
            OperandKind::PairIdRefIdRef => 'P',
            OperandKind::PairIdRefLiteralInteger => 'L',
            OperandKind::PairLiteralIntegerIdRef => 'K',
            OperandKind::ImageOperands => 'G',
            OperandKind::MemoryAccess => 'M',
            OperandKind::LiteralSpecConstantOpInteger => 'O',
            _ => 'W',
        });
        match operand.quantifier {
            OperandQuantifier::One => {}
            OperandQuantifier::ZeroOrOne => text.push('?'),
            OperandQuantifier::ZeroOrMore => text.push('*'),
        }
    }
    text
}
