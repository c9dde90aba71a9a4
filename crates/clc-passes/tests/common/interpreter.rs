//! Runs functions of the intermediate representation.
//!
//! A second opinion that shares no code with constant folding: integers and floats are computed
//! by Rust itself. Undefined behaviour ends the run.

use std::collections::HashMap;

use clc_base::Id;
use clc_base::memory_model::AtomicOp;
use clc_builtins::Intrinsic;
use clc_ir::{
    BinaryOp, BlockCall, CompareOp, Const, ConvertOp, FuncId, Function, InstKind, Module,
    Terminator, Type, TypeKind, TypePool, UnaryOp, Value,
};

/// A value while it is computed: the bits of a scalar, or the parts of anything else.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    Bits(u64),
    Parts(Vec<Datum>),
}

/// Why a run ended early.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    OutOfFuel,
    Undefined(&'static str),
}

type Run<T> = Result<T, Stop>;

/// Memory objects; a pointer is an object's number plus one in the upper half, an offset below.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    pub objects: Vec<Vec<u8>>,
}

impl Memory {
    /// Makes an object and returns the pointer to it.
    pub fn object(&mut self, bytes: Vec<u8>) -> u64 {
        self.objects.push(bytes);
        (self.objects.len() as u64) << 32
    }

    fn bytes(&mut self, pointer: u64, len: u64) -> Run<&mut [u8]> {
        let object = (pointer >> 32).checked_sub(1).ok_or(Stop::Undefined("null"))? as usize;
        let offset = (pointer & 0xffff_ffff) as usize;
        self.objects
            .get_mut(object)
            .and_then(|bytes| bytes.get_mut(offset..offset + len as usize))
            .ok_or(Stop::Undefined("out of bounds"))
    }
}

pub struct Interpreter<'a> {
    module: &'a Module,
    pub memory: Memory,
    /// By global: its address.
    pub globals: Vec<u64>,
    fuel: u64,
}

fn mask(value: u64, width: u32) -> u64 {
    if width >= 64 { value } else { value & ((1 << width) - 1) }
}

fn signed(value: u64, width: u32) -> i64 {
    ((value << (64 - width)) as i64) >> (64 - width)
}

impl<'a> Interpreter<'a> {
    pub fn new(module: &'a Module, memory: Memory, fuel: u64) -> Run<Interpreter<'a>> {
        let mut interpreter = Interpreter { module, memory, globals: Vec::new(), fuel };
        for global in module.globals.values() {
            let size = module.types.size(global.ty);
            let pointer = interpreter.memory.object(vec![0; size as usize]);
            interpreter.globals.push(pointer);
            if let Some(value) = global.initializer {
                let datum = interpreter.constant(value)?;
                interpreter.store(pointer, global.ty, &datum)?;
            }
        }
        Ok(interpreter)
    }

    fn types(&self) -> &'a TypePool {
        &self.module.types
    }

    /// Runs one function to its end.
    pub fn call(&mut self, id: FuncId, arguments: Vec<Datum>) -> Run<Option<Datum>> {
        let function = &self.module.functions[id];
        let mut values: HashMap<Value, Datum> = HashMap::new();
        let mut block = function.entry();
        let mut incoming = arguments;
        loop {
            for (&param, datum) in function.blocks[block].params.iter().zip(incoming.drain(..)) {
                values.insert(param, datum);
            }
            for &inst in &function.blocks[block].insts {
                self.fuel = self.fuel.checked_sub(1).ok_or(Stop::OutOfFuel)?;
                let data = &function.insts[inst];
                let datum = self.inst(function, &values, data.kind, data.result)?;
                if let (Some(result), Some(datum)) = (data.result, datum) {
                    values.insert(result, datum);
                }
            }
            self.fuel = self.fuel.checked_sub(1).ok_or(Stop::OutOfFuel)?;
            let next: BlockCall = match &function.blocks[block].terminator {
                Terminator::None => panic!("no terminator"),
                Terminator::Unreachable => return Err(Stop::Undefined("unreachable")),
                Terminator::Return(value) => {
                    return value.map(|value| self.value(&values, value)).transpose();
                }
                Terminator::Jump(target) => *target,
                Terminator::Branch { condition, then, otherwise } => {
                    if self.bits(&values, *condition)? != 0 { *then } else { *otherwise }
                }
                Terminator::Switch { selector, default, cases } => {
                    let bits = self.bits(&values, *selector)?;
                    cases.iter().find(|case| case.value == bits).map_or(*default, |c| c.target)
                }
            };
            incoming = function
                .values_of(next.arguments)
                .map(|value| self.value(&values, value))
                .collect::<Run<_>>()?;
            block = next.block;
        }
    }

