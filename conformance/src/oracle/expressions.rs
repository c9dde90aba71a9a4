//! Operators and conversions over the types.

use crate::generate::Collector;

/// One of each kind of type.
const TYPES: [&str; 27] = [
    "bool",
    "char",
    "uchar",
    "short",
    "int",
    "uint",
    "long",
    "ulong",
    "half",
    "float",
    "double",
    "size_t",
    "int2",
    "int3",
    "int4",
    "uint4",
    "char4",
    "float2",
    "float4",
    "half4",
    "double4",
    "global int *",
    "void *",
    "S",
    "E",
    "sampler_t",
    "event_t",
];

/// The types that tell the rules apart; for what is of the third power.
const FEW: [&str; 11] = [
    "bool",
    "char",
    "int",
    "uint",
    "float",
    "int2",
    "uint2",
    "float2",
    "int4",
    "global int *",
    "S",
];

const BINARY: [&str; 12] = ["+", "-", "*", "%", "<<", "&", "&&", "<", "==", "=", "+=", "<<="];
const UNARY: [&str; 14] = [
    "+a",
    "-a",
    "!a",
    "~a",
    "++a",
    "a++",
    "*a",
    "&a",
    "sizeof a",
    "sizeof(a)",
    "vec_step(a)",
    "(a)",
    "(void)a",
    "&&a",
];

pub fn generate(out: &mut Collector) {
    for left in TYPES {
        for right in TYPES {
            for operator in BINARY {
                out.body("binary", &format!("{left} a, {right} b"), &format!("a {operator} b;"));
            }
            out.body("cast", &format!("{right} b"), &format!("({left})b;"));
            out.body("initialise", &format!("{right} b"), &format!("{left} a = b;"));
            out.add("return", &format!("{left} f$({right} b) {{ return b; }}"));
            out.add("argument", &format!("void g$({left} a); void f$({right} b) {{ g$(b); }}"));
            out.body("convert", &format!("{right} b"), &format!("convert_{left}(b);"));
            out.body("as", &format!("{right} b"), &format!("as_{left}(b);"));
        }
        for operator in UNARY {
            out.body("unary", &format!("{left} a"), &format!("{operator};"));
        }
        for constant in
            ["1", "1u", "1L", "300", "1.0f", "1.0", "true", "'a'", "\"a\"", "1.0h", "1ul", "0x1p3f"]
        {
            for operator in ["+", "<<", "&", "<", "==", "=", "*="] {
                out.body("literal", &format!("{left} a"), &format!("a {operator} {constant};"));
            }
        }
        out.body("sizeof", "void", &format!("sizeof({left});"));
        out.body("sizeof", "void", &format!("vec_step({left});"));
        out.body("sizeof", "void", &format!("__alignof__({left});"));
        out.body("compound literal", "void", &format!("({left}){{ 0 }};"));
        out.body("compound literal", &format!("{left} a"), &format!("{left} t[2] = {{ a, a }};"));
        out.body("compound literal", &format!("{left} a"), &format!("a = ({left}){{ a }};"));
    }
    conditionals(out);
    vector_literals(out);
    swizzles(out);
    conversions(out);
    misplaced(out);
}

fn conditionals(out: &mut Collector) {
    for condition in FEW {
        for left in FEW {
            for right in FEW {
                out.body(
                    "conditional",
                    &format!("{condition} c, {left} a, {right} b"),
                    "c ? a : b;",
                );
            }
        }
    }
    for condition in TYPES {
        for text in [
            "c ? 1 : 2;",
            "c ? 1.0f : 2;",
            "c ? (int2)(1) : 2;",
            "c ? c : c;",
            "c ? c : 0;",
            "c ?: 1;",
        ] {
            out.body("conditional", &format!("{condition} c"), text);
        }
    }
}

