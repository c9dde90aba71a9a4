// @ fir_filter 65536|4194304 256 f32:65536|4194304 f32:64:0..0.03 >f32:65536|4194304 local:1280 64 65536|4194304
/* Direct form FIR. The block of input that a work-group needs (its own 256
   samples and ntaps-1 older ones) is staged in `window`, which has to have room
   for get_local_size(0) + ntaps - 1 floats. ntaps must be a multiple of 4. */
__kernel void fir_filter(__global   const float *restrict x,
                         __constant const float *restrict taps,
                         __global         float *restrict y,
                         __local          float *restrict window,
                         int ntaps,
                         int n)
{
    int lid   = get_local_id(0);
    int lsz   = get_local_size(0);
    int start = (int)get_group_id(0) * lsz - (ntaps - 1);

    for (int i = lid; i < lsz + ntaps - 1; i += lsz) {
        int idx = start + i;
        window[i] = (idx >= 0 && idx < n) ? x[idx] : 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    float4 sum = 0.0f;
    __local const float *w = window + lid + ntaps - 1;
    for (int k = 0; k < ntaps; k += 4) {
        float4 h = vload4(0, taps + k);
        float4 s = (float4)(w[-k], w[-k - 1], w[-k - 2], w[-k - 3]);
        sum = mad(h, s, sum);
    }

    int gid = get_global_id(0);
    if (gid < n)
        y[gid] = (sum.x + sum.y) + (sum.z + sum.w);
}
