//! Finds out where generic pointers come from.

use std::collections::VecDeque;

use clc_base::{AddressSpace, Id};
use clc_builtins::Intrinsic;
use clc_ir::debug::Location;
use clc_ir::{
    Block, Const, ConvertOp, FuncId, Function, Inst, InstKind, Linkage, MathFlags, Module,
    StorageClass, Terminator, Type, Value,
};
use rustc_hash::FxHashMap;

use crate::replacements::Replacements;
use crate::simplify_cfg::remove_unreachable;

/// Copies of one function for different storage classes of its parameters.
const MAX_COPIES: usize = 16;

/// Gives generic pointers the storage class of what they point to, wherever only one is possible:
/// through arithmetic, casts, selects, block parameters and calls.
///
/// A function that takes generic pointers is copied for each combination of classes it is called
/// with, callers first. Runs after inlining, which leaves less to copy. Devices are fast with
/// named pointers, and some refuse atomics on generic ones.
pub fn run(module: &mut Module) {
    let has_generic = module
        .types
        .iter()
        .any(|(ty, _)| module.types.pointer_parts(ty).is_some_and(|parts| is_generic(parts.1)));
    if !has_generic {
        return;
    }
    let mut inference = Inference {
        queue: VecDeque::new(),
        queued: vec![false; module.functions.len()],
        copies: FxHashMap::default(),
        counts: vec![0; module.functions.len()],
        forced: FxHashMap::default(),
    };
    // Callers first: a function's parameters are settled before it is looked at. Whoever is
    // called only with named pointers is never looked at, and dies.
    for (id, function) in module.functions.iter() {
        if function.entry_point.is_some() || function.linkage == Linkage::Export {
            inference.enqueue(id);
        }
    }
    // The functions of blocks that are enqueued have no callers.
    let enqueued: Vec<FuncId> = module
        .consts
        .iter()
        .filter_map(|(_, constant)| match *constant {
            Const::FunctionAddress(_, function) => Some(function),
            _ => None,
        })
        .collect();
    for id in enqueued {
        inference.enqueue(id);
    }
    while let Some(id) = inference.queue.pop_front() {
        inference.function(module, id);
    }
}

fn is_generic(class: StorageClass) -> bool {
    class == StorageClass::Generic
}

/// What is known of a generic pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// Nothing yet; null pointers stay here, because they are null in every class.
    Unknown,
    One(StorageClass),
    Any,
}

impl Origin {
    fn join(self, other: Origin) -> Origin {
        match (self, other) {
            (Origin::Unknown, origin) | (origin, Origin::Unknown) => origin,
            (Origin::One(left), Origin::One(right)) if left == right => self,
            _ => Origin::Any,
        }
    }
}

struct Inference {
    queue: VecDeque<FuncId>,
    queued: Vec<bool>,
    /// The copy of a function for certain classes of its parameters.
    copies: FxHashMap<(FuncId, Vec<Option<StorageClass>>), FuncId>,
    /// How many copies a function has.
    counts: Vec<usize>,
    /// Classes that the parameters of a copy have.
    forced: FxHashMap<FuncId, Vec<Option<StorageClass>>>,
}

impl Inference {
    fn enqueue(&mut self, id: FuncId) {
        if self.queued.len() <= id.index() {
            self.queued.resize(id.index() + 1, false);
        }
        if !std::mem::replace(&mut self.queued[id.index()], true) {
            self.queue.push_back(id);
        }
    }

