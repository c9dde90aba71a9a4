//! Atomic functions of C11 (6.15.12), made of operations × types × forms.

use clc_base::memory_model::AtomicOp::{
    And, Exchange, FAdd, FMax, FMin, IAdd, ISub, Or, SMax, SMin, UMax, UMin, Xor,
};

use crate::Intrinsic;
use crate::SyncCall::{
    self, AtomicCompareExchangeStrong, AtomicCompareExchangeWeak, AtomicFetch, AtomicFetchSubFloat,
    AtomicFlagClear, AtomicFlagTestAndSet, AtomicInit, AtomicLoad, AtomicStore,
};
use crate::features as f;
use crate::guard::{Guard, from, only};
use crate::signature::Signature;
use crate::table::{
    Elements, FLOAT, GENERIC, GLOBAL, INT, LOCAL, NONE, PRIVATE, Row, SCALAR, UINT, WRITABLE,
};
use crate::types::Scalar;
use clc_base::Version::{V2_0, V3_0};

/// An operation on every type that it exists for.
struct Operation {
    forms: Forms,
    /// What the call means depends on the type: additions of integers and of floating-point
    /// numbers are different instructions.
    meanings: &'static [(&'static [Types], SyncCall)],
}

/// The functions of an operation.
enum Forms {
    /// `atomic_init` only, which is no atomic operation: it has neither an order nor a scope.
    Plain { name: &'static str, signature: &'static str },
    /// The three functions that differ in which of the order and the scope are arguments.
    Ordered { short: &'static str, explicit: &'static str, signatures: [&'static str; 3] },
}

/// Types that need the same extensions and features.
struct Types {
    elements: Elements,
    /// Objects in private memory come through generic pointers too.
    spaces: u8,
    guards: Guards,
}

/// What the forms of an operation need, each in addition to what the type needs.
#[derive(Clone, Copy)]
struct Guards {
    /// Order and scope are arguments.
    scoped: Guard,
    /// "The functions that do not have `memory_scope` argument have the same semantics as the
    /// corresponding functions with the `memory_scope` argument set to `memory_scope_device`."
    ordered: Guard,
    /// "The functions not ending in explicit have the same semantics as the corresponding
    /// explicit function with `memory_order_seq_cst`."
    short: Guard,
}

/// The guards of a type that needs the listed extensions and features.
macro_rules! guards {
    ($($need:ident)*) => {
        Guards {
            scoped: Guard(&[from(V2_0, &[$(f::$need),*])]),
            ordered: Guard(&[
                only(V2_0, &[$(f::$need),*]),
                from(V3_0, &[$(f::$need,)* f::FEATURE_ATOMIC_SCOPE_DEVICE]),
            ]),
            short: Guard(&[
                only(V2_0, &[$(f::$need),*]),
                from(V3_0, &[
                    $(f::$need,)*
                    f::FEATURE_ATOMIC_ORDER_SEQ_CST,
                    f::FEATURE_ATOMIC_SCOPE_DEVICE,
                ]),
            ]),
        }
    };
}

const ULONG: Elements = Elements::of(&[Scalar::ULong]);
const LONG: Elements = Elements::of(&[Scalar::Long]);
const HALF: Elements = Elements::of(&[Scalar::Half]);
const DOUBLE: Elements = Elements::of(&[Scalar::Double]);

const fn of_32_bits(elements: Elements) -> Types {
    const GUARDS: Guards = guards!();
    Types { elements, spaces: WRITABLE, guards: GUARDS }
}

/// Types of 64 bits need two extensions (6.15.12.6, footnotes).
const fn of_64_bits(elements: Elements) -> Types {
    const GUARDS: Guards = guards!(INT64_BASE_ATOMICS INT64_EXTENDED_ATOMICS);
    Types { elements, spaces: WRITABLE, guards: GUARDS }
}

/// cl_ext_float_atomics has a feature for each address space; functions that take generic pointers
/// need both.
macro_rules! of_extension {
    ($elements:ident, $global:ident, $local:ident $(, $need:ident)*) => {
        &[
            Types {
                elements: $elements,
                spaces: GLOBAL,
                guards: guards!($($need)* EXT_FLOAT_ATOMICS $global),
            },
            Types {
                elements: $elements,
                spaces: LOCAL,
                guards: guards!($($need)* EXT_FLOAT_ATOMICS $local),
            },
            Types {
                elements: $elements,
                spaces: PRIVATE | GENERIC,
                guards: guards!($($need)* EXT_FLOAT_ATOMICS $global $local),
            },
        ]
    };
}

const FLAG: &[Types] = &[of_32_bits(NONE)];
const INTEGERS: &[Types] = &[of_32_bits(INT.union(UINT)), of_64_bits(LONG.union(ULONG))];
const SIGNED: &[Types] = &[of_32_bits(INT), of_64_bits(LONG)];
const UNSIGNED: &[Types] = &[of_32_bits(UINT), of_64_bits(ULONG)];
/// Types that values are moved in and out of.
const NUMBERS: &[Types] =
    &[of_32_bits(INT.union(UINT).union(FLOAT)), of_64_bits(LONG.union(ULONG).union(DOUBLE))];
/// `atomic_half` is a type wherever the extension is there, whatever it supports.
const ANY_HALF: &[Types] =
    &[Types { elements: HALF, spaces: WRITABLE, guards: guards!(EXT_FLOAT_ATOMICS) }];
const MOVED_HALF: &[Types] = of_extension!(
    HALF,
    FEATURE_EXT_FP16_GLOBAL_ATOMIC_LOAD_STORE,
    FEATURE_EXT_FP16_LOCAL_ATOMIC_LOAD_STORE
);
const ADDED_HALF: &[Types] =
    of_extension!(HALF, FEATURE_EXT_FP16_GLOBAL_ATOMIC_ADD, FEATURE_EXT_FP16_LOCAL_ATOMIC_ADD);
const ADDED_FLOAT: &[Types] =
    of_extension!(FLOAT, FEATURE_EXT_FP32_GLOBAL_ATOMIC_ADD, FEATURE_EXT_FP32_LOCAL_ATOMIC_ADD);
const ADDED_DOUBLE: &[Types] = of_extension!(
    DOUBLE,
    FEATURE_EXT_FP64_GLOBAL_ATOMIC_ADD,
    FEATURE_EXT_FP64_LOCAL_ATOMIC_ADD,
    INT64_BASE_ATOMICS,
    INT64_EXTENDED_ATOMICS
);
const COMPARED_HALF: &[Types] = of_extension!(
    HALF,
    FEATURE_EXT_FP16_GLOBAL_ATOMIC_MIN_MAX,
    FEATURE_EXT_FP16_LOCAL_ATOMIC_MIN_MAX
);
const COMPARED_FLOAT: &[Types] = of_extension!(
    FLOAT,
    FEATURE_EXT_FP32_GLOBAL_ATOMIC_MIN_MAX,
    FEATURE_EXT_FP32_LOCAL_ATOMIC_MIN_MAX
);
const COMPARED_DOUBLE: &[Types] = of_extension!(
    DOUBLE,
    FEATURE_EXT_FP64_GLOBAL_ATOMIC_MIN_MAX,
    FEATURE_EXT_FP64_LOCAL_ATOMIC_MIN_MAX,
    INT64_BASE_ATOMICS,
    INT64_EXTENDED_ATOMICS
);

/// The forms of an operation by their signatures without an order and a scope.
macro_rules! forms {
    ($name:literal, $result:literal, $parameters:literal, $orders:literal) => {
        Forms::Ordered {
            short: $name,
            explicit: concat!($name, "_explicit"),
            signatures: [
                concat!($result, "(", $parameters, ")"),
                concat!($result, "(", $parameters, $orders, ")"),
                concat!($result, "(", $parameters, $orders, ", scope)"),
            ],
        }
    };
}

macro_rules! fetch {
    ($name:literal) => {
        forms!($name, "T", "volatile atomic T*, T", ", order")
    };
}

macro_rules! compare_exchange {
    ($name:literal) => {
        forms!($name, "bool", "volatile atomic T*, T*, T", ", order, order")
    };
}

const OPERATIONS: &[Operation] = &[
    Operation {
        forms: Forms::Plain { name: "atomic_init", signature: "void(volatile atomic T*, T)" },
        meanings: &[(NUMBERS, AtomicInit), (ANY_HALF, AtomicInit)],
    },
    Operation {
        forms: fetch!("atomic_fetch_add"),
        meanings: &[
            (INTEGERS, AtomicFetch(IAdd)),
            (ADDED_HALF, AtomicFetch(FAdd)),
            (ADDED_FLOAT, AtomicFetch(FAdd)),
            (ADDED_DOUBLE, AtomicFetch(FAdd)),
        ],
    },
    Operation {
        forms: fetch!("atomic_fetch_sub"),
        meanings: &[
            (INTEGERS, AtomicFetch(ISub)),
            (ADDED_HALF, AtomicFetchSubFloat),
            (ADDED_FLOAT, AtomicFetchSubFloat),
            (ADDED_DOUBLE, AtomicFetchSubFloat),
        ],
    },
    Operation { forms: fetch!("atomic_fetch_or"), meanings: &[(INTEGERS, AtomicFetch(Or))] },
    Operation { forms: fetch!("atomic_fetch_xor"), meanings: &[(INTEGERS, AtomicFetch(Xor))] },
    Operation { forms: fetch!("atomic_fetch_and"), meanings: &[(INTEGERS, AtomicFetch(And))] },
    Operation {
        forms: fetch!("atomic_fetch_min"),
        meanings: &[
            (SIGNED, AtomicFetch(SMin)),
            (UNSIGNED, AtomicFetch(UMin)),
            (COMPARED_HALF, AtomicFetch(FMin)),
            (COMPARED_FLOAT, AtomicFetch(FMin)),
            (COMPARED_DOUBLE, AtomicFetch(FMin)),
        ],
    },
    Operation {
        forms: fetch!("atomic_fetch_max"),
        meanings: &[
            (SIGNED, AtomicFetch(SMax)),
            (UNSIGNED, AtomicFetch(UMax)),
            (COMPARED_HALF, AtomicFetch(FMax)),
            (COMPARED_FLOAT, AtomicFetch(FMax)),
            (COMPARED_DOUBLE, AtomicFetch(FMax)),
        ],
    },
    Operation {
        forms: forms!("atomic_load", "T", "volatile atomic T*", ", order"),
        meanings: &[(NUMBERS, AtomicLoad), (MOVED_HALF, AtomicLoad)],
    },
    Operation {
        forms: forms!("atomic_store", "void", "volatile atomic T*, T", ", order"),
        meanings: &[(NUMBERS, AtomicStore), (MOVED_HALF, AtomicStore)],
    },
    Operation {
        forms: fetch!("atomic_exchange"),
        meanings: &[(NUMBERS, AtomicFetch(Exchange)), (MOVED_HALF, AtomicFetch(Exchange))],
    },
    Operation {
        forms: compare_exchange!("atomic_compare_exchange_strong"),
        meanings: &[(NUMBERS, AtomicCompareExchangeStrong)],
    },
    Operation {
        forms: compare_exchange!("atomic_compare_exchange_weak"),
        meanings: &[(NUMBERS, AtomicCompareExchangeWeak)],
    },
    Operation {
        forms: forms!("atomic_flag_test_and_set", "bool", "volatile flag*", ", order"),
        meanings: &[(FLAG, AtomicFlagTestAndSet)],
    },
    Operation {
        forms: forms!("atomic_flag_clear", "void", "volatile flag*", ", order"),
        meanings: &[(FLAG, AtomicFlagClear)],
    },
];

const fn row(
    (name, signature, guard): (&'static str, &'static str, Guard),
    types: &Types,
    call: SyncCall,
) -> Row {
    Row {
        name,
        signature: Signature::parse(signature),
        elements: types.elements,
        widths: SCALAR,
        spaces: types.spaces,
        images: 0,
        access: 0,
        guard,
        intrinsic: Intrinsic::Sync(call),
    }
}

const COUNT: usize = expand([EMPTY; 0]).1;

/// Every row; filled in order, and counted beyond the end of `rows`.
const fn expand<const N: usize>(mut rows: [Row; N]) -> ([Row; N], usize) {
    let mut count = 0;
    let mut operation = 0;
    while operation < OPERATIONS.len() {
        let Operation { forms, meanings } = &OPERATIONS[operation];
        let mut meaning = 0;
        while meaning < meanings.len() {
            let (types, call) = meanings[meaning];
            let mut class = 0;
            while class < types.len() {
                let Types { guards, .. } = &types[class];
                let functions: &[(&str, &str, Guard)] = match forms {
                    Forms::Plain { name, signature } => &[(name, signature, guards.scoped)],
                    Forms::Ordered { short, explicit, signatures } => &[
                        (short, signatures[0], guards.short),
                        (explicit, signatures[1], guards.ordered),
                        (explicit, signatures[2], guards.scoped),
                    ],
                };
                let mut function = 0;
                while function < functions.len() {
                    if count < N {
                        rows[count] = row(functions[function], &types[class], call);
                    }
                    count += 1;
                    function += 1;
                }
                class += 1;
            }
            meaning += 1;
        }
        operation += 1;
    }
    (rows, count)
}

const EMPTY: Row = row(("", "void()", guards!().scoped), &of_32_bits(NONE), AtomicInit);

pub(super) const ROWS: &[Row] = &expand([EMPTY; COUNT]).0;
