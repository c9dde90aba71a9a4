//! The whole middle end on one screen.

use clc_ir::Module;

use crate::running::{BrokenPass, OptLevel, Pass, PassOptions, Scope};
use crate::{
    address_space_inference, aggregate_arguments, aggregate_parameters, byte_vectors,
    chosen_arrays, common_subexpressions, component_accesses, constants_last, dead_code,
    dead_stores, first_dimension, flagged_exits, hoist_addresses, hoist_divisions, hoist_loads,
    inline, inline_by_address, item_counters, item_indices, join_tests, joined_bytes, keep_loops,
    kept_calls, local_words, loop_stores, mem2reg, multiply_add, near_ids, packed_structs,
    periodic_turns, rare_ways, running, scalarize, shifted_divisions, simplify, simplify_cfg,
    single_latches, speculate, split_indices, spread_products, sroa, step_addresses,
    step_conversions, step_remainders, structurize, switch_ranges, type_punning, uniform_extremes,
    unroll, unroll_arrays, unroll_decided, unroll_hints, unwritten_loads, wide_indices, wide_loads,
    widen_arrays, work_item_vectors,
};

macro_rules! passes {
    ($($constant:ident = $name:literal, $description:literal, $scope:expr;)*) => {
        $(const $constant: Pass =
            Pass { name: $name, description: $description, scope: $scope };)*

        /// Every pass, by name.
        pub const PASSES: &[Pass] = &[$($constant),*];
    };
}

