// Components of vectors in private arrays, changed and read one by one, several, and as wholes. Values by Python.
//@ section 6.3.7 6.3.8
//@ kernel histogram
//@ global 2
//@ arg buffer uchar4[8] = 0 1 2 3  1 1 0 3  3 2 1 0  0 0 0 0   3 3 3 3  2 1 0 3  1 0 1 0  3 2 1 0
//@ arg buffer float4[8] = zero
//@ result 1 = 2 1 2 2  1 2 1 0  0 1 1 0  1 0 0 2   0 1 1 2  1 1 2 0  1 1 0 0  2 1 1 2
//@ kernel mixed
//@ global 2
//@ arg buffer int[4] = 1 2 3 1
//@ arg buffer int4[4] = zero
//@ result 1 = 6 11 10 8  2 11 8 2  7 8 10 9  1 8 4 1

kernel void histogram(global const uchar4 *in, global float4 *out)
{
    const int id = get_global_id(0);
    float4 counts[4];
    for (int i = 0; i < 4; i++)
        counts[i] = 0;
    for (int i = 0; i < 4; i++) {
        const uchar4 v = in[id * 4 + i];
        counts[v.x].x += 1;
        counts[v.y].y += 1;
        counts[v.z].z += 1;
        counts[v.w].w += 1;
    }
    for (int i = 0; i < 4; i++)
        out[id * 4 + i] = counts[i];
}

kernel void mixed(global const int *in, global int4 *out)
{
    const int id = get_global_id(0), a = in[id * 2], b = in[id * 2 + 1];
    int4 v[4];
    for (int i = 0; i < 4; i++)
        v[i] = (int4)(i, i + 1, i + 2, i + 3);
    v[a].x = v[b].w - v[a].x;
    v[b].yz += v[a].x;
    v[3].xy = v[a].zw;
    v[a] = v[a].wxyz + v[b];
    out[id * 2] = v[a];
    v[b].w = b;
    v[a].zw = v[b].ww;
    out[id * 2 + 1] = (int4)(v[0].x + v[b].x, v[a].y, v[b].z, v[a].w);
}
