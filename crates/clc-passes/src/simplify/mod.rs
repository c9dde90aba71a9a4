//! Folds constants and simplifies instructions.

mod addresses;
mod aggregates;
mod arithmetic;
mod choices;
mod conversions;
mod functions;
mod geometry;
mod intrinsics;

use clc_base::Arena;
use clc_ir::debug::Location;
use clc_ir::{Function, Global, GlobalId, Inst, InstKind, MathFlags, Type, TypePool, Value};

use crate::context::ModuleContext;
use crate::fold::Folder;
use crate::replacements::Replacements;
use crate::simplify_cfg::remove_unreachable;

/// Steps on one instruction before it is left as it is.
const STEPS: usize = 8;
/// Longest index list that merging addresses may build, so that chains stay linear.
const MAX_INDICES: usize = 8;

/// Replaces instructions by constants, by operands they equal, or by cheaper forms.
///
/// One walk in reverse post-order: operands are simple before their users are seen, except
/// through loops. Floats follow IEEE 754 to the last bit unless the instruction's flags allow
/// more; no rule reassociates them.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    remove_unreachable(function);
    let folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
    let replacements = Replacements::default();
    let mut simplifier = Simplifier {
        folder,
        uses: uses(function),
        function,
        globals: context.globals,
        replacements,
        out: Vec::new(),
        location: Location::NONE,
        math: MathFlags::NONE,
        is_rounded_right: context.float_options.correctly_rounded_divide_sqrt,
    };
    simplifier.run();
}

/// What becomes of an instruction.
enum Outcome {
    Keep,
    /// The result equals this value.
    Same(Value),
    /// Another operation computes the result; look again.
    Become(InstKind),
    /// As `Become`; it does not wrap if the old one does not.
    Exact(InstKind),
}

use Outcome::{Become, Exact, Keep, Same};

struct Simplifier<'a> {
    folder: Folder<'a>,
    function: &'a mut Function,
    globals: &'a Arena<GlobalId, Global>,
    replacements: Replacements,
    /// By value: how often it is used, up to two; more than it is where its users are gone.
    uses: Vec<u8>,
    /// The block at hand, as it will be.
    out: Vec<Inst>,
    location: Location,
    math: MathFlags,
    /// Whether quotients and roots of `float` are, as `-cl-fp32-correctly-rounded-divide-sqrt` has it.
    is_rounded_right: bool,
}

fn uses(function: &Function) -> Vec<u8> {
    let mut uses = vec![0u8; function.values.len()];
    let mut note = |value: Value| {
        if let Some(index) = value.as_local() {
            uses[index] = (uses[index] + 1).min(2);
        }
    };
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            function.each_operand(inst, &mut note);
        }
        function.each_terminator_operand(block, &mut note);
    }
    uses
}

