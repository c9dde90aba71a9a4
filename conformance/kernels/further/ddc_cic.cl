// @ ddc_cic 64x16|512x256 64x1 i16:32768|262144 u32:16|256 u32:16|256 >i32:32768|4194304 1024|8192 22

// Digital down converter bank: numerically controlled oscillator, complex mixer and
// a CIC decimator by 32 of order 4. A work-item makes 16 outputs of one channel; it
// starts ORDER outputs earlier, with integrators at zero, which is exact once the combs
// are filled because the whole is a finite response. Arithmetic is modulo 2^64.

#define RATE   32
#define ORDER  4
#define PER_ITEM 16

// a quarter of a sine, at the middles of 64 steps
__constant short quarter[64] = {
      402,  1206,  2009,  2811,  3612,  4410,  5205,  5998,
     6786,  7571,  8351,  9126,  9896, 10659, 11417, 12167,
    12910, 13645, 14372, 15090, 15800, 16499, 17189, 17869,
    18537, 19195, 19841, 20475, 21096, 21705, 22301, 22884,
    23452, 24007, 24547, 25072, 25582, 26077, 26556, 27019,
    27466, 27896, 28310, 28706, 29085, 29447, 29791, 30117,
    30424, 30714, 30985, 31237, 31470, 31685, 31880, 32057,
    32213, 32351, 32469, 32567, 32646, 32705, 32745, 32765
};

short sine(uint phase)
{
    const uint i = (phase >> 24) & 63u;
    const short v = quarter[phase & 0x40000000u ? 63u - i : i];
    return phase & 0x80000000u ? -v : v;
}

typedef struct {
    ulong integrator[ORDER];
    ulong comb[ORDER];
} cic_t;

void cic_clear(cic_t *c)
{
    for (int k = 0; k < ORDER; k++)
        c->integrator[k] = c->comb[k] = 0;
}

void cic_push(cic_t *c, int x)
{
    c->integrator[0] += (ulong)(long)x;
    for (int k = 1; k < ORDER; k++)
        c->integrator[k] += c->integrator[k - 1];
}

long cic_pull(cic_t *c)
{
    ulong v = c->integrator[ORDER - 1];
    for (int k = 0; k < ORDER; k++) {
        const ulong before = c->comb[k];
        c->comb[k] = v;
        v -= before;
    }
    return as_long(v);
}

__kernel void ddc_cic(__global const short *samples,
                      __global const uint *steps,
                      __global const uint *offsets,
                      __global int2 *outputs,
                      const int outputs_per_channel,
                      const int shift)
{
    const int first = get_global_id(0) * PER_ITEM;
    const int channel = get_global_id(1);
    const uint step = steps[channel];

    cic_t re, im;
    cic_clear(&re);
    cic_clear(&im);

    const int start = max(first - ORDER, 0);
    int at = start * RATE;
    uint phase = offsets[channel] + step * (uint)at;

    for (int o = start; o < first + PER_ITEM; o++) {
        for (int r = 0; r < RATE; r++) {
            const int x = samples[at++];
            cic_push(&re, (x * sine(phase + 0x40000000u)) >> 8);
            cic_push(&im, -((x * sine(phase)) >> 8));
            phase += step;
        }
        const long i = cic_pull(&re), q = cic_pull(&im);
        if (o >= first)
            outputs[(size_t)channel * outputs_per_channel + o] = (int2)((int)(i >> shift), (int)(q >> shift));
    }
}
