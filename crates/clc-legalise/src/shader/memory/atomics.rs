//! Atomics on all kinds of places.

use clc_builtins::{AtomicOp, Intrinsic};
use clc_ir::{BinaryOp, CompareOp, StorageClass, Type, TypePool, Value};

use super::Pool;
use super::arithmetic::integer;
use super::places::{Place, Variable};
use super::rewrite::Rewriter;
use super::roots::Shape;
use super::types::has_wide_vectors;

/// `memory_scope_device`
const DEVICE: u64 = 2;

fn is_float_op(op: AtomicOp) -> bool {
    match op {
        AtomicOp::FAdd | AtomicOp::FSub | AtomicOp::FMin | AtomicOp::FMax => true,
        AtomicOp::IAdd
        | AtomicOp::ISub
        | AtomicOp::Increment
        | AtomicOp::Decrement
        | AtomicOp::SMin
        | AtomicOp::UMin
        | AtomicOp::SMax
        | AtomicOp::UMax
        | AtomicOp::And
        | AtomicOp::Or
        | AtomicOp::Xor
        | AtomicOp::Exchange => false,
    }
}

pub(super) fn is_atomic(intrinsic: Intrinsic) -> bool {
    matches!(
        intrinsic,
        Intrinsic::Atomic(_)
            | Intrinsic::AtomicFetch(_)
            | Intrinsic::AtomicCmpxchg
            | Intrinsic::AtomicInit
            | Intrinsic::AtomicLoad
            | Intrinsic::AtomicStore
            | Intrinsic::AtomicCompareExchangeStrong
            | Intrinsic::AtomicCompareExchangeWeak
            | Intrinsic::AtomicFlagTestAndSet
            | Intrinsic::AtomicFlagClear
    )
}

/// The type in which operand `index` of an atomic, a pointer to `pointee`, is accessed.
pub(super) fn accessed(
    types: &TypePool,
    intrinsic: Intrinsic,
    index: usize,
    pointee: Type,
) -> Option<Type> {
    if !is_atomic(intrinsic) || types.lanes(pointee) > 1 {
        return None;
    }
    let bits = types.scalar_bits(pointee).or(types.is_pointer(pointee).then_some(64))?;
    match intrinsic {
        Intrinsic::Atomic(op) | Intrinsic::AtomicFetch(op) if is_float_op(op) => Some(pointee),
        Intrinsic::AtomicInit => Some(pointee),
        // What was expected is an ordinary object.
        _ if index > 0 => Some(pointee),
        _ => Some(match bits {
            8 => TypePool::I8,
            16 => TypePool::I16,
            32 => TypePool::I32,
            _ => TypePool::I64,
        }),
    }
}

/// Whether a builtin asks for no more than where a pointer leads.
pub(super) fn looks_only(intrinsic: Intrinsic) -> bool {
    matches!(intrinsic, Intrinsic::GetFence | Intrinsic::Prefetch)
}

/// An atomic operation on an object.
#[derive(Clone, Copy)]
enum Operation {
    Modify(AtomicOp),
    CompareExchange,
    Load,
    Store,
}

/// An atomic without its object.
struct Call<'a> {
    intrinsic: Intrinsic,
    operation: Operation,
    /// The value, or comparand and value.
    values: &'a [Value],
    /// Orders and scope, as the source has them.
    orders: &'a [Value],
    /// The type of the object.
    ty: Type,
}

