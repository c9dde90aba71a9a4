//! Operations that shaders have no instruction for become those that they have.
//!
//! SPIR-V for OpenCL has an instruction for nearly every built-in function; the Shader capability
//! has arithmetic, comparisons, bit operations and GLSL.std.450. What is left of the intrinsics
//! afterwards is a table: `intrinsics::shader`. Functions whose precision is the question (`sin`,
//! `pow`, …) stay; they become calls of library bodies later.
//!
//! An expansion is made for all components of a vector at once wherever there is a form for
//! vectors; vectors of 8 and 16 are cut later.

mod async_copies;
mod atomics;
mod code;
mod common;
mod conversions;
mod copies;
mod divisions;
mod dot_products;
mod events;
mod formats;
mod geometric;
mod integer;
mod memory;
pub(crate) mod narrow;
mod numbers;
mod parts;
mod relational;
pub(crate) mod short;
mod table;
mod vectors;

use clc_base::memory_model::AtomicOp;
use clc_base::{Diagnostic, Span};
use clc_builtins::Intrinsic;
use clc_ir::rewrite::{self, Expansion};
use clc_ir::{
    BinaryOp, Block, Cfg, ConstPool, Function, Inst, InstData, InstKind, Module, TypePool, Value,
};
use clc_passes::context::each_function;
use clc_passes::scalarize::Worth;
use clc_passes::short_vectors;

use crate::diagnostics;
use crate::{Environment, TargetOptions};
use code::{Code, Extremes, Halves};
use formats::Format;

