//! Input that nests, chains or repeats without end: a tree or a diagnostic, in linear time, and
//! never an overflowing stack.

mod support;

use std::time::Instant;

use clc_base::{Diagnostic, Version};
use clc_syntax::parse::{ParseOptions, dump, parse};

/// The codes of the diagnostics of a program; also writes the tree, which must not overflow.
fn codes(source: &str) -> Vec<&'static str> {
    let mut interner = clc_syntax::token::interner();
    let version = Version::V2_0;
    let (tokens, _) = support::tokenize(source, version, &mut interner);
    let options = ParseOptions { version };
    let (ast, diagnostics) = parse(&tokens, &mut interner, &options);
    if !diagnostics.iter().any(Diagnostic::is_error) {
        assert_eq!(dump(&ast, &interner).is_empty(), ast.items.is_empty());
    }
    diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect()
}

fn in_function(body: &str) -> String {
    format!("void f(int x) {{ {body} }}")
}

/// More than any limit. `CLC_MANY=1000000` has been tried, too.
fn many() -> usize {
    std::env::var("CLC_MANY").ok().and_then(|many| many.parse().ok()).unwrap_or(120_000)
}

#[test]
fn too_much_of_anything_gives_a_diagnostic() {
    let many = many();
    let pieces: &[(&str, &str, &str)] = &[
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("{", "", "}"),
        ("x[", "1", "]"),
        ("f(", "1", ")"),
        ("- ", "x", ""),
        ("! ", "x", ""),
        ("(int)", "x", ""),
        ("(float4)", "x", ""),
        ("sizeof ", "x", ""),
        ("sizeof(", "x", ")"),
        ("x = ", "x", ""),
        ("x ? x : ", "x", ""),
        ("x ? ", "x", ": x"),
        ("x ?: ", "x", ""),
        ("if (x) ", ";", ""),
        ("if (x) ; else ", ";", ""),
        ("while (x) ", ";", ""),
        ("for (;;) ", ";", ""),
        ("do ", ";", "while (x);"),
        ("switch (x) ", ";", ""),
        ("case 1: ", ";", ""),
        ("L: ", ";", ""),
        ("({ ", "1;", " });"),
        ("(int){ ", "1", " }"),
        ("^{ ", "", " };"),
        ("int (", "y", ")"),
        ("int *", "* y", ""),
        ("struct { ", "int x;", "};"),
        ("typeof(", "x", ") y;"),
        ("int a = {", "1", "}"),
        ("__attribute__((a(", "1", ")))"),
        ("pipe ", "int x", ""),
        ("void g(", "int", ")"),
        ("int a(int (*)(", "int", "))"),
    ];
    for (open, middle, close) in pieces {
        for closed in [true, false] {
            let close = if closed { close.repeat(many) } else { String::new() };
            let source = in_function(&format!("{}{middle}{close};", open.repeat(many)));
            let start = Instant::now();
            let codes = codes(&source);
            assert!((1..=2).contains(&codes.len()), "{open}{middle}: {codes:?}");
            let time = start.elapsed();
            assert!(time.as_secs() < 20, "{open}{middle}: {time:?}");
        }
    }
}

#[test]
fn too_much_at_file_scope_does_not_hang() {
    for piece in [
        "(",
        "[",
        "{",
        "}",
        ")",
        ";",
        "int (",
        "int x = (",
        "struct s {",
        "enum {",
        "#pragma x\n",
        "x ",
        "kernel ",
        "int * ",
        "typedef ",
    ] {
        let codes = codes(&piece.repeat(many()));
        assert!(codes.len() <= clc_syntax::parse::MAX_ERRORS, "{piece}: {}", codes.len());
    }
}

