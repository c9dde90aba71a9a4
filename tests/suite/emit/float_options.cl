// Each option of clBuildProgram, as far as SPIR-V has words for it.
// RUN[none]: -S -cl-std=CL2.0
// RUN[nsz]: -S -cl-std=CL2.0 -cl-no-signed-zeros
// RUN[finite]: -S -cl-std=CL2.0 -cl-finite-math-only
// RUN[unsafe]: -S -cl-std=CL2.0 -cl-unsafe-math-optimizations
// RUN[fast]: -S -cl-std=CL2.0 -cl-fast-relaxed-math
// RUN[mad]: -S -cl-std=CL2.0 -cl-mad-enable
// RUN[mad0]: -S -cl-std=CL2.0 -cl-mad-enable -O0
// RUN[disable]: -S -cl-std=CL2.0 -cl-mad-enable -cl-opt-disable
// RUN[single]: -S -cl-std=CL2.0 -cl-single-precision-constant
// RUN[denorms]: -S -cl-std=CL2.0 -cl-denorms-are-zero
// RUN[flush]: -S -cl-std=CL2.0 -cl-denorms-are-zero --spirv-ext=+SPV_KHR_float_controls
// RUN[uniform]: -S -cl-std=CL2.0 -cl-uniform-work-group-size
// RUN[rest]: -S -cl-std=CL2.0 -cl-strict-aliasing -cl-fp32-correctly-rounded-divide-sqrt
// emits-not[none]: FPFastMathMode
// emits-not[none]: mad
// emits-not[none]: ContractionOff
// emits[none]: OpCapability Float64
// emits[none]: EnqueuedWorkgroupSize
// emits[nsz]: FPFastMathMode NSZ
// emits[finite]: FPFastMathMode NotNaN|NotInf
// emits[unsafe]: FPFastMathMode NSZ|AllowRecip
// emits[unsafe]: mad
// emits[fast]: FPFastMathMode NotNaN|NotInf|NSZ|AllowRecip|Fast
// emits[fast]: OpConstant  %
// emits[mad]: mad
// emits-not[mad]: OpFAdd
// emits[mad0]: OpFAdd
// emits[disable]: OpVariable
// emits[disable]: OpFAdd
// emits-not[single]: OpCapability Float64
// emits-not[denorms]: DenormFlushToZero
// emits[flush]: OpExtension "SPV_KHR_float_controls"
// emits[flush]: DenormFlushToZero 32
// emits[uniform]: BuiltIn WorkgroupSize
// emits-not[uniform]: EnqueuedWorkgroupSize
// emits-not[rest]: FPFastMathMode
kernel void k(global float *p, global ulong *q)
{
    // Where all work-items come to it, this is contracted without an option too.
    for (ulong i = 0; i < get_local_id(0); i++)
        p[i] = p[i + 1] * p[i + 2] + p[i + 3];
    p[4] = p[5] / p[6];
    p[7] = p[8] * 0.1;
    q[0] = get_enqueued_local_size(0);
}