fn vector_literals(out: &mut Collector) {
    const PARTS: [&str; 8] = ["1", "1.5f", "a", "a, a", "v2", "v2, v2", "v3, 1", "v4"];
    for ty in ["int2", "int3", "int4", "float4", "uchar4", "int8", "half2", "double2", "int16"] {
        for part in PARTS {
            for tail in ["", ", 1", ", v2", ", v3", ", v4", ", v4, 1, 2", ", f2"] {
                out.body(
                    "vector literal",
                    "int a, int2 v2, int3 v3, int4 v4, float2 f2",
                    &format!("({ty})({part}{tail});"),
                );
            }
        }
    }
    for text in [
        "(int4)(a);",
        "(int4)a;",
        "(int4)v4;",
        "(int4)u4;",
        "(int4)(u4);",
        "(float4)v4;",
        "(int4)();",
        "(int4){1, 2, 3, 4};",
        "(int4)(1, 2, (3, 4));",
        "(int4)((int2)(1, 2), 3, 4);",
        "(int4)(p);",
        "(int4)(1, 2, 3, p);",
        "(int4)(s, 1, 2, 3);",
        "(int4)(true);",
        "(int4)(1, 2, 3, 4).x;",
        "((int4)(1, 2, 3, 4)).x;",
        "(int4)(1, 2, 3, 4) + 1;",
        "(int)(1, 2);",
        "(int)v4;",
        "(float)v4;",
        "(bool)v4;",
        "(void)v4;",
        "(int4)(u4.xy, 1, 2);",
        "(uint4)(v4);",
        "(int2)(v4.lo);",
        "(uint2)(v4.lo);",
        "(int4)(v4.lo, v4.hi);",
        "(int4)(v4.lo, u4.hi);",
        "(int4)('a');",
        "v4 = 1;",
        "v4 = a;",
        "v4 = 1.5f;",
        "v4 = 1u;",
        "v4 = u4;",
        "v4 = (int4)(1u);",
        "v4 += 1.0;",
        "v4 = v4 * 2;",
        "v4 = v4 * 2.0f;",
        "v4 = 2L * v4;",
        "v4 *= a;",
        "v4 = v4 == u4;",
        "v4 = v4 < v4;",
    ] {
        out.body("vector literal", "int a, int4 v4, uint4 u4, global int *p, S s", text);
    }
}

fn swizzles(out: &mut Collector) {
    const SELECTORS: [&str; 34] = [
        "x",
        "y",
        "z",
        "w",
        "xy",
        "xx",
        "wzyx",
        "xyzwx",
        "xyzwxyzw",
        "rg",
        "r",
        "rgba",
        "xg",
        "s0",
        "S1",
        "s3",
        "s4",
        "s01",
        "s012",
        "s0123",
        "s01234567",
        "s7",
        "sf",
        "sF",
        "sg",
        "s",
        "lo",
        "hi",
        "odd",
        "even",
        "lo.x",
        "hi.hi",
        "s0y",
        "s01234567890123456789",
    ];
    for ty in ["int2", "int3", "int4", "float8", "uchar16", "int", "S", "double2"] {
        for selector in SELECTORS {
            out.body("swizzle", &format!("{ty} v"), &format!("v.{selector};"));
            out.body("swizzle", &format!("{ty} v"), &format!("v.{selector} = 1;"));
            out.body("swizzle", &format!("{ty} v"), &format!("v.{selector} += v.{selector};"));
        }
        for text in [
            "&v.x;",
            "&v.xy;",
            "v.xy.x = 1;",
            "v.lo.lo;",
            "v[0];",
            "v[1] = 1;",
            "v[9];",
            "v->x;",
            "&v[0];",
            "v.xy = v.yx;",
            "v.xy++;",
            "v.x = v.y = 1;",
            "v.(x);",
            "(v + v).x = 1;",
            "(v).x = 1;",
            "sizeof(v.xy);",
            "v.s0 <<= 2;",
            "v.lo = v.hi;",
            "v.even.even = 1;",
            "v.xx += 1;",
        ] {
            out.body("swizzle", &format!("{ty} v"), text);
        }
    }
}

fn conversions(out: &mut Collector) {
    for name in [
        "convert_int",
        "convert_int_sat",
        "convert_int_rte",
        "convert_int_sat_rtz",
        "convert_float_sat",
        "convert_float_rtp",
        "convert_bool",
        "convert_uchar_sat_rtn",
        "convert_size_t",
        "convert_int_rt",
        "convert_half",
        "convert_half_rte",
        "convert_double_rte",
        "convert_int_rte_sat",
        "convert_intptr_t",
    ] {
        for ty in [
            "int",
            "float",
            "uint",
            "bool",
            "half",
            "double",
            "int2",
            "global int *",
            "size_t",
            "S",
        ] {
            out.body("convert", &format!("{ty} a"), &format!("{name}(a);"));
        }
        for count in ["2", "3", "4", "5", "8", "16"] {
            let name = name.replacen("int", &format!("int{count}"), 1);
            let name = name.replacen("float", &format!("float{count}"), 1);
            out.body(
                "convert",
                &format!("int{} a", if count == "5" { "4" } else { count }),
                &format!("{name}(a);"),
            );
            out.body("convert", "float4 a", &format!("{name}(a);"));
        }
    }
    for name in [
        "as_int",
        "as_int2",
        "as_int3",
        "as_int4",
        "as_char4",
        "as_char3",
        "as_short4",
        "as_float",
        "as_double",
        "as_bool",
        "as_size_t",
        "as_half",
        "as_uchar16",
    ] {
        for ty in [
            "int",
            "float",
            "int2",
            "int3",
            "int4",
            "float3",
            "char4",
            "char3",
            "char8",
            "short2",
            "bool",
            "size_t",
            "double",
            "half",
            "S",
            "E",
            "local int *",
            "float4",
            "long2",
        ] {
            out.body("as", &format!("{ty} a"), &format!("{name}(a);"));
        }
    }
}

