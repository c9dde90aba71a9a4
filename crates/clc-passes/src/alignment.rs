//! What is known of the lowest bits of addresses, and what addresses are sums of.

use clc_ir::{
    BinaryOp, Cfg, Const, ConvertOp, Function, Inst, InstKind, MathFlags, StorageClass, Type,
    TypeKind, TypePool, Value,
};

use crate::context::ModuleContext;

/// How many of the lowest bits are looked at: enough for the widest access, of 16 bytes.
const BITS: u8 = 4;

/// The most arguments whose alignment is told apart; of others nothing is known.
const MAX_ARGUMENTS: usize = 32;

/// The most parts of an address.
const MAX_PARTS: usize = 8;

/// The most sums and products that are taken apart for one address; what is left counts as a part.
const MAX_STEPS: u32 = 64;

/// What an argument of 32 bits, such as the length of a row, is taken to be a multiple of: a row of as many numbers of
/// 32 bits then is a multiple of 16 bytes.
const COUNT: u64 = 4;

/// Rounds of looking at the whole function; where loops nest so deep that more are needed, nothing is known.
const MAX_ROUNDS: u32 = 32;

/// The lowest bits of an integer, provided that some arguments of the kernel are multiples of 16, or of 4 if they are of
/// 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Low {
    /// How many of them are known, up to 4.
    pub known: u8,
    /// What they are.
    pub bits: u8,
    /// For which arguments that has to hold, by bit: see [`LowBits::arguments`].
    pub given: u32,
}

impl Low {
    /// Nothing is known.
    pub const UNKNOWN: Low = Low { known: 0, bits: 0, given: 0 };

    fn new(known: u32, bits: u64, given: u32) -> Low {
        let known = known.min(BITS.into()) as u8;
        match known {
            0 => Low::UNKNOWN,
            _ => Low { known, bits: bits as u8 & ((1 << known) - 1), given },
        }
    }

    fn constant(bits: u64) -> Low {
        Low::new(BITS.into(), bits, 0)
    }

    fn plus(self, other: Low) -> Low {
        let bits = u64::from(self.bits) + u64::from(other.bits);
        Low::new(self.known.min(other.known).into(), bits, self.given | other.given)
    }

    fn times(self, factor: u64) -> Low {
        let known = u32::from(self.known) + factor.trailing_zeros().min(BITS.into());
        Low::new(known, u64::from(self.bits).wrapping_mul(factor), self.given)
    }

    /// Of a value that is one or the other.
    fn or(self, other: Low) -> Low {
        let same = (self.bits ^ other.bits).trailing_zeros();
        let known = same.min(self.known.min(other.known).into());
        Low::new(known, self.bits.into(), self.given | other.given)
    }

    /// With those bits set or cleared of which `fixed` says so.
    fn masked(self, fixed: impl Fn(u8) -> Option<bool>) -> Low {
        let (mut known, mut bits, mut given) = (0, 0, 0);
        while known < BITS {
            let own = (known < self.known).then_some(self.bits >> known & 1 == 1);
            let Some(bit) = fixed(known).or(own) else { break };
            if fixed(known).is_none() {
                given = self.given;
            }
            bits |= u64::from(bit) << known;
            known += 1;
        }
        Low::new(known.into(), bits, given)
    }
}

/// The lowest bits of the integers of a kernel.
pub struct LowBits {
    /// By value. Nothing for what is not an integer, or not reachable.
    values: Vec<Option<Low>>,
    arguments: Vec<Value>,
}

