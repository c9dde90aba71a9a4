// Pipes carry the size and alignment of their packets.
// RUN[0]: -cl-std=CL2.0 -S -O0
// RUN[1]: -cl-std=CL2.0 -S
// RUN[3]: -cl-std=CL3.0 -S --spirv-version=1.6
// RUN[32]: -cl-std=CL2.0 -S -m32
// RUN[12]: -cl-std=CL2.0 --target-env=opencl1.2
// emits[0]: OpCapability Pipes
// emits[1]: OpTypePipe ReadOnly
// emits[3]: OpGroupReserveWritePipePackets
// emits[32]: OpReservedReadPipe
// error[12]: E0708
// error[12]: E0708
typedef struct { int a; double b; } packet;
kernel void k(read_only pipe packet p, write_only pipe float3 q, global int *o)
{
    packet x;
    o[0] = read_pipe(p, &x);
    read_pipe(p, reserve_read_pipe(p, 1), 0, &x);
    work_group_commit_write_pipe(q, work_group_reserve_write_pipe(q, 2));
    o[1] = get_pipe_num_packets(q);
}