fn misplaced(out: &mut Collector) {
    for text in [
        "1 = 2;",
        "a + 1 = 2;",
        "(a) = 2;",
        "(a, b) = 2;",
        "++1;",
        "a++++;",
        "&1;",
        "&(a + b);",
        "*a;",
        "&a = 0;",
        "t = 0;",
        "t++;",
        "&t;",
        "*t = 1;",
        "t[1] = 2;",
        "s = s;",
        "s.a = 1;",
        "s.q;",
        "a.x;",
        "s->a;",
        "(&s)->a;",
        "s + s;",
        "s == s;",
        "!s;",
        "(int)s;",
        "(S)s;",
        "if (s) { }",
        "a(1);",
        "undeclared;",
        "undeclared(1);",
        "sizeof(void);",
        "sizeof(int[3]);",
        "sizeof t;",
        "sizeof(struct Q);",
        "sizeof(f$);",
        "sizeof(read_only image2d_t);",
        "sizeof(sampler_t);",
        "a ? b : c;",
        "a ? s : s;",
        "a ? s : b;",
        "a ? (void)0 : (void)1;",
        "a ? (void)0 : 1;",
        "(void)0 + 1;",
        "a = (void)0;",
        "!(void)0;",
        "\"a\"[0];",
        "*\"a\";",
        "char *q = \"a\";",
        "constant char *q = \"a\";",
        "\"a\" \"b\";",
        "char q[] = \"abc\";",
        "char q[2] = \"abc\";",
        "L'a';",
        "L\"a\";",
        "u8\"a\";",
        "'ab';",
        "1.0l;",
        "1ll;",
        "0b11;",
        "08;",
        "1e5;",
        "1.5h;",
        "0x1.8p1;",
        "1__2;",
        "1'000;",
        "5 % 0;",
        "1 << 40;",
        "int q = 1.5;",
        "int q = { 1 };",
        "int q = { 1, 2 };",
        "int q[2] = 1;",
        "int q[2] = t;",
        "int q[2] = { t };",
        "S q = 1;",
        "S q = { 1, 2, 3 };",
        "S q = { { 1 } };",
        "S q = { .a = 1, .a = 2 };",
        "S q = s;",
        "S q = { s };",
        "R q = { 1, t };",
        "R q = { .t = { 1 } };",
        "R q = { .t[1] = 5 };",
        "R q = { .t[3] = 5 };",
        "int q[3] = { [1] = 5, [0] = 2 };",
        "int q[3] = { [3] = 5 };",
        "int q[] = { };",
        "float4 q = { 1, 2 };",
        "float4 q = { 1, 2, 3, 4 };",
        "float4 q = { { 1, 2 }, 3, 4 };",
        "float4 q = { f, f };",
        "float4 q[2] = { 1, 2, 3, 4, 5, 6, 7, 8 };",
        "S q = (S){ 1, 2 };",
        "S *q = &(S){ 1, 2 };",
        "int *q = (int[]){ 1, 2 };",
        "int *q = (int[2]){ 1, 2, 3 };",
        "(int[2])t;",
        "(S *)t;",
        "({ 1; });",
        "__builtin_offsetof(S, b);",
        "offsetof(S, b);",
        "a, b;",
        "a = b = c;",
        "a == b == c;",
        "a < b < c;",
        "a +- b;",
        "a--- b;",
        "!!a;",
        "~~a;",
        "- -a;",
        "&*&a;",
        "a[t];",
        "t[t];",
        "t + t;",
        "t - t;",
        "&t[1] - t;",
        "t == &t[0];",
        "t == 0;",
        "f$;",
        "(f$);",
        "*f$;",
        "&f$;",
        "f$ + 1;",
        "f$ = 0;",
        "goto *a;",
        "new;",
        "this;",
        "a <=> b;",
        "a ** t;",
        "nullptr;",
        "NULL;",
        "__func__;",
        "__FILE__;",
        "__LINE__;",
        "__OPENCL_VERSION__;",
        "INFINITY;",
        "NAN;",
        "MAXFLOAT;",
        "HUGE_VALF;",
        "INT_MAX;",
        "M_PI;",
        "M_PI_H;",
        "DBL_MAX;",
        "HALF_MAX;",
        "CHAR_BIT;",
        "true;",
        "false;",
        "CLK_LOCAL_MEM_FENCE;",
        "CLK_IMAGE_MEM_FENCE;",
        "CLK_NULL_QUEUE;",
        "memory_order_relaxed;",
        "memory_scope_device;",
        "CLK_FILTER_LINEAR;",
        "CLK_R;",
        "CLK_sRGB;",
        "CLK_UNORM_INT24;",
        "FLT_EPSILON;",
    ] {
        out.body("misplaced", "int a, int b, int c, S s, float2 f, int t[2]", text);
    }
}
