// Numbers of 8 and 16 bits turned by constants, by `rotate` and by shifts. Values by Python.
//@ section 6.5.10 6.15.3
//@ kernel shorts
//@ global 4
//@ arg buffer ushort[4] = 1 4660 65535 32773
//@ arg buffer ushort[60] = zero
//@ result 1 = 2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 32768  9320 18640 37280 9025 18050 36100 6665 13330 26660 53320 41105 16675 33350 1165 2330  65535 65535 65535 65535 65535 65535 65535 65535 65535 65535 65535 65535 65535 65535 65535  11 22 44 88 176 352 704 1408 2816 5632 11264 22528 45056 24577 49154
//@ kernel shifted_shorts
//@ global 4
//@ arg buffer ushort[4] = 1 4660 65535 32773
//@ arg buffer ushort[60] = zero
//@ result 1 = 2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 32768  9320 18640 37280 9025 18050 36100 6665 13330 26660 53320 41105 16675 33350 1165 2330  65535 65535 65535 65535 65535 65535 65535 65535 65535 65535 65535 65535 65535 65535 65535  11 22 44 88 176 352 704 1408 2816 5632 11264 22528 45056 24577 49154
//@ kernel bytes
//@ global 4
//@ arg buffer uchar[4] = 1 18 255 133
//@ arg buffer uchar[28] = zero
//@ result 1 = 2 4 8 16 32 64 128  36 72 144 33 66 132 9  255 255 255 255 255 255 255  11 22 44 88 176 97 194
//@ kernel shifted_bytes
//@ global 4
//@ arg buffer uchar[4] = 1 18 255 133
//@ arg buffer uchar[28] = zero
//@ result 1 = 2 4 8 16 32 64 128  36 72 144 33 66 132 9  255 255 255 255 255 255 255  11 22 44 88 176 97 194
//@ kernel vectors
//@ arg buffer ushort4[1] = 1 4660 65535 32773
//@ arg buffer ushort4[15] = zero
//@ result 1 = 2 9320 65535 11  4 18640 65535 22  8 37280 65535 44  16 9025 65535 88  32 18050 65535 176  64 36100 65535 352  128 6665 65535 704  256 13330 65535 1408  512 26660 65535 2816  1024 53320 65535 5632  2048 41105 65535 11264  4096 16675 65535 22528  8192 33350 65535 45056  16384 1165 65535 24577  32768 2330 65535 49154
//@ kernel vectors_of_bytes
//@ arg buffer uchar4[1] = 1 18 255 133
//@ arg buffer uchar4[7] = zero
//@ result 1 = 2 36 255 11  4 72 255 22  8 144 255 44  16 33 255 88  32 66 255 176  64 132 255 97  128 9 255 194
//@ kernel swaps
//@ global 3
//@ arg buffer ushort[3] = 4660 32769 65535
//@ arg buffer uint[24] = zero
//@ result 1 = 13330 13330 13330 13330 13330 13330 13330 13330  384 384 384 384 384 384 384 384  65535 65535 65535 65535 65535 65535 65535 65535

#define BY_7(M) M(1) M(2) M(3) M(4) M(5) M(6) M(7)
#define BY_15(M) BY_7(M) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15)

kernel void shorts(global const ushort *in, global ushort *out)
{
    size_t i = get_global_id(0);
#define TURN(N) out[15 * i + N - 1] = rotate(in[i], (ushort)N);
    BY_15(TURN)
#undef TURN
}

kernel void shifted_shorts(global const ushort *in, global ushort *out)
{
    size_t i = get_global_id(0);
    ushort x = in[i];
#define TURN(N) out[15 * i + N - 1] = (ushort)((x << N) | (x >> (16 - N)));
    BY_15(TURN)
#undef TURN
}

kernel void bytes(global const uchar *in, global uchar *out)
{
    size_t i = get_global_id(0);
#define TURN(N) out[7 * i + N - 1] = rotate(in[i], (uchar)N);
    BY_7(TURN)
#undef TURN
}

kernel void shifted_bytes(global const uchar *in, global uchar *out)
{
    size_t i = get_global_id(0);
    uchar x = in[i];
#define TURN(N) out[7 * i + N - 1] = (uchar)((x << N) | (x >> (8 - N)));
    BY_7(TURN)
#undef TURN
}

kernel void vectors(global const ushort4 *in, global ushort4 *out)
{
    ushort4 x = in[0];
#define TURN(N) out[N - 1] = x << (ushort)N | x >> (ushort)(16 - N);
    BY_15(TURN)
#undef TURN
}

kernel void vectors_of_bytes(global const uchar4 *in, global uchar4 *out)
{
#define TURN(N) out[N - 1] = rotate(in[0], (uchar4)N);
    BY_7(TURN)
#undef TURN
}

// The same short with its bytes swapped, each time another way.
kernel void swaps(global const ushort *in, global uint *out)
{
    size_t i = get_global_id(0);
    ushort x = in[i];
    uint word = x | 0x55550000;
    long wide = x;
    int negative = (short)x;
    uchar high = x >> 8, low = x;
    out[8 * i] = (ushort)(x << 8 ^ x >> 8);
    out[8 * i + 1] = (word & 0xff) << 8 | (word & 0xff00) >> 8;
    out[8 * i + 2] = x % 256u * 256u | x / 256u;
    out[8 * i + 3] = (ushort)(wide << 8 | wide >> 8);
    out[8 * i + 4] = (ushort)(negative << 8 | (negative >> 8 & 0xff));
    out[8 * i + 5] = high | low << 8;
    out[8 * i + 6] = upsample(low, high);
    out[8 * i + 7] = ((ushort2)x << (ushort2)(8, 4) | (ushort2)x >> (ushort2)(8, 12)).x;
}
