//! A shorthand for writing expansions: arithmetic on scalars and vectors alike.

use std::ops::{Deref, DerefMut};

use clc_builtins::Intrinsic;
use clc_builtins::profile::{DeviceProfile, Instruction};
use clc_ir::{BinaryOp, Builder, CompareOp, ConvertOp, Type, TypePool, UnaryOp, Value};
use clc_passes::uniform_extremes;

use super::formats::{self, Format};

/// Appends instructions, as [`Builder`] does; every operand may be a vector.
pub(super) struct Code<'a, 'b> {
    pub builder: &'a mut Builder<'b>,
    pub halves: Halves,
    pub extremes: Extremes,
}

/// How the least and the greatest of integers are made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extremes {
    /// By the functions, which are instructions of shaders.
    Called,
    /// By comparisons, where a function would be looked for in a library.
    Compared,
}

/// Which instructions of halves are known to be exact, or to round right, on the device.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Halves {
    /// Of words of two.
    pub pack: bool,
    /// As above.
    pub unpack: bool,
    /// Of what is stored in a buffer.
    pub store: bool,
}

impl Halves {
    pub fn of(profile: &DeviceProfile) -> Halves {
        Halves {
            pack: profile.is_within(Instruction::PackHalf, 0.5, false),
            unpack: profile.is_within(Instruction::UnpackHalf, 0.5, false),
            store: profile.is_within(Instruction::StoreHalf, 0.5, false),
        }
    }
}

impl<'b> Deref for Code<'_, 'b> {
    type Target = Builder<'b>;

    fn deref(&self) -> &Builder<'b> {
        self.builder
    }
}

impl DerefMut for Code<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.builder
    }
}

macro_rules! binary {
    ($($name:ident = $op:ident;)*) => {
        $(pub fn $name(&mut self, left: Value, right: Value) -> Value {
            self.binary(BinaryOp::$op, left, right)
        })*
    };
}

macro_rules! compare {
    ($($name:ident = $op:ident;)*) => {
        $(pub fn $name(&mut self, left: Value, right: Value) -> Value {
            self.compare(CompareOp::$op, left, right)
        })*
    };
}

/// By a constant count, which is less than the width.
macro_rules! shift {
    ($($name:ident = $op:ident;)*) => {
        $(pub fn $name(&mut self, value: Value, count: u32) -> Value {
            if count == 0 {
                return value;
            }
            let count = self.int_like(value, u64::from(count));
            self.binary(BinaryOp::$op, value, count)
        })*
    };
}

impl Code<'_, '_> {
    binary! {
        iadd = IAdd;
        isub = ISub;
        imul = IMul;
        shl_by = Shl;
        lshr_by = LShr;
        ashr_by = AShr;
        and = And;
        or = Or;
        xor = Xor;
        fadd = FAdd;
        fsub = FSub;
        fmul = FMul;
        fdiv = FDiv;
    }

    shift! {
        shl = Shl;
        lshr = LShr;
        ashr = AShr;
    }

    compare! {
        equal = Equal;
        not_equal = NotEqual;
        slt = SLess;
        ult = ULess;
        ugt = UGreater;
        uge = UGreaterEqual;
        feq = FEqual;
        flt = FLess;
        fle = FLessEqual;
        fgt = FGreater;
        fge = FGreaterEqual;
    }

    pub fn not(&mut self, value: Value) -> Value {
        self.unary(UnaryOp::Not, value)
    }

    pub fn ineg(&mut self, value: Value) -> Value {
        self.unary(UnaryOp::INeg, value)
    }

    /// Width of the scalar of a number's type.
    pub fn width(&self, value: Value) -> u32 {
        u32::from(self.types.scalar_bits(self.ty(value)).unwrap_or(32))
    }

    pub fn lanes_of(&self, value: Value) -> u8 {
        self.types.lanes(self.ty(value))
    }

    /// The scalar constant in every component of `ty`.
    fn repeated(&mut self, ty: Type, scalar: Value, is_zero: bool) -> Value {
        if is_zero && self.types.lanes(ty) > 1 { self.zero(ty) } else { self.splat(ty, scalar) }
    }

    /// An integer constant in every component of `ty`.
    pub fn ints(&mut self, ty: Type, value: u64) -> Value {
        let scalar = self.types.scalar(ty);
        let scalar = self.int(scalar, value);
        self.repeated(ty, scalar, value == 0)
    }

    /// An integer constant of the type of `like`.
    pub fn int_like(&mut self, like: Value, value: u64) -> Value {
        let ty = self.ty(like);
        self.ints(ty, value)
    }

