// Attributes, pragmas and macros that a program's results show.
//@ section 6.9.2 6.12 6.12.1 6.13 6.13.2 6.13.4 6.13.5
//@ kernel fixed_size
//@ global 8 2
//@ local 4 2
//@ arg buffer int[16] = zero
//@ result 0 = 421*16
//@ kernel hinted
//@ global 4
//@ arg buffer float4[4] = ramp
//@ result 0 = 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30
//@ kernel hinted_by_macro
//@ global 4
//@ local 4
//@ arg buffer int[4] = zero
//@ result 0 = 10 11 12 13
//@ kernel unrolled
//@ arg int = 10
//@ arg buffer int[6] = zero
//@ result 1 = 45 90 20 110 55 21
//@ kernel functions
//@ arg int = 3
//@ arg float = 2.5
//@ arg buffer int[6] = zero
//@ result 2 = 103 202 9 6 12 3
//@ kernel statements
//@ arg int = 4
//@ arg buffer int[3] = zero
//@ result 1 = 6 14 1
//@ kernel macros
//@ arg buffer int[12] = zero
//@ result 0 = 7 13 5 3 10 6 1000 4 1 12 2 0
//@ kernel extensions
//@ arg buffer long[2] = 5 6
//@ result 0 = 12 6
//@ kernel unknown
//@ arg buffer int[2] = zero
//@ result 0 = 1 2

kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed_size(global int *out)
{
    const int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    out[at] = get_local_size(0) * 100 + get_local_size(1) * 10 + get_local_size(2);
}

kernel __attribute__((work_group_size_hint(4, 1, 1))) __attribute__((vec_type_hint(float4)))
void hinted(global float4 *p)
{
    p[get_global_id(0)] *= 2;
}

__kernel_exec(4, int) void hinted_by_macro(global int *out)
{
    out[get_global_id(0)] = 10 + get_local_id(0);
}

kernel void unrolled(int n, global int *out)
{
    int sum = 0;
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < n; i++)
        sum += i;
    out[0] = sum;
    sum = 0;
    __attribute__((opencl_unroll_hint(4)))
    for (int i = 0; i < n; i++)
        sum += 2 * i;
    out[1] = sum;
    int left = n;
    __attribute__((opencl_unroll_hint(3)))
    while (left > 0) {
        left -= 3;
        out[2] += 5;
    }
    sum = 0;
    __attribute__((opencl_unroll_hint(1)))
    do {
        sum += n * 2;
        n--;
    } while (n);
    out[3] = sum;
#pragma unroll
    for (int i = 0; i < 11; i++)
        out[4] += i;
#pragma unroll 3
    for (int i = 0; i < 7; i++)
        out[5] += i;
}

int __attribute__((overloadable)) which(int x) { return 100 + x; }
int __attribute__((overloadable)) which(float x) { return 200 + (int)x; }
__attribute__((const)) int square(int x) { return x * x; }
__attribute__((always_inline)) inline int twice(int x) { return 2 * x; }
__attribute__((noinline)) int four_times(int x) { return twice(twice(x)); }
__attribute__((pure)) int first(global const int *p) { return p[0]; }

kernel void functions(int i, float x, global int *out)
{
    out[0] = which(i);
    out[1] = which(x);
    out[2] = square(i);
    out[3] = twice(i);
    out[4] = four_times(i);
    out[0] = 3;
    out[5] = first(out);
    out[0] = which(i);
}

kernel void statements(int n, global int *out)
{
    int sum = 0;
    for (int i = 0; i < n; i++) __attribute__((unknown_to_all)) {
        sum += i;
    }
    out[0] = sum;
    if (n) __attribute__((unknown_to_all(3, "text"))) {
        out[1] = 14;
    }
    out[2] = __func__[0] == 's';
}

#define ADD(a, b) ((a) + (b))
#define PASTE(a, b) a##b
#define TEXT(x) #x
#define TWICE(x) ADD(x, x)
#define SELF SELF_VALUE
#define SELF_VALUE 10

kernel void macros(global int *out)
{
    const int xy = 13;
    out[0] = ADD(3, 4);
    out[1] = PASTE(x, y);
    out[2] = sizeof(TEXT(a + b)) - 1;
    out[3] = PASTE(SE, LF) - 7;
    out[4] = SELF;
    out[5] = TWICE(TWICE(1)) + 2;
#line 1000
    out[6] = __LINE__;
#undef SELF_VALUE
#define SELF_VALUE 4
    out[7] = SELF;
#if 0x10 == 020 && (1 ? 2 : 3) == 2 && !defined UNDEFINED && -1 > 0u
    out[8] = 1;
#elif 1
    out[8] = 2;
#endif
    out[9] = ADD(
        // An argument on lines of its own.
        5, /* and a comment */ 7);
    out[10] = TEXT("\\")[1] == '\\' && TEXT("\\")[3] == '"' ? 2 : 3;
#ifdef __OPENCL_C_VERSION__
    out[11] = 0;
#else
    out[11] = 1;
#endif
}

#pragma OPENCL EXTENSION all : disable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void extensions(global long *p)
{
    atom_add(p, 7L);
}
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : disable

kernel __attribute__((unknown_to_all)) void unknown(global int *out)
{
    struct __attribute__((unknown_to_all)) { int a __attribute__((unknown_to_all(1))); } s;
    s.a = 1;
    int __attribute__((unknown_to_all)) b = 2;
    out[0] = s.a;
    out[1] = b;
}
