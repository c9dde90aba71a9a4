// `local` arguments of every type, members, variables of functions that call each other and copies of
// arguments lie at multiples of their alignment (OpenCL C 6.3.5). What comes out is for each object the
// alignment, and more if its address is no multiple of it.
//@ section 6.3.5
//@ options -cl-std=CL2.0
//@ kernel arguments_char
//@ arg buffer uint[6] = zero
//@ arg local 3
//@ arg local 1
//@ arg local 2
//@ arg local 4
//@ arg local 4
//@ arg local 8
//@ arg local 16
//@ result 0 = 1 2 4 4 8 16
//@ kernel arguments_uchar
//@ arg buffer uint[6] = zero
//@ arg local 3
//@ arg local 1
//@ arg local 2
//@ arg local 4
//@ arg local 4
//@ arg local 8
//@ arg local 16
//@ result 0 = 1 2 4 4 8 16
//@ kernel arguments_short
//@ arg buffer uint[6] = zero
//@ arg local 3
//@ arg local 2
//@ arg local 4
//@ arg local 8
//@ arg local 8
//@ arg local 16
//@ arg local 32
//@ result 0 = 2 4 8 8 16 32
//@ kernel arguments_ushort
//@ arg buffer uint[6] = zero
//@ arg local 3
//@ arg local 2
//@ arg local 4
//@ arg local 8
//@ arg local 8
//@ arg local 16
//@ arg local 32
//@ result 0 = 2 4 8 8 16 32
//@ kernel arguments_half
//@ arg buffer uint[6] = zero
//@ arg local 3
//@ arg local 2
//@ arg local 4
//@ arg local 8
//@ arg local 8
//@ arg local 16
//@ arg local 32
//@ result 0 = 2 4 8 8 16 32
//@ kernel arguments_int
//@ arg buffer uint[6] = zero
//@ arg local 3
//@ arg local 4
//@ arg local 8
//@ arg local 16
//@ arg local 16
//@ arg local 32
//@ arg local 64
//@ result 0 = 4 8 16 16 32 64
//@ kernel arguments_uint
//@ arg buffer uint[6] = zero
//@ arg local 3
//@ arg local 4
//@ arg local 8
//@ arg local 16
//@ arg local 16
//@ arg local 32
//@ arg local 64
//@ result 0 = 4 8 16 16 32 64
//@ kernel arguments_float
//@ arg buffer uint[6] = zero
//@ arg local 3
//@ arg local 4
//@ arg local 8
//@ arg local 16
//@ arg local 16
//@ arg local 32
//@ arg local 64
//@ result 0 = 4 8 16 16 32 64
//@ kernel arguments_long
//@ arg buffer uint[6] = zero
//@ arg local 3
//@ arg local 8
//@ arg local 16
//@ arg local 32
//@ arg local 32
//@ arg local 64
//@ arg local 128
//@ result 0 = 8 16 32 32 64 128
//@ kernel arguments_ulong
//@ arg buffer uint[6] = zero
//@ arg local 3
//@ arg local 8
//@ arg local 16
//@ arg local 32
//@ arg local 32
//@ arg local 64
//@ arg local 128
//@ result 0 = 8 16 32 32 64 128
//@ kernel arguments_double
//@ arg buffer uint[6] = zero
//@ arg local 3
//@ arg local 8
//@ arg local 16
//@ arg local 32
//@ arg local 32
//@ arg local 64
//@ arg local 128
//@ result 0 = 8 16 32 32 64 128
//@ kernel members
//@ arg buffer uint[6] = zero
//@ result 0 = 128 64 128 64 128 64
//@ kernel frames
//@ arg buffer uint[3] = zero
//@ result 0 = 128 64 128
//@ kernel by_value
//@ arg char = 1
//@ arg long16 = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//@ arg buffer uint[2] = zero
//@ result 2 = 128 17
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define APART __attribute__((noinline))

APART void note(global uint *out, int index, size_t address, uint align)
{
    out[index] = align + address % align;
}

#define ARGUMENTS(T, SIZE) \
    kernel void arguments_##T(global uint *out, local char *a, local T *a1, local T##2 *a2, \
                              local T##3 *a3, local T##4 *a4, local T##8 *a8, local T##16 *a16) \
    { \
        if ((size_t)a == 1) \
            out[0] = 0; \
        note(out, 0, (size_t)a1, SIZE); \
        note(out, 1, (size_t)a2, 2 * SIZE); \
        note(out, 2, (size_t)a3, 4 * SIZE); \
        note(out, 3, (size_t)a4, 4 * SIZE); \
        note(out, 4, (size_t)a8, 8 * SIZE); \
        note(out, 5, (size_t)a16, 16 * SIZE); \
    }

ARGUMENTS(char, 1)
ARGUMENTS(uchar, 1)
ARGUMENTS(short, 2)
ARGUMENTS(ushort, 2)
ARGUMENTS(half, 2)
ARGUMENTS(int, 4)
ARGUMENTS(uint, 4)
ARGUMENTS(float, 4)
ARGUMENTS(long, 8)
ARGUMENTS(ulong, 8)
ARGUMENTS(double, 8)

// Members of structs in arrays.
struct mixed { char c; long16 wide; uchar d; int16 half_as_wide; };
global char before_mixed;
global struct mixed program_mixed[2];

kernel void members(global uint *out)
{
    local char c;
    local struct mixed l[2];
    char d;
    struct mixed p[2];
    if ((size_t)&c + (size_t)&d + (size_t)&before_mixed == 1)
        out[0] = 0;
    note(out, 0, (size_t)&l[1].wide, 128);
    note(out, 1, (size_t)&l[1].half_as_wide, 64);
    note(out, 2, (size_t)&p[1].wide, 128);
    note(out, 3, (size_t)&p[1].half_as_wide, 64);
    note(out, 4, (size_t)&program_mixed[1].wide, 128);
    note(out, 5, (size_t)&program_mixed[1].half_as_wide, 64);
}

// Variables of functions that call each other.
APART void inner(global uint *out, char c)
{
    char d = c;
    float16 v;
    char e = c;
    double16 w;
    if ((size_t)&d + (size_t)&e == 1)
        out[0] = d + e;
    note(out, 1, (size_t)&v, 64);
    note(out, 2, (size_t)&w, 128);
}

APART void outer(global uint *out, char c)
{
    char d[3] = {c, c, c};
    if ((size_t)d == 1)
        out[0] = d[c];
    inner(out, c);
}

kernel void frames(global uint *out)
{
    long16 v;
    char c = get_local_id(0);
    note(out, 0, (size_t)&v, 128);
    outer(out, c + ((size_t)&c == 1));
}

// The kernel's own copy of an argument.
struct wide { long16 v; };

APART long sum(private struct wide *w) { return w->v.s0 + w->v.sf; }

kernel void by_value(char c, struct wide w, global uint *out)
{
    note(out, 0, (size_t)&w, 128);
    out[1] = sum(&w) + (size_t)&c % 1;
}
