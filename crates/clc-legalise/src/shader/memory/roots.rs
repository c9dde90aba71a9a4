//! Which variables keep a type of their own.
//!
//! A *root* is a private or `local` variable, or one in `constant` memory. Follows each root's address
//! through the functions and collects how it is accessed. What stays in one function and is accessed in
//! parts of its own type, or as elements of one size, needs no numeric addresses.

use clc_base::arena::Id as _;
use clc_base::memory_model::AtomicOp;
use clc_builtins::Intrinsic;
use clc_ir::{
    Const, ConstId, ConvertOp, FuncId, Function, Inst, InstKind, MatrixType, Module, StorageClass,
    Type, TypeKind, TypePool, Value,
};
use rustc_hash::FxHashMap;

use super::facts::{
    Common, END, EXACT, Fact, Flow, Origin, Parts, PartsOf, Pointers, Via, Walk, access, add,
    constant_int, copied_type, is_null, log2, pointee,
};
use super::matrices::alignment;
use super::{WORD, atomics};

/// Index into [`Roots::roots`].
pub(in super::super) type RootId = u32;

/// How the accesses of a root see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Shape {
    /// By indices into its own type.
    Own,
    /// As an array of scalars or vectors of this type, of which pointers are the indices.
    Elements(Type),
    /// As bytes.
    Bytes,
}

#[derive(Debug)]
pub(in super::super) struct Root {
    /// The function whose variable it is; `None` for a global.
    pub function: Option<FuncId>,
    pub class: StorageClass,
    /// The type of what it holds.
    pub ty: Type,
    /// Bytes.
    pub size: u64,
    pub align: u32,
    pub shape: Shape,
    pub name: String,
    /// What a parameter points to: a variable of a caller.
    pub is_parameter: bool,
}

/// The roots of a module, and by function what its values point into.
#[derive(Debug, Default)]
pub(in super::super) struct Roots {
    pub roots: Vec<Root>,
    /// By global.
    pub of_global: Vec<Option<RootId>>,
    pub functions: Vec<Pointers>,
    /// By function, by parameter: what it points to.
    pub of_parameters: Vec<Vec<Option<RootId>>>,
}

/// What is known of how a root is accessed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accesses {
    pub parts: Parts,
    pub escapes: bool,
    pub own: bool,
    /// Elements of a matrix that is loaded or stored.
    pub matrix: Option<Type>,
}

/// Finds the roots of a module and how they are accessed; among globals, those of a class.
pub(in super::super) fn find(module: &Module, class: StorageClass) -> Roots {
    let mut finder = Finder {
        module,
        roots: Roots { of_global: vec![None; module.globals.len()], ..Roots::default() },
        accesses: Vec::new(),
        groups: Vec::new(),
        constants: FxHashMap::default(),
        parts: PartsOf::default(),
    };
    for (id, global) in module.globals.iter() {
        if global.class == class {
            let root = finder.add(Root {
                function: None,
                class: global.class,
                ty: global.ty,
                size: module.types.size(global.ty),
                align: global.align,
                shape: Shape::Bytes,
                name: global.name.clone(),
                is_parameter: false,
            });
            finder.roots.of_global[id.index()] = Some(root);
        }
    }
    finder.parameters();
    for (id, function) in module.functions.iter() {
        let pointers = finder.function(id, function);
        finder.roots.functions.push(pointers);
    }
    finder.shapes();
    finder.roots
}

pub(super) struct Finder<'a> {
    pub module: &'a Module,
    pub roots: Roots,
    /// By root.
    pub accesses: Vec<Accesses>,
    /// By root: another that has the same shape, or itself.
    pub groups: Vec<RootId>,
    constants: FxHashMap<ConstId, Fact>,
    parts: PartsOf,
}

