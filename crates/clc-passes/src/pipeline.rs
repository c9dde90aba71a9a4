//! The whole middle end on one screen.

use clc_ir::Module;

use crate::{
    address_space_inference, common_subexpressions, dead_code, inline, mem2reg, multiply_add,
    simplify, simplify_cfg, sroa, type_punning,
};

/// How much work to spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptLevel {
    /// Only what emission needs: debugging shows the program as written.
    O0,
    /// Everything: `-O`, `-O1`, `-O2`, `-O3` and `-Os` are one, because drivers optimise again.
    O,
}

/// Sees each pass go by; clocks and output are its own.
pub trait Observer {
    fn before(&mut self, pass: &'static str);
    fn after(&mut self, pass: &'static str, module: &Module);
}

/// An observer that looks away.
impl Observer for () {
    fn before(&mut self, _: &'static str) {}
    fn after(&mut self, _: &'static str, _: &Module) {}
}

pub struct PassOptions<'a> {
    pub level: OptLevel,
    /// Ends the pipeline after the first run of this pass.
    pub stop_after: Option<&'a str>,
    /// Runs the verifier after each pass; debug builds always do.
    pub verify_each: bool,
    pub observer: &'a mut dyn Observer,
}

/// A pass left the module in a state that the verifier rejects: a bug in the compiler.
#[derive(Clone, Debug)]
pub struct BrokenPass {
    /// `lowering` if the module was broken before the first pass.
    pub pass: &'static str,
    pub error: clc_ir::verify::VerifierError,
}

impl std::fmt::Display for BrokenPass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "after {}: {}", self.pass, self.error)
    }
}

impl std::error::Error for BrokenPass {}

/// A pass over the whole module.
pub struct Pass {
    pub name: &'static str,
    pub description: &'static str,
    pub run: fn(&mut Module),
}

macro_rules! passes {
    ($($constant:ident = $name:literal, $description:literal, $run:expr;)*) => {
        $(const $constant: Pass = Pass { name: $name, description: $description, run: $run };)*

        /// Every pass, by name.
        pub const PASSES: &[Pass] = &[$($constant),*];
    };
}

passes! {
    DEAD_FUNCTIONS = "dead-functions",
        "drops functions and globals that no kernel and no exported symbol reaches",
        dead_code::dead_functions;
    UNREACHABLE = "unreachable-blocks",
        "drops blocks that control cannot reach",
        simplify_cfg::unreachable_blocks;
    SIMPLIFY_CFG = "simplify-cfg",
        "folds constant branches, threads empty blocks, merges straight lines",
        simplify_cfg::run;
    SROA = "sroa",
        "splits private structs, small arrays and vectors into scalar variables",
        sroa::run;
    TYPE_PUNNING = "type-punning",
        "makes integers of small private variables that are accessed as several types",
        type_punning::run;
    MEM2REG = "mem2reg",
        "turns private variables that are only loaded and stored into values",
        mem2reg::run;
    SIMPLIFY = "simplify",
        "folds constants and simplifies instructions",
        simplify::run;
    CSE = "cse",
        "computes equal expressions once and forwards stores to loads",
        common_subexpressions::run;
    DEAD_CODE = "dead-code",
        "drops instructions whose results nobody uses",
        dead_code::run;
    INLINE = "inline",
        "inlines functions that are small, called once or marked",
        inline::run;
    MULTIPLY_ADD = "multiply-add",
        "computes a * b + c in one operation where -cl-mad-enable allows it",
        multiply_add::run;
    ADDRESS_SPACES = "address-space-inference",
        "replaces generic pointers by pointers to the named space they come from",
        address_space_inference::run;
}

/// The passes of `-O0`, in order.
const NONE: &[Pass] = &[DEAD_FUNCTIONS, UNREACHABLE];

/// The passes of `-O`, in order.
const FULL: &[Pass] = &[
    // First what nobody needs, so that nothing below spends time on it.
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
    SIMPLIFY_CFG,
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
    SIMPLIFY_CFG,
    SIMPLIFY,
    CSE,
    // Equal products are one now, with the number of their uses.
    MULTIPLY_ADD,
    DEAD_CODE,
    SIMPLIFY_CFG,
];

/// Runs the passes of `options.level` over `module`.
pub fn run(module: &mut Module, options: &mut PassOptions<'_>) -> Result<(), BrokenPass> {
    let verify_each = options.verify_each || cfg!(debug_assertions);
    let verify = |module: &Module, pass| {
        if verify_each {
            clc_ir::verify::module(module).map_err(|error| BrokenPass { pass, error })?;
        }
        Ok(())
    };
    verify(module, "lowering")?;
    let passes = match options.level {
        OptLevel::O0 => NONE,
        OptLevel::O => FULL,
    };
    for pass in passes {
        options.observer.before(pass.name);
        (pass.run)(module);
        options.observer.after(pass.name, module);
        verify(module, pass.name)?;
        if options.stop_after == Some(pass.name) {
            break;
        }
    }
    Ok(())
}
