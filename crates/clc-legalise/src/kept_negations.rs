//! Negates numbers in a way that a driver does not take for the same in all work-items.
//!
//! Intel's runtime for CPUs (2026.2) believes that `-x`, and what is computed from `-x` and from what is the same in all
//! work-items, is the same in all, too: behind a barrier all find what the last one had before it. It does so with
//! programs in OpenCL C and with modules of any compiler, optimised or not. Most forms of a negation become one there:
//! products with -1, differences from -0, the sign bit inverted or added. It does not know the sign bit for one that is
//! inverted as the lowest bit, between two rotations.

use clc_base::Id as _;
use clc_builtins::Intrinsic;
use clc_ir::{
    BinaryOp, Builder, Const, ConstPool, ConvertOp, FuncId, Function, Inst, InstKind, Module,
    StorageClass, Terminator, Type, TypePool, UnaryOp, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Runs behind all passes that would make a negation of it again.
pub(crate) fn run(module: &mut Module) {
    let waiting = waiting(module);
    let Module { types, consts, functions, .. } = module;
    if functions.iter().all(|(id, _)| !waiting.contains(&id)) {
        return;
    }
    for function in functions.values_mut().filter(|function| !function.is_declaration()) {
        let lost = Source::new(types, consts, function, &waiting).lost();
        if lost.is_empty() {
            continue;
        }
        for block in function.layout.clone() {
            let insts = std::mem::take(&mut function.blocks[block].insts);
            let terminator = std::mem::take(&mut function.blocks[block].terminator);
            let mut builder = Builder::new(types, consts, function, block);
            for inst in insts {
                let data = builder.function.insts[inst];
                if let Some(&operand) = data.result.and_then(|result| lost.get(&result)) {
                    builder.location = data.location;
                    builder.function.insts[inst].kind = by_rotations(&mut builder, operand);
                }
                builder.function.blocks[block].insts.push(inst);
            }
            function.blocks[block].terminator = terminator;
        }
    }
}

/// A number with its sign bit inverted.
fn by_rotations(b: &mut Builder<'_>, number: Value) -> InstKind {
    let ty = b.ty(number);
    let width = b.types.scalar_bits(ty).unwrap_or(32);
    let bits = b.types.int(width);
    let ty = b.types.with_scalar(ty, bits);
    let one = splat(b, ty, 1);
    let back = splat(b, ty, u64::from(width) - 1);
    let bits = b.bitcast(number, ty);
    let bits = rotate(b, bits, one);
    let bits = b.binary(BinaryOp::Xor, bits, one);
    if b.ty(number) == ty {
        let arguments = b.function.list(&[bits, back]);
        return InstKind::Intrinsic { intrinsic: Intrinsic::Rotate, arguments };
    }
    let operand = rotate(b, bits, back);
    InstKind::Convert { op: ConvertOp::Bitcast, operand, rounding: None, saturate: false }
}

/// Functions in which a work-item may wait for others.
fn waiting(module: &Module) -> FxHashSet<FuncId> {
    let mut waiting = FxHashSet::default();
    let mut changed = true;
    while changed {
        changed = false;
        for (id, function) in module.functions.iter() {
            if !waiting.contains(&id)
                && (function.is_declaration()
                    || insts(function).any(|inst| may_wait(function.insts[inst].kind, &waiting)))
            {
                waiting.insert(id);
                changed = true;
            }
        }
    }
    waiting
}

/// Whether a work-item may wait for others there.
fn may_wait(kind: InstKind, waiting: &FxHashSet<FuncId>) -> bool {
    match kind {
        InstKind::Barrier { .. } => true,
        InstKind::Call { callee, .. } => waiting.contains(&callee),
        InstKind::Intrinsic { intrinsic, .. } => intrinsic.effects().convergent,
        _ => false,
    }
}

fn insts(function: &Function) -> impl Iterator<Item = Inst> {
    function.layout.iter().flat_map(|&block| &function.blocks[block].insts).copied()
}

struct Source<'a> {
    types: &'a TypePool,
    consts: &'a ConstPool,
    function: &'a Function,
    waiting: &'a FxHashSet<FuncId>,
    /// Whether bits are taken for a float somewhere: an integer may be that of a negation.
    makes_floats: bool,
}

