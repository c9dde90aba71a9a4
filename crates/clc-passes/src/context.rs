//! What passes over functions know of the module around them.

use clc_base::Arena;
use clc_base::lang::FloatOptions;
use clc_ir::{ConstPool, Global, GlobalId, TypePool};

/// What a pass over one function may use of the module.
pub struct ModuleContext<'a> {
    /// The types of the module.
    pub types: &'a mut TypePool,
    /// The constants of the module.
    pub consts: &'a mut ConstPool,
    /// The variables of the module.
    pub globals: &'a Arena<GlobalId, Global>,
    /// The floating-point options of the compilation.
    pub float_options: FloatOptions,
    /// By function: whether a call whose result is unused may be removed.
    pub removable: &'a [bool],
    /// By function: whether calls with equal arguments are equal.
    pub constant: &'a [bool],
}
