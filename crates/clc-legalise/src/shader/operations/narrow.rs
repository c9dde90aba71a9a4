//! Keeps numbers of 8 and 16 bits narrow, where drivers compute with 32 and forget to cut.
//!
//! Two conversions one after the other are what drivers fold. NVIDIA's (580.159) takes a float that
//! was made a `half` and a `float` again for the float that it was, lavapipe (22.3.6) an integer, and NVIDIA's has 128
//! for `(char)-c` where `c` is -128: as if the negation of a `char` did not overflow. None of it is left to
//! them: rounding to `half` and extending signs are arithmetic on 32-bit integers here, in which no
//! conversion is left to find.
//!
//! That is slower than an instruction, so it is done only where the pattern can come up: for halves
//! that are widened again, and for signs of what may be a negated value, be it by way of a private variable. What comes
//! from a buffer is what the buffer has.

use clc_builtins::Intrinsic;
use clc_builtins::resolve::Rounding;
use clc_ir::{
    BinaryOp, Builder, CompareOp, Const, ConstPool, ConvertOp, Function, Inst, InstData, InstKind,
    Module, StorageClass, Terminator, Type, TypeKind, TypePool, UnaryOp, Value,
};
use clc_passes::dead_code::base_variable;
use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{Code, Extremes, Halves};
use super::conversions::narrowed;
use super::formats::Format;

/// Runs after all passes that look for values behind variables and parameters.
pub(crate) fn run(module: &mut Module) {
    let options = module.float_options;
    let is_exact = !(options.unsafe_math || options.fast_relaxed_math);
    let Module { types, consts, functions, .. } = module;
    for function in functions.values_mut().filter(|function| !function.is_declaration()) {
        let facts = Facts::of(types, consts, function, is_exact);
        if facts.changes.is_empty() {
            continue;
        }
        let mut replacements: FxHashMap<Value, Value> = FxHashMap::default();
        for index in 0..function.layout.len() {
            let block = function.layout[index];
            let insts = &function.blocks[block].insts;
            if !insts.iter().any(|inst| facts.changes.contains(inst)) {
                continue;
            }
            let insts = std::mem::take(&mut function.blocks[block].insts);
            let terminator = std::mem::take(&mut function.blocks[block].terminator);
            let mut builder = Builder::new(types, consts, function, block);
            let mut code = Code {
                builder: &mut builder,
                halves: Halves::default(),
                extremes: Extremes::Called,
            };
            for inst in insts {
                let data = code.function.insts[inst];
                let new = match data.result {
                    Some(result) if facts.changes.contains(&inst) => {
                        code.builder.location = data.location;
                        code.builder.math = data.math;
                        let ty = code.ty(result);
                        change(&mut code, &data, ty).map(|new| (result, new))
                    }
                    _ => None,
                };
                match new {
                    Some((result, new)) => {
                        replacements.insert(result, new);
                    }
                    None => code.function.blocks[block].insts.push(inst),
                }
            }
            function.blocks[block].terminator = terminator;
        }
        function.map_all_operands(|value| *replacements.get(&value).unwrap_or(&value));
    }
}

/// What an instruction of [`Facts::changes`] becomes.
fn change(c: &mut Code<'_, '_>, inst: &InstData, ty: Type) -> Option<Value> {
    Some(match inst.kind {
        InstKind::Convert { op: ConvertOp::FToF, operand, .. } => {
            let bits = narrowed(c, operand, Format::HALF, Rounding::NearestEven);
            c.bitcast(bits, ty)
        }
        InstKind::Convert { op: op @ (ConvertOp::SToF | ConvertOp::UToF), operand, .. }
            if c.types.scalar(ty) == TypePool::F16 =>
        {
            let is_short = op == ConvertOp::SToF && c.width(operand) < 32;
            let number = if is_short { signed_word(c, operand) } else { operand };
            // All integers that a half can be near to are floats.
            let wide = c.types.with_scalar(ty, TypePool::F32);
            let float = c.convert(op, number, wide);
            let bits = narrowed(c, float, Format::HALF, Rounding::NearestEven);
            c.bitcast(bits, ty)
        }
        InstKind::Convert { op: ConvertOp::SignExtend, operand, .. } => {
            let word = signed_word(c, operand);
            let width = u32::from(c.types.scalar_bits(ty)?);
            c.sign_extended(word, width)
        }
        InstKind::Convert { op, operand, .. } => {
            let word = signed_word(c, operand);
            c.convert(op, word, ty)
        }
        InstKind::Compare { op, left, right } => {
            let (left, right) = (signed_word(c, left), signed_word(c, right));
            c.compare(op, left, right)
        }
        InstKind::Binary { op, left, right } => {
            let (left, right) = (signed_word(c, left), signed_word(c, right));
            let result = c.binary(op, left, right);
            c.convert(ConvertOp::Truncate, result, ty)
        }
        _ => return None,
    })
}

