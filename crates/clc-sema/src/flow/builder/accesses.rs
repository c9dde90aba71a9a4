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

    /// Does `access` to a place: first what computes it, then the place itself.
    pub(super) fn place(&mut self, place: ExprId, expr: ExprId, access: Access) {
        self.part(place, place, expr, access);
    }

    /// [`Builder::place`], where `part` is what is left of `place` when members and components are
    /// peeled off.
    fn part(&mut self, part: ExprId, place: ExprId, expr: ExprId, access: Access) {
        let module = self.module;
        match &module.exprs[part].kind {
            ExprKind::Local(local) => {
                let access = if part == place { access } else { partly(access) };
                self.access(Variable::Local(*local), place, expr, access);
            }
            ExprKind::Global(global) => {
                if module.globals[*global].space == AddressSpace::Local {
                    self.access(Variable::Shared(*global), place, expr, partly(access));
                }
            }
            ExprKind::Member { base, .. } | ExprKind::Swizzle { base, .. } => {
                self.part(*base, place, expr, access);
            }
            ExprKind::VectorElement { base, index } => {
                self.value(*index);
                self.part(*base, place, expr, access);
            }
            ExprKind::Deref(pointer) => self.pointed(*pointer, place, expr, access),
            ExprKind::CompoundLiteral { .. } => self.value(part),
            _ => self.value(part),
        }
    }

    /// Does `access` to what a pointer points to, as far as the pointer shows it.
    pub(super) fn pointer(&mut self, pointer: ExprId, expr: ExprId, access: Access) {
        self.pointed(pointer, pointer, expr, access);
    }

    fn pointed(&mut self, pointer: ExprId, place: ExprId, expr: ExprId, access: Access) {
        match self.module.exprs[pointer].kind {
            ExprKind::PtrAdd { pointer, index, .. } => {
                self.value(index);
                self.pointed(pointer, place, expr, access);
            }
            ExprKind::AddressOf(inner) | ExprKind::Decay(inner) => {
                self.part(inner, place, expr, access);
            }
            ExprKind::Reinterpret(inner) | ExprKind::SpaceCast(inner) => {
                self.pointed(inner, place, expr, access);
            }
            _ => self.value(pointer),
        }
    }

    fn access(&mut self, variable: Variable, place: ExprId, expr: ExprId, access: Access) {
        match access {
            Access::Read => self.event(Event::Read { variable, expr, place }),
            Access::Write { value, keeps } => {
                self.event(Event::Write { variable, expr, place, value, keeps });
            }
            Access::Update { value } => {
                self.event(Event::Read { variable, expr, place });
                self.event(Event::Write { variable, expr, place, value, keeps: true });
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
