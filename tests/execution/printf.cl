//@ section 6.15.14 6.15.14.2
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

//@ kernel several
//@ global 8
//@ local 4
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
int twice_even(int item)
{
    // In divergent control flow of a function that is called.
    if (item % 2 == 0)
        printf("item %d first\n", item);
    return item / 2 * 4;
}

kernel void several()
{
    int item = (int)get_global_id(0);
    int result = twice_even(item);
    printf("item %d last %d\n", item, result);
}

//@ kernel loops
//@ global 1
//@ arg int = 3
//@ prints 0 even
//@ prints 1 odd
//@ prints 2 even
//@ prints done after 3
//@ prints 17
kernel void loops(int n)
{
    for (int i = 0; i < n; i++)
        printf("%d %s\n", i, i & 1 ? "odd" : "even");
    printf(n > 2 ? "done after %d\n" : "only %d\n", n);
    constant char *format = "%d\n";
    printf(format, 17);
}

//@ kernel lengths
//@ global 1
//@ arg long = -5000000000
//@ arg char = -3
//@ arg ushort = 65000
//@ prints -5000000000 18446744068709551616 fffffffed5fa0e00
//@ prints -3 253 65000 -536
//@ prints -7,8 250,5 1,-2,3
//@ prints 1,-2,3
//@ prints -5000000000,-3
//@ prints -1.000000,2.000000 0.50,1.50,2.50
kernel void lengths(long l, char c, ushort s)
{
    printf("%ld %lu %lx\n", l, l, l);
    printf("%hhd %hhu %hu %hd\n", c, c, s, s);
    char2 chars = (char2)(-7, 8);
    uchar2 bytes = (uchar2)(250, 5);
    short3 shorts = (short3)(1, -2, 3);
    printf("%v2hhd %v2hhu %v3hd\n", chars, bytes, shorts);
    printf("%v3hld\n", (int3)(1, -2, 3));
    printf("%v2ld\n", (long2)(l, c));
    printf("%v2hlf %.2v3hlf\n", (float2)(-1, 2), (float3)(0.5f, 1.5f, 2.5f));
}

__attribute__((noinline)) void say(constant char *what, int number)
{
    printf("%s: %d\n", what, number);
}

__attribute__((noinline)) void report(constant char *format, int number)
{
    printf(format, number);
    say("reported", number);
}

//@ kernel passed
//@ global 1
//@ arg int = 4
//@ prints first: 4
//@ prints more than 4
//@ prints reported: 4
//@ prints last 9
//@ prints reported: 9
kernel void passed(int number)
{
    say("first", number);
    report(number > 3 ? "more than %d\n" : "at most %d\n", number);
    report("last %d\n", number + 5);
}

//@ kernel choices
//@ global 1
//@ arg int = 4
//@ prints 0
//@ prints 1 odd
//@ prints none at 2%
//@ prints 3 odd, 9
//@ prints (null) 4
// Formats that take different arguments, and different numbers of them.
kernel void choices(int n)
{
    for (int i = 0; i <= n; ++i) {
        const char constant *parity = i % 2 ? "odd" : (constant const char *)0;
        if (i == 4)
            printf(i > n ? "%d\n" : "%s %d\n", parity, i);
        else
            printf(i == 0 ? "%d\n" : i == 1 ? "%d %s\n" : i == 2 ? "none at 2%%\n" : "%d %s, %d\n", i, parity, 3 * i);
    }
}
