//! What can be written, and what is being called.

use super::analyse;

fn labels(source: &str) -> Vec<String> {
    let (analysis, offset) = analyse(source);
    analysis.completions(offset).1.into_iter().map(|item| item.label).collect()
}

#[track_caller]
fn offers(source: &str, wanted: &[&str], unwanted: &[&str]) {
    let labels = labels(source);
    let has = |name: &&&str| labels.iter().any(|label| label == **name);
    let missing: Vec<_> = wanted.iter().filter(|name| !has(name)).collect();
    let surplus: Vec<_> = unwanted.iter().filter(has).collect();
    assert!(missing.is_empty() && surplus.is_empty(), "-{missing:?} +{surplus:?}: {labels:?}");
}

#[test]
fn names_in_sight_are_offered() {
    offers(
        "int outer; void f(int par) { int loc; { int closed; } $0 int later; } void g(int other) {}",
        &["outer", "par", "loc", "f", "return", "float4"],
        &["closed", "later", "other"],
    );
    offers("void f(void) { for (int step = 0; ; ) { ste$0 } }", &["step"], &[]);
    offers("void f(void) { for (int index = 0; ; ) { } ind$0 }", &[], &["index"]);
    offers("#define MACRO 1\nvoid f(void) { MA$0 }", &["MACRO"], &[]);
    offers("#include \"a.h\"\nvoid f(void) { hel$0 }\n//- a.h\nint helper(int);", &["helper"], &[]);
    offers("enum e { FIRST }; void f(void) { FI$0 }", &["FIRST"], &[]);
}

#[test]
fn builtins_are_offered_with_their_signature() {
    let (analysis, offset) = analyse("void f(void) { int i = get_glo$0 }");
    let items = analysis.completions(offset).1;
    let item = items.iter().find(|item| item.label == "get_global_id").unwrap();
    assert_eq!(item.detail, "size_t get_global_id(uint)");
    offers("void f(void) { convert_int4_s$0 }", &["convert_int4_sat"], &["clamp"]);
    offers("// get_glo$0\n", &[], &["get_global_id"]);
    offers("constant char *s = \"get_glo$0\";", &[], &["get_global_id"]);
}

#[test]
fn members_and_components_are_offered_in_broken_code() {
    let head = "struct s { int a; float4 v; struct { int in; }; }; typedef struct s t;\n";
    let in_f = |body: &str| format!("{head}void f(struct s x, global t *p) {{ {body} }}");
    offers(&in_f("x.$0"), &["a", "v", "in"], &["x", "f"]);
    offers(&in_f("p->$0 = 3;"), &["a", "v"], &["x"]);
    offers(&in_f("int y = p[3].$0\n y = 2;"), &["a"], &["x"]);
    offers(&in_f("x.v.$0"), &["x", "y", "z", "w", "xyzw", "lo", "s0", "s3"], &["s4", "a"]);
    offers(&in_f("x.v.x$0"), &["xy", "xx", "xyzw"], &["y"]);
    offers(&in_f("(x).v.$0;"), &["hi"], &["a"]);
    offers(&in_f("foo(p->v.$0"), &["even"], &["a"]);
    offers(&in_f("int y = ((float2)(1, 2)).x$0;"), &["xy"], &["xz"]);
    offers("float4 g(void); void f(void) { g().$0 }", &["w"], &["g"]);
    offers(&in_f("unknown.$0"), &[], &["a", "x"]);
    offers(&in_f("float16 w; w.s$0"), &["s0", "sf"], &["x"]);
}

#[test]
fn directives_pragmas_and_attributes_have_their_own_words() {
    offers("#$0", &["ifdef", "pragma", "include"], &["int"]);
    offers("#pragma $0", &["OPENCL", "unroll"], &["int"]);
    offers("#pragma OPENCL $0", &["EXTENSION", "FP_CONTRACT"], &["unroll"]);
    offers("#pragma OPENCL EXTENSION cl_khr_fp$0", &["cl_khr_fp16", "cl_khr_fp64"], &[]);
    offers("#pragma OPENCL EXTENSION cl_khr_fp64 : $0", &["enable", "disable"], &[]);
    offers("#pragma OPENCL FP_CONTRACT $0", &["ON", "OFF"], &[]);
    offers("#define YES\n#ifdef Y$0\n#endif", &["YES"], &["int"]);
    offers("kernel __attribute__((req$0)) void f(void);", &["reqd_work_group_size"], &[]);
    offers("#pragma once\nin$0", &["int"], &["include"]);
}

#[test]
fn calls_say_which_argument_is_written() {
    let help = |source: &str| {
        let (analysis, offset) = analyse(source);
        analysis.signature(offset)
    };
    let found = help("int f(int a, global float *p); void g(void) { f(1, $0 }").unwrap();
    assert_eq!(found.signatures[0].label, "int f(int a, global float *p)");
    assert_eq!(found.argument, 1);
    let range = found.signatures[0].parameters[1].clone();
    assert_eq!(
        &found.signatures[0].label[range.start as usize..range.end as usize],
        "global float *p"
    );
    let found = help("float g(float x) { return clamp(x, (1.0f + 2), $0").unwrap();
    assert_eq!((found.argument, found.signatures[found.active].parameters.len()), (2, 3));
    let found = help("#define M(a, b) a\nint x = M(1, (2, $0").unwrap();
    assert_eq!((found.signatures[0].label.as_str(), found.argument), ("M(a, b)", 1));
    assert!(help("void g(void) { $0 }").is_none());
    assert!(help("void g(int x) { g(1); $0 }").is_none());
    assert!(help("int f(int a); int x = f(1) + ($0").is_none());
}
