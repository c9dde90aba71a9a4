//! What editors do besides asking: cancel, close, end; and answers for clients that know less.

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};

use super::{Client, at, cursor};
use crate::Server;

const URI: &str = "file:///nowhere/edges.cl";

/// What a server that is told these messages at once answers, and its exit code.
fn conversation(initialize: Value, messages: Vec<Message>) -> (Result<u8, String>, Vec<Message>) {
    let (ours, theirs) = Connection::memory();
    messages.into_iter().for_each(|message| theirs.sender.send(message).unwrap());
    let code = Server::new(initialize).run(&ours);
    drop(ours);
    (code, theirs.receiver.iter().collect())
}

fn note(method: &str, params: Value) -> Message {
    Message::Notification(Notification { method: method.to_owned(), params })
}

fn request(id: RequestId, method: &str, params: Value) -> Message {
    Message::Request(Request { id, method: method.to_owned(), params })
}

#[test]
fn requests_that_were_cancelled_while_they_waited_are_not_answered() {
    let place = json!({ "line": 0, "character": 0 });
    let hover = |id: RequestId| request(id, "textDocument/hover", at(URI, &place));
    let (code, answers) = conversation(
        json!({ "capabilities": {} }),
        vec![
            hover(RequestId::from(1)),
            hover(RequestId::from("two".to_owned())),
            hover(RequestId::from(3)),
            note("$/cancelRequest", json!({ "id": 1 })),
            note("$/cancelRequest", json!({ "id": "two" })),
            note("$/cancelRequest", json!({ "id": [] })),
            note("$/cancelRequest", json!({})),
            request(RequestId::from(4), "shutdown", Value::Null),
            note("exit", Value::Null),
        ],
    );
    assert_eq!(code, Ok(0));
    let codes: Vec<(String, Option<i32>)> = answers
        .iter()
        .map(|answer| match answer {
            Message::Response(answer) => {
                (answer.id.to_string(), answer.error.as_ref().map(|error| error.code))
            }
            other => panic!("{other:?}"),
        })
        .collect();
    let cancelled = Some(lsp_server::ErrorCode::RequestCanceled as i32);
    let wanted = [("1", cancelled), ("\"two\"", cancelled), ("3", None), ("4", None)];
    assert_eq!(codes, wanted.map(|(id, code)| (id.to_owned(), code)));
}

#[test]
fn an_end_without_a_shutdown_is_a_failure() {
    let exit = || note("exit", Value::Null);
    assert_eq!(conversation(Value::Null, vec![exit()]).0, Ok(1));
    let (ours, theirs) = Connection::memory();
    drop(theirs);
    assert_eq!(Server::new(Value::Null).run(&ours), Ok(1));
}

#[test]
fn clients_that_can_watch_files_are_asked_to() {
    let workspace = json!({ "didChangeWatchedFiles": { "dynamicRegistration": true } });
    let capabilities = json!({ "capabilities": { "workspace": workspace } });
    let (_, answers) = conversation(
        capabilities,
        // What the client answers leads to nothing.
        vec![
            Message::Response(lsp_server::Response::new_ok(RequestId::from(1), Value::Null)),
            note("exit", Value::Null),
        ],
    );
    let [Message::Request(asked)] = &answers[..] else { panic!("{answers:?}") };
    assert_eq!(asked.method, "client/registerCapability");
    assert!(asked.params.to_string().contains("**/clc.toml"));
}

#[test]
fn symbols_are_a_list_for_clients_without_trees() {
    let mut client = Client { server: Server::new(json!({ "capabilities": {} })), next: 0 };
    client.open(
        URI,
        "#define N 3\nenum e { A };\nunion u { int a; };\ntypedef int number;\n\
         constant int table[N] = { A };\nvoid f(void) {}\nkernel void k(void) {}\n",
    );
    let file = json!({ "textDocument": { "uri": URI } });
    let symbols = client.result("textDocument/documentSymbol", file);
    let symbols: Vec<(&str, u64, &str)> = symbols
        .as_array()
        .unwrap()
        .iter()
        .map(|symbol| {
            let text = |field: &str| symbol[field].as_str().unwrap_or("");
            (text("name"), symbol["kind"].as_u64().unwrap(), text("containerName"))
        })
        .collect();
    // The numbers of `SymbolKind` in the protocol.
    for wanted in [
        ("N", 14, ""),
        ("e", 10, ""),
        ("A", 22, "e"),
        ("u", 23, ""),
        ("a", 8, "u"),
        ("number", 5, ""),
        ("table", 13, ""),
        ("f", 12, ""),
        ("k", 12, ""),
    ] {
        assert!(symbols.contains(&wanted), "{wanted:?} {symbols:?}");
    }
}

