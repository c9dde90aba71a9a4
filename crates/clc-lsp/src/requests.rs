//! What the editor asks, and the answers.

use std::collections::HashMap;
use std::rc::Rc;

use clc_ide::{Analysis, CompletionKind, FoldKind, Place, SymbolKind};
use lsp_server::{ErrorCode, Request};
use lsp_types::request::{self, Request as _};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionTextEdit, DocumentHighlight,
    Documentation, FoldingRange, FoldingRangeKind, Hover, HoverContents, InlayHint, InlayHintKind,
    InlayHintLabel, Location, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel,
    Position, PrepareRenameResponse, Range, SemanticToken, SemanticTokens, SignatureHelp,
    SignatureInformation, SymbolInformation, TextDocumentPositionParams, TextEdit, Uri,
    WorkspaceEdit,
};
use serde_json::Value;

use super::capabilities::{class_index, modifier_bits};
use super::diagnostics;
use super::documents::Facts;
use super::state::State;
use super::text::Lines;

/// Why there is no answer.
pub(super) struct Refusal {
    pub code: i32,
    pub message: String,
}

type Answer = Result<Value, Refusal>;

/// A request and a notification that panic: of defects that are known none is left to test it with.
#[cfg(test)]
pub(super) const PANIC: &str = "test/panic";

fn refuse(code: ErrorCode, message: impl Into<String>) -> Refusal {
    Refusal { code: code as i32, message: message.into() }
}

/// The parameters of a request.
fn read<R: request::Request>(request: &Request) -> Result<R::Params, Refusal> {
    serde_json::from_value(request.params.clone())
        .map_err(|error| refuse(ErrorCode::InvalidParams, error.to_string()))
}

/// The result of a request; what is not known is null.
fn write<R: request::Request>(result: R::Result) -> Answer {
    serde_json::to_value(result)
        .map_err(|error| refuse(ErrorCode::InternalError, error.to_string()))
}

/// Answers a request.
pub(super) fn answer(state: &mut State, request: &Request) -> Answer {
    match request.method.as_str() {
        request::HoverRequest::METHOD => hover(state, request),
        request::GotoDefinition::METHOD | request::GotoDeclaration::METHOD => {
            definition(state, request)
        }
        request::GotoTypeDefinition::METHOD => type_definition(state, request),
        request::References::METHOD => references(state, request),
        request::DocumentHighlightRequest::METHOD => highlights(state, request),
        request::PrepareRenameRequest::METHOD => prepare_rename(state, request),
        request::Rename::METHOD => rename(state, request),
        request::DocumentSymbolRequest::METHOD => document_symbols(state, request),
        request::WorkspaceSymbolRequest::METHOD => workspace_symbols(state, request),
        request::Completion::METHOD => completion(state, request),
        request::ResolveCompletionItem::METHOD => resolve_completion(request),
        request::SignatureHelpRequest::METHOD => signature_help(state, request),
        request::SemanticTokensFullRequest::METHOD => {
            let asked = read::<request::SemanticTokensFullRequest>(request)?;
            let tokens = semantic_tokens(state, &asked.text_document.uri, None);
            write::<request::SemanticTokensFullRequest>(tokens.map(Into::into))
        }
        request::SemanticTokensRangeRequest::METHOD => {
            let asked = read::<request::SemanticTokensRangeRequest>(request)?;
            let tokens = semantic_tokens(state, &asked.text_document.uri, Some(asked.range));
            write::<request::SemanticTokensRangeRequest>(tokens.map(Into::into))
        }
        request::InlayHintRequest::METHOD => inlay_hints(state, request),
        request::FoldingRangeRequest::METHOD => folding(state, request),
        request::CodeActionRequest::METHOD => code_actions(state, request),
        #[cfg(test)]
        PANIC => panic!("as the test asked"),
        method => Err(refuse(ErrorCode::MethodNotFound, format!("`{method}` is not known here"))),
    }
}

