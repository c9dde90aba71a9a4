//! Whatever comes in, a diagnostic comes out: no panic, no hang, no half-written file.

mod common;

use std::fmt::Write as _;

use common::{Folder, GOOD};

#[test]
fn junk_is_refused() {
    let folder = Folder::new();
    let mut state = 1u32;
    let mut junk = |n: usize| -> Vec<u8> {
        (0..n)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            })
            .collect()
    };
    for size in [1, 100, 10_000, 1_000_000] {
        folder.compile(junk(size)).is_civil();
    }
    folder.compile(b"\0\0\0\0").is_civil();
    folder.compile(b"kernel void k(global int *p) { *p = \0 1; }").is_civil();
    folder.compile(b"int \xff\xfe = 3;").is_refused();
    assert!(!folder.has("output.spv"));
    // A comment in Latin-1 is no reason to refuse a kernel.
    let ran = folder.compile([b"// caf\xe9\n".as_slice(), GOOD.as_bytes()].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    // Nothing at all is an empty module.
    assert_eq!(folder.compile("").code, Some(0));
}

#[test]
fn truncations_are_refused_or_accepted() {
    let folder = Folder::new();
    let source = "#define M(a, ...) a ## 1 __VA_ARGS__\n#if M(1) == 11\nstruct s { int a[3]; float4 b; };\n\
                  kernel void k(global struct s *p, local char *c) {\n  /* x */ for (int i = 0; i < 3; i++) \
                  { switch (i) { case 0: p->a[i] = 'x'; default: ; } }\n  p->b.xy = (float2)(1, 2.5e3f);\n  \
                  printf(\"%d\\n\", sizeof(struct s));\n}\n#endif\n";
    for end in 0..source.len() {
        folder.compile(&source[..end]).is_civil();
    }
}

#[test]
fn nesting_has_limits_or_none_but_never_a_crash() {
    let folder = Folder::new();
    let deep = |open: &str, close: &str, n: usize| open.repeat(n) + close.repeat(n).as_str();
    let kernel = |body: String| format!("kernel void k(global int *p) {{ {body} }}");
    let million = 1_000_000;
    folder
        .compile(kernel(format!("*p = {}1{};", "(".repeat(million), ")".repeat(million))))
        .is_civil();
    folder.compile(kernel(deep("{", "}", million))).is_civil();
    folder.compile("(".repeat(million)).is_refused();
    folder.compile("{".repeat(million)).is_refused();
    folder.compile(kernel("if(1)".repeat(100_000) + ";")).is_civil();
    folder.compile(kernel(format!("*p = {}1;", "-".repeat(100_001)))).is_civil();
    folder.compile(kernel(format!("*p = {}1;", "!".repeat(100_000)))).is_civil();
    folder.compile(kernel(format!("int {}x;", "*".repeat(100_000)))).is_civil();
    folder.compile(kernel(format!("*p = 1{};", "+1".repeat(200_000)))).is_civil();
    folder.compile(kernel(format!("*p = {}1;", "1?2:".repeat(100_000)))).is_civil();
    folder.compile(kernel(format!("int x{} = {{0}};", "[1]".repeat(50_000)))).is_civil();
    folder.compile(deep("struct s { ", "} x;", 50_000)).is_civil();
    folder.compile("#if 1\n".repeat(100_000)).is_civil();
}

#[test]
fn lines_may_be_long() {
    let folder = Folder::new();
    let mut source = String::from("kernel void k(global int *p) { int x = 0; ");
    while source.len() < 10 << 20 {
        source.push_str("x += 1; x ^= x << 3; ");
    }
    source.push_str("*p = x + unknown; }");
    let ran = folder.compile(&source);
    ran.is_civil();
    ran.is_refused();
    assert!(ran.stderr.len() < 4000, "{} bytes of messages", ran.stderr.len());
    folder.compile(format!("int {};", "x".repeat(10 << 20))).is_civil();
    folder.compile(format!("constant char s[] = \"{}\";", "x".repeat(1 << 20))).is_civil();
    folder.compile("/*".to_owned() + &" ".repeat(10 << 20)).is_refused();
}

