// On OpenCL loops compute with components, and so does what needs nothing else; memory has vectors still.
// RUN[loop]: -O -S -DLOOP
// RUN[once]: -O -S
// RUN[plain]: -O0 -S -DLOOP
// emits-not[loop]: OpDot
// emits-not[loop]: OpVectorShuffle
// emits[loop]: mad
// emits[once]: OpDot
// emits[plain]: OpDot
kernel void k(global const float4 *p, global float *out, uint n)
{
    float3 sum = 0;
#ifdef LOOP
    for (uint i = 0; i < n; i++) {
        float3 way = p[i].xyz - p[n].xyz;
        sum += way * dot(way, way);
    }
#else
    sum = p[0].xyz * dot(p[1], p[2]);
#endif
    vstore3(sum, 0, out);
}
