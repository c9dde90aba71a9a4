//! Names that nothing uses.

use clc_base::{Diagnostic, Id, Span};

use super::context::Lints;
use super::walker::{Body, Uses};
use crate::diagnostics::lints::*;
use crate::hir::{Constant, ExprKind, FuncId, GlobalId, Linkage, LocalId, StmtKind};
use crate::types::Type;

pub(super) fn check(lints: &mut Lints<'_>, uses: &Uses) {
    let codes = [&W0801, &W0802, &W0803, &W0804, &W0805, &W0806, &W0807, &W0810];
    if !lints.any_on(&codes) {
        return;
    }
    let named = Named::collect(lints);
    for body in &uses.bodies {
        locals(lints, body, &named.locals[body.function.index()]);
        labels(lints, body.function);
    }
    globals(lints, &named);
    functions(lints, &named);
    for index in 0..lints.notes.local_typedefs.len() {
        let span = lints.notes.local_typedefs[index];
        if !lints.notes.used_typedefs.contains(&span) && !is_marked(lints, span) {
            let message = format!("the type `{}` is never used", name_at(lints, span));
            report(lints, Diagnostic::new(&W0807, span, message).at("declared only"));
        }
    }
}

/// Everything that some expression names, evaluated or not.
struct Named {
    /// By function and local.
    locals: Vec<Vec<bool>>,
    globals: Vec<bool>,
    functions: Vec<bool>,
}

impl Named {
    fn collect(lints: &Lints<'_>) -> Named {
        let module = lints.module;
        let functions = module.functions.values();
        let mut named = Named {
            locals: functions.map(|function| vec![false; function.locals.len()]).collect(),
            globals: vec![false; module.globals.len()],
            functions: vec![false; module.functions.len()],
        };
        for (function, range) in lints.owned {
            let locals = &mut named.locals[function.index()];
            for index in range.clone() {
                let id = crate::hir::ExprId(index);
                if let ExprKind::Local(local) = module.exprs[id].kind
                    && let Some(named) = locals.get_mut(local.index())
                {
                    *named = true;
                }
            }
        }
        for expr in module.exprs.values() {
            match &expr.kind {
                ExprKind::Global(global) => named.globals[global.index()] = true,
                ExprKind::Call { callee, .. } => named.functions[callee.index()] = true,
                ExprKind::Block { function } => named.functions[function.index()] = true,
                ExprKind::ConstantValue(constant) => named.constant(constant),
                _ => {}
            }
        }
        for global in module.globals.values() {
            if let Some(constant) = &global.initializer {
                named.constant(constant);
            }
        }
        named
    }

    fn constant(&mut self, constant: &Constant) {
        let mut pending = vec![constant];
        while let Some(constant) = pending.pop() {
            match constant {
                Constant::Address { global, .. } => self.globals[global.index()] = true,
                Constant::Composite(parts) => pending.extend(parts),
                Constant::Union { value, .. } => pending.push(value),
                Constant::Zero
                | Constant::Scalar(_)
                | Constant::Scalars(_)
                | Constant::Sampler(_) => {}
            }
        }
    }
}

/// Takes a warning, unless a macro has written the name: then only some uses of it may need it.
fn report(lints: &mut Lints<'_>, diagnostic: Diagnostic) {
    if lints.is_on(diagnostic.code) && !lints.in_macro(diagnostic.primary.span) {
        lints.report(diagnostic);
    }
}

fn is_marked(lints: &Lints<'_>, span: Span) -> bool {
    lints.notes.marked_unused.contains(&span)
}

fn name_at<'a>(lints: &Lints<'a>, span: Span) -> &'a str {
    lints.sources.text(span).unwrap_or_default()
}

