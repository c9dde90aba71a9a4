//! Vectors that loops compute with become scalars, one for each component.
//!
//! Drivers of processors make vectors of work-items. Those that the program has are in their way: they put
//! whole vectors side by side, and take them apart and together again for each `dot`, shuffle and component.
//! GPUs' compilers have no vectors left at that time anyway.
//!
//! What is computed by component is computed with the scalars; parameters of blocks become several. A vector
//! is made again where something needs it whole, memory for one. Values that are connected by operands are
//! either all left as they are or all taken apart, because each seam between the two costs instructions:
//! taken apart is what a loop has a part in, where the time is spent, so that modules stay small.

use clc_base::Id;
use clc_builtins::Intrinsic;
use clc_ir::rewrite::note_replaced;
use clc_ir::{
    BinaryOp, Block, Builder, Cfg, Const, ConvertOp, Function, Inst, InstData, InstKind,
    Terminator, Type, TypePool, Value, ValueDef,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::ModuleContext;
use crate::replacements::Replacements;

/// Vectors with more components stay: as many scalars would be too many for a processor's registers.
const MAX_COMPONENTS: u8 = 4;

/// Takes the vectors of a function apart.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let types = &*context.types;
    if !function.values.iter().any(|value| is_short_vector(types, value.ty)) {
        return;
    }
    let cfg = Cfg::new(function);
    if function.layout.iter().any(|&block| !cfg.is_reachable(block)) {
        return;
    }
    let plan = Plan::new(context, function, &cfg);
    if plan.is_empty() {
        return;
    }
    let mut components = vec![None; function.values.len()];
    let mut replacements = Replacements::new(function);
    for block in function.layout.clone() {
        take_parameters_apart(context.types, function, &plan, &mut components, block);
    }
    let mut rewriter = |function: &mut Function, block, work: &mut dyn FnMut(&mut Rewriter<'_>)| {
        work(&mut Rewriter {
            builder: Builder::new(context.types, context.consts, function, block),
            plan: &plan,
            components: &mut components,
            replacements: &mut replacements,
            whole: FxHashMap::default(),
        });
    };
    // Definitions come before their uses in this order.
    for &block in cfg.reverse_post_order() {
        rewriter(function, block, &mut |rewriter| rewriter.instructions(block));
    }
    // What edges back pass on is known now.
    for &block in cfg.reverse_post_order() {
        rewriter(function, block, &mut |rewriter| rewriter.pass_components(block));
    }
    replacements.apply(function);
}

fn is_short_vector(types: &TypePool, ty: Type) -> bool {
    (2..=MAX_COMPONENTS).contains(&types.lanes(ty))
}

/// Which values are taken apart.
struct Plan {
    /// By local value: whether it has scalars in its place.
    apart: Vec<bool>,
    /// By local value: whether it stays, but its components are used.
    taken: Vec<bool>,
    /// By instruction: a `dot` that is computed by component.
    dots: FxHashSet<Inst>,
    /// By block, and position among its parameters as they were: whether it is taken apart.
    params: Vec<Vec<bool>>,
}

