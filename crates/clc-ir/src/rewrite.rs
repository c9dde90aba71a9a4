//! Replacing instructions by others.

use crate::{Block, Builder, ConstPool, Function, Inst, InstKind, Terminator, TypePool, Value};

/// What becomes of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// It stays.
    Keep,
    /// Its result is this value.
    Value(Value),
    /// It has no result, and what does its work has been appended.
    Done,
}

/// Calls `expand` for each instruction that `is_candidate` names, in the order of the layout, with a
/// builder that appends before it: to the block of the instruction, or to the last of the blocks that
/// `expand` has made, where what follows the instruction goes too. Instructions that are appended are
/// not visited.
///
/// Linear in the size of the function; blocks without candidates are left as they are.
pub fn expand(
    types: &mut TypePool,
    consts: &mut ConstPool,
    function: &mut Function,
    is_candidate: impl Fn(&InstKind) -> bool,
    mut expand: impl FnMut(&mut Builder<'_>, Inst) -> Expansion,
) {
    // By local value: what replaces it.
    let mut replacements: Vec<Option<Value>> = vec![None; function.values.len()];
    let mut changed = false;
    for index in 0..function.layout.len() {
        let block = function.layout[index];
        let insts = &function.blocks[block].insts;
        if !insts.iter().any(|&inst| is_candidate(&function.insts[inst].kind)) {
            continue;
        }
        changed = true;
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let terminator = std::mem::take(&mut function.blocks[block].terminator);
        let mut builder = Builder::new(types, consts, function, block);
        for inst in insts {
            let data = builder.function.insts[inst];
            let expansion = if is_candidate(&data.kind) {
                builder.location = data.location;
                builder.math = data.math;
                let start = (builder.block(), builder.function.blocks[builder.block()].insts.len());
                let expansion = expand(&mut builder, inst);
                note_replaced(builder.function, inst, start);
                expansion
            } else {
                Expansion::Keep
            };
            match expansion {
                Expansion::Keep => {
                    // Variables stay in the entry, wherever that ends now.
                    let block = match data.kind {
                        InstKind::Variable { .. } => builder.function.entry(),
                        _ => builder.block(),
                    };
                    builder.function.blocks[block].insts.push(inst);
                }
                Expansion::Value(value) => {
                    let result = data.result.and_then(Value::as_local);
                    if let Some(slot) = result.and_then(|result| replacements.get_mut(result)) {
                        *slot = Some(value);
                    }
                }
                Expansion::Done => {}
            }
        }
        let end = builder.block();
        close(function, block, end, terminator);
    }
    if changed {
        function.map_all_operands(|value| {
            let mut value = value;
            while let Some(&Some(new)) = value.as_local().and_then(|local| replacements.get(local))
            {
                value = new;
            }
            value
        });
    }
}

/// Tells debug information that the instructions from `start` on do the work of `inst`.
pub fn note_replaced(function: &mut Function, inst: Inst, (block, count): (Block, usize)) {
    if let Some(debug) = &mut function.debug
        && let Some(&first) = function.blocks[block].insts.get(count)
        && first != inst
    {
        debug.replace(inst, first);
    }
}

/// Ends what was `block` in the block where its expansions ended.
fn close(function: &mut Function, block: Block, end: Block, terminator: Terminator) {
    let location = function.blocks[block].location;
    function.blocks[end].terminator = terminator;
    function.blocks[end].location = location;
    if end == block {
        return;
    }
    if let Some(debug) = &mut function.debug {
        debug.move_end(block, end);
    }
    // A hint for a loop names the block that jumps back, or else the header, which still begins
    // where it did.
    for (&header, hint) in &mut function.loop_hints {
        if hint.continue_target == block && header != block {
            hint.continue_target = end;
        }
    }
}
