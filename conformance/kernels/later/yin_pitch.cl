// @ yin_pitch 32768|4194304 256 i16:16768|2097536:-1000..1000 >f32:256|32768 44100.0f 9830u
/*
 * YIN fundamental frequency estimator (de Cheveigne & Kawahara, 2002) for
 * 16 bit PCM.  Everything up to the interpolation is done with integers.
 *
 *   work-group  = one analysis frame
 *   work-item   = one lag
 */
#define WINDOW   256
#define MAX_LAG  256
#define MIN_LAG  20
#define HOP      128
#define ONE_Q16  65536u

typedef struct {
    int   lag;
    uint  value;
} candidate_t;

static candidate_t pick_lag(__local const uint *norm, uint threshold)
{
    candidate_t best = { MIN_LAG, UINT_MAX };

    for (int tau = MIN_LAG; tau < MAX_LAG - 1; tau++) {
        if (norm[tau] < threshold) {
            /* descend to the bottom of this dip */
            while (tau + 1 < MAX_LAG - 1 && norm[tau + 1] < norm[tau])
                tau++;
            best.lag = tau;
            best.value = norm[tau];
            return best;
        }
        if (norm[tau] < best.value) {
            best.lag = tau;
            best.value = norm[tau];
        }
    }
    return best;
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void yin_pitch(__global const short *pcm,
               __global float2 *pitch,
               const float sample_rate,
               const uint threshold_q16)
{
    __local short x[WINDOW + MAX_LAG];
    __local ulong cumulative[MAX_LAG];
    __local uint norm[MAX_LAG];

    const int tau = get_local_id(0);
    const size_t frame = get_group_id(0);
    __global const short *src = pcm + frame * HOP;

    x[tau] = src[tau];
    x[tau + WINDOW] = src[tau + WINDOW];
    barrier(CLK_LOCAL_MEM_FENCE);

    /* difference function: fits in 31 bits for |x| <= 1000 */
    uint d = 0;
    for (int j = 0; j < WINDOW; j++) {
        const int delta = x[j] - x[j + tau];
        d += (uint)(delta * delta);
    }

    /* running sum of the difference function */
    cumulative[tau] = d;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < MAX_LAG; step <<= 1) {
        ulong left = tau >= step ? cumulative[tau - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        cumulative[tau] += left;
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    /* cumulative mean normalised difference */
    const ulong sum = cumulative[tau];
    norm[tau] = (tau == 0 || sum == 0) ? ONE_Q16
                                       : (uint)((((ulong)d * tau) << 16) / sum);
    barrier(CLK_LOCAL_MEM_FENCE);

    if (tau == 0) {
        const candidate_t c = pick_lag(norm, threshold_q16);
        const float a = (float)norm[c.lag - 1];
        const float b = (float)c.value;
        const float e = (float)norm[c.lag + 1];
        const float curvature = a - 2.0f * b + e;

        float shift = 0.0f;
        if (curvature > 0.5f)
            shift = clamp(0.5f * (a - e) / curvature, -0.5f, 0.5f);

        pitch[frame] = (float2)(sample_rate / (c.lag + shift),
                                b * (1.0f / ONE_Q16));
    }
}