impl Plan {
    fn new(context: &ModuleContext<'_>, function: &Function, cfg: &Cfg) -> Plan {
        let types = &*context.types;
        let count = function.values.len();
        let in_loop = cfg.blocks_in_loops();
        let mut webs = Webs((0..count as u32).collect());
        // By web, at the number that stands for it: whether a loop computes with it.
        let mut computed = Vec::new();
        let mut dots = FxHashSet::default();
        let can_be_apart: Vec<bool> = function
            .values
            .iter()
            .map(|value| {
                is_short_vector(types, value.ty)
                    && match value.def {
                        ValueDef::Inst(inst) => is_by_component(context, function, inst),
                        ValueDef::Param(block, _) => block != function.entry(),
                    }
            })
            .collect();
        let apart = |value: Value| value.as_local().filter(|&index| can_be_apart[index]);
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst];
                let result = data.result.and_then(apart);
                if let Some(result) = result {
                    function.each_operand(inst, |operand| {
                        if let Some(operand) = apart(operand) {
                            webs.join(result, operand);
                        }
                    });
                    if in_loop[block.index()] && is_computation(&data.kind) {
                        computed.push(result);
                    }
                }
                if in_loop[block.index()]
                    && let Some([left, right]) = dot_operands(function, data)
                    && is_short_vector(types, type_of(context, function, left))
                {
                    dots.insert(inst);
                    computed.extend([left, right].into_iter().filter_map(apart));
                }
            }
            for target in function.blocks[block].terminator.targets() {
                let params = &function.blocks[target.block].params;
                for (&param, argument) in params.iter().zip(function.values_of(target.arguments)) {
                    if let (Some(param), Some(argument)) = (apart(param), apart(argument)) {
                        webs.join(param, argument);
                    }
                }
            }
        }
        let mut chosen = vec![false; count];
        for value in computed {
            chosen[webs.find(value)] = true;
        }
        let apart: Vec<bool> =
            (0..count).map(|value| can_be_apart[value] && chosen[webs.find(value)]).collect();
        let params = function.blocks.values().map(|block| {
            block.params.iter().map(|param| apart[param.as_local().unwrap_or_default()]).collect()
        });
        let params = params.collect();
        let mut plan = Plan { apart, taken: vec![false; count], dots, params };
        plan.find_taken(context, function);
        plan
    }

    fn find_taken(&mut self, context: &ModuleContext<'_>, function: &Function) {
        let Plan { apart, taken, dots, params: _ } = self;
        let mut take = |value: Value| {
            if let Some(index) = value.as_local().filter(|&index| !apart[index])
                && is_short_vector(context.types, function.values[index].ty)
            {
                taken[index] = true;
            }
        };
        let is_apart =
            |value: Value| value.as_local().is_some_and(|index| apart.get(index) == Some(&true));
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                if function.insts[inst].result.is_some_and(is_apart) || dots.contains(&inst) {
                    function.each_operand(inst, &mut take);
                }
            }
            for target in function.blocks[block].terminator.targets() {
                let params = &function.blocks[target.block].params;
                for (&param, argument) in params.iter().zip(function.values_of(target.arguments)) {
                    if is_apart(param) {
                        take(argument);
                    }
                }
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.dots.is_empty() && !self.apart.contains(&true)
    }

    fn is_apart(&self, value: Value) -> bool {
        value.as_local().is_some_and(|index| self.apart.get(index) == Some(&true))
    }

    fn is_taken(&self, value: Value) -> bool {
        value.as_local().is_some_and(|index| self.taken.get(index) == Some(&true))
    }
}

/// Sets of values, each with one of them that stands for it.
struct Webs(Vec<u32>);

impl Webs {
    fn find(&mut self, value: usize) -> usize {
        let mut value = value;
        while self.0[value] as usize != value {
            let above = self.0[value] as usize;
            // Halves the way for the next one.
            self.0[value] = self.0[above];
            value = above;
        }
        value
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b) as u32;
    }
}

fn type_of(context: &ModuleContext<'_>, function: &Function, value: Value) -> Type {
    match value.as_const() {
        Some(id) => context.consts.ty(id),
        None => function.values[value.as_local().unwrap_or_default()].ty,
    }
}

/// Whether the components of the result, a vector, can be computed one by one.
fn is_by_component(context: &ModuleContext<'_>, function: &Function, inst: Inst) -> bool {
    let data = &function.insts[inst];
    let lanes = |value: Value| context.types.lanes(type_of(context, function, value));
    match data.kind {
        InstKind::Binary { .. }
        | InstKind::Unary { .. }
        | InstKind::Compare { .. }
        | InstKind::Select { .. }
        | InstKind::Shuffle { .. }
        | InstKind::Construct { .. } => true,
        InstKind::Insert { path, .. } => path.len() == 1,
        InstKind::Convert { op, operand, .. } => {
            let has_same = data.result.is_some_and(|result| lanes(result) == lanes(operand));
            has_same && op != ConvertOp::Bitcast
        }
        InstKind::Intrinsic { intrinsic, .. } => is_function_of_components(intrinsic),
        InstKind::Load { .. }
        | InstKind::Store { .. }
        | InstKind::CopyMemory { .. }
        | InstKind::Variable { .. }
        | InstKind::PtrAdd { .. }
        | InstKind::Access { .. }
        | InstKind::Extract { .. }
        | InstKind::ExtractDynamic { .. }
        | InstKind::InsertDynamic { .. }
        | InstKind::Call { .. }
        | InstKind::AtomicLoad { .. }
        | InstKind::AtomicStore { .. }
        | InstKind::AtomicModify { .. }
        | InstKind::AtomicCompareExchange { .. }
        | InstKind::Fence(_)
        | InstKind::Barrier { .. }
        | InstKind::GenericTo { .. } => false,
    }
}

/// Whether an instruction does more than move components about.
fn is_computation(kind: &InstKind) -> bool {
    !matches!(kind, InstKind::Shuffle { .. } | InstKind::Construct { .. } | InstKind::Insert { .. })
}

