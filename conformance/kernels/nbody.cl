// One step of bodies that attract each other; xyz is the place, w the mass.
kernel void nbody(global const float4 *bodies, global float4 *moved, global float4 *speeds, uint n,
                  float step, local float4 *tile)
{
    size_t i = get_global_id(0);
    uint item = get_local_id(0), size = get_local_size(0);
    float4 body = bodies[i];
    float3 pull = 0;
    for (uint start = 0; start < n; start += size) {
        tile[item] = bodies[start + item];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < size; k++) {
            float4 other = tile[k];
            float3 way = other.xyz - body.xyz;
            float inverse = rsqrt(dot(way, way) + 0.01f);
            pull += way * (other.w * inverse * inverse * inverse);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float4 speed = speeds[i];
    speed.xyz += pull * step;
    body.xyz += speed.xyz * step;
    speeds[i] = speed;
    moved[i] = body;
}