/// What shaders have for a call.
enum Outcome {
    /// Something else, or an instruction, which it stays.
    Expanded(Expansion),
    /// Nothing like it, for this reason.
    Unavailable(&'static str),
}

/// What decides besides the instruction.
#[derive(Clone, Copy, Default)]
struct Target {
    /// The environment, where it is one that lacks functions.
    shader: Option<Environment>,
    /// Dot products of bytes have instructions.
    dot_products: bool,
    /// Float atomics that have instructions: sums, and smallest and largest values.
    float_sums: bool,
    float_extrema: bool,
    halves: Halves,
}

impl Target {
    fn of(options: &TargetOptions) -> Target {
        let extensions = &options.extensions;
        Target {
            shader: Some(options.environment),
            dot_products: options.spirv_version >= (1, 6),
            // Few devices have them, so they are used where they are asked for.
            float_sums: extensions.asks_for("SPV_EXT_shader_atomic_float_add"),
            halves: Halves::of(&options.profile),
            float_extrema: extensions.asks_for("SPV_EXT_shader_atomic_float_min_max"),
        }
    }
}

/// Expands all operations of `module`, or says which of them the target lacks.
pub(crate) fn run(module: &mut Module, options: &TargetOptions) -> Result<(), Vec<Diagnostic>> {
    let errors = expand(module, Target::of(options));
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Expands everything that can be expanded, whatever the target: so tests compare the expansions
/// with instructions that do the same.
pub(crate) fn expand_all(module: &mut Module) {
    expand(module, Target::default());
    divide(module);
}

fn expand(module: &mut Module, target: Target) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let Module { types, consts, functions, .. } = module;
    for function in functions.values_mut().filter(|function| !function.is_declaration()) {
        expand_function(types, consts, function, target, &mut errors);
    }
    events::run(module);
    errors
}

/// Expands lengths, distances and unit vectors where `scalarize` computes with vectors by component: it knows products and
/// roots.
pub(crate) fn expand_geometry(module: &mut Module) {
    each_function(module, |context, function| {
        let has_any = function.insts.values().any(|data| is_geometric(&data.kind));
        if !has_any {
            return;
        }
        let worth = Worth::new(context, function, &Cfg::new(function));
        // A unit vector that loops go on from is one of components, too, if those that they make are.
        let is_worth_it = |block: Block, inst: Inst| {
            let InstKind::Intrinsic { arguments, .. } = function.insts[inst].kind else {
                return false;
            };
            let vector = function.values_of(arguments).next();
            let ty = vector.map_or(TypePool::VOID, |vector| context.type_of(function, vector));
            is_geometric(&function.insts[inst].kind)
                && short_vectors::is_short_vector(context.types, ty)
                && worth.is_there(context.types, block, ty)
        };
        let any = function.layout.iter().any(|&block| {
            function.blocks[block].insts.iter().any(|&inst| is_worth_it(block, inst))
        });
        if !any {
            return;
        }
        let (types, consts) = (&mut *context.types, &mut *context.consts);
        rewrite::expand(types, consts, function, is_geometric, |builder, inst| {
            let mut code = Code { builder, halves: Halves::default(), extremes: Extremes::Called };
            let InstKind::Intrinsic { intrinsic, arguments } = code.function.insts[inst].kind
            else {
                return Expansion::Keep;
            };
            let arguments: Vec<Value> = code.function.values_of(arguments).collect();
            let ty = code.ty(arguments[0]);
            let is_short = short_vectors::is_short_vector(code.types, ty)
                && code.format_of(arguments[0]) != Format::HALF;
            if !is_short {
                return Expansion::Keep;
            }
            match table::expand(&mut code, intrinsic, &arguments, ty, Target::default()) {
                Outcome::Expanded(expansion) => expansion,
                Outcome::Unavailable(_) => Expansion::Keep,
            }
        });
    });
}

/// Divides by constants by multiplying.
pub(crate) fn divide(module: &mut Module) {
    let may_expand = |kind: &InstKind| {
        use BinaryOp as B;
        matches!(kind, InstKind::Binary { op: B::SDiv | B::SRem | B::UDiv | B::URem, .. })
    };
    let Module { types, consts, functions, .. } = module;
    for function in functions.values_mut().filter(|function| !function.is_declaration()) {
        if !function.insts.values().any(|data| may_expand(&data.kind)) {
            continue;
        }
        rewrite::expand(types, consts, function, may_expand, |builder, inst| {
            let mut code = Code { builder, halves: Halves::default(), extremes: Extremes::Called };
            let InstKind::Binary { op, left, right } = code.function.insts[inst].kind else {
                return Expansion::Keep;
            };
            let signed = matches!(op, BinaryOp::SRem | BinaryOp::SDiv);
            let wants_rest = matches!(op, BinaryOp::SRem | BinaryOp::URem);
            divisions::by_constant(&mut code, [left, right], signed, wants_rest)
                .map_or(Expansion::Keep, Expansion::Value)
        });
    }
}

fn is_geometric(kind: &InstKind) -> bool {
    use Intrinsic as I;
    let InstKind::Intrinsic { intrinsic, .. } = kind else { return false };
    matches!(
        intrinsic,
        I::Distance | I::Length | I::Normalize | I::FastDistance | I::FastLength | I::FastNormalize
    )
}

fn expand_function(
    types: &mut TypePool,
    consts: &mut ConstPool,
    function: &mut Function,
    target: Target,
    errors: &mut Vec<Diagnostic>,
) {
    rewrite::expand(types, consts, function, may_expand, |builder, inst| {
        expand_inst(
            &mut Code { builder, halves: target.halves, extremes: Extremes::Called },
            inst,
            target,
            errors,
        )
    });
}

/// Whether an instruction is one of those that are looked at.
fn may_expand(kind: &InstKind) -> bool {
    matches!(
        kind,
        InstKind::Intrinsic { .. }
            | InstKind::Convert { .. }
            | InstKind::AtomicLoad { .. }
            | InstKind::AtomicStore { .. }
            | InstKind::AtomicModify { .. }
            | InstKind::CopyMemory { .. }
            | InstKind::Binary { op: BinaryOp::SRem, .. }
    )
}

fn expand_inst(
    code: &mut Code<'_, '_>,
    inst: Inst,
    target: Target,
    errors: &mut Vec<Diagnostic>,
) -> Expansion {
    let InstData { kind, result, math: _, location } = code.function.insts[inst];
    let value = |value: Option<Value>| value.map_or(Expansion::Keep, Expansion::Value);
    match kind {
        InstKind::Intrinsic { intrinsic, arguments } => {
            let arguments: Vec<Value> = code.function.values_of(arguments).collect();
            let ty = result.map_or(TypePool::VOID, |result| code.ty(result));
            match (table::expand(code, intrinsic, &arguments, ty, target), target.shader) {
                (Outcome::Expanded(expansion), _) => expansion,
                (Outcome::Unavailable(reason), Some(environment)) => {
                    errors.push(lacks(location.span, intrinsic, environment, reason));
                    Expansion::Keep
                }
                (Outcome::Unavailable(_), None) => Expansion::Keep,
            }
        }
        InstKind::Convert { op, operand, rounding, saturate } => {
            let Some(result) = result else { return Expansion::Keep };
            let to = code.ty(result);
            value(conversions::convert(code, op, operand, to, rounding, saturate))
        }
        // OpSRem with a negative operand is undefined in Vulkan (Precision and Operation of SPIR-V
        // Instructions), and wrong on some drivers; OpSDiv is fine.
        InstKind::Binary { op: BinaryOp::SRem, left, right } => {
            let quotient = code.builder.binary(BinaryOp::SDiv, left, right);
            let multiple = code.builder.binary(BinaryOp::IMul, quotient, right);
            Expansion::Value(code.builder.binary(BinaryOp::ISub, left, multiple))
        }
        // The pass over memory knows which variables keep their types.
        InstKind::CopyMemory { .. } if target.shader.is_some() => Expansion::Keep,
        InstKind::CopyMemory { destination, source, size, access } => {
            match copies::copy(code, [destination, source], size, access) {
                Some(()) => Expansion::Done,
                None => Expansion::Keep,
            }
        }
        InstKind::AtomicLoad { pointer, ordering } => value(atomics::load(code, pointer, ordering)),
        InstKind::AtomicStore { pointer, value, ordering } => {
            match atomics::store(code, pointer, value, ordering) {
                Some(()) => Expansion::Done,
                None => Expansion::Keep,
            }
        }
        InstKind::AtomicModify { op, pointer, value: operand, ordering } => {
            let has_instruction = match op {
                AtomicOp::FAdd => target.float_sums,
                AtomicOp::FMin | AtomicOp::FMax => target.float_extrema,
                AtomicOp::Exchange => {
                    return value(atomics::exchange(code, pointer, operand, ordering));
                }
                AtomicOp::IAdd
                | AtomicOp::ISub
                | AtomicOp::SMin
                | AtomicOp::UMin
                | AtomicOp::SMax
                | AtomicOp::UMax
                | AtomicOp::And
                | AtomicOp::Or
                | AtomicOp::Xor => true,
            };
            if has_instruction {
                return Expansion::Keep;
            }
            value(atomics::modify(code, op, pointer, operand, ordering))
        }
        _ => Expansion::Keep,
    }
}

fn lacks(
    span: Span,
    intrinsic: Intrinsic,
    environment: Environment,
    reason: &'static str,
) -> Diagnostic {
    let name = intrinsic.source_name();
    let message = format!("`{name}` cannot be compiled for {environment}: {reason}");
    Diagnostic::new(&diagnostics::E0703, span, message).at("not available there")
}
