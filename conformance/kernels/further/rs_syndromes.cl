// @ rs_locate 1024|131072 64 u8:261120|33423360 u8:1024|131072 >u8:32768|4194304

// First half of a decoder of the Reed-Solomon code RS(255, 239): 16 syndromes, then the
// error locator by Berlekamp and Massey. A received word is a code word, here zero, with
// errors in as many places as the second buffer says, and their values from the first;
// words are interleaved, so that symbol i of all words is in one row.

#define SYMBOLS  255
#define PARITY   16
#define POLY     0x11d

typedef struct {
    __local const uchar *exp;       // twice as long, so sums need no reduction
    __local const uchar *log;
} Field;

inline uchar gf_mul(const Field f, uchar a, uchar b)
{
    return a && b ? f.exp[f.log[a] + f.log[b]] : 0;
}

inline uchar gf_div(const Field f, uchar a, uchar b)    // b is not 0
{
    return a ? f.exp[f.log[a] + 255 - f.log[b]] : 0;
}

inline uchar gf_xtime(uchar a)
{
    return (uchar)((a << 1) ^ (a & 0x80 ? POLY : 0));
}

// returns the degree of the locator
int berlekamp_massey(const Field f, const uchar s[PARITY], uchar locator[PARITY + 1])
{
    uchar previous[PARITY + 1];
    for (int i = 0; i <= PARITY; i++)
        locator[i] = previous[i] = i == 0;

    int errors = 0, gap = 1;
    uchar last = 1;
    for (int n = 0; n < PARITY; n++) {
        uchar discrepancy = s[n];
        for (int i = 1; i <= errors; i++)
            discrepancy ^= gf_mul(f, locator[i], s[n - i]);
        if (discrepancy == 0) {
            gap++;
            continue;
        }
        const uchar factor = gf_div(f, discrepancy, last);
        if (2 * errors <= n) {
            uchar saved[PARITY + 1];
            for (int i = 0; i <= PARITY; i++)
                saved[i] = locator[i];
            for (int i = gap; i <= PARITY; i++)
                locator[i] ^= gf_mul(f, factor, previous[i - gap]);
            for (int i = 0; i <= PARITY; i++)
                previous[i] = saved[i];
            errors = n + 1 - errors;
            last = discrepancy;
            gap = 1;
        } else {
            for (int i = gap; i <= PARITY; i++)
                locator[i] ^= gf_mul(f, factor, previous[i - gap]);
            gap++;
        }
    }
    return errors;
}

__kernel void rs_locate(__global const uchar *noise,
                        __global const uchar *counts,
                        __global uchar *results)
{
    __local uchar exp_table[512];
    __local uchar log_table[256];

    const uint lid = get_local_id(0);
    const size_t id = get_global_id(0), words = get_global_size(0);

    if (lid == 0) {
        uchar a = 1;
        log_table[0] = 0;
        for (int i = 0; i < 255; i++) {
            exp_table[i] = exp_table[i + 255] = a;
            log_table[a] = (uchar)i;
            a = gf_xtime(a);
        }
        exp_table[510] = exp_table[511] = 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const Field f = { exp_table, log_table };
    uchar s[PARITY];
    for (int j = 0; j < PARITY; j++)
        s[j] = 0;

    // errors are in every stride-th symbol
    const int errors = counts[id] % 11;
    const int stride = errors ? SYMBOLS / errors : SYMBOLS + 1;
    for (int i = 0; i < SYMBOLS; i++) {
        const uchar r = errors && i % stride == stride - 1 ? noise[i * words + id] : 0;
        for (int j = 0; j < PARITY; j++) {
            // Horner: the point is alpha^j
            const uchar v = s[j];
            s[j] = (v ? f.exp[f.log[v] + j] : 0) ^ r;
        }
    }

    uchar locator[PARITY + 1];
    const int degree = berlekamp_massey(f, s, locator);

    uchar16 head;
    head = vload16(0, s);
    vstore16(head, id * 2, results);
    // a locator of more than half as many errors as there are parity symbols is of no use
    uchar16 tail = vload16(0, locator);
    tail.sf = (uchar)degree;
    vstore16(degree > PARITY / 2 ? (uchar16)(255) : tail, id * 2 + 1, results);
}