passes! {
    DEAD_FUNCTIONS = "dead-functions",
        "drops functions and globals that no kernel and no exported symbol reaches",
        Scope::Module(dead_code::dead_functions);
    AGGREGATE_PARAMETERS = "aggregate-parameters",
        "passes structs and arrays from block to block by member",
        Scope::Function(aggregate_parameters::run);
    AGGREGATE_ARGUMENTS = "aggregate-arguments",
        "passes structs and arrays to functions by member, where these take them apart",
        Scope::Module(aggregate_arguments::run);
    UNREACHABLE = "unreachable-blocks",
        "drops blocks that control cannot reach",
        Scope::Function(simplify_cfg::unreachable_blocks);
    SIMPLIFY_CFG = "simplify-cfg",
        "folds constant branches, threads empty blocks, merges straight lines",
        Scope::Function(simplify_cfg::run);
    SROA = "sroa",
        "splits private structs, small arrays and vectors into scalar variables",
        Scope::Function(sroa::run);
    TYPE_PUNNING = "type-punning",
        "makes integers and vectors of private variables that are accessed as several types",
        Scope::Function(type_punning::run);
    MEM2REG = "mem2reg",
        "turns private variables that are only loaded and stored into values",
        Scope::Function(mem2reg::run);
    SIMPLIFY = "simplify",
        "folds constants and simplifies instructions",
        Scope::Function(simplify::run);
    SPREAD_PRODUCTS = "spread-products",
        "multiplies the parts of sums that do not wrap",
        Scope::Function(spread_products::run);
    SHIFTED_DIVISIONS = "shifted-divisions",
        "shifts in place of signed divisions where numbers are not negative",
        Scope::Function(shifted_divisions::run);
    CSE = "cse",
        "computes equal expressions once and forwards stores to loads",
        Scope::Function(common_subexpressions::run);
    CSE_OF_NEW = "cse-of-new",
        "does so again, where there are new expressions",
        Scope::Function(common_subexpressions::run_for_new);
    DEAD_STORES = "dead-stores",
        "drops stores that a later store covers",
        Scope::Function(dead_stores::run);
    COMPONENT_ACCESSES = "component-accesses",
        "accesses only the components of vectors in private memory that are needed",
        Scope::Function(component_accesses::run);
    DEAD_CODE = "dead-code",
        "drops instructions whose results are unused",
        Scope::Function(dead_code::run);
    LOOP_STORES = "loop-stores",
        "keeps in values what loops load and store at one address",
        Scope::Function(loop_stores::run);
    HOIST_LOADS = "hoist-loads",
        "loads before loops what is the same in all their turns",
        Scope::Function(hoist_loads::run);
    SPECULATE = "speculate",
        "computes short branches beforehand and chooses between the results",
        Scope::Function(speculate::run);
    SPECULATE_FOR_VECTORS = "speculate-for-vectors",
        "computes short branches beforehand, and more of conditions",
        Scope::Function(speculate::run_for_vectors);
    INLINE = "inline",
        "inlines functions that are small, called once or marked",
        Scope::Module(inline::run);
    INLINE_FOR_VECTORS = "inline-for-vectors",
        "inlines functions that are small, called seldom or marked",
        Scope::Module(inline::run_for_vectors);
    CHOSEN_ARRAYS = "chosen-arrays",
        "copies the small private arrays among which control chooses",
        Scope::Module(chosen_arrays::run);
    INLINE_BY_ADDRESS = "inline-by-address",
        "inlines all functions that take addresses of a private or local variable, if they are small",
        Scope::Module(inline_by_address::run);
    INLINE_FOR_VARIABLES = "inline-for-variables",
        "inlines functions that are called once and take addresses of private variables",
        Scope::Module(inline::run_for_variables);
    MULTIPLY_ADD = "multiply-add",
        "computes a * b + c in one operation where -cl-mad-enable allows it",
        Scope::Function(multiply_add::run);
    BYTE_VECTORS = "byte-vectors",
        "loads vectors of bytes as words where they are converted",
        Scope::Function(byte_vectors::run);
    CONTRACT = "contract",
        "computes a * b + c in one operation wherever contraction is allowed",
        Scope::Function(multiply_add::contract);
    CONTRACT_CONVERGED = "contract-converged",
        "computes a * b + c in one operation where all work-items are together and contraction is allowed",
        Scope::Module(multiply_add::contract_converged);
    ADDRESS_SPACES = "address-space-inference",
        "replaces generic pointers by pointers to the named space they come from",
        Scope::Module(address_space_inference::run);
    PACKED_STRUCTS = "packed-structs",
        "loads and stores small structs with bytes and shorts as integers",
        Scope::Function(packed_structs::run);
    SCALARIZE = "scalarize",
        "computes the components of vectors one by one",
        Scope::Function(scalarize::run);
    FLAGGED_EXITS = "flagged-exits",
        "leaves loops where a flag says that there is no other turn",
        Scope::Function(flagged_exits::run);
    UNROLL_ARRAYS = "unroll-arrays",
        "writes out loops that drivers do not, where that makes values of private arrays",
        Scope::Function(unroll_arrays::run);
    UNROLL_ALL_ARRAYS = "unroll-all-arrays",
        "writes out all loops that index small private arrays, where that makes values of these",
        Scope::Module(unroll_arrays::run_for_all);
    UNROLL_DECIDED = "unroll-decided",
        "writes out loops that decide between ways by what they count",
        Scope::Module(unroll_decided::run);
    PERIODIC_TURNS = "periodic-turns",
        "writes several turns of a loop as one, where values repeat after so many",
        Scope::Function(periodic_turns::run);
    SPLIT_INDICES = "split-indices",
        "adds the parts of an index to an address one after the other, constants last",
        Scope::Function(split_indices::run);
    HOIST_ADDRESSES = "hoist-addresses",
        "computes addresses in front of loops that are the same in all turns but not needed in each",
        Scope::Function(hoist_addresses::run);
    HOIST_DIVISIONS = "hoist-divisions",
        "divides in front of loops where quotients of integers are the same in all turns",
        Scope::Function(hoist_divisions::run);
    STEP_ADDRESSES = "step-addresses",
        "steps addresses from turn to turn of loops that would multiply to find them",
        Scope::Function(step_addresses::run);
    STEP_CONVERSIONS = "step-conversions",
        "counts in double what loops count in integers and convert",
        Scope::Function(step_conversions::run);
    STEP_REMAINDERS = "step-remainders",
        "counts in loops the remainders of what they count",
        Scope::Function(step_remainders::run);
    JOIN_TESTS = "join-tests",
        "decides once between two ways that several tests choose",
        Scope::Function(join_tests::run);
    JOINED_BYTES = "joined-bytes",
        "makes vectors of the bytes that words are put together from",
        Scope::Function(joined_bytes::run);
    SWITCH_RANGES = "switch-ranges",
        "asks whether a selector is within a range, where many cases in a row go to one place",
        Scope::Function(switch_ranges::run);
    STRUCTURIZE = "structurize",
        "gives branches and loops the merge blocks that shaders must name",
        Scope::Function(structurize::run);
    ITEM_COUNTERS = "item-counters",
        "counts from zero what begins at the number of a work-item",
        Scope::Function(item_counters::run);
    ITEM_INDICES = "item-indices",
        "makes indices of the numbers of work-items, and of what their groups have in common",
        Scope::Function(item_indices::run);
    WIDE_INDICES = "wide-indices",
        "makes indices of whole numbers of work-items, and of products",
        Scope::Function(wide_indices::run);
    CONSTANTS_LAST = "constants-last",
        "adds constants last to addresses that neighbours do not have side by side",
        Scope::Function(constants_last::run);
    FIRST_DIMENSION = "first-dimension",
        "has vectors of work-items made along the first dimension",
        Scope::Function(first_dimension::run);
    NEAR_IDS = "near-ids",
        "asks for numbers of work-items where they are used, in kernels with barriers",
        Scope::Function(near_ids::run);
    KEEP_LOOPS = "keep-loops",
        "asks drivers not to write out loops that do enough in each turn",
        Scope::Function(keep_loops::run);
    SINGLE_LATCHES = "single-latches",
        "lets loops go back to their heads from one block",
        Scope::Function(single_latches::run);
    UNIFORM_EXTREMES = "uniform-extremes",
        "compares for minima and maxima that are the same for all work-items",
        Scope::Function(uniform_extremes::run);
    WORK_ITEM_VECTORS = "work-item-vectors",
        "says of kernels that vectors of work-items would not pay",
        Scope::Function(work_item_vectors::run);
    WIDEN_ARRAYS = "widen-arrays",
        "makes words of the bytes and shorts in small private arrays",
        Scope::Function(widen_arrays::run);
    LOCAL_WORDS = "local-words",
        "joins the bytes and shorts that are stored side by side in local memory to words",
        Scope::Module(local_words::run);
    UNROLL = "unroll",
        "makes four turns of short loops that load one, so that their loads wait side by side",
        Scope::Function(unroll::run);
    UNROLL_ASKED = "unroll-asked",
        "makes as many turns of short loops at once as the source asks for",
        Scope::Function(unroll::run_asked);
    WIDE_LOADS = "wide-loads",
        "loads and stores neighbours at once where addresses are aligned, and asks whether arguments are",
        Scope::Function(wide_loads::run);
    RARE_WAYS = "rare-ways",
        "asks once whether one of several calls needs more than what functions do first",
        Scope::Module(rare_ways::run);
    KEPT_CALLS = "kept-calls",
        "asks drivers to keep calls where code would be too long",
        Scope::Module(kept_calls::run);
    UNWRITTEN_LOADS = "unwritten-loads",
        "marks the loads of memory that nothing writes while the kernel runs",
        Scope::Module(unwritten_loads::run);
    UNROLL_HINTS = "unroll-hints",
        "asks drivers to unroll short loops of shaders",
        Scope::Module(unroll_hints::run);
}

