//! Keeps private arrays in local memory where each work-item of a kernel is at an index of its own.
//!
//! ```text
//! a: variable [13 x i32]                a: workgroup [13 * items x i32]
//!   load a[i]                     ->      load a[i * items + item]
//! ```
//!
//! Devices keep the same element of all work-items side by side in private memory: at one index, work-items access what
//! is next to each other, and at different ones each access is one of its own, of which there are then as many as there
//! are work-items in a wave. Local memory is accessed at any places at once, in particular at those that are the same
//! modulo the size of a wave.
//!
//! Work-items access nothing but their own elements, so that there is nothing to wait for. Where the host chooses how
//! many work-items there are, what they take may be more than the device has. Then the array is left where it is: both
//! ways are in the module, and a specialization constant decides.

mod choose;
mod rewrite;

use clc_base::Span;
use clc_ir::{FuncId, Global, GlobalId, Linkage, Module, StorageClass, Type, TypeKind, TypePool};

use super::limits::Walk;
use super::{Places, Spread};
use choose::Choice;
use rewrite::Moved;

/// Bytes of local memory that every device has for a work-group (Vulkan, "Required Limits",
/// `maxComputeSharedMemorySize`).
const ROOM: u64 = 16384;

/// Work-groups of fewer work-items are rare.
const ITEMS: u64 = 64;

/// Moves the arrays, and returns those whose length the host has a say in. `limit` is how much local memory the program may
/// use, if that is less than devices have.
pub(crate) fn run(
    module: &mut Module,
    places: &Places,
    scratch: Option<GlobalId>,
    limit: Option<u32>,
) -> Vec<Spread> {
    let kernels = module
        .functions
        .iter()
        .filter(|(_, function)| function.entry_point.is_some() && !function.is_declaration());
    let choices: Vec<(FuncId, Vec<Choice>)> = kernels
        .map(|(id, function)| (id, choose::run(&module.types, function)))
        .filter(|(_, chosen)| !chosen.is_empty())
        .collect();
    if choices.is_empty() {
        return Vec::new();
    }
    let room = limit.map_or(ROOM, |limit| ROOM.min(u64::from(limit)));
    // What the host chooses may take all.
    let of_host = places.local_arguments.iter().map(|argument| argument.global).chain(scratch);
    let mut walk = Walk::of(module, of_host.map(|global| (global, room)));
    let mut kernels: Vec<Kernel> = Vec::new();
    let mut slots = Vec::new();
    for (id, chosen) in choices {
        let entry = module.functions[id].entry_point.as_deref();
        let required = entry.and_then(|entry| entry.reqd_work_group_size);
        let room = room.saturating_sub(walk.bytes(id));
        let items = required.map(|size| size.iter().map(|&size| u64::from(size)).product());
        // Others have none of what a kernel leaves no room for.
        let mut bytes = 0;
        let has_room = |choice: &Choice| {
            bytes += module.types.size(choice.ty);
            bytes * items.unwrap_or(ITEMS) <= room
        };
        let chosen: Vec<Choice> = chosen.into_iter().take_while(has_room).collect();
        let arrays = take_slots(&module.types, &mut slots, items, &chosen);
        kernels.push(Kernel { id, required, room, chosen, arrays });
    }
    for kernel in &mut kernels {
        kernel.limit_slots(&module.types, &mut slots);
    }
    for slot in &mut slots {
        slot.make(module);
    }
    for kernel in &kernels {
        let moved: Vec<Moved> = kernel.moved(&module.types, &slots).collect();
        if moved.is_empty() {
            continue;
        }
        let Module { types, consts, functions, .. } = &mut *module;
        rewrite::run(types, consts, &mut functions[kernel.id], &moved, kernel.required);
    }
    slots.iter().filter_map(Slot::spread).collect()
}

