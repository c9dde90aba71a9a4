// Structs, unions, arrays, enums: layout, copies, initialisers, nested access.
//@ section 6.3.5 6.4.4.1 6.13.1 6.13.3 6.5.15
//@ kernel initialisers
//@ global 1
//@ arg buffer int[40] = zero
//@ result 0 = 10 32 1207 120 12345 21 5 80 340 5670 89 -2350 778 5 3*2 3105 258 6 4 5 0*19
//@ kernel copies
//@ global 4
//@ arg buffer int[32] = ramp
//@ arg buffer int[32] = zero
//@ result 1 = 0 -1 2*2 0 2 3 5 4*2 6 -1 1 -1 7 6 8 -1 10*2 2 10 11 21 12*2 14 -1 3 -1 15 14
//@ kernel layout
//@ global 1
//@ arg buffer int[24] = zero
//@ result 0 = 32 16 6 48 32 40 16 8 24 16909063 543 24 32 0 1280416 288 0*8
//@ kernel unions
//@ global 1
//@ arg buffer uint[8] = zero
//@ arg float = 1.5
//@ result 0 = 1069547520 63 16320 1069613063 30 4 9 0
//@ kernel union_gaps
//@ global 1
//@ arg buffer float[16] = zero
//@ arg buffer int[4] = 1 2 3 4
//@ result 0 = 1 2 3 4 10 11 12 13 14 15 16 17 9 8 7 6
//@ kernel by_value
//@ global 2
//@ arg buffer int[4] = zero
//@ arg int4 = 5 6 7 8
//@ result 0 = 527 927 527 922
//@ kernel written_arguments
//@ global 8
//@ local 4
//@ arg int4 = 1 0 0 0
//@ arg buffer int[8] = zero
//@ result 1 = 7 10001 201 30001 7 10001 201 30001
//@ kernel tables
//@ global 8
//@ arg buffer int[16] = zero
//@ result 0 = 149 32212 436 70225 925 32223 1616 70229 2509 32229 3604 70211 4901 32223 100 70230
//@ kernel vectors_in_whole_structs
//@ global 2
//@ arg buffer int[6] = zero
//@ result 0 = 2 7 12 3 7 24
//@ kernel overaligned_members
//@ global 1
//@ arg buffer int[12] = zero
//@ result 0 = 7 0*3 8 0*3 9 10 0*2
//@ kernel packed_arguments
//@ global 1
//@ arg buffer int[8] = zero
//@ arg uchar16 = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//@ arg uchar16 = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//@ arg uchar16 = 1 0 0 128 63 0 0 0 64 10 11 12 13 14 15 16
//@ result 0 = 1 0x05040302 0x0908 0x0d0c0b0a 16 0x05040302 0x09080706 21
//@ kernel without_members
//@ global 2
//@ arg buffer int[8] = 5 6 7 8 1 2 0 1
//@ result 0 = 0 8 7 9 1 2 0 1
typedef struct { int x, y; } point;
struct line { point a, b; char tag; };
typedef struct line line_t;
enum { RED, GREEN = 5, BLUE, NEGATIVE = -3 };

kernel void initialisers(global int *o)
{
    point p = { 1 };
    point q = { .y = 2, .x = 3 };
    line_t l = { { 1, 2 }, .b.y = 7, .tag = 'x' };
    line_t m = { 1, 2, 3, 4, 5 };
    int a[5] = { 1, 2 };
    int b[] = { [3] = 30, 40, [1] = 10 };
    int c[2][3] = { { 1, 2, 3 }, { 4 } };
    int d[2][2] = { 5, 6, 7 };
    point e[2] = { [1] = { 8, 9 } };
    o[0] = p.x * 10 + p.y;
    o[1] = q.x * 10 + q.y;
    o[2] = l.a.x * 1000 + l.a.y * 100 + l.b.x * 10 + l.b.y;
    o[3] = l.tag;
    o[4] = m.a.x * 10000 + m.a.y * 1000 + m.b.x * 100 + m.b.y * 10 + m.tag;
    o[5] = a[0] + 10 * a[1] + 100 * a[4];
    o[6] = sizeof(b) / sizeof(b[0]);
    o[7] = b[0] + b[1] + b[2] + b[3] + b[4];
    o[8] = c[0][2] * 100 + c[1][0] * 10 + c[1][2];
    o[9] = d[0][0] * 1000 + d[0][1] * 100 + d[1][0] * 10 + d[1][1];
    o[10] = e[0].x + e[0].y + e[1].x * 10 + e[1].y;
    o[11] = RED + 10 * GREEN + 100 * BLUE + 1000 * NEGATIVE;
    point *r = &e[1];
    r->x = 77;
    (*r).y -= 1;
    o[12] = e[1].x * 10 + e[1].y;
    o[13] = ((point){ 4, 5 }).y;
    p = q;
    q.x = 100;
    o[14] = p.x;
    point f = l.a.x ? p : q;
    o[15] = f.x;
    const char text[] = "hi";
    o[16] = sizeof(text) * 1000 + text[1];
    struct { int n; float v[2]; } s = { 3, { 0.5f, 2.5f } };
    o[17] = s.n + (int)(s.v[0] * 10) + (int)(s.v[1] * 100);
    int (*row)[3] = &c[0];
    o[18] = row[1][0] + (*row)[1];
    int *flat = (int *)c;
    o[19] = flat[3];
    float4 v[2] = { (float4)(1), { 1, 2, 3, 4 } };
    o[20] = (int)(v[0].y + v[1].w);
}