#[test]
fn a_text_that_is_closed_has_no_diagnostics() {
    let mut client = Client::new();
    client.open(URI, "int f(void) { return nope; }");
    assert_eq!(client.diagnostics()[0].1.len(), 1);
    // On disk, perhaps, something has changed.
    client.tell("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    assert_eq!(client.diagnostics()[0].1.len(), 1);
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(client.diagnostics(), [(URI.to_owned(), Vec::new())]);
    assert_eq!(client.server.text(URI), None);
    let nothing =
        client.result("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(nothing, Value::Null);
}

#[test]
fn diagnostics_have_tags_and_places_that_explain_them() {
    let mut client = Client::new();
    client.open(
        URI,
        "#define SUM(a) (a + nope)\nint f(void) { int unused; return SUM(1); }\nint f(int);\n",
    );
    let found = &client.diagnostics()[0].1;
    let of = |text: &str| {
        let found = found.iter().find(|found| found["message"].as_str().unwrap().contains(text));
        found.unwrap_or_else(|| panic!("{text}"))
    };
    assert_eq!(of("nope")["relatedInformation"][0]["message"], "in the text of this macro");
    assert_eq!(of("nope")["range"]["start"], json!({ "line": 1, "character": 33 }));
    let before = &of("`f`")["relatedInformation"][0]["location"]["range"]["start"];
    assert_eq!(*before, json!({ "line": 1, "character": 4 }));
}

#[test]
fn what_is_wrong_in_an_included_file_is_shown_at_the_directive() {
    let folder = tempfile::tempdir().unwrap();
    let root = std::fs::canonicalize(folder.path()).unwrap();
    std::fs::write(root.join("inner.h"), "int broken(void) { return nope; }\n").unwrap();
    std::fs::write(root.join("outer.h"), "#include \"inner.h\"\n").unwrap();
    let uri = crate::paths::uri_of(&root.join("k.cl")).unwrap().as_str().to_owned();
    let mut client = Client::new();
    let source = "int x(void);\n#include \"outer.h\"\nint f(void) { return broken(); }\n";
    client.open(&uri, source);
    let found = &client.diagnostics()[0].1[0];
    assert_eq!(found["range"]["start"]["line"], 1);
    let inner = &found["relatedInformation"][0]["location"];
    assert!(inner["uri"].as_str().unwrap().ends_with("/inner.h"), "{found}");
    assert_eq!(inner["range"]["start"], json!({ "line": 0, "character": 26 }));
    // From there the definition is in that file, and the name of the file leads to it.
    let place = json!({ "line": 2, "character": 22 });
    let definition = client.result("textDocument/definition", at(&uri, &place));
    assert!(definition[0]["uri"].as_str().unwrap().ends_with("/inner.h"));
    let place = json!({ "line": 1, "character": 12 });
    let definition = client.result("textDocument/definition", at(&uri, &place));
    assert!(definition[0]["uri"].as_str().unwrap().ends_with("/outer.h"));
}

#[test]
fn fixes_come_together_or_of_one_kind() {
    let mut client = Client::new();
    client.open(URI, "int f(void) {\n  int a = get_globl_id(0);\n  return get_locl_id(a);\n}\n");
    let range =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let mut titles = |only: Value| -> Vec<String> {
        let context = json!({ "diagnostics": [], "only": only });
        let parameters =
            json!({ "textDocument": { "uri": URI }, "range": range, "context": context });
        let actions = client.result("textDocument/codeAction", parameters);
        let actions = actions.as_array().unwrap().iter();
        actions.map(|action| action["title"].as_str().unwrap().to_owned()).collect()
    };
    let all = "Apply all fixes of clc";
    let each = ["Change to `get_global_id`", "Change to `get_local_id`"];
    assert_eq!(titles(Value::Null), [each[0], each[1], all]);
    assert_eq!(titles(json!(["quickfix"])), each);
    assert_eq!(titles(json!(["source.fixAll"])), [all]);
    assert_eq!(titles(json!(["refactor"])), [""; 0]);
}

#[test]
fn tokens_and_folds_of_a_part_are_those_of_the_part() {
    let mut client = Client::new();
    client.open(
        URI,
        "#include <a.h>\n#include <b.h>\n/* one\n   two */\nint first;\nint second;\n#if 0\nint x;\nint y;\n#endif\n",
    );
    let range =
        json!({ "start": { "line": 5, "character": 0 }, "end": { "line": 5, "character": 9 } });
    let asked = json!({ "textDocument": { "uri": URI }, "range": range });
    let tokens = client.result("textDocument/semanticTokens/range", asked);
    // The first is `int` of the sixth line.
    assert_eq!(tokens["data"].as_array().unwrap()[..3], [json!(5), json!(0), json!(3)]);
    let folds =
        client.result("textDocument/foldingRange", json!({ "textDocument": { "uri": URI } }));
    let kinds: Vec<&str> =
        folds.as_array().unwrap().iter().map(|f| f["kind"].as_str().unwrap_or("")).collect();
    for kind in ["imports", "comment", ""] {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
}

#[test]
fn every_kind_of_completion_has_one_in_the_protocol() {
    let kind = |source: &str, label: &str| {
        let (text, position) = cursor(source);
        let mut client = Client::new();
        client.open(URI, &text);
        let list = client.result("textDocument/completion", at(URI, &position));
        let items = list["items"].as_array().unwrap().clone();
        let item = items.iter().find(|item| item["label"] == label);
        item.unwrap_or_else(|| panic!("{label} in {source}"))["kind"].as_u64().unwrap()
    };
    // The numbers of `CompletionItemKind`.
    for (source, label, wanted) in [
        ("void f(int some) { so$0 }", "some", 6),
        ("struct s { int a; }; void f(struct s x) { x.$0 }", "a", 5),
        ("void f(int4 x) { x.$0 }", "lo", 5),
        ("void first(void); void f(void) { fir$0 }", "first", 3),
        ("enum e { Alpha }; int f(void) { return Al$0; }", "Alpha", 20),
        ("whi$0", "while", 14),
        ("typedef int number; num$0", "number", 7),
        ("#define LIMIT 3\nint x = LIM$0", "LIMIT", 21),
        ("void f(void) { get_glob$0 }", "get_global_id", 3),
        ("__attribute__((reqd$0", "reqd_work_group_size", 10),
        ("#pragma OPENCL EXTENSION cl_khr_fp$0", "cl_khr_fp64", 9),
    ] {
        assert_eq!(kind(source, label), wanted, "{source}");
    }
}

#[test]
fn what_is_offered_follows_the_options_of_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let root = std::fs::canonicalize(folder.path()).unwrap();
    let path = root.join("k.cl");
    let uri = crate::paths::uri_of(&path).unwrap().as_str().to_owned();
    let offers = |source: &str, label: &str| {
        let (text, position) = cursor(source);
        let mut client = Client::new();
        client.open(&uri, &text);
        let list = client.result("textDocument/completion", at(&uri, &position));
        list["items"].as_array().unwrap().iter().any(|item| item["label"] == label)
    };
    let (call, ty) = ("void f(void) { atomic_lo$0 }", "dou$0");
    assert!(!offers(call, "atomic_load") && offers(ty, "double4"));
    let commands = json!([{
        "directory": root, "file": "k.cl",
        "arguments": ["clang", "-cl-std=CL2.0", "-cl-ext=-cl_khr_fp64", "-c", "k.cl"],
    }]);
    std::fs::write(root.join("compile_commands.json"), commands.to_string()).unwrap();
    assert!(offers(call, "atomic_load") && !offers(ty, "double4"));
    // A `clc.toml` comes before it.
    std::fs::write(root.join("clc.toml"), "std = \"CL1.1\"\n").unwrap();
    assert!(!offers(call, "atomic_load") && offers(ty, "double4"));
    let mut client = Client::new();
    let (text, position) = cursor("void f(void) { $0popcount(1); }");
    client.open(&uri, &text);
    let hover = client.result("textDocument/hover", at(&uri, &position));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("not available here: `popcount` needs OpenCL C 1.2"), "{text}");
}

/// A project in a folder: a text for each name.
struct Project {
    root: std::path::PathBuf,
    _folder: tempfile::TempDir,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Project {
        let folder = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(folder.path()).unwrap();
        for (name, text) in files {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Project { root, _folder: folder }
    }

    fn uri(&self, name: &str) -> String {
        crate::paths::uri_of(&self.root.join(name)).unwrap().as_str().to_owned()
    }
}

/// The tokens of a text as `text class modifier modifier`, by the names that the server's legend has for them.
fn tokens(client: &mut Client, uri: &str, text: &str) -> Vec<String> {
    let legend =
        client.server.initialize_result()["capabilities"]["semanticTokensProvider"]["legend"]
            .clone();
    client.open(uri, text);
    let asked = json!({ "textDocument": { "uri": uri } });
    let found = client.result("textDocument/semanticTokens/full", asked);
    let data: Vec<usize> =
        found["data"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect();
    let lines: Vec<&str> = text.lines().collect();
    let (mut line, mut start) = (0, 0);
    let tokens = data.chunks(5).map(|token| {
        start = if token[0] == 0 { start + token[1] } else { token[1] };
        line += token[0];
        let mut words = vec![&lines[line][start..start + token[2]]];
        words.extend(legend["tokenTypes"][token[3]].as_str());
        let modifiers = legend["tokenModifiers"].as_array().unwrap().iter().enumerate();
        words.extend(
            modifiers.filter(|(bit, _)| token[4] >> bit & 1 != 0).filter_map(|(_, m)| m.as_str()),
        );
        words.join(" ")
    });
    tokens.collect()
}

#[test]
fn tokens_have_the_classes_and_modifiers_of_the_legend() {
    let project = Project::new(&[("clc.toml", "std = \"CL2.0\"\n")]);
    let source = "#if 0\nint skipped;\n#endif\n#define LIMIT 3\nenum kind { Alpha };\nstruct s { int part; };\n\
                  typedef int number;\nconstant int table[1] = { 0 };\n\
                  number helper(int *any) { if (*any) goto end; end: return LIMIT; }\n\
                  kernel void k(global int *out, local int *shared, struct s by_value) {\n  \
                  private int *own = 0;\n  out[0] = get_global_id(0) + shared[0] + by_value.part + Alpha;\n}\n";
    let tokens = tokens(&mut Client::new(), &project.uri("k.cl"), source);
    for wanted in [
        "int skipped; comment",
        "LIMIT macro declaration",
        "enum keyword",
        "kind enum declaration",
        "Alpha enumMember declaration",
        "s struct declaration",
        "part property declaration",
        "number type declaration",
        "table variable declaration readonly constant",
        "helper function declaration",
        "any parameter declaration generic",
        "end label",
        "LIMIT macro",
        "out parameter declaration global",
        "shared parameter declaration local",
        "own variable declaration private",
        "get_global_id function defaultLibrary",
    ] {
        assert!(tokens.iter().any(|token| token == wanted), "{wanted}: {tokens:#?}");
    }
}

#[test]
fn warnings_are_warnings_and_notes_come_with_what_they_explain() {
    let project = Project::new(&[("clc.toml", "warnings = [\"unused\"]\n")]);
    let uri = project.uri("k.cl");
    let mut client = Client::new();
    let mut only = |source: &str| {
        client.open(&uri, source);
        let found = client.diagnostics().remove(0).1;
        let [found] = &found[..] else { panic!("{found:#?}") };
        found.clone()
    };
    // A warning, and unnecessary: editors show it in grey.
    let idle = only("int f(void) { int idle; return 1; }\n");
    assert_eq!((&idle["severity"], &idle["tags"]), (&json!(2), &json!([1])), "{idle}");
    let error = only("float4 f(int4 a, float4 b) { return a + b; }\n");
    assert_eq!((&error["severity"], &error["tags"]), (&json!(1), &Value::Null), "{error}");
    let said = error["message"].as_str().unwrap();
    assert!(said.contains("\nnote: vectors do not convert implicitly (OpenCL C 6.4.1)"), "{said}");
}

#[test]
fn fixes_are_called_by_what_they_do() {
    let mut client = Client::new();
    client.open(URI, "int f(void) {\n  return 1\n}\n");
    let range =
        json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 1, "character": 10 } });
    let asked = json!({
        "textDocument": { "uri": URI }, "range": range, "context": { "diagnostics": [] } });
    let actions = client.result("textDocument/codeAction", asked);
    assert_eq!(actions[0]["title"], "Insert `;`", "{actions:#}");
}

