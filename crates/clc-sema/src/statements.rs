//! Statements (C99 6.8).

use clc_base::{Diagnostic, Span, Symbol};
use clc_syntax::ast::{self, StmtKind as Ast};

use crate::context::{ConversionContext, Sema};
use crate::diagnostics::statements as codes;
use crate::hir::{Case, CaseId, ExprId, Label, LabelId, LoopHint, StmtId, StmtKind};
use crate::scopes::SwitchContext;
use crate::types::{Scalar, TypeTable};

impl<'a> Sema<'a> {
    /// The body of a GNU statement expression (a compound statement): all statements, and the
    /// value of the last one if that is an expression that isn't `void` (then it is not among the
    /// statements). To be wrapped as `ExprKind::Statements`.
    pub fn statement_block(&mut self, stmt: ast::StmtId) -> (Vec<StmtId>, Option<ExprId>) {
        let ast = self.ast;
        let mut stmts = Vec::new();
        let Ast::Compound(items) = &ast.stmts[stmt].kind else {
            return (stmts, None);
        };
        self.enter_block();
        let mut value = None;
        match items.split_last() {
            Some((&last, before)) if matches!(ast.stmts[last].kind, Ast::Expr(_)) => {
                self.block_items(before, &mut stmts);
                if let Ast::Expr(e) = ast.stmts[last].kind {
                    let result = self.value(e);
                    if self.module.exprs[result].ty.ty == TypeTable::VOID {
                        let span = ast.stmts[last].span;
                        stmts.push(self.push_stmt(StmtKind::Expr(result), span));
                    } else {
                        value = Some(result);
                    }
                }
            }
            _ => self.block_items(items, &mut stmts),
        }
        self.leave_block();
        (stmts, value)
    }

    fn enter_block(&mut self) {
        self.scopes.open();
        if let Some(function) = &mut self.function {
            function.block_depth += 1;
        }
    }

    fn leave_block(&mut self) {
        self.scopes.close();
        if let Some(function) = &mut self.function {
            function.block_depth -= 1;
        }
    }

    /// The items of a compound statement, in the scope that is open.
    pub(crate) fn block_items(&mut self, items: &'a [ast::StmtId], stmts: &mut Vec<StmtId>) {
        if let Some(function) = &mut self.function {
            function.block_depth += 1;
        }
        for &item in items {
            self.block_item(item, stmts);
        }
        if let Some(function) = &mut self.function {
            function.block_depth -= 1;
        }
    }

    fn block_item(&mut self, item: ast::StmtId, stmts: &mut Vec<StmtId>) {
        let ast = self.ast;
        match &ast.stmts[item].kind {
            Ast::Declaration(declaration) => self.declaration(declaration, stmts),
            Ast::StaticAssert(assert) => self.static_assert(assert),
            Ast::Pragma(text) => {
                let span = ast.stmts[item].span;
                if let Some(kind) = self.pragma(*text, span) {
                    stmts.push(self.push_stmt(kind, span));
                }
            }
            Ast::Null => {}
            _ => {
                let stmt = self.statement(item);
                stmts.push(stmt);
            }
        }
    }

