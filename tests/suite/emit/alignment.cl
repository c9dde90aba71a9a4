// Every variable states its alignment, whatever its address space and the version of SPIR-V, but for
// those that ask for none.
// RUN[all]: -S -O0 -cl-std=CL2.0 --spirv-version=1.0 -DALL
// RUN[all]: -S -O0 -cl-std=CL2.0 --spirv-version=1.3 -DALL
// RUN[all]: -S -O0 -cl-std=CL2.0 --spirv-version=1.6 -DALL
// RUN[all]: -S -cl-std=CL2.0 --address-bits=32 -DALL
// emits[all]: Alignment 16
// emits[all]: Alignment 128
// emits[all]: Alignment 32
// emits[all]: Alignment 2
// emits[all]: Alignment 8
// emits[all]: Alignment 64
// RUN[none]: -S -cl-std=CL2.0
// emits[none]: OpVariable
// emits-not[none]: Alignment
// RUN[shader]: -S -O0 -cl-std=CL2.0 --target-env=vulkan1.3 -DALL
// emits[shader]: OpVariable
// emits-not[shader]: Alignment
#ifdef ALL
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
global short in_global = 1;
constant ulong in_constant[2] = {3, 4};
kernel void all(global double16 *p)
{
    local double2 in_local[3];
    int3 in_private[2];
    local char as_asked[3] __attribute__((aligned(64)));
    long16 wide[2];
    half16 half_wide[2];
    wide[p != 0] = 1;
    in_private[p == 0] = in_global + in_constant[p != 0];
    in_local[get_local_id(0)] = 2.0;
    as_asked[get_local_id(0)] = 1;
    vstore_half16((float16)(1), p != 0, (half *)half_wide);
    p[0].lo = convert_double8(wide[0].lo) + in_private[0].x + in_local[0].x + as_asked[1];
    p[1].x = vload_half(3, (half *)half_wide);
}
#else
kernel void none(read_only image2d_t image, global char *out)
{
    const sampler_t sampler = CLK_FILTER_NEAREST;
    char in_private[2] = {1, 2};
    local char in_local[2];
    in_local[get_local_id(0)] = in_private[get_global_id(0)];
    event_t copied = async_work_group_copy(out, in_local, 2, 0);
    wait_group_events(1, &copied);
    *out = read_imagei(image, sampler, (int2)(1, 1)).x;
}
#endif
