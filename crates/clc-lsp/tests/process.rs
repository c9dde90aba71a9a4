//! An editor and the language server, each a process, over JSON-RPC.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

struct Editor {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Editor {
    /// Starts the server and greets it.
    fn start() -> Editor {
        let mut server = Command::new(env!("CARGO_BIN_EXE_clc-lsp"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = server.stdin.take().unwrap();
        let output = BufReader::new(server.stdout.take().unwrap());
        let mut editor = Editor { server, input, output, next: 0 };
        let answer = editor.ask("initialize", json!({ "capabilities": {} }));
        assert_eq!(answer["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server has gone");
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    fn tell(&mut self, method: &str, parameters: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }));
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        loop {
            let message = self.receive();
            if message["id"] == id {
                assert_eq!(message["error"], Value::Null, "{method}");
                return message["result"].clone();
            }
        }
    }

    /// The next diagnostics of a version of the text.
    fn diagnostics(&mut self, version: u64) -> Vec<Value> {
        loop {
            let message = self.receive();
            if message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["version"] == version
            {
                return message["params"]["diagnostics"].as_array().unwrap().clone();
            }
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

#[test]
fn an_editor_applies_a_fix_and_the_error_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.cl");
    let uri = format!("file://{}", path.display());
    let source = "kernel void k(global int *x) {\n    x[0] = get_globl_id(0);\n}\n";
    let mut editor = Editor::start();
    let document = json!({ "uri": uri, "languageId": "opencl", "version": 1, "text": source });
    editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
    let found = editor.diagnostics(1);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["severity"], 1);

    let actions = editor.ask(
        "textDocument/codeAction",
        json!({
            "textDocument": { "uri": uri },
            "range": found[0]["range"],
            "context": { "diagnostics": found },
        }),
    );
    let edit = &actions[0]["edit"]["changes"][&uri][0];
    assert_eq!(edit["newText"], "get_global_id");
    editor.tell(
        "textDocument/didChange",
        json!({
            "textDocument": { "uri": uri, "version": 2 },
            "contentChanges": [{ "range": edit["range"], "text": edit["newText"] }],
        }),
    );
    assert_eq!(editor.diagnostics(2), Vec::<Value>::new());

    let place = json!({
        "textDocument": { "uri": uri }, "position": { "line": 1, "character": 14 } });
    let hover = editor.ask("textDocument/hover", place);
    assert!(hover["contents"]["value"].as_str().unwrap().contains("OpenCL C 6.15.1"));

    assert_eq!(editor.ask("shutdown", Value::Null), Value::Null);
    editor.tell("exit", Value::Null);
    assert!(editor.server.wait().unwrap().success());
}

#[test]
fn an_editor_that_goes_without_a_word_ends_the_server() {
    let mut editor = Editor::start();
    drop(std::mem::replace(&mut editor.input, {
        // The pipe of another process, so that this one's end closes.
        let mut other = Command::new(env!("CARGO_BIN_EXE_clc-lsp"))
            .arg("--version")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let input = other.stdin.take().unwrap();
        other.wait().unwrap();
        input
    }));
    assert_eq!(editor.server.wait().unwrap().code(), Some(1));
}

#[test]
fn who_does_not_begin_as_the_protocol_wants_is_told() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_clc-lsp"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    server.stdin.take().unwrap().write_all(b"hello\r\n\r\n").unwrap();
    let output = server.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("clc lsp: error: "), "{said}");
}
