//! The middle end: one pass, one file, one public function.
//!
//! [`pipeline`] is the order in which they run. A pass takes a module that the verifier accepts
//! and leaves one that it accepts, with the same meaning. Passes do not talk to each other except
//! through the module.

#![warn(missing_docs)]

pub mod address_space_inference;
mod aggregate_arguments;
mod aggregate_parameters;
mod alias;
pub mod alignment;
mod before_loops;
mod bounds;
pub mod byte_vectors;
pub mod calls;
mod changes;
mod choices;
mod chosen_arrays;
pub mod common_subexpressions;
mod component_accesses;
pub mod constants_last;
pub mod context;
mod convergence;
pub mod copies;
mod counted;
pub mod dead_code;
pub mod dead_stores;
mod element_steps;
mod entered_once;
mod first_dimension;
mod flagged_exits;
pub mod fold;
mod hoist_addresses;
mod hoist_divisions;
pub mod hoist_loads;
mod in_variables;
pub mod inline;
mod inline_by_address;
mod invariants;
mod item_counters;
mod item_indices;
mod join_tests;
mod joined_bytes;
pub mod keep_loops;
mod kept_calls;
mod local_words;
pub mod lockstep;
mod loop_stores;
pub mod mem2reg;
pub mod multiply_add;
pub mod near_ids;
mod negation;
mod neighbours;
pub mod packed_structs;
mod periodic_turns;
pub mod pipeline;
pub mod rare_ways;
mod replacements;
pub mod running;
pub mod scalarize;
mod shifted_divisions;
pub mod short_vectors;
mod signs;
pub mod simplify;
pub mod simplify_cfg;
pub mod single_latches;
pub mod speculate;
pub mod split_indices;
mod spread_products;
pub mod sroa;
pub mod step_addresses;
mod step_conversions;
mod step_remainders;
mod stored_before;
pub mod structurize;
mod switch_ranges;
pub mod type_punning;
pub mod uniform_extremes;
pub mod unroll;
pub mod unroll_arrays;
mod unroll_decided;
pub mod unroll_hints;
mod unwritten_loads;
pub mod vector_loads;
pub mod wide_indices;
pub mod wide_loads;
pub mod widen_arrays;
pub mod work_item_vectors;
mod written_turns;

pub use pipeline::{
    PASSES, inline_for_addresses, load_together, mark_loads, run, structure, take_indices_apart,
    take_vectors_apart, tidy, write_out, write_out_for_vectors,
};
pub use running::{BrokenPass, Observer, OptLevel, PassOptions, watched};
