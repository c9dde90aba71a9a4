// A filter of complex numbers with 64 coefficients, of which a work-group shares the signal.
kernel void filter(global const float2 *signal, constant float2 *taps, global float2 *out)
{
    local float2 part[256 + 64];
    uint i = get_global_id(0), lane = get_local_id(0);
    part[lane] = signal[i];
    if (lane < 64)
        part[256 + lane] = signal[i + 256];
    barrier(CLK_LOCAL_MEM_FENCE);
    float2 sum = 0;
    for (uint k = 0; k < 64; k++) {
        float2 a = part[lane + k], b = taps[k];
        sum += (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
    }
    out[i] = sum;
}