impl Rewriter<'_, '_> {
    pub fn atomic(
        &mut self,
        intrinsic: Intrinsic,
        arguments: &[Value],
        result: Option<Value>,
    ) -> Option<Value> {
        let object = arguments[0];
        let ty = self.pointee(object);
        let place = self.place(object);
        let result = result.map(|result| self.b.ty(result));
        let mut operand = |index: usize| self.operand(arguments[index]);
        match intrinsic {
            Intrinsic::Atomic(op) | Intrinsic::AtomicFetch(op) => {
                let has_value = !matches!(op, AtomicOp::Increment | AtomicOp::Decrement);
                let count = usize::from(has_value);
                let operands: Vec<Value> = (1..arguments.len()).map(&mut operand).collect();
                let (values, orders) = operands.split_at(count.min(operands.len()));
                let operation = Operation::Modify(op);
                self.atomic_at(place, &Call { intrinsic, operation, values, orders, ty })
            }
            Intrinsic::AtomicCmpxchg => {
                let values = [operand(1), operand(2)];
                let operation = Operation::CompareExchange;
                self.atomic_at(
                    place,
                    &Call { intrinsic, operation, values: &values, orders: &[], ty },
                )
            }
            Intrinsic::AtomicInit => {
                let value = operand(1);
                let access = self.natural_access(ty);
                self.store(place, value, access);
                None
            }
            Intrinsic::AtomicLoad => {
                let orders: Vec<Value> = (1..arguments.len()).map(&mut operand).collect();
                let operation = Operation::Load;
                let call = Call { intrinsic, operation, values: &[], orders: &orders, ty };
                self.atomic_at(place, &call)
            }
            Intrinsic::AtomicStore => {
                let operands: Vec<Value> = (1..arguments.len()).map(&mut operand).collect();
                let (values, orders) = operands.split_at(1);
                let operation = Operation::Store;
                self.atomic_at(place, &Call { intrinsic, operation, values, orders, ty })
            }
            Intrinsic::AtomicCompareExchangeStrong | Intrinsic::AtomicCompareExchangeWeak => {
                let desired = operand(2);
                let orders: Vec<Value> = (3..arguments.len()).map(&mut operand).collect();
                let expected = self.place(arguments[1]);
                let access = self.natural_access(ty);
                let comparand = self.load(expected, ty, access);
                let values = [comparand, desired];
                let operation = Operation::CompareExchange;
                let call = Call { intrinsic, operation, values: &values, orders: &orders, ty };
                let found = self.atomic_at(place, &call)?;
                self.store(expected, found, access);
                let int = integer(self.b.types, ty);
                let (found, comparand) =
                    (self.b.bitcast(found, int), self.b.bitcast(comparand, int));
                let equal = self.b.compare(CompareOp::Equal, found, comparand);
                Some(self.truth(equal, result))
            }
            Intrinsic::AtomicFlagTestAndSet => {
                let orders: Vec<Value> = (1..arguments.len()).map(&mut operand).collect();
                let values = [self.b.int(ty, 1)];
                let call = Call {
                    intrinsic: Intrinsic::AtomicFetch(AtomicOp::Exchange),
                    operation: Operation::Modify(AtomicOp::Exchange),
                    values: &values,
                    orders: &orders,
                    ty,
                };
                let found = self.atomic_at(place, &call)?;
                let zero = self.b.int(ty, 0);
                let was_set = self.b.compare(CompareOp::NotEqual, found, zero);
                Some(self.truth(was_set, result))
            }
            Intrinsic::AtomicFlagClear => {
                let orders: Vec<Value> = (1..arguments.len()).map(&mut operand).collect();
                let values = [self.b.int(ty, 0)];
                let call = Call {
                    intrinsic: Intrinsic::AtomicStore,
                    operation: Operation::Store,
                    values: &values,
                    orders: &orders,
                    ty,
                };
                self.atomic_at(place, &call)
            }
            _ => None,
        }
    }

    /// A truth value as the result type of a function that returns `bool`.
    fn truth(&mut self, value: Value, ty: Option<Type>) -> Value {
        match ty {
            Some(ty) if !self.b.types.is_bool(ty) => {
                let (one, zero) = (self.b.int(ty, 1), self.b.int(ty, 0));
                self.b.select(value, one, zero)
            }
            _ => value,
        }
    }

    fn atomic_at(&mut self, place: Place, call: &Call<'_>) -> Option<Value> {
        debug_assert!(!has_wide_vectors(self.b.types, call.ty));
        let result = match call.operation {
            Operation::Store => None,
            Operation::Modify(_) | Operation::CompareExchange | Operation::Load => Some(call.ty),
        };
        self.by_space(place, result, &mut |this, place| {
            let value = this.atomic_in(place, call);
            result.map(|ty| value.unwrap_or_else(|| this.b.undef(ty)))
        })
    }

