//! Makes arrays of vectors of four of local arrays of numbers, where that makes one access of four.
//!
//! ```text
//! a: workgroup [64 x f32]               a: workgroup [16 x vec4 f32]
//!   load a[i], load a[i + 1]      ->      w = load a[i >> 2]
//!   load a[i + 2], load a[i + 3]          extract w 0, extract w 1, extract w 2, extract w 3
//!   load a[k]                             load a[k >> 2][k & 3]
//! ```
//!
//! A variable in Vulkan has one type, so that a load of a vector out of an array of numbers has become four, and what
//! loops read in turn was never one. Drivers leave it so. The four begin at a multiple of four where the lowest bits of
//! the index say so; what else is accessed costs a shift and a mask. Loops decide which of both there is more of.
//!
//! What is loaded at once is what was loaded before, no more, with nothing between that could write there: other
//! work-items may write what is beside it. It runs behind `unroll`, which puts turns of loops side by side.

mod rewrite;
mod sites;
#[cfg(test)]
mod tests;

use clc_base::Id as _;
use clc_ir::{Const, Global, GlobalId, Module, StorageClass, Type, TypeKind, TypePool, Value};
use clc_passes::context::each_function;

use super::{Length, PerItem};
use sites::Finder;

/// Components of a vector, and its bytes.
const LANES: usize = clc_passes::unroll::LOCAL_LANES as usize;
const VECTOR: u32 = 16;

/// Rewrites the arrays that are better off as vectors; the lengths that hosts choose follow.
pub(crate) fn run(
    module: &mut Module,
    lengths: &mut [(GlobalId, Length)],
    per_item: Option<PerItem>,
) {
    let mut arrays = Arrays::new(module, lengths, per_item);
    if arrays.list.is_empty() {
        return;
    }
    let mut sites = Vec::new();
    each_function(module, |context, function| {
        sites.push(Finder::run(context, function, &mut arrays));
    });
    for array in &mut arrays.list {
        if !array.is_plain || array.gain <= 0 {
            continue;
        }
        let old = &module.globals[array.global];
        let ty = of_vectors(&mut module.types, old.ty);
        let new = Global { ty, align: VECTOR, ..old.clone() };
        let new = module.globals.push(new);
        let pointer = module.types.pointer(ty, StorageClass::Workgroup);
        array.vectors = Some(module.consts.intern(Const::GlobalAddress(pointer, new)));
        if let Some((global, length)) = lengths.iter_mut().find(|of| of.0 == array.global) {
            *global = new;
            for part in &mut length.parts {
                (part.round, part.element) = (VECTOR, VECTOR);
            }
        }
    }
    let mut sites = sites.into_iter();
    each_function(module, |context, function| {
        let sites = sites.next().unwrap_or_default();
        rewrite::function(context, function, &arrays, sites);
    });
}

/// An array of numbers of 32 bits.
struct Array {
    global: GlobalId,
    /// Indices down to a number.
    depth: usize,
    element: Type,
    /// Whether all that is done with it is to load and store single numbers.
    is_plain: bool,
    /// Accesses that vectors save.
    gain: i64,
    /// The address of the variable that takes its place.
    vectors: Option<Value>,
}

struct Arrays {
    list: Vec<Array>,
    /// By global: its place in the list.
    places: Vec<Option<u32>>,
}

impl Arrays {
    /// The variables that may become arrays of vectors.
    fn new(module: &Module, lengths: &[(GlobalId, Length)], per_item: Option<PerItem>) -> Arrays {
        let mut arrays = Arrays { list: Vec::new(), places: vec![None; module.globals.len()] };
        for (id, global) in module.globals.iter() {
            if global.class != StorageClass::Workgroup || global.initializer.is_some() {
                continue;
            }
            let Some((depth, element, count)) = numbers(&module.types, global.ty) else { continue };
            let is_whole = match lengths.iter().find(|of| of.0 == id) {
                // Not the pool, which has parts of the program's own before those that the host chooses.
                Some((_, length)) => {
                    length.fixed == 0
                        && length.parts.len() == 1
                        && length.parts.iter().all(|part| part.round == part.element)
                }
                None => count % LANES as u64 == 0,
            };
            if is_whole && per_item.is_none_or(|array| array.global != id) {
                arrays.places[id.index()] = Some(arrays.list.len() as u32);
                let (is_plain, gain, vectors) = (true, 0, None);
                arrays.list.push(Array { global: id, depth, element, is_plain, gain, vectors });
            }
        }
        arrays
    }

    fn place(&self, global: GlobalId) -> Option<usize> {
        self.places.get(global.index()).copied().flatten().map(|place| place as usize)
    }
}

/// Of an array of numbers of 32 bits, or of such arrays: how deep the numbers are in it, what they are, and how many
/// are in a row.
fn numbers(types: &TypePool, ty: Type) -> Option<(usize, Type, u64)> {
    let TypeKind::Array(element, count) = types.kind(ty) else { return None };
    match types.kind(element) {
        TypeKind::Int(32) | TypeKind::Float(32) => Some((1, element, count)),
        _ => numbers(types, element).map(|(depth, ty, count)| (depth + 1, ty, count)),
    }
}

/// The same array with vectors for numbers.
fn of_vectors(types: &mut TypePool, ty: Type) -> Type {
    let TypeKind::Array(element, count) = types.kind(ty) else { return ty };
    match types.kind(element) {
        TypeKind::Array(..) => {
            let element = of_vectors(types, element);
            types.array(element, count)
        }
        _ => {
            let vector = types.vector(element, LANES as u8);
            // The host chooses the length of an array of one.
            types.array(vector, count.div_ceil(LANES as u64))
        }
    }
}
