//! Where which type may be declared: storage classes × address spaces × types × places ×
//! initialisers, and the restrictions on types.

use crate::generate::Collector;

const STORAGE: [&str; 3] = ["", "static ", "extern "];
const SPACES: [&str; 6] = ["", "global ", "local ", "constant ", "private ", "generic "];

/// A type, what follows the name in its declarator, and an initialiser if there can be one.
const TYPES: [(&str, &str, Option<&str>); 20] = [
    ("int", "", Some("1")),
    ("int *", "", Some("0")),
    ("int", "[2]", Some("{1, 2}")),
    ("S", "", Some("{1}")),
    ("float4", "", Some("(float4)(1)")),
    ("half", "", Some("0")),
    ("double", "", Some("1")),
    ("void", "", None),
    ("E", "", Some("A")),
    ("bool", "", Some("true")),
    ("size_t", "", Some("1")),
    ("char", "[]", Some("\"a\"")),
    ("sampler_t", "", Some("0")),
    ("read_only image2d_t", "", None),
    ("image2d_t", "", None),
    ("event_t", "", Some("0")),
    ("atomic_int", "", Some("1")),
    ("queue_t", "", None),
    ("reserve_id_t", "", None),
    ("clk_event_t", "", None),
];

pub fn generate(out: &mut Collector) {
    places(out);
    parameters(out);
    records(out);
    restrictions(out);
    specifiers(out);
}

fn places(out: &mut Collector) {
    for storage in STORAGE {
        for space in SPACES {
            for (ty, suffix, value) in TYPES {
                for value in [None, value] {
                    let value = value.map_or(String::new(), |value| format!(" = {value}"));
                    let declaration = format!("{storage}{space}{ty} v${suffix}{value};");
                    out.add("declaration/file", &declaration);
                    out.kernel("declaration/kernel", "void", &declaration);
                    out.body("declaration/function", "void", &declaration);
                    if storage.is_empty() {
                        out.kernel(
                            "declaration/block",
                            "int q",
                            &format!("if (q) {{ {declaration} }}"),
                        );
                        out.body(
                            "declaration/for",
                            "int q",
                            &format!("for ({declaration} q;) {{ }}"),
                        );
                    }
                }
            }
        }
    }
}

fn parameters(out: &mut Collector) {
    const MORE: [&str; 26] = [
        "image1d_t",
        "image1d_buffer_t",
        "image1d_array_t",
        "image2d_array_t",
        "image3d_t",
        "image2d_depth_t",
        "image2d_array_depth_t",
        "image2d_msaa_t",
        "image2d_array_msaa_depth_t",
        "ptrdiff_t",
        "intptr_t",
        "uintptr_t",
        "ndrange_t",
        "U",
        "R",
        "char3",
        "half4",
        "double2",
        "ulong16",
        "float16",
        "atomic_long",
        "atomic_flag",
        "pipe int",
        "long long",
        "long double",
        "_Bool",
    ];
    for space in SPACES {
        for (ty, suffix, _) in TYPES {
            out.add("parameter/function", &format!("void f$({space}{ty} x{suffix});"));
            out.add("parameter/kernel", &format!("kernel void k$({space}{ty} x{suffix}) {{ }}"));
            out.add("result", &format!("{space}{ty} f$(void);"));
            for (place, open, close) in
                [("function", "void f$(", ");"), ("kernel", "kernel void k$(", ") { }")]
            {
                let family =
                    if place == "kernel" { "parameter/kernel" } else { "parameter/function" };
                out.add(family, &format!("{open}{space}{ty} *x{close}"));
                out.add(family, &format!("{open}{space}{ty} **x{close}"));
                out.add(family, &format!("{open}{space}{ty} *global *x{close}"));
                out.add(family, &format!("{open}{space}{ty} *local x{close}"));
                out.add(family, &format!("{open}{space}{ty} (*x)[2]{close}"));
            }
        }
    }
    for ty in MORE {
        for prefix in ["", "global ", "read_only ", "write_only ", "read_write ", "const "] {
            out.add("parameter/function", &format!("void f$({prefix}{ty} x);"));
            out.add("parameter/kernel", &format!("kernel void k$({prefix}{ty} x) {{ }}"));
            out.add("parameter/kernel", &format!("kernel void k$({prefix}{ty} *x) {{ }}"));
        }
        for position in ["{} v$;", "constant {} v$ = 0;", "struct s$ { {} m; };", "{} f$(void);"] {
            out.add("declaration/more", &position.replace("{}", ty));
        }
        out.body("declaration/more", "void", &format!("{ty} v;"));
        out.body("declaration/more", "void", &format!("{ty} v[2];"));
        out.body("declaration/more", "void", &format!("{ty} *v;"));
    }
    for qualifier in ["const", "volatile", "restrict", "const volatile", "const const"] {
        for ty in ["int", "int *", "global int *", "S", "float4", "sampler_t", "E"] {
            out.add("qualifier", &format!("void f$({qualifier} {ty} x);"));
            out.add("qualifier", &format!("void f$({ty} {qualifier} x);"));
            out.add("qualifier", &format!("{qualifier} {ty} f$(void);"));
            out.body("qualifier", "void", &format!("{qualifier} {ty} x;"));
            out.body("qualifier", &format!("{qualifier} {ty} x, {ty} y"), "x = y;");
            out.kernel("qualifier", &format!("{qualifier} {ty} x"), "");
        }
    }
}

