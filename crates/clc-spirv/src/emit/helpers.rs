//! What lowerings call: operands, one appended instruction at a time, common little sequences.

use clc_builtins::resolve::Rounding;
use clc_ir::{Const, FuncId, StorageClass, Type, TypePool, Value};
use smallvec::SmallVec;
use spirv::{BuiltIn, Decoration, FPRoundingMode, GlslStd450Op, Op, OpenclStd100Op};

use super::{Call, FunctionEmitter, Id};

impl FunctionEmitter<'_, '_> {
    /// The id of an operand.
    ///
    /// # Panics
    /// If the value is not defined before its use, which the verifier excludes.
    pub fn operand(&mut self, value: Value) -> Id {
        match value.as_const() {
            Some(id) => self.module.use_const(id, &mut self.uses.variables),
            None => {
                let id = self.value_ids[value.as_local().unwrap_or_default()];
                debug_assert!(id != 0, "{value} is used before its definition");
                id
            }
        }
    }

    /// The id of a function that is an operand: a block's invoke function. Who enqueues it does not
    /// call it, so it is in no call tree.
    pub fn function_operand(&mut self, function: FuncId) -> Id {
        self.module.function_id(function)
    }

    pub fn operands(&mut self, values: &[Value]) -> SmallVec<[Id; 8]> {
        values.iter().map(|&value| self.operand(value)).collect()
    }

    /// The type of an operand.
    pub fn ty(&self, value: Value) -> Type {
        match value.as_const() {
            Some(id) => self.module.consts.ty(id),
            None => self.function.values[value.as_local().unwrap_or_default()].ty,
        }
    }

    /// The value of an integer constant, zero-extended.
    pub fn constant_int(&self, value: Value) -> Option<u64> {
        match *self.module.consts.get(value.as_const()?) {
            Const::Int(_, bits) => Some(bits),
            Const::Bool(value) => Some(u64::from(value)),
            _ => None,
        }
    }

    /// Pointee and storage class of a pointer operand.
    pub fn pointer_parts(&self, value: Value) -> Option<(Type, StorageClass)> {
        self.module.types.pointer_parts(self.ty(value))
    }

    /// Appends an instruction with a result of type `ty`.
    pub fn op(&mut self, op: Op, ty: Type, operands: &[u32]) -> Id {
        let ty = self.module.value_type_id(ty);
        self.op_raw(op, ty, operands)
    }

    /// As [`FunctionEmitter::op`], with a type that the IR does not have
    /// ([`ModuleEmitter::raw_type`](super::ModuleEmitter::raw_type)).
    pub fn op_raw(&mut self, op: Op, ty: Id, operands: &[u32]) -> Id {
        let result = self.module.fresh_id();
        self.module.code.op_result(op, ty, result, operands);
        result
    }

    /// Appends an instruction without a result.
    pub fn op_void(&mut self, op: Op, operands: &[u32]) {
        self.module.code.op(op, operands);
    }

    /// Appends an instruction of OpenCL.std; a void result type is allowed.
    pub fn ext(&mut self, op: OpenclStd100Op, ty: Type, operands: &[u32]) -> Id {
        let set = self.module.opencl_std();
        let mut words: SmallVec<[u32; 10]> = SmallVec::new();
        words.extend_from_slice(&[set, op as u32]);
        words.extend_from_slice(operands);
        self.op(Op::ExtInst, ty, &words)
    }

    /// Appends an instruction of GLSL.std.450.
    pub fn glsl(&mut self, op: GlslStd450Op, ty: Type, operands: &[u32]) -> Id {
        let set = self.module.glsl_std_450();
        let mut words: SmallVec<[u32; 6]> = SmallVec::new();
        words.extend_from_slice(&[set, op as u32]);
        words.extend_from_slice(operands);
        self.op(Op::ExtInst, ty, &words)
    }

    /// A built-in variable's value.
    pub fn load_builtin(&mut self, builtin: BuiltIn) -> Id {
        let variable = self.module.builtin(builtin);
        self.uses.variables.push(variable.id);
        self.op(Op::Load, variable.ty, &[variable.id])
    }

