//! The loop over messages.

use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;

use lsp_server::{
    Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError,
};
use lsp_types::notification::{self, Notification as _};
use lsp_types::{PublishDiagnosticsParams, Uri};

use super::documents::Documents;
use super::state::State;
use super::{capabilities, diagnostics, paths, requests, text};
use clc::guard;

/// The state between messages.
pub struct Server {
    state: State,
    outbox: Vec<Message>,
    has_shut_down: bool,
    /// Files with options that the editor shows something of.
    complained: HashSet<PathBuf>,
    next_request: i32,
}

impl Server {
    /// A server for a client that began with these parameters.
    pub fn new(initialize: serde_json::Value) -> Server {
        Server {
            state: State {
                documents: Documents::default(),
                client: capabilities::Client::new(initialize),
            },
            outbox: Vec::new(),
            has_shut_down: false,
            complained: HashSet::new(),
            next_request: 0,
        }
    }

    /// What to answer to `initialize`.
    pub fn initialize_result(&self) -> serde_json::Value {
        capabilities::result()
    }

    /// Answers until the client ends it; the exit code.
    pub(super) fn run(&mut self, connection: &Connection) -> Result<u8, String> {
        let mut queue: VecDeque<Message> = VecDeque::new();
        self.watch_files();
        loop {
            queue.extend(connection.receiver.try_iter());
            if queue.is_empty() {
                // There is no request left to answer.
                if !self.publish_one() {
                    match connection.receiver.recv() {
                        Ok(message) => queue.push_back(message),
                        Err(_) => return Ok(1),
                    }
                }
            }
            self.cancel(&mut queue);
            if let Some(message) = queue.pop_front() {
                if let Message::Notification(note) = &message
                    && note.method == notification::Exit::METHOD
                {
                    return Ok(u8::from(!self.has_shut_down));
                }
                self.receive(message);
            }
            for message in self.outbox.drain(..) {
                connection.sender.send(message).map_err(|error| error.to_string())?;
            }
        }
    }

    /// Answers the requests that were cancelled while they waited.
    fn cancel(&mut self, queue: &mut VecDeque<Message>) {
        let cancelled: Vec<RequestId> = queue.iter().filter_map(cancelled_request).collect();
        if cancelled.is_empty() {
            return;
        }
        queue.retain(|message| match message {
            Message::Request(request) if cancelled.contains(&request.id) => {
                let code = ErrorCode::RequestCanceled as i32;
                self.fail(request.id.clone(), code, "cancelled".to_owned());
                false
            }
            message => cancelled_request(message).is_none(),
        });
    }

