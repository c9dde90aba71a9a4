//! Intrinsics as SPIR-V: what a call to a builtin becomes.
//!
//! [`lower`] is called for each intrinsic call of each emitted function, in dominance order, and
//! appends the instructions that compute the call's result to the current block.
//!
//! The conventions:
//! * It returns the id of the result, or 0 for a call without one. That id may be new, or the id of
//!   an operand or a constant when nothing has to be computed.
//! * [`FunctionEmitter::op`] and its kin append one instruction and return its result id; types
//!   and constants come from `f.module` ([`ModuleEmitter`](crate::emit::ModuleEmitter)), which
//!   declares them once, together with the capabilities they need.
//! * A capability or extension that an instruction itself needs is asked for by
//!   `f.module.capability(..)` and `f.module.extension(..)`.
//! * What the target cannot express ends in `return f.unsupported(call, "reason")`: a diagnostic
//!   (E0703), and a result that keeps emission going.
//! * A lowering never makes blocks: what needs control flow is expanded before emission.

use clc_builtins::Intrinsic;
use rspirv::spirv::{BuiltIn, MemorySemantics, Op, OpenclStd100Op as Cl, Scope};

use crate::emit::{Call, FunctionEmitter, Id};

/// Appends what `call` does to the current block and returns the id of its result (0 for none).
pub(crate) fn lower(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    match call.intrinsic {
        Intrinsic::GetGlobalId => dimension(f, call, BuiltIn::GlobalInvocationId, 0),
        Intrinsic::GetLocalId => dimension(f, call, BuiltIn::LocalInvocationId, 0),
        Intrinsic::GetGroupId => dimension(f, call, BuiltIn::WorkgroupId, 0),
        Intrinsic::GetGlobalSize => dimension(f, call, BuiltIn::GlobalSize, 1),
        Intrinsic::GetLocalSize => dimension(f, call, BuiltIn::WorkgroupSize, 1),
        Intrinsic::GetNumGroups => dimension(f, call, BuiltIn::NumWorkgroups, 1),
        Intrinsic::Barrier => {
            let flags = call.arguments[0];
            let Some(flags) = f.constant_int(flags) else {
                return f.unsupported(call, "the fence flags are not a constant");
            };
            let mut semantics = MemorySemantics::SEQUENTIALLY_CONSISTENT;
            if flags & 1 != 0 {
                semantics |= MemorySemantics::WORKGROUP_MEMORY;
            }
            if flags & 2 != 0 {
                semantics |= MemorySemantics::CROSS_WORKGROUP_MEMORY;
            }
            let scope = f.module.u32_constant(Scope::Workgroup as u32);
            let semantics = f.module.u32_constant(semantics.bits());
            f.op_void(Op::ControlBarrier, &[scope, scope, semantics]);
            0
        }
        Intrinsic::Sqrt => ext(f, call, Cl::sqrt),
        Intrinsic::FClamp => ext(f, call, Cl::fclamp),
        Intrinsic::SClamp => ext(f, call, Cl::s_clamp),
        Intrinsic::UClamp => ext(f, call, Cl::u_clamp),
        Intrinsic::Printf => ext(f, call, Cl::printf),
        _ => f.unsupported(call, "it is not lowered yet"),
    }
}

/// One instruction of OpenCL.std with the call's operands.
fn ext(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Cl) -> Id {
    let operands = f.operands(call.arguments);
    f.ext(op, call.result, &operands)
}

/// A component of a three-component built-in variable; `outside` for other dimensions.
fn dimension(
    f: &mut FunctionEmitter<'_, '_>,
    call: &Call<'_>,
    builtin: BuiltIn,
    outside: u64,
) -> Id {
    let vector = f.load_builtin(builtin);
    let size_t = f.module.types.size_type();
    let dimension = call.arguments[0];
    if let Some(index) = f.constant_int(dimension) {
        if index > 2 {
            return f.module.int_constant(size_t, outside);
        }
        return f.op(Op::CompositeExtract, size_t, &[vector, index as u32]);
    }
    let index = f.operand(dimension);
    let index_type = f.ty(dimension);
    let limit = f.module.int_constant(index_type, 3);
    let inside = f.op(Op::ULessThan, clc_ir::TypePool::BOOL, &[index, limit]);
    let component = f.op(Op::VectorExtractDynamic, size_t, &[vector, index]);
    let outside = f.module.int_constant(size_t, outside);
    f.op(Op::Select, size_t, &[inside, component, outside])
}
