//! Where the variables without a type of their own are in the pools.
//!
//! The pool of private memory has a fixed frame for each function, above those of all its callers:
//! there is no recursion. In the pool of local memory come first the variables that several kernels
//! reach, then for each kernel its own, in the same place, then the kernels' arguments.

use clc_base::arena::Id as _;
use clc_ir::{Const, FuncId, Function, GlobalId, InstKind, Module, StorageClass, Value};

use super::roots::{RootId, Roots, Shape};
use crate::shader::LocalArgument;

/// Addresses in a pool are 32 bits; half of them are far more than any device has.
pub(super) const MAX_BYTES: u64 = 1 << 31;

/// Objects in a pool begin at multiples of at least these many bytes, so that what is cast to a wider
/// type is aligned more often than it must be.
const MIN_ALIGN: u64 = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offset {
    Fixed(u64),
    /// Behind the fixed part and the arguments in the pool before this one.
    Argument(usize),
}

#[derive(Debug, Default)]
pub(super) struct Layout {
    /// By root; `None` for those that are not in a pool.
    pub offsets: Vec<Option<Offset>>,
    /// Bytes.
    pub private: u64,
    /// Bytes in front of the arguments, a multiple of `argument_align`.
    pub local: u64,
    /// Indices of the kernels' arguments that are in the pool.
    pub arguments: Vec<usize>,
    /// Each argument begins at a multiple of these many bytes.
    pub argument_align: u64,
}

pub(super) fn lay_out(module: &Module, roots: &Roots, arguments: &[LocalArgument]) -> Layout {
    let mut layout = Layout {
        offsets: vec![None; roots.roots.len()],
        argument_align: MIN_ALIGN,
        ..Layout::default()
    };
    let order = callers_first(module);
    private(module, roots, &order, &mut layout);
    local(module, roots, &order, arguments, &mut layout);
    layout
}

/// An offset is an address but for the tag of its pool, so it has the alignment that the object asks
/// for: that of its type (OpenCL C 6.3.5) or of an attribute (6.13.1).
fn align(roots: &Roots, root: RootId) -> u64 {
    u64::from(roots.roots[root as usize].align).max(MIN_ALIGN)
}

fn place(roots: &Roots, root: RootId, end: &mut u64) -> Offset {
    // What does not fit is reported by whoever asked for the layout.
    let offset = end.checked_next_multiple_of(align(roots, root)).unwrap_or(*end);
    *end = offset.saturating_add(size(roots, root));
    Offset::Fixed(offset)
}

fn size(roots: &Roots, root: RootId) -> u64 {
    roots.roots[root as usize].size.max(1)
}

fn private(module: &Module, roots: &Roots, order: &[FuncId], layout: &mut Layout) {
    let mut by_function: Vec<Vec<RootId>> = vec![Vec::new(); module.functions.len()];
    for (index, root) in roots.roots.iter().enumerate() {
        if let (Some(function), Shape::Bytes, false) =
            (root.function, root.shape, root.is_parameter)
        {
            by_function[function.index()].push(index as RootId);
        }
    }
    // By function: the end of the frames of its callers.
    let mut starts = vec![0; module.functions.len()];
    for &id in order {
        let mut end = starts[id.index()];
        for &root in &by_function[id.index()] {
            layout.offsets[root as usize] = Some(place(roots, root, &mut end));
        }
        each_callee(&module.functions[id], |callee| {
            let start = &mut starts[callee.index()];
            *start = end.max(*start);
        });
        layout.private = layout.private.max(end);
    }
}

/// The kernels that reach something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Users {
    None,
    Kernel(FuncId),
    Several,
}

impl Users {
    fn join(&mut self, other: Users) {
        *self = match (*self, other) {
            (Users::None, users) | (users, Users::None) => users,
            (a, b) if a == b => a,
            _ => Users::Several,
        };
    }
}

