// @ grid_pattern 9216|262144 64 f32:82944|2359296:-0.1..0.1 zeros:i32:82944|2359296 zeros:i32:82944|2359296 zeros:i32:9216|262144 zeros:f32:82944|2359296 zeros:f32:82944|2359296 96|512
// @ ilu_sweep 9216|262144 64 #1 #2 #3 #4 #5 zeros:f32:82944|2359296
// @ ilu_sweep 9216|262144 64 #1 #2 #3 #4 #6 >f32:82944|2359296
// @ ilu_sweep 9216|262144 64 #1 #2 #3 #4 #7 #6
// @ ilu_sweep 9216|262144 64 #1 #2 #3 #4 #6 #7

// Fine-grained parallel ILU(0) of Chow and Patel: sweeps of a fixed point iteration
//    l_ij = (a_ij - sum_k l_ik u_kj) / u_jj    i > j
//    u_ij =  a_ij - sum_k l_ik u_kj            i <= j
// all entries independently, here with two buffers so that a sweep is deterministic.
// Rows have STRIDE slots, sorted columns, `length` of them used; the pattern is
// symmetric and `mirror` is where the transposed entry is.

#define STRIDE 9

__kernel void grid_pattern(__global const float *random,
                           __global int *cols,
                           __global int *mirror,
                           __global int *length,
                           __global float *a,
                           __global float *guess,
                           const int width)
{
    const int row = get_global_id(0);
    const int height = (int)get_global_size(0) / width;
    const int x = row % width, y = row / width;
    int n = 0;

    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            const int u = x + dx, v = y + dy;
            if (u < 0 || v < 0 || u >= width || v >= height)
                continue;

            // how many of the neighbour's neighbours come before us
            int before = 0;
            for (int k = 0; k < 9; k++) {
                const int p = u + k % 3 - 1, q = v + k / 3 - 1;
                before += p >= 0 && q >= 0 && p < width && q < height && q * width + p < row;
            }

            const int at = row * STRIDE + n;
            const float value = row == v * width + u ? 1.0f : random[at];
            cols[at] = v * width + u;
            mirror[at] = (v * width + u) * STRIDE + before;
            a[at] = value;
            guess[at] = value;
            n++;
        }
    length[row] = n;
    for (; n < STRIDE; n++) {
        cols[row * STRIDE + n] = -1;
        mirror[row * STRIDE + n] = row * STRIDE + n;
        a[row * STRIDE + n] = 0.0f;
        guess[row * STRIDE + n] = 0.0f;
    }
}

__kernel void ilu_sweep(__global const int *restrict cols,
                        __global const int *restrict mirror,
                        __global const int *restrict length,
                        __global const float *restrict a,
                        __global const float *restrict old,
                        __global float *restrict new)
{
    const int i = get_global_id(0);
    const int ri = i * STRIDE, ni = length[i];

    for (int e = 0; e < STRIDE; e++) {
        if (e >= ni) {
            new[ri + e] = 0.0f;
            continue;
        }
        const int j = cols[ri + e];
        const int rj = j * STRIDE, nj = length[j];
        const int stop = min(i, j);

        // row i of L with column j of U, of which the rows are the columns of row j
        float s = a[ri + e];
        int p = 0, q = 0;
        while (p < ni && q < nj) {
            const int cp = cols[ri + p], cq = cols[rj + q];
            if (cp >= stop || cq >= stop)
                break;
            if (cp == cq)
                s -= old[ri + p] * old[mirror[rj + q]];
            p += cp <= cq;
            q += cq <= cp;
        }

        if (i > j) {
            int d = 0;
            while (cols[rj + d] < j)
                d++;
            s /= old[rj + d];
        }
        new[ri + e] = s;
    }
}