/// A text and what is known of it.
struct View {
    uri: Uri,
    facts: Rc<Facts>,
}

impl View {
    fn of(state: &mut State, uri: Uri) -> Option<View> {
        let facts = state.documents.facts(&uri)?;
        Some(View { uri, facts })
    }

    /// The same with the byte of a position.
    fn at(state: &mut State, place: TextDocumentPositionParams) -> Option<(View, u32)> {
        let view = View::of(state, place.text_document.uri)?;
        let offset = view.facts.lines.offset(view.analysis()?.text(), place.position);
        Some((view, offset))
    }

    fn analysis(&self) -> Option<&Analysis> {
        self.facts.analysis.as_ref()
    }

    fn range(&self, range: &std::ops::Range<u32>) -> Range {
        let text = self.analysis().map_or("", |analysis| analysis.text());
        self.facts.lines.range(text, range)
    }

    fn locations(&self, state: &State, places: &[Place]) -> Vec<Location> {
        let Some(analysis) = self.analysis() else { return Vec::new() };
        let mut lines: HashMap<&str, (Lines, &str)> = HashMap::new();
        let mut locations = Vec::new();
        for place in places {
            let file = analysis.sources.files().iter().find(|file| file.name == place.file);
            let Some(file) = file else {
                // A file that is included, but was not read once more.
                let uri = state.documents.uri_of(&place.file);
                locations.extend(uri.map(|uri| Location { uri, range: Range::default() }));
                continue;
            };
            if file.name.starts_with('<') {
                continue;
            }
            let (lines, text) =
                lines.entry(&file.name).or_insert_with(|| (Lines::new(&file.text), &file.text));
            let uri = match file.name == analysis.sources.file(analysis.main).name {
                true => Some(self.uri.clone()),
                false => state.documents.uri_of(&file.name),
            };
            let range = lines.range(text, &place.range);
            locations.extend(uri.map(|uri| Location { uri, range }));
        }
        locations
    }
}

fn markdown(value: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value }
}

fn hover(state: &mut State, request: &Request) -> Answer {
    let asked = read::<request::HoverRequest>(request)?.text_document_position_params;
    let found = View::at(state, asked).and_then(|(view, offset)| {
        let hover = view.analysis()?.hover(offset)?;
        let range = Some(view.range(&hover.range));
        Some(Hover { contents: HoverContents::Markup(markdown(hover.text)), range })
    });
    write::<request::HoverRequest>(found)
}

fn definition(state: &mut State, request: &Request) -> Answer {
    let asked = read::<request::GotoDefinition>(request)?.text_document_position_params;
    let found = View::at(state, asked).and_then(|(view, offset)| {
        let places = view.analysis()?.definition(offset);
        Some(view.locations(state, &places))
    });
    write::<request::GotoDefinition>(found.map(Into::into))
}

fn type_definition(state: &mut State, request: &Request) -> Answer {
    let asked = read::<request::GotoTypeDefinition>(request)?.text_document_position_params;
    let found = View::at(state, asked).and_then(|(view, offset)| {
        let place = view.analysis()?.type_definition(offset)?;
        Some(view.locations(state, &[place]))
    });
    write::<request::GotoTypeDefinition>(found.map(Into::into))
}

fn references(state: &mut State, request: &Request) -> Answer {
    let asked = read::<request::References>(request)?;
    let with_declarations = asked.context.include_declaration;
    let found = View::at(state, asked.text_document_position).and_then(|(view, offset)| {
        let places = view.analysis()?.references(offset, with_declarations);
        Some(view.locations(state, &places))
    });
    write::<request::References>(found)
}

fn highlights(state: &mut State, request: &Request) -> Answer {
    let asked = read::<request::DocumentHighlightRequest>(request)?;
    let asked = asked.text_document_position_params;
    let found = View::at(state, asked).and_then(|(view, offset)| {
        let places = view.analysis()?.references(offset, true);
        let here = view.locations(state, &places).into_iter();
        let here = here.filter(|location| location.uri == view.uri);
        Some(here.map(|location| DocumentHighlight { range: location.range, kind: None }).collect())
    });
    write::<request::DocumentHighlightRequest>(found)
}

