// @ csr_vector_spmv 32768|2097152 128 iota:2049|131073:72 u32:147456|9437184:0..2048|131072 f32:147456|9437184 f32:2048|131072 >f32:2048|131072 2048|131072

// A team of LANES neighbouring work-items shares one matrix row.
#define LANES          16u
#define GROUP          128u
#define ROWS_PER_GROUP (GROUP / LANES)

__kernel void csr_vector_spmv(__global const uint  * restrict row_off,
                              __global const uint  * restrict col_idx,
                              __global const float * restrict values,
                              __global const float * restrict x,
                              __global float       * restrict y,
                              const uint num_rows)
{
    __local volatile float sdata[GROUP];

    const uint lid  = get_local_id(0);
    const uint lane = lid & (LANES - 1u);
    const uint row  = get_group_id(0) * ROWS_PER_GROUP + lid / LANES;

    float sum = 0.0f;
    if (row < num_rows) {
        const uint stop = row_off[row + 1];
        for (uint e = row_off[row] + lane; e < stop; e += LANES)
            sum = fma(values[e], x[col_idx[e]], sum);
    }

    sdata[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < 8u) sdata[lid] += sdata[lid + 8u];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < 4u) sdata[lid] += sdata[lid + 4u];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < 2u) sdata[lid] += sdata[lid + 2u];
    barrier(CLK_LOCAL_MEM_FENCE);

    if (lane == 0u && row < num_rows)
        y[row] = sdata[lid] + sdata[lid + 1u];
}
