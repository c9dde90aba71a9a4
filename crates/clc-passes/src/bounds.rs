//! The largest numbers that integers can be, read without signs.

use clc_builtins::Intrinsic;
use clc_ir::{BinaryOp, Cfg, ConvertOp, Dominators, Function, InstKind, TypeKind, Value};
use rustc_hash::FxHashMap;

use crate::context::ModuleContext;
use crate::counted;
use crate::fold::Folder;

/// More work-items than a work-group has on any device: the largest so far have several thousand.
const MAX_IN_GROUP: u64 = 1 << 20;

/// Operations, one on the result of another, that are looked at.
const MAX_STEPS: u32 = 8;

/// The largest numbers in a function.
pub(crate) struct Bounds {
    /// Of what loops count whose turns are known.
    counted: FxHashMap<Value, u64>,
}

impl Bounds {
    pub fn new(context: &mut ModuleContext<'_>, function: &Function) -> Bounds {
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
        let mut counted = FxHashMap::default();
        for found in counted::loops(function, &cfg, &dominators) {
            counted.extend(counted::largest(&mut folder, function, &found));
        }
        Bounds { counted }
    }

    /// A number that an integer is no more than; nothing if it may be any number of its type.
    pub fn most(
        &self,
        context: &ModuleContext<'_>,
        function: &Function,
        value: Value,
    ) -> Option<u64> {
        self.most_of(context, function, value, MAX_STEPS)
    }

    fn most_of(
        &self,
        context: &ModuleContext<'_>,
        function: &Function,
        value: Value,
        steps: u32,
    ) -> Option<u64> {
        let TypeKind::Int(bits) = context.types.kind(context.type_of(function, value)) else {
            return None;
        };
        let all = u64::MAX >> (64 - bits);
        if value.is_const() {
            return context.signed(value).map(|number| number as u64 & all);
        }
        if let Some(&most) = self.counted.get(&value) {
            return Some(most);
        }
        let (_, data) = function.def_inst(value).filter(|_| steps > 0)?;
        let of = |value| self.most_of(context, function, value, steps - 1);
        let constant = |value: Value| of(value).filter(|_| value.is_const());
        let most = match data.kind {
            InstKind::Binary { op, left, right } => match op {
                BinaryOp::IAdd => of(left)?.checked_add(of(right)?)?,
                BinaryOp::IMul => of(left)?.checked_mul(of(right)?)?,
                BinaryOp::Shl => {
                    of(left)?.checked_mul(1 << constant(right).filter(|&by| by < 64)?)?
                }
                BinaryOp::And => match (of(left), of(right)) {
                    (Some(left), Some(right)) => left.min(right),
                    (left, right) => left.or(right)?,
                },
                BinaryOp::Or | BinaryOp::Xor => {
                    u64::MAX.checked_shr((of(left)? | of(right)?).leading_zeros()).unwrap_or(0)
                }
                BinaryOp::LShr => {
                    of(left).unwrap_or(all) >> constant(right).filter(|&by| by < 64)?
                }
                BinaryOp::UDiv => of(left).unwrap_or(all).checked_div(constant(right)?)?,
                BinaryOp::URem => constant(right)?.checked_sub(1)?,
                _ => return None,
            },
            InstKind::Select { then, otherwise, .. } => of(then)?.max(of(otherwise)?),
            InstKind::Convert { op: ConvertOp::ZeroExtend, operand, .. } => match of(operand) {
                Some(most) => most,
                None => {
                    let narrow = context.types.scalar_bits(context.type_of(function, operand))?;
                    u64::MAX >> (64 - u32::from(narrow))
                }
            },
            InstKind::Convert { op: ConvertOp::Truncate, operand, .. } => of(operand)?,
            InstKind::Intrinsic { intrinsic, .. } if counts_in_group(intrinsic) => MAX_IN_GROUP,
            _ => return None,
        };
        // What may be more begins anew.
        (most <= all).then_some(most)
    }
}

/// Whether a value numbers the work-items of a work-group, or counts them.
pub(crate) fn counts_in_group(intrinsic: Intrinsic) -> bool {
    matches!(
        intrinsic,
        Intrinsic::GetLocalId
            | Intrinsic::GetLocalSize
            | Intrinsic::GetEnqueuedLocalSize
            | Intrinsic::GetLocalLinearId
            | Intrinsic::GetSubGroupSize
            | Intrinsic::GetMaxSubGroupSize
            | Intrinsic::GetNumSubGroups
            | Intrinsic::GetEnqueuedNumSubGroups
            | Intrinsic::GetSubGroupId
            | Intrinsic::GetSubGroupLocalId
            | Intrinsic::GetWorkDim
    )
}