    fn value(&self, values: &HashMap<Value, Datum>, value: Value) -> Run<Datum> {
        if value.is_const() {
            return self.constant(value);
        }
        Ok(values.get(&value).unwrap_or_else(|| panic!("{value} has no value")).clone())
    }

    fn bits(&self, values: &HashMap<Value, Datum>, value: Value) -> Run<u64> {
        match self.value(values, value)? {
            Datum::Bits(bits) => Ok(bits),
            Datum::Parts(_) => panic!("{value} is not a scalar"),
        }
    }

    fn zero(&self, ty: Type) -> Datum {
        match self.types().kind(ty) {
            TypeKind::Vector(element, count) => {
                Datum::Parts(vec![self.zero(element); usize::from(count)])
            }
            TypeKind::Array(element, len) => Datum::Parts(vec![self.zero(element); len as usize]),
            TypeKind::Struct(id) => Datum::Parts(
                self.types().struct_data(id).fields.iter().map(|&f| self.zero(f)).collect(),
            ),
            _ => Datum::Bits(0),
        }
    }

    fn constant(&self, value: Value) -> Run<Datum> {
        let id = value.as_const().expect("a constant");
        Ok(match self.module.consts.get(id) {
            // Any value will do; zero it is.
            Const::Undef(ty) | Const::Null(ty) => self.zero(*ty),
            Const::Bool(value) => Datum::Bits(u64::from(*value)),
            Const::Int(_, bits) | Const::Float(_, bits) => Datum::Bits(*bits),
            Const::Composite(_, parts) => {
                Datum::Parts(parts.iter().map(|&part| self.constant(part)).collect::<Run<_>>()?)
            }
            Const::GlobalAddress(_, global) => Datum::Bits(self.globals[global.index()]),
            Const::Cast { operand, .. } => self.constant(*operand)?,
            other => panic!("{other:?} is not supported"),
        })
    }

    fn load(&mut self, pointer: u64, ty: Type) -> Run<Datum> {
        let types = self.types();
        Ok(match types.kind(ty) {
            TypeKind::Vector(element, count) => Datum::Parts(
                (0..u64::from(count))
                    .map(|lane| self.load(pointer + lane * types.size(element), element))
                    .collect::<Run<_>>()?,
            ),
            TypeKind::Array(element, len) => Datum::Parts(
                (0..len)
                    .map(|index| self.load(pointer + index * types.size(element), element))
                    .collect::<Run<_>>()?,
            ),
            TypeKind::Struct(id) => {
                let data = types.struct_data(id);
                Datum::Parts(
                    data.fields
                        .iter()
                        .zip(&data.offsets)
                        .map(|(&field, offset)| self.load(pointer + offset, field))
                        .collect::<Run<_>>()?,
                )
            }
            _ => {
                let bytes = self.memory.bytes(pointer, types.size(ty))?;
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                Datum::Bits(u64::from_le_bytes(word))
            }
        })
    }

    pub fn store(&mut self, pointer: u64, ty: Type, datum: &Datum) -> Run<()> {
        let types = self.types();
        match (types.kind(ty), datum) {
            (TypeKind::Vector(element, _) | TypeKind::Array(element, _), Datum::Parts(parts)) => {
                for (index, part) in parts.iter().enumerate() {
                    self.store(pointer + index as u64 * types.size(element), element, part)?;
                }
            }
            (TypeKind::Struct(id), Datum::Parts(parts)) => {
                let data = types.struct_data(id);
                for (index, part) in parts.iter().enumerate() {
                    self.store(pointer + data.offsets[index], data.fields[index], part)?;
                }
            }
            (_, Datum::Bits(bits)) => {
                let bytes = self.memory.bytes(pointer, types.size(ty))?;
                let len = bytes.len();
                bytes.copy_from_slice(&bits.to_le_bytes()[..len]);
            }
            _ => panic!("the datum does not have the type"),
        }
        Ok(())
    }

