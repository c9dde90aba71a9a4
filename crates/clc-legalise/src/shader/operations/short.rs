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
//! m = fmax x, y        ->   m = select (x > y), x, y    if y is not NaN
//! ```
//!
//! Two are worth it by themselves. The bits of vectors of work-items are counted in three dozen operations by such a library,
//! and by one instruction where they are counted in the way that LLVM knows (`integer::popcount_by_sums`): distances of Hamming
//! take 0.17 of the time. And a conversion that rounds takes 1.5 times as long as one of what `floor` or `rint` gives.
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
    Cfg, CompareOp, ConstPool, ConvertOp, Function, Inst, InstKind, Module, Type, TypePool, Value,
};
use clc_passes::context::{ModuleContext, each_function};
use clc_passes::{keep_loops, uniform_extremes};
use rustc_hash::FxHashMap;

use super::code::{Code, Extremes, Halves};
use super::formats::Format;
use super::numbers::Numbers;
use super::{Outcome, Target, conversions, integer, table};

/// Calls of a function beyond which a module would grow more than a driver saves.
const MAX_CALLS: usize = 32;

/// Calls of a function that become [`Length::Longer`].
const MAX_LONGER: usize = 4;

/// A function as drivers name it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Name {
    /// By what it computes of which type.
    Call(Intrinsic, Type),
    /// A conversion that saturates or rounds, by the types.
    Conversion { op: ConvertOp, rounding: Option<Rounding>, saturate: bool, from: Type, to: Type },
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
    names.retain(|_, count| *count <= MAX_CALLS);
    if names.is_empty() {
        return;
    }
    // Calls that are longer than others of their functions.
    let mut longer: FxHashMap<Name, usize> = FxHashMap::default();
    each_function(module, |context, function| {
        let (mut in_nests, mut in_loops) = (None, None);
        let numbers = Numbers::new(function);
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                let type_of = |value| context.type_of(function, value);
                let name = name(function, inst, type_of);
                let Some(name) = name.filter(|name| names.contains_key(name)) else { continue };
                let in_loops = in_loops.get_or_insert_with(|| Cfg::new(function).blocks_in_loops());
                let is_straight = in_loops.get(block.index()) == Some(&false);
                let is_in_nest = !is_straight
                    && in_nests
                        .get_or_insert_with(|| keep_loops::short_loops_in_loops(context, function))
                        .contains(&block);
                let is_short = !is_in_nest
                    && match length(context, &numbers, function, inst, name, is_straight) {
                        Length::Short => true,
                        Length::Longer => {
                            let calls = longer.entry(name).or_default();
                            *calls += 1;
                            *calls <= MAX_LONGER
                        }
                        Length::Long => false,
                    };
                if !is_short {
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
        let numbers = numbers_compared(types, consts, function, &names);
        rewrite::expand(types, consts, function, is_candidate, |builder, inst| {
            let name = name(builder.function, inst, |value| builder.ty(value));
            let Some(name) = name.filter(|name| names.contains_key(name)) else {
                return Expansion::Keep;
            };
            let mut code =
                Code { builder, halves: Halves::default(), extremes: Extremes::Compared };
            write_out(&mut code, inst, name, numbers.get(&inst).copied())
                .map_or(Expansion::Keep, Expansion::Value)
        });
    }
}

/// When a function is short.
enum Rule {
    Short,
    /// One instruction of processors, but two or more without it.
    Longer,
    /// The same, in loops one that does without rounding in the middle.
    LongerInStraightCode,
    UpTo32Bits,
    Over8Bits,
    /// Processors have instructions for most of less.
    From32Bits,
    /// Shorter if an argument is not NaN.
    OfNumbers,
    /// If the bounds are not NaN.
    BetweenNumbers,
}

fn rule(intrinsic: Intrinsic) -> Option<Rule> {
    use Intrinsic as I;
    Some(match intrinsic {
        I::SMin | I::SMax | I::UMin | I::UMax | I::SClamp | I::UClamp => Rule::Short,
        I::SAbs | I::SAbsDiff | I::UAbsDiff | I::Rotate | I::Bitselect => Rule::Short,
        I::SMul24 | I::UMul24 | I::SMad24 | I::UMad24 | I::SUpsample | I::UUpsample => Rule::Short,
        I::FMinCommon | I::FMaxCommon | I::Mix | I::Step | I::Degrees | I::Radians => Rule::Short,
        I::SMulHi | I::UMulHi | I::SMadHi | I::UMadHi => Rule::UpTo32Bits,
        I::Popcount => Rule::Over8Bits,
        I::SAddSat | I::UAddSat | I::SSubSat | I::USubSat => Rule::From32Bits,
        I::SHadd | I::UHadd | I::SRhadd | I::URhadd => Rule::From32Bits,
        I::Fabs => Rule::Longer,
        I::Mad => Rule::LongerInStraightCode,
        I::Fmin | I::Fmax => Rule::OfNumbers,
        I::FClamp => Rule::BetweenNumbers,
        _ => return None,
    })
}

/// How many instructions a call becomes.
enum Length {
    Short,
    /// Short if few calls are.
    Longer,
    Long,
}

/// The function that an instruction is a call of for drivers, if it may be short.
fn name(function: &Function, inst: Inst, type_of: impl Fn(Value) -> Type) -> Option<Name> {
    use ConvertOp as C;
    let data = &function.insts[inst];
    match data.kind {
        InstKind::Intrinsic { intrinsic, arguments } => {
            rule(intrinsic)?;
            let first = function.values_of(arguments).next()?;
            Some(Name::Call(intrinsic, type_of(first)))
        }
        InstKind::Convert { op, operand, rounding, saturate } => {
            let rounding = rounding.filter(|&rounding| rounding != Rounding::TowardZero);
            let is_called = match op {
                C::FToS | C::FToU => saturate || rounding.is_some(),
                _ => op.saturates(),
            };
            let result = data.result.filter(|_| is_called)?;
            let (from, to) = (type_of(operand), type_of(result));
            Some(Name::Conversion { op, rounding, saturate, from, to })
        }
        _ => None,
    }
}

/// How long a call becomes once it is written out.
fn length(
    context: &ModuleContext<'_>,
    numbers: &Numbers<'_>,
    function: &Function,
    inst: Inst,
    name: Name,
    is_straight: bool,
) -> Length {
    use ConvertOp as C;
    let bits = |ty| context.types.scalar_bits(ty).unwrap_or(64);
    let data = &function.insts[inst];
    let is_number = |value| numbers.contains(context.types, context.consts, inst, value);
    let short_if = |is_short| if is_short { Length::Short } else { Length::Long };
    let (intrinsic, arguments, ty) = match (name, data.kind) {
        (Name::Call(intrinsic, ty), InstKind::Intrinsic { arguments, .. }) => {
            (intrinsic, arguments, ty)
        }
        (Name::Conversion { op: C::FToS | C::FToU, saturate: false, .. }, _) => {
            return Length::Short;
        }
        // The bounds are floats. What else rounds is one call for a vector.
        (Name::Conversion { op: C::FToS | C::FToU, from, to, rounding, .. }, _) => {
            let is_exact = u32::from(bits(to)) <= Format::of_width(bits(from)).mantissa;
            let rounds_vector = rounding.is_some() && context.types.lanes(from) > 1;
            return short_if(is_straight && is_exact && !rounds_vector);
        }
        _ => return short_if(is_straight),
    };
    let mut arguments = function.values_of(arguments);
    match rule(intrinsic) {
        Some(Rule::Short) => Length::Short,
        Some(Rule::Longer) => Length::Longer,
        Some(Rule::LongerInStraightCode) if is_straight => Length::Longer,
        Some(Rule::UpTo32Bits) => short_if(bits(ty) <= 32),
        Some(Rule::Over8Bits) => short_if(bits(ty) > 8),
        Some(Rule::From32Bits) => short_if(bits(ty) >= 32),
        Some(Rule::OfNumbers) if arguments.any(is_number) => Length::Short,
        Some(Rule::OfNumbers) => Length::Longer,
        Some(Rule::BetweenNumbers) => short_if(arguments.skip(1).all(is_number)),
        Some(Rule::LongerInStraightCode) | None => Length::Long,
    }
}

/// Which argument of each `fmin` and `fmax` is a number, where one is known to be.
fn numbers_compared(
    types: &TypePool,
    consts: &ConstPool,
    function: &Function,
    names: &FxHashMap<Name, usize>,
) -> FxHashMap<Inst, usize> {
    let is_asked = |name: &Name| matches!(name, Name::Call(Intrinsic::Fmin | Intrinsic::Fmax, _));
    let mut found = FxHashMap::default();
    if !names.keys().any(is_asked) {
        return found;
    }
    let numbers = Numbers::new(function);
    for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
        let data = &function.insts[inst];
        if let InstKind::Intrinsic { intrinsic: Intrinsic::Fmin | Intrinsic::Fmax, arguments } =
            data.kind
        {
            let is_number = |&index: &usize| {
                numbers.contains(types, consts, inst, function.value_at(arguments, index))
            };
            // A constant is compared with, where there is one.
            let order = if function.value_at(arguments, 0).is_const() { [0, 1] } else { [1, 0] };
            found.extend(order.into_iter().find(is_number).map(|index| (inst, index)));
        }
    }
    found
}

