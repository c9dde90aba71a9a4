//! Which accesses of arrays are one access of a vector, and what that saves.

use clc_base::Id as _;
use clc_ir::{BinaryOp, Cfg, Const, Dominators, Function, GlobalId, Inst, InstKind, Value};
use clc_passes::alignment::{LowBits, Sum};
use clc_passes::context::ModuleContext;
use clc_passes::vector_loads::{MAX_DEPTH, TURNS};
use rustc_hash::FxHashMap;

use super::{Arrays, LANES};

/// What one access of four saves, in accesses, and what an access costs whose component is not known.
const SAVED: i64 = LANES as i64 - 1;
const LOST: i64 = 1;

/// Constants in indices are smaller, so that taking them apart does not wrap.
const MAX_OFFSET: i64 = 1 << 24;

/// Where a number is: component `lane`, if that is known, of the vector that `base`, divided by four, and `offset` name.
/// If it is not known, `base` is the index of the number.
#[derive(Clone, Copy, Debug)]
pub struct Index {
    pub base: Option<Value>,
    pub offset: i64,
    pub lane: Option<u8>,
}

/// What becomes of accesses of an array.
pub struct Site {
    pub array: usize,
    /// The indices before the last.
    pub path: Vec<Value>,
    /// Of the number, or of the first of four.
    pub index: Index,
    /// One, or the four by component.
    pub insts: Vec<Inst>,
    /// Where the access is made: by the first of four loads, by the last of four stores.
    pub at: Inst,
}

/// An access of a single number.
struct Candidate {
    inst: Inst,
    /// Its place in the block.
    place: usize,
    /// What is added to what it has in common with others.
    offset: i64,
    index: Index,
}

/// What accesses have in common: the indices before the last, and the parts of the last that are not constant.
type Common = (Vec<Value>, Vec<(Value, i64)>);

/// Accesses between which nothing happens that would keep them from being one.
#[derive(Default)]
struct Open {
    loads: FxHashMap<Common, Vec<Candidate>>,
    /// Only of those that have all in common: others may store to the same place.
    stores: Option<(Common, Vec<Candidate>)>,
}

pub struct Finder<'a> {
    arrays: &'a mut Arrays,
    sites: Vec<Site>,
    /// By array.
    open: Vec<Open>,
    /// Arrays that the block accesses.
    touched: Vec<usize>,
    /// What an access in the block counts.
    weight: i64,
}