    /// A statement on its own: the body of a loop, a branch, what a label labels.
    pub(crate) fn statement(&mut self, id: ast::StmtId) -> StmtId {
        // Statements nest as deep as the program writes them.
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.statement_inner(id))
    }

    fn statement_inner(&mut self, id: ast::StmtId) -> StmtId {
        let ast = self.ast;
        let stmt = &ast.stmts[id];
        let span = stmt.span;
        let is_loop =
            matches!(stmt.kind, Ast::While { .. } | Ast::DoWhile { .. } | Ast::For { .. });
        let hint =
            self.take_hint(is_loop, matches!(stmt.kind, Ast::Attributed { .. } | Ast::Pragma(_)));
        let kind = match &stmt.kind {
            Ast::Compound(items) => {
                let mut stmts = Vec::with_capacity(items.len());
                self.scopes.open();
                self.block_items(items, &mut stmts);
                self.scopes.close();
                StmtKind::Block(stmts)
            }
            Ast::Declaration(_) | Ast::StaticAssert(_) | Ast::Pragma(_) => {
                // Only in a position where C99 wants a statement: its scope ends with it.
                let mut stmts = Vec::new();
                self.block_item(id, &mut stmts);
                match stmts.as_slice() {
                    [only] => return *only,
                    _ => StmtKind::Block(stmts),
                }
            }
            Ast::Expr(e) => {
                let value = self.value(*e);
                StmtKind::Expr(value)
            }
            Ast::Null | Ast::Error => StmtKind::Null,
            Ast::If { condition, then, otherwise } => self.choice(*condition, *then, *otherwise),
            Ast::Switch { condition, body } => self.switch(*condition, *body),
            Ast::While { condition, body } => {
                let condition = self.condition(*condition);
                let body = self.loop_body(*body);
                StmtKind::While { condition, body, hint }
            }
            Ast::DoWhile { body, condition } => {
                let body = self.loop_body(*body);
                let condition = self.condition(*condition);
                StmtKind::DoWhile { body, condition, hint }
            }
            Ast::For { initial, condition, step, body } => {
                self.enter_block();
                let initial = match ast.stmts[*initial].kind {
                    Ast::Null => None,
                    _ => Some(self.statement(*initial)),
                };
                let condition = condition.map(|condition| self.condition(condition));
                let step = step.map(|step| self.value(step));
                let body = self.loop_body(*body);
                self.leave_block();
                StmtKind::For { initial, condition, step, body, hint }
            }
            Ast::Goto { label, label_span } => StmtKind::Goto(self.goto(*label, *label_span)),
            Ast::Continue => {
                if self.function.as_ref().is_none_or(|function| function.loop_depth == 0) {
                    self.report(
                        Diagnostic::new(&codes::E0451, span, "`continue` outside of a loop")
                            .at("no loop is around this"),
                    );
                    return self.push_stmt(StmtKind::Null, span);
                }
                StmtKind::Continue
            }
            Ast::Break => {
                if self
                    .function
                    .as_ref()
                    .is_none_or(|function| function.loop_depth == 0 && function.switches.is_empty())
                {
                    self.report(
                        Diagnostic::new(
                            &codes::E0450,
                            span,
                            "`break` outside of a loop or `switch`",
                        )
                        .at("nothing to break out of"),
                    );
                    return self.push_stmt(StmtKind::Null, span);
                }
                StmtKind::Break
            }
            Ast::Return(value) => return self.return_statement(*value, span),
            Ast::Label { name, name_span, attributes, body } => {
                for attribute in attributes {
                    if self.interner.resolve(attribute.name) == "unused" {
                        self.notes.marked_unused.insert(*name_span);
                    }
                    self.unused_attribute(attribute);
                }
                let label = self.label(*name, *name_span);
                let body = self.statement(*body);
                StmtKind::Label { label, body }
            }
            Ast::Case { first, last, body } => {
                let case = self.case(*first, *last);
                let body = self.statement(*body);
                match case {
                    Some(id) => StmtKind::Case { id, body },
                    None => return body,
                }
            }
            Ast::Default { body } => {
                let case = self.default_case(span);
                let body = self.statement(*body);
                match case {
                    Some(id) => StmtKind::Case { id, body },
                    None => return body,
                }
            }
            Ast::Attributed { attributes, body } => {
                self.attributed(attributes, *body);
                return self.statement(*body);
            }
        };
        self.push_stmt(kind, span)
    }

    /// An `if`.
    fn choice(
        &mut self,
        condition: ast::ExprId,
        then: ast::StmtId,
        otherwise: Option<ast::StmtId>,
    ) -> StmtKind {
        let condition = self.condition(condition);
        let truth = self.truth(condition);
        let then = self.unless(truth == Some(false), |sema| sema.scoped_statement(then));
        let otherwise = otherwise.map(|otherwise| {
            self.unless(truth == Some(true), |sema| sema.scoped_statement(otherwise))
        });
        StmtKind::If { condition, then, otherwise }
    }

    /// The branch of an `if`: a block of its own even without braces (C99 6.8.4 paragraph 3).
    fn scoped_statement(&mut self, id: ast::StmtId) -> StmtId {
        if matches!(self.ast.stmts[id].kind, Ast::Compound(_)) {
            return self.statement(id);
        }
        self.enter_block();
        let stmt = self.statement(id);
        self.leave_block();
        stmt
    }

    fn loop_body(&mut self, body: ast::StmtId) -> StmtId {
        if let Some(function) = &mut self.function {
            function.loop_depth += 1;
        }
        let body = self.scoped_statement(body);
        if let Some(function) = &mut self.function {
            function.loop_depth -= 1;
        }
        body
    }

    /// The pending loop hint, if this statement is a loop; one that waited in vain is reported.
    fn take_hint(&mut self, is_loop: bool, passes_on: bool) -> Option<LoopHint> {
        if passes_on {
            return None;
        }
        let (hint, at) = self.declared.pending_hint.take()?;
        if is_loop {
            return Some(hint);
        }
        self.report(
            Diagnostic::new(&codes::W0452, at, "this loop hint has no effect")
                .at("no loop follows")
                .help("write it directly before `for`, `while` or `do`"),
        );
        None
    }

    fn attributed(&mut self, attributes: &'a [ast::Attribute], body: ast::StmtId) {
        let mut at = body;
        while let Ast::Attributed { body, .. } = self.ast.stmts[at].kind {
            at = body;
        }
        let is_loop = matches!(
            self.ast.stmts[at].kind,
            Ast::While { .. } | Ast::DoWhile { .. } | Ast::For { .. }
        );
        for attribute in attributes {
            let Some(hint) = self.loop_attribute(attribute) else { continue };
            if is_loop {
                self.declared.pending_hint = Some((hint, attribute.span));
            } else {
                self.report(
                    Diagnostic::new(
                        &codes::E0458,
                        attribute.span,
                        "a loop hint stands before something that is not a loop",
                    )
                    .at("a hint for loops")
                    .label(self.ast.stmts[at].span, "this is not a loop"),
                );
            }
        }
    }

    fn return_statement(&mut self, value: Option<ast::ExprId>, span: Span) -> StmtId {
        let Some(function) = &self.function else {
            return self.push_stmt(StmtKind::Null, span);
        };
        if function.block.as_ref().is_some_and(|block| block.infers_result) {
            return self.inferred_return(value, span);
        }
        let (result, declared) = (function.result.ty, self.module.functions[function.id].span);
        let is_kernel = function.is_kernel && function.block.is_none();
        let is_void = result == TypeTable::VOID;
        let Some(e) = value else {
            if !is_void && !self.module.types.is_error(result) {
                let text = self.type_text(result);
                self.report(
                    Diagnostic::new(
                        &codes::E0456,
                        span,
                        format!("`return` needs a value of type `{text}`"),
                    )
                    .at("returns nothing")
                    .label(declared, format!("the function returns `{text}`")),
                );
            }
            return self.push_stmt(StmtKind::Return(None), span);
        };
        let value = self.value(e);
        if !is_void {
            let value = self.implicit_convert(value, result, ConversionContext::Return);
            return self.push_stmt(StmtKind::Return(Some(value)), span);
        }
        let ty = self.module.exprs[value].ty.ty;
        if ty == TypeTable::VOID {
            self.report(
                Diagnostic::new(
                    &codes::W0451,
                    span,
                    "`return` with an expression in a function that returns `void`",
                )
                .at("returns an expression")
                .help("write the expression as a statement before `return;`"),
            );
        } else if !self.module.types.is_error(ty) {
            let what = if is_kernel { "a kernel" } else { "a function that returns `void`" };
            let span = self.ast.exprs[e].span;
            self.report(
                Diagnostic::new(&codes::E0456, span, format!("{what} cannot return a value"))
                    .at(format!("a value of type `{}`", self.type_text(ty)))
                    .label(declared, "declared here"),
            );
        }
        let evaluate = self.push_stmt(StmtKind::Expr(value), span);
        let leave = self.push_stmt(StmtKind::Return(None), span);
        self.push_stmt(StmtKind::Block(vec![evaluate, leave]), span)
    }

    // Labels.

    fn label_entry(&mut self, name: Symbol, span: Span) -> Option<(LabelId, Option<Span>)> {
        let function = self.function.as_mut()?;
        if let Some(&known) = function.labels.get(&name) {
            return Some(known);
        }
        let id = self.module.functions[function.id].labels.push(Label { name, span });
        function.labels.insert(name, (id, None));
        Some((id, None))
    }

    fn goto(&mut self, name: Symbol, span: Span) -> LabelId {
        let Some((id, declared)) = self.label_entry(name, span) else { return LabelId(0) };
        self.index_label(id, span, false);
        if declared.is_none()
            && let Some(function) = &mut self.function
        {
            function.pending_gotos.push((name, span));
        }
        id
    }

    fn label(&mut self, name: Symbol, span: Span) -> LabelId {
        self.check_reserved(name, span);
        let Some((id, declared)) = self.label_entry(name, span) else { return LabelId(0) };
        self.index_label(id, span, true);
        if let Some(first) = declared {
            let message = format!("two labels are named `{}`", self.interner.resolve(name));
            self.report(
                Diagnostic::new(&codes::E0455, span, message)
                    .at("the second one")
                    .label(first, "the other one"),
            );
        } else if let Some(function) = &mut self.function {
            function.labels.insert(name, (id, Some(span)));
            self.module.functions[function.id].labels[id].span = span;
        }
        id
    }

    /// At the end of a function: every `goto` has its label.
    pub(crate) fn check_labels(&mut self) {
        let Some(function) = &mut self.function else { return };
        let pending = std::mem::take(&mut function.pending_gotos);
        let mut missing: Vec<(Symbol, Span)> = pending
            .into_iter()
            .filter(|(name, _)| function.labels.get(name).is_none_or(|(_, span)| span.is_none()))
            .collect();
        // Once for each label.
        let mut seen = rustc_hash::FxHashSet::default();
        missing.retain(|&(name, _)| seen.insert(name));
        let (id, end) = (function.id, missing.last().map_or(0, |(_, span)| span.hi));
        if missing.is_empty() {
            return;
        }
        let known: Vec<Symbol> = function
            .labels
            .iter()
            .filter(|(_, (_, span))| span.is_some())
            .map(|(&name, _)| name)
            .collect();
        for (name, span) in missing {
            // `end;` has lost its colon, and was reported.
            let is_statement = self.reported.undeclared.contains(&(Some(id), name));
            if is_statement || self.is_lost(name) || self.finds_lost_name(end) {
                continue;
            }
            let text = self.interner.resolve(name);
            let message = format!("this function has no label `{text}`");
            let diagnostic = Diagnostic::new(&codes::E0454, span, message).at("jumps nowhere");
            let candidates = known.iter().map(|&label| self.interner.resolve(label));
            let guess = clc_base::diagnostic::did_you_mean(text, candidates);
            self.report(diagnostic.suggest(span, guess));
        }
    }

    // Switches.

    fn switch(&mut self, selector: ast::ExprId, body: ast::StmtId) -> StmtKind {
        let selector = self.promoted_integer(selector, "the selector of a `switch`");
        let ty = self.module.exprs[selector].ty.ty;
        if let Some(function) = &mut self.function {
            function.switches.push(SwitchContext {
                selector: ty,
                cases: Vec::new(),
                default: None,
            });
        }
        let body = self.scoped_statement(body);
        let context = self.function.as_mut().and_then(|function| function.switches.pop());
        let Some(context) = context else { return StmtKind::Null };
        self.check_cases(&context);
        StmtKind::Switch {
            selector,
            body,
            cases: context.cases.into_iter().map(|(case, _)| case).collect(),
            default: context.default.map(|(id, _)| id),
        }
    }

    fn new_case(&mut self) -> Option<CaseId> {
        let function = self.function.as_mut()?;
        let id = CaseId(function.case_count);
        function.case_count += 1;
        Some(id)
    }

    fn case(&mut self, first: ast::ExprId, last: Option<ast::ExprId>) -> Option<CaseId> {
        let span = self.ast.exprs[first].span;
        let selector = self.function.as_ref()?.switches.last().map(|context| context.selector);
        let Some(selector) = selector else {
            self.report(
                Diagnostic::new(&codes::E0452, span, "`case` outside of a `switch`")
                    .at("no `switch` is around this"),
            );
            return None;
        };
        let low = self.case_value(first, selector)?;
        let (high, span) = match last {
            Some(last) => {
                let high = self.case_value(last, selector)?;
                (high, span.to(self.ast.exprs[last].span))
            }
            None => (low, span),
        };
        if self.ordered(low, selector) > self.ordered(high, selector) {
            self.report(
                Diagnostic::new(
                    &codes::E0457,
                    span,
                    "this range is empty: its first value is greater than its last",
                )
                .at(format!(
                    "{} to {}",
                    self.ordered(low, selector),
                    self.ordered(high, selector)
                )),
            );
            return None;
        }
        let id = self.new_case()?;
        let case = Case { id, first: low, last: high };
        self.function.as_mut()?.switches.last_mut()?.cases.push((case, span));
        Some(id)
    }

    /// The bits of a case label in the type of the selector (C99 6.8.4.2 paragraph 5).
    fn case_value(&mut self, e: ast::ExprId, selector: crate::types::TypeId) -> Option<u64> {
        let value = self.integer_constant(e, "a `case` label")?.value;
        let scalar = self.module.types.as_scalar(selector).unwrap_or(Scalar::Int);
        let mask = u64::MAX >> (64 - scalar.bits().min(64));
        let bits = value as u64 & mask;
        if !self.module.types.is_error(selector) && self.ordered(bits, selector) != value {
            let text = self.type_text(selector);
            let remains = self.ordered(bits, selector);
            self.report(
                Diagnostic::new(
                    &codes::W0450,
                    self.ast.exprs[e].span,
                    format!("{value} does not fit the selector's type `{text}`; {remains} remains"),
                )
                .at(format!("not a value of `{text}`")),
            );
        }
        Some(bits)
    }

    /// The number that bits of the selector's type stand for.
    fn ordered(&self, bits: u64, selector: crate::types::TypeId) -> i128 {
        let scalar = self.module.types.as_scalar(selector).unwrap_or(Scalar::Int);
        if scalar.is_signed() {
            let shift = 64 - scalar.bits();
            i128::from((bits << shift) as i64 >> shift)
        } else {
            i128::from(bits)
        }
    }

    fn default_case(&mut self, span: Span) -> Option<CaseId> {
        let id = self.new_case()?;
        let context = self.function.as_mut()?.switches.last_mut();
        let Some(context) = context else {
            self.report(
                Diagnostic::new(&codes::E0452, span.start(), "`default` outside of a `switch`")
                    .at("no `switch` is around this"),
            );
            return None;
        };
        if let Some((_, first)) = context.default {
            self.report(
                Diagnostic::new(
                    &codes::E0453,
                    span.start(),
                    "this `switch` has a `default` already",
                )
                .at("the second `default`")
                .label(first, "the first is here"),
            );
            return None;
        }
        context.default = Some((id, span.start()));
        Some(id)
    }

    /// No value has two labels.
    fn check_cases(&mut self, context: &SwitchContext) {
        let mut ranges: Vec<(i128, i128, Span)> = context
            .cases
            .iter()
            .map(|(case, span)| {
                let low = self.ordered(case.first, context.selector);
                (low, self.ordered(case.last, context.selector), *span)
            })
            .collect();
        // Stable: of two equal labels the later in the source is reported.
        ranges.sort_by_key(|&(low, ..)| low);
        let mut reached: Option<(i128, Span)> = None;
        for (low, high, span) in ranges {
            if let Some((end, first)) = reached
                && low <= end
            {
                self.report(
                    Diagnostic::new(
                        &codes::E0453,
                        span,
                        format!("{low} has a `case` label already"),
                    )
                    .at("the second label for it")
                    .label(first, "the first is here"),
                );
            }
            if reached.is_none_or(|(end, _)| high > end) {
                reached = Some((high, span));
            }
        }
    }
}
