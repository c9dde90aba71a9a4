//! Diagnostics and their fixes, as the protocol has them.

use std::collections::HashMap;

use clc_base::{Diagnostic, Severity, Span};
use clc_ide::Analysis;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, DiagnosticRelatedInformation,
    DiagnosticSeverity, DiagnosticTag, Location, NumberOrString, Range, TextEdit, Uri,
    WorkspaceEdit,
};

use super::documents::{Documents, Facts};
use super::settings::Problem;
use super::text::Lines;

/// More than these at one place do not help.
const MAX_RELATED: usize = 16;

/// The diagnostics of a text.
pub(super) fn all(facts: &Facts, documents: &Documents, uri: &Uri) -> Vec<lsp_types::Diagnostic> {
    let Some(analysis) = &facts.analysis else {
        let diagnostics = facts.diagnostics.iter();
        return diagnostics.map(without_place).collect();
    };
    let diagnostics = facts.diagnostics.iter();
    diagnostics.map(|found| convert(found, analysis, facts, documents, uri)).collect()
}

fn without_place(found: &Diagnostic) -> lsp_types::Diagnostic {
    lsp_types::Diagnostic {
        range: Range::default(),
        severity: Some(severity(found.severity)),
        code: Some(NumberOrString::String(found.code.id.to_owned())),
        source: Some("clc".to_owned()),
        message: message(found),
        ..Default::default()
    }
}

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Fatal | Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Note => DiagnosticSeverity::INFORMATION,
    }
}

/// All that is said without a place of its own.
fn message(found: &Diagnostic) -> String {
    let mut text = found.message.clone();
    let mut add = |head: &str, more: &str| {
        text.push('\n');
        text.push_str(head);
        text.push_str(more);
    };
    if !found.primary.message.is_empty() {
        add("", &found.primary.message);
    }
    for note in &found.notes {
        add("note: ", note);
    }
    for help in &found.helps {
        add("help: ", help);
    }
    if let Some(fix) = &found.fix {
        add("help: ", &fix.message);
    }
    text
}

fn convert(
    found: &Diagnostic,
    analysis: &Analysis,
    facts: &Facts,
    documents: &Documents,
    uri: &Uri,
) -> lsp_types::Diagnostic {
    let mut diagnostic = without_place(found);
    let span = found.primary.span;
    diagnostic.range = match analysis.seen(span) {
        Some(range) => facts.lines.range(analysis.text(), &range),
        // In a file that is included: at the directive.
        None => included_at(analysis, span)
            .map_or(Range::default(), |range| facts.lines.range(analysis.text(), &range)),
    };
    let name = found.code.name;
    if name.starts_with("unused-") || name.starts_with("unreachable") {
        diagnostic.tags = Some(vec![DiagnosticTag::UNNECESSARY]);
    }
    let mut related = Vec::new();
    if analysis.seen(span).is_none() {
        related.extend(location(analysis, facts, documents, span).map(|location| {
            DiagnosticRelatedInformation { location, message: found.message.clone() }
        }));
    }
    for label in found.labels.iter().take(MAX_RELATED) {
        related.extend(location(analysis, facts, documents, label.span).map(|location| {
            DiagnosticRelatedInformation { location, message: label.message.to_string() }
        }));
    }
    let resolved = analysis.sources.resolve(span);
    for &place in resolved.iter().flat_map(|resolved| &resolved.expanded_from).take(MAX_RELATED) {
        related.extend(location(analysis, facts, documents, place).map(|location| {
            let message = "in the text of this macro".to_owned();
            DiagnosticRelatedInformation { location, message }
        }));
    }
    // A place in this very text needs no words of its own if it is the diagnostic's.
    related.retain(|info| info.location.uri != *uri || info.location.range != diagnostic.range);
    diagnostic.related_information = (!related.is_empty()).then_some(related);
    diagnostic
}

/// The directive of the source that brings a place of another file in.
fn included_at(analysis: &Analysis, span: Span) -> Option<std::ops::Range<u32>> {
    let mut file = analysis.sources.resolve(span)?.file;
    loop {
        let from = analysis.sources.file(file).included_from?;
        if let Some(range) = analysis.seen(from) {
            return Some(range);
        }
        file = analysis.sources.resolve(from)?.file;
    }
}