    /// A float constant in every component of `ty`, given by its bits.
    pub fn float_bits(&mut self, ty: Type, bits: u64) -> Value {
        let scalar = self.types.scalar(ty);
        let scalar = self.consts.intern(clc_ir::Const::Float(scalar, bits));
        self.repeated(ty, scalar, bits == 0)
    }

    /// A float constant in every component of `ty`, rounded to nearest.
    pub fn floats(&mut self, ty: Type, value: f64) -> Value {
        let bits = formats::encode(self.format(ty), value);
        self.float_bits(ty, bits)
    }

    pub fn float_like(&mut self, like: Value, value: f64) -> Value {
        let ty = self.ty(like);
        self.floats(ty, value)
    }

    /// The format of the scalar of a float type.
    pub fn format(&self, ty: Type) -> Format {
        Format::of_width(self.types.scalar_bits(ty).unwrap_or(32))
    }

    pub fn format_of(&self, value: Value) -> Format {
        self.format(self.ty(value))
    }

    /// The type of integers of `bits` bits, in as many lanes as `ty` has.
    pub fn ints_of(&mut self, ty: Type, bits: u32) -> Type {
        let scalar = self.types.int(bits as u8);
        self.types.with_scalar(ty, scalar)
    }

    /// Widened or cut to integers of `bits` bits.
    fn resized(&mut self, value: Value, bits: u32, widening: ConvertOp) -> Value {
        let ty = self.ty(value);
        let to = self.ints_of(ty, bits);
        match self.width(value).cmp(&bits) {
            std::cmp::Ordering::Less => self.convert(widening, value, to),
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.convert(ConvertOp::Truncate, value, to),
        }
    }

    pub fn zero_extended(&mut self, value: Value, bits: u32) -> Value {
        self.resized(value, bits, ConvertOp::ZeroExtend)
    }

    pub fn sign_extended(&mut self, value: Value, bits: u32) -> Value {
        self.resized(value, bits, ConvertOp::SignExtend)
    }

    /// To `bits` bits; for widening, `signed` says how.
    pub fn extended(&mut self, value: Value, bits: u32, signed: bool) -> Value {
        if signed { self.sign_extended(value, bits) } else { self.zero_extended(value, bits) }
    }

    /// The bits of floats as integers of their width; integers stay.
    pub fn bits(&mut self, value: Value) -> Value {
        let (ty, width) = (self.ty(value), self.width(value));
        let to = self.ints_of(ty, width);
        self.bitcast(value, to)
    }

    /// Booleans as integers of type `ty`: 1 or, in vectors, -1 (OpenCL C 6.15.6).
    pub fn truth(&mut self, condition: Value, ty: Type) -> Value {
        let truth = if self.types.lanes(ty) == 1 { 1 } else { u64::MAX };
        let truth = self.ints(ty, truth);
        let falsehood = self.ints(ty, 0);
        self.select(condition, truth, falsehood)
    }

    /// A call that gives a value of type `ty`.
    pub fn call(&mut self, intrinsic: Intrinsic, arguments: &[Value], ty: Type) -> Value {
        match self.intrinsic(intrinsic, arguments, ty) {
            Some(value) => value,
            None => self.undef(ty),
        }
    }

    /// A call whose operands and result have one type.
    pub fn call_alike(&mut self, intrinsic: Intrinsic, arguments: &[Value]) -> Value {
        let ty = self.ty(arguments[0]);
        self.call(intrinsic, arguments, ty)
    }

    pub fn smin(&mut self, left: Value, right: Value) -> Value {
        self.extreme(Intrinsic::SMin, [left, right])
    }

    pub fn smax(&mut self, left: Value, right: Value) -> Value {
        self.extreme(Intrinsic::SMax, [left, right])
    }

    pub fn umin(&mut self, left: Value, right: Value) -> Value {
        self.extreme(Intrinsic::UMin, [left, right])
    }

    pub fn umax(&mut self, left: Value, right: Value) -> Value {
        self.extreme(Intrinsic::UMax, [left, right])
    }

    fn extreme(&mut self, intrinsic: Intrinsic, values: [Value; 2]) -> Value {
        let compared = match self.extremes {
            Extremes::Called => None,
            Extremes::Compared => uniform_extremes::compared(self.builder, intrinsic, &values),
        };
        compared.unwrap_or_else(|| self.call_alike(intrinsic, &values))
    }

    /// Component `lane`; a scalar is its own only component.
    pub fn lane(&mut self, value: Value, lane: u8) -> Value {
        if self.lanes_of(value) == 1 { value } else { self.extract(value, &[u32::from(lane)]) }
    }

    pub fn bool_type(&mut self, like: Value) -> Type {
        let ty = self.ty(like);
        self.types.with_scalar(ty, TypePool::BOOL)
    }
}
