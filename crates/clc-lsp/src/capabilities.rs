//! What the server can do, and what the client can.

use clc_base::AddressSpace;
use clc_ide::{TokenClass, TokenModifiers};
use serde_json::{Value, json};

/// What the server wants to know of the client.
#[derive(Debug, Default)]
pub(super) struct Client {
    /// It tells of changes of files, if asked.
    pub watches_files: bool,
    /// Outlines can have members.
    pub has_nested_symbols: bool,
}

impl Client {
    pub fn new(initialize: Value) -> Client {
        let is_true = |path: &str| initialize.pointer(path) == Some(&Value::Bool(true));
        Client {
            watches_files: is_true(
                "/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration",
            ),
            has_nested_symbols: is_true(
                "/capabilities/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport",
            ),
        }
    }
}

/// The names of token classes, by [`class_index`].
const CLASSES: &[&str] = &[
    "variable",
    "parameter",
    "function",
    "type",
    "struct",
    "enum",
    "enumMember",
    "property",
    "macro",
    "keyword",
    "label",
    "comment",
];

/// The names of modifiers, by bit. The address spaces are the server's own.
const MODIFIERS: &[&str] = &[
    "declaration",
    "defaultLibrary",
    "readonly",
    "global",
    "local",
    "constant",
    "private",
    "generic",
];

/// The index of a class in the legend.
pub(super) fn class_index(class: TokenClass) -> u32 {
    match class {
        TokenClass::Variable => 0,
        TokenClass::Parameter => 1,
        TokenClass::Function => 2,
        TokenClass::Type => 3,
        TokenClass::Struct => 4,
        TokenClass::Enum => 5,
        TokenClass::EnumMember => 6,
        TokenClass::Property => 7,
        TokenClass::Macro => 8,
        TokenClass::Keyword => 9,
        TokenClass::Label => 10,
        TokenClass::Comment => 11,
    }
}

/// The modifiers as bits of the legend.
pub(super) fn modifier_bits(modifiers: TokenModifiers) -> u32 {
    let space = match modifiers.space {
        None => 0,
        Some(AddressSpace::Global) => 1 << 3,
        Some(AddressSpace::Local) => 1 << 4,
        Some(AddressSpace::Constant) => 1 << 5,
        Some(AddressSpace::Private) => 1 << 6,
        Some(AddressSpace::Generic) => 1 << 7,
    };
    u32::from(modifiers.declaration)
        | u32::from(modifiers.library) << 1
        | u32::from(modifiers.readonly) << 2
        | space
}

/// The answer to `initialize`.
pub(super) fn result() -> Value {
    json!({
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": { "openClose": true, "change": 2, "save": {} },
            "hoverProvider": true,
            "definitionProvider": true,
            "declarationProvider": true,
            "typeDefinitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "renameProvider": { "prepareProvider": true },
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "completionProvider": {
                "triggerCharacters": [".", ">", "#"],
                "resolveProvider": true,
            },
            "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
            "semanticTokensProvider": {
                "legend": { "tokenTypes": CLASSES, "tokenModifiers": MODIFIERS },
                "full": true,
                "range": true,
            },
            "inlayHintProvider": true,
            "foldingRangeProvider": true,
            "codeActionProvider": { "codeActionKinds": ["quickfix", "source.fixAll"] },
        },
        "serverInfo": { "name": "clc", "version": env!("CARGO_PKG_VERSION") },
    })
}

/// What to ask the client to tell of.
pub(super) fn file_watchers() -> Value {
    let patterns = ["**/clc.toml", "**/compile_commands.json", "**/*.{cl,clh,h}"];
    let watchers: Vec<Value> =
        patterns.iter().map(|pattern| json!({ "globPattern": pattern })).collect();
    json!({
        "registrations": [{
            "id": "files",
            "method": "workspace/didChangeWatchedFiles",
            "registerOptions": { "watchers": watchers },
        }],
    })
}
