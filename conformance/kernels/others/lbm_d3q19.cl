// @ lbm_stream_collide 32x32x16|128x128x64 32x2x2 f32:311296|19922944:0.03..0.07 u8:16384|1048576:0..24 >f32:311296|19922944 1.2f 0.0002f

#define Q 19

__constant char cx[Q] = { 0, 1,-1, 0, 0, 0, 0, 1,-1, 1,-1, 1,-1, 1,-1, 0, 0, 0, 0 };
__constant char cy[Q] = { 0, 0, 0, 1,-1, 0, 0, 1,-1,-1, 1, 0, 0, 0, 0, 1,-1, 1,-1 };
__constant char cz[Q] = { 0, 0, 0, 0, 0, 1,-1, 0, 0, 0, 0, 1,-1,-1, 1, 1,-1,-1, 1 };
__constant uchar opp[Q] = { 0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 18, 17 };
__constant float wt[Q] = {
    1.0f/3.0f,
    1.0f/18.0f, 1.0f/18.0f, 1.0f/18.0f, 1.0f/18.0f, 1.0f/18.0f, 1.0f/18.0f,
    1.0f/36.0f, 1.0f/36.0f, 1.0f/36.0f, 1.0f/36.0f, 1.0f/36.0f, 1.0f/36.0f,
    1.0f/36.0f, 1.0f/36.0f, 1.0f/36.0f, 1.0f/36.0f, 1.0f/36.0f, 1.0f/36.0f
};

/* Pull scheme, periodic box (sides are powers of two), BGK collision,
   half-way bounce back in solid cells (flag == 0), constant body force in x. */
__kernel void lbm_stream_collide(__global const float * restrict fin,
                                 __global const uchar * restrict flags,
                                 __global float * restrict fout,
                                 const float omega,
                                 const float gx)
{
    const int nx = get_global_size(0);
    const int ny = get_global_size(1);
    const int nz = get_global_size(2);
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int z = get_global_id(2);
    const int n = nx * ny * nz;
    const int site = (z * ny + y) * nx + x;

    float f[Q];
    for (int q = 0; q < Q; q++) {
        int sx = (x - cx[q] + nx) & (nx - 1);
        int sy = (y - cy[q] + ny) & (ny - 1);
        int sz = (z - cz[q] + nz) & (nz - 1);
        f[q] = fin[q * n + (sz * ny + sy) * nx + sx];
    }

    if (flags[site] == 0) {
        for (int q = 0; q < Q; q++)
            fout[opp[q] * n + site] = f[q];
        return;
    }

    float rho = 0.0f, ux = 0.0f, uy = 0.0f, uz = 0.0f;
    for (int q = 0; q < Q; q++) {
        rho += f[q];
        ux += f[q] * cx[q];
        uy += f[q] * cy[q];
        uz += f[q] * cz[q];
    }
    float ir = 1.0f / rho;
    ux = ux * ir + gx;
    uy *= ir;
    uz *= ir;

    float usq = 1.5f * (ux * ux + uy * uy + uz * uz);
    for (int q = 0; q < Q; q++) {
        float cu = 3.0f * (cx[q] * ux + cy[q] * uy + cz[q] * uz);
        float feq = wt[q] * rho * (1.0f + cu + 0.5f * cu * cu - usq);
        fout[q * n + site] = f[q] + omega * (feq - f[q]);
    }
}
