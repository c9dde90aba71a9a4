//! Which of the generated kernels run on Vulkan too, at `-O`, and with `CLC_VULKAN` set at `-O0`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use super::run::Kernel;
use crate::vulkan::NO_FORMAT;

/// Families that do not, and why.
pub const ABSENT: [(&str, &str); 8] = [
    ("bfloat16", "shaders have no bfloat16"),
    ("library fused", "bodies for devices with an exact `fma`, which lavapipe has not"),
    ("library fused double", "likewise"),
    ("library dividing double", "likewise"),
    ("library fused flushed", "likewise"),
    ("library kept", "numbers below the normal ones, which devices need not keep"),
    ("math", "the same bodies as `library`, for vectors, which lavapipe compiles for minutes"),
    ("intel subgroups", "Vulkan has no cl_intel_subgroups"),
];

/// What is in the title of single kernels that do not, and why.
const WITHOUT: [(&str, &str); 1] =
    [("range [10, 7], groups [4, 3]", "all work-groups of a dispatch have one size")];

/// Whether a family runs.
pub fn has_family(name: &str) -> bool {
    ABSENT.iter().all(|(absent, _)| *absent != name)
}

/// Whether a kernel of such a family runs.
pub fn has_kernel(kernel: &Kernel) -> bool {
    WITHOUT.iter().all(|(part, _)| !kernel.title.contains(part) && !kernel.source.contains(part))
}

/// The kernels of images that Vulkan or the device does not have, by what is said of these.
static EXCUSED: Mutex<BTreeMap<String, Vec<String>>> = Mutex::new(BTreeMap::new());

/// Whether a kernel did not run because there is no such image, which is taken note of. Formats that
/// every device has are never missing (Vulkan, "Required Format Support").
pub fn excuse(kernel: &Kernel, error: &str) -> bool {
    let required = kernel.title.contains(" rgba ") && !kernel.title.ends_with("norm16");
    if required || !error.starts_with(NO_FORMAT) {
        return false;
    }
    let mut excused = EXCUSED.lock().unwrap_or_else(PoisonError::into_inner);
    excused.entry(error.to_owned()).or_default().push(kernel.title.clone());
    true
}

/// Whether a function rounds doubles to whole numbers by an instruction of the device's (`RoundEven`), title as in
/// messages. lavapipe has code for that where the processor rounds eight doubles at once; elsewhere it adds a number
/// below a half and cuts, and leaves what is above 2^24 as it is: 1.5 becomes 1.
pub fn rounds_doubles(title: &str) -> bool {
    const MADE_OF_IT: [&str; 4] = [
        "cospi({0}) of double",
        "sinpi({0}) of double",
        "tanpi({0}) of double",
        "pow({0}, {1}) of double",
    ];
    title.ends_with("_rte(doublen)") || MADE_OF_IT.contains(&title)
}

/// The functions that passed with a result of the device's rounding.
static ROUNDED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Takes note that a function passed although its result is wrong.
pub fn excuse_rounding(title: &str) {
    ROUNDED.lock().unwrap_or_else(PoisonError::into_inner).insert(title.to_owned());
}

/// What passed although it did not run, or is wrong, in all runs of this process; nothing if nothing did.
pub fn report() -> Option<String> {
    let rounded = std::mem::take(&mut *ROUNDED.lock().unwrap_or_else(PoisonError::into_inner));
    let rounded = (!rounded.is_empty()).then(|| {
        let titles: Vec<String> = rounded.iter().map(|title| format!("    {title}\n")).collect();
        let count = titles.len();
        format!(
            "EXCUSED: {count} functions of double, since the Vulkan device's rint(1.5) is not 2:\n{}",
            titles.concat()
        )
    });
    let parts: Vec<String> = images_absent().into_iter().chain(rounded).collect();
    (!parts.is_empty()).then(|| parts.join("\n"))
}

/// What did not run for want of images.
fn images_absent() -> Option<String> {
    let excused = std::mem::take(&mut *EXCUSED.lock().unwrap_or_else(PoisonError::into_inner));
    if excused.is_empty() {
        return None;
    }
    let count: usize = excused.values().map(Vec::len).sum();
    let mut text =
        format!("EXCUSED: {count} kernels whose images the Vulkan device does not have:\n");
    for (reason, titles) in &excused {
        let reason = reason.trim_start_matches(NO_FORMAT).trim_start_matches(": ");
        let _ = writeln!(text, "    {reason} ({} kernels, {} for one)", titles.len(), titles[0]);
    }
    Some(text)
}
