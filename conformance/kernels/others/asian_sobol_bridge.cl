// @ sobol_directions 16 16 zeros:u32:512
// @ asian_price 8192|262144 64 #0 f32:512|16384:0..1 u32:16 >f32:128|4096 512u
//
// Arithmetic Asian calls by quasi Monte Carlo: 16 dimensional Sobol points
// (Joe & Kuo) with a digital shift, Brownian bridge, inverse normal by Acklam.
// One work-group per contract.

#define DIMS   16
#define BITS   32
#define GROUP  64

typedef struct tagContract
{
    float spot, strike, vol, years;     // as 0..1, see below
} Contract;

__constant uchar polyDegree[DIMS] = { 0, 1, 2, 3, 3, 4, 4, 5, 5, 5, 5, 5, 5, 6, 6, 6 };
__constant uchar polyCoeff[DIMS]  = { 0, 0, 1, 1, 2, 1, 4, 2, 4, 7, 11, 13, 14, 1, 13, 16 };
__constant uchar initNumber[DIMS][6] = {
    { 0 },             { 1 },             { 1, 3 },           { 1, 3, 1 },
    { 1, 1, 1 },       { 1, 1, 3, 3 },    { 1, 3, 5, 13 },    { 1, 1, 5, 5, 17 },
    { 1, 1, 5, 5, 5 }, { 1, 1, 7, 11, 19 }, { 1, 1, 5, 1, 1 }, { 1, 1, 1, 3, 11 },
    { 1, 3, 5, 5, 31 }, { 1, 3, 3, 9, 7, 49 }, { 1, 1, 1, 15, 21, 21 }, { 1, 3, 1, 13, 27, 49 }
};

__kernel void sobol_directions(__global uint *dir)
{
    const uint d = get_global_id(0);
    __global uint *v = dir + d * BITS;

    if (d == 0) {
        for (uint i = 0; i < BITS; i++)
            v[i] = 1u << (31 - i);
        return;
    }
    const uint s = polyDegree[d], a = polyCoeff[d];
    for (uint i = 0; i < s; i++)
        v[i] = (uint)initNumber[d][i] << (31 - i);
    for (uint i = s; i < BITS; i++) {
        uint x = v[i - s] ^ (v[i - s] >> s);
        for (uint k = 1; k < s; k++)
            if ((a >> (s - 1 - k)) & 1)
                x ^= v[i - k];
        v[i] = x;
    }
}

static float inverseNormal(float p)
{
    if (p < 0.02425f || p > 0.97575f) {
        const float tail = p < 0.5f ? p : 1.0f - p;
        const float q = sqrt(-2.0f * log(tail));
        float x = (((((-7.784894002430293e-03f * q - 3.223964580411365e-01f) * q
                    - 2.400758277161838e+00f) * q - 2.549732539343734e+00f) * q
                    + 4.374664141464968e+00f) * q + 2.938163982698783e+00f)
                / ((((7.784695709041462e-03f * q + 3.224671290700398e-01f) * q
                    + 2.445134137142996e+00f) * q + 3.754408661907416e+00f) * q + 1.0f);
        return p < 0.5f ? x : -x;
    }
    const float q = p - 0.5f, r = q * q;
    return (((((-3.969683028665376e+01f * r + 2.209460984245205e+02f) * r
             - 2.759285104469687e+02f) * r + 1.383577518672690e+02f) * r
             - 3.066479806614716e+01f) * r + 2.506628277459239e+00f) * q
         / (((((-5.447609879822406e+01f * r + 1.615858368580409e+02f) * r
             - 1.556989798598866e+02f) * r + 6.680131188771972e+01f) * r
             - 1.328068155288572e+01f) * r + 1.0f);
}

__kernel void asian_price(__global const uint *dir,
                          __global const Contract *contracts,
                          __global const uint *shifts,
                          __global float *price,
                          const uint numPaths)
{
    __local uint v[DIMS * BITS];
    __local float partial[GROUP];

    const uint tid = get_local_id(0);
    for (uint i = tid; i < DIMS * BITS; i += GROUP)
        v[i] = dir[i];
    barrier(CLK_LOCAL_MEM_FENCE);

    const Contract raw = contracts[get_group_id(0)];
    const float S0 = 90.0f + 20.0f * raw.spot;
    const float K = 95.0f + 10.0f * raw.strike;
    const float sigma = 0.1f + 0.3f * raw.vol;
    const float T = 0.5f + 1.5f * raw.years;
    const float rate = 0.02f;
    const float dt = T / DIMS;
    const float drift = (rate - 0.5f * sigma * sigma) * dt;

    float sum = 0.0f;
    for (uint path = tid; path < numPaths; path += GROUP) {
        // Sobol point of the Gray code of path
        const uint gray = path ^ (path >> 1);
        float w[DIMS + 1];

        for (uint d = 0; d < DIMS; d++) {
            uint x = shifts[d];
            for (uint g = gray, b = 0; g != 0; g >>= 1, b++)
                if (g & 1)
                    x ^= v[d * BITS + b];
            w[d + 1] = inverseNormal(((float)(x >> 9) + 0.5f) * 0x1p-23f);
        }

        // Brownian bridge: w[1] ends up as the end point, then halves, quarters, ...
        float b[DIMS + 1];
        b[0] = 0.0f;
        b[DIMS] = sqrt(T) * w[1];
        uint next = 2;
        for (uint len = DIMS; len > 1; len >>= 1) {
            const float dev = 0.5f * sqrt((float)len * dt);
            for (uint left = 0; left < DIMS; left += len)
                b[left + len / 2] = 0.5f * (b[left] + b[left + len]) + dev * w[next++];
        }

        float avg = 0.0f;
        for (uint t = 1; t <= DIMS; t++)
            avg += S0 * exp(drift * t + sigma * b[t]);
        sum += fmax(avg / DIMS - K, 0.0f);
    }

    partial[tid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = GROUP / 2; s > 0; s >>= 1) {
        if (tid < s)
            partial[tid] += partial[tid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0)
        price[get_group_id(0)] = exp(-rate * T) * partial[0] / numPaths;
}