#[test]
fn what_the_project_defines_has_no_place() {
    let project = Project::new(&[("clc.toml", "defines = [\"N=nope\"]\n")]);
    let uri = project.uri("k.cl");
    let (text, position) = cursor("int f(void) { return $0N; }\n");
    let mut client = Client::new();
    client.open(&uri, &text);
    let found = client.diagnostics().remove(0).1;
    assert_eq!(found[0]["code"], "E0401", "{found:?}");
    assert_eq!(found[0]["range"]["start"], position);
    assert_eq!(found[0]["relatedInformation"], Value::Null);
    assert_eq!(client.result("textDocument/definition", at(&uri, &position)), json!([]));
}

#[test]
fn files_are_found_by_each_name_and_where_nothing_of_them_is_compiled() {
    let once = "#pragma once\nint helper(int x);\n";
    // Of this one nothing is compiled: what guards it is defined.
    let guarded = "#ifndef B_A\n#define B_A\nint other(int x);\n#endif\n";
    let project = Project::new(&[("a.h", once), ("sub/b_a.h", guarded)]);
    let uri = project.uri("k.cl");
    let mut client = Client::new();
    let source = "#include \"a.h\"\n#include \"sub/../a.h\"\n#define B_A\n#include \"sub/b_a.h\"\n";
    client.open(&uri, source);
    for (line, name) in [(0, "/a.h"), (1, "/a.h"), (3, "/sub/b_a.h")] {
        let place = json!({ "line": line, "character": 12 });
        let found = client.result("textDocument/definition", at(&uri, &place));
        assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
        assert!(found[0]["uri"].as_str().unwrap().ends_with(name), "{found}");
        assert_eq!(found[0]["range"]["start"], json!({ "line": 0, "character": 0 }));
    }
}

