//! Types in the words of OpenCL C, for messages.

use spirv::{Op, StorageClass};

use super::globals::Globals;
use crate::read::opcode;

/// Nesting that is shown.
const DEPTH: usize = 6;

/// The type with this final id.
pub(super) fn text(globals: &Globals<'_>, id: u32) -> String {
    match globals.final_definition(id) {
        Some(inst) => shown(globals, inst, DEPTH),
        None => "?".to_owned(),
    }
}

fn shown(globals: &Globals<'_>, inst: &[u32], depth: usize) -> String {
    if depth == 0 {
        return "…".to_owned();
    }
    let part = |index: usize| {
        let definition = inst.get(index).and_then(|&id| globals.definition(id));
        definition.map_or_else(|| "?".to_owned(), |inst| shown(globals, inst, depth - 1))
    };
    let word = |index: usize| inst.get(index).copied().unwrap_or(0);
    match Op::from_u32(opcode(inst)).unwrap_or(Op::Nop) {
        Op::TypeVoid => "void".to_owned(),
        Op::TypeBool => "bool".to_owned(),
        Op::TypeInt => match word(2) {
            8 => "char".to_owned(),
            16 => "short".to_owned(),
            64 => "long".to_owned(),
            _ => "int".to_owned(),
        },
        Op::TypeFloat => match word(2) {
            16 => "half".to_owned(),
            64 => "double".to_owned(),
            _ => "float".to_owned(),
        },
        Op::TypeVector => format!("{}{}", part(2), word(3)),
        Op::TypeArray => {
            let length = globals.definition(word(3)).and_then(|inst| inst.get(3).copied());
            match length {
                Some(length) => format!("{}[{length}]", part(2)),
                None => format!("{}[]", part(2)),
            }
        }
        Op::TypeStruct => match globals.struct_names.get(&inst[1]) {
            Some(name) => format!("struct {}", name.trim_start_matches("struct.")),
            None => {
                let fields: Vec<String> = (2..inst.len()).map(part).collect();
                format!("struct {{ {} }}", fields.join("; "))
            }
        },
        Op::TypePointer => {
            let space = match StorageClass::from_u32(word(2)) {
                Some(StorageClass::CrossWorkgroup) => "global ",
                Some(StorageClass::UniformConstant) => "constant ",
                Some(StorageClass::Workgroup) => "local ",
                Some(StorageClass::Generic) => "generic ",
                _ => "",
            };
            format!("{space}{}*", part(3))
        }
        Op::TypeFunction => {
            let parameters: Vec<String> = (3..inst.len()).map(part).collect();
            format!("{}({})", part(2), parameters.join(", "))
        }
        Op::TypeImage => "image".to_owned(),
        Op::TypeSampler => "sampler_t".to_owned(),
        Op::TypeEvent => "event_t".to_owned(),
        Op::TypeQueue => "queue_t".to_owned(),
        Op::TypeDeviceEvent => "clk_event_t".to_owned(),
        Op::TypeReserveId => "reserve_id_t".to_owned(),
        Op::TypePipe => "pipe".to_owned(),
        other => format!("{other:?}"),
    }
}
