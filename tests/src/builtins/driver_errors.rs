//! What the driver gets wrong by itself, which is found out at run time.
//!
//! The driver has code for each kind of processor, so that what it gets wrong differs from machine to
//! machine: nothing here says that a result has to be wrong, and a right one always passes. A wrong
//! result is the driver's error if its own compiler returns the same bits for the same source, and
//! either the error is among the [`KNOWN`] ones, or the same function made of arithmetic
//! (`--expand-operations`) returns what is expected on the same driver: then the expectation is right
//! and the driver's function is not. Whatever passes that way is [reported](report) by name.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

/// Title of a function as in messages, and what the driver does on some processors.
const KNOWN: &[(&str, &str)] = &[
    ("mad_sat(intn, intn, intn)", "vectors saturate where nothing overflows"),
    ("mad_sat(uintn, uintn, uintn)", "vectors wrap around"),
    ("mad_sat(longn, longn, longn)", "saturates to the wrong end"),
    ("distance(halfn, halfn)", "the distance of scalars has a sign"),
    ("length(halfn)", "the length of a scalar has its sign"),
    ("normalize(halfn)", "a negative scalar becomes one"),
    ("normalize(floatn)", "a vector of zeros becomes NaN"),
    ("fma(floatn, floatn, floatn)", "is rounded twice where the processor has no instruction"),
    ("fma(doublen, doublen, doublen)", "is rounded twice where the processor has no instruction"),
    ("fract(halfn, private halfn*)", "infinities and NaN have a fraction just below one"),
    ("fract(halfn, local halfn*)", "infinities and NaN have a fraction just below one"),
    ("fract(halfn, global halfn*)", "infinities and NaN have a fraction just below one"),
    ("fract(halfn, generic halfn*)", "infinities and NaN have a fraction just below one"),
    ("shuffle(double4, ulong4)", "permutes halves of components"),
    ("shuffle(double4, ulong8)", "permutes halves of components"),
    ("shuffle(double4, ulong16)", "permutes halves of components"),
    ("shuffle(long4, ulong4)", "permutes halves of components"),
    ("shuffle(long4, ulong8)", "permutes halves of components"),
    ("shuffle(long4, ulong16)", "permutes halves of components"),
    ("shuffle(ulong4, ulong4)", "permutes halves of components"),
    ("shuffle(ulong4, ulong8)", "permutes halves of components"),
    ("shuffle(ulong4, ulong16)", "permutes halves of components"),
    ("convert_uint{n}_sat(halfn)", "NaN becomes another number than zero, which is recommended"),
    (
        "convert_uint{n}_sat_rtz(halfn)",
        "NaN becomes another number than zero, which is recommended",
    ),
    ("convert_uint{n}_sat(floatn)", "NaN becomes another number than zero, which is recommended"),
    (
        "convert_uint{n}_sat_rtz(floatn)",
        "NaN becomes another number than zero, which is recommended",
    ),
    (
        "to_global, to_local, to_private, get_fence",
        "all pointers look as if they pointed everywhere",
    ),
    (r#"printf("%d\n", printf("inner\n"))"#, "returns the number of characters instead of zero"),
    ("work_group_broadcast(half, 5)", "crashes in a pass of its own"),
    ("work_group_broadcast(half, 1, 2, 3)", "crashes in a pass of its own"),
];

/// What the driver is known to do in this function on some processors.
pub fn known(title: &str) -> Option<&'static str> {
    KNOWN.iter().find(|(listed, _)| *listed == title).map(|&(_, reason)| reason)
}

/// Functions that have ended the driver's process. Their kernels are modules of their own from the
/// start, which saves looking for them; those of any other function are looked for.
const CRASHING: [&str; 2] =
    ["work_group_broadcast(half, 5)", "work_group_broadcast(half, 1, 2, 3)"];

/// Whether the kernel of this function is to be a module of its own.
pub fn is_apart(title: &str) -> bool {
    CRASHING.contains(&title)
}

/// The functions that passed with a result of the driver's error, and in which runs.
static EXCUSED: Mutex<BTreeMap<String, Vec<String>>> = Mutex::new(BTreeMap::new());

/// Takes note that a function passed in the run `label` although its result is wrong.
pub fn excuse(title: &str, label: &str) {
    let mut excused = EXCUSED.lock().unwrap_or_else(PoisonError::into_inner);
    excused.entry(title.to_owned()).or_default().push(label.to_owned());
}

/// What passed although it is wrong, in all runs of this process; nothing if nothing did.
pub fn report() -> Option<String> {
    let mut excused = std::mem::take(&mut *EXCUSED.lock().unwrap_or_else(PoisonError::into_inner));
    if excused.is_empty() {
        return None;
    }
    let mut text = format!(
        "EXCUSED: {} functions that the driver gets wrong by itself, as its own compiler shows:\n",
        excused.len()
    );
    for (title, labels) in &mut excused {
        labels.sort();
        labels.dedup();
        let reason = known(title).unwrap_or("NOT KNOWN BEFORE; right when made of arithmetic");
        let _ = writeln!(text, "    {title}: {reason} ({})", labels.join(", "));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_excused_is_reported() {
        excuse("f(intn)", "family-1-O");
        excuse("normalize(floatn)", "geometric-0-O");
        excuse("f(intn)", "family-0-O");
        let report = report().unwrap();
        assert!(report.starts_with("EXCUSED: 2 functions"), "{report}");
        assert!(report.contains("f(intn): NOT KNOWN BEFORE"), "{report}");
        assert!(report.contains("(family-0-O, family-1-O)"), "{report}");
        assert!(report.contains("normalize(floatn): a vector of zeros"), "{report}");
    }
}
