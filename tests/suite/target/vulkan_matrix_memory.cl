// Matrices in local memory: elements of other types are strides of these.
// RUN: -cl-std=CL3.0 -cl-ext=+cl_khr_cooperative_matrix --target-env=vulkan1.3 -S
// RUN[narrow]: -cl-std=CL3.0 -cl-ext=+cl_khr_cooperative_matrix --target-env=vulkan1.3 -S -DNARROW
// error[narrow]: E0703
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define MATRIX(R, C, U) __attribute__((coop_mat(memory_scope_sub_group, R, C, CLK_COOPERATIVE_MATRIX_##U)))
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
#ifdef NARROW
// Rows of two bytes, in memory of words.
kernel void narrow(global char *out, global uint *p)
{
    local union { uint words[16]; char bytes[64]; } u;
    u.words[get_local_id(0)] = p[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[1] = u.bytes[p[1]];
    char MATRIX(2, 2, A) m = coop_mat_load(u.bytes + p[0], ROWS, 2);
    coop_mat_store(out, m, ROWS, 2);
}
#else
kernel void tiles(global const half *a, global half *out)
{
    local uint4 wide[64];
    local half flat[16 * 24];
    local half rows[16][24];
    const uint i = get_local_id(0);
    wide[i] = *(global const uint4 *)(a + 8 * i);
    flat[i] = a[i];
    rows[i % 16][i / 16] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    // A row of 16 halves is two of what the array has.
    // emits: OpTypePointer Workgroup
    half MATRIX(16, 16, A) m = coop_mat_load((local const half *)wide, ROWS, 16);
    // emits: OpCooperativeMatrixLoadKHR
    half MATRIX(16, 16, A) n = coop_mat_load(flat, ROWS, 24);
    // emits: OpCooperativeMatrixLoadKHR
    half MATRIX(16, 16, A) o = coop_mat_load(&rows[0][8], ROWS, 24);
    // emits: OpCooperativeMatrixLoadKHR
    coop_mat_store(out, m + n + o, ROWS, 16);
}
#endif
