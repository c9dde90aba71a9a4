//! Which vectors are taken apart, and why.

use clc_base::Id;
use clc_builtins::Intrinsic;
use clc_ir::{
    Block, Cfg, Function, Inst, InstData, InstKind, StorageClass, Type, TypeKind, TypePool, Value,
    ValueDef,
};
use rustc_hash::FxHashSet;

use crate::context::ModuleContext;
use crate::neighbours::{Step, Steps};
use crate::short_vectors::{MAX_COMPONENTS, is_short_vector, of_one_integer};
use crate::vector_loads;

use super::calls::{is_function_of_components, is_quantifier, is_test, masked_conversions};

/// Where it is worth computing by component.
pub struct Worth {
    /// By block: whether it runs more than once, as far as one sees: in a loop, or in a function that is called and was
    /// not inlined.
    often: Vec<bool>,
    /// Whether a kernel loses less by what it loads and stores outside of its loops than it computes there.
    once: bool,
}

impl Worth {
    /// Looks at a function.
    pub fn new(context: &ModuleContext<'_>, function: &Function, cfg: &Cfg) -> Worth {
        Worth::with(context, function, cfg, &mut None)
    }

    /// [`Worth::new`], which leaves what it learns of neighbours in `steps`.
    fn with<'a>(
        context: &'a ModuleContext<'_>,
        function: &'a Function,
        cfg: &'a Cfg,
        steps: &mut Option<Steps<'a>>,
    ) -> Worth {
        match function.entry_point {
            Some(_) => Worth {
                often: cfg.blocks_in_loops(),
                once: !vector_loads::outweigh_once(context, function, cfg, steps),
            },
            None => Worth { often: vec![true; function.blocks.len()], once: false },
        }
    }

    /// Whether it is, in a block, with a type. What runs once and computes with integers mostly has bytes of pixels, and
    /// takes twice as long by component.
    pub fn is_there(&self, types: &TypePool, block: Block, ty: Type) -> bool {
        self.often[block.index()]
            || self.once && matches!(types.kind(types.scalar(ty)), TypeKind::Float(_))
    }
}

/// Which values are taken apart.
pub(super) struct Plan {
    /// By local value: whether it has scalars in its place.
    apart: Vec<bool>,
    /// By local value: whether it stays, but its components are used.
    taken: Vec<bool>,
    /// By instruction: a `dot`, whose sum is computed by component.
    pub(super) dots: FxHashSet<Inst>,
    /// Loads from memory that others see, of which nothing needs the whole vector.
    pub(super) loads: FxHashSet<Inst>,
    /// By block, and position among its parameters as they were: whether it is taken apart.
    pub(super) params: Vec<Vec<bool>>,
}