impl<'a> Source<'a> {
    fn new(
        types: &'a TypePool,
        consts: &'a ConstPool,
        function: &'a Function,
        waiting: &'a FxHashSet<FuncId>,
    ) -> Source<'a> {
        let makes_floats = insts(function).any(|inst| {
            let data = &function.insts[inst];
            let result = data.result.and_then(Value::as_local);
            matches!(data.kind, InstKind::Convert { op: ConvertOp::Bitcast, .. })
                && result.is_some_and(|local| types.is_float(function.values[local].ty))
        });
        Source { types, consts, function, waiting, makes_floats }
    }

    /// Negations that are used, or may be, behind where a work-item waits, or from which something is computed that is,
    /// and that the driver mistakes; and what they negate.
    fn lost(&self) -> FxHashMap<Value, Value> {
        let mut lost: FxHashMap<Value, Value> = FxHashMap::default();
        let mut results = insts(self.function).filter_map(|inst| self.function.insts[inst].result);
        if !results.any(|result| self.negated(result).is_some()) {
            return lost;
        }
        let ahead = self.waits_ahead();
        for &block in &self.function.layout {
            let mut waits = ahead[block.index()];
            for &inst in self.function.blocks[block].insts.iter().rev() {
                let data = &self.function.insts[inst];
                if waits && let Some(result) = data.result {
                    lost.extend(self.negated(result).map(|operand| (result, operand)));
                }
                waits |= may_wait(data.kind, self.waiting);
            }
        }
        if !lost.is_empty() {
            let escapes = self.escapes(&self.mistaken());
            lost.retain(|result, _| result.as_local().is_some_and(|local| escapes[local]));
        }
        lost
    }

    /// By block: whether a work-item that leaves it may wait later on, in the caller of the function, too.
    fn waits_ahead(&self) -> Vec<bool> {
        let function = self.function;
        let waits: Vec<bool> = (function.blocks.values())
            .map(|block| {
                let mut kinds = block.insts.iter().map(|&inst| function.insts[inst].kind);
                kinds.any(|kind| may_wait(kind, self.waiting))
            })
            .collect();
        let mut ahead = vec![false; function.blocks.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for &block in function.layout.iter().rev() {
                let data = &function.blocks[block];
                let returns = matches!(data.terminator, Terminator::Return(_));
                let found = returns && function.entry_point.is_none()
                    || data.terminator.targets().any(|target| {
                        let next = target.block.index();
                        waits[next] || ahead[next]
                    });
                changed |= found && !ahead[block.index()];
                ahead[block.index()] |= found;
            }
        }
        ahead
    }

    /// By local value: whether the driver sees that it differs between work-items, negations aside. What depends on where a
    /// branch comes from, and what private variables hold and functions return, is not followed.
    fn divergent(&self) -> Vec<bool> {
        let Source { types, function, .. } = *self;
        let mut divergent = vec![false; function.values.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for &block in &function.layout {
                for &inst in &function.blocks[block].insts {
                    let data = &function.insts[inst];
                    let Some(result) = data.result.and_then(Value::as_local) else { continue };
                    let differs = match data.kind {
                        InstKind::Intrinsic {
                            intrinsic:
                                Intrinsic::GetGlobalId
                                | Intrinsic::GetLocalId
                                | Intrinsic::GetGlobalLinearId
                                | Intrinsic::GetLocalLinearId
                                | Intrinsic::GetSubGroupLocalId,
                            ..
                        } => true,
                        InstKind::Load { pointer, .. } if is_private(types, function, pointer) => {
                            false
                        }
                        kind if may_wait(kind, self.waiting) => false,
                        _ => {
                            let mut differs = false;
                            function.each_operand(inst, |operand| {
                                differs |= operand.as_local().is_some_and(|local| divergent[local]);
                            });
                            differs
                        }
                    };
                    changed |= differs && !divergent[result];
                    divergent[result] |= differs;
                }
                for target in function.blocks[block].terminator.targets() {
                    let params = &function.blocks[target.block].params;
                    for (&param, argument) in
                        params.iter().zip(function.values_of(target.arguments))
                    {
                        if let (Some(param), Some(argument)) =
                            (param.as_local(), argument.as_local())
                            && divergent[argument]
                            && !divergent[param]
                        {
                            divergent[param] = true;
                            changed = true;
                        }
                    }
                }
            }
        }
        divergent
    }

    /// By local value: negations, and what is computed from them and nothing that the driver sees to differ between
    /// work-items. Parameters of blocks are none: what they are is used in another block, and not lost then.
    fn mistaken(&self) -> Vec<bool> {
        let function = self.function;
        let divergent = self.divergent();
        let mut mistaken = vec![false; function.values.len()];
        for inst in insts(self.function) {
            let data = &function.insts[inst];
            let Some(result) = data.result else { continue };
            let (mut some, mut differs) = (false, false);
            function.each_operand(inst, |operand| {
                if let Some(local) = operand.as_local() {
                    some |= mistaken[local];
                    differs |= divergent[local] && !mistaken[local];
                }
            });
            let is_mistaken =
                self.negated(result).is_some() || some && (!differs || is_negated_late(data.kind));
            if let Some(local) = result.as_local() {
                mistaken[local] = is_mistaken;
            }
        }
        mistaken
    }

    /// By local value: whether it is used in another block or function, in what waits or behind it, is kept by a private
    /// variable, or makes the driver mistake what is.
    fn escapes(&self, mistaken: &[bool]) -> Vec<bool> {
        let Source { types, function, .. } = *self;
        let mut escapes = vec![false; function.values.len()];
        // What is computed between two places to wait at, in one block, has the same number.
        let mut stretches = vec![0; function.values.len()];
        let mut stretch = 0;
        for &block in &function.layout {
            stretch += 1;
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst];
                stretch += u32::from(may_wait(data.kind, self.waiting));
                let is_kept = match data.kind {
                    InstKind::Store { pointer, .. } => is_private(types, function, pointer),
                    _ => false,
                };
                function.each_operand(inst, |operand| {
                    if let Some(local) = operand.as_local() {
                        escapes[local] |= is_kept || stretches[local] != stretch;
                    }
                });
                if let Some(local) = data.result.and_then(Value::as_local) {
                    stretches[local] = stretch;
                }
            }
            function.each_terminator_operand(block, |operand| {
                if let Some(local) = operand.as_local() {
                    escapes[local] = true;
                }
            });
        }
        for &block in &function.layout {
            for &inst in function.blocks[block].insts.iter().rev() {
                let result = function.insts[inst].result.and_then(Value::as_local);
                if result.is_some_and(|result| escapes[result] && mistaken[result]) {
                    function.each_operand(inst, |operand| {
                        if let Some(local) = operand.as_local() {
                            escapes[local] |= mistaken[local];
                        }
                    });
                }
            }
        }
        escapes
    }

    /// What a value is with its sign bit inverted, if it is a negation or the driver may make one of it.
    fn negated(&self, value: Value) -> Option<Value> {
        let Source { types, consts, function, .. } = *self;
        let data = function.def_inst(value)?.1;
        let ty = function.values[value.as_local()?].ty;
        let width = u32::from(types.scalar_bits(ty)?);
        let sign = 1u64 << (width - 1);
        let minus_one = match width {
            16 => 0xBC00,
            32 => u64::from((-1f32).to_bits()),
            _ => (-1f64).to_bits(),
        };
        let is = |value: Value, bits: u64| every_component(consts, value) == Some(bits);
        match data.kind {
            InstKind::Unary { op: UnaryOp::FNeg, operand } => Some(operand),
            InstKind::Binary { op: BinaryOp::FSub, left, right } => is(left, sign).then_some(right),
            InstKind::Binary { op: BinaryOp::FMul, left, right } if is(left, minus_one) => {
                Some(right)
            }
            InstKind::Binary { op: BinaryOp::FMul | BinaryOp::FDiv, left, right } => {
                is(right, minus_one).then_some(left)
            }
            // Of an integer whose bits are a float's.
            InstKind::Binary { op: BinaryOp::Xor | BinaryOp::IAdd, left, right } => {
                (self.makes_floats && width >= 16 && is(right, sign)).then_some(left)
            }
            _ => None,
        }
    }
}

