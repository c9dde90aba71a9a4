//! One test for each kind of request: that what `clc-ide` knows arrives as the protocol wants it.

use serde_json::{Value, json};

use super::{Client, at, cursor};

const URI: &str = "untitled:one.cl";

fn ask(source: &str, method: &str) -> Value {
    let (text, position) = cursor(source);
    let mut client = Client::new();
    client.open(URI, &text);
    client.result(method, at(URI, &position))
}

#[test]
fn diagnostics_come_and_go() {
    let mut client = Client::new();
    client.open(URI, "kernel void k(global int *x) { x[0] = get_globl_id(0); }");
    let found = client.diagnostics();
    assert_eq!(found.len(), 1);
    let [diagnostic] = &found[0].1[..] else { panic!("{found:?}") };
    assert_eq!(diagnostic["code"], "E0401");
    assert_eq!(diagnostic["range"]["start"], json!({ "line": 0, "character": 38 }));
    assert!(diagnostic["message"].as_str().unwrap().contains("did you mean `get_global_id`?"));
    client.replace(URI, "kernel void k(global int *x) { x[0] = get_global_id(0); }");
    assert_eq!(client.diagnostics(), [(URI.to_owned(), vec![])]);
    assert_eq!(client.diagnostics(), []);
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(client.diagnostics(), [(URI.to_owned(), vec![])]);
}

#[test]
fn columns_count_utf16() {
    let mut client = Client::new();
    client.open(URI, "/* \u{1f600}ä */ int x = nope;");
    let found = client.diagnostics();
    let of_name = found[0].1.iter().find(|found| found["code"] == "E0401").unwrap();
    assert_eq!(of_name["range"]["start"]["character"], 18);
}

#[test]
fn errors_are_those_of_the_command() {
    let source =
        "kernel void k(global int *x) { int y = x; if (y = 1) z(); }\nint f( { return 1 }\n";
    let mut client = Client::new();
    client.open(URI, source);
    let found = client.diagnostics().remove(0).1;
    let codes: Vec<&str> = found.iter().map(|found| found["code"].as_str().unwrap()).collect();
    let compiled = clc::Compiler::new().emit("a.cl", source, clc::Emit::Nothing);
    let expected: Vec<&str> = compiled.diagnostics.iter().map(|found| found.code.id).collect();
    assert_eq!(codes, expected);
    assert!(codes.len() > 1, "{codes:?}");
}

#[test]
fn what_a_fatal_error_ends_is_still_known() {
    let source = "#error no\nint f(int par) { return pa$0r; }";
    assert!(
        ask(source, "textDocument/hover")["contents"]["value"].as_str().unwrap().contains("par")
    );
    let mut client = Client::new();
    client.open(URI, "#error no\nint x = nope;");
    assert_eq!(client.diagnostics()[0].1.len(), 1);
}

#[test]
fn fixes_are_edits() {
    let source = "kernel void k(global int *x) { x[0] = get_globl_id(0); }";
    let mut client = Client::new();
    client.open(URI, source);
    let range =
        json!({ "start": { "line": 0, "character": 40 }, "end": { "line": 0, "character": 40 } });
    let parameters = json!({
        "textDocument": { "uri": URI }, "range": range, "context": { "diagnostics": [] } });
    let actions = client.result("textDocument/codeAction", parameters);
    let edits = &actions[0]["edit"]["changes"][URI];
    assert_eq!(actions[0]["title"], "Change to `get_global_id`");
    assert_eq!(edits[0]["newText"], "get_global_id");
    let range =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 1 } });
    let parameters = json!({
        "textDocument": { "uri": URI }, "range": range, "context": { "diagnostics": [] } });
    assert_eq!(client.result("textDocument/codeAction", parameters), json!([]));
}

#[test]
fn hover_definition_and_references_have_ranges() {
    let source = "int twice(int x);\nint f(void) { return twi$0ce(2); }";
    let hover = ask(source, "textDocument/hover");
    assert!(hover["contents"]["value"].as_str().unwrap().contains("int twice(int x)"));
    assert_eq!(hover["range"]["start"], json!({ "line": 1, "character": 21 }));
    let definition = ask(source, "textDocument/definition");
    assert_eq!(definition[0]["uri"], URI);
    assert_eq!(definition[0]["range"]["start"], json!({ "line": 0, "character": 4 }));
    let (text, position) = cursor(source);
    let mut client = Client::new();
    client.open(URI, &text);
    let mut parameters = at(URI, &position);
    parameters["context"] = json!({ "includeDeclaration": true });
    let references = client.result("textDocument/references", parameters);
    assert_eq!(references.as_array().unwrap().len(), 2);
    let highlights = client.result("textDocument/documentHighlight", at(URI, &position));
    assert_eq!(highlights.as_array().unwrap().len(), 2);
    assert_eq!(ask("int $0 x;", "textDocument/hover"), Value::Null);
    let ty = ask(
        "struct s { int a; };\nint f(struct s *p) { return p$0->a; }",
        "textDocument/typeDefinition",
    );
    assert_eq!(ty[0]["range"]["start"], json!({ "line": 0, "character": 7 }));
}

#[test]
fn names_are_changed_or_refused() {
    let (text, position) = cursor("int f(int a) { return $0a; }");
    let mut client = Client::new();
    client.open(URI, &text);
    let range = client.result("textDocument/prepareRename", at(URI, &position));
    assert_eq!(range["start"]["character"], 22);
    let mut parameters = at(URI, &position);
    parameters["newName"] = "b".into();
    let edit = client.result("textDocument/rename", parameters.clone());
    assert_eq!(edit["changes"][URI].as_array().unwrap().len(), 2);
    parameters["newName"] = "int".into();
    assert!(client.ask("textDocument/rename", parameters).error.is_some());
    let start = json!({ "line": 0, "character": 0 });
    assert!(client.ask("textDocument/prepareRename", at(URI, &start)).error.is_some());
}