impl Plan {
    pub(super) fn new(context: &ModuleContext<'_>, function: &Function, cfg: &Cfg) -> Plan {
        let types = &*context.types;
        let count = function.values.len();
        let mut steps = None;
        let worth = Worth::with(context, function, cfg, &mut steps);
        let mut webs = Webs((0..count as u32).collect());
        // What is computed with where it is worth it.
        let mut computed = Vec::new();
        let mut dots = FxHashSet::default();
        let masked = masked_conversions(types, function, |block| worth.often[block.index()]);
        let can_be_apart: Vec<bool> = function
            .values
            .iter()
            .map(|value| {
                is_short_vector(types, value.ty)
                    && match value.def {
                        ValueDef::Inst(inst) => {
                            is_by_component(context, function, inst) && !masked.contains(&inst)
                        }
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
                    if is_computation(&data.kind)
                        && worth.is_there(types, block, function.values[result].ty)
                    {
                        computed.push(result);
                    }
                }
                if let Some(factors) = factors(function, data)
                    && let ty = context.type_of(function, factors[0])
                    && is_short_vector(types, ty)
                    && worth.is_there(types, block, ty)
                {
                    dots.insert(inst);
                    computed.extend(factors.into_iter().filter_map(apart));
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
        let parts = with_parts(types, function, &can_be_apart, &mut webs);
        for (chosen, has_parts) in chosen.iter_mut().zip(parts) {
            *chosen &= has_parts;
        }
        // And what is never needed as a whole.
        let parts_only = parts_only(types, function, &can_be_apart, &mut webs);
        if parts_only.contains(&true) {
            let stays = |value: usize| !chosen[value] && !parts_only[value];
            let stays = |value| stays(webs.find(value));
            if !gathers_vectors(context, function, cfg, &mut steps, stays) {
                for (chosen, parts_only) in chosen.iter_mut().zip(parts_only) {
                    *chosen |= parts_only;
                }
            }
        }
        for &inst in &masked {
            function.each_operand(inst, |operand| {
                if let Some(operand) = apart(operand) {
                    chosen[webs.find(operand)] = false;
                }
            });
        }
        let apart: Vec<bool> =
            (0..count).map(|value| can_be_apart[value] && chosen[webs.find(value)]).collect();
        let params = function.blocks.values().map(|block| {
            block.params.iter().map(|param| apart[param.as_local().unwrap_or_default()]).collect()
        });
        let params = params.collect();
        let loads = FxHashSet::default();
        let mut plan = Plan { apart, taken: vec![false; count], dots, loads, params };
        plan.find_taken(context, function);
        plan.find_loads(context, function, cfg, steps);
        plan
    }

    fn find_taken(&mut self, context: &ModuleContext<'_>, function: &Function) {
        let Plan { apart, taken, dots, .. } = self;
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

    fn find_loads<'a>(
        &mut self,
        context: &'a ModuleContext<'_>,
        function: &'a Function,
        cfg: &'a Cfg,
        mut steps: Option<Steps<'a>>,
    ) {
        let mut is_whole = vec![false; function.values.len()];
        let mut mark = |value: Value| {
            if let Some(index) = value.as_local() {
                is_whole[index] = true;
            }
        };
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst];
                let is_by_component = data.result.is_some_and(|result| self.is_apart(result))
                    || self.dots.contains(&inst)
                    || matches!(data.kind, InstKind::Extract { .. });
                if !is_by_component {
                    function.each_operand(inst, &mut mark);
                }
            }
            let terminator = &function.blocks[block].terminator;
            terminator.operand().into_iter().for_each(&mut mark);
            for target in terminator.targets() {
                let params = &function.blocks[target.block].params;
                for (&param, argument) in params.iter().zip(function.values_of(target.arguments)) {
                    if !self.is_apart(param) {
                        mark(argument);
                    }
                }
            }
        }
        for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
            let data = &function.insts[inst];
            let InstKind::Load { pointer, access } = data.kind else { continue };
            let Some(index) = data.result.and_then(Value::as_local) else { continue };
            let ty = function.values[index].ty;
            if is_whole[index] || access.flags.volatile || !is_short_vector(context.types, ty) {
                continue;
            }
            let class = context.types.pointer_parts(context.type_of(function, pointer));
            let is_shared = class.is_some_and(|(_, class)| class != StorageClass::Function);
            let mut are_neighbours = || {
                let new = || Steps::new(context.types, context.consts, function, cfg);
                context.types.lanes(ty) > 2
                    && steps.get_or_insert_with(new).of(pointer) == Step::One
            };
            if is_shared && (of_one_integer(context.types, ty).is_some() || are_neighbours()) {
                self.taken[index] = true;
                self.loads.insert(inst);
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.dots.is_empty() && self.loads.is_empty() && !self.apart.contains(&true)
    }

    pub(super) fn is_apart(&self, value: Value) -> bool {
        value.as_local().is_some_and(|index| self.apart.get(index) == Some(&true))
    }

    pub(super) fn is_taken(&self, value: Value) -> bool {
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

/// Whether the components of the result, a vector, can be computed one by one.
fn is_by_component(context: &ModuleContext<'_>, function: &Function, inst: Inst) -> bool {
    let data = &function.insts[inst];
    let lanes = |value: Value| context.types.lanes(context.type_of(function, value));
    match data.kind {
        InstKind::Binary { .. }
        | InstKind::Unary { .. }
        | InstKind::Compare { .. }
        | InstKind::Select { .. }
        | InstKind::Shuffle { .. }
        | InstKind::Construct { .. } => true,
        InstKind::Insert { path, .. } => path.len() == 1,
        InstKind::Convert { operand, .. } => {
            data.result.is_some_and(|result| lanes(result) == lanes(operand))
        }
        InstKind::Intrinsic { intrinsic, .. } => {
            intrinsic == Intrinsic::Cross
                || is_test(intrinsic)
                || is_function_of_components(intrinsic)
        }
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

/// Whether an instruction converts a vector of parts of an integer.
fn converts_parts(types: &TypePool, function: &Function, kind: &InstKind) -> bool {
    let InstKind::Convert { operand, .. } = *kind else { return false };
    operand.as_local().is_some_and(|index| {
        let ty = function.values[index].ty;
        is_short_vector(types, ty) && of_one_integer(types, ty).is_some()
    })
}

/// By web, at the number that stands for it: whether its vectors are made of components, taken apart, or converted from
/// parts of integers. Compilers compute with others as well as they are: the vectors of neighbours side by side.
fn with_parts(
    types: &TypePool,
    function: &Function,
    can_be_apart: &[bool],
    webs: &mut Webs,
) -> Vec<bool> {
    let mut has_parts = vec![false; can_be_apart.len()];
    let mut mark = |value: Value| {
        if let Some(index) = value.as_local().filter(|&index| can_be_apart[index]) {
            has_parts[webs.find(index)] = true;
        }
    };
    for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
        let data = &function.insts[inst];
        let has_parts = match data.kind {
            InstKind::Extract { .. } | InstKind::Insert { .. } | InstKind::Shuffle { .. } => true,
            InstKind::Construct { parts } => {
                let mut parts = function.values_of(parts);
                let first = parts.next();
                !parts.all(|part| Some(part) == first)
            }
            InstKind::Convert { .. } => converts_parts(types, function, &data.kind),
            InstKind::Intrinsic { intrinsic: Intrinsic::Cross, .. } => true,
            _ => factors(function, data).is_some(),
        };
        if has_parts {
            function.each_operand(inst, &mut mark);
            data.result.into_iter().for_each(&mut mark);
        }
    }
    has_parts
}

/// By web, at the number that stands for it: whether something is computed with it, and only its components are used.
fn parts_only(
    types: &TypePool,
    function: &Function,
    can_be_apart: &[bool],
    webs: &mut Webs,
) -> Vec<bool> {
    let count = can_be_apart.len();
    let (mut is_computed, mut has_parts, mut is_whole) =
        (vec![false; count], vec![false; count], vec![false; count]);
    let apart = |value: Value| value.as_local().filter(|&index| can_be_apart[index]);
    let mut mark = |marks: &mut [bool], value: Value| {
        if let Some(index) = apart(value) {
            marks[webs.find(index)] = true;
        }
    };
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            let data = &function.insts[inst];
            match (data.result, &data.kind) {
                (Some(result), kind) if apart(result).is_some() => {
                    if is_computation(kind) {
                        mark(&mut is_computed, result);
                    }
                }
                (_, InstKind::Extract { aggregate, .. }) => mark(&mut has_parts, *aggregate),
                (_, InstKind::Intrinsic { intrinsic, arguments }) if is_quantifier(*intrinsic) => {
                    mark(&mut has_parts, function.value_at(*arguments, 0));
                }
                // A part of a longer vector is moved there whole.
                (Some(result), InstKind::Construct { parts })
                    if types.lanes(function.values[result.as_local().unwrap_or_default()].ty)
                        > MAX_COMPONENTS =>
                {
                    for part in function.values_of(*parts) {
                        if let Some((_, of)) = function.def_inst(part)
                            && let InstKind::Extract { aggregate, .. } = of.kind
                        {
                            mark(&mut is_whole, aggregate);
                        }
                    }
                }
                _ => function.each_operand(inst, |operand| mark(&mut is_whole, operand)),
            }
        }
        let terminator = &function.blocks[block].terminator;
        if let Some(operand) = terminator.operand() {
            mark(&mut is_whole, operand);
        }
        for target in terminator.targets() {
            let params = &function.blocks[target.block].params;
            for (&param, argument) in params.iter().zip(function.values_of(target.arguments)) {
                if apart(param).is_none() {
                    mark(&mut is_whole, argument);
                }
            }
        }
    }
    (0..count).map(|web| is_computed[web] && has_parts[web] && !is_whole[web]).collect()
}

/// Whether vectors are loaded from places that are not next to those of neighbours, to be computed with as they are.
/// Drivers make no vectors of work-items there, or slow ones: then the program's are those that there are.
fn gathers_vectors<'a>(
    context: &'a ModuleContext<'_>,
    function: &'a Function,
    cfg: &'a Cfg,
    steps: &mut Option<Steps<'a>>,
    mut stays: impl FnMut(usize) -> bool,
) -> bool {
    let types = &*context.types;
    let new = || Steps::new(types, context.consts, function, cfg);
    let mut is_gathered = |inst: Inst| {
        let data = &function.insts[inst];
        let InstKind::Load { pointer, .. } = data.kind else { return false };
        data.result.is_some_and(|result| {
            let ty = context.type_of(function, result);
            is_short_vector(types, ty) && of_one_integer(types, ty).is_none()
        }) && steps.get_or_insert_with(new).of(pointer).is_gathered()
    };
    function.layout.iter().flat_map(|&block| &function.blocks[block].insts).any(|&inst| {
        let mut gathered = false;
        if function.insts[inst].result.and_then(Value::as_local).is_some_and(&mut stays) {
            function.each_operand(inst, |operand| {
                if let Some((load, _)) = function.def_inst(operand) {
                    gathered |= is_gathered(load);
                }
            });
        }
        gathered
    })
}

/// Whether an instruction does more than move components about.
fn is_computation(kind: &InstKind) -> bool {
    !matches!(kind, InstKind::Shuffle { .. } | InstKind::Construct { .. } | InstKind::Insert { .. })
}

/// The vectors whose scalar product an instruction computes.
pub(super) fn factors(function: &Function, data: &InstData) -> Option<[Value; 2]> {
    let InstKind::Intrinsic { intrinsic: Intrinsic::Dot, arguments } = data.kind else {
        return None;
    };
    Some([0, 1].map(|at| function.value_at(arguments, at)))
}
