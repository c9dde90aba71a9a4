//! Variables at module scope: those of the source, and the built-in ones of SPIR-V.

use clc_base::arena::Id as _;
use clc_ir::{Const, GlobalId, Linkage, StorageClass, Type, TypeKind, TypePool};
use spirv::{BuiltIn, Decoration, LinkageType, Op};

use super::constants::Declared;
use super::{Id, ModuleEmitter};

#[derive(Clone, Copy, Debug)]
pub(super) enum GlobalState {
    Unused,
    Declared {
        /// What uses of the variable see.
        address: Declared,
        /// The variable itself: its type may be another (`long_tables`).
        variable: Id,
    },
}

/// A built-in variable and the type of what it holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BuiltinVariable {
    builtin: BuiltIn,
    pub id: Id,
    pub ty: Type,
}

impl ModuleEmitter<'_> {
    pub(super) fn global_id(&mut self, id: GlobalId) -> Declared {
        match self.global_ids[id.index()] {
            GlobalState::Declared { address, .. } => address,
            GlobalState::Unused => {
                let (address, variable) = self.declare_global(id);
                self.global_ids[id.index()] = GlobalState::Declared { address, variable };
                address
            }
        }
    }

    fn declare_global(&mut self, id: GlobalId) -> (Declared, Id) {
        let global = &self.globals[id];
        let mut variables = Vec::new();
        let initializer = match (global.initializer, global.class, global.linkage) {
            (_, _, Linkage::Import) => None,
            (Some(value), ..) => value.as_const(),
            // What has no initializer is zero (OpenCL C 6.7.1).
            (None, StorageClass::CrossWorkgroup, _) => {
                self.consts.intern(Const::Null(global.ty)).as_const()
            }
            (None, ..) => None,
        };
        let pieces = match global.linkage {
            Linkage::Internal if self.shader.is_none() => {
                initializer.and_then(|constant| self.in_pieces(constant))
            }
            Linkage::Internal | Linkage::Export | Linkage::Import => None,
        };
        let initializer = pieces.or(initializer);
        let initializer = initializer.map(|constant| self.use_const(constant, &mut variables));
        if self.shader.is_some() {
            let id = self.shader_variable(id, initializer);
            variables.push(id);
            return (Declared { id, variables: self.variable_set(variables) }, id);
        }
        self.check_length(global.span, &global.name, true);
        let ty = pieces.map_or(global.ty, |constant| self.consts.ty(constant));
        let pointer = self.types.pointer(ty, global.class);
        let pointer = self.type_id(pointer);
        let class = self.storage_class(global.class);
        let variable = self.fresh_id();
        let mut operands = vec![class];
        operands.extend(initializer);
        self.declarations.op_result(Op::Variable, pointer, variable, &operands);
        self.name(variable, &global.name);
        self.align_variable(variable, global.ty, global.align);
        if global.is_const || global.class == StorageClass::UniformConstant {
            self.decorate(variable, Decoration::Constant, &[]);
        }
        match global.linkage {
            Linkage::Internal => {}
            Linkage::Export => self.linkage(variable, &global.name, LinkageType::Export),
            Linkage::Import => self.linkage(variable, &global.name, LinkageType::Import),
        }
        variables.push(variable);
        let mut id = variable;
        if pieces.is_some() {
            let pointer = self.types.pointer(global.ty, global.class);
            let pointer = self.type_id(pointer);
            id = self.raw_constant(Op::Bitcast, pointer, &[variable]);
        }
        (Declared { id, variables: self.variable_set(variables) }, variable)
    }

    /// States the alignment of a variable that holds a `ty`; `align` is in bytes, 0 for natural.
    ///
    /// SPIR-V says nothing of the address of a variable without the decoration, and a driver packs
    /// such `local` variables, while OpenCL C 6.3.5 aligns every memory object to its size. So all
    /// variables are decorated, of the module and of functions, except where nothing is said: any
    /// address is a multiple of 1, and the layout of opaque objects is the driver's own affair.
    /// Built-in variables are values whose addresses no program takes.
    pub(super) fn align_variable(&mut self, variable: Id, ty: Type, align: u32) {
        let align = match align {
            0 => u32::try_from(self.types.natural_align(ty)).unwrap_or(u32::MAX),
            align => align,
        };
        if align > 1 && !self.is_opaque(ty) {
            self.decorate(variable, Decoration::Alignment, &[align]);
        }
    }

    /// Whether a variable of the type holds objects that only the driver can lay out.
    fn is_opaque(&self, ty: Type) -> bool {
        match self.types.kind(ty) {
            TypeKind::Image(_)
            | TypeKind::Sampler
            | TypeKind::Event
            | TypeKind::DeviceEvent
            | TypeKind::Queue
            | TypeKind::ReserveId
            | TypeKind::Matrix(_)
            | TypeKind::Pipe(_) => true,
            TypeKind::Array(element, _) => self.is_opaque(element),
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::Vector(..)
            | TypeKind::Struct(_)
            | TypeKind::Pointer { .. }
            | TypeKind::NdRange => false,
        }
    }

    /// A built-in variable, in Input storage.
    pub fn builtin(&mut self, builtin: BuiltIn) -> BuiltinVariable {
        if let Some(&variable) = self.builtins.iter().find(|variable| variable.builtin == builtin) {
            return variable;
        }
        // In shaders all of them are 32 bits wide.
        let size_t = if self.shader.is_some() { TypePool::I32 } else { self.types.size_type() };
        let ty = match builtin {
            BuiltIn::GlobalInvocationId
            | BuiltIn::GlobalOffset
            | BuiltIn::GlobalSize
            | BuiltIn::LocalInvocationId
            | BuiltIn::NumWorkgroups
            | BuiltIn::WorkgroupId
            | BuiltIn::WorkgroupSize
            | BuiltIn::EnqueuedWorkgroupSize => self.types.vector(size_t, 3),
            BuiltIn::GlobalLinearId | BuiltIn::LocalInvocationIndex => size_t,
            BuiltIn::WorkDim
            | BuiltIn::SubgroupSize
            | BuiltIn::SubgroupMaxSize
            | BuiltIn::NumSubgroups
            | BuiltIn::NumEnqueuedSubgroups
            | BuiltIn::SubgroupId
            | BuiltIn::SubgroupLocalInvocationId => TypePool::I32,
            BuiltIn::SubgroupEqMask
            | BuiltIn::SubgroupGeMask
            | BuiltIn::SubgroupGtMask
            | BuiltIn::SubgroupLeMask
            | BuiltIn::SubgroupLtMask => self.types.vector(TypePool::I32, 4),
            other => unreachable!("no intrinsic reads the built-in variable {other:?}"),
        };
        let pointer = self.types.pointer(ty, StorageClass::Input);
        let pointer = self.type_id(pointer);
        let id = self.fresh_id();
        let class = self.storage_class(StorageClass::Input);
        self.declarations.op_result(Op::Variable, pointer, id, &[class]);
        self.name(id, &format!("{builtin:?}"));
        self.decorate(id, Decoration::BuiltIn, &[builtin as u32]);
        if self.shader.is_none() {
            self.decorate(id, Decoration::Constant, &[]);
        }
        let variable = BuiltinVariable { builtin, id, ty };
        self.builtins.push(variable);
        variable
    }

    /// Whether `id` is a built-in variable; before SPIR-V 1.4 only these are in an entry point's
    /// interface.
    pub(super) fn is_input(&self, id: Id) -> bool {
        self.builtins.iter().any(|variable| variable.id == id)
    }
}