kernel void copies(global const line_t *unused_type_in, global int *out)
{
    global const int *in = (global const int *)unused_type_in;
    const int i = get_global_id(0);
    struct { point p[2]; int n; } s, t;
    for (int k = 0; k < 2; ++k) {
        s.p[k].x = in[4 * i + 2 * k];
        s.p[k].y = in[4 * i + 2 * k + 1];
    }
    s.n = i;
    t = s;
    t.p[i & 1].x = -1;
    out[8 * i] = s.p[0].x;
    out[8 * i + 1] = t.p[0].x;
    out[8 * i + 2] = s.p[1].x;
    out[8 * i + 3] = t.p[1].x;
    out[8 * i + 4] = t.n;
    global point *g = (global point *)(out + 8 * i + 5);
    *g = t.p[1];
    point back = *g;
    out[8 * i + 7] = back.x + back.y;
}

kernel void layout(global int *o)
{
    struct mixed { char a; int b; char c; double d; short e; };
    struct packed { char a; int b; char c; } __attribute__((packed));
    struct vectors { char a; float3 b; char c; int2 d; };
    struct aligned { char a; } __attribute__((aligned(16)));
    union either { char a[5]; short b; long c; };
    o[0] = sizeof(struct mixed);
    o[1] = (int)(size_t)&((struct mixed *)0)->d;
    o[2] = sizeof(struct packed);
    o[3] = sizeof(struct vectors);
    o[4] = (int)(size_t)&((struct vectors *)0)->c;
    o[5] = (int)(size_t)&((struct vectors *)0)->d;
    o[6] = sizeof(struct aligned);
    o[7] = sizeof(union either);
    o[8] = sizeof(point[3]);
    struct packed p = { 1, 0x01020304, 3 };
    o[9] = p.b + p.c;
    struct packed two[2] = { { 1, 2, 3 }, { 4, 5, 6 } };
    o[10] = two[1].b * 100 + two[1].a * 10 + two[0].c;
    o[11] = __builtin_offsetof(struct mixed, e);
    struct { char x; struct aligned y; } n;
    o[12] = sizeof(n);
    o[13] = ((size_t)&n.y) % 16;
    o[14] = sizeof(float3) + 100 * sizeof(char3) + 10000 * sizeof(long16);
    o[15] = sizeof(size_t) + 10 * sizeof(global int *) + 100 * sizeof(half);
}

kernel void unions(global uint *o, float f)
{
    union { float f; uint u; uchar b[4]; struct { ushort lo, hi; } h; } v;
    v.f = f;
    o[0] = v.u;
    o[1] = v.b[3];
    o[2] = v.h.hi;
    v.b[0] = 7;
    v.h.hi += 1;
    o[3] = v.u;
    union { uint4 v; uint s[4]; } w;
    w.v = (uint4)(1, 2, 3, 4);
    w.s[2] = 30;
    o[4] = w.v.z;
    o[5] = w.s[3];
    union { uint a; } first = { 9 };
    o[6] = first.a;
}

typedef union { float3 v; float s[4]; } padded;
typedef union { struct { float3 v; char c; } r; float s[8]; } recorded;
typedef union { float3 a[1]; float s[4]; } rowed;

padded passed(padded p)
{
    p.s[0] += 1;
    return p;
}

// What lies where three components leave a gap belongs to another member, and is copied with it.
kernel void union_gaps(global float *o, global int *in)
{
    padded p;
    for (int i = 0; i < 4; i++)
        p.s[i] = in[i];
    p.s[0] -= 1;
    padded q = passed(p), kept[1];
    kept[0] = q;
    recorded r, copied;
    for (int i = 0; i < 8; i++)
        r.s[i] = 9 + in[0] + i;
    copied = r;
    rowed w, row;
    for (int i = 0; i < 4; i++)
        w.s[i] = 10 - in[i];
    row = w;
    for (int i = 0; i < 4; i++) {
        o[i] = kept[0].s[i];
        o[i + 4] = copied.s[i];
        o[i + 8] = copied.s[i + 4];
        o[i + 12] = row.s[i];
    }
}

point rotate_point(point p, int times)
{
    while (times--) {
        const int t = p.x;
        p.x = -p.y;
        p.y = t;
    }
    return p;
}

int sum_line(line_t l) { l.a.x += 1; return l.a.x + l.a.y + l.b.x + l.b.y; }

struct argument { int a, b, c, d; };

kernel void by_value(global int *o, struct argument arg)
{
    const int i = get_global_id(0);
    line_t l = { { arg.a, arg.b }, { arg.c, arg.d }, 0 };
    const point p = rotate_point(l.b, i + 1);
    arg.a = 1000;
    o[2 * i] = sum_line(l) + l.a.x * 100;
    o[2 * i + 1] = p.x * 10 + p.y + arg.a;
}

