// @ leaf_histogram 4096x4|131072x8 256x1 u8:1048576|67108864 i8:131072|4194304:-16..16 u32:32768|2097152:0..65536|2097152 zeros:i32:8192|16384 65536|2097152 32768|2097152
// @ best_split 1024|2048 64 #3 >f32:32|64 0.5f 20

/*
 * Gradient boosted trees: histograms of one leaf and the best split of every
 * feature.
 *
 * Gradients are quantised to pairs of bytes (gradient, hessian), features to
 * 256 bins; four features are packed in a uchar4, [feature group][row].
 * The leaf has a list of its rows.
 */

#define BINS  256
#define PACK  4

typedef uchar4 feature4_t;

kernel void leaf_histogram(global const feature4_t *features,
                           global const char2 *gradients,
                           global const uint *leaf_rows,
                           global int *histograms,          /* [feature][bin][2] */
                           const uint total_rows,
                           const uint leaf_count)
{
    local int hist[PACK][BINS][2];

    const uint lid = get_local_id(0);
    const uint group = get_global_id(1);

    for (uint i = lid; i < PACK * BINS; i += get_local_size(0)) {
        hist[i / BINS][i % BINS][0] = 0;
        hist[i / BINS][i % BINS][1] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    features += (size_t)group * total_rows;
    for (uint i = get_global_id(0); i < leaf_count; i += get_global_size(0)) {
        const uint row = leaf_rows[i];
        const char2 gh = gradients[row];
        const int g = gh.x;
        const int h = abs(gh.y) + 1;
        const feature4_t f = features[row];

        atomic_add(&hist[0][f.s0][0], g);
        atomic_add(&hist[0][f.s0][1], h);
        atomic_add(&hist[1][f.s1][0], g);
        atomic_add(&hist[1][f.s1][1], h);
        atomic_add(&hist[2][f.s2][0], g);
        atomic_add(&hist[2][f.s2][1], h);
        atomic_add(&hist[3][f.s3][0], g);
        atomic_add(&hist[3][f.s3][1], h);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    histograms += group * PACK * BINS * 2;
    for (uint i = lid; i < PACK * BINS; i += get_local_size(0)) {
        const int g = hist[i / BINS][i % BINS][0];
        const int h = hist[i / BINS][i % BINS][1];
        if (h != 0) {
            atomic_add(&histograms[2 * i], g);
            atomic_add(&histograms[2 * i + 1], h);
        }
    }
}

#define THREADS 64
#define PER     (BINS / THREADS)

static float leaf_gain(float g, float h, float lambda)
{
    return g * g / (h + lambda);
}

/* out[2 f] = best gain, out[2 f + 1] = gain of the parent */
kernel void best_split(global const int2 *histograms,
                       global float *out,
                       const float lambda,
                       const int min_hessian)
{
    local int2 sums[THREADS];
    local float gains[THREADS];

    const uint t = get_local_id(0);
    const uint f = get_group_id(0);

    int2 own[PER];
    int2 s = (int2)(0, 0);
    for (int i = 0; i < PER; i++) {
        s += histograms[f * BINS + t * PER + i];
        own[i] = s;
    }
    sums[t] = s;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint d = 1; d < THREADS; d *= 2) {
        int2 add = (int2)(0, 0);
        if (t >= d)
            add = sums[t - d];
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[t] += add;
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    const int2 total = sums[THREADS - 1];
    const int2 before = sums[t] - s;
    float best = 0.0f;
    for (int i = 0; i < PER; i++) {
        const int2 l = before + own[i];
        const int2 r = total - l;
        if (l.y < min_hessian || r.y < min_hessian)
            continue;
        best = fmax(best, leaf_gain(l.x, l.y, lambda) + leaf_gain(r.x, r.y, lambda));
    }

    gains[t] = best;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = THREADS / 2; d > 0; d /= 2) {
        if (t < d)
            gains[t] = fmax(gains[t], gains[t + d]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        vstore2((float2)(gains[0], leaf_gain(total.x, total.y, lambda)), f, out);
}
