// Duff's device: a switch into a loop.
//@ kernel duff
//@ global 10
//@ arg buffer int[10] = ramp
//@ arg buffer int[10] = zero
//@ result 1 = 1 12 33 64 105 156 217 288 369 460
kernel void duff(global const int *in, global int *out)
{
    // Duff's device: copies and sums get_global_id(0) + 1 elements.
    int count = get_global_id(0) + 1, sum = 0;
    global const int *p = in;
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            sum += *p++;
    case 3:
            sum += *p++;
    case 2:
            sum += *p++;
    case 1:
            sum += *p++;
        } while (--n > 0);
    }
    out[get_global_id(0)] = sum * 10 + (p - in);
}
