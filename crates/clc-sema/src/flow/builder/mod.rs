//! Makes the [`Graph`] of a body: a walk over its statements and expressions in the order of C's
//! abstract machine.

mod accesses;

use clc_base::Id;
use rustc_hash::FxHashMap;

use super::graph::{Block, BlockData, Event, Graph, Terminator, Variable, missing_enumerators};
use crate::folding;
use crate::hir::{
    BlockOperands, CaseId, ExprId, ExprKind, LabelId, LocalId, LogicalOp, Module,
    StatementExpression, StmtId, StmtKind, UnaryOp,
};

impl Graph {
    /// The graph of a body.
    pub fn new(module: &Module, body: StmtId) -> Graph {
        Builder::new(module).graph(body)
    }
}

struct Builder<'a> {
    module: &'a Module,
    blocks: Vec<BlockData>,
    events: Vec<Event>,
    /// Where events go; none behind a jump.
    current: Option<Block>,
    breaks: Vec<Block>,
    continues: Vec<Block>,
    labels: FxHashMap<LabelId, Block>,
    cases: FxHashMap<CaseId, Block>,
}

/// What is done to an lvalue.
#[derive(Clone, Copy)]
enum Access {
    Read,
    Write { value: Option<ExprId>, keeps: bool },
    Update { value: Option<ExprId> },
    Expose,
}

impl<'a> Builder<'a> {
    pub fn new(module: &'a Module) -> Builder<'a> {
        Builder {
            module,
            blocks: Vec::new(),
            events: Vec::new(),
            current: None,
            breaks: Vec::new(),
            continues: Vec::new(),
            labels: FxHashMap::default(),
            cases: FxHashMap::default(),
        }
    }

    pub fn graph(mut self, body: StmtId) -> Graph {
        let entry = self.block();
        self.begin(entry);
        self.stmt(body);
        self.end(Terminator::End);
        Graph::of_blocks(self.blocks, self.events)
    }

    fn block(&mut self) -> Block {
        self.blocks.push(BlockData { events: 0..0, terminator: Terminator::End, orphan: None });
        self.blocks.len() as u32 - 1
    }

    /// Events go to `block` from here on; each block begins once.
    fn begin(&mut self, block: Block) {
        let at = self.events.len() as u32;
        self.blocks[block as usize].events = at..at;
        self.current = Some(block);
    }

    /// Ends the current block, if there is one.
    fn end(&mut self, terminator: Terminator) {
        if let Some(block) = self.current.take() {
            let data = &mut self.blocks[block as usize];
            data.events.end = self.events.len() as u32;
            data.terminator = terminator;
        }
    }

    fn jump(&mut self, to: Block) {
        self.end(Terminator::Jump(to));
    }

    fn branch(&mut self, condition: ExprId, when_true: Block, when_false: Block) {
        self.end(match self.constant_condition(condition) {
            Some(true) => Terminator::Jump(when_true),
            Some(false) => Terminator::Jump(when_false),
            None => Terminator::Branch { condition, when_true, when_false },
        });
    }

    fn constant_condition(&self, condition: ExprId) -> Option<bool> {
        let expr = self.module.expr(condition);
        let ExprKind::Constant(bits) = expr.kind else { return None };
        Some(folding::is_true(self.module.types.as_scalar(expr.ty.ty)?, bits))
    }

    /// Whether a `for` surely turns once: `int step = 32; step > 0`.
    fn turns_once(&self, initial: Option<StmtId>, condition: ExprId) -> bool {
        let module = self.module;
        let constant = |value: ExprId| match module.exprs[value].kind {
            ExprKind::Constant(bits) => {
                module.types.as_scalar(module.exprs[value].ty.ty).zip(Some(bits))
            }
            _ => None,
        };
        let ExprKind::Compare { op, left, right } = module.exprs[condition].kind else {
            return false;
        };
        let ExprKind::Load(compared) = module.exprs[left].kind else { return false };
        let (Some(initial), ExprKind::Local(compared)) = (initial, &module.exprs[compared].kind)
        else {
            return false;
        };
        let StmtKind::Declare { local, initializer: Some(begin) } = module.stmts[initial].kind
        else {
            return false;
        };
        match (constant(begin), constant(right)) {
            (Some((of_begin, begin)), Some((scalar, end))) => {
                local == *compared && of_begin == scalar && folding::compare(op, scalar, begin, end)
            }
            _ => false,
        }
    }

    fn event(&mut self, event: Event) {
        if self.current.is_some() {
            self.events.push(event);
        }
    }

    fn label(&mut self, label: LabelId) -> Block {
        if let Some(&block) = self.labels.get(&label) {
            return block;
        }
        let block = self.block();
        self.labels.insert(label, block);
        block
    }

    fn stmt(&mut self, stmt: StmtId) {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.stmt_inner(stmt));
    }

