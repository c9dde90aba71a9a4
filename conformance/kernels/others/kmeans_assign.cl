// @ assign_points 16384|1048576 256 f32:131072|8388608 f32:128 zeros:i32:16384|1048576 >f32:16384|1048576 zeros:i32:1024|65536 16384|1048576 16 local:512

#define DIMS 8
#define MAX_K 16

/* Nearest centroid for each point; also the histogram of the clusters for
 * each work-group (16 bins), which a later pass adds up. */
__kernel void assign_points(__global const float *points,      /* [n][8] */
                            __global const float *centroids,   /* [k][8] */
                            __global int *label,
                            __global float *distance2,
                            __global int *group_counts,
                            int n, int k,
                            __local float *cache)
{
    __local int counts[MAX_K];
    int gid = get_global_id(0);
    int lid = get_local_id(0);

    for (int i = lid; i < k * DIMS; i += get_local_size(0))
        cache[i] = centroids[i];
    if (lid < MAX_K)
        counts[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    if (gid < n) {
        float8 p = vload8(gid, points);
        float best = MAXFLOAT;
        int best_k = 0;

        for (int c = 0; c < k; c++) {
            float8 d = p - vload8(c, cache);
            float4 lo = d.lo, hi = d.hi;
            float dist = dot(lo, lo) + dot(hi, hi);
            best_k = dist < best ? c : best_k;
            best = fmin(best, dist);
        }

        label[gid] = best_k;
        distance2[gid] = best;
        atomic_add(&counts[best_k], 1);
    }

    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < MAX_K)
        group_counts[get_group_id(0) * MAX_K + lid] = counts[lid];
}