fn locals(lints: &mut Lints<'_>, body: &Body, named: &[bool]) {
    let function = &lints.module.functions[body.function];
    for (index, local) in function.locals.values().enumerate() {
        let id = LocalId::from_index(index);
        let uses = body.locals[id];
        if local.is_captured {
            continue;
        }
        if local.name.is_none() || uses.is_read || uses.is_exposed || is_marked(lints, local.span) {
            continue;
        }
        let is_named = named[index];
        if is_named && !uses.is_written {
            // Only where nothing is evaluated.
            continue;
        }
        let name = lints.local_name(body.function, id);
        let is_parameter = index < function.param_count as usize;
        let diagnostic = match (is_parameter, is_named) {
            (true, false) => {
                Diagnostic::new(&W0803, local.span, format!("parameter `{name}` is never used"))
                    .at("the body does not mention it")
            }
            (true, true) => Diagnostic::new(
                &W0804,
                local.span,
                format!("parameter `{name}` is assigned to and never read"),
            )
            .at("set only"),
            (false, false) => {
                Diagnostic::new(&W0801, local.span, format!("variable `{name}` is never used"))
                    .at("declared only")
            }
            (false, true) => {
                // Parts of arrays and structs are written one by one; they may be a protocol.
                if local.ty.quals.is_volatile
                    || matches!(
                        lints.module.types.get(local.ty.ty),
                        Type::Array { .. } | Type::Record(_)
                    )
                {
                    continue;
                }
                let message = format!("variable `{name}` is set and never read");
                Diagnostic::new(&W0802, local.span, message).at("set only")
            }
        };
        report(lints, diagnostic);
    }
}

fn labels(lints: &mut Lints<'_>, function: FuncId) {
    let labels = &lints.module.functions[function].labels;
    if labels.is_empty() || !lints.is_on(&W0806) {
        return;
    }
    let mut used = vec![false; labels.len()];
    // Functions with labels are rare, and so are their statements.
    let Some(body) = lints.module.functions[function].body else { return };
    let mut pending = vec![body];
    while let Some(stmt) = pending.pop() {
        match &lints.module.stmts[stmt].kind {
            StmtKind::Goto(label) => used[label.index()] = true,
            StmtKind::Block(stmts) => pending.extend(stmts),
            StmtKind::If { then, otherwise, .. } => {
                pending.push(*then);
                pending.extend(otherwise);
            }
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::Switch { body, .. }
            | StmtKind::Case { body, .. }
            | StmtKind::Label { body, .. } => pending.push(*body),
            StmtKind::For { initial, body, .. } => {
                pending.extend(initial);
                pending.push(*body);
            }
            StmtKind::Null
            | StmtKind::Expr(_)
            | StmtKind::Declare { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::FpContract(_) => {}
        }
    }
    for (index, label) in labels.values().enumerate() {
        if !used[index] && !is_marked(lints, label.span) {
            let name = lints.interner.resolve(label.name);
            let message = format!("no `goto` jumps to the label `{name}`");
            let mut diagnostic = Diagnostic::new(&W0806, label.span, message).at("never jumped to");
            if clc_base::diagnostic::did_you_mean(name, ["default"].into_iter()).is_some() {
                diagnostic = diagnostic.help("did you mean `default`?");
            }
            report(lints, diagnostic);
        }
    }
}

fn globals(lints: &mut Lints<'_>, named: &Named) {
    for index in 0..lints.module.globals.len() {
        let global = &lints.module.globals[GlobalId::from_index(index)];
        if named.globals[index]
            || global.is_declaration
            || global.spec_constant.is_some()
            || global.linkage != Linkage::Internal
            || is_marked(lints, global.span)
        {
            continue;
        }
        let name = name_at(lints, global.span);
        // String literals have no name, and are there because something wrote them.
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            continue;
        }
        let is_local_to_function = global.name.contains('.');
        let code = if is_local_to_function || global.space != clc_base::AddressSpace::Constant {
            &W0801
        } else {
            &W0810
        };
        if !lints.is_on(code) || !is_local_to_function && lints.in_include(global.span) {
            continue;
        }
        let message = format!("variable `{name}` is never used");
        report(lints, Diagnostic::new(code, global.span, message).at("declared only"));
    }
}

fn functions(lints: &mut Lints<'_>, named: &Named) {
    if !lints.is_on(&W0805) {
        return;
    }
    for (index, function) in lints.module.functions.values().enumerate() {
        if named.functions[index]
            || function.body.is_none()
            || function.kernel.is_some()
            || function.linkage != Linkage::Internal
            || function.attributes.inline_hint
            || is_marked(lints, function.span)
            || lints.in_include(function.span)
        {
            continue;
        }
        let name = lints.interner.resolve(function.name);
        let message = format!("function `{name}` is never called");
        report(
            lints,
            Diagnostic::new(&W0805, function.span, message)
                .at("`static`, and not called in this file")
                .note("it is `static`, so that nothing else can call it"),
        );
    }
}
