// @ nlms_cancel 512|65536 64 i16:65536|8388608:-12000..12000 i16:65536|8388608:-6200..6200 >f32:65536|8388608 512|65536 128 0.35 0.5
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Acoustic echo canceller for many telephone lines: normalised LMS, in double
// since the error of the running power estimate accumulates in float.
// Samples are interleaved by line. Adaptation stops during double talk
// (Geigel detector) and for a hangover time afterwards.

#define TAPS      32
#define HANGOVER  6
#define EPSILON   1.0e-3

typedef struct NlmsState
{
    double w[TAPS];
    double x[TAPS];     // ring
    int    head;
    double power;
    int    hold;
} NlmsState;

static void nlmsReset(NlmsState* s)
{
    for (int i = 0; i < TAPS; ++i)
    {
        s->w[i] = 0.0;
        s->x[i] = 0.0;
    }
    s->head  = 0;
    s->power = 0.0;
    s->hold  = 0;
}

static double nlmsStep(NlmsState* s, double far, double near, double mu, double geigel)
{
    // newest sample replaces the oldest
    s->head = (s->head + TAPS - 1) & (TAPS - 1);
    const double oldest = s->x[s->head];
    s->power += far * far - oldest * oldest;
    s->x[s->head] = far;

    double echo = 0.0;
    double peak = 0.0;
    for (int i = 0; i < TAPS; ++i)
    {
        const double v = s->x[(s->head + i) & (TAPS - 1)];
        echo = fma(s->w[i], v, echo);
        peak = fmax(peak, fabs(v));
    }
    const double err = near - echo;

    if (fabs(near) > geigel * peak)
        s->hold = HANGOVER;
    else if (s->hold > 0)
        --s->hold;

    if (s->hold == 0)
    {
        const double g = mu * err / (fmax(s->power, 0.0) + EPSILON);
        for (int i = 0; i < TAPS; ++i)
            s->w[i] = fma(g, s->x[(s->head + i) & (TAPS - 1)], s->w[i]);
    }
    return err;
}

__kernel void nlms_cancel(__global const short* farEnd,
                          __global const short* nearEnd,
                          __global float* residual,
                          uint lines, uint samples, double mu, double geigel)
{
    const uint line = get_global_id(0);
    if (line >= lines)
        return;

    NlmsState state;
    nlmsReset(&state);
    for (uint n = 0; n < samples; ++n)
    {
        const uint at = n * lines + line;
        const double far  = farEnd[at]  * (1.0 / 32768.0);
        const double near = nearEnd[at] * (1.0 / 32768.0);
        residual[at] = (float)nlmsStep(&state, far, near, mu, geigel);
    }
}
