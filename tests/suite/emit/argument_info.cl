// RUN[off]: -S
// RUN[on]: -S -cl-kernel-arg-info
// emits[on]: kernel_arg_type
// emits[on]: float*
// emits-not[off]: kernel_arg_type
kernel void k(global const float *first, local int *second, float4 third) { second[0] = first[1] + third.x; }
