// Generic pointers and program-scope variables of OpenCL C 2.0.
//@ section 6.7.5 6.7.9 6.15.10
//@ options -cl-std=CL2.0
//@ kernel generic_calls
//@ global 4
//@ local 4
//@ arg buffer int[4] = ramp 5
//@ arg buffer int[16] = zero
//@ result 1 = 60 42 14 21 62 44 16 31 64 46 18 23 66 48 20 33
//@ kernel chosen
//@ global 4
//@ local 4
//@ arg buffer int[4] = ramp 5
//@ arg buffer int[4] = zero
//@ result 1 = 1100 1201 1007 1008
//@ kernel program_scope
//@ global 1
//@ arg buffer int[8] = zero
//@ result 0 = 5 4 5 9 3 41 42 0
//@ kernel casts
//@ global 4
//@ local 4
//@ arg buffer int[4] = ramp 5
//@ arg buffer int[16] = zero
//@ result 1 = 1 2 0 5 2 3 0 6 7 8 0 7 8 9 0 8
int twice(const int *p) { return *p * 2; }
void add(int *p, int n) { *p += n; }
int *pick(int *a, int *b, int first) { return first ? a : b; }

kernel void generic_calls(global int *g, global int *out)
{
    local int l[4];
    int p = 30;
    const int i = get_global_id(0);
    l[i] = 20 + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    add(&p, i);
    add(&l[i], 1);
    add(g + i, 2);
    out[4 * i] = twice(&p);
    out[4 * i + 1] = twice(&l[i]);
    out[4 * i + 2] = twice(&g[i]);
    out[4 * i + 3] = *pick(&p, &l[i], i & 1);
}

kernel void chosen(global int *g, global int *out)
{
    local int l[4];
    const int i = get_global_id(0);
    int p = 100 + i;
    l[i] = 200 + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *q;
    switch (i) {
    case 0: q = &p; break;
    case 1: q = &l[i]; break;
    default: q = g + i;
    }
    *q += 1000;
    out[i] = *q;
}

int counter = 3;
global int table[4] = { 1, 2, 3, 4 };
int zeroed[4];
constant int fixed = 9;
int *pointer = &table[2];

int next(void)
{
    static int calls = 40;
    return ++calls;
}

kernel void program_scope(global int *out)
{
    counter += 2;
    zeroed[1] = 5;
    out[0] = counter;
    out[1] = table[3];
    out[2] = zeroed[0] + zeroed[1];
    out[3] = fixed;
    out[4] = *pointer;
    out[5] = next();
    out[6] = next();
}

kernel void casts(global int *g, global int *out)
{
    local int l[4];
    const int i = get_global_id(0);
    int p = 1;
    l[i] = 2;
    int *any = i == 0 ? &p : i == 1 ? (int *)&l[i] : (int *)(g + i);
    // A driver for a processor with one address space finds every pointer in every space, so only
    // conversions to the space that a pointer is in have one result everywhere.
    out[4 * i] = i > 1 ? *to_global(any) : i == 1 ? *to_local(any) : *to_private(any);
    out[4 * i + 1] = *any + 1;
    int *back = (int *)(g + i);
    global int *named = (global int *)back;
    out[4 * i + 3] = *named;
}
