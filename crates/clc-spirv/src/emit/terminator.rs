//! The ends of blocks.

use clc_base::arena::Id as _;
use clc_ir::{Block, LoopControl, Merge, Terminator};
use smallvec::SmallVec;
use spirv::Op;

use super::FunctionEmitter;

impl FunctionEmitter<'_, '_> {
    pub(super) fn terminator(&mut self, block: Block) {
        let function = self.function;
        let label = |emitter: &Self, block: Block| emitter.labels[block.index()];
        match &function.blocks[block].terminator {
            // The verifier rejects blocks without an end.
            Terminator::None | Terminator::Unreachable => self.op_void(Op::Unreachable, &[]),
            Terminator::Jump(target) => {
                self.merge(block);
                let target = label(self, target.block);
                self.op_void(Op::Branch, &[target]);
            }
            // The labels of a conditional branch differ (from SPIR-V 1.6 on).
            Terminator::Branch { condition: _, then, otherwise }
                if then.block == otherwise.block =>
            {
                self.merge(block);
                let target = label(self, then.block);
                self.op_void(Op::Branch, &[target]);
            }
            Terminator::Branch { condition, then, otherwise } => {
                let condition = self.operand(*condition);
                self.merge(block);
                let then = label(self, then.block);
                let otherwise = label(self, otherwise.block);
                self.op_void(Op::BranchConditional, &[condition, then, otherwise]);
            }
            Terminator::Switch { selector, default, cases } => {
                self.merge(block);
                let bits = self.module.types.scalar_bits(self.ty(*selector));
                let selector = self.operand(*selector);
                let default = label(self, default.block);
                let start = self.module.code.begin(Op::Switch);
                self.module.code.words.extend_from_slice(&[selector, default]);
                for case in cases {
                    self.module.code.push(case.value as u32);
                    if bits == Some(64) {
                        self.module.code.push((case.value >> 32) as u32);
                    }
                    let target = label(self, case.target.block);
                    self.module.code.push(target);
                }
                self.module.code.end(start);
            }
            Terminator::Return(None) => self.op_void(Op::Return, &[]),
            Terminator::Return(Some(value)) => {
                let value = self.operand(*value);
                self.op_void(Op::ReturnValue, &[value]);
            }
        }
    }

    /// The merge instruction of a structured construct's header; elsewhere, what the source
    /// wishes of a loop.
    fn merge(&mut self, block: Block) {
        match self.function.blocks[block].merge {
            None => self.loop_merge(block),
            Some(Merge::Selection { merge }) => {
                let merge = self.labels[merge.index()];
                self.op_void(Op::SelectionMerge, &[merge, spirv::SelectionControl::NONE.bits()]);
            }
            Some(Merge::Loop { merge, continue_target }) => {
                let mut operands: SmallVec<[u32; 4]> = SmallVec::new();
                operands.push(self.labels[merge.index()]);
                operands.push(self.labels[continue_target.index()]);
                match self.function.loop_hints.get(&block) {
                    Some(hint) => self.loop_control(hint.control, &mut operands),
                    None => operands.push(spirv::LoopControl::NONE.bits()),
                }
                self.op_void(Op::LoopMerge, &operands);
            }
        }
    }

    fn loop_control(&self, control: LoopControl, operands: &mut SmallVec<[u32; 4]>) {
        match control {
            LoopControl::Unroll => operands.push(spirv::LoopControl::UNROLL.bits()),
            LoopControl::DontUnroll => operands.push(spirv::LoopControl::DONT_UNROLL.bits()),
            LoopControl::UnrollCount(1) => operands.push(spirv::LoopControl::DONT_UNROLL.bits()),
            LoopControl::UnrollCount(count) if self.module.version_at_least(1, 4) => {
                operands.push(spirv::LoopControl::PARTIAL_COUNT.bits());
                operands.push(count);
            }
            LoopControl::UnrollCount(_) => operands.push(spirv::LoopControl::UNROLL.bits()),
        }
    }

    /// OpLoopMerge, which carries the source's wishes about a loop. It goes before the branch of
    /// the header; where optimisation has changed the loop so that its continue block is gone, the
    /// wish is dropped. For a merge block that is gone or another loop's, too, stands one that no
    /// jump leads to.
    fn loop_merge(&mut self, header: Block) {
        let function = self.function;
        let Some(hint) = function.loop_hints.get(&header) else { return };
        let (merge, mut continue_target) = (hint.merge, hint.continue_target);
        match self.latches.get(&header) {
            // No loop is left.
            None => return,
            // The continue block has become part of the block before it.
            Some(Some(latch)) if continue_target == header => continue_target = *latch,
            Some(_) => {}
        }
        let exists = |block: Block| self.labels.get(block.index()).is_some_and(|&label| label != 0);
        if !exists(continue_target) {
            return;
        }
        let is_own = merge != header
            && merge != continue_target
            && exists(merge)
            && self.merge_blocks.insert(merge);
        let merge = if is_own {
            self.labels[merge.index()]
        } else {
            let label = self.module.fresh_id();
            self.made_merges.push(label);
            label
        };
        let mut operands: SmallVec<[u32; 4]> = SmallVec::new();
        operands.push(merge);
        operands.push(self.labels[continue_target.index()]);
        self.loop_control(hint.control, &mut operands);
        self.op_void(Op::LoopMerge, &operands);
    }
}
