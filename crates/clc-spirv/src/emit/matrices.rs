//! Types of cooperative matrices and of their elements (SPV_KHR_cooperative_matrix).

use clc_ir::{InstKind, MatrixType, TypeKind, Value};
use spirv::{Capability, Op, Scope};

use super::{FunctionEmitter, Id, ModuleEmitter};

impl ModuleEmitter<'_> {
    pub(super) fn matrix_type(&mut self, matrix: MatrixType) -> Id {
        self.capability(Capability::CooperativeMatrixKHR);
        self.extension("SPV_KHR_cooperative_matrix");
        let element = self.matrix_element(matrix);
        let scope = self.u32_constant(Scope::Subgroup as u32);
        let rows = self.u32_constant(matrix.rows);
        let columns = self.u32_constant(matrix.columns);
        let role = self.u32_constant(matrix.role as u32);
        // Types that differ in their signs only are one for OpenCL.
        let operands = [element, scope, rows, columns, role];
        self.raw_type(Op::TypeCooperativeMatrixKHR, &operands)
    }

    /// The type of the elements of a matrix. Vulkan knows the matrices that a device has by the signs of
    /// their elements, too (VkComponentTypeKHR); everything else is signless.
    pub fn matrix_element(&mut self, matrix: MatrixType) -> Id {
        let signless = self.value_type_id(matrix.element);
        match self.types.scalar_bits(matrix.element) {
            Some(bits) if matrix.is_signed && self.shader.is_some() => {
                self.raw_type(Op::TypeInt, &[u32::from(bits), 1])
            }
            _ => signless,
        }
    }
}

impl FunctionEmitter<'_, '_> {
    /// The type of what a pointer to an element of a matrix points to, where the IR does not have it.
    pub(super) fn signed_element(&mut self, pointer: Value) -> Option<Id> {
        self.module.shader.as_ref()?;
        let function = self.function;
        let (_, data) = function.def_inst(pointer)?;
        let InstKind::Access { base, indices } = data.kind else { return None };
        let (mut ty, _) = self.pointer_parts(base)?;
        for _ in function.values_of(indices) {
            match self.module.types.kind(ty) {
                TypeKind::Array(element, _) => ty = element,
                TypeKind::Matrix(matrix) if matrix.is_signed => {
                    return Some(self.module.matrix_element(matrix));
                }
                _ => return None,
            }
        }
        None
    }
}
