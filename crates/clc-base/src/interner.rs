//! Names as 32-bit ids.

use std::fmt;
use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// An interned string; equal symbols of one [`Interner`] are equal strings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

/// Stores each distinct string once, back to back in one buffer.
#[derive(Default)]
pub struct Interner {
    text: String,
    /// End offset of each string in `text`; its start is the end of the one before.
    ends: Vec<u32>,
    table: HashTable<u32>,
}

fn hash(text: &str) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(text)
}

fn slice<'a>(text: &'a str, ends: &[u32], index: u32) -> &'a str {
    let start = if index == 0 { 0 } else { ends[index as usize - 1] };
    &text[start as usize..ends[index as usize] as usize]
}

impl Interner {
    /// An interner without names.
    pub fn new() -> Interner {
        Interner::default()
    }

    /// An interner in which `names[i]` is `Symbol(i)`; the names must be distinct.
    pub fn with_names(names: &[&str]) -> Interner {
        let mut interner = Interner::new();
        interner.table.reserve(2 * names.len(), |_| unreachable!("the table is empty"));
        for (index, name) in names.iter().enumerate() {
            let symbol = interner.intern(name);
            debug_assert_eq!(symbol.0 as usize, index, "{name} is listed twice");
        }
        interner
    }

    /// The symbol of a name.
    pub fn intern(&mut self, name: &str) -> Symbol {
        let hash_value = hash(name);
        let Interner { text, ends, table } = self;
        if let Some(&index) = table.find(hash_value, |&i| slice(text, ends, i) == name) {
            return Symbol(index);
        }
        let index = ends.len() as u32;
        text.push_str(name);
        ends.push(u32::try_from(text.len()).expect("interned names stay below 4 GiB"));
        table.insert_unique(hash_value, index, |&i| hash(slice(text, ends, i)));
        Symbol(index)
    }

    /// The symbol of `name` if some earlier call interned it.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.table
            .find(hash(name), |&i| slice(&self.text, &self.ends, i) == name)
            .map(|&i| Symbol(i))
    }

    /// The name of a symbol of this interner.
    pub fn resolve(&self, symbol: Symbol) -> &str {
        slice(&self.text, &self.ends, symbol.0)
    }

    /// The number of different names.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

impl fmt::Debug for Interner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Interner({} names)", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_are_equal_symbols() {
        let mut interner = Interner::with_names(&["if", "else"]);
        let names: Vec<Symbol> =
            (0..1000).map(|i| interner.intern(&format!("name{}", i % 500))).collect();
        assert_eq!(names[..500], names[500..]);
        assert_eq!(interner.get("else"), Some(Symbol(1)));
        assert_eq!(interner.resolve(names[499]), "name499");
        assert_eq!(interner.get("absent"), None);
        assert_eq!(interner.intern(""), interner.intern(""));
    }
}