#[test]
fn many_diagnostics_lie_on_one_line_and_on_far_ones() {
    let folder = Folder::new();
    let count = 3000;
    let mut source = "\n".repeat(123_455) + "kernel void k(int x) { /* é€ */ ";
    let mut columns = Vec::new();
    for n in 0..count {
        columns.push(source.trim_start().chars().count() + 1);
        let _ = write!(source, "x == {n}; /* é */ ");
    }
    source.push_str("}\n");
    folder.write("many.cl", &source);
    let short = folder.clc("-fsyntax-only --message-format=short many.cl").stderr;
    let places: Vec<String> = columns.iter().map(|c| format!("many.cl:123456:{c}: ")).collect();
    assert_eq!(short.lines().count(), count);
    for (line, place) in short.lines().zip(&places) {
        assert!(line.starts_with(place), "{place} {line}");
    }
    let human = folder.clc("-fsyntax-only many.cl").stderr;
    let excerpts: Vec<&str> = human.split("warning[W0808]: ").skip(1).collect();
    assert_eq!(excerpts.len(), count);
    for (n, (excerpt, column)) in excerpts.iter().zip(&columns).enumerate() {
        let lines: Vec<&str> = excerpt.lines().collect();
        let [_, heading, space, shown, mark, _, _, _, _, note, rule, ..] = lines[..] else {
            panic!("{excerpt}")
        };
        let margin = "        │";
        assert!(heading.starts_with("        ╭─[ many.cl:123456:"), "{heading}");
        assert!(shown.starts_with(" 123456 │ ") && space == margin, "{excerpt}");
        // The mark stands below what it is about.
        let at = mark.chars().position(|c| c == '┬').unwrap_or(0);
        let below: String = shown.chars().skip(at).collect();
        assert!(below.starts_with(&format!("x == {n};")) && mark.starts_with(margin), "{excerpt}");
        assert!(shown.chars().count() < 300, "{shown}");
        assert_eq!(
            note,
            format!("{margin} Note: the line is cut; the place is at column {column}")
        );
        assert_eq!(rule, "────────╯");
    }
}

#[test]
fn include_loops_and_macro_bombs_end() {
    let folder = Folder::new();
    folder.write("loop.h", "#include \"loop.h\"\n");
    folder.compile("#include \"loop.h\"\n").is_refused();
    folder.write("a.h", "#include \"b.h\"\n");
    folder.write("b.h", "#include \"a.h\"\n");
    folder.compile("#include \"a.h\"\n").is_refused();
    folder.compile("#include \"input.cl\"\n").is_refused();
    folder.write("twice.h", "#include \"twice.h\"\n#include \"twice.h\"\n");
    folder.compile("#include \"twice.h\"\n").is_refused();

    let mut bomb = String::from("#define A0 x\n");
    for i in 1..40 {
        let _ = writeln!(bomb, "#define A{i} A{} A{}", i - 1, i - 1);
    }
    folder.compile(bomb.clone() + "A39\n").is_refused();
    let mut calls = String::from("#define F0(x) x x\n");
    for i in 1..40 {
        let _ = writeln!(calls, "#define F{i}(x) F{}(x x)", i - 1);
    }
    folder.compile(calls + "F39(y)\n").is_refused();
    let ran = folder.compile("#include \"absent.h\"\n#include <folder>\n");
    ran.is_refused();
    assert!(ran.stderr.contains("absent.h"));
    std::fs::create_dir(folder.path("dir.h")).unwrap();
    folder.compile("#include \"dir.h\"\n").is_refused();
}

#[test]
fn many_errors_are_counted() {
    let folder = Folder::new();
    let mut source = String::from("kernel void k(global int *p) {\n");
    for i in 0..5000 {
        let _ = writeln!(source, "  *p = unknown{i};");
    }
    source.push('}');
    let ran = folder.compile(&source);
    ran.is_refused();
    assert!(ran.stderr.contains("too many errors"), "{}", &ran.stderr[ran.stderr.len() - 300..]);
    let ran = folder.clc("input.cl --error-limit=3 --message-format=short");
    assert_eq!(ran.stderr.lines().count(), 4);
}

#[test]
fn odd_text_is_shown_harmlessly() {
    let folder = Folder::new();
    let ran = folder
        .compile("kernel void k(global int *p) { *p = \u{1b}[31m\u{202e}\u{2028}\u{85} q; }\n");
    ran.is_refused();
    for c in ['\u{202e}', '\u{2028}', '\u{85}'] {
        assert!(!ran.stderr.contains(c), "{c:?} reached the terminal");
    }
    let wide = folder.compile("kernel void k(global int *p) { /* 漢字 \u{1f600} */\t\t*p = q; }\n");
    wide.is_refused();
}
