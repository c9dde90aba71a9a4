// @ equalize 1024|65536 64 f32:262144|16777216:0.8..1 f32:12288|786432:0.1..0.9 >f32:262144|16777216 1024u|65536u 256u
//
// Parametric equalizer: a cascade of four peaking filters per channel.
// Samples are interleaved (frame major), band settings are three floats per
// band: frequency, gain, Q, each as a knob position in 0..1.
//
#define NUM_BANDS 4
#define TWO_PI    6.28318530718f

typedef struct Biquad
{
    float b0, b1, b2;
    float a1, a2;
    float z1, z2;
} Biquad;

static Biquad makePeak(float freqKnob, float gainKnob, float qKnob)
{
    Biquad f;
    const float w     = TWO_PI * (0.03f + 0.35f * freqKnob);
    const float gain  = exp2(gainKnob - 0.5f);          // +-3 dB, square root of it
    const float q     = 0.5f + 1.5f * qKnob;
    const float alpha = sin(w) / (2.0f * q);
    const float norm  = 1.0f / (1.0f + alpha / gain);

    f.b0 = (1.0f + alpha * gain) * norm;
    f.b1 = -2.0f * cos(w) * norm;
    f.b2 = (1.0f - alpha * gain) * norm;
    f.a1 = f.b1;
    f.a2 = (1.0f - alpha / gain) * norm;
    f.z1 = 0.0f;
    f.z2 = 0.0f;
    return f;
}

// transposed direct form II
static float tick(Biquad *f, float in)
{
    const float out = f->b0 * in + f->z1;
    f->z1 = f->b1 * in - f->a1 * out + f->z2;
    f->z2 = f->b2 * in - f->a2 * out;
    return out;
}

__kernel void equalize(__global const float *in,
                       __global const float *bands,
                       __global float *out,
                       const uint channels,
                       const uint frames)
{
    const uint ch = get_global_id(0);
    if (ch >= channels)
        return;

    Biquad eq[NUM_BANDS];
    for (uint b = 0; b < NUM_BANDS; ++b)
    {
        const float3 knobs = vload3(ch * NUM_BANDS + b, bands);
        eq[b] = makePeak(knobs.x, knobs.y, knobs.z);
    }

    uint pos = ch;
    for (uint t = 0; t < frames; ++t, pos += channels)
    {
        float s = in[pos];
        for (uint b = 0; b < NUM_BANDS; ++b)
            s = tick(&eq[b], s);
        out[pos] = s;
    }
}
