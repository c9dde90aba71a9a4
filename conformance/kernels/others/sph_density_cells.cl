// @ place_particles 16x16x8|64x64x32 8x8x4 f32:32768|2097152 iota:2049|131073:4 zeros:f32:32768|2097152 zeros:u32:8192|524288 16|64 16|64 8|32 0.1f
// @ density 8192|524288 64 #2 #1 #3 >f32:8192|524288 16|64 16|64 8|32 0.1f 0.02f 8192|524288

#define PI_F 3.14159265f

uint cell_index(int4 c, int4 dims)
{
    return (uint)((c.z * dims.y + c.y) * dims.x + c.x);
}

/* The sorted particle list keeps offsets inside the cell; make them absolute. */
__kernel void place_particles(__global const float4 *rel,
                              __global const uint *cell_start,
                              __global float4 *pos,
                              __global uint *cell_of,
                              int nx, int ny, int nz,
                              float h)
{
    int4 c = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    uint id = cell_index(c, (int4)(nx, ny, nz, 1));
    float4 origin = convert_float4(c) * h;
    uint first = cell_start[id], last = cell_start[id + 1];

    for (uint p = first; p < last; p++) {
        float4 q = origin + rel[p] * h;
        q.w = 0.5f + rel[p].w;      /* mass factor */
        pos[p] = q;
        cell_of[p] = id;
    }
}

__kernel void density(__global const float4 *pos,
                      __global const uint *cell_start,
                      __global const uint *cell_of,
                      __global float *rho,
                      int nx, int ny, int nz,
                      float h, float mass, uint n)
{
    uint me = get_global_id(0);
    if (me >= n)
        return;

    const int4 dims = (int4)(nx, ny, nz, 1);
    float4 p = pos[me];
    int id = (int)cell_of[me];
    int cx = id % dims.x;
    int cy = (id / dims.x) % dims.y;
    int cz = id / (dims.x * dims.y);

    float h2 = h * h;
    float sum = 0.0f;

    for (int dz = -1; dz <= 1; dz++) {
        int z = cz + dz;
        if (z < 0 || z >= dims.z) continue;
        for (int dy = -1; dy <= 1; dy++) {
            int y = cy + dy;
            if (y < 0 || y >= dims.y) continue;
            for (int dx = -1; dx <= 1; dx++) {
                int x = cx + dx;
                if (x < 0 || x >= dims.x) continue;

                uint nb = cell_index((int4)(x, y, z, 0), dims);
                uint stop = cell_start[nb + 1];
                for (uint j = cell_start[nb]; j < stop; j++) {
                    float4 q = pos[j];
                    float3 d = p.xyz - q.xyz;
                    float r2 = dot(d, d);
                    if (r2 < h2) {
                        float t = h2 - r2;
                        sum += q.w * t * t * t;
                    }
                }
            }
        }
    }

    float h9 = h2 * h2 * h2 * h2 * h;
    rho[me] = mass * 315.0f / (64.0f * PI_F * h9) * sum;
}
