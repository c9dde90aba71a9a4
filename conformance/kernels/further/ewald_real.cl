// @ place_charges 1024|131072 64 f32:3072|393216:0..1 u32:1024|131072 zeros:f32:4096|524288 4|16 4|32
// @ ewald_real_space 1024|131072 64 #2 >f32:4096|524288 4|16 4|32 4.0f 0.75f

// Short range part of Ewald's sum: erfc(alpha r) / r with a Lennard-Jones term, periodic.
// Cells are as wide as the cutoff and have 16 sites each. A work-group has four cells of
// a row, partners come through local memory, rows of six cells at a time. Sites of a
// molecule, four after another, do not see each other. Written: force and energy.

#define PER_CELL 16
#define CELLS    4
#define ROW      ((CELLS + 2) * PER_CELL)
#define TWO_OVER_SQRT_PI 1.128379167f

__kernel void place_charges(__global const float *random, __global const uint *kinds,
                            __global float4 *sites, const int nx, const int nyz)
{
    const int i = get_global_id(0);
    const int cell = i / PER_CELL;
    const float3 c = convert_float3((int3)(cell % nx, cell / nx % nyz, cell / nx / nyz));
    // a coarse grid of 4 x 2 x 2 keeps sites apart
    const int k = i % PER_CELL;
    const float3 sub = (float3)((k & 3) * 0.25f, ((k >> 2) & 1) * 0.5f, (k >> 3) * 0.5f);
    const float3 jitter = vload3(i, random) * (float3)(0.1f, 0.3f, 0.3f);
    const float charge = (i & 1 ? -0.42f : 0.42f) * (1.0f + (float)(kinds[i] & 255u) / 512.0f);
    sites[i] = (float4)(c + sub + jitter, charge);
}

__kernel __attribute__((reqd_work_group_size(CELLS * PER_CELL, 1, 1)))
void ewald_real_space(__global const float4 *sites, __global float4 *forces,
                      const int nx, const int nyz, const float cell_width, const float alpha)
{
    __local float4 others[ROW];

    const int lid = get_local_id(0);
    const int i = get_global_id(0);
    const int first_cell = (int)get_group_id(0) * CELLS;
    const int cx = first_cell % nx, cy = first_cell / nx % nyz, cz = first_cell / nx / nyz;
    const float4 me = sites[i];
    const float3 at = me.xyz * cell_width;
    const int mine = lid / PER_CELL;
    const float cutoff2 = cell_width * cell_width;
    const int molecule = lid % PER_CELL / 4;

    float4 sum = (float4)(0.0f);
    for (int neighbour = 0; neighbour < 9; neighbour++) {
        const int dy = neighbour % 3 - 1, dz = neighbour / 3 - 1;
        const int y = (cy + dy + nyz) % nyz, z = (cz + dz + nyz) % nyz;

        barrier(CLK_LOCAL_MEM_FENCE);
        for (int e = lid; e < ROW; e += CELLS * PER_CELL) {
            const int x = (cx + e / PER_CELL - 1 + nx) % nx;
            float4 s = sites[((z * nyz + y) * nx + x) * PER_CELL + e % PER_CELL];
            // the image that is next to us
            s.x += (float)(cx + e / PER_CELL - 1 - x);
            s.y += (float)(cy + dy - y);
            s.z += (float)(cz + dz - z);
            others[e] = (float4)(s.xyz * cell_width, s.w);
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        for (int e = mine * PER_CELL; e < (mine + 3) * PER_CELL; e++) {
            const float4 other = others[e];
            const float3 d = at - other.xyz;
            const float r2 = dot(d, d);
            const bool bonded = neighbour == 4 && e / PER_CELL == mine + 1 && e % PER_CELL / 4 == molecule;
            if (bonded || r2 >= cutoff2)
                continue;

            const float inv = rsqrt(r2), inv2 = inv * inv;
            const float ar = alpha * r2 * inv;
            const float qq = 332.06f * me.w * other.w;
            const float coulomb = qq * erfc(ar) * inv;
            const float gauss = qq * TWO_OVER_SQRT_PI * alpha * exp(-ar * ar);

            const float s2 = 0.36f * inv2, s6 = s2 * s2 * s2;
            const float lj = 0.15f * s6 * (s6 - 1.0f);
            const float lj_force = 0.15f * 6.0f * s6 * (2.0f * s6 - 1.0f);
            sum.xyz += (coulomb + gauss + lj_force) * inv2 * d;
            sum.w += 0.5f * (coulomb + lj);
        }
    }
    forces[i] = sum;
}
