#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// The pull of all bodies on each; xyz is the place, w the mass.
kernel void nbody64(global const double4 *bodies, global double4 *pulls, uint n)
{
    local double4 tile[128];
    size_t i = get_global_id(0);
    uint item = get_local_id(0);
    double4 body = bodies[i];
    double3 pull = 0;
    for (uint start = 0; start < n; start += 128) {
        tile[item] = bodies[start + item];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 128; k++) {
            double4 other = tile[k];
            double3 way = other.xyz - body.xyz;
            double square = dot(way, way) + 0.01;
            pull += way * (other.w / (square * sqrt(square)));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    pulls[i] = (double4)(pull, 0);
}
