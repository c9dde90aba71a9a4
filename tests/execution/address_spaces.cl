// Pointers in every address space of OpenCL C 1.2.
//@ section 6.7 6.7.1 6.7.2 6.7.3 6.7.4 6.4.5 6.5.13 6.5.14
//@ kernel pointers
//@ global 8
//@ local 4
//@ arg buffer int[8] = ramp 10
//@ arg buffer int[4] = 100 200 300 400
//@ arg local 16
//@ arg buffer int[48] = zero
//@ result 3 = 10 2000 92 3 63 103 21 2000 92 5 104 202 33 2000 92 6 145 301 46 2000 92 6 186 400 60 2000 124 3 227 103 75 2000 124 5 268 202 91 2000 124 6 309 301 108 2000 124 6 350 400
//@ kernel pointer_arithmetic
//@ global 1
//@ arg buffer int[16] = ramp
//@ arg buffer int[16] = zero
//@ result 1 = 7 1 7 4 11 5 6 8 1 5 7*2 44 11 1 11
//@ kernel local_arrays
//@ global 16
//@ local 8
//@ arg buffer int[16] = zero
//@ result 0 = 402849 402836 402825 402816 402809 402804 402801 402800 412849 412836 412825 412816 412809 412804 412801 412800
//@ kernel null_pointers
//@ global 1
//@ arg null
//@ arg buffer int[4] = zero
//@ result 1 = 1 2 1*2
//@ kernel stored_pointers
//@ global 4
//@ arg buffer int[8] = ramp
//@ arg buffer int[4] = zero
//@ result 1 = 108 209 510 711
constant int bias = 1000;

int sum_global(global const int *p, int n) { int s = 0; while (n--) s += *p++; return s; }
int sum_constant(constant int *p, int n) { int s = 0; while (n--) s += *p++; return s; }
int sum_local(local int *p, int n) { int s = 0; while (n--) s += *p++; return s; }
int sum_private(const int *p, int n) { int s = 0; while (n--) s += *p++; return s; }

void swap(private int *a, private int *b) { int t = *a; *a = *b; *b = t; }
void store(global int *where, int what) { *where = what; }

kernel void pointers(global const int *g, constant int *c, local int *l, global int *out)
{
    const int i = get_global_id(0), j = get_local_id(0);
    local int shared[4];
    l[j] = g[i] * 2;
    shared[3 - j] = j;
    barrier(CLK_LOCAL_MEM_FENCE);
    int p[4] = { i, i + 1, i + 2, i + 3 };
    swap(&p[0], p + 3);
    global int *o = out + 6 * i;
    o[0] = sum_global(g, i + 1);
    o[1] = sum_constant(c, 4) + bias;
    o[2] = sum_local(l, 4);
    o[3] = sum_local(shared, j + 1);
    o[4] = sum_private(p, 4) * 10 + p[0];
    store(&o[5], shared[j] + c[j]);
}

kernel void pointer_arithmetic(global int *in, global int *o)
{
    global int *p = in + 5, *q = &in[12];
    o[0] = q - p;
    o[1] = p < q;
    o[2] = *(p + 2);
    o[3] = p[-1];
    o[4] = *--q;
    o[5] = *p++;
    o[6] = *p;
    p += 3;
    o[7] = *p - 1;
    o[8] = p == in + 9;
    o[9] = (p != q) + 2 * !p + 4 * (p && q);
    global char *bytes = (global char *)in;
    o[10] = bytes[4 * 7];
    global short *halves = (global short *)(in + 3);
    o[11] = halves[0] + halves[2];
    o[12] = (int)((size_t)q - (size_t)in);
    global int *same = (global int *)(size_t)q;
    o[13] = *same;
    o[14] = (global void *)p > (global void *)in;
    global int *choice = o[13] > 100 ? p : q;
    o[15] = *choice;
}

kernel void local_arrays(global int *out)
{
    local int a[8];
    local struct { int n; int2 v[2]; } s;
    local int count;
    const int i = get_local_id(0);
    if (i == 0) {
        count = 0;
        s.n = get_group_id(0);
        s.v[1] = (int2)(3, 4);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = i * i;
    atomic_add(&count, i);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[7 - i] + count * 100 + s.n * 10000 + s.v[1].y * 100000;
}

kernel void null_pointers(global int *p, global int *out)
{
    out[0] = p == 0;
    out[1] = p ? 1 : 2;
    out[2] = !p;
    private int *q = 0;
    out[3] = q == NULL;
}

kernel void stored_pointers(global int *in, global int *out)
{
    const int i = get_global_id(0);
    global int *table[4] = { in, in + 1, in + 4, in + 6 };
    struct { global int *p; int *q; } s;
    int mine = 7;
    s.p = table[i];
    s.q = &mine;
    *s.q += i;
    int *volatile *unused = 0;
    out[i] = s.p[1] * 100 + mine + (unused == 0);
}
