// @ mont_pow 2048|131072 64 u32:16384|1048576 u32:16384|1048576 >u32:16384|1048576 2048|131072 65537u

// 256-bit modular arithmetic for secp256k1 in Montgomery form, 8 limbs of 32
// bits. Numbers are stored limb by limb ("structure of arrays").
// out = base^exponent * other (mod p), everything in Montgomery form.

#define LIMBS 8

typedef struct { uint d[LIMBS]; } bn256;

__constant uint P[LIMBS] = {
    0xfffffc2fu, 0xfffffffeu, 0xffffffffu, 0xffffffffu,
    0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu
};

// -1/p mod 2^32 by Newton's iteration
uint neg_inverse(uint p)
{
    uint x = p;                 // right to 3 bits
    for (int i = 0; i < 4; ++i)
        x *= 2 - p * x;
    return -x;
}

// t >= p ? t - p : t, where t has one more limb
void reduce_once(bn256 *r, const uint *t)
{
    uint diff[LIMBS];
    uint borrow = 0;
    for (int i = 0; i < LIMBS; ++i) {
        ulong s = (ulong)t[i] - P[i] - borrow;
        diff[i] = (uint)s;
        borrow = (uint)(s >> 32) & 1;
    }
    const bool keep = borrow > t[LIMBS];
    for (int i = 0; i < LIMBS; ++i)
        r->d[i] = keep ? t[i] : diff[i];
}

void mont_mul(bn256 *r, const bn256 *a, const bn256 *b, uint n0)
{
    uint t[LIMBS + 2];
    for (int i = 0; i < LIMBS + 2; ++i)
        t[i] = 0;

    for (int i = 0; i < LIMBS; ++i) {
        const uint bi = b->d[i];
        ulong acc = 0;
        for (int j = 0; j < LIMBS; ++j) {
            acc += (ulong)a->d[j] * bi + t[j];
            t[j] = (uint)acc;
            acc >>= 32;
        }
        acc += t[LIMBS];
        t[LIMBS] = (uint)acc;
        t[LIMBS + 1] = (uint)(acc >> 32);

        const uint m = t[0] * n0;
        acc = ((ulong)m * P[0] + t[0]) >> 32;
        for (int j = 1; j < LIMBS; ++j) {
            acc += (ulong)m * P[j] + t[j];
            t[j - 1] = (uint)acc;
            acc >>= 32;
        }
        acc += t[LIMBS];
        t[LIMBS - 1] = (uint)acc;
        t[LIMBS] = t[LIMBS + 1] + (uint)(acc >> 32);
    }
    reduce_once(r, t);
}

__kernel void mont_pow(__global const uint *base,
                       __global const uint *other,
                       __global uint *out,
                       const int count,
                       const uint exponent)
{
    const int id = get_global_id(0);
    if (id >= count)
        return;

    bn256 b, acc;
    for (int i = 0; i < LIMBS; ++i) {
        b.d[i] = base[i * count + id];
        acc.d[i] = other[i * count + id];
    }

    const uint n0 = neg_inverse(P[0]);
    for (uint e = exponent; e != 0; e >>= 1) {
        if (e & 1)
            mont_mul(&acc, &acc, &b, n0);
        mont_mul(&b, &b, &b, n0);
    }

    for (int i = 0; i < LIMBS; ++i)
        out[i * count + id] = acc.d[i];
}
