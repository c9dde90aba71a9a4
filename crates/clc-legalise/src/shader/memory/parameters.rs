//! Parameters that point to private variables of callers.
//!
//! Vulkan has pointers to variables as arguments, if they are of whole ones (SPIR-V 2.16.1, "memory object
//! declaration"). So what a parameter points to has the shape of all variables whose addresses calls pass, and these keep
//! types of their own:
//!
//! ```text
//! f(&w)                     ->     f(w), if the parameter points to the type of w
//! f(a + 4), f(b)            ->     f(a, 4), f(b, 0), where a and b have the length of the longer one
//! ```

use clc_base::arena::Id as _;
use clc_ir::{
    Const, FuncId, Inst, InstKind, Linkage, ParamAttributes, StorageClass, TypePool, Value,
};

use super::facts::{EXACT, Fact, Last, Origin};
use super::places::{Place, Variable};
use super::rewrite::{New, Rewriter};
use super::roots::{Finder, Root, RootId, Roots, Shape};

/// How many times as much memory variables may take because they have the length of others.
const MAX_GROWTH: u64 = 2;

/// Bytes that variables may take more in any case.
const MAX_MORE: u64 = 64;

impl Finder<'_> {
    /// Makes roots of what parameters point to.
    pub fn parameters(&mut self) {
        let module = self.module;
        let mut is_called_only = vec![true; module.functions.len()];
        for (_, constant) in module.consts.iter() {
            if let Const::FunctionAddress(_, function) = constant {
                is_called_only[function.index()] = false;
            }
        }
        for (id, function) in module.functions.iter() {
            let is_called_only = is_called_only[id.index()]
                && !function.is_declaration()
                && function.entry_point.is_none()
                && function.linkage == Linkage::Internal;
            let roots = function.params.iter().map(|&ty| match module.types.pointer_parts(ty) {
                Some((pointee, StorageClass::Function)) if is_called_only => Some(self.add(Root {
                    function: Some(id),
                    class: StorageClass::Function,
                    ty: pointee,
                    size: 0,
                    align: 1,
                    shape: Shape::Bytes,
                    name: String::new(),
                    is_parameter: true,
                })),
                _ => None,
            });
            let roots = roots.collect();
            self.roots.of_parameters.push(roots);
        }
    }

    /// What a fact is known of is passed as a parameter.
    pub fn pass(&mut self, fact: Fact, parameter: RootId) {
        let Origin::Root(root) = fact.origin else {
            self.accesses[parameter as usize].escapes = true;
            return;
        };
        let roots = &self.roots.roots;
        if roots[root as usize].class != StorageClass::Function {
            self.let_go(fact);
            self.accesses[parameter as usize].escapes = true;
            return;
        }
        let is_whole = fact.own
            && fact.last == Last::Whole
            && fact.log_align == EXACT
            && roots[root as usize].ty == roots[parameter as usize].ty;
        let accesses = &mut self.accesses[root as usize];
        accesses.own &= is_whole;
        accesses.parts.log_align = accesses.parts.log_align.min(fact.log_align);
        let (a, b) = (self.group(root), self.group(parameter));
        self.groups[a as usize] = b;
    }

    fn group(&mut self, mut root: RootId) -> RootId {
        while self.groups[root as usize] != root {
            let above = self.groups[root as usize];
            self.groups[root as usize] = self.groups[above as usize];
            root = above;
        }
        root
    }

    /// Gives all roots their shapes, and those of a group one length.
    pub fn shapes(&mut self) {
        let count = self.roots.roots.len();
        let groups: Vec<usize> =
            (0..count).map(|root| self.group(root as RootId) as usize).collect();
        let types = &self.module.types;
        // By group: bytes of its longest variable, of all, and how many there are.
        let mut sizes = vec![(0u64, 0u64, 0u64); count];
        for (root, &group) in groups.iter().enumerate() {
            let data = &self.roots.roots[root];
            let (longest, all, number) = &mut sizes[group];
            if !data.is_parameter {
                *longest = data.size.max(*longest);
                *all = all.saturating_add(data.size);
                *number += 1;
            }
            if root != group {
                let accesses = self.accesses[root];
                let joined = &mut self.accesses[group];
                joined.parts = joined.parts.join(accesses.parts, types);
                joined.escapes |= accesses.escapes;
                joined.own &= accesses.own;
                joined.matrix = joined.matrix.or(accesses.matrix);
            }
        }
        for (root, &group) in groups.iter().enumerate() {
            let (longest, all, number) = sizes[group];
            let shape = match self.shape(group) {
                Shape::Elements(_)
                    if longest.saturating_mul(number)
                        > all.saturating_mul(MAX_GROWTH).saturating_add(MAX_MORE) =>
                {
                    Shape::Bytes
                }
                shape => shape,
            };
            let data = &mut self.roots.roots[root];
            data.shape = shape;
            if shape != Shape::Bytes {
                data.size = data.size.max(longest);
            }
        }
        self.roots.forget_numbers();
    }
}