fn records(out: &mut Collector) {
    for word in ["struct", "union"] {
        for space in SPACES {
            for (ty, suffix, _) in TYPES {
                out.add("member", &format!("{word} s$ {{ {space}{ty} m{suffix}; }};"));
                out.add("member", &format!("{word} s$ {{ {space}{ty} *m; }};"));
                out.add(
                    "member",
                    &format!(
                        "{word} s$ {{ {space}{ty} m{suffix}; }}; kernel void k$({word} s$ x) {{ }}"
                    ),
                );
                out.add(
                    "member",
                    &format!("{word} s$ {{ {space}{ty} *m; }}; kernel void k$({word} s$ x) {{ }}"),
                );
                out.add(
                    "member",
                    &format!(
                        "{word} s$ {{ {space}{ty} *m; }}; kernel void k$(global {word} s$ *x) {{ }}"
                    ),
                );
            }
        }
        for text in [
            "W s$ { int a : 3; };",
            "W s$ { int : 0; };",
            "W s$ { };",
            "W s$ { int a; int a; };",
            "W s$ { int a; } x$;",
            "W s$ { int a; W s$ b; };",
            "W s$ { int a; W s$ *b; };",
            "W s$ { int a; W { int b; }; }; int f$(W s$ *x) { return x->b; }",
            "W s$ { int a; W { int a; }; };",
            "W s$ { int f(void); };",
            "W s$ { static int a; };",
            "W s$ { const int a; }; void f$(W s$ *x) { x->a = 1; }",
            "W s$ { int n; float t[]; };",
            "W s$ { float t[]; int n; };",
            "W s$ { float t[]; };",
            "W s$ { float t[0]; };",
            "W s$ { float t[-1]; };",
            "W s$ { int a; }; void f$(void) { W s$ x = { 1 }, y; y = x; }",
            "W s$ { int a; }; W s$ f$(W s$ x) { return x; }",
            "W s$ { int a; } __attribute__((packed));",
            "W __attribute__((packed)) s$ { int a; };",
            "W s$ { int a __attribute__((aligned(16))); };",
            "W s$ { int a __attribute__((aligned(3))); };",
            "W s$ { int a; } __attribute__((aligned));",
            "W s$; W s$ *f$(W s$ *x);",
            "W s$; W s$ x$;",
            "W s$; void f$(W s$ x) { }",
            "W s$; void f$(W s$ x);",
            "W s$; int f$(W s$ *x) { return x->a; }",
            "W s$ { int a; }; enum s$ { C$ };",
            "W s$ { int a; }; W s$ { int a; };",
            "typedef W s$ s$; W s$ { int a; }; void f$(s$ *x) { x->a = 1; }",
            "void f$(W { int a; } x);",
        ] {
            out.add("record", &text.replace('W', word));
        }
    }
    for text in [
        "enum e$ { C$, D$ = 5, F$ };",
        "enum e$ { C$ = 1.0 };",
        "enum e$ { C$ = 1, };",
        "enum e$ { };",
        "enum e$ { C$, C$ };",
        "enum e$ : int { C$ };",
        "enum e$ *f$(void);",
        "enum e$ x$;",
        "enum e$ { C$ }; kernel void k$(enum e$ x) { }",
        "enum e$ { C$ = sizeof(int) };",
        "enum e$ { C$ = 1 << 40 };",
        "enum e$ { C$ = 0x100000000 };",
        "enum e$ { C$ }; int t$(void) { int a[C$ + 1]; return a[0]; }",
    ] {
        out.add("enum", text);
    }
}