    fn function(&mut self, module: &mut Module, id: FuncId) {
        if module.functions[id].is_declaration() {
            return;
        }
        let placeholder = Function::new(String::new(), clc_ir::TypePool::VOID);
        let mut function = std::mem::replace(&mut module.functions[id], placeholder);
        remove_unreachable(&mut function);
        let forced = self.forced.remove(&id).unwrap_or_default();
        let origins = infer(module, &function, &forced);
        // Signatures are all that is needed of other functions, except for making copies, which
        // needs the original's body; a recursive function is its own.
        let mut rewriter = Rewriter {
            module,
            function,
            origins,
            replacements: Replacements::default(),
            out: Vec::new(),
            location: Location::NONE,
        };
        for (index, class) in forced.iter().enumerate() {
            if let Some(class) = *class {
                let pointee = rewriter
                    .module
                    .types
                    .pointer_parts(rewriter.function.params[index])
                    .map(|parts| parts.0)
                    .expect("only pointers have a class");
                rewriter.function.params[index] = rewriter.module.types.pointer(pointee, class);
            }
        }
        rewriter.retype();
        rewriter.run(self, id);
        let Rewriter { module, mut function, mut replacements, .. } = rewriter;
        replacements.apply(&mut function);
        module.functions[id] = function;
    }

    /// The function to call for arguments of these classes.
    fn copy_for(
        &mut self,
        module: &mut Module,
        current: &Function,
        current_id: FuncId,
        callee: FuncId,
        classes: Vec<Option<StorageClass>>,
    ) -> FuncId {
        if let Some(&copy) = self.copies.get(&(callee, classes.clone())) {
            return copy;
        }
        self.counts.resize(module.functions.len().max(self.counts.len()), 0);
        let original = if callee == current_id { current } else { &module.functions[callee] };
        let looked_at =
            self.queued.get(callee.index()).is_some_and(|&queued| queued) && callee == current_id;
        if original.is_declaration()
            || original.entry_point.is_some()
            || self.counts[callee.index()] >= MAX_COPIES
            // The body at hand is half rewritten.
            || looked_at
        {
            return callee;
        }
        self.counts[callee.index()] += 1;
        let mut copy = original.clone();
        for class in classes.iter().flatten() {
            copy.name = format!("{}.{}", copy.name, class.name());
        }
        copy.linkage = Linkage::Internal;
        let id = module.functions.push(copy);
        self.forced.insert(id, classes.clone());
        self.copies.insert((callee, classes), id);
        self.enqueue(id);
        id
    }
}

/// The origins of all values of a function; `Any` for what is no generic pointer.
fn infer(module: &Module, function: &Function, forced: &[Option<StorageClass>]) -> Vec<Origin> {
    let generic = |value: usize| {
        module
            .types
            .pointer_parts(function.values[value].ty)
            .is_some_and(|parts| is_generic(parts.1))
    };
    let mut origins: Vec<Origin> = (0..function.values.len())
        .map(|value| if generic(value) { Origin::Unknown } else { Origin::Any })
        .collect();
    for (index, &param) in function.blocks[function.entry()].params.iter().enumerate() {
        let class = forced.get(index).copied().flatten();
        origins[param.as_local().unwrap_or_default()] = class.map_or(Origin::Any, Origin::One);
    }
    // Each sweep raises origins; a value rises at most twice.
    loop {
        sweep(module, function, &mut origins);
        // What never saw a pointer but null ones could be anything.
        let mut settled = true;
        for (value, origin) in origins.iter_mut().enumerate() {
            if *origin == Origin::Unknown && generic(value) {
                *origin = Origin::Any;
                settled = false;
            }
        }
        if settled {
            return origins;
        }
    }
}

fn sweep(module: &Module, function: &Function, origins: &mut [Origin]) {
    loop {
        let mut changed = false;
        let mut raise = |origins: &mut [Origin], value: Value, origin: Origin| {
            let slot = &mut origins[value.as_local().unwrap_or_default()];
            let joined = slot.join(origin);
            if joined != *slot {
                *slot = joined;
                changed = true;
            }
        };
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst];
                let Some(result) = data.result else { continue };
                if origins[result.as_local().unwrap_or_default()] == Origin::Any {
                    continue;
                }
                let origin = match data.kind {
                    InstKind::PtrAdd { base, .. }
                    | InstKind::Access { base, .. }
                    | InstKind::Convert {
                        op: ConvertOp::Bitcast | ConvertOp::ToGeneric,
                        operand: base,
                        ..
                    } => match base.as_const() {
                        // Arithmetic on null is a pointer to nowhere.
                        Some(_) => match origin_of(module, function, origins, base) {
                            Origin::Unknown => Origin::Any,
                            origin => origin,
                        },
                        None => origin_of(module, function, origins, base),
                    },
                    InstKind::Select { then, otherwise, .. } => {
                        origin_of(module, function, origins, then)
                            .join(origin_of(module, function, origins, otherwise))
                    }
                    _ => Origin::Any,
                };
                raise(origins, result, origin);
            }
            for target in function.blocks[block].terminator.targets() {
                let params = &function.blocks[target.block].params;
                for (&param, argument) in params.iter().zip(function.values_of(target.arguments)) {
                    if origins[param.as_local().unwrap_or_default()] != Origin::Any {
                        let origin = origin_of(module, function, origins, argument);
                        raise(origins, param, origin);
                    }
                }
            }
        }
        if !changed {
            return;
        }
    }
}

