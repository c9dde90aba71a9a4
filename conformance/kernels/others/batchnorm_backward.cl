// @ bn_reduce 4096|65536 128 f32:200704|12845056:-1..3 f32:200704|12845056:-1..1 f32:32|512:0.5..1.5 f32:32|512:0.5..1.5 zeros:f32:64|1024 8|32 32|512 784
// @ bn_input_grad 784x256|784x16384 196x1 #0 #1 #2 #3 #4 f32:32|512:0.5..2 >f32:200704|12845056 8|32 32|512 784

#define THREADS 128

// sums[c] = sum of dy, sums[C + c] = sum of dy * xhat
__kernel void bn_reduce(__global const float *x,
                        __global const float *dy,
                        __global const float *mean,
                        __global const float *invstd,
                        __global float *sums,
                        int N, int C, int HW)
{
    __local float2 part[THREADS];
    const int c = get_group_id(0);
    const int t = get_local_id(0);
    const float mu = mean[c], is = invstd[c];

    float2 s = (float2)(0.0f, 0.0f);
    for (int n = 0; n < N; n++) {
        const int base = (n * C + c) * HW;
        for (int p = t; p < HW; p += THREADS) {
            float g = dy[base + p];
            s += (float2)(g, g * (x[base + p] - mu) * is);
        }
    }

    part[t] = s;
    for (int k = THREADS >> 1; k > 0; k >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < k)
            part[t] += part[t + k];
    }
    if (t == 0) {
        sums[c] = part[0].x;
        sums[C + c] = part[0].y;
    }
}

__kernel void bn_input_grad(__global const float *x,
                            __global const float *dy,
                            __global const float *mean,
                            __global const float *invstd,
                            __global const float *sums,
                            __global const float *gamma,
                            __global float *dx,
                            int N, int C, int HW)
{
    const int p = get_global_id(0);
    const int nc = get_global_id(1);
    const int c = nc % C;
    const int i = nc * HW + p;
    const float inv_m = 1.0f / (float)(N * HW);

    float xhat = (x[i] - mean[c]) * invstd[c];
    dx[i] = gamma[c] * invstd[c] * (dy[i] - inv_m * (sums[c] + xhat * sums[C + c]));
}