fn prepare_rename(state: &mut State, request: &Request) -> Answer {
    let asked = read::<request::PrepareRenameRequest>(request)?;
    let Some((view, offset)) = View::at(state, asked) else { return Ok(Value::Null) };
    let Some(analysis) = view.analysis() else { return Ok(Value::Null) };
    analysis.renamable(offset).map_err(|e| refuse(ErrorCode::RequestFailed, e.0))?;
    let range = analysis.target(offset).map(|target| view.range(&target.range));
    write::<request::PrepareRenameRequest>(range.map(PrepareRenameResponse::Range))
}

fn rename(state: &mut State, request: &Request) -> Answer {
    let asked = read::<request::Rename>(request)?;
    let Some((view, offset)) = View::at(state, asked.text_document_position) else {
        return Ok(Value::Null);
    };
    let Some(analysis) = view.analysis() else { return Ok(Value::Null) };
    let places = analysis
        .rename(offset, &asked.new_name)
        .map_err(|error| refuse(ErrorCode::RequestFailed, error.0))?;
    #[expect(clippy::mutable_key_type, reason = "the protocol's type has URIs as keys")]
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for location in view.locations(state, &places) {
        let edit = TextEdit { range: location.range, new_text: asked.new_name.clone() };
        changes.entry(location.uri).or_default().push(edit);
    }
    write::<request::Rename>(Some(WorkspaceEdit { changes: Some(changes), ..Default::default() }))
}

fn symbol_kind(kind: SymbolKind) -> lsp_types::SymbolKind {
    match kind {
        SymbolKind::Kernel | SymbolKind::Function => lsp_types::SymbolKind::FUNCTION,
        SymbolKind::Variable => lsp_types::SymbolKind::VARIABLE,
        SymbolKind::Typedef => lsp_types::SymbolKind::CLASS,
        SymbolKind::Record => lsp_types::SymbolKind::STRUCT,
        SymbolKind::Enum => lsp_types::SymbolKind::ENUM,
        SymbolKind::Member => lsp_types::SymbolKind::FIELD,
        SymbolKind::Enumerator => lsp_types::SymbolKind::ENUM_MEMBER,
        SymbolKind::Macro => lsp_types::SymbolKind::CONSTANT,
    }
}

#[expect(deprecated, reason = "the protocol's type has a deprecated field")]
fn nested(view: &View, symbol: clc_ide::DocumentSymbol) -> lsp_types::DocumentSymbol {
    let children: Vec<_> = symbol.children.into_iter().map(|child| nested(view, child)).collect();
    lsp_types::DocumentSymbol {
        name: symbol.name,
        detail: (symbol.kind == SymbolKind::Kernel).then(|| "kernel".to_owned()),
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: view.range(&symbol.range),
        selection_range: view.range(&symbol.name_range),
        children: (!children.is_empty()).then_some(children),
    }
}

#[expect(deprecated, reason = "the protocol's type has a deprecated field")]
fn flat(
    view: &View,
    symbol: clc_ide::DocumentSymbol,
    container: Option<&str>,
    list: &mut Vec<SymbolInformation>,
) {
    list.push(SymbolInformation {
        name: symbol.name.clone(),
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        location: Location { uri: view.uri.clone(), range: view.range(&symbol.range) },
        container_name: container.map(str::to_owned),
    });
    for child in symbol.children {
        flat(view, child, Some(&symbol.name), list);
    }
}

