//! What is known of memory as long as nothing happens to it.

use clc_base::Id as _;
use clc_ir::{FuncId, Function, Inst, InstKind, MemoryAccess, StorageClass, Value};
use rustc_hash::FxHashMap;

use super::addresses::{
    ATOMIC, Access, Aliases, EFFECTIVE, Effective, Frame, OBJECTS, Object, classes_meet,
};

const CLASSES: [StorageClass; 12] = [
    StorageClass::Function,
    StorageClass::CrossWorkgroup,
    StorageClass::Workgroup,
    StorageClass::UniformConstant,
    StorageClass::Generic,
    StorageClass::Input,
    StorageClass::Private,
    StorageClass::PushConstant,
    StorageClass::Uniform,
    StorageClass::PhysicalStorageBuffer,
    StorageClass::ReadOnlyBuffer,
    StorageClass::StorageBuffer,
];

const KINDS: [Object; OBJECTS] =
    [Object::Own, Object::Escaped, Object::Global, Object::Argument, Object::Unknown];

/// Addresses of one frame that are looked at when something happens there.
const MAX_NEIGHBOURS: usize = 32;

/// Facts about accesses, each of which ends when something happens that may touch the same bytes.
///
/// What happens is counted by object, class and type. A fact is old if a count has changed that it
/// depends on, so neither what happens nor a question costs more for more facts. Only facts at known
/// distances from what happens are looked at one by one, and of those no more than a few.
pub struct Recent<T> {
    /// By the base's number.
    by_base: Vec<u32>,
    by_constant: FxHashMap<Value, u32>,
    /// By a class that is concerned, object and effective type; `Own` is in `by_base` alone.
    by_kind: [[[u32; EFFECTIVE]; OBJECTS]; CLASSES.len()],
    /// The sums of that over the types.
    totals: [[u32; OBJECTS]; CLASSES.len()],
    calls: u32,
    synchronised: u32,
    generation: u32,
    facts: FxHashMap<Value, Fact<T>>,
    frames: FxHashMap<Frame, Vec<Value>>,
}

/// What an instruction writes.
#[derive(Clone, Copy, Debug)]
pub enum Written {
    /// Nothing.
    Nothing,
    /// What is at an address: as many bytes as its type has, or more.
    At { pointer: Value, access: MemoryAccess, is_bounded: bool },
    /// What a function writes.
    ByCall(FuncId),
    /// Whatever others may have the address of.
    Anywhere,
}

/// What an instruction writes by itself.
pub fn written(kind: &InstKind) -> Written {
    match *kind {
        InstKind::Store { pointer, value: _, access } => {
            Written::At { pointer, access, is_bounded: true }
        }
        InstKind::CopyMemory { destination: pointer, source: _, size: _, access } => {
            Written::At { pointer, access, is_bounded: false }
        }
        InstKind::AtomicStore { pointer, .. }
        | InstKind::AtomicModify { pointer, .. }
        | InstKind::AtomicCompareExchange { pointer, .. } => {
            Written::At { pointer, access: ATOMIC, is_bounded: true }
        }
        InstKind::Call { callee, .. } => Written::ByCall(callee),
        InstKind::Intrinsic { intrinsic, .. } if intrinsic.effects().writes => Written::Anywhere,
        InstKind::Intrinsic { .. }
        | InstKind::Load { .. }
        | InstKind::AtomicLoad { .. }
        | InstKind::Fence(_)
        | InstKind::Barrier { .. }
        | InstKind::Binary { .. }
        | InstKind::Unary { .. }
        | InstKind::Compare { .. }
        | InstKind::Select { .. }
        | InstKind::Convert { .. }
        | InstKind::Variable { .. }
        | InstKind::PtrAdd { .. }
        | InstKind::Access { .. }
        | InstKind::Extract { .. }
        | InstKind::Insert { .. }
        | InstKind::ExtractDynamic { .. }
        | InstKind::InsertDynamic { .. }
        | InstKind::Shuffle { .. }
        | InstKind::Construct { .. }
        | InstKind::GenericTo { .. } => Written::Nothing,
    }
}

struct Fact<T> {
    access: Access,
    /// The count for the access, and for one of any type.
    counts: (u64, u64),
    generation: u32,
    data: T,
}

impl<T> Recent<T> {
    /// Nothing is known, nothing has happened.
    pub fn new(function: &Function) -> Recent<T> {
        Recent {
            by_base: vec![0; function.values.len()],
            by_constant: FxHashMap::default(),
            by_kind: [[[0; EFFECTIVE]; OBJECTS]; CLASSES.len()],
            totals: [[0; OBJECTS]; CLASSES.len()],
            calls: 0,
            synchronised: 0,
            generation: 0,
            facts: FxHashMap::default(),
            frames: FxHashMap::default(),
        }
    }

    /// From now on nothing is known.
    pub fn forget(&mut self) {
        self.generation += 1;
    }

    /// Something is known of the bytes of an access. Nothing else is any more of its address.
    pub fn note(&mut self, access: Access, data: T) {
        let counts = self.counts(&access);
        let fact = Fact { access, counts, generation: self.generation, data };
        if self.facts.insert(access.pointer, fact).is_none() {
            let neighbours = self.frames.entry(access.place.frame).or_default();
            if neighbours.len() == MAX_NEIGHBOURS {
                neighbours.remove(0);
            }
            neighbours.push(access.pointer);
        }
    }