/// The signed number in 32 bits: the sign bit counts against the others.
fn signed_word(c: &mut Code<'_, '_>, value: Value) -> Value {
    if value.is_const() {
        return c.sign_extended(value, 32);
    }
    let sign = 1 << (c.width(value) - 1);
    let bits = c.zero_extended(value, 32);
    let sign = c.int_like(bits, sign);
    let sign = c.and(bits, sign);
    let sign = c.shl(sign, 1);
    c.isub(bits, sign)
}

struct Facts {
    changes: FxHashSet<Inst>,
}

impl Facts {
    fn of(types: &TypePool, consts: &ConstPool, function: &Function, is_exact: bool) -> Facts {
        let ty = |value: Value| value.as_local().map(|index| function.values[index].ty);
        let bits = |value: Value| ty(value).and_then(|ty| types.scalar_bits(ty));
        let is_narrow_type = |ty| matches!(types.kind(types.scalar(ty)), TypeKind::Int(8 | 16));
        let negated = match function.values.iter().any(|value| is_narrow_type(value.ty)) {
            true => Negated::of(types, consts, function),
            false => Vec::new(),
        };
        let is_narrow = |value: Value| {
            ty(value).is_some_and(is_narrow_type)
                && value.as_local().is_some_and(|index| negated[index])
        };
        let is_rounded_half = |inst: &InstData| match inst.kind {
            InstKind::Convert { op, operand, rounding: None, .. } => {
                let is_rounded = match op {
                    ConvertOp::FToF => bits(operand) == Some(32),
                    ConvertOp::SToF | ConvertOp::UToF => bits(operand) > Some(8),
                    _ => false,
                };
                is_rounded && inst.result.and_then(bits) == Some(16)
            }
            _ => false,
        };
        let insts = || function.layout.iter().flat_map(|&block| &function.blocks[block].insts);
        let mut changes = FxHashSet::default();
        let mut has_rounded_half = false;
        for &inst in insts() {
            let data = &function.insts[inst];
            has_rounded_half |= is_rounded_half(data);
            let reads_signs = match data.kind {
                InstKind::Convert {
                    op: ConvertOp::SignExtend | ConvertOp::SToF, operand, ..
                } => is_narrow(operand),
                InstKind::Compare { op, left, right } => {
                    is_signed(op) && (is_narrow(left) || is_narrow(right))
                }
                InstKind::Binary { op: BinaryOp::SDiv | BinaryOp::AShr, left, right } => {
                    is_narrow(left) || is_narrow(right)
                }
                _ => false,
            };
            if reads_signs {
                changes.insert(inst);
            }
        }
        if is_exact && has_rounded_half {
            let widened = widened_halves(types, function);
            changes.extend(insts().filter(|&&inst| {
                let data = &function.insts[inst];
                is_rounded_half(data) && data.result.is_some_and(|half| widened.contains(&half))
            }));
        }
        Facts { changes }
    }
}

fn is_signed(op: CompareOp) -> bool {
    match op {
        CompareOp::SLess
        | CompareOp::SLessEqual
        | CompareOp::SGreater
        | CompareOp::SGreaterEqual => true,
        CompareOp::Equal
        | CompareOp::NotEqual
        | CompareOp::ULess
        | CompareOp::ULessEqual
        | CompareOp::UGreater
        | CompareOp::UGreaterEqual
        | CompareOp::FEqual
        | CompareOp::FNotEqual
        | CompareOp::FLess
        | CompareOp::FLessEqual
        | CompareOp::FGreater
        | CompareOp::FGreaterEqual => false,
    }
}

/// Finds negations.
struct Negated<'a> {
    types: &'a TypePool,
    consts: &'a ConstPool,
    function: &'a Function,
    /// By local value: whether an integer may be the difference or the negation of others, as far as a driver sees; of a
    /// variable, whether such an integer may be stored there.
    found: Vec<bool>,
    has_changed: bool,
}

