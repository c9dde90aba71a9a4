// Shuffles and blocks of cl_intel_subgroups, for sub-groups of any size: what functions return is compared with what
// the kernel reads of the values of all.
//@ options -cl-std=CL1.2 -cl-ext=+cl_intel_subgroups,+cl_intel_subgroups_short,+cl_intel_subgroups_long,+cl_intel_subgroups_char
//@ kernel shuffles
//@ global 256
//@ local 128
//@ arg buffer uint[256] = zero
//@ result 0 = 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511 511
//@ kernel blocks
//@ global 256
//@ local 128
//@ arg buffer uint[2048] = ramp
//@ arg buffer uint[256] = zero
//@ result 1 = 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63 63
#define ITEMS 128

uint value(uint i) { return i * i + 7; }

kernel void shuffles(global uint *out)
{
    const uint i = get_local_id(0);
    const uint size = get_max_sub_group_size(), lane = get_sub_group_local_id();
    // The values of a neighbour are those of its lane, for work-groups hold whole sub-groups.
    local uint lanes[ITEMS], groups[ITEMS];
    lanes[i] = lane;
    groups[i] = get_sub_group_id();
    barrier(CLK_LOCAL_MEM_FENCE);
    uint at[ITEMS];
    for (uint k = 0; k < ITEMS; ++k)
        if (groups[k] == groups[i])
            at[lanes[k]] = k;
    const uint first = value(i), second = 5 * i + 3;
    uint right = 0;
    uint other = (lane * 3 + 1) % size;
    right |= (intel_sub_group_shuffle(first, other) == value(at[other])) << 0;
    right |= (intel_sub_group_shuffle_xor(first, 1u) == value(at[lane ^ 1])) << 1;
    uint by = size / 2 + 1;
    uint down = intel_sub_group_shuffle_down(first, second, by);
    right |= (down == (lane + by < size ? value(at[lane + by]) : 5 * at[lane + by - size] + 3)) << 2;
    uint up = intel_sub_group_shuffle_up(second, first, by);
    right |= (up == (lane >= by ? value(at[lane - by]) : 5 * at[lane + size - by] + 3)) << 3;
    float4 four = intel_sub_group_shuffle((float4)(i, i + 1, i + 2, i + 3), other);
    right |= (four.x == at[other] && four.w == at[other] + 3) << 4;
    uint8 eight = intel_sub_group_shuffle_xor((uint8)(first, 0, 0, 0, 0, 0, 0, i), 1u);
    right |= (eight.s0 == value(at[lane ^ 1]) && eight.s7 == at[lane ^ 1]) << 5;
    right |= (intel_sub_group_shuffle((ulong)i << 33, other) == (ulong)at[other] << 33) << 6;
    right |= (intel_sub_group_shuffle_down(first, second, 0u) == first) << 7;
    right |= (intel_sub_group_shuffle_up(second, first, size) == second) << 8;
    out[get_global_id(0)] = right;
}

kernel void blocks(global uint *in, global uint *out)
{
    const uint size = get_max_sub_group_size(), lane = get_sub_group_local_id();
    const uint from = get_group_id(0) * 1024 + get_sub_group_id() * size;
    uint right = (intel_sub_group_block_read(in + from) == from + lane) << 0;
    uint4 four = intel_sub_group_block_read4(in + from);
    right |= (all(four == (uint4)(0, 1, 2, 3) * size + from + lane)) << 1;
    ulong2 two = intel_sub_group_block_read_ul2((global ulong *)in + from / 2);
    right |= (two.y == as_ulong((uint2)(0, 1) + 2 * size + 2 * lane + from)) << 2;
    ushort s = intel_sub_group_block_read_us((global ushort *)(in + from));
    right |= (s == (lane % 2 ? 0 : from + lane / 2)) << 3;
    local uint shared[ITEMS * 8];
    local uint *mine = shared + get_sub_group_id() * size * 8;
    intel_sub_group_block_write8(mine, (uint8)(0, 1, 2, 3, 4, 5, 6, 7) + 10 * lane);
    barrier(CLK_LOCAL_MEM_FENCE);
    right |= (mine[5 * size + lane] == 5 + 10 * lane) << 4;
    right |= (intel_sub_group_block_read2(mine + 2 * size).y == 3 + 10 * lane) << 5;
    out[get_global_id(0)] = right;
}
