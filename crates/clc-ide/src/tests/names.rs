//! Hover, definitions, references and other names.

use super::{analyse, shown};

fn hover(source: &str) -> String {
    let (analysis, offset) = analyse(source);
    analysis.hover(offset).map(|hover| hover.text).unwrap_or_default()
}

fn definition(source: &str) -> Vec<String> {
    let (analysis, offset) = analyse(source);
    analysis.definition(offset).iter().map(|place| shown(&analysis, place)).collect()
}

fn references(source: &str) -> Vec<String> {
    let (analysis, offset) = analyse(source);
    analysis.references(offset, true).iter().map(|place| shown(&analysis, place)).collect()
}

/// The source with the name at `$0` changed, or why it is not.
fn renamed(source: &str, name: &str) -> Result<String, String> {
    let (analysis, offset) = analyse(source);
    let mut text = analysis.text().to_owned();
    let places = analysis.rename(offset, name).map_err(|error| error.0)?;
    for place in places.iter().rev().filter(|place| place.file == "main.cl") {
        text.replace_range(place.range.start as usize..place.range.end as usize, name);
    }
    Ok(text)
}

#[test]
fn hover_shows_types_and_address_spaces() {
    let text = hover("kernel void k(global float4 *x) { float4 v = *$0x; }");
    assert!(text.contains("global float4 *x") && text.contains("parameter of `k`"), "{text}");
    let text = hover("constant int ta$0ble[4] = { 1 };");
    assert!(text.contains("constant int table[4]") && text.contains("16 bytes"), "{text}");
    let text = hover("struct s { char a; int b; }; int f(struct s *p) { return p->b$0; }");
    assert!(text.contains("member of `struct s`, at byte 4"), "{text}");
    let text = hover("typedef struct { float2 x; } pair; void f(pair$0 *p);");
    assert!(text.contains("typedef pair pair") || text.contains("8 bytes"), "{text}");
    let text = hover("enum e { A = 3, B }; int x(void) { return $0B; }");
    assert!(text.contains("B = 4"), "{text}");
    let text = hover("int f(global int *p, int n) { return 0; } int g(void) { return $0f(0, 1); }");
    assert!(text.contains("int f(global int *p, int n)"), "{text}");
    assert_eq!(hover("int x$0x = ;"), hover("int xx$0 = ;"));
}

#[test]
fn hover_explains_builtins_keywords_and_types() {
    let text = hover("float f(float x) { return cla$0mp(x, 0.0f, 1.0f); }");
    assert!(text.contains("T clamp(T, T, T)") && text.contains("nearest bound"), "{text}");
    assert!(text.contains("OpenCL C 6.15.3"), "{text}");
    assert!(hover("$0global int *f(void);").contains("all work-items"));
    assert!(hover("float$03 f(void);").contains("16 bytes"));
    assert_eq!(hover("$0int f(void);"), "");
    assert_eq!(hover("int f(void); // f$0"), "");
}

#[test]
fn hover_on_a_macro_shows_its_definition_and_what_it_becomes() {
    let text = hover("#define TWICE(x) ((x) \\\n * 2)\nint f(int a) { return TW$0ICE(a + 1); }");
    assert!(text.contains("#define TWICE(x) ((x) \\\n * 2)"), "{text}");
    assert!(text.contains("((a + 1) * 2)"), "{text}");
    assert!(hover("int f(void) { return M$0_PI_F; }").contains("M_PI_F"));
    assert!(hover("#ifdef NO$0PE\n#endif").contains("no macro"));
}

