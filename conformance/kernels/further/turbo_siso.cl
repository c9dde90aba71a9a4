// @ siso_max_log 4096|131072 64 i8:262144|8388608:-32..32 i8:262144|8388608:-32..32 i8:262144|8388608:-16..16 >i16:262144|8388608 4096|131072 24

// Soft-in soft-out decoder (max-log-MAP) of the 8-state constituent code of LTE's
// turbo code, feedback 1 + D^2 + D^3, forward 1 + D + D^3. Windows of 64 bits, one per
// work-item, unknown states at both ends. Buffers are interleaved: bit t of window w
// is at [t * windows + w]. A next state n = (a, s1, s2) comes from 2 (n % 4) + b;
// with b = 1 both branch symbols turn over.

#define BITS 64

constant short8 SIGN_U = (short8)(-1,  1, -1,  1,  1, -1,  1, -1);
constant short8 SIGN_P = (short8)(-1, -1,  1,  1,  1,  1, -1, -1);

static inline short largest(short8 v)
{
    const short4 a = max(v.lo, v.hi);
    const short2 b = max(a.lo, a.hi);
    return max(b.x, b.y);
}

static inline short8 branches(short u, short p)
{
    return SIGN_U * u + SIGN_P * p;
}

kernel void siso_max_log(global const char *systematic,
                         global const char *parity,
                         global const char *apriori,
                         global short *extrinsic,
                         const int windows,
                         const int scale_32)
{
    const int w = get_global_id(0);
    short8 alpha[BITS];

    short8 a = (short8)(0);
    for (int t = 0; t < BITS; t++) {
        const int at = t * windows + w;
        const short8 g = branches((short)(systematic[at] + apriori[at]), (short)parity[at]);
        alpha[t] = a;
        a = max(a.s02460246 + g, a.s13571357 - g);
        a -= (short8)(a.s0);
    }

    short8 b = (short8)(0);
    for (int t = BITS - 1; t >= 0; t--) {
        const int at = t * windows + w;
        const short u = (short)(systematic[at] + apriori[at]);
        const short8 g = branches(u, (short)parity[at]);
        a = alpha[t];

        const short8 even = a.s02460246 + g + b;
        const short8 odd = a.s13571357 - g + b;
        const short8 is_one = SIGN_U > (short8)(0);
        const short one = largest(select(odd, even, is_one));
        const short zero = largest(select(even, odd, is_one));

        // metrics are doubled, as are channel values in the difference
        const int llr = (one - zero) / 2 - u;
        extrinsic[at] = (short)((llr * scale_32) >> 5);

        const short8 alternate = (short8)(1, -1, 1, -1, 1, -1, 1, -1);
        b = max(b.s00112233 + alternate * g.s00112233, b.s44556677 + alternate * g.s44556677);
        b -= (short8)(b.s0);
    }
}
