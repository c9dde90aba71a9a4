//! Components in the place of vectors, block by block.

use clc_base::Id;
use clc_builtins::Intrinsic;
use clc_ir::rewrite::note_replaced;
use clc_ir::{
    Align, BinaryOp, Block, Builder, CompareOp, Const, ConvertOp, Inst, InstData, InstKind,
    MemoryAccess, Terminator, Type, TypePool, Value,
};
use rustc_hash::FxHashMap;

use super::calls::{is_quantifier, is_test};
use super::plan::{Plan, factors};
use crate::replacements::Replacements;
use crate::short_vectors::{of_one_integer, part};

pub(super) struct Rewriter<'a> {
    pub(super) builder: Builder<'a>,
    pub(super) plan: &'a Plan,
    /// By local value as there was before: its components, of those that are apart or taken.
    pub(super) components: &'a mut Vec<Option<Box<[Value]>>>,
    pub(super) replacements: &'a mut Replacements,
    /// Vectors that were made again in this block.
    pub(super) whole: FxHashMap<Value, Value>,
}

impl Rewriter<'_> {
    pub(super) fn instructions(&mut self, block: Block) {
        let insts = std::mem::take(&mut self.builder.function.blocks[block].insts);
        let terminator = std::mem::take(&mut self.builder.function.blocks[block].terminator);
        let params = self.builder.function.blocks[block].params.clone();
        // Variables come first.
        let (variables, insts): (Vec<Inst>, Vec<Inst>) = insts.into_iter().partition(|&inst| {
            matches!(self.builder.function.insts[inst].kind, InstKind::Variable { .. })
        });
        self.builder.function.blocks[block].insts = variables;
        for param in params {
            self.defined(param);
        }
        for inst in insts {
            let start = (block, self.builder.function.blocks[block].insts.len());
            self.inst(block, inst);
            note_replaced(self.builder.function, inst, start);
        }
        let terminator = self.terminator(terminator);
        self.builder.function.blocks[block].terminator = terminator;
    }

    fn inst(&mut self, block: Block, inst: Inst) {
        let data = self.builder.function.insts[inst];
        self.builder.location = data.location;
        self.builder.math = data.math;
        if let Some(result) = data.result.filter(|&result| self.plan.is_apart(result)) {
            let components = self.computed(&data, result);
            self.set_components(result, components);
            return;
        }
        match (data.kind, data.result) {
            (InstKind::Extract { aggregate, path }, Some(result))
                if self.plan.is_apart(aggregate) || self.plan.is_taken(aggregate) =>
            {
                let component = self.builder.function.numbers_of(path)[0];
                let component = self.components_of(aggregate)[component as usize];
                self.replacements.set(result, component);
            }
            (InstKind::Intrinsic { intrinsic, arguments }, Some(result))
                if is_quantifier(intrinsic)
                    && let value = self.builder.function.value_at(arguments, 0)
                    && self.plan.is_apart(value) =>
            {
                let components = self.components_of(value);
                let value = self.quantified(intrinsic, components, result);
                self.replacements.set(result, value);
            }
            (_, Some(result)) if self.plan.dots.contains(&inst) => {
                let factors = factors(self.builder.function, &data)
                    .expect("the plan names products of vectors");
                let [left, right] = factors.map(|factor| self.components_of(factor));
                let value = self.sum_of_products(&left, &right);
                self.replacements.set(result, value);
            }
            _ => {
                self.make_operands_whole(inst);
                self.builder.function.blocks[block].insts.push(inst);
                match (data.kind, data.result) {
                    // The load itself is left without a use.
                    (InstKind::Load { pointer, access }, Some(result))
                        if self.plan.loads.contains(&inst) =>
                    {
                        let components = self.loaded(pointer, access);
                        self.set_components(result, components);
                    }
                    (_, Some(result)) => self.defined(result),
                    (_, None) => {}
                }
            }
        }
    }

    fn sum_of_products(&mut self, left: &[Value], right: &[Value]) -> Value {
        let products: Vec<Value> = (left.iter().zip(right))
            .map(|(&left, &right)| self.builder.binary(BinaryOp::FMul, left, right))
            .collect();
        let sum = products
            .into_iter()
            .reduce(|sum, product| self.builder.binary(BinaryOp::FAdd, sum, product));
        sum.expect("vectors have components")
    }

    /// The components of a result that is taken apart.
    fn computed(&mut self, data: &InstData, result: Value) -> Vec<Value> {
        let ty = self.builder.ty(result);
        let (count, scalar) = (self.builder.types.lanes(ty), self.builder.types.scalar(ty));
        let count = usize::from(count);
        match data.kind {
            InstKind::Binary { op, left, right } => {
                let (left, right) = (self.components_of(left), self.components_of(right));
                (0..count).map(|i| self.builder.binary(op, left[i], right[i])).collect()
            }
            InstKind::Unary { op, operand } => {
                let operand = self.components_of(operand);
                (0..count).map(|i| self.builder.unary(op, operand[i])).collect()
            }
            InstKind::Compare { op, left, right } => {
                let (left, right) = (self.components_of(left), self.components_of(right));
                (0..count).map(|i| self.builder.compare(op, left[i], right[i])).collect()
            }
            InstKind::Select { condition, then, otherwise } => {
                let condition = self.each_component(condition, count);
                let (then, otherwise) = (self.components_of(then), self.components_of(otherwise));
                (0..count)
                    .map(|i| self.builder.select(condition[i], then[i], otherwise[i]))
                    .collect()
            }
            InstKind::Convert { op, operand, rounding, saturate } => {
                let operand = self.components_of(operand);
                (0..count)
                    .map(|i| self.builder.convert_with(op, operand[i], scalar, rounding, saturate))
                    .collect()
            }
            InstKind::Intrinsic { intrinsic: Intrinsic::Cross, arguments } => {
                let [left, right] = [0, 1].map(|at| self.builder.function.value_at(arguments, at));
                let (left, right) = (self.components_of(left), self.components_of(right));
                let mut components: Vec<Value> = [(1, 2), (2, 0), (0, 1)]
                    .into_iter()
                    .map(|(i, j)| {
                        let plus = self.builder.binary(BinaryOp::FMul, left[i], right[j]);
                        let minus = self.builder.binary(BinaryOp::FMul, left[j], right[i]);
                        self.builder.binary(BinaryOp::FSub, plus, minus)
                    })
                    .collect();
                // The fourth component is zero (OpenCL C 6.15.5).
                components.resize_with(count, || self.builder.zero(scalar));
                components
            }
            InstKind::Intrinsic { intrinsic, arguments } => {
                let arguments: Vec<Value> = self.builder.function.values_of(arguments).collect();
                let arguments: Vec<Vec<Value>> =
                    arguments.into_iter().map(|value| self.each_component(value, count)).collect();
                (0..count)
                    .map(|i| {
                        let arguments: Vec<Value> = arguments.iter().map(|all| all[i]).collect();
                        if is_test(intrinsic) {
                            return self.test(intrinsic, &arguments, scalar);
                        }
                        let result = self.builder.intrinsic(intrinsic, &arguments, scalar);
                        result.expect("functions of components have results")
                    })
                    .collect()
            }
            InstKind::Construct { parts } => {
                let parts: Vec<Value> = self.builder.function.values_of(parts).collect();
                parts.into_iter().flat_map(|part| self.components_of(part)).collect()
            }
            InstKind::Insert { aggregate, element, path } => {
                let position = self.builder.function.numbers_of(path)[0];
                let mut components = self.components_of(aggregate);
                components[position as usize] = element;
                components
            }
            InstKind::Shuffle { left, right, mask } => {
                let mask = self.builder.function.numbers_of(mask).to_vec();
                let mut both = self.components_of(left);
                both.extend(self.components_of(right));
                let undefined = self.builder.undef(scalar);
                mask.iter().map(|&at| both.get(at as usize).copied().unwrap_or(undefined)).collect()
            }
            _ => unreachable!("is_by_component names what is taken apart"),
        }
    }

    /// 1 if any or all of the most significant bits are set, or 0.
    fn quantified(&mut self, intrinsic: Intrinsic, components: Vec<Value>, like: Value) -> Value {
        let op = if intrinsic == Intrinsic::Any { BinaryOp::Or } else { BinaryOp::And };
        let bits = components
            .into_iter()
            .reduce(|bits, component| self.builder.binary(op, bits, component))
            .expect("vectors have components");
        let (of, ty) = (self.builder.ty(bits), self.builder.ty(like));
        let zero = self.builder.zero(of);
        let truth = self.builder.compare(CompareOp::SLess, bits, zero);
        let (one, zero) = (self.builder.int(ty, 1), self.builder.zero(ty));
        self.builder.select(truth, one, zero)
    }

    /// -1 if it is so, or 0.
    fn test(&mut self, intrinsic: Intrinsic, arguments: &[Value], ty: Type) -> Value {
        let result = self.builder.intrinsic(intrinsic, arguments, TypePool::I32);
        let result = result.expect("tests have results");
        let zero = self.builder.zero(TypePool::I32);
        let negative = self.builder.binary(BinaryOp::ISub, zero, result);
        match self.builder.types.scalar_bits(ty) {
            Some(64) => self.builder.convert(ConvertOp::SignExtend, negative, ty),
            Some(32) => negative,
            _ => self.builder.convert(ConvertOp::Truncate, negative, ty),
        }
    }

    /// Loads the components of a vector: one by one, which compilers put together for neighbours, or in one integer that
    /// they are cut from, where each would be a part of one.
    fn loaded(&mut self, pointer: Value, access: MemoryAccess) -> Vec<Value> {
        let of = self.builder.types.pointer_parts(self.builder.ty(pointer));
        let (ty, class) = of.expect("loads have pointers");
        let (count, scalar) =
            (u32::from(self.builder.types.lanes(ty)), self.builder.types.scalar(ty));
        let bits = u32::from(self.builder.types.scalar_bits(ty).unwrap_or_default());
        if let Some(whole) = of_one_integer(self.builder.types, ty) {
            let to = self.builder.types.pointer(whole, class);
            let pointer = self.builder.bitcast(pointer, to);
            let mut access = access;
            access.flags.typed = false;
            let all = self.builder.load(pointer, access);
            return (0..count)
                .map(|i| part(&mut self.builder, all, u64::from(i * bits), scalar))
                .collect();
        }
        let align = access.align.min((bits / 8) as Align);
        (0..count)
            .map(|i| {
                let index = self.builder.i32(i as i32);
                let pointer = self.builder.access(pointer, &[index]);
                self.builder.load(pointer, MemoryAccess { align, ..access })
            })
            .collect()
    }

    /// The components of a vector; `count` times a scalar.
    fn each_component(&mut self, value: Value, count: usize) -> Vec<Value> {
        match self.components_of(value) {
            single if single.len() == 1 => vec![single[0]; count],
            components => components,
        }
    }

    /// The components of a vector; a scalar is its own only one.
    fn components_of(&mut self, value: Value) -> Vec<Value> {
        let ty = self.builder.ty(value);
        let count = self.builder.types.lanes(ty);
        if count == 1 {
            return vec![value];
        }
        if let Some(Some(known)) = value.as_local().and_then(|index| self.components.get(index)) {
            return known.to_vec();
        }
        let scalar = self.builder.types.scalar(ty);
        let count = usize::from(count);
        match value.as_const().map(|id| self.builder.consts.get(id)) {
            Some(Const::Composite(_, parts)) => parts.to_vec(),
            Some(Const::Null(_)) => vec![self.builder.zero(scalar); count],
            Some(Const::Undef(_)) => vec![self.builder.undef(scalar); count],
            _ => (0..count as u32).map(|i| self.builder.extract(value, &[i])).collect(),
        }
    }

    fn set_components(&mut self, value: Value, components: Vec<Value>) {
        if let Some(index) = value.as_local() {
            self.components[index] = Some(components.into());
        }
    }

    /// Takes the components of a value that stays, where they are used.
    fn defined(&mut self, value: Value) {
        if self.plan.is_taken(value) {
            let components = self.components_of(value);
            self.set_components(value, components);
        }
    }

    fn make_operands_whole(&mut self, inst: Inst) {
        let mut vectors = Vec::new();
        self.builder.function.each_operand(inst, |value| {
            if self.plan.is_apart(value) {
                vectors.push(value);
            }
        });
        if vectors.is_empty() {
            return;
        }
        for vector in vectors {
            self.whole(vector);
        }
        let whole = &self.whole;
        self.builder
            .function
            .map_operands(inst, |value| whole.get(&value).copied().unwrap_or(value));
    }

    /// A value as it was, for who needs all of it.
    fn whole(&mut self, value: Value) -> Value {
        if !self.plan.is_apart(value) {
            return value;
        }
        if let Some(&made) = self.whole.get(&value) {
            return made;
        }
        let ty = self.builder.ty(value);
        let components = self.components_of(value);
        let made = self.builder.construct(ty, &components);
        self.whole.insert(value, made);
        made
    }

    /// The terminator, with whole vectors for all that are not passed on by component.
    fn terminator(&mut self, mut terminator: Terminator) -> Terminator {
        if let Some(operand) = terminator.operand_mut() {
            *operand = self.whole(*operand);
        }
        for target in terminator.targets_mut() {
            let arguments: Vec<Value> = self.builder.function.values_of(target.arguments).collect();
            let is_apart = &self.plan.params[target.block.index()];
            let arguments: Vec<Value> = arguments
                .into_iter()
                .zip(is_apart)
                .map(|(value, &apart)| if apart { value } else { self.whole(value) })
                .collect();
            target.arguments = self.builder.function.list(&arguments);
        }
        terminator
    }

    /// Gives the parameters that [`take_parameters_apart`] has made their values.
    pub(super) fn pass_components(&mut self, block: Block) {
        let mut terminator = std::mem::take(&mut self.builder.function.blocks[block].terminator);
        for target in terminator.targets_mut() {
            let is_apart = &self.plan.params[target.block.index()];
            if !is_apart.contains(&true) {
                continue;
            }
            let arguments: Vec<Value> = self.builder.function.values_of(target.arguments).collect();
            let (vectors, rest): (Vec<_>, Vec<_>) =
                arguments.into_iter().zip(is_apart).partition(|&(_, &apart)| apart);
            let mut arguments: Vec<Value> = rest.into_iter().map(|(value, _)| value).collect();
            for (vector, _) in vectors {
                arguments.extend(self.components_of(vector));
            }
            target.arguments = self.builder.function.list(&arguments);
        }
        self.builder.function.blocks[block].terminator = terminator;
    }
}
