//! What each instruction does.

use clc_base::memory_model::{BarrierPart, MemoryOrder, Ordering};
use clc_builtins::Intrinsic;
use clc_ir::{
    CompareOp, ConvertOp, Function, Inst, InstKind, MathFlags, Type, TypeKind, Value, ValueList,
};

use crate::arithmetic::{self, Number};
use crate::functions::{self, Shape};
use crate::groups;
use crate::machine::{Item, Machine, Step};
use crate::memory::{Accessor, Bytes, Region};
use crate::stop::Stop;
use crate::value::{Datum, Scalar, mask as low_bits, signed};

impl<'a> Machine<'a> {
    /// What a component of a type is.
    fn number(&self, ty: Type) -> Number {
        Number { width: self.width(ty), is_float: self.types().is_float(ty) }
    }

    /// A signed index of any width.
    fn index(&self, item: &Item, ty: Type, value: Value) -> Result<Scalar, Stop> {
        let width = self.width(ty);
        let scalar = self.scalar(item, value)?;
        Ok(match scalar.get() {
            Some(bits) => Scalar::known(signed(bits, width) as u64),
            None => Scalar::unknown(64),
        })
    }

    fn operands(
        &self,
        item: &Item,
        function: &Function,
        list: ValueList,
    ) -> Result<Vec<Datum>, Stop> {
        function.values_of(list).map(|value| self.operand(item, value)).collect()
    }

