// @ gf_tables 64 64 zeros:u8:768
// @ rs_send 512|32768 64 #0 >u8:131072|8388608 u32:512|32768
// @ rs_correct 512|32768 64 #0 #1 zeros:i32:512|32768

/* Reed-Solomon code (255, 239) over GF(2^8), polynomial 0x11d, first root a^0.
 * rs_send encodes the message and hurts up to 8 bytes of each word; rs_correct finds
 * syndromes, the locator (Berlekamp-Massey), roots (Chien) and values (Forney).
 * A word per work-item, 256 bytes from word to word. Tables: exp[512], log[256]. */

#define NN 255
#define KK 239
#define ROOTS 16
#define T 8

#define EXP(i) gf[i]
#define LOG(x) gf[512 + (x)]

kernel void gf_tables(global uchar *gf)
{
    for (uint i = get_global_id(0); i < 512; i += get_global_size(0)) {
        uint x = 1;
        for (uint k = 0; k < i % 255; k++)
            x = (x << 1) ^ (x & 0x80 ? 0x11d : 0);
        gf[i] = (uchar)x;
        if (i < 255)
            gf[512 + x] = (uchar)i;
    }
}

static uchar gf_mul(local const uchar *gf, uchar a, uchar b)
{
    return a == 0 || b == 0 ? 0 : EXP(LOG(a) + LOG(b));
}

static uchar gf_div(local const uchar *gf, uchar a, uchar b)
{
    return a == 0 ? 0 : EXP(LOG(a) + 255 - LOG(b));
}

static void copy_tables(global const uchar *from, local uchar *to)
{
    for (uint i = get_local_id(0); i < 768; i += get_local_size(0))
        to[i] = from[i];
    barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void rs_send(global const uchar *tables, global uchar *words, global const uint *noise)
{
    local uchar gf[768];
    copy_tables(tables, gf);

    const uint id = get_global_id(0);
    global uchar *w = words + (size_t)id * 256;

    uchar g[ROOTS + 1] = { 1 };
    for (int r = 0; r < ROOTS; r++) {
        g[r + 1] = 0;
        for (int i = r + 1; i > 0; i--)
            g[i] = g[i - 1] ^ gf_mul(gf, g[i], EXP(r));
        g[0] = gf_mul(gf, g[0], EXP(r));
    }

    uchar parity[ROOTS] = { 0 };
    uint state = noise[id] | 1u;
    for (int i = 0; i < KK; i++) {
        state = state * 1664525u + 1013904223u;
        const uchar m = (uchar)(state >> 24);
        const uchar feedback = m ^ parity[ROOTS - 1];
        w[i] = m;
        for (int k = ROOTS - 1; k > 0; k--)
            parity[k] = parity[k - 1] ^ gf_mul(gf, feedback, g[k]);
        parity[0] = gf_mul(gf, feedback, g[0]);
    }
    for (int k = 0; k < ROOTS; k++)
        w[KK + k] = parity[ROOTS - 1 - k];
    w[255] = 0;

    const uint errors = noise[id] % (T + 1);
    for (uint k = 0; k < errors; k++) {
        state = state * 1664525u + 1013904223u;
        w[(state >> 8) % NN] ^= (uchar)(state >> 24);
    }
}

kernel void rs_correct(global const uchar *tables, global uchar *words, global int *status)
{
    local uchar gf[768];
    copy_tables(tables, gf);

    const uint id = get_global_id(0);
    global uchar *w = words + (size_t)id * 256;

    uchar s[ROOTS];
    for (int r = 0; r < ROOTS; r++)
        s[r] = 0;
    for (int i = 0; i < NN; i++) {
        const uchar byte = w[i];
        for (int r = 0; r < ROOTS; r++)
            s[r] = byte ^ (s[r] == 0 ? 0 : EXP(LOG(s[r]) + r));
    }

    uchar lambda[ROOTS + 1], prev[ROOTS + 1], tmp[ROOTS + 1];
    for (int i = 0; i <= ROOTS; i++)
        lambda[i] = prev[i] = i == 0;
    int L = 0, m = 1;
    uchar b = 1;
    for (int n = 0; n < ROOTS; n++) {
        uchar d = s[n];
        for (int i = 1; i <= L; i++)
            d ^= gf_mul(gf, lambda[i], s[n - i]);
        if (d == 0) {
            m++;
            continue;
        }
        const uchar f = gf_div(gf, d, b);
        for (int i = 0; i <= ROOTS; i++)
            tmp[i] = lambda[i];
        for (int i = m; i <= ROOTS; i++)
            lambda[i] ^= gf_mul(gf, f, prev[i - m]);
        if (2 * L <= n) {
            L = n + 1 - L;
            b = d;
            m = 1;
            for (int i = 0; i <= ROOTS; i++)
                prev[i] = tmp[i];
        } else {
            m++;
        }
    }
    if (L > T) {
        status[id] = -1;
        return;
    }

    uchar omega[T];
    for (int i = 0; i < T; i++) {
        omega[i] = 0;
        for (int j = 0; j <= i; j++)
            omega[i] ^= gf_mul(gf, lambda[j], s[i - j]);
    }

    int found = 0;
    for (int at = 0; at < NN && found < L; at++) {
        const uint inverse = (255 - at) % 255;      /* log of X^-1 */
        uchar sum = 1, odd = 0;
        for (int i = 1; i <= L; i++) {
            const uchar t = lambda[i] == 0 ? 0 : EXP((LOG(lambda[i]) + i * inverse) % 255);
            sum ^= t;
            odd ^= i & 1 ? t : 0;
        }
        if (sum != 0)
            continue;
        uchar value = 0;
        for (int i = 0; i < T; i++)
            value ^= omega[i] == 0 ? 0 : EXP((LOG(omega[i]) + i * inverse) % 255);
        /* X * omega(X^-1) / (X^-1 lambda'(X^-1)) / X */
        if (odd != 0)
            w[NN - 1 - at] ^= gf_div(gf, value, odd);
        found++;
    }
    status[id] = found == L ? found : -1;
}
