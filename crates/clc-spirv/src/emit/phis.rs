//! Block parameters as OpPhi.
//!
//! A phi is the only instruction whose operands may be defined after it (in the order of
//! emission), so phis are written with room for their operands, which are filled in at the end of
//! the function.

use clc_base::arena::Id as _;
use clc_ir::{Block, Value};
use spirv::Op;

use super::FunctionEmitter;

/// A phi operand that is not known yet.
pub(super) struct Patch {
    /// Index into the words of the code section.
    at: usize,
    value: Value,
}

impl FunctionEmitter<'_, '_> {
    /// Writes the phis of a block that is not the entry.
    pub(super) fn phis(&mut self, block: Block) {
        let function = self.function;
        let params = &function.blocks[block].params;
        if params.is_empty() {
            return;
        }
        for (index, &param) in params.iter().enumerate() {
            let ty = self.module.value_type_id(self.ty(param));
            let id = self.module.fresh_id();
            self.value_ids[param.as_local().unwrap_or_default()] = id;
            self.name_value(param, id);
            let start = self.module.code.begin(Op::Phi);
            self.module.code.words.extend_from_slice(&[ty, id]);
            for &(predecessor, arguments) in &self.incoming[block.index()] {
                self.patches.push(Patch {
                    at: self.module.code.words.len(),
                    value: function.value_at(arguments, index),
                });
                let label = self.labels[predecessor.index()];
                self.module.code.words.extend_from_slice(&[0, label]);
            }
            self.module.code.end(start);
        }
    }

    /// Fills the operands in; every value of the function has its id by now.
    pub(super) fn patch_phis(&mut self) {
        let patches = std::mem::take(&mut self.patches);
        for Patch { at, value } in &patches {
            let id = self.operand(*value);
            // Nothing is there if the phi was too long to be written.
            if let Some(word) = self.module.code.words.get_mut(*at) {
                *word = id;
            }
        }
    }
}
