// Collective functions of work-groups go through `local` memory: a word for each work-item and 32 bits
// of a value, which counts where the size is known.
// RUN[chosen]: --target-env=vulkan1.3 -cl-std=CL3.0 -S -DSIZE=
// RUN[fixed]: --target-env=vulkan1.3 -cl-std=CL3.0 -S -DSIZE=__attribute__((reqd_work_group_size(8,16,2)))
// RUN[fits]: --target-env=vulkan1.3 -cl-std=CL3.0 -S -DSIZE=__attribute__((reqd_work_group_size(8,16,2))) --limit shared=2304
// RUN[small]: --target-env=vulkan1.3 -cl-std=CL3.0 -S -DSIZE=__attribute__((reqd_work_group_size(8,16,2))) --limit shared=2303
// RUN[least]: --target-env=vulkan1.3 -cl-std=CL3.0 -S -DSIZE= --limit shared=255
// RUN[opencl]: -cl-std=CL3.0 -S -DSIZE=
// emits[chosen]: SpecConstantOp
// emits[chosen]: OpControlBarrier
// emits-not[fixed]: SpecConstantOp
// emits[fits]: OpEntryPoint GLCompute
// emits[opencl]: OpGroupIAdd
kernel SIZE void k(global long *p)
//~^[small] E0709 uses 2304 bytes of local memory, and the limit is 2303
//~^^[least] E0709 uses 256 bytes of local memory, and the limit is 255
{
    p[get_global_id(0)] = work_group_reduce_add(p[get_global_id(0)]);
}
