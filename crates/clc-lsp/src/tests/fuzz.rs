//! Any sequence of edits, with every question asked in between. `LSP_FUZZ_SECONDS=600` makes it
//! longer, `LSP_FUZZ_SEED` begins elsewhere.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Client, at};

const URI: &str = "untitled:fuzz.cl";

/// No question on a text of this size takes longer, even without optimisation on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

const SEEDS: &[&str] = &[
    "",
    "#define M(a, b) a##b + (a)\nstruct s { float4 v; int n; };\nconstant int t[2] = { 1, 2 };\n\
     kernel void k(global struct s *p, local int *l) {\n  int i = get_global_id(0);\n  \
     p[i].v.xy = (float2)(M(1, 2), l[i]); /* \u{1f600} */\n  for (int j = 0; j < t[1]; j++) { l[j] += i; }\n}\n",
    "#if 1\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\ntypedef enum { A, B } e;\ne f(e x) { switch (x) { case A: return B; default: goto out; } out: return A; }\n#else\nbroken(\n#endif\n",
];

const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    ".",
    "->",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "\\\n",
    "\n",
    "\r\n",
    "\r",
    "#",
    "##",
    "#define X(a) a X\n",
    "X(",
    "#if 1\n",
    "#endif\n",
    "#include \"x\"\n",
    "#pragma ",
    "kernel void k(",
    "struct s {",
    "union {",
    "typedef ",
    "enum { ",
    "float4",
    "p->",
    ".xyz",
    "global ",
    "__attribute__((",
    "for (int i = 0;",
    "if (",
    "else ",
    "return ",
    "get_global_id",
    "0x",
    "1.0f",
    "i",
    "l[",
    "sizeof(",
    "\u{1f600}",
    "ä",
    "\u{feff}",
    "\0",
    "\u{2028}",
    "case ",
    "goto ",
    "x:",
    "^(int a) {",
    "_Pragma(\"",
    "#line 7 \"f\"\n",
    "??=",
    "%:",
    "int helper(int n);\n",
    "convert_int4(",
    "= {",
    ".a = ",
];

/// xorshift64*
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit.max(1)
    }

    fn position(&mut self, lines: usize) -> Value {
        // Some lie behind the text.
        json!({ "line": self.below(lines + 2), "character": self.below(90) })
    }

    fn range(&mut self, lines: usize) -> Value {
        let start = self.position(lines);
        let end = match self.below(3) {
            0 => self.position(lines),
            1 => start.clone(),
            _ => {
                let character = start["character"].as_u64().unwrap_or(0) + self.below(12) as u64;
                json!({ "line": start["line"], "character": character })
            }
        };
        json!({ "start": start, "end": end })
    }
}

fn edit(random: &mut Random, lines: usize) -> Value {
    let mut text = String::new();
    for _ in 0..random.below(4) {
        text.push_str(PIECES[random.below(PIECES.len())]);
    }
    json!({ "range": random.range(lines), "text": text })
}

fn questions(random: &mut Random, lines: usize) -> Vec<(&'static str, Value)> {
    let place = at(URI, &random.position(lines));
    let with = |mut parameters: Value, key: &str, value: Value| {
        parameters[key] = value;
        parameters
    };
    let file = json!({ "textDocument": { "uri": URI } });
    let ranged = with(file.clone(), "range", random.range(lines));
    vec![
        ("textDocument/hover", place.clone()),
        ("textDocument/definition", place.clone()),
        ("textDocument/typeDefinition", place.clone()),
        (
            "textDocument/references",
            with(place.clone(), "context", json!({ "includeDeclaration": true })),
        ),
        ("textDocument/documentHighlight", place.clone()),
        ("textDocument/prepareRename", place.clone()),
        ("textDocument/rename", with(place.clone(), "newName", "renamed".into())),
        ("textDocument/completion", place.clone()),
        ("textDocument/signatureHelp", place),
        ("textDocument/documentSymbol", file.clone()),
        ("workspace/symbol", json!({ "query": "" })),
        ("textDocument/semanticTokens/full", file.clone()),
        ("textDocument/semanticTokens/range", ranged.clone()),
        ("textDocument/inlayHint", ranged.clone()),
        ("textDocument/foldingRange", file),
        ("textDocument/codeAction", with(ranged, "context", json!({ "diagnostics": [] }))),
    ]
}

#[test]
fn any_edits_are_survived() {
    let number = |name: &str, usual: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
    };
    let end = Instant::now() + Duration::from_secs(number("LSP_FUZZ_SECONDS", 3));
    let mut seed = number("LSP_FUZZ_SEED", 1);
    while Instant::now() < end {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut client = Client::new();
        client.open(URI, SEEDS[random.below(SEEDS.len())]);
        for step in 0..24 {
            let text = |client: &Client| client.server.text(URI).unwrap_or_default();
            let lines = text(&client).lines().count();
            let edits: Vec<Value> =
                (0..1 + random.below(3)).map(|_| edit(&mut random, lines)).collect();
            client.tell(
                "textDocument/didChange",
                json!({ "textDocument": { "uri": URI, "version": step }, "contentChanges": edits }),
            );
            let about = |client: &Client, what: &str| {
                format!("seed {seed}, step {step}: {what} of {:?}", text(client))
            };
            let began = Instant::now();
            for (method, parameters) in questions(&mut random, lines) {
                let answer = client.ask(method, parameters.clone());
                if let Some(error) = answer.error {
                    let is_internal = error.code == lsp_server::ErrorCode::InternalError as i32;
                    assert!(!is_internal, "{} {parameters}", about(&client, &error.message));
                }
            }
            // Panics if the server had to say that it failed.
            client.diagnostics();
            assert!(began.elapsed() < PATIENCE, "{}", about(&client, "too slow"));
            if Instant::now() > end {
                break;
            }
        }
        seed += 1;
    }
}