// Each work-item has its own copy of an argument.
struct written { int a, b[3]; };

kernel void written_arguments(struct written arg, global int *o)
{
    const int i = get_local_id(0);
    int *b = arg.b;
    if (i == 0)
        arg.a = 7;
    b[i & 1] += i;
    o[get_global_id(0)] = arg.a + arg.b[0] * 100 + arg.b[1] * 10000;
}

constant int squares[8] = { 0, 1, 4, 9, 16, 25, 36, 49 };
constant struct { char name; int value[2]; } records[] = { { 'a', { 1, 2 } }, { 'b', { 3 } } };
constant float4 colours[2] = { (float4)(1, 2, 3, 4), { 5, 6, 7, 8 } };
constant char message[] = "constant";
constant int *constant middle = &squares[3];

int lookup(constant int *table, int i) { return table[i]; }

kernel void tables(global int *o)
{
    const int i = get_global_id(0);
    o[2 * i] = squares[7 - i] + lookup(squares + 1, i < 7 ? i : 0) * 100;
    o[2 * i + 1] = records[i & 1].name + records[i & 1].value[1] * 1000 +
                   (int)colours[i & 1].z * 10000 + message[i] + middle[1];
}

struct labelled { int4 place; short label; };
constant struct labelled origin = { (int4)(1, 2, 3, 4), 7 };

// A component of a vector in a struct that was read as a whole: two steps, not one.
kernel void vectors_in_whole_structs(global int *o)
{
    const int i = get_global_id(0);
    struct labelled mine = origin, all[2] = { origin, mine };
    mine = mine;
    all[i] = origin;
    all[i].place.w *= 3 * (i + 1);
    o[3 * i] = i ? mine.place.z : mine.place.y;
    o[3 * i + 1] = mine.label;
    o[3 * i + 2] = all[i].place.w;
}

struct overaligned { int a; } __attribute__((aligned(16)));
struct holder { int before; struct overaligned member; int after; };

// The padding before a member whose alignment comes from an attribute.
kernel void overaligned_members(global struct holder *o)
{
    struct holder mine;
    mine.before = 7;
    mine.member.a = 8;
    mine.after = 9;
    o->before = mine.before;
    o->member.a = mine.member.a;
    o->after = mine.after;
    ((global int *)o)[9] = (int)((size_t)&mine.member % 16) + 10;
}

// GNU: a type of size 0 takes no room, and copies of it change nothing.
struct nothing {};
struct around { int first; struct nothing gap; struct nothing more[3]; float last; };

struct nothing pass(struct nothing value) { return value; }

kernel void without_members(global int *out) {
  struct nothing a = {}, list[4];
  struct around around = {out[4], {}, {{}, {}}, 2.5f};
  struct around copy;
  list[out[6]] = pass(a);
  a = list[out[7]];
  around.more[out[5]] = a;
  ((global struct nothing *)out)[out[4]] = a;
  copy = around;
  copy.gap = around.more[out[7]];
  if (get_global_id(0) == 0) {
    out[0] = sizeof(a) + sizeof(list);
    out[1] = sizeof(struct around);
  } else {
    out[3] = copy.first + (int)(copy.last * 2) + out[7] + (int)sizeof(around) / 4;
  }
}

// Members that lie across the words of an argument block.
struct __attribute__((packed)) numbers { uchar a; int b; uchar c[2]; short d; int e; uchar f[3]; };
struct __attribute__((packed)) wide { uchar a; long b; uchar c[7]; };
struct __attribute__((packed)) floats { uchar a; float2 b; uchar c[7]; };
kernel void packed_arguments(global int *o, struct numbers n, struct wide w, struct floats f)
{
    o[0] = n.a;
    o[1] = n.b;
    o[2] = n.d;
    o[3] = n.e;
    o[4] = n.f[2];
    o[5] = (int)w.b;
    o[6] = (int)(w.b >> 32);
    o[7] = (int)(f.b.x + 10 * f.b.y);
}

// Members that come to be variables of their own are accessed as aligned as the struct is.
//@ kernel aligned_members
//@ global 2
//@ arg buffer char[64] = zero
//@ arg buffer int[16] = ramp 5
//@ result 0 = 7 8 9 10 5 5 5 5 5 5 5 5 5 5 5 5 7 8 9 10 6 6 6 6 6 6 6 6 6 6 6 6
struct of_unlike_members { char16 small; int16 large; uchar3 last[1]; };

kernel void aligned_members(global char *out, global int *in)
{
    int i = get_global_id(0);
    struct of_unlike_members s = { (char16)(in[i]), vload16(0, in), { (uchar3)(1, 2, 3) } };
    s.small.s0123 = convert_char4(s.large.s0123) + convert_char4(s.last[0].xyzz) - (char4)(-1, -1, -1, 1) - (char4)(0, 1, 2, 0);
    vstore16(s.small, i, out);
}