    fn atomic_in(&mut self, place: Place, call: &Call<'_>) -> Option<Value> {
        if self.is_private(place) {
            return self.by_one_work_item(place, call);
        }
        let size = self.b.types.size(call.ty);
        if let (Place::Pool(..), true) = (place, size != 4) {
            let reason = "an object of other than 32 bits in local memory whose address is \
                          converted, stored or passed on is accessed word by word";
            self.error(call.intrinsic, reason);
            return None;
        }
        if let Operation::Modify(op) = call.operation
            && is_float_op(op)
        {
            return if self.holds(place, call.ty) {
                self.issue(place, call, call.ty)
            } else {
                self.by_exchange(place, call, op)
            };
        }
        let int = integer(self.b.types, call.ty);
        let values: Vec<Value> =
            call.values.iter().map(|&value| self.b.bitcast(value, int)).collect();
        let found = self.issue(place, &Call { values: &values, ..*call }, int)?;
        Some(self.b.bitcast(found, call.ty))
    }

    fn is_private(&self, place: Place) -> bool {
        match place {
            Place::Pool(pool, _) => pool == Pool::Private,
            Place::Element(root, _) | Place::Part(Variable::Root(root), _) => {
                self.plan.roots.roots[root as usize].class == StorageClass::Function
            }
            Place::Part(Variable::Global(_), _) | Place::Global(_) | Place::Generic(_) => false,
        }
    }

    /// Whether the memory at a place can be accessed as a float of this type.
    fn holds(&self, place: Place, ty: Type) -> bool {
        match place {
            Place::Global(_) | Place::Part(..) => true,
            Place::Element(root, _) => {
                self.plan.roots.roots[root as usize].shape == Shape::Elements(ty)
            }
            Place::Pool(..) | Place::Generic(_) => false,
        }
    }

    /// The pointer to a scalar of type `ty`, for an access that follows at once.
    fn scalar_pointer(&mut self, place: Place, ty: Type) -> Option<Value> {
        Some(match place {
            Place::Global(address) => self.buffer_pointer(address, ty),
            Place::Pool(pool, offset) => self.word_pointer(pool, offset)?,
            Place::Element(root, index) => self.element_pointer(root, index),
            Place::Part(variable, path) => self.variable_pointer(variable, path),
            Place::Generic(_) => return None,
        })
    }

    /// The instruction itself, on an object of type `ty`.
    fn issue(&mut self, place: Place, call: &Call<'_>, ty: Type) -> Option<Value> {
        let pointer = self.scalar_pointer(place, ty)?;
        let mut operands = vec![pointer];
        operands.extend_from_slice(call.values);
        operands.extend_from_slice(call.orders);
        let (intrinsic, result) = match call.operation {
            Operation::Modify(_) | Operation::Load => (call.intrinsic, ty),
            // With orders and scope, if it has any.
            Operation::CompareExchange => {
                if call.intrinsic != Intrinsic::AtomicCmpxchg {
                    operands.truncate(1 + call.values.len());
                    operands.extend(self.exchange_orders(call.orders));
                }
                (Intrinsic::AtomicCmpxchg, ty)
            }
            Operation::Store => (Intrinsic::AtomicStore, TypePool::VOID),
        };
        self.b.intrinsic(intrinsic, &operands, result)
    }

    /// Order of success, order of failure and scope of a comparing exchange (OpenCL C 6.15.12.7.4).
    fn exchange_orders(&mut self, orders: &[Value]) -> [Value; 3] {
        /// `memory_order_seq_cst`
        const STRONGEST: i32 = 4;
        let success = orders.first().copied().unwrap_or_else(|| self.b.i32(STRONGEST));
        let failure = orders.get(1).copied().unwrap_or(success);
        let scope = orders.get(2).copied();
        [success, failure, scope.unwrap_or_else(|| self.b.int(TypePool::I32, DEVICE))]
    }

