// Pipes from one kernel to the next: packets one by one, reservations, work-groups, structs.
//@ section 6.15.18 6.15.18.2 6.15.18.3 6.15.18.4
//@ options -cl-std=CL2.0
//@ vulkan no shaders have no pipes
//@ kernel write_each
//@ global 8
//@ arg pipe each 4 16
//@ arg buffer int[8] = zero
//@ result 1 = zero
//@ kernel read_each
//@ arg pipe each 4 16
//@ arg buffer int[4] = zero
//@ result 1 = 8 28 16 1
//@ kernel write_reserved
//@ arg pipe reserved 16 16
//@ arg buffer int[1] = zero
//@ result 1 = 4
//@ kernel read_reserved
//@ arg pipe reserved 16 16
//@ arg buffer float[16] = zero
//@ result 1 = 0 0.5 0 3 1 1.5 1 3 2 2.5 4 3 3 3.5 9 3
//@ kernel write_group
//@ global 8
//@ local 8
//@ arg pipe group 4 64
//@ arg buffer int[1] = zero
//@ result 1 = 1
//@ kernel read_group
//@ global 8
//@ local 8
//@ arg pipe group 4 64
//@ arg buffer int[8] = zero
//@ result 1 = 0 10 20 30 40 50 60 70
typedef struct { int a; float b; short c; char d; float e; } packet;

kernel void write_each(write_only pipe int p, global int *status)
{
    const int i = get_global_id(0);
    status[i] = write_pipe(p, &i);
}

kernel void read_each(read_only pipe int p, global int *out)
{
    int sum = 0, count = 0, x;
    while (read_pipe(p, &x) == 0) {
        sum += x;
        count++;
    }
    out[0] = count;
    out[1] = sum;
    out[2] = get_pipe_max_packets(p);
    out[3] = read_pipe(p, &x) < 0;
}

void put(write_only pipe packet p, reserve_id_t id, uint i)
{
    packet x = {i, i + 0.5f, i * i, 3, 0};
    write_pipe(p, id, i, &x);
}

kernel void write_reserved(write_only pipe packet p, global int *status)
{
    reserve_id_t id = reserve_write_pipe(p, 4);
    if (is_valid_reserve_id(id)) {
        for (uint i = 0; i < 4; i++) put(p, id, i);
        commit_write_pipe(p, id);
        status[0] = get_pipe_num_packets(p);
    }
}

kernel void read_reserved(read_only pipe packet p, global float *out)
{
    reserve_id_t id = reserve_read_pipe(p, 4);
    if (!is_valid_reserve_id(id)) return;
    for (uint i = 0; i < 4; i++) {
        packet x;
        read_pipe(p, id, i, &x);
        out[4 * i] = x.a;
        out[4 * i + 1] = x.b;
        out[4 * i + 2] = x.c;
        out[4 * i + 3] = x.d;
    }
    commit_read_pipe(p, id);
}

kernel void write_group(write_only pipe int p, global int *status)
{
    const int i = get_local_id(0), x = 10 * i;
    reserve_id_t id = work_group_reserve_write_pipe(p, get_local_size(0));
    if (is_valid_reserve_id(id)) {
        write_pipe(p, id, i, &x);
        work_group_commit_write_pipe(p, id);
        status[0] = 1;
    }
}

kernel void read_group(read_only pipe int p, global int *out)
{
    const int i = get_local_id(0);
    reserve_id_t id = work_group_reserve_read_pipe(p, get_local_size(0));
    if (is_valid_reserve_id(id)) {
        int x;
        read_pipe(p, id, i, &x);
        out[i] = x;
        work_group_commit_read_pipe(p, id);
    }
}
