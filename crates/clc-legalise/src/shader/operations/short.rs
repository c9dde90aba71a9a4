//! What few instructions compute becomes these instead of the call of a function.
//!
//! OpenCL has a function for nearly everything. Drivers that have them in a library look for each that a module names, by name
//! and type, a hundred times on their way, and then make it part of the module: Intel's, which needs 10 ms for a short
//! kernel, takes 1.5 ms more for each, however short the function is. Of 59 kernels 39 take it 0.65 to 0.98 of the
//! time so.
//!
//! ```text
//! m = u_min x, y       ->   m = select (x <u y), x, y
//! m = mix x, y, a      ->   m = x + (y - x) * a
//! m = mad x, y, z      ->   m = x * y + z               not in loops
//! ```
//!
//! Nothing is gained unless all calls of a function go, so none does where one stays. Those stay that decide what else a
//! driver does: whether it writes out loops in each other (of a filter of 5 by 5 whose indices are clamped, which it then
//! takes 1.5 times as long to build), and whether it makes vectors of work-items, which it does not around conversions that
//! saturate, and better does not where they are in loops.

use clc_base::Id as _;
use clc_builtins::Intrinsic;
use clc_builtins::resolve::Rounding;
use clc_ir::rewrite::{self, Expansion};
use clc_ir::{
    Cfg, CompareOp, Const, ConstPool, ConvertOp, Function, Inst, InstKind, MathFlags, Module, Type,
    TypePool, Value,
};
use clc_passes::context::each_function;
use clc_passes::{keep_loops, uniform_extremes};
use rustc_hash::FxHashMap;

use super::code::{Code, Extremes, Halves};
use super::formats::Format;
use super::{common, integer, relational};

/// Calls of a function beyond which a module would grow more than a driver saves.
const MAX_CALLS: usize = 32;

/// Calls of a function that is one instruction of processors, but two or three without it.
const MAX_LONGER: usize = 4;

/// A function as drivers name it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Name {
    /// By what it computes of which type.
    Call(Intrinsic, Type),
    /// A conversion that saturates, by the types.
    Conversion(ConvertOp, Type, Type),
}

/// Rewrites the calls of a module.
pub(crate) fn run(module: &mut Module) {
    let mut names: FxHashMap<Name, usize> = FxHashMap::default();
    each_function(module, |context, function| {
        for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
            if let Some(name) = name(function, inst, |value| context.type_of(function, value)) {
                *names.entry(name).or_default() += 1;
            }
        }
    });
    names.retain(|name, count| {
        let is_longer = matches!(name, Name::Call(Intrinsic::Mad | Intrinsic::Fabs, _));
        *count <= if is_longer { MAX_LONGER } else { MAX_CALLS }
    });
    if names.is_empty() {
        return;
    }
    each_function(module, |context, function| {
        let (mut in_nests, mut in_loops) = (None, None);
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                let type_of = |value| context.type_of(function, value);
                let name = name(function, inst, type_of);
                let Some(name) = name.filter(|name| names.contains_key(name)) else { continue };
                let in_nests = in_nests
                    .get_or_insert_with(|| keep_loops::short_loops_in_loops(context, function));
                let in_loops = in_loops.get_or_insert_with(|| Cfg::new(function).blocks_in_loops());
                let is_straight = in_loops.get(block.index()) == Some(&false);
                if in_nests.contains(&block)
                    || !is_short(context.types, context.consts, function, inst, name, is_straight)
                {
                    names.remove(&name);
                }
            }
        }
    });
    if names.is_empty() {
        return;
    }
    let is_candidate =
        |kind: &InstKind| matches!(kind, InstKind::Intrinsic { .. } | InstKind::Convert { .. });
    let Module { types, consts, functions, .. } = module;
    for function in functions.values_mut().filter(|function| !function.is_declaration()) {
        rewrite::expand(types, consts, function, is_candidate, |builder, inst| {
            let name = name(builder.function, inst, |value| builder.ty(value));
            let Some(name) = name.filter(|name| names.contains_key(name)) else {
                return Expansion::Keep;
            };
            let mut code =
                Code { builder, halves: Halves::default(), extremes: Extremes::Compared };
            write_out(&mut code, inst, name).map_or(Expansion::Keep, Expansion::Value)
        });
    }
}

