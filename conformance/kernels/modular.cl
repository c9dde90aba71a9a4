// Powers modulo an odd number of 64 bits, by Montgomery's products.
ulong times(ulong a, ulong b, ulong n, ulong inverse)
{
    ulong low = a * b, high = mul_hi(a, b);
    ulong m = low * inverse;
    ulong carry = low != 0;
    ulong sum = mul_hi(m, n) + carry;
    ulong result = high + sum;
    return result < high || result >= n ? result - n : result;
}

kernel void modular(global const ulong *bases, global ulong *powers, ulong n, ulong inverse, ulong one, ulong square,
                    ulong exponent)
{
    size_t i = get_global_id(0);
    ulong base = times(bases[i] % n, square, n, inverse);
    ulong result = one;
    for (ulong e = exponent; e != 0; e >>= 1) {
        if (e & 1)
            result = times(result, base, n, inverse);
        base = times(base, base, n, inverse);
    }
    powers[i] = times(result, 1, n, inverse);
}