fn restrictions(out: &mut Collector) {
    for text in [
        "int f$(int n) { int t[n]; return t[0]; }",
        "int f$(int n, int t[n]);",
        "int f$(int t[*]);",
        "int f$(int t[static 3]);",
        "int f$(int t[const 3]);",
        "void f$(int n, ...);",
        "void f$(...);",
        "int f$(constant char *p, ...);",
        "kernel int k$(void) { return 0; }",
        "kernel void k$(int (*p)(int)) { }",
        "void f$(int (*p)(int));",
        "void f$(int p(int));",
        "int f$(void); int g$(void) { int (*p)(void) = f$; return 0; }",
        "int f$(void); int g$(void) { return (*f$)(); }",
        "int f$(void); int g$(void) { return (f$)(); }",
        "int f$(void); int g$(void) { return f$ == 0; }",
        "int f$(void); int g$(void) { return &f$ != 0; }",
        "int f$(int x) { return x ? f$(x - 1) : 0; }",
        "int g$(int); int f$(int x) { return g$(x); } int g$(int x) { return f$(x); }",
        "f$(void) { return 0; }",
        "void f$(a) int a; { }",
        "void f$(); void g$(void) { f$(1, 2); }",
        "void f$(); void g$(void) { f$(); }",
        "void f$(void) { g$(); }",
        "int x$ = 1; int x$ = 2;",
        "constant int x$ = 1; constant int x$ = 1;",
        "constant int x$ = 1; constant int y$ = x$;",
        "constant int x$[2] = { 1, 2 }; constant int y$ = x$[1];",
        "constant int x$ = 1; constant int *constant p$ = &x$;",
        "constant int *p$ = 0;",
        "constant float x$ = sin(1.0f);",
        "constant float x$ = M_PI_F * 2;",
        "constant float4 x$ = (float4)(1, 2, 3, 4);",
        "constant float4 x$ = (float4)(1, 2, 3, 4) * 2;",
        "constant float x$ = ((float4)(1, 2, 3, 4)).x;",
        "constant int x$ = get_global_id(0);",
        "constant int x$ = (int)sizeof(float4);",
        "constant int x$[] = { 1, 2, 3 }; constant int n$ = sizeof(x$) / sizeof(x$[0]);",
        "constant int x$[2] = { 1, 2, 3 };",
        "constant int x$[] = { [5] = 1, 2 };",
        "constant S x$ = { .b = 1, .a = 2 };",
        "constant S x$ = { .c = 1 };",
        "constant char x$[2] = \"ab\";",
        "constant char x$[1] = \"ab\";",
        "constant char *x$ = \"ab\";",
        "constant char *constant x$ = \"ab\";",
        "constant uchar x$[] = \"ab\";",
        "constant int x$[] = \"ab\";",
        "constant int x$ = 1 ? 2 : 3;",
        "constant int x$ = (1, 2);",
        "constant int x$ = { { 1 } };",
        "constant int x$ = { 1, 2 };",
        "constant int x$ = { };",
        "constant int x$ = 1 / 0;",
        "constant S x$[2] = { { 1, 2 }, { 3 } };",
        "constant S x$[2] = { 1, 2, 3 };",
        "constant R x$ = { 1, 2, 3, 4 };",
        "constant R x$ = { 1, { 2, 3, 4, 5 } };",
        "constant U x$ = { .b = 1 };",
        "constant U x$ = { 1, 2 };",
        "constant int x$[2][2] = { 1, 2, 3, 4 };",
        "constant int x$[2][] = { 1, 2, 3, 4 };",
        "constant int x$[][2] = { 1, 2, 3, 4 };",
        "constant int2 x$[] = { (int2)(1, 2), 3 };",
        "constant int2 x$ = { 1, 2 };",
        "constant int2 x$ = { 1, 2, 3 };",
        "constant int4 x$ = { 1, (int2)(2, 3), 4 };",
        "typedef int t$; typedef int t$;",
        "typedef int t$; typedef float t$;",
        "typedef int t$; void f$(void) { int t$ = 1; t$++; }",
        "typedef int t$ = 1;",
        "typedef global int t$; void f$(t$ *p, local int *q) { p = q; }",
        "typedef int t$[3]; void f$(t$ x) { x[0] = 1; }",
        "typedef int t$[]; constant t$ x$ = { 1, 2 };",
        "typedef int t$(int); t$ f$; int g$(void) { return f$(1); }",
        "register int x$;",
        "auto int x$;",
        "void f$(void) { auto int x; }",
        "void f$(void) { register int x; }",
        "void f$(register int x) { }",
        "void f$(static int x) { }",
        "thread_local int x$;",
        "_Thread_local int x$;",
        "_Atomic int x$;",
        "_Complex float x$;",
        "_Static_assert(1, \"a\");",
        "_Static_assert(0, \"a\");",
        "_Noreturn void f$(void);",
        "int f$(void) { return _Generic(1, int: 2, default: 3); }",
        "int f$(void) { return _Alignof(int); }",
        "int f$(void) { return __alignof__(int); }",
        "__typeof__(1) f$(void);",
        "typeof(1) f$(void);",
        "long long f$(void);",
        "long double f$(void);",
        "unsigned f$(void);",
        "signed char f$(void);",
        "short int f$(void);",
        "unsigned long int f$(void);",
        "unsigned float f$(void);",
        "unsigned float4 f$(void);",
        "unsigned int4 f$(void);",
        "short long f$(void);",
        "long float f$(void);",
        "long int4 f$(void);",
        "int int f$(void);",
        "const f$(void);",
        "int4 *f$(void);",
        "int5 f$(void);",
        "bool2 f$(void);",
        "size_t2 f$(void);",
        "void4 f$(void);",
        "void f$(void, int);",
        "void f$(void x);",
        "void f$(int void);",
        "void f$(int, int);",
        "void f$(int x, int) { }",
        "void f$(int x, int x) { }",
        "void f$(int x) { int x; }",
        "void f$(int x) { { int x; } }",
        "void f$(int); void f$(int);",
        "void f$(int); void f$(float);",
        "void f$(int); int f$(int);",
        "void f$(int) { } void f$(int) { }",
        "kernel void k$(void); kernel void k$(void) { }",
        "kernel void k$(void); void k$(void) { }",
        "void k$(void); kernel void k$(void) { }",
        "kernel void k$(int); kernel void k$(float) { }",
        "kernel void k$(void) { } void g$(void) { k$(); }",
        "kernel void k$(local int *p) { } kernel void g$(local int *p) { k$(p); }",
        "kernel void main(void) { }",
        "void main(void) { }",
        "int f$[3](void);",
        "int f$(void)[3];",
        "int f$(void)(void);",
        "int x$[0] ;",
        "void f$(void) { int x[0]; }",
        "void f$(void) { int x[-1]; }",
        "void f$(void) { int x[]; }",
        "void f$(void) { int x[2.5]; }",
        "void f$(void) { int x[(int)2.5]; }",
        "void f$(void) { const int n = 3; int x[n]; }",
        "constant int n$ = 3; void f$(void) { int x[n$]; }",
        "constant int n$ = 3; constant int x$[n$] = { 1 };",
        "void f$(void) { int x[0xffffffffffffffff]; }",
        "void f$(void) { void x[2]; }",
        "void f$(void) { sampler_t x[2]; }",
        "void f$(void) { event_t x[2]; }",
        "void f$(void) { event_t x; event_t y; x = y; }",
        "void f$(sampler_t x, sampler_t y) { x = y; }",
        "void f$(read_only image2d_t x, read_only image2d_t y) { x = y; }",
        "void f$(read_only image2d_t x) { read_only image2d_t y = x; }",
        "void f$(void) { int f; }",
        "void f$(void) { int g(int); }",
        "void f$(void) { extern int g$(int); g$(1); }",
        "void f$(void) { static int g$(int); }",
        "void f$(void) { int g(void) { return 1; } }",
        "int x$, *y$, z$[2];",
        "void f$(void) { int x, *y = &x, z[2] = { *y }; }",
        "void f$(void) { int x = x; }",
        "void f$(void) { struct T { int a; } x = { 1 }; x.a++; }",
        "struct { int a; };",
        "int;",
        ";",
        "void f$(void) { ; int; }",
    ] {
        out.add("restriction", text);
    }
}

