// Variables of every type and address space lie at multiples of their alignment, whatever lies
// before them. The addresses go through `volatile` variables, so that no compiler computes the
// remainders from the alignment that is promised.
//@ section 6.3.5 6.7.1 6.7.2 6.7.3 6.7.4
//@ options -cl-std=CL2.0
//@ kernel in_local
//@ global 2
//@ local 2
//@ arg buffer int[62] = ramp 1
//@ result 0 = 0*62
//@ kernel in_private
//@ global 2
//@ local 2
//@ arg buffer int[62] = ramp 1
//@ result 0 = 0*62
//@ kernel in_global
//@ global 2
//@ local 2
//@ arg buffer int[62] = ramp 1
//@ result 0 = 0*62
//@ kernel in_constant
//@ global 2
//@ local 2
//@ arg buffer int[62] = ramp 1
//@ result 0 = 0*62
//@ kernel attributes
//@ global 2
//@ local 2
//@ arg buffer int[14] = ramp 1
//@ result 0 = 0*14
//@ kernel local_arguments
//@ arg local 3
//@ arg local 48
//@ arg local 5
//@ arg local 384
//@ arg buffer int[4] = ramp 1
//@ result 4 = 1 2 0 0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// A name, the type and its alignment in bytes (OpenCL C 6.3.5: its size, three components as four).
#define EACH_TYPE(M) \
    M(c1, char, 1) M(c2, char2, 2) M(c3, char3, 4) M(c4, uchar4, 4) M(c8, char8, 8) \
    M(c16, uchar16, 16) \
    M(s1, short, 2) M(s2, ushort2, 4) M(s3, short3, 8) M(s4, short4, 8) M(s8, ushort8, 16) \
    M(s16, short16, 32) \
    M(i1, int, 4) M(i2, uint2, 8) M(i3, int3, 16) M(i4, int4, 16) M(i8, uint8, 32) \
    M(i16, int16, 64) \
    M(l1, long, 8) M(l2, ulong2, 16) M(l3, long3, 32) M(l4, long4, 32) M(l8, ulong8, 64) \
    M(l16, long16, 128) \
    M(h2, half2, 4) M(h16, half16, 32) M(f16, float16, 64) \
    M(d1, double, 8) M(d2, double2, 16) M(d8, double8, 64) M(d16, double16, 128)

#ifdef cl_khr_depth_images
#define ASKED(align) align
#else
// The memory that shaders have for `local` and `private` objects is aligned to 16 bytes only.
#define ASKED(align) (align > 16 ? 16 : align)
#endif

// Keeps a variable from becoming a value, and its address from being known.
#define ADDRESS(variable) (address = (uintptr_t)&(variable), address)

#define DECLARE(name, type, align) char before_##name[3]; type name[3];
#define TOUCH(name, type, align) before_##name[i] = i; name[i] = (type)(1);
#define CHECK(name, type, align) \
    *out = (int)(ADDRESS(name[0]) % ASKED(align) + ADDRESS(name[1]) % ASKED(align)); \
    /* Both are read, so that both take room. */ \
    *out += before_##name[i] - i; \
    out += 2;

kernel void in_local(global int *out)
{
    const int i = get_global_id(0);
    volatile uintptr_t address;
    out += i;
#define LOCAL(name, type, align) local char before_##name[3]; local type name[3];
    EACH_TYPE(LOCAL)
    EACH_TYPE(TOUCH)
    EACH_TYPE(CHECK)
}

kernel void in_private(global int *out)
{
    const int i = get_global_id(0);
    volatile uintptr_t address;
    out += i;
    EACH_TYPE(DECLARE)
    EACH_TYPE(TOUCH)
    EACH_TYPE(CHECK)
}

#define GLOBAL(name, type, align) global char before_global_##name[3]; global type global_##name[3];
EACH_TYPE(GLOBAL)

kernel void in_global(global int *out)
{
    const int i = get_global_id(0);
    volatile uintptr_t address;
    out += i;
#define CHECK_GLOBAL(name, type, align) \
    before_global_##name[i] = i; \
    global_##name[i] = (type)(1); \
    CHECK(global_##name, type, align)
    EACH_TYPE(CHECK_GLOBAL)
}

#define CONSTANT(name, type, align) \
    constant char before_constant_##name[3] = {0, 1, 2}; \
    constant type constant_##name[3] = {(type)(1), (type)(2), (type)(3)};
EACH_TYPE(CONSTANT)

kernel void in_constant(global int *out)
{
    const int i = get_global_id(0);
    volatile uintptr_t address;
    out += i;
#define CHECK_CONSTANT(name, type, align) CHECK(constant_##name, type, align)
    EACH_TYPE(CHECK_CONSTANT)
}

struct pair { char c; double2 d; };
struct __attribute__((aligned(64))) line { char c; };
struct __attribute__((packed)) tight { char c; double2 d; };

kernel void attributes(global int *out)
{
    const int i = get_global_id(0);
    volatile uintptr_t address;
    out += i;
    local char before_a[3], before_b[3], before_c[3], before_d[3], before_e[3], before_f[3],
        before_g[3];
    local char a[3] __attribute__((aligned(32)));
    local struct pair b[3];
    local struct line c[3];
    char d[3] __attribute__((aligned(32)));
    struct pair e[3];
    struct line f[3];
    local struct tight g[3];
    a[i] = d[i] = b[i].c = c[i].c = e[i].c = f[i].c = g[i].c = i;
#define CHECK_ONE(name, align) \
    before_##name[i] = i; \
    *out = (int)(ADDRESS(name[0]) % ASKED(align)) + before_##name[i] - i; \
    out += 2;
    CHECK_ONE(a, 32)
    CHECK_ONE(b, 16)
    CHECK_ONE(c, 64)
    CHECK_ONE(d, 32)
    CHECK_ONE(e, 16)
    CHECK_ONE(f, 64)
    // A packed struct asks for nothing.
    CHECK_ONE(g, 1)
}

kernel void local_arguments(local char *c, local double2 *d, local char *e, local long16 *f,
                            global int *out)
{
    volatile uintptr_t address;
    c[2] = 1;
    e[4] = 2;
    d[2] = 0;
    f[2] = 0;
    out[0] = c[2];
    out[1] = e[4];
    out[2] = ADDRESS(d[0]) % ASKED(16);
    out[3] = ADDRESS(f[0]) % ASKED(128);
}