/// The passes of `-O0`, in order.
const NONE: &[Pass] = &[DEAD_FUNCTIONS, UNREACHABLE];

/// The passes of `-O`, in order.
const FULL: &[Pass] = &[
    // First what is unreachable or unused, so that nothing below spends time on it.
    DEAD_FUNCTIONS,
    // Unreachable blocks would give block parameters arguments that nothing dominates.
    SIMPLIFY_CFG,
    // Both make scalar variables, which mem2reg takes.
    SROA,
    TYPE_PUNNING,
    MEM2REG,
    SIMPLIFY,
    CSE,
    DEAD_CODE,
    // Where functions return structs at several places. Each member is known by itself then.
    AGGREGATE_PARAMETERS,
    // Simplifies control flow before and after.
    SPECULATE,
    // Callees are as small as they get, so that their sizes mean something.
    INLINE,
    // Inlining has shown where pointers come from; specialising copies what is left.
    ADDRESS_SPACES,
    // The callees that are in all their callers now.
    DEAD_FUNCTIONS,
    // Arguments are known now, and variables whose address was an argument no longer escape.
    SROA,
    TYPE_PUNNING,
    MEM2REG,
    SIMPLIFY,
    // Constant conditions appear by simplifying and make more values constant once gone.
    SPECULATE,
    SIMPLIFY,
    // What is computed from what is known, in functions with their arguments.
    SPREAD_PRODUCTS,
    SHIFTED_DIVISIONS,
    CSE,
    // What is left to load is there once, at simple addresses.
    LOOP_STORES,
    HOIST_LOADS,
    // Loads between two stores are gone now, and what the first stored has no other use.
    DEAD_STORES,
    // Equal products are one now, with the number of their uses.
    MULTIPLY_ADD,
    DEAD_CODE,
    SIMPLIFY_CFG,
];