    /// Applies `operation` lane by lane.
    fn lanes(&self, data: &[Datum], operation: &mut dyn FnMut(&[u64]) -> Run<u64>) -> Run<Datum> {
        let count = data.iter().find_map(|datum| match datum {
            Datum::Parts(parts) => Some(parts.len()),
            Datum::Bits(_) => None,
        });
        let lane = |datum: &Datum, index: usize| match datum {
            Datum::Bits(bits) => *bits,
            Datum::Parts(parts) => match parts[index] {
                Datum::Bits(bits) => bits,
                Datum::Parts(_) => panic!("a vector of vectors"),
            },
        };
        let mut apply = |index: usize| {
            let bits: Vec<u64> = data.iter().map(|datum| lane(datum, index)).collect();
            operation(&bits).map(Datum::Bits)
        };
        match count {
            None => apply(0),
            Some(count) => Ok(Datum::Parts((0..count).map(apply).collect::<Run<_>>()?)),
        }
    }

    fn inst(
        &mut self,
        function: &Function,
        values: &HashMap<Value, Datum>,
        kind: InstKind,
        result: Option<Value>,
    ) -> Run<Option<Datum>> {
        let types = self.types();
        let ty_of = |value: Value| self.module.value_type(function, value);
        let get = |interpreter: &Self, value: Value| interpreter.value(values, value);
        Ok(Some(match kind {
            InstKind::Binary { op, left, right } => {
                let ty = ty_of(left);
                let (left, right) = (get(self, left)?, get(self, right)?);
                let float = types.is_float(ty);
                let width = types.scalar_bits(ty).map_or(1, u32::from);
                self.lanes(&[left, right], &mut |bits| {
                    if float {
                        float_binary(op, bits[0], bits[1], width)
                    } else {
                        int_binary(op, bits[0], bits[1], width).map(|bits| mask(bits, width))
                    }
                })?
            }
            InstKind::Unary { op, operand } => {
                let width = types.scalar_bits(ty_of(operand)).map_or(1, u32::from);
                let operand = get(self, operand)?;
                self.lanes(&[operand], &mut |bits| {
                    Ok(mask(
                        match op {
                            UnaryOp::INeg => bits[0].wrapping_neg(),
                            UnaryOp::Not => !bits[0],
                            UnaryOp::FNeg => bits[0] ^ 1 << (width - 1),
                        },
                        width,
                    ))
                })?
            }
            InstKind::Compare { op, left, right } => {
                let ty = ty_of(left);
                let (left, right) = (get(self, left)?, get(self, right)?);
                let width = types.scalar_bits(ty).map_or(64, u32::from);
                self.lanes(&[left, right], &mut |bits| {
                    Ok(u64::from(compare(op, bits[0], bits[1], width)))
                })?
            }
            InstKind::Select { condition, then, otherwise } => {
                let condition = get(self, condition)?;
                let (then, otherwise) = (get(self, then)?, get(self, otherwise)?);
                match condition {
                    Datum::Bits(0) => otherwise,
                    Datum::Bits(_) => then,
                    condition => self.lanes(&[condition, then, otherwise], &mut |bits| {
                        Ok(if bits[0] != 0 { bits[1] } else { bits[2] })
                    })?,
                }
            }
            InstKind::Convert { op, operand, rounding, saturate } => {
                assert!(rounding.is_none() && !saturate, "not supported");
                let from = ty_of(operand);
                let to = ty_of(result.expect("a conversion has a result"));
                let operand = get(self, operand)?;
                if op == ConvertOp::Bitcast && types.lanes(from) != types.lanes(to) {
                    let scratch = self.memory.object(vec![0; 64]);
                    self.store(scratch, from, &operand)?;
                    let datum = self.load(scratch, to)?;
                    self.memory.objects.pop();
                    return Ok(Some(datum));
                }
                let width = types.scalar_bits(from).map_or(64, u32::from);
                let to_width = types.scalar_bits(to).map_or(64, u32::from);
                self.lanes(&[operand], &mut |bits| convert(op, bits[0], width, to_width))?
            }
            InstKind::Load { pointer, .. } => {
                let (pointee, _) = types.pointer_parts(ty_of(pointer)).expect("a pointer");
                let pointer = self.bits(values, pointer)?;
                self.load(pointer, pointee)?
            }
            InstKind::Store { pointer, value, .. } => {
                let (pointee, _) = types.pointer_parts(ty_of(pointer)).expect("a pointer");
                let pointer = self.bits(values, pointer)?;
                let datum = get(self, value)?;
                self.store(pointer, pointee, &datum)?;
                return Ok(None);
            }
            InstKind::CopyMemory { destination, source, size, .. } => {
                let size = self.bits(values, size)?;
                let source = self.bits(values, source)?;
                let bytes = self.memory.bytes(source, size)?.to_vec();
                let destination = self.bits(values, destination)?;
                self.memory.bytes(destination, size)?.copy_from_slice(&bytes);
                return Ok(None);
            }
            InstKind::Variable { ty, .. } => {
                // Variables that were never written hold zero, as undefined values do.
                Datum::Bits(self.memory.object(vec![0; types.size(ty) as usize]))
            }
            InstKind::PtrAdd { base, index } => {
                let (pointee, _) = types.pointer_parts(ty_of(base)).expect("a pointer");
                let width = types.scalar_bits(ty_of(index)).map_or(64, u32::from);
                let index = signed(self.bits(values, index)?, width);
                let base = self.bits(values, base)?;
                Datum::Bits(base.wrapping_add_signed(index * types.size(pointee) as i64))
            }
            InstKind::Access { base, indices } => {
                let (mut ty, _) = types.pointer_parts(ty_of(base)).expect("a pointer");
                let mut pointer = self.bits(values, base)?;
                for index in function.values_of(indices) {
                    let width = types.scalar_bits(ty_of(index)).map_or(64, u32::from);
                    let number = signed(self.bits(values, index)?, width);
                    match types.kind(ty) {
                        TypeKind::Struct(id) => {
                            let data = types.struct_data(id);
                            pointer += data.offsets[number as usize];
                            ty = data.fields[number as usize];
                        }
                        TypeKind::Array(element, _) | TypeKind::Vector(element, _) => {
                            pointer =
                                pointer.wrapping_add_signed(number * types.size(element) as i64);
                            ty = element;
                        }
                        _ => panic!("no parts"),
                    }
                }
                Datum::Bits(pointer)
            }
            InstKind::Extract { aggregate, path } => {
                let mut datum = get(self, aggregate)?;
                for &index in function.numbers_of(path) {
                    datum = match datum {
                        Datum::Parts(mut parts) => parts.swap_remove(index as usize),
                        Datum::Bits(_) => panic!("no parts"),
                    };
                }
                datum
            }
            InstKind::Insert { aggregate, element, path } => {
                let mut whole = get(self, aggregate)?;
                let element = get(self, element)?;
                let mut place = &mut whole;
                for &index in function.numbers_of(path) {
                    place = match place {
                        Datum::Parts(parts) => &mut parts[index as usize],
                        Datum::Bits(_) => panic!("no parts"),
                    };
                }
                *place = element;
                whole
            }
            InstKind::ExtractDynamic { vector, index } => {
                let index = self.bits(values, index)? as usize;
                match get(self, vector)? {
                    Datum::Parts(parts) => {
                        parts.get(index).cloned().ok_or(Stop::Undefined("lane"))?
                    }
                    Datum::Bits(_) => panic!("no vector"),
                }
            }
            InstKind::InsertDynamic { vector, element, index } => {
                let index = self.bits(values, index)? as usize;
                let element = get(self, element)?;
                match get(self, vector)? {
                    Datum::Parts(mut parts) => {
                        *parts.get_mut(index).ok_or(Stop::Undefined("lane"))? = element;
                        Datum::Parts(parts)
                    }
                    Datum::Bits(_) => panic!("no vector"),
                }
            }
            InstKind::Shuffle { left, right, mask } => {
                let (Datum::Parts(mut parts), Datum::Parts(more)) =
                    (get(self, left)?, get(self, right)?)
                else {
                    panic!("no vectors")
                };
                parts.extend(more);
                Datum::Parts(
                    function
                        .numbers_of(mask)
                        .iter()
                        .map(|&index| parts.get(index as usize).cloned().unwrap_or(Datum::Bits(0)))
                        .collect(),
                )
            }
            InstKind::Construct { parts } => {
                let vector = types.lanes(ty_of(result.expect("a construction has a result"))) > 1;
                let mut all = Vec::new();
                for part in function.values_of(parts) {
                    match get(self, part)? {
                        Datum::Parts(lanes) if vector => all.extend(lanes),
                        datum => all.push(datum),
                    }
                }
                Datum::Parts(all)
            }
            InstKind::Call { callee, arguments } => {
                let arguments = function
                    .values_of(arguments)
                    .map(|value| get(self, value))
                    .collect::<Run<_>>()?;
                return self.call(callee, arguments);
            }
            InstKind::Intrinsic { intrinsic, arguments } => {
                let arguments: Vec<u64> = function
                    .values_of(arguments)
                    .map(|value| self.bits(values, value))
                    .collect::<Run<_>>()?;
                match intrinsic {
                    Intrinsic::GetGlobalId => Datum::Bits(7 + arguments[0]),
                    other => panic!("{other} is not supported"),
                }
            }
            InstKind::Fence(_) | InstKind::Barrier { .. } => return Ok(None),
            InstKind::AtomicModify { op, pointer, value, ordering: _ } => {
                let ty = types.pointer_parts(ty_of(pointer)).expect("a pointer").0;
                let (pointer, value) = (self.bits(values, pointer)?, self.bits(values, value)?);
                let Datum::Bits(old) = self.load(pointer, ty)? else {
                    panic!("an atomic on parts")
                };
                let width = types.scalar_bits(ty).map_or(64, u32::from);
                let new = modified(op, old, value, width);
                self.store(pointer, ty, &Datum::Bits(new))?;
                Datum::Bits(old)
            }
            InstKind::AtomicLoad { pointer, ordering: _ } => {
                let ty = types.pointer_parts(ty_of(pointer)).expect("a pointer").0;
                self.load(self.bits(values, pointer)?, ty)?
            }
            InstKind::AtomicStore { pointer, value, ordering: _ } => {
                let ty = types.pointer_parts(ty_of(pointer)).expect("a pointer").0;
                let value = Datum::Bits(self.bits(values, value)?);
                self.store(self.bits(values, pointer)?, ty, &value)?;
                return Ok(None);
            }
            InstKind::AtomicCompareExchange { pointer, comparand, desired, .. } => {
                let ty = types.pointer_parts(ty_of(pointer)).expect("a pointer").0;
                let pointer = self.bits(values, pointer)?;
                let [comparand, desired] = [comparand, desired].map(|v| self.bits(values, v));
                let old = self.load(pointer, ty)?;
                if old == Datum::Bits(comparand?) {
                    self.store(pointer, ty, &Datum::Bits(desired?))?;
                }
                old
            }
            InstKind::GenericTo { .. } => panic!("not supported"),
        }))
    }
}

