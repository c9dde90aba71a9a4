// @ hex8_stiffness 65536|4194304 64 f32:24576|1572864:-0.15..0.15 f32:1024|65536:1..10 >f32:589824|37748736 0.3f
//
// Element stiffness matrices (24x24) of trilinear hexahedra, isotropic linear
// elasticity, 2x2x2 Gauss points. A work-group per element: first
// (point, node) gradients of the shape functions, then every item adds up
// the 3x3 block of one pair of nodes.
// The nodes of the unit cube are moved by the given offsets.

#define NODES   8
#define POINTS  8
#define GAUSS   0.577350269f

__constant float3 CORNER[NODES] = {
    (float3)(-1, -1, -1), (float3)( 1, -1, -1), (float3)( 1,  1, -1), (float3)(-1,  1, -1),
    (float3)(-1, -1,  1), (float3)( 1, -1,  1), (float3)( 1,  1,  1), (float3)(-1,  1,  1)
};

// dN/dxi of node a in the point xi
float3 shapeDeriv(int a, float3 xi)
{
    const float3 c = CORNER[a];
    const float3 f = 1.0f + c * xi;
    return 0.125f * c * (float3)(f.y * f.z, f.x * f.z, f.x * f.y);
}

__kernel void hex8_stiffness(__global const float *offset,
                             __global const float *young,
                             __global float *K,
                             const float nu)
{
    __local float3 coord[NODES];
    __local float3 grad[POINTS][NODES];
    __local float weight[POINTS];

    const int tid = get_local_id(0);
    const size_t elem = get_group_id(0);
    const int gp = tid / NODES, node = tid % NODES;

    if (tid < NODES)
        coord[tid] = 0.5f * (CORNER[tid] + 1.0f) + vload3(elem * NODES + tid, offset);
    barrier(CLK_LOCAL_MEM_FENCE);

    const float3 xi = GAUSS * CORNER[gp];
    // rows of the Jacobian: d(x,y,z)/dxi_k
    float3 j0 = 0.0f, j1 = 0.0f, j2 = 0.0f;
    for (int a = 0; a < NODES; ++a) {
        const float3 dn = shapeDeriv(a, xi);
        const float3 x = coord[a];
        j0 += dn.x * x;
        j1 += dn.y * x;
        j2 += dn.z * x;
    }
    // columns of the inverse, times the determinant
    const float3 c0 = cross(j1, j2);
    const float3 c1 = cross(j2, j0);
    const float3 c2 = cross(j0, j1);
    const float det = dot(j0, c0);
    const float3 dn = shapeDeriv(node, xi);
    grad[gp][node] = (c0 * dn.x + c1 * dn.y + c2 * dn.z) / det;
    if (node == 0)
        weight[gp] = det;
    barrier(CLK_LOCAL_MEM_FENCE);

    // block (a, b)
    const int a = tid / NODES, b = tid % NODES;
    const float E = young[elem];
    const float lambda = E * nu / ((1.0f + nu) * (1.0f - 2.0f * nu));
    const float mu = E / (2.0f * (1.0f + nu));

    float3 r0 = 0.0f, r1 = 0.0f, r2 = 0.0f;
    for (int q = 0; q < POINTS; ++q) {
        const float3 ga = grad[q][a];
        const float3 gb = grad[q][b];
        const float w = weight[q];
        const float trace = mu * dot(ga, gb);
        r0 += w * (lambda * ga.x * gb + mu * gb.x * ga + (float3)(trace, 0.0f, 0.0f));
        r1 += w * (lambda * ga.y * gb + mu * gb.y * ga + (float3)(0.0f, trace, 0.0f));
        r2 += w * (lambda * ga.z * gb + mu * gb.z * ga + (float3)(0.0f, 0.0f, trace));
    }

    __global float *row = K + elem * 576 + (3 * a) * 24 + 3 * b;
    vstore3(r0, 0, row);
    vstore3(r1, 0, row + 24);
    vstore3(r2, 0, row + 48);
}