impl Finder<'_> {
    /// The accesses of a function, and what is to be said of the arrays.
    pub fn run(context: &ModuleContext<'_>, function: &Function, arrays: &mut Arrays) -> Vec<Site> {
        let mut low = None;
        let open = arrays.list.iter().map(|_| Open::default()).collect();
        let mut finder = Finder { arrays, sites: Vec::new(), open, touched: Vec::new(), weight: 1 };
        for &block in &function.layout {
            for (place, &inst) in function.blocks[block].insts.iter().enumerate() {
                let (pointer, is_store) = match function.insts[inst].kind {
                    InstKind::Load { pointer, .. } => (Some(pointer), false),
                    InstKind::Store { pointer, .. } => (Some(pointer), true),
                    // What is done with its result is seen there.
                    InstKind::Access { .. } => continue,
                    _ => (None, false),
                };
                if let Some(pointer) = pointer
                    && let Some((array, path)) = finder.array_of(context, function, pointer)
                {
                    let (low, depths) = low.get_or_insert_with(|| {
                        let cfg = Cfg::new(function);
                        let depths = Dominators::new(&cfg).loops_around(&cfg);
                        (LowBits::new(context, function, &cfg), depths)
                    });
                    finder.weight = TURNS.pow(depths[block.index()].min(MAX_DEPTH)) as i64;
                    let access = Access { inst, place, array, is_store };
                    finder.access(context, function, low, access, path);
                    continue;
                }
                function.each_operand(inst, |value| finder.refuse(context, function, value));
                if is_ordered(context, function, inst) {
                    finder.close_all();
                }
            }
            finder.close_all();
        }
        finder.sites
    }

    /// The array that a pointer leads into, and the indices.
    fn array_of(
        &self,
        context: &ModuleContext<'_>,
        function: &Function,
        pointer: Value,
    ) -> Option<(usize, Vec<Value>)> {
        let (global, path) = place(context, function, pointer)?;
        let array = self.arrays.place(global)?;
        let is_number = path.len() == self.arrays.list[array].depth;
        is_number.then_some((array, path))
    }

    /// Leaves the array alone that an operand leads into.
    fn refuse(&mut self, context: &ModuleContext<'_>, function: &Function, value: Value) {
        if let Some((global, _)) = place(context, function, value)
            && let Some(array) = self.arrays.place(global)
        {
            self.arrays.list[array].is_plain = false;
        }
    }

    fn access(
        &mut self,
        context: &ModuleContext<'_>,
        function: &Function,
        low: &LowBits,
        access: Access,
        mut path: Vec<Value>,
    ) {
        let Access { inst, place, array, is_store } = access;
        let Some(last) = path.pop() else { return };
        let index = index(context, function, low, last);
        let flags = match function.insts[inst].kind {
            InstKind::Load { access, .. } | InstKind::Store { access, .. } => access.flags,
            _ => return,
        };
        self.touched.push(array);
        let sum = Sum::of(context, function, last).filter(|_| !flags.volatile);
        if is_store {
            self.close_loads(array);
        } else {
            self.close_stores(array);
        }
        let Some(sum) = sum else {
            self.close_stores(array);
            return self.site(Site { array, path, index, insts: vec![inst], at: inst });
        };
        let candidate = Candidate { inst, place, offset: sum.constant, index };
        let common = (path, sum.parts);
        let open = &mut self.open[array];
        match (is_store, &mut open.stores) {
            (false, _) => open.loads.entry(common).or_default().push(candidate),
            (true, Some((other, stores))) if *other == common => stores.push(candidate),
            (true, _) => {
                self.close_stores(array);
                self.open[array].stores = Some((common, vec![candidate]));
            }
        }
    }

    fn close_all(&mut self) {
        while let Some(array) = self.touched.pop() {
            self.close_loads(array);
            self.close_stores(array);
        }
    }

    fn close_loads(&mut self, array: usize) {
        let mut loads = std::mem::take(&mut self.open[array].loads);
        for ((path, _), loads) in loads.drain() {
            self.side_by_side(array, &path, loads, false);
        }
        self.open[array].loads = loads;
    }

    fn close_stores(&mut self, array: usize) {
        if let Some(((path, _), stores)) = self.open[array].stores.take() {
            self.side_by_side(array, &path, stores, true);
        }
    }

    /// Finds four in a row that are one vector.
    fn side_by_side(
        &mut self,
        array: usize,
        path: &[Value],
        mut accesses: Vec<Candidate>,
        is_store: bool,
    ) {
        accesses.sort_by_key(|access| (access.offset, access.place));
        // Of accesses of one place the last store counts, and the first load.
        let mut others = Vec::new();
        accesses.dedup_by(|next, kept| {
            let is_same = next.offset == kept.offset;
            if is_same {
                if is_store {
                    std::mem::swap(next, kept);
                }
                others.push((next.inst, next.index));
            }
            is_same
        });
        for (inst, index) in others {
            self.site(Site { array, path: path.to_vec(), index, insts: vec![inst], at: inst });
        }
        let mut left = &accesses[..];
        while let Some(first) = left.first() {
            let four = left.get(..LANES).filter(|four| {
                first.index.lane == Some(0)
                    && (0..).zip(*four).all(|(lane, access)| access.offset == first.offset + lane)
            });
            let taken = four.unwrap_or(&left[..1]);
            let by_place = taken.iter().map(|access| (access.place, access.inst));
            let at = if is_store { by_place.max() } else { by_place.min() };
            let index = match taken.iter().find(|access| Some(access.inst) == at.map(|at| at.1)) {
                // By what is known there: its own index, whose vector is that of all.
                Some(access) if four.is_some() => Index { lane: Some(0), ..access.index },
                _ => first.index,
            };
            self.site(Site {
                array,
                path: path.to_vec(),
                index,
                insts: taken.iter().map(|access| access.inst).collect(),
                at: at.map_or(first.inst, |at| at.1),
            });
            left = &left[taken.len()..];
        }
    }

    fn site(&mut self, site: Site) {
        let gain = match (site.insts.len(), site.index.lane) {
            (LANES, _) => SAVED,
            (_, Some(_)) => 0,
            (_, None) => -LOST,
        };
        let array = &mut self.arrays.list[site.array];
        array.gain = array.gain.saturating_add(gain * self.weight);
        self.sites.push(site);
    }
}

