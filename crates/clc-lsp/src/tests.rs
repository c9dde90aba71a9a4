//! The server in this process, message by message.

mod edges;
mod fuzz;
mod requests;

use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use super::Server;

/// A client that speaks to a server without a process.
pub(super) struct Client {
    pub server: Server,
    next: i32,
}

impl Client {
    pub fn new() -> Client {
        let document = json!({ "documentSymbol": { "hierarchicalDocumentSymbolSupport": true } });
        let capabilities = json!({ "capabilities": { "textDocument": document } });
        Client { server: Server::new(capabilities), next: 0 }
    }

    /// Asks, and returns the answer.
    pub fn ask(&mut self, method: &str, parameters: Value) -> Response {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request { id: id.clone(), method: method.to_owned(), params: parameters };
        self.server.receive(Message::Request(request));
        let answers = self.server.take_outbox().into_iter().filter_map(|message| match message {
            Message::Response(response) => Some(response),
            Message::Request(_) | Message::Notification(_) => None,
        });
        let answers: Vec<Response> = answers.collect();
        let [answer] = &answers[..] else { panic!("{method}: {} answers", answers.len()) };
        assert_eq!(answer.id, id);
        answer.clone()
    }

    /// The result of a request that must succeed.
    #[track_caller]
    pub fn result(&mut self, method: &str, parameters: Value) -> Value {
        let answer = self.ask(method, parameters);
        assert!(answer.error.is_none(), "{method}: {:?}", answer.error);
        answer.result.unwrap_or_default()
    }

    pub fn tell(&mut self, method: &str, parameters: Value) {
        let note = Notification { method: method.to_owned(), params: parameters };
        self.server.receive(Message::Notification(note));
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "opencl", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces the whole text.
    pub fn replace(&mut self, uri: &str, text: &str) {
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": text }] }),
        );
    }

    /// All diagnostics that wait, by URI.
    pub fn diagnostics(&mut self) -> Vec<(String, Vec<Value>)> {
        while self.server.publish_one() {}
        let notes = self.server.take_outbox().into_iter().filter_map(|message| match message {
            Message::Notification(note) if note.method == "textDocument/publishDiagnostics" => {
                let uri = note.params["uri"].as_str()?.to_owned();
                Some((uri, note.params["diagnostics"].as_array()?.clone()))
            }
            Message::Notification(note) => panic!("{}: {}", note.method, note.params),
            Message::Request(_) | Message::Response(_) => None,
        });
        notes.collect()
    }
}

/// Where the first `$0` stands, and the text without it.
pub(super) fn cursor(source: &str) -> (String, Value) {
    let at = source.find("$0").unwrap_or(0);
    let before = &source[..at];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let character = before[start..].encode_utf16().count();
    (source.replacen("$0", "", 1), json!({ "line": line, "character": character }))
}

/// The parameters of most requests.
pub(super) fn at(uri: &str, position: &Value) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": position })
}