/// Functions whose results for vectors have for components what they return for those. Not those of
/// relations, which say -1 there and 1 here.
fn is_function_of_components(intrinsic: Intrinsic) -> bool {
    use Intrinsic as I;
    matches!(
        intrinsic,
        I::Acos
            | I::Acosh
            | I::Asin
            | I::Asinh
            | I::Atan
            | I::Atan2
            | I::Atanh
            | I::Cbrt
            | I::Ceil
            | I::Copysign
            | I::Cos
            | I::Cosh
            | I::Exp
            | I::Exp2
            | I::Exp10
            | I::Expm1
            | I::Fabs
            | I::Fdim
            | I::Floor
            | I::Fma
            | I::Fmax
            | I::Fmin
            | I::Log
            | I::Log2
            | I::Log10
            | I::Log1p
            | I::Mad
            | I::Pow
            | I::Powr
            | I::Rint
            | I::Round
            | I::Rsqrt
            | I::Sin
            | I::Sinh
            | I::Sqrt
            | I::Tan
            | I::Tanh
            | I::Trunc
            | I::NativeCos
            | I::NativeDivide
            | I::NativeExp
            | I::NativeExp2
            | I::NativeExp10
            | I::NativeLog
            | I::NativeLog2
            | I::NativeLog10
            | I::NativePowr
            | I::NativeRecip
            | I::NativeRsqrt
            | I::NativeSin
            | I::NativeSqrt
            | I::NativeTan
            | I::SAbs
            | I::SClamp
            | I::UClamp
            | I::SMax
            | I::UMax
            | I::SMin
            | I::UMin
            | I::Rotate
            | I::FClamp
            | I::FMaxCommon
            | I::FMinCommon
            | I::Mix
            | I::Step
            | I::Smoothstep
            | I::Sign
    )
}

fn dot_operands(function: &Function, data: &InstData) -> Option<[Value; 2]> {
    match data.kind {
        InstKind::Intrinsic { intrinsic: Intrinsic::Dot, arguments } => {
            Some([function.value_at(arguments, 0), function.value_at(arguments, 1)])
        }
        _ => None,
    }
}

/// Replaces the parameters that are taken apart by their components, which come last.
fn take_parameters_apart(
    types: &TypePool,
    function: &mut Function,
    plan: &Plan,
    components: &mut [Option<Box<[Value]>>],
    block: Block,
) {
    let params = std::mem::take(&mut function.blocks[block].params);
    let (vectors, rest): (Vec<Value>, Vec<Value>) =
        params.into_iter().partition(|&param| plan.is_apart(param));
    for (position, param) in rest.iter().enumerate() {
        function.values[param.as_local().unwrap_or_default()].def =
            ValueDef::Param(block, position as u32);
    }
    function.blocks[block].params = rest;
    for param in vectors {
        let index = param.as_local().unwrap_or_default();
        let ty = function.values[index].ty;
        let scalars = (0..types.lanes(ty))
            .map(|_| function.add_block_param(block, types.scalar(ty)))
            .collect();
        components[index] = Some(scalars);
    }
}

struct Rewriter<'a> {
    builder: Builder<'a>,
    plan: &'a Plan,
    /// By local value as there was before: its components, of those that are apart or taken.
    components: &'a mut Vec<Option<Box<[Value]>>>,
    replacements: &'a mut Replacements,
    /// Vectors that were made again in this block.
    whole: FxHashMap<Value, Value>,
}

impl Rewriter<'_> {
    fn instructions(&mut self, block: Block) {
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
        self.builder.float = data.float;
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
            (_, Some(result)) if self.plan.dots.contains(&inst) => {
                let [left, right] = dot_operands(self.builder.function, &data)
                    .expect("the plan names calls of dot")
                    .map(|operand| self.components_of(operand));
                let products = left.iter().zip(&right);
                let products: Vec<Value> = products
                    .map(|(&left, &right)| self.builder.binary(BinaryOp::FMul, left, right))
                    .collect();
                let sum = products
                    .into_iter()
                    .reduce(|sum, product| self.builder.binary(BinaryOp::FAdd, sum, product));
                self.replacements.set(result, sum.expect("vectors have components"));
            }
            _ => {
                self.make_operands_whole(inst);
                self.builder.function.blocks[block].insts.push(inst);
                if let Some(result) = data.result {
                    self.defined(result);
                }
            }
        }
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
            InstKind::Intrinsic { intrinsic, arguments } => {
                let arguments: Vec<Value> = self.builder.function.values_of(arguments).collect();
                let arguments: Vec<Vec<Value>> =
                    arguments.into_iter().map(|value| self.each_component(value, count)).collect();
                (0..count)
                    .map(|i| {
                        let arguments: Vec<Value> = arguments.iter().map(|all| all[i]).collect();
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
    fn pass_components(&mut self, block: Block) {
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