fn int_binary(op: BinaryOp, left: u64, right: u64, width: u32) -> Run<u64> {
    let (a, b) = (signed(left, width), signed(right, width));
    if matches!(op, BinaryOp::SDiv | BinaryOp::SRem)
        && (b == 0 || (b == -1 && a == signed(1 << (width - 1), width)))
    {
        return Err(Stop::Undefined("division"));
    }
    if matches!(op, BinaryOp::UDiv | BinaryOp::URem) && right == 0 {
        return Err(Stop::Undefined("division"));
    }
    if matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) && right >= u64::from(width) {
        return Err(Stop::Undefined("shift"));
    }
    Ok(match op {
        BinaryOp::IAdd => left.wrapping_add(right),
        BinaryOp::ISub => left.wrapping_sub(right),
        BinaryOp::IMul => left.wrapping_mul(right),
        BinaryOp::SDiv => (a / b) as u64,
        BinaryOp::UDiv => left / right,
        BinaryOp::SRem => (a % b) as u64,
        BinaryOp::URem => left % right,
        BinaryOp::Shl => left << right,
        BinaryOp::LShr => left >> right,
        BinaryOp::AShr => (a >> right) as u64,
        BinaryOp::And => left & right,
        BinaryOp::Or => left | right,
        BinaryOp::Xor => left ^ right,
        other => panic!("{other:?} on integers"),
    })
}