/// What `-Os` leaves out, because modules are larger for it: loops that are written out, code that is there once for each of
/// several cases, and what keeps compilers that make vectors of work-items from mistakes.
const LARGER: &[Pass] = &[
    AGGREGATE_ARGUMENTS,
    CHOSEN_ARRAYS,
    CONSTANTS_LAST,
    FIRST_DIMENSION,
    FLAGGED_EXITS,
    HOIST_ADDRESSES,
    HOIST_LOADS,
    INLINE_BY_ADDRESS,
    ITEM_COUNTERS,
    ITEM_INDICES,
    JOIN_TESTS,
    KEEP_LOOPS,
    LOOP_STORES,
    NEAR_IDS,
    PERIODIC_TURNS,
    RARE_WAYS,
    SCALARIZE,
    SINGLE_LATCHES,
    UNIFORM_EXTREMES,
    UNROLL_ALL_ARRAYS,
    UNROLL_ARRAYS,
    UNROLL_DECIDED,
    UNROLL_HINTS,
    WIDE_LOADS,
];

/// What takes the place of a pass at `-Os`.
fn for_size(pass: &Pass) -> Option<Pass> {
    match pass.name {
        name if name == UNROLL.name => Some(UNROLL_ASKED),
        name => LARGER.iter().all(|larger| larger.name != name).then_some(*pass),
    }
}

/// Runs the passes of `full` as the level has them, or those of `little` without optimisation.
fn run_passes(
    module: &mut Module,
    full: &[Pass],
    little: &[Pass],
    options: &mut PassOptions<'_>,
) -> Result<bool, BrokenPass> {
    if options.level == OptLevel::Os {
        let small: Vec<Pass> = full.iter().filter_map(for_size).collect();
        return running::run_passes(module, &small, little, options);
    }
    running::run_passes(module, full, little, options)
}

/// The passes between the steps of a legalisation that leaves something to simplify.
const TIDY: &[Pass] =
    &[SIMPLIFY_CFG, SROA, MEM2REG, SIMPLIFY, CSE, DEAD_STORES, DEAD_CODE, SIMPLIFY_CFG];

/// What [`tidy`] does without optimisation: a variable of which only the value matters becomes one,
/// and one whose address goes no further than to a function that is called once keeps its type. Some
/// drivers take minutes over the memory that a large kernel would have otherwise.
const TIDY_LITTLE: &[Pass] = &[UNREACHABLE, INLINE_FOR_VARIABLES, MEM2REG, DEAD_CODE];

/// Simplifies what steps of a legalisation have made of a module. Returns whether
/// [`PassOptions::stop_after`] names one of the passes.
pub fn tidy(module: &mut Module, options: &mut PassOptions<'_>) -> Result<bool, BrokenPass> {
    run_passes(module, TIDY, TIDY_LITTLE, options)
}

/// Puts turns of loops side by side, and loads of neighbours together; for shaders, once pointers are numbers. Returns
/// whether [`PassOptions::stop_after`] names one of the passes.
pub fn load_together(
    module: &mut Module,
    options: &mut PassOptions<'_>,
) -> Result<bool, BrokenPass> {
    let full = &[
        UNROLL,
        // Before calls are taken apart.
        KEPT_CALLS,
        RARE_WAYS,
        // What functions do first and what they ask have much in common.
        CSE,
        BYTE_VECTORS,
        // Each address and each load is there once.
        WIDE_LOADS,
        // Vectors whose components are accessed would be taken apart before.
        COMPONENT_ACCESSES,
    ];
    run_passes(module, full, &[], options)
}

