//! Folds constants and simplifies instructions.

use clc_base::{Arena, Span};
use clc_ir::{
    BinaryOp, CompareOp, Const, ConvertOp, FloatFlags, Function, Global, GlobalId, Inst, InstKind,
    Module, StorageClass, Type, TypeKind, UnaryOp, Value,
};

use crate::fold::{self, Folder};
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
pub fn run(module: &mut Module) {
    let globals = &module.globals;
    for function in module.functions.values_mut() {
        if function.is_declaration() {
            continue;
        }
        remove_unreachable(function);
        let folder = Folder { types: &mut module.types, consts: &mut module.consts };
        let replacements = Replacements::new(function);
        let mut simplifier = Simplifier {
            folder,
            function,
            globals,
            replacements,
            out: Vec::new(),
            span: Span::NONE,
            float: FloatFlags::NONE,
        };
        simplifier.run();
    }
}

/// What becomes of an instruction.
enum Outcome {
    Keep,
    /// The result equals this value.
    Same(Value),
    /// Another operation computes the result; look again.
    Become(InstKind),
}

use Outcome::{Become, Keep, Same};

struct Simplifier<'a> {
    folder: Folder<'a>,
    function: &'a mut Function,
    globals: &'a Arena<GlobalId, Global>,
    replacements: Replacements,
    /// The block at hand, as it will be.
    out: Vec<Inst>,
    span: Span,
    float: FloatFlags,
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
        self.span = data.span;
        self.float = data.float;
        if let Some(result) = data.result {
            let ty = self.ty(result);
            for _ in 0..STEPS {
                let kind = self.function.insts[inst].kind;
                match self.simplify(kind, ty) {
                    Keep => break,
                    Same(value) => {
                        self.replacements.set(result, value);
                        return;
                    }
                    Become(kind) => self.function.insts[inst].kind = kind,
                }
            }
        }
        self.out.push(inst);
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

    /// A new instruction just before the one at hand.
    fn make(&mut self, kind: InstKind, ty: Type) -> Value {
        let inst = self.function.create_inst(kind, Some(ty), self.float, self.span);
        self.out.push(inst);
        self.function.insts[inst].result.expect("an instruction with a type has a result")
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
            InstKind::Load { .. }
            | InstKind::Store { .. }
            | InstKind::CopyMemory { .. }
            | InstKind::Variable { .. }
            | InstKind::Call { .. }
            | InstKind::Intrinsic { .. }
            | InstKind::GenericTo { .. } => Keep,
        }
    }

    fn folder_convert(
        &mut self,
        op: ConvertOp,
        operand: Value,
        ty: Type,
        rounding: Option<clc_builtins::resolve::Rounding>,
        saturate: bool,
    ) -> Option<Value> {
        if operand.is_const() {
            return self.folder.convert(op, operand, ty, rounding, saturate);
        }
        // A conversion of one of two constants is one of two constants.
        if let Some(InstKind::Select { condition, then, otherwise }) = self.kind(operand)
            && then.is_const()
            && otherwise.is_const()
            && self.folder.types.lanes(ty) == self.folder.types.lanes(self.ty(operand))
        {
            let then = self.folder.convert(op, then, ty, rounding, saturate)?;
            let otherwise = self.folder.convert(op, otherwise, ty, rounding, saturate)?;
            return Some(self.make(InstKind::Select { condition, then, otherwise }, ty));
        }
        None
    }

    fn binary(&mut self, op: BinaryOp, left: Value, right: Value, ty: Type) -> Outcome {
        if let Some(value) = self.folder.binary(op, left, right) {
            return Same(value);
        }
        if left.is_const() && is_commutative(op) && !right.is_const() {
            return Become(InstKind::Binary { op, left: right, right: left });
        }
        if self.folder.types.is_float(ty) {
            return self.float_binary(op, left, right, ty);
        }
        let is_bool = self.folder.types.is_bool(ty);
        let width = self.folder.types.scalar_bits(ty).unwrap_or(1);
        let ones = fold::mask(u64::MAX, width);
        let zero = |simplifier: &mut Self| simplifier.folder.splat(ty, 0);
        if left == right {
            match op {
                BinaryOp::And | BinaryOp::Or => return Same(left),
                BinaryOp::Xor | BinaryOp::ISub => return Same(zero(self)),
                _ => {}
            }
        }
        if let Some(constant) = self.splat(right) {
            match (op, constant) {
                (
                    BinaryOp::IAdd
                    | BinaryOp::ISub
                    | BinaryOp::Or
                    | BinaryOp::Xor
                    | BinaryOp::Shl
                    | BinaryOp::LShr
                    | BinaryOp::AShr,
                    0,
                ) => return Same(left),
                (BinaryOp::IMul | BinaryOp::And, 0) => return Same(zero(self)),
                (BinaryOp::IMul | BinaryOp::SDiv | BinaryOp::UDiv, 1) if !is_bool => {
                    return Same(left);
                }
                (BinaryOp::URem | BinaryOp::SRem, 1) => return Same(zero(self)),
                (BinaryOp::And, bits) if bits == ones => return Same(left),
                (BinaryOp::Or, bits) if bits == ones => return Same(right),
                (BinaryOp::Xor, bits) if bits == ones => {
                    return Become(InstKind::Unary { op: UnaryOp::Not, operand: left });
                }
                (BinaryOp::UDiv, bits) if bits.is_power_of_two() => {
                    let right = self.folder.splat(ty, u64::from(bits.trailing_zeros()));
                    return Become(InstKind::Binary { op: BinaryOp::LShr, left, right });
                }
                (BinaryOp::URem, bits) if bits.is_power_of_two() => {
                    let right = self.folder.splat(ty, bits - 1);
                    return Become(InstKind::Binary { op: BinaryOp::And, left, right });
                }
                // One form for both, so that chains of them meet below.
                (BinaryOp::ISub, bits) => {
                    let right = self.folder.splat(ty, fold::mask(bits.wrapping_neg(), width));
                    return Become(InstKind::Binary { op: BinaryOp::IAdd, left, right });
                }
                _ => {}
            }
        }
        if op == BinaryOp::ISub && self.splat(left) == Some(0) {
            return Become(InstKind::Unary { op: UnaryOp::INeg, operand: right });
        }
        // (x op c1) op c2 is x op (c1 op c2).
        if right.is_const()
            && matches!(
                op,
                BinaryOp::IAdd | BinaryOp::IMul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor
            )
            && let Some(InstKind::Binary { op: inner, left: first, right: second }) =
                self.kind(left)
            && inner == op
            && let Some(right) = self.folder.binary(op, second, right)
        {
            return Become(InstKind::Binary { op, left: first, right });
        }
        self.binary_of_selects(op, left, right, ty)
    }

    /// Arithmetic on one of two constants, which C makes of every truth value.
    fn binary_of_selects(&mut self, op: BinaryOp, left: Value, right: Value, ty: Type) -> Outcome {
        let choice = |simplifier: &Self, value: Value| match simplifier.kind(value) {
            Some(InstKind::Select { condition, then, otherwise })
                if then.is_const() && otherwise.is_const() =>
            {
                Some((condition, then, otherwise))
            }
            _ => None,
        };
        if right.is_const()
            && let Some((condition, then, otherwise)) = choice(self, left)
            && let Some(then) = self.folder.binary(op, then, right)
            && let Some(otherwise) = self.folder.binary(op, otherwise, right)
        {
            return Become(InstKind::Select { condition, then, otherwise });
        }
        // (a ? k : 0) & (b ? k : 0) is (a & b) ? k : 0, and so for | and ^.
        if matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
            && let Some((first, then, otherwise)) = choice(self, left)
            && let Some((second, other_then, other_otherwise)) = choice(self, right)
            && then == other_then
            && otherwise == other_otherwise
            && self.splat(otherwise) == Some(0)
            && self.ty(first) == self.ty(second)
        {
            let condition_ty = self.ty(first);
            let kind = InstKind::Binary { op, left: first, right: second };
            let condition = self.make(kind, condition_ty);
            return Become(InstKind::Select { condition, then, otherwise });
        }
        let _ = ty;
        Keep
    }

    fn float_binary(&mut self, op: BinaryOp, left: Value, right: Value, ty: Type) -> Outcome {
        let width = self.folder.types.scalar_bits(ty).unwrap_or(32);
        let one = fold::one(width);
        let negative_zero = 1u64 << (width - 1);
        let ignores_zero_sign =
            self.float.has(FloatFlags::NO_SIGNED_ZERO) || self.float.has(FloatFlags::FAST);
        if let Some(constant) = self.splat(right) {
            match op {
                // x + -0.0 is x for every x; x + 0.0 turns -0.0 into 0.0.
                BinaryOp::FAdd
                    if constant == negative_zero || (constant == 0 && ignores_zero_sign) =>
                {
                    return Same(left);
                }
                BinaryOp::FSub
                    if constant == 0 || (constant == negative_zero && ignores_zero_sign) =>
                {
                    return Same(left);
                }
                BinaryOp::FMul | BinaryOp::FDiv if constant == one => return Same(left),
                BinaryOp::FMul | BinaryOp::FDiv if constant == one | negative_zero => {
                    return Become(InstKind::Unary { op: UnaryOp::FNeg, operand: left });
                }
                // Division by a power of two is a multiplication, to the last bit.
                BinaryOp::FDiv => {
                    if let Some(bits) = fold::exact_reciprocal(width, constant) {
                        let right = self.folder.splat(ty, bits);
                        return Become(InstKind::Binary { op: BinaryOp::FMul, left, right });
                    }
                }
                _ => {}
            }
        }
        if op == BinaryOp::FSub && self.splat(left) == Some(negative_zero) {
            return Become(InstKind::Unary { op: UnaryOp::FNeg, operand: right });
        }
        // a + -b is a - b, and a - -b is a + b, exactly.
        if matches!(op, BinaryOp::FAdd | BinaryOp::FSub)
            && let Some(InstKind::Unary { op: UnaryOp::FNeg, operand }) = self.kind(right)
        {
            let op = if op == BinaryOp::FAdd { BinaryOp::FSub } else { BinaryOp::FAdd };
            return Become(InstKind::Binary { op, left, right: operand });
        }
        Keep
    }

    fn unary(&mut self, op: UnaryOp, operand: Value, ty: Type) -> Outcome {
        if let Some(value) = self.folder.unary(op, operand) {
            return Same(value);
        }
        match self.kind(operand) {
            Some(InstKind::Unary { op: inner, operand }) if inner == op => return Same(operand),
            Some(InstKind::Compare { op: comparison, left, right }) if op == UnaryOp::Not => {
                if let Some(opposite) = inverted(comparison) {
                    return Become(InstKind::Compare { op: opposite, left, right });
                }
            }
            Some(InstKind::Select { condition, then, otherwise }) => {
                if let (Some(then), Some(otherwise)) =
                    (self.folder.unary(op, then), self.folder.unary(op, otherwise))
                {
                    return Become(InstKind::Select { condition, then, otherwise });
                }
            }
            // -(a - b) is b - a.
            Some(InstKind::Binary { op: BinaryOp::ISub, left, right }) if op == UnaryOp::INeg => {
                return Become(InstKind::Binary { op: BinaryOp::ISub, left: right, right: left });
            }
            _ => {}
        }
        let _ = ty;
        Keep
    }

    fn compare(&mut self, op: CompareOp, left: Value, right: Value, ty: Type) -> Outcome {
        if let Some(value) = self.folder.compare(op, left, right) {
            return Same(value);
        }
        if left.is_const() && !right.is_const() {
            return Become(InstKind::Compare { op: swapped(op), left: right, right: left });
        }
        if left == right {
            match op {
                CompareOp::Equal
                | CompareOp::SLessEqual
                | CompareOp::SGreaterEqual
                | CompareOp::ULessEqual
                | CompareOp::UGreaterEqual => return Same(self.folder.splat(ty, 1)),
                CompareOp::NotEqual
                | CompareOp::SLess
                | CompareOp::SGreater
                | CompareOp::ULess
                | CompareOp::UGreater => return Same(self.folder.splat(ty, 0)),
                // Not so for NaN.
                CompareOp::FEqual
                | CompareOp::FNotEqual
                | CompareOp::FLess
                | CompareOp::FLessEqual
                | CompareOp::FGreater
                | CompareOp::FGreaterEqual => {}
            }
        }
        let operand_ty = self.ty(left);
        if let Some(constant) = self.splat(right) {
            if self.folder.types.is_bool(operand_ty) {
                let truth = constant != 0;
                match op {
                    CompareOp::Equal if truth => return Same(left),
                    CompareOp::NotEqual if !truth => return Same(left),
                    CompareOp::Equal | CompareOp::NotEqual => {
                        return Become(InstKind::Unary { op: UnaryOp::Not, operand: left });
                    }
                    _ => {}
                }
            }
            match (op, constant) {
                (CompareOp::ULess, 0) => return Same(self.folder.splat(ty, 0)),
                (CompareOp::UGreaterEqual, 0) => return Same(self.folder.splat(ty, 1)),
                (CompareOp::UGreater, 0) => {
                    return Become(InstKind::Compare { op: CompareOp::NotEqual, left, right });
                }
                (CompareOp::ULessEqual, 0) => {
                    return Become(InstKind::Compare { op: CompareOp::Equal, left, right });
                }
                // Widening keeps zero and nothing else zero.
                (CompareOp::Equal | CompareOp::NotEqual, 0) => {
                    if let Some(InstKind::Convert {
                        op: ConvertOp::ZeroExtend | ConvertOp::SignExtend,
                        operand,
                        ..
                    }) = self.kind(left)
                    {
                        let zero = self.folder.zero(self.ty(operand));
                        return Become(InstKind::Compare { op, left: operand, right: zero });
                    }
                }
                _ => {}
            }
        }
        // A comparison of one of two constants decides between two constants.
        if right.is_const()
            && let Some(InstKind::Select { condition, then, otherwise }) = self.kind(left)
            && let Some(then) = self.folder.compare(op, then, right)
            && let Some(otherwise) = self.folder.compare(op, otherwise, right)
            && self.ty(condition) == ty
        {
            return match (self.splat(then), self.splat(otherwise)) {
                (Some(0), Some(0)) | (Some(1), Some(1)) => Same(then),
                (Some(1), Some(0)) => Same(condition),
                (Some(0), Some(1)) => {
                    Become(InstKind::Unary { op: UnaryOp::Not, operand: condition })
                }
                _ => Become(InstKind::Select { condition, then, otherwise }),
            };
        }
        Keep
    }

    fn select(&mut self, condition: Value, then: Value, otherwise: Value, ty: Type) -> Outcome {
        if then == otherwise {
            return Same(then);
        }
        if let Some(value) = self.folder.select(condition, then, otherwise) {
            return Same(value);
        }
        match self.splat(condition) {
            Some(0) => return Same(otherwise),
            Some(_) => return Same(then),
            None => {}
        }
        if let Some(InstKind::Unary { op: UnaryOp::Not, operand }) = self.kind(condition) {
            return Become(InstKind::Select {
                condition: operand,
                then: otherwise,
                otherwise: then,
            });
        }
        if self.folder.types.is_bool(ty) && self.ty(condition) == ty {
            let op = match (self.splat(then), self.splat(otherwise)) {
                (Some(1), Some(0)) => return Same(condition),
                (Some(0), Some(1)) => {
                    return Become(InstKind::Unary { op: UnaryOp::Not, operand: condition });
                }
                (_, Some(0)) => Some((BinaryOp::And, then)),
                (Some(1), _) => Some((BinaryOp::Or, otherwise)),
                _ => None,
            };
            if let Some((op, right)) = op {
                return Become(InstKind::Binary { op, left: condition, right });
            }
        }
        // The same question again has the same answer.
        if let Some(InstKind::Select { condition: inner, then: first, .. }) = self.kind(then)
            && inner == condition
        {
            return Become(InstKind::Select { condition, then: first, otherwise });
        }
        if let Some(InstKind::Select { condition: inner, otherwise: second, .. }) =
            self.kind(otherwise)
            && inner == condition
        {
            return Become(InstKind::Select { condition, then, otherwise: second });
        }
        Keep
    }

    fn convert(&mut self, op: ConvertOp, operand: Value, ty: Type) -> Outcome {
        let from = self.ty(operand);
        if from == ty && matches!(op, ConvertOp::Bitcast | ConvertOp::FToF) {
            return Same(operand);
        }
        let Some(InstKind::Convert { op: inner, operand: source, rounding, saturate }) =
            self.kind(operand)
        else {
            return Keep;
        };
        if rounding.is_some() || saturate {
            return Keep;
        }
        let source_ty = self.ty(source);
        let plain = |op, operand| {
            Become(InstKind::Convert { op, operand, rounding: None, saturate: false })
        };
        let width = |simplifier: &Self, ty: Type| simplifier.folder.types.scalar_bits(ty);
        match (op, inner) {
            (ConvertOp::Bitcast, ConvertOp::Bitcast) => plain(ConvertOp::Bitcast, source),
            (ConvertOp::Truncate, ConvertOp::Truncate)
            | (ConvertOp::ZeroExtend, ConvertOp::ZeroExtend)
            | (ConvertOp::SignExtend, ConvertOp::SignExtend) => plain(op, source),
            // The sign bit is zero.
            (ConvertOp::SignExtend, ConvertOp::ZeroExtend) => plain(ConvertOp::ZeroExtend, source),
            (ConvertOp::Truncate, ConvertOp::ZeroExtend | ConvertOp::SignExtend) => {
                match width(self, source_ty).cmp(&width(self, ty)) {
                    std::cmp::Ordering::Equal => Same(source),
                    std::cmp::Ordering::Less => plain(inner, source),
                    std::cmp::Ordering::Greater => plain(ConvertOp::Truncate, source),
                }
            }
            // Widening a float and coming back loses nothing.
            (ConvertOp::FToF, ConvertOp::FToF)
                if source_ty == ty && width(self, from) > width(self, ty) =>
            {
                Same(source)
            }
            (ConvertOp::FromGeneric, ConvertOp::ToGeneric) if source_ty == ty => Same(source),
            (ConvertOp::IntToPtr, ConvertOp::PtrToInt) if source_ty == ty => Same(source),
            _ => Keep,
        }
    }

    /// The value of a load from a constant global.
    fn load_constant(&mut self, pointer: Value) -> Option<Value> {
        let (base, indices) = match self.kind(pointer) {
            Some(InstKind::Access { base, indices }) => {
                (base, self.function.values_of(indices).collect::<Vec<_>>())
            }
            Some(_) => return None,
            None => match self.folder.consts.get(pointer.as_const()?) {
                Const::Access { ty: _, base, step: 0, indices } => (*base, indices.to_vec()),
                _ => (pointer, Vec::new()),
            },
        };
        let Const::GlobalAddress(_, id) = self.folder.consts.get(base.as_const()?) else {
            return None;
        };
        let global = &self.globals[*id];
        if !global.is_const || global.class != StorageClass::UniformConstant {
            return None;
        }
        let mut value = global.initializer?;
        for index in indices {
            let index = u32::try_from(self.folder.scalar_bits(index)?).ok()?;
            value = self.folder.component(value, index)?;
        }
        // Whole aggregates are better loaded.
        match self.folder.types.kind(self.ty(value)) {
            TypeKind::Array(..) | TypeKind::Struct(_) => None,
            _ => Some(value),
        }
    }

    fn ptr_add(&mut self, base: Value, index: Value) -> Outcome {
        let step = self.folder.scalar_bits(index).map(|bits| {
            fold::sign_extend(bits, self.folder.types.scalar_bits(self.ty(index)).unwrap_or(64))
        });
        if step == Some(0) {
            return Same(base);
        }
        match self.kind(base) {
            Some(InstKind::PtrAdd { base: inner, index: first }) => {
                let first_ty = self.ty(first);
                let (Some(step), Some(bits)) = (step, self.folder.scalar_bits(first)) else {
                    return Keep;
                };
                let width = self.folder.types.scalar_bits(first_ty).unwrap_or(64);
                let Some(total) = fold::sign_extend(bits, width).checked_add(step) else {
                    return Keep;
                };
                let ty = self.folder.types.size_type();
                let index = self.folder.int(ty, total as u64);
                Become(InstKind::PtrAdd { base: inner, index })
            }
            // Stepping from one element of an array to another indexes the array.
            Some(InstKind::Access { base: inner, indices }) => {
                let mut indices: Vec<Value> = self.function.values_of(indices).collect();
                let Some(last) = indices.pop() else { return Keep };
                let Some(len) = self.indexed_array(inner, &indices) else { return Keep };
                let Some(bits) = self.folder.scalar_bits(last) else { return Keep };
                let width = self.folder.types.scalar_bits(self.ty(last)).unwrap_or(64);
                let start = fold::sign_extend(bits, width);
                let new = match step {
                    Some(step) => {
                        let Some(total) = start.checked_add(step) else { return Keep };
                        if total < 0 || total as u64 >= len {
                            return Keep;
                        }
                        let ty = self.ty(last);
                        self.folder.int(ty, total as u64)
                    }
                    None if start == 0 => index,
                    None => return Keep,
                };
                indices.push(new);
                let indices = self.function.list(&indices);
                Become(InstKind::Access { base: inner, indices })
            }
            _ => Keep,
        }
    }

    /// The length of the array that `indices` lead to.
    fn indexed_array(&self, base: Value, indices: &[Value]) -> Option<u64> {
        let (mut ty, _) = self.folder.types.pointer_parts(self.ty(base))?;
        for &index in indices {
            ty = match self.folder.types.kind(ty) {
                TypeKind::Array(element, _) | TypeKind::Vector(element, _) => element,
                TypeKind::Struct(id) => {
                    let field = self.folder.scalar_bits(index)?;
                    *self.folder.types.struct_data(id).fields.get(field as usize)?
                }
                _ => return None,
            };
        }
        match self.folder.types.kind(ty) {
            TypeKind::Array(_, len) => Some(len),
            _ => None,
        }
    }

    fn extract(&mut self, aggregate: Value, path: &[u32]) -> Outcome {
        let Some((&first, rest)) = path.split_first() else { return Same(aggregate) };
        if aggregate.is_const() {
            return match self.folder.component(aggregate, first) {
                Some(part) if rest.is_empty() => Same(part),
                Some(part) => {
                    let path = self.function.number_list(rest);
                    Become(InstKind::Extract { aggregate: part, path })
                }
                None => Keep,
            };
        }
        match self.kind(aggregate) {
            Some(InstKind::Construct { parts }) => {
                let ty = self.ty(aggregate);
                if let TypeKind::Vector(..) = self.folder.types.kind(ty) {
                    // Parts may be vectors themselves.
                    let mut lane = first;
                    for index in 0..parts.len() {
                        let part = self.function.value_at(parts, index);
                        let lanes = u32::from(self.folder.types.lanes(self.ty(part)));
                        if lane < lanes {
                            if lanes == 1 {
                                return Same(part);
                            }
                            let path = self.function.number_list(&[lane]);
                            return Become(InstKind::Extract { aggregate: part, path });
                        }
                        lane -= lanes;
                    }
                    return Keep;
                }
                if first as usize >= parts.len() {
                    return Keep;
                }
                let part = self.function.value_at(parts, first as usize);
                if rest.is_empty() {
                    return Same(part);
                }
                let path = self.function.number_list(rest);
                Become(InstKind::Extract { aggregate: part, path })
            }
            Some(InstKind::Insert { aggregate: inner, element, path: written }) => {
                let written = self.function.numbers_of(written);
                if written == path {
                    return Same(element);
                }
                if path.starts_with(written) {
                    let rest = path[written.len()..].to_vec();
                    let path = self.function.number_list(&rest);
                    return Become(InstKind::Extract { aggregate: element, path });
                }
                if written.starts_with(path) {
                    return Keep;
                }
                let path = self.function.number_list(path);
                Become(InstKind::Extract { aggregate: inner, path })
            }
            Some(InstKind::Shuffle { left, right, mask }) => {
                let lanes = u32::from(self.folder.types.lanes(self.ty(left)));
                let Some(&lane) = self.function.numbers_of(mask).get(first as usize) else {
                    return Keep;
                };
                if lane == u32::MAX {
                    let scalar = self.folder.types.scalar(self.ty(left));
                    return Same(self.folder.undef(scalar));
                }
                let (vector, lane) =
                    if lane < lanes { (left, lane) } else { (right, lane - lanes) };
                let path = self.function.number_list(&[lane]);
                Become(InstKind::Extract { aggregate: vector, path })
            }
            Some(InstKind::Extract { aggregate: inner, path: outer }) => {
                let mut joined = self.function.numbers_of(outer).to_vec();
                joined.extend_from_slice(path);
                let path = self.function.number_list(&joined);
                Become(InstKind::Extract { aggregate: inner, path })
            }
            _ => Keep,
        }
    }

    fn insert(&mut self, aggregate: Value, element: Value, path: &[u32], ty: Type) -> Outcome {
        // An insertion over an insertion at the same place hides it.
        if let Some(InstKind::Insert { aggregate: inner, element: _, path: written }) =
            self.kind(aggregate)
            && self.function.numbers_of(written) == path
        {
            let path = self.function.number_list(path);
            return Become(InstKind::Insert { aggregate: inner, element, path });
        }
        // A component put back where it came from.
        if let Some(InstKind::Extract { aggregate: source, path: read }) = self.kind(element)
            && source == aggregate
            && self.function.numbers_of(read) == path
        {
            return Same(aggregate);
        }
        // The last of a chain of insertions that covers the vector: build it at once.
        if let (TypeKind::Vector(_, count), &[lane]) = (self.folder.types.kind(ty), path) {
            let mut parts = vec![None; usize::from(count)];
            parts[lane as usize] = Some(element);
            let mut missing = usize::from(count) - 1;
            let mut base = aggregate;
            // The bound keeps long chains linear.
            for _ in 0..2 * count {
                if missing == 0 {
                    break;
                }
                let Some(InstKind::Insert { aggregate: inner, element, path }) = self.kind(base)
                else {
                    break;
                };
                let &[lane] = self.function.numbers_of(path) else { break };
                if parts[lane as usize].is_none() {
                    parts[lane as usize] = Some(element);
                    missing -= 1;
                }
                base = inner;
            }
            if missing == 0 {
                let parts: Vec<Value> = parts.into_iter().flatten().collect();
                let parts = self.function.list(&parts);
                return Become(InstKind::Construct { parts });
            }
        }
        Keep
    }

    fn construct(&mut self, parts: &[Value], ty: Type) -> Outcome {
        let lanes = match self.folder.types.kind(ty) {
            TypeKind::Vector(_, count) => Some(usize::from(count)),
            _ => None,
        };
        if parts.iter().all(|part| part.is_const()) {
            if lanes.is_none_or(|lanes| lanes == parts.len()) {
                return Same(self.folder.composite(ty, parts.to_vec()));
            }
            let mut flat = Vec::new();
            for &part in parts {
                let count = self.folder.types.lanes(self.ty(part));
                for lane in 0..u32::from(count) {
                    let component =
                        if count == 1 { Some(part) } else { self.folder.component(part, lane) };
                    match component {
                        Some(component) => flat.push(component),
                        None => return Keep,
                    }
                }
            }
            return Same(self.folder.composite(ty, flat));
        }
        // All components of one vector, in order, are that vector.
        if lanes == Some(parts.len())
            && let Some(InstKind::Extract { aggregate, path }) = self.kind(parts[0])
            && self.ty(aggregate) == ty
            && *self.function.numbers_of(path) == [0]
            && parts.iter().enumerate().all(|(lane, &part)| match self.kind(part) {
                Some(InstKind::Extract { aggregate: source, path }) => {
                    source == aggregate && *self.function.numbers_of(path) == [lane as u32]
                }
                _ => false,
            })
        {
            return Same(aggregate);
        }
        Keep
    }
}