fn local(
    module: &Module,
    roots: &Roots,
    order: &[FuncId],
    arguments: &[LocalArgument],
    layout: &mut Layout,
) {
    for (index, argument) in arguments.iter().enumerate() {
        let Some(root) = roots.of_global.get(argument.global.index()).copied().flatten() else {
            continue;
        };
        if roots.roots[root as usize].shape == Shape::Bytes {
            layout.offsets[root as usize] = Some(Offset::Argument(layout.arguments.len()));
            layout.arguments.push(index);
            layout.argument_align = layout.argument_align.max(align(roots, root));
        }
    }
    let mut functions = vec![Users::None; module.functions.len()];
    let mut globals = vec![Users::None; module.globals.len()];
    for &id in order {
        let function = &module.functions[id];
        if function.entry_point.is_some() {
            functions[id.index()].join(Users::Kernel(id));
        }
        let users = functions[id.index()];
        each_callee(function, |callee| functions[callee.index()].join(users));
        each_constant(function, |value| {
            each_global(module, value, &mut |global| globals[global.index()].join(users));
        });
    }
    let in_pool = |(index, &root): (usize, &Option<RootId>)| {
        let root = root?;
        let is_free = layout.offsets[root as usize].is_none();
        (is_free && roots.roots[root as usize].shape == Shape::Bytes).then_some((index, root))
    };
    let members: Vec<(usize, RootId)> =
        roots.of_global.iter().enumerate().filter_map(in_pool).collect();
    let mut shared = 0;
    for &(global, root) in &members {
        if !matches!(globals[global], Users::Kernel(_)) {
            layout.offsets[root as usize] = Some(place(roots, root, &mut shared));
        }
    }
    let mut ends = vec![shared; module.functions.len()];
    for &(global, root) in &members {
        if let Users::Kernel(kernel) = globals[global] {
            layout.offsets[root as usize] = Some(place(roots, root, &mut ends[kernel.index()]));
        }
    }
    layout.local = ends.into_iter().max().unwrap_or(shared);
    let end = layout.local.checked_next_multiple_of(layout.argument_align);
    layout.local = end.unwrap_or(layout.local);
}

/// The functions with a body, each after all its callers.
fn callers_first(module: &Module) -> Vec<FuncId> {
    let count = module.functions.len();
    let mut callees: Vec<Vec<FuncId>> = Vec::with_capacity(count);
    let mut callers = vec![0usize; count];
    for function in module.functions.values() {
        let mut list = Vec::new();
        each_callee(function, |callee| list.push(callee));
        for callee in &list {
            callers[callee.index()] += 1;
        }
        callees.push(list);
    }
    let mut order: Vec<FuncId> =
        module.functions.ids().filter(|id| callers[id.index()] == 0).collect();
    let mut next = 0;
    while let Some(&id) = order.get(next) {
        next += 1;
        for &callee in &callees[id.index()] {
            callers[callee.index()] -= 1;
            if callers[callee.index()] == 0 {
                order.push(callee);
            }
        }
    }
    order
}

fn each_callee(function: &Function, mut visit: impl FnMut(FuncId)) {
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            if let InstKind::Call { callee, .. } = function.insts[inst].kind {
                visit(callee);
            }
        }
    }
}

fn each_constant(function: &Function, mut visit: impl FnMut(Value)) {
    let mut constant = |value: Value| {
        if value.is_const() {
            visit(value);
        }
    };
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            function.each_operand(inst, &mut constant);
        }
        function.each_terminator_operand(block, &mut constant);
    }
}

/// The `local` variables whose addresses a constant is made of.
fn each_global(module: &Module, value: Value, visit: &mut impl FnMut(GlobalId)) {
    let Some(id) = value.as_const() else { return };
    match module.consts.get(id) {
        Const::GlobalAddress(_, global) => {
            if module.globals[*global].class == StorageClass::Workgroup {
                visit(*global);
            }
        }
        Const::Access { base, .. } => each_global(module, *base, visit),
        Const::Cast { operand, .. } => each_global(module, *operand, visit),
        Const::Composite(ty, parts) => {
            // Numbers alone, however many there are, have no address.
            let element = module.types.component(*ty, 0);
            let plain = element.is_some_and(|ty| module.types.scalar_bits(ty).is_some());
            if !plain || parts.iter().any(|part| is_cast(module, *part)) {
                parts.iter().for_each(|&part| each_global(module, part, visit));
            }
        }
        Const::Undef(_)
        | Const::Null(_)
        | Const::Bool(_)
        | Const::Int(..)
        | Const::Float(..)
        | Const::FunctionAddress(..)
        | Const::Sampler(..)
        | Const::Descriptor { .. }
        | Const::Spec { .. } => {}
    }
}

fn is_cast(module: &Module, value: Value) -> bool {
    value.as_const().is_some_and(|id| matches!(module.consts.get(id), Const::Cast { .. }))
}
