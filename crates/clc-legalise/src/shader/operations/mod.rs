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
mod dot_products;
mod formats;
mod geometric;
mod integer;
mod memory;
pub(crate) mod narrow;
mod opaque_values;
mod parts;
mod relational;
mod table;
mod vectors;

use clc_base::{Diagnostic, Span};
use clc_builtins::Intrinsic;
use clc_ir::{
    BinaryOp, Block, Builder, ConstPool, Function, Inst, InstData, InstKind, Module, Terminator,
    TypePool, Value,
};

use crate::diagnostics;
use crate::{Environment, TargetOptions};
use code::Code;

/// What becomes of an instruction.
enum Expansion {
    /// It stays.
    Keep,
    /// Its result is this value.
    Value(Value),
    /// It has no result, and has been written.
    Done,
    /// Shaders have nothing like it, for this reason.
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
}

impl Target {
    fn of(options: &TargetOptions) -> Target {
        let extensions = &options.extensions;
        Target {
            shader: Some(options.environment),
            dot_products: options.spirv_version >= (1, 6),
            // Few devices have them, so they are used where they are asked for.
            float_sums: extensions.asks_for("SPV_EXT_shader_atomic_float_add"),
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
}

fn expand(module: &mut Module, target: Target) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let Module { types, consts, functions, .. } = module;
    for function in functions.values_mut().filter(|function| !function.is_declaration()) {
        expand_function(types, consts, function, target, &mut errors);
    }
    opaque_values::run(module, target.shader.is_some());
    errors
}

fn expand_function(
    types: &mut TypePool,
    consts: &mut ConstPool,
    function: &mut Function,
    target: Target,
    errors: &mut Vec<Diagnostic>,
) {
    // By local value: what replaces it.
    let mut replacements: Vec<Option<Value>> = vec![None; function.values.len()];
    let mut changed = false;
    for index in 0..function.layout.len() {
        let block = function.layout[index];
        let insts = &function.blocks[block].insts;
        if !insts.iter().any(|&inst| may_expand(&function.insts[inst].kind)) {
            continue;
        }
        changed = true;
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let terminator = std::mem::take(&mut function.blocks[block].terminator);
        let mut code = Code { builder: Builder::new(types, consts, function, block) };
        for inst in insts {
            expand_inst(&mut code, inst, target, &mut replacements, errors);
        }
        let end = code.block();
        close(function, block, end, terminator);
    }
    if changed {
        function.map_all_operands(|value| {
            let mut value = value;
            while let Some(&Some(new)) = value.as_local().and_then(|local| replacements.get(local))
            {
                value = new;
            }
            value
        });
    }
}

/// Whether an instruction is one of those that are looked at.
fn may_expand(kind: &InstKind) -> bool {
    matches!(
        kind,
        InstKind::Intrinsic { .. }
            | InstKind::Convert { .. }
            | InstKind::CopyMemory { .. }
            | InstKind::Binary { op: BinaryOp::SRem, .. }
    )
}

fn expand_inst(
    code: &mut Code<'_>,
    inst: Inst,
    target: Target,
    replacements: &mut [Option<Value>],
    errors: &mut Vec<Diagnostic>,
) {
    let InstData { kind, result, float, span } = code.function.insts[inst];
    code.builder.span = span;
    code.builder.float = float;
    let expansion = match kind {
        InstKind::Intrinsic { intrinsic, arguments } => {
            let arguments: Vec<Value> = code.function.values_of(arguments).collect();
            let ty = result.map_or(TypePool::VOID, |result| code.ty(result));
            match (table::expand(code, intrinsic, &arguments, ty, target), target.shader) {
                (Expansion::Unavailable(reason), Some(environment)) => {
                    errors.push(lacks(span, intrinsic, environment, reason));
                    Expansion::Keep
                }
                (expansion, _) => expansion,
            }
        }
        InstKind::Convert { op, operand, rounding, saturate } => match result {
            Some(result) => {
                let to = code.ty(result);
                match conversions::convert(code, op, operand, to, rounding, saturate) {
                    Some(value) => Expansion::Value(value),
                    None => Expansion::Keep,
                }
            }
            None => Expansion::Keep,
        },
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
        _ => Expansion::Keep,
    };
    match expansion {
        Expansion::Keep | Expansion::Unavailable(_) => {
            // Variables stay in the entry, wherever that ends now.
            let block = match kind {
                InstKind::Variable { .. } => code.function.entry(),
                _ => code.block(),
            };
            code.function.blocks[block].insts.push(inst);
        }
        Expansion::Value(value) => {
            if let Some(slot) = result.and_then(|result| replacements.get_mut(result.as_local()?)) {
                *slot = Some(value);
            }
        }
        Expansion::Done => {}
    }
}

/// Ends what was `block` in the block where its expansions ended.
fn close(function: &mut Function, block: Block, end: Block, terminator: Terminator) {
    let span = function.blocks[block].span;
    function.blocks[end].terminator = terminator;
    function.blocks[end].span = span;
    if end == block {
        return;
    }
    // What is said of a loop names the block that goes back; a header that is no longer one block
    // is no place for it.
    function.loop_hints.remove(&block);
    for hint in function.loop_hints.values_mut() {
        if hint.continue_target == block {
            hint.continue_target = end;
        }
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
    Diagnostic::new(&diagnostics::E0703, span, message)
}
