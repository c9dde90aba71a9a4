//! Inputs that no program looks like: they must give a diagnostic, in time, without a panic.

use std::time::{Duration, Instant};

use clc_base::SourceMap;
use clc_syntax::preprocess::{
    FileInput, IncludeRequest, IncludeResolver, Included, NoIncludes, Options, Output, preprocess,
    print_preprocessed,
};
use clc_syntax::token::{Token, TokenKind};

fn run_with(bytes: impl Into<Vec<u8>>, resolver: &mut dyn IncludeResolver) -> Output {
    let mut map = SourceMap::new();
    let mut interner = clc_syntax::token::interner();
    let main = FileInput { name: "main.cl".to_owned(), bytes: bytes.into() };
    let options = Options { keep_layout: true, ..Options::default() };
    let output = preprocess(main, &options, resolver, &mut map, &mut interner);
    for diagnostic in &output.diagnostics {
        // Every place can be shown.
        map.resolve(diagnostic.primary.span);
        diagnostic.labels.iter().for_each(|label| drop(map.resolve(label.span)));
    }
    output
}

fn run(bytes: impl Into<Vec<u8>>) -> Output {
    run_with(bytes, &mut NoIncludes)
}

/// The distinct codes of the diagnostics, in order of first use.
fn codes(output: &Output) -> String {
    let mut codes = Vec::new();
    for diagnostic in &output.diagnostics {
        if !codes.contains(&diagnostic.code.id) {
            codes.push(diagnostic.code.id);
        }
    }
    codes.join(" ")
}

#[test]
fn long_lines_and_many_parentheses() {
    let output = run("ab + ".repeat(2_000_000));
    assert_eq!((output.tokens.len(), codes(&output).as_str()), (4_000_000, ""));
    let output = run("(".repeat(1_000_000));
    assert_eq!(output.tokens.len(), 1_000_000);
    let output =
        run(format!("#define F(x) [x]\nF({}{})", "(".repeat(500_000), ")".repeat(500_000)));
    assert_eq!(output.tokens.len(), 1_000_002);
    let output = run(format!("#define F(x) [x]\nF({}", "(".repeat(500_000)));
    assert_eq!(codes(&output), "E0016");
    let output = run(format!("a{}b", "\\\n".repeat(1_000_000)));
    assert_eq!(output.tokens.len(), 1);
    let output = run(format!("\"{}\"", "x\\\n".repeat(500_000)));
    assert_eq!(output.tokens.len(), 1);
    let output = run(format!("int {};", "x".repeat(10_000_000)));
    assert_eq!(output.tokens.len(), 3);
}

#[test]
fn conditions_nest_as_deep_as_they_like() {
    let parentheses =
        format!("#if {}1{}\nyes\n#endif", "(".repeat(1_000_000), ")".repeat(1_000_000));
    assert_eq!(run(parentheses).tokens.len(), 1);
    assert_eq!(codes(&run(format!("#if {}", "(".repeat(1_000_000)))), "E0009 E0008");
    assert_eq!(run(format!("#if {}1\nyes\n#endif", "!!".repeat(500_000))).tokens.len(), 1);
    let chain = format!("#if {} 1\nyes\n#endif", "0 ? 2 :".repeat(200_000));
    assert_eq!(run(chain).tokens.len(), 1);
    let nested = format!("{}x\n{}", "#if 1\n".repeat(100_000), "#endif\n".repeat(100_000));
    assert_eq!(run(nested).tokens.len(), 1);
    let skipped = format!("#if 0\n{}x\n{}", "#if 1\n".repeat(100_000), "#endif\n".repeat(100_001));
    assert_eq!(codes(&run(skipped)), "");
    assert_eq!(codes(&run("#if 1\n".repeat(100_000))), "E0008");
}

#[test]
fn macro_calls_nested_in_arguments() {
    let nested = |depth: usize| {
        let (open, close) = ("f(".repeat(depth), ")".repeat(depth));
        run(format!("#define f(x) (x)\n{open}1{close}"))
    };
    assert_eq!(nested(1000).tokens.len(), 2001);
    assert_eq!(codes(&nested(100_000)), "E0020");
    // Expansions that follow one another are not nested.
    let mut chain: String = (0..50_000).map(|i| format!("#define A{i} A{}\n", i + 1)).collect();
    chain.push_str("A0 A0");
    assert_eq!(run(chain).tokens.len(), 2);
    let mut calls: String =
        (0..20_000).map(|i| format!("#define F{i}(x) F{}(x)\n", i + 1)).collect();
    calls.push_str("F0(1)");
    assert_eq!(run(calls).tokens.len(), 4);
}

