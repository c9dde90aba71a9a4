// @ resample_44k1_48k 65536|4194304 128 i16:131072|8388608 i16:3840:-3000..3000 >i16:131072|8388608 65536|4194304 40

// Rational resampler 160 / 147 (44.1 kHz to 48 kHz) of stereo sound, 24 taps for
// each phase in Q15, 64 bit accumulators, output rounded and saturated. The
// samples that a work-group needs are brought into local memory first.

#define UP     160
#define DOWN   147
#define TAPS   24
#define WG     128
#define WINDOW (WG * DOWN / UP + TAPS + 2)

short round_q15(long acc, int headroom)
{
    acc = (acc + (1L << 14)) >> 15;
    acc = acc * headroom / 32;
    return (short)clamp(acc, -32768L, 32767L);
}

__kernel void resample_44k1_48k(__global const short2 *in,
                                __global const short *taps,
                                __global short2 *out,
                                const int in_frames,
                                const int headroom)
{
    __local short2 window[WINDOW];

    const uint lid = get_local_id(0);
    const uint n = get_global_id(0);
    const uint n0 = n - lid;

    // UP * position = DOWN * n + phase
    const long first = ((long)n0 * DOWN) / UP - (TAPS - 1);
    for (uint i = lid; i < WINDOW; i += WG) {
        const long at = first + i;
        window[i] = at >= 0 && at < in_frames ? in[at] : (short2)(0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const ulong t = (ulong)n * DOWN;
    const uint phase = (uint)(t % UP);
    const int newest = (int)((long)(t / UP) - first);

    long left = 0, right = 0;
    for (int k = 0; k < TAPS; k++) {
        const short2 s = window[newest - k];
        const int h = taps[phase * TAPS + k];
        left += (long)(s.x * h);
        right += (long)(s.y * h);
    }
    out[n] = (short2)(round_q15(left, headroom), round_q15(right, headroom));
}