/// What a target with structured control flow needs after [`run`]: no other pass keeps what it says.
/// Returns whether [`PassOptions::stop_after`] names one of the passes.
pub fn structure(module: &mut Module, options: &mut PassOptions<'_>) -> Result<bool, BrokenPass> {
    let full =
        &[CONTRACT, JOINED_BYTES, DEAD_CODE, SWITCH_RANGES, JOIN_TESTS, STRUCTURIZE, UNROLL_HINTS];
    run_passes(module, full, &[STRUCTURIZE], options)
}

/// Writes out loops for compilers that make vectors of work-items, and takes structs apart. What loops do once they are
/// written out decides about vectors. Returns whether [`PassOptions::stop_after`] names one of the passes.
pub fn write_out_for_vectors(
    module: &mut Module,
    options: &mut PassOptions<'_>,
) -> Result<bool, BrokenPass> {
    let full = &[AGGREGATE_PARAMETERS, AGGREGATE_ARGUMENTS, UNROLL_ALL_ARRAYS, PACKED_STRUCTS];
    run_passes(module, full, &[AGGREGATE_PARAMETERS], options)
}

/// What compilers that make vectors of work-items are better off with, after [`write_out_for_vectors`]; for targets that take vectors as
/// they are. `numbers_fit` says that indices of 32 bits do not wrap from one work-item to the next. Returns whether
/// [`PassOptions::stop_after`] names one of the passes.
pub fn take_vectors_apart(
    module: &mut Module,
    numbers_fit: bool,
    options: &mut PassOptions<'_>,
) -> Result<bool, BrokenPass> {
    // Equal components are computed once, and those that nothing uses not at all.
    let mut full =
        vec![SCALARIZE, SIMPLIFY, CSE_OF_NEW, CONTRACT_CONVERGED, DEAD_CODE, WORK_ITEM_VECTORS];
    if numbers_fit {
        full.extend([ITEM_COUNTERS, ITEM_INDICES]);
    }
    full.extend([WIDE_INDICES, CONSTANTS_LAST, CSE_OF_NEW, FIRST_DIMENSION, NEAR_IDS, DEAD_CODE]);
    full.extend([KEEP_LOOPS, SINGLE_LATCHES, UNIFORM_EXTREMES]);
    run_passes(module, &full, &[], options)
}

/// Writes out loops for which drivers of shaders would keep arrays in memory; [`tidy`] then makes values of these.
/// Returns whether [`PassOptions::stop_after`] names one of the passes.
pub fn write_out(module: &mut Module, options: &mut PassOptions<'_>) -> Result<bool, BrokenPass> {
    // Sizes decide what is written out.
    run_passes(
        module,
        &[FLAGGED_EXITS, SIMPLIFY, UNROLL_DECIDED, WIDEN_ARRAYS, UNROLL_ARRAYS, LOCAL_WORDS],
        &[],
        options,
    )
}

/// Says of loads of shaders what arguments and types tell; right before arguments become what a host pushes. Returns
/// whether [`PassOptions::stop_after`] names one of the passes.
pub fn mark_loads(module: &mut Module, options: &mut PassOptions<'_>) -> Result<bool, BrokenPass> {
    run_passes(module, &[UNWRITTEN_LOADS], &[], options)
}

/// Inlines what would keep variables of work-items and work-groups in memory that is reached by addresses. Functions get new
/// numbers. Returns whether [`PassOptions::stop_after`] names one of the passes.
pub fn inline_for_addresses(
    module: &mut Module,
    options: &mut PassOptions<'_>,
) -> Result<bool, BrokenPass> {
    // Nothing else leads to the arrays then than where they are.
    run_passes(module, &[CHOSEN_ARRAYS, INLINE_BY_ADDRESS, DEAD_FUNCTIONS], &[], options)
}