    fn stmt_inner(&mut self, stmt: StmtId) {
        let module = self.module;
        let kind = &module.stmts[stmt].kind;
        if self.current.is_none() && !matches!(kind, StmtKind::Block(_)) {
            let block = self.block();
            self.blocks[block as usize].orphan = Some(stmt);
            self.begin(block);
        }
        match kind {
            StmtKind::Null | StmtKind::FpContract(_) => {}
            StmtKind::Expr(expr) => self.value(*expr),
            StmtKind::Declare { local, initializer } => {
                self.event(Event::Declare(*local));
                let variable = Variable::Local(*local);
                if let Some(value) = *initializer
                    && !is_load_of(module, value, *local)
                {
                    self.value(value);
                    self.event(Event::Write {
                        variable,
                        expr: value,
                        target: value,
                        value: Some(value),
                        keeps: false,
                    });
                } else if initializer.is_some() {
                    // `int x = x;` says that `x` has no value on purpose.
                    self.event(Event::Expose { variable });
                }
            }
            StmtKind::Block(stmts) => stmts.iter().for_each(|&stmt| self.stmt(stmt)),
            StmtKind::If { condition, then, otherwise } => {
                let (when_true, join) = (self.block(), self.block());
                let when_false = if otherwise.is_some() { self.block() } else { join };
                self.condition(*condition, when_true, when_false);
                self.begin(when_true);
                self.stmt(*then);
                self.jump(join);
                if let Some(otherwise) = otherwise {
                    self.begin(when_false);
                    self.stmt(*otherwise);
                    self.jump(join);
                }
                self.begin(join);
            }
            StmtKind::While { condition, body, .. } => {
                let (head, inner, exit) = (self.block(), self.block(), self.block());
                self.jump(head);
                self.begin(head);
                self.condition(*condition, inner, exit);
                self.begin(inner);
                self.body(*body, exit, head);
                self.jump(head);
                self.begin(exit);
            }
            StmtKind::DoWhile { body, condition, .. } => {
                let (inner, test, exit) = (self.block(), self.block(), self.block());
                self.jump(inner);
                self.begin(inner);
                self.body(*body, exit, test);
                self.jump(test);
                self.begin(test);
                self.condition(*condition, inner, exit);
                self.begin(exit);
            }
            StmtKind::For { initial, condition, step, body, .. } => {
                if let Some(initial) = initial {
                    self.stmt(*initial);
                }
                let (head, inner, next, exit) =
                    (self.block(), self.block(), self.block(), self.block());
                match condition {
                    Some(condition) if self.turns_once(*initial, *condition) => {
                        self.value(*condition);
                        self.jump(inner);
                    }
                    _ => self.jump(head),
                }
                self.begin(head);
                match condition {
                    Some(condition) => self.condition(*condition, inner, exit),
                    None => self.jump(inner),
                }
                self.begin(inner);
                self.body(*body, exit, next);
                self.jump(next);
                self.begin(next);
                if let Some(step) = step {
                    self.value(*step);
                }
                self.jump(head);
                self.begin(exit);
            }
            StmtKind::Switch { selector, body, cases, default } => {
                self.value(*selector);
                let exit = self.block();
                let mut targets: Vec<Block> = Vec::with_capacity(cases.len() + 1);
                for case in cases {
                    let block = self.block();
                    self.cases.insert(case.id, block);
                    targets.push(block);
                }
                match default {
                    Some(default) => {
                        let block = self.block();
                        self.cases.insert(*default, block);
                        targets.push(block);
                    }
                    // Enumerations are taken to have no values but their enumerators.
                    None if missing_enumerators(module, *selector, cases)
                        .is_some_and(|missing| missing.is_empty()) => {}
                    None => targets.push(exit),
                }
                self.end(Terminator::Switch { selector: *selector, targets });
                self.breaks.push(exit);
                self.stmt(*body);
                self.breaks.pop();
                self.jump(exit);
                self.begin(exit);
            }
            StmtKind::Case { id, body } => {
                if let Some(&block) = self.cases.get(id) {
                    self.enter(block);
                }
                self.stmt(*body);
            }
            StmtKind::Label { label, body } => {
                let block = self.label(*label);
                self.enter(block);
                self.stmt(*body);
            }
            StmtKind::Goto(label) => {
                let block = self.label(*label);
                self.jump(block);
            }
            StmtKind::Break => match self.breaks.last() {
                Some(&exit) => self.jump(exit),
                None => self.end(Terminator::End),
            },
            StmtKind::Continue => match self.continues.last() {
                Some(&next) => self.jump(next),
                None => self.end(Terminator::End),
            },
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.value(*value);
                }
                self.end(Terminator::Return);
            }
        }
    }

    /// Begins the block of a label, which control may also run into. A block that was only made to
    /// carry the label's statement says nothing.
    fn enter(&mut self, block: Block) {
        if let Some(current) = self.current {
            self.blocks[current as usize].orphan = None;
        }
        self.jump(block);
        self.begin(block);
    }

    fn body(&mut self, body: StmtId, exit: Block, next: Block) {
        self.breaks.push(exit);
        self.continues.push(next);
        self.stmt(body);
        self.continues.pop();
        self.breaks.pop();
    }

    /// Ends the block by asking a condition.
    fn condition(&mut self, expr: ExprId, when_true: Block, when_false: Block) {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || {
            self.condition_inner(expr, when_true, when_false);
        });
    }

    fn condition_inner(&mut self, expr: ExprId, when_true: Block, when_false: Block) {
        match self.module.exprs[expr].kind {
            ExprKind::Logical { op, left, right } if !self.is_vector(expr) => {
                let second = self.block();
                match op {
                    LogicalOp::And => self.condition(left, second, when_false),
                    LogicalOp::Or => self.condition(left, when_true, second),
                }
                self.begin(second);
                self.condition(right, when_true, when_false);
            }
            ExprKind::Unary { op: UnaryOp::LogicalNot, operand } if !self.is_vector(expr) => {
                self.condition(operand, when_false, when_true);
            }
            _ => {
                self.value(expr);
                self.branch(expr, when_true, when_false);
            }
        }
    }

    fn is_vector(&self, expr: ExprId) -> bool {
        self.module.types.is_vector(self.module.exprs[expr].ty.ty)
    }

    /// Evaluates an expression, lvalue or value.
    fn value(&mut self, expr: ExprId) {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.value_inner(expr));
    }

    fn values(&mut self, exprs: &[ExprId]) {
        exprs.iter().for_each(|&expr| self.value(expr));
    }

    fn value_inner(&mut self, expr: ExprId) {
        let module = self.module;
        match &module.exprs[expr].kind {
            ExprKind::Constant(_)
            | ExprKind::ConstantValue(_)
            | ExprKind::Null
            | ExprKind::Error => {}
            // An lvalue that is not converted to its value.
            ExprKind::Local(_) | ExprKind::Global(_) => {}
            ExprKind::Deref(pointer) => self.value(*pointer),
            ExprKind::Member { base, .. } | ExprKind::Swizzle { base, .. } => self.value(*base),
            ExprKind::VectorElement { base, index } => {
                self.value(*base);
                self.value(*index);
            }
            ExprKind::CompoundLiteral { local, value } => {
                self.value(*value);
                self.event(Event::Write {
                    variable: Variable::Local(*local),
                    expr,
                    target: expr,
                    value: Some(*value),
                    keeps: false,
                });
            }
            ExprKind::Load(lvalue) => self.lvalue(*lvalue, expr, Access::Read),
            ExprKind::AddressOf(_) | ExprKind::Decay(_) | ExprKind::PtrAdd { .. } => {
                self.pointer(expr, expr, Access::Expose);
            }
            ExprKind::Binary { left, right, .. }
            | ExprKind::Compare { left, right, .. }
            | ExprKind::PtrDiff { left, right } => {
                self.value(*left);
                self.value(*right);
            }
            ExprKind::Logical { op, left, right } => {
                if self.is_vector(expr) {
                    self.value(*left);
                    self.value(*right);
                    return;
                }
                let (second, join) = (self.block(), self.block());
                match op {
                    LogicalOp::And => self.condition(*left, second, join),
                    LogicalOp::Or => self.condition(*left, join, second),
                }
                self.begin(second);
                self.value(*right);
                self.jump(join);
                self.begin(join);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let (when_true, when_false, join) = (self.block(), self.block(), self.block());
                self.condition(*condition, when_true, when_false);
                self.begin(when_true);
                self.value(*then);
                self.jump(join);
                self.begin(when_false);
                self.value(*otherwise);
                self.jump(join);
                self.begin(join);
            }
            ExprKind::VectorSelect { condition, then, otherwise } => {
                self.value(*condition);
                self.value(*then);
                self.value(*otherwise);
            }
            ExprKind::Assign { lvalue, value } => {
                self.value(*value);
                let access = Access::Write { value: Some(*value), keeps: false };
                self.lvalue(*lvalue, expr, access);
            }
            ExprKind::CompoundAssign { lvalue, value, .. } => {
                self.value(*value);
                self.lvalue(*lvalue, expr, Access::Update { value: Some(*value) });
            }
            ExprKind::PtrAssign { lvalue, index, .. } => {
                self.value(*index);
                self.lvalue(*lvalue, expr, Access::Update { value: Some(*index) });
            }
            ExprKind::IncDec { lvalue, .. } => {
                self.lvalue(*lvalue, expr, Access::Update { value: None });
            }
            ExprKind::Unary { operand, .. }
            | ExprKind::Convert { operand, .. }
            | ExprKind::Splat(operand)
            | ExprKind::Reinterpret(operand)
            | ExprKind::SpaceCast(operand)
            | ExprKind::SpaceQuery(operand)
            | ExprKind::IntToPtr(operand)
            | ExprKind::PtrToInt(operand)
            | ExprKind::ToVoid(operand) => self.value(*operand),
            ExprKind::Call { arguments, .. } => {
                self.values(arguments);
                self.event(Event::Call(expr));
            }
            ExprKind::Block { function } => {
                let block = module.functions[*function].block.as_ref();
                for capture in block.iter().flat_map(|block| &block.captures) {
                    self.value(capture.value);
                }
            }
            ExprKind::BlockCall { function: _, operands } => {
                let BlockOperands { block, arguments } = &**operands;
                self.value(*block);
                self.values(arguments);
                self.event(Event::Call(expr));
            }
            ExprKind::EnqueuedBlock { function: _, block } => self.value(*block),
            ExprKind::Intrinsic { intrinsic, arguments } => {
                self.intrinsic(*intrinsic, arguments, expr);
            }
            ExprKind::VectorBuild(parts) | ExprKind::Comma(parts) => self.values(parts),
            ExprKind::Aggregate(parts) => parts.iter().for_each(|&(_, part)| self.value(part)),
            ExprKind::Statements(body) => {
                let StatementExpression { stmts, value } = &**body;
                stmts.iter().for_each(|&stmt| self.stmt(stmt));
                if let Some(value) = value {
                    if self.current.is_none() {
                        let block = self.block();
                        self.begin(block);
                    }
                    self.value(*value);
                }
            }
        }
    }
}

fn is_load_of(module: &Module, value: ExprId, local: LocalId) -> bool {
    let ExprKind::Load(lvalue) = module.exprs[value].kind else { return false };
    matches!(module.exprs[lvalue].kind, ExprKind::Local(other) if other.index() == local.index())
}
