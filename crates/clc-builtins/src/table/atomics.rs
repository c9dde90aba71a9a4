//! Atomic functions of OpenCL C 1.x (6.15.12.8).

use clc_base::memory_model::AtomicOp::{
    And, Exchange, IAdd, ISub, Or, SMax, SMin, UMax, UMin, Xor,
};

use crate::Intrinsic;
use crate::SyncCall::{self, Atomic, AtomicCmpxchg, AtomicDecrement, AtomicIncrement};
use crate::guard::{
    GLOBAL_BASE_ATOMICS, Guard, INT64_BASE_ATOMICS, INT64_EXTENDED_ATOMICS, SINCE_1_1,
};
use crate::table::{Elements, FLOAT, GENERIC, GLOBAL, INT, LOCAL, Row, SCALAR, UINT, f};
use crate::types::Scalar;

const LONG: Elements = Elements::of(&[Scalar::Long]);
const ULONG: Elements = Elements::of(&[Scalar::ULong]);
const INT_UINT: Elements = INT.union(UINT);
const LONG_ULONG: Elements = LONG.union(ULONG);

/// A row of OpenCL C 1.x. Generic pointers come from 2.0, where these functions remain.
const fn old(
    name: &'static str,
    signature: &'static str,
    elements: Elements,
    guard: Guard,
    call: SyncCall,
) -> Row {
    f(name, signature, elements, Intrinsic::Sync(call))
        .widths(SCALAR)
        .spaces(GLOBAL | LOCAL | GENERIC)
        .when(guard)
}

pub(super) const ROWS: &[Row] = &[
    old("atomic_add", "T(volatile T*, T)", INT_UINT, SINCE_1_1, Atomic(IAdd)),
    old("atom_add", "T(volatile T*, T)", INT_UINT, GLOBAL_BASE_ATOMICS, Atomic(IAdd)),
    old("atom_add", "T(volatile T*, T)", LONG_ULONG, INT64_BASE_ATOMICS, Atomic(IAdd)),
    old("atomic_sub", "T(volatile T*, T)", INT_UINT, SINCE_1_1, Atomic(ISub)),
    old("atom_sub", "T(volatile T*, T)", INT_UINT, GLOBAL_BASE_ATOMICS, Atomic(ISub)),
    old("atom_sub", "T(volatile T*, T)", LONG_ULONG, INT64_BASE_ATOMICS, Atomic(ISub)),
    old("atomic_xchg", "T(volatile T*, T)", INT_UINT, SINCE_1_1, Atomic(Exchange)),
    old("atomic_xchg", "T(volatile T*, T)", FLOAT, SINCE_1_1, Atomic(Exchange)),
    old("atom_xchg", "T(volatile T*, T)", INT_UINT, GLOBAL_BASE_ATOMICS, Atomic(Exchange)),
    old("atom_xchg", "T(volatile T*, T)", FLOAT, GLOBAL_BASE_ATOMICS, Atomic(Exchange)),
    old("atom_xchg", "T(volatile T*, T)", LONG_ULONG, INT64_BASE_ATOMICS, Atomic(Exchange)),
    old("atomic_inc", "T(volatile T*)", INT_UINT, SINCE_1_1, AtomicIncrement),
    old("atom_inc", "T(volatile T*)", INT_UINT, GLOBAL_BASE_ATOMICS, AtomicIncrement),
    old("atom_inc", "T(volatile T*)", LONG_ULONG, INT64_BASE_ATOMICS, AtomicIncrement),
    old("atomic_dec", "T(volatile T*)", INT_UINT, SINCE_1_1, AtomicDecrement),
    old("atom_dec", "T(volatile T*)", INT_UINT, GLOBAL_BASE_ATOMICS, AtomicDecrement),
    old("atom_dec", "T(volatile T*)", LONG_ULONG, INT64_BASE_ATOMICS, AtomicDecrement),
    old("atomic_cmpxchg", "T(volatile T*, T, T)", INT_UINT, SINCE_1_1, AtomicCmpxchg),
    old("atom_cmpxchg", "T(volatile T*, T, T)", INT_UINT, GLOBAL_BASE_ATOMICS, AtomicCmpxchg),
    old("atom_cmpxchg", "T(volatile T*, T, T)", LONG_ULONG, INT64_BASE_ATOMICS, AtomicCmpxchg),
    old("atomic_min", "T(volatile T*, T)", INT, SINCE_1_1, Atomic(SMin)),
    old("atomic_min", "T(volatile T*, T)", UINT, SINCE_1_1, Atomic(UMin)),
    old("atom_min", "T(volatile T*, T)", INT, GLOBAL_BASE_ATOMICS, Atomic(SMin)),
    old("atom_min", "T(volatile T*, T)", UINT, GLOBAL_BASE_ATOMICS, Atomic(UMin)),
    old("atom_min", "T(volatile T*, T)", LONG, INT64_EXTENDED_ATOMICS, Atomic(SMin)),
    old("atom_min", "T(volatile T*, T)", ULONG, INT64_EXTENDED_ATOMICS, Atomic(UMin)),
    old("atomic_max", "T(volatile T*, T)", INT, SINCE_1_1, Atomic(SMax)),
    old("atomic_max", "T(volatile T*, T)", UINT, SINCE_1_1, Atomic(UMax)),
    old("atom_max", "T(volatile T*, T)", INT, GLOBAL_BASE_ATOMICS, Atomic(SMax)),
    old("atom_max", "T(volatile T*, T)", UINT, GLOBAL_BASE_ATOMICS, Atomic(UMax)),
    old("atom_max", "T(volatile T*, T)", LONG, INT64_EXTENDED_ATOMICS, Atomic(SMax)),
    old("atom_max", "T(volatile T*, T)", ULONG, INT64_EXTENDED_ATOMICS, Atomic(UMax)),
    old("atomic_and", "T(volatile T*, T)", INT_UINT, SINCE_1_1, Atomic(And)),
    old("atom_and", "T(volatile T*, T)", INT_UINT, GLOBAL_BASE_ATOMICS, Atomic(And)),
    old("atom_and", "T(volatile T*, T)", LONG_ULONG, INT64_EXTENDED_ATOMICS, Atomic(And)),
    old("atomic_or", "T(volatile T*, T)", INT_UINT, SINCE_1_1, Atomic(Or)),
    old("atom_or", "T(volatile T*, T)", INT_UINT, GLOBAL_BASE_ATOMICS, Atomic(Or)),
    old("atom_or", "T(volatile T*, T)", LONG_ULONG, INT64_EXTENDED_ATOMICS, Atomic(Or)),
    old("atomic_xor", "T(volatile T*, T)", INT_UINT, SINCE_1_1, Atomic(Xor)),
    old("atom_xor", "T(volatile T*, T)", INT_UINT, GLOBAL_BASE_ATOMICS, Atomic(Xor)),
    old("atom_xor", "T(volatile T*, T)", LONG_ULONG, INT64_EXTENDED_ATOMICS, Atomic(Xor)),
];