    pub(crate) fn step(
        &mut self,
        item: &mut Item,
        function: &'a Function,
        inst: Inst,
    ) -> Result<Step, Stop> {
        let types = self.types();
        let data = &function.insts[inst];
        let module = self.module;
        let ty_of = |value: Value| module.value_type(function, value);
        let pointee = |value: Value| {
            let parts = types.pointer_parts(ty_of(value));
            parts
                .map(|(pointee, _)| pointee)
                .ok_or_else(|| Stop::unknown("an access through no pointer"))
        };
        let result = data.result.map(ty_of);
        let result_ty = || result.ok_or_else(|| Stop::unknown("an instruction without a result"));
        Ok(Step::Next(Some(match data.kind {
            InstKind::Binary { op, left, right } => {
                let number = self.number(ty_of(left));
                let operands = [self.operand(item, left)?, self.operand(item, right)?];
                let may_not_wrap = data.math.has(MathFlags::NO_SIGNED_WRAP);
                Datum::each(&operands, |it| {
                    if may_not_wrap && arithmetic::wraps(op, it[0], it[1], number.width) {
                        return Ok(Scalar::unknown(number.width));
                    }
                    arithmetic::binary(op, it[0], it[1], number).map_err(Stop::fault)
                })?
            }
            InstKind::Unary { op, operand } => {
                let width = self.width(ty_of(operand));
                let operand = self.operand(item, operand)?;
                Datum::each(&[operand], |it| Ok::<_, Stop>(arithmetic::unary(op, it[0], width)))?
            }
            InstKind::Compare { op, left, right } => {
                let number = self.number(ty_of(left));
                let operands = [self.operand(item, left)?, self.operand(item, right)?];
                Datum::each(&operands, |it| {
                    Ok::<_, Stop>(arithmetic::compare(op, it[0], it[1], number))
                })?
            }
            InstKind::Select { condition, then, otherwise } => {
                let condition = self.operand(item, condition)?;
                let (then, otherwise) = (self.operand(item, then)?, self.operand(item, otherwise)?);
                match condition {
                    Datum::Scalar(condition) => match condition.get() {
                        None => then.or(&otherwise),
                        Some(0) => otherwise,
                        Some(_) => then,
                    },
                    condition => Datum::each(&[condition, then, otherwise], |it| {
                        Ok::<_, Stop>(match it[0].get() {
                            None => it[1].or(it[2]),
                            Some(0) => it[2],
                            Some(_) => it[1],
                        })
                    })?,
                }
            }
            InstKind::Convert { op, operand, rounding, saturate } => {
                let (from, to) = (ty_of(operand), result_ty()?);
                let datum = self.operand(item, operand)?;
                if op == ConvertOp::Bitcast && types.lanes(from) != types.lanes(to) {
                    // Three components have the bits of three, not of the four that they take in memory.
                    let contents = self.bytes_of(from, &datum)?;
                    self.value_in(to, &contents)?
                } else {
                    let (from, to) = (self.width(from), self.width(to));
                    Datum::each(&[datum], |it| {
                        let converted =
                            arithmetic::convert(op, it[0], from, to, rounding, saturate);
                        Ok::<_, Stop>(converted)
                    })?
                }
            }
            InstKind::Load { pointer, access } => {
                let ty = pointee(pointer)?;
                let address = self.known(item, pointer)?;
                self.check_alignment(address, access.align)?;
                self.load(item.accessor, address, ty)?
            }
            InstKind::Store { pointer, value, access } => {
                let ty = pointee(pointer)?;
                let address = self.known(item, pointer)?;
                self.check_alignment(address, access.align)?;
                let datum = self.operand(item, value)?;
                self.store(item.accessor, address, ty, &datum)?;
                return Ok(Step::Next(None));
            }
            InstKind::CopyMemory { destination, source, size, .. } => {
                let [to, from, size] =
                    [destination, source, size].map(|value| self.known(item, value));
                let contents = self.memory.read(from?, size?, item.accessor)?;
                self.memory.write(to?, &contents, item.accessor)?;
                return Ok(Step::Next(None));
            }
            InstKind::Variable { ty, align } => {
                let contents = Bytes::unknown(self.size(ty)?);
                let owner = Some(item.accessor.item);
                let address =
                    self.memory.allocate(Region::Private, contents, u64::from(align), owner)?;
                item.frame_mut().objects.push(address);
                Datum::known(address)
            }
            InstKind::PtrAdd { base, index } => {
                let size = types.size(pointee(base)?) as i64;
                let index = self.index(item, ty_of(index), index)?;
                let base = self.scalar(item, base)?;
                let keep = low_bits(8 * types.pointer_size as u32);
                let bits = base.bits.wrapping_add_signed((index.bits as i64).wrapping_mul(size));
                let unknown = if index.unknown == 0 { base.unknown } else { keep };
                Datum::Scalar(Scalar::partly(bits & keep, unknown))
            }
            InstKind::Access { base, indices } => {
                let ty = pointee(base)?;
                let path: Vec<Scalar> = function
                    .values_of(indices)
                    .map(|index| self.index(item, ty_of(index), index))
                    .collect::<Result<_, _>>()?;
                let base = self.scalar(item, base)?;
                Datum::Scalar(self.offset(ty, base, &path)?)
            }
            InstKind::Extract { aggregate, path } => {
                let mut datum = self.operand(item, aggregate)?;
                for &index in function.numbers_of(path) {
                    datum = match datum {
                        Datum::Parts(mut parts) if (index as usize) < parts.len() => {
                            parts.swap_remove(index as usize)
                        }
                        _ => return Err(Stop::unknown("a part that there is not")),
                    };
                }
                datum
            }
            InstKind::Insert { aggregate, element, path } => {
                let mut whole = self.operand(item, aggregate)?;
                let element = self.operand(item, element)?;
                let mut place = &mut whole;
                for &index in function.numbers_of(path) {
                    place = match place {
                        Datum::Parts(parts) => parts.get_mut(index as usize),
                        Datum::Scalar(_) => None,
                    }
                    .ok_or_else(|| Stop::unknown("a part that there is not"))?;
                }
                *place = element;
                whole
            }
            InstKind::ExtractDynamic { vector, index } => {
                let index = self.scalar(item, index)?.get();
                let unknown = Datum::Scalar(Scalar::unknown(self.width(result_ty()?)));
                match (self.operand(item, vector)?, index) {
                    (Datum::Parts(parts), Some(index)) => usize::try_from(index)
                        .ok()
                        .and_then(|index| parts.get(index))
                        .cloned()
                        .unwrap_or(unknown),
                    _ => unknown,
                }
            }
            InstKind::InsertDynamic { vector, element, index } => {
                let index = self.scalar(item, index)?.get();
                let element = self.operand(item, element)?;
                let whole = self.operand(item, vector)?;
                let Datum::Parts(mut parts) = whole else {
                    return Err(Stop::unknown("a component of a scalar"));
                };
                match index.and_then(|index| parts.get_mut(usize::try_from(index).ok()?)) {
                    Some(part) => *part = element,
                    None => {
                        let width = self.width(result_ty()?);
                        parts.fill(Datum::Scalar(Scalar::unknown(width)));
                    }
                }
                Datum::Parts(parts)
            }
            InstKind::Shuffle { left, right, mask } => {
                let (Datum::Parts(mut parts), Datum::Parts(more)) =
                    (self.operand(item, left)?, self.operand(item, right)?)
                else {
                    return Err(Stop::unknown("a shuffle of scalars"));
                };
                parts.extend(more);
                let unknown = Datum::Scalar(Scalar::unknown(self.width(result_ty()?)));
                let pick = |&index: &u32| parts.get(index as usize).unwrap_or(&unknown).clone();
                Datum::Parts(function.numbers_of(mask).iter().map(pick).collect())
            }
            InstKind::Construct { parts } => {
                let is_vector = matches!(types.kind(result_ty()?), TypeKind::Vector(..));
                let mut all = Vec::new();
                for datum in self.operands(item, function, parts)? {
                    match datum {
                        Datum::Parts(lanes) if is_vector => all.extend(lanes),
                        datum => all.push(datum),
                    }
                }
                Datum::Parts(all)
            }
            InstKind::Call { callee, arguments } => {
                let arguments = self.operands(item, function, arguments)?;
                self.enter(item, callee, arguments)?;
                return Ok(Step::Moved);
            }
            InstKind::Intrinsic { intrinsic, arguments } => {
                let operands = self.operands(item, function, arguments)?;
                let tys: Vec<Type> = function.values_of(arguments).map(ty_of).collect();
                return self.intrinsic(item, intrinsic, operands, &tys, result);
            }
            InstKind::AtomicLoad { pointer, ordering } => {
                let ty = pointee(pointer)?;
                let address = self.known(item, pointer)?;
                let who = self.atomic(item, ordering);
                self.settle(address, ty)?;
                self.load(who, address, ty)?
            }
            InstKind::AtomicStore { pointer, value, ordering } => {
                let ty = pointee(pointer)?;
                let address = self.known(item, pointer)?;
                let datum = self.operand(item, value)?;
                let who = self.atomic(item, ordering);
                self.store(who, address, ty, &datum)?;
                return Ok(Step::Next(None));
            }
            InstKind::AtomicModify { op, pointer, value, ordering } => {
                let ty = pointee(pointer)?;
                let address = self.known(item, pointer)?;
                let value = self.scalar(item, value)?;
                let who = self.atomic(item, ordering);
                let old = self.load(who, address, ty)?;
                let width = self.width(ty);
                let new = arithmetic::modified(op, old.lane(0), value, width);
                self.store(who, address, ty, &Datum::Scalar(new))?;
                old
            }
            InstKind::AtomicCompareExchange { pointer, comparand, desired, ordering, .. } => {
                let ty = pointee(pointer)?;
                let address = self.known(item, pointer)?;
                let [comparand, desired] = [comparand, desired].map(|it| self.scalar(item, it));
                let who = self.atomic(item, ordering);
                self.settle(address, ty)?;
                let old = self.load(who, address, ty)?;
                let number = self.number(ty);
                let equal = arithmetic::compare(CompareOp::Equal, old.lane(0), comparand?, number);
                match equal.get() {
                    None => return Err(Stop::fault("an atomic on an undefined value")),
                    Some(0) => {}
                    Some(_) => self.store(who, address, ty, &Datum::Scalar(desired?))?,
                }
                old
            }
            InstKind::Fence(_) => {
                self.memory.races = false;
                return Ok(Step::Next(None));
            }
            InstKind::Barrier { part, .. } => {
                if part != BarrierPart::Whole {
                    return Err(Stop::unknown("a barrier in two halves"));
                }
                return Ok(Step::Wait(Vec::new()));
            }
            InstKind::GenericTo { pointer, space } => {
                let address = self.known(item, pointer)?;
                let wanted = match space {
                    clc_base::AddressSpace::Global => Region::Global,
                    clc_base::AddressSpace::Local => Region::Local,
                    _ => Region::Private,
                };
                let is_there = self.memory.region(address) == Some(wanted);
                Datum::known(if is_there { address } else { 0 })
            }
        })))
    }