/// Gives addresses of neighbours and of turns of a loop what they have in common, and steps what turns would compute
/// anew; for shaders, right before pointers become numbers. Returns whether [`PassOptions::stop_after`] names one of the passes.
pub fn take_indices_apart(
    module: &mut Module,
    options: &mut PassOptions<'_>,
) -> Result<bool, BrokenPass> {
    let full = &[
        // What is an index in each turn is known then.
        PERIODIC_TURNS,
        HOIST_DIVISIONS,
        SPLIT_INDICES,
        CSE,
        HOIST_ADDRESSES,
        STEP_ADDRESSES,
        STEP_CONVERSIONS,
        STEP_REMAINDERS,
    ];
    run_passes(module, full, &[], options)
}

/// Runs the passes of `options.level` over `module`. Returns whether [`PassOptions::stop_after`] names
/// one of them.
pub fn run(module: &mut Module, options: &mut PassOptions<'_>) -> Result<bool, BrokenPass> {
    options.verify(module, "lowering")?;
    if !options.is_for_vectors || options.level == OptLevel::Os {
        return run_passes(module, FULL, NONE, options);
    }
    let for_vectors = |pass: &Pass| match pass.name {
        name if name == INLINE.name => INLINE_FOR_VECTORS,
        name if name == SPECULATE.name => SPECULATE_FOR_VECTORS,
        _ => *pass,
    };
    let full: Vec<Pass> = FULL.iter().map(for_vectors).collect();
    run_passes(module, &full, NONE, options)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::running::run_unseen;

    #[test]
    fn both_orders_give_the_same() {
        let text =
            "module ptr64\n".to_owned() + &(0..20).map(sample).collect::<Vec<String>>().join("\n");
        let mut seen = clc_ir::parse::module(&text).expect("parses");
        let mut unseen = clc_ir::parse::module(&text).expect("parses");
        for pass in FULL {
            pass.run(&mut seen);
        }
        run_unseen(&mut unseen, FULL);
        let print = |module: &Module| {
            let mut text = String::new();
            clc_ir::print::module(module, &mut text);
            text
        };
        assert!(print(&seen).contains("function f19"));
        assert_eq!(print(&seen), print(&unseen));
    }

    /// Legalisation has noted functions and variables by their numbers by then: the lengths of local arrays that hosts
    /// choose, for one.
    #[test]
    fn structure_renumbers_nothing() {
        let text = "module ptr64\n\
             g0 \"unused\" uniformconstant i32 align 4 const = i32 1\n\
             g1 \"used\" workgroup i32 align 4\n\
             function f0 \"dead\"() void {\nb0:\n  return\n}\n\
             function f1 \"main\"() void kernel \"main\" {\nb0:\n  store g1, i32 1 align 4\n  return\n}\n";
        for level in [OptLevel::O0, OptLevel::O] {
            let mut module = clc_ir::parse::module(text).expect("parses");
            let mut nothing = ();
            structure(&mut module, &mut PassOptions::new(level, &mut nothing)).expect("is legal");
            let names: Vec<&str> = module.functions.values().map(|f| f.name.as_str()).collect();
            assert_eq!((names, module.globals.len()), (vec!["dead", "main"], 2));
        }
    }

    /// A function that calls the one before it and leaves something to do for most passes.
    fn sample(number: usize) -> String {
        let callee = number.saturating_sub(1);
        format!(
            "function f{number} \"f{number}\"(i32, i32) i32 export {{\n\
             b0(v0: i32, v1: i32):\n  v2: ptr(function, i32) = variable i32 align 4\n  \
             store v2, v0 align 4\n  v3: i32 = iadd i32 {number}, i32 {}\n  \
             v4: i32 = imul v3, v1\n  v5: bool = slt v4, v0\n  branch v5, b1, b2\n\
             b1:\n  v6: i32 = call f{callee}(v4, v1)\n  store v2, v6 align 4\n  jump b3\n\
             b2:\n  store v2, v1 align 4\n  jump b3\n\
             b3:\n  v7: i32 = load v2 align 4\n  v8: i32 = isub v7, i32 {}\n  return v8\n}}",
            40 - number,
            number * 3
        )
    }
}