/// An instruction that accesses an array.
struct Access {
    inst: Inst,
    place: usize,
    array: usize,
    is_store: bool,
}

/// The variable that a pointer leads into, and the indices.
fn place(
    context: &ModuleContext<'_>,
    function: &Function,
    pointer: Value,
) -> Option<(GlobalId, Vec<Value>)> {
    let Some(id) = pointer.as_const() else {
        let InstKind::Access { base, indices } = function.def_inst(pointer)?.1.kind else {
            return None;
        };
        let (global, mut path) = place(context, function, base)?;
        path.extend(function.values_of(indices));
        return Some((global, path));
    };
    match context.consts.get(id) {
        Const::GlobalAddress(_, global) => Some((*global, Vec::new())),
        Const::Access { base, step: 0, indices, .. } => {
            let (global, mut path) = place(context, function, *base)?;
            path.extend(indices);
            Some((global, path))
        }
        _ => None,
    }
}

/// Whether accesses must not move across an instruction that accesses none of the arrays.
fn is_ordered(context: &ModuleContext<'_>, function: &Function, inst: Inst) -> bool {
    match function.insts[inst].kind {
        InstKind::Load { access, .. } | InstKind::Store { access, .. } => access.flags.volatile,
        InstKind::Call { callee, .. } => !context.constant[callee.index()],
        InstKind::Intrinsic { intrinsic, .. } => {
            let effects = intrinsic.effects();
            effects.writes || effects.convergent
        }
        InstKind::CopyMemory { .. }
        | InstKind::AtomicLoad { .. }
        | InstKind::AtomicStore { .. }
        | InstKind::AtomicModify { .. }
        | InstKind::AtomicCompareExchange { .. }
        | InstKind::Fence(_)
        | InstKind::Barrier { .. } => true,
        _ => false,
    }
}

/// What is known of an index.
fn index(context: &ModuleContext<'_>, function: &Function, low: &LowBits, index: Value) -> Index {
    let mut base = index;
    let mut offset = 0i64;
    while let Some((_, data)) = function.def_inst(base)
        && let InstKind::Binary { op: BinaryOp::IAdd, left, right } = data.kind
        && let Some(number) = context.signed(right)
        && offset.saturating_add(number).abs() < MAX_OFFSET
    {
        offset += number;
        base = left;
    }
    let lanes = LANES as i64;
    if let Some(number) = context.signed(base) {
        let number = number + offset;
        let lane = Some(number.rem_euclid(lanes) as u8);
        return Index { base: None, offset: number.div_euclid(lanes), lane };
    }
    match low.of(context, base).filter(|low| 1 << low.known >= lanes && low.given == 0) {
        Some(low) => {
            let number = i64::from(low.bits) % lanes + offset;
            let lane = Some(number.rem_euclid(lanes) as u8);
            Index { base: Some(base), offset: number.div_euclid(lanes), lane }
        }
        None => Index { base: Some(index), offset: 0, lane: None },
    }
}
