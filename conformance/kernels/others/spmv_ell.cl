// @ spmv_ellpack 32768|1048576 256 32768|1048576 f32:524288|16777216 i32:524288|16777216:0..32768|1048576 u8:32768|1048576:4..17 f32:32768|1048576 >f32:32768|1048576

/* ELLPACK-R: 16 slots per row stored column by column, with true row lengths. */
__kernel void spmv_ellpack(const int rows,
                           __global const float *vals,
                           __global const int *cols,
                           __global const uchar *len,
                           __global const float *x,
                           __global float *y)
{
    for (int r = get_global_id(0); r < rows; r += get_global_size(0)) {
        float dotp = 0.f;
        const int n = len[r];
        for (int k = 0; k < n; k++) {
            int at = k * rows + r;
            dotp += vals[at] * x[cols[at]];
        }
        y[r] = dotp;
    }
}