impl Negated<'_> {
    fn of(types: &TypePool, consts: &ConstPool, function: &Function) -> Vec<bool> {
        let found = vec![false; function.values.len()];
        let mut negated = Negated { types, consts, function, found, has_changed: false };
        // What the caller has.
        for &param in &function.blocks[function.entry()].params {
            negated.set(param);
        }
        loop {
            negated.has_changed = false;
            for &block in &function.layout {
                for &inst in &function.blocks[block].insts {
                    negated.inst(inst);
                }
                for target in function.blocks[block].terminator.targets() {
                    let params = &function.blocks[target.block].params;
                    for (&param, argument) in
                        params.iter().zip(function.values_of(target.arguments))
                    {
                        negated.give_away(argument);
                        if negated.may(argument) {
                            negated.set(param);
                        }
                    }
                }
            }
            if !negated.has_changed {
                return negated.found;
            }
        }
    }

    fn set(&mut self, value: Value) {
        if let Some(index) = value.as_local() {
            self.has_changed |= !std::mem::replace(&mut self.found[index], true);
        }
    }

    fn may(&self, value: Value) -> bool {
        value.as_local().is_some_and(|index| self.found[index])
    }

    fn inst(&mut self, inst: Inst) {
        let data = &self.function.insts[inst];
        match data.kind {
            InstKind::Load { .. } | InstKind::Access { .. } | InstKind::PtrAdd { .. } => {}
            InstKind::Store { pointer, value, .. } => {
                self.give_away(value);
                if self.may(value)
                    && let Some(variable) = base_variable(self.function, pointer)
                {
                    self.set(variable);
                }
            }
            _ => self.function.each_operand(inst, |operand| self.give_away(operand)),
        }
        if let Some(result) = data.result
            && self.makes(&data.kind)
        {
            self.set(result);
        }
    }

    /// Anything may be stored in a variable whose address goes where it is not followed.
    fn give_away(&mut self, value: Value) {
        if let Some(variable) = base_variable(self.function, value) {
            self.set(variable);
        }
    }

    /// The same of what an instruction makes, where it is known of its operands.
    fn makes(&self, kind: &InstKind) -> bool {
        let may = |value: Value| self.may(value);
        match *kind {
            InstKind::Unary { op, operand: _ } => op == UnaryOp::INeg,
            InstKind::Binary { op, left, right } => match op {
                BinaryOp::ISub => true,
                BinaryOp::IMul => self.negates(left) || self.negates(right),
                _ => false,
            },
            InstKind::Convert {
                op:
                    ConvertOp::Truncate
                    | ConvertOp::ZeroExtend
                    | ConvertOp::SignExtend
                    | ConvertOp::Bitcast,
                operand,
                ..
            } => may(operand),
            InstKind::Select { condition: _, then, otherwise } => may(then) || may(otherwise),
            InstKind::Extract { aggregate, .. } => may(aggregate),
            InstKind::Insert { aggregate, element, .. } => may(aggregate) || may(element),
            InstKind::ExtractDynamic { vector, .. } => may(vector),
            InstKind::InsertDynamic { vector, element, .. } => may(vector) || may(element),
            InstKind::Shuffle { left, right, .. } => may(left) || may(right),
            InstKind::Construct { parts } => self.function.values_of(parts).any(may),
            InstKind::Intrinsic { intrinsic, .. } => intrinsic == Intrinsic::SAbs,
            InstKind::Load { pointer, .. } => {
                is_private(self.types, self.function, pointer)
                    && base_variable(self.function, pointer).is_none_or(may)
            }
            InstKind::Call { .. } => true,
            _ => false,
        }
    }

    /// Whether a product with a constant may be a negation: with -1, or with another power of two, which shifts what is
    /// negated, in as many bits as are looked at.
    fn negates(&self, factor: Value) -> bool {
        let Some(id) = factor.as_const() else { return false };
        let is_power = |bits: u64, width: u32| {
            (bits.wrapping_neg() & (u64::MAX >> (64 - width))).is_power_of_two()
        };
        match *self.consts.get(id) {
            Const::Int(ty, bits) => {
                let width = self.types.scalar_bits(ty).map_or(64, u32::from);
                [8, 16, width].into_iter().any(|width| is_power(bits, width))
            }
            Const::Composite(_, ref parts) => parts.iter().any(|&part| self.negates(part)),
            _ => true,
        }
    }
}

/// Whether a driver makes values of what is stored there.
fn is_private(types: &TypePool, function: &Function, pointer: Value) -> bool {
    let ty = pointer.as_local().map(|index| function.values[index].ty);
    match ty.and_then(|ty| types.pointer_parts(ty)) {
        Some((_, class)) => matches!(class, StorageClass::Function | StorageClass::Private),
        None => true,
    }
}

/// The halves that may become floats again, whatever they go through on the way.
fn widened_halves(types: &TypePool, function: &Function) -> FxHashSet<Value> {
    let is_half = |value: &Value| {
        let ty = value.as_local().map(|index| types.scalar(function.values[index].ty));
        ty == Some(TypePool::F16)
    };
    let mut widened: FxHashSet<Value> = FxHashSet::default();
    loop {
        let before = widened.len();
        for &block in function.layout.iter().rev() {
            let data = &function.blocks[block];
            let jumps = data.terminator.targets();
            widened.extend(jumps.flat_map(|target| function.values_of(target.arguments)));
            if let Terminator::Return(value) = data.terminator {
                widened.extend(value);
            }
            for &inst in data.insts.iter().rev() {
                let InstData { kind, result, .. } = function.insts[inst];
                let is_widened = match kind {
                    InstKind::Convert { op: ConvertOp::FToF, .. } | InstKind::Call { .. } => true,
                    InstKind::Store { pointer, .. } => is_private(types, function, pointer),
                    // The same value, or it with another sign.
                    InstKind::Select { .. }
                    | InstKind::Extract { .. }
                    | InstKind::Insert { .. }
                    | InstKind::ExtractDynamic { .. }
                    | InstKind::InsertDynamic { .. }
                    | InstKind::Shuffle { .. }
                    | InstKind::Construct { .. }
                    | InstKind::Unary { .. }
                    | InstKind::Intrinsic { intrinsic: Intrinsic::Fabs, .. } => {
                        result.is_some_and(|result| widened.contains(&result))
                    }
                    _ => false,
                };
                if is_widened {
                    function.each_operand(inst, |operand| {
                        if is_half(&operand) {
                            widened.insert(operand);
                        }
                    });
                }
            }
        }
        if widened.len() == before {
            return widened;
        }
    }
}