fn document_symbols(state: &mut State, request: &Request) -> Answer {
    let asked = read::<request::DocumentSymbolRequest>(request)?;
    let Some(view) = View::of(state, asked.text_document.uri) else { return Ok(Value::Null) };
    let Some(analysis) = view.analysis() else { return Ok(Value::Null) };
    let symbols = analysis.symbols().into_iter();
    if state.client.has_nested_symbols {
        let symbols: Vec<_> = symbols.map(|symbol| nested(&view, symbol)).collect();
        return write::<request::DocumentSymbolRequest>(Some(symbols.into()));
    }
    let mut list = Vec::new();
    symbols.for_each(|symbol| flat(&view, symbol, None, &mut list));
    write::<request::DocumentSymbolRequest>(Some(list.into()))
}

fn workspace_symbols(state: &mut State, request: &Request) -> Answer {
    let asked = read::<request::WorkspaceSymbolRequest>(request)?;
    let wanted = asked.query.to_lowercase();
    let mut list = Vec::new();
    for uri in state.documents.uris() {
        let Some(view) = View::of(state, uri) else { continue };
        let symbols = view.analysis().map(Analysis::symbols).unwrap_or_default();
        symbols.into_iter().for_each(|symbol| flat(&view, symbol, None, &mut list));
    }
    list.retain(|symbol| symbol.name.to_lowercase().contains(&wanted));
    list.truncate(500);
    write::<request::WorkspaceSymbolRequest>(Some(lsp_types::WorkspaceSymbolResponse::Flat(list)))
}

fn completion_kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Variable => CompletionItemKind::VARIABLE,
        CompletionKind::Member | CompletionKind::Components => CompletionItemKind::FIELD,
        CompletionKind::Function | CompletionKind::Builtin => CompletionItemKind::FUNCTION,
        CompletionKind::Constant => CompletionItemKind::ENUM_MEMBER,
        CompletionKind::Type => CompletionItemKind::CLASS,
        CompletionKind::Macro => CompletionItemKind::CONSTANT,
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Attribute => CompletionItemKind::PROPERTY,
        CompletionKind::Extension => CompletionItemKind::MODULE,
    }
}

fn completion(state: &mut State, request: &Request) -> Answer {
    let asked = read::<request::Completion>(request)?.text_document_position;
    let Some((view, offset)) = View::at(state, asked) else { return Ok(Value::Null) };
    let Some(analysis) = view.analysis() else { return Ok(Value::Null) };
    let (range, found) = analysis.completions(offset);
    let range = view.range(&range);
    let items = found
        .into_iter()
        .enumerate()
        .map(|(index, item)| CompletionItem {
            kind: Some(completion_kind(item.kind)),
            detail: (!item.detail.is_empty()).then_some(item.detail),
            sort_text: Some(format!("{index:04}")),
            // What `completionItem/resolve` describes.
            data: (item.kind == CompletionKind::Builtin).then(|| Value::String(item.label.clone())),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit {
                range,
                new_text: item.label.clone(),
            })),
            label: item.label,
            ..Default::default()
        })
        .collect();
    // The next letter brings what is left out now.
    let list = CompletionList { is_incomplete: true, items };
    write::<request::Completion>(Some(list.into()))
}

fn resolve_completion(request: &Request) -> Answer {
    let mut item = read::<request::ResolveCompletionItem>(request)?;
    if let Some(Value::String(name)) = &item.data
        && let Some(known) = clc_builtins::prose::describe(name)
    {
        let summary = known.summary.unwrap_or_default();
        let text = format!("{summary}\n\n{}", known.section);
        item.documentation = Some(Documentation::MarkupContent(markdown(text)));
    }
    write::<request::ResolveCompletionItem>(item)
}

