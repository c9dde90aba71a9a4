//! Modules: everything that becomes one SPIR-V module.

use clc_base::lang::FloatOptions;
use clc_base::{Arena, Span, Version, define_id};

use crate::debug::DebugInfo;
use crate::{Align, ConstPool, Function, StorageClass, Type, TypePool, Value};

define_id!(
    /// A function of the module.
    FuncId,
    "f"
);
define_id!(
    /// A module-scope variable.
    GlobalId,
    "g"
);

/// Who may use a function or variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Linkage {
    /// Visible in this module only.
    Internal,
    /// Defined here, visible to other modules.
    Export,
    /// Defined elsewhere.
    Import,
}

/// A variable at module scope.
#[derive(Clone, Debug)]
pub struct Global {
    /// The name in the source, or a made one; other modules link by it.
    pub name: String,
    /// The type of what is stored.
    pub ty: Type,
    /// The memory that it is in.
    pub class: StorageClass,
    /// A constant; `None` leaves the contents undefined (Workgroup) or zero (CrossWorkgroup).
    pub initializer: Option<Value>,
    /// Of its address.
    pub align: Align,
    /// Nothing writes it.
    pub is_const: bool,
    /// Who may use it.
    pub linkage: Linkage,
    /// Of its name in the source.
    pub span: Span,
}

/// Attributes of a pointer (or by-value) parameter that reach SPIR-V as decorations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParamAttributes {
    /// `const T *`: FuncParamAttr NoWrite
    pub no_write: bool,
    /// `restrict`
    pub no_alias: bool,
    /// It points to `volatile`.
    pub volatile: bool,
    /// A struct passed by value through a pointer to a private copy (kernels): FuncParamAttr
    /// ByVal.
    pub by_value: bool,
    /// It is a signed integer narrower than `int`.
    pub sign_extend: bool,
    /// It is an unsigned integer narrower than `int`.
    pub zero_extend: bool,
    /// Alignment of the pointee in bytes; 0 for natural.
    pub align: Align,
}

/// What `clGetKernelArgInfo` and reflection tell of one argument, in the source's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelArgument {
    /// The name of the parameter.
    pub name: String,
    /// `float*`, `image2d_t`, without qualifiers.
    pub type_name: String,
    /// `const`, `restrict volatile`, …
    pub type_qualifiers: String,
    /// `None`, `read_only`, `write_only`, `read_write`.
    pub access: Option<clc_builtins::Access>,
    /// Of what it points to; private for other arguments.
    pub address_space: clc_base::AddressSpace,
}

/// What a kernel is beyond a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryPoint {
    /// The kernel's name in the source, which the host uses.
    pub name: String,
    /// `reqd_work_group_size`
    pub reqd_work_group_size: Option<[u32; 3]>,
    /// The same with specialization constants of the program; there is then no `reqd_work_group_size`.
    pub work_group_constants: Option<[clc_base::lang::GroupExtent; 3]>,
    /// `work_group_size_hint`
    pub work_group_size_hint: Option<[u32; 3]>,
    /// Encoded as SPIR-V's VecTypeHint wants it: component count << 16 | data type.
    pub vec_type_hint: Option<u32>,
    /// The type of that is unsigned, which it does not say.
    pub vec_type_unsigned: bool,
    /// `intel_reqd_sub_group_size`
    pub sub_group_size: Option<u32>,
    /// FP_CONTRACT OFF holds for the whole kernel.
    pub contraction_off: bool,
    /// By parameter, as the source has them.
    pub arguments: Vec<KernelArgument>,
}

/// A program, or a part of one.
#[derive(Clone, Debug)]
pub struct Module {
    /// The types of everything below.
    pub types: TypePool,
    /// The constants of everything below.
    pub consts: ConstPool,
    /// Variables at program scope, and `local` ones.
    pub globals: Arena<GlobalId, Global>,
    /// In the order of the source; declarations have no blocks.
    pub functions: Arena<FuncId, Function>,
    /// What debuggers are told of the source; present where debug information was asked for.
    pub debug: Option<Box<DebugInfo>>,
    /// The language version of the source.
    pub version: Version,
    /// The floating-point options of the compilation.
    pub float_options: FloatOptions,
    /// FP_CONTRACT OFF holds somewhere. Where the entry points are in other modules, this is for
    /// them; not part of the text form.
    pub contraction_off: bool,
}

impl Module {
    /// `pointer_size` is 4 or 8 bytes.
    pub fn new(pointer_size: u64, version: Version) -> Module {
        Module {
            types: TypePool::new(pointer_size),
            consts: ConstPool::new(),
            globals: Arena::new(),
            functions: Arena::new(),
            debug: None,
            version,
            float_options: FloatOptions::default(),
            contraction_off: false,
        }
    }

    /// Drops debug information; the code stays as it is.
    pub fn forget_source(&mut self) {
        self.debug = None;
        for function in self.functions.values_mut() {
            function.debug = None;
        }
    }

    /// The kernels that have bodies.
    pub fn kernels(&self) -> impl Iterator<Item = FuncId> {
        let functions = self.functions.iter();
        functions
            .filter(|(_, function)| function.entry_point.is_some() && !function.is_declaration())
            .map(|(id, _)| id)
    }

    /// The type of an operand of `function`.
    pub fn value_type(&self, function: &Function, value: Value) -> Type {
        match value.as_const() {
            Some(id) => self.consts.ty(id),
            None => function.values[value.as_local().unwrap_or_default()].ty,
        }
    }
}
