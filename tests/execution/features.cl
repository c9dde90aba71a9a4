// Features of 3.0, which a program asks for by their macros.
//@ section 6.2.1 6.12
//@ options -cl-std=CL3.0 -cl-ext=-__opencl_c_pipes
//@ kernel features
//@ arg buffer int[6] = fill -1
//@ result 0 = 300 1 0 1 0 3
//@ kernel variadic
//@ arg buffer int[4] = fill -1
//@ result 0 = 3 2 7 4
#if __opencl_c_fp64 == 1 && __opencl_c_generic_address_space == 1
int through(int *p) { return *p + 1; }
#endif

// Variadic macros are there from 3.0 on.
#define FIRST(x, ...) (x)
#define REST(x, ...) (int4)(__VA_ARGS__, 0)
#define TEXT(...) #__VA_ARGS__

kernel void variadic(global int *out)
{
    out[0] = FIRST(3, 4, 5);
    out[1] = REST(1, 2, 3, 4).x;
    out[2] = FIRST(7);
    out[3] = sizeof(TEXT(a,  b)) - 1;
}

kernel void features(global int *out)
{
    out[0] = __OPENCL_C_VERSION__;
    out[1] = __opencl_c_int64;
#ifdef __opencl_c_pipes
    out[2] = 1;
#else
    out[2] = 0;
#endif
#ifdef __opencl_c_images
    out[3] = __opencl_c_images;
#endif
#ifdef __opencl_c_no_such_feature
    out[4] = 1;
#else
    out[4] = 0;
#endif
    int two = 2;
    out[5] = through(&two);
}
