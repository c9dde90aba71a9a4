//@ kernel nbody
//@ global 64
//@ local 16
//@ arg buffer float4[64] = random 11 0.1 1
//@ arg buffer float4[64] = random 12 -1 1
//@ arg buffer float4[64] = zero
//@ arg float = 0.0625
//@ arg local 256
//@ result 2 ~ 2e-5 host nbody
kernel void nbody(global const float4 *bodies, global const float4 *velocities,
                  global float4 *moved, float dt, local float4 *tile)
{
    const int i = get_global_id(0), n = get_global_size(0);
    const int lane = get_local_id(0), lanes = get_local_size(0);
    const float4 body = bodies[i];
    float3 force = (float3)(0.0f);
    for (int first = 0; first < n; first += lanes) {
        tile[lane] = bodies[first + lane];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 4
        for (int k = 0; k < lanes; ++k) {
            const float3 d = tile[k].xyz - body.xyz;
            const float r2 = dot(d, d) + 0.01f;
            force += d * (tile[k].w / (r2 * sqrt(r2)));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float4 result = body;
    result.xyz += dt * (velocities[i].xyz + dt * force);
    moved[i] = result;
}
