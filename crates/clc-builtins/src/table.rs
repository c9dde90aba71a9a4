//! The table: one row per family of overloads, in the order of the specification's chapters.

use crate::Intrinsic;
use crate::guard::{ALWAYS, Guard};
use crate::signature::Signature;
use crate::types::{Access, ImageKind, Scalar};

mod atomics;
mod c11_atomics;
mod collectives;
mod common;
mod device_enqueue;
#[cfg(feature = "doubled-table")]
mod doubled;
mod geometric;
mod gnu;
mod hints;
mod images;
mod integer;
mod math;
mod matrices;
mod media;
mod pipes;
mod relational;
mod specialization;
mod subgroups;
mod synchronisation;
mod vectors;
mod work_item;

/// A set of scalar types; bit `1 << Scalar as u16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Elements(pub u16);

impl Elements {
    pub const fn of(scalars: &[Scalar]) -> Elements {
        let mut bits = 0;
        let mut index = 0;
        while index < scalars.len() {
            bits |= 1 << scalars[index] as u16;
            index += 1;
        }
        Elements(bits)
    }

    pub const fn union(self, other: Elements) -> Elements {
        Elements(self.0 | other.0)
    }

    pub fn contains(self, scalar: Scalar) -> bool {
        self.0 >> scalar as u16 & 1 != 0
    }
}

pub(crate) const NONE: Elements = Elements(0);
pub(crate) const FLOATS: Elements = Elements::of(&[Scalar::Float, Scalar::Double, Scalar::Half]);
pub(crate) const FLOAT: Elements = Elements::of(&[Scalar::Float]);
pub(crate) const SIGNED: Elements =
    Elements::of(&[Scalar::Char, Scalar::Short, Scalar::Int, Scalar::Long]);
pub(crate) const UNSIGNED: Elements =
    Elements::of(&[Scalar::UChar, Scalar::UShort, Scalar::UInt, Scalar::ULong]);
pub(crate) const INTS: Elements = SIGNED.union(UNSIGNED);
pub(crate) const ALL: Elements = INTS.union(FLOATS);
pub(crate) const INT: Elements = Elements::of(&[Scalar::Int]);
pub(crate) const UINT: Elements = Elements::of(&[Scalar::UInt]);
pub(crate) const INT_LONG: Elements = Elements::of(&[Scalar::Int, Scalar::Long]);
pub(crate) const UINT_ULONG: Elements = Elements::of(&[Scalar::UInt, Scalar::ULong]);

/// A set of widths; bit `1 << width`.
pub(crate) const SCALAR: u32 = 1 << 1;
pub(crate) const VECTORS: u32 = 1 << 2 | 1 << 3 | 1 << 4 | 1 << 8 | 1 << 16;
pub(crate) const ANY_WIDTH: u32 = SCALAR | VECTORS;

/// A set of address spaces; bit `1 << AddressSpace as u8`.
pub(crate) const GLOBAL: u8 = 1 << clc_base::AddressSpace::Global as u8;
pub(crate) const LOCAL: u8 = 1 << clc_base::AddressSpace::Local as u8;
pub(crate) const PRIVATE: u8 = 1 << clc_base::AddressSpace::Private as u8;
pub(crate) const CONSTANT: u8 = 1 << clc_base::AddressSpace::Constant as u8;
/// Counts only where the language has it.
pub(crate) const GENERIC: u8 = 1 << clc_base::AddressSpace::Generic as u8;
pub(crate) const WRITABLE: u8 = GLOBAL | LOCAL | PRIVATE | GENERIC;
pub(crate) const READABLE: u8 = WRITABLE | CONSTANT;

pub(crate) const IMAGE_KINDS: [ImageKind; 12] = [
    ImageKind::Image2d,
    ImageKind::Image1d,
    ImageKind::Image1dBuffer,
    ImageKind::Image1dArray,
    ImageKind::Image2dArray,
    ImageKind::Image2dDepth,
    ImageKind::Image2dArrayDepth,
    ImageKind::Image2dMsaa,
    ImageKind::Image2dArrayMsaa,
    ImageKind::Image2dMsaaDepth,
    ImageKind::Image2dArrayMsaaDepth,
    ImageKind::Image3d,
];
pub(crate) const ACCESSES: [Access; 3] = [Access::ReadOnly, Access::WriteOnly, Access::ReadWrite];

/// A family of overloads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub name: &'static str,
    pub signature: Signature,
    pub elements: Elements,
    pub widths: u32,
    pub spaces: u8,
    /// Bit `1 << ImageKind as u16`.
    pub images: u16,
    /// Bit `1 << Access as u8`.
    pub access: u8,
    pub guard: Guard,
    pub intrinsic: Intrinsic,
}

/// A row over scalars and vectors of `elements`, in every version, with pointers to writable
/// memory.
pub(crate) const fn f(
    name: &'static str,
    signature: &'static str,
    elements: Elements,
    intrinsic: Intrinsic,
) -> Row {
    Row {
        name,
        signature: Signature::parse(signature),
        elements,
        widths: ANY_WIDTH,
        spaces: WRITABLE,
        images: 0,
        access: 0,
        guard: ALWAYS,
        intrinsic,
    }
}

impl Row {
    pub const fn widths(self, widths: u32) -> Row {
        Row { widths, ..self }
    }

    pub const fn spaces(self, spaces: u8) -> Row {
        Row { spaces, ..self }
    }

    pub const fn when(self, guard: Guard) -> Row {
        Row { guard, ..self }
    }