    /// `scalar` in every component of `ty`; `scalar` itself if `ty` is a scalar.
    pub fn splat(&mut self, ty: Type, scalar: Id) -> Id {
        match self.module.types.lanes(ty) {
            1 => scalar,
            lanes => {
                let parts: SmallVec<[Id; 16]> =
                    std::iter::repeat_n(scalar, usize::from(lanes)).collect();
                self.op(Op::CompositeConstruct, ty, &parts)
            }
        }
    }

    /// An integer in every component of `ty`.
    pub fn splat_int(&mut self, ty: Type, value: u64) -> Id {
        let constant = self.module.splat_int_value(ty, value);
        self.operand(constant)
    }

    /// Booleans of type `bools` (`Bool` or a vector of it) as integers: `Bool` becomes 0 or 1,
    /// and a vector's components 0 or -1, as the relational operators give (OpenCL C 6.5.4).
    pub fn bool_to_int(&mut self, condition: Id, ty: Type) -> Id {
        let truth = if self.module.types.lanes(ty) == 1 { 1 } else { u64::MAX };
        let truth = self.splat_int(ty, truth);
        let falsehood = self.splat_int(ty, 0);
        self.op(Op::Select, ty, &[condition, truth, falsehood])
    }

    /// A boolean as `ty`: itself, or 0 and 1.
    pub fn bool_value(&mut self, condition: Id, ty: Type) -> Id {
        if self.module.types.is_bool(ty) { condition } else { self.bool_to_int(condition, ty) }
    }

    /// `Bool`, or a vector of it as long as `ty`.
    pub fn bool_like(&mut self, ty: Type) -> Type {
        self.module.types.with_scalar(ty, TypePool::BOOL)
    }

    /// Comparison of integers against zero: booleans from the integers of the language.
    pub fn is_nonzero(&mut self, value: Id, ty: Type) -> Id {
        let zero = self.splat_int(ty, 0);
        let bools = self.bool_like(ty);
        self.op(Op::INotEqual, bools, &[value, zero])
    }

    /// Reads a part of an aggregate or vector.
    pub fn extract(&mut self, aggregate: Id, ty: Type, path: &[u32]) -> Id {
        let mut words: SmallVec<[u32; 4]> = SmallVec::new();
        words.push(aggregate);
        words.extend_from_slice(path);
        self.op(Op::CompositeExtract, ty, &words)
    }

    /// Decorates a result; for decorations that need no operand.
    pub fn decorate(&mut self, target: Id, decoration: Decoration) {
        self.module.decorate(target, decoration, &[]);
    }

    /// Replaces a part of an aggregate or vector.
    pub fn insert(&mut self, aggregate: Id, element: Id, ty: Type, path: &[u32]) -> Id {
        let mut words: SmallVec<[u32; 4]> = SmallVec::new();
        words.extend_from_slice(&[element, aggregate]);
        words.extend_from_slice(path);
        self.op(Op::CompositeInsert, ty, &words)
    }

    /// The vector in an aggregate that the last step of `path` goes into. SPIR-V lets one
    /// instruction reach a component of it; consumers that are built on LLVM, whose `extractvalue`
    /// stops at a vector, crash on that.
    pub fn vector_inside(&self, aggregate: Type, path: &[u32]) -> Option<Type> {
        let [outer @ .., _] = path else { return None };
        if outer.is_empty() {
            return None;
        }
        let types = &self.module.types;
        let ty = outer.iter().try_fold(aggregate, |ty, &index| types.component(ty, index))?;
        (types.lanes(ty) > 1).then_some(ty)
    }

    /// Says that the target cannot express `call`, and gives an undefined result so that emission
    /// goes on and finds more of the same.
    /// Legalisation leaves no such call.
    ///
    /// # Panics
    /// Always: it is a bug in the compiler.
    pub fn not_legal(&self, call: &Call<'_>) -> ! {
        panic!("`{}` was left by the legalisation", call.intrinsic.source_name())
    }
}

pub(crate) fn rounding_mode(rounding: Rounding) -> FPRoundingMode {
    match rounding {
        Rounding::NearestEven => FPRoundingMode::RTE,
        Rounding::TowardZero => FPRoundingMode::RTZ,
        Rounding::TowardPositive => FPRoundingMode::RTP,
        Rounding::TowardNegative => FPRoundingMode::RTN,
    }
}