impl LowBits {
    /// Follows the integers of a function. Bits that are the same in all turns of a loop are known in it: they are taken
    /// for what they are in the first turn until another one is found to differ, which happens at most as often as there
    /// are bits.
    pub fn new(context: &ModuleContext<'_>, function: &Function, cfg: &Cfg) -> LowBits {
        let arguments = arguments(context, function);
        let mut found = LowBits { values: vec![None; function.values.len()], arguments };
        for &param in &function.blocks[function.entry()].params {
            found.set(param, Low::UNKNOWN);
        }
        let mut has_changed = true;
        let mut rounds = 0;
        while has_changed {
            has_changed = false;
            rounds += 1;
            if rounds > MAX_ROUNDS {
                found.values.fill(None);
                break;
            }
            for &block in cfg.reverse_post_order() {
                for &inst in &function.blocks[block].insts {
                    if let Some(result) = function.insts[inst].result
                        && let Some(low) = found.computed(context, function, inst, result)
                    {
                        found.set(result, low);
                    }
                }
                for target in function.blocks[block].terminator.targets() {
                    let params = &function.blocks[target.block].params;
                    for (&param, value) in params.iter().zip(function.values_of(target.arguments)) {
                        let Some(new) = found.of(context, value) else { continue };
                        let old = param.as_local().and_then(|index| found.values[index]);
                        let joined = old.map_or(new, |old| old.or(new));
                        if old != Some(joined) {
                            found.set(param, joined);
                            has_changed = true;
                        }
                    }
                }
            }
        }
        found
    }

    /// The addresses and numbers of 64 or 32 bits that the kernel gets, by the bits of [`Low::given`], and by how much
    /// to multiply each so that all are multiples of 16 if what is taken for granted holds.
    pub fn arguments<'a>(
        &'a self,
        context: &'a ModuleContext<'_>,
        function: &'a Function,
    ) -> impl Iterator<Item = (Value, u64)> + 'a {
        self.arguments.iter().map(|&argument| match context.type_of(function, argument) {
            TypePool::I64 => (argument, 1),
            _ => (argument, (1 << BITS) / COUNT),
        })
    }

    fn set(&mut self, value: Value, low: Low) {
        if let Some(index) = value.as_local() {
            self.values[index] = Some(low);
        }
    }

    /// Of a value; nothing if it is no integer or not reachable.
    pub fn of(&self, context: &ModuleContext<'_>, value: Value) -> Option<Low> {
        match (value.as_local(), context.signed(value)) {
            (Some(index), _) => self.values.get(index).copied().flatten(),
            (None, Some(number)) => Some(Low::constant(number as u64)),
            (None, None) => Some(Low::UNKNOWN),
        }
    }

    /// Of the result of an instruction; nothing as long as nothing is known of an operand.
    fn computed(
        &self,
        context: &ModuleContext<'_>,
        function: &Function,
        inst: Inst,
        result: Value,
    ) -> Option<Low> {
        if !context.types.is_int(context.type_of(function, result))
            || context.types.lanes(context.type_of(function, result)) > 1
        {
            return None;
        }
        match function.insts[inst].kind {
            InstKind::Binary { op, left, right } => {
                let constant = context.signed(right).map(|number| number as u64);
                let (a, b) = (self.of(context, left)?, self.of(context, right)?);
                Some(match (op, constant) {
                    (BinaryOp::IAdd, _) => a.plus(b),
                    (BinaryOp::ISub, _) => a.plus(b.times(u64::MAX)),
                    (BinaryOp::IMul, Some(factor)) => a.times(factor),
                    (BinaryOp::IMul, None) => product(a, b),
                    (BinaryOp::Shl, Some(count @ 0..64)) => a.times(1 << count),
                    (BinaryOp::And, Some(mask)) => {
                        a.masked(|bit| (mask >> bit & 1 == 0).then_some(false))
                    }
                    (BinaryOp::Or, Some(mask)) => {
                        a.masked(|bit| (mask >> bit & 1 == 1).then_some(true))
                    }
                    _ => Low::UNKNOWN,
                })
            }
            InstKind::Convert {
                op: ConvertOp::Truncate | ConvertOp::ZeroExtend | ConvertOp::SignExtend,
                operand,
                ..
            } if context.types.is_int(context.type_of(function, operand)) => {
                self.of(context, operand)
            }
            InstKind::Select { then, otherwise, .. } => {
                Some(self.of(context, then)?.or(self.of(context, otherwise)?))
            }
            InstKind::Load { .. } => {
                let place = self.arguments.iter().position(|&argument| argument == result);
                let known = match context.type_of(function, result) {
                    TypePool::I64 => BITS.into(),
                    _ => COUNT.trailing_zeros(),
                };
                Some(place.map_or(Low::UNKNOWN, |place| Low::new(known, 0, 1 << place)))
            }
            _ => Some(Low::UNKNOWN),
        }
    }

    /// Of a sum, without its constant and what `without` leaves out.
    pub fn of_parts(
        &self,
        context: &ModuleContext<'_>,
        sum: &Sum,
        without: impl Fn(Value) -> bool,
    ) -> Low {
        let parts = sum.parts.iter().filter(|part| !without(part.0));
        parts.fold(Low::constant(0), |low, &(value, factor)| {
            let part = self.of(context, value).unwrap_or(Low::UNKNOWN);
            low.plus(part.times(factor as u64))
        })
    }
}