/// A variable in local memory for arrays of different kernels, which are never there at the same time.
struct Slot {
    element: Type,
    /// How many arrays of such elements its kernels have before.
    number: usize,
    /// Elements for each work-item.
    count: u64,
    /// The work-items of a work-group, of kernels that say how many they are.
    items: Option<u64>,
    /// The largest work-group for which there is room in all its kernels.
    most: u64,
    /// The variable and its type, once it is there.
    made: Option<(GlobalId, Type)>,
}

impl Slot {
    fn is_used(&self) -> bool {
        self.most >= self.items.unwrap_or(ITEMS)
    }

    fn make(&mut self, module: &mut Module) {
        if !self.is_used() {
            return;
        }
        let ty = module.types.array(self.element, self.count * self.items.unwrap_or(self.most));
        let global = module.globals.push(Global {
            name: "private array".to_owned(),
            ty,
            class: StorageClass::Workgroup,
            initializer: None,
            align: module.types.align(self.element) as u32,
            is_const: false,
            linkage: Linkage::Internal,
            span: Span::NONE,
        });
        self.made = Some((global, ty));
    }

    fn spread(&self) -> Option<Spread> {
        let (global, _) = self.made.filter(|_| self.items.is_none())?;
        Some(Spread { global, per_item: self.count as u32, most_items: self.most as u32 })
    }
}

/// The slots of the arrays of a kernel; those that more kernels have are as long as the longest needs.
fn take_slots(
    types: &TypePool,
    slots: &mut Vec<Slot>,
    items: Option<u64>,
    chosen: &[Choice],
) -> Vec<usize> {
    let shapes: Vec<Shape> = chosen.iter().map(|choice| Shape::new(types, choice.ty)).collect();
    let taken = shapes.iter().enumerate().map(|(place, shape)| {
        let before = shapes[..place].iter().filter(|other| other.element == shape.element);
        let (element, number, count) = (shape.element, before.count(), shape.count());
        let is_same =
            |slot: &Slot| slot.element == element && slot.number == number && slot.items == items;
        if let Some(found) = slots.iter().position(is_same) {
            slots[found].count = slots[found].count.max(count);
            return found;
        }
        slots.push(Slot { element, number, count, items, most: u64::MAX, made: None });
        slots.len() - 1
    });
    taken.collect()
}

/// A kernel with arrays that move.
struct Kernel {
    id: FuncId,
    required: Option<[u32; 3]>,
    /// Bytes of local memory for all arrays of a work-group.
    room: u64,
    chosen: Vec<Choice>,
    /// Their slots.
    arrays: Vec<usize>,
}

impl Kernel {
    /// With those before, each array has room in smaller work-groups than the last.
    fn limit_slots(&self, types: &TypePool, slots: &mut [Slot]) {
        let mut bytes = 0;
        for &array in &self.arrays {
            let slot = &mut slots[array];
            bytes += types.size(slot.element) * slot.count;
            slot.most = slot.most.min(self.room / bytes);
        }
    }

    fn moved(&self, types: &TypePool, slots: &[Slot]) -> impl Iterator<Item = Moved> {
        self.chosen.iter().zip(&self.arrays).filter_map(|(choice, &array)| {
            let slot = &slots[array];
            let (global, ty) = slot.made?;
            Some(Moved {
                variable: choice.variable,
                shape: Shape::new(types, choice.ty),
                global,
                ty,
                most: slot.items.is_none().then_some(slot.most),
            })
        })
    }
}

/// An array, or one of arrays.
struct Shape {
    /// What it has in the end.
    element: Type,
    /// From the outside to the inside.
    lengths: Vec<u64>,
}

impl Shape {
    fn new(types: &TypePool, ty: Type) -> Shape {
        let mut shape = Shape { element: ty, lengths: Vec::new() };
        while let TypeKind::Array(element, length) = types.kind(shape.element) {
            shape.element = element;
            shape.lengths.push(length);
        }
        shape
    }

    fn count(&self) -> u64 {
        self.lengths.iter().product()
    }
}
