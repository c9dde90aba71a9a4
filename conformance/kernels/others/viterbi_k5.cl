// @ viterbi_decode 512|32768 64 u8:102400|6553600 >u32:1536|98304 512u|32768u

/*
 * Soft decision Viterbi decoder for the rate 1/2, K=5 convolutional code with
 * the generators 23 and 35 (octal).  One frame of 96 bits and 4 tail bits per
 * work-item; frames are interleaved in memory so that neighbours read
 * neighbouring bytes.
 *
 * A soft bit is 0 for a sure zero and 255 for a sure one.
 */

#define K         5
#define NSTATES   (1 << (K - 1))
#define NBITS     96
#define NTAIL     (K - 1)
#define NSTEPS    (NBITS + NTAIL)
#define G0        023
#define G1        035

uint parity(uint v)
{
    return popcount(v) & 1u;
}

__kernel void viterbi_decode(__global const uchar *soft,
                             __global uint *bits,
                             uint nframes)
{
    uint frame = get_global_id(0);
    if (frame >= nframes) return;

    ushort survivors[NSTEPS];
    uint metric[2][NSTATES];
    uint cur = 0;

    for (uint s = 0; s < NSTATES; s++)
        metric[0][s] = s == 0 ? 0 : 1000000;

    for (uint t = 0; t < NSTEPS; t++) {
        uint r0 = soft[(2 * t + 0) * nframes + frame];
        uint r1 = soft[(2 * t + 1) * nframes + frame];

        /* branch metrics of the symbols 00 01 10 11 */
        uint bm[4];
        bm[0] = r0 + r1;
        bm[1] = r0 + (255 - r1);
        bm[2] = (255 - r0) + r1;
        bm[3] = (255 - r0) + (255 - r1);

        uint next = cur ^ 1;
        uint decisions = 0;
        for (uint ns = 0; ns < NSTATES; ns++) {
            uint reg = ns << 1;         /* the input bit is the top one */
            uint s0 = reg & (NSTATES - 1);
            uint s1 = s0 | 1;

            uint m0 = metric[cur][s0] + bm[(parity(reg & G0) << 1) | parity(reg & G1)];
            uint m1 = metric[cur][s1] + bm[(parity((reg | 1) & G0) << 1) | parity((reg | 1) & G1)];

            if (m1 < m0) {
                metric[next][ns] = m1;
                decisions |= 1u << ns;
            } else {
                metric[next][ns] = m0;
            }
        }
        survivors[t] = (ushort)decisions;
        cur = next;
    }

    /* the tail has driven the encoder to state 0 */
    uint state = 0;
    uint out[NBITS / 32] = { 0, 0, 0 };
    for (int t = NSTEPS - 1; t >= 0; t--) {
        uint bit = state >> (K - 2);
        if (t < NBITS)
            out[t / 32] |= bit << (t % 32);
        uint d = (survivors[t] >> state) & 1;
        state = ((state << 1) & (NSTATES - 1)) | d;
    }

    for (uint w = 0; w < NBITS / 32; w++)
        bits[w * nframes + frame] = out[w];
}
