// @ base64_mime_decode 8192|1048576 64 u8:622592|79691776:43..123 >u8:524288|67108864

// MIME base64 decoder. Lines have 76 characters (the CRLFs were dropped when
// the message was split); as RFC 2045 demands, foreign characters are
// skipped. Each line yields a record of 64 bytes: up to 57 of data, zeros,
// and in the last byte how many they are.

#define LINE    76
#define RECORD  64
#define GROUP   64

__constant char decoding[80] = {
    62, -1, -1, -1, 63, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, -1, -1, -1, -2, -1,
    -1, -1,  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,
    18, 19, 20, 21, 22, 23, 24, 25, -1, -1, -1, -1, -1, -1, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51
};

int sextet(uchar c)
{
    const int i = (int)c - '+';
    return (i < 0 || i >= 80) ? -1 : decoding[i];
}

__kernel void base64_mime_decode(__global const uint *text, __global uint *records)
{
    __local uint chars[GROUP * LINE / 4];
    __local uint bytes[GROUP * RECORD / 4];

    const uint lid = get_local_id(0);
    const size_t group = get_group_id(0);

    for (uint i = lid; i < GROUP * LINE / 4; i += GROUP)
        chars[i] = text[group * (GROUP * LINE / 4) + i];
    barrier(CLK_LOCAL_MEM_FENCE);

    __local const uchar *in = (__local const uchar *)chars + lid * LINE;
    __local uchar *out = (__local uchar *)bytes + lid * RECORD;

    uint hold = 0;
    uint held = 0;      // bits in hold
    uint length = 0;
    for (int i = 0; i < LINE; ++i) {
        const int v = sextet(in[i]);
        if (v == -2)    // padding ends the data
            break;
        if (v < 0)
            continue;
        hold = hold << 6 | (uint)v;
        held += 6;
        if (held >= 8) {
            held -= 8;
            out[length++] = (uchar)(hold >> held);
        }
    }
    for (uint i = length; i < RECORD - 1; ++i)
        out[i] = 0;
    out[RECORD - 1] = (uchar)length;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint i = lid; i < GROUP * RECORD / 4; i += GROUP)
        records[group * (GROUP * RECORD / 4) + i] = bytes[i];
}
