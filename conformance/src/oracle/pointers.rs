//! Pointers of every address space into pointers of every other, in every way.

use crate::generate::Collector;

const SPACES: [&str; 6] = ["global", "local", "constant", "private", "generic", ""];

pub fn generate(out: &mut Collector) {
    for from in SPACES {
        for to in SPACES {
            convert(out, from, to);
            deep(out, from, to);
        }
        single(out, from);
    }
}

fn convert(out: &mut Collector, from: &str, to: &str) {
    let both = format!("{from} int *p, {to} int *q");
    let family = "pointers/convert";
    for text in [
        "q = p;",
        "q = q;",
        "q == p;",
        "q != p;",
        "q < p;",
        "q >= p;",
        "q - p;",
        "q && p;",
        "1 ? q : p;",
        "(q, p);",
        "q += p;",
        "q ? p : 0;",
        "q == 0;",
    ] {
        out.body(family, &both, text);
    }
    let one = format!("{from} int *p");
    for text in [
        "T int *q = p;",
        "(T int *)p;",
        "(T float *)p;",
        "(T char4 *)p;",
        "T int *q = (T int *)p;",
        "T void *q = p;",
        "T float *q = p;",
        "T const int *q = p;",
        "(T void *)p;",
        "T int *q; q = p + 1;",
        "T int *q = &p[1];",
        "T int *t[1] = { p };",
        "T uint *q = p;",
        "T int **q = &p;",
    ] {
        out.body(family, &one, &text.replace('T', to));
    }
    out.add(family, &format!("void g$({to} int *q); void f$({from} int *p) {{ g$(p); }}"));
    out.add(family, &format!("{to} int *f$({from} int *p) {{ return p; }}"));
    out.add(family, &format!("struct s$ {{ {to} int *m; }}; void f$({from} int *p) {{ struct s$ x = {{ p }}; x.m = p; }}"));
    out.body(family, &format!("{from} const int *p, {to} int *q"), "q = p;");
    out.body(family, &format!("{from} volatile int *p, {to} int *q"), "q = p;");
    out.body(family, &format!("{from} int *p, {to} const int *q"), "q = p;");
    out.body(family, &format!("{from} void *p, {to} int *q"), "q = p;");
    out.body(family, &format!("{from} void *p, {to} int *q"), "1 ? q : p;");
    out.body(family, &format!("{from} float *p, {to} int *q"), "1 ? q : p;");
    out.body(family, &format!("{from} float *p, {to} int *q"), "q == p;");
    out.body(family, &format!("{from} S *p, {to} int *q"), "q = &p->a;");
    out.body(family, &format!("{from} S *p, {to} int *q"), "p->a = *q;");
    out.body(family, &format!("{from} R *p, {to} int *q"), "q = p->t;");
    out.body(
        family,
        &format!("{from} int4 *p, {to} int *q"),
        "q = (T int *)p;".replace('T', to).as_str(),
    );
}

fn deep(out: &mut Collector, from: &str, to: &str) {
    let family = "pointers/deep";
    let both = format!("{from} int *private *p, {to} int *private *q");
    for text in ["q = p;", "q == p;", "1 ? q : p;", "*q = *p;", "**q = **p;"] {
        out.body(family, &both, text);
    }
    for text in ["(T int *private *)p;", "T int *private *q = p;", "(T int *)*p;"] {
        out.body(family, &format!("{from} int *private *p"), &text.replace('T', to));
    }
    let both = format!("global int *{from} *p, global int *{to} *q");
    for text in ["q = p;", "*q = *p;"] {
        out.body(family, &both, text);
    }
    out.body(family, &format!("global int *{from} *p"), &format!("(global int *{to} *)p;"));
    out.body(family, &format!("{from} int (*p)[3], {to} int (*q)[3]"), "q = p;");
    out.body(family, &format!("{from} int (*p)[3], {to} int *q"), "q = *p;");
    out.body(family, &format!("{from} int *const *p, {to} int *const *q"), "q = p;");
    out.add(
        family,
        &format!("typedef {from} int *a$; typedef {to} int *b$; void f$(a$ p, b$ q) {{ q = p; }}"),
    );
    out.add(family, &format!("typedef {from} int a$; void f$(a$ *p, {to} a$ *q) {{ }}"));
}

fn single(out: &mut Collector, space: &str) {
    let family = "pointers/use";
    for text in [
        "*p = 1;",
        "p[0] = 1;",
        "p[0]++;",
        "p++;",
        "p += 1;",
        "p - 1;",
        "1 + p;",
        "1 - p;",
        "p + 1.0f;",
        "p + p;",
        "p * 2;",
        "p & 1;",
        "!p;",
        "~p;",
        "-p;",
        "+p;",
        "p && 1;",
        "if (p) { }",
        "while (!p) { }",
        "(int)p;",
        "(long)p;",
        "(float)p;",
        "(size_t)p;",
        "(intptr_t)p;",
        "(bool)p;",
        "(char)p;",
        "p = 0;",
        "p = 1;",
        "p = (void *)0;",
        "p = NULL;",
        "p == 1;",
        "p == NULL;",
        "p < 0;",
        "p > 0;",
        "p[1.0f];",
        "1[p];",
        "p->a;",
        "&*p;",
        "&p[1];",
        "*&p;",
        "**p;",
        "sizeof(*p);",
        "sizeof p;",
        "(S)p;",
        "(int4)p;",
        "(S *)p;",
        "bool b = p;",
        "int i = p;",
        "float x = p;",
        "switch (p) { }",
        "p[(char)1];",
        "p[(int2)(1, 2)];",
        "int2 v = p;",
        "p ? 1 : 2;",
        "*p ? p : p;",
        "p, 1;",
        "(*p)++;",
        "--*p;",
        "*p += 2.5f;",
        "const int *q = p;",
        "as_long(p);",
        "as_int2(p);",
    ] {
        out.body(family, &format!("{space} int *p"), text);
    }
    for text in [
        "*p;",
        "p + 1;",
        "p++;",
        "p - p;",
        "sizeof(*p);",
        "p[0];",
        "*(int *)p;",
        "(char *)p;",
        "p == p;",
    ] {
        out.body("pointers/void", &format!("{space} void *p"), text);
    }
    for text in
        ["p->x = 1;", "p->xy = (int2)(1);", "(*p).x++;", "&p->x;", "&(*p).xy;", "p->lo = p->hi;"]
    {
        out.body("pointers/vector", &format!("{space} int4 *p"), text);
    }
    for text in ["*p = 1;", "p->a = 1;", "p = &p[1];", "int *q = p;", "*(T int *)p = 1;"] {
        out.body("pointers/const", &format!("{space} const int *p"), &text.replace('T', space));
        out.body("pointers/const", &format!("{space} const S *p"), &text.replace('T', space));
        out.body("pointers/const", &format!("{space} int *const p"), &text.replace('T', space));
    }
    for access in
        ["*p;", "*p = 1;", "p[0];", "p[1] + p[2];", "p++;", "vload_half(0, p);", "half x = *p;"]
    {
        out.body("pointers/half", &format!("{space} half *p"), access);
    }
}
