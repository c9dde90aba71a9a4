// Loops in every form. The driver's vectoriser dies of `fibonacci`, whoever compiles it.
//@ scalar
//@ kernel nested
//@ global 8
//@ arg buffer int[8] = zero
//@ result 0 = 0*2 12 48*2 90 110 132
//@ kernel while_loop
//@ global 8
//@ arg buffer int[8] = zero
//@ result 0 = -1*2 99 499 1399 2999 5499 9099
//@ kernel do_while
//@ global 8
//@ arg buffer int[8] = zero
//@ result 0 = -3 -2 -1 0 -2 -1 0 -2
//@ kernel forever
//@ global 8
//@ arg buffer int[8] = zero
//@ result 0 = 1 2 3 4 5 6 7 8
//@ kernel two_variables
//@ global 8
//@ arg buffer int[8] = zero
//@ result 0 = 607 608 609 809 810 811 1011 1012
//@ kernel fibonacci
//@ global 8
//@ arg buffer int[8] = zero
//@ result 0 = 0 1*2 2 3 5 8 13
//@ kernel continue_in_do
//@ global 8
//@ arg buffer int[8] = zero
//@ result 0 = 1*2 2 203 204 605 606 1207
kernel void nested(global int *out)
{
    const int n = get_global_id(0);
    int sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; ++j) {
            if (j == 3)
                continue;
            if (i * j > 8)
                break;
            sum += i * 10 + j;
        }
    out[n] = sum;
}

kernel void while_loop(global int *out)
{
    const int n = get_global_id(0);
    int k = n, sum = 0;
    while (k--)
        sum += k * k;
    out[n] = sum * 100 + k;
}

kernel void do_while(global int *out)
{
    const int n = get_global_id(0);
    int sum = n * 7;
    do {
        sum -= 3;
    } while (sum > 0);
    out[n] = sum;
}

kernel void forever(global int *out)
{
    const int n = get_global_id(0);
    int count = 0;
    for (;;) {
        if (++count > n)
            break;
    }
    out[n] = count;
}

kernel void two_variables(global int *out)
{
    const int n = get_global_id(0);
    for (int a = 0, b = 10 + n; a < b; a += 2, --b)
        out[n] = a * 100 + b;
}

kernel void fibonacci(global int *out)
{
    const int n = get_global_id(0);
    uint fib = 0, next = 1;
    for (uint i = n; i; --i) {
        const uint sum = fib + next;
        fib = next;
        next = sum;
    }
    out[n] = fib;
}

kernel void continue_in_do(global int *out)
{
    const int n = get_global_id(0);
    int i = 0, sum = 0;
    do {
        if (i & 1)
            continue;
        sum += i;
    } while (++i < n);
    out[n] = sum * 100 + i;
}
