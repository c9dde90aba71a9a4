//! Which of the generated kernels run on Vulkan too, at `-O`, and with `CLC_VULKAN` set at `-O0`.

use super::run::Kernel;

/// Families that do not, and why.
pub const ABSENT: [(&str, &str); 5] = [
    ("bfloat16", "shaders have no bfloat16"),
    ("images", "there are no images for shaders yet"),
    ("library roots", "numbers below the normal ones, which devices need not keep"),
    ("math", "the same bodies as `library`, for vectors, which lavapipe compiles for minutes"),
    ("subgroups", "the host chooses the size of sub-groups, and cl_intel_subgroups is not there"),
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
