// A local variable is one object for the work-group, without an initial value.
// ir: workgroup
// ir: g0
kernel void k(global int *a) {
    local int tile[16];
    tile[get_local_id(0)] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = tile[0];
}