/// `number` is which argument of `fmin` and `fmax` is known not to be NaN.
fn write_out(c: &mut Code<'_, '_>, inst: Inst, name: Name, number: Option<usize>) -> Option<Value> {
    use Intrinsic as I;
    let (intrinsic, arguments) = match (c.function.insts[inst].kind, name) {
        (
            InstKind::Convert { operand, .. },
            Name::Conversion { op, rounding, saturate, to, .. },
        ) => {
            return Some(converted(c, op, operand, to, rounding, saturate));
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
        I::SMulHi => mul_hi(c, two()?, true),
        I::UMulHi => mul_hi(c, two()?, false),
        I::SMadHi | I::UMadHi => {
            let [x, y, z] = three()?;
            let high = mul_hi(c, [x, y], intrinsic == I::SMadHi);
            c.iadd(high, z)
        }
        I::Popcount => integer::popcount_by_sums(c, one()?),
        I::Fabs => {
            // Also of zeros, and known to LLVM for what it is.
            let value = one()?;
            let zero = c.float_like(value, 0.0);
            let (is_negative, negative) = (c.fle(value, zero), c.fsub(zero, value));
            c.select(is_negative, negative, value)
        }
        I::Fmax => nearest_number(c, two()?, number, CompareOp::FGreater),
        I::Fmin => nearest_number(c, two()?, number, CompareOp::FLess),
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
        // What shaders have it become is short, too.
        _ => {
            let ty = c.function.insts[inst].result.map(|result| c.ty(result))?;
            match table::expand(c, intrinsic, &arguments, ty, Target::default()) {
                Outcome::Expanded(Expansion::Value(value)) => value,
                _ => return None,
            }
        }
    })
}