fn is_commutative(op: BinaryOp) -> bool {
    match op {
        BinaryOp::IAdd
        | BinaryOp::IMul
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::FAdd
        | BinaryOp::FMul => true,
        BinaryOp::ISub
        | BinaryOp::SDiv
        | BinaryOp::UDiv
        | BinaryOp::SRem
        | BinaryOp::URem
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr
        | BinaryOp::FSub
        | BinaryOp::FDiv
        | BinaryOp::FRem => false,
    }
}

/// The comparison that holds for `b, a` when this one holds for `a, b`.
fn swapped(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Equal | CompareOp::NotEqual | CompareOp::FEqual | CompareOp::FNotEqual => op,
        CompareOp::SLess => CompareOp::SGreater,
        CompareOp::SLessEqual => CompareOp::SGreaterEqual,
        CompareOp::SGreater => CompareOp::SLess,
        CompareOp::SGreaterEqual => CompareOp::SLessEqual,
        CompareOp::ULess => CompareOp::UGreater,
        CompareOp::ULessEqual => CompareOp::UGreaterEqual,
        CompareOp::UGreater => CompareOp::ULess,
        CompareOp::UGreaterEqual => CompareOp::ULessEqual,
        CompareOp::FLess => CompareOp::FGreater,
        CompareOp::FLessEqual => CompareOp::FGreaterEqual,
        CompareOp::FGreater => CompareOp::FLess,
        CompareOp::FGreaterEqual => CompareOp::FLessEqual,
    }
}

/// The comparison that holds exactly when this one does not. Ordered comparisons of floats have
/// none, because NaN makes both false.
fn inverted(op: CompareOp) -> Option<CompareOp> {
    Some(match op {
        CompareOp::Equal => CompareOp::NotEqual,
        CompareOp::NotEqual => CompareOp::Equal,
        CompareOp::SLess => CompareOp::SGreaterEqual,
        CompareOp::SLessEqual => CompareOp::SGreater,
        CompareOp::SGreater => CompareOp::SLessEqual,
        CompareOp::SGreaterEqual => CompareOp::SLess,
        CompareOp::ULess => CompareOp::UGreaterEqual,
        CompareOp::ULessEqual => CompareOp::UGreater,
        CompareOp::UGreater => CompareOp::ULessEqual,
        CompareOp::UGreaterEqual => CompareOp::ULess,
        CompareOp::FEqual => CompareOp::FNotEqual,
        CompareOp::FNotEqual => CompareOp::FEqual,
        CompareOp::FLess
        | CompareOp::FLessEqual
        | CompareOp::FGreater
        | CompareOp::FGreaterEqual => return None,
    })
}