/// Where an operand comes from; its type says so unless it is generic.
fn origin_of(module: &Module, function: &Function, origins: &[Origin], value: Value) -> Origin {
    let ty = module.value_type(function, value);
    match module.types.pointer_parts(ty) {
        None => return Origin::Any,
        Some((_, class)) if !is_generic(class) => return Origin::One(class),
        Some(_) => {}
    }
    match value.as_const() {
        None => origins[value.as_local().unwrap_or_default()],
        Some(id) => match module.consts.get(id) {
            Const::Null(_) | Const::Undef(_) => Origin::Unknown,
            _ => Origin::Any,
        },
    }
}

struct Rewriter<'a> {
    module: &'a mut Module,
    function: Function,
    origins: Vec<Origin>,
    replacements: Replacements,
    out: Vec<Inst>,
    location: Location,
}

impl Rewriter<'_> {
    /// The class that was found for a generic pointer.
    fn found(&self, value: Value) -> Option<StorageClass> {
        match self.origins.get(value.as_local()?) {
            Some(Origin::One(class)) => Some(*class),
            _ => None,
        }
    }

    /// Gives the values of which the origin was found their new types.
    fn retype(&mut self) {
        for index in 0..self.origins.len() {
            let Origin::One(class) = self.origins[index] else { continue };
            if let Some((pointee, _)) =
                self.module.types.pointer_parts(self.function.values[index].ty)
            {
                self.function.values[index].ty = self.module.types.pointer(pointee, class);
            }
        }
    }

    fn ty(&self, value: Value) -> Type {
        self.module.value_type(&self.function, value)
    }

    fn class(&self, value: Value) -> Option<StorageClass> {
        self.module.types.pointer_parts(self.ty(value)).map(|parts| parts.1)
    }

    fn emit(&mut self, kind: InstKind, ty: Type) -> Value {
        let inst = self.function.create_inst(kind, Some(ty), MathFlags::NONE, self.location);
        self.out.push(inst);
        self.function.insts[inst].result.expect("an instruction with a type has a result")
    }

    /// `value` as a pointer of `class`: as it is, as another constant, or made generic again.
    fn coerce(&mut self, value: Value, class: StorageClass) -> Value {
        let Some((pointee, from)) = self.module.types.pointer_parts(self.ty(value)) else {
            return value;
        };
        if from == class {
            return value;
        }
        let ty = self.module.types.pointer(pointee, class);
        if let Some(id) = value.as_const() {
            match self.module.consts.get(id) {
                Const::Null(_) => return self.module.consts.intern(Const::Null(ty)),
                Const::Undef(_) => return self.module.consts.intern(Const::Undef(ty)),
                _ => {}
            }
        }
        let op = if is_generic(class) { ConvertOp::ToGeneric } else { ConvertOp::FromGeneric };
        self.emit(InstKind::Convert { op, operand: value, rounding: None, saturate: false }, ty)
    }

    /// Makes every found pointer among the operands generic again.
    fn generic_operands(&mut self, inst: Inst) {
        let mut coerced: Vec<(Value, Value)> = Vec::new();
        let mut found = Vec::new();
        self.function.each_operand(inst, |value| {
            if matches!(
                value.as_local().and_then(|index| self.origins.get(index)),
                Some(Origin::One(_))
            ) {
                found.push(value);
            }
        });
        for value in found {
            let generic = self.coerce(value, StorageClass::Generic);
            coerced.push((value, generic));
        }
        if !coerced.is_empty() {
            self.function.map_operands(inst, |value| {
                coerced.iter().find(|(old, _)| *old == value).map_or(value, |&(_, new)| new)
            });
        }
    }

    fn run(&mut self, inference: &mut Inference, id: FuncId) {
        for index in 0..self.function.layout.len() {
            let block = self.function.layout[index];
            let insts = std::mem::take(&mut self.function.blocks[block].insts);
            self.out = Vec::with_capacity(insts.len());
            for inst in insts {
                self.location = self.function.insts[inst].location;
                if self.inst(inference, id, inst) {
                    self.out.push(inst);
                }
            }
            self.location = self.function.blocks[block].location;
            self.terminator(block);
            self.function.blocks[block].insts = std::mem::take(&mut self.out);
        }
    }

    /// Rewrites one instruction; false if it is replaced.
    fn inst(&mut self, inference: &mut Inference, id: FuncId, inst: Inst) -> bool {
        let data = self.function.insts[inst];
        match data.kind {
            InstKind::Convert { op: ConvertOp::ToGeneric, operand, .. } => {
                if let Some(result) = data.result
                    && self.found(result).is_some()
                {
                    self.replacements.set(result, operand);
                    return false;
                }
            }
            InstKind::Convert { op: ConvertOp::FromGeneric, operand, .. } => {
                let Some(class) = self.found(operand) else { return true };
                let result = data.result.expect("a conversion has a result");
                if self.class(result) == Some(class) {
                    self.replacements.set(result, operand);
                    return false;
                }
                self.generic_operands(inst);
            }
            InstKind::GenericTo { pointer, space } => {
                return self.generic_to(inst, pointer, space);
            }
            InstKind::Intrinsic { intrinsic, arguments: _ } => match intrinsic {
                Intrinsic::GetFence
                // SPIR-V wants generic pointers here.
                | Intrinsic::ReadPipe
                | Intrinsic::WritePipe
                | Intrinsic::ReservedReadPipe
                | Intrinsic::ReservedWritePipe
                | Intrinsic::EnqueueKernel
                | Intrinsic::EnqueueMarker
                | Intrinsic::GetKernelWorkGroupSize
                | Intrinsic::GetKernelPreferredWorkGroupSizeMultiple
                | Intrinsic::GetKernelSubGroupCount
                | Intrinsic::GetKernelMaxSubGroupSize => self.generic_operands(inst),
                // Whatever else takes a pointer takes it of any class.
                _ => {}
            },
            InstKind::Select { condition, then, otherwise } => {
                let Some(class) = data.result.and_then(|result| self.class(result)) else {
                    return true;
                };
                let then = self.coerce(then, class);
                let otherwise = self.coerce(otherwise, class);
                self.function.insts[inst].kind = InstKind::Select { condition, then, otherwise };
            }
            InstKind::Compare { op, left, right } => {
                let (Some(first), Some(second)) = (self.class(left), self.class(right)) else {
                    return true;
                };
                if first != second {
                    let null = |rewriter: &Self, value: Value| {
                        value.as_const().is_some_and(|id| {
                            matches!(
                                rewriter.module.consts.get(id),
                                Const::Null(_) | Const::Undef(_)
                            )
                        })
                    };
                    let class = if null(self, left) {
                        second
                    } else if null(self, right) {
                        first
                    } else {
                        StorageClass::Generic
                    };
                    let left = self.coerce(left, class);
                    let right = self.coerce(right, class);
                    self.function.insts[inst].kind = InstKind::Compare { op, left, right };
                }
            }
            InstKind::Store { pointer, value, access } => {
                if self.found(value).is_some() {
                    let value = self.coerce(value, StorageClass::Generic);
                    self.function.insts[inst].kind = InstKind::Store { pointer, value, access };
                }
            }
            InstKind::Call { callee, arguments } => {
                let arguments: Vec<Value> = self.function.values_of(arguments).collect();
                self.call(inference, id, inst, callee, arguments);
            }
            InstKind::Insert { .. }
            | InstKind::Construct { .. }
            | InstKind::Extract { .. }
            | InstKind::InsertDynamic { .. }
            | InstKind::ExtractDynamic { .. }
            | InstKind::Shuffle { .. } => self.generic_operands(inst),
            // The pointer may be of any class, or the result follows it.
            InstKind::Load { .. }
            | InstKind::AtomicLoad { .. }
            | InstKind::AtomicStore { .. }
            | InstKind::AtomicModify { .. }
            | InstKind::AtomicCompareExchange { .. }
            | InstKind::Fence(_)
            | InstKind::Barrier { .. }
            | InstKind::CopyMemory { .. }
            | InstKind::PtrAdd { .. }
            | InstKind::Access { .. }
            | InstKind::Convert { .. }
            | InstKind::Binary { .. }
            | InstKind::Unary { .. }
            | InstKind::Variable { .. } => {}
        }
        true
    }

    /// `to_global` and the like of a pointer that may be known.
    fn generic_to(&mut self, inst: Inst, pointer: Value, space: AddressSpace) -> bool {
        let Some(class) = self.found(pointer) else { return true };
        let result = self.function.insts[inst].result.expect("the function gives a pointer");
        let wanted = match space {
            AddressSpace::Private => StorageClass::Function,
            AddressSpace::Global => StorageClass::CrossWorkgroup,
            AddressSpace::Local => StorageClass::Workgroup,
            AddressSpace::Constant => StorageClass::UniformConstant,
            AddressSpace::Generic => StorageClass::Generic,
        };
        let ty = self.ty(result);
        let value = if class != wanted {
            self.module.consts.intern(Const::Null(ty))
        } else if self.ty(pointer) == ty {
            pointer
        } else {
            self.emit(
                InstKind::Convert {
                    op: ConvertOp::Bitcast,
                    operand: pointer,
                    rounding: None,
                    saturate: false,
                },
                ty,
            )
        };
        self.replacements.set(result, value);
        false
    }

    fn call(
        &mut self,
        inference: &mut Inference,
        id: FuncId,
        inst: Inst,
        callee: FuncId,
        arguments: Vec<Value>,
    ) {
        let classes: Vec<Option<StorageClass>> =
            arguments.iter().map(|&argument| self.found_operand(argument)).collect();
        let mut target = callee;
        if classes.iter().any(Option::is_some) {
            target = inference.copy_for(self.module, &self.function, id, callee, classes.clone());
        }
        inference.enqueue(target);
        let arguments: Vec<Value> = if target == callee {
            arguments
                .into_iter()
                .zip(&classes)
                .map(|(argument, class)| match class {
                    Some(_) => self.coerce(argument, StorageClass::Generic),
                    None => argument,
                })
                .collect()
        } else {
            arguments
        };
        let arguments = self.function.list(&arguments);
        self.function.insts[inst].kind = InstKind::Call { callee: target, arguments };
    }

    fn found_operand(&self, value: Value) -> Option<StorageClass> {
        self.found(value)
    }

    fn terminator(&mut self, block: Block) {
        let mut terminator = std::mem::take(&mut self.function.blocks[block].terminator);
        if let Terminator::Return(Some(value)) = &mut terminator
            && self.found(*value).is_some()
        {
            *value = self.coerce(*value, StorageClass::Generic);
        }
        for target in terminator.targets_mut() {
            let mut arguments: Vec<Value> = self.function.values_of(target.arguments).collect();
            let mut changed = false;
            for (index, argument) in arguments.iter_mut().enumerate() {
                let param = self.function.blocks[target.block].params[index];
                if let Some(class) = self.class(param) {
                    let new = self.coerce(*argument, class);
                    changed |= new != *argument;
                    *argument = new;
                }
            }
            if changed {
                target.arguments = self.function.list(&arguments);
            }
        }
        self.function.blocks[block].terminator = terminator;
    }
}
