//! Checks that a typed tree keeps the promises of [`hir`](crate::hir). Runs after every analysis in
//! debug builds; the lowering relies on each of them.
//!
//! 1. Where an operand must be an lvalue it is one, and where it must be a value it is none.
//! 2. Operands of arithmetic, comparisons and vector logic have equal types, which are not enums;
//!    the result of arithmetic has that type.
//! 3. Comparisons and booleans are `int`, or the signed integer vector that matches the operands.
//! 4. Conditions are scalars: arithmetic, not enums, or pointers.
//! 5. A stored value has the type of the lvalue, an argument that of its parameter.
//! 6. `Convert` keeps the number of components, `Reinterpret` the size, `SpaceCast` the pointee.
//! 7. The parts of a `VectorBuild` have its element type and fill it exactly.
//! 8. The indices of an `Aggregate` ascend, and its parts have the types they stand for.
//! 9. Pointers step over types of known size, or over `void`, in bytes.
//! 10. Nothing reported is left: no `Error` expression or type.

use clc_builtins::Scalar;

use crate::hir::{
    BinaryOp, BlockOperands, ExprId, ExprKind, Module, StatementExpression, StmtId, StmtKind,
    Swizzle, UnaryOp,
};
use crate::types::{FunctionType, MatrixType, Type, TypeId, TypeTable};

/// Checks the invariants; the error describes the first one that is violated.
pub fn module(module: &Module) -> Result<(), String> {
    let verifier = Verifier { module };
    for function in module.functions.values() {
        if let Some(body) = function.body {
            verifier.reachable(function, body)?;
        }
    }
    Ok(())
}

struct Verifier<'a> {
    module: &'a Module,
}

/// What is left to look at; trees may be deep, so this is no recursion.
#[derive(Default)]
struct Pending {
    stmts: Vec<StmtId>,
    exprs: Vec<ExprId>,
}

