//! Truth values: comparisons, short-circuit evaluation, and the integers C makes of them.

use clc_ir::{BinaryOp, Block, CompareOp, Type, TypeKind, TypePool, UnaryOp, Value};
use clc_sema::hir::{self, ExprId, ExprKind, LogicalOp};

use crate::module::FunctionLowering;

impl FunctionLowering<'_, '_> {
    /// Branches on a condition of any scalar type.
    pub fn condition(&mut self, id: ExprId, then: Block, otherwise: Block) {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || {
            let expr = self.expr_data(id);
            match &expr.kind {
                ExprKind::Logical { op, left, right } if !self.types().is_vector(expr.ty.ty) => {
                    let middle = self.new_block();
                    match op {
                        LogicalOp::And => self.condition(*left, middle, otherwise),
                        LogicalOp::Or => self.condition(*left, then, middle),
                    }
                    self.switch_to(middle);
                    self.condition(*right, then, otherwise);
                }
                ExprKind::Unary { op: hir::UnaryOp::LogicalNot, operand } => {
                    self.condition(*operand, otherwise, then);
                }
                _ => {
                    let truth = self.truth(id);
                    self.build(|b| b.branch(truth, then, otherwise));
                }
            }
        });
    }

    /// A scalar as a boolean: whether it is not zero.
    pub fn truth(&mut self, id: ExprId) -> Value {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.truth_inner(id))
    }

    fn truth_inner(&mut self, id: ExprId) -> Value {
        let expr = self.expr_data(id);
        match &expr.kind {
            ExprKind::Compare { op, left, right } => {
                self.span = expr.span;
                self.comparison(*op, *left, *right)
            }
            ExprKind::Unary { op: hir::UnaryOp::LogicalNot, operand } => {
                let truth = self.truth(*operand);
                self.build(|b| b.unary(UnaryOp::Not, truth))
            }
            ExprKind::Logical { op, left, right } => self.logical(*op, *left, *right),
            ExprKind::Constant(bits) if !self.is_float(expr.ty.ty) => {
                let truth = *bits != 0;
                self.build(|b| b.bool(truth))
            }
            _ => {
                let value = self.value(id);
                self.nonzero(value)
            }
        }
    }

    /// Component-wise `value != 0`.
    pub fn nonzero(&mut self, value: Value) -> Value {
        let ty = self.value_type(value);
        let float = self.cx.module.types.is_float(ty);
        self.build(|b| {
            let zero = b.zero(ty);
            let op = if float { CompareOp::FNotEqual } else { CompareOp::NotEqual };
            b.compare(op, value, zero)
        })
    }

    /// `&&` and `||` of scalars as a boolean; the right side is evaluated only if it decides.
    fn logical(&mut self, op: LogicalOp, left: ExprId, right: ExprId) -> Value {
        let left = self.truth(left);
        if self.is_cheap(right, 4) {
            let right = self.truth(right);
            let op = match op {
                LogicalOp::And => BinaryOp::And,
                LogicalOp::Or => BinaryOp::Or,
            };
            return self.build(|b| b.binary(op, left, right));
        }
        let evaluate = self.new_block();
        let join = self.new_block();
        let result = self.function.add_block_param(join, TypePool::BOOL);
        self.build(|b| {
            let decided = b.bool(op == LogicalOp::Or);
            let short = b.call_block(join, &[decided]);
            let long = b.call_block(evaluate, &[]);
            let (then, otherwise) = match op {
                LogicalOp::And => (long, short),
                LogicalOp::Or => (short, long),
            };
            b.terminate(clc_ir::Terminator::Branch { condition: left, then, otherwise });
        });
        self.switch_to(evaluate);
        let right = self.truth(right);
        self.build(|b| b.jump(join, &[right]));
        self.switch_to(join);
        result
    }

    /// Whether an expression has no effects, cannot fail and costs at most `budget` operations, so
    /// that evaluating it needlessly does no harm and is cheaper than a branch.
    pub fn is_cheap(&self, id: ExprId, budget: u32) -> bool {
        let Some(budget) = budget.checked_sub(1) else { return false };
        match &self.expr_data(id).kind {
            ExprKind::Constant(_) | ExprKind::ConstantValue(_) | ExprKind::Null => true,
            ExprKind::Load(place) => {
                matches!(&self.expr_data(*place).kind, ExprKind::Local(_))
                    && !self.expr_data(*place).ty.quals.is_volatile
                    && self.types().as_arithmetic(self.expr_data(*place).ty.ty).is_some()
            }
            ExprKind::Unary { operand, .. }
            | ExprKind::Convert { operand, .. }
            | ExprKind::Reinterpret(operand) => self.is_cheap(*operand, budget),
            ExprKind::Compare { left, right, .. } => {
                self.is_cheap(*left, budget) && self.is_cheap(*right, budget)
            }
            ExprKind::Binary { op, left, right } => {
                !matches!(op, hir::BinaryOp::Div | hir::BinaryOp::Rem)
                    && self.is_cheap(*left, budget)
                    && self.is_cheap(*right, budget)
            }
            _ => false,
        }
    }

    /// A comparison as a boolean or a vector of booleans.
    pub fn comparison(&mut self, op: hir::CompareOp, left: ExprId, right: ExprId) -> Value {
        let ty = self.expr_data(left).ty.ty;
        let span = self.span;
        let left = self.value(left);
        let right = self.value(right);
        self.span = span;
        let op = match self.types().as_arithmetic(ty) {
            Some((scalar, _)) if scalar.is_float() => match op {
                hir::CompareOp::Equal => CompareOp::FEqual,
                hir::CompareOp::NotEqual => CompareOp::FNotEqual,
                hir::CompareOp::Less => CompareOp::FLess,
                hir::CompareOp::LessEqual => CompareOp::FLessEqual,
                hir::CompareOp::Greater => CompareOp::FGreater,
                hir::CompareOp::GreaterEqual => CompareOp::FGreaterEqual,
            },
            Some((scalar, _)) if scalar.is_signed() => match op {
                hir::CompareOp::Equal => CompareOp::Equal,
                hir::CompareOp::NotEqual => CompareOp::NotEqual,
                hir::CompareOp::Less => CompareOp::SLess,
                hir::CompareOp::LessEqual => CompareOp::SLessEqual,
                hir::CompareOp::Greater => CompareOp::SGreater,
                hir::CompareOp::GreaterEqual => CompareOp::SGreaterEqual,
            },
            // Unsigned integers, booleans and pointers.
            _ => match op {
                hir::CompareOp::Equal => CompareOp::Equal,
                hir::CompareOp::NotEqual => CompareOp::NotEqual,
                hir::CompareOp::Less => CompareOp::ULess,
                hir::CompareOp::LessEqual => CompareOp::ULessEqual,
                hir::CompareOp::Greater => CompareOp::UGreater,
                hir::CompareOp::GreaterEqual => CompareOp::UGreaterEqual,
            },
        };
        let operand = self.value_type(left);
        let is_pointer = self.cx.module.types.is_pointer(operand);
        let size = self.cx.module.types.size_type();
        self.build(|b| {
            // Order of addresses is order of integers; equality is an operation of its own.
            if is_pointer && !matches!(op, CompareOp::Equal | CompareOp::NotEqual) {
                let left = b.convert(clc_ir::ConvertOp::PtrToInt, left, size);
                let right = b.convert(clc_ir::ConvertOp::PtrToInt, right, size);
                return b.compare(op, left, right);
            }
            b.compare(op, left, right)
        })
    }

    /// A boolean as C's integer: 0 or 1, in each component of a vector 0 or -1.
    pub fn integer_truth(&mut self, truth: Value, ty: Type) -> Value {
        let vector = matches!(self.cx.module.types.kind(ty), TypeKind::Vector(..));
        self.build(|b| {
            let element = b.types.scalar(ty);
            let set = b.int(element, if vector { u64::MAX } else { 1 });
            let yes = b.splat(ty, set);
            let no = b.zero(ty);
            b.select(truth, yes, no)
        })
    }

    /// The vector of booleans a vector expression stands for when `-1` is true and `0` false, or
    /// (for `?:`) when the most significant bit decides.
    pub fn lane_truth(&mut self, id: ExprId) -> Value {
        let expr = self.expr_data(id);
        if let ExprKind::Compare { op, left, right } = &expr.kind {
            self.span = expr.span;
            return self.comparison(*op, *left, *right);
        }
        let value = self.value(id);
        let ty = self.value_type(value);
        self.build(|b| {
            let zero = b.zero(ty);
            b.compare(CompareOp::SLess, value, zero)
        })
    }

    pub fn is_float(&self, ty: clc_sema::types::TypeId) -> bool {
        self.types().as_arithmetic(ty).is_some_and(|(scalar, _)| scalar.is_float())
    }
}
