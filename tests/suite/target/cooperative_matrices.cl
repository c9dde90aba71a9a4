// A product of cooperative matrices, for both targets.
// RUN[opencl]: -cl-std=CL3.0 -cl-ext=+cl_khr_cooperative_matrix -S
// RUN[vulkan]: -cl-std=CL3.0 -cl-ext=+cl_khr_cooperative_matrix --target-env=vulkan1.3 -S
// RUN[old]: -cl-std=CL3.0 -cl-ext=+cl_khr_cooperative_matrix --target-env=vulkan1.1 -S
// RUN[cl12]: -cl-std=CL1.2 -cl-ext=+cl_khr_cooperative_matrix --target-env=opencl1.2 -DREFUSED
// RUN[without]: -cl-std=CL3.0 -cl-ext=+cl_khr_cooperative_matrix --spirv-ext=-SPV_KHR_cooperative_matrix -DREFUSED
// error[cl12]: E0708
// error[without]: E0703 `coop_mat_init`
// error[without]: E0703 `coop_mat_length`
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define MATRIX(R, C, U) \
    __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, R, C, CLK_COOPERATIVE_MATRIX_##U)))
#ifdef REFUSED
kernel void refused(global float *p)
{
    float MATRIX(8, 8, A) m = coop_mat_init(1.0f);
    p[0] = coop_mat_length(m);
}
#else
// emits[opencl]: OpCapability CooperativeMatrixKHR
// emits[opencl]: OpExtension "SPV_KHR_cooperative_matrix"
// emits[vulkan]: OpCapability VulkanMemoryModel
// emits[vulkan]: OpCapability CooperativeMatrixKHR
// emits[old]: OpExtension "SPV_KHR_cooperative_matrix"
kernel void product(global const half *a, global const half *b, global float *c, uint k)
{
    float MATRIX(16, 16, ACCUMULATOR) sum = coop_mat_init(0.0f);
    for (uint i = 0; i < k; i += 16) {
        half MATRIX(16, 16, A) left = coop_mat_load(a + i, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, k);
        half MATRIX(16, 16, B) right = coop_mat_load(b + i, CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR, k);
        // Addresses say how they are aligned: by 16 bytes, of a row of 32.
        // emits[opencl]: OpCooperativeMatrixLoadKHR
        // emits[opencl]: OpCooperativeMatrixLoadKHR
        // emits[opencl]: OpCooperativeMatrixMulAddKHR
        // emits[vulkan]: OpPhi
        // emits[vulkan]: OpCooperativeMatrixLoadKHR
        // emits[vulkan]: Aligned|NonPrivatePointer 16
        // emits[vulkan]: OpCooperativeMatrixMulAddKHR
        sum = coop_mat_mulAdd(left, right, sum);
    }
    // emits[opencl]: OpCooperativeMatrixStoreKHR
    // emits[vulkan]: OpCooperativeMatrixStoreKHR
    // emits[vulkan]: Aligned|NonPrivatePointer 16
    coop_mat_store(c, sum, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 16);
}
#endif