impl Verifier<'_> {
    fn reachable(&self, function: &crate::hir::Function, body: StmtId) -> Result<(), String> {
        let mut pending = Pending { stmts: vec![body], exprs: Vec::new() };
        loop {
            if let Some(expr) = pending.exprs.pop() {
                self.expr(function, expr, &mut pending).map_err(|problem| {
                    let kind = &self.module.exprs[expr].kind;
                    let ty = self.describe(self.ty(expr));
                    format!("{problem} in {expr}: {kind:?} of type {ty}")
                })?;
            } else if let Some(stmt) = pending.stmts.pop() {
                self.stmt(function, stmt, &mut pending)?;
            } else {
                return Ok(());
            }
        }
    }

    fn ty(&self, expr: ExprId) -> TypeId {
        self.module.exprs[expr].ty.ty
    }

    fn describe(&self, ty: TypeId) -> String {
        format!("{:?}", self.module.types.get(ty))
    }

    fn value(&self, expr: ExprId, pending: &mut Pending) -> Result<TypeId, String> {
        if self.module.is_lvalue(expr) {
            return Err(format!("lvalue {expr} stands where a value is needed"));
        }
        pending.exprs.push(expr);
        Ok(self.ty(expr))
    }

    fn lvalue(&self, expr: ExprId, pending: &mut Pending) -> Result<TypeId, String> {
        if !self.module.is_lvalue(expr) {
            return Err(format!("value {expr} stands where an lvalue is needed"));
        }
        pending.exprs.push(expr);
        Ok(self.ty(expr))
    }

    fn require(&self, condition: bool, what: &str) -> Result<(), String> {
        if condition { Ok(()) } else { Err(what.to_owned()) }
    }

    fn same(&self, left: TypeId, right: TypeId, what: &str) -> Result<(), String> {
        if left == right {
            return Ok(());
        }
        Err(format!("{what}: {} and {}", self.describe(left), self.describe(right)))
    }

    /// Element and count of arithmetic types that may be operands.
    fn arithmetic(&self, ty: TypeId) -> Result<(Scalar, u8), String> {
        match self.module.types.get(ty) {
            Type::Scalar(scalar) => Ok((*scalar, 1)),
            Type::Vector(scalar, count) => Ok((*scalar, *count)),
            _ => Err(format!("{} is not arithmetic", self.describe(ty))),
        }
    }

    fn integer(&self, ty: TypeId) -> Result<u8, String> {
        let (scalar, count) = self.arithmetic(ty)?;
        self.require(scalar.is_integer(), "an integer is needed")?;
        Ok(count)
    }

    fn condition(&self, expr: ExprId, pending: &mut Pending) -> Result<(), String> {
        let ty = self.value(expr, pending)?;
        match self.module.types.get(ty) {
            Type::Scalar(_) | Type::Pointer { .. } => Ok(()),
            _ => Err(format!("a condition has type {}", self.describe(ty))),
        }
    }

    /// The result of comparing operands of type `operand`.
    fn boolean(&self, operand: TypeId, result: TypeId) -> Result<(), String> {
        match (self.module.types.get(operand), self.module.types.get(result)) {
            (Type::Vector(element, count), Type::Vector(boolean, boolean_count)) => self.require(
                *boolean == element.to_signed() && count == boolean_count,
                "a boolean has the wrong vector type",
            ),
            (Type::Vector(..), _) => Err("a vector's boolean is no vector".into()),
            _ => self.same(result, TypeTable::INT, "a boolean is not int"),
        }
    }

    fn block(&self, ty: TypeId) -> Result<&FunctionType, String> {
        match self.module.types.get(ty) {
            Type::Block(block) => Ok(block),
            _ => Err("a block is needed".into()),
        }
    }

    fn pointer(&self, ty: TypeId) -> Result<(), String> {
        self.require(self.module.types.as_pointer(ty).is_some(), "a pointer is needed")
    }

    fn stmt(
        &self,
        function: &crate::hir::Function,
        stmt: StmtId,
        pending: &mut Pending,
    ) -> Result<(), String> {
        match &self.module.stmts[stmt].kind {
            StmtKind::Null
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::FpContract(_) => {}
            StmtKind::Expr(expr) => pending.exprs.push(*expr),
            StmtKind::Declare { local, initializer } => {
                let ty = function.locals.get(*local).ok_or("an unknown local")?.ty.ty;
                if let Some(initializer) = initializer {
                    let value = self.value(*initializer, pending)?;
                    self.same(value, ty, "an initializer has another type than its variable")?;
                }
            }
            StmtKind::Block(stmts) => pending.stmts.extend(stmts),
            StmtKind::If { condition, then, otherwise } => {
                self.condition(*condition, pending)?;
                pending.stmts.push(*then);
                pending.stmts.extend(otherwise);
            }
            StmtKind::While { condition, body, .. } | StmtKind::DoWhile { condition, body, .. } => {
                self.condition(*condition, pending)?;
                pending.stmts.push(*body);
            }
            StmtKind::For { initial, condition, step, body, .. } => {
                pending.stmts.extend(initial);
                if let Some(condition) = condition {
                    self.condition(*condition, pending)?;
                }
                pending.exprs.extend(step);
                pending.stmts.push(*body);
            }
            StmtKind::Switch { selector, body, .. } => {
                let ty = self.value(*selector, pending)?;
                self.integer(ty)?;
                pending.stmts.push(*body);
            }
            StmtKind::Case { body, .. } | StmtKind::Label { body, .. } => {
                pending.stmts.push(*body);
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    let ty = self.value(*value, pending)?;
                    self.same(ty, function.result, "a result has the wrong type")?;
                }
            }
        }
        Ok(())
    }

    fn expr(
        &self,
        function: &crate::hir::Function,
        id: ExprId,
        pending: &mut Pending,
    ) -> Result<(), String> {
        let types = &self.module.types;
        let expr = &self.module.exprs[id];
        let ty = expr.ty.ty;
        self.require(ty != TypeTable::ERROR, "a reported type is left")?;
        match &expr.kind {
            ExprKind::Error => Err("a reported expression is left".into()),
            ExprKind::Local(local) => {
                let local = function.locals.get(*local).ok_or("an unknown local")?;
                self.same(local.ty.ty, ty, "a local has another type")
            }
            ExprKind::Global(global) => {
                let declared = self.module.globals[*global].ty.ty;
                match (types.get(ty), types.get(declared)) {
                    // Used before a later declaration said how long it is.
                    (
                        Type::Array { element: used, len: None },
                        Type::Array { element: declared, .. },
                    ) => self.same(used.ty, declared.ty, "a global has other elements"),
                    _ => self.same(declared, ty, "a global has another type"),
                }
            }
            ExprKind::Deref(pointer) => {
                let pointer = self.value(*pointer, pending)?;
                let (pointee, _) = types.as_pointer(pointer).ok_or("a pointer is needed")?;
                self.same(pointee.ty, ty, "a pointee has another type")
            }
            ExprKind::Member { base, field } => {
                pending.exprs.push(*base);
                let Type::Record(record) = types.get(self.ty(*base)) else {
                    return Err("a member of no record".into());
                };
                let body = types.records[*record].body.as_ref().ok_or("an incomplete record")?;
                let field = body.fields.get(*field as usize).ok_or("an unknown field")?;
                self.same(field.ty.ty, ty, "a field has another type")
            }
            ExprKind::Swizzle { base, swizzle } => {
                pending.exprs.push(*base);
                let &Type::Vector(element, count) = types.get(self.ty(*base)) else {
                    return Err("a swizzle of no vector".into());
                };
                let inside = swizzle
                    .as_slice()
                    .iter()
                    .all(|&component| component < count || component == Swizzle::UNDEFINED);
                self.require(inside, "a component is out of range")?;
                self.require(
                    self.arithmetic(ty)? == (element, swizzle.count),
                    "a swizzle has the wrong type",
                )
            }
            ExprKind::VectorElement { base, index } => {
                pending.exprs.push(*base);
                let index = self.value(*index, pending)?;
                self.integer(index)?;
                let element = match types.get(self.ty(*base)) {
                    Type::Vector(element, _) => *element,
                    Type::Matrix(matrix) => matrix.element,
                    _ => return Err("an element of no vector".into()),
                };
                self.require(self.arithmetic(ty)? == (element, 1), "an element has another type")
            }
            ExprKind::CompoundLiteral { local, value } => {
                let local = function.locals.get(*local).ok_or("an unknown local")?;
                let value = self.value(*value, pending)?;
                self.same(local.ty.ty, ty, "a temporary has another type")?;
                self.same(value, ty, "a temporary's value has another type")
            }
            ExprKind::Constant(bits) => {
                let scalar = types.as_scalar(ty).ok_or("a constant is no scalar")?;
                let fits = scalar.bits() == 64 || bits >> scalar.bits() == 0;
                self.require(fits, "a constant has bits above its width")
            }
            ExprKind::ConstantValue(_) => Ok(()),
            ExprKind::Null => self.pointer(ty),
            ExprKind::Load(lvalue) => {
                let lvalue = self.lvalue(*lvalue, pending)?;
                self.require(
                    !matches!(types.get(lvalue), Type::Array { .. } | Type::Void),
                    "an array is loaded",
                )?;
                self.same(lvalue, ty, "a loaded value has another type")
            }
            ExprKind::AddressOf(lvalue) => {
                self.lvalue(*lvalue, pending)?;
                let (pointee, space) = types.as_pointer(ty).ok_or("a pointer is needed")?;
                self.require(
                    pointee == self.module.exprs[*lvalue].ty,
                    "an address has another type",
                )?;
                self.require(space == self.module.lvalue_space(*lvalue), "an address space differs")
            }
            ExprKind::Decay(lvalue) => {
                let array = self.lvalue(*lvalue, pending)?;
                let Type::Array { element, .. } = types.get(array) else {
                    return Err("no array decays".into());
                };
                let (pointee, space) = types.as_pointer(ty).ok_or("a pointer is needed")?;
                self.same(pointee.ty, element.ty, "an element has another type")?;
                self.require(space == self.module.lvalue_space(*lvalue), "an address space differs")
            }
            ExprKind::Unary { op, operand } => {
                let operand = self.value(*operand, pending)?;
                match op {
                    UnaryOp::LogicalNot => {
                        if types.as_pointer(operand).is_none() {
                            self.arithmetic(operand)?;
                        }
                        self.boolean(operand, ty)
                    }
                    UnaryOp::Negate | UnaryOp::BitNot => {
                        let is_matrix = matches!(types.get(operand), Type::Matrix(_));
                        if !(is_matrix && *op == UnaryOp::Negate) {
                            self.arithmetic(operand)?;
                        }
                        self.same(operand, ty, "a result has another type")
                    }
                }
            }
            ExprKind::Binary { op, left, right } => {
                let (left, right) = (self.value(*left, pending)?, self.value(*right, pending)?);
                self.same(left, ty, "a result has another type")?;
                self.operands(*op, left, right)
            }
            ExprKind::Compare { left, right, .. } => {
                let (left, right) = (self.value(*left, pending)?, self.value(*right, pending)?);
                self.same(left, right, "compared types differ")?;
                if types.as_pointer(left).is_none() {
                    self.arithmetic(left)?;
                }
                self.boolean(left, ty)
            }
            ExprKind::Logical { left, right, .. } => {
                if types.is_vector(ty) {
                    let (left, right) = (self.value(*left, pending)?, self.value(*right, pending)?);
                    self.same(left, right, "operands' types differ")?;
                    return self.boolean(left, ty);
                }
                self.condition(*left, pending)?;
                self.condition(*right, pending)?;
                self.same(ty, TypeTable::INT, "a boolean is not int")
            }
            ExprKind::PtrAdd { pointer, index, .. } => {
                let pointer = self.value(*pointer, pending)?;
                let index = self.value(*index, pending)?;
                self.steps(pointer)?;
                self.require(self.integer(index)? == 1, "an index is a vector")?;
                self.same(pointer, ty, "a stepped pointer has another type")
            }
            ExprKind::PtrDiff { left, right } => {
                let (left, right) = (self.value(*left, pending)?, self.value(*right, pending)?);
                self.steps(left)?;
                self.same(left, right, "subtracted pointers differ")?;
                self.same(ty, types.difference_type(), "a difference is not ptrdiff_t")
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.condition(*condition, pending)?;
                let (then, otherwise) =
                    (self.value(*then, pending)?, self.value(*otherwise, pending)?);
                self.same(then, ty, "a side has another type")?;
                self.same(otherwise, ty, "a side has another type")
            }
            ExprKind::VectorSelect { condition, then, otherwise } => {
                let condition = self.value(*condition, pending)?;
                let (then, otherwise) =
                    (self.value(*then, pending)?, self.value(*otherwise, pending)?);
                self.same(then, ty, "a side has another type")?;
                self.same(otherwise, ty, "a side has another type")?;
                let (element, count) = self.arithmetic(ty)?;
                let (mask, mask_count) = self.arithmetic(condition)?;
                self.require(
                    mask.is_integer() && mask.size() == element.size() && mask_count == count,
                    "a vector condition has the wrong type",
                )
            }
            ExprKind::Assign { lvalue, value } => {
                let lvalue = self.lvalue(*lvalue, pending)?;
                let value = self.value(*value, pending)?;
                self.same(lvalue, value, "an assigned value has another type")?;
                self.same(value, ty, "an assignment has another type")
            }
            ExprKind::CompoundAssign { op, lvalue, value, compute } => {
                let lvalue = self.lvalue(*lvalue, pending)?;
                let value = self.value(*value, pending)?;
                self.same(lvalue, ty, "an assignment has another type")?;
                self.operands(*op, *compute, value)
            }
            ExprKind::PtrAssign { lvalue, index, .. } => {
                let lvalue = self.lvalue(*lvalue, pending)?;
                let index = self.value(*index, pending)?;
                self.steps(lvalue)?;
                self.require(self.integer(index)? == 1, "an index is a vector")?;
                self.same(lvalue, ty, "an assignment has another type")
            }
            ExprKind::IncDec { lvalue, .. } => {
                let lvalue = self.lvalue(*lvalue, pending)?;
                if types.as_pointer(lvalue).is_some() {
                    self.steps(lvalue)?;
                } else {
                    self.require(types.as_arithmetic(lvalue).is_some(), "a number is needed")?;
                }
                self.same(lvalue, ty, "an increment has another type")
            }
            ExprKind::Convert { operand, .. } => {
                let operand = self.value(*operand, pending)?;
                if let (Type::Matrix(from), Type::Matrix(to)) = (types.get(operand), types.get(ty))
                {
                    let same = MatrixType { element: to.element, ..*from } == *to;
                    return self.require(same, "a conversion changes the shape of a matrix");
                }
                let from = types.as_arithmetic(operand).ok_or("a number is needed")?;
                let to = types.as_arithmetic(ty).ok_or("a number is needed")?;
                self.require(from.1 == to.1, "a conversion changes the number of components")
            }
            ExprKind::Splat(operand) => {
                let operand = self.value(*operand, pending)?;
                if let Type::Matrix(matrix) = types.get(ty) {
                    let same = self.arithmetic(operand)? == (matrix.element, 1);
                    return self.require(same, "a splat of another type");
                }
                let (element, count) = self.arithmetic(ty)?;
                self.require(
                    count > 1 && self.arithmetic(operand)? == (element, 1),
                    "a splat of another type",
                )
            }
            ExprKind::Reinterpret(operand) => {
                let operand = self.value(*operand, pending)?;
                match (types.as_pointer(operand), types.as_pointer(ty)) {
                    (Some((_, from)), Some((_, to))) => {
                        self.require(from == to, "a reinterpretation changes the address space")
                    }
                    (None, None) => self.require(
                        types.size(operand) == types.size(ty),
                        "a reinterpretation changes the size",
                    ),
                    _ => Err("a reinterpretation between pointer and number".into()),
                }
            }
            ExprKind::SpaceCast(operand) | ExprKind::SpaceQuery(operand) => {
                let operand = self.value(*operand, pending)?;
                let (from, _) = types.as_pointer(operand).ok_or("a pointer is needed")?;
                let (to, _) = types.as_pointer(ty).ok_or("a pointer is needed")?;
                self.require(from == to, "a change of address space changes the pointee")
            }
            ExprKind::IntToPtr(operand) => {
                let operand = self.value(*operand, pending)?;
                self.integer(operand)?;
                self.pointer(ty)
            }
            ExprKind::PtrToInt(operand) => {
                let operand = self.value(*operand, pending)?;
                self.pointer(operand)?;
                self.integer(ty).map(|_| ())
            }
            ExprKind::ToVoid(operand) => {
                self.value(*operand, pending)?;
                self.same(ty, TypeTable::VOID, "void is needed")
            }
            ExprKind::Call { callee, arguments } => {
                let callee = &self.module.functions[*callee];
                self.require(arguments.len() == callee.param_count as usize, "argument count")?;
                for (&argument, parameter) in arguments.iter().zip(callee.locals.values()) {
                    let argument = self.value(argument, pending)?;
                    self.same(argument, parameter.ty.ty, "an argument has another type")?;
                }
                self.same(callee.result, ty, "a call has another type")
            }
            ExprKind::Block { function: block } => {
                let block = &self.module.functions[*block];
                let Some(literal) = &block.block else { return Err("no block".into()) };
                for capture in &literal.captures {
                    let value = self.value(capture.value, pending)?;
                    let local = block.locals[capture.local].ty.ty;
                    self.same(value, local, "a capture has another type")?;
                }
                self.block(ty).map(drop)
            }
            ExprKind::BlockCall { function: _, operands } => {
                let BlockOperands { block, arguments } = &**operands;
                let block = self.value(*block, pending)?;
                let block = self.block(block)?;
                self.require(arguments.len() == block.params.len(), "argument count")?;
                for (&argument, &parameter) in arguments.iter().zip(&block.params) {
                    let argument = self.value(argument, pending)?;
                    self.same(argument, parameter, "an argument has another type")?;
                }
                self.same(block.result, ty, "a call has another type")
            }
            ExprKind::EnqueuedBlock { function: _, block } => {
                let block = self.value(*block, pending)?;
                self.block(block).map(drop)
            }
            ExprKind::Intrinsic { arguments, .. } => {
                for &argument in arguments {
                    self.value(argument, pending)?;
                }
                Ok(())
            }
            ExprKind::VectorBuild(parts) => {
                let (element, count) = self.arithmetic(ty)?;
                let mut total = 0;
                for &part in parts {
                    let part = self.value(part, pending)?;
                    let (part_element, part_count) = self.arithmetic(part)?;
                    self.require(part_element == element, "a part has another element type")?;
                    total += u32::from(part_count);
                }
                self.require(total == u32::from(count), "the parts do not fill the vector")
            }
            ExprKind::Aggregate(parts) => {
                let ascending = parts.windows(2).all(|pair| pair[0].0 < pair[1].0);
                self.require(ascending, "indices do not ascend")?;
                for &(index, part) in parts {
                    let part = self.value(part, pending)?;
                    let expected = match types.get(ty) {
                        Type::Array { element, len } => {
                            self.require(
                                len.is_some_and(|len| index < len),
                                "an index beyond the end",
                            )?;
                            element.ty
                        }
                        Type::Record(record) => {
                            let body = types.records[*record].body.as_ref();
                            let field = body.and_then(|body| body.fields.get(index as usize));
                            field.ok_or("an unknown field")?.ty.ty
                        }
                        _ => return Err("an aggregate of another type".into()),
                    };
                    self.same(part, expected, "a part has another type")?;
                }
                Ok(())
            }
            ExprKind::Comma(parts) => {
                let Some((&last, before)) = parts.split_last() else {
                    return Err("an empty comma expression".into());
                };
                pending.exprs.extend(before);
                let last = self.value(last, pending)?;
                self.same(last, ty, "a comma expression has another type")
            }
            ExprKind::Statements(body) => {
                let StatementExpression { stmts, value } = &**body;
                pending.stmts.extend(stmts);
                let value = match value {
                    Some(value) => self.value(*value, pending)?,
                    None => TypeTable::VOID,
                };
                self.same(value, ty, "a statement expression has another type")
            }
        }
    }

    fn operands(&self, op: BinaryOp, left: TypeId, right: TypeId) -> Result<(), String> {
        if let Type::Matrix(_) = self.module.types.get(left) {
            let by_element =
                matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div);
            self.require(by_element, "an operator that matrices do not have")?;
            return self.same(left, right, "operands' types differ");
        }
        let (left_scalar, left_count) = self.arithmetic(left)?;
        let (right_scalar, right_count) = self.arithmetic(right)?;
        match op {
            BinaryOp::Shl | BinaryOp::Shr => self.require(
                left_scalar.is_integer() && right_scalar.is_integer() && left_count == right_count,
                "a shift of the wrong types",
            ),
            BinaryOp::Rem | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                self.require(left_scalar.is_integer(), "integers are needed")?;
                self.same(left, right, "operands' types differ")
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => {
                self.same(left, right, "operands' types differ")
            }
        }
    }

    /// A pointer to something of known size.
    fn steps(&self, ty: TypeId) -> Result<(), String> {
        let (pointee, _) = self.module.types.as_pointer(ty).ok_or("a pointer is needed")?;
        let sized = self.module.types.size(pointee.ty).is_some() || pointee.ty == TypeTable::VOID;
        self.require(sized, "a step of unknown size")
    }
}