/// The function that an instruction is a call of for drivers, if it may be short.
fn name(function: &Function, inst: Inst, type_of: impl Fn(Value) -> Type) -> Option<Name> {
    use ConvertOp as C;
    use Intrinsic as I;
    let data = &function.insts[inst];
    match data.kind {
        InstKind::Intrinsic { intrinsic, arguments } => {
            let may_be_short = matches!(
                intrinsic,
                I::SMin
                    | I::SMax
                    | I::UMin
                    | I::UMax
                    | I::SClamp
                    | I::UClamp
                    | I::SAbs
                    | I::SAbsDiff
                    | I::UAbsDiff
                    | I::SMulHi
                    | I::UMulHi
                    | I::SAddSat
                    | I::UAddSat
                    | I::SSubSat
                    | I::USubSat
                    | I::SHadd
                    | I::UHadd
                    | I::SRhadd
                    | I::URhadd
                    | I::SMadHi
                    | I::UMadHi
                    | I::SMul24
                    | I::UMul24
                    | I::SMad24
                    | I::UMad24
                    | I::SUpsample
                    | I::UUpsample
                    | I::Rotate
                    | I::Bitselect
                    | I::FMinCommon
                    | I::FMaxCommon
                    | I::FClamp
                    | I::Fmin
                    | I::Fmax
                    | I::Fabs
                    | I::Mad
                    | I::Mix
                    | I::Step
                    | I::Degrees
                    | I::Radians
            );
            let first = function.values_of(arguments).next().filter(|_| may_be_short)?;
            Some(Name::Call(intrinsic, type_of(first)))
        }
        InstKind::Convert { op, operand, rounding, saturate } => {
            let saturates = match op {
                C::FToS | C::FToU => {
                    saturate && matches!(rounding, None | Some(Rounding::TowardZero))
                }
                _ => op.saturates(),
            };
            let result = data.result.filter(|_| saturates)?;
            Some(Name::Conversion(op, type_of(operand), type_of(result)))
        }
        _ => None,
    }
}

/// Whether a call of one of these is short once it is written out.
fn is_short(
    types: &TypePool,
    consts: &ConstPool,
    function: &Function,
    inst: Inst,
    name: Name,
    is_straight: bool,
) -> bool {
    use Intrinsic as I;
    let bits = |ty| types.scalar_bits(ty).unwrap_or(64);
    let data = &function.insts[inst];
    let is_number = |value| data.math.has(MathFlags::NOT_NAN) || is_number(types, consts, value);
    let arguments = || match data.kind {
        InstKind::Intrinsic { arguments, .. } => Some(function.values_of(arguments)),
        _ => None,
    };
    match name {
        Name::Call(I::SMulHi | I::UMulHi | I::SMadHi | I::UMadHi, ty) => bits(ty) <= 32,
        // Processors have instructions for most of these of less.
        Name::Call(
            I::SAddSat
            | I::UAddSat
            | I::SSubSat
            | I::USubSat
            | I::SHadd
            | I::UHadd
            | I::SRhadd
            | I::URhadd,
            ty,
        ) => bits(ty) >= 32,
        Name::Call(I::Fmin | I::Fmax, _) => arguments().is_some_and(|mut all| all.any(is_number)),
        Name::Call(I::FClamp, _) => arguments().is_some_and(|all| all.skip(1).all(is_number)),
        Name::Call(I::Mad, _) => is_straight,
        Name::Call(..) => true,
        // The bounds are floats.
        Name::Conversion(ConvertOp::FToS | ConvertOp::FToU, from, to) => {
            is_straight && u32::from(bits(to)) <= Format::of_width(bits(from)).mantissa
        }
        Name::Conversion(..) => is_straight,
    }
}

/// Whether a float, or each component of a vector, is known not to be NaN.
fn is_number(types: &TypePool, consts: &ConstPool, value: Value) -> bool {
    value.as_const().is_some_and(|id| match consts.get(id) {
        &Const::Float(ty, bits) => {
            let format = Format::of_width(types.scalar_bits(ty).unwrap_or(32));
            bits & format.magnitude_mask() <= format.infinity()
        }
        Const::Null(_) => true,
        Const::Composite(_, parts) => parts.iter().all(|&part| is_number(types, consts, part)),
        _ => false,
    })
}

