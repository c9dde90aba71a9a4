// On OpenCL loops compute with components, and so does what needs nothing else, and a kernel that computes more with floats
// than it loads and stores; memory has vectors still.
// RUN[loop]: -O -S -DLOOP
// RUN[once]: -O -S -DONCE
// RUN[little]: -O -S
// RUN[plain]: -O0 -S -DLOOP
// emits-not[loop]: OpDot
// emits-not[loop]: OpVectorShuffle
// emits[loop]: mad
// emits-not[once]: OpDot
// emits[little]: OpDot
// emits[plain]: OpDot
kernel void k(global const float4 *p, global float *out, uint n)
{
    float3 sum = 0;
#ifdef LOOP
    for (uint i = 0; i < n; i++) {
        float3 way = p[i].xyz - p[n].xyz;
        sum += way * dot(way, way);
    }
#elif defined(ONCE)
    sum = p[0].xyz * dot(p[1], p[2]);
#else
    float4 own = p[get_global_id(0)];
    sum = own.xyz * dot(own, own);
#endif
    vstore3(sum, 0, out);
}
