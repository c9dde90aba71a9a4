//@ opencl no the size of the buffer is the driver's

// The records of `print` take three words, those of `wide` two, nine and one: what does not fit wholly is dropped,
// the call returns -1, and what comes after it is dropped, too.

//@ kernel print
//@ printf 9
//@ arg buffer int[4] = fill 7
//@ result 0 = 0 0 0 -1
//@ prints 0 of 4
//@ prints 1 of 4
//@ prints 2 of 4
//@ prints printf: 3 words were lost, the buffer is full

//@ kernel print room for part of a record
//@ printf 8
//@ arg buffer int[4] = fill 7
//@ result 0 = 0 0 -1 -1
//@ prints 0 of 4
//@ prints 1 of 4
//@ prints printf: 6 words were lost, the buffer is full

//@ kernel print no room at all
//@ printf 2
//@ arg buffer int[4] = fill 7
//@ result 0 = -1 -1 -1 -1
//@ prints printf: 12 words were lost, the buffer is full

//@ kernel print no buffer
//@ printf 0
//@ arg buffer int[4] = fill 7
//@ result 0 = -1 -1 -1 -1
kernel void print(global int *results)
{
    for (int i = 0; i < 4; i++)
        results[i] = printf("%d of %d\n", i, 4);
}

//@ kernel wide
//@ printf 8
//@ arg buffer int[3] = fill 7
//@ result 0 = 0 -1 -1
//@ prints 1
//@ prints printf: 10 words were lost, the buffer is full
kernel void wide(global int *results)
{
    results[0] = printf("%d\n", 1);
    results[1] = printf("%v4ld\n", (long4)(1, 2, 3, 4));
    // There would be room for this one, but it comes after what was dropped.
    results[2] = printf("");
}

//@ kernel many
//@ global 1024
//@ local 64
//@ printf 12
//@ arg buffer uint[1] = 0
//@ result 0 = 6
//@ prints x
//@ prints x
//@ prints x
//@ prints x
//@ prints x
//@ prints x
//@ prints printf: 2036 words were lost, the buffer is full
kernel void many(global uint *printed)
{
    if (printf("%c\n", 'x') == 0)
        atomic_inc(printed);
}
