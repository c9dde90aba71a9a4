// Variables of the program: where they live, how they begin, and what stays from kernel to kernel.
//@ section 6.7.6 6.7.7 6.7.8
//@ options -cl-std=CL2.0
//@ kernel initial
//@ arg buffer int[16] = fill -1
//@ result 0 = 3 0 7 8 9 0 3 8 20 104 3 5 1 2 6 8
//@ kernel change
//@ arg buffer int[4] = zero
//@ result 0 = 1 2 3 103
//@ kernel later
//@ arg buffer int[5] = zero
//@ result 0 = 14 42 4 9 200
//@ kernel inferred
//@ global 4
//@ local 4
//@ arg buffer int[4] = zero
//@ result 0 = 1111 2112 3113 4114

//@ kernel lengths
//@ arg buffer int[4] = zero
//@ result 0 = 28 0 9 1
global int a = 3;
global int cleared;
global int table[4] = { 7, 8, 9 };
global int *global to_a = &a;
global int *constant to_second = table + 1;
constant int fixed[3] = { 10, 20, 30 };
constant int *constant to_fixed = &fixed[1];
// Without a qualifier: global, and the pointer is generic.
int plain = 104;
int *to_plain = &a;
struct record { int n; global int *p; struct { char c; global int *q; } in; };
global struct record records[2] = { { 5, &a, { 1, table } }, { .in = { .q = &table[3], .c = 2 } } };
static global int hidden = 6;
global const char text[] = "text";

kernel void initial(global int *out)
{
    out[0] = a;
    out[1] = cleared;
    out[2] = table[0];
    out[3] = table[1];
    out[4] = table[2];
    out[5] = table[3];
    out[6] = *to_a;
    out[7] = *to_second;
    out[8] = *to_fixed;
    out[9] = plain;
    out[10] = *to_plain;
    out[11] = records[0].n + records[1].n;
    out[12] = records[0].in.c;
    out[13] = records[1].in.c;
    out[14] = hidden;
    out[15] = records[0].in.q[1] + *records[1].in.q + (text[1] == 'e') - (*records[0].p == 3);
}

int next(void)
{
    static int calls = 0;
    return ++calls;
}

kernel void change(global int *out)
{
    out[0] = next();
    out[1] = next();
    out[2] = next();
    *to_a = 14;
    to_plain = table;
    table[0] = 42;
    cleared += 9;
    static global int own = 100;
    own += out[2];
    out[3] = own;
    plain = 200;
}

kernel void later(global int *out)
{
    out[0] = a;
    out[1] = *to_plain;
    out[2] = next();
    out[3] = cleared;
    out[4] = plain;
}

int through(int *p)
{
    return *p;
}

kernel void inferred(global int *out)
{
    // A parameter, a variable and what it points to, each in the space that is inferred.
    const int i = get_local_id(0);
    int own = i + 1;
    int *p = &own;
    local int shared[4];
    shared[i] = 10;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *q = &shared[3 - i];
    out[i] = 100 + i;
    int *r = out + i;
    out[i] = 1000 * through(p) + through(q) + through(r) + (p == &own);
}

// C99 6.9.2: a later declaration says the length, or there is one element.
global int later_known[];
int at(int i) { return later_known[i]; }
global int later_known[7];
int one_element[];

kernel void lengths(global int *out)
{
    later_known[6] = 9;
    out[0] = sizeof(later_known);
    out[1] = one_element[0] + at(5);
    out[2] = at(6);
    one_element[0]++;
    out[3] = one_element[0];
}
