// A step of the lattice Boltzmann method with nine directions: streaming, then relaxation.
kernel void lattice(global const float *from, global float *to, int n, float omega)
{
    const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
    const int dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const float weight[9] = {4.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9,
                             1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};
    int x = get_global_id(0), y = get_global_id(1);
    float f[9], density = 0, u = 0, v = 0;
    for (int k = 0; k < 9; k++) {
        int column = (x - dx[k] + n) % n, row = (y - dy[k] + n) % n;
        f[k] = from[(k * n + row) * n + column];
        density += f[k];
        u += dx[k] * f[k];
        v += dy[k] * f[k];
    }
    u /= density;
    v /= density;
    for (int k = 0; k < 9; k++) {
        float along = dx[k] * u + dy[k] * v;
        float rest = weight[k] * density *
                     (1 + 3 * along + 4.5f * along * along - 1.5f * (u * u + v * v));
        to[(k * n + y) * n + x] = f[k] + omega * (rest - f[k]);
    }
}
