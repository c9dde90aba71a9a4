// @ pcr_solve 65536|8388608 256 f32:65536|8388608:-1..1 f32:65536|8388608:2.5..4 f32:65536|8388608:-1..1 f32:65536|8388608:-10..10 >f32:65536|8388608
//
// Batch of tridiagonal systems, parallel cyclic reduction, everything in local
// memory.  One work-group per system, one work-item per unknown.
//
//   a[i] x[i-1] + b[i] x[i] + c[i] x[i+1] = d[i]
//
// a[0] and c[n-1] of each system are ignored.

#define SYSTEM_SIZE 256

__kernel __attribute__((reqd_work_group_size(SYSTEM_SIZE, 1, 1)))
void pcr_solve(__global const float *a_d, __global const float *b_d,
               __global const float *c_d, __global const float *d_d,
               __global float *x_d)
{
    __local float a[SYSTEM_SIZE], b[SYSTEM_SIZE], c[SYSTEM_SIZE], d[SYSTEM_SIZE];

    const int i = get_local_id(0);
    const size_t base = get_group_id(0) * (size_t)SYSTEM_SIZE;

    a[i] = i == 0 ? 0.0f : a_d[base + i];
    b[i] = b_d[base + i];
    c[i] = i == SYSTEM_SIZE - 1 ? 0.0f : c_d[base + i];
    d[i] = d_d[base + i];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int delta = 1; delta < SYSTEM_SIZE / 2; delta *= 2) {
        const int left  = max(i - delta, 0);
        const int right = min(i + delta, SYSTEM_SIZE - 1);

        float k1 = i - delta >= 0 ? a[i] / b[left] : 0.0f;
        float k2 = i + delta < SYSTEM_SIZE ? c[i] / b[right] : 0.0f;

        float b_new = b[i] - c[left] * k1 - a[right] * k2;
        float d_new = d[i] - d[left] * k1 - d[right] * k2;
        float a_new = -a[left] * k1;
        float c_new = -c[right] * k2;

        barrier(CLK_LOCAL_MEM_FENCE);
        a[i] = a_new;
        b[i] = b_new;
        c[i] = c_new;
        d[i] = d_new;
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    // 2x2 systems of i and i + n/2 are left
    if (i < SYSTEM_SIZE / 2) {
        const int j = i + SYSTEM_SIZE / 2;
        float det = b[i] * b[j] - c[i] * a[j];
        x_d[base + i] = (b[j] * d[i] - c[i] * d[j]) / det;
        x_d[base + j] = (d[j] * b[i] - d[i] * a[j]) / det;
    }
}
