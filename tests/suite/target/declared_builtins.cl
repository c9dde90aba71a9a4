// RUN[program]: -cl-std=CL3.0
// RUN[part]: -cl-std=CL3.0 -c -S
// A declaration with the type of a builtin is the builtin (C99 7.1.4p2), another one is the program's own.
// emits[part]: LinkageAttributes "cos" Import
// emits[part]: sqrt %
// emits[part]: OpControlBarrier
// emits-not[part]: "sqrt"
float sqrt(float x);
size_t __attribute__((const)) get_global_id(uint dimension);
void __attribute__((overloadable)) barrier(cl_mem_fence_flags flags);
float cos(int x);

kernel void k(global float *p)
{
    p[get_global_id(0)] = sqrt(p[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    p[0] = cos(1); //~[program] E0752 `cos` is called
}