/// The product of numbers that are not constant: as many bits as are known of both, or as many zeros as both have.
fn product(a: Low, b: Low) -> Low {
    let given = a.given | b.given;
    let zeros = |low: Low| u32::from(low.bits).trailing_zeros().min(low.known.into());
    let (known, zeros) = (u32::from(a.known.min(b.known)), zeros(a) + zeros(b));
    match zeros > known {
        true => Low::new(zeros, 0, given),
        false => Low::new(known, u64::from(a.bits) * u64::from(b.bits), given),
    }
}

/// The numbers of 64 or 32 bits that the entry of a kernel reads of what the host passes.
fn arguments(context: &ModuleContext<'_>, function: &Function) -> Vec<Value> {
    if function.entry_point.is_none() {
        return Vec::new();
    }
    let found = function.blocks[function.entry()].insts.iter().filter_map(|&inst| {
        let InstKind::Load { pointer, .. } = function.insts[inst].kind else { return None };
        let class = context.types.pointer_parts(context.type_of(function, pointer))?.1;
        let result = function.insts[inst].result?;
        let is_argument = matches!(class, StorageClass::PushConstant | StorageClass::Uniform)
            && matches!(context.type_of(function, result), TypePool::I64 | TypePool::I32);
        is_argument.then_some(result)
    });
    found.take(MAX_ARGUMENTS).collect()
}

/// A number of 64 or 32 bits as a sum.
#[derive(Debug, Default)]
pub struct Sum {
    /// What is added how often, in the order of the values, none twice: numbers of as many bits as the sum has, or of 32
    /// bits that are extended with their signs.
    pub parts: Vec<(Value, i64)>,
    /// What else is added.
    pub constant: i64,
}

impl Sum {
    /// What a number is the sum of; nothing if that is too many parts.
    pub fn of(context: &ModuleContext<'_>, function: &Function, value: Value) -> Option<Sum> {
        let mut sum = Sum::default();
        let ty = context.type_of(function, value);
        sum.add(context, function, ty, value, 1, &mut { MAX_STEPS })?;
        sum.parts.retain(|part| part.1 != 0);
        Some(sum)
    }

    /// The address that another is computed from, and what is added to it, in bytes; no sum if that is not known, or too
    /// many parts.
    pub fn of_address(
        context: &ModuleContext<'_>,
        function: &Function,
        address: Value,
    ) -> (Value, Option<Sum>) {
        let mut base = address;
        let mut all = Some(Sum::default());
        let mut left = MAX_STEPS;
        let mut steps = MAX_STEPS;
        while let Some((from, added)) = step(context, function, base).filter(|_| left > 0) {
            left -= 1;
            base = from;
            all = all.zip(added).and_then(|(mut sum, added)| {
                sum.constant = sum.constant.wrapping_add(added.constant);
                for (index, scale) in added.parts {
                    sum.add(context, function, TypePool::I64, index, scale, &mut steps)?;
                }
                Some(sum)
            });
        }
        if let Some(sum) = &mut all {
            sum.parts.retain(|part| part.1 != 0);
        }
        (base, all)
    }

