//! Makes the accesses of the arrays that have become arrays of vectors.

use clc_ir::{BinaryOp, Block, Builder, Function, Inst, InstKind, MathFlags, MemoryAccess, Value};
use clc_passes::context::ModuleContext;
use rustc_hash::FxHashMap;

use super::sites::{Index, Site};
use super::{Arrays, LANES, VECTOR};

/// What to do where an instruction is.
enum Work {
    /// Make the access of a site.
    Access(usize),
    /// Drop a store that is part of a later one.
    Drop,
}

/// Makes those of a function.
pub fn function(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    arrays: &Arrays,
    mut sites: Vec<Site>,
) {
    sites.retain(|site| arrays.list[site.array].vectors.is_some());
    if sites.is_empty() {
        return;
    }
    let mut work = FxHashMap::default();
    for (number, site) in sites.iter().enumerate() {
        for &inst in &site.insts {
            if matches!(function.insts[inst].kind, InstKind::Store { .. }) {
                work.insert(inst, Work::Drop);
            }
        }
        work.insert(site.at, Work::Access(number));
    }
    for block in function.layout.clone() {
        if function.blocks[block].insts.iter().any(|inst| work.contains_key(inst)) {
            block_of(context, function, block, arrays, &sites, &work);
        }
    }
}

fn block_of(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    block: Block,
    arrays: &Arrays,
    sites: &[Site],
    work: &FxHashMap<Inst, Work>,
) {
    let insts = std::mem::take(&mut function.blocks[block].insts);
    let terminator = std::mem::take(&mut function.blocks[block].terminator);
    let mut builder = Builder::new(context.types, context.consts, function, block);
    let mut quarters = FxHashMap::default();
    for inst in insts {
        let site = match work.get(&inst) {
            Some(Work::Access(number)) => &sites[*number],
            Some(Work::Drop) => continue,
            None => {
                builder.function.blocks[block].insts.push(inst);
                continue;
            }
        };
        builder.location = builder.function.insts[inst].location;
        let array = &arrays.list[site.array];
        let Some(base) = array.vectors else { continue };
        let mut path = site.path.clone();
        path.extend(place_of(&mut builder, site, &mut quarters));
        let pointer = builder.access(base, &path);
        if site.insts.len() == 1 {
            if let InstKind::Load { pointer: old, .. } | InstKind::Store { pointer: old, .. } =
                &mut builder.function.insts[inst].kind
            {
                *old = pointer;
            }
            builder.function.blocks[block].insts.push(inst);
            continue;
        }
        let access = match builder.function.insts[inst].kind {
            InstKind::Load { access, .. } | InstKind::Store { access, .. } => access,
            _ => continue,
        };
        let access = MemoryAccess { align: VECTOR, ..access };
        let mut stored = Vec::new();
        for &part in &site.insts {
            if let InstKind::Store { value, .. } = builder.function.insts[part].kind {
                stored.push(value);
            }
        }
        if stored.is_empty() {
            let vector = builder.load(pointer, access);
            for (lane, &part) in (0..).zip(&site.insts) {
                let path = builder.function.number_list(&[lane]);
                builder.function.insts[part].kind = InstKind::Extract { aggregate: vector, path };
            }
            builder.function.blocks[block].insts.push(inst);
        } else {
            let ty = builder.types.vector(array.element, LANES as u8);
            let vector = builder.construct(ty, &stored);
            builder.store(pointer, vector, access);
        }
    }
    function.blocks[block].terminator = terminator;
}

/// The index of a vector, and of a component if a single number is accessed. `quarters` has what the block has divided
/// by four so far.
fn place_of(
    builder: &mut Builder<'_>,
    site: &Site,
    quarters: &mut FxHashMap<Value, Value>,
) -> Vec<Value> {
    let Index { base, offset, lane } = site.index;
    let vector = match base {
        None => builder.i32(offset as i32),
        Some(base) => {
            let quarter = match quarters.get(&base) {
                Some(&quarter) => quarter,
                None => {
                    let quarter = quarter(builder, base);
                    quarters.insert(base, quarter);
                    quarter
                }
            };
            match offset {
                0 => quarter,
                _ => {
                    let offset = builder.i32(offset as i32);
                    builder.binary(BinaryOp::IAdd, quarter, offset)
                }
            }
        }
    };
    if site.insts.len() > 1 {
        return vec![vector];
    }
    let lane = match (lane, base) {
        (Some(lane), _) => builder.i32(lane.into()),
        (None, Some(base)) => {
            let mask = builder.i32(LANES as i32 - 1);
            builder.binary(BinaryOp::And, base, mask)
        }
        (None, None) => builder.i32(0),
    };
    vec![vector, lane]
}

/// A fourth of an index, rounded down.
fn quarter(builder: &mut Builder<'_>, index: Value) -> Value {
    let lanes = LANES as u64;
    // A product that does not wrap is divided by dividing its factor.
    if let Some((_, data)) = builder.function.def_inst(index)
        && data.math.has(MathFlags::NO_SIGNED_WRAP)
        && let InstKind::Binary { op: BinaryOp::IMul, left, right } = data.kind
        && let Some(factor) = builder.constant_int(right)
        && factor < 1 << 31
        && factor.is_multiple_of(lanes)
    {
        if factor == lanes {
            return left;
        }
        let factor = builder.i32((factor / lanes) as i32);
        return builder.binary_without_wrap(BinaryOp::IMul, left, factor);
    }
    let two = builder.i32(LANES.trailing_zeros() as i32);
    builder.binary(BinaryOp::AShr, index, two)
}
