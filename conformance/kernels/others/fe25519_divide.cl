// @ fe_divide 512|65536 64 u32:8192|1048576 >u32:4096|524288
//
// Division in the field of Curve25519, X / Z = X * Z^(2^255 - 21) by
// Fermat, to bring projective points to affine ones.  Radix 2^25.5, ten signed
// limbs as in the "ref10" code.

typedef struct { int v[10]; } fe;

static long load3(const uchar *in)
{
  return (long)in[0] | (long)in[1] << 8 | (long)in[2] << 16;
}

static long load4(const uchar *in)
{
  return (long)in[0] | (long)in[1] << 8 | (long)in[2] << 16 | (long)in[3] << 24;
}

/* carries from limb i, which has the given number of bits, to the next one */
#define CARRY(i, next, bits, times) do {                      \
    long carry = (h[i] + (1L << ((bits) - 1))) >> (bits);     \
    h[next] += carry * (times);                               \
    h[i] -= carry * (1L << (bits));                           \
  } while (0)

static void fe_reduce(fe *out, long h[10])
{
  CARRY(0, 1, 26, 1);
  CARRY(4, 5, 26, 1);
  CARRY(1, 2, 25, 1);
  CARRY(5, 6, 25, 1);
  CARRY(2, 3, 26, 1);
  CARRY(6, 7, 26, 1);
  CARRY(3, 4, 25, 1);
  CARRY(7, 8, 25, 1);
  CARRY(4, 5, 26, 1);
  CARRY(8, 9, 26, 1);
  CARRY(9, 0, 25, 19);
  CARRY(0, 1, 26, 1);
  for (int i = 0; i < 10; i++)
    out->v[i] = (int)h[i];
}

static void fe_frombytes(fe *out, const uchar *s)
{
  long h[10];
  h[0] = load4(s);
  h[1] = load3(s + 4) << 6;
  h[2] = load3(s + 7) << 5;
  h[3] = load3(s + 10) << 3;
  h[4] = load3(s + 13) << 2;
  h[5] = load4(s + 16);
  h[6] = load3(s + 20) << 7;
  h[7] = load3(s + 23) << 5;
  h[8] = load3(s + 26) << 4;
  h[9] = (load3(s + 29) & 8388607) << 2;

  CARRY(9, 0, 25, 19);
  CARRY(1, 2, 25, 1);
  CARRY(3, 4, 25, 1);
  CARRY(5, 6, 25, 1);
  CARRY(7, 8, 25, 1);
  CARRY(0, 1, 26, 1);
  CARRY(2, 3, 26, 1);
  CARRY(4, 5, 26, 1);
  CARRY(6, 7, 26, 1);
  CARRY(8, 9, 26, 1);
  for (int i = 0; i < 10; i++)
    out->v[i] = (int)h[i];
}

static void fe_mul(fe *out, const fe *f, const fe *g)
{
  long h[10];
  for (int k = 0; k < 10; k++)
    h[k] = 0;
  for (int i = 0; i < 10; i++) {
    for (int j = 0; j < 10; j++) {
      long p = (long)f->v[i] * g->v[j];
      if ((i & 1) && (j & 1))
        p *= 2;                 /* two half bits */
      if (i + j >= 10)
        h[i + j - 10] += 19 * p;
      else
        h[i + j] += p;
    }
  }
  fe_reduce(out, h);
}

static void fe_sq_times(fe *out, const fe *f, int n)
{
  fe_mul(out, f, f);
  while (--n > 0)
    fe_mul(out, out, out);
}

/* z^(p-2), the usual chain of 254 squarings and 11 multiplications */
static void fe_invert(fe *out, const fe *z)
{
  fe t0, t1, t2, t3;

  fe_sq_times(&t0, z, 1);
  fe_sq_times(&t1, &t0, 2);
  fe_mul(&t1, z, &t1);
  fe_mul(&t0, &t0, &t1);
  fe_sq_times(&t2, &t0, 1);
  fe_mul(&t1, &t1, &t2);
  fe_sq_times(&t2, &t1, 5);
  fe_mul(&t1, &t2, &t1);
  fe_sq_times(&t2, &t1, 10);
  fe_mul(&t2, &t2, &t1);
  fe_sq_times(&t3, &t2, 20);
  fe_mul(&t2, &t3, &t2);
  fe_sq_times(&t2, &t2, 10);
  fe_mul(&t1, &t2, &t1);
  fe_sq_times(&t2, &t1, 50);
  fe_mul(&t2, &t2, &t1);
  fe_sq_times(&t3, &t2, 100);
  fe_mul(&t2, &t3, &t2);
  fe_sq_times(&t2, &t2, 50);
  fe_mul(&t1, &t2, &t1);
  fe_sq_times(&t1, &t1, 5);
  fe_mul(out, &t1, &t0);
}

static void fe_tobytes(uchar *s, const fe *in)
{
  int h[10];
  for (int i = 0; i < 10; i++)
    h[i] = in->v[i];

  int q = (19 * h[9] + (1 << 24)) >> 25;
  for (int i = 0; i < 10; i++)
    q = (h[i] + q) >> ((i & 1) ? 25 : 26);
  h[0] += 19 * q;
  for (int i = 0; i < 10; i++) {
    int bits = (i & 1) ? 25 : 26;
    int carry = h[i] >> bits;
    if (i < 9)
      h[i + 1] += carry;
    h[i] -= carry * (1 << bits);
  }

  /* 255 bits, one after the other limb */
  ulong acc = 0;
  int have = 0, at = 0;
  for (int i = 0; i < 10; i++) {
    acc |= (ulong)(uint)h[i] << have;
    have += (i & 1) ? 25 : 26;
    while (have >= 8) {
      s[at++] = (uchar)acc;
      acc >>= 8;
      have -= 8;
    }
  }
  s[at] = (uchar)acc;
}

static void unpack_bytes(uchar *s, __global const uint *w)
{
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 4; k++)
      s[4 * i + k] = (uchar)(w[i] >> (8 * k));
}

/* points: X and Z of each, 8 words each */
__kernel void fe_divide(__global const uint *points, __global uint *quotients)
{
  const size_t i = get_global_id(0) * 8;
  uchar bytes[32];
  fe x, z;

  unpack_bytes(bytes, points + 2 * i);
  fe_frombytes(&x, bytes);
  unpack_bytes(bytes, points + 2 * i + 8);
  fe_frombytes(&z, bytes);

  fe_invert(&z, &z);
  fe_mul(&x, &x, &z);
  fe_tobytes(bytes, &x);

  for (int k = 0; k < 8; k++)
    quotients[i + k] = (uint)bytes[4 * k] | (uint)bytes[4 * k + 1] << 8 |
                       (uint)bytes[4 * k + 2] << 16 | (uint)bytes[4 * k + 3] << 24;
}
