//! The ids of the typed tree's entities.

use clc_base::define_id;

define_id!(
    /// An expression of a module.
    ExprId,
    "h"
);
define_id!(
    /// A statement of a module.
    StmtId,
    "hs"
);
define_id!(
    /// A function of a module: declared, defined, or made for a block literal.
    FuncId,
    "fn"
);
define_id!(
    /// A variable with static storage duration: program scope, `static`, `constant` and `local`
    /// variables of functions, string literals.
    GlobalId,
    "global"
);
define_id!(
    /// A parameter or automatic variable of one function.
    LocalId,
    "local"
);
define_id!(
    /// A named label of one function.
    LabelId,
    "label"
);
define_id!(
    /// A `case` or `default` label of one function.
    CaseId,
    "case"
);
