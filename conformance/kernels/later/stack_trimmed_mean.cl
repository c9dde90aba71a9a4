// @ stack_exposures 65536|2097152 128 u16:4194304|134217728:0..4096 f32:262144|8388608:0.8..1.25 f32:16:0.9..1.1 >f32:524288|16777216 180.0f 2600

// Stacks sixteen exposures of the same field. Pixels are sorted with Green's network of
// sixty comparators, four pixels at once; then the mean of the middle eight, and a robust
// noise estimate out of the quartiles. Saturated pixels are recognised after the sort.
// Result: [mean][noise] planes, in electrons.

#define EXPOSURES 16

#define CX(a, b) { const float4 lo = fmin(v##a, v##b); v##b = fmax(v##a, v##b); v##a = lo; }

__kernel void stack_exposures(__global const ushort *frames,
                              __global const float *flat,
                              __global const float *exposure_scale,
                              __global float *stacked,
                              const float pedestal,
                              const int saturation)
{
    const size_t quad = get_global_id(0);
    const size_t quads = get_global_size(0);
    const float4 gain = 1.0f / vload4(quad, flat);

#define FRAME(n) \
    float4 v##n = (convert_float4(vload4((n) * quads + quad, frames)) - pedestal) * exposure_scale[n]

    FRAME(0);  FRAME(1);  FRAME(2);  FRAME(3);
    FRAME(4);  FRAME(5);  FRAME(6);  FRAME(7);
    FRAME(8);  FRAME(9);  FRAME(10); FRAME(11);
    FRAME(12); FRAME(13); FRAME(14); FRAME(15);

    CX(0, 1)  CX(2, 3)  CX(4, 5)  CX(6, 7)  CX(8, 9)  CX(10, 11) CX(12, 13) CX(14, 15)
    CX(0, 2)  CX(1, 3)  CX(4, 6)  CX(5, 7)  CX(8, 10) CX(9, 11)  CX(12, 14) CX(13, 15)
    CX(0, 4)  CX(1, 5)  CX(2, 6)  CX(3, 7)  CX(8, 12) CX(9, 13)  CX(10, 14) CX(11, 15)
    CX(0, 8)  CX(1, 9)  CX(2, 10) CX(3, 11) CX(4, 12) CX(5, 13)  CX(6, 14)  CX(7, 15)
    CX(5, 10) CX(6, 9)  CX(3, 12) CX(13, 14) CX(4, 8) CX(7, 11)  CX(1, 2)
    CX(1, 4)  CX(7, 13) CX(2, 8)  CX(11, 14)
    CX(2, 4)  CX(5, 6)  CX(9, 10) CX(11, 13) CX(3, 8) CX(7, 12)
    CX(6, 8)  CX(10, 12) CX(3, 5) CX(7, 9)
    CX(3, 4)  CX(5, 6)  CX(7, 8)  CX(9, 10) CX(11, 12)
    CX(6, 7)  CX(8, 9)

    const float4 middle = ((v4 + v5) + (v6 + v7)) + ((v8 + v9) + (v10 + v11));
    float4 mean = middle * 0.125f * gain;
    float4 noise = (0.5f * (v11 + v12) - 0.5f * (v3 + v4)) * 0.7413f * gain;

    // More than half of the samples at the limit of the converter: flag with zero weight
    const float limit = ((float)saturation - pedestal) * 0.95f;
    const int4 burnt = v7 > (float4)(limit);
    mean = select(mean, (float4)(-1.0f), burnt);
    noise = select(noise, (float4)(0.0f), burnt);

    vstore4(mean, quad, stacked);
    vstore4(noise, quads + quad, stacked);
}
