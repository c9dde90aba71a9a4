// @ periodogram 128x16|2048x512 64x1 f32:8192|262144:0..400 f32:4096|131072:0.02..0.2 >f32:2048|1048576 256 0.005f 0.0025f|0.0005f

// Generalised Lomb-Scargle periodogram (Zechmeister & Kuerster 2009), with floating mean.
// x: trial frequencies, y: stars.  A star has `samples` pairs (time [d], magnitude) and
// errors of the magnitudes.

#define TILE 64
#define TWO_PI 6.28318530718f

__kernel void periodogram(__global const float2 *curve,
                          __global const float *sigma,
                          __global float *power,
                          const int samples,
                          const float f0,
                          const float df)
{
    __local float2 obs[TILE];
    __local float weight[TILE];

    const int lid = get_local_id(0);
    const int star = get_global_id(1);
    const float freq = f0 + df * (float)get_global_id(0);

    curve += star * samples;
    sigma += star * samples;

    float W = 0.0f, Y = 0.0f, C = 0.0f, S = 0.0f;
    float YY = 0.0f, YC = 0.0f, YS = 0.0f, CC = 0.0f, CS = 0.0f;

    for (int base = 0; base < samples; base += TILE) {
        if (lid < TILE) {
            const float e = sigma[base + lid];
            float2 o = curve[base + lid];
            o.y = o.y * 0.01f - 2.0f;              // magnitudes about the mean
            obs[lid] = o;
            weight[lid] = 1.0f / (e * e);
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        for (int j = 0; j < TILE; j++) {
            const float2 o = obs[j];
            const float w = weight[j];
            // Cycles since the epoch; only their fraction matters
            const float cycles = freq * o.x;
            const float phase = TWO_PI * (cycles - floor(cycles));
            float c;
            const float s = sincos(phase, &c);
            const float wy = w * o.y, wc = w * c, ws = w * s;
            W += w;
            Y += wy;
            C += wc;
            S += ws;
            YY = mad(wy, o.y, YY);
            YC = mad(wy, c, YC);
            YS = mad(wy, s, YS);
            CC = mad(wc, c, CC);
            CS = mad(wc, s, CS);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    const float inv = 1.0f / W;
    Y *= inv; C *= inv; S *= inv;
    const float ss = 1.0f - CC * inv - S * S;
    const float yy = YY * inv - Y * Y;
    const float yc = YC * inv - Y * C;
    const float ys = YS * inv - Y * S;
    const float cc = CC * inv - C * C;
    const float cs = CS * inv - C * S;
    const float d = cc * ss - cs * cs;

    const float p = (ss * yc * yc + cc * ys * ys - 2.0f * cs * yc * ys) / (yy * fmax(d, 1.0e-5f));
    power[star * get_global_size(0) + get_global_id(0)] = p;
}
