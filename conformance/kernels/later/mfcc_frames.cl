// @ mel_setup 64 64 zeros:f32:64 zeros:f32:520 16000.0f
// @ mfcc 16384|4194304 64 f32:131584|33685504:-1..1 #0 #1 >f32:3328|851968 1e-6f
//
// Mel-frequency cepstral coefficients of short-time spectra.  The spectra
// are those of a real FFT of 512 samples (257 complex bins per frame); one
// work-group handles one frame.

#define FFT_SIZE   512
#define BINS       (FFT_SIZE / 2 + 1)
#define MELS       40
#define CEPSTRA    13
#define LIFTER     22.0f
#define LOW_HZ     20.0f

inline float hz_to_mel(float hz)  { return 1127.0f * log(1.0f + hz / 700.0f); }
inline float mel_to_hz(float mel) { return 700.0f * (exp(mel / 1127.0f) - 1.0f); }

// Edges of the triangles, in (fractional) bins, and the matrix of the DCT
// with the sine lifter folded into its rows.
__kernel void mel_setup(__global float *edges, __global float *dct, float sample_rate)
{
    const int i = get_global_id(0);

    if (i < MELS + 2) {
        const float lo = hz_to_mel(LOW_HZ);
        const float hi = hz_to_mel(0.5f * sample_rate);
        const float mel = lo + (hi - lo) * i / (MELS + 1);
        edges[i] = mel_to_hz(mel) * FFT_SIZE / sample_rate;
    }

    if (i < CEPSTRA) {
        const float norm = i == 0 ? sqrt(1.0f / MELS) : sqrt(2.0f / MELS);
        const float lift = 1.0f + 0.5f * LIFTER * sin(M_PI_F * i / LIFTER);
        for (int m = 0; m < MELS; ++m)
            dct[i * MELS + m] = lift * norm * cos(M_PI_F * i * (m + 0.5f) / MELS);
    }
}

__kernel void mfcc(__global const float2 *spectra,
                   __constant float *edges,
                   __constant float *dct,
                   __global float *cepstra,
                   float energy_floor)
{
    __local float power[BINS];
    __local float log_mel[MELS];

    const int frame = get_group_id(0);
    const int lid = get_local_id(0);
    const int width = get_local_size(0);

    __global const float2 *in = spectra + (size_t)frame * BINS;
    for (int k = lid; k < BINS; k += width) {
        const float2 z = in[k];
        power[k] = dot(z, z) / FFT_SIZE;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (lid < MELS) {
        const float left = edges[lid];
        const float centre = edges[lid + 1];
        const float right = edges[lid + 2];
        const float up = 1.0f / (centre - left);
        const float down = 1.0f / (right - centre);
        const int first = (int)ceil(left);
        const int last = min((int)floor(right), BINS - 1);

        float sum = 0.0f;
        for (int k = first; k <= last; ++k) {
            const float w = fmin((k - left) * up, (right - k) * down);
            sum = fma(fmax(w, 0.0f), power[k], sum);
        }
        log_mel[lid] = log(fmax(sum, energy_floor));
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (lid < CEPSTRA) {
        float c = 0.0f;
        for (int m = 0; m < MELS; ++m)
            c += dct[lid * MELS + m] * log_mel[m];
        cepstra[frame * CEPSTRA + lid] = c;
    }
}