/// Whether the driver negates the result, or a part of it, where operands are negated.
fn is_negated_late(kind: InstKind) -> bool {
    matches!(
        kind,
        InstKind::Call { .. }
            | InstKind::Select { .. }
            | InstKind::Convert { .. }
            | InstKind::Extract { .. }
            | InstKind::Insert { .. }
            | InstKind::ExtractDynamic { .. }
            | InstKind::InsertDynamic { .. }
            | InstKind::Shuffle { .. }
            | InstKind::Construct { .. }
    )
}

/// The bits that all components of a constant have.
fn every_component(consts: &ConstPool, value: Value) -> Option<u64> {
    match consts.get(value.as_const()?) {
        Const::Int(_, bits) | Const::Float(_, bits) => Some(*bits),
        Const::Composite(_, components) => {
            let (&first, others) = components.split_first()?;
            others.iter().all(|&other| other == first).then_some(())?;
            every_component(consts, first)
        }
        _ => None,
    }
}

fn rotate(b: &mut Builder<'_>, bits: Value, by: Value) -> Value {
    let ty = b.ty(bits);
    b.intrinsic(Intrinsic::Rotate, &[bits, by], ty).unwrap_or(bits)
}

fn splat(b: &mut Builder<'_>, ty: Type, value: u64) -> Value {
    let scalar = b.types.scalar(ty);
    let one = b.int(scalar, value);
    b.splat(ty, one)
}

fn is_private(types: &TypePool, function: &Function, address: Value) -> bool {
    let ty = address.as_local().map(|index| function.values[index].ty);
    let class = ty.and_then(|ty| types.pointer_parts(ty)).map(|(_, class)| class);
    matches!(class, Some(StorageClass::Function | StorageClass::Private | StorageClass::Generic))
}