fn specifiers(out: &mut Collector) {
    for storage in ["", "static ", "extern ", "typedef ", "auto ", "register ", "static extern "] {
        for inline in ["", "inline ", "kernel ", "kernel inline ", "__inline ", "kernel kernel "] {
            out.add("function", &format!("{storage}{inline}void f$(void);"));
            out.add("function", &format!("{storage}{inline}void f$(void) {{ }}"));
            out.add("function", &format!("{inline}{storage}void f$(void) {{ }}"));
            out.add("function", &format!("{storage}{inline}int v$;"));
            out.body("function", "void", &format!("{storage}{inline}int v;"));
        }
    }
    for attribute in [
        "reqd_work_group_size(1, 2, 3)",
        "reqd_work_group_size(1, 2)",
        "reqd_work_group_size(0, 1, 1)",
        "reqd_work_group_size(-1, 1, 1)",
        "reqd_work_group_size(1.0, 1, 1)",
        "work_group_size_hint(1, 2, 3)",
        "work_group_size_hint(1)",
        "vec_type_hint(float4)",
        "vec_type_hint(S)",
        "vec_type_hint(void)",
        "vec_type_hint(bool)",
        "vec_type_hint(float4 *)",
        "vec_type_hint(4)",
        "vec_type_hint",
        "intel_reqd_sub_group_size(8)",
        "intel_reqd_sub_group_size(0)",
        "intel_reqd_sub_group_size",
        "overloadable",
        "always_inline",
        "noinline",
        "pure",
        "const",
        "noreturn",
        "unknown_thing",
        "aligned(8)",
        "packed",
        "nosvm",
        "opencl_unroll_hint(2)",
        "endian(host)",
        "weak",
        "unused",
        "deprecated",
    ] {
        for (family, text) in [
            ("attribute/kernel", "kernel __attribute__((X)) void k$(void) { }"),
            ("attribute/kernel", "__attribute__((X)) kernel void k$(void) { }"),
            ("attribute/function", "__attribute__((X)) void f$(void) { }"),
            ("attribute/function", "void f$(void) __attribute__((X));"),
            ("attribute/variable", "void f$(void) { int x __attribute__((X)); }"),
            ("attribute/variable", "constant int x$ __attribute__((X)) = 1;"),
            ("attribute/parameter", "kernel void k$(global int *p __attribute__((X))) { }"),
            ("attribute/type", "typedef int t$ __attribute__((X));"),
            ("attribute/type", "typedef struct __attribute__((X)) { int a; } t$;"),
            ("attribute/type", "typedef struct { int a __attribute__((X)); } t$;"),
            ("attribute/statement", "void f$(int n) { __attribute__((X)) while (n) n--; }"),
            ("attribute/statement", "void f$(int n) { __attribute__((X)) if (n) n--; }"),
        ] {
            out.add(family, &text.replace('X', attribute));
        }
    }
}