/// A place as a location.
fn location(
    analysis: &Analysis,
    facts: &Facts,
    documents: &Documents,
    span: Span,
) -> Option<Location> {
    let resolved = analysis.sources.resolve(span)?;
    let file = analysis.sources.file(resolved.file);
    if file.name.starts_with('<') {
        return None;
    }
    let range = resolved.start..resolved.end;
    let range = match resolved.file == analysis.main {
        true => facts.lines.range(&file.text, &range),
        false => Lines::new(&file.text).range(&file.text, &range),
    };
    Some(Location { uri: documents.uri_of(&file.name)?, range })
}

/// The edits of the diagnostics that touch a range, and one of all of them together.
pub(super) fn actions(
    facts: &Facts,
    documents: &Documents,
    uri: &Uri,
    range: Range,
) -> Vec<CodeActionOrCommand> {
    let mut actions = Vec::new();
    if facts.is_settings
        && let Some((_, text, problems)) = &facts.settings
    {
        let problems = problems.iter();
        actions.extend(problems.filter_map(|problem| settings_action(text, problem, uri, range)));
    }
    let Some(analysis) = &facts.analysis else { return actions };
    let mut edits: Vec<TextEdit> = Vec::new();
    for found in &facts.diagnostics {
        let Some(fix) = &found.fix else { continue };
        // What a macro makes cannot be changed where it is used.
        let Some(place) = analysis.range(fix.span) else { continue };
        let edit = TextEdit {
            range: facts.lines.range(analysis.text(), &place),
            new_text: fix.replacement.clone(),
        };
        // Ends that meet are one place to an editor.
        if edits.last().is_none_or(|last| last.range.end < edit.range.start) {
            edits.push(edit.clone());
        }
        let diagnostic = convert(found, analysis, facts, documents, uri);
        if touches(diagnostic.range, range) || touches(edit.range, range) {
            let title = fix.message.trim_start_matches("did you mean ").trim_end_matches('?');
            let title = match fix.message.starts_with("did you mean") {
                true => format!("Change to {title}"),
                false => capital(&fix.message),
            };
            actions.push(action(title, CodeActionKind::QUICKFIX, uri, vec![edit], diagnostic));
        }
    }
    if edits.len() > 1 {
        let kind = CodeActionKind::SOURCE_FIX_ALL;
        let title = "Apply all fixes of clc".to_owned();
        actions.push(CodeActionOrCommand::CodeAction(CodeAction {
            title,
            kind: Some(kind),
            edit: Some(edit_of(uri, edits)),
            ..Default::default()
        }));
    }
    actions
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

fn touches(a: Range, b: Range) -> bool {
    a.start <= b.end && b.start <= a.end
}

fn action(
    title: String,
    kind: CodeActionKind,
    uri: &Uri,
    edits: Vec<TextEdit>,
    diagnostic: lsp_types::Diagnostic,
) -> CodeActionOrCommand {
    CodeActionOrCommand::CodeAction(CodeAction {
        title,
        kind: Some(kind),
        diagnostics: Some(vec![diagnostic]),
        edit: Some(edit_of(uri, edits)),
        is_preferred: Some(true),
        ..Default::default()
    })
}

/// An edit of one text.
fn edit_of(uri: &Uri, edits: Vec<TextEdit>) -> WorkspaceEdit {
    #[expect(clippy::mutable_key_type, reason = "the protocol's type has URIs as keys")]
    let changes = HashMap::from([(uri.clone(), edits)]);
    WorkspaceEdit { changes: Some(changes), ..Default::default() }
}

/// What is wrong with a file of options.
pub(super) fn of_settings(text: &str, problems: &[Problem]) -> Vec<lsp_types::Diagnostic> {
    problems.iter().map(|problem| settings_diagnostic(text, problem)).collect()
}

fn settings_diagnostic(text: &str, problem: &Problem) -> lsp_types::Diagnostic {
    let range = problem.range.start as u32..problem.range.end as u32;
    lsp_types::Diagnostic {
        range: Lines::new(text).range(text, &range),
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some("clc".to_owned()),
        message: problem.message.clone(),
        ..Default::default()
    }
}

fn settings_action(
    text: &str,
    problem: &Problem,
    uri: &Uri,
    range: Range,
) -> Option<CodeActionOrCommand> {
    let diagnostic = settings_diagnostic(text, problem);
    let replacement = problem.replacement.clone()?;
    if !touches(diagnostic.range, range) {
        return None;
    }
    let title = format!("Change to `{}`", replacement.trim_matches('"'));
    let edit = TextEdit { range: diagnostic.range, new_text: replacement };
    Some(action(title, CodeActionKind::QUICKFIX, uri, vec![edit], diagnostic))
}
