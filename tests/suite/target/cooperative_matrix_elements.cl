// Operators, elements and conversions of cooperative matrices. Vulkan knows integers by their signs, for it
// lists the matrices of a device so (VkComponentTypeKHR); OpenCL has one type for both.
// RUN[opencl]: -cl-std=CL3.0 -cl-ext=+cl_khr_cooperative_matrix -S
// RUN[vulkan]: -cl-std=CL3.0 -cl-ext=+cl_khr_cooperative_matrix --target-env=vulkan1.3 -S
#define MATRIX(R, C, U) __attribute__((coop_mat(memory_scope_sub_group, R, C, CLK_COOPERATIVE_MATRIX_##U)))
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
typedef char MATRIX(16, 32, A) A;
typedef uchar MATRIX(32, 16, B) B;
typedef int MATRIX(16, 16, ACCUMULATOR) C;
typedef char MATRIX(16, 16, ACCUMULATOR) Narrow;
typedef uint MATRIX(16, 16, ACCUMULATOR) Unsigned;
typedef float MATRIX(16, 16, ACCUMULATOR) F;
// emits-not[opencl]: OpTypeInt 32 1
// emits[vulkan]: OpTypeInt 8 1
// emits[vulkan]: OpTypeInt 32 1
kernel void integers(global const char *a, global const uchar *b, global char *c)
{
    A left = coop_mat_load(a, ROWS, 32);
    B right = coop_mat_load(b, ROWS, 16);
    // Constants of signed elements.
    // emits[vulkan]: OpBitcast
    C sum = coop_mat_init(1);
    // emits[opencl]: OpCooperativeMatrixMulAddKHR
    // emits[opencl]: MATRIX_A_SIGNED_COMPONENTS_KHR | MATRIX_C_SIGNED_COMPONENTS_KHR | MATRIX_RESULT_SIGNED_COMPONENTS_KHR | SATURATING_ACCUMULATION_KHR
    // emits[vulkan]: MATRIX_A_SIGNED_COMPONENTS_KHR | MATRIX_C_SIGNED_COMPONENTS_KHR | MATRIX_RESULT_SIGNED_COMPONENTS_KHR | SATURATING_ACCUMULATION_KHR
    sum = coop_mat_mulAdd(left, right, sum, CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION);
    // emits[opencl]: OpSConvert
    // emits[vulkan]: OpSConvert
    Narrow narrow = (Narrow)sum;
    // Work-items change their own elements, each for itself, in memory.
    // emits[opencl]: OpCooperativeMatrixLengthKHR
    // emits[opencl]: OpInBoundsAccessChain
    // emits[vulkan]: OpCooperativeMatrixLengthKHR
    // emits[vulkan]: OpInBoundsAccessChain
    // emits[vulkan]: OpBitcast
    // emits[vulkan]: OpBitcast
    for (uint i = 0; i < coop_mat_length(narrow); i++)
        narrow[i] += 1;
    // emits[opencl]: OpCooperativeMatrixStoreKHR
    // emits[vulkan]: OpCooperativeMatrixStoreKHR
    coop_mat_store(c, narrow, ROWS, 16);
}
// emits[opencl]: OpFunction
kernel void others(global uint *p, global float *q)
{
    Unsigned u = coop_mat_load(p, ROWS, 16);
    // emits[opencl]: OpUDiv
    // emits[vulkan]: OpUDiv
    u = u / (Unsigned)coop_mat_init(3u);
    // One type for OpenCL, so there is nothing to convert.
    // emits-not[opencl]: OpBitcast
    C s = (C)u;
    // emits[opencl]: OpSDiv
    // emits[opencl]: OpSNegate
    // emits[opencl]: OpConvertSToF
    // emits[vulkan]: OpBitcast
    // emits[vulkan]: OpSDiv
    // emits[vulkan]: OpSNegate
    // emits[vulkan]: OpConvertSToF
    F f = (F)-(s / s);
    // emits[opencl]: OpFMul
    // emits[opencl]: OpFSub
    // emits[opencl]: OpFAdd
    // emits[vulkan]: OpFMul
    f = f + (f * q[0] - f);
    coop_mat_store(q, f, ROWS, 16);
}