    fn add(
        &mut self,
        context: &ModuleContext<'_>,
        function: &Function,
        ty: Type,
        value: Value,
        factor: i64,
        steps: &mut u32,
    ) -> Option<()> {
        if let Some(number) = context.signed(value) {
            self.constant = self.constant.wrapping_add(number.wrapping_mul(factor));
            return Some(());
        }
        // What is narrower stands for the number with its sign, so that only sums that do not wrap are taken apart.
        let is_whole = context.type_of(function, value) == ty;
        let inst = function
            .def_inst(value)
            .map(|(_, data)| data)
            .filter(|data| *steps > 0 && (is_whole || data.math.has(MathFlags::NO_SIGNED_WRAP)));
        if let Some(data) = inst {
            *steps -= 1;
            match data.kind {
                InstKind::Binary { op: BinaryOp::IAdd, left, right } => {
                    self.add(context, function, ty, left, factor, steps)?;
                    return self.add(context, function, ty, right, factor, steps);
                }
                InstKind::Binary { op: BinaryOp::ISub, left, right } => {
                    self.add(context, function, ty, left, factor, steps)?;
                    return self.add(context, function, ty, right, factor.wrapping_neg(), steps);
                }
                InstKind::Binary { op: BinaryOp::IMul, left, right } => {
                    if let Some(number) = context.signed(right) {
                        let factor = factor.wrapping_mul(number);
                        return self.add(context, function, ty, left, factor, steps);
                    }
                }
                InstKind::Binary { op: BinaryOp::Shl, left, right } if is_whole => {
                    if let Some(count @ 0..64) = context.signed(right) {
                        let factor = factor.wrapping_mul(1 << count);
                        return self.add(context, function, ty, left, factor, steps);
                    }
                }
                InstKind::Convert { op: ConvertOp::SignExtend, operand, .. }
                    if context.type_of(function, operand) == TypePool::I32 =>
                {
                    return self.add(context, function, ty, operand, factor, steps);
                }
                _ => {}
            }
        }
        match self.parts.binary_search_by_key(&value, |part| part.0) {
            Ok(place) => self.parts[place].1 = self.parts[place].1.wrapping_add(factor),
            Err(_) if self.parts.len() == MAX_PARTS => return None,
            Err(place) => self.parts.insert(place, (value, factor)),
        }
        Some(())
    }
}

/// The address that another is computed from in one step, and what is added to it, if that is known: indices as they are,
/// each of so many bytes.
fn step(
    context: &ModuleContext<'_>,
    function: &Function,
    address: Value,
) -> Option<(Value, Option<Sum>)> {
    let pointee = |from: Value| context.types.pointer_parts(context.type_of(function, from));
    if let Some(id) = address.as_const() {
        return match context.consts.get(id) {
            Const::Access { base, step, indices, .. } => {
                let (ty, _) = pointee(*base)?;
                let added = within(context, ty, indices.iter().copied()).map(|sum| {
                    let before = step.wrapping_mul(context.types.size(ty) as i64);
                    Sum { constant: sum.constant.wrapping_add(before), ..sum }
                });
                Some((*base, added))
            }
            Const::Cast { operand, .. } => {
                pointee(*operand).map(|_| (*operand, Some(Sum::default())))
            }
            _ => None,
        };
    }
    match function.def_inst(address)?.1.kind {
        InstKind::PtrAdd { base, index } => {
            let parts = vec![(index, context.types.size(pointee(base)?.0) as i64)];
            Some((base, Some(Sum { parts, constant: 0 })))
        }
        InstKind::Access { base, indices } => {
            Some((base, within(context, pointee(base)?.0, function.values_of(indices))))
        }
        InstKind::Convert { op: ConvertOp::Bitcast, operand, .. } => {
            pointee(operand).map(|_| (operand, Some(Sum::default())))
        }
        _ => None,
    }
}

