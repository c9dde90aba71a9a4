// How many steps Collatz' sequences take to come to 1.
kernel void collatz(global const uint *starts, global uint *steps)
{
    size_t i = get_global_id(0);
    ulong number = starts[i] | 1;
    uint count = 0;
    while (number != 1 && count < 1000) {
        number = number % 2 == 0 ? number / 2 : 3 * number + 1;
        count++;
    }
    steps[i] = count;
}
