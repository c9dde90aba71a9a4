// @ das_planewave 96x96|512x512 16x4 f32:131072|4194304:-1..1 f32:2|8:-0.2..0.2 >f32:9216|262144 64|128 2|8 512|2048 96|512 96|512

// Delay-and-sum beamforming for plane wave compounding.
// iq: [angle][channel][sample] baseband samples (I, Q), output is the envelope.
// Lengths are in wavelengths, so times are in periods of the carrier.

#define PITCH           0.5f    // element spacing
#define FS              2.0f    // samples per period
#define F_NUMBER        1.5f
#define PI              3.14159265f

typedef float2 cplx;

inline cplx cplx_mul(cplx a, cplx b)
{
    return (cplx)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// linear interpolation, zero outside of the record
inline cplx sample_at(__global const cplx *line, float t, int n)
{
    const float pos = t * FS;
    const int i = (int)floor(pos);
    if (i < 0 || i + 1 >= n)
        return (cplx)(0.0f, 0.0f);
    return mix(line[i], line[i + 1], pos - (float)i);
}

__kernel void das_planewave(__global const cplx *iq,
                            __global const float *angles,
                            __global float *envelope,
                            const int channels,
                            const int n_angles,
                            const int samples,
                            const int width,
                            const int height)
{
    const int ix = get_global_id(0);
    const int iz = get_global_id(1);
    if (ix >= width || iz >= height)
        return;

    const float half_span = 0.5f * PITCH * (channels - 1);
    const float x = ((ix + 0.5f) / width - 0.5f) * 2.0f * half_span;
    const float z = 2.0f + 80.0f * iz / height;

    // receive aperture grows with depth
    const float half_ap = z / (2.0f * F_NUMBER);
    const int c0 = max((int)ceil((x - half_ap + half_span) / PITCH), 0);
    const int c1 = min((int)floor((x + half_ap + half_span) / PITCH), channels - 1);

    cplx total = (cplx)(0.0f, 0.0f);
    float weight = 0.0f;

    for (int a = 0; a < n_angles; a++) {
        float cs;
        const float sn = sincos(angles[a], &cs);
        // the wave front touches the edge of the array at time zero
        const float tx = z * cs + x * sn + half_span * fabs(sn);

        for (int c = c0; c <= c1; c++) {
            const float dx = x - (c * PITCH - half_span);
            const float apod = 0.5f + 0.5f * cos(PI * clamp(dx / half_ap, -1.0f, 1.0f));
            const float rx = sqrt(dx * dx + z * z);
            const float tau = tx + rx;

            cplx s = sample_at(iq + (a * channels + c) * samples, tau, samples);
            const float cycles = tau - floor(tau);
            float re;
            const float im = sincos(2.0f * PI * cycles, &re);
            total += apod * cplx_mul(s, (cplx)(re, im));
            weight += apod;
        }
    }

    envelope[iz * width + ix] = weight > 0.0f ? length(total) / weight : 0.0f;
}
