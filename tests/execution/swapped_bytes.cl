// `__builtin_bswap16`, `32` and `64`, of GNU C. Values by Python.
//@ kernel swaps
//@ global 6
//@ arg buffer ulong[6] = 0 1 81985529216486895 18446744073709551615 9223372036854775808 213625479323779498
//@ arg buffer ulong[18] = zero
//@ result 1 = 0 0 0 256 16777216 72057594037927936 61389 4023233417 17279655951921914625 65535 4294967295 18446744073709551615 0 0 128 43521 2852196826 12250092090464400898
kernel void swaps(global const ulong *in, global ulong *out)
{
    size_t i = get_global_id(0);
    ushort low = __builtin_bswap16((ushort)in[i]);
    out[3 * i] = low;
    out[3 * i + 1] = __builtin_bswap32((uint)in[i]);
    out[3 * i + 2] = __builtin_bswap64(in[i]);
}