fn signature_help(state: &mut State, request: &Request) -> Answer {
    let asked = read::<request::SignatureHelpRequest>(request)?.text_document_position_params;
    let found = View::at(state, asked).and_then(|(view, offset)| {
        let help = view.analysis()?.signature(offset)?;
        let signatures = help.signatures.into_iter().map(|signature| {
            let units = |at: u32| {
                let before = signature.label.get(..at as usize).unwrap_or("");
                before.encode_utf16().count() as u32
            };
            let parameters = signature.parameters.iter().map(|range| ParameterInformation {
                label: ParameterLabel::LabelOffsets([units(range.start), units(range.end)]),
                documentation: None,
            });
            let text = (!signature.documentation.is_empty())
                .then(|| Documentation::MarkupContent(markdown(signature.documentation.clone())));
            SignatureInformation {
                parameters: Some(parameters.collect()),
                label: signature.label.clone(),
                documentation: text,
                active_parameter: None,
            }
        });
        Some(SignatureHelp {
            signatures: signatures.collect(),
            active_signature: Some(help.active as u32),
            active_parameter: Some(help.argument as u32),
        })
    });
    write::<request::SignatureHelpRequest>(found)
}

fn semantic_tokens(state: &mut State, uri: &Uri, within: Option<Range>) -> Option<SemanticTokens> {
    let view = View::of(state, uri.clone())?;
    let (mut line, mut character) = (0, 0);
    let mut data = Vec::new();
    for token in view.analysis()?.tokens() {
        let range = view.range(&token.range);
        if within.is_some_and(|within| range.end < within.start || within.end < range.start) {
            continue;
        }
        let Position { line: at, character: start } = range.start;
        data.push(SemanticToken {
            delta_line: at - line,
            delta_start: if at == line { start - character } else { start },
            length: range.end.character.saturating_sub(start),
            token_type: class_index(token.class),
            token_modifiers_bitset: modifier_bits(token.modifiers),
        });
        (line, character) = (at, start);
    }
    Some(SemanticTokens { result_id: None, data })
}

fn inlay_hints(state: &mut State, request: &Request) -> Answer {
    let asked = read::<request::InlayHintRequest>(request)?;
    let view = View::of(state, asked.text_document.uri);
    let found = view.and_then(|view| {
        let analysis = view.analysis()?;
        let offset = |position| view.facts.lines.offset(analysis.text(), position);
        let hints = analysis.hints(offset(asked.range.start), offset(asked.range.end));
        let hints = hints.into_iter().map(|hint| InlayHint {
            position: view.facts.lines.position(analysis.text(), hint.offset),
            label: InlayHintLabel::String(hint.label.trim_end().to_owned()),
            kind: Some(InlayHintKind::TYPE),
            text_edits: None,
            tooltip: None,
            padding_left: None,
            padding_right: Some(true),
            data: None,
        });
        Some(hints.collect::<Vec<InlayHint>>())
    });
    write::<request::InlayHintRequest>(found)
}

fn folding(state: &mut State, request: &Request) -> Answer {
    let asked = read::<request::FoldingRangeRequest>(request)?;
    let view = View::of(state, asked.text_document.uri);
    let found = view.and_then(|view| {
        let folds = view.analysis()?.folds().into_iter().map(|fold| FoldingRange {
            start_line: fold.first_line,
            end_line: fold.last_line,
            kind: match fold.kind {
                FoldKind::Comment => Some(FoldingRangeKind::Comment),
                FoldKind::Includes => Some(FoldingRangeKind::Imports),
                FoldKind::Block | FoldKind::Condition => None,
            },
            ..Default::default()
        });
        Some(folds.collect())
    });
    write::<request::FoldingRangeRequest>(found)
}

fn code_actions(state: &mut State, request: &Request) -> Answer {
    let asked = read::<request::CodeActionRequest>(request)?;
    let uri = asked.text_document.uri;
    let found = state.documents.facts(&uri).map(|facts| {
        let mut actions = diagnostics::actions(&facts, &state.documents, &uri, asked.range);
        if let Some(only) = &asked.context.only {
            actions.retain(|action| match action {
                lsp_types::CodeActionOrCommand::CodeAction(action) => {
                    let kind = action.kind.as_ref().map_or("", |kind| kind.as_str());
                    only.iter().any(|only| kind.starts_with(only.as_str()))
                }
                lsp_types::CodeActionOrCommand::Command(_) => false,
            });
        }
        actions
    });
    write::<request::CodeActionRequest>(found)
}