    /// An atomic's accesses, which may order others.
    fn atomic(&mut self, item: &Item, ordering: Ordering) -> Accessor {
        if ordering.order != MemoryOrder::Relaxed {
            self.memory.races = false;
        }
        Accessor { is_atomic: true, ..item.accessor }
    }

    /// In shaders words of local memory hold several variables, and loops that compare and exchange change one of
    /// them. Whatever bits the others never got, they stay the same from one atomic to the next.
    fn settle(&mut self, address: u64, ty: Type) -> Result<(), Stop> {
        if self.is_shader() && self.memory.region(address) == Some(Region::Local) {
            self.memory.settle(address, self.size(ty)?)?;
        }
        Ok(())
    }

    fn check_alignment(&self, address: u64, align: u32) -> Result<(), Stop> {
        if align > 1 && !address.is_multiple_of(u64::from(align)) {
            return Err(Stop::fault(format!("an access that is not aligned to {align} bytes")));
        }
        Ok(())
    }

    fn intrinsic(
        &mut self,
        item: &mut Item,
        intrinsic: Intrinsic,
        operands: Vec<Datum>,
        tys: &[Type],
        result: Option<Type>,
    ) -> Result<Step, Stop> {
        let next = |datum: Datum| Ok(Step::Next(Some(datum)));
        let dimension = operands.first().map_or(0, |datum| datum.lane(0).bits);
        if let Some(bits) = item.position.ask(intrinsic, dimension) {
            let width = result.map_or(64, |ty| self.width(ty));
            return next(Datum::known(bits & low_bits(width)));
        }
        if intrinsic == Intrinsic::SpecConstant {
            let number = operands.first().map_or(0, |datum| datum.lane(0).bits) as u32;
            let width = result.map_or(64, |ty| self.width(ty));
            let default = operands.get(1).map_or(Scalar::unknown(width), |datum| datum.lane(0));
            let chosen = self.launch.constants.get(&number);
            let keep = low_bits(width);
            return next(Datum::Scalar(chosen.map_or(default, |bits| Scalar::known(bits & keep))));
        }
        let size = item.position.ask(Intrinsic::GetSubGroupSize, 0).unwrap_or(1);
        let lane = item.position.lane();
        if let Some(datum) = groups::of_mask(intrinsic, &operands, lane, size) {
            return next(datum);
        }
        if let Some(datum) = self.image_function(intrinsic, &operands, tys, result)? {
            return Ok(Step::Next(datum));
        }
        if groups::is_collective(intrinsic) {
            return Ok(Step::Wait(operands));
        }
        if let (Some(&first), Some(result)) = (tys.first(), result) {
            let shape = Shape {
                width: self.width(first),
                result: self.width(result),
                is_vector: self.types().lanes(result) > 1,
            };
            let is_elementwise = operands.len() <= 4
                && (intrinsic == Intrinsic::Nan
                    || functions::apply(intrinsic, &first_lanes(&operands), shape).is_some());
            if is_elementwise {
                let mut failed = None;
                let datum =
                    Datum::each(&operands, |it| functions::apply(intrinsic, it, shape).ok_or(()))
                        .unwrap_or_else(|()| {
                            failed = Some(());
                            Datum::known(0)
                        });
                if failed.is_none() {
                    return next(datum);
                }
            }
        }
        if let Some(datum) = self.memory_function(item, intrinsic, &operands, tys, result)? {
            return Ok(Step::Next(datum));
        }
        if let Some(datum) = self.vector_function(intrinsic, &operands, tys, result) {
            return next(datum);
        }
        Err(Stop::unknown(format!("`{}`", intrinsic.source_name())))
    }
}

fn first_lanes(operands: &[Datum]) -> Vec<Scalar> {
    operands.iter().map(|datum| datum.lane(0)).collect()
}
