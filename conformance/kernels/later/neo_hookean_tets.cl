// @ cellForces 32x32x16|128x128x64 8x4x2 f32:55539|3244995:-0.08..0.08 f32:16384|1048576:0.5..2 zeros:f32:393216|25165824 32|128 32|128 (0.8f,1.6f)
// @ gatherNodes 32x32x16|128x128x64 8x4x2 #2 >f32:49152|3145728 32|128 32|128 16|64

// Matrix-free internal forces of a compressible neo-Hookean solid on a regular grid, in
// which each cube is cut into six tetrahedra (Kuhn).  Displacements live at the nodes of
// the grid, (nx+1)(ny+1)(nz+1) times three floats; the edge of a cube is one.

typedef struct { float3 c0, c1, c2; } Mat3;     // by columns

constant uchar kuhn[6][4] = {
    { 0, 1, 3, 7 }, { 0, 1, 5, 7 }, { 0, 2, 3, 7 },
    { 0, 2, 6, 7 }, { 0, 4, 5, 7 }, { 0, 4, 6, 7 },
};

float3 corner(int c)
{
    return (float3)((float)(c & 1), (float)((c >> 1) & 1), (float)(c >> 2));
}

Mat3 matmul(Mat3 a, Mat3 b)
{
    Mat3 r;
    r.c0 = a.c0 * b.c0.x + a.c1 * b.c0.y + a.c2 * b.c0.z;
    r.c1 = a.c0 * b.c1.x + a.c1 * b.c1.y + a.c2 * b.c1.z;
    r.c2 = a.c0 * b.c2.x + a.c1 * b.c2.y + a.c2 * b.c2.z;
    return r;
}

Mat3 transposed(Mat3 a)
{
    Mat3 r;
    r.c0 = (float3)(a.c0.x, a.c1.x, a.c2.x);
    r.c1 = (float3)(a.c0.y, a.c1.y, a.c2.y);
    r.c2 = (float3)(a.c0.z, a.c1.z, a.c2.z);
    return r;
}

// The transpose of the inverse, and the determinant
Mat3 cofactor(Mat3 a, float *det)
{
    Mat3 r;
    r.c0 = cross(a.c1, a.c2);
    r.c1 = cross(a.c2, a.c0);
    r.c2 = cross(a.c0, a.c1);
    *det = dot(a.c0, r.c0);
    const float inv = 1.0f / *det;
    r.c0 *= inv;
    r.c1 *= inv;
    r.c2 *= inv;
    return r;
}

kernel void cellForces(global const float *restrict u,
                       global const float *restrict stiffness,
                       global float *restrict cells,
                       const int nx, const int ny, const float2 lame)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    const int cell = (z * ny + y) * nx + x;

    float3 pos[8], force[8];
    for (int c = 0; c < 8; ++c) {
        const int node = ((z + (c >> 2)) * (ny + 1) + y + ((c >> 1) & 1)) * (nx + 1) + x + (c & 1);
        pos[c] = corner(c) + vload3(node, u);
        force[c] = (float3)(0.0f);
    }

    const float mu = lame.x * stiffness[cell];
    const float lambda = lame.y * stiffness[cell];

    for (int t = 0; t < 6; ++t) {
        const int i0 = kuhn[t][0], i1 = kuhn[t][1], i2 = kuhn[t][2], i3 = kuhn[t][3];
        Mat3 rest = { corner(i1) - corner(i0), corner(i2) - corner(i0), corner(i3) - corner(i0) };
        Mat3 now = { pos[i1] - pos[i0], pos[i2] - pos[i0], pos[i3] - pos[i0] };

        float volume, J;
        const Mat3 restInvT = cofactor(rest, &volume);      // B^-T
        const Mat3 F = matmul(now, transposed(restInvT));
        const Mat3 FinvT = cofactor(F, &J);

        // First Piola-Kirchhoff stress, P = mu (F - F^-T) + lambda ln(J) F^-T
        const float p = lambda * log(J) - mu;
        Mat3 P;
        P.c0 = mu * F.c0 + p * FinvT.c0;
        P.c1 = mu * F.c1 + p * FinvT.c1;
        P.c2 = mu * F.c2 + p * FinvT.c2;

        const Mat3 H = matmul(P, restInvT);
        const float w = -fabs(volume) / 6.0f;
        force[i1] += w * H.c0;
        force[i2] += w * H.c1;
        force[i3] += w * H.c2;
        force[i0] -= w * (H.c0 + H.c1 + H.c2);
    }
    for (int c = 0; c < 8; ++c)
        vstore3(force[c], cell * 8 + c, cells);
}

// Nodes of the low faces of all cells; those beyond the last cells are held.
kernel void gatherNodes(global const float *restrict cells,
                        global float *restrict nodal,
                        const int nx, const int ny, const int nz)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (z >= nz)
        return;

    float3 sum = (float3)(0.0f);
    for (int c = 0; c < 8; ++c) {
        const int cx = x - (c & 1), cy = y - ((c >> 1) & 1), cz = z - (c >> 2);
        if (cx < 0 || cy < 0 || cz < 0)
            continue;
        sum += vload3(((cz * ny + cy) * nx + cx) * 8 + c, cells);
    }
    vstore3(sum, (z * ny + y) * nx + x, nodal);
}
