//! Exact evaluation of operations on constants.
//!
//! Nothing is folded that could differ from what a device computes: results that are NaN (their
//! payload is not specified), divisions by zero, and conversions out of range stay.

mod scalars;

use clc_base::Arena;
use clc_builtins::resolve::Rounding;
use clc_ir::{
    BinaryOp, CompareOp, Const, ConstPool, ConvertOp, Global, GlobalId, StorageClass, Type,
    TypeKind, TypePool, UnaryOp, Value,
};
use rustc_apfloat::Round;
use rustc_apfloat::ieee::{Double, Half, Single};

pub(crate) use scalars::{exact_reciprocal, mask, one, sign_extend};
use scalars::{
    float_binary, float_compare, float_to_float, float_to_int, int_binary, int_compare,
    int_to_float, signed_range,
};

/// Evaluates operations on constants of one module.
pub struct Folder<'a> {
    /// Types that results may add to.
    pub types: &'a mut TypePool,
    /// The constants that operands are in, and results.
    pub consts: &'a mut ConstPool,
}

impl Folder<'_> {
    /// The integer constant of type `ty` with the low bits of `bits`.
    pub fn int(&mut self, ty: Type, bits: u64) -> Value {
        let width = self.types.scalar_bits(ty).unwrap_or(64);
        self.consts.intern(Const::Int(ty, mask(bits, width)))
    }

    /// A boolean constant.
    pub fn bool(&mut self, value: bool) -> Value {
        self.consts.intern(Const::Bool(value))
    }

    /// Whether a value is the undefined constant of its type.
    pub fn is_undef(&self, value: Value) -> bool {
        matches!(value.as_const().map(|id| self.consts.get(id)), Some(Const::Undef(_)))
    }

    /// The bits of a constant integer, float or boolean.
    pub fn scalar_bits(&self, value: Value) -> Option<u64> {
        match self.consts.get(value.as_const()?) {
            Const::Bool(value) => Some(u64::from(*value)),
            Const::Int(_, bits) | Const::Float(_, bits) => Some(*bits),
            _ => None,
        }
    }

    /// The bits that every component of a constant scalar or vector has.
    pub fn splat_bits(&self, value: Value) -> Option<u64> {
        match self.consts.get(value.as_const()?) {
            Const::Bool(value) => Some(u64::from(*value)),
            Const::Int(_, bits) | Const::Float(_, bits) => Some(*bits),
            Const::Null(ty) if matches!(self.types.kind(*ty), TypeKind::Vector(..)) => Some(0),
            Const::Composite(ty, parts) if matches!(self.types.kind(*ty), TypeKind::Vector(..)) => {
                let first = parts[0];
                if parts.iter().all(|&part| part == first) { self.scalar_bits(first) } else { None }
            }
            _ => None,
        }
    }

    /// A constant of a scalar or vector type whose components all have these bits.
    pub fn splat(&mut self, ty: Type, bits: u64) -> Value {
        let scalar = self.types.scalar(ty);
        let element = self.scalar(scalar, bits);
        match self.types.lanes(ty) {
            1 => element,
            lanes if bits == 0 && scalar != TypePool::BOOL => {
                let _ = lanes;
                self.consts.intern(Const::Null(ty))
            }
            lanes => {
                self.consts.intern(Const::Composite(ty, vec![element; usize::from(lanes)].into()))
            }
        }
    }

    pub(crate) fn scalar(&mut self, ty: Type, bits: u64) -> Value {
        match self.types.kind(ty) {
            TypeKind::Bool => self.bool(bits != 0),
            TypeKind::Float(width) => self.consts.intern(Const::Float(ty, mask(bits, width))),
            _ => self.int(ty, bits),
        }
    }

    /// Zero of any type that may live in memory; false for booleans.
    pub fn zero(&mut self, ty: Type) -> Value {
        clc_ir::builder::zero(self.types, self.consts, ty)
    }

    /// The undefined constant of a type.
    pub fn undef(&mut self, ty: Type) -> Value {
        self.consts.intern(Const::Undef(ty))
    }

    /// Component `index` of a constant aggregate.
    pub fn component(&mut self, value: Value, index: u32) -> Option<Value> {
        let id = value.as_const()?;
        let ty = self.consts.ty(id);
        match self.consts.get(id) {
            Const::Composite(_, parts) if (index as usize) < parts.len() => {
                Some(parts[index as usize])
            }
            // What the constant of a long array leaves out is zero.
            Const::Composite(..) | Const::Null(_) => {
                let component = self.types.component(ty, index)?;
                Some(self.zero(component))
            }
            Const::Undef(_) => {
                let component = self.types.component(ty, index)?;
                Some(self.undef(component))
            }
            _ => None,
        }
    }

    /// The scalar or vector that constant indices name in a constant table.
    pub(crate) fn table_element(
        &mut self,
        globals: &Arena<GlobalId, Global>,
        table: Value,
        indices: &[Value],
    ) -> Option<Value> {
        let Const::GlobalAddress(_, id) = self.consts.get(table.as_const()?) else { return None };
        let global = &globals[*id];
        if !global.is_const || global.class != StorageClass::UniformConstant {
            return None;
        }
        let mut value = global.initializer?;
        for &index in indices {
            let index = u32::try_from(self.scalar_bits(index)?).ok()?;
            value = self.component(value, index)?;
        }
        match self.types.kind(self.consts.ty(value.as_const()?)) {
            TypeKind::Array(..) | TypeKind::Struct(_) => None,
            _ => Some(value),
        }
    }

    /// A constant aggregate, canonical: all zero is `Null`, all undefined is `Undef`.
    pub fn composite(&mut self, ty: Type, parts: Vec<Value>) -> Value {
        if parts.iter().all(|&part| self.is_undef(part)) {
            return self.undef(ty);
        }
        let is_zero = |value: Value, consts: &ConstPool| match value.as_const() {
            Some(id) => {
                matches!(consts.get(id), Const::Int(_, 0) | Const::Float(_, 0) | Const::Null(_))
            }
            None => false,
        };
        if parts.iter().all(|&part| is_zero(part, self.consts)) {
            return self.consts.intern(Const::Null(ty));
        }
        self.consts.intern(Const::Composite(ty, parts.into()))
    }

    /// Applies `operation` to each component and puts the results together.
    fn each_lane(
        &mut self,
        result: Type,
        operation: impl Fn(&mut Self, u32) -> Option<Value>,
    ) -> Option<Value> {
        let lanes = u32::from(self.types.lanes(result));
        let parts: Option<Vec<Value>> = (0..lanes).map(|lane| operation(self, lane)).collect();
        Some(self.composite(result, parts?))
    }

    /// Whether a pointer type has constants. An address in a buffer of a shader is made a pointer by
    /// an instruction only: SPIR-V has no null for PhysicalStorageBuffer, and no constant conversions
    /// without Kernel.
    fn has_constants(&self, pointer: Type) -> bool {
        let class = self.types.pointer_parts(pointer).map(|(_, class)| class);
        !matches!(class, Some(StorageClass::PhysicalStorageBuffer | StorageClass::ReadOnlyBuffer))
    }

    fn is_vector(&self, ty: Type) -> bool {
        self.types.lanes(ty) > 1
    }

    /// `op` on two constants of one type, by component; `None` if an operand is no constant or the
    /// result is left to the device.
    pub fn binary(&mut self, op: BinaryOp, left: Value, right: Value) -> Option<Value> {
        let ty = self.consts.ty(left.as_const()?);
        right.as_const()?;
        if self.is_vector(ty) {
            return self.each_lane(ty, |folder, lane| {
                let left = folder.component(left, lane)?;
                let right = folder.component(right, lane)?;
                folder.binary(op, left, right)
            });
        }
        let (left, right) = (self.scalar_bits(left)?, self.scalar_bits(right)?);
        let bits = match self.types.kind(ty) {
            TypeKind::Bool => match op {
                BinaryOp::And => left & right,
                BinaryOp::Or => left | right,
                BinaryOp::Xor => left ^ right,
                _ => return None,
            },
            TypeKind::Int(width) => int_binary(op, left, right, width)?,
            TypeKind::Float(16) => float_binary::<Half>(op, left, right)?,
            TypeKind::Float(32) => float_binary::<Single>(op, left, right)?,
            TypeKind::Float(64) => float_binary::<Double>(op, left, right)?,
            _ => return None,
        };
        Some(self.scalar(ty, bits))
    }

    /// `op` on a constant, by component; `None` if the operand is no number.
    pub fn unary(&mut self, op: UnaryOp, operand: Value) -> Option<Value> {
        let ty = self.consts.ty(operand.as_const()?);
        if self.is_vector(ty) {
            return self.each_lane(ty, |folder, lane| {
                let operand = folder.component(operand, lane)?;
                folder.unary(op, operand)
            });
        }
        let bits = self.scalar_bits(operand)?;
        let width = self.types.scalar_bits(ty).unwrap_or(1);
        let bits = match op {
            UnaryOp::INeg => bits.wrapping_neg(),
            UnaryOp::Not if ty == TypePool::BOOL => bits ^ 1,
            UnaryOp::Not => !bits,
            UnaryOp::FNeg => bits ^ 1 << (width - 1),
        };
        Some(self.scalar(ty, bits))
    }

    /// The boolean, or vector of booleans, that a comparison of two constants has as its result;
    /// `None` if an operand is no constant or an address that is not null.
    pub fn compare(&mut self, op: CompareOp, left: Value, right: Value) -> Option<Value> {
        let ty = self.consts.ty(left.as_const()?);
        right.as_const()?;
        if self.is_vector(ty) {
            let result = self.types.with_scalar(ty, TypePool::BOOL);
            return self.each_lane(result, |folder, lane| {
                let left = folder.component(left, lane)?;
                let right = folder.component(right, lane)?;
                folder.compare(op, left, right)
            });
        }
        if self.types.is_pointer(ty) {
            let null = |value: Value, consts: &ConstPool| {
                value.as_const().is_some_and(|id| matches!(consts.get(id), Const::Null(_)))
            };
            if !null(left, self.consts) || !null(right, self.consts) {
                return None;
            }
            return match op {
                CompareOp::Equal => Some(self.bool(true)),
                CompareOp::NotEqual => Some(self.bool(false)),
                _ => None,
            };
        }
        let (left, right) = (self.scalar_bits(left)?, self.scalar_bits(right)?);
        let result = match self.types.kind(ty) {
            TypeKind::Bool => int_compare(op, left, right, 1)?,
            TypeKind::Int(width) => int_compare(op, left, right, width)?,
            TypeKind::Float(16) => float_compare::<Half>(op, left, right)?,
            TypeKind::Float(32) => float_compare::<Single>(op, left, right)?,
            TypeKind::Float(64) => float_compare::<Double>(op, left, right)?,
            _ => return None,
        };
        Some(self.bool(result))
    }

    /// `then` or `otherwise` where the condition is constant; a vector of conditions chooses by
    /// component, and then both have to be constants.
    pub fn select(&mut self, condition: Value, then: Value, otherwise: Value) -> Option<Value> {
        let id = condition.as_const()?;
        match self.consts.get(id) {
            Const::Bool(true) => Some(then),
            Const::Bool(false) => Some(otherwise),
            Const::Composite(..) => {
                let ty = self.consts.ty(then.as_const()?);
                otherwise.as_const()?;
                self.each_lane(ty, |folder, lane| {
                    let condition = folder.component(condition, lane)?;
                    let then = folder.component(then, lane)?;
                    let otherwise = folder.component(otherwise, lane)?;
                    folder.select(condition, then, otherwise)
                })
            }
            _ => None,
        }
    }

    /// A constant converted to the type `to`; `None` if it is no number or out of the range of
    /// `to`, where the result is left to the device.
    pub fn convert(
        &mut self,
        op: ConvertOp,
        operand: Value,
        to: Type,
        rounding: Option<Rounding>,
        saturate: bool,
    ) -> Option<Value> {
        let from = self.consts.ty(operand.as_const()?);
        if op == ConvertOp::Bitcast {
            return self.bitcast(operand, from, to);
        }
        if op == ConvertOp::IntToPtr && !self.has_constants(to) {
            return None;
        }
        if self.is_undef(operand) {
            // Widening does not give every bit pattern; zero is one of those it does give.
            return Some(match op {
                ConvertOp::Truncate | ConvertOp::FToF => self.undef(to),
                _ => self.zero(to),
            });
        }
        if self.is_vector(from) {
            let scalar = self.types.scalar(to);
            return self.each_lane(to, |folder, lane| {
                let operand = folder.component(operand, lane)?;
                folder.convert(op, operand, scalar, rounding, saturate)
            });
        }
        let null = matches!(self.consts.get(operand.as_const()?), Const::Null(_));
        match op {
            ConvertOp::PtrToInt if null => return Some(self.int(to, 0)),
            ConvertOp::ToGeneric | ConvertOp::FromGeneric if null => return Some(self.zero(to)),
            _ => {}
        }
        let bits = self.scalar_bits(operand)?;
        let width = self.types.scalar_bits(from)?;
        let to_width = self.types.scalar_bits(to);
        let round = |default: Round| match rounding {
            None => default,
            Some(Rounding::NearestEven) => Round::NearestTiesToEven,
            Some(Rounding::TowardZero) => Round::TowardZero,
            Some(Rounding::TowardPositive) => Round::TowardPositive,
            Some(Rounding::TowardNegative) => Round::TowardNegative,
        };
        let result = match op {
            ConvertOp::Truncate | ConvertOp::ZeroExtend => bits,
            ConvertOp::SignExtend => sign_extend(bits, width) as u64,
            ConvertOp::SaturateSToS => {
                let (min, max) = signed_range(to_width?);
                sign_extend(bits, width).clamp(min, max) as u64
            }
            ConvertOp::SaturateSToU => {
                let value = sign_extend(bits, width);
                if value < 0 { 0 } else { (value as u64).min(mask(u64::MAX, to_width?)) }
            }
            ConvertOp::SaturateUToS => bits.min(signed_range(to_width?).1 as u64),
            ConvertOp::SaturateUToU => bits.min(mask(u64::MAX, to_width?)),
            ConvertOp::FToS => {
                float_to_int(width, bits, to_width?, true, round(Round::TowardZero), saturate)?
            }
            ConvertOp::FToU => {
                float_to_int(width, bits, to_width?, false, round(Round::TowardZero), saturate)?
            }
            ConvertOp::SToF => {
                let value = i128::from(sign_extend(bits, width));
                int_to_float(to_width?, value, round(Round::NearestTiesToEven))?
            }
            ConvertOp::UToF => {
                int_to_float(to_width?, i128::from(bits), round(Round::NearestTiesToEven))?
            }
            ConvertOp::FToF => {
                float_to_float(width, bits, to_width?, round(Round::NearestTiesToEven))?
            }
            ConvertOp::IntToPtr if bits == 0 => return Some(self.zero(to)),
            ConvertOp::IntToPtr
            | ConvertOp::PtrToInt
            | ConvertOp::ToGeneric
            | ConvertOp::FromGeneric
            | ConvertOp::Bitcast => return None,
        };
        Some(self.scalar(to, result))
    }

    /// Components in memory order, the first in the lowest bits.
    fn bitcast(&mut self, operand: Value, from: Type, to: Type) -> Option<Value> {
        if from == to {
            return Some(operand);
        }
        match self.consts.get(operand.as_const()?) {
            Const::Undef(_) => return Some(self.undef(to)),
            Const::Null(_) => return Some(self.zero(to)),
            _ => {}
        }
        let from_width = u32::from(self.types.scalar_bits(from)?);
        let to_width = u32::from(self.types.scalar_bits(to)?);
        let (from_lanes, to_lanes) = (self.types.lanes(from), self.types.lanes(to));
        if from_width * u32::from(from_lanes) != to_width * u32::from(to_lanes) {
            return None;
        }
        let mut bytes: Vec<u8> = Vec::new();
        for lane in 0..u32::from(from_lanes) {
            let part = if from_lanes == 1 { operand } else { self.component(operand, lane)? };
            let bits = self.scalar_bits(part)?;
            bytes.extend_from_slice(&bits.to_le_bytes()[..from_width as usize / 8]);
        }
        let scalar = self.types.scalar(to);
        let parts: Vec<Value> = bytes
            .chunks(to_width as usize / 8)
            .map(|chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                self.scalar(scalar, u64::from_le_bytes(word))
            })
            .collect();
        match parts.as_slice() {
            &[only] => Some(only),
            _ => Some(self.composite(to, parts)),
        }
    }

    /// A shuffle of two constants.
    pub fn shuffle(&mut self, left: Value, right: Value, mask: &[u32], ty: Type) -> Option<Value> {
        let lanes = u32::from(self.types.lanes(self.consts.ty(left.as_const()?)));
        right.as_const()?;
        let element = self.types.scalar(ty);
        let parts: Option<Vec<Value>> = mask
            .iter()
            .map(|&index| match index {
                u32::MAX => Some(self.undef(element)),
                index if index < lanes => self.component(left, index),
                index => self.component(right, index - lanes),
            })
            .collect();
        Some(self.composite(ty, parts?))
    }

    /// A constant aggregate with one part replaced.
    pub fn insert(&mut self, aggregate: Value, element: Value, path: &[u32]) -> Option<Value> {
        let Some((&index, rest)) = path.split_first() else { return Some(element) };
        let ty = self.consts.ty(aggregate.as_const()?);
        element.as_const()?;
        let count = match self.types.kind(ty) {
            TypeKind::Vector(_, count) => u64::from(count),
            TypeKind::Array(_, len) => len,
            TypeKind::Struct(id) => self.types.struct_data(id).fields.len() as u64,
            _ => return None,
        };
        // Building big tables element by element would be quadratic.
        if count > 16 {
            return None;
        }
        let mut parts: Vec<Value> = (0..count as u32)
            .map(|index| self.component(aggregate, index))
            .collect::<Option<_>>()?;
        let place = parts.get(index as usize).copied()?;
        parts[index as usize] = self.insert(place, element, rest)?;
        Some(self.composite(ty, parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder<R>(test: impl FnOnce(&mut Folder<'_>) -> R) -> R {
        let mut types = TypePool::new(8);
        let mut consts = ConstPool::new();
        test(&mut Folder { types: &mut types, consts: &mut consts })
    }

    #[test]
    fn integers_wrap_and_undefined_operations_stay() {
        assert_eq!(int_binary(BinaryOp::SDiv, 0x80, 0xff, 8), None);
        assert_eq!(int_binary(BinaryOp::UDiv, 1, 0, 32), None);
        assert_eq!(int_binary(BinaryOp::Shl, 1, 32, 32), None);
        assert_eq!(int_binary(BinaryOp::AShr, 0x80, 3, 8).map(|bits| mask(bits, 8)), Some(0xf0));
        assert_eq!(int_binary(BinaryOp::SRem, 0xf9, 3, 8).map(|bits| mask(bits, 8)), Some(0xff));
    }

    #[test]
    fn floats_round_to_nearest_even_and_nan_stays() {
        let add = |left: f32, right: f32| {
            float_binary::<Single>(BinaryOp::FAdd, left.to_bits().into(), right.to_bits().into())
        };
        assert_eq!(add(16777216.0, 1.0), Some(16777216f32.to_bits().into()));
        assert_eq!(add(16777216.0, 3.0), Some(16777220f32.to_bits().into()));
        assert_eq!(add(-0.0, 0.0), Some(0));
        assert_eq!(add(f32::INFINITY, f32::NEG_INFINITY), None);
        let divide = float_binary::<Single>(BinaryOp::FDiv, one(32), 0);
        assert_eq!(divide, None);
    }

    #[test]
    fn conversions_out_of_range_fold_only_when_saturating() {
        let bits = u64::from(300f32.to_bits());
        assert_eq!(float_to_int(32, bits, 8, false, Round::TowardZero, false), None);
        assert_eq!(float_to_int(32, bits, 8, false, Round::TowardZero, true), Some(255));
        let bits = u64::from((-1.5f32).to_bits());
        assert_eq!(
            float_to_int(32, bits, 8, true, Round::NearestTiesToEven, false).map(|b| mask(b, 8)),
            Some(0xfe)
        );
    }

    #[test]
    fn bitcast_keeps_the_first_component_lowest() {
        folder(|folder| {
            let word = folder.int(TypePool::I32, 0x0403_0201);
            let bytes = folder.types.vector(TypePool::I8, 4);
            let vector = folder.convert(ConvertOp::Bitcast, word, bytes, None, false).unwrap();
            let first = folder.component(vector, 0).unwrap();
            assert_eq!(folder.scalar_bits(first), Some(1));
            let back = folder.convert(ConvertOp::Bitcast, vector, TypePool::I32, None, false);
            assert_eq!(back, Some(word));
        });
    }

    #[test]
    fn only_powers_of_two_have_an_exact_reciprocal() {
        assert_eq!(exact_reciprocal(32, 4f32.to_bits().into()), Some(0.25f32.to_bits().into()));
        assert_eq!(exact_reciprocal(32, 3f32.to_bits().into()), None);
    }
}