    /// Handles a message, and puts what it leads to into the outbox.
    pub fn receive(&mut self, message: Message) {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(note) => {
                let outcome = guard::catch(|| self.notification(note));
                if let Err(error) = outcome {
                    self.log(&format!("internal error: {}", error.message));
                }
            }
            // To what the server asked; nothing depends on it.
            Message::Response(_) => {}
        }
    }

    /// The text of a document as the server has it.
    #[cfg(test)]
    pub fn text(&self, uri: &str) -> Option<String> {
        let uri: Uri = uri.parse().ok()?;
        self.state.documents.get(&uri).map(|document| document.text.clone())
    }

    /// What is to be sent.
    pub fn take_outbox(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.outbox)
    }

    fn request(&mut self, request: Request) {
        let id = request.id.clone();
        if self.has_shut_down {
            let code = ErrorCode::InvalidRequest as i32;
            return self.fail(id, code, "the server was shut down".to_owned());
        }
        if request.method == "shutdown" {
            self.has_shut_down = true;
            let message = Response::new_ok(id, serde_json::Value::Null);
            return self.outbox.push(Message::Response(message));
        }
        match guard::run(|| requests::answer(&mut self.state, &request)) {
            Ok(Ok(result)) => {
                let response = Response { id, result: Some(result), error: None };
                self.outbox.push(Message::Response(response));
            }
            Ok(Err(error)) => self.fail(id, error.code, error.message),
            Err(error) => {
                let at = error.location.map(|at| format!(" ({at})")).unwrap_or_default();
                let text = format!("internal error: {}{at}", error.message);
                self.log(&text);
                self.fail(id, ErrorCode::InternalError as i32, text);
            }
        }
    }

    fn fail(&mut self, id: RequestId, code: i32, message: String) {
        let error = Some(ResponseError { code, message, data: None });
        self.outbox.push(Message::Response(Response { id, result: None, error }));
    }

    fn log(&mut self, text: &str) {
        let parameters = lsp_types::LogMessageParams {
            typ: lsp_types::MessageType::ERROR,
            message: text.to_owned(),
        };
        self.notify::<notification::LogMessage>(parameters);
    }

    fn notify<N: notification::Notification>(&mut self, parameters: N::Params) {
        let note = Notification::new(N::METHOD.to_owned(), parameters);
        self.outbox.push(Message::Notification(note));
    }

    fn notification(&mut self, note: Notification) {
        match note.method.as_str() {
            notification::DidOpenTextDocument::METHOD => {
                if let Some(opened) = read::<notification::DidOpenTextDocument>(note) {
                    let document = opened.text_document;
                    self.state.documents.open(document.uri, document.text, document.version);
                }
            }
            notification::DidChangeTextDocument::METHOD => {
                if let Some(changed) = read::<notification::DidChangeTextDocument>(note) {
                    let document = changed.text_document;
                    let changes = changed.content_changes;
                    self.state
                        .documents
                        .change(&document.uri, document.version, |text| text::apply(text, changes));
                }
            }
            notification::DidCloseTextDocument::METHOD => {
                if let Some(closed) = read::<notification::DidCloseTextDocument>(note) {
                    let uri = closed.text_document.uri;
                    self.state.documents.close(&uri);
                    self.publish(uri, Vec::new(), None);
                }
            }
            notification::DidSaveTextDocument::METHOD
            | notification::DidChangeWatchedFiles::METHOD
            | notification::DidChangeConfiguration::METHOD => self.state.documents.forget(),
            #[cfg(test)]
            requests::PANIC => panic!("as the test asked"),
            _ => {}
        }
    }

    fn publish(&mut self, uri: Uri, found: Vec<lsp_types::Diagnostic>, version: Option<i32>) {
        let parameters = PublishDiagnosticsParams { uri, diagnostics: found, version };
        self.notify::<notification::PublishDiagnostics>(parameters);
    }

    /// Sends the diagnostics of one text that has changed; `false` if there is none.
    pub fn publish_one(&mut self) -> bool {
        let Some(uri) = self.state.documents.unpublished() else { return false };
        // A text that cannot be analysed is not tried again before it changes.
        self.state.documents.published(&uri);
        let outcome = guard::run(|| {
            let facts = self.state.documents.facts(&uri)?;
            let mut found = diagnostics::all(&facts, &self.state.documents, &uri);
            if facts.is_settings
                && let Some((_, text, problems)) = &facts.settings
            {
                found.extend(diagnostics::of_settings(text, problems));
            }
            let version = self.state.documents.get(&uri).map(|document| document.version);
            Some((facts, found, version))
        });
        match outcome {
            Ok(Some((facts, found, version))) => {
                self.publish(uri, found, version);
                self.publish_settings(&facts);
            }
            Ok(None) => {}
            Err(error) => self.log(&format!("internal error: {}", error.message)),
        }
        true
    }

    /// Shows what is wrong with the file that a text has its options from.
    fn publish_settings(&mut self, facts: &super::documents::Facts) {
        if facts.is_settings {
            // It has its diagnostics as a text.
            return;
        }
        let Some((path, text, problems)) = &facts.settings else { return };
        let is_news = match problems.is_empty() {
            true => self.complained.remove(path),
            false => {
                self.complained.insert(path.clone());
                true
            }
        };
        if is_news && let Some(uri) = paths::uri_of(path) {
            let found = diagnostics::of_settings(text, problems);
            self.publish(uri, found, None);
        }
    }

    /// Asks to be told of changes of files that decide what texts mean.
    fn watch_files(&mut self) {
        if !self.state.client.watches_files {
            return;
        }
        self.next_request += 1;
        let id = RequestId::from(self.next_request);
        let parameters = capabilities::file_watchers();
        let request =
            Request { id, method: "client/registerCapability".to_owned(), params: parameters };
        self.outbox.push(Message::Request(request));
    }
}

/// The request that a message cancels.
fn cancelled_request(message: &Message) -> Option<RequestId> {
    let Message::Notification(note) = message else { return None };
    if note.method != notification::Cancel::METHOD {
        return None;
    }
    match note.params.get("id")? {
        serde_json::Value::Number(number) => {
            Some(RequestId::from(i32::try_from(number.as_i64()?).ok()?))
        }
        serde_json::Value::String(text) => Some(RequestId::from(text.clone())),
        _ => None,
    }
}

fn read<N: notification::Notification>(note: Notification) -> Option<N::Params> {
    serde_json::from_value(note.params).ok()
}