#[test]
fn macro_bombs() {
    let doubling = |body: &str| {
        let mut text = format!("#define A0 {body}\n");
        for i in 1..40 {
            text.push_str(&format!("#define A{i} A{} A{}\n", i - 1, i - 1));
        }
        text + "A39"
    };
    assert_eq!(codes(&run(doubling("x"))), "E0020");
    assert_eq!(codes(&run(doubling(""))), "E0020");
    let mut calls = "#define F0(x) x x\n".to_owned();
    for i in 1..40 {
        calls.push_str(&format!("#define F{i}(x) F{}(x) F{}(x)\n", i - 1, i - 1));
    }
    assert_eq!(codes(&run(calls.clone() + "F39(y)")), "E0020");
    // A condition is read as it is expanded, so that two values side by side end it.
    assert_eq!(codes(&run(calls + "\n#if F39(0)\n#endif")), "E0009");
}

#[test]
fn bytes_that_are_no_text() {
    assert_eq!(codes(&run([0u8; 1000])), "E0019");
    assert_eq!(run([0u8; 1000]).diagnostics.len(), 1);
    let output = run(&b"int a; // caf\xe9\nint b = \"\xe9\xe9\"; \xff\xfe\xfd c;"[..]);
    assert_eq!(codes(&output), "W0011 W0010 E0019");
    assert_eq!(output.diagnostics.len(), 3);
    let output = run(&b"/* \0 */ \"a\0b\" 'c'"[..]);
    assert_eq!((output.tokens.len(), codes(&output).as_str()), (2, ""));
    assert_eq!(codes(&run(&b"\xff\xfei\0n\0t\0"[..])), "E0024");
    assert_eq!(run(&b"\xef\xbb\xbfint x;"[..]).tokens.len(), 3);
    let every: Vec<u8> = (0..=255).cycle().take(1 << 20).collect();
    let output = run(every);
    assert!(output.diagnostics.len() <= 4000);
    assert!(codes(&output).contains("E0019"));
}

#[test]
fn line_ends() {
    for end in ["\n", "\r\n", "\r"] {
        let text = "#define A 1\\\n+2\n#if A\nint x = A; // c\n#endif\n__LINE__".replace('\n', end);
        let output = run(text);
        assert_eq!((output.tokens.len(), codes(&output).as_str()), (8, ""), "{end:?}");
    }
}

#[test]
fn the_end_of_the_text_comes_anywhere() {
    let text = "#define F(a, ...) #a a ## 1 __VA_OPT__(x, __VA_ARGS__)\n#if defined(F) && (1 ? 2 : 3)\n\
                F(\"s\\\"t\", 'c', 1.5e+3) /* c */ _Pragma(\"unroll 4\") // d\\\n e\n#elif 0\n#else\n\
                #pragma OPENCL EXTENSION all : disable\n#endif\n#line 5 \"x\"\n%:include <a>\n";
    for end in 0..text.len() {
        run(&text.as_bytes()[..end]);
    }
}

/// A stream of small numbers that looks random.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// Kind and spelling without positions.
fn shape(tokens: &[Token], interner: &clc_base::Interner) -> Vec<String> {
    tokens
        .iter()
        .map(|token| match token.kind {
            TokenKind::Identifier(s)
            | TokenKind::Integer(s)
            | TokenKind::Float(s)
            | TokenKind::Char(s)
            | TokenKind::String(s)
            | TokenKind::Pragma(s) => interner.resolve(s).to_owned(),
            TokenKind::Keyword(keyword) => keyword.as_str().to_owned(),
            TokenKind::Punctuator(punctuator) => punctuator.as_str().to_owned(),
        })
        .collect()
}

struct OneFile;

impl IncludeResolver for OneFile {
    fn resolve(&mut self, request: &IncludeRequest<'_>) -> Result<Option<Included>, String> {
        Ok((request.name == "h").then(|| Included {
            name: "h".to_owned(),
            contents: b"#ifndef G\n#define G g(\nin_h M\n#endif\n__LINE__".to_vec(),
            system: false,
        }))
    }
}

