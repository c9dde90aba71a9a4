//! In which loops values change.

use clc_base::Id as _;
use clc_ir::{Cfg, Dominators, Function, InstKind, Value};

/// By value: in how many loops it changes. What only computes changes where its operands do.
pub fn depths(function: &Function, cfg: &Cfg) -> Vec<u32> {
    let of_block = Dominators::new(cfg).loops_around(cfg);
    let mut depths = vec![0; function.values.len()];
    for &block in cfg.reverse_post_order() {
        let around = of_block[block.index()];
        for param in &function.blocks[block].params {
            depths[param.as_local().unwrap_or_default()] = around;
        }
        for &inst in &function.blocks[block].insts {
            let Some(result) = function.insts[inst].result.and_then(Value::as_local) else {
                continue;
            };
            depths[result] = if computes(function.insts[inst].kind) {
                let mut deepest = 0;
                function.each_operand(inst, |operand| {
                    let depth = operand.as_local().map_or(0, |index| depths[index]);
                    deepest = deepest.max(depth);
                });
                deepest
            } else {
                around
            };
        }
    }
    depths
}

/// Whether equal operands give equal results.
fn computes(kind: InstKind) -> bool {
    matches!(
        kind,
        InstKind::Binary { .. }
            | InstKind::Unary { .. }
            | InstKind::Compare { .. }
            | InstKind::Select { .. }
            | InstKind::Convert { .. }
            | InstKind::Extract { .. }
            | InstKind::Construct { .. }
            | InstKind::PtrAdd { .. }
            | InstKind::Access { .. }
    )
}
