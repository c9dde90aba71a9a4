//@ section 6.15.14 6.15.14.2
//@ vulkan no shaders print nothing
//@ kernel print
//@ global 1
//@ arg int = -5
//@ arg float4 = 1.5 2 3 4
//@ arg ulong = 18446744073709551615
//@ prints hello -5 4294967291
//@ prints 1.50 2.000000e+00 |     7|7    |
//@ prints 1.50,2.00,3.00,4.00
//@ prints 18446744073709551615 ff % c
//@ prints string: text
kernel void print(int i, float4 v, ulong l)
{
    printf("hello %d %u\n", i, i);
    printf("%.2f %e |%6d|%-5d|\n", v.x, v.y, 7, 7);
    printf("%.2v4hlf\n", v);
    printf("%lu %x %% %c\n", l, 255, 'c');
    printf("string: %s\n", "text");
}
