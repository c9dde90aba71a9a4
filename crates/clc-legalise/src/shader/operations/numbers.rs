//! Which floats are known not to be NaN.
//!
//! A float is a number by what it is computed from, or because it is so in the first turn of a loop and each turn keeps it so:
//! `fmax` of a number and of anything is one, so that the greatest of what a loop has seen never is NaN.

use std::cell::OnceCell;

use clc_builtins::Intrinsic;
use clc_ir::{
    Block, Cfg, CompareOp, Const, ConstPool, ConvertOp, Function, Inst, InstKind, MathFlags,
    TypePool, UnaryOp, Value, ValueDef,
};

use super::formats::Format;

/// Values that are looked at for one question.
const MAX_LOOKS: u32 = 32;

/// The numbers among the floats of a function.
pub(super) struct Numbers<'a> {
    function: &'a Function,
    cfg: OnceCell<Cfg>,
}

impl<'a> Numbers<'a> {
    pub fn new(function: &'a Function) -> Numbers<'a> {
        Numbers { function, cfg: OnceCell::new() }
    }

    /// Whether an operand of an instruction, or each component of it, is known not to be NaN, which the instruction itself may
    /// say.
    pub fn contains(
        &self,
        types: &TypePool,
        consts: &ConstPool,
        inst: Inst,
        operand: Value,
    ) -> bool {
        let taken_for_granted = Vec::new();
        self.function.insts[inst].math.has(MathFlags::NOT_NAN)
            || Search { numbers: self, types, consts, taken_for_granted, looks: MAX_LOOKS }
                .is_number(operand)
    }
}

struct Search<'a> {
    numbers: &'a Numbers<'a>,
    types: &'a TypePool,
    consts: &'a ConstPool,
    /// Parameters of blocks that are numbers if none of these ever becomes NaN first.
    taken_for_granted: Vec<Value>,
    looks: u32,
}

impl Search<'_> {
    fn is_number(&mut self, value: Value) -> bool {
        if value.is_const() {
            return self.is_constant(value);
        }
        let Some(looks) = self.looks.checked_sub(1) else { return false };
        self.looks = looks;
        if self.taken_for_granted.contains(&value) {
            return true;
        }
        let granted = self.taken_for_granted.len();
        let found = match self.numbers.function.def(value) {
            Some(ValueDef::Param(block, index)) => self.is_kept(value, block, index as usize),
            Some(ValueDef::Inst(inst)) => self.is_computed_so(inst),
            None => false,
        };
        // What was found on the way may rest on what turned out to be wrong.
        if !found {
            self.taken_for_granted.truncate(granted);
        }
        found
    }

    fn is_constant(&self, value: Value) -> bool {
        value.as_const().is_some_and(|id| match self.consts.get(id) {
            &Const::Float(ty, bits) => {
                let format = Format::of_width(self.types.scalar_bits(ty).unwrap_or(32));
                bits & format.magnitude_mask() <= format.infinity()
            }
            Const::Null(_) => true,
            Const::Composite(_, parts) => parts.iter().all(|&part| self.is_constant(part)),
            _ => false,
        })
    }

    /// Whether a parameter of a block is a number by whatever edge control comes.
    fn is_kept(&mut self, value: Value, block: Block, index: usize) -> bool {
        let function = self.numbers.function;
        if block == function.entry() {
            return false;
        }
        self.taken_for_granted.push(value);
        let cfg = self.numbers.cfg.get_or_init(|| Cfg::new(function));
        cfg.predecessors(block).all(|from| {
            let targets = function.blocks[from].terminator.targets();
            targets
                .filter(|target| target.block == block)
                .all(|target| self.is_number(function.value_at(target.arguments, index)))
        })
    }

    fn is_computed_so(&mut self, inst: Inst) -> bool {
        use Intrinsic as I;
        let function = self.numbers.function;
        let data = &function.insts[inst];
        if data.math.has(MathFlags::NOT_NAN) {
            return true;
        }
        match data.kind {
            InstKind::Convert { op: ConvertOp::SToF | ConvertOp::UToF, .. } => true,
            InstKind::Convert { op: ConvertOp::FToF, operand, .. }
            | InstKind::Unary { op: UnaryOp::FNeg, operand } => self.is_number(operand),
            InstKind::Select { condition, then, otherwise } => {
                self.is_number(otherwise)
                    && (self.is_number(then) || is_compared(function, condition, then))
            }
            InstKind::Intrinsic { intrinsic, arguments } => {
                let mut arguments = function.values_of(arguments);
                match intrinsic {
                    I::Fmin | I::Fmax => arguments.any(|value| self.is_number(value)),
                    I::FMinCommon | I::FMaxCommon | I::FClamp => {
                        arguments.all(|value| self.is_number(value))
                    }
                    I::Fabs | I::Floor | I::Ceil | I::Trunc | I::Rint | I::Round => {
                        arguments.all(|value| self.is_number(value))
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }
}

/// Whether a condition holds only if a value is a number.
fn is_compared(function: &Function, condition: Value, value: Value) -> bool {
    use CompareOp as C;
    let Some((_, data)) = function.def_inst(condition) else { return false };
    match data.kind {
        InstKind::Compare { op, left, right } => {
            let is_ordered =
                matches!(op, C::FLess | C::FLessEqual | C::FGreater | C::FGreaterEqual | C::FEqual);
            is_ordered && (left == value || right == value)
        }
        _ => false,
    }
}
