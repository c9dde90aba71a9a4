// RUN[both]: -cl-std=CL2.0 -S -cl-ext=+cl_intel_bfloat16_conversions,+cl_intel_split_work_group_barrier
// RUN[forbidden]: -cl-std=CL2.0 -cl-ext=+cl_intel_bfloat16_conversions,+cl_intel_split_work_group_barrier --spirv-ext=-SPV_INTEL_bfloat16_conversion
// RUN[absent]: -cl-std=CL2.0 -fsyntax-only
// emits[both]: OpExtension "SPV_INTEL_bfloat16_conversion"
// emits[both]: OpConvertFToBF16INTEL
// emits[both]: OpControlBarrierArriveINTEL
// emits[both]: OpControlBarrierWaitINTEL
// emits[both]: OpConvertBF16ToFINTEL
// error[forbidden]: E0703 16:12
// error[forbidden]: E0703 19:12
// error[absent]: E0502 16:12
// error[absent]: E0502 17:5
// error[absent]: E0502 18:5
// error[absent]: E0502 19:12
kernel void k(global ushort *p, global float4 *q) {
    p[0] = intel_convert_bfloat16_as_ushort(q[0].x);
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
    q[1] = intel_convert_as_bfloat164_float4((ushort4)(p[1]));
}