/// `value` if the comparison with `bound` holds, which it does not if `value` is NaN.
fn nearest(c: &mut Code<'_, '_>, [value, bound]: [Value; 2], op: CompareOp) -> Value {
    let stays = c.compare(op, value, bound);
    c.select(stays, value, bound)
}

/// Between integers, or from floats, rounded, or with what does not fit replaced by the nearest number that does and NaN by
/// zero (OpenCL C 6.4.3.3).
fn converted(
    c: &mut Code<'_, '_>,
    op: ConvertOp,
    value: Value,
    to: Type,
    rounding: Option<Rounding>,
    saturate: bool,
) -> Value {
    use ConvertOp as C;
    let bits = u32::from(c.types.scalar_bits(to).unwrap_or(64));
    if matches!(op, C::FToS | C::FToU) {
        if !saturate {
            let whole = conversions::rounded_to_whole(c, value, rounding);
            return c.convert(op, whole, to);
        }
        let is_signed = op == C::FToS;
        let (low, high) = match is_signed {
            true => (-(2f64.powi(bits as i32 - 1)), 2f64.powi(bits as i32 - 1) - 1.0),
            false => (0.0, 2f64.powi(bits as i32) - 1.0),
        };
        let (low, high) = (c.float_like(value, low), c.float_like(value, high));
        // NaN becomes the lowest.
        let cut = nearest(c, [value, low], CompareOp::FGreater);
        let cut = nearest(c, [cut, high], CompareOp::FLess);
        let whole = conversions::rounded_to_whole(c, cut, rounding);
        let number = c.convert(op, whole, to);
        if !is_signed {
            return number;
        }
        let is_nan = c.compare(CompareOp::FNotEqual, value, value);
        let zero = c.ints(to, 0);
        return c.select(is_nan, zero, number);
    }
    conversions::saturated_integer(c, op, value, to)
}

/// The one of two floats for which a comparison with the other holds; if one of them is NaN, the other. One may be known to be
/// a number.
fn nearest_number(
    c: &mut Code<'_, '_>,
    [x, y]: [Value; 2],
    number: Option<usize>,
    op: CompareOp,
) -> Value {
    match number {
        Some(0) => nearest(c, [y, x], op),
        Some(_) => nearest(c, [x, y], op),
        None => {
            let value = nearest(c, [x, y], op);
            let is_nan = c.compare(CompareOp::FNotEqual, y, y);
            c.select(is_nan, x, value)
        }
    }
}

fn mul_hi(c: &mut Code<'_, '_>, values: [Value; 2], signed: bool) -> Value {
    let width = c.width(values[0]);
    let [x, y] = values.map(|value| c.extended(value, width * 2, signed));
    let product = c.imul(x, y);
    let high = c.lshr(product, width);
    c.zero_extended(high, width)
}
