// @ update_h 512x512|4096x4096 64x4 f32:262144|16777216:-1..1 f32:262144|16777216:-1..1 >f32:262144|16777216:-1..1 512|4096 512|4096 0.7f
// @ update_e 512x512|4096x4096 64x4 #2 #0 #1 f32:262144|16777216:1..4 512|4096 512|4096 0.7f 37

#define AT(x, y) (mul24((int)(y), nx) + (int)(x))

/* Yee scheme, TM polarisation, normalised units. */

__kernel void update_h(__global float *hx, __global float *hy,
                       __global const float *ez,
                       int nx, int ny, float s)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    float e = ez[AT(x, y)];
    if (y + 1 < ny)
        hx[AT(x, y)] -= s * (ez[AT(x, y + 1)] - e);
    if (x + 1 < nx)
        hy[AT(x, y)] += s * (ez[AT(x + 1, y)] - e);
}

__kernel void update_e(__global float *ez,
                       __global const float *hx, __global const float *hy,
                       __global const float *eps_r,
                       int nx, int ny, float s, int step)
{
    int x = get_global_id(0);
    int y = get_global_id(1);

    /* perfect conductor on the border */
    if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1) {
        ez[AT(x, y)] = 0.0f;
        return;
    }

    float curl = hy[AT(x, y)] - hy[AT(x - 1, y)] - hx[AT(x, y)] + hx[AT(x, y - 1)];
    const float sigma = 0.002f;
    float ca = (1.0f - sigma) / (1.0f + sigma);
    float cb = s / (eps_r[AT(x, y)] * (1.0f + sigma));
    float value = ca * ez[AT(x, y)] + cb * curl;

    if (x == nx / 3 && y == ny / 2) {
        float t = ((float)step - 30.0f) / 12.0f;
        value += native_exp(-t * t);
    }
    ez[AT(x, y)] = value;
}
