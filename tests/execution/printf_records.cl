//@ section 6.15.14.2 6.15.14.3
//@ options -cl-std=CL3.0
//@ opencl no the driver returns the number of characters, and prints zeros behind a vector of 3
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

//@ kernel several
//@ global 8
//@ local 4
//@ arg buffer int[8] = fill 7
//@ result 0 = fill 0
//@ unordered
//@ prints item 0 first
//@ prints item 0 last 0
//@ prints item 1 last 0
//@ prints item 2 first
//@ prints item 2 last 4
//@ prints item 3 last 4
//@ prints item 4 first
//@ prints item 4 last 8
//@ prints item 5 last 8
//@ prints item 6 first
//@ prints item 6 last 12
//@ prints item 7 last 12
int twice(int item)
{
    // In divergent control flow of a function that is called.
    if (item % 2 == 0)
        return printf("item %d first\n", item) + item * 2;
    return (item - 1) * 2;
}

kernel void several(global int *results)
{
    int item = (int)get_global_id(0);
    int result = twice(item);
    results[item] = printf("item %d last %d\n", item, result);
}

//@ kernel values
//@ arg buffer long[1] = 81985529216486895
//@ arg half = 1.5
//@ arg half4 = 1 -2 0.5 4
//@ arg uchar3 = 1 255 3 0
//@ arg double = 0.1
//@ prints 1.500000 -1.500000
//@ prints 1.000,-2.000,0.500,4.000 1.0,-2.0,0.5 1.5,-2.0
//@ prints 1,255,3 1,-1,3,1 7,-2
//@ prints 1,-2,3 -5000000000,-3
//@ prints 0.50,1.50,2.50 -1.000000,2.000000
//@ prints 0.1000000000000000055511 1.500,-0.250 0.1
//@ prints 123456789abcdef (nothing)
//@ prints 0x0
//@ prints same
//@ prints 100%, nested 0, end
kernel void values(global long *l, half h, half4 h4, uchar3 c, double d)
{
    printf("%f %f\n", h, -h);
    printf("%.3v4hf %.1v3hf %.1v2hf\n", h4, h4.xyz, (half2)(h, h4.y));
    printf("%v3hhu %v4hhd %v2hd\n", c, as_char4(c.xyzx), (short2)(7, -2));
    printf("%v3hld %v2ld\n", (int3)(1, -2, 3), (long2)(-5000000000, -3));
    printf("%.2v3hlf %v2hlf\n", (float3)(0.5f, 1.5f, 2.5f), (float2)(-1, 2));
    printf("%.22f %.3v2lf %g\n", d, (double2)(h, -0.25), (float)d);
    printf("%lx %s\n", l[0], "(nothing)");
    global int *null = 0;
    printf("%p\n", null);
    // As the host prints it, and as a number.
    union { global long *pointer; ulong number; } address = { l };
    printf(address.number == (ulong)l ? "same\n" : "%p differs\n", l);
    printf("100%%, nested %d, %s\n", printf(""), "end");
}