impl Finder<'_> {
    pub fn add(&mut self, root: Root) -> RootId {
        self.groups.push(self.roots.roots.len() as RootId);
        self.roots.roots.push(root);
        let parts = Parts { scalar: Common::None, whole: Common::None, log_align: EXACT };
        self.accesses.push(Accesses { parts, escapes: false, own: true, matrix: None });
        (self.accesses.len() - 1) as RootId
    }

    pub fn shape(&self, root: usize) -> Shape {
        let Accesses { parts, escapes, own, matrix } = self.accesses[root];
        if escapes {
            return Shape::Bytes;
        }
        if own {
            return Shape::Own;
        }
        let types = &self.module.types;
        let fits = |ty: Type| types.size(ty) <= 1 << parts.log_align.min(32);
        match (parts.whole, parts.scalar, matrix) {
            (Common::None, Common::None, Some(element)) => Shape::Elements(element),
            (Common::Type(ty), ..) if fits(ty) => Shape::Elements(ty),
            (_, Common::Type(ty), _) if fits(ty) => Shape::Elements(ty),
            (_, Common::Bits(bits), _) => {
                let ty = match bits {
                    8 => TypePool::I8,
                    16 => TypePool::I16,
                    32 => TypePool::I32,
                    _ => TypePool::I64,
                };
                if fits(ty) { Shape::Elements(ty) } else { Shape::Bytes }
            }
            _ => Shape::Bytes,
        }
    }

    fn function(&mut self, id: FuncId, function: &Function) -> Pointers {
        let mut walk = Walk {
            facts: vec![Fact::TOP; function.values.len()],
            heads: vec![END; function.values.len()],
            flows: Vec::new(),
            work: Vec::new(),
        };
        self.sources(id, function, &mut walk);
        while let Some(from) = walk.work.pop() {
            let fact = walk.facts[from as usize];
            let mut next = walk.heads[from as usize];
            while next != END {
                let Flow { to, via, next: after } = walk.flows[next as usize];
                walk.join(to, self.transfer(function, via, fact));
                next = after;
            }
        }
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                self.uses(function, &walk, inst);
            }
            let terminator = &function.blocks[block].terminator;
            if let Some(value) = terminator.operand() {
                self.escape(&walk, value);
            }
            for target in terminator.targets() {
                let params = &function.blocks[target.block].params;
                for (&param, argument) in params.iter().zip(function.values_of(target.arguments)) {
                    self.flow(&walk, argument, param);
                }
            }
        }
        let origins = walk
            .facts
            .iter()
            .map(|fact| match fact.origin {
                Origin::Root(root) => Some(root),
                Origin::Top | Origin::Many => None,
            })
            .collect();
        Pointers { origins }
    }

    fn is_pointer(&self, function: &Function, value: Value) -> bool {
        self.module.types.is_pointer(self.module.value_type(function, value))
    }

    /// Enters where addresses come from and how they flow.
    fn sources(&mut self, id: FuncId, function: &Function, walk: &mut Walk) {
        for &block in &function.layout {
            if block == function.entry() {
                let roots = &self.roots.of_parameters[id.index()];
                for (&param, root) in function.blocks[block].params.iter().zip(roots) {
                    let fact = root.map_or(Fact::MANY, Fact::root);
                    walk.join(param.as_local().unwrap_or_default() as u32, fact);
                }
            }
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst];
                let Some(result) = data.result.and_then(Value::as_local) else { continue };
                if !self.module.types.is_pointer(function.values[result].ty) {
                    continue;
                }
                let result = result as u32;
                match data.kind {
                    InstKind::Variable { ty, align } => {
                        let name = data.result.and_then(|value| function.value_names.get(&value));
                        let root = self.add(Root {
                            function: Some(id),
                            class: StorageClass::Function,
                            ty,
                            size: self.module.types.size(ty),
                            align,
                            shape: Shape::Bytes,
                            name: name.cloned().unwrap_or_default(),
                            is_parameter: false,
                        });
                        walk.join(result, Fact::root(root));
                    }
                    InstKind::PtrAdd { base, .. } | InstKind::Access { base, .. } => {
                        self.enter(function, walk, base, result, Via::Inst(inst));
                    }
                    InstKind::Convert {
                        op: ConvertOp::Bitcast | ConvertOp::ToGeneric | ConvertOp::FromGeneric,
                        operand,
                        ..
                    } => self.enter(function, walk, operand, result, Via::Inst(inst)),
                    InstKind::Select { condition: _, then, otherwise } => {
                        self.enter(function, walk, then, result, Via::Choice);
                        self.enter(function, walk, otherwise, result, Via::Choice);
                    }
                    _ => walk.join(result, Fact::MANY),
                }
            }
            for target in function.blocks[block].terminator.targets() {
                let params = &function.blocks[target.block].params;
                for (&param, argument) in params.iter().zip(function.values_of(target.arguments)) {
                    if self.is_pointer(function, param) {
                        let param = param.as_local().unwrap_or_default() as u32;
                        self.enter(function, walk, argument, param, Via::Choice);
                    }
                }
            }
        }
    }

    fn enter(&mut self, function: &Function, walk: &mut Walk, from: Value, to: u32, via: Via) {
        match from.as_local() {
            Some(from) => {
                let next = walk.heads[from];
                walk.heads[from] = walk.flows.len() as u32;
                walk.flows.push(Flow { to, via, next });
            }
            None => {
                let fact = self.constant(from);
                walk.join(to, self.transfer(function, via, fact));
            }
        }
    }

    fn transfer(&self, function: &Function, via: Via, fact: Fact) -> Fact {
        let Origin::Root(_) = fact.origin else { return fact };
        let Via::Inst(inst) = via else { return fact.chosen() };
        let module = self.module;
        let data = &function.insts[inst];
        let pointee = |value| pointee(&module.types, module.value_type(function, value));
        match data.kind {
            InstKind::PtrAdd { base, index } => {
                let index = constant_int(module, index);
                add(&module.types, fact, pointee(base), index)
            }
            InstKind::Access { base, indices } => {
                let indices = function.values_of(indices).map(|index| constant_int(module, index));
                access(&module.types, fact, pointee(base), indices)
            }
            InstKind::Convert { operand, .. } => {
                let same = data.result.is_some_and(|result| pointee(result) == pointee(operand));
                Fact { own: fact.own && same, ..fact }
            }
            _ => Fact::MANY,
        }
    }

    fn constant(&mut self, value: Value) -> Fact {
        let Some(id) = value.as_const() else { return Fact::MANY };
        if let Some(&fact) = self.constants.get(&id) {
            return fact;
        }
        let module = self.module;
        let types = &module.types;
        let fact = match module.consts.get(id) {
            // Any address will do.
            Const::Undef(_) => Fact::TOP,
            Const::GlobalAddress(_, global) => match self.roots.of_global[global.index()] {
                Some(root) => Fact::root(root),
                None => Fact::MANY,
            },
            Const::Access { base, step, indices, .. } => {
                let fact = self.constant(*base);
                let pointee = base.as_const().map(|id| pointee(types, module.consts.ty(id)));
                let pointee = pointee.unwrap_or(TypePool::I8);
                let fact = add(types, fact, pointee, Some(*step));
                let indices = indices.iter().map(|&index| constant_int(module, index));
                access(types, fact, pointee, indices)
            }
            Const::Cast { ty, operand } => match operand.as_const() {
                Some(from) if types.is_pointer(*ty) && types.is_pointer(module.consts.ty(from)) => {
                    let same = pointee(types, module.consts.ty(from)) == pointee(types, *ty);
                    let fact = self.constant(*operand);
                    Fact { own: fact.own && same, ..fact }
                }
                _ => Fact::MANY,
            },
            Const::Null(_)
            | Const::Bool(_)
            | Const::Int(..)
            | Const::Float(..)
            | Const::Composite(..)
            | Const::FunctionAddress(..)
            | Const::Sampler(..)
            | Const::Descriptor { .. }
            | Const::Spec { .. } => Fact::MANY,
        };
        self.constants.insert(id, fact);
        fact
    }

    fn fact(&mut self, walk: &Walk, value: Value) -> Fact {
        match value.as_local() {
            Some(index) => walk.facts[index],
            None => self.constant_uses(value),
        }
    }

    /// The fact of a constant; addresses inside a composite or a number get away.
    fn constant_uses(&mut self, value: Value) -> Fact {
        let Some(id) = value.as_const() else { return Fact::MANY };
        match self.module.consts.get(id) {
            Const::Composite(_, parts) => {
                for &part in parts {
                    let fact = self.constant_uses(part);
                    self.let_go(fact);
                }
                Fact::MANY
            }
            Const::Cast { ty, operand } if !self.module.types.is_pointer(*ty) => {
                let fact = self.constant_uses(*operand);
                self.let_go(fact);
                Fact::MANY
            }
            _ => self.constant(value),
        }
    }

    pub fn let_go(&mut self, fact: Fact) {
        if let Origin::Root(root) = fact.origin {
            self.accesses[root as usize].escapes = true;
        }
    }

    fn escape(&mut self, walk: &Walk, value: Value) {
        let fact = self.fact(walk, value);
        self.let_go(fact);
    }

    /// `from` becomes (a part of) `to`.
    fn flow(&mut self, walk: &Walk, from: Value, to: Value) {
        let fact = self.fact(walk, from);
        let Origin::Root(root) = fact.origin else { return };
        let to = to.as_local().map_or(Fact::MANY, |index| walk.facts[index]);
        let accesses = &mut self.accesses[root as usize];
        match to.origin {
            Origin::Root(_) => {
                accesses.own &= to.own;
                accesses.parts.log_align = accesses.parts.log_align.min(to.log_align);
            }
            Origin::Many => accesses.escapes = true,
            Origin::Top => {}
        }
    }

    /// Memory of type `ty` is accessed; `exact` if that is the type of what is there.
    fn atomic(&mut self, walk: &Walk, pointer: Value, pointer_type: Type, op: Option<AtomicOp>) {
        let object = pointee(&self.module.types, pointer_type);
        let accessed = atomics::accessed(&self.module.types, op, object);
        let fact = self.fact(walk, pointer);
        if let Origin::Root(root) = fact.origin
            && self.roots.roots[root as usize].class == StorageClass::Workgroup
            && self.module.types.size(object) < WORD
        {
            // Smaller than what atomics work on: the pool has words for it.
            self.let_go(fact);
        }
        self.access(walk, pointer, accessed, accessed == object);
    }

    /// A matrix is loaded or stored. What it lies in may have elements of another type, if it begins with
    /// one and whole ones are from row to row.
    fn matrix(&mut self, walk: &Walk, pointer: Value, matrix: MatrixType, layout: u64) {
        let fact = self.fact(walk, pointer);
        let Origin::Root(root) = fact.origin else { return };
        let types = &self.module.types;
        // The rows go on behind an inner array.
        let is_flat = matches!(
            types.kind(self.roots.roots[root as usize].ty),
            TypeKind::Array(element, _) if element == matrix.element
        );
        let accesses = &mut self.accesses[root as usize];
        accesses.own &= fact.own && is_flat;
        accesses.matrix.get_or_insert(matrix.element);
        let log_align = log2(alignment(types, matrix, layout)).min(fact.log_align);
        accesses.parts.log_align = accesses.parts.log_align.min(log_align);
    }

    fn access(&mut self, walk: &Walk, pointer: Value, ty: Type, exact: bool) {
        let fact = self.fact(walk, pointer);
        let Origin::Root(root) = fact.origin else { return };
        let parts = self.parts.of(&self.module.types, ty);
        let types = &self.module.types;
        let accesses = &mut self.accesses[root as usize];
        accesses.own &= fact.own && exact;
        accesses.parts = accesses.parts.join(parts, types);
        accesses.parts.log_align = accesses.parts.log_align.min(fact.log_align);
    }

    /// Notes what an instruction does to the roots that its operands point into.
    fn uses(&mut self, function: &Function, walk: &Walk, inst: Inst) {
        let module = self.module;
        let data = &function.insts[inst];
        let ty = |value| module.value_type(function, value);
        match data.kind {
            InstKind::Load { pointer, .. } => {
                self.access(walk, pointer, pointee(&module.types, ty(pointer)), true);
            }
            InstKind::Store { pointer, value, .. } => {
                self.access(walk, pointer, pointee(&module.types, ty(pointer)), true);
                self.escape(walk, value);
            }
            InstKind::CopyMemory { destination, source, size, .. } => {
                let (to, from) = (ty(destination), ty(source));
                let size = constant_int(module, size);
                match size.and_then(|size| copied_type(&module.types, to, from, size as u64)) {
                    Some(copied) => {
                        for (pointer, ty) in [(destination, to), (source, from)] {
                            let exact = pointee(&module.types, ty) == copied;
                            self.access(walk, pointer, copied, exact);
                        }
                    }
                    None => {
                        self.escape(walk, destination);
                        self.escape(walk, source);
                    }
                }
            }
            InstKind::PtrAdd { base: operand, .. }
            | InstKind::Access { base: operand, .. }
            | InstKind::Convert {
                op: ConvertOp::Bitcast | ConvertOp::ToGeneric | ConvertOp::FromGeneric,
                operand,
                ..
            } => {
                if let Some(result) = data.result {
                    self.flow(walk, operand, result);
                }
            }
            InstKind::Select { condition: _, then, otherwise } => {
                if let Some(result) = data.result {
                    self.flow(walk, then, result);
                    self.flow(walk, otherwise, result);
                }
            }
            InstKind::Compare { op: _, left, right } => {
                let (a, b) = (self.fact(walk, left), self.fact(walk, right));
                match (a.origin, b.origin) {
                    (Origin::Root(a), Origin::Root(b)) if a == b => {
                        self.accesses[a as usize].own = false;
                    }
                    // A variable is not at address zero.
                    (Origin::Root(_), _) if is_null(module, right) => {}
                    (_, Origin::Root(_)) if is_null(module, left) => {}
                    _ => {
                        self.let_go(a);
                        self.let_go(b);
                    }
                }
            }
            InstKind::Intrinsic { intrinsic: Intrinsic::Matrix(op), arguments } => {
                let arguments: Vec<Value> = function.values_of(arguments).collect();
                if let Some((matrix, layout)) =
                    super::matrices::accessed(module, function, op, &arguments, data.result)
                {
                    self.matrix(walk, arguments[0], matrix, layout);
                }
            }
            InstKind::Intrinsic { intrinsic, arguments } => {
                for argument in function.values_of(arguments) {
                    // These ask for no more than where a pointer leads.
                    if !matches!(intrinsic, Intrinsic::GetFence | Intrinsic::Prefetch) {
                        self.escape(walk, argument);
                    }
                }
            }
            InstKind::AtomicLoad { pointer, ordering: _ } => {
                self.atomic(walk, pointer, ty(pointer), None);
            }
            InstKind::AtomicStore { pointer, value, ordering: _ } => {
                self.atomic(walk, pointer, ty(pointer), None);
                self.escape(walk, value);
            }
            InstKind::AtomicModify { op, pointer, value, ordering: _ } => {
                self.atomic(walk, pointer, ty(pointer), Some(op));
                self.escape(walk, value);
            }
            InstKind::AtomicCompareExchange { pointer, comparand, desired, .. } => {
                self.atomic(walk, pointer, ty(pointer), None);
                self.escape(walk, comparand);
                self.escape(walk, desired);
            }
            InstKind::Call { callee, arguments } => {
                for (index, argument) in function.values_of(arguments).enumerate() {
                    let fact = self.fact(walk, argument);
                    match self.roots.of_parameters[callee.index()].get(index).copied().flatten() {
                        Some(parameter) => self.pass(fact, parameter),
                        None => self.let_go(fact),
                    }
                }
            }
            InstKind::Variable { .. } | InstKind::Fence(_) | InstKind::Barrier { .. } => {}
            InstKind::Binary { .. }
            | InstKind::Unary { .. }
            | InstKind::Convert { .. }
            | InstKind::Extract { .. }
            | InstKind::Insert { .. }
            | InstKind::ExtractDynamic { .. }
            | InstKind::InsertDynamic { .. }
            | InstKind::Shuffle { .. }
            | InstKind::Construct { .. }
            | InstKind::GenericTo { .. } => {
                function.each_operand(inst, |value| self.escape(walk, value));
            }
        }
    }
}