impl Simplifier<'_> {
    fn run(&mut self) {
        for index in 0..self.function.layout.len() {
            let block = self.function.layout[index];
            let insts = std::mem::take(&mut self.function.blocks[block].insts);
            self.out = Vec::with_capacity(insts.len());
            for inst in insts {
                let replacements = &mut self.replacements;
                self.function.map_operands(inst, |value| replacements.resolve(value));
                self.inst(inst);
            }
            self.function.blocks[block].insts = std::mem::take(&mut self.out);
            let replacements = &mut self.replacements;
            self.function.map_terminator_operands(block, |value| replacements.resolve(value));
        }
        // Loops have used values before they were replaced.
        self.replacements.apply(self.function);
    }

    fn inst(&mut self, inst: Inst) {
        let data = self.function.insts[inst];
        self.location = data.location;
        self.math = data.math;
        if let Some(result) = data.result {
            let ty = self.ty(result);
            for _ in 0..STEPS {
                let kind = self.function.insts[inst].kind;
                match self.simplify(kind, ty) {
                    Keep => break,
                    Same(value) => {
                        // This use of the value goes, and those of the result come.
                        let mut own = 0;
                        self.function
                            .each_operand(inst, |operand| own += usize::from(operand == value));
                        let of_result = result.as_local().and_then(|index| self.uses.get(index));
                        let more = usize::from(of_result.copied().unwrap_or(2)).saturating_sub(own);
                        self.note_uses(value, more);
                        self.replacements.set(result, value);
                        return;
                    }
                    Become(kind) => {
                        self.math = self.math.without(MathFlags::NO_SIGNED_WRAP);
                        self.set_kind(inst, kind);
                        self.function.insts[inst].math = self.math;
                    }
                    Exact(kind) => self.set_kind(inst, kind),
                }
            }
        }
        self.out.push(inst);
    }

    fn set_kind(&mut self, inst: Inst, kind: InstKind) {
        let before = self.operands(inst);
        self.function.insts[inst].kind = kind;
        for operand in self.operands(inst) {
            if !before.contains(&operand) {
                self.note_uses(operand, 1);
            }
        }
    }

    fn operands(&self, inst: Inst) -> Vec<Value> {
        let mut operands = Vec::new();
        self.function.each_operand(inst, |operand| operands.push(operand));
        operands
    }

    fn note_uses(&mut self, value: Value, more: usize) {
        if let Some(uses) = value.as_local().and_then(|index| self.uses.get_mut(index)) {
            *uses = (usize::from(*uses) + more).min(2) as u8;
        }
    }

    fn ty(&self, value: Value) -> Type {
        match value.as_const() {
            Some(id) => self.folder.consts.ty(id),
            None => self.function.values[value.as_local().unwrap_or_default()].ty,
        }
    }

    /// The operation that computes a value, if it is an instruction's.
    fn kind(&self, value: Value) -> Option<InstKind> {
        self.function.def_inst(value).map(|(_, data)| data.kind)
    }

    /// Whether the instruction at hand is the only use of an operand's value.
    fn is_used_once(&self, value: Value) -> bool {
        value.as_local().and_then(|index| self.uses.get(index)) == Some(&1)
    }

    /// A new instruction just before the one at hand.
    fn make(&mut self, kind: InstKind, ty: Type) -> Value {
        let math = self.math.without(MathFlags::NO_SIGNED_WRAP);
        let inst = self.function.create_inst(kind, Some(ty), math, self.location);
        self.out.push(inst);
        self.function.insts[inst].result.expect("an instruction with a type has a result")
    }

    /// The type of a comparison of values of type `of`.
    fn truth_of(&mut self, of: Type) -> Type {
        match self.folder.types.lanes(of) {
            1 => TypePool::BOOL,
            lanes => self.folder.types.vector(TypePool::BOOL, lanes),
        }
    }

    fn splat(&self, value: Value) -> Option<u64> {
        self.folder.splat_bits(value)
    }

    fn simplify(&mut self, kind: InstKind, ty: Type) -> Outcome {
        match kind {
            InstKind::Binary { op, left, right } => self.binary(op, left, right, ty),
            InstKind::Unary { op, operand } => self.unary(op, operand, ty),
            InstKind::Compare { op, left, right } => self.compare(op, left, right, ty),
            InstKind::Select { condition, then, otherwise } => {
                self.select(condition, then, otherwise, ty)
            }
            InstKind::Convert { op, operand, rounding, saturate } => {
                if let Some(value) = self.folder_convert(op, operand, ty, rounding, saturate) {
                    return Same(value);
                }
                self.convert(op, operand, ty)
            }
            InstKind::Load { pointer, access } if !access.flags.volatile => {
                self.load_constant(pointer).map_or(Keep, Same)
            }
            InstKind::PtrAdd { base, index } => self.ptr_add(base, index),
            InstKind::Access { base, indices } => match self.kind(base) {
                Some(InstKind::Access { base: inner, indices: first })
                    if first.len() + indices.len() <= MAX_INDICES =>
                {
                    let joined: Vec<Value> = self
                        .function
                        .values_of(first)
                        .chain(self.function.values_of(indices))
                        .collect();
                    let indices = self.function.list(&joined);
                    Become(InstKind::Access { base: inner, indices })
                }
                _ => Keep,
            },
            InstKind::Extract { aggregate, path } => {
                let path: Vec<u32> = self.function.numbers_of(path).to_vec();
                self.extract(aggregate, &path)
            }
            InstKind::Insert { aggregate, element, path } => {
                let path: Vec<u32> = self.function.numbers_of(path).to_vec();
                match self.folder.insert(aggregate, element, &path) {
                    Some(value) if element.is_const() => Same(value),
                    _ => self.insert(aggregate, element, &path, ty),
                }
            }
            InstKind::ExtractDynamic { vector, index } => match self.folder.scalar_bits(index) {
                Some(index) if index < u64::from(self.folder.types.lanes(self.ty(vector))) => {
                    let path = self.function.number_list(&[index as u32]);
                    Become(InstKind::Extract { aggregate: vector, path })
                }
                _ => Keep,
            },
            InstKind::InsertDynamic { vector, element, index } => {
                match self.folder.scalar_bits(index) {
                    Some(index) if index < u64::from(self.folder.types.lanes(ty)) => {
                        let path = self.function.number_list(&[index as u32]);
                        Become(InstKind::Insert { aggregate: vector, element, path })
                    }
                    _ => Keep,
                }
            }
            InstKind::Shuffle { left, right, mask } => {
                let mask: Vec<u32> = self.function.numbers_of(mask).to_vec();
                if let Some(value) = self.folder.shuffle(left, right, &mask, ty) {
                    return Same(value);
                }
                let identity = self.ty(left) == ty
                    && mask
                        .iter()
                        .enumerate()
                        .all(|(lane, &index)| index == u32::MAX || index == lane as u32);
                if identity { Same(left) } else { Keep }
            }
            InstKind::Construct { parts } => {
                let parts: Vec<Value> = self.function.values_of(parts).collect();
                self.construct(&parts, ty)
            }
            InstKind::Intrinsic { intrinsic, arguments } => {
                self.intrinsic(intrinsic, arguments, ty)
            }
            InstKind::Load { .. }
            | InstKind::Store { .. }
            | InstKind::CopyMemory { .. }
            | InstKind::Variable { .. }
            | InstKind::Call { .. }
            | InstKind::AtomicLoad { .. }
            | InstKind::AtomicStore { .. }
            | InstKind::AtomicModify { .. }
            | InstKind::AtomicCompareExchange { .. }
            | InstKind::Fence(_)
            | InstKind::Barrier { .. }
            | InstKind::GenericTo { .. } => Keep,
        }
    }
}