fn write_out(c: &mut Code<'_, '_>, inst: Inst, name: Name) -> Option<Value> {
    use Intrinsic as I;
    let (intrinsic, arguments) = match (c.function.insts[inst].kind, name) {
        (InstKind::Convert { operand, .. }, Name::Conversion(op, _, to)) => {
            return Some(saturated(c, op, operand, to));
        }
        (InstKind::Intrinsic { intrinsic, arguments }, _) => {
            (intrinsic, c.function.values_of(arguments).collect::<Vec<Value>>())
        }
        _ => return None,
    };
    let one = || arguments.first().copied();
    let two = || <[Value; 2]>::try_from(arguments.as_slice()).ok();
    let three = || <[Value; 3]>::try_from(arguments.as_slice()).ok();
    Some(match intrinsic {
        I::SMin | I::SMax | I::UMin | I::UMax | I::SClamp | I::UClamp => {
            uniform_extremes::compared(c.builder, intrinsic, &arguments)?
        }
        I::SAbs => {
            let value = one()?;
            let (zero, negative) = (c.int_like(value, 0), c.ineg(value));
            let is_negative = c.slt(value, zero);
            c.select(is_negative, negative, value)
        }
        I::SAbsDiff | I::UAbsDiff => {
            let [x, y] = two()?;
            let op =
                if intrinsic == I::SAbsDiff { CompareOp::SGreater } else { CompareOp::UGreater };
            let (down, up) = (c.isub(x, y), c.isub(y, x));
            let is_greater = c.compare(op, x, y);
            c.select(is_greater, down, up)
        }
        I::Rotate => integer::rotate_by_shifts(c, two()?),
        I::SAddSat => integer::add_sat(c, two()?, true),
        I::UAddSat => integer::add_sat(c, two()?, false),
        I::SSubSat => integer::sub_sat(c, two()?, true),
        I::USubSat => integer::sub_sat(c, two()?, false),
        I::SHadd => integer::hadd(c, two()?, true),
        I::UHadd => integer::hadd(c, two()?, false),
        I::SRhadd => integer::rhadd(c, two()?, true),
        I::URhadd => integer::rhadd(c, two()?, false),
        I::SMul24 | I::UMul24 => integer::mul24(c, two()?),
        I::SMad24 | I::UMad24 => integer::mad24(c, three()?),
        I::SUpsample | I::UUpsample => integer::upsample(c, two()?),
        I::SMulHi => mul_hi(c, two()?, true),
        I::UMulHi => mul_hi(c, two()?, false),
        I::SMadHi | I::UMadHi => {
            let [x, y, z] = three()?;
            let high = mul_hi(c, [x, y], intrinsic == I::SMadHi);
            c.iadd(high, z)
        }
        I::Bitselect => relational::bitselect(c, three()?),
        I::Fabs => {
            // Also of zeros, and known to LLVM for what it is.
            let value = one()?;
            let zero = c.float_like(value, 0.0);
            let (is_negative, negative) = (c.fle(value, zero), c.fsub(zero, value));
            c.select(is_negative, negative, value)
        }
        I::FMaxCommon => common::extremum(c, two()?, true),
        I::FMinCommon => common::extremum(c, two()?, false),
        I::Mix => common::mix(c, three()?),
        I::Step => common::step(c, two()?),
        I::Degrees => common::degrees(c, one()?),
        I::Radians => common::radians(c, one()?),
        I::Fmax => nearest_number(c, two()?, CompareOp::FGreater),
        I::Fmin => nearest_number(c, two()?, CompareOp::FLess),
        I::FClamp => {
            let [value, low, high] = three()?;
            let value = nearest(c, [value, low], CompareOp::FGreater);
            nearest(c, [value, high], CompareOp::FLess)
        }
        I::Mad => {
            let [x, y, z] = three()?;
            let product = c.fmul(x, y);
            c.fadd(product, z)
        }
        _ => return None,
    })
}

/// `value` if the comparison with `bound` holds, which it does not if `value` is NaN.
fn nearest(c: &mut Code<'_, '_>, [value, bound]: [Value; 2], op: CompareOp) -> Value {
    let stays = c.compare(op, value, bound);
    c.select(stays, value, bound)
}

/// Between integers, or from floats, with what does not fit replaced by the nearest number that does, and NaN by zero (OpenCL C
/// 6.4.3.3).
fn saturated(c: &mut Code<'_, '_>, op: ConvertOp, value: Value, to: Type) -> Value {
    use ConvertOp as C;
    let bits = u32::from(c.types.scalar_bits(to).unwrap_or(64));
    if matches!(op, C::FToS | C::FToU) {
        let is_signed = op == C::FToS;
        let (low, high) = match is_signed {
            true => (-(2f64.powi(bits as i32 - 1)), 2f64.powi(bits as i32 - 1) - 1.0),
            false => (0.0, 2f64.powi(bits as i32) - 1.0),
        };
        let (low, high) = (c.float_like(value, low), c.float_like(value, high));
        // NaN becomes the lowest.
        let cut = nearest(c, [value, low], CompareOp::FGreater);
        let cut = nearest(c, [cut, high], CompareOp::FLess);
        let number = c.convert(op, cut, to);
        if !is_signed {
            return number;
        }
        let is_nan = c.compare(CompareOp::FNotEqual, value, value);
        let zero = c.ints(to, 0);
        return c.select(is_nan, zero, number);
    }
    super::conversions::saturated_integer(c, op, value, to)
}

/// The same of two floats, one of which is a number.
fn nearest_number(c: &mut Code<'_, '_>, [x, y]: [Value; 2], op: CompareOp) -> Value {
    let order = if is_number(c.types, c.consts, y) { [x, y] } else { [y, x] };
    nearest(c, order, op)
}

fn mul_hi(c: &mut Code<'_, '_>, values: [Value; 2], signed: bool) -> Value {
    let width = c.width(values[0]);
    let [x, y] = values.map(|value| c.extended(value, width * 2, signed));
    let product = c.imul(x, y);
    let high = c.lshr(product, width);
    c.zero_extended(high, width)
}
