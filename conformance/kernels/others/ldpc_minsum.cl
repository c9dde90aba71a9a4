// @ ldpc_decode_layered 4096|1048576 64 >i8:98304|25165824:-5..30 10

// Layered normalised min-sum decoder of a quasi-cyclic LDPC code (rate 1/2,
// 24 x 64 bits). One code word per work-group, a work-item does one check of
// each layer. Channel values are replaced by the decoder's.

#define Z        64
#define COLS     24
#define LAYERS   12
#define DEGREE   6

typedef struct { uchar col; uchar shift; } edge_t;

__constant edge_t H[LAYERS][DEGREE] = {
    { { 0, 17}, { 4,  3}, { 5, 41}, { 9, 22}, {12,  1}, {13,  0} },
    { { 1,  0}, { 2, 55}, { 6, 12}, {10, 37}, {13,  0}, {14,  0} },
    { { 3, 29}, { 4, 60}, { 7,  8}, {11, 50}, {14,  0}, {15,  0} },
    { { 0, 44}, { 5, 19}, { 8, 33}, {10,  6}, {15,  0}, {16,  0} },
    { { 1, 26}, { 3,  2}, { 9, 47}, {11, 13}, {16,  0}, {17,  0} },
    { { 2,  9}, { 6, 58}, { 7, 31}, { 8, 20}, {17,  0}, {18,  0} },
    { { 0, 36}, { 6,  4}, { 9, 53}, {12,  0}, {18,  0}, {19,  0} },
    { { 1, 11}, { 4, 28}, { 8, 62}, {11, 40}, {19,  0}, {20,  0} },
    { { 2, 49}, { 3, 15}, { 5,  7}, {10, 24}, {20,  0}, {21,  0} },
    { { 1, 34}, { 5, 56}, { 7, 21}, { 9, 10}, {21,  0}, {22,  0} },
    { { 0,  5}, { 2, 38}, { 8, 45}, {11, 30}, {22,  0}, {23,  0} },
    { { 3, 61}, { 4, 14}, { 6, 27}, {10, 51}, {12,  1}, {23,  0} },
};

static int scale_3_4(int m)
{
    return (m * 3) >> 2;
}

__kernel void ldpc_decode_layered(__global char *words, const int max_iterations)
{
    __local char llr[COLS * Z];
    __local int unsatisfied;

    const int lane = get_local_id(0);
    words += get_group_id(0) * (COLS * Z);

    for (int i = lane; i < COLS * Z; i += Z)
        llr[i] = words[i];

    char msg[LAYERS][DEGREE];
    for (int l = 0; l < LAYERS; l++)
        for (int e = 0; e < DEGREE; e++)
            msg[l][e] = 0;

    for (int iter = 0; iter < max_iterations; iter++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane == 0)
            unsatisfied = 0;

        for (int l = 0; l < LAYERS; l++) {
            int at[DEGREE], v[DEGREE];
            int min1 = 127, min2 = 127, argmin = 0;
            int sign = 0;

            for (int e = 0; e < DEGREE; e++) {
                const edge_t h = H[l][e];
                at[e] = h.col * Z + ((lane + h.shift) & (Z - 1));
                v[e] = llr[at[e]] - msg[l][e];
                const int mag = abs(v[e]);
                sign ^= v[e] < 0;
                if (mag < min1) {
                    min2 = min1;
                    min1 = mag;
                    argmin = e;
                } else if (mag < min2) {
                    min2 = mag;
                }
            }

            for (int e = 0; e < DEGREE; e++) {
                int m = min(scale_3_4(e == argmin ? min2 : min1), 31);
                if (sign ^ (v[e] < 0))
                    m = -m;
                msg[l][e] = (char)m;
                llr[at[e]] = convert_char_sat(v[e] + m);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }

        // all parities even: done
        int bad = 0;
        for (int l = 0; l < LAYERS; l++) {
            int parity = 0;
            for (int e = 0; e < DEGREE; e++) {
                const edge_t h = H[l][e];
                parity ^= llr[h.col * Z + ((lane + h.shift) & (Z - 1))] < 0;
            }
            bad |= parity;
        }
        if (bad)
            atomic_or(&unsatisfied, 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!unsatisfied)
            break;
    }

    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = lane; i < COLS * Z; i += Z)
        words[i] = llr[i];
}
