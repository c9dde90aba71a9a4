// clc: -cl-std=CL3.0 --target-env=vulkan1.3 --reflection-set=clspv
// Without -cl-kernel-arg-info the module knows names of arguments and how they are passed; not their types.

__attribute__((vec_type_hint(uint2), work_group_size_hint(16, 2, 1)))
kernel void work(global float *out, constant float *in, int count, local float *scratch,
                 read_only image2d_t image, write_only image2d_t to, sampler_t how) {
  scratch[get_local_id(0)] = in[count];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = scratch[0] + read_imagef(image, how, (float2)(0.5f)).x;
  write_imagef(to, (int2)(0), (float4)(count));
}