#[test]
fn completions_replace_what_is_written() {
    let list = ask("void f(void) { get_glo$0 }", "textDocument/completion");
    let items = list["items"].as_array().unwrap();
    let item = items.iter().find(|item| item["label"] == "get_global_id").unwrap();
    assert_eq!(item["textEdit"]["range"]["start"]["character"], 15);
    assert_eq!(item["detail"], "size_t get_global_id(uint)");
    let item = Client::new().result("completionItem/resolve", item.clone());
    assert!(item["documentation"]["value"].as_str().unwrap().contains("index of the work-item"));
    let help = ask("float g(float x) { return clamp(x, $0", "textDocument/signatureHelp");
    assert_eq!(help["activeParameter"], 1);
    assert!(help["signatures"][0]["label"].as_str().unwrap().starts_with("T clamp("));
}

#[test]
fn outlines_tokens_hints_and_folds_are_of_the_file() {
    let mut client = Client::new();
    client.open(URI, "struct s { int a; };\nkernel void k(global int *x) {\n  int *p = x;\n}\n");
    let file = json!({ "textDocument": { "uri": URI } });
    let symbols = client.result("textDocument/documentSymbol", file.clone());
    assert_eq!(symbols[0]["children"][0]["name"], "a");
    assert_eq!(symbols[1]["detail"], "kernel");
    let found = client.result("workspace/symbol", json!({ "query": "K" }));
    assert_eq!(found.as_array().unwrap().len(), 1);
    let tokens = client.result("textDocument/semanticTokens/full", file.clone());
    let data = tokens["data"].as_array().unwrap();
    assert!(data.len() > 10 && data.len().is_multiple_of(5));
    // `struct`, a keyword.
    assert_eq!(data[..5], [json!(0), json!(0), json!(6), json!(9), json!(0)]);
    let folds = client.result("textDocument/foldingRange", file.clone());
    assert_eq!((folds[0]["startLine"].as_u64(), folds[0]["endLine"].as_u64()), (Some(1), Some(2)));
    let mut asked = file;
    asked["range"] =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let hints = client.result("textDocument/inlayHint", asked.clone());
    assert_eq!(hints[0]["label"], "private");
    assert_eq!(hints[0]["position"], json!({ "line": 2, "character": 6 }));
    let tokens = client.result("textDocument/semanticTokens/range", asked);
    assert_eq!(tokens["data"].as_array().unwrap().len(), data.len());
}

#[test]
fn what_is_unknown_is_refused_and_the_server_goes_on() {
    let mut client = Client::new();
    assert!(client.ask("textDocument/nothing", Value::Null).error.is_some());
    assert!(client.ask("textDocument/hover", json!({ "textDocument": 3 })).error.is_some());
    client.tell("textDocument/didOpen", json!([1]));
    client.tell("textDocument/didChange", Value::Null);
    let position = json!({ "line": 0, "character": 0 });
    assert_eq!(
        client.result("textDocument/hover", at("file:///no/such.cl", &position)),
        Value::Null
    );
    assert_eq!(client.result("shutdown", Value::Null), Value::Null);
    assert!(client.ask("textDocument/hover", at(URI, &position)).error.is_some());
}

#[test]
fn files_have_the_options_of_the_nearest_file() {
    let folder = tempfile::tempdir().unwrap();
    let root = std::fs::canonicalize(folder.path()).unwrap();
    let write = |name: &str, text: &str| {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        super::super::paths::uri_of(&path).unwrap().as_str().to_owned()
    };
    let options = write("clc.toml", "defines = [\"N=4\"]\nincludedirs = [\"inc\"]\n");
    write("inc/a.h", "int helper(int x);\n");
    let source = "#include \"a.h\"\nint f(void) { return helper(N); }\n";
    let main = write("src/a.cl", source);
    let mut client = Client::new();
    client.open(&main, source);
    let found = client.diagnostics();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].1.iter().any(
        |found| found["code"] == "E0030" || found["message"].as_str().unwrap().contains("a.h")
    ));
    assert_eq!(found[1].0, options);
    assert!(found[1].1[0]["message"].as_str().unwrap().contains("`include-dirs`"));
    // The file is open, and mended there.
    let text = "defines = [\"N=4\"]\ninclude-dirs = [\"inc\"]\n";
    client.open(&options, text);
    let found = client.diagnostics();
    assert!(found.iter().all(|(_, found)| found.is_empty()), "{found:?}");
    let definition =
        client.result("textDocument/definition", at(&main, &json!({ "line": 1, "character": 24 })));
    assert!(definition[0]["uri"].as_str().unwrap().ends_with("inc/a.h"));
    // An included file that is open counts as it is there.
    let header = write("inc/a.h", "int helper(int x);\n");
    client.open(&header, "int other(int x);\n");
    let found = client.diagnostics();
    let main_found = found.iter().find(|(uri, _)| *uri == main).unwrap();
    assert_eq!(main_found.1[0]["code"], "E0401");
    // The mistake in the file of options has a fix.
    client.replace(&options, "define = []\n");
    let range =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
    let parameters = json!({
        "textDocument": { "uri": options }, "range": range, "context": { "diagnostics": [] } });
    let actions = client.result("textDocument/codeAction", parameters);
    assert_eq!(actions[0]["title"], "Change to `defines`");
}