/// What an atomic leaves where `old` was.
fn modified(op: AtomicOp, old: u64, value: u64, width: u32) -> u64 {
    let less = signed(old, width) < signed(value, width);
    match op {
        AtomicOp::IAdd => mask(old.wrapping_add(value), width),
        AtomicOp::ISub => mask(old.wrapping_sub(value), width),
        AtomicOp::And => old & value,
        AtomicOp::Or => old | value,
        AtomicOp::Xor => old ^ value,
        AtomicOp::SMin => {
            if less {
                old
            } else {
                value
            }
        }
        AtomicOp::SMax => {
            if less {
                value
            } else {
                old
            }
        }
        AtomicOp::UMin => old.min(value),
        AtomicOp::UMax => old.max(value),
        AtomicOp::Exchange => value,
        other => panic!("{other:?} is not supported"),
    }
}

/// NaN results are made one NaN, because their bits are not specified.
fn float_binary(op: BinaryOp, left: u64, right: u64, width: u32) -> Run<u64> {
    macro_rules! compute {
        ($float:ident, $bits:ident) => {{
            let (a, b) = ($float::from_bits(left as $bits), $float::from_bits(right as $bits));
            let value = match op {
                BinaryOp::FAdd => a + b,
                BinaryOp::FSub => a - b,
                BinaryOp::FMul => a * b,
                BinaryOp::FDiv => a / b,
                BinaryOp::FRem => a % b,
                other => panic!("{other:?} on floats"),
            };
            u64::from((if value.is_nan() { $float::NAN } else { value }).to_bits())
        }};
    }
    Ok(match width {
        32 => compute!(f32, u32),
        64 => compute!(f64, u64),
        _ => panic!("no half arithmetic here"),
    })
}

