// What -cl-mad-enable may change is precision: on numbers that need none, nothing.
//@ section 6.12
//@ options -cl-mad-enable
//@ kernel k
//@ arg buffer float[12] = 1 2 3 4 5 6 7 8 9 10 11 12
//@ arg buffer float[6] = zero
//@ result 1 = 5 19 29 230 82 33
kernel void k(global const float *p, global float *o)
{
    float twice = p[1] * p[2];
    o[0] = p[0] * p[1] + p[2];
    o[1] = p[3] + p[4] * p[2];
    o[2] = twice + p[4] + twice * 3.0f;
    o[3] = (p[8] * p[9] + p[4] * p[3]) * 2.0f + p[9];
    float2 v = (float2)(p[6], p[7]) * (float2)(p[8], p[0]) + (float2)(p[10], p[11]);
    o[4] = v.x + v.y - p[11];
    o[5] = p[2] * p[10];
}
