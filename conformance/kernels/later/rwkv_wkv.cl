// @ wkv_forward 1024|65536 64 f16:65536|16777216:-2..2 f16:65536|16777216:-1..1 f16:65536|16777216:-3..3 f32:256|1024:-3..1 f32:256|1024:-1..1 >f32:65536|16777216 64|256 256|1024

/* RWKV-4 time mixing: attention without queries, as a recurrence over time.
   The sums are kept relative to a running maximum of exponents. One
   work-item per channel of a sequence; tensors are [batch][time][channel]. */

typedef struct {
    float num;      /* sum of exp(k) * v, scaled by exp(-top) */
    float den;      /* sum of exp(k), likewise */
    float top;
} wkv_state;

inline float sigmoid(float x) { return 1.0f / (1.0f + exp(-x)); }

__kernel void wkv_forward(__global const half *restrict keys,
                          __global const half *restrict values,
                          __global const half *restrict receptance,
                          __global const float *restrict time_decay,
                          __global const float *restrict time_first,
                          __global float *restrict output,
                          const int steps,
                          const int channels)
{
    const int id = get_global_id(0);
    const int batch = id / channels;
    const int channel = id % channels;
    const float decay = -exp(time_decay[channel]);
    const float bonus = time_first[channel];

    wkv_state s = { 0.0f, 0.0f, -1e30f };
    int at = batch * steps * channels + channel;

    for (int t = 0; t < steps; ++t, at += channels) {
        const float k = vload_half(at, keys);
        const float v = vload_half(at, values);
        const float r = vload_half(at, receptance);

        /* the present has a weight of its own */
        const float now = bonus + k;
        const float top = fmax(s.top, now);
        const float past_scale = exp(s.top - top);
        const float now_scale = exp(now - top);
        const float y = (past_scale * s.num + now_scale * v)
                      / (past_scale * s.den + now_scale);
        output[at] = sigmoid(r) * y;

        const float faded = s.top + decay;
        const float next_top = fmax(faded, k);
        const float fade = exp(faded - next_top);
        const float gain = exp(k - next_top);
        s.num = fade * s.num + gain * v;
        s.den = fade * s.den + gain;
        s.top = next_top;
    }
}
