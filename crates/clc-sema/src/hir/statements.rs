//! Statements of the typed tree.

use clc_base::Span;

use super::ids::{CaseId, ExprId, LabelId, LocalId, StmtId};

#[derive(Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// `#pragma unroll`, `__attribute__((opencl_unroll_hint))`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopHint {
    Unroll,
    UnrollCount(u32),
    NoUnroll,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    pub id: CaseId,
    /// Inclusive bounds as bits of the promoted selector type; equal unless a GNU range.
    pub first: u64,
    pub last: u64,
}

#[derive(Debug)]
pub enum StmtKind {
    Null,
    Expr(ExprId),
    /// A variable comes into being; without an initialiser its contents are undefined. The
    /// initialiser is a value of the variable's type.
    Declare {
        local: LocalId,
        initializer: Option<ExprId>,
    },
    Block(Vec<StmtId>),
    If {
        condition: ExprId,
        then: StmtId,
        otherwise: Option<StmtId>,
    },
    While {
        condition: ExprId,
        body: StmtId,
        hint: Option<LoopHint>,
    },
    DoWhile {
        body: StmtId,
        condition: ExprId,
        hint: Option<LoopHint>,
    },
    For {
        initial: Option<StmtId>,
        condition: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
        hint: Option<LoopHint>,
    },
    /// The selector is promoted; cases lie anywhere inside the body (Duff's device).
    Switch {
        selector: ExprId,
        body: StmtId,
        cases: Vec<Case>,
        default: Option<CaseId>,
    },
    /// The place of a `case` or `default` label, and the statement it labels.
    Case {
        id: CaseId,
        body: StmtId,
    },
    Label {
        label: LabelId,
        body: StmtId,
    },
    Goto(LabelId),
    Break,
    Continue,
    Return(Option<ExprId>),
    /// `#pragma OPENCL FP_CONTRACT`: whether contraction is allowed from here to the end of the
    /// enclosing block.
    FpContract(bool),
}
