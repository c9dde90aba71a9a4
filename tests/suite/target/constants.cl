// What has to be a constant when instructions are made, whether it is one by itself or after inlining.
// A scope that is none is taken for the widest.
// RUN[scope]: -cl-std=CL3.0 -DSCOPE -S
// RUN[fence]: -cl-std=CL3.0 -DFENCE -S
// RUN[barrier]: -cl-std=CL3.0 -DBARRIER -S
// RUN[cluster]: -cl-std=CL3.0 -DCLUSTER
// RUN[rotate]: -cl-std=CL3.0 -DROTATE
// RUN[three]: -cl-std=CL3.0 -DTHREE
// RUN[zero]: -cl-std=CL3.0 -DZERO
// RUN[inlined]: -cl-std=CL3.0 -DINLINED -S
// emits[scope]: OpAtomicIIncrement
// emits[fence]: OpMemoryBarrier
// emits[barrier]: OpControlBarrier
// error[cluster]: E0703 26:59 the cluster size is not a constant
// error[rotate]: E0703 28:59 the cluster size is not a constant
// error[three]: E0703 30:48 the cluster size is not a power of two
// error[zero]: E0703 32:48 the cluster size is not a power of two
// emits[inlined]: OpGroupNonUniformFAdd
#if defined(SCOPE)
kernel void k(volatile global atomic_int *p, int s) { atomic_fetch_add_explicit(p, 1, memory_order_relaxed, s); }
#elif defined(FENCE)
kernel void k(memory_scope s) { atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, s); }
#elif defined(BARRIER)
kernel void k(memory_scope s) { work_group_barrier(CLK_LOCAL_MEM_FENCE, s); }
#elif defined(CLUSTER)
kernel void k(global float *p, uint n) { float x = p[0] + sub_group_clustered_reduce_add(p[0], n); p[0] = x; }
#elif defined(ROTATE)
kernel void k(global float *p, uint n) { float x = p[0] + sub_group_clustered_rotate(p[0], 1, n); p[0] = x; }
#elif defined(THREE)
kernel void k(global float *p) { p[0] = p[1] + sub_group_clustered_reduce_add(p[0], 3u); }
#elif defined(ZERO)
kernel void k(global float *p) { p[0] = p[1] + sub_group_clustered_rotate(p[0], 1, 0u); }
#elif defined(INLINED)
float add(float x, uint size) { return sub_group_clustered_reduce_add(x, size); }
kernel void k(global float *p) { p[0] = add(p[0], 4); }
#endif
