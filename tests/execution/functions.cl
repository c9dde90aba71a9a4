// Calls: kernels as functions, overloading, recursion of macros, inline, many arguments.
//@ section 6.9 6.9.1 6.10
//@ kernel outer
//@ global 4
//@ arg buffer int[4] = ramp 1
//@ result 0 = 1107 4110 9143 16356
//@ kernel helper_kernel
//@ global 4
//@ arg buffer int[4] = ramp 1
//@ arg int = 3
//@ result 0 = 4 5 6 7
//@ kernel overloads
//@ global 1
//@ arg buffer int[8] = zero
//@ result 0 = 1 2 3 4 5 0*3
//@ kernel extensions
//@ global 1
//@ arg buffer int[8] = zero
//@ result 0 = 9*2 1 0*5
kernel void helper_kernel(global int *p, int n)
{
    p[get_global_id(0)] += n;
}

inline int square(int x) { return x * x; }
static int cube(int x) { return x * square(x); }
__attribute__((noinline)) int fourth(int x) { return square(square(x)); }
__attribute__((always_inline)) int fifth(int x) { return x * fourth(x); }
int declared_later(int, int b);

kernel void outer(global int *p)
{
    const int i = get_global_id(0);
    helper_kernel(p, 100);
    p[i] += square(p[i] - 100) * 1000 + cube(2) + fifth(i) + declared_later(i, 2);
}

int declared_later(int a, int b) { return a - b; }

int __attribute__((overloadable)) kind(int x) { return 1; }
int __attribute__((overloadable)) kind(float x) { return 2; }
int __attribute__((overloadable)) kind(int4 x) { return 3; }
int __attribute__((overloadable)) kind(global int *x) { return 4; }
int __attribute__((overloadable)) kind(local int *x) { return 5; }

kernel void overloads(global int *o)
{
    local int l;
    o[0] = kind(1);
    o[1] = kind(1.0f);
    o[2] = kind((int4)(1));
    o[3] = kind(o);
    o[4] = kind(&l);
}

kernel void extensions(global int *o)
{
    o[0] = ({ int t = 3; t * t; });
    __typeof__(1 + 1) x = 5;
    o[1] = x + sizeof(__typeof__(1.0f));
    o[2] = __builtin_expect(x == 5, 1);
}
