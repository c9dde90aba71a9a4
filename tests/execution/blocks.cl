// Blocks that are called: literals, variables, captures by value, arrays by reference, nesting.
//@ section 6.14 6.14.1 6.14.3 6.14.2 6.14.4
//@ options -cl-std=CL2.0
//@ kernel blocks
//@ global 4
//@ arg buffer int[4] = 1 2 3 4
//@ arg buffer int[32] = zero
//@ result 1 = 21 28 1 8 10 43 2 11 22 28 1 8 10 64 9 12 23 28 1 8 10 89 20 13 24 28 1 8 10 118 35 14
//@ kernel immediate
//@ global 4
//@ arg buffer float[4] = 1 2 3 4
//@ result 0 = 3 5 7 9
struct v { int arr[2]; };
constant int table[2] = {7, 28};
int (^of_program)(int) = ^(int i) { return table[i]; };
typedef int (^binary)(int, int);

int with_own(int x)
{
    int (^add)(int) = ^(int y) { return x + y; };
    return add(10);
}

kernel void blocks(global const int *in, global int *out)
{
    const int i = get_global_id(0), x = in[i];
    global int *o = out + 8 * i;
    int multiplier = 20;
    int (^captured)(int) = ^(int n) { return n + multiplier; };
    multiplier = 0;
    o[0] = captured(x);
    o[1] = of_program(1);

    struct v s = {{0, 1}};
    int arr[2] = {0, 1};
    int (^copied)(void) = ^{ return s.arr[1]; };
    int (^by_reference)(void) = ^{ return arr[1]; };
    s.arr[1] = arr[1] = 8;
    o[2] = copied();
    o[3] = by_reference();
    ^{ arr[0] = 10; }();
    o[4] = arr[0];

    binary nested = ^(int a, int b) {
        int sum = 0;
        for (int k = 0; k < 2; k++) {
            int (^square)(int) = ^(int y) { return y * y + a + k; };
            sum += square(a + b);
        }
        return sum + x;
    };
    binary same = nested;
    o[5] = same(x, 3) + ^(void) { return x ? 7 : 0; }();

    int total = 0;
    for (int k = 0; k <= x; k++) {
        int (^twice)(void) = ^{ return 2 * k + i; };
        total += twice();
    }
    o[6] = total;
    o[7] = with_own(x);
}

kernel void immediate(global float *p)
{
    const size_t i = get_global_id(0);
    p[i] = ^float(float y) { return y * 2; }(p[i]) + 1;
}
