global float *pick(global float *a, local float *b, int first) {
    return first ? a : b;
}

kernel void copy(float *out, global const float *in) {
    local float tile[64] = {0};
    float *p = in;
    int i = get_local_id(0);
    tile[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE)
    out[i] = tile[i];
}

// error: E0345 2:12
// error: E0325 5:25
// error: E0329 6:17
// error: E0340 7:16
// error: E0103 10:33