/// What is added to the address of a `ty` for that of the part which indices lead to.
fn within(
    context: &ModuleContext<'_>,
    mut ty: Type,
    indices: impl Iterator<Item = Value>,
) -> Option<Sum> {
    let mut sum = Sum::default();
    for index in indices {
        match context.types.kind(ty) {
            TypeKind::Array(element, _) | TypeKind::Vector(element, _) => {
                sum.parts.push((index, context.types.size(element) as i64));
                ty = element;
            }
            TypeKind::Struct(id) => {
                let data = context.types.struct_data(id);
                let field = usize::try_from(context.signed(index)?).ok()?;
                sum.constant = sum.constant.wrapping_add(*data.offsets.get(field)? as i64);
                ty = *data.fields.get(field)?;
            }
            _ => return None,
        }
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::each_function;

    /// What is known of the numbers of a kernel with the argument `v1`, by their numbers.
    fn known(body: &str, values: &[usize]) -> Vec<Low> {
        let text = format!(
            "module ptr64\nstruct0 \"arguments\" size 8 align 4 packed {{ i64 @0 \"\" }}\n\
             g0 \"arguments\" pushconstant struct0 align 16 const\n\
             function f0 \"k\"() void kernel \"k\" {{\nb0:\n\
             \x20 v0: ptr(pushconstant, i64) = access g0 [i32 0]\n\
             \x20 v1: i64 = load v0 align 8\n{body}  return\n}}\n"
        );
        let mut module = clc_ir::parse::module(&text).unwrap();
        clc_ir::verify::module(&module).unwrap();
        let mut found = Vec::new();
        each_function(&mut module, |context, function| {
            let low = LowBits::new(context, function, &Cfg::new(function));
            let value = |&index: &usize| low.of(context, Value::from_local(index));
            found = values.iter().map(|index| value(index).unwrap_or(Low::UNKNOWN)).collect();
        });
        found
    }

    fn low(known: u8, bits: u8, given: u32) -> Low {
        Low { known, bits, given }
    }

    #[test]
    fn bits_of_sums_and_products() {
        let body = "  v2: i64 = intrinsic GetLocalId(i32 0)\n  v3: i64 = shl v2, i64 2\n\
             \x20 v4: i64 = iadd v3, v1\n  v5: i64 = iadd v4, i64 3\n  v6: i64 = imul v5, i64 6\n\
             \x20 v7: i64 = imul v3, v3\n  v8: i64 = isub i64 5, v3\n  v9: i64 = and v5, i64 -2\n\
             \x20 v10: i64 = or v2, i64 3\n  v11: i64 = and v1, i64 -16\n  v12: i64 = imul v2, v2\n";
        let found = known(body, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
        let (sixteen, any) = (low(4, 0, 1), low(0, 0, 0));
        let expected = [
            sixteen,
            any,
            low(2, 0, 0),
            low(2, 0, 1),
            low(2, 3, 1),
            // 4 n + 3, six times: 24 n + 18.
            low(3, 2, 1),
            low(4, 0, 0),
            low(2, 1, 0),
            low(2, 2, 1),
            low(2, 3, 0),
            low(4, 0, 0),
            any,
        ];
        assert_eq!(found, expected);
    }

    /// Numbers that are passed on from turn to turn: the last of them grows by 4.
    fn passed_on(count: usize) -> Low {
        let params: Vec<String> = (2..2 + count).map(|value| format!("v{value}: i64")).collect();
        let begin = vec!["i64 0"; count].join(", ");
        let (last, sum) = (count + 1, count + 2);
        let next: Vec<String> =
            (3..2 + count).map(|value| format!("v{value}")).chain([format!("v{sum}")]).collect();
        let body = format!(
            "  jump b1({begin})\nb1({}):\n  v{sum}: i64 = iadd v{last}, i64 4\n\
             \x20 v{}: bool = ult v{sum}, i64 400\n  branch v{}, b1({}), b2\nb2:\n",
            params.join(", "),
            sum + 1,
            sum + 1,
            next.join(", ")
        );
        known(&body, &[2])[0]
    }

    #[test]
    fn what_turns_pass_on_is_followed_for_some_rounds() {
        assert_eq!(passed_on(1), low(2, 0, 0));
        assert_eq!(passed_on(20), low(2, 0, 0));
        assert_eq!(passed_on(100), Low::UNKNOWN);
    }
}
