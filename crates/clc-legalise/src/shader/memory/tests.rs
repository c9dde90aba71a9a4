//! Text in, text out: `tests/memory/*.ir` holds a module, a line `;;; after`, and what the pass
//! makes of it. `BLESS=1` rewrites what comes after; read the difference before committing it.
//!
//! Lines at the head say what only the host knows: `; data g0 in g1 at 16` puts the variable `g0` at
//! 16 bytes after the address in `g1`; `; local g2 f32 5` makes `g2` an argument whose number of
//! elements is the specialization constant 5.

mod random;

use clc_ir::{GlobalId, Module, StorageClass, Type, TypePool, ValueDef};

use super::super::{LocalArgument, Placed, Places};
use crate::Environment;

const VULKAN: Environment = Environment::Vulkan { major: 1, minor: 3 };

fn text(module: &Module) -> String {
    let mut out = String::new();
    clc_ir::print::module(module, &mut out);
    out
}

fn global(word: &str) -> GlobalId {
    GlobalId(word.trim_start_matches('g').parse().expect("a global"))
}

fn element(types: &mut TypePool, word: &str) -> Type {
    if let Some((scalar, lanes)) = word.split_once('x') {
        let scalar = element(types, scalar);
        return types.vector(scalar, lanes.parse().expect("a number of components"));
    }
    match word {
        "i8" => TypePool::I8,
        "i16" => TypePool::I16,
        "i32" => TypePool::I32,
        "i64" => TypePool::I64,
        "f32" => TypePool::F32,
        other => panic!("unknown element type {other}"),
    }
}

fn places(types: &mut TypePool, input: &str) -> Places {
    let mut places = Places::default();
    for line in input.lines().filter_map(|line| line.strip_prefix("; ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["data", variable, "in", base, "at", offset] => places.program_data.push(Placed {
                global: global(variable),
                base: global(base),
                offset: offset.parse().expect("an offset"),
            }),
            ["local", variable, ty, constant] => places.local_arguments.push(LocalArgument {
                global: global(variable),
                element: element(types, ty),
                constant: constant.parse().expect("a number"),
            }),
            _ => {}
        }
    }
    places
}

/// What must not be left: pointers anywhere but in the operands of accesses, and of variables as arguments.
fn check_pointers(module: &Module) -> Result<(), String> {
    use clc_ir::InstKind;
    let is_pointer = |ty| module.types.is_pointer(ty);
    let is_passed = |ty| {
        let class = module.types.pointer_parts(ty).map(|(_, class)| class);
        class.is_none_or(|class| class == StorageClass::Function)
    };
    for function in module.functions.values() {
        let name = &function.name;
        if !function.params.iter().all(|&ty| is_passed(ty)) || is_pointer(function.result) {
            return Err(format!("the signature of {name} has pointers"));
        }
        for &block in &function.layout {
            let data = &function.blocks[block];
            for &param in data.params.iter().filter(|_| block != function.entry()) {
                if is_pointer(module.value_type(function, param)) {
                    return Err(format!("{param} of {name} is a pointer"));
                }
            }
            let mut pending = None;
            for &inst in &data.insts {
                let kind = function.insts[inst].kind;
                let mut operands = Vec::new();
                function.each_operand(inst, |value| operands.push(value));
                let is_access = matches!(
                    kind,
                    InstKind::Load { .. }
                        | InstKind::Store { .. }
                        | InstKind::Access { .. }
                        | InstKind::AtomicLoad { .. }
                        | InstKind::AtomicStore { .. }
                        | InstKind::AtomicModify { .. }
                        | InstKind::AtomicCompareExchange { .. }
                        | InstKind::Intrinsic { .. }
                );
                for (index, &value) in operands.iter().enumerate() {
                    let pointer = is_pointer(module.value_type(function, value));
                    let is_variable = match function.def(value) {
                        Some(ValueDef::Param(..)) => true,
                        Some(ValueDef::Inst(inst)) => {
                            matches!(function.insts[inst].kind, InstKind::Variable { .. })
                        }
                        None => false,
                    };
                    let is_passed = matches!(kind, InstKind::Call { .. }) && is_variable;
                    if pointer && !is_passed && (index > 0 || !is_access) {
                        return Err(format!("{value} of {name} is used as a value"));
                    }
                }
                if let Some(pointer) = pending.take()
                    && operands.first() != Some(&pointer)
                {
                    return Err(format!("{pointer} of {name} is not accessed at once"));
                }
                let result = function.insts[inst].result;
                if let Some(result) = result
                    && is_pointer(module.value_type(function, result))
                    && !matches!(kind, InstKind::Variable { .. })
                {
                    pending = Some(result);
                }
            }
        }
    }
    Ok(())
}

fn run(input: &str) -> Result<String, String> {
    let mut module = clc_ir::parse::module(input).map_err(|error| error.to_string())?;
    clc_ir::verify::module(&module).map_err(|error| format!("before: {error}"))?;
    let places = places(&mut module.types, input);
    let mut found = match super::run(&mut module, &places, VULKAN) {
        Ok(lengths) => lengths.iter().map(|(id, length)| format!("; {id}: {length:?}\n")).collect(),
        Err(errors) => {
            let messages = errors.iter().map(|error| format!("; {}\n", error.message));
            messages.collect::<String>()
        }
    };
    found += &text(&module);
    clc_ir::verify::module(&module).map_err(|error| format!("after: {error}\n{found}"))?;
    check_pointers(&module).map_err(|error| format!("{error}\n{found}"))?;
    clc_ir::parse::module(&found).map_err(|error| format!("{error}\n{found}"))?;
    Ok(found)
}

#[test]
fn suite() {
    clc_golden::after("tests/memory", "ir", run);
}