#[test]
fn a_file_of_options_has_diagnostics_and_fixes_and_nothing_else() {
    let project = Project::new(&[]);
    let uri = project.uri("clc.toml");
    let mut client = Client::new();
    client.open(&uri, "defines = []\ndefine = []\ncolour = 1\n");
    let found = client.diagnostics();
    let [(of, found)] = &found[..] else { panic!("{found:?}") };
    assert_eq!(*of, uri);
    let mut said: Vec<&str> =
        found.iter().map(|found| found["message"].as_str().unwrap()).collect();
    said.sort();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[1].ends_with("did you mean `defines`?"), "{said:?}");
    assert!(said[0].starts_with("there is no key `colour`; known are defines, "), "{said:?}");

    let mut titles = |line: u32| -> Vec<String> {
        let place = json!({ "line": line, "character": 0 });
        let asked = json!({
            "textDocument": { "uri": uri }, "range": { "start": place, "end": place },
            "context": { "diagnostics": [] } });
        let actions = client.result("textDocument/codeAction", asked);
        let actions = actions.as_array().unwrap().iter();
        actions.map(|action| action["title"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(titles(0), [""; 0]);
    assert_eq!(titles(1), ["Change to `defines`"]);
    assert_eq!(titles(2), [""; 0]);

    let place = at(&uri, &json!({ "line": 0, "character": 2 }));
    let with = |key: &str, value: Value| {
        let mut asked = place.clone();
        asked[key] = value;
        asked
    };
    for (method, asked) in [
        ("textDocument/hover", place.clone()),
        ("textDocument/definition", place.clone()),
        ("textDocument/typeDefinition", place.clone()),
        ("textDocument/references", with("context", json!({ "includeDeclaration": true }))),
        ("textDocument/documentHighlight", place.clone()),
        ("textDocument/prepareRename", place.clone()),
        ("textDocument/rename", with("newName", "renamed".into())),
        ("textDocument/completion", place.clone()),
        ("textDocument/signatureHelp", place.clone()),
        ("textDocument/documentSymbol", place.clone()),
        ("textDocument/semanticTokens/full", place.clone()),
        ("textDocument/foldingRange", place.clone()),
    ] {
        assert_eq!(client.result(method, asked), Value::Null, "{method}");
    }
    let symbols = client.result("workspace/symbol", json!({ "query": "" }));
    assert_eq!(symbols, json!([]));
}

#[test]
fn a_panic_is_the_answer_to_its_request_and_the_server_goes_on() {
    let mut client = Client::new();
    client.open(URI, "int x;\n");
    client.server.take_outbox();
    let asked = Request {
        id: RequestId::from(7),
        method: crate::requests::PANIC.to_owned(),
        params: Value::Null,
    };
    client.server.receive(Message::Request(asked));
    let said = client.server.take_outbox();
    let [Message::Notification(log), Message::Response(answer)] = &said[..] else {
        panic!("{said:?}")
    };
    assert_eq!(log.method, "window/logMessage");
    // An error, in the numbers of `MessageType`.
    assert_eq!(log.params["type"], 1);
    let error = answer.error.as_ref().unwrap();
    assert_eq!(error.code, lsp_server::ErrorCode::InternalError as i32);
    assert!(error.message.starts_with("internal error: as the test asked"), "{}", error.message);
    assert!(error.message.contains("requests.rs"), "{}", error.message);
    assert_eq!(log.params["message"], error.message);

    client.tell(crate::requests::PANIC, Value::Null);
    let said = client.server.take_outbox();
    let [Message::Notification(log)] = &said[..] else { panic!("{said:?}") };
    assert_eq!(log.params["message"], "internal error: as the test asked");
    let place = json!({ "line": 0, "character": 4 });
    assert!(client.result("textDocument/hover", at(URI, &place))["contents"].is_object());
}

#[test]
fn an_editor_that_does_not_listen_ends_the_server() {
    let (ours, Connection { sender, receiver }) = Connection::memory();
    drop(receiver);
    let place = at(URI, &json!({ "line": 0, "character": 0 }));
    sender.send(request(RequestId::from(1), "textDocument/hover", place)).unwrap();
    assert!(Server::new(Value::Null).run(&ours).is_err());
}

#[test]
fn what_options_leave_nothing_to_analyse_of_has_their_error_alone() {
    let options = "options = [\"-cl-ext=+cl_no_such\"]\ncolour = 1\n";
    let project = Project::new(&[("clc.toml", options)]);
    let uri = project.uri("k.cl");
    let mut client = Client::new();
    client.open(&uri, "int x;\n");
    let found = client.diagnostics();
    let [(_, of_text), (settings, of_settings)] = &found[..] else { panic!("{found:#?}") };
    let [error] = &of_text[..] else { panic!("{of_text:#?}") };
    assert_eq!(error["code"], "E0902");
    assert_eq!(error["range"]["start"], json!({ "line": 0, "character": 0 }));
    // What is wrong with the file of options is shown there.
    assert_eq!(*settings, project.uri("clc.toml"));
    assert_eq!(of_settings.len(), 1, "{of_settings:#?}");
    let place = json!({ "line": 1, "character": 0 });
    let asked = json!({
        "textDocument": { "uri": uri }, "range": { "start": place, "end": place },
        "context": { "diagnostics": [] } });
    assert_eq!(client.result("textDocument/codeAction", asked), json!([]));
    assert_eq!(client.result("textDocument/hover", at(&uri, &place)), Value::Null);
}
