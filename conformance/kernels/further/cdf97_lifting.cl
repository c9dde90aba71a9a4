// @ dwt97_rows 65536|262144 64 u8:524288|8388608 zeros:f32:524288|8388608 512|2048 local:2080|8224
// @ dwt97_columns 512x16|2048x64 64x1 #1 >f32:524288|8388608 512|2048 1024|4096

// One level of the irreversible wavelet of JPEG 2000 (CDF 9/7) by lifting, with
// symmetric extension. Rows: a line per work-group in local memory. Columns: a strip
// of 64 lines of a column per work-item with 4 lines around. Bands are separated:
// low frequencies at left and top.

#define ALPHA -1.586134342f
#define BETA  -0.052980118f
#define GAMMA  0.882911076f
#define DELTA  0.443506852f
#define KAPPA  1.230174105f

#define STRIP 64
#define HALO  4
#define SPAN  (STRIP + 2 * HALO)

int mirrored(int i, int n)
{
    i = abs(i);
    return i < n ? i : 2 * (n - 1) - i;
}

void lift_line(__local float *line, int odd, float w, int n)
{
    for (int i = 2 * (int)get_local_id(0) + odd; i < n; i += 2 * (int)get_local_size(0))
        line[i] += w * (line[mirrored(i - 1, n)] + line[mirrored(i + 1, n)]);
    barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel void dwt97_rows(__global const uchar *pixels, __global float *rows,
                         int width, __local float *line)
{
    const size_t base = get_group_id(0) * (size_t)width;
    const int lid = get_local_id(0), step = get_local_size(0);

    for (int i = lid; i < width; i += step)
        line[i] = (float)pixels[base + i] - 128.0f;
    barrier(CLK_LOCAL_MEM_FENCE);

    lift_line(line, 1, ALPHA, width);
    lift_line(line, 0, BETA, width);
    lift_line(line, 1, GAMMA, width);
    lift_line(line, 0, DELTA, width);

    const int half_width = width / 2;
    for (int i = lid; i < half_width; i += step) {
        rows[base + i] = line[2 * i] * (1.0f / KAPPA);
        rows[base + half_width + i] = line[2 * i + 1] * (KAPPA / 2.0f);
    }
}

__kernel void dwt97_columns(__global const float *rows, __global float *bands, int width, int height)
{
    const int x = get_global_id(0);
    const int y0 = get_global_id(1) * STRIP;
    float c[SPAN];

    for (int i = 0; i < SPAN; i++)
        c[i] = rows[(size_t)mirrored(y0 - HALO + i, height) * width + x];

    // each step is right on one line less at both sides
    for (int i = 1; i < SPAN - 1; i += 2)
        c[i] += ALPHA * (c[i - 1] + c[i + 1]);
    for (int i = 2; i < SPAN - 2; i += 2)
        c[i] += BETA * (c[i - 1] + c[i + 1]);
    for (int i = 3; i < SPAN - 3; i += 2)
        c[i] += GAMMA * (c[i - 1] + c[i + 1]);
    for (int i = 4; i < SPAN - 4; i += 2)
        c[i] += DELTA * (c[i - 1] + c[i + 1]);

    const int low = y0 / 2, high = height / 2 + y0 / 2;
    for (int i = 0; i < STRIP / 2; i++) {
        bands[(size_t)(low + i) * width + x] = c[HALO + 2 * i] * (1.0f / KAPPA);
        bands[(size_t)(high + i) * width + x] = c[HALO + 2 * i + 1] * (KAPPA / 2.0f);
    }
}
