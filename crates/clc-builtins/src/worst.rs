//! Stand-ins for the inexact operations of bodies, with the largest errors that bodies must bear: for tests
//! that bodies depend on nothing but the bounds.

use crate::Intrinsic;
use crate::library::{BUILDING_BLOCKS, Body, File, building_block};

/// Which results divisions and building blocks of bodies have, for tests that bodies depend on nothing
/// but the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimates {
    /// Those of the device.
    OfDevice,
    /// The smallest magnitudes that the bounds allow.
    Smallest,
    /// The largest magnitudes that the bounds allow.
    Largest,
    /// The smallest or the largest, by bits of the operands.
    Mixed,
}

impl Estimates {
    /// The names on the command line.
    pub const NAMES: [(&str, Estimates); 4] = [
        ("device", Estimates::OfDevice),
        ("smallest", Estimates::Smallest),
        ("largest", Estimates::Largest),
        ("mixed", Estimates::Mixed),
    ];
}

static WORST_F32: File =
    File { name: "worst_f32.cl", text: include_str!("../lib/worst_f32.cl"), needs: &[] };

/// The functions that [`text`] defines.
pub fn functions() -> impl Iterator<Item = &'static str> {
    let others = [WORST_DIVISION, WORST_MAD_F32, WORST_MAD_F64];
    BUILDING_BLOCKS.iter().map(|block| block.worst).chain(others)
}

const WORST_DIVISION: &str = "__clc_worst_divide_f32";
const WORST_MAD_F32: &str = "__clc_worst_mad_f32";
const WORST_MAD_F64: &str = "__clc_worst_mad_f64";

/// Stands in for a division of floats of a body.
pub const fn division() -> Body {
    worst(WORST_DIVISION)
}

/// Stands in for `mad` of floats of `bits` bits: rounded once or twice, as the device likes.
pub const fn mad(bits: u8) -> Body {
    worst(if bits == 64 { WORST_MAD_F64 } else { WORST_MAD_F32 })
}

/// Stands in for a building block, if `intrinsic` is one.
pub fn stand_in(intrinsic: Intrinsic) -> Option<Body> {
    building_block(intrinsic).map(|block| worst(block.worst))
}

const fn worst(function: &'static str) -> Body {
    Body { file: &WORST_F32, function, stored: None, common: None, through_float: false }
}

/// Definitions of [`functions`]; nothing where estimates are those of the device.
pub fn text(estimates: Estimates) -> String {
    let is_up = match estimates {
        Estimates::OfDevice => return String::new(),
        Estimates::Smallest => "false",
        Estimates::Largest => "true",
        Estimates::Mixed => "((bits) * 0x9e3779b1u >> 31 != 0u)",
    };
    format!("#define __CLC_IS_UP(bits) {is_up}\n{}", WORST_F32.text)
}
