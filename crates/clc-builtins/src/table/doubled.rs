//! Every row once more under another name, for measuring what the size of the table costs.

use super::{CHAPTERS, Row, WRITTEN};

/// Bytes of all names, with one more for each.
const LENGTH: usize = {
    let mut length = 0;
    let mut chapter = 0;
    while chapter < CHAPTERS.len() {
        let mut index = 0;
        while index < CHAPTERS[chapter].len() {
            length += CHAPTERS[chapter][index].name.len() + 1;
            index += 1;
        }
        chapter += 1;
    }
    length
};

/// The names one after the other, `_` behind each.
const NAMES: &[u8; LENGTH] = &{
    let mut names = [b'_'; LENGTH];
    let mut at = 0;
    let mut chapter = 0;
    while chapter < CHAPTERS.len() {
        let mut index = 0;
        while index < CHAPTERS[chapter].len() {
            let name = CHAPTERS[chapter][index].name.as_bytes();
            let mut byte = 0;
            while byte < name.len() {
                names[at + byte] = name[byte];
                byte += 1;
            }
            at += name.len() + 1;
            index += 1;
        }
        chapter += 1;
    }
    names
};

/// `rows`, whose first half is written, with the second half filled in.
pub(super) const fn fill<const COUNT: usize>(mut rows: [Row; COUNT]) -> [Row; COUNT] {
    assert!(COUNT == 2 * WRITTEN);
    let mut rest: &'static [u8] = NAMES;
    let mut index = 0;
    while index < WRITTEN {
        let row = rows[index];
        let (name, behind) = rest.split_at(row.name.len() + 1);
        rest = behind;
        let name = match std::str::from_utf8(name) {
            Ok(name) => name,
            Err(_) => panic!("names are ASCII"),
        };
        rows[WRITTEN + index] = Row { name, ..row };
        index += 1;
    }
    rows
}