#[test]
fn random_texts_never_panic_and_print_to_the_same_tokens() {
    const WORDS: &[&str] = &[
        "\n",
        "\n",
        "\n#",
        "\n#define ",
        "\n#define F(x,y) ",
        "\n#define G(...) ",
        "\n#undef ",
        "\n#if ",
        "\n#ifdef ",
        "\n#ifndef ",
        "\n#elif ",
        "\n#else ",
        "\n#endif ",
        "\n#include \"h\"\n",
        "\n#line 7 \"f\"\n",
        "\n#pragma unroll 2\n",
        "\n#pragma once\n",
        "_Pragma(\"nounroll\")",
        "F",
        "G",
        "M",
        "N",
        "x",
        "y",
        "F(",
        "G(",
        "(",
        ")",
        ",",
        "##",
        " ## ",
        "#x",
        "#",
        "__VA_ARGS__",
        "__VA_OPT__(",
        "1",
        "2.",
        ".5",
        "e",
        "+",
        "-",
        ".",
        "<",
        "=",
        ">",
        "&",
        "|",
        "/",
        "%",
        ":",
        "\"s\"",
        "'c'",
        "\"",
        "'",
        "\\\n",
        "\\",
        "/*",
        "*/",
        "//",
        " ",
        "\t",
        "defined ",
        "defined(M)",
        "__LINE__",
        "__COUNTER__",
        "__has_include(\"h\")",
        "_Pragma",
        "true",
        "\u{e9}",
        "\u{a0}",
        "@",
        "?",
        "0",
        "&&",
        "!",
        "kernel",
        "INT_MAX",
        "NULL",
        "kernel_exec(1,x)",
        "\n#pragma pack(1)\n",
        "struct s {",
        "\n#pragma push_macro(\"M\")\n",
        "\n#pragma pop_macro(\"M\")\n",
    ];
    let mut random = Random(1);
    let mut printed = 0;
    for _ in 0..20_000 {
        let text: String =
            (0..random.below(40)).map(|_| WORDS[random.below(WORDS.len())]).collect();
        let mut map = SourceMap::new();
        let mut interner = clc_syntax::token::interner();
        let main = FileInput { name: "m".to_owned(), bytes: text.clone().into_bytes() };
        let options = Options { keep_layout: true, ..Options::default() };
        let first = preprocess(main, &options, &mut OneFile, &mut map, &mut interner);
        let again = print_preprocessed(&first, &map, &interner);
        let hashes = |token: &Token| matches!(token.kind, TokenKind::Punctuator(p) if p.as_str().starts_with('#'));
        // Texts with errors need not print to the same tokens; nor does `#` at the start.
        let undefines = text.contains("undef") || text.contains("pop_macro");
        if undefines
            || first.diagnostics.iter().any(|d| d.is_error())
            || first.tokens.iter().any(hashes)
        {
            continue;
        }
        printed += 1;
        let mut second_map = SourceMap::new();
        let main = FileInput { name: "p".to_owned(), bytes: again.clone().into_bytes() };
        let second = preprocess(main, &options, &mut NoIncludes, &mut second_map, &mut interner);
        assert_eq!(
            shape(&first.tokens, &interner),
            shape(&second.tokens, &interner),
            "{text:?} was printed as {again:?}"
        );
    }
    assert!(printed > 200, "only {printed} texts had no errors");
}

#[test]
fn ten_times_the_input_takes_about_ten_times_as_long() {
    let cases: [(&str, fn(usize) -> String); 5] = [
        ("macros", |n| {
            (0..n).map(|i| format!("#define M{i}(x) ((x) + {i})\nint a{i} = M{i}(1);\n")).collect()
        }),
        ("parameters", |n| {
            let names: Vec<String> = (0..n).map(|i| format!("p{i}")).collect();
            format!("#define F({0}) {0}\nF({0})", names.join(","))
        }),
        ("pastes", |n| format!("#define P(x) {}\nP(a)", vec!["x"; n].join(" ## "))),
        ("lines", |n| "#line 5\n__LINE__ __FILE__\n".repeat(n)),
        ("nested arguments", |n| format!("#define F(x) x\n{}", "F(F(F(1)) F(2))\n".repeat(n))),
    ];
    for (name, text) in cases {
        let time = |n: usize| {
            let text = text(n);
            (0..5)
                .map(|_| {
                    let start = Instant::now();
                    run(text.clone());
                    start.elapsed()
                })
                .min()
                .unwrap_or_default()
        };
        // Above what caches and neighbours cost, below what quadratic work would take.
        let growth = || {
            let (short, long) = (time(3000), time(30_000));
            (long >= short.max(Duration::from_millis(1)) * 50).then_some((short, long))
        };
        if let Some((short, long)) = growth().and_then(|_| growth()) {
            panic!("{name}: {short:?} became {long:?}");
        }
    }
}
