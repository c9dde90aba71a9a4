//! Statements of the typed tree.

use clc_base::Span;

use super::ids::{CaseId, ExprId, LabelId, LocalId, StmtId};

/// A statement and the source that it was written as.
#[derive(Debug)]
pub struct Stmt {
    /// What the statement does.
    pub kind: StmtKind,
    /// From its first to its last token; what the analysis adds has the span of what it stands for.
    pub span: Span,
}

/// `#pragma unroll`, `__attribute__((opencl_unroll_hint))`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopHint {
    /// Unroll, as often as the compiler sees fit.
    Unroll,
    /// Unroll this many times; at least 2.
    UnrollCount(u32),
    /// Do not unroll.
    NoUnroll,
}

/// The values that lead to one `case` label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The label, which is a [`StmtKind::Case`] of the `switch` statement's body.
    pub id: CaseId,
    /// Lower inclusive bound as bits of the promoted selector type.
    pub first: u64,
    /// Upper inclusive bound, in the same form; equal to `first` unless a GNU range.
    pub last: u64,
}

/// The statements (C99 6.8), and declarations among them.
#[derive(Debug)]
pub enum StmtKind {
    /// `;`, or a statement that was reported.
    Null,
    /// An expression whose value is discarded.
    Expr(ExprId),
    /// A variable comes into being; without an initialiser its contents are undefined. The
    /// initialiser is a value of the variable's type.
    Declare {
        /// An automatic variable of the function.
        local: LocalId,
        /// Evaluated each time that control reaches the declaration.
        initializer: Option<ExprId>,
    },
    /// A compound statement; also several statements that one construct of the source becomes.
    Block(Vec<StmtId>),
    /// `if`
    If {
        /// Of scalar type.
        condition: ExprId,
        /// Executed if the condition is not equal to zero.
        then: StmtId,
        /// The `else` branch.
        otherwise: Option<StmtId>,
    },
    /// `while`
    While {
        /// Of scalar type; evaluated before each iteration.
        condition: ExprId,
        /// What is repeated.
        body: StmtId,
        /// What the source asks of the optimiser.
        hint: Option<LoopHint>,
    },
    /// `do … while`
    DoWhile {
        /// What is repeated.
        body: StmtId,
        /// Of scalar type; evaluated after each iteration, and where `continue` leads.
        condition: ExprId,
        /// What the source asks of the optimiser.
        hint: Option<LoopHint>,
    },
    /// `for`
    For {
        /// The first clause: an expression or declarations.
        initial: Option<StmtId>,
        /// Of scalar type; an omitted one is true.
        condition: Option<ExprId>,
        /// Evaluated after each iteration, and where `continue` leads.
        step: Option<ExprId>,
        /// What is repeated.
        body: StmtId,
        /// What the source asks of the optimiser.
        hint: Option<LoopHint>,
    },
    /// The selector is promoted; cases lie anywhere inside the body (Duff's device).
    Switch {
        /// Of integer type, after the integer promotions.
        selector: ExprId,
        /// Entered at a label only.
        body: StmtId,
        /// In the order of the source; no two overlap.
        cases: Vec<Case>,
        /// Where control goes if no case holds the selector's value; without it, behind the body.
        default: Option<CaseId>,
    },
    /// A `case` or `default` label, and the statement it labels.
    Case {
        /// The label, as the enclosing `switch` statement names it.
        id: CaseId,
        /// The labelled statement.
        body: StmtId,
    },
    /// A named label, and the statement it labels.
    Label {
        /// What `goto` statements of the function name.
        label: LabelId,
        /// The labelled statement.
        body: StmtId,
    },
    /// `goto`
    Goto(LabelId),
    /// Leaves the innermost loop or `switch`.
    Break,
    /// Ends the current iteration of the innermost loop.
    Continue,
    /// `return`; the value has the function's result type.
    Return(Option<ExprId>),
    /// `#pragma OPENCL FP_CONTRACT`: whether contraction is allowed from here to the end of the
    /// enclosing block.
    FpContract(bool),
}
