//! What expressions do to the variables that lvalues and pointers lead to.

use clc_base::AddressSpace;
use clc_builtins::{Intrinsic, SyncCall};

use super::{Access, Builder};
use crate::flow::graph::{Event, Variable};
use crate::hir::{ExprId, ExprKind};

impl Builder<'_> {
    pub(super) fn intrinsic(&mut self, intrinsic: Intrinsic, arguments: &[ExprId], expr: ExprId) {
        let pointer = match intrinsic {
            Intrinsic::Vload | Intrinsic::VloadHalf | Intrinsic::VloadaHalf => {
                Some((1, Access::Read))
            }
            Intrinsic::Vstore | Intrinsic::VstoreHalf(_) | Intrinsic::VstoreaHalf(_) => {
                Some((2, Access::Write { value: None, keeps: true }))
            }
            Intrinsic::Sync(
                SyncCall::Atomic(_)
                | SyncCall::AtomicIncrement
                | SyncCall::AtomicDecrement
                | SyncCall::AtomicFetch(_)
                | SyncCall::AtomicFetchSubFloat
                | SyncCall::AtomicCmpxchg
                | SyncCall::AtomicCompareExchangeStrong
                | SyncCall::AtomicCompareExchangeWeak,
            ) => Some((0, Access::Update { value: None })),
            Intrinsic::Sync(SyncCall::AtomicLoad) => Some((0, Access::Read)),
            Intrinsic::Sync(
                SyncCall::AtomicInit | SyncCall::AtomicStore | SyncCall::AtomicFlagClear,
            ) => Some((0, Access::Write { value: None, keeps: true })),
            _ => None,
        };
        for (index, &argument) in arguments.iter().enumerate() {
            match pointer {
                Some((which, access)) if which == index => self.pointer(argument, expr, access),
                _ => self.value(argument),
            }
        }
        if !intrinsic.effects().is_pure() {
            self.event(Event::Call(expr));
        }
    }

    /// Does `access` to an lvalue: first what computes its address, then the object itself.
    pub(super) fn lvalue(&mut self, lvalue: ExprId, expr: ExprId, access: Access) {
        self.part(lvalue, lvalue, expr, access);
    }

    /// [`Builder::lvalue`] or [`Builder::pointer`], where `part` is what is left of `target` without
    /// members and components.
    fn part(&mut self, part: ExprId, target: ExprId, expr: ExprId, access: Access) {
        let module = self.module;
        match &module.exprs[part].kind {
            ExprKind::Local(local) => {
                let access = if part == target { access } else { partly(access) };
                self.access(Variable::Local(*local), target, expr, access);
            }
            ExprKind::Global(global) => {
                if module.globals[*global].space == AddressSpace::Local {
                    self.access(Variable::Shared(*global), target, expr, partly(access));
                }
            }
            ExprKind::Member { base, .. } | ExprKind::Swizzle { base, .. } => {
                self.part(*base, target, expr, access);
            }
            ExprKind::VectorElement { base, index } => {
                self.value(*index);
                self.part(*base, target, expr, access);
            }
            ExprKind::Deref(pointer) => self.pointed(*pointer, target, expr, access),
            ExprKind::CompoundLiteral { .. } => self.value(part),
            _ => self.value(part),
        }
    }

    /// Does `access` to what a pointer points to, as far as the pointer shows it.
    pub(super) fn pointer(&mut self, pointer: ExprId, expr: ExprId, access: Access) {
        self.pointed(pointer, pointer, expr, access);
    }

    fn pointed(&mut self, pointer: ExprId, target: ExprId, expr: ExprId, access: Access) {
        match self.module.exprs[pointer].kind {
            ExprKind::PtrAdd { pointer, index, .. } => {
                self.value(index);
                self.pointed(pointer, target, expr, access);
            }
            ExprKind::AddressOf(inner) | ExprKind::Decay(inner) => {
                self.part(inner, target, expr, access);
            }
            ExprKind::Reinterpret(inner) | ExprKind::SpaceCast(inner) => {
                self.pointed(inner, target, expr, access);
            }
            _ => self.value(pointer),
        }
    }

    fn access(&mut self, variable: Variable, target: ExprId, expr: ExprId, access: Access) {
        match access {
            Access::Read => self.event(Event::Read { variable, expr, target }),
            Access::Write { value, keeps } => {
                self.event(Event::Write { variable, expr, target, value, keeps });
            }
            Access::Update { value } => {
                self.event(Event::Read { variable, expr, target });
                self.event(Event::Write { variable, expr, target, value, keeps: true });
            }
            Access::Expose => self.event(Event::Expose { variable }),
        }
    }
}

/// What an access to a part of a variable does to the whole.
fn partly(access: Access) -> Access {
    match access {
        Access::Write { value, .. } => Access::Write { value, keeps: true },
        Access::Read | Access::Update { .. } | Access::Expose => access,
    }
}
