// Accesses of the same bytes by ways that a compiler could take for different objects: each of these
// programs follows the rules of C99 6.5p7 and 6.7.3.1, or shows by its addresses that it looks at one object
// as two types.
//@ section 6.3.8 6.4.4.1
//@ kernel arguments
//@ global 1
//@ arg buffer int[8] = zero
//@ result 0 = 2 1 3 6 2 20 0 0
//@ kernel unions
//@ global 1
//@ arg buffer int[8] = zero
//@ result 0 = 1073741824 1073741824 1065353218 2 1065353216 16256 0 0
//@ kernel characters
//@ global 1
//@ arg buffer int[4] = zero
//@ result 0 = 16909311 255 287454020 17
//@ kernel casts
//@ global 1
//@ arg buffer int[8] = zero
//@ arg int = 3
//@ arg int = 3
//@ result 0 = 1065353216 1077936128 1073741824 1084227584 7 0 0 0
//@ kernel vectors
//@ global 1
//@ arg buffer float[8] = 1 2 3 4 5 6 7 8
//@ result 0 = 9 2 12 9 10 6 7 8
//@ kernel wrapped_index
//@ global 1
//@ arg buffer int[4] = zero
//@ arg uint = 4294967295
//@ result 0 = 2 2 0 0
//@ kernel atomics_between
//@ global 1
//@ arg buffer int[4] = zero
//@ result 0 = 7 5 6 0
//@ kernel exchange
//@ global 8
//@ local 4
//@ arg buffer int[8] = ramp
//@ arg buffer int[8] = zero
//@ result 1 = 12 23 30 1 56 67 74 45
//@ kernel loops
//@ global 1
//@ arg buffer int[4] = zero
//@ arg int = 5
//@ result 0 = 4 10 15 0
//@ kernel volatile_objects
//@ global 1
//@ arg buffer int[4] = zero
//@ result 0 = 3 1 2 3
//@ kernel restricted
//@ global 1
//@ arg buffer int[4] = 1 2 3 4
//@ arg buffer int[4] = zero
//@ result 0 = 9 2 3 4
//@ result 1 = 1 9 8 3
//@ kernel members
//@ global 1
//@ arg buffer int[8] = zero
//@ arg int = 1
//@ result 0 = 0 0 5 6 5 6 0 0

typedef union { int i; float f; short s[2]; } Word;
typedef struct { int first; int second; } Pair;

__attribute__((noinline)) int second_store(global int *a, global int *b) { *a = 1; *b = 2; return *a; }
__attribute__((noinline)) int read_between(global int *a, global int *b)
{
    *a = 1;
    int seen = *b;
    *a = 3;
    return seen;
}
__attribute__((noinline)) int read_of(global int *a) { return *a; }

kernel void arguments(global int *o)
{
    o[0] = second_store(o + 6, o + 6);
    o[1] = read_between(o + 6, o + 6);
    o[2] = o[6];
    // A call reads what was stored before it.
    o[6] = 6;
    int seen = read_of(o + 6);
    o[6] = 0;
    o[3] = seen;
    o[4] = second_store(&o[7], &o[7]);
    o[7] = 20;
    o[5] = read_of(&o[7]);
    o[7] = 0;
}

__attribute__((noinline)) int pun(global Word *u, global Word *v)
{
    u->f = 1.0f;
    v->i = 0x40000000;
    return as_int(u->f);
}
__attribute__((noinline)) int halves(global Word *u, global Word *v, int index)
{
    u->f = 1.0f;
    v->s[index] = 2;
    return u->i;
}

kernel void unions(global int *o)
{
    global Word *u = (global Word *)o;
    o[0] = pun(u + 6, u + 6);
    o[1] = o[6];
    o[2] = halves(u + 6, u + 6, 0);
    Word own[2];
    own[1].i = 2;
    own[0].f = 1.0f;
    // A private union with an index that is not known.
    int index = o[7];
    o[3] = own[index + 1].i;
    o[4] = own[index].i;
    o[5] = own[index].s[1];
    o[6] = 0;
}

__attribute__((noinline)) int by_byte(global int *word, global uchar *bytes)
{
    *word = 0x01020304;
    bytes[0] = 0xff;
    return *word;
}
__attribute__((noinline)) int by_word(global uchar *bytes, global int *word)
{
    bytes[3] = 0;
    *word = 0x11223344;
    return bytes[3];
}

kernel void characters(global int *o)
{
    o[0] = by_byte(o + 3, (global uchar *)(o + 3));
    o[1] = ((global uchar *)o)[0];
    int last = by_word((global uchar *)(o + 3), o + 3);
    o[2] = o[3];
    o[3] = last;
}

kernel void casts(global int *o, int i, int j)
{
    global float *f = (global float *)o;
    o[i] = 0x3f800000;
    o[0] = as_int(f[i]);
    f[i] = 3.0f;
    o[1] = o[i];
    // Two indices that are equal when it runs.
    o[i] = 1;
    f[j] = 2.0f;
    int seen = o[i];
    o[2] = seen;
    f[j] = 5.0f;
    o[4] = 7;
    o[3] = *(global int *)&f[j];
}

kernel void vectors(global float *o)
{
    global float4 *v = (global float4 *)o;
    o[0] = 9.0f;
    float4 first = v[0];
    v[0] = first.xyxx;
    o[2] = o[2] + first.z;
    v[0].z = o[2];
    o[3] = first.x;
    o[4] = 10.0f;
    v[1] = v[1];
}

kernel void wrapped_index(global int *o, uint i)
{
    o[0] = 1;
    o[i + 1] = 2;
    o[1] = o[0];
}

kernel void atomics_between(global int *o)
{
    o[0] = 5;
    o[1] = atomic_inc(&o[0]);
    o[2] = o[0];
    o[0] = 7;
}

kernel void exchange(global const int *in, global int *out)
{
    local int shared[4];
    int l = get_local_id(0), g = get_global_id(0);
    shared[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    int next = shared[(l + 1) % 4];
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[l] = next;
    barrier(CLK_LOCAL_MEM_FENCE);
    int after_next = shared[(l + 1) % 4];
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[l] = 0;
    out[g] = next * 10 + after_next;
}

__attribute__((noinline)) int sums(global int *p, global int *q, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        *p = i;
        sum += *q;
    }
    return sum;
}
__attribute__((noinline)) int counted(global int *p, global int *q, int n)
{
    *q = 0;
    for (int i = 0; i < n; i++)
        *p = *q + 3;
    return *q;
}

kernel void loops(global int *o, int n)
{
    o[1] = sums(o, o, n);
    o[2] = counted(&o[3], &o[3], n);
    o[3] = 0;
}

kernel void volatile_objects(volatile global int *o)
{
    o[0] = 1;
    o[1] = o[0];
    o[0] = 2;
    o[2] = o[0];
    o[0] = 3;
    o[3] = o[0];
}

kernel void restricted(global int *restrict a, global int *restrict b)
{
    b[0] = a[0];
    a[0] = 9;
    b[1] = a[0];
    // An address that is based on `a`.
    global int *c = b[2] == 0 ? a : b;
    c[0] = 8;
    b[2] = a[0];
    a[0] = 9;
    b[3] = a[2];
}

kernel void members(global Pair *p, int i)
{
    p[i].first = 5;
    p[i].second = 6;
    p[i + 1].first = p[i].first;
    p[i + 1].second = p[i].second;
}