    /// What is known of the address of an access.
    pub fn at(&self, access: &Access) -> Option<&T> {
        let fact = self.facts.get(&access.pointer)?;
        self.holds(fact, access.effective).then_some(&fact.data)
    }

    /// Whether something is known of bytes that cover those of a store.
    pub fn covers(&self, access: &Access) -> bool {
        let covers = |pointer: &Value| {
            let fact = self.facts.get(pointer);
            fact.is_some_and(|fact| {
                fact.access.covers(access) && self.holds(fact, access.effective)
            })
        };
        covers(&access.pointer)
            || self.frames.get(&access.place.frame).is_some_and(|near| near.iter().any(covers))
    }

    /// The bytes of an access are touched. What is known of those beside them still holds.
    pub fn touch(&mut self, access: &Access) {
        let mut kept = Vec::new();
        for &pointer in self.frames.get(&access.place.frame).map_or(&[][..], Vec::as_slice) {
            if let Some(fact) = self.facts.get(&pointer)
                && fact.access.is_beside(access)
                && self.holds(fact, fact.access.effective)
            {
                kept.push((pointer, fact.counts.1 == self.count(&fact.access, Effective::Any)));
            }
        }
        match access.base.as_local() {
            Some(index) => self.by_base[index] += 1,
            None => *self.by_constant.entry(access.base).or_default() += 1,
        }
        if access.object != Object::Own {
            let object = access.object as usize;
            for class in CLASSES.into_iter().filter(|&class| classes_meet(class, access.class)) {
                self.by_kind[class as usize][object][access.effective as usize] += 1;
                self.totals[class as usize][object] += 1;
            }
        }
        for (pointer, holds_for_any) in kept {
            let Some(fact) = self.facts.get(&pointer) else { continue };
            let (own, any) = self.counts(&fact.access);
            if let Some(fact) = self.facts.get_mut(&pointer) {
                fact.counts.0 = own;
                if holds_for_any {
                    fact.counts.1 = any;
                }
            }
        }
    }

    /// Code that is not known runs: it may touch all but what only this function has the address of.
    pub fn call(&mut self) {
        self.touch_what_others_have();
        self.synchronise();
    }

    /// The same, and what other work-items do does not count.
    pub fn touch_what_others_have(&mut self) {
        self.calls += 1;
    }

    /// From here on the accesses of other work-items count: to all memory but private memory.
    pub fn synchronise(&mut self) {
        self.synchronised += 1;
    }

    /// An instruction runs: what it may change is touched. `constant` says of which functions calls change nothing.
    pub fn happens(
        &mut self,
        aliases: &Aliases<'_>,
        function: &Function,
        inst: Inst,
        constant: &[bool],
    ) {
        let kind = &function.insts[inst].kind;
        match written(kind) {
            Written::Nothing => {}
            Written::At { pointer, access, is_bounded } => {
                let access = aliases.access(function, pointer, access);
                self.touch(&if is_bounded { access } else { access.unbounded() });
            }
            Written::ByCall(callee) if constant[callee.index()] => {}
            Written::ByCall(_) | Written::Anywhere => self.call(),
        }
        match kind {
            InstKind::AtomicLoad { pointer, .. } => {
                self.touch(&aliases.access(function, *pointer, ATOMIC));
                self.synchronise();
            }
            // Whatever other work-items have written may be seen after this: relaxed ones, too, which
            // those of OpenCL C 1.x are, have always been used with fences that say less than needed.
            InstKind::AtomicStore { .. }
            | InstKind::AtomicModify { .. }
            | InstKind::AtomicCompareExchange { .. }
            | InstKind::Fence(_)
            | InstKind::Barrier { .. } => self.synchronise(),
            InstKind::Intrinsic { intrinsic, .. } if intrinsic.effects().convergent => self.call(),
            _ => {}
        }
    }

    fn holds(&self, fact: &Fact<T>, effective: Effective) -> bool {
        fact.generation == self.generation
            && match effective == fact.access.effective {
                true => fact.counts.0 == self.count(&fact.access, effective),
                // An access of the same bytes as another type may see what this one may not.
                false => fact.counts.1 == self.count(&fact.access, Effective::Any),
            }
    }

    fn counts(&self, access: &Access) -> (u64, u64) {
        (self.count(access, access.effective), self.count(access, Effective::Any))
    }

    /// How much has happened that an access of a type may be concerned by.
    fn count(&self, access: &Access, effective: Effective) -> u64 {
        let mut count = u64::from(match access.base.as_local() {
            Some(index) => self.by_base[index],
            None => self.by_constant.get(&access.base).copied().unwrap_or(0),
        });
        if !matches!(access.class, StorageClass::Function | StorageClass::Private) {
            count += u64::from(self.synchronised);
        }
        if access.object == Object::Own {
            return count;
        }
        count += u64::from(self.calls);
        let class = access.class as usize;
        for object in KINDS.into_iter().filter(|&object| object.may_be(access.object)) {
            let object = object as usize;
            count += u64::from(match effective {
                Effective::Any => self.totals[class][object],
                _ => {
                    let of_type = &self.by_kind[class][object];
                    of_type[effective as usize] + of_type[Effective::Any as usize]
                }
            });
        }
        count
    }
}