#[test]
fn definitions_are_found_through_macros_and_includes() {
    let source =
        "#include \"a.h\"\nint g(void) { return he$0lper(1); }\n//- a.h\nint helper(int x);\n";
    assert_eq!(definition(source), ["a.h:1:helper"]);
    assert_eq!(definition("#include \"a$0.h\"\n//- a.h\nint x;"), ["a.h:1:"]);
    assert_eq!(definition("#define N 4\nint x[$0N];"), ["main.cl:1:N"]);
    // Declared by a macro: the argument names it.
    let source =
        "#define DECLARE(name) int name(int x)\nDECLARE(foo);\nint g(void) { return f$0oo(1); }";
    assert_eq!(definition(source), ["main.cl:2:foo"]);
    // The text of a macro names it: it is there, and where the macro is used.
    let source = "#define D int made(void)\nD;\nint g(void) { return ma$0de(); }";
    assert_eq!(definition(source), ["main.cl:1:made", "main.cl:2:D"]);
    // A name in the text of a macro.
    let source = "int base(void);\n#define CALL ba$0se()\nint g(void) { return CALL; }";
    assert_eq!(definition(source), ["main.cl:1:base"]);
    let source = "int f(void);\nint f(void) { return 1; }\nint g(void) { return $0f(); }";
    assert_eq!(definition(source), ["main.cl:2:f"]);
    assert!(definition("int f(void) { return get_glo$0bal_id(0); }").is_empty());
    let source = "struct s { int a; };\nvoid f(struct s v) { v.$0a = 1; goto out; out: ; }";
    assert_eq!(definition(source), ["main.cl:1:a"]);
    assert_eq!(
        definition(&source.replace("$0", "").replace("goto out", "goto o$0ut")),
        ["main.cl:2:out"]
    );
}

#[test]
fn references_are_of_one_thing_alone() {
    let source = "int x;\nvoid f(void) { int $0x = 1; x++; { int x = 2; x--; } x = 3; }\nvoid g(void) { x = 4; }";
    assert_eq!(references(source).len(), 3);
    let source = "int $0x;\nvoid f(void) { int x = 1; }\nvoid g(void) { x = 4; }";
    assert_eq!(references(source), ["main.cl:1:x", "main.cl:3:x"]);
    let source = "#define N 1\n#ifdef N\nint a = $0N;\n#endif\n#undef N\n#define N 2\nint b = N;";
    assert_eq!(references(source), ["main.cl:1:N", "main.cl:2:N", "main.cl:3:N", "main.cl:5:N"]);
    let source = "struct s { int a; }; struct t { int a; };\nstruct s v(struct t x) { x.a = 1; struct s y = { .$0a = 2 }; y.a = 1; return y; }";
    assert_eq!(references(source).len(), 3);
}

#[test]
fn names_change_everywhere() {
    assert_eq!(
        renamed("int f(int a) { return a$0 + 1; }", "b").unwrap(),
        "int f(int b) { return b + 1; }"
    );
    assert_eq!(
        renamed("int f(void);\n#define F f()\nint g(void) { return F + $0f(); }", "h").unwrap(),
        "int h(void);\n#define F h()\nint g(void) { return F + h(); }"
    );
    assert_eq!(
        renamed("#define $0A 1\n#if A\nint x = A;\n#endif", "B").unwrap(),
        "#define B 1\n#if B\nint x = B;\n#endif"
    );
}

#[test]
fn names_that_cannot_change_say_why() {
    let refused = |source: &str, name: &str| renamed(source, name).unwrap_err();
    assert!(refused("int f(int a) { int b = a$0; return b; }", "b").contains("something else"));
    assert!(refused("int f(int a) { return a$0; }", "float4").contains("word of the language"));
    assert!(refused("int f(int a) { return a$0; }", "a b").contains("no name"));
    assert!(refused("float f(float a) { return s$0in(a); }", "x").contains("language"));
    assert!(
        refused("#define GLUE(a, b) a##b\nint GLUE(fo, o);\nint f(void) { return f$0oo; }", "x")
            .contains("put together")
    );
    let shared = "#define V value\nvoid f(void) { int $0value = 1; V++; }\nvoid g(void) { int value = 1; V++; }";
    assert!(refused(shared, "x").contains("something else"));
    assert!(refused("$0", "x").contains("no name here"));
}
