//! How long the language server takes to answer on a file of 5,000 lines, right after an edit: a table
//! in Markdown. `cargo xtask bench lsp` writes it into the page of benchmarks.
//!
//! Messages are texts, as in a pipe. The answer to a request after an edit includes a whole analysis
//! of the file; "again" is the same request on a text that has not changed.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use clc_lsp::Server;
use lsp_server::Message;
use serde_json::{Value, json};

const URI: &str = "untitled:large.cl";
const LINES: usize = 5_000;
const ROUNDS: usize = 21;

/// A kernel and its helper, 25 lines: vectors, members, macros, local memory, built-in functions.
const PART: &str = "\
struct item_N { float4 position; float4 speed; int kind; };

float4 step_N(struct item_N item, float dt)
{
    float4 next = mad(item.speed, (float4)(dt), item.position);
    next.xyz = clamp(next.xyz, LOW, HIGH);
    return item.kind == 0 ? next : (float4)(next.xyz, 1.0f);
}

kernel void advance_N(global struct item_N *items, local float4 *tile, float dt, uint count)
{
    const size_t id = get_global_id(0), own = get_local_id(0);
    float4 sum = (float4)(0.0f);
    if (id < count) {
        tile[own] = step_N(items[id], dt);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint other = 0; other < get_local_size(0); other++) {
        float4 away = tile[own] - tile[other];
        sum += away * native_rsqrt(SQUARE(away.x) + SQUARE(away.y) + 0.01f);
    }
    if (id < count) {
        items[id].position = tile[own] + sum * dt;
    }
}
";

fn source() -> String {
    let mut text =
        "#define LOW (-1.0f)\n#define HIGH 1.0f\n#define SQUARE(x) ((x) * (x))\n\n".to_owned();
    let mut part = 0;
    while text.lines().count() + PART.lines().count() <= LINES {
        text.push_str(&PART.replace("_N", &format!("_{part}")));
        part += 1;
    }
    while text.lines().count() < LINES {
        text.push_str("// The end.\n");
    }
    text
}

/// Sends a message as text and returns the texts that come back.
fn send(server: &mut Server, message: &Value) -> Vec<String> {
    let text = message.to_string();
    let message: Message = serde_json::from_str(&text).expect("a message of the protocol");
    server.receive(message);
    let answers = server.take_outbox();
    answers.iter().map(|answer| serde_json::to_string(answer).expect("a message")).collect()
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn main() {
    let text = source();
    let middle = LINES / 2 / 25 * 25;
    let line_of = |wanted: &str| {
        let behind = text.lines().enumerate().skip(middle);
        behind.into_iter().find(|(_, line)| line.contains(wanted)).map_or(0, |(line, _)| line)
    };
    let mut server = Server::new(json!({ "capabilities": {} }));
    let document = json!({ "uri": URI, "languageId": "opencl", "version": 1, "text": text });
    let open = json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen",
        "params": { "textDocument": document } });
    send(&mut server, &open);
    server.publish_one();
    let messages = server.take_outbox();
    assert!(serde_json::to_string(&messages[0]).expect("a message").contains("\"diagnostics\":[]"));

    let (call, member) = (line_of("tile[own] = step_"), line_of("next.xyz ="));
    let place = |line: usize, character: usize| json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } });
    let mut references = place(call, 22);
    references["context"] = json!({ "includeDeclaration": true });
    let mut rename = place(call, 22);
    rename["newName"] = "renamed".into();
    let file = json!({ "textDocument": { "uri": URI } });
    let mut shown = file.clone();
    shown["range"] = json!({ "start": { "line": middle, "character": 0 },
        "end": { "line": middle + 60, "character": 0 } });
    let mut action = shown.clone();
    action["context"] = json!({ "diagnostics": [] });
    let questions = [
        ("hover", "textDocument/hover", place(call, 22)),
        ("definition", "textDocument/definition", place(call, 22)),
        ("references", "textDocument/references", references),
        ("rename", "textDocument/rename", rename),
        ("completion of a name", "textDocument/completion", place(call, 22)),
        ("completion of components", "textDocument/completion", place(member, 9)),
        ("signature", "textDocument/signatureHelp", place(call, 35)),
        ("semantic tokens of the file", "textDocument/semanticTokens/full", file.clone()),
        ("inlay hints of a screen", "textDocument/inlayHint", shown),
        ("outline", "textDocument/documentSymbol", file.clone()),
        ("folds", "textDocument/foldingRange", file),
        ("fixes of a screen", "textDocument/codeAction", action),
    ];
    let mut version = 1;
    let mut edit = |server: &mut Server| {
        version += 1;
        // A blank more or less in a function of the middle.
        let at = json!({ "line": call, "character": 0 });
        let end = json!({ "line": call, "character": version % 2 });
        let text = if version % 2 == 0 { " " } else { "" };
        let change = json!({ "range": { "start": at, "end": end }, "text": text });
        let note = json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
            "textDocument": { "uri": URI, "version": version }, "contentChanges": [change] } });
        send(server, &note);
    };
    let mut table = String::from("| request | after an edit | again |\n|---|---:|---:|\n");
    let millis = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            edit(&mut server);
            let start = Instant::now();
            server.publish_one();
            let notes = server.take_outbox();
            assert!(!serde_json::to_string(&notes[0]).expect("a message").is_empty());
            start.elapsed()
        })
        .collect();
    let _ = writeln!(table, "| diagnostics | {} | |", millis(median(&mut times)));
    for (name, method, parameters) in &questions {
        let question = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": parameters });
        let (mut first, mut again) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            edit(&mut server);
            for times in [&mut first, &mut again] {
                let start = Instant::now();
                let answer = send(&mut server, &question);
                times.push(start.elapsed());
                assert!(answer.len() == 1 && !answer[0].contains("\"error\""), "{answer:?}");
                assert!(!answer[0].contains("\"result\":null"), "{name}: {answer:?}");
            }
        }
        let (first, again) = (millis(median(&mut first)), millis(median(&mut again)));
        let _ = writeln!(table, "| {name} | {first} | {again} |");
    }
    print!("{table}");
}