#[test]
fn long_chains_are_fine() {
    let count = 4_000;
    let cases: String = (0..count).map(|i| format!("case {i}: ")).collect();
    let breaks: String = (0..count).map(|i| format!("case {i}: x = {i}; break; ")).collect();
    let bodies = [
        format!("switch (x) {{ {cases} ; }}"),
        format!("switch (x) {{ {breaks} }}"),
        format!(
            "{} x = 1;",
            (0..count).map(|i| format!("if (x == {i}) x = {i}; else ")).collect::<String>()
        ),
        format!("x = {}1;", "x + ".repeat(100_000)),
        format!("x = {}1;", "x * x - ".repeat(100_000)),
        format!("x{};", " = x".repeat(50_000)),
        format!("x{};", ".x".repeat(50_000)),
        format!("x = {} x;", "x ? 1 : ".repeat(50_000)),
        format!("{}x;", "-(int)".repeat(20_000)),
        format!("{};", vec!["x"; 100_000].join(", ")),
        format!("int a[] = {{ {} }};", "1, ".repeat(100_000)),
        "(".repeat(900) + "x" + &")".repeat(900) + ";",
    ];
    for body in bodies {
        assert_eq!(codes(&in_function(&body)), Vec::<&str>::new(), "{}", &body[..40]);
    }
}

/// Nested constructs that a backtracking parser reads twice at each level.
#[test]
fn nesting_is_not_exponential() {
    let depth = 200;
    for (open, middle, close) in [
        ("(", "x", ")"),
        ("(int)(", "x", ")"),
        ("(float4)(", "x", ")"),
        ("(int){", "1", "}"),
        ("f(x, ", "x", ")"),
        ("x[(", "x", ")]"),
        ("({ ", "x;", "; })"),
        ("sizeof((", "x", "))"),
        ("(x ? (", "x", ") : 1)"),
    ] {
        let source =
            in_function(&format!("{}{middle}{};", open.repeat(depth), close.repeat(depth)));
        assert_eq!(codes(&source), Vec::<&str>::new(), "{open}");
        // Broken in the innermost place.
        let source = in_function(&format!("{}{};", open.repeat(depth), close.repeat(depth)));
        assert!(codes(&source).len() <= 1, "{open}");
    }
    for (open, close) in [("(*", ")(int)"), ("(*(", "))[2]"), ("(", ")")] {
        let source = format!("int {}x{};", open.repeat(depth), close.repeat(depth));
        assert_eq!(codes(&source), Vec::<&str>::new(), "{open}");
        let source = format!("int f(int {}{});", open.repeat(depth), close.repeat(depth));
        assert!(codes(&source).len() <= 1, "{open}");
    }
    let source = format!("int a[] = {}1{};", "{ 1, ".repeat(depth), "}".repeat(depth));
    assert_eq!(codes(&source), Vec::<&str>::new());
}

/// Any order of tokens gives diagnostics, not a panic or a hang.
#[test]
fn random_tokens_do_not_panic() {
    const WORDS: &[&str] = &[
        "int",
        "float4",
        "T",
        "x",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ";",
        ",",
        "*",
        "=",
        "1",
        "if",
        "else",
        "for",
        "while",
        "do",
        "switch",
        "case",
        "default",
        ":",
        "return",
        "struct",
        "enum",
        "typedef",
        "kernel",
        "global",
        "^",
        ".",
        "->",
        "+",
        "?",
        "sizeof",
        "...",
        "\"s\"",
        "__attribute__",
        "((",
        "))",
        "goto",
        "asm",
        "typeof",
        "pipe",
        "const",
        "static",
        "uint",
        "__extension__",
        "_Static_assert",
        "__builtin_offsetof",
        "__builtin_astype",
        "__builtin_convertvector",
        "#pragma p\n",
        "void",
        "f(",
        "break",
        "++",
        "generic",
        "(int)",
        "x:",
        "{ x = 1; }",
        "int x;",
        "void f(int x) {",
    ];
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed as usize
    };
    for round in 0..20_000 {
        let length = 1 + random() % 60;
        let mut source = if round % 2 == 0 {
            "typedef int T; void f(int x) { ".to_owned()
        } else {
            String::new()
        };
        for _ in 0..length {
            source.push_str(WORDS[random() % WORDS.len()]);
            source.push(' ');
        }
        codes(&source);
    }
}