    pub const fn images(self, kinds: &[ImageKind], access: &[Access]) -> Row {
        let mut images = 0;
        let mut index = 0;
        while index < kinds.len() {
            images |= 1 << kinds[index] as u16;
            index += 1;
        }
        let mut bits = 0;
        index = 0;
        while index < access.len() {
            bits |= 1 << access[index] as u8;
            index += 1;
        }
        Row { images, access: bits, ..self }
    }
}

/// By subject; `catalogue` has a heading for each.
pub(crate) const CHAPTERS: &[&[Row]] = &[
    work_item::ROWS,
    math::ROWS,
    integer::ROWS,
    common::ROWS,
    geometric::ROWS,
    relational::ROWS,
    vectors::ROWS,
    synchronisation::ROWS,
    atomics::ROWS,
    c11_atomics::ROWS,
    images::ROWS,
    collectives::ROWS,
    collectives::ARITHMETIC_ROWS,
    subgroups::ROWS,
    subgroups::UNIFORM_ROWS,
    subgroups::NON_UNIFORM_ROWS,
    subgroups::CLUSTERED_ROWS,
    subgroups::INTEL_ROWS,
    matrices::ROWS,
    pipes::ROWS,
    device_enqueue::ROWS,
    hints::ROWS,
    specialization::ROWS,
    media::ROWS,
    gnu::ROWS,
];

const WRITTEN: usize = {
    let mut count = 0;
    let mut chapter = 0;
    while chapter < CHAPTERS.len() {
        count += CHAPTERS[chapter].len();
        chapter += 1;
    }
    count
};

const ROW_COUNT: usize = if cfg!(feature = "doubled-table") { 2 * WRITTEN } else { WRITTEN };

/// Every row.
pub(crate) static ROWS: [Row; ROW_COUNT] = {
    let mut rows = [CHAPTERS[0][0]; ROW_COUNT];
    let mut count = 0;
    let mut chapter = 0;
    while chapter < CHAPTERS.len() {
        let mut index = 0;
        while index < CHAPTERS[chapter].len() {
            rows[count] = CHAPTERS[chapter][index];
            count += 1;
            index += 1;
        }
        chapter += 1;
    }
    #[cfg(feature = "doubled-table")]
    let rows = doubled::fill(rows);
    rows
};

/// Open addressing over names; a slot holds the first row of a name plus one.
const SLOT_COUNT: usize = if cfg!(feature = "doubled-table") { 4096 } else { 2048 };

struct NameIndex {
    slots: [u16; SLOT_COUNT],
    /// The next row of the same name plus one.
    next: [u16; ROW_COUNT],
}

static INDEX: NameIndex = {
    assert!(ROW_COUNT < SLOT_COUNT);
    let mut slots = [0; SLOT_COUNT];
    let mut next = [0; ROW_COUNT];
    // Backwards, so that the chains run forwards.
    let mut row = ROW_COUNT;
    while row > 0 {
        row -= 1;
        let name = ROWS[row].name.as_bytes();
        let mut slot = hash(name) as usize % SLOT_COUNT;
        while slots[slot] != 0 && !same(ROWS[slots[slot] as usize - 1].name.as_bytes(), name) {
            slot = (slot + 1) % SLOT_COUNT;
        }
        next[row] = slots[slot];
        slots[slot] = row as u16 + 1;
    }
    NameIndex { slots, next }
};

const fn same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut index = 0;
    while index < left.len() {
        if left[index] != right[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// FNV-1a: short, and usable at compile time.
const fn hash(name: &[u8]) -> u32 {
    let mut hash = 0x811c_9dc5_u32;
    let mut index = 0;
    while index < name.len() {
        hash = (hash ^ name[index] as u32).wrapping_mul(0x0100_0193);
        index += 1;
    }
    hash ^ hash >> 15
}

/// The rows of a name, in table order; none for a name that is not in the table.
pub(crate) fn rows_of(name: &str) -> impl Iterator<Item = &'static Row> + Clone {
    let mut slot = hash(name.as_bytes()) as usize % SLOT_COUNT;
    let mut row = loop {
        match INDEX.slots[slot] {
            0 => break 0,
            row if ROWS[row as usize - 1].name == name => break row,
            _ => slot = (slot + 1) % SLOT_COUNT,
        }
    };
    std::iter::from_fn(move || {
        let index = (row as usize).checked_sub(1)?;
        row = INDEX.next[index];
        Some(&ROWS[index])
    })
}

/// The first name of an intrinsic.
pub(crate) fn name_of(intrinsic: Intrinsic) -> Option<&'static str> {
    ROWS.iter().find(|row| row.intrinsic == intrinsic).map(|row| row.name)
}

/// Each name of the table once.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    INDEX.slots.iter().filter(|&&row| row != 0).map(|&row| ROWS[row as usize - 1].name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_row_is_found_by_its_name() {
        for row in &ROWS {
            assert!(
                rows_of(row.name).any(|found| std::ptr::eq(found, row)),
                "{} is not found",
                row.name
            );
        }
        let distinct: HashSet<_> = ROWS.iter().map(|row| row.name).collect();
        assert_eq!(names().count(), distinct.len());
        assert!(rows_of("no_such_builtin").next().is_none());
    }

    #[test]
    fn no_row_is_written_twice() {
        let mut seen = HashSet::new();
        for row in &ROWS {
            assert!(seen.insert(format!("{row:?}")), "{} is in the table twice", row.name);
        }
    }

    #[test]
    fn the_index_has_room() {
        assert!(names().count() * 2 <= SLOT_COUNT, "enlarge SLOT_COUNT");
    }
}
