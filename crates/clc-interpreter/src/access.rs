//! Values of all types in memory, and the functions of the library that read and write it.

use clc_builtins::resolve::Rounding;
use clc_builtins::{DotSigns, Intrinsic};
use clc_ir::{Type, TypeKind};

use crate::arithmetic;
use crate::floats;
use crate::functions;
use crate::machine::{Item, Machine};
use crate::memory::{Accessor, Bytes};
use crate::printing;
use crate::stop::Stop;
use crate::value::{Datum, Scalar, mask, signed};

/// Scalars of a value.
const SCALARS: usize = 1 << 20;

impl Machine<'_> {
    /// Calls `visit` with the offset and the width of each scalar of a type, in the order of a value's parts.
    fn each_scalar(
        &self,
        ty: Type,
        offset: u64,
        visit: &mut dyn FnMut(u64, u32) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let types = self.types();
        match types.kind(ty) {
            TypeKind::Vector(element, count) => {
                let size = types.size(element);
                for index in 0..u64::from(count) {
                    visit(offset + index * size, self.width(element))?;
                }
            }
            TypeKind::Array(element, len) => {
                let size = types.size(element);
                for index in 0..len {
                    self.each_scalar(element, offset + index * size, visit)?;
                }
            }
            TypeKind::Struct(id) => {
                let data = types.struct_data(id);
                for (&field, at) in data.fields.iter().zip(&data.offsets) {
                    self.each_scalar(field, offset + at, visit)?;
                }
            }
            TypeKind::Matrix(_) => return Err(Stop::unknown("matrices")),
            _ => visit(offset, self.width(ty))?,
        }
        Ok(())
    }

    /// A value of a type of its scalars, in order.
    fn assemble(&self, ty: Type, scalars: &mut dyn Iterator<Item = Scalar>) -> Datum {
        let types = self.types();
        let mut repeat = |element: Type, count: u64| {
            Datum::Parts((0..count).map(|_| self.assemble(element, scalars)).collect())
        };
        match types.kind(ty) {
            TypeKind::Vector(element, count) => repeat(element, u64::from(count)),
            TypeKind::Array(element, len) => repeat(element, len),
            TypeKind::Struct(id) => {
                let fields = &types.struct_data(id).fields;
                Datum::Parts(fields.iter().map(|&field| self.assemble(field, scalars)).collect())
            }
            _ => Datum::Scalar(scalars.next().unwrap_or_default()),
        }
    }

    pub(crate) fn load(&mut self, who: Accessor, address: u64, ty: Type) -> Result<Datum, Stop> {
        let mut places = Vec::new();
        self.each_scalar(ty, 0, &mut |offset, width| {
            if places.len() > SCALARS {
                return Err(Stop::Limit("parts of a value"));
            }
            places.push((offset, width));
            Ok(())
        })?;
        let mut scalars = Vec::with_capacity(places.len());
        for (offset, width) in places {
            let scalar = self.memory.load(address.wrapping_add(offset), bytes(width), who)?;
            scalars.push(Scalar::partly(scalar.bits & mask(width), scalar.unknown & mask(width)));
        }
        Ok(self.assemble(ty, &mut scalars.into_iter()))
    }

    pub(crate) fn store(
        &mut self,
        who: Accessor,
        address: u64,
        ty: Type,
        datum: &Datum,
    ) -> Result<(), Stop> {
        if matches!(self.types().kind(ty), TypeKind::Struct(_)) {
            // Padding takes any value (C99 6.2.6.1p6).
            let contents = self.bytes_of(ty, datum)?;
            return self.memory.write(address, &contents, who);
        }
        let mut scalars = Vec::new();
        flatten(datum, &mut scalars);
        let mut places = Vec::with_capacity(scalars.len());
        self.each_scalar(ty, 0, &mut |offset, width| {
            if places.len() >= scalars.len() {
                return Err(Stop::unknown("a value of another type than the memory it goes to"));
            }
            places.push((offset, width));
            Ok(())
        })?;
        for ((offset, width), scalar) in places.into_iter().zip(scalars) {
            self.memory.store(address.wrapping_add(offset), bytes(width), scalar, who)?;
        }
        Ok(())
    }

    /// The bytes of a value, as they lie in memory; padding is unknown.
    pub(crate) fn bytes_of(&self, ty: Type, datum: &Datum) -> Result<Bytes, Stop> {
        let mut out = Bytes::unknown(self.size(ty)?);
        let mut scalars = Vec::new();
        flatten(datum, &mut scalars);
        let mut scalars = scalars.into_iter();
        self.each_scalar(ty, 0, &mut |offset, width| {
            let scalar = scalars.next().unwrap_or(Scalar::unknown(width));
            let range = offset as usize..(offset + bytes(width)) as usize;
            let size = range.len();
            out.bytes[range.clone()].copy_from_slice(&scalar.bits.to_le_bytes()[..size]);
            out.unknown[range].copy_from_slice(&scalar.unknown.to_le_bytes()[..size]);
            Ok(())
        })?;
        Ok(out)
    }

    /// The value that bytes are.
    pub(crate) fn value_in(&self, ty: Type, contents: &Bytes) -> Result<Datum, Stop> {
        let mut scalars = Vec::new();
        self.each_scalar(ty, 0, &mut |offset, width| {
            let range = offset as usize..(offset + bytes(width)) as usize;
            let size = range.len();
            let word = |bytes: &[u8]| {
                let mut word = [0; 8];
                match bytes.get(range.clone()) {
                    Some(bytes) => word[..size].copy_from_slice(bytes),
                    None => return Err(Stop::unknown("a value of fewer bytes than its type")),
                }
                Ok(u64::from_le_bytes(word) & mask(width))
            };
            scalars.push(Scalar::partly(word(&contents.bytes)?, word(&contents.unknown)?));
            Ok(())
        })?;
        Ok(self.assemble(ty, &mut scalars.into_iter()))
    }

    /// The functions that read or write memory: the result, if there is one; `None` if it is no such function.
    pub(crate) fn memory_function(
        &mut self,
        item: &mut Item,
        intrinsic: Intrinsic,
        operands: &[Datum],
        tys: &[Type],
        result: Option<Type>,
    ) -> Result<Option<Option<Datum>>, Stop> {
        let known = |index: usize| {
            let scalar = operands.get(index).map(|datum| datum.lane(0));
            let bits = scalar.and_then(Scalar::get);
            bits.ok_or_else(|| Stop::fault("an address that is not defined"))
        };
        // The address of a vector of so many components, by an offset in vectors of `stride` components.
        let address = |offset: usize, pointer: usize, stride: u64, size: u64| {
            let width = tys.get(offset).map_or(64, |&ty| self.width(ty));
            let offset = signed(known(offset)?, width);
            let step = offset.wrapping_mul((stride * size) as i64);
            Ok::<u64, Stop>(known(pointer)?.wrapping_add_signed(step))
        };
        let lanes = |ty: Option<Type>| ty.map_or(1, |ty| u64::from(self.types().lanes(ty)));
        let who = item.accessor;
        let datum = match intrinsic {
            Intrinsic::Vload => {
                let ty = result.ok_or_else(|| Stop::unknown("a load without a result"))?;
                let (count, width) = (lanes(result), self.width(ty));
                let start = address(0, 1, count, bytes(width))?;
                let mut parts = Vec::new();
                for lane in 0..count {
                    let at = start.wrapping_add(lane * bytes(width));
                    parts.push(Datum::Scalar(self.memory.load(at, bytes(width), who)?));
                }
                Some(whole(parts))
            }
            Intrinsic::VloadHalf | Intrinsic::VloadaHalf => {
                let count = lanes(result);
                let aligned = if count == 3 { 4 } else { count };
                let stride = if intrinsic == Intrinsic::VloadaHalf { aligned } else { count };
                let to = result.map_or(32, |ty| self.width(ty));
                let start = address(0, 1, stride, 2)?;
                let mut parts = Vec::new();
                for lane in 0..count {
                    let half = self.memory.load(start.wrapping_add(lane * 2), 2, who)?;
                    let op = clc_ir::ConvertOp::FToF;
                    let number = arithmetic::convert(op, half, 16, to, None, false);
                    parts.push(Datum::Scalar(number));
                }
                Some(whole(parts))
            }
            Intrinsic::Vstore => {
                let (count, width) = (lanes(tys.first().copied()), self.width(tys[0]));
                let start = address(1, 2, count, bytes(width))?;
                for lane in 0..count {
                    let at = start.wrapping_add(lane * bytes(width));
                    let scalar = operands[0].lane(lane as usize);
                    self.memory.store(at, bytes(width), scalar, who)?;
                }
                None
            }
            Intrinsic::VstoreHalf(rounding) | Intrinsic::VstoreaHalf(rounding) => {
                let (count, width) = (lanes(tys.first().copied()), self.width(tys[0]));
                let aligned = if count == 3 { 4 } else { count };
                let is_aligned = matches!(intrinsic, Intrinsic::VstoreaHalf(_));
                let start = address(1, 2, if is_aligned { aligned } else { count }, 2)?;
                for lane in 0..count {
                    let half = match floats::number(operands[0].lane(lane as usize), width) {
                        Some(value) => {
                            floats::rounded(value, 16, rounding.unwrap_or(Rounding::NearestEven))
                        }
                        None => Scalar::unknown(16),
                    };
                    self.memory.store(start.wrapping_add(lane * 2), 2, half, who)?;
                }
                None
            }
            Intrinsic::Fract
            | Intrinsic::Frexp
            | Intrinsic::LgammaR
            | Intrinsic::Modf
            | Intrinsic::Remquo
            | Intrinsic::Sincos => {
                let (last, values) = match operands.split_last() {
                    Some((_, values)) => (operands.len() - 1, values),
                    None => return Ok(None),
                };
                let pointer = known(last)?;
                let (pointee, _) = self
                    .types()
                    .pointer_parts(tys[last])
                    .ok_or_else(|| Stop::unknown("a result through no pointer"))?;
                let width = self.width(tys[0]);
                let mut seconds = Vec::new();
                let first = Datum::each(values, |it| {
                    let found = functions::apply_with_second(intrinsic, it, width);
                    let (first, second) =
                        found.ok_or_else(|| Stop::unknown(intrinsic.source_name()))?;
                    seconds.push(Datum::Scalar(second));
                    Ok::<_, Stop>(first)
                })?;
                self.store(who, pointer, pointee, &whole(seconds))?;
                Some(first)
            }
            Intrinsic::Printf => {
                let text = printing::format(self, item, operands, tys)?;
                self.printed.push_str(&text);
                result.map(|_| Datum::known(0))
            }
            Intrinsic::Prefetch | Intrinsic::Assume => None,
            Intrinsic::Unreachable => return Err(Stop::fault("control comes to `unreachable`")),
            Intrinsic::Trap => return Err(Stop::fault("the program traps")),
            Intrinsic::GetFence => {
                let fence = match self.memory.region(known(0)?) {
                    Some(crate::memory::Region::Global) => 2,
                    Some(crate::memory::Region::Local) => 1,
                    _ => 0,
                };
                Some(Datum::known(fence))
            }
            _ => return Ok(None),
        };
        Ok(Some(datum))
    }

    /// The functions of whole vectors; `None` if it is no such function.
    pub(crate) fn vector_function(
        &self,
        intrinsic: Intrinsic,
        operands: &[Datum],
        tys: &[Type],
        result: Option<Type>,
    ) -> Option<Datum> {
        let result = result?;
        let width = self.width(result);
        let unknown = || Datum::Scalar(Scalar::unknown(width));
        let scalars = |datum: &Datum| -> Vec<Scalar> {
            (0..datum.lanes().unwrap_or(1)).map(|lane| datum.lane(lane)).collect()
        };
        let is_float = tys.first().is_some_and(|&ty| self.types().is_float(ty));
        if is_float {
            let numbers: Option<Vec<Vec<f64>>> = operands
                .iter()
                .map(|datum| scalars(datum).iter().map(|&it| floats::number(it, width)).collect())
                .collect();
            let zeros: Vec<Vec<f64>> =
                operands.iter().map(|datum| vec![0.0; datum.lanes().unwrap_or(1)]).collect();
            if let Some(found) = functions::geometric(intrinsic, numbers.as_ref().unwrap_or(&zeros))
            {
                let count = self.types().lanes(result);
                let parts = found.iter().take(usize::from(count)).map(|&value| match numbers {
                    Some(_) => Datum::Scalar(floats::nearest(value, width)),
                    None => unknown(),
                });
                return Some(whole(parts.collect()));
            }
        }
        Some(match intrinsic {
            Intrinsic::Any | Intrinsic::All => {
                let sign = 1 << (self.width(*tys.first()?) - 1);
                let signs: Vec<Scalar> = scalars(&operands[0]);
                let is_any = intrinsic == Intrinsic::Any;
                let decides =
                    |it: &Scalar| it.unknown & sign == 0 && (it.bits & sign != 0) == is_any;
                if signs.iter().any(decides) {
                    Datum::known(u64::from(is_any))
                } else if signs.iter().any(|it| it.unknown & sign != 0) {
                    unknown()
                } else {
                    Datum::known(u64::from(!is_any))
                }
            }
            Intrinsic::Shuffle | Intrinsic::Shuffle2 => {
                let (indices, vectors) = operands.split_last()?;
                let parts: Vec<Scalar> = vectors.iter().flat_map(scalars).collect();
                let pick = |index: Scalar| match index.get() {
                    // The lowest bits count (OpenCL C 6.15.13).
                    Some(index) => Datum::Scalar(parts[index as usize % parts.len()]),
                    None => unknown(),
                };
                whole(scalars(indices).into_iter().map(pick).collect())
            }
            Intrinsic::Expect => operands.first()?.clone(),
            Intrinsic::Dot4x8(signs)
            | Intrinsic::Dot4x8Packed(signs)
            | Intrinsic::Dot4x8AccSat(signs)
            | Intrinsic::Dot4x8PackedAccSat(signs) => {
                let bytes = |index: usize| -> Option<Vec<u64>> {
                    let datum = operands.get(index)?;
                    match datum.lanes() {
                        Some(_) => scalars(datum).into_iter().map(Scalar::get).collect(),
                        None => {
                            let bits = datum.lane(0).get()?;
                            Some((0..4).map(|byte| bits >> (8 * byte) & 0xff).collect())
                        }
                    }
                };
                let (first, second) = match signs {
                    DotSigns::UnsignedUnsigned => (false, false),
                    DotSigns::SignedSigned => (true, true),
                    DotSigns::UnsignedSigned => (false, true),
                    DotSigns::SignedUnsigned => (true, false),
                };
                let extend = |bits: u64, is_signed: bool| {
                    if is_signed { signed(bits, 8) } else { bits as i64 }
                };
                let Some((a, b)) = bytes(0).zip(bytes(1)) else { return Some(unknown()) };
                let dot: i64 =
                    a.iter().zip(&b).map(|(&a, &b)| extend(a, first) * extend(b, second)).sum();
                let sum = match operands.get(2) {
                    None => dot,
                    Some(datum) => {
                        let Some(bits) = datum.lane(0).get() else { return Some(unknown()) };
                        if first || second {
                            let sum = signed(bits, width) + dot;
                            sum.clamp(i64::from(i32::MIN), i64::from(i32::MAX))
                        } else {
                            (bits as i64 + dot).min(i64::from(u32::MAX))
                        }
                    }
                };
                Datum::known(sum as u64 & mask(width))
            }
            _ => return None,
        })
    }
}

/// Of a scalar in memory; booleans take one.
fn bytes(width: u32) -> u64 {
    u64::from(width.div_ceil(8))
}

fn flatten(datum: &Datum, out: &mut Vec<Scalar>) {
    match datum {
        Datum::Scalar(scalar) => out.push(*scalar),
        Datum::Parts(parts) => parts.iter().for_each(|part| flatten(part, out)),
    }
}

/// A scalar, or a vector of several.
pub(crate) fn whole(mut parts: Vec<Datum>) -> Datum {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        last => {
            parts.extend(last);
            Datum::Parts(parts)
        }
    }
}