impl Roots {
    /// What points to memory without a type is a number, and those that are passed have nothing to be counted from.
    fn forget_numbers(&mut self) {
        let roots = &self.roots;
        let is_number = |root: &RootId| {
            let root = &roots[*root as usize];
            root.is_parameter && root.shape == Shape::Bytes
        };
        let of_parameters = self.of_parameters.iter_mut().flatten();
        let origins = self.functions.iter_mut().flat_map(|pointers| &mut pointers.origins);
        for root in of_parameters.chain(origins) {
            *root = root.filter(|root| !is_number(root));
        }
    }
}

impl Rewriter<'_, '_> {
    /// Declares the function's parameters: pointers to variables, and last the positions of those that point to elements.
    pub fn parameters(&mut self, id: FuncId) {
        let plan = self.plan;
        let entry = self.b.function.entry();
        let mut elements = Vec::new();
        for (index, root) in plan.roots.of_parameters[id.index()].iter().enumerate() {
            let Some((root, ty)) = root.and_then(|root| Some((root, plan.types[root as usize]?)))
            else {
                continue;
            };
            let ty = self.b.types.pointer(ty, StorageClass::Function);
            self.b.function.params[index] = ty;
            let pointer = self.b.function.blocks[entry].params[index];
            if let Some(pointer) = pointer.as_local() {
                self.b.function.values[pointer].ty = ty;
            }
            self.variables.insert(root, pointer);
            match plan.roots.roots[root as usize].shape {
                Shape::Elements(_) => elements.push((root, pointer)),
                Shape::Own | Shape::Bytes => {
                    let place = self.root(root);
                    self.set(pointer, New::Place(place));
                }
            }
        }
        for (root, pointer) in elements {
            let function = &mut *self.b.function;
            function.params.push(TypePool::I32);
            if !function.param_names.is_empty() {
                function.param_names.push(String::new());
            }
            if !function.param_attributes.is_empty() {
                function.param_attributes.push(ParamAttributes::default());
            }
            let position = function.add_block_param(entry, TypePool::I32);
            self.set(pointer, New::Place(Place::Element(root, position)));
        }
    }

    /// Passes what the callee takes: numbers, variables, and positions in these.
    pub fn call(&mut self, inst: Inst, callee: FuncId) {
        let InstKind::Call { arguments, .. } = self.b.function.insts[inst].kind else { return };
        let plan = self.plan;
        let roots = &plan.roots.of_parameters[callee.index()];
        let mut new = Vec::new();
        let mut positions = Vec::new();
        let arguments: Vec<Value> = self.b.function.values_of(arguments).collect();
        for (index, argument) in arguments.into_iter().enumerate() {
            if roots.get(index).copied().flatten().is_none() {
                new.push(self.operand(argument));
                continue;
            }
            match self.place(argument) {
                Place::Part(variable, path) if path.is_empty() => new.push(self.variable(variable)),
                Place::Element(root, position) => {
                    new.push(self.variable(Variable::Root(root)));
                    positions.push(position);
                }
                place => unreachable!("{place:?} is passed as a variable"),
            }
        }
        new.extend(positions);
        let arguments = self.b.function.list(&new);
        self.b.function.insts[inst].kind = InstKind::Call { callee, arguments };
        let block = self.b.block();
        self.b.function.blocks[block].insts.push(inst);
    }
}
