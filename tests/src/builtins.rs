//! Execution tests of the built-in functions, generated from tables.
//!
//! A family (`integer`, `math`, …) is a list of functions with their types and a host computation of
//! each; [`elementwise`] writes a kernel for every function that calls it in all vector widths over
//! edge values and random ones. [`run`] compiles the kernels of a family as few modules, runs each
//! module in a process of its own, and compares.
//!
//! What is tested is that the compiler emits the right instruction with the right operands, sign,
//! rounding and saturation. The driver implements the functions; where it is wrong by itself, which
//! differs by processor, its own compiler is wrong in the same way ([`driver_errors`]).

pub mod coverage;
pub mod driver_errors;
pub mod elementwise;
pub mod inputs;
pub mod run;
pub mod value;
pub mod vulkan;
pub mod want;

mod atomics;
mod bfloat16;
mod collectives;
mod common;
mod conversions;
mod copies;
mod depth_images;
mod geometric;
mod groups;
mod halfway;
mod hints;
mod images;
mod integer;
mod library;
mod math;
mod math_reference;
mod media;
mod memory;
mod printing;
mod relational;
mod rounding;
mod sampling;
mod shuffles;
mod subgroup_sizes;
mod subgroups;
mod uniform_collectives;
mod work_items;

use crate::driver::SubGroups;
use run::Family;

/// Every family.
pub fn families() -> Vec<Family> {
    vec![
        math::family(),
        library::family(),
        library::table(),
        library::rounded(),
        library::flushed(),
        library::fused(),
        library::fused_double(false),
        library::fused_double(true),
        library::fused_flushed(),
        library::kept(),
        library::relaxed(),
        integer::family(),
        common::family(),
        geometric::family(),
        relational::family(),
        conversions::family(),
        conversions::reinterpretations(),
        memory::family(),
        shuffles::family(),
        atomics::family_1x(),
        atomics::family_c11(),
        work_items::family(),
        collectives::family(),
        uniform_collectives::family(),
        copies::family(),
        subgroups::family(),
        subgroups::intel(),
        printing::family(),
        images::family(),
        hints::family(),
        media::family(),
        bfloat16::family(),
    ]
}

/// Every family as a Vulkan device runs it, which has sub-groups of its own size.
pub fn families_on_vulkan(sub_groups: SubGroups) -> Vec<Family> {
    let mut families = families();
    for family in &mut families {
        if family.name == "subgroups" {
            *family = subgroups::on_vulkan(sub_groups.size, sub_groups.can_be_required);
        }
    }
    // The collective functions of work-groups are made in two ways.
    for (name, mut family) in [
        ("collectives by sub-groups", collectives::family()),
        ("uniform collectives by sub-groups", uniform_collectives::family()),
    ] {
        family.name = name;
        family.options.push("--sub-group-arithmetic".to_owned());
        families.push(family);
    }
    families
}
