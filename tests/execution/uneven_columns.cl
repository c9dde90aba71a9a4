// A range of two dimensions whose loops turn as often for all work-items along the second: the numbers of both stay what
// they are, also where the range begins elsewhere and work-groups are short along one.
//@ section 6.15.1
//@ kernel sums
//@ global 4 6
//@ local 4 2
//@ offset 1 2
//@ arg buffer int[48] = zero
//@ arg int = 6
//@ result 0 = 221 0 220 0 218 0 215 0 321 0 320 0 318 0 315 0 421 0 420 0 418 0 415 0 521 0 520 0 518 0 515 0 621 0 620 0 618 0 615 0 721 0 720 0 718 0 715 0

kernel void sums(global int *out, int last)
{
    const int x = get_global_id(0), y = get_global_id(1);
    int sum = 100 * y;
    for (int i = x; i <= last; i++)
        sum += i;
    out[2 * ((y - 2) * 4 + x - 1)] = sum;
}