    /// On private memory nobody comes in between.
    fn by_one_work_item(&mut self, place: Place, call: &Call<'_>) -> Option<Value> {
        let access = self.natural_access(call.ty);
        if let Operation::Store = call.operation {
            self.store(place, call.values[0], access);
            return None;
        }
        let old = self.load(place, call.ty, access);
        let new = match call.operation {
            Operation::Load | Operation::Store => return Some(old),
            Operation::Modify(op) => self.modified(op, old, call.values.first().copied()),
            Operation::CompareExchange => {
                let int = integer(self.b.types, call.ty);
                let (found, comparand) =
                    (self.b.bitcast(old, int), self.b.bitcast(call.values[0], int));
                let equal = self.b.compare(CompareOp::Equal, found, comparand);
                self.b.select(equal, call.values[1], old)
            }
        };
        self.store(place, new, access);
        Some(old)
    }

    /// What an object holds after a modification.
    fn modified(&mut self, op: AtomicOp, old: Value, value: Option<Value>) -> Value {
        let ty = self.b.ty(old);
        let value = match value {
            Some(value) => value,
            None => self.b.int(ty, 1),
        };
        let arithmetic = |op| Ok(op);
        let chosen = |op| Err(op);
        let how = match op {
            AtomicOp::Exchange => return value,
            AtomicOp::IAdd | AtomicOp::Increment => arithmetic(BinaryOp::IAdd),
            AtomicOp::ISub | AtomicOp::Decrement => arithmetic(BinaryOp::ISub),
            AtomicOp::And => arithmetic(BinaryOp::And),
            AtomicOp::Or => arithmetic(BinaryOp::Or),
            AtomicOp::Xor => arithmetic(BinaryOp::Xor),
            AtomicOp::FAdd => arithmetic(BinaryOp::FAdd),
            AtomicOp::FSub => arithmetic(BinaryOp::FSub),
            AtomicOp::SMin => chosen(CompareOp::SLess),
            AtomicOp::UMin => chosen(CompareOp::ULess),
            AtomicOp::FMin => chosen(CompareOp::FLess),
            AtomicOp::SMax => chosen(CompareOp::SGreater),
            AtomicOp::UMax => chosen(CompareOp::UGreater),
            AtomicOp::FMax => chosen(CompareOp::FGreater),
        };
        match how {
            Ok(op) => self.b.binary(op, old, value),
            Err(op) => {
                let keeps = self.b.compare(op, old, value);
                self.b.select(keeps, old, value)
            }
        }
    }

    /// A modification of a float in memory that holds integers: tries to exchange what was found
    /// for what it becomes, until nobody came in between.
    fn by_exchange(&mut self, place: Place, call: &Call<'_>, op: AtomicOp) -> Option<Value> {
        let int = integer(self.b.types, call.ty);
        let scope = call.orders.get(1).copied();
        let scope = scope.unwrap_or_else(|| self.b.int(TypePool::I32, DEVICE));
        let relaxed = self.b.i32(0);
        let pointer = self.scalar_pointer(place, int)?;
        let first = self.b.intrinsic(Intrinsic::AtomicLoad, &[pointer, relaxed, scope], int)?;
        let (again, done) = (self.b.new_block(), self.b.new_block());
        let old = self.b.function.add_block_param(again, int);
        self.b.jump(again, &[first]);
        self.b.switch_to(again);
        let float = self.b.bitcast(old, call.ty);
        let new = self.modified(op, float, call.values.first().copied());
        let values = [old, self.b.bitcast(new, int)];
        let order = match (call.orders.first(), call.intrinsic) {
            (Some(&order), _) => order,
            (None, Intrinsic::AtomicFetch(_)) => self.b.i32(4),
            (None, _) => relaxed,
        };
        let orders = [order, relaxed, scope];
        let exchange = Call {
            intrinsic: Intrinsic::AtomicCompareExchangeStrong,
            operation: Operation::CompareExchange,
            values: &values,
            orders: &orders,
            ty: int,
        };
        let found = self.issue(place, &exchange, int)?;
        let equal = self.b.compare(CompareOp::Equal, found, old);
        let block = self.b.call_block(done, &[]);
        let retry = self.b.call_block(again, &[found]);
        self.b.terminate(clc_ir::Terminator::Branch {
            condition: equal,
            then: block,
            otherwise: retry,
        });
        self.b.switch_to(done);
        Some(float)
    }
}