fn compare(op: CompareOp, left: u64, right: u64, width: u32) -> bool {
    let (a, b) = (signed(left, width), signed(right, width));
    let float = |bits: u64| {
        if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
    };
    match op {
        CompareOp::Equal => left == right,
        CompareOp::NotEqual => left != right,
        CompareOp::SLess => a < b,
        CompareOp::SLessEqual => a <= b,
        CompareOp::SGreater => a > b,
        CompareOp::SGreaterEqual => a >= b,
        CompareOp::ULess => left < right,
        CompareOp::ULessEqual => left <= right,
        CompareOp::UGreater => left > right,
        CompareOp::UGreaterEqual => left >= right,
        CompareOp::FEqual => float(left) == float(right),
        CompareOp::FNotEqual => float(left) != float(right),
        CompareOp::FLess => float(left) < float(right),
        CompareOp::FLessEqual => float(left) <= float(right),
        CompareOp::FGreater => float(left) > float(right),
        CompareOp::FGreaterEqual => float(left) >= float(right),
    }
}

fn convert(op: ConvertOp, bits: u64, width: u32, to: u32) -> Run<u64> {
    let float = || {
        if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
    };
    // NaN has no bits that anybody promises.
    let nan = f64::NAN;
    let bits_of = |value: f64| {
        if to == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() }
    };
    Ok(match op {
        ConvertOp::Truncate => mask(bits, to),
        ConvertOp::ZeroExtend => bits,
        ConvertOp::SignExtend => mask(signed(bits, width) as u64, to),
        ConvertOp::FToS => {
            let value = float().trunc();
            let limit = (1u64 << (to - 1)) as f64;
            if !(value >= -limit && value < limit) {
                return Err(Stop::Undefined("conversion"));
            }
            mask(value as i64 as u64, to)
        }
        ConvertOp::FToU => {
            let value = float().trunc();
            if !(value >= 0.0 && value < 2f64.powi(to as i32)) {
                return Err(Stop::Undefined("conversion"));
            }
            value as u64
        }
        ConvertOp::SToF if to == 32 => u64::from((signed(bits, width) as f32).to_bits()),
        ConvertOp::UToF if to == 32 => u64::from((bits as f32).to_bits()),
        ConvertOp::SToF => (signed(bits, width) as f64).to_bits(),
        ConvertOp::UToF => (bits as f64).to_bits(),
        ConvertOp::FToF => bits_of(if float().is_nan() { nan } else { float() }),
        ConvertOp::Bitcast
        | ConvertOp::ToGeneric
        | ConvertOp::FromGeneric
        | ConvertOp::PtrToInt
        | ConvertOp::IntToPtr => mask(bits, to),
        other => panic!("{other:?} is not supported"),
    })
}
